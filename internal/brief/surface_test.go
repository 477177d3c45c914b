package brief

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/source"
	"github.com/haversack-dev/haversack/internal/tokens"
)

// Programs stand by file, with the line where they begin; scripts that lie many together are none.
func TestPrograms(t *testing.T) {
	r := &Repository{Counter: &tokens.Counter{}, Tokens: 32_000, Read: func(int) Content { return Content{Text: "begins();\n  begins();\nbegins(); \n"} }}
	var begins []source.Beginning
	add := func(name string, script bool) {
		r.Members = append(r.Members, Member{Path: name, Size: 10})
		begins = append(begins, source.Beginning{Line: len(begins) + 1, Script: script})
	}
	add("src/Quay.Web/Program.cs", false)
	add("src/Keel.java", false)
	add("quay.sh", true)
	for n := range crowd + 1 {
		add(fmt.Sprintf("parts/part%d.sh", n), true)
	}
	r.Surface = func(i int) source.Surface { return source.Surface{Begins: begins[i]} }
	_, got, _ := strings.Cut(strings.Join(r.Document(), ""), "### Programs, and where they begin\n\n")
	got, _, _ = strings.Cut(got, "\n\n")
	const want = "```\nquay.sh\n3\tbegins();\nsrc/Keel.java\n2\tbegins();\nsrc/Quay.Web/Program.cs\n1\tbegins();\n```"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// Environment variables stand before the definitions, those of configuration too, in the smallest of documents.
func TestVariablesFirst(t *testing.T) {
	r := &Repository{Counter: &tokens.Counter{}, Tokens: 4_000, Members: []Member{{Path: "quay.config.ts", Size: 10, Role: Configuration}, {Path: "src/quay.ts", Size: 10}}}
	r.Read = func(i int) Content {
		return Content{Text: "export const a = process.env.QUAY\n", Definitions: []Definition{{Line: 1, From: 1, End: 1, Name: "a", Exported: true}}}
	}
	r.Surface = func(i int) source.Surface {
		return source.Surface{Variables: []source.NameLine{{Name: []string{"PIER", "QUAY"}[i], Line: 1}}}
	}
	_, got, _ := strings.Cut(strings.Join(r.Document(), ""), "## What it reads of its environment\n")
	got, _, _ = strings.Cut(got, "\n## ")
	for _, want := range []string{"quay.config.ts\n1\texport const a = process.env.QUAY  (PIER)\n", "src/quay.ts\n1\texport const a = process.env.QUAY\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q does not hold %q", got, want)
		}
	}
	if strings.Contains(strings.Join(r.Document(), ""), "What it offers") {
		t.Error("what it offers stands in a document of 4,000 tokens")
	}
}

// A name of the surface stands by the line where it is found, as it stands there, behind which stands what it does not say.
func TestSurfaceLines(t *testing.T) {
	lines := strings.Split("url = getenv(\"QUAY_URL\")\n@group.command()\nmux.HandleFunc(\"GET /ships\", ships)\nrouter.get('/', all)\n", "\n")
	for _, one := range []struct {
		name, by   string
		line, more int
		want       string
	}{
		{"QUAY_URL", "", 1, 2, "1\turl = getenv(\"QUAY_URL\")  (+2 elsewhere)\n"},
		{"key add", "", 2, 0, "2\t@group.command()  (key add)\n"},
		{"GET /ships", "ships", 3, 0, "3\tmux.HandleFunc(\"GET /ships\", ships)\n"},
		{"GET /keels", "keels", 4, 0, "4\trouter.get('/', all)  (GET /keels, keels)\n"},
		{"GONE", "", 9, 0, "9\t  (GONE)\n"},
		{"a.sh", "", 2, 0, "2\t@group.command()\n"},
	} {
		r := &register{}
		for n := range one.more + 1 {
			r.add(one.name, surfacePlace{n, one.line, one.by})
		}
		got := r.line(one.name, "a.sh", lines)
		if got != one.want {
			t.Errorf("%s: %q, want %q", one.name, got, one.want)
		}
		if one.more > 0 && withoutMore(got) != withoutMore(strings.Replace(got, "+2", "+1", 1)) {
			t.Errorf("%q is another line with another count", got)
		}
	}
}

// Of several lines that read a variable that one says most which gives it a name, or a value by default.
func TestSaysOf(t *testing.T) {
	lines := []string{
		"  if (process.env.TIDE) {",
		"  log(process.env.TIDE)",
		"const tide = Boolean(process.env.TIDE);",
		"const tide = process.env.TIDE || 'low'",
		"    Time.zone = ENV['TIDE'].presence || 'low'",
		`	tide: os.Getenv("TIDE"),`,
		"if tide := os.Getenv(\"TIDE\"); tide != \"\" {",
	}
	for n, want := range []int{0, 1, 2, 3, 3, 3, 0} {
		if got := saysOf(lines[n], "TIDE"); got != want {
			t.Errorf("%s: %d, want %d", lines[n], got, want)
		}
	}
	w := &shelves{Repository: &Repository{Read: func(i int) Content { return Content{Text: lines[i]} }}}
	places := []surfacePlace{{0, 1, ""}, {1, 1, ""}, {2, 1, ""}, {1, 9, ""}}
	w.bringForward(places, "TIDE", map[int][]string{})
	if want := []surfacePlace{{2, 1, ""}, {0, 1, ""}, {1, 1, ""}, {1, 9, ""}}; !slices.Equal(places, want) {
		t.Errorf("%v, want %v", places, want)
	}
}

// Tables stand before the definitions as the file has them that names most; steps that made them say nothing where another file names them.
func TestTables(t *testing.T) {
	texts := []string{"create_table \"ropes\" do |t|\n", "self.table_name = 'piers'\n", "create_table \"ships\", force: :cascade do |t|\ncreate_table \"ropes\", id: false do |t|\n", "create_table :gone, id: :x do |t|\n"}
	r := &Repository{Counter: &tokens.Counter{}, Tokens: 4_000, Members: []Member{{Path: "db/migrate/20240131_ropes.rb", Size: 10}, {Path: "app/pier.rb", Size: 10}, {Path: "db/schema.rb", Size: 10}, {Path: "db/old_migrations/20230131_gone.rb", Size: 10}}}
	r.Read = func(i int) Content { return Content{Text: texts[i]} }
	r.Surface = func(i int) source.Surface {
		return source.Surface{Tables: [][]source.NameLine{{{Name: "ropes", Line: 1}}, {{Name: "piers", Line: 1}}, {{Name: "ships", Line: 1}, {Name: "ropes", Line: 2}}, {{Name: "gone", Line: 1}}}[i]}
	}
	_, got, _ := strings.Cut(strings.Join(r.Document(), ""), "## What it keeps\n\n### Tables\n\n```\n")
	got, _, _ = strings.Cut(got, "```")
	want := "db/schema.rb\n1\tcreate_table \"ships\"\n2\tcreate_table \"ropes\"\napp/pier.rb\n1\tself.table_name = 'piers'\ndb/old_migrations/20230131_gone.rb\n1\tcreate_table :gone\n"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// Messages stand behind the routes, in their order, up to their names.
func TestMessages(t *testing.T) {
	r := &Repository{Counter: &tokens.Counter{}, Tokens: 4_000, Members: []Member{{Path: "server.js", Size: 10}}}
	r.Read = func(int) Content {
		return Content{Text: "app.get(\"/\", home)\nsocket.on(\"moor\", (ship) => {\nsocket.on('cast', x)\n"}
	}
	r.Surface = func(int) source.Surface {
		return source.Surface{Routes: []source.Route{{Method: "GET", Path: "/", Line: 1}}, Messages: []source.NameLine{{Name: "moor", Line: 2}, {Name: "cast", Line: 3}}}
	}
	_, got, _ := strings.Cut(strings.Join(r.Document(), ""), "## What it answers\n\n")
	want := "### Routes\n\n```\nserver.js\n1\tapp.get(\"/\", home)\n```\n\n### Messages\n\n```\nserver.js\n2\tsocket.on(\"moor\"\n3\tsocket.on('cast'\n```\n"
	if !strings.HasPrefix(got, want) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// What a later step of the same folder drops, or renames, is kept no more; what makes it again, is another history, or takes a step back does
// not count.
func TestDroppedTables(t *testing.T) {
	steps := []struct {
		path          string
		made, dropped []source.NameLine
	}{
		{"db/migrations/0001_a/up.sql", []source.NameLine{{Name: "ropes", Line: 1}, {Name: "piers", Line: 2}, {Name: "ships", Line: 3}}, nil},
		{"db/migrations/0002_b/up.sql", []source.NameLine{{Name: "new_ships", Line: 1}, {Name: "ships", Line: 3}}, []source.NameLine{{Name: "ropes", Line: 4}, {Name: "ships", Line: 2}, {Name: "new_ships", Line: 3}}},
		{"db/migrations/0003_c/down.sql", nil, []source.NameLine{{Name: "piers", Line: 1}}},
		{"other/migrations/0009_d.sql", nil, []source.NameLine{{Name: "piers", Line: 1}}},
	}
	w := &shelves{Repository: &Repository{}}
	made, dropped := &register{}, map[string][]surfacePlace{}
	for n, step := range steps {
		w.Members = append(w.Members, Member{Path: step.path})
		for _, one := range step.made {
			made.add(one.Name, surfacePlace{n, one.Line, ""})
		}
		for _, one := range step.dropped {
			dropped[one.Name] = append(dropped[one.Name], surfacePlace{n, one.Line, ""})
		}
	}
	w.dropTables(made, dropped)
	if want := []string{"piers", "ships"}; !slices.Equal(made.names, want) {
		t.Errorf("%q, want %q", made.names, want)
	}
}

// What takes a step back makes tables as they were: it tells none, and no place of one that another file makes.
func TestTablesTakenBack(t *testing.T) {
	w := &shelves{Repository: &Repository{Members: []Member{{Path: "db/migrations/V2.fix.down.sql"}, {Path: "db/migrations/V1.first.up.sql"}}}}
	made := &register{}
	for _, one := range []struct {
		name string
		at   surfacePlace
	}{{"ropes_bkp", surfacePlace{0, 1, ""}}, {"ropes", surfacePlace{0, 2, ""}}, {"piers", surfacePlace{0, 3, ""}}, {"ropes", surfacePlace{1, 1, ""}}} {
		made.add(one.name, one.at)
	}
	w.arrangeTables(made)
	if want := []string{"ropes"}; !slices.Equal(made.names, want) || len(made.places["ropes"]) != 1 || made.places["ropes"][0].member != 1 {
		t.Errorf("%q at %v, want %q of the first step", made.names, made.places, want)
	}
}

// A line is told up to the name of its table, not up to letters of it in another word.
func TestUpToName(t *testing.T) {
	for _, c := range []struct{ line, name, want string }{
		{"conn.execute(\"CREATE TABLE t (a)\")", "t", "conn.execute(\"CREATE TABLE t"},
		{"create_table \"ships\", force: :cascade do |t|", "ships", "create_table \"ships\""},
		{"create table new_table", "table", "create table"},
		{"db.create(", "ships", "db.create("},
		{"x", "", "x"},
	} {
		if got := upToName(c.line, c.name); got != c.want {
			t.Errorf("%q up to %q: %q, want %q", c.line, c.name, got, c.want)
		}
	}
}
