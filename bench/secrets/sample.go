//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/text"
)

// sample lists n findings drawn from all that the program has in the folders.
func sample(folders []string, n int, seed uint64) error {
	if len(folders) == 0 {
		return errors.New("-sample: say the folders")
	}
	scanner, err := secret.New()
	if err != nil {
		return err
	}
	type finding struct {
		folder, path, rule string
		line               int
		around             []byte
	}
	var list []finding
	files := 0
	for _, dir := range folders {
		all, err := search(dir, scanner)
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		count, found, whole := len(all.Files), 0, 0
		note := func(path string, redactions []secret.Finding) error {
			if len(redactions) == 0 {
				return nil
			}
			b, err := os.ReadFile(filepath.Join(dir, path))
			if err != nil {
				return err
			}
			t := text.Decode(b, text.Detect(b))
			for _, f := range redactions {
				found++
				list = append(list, finding{filepath.Base(dir), path, f.Rule, f.Line, masked(t, redactions, f)})
			}
			return nil
		}
		for i := range all.Files {
			if err := note(all.Files[i].Path, all.Files[i].Redactions); err != nil {
				return err
			}
		}
		for _, o := range all.Omitted {
			if len(o.Redactions) > 0 {
				whole++
			}
		}
		files += count
		fmt.Printf("%s: %d files, %d findings, %d files out for what they hold\n", filepath.Base(dir), count, found, whole)
	}
	fmt.Printf("%d findings in %d files, %.1f per 1,000\n", len(list), files, share(len(list), files)*1000)
	rng := rand.New(rand.NewPCG(seed, seed))
	rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	list = list[:min(n, len(list))]
	slices.SortFunc(list, func(a, b finding) int {
		return bytes.Compare([]byte(a.folder+"/"+a.path), []byte(b.folder+"/"+b.path))*2 + min(1, max(-1, a.line-b.line))
	})
	for _, f := range list {
		fmt.Printf("%s/%s:%d\t%s\t%s\n", f.folder, f.path, f.line, f.rule, f.around)
	}
	return nil
}

// masked is the line of a finding; of each value on it the first quarter is left, at most four characters.
func masked(t []byte, all []secret.Finding, f secret.Finding) []byte {
	lo, hi := f.Start, f.Start
	for lo > 0 && t[lo-1] != '\n' && f.Start-lo < 80 {
		lo--
	}
	for hi < len(t) && t[hi] != '\n' && hi-f.Start < 80 {
		hi++
	}
	out := slices.Clone(t[lo:hi])
	for _, g := range all {
		for i := max(g.Start+min(4, (g.End-g.Start)/4), lo); i < min(g.End, hi); i++ {
			out[i-lo] = '*'
		}
	}
	return bytes.ToValidUTF8(bytes.TrimSpace(out), nil)
}
