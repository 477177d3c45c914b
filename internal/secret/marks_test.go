package secret

import (
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"path/filepath"
)

// redacted scans text as path and returns what redaction leaves of it.
func redacted(t *testing.T, path, text string) string {
	t.Helper()
	found, err := sharedScanner(t).Scan(path, []byte(text), nil)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return string(Redact([]byte(text), found))
}

func TestMarksHideNothing(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(8, 1))}
	ghp := "gh" + "p_" + m.of(base62, 36)
	pw := "Z" + "x81" + "kLq0!vR"
	mark := "[REDACTED:password-assignment]"
	for _, c := range []struct{ path, text, value string }{
		{"a.js", `s = "[REDACTED:"; t = "` + ghp + `"`, ghp},
		{"a.js", `s = "[REDACTED:jwt"; t = "` + ghp + `"`, ghp},
		{"a.txt", `[REDACTED: ` + ghp, ghp},
		{"a.txt", `[REDACTED:` + ghp + `]`, ghp},
		{"a.txt", mark + ghp, ghp},
		{"a.txt", ghp + mark, ghp},
		{"a.txt", mark + " " + ghp + " " + mark, ghp},
		{"a.py", `password = "[REDACTED:note] ` + pw + `"`, pw},
		{"a.py", `password = "` + mark + ` ` + pw + `"`, pw},
		{"a.py", `password = "` + mark + pw + `"`, pw},
		{"a.py", `password = "` + pw + mark + `"`, pw},
		{"a.py", `password = "[REDACTED:` + pw + `"`, pw},
		{"a.py", `password = "[REDACTED] ` + pw + `"`, pw},
		{"a.ini", `password=` + mark + pw, pw},
		{"a.ini", `password=` + mark + ` ` + pw, pw},
		{"a.yaml", `password: ` + mark + ` ` + pw, pw},
		{"a.yaml", `url: postgres://app:` + mark + pw + `@db/x`, pw},
		{"a.sh", `curl -u app:` + mark + pw + ` https://x`, pw},
		{"a.sql", `CREATE USER a IDENTIFIED BY '` + mark + pw + `';`, pw},
	} {
		if got := redacted(t, c.path, c.text); strings.Contains(got, c.value) {
			t.Errorf("%s in %s: the value stays: %s", c.text, c.path, got)
		}
	}
}

func TestMarksAreNoFindings(t *testing.T) {
	for _, c := range []struct{ path, text string }{
		{"a.py", `password = "[REDACTED:password-assignment]"`},
		{"a.ini", "password=[REDACTED:jwt]\nuser=Bob77Xy\n"},
		{"a.yaml", "tokens:\n  - [REDACTED:secret-assignment]\n  - [REDACTED:token]\nother: x2\n"},
		{"a.sh", "mysql -p[REDACTED:command-password] database1 --host db1.corp\n"},
		{"a.go", `db.Connect("app", "[REDACTED:login-call]", "host1.corp.io")`},
		{"a.md", "| password | [REDACTED:password-assignment] | host-1 |\n"},
		{"a.txt", "https://u:[REDACTED:url-credentials]@host1/\n"},
	} {
		if got := redacted(t, c.path, c.text); got != c.text {
			t.Errorf("%s: %q became %q", c.path, c.text, got)
		}
	}
}

// TestEveryRuleIsKnown holds that each id that the code gives a finding is one
// that a mark may have.
func TestEveryRuleIsKnown(t *testing.T) {
	s := newScanner(t)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	added := regexp.MustCompile(`\b(?:add|given)\("([a-z0-9-]+)"|rule: "([a-z0-9-]+)"|rule, rank := "([a-z0-9-]+)"|rule(?:, rank)? = "([a-z0-9-]+)"`)
	n := 0
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range added.FindAllStringSubmatch(string(text), -1) {
			n++
			if id := g[1] + g[2] + g[3] + g[4]; !s.table.knows([]byte(id)) {
				t.Errorf("%s: rule %s is not known", f, id)
			}
		}
	}
	if n < 20 {
		t.Errorf("only %d ids found in the code", n)
	}
}

// TestSchemeBeforeMark: the scheme of a header, and a mark where the credential stood.
func TestSchemeBeforeMark(t *testing.T) {
	s := newScanner(t)
	for _, text := range []string{
		"DSN=sms://Rbtt" + "Xve8o2y3IglAqJXl" + "XTzZywyyjqKo:[REDACTED:url-credentials]@host?from=+1",
		`{"Authorization", "Token [REDACTED:secret-assignment]"}`, "Authorization: Bearer [REDACTED:jwt]\n", `headers: {authorization: 'Basic [REDACTED:authorization-header]'}`,
	} {
		for _, path := range []string{"a.go", "a.yml", "a.md", "a.js"} {
			if found, err := s.Scan(path, []byte(text), nil); err != nil || len(found) > 0 {
				t.Errorf("%s: %s: %v, %v", path, text, found, err)
			}
		}
	}
}
