package pack

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/scan"
)

// words counts tokens as a tokenizer might: words and single signs.
func words(b []byte) int { return len(wordOrSign.FindAllIndex(b, -1)) }

var wordOrSign = regexp.MustCompile(`\s?\w{1,6}|\s+|[^\s\w]{1,2}`)

func markdownOf(t testing.TB, p document) []byte {
	return render(t, func(w *bytes.Buffer) error { return p.WriteMarkdown(w) })
}

func jsonOf(t testing.TB, p document) []byte {
	return render(t, func(w *bytes.Buffer) error { return p.WriteJSON(w) })
}

// many are n small files, as 199 of them once made a pack ten times its limit.
func many(n int) map[string][]byte {
	files := map[string][]byte{}
	for i := range n {
		files[fmt.Sprintf("src/part%d/file%03d.go", i%7, i)] = fmt.Appendf(nil, "package part\n\n// F%d is \"quoted\".\nfunc F%d() {}\n", i, i)
	}
	return files
}

// A limit is of the whole document: index, manifest and escaping included.
func TestLimitIsOfTheDocument(t *testing.T) {
	files := many(199)
	src := fromFiles(files)
	src.Limits.ProviderLimits = map[string]int64{"claude": 6000}
	s, err := NewBuilder(src).Select()
	if err != nil {
		t.Fatal(err)
	}
	if s.Type != TypeSummary {
		t.Errorf("chosen: %s", s.Reason)
	}
	full, sum := both(t, src)
	for _, p := range []document{full, sum} {
		if n := len(jsonOf(t, p)); n > 6000 || n < 5400 {
			t.Errorf("%T of %d bytes, limit 6000", p, n)
		}
		if n := len(markdownOf(t, p)); n > 6000 {
			t.Errorf("%T of %d bytes as Markdown, limit 6000", p, n)
		}
	}
	if full.Metadata.cutOf("file_index") == 0 || full.Metadata.cutOf("contents") == 0 || sum.Metadata.cutOf("file_index") == 0 {
		t.Errorf("cuts %+v, %+v", full.Metadata.Cuts, sum.Metadata.Cuts)
	}
	// Folded rows count what has no row.
	for _, rows := range [][]Entry{full.FileIndex, sum.FileIndex} {
		n := 0
		for _, r := range rows {
			if n += r.Files; r.Files == 0 {
				n++
			} else if !strings.HasSuffix(r.Path, "/") {
				t.Errorf("folded row %+v", r)
			}
		}
		if n != 199 {
			t.Errorf("the rows stand for %d files of 199", n)
		}
	}
	if i := full.Info(); i.FilesScanned != 199 || i.FilesIncluded+i.FilesExcluded != 199 || i.FilesIncluded != len(full.Contents)+len(full.KeyFiles) {
		t.Errorf("%+v", i)
	}
}

// A choice that ends with the content is that of the whole pack.
func TestJudging(t *testing.T) {
	cuts := 0
	for limit := int64(2500); limit < 20_000; limit += limit / 3 {
		src := fromFiles(many(60))
		src.Limits.ProviderLimits = map[string]int64{"claude": limit}
		src.Limits.MaxTotalBytes = math.MaxInt64
		judged, err := NewBuilder(src).full(src, "", true)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := NewBuilder(src).full(src, "", false)
		if err != nil {
			t.Fatal(err)
		}
		if judged.cut() != whole.cut() || judged.Metadata.TotalContentBytes != whole.Metadata.TotalContentBytes || judged.Metadata.cutOf("contents") != whole.Metadata.cutOf("contents") {
			t.Errorf("limit %d: cut %v, %d bytes, and whole %v, %d", limit, judged.cut(), judged.Metadata.TotalContentBytes, whole.cut(), whole.Metadata.TotalContentBytes)
		}
		if judged.cut() {
			cuts++
		}
	}
	if cuts < 2 {
		t.Errorf("%d of the packs are cut", cuts)
	}
}

// A full pack whose index must be folded, and nothing else, is a full pack.
func TestSelectFoldsFirst(t *testing.T) {
	src := fromFiles(many(150))
	full, err := NewBuilder(src).Full("")
	if err != nil {
		t.Fatal(err)
	}
	src.Limits.MaxContentBytes = int64(len(fullJSON(t, full))) * 9 / 10
	s, err := NewBuilder(src).Select()
	if err != nil {
		t.Fatal(err)
	}
	if s.Type != TypeFull || !strings.Contains(s.Reason, ", with a folded index, of ") {
		t.Error(s.Reason)
	}
	folded, _ := both(t, src)
	if contentSize(folded) != contentSize(full) || contentSize(full) != s.Estimate || len(folded.FileIndex) >= 150 {
		t.Errorf("%d bytes of content, %d when unlimited, %d estimated", contentSize(folded), contentSize(full), s.Estimate)
	}
}

// In tokens, too.
func TestLimitInTokens(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	src := fromFiles(many(160))
	src.Limits.MaxFiles = 160
	src.Limits.CountTokens = words
	for _, limit := range []int64{1000, 3000, 9000} {
		if err := src.Limits.Set("provider-limits", fmt.Sprintf("claude=%dt", limit)); err != nil {
			t.Fatal(err)
		}
		full, sum := both(t, src)
		for _, p := range []document{full, sum} {
			n, md := words(jsonOf(t, p)), words(markdownOf(t, p))
			if int64(max(n, md)) > limit || int64(n) < limit*7/10 && p == document(full) {
				t.Errorf("%T of %d tokens, %d as Markdown, limit %d", p, n, md, limit)
			}
		}
	}
}

// The room is used: less is free than the smallest file that is left out would take.
func TestLimitIsFilled(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	rng := rand.New(rand.NewPCG(1, 1))
	files := map[string][]byte{}
	for i := range 130 {
		var b strings.Builder
		for range 3 + rng.IntN(90)*rng.IntN(9) {
			fmt.Fprintf(&b, "const value%d = '%s';\n", rng.IntN(1000), strings.Repeat("x", rng.IntN(60)))
		}
		files[fmt.Sprintf("source/core/module%03d.ts", i)] = []byte(b.String())
	}
	src := fromFiles(files)
	for limit := int64(20_000); limit <= 400_000; limit += 20_000 {
		src.Limits.MaxContentBytes = limit
		full, err := NewBuilder(src).Full("")
		if err != nil {
			t.Fatal(err)
		}
		free := limit - int64(len(fullJSON(t, full)))
		smallest := limit
		for _, f := range src.Snapshot.Files {
			if !slices.ContainsFunc(full.Contents, func(c Content) bool { return c.Path == f.Path }) {
				smallest = min(smallest, f.Size)
			}
		}
		if full.Metadata.cutOf("contents") > 0 && free >= smallest {
			t.Errorf("limit %d: %d bytes are free, and a file of %d is left out", limit, free, smallest)
		}
	}
}

// A clean-up that lengthens what is written does not break the limit.
func TestLimitAfterClean(t *testing.T) {
	src := fromFiles(many(199))
	src.Limits.MaxContentBytes = 6000
	src.Clean = func(p any) {
		if p, ok := p.(*Full); ok {
			p.Contents[0].Content += strings.Repeat("[REDACTED]", 20)
		}
	}
	full, _ := both(t, src)
	if n := len(fullJSON(t, full)); n > 6000 {
		t.Errorf("%d bytes, limit 6000", n)
	}
}

// grown is a tree made from a seed: many or few files, long or short, with the
// characters that cost most when they are written.
func grown(seed uint64) *Source {
	rng := rand.New(rand.NewPCG(seed, 7))
	pieces := []string{"x", "word ", "\n", "\"", "\\", "\t", "`", "```", "é", "日", "\u2028", "<b>", "*", "_", "func main() {\n", "import \"a\"\n", "// A comment.\n"}
	letters := []string{"a", "b", "src", "lib", "main", "auth", "x y", "`", "é", "\xff", "very-long-name-of-a-folder"}
	exts := []string{".go", ".ts", ".py", ".md", ".json", "", ".txt"}
	name := func(n int) string {
		var s []string
		for range n {
			s = append(s, letters[rng.IntN(len(letters))])
		}
		return strings.Join(s, "/")
	}
	files := map[string][]byte{}
	few := pieces[:1+rng.IntN(len(pieces))]
	for range rng.IntN(60) {
		var b strings.Builder
		for range rng.IntN(1 + rng.IntN(700)) {
			b.WriteString(few[rng.IntN(len(few))])
		}
		if rng.IntN(10) == 0 {
			b.WriteString(strings.Repeat("Größe\n", 300) + "\xff")
		}
		files[name(1+rng.IntN(4))+fmt.Sprint(rng.IntN(50))+exts[rng.IntN(len(exts))]] = []byte(b.String())
	}
	if rng.IntN(2) == 0 {
		files["package.json"] = fmt.Appendf(nil, `{"name":%q,"description":%q,"dependencies":{"a":"1","b":"2"},"bin":"main.js","workspaces":["lib/*"]}`, strings.Repeat("\x02\"", rng.IntN(300)), strings.Repeat("`é", rng.IntN(200)))
	}
	src := fromFiles(files)
	for i := range rng.IntN(80) {
		omit(src.Snapshot, fmt.Sprintf("%s/left%d", name(1+rng.IntN(3)), i), scan.GitIgnored)
	}
	src.Name = strings.Repeat("\u2028", rng.IntN(100))
	src.Limits.MaxFiles = 1 + rng.IntN(60)
	src.Limits.SkipUndecodable = rng.IntN(2) == 0
	return src
}

func checkLimits(t *testing.T, seed uint64, limits []int64, tokens bool) {
	t.Helper()
	src := grown(seed)
	if tokens {
		src.Limits.CountTokens = words
	}
	var before, beforeSum int64
	for i, limit := range limits {
		count := func(b []byte) int64 { return int64(len(b)) }
		src.Limits.MaxContentBytes = limit
		if tokens {
			src.Limits.MaxContentBytes = 1 << 30
			src.Limits.ProviderTokens = map[string]int64{"x": limit}
			count = func(b []byte) int64 { return int64(words(b)) }
		}
		full, err := NewBuilder(src).Full("full")
		if err != nil {
			t.Fatalf("seed %d, limit %d: %v", seed, limit, err)
		}
		sum, err := NewBuilder(src).Summary("summary")
		if err != nil {
			t.Fatalf("seed %d, limit %d: %v", seed, limit, err)
		}
		if i%8 == 0 {
			validate(t, schema(t, "full.schema.json"), fullJSON(t, full))
			validate(t, schema(t, "summary.schema.json"), summaryJSON(t, sum))
		}
		for _, p := range []document{full, sum} {
			if n := max(count(jsonOf(t, p)), count(markdownOf(t, p))); n > limit {
				t.Fatalf("seed %d: %T takes %d, limit %d", seed, p, n, limit)
			}
		}
		if n := contentSize(full); n < before {
			t.Fatalf("seed %d: limit %d holds %d bytes of content, a smaller one %d", seed, limit, n, before)
		} else {
			before = n
		}
		said := int64(len(sum.KeyFilesSummary) + len(sum.Entrypoints) + len(sum.RiskHotspots) + len(sum.RepoSummary.Description) + len(sum.RepoSummary.KeyTechnologies) +
			len(sum.RepoSummary.NotablePatterns) + len(sum.RepoSummary.PotentialConcerns))
		if said < beforeSum {
			t.Fatalf("seed %d: limit %d says less than a smaller one", seed, limit)
		}
		beforeSum = said
	}
}

// Of any tree and for every limit from the smallest up: the pack is within it, and a
// larger limit never holds less content.
func TestEveryLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	for seed := range uint64(20) {
		var limits []int64
		for l := int64(MinBytes); l < 60_000; l += 1 + l/9 {
			limits = append(limits, l)
		}
		checkLimits(t, seed, limits, false)
	}
	// One by one, where a step is easiest to get wrong.
	var limits []int64
	for l := int64(4000); l < 4100; l++ {
		limits = append(limits, l)
	}
	for seed := range uint64(4) {
		checkLimits(t, seed, limits, false)
	}
	for seed := range uint64(6) {
		checkLimits(t, seed, []int64{MinTokens, 1500, 4000, 9000}, true)
	}
}

func FuzzLimits(f *testing.F) {
	f.Add(uint64(1), uint16(0), uint16(1), false)
	f.Add(uint64(2), uint16(3000), uint16(100), true)
	f.Fuzz(func(t *testing.T, seed uint64, from, step uint16, tokens bool) {
		first := int64(MinBytes)
		if tokens {
			first = MinTokens
		}
		var limits []int64
		for i := range int64(6) {
			limits = append(limits, first+int64(from)+i*int64(step))
		}
		checkLimits(t, seed, limits, tokens)
	})
}

// TestBytesBeside: the default of max-content-bytes is of packs, what was given or is a provider's holds for every document.
func TestBytesBeside(t *testing.T) {
	for _, c := range []struct {
		given, provider, want int64
	}{
		{0, 0, 1<<31 - 1},
		{500_001, 0, 500_001},
		{20_000, 0, 20_000},
		{0, 600_000, 600_000},
		{0, 30_000, 30_000},
	} {
		limits := Defaults()
		if c.given > 0 {
			limits.MaxContentBytes = c.given
		}
		if c.provider > 0 {
			limits.ProviderLimits = map[string]int64{"a": c.provider}
		}
		if got := limits.BytesBeside(); got != c.want {
			t.Errorf("%d and a provider's %d: %d, want %d", c.given, c.provider, got, c.want)
		}
	}
}
