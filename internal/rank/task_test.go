package rank

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/tree"
)

// A repository in which what a task names is one file each.
func taskFiles() []tree.File {
	texts := map[string]string{
		"src/app/models.py":                     "class Order:\n    def total_price(self):\n        return sum(self.lines)\n",
		"src/app/views.py":                      "def show_order(request, order):\n    return render(request, order)\n",
		"src/app/db/query.py":                   "class QuerySet:\n    def filter_rows(self):\n        pass\n",
		"src/app/db/__init__.py":                "",
		"src/app/mail.py":                       "def send_receipt(order):\n    raise ReceiptError('the receipt has no recipient')\n",
		"src/app/util/strings.py":               "def cut_words(text):\n    return text.split()\n",
		"lib/retry.go":                          "package lib\n\n// Retry does it again.\nfunc Retry(f func() error) error {\n\treturn f()\n}\n",
		"web/ui/button.ts":                      "export class Button {\n  render() {}\n}\n",
		"web/ui/index.ts":                       "export * from './button'\n",
		"tests/test_models.py":                  "def test_total_price():\n    assert Order([]).total_price() == 0\n",
		"docs/receipts.md":                      "# Receipts\n\nA receipt is sent to the recipient of an order.\n",
		"core/src/main/java/org/shop/Till.java": "package org.shop;\n\npublic class Till {\n  int count(Drawer d) {\n    return d.coins();\n  }\n}\n",
		"Shop/Ledger.cs":                        "namespace Shop {\n  class Ledger {\n    void Post(int amount) {\n      lines.Add(amount);\n    }\n  }\n}\n",
		"crates/scale/src/weigh.rs":             "pub fn weigh(load: u32) -> u32 {\n    load.checked_mul(3).unwrap()\n}\n",
		"config/settings/defaults.yml":          "retries: 3\n",
		"package.json":                          "{\"dependencies\": {\"acme\": \"^3.1.0\"}}\n",
		"src/app/migrations/0013_order_tax.py":  "operations = []\n",
		"src/bill/migrations/0013_order_tax.py": "operations = []\n",
		"src/app/acme/upgrade.py":               "import acme\n\ndef upgrade():\n    acme.upgrade()\n",
	}
	var files []tree.File
	for name, text := range texts {
		files = append(files, tree.Bytes(name, []byte(text)))
	}
	return files
}

// What a task names stands first, whatever way it is named.
func TestForTask(t *testing.T) {
	for _, c := range []struct{ task, first, frame string }{
		{"the total is wrong in src/app/models.py", "src/app/models.py", "src/app/models.py:0"},
		{"Traceback (most recent call last):\n  File \"/home/ci/build/src/app/db/query.py\", line 2, in filter_rows\n    pass\n", "src/app/db/query.py", "src/app/db/query.py:2"},
		{"panic: nil\n\ngoroutine 1 [running]:\nmain.main()\n\t/root/go/src/example.com/x/lib/retry.go:5 +0x1d\n", "lib/retry.go", "lib/retry.go:5"},
		{"TypeError: x is undefined\n    at Button.render (webpack:///./web/ui/button.ts:2:3)\n", "web/ui/button.ts", "web/ui/button.ts:2"},
		{"app.db.query.QuerySet loses rows", "src/app/db/query.py", ""},
		{"`cut_words` returns an empty list", "src/app/util/strings.py", ""},
		{"ReceiptError: the receipt has no recipient", "src/app/mail.py", ""},
		{"QuerySet.filter_rows should be lazy", "src/app/db/query.py", ""},
		{"C:\\work\\web\\ui\\button.ts(2,3): error TS2322", "web/ui/button.ts", "web/ui/button.ts:2"},
		{"java.lang.NullPointerException\n\tat org.shop.Till.count(Till.java:5)\n\tat org.shop.Main.main(Main.java:9)\n", "core/src/main/java/org/shop/Till.java", "core/src/main/java/org/shop/Till.java:5"},
		{"java.lang.NullPointerException\n\tat org.other.Till.count(Till.java:5)\n\tat org.shop.Till$Drawer.sum(Till.java:6)\n", "core/src/main/java/org/shop/Till.java", "core/src/main/java/org/shop/Till.java:6"},
		{"System.NullReferenceException\n   at Shop.Ledger.Post(Int32 amount) in C:\\src\\Shop\\Ledger.cs:line 4\n", "Shop/Ledger.cs", "Shop/Ledger.cs:4"},
		{"thread 'main' panicked at crates/scale/src/weigh.rs:2:27:\ncalled `Option::unwrap()`", "crates/scale/src/weigh.rs", "crates/scale/src/weigh.rs:2"},
		{"Traceback (most recent call last):\n  File \"src/app/views.py\", line 2, in show_order\n  File \"src/app/models.py\", line 3, in total_price\n", "src/app/models.py", "src/app/views.py:2"},
		{"weighing fails", "crates/scale/src/weigh.rs", ""},
		{"2026-11-29T10:44:01.1234567Z java.lang.NullPointerException\n2026-11-29T10:44:01.1234567Z \tat org.shop.Till.count(Till.java:5)\n", "core/src/main/java/org/shop/Till.java", "core/src/main/java/org/shop/Till.java:5"},
		{"An example in docs/receipts.md is wrong", "docs/receipts.md", "docs/receipts.md:0"},
		{"upgrade Acme to v4", "package.json", ""},
		{"Bump acme from 3.1.0 to 4", "package.json", ""},
		{"migrate fails:\n  Applying bill.0013_order_tax...django.db.utils.ProgrammingError: no such column\n", "src/bill/migrations/0013_order_tax.py", "src/bill/migrations/0013_order_tax.py:0"},
		{"see https://example.com/blob/main/src/app/views.py#L1", "src/app/views.py", "src/app/views.py:1"},
	} {
		o, err := ForTask(context.Background(), Task{Text: []byte(c.task), Files: taskFiles(), IsManifest: func(name string) bool { return name == "package.json" }})
		if err != nil {
			t.Fatal(err)
		}
		if got := o.Files[0].Path; got != c.first {
			t.Errorf("%q: %s is first, want %s: %v", c.task, got, c.first, o.Why(got))
		}
		frame := ""
		if list := o.Frames(); len(list) > 0 {
			frame = fmt.Sprintf("%s:%d", list[0].Path, list[0].Line)
		}
		if frame != c.frame {
			t.Errorf("%q: frame %q, want %q", c.task, frame, c.frame)
		}
		for _, f := range o.Files {
			sum := int64(0)
			for _, p := range o.Why(f.Path) {
				sum += p.Amount
			}
			if sum != f.Score {
				t.Errorf("%q: %s scores %d, its reasons %d", c.task, f.Path, f.Score, sum)
			}
		}
	}
}

// TestUnclear: a line of a file whose name several have is that of the one which the frame's folders or package tell, and of none where they do not.
func TestUnclear(t *testing.T) {
	var files []tree.File
	for _, name := range []string{"core/src/main/kotlin/tide/Chart.kt", "core/src/main/kotlin/wind/Chart.kt", "a/lib/log.py", "b/lib/log.py", "a/sea/map.py", "b/sky/map.py",
		"one/names.rb", "two/names.rb", "three/names.rb"} {
		files = append(files, tree.Bytes(name, []byte("x = 1\ny = 2\n")))
	}
	for task, want := range map[string]string{
		"java.lang.Error\n\tat org.quay.wind.ChartKt.draw(Chart.kt:2)\n": "core/src/main/kotlin/wind/Chart.kt:2",
		"java.lang.Error\n\tat org.quay.rain.ChartKt.draw(Chart.kt:2)\n": "Chart.kt:2 of 2",
		"  File \"/home/ci/b/lib/log.py\", line 2, in write\n":           "b/lib/log.py:2",
		"  File \"/usr/lib/log.py\", line 2, in write\n":                 "log.py:2 of 2",
		"  File \"/home/ci/sky/map.py\", line 1, in f\n":                 "b/sky/map.py:1",
		"names.rb:1:in `each'": "names.rb:1 of 3",
		"names.rb:1:in `each'\nnames.rb:1:in `each'\ntwo/names.rb:2:in `a'\n": "two/names.rb:2, names.rb:1 of 3",
	} {
		o, err := ForTask(context.Background(), Task{Text: []byte(task), Files: files})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range o.Frames() {
			if f.OneOf == 0 {
				got = append(got, fmt.Sprintf("%s:%d", f.Path, f.Line))
			}
		}
		for _, f := range o.Unclear() {
			got = append(got, fmt.Sprintf("%s:%d of %d", f.Path, f.Line, f.OneOf))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q: %s, want %s", task, strings.Join(got, ", "), want)
		}
	}
}

// People's talk alone says nothing of a repository; one word of it does.
func TestTaskSays(t *testing.T) {
	for task, want := range map[string]bool{
		"Hello, it doesn't work, please help!!": false,
		"😀 🎉 ☂":                                 false,
		"не работает, помогите":                 false,
		"the receipt, please":                   true,
		"nothing in button.ts":                  true,
		"`Order`":                               true,
	} {
		o, err := ForTask(context.Background(), Task{Text: []byte(task), Files: taskFiles()})
		if err != nil {
			t.Fatal(err)
		}
		if o.Says() != want {
			t.Errorf("%q: says %v, want %v", task, o.Says(), want)
		}
	}
}

// Of a file that imports what it uses, the use is needed more than the import; what tells all changes is an aside.
func TestTaskNeeds(t *testing.T) {
	files := append(taskFiles(), tree.Bytes("CHANGELOG.md", []byte("# Changes\n\nA receipt has a recipient.\n")))
	o, err := ForTask(context.Background(), Task{Text: []byte("receipts: the recipient of a receipt is lost in send_receipt"), Files: files})
	if err != nil {
		t.Fatal(err)
	}
	needs := o.TaskNeeds([]FilePassages{{Path: "src/app/mail.py", Passages: func() []Passage {
		return []Passage{{Text: []byte("from app.receipt import recipient, send_receipt\n")}, {Text: []byte("recipient = send_receipt(receipt)\n")}}
	}}})
	if needs[0][0] >= needs[0][1] {
		t.Errorf("an import is needed %d, its use %d", needs[0][0], needs[0][1])
	}
	for _, p := range o.Why("CHANGELOG.md") {
		if p.Signal == Role && p.Amount >= 0 {
			t.Errorf("a list of changes is no aside: %v", p)
		}
	}
	if o.Files[0].Path != "src/app/mail.py" {
		t.Errorf("%s is first", o.Files[0].Path)
	}
}

// What a task names as a member of its type is needed more than a member of another that is called so, however the two are joined.
func TestMembers(t *testing.T) {
	for _, joined := range []string{"QuerySet::update", "QuerySet.update()", "QuerySet->update", "QuerySet#update"} {
		o, err := ForTask(context.Background(), Task{Text: []byte("On a switch " + joined + " loses rows"), Files: taskFiles()})
		if err != nil {
			t.Fatal(err)
		}
		list := o.TaskNeeds([]FilePassages{{Path: "src/app/db/query.py", Passages: func() []Passage {
			text := []byte("    def update(self):\n        pass\n")
			return []Passage{{Text: text, Defines: "Cursor.update"}, {Text: text, Defines: "db.QuerySet.update"}, {Text: text, Defines: "update"}}
		}}})
		if needs := list[0]; needs[1] < needs[0]+ofTaskMember*unit/1000 || needs[1] < needs[2]+ofTaskMember*unit/1000 {
			t.Errorf("%s: %v", joined, needs)
		}
	}
}

// A step from a database's schema to the next is told as an aside: it says the words of all that ever had them.
func TestSchemaStep(t *testing.T) {
	for name, want := range map[string]bool{
		"shop/migrations/0013_expire_at.py": true, "db/migrate/20240131120000_add_ships.rb": true, "src/main/resources/db/migration/V3__ships.sql": true,
		"priv/repo/migrations/20240101_a.exs": true, "alembic/versions/2024-01-02-0a1b2c3d4e5f_ships.py": true, "alembic/versions/0a1b2c3d4e5f_ships.py": true,
		"prisma/migrations/20240131120000_init/migration.sql": true,
		"shop/migrations/__init__.py":                         false, "django/db/migrations/executor.py": false, "src/migrate/007.go": true, "lib/v2_client.py": false, "app/2024_ships.py": false,
	} {
		if got := IsChronicle(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// What is asked beside a change speaks for files of which the change says nothing, and less than the change.
func TestBeside(t *testing.T) {
	patch := "@@ -1 +1 @@\n-    return render(request, orders)\n+    return render(request, order)\n+    show_order(request, order)\n"
	in := Input{Changes: []Change{{Path: "src/app/views.py", Patch: []byte(patch)}}, Files: taskFiles()}
	score := func(words, name string) int64 {
		in.Words = []byte(words)
		o, err := Files(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range o.Files {
			if f.Path == name {
				return f.Score
			}
		}
		return 0
	}
	const far, near = "src/app/util/strings.py", "src/app/mail.py"
	if with, without := score("`cut_words` is wrong", far), score("", far); with <= without {
		t.Errorf("%s: %d with words, %d without", far, with, without)
	}
	if a, b := score("render", far), score("", far); a != b {
		t.Errorf("words of the patch count again: %d and %d", a, b)
	}
	if a, b := score("please, it doesn't work", near), score("", near); a != b {
		t.Errorf("people's talk counts: %d and %d", a, b)
	}
}

// Reasons name the words of the task that led to a file.
func TestTaskReasons(t *testing.T) {
	o, err := ForTask(context.Background(), Task{Text: []byte("sending receipts fails with ReceiptError: the receipt has no recipient"), Files: taskFiles()})
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, p := range o.Why("src/app/mail.py") {
		told = append(told, p.Reason)
	}
	all := strings.Join(told, "\n")
	for _, want := range []string{"the task's words: receipt", "ReceiptError (line 2)", `says "ReceiptError the receipt"`} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not told: %s", want, all)
		}
	}
}

// What an example calls by a name that the task says is the example's own: it says nothing for it, as a definition.
func TestExamplesDefineNothing(t *testing.T) {
	files := []tree.File{
		tree.Bytes("examples/plot_anova.py", []byte("anova_pipe = make_line(1)\nanova_pipe.fit()\n")),
		tree.Bytes("lib/line.py", []byte("def make_line(n):\n    return Line(n)\n")),
		tree.Bytes("lib/anova.py", []byte("anova_pipe = None\n")),
	}
	o, err := ForTask(context.Background(), Task{Text: []byte("anova_pipe[1:] fails with a TypeError"), Files: files})
	if err != nil {
		t.Fatal(err)
	}
	if why := fmt.Sprint(o.Why("examples/plot_anova.py")); strings.Contains(why, "defines anova_pipe") {
		t.Error(why)
	}
	if why := fmt.Sprint(o.Why("lib/anova.py")); !strings.Contains(why, "defines anova_pipe") {
		t.Error(why)
	}
}

// Forms of trackers say nothing: their comments, and where somebody saw it.
func TestWithoutTemplate(t *testing.T) {
	text := "Rows are lost\n<!-- Please\nread CONTRIBUTING.md -->\n### What happens\nnone is left\n### Versions\n```\n# numpy: 1.2\ndrawer 3\n```\n### More\nthe till\n**Your environment:**\nLinux\n"
	got := string(withoutTemplate([]byte(text)))
	for _, want := range []string{"Rows are lost", "none is left", "the till"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is lost: %q", want, got)
		}
	}
	for _, not := range []string{"CONTRIBUTING", "numpy", "drawer", "Linux"} {
		if strings.Contains(got, not) {
			t.Errorf("%q is left: %q", not, got)
		}
	}
	for text, want := range map[string]string{"fix(drawer): coins\n": "drawer coins\n", "docs!: coins": " coins", "Rows are lost\n<!-- Thank you!\nRead it.\n": "Rows are lost\n ", "drawer: coins": "drawer: coins", "a\nfix: b\n": "a\nfix: b\n"} {
		if got := string(withoutTemplate([]byte(text))); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
	for _, whole := range []string{"# Version of the cache\nis wrong\n", "### Versions\nonly this\n", "<!-- open\nx\n", "a <!-- opens\nwhat follows\n", "`<!-- off -->` is lost\n", "The page\n```html\n<!-- head -->\n```\n", "a\n## System tests fail\nb\n"} {
		if got := string(withoutTemplate([]byte(whole))); got != whole {
			t.Errorf("%q became %q", whole, got)
		}
	}
	if len(withoutTemplate([]byte("a"+strings.Repeat("<!-- a -->", 1<<16)))) != 1<<16+1 {
		t.Error("many comments are not one blank each")
	}
}

// What stands behind a stem does not matter, and no stem is a different word's.
func TestStems(t *testing.T) {
	find := newStems([]term{{word: "migrate", hash: hash("migrate")}, {word: "serializer", hash: hash("serializer")}, {word: "class", hash: hash("class")}})
	for word, want := range map[string]int32{"migrate": 0, "migrations": 0, "migrating": 0, "migrator": -1, "serialize": 1, "serialization": 1, "serializers": 1, "class": 2, "clas": -1, "serial": -1, "migr": -1, "mig": -1} {
		if got := find.find(hash(word)); got != want {
			t.Errorf("%s: %d, want %d", word, got, want)
		}
	}
}

// Whatever a task is, the order holds every file, and names no place that is not of the repository.
func TestTaskOfAnything(t *testing.T) {
	var many strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&many, "name_%d.part%d ", i, i%977)
	}
	for name, task := range map[string]string{
		"a log of 5 MB":           strings.Repeat("2026-01-02T03:04:05Z INFO worker=7 GET /api/v1/orders 200 src/none/at/all.py:3\n", 60_000),
		"100,000 identifiers":     many.String(),
		"paths that lead out":     "../../../etc/passwd:3 /etc/shadow ..\\..\\windows\\win.ini src/../../x/models.py:1 file:///root/.ssh/id_rsa",
		"a foreign stack":         "Traceback (most recent call last):\n  File \"/usr/lib/python3.11/asyncio/runners.py\", line 190, in run\n\tat java.base/java.lang.Thread.run(Thread.java:833)\n",
		"nothing":                 "",
		"blanks and marks alone":  " \t\r\n\u200b\ufeff\n",
		"binary":                  "\x7fELF\x02\x01\x01\x00" + strings.Repeat("\x00\xff\xfe\x80\x1b[31m", 4000),
		"signs of feeling alone":  strings.Repeat("😀🎉☂️👩‍💻", 5000),
		"another language":        strings.Repeat("Заказ не приходит, а склад молчит. 注文が届きません。 لا تصل الطلبات ", 2000),
		"paths that do not exist": strings.Repeat("src/nowhere/at_all.py lib/gone.rs:99999999999999999999 C:\\old\\thing.cs:line 7 ", 2000),
		"a stack of another machine": "thread 'main' panicked at /home/mill/.cargo/registry/src/quern-0.3/src/stone.rs:88:5:\n" +
			"goroutine 1 [running]:\nmain.grind(...)\n\t/builds/mill/grind.go:71 +0x1d\n   at Mill.Stone.Turn() in D:\\a\\1\\s\\Stone.cs:line 12\n",
		"signs without words":     strings.Repeat("./.././::((", 10_000),
		"one line without an end": strings.Repeat("x", 5<<20),
	} {
		files := taskFiles()
		o, err := ForTask(context.Background(), Task{Text: []byte(task), Files: files})
		if err != nil {
			t.Fatal(err)
		}
		if len(o.Files) != len(files) {
			t.Errorf("%s: %d files of %d", name, len(o.Files), len(files))
		}
		for _, f := range o.Frames() {
			if !slices.ContainsFunc(files, func(one tree.File) bool { return one.Path == f.Path }) {
				t.Errorf("%s: place %v", name, f)
			}
		}
		if (name == "a foreign stack" || name == "a stack of another machine" || name == "binary") && len(o.Frames()) > 0 {
			t.Errorf("%s: %v", name, o.Frames())
		}
	}
}

// A task may be anything: the order holds every file once, and is the same again.
func FuzzForTask(f *testing.F) {
	f.Add("src/app/models.py:3")
	f.Add(strings.Repeat("a.b/c ", 300))
	f.Add("\x00\xff\n\n...///:::")
	f.Add(`File "x/y.py", line 99999999999`)
	f.Fuzz(func(t *testing.T, task string) {
		one, err := ForTask(context.Background(), Task{Text: []byte(task), Files: taskFiles()})
		if err != nil {
			t.Fatal(err)
		}
		two, _ := ForTask(context.Background(), Task{Text: []byte(task), Files: taskFiles()})
		if len(one.Files) != len(taskFiles()) {
			t.Fatalf("%d files", len(one.Files))
		}
		for i := range one.Files {
			if one.Files[i] != two.Files[i] {
				t.Fatalf("place %d: %v and %v", i, one.Files[i], two.Files[i])
			}
		}
		for _, at := range one.Frames() {
			if at.Line < 0 {
				t.Fatalf("line %d", at.Line)
			}
		}
	})
}

// TestWithoutPackages: the packages of a stack are no words of a task, those that someone writes are.
func TestWithoutPackages(t *testing.T) {
	const text = "com.quay.Berth is slow\nException in thread \"main\" com.quay.rope.KnotException: org.quay.Tide is low\n\tat com.quay.rope.Knot$Loop.tie(Knot.java:5)\nCaused by: java.lang.IllegalStateException\n\tat java.base/java.util.List.of(List.java:1)\nimport org.quay.Tide\n"
	const want = "com.quay.Berth is slow\nException in thread \"main\" KnotException: org.quay.Tide is low\n\tat Knot$Loop.tie(Knot.java:5)\nCaused by: IllegalStateException\n\tat java.base/List.of(List.java:1)\nimport org.quay.Tide\n"
	said := withoutPackages([]byte(text))
	if got := regexp.MustCompile(` {2,}`).ReplaceAllString(string(said), " "); len(said) != len(text) || strings.ReplaceAll(strings.ReplaceAll(got, "at  ", "at "), "/ ", "/") != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A test says what a source says: its passage stands behind, unless the task names the file.
func TestTaskNeedsOfTests(t *testing.T) {
	const same = "def weigh_cargo(load):\n    return load.scale.weigh_cargo()\n"
	files := []tree.File{tree.Bytes("src/cargo.py", []byte(same)), tree.Bytes("tests/test_cargo.py", []byte(same)), tree.Bytes("src/other.py", []byte("def f():\n    pass\n"))}
	needs := func(task string) (source, test int64) {
		o, err := ForTask(context.Background(), Task{Text: []byte(task), Files: files})
		if err != nil {
			t.Fatal(err)
		}
		passages := func() []Passage { return []Passage{{Text: []byte(same), Defines: "weigh_cargo"}} }
		list := o.TaskNeeds([]FilePassages{{Path: "src/cargo.py", Passages: passages}, {Path: "tests/test_cargo.py", Passages: passages}})
		return list[0][0], list[1][0]
	}
	source, test := needs("weigh_cargo returns nothing")
	_, named := needs("weigh_cargo returns nothing in tests/test_cargo.py")
	if source-test < ofTaskTest*unit/1000 {
		t.Errorf("a test is needed as much as the source: %d, %d", test, source)
	}
	if named-test < ofTaskTest*unit/1000 {
		t.Errorf("a test that is named is needed as little as one that is not: %d, %d", named, test)
	}
}

// TestLikely: a task is about code of any language, and about a script without an extension that no tool writes, beside code whose names
// are followed.
func TestLikely(t *testing.T) {
	texts := map[string]string{
		"src/realpath.c":    "int realpath_builtin(void) { return 0; }\n",
		"libexec/quay-load": "#!/bin/sh\nacquire_rope() {\n  echo rope\n}\n",
		"lib/boats.sh":      "count_boats() {\n  echo 3\n}\n",
		"gradlew":           "#!/bin/sh\necho rope\n",
		"README.md":         "# Quay\n\nIt loads boats by a rope.\n",
		"LICENSE":           "A rope of words.\n",
	}
	want := map[string]bool{"src/realpath.c": true, "libexec/quay-load": true, "lib/boats.sh": true}
	var task Task
	for name, text := range texts {
		f := tree.Bytes(name, []byte(text))
		if name == "libexec/quay-load" || name == "gradlew" {
			f.Mode |= 0o111
		}
		task.Files = append(task.Files, f)
	}
	slices.SortFunc(task.Files, func(a, b tree.File) int { return strings.Compare(a.Path, b.Path) })
	task.Text = []byte("acquire_rope fails")
	order, err := ForTask(context.Background(), task)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range order.files {
		if order.task.likely[i] != want[f.Path] {
			t.Errorf("%s: %v", f.Path, order.task.likely[i])
		}
	}
	if order.Files[0].Path != "libexec/quay-load" {
		t.Errorf("%s stands first", order.Files[0].Path)
	}
}

// Code in a language of which nothing else is known is code: it stands before the text and the test that say the task's words as well.
func TestTaskOfOtherLanguages(t *testing.T) {
	for name, text := range map[string]string{
		"lib/tides.ex":  "defmodule Harbour.Tides do\n  def ebb(berth), do: berth.depth\nend\n",
		"src/tides.lua": "local Tides = {}\n\nfunction Tides.ebb(berth)\n  return berth.depth\nend\n",
		"bin/tides.sh":  "ebb() {\n  echo \"$1\" # the berth\n}\n",
	} {
		files := []tree.File{tree.Bytes(name, []byte(text)), tree.Bytes("README.md", []byte("# Tides\n\nThe ebb of each berth, and the ebb of tides.\n")),
			tree.Bytes("config/tides.yml", []byte("ebb: 3 # of a berth\n")), tree.Bytes("lib/quay.ex", []byte("defmodule Harbour.Quay do\nend\n"))}
		o, err := ForTask(context.Background(), Task{Text: []byte("the ebb of a berth is wrong"), Files: files})
		if err != nil {
			t.Fatal(err)
		}
		if got := o.Files[0].Path; got != name {
			t.Errorf("%s is first, want %s: %v", got, name, o.Why(got))
		}
		for _, p := range o.Why(name) {
			if p.Reason == "no code" {
				t.Errorf("%s is no code", name)
			}
		}
	}
}

// What a program writes stands behind what people change to have it written.
func TestTaskOfGenerated(t *testing.T) {
	const body = "package tides\n\n// Ebb is the ebb of a berth.\ntype Ebb struct{ Berth, Depth int }\n"
	files := []tree.File{tree.Bytes("api/a_tides.go", []byte("// Code generated by tidegen. DO NOT EDIT.\n\n"+body)), tree.Bytes("api/tides.go", []byte(body)), tree.Bytes("api/quay.go", []byte("package tides\n"))}
	o, err := ForTask(context.Background(), Task{Text: []byte("the ebb of a berth has no depth"), Files: files})
	if err != nil {
		t.Fatal(err)
	}
	if got := o.Files[0].Path; got != "api/tides.go" {
		t.Errorf("%s is first: %v", got, o.Why(got))
	}
	if !slices.ContainsFunc(o.Why("api/a_tides.go"), func(p Part) bool { return p.Reason == "a program writes it" }) {
		t.Errorf("why: %v", o.Why("api/a_tides.go"))
	}
}

// A frame whose line is that of another version leads to the function that it names; of one that names none, or that still stands there, to
// its line.
func TestTaskFramesOfAnotherVersion(t *testing.T) {
	passages := []Passage{
		{Text: []byte("class Cargo:\n"), Defines: "Cargo"},
		{Text: []byte("    def load(self):\n        self.weigh()\n\n"), Defines: "Cargo.load"},
		{Text: []byte("    def weigh(self):\n        return self.mass\n"), Defines: "Cargo.weigh"},
	}
	for frame, want := range map[string]string{"line 3, in weigh": "[false false true]", "line 3, in load": "[false true false]", "line 3, in <module>": "[false true false]", "line 3": "[false true false]", "line 90, in weigh": "[false false true]"} {
		text := "Traceback (most recent call last):\n  File \"/opt/src/cargo.py\", " + frame + "\nValueError: no mass\n"
		o, err := ForTask(context.Background(), Task{Text: []byte(text), Files: []tree.File{tree.Bytes("src/cargo.py", []byte("class Cargo:\n    pass\n"))}})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(o.framesIn("src/cargo.py", passages)); got != want {
			t.Errorf("%s: %s, want %s", frame, got, want)
		}
	}
}

// What a form's boxes assure, boxes that nobody ticked where others are, images, and addresses as far as they name a project are no words
// of a task.
func TestWithoutForm(t *testing.T) {
	for text, want := range map[string]string{
		"The tide is late\n- [x] I have searched the open issues\n- [X] This is not a duplicate\n- [ ] Yes, I can mend it\n": "The tide is late",
		"Seen on\n- [ ] Windows\n- [x] Linux\n":                         "Seen on - [x] Linux",
		"To do\n- [ ] tides\n- [ ] berths\n":                            "To do - [ ] tides - [ ] berths",
		"![image](https://github.com/acme/harbour/assets/12/0a8f-2d3e)": "",
		"late ![late tide](https://example.com/a.png) <img width=\"300\" alt=\"Screenshot\" src=\"https://x.io/b.png\">": "late",
		"see https://github.com/user-attachments/files/1234/quay.log":                                                    "see",
		"like https://github.com/acme/harbour/issues/12, and https://www.example.com/tides#ebb":                          "like /12, and example.com/tides#ebb",
		"in https://github.com/acme/harbour/blob/main/src/tides.py#L3":                                                   "in /main/src/tides.py#L3",
	} {
		if got := strings.Join(strings.Fields(string(withoutTemplate([]byte(text)))), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Of a file that a stack names by its module and by its place, the place is told.
func TestTaskTellsPlaces(t *testing.T) {
	o, err := ForTask(context.Background(), Task{Text: []byte("drawer is open\n\tat org.shop.Till.count(Till.java:5)\n"), Files: taskFiles()})
	if err != nil {
		t.Fatal(err)
	}
	const file = "core/src/main/java/org/shop/Till.java"
	if !slices.ContainsFunc(o.Why(file), func(p Part) bool { return p.Reason == "the task names Till.java:5" }) {
		t.Errorf("why: %v", o.Why(file))
	}
}

// Modules of what Python raises are words of nobody; without a stack they are what a task is about.
func TestWithoutRaised(t *testing.T) {
	stack := "Traceback (most recent call last):\n"
	for text, want := range map[string]string{
		stack + "mill.errors.Jammed: no flour\nmill.Stopped\n": stack + "            Jammed: no flour\n     Stopped\n",
		stack + "see mill.errors.Jammed: no flour\n":           stack + "see mill.errors.Jammed: no flour\n",
		"mill.errors.Jammed: no flour\n":                       "mill.errors.Jammed: no flour\n",
	} {
		if got := string(withoutPackages([]byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
