package source

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

var (
	// railsRoute is how Rails is told what answers a path: get "/ships/:id" => "ships#show", resources :ships do. Groups are how far it is
	// indented, the word, its first argument with the sign before it, and what stands behind it.
	railsRoute = lazyregexp.New(`(?m)^([ \t]*)(get|post|put|patch|delete|match|root|resources|resource|namespace|scope|mount|member|collection|end)\b(?:[ (]+(?:(["':])([^"'\s,()]{0,120})["']?)?)?([^\n]{0,300})`)
	// drawnBy is the controller's method behind a path, drawnAt the path that a scope or what is mounted has.
	drawnBy   = lazyregexp.New(`["']([A-Za-z]\w*(?:/\w+)*#\w+)["']`)
	drawnAt   = lazyregexp.New(`(?:\bpath: ?|:path ?=> ?|\bat: ?|^.*=> ?)["']([^"'\n]{0,120})["']`)
	openBlock = lazyregexp.New(`\bdo(?: *\|[^|]*\|)?\s*$`)
)

// railsRoutes returns the routes that a file of Rails draws, with the paths of the scopes and resources that they stand in.
func railsRoutes(b []byte, partsOf func() []byte) (list []Route) {
	if !bytes.Contains(b, []byte("routes.draw")) {
		return nil
	}
	var within scopes
	lines := &lineCounter{text: b}
	for _, m := range railsRoute.FindAllSubmatchIndex(b, maxRoutesOf) {
		if partsOf()[m[4]] != inCode {
			continue
		}
		indent, word, said, rest := m[3]-m[2], string(b[m[4]:m[5]]), "", string(b[m[10]:m[11]])
		if m[8] >= 0 {
			said = string(b[m[8]:m[9]])
		}
		prefix := within.leave(indent)
		if word == "end" {
			continue
		}
		at, inside := drawnPath(word, said, rest, prefix)
		if openBlock.MatchString(rest) || word == "member" || word == "collection" {
			within = append(within, scoped{indent, inside})
		}
		if at == "" {
			continue
		}
		rt := Route{Method: drawnMethod(word), Path: claim.OneLine(at, 120), Line: lines.at(m[4])}
		if by := drawnBy.FindStringSubmatch(rest); by != nil {
			rt.Handler = claim.OneLine(by[1], 60)
		}
		list = append(list, rt)
	}
	return list
}

// drawnPath returns the path that a word of Rails' routes registers, "" if none, and that of what stands in its block.
func drawnPath(word, said, rest, prefix string) (at, within string) {
	own := func(name string) string {
		return strings.TrimSuffix(prefix, "/") + "/" + strings.TrimPrefix(name, "/")
	}
	switch word {
	case "root":
		return own(""), prefix
	case "member", "scope", "namespace":
		return "", drawnScope(word, said, rest, prefix)
	case "collection":
		return "", strings.TrimSuffix(prefix, "/:id")
	case "mount":
		if p := drawnAt.FindStringSubmatch(rest); p != nil {
			return own(p[1]), prefix
		}
		return "", prefix
	}
	if said == "" {
		return "", prefix
	}
	if strings.Contains(rest, "on: :collection") {
		prefix = strings.TrimSuffix(prefix, "/:id")
	}
	switch word {
	case "resources":
		return own(said), own(said) + "/:id"
	case "resource":
		return own(said), own(said)
	}
	return own(said), prefix
}

// drawnScope returns the path of what stands in a block that registers nothing itself.
func drawnScope(word, said, rest, prefix string) string {
	switch p := drawnAt.FindStringSubmatch(rest); {
	case word == "member":
		return prefix
	case p != nil && strings.Contains(p[0], "path"):
		said = p[1]
	case word == "scope" && said != "" && strings.HasPrefix(strings.TrimSpace(rest), "=>"), said == "":
		return prefix
	}
	return strings.TrimSuffix(prefix, "/") + "/" + strings.TrimPrefix(said, "/")
}

// drawnMethod is the method of what a word registers.
func drawnMethod(word string) string {
	if word == "root" {
		return "GET"
	}
	if method := httpMethods[word]; method != "" {
		return method
	}
	return "ANY"
}
