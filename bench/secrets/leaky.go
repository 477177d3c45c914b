//go:build linux

package main

import (
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/text"
)

// leaky scores a clone of Plazmaz/leaky-repo: of the lines with a risk that its table counts for each file, how many have a
// finding, at each level. A file that is left out as a key file counts whole. The peers' lines are those on which a finding begins.
func leaky(dir string, limit time.Duration) error {
	f, err := os.Open(filepath.Join(dir, ".leaky-meta", "secrets.csv"))
	if err != nil {
		return fmt.Errorf("%w: -leaky takes a clone of Plazmaz/leaky-repo", err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment, r.FieldsPerRecord = '#', -1
	rows, err := r.ReadAll()
	if err != nil {
		return fmt.Errorf("secrets.csv: %w", err)
	}
	texts := map[string][]byte{}
	risks := map[string]int{}
	for _, row := range rows {
		if len(row) < 2 {
			continue
		}
		risk, err := strconv.Atoi(strings.TrimSpace(row[1]))
		if err != nil || risk == 0 {
			continue
		}
		if b, err := os.ReadFile(filepath.Join(dir, row[0])); err == nil { // the table names files that are not there
			texts[row[0]] = text.Decode(b, text.Detect(b))
			risks[row[0]] += risk
		}
	}
	findings := map[string][]secret.Finding{}
	for _, level := range [...]struct {
		name string
		at   secret.Level
	}{{"strict", secret.Strict}, {"balanced", secret.Balanced}} {
		scanner, err := secret.NewWith(secret.Committed(level.at))
		if err != nil {
			return err
		}
		all, err := search(dir, scanner)
		if err != nil {
			return err
		}
		out := map[string]string{}
		for _, o := range all.Omitted {
			out[o.Path] = string(o.Reason)
		}
		for name, t := range texts {
			list, err := scanner.Scan(name, t, nil)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			findings[name] = secret.Merge(list, all.Known.Find(t, nil))
		}
		risky("leaky-repo, "+level.name, risks, findings, out, level.at == secret.Balanced)
	}
	for _, p := range peersWithin(limit) {
		found, err := p.find("leaky-repo", dir, limit)
		if err != nil {
			fmt.Printf("%s: %v\n", p.name, err)
			continue
		}
		for name, t := range texts {
			findings[name] = bytesOf(t, found[name])
		}
		risky(p.name, risks, findings, nil, false)
	}
	return nil
}

// risky prints how many of the lines with a risk have a finding.
func risky(who string, risks map[string]int, findings map[string][]secret.Finding, out map[string]string, list bool) {
	total, found := 0, 0
	for _, name := range slices.Sorted(maps.Keys(risks)) {
		risk := risks[name]
		total += risk
		lines := map[int]bool{}
		for _, f := range findings[name] {
			lines[f.Line] = true
		}
		n := min(risk, len(lines))
		if out[name] == "credentials" {
			n = risk
		}
		found += n
		if list && n < risk {
			fmt.Printf("  %s: %d of %d\n", name, n, risk)
		}
	}
	fmt.Printf("%s: %d of %d lines with a risk, %.3f\n", who, found, total, share(found, total))
}
