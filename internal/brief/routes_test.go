package brief

import (
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/source"
	"github.com/haversack-dev/haversack/internal/tokens"
)

// Routes stand before the definitions: each by its line where there is room for all, else those of a resource by one, and of what has no
// room how much there is.
func TestRoutesFirst(t *testing.T) {
	route := func(method, path string, line int) source.Route {
		return source.Route{Method: method, Path: path, Line: line}
	}
	boats := []source.Route{route("GET", "/boats", 3), route("POST", "/boats", 1), route("DELETE", "/boats/{id}/rope", 2)}
	var many []source.Route
	for n := range 60 {
		many = append(many, route("GET", "/quays/"+strings.Repeat("x", n+1)+"/tide", n+1))
	}
	var wide []source.Route
	for n := range 200 {
		wide = append(wide, route("GET", "/"+strings.Repeat("y", n+1), n+1))
	}
	var placed [][]source.Route
	for n := range 40 {
		placed = append(placed, []source.Route{route("GET", "/api/"+[]string{"piers", "tides"}[n%2]+"/"+strings.Repeat("z", n+1), 1), route("POST", "/api/x"+strings.Repeat("w", n%4), 2)})
	}
	var crew [][]source.Route
	for n := range 40 {
		at := "/" + strings.Repeat("v", n+1)
		crew = append(crew, []source.Route{route("GET", "/api/v1/{owner}/ships"+at, 1), route("POST", "/api/v1/{owner}/tides"+at, 2), route("GET", "/{owner}/ropes"+at, 3), route("GET", "/{owner}/knots"+at, 4)})
	}
	var grouped []source.Route
	for n := range 60 {
		grouped = append(grouped, route("GET", "/…/"+[]string{"knots", "ropes"}[n/30]+"/"+strings.Repeat("u", n+1), n+1))
	}
	var called [][]source.Route
	for n := range 40 {
		at := strings.Repeat("t", n+1)
		called = append(called, []source.Route{route("POST", "/api/ships."+at, 1), route("ANY", "/pages/a/"+at, 2), route("ANY", "/pages/b/"+at, 3), route("GET", "docks."+at, 4), route("GET", "/feeds/"+at+".xml", 5)})
	}
	for _, c := range []struct {
		name   string
		routes [][]source.Route
		want   []string
	}{
		{"few", [][]source.Route{boats}, []string{"a.go\n1\tcall()  (POST /boats)\n2\tcall()  (DELETE /boats/{id}/rope)\n3\tcall()  (GET /boats)\n```"}},
		{"many", [][]source.Route{boats, many}, []string{"b.go\n1\tGET /quays/…  (60 routes)\na.go\n3\tGET POST DELETE /boats/…\n```"}},
		{"too many", [][]source.Route{wide, boats}, []string{"a.go\n1\tGET /y\n2\tGET /yy\n", " more\n… 1 more file.\n```"}},
		{"many files", placed, []string{"GET /api/piers/…  (20 routes)\nGET /api/tides/…  (20 routes)\nPOST /api/x  (10 routes)\nPOST /api/xw  (10 routes)\n"}},
		{"files below one word", placed[:13], []string{"GET /api/piers/zzzzzzz  g.go\n"}},
		{"words for values", crew, []string{"GET /api/v1/{owner}/ships/…  (40 routes)\nPOST /api/v1/{owner}/tides/…  (40 routes)\nGET /{owner}/ropes/…  (40 routes)\nGET /{owner}/knots/…"}},
		{"called as procedures, before pages", called, []string{"POST /api/ships.…  (40 routes)\nGET /docks.…  (40 routes)\nGET /feeds/…  (40 routes)\n/pages/…  (80 routes)\n"}},
		{"below what is not known", [][]source.Route{grouped}, []string{"a.go\n1\tGET /…/knots/…  (30 routes)\n31\tGET /…/ropes/…  (30 routes)\n```"}},
		{"none", [][]source.Route{nil}, nil},
	} {
		r := &Repository{Counter: &tokens.Counter{}, Tokens: 8_000, Read: func(int) Content { return Content{Text: strings.Repeat("call()\n", 300)} }}
		for n := range c.routes {
			r.Members = append(r.Members, Member{Path: string(rune('a'+n)) + ".go", Size: 10})
		}
		r.Surface = func(i int) source.Surface { return source.Surface{Routes: c.routes[i]} }
		_, got, found := strings.Cut(strings.Join(r.Document(), ""), "## What it answers\n\n### Routes\n\n")
		got, _, _ = strings.Cut(got, "\n\n")
		if found != (c.want != nil) {
			t.Errorf("%s: the chapter stands there: %v", c.name, found)
		}
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s:\n%s\nwant\n%s", c.name, got, want)
			}
		}
		if n := r.Counter.Count([]byte(got)); n > layers[0]/routesPart+20 {
			t.Errorf("%s: %d tokens", c.name, n)
		}
	}
}
