package action

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/archive"
	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/plan"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/registry"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tree"
)

// verify checks an archive against the record beside it, and scans it again: files as the
// screen does, documents of the engine, which were composed of screened texts, as the
// gate does.
func verifyVerb(ctx context.Context, e *job.Env, in *job.Inputs, o *options) error {
	if len(o.args) != 1 {
		return job.UsageError("verify needs one argument, the archive, or the address of what was pushed")
	}
	if strings.HasPrefix(o.args[0], registry.Scheme) {
		return verifyPushed(ctx, e, in, o)
	}
	v, err := checkArchive(ctx, e, e.At(o.args[0]))
	if err != nil {
		return err
	}
	if err := printVerification(e, o, v); err != nil {
		return err
	}
	differences := len(v.beside())
	if len(v.unread) > 0 && len(v.Credentials) == 0 {
		return fmt.Errorf("verifying %s: %s, and %s that cannot be checked", v.Archive, claim.Count(differences, "difference"), claim.Count(len(v.unread), "member"))
	}
	return failedVerification(v.Archive, len(v.Credentials), differences)
}

// checkArchive checks one archive against the record beside it.
func checkArchive(ctx context.Context, e *job.Env, name string) (*verification, error) {
	shown := filepath.Base(name)
	rec, err := record.Read(filepath.Join(filepath.Dir(name), "record.json"), "verify needs the record of the run that made the archive, in the same folder")
	// A record that cannot be read is told of first: it says that the archive was named rightly.
	if _, absent := os.Lstat(name); errors.Is(absent, fs.ErrNotExist) && (err == nil || errors.Is(err, fs.ErrNotExist)) {
		return nil, job.WithCode(fmt.Errorf("%s is not there: name an archive, as a run leaves it: .stan/output/archive.tar", text.Name(shown)), job.ExitInput)
	}
	if err != nil {
		return nil, err
	}
	var want *record.Output
	for i := range rec.Outputs {
		if rec.Outputs[i].Name == shown {
			want = &rec.Outputs[i]
		}
	}
	if want == nil {
		return nil, job.WithCode(fmt.Errorf("record.json beside it knows no output %q", shown), job.ExitInput)
	}
	f, fi, err := tree.OpenRegular(name)
	if err != nil {
		return nil, job.WithCode(err, job.ExitInput)
	}
	defer f.Close()
	sum := sha256.New()
	size := fi.Size()
	// What is longer than the record says is another file, whatever it holds.
	if _, err := io.Copy(sum, &contextReader{ctx, io.LimitReader(f, want.SizeBytes+1)}); err != nil {
		return nil, fmt.Errorf("reading %s: %w", shown, err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	var diffs []archive.Difference
	if got := hex.EncodeToString(sum.Sum(nil)); got != want.SHA256 && size <= want.SizeBytes {
		diffs = append(diffs, archive.Difference{Path: shown, What: fmt.Sprintf("has sha256 %s, the record says %s", got, want.SHA256)})
	}
	if size != want.SizeBytes {
		diffs = append(diffs, archive.Difference{Path: shown, What: fmt.Sprintf("has %d bytes, the record says %d", size, want.SizeBytes)})
	}
	accepted, files := acceptedFindings(rec), rowsOfFiles(rec)
	var leaks []string
	room, err := roomFor(want, size)
	if err != nil {
		return nil, job.WithCode(err, job.ExitInput)
	}
	members, err := archive.ReadUpTo(f, room, func(m archive.Member, body io.Reader) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		found, err := leaksIn(e.Screener, m, body, files, accepted)
		leaks = append(leaks, found...)
		return err
	})
	if err != nil {
		diffs = append(diffs, archive.Difference{Path: shown, What: "cannot be read to its end: " + err.Error()})
	} else if size < want.SizeBytes && endsEarly(want.Members, members) { // between two members: a tar of fewer
		err = errEndsEarly
		diffs = append(diffs, archive.Difference{Path: shown, What: err.Error()})
	}
	broken, own := err != nil, len(diffs)
	// The order is that of the names as they are, which is another than that of the names as they are shown.
	diffs = append(diffs, archive.Compare(want.Members, members, asShown)...)
	for i := range members {
		members[i].Path = asShown(members[i].Path)
	}
	if shown == "archive.tar" || shown == "archive.tar.zst" {
		diffs = append(diffs, compareRows(rec, members)...)
	}
	v := &verification{Archive: shown, Members: len(members), Differences: diffs, Credentials: leaks}
	if broken {
		v.own, v.unread = own, unreadOf(want.Members, members)
	}
	return v, nil
}

var errEndsEarly = errors.New("ends before members that the record has: it is cut off")

// endsEarly reports whether the members read are the first of those that a record has, and not all.
func endsEarly(want, read []archive.Member) bool {
	return len(read) < len(want) &&
		slices.EqualFunc(want[:len(read)], read, func(a, b archive.Member) bool { return a.Path == asShown(b.Path) })
}

// unreadOf are the members that a record tells of and that an archive ends before, in the record's order.
func unreadOf(want, read []archive.Member) (list []string) {
	seen := make(map[string]bool, len(read))
	for _, m := range read {
		seen[m.Path] = true
	}
	for _, m := range want {
		if !seen[m.Path] {
			list = append(list, m.Path)
		}
	}
	return list
}

// verification is what verify --json prints.
type verification struct {
	Archive     string               `json:"archive"`
	Members     int                  `json:"members"`
	Differences []archive.Difference `json:"differences"`
	Credentials []string             `json:"credentials"` // where: never what
	// unread are the members that cannot be checked, as the archive could not be read to its end: each is a difference too.
	unread []string
	own    int // differences of the archive itself, which stand first
}

// beside are the differences but those of members that cannot be checked.
func (v *verification) beside() []archive.Difference {
	unread := make(map[string]bool, len(v.unread))
	for _, name := range v.unread {
		unread[name] = true
	}
	others := slices.DeleteFunc(slices.Clone(v.Differences[v.own:]), func(d archive.Difference) bool { return unread[d.Path] })
	return slices.Concat(v.Differences[:v.own], others)
}

// unreadNamed is how many of the members that cannot be checked are told by name.
const unreadNamed = 3

// unchecked tells which members cannot be checked, "" where all can.
func (v *verification) unchecked() string {
	n := len(v.unread)
	if n == 0 {
		return ""
	}
	var names []string
	for _, name := range v.unread[:min(n, unreadNamed)] {
		names = append(names, fmt.Sprintf("%q", name))
	}
	more := ""
	if n > unreadNamed {
		more = fmt.Sprintf(" and %d more", n-unreadNamed)
	}
	return job.OneLine(fmt.Sprintf("%s of the record cannot be checked, as the archive cannot be read so far: %s%s", claim.Count(n, "member"), strings.Join(names, ", "), more)) + "\n"
}

// printVerification says what was found. A difference and a credential are errors besides.
func printVerification(e *job.Env, o *options, v *verification) error {
	if o.json {
		shown := *v
		shown.Differences = append([]archive.Difference{}, v.Differences...)
		shown.Credentials = append([]string{}, v.Credentials...)
		return printJSON(e, &shown)
	}
	text := foundBy(v.beside(), nil) + v.unchecked() + foundBy(nil, v.Credentials)
	if text == "" {
		text = fmt.Sprintf("%s: %d members are what record.json says, and no credential was found in them.\n", job.OneLine(v.Archive), v.Members)
	}
	return e.Log.Answer(text)
}

// foundBy tells what a verification found, a line each; "" where that is nothing.
func foundBy(differences []archive.Difference, credentials []string) string {
	var b strings.Builder
	for _, d := range differences {
		b.WriteString(job.OneLine(d.String()) + "\n")
	}
	for _, l := range credentials {
		b.WriteString(job.OneLine("credential in "+l) + "\n")
	}
	return b.String()
}

// Bounds on what an archive expands to: text that repeats itself is not a thousandth
// when it is compressed, but for files of zeros.
const (
	maxRatio  = 2000
	plainRoom = 256 << 20
)

// roomFor is how many bytes the archive of an output may hold: what the record says,
// where that can be.
func roomFor(o *record.Output, compressed int64) (int64, error) {
	for _, m := range o.Members {
		if m.Size < 0 || m.Size > scan.MaxFileBytes {
			name, _ := record.DisplayPath(m.Path)
			return 0, fmt.Errorf("record.json says that %q has %d bytes, and no run archives more than %d of a file", name, m.Size, scan.MaxFileBytes)
		}
	}
	return min(archive.Room(o.Members), plainRoom+maxRatio*compressed), nil
}

// asShown is a path as records have it.
func asShown(path string) string {
	shown, _ := record.DisplayPath(path)
	return shown
}

// rowsOfFiles are the paths that the record has as files of the repository, or of what
// it depends on, in archive.tar.
func rowsOfFiles(rec *record.Record) map[string]bool {
	files := make(map[string]bool, len(rec.Files))
	for _, row := range rec.Files {
		files[row.Path] = row.Included && !slices.Equal(row.Why, []string{byEngine})
	}
	return files
}

// leaksIn screens one member, its name and the target of a link.
func leaksIn(screener *scan.Screener, m archive.Member, body io.Reader, files map[string]bool, accepted map[string]map[record.Redaction]bool) (leaks []string, err error) {
	leak := func(what string) { leaks = append(leaks, fmt.Sprintf("%q%s", screener.Clean(m.Path), what)) }
	if _, held := screener.Name(m.Path); held {
		leak(": in its name")
	}
	if _, held := screener.Name(m.Link); held {
		leak(": in the target of the link")
	}
	if m.Link != "" || m.Size > scan.MaxFileBytes {
		return leaks, nil // the record cannot hold a larger one; compare says so
	}
	raw, err := io.ReadAll(body)
	if err != nil {
		return leaks, err
	}
	shown, _ := record.DisplayPath(m.Path)
	if !files[shown] && text.Detect(raw) != text.Binary {
		if err := (&plan.Gate{Screener: screener}).Document(m.Path, raw); err != nil {
			leak(": what no document of a run holds")
		}
		return leaks, nil
	}
	s := screener.Screen(m.Path, raw, "", new(secret.KnownValues))
	switch s.Reason {
	case scan.Binary, scan.SizeLimit, scan.Unreadable:
		leak(": cannot be screened: " + s.Rule) // no run archives such a file
	}
	for _, f := range s.Redactions {
		if !accepted[shown][record.Redaction{Rule: f.Rule, Line: f.Line}] {
			leak(fmt.Sprintf(", line %d: %s", f.Line, f.Rule))
		}
	}
	return leaks, nil
}

// acceptedFindings are those that the record says somebody answers for.
func acceptedFindings(rec *record.Record) map[string]map[record.Redaction]bool {
	all := map[string]map[record.Redaction]bool{}
	for _, row := range rec.Files {
		for _, a := range row.Accepted {
			if all[row.Path] == nil {
				all[row.Path] = map[record.Redaction]bool{}
			}
			all[row.Path][a] = true
		}
	}
	return all
}

// compareRows checks the other half of the record: `included` means a member
// of archive.tar, with the row's sha256.
func compareRows(rec *record.Record, members []archive.Member) []archive.Difference {
	var diffs []archive.Difference
	index := make(map[string]archive.Member, len(members))
	for _, m := range members {
		index[m.Path] = m
	}
	for _, row := range rec.Files {
		m, ok := index[row.Path]
		switch {
		case row.Included && !ok:
			diffs = append(diffs, archive.Difference{Path: row.Path, What: "is not in the archive, and its row says that it is"})
		case row.Included && m.SHA256 != row.SHA256:
			diffs = append(diffs, archive.Difference{Path: row.Path, What: fmt.Sprintf("has sha256 %s, its row says %s", m.SHA256, row.SHA256)})
		case !row.Included && ok:
			diffs = append(diffs, archive.Difference{Path: row.Path, What: "is in the archive, and its row says that it is left out"})
		}
	}
	return diffs
}

// contextReader reads until the context ends.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (e *contextReader) Read(p []byte) (int, error) {
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	return e.r.Read(p)
}
