//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/secret/fit"
	"github.com/haversack-dev/haversack/internal/tree"
)

// result counts what became of labels.
type result struct {
	secrets, found      int // true labels, and those redacted
	strong, strongFound int
	falses, hit         int // false labels, and those redacted
	files, whole        int // files, and those left out for credentials
	missed, alarms      []fit.Label
	left                []string        // the files left out for credentials, with the rule
	notCounted          int             // labels in files that are left out for another reason
	elsewhere           map[string]bool // those files
}

func (r *result) add(o result) {
	r.secrets += o.secrets
	r.found += o.found
	r.strong += o.strong
	r.strongFound += o.strongFound
	r.falses += o.falses
	r.hit += o.hit
	r.files += o.files
	r.whole += o.whole
	r.notCounted += o.notCounted
	r.missed = append(r.missed, o.missed...)
	r.alarms = append(r.alarms, o.alarms...)
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

func (r *result) recall() float64       { return share(r.found, r.secrets) }
func (r *result) strongRecall() float64 { return share(r.strongFound, r.strong) }
func (r *result) falseHits() float64    { return share(r.hit, r.falses) }

// search searches a folder as a run does.
func search(dir string, scanner *secret.Scanner) (*scan.SearchResult, error) {
	root, err := tree.Open(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	spool, err := os.MkdirTemp("", "secrets")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(spool)
	s := &scan.Search{Root: root, Rules: scan.Rules{Stan: ".stan", Under: "."}, Spool: tree.NewSpool(spool),
		Screener: &scan.Screener{Scanner: scanner, Given: new(secret.KnownValues), Policy: scan.Redact}}
	return s.Find(context.Background())
}

// score searches the repository as a run does, and says what became of the labels. A true one is found where at most a third of
// its value stays in a file that stays, or where the file is a key file that is left out. A false one is hit where a byte of
// it is redacted, or its file is left out for what it holds. False labels beside a true one count neither way.
func score(c *fit.Corpus, scanner *secret.Scanner) (result, error) {
	var r result
	all, err := search(c.Dir, scanner)
	if err != nil {
		return r, fmt.Errorf("%s: %w", c.Name, err)
	}
	out := map[string]*scan.Omission{}
	for i := range all.Omitted {
		o := &all.Omitted[i]
		out[o.Path] = o
		if o.Reason == scan.Credentials {
			r.whole++
			r.left = append(r.left, o.Path+": "+o.Rule)
		}
	}
	r.files = len(all.Files) + r.whole
	stays := map[string]bool{}
	for i := range all.Files {
		stays[all.Files[i].Path] = true
	}
	findings := map[string][]secret.Finding{}
	for path, content := range c.Texts {
		list, err := scanner.Scan(path, content, nil)
		if err != nil {
			return r, fmt.Errorf("%s: %s: %w", c.Name, path, err)
		}
		findings[path] = secret.Merge(list, all.Known.Find(content, nil))
	}
	r.elsewhere = map[string]bool{}
	for path := range c.Texts {
		omitted := out[path]
		r.elsewhere[path] = omitted == nil && !stays[path] || omitted != nil && omitted.Reason != scan.Credentials
	}
	r.tally(c, func(l fit.Label) (found, hit bool) {
		omitted, n := out[l.Path], covered(findings[l.Path], l.Start, l.End)
		keyFile := omitted != nil && !strings.HasPrefix(omitted.Rule, "more than ")
		return keyFile || omitted == nil && n*3 >= (l.End-l.Start)*2, omitted != nil || n > 0
	})
	return r, nil
}

// tally counts the labels, of which look says whether a true one is found and a false one hit.
func (r *result) tally(c *fit.Corpus, look func(l fit.Label) (found, hit bool)) {
	for _, l := range c.Labels {
		if l.Unsure {
			continue
		}
		if r.elsewhere[l.Path] {
			r.notCounted++
			continue
		}
		found, hit := look(l)
		if l.Secret {
			r.secrets++
			if l.Strong {
				r.strong++
			}
			if found {
				r.found++
				if l.Strong {
					r.strongFound++
				}
			} else {
				r.missed = append(r.missed, l)
			}
			continue
		}
		if slices.ContainsFunc(c.Labels, func(t fit.Label) bool {
			return t.Secret && t.Path == l.Path && t.Start < l.End && l.Start < t.End
		}) {
			continue
		}
		r.falses++
		if hit {
			r.hit++
			r.alarms = append(r.alarms, l)
		}
	}
}

// covered counts the bytes of from:to that findings hold.
func covered(list []secret.Finding, from, to int) int {
	n := 0
	for _, f := range list {
		n += max(0, min(f.End, to)-max(f.Start, from))
	}
	return n
}
