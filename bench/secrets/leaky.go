//go:build linux

package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/text"
)

// leaky scores a clone of Plazmaz/leaky-repo: of the lines with a risk that its table counts for each file, how many have a
// finding. A file that is left out as a key file counts whole.
func leaky(dir string) error {
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
	scanner, err := secret.New()
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
	risks, found := 0, 0
	for _, row := range rows {
		if len(row) < 2 {
			continue
		}
		name, risk := row[0], 0
		if risk, err = strconv.Atoi(strings.TrimSpace(row[1])); err != nil || risk == 0 {
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			continue // the table names files that are not there
		}
		risks += risk
		if out[name] == "credentials" {
			found += risk
			continue
		}
		t := text.Decode(b, text.Detect(b))
		list, err := scanner.Scan(name, t, nil)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		lines := map[int]bool{}
		for _, f := range secret.Merge(list, all.Known.Find(t, nil)) {
			lines[f.Line] = true
		}
		n := min(risk, len(lines))
		found += n
		if n < risk {
			fmt.Printf("  %s: %d of %d\n", name, n, risk)
		}
	}
	fmt.Printf("leaky-repo: %d of %d lines with a risk, %.3f\n", found, risks, share(found, risks))
	return nil
}
