package secret_test

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/secret"
)

var update = flag.Bool("update", false, "write golden files anew")

// TestJudgedAlike holds that every machine judges alike: all candidates of the corpus, what they look like and what they weigh. CI
// runs it for another architecture too, whose floating point rounds differently.
func TestJudgedAlike(t *testing.T) {
	s, err := secret.New()
	if err != nil {
		t.Fatal(err)
	}
	all := sha256.New()
	tens := map[int]int{}
	excepted := map[string]int{}
	for _, f := range fresh {
		text, _ := raise(rand.New(rand.NewPCG(19, uint64(len(f.path)))), strings.TrimPrefix(f.text, "\n"))
		for _, c := range s.Candidates(f.path, []byte(text)) {
			fmt.Fprintln(all, f.path, c.Start, c.End, c.Features, c.Score, c.Excepted)
			if c.Excepted != "" {
				excepted[c.Excepted]++
			} else {
				tens[(c.Score+1000)/10*10-1000]++
			}
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "sha256 %x\n", all.Sum(nil))
	for _, n := range slices.Sorted(maps.Keys(tens)) {
		fmt.Fprintf(&b, "%4d and more: %d\n", n, tens[n])
	}
	for _, reason := range slices.Sorted(maps.Keys(excepted)) {
		fmt.Fprintf(&b, "%s: %d\n", reason, excepted[reason])
	}
	const golden = "testdata/judged.txt"
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("judged otherwise than %s says (go test ./internal/secret -run TestJudgedAlike -update):\n%s", golden, b.String())
	}
}
