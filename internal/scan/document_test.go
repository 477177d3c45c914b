package scan

import (
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/secret"
)

// TestDocument holds that what a document says is clean for whoever looks at it under its name: a table in a program's text is no
// table there, and is one in Markdown.
func TestDocument(t *testing.T) {
	scanner, err := secret.New()
	if err != nil {
		t.Fatal(err)
	}
	s := &Screener{Scanner: scanner, Given: new(secret.KnownValues)}
	const text = "| user | password |\n|---|---|\n| jane | kolibri-27-Fels |\n"
	if got := s.Clean(text); got != text {
		t.Fatalf("without a name: %q", got)
	}
	clean, made := s.Document("context.md", []byte(text))
	found, err := s.Find("context.md", clean)
	if len(made) == 0 || err != nil || len(found) > 0 {
		t.Errorf("%q: %v, %v", clean, found, err)
	}
}

// TestDocumentInFences holds that what a fence holds alone is judged as the file that it is of, and that what stands beside a fence
// counts for what is in it.
func TestDocumentInFences(t *testing.T) {
	scanner, err := secret.New()
	if err != nil {
		t.Fatal(err)
	}
	s := &Screener{Scanner: scanner, Given: new(secret.KnownValues)}
	token := "ghp_" + "c7Dk2mQ9xW4rT8yB1nV6zL3pH5sJ0fA9gE2u"
	heading := func(path, language, text string) string {
		return "### `" + path + "`\n\n```" + language + "\n" + text + "```\n"
	}
	for _, row := range []struct {
		name, file, text string
		made             int
	}{
		{"a parameter of a program", "context.md", heading("pkg/guard.go", "go", "func guard(c Client, space string, token *mqttbrokerv2alpha4.DigestAuth) error {\n"), 0},
		{"the same without a language", "context.md", heading("pkg/guard", "", "func guard(c Client, space string, token *mqttbrokerv2alpha4.DigestAuth) error {\n"), 1},
		{"a password in a program", "context.md", heading("pkg/guard.go", "go", "const password = \"kolibri-27-Fels-zwo\"\n"), 1},
		{"a password in settings", "context.md", heading("deploy/values.yaml", "yaml", "password: kolibri-27-Fels-zwo\n"), 1},
		{"a heading tells of what the fence holds", "context.md", "The password is:\n\n```go\nQ7xkolibri27Fels9\n```\n", 1},
		{"a token that tells itself", "context.md", heading("pkg/guard.go", "go", "func guard(auth *"+token+") error {\n"), 1},
		{"a fence that does not end", "context.md", "```go\nfunc guard(c Client, space string, token *mqttbrokerv2alpha4.DigestAuth) error {\n", 1},
		{"another form", "context.txt", heading("pkg/guard.go", "go", "func guard(c Client, space string, token *mqttbrokerv2alpha4.DigestAuth) error {\n"), 1},
	} {
		clean, made := s.Document(row.file, []byte(row.text))
		if len(made) != row.made || row.made == 0 && string(clean) != row.text {
			t.Errorf("%s: %v in %q", row.name, made, clean)
		}
		if left, err := s.Certain(clean); err != nil || len(left) > 0 {
			t.Errorf("%s: %v, %v in %q", row.name, left, err, clean)
		}
	}
}

// TestDocumentAtRandom holds, of documents made of what programs, settings and prose say, that nothing leaves that the document as
// a whole shows and its fence does not explain, nothing that a fence's own file would not let out, and that nothing else goes.
func TestDocumentAtRandom(t *testing.T) {
	scanner, err := secret.New()
	if err != nil {
		t.Fatal(err)
	}
	s := &Screener{Scanner: scanner, Given: new(secret.KnownValues)}
	r := rand.New(rand.NewPCG(7, 11))
	paths := []string{"pkg/guard.go", "src/guard_test.py", "deploy/values.yaml", "web/guard.ts", "README.md", "conf/guard.ini", "Guard.cs"}
	lines := []string{
		"func guard(space string, token *mqttbrokerv2alpha4.DigestAuth) error {", "return item.Password ?? Kind.None9xQ2;", "The password is:", "Q7xkolibri27Fels9",
		"password: kolibri-27-Fels-zwo", "const password = \"kolibri-27-Fels-zwo\"", "secret=", "api_key =", "f4a8c2e19b7d40536e8f", "\"ghp_" + "c7Dk2mQ9xW4rT8yB1nV6zL3pH5sJ0fA9gE2u\"",
		"", "// token", "| user | password |", "|---|---|", "| jane | kolibri-27-Fels |", "if password == next {", "}", "Basic dXNlcjpLb2xpYnJpMjdGZWxzOQ==",
	}
	dropped, kept := 0, 0
	for range 400 {
		var b strings.Builder
		for range 1 + r.IntN(5) {
			name := paths[r.IntN(len(paths))]
			fence := r.IntN(4) > 0
			if fence {
				b.WriteString("### `" + name + "`\n\n```" + path.Ext(name)[1:] + "\n")
			}
			for range 1 + r.IntN(6) {
				b.WriteString(lines[r.IntN(len(lines))] + "\n")
			}
			if fence {
				b.WriteString("```\n")
			}
		}
		text := []byte(b.String())
		whole, err := s.Find("context.md", text)
		if err != nil {
			t.Fatal(err)
		}
		clean, made := s.Document("context.md", text)
		if left, err := s.Certain(clean); err != nil || len(left) > 0 {
			t.Fatalf("%v, %v in %q", left, err, clean)
		}
		goes := func(from, to int) bool {
			return slices.ContainsFunc(made, func(f secret.Finding) bool { return f.Start <= from && to <= f.End })
		}
		fences := fencesOf(text)
		for _, f := range whole {
			explained := false
			for _, in := range fences {
				if in.from <= f.Start && f.End <= in.to {
					as, _ := s.Find(in.path, text[in.from:in.to])
					alone, _ := s.Find("context.md", text[in.from:in.to])
					explained = !overlaps(as, f.Start-in.from, f.End-in.from) && overlaps(alone, f.Start-in.from, f.End-in.from)
				}
			}
			if gone := goes(f.Start, f.End); gone == explained {
				t.Fatalf("%s at line %d: gone %v, explained %v in\n%s", f.Rule, f.Line, gone, explained, text)
			} else if gone {
				kept++
			} else {
				dropped++
			}
		}
		for _, f := range made {
			if !overlaps(whole, f.Start, f.End) {
				t.Fatalf("%s at line %d goes, and nothing shows it, in\n%s", f.Rule, f.Line, text)
			}
		}
	}
	if dropped == 0 || kept == 0 {
		t.Errorf("%d dropped, %d kept", dropped, kept)
	}
}

// overlaps reports whether one of the findings reaches into a stretch.
func overlaps(list []secret.Finding, from, to int) bool {
	return slices.ContainsFunc(list, func(f secret.Finding) bool { return f.Start < to && from < f.End })
}
