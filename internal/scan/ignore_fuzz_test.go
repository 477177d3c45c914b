package scan

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

// FuzzIgnore holds that the tables of plain rules say what the rules say as globs, each by itself.
func FuzzIgnore(f *testing.F) {
	f.Add([]byte("*.log\n!a/b.log\n/x/**/y\n[a-z]\\ \n"), "a/b.log", false)
	f.Add([]byte("**/a\nb*\n!b/**\nc/d/\n"), "c/d", true)
	f.Fuzz(func(t *testing.T, content []byte, name string, isDir bool) {
		if len(content) > 1000 || len(name) > 200 || name == "" || strings.Trim(name, "/") != name || !utf8.Valid(content) || !utf8.ValidString(name) {
			return
		}
		file := parseIgnore(".gitignore", "", content, false)
		var want *ignoreRule
		for i := range file.rules {
			r := file.rules[i]
			if r.glob == "" {
				s := strings.TrimSuffix(strings.TrimPrefix(strings.TrimRight(r.text, " "), "!"), "/")
				if r.base {
					s = strings.TrimPrefix(s, "**/")
				}
				if r.glob = gitGlob(strings.TrimPrefix(s, "/")); !doublestar.ValidatePattern(r.glob) {
					t.Fatalf("%q is a rule and no glob", r.text)
				}
			}
			one := &ignoreFile{rules: []ignoreRule{r}}
			if one.compile(); one.decides(name, isDir) {
				want = &file.rules[i]
			}
		}
		if got, _ := file.match(name, isDir); got != want {
			t.Errorf("%q of %q: decided by %+v, want %+v", name, content, got, want)
		}
	})
}

// decides reports whether a rule of the file speaks.
func (f *ignoreFile) decides(name string, isDir bool) bool {
	_, ok := f.match(name, isDir)
	return ok
}
