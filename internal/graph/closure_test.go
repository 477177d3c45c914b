package graph

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

func readMeta(t testing.TB, name string) *Meta {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ParseMeta(b)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestSelectGolden holds closures to those of the reference implementation.
func TestSelectGolden(t *testing.T) {
	for _, name := range []string{"fixture", "stan-context"} {
		dir := "testdata/golden/" + name + "/"
		m := readMeta(t, dir+"meta.json")
		b, err := os.ReadFile(dir + "select.json")
		if err != nil {
			t.Fatal(err)
		}
		var cases []struct {
			State json.RawMessage
			Bytes int64
			IDs   []string
		}
		if err := json.Unmarshal(b, &cases); err != nil {
			t.Fatal(err)
		}
		if len(cases) == 0 {
			t.Fatal("no cases")
		}
		for _, c := range cases {
			state, _, err := ParseState("state", c.State)
			if err != nil {
				t.Fatal(err)
			}
			sel := Select(m, Wish{State: state, ChangedDepth: -1, DependentsDepth: -1})
			slices.Sort(c.IDs)
			if !slices.Equal(sel.IDs, c.IDs) {
				t.Errorf("%s: %s: got %q, want %q", name, c.State, sel.IDs, c.IDs)
			}
			var bytes int64
			for _, id := range sel.IDs {
				bytes += sel.Size(id)
			}
			if bytes != c.Bytes {
				t.Errorf("%s: %s: %d bytes, want %d", name, c.State, bytes, c.Bytes)
			}
			var raw struct{ I, X []any }
			if err := json.Unmarshal(c.State, &raw); err != nil {
				t.Fatal(err)
			}
			sum := Summarize(m.Inflate(), raw.I, raw.X, SummaryOptions{})
			if !slices.Equal(sum.SelectedNodeIDs, c.IDs) || sum.TotalBytes != c.Bytes {
				t.Errorf("%s: %s: summary %q, %d bytes", name, c.State, sum.SelectedNodeIDs, sum.TotalBytes)
			}
		}
	}
}

// chain is a -> b -> c -> a with b -type-> t, c -dynamic-> d.
func chain() *Meta {
	n := func(size int64, edges ...Edge) MetaNode { return MetaNode{Kind: Source, Size: size, Edges: edges} }
	return &Meta{Nodes: map[string]MetaNode{
		"a":       n(10, Edge{"b", Runtime, Explicit}, Edge{"node:fs", Runtime, Explicit}, Edge{"./nope", Runtime, Explicit}),
		"b":       n(20, Edge{"c", Runtime, Explicit}, Edge{"t", Type, Explicit}),
		"c":       n(30, Edge{"a", Runtime, Explicit}, Edge{"d", Dynamic, Explicit}),
		"d":       n(40),
		"t":       n(50),
		"dir/x":   n(60),
		"node:fs": {Kind: Builtin},
		"./nope":  {Kind: Missing},
	}}
}

func TestSelect(t *testing.T) {
	e := func(id string, depth int, u Uses) Entry { return Entry{id, depth, u} }
	for _, c := range []struct {
		name     string
		wish     Wish
		want     string
		warnings string
	}{
		{name: "seed alone", wish: Wish{State: State{Include: []Entry{e("a", 0, All)}}}, want: "a"},
		{name: "one step", wish: Wish{State: State{Include: []Entry{e("a", 1, All)}}}, want: "a b"},
		{name: "all, round a cycle", wish: Wish{State: State{Include: []Entry{e("a", 99, All)}}}, want: "a b c d t"},
		{name: "runtime", wish: Wish{State: State{Include: []Entry{e("a", 99, Runtime)}}}, want: "a b c"},
		{name: "type finds nothing behind runtime", wish: Wish{State: State{Include: []Entry{e("a", 99, Type)}}}, want: "a"},
		{name: "no uses", wish: Wish{State: State{Include: []Entry{e("a", 99, 0)}}}, want: "a"},
		{name: "masks do not mix", wish: Wish{State: State{Include: []Entry{e("a", 1, Runtime), e("b", 1, Type)}}}, want: "a b t"},
		{name: "exclude wins", wish: Wish{State: State{Include: []Entry{e("a", 99, All)}, Exclude: []Entry{e("c", 1, Dynamic)}}}, want: "a b t"},
		{name: "exclude of an unknown is silent", wish: Wish{State: State{Include: []Entry{e("a", 0, All)}, Exclude: []Entry{e("zz", 1, All)}}}, want: "a"},
		{name: "unknown, folder, no file", wish: Wish{State: State{Include: []Entry{e("zz", 3, All), e("dir", 0, All), e("node:fs", 0, All), e("./nope", 0, All), e("./t", 0, All)}}},
			want: "dir t zz", warnings: "./nope: a missing module, no file; passed over|dir: a folder; name the files in it|node:fs: a builtin module, no file; passed over|zz: not in the graph, which knows neither its size nor what it needs"},
		{name: "reserved", wish: Wish{State: State{Include: []Entry{e(".git/config", 0, All), e("sub/.GIT/config", 0, All), e(".stan/output/archive.tar", 0, All), e(".stan/context/dependency.map.json", 0, All), e(".stan/./patch/x", 0, All)}}},
			want: "", warnings: ".git/config: reserved (.git/**), never archived|.stan/context/dependency.map.json: reserved (.stan/context/dependency.map.json), never archived|.stan/output/archive.tar: reserved (.stan/output/**), never archived|.stan/patch/x: reserved (.stan/patch/**), never archived|sub/.GIT/config: reserved (.git/**), never archived"},
		{name: "changed and its needs", wish: Wish{Changed: []string{"b"}, ChangedDepth: 1, DependentsDepth: -1}, want: "b c t"},
		{name: "changed and its dependents", wish: Wish{Changed: []string{"b"}, ChangedDepth: 0, DependentsDepth: 1}, want: "a b"},
		{name: "dependents of dependents", wish: Wish{Changed: []string{"t"}, ChangedDepth: -1, DependentsDepth: 2}, want: "a b t"},
		{name: "changed as no seeds", wish: Wish{Changed: []string{"b"}, ChangedDepth: -1, DependentsDepth: -1}, want: ""},
		{name: "exclude beats changed", wish: Wish{State: State{Exclude: []Entry{e("b", 0, All)}}, Changed: []string{"b"}, ChangedDepth: 1, DependentsDepth: 1}, want: "a c t"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.wish.Changed == nil {
				c.wish.ChangedDepth, c.wish.DependentsDepth = -1, -1
			}
			s := Select(chain(), c.wish)
			if got := strings.Join(s.IDs, " "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			var w []string
			for _, x := range s.Warnings {
				w = append(w, x.String())
			}
			if got := strings.Join(w, "|"); got != c.warnings {
				t.Errorf("warnings\n%s\nwant\n%s", got, c.warnings)
			}
		})
	}
}

func TestWhy(t *testing.T) {
	s := Select(chain(), Wish{State: State{Include: []Entry{{"a", 3, All}}}, Changed: []string{"d"}, ChangedDepth: 0, DependentsDepth: 1})
	for id, want := range map[string]string{
		"a": "a (state a@3)",
		"t": "a (state a@3) > b (runtime) > t (type)",
		"d": "d (changed)",
		"c": "d (changed) > c (dynamic, needs it)",
		"z": "",
	} {
		var steps []string
		chain, passed := s.Why(id, 100)
		if short, n := s.Why(id, 2); len(chain) > 2 && (n != len(chain)-2 || fmt.Sprint(short) != fmt.Sprint([]Step{chain[0], chain[len(chain)-1]})) || passed != 0 {
			t.Errorf("%s: in short %v, %d passed over", id, short, n)
		}
		for _, x := range chain {
			steps = append(steps, x.String())
		}
		if got := strings.Join(steps, " > "); got != want {
			t.Errorf("%s: got %q, want %q", id, got, want)
		}
	}
}

func TestNearest(t *testing.T) {
	s := Select(chain(), Wish{State: State{Include: []Entry{{"a", 3, All}}}, ChangedDepth: -1, DependentsDepth: -1})
	if got := strings.Join(s.Nearest(s.Size), " "); got != "a b c t d" {
		t.Errorf("got %s", got)
	}
	if got, want := s.Unfit("d", 40), "about 10 tokens, 3 from the seeds (dynamic); to get it, raise budget-tokens or ask for d and for less beside it"; got != want {
		t.Errorf("got %s", got)
	}
}

func TestCount(t *testing.T) {
	sizes := map[string]int64{"a": 1, "b": 10, "c": 100}
	b := Count([]string{"a", "b"}, []string{"b", "c"}, []string{"c"}, func(p string) int64 { return sizes[p] })
	want := Budget{Files: 3, Bytes: 111, Tokens: 28, BaseOnly: Part{1, 1}, ClosureOnly: Part{1, 100}, Overlap: Part{1, 10}, Changed: Part{1, 100},
		Largest: []FileSize{{"c", 100}, {"b", 10}, {"a", 1}}}
	if fmt.Sprint(b) != fmt.Sprint(want) {
		t.Errorf("got %+v, want %+v", b, want)
	}
}

// random makes a graph of n nodes.
func random(r *rand.Rand, n int) *Meta {
	m := &Meta{Nodes: map[string]MetaNode{}}
	for i := range n {
		node := MetaNode{Kind: Source, Size: r.Int64N(1000)}
		if r.IntN(10) == 0 {
			node.Kind = Kind(r.IntN(4))
		}
		for range r.IntN(4) {
			node.Edges = append(node.Edges, Edge{fmt.Sprint("n", r.IntN(n)), Uses(1 + r.IntN(7)), Explicit})
		}
		node.Edges = mergeEdges(node.Edges)
		m.Nodes[fmt.Sprint("n", i)] = node
	}
	return m
}

func randomEntries(r *rand.Rand, n int) []Entry {
	var list []Entry
	for range r.IntN(4) {
		list = append(list, Entry{fmt.Sprint("n", r.IntN(n+2)), r.IntN(5), Uses(r.IntN(8))})
	}
	return list
}

// naive is a closure written another way: by the definition, walk by walk.
func naive(m *Meta, entries []Entry) map[string]bool {
	all := map[string]bool{}
	for _, e := range entries {
		set := map[string]bool{e.ID: true}
		for range e.Depth {
			for id := range maps.Clone(set) {
				for _, edge := range m.Nodes[id].Edges {
					if edge.Uses&e.Uses != 0 {
						set[edge.Target] = true
					}
				}
			}
		}
		maps.Copy(all, set)
	}
	return all
}

func TestClosureProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		m := random(r, 1+r.IntN(20))
		state := State{randomEntries(r, len(m.Nodes)), randomEntries(r, len(m.Nodes))}
		s := Select(m, Wish{State: state, ChangedDepth: -1, DependentsDepth: -1})
		// A seed that is no file is passed over, with what it would lead to.
		files := func(entries []Entry) (list []Entry) {
			for _, e := range entries {
				if n, ok := m.Nodes[e.ID]; !ok || n.Kind.File() {
					list = append(list, e)
				}
			}
			return list
		}
		in, out := naive(m, files(state.Include)), naive(m, files(state.Exclude))
		var want []string
		for id := range in {
			if n, ok := m.Nodes[id]; !out[id] && (!ok || n.Kind.File()) {
				want = append(want, id)
			}
		}
		slices.Sort(want)
		if !slices.Equal(s.IDs, want) {
			t.Fatalf("%+v\n%s\ngot %q, want %q", state, m.Encode(), s.IDs, want)
		}
		r.Shuffle(len(state.Include), func(i, j int) { state.Include[i], state.Include[j] = state.Include[j], state.Include[i] })
		again := Select(m, Wish{State: state, ChangedDepth: -1, DependentsDepth: -1})
		for _, id := range s.IDs {
			why, _ := s.Why(id, 100)
			if too, _ := again.Why(id, 100); fmt.Sprint(why) != fmt.Sprint(too) {
				t.Fatalf("why of %s depends on the order of entries", id)
			}
			if why[0].Seed == "" || why[len(why)-1].ID != id || len(why)-1 > s.Distance(id) {
				t.Fatalf("why of %s: %v", id, why)
			}
			// The chain is one that an entry asks for: of its uses, within its depth.
			if !slices.ContainsFunc(state.Include, func(e Entry) bool {
				return e.ID == why[0].ID && "state "+e.String() == why[0].Seed && len(why)-1 <= e.Depth &&
					!slices.ContainsFunc(why[1:], func(x Step) bool { return x.Uses&e.Uses == 0 })
			}) {
				t.Fatalf("why of %s: %v is of no entry of %v", id, why, state.Include)
			}
			for i := 1; i < len(why); i++ {
				if !slices.ContainsFunc(m.Nodes[why[i-1].ID].Edges, func(e Edge) bool { return e.Target == why[i].ID }) {
					t.Fatalf("why of %s: %v is no path", id, why)
				}
			}
		}
		// A narrower state never adds.
		if n := len(state.Include); n > 0 {
			narrow := Select(m, Wish{State: State{state.Include[:n-1], state.Exclude}, ChangedDepth: -1, DependentsDepth: -1})
			for _, id := range narrow.IDs {
				if !slices.Contains(s.IDs, id) {
					t.Fatalf("narrower state adds %s", id)
				}
			}
		}
		order := s.Nearest(s.Size)
		for i, id := range order {
			if i > 0 && s.Distance(order[i-1]) > s.Distance(id) {
				t.Fatalf("%s comes after %s", id, order[i-1])
			}
		}
		if slices.Sort(order); !slices.Equal(order, s.IDs) {
			t.Fatalf("the order of %s is %s", s.IDs, order)
		}
	}
}

func TestSummarize(t *testing.T) {
	g := chain().Inflate()
	var in []any
	if err := json.Unmarshal([]byte(`["a", ["b", 1, 9], ["c", -1], ["", 1], ["zz"], ["node:fs"], ["d", 1, ["runtime", "x"]], ["t", 1, ["y"]], 7]`), &in); err != nil {
		t.Fatal(err)
	}
	s := Summarize(g, in, []any{"t"}, SummaryOptions{MaxLargest: 2})
	if got := strings.Join(s.SelectedNodeIDs, " "); got != "a b c d zz" {
		t.Errorf("selected %q", got)
	}
	if s.TotalBytes != 100 || fmt.Sprint(s.Largest) != "[{d 40} {c 30}]" {
		t.Errorf("%d bytes, largest %v", s.TotalBytes, s.Largest)
	}
	want := []string{
		"Dropped builtin node from selection: node:fs",
		"Invalid depth for entry[2]: expected integer >= 0; using 0.",
		"Invalid edgeKind for entry[6]: x; ignoring.",
		"Invalid edgeKind for entry[7]: y; ignoring.",
		"Invalid edgeKinds bit(s) for entry[1]: 8; ignoring.",
		"Invalid nodeId for entry[3]: expected non-empty string.",
		"Invalid nodeId for entry[8]: expected non-empty string.",
		"No valid edgeKinds for entry[7]; no edges will be traversed.",
		"Selected nodeId not present in graph.nodes: zz",
	}
	if !slices.Equal(s.Warnings, want) {
		t.Errorf("warnings %q", s.Warnings)
	}
	none := Uses(0)
	if s := Summarize(g, []any{[]any{"a", 2.0}}, nil, SummaryOptions{DefaultUses: &none, Drop: []Kind{}}); len(s.SelectedNodeIDs) != 1 {
		t.Errorf("default uses: %q", s.SelectedNodeIDs)
	}
}

// TestManySeeds follows a chain from each of its files, each as far as twice its distance from the first: every
// file is come to again from each seed.
func TestManySeeds(t *testing.T) {
	const n = 1100
	m := &Meta{Nodes: map[string]MetaNode{}}
	name := func(i int) string { return fmt.Sprintf("f%05d", i) }
	var state State
	for i := range 3 * n {
		m.Nodes[name(i)] = MetaNode{Edges: []Edge{{name(i + 1), Runtime, Explicit}}}
		if i < n {
			state.Include = append(state.Include, Entry{name(n - 1 - i), 2 * i, All})
		}
	}
	m.Nodes[name(3*n)] = MetaNode{}
	s := Select(m, Wish{State: state, ChangedDepth: -1, DependentsDepth: -1})
	// The first seed has most edges: 2(n-1).
	if len(s.IDs) != 2*n-1 || s.IDs[len(s.IDs)-1] != name(2*n-2) {
		t.Errorf("%d are selected, the last is %s", len(s.IDs), s.IDs[len(s.IDs)-1])
	}
	chain, passed := s.Why(name(2*n-2), 5)
	if len(chain) != 5 || passed != 2*n-1-5 || chain[0].Seed == "" {
		t.Errorf("why %v, %d passed over", chain, passed)
	}
}
