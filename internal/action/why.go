package action

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/text"
)

// whyVerb says from the last run's record what became of a path, and why.
func whyVerb(ctx context.Context, e *job.Env, in *job.Inputs, o *options) error {
	if len(o.args) != 1 {
		return job.UsageError("why needs one argument, a path of the repository, and :LINE behind it if a line is meant")
	}
	h, err := snapshot.OpenHead(ctx, &e.Setting, &in.Scope)
	if err != nil {
		return err
	}
	defer h.Close()
	dir, err := snapshot.OutputDir(&e.Setting, &in.Scope, h)
	if err != nil {
		return err
	}
	var rec *record.Record
	folder, err := snapshot.OpenFolder(&e.Setting, h, dir)
	if err == nil {
		rec, err = record.ReadIn(folder, "record.json", "why needs the record of a run")
		folder.Close()
	}
	if errors.Is(err, fs.ErrNotExist) {
		return job.WithCode(errors.New("there is no record of a run yet: run haversack first"), job.ExitInput)
	}
	if err != nil {
		return err
	}
	name, line := filepath.ToSlash(filepath.Clean(o.args[0])), 0
	i := slices.IndexFunc(rec.Files, func(r record.Row) bool { return r.Path == name || r.Path == name+"/" })
	if at := strings.LastIndexByte(name, ':'); i < 0 && at > 0 {
		if n, err := strconv.Atoi(name[at+1:]); err == nil && n > 0 {
			name, line = name[:at], n
			i = slices.IndexFunc(rec.Files, func(r record.Row) bool { return r.Path == name })
		}
	}
	if i < 0 {
		// Of a folder that was not entered, the record has one row.
		i = slices.IndexFunc(rec.Files, func(r record.Row) bool { return strings.HasSuffix(r.Path, "/") && strings.HasPrefix(name, r.Path) })
	}
	if i < 0 {
		return job.WithCode(fmt.Errorf("the last run met no %q%s", name, nearPaths(rec, name)), job.ExitInput)
	}
	if line == 0 {
		e.Log.Print(because(rec.Files[i]))
		return nil
	}
	words, err := lineBecause(e, h, name, line)
	if err != nil {
		return err
	}
	e.Log.Print(words)
	return nil
}

// lineBecause says for each value on a line of a file, as it is now, whether it is taken for a credential, and what decides. No
// value is shown, only where it begins and how long it is.
func lineBecause(e *job.Env, h *snapshot.Head, name string, line int) (string, error) {
	raw, err := h.Root.ReadFile(name, scan.MaxFileBytes)
	if err != nil {
		return "", job.WithCode(fmt.Errorf("reading %q: %w", name, err), job.ExitInput)
	}
	content := text.Decode(raw, text.Detect(raw))
	from := 0
	for n := 1; n < line; n++ {
		i := bytes.IndexByte(content[from:], '\n')
		if i < 0 {
			return "", job.WithCode(fmt.Errorf("%q has %d lines, not %d", name, len(slices.Collect(bytes.Lines(content))), line), job.ExitInput)
		}
		from += i + 1
	}
	to := len(content)
	if i := bytes.IndexByte(content[from:], '\n'); i >= 0 {
		to = from + i
	}
	found, err := e.Screener.Find(name, content)
	if err != nil {
		return "", fmt.Errorf("screening %q: %w", name, err)
	}
	var b strings.Builder
	place := func(start, end int) {
		fmt.Fprintf(&b, "%q line %d, column %d, %d characters: ", name, line, utf8.RuneCount(content[from:max(from, start)])+1, utf8.RuneCount(content[start:end]))
	}
	said := 0
	for _, f := range found {
		if f.Start < to && from < f.End {
			said++
			place(f.Start, f.End)
			fmt.Fprintf(&b, "redacted, %s\n", f.Rule)
		}
	}
	scanner := e.Screener.Scanner
	for _, c := range scanner.Candidates(name, content) {
		if c.Start >= to || c.End <= from {
			continue
		}
		said++
		place(c.Start, c.End)
		if c.Excepted != "" {
			fmt.Fprintf(&b, "no credential for the model: it %s\n", c.Excepted)
			continue
		}
		if c.Certain {
			fmt.Fprintf(&b, "a credential: it was drawn by lot for all that one can see, and its name says so (for the model %d of %d)\n", c.Score, scanner.Needs())
			continue
		}
		verdict := "no credential"
		if c.Score >= scanner.Needs() {
			verdict = "a credential"
		}
		fmt.Fprintf(&b, "%s for the model, with %d of %d\n", verdict, c.Score, scanner.Needs())
		slices.SortStableFunc(c.Features, func(x, y uint16) int { return magnitude(scanner.Weight(y)) - magnitude(scanner.Weight(x)) })
		for _, n := range c.Features[:min(8, len(c.Features))] {
			fmt.Fprintf(&b, "  %+d  %s\n", scanner.Weight(n), secret.FeatureName(n))
		}
	}
	if said == 0 {
		fmt.Fprintf(&b, "%q line %d: no value in it stands where a credential may stand\n", name, line)
	}
	return b.String(), nil
}

func magnitude(n int) int { return max(n, -n) }

// because writes a row of the record for a person.
func because(r record.Row) string {
	var b strings.Builder
	if r.Included {
		fmt.Fprintf(&b, "%q is packed, %s.\n", r.Path, job.BytesText(r.SizeBytes))
	} else {
		fmt.Fprintf(&b, "%q is left out: %s (%s).\n", r.Path, job.OneLine(r.Reason), job.OneLine(r.Rule))
	}
	if r.Rescued != "" {
		fmt.Fprintf(&b, "Its name is suspect (%s), and nothing in it keeps it out.\n", job.OneLine(r.Rescued))
	}
	for _, w := range r.Why {
		fmt.Fprintf(&b, "  %s\n", job.OneLine(w))
	}
	for _, f := range r.Redactions {
		fmt.Fprintf(&b, "  line %d: %s\n", f.Line, job.OneLine(f.Rule))
		if f.Allow != "" {
			fmt.Fprintf(&b, "    a false alarm? a line for .haversackallow:  %s\n", job.OneLine(f.Allow))
		}
	}
	for _, f := range r.Accepted {
		fmt.Fprintf(&b, "  line %d: %s, accepted by .haversackallow\n", f.Line, job.OneLine(f.Rule))
	}
	return b.String()
}

// nearPaths suggests paths that a user may have meant: those with the same base name.
func nearPaths(rec *record.Record, name string) string {
	var list []string
	for _, r := range rec.Files {
		if filepath.Base(r.Path) == filepath.Base(name) {
			list = append(list, r.Path)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf("; did you mean one of %q?", list[:min(3, len(list))])
}
