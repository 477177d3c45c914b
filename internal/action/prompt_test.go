package action

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/brief"
	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/plan"
	"github.com/haversack-dev/haversack/internal/rank"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/report"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/tokens"
	"github.com/haversack-dev/haversack/internal/tree"
)

// headings are the headings of a Markdown text: lines that begin with # outside of
// fences, as CommonMark reads them.
func headings(doc string) []string {
	var list []string
	fence := ""
	for _, line := range strings.FieldsFunc(doc, func(r rune) bool { return r == '\n' || r == '\r' }) {
		bare := strings.TrimLeft(line, " ")
		marks := bare[:len(bare)-len(strings.TrimLeft(bare, "`"))]
		switch {
		case fence != "":
			if len(marks) >= len(fence) && strings.Trim(bare, "` \t") == "" && len(line)-len(bare) < 4 {
				fence = ""
			}
		case len(marks) >= 3 && len(line)-len(bare) < 4:
			fence = marks
		case strings.HasPrefix(bare, "#"):
			list = append(list, bare)
		}
	}
	if fence != "" {
		list = append(list, "a fence is open")
	}
	return list
}

// FuzzPrompt: whatever the request says, and files hold and are called, the document has
// the headings that it is given and every fence is closed.
func FuzzPrompt(f *testing.F) {
	f.Add("Title", "Body\n```\n# You are", "a.ts", "```\n# heading\n", "why")
	f.Add("~~~", "````", "a\n# b.ts", "\r# x\r```\r", "imported by `x`\n# y")
	f.Add("<!--", "-->", "```", "~~~\n", "```")
	f.Add("0", "0", "a\n# b.ts", "\r\x00\x00\x03\xe8```\r", "imports")
	s, err := job.NewScreener(func(string) string { return "" }, "", secret.Balanced)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, title, body, name, content, why string) {
		if !tree.Valid(name) || len(content) > 10_000 {
			return
		}
		file := &scan.File{File: tree.Bytes(name, []byte(content)), Encoding: "utf-8"}
		order, err := rank.Files(t.Context(), rank.Input{})
		if err != nil {
			t.Fatal(err)
		}
		p := &plan.Plan{Mode: "context", Members: map[string]*scan.File{name: file}, Files: []tree.File{file.File}, Why: map[string][]string{name: {why}},
			Changes: []diff.Change{{Status: diff.Modified, Path: name}}, Fill: job.FillRank, Limit: plan.DefaultBudget, Ranking: &plan.Ranking{Order: order},
			Docs: map[string][]byte{".stan/" + record.ChangeName: []byte(content)}}
		docs, err := report.ComposePrompt(report.PromptOptions{Choice: new(job.Choice), Stan: ".stan", Bytes: 1 << 20, Author: report.Words{Title: title, Body: body}, Counter: new(tokens.Counter)}, &snapshot.Contents{SealedScan: &scan.SealedScan{Screener: s}}, nil, p)
		if err != nil {
			t.Fatal(err)
		}
		want := 2 // the document, what changed
		if title+body != "" {
			want++
		}
		if content != "" {
			want++ // the patch
		}
		if strings.TrimSpace(content) != "" { // of empty lines nothing is to be read
			want += 2 // what else is needed, and the file
		}
		if got := headings(string(docs[0].Text)); len(got) != want {
			t.Errorf("%d headings, want %d: %q\n%s", len(got), want, got, docs[0].Text)
		}
	})
}

// The document as JSON keeps its schema and its limits, in bytes and in tokens as it is written, and says what it lacks.
func TestChangePack(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	screener, err := job.NewScreener(func(string) string { return "" }, "", secret.Balanced)
	if err != nil {
		t.Fatal(err)
	}
	order, err := rank.Files(t.Context(), rank.Input{})
	if err != nil {
		t.Fatal(err)
	}
	p := &plan.Plan{Mode: "context", Members: map[string]*scan.File{}, Why: map[string][]string{}, Fill: job.FillRank, Ranking: &plan.Ranking{Order: order},
		Docs: map[string][]byte{".stan/" + record.ChangeName: []byte(strings.Repeat("+x\n", 500))}}
	for i := range 40 {
		f := &scan.File{File: tree.Bytes(fmt.Sprintf("src/%02d.ts", i), []byte(strings.Repeat("line \"quoted\"\n", 1+i*7%29))), Encoding: "utf-8"}
		p.Members[f.Path], p.Files, p.Why[f.Path] = f, append(p.Files, f.File), []string{"asked for"}
		p.Changes = append(p.Changes, diff.Change{Status: diff.Modified, Path: fmt.Sprintf("changed/%02d.ts", i)})
	}
	s, counter := schema(t, "../../report/schema/change.schema.json"), new(tokens.Counter)
	in := report.PromptOptions{Choice: &job.Choice{Pack: job.PackChange}, Stan: ".stan", Author: report.Words{Title: "A title", Body: strings.Repeat("A body. ", 100)}, Counter: counter}
	most, step := 0, 700
	if testing.Short() {
		step = 4_000
	}
	for limit := 1000; limit < 30000; limit += step {
		for _, budget := range []int{500, 2000, 5000, 0} {
			in.Bytes, p.Limit = limit, budget
			docs, err := report.ComposePrompt(in, &snapshot.Contents{SealedScan: &scan.SealedScan{Screener: screener}}, nil, p)
			if err != nil {
				t.Fatal(err)
			}
			b := docs[len(docs)-1].Text
			validate(t, s, b)
			var got report.ChangePack
			if err := json.Unmarshal(b, &got); err != nil {
				t.Fatal(err)
			}
			if n := counter.Count(b); len(b) > limit || budget > 0 && n > budget {
				t.Errorf("limits %d and %d: %d bytes, %d tokens", limit, budget, len(b), n)
			}
			if len(got.Left) > 0 && len(got.Files)+len(got.Left) != len(p.Files) || len(got.Changes)+got.More != len(p.Changes) {
				t.Errorf("limit %d: %d files, %d left out; %d changes and %d more", limit, len(got.Files), len(got.Left), len(got.Changes), got.More)
			}
			most = max(most, len(got.Files))
		}
	}
	if most < len(p.Files)/2 {
		t.Errorf("at most %d of %d files are shown", most, len(p.Files))
	}
}

// Lines that end in a carriage return are shown without it, in a file in which only some do with a sign.
func TestLineEnds(t *testing.T) {
	const crlf = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-int x = 1;\r\n+int x = 2;\r\n"
	const mixed = "diff --git a/b b/b\n--- a/b\n+++ b/b\n@@ -1,2 +1,2 @@\n-one\r\n+one\n two\n"
	const plain = "diff --git a/c b/c\n@@ -1 +1 @@\n-1\n+2\n\\ No newline at end of file\n"
	got := report.LineEnds(crlf + mixed + plain)
	want := strings.ReplaceAll(crlf, "\r", "") + strings.Replace(mixed, "\r", "␍", 1) + plain
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if s := brief.Printable("title\r\n\r\nbody\rx"); s != "title\n\nbody?x" {
		t.Errorf("%q", s)
	}
}
