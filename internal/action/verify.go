package action

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/haversack-dev/haversack/internal/archive"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
)

// maxRecord is the most bytes of a record that is read.
const maxRecord = 512 << 20

// verify checks an archive against the record beside it, and scans it again.
func (c *Command) verify(ctx context.Context, in *Inputs, o *options) error {
	if len(o.args) != 1 {
		return usageError("verify needs one argument, the archive")
	}
	name := o.args[0]
	if !filepath.IsAbs(name) && c.Dir != "" {
		name = filepath.Join(c.Dir, name)
	}
	shown := filepath.Base(name)
	rec, err := readRecord(filepath.Join(filepath.Dir(name), "record.json"))
	if err != nil {
		return err
	}
	var want *Output
	for i := range rec.Outputs {
		if rec.Outputs[i].Name == shown {
			want = &rec.Outputs[i]
		}
	}
	if want == nil {
		return &codedError{fmt.Errorf("record.json beside it knows no output %q", shown), exitInput}
	}
	f, err := os.Open(name)
	if err != nil {
		return &codedError{err, exitInput}
	}
	defer f.Close()
	sum := sha256.New()
	size, err := io.Copy(sum, f)
	if err != nil {
		return fmt.Errorf("reading %s: %w", shown, err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	var diffs []archive.Difference
	if got := hex.EncodeToString(sum.Sum(nil)); got != want.SHA256 {
		diffs = append(diffs, archive.Difference{Path: shown, What: fmt.Sprintf("has sha256 %s, the record says %s", got, want.SHA256)})
	}
	if size != want.SizeBytes {
		diffs = append(diffs, archive.Difference{Path: shown, What: fmt.Sprintf("has %d bytes, the record says %d", size, want.SizeBytes)})
	}
	scanner, err := secret.New()
	if err != nil {
		return fmt.Errorf("reading the secret rules: %w", err)
	}
	accepted := acceptedFindings(rec)
	screener := &scan.Screener{Scanner: scanner, Given: new(secret.Known), Found: new(secret.Known), Policy: scan.Redact}
	var leaks []string
	members, err := archive.Read(f, func(m archive.Member, body io.Reader) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		leak := func(what string) { leaks = append(leaks, fmt.Sprintf("%q%s", screenText(screener, m.Path), what)) }
		if _, held := screener.Name(m.Path); held {
			leak(": in its name")
		}
		if _, held := screener.Name(m.Link); held {
			leak(": in the target of the link")
		}
		if m.Link != "" {
			return nil
		}
		if m.Size > scan.MaxFileBytes {
			return nil // the record cannot hold it; compare says so
		}
		raw, err := io.ReadAll(body)
		if err != nil {
			return err
		}
		s := screener.Screen(m.Path, raw, "")
		switch s.Reason {
		case scan.Binary, scan.SizeLimit, scan.Unreadable:
			leak(": cannot be screened: " + s.Rule) // no run archives such a file
		}
		for _, f := range s.Redactions {
			if p, _ := display(m.Path); !accepted[p][Redaction{f.Rule, f.Line}] {
				leak(fmt.Sprintf(", line %d: %s", f.Line, f.Rule))
			}
		}
		return nil
	})
	if err != nil {
		diffs = append(diffs, archive.Difference{Path: shown, What: "cannot be read to its end: " + err.Error()})
	}
	for i := range members {
		members[i].Path, _ = display(members[i].Path)
	}
	diffs = append(diffs, archive.Compare(want.Members, members)...)
	if shown == "archive.tar" || shown == "archive.tar.zst" {
		diffs = append(diffs, compareRows(rec, members)...)
	}
	for _, d := range diffs {
		fmt.Fprintln(c.Stdout, d)
	}
	for _, l := range leaks {
		fmt.Fprintln(c.Stdout, "credential in", l)
	}
	switch {
	case len(leaks) > 0:
		return &codedError{fmt.Errorf("verifying %s: %d credentials and %d differences", shown, len(leaks), len(diffs)), exitSecret}
	case len(diffs) > 0:
		return fmt.Errorf("verifying %s: %d differences", shown, len(diffs))
	}
	fmt.Fprintf(c.Stdout, "%s: %d members are what record.json says, and no credential was found in them.\n", shown, len(members))
	return nil
}

func screenText(s *scan.Screener, text string) string {
	clean, _ := s.Name(text)
	return clean
}

// acceptedFindings are those that the record says somebody answers for.
func acceptedFindings(rec *Record) map[string]map[Redaction]bool {
	all := map[string]map[Redaction]bool{}
	for _, row := range rec.Files {
		for _, a := range row.Accepted {
			if all[row.Path] == nil {
				all[row.Path] = map[Redaction]bool{}
			}
			all[row.Path][a] = true
		}
	}
	return all
}

// compareRows checks the other half of the record: `included` means a member
// of archive.tar, with the row's sha256.
func compareRows(rec *Record, members []archive.Member) []archive.Difference {
	var diffs []archive.Difference
	index := make(map[string]archive.Member, len(members))
	for _, m := range members {
		index[m.Path] = m
	}
	for _, row := range rec.Files {
		m, ok := index[row.Path]
		switch {
		case row.Included && !ok:
			diffs = append(diffs, archive.Difference{Path: row.Path, What: "is said to be included but is not in the archive"})
		case row.Included && m.SHA256 != row.SHA256:
			diffs = append(diffs, archive.Difference{Path: row.Path, What: fmt.Sprintf("has sha256 %s, its row says %s", m.SHA256, row.SHA256)})
		case !row.Included && ok:
			diffs = append(diffs, archive.Difference{Path: row.Path, What: "is said to be left out but is in the archive"})
		}
	}
	return diffs
}

func readRecord(name string) (*Record, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, &codedError{fmt.Errorf("%w: verify needs the record of the run that made the archive, in the same folder", err), exitInput}
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxRecord+1))
	if err != nil {
		return nil, err
	}
	if len(raw) > maxRecord {
		return nil, &codedError{errors.New("record.json is too large"), exitInput}
	}
	var rec Record
	if err := json.Unmarshal(raw, &rec); err != nil {
		return nil, &codedError{fmt.Errorf("record.json is not a record: %s", jsonFault(raw, err)), exitInput}
	}
	return &rec, nil
}
