package source

import (
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/text"
)

// FuzzSurfaceOf reads any bytes as a file of each language that has a surface: what it finds stands in the text.
func FuzzSurfaceOf(f *testing.F) {
	for _, s := range []string{"urlpatterns = [re_path(r'^a/', include([path('b/', v.x), *r.urls]))]\nr.register('c', V)\n", "app.use('/a', require('./b'))\nsocket.on('c', d)\n", "create_table :a\nget 'b', to: 'c#d'\n",
		"CREATE TABLE a (b int);\n", "process.env.A\n", "@sio.on('a')\n", "#[tauri::command]\nfn a() {}\n", "scope \"/a\" do\n  get \"/b\", C, :d\nend\n", "path(\"a\", include([[", "path('a', include(([]", "model A {"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		lines := 1 + strings.Count(string(b), "\n")
		for _, name := range []string{"a/urls.py", "a.js", "a.ts", "a.rb", "config/routes.rb", "a.ex", "a.go", "A.java", "A.kt", "A.cs", "a.rs", "a.php", "a.sql", "a.prisma"} {
			file := &scan.File{Encoding: text.UTF8}
			file.Path = name
			file.Type, file.Category = scan.Classify(name)
			s := SurfaceOf(file, b)
			at := []int{}
			for _, list := range [][]NameLine{s.Messages, s.Tables, s.Variables} {
				for _, one := range list {
					at = append(at, one.Line)
				}
			}
			for _, r := range s.Routes {
				at = append(at, r.Line)
			}
			for _, c := range s.Commands {
				at = append(at, c.Line)
			}
			for _, line := range at {
				if line < 1 || line > lines {
					t.Fatalf("%s: line %d of %d", name, line, lines)
				}
			}
		}
	})
}
