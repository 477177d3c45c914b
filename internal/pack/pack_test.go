package pack

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tree"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// snapshot makes a snapshot of files as a scan would, less the rules: a file
// that is no text is omitted as binary, and named lock files are of low value.
func snapshot(files map[string][]byte) *scan.Snapshot {
	s := &scan.Snapshot{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		b := files[name]
		typ, category := scan.Classify(name)
		enc := text.Detect(b)
		if enc == text.Binary {
			s.Omitted = append(s.Omitted, scan.Omission{Path: name, Reason: scan.Binary, Rule: "NUL byte", Size: int64(len(b)), Type: typ, Category: category})
			continue
		}
		f := scan.File{File: tree.Bytes(name, b), Type: typ, Category: category, Encoding: enc, Lines: lineCount(text.Decode(b, enc))}
		switch filepath.Base(name) {
		case "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "go.sum", "Cargo.lock":
			f.LowValue = "lock file"
		}
		s.Files = append(s.Files, f)
	}
	scan.MarkKeyFiles(s.Files)
	return s
}

func lineCount(b []byte) int {
	n := bytes.Count(b, []byte("\n"))
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return n
}

// omit adds an omission in its place.
func omit(s *scan.Snapshot, name string, reason scan.Reason) {
	typ, category := scan.Classify(name)
	s.Omitted = append(s.Omitted, scan.Omission{Path: name, Reason: reason, Rule: "test", Type: typ, Category: category})
	slices.SortFunc(s.Omitted, func(a, b scan.Omission) int { return strings.Compare(a.Path, b.Path) })
}

func fromFiles(files map[string][]byte) *Source {
	src := &Source{Snapshot: snapshot(files), Limits: Defaults(), Created: "2024-05-06T07:08:09Z", Name: "repository", Define: lineDefinitions}
	for _, f := range src.Snapshot.Files {
		src.Ranked = append(src.Ranked, f.Path)
	}
	return src
}

// lineDefinitions takes each line that begins with one of these words for a definition.
func lineDefinitions(_ string, text []byte) (list []Signature) {
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		for _, word := range []string{"func ", "export ", "const ", "def "} {
			if strings.HasPrefix(line, word) {
				list = append(list, Signature{fmt.Sprintf("%d %s", n, strings.TrimSpace(line)), word == "func " || word == "export "})
			}
		}
	}
	return list
}

// parseCase reads a txtar: settings in the comment, files, and what is wanted
// under want/.
func parseCase(t *testing.T, ar *txtar.Archive) (*Source, map[string]int) {
	t.Helper()
	files := map[string][]byte{}
	want := map[string]int{}
	for i, f := range ar.Files {
		if name, ok := strings.CutPrefix(f.Name, "want/"); ok {
			want[name] = i
		} else {
			files[f.Name] = f.Data
		}
	}
	src := fromFiles(files)
	src.Ranked = nil // what stands in a summary beside what it says has tests of its own
	for line := range strings.Lines(string(ar.Comment)) {
		word := strings.Fields(line)
		switch {
		case len(word) == 0 || word[0] == "#":
		case word[0] == "omit":
			omit(src.Snapshot, word[1], scan.Reason(word[2]))
		case word[0] == "edge":
			if src.Edges == nil {
				src.Edges = map[string][]string{}
			}
			src.Edges[word[1]] = append(src.Edges[word[1]], word[2])
		case word[0] == "set":
			if err := src.Limits.Set(word[1], strings.Join(word[2:], "\n")); err != nil {
				t.Fatal(err)
			}
		default:
			t.Fatalf("unknown setting %q", line)
		}
	}
	return src, want
}

func cases(t testing.TB) map[string]*txtar.Archive {
	t.Helper()
	names, _ := filepath.Glob("testdata/*.txtar")
	if len(names) == 0 {
		t.Fatal("no cases")
	}
	out := map[string]*txtar.Archive{}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = txtar.Parse(b)
	}
	return out
}

// both makes both packs. Whatever a test makes is checked against its schema.
func both(t testing.TB, src *Source) (*Full, *Summary) {
	t.Helper()
	full, err := NewBuilder(src).Full("full: asked for")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := NewBuilder(src).Summary("summary: asked for")
	if err != nil {
		t.Fatal(err)
	}
	validate(t, schema(t, "full.schema.json"), fullJSON(t, full))
	validate(t, schema(t, "summary.schema.json"), summaryJSON(t, sum))
	return full, sum
}

func render(t testing.TB, write func(w *bytes.Buffer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func fullJSON(t testing.TB, p *Full) []byte {
	return render(t, func(w *bytes.Buffer) error { return p.WriteJSON(w) })
}

func summaryJSON(t testing.TB, p *Summary) []byte {
	return render(t, func(w *bytes.Buffer) error { return p.WriteJSON(w) })
}

func TestGolden(t *testing.T) {
	for name, ar := range cases(t) {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			src, want := parseCase(t, ar)
			full, sum := both(t, src)
			indented, err := json.MarshalIndent(full.Manifest, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			got := map[string][]byte{
				"manifest.json": append(indented, '\n'),
				"full.json":     fullJSON(t, full),
				"full.md":       render(t, func(w *bytes.Buffer) error { return full.WriteMarkdown(w) }),
				"summary.json":  summaryJSON(t, sum),
				"summary.md":    render(t, func(w *bytes.Buffer) error { return sum.WriteMarkdown(w) }),
			}
			changed := false
			for _, w := range slices.Sorted(maps.Keys(want)) {
				if _, ok := got[w]; !ok {
					t.Fatalf("want/%s: no such output", w)
				}
				f := &ar.Files[want[w]]
				if bytes.Equal(f.Data, got[w]) {
					continue
				}
				if *update {
					f.Data, changed = got[w], true
					continue
				}
				t.Errorf("%s: -want +got\n%s", w, cmp.Diff(string(f.Data), string(got[w])))
			}
			if changed {
				if err := os.WriteFile(name, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

var schemas = map[string]*jsonschema.Schema{}

func schema(t testing.TB, name string) *jsonschema.Schema {
	t.Helper()
	if s := schemas[name]; s != nil {
		return s
	}
	s, err := jsonschema.NewCompiler().Compile("schema/" + name)
	if err != nil {
		t.Fatal(err)
	}
	schemas[name] = s
	return s
}

func validate(t testing.TB, s *jsonschema.Schema, b []byte) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(v); err != nil {
		t.Error(err)
	}
}

// Every pack is valid, reads back equal, is the same when it is made again, and
// has no absent list.
func TestSchemaAndRoundTrip(t *testing.T) {
	fullSchema, summarySchema := schema(t, "full.schema.json"), schema(t, "summary.schema.json")
	for name, ar := range cases(t) {
		src, _ := parseCase(t, ar)
		full, sum := both(t, src)
		again, sumAgain := both(t, src)
		b, s := fullJSON(t, full), summaryJSON(t, sum)
		validate(t, fullSchema, b)
		validate(t, summarySchema, s)
		if !bytes.Equal(b, fullJSON(t, again)) || !bytes.Equal(s, summaryJSON(t, sumAgain)) {
			t.Errorf("%s: made twice, not the same", name)
		}
		back, err := ReadFull(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		back.counts = full.counts // not in JSON
		if d := cmp.Diff(full, back, cmp.AllowUnexported(Full{})); d != "" {
			t.Errorf("%s: read back, not the same\n%s", name, d)
		}
		sumBack, err := ReadSummary(bytes.NewReader(s))
		if err != nil {
			t.Fatal(err)
		}
		sumBack.counts, sumBack.paragraphs = sum.counts, sum.paragraphs // not in JSON
		if d := cmp.Diff(sum, sumBack, cmp.AllowUnexported(Summary{})); d != "" {
			t.Errorf("%s: summary read back, not the same\n%s", name, d)
		}
		if bytes.Contains(b, []byte("null")) && !bytes.Contains(bytes.Join(contents(full), nil), []byte("null")) {
			t.Errorf("%s: null in a pack", name)
		}
		for _, p := range [][]byte{b, s} {
			if bytes.Contains(p, []byte(`\u003c`)) {
				t.Errorf("%s: HTML escaped", name)
			}
		}
	}
}

func contents(p *Full) [][]byte {
	var out [][]byte
	for _, k := range p.KeyFiles {
		out = append(out, []byte(k.Content))
	}
	for _, c := range p.Contents {
		out = append(out, []byte(c.Content))
	}
	return out
}

func contentSize(p *Full) int64 {
	var n int64
	for _, c := range contents(p) {
		n += int64(len(c))
	}
	return n
}

// A pack never exceeds its limits, and a narrower limit never adds content.
func TestLimits(t *testing.T) {
	step := int64(37)
	if testing.Short() {
		step = 370
	}
	for name, ar := range cases(t) {
		src, _ := parseCase(t, ar)
		src.Limits.Marker = "~"
		before := int64(math.MaxInt64)
		for limit := int64(4000); limit > 0; limit -= step {
			src.Limits.MaxTotalBytes = limit
			full, err := NewBuilder(src).Full("")
			if err != nil {
				t.Fatal(err)
			}
			n := contentSize(full)
			if n > limit || n != full.Metadata.TotalContentBytes {
				t.Fatalf("%s: %d bytes of content, %d said, limit %d", name, n, full.Metadata.TotalContentBytes, limit)
			}
			now := map[string]int{}
			for _, k := range full.KeyFiles {
				now[k.Path] = len(k.Content)
			}
			for _, c := range full.Contents {
				now[c.Path] = len(c.Content)
			}
			if n > before {
				t.Fatalf("%s: limit %d gives %d bytes of content, a wider one %d", name, limit, n, before)
			}
			if i := full.Info(); i.FilesIncluded != len(now) || i.FilesIncluded+i.FilesExcluded != i.FilesScanned {
				t.Fatalf("%s: %d files in the pack, %+v", name, len(now), i)
			}
			before = n
		}
		elements := func(p *Summary) map[string]bool {
			m := map[string]bool{}
			for _, list := range []any{p.RiskHotspots, p.Entrypoints, p.KeyFilesSummary, p.RepoSummary.KeyTechnologies,
				p.RepoSummary.NotablePatterns, p.RepoSummary.PotentialConcerns} {
				v := reflect.ValueOf(list)
				for i := range v.Len() {
					m[fmt.Sprintf("%T %v", list, v.Index(i))] = true
				}
			}
			return m
		}
		src, _ = parseCase(t, ar)
		var wider map[string]bool
		for limit := int64(60000); limit >= MinBytes; limit = limit * 9 / 10 {
			src.Limits.MaxContentBytes = limit
			sum, err := NewBuilder(src).Summary("")
			if err != nil {
				t.Fatal(err)
			}
			n := int64(len(summaryJSON(t, sum)))
			if n > limit {
				t.Fatalf("%s: summary of %d bytes, limit %d", name, n, limit)
			}
			if md := int64(len(render(t, func(w *bytes.Buffer) error { return sum.WriteMarkdown(w) }))); md > limit {
				t.Fatalf("%s: %d bytes as Markdown, limit %d", name, md, limit)
			}
			now := elements(sum)
			for e := range now {
				if wider != nil && !wider[e] {
					t.Fatalf("%s: limit %d adds to the summary: %s", name, limit, e)
				}
			}
			wider = now
		}
	}
}

// What a sentence cites is what it was made from: without the file the sentence
// is gone. And every sentence cites something that is there.
func TestCitations(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	for name, ar := range cases(t) {
		src, _ := parseCase(t, ar)
		_, sum := both(t, src)
		all := map[string]bool{}
		lines := map[string]int{}
		for _, f := range src.Snapshot.Files {
			all[claim.Shown(f.Path)] = true
			lines[claim.Shown(f.Path)] = f.Lines
		}
		for _, o := range src.Snapshot.Omitted {
			all[claim.Shown(o.Path)] = true
		}
		cited := map[string][]string{} // by path, the sentences
		for _, s := range sentencesOf(sum) {
			open := strings.LastIndex(s, " (")
			if open < 0 || !strings.HasSuffix(s, ")") {
				t.Errorf("%s: cites nothing: %s", name, s)
				continue
			}
			for c := range strings.SplitSeq(s[open+2:len(s)-1], ", ") {
				if c == "..." {
					continue
				}
				path, where, _ := strings.Cut(c, ":")
				if !all[path] {
					t.Errorf("%s: cites %q, which is not there: %s", name, c, s)
					continue
				}
				var from, to int
				n, _ := fmt.Sscanf(where, "%d-%d", &from, &to)
				if where != "" && (n == 0 || from < 1 || max(from, to) > lines[path]) {
					t.Errorf("%s: cites %s, which has %d lines", name, c, lines[path])
				}
				cited[path] = append(cited[path], s)
			}
		}
		if len(cited) == 0 {
			t.Errorf("%s: no citations", name)
		}
		for path, said := range cited {
			less := *src
			less.Snapshot = without(src.Snapshot, path)
			_, sum := both(t, &less)
			after := map[string]bool{}
			for _, s := range sentencesOf(sum) {
				after[s] = true
			}
			for _, s := range said {
				if after[s] {
					t.Errorf("%s: without %s still says: %s", name, path, s)
				}
			}
		}
	}
}

func without(s *scan.Snapshot, path string) *scan.Snapshot {
	out := &scan.Snapshot{Folders: s.Folders}
	for _, f := range s.Files {
		if f.Path != path {
			out.Files = append(out.Files, f)
		}
	}
	for _, o := range s.Omitted {
		if o.Path != path {
			out.Omitted = append(out.Omitted, o)
		}
	}
	scan.MarkKeyFiles(out.Files)
	return out
}

func sentencesOf(p *Summary) []string {
	var out []string
	split := func(s string) {
		for part := range strings.SplitSeq(strings.ReplaceAll(s, "\n\n", " "), "). ") {
			if strings.HasSuffix(part, ").") {
				part = strings.TrimSuffix(part, ".")
			}
			if part != "" {
				if !strings.HasSuffix(part, ")") {
					part += ")"
				}
				out = append(out, part)
			}
		}
	}
	split(p.Manifest.StructureSummary)
	if p.Manifest.PurposeGuess != "" {
		out = append(out, p.Manifest.PurposeGuess)
	}
	split(p.RepoSummary.Description)
	if p.RepoSummary.ArchitecturePattern != "unclassified" {
		out = append(out, strings.Split(p.RepoSummary.ArchitecturePattern, "; ")...)
	}
	out = append(out, p.RepoSummary.KeyTechnologies...)
	out = append(out, p.RepoSummary.NotablePatterns...)
	out = append(out, p.RepoSummary.PotentialConcerns...)
	for _, k := range p.KeyFilesSummary {
		split(k.Summary)
		out = append(out, k.NotableCode...)
	}
	for _, e := range p.Entrypoints {
		split(e.Description)
		out = append(out, e.RoutesOrCommands...)
	}
	for _, h := range p.RiskHotspots {
		split(h.Description)
		out = append(out, h.Indicators...)
	}
	return out
}
