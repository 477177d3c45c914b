package views

import (
	"path"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/names"
	"github.com/haversack-dev/haversack/internal/tree"
)

// FuzzTemplate reads any text as each kind of template, and as a program that names some: nothing panics, and what is found leads to
// files that are there.
func FuzzTemplate(f *testing.F) {
	f.Add("<% render 'b' %><%# x %><%= render partial: \"b\", locals: {} %>\n= render layout: :b\n%p= render 'b'\np == render 'b'")
	f.Add("{% extends \"b.html\" %}{% include [\"b.html\", 'c.html'] %}{% load b from c %}{% static 'b.js' %}{% form_theme f 'b.html' %}{{ include('b.html') }}{% include b.html %}")
	f.Add("{{> b}}{{#> \"b\"}}{{define \"b\"}}{{template \"b\" .}}{{partial \"b.html\" .}}<script src='/b.js?x'></script><div th:replace=\"~{b :: c}\">")
	f.Add("@include('b.c') @each(\"b\") <x-b.c /> <%- include('b') %>\nextends b\nGET /b a.B.c(x)\n-> /c a.Routes\nview('b') view: 'b.c', Route::view('/x', 'b')")
	f.Add("class A\n layout 'b'\n def b\n render :b, layout: 'x',\n partial: 'c'\nend\nreturn \"b\"; new ModelAndView(\"b/c\") Controller")
	places := []string{"a.erb", "a.haml", "a.hbs", "a.ejs", "a.pug", "a.html", "conf/routes", "views/b.html", "views/_b.html.erb", "views/b.blade.php", "views/components/b/c.blade.php", "static/b.js", "templatetags/b.py", "app/views/b/b.html.erb", "templates/b/c.html", "a/B.java", "conf/a.routes"}
	var list []graph.SourceFile
	there := map[string]bool{}
	for _, p := range places {
		list, there[p] = append(list, graph.SourceFile{File: tree.File{Path: p}}), true
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 5_000 {
			return
		}
		x := NewIndex(list)
		for _, from := range append(places, "app/controllers/b_controller.rb", "a.rb", "app/b_component.rb", "a.php", "a/A.java") {
			refs, defines := Template(from, []byte(text))
			for _, d := range defines {
				x.Define(d, places[0])
			}
			s := &names.Source{Path: from, As: from, Text: []byte(text), Tokens: declaration.Tokens(nil, from, []byte(text))}
			switch path.Ext(from) {
			case ".rb":
				refs = Ruby(s)
			case ".php":
				refs = PHP(s)
			case ".java":
				refs = JVM(s)
			}
			for _, r := range refs {
				for _, to := range x.Lead(from, r).Paths {
					if !there[to] {
						t.Errorf("%s: %q of %c leads to %s", from, r.Name, r.How, to)
					}
				}
			}
		}
	})
}

// TestWorst reads what ends nowhere, a million times.
func TestWorst(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	for _, name := range []string{"a.html", "a.erb", "a.haml", "a.hbs", "a.ejs", "a.pug", "conf/routes"} {
		for _, s := range []string{"{% include \"a.html\" %}{% load a", "{#", "<script src=", "{{> a {{template \"a\"", "{% include [", "<% render 'a'", "= render partial: 'a'\n", "include a\n", "<!--", "{% ", "GET /b a.B.c(x)\n", "th:replace=\"", "<x-a"} {
			if list, _ := Template(name, []byte(strings.Repeat(s, 1_000_000/len(s)))); len(list) > maxReferences {
				t.Errorf("%s %q: %d references", name, s, len(list))
			}
		}
	}
}
