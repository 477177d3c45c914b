package secret

import (
	"fmt"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

func TestParseAllow(t *testing.T) {
	a, err := ParseAllow(AllowFile, []byte("# fixtures\n\njwt testdata/jwt/*.txt samples of the format\r\n* docs/example.md shown to readers\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Acceptances) != 2 || a.Acceptances[0] != (Acceptance{"jwt", "testdata/jwt/*.txt", "samples of the format", 3}) || len(a.Warnings) != 0 {
		t.Errorf("%+v", a)
	}
	for _, c := range []struct {
		rule, path string
		want       bool
	}{
		{"jwt", "testdata/jwt/a.txt", true}, {"jwt", "testdata/jwt/x/a.txt", false}, {"url-credentials", "testdata/jwt/a.txt", false},
		{"private-key", "docs/example.md", true}, {"jwt", "other", false},
	} {
		if _, ok := a.Accepts(c.rule, c.path); ok != c.want {
			t.Errorf("Accepts(%s, %s) = %v", c.rule, c.path, ok)
		}
	}
	kept, accepted := a.Split("testdata/jwt/a.txt", []value.Finding{{Rule: "jwt", Line: 1, Start: 0, End: 1}, {Rule: "other", Line: 2, Start: 3, End: 4}})
	if len(kept) != 1 || kept[0].Rule != "other" || len(accepted) != 1 {
		t.Errorf("kept %v, accepted %v", kept, accepted)
	}
}

func TestParseAllowErrors(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"jwt a.txt\n", ".haversackallow:1: want a rule, a path glob and a reason"},
		{"\njwt [ reason\n", `.haversackallow:2: glob "[": syntax error in pattern`},
		{"no/rule a.txt reason\n", `.haversackallow:1: rule "no/rule"`},
		{"jwt a.txt rea\x01son\n", ".haversackallow:1: control characters"},
		{"jwt a.txt \xff\xfe\n", ".haversackallow:1: control characters or no UTF-8"},
		{strings.Repeat("x", maxAllowBytes+1), ".haversackallow: 65537 bytes"},
		{strings.Repeat("\n", maxAllowLines+5), ".haversackallow:1001: more than 1000 lines"},
		{"jwt " + strings.Repeat("*a", 40) + " reason\n", "too intricate"},
		{"jwt " + strings.Repeat("{a,b}", 10) + " reason\n", "too intricate"},
		{"jwt a.txt " + strings.Repeat("r", maxAllowLine), "line of"},
		{"jwt ./ reason\n", ".haversackallow:1: the glob names no file"},
		{"* ** reason\n", ".haversackallow:1: rule * with glob"},
		{"jwt a.txt fine\n* * reason\n", ".haversackallow:2: rule * with glob"},
		{"* **/[!~]* reason\n", "every finding through in every file"},
		{"* {**,zz} reason\n", "every finding through in every file"},
	} {
		a, err := ParseAllow(AllowFile, []byte(c.in))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: error %v, want %q", c.in, err, c.want)
		}
		if len(a.Acceptances) > 0 {
			t.Errorf("%.40q: accepted in spite of the error", c.in)
		}
	}
}

func TestParseAllowWarnings(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"jwt ** all\n", `glob "**" lets findings of jwt through in every file`},
		{"all ** fixtures only\n", "findings of every rule"},
		{"all test/*.go fine\n", "name the rule"},
		{"jwt **/*.go all\n", "at any depth"},
		{"jwt test/** all\n", "every file below a folder"},
		{"* test/*.go all\n", "name the rule"},
		{"jwt **/[!~]* all\n", "in every file"},
		{"jwt {**,zz} all\n", "in every file"},
		{"jwt **/[a-z]* all\n", "in every file"},
		{"jwt [!~]* all\n", "every file of a folder"},
		{"jwt src/* all\n", "every file of a folder"},
		{"jwt s*/**/*.yml all\n", "many folders"},
		{"jwt test/a.go fine\n", ""},
		{"jwt test/*.go fine\n", ""},
	} {
		a, err := ParseAllow(AllowFile, []byte(c.in))
		if err != nil {
			t.Errorf("%q: %v", c.in, err)
		}
		if got := strings.Join(a.Warnings, "\n"); (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%q: warnings %q, want %q", c.in, got, c.want)
		}
	}
}

func TestAllowEverything(t *testing.T) {
	for _, c := range []struct {
		in   string
		want bool
	}{
		{"all ** fixtures only\n", true},
		{"jwt a.txt fine\nall **/[!~]* fixtures only\n", true},
		{"all test/*.go fine\n", false},
		{"jwt ** fine\n", false},
		{"* a.txt fine\n", false},
		{"", false},
	} {
		a, err := ParseAllow(AllowFile, []byte(c.in))
		if err != nil {
			t.Fatalf("%q: %v", c.in, err)
		}
		if got := a.Everything(); got != c.want {
			t.Errorf("%q: Everything() = %v", c.in, got)
		}
		if c.want {
			if _, ok := a.Accepts("private-key", "any/path.go"); !ok {
				t.Errorf("%q: a finding is not accepted", c.in)
			}
		}
	}
}

// TestAllowLine holds that the line given for a finding is read as what it says.
func TestAllowLine(t *testing.T) {
	for _, path := range []string{"a.txt", "pages/[slug]/{id}.tsx", "a*b?c.md", `back\slash.txt`, "with space and\ttab.txt", "line\nend", "ünï/日本.go", "#x", "!neg", "bad\xff.txt",
		strings.Repeat("[{", 20) + ".md", strings.Repeat("folder-name/", 80) + "f.go", "a (1).yaml", "all", "*"} {
		line := AllowLine("jwt", path)
		a, err := ParseAllow(AllowFile, []byte(line+"\n"))
		if err != nil {
			t.Errorf("%q: %v", path, err)
			continue
		}
		if len(a.Acceptances) != 1 || len(a.Warnings) != 0 {
			t.Errorf("%q: %+v", path, a)
		}
		if _, ok := a.Accepts("jwt", path); !ok {
			t.Errorf("%q: the line %q does not accept it", path, line)
		}
		for _, other := range []string{"aXbYc.md", "pages/s/id.tsx", "other"} {
			if _, ok := a.Accepts("jwt", other); ok {
				t.Errorf("%q: the line %q accepts %s", path, line, other)
			}
		}
		if _, ok := a.Accepts("private-key", path); ok {
			t.Errorf("%q: the line accepts another rule", path)
		}
	}
}

func FuzzParseAllow(f *testing.F) {
	f.Add([]byte("jwt a/**/b.txt reason here\n# x\n* c.md y"), "a/x/b.txt")
	f.Fuzz(func(t *testing.T, in []byte, path string) {
		a, err := ParseAllow("f", in)
		if err != nil && len(a.Acceptances) > 0 {
			t.Error("acceptances beside an error")
		}
		if len(path) < 100 {
			a.Accepts("jwt", path)
		}
		for _, c := range a.Acceptances {
			if c.Reason == "" || c.Rule == "" || c.Glob == "" {
				t.Errorf("%+v", c)
			}
		}
	})
}

// TestManyAlternatives writes out what stands in braces, and passes over a line that comes to too much.
func TestManyAlternatives(t *testing.T) {
	for glob, want := range map[string]string{
		"a":                "[a]",
		"{a,b}/c":          "[a/c b/c]",
		"x{a,{b,c}d,}y":    "[xay xbdy xcdy xy]",
		`\{a,b\}{[,}],c}d`: `[\{a,b\}[,}]d \{a,b\}cd]`,
	} {
		if list, ok := alternatives(glob, 1000); !ok || fmt.Sprint(list) != want {
			t.Errorf("%s: %v, want %s", glob, list, want)
		}
	}
	many := strings.Repeat("{"+strings.Repeat("a,", 1000)+"}", 4)
	a, err := ParseAllow("allow", []byte("some-rule "+many+"b why\nsome-rule {a,b}.txt why\n"))
	if err != nil || len(a.Acceptances) != 1 || len(a.Warnings) != 1 || !strings.Contains(a.Warnings[0], "allow:1: limit") {
		t.Fatalf("%+v, %v", a.Warnings, err)
	}
	if _, ok := a.Accepts("some-rule", "b.txt"); !ok {
		t.Error("a later line is not taken")
	}
}
