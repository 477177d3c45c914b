package rank

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/tree"
)

// A repository in which what a task names is one file each.
func taskFiles() []tree.File {
	texts := map[string]string{
		"src/app/models.py":            "class Order:\n    def total_price(self):\n        return sum(self.lines)\n",
		"src/app/views.py":             "def show_order(request, order):\n    return render(request, order)\n",
		"src/app/db/query.py":          "class QuerySet:\n    def filter_rows(self):\n        pass\n",
		"src/app/db/__init__.py":       "",
		"src/app/mail.py":              "def send_receipt(order):\n    raise ReceiptError('the receipt has no recipient')\n",
		"src/app/util/strings.py":      "def cut_words(text):\n    return text.split()\n",
		"lib/retry.go":                 "package lib\n\n// Retry does it again.\nfunc Retry(f func() error) error {\n\treturn f()\n}\n",
		"web/ui/button.ts":             "export class Button {\n  render() {}\n}\n",
		"web/ui/index.ts":              "export * from './button'\n",
		"tests/test_models.py":         "def test_total_price():\n    assert Order([]).total_price() == 0\n",
		"docs/receipts.md":             "# Receipts\n\nA receipt is sent to the recipient of an order.\n",
		"config/settings/defaults.yml": "retries: 3\n",
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
		{"see https://example.com/blob/main/src/app/views.py#L1", "src/app/views.py", "src/app/views.py:1"},
	} {
		o, err := ForTask(context.Background(), Task{Text: []byte(c.task), Files: taskFiles()})
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
