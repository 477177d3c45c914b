package action

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/plan"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/repotest"
)

// reach walks the meta from one entry, edge by edge, and marks what it meets.
// It is written apart from internal/graph on purpose.
func reach(meta map[string]metaNode, id string, depth, mask int, met map[string]bool) {
	met[id] = true
	if depth == 0 {
		return
	}
	for _, e := range meta[id].E {
		to, kinds := e[0].(string), int(e[1].(float64))
		if kinds&mask != 0 {
			reach(meta, to, depth-1, mask, met)
		}
	}
}

type metaNode struct {
	K int
	S int64
	E [][]any
}

// TestClosureMemberByMember makes random projects and states, and holds the
// archive's members against another way to the closure.
func TestClosureMemberByMember(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 3))
			var b strings.Builder
			const n = 24
			for i := range n {
				fmt.Fprintf(&b, "-- src/f%02d.ts --\nexport const v%d = %d;\n", i, i, i)
				for range rng.IntN(4) {
					to := rng.IntN(n)
					switch rng.IntN(4) {
					case 0:
						fmt.Fprintf(&b, "import type {v%d} from './f%02d';\n", to, to)
					case 1:
						fmt.Fprintf(&b, "export const l%d = () => import('./f%02d');\n", rng.IntN(1e6), to)
					case 2:
						fmt.Fprintf(&b, "import {T%d} from 'dep';\n", rng.IntN(3))
					default:
						fmt.Fprintf(&b, "import {v%d} from './f%02d';\n", to, to)
					}
				}
			}
			b.WriteString("-- node_modules/dep/package.json --\n{\"name\":\"dep\",\"version\":\"1.2.3\",\"types\":\"i.d.ts\"}\n")
			b.WriteString("-- node_modules/dep/i.d.ts --\nexport type T0 = 0; export type T1 = 1; export type T2 = 2;\n")
			b.WriteString("-- tsconfig.json --\n{\"compilerOptions\":{\"moduleResolution\":\"bundler\",\"module\":\"esnext\"}}\n")
			r := repotest.New(t, b.String())
			entry := func() []any { return []any{fmt.Sprintf("src/f%02d.ts", rng.IntN(n)), rng.IntN(4), 1 + rng.IntN(7)} }
			include, exclude := [][]any{entry(), entry(), {"src/f00.ts", 2, 7}}, [][]any{entry()}
			state, _ := json.Marshal(map[string]any{"v": 2, "i": include, "x": exclude})
			r.Write(".stan/context/dependency.state.json", string(state))
			if _, err := execute(t, r.Dir, nil, "--base", "none"); err != nil {
				t.Fatal(err)
			}
			out := filepath.Join(r.Dir, ".stan", "output")
			var meta struct{ N map[string]metaNode }
			if err := json.Unmarshal(member(t, filepath.Join(out, "archive.tar"), ".stan/context/dependency.meta.json"), &meta); err != nil {
				t.Fatal(err)
			}
			in, not := map[string]bool{}, map[string]bool{}
			for _, e := range include {
				reach(meta.N, e[0].(string), e[1].(int), e[2].(int), in)
			}
			for _, e := range exclude {
				reach(meta.N, e[0].(string), e[1].(int), e[2].(int), not)
			}
			want := []string{"tsconfig.json", ".stan/context/dependency.meta.json", ".stan/context/dependency.state.json", ".stan/system/haversack.md"}
			for id := range in {
				if !not[id] && meta.N[id].K < 2 {
					want = append(want, id)
				}
			}
			slices.Sort(want)
			got := members(t, filepath.Join(out, "archive.tar"))
			if !slices.Equal(got, want) {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			// The map's sha256, taken by the verb graph, is the staged member's.
			if _, err := execute(t, r.Dir, nil, "graph"); err != nil {
				t.Fatal(err)
			}
			raw, err := os.ReadFile(filepath.Join(r.Dir, ".stan/context/dependency.map.json"))
			if err != nil {
				t.Fatal(err)
			}
			var m struct {
				Nodes map[string]struct{ SHA256, LocatorAbs string }
			}
			if err := json.Unmarshal(raw, &m); err != nil {
				t.Fatal(err)
			}
			f, err := os.Open(filepath.Join(out, "archive.tar"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			for tr := tar.NewReader(f); ; {
				h, err := tr.Next()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				if node, ok := m.Nodes[h.Name]; ok {
					sum := sha256.New()
					io.Copy(sum, tr)
					if hex.EncodeToString(sum.Sum(nil)) != node.SHA256 {
						t.Errorf("%s: member and map differ", h.Name)
					}
				}
			}
		})
	}
}

// TestLargeMap: of a map too large for an archive, what is linked and what is
// selected stays; the rest is counted and can still be selected. The start of a
// thread lists everything.
func TestLargeMap(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	var b strings.Builder
	b.WriteString("-- src/a.ts --\nimport './b';\n-- src/b.ts --\nexport {};\n")
	const styles = 1800
	for i := range styles {
		fmt.Fprintf(&b, "-- styles/a-folder-with-a-long-name/another-with-a-longer-name/%04d.css --\na{}\n", i)
	}
	r := repotest.New(t, b.String())
	const asked = "styles/a-folder-with-a-long-name/another-with-a-longer-name/0007.css"
	r.Write(".stan/context/dependency.state.json", `{"v":2,"i":["src/a.ts","`+asked+`"]}`)
	out := filepath.Join(r.Dir, ".stan", "output")
	nodes := func(mode string) []string {
		t.Helper()
		if _, err := execute(t, r.Dir, nil, "--base", "none", "--mode", mode); err != nil {
			t.Fatal(err)
		}
		var meta struct{ N map[string]metaNode }
		if err := json.Unmarshal(member(t, filepath.Join(out, "archive.tar"), ".stan/context/dependency.meta.json"), &meta); err != nil {
			t.Fatal(err)
		}
		return slices.Sorted(maps.Keys(meta.N))
	}
	if got, want := nodes("context"), []string{"src/a.ts", "src/b.ts", asked}; !slices.Equal(got, want) {
		t.Errorf("the map of a context archive lists %s, want %s", got, want)
	}
	if got := members(t, filepath.Join(out, "archive.tar")); !slices.Contains(got, asked) {
		t.Errorf("%s is selected and not in the archive: %s", asked, got)
	}
	var rec record.Record
	raw, err := os.ReadFile(filepath.Join(out, "record.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &rec); err != nil {
		t.Fatal(err)
	}
	if rec.Budget.Unlisted != styles-1 {
		t.Errorf("the record counts %d files that the map leaves out, want %d", rec.Budget.Unlisted, styles-1)
	}
	if got := len(nodes("meta")); got != styles+2 {
		t.Errorf("the map that opens a thread lists %d files, want %d", got, styles+2)
	}
}

// TestGuideHoldsTheRules: the rules of the loop between the assistant and the engine,
// and the tables by which the map is read, stand in the guide.
func TestGuideHoldsTheRules(t *testing.T) {
	for what, words := range map[string]string{
		"active, thread-sticky":       "was seen earlier in this thread",
		"only a full archive ends it": "only a full archive that shows it deleted ends it",
		"exactly one of":              "you MUST do exactly one of: patch",
		"no change line":              "`dependency.state.json: no change`",
		"heading":                     "`## Input Data Changes`",
		"no no-op patches":            "MUST NOT patch the state without changing it",
		"scratch WHY":                 "you MUST say WHY in `.stan/system/stan.scratch.md`",
		"acquiring context":           "you MUST ask for it through the state",
		"no paste":                    "MUST NOT ask the user to\n   paste a file",
		"error logs":                  "at depth 0 or 1",
		"checklist":                   "you MUST give a checklist",
		"present yes or no":           "present in the current archive: yes or no",
		"entries as written":          "exactly as written",
		"hard gate":                   "you MUST NOT patch those files in this turn",
		"what may be patched then":    "`.stan/system/stan.todo.md` and the commit message",
		"editing safety":              "MUST NOT edit a file that you know of but have not been given",
		"read-only imports":           "MUST NOT create, change or delete anything under `.stan/imports/`",
		"prefer imports":              "select the one in `imports`",
		"anti-bloat":                  "Prefer shallow depths and explicit excludes",
		"node kinds":                  "0 source, 1 external, 2 builtin, 3 missing",
		"edge kinds":                  "runtime 1, type 2, dynamic 4, all 7",
		"resolution":                  "explicit 1, implicit 2",
		"excludes win":                "Excludes win over includes",
		"ignored files may be asked":  "may name files that git ignores",
		"what no selection brings":    "It does not bring `.git`",
	} {
		if !strings.Contains(strings.ReplaceAll(plan.GuideText, "{{stan}}", ".stan"), words) {
			t.Errorf("%s: the guide lacks %q", what, words)
		}
	}
	if n := len(plan.GuideText); n > 5000 {
		t.Errorf("the guide has %d bytes: it is in every context archive", n)
	}
}
