package action

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// whyVerb says from the last run's record what became of a path, and why.
func whyVerb(ctx context.Context, e *env, in *Inputs, o *options) error {
	if len(o.args) != 1 {
		return usageError("why needs one argument, a path of the repository")
	}
	h, err := openHead(ctx, e, in)
	if err != nil {
		return err
	}
	defer h.close()
	dir, err := outputDir(e, in, h)
	if err != nil {
		return err
	}
	rec, err := readRecord(filepath.Join(dir, "record.json"), "why needs the record of a run")
	if errors.Is(err, fs.ErrNotExist) {
		return &codedError{errors.New("there is no record of a run yet: run haversack first"), exitInput}
	}
	if err != nil {
		return err
	}
	name := filepath.ToSlash(filepath.Clean(o.args[0]))
	i := slices.IndexFunc(rec.Files, func(r Row) bool { return r.Path == name || r.Path == name+"/" })
	if i < 0 {
		// Of a folder that was not entered, the record has one row.
		i = slices.IndexFunc(rec.Files, func(r Row) bool { return strings.HasSuffix(r.Path, "/") && strings.HasPrefix(name, r.Path) })
	}
	if i < 0 {
		return &codedError{fmt.Errorf("the last run met no %q%s", name, nearPaths(rec, name)), exitInput}
	}
	e.log.print(because(rec.Files[i]))
	return nil
}

// because writes a row of the record for a person.
func because(r Row) string {
	var b strings.Builder
	if r.Included {
		fmt.Fprintf(&b, "%q is packed, %s.\n", r.Path, bytesText(r.SizeBytes))
	} else {
		fmt.Fprintf(&b, "%q is left out: %s (%s).\n", r.Path, r.Reason, r.Rule)
	}
	if r.Rescued != "" {
		fmt.Fprintf(&b, "Its name is suspect (%s), and nothing in it keeps it out.\n", r.Rescued)
	}
	for _, w := range r.Why {
		fmt.Fprintf(&b, "  %s\n", oneLine(w))
	}
	for _, f := range r.Redactions {
		fmt.Fprintf(&b, "  line %d: %s\n", f.Line, f.Rule)
		if f.Allow != "" {
			fmt.Fprintf(&b, "    a false alarm? a line for .haversackallow:  %s\n", oneLine(f.Allow))
		}
	}
	for _, f := range r.Accepted {
		fmt.Fprintf(&b, "  line %d: %s, accepted by .haversackallow\n", f.Line, f.Rule)
	}
	return b.String()
}

// nearPaths suggests paths that a user may have meant: those with the same base name.
func nearPaths(rec *Record, name string) string {
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
