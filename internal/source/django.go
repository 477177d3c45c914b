package source

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// patterned is how Django is told which view answers a path: path("ships/<int:id>/", views.ship). Groups are the path and the view.
var patterned = lazyregexp.New(`\b(?:re_path|path|url)\(\s*r?["']([^"'\n]{0,120})["']\s*,\s*([A-Za-z_][\w.]*)`)

// patternedRoutes returns the routes of a text that are told by words and lists of their own, in what Django, Phoenix, Sinatra and
// Rails read, and of one that answers by its place.
func (l *Language) patternedRoutes(name string, b []byte, partsOf func() []byte) []Route {
	list := l.formRoutes(b, partsOf)
	switch l.Name {
	case "JavaScript", "TypeScript":
		return append(placedRoutes(name, b, partsOf), pageRoutes(b, partsOf)...)
	case "PHP":
		return append(list, symfonyRoutes(b)...)
	case "Python":
		return append(djangoRoutes(b, partsOf), list...)
	case "Elixir":
		return phoenixRoutes(b, partsOf)
	case "Ruby":
		return append(sinatraRoutes(b, partsOf), railsRoutes(b, partsOf)...)
	}
	return list
}

// djangoRoutes returns the routes of lists of Django, below the beginnings of the lists that they stand in: what other files are included
// below is not told.
func djangoRoutes(b []byte, partsOf func() []byte) (list []Route) {
	if !bytes.Contains(b, []byte("urlpatterns")) {
		return nil
	}
	lines := &lineCounter{text: b}
	inner := findInnerLists(b, partsOf)
	for _, m := range patterned.FindAllSubmatchIndex(b, maxRoutesOf) {
		handler := string(b[m[4]:m[5]])
		if handler == "include" || partsOf()[m[0]] != inCode {
			continue
		}
		list = append(list, Route{Method: "ANY", Path: inner.prefix(m[0]) + plainPattern(string(b[m[2]:m[3]])), Line: lines.at(m[2]), Handler: claim.OneLine(handler, 60)})
	}
	return append(list, registeredRoutes(b, inner, partsOf)...)
}

// registered is how a router of the REST framework is told which view set answers, groups are the router, the path and the view set;
// routerIncluded is how its paths are put into a list, groups are their beginning and the router, or the router alone where they are
// members of it.
var (
	registered     = lazyregexp.New(`\b(\w+)\.register\(\s*(?:prefix\s*=\s*)?r?["']([^"'\n]{1,120})["']\s*,\s*(?:viewset\s*=\s*)?([A-Za-z_][\w.]*)`)
	routerIncluded = lazyregexp.New(`\b(?:re_path|path|url)\(\s*r?["']([^"'\n]{0,120})["']\s*,\s*include\(\s*\(?\s*(\w+)\.urls\b|(?:^|[\[,\s+])\*?(\w+)\.urls\b`)
)

// registeredRoutes returns the routes of the routers of a text, below the beginning that a list of it puts them.
func registeredRoutes(b []byte, inner innerLists, partsOf func() []byte) (list []Route) {
	if !bytes.Contains(b, []byte(".register(")) || !bytes.Contains(b, []byte(".urls")) {
		return nil
	}
	below := map[string]string{}
	for _, m := range routerIncluded.FindAllSubmatchIndex(b, maxMounts) {
		if prefix := inner.prefix(m[0]); m[2] >= 0 {
			below[string(b[m[4]:m[5]])] = prefix + plainPattern(string(b[m[2]:m[3]]))
		} else {
			below[string(b[m[6]:m[7]])] = prefix
		}
	}
	lines := &lineCounter{text: b}
	for _, m := range registered.FindAllSubmatchIndex(b, maxRoutesOf) {
		if partsOf()[m[0]] == inCode {
			path := below[string(b[m[2]:m[3]])] + strings.Trim(plainPattern(string(b[m[4]:m[5]])), "/") + "/"
			list = append(list, Route{Method: "ANY", Path: path, Line: lines.at(m[4]), Handler: claim.OneLine(string(b[m[6]:m[7]]), 60)})
		}
	}
	return list
}

// innerList is a list of Django that stands where another includes it: path("api/", include([…])), from its bracket to the one that closes it.
type innerList struct {
	from, to int
	prefix   string
}

// innerLists are those of a text, in the order in which they begin.
type innerLists []innerList

// listIncluded is the beginning of one, group 1 is the beginning of its paths.
var listIncluded = lazyregexp.New(`\b(?:re_path|path|url)\(\s*r?["']([^"'\n]{0,120})["']\s*,\s*include\(\s*\(?\s*\[`)

// findInnerLists finds them.
func findInnerLists(b []byte, partsOf func() []byte) innerLists {
	begins := listIncluded.FindAllSubmatchIndex(b, maxMounts)
	if len(begins) == 0 {
		return nil
	}
	list := bracketed(b, partsOf(), begins)
	for i := range list {
		list[i].prefix = plainPattern(list[i].prefix)
	}
	return list
}

// prefix is what the paths of a list begin with that an offset stands in.
func (l innerLists) prefix(at int) string { return strings.Join(l.around(at), "") }

// around are the beginnings of the lists that an offset stands in, the outermost first.
func (l innerLists) around(at int) (prefixes []string) {
	for _, one := range l {
		if one.from > at {
			break
		}
		if at < one.to {
			prefixes = append(prefixes, one.prefix)
		}
	}
	return prefixes
}

// plainPattern is a path of Django without the signs that an expression has around and within it: ^ships/(?P<id>\d+)/$ is ships/<id>/.
func plainPattern(path string) string {
	return patternValue.ReplaceAllString(strings.TrimSuffix(strings.TrimPrefix(path, "^"), "$"), "<$1>")
}

// patternValue is a part of an expression that stands for a value with a name.
var patternValue = lazyregexp.New(`\(\?P<(\w+)>[^()]*(?:\([^()]*\)[^()]*)*\)`)
