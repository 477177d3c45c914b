package repo

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/repotest"
)

// tangle makes a repository of n commits with random parents; every commit is a
// branch c0, c1, ..., some are tags too. Clocks are sometimes wrong.
func tangle(t *testing.T, rnd *rand.Rand, n int, skew int64) *repotest.Repo {
	t.Helper()
	g := repotest.New(t)
	var b strings.Builder
	for i := range n {
		at := 1767323045 + int64(i)*60
		if skew > 0 && rnd.IntN(5) == 0 {
			at -= rnd.Int64N(skew)
		}
		fmt.Fprintf(&b, "commit refs/heads/c%d\nmark :%d\ncommitter C <c@example.org> %d +0000\ndata 2\nc\n", i, i+1, at)
		if i > 0 && rnd.IntN(12) > 0 {
			parents := map[int]bool{}
			for k := range 1 + rnd.IntN(3)/2 {
				p := max(0, i-1-rnd.IntN(6))
				if parents[p] {
					continue
				}
				parents[p] = true
				fmt.Fprintf(&b, "%s :%d\n", []string{"from", "merge"}[min(k, 1)], p+1)
			}
		}
		fmt.Fprintf(&b, "M 644 inline f%d\ndata 1\nx\n", i%7)
		if rnd.IntN(6) == 0 {
			fmt.Fprintf(&b, "reset refs/tags/t%d\nfrom :%d\n\n", i, i+1)
		}
	}
	fastImport(t, g, b.String())
	return g
}

// On tangled histories the answers are git's own; in a shallow clone they are
// the same, or none.
func TestMergeBaseLikeGit(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	for seed := range uint64(4) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		g := tangle(t, rnd, 40, []int64{0, 600}[seed%2])
		full := open(t, g.Dir)
		tip := "c39"
		shallow := open(t, g.Clone("--bare", "--no-single-branch", "--branch=main", fmt.Sprint("--depth=", 3+seed), "--config=x.y=z", "--no-tags", "--origin=o", "--quiet", "--branch="+tip).Dir)
		answered := 0
		for range 40 {
			a, b := fmt.Sprint("c", rnd.IntN(40)), fmt.Sprint("c", rnd.IntN(40))
			all, _ := g.Try("merge-base", "--all", a, b)
			got, err := full.MergeBase(a, b)
			switch {
			case errors.Is(err, ErrUnrelated):
				if all != "" {
					t.Errorf("seed %d: %s %s: unrelated; git says %s", seed, a, b, all)
				}
			case err != nil:
				t.Error(err)
			case !slices.Contains(strings.Fields(all), got):
				t.Errorf("seed %d: %s %s: %s; git says %s", seed, a, b, got, all)
			}
			if back, _ := full.MergeBase(b, a); back != got {
				t.Errorf("seed %d: %s %s: %s, the other way round %s", seed, a, b, got, back)
			}
			short, err := shallow.MergeBase(a, b)
			switch {
			case err == nil && short != got && seed%2 == 0:
				t.Errorf("seed %d: %s %s: %s in a shallow clone, else %s", seed, a, b, short, got)
			case err == nil:
				answered++
			case !errors.Is(err, ErrShallow) && !errors.Is(err, ErrUnrelated):
				t.Error(err)
			case errors.Is(err, ErrUnrelated) && got != "":
				t.Errorf("seed %d: %s %s: unrelated in a shallow clone, else %s", seed, a, b, got)
			}
		}
		if answered == 0 {
			t.Error("no answer in a shallow clone")
		}
	}
}

func TestPreviousTagLikeGit(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	for seed := range uint64(3) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		g := tangle(t, rnd, 40, 0)
		r := open(t, g.Dir)
		for i := range 40 {
			c := fmt.Sprint("c", i)
			if at, err := r.Resolve(c); err != nil || len(at.Parents) != 1 {
				continue // git describe knows one way up only
			}
			name, err := g.Try("describe", "--tags", "--abbrev=0", c+"^")
			want := ""
			if err == nil {
				want = g.Git("rev-parse", name)
			}
			got, ok, err := r.PreviousTag(c, nil)
			if err != nil || ok != (want != "") {
				t.Errorf("seed %d: %s: %v %v, git says %q", seed, c, ok, err, want)
			}
			// Of two equally near ones either will do.
			if err == nil && got.SHA != want && g.Git("rev-list", "--count", c+"^", "^"+got.SHA) != g.Git("rev-list", "--count", c+"^", "^"+want) {
				t.Errorf("seed %d: %s: %s, git says %s", seed, c, got.SHA, want)
			}
		}
	}
}

func TestMergeBase(t *testing.T) {
	g := repotest.New(t, "one\n-- a --\n1\n", "two\n-- a --\n2\n")
	g.Git("checkout", "-q", "-b", "feature", "HEAD~1")
	g.Commit("-- b --\nb\n")
	g.Git("checkout", "-q", "--orphan", "other")
	g.Commit("-- c --\n")
	one := g.Git("rev-parse", "main~1")
	r := open(t, g.Dir)
	got, err := r.MergeBase("main", "feature")
	if err != nil || got != one {
		t.Errorf("%s, %v", got, err)
	}
	got, err = r.MergeBase("main", "main~1")
	if err != nil || got != one {
		t.Errorf("ancestor: %s, %v", got, err)
	}
	if _, err = r.MergeBase("main", "other"); !errors.Is(err, ErrUnrelated) {
		t.Errorf("unrelated: %v", err)
	}
	if _, err = r.MergeBase("main", "featurr"); err == nil || !strings.Contains(err.Error(), "feature") {
		t.Errorf("misspelt: %v", err)
	}
	r = open(t, g.Clone("--depth=1", "--no-single-branch", "--branch=main").Dir)
	if _, err = r.MergeBase("main", "origin/feature"); !errors.Is(err, ErrShallow) {
		t.Errorf("depth 1: %v", err)
	}
	if _, err = r.MergeBase("main", "origin/other"); err == nil {
		t.Error("depth 1, unrelated: no error")
	}
	got, err = r.MergeBase("main", "main")
	if err != nil || got != g.Git("rev-parse", "main") {
		t.Errorf("depth 1, the same: %s, %v", got, err)
	}
}

func TestPreviousTag(t *testing.T) {
	g := repotest.New(t, "one", "two", "three", "four")
	r := open(t, g.Dir)
	if _, ok, err := r.PreviousTag("HEAD", nil); ok || err != nil {
		t.Errorf("no tags: %v %v", ok, err)
	}
	g.Git("tag", "v1", "HEAD~3")
	g.Git("tag", "-a", "-m", "x", "v2", "HEAD~1")
	g.Git("tag", "v3")
	g.Git("tag", "blob", g.Git("hash-object", "-w", "--stdin"))
	r = open(t, g.Dir)
	for rev, want := range map[string]string{"v3": "HEAD~1", "v2": "HEAD~3"} {
		c, ok, err := r.PreviousTag(rev, nil)
		if !ok || err != nil || c.SHA != g.Git("rev-parse", want) {
			t.Errorf("%s: %v %v %v", rev, c, ok, err)
		}
	}
	if c, ok, err := r.PreviousTag("v1", nil); ok || err != nil {
		t.Errorf("v1: %v %v", c, err)
	}
	r = open(t, g.Clone("--depth=1").Dir)
	if _, ok, err := r.PreviousTag("HEAD", nil); ok || !errors.Is(err, ErrShallow) {
		t.Errorf("depth 1: %v %v", ok, err)
	}
}

// history makes commits as branches, each given as "name minute parents...".
func history(t *testing.T, commits ...string) *repotest.Repo {
	t.Helper()
	g := repotest.New(t)
	var b strings.Builder
	for _, c := range commits {
		w := strings.Fields(c)
		minute, err := strconv.Atoi(w[1])
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "commit refs/heads/%s\ncommitter C <c@example.org> %d +0000\ndata 1\nc\n", w[0], 1767323045+60*minute)
		for k, p := range w[2:] {
			fmt.Fprintf(&b, "%s refs/heads/%s\n", []string{"from", "merge"}[min(k, 1)], p)
		}
		b.WriteString("\n")
	}
	fastImport(t, g, b.String())
	return g
}

func fastImport(t *testing.T, g *repotest.Repo, stream string) {
	t.Helper()
	cmd := exec.Command("git", "fast-import", "--quiet")
	cmd.Dir, cmd.Env, cmd.Stdin = g.Dir, repotest.Env(), strings.NewReader(stream)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// The better ancestor lies behind the end of a shallow clone's history: no
// answer is better than the worse one.
func TestMergeBaseBehindTheCut(t *testing.T) {
	g := history(t, "r 0", "y 1 r", "c1 2 y", "c2 3 c1", "c3 4 c2", "c4 5 c3", "r2 6 r", "a 7 r2 c4", "b 8 y")
	want := g.Git("rev-parse", "y")
	if got, err := open(t, g.Dir).MergeBase("a", "b"); err != nil || got != want {
		t.Errorf("%s, %v", got, err)
	}
	shallow := repotest.New(t)
	shallow.Git("fetch", "-q", "--depth=3", g.URL(), "a:a", "b:b")
	if got := shallow.Git("merge-base", "a", "b"); got == want {
		t.Fatal("git finds it: the test tests nothing")
	}
	if got, err := open(t, shallow.Dir).MergeBase("a", "b"); !errors.Is(err, ErrShallow) {
		t.Errorf("depth 3: %s, %v", got, err)
	}
}

// A commit with a wrong clock comes up before its own descendant.
func TestMergeBaseWrongClock(t *testing.T) {
	g := history(t, "r 0", "x 50 r", "y 2 x", "a 60 x y", "b 61 y x")
	want := g.Git("merge-base", "--all", "a", "b")
	same(t, "git", want, g.Git("rev-parse", "y"))
	if got, err := open(t, g.Dir).MergeBase("a", "b"); err != nil || got != want {
		t.Errorf("%s, %v", got, err)
	}
}

// Of a criss-cross merge's two bases the latest is taken.
func TestMergeBaseCrissCross(t *testing.T) {
	g := history(t, "r 0", "x 1 r", "y 2 r", "a 3 x y", "b 4 y x")
	if got, err := open(t, g.Dir).MergeBase("a", "b"); err != nil || got != g.Git("rev-parse", "y") {
		t.Errorf("%s, %v", got, err)
	}
}
