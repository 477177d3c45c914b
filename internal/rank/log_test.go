package rank

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/tree"
)

// TestLog: of a log the lines are read that say something else, wherever they stand, and the first that says what went wrong before all others.
func TestLog(t *testing.T) {
	var b strings.Builder
	for n := range 3000 {
		if n == 2100 {
			b.WriteString("time=\"09:12\" level=error msg=\"cannot weigh anchor: chain not found\" ship=a1b2\n")
		}
		fmt.Fprintf(&b, "time=\"09:%02d:%02d\" level=info msg=\"mooring completed\" ship=a%db2 millis=%d.2\n", n/60, n%60, n, n)
	}
	files := []tree.File{
		tree.Bytes("quay/mooring.go", []byte("package quay\n\n// Mooring is completed.\nfunc mooring() { log(\"mooring completed\", ship, millis) }\n")),
		tree.Bytes("deck/lift.go", []byte("package deck\n\nfunc weigh() error { return fmt.Errorf(\"cannot weigh anchor: %w\", err) }\n")),
		tree.Bytes("deck/rope.go", []byte("package deck\n\nfunc rope() {}\n")),
	}
	o, err := ForTask(context.Background(), Task{Text: []byte(b.String()), Files: files})
	if err != nil {
		t.Fatal(err)
	}
	if got := o.Files[0].Path; got != "deck/lift.go" {
		t.Errorf("%s is first: %v", got, o.Why(got))
	}
	if folded, left := Folded([]byte(b.String())); left != 2998 || strings.Count(string(folded), "\n") != 3 {
		t.Errorf("%d lines are left out: %q", left, folded)
	}
	for _, whole := range []string{strings.Repeat("a\n", leastLog-1), b.String()[:2000]} {
		if got, left := Folded([]byte(whole)); left != 0 || string(got) != whole {
			t.Errorf("%d lines of no log are left out", left)
		}
	}
	if title, _, _ := strings.Cut(string(heard([]byte("The anchor stays\n"+b.String()))), "\n"); title != "The anchor stays" {
		t.Errorf("the title is %q", title)
	}
}

// TestAfterPanic: of a stack of Go that was caught the frames behind the panic come first.
func TestAfterPanic(t *testing.T) {
	files := []tree.File{tree.Bytes("quay/guard.go", []byte("package quay\n\nfunc guard() {}\n")), tree.Bytes("quay/crane.go", []byte("package quay\n\nfunc lift() {}\n"))}
	o, err := ForTask(context.Background(), Task{Files: files, Text: []byte("It falls\n\ngoroutine 4 [running]:\nquay.guard.func1()\n\t/go/src/quay/guard.go:3 +0x5b\npanic({0x2c, 0x5a})\n\t/usr/local/go/src/runtime/panic.go:785 +0x132\nquay.lift()\n\t/go/src/quay/crane.go:3 +0x1f2\n")})
	if err != nil {
		t.Fatal(err)
	}
	if f := o.Frames(); len(f) != 2 || f[0].Path != "quay/crane.go" || f[1].Path != "quay/guard.go" {
		t.Errorf("%v", f)
	}
}

// TestTaskSaysOneWord: one word that many files hold says nothing of a repository.
func TestTaskSaysOneWord(t *testing.T) {
	var files []tree.File
	for n := range maxCommon + 1 {
		files = append(files, tree.Bytes(fmt.Sprintf("dock/d%d.go", n), []byte("package dock\n\n// It is changed.\nvar Quay int\n")))
	}
	for task, want := range map[string]bool{"nothing was changed, please help": false, "the Quay was changed": true, "`Quay`": true} {
		o, err := ForTask(context.Background(), Task{Text: []byte(task), Files: files})
		if err != nil {
			t.Fatal(err)
		}
		if o.Says() != want {
			t.Errorf("%q: says %v, want %v", task, o.Says(), want)
		}
	}
}

// Frames of a stack in a workflow's log are frames: each of its lines begins with a time.
func TestWithoutStamps(t *testing.T) {
	text := "2026-11-29T10:44:01.1234567Z boom\n2026-11-29T10:44:02Z     at org.shop.Till.count(Till.java:5)\nat 2026-11-29T10:44:02Z it failed\n"
	want := "boom\n    at org.shop.Till.count(Till.java:5)\nat 2026-11-29T10:44:02Z it failed\n"
	if got := string(withoutStamps([]byte(text))); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	text = "2026-11-29T10:44:01.1Z ##[group]Run make crane\n2026-11-29T10:44:01.1Z make crane\n2026-11-29T10:44:01.1Z shell: /usr/bin/bash -e {0}\n2026-11-29T10:44:01.1Z env:\n" +
		"2026-11-29T10:44:01.1Z   QUAY: 3\n2026-11-29T10:44:01.1Z ##[endgroup]\n2026-11-29T10:44:02.1Z env: lost\n2026-11-29T10:44:02.1Z ##[error]Process completed with exit code 1.\n"
	want = "make crane\nmake crane\n\nenv: lost\nProcess completed with exit code 1.\n"
	if got := string(withoutStamps([]byte(text))); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
