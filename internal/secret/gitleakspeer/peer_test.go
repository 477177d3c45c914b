package gitleakspeer

import (
	"bytes"
	"fmt"
	"go/build"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp/syntax"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/rs/zerolog"
	"github.com/zricethezav/gitleaks/v8/detect"
	"github.com/zricethezav/gitleaks/v8/logging"
	"github.com/zricethezav/gitleaks/v8/report"
)

// differences are the rules of gitleaks whose findings we may not share, each
// with the reason. A row that nothing needs fails the test.
var differences = []struct{ rule, reason string }{
	{"adobe-client-id", "a client id is public"},
	{"asana-client-id", "a client id is public"},
	{"bitbucket-client-id", "a client id is public"},
	{"discord-client-id", "a client id is public"},
	{"linkedin-client-id", "a client id is public"},
	{"looker-client-id", "a client id is public"},
	{"messagebird-client-id", "a client id is public"},
	{"plaid-client-id", "a client id is public"},
	{"sendbird-access-id", "an application id is public"},
	{"sumologic-access-id", "the public half of a pair"},
	{"flutterwave-public-key", "a publishable key"},
	{"lob-pub-api-key", "a publishable key"},
	{"mailgun-pub-key", "a publishable key"},
	{"mapbox-api-token", "a publishable key"},
	{"cisco-meraki-api-key", "a value like an object id needs a name that says key, token or secret"},
	{"facebook-secret", "a value like a digest needs a name that says key, token or secret"},
	{"finicity-api-token", "a value like a digest needs a name that says key, token or secret"},
	{"sendbird-access-token", "a value like an object id needs a name that says key, token or secret"},
	{"sentry-access-token", "a value like a digest needs a name that says key, token or secret"},
	{"linear-client-secret", "a value like a digest needs a name that says key, token or secret"},
	{"heroku-api-key", "a UUID needs a name that says key, token or secret"},
	{"nuget-config-password", "any eight characters are one to it; here they are weighed, and a few that read like words stay"},
	{"hubspot-api-key", "a UUID needs a name that says key, token or secret"},
	{"kucoin-secret-key", "a UUID needs a name that says key, token or secret"},
	{"squarespace-access-token", "a UUID needs a name that says key, token or secret"},
	{"snyk-api-token", "a UUID needs a name that ends in key, token or secret"},
	{"sourcegraph-access-token", "forty hex digits without the prefix are a git object id"},
	{"facebook-access-token", "the id of an application and a word; the secret has a name of its own"},
	{"square-access-token", "EAAA begins much base64; the length counts"},
	{"jwt", "the header must decode"},
	{"private-key", "the body must be base64"},
	{"generic-api-key", "names, numbers and hashes beside a telling word are no secrets"},
	{"hashicorp-tf-password", "a value of words alone is no password"},
	{"freemius-secret-key", "punctuation alone is code"},
	{"discord-client-secret", "a value does not begin with an equal sign"},
	{"kubernetes-secret-yaml", "the draw is no manifest"},
}

func detector(tb testing.TB) *detect.Detector {
	tb.Helper()
	logging.Logger = zerolog.Nop()
	d, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

type file struct {
	path, text string
	rule       string // that the file was made for
}

// drawn makes texts that each rule's own expression matches.
func drawn(tb testing.TB, d *detect.Detector) []file {
	tb.Helper()
	rng := rand.New(rand.NewPCG(8, 30))
	var list []file
	for _, id := range slices.Sorted(maps.Keys(d.Config.Rules)) {
		r := d.Config.Rules[id]
		if r.Regex == nil {
			continue
		}
		tree, err := syntax.Parse(r.Regex.String(), syntax.Perl)
		if err != nil {
			tb.Fatal(err)
		}
		path := "notes/file.conf"
		if r.Path != nil {
			for _, p := range []string{"main.tf", "nuget.config", "x.php", "x.yaml"} {
				if r.Path.MatchString(p) {
					path = p
				}
			}
		}
		for range 12 {
			var b strings.Builder
			b.WriteString("# a file\n")
			draw(&b, rng, tree)
			b.WriteString("\n# end\n")
			for _, k := range r.Keywords { // the rule's gate
				b.WriteString("# " + k + "\n")
				break
			}
			list = append(list, file{path, b.String(), id})
		}
	}
	return list
}

// draw writes a text that re matches.
func draw(b *strings.Builder, rng *rand.Rand, re *syntax.Regexp) {
	times := func(lo, hi int) {
		if hi < 0 {
			hi = lo + 12
		}
		for range lo + rng.IntN(hi-lo+1) {
			draw(b, rng, re.Sub[0])
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		var runes []rune
		for i := 0; i < len(re.Rune); i += 2 {
			for r := max(re.Rune[i], ' '); r <= min(re.Rune[i+1], '~'); r++ {
				runes = append(runes, r)
			}
		}
		if len(runes) == 0 {
			runes = []rune{'\n'}
		}
		b.WriteRune(runes[rng.IntN(len(runes))])
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte("abcdefghij klmnop0123456789"[rng.IntN(27)])
	case syntax.OpCapture, syntax.OpConcat:
		for _, s := range re.Sub {
			draw(b, rng, s)
		}
	case syntax.OpAlternate:
		draw(b, rng, re.Sub[rng.IntN(len(re.Sub))])
	case syntax.OpStar:
		times(0, 12)
	case syntax.OpPlus:
		times(1, 24)
	case syntax.OpQuest:
		times(0, 1)
	case syntax.OpRepeat:
		times(re.Min, re.Max)
	}
}

// tree reads a part of Go's source.
func tree(tb testing.TB, limit int) []file {
	tb.Helper()
	var roots []string
	for _, d := range []string{"crypto", "net", "encoding", "cmd/go", "archive", "os"} {
		roots = append(roots, filepath.Join(build.Default.GOROOT, "src", d))
	}
	var list []file
	for _, root := range roots {
		err := filepath.WalkDir(root, func(p string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() || limit <= 0 {
				return err
			}
			b, err := os.ReadFile(p)
			if err == nil && bytes.IndexByte(b, 0) < 0 {
				list = append(list, file{path: filepath.ToSlash(p), text: string(b)})
				limit -= len(b)
			}
			return err
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	return list
}

func TestRuleByRule(t *testing.T) {
	d := detector(t)
	s, err := secret.New()
	if err != nil {
		t.Fatal(err)
	}
	type tally struct{ theirs, shared int }
	tallies := map[string]*tally{}
	missing := map[string][]string{}
	for _, f := range append(drawn(t, d), tree(t, 12<<20)...) {
		ours, err := s.Scan(f.path, []byte(f.text), nil)
		if err != nil {
			t.Errorf("%s: %v", f.path, err)
			continue
		}
		for _, g := range d.Detect(detect.Fragment{Raw: f.text, FilePath: f.path}) {
			if f.rule != "" && g.RuleID != f.rule || g.Secret == "" {
				continue // by chance of the draw
			}
			c := tallies[g.RuleID]
			if c == nil {
				c = &tally{}
				tallies[g.RuleID] = c
			}
			c.theirs++
			if covers(f.text, g, ours) {
				c.shared++
			} else {
				missing[g.RuleID] = append(missing[g.RuleID], fmt.Sprintf("%s:%d", f.path, g.StartLine+1))
			}
		}
	}
	needed := map[string]bool{}
	for _, id := range slices.Sorted(maps.Keys(missing)) {
		known := slices.ContainsFunc(differences, func(r struct{ rule, reason string }) bool { return r.rule == id })
		needed[id] = true
		if !known {
			c := tallies[id]
			t.Errorf("%s: %d of %d findings not shared, first at %s", id, c.theirs-c.shared, c.theirs, missing[id][0])
		}
	}
	for _, r := range differences {
		if r.reason == "" {
			t.Errorf("row %s has no reason", r.rule)
		}
		if !needed[r.rule] {
			t.Errorf("row %s is not needed", r.rule)
		}
	}
	theirs, shared := 0, 0
	for _, c := range tallies {
		theirs += c.theirs
		shared += c.shared
	}
	t.Logf("%d rules found something, %d findings, %d of them shared", len(tallies), theirs, shared)
	if len(tallies) < 190 {
		t.Errorf("only %d rules found anything: the draw is broken", len(tallies))
	}
}

// covers reports whether our findings cover a secret of theirs, wherever it
// stands on its lines.
func covers(text string, g report.Finding, ours []secret.Finding) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], g.Secret)
		if i < 0 {
			return false
		}
		start := at + i
		end := start + len(strings.TrimRight(g.Secret, "\n"))
		for _, f := range ours {
			if f.Start <= start && end <= f.End || f.Start >= start && f.End <= end {
				return true // the same, or the value within what they call one
			}
		}
		at = start + 1
	}
}

func cpu() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// leastRatio is how many times as much CPU time as ours theirs takes, at least.
const leastRatio = 40

// TestRatio scans the same files with both, in one process. Both are measured by turns, and of each the least time counts: what else the
// machine does can only add to it.
func TestRatio(t *testing.T) {
	d := detector(t)
	s, err := secret.New()
	if err != nil {
		t.Fatal(err)
	}
	list := tree(t, 6<<20)
	size := 0
	for _, f := range list {
		size += len(f.text)
		_, _ = s.Scan(f.path, []byte(f.text), nil) // expressions compile once
	}
	ours := func() {
		for _, f := range list {
			_, _ = s.Scan(f.path, []byte(f.text), nil)
		}
	}
	theirs := func() {
		for _, f := range list {
			d.Detect(detect.Fragment{Raw: f.text, FilePath: f.path})
		}
	}
	// Theirs takes so long that noise is shared out in it; ours is short, and some of many rounds are quiet.
	const rounds, each = 3, 12
	least, theirsLeast := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for range rounds {
		for range each {
			least = min(least, spent(ours))
		}
		theirsLeast = min(theirsLeast, spent(theirs))
	}
	mb := float64(size) / 1e6
	ratio := theirsLeast.Seconds() / least.Seconds()
	t.Logf("%.1f MB: ours %.0f MB per CPU second, theirs %.2f, ratio %.0f", mb, mb/least.Seconds(), mb/theirsLeast.Seconds(), ratio)
	if ratio < leastRatio {
		t.Errorf("ratio %.0f, want %d", ratio, leastRatio)
	}
}

// spent is the CPU time that work takes.
func spent(work func()) time.Duration {
	start := cpu()
	work()
	return cpu() - start
}
