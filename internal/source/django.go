package source

import (
	"bytes"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// patterned is how Django is told which view answers a path: path("ships/<int:id>/", views.ship). Groups are the path and the view.
var patterned = lazyregexp.New(`\b(?:re_path|path|url)\(\s*r?["']([^"'\n]{0,120})["']\s*,\s*([A-Za-z_][\w.]*)`)

// patternedRoutes returns the routes of a text that are told by words and lists of their own, in what Django, Phoenix, Sinatra and
// Rails read, and of one that answers by its place.
func (l *Language) patternedRoutes(name string, b []byte, partsOf func() []byte) []Route {
	switch l.Name {
	case "JavaScript", "TypeScript":
		return placedRoutes(name, b, partsOf)
	case "Python":
		return djangoRoutes(b, partsOf)
	case "Elixir":
		return phoenixRoutes(b, partsOf)
	case "Ruby":
		return append(sinatraRoutes(b, partsOf), railsRoutes(b, partsOf)...)
	}
	return nil
}

// djangoRoutes returns the routes of lists of Django, as paths stand there: what other files are included below is not told.
func djangoRoutes(b []byte, partsOf func() []byte) (list []Route) {
	if !bytes.Contains(b, []byte("urlpatterns")) {
		return nil
	}
	lines := &lineCounter{text: b}
	for _, m := range patterned.FindAllSubmatchIndex(b, maxRoutesOf) {
		handler := string(b[m[4]:m[5]])
		if handler == "include" || partsOf()[m[0]] != inCode {
			continue
		}
		list = append(list, Route{Method: "ANY", Path: string(b[m[2]:m[3]]), Line: lines.at(m[2]), Handler: claim.OneLine(handler, 60)})
	}
	return list
}
