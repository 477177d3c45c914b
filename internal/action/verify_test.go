package action

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/repotest"
	"github.com/haversack-dev/haversack/internal/seedtest"
)

// TestVerifyAcceptsOwn: whatever a repository's names are, and whatever it imports,
// verify accepts the archives that a run makes of it.
func TestVerifyAcceptsOwn(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	seed := seedtest.Seed(t)
	rounds := 6
	if os.Getenv("HAVERSACK_PEERS") != "" {
		rounds = 60
	}
	rng := rand.New(rand.NewPCG(seed, 13))
	pieces := []string{"a", "z", "\xff", "\xfe\xff", `\xff`, `\x5cxff`, `\\xff`, `\`, "é", "e\u0301", "\u202e", "\ufffd", "~", "\x7f", "\x01", "\n", " ", ".", "日", "[REDACTED]", "::x::", "-", "0", strings.Repeat("n", 90)}
	name := func() string {
		s := "f"
		for range 1 + rng.IntN(4) {
			if piece := pieces[rng.IntN(len(pieces))]; len(s)+len(piece) <= 240 { // with an ending no longer than a name may be
				s += piece
			}
		}
		return s
	}
	for round := range rounds {
		r := repotest.New(t, "-- a.ts --\nexport const a = 1\n")
		for i := range 20 {
			at := name()
			if i%3 == 0 {
				at = name() + "/" + name()
			}
			at += []string{"", ".ts", ".py", ".md"}[rng.IntN(4)]
			if _, err := os.Lstat(r.Path(at)); err == nil || strings.Contains(at, "/") && isFile(r.Path(strings.Split(at, "/")[0])) {
				continue
			}
			if i%7 == 6 {
				_ = os.Symlink(name(), r.Path(at)) // a name that is taken is left alone
				continue
			}
			r.Write(at, fmt.Sprintf("import './%s'\nx = %d\n", strings.Map(func(r rune) rune {
				if r < ' ' || r == '\'' {
					return '_'
				}
				return r
			}, name()), i))
		}
		r.Write("long.ts", "import '"+[]string{"./", "", "../"}[rng.IntN(3)]+strings.Repeat("a/", 1+rng.IntN(2<<rng.IntN(20)))+"x'\n")
		r.Git("add", "--all")
		r.Git("commit", "-q", "-m", "names")
		r.Git("mv", "-k", "a.ts", "b.ts")
		r.Git("rm", "-q", "-r", "--ignore-unmatch", "--", "f*.md")
		for _, args := range [][]string{{"--mode", "full", "--base", "none"}, {"--mode", "context"}} {
			out, err := execute(t, r.Dir, nil, append(args, "--pack", "none")...)
			if err != nil {
				t.Fatalf("round %d: %q: %v\n%s", round, args, err, out)
			}
			for _, archive := range []string{"archive.tar", "archive.diff.tar"} {
				if _, err := os.Stat(r.Path(".stan/output/" + archive)); err != nil {
					continue
				}
				if out, err := execute(t, r.Dir, nil, "verify", ".stan/output/"+archive); err != nil {
					t.Errorf("round %d: %q: %s: %v\n%.3000s", round, args, archive, err, out)
				}
			}
		}
	}
}

func isFile(name string) bool {
	fi, err := os.Lstat(name)
	return err == nil && !fi.IsDir()
}
