package brief

import (
	"fmt"
	"testing"

	"github.com/haversack-dev/haversack/internal/source"
)

// Routes begin with what their routers are mounted below in other files, one below another; with nothing more where that cannot be decided.
func TestMounted(t *testing.T) {
	var members []int
	var found []source.Surface
	w := &shelves{Repository: &Repository{}}
	add := func(path string, users []string, on []string, mounts ...source.Mount) {
		s := source.Surface{Mounts: mounts, RoutedOn: on}
		for n := range on {
			s.Routes = append(s.Routes, source.Route{Path: fmt.Sprint("/", n)})
		}
		members, found = append(members, len(members)), append(found, s)
		w.Members = append(w.Members, Member{Path: path, Users: users})
	}
	mount := func(prefix, module, router, on string) source.Mount {
		return source.Mount{Prefix: prefix, Module: module, Router: router, On: on}
	}
	add("app/main.py", nil, nil, mount("/api", "app.v1.api", "router", "app"), source.Mount{Unknown: true, Module: ".lost", Router: "router", On: "app"})
	add("app/v1/api.py", []string{"app/main.py"}, []string{"router"}, mount("/ships", ".ships", "router", "router"), mount("/a", ".twice", "router", "router"), mount("/b", ".twice", "router", "router"), mount("/gone", ".gone", "router", "router"))
	add("app/v1/ships.py", []string{"app/v1/api.py"}, []string{"router", "other"})
	add("app/v1/twice.py", []string{"app/v1/api.py"}, []string{"router"})
	add("app/v1/gone.py", nil, []string{"router"}) // no import is known
	add("app/lost.py", []string{"app/main.py"}, []string{"router"})
	add("site/urls.py", nil, nil, source.Mount{Prefix: "crew/", Module: "crew.urls", Said: true}, source.Mount{Prefix: "hulls/", Module: "hulls.urls", Said: true})
	add("src/crew/urls.py", nil, []string{""})
	add("a/hulls/urls.py", nil, []string{""})
	add("b/hulls/urls.py", nil, []string{""}) // which of them is meant is not known
	add("src/app.ts", nil, nil, mount("/tide", "./routes", "", "-"), mount("/x", "express", "", "-"))
	add("src/routes/index.ts", []string{"src/app.ts"}, []string{"", "-"}, mount("/low", "./low.js", "low", ""))
	add("src/routes/low.ts", []string{"src/routes/index.ts"}, []string{"low", ""})
	add("src/ring.ts", []string{"src/ring.ts"}, []string{""}, mount("/ring", "./ring", "", ""))
	add("srv/app.ts", nil, nil, source.Mount{Folder: "routes", On: "-"})
	add("srv/routes/crew/_id/index.ts", nil, []string{""})
	add("srv/routes/root.ts", nil, []string{"", "-"})
	add("srv/routesof/x.ts", nil, []string{""})
	add("go/cmd/main.go", nil, nil, mount("/api/ships", "quay/go/ships", "Register", "main"), mount("/api", "", "local", "main"),
		source.Mount{Prefix: "/crew", Router: "crew.Routes", Said: true, On: "main"}, source.Mount{Prefix: "/twice", Router: "x.Twice", Said: true, On: "main"})
	add("go/cmd/local.go", nil, []string{"local", "main"})
	add("go/ships/a.go", nil, []string{"inner"})
	add("go/ships/b.go", nil, []string{"Register"}, mount("/in", "", "inner", "Register"))
	add("go/crew/crew.go", nil, []string{"Crew.Routes", "Dock.Twice"})
	add("go/tide/tide.go", nil, []string{"Tide.Routes", "Tide.Twice"})
	w.mounted(members, found)
	got := ""
	for n, s := range found {
		for _, r := range s.Routes {
			got += fmt.Sprintln(w.Members[n].Path, r.Path)
		}
	}
	const want = `app/v1/api.py /api/0
app/v1/ships.py /api/ships/0
app/v1/ships.py /1
app/v1/twice.py /0
app/v1/gone.py /0
app/lost.py /0
src/crew/urls.py crew/0
a/hulls/urls.py /0
b/hulls/urls.py /0
src/routes/index.ts /tide/0
src/routes/index.ts /1
src/routes/low.ts /tide/low/0
src/routes/low.ts /1
src/ring.ts /0
srv/routes/crew/_id/index.ts /crew/:id/0
srv/routes/root.ts /0
srv/routes/root.ts /1
srv/routesof/x.ts /0
go/cmd/local.go /api/0
go/cmd/local.go /1
go/ships/a.go /api/ships/in/0
go/ships/b.go /api/ships/0
go/crew/crew.go /crew/0
go/crew/crew.go /1
go/tide/tide.go /0
go/tide/tide.go /1
`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// What most routes are below tells none from another, and stands before a word more.
func TestShared(t *testing.T) {
	var list []routed
	for _, name := range []string{"GET /api/admin/ships", "POST /api/admin/ships/{id}", "GET /admin/crew", "/{tide}/admin"} {
		list = append(list, routed{name: name})
	}
	got := shared(list)
	for _, r := range folded(list, 1, got) {
		got += " " + r.said()
	}
	if want := "admin GET POST /api/admin/ships/… GET /admin/crew /{tide}/admin"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
