package action

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// stanSteps are the steps of testdata/stan-steps.json, which the reference
// implementation of the graph and its loop made: what is done before each, and with
// which arguments.
var stanSteps = map[string]struct {
	write  map[string]string // nil content: removed
	remove []string
	state  string // "-" removes the file
	args   []string
	// added and gone are members that differ from the reference, and why.
	added, gone map[string]string
}{
	"1 META archive (state empty)": {state: `{"v":2,"i":["src/a.ts"]}`, args: []string{"--mode", "meta"},
		gone: map[string]string{"logo.bin": "binaries stay out of META archives too"}},
	"2 ctx run, empty state": {state: `{"v":2,"i":[]}`},
	"3 ctx run, state selects a(depth1)+gitignored+binary; snapshot from step 2": {
		state: `{"v":2,"i":[["src/a.ts",1],"ignored/gen.ts","src/pic.bin"]}`},
	"4 ctx run again, createIfMissing (baseline still step 2)":       {},
	"5 ctx run, update replace (diff computed BEFORE replace)":       {args: []string{"--update-saved", "replace"}},
	"6 ctx run, nothing changed -> sentinel":                         {},
	"7 change src/b.ts (same size), delete CHANGELOG.md, add NEW.md": {write: map[string]string{"src/b.ts": "export const B = 2;\n", "NEW.md": "new\n"}, remove: []string{"CHANGELOG.md"}},
	"8 state narrows + excludes b":                                   {state: `{"v":2,"i":[["src/a.ts",1]],"x":["src/b.ts"]}`},
	"9 config excludes src/b.ts and README.md are hard denials; includes CHANGE nothing for closure": {
		state: `{"v":2,"i":[["src/a.ts",1],["packages/x/src/i.ts",1]]}`, args: []string{"--exclude", "src/b.ts", "--exclude", "README.md", "--exclude", ".stan/**"}},
	"11 no state file on disk": {state: "-"},
	"12 plain denylist full+diff (default snapshot)": {args: []string{"--mode", "full"},
		added: map[string]string{"packages/x/package.json": "packages of a workspace are packed", "packages/x/src/i.ts": "packages of a workspace are packed"}},
	"13 plain with includes (gitignored, subpackage, .stan/context) + excludes": {
		args: []string{"--mode", "full", "--base", "none", "--include", "ignored/**", "--include", ".stan/context/**", "--exclude", "src/c.ts"},
		gone: map[string]string{
			".stan/context/dependency.meta.json": "recomputed in every run, no file of the repository (docs/formats.md)",
			".stan/context/npm/pkg/2.0.0/i.d.ts": "staged files enter an archive from where they are; none is copied to disk",
			".stan/imports/lab/i.md":             "",
		}},
}

// TestStanSteps replays the scenario and compares members, the engine's own
// documents aside. A permitted difference that does not occur is an error.
func TestStanSteps(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	raw, err := os.ReadFile("testdata/stan-steps.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Files map[string]json.RawMessage
		Steps []struct {
			Name       string
			Full, Diff []string
			Keys       []string `json:"contextSnapshotKeys"`
		}
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name string, b []byte) {
		t.Helper()
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, v := range doc.Files {
		var s string
		if json.Unmarshal(v, &s) == nil {
			write(name, []byte(s))
			continue
		}
		var b struct{ Base64 string }
		if err := json.Unmarshal(v, &b); err != nil {
			t.Fatal(err)
		}
		data, err := base64.StdEncoding.DecodeString(b.Base64)
		if err != nil {
			t.Fatal(err)
		}
		write(name, data)
	}
	own := func(name string) bool {
		return name == ".stan/system/haversack.md" || name == ".stan/context/changes.json" || name == ".stan/context/changes.patch"
	}
	done := 0
	for _, step := range doc.Steps {
		s, ok := stanSteps[step.Name]
		if !ok {
			continue // step 0 makes the meta, 10 and 14 combine outputs, which this program does not do
		}
		done++
		for name, c := range s.write {
			write(name, []byte(c))
		}
		for _, name := range s.remove {
			os.Remove(filepath.Join(dir, name))
		}
		switch s.state {
		case "":
		case "-":
			os.Remove(filepath.Join(dir, ".stan/context/dependency.state.json"))
		default:
			write(".stan/context/dependency.state.json", []byte(s.state))
		}
		args := append([]string{"--mode", "context", "--base", "saved"}, s.args...)
		if slices.Contains(s.args, "--mode") {
			args = append([]string{"--base", "saved"}, s.args...)
		}
		if slices.Contains(s.args, "--base") {
			args = s.args
		}
		if _, err := execute(t, dir, nil, args...); err != nil {
			t.Fatalf("%s: %v", step.Name, err)
		}
		compare := func(what, archive string, want []string) {
			t.Helper()
			var got []string
			for _, m := range members(t, filepath.Join(dir, ".stan/output", archive)) {
				if !own(m) {
					got = append(got, m)
				}
			}
			need := map[string]bool{}
			for m := range s.added {
				need[m] = true
			}
			for m, why := range s.gone {
				need[m] = why != ""
			}
			var expected []string
			for _, m := range want {
				if _, gone := s.gone[m]; !gone || slices.Contains(got, m) {
					expected = append(expected, m)
				} else {
					delete(need, m)
				}
			}
			for m := range s.added {
				if slices.Contains(got, m) && !slices.Contains(want, m) {
					expected = append(expected, m)
					delete(need, m)
				}
			}
			slices.Sort(expected)
			if !slices.Equal(got, expected) {
				t.Errorf("%s: %s\n got %s\nwant %s", step.Name, what, strings.Join(got, " "), strings.Join(expected, " "))
			}
			for m, needed := range need {
				if needed {
					t.Errorf("%s: the difference %s is permitted and does not occur", step.Name, m)
				}
			}
		}
		compare("full", "archive.tar", step.Full)
		if step.Diff != nil {
			compare("diff", "archive.diff.tar", step.Diff)
		} else if _, err := os.Stat(filepath.Join(dir, ".stan/output/archive.diff.tar")); err == nil {
			t.Errorf("%s: there is a diff archive", step.Name)
		}
	}
	if done != len(stanSteps) {
		t.Errorf("%d of %d steps found", done, len(stanSteps))
	}
}

// members lists a tar in archive order.
func members(t *testing.T, archive string) []string {
	t.Helper()
	var list []string
	for h := range headers(t, archive) {
		list = append(list, h.Name)
	}
	return list
}
