package action

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/repotest"
)

// TestVerbsPrintJSON: with --json every verb prints one JSON value and no other word, or, where a program reads what it prints already,
// says that it has none.
func TestVerbsPrintJSON(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"a.ts": "export function f() {}\n", "b.ts": "import {f} from './a'\nf()\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	printed := func(args ...string) (string, error) {
		var out bytes.Buffer
		c := Command{Process: job.Process{Args: args, Getenv: func(string) string { return "" }, Dir: dir, Stdout: &out, Stderr: new(bytes.Buffer)}}
		err := c.Run(t.Context())
		return out.String(), err
	}
	store := "--store=" + filepath.Join(t.TempDir(), "objects.db")
	one := repotest.New(t)
	commitFiles(t, one, map[string]string{"c.ts": "export const c = 1\n"}, nil)
	list := filepath.Join(t.TempDir(), "list.txt")
	if err := os.WriteFile(list, []byte(one.Dir+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	lines := map[string][]string{
		"": {"--session=x", store}, "context": {}, "why": {"a.ts"}, "select": {}, "graph": {}, "outline": {"a.ts"}, "definitions": {"f"}, "users": {"f"}, "importers": {"a.ts"},
		"install": {"claude", "--print"}, "uninstall": {"claude", "--print"}, "session": {"show", "--session=x", store}, "pack": {"show", ".stan/output/pack.json"}, "verify": {".stan/output/archive.tar"},
		"help": {"base"}, "version": {}, "fleet": {list, "--output-dir=" + filepath.Join(t.TempDir(), "fleet")}, "completion": {"bash"}, "man": {}, "serve": {},
		// Those that wait for changes, or for a service, are held to it where these are.
		"watch": nil, "pull": nil, "comment": nil,
	}
	for i := range verbs {
		v := &verbs[i]
		args, known := lines[v.name]
		if args == nil {
			if !known {
				t.Errorf("%s: what does it print with --json?", v.name)
			}
			continue
		}
		all := append(slices.DeleteFunc([]string{v.name}, func(s string) bool { return s == "" }), args...)
		got, err := printed(append(all, "--json")...)
		switch {
		case v.raw || v.speaks:
			if err == nil || got != "" || !strings.Contains(err.Error(), "has no --json") {
				t.Errorf("%q: %v: %.200s", all, err, got)
			}
		case err != nil || !json.Valid([]byte(got)):
			t.Errorf("%q: %v: %.200s", all, err, got)
		}
	}
}
