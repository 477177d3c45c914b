package source

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

var (
	// symfonyRoute is what Symfony is told above a class or a method, as an attribute or in a comment. Groups are the path and what else is said.
	symfonyRoute = lazyregexp.New(`(?m)^[ \t]*(?:#\[|\*[ \t]*@)Route\(\s*(?:path\s*[:=]\s*)?["']([^"'\n]{0,120})["']([^\n]{0,300})`)
	// symfonyMethods are the methods in it, symfonyAnswers what it stands above.
	symfonyMethods = lazyregexp.New(`\bmethods\s*[:=]\s*[\[{]?([^\]})]{1,80})`)
	symfonyAnswers = lazyregexp.New(`\b(class|function)\s+(\w+)`)
)

// symfonyRoutes returns the routes of a controller of Symfony, below the path of its class.
func symfonyRoutes(b []byte) (list []Route) {
	if !bytes.Contains(b, []byte("Route(")) || !bytes.Contains(b, []byte("class ")) {
		return nil
	}
	prefix, lines := "", &lineCounter{text: b}
	for _, m := range symfonyRoute.FindAllSubmatchIndex(b, maxRoutesOf) {
		by := symfonyAnswers.FindSubmatch(b[m[1]:min(len(b), m[1]+maxRouteArgs)])
		said := string(b[m[2]:m[3]])
		if by == nil {
			continue
		}
		if string(by[1]) == "class" {
			prefix = said
			continue
		}
		rt := Route{Method: "ANY", Path: claim.OneLine(joinPaths(prefix, "/"+strings.TrimPrefix(said, "/")), 120), Line: lines.at(m[2]), Handler: claim.OneLine(string(by[2]), 60)}
		if methods := symfonyMethods.FindSubmatch(b[m[4]:m[5]]); methods != nil {
			rt.Method = claim.OneLine(cmp.Or(strings.Trim(unquoted.Replace(string(methods[1])), "[]{}"), rt.Method), 60)
		}
		list = append(list, rt)
	}
	return list
}
