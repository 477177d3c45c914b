package action

import (
	"bufio"
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
	"strconv"
	"strings"
	"time"

	"github.com/haversack-dev/haversack/internal/archive"
	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tree"
)

// run is one run of the program, from inputs to record.
type run struct {
	c    *Command
	in   *Inputs
	log  *log
	temp string // private folder outside the repository, removed at the end

	head     *head
	taker    *scan.Taker
	screener *scan.Screener
	snap     *scan.Snapshot
	base     *base
	entries  []diff.Entry
	changes  []diff.Change
	at       time.Time // of every member

	out     *outdir
	outPath string // of the output folder, as shown to users
	record  *Record
}

// pack is the whole run. Its order is the order of the design:
//
//	inputs → repository → scan → screen → base → archives → gate → record → hand over
//
// The base comes after the scan because on a desk it depends on whether the
// worktree differs from its commit.
func (c *Command) pack(ctx context.Context, in *Inputs, o *options) (err error) {
	r := &run{c: c, in: in, log: newLog(c, o)}
	defer func() { r.log.close(err) }()
	if r.temp, err = os.MkdirTemp(c.Getenv("RUNNER_TEMP"), "haversack-"); err != nil {
		return fmt.Errorf("making a temporary folder: %w", err)
	}
	defer os.RemoveAll(r.temp)

	if err := r.step("open", r.open); err != nil {
		return err
	}
	defer r.head.close()
	// Before the scan, so that the first run sees the folder as the next one does.
	if err := r.makeOutdir(); err != nil {
		return err
	}
	defer r.out.abort()
	spool := tree.NewSpool(r.temp)
	defer spool.Close()
	if err := r.step("scan", func() error { return r.scan(ctx, spool) }); err != nil {
		return err
	}
	if err := r.step("compare", func() error { return r.compare(ctx) }); err != nil {
		if errors.Is(err, diff.ErrNothingToDo) {
			r.log.print("Nothing to pack: " + err.Error() + ".\n")
			return nil
		}
		return err
	}
	defer r.base.close()
	if err := r.step("archive", r.archives); err != nil {
		return err
	}
	if err := r.finish(); err != nil {
		return err
	}
	return r.handOver(ctx, o)
}

// step runs one part of a run and takes its time.
func (r *run) step(name string, do func() error) error {
	start := time.Now()
	r.log.begin(name)
	err := do()
	r.log.end()
	if r.record != nil {
		r.record.Timings = append(r.record.Timings, Timing{name, time.Since(start).Milliseconds()})
	}
	return err
}

func (r *run) open() (err error) {
	r.record = &Record{Tool: Tool{"haversack", r.c.Version}, Mode: "full", Outputs: []Output{}, Unresolved: []Unresolved{}, Warnings: []string{}}
	if r.head, err = r.c.openHead(r.in); err != nil {
		return err
	}
	r.warn(r.head.warns...)
	r.record.Head = Head{Commit: r.head.commit.SHA, Kind: r.head.kind}
	r.at, err = r.memberTime()
	return err
}

// memberTime is the time of every member: SOURCE_DATE_EPOCH, else the head
// commit's, else 0.
func (r *run) memberTime() (time.Time, error) {
	if s := r.c.Getenv("SOURCE_DATE_EPOCH"); s != "" {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil || n < 0 {
			return time.Time{}, &codedError{fmt.Errorf("SOURCE_DATE_EPOCH %q: a number of seconds since 1970 is needed", s), exitInput}
		}
		return time.Unix(n, 0).UTC(), nil
	}
	if r.head.commit.SHA == "" {
		return time.Unix(0, 0).UTC(), nil
	}
	return time.Unix(max(r.head.commit.Time.Unix(), 0), 0).UTC(), nil
}

// rules are the name rules of this run.
func (r *run) rules() scan.Rules {
	rules := scan.Rules{Literal: r.in.Literal, Include: r.in.Include, Exclude: r.in.Exclude, Stan: r.in.Stan, Under: r.head.under,
		Untracked: r.in.Untracked}
	if out := slashRel(r.head.dir, r.outputDir()); out != "" && out != "." {
		rules.Output = out
	}
	return rules
}

// outputDir is where results go, as a path on disk.
func (r *run) outputDir() string {
	switch dir := r.in.OutputDir; {
	case dir == "":
		return filepath.Join(r.head.dir, filepath.FromSlash(r.in.Stan), "output")
	case filepath.IsAbs(dir):
		return filepath.Clean(dir)
	default:
		return filepath.Join(r.c.workspaceAbs(), dir)
	}
}

func (r *run) scan(ctx context.Context, spool *tree.Spool) error {
	scanner, err := secret.New()
	if err != nil {
		return fmt.Errorf("reading the secret rules: %w", err)
	}
	r.screener = &scan.Screener{Scanner: scanner, Given: new(secret.Known), Found: new(secret.Known), Policy: scan.Redact}
	r.taker = &scan.Taker{Root: r.head.root, Rules: r.rules(), Git: r.head.git(), Screener: r.screener, Spool: spool, Progress: &r.log.progress}
	var warns []string
	if r.snap, warns, err = r.taker.Take(ctx); err != nil {
		return err
	}
	r.warn(warns...)
	r.snap.Omit(r.head.absent()...)
	if len(r.snap.Files) == 0 {
		if len(r.snap.Omitted) == 0 {
			return badInput("path", "%q is empty: there is nothing to pack", r.in.Path)
		}
		r.warn("no file is left to pack: see the omissions in record.json")
	}
	return nil
}

// compare finds the base and what changed against it.
func (r *run) compare(ctx context.Context) (err error) {
	if r.entries, err = r.head.entries(ctx, r.snap); err != nil {
		return fmt.Errorf("comparing with the base: %w", err)
	}
	if r.base, err = r.c.findBase(ctx, r.in, r.head, r.entries, r.temp); err != nil {
		return err
	}
	r.warn(r.base.warns...)
	r.record.Base = Base{Commit: r.base.commit, Reason: r.base.reason}
	if r.base.none {
		return nil
	}
	if r.base.saved {
		r.entries = savedEntries(r.snap.Files)
	}
	r.changes = diff.Between(r.base.files, r.entries)
	return nil
}

func (r *run) makeOutdir() (err error) {
	dir := r.outputDir()
	r.outPath = dir
	if rel := slashRel(r.c.workspaceAbs(), dir); rel != "" {
		r.outPath = rel
	}
	if r.out, err = newOutdir(dir); err != nil {
		if errors.Is(err, fs.ErrPermission) {
			return badInput("output-dir", "%w; name a folder that can be written", err)
		}
		return err
	}
	return nil
}

// archives writes archive.tar and archive.diff.tar.
func (r *run) archives() error {
	g := newGate(r.screener, r.snap)
	files := make([]tree.File, 0, len(r.snap.Files))
	for i := range r.snap.Files {
		files = append(files, r.snap.Files[i].File)
	}
	if err := r.archive("archive.tar", files, g); err != nil {
		return err
	}
	if r.base.none {
		return nil
	}
	docs, err := r.changeDocuments(g)
	if err != nil {
		return err
	}
	return r.archive("archive.diff.tar", r.diffFiles(docs), g)
}

// archive writes one archive and puts it on the record.
func (r *run) archive(name string, files []tree.File, g *gate) error {
	if r.in.Zstd {
		name += ".zst"
	}
	out, err := r.out.create(name)
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	var w io.Writer = out
	flush := func() error { return nil }
	if r.in.Zstd {
		z, err := archive.Compressor(out)
		if err != nil {
			return err
		}
		w, flush = z, z.Close
	} else {
		b := bufio.NewWriterSize(out, 256<<10)
		w, flush = b, b.Flush
	}
	members, err := archive.Write(w, files, r.at)
	if err2 := flush(); err == nil {
		err = err2
	}
	size, sum, err2 := out.close()
	if err == nil {
		err = err2
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	if err := g.members(name, members); err != nil {
		return err
	}
	for i := range members {
		members[i].Path, _ = display(members[i].Path)
	}
	r.record.Outputs = append(r.record.Outputs, Output{Name: name, SHA256: sum, SizeBytes: size, Members: members})
	return nil
}

// noChanges is the member that says so when nothing changed (STAN's sentinel).
const noChanges = "diff/.stan_no_changes"

// diffFiles are the members of archive.diff.tar: what changed and is packed,
// and the documents about the change.
func (r *run) diffFiles(docs []tree.File) []tree.File {
	changed := make(map[string]bool, len(r.changes))
	for _, c := range r.changes {
		if c.Status != diff.Deleted {
			changed[c.Path] = true
		}
	}
	files := docs
	for i := range r.snap.Files {
		if changed[r.snap.Files[i].Path] {
			files = append(files, r.snap.Files[i].File)
		}
	}
	// The engine's documents win over files of the same name.
	slices.SortStableFunc(files, func(a, b tree.File) int { return tree.Compare(a.Path, b.Path) })
	return slices.CompactFunc(files, func(a, b tree.File) bool { return a.Path == b.Path })
}

// maxPatchText bounds, in bytes, a file of which the patch shows the change,
// and maxPatch the whole patch.
const (
	maxPatchText = 1 << 20
	maxPatch     = 32 << 20
)

// changeDocuments makes changes.json and changes.patch, or the sentinel.
func (r *run) changeDocuments(g *gate) ([]tree.File, error) {
	list, err := r.changesJSON()
	if err != nil {
		return nil, err
	}
	docs := []tree.File{tree.Bytes(r.in.Stan+"/context/changes.json", list)}
	if len(r.changes) == 0 {
		docs = append(docs, tree.Bytes(r.in.Stan+"/"+noChanges, []byte("no changes")))
	} else if r.base.root != nil || !r.base.saved {
		patch, err := r.patch()
		if err != nil {
			return nil, fmt.Errorf("writing changes.patch: %w", err)
		}
		docs = append(docs, tree.Bytes(r.in.Stan+"/context/changes.patch", patch))
	}
	for _, d := range docs {
		b, err := d.Read()
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(b)
		if err := g.document(d.Path, b, hex.EncodeToString(sum[:])); err != nil {
			return nil, err
		}
	}
	return docs, nil
}

func (r *run) changesJSON() ([]byte, error) {
	packed := make(map[string]*scan.File, len(r.snap.Files))
	for i := range r.snap.Files {
		packed[r.snap.Files[i].Path] = &r.snap.Files[i]
	}
	doc := Changes{Base: r.base.commit, Head: r.head.commit.SHA, Changes: []ChangeEntry{}}
	for _, c := range r.changes {
		e := ChangeEntry{Status: c.Status}
		e.Path, _ = display(r.screenName(c.Path))
		e.OldPath, _ = display(r.screenName(c.OldPath))
		if f := packed[c.Path]; f != nil && c.Status != diff.Deleted {
			e.Size, e.SHA256 = &f.Size, f.SHA256
		}
		doc.Changes = append(doc.Changes, e)
	}
	return marshal(doc, "  ")
}

// screenName returns a path without the credentials in it.
func (r *run) screenName(p string) string {
	if p == "" {
		return p
	}
	found, err := r.screener.Find("", []byte(p))
	if err != nil {
		return "[REDACTED]"
	}
	if len(found) == 0 {
		return p
	}
	return string(secret.Redact([]byte(p), found))
}

// patch writes the change as text. Both sides go through the same screen as
// everything that leaves.
func (r *run) patch() ([]byte, error) {
	packed := make(map[string]*scan.File, len(r.snap.Files))
	for i := range r.snap.Files {
		packed[r.snap.Files[i].Path] = &r.snap.Files[i]
	}
	before := make(map[string]*diff.Entry, len(r.base.files))
	for i := range r.base.files {
		before[r.base.files[i].Path] = &r.base.files[i]
	}
	after := make(map[string]*diff.Entry, len(r.entries))
	for i := range r.entries {
		after[r.entries[i].Path] = &r.entries[i]
	}
	var b strings.Builder
	redacted := false
	for n, c := range r.changes {
		if b.Len() > maxPatch {
			fmt.Fprintf(&b, "# %d more changes are not shown: the patch is longer than %d bytes.\n", len(r.changes)-n, maxPatch)
			break
		}
		old := c.Path
		if c.OldPath != "" {
			old = c.OldPath
		}
		var x, y *diff.Side
		if e := before[old]; e != nil {
			x = r.sideBefore(*e, &redacted)
		}
		if e := after[c.Path]; e != nil && c.Status != diff.Deleted {
			y = sideAfter(*e, packed[c.Path], &redacted)
		}
		if x == nil && y == nil {
			continue
		}
		c.Path, c.OldPath = r.screenName(c.Path), r.screenName(c.OldPath)
		if err := diff.WritePatch(&b, c, x, y); err != nil {
			return nil, err
		}
	}
	out := []byte(b.String())
	found, err := r.screener.Find("changes.patch", out)
	if err != nil {
		return []byte("# The change is too costly to screen, so it is not shown. The files stand in the archive.\n"), nil
	}
	if len(found) > 0 {
		out, redacted = secret.Redact(out, found), true
	}
	if redacted {
		out = append([]byte(diff.PatchHead), out...)
	}
	return out, nil
}

// sideBefore reads a file of the base as it may be shown.
func (r *run) sideBefore(e diff.Entry, redacted *bool) *diff.Side {
	s := &diff.Side{Mode: e.Mode}
	o, suspect, skip := r.taker.Rules.ByName(e.Path)
	switch {
	case e.Mode&fs.ModeIrregular != 0:
		s.Hidden = "submodule"
	case skip:
		s.Hidden = string(o.Reason)
	}
	if s.Hidden != "" {
		return s
	}
	f, err := r.base.root.File(e.Path)
	if err != nil {
		s.Hidden = "unreadable"
		return s
	}
	if f.Size > maxPatchText {
		s.Hidden = "too large"
		return s
	}
	raw, err := f.Read()
	if err != nil {
		s.Hidden = "unreadable"
		return s
	}
	sc := r.screener.Screen(e.Path, raw, suspect)
	if sc.Reason != "" {
		s.Hidden = string(sc.Reason)
		return s
	}
	*redacted = *redacted || len(sc.Redactions) > 0
	s.Text = sc.Text
	return s
}

// sideAfter reads a packed file as it may be shown.
func sideAfter(e diff.Entry, f *scan.File, redacted *bool) *diff.Side {
	s := &diff.Side{Mode: e.Mode}
	switch {
	case f == nil:
		s.Hidden = "left out"
		return s
	case f.Size > maxPatchText:
		s.Hidden = "too large"
		return s
	}
	raw, err := f.Read()
	if err != nil {
		s.Hidden = "unreadable"
		return s
	}
	*redacted = *redacted || len(f.Redactions) > 0
	s.Text = text.Decode(raw, f.Encoding)
	return s
}

// finish writes the record, which describes everything else.
func (r *run) finish() error {
	rec := r.record
	archived := make(map[string]bool)
	for i := range r.snap.Files {
		archived[r.snap.Files[i].Path] = true
	}
	rec.Files = rows(r.snap, archived, func(string) (scan.Reason, string) { return scan.NotSelected, "" }, nil)
	rec.DirectoryTree = directoryTree(r.snap)
	rec.ExclusionStats = statistics(r.snap)
	b, err := marshal(rec, "")
	if err != nil {
		return fmt.Errorf("writing record.json: %w", err)
	}
	if err := newGate(r.screener, r.snap).document("record.json", b, ""); err != nil {
		return err
	}
	if err := r.out.writeFile("record.json", b); err != nil {
		return fmt.Errorf("writing record.json: %w", err)
	}
	return nil
}

// warn puts warnings on the record and into the log, without the credentials
// that a file name in them may hold.
func (r *run) warn(list ...string) {
	for _, w := range list {
		if r.screener != nil {
			w = r.screenName(w)
		}
		r.record.Warnings = append(r.record.Warnings, w)
		r.log.warn(w)
	}
}
