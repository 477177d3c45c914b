package source

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// routeForm is how a framework of Python registers a route by a call or a decorator.
type routeForm struct {
	// hint stands in every text that the form is looked for in.
	hint string
	// call is one. method, path and handler are its groups of these, 0 for none.
	call                  *lazyregexp.Regexp
	method, path, handler int
}

// routeForms are those of Pyramid, Falcon and aiohttp, of aiohttp alone, of Starlette, of Tornado, and of Bottle and Litestar.
var routeForms = []routeForm{
	{".add_route(", lazyregexp.New(`\.add_route\(\s*(?:["']([\w.*-]{1,60})["']\s*,\s*)?(?:pattern\s*=\s*)?["'](/[^"'\n]{0,120})["'](?:\s*,\s*([A-Za-z_][\w.]*)\s*[,()])?`), 1, 2, 3},
	{"add_", lazyregexp.New(`\.add_(get|post|put|patch|delete|head|options|view)\(\s*["'](/[^"'\n]{0,120})["']\s*,\s*([A-Za-z_][\w.]*)`), 1, 2, 3},
	{"web.", lazyregexp.New(`\bweb\.(get|post|put|patch|delete|head|options|view)\(\s*["'](/[^"'\n]{0,120})["']\s*,\s*([A-Za-z_][\w.]*)`), 1, 2, 3},
	{"starlette", lazyregexp.New(`\b(?:WebSocket|API)?Route\(\s*(?:path\s*=\s*)?["'](/[^"'\n]{0,120})["'](?:\s*,\s*(?:endpoint\s*=\s*)?([A-Za-z_][\w.]*)\s*[,)])?(?:[^()]{0,200}?\bmethods\s*=\s*[\[({]([^\])}\n]{1,60}))?`), 3, 1, 2},
	{"tornado", lazyregexp.New(`(?:\burl)?\(\s*r?["'](/[^"'\n]{0,120})["']\s*,\s*((?:\w+\.)*[A-Z]\w*)\s*[,)]`), 0, 1, 2},
	{"from bottle", bareRoute, 1, 2, 3}, {"from litestar", bareRoute, 1, 2, 3},
}

var (
	// bareRoute is a decorator that is imported by its name, which in a class may leave out the path.
	bareRoute = lazyregexp.New(`(?m)^[ \t]*@(route|get|post|put|patch|delete|head)\(\s*(?:path\s*=\s*)?(?:["'](/[^"'\n]{0,120})["'])?[^\n]{0,200}\n(?:[ \t]*@[^\n]{0,200}\n){0,5}[ \t]*(?:async\s+)?def\s+(\w+)`)
	// mountedList is a list of Starlette whose routes stand below a path.
	mountedList = lazyregexp.New(`\bMount\(\s*["'](/[^"'\n]{0,120})["']\s*,\s*(?:routes\s*=\s*)?\[`)
	// controlledBy is a class of Litestar with the path of its routes.
	controlledBy = lazyregexp.New(`(?m)^class \w+\([^()\n]*Controller[^()\n]*\):(?:[^\n]*\n){1,12}?[ \t]+path(?:\s*:\s*\w+)?\s*=\s*["'](/[^"'\n]{0,120})["']`)
)

// pythonRoutes returns the routes of a text that frameworks of Python register otherwise than by a decorator of a router, each below the list
// or the class that it stands in.
func pythonRoutes(b []byte, partsOf func() []byte) (list []Route) {
	type placed struct {
		Route
		at int
	}
	var found []placed
	for _, form := range routeForms {
		if !bytes.Contains(b, []byte(form.hint)) {
			continue
		}
		for _, m := range form.call.FindAllSubmatchIndex(b, maxRoutesOf) {
			if partsOf()[m[0]] != inCode {
				continue
			}
			said := groupOf(b, m, form.method)
			rt := Route{Method: "ANY", Path: plainPattern(groupOf(b, m, form.path)), Handler: claim.OneLine(groupOf(b, m, form.handler), 60)}
			switch known := httpMethods[said]; {
			case known != "":
				rt.Method = known
			case form.hint == "starlette" && said != "":
				rt.Method = claim.OneLine(unquoted.Replace(said), 60)
			case strings.Contains(string(b[m[0]:min(len(b), m[0]+10)]), "WebSocket"):
				rt.Method = "WS"
			}
			found = append(found, placed{rt, max(m[0], m[2*form.path])})
		}
	}
	if len(found) == 0 {
		return nil
	}
	slices.SortStableFunc(found, func(a, b placed) int { return cmp.Compare(a.at, b.at) })
	lists := bracketed(b, partsOf(), mountedList.FindAllSubmatchIndex(b, maxMounts))
	classes := controlled(b)
	lines := &lineCounter{text: b}
	for _, one := range found {
		prefix := strings.Join(classes.around(one.at), "")
		for _, list := range lists.around(one.at) {
			prefix = joinPaths(prefix, list)
		}
		if one.Path = claim.OneLine(joinPaths(prefix, one.Path), 120); one.Path == "" {
			continue // a decorator without a path, outside of a class that has one
		}
		one.Line = lines.at(one.at)
		list = append(list, one.Route)
	}
	return list
}

// groupOf is what a group of a match matched, "" of none, and of the whole.
func groupOf(b []byte, m []int, group int) string {
	if group == 0 || m[2*group] < 0 {
		return ""
	}
	return string(b[m[2*group]:m[2*group+1]])
}

// controlled are the classes of a text whose routes begin with a path of theirs.
func controlled(b []byte) (list innerLists) {
	if !bytes.Contains(b, []byte("Controller")) {
		return nil
	}
	for _, m := range controlledBy.FindAllSubmatchIndex(b, maxMounts) {
		to := len(b)
		for at := m[1]; at < len(b); at++ {
			if b[at] == '\n' && at+1 < len(b) && b[at+1] != ' ' && b[at+1] != '\t' && b[at+1] != '\n' && b[at+1] != '\r' {
				to = at
				break
			}
		}
		list = append(list, innerList{m[1], to, string(b[m[2]:m[3]])})
	}
	return list
}
