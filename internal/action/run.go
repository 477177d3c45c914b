package action

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/haversack-dev/haversack/internal/archive"
	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/graph"
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
	spool    *tree.Spool
	taker    *scan.Taker
	screener *scan.Screener
	allowed  secret.Allow
	settled  int             // how many found values the files were searched for
	sides    map[string]side // of the base's files, screened; those that changed
	patched  []byte          // changes.patch; nil until made
	hidden   []string        // where in the base's files credentials are, under secrets: fail
	snap     *scan.Snapshot
	base     *base
	entries  []diff.Entry
	changes  []diff.Change
	deps     *dependencies // nil when no graph was needed
	plan     *plan
	asked    *graph.State // entries of a command line, in place of the state file
	at       time.Time    // of every member

	session *session      // nil when sessions are off
	steps   []string      // done so far
	inner   time.Duration // of the steps inside the current one

	out     *outdir
	outPath string // of the output folder, as shown to users
	record  *Record
}

// pack is the whole run. Its order is the order of the design:
//
//	inputs → repository → base → scan → screen → graph → closure → staged files →
//	packs + archives → gate → hand over → record
func (c *Command) pack(ctx context.Context, in *Inputs, o *options) (err error) {
	r := &run{c: c, in: in, log: newLog(c, o)}
	defer func() { r.log.close(err) }()
	if r.temp, err = os.MkdirTemp(c.Getenv("RUNNER_TEMP"), "haversack-"); err != nil {
		return fmt.Errorf("making a temporary folder: %w", err)
	}
	defer os.RemoveAll(r.temp)

	if err := r.step("open", func() error { return r.open(ctx) }); err != nil {
		return err
	}
	defer r.head.close()
	// Before the scan, so that the first run sees the folder as the next one does.
	if err := r.makeOutdir(); err != nil {
		return err
	}
	defer r.out.abort()
	r.session = r.openSession(ctx)
	defer func() { r.session.close() }()
	r.spool = tree.NewSpool(r.temp)
	defer r.spool.Close()
	if err := r.step("base", func() error { return r.findBase(ctx) }); err != nil {
		if errors.Is(err, diff.ErrNothingToDo) {
			r.log.print("Nothing to pack: " + err.Error() + ".\n")
			return nil
		}
		return err
	}
	defer r.base.close()
	if err := r.scan(ctx); err != nil {
		return err
	}
	if err := r.step("compare", func() error { return r.compare(ctx) }); err != nil {
		return err
	}
	if err := r.step("select", func() error { return r.choose(ctx) }); err != nil {
		return err
	}
	defer func() { r.deps.close() }()
	var jobs []*archiving
	if err := r.step("archive", func() (err error) { jobs, err = r.archives(); return err }); err != nil {
		return err
	}
	var packs *packing
	if err := r.step("pack", func() (err error) { packs, err = r.packs(ctx); return err }); err != nil {
		return err
	}
	// What is known of secrets is final now, and files are only read: the packs
	// are built while the archives are written.
	var building sync.WaitGroup
	building.Go(packs.build)
	err = r.step("archive", func() error { return r.writeArchives(jobs) })
	building.Wait()
	if err != nil {
		return err
	}
	if err := r.step("pack", func() error { return r.writePacks(packs) }); err != nil {
		return err
	}
	if r.wantsPicture() {
		if err := r.step("graph", func() (err error) { r.deps, err = r.buildGraph(ctx); return err }); err != nil {
			return err
		}
	}
	if err := r.recordSession(ctx); err != nil {
		return err
	}
	if err := r.finish(); err != nil {
		return err
	}
	return r.handOver(ctx, o)
}

// step runs one part of a run and takes its time, that of steps inside it apart.
func (r *run) step(name string, do func() error) error {
	start, inner := time.Now(), r.inner
	r.inner = 0
	r.log.begin(name)
	err := do()
	r.log.end()
	took := time.Since(start)
	if !slices.Contains(r.steps, name) {
		r.steps = append(r.steps, name)
	}
	if r.record != nil {
		ms := (took - r.inner).Milliseconds()
		if i := slices.IndexFunc(r.record.Timings, func(t Timing) bool { return t.Step == name }); i >= 0 {
			r.record.Timings[i].Milliseconds += ms // the step's second part
		} else {
			r.record.Timings = append(r.record.Timings, Timing{name, ms})
		}
	}
	r.inner = inner + took
	return err
}

func (r *run) open(ctx context.Context) (err error) {
	r.record = &Record{Tool: Tool{"haversack", r.c.Version}, Mode: "full", Outputs: []Output{}, Unresolved: []Unresolved{}, Warnings: []string{}}
	if r.head, err = r.c.openHead(ctx, r.in, r.temp); err != nil {
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
		Untracked: r.in.Untracked, Context: mode(r.in, r.head) != "full"}
	if dir, err := r.outputDir(); err == nil {
		if out := slashRel(r.head.dir, dir); out != "" && out != "." {
			rules.Output = out
		}
	}
	return rules
}

// outputDir is where results go, as a path on disk.
func (r *run) outputDir() (string, error) {
	switch dir := r.in.OutputDir; {
	case dir == "":
		return r.head.place(r.in.Stan + "/output")
	case filepath.IsAbs(dir):
		return filepath.Clean(dir), nil
	default:
		return filepath.Join(r.c.workspaceAbs(), dir), nil
	}
}

// findBase decides what the change is measured against.
func (r *run) findBase(ctx context.Context) (err error) {
	dirty := func() (bool, error) { return r.head.dirty(ctx, r.rules()) }
	if !inWorkflow(r.c.Getenv) {
		// On a desk nothing of the scan depends on the base: one walk serves both.
		dirty = func() (bool, error) { return r.dirty(ctx) }
	}
	if r.in.Base == "session" {
		r.base, err = r.sessionBase(ctx)
	} else if r.base, err = r.c.findBase(ctx, r.in, r.head, dirty, r.temp); err != nil {
		return err
	}
	if err != nil {
		return err
	}
	r.warn(r.base.warns...)
	r.record.Base = Base{Commit: r.base.commit, Reason: r.base.reason}
	return nil
}

// tokenVariables hold secrets of the job that nothing in a repository should
// repeat.
var tokenVariables = []string{"INPUT_TOKEN", "GITHUB_TOKEN", "GH_TOKEN", "ACTIONS_RUNTIME_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "HAVERSACK_STORE_AUTHORIZATION"}

// scan takes the snapshot, what there is, screened; once.
func (r *run) scan(ctx context.Context) error {
	if r.snap != nil {
		return nil
	}
	return r.step("scan", func() error { return r.takeSnapshot(ctx) })
}

// dirty takes the snapshot and reports whether it differs from the head's commit.
func (r *run) dirty(ctx context.Context) (bool, error) {
	if r.head.kind != "worktree" {
		return false, nil
	}
	if err := r.scan(ctx); err != nil || r.snap.Untracked {
		return true, err
	}
	own, err := commitEntries(r.head.repo, r.head.commit.SHA, r.head.under)
	if err != nil {
		return false, err
	}
	if r.entries, err = r.head.entries(ctx, r.snap); err != nil {
		return false, err
	}
	return len(diff.Between(own, r.entries)) > 0, nil
}

// takeSnapshot walks the root and screens what names allow.
func (r *run) takeSnapshot(ctx context.Context) error {
	scanner, err := secret.New()
	if err != nil {
		return fmt.Errorf("reading the secret rules: %w", err)
	}
	r.screener = &scan.Screener{Scanner: scanner, Given: new(secret.Known), Found: new(secret.Known), Policy: r.in.Secrets}
	r.screener.Given.Give("token", r.in.Token)
	for _, name := range tokenVariables {
		r.screener.Given.Give("token", r.c.Getenv(name))
	}
	allow, err := r.allow()
	if err != nil {
		return err
	}
	r.allowed = allow
	r.screener.Allow = func(path string, f secret.Finding) bool {
		_, ok := allow.Accepts(f.Rule, path)
		return ok
	}
	r.taker = &scan.Taker{Root: r.head.root, Rules: r.rules(), Git: r.head.git(), Screener: r.screener, Spool: r.spool, Progress: &r.log.progress}
	var warns []string
	if r.snap, warns, err = r.taker.Take(ctx); err != nil {
		return err
	}
	r.settled = r.screener.Found.Len()
	r.warn(warns...)
	r.warn(allow.Warnings...)
	r.snap.Omit(r.head.absent()...)
	if len(r.snap.Files) == 0 {
		if r.snap.Empty() {
			return badInput("path", "%q is empty: there is nothing to pack", r.in.Path)
		}
		r.warn("no file is left to pack: see the omissions in record.json")
	}
	return r.secretsFail()
}

// settle searches the files again when more values were found since: in files
// that were asked for by name, or in what the change took away.
func (r *run) settle() error {
	if r.screener.Found.Full() {
		return &codedError{scan.ErrTooMany, exitSecret}
	}
	n := r.screener.Found.Len()
	if n == r.settled {
		return nil
	}
	r.settled = n
	kept, omitted, err := r.taker.Settle(r.snap.Files)
	if err != nil {
		return err
	}
	r.snap.Files = kept
	r.snap.Replace(omitted...)
	if r.plan == nil {
		return nil
	}
	var extra []scan.File
	for _, id := range slices.Sorted(maps.Keys(r.plan.extra)) {
		extra = append(extra, *r.plan.extra[id])
	}
	more, gone, err := r.taker.Settle(extra)
	if err != nil {
		return err
	}
	clear(r.plan.extra)
	for i := range more {
		r.plan.extra[more[i].Path] = &more[i]
	}
	r.snap.Replace(gone...)
	packed := r.packed()
	files := r.plan.files[:0]
	for _, f := range r.plan.files {
		switch {
		case r.plan.docs[f.Path] != nil:
			files = append(files, f)
		case packed[f.Path] != nil:
			files = append(files, packed[f.Path].File)
		case r.plan.extra[f.Path] != nil:
			files = append(files, r.plan.extra[f.Path].File)
		}
	}
	r.plan.files = files
	return nil
}

// foreignEvents are those, beside the pull request's own, in which a workflow may
// have checked out what somebody else wrote.
var foreignEvents = []string{"issue_comment", "workflow_run", "merge_group", "check_run", "check_suite", "issues", "discussion", "discussion_comment"}

// allow reads the findings that somebody answers for. In a pull request it is
// the base's file that counts: the request must not allow its own leak.
func (r *run) allow() (secret.Allow, error) {
	root := r.head.root
	event := r.c.Getenv("GITHUB_EVENT_NAME")
	if strings.HasPrefix(event, "pull_request") || slices.Contains(foreignEvents, event) {
		if root = r.base.root; root == nil {
			if fi, err := r.head.root.Stat(secret.AllowFile); err == nil && fi.Mode.IsRegular() {
				r.warn(secret.AllowFile + " is not asked: what is packed may be anybody's, and there is no base whose file would count")
			}
			return secret.Allow{}, nil
		}
	}
	raw, err := root.ReadFile(secret.AllowFile, 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return secret.Allow{}, nil
	}
	if err != nil {
		return secret.Allow{}, &codedError{fmt.Errorf("reading %s: %w", secret.AllowFile, err), exitInput}
	}
	allow, err := secret.ParseAllow(secret.AllowFile, raw)
	if err != nil {
		return secret.Allow{}, &codedError{err, exitInput}
	}
	return allow, nil
}

// secretsFail stops the run under `secrets: fail`.
func (r *run) secretsFail() error {
	if r.in.Secrets != scan.Fail {
		return nil
	}
	var list []string
	for _, o := range r.snap.Omitted {
		for _, f := range o.Redactions {
			list = append(list, fmt.Sprintf("%q, line %d (rule %s)", o.Path, f.Line, f.Rule))
		}
		if o.Reason == scan.Credentials && (o.Rule == "in the name" || o.Rule == "in the link's target") {
			list = append(list, fmt.Sprintf("%q, %s", o.Path, o.Rule))
		}
	}
	list = append(list, r.hidden...)
	if len(list) == 0 {
		return nil
	}
	more := ""
	if len(list) > 10 {
		more = fmt.Sprintf(" and %d more", len(list)-10)
		list = list[:10]
	}
	return &codedError{fmt.Errorf("input secrets: fail: credentials in %s%s; nothing was written", strings.Join(list, ", "), more), exitSecret}
}

// archived are the files of the repository and its dependencies that archive.tar
// holds, by path.
func (r *run) archived() map[string]*scan.File {
	all := r.packed()
	for id, f := range r.plan.extra {
		all[id] = f
	}
	m := make(map[string]*scan.File, len(r.plan.files))
	for _, f := range r.plan.files {
		if sf := all[f.Path]; sf != nil && r.plan.docs[f.Path] == nil {
			m[f.Path] = sf
		}
	}
	return m
}

// compare finds what changed against the base.
func (r *run) compare(ctx context.Context) (err error) {
	if r.base.none {
		return nil
	}
	if r.base.saved {
		sums := make(map[string]string, len(r.snap.Files))
		for i := range r.snap.Files {
			sums[r.snap.Files[i].Path] = r.snap.Files[i].SHA256
		}
		r.entries = savedEntries(sums)
	} else if r.entries == nil {
		if r.entries, err = r.head.entries(ctx, r.snap); err != nil {
			return fmt.Errorf("comparing with the base: %w", err)
		}
	}
	r.changes = diff.Between(r.base.files, r.entries)
	return r.takenAway()
}

// side is one side of a file's change, and whether something in it is redacted.
type side struct {
	*diff.Side
	redacted bool
}

// takenAway screens what the change takes away, as far as a patch may show it,
// before anything else is made: values that are found there must not stand in
// what is left.
func (r *run) takenAway() error {
	if r.base.root == nil || mode(r.in, r.head) == "meta" {
		return nil
	}
	before := r.entriesBefore()
	r.sides = map[string]side{}
	total := 0
	for _, c := range r.changes {
		if total > maxPatch {
			break
		}
		if e := before[cmp.Or(c.OldPath, c.Path)]; e != nil {
			s := r.sideBefore(*e)
			r.sides[e.Path] = s
			total += len(s.Text)
		}
	}
	return r.settle()
}

// entriesBefore indexes the base's files by path.
func (r *run) entriesBefore() map[string]*diff.Entry {
	m := make(map[string]*diff.Entry, len(r.base.files))
	for i := range r.base.files {
		m[r.base.files[i].Path] = &r.base.files[i]
	}
	return m
}

func (r *run) makeOutdir() (err error) {
	dir, err := r.outputDir()
	if err != nil {
		return err
	}
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

// choose makes the plan of the archives: everything, or base files, closure and
// staged files.
func (r *run) choose(ctx context.Context) (err error) {
	mode := mode(r.in, r.head)
	r.record.Mode = mode
	if mode == "full" {
		r.plan = fullPlan(r.snap)
		return nil
	}
	if r.in.Graph == "off" {
		return badInput("graph", "off: mode %s needs the graph; use auto, or mode: full", mode)
	}
	if r.deps, err = r.buildGraph(ctx); err != nil {
		return err
	}
	if mode == "meta" {
		r.plan, err = r.metaPlan(r.deps)
	} else {
		r.plan, err = r.contextPlan(r.deps)
	}
	if err == nil && r.base.saved {
		r.sinceSaved()
	}
	return err
}

// archives prepares archive.tar and archive.diff.tar, with all documents in them.
func (r *run) archives() ([]*archiving, error) {
	if !r.base.none && r.plan.mode != "meta" && len(r.changes) > 0 && r.base.root != nil {
		// What the change took away may be found in what is left.
		var err error
		if r.patched, err = r.patch(); err != nil {
			return nil, fmt.Errorf("writing changes.patch: %w", err)
		}
	}
	before := r.settled
	if err := r.settle(); err != nil {
		return nil, err
	}
	if r.settled != before && r.patched != nil {
		var err error
		if r.patched, err = r.patch(); err != nil {
			return nil, fmt.Errorf("writing changes.patch: %w", err)
		}
	}
	if err := r.secretsFail(); err != nil {
		return nil, err
	}
	g := newGate(r.screener, r.snap)
	for name, b := range r.plan.docs {
		if b2 := r.c.tapped(path.Base(name), b); !bytes.Equal(b, b2) {
			r.plan.setDoc(name, b2)
		}
	}
	if err := r.plan.approve(g); err != nil {
		return nil, err
	}
	if r.c.tap != nil {
		if err := r.tapFiles(); err != nil {
			return nil, err
		}
	}
	jobs := []*archiving{{name: "archive.tar", files: r.plan.files}}
	if !r.base.none && r.plan.mode != "meta" {
		docs, err := r.changeDocuments(g)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, &archiving{name: "archive.diff.tar", files: r.diffFiles(docs)})
	}
	for _, j := range jobs {
		j.gate = g
	}
	return jobs, nil
}

// writeArchives writes the archives, through the gate.
func (r *run) writeArchives(jobs []*archiving) error {
	// The gate knows all it will know, and the spool is only read: the archives
	// are written side by side.
	var writing sync.WaitGroup
	for _, j := range jobs {
		if r.in.Zstd {
			j.name += ".zst"
		}
		if j.out, j.err = r.out.create(j.name); j.err != nil {
			break
		}
		writing.Go(func() { j.err = r.archive(j) })
	}
	writing.Wait()
	for _, j := range jobs {
		if j.err != nil {
			return j.err
		}
		r.record.Outputs = append(r.record.Outputs, j.output)
	}
	return nil
}

// archiving is one archive being written.
type archiving struct {
	name   string
	files  []tree.File
	gate   *gate
	out    *created
	output Output
	err    error
}

// tapFiles passes the members through a test's tap.
func (r *run) tapFiles() error {
	for i, f := range r.plan.files {
		b, err := f.Read()
		if err != nil {
			return err
		}
		if b2 := r.c.tap("file", b); !bytes.Equal(b, b2) {
			mode := f.Mode
			r.plan.files[i] = tree.Bytes(f.Path, b2)
			r.plan.files[i].Mode = mode
		}
	}
	return nil
}

// archive writes one archive, through the gate.
func (r *run) archive(j *archiving) error {
	var w io.Writer = j.out
	var flush func() error
	if r.in.Zstd {
		z, err := archive.Compressor(j.out)
		if err != nil {
			return err
		}
		w, flush = z, z.Close
	} else {
		b := bufio.NewWriterSize(j.out, 256<<10)
		w, flush = b, b.Flush
	}
	members, err := archive.Write(w, j.files, r.at)
	if err2 := flush(); err == nil {
		err = err2
	}
	size, sum, err2 := j.out.close()
	if err == nil {
		err = err2
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", j.name, err)
	}
	if err := j.gate.members(j.name, members); err != nil {
		return err
	}
	for i := range members {
		members[i].Path, _ = display(members[i].Path)
	}
	j.output = Output{Name: j.name, SHA256: sum, SizeBytes: size, Members: members}
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
	for _, f := range r.plan.files {
		if changed[f.Path] {
			files = append(files, f)
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
	maxPatch     = 4 << 20
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
	} else if r.base.root != nil {
		// Without a base every file is new: the patch would say them all again.
		docs = append(docs, tree.Bytes(r.in.Stan+"/context/changes.patch", r.patched))
	}
	for i, d := range docs {
		b, err := d.Read()
		if err != nil {
			return nil, err
		}
		b = r.c.tapped(path.Base(d.Path), b)
		docs[i] = tree.Bytes(d.Path, b)
		sum := sha256.Sum256(b)
		if err := g.document(d.Path, b, hex.EncodeToString(sum[:])); err != nil {
			return nil, err
		}
	}
	return docs, nil
}

func (r *run) changesJSON() ([]byte, error) {
	packed := r.archived()
	doc := Changes{Base: r.base.commit, Head: r.head.commit.SHA, Changes: []ChangeEntry{}}
	for _, c := range r.changes {
		e := ChangeEntry{Status: c.Status}
		e.Path, _ = display(r.screenName(c.Path))
		e.OldPath, _ = display(r.screenName(c.OldPath))
		if f := packed[c.Path]; f != nil && c.Status != diff.Deleted {
			e.Size, e.SHA256 = &f.Size, f.SHA256
		} else if b := r.plan.docs[c.Path]; b != nil && c.Status != diff.Deleted {
			size, sum := int64(len(b)), sha256.Sum256(b)
			e.Size, e.SHA256 = &size, hex.EncodeToString(sum[:])
		}
		doc.Changes = append(doc.Changes, e)
	}
	return marshal(doc, "  ")
}

// screenName returns a path without the credentials in it.
func (r *run) screenName(p string) string {
	p, _ = r.screener.Name(p)
	return p
}

// patch writes the change as text. Both sides go through the same screen as
// everything that leaves.
func (r *run) patch() ([]byte, error) {
	packed := r.archived()
	before := r.entriesBefore()
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
			s, ok := r.sides[old]
			if !ok {
				s = r.sideBefore(*e)
			}
			x, redacted = s.Side, redacted || s.redacted
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
func (r *run) sideBefore(e diff.Entry) side {
	s := side{Side: &diff.Side{Mode: e.Mode}}
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
	if r.in.Secrets == scan.Fail {
		for _, f := range sc.Redactions {
			where := fmt.Sprintf("%q before the change, line %d (rule %s)", r.screenName(e.Path), f.Line, f.Rule)
			if !slices.Contains(r.hidden, where) {
				r.hidden = append(r.hidden, where)
			}
		}
	}
	if sc.Reason != "" {
		s.Hidden = string(sc.Reason)
		return s
	}
	s.redacted = len(sc.Redactions) > 0
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
	rec.Files = rows(r.snap, r.plan, rec.Outputs[0].Members)
	rec.Acceptances = r.acceptances()
	rec.Budget = newBudget(r.plan, r.in.BudgetTokens)
	rec.DirectoryTree = directoryTree(r.snap)
	rec.ExclusionStats = statistics(r.snap)
	r.screenStrings(reflect.ValueOf(rec))
	b, err := marshal(rec, "")
	if err != nil {
		return fmt.Errorf("writing record.json: %w", err)
	}
	return r.writeDocument("record.json", b)
}

// acceptances counts what each line of the allow file let stay in the archive.
func (r *run) acceptances() []Acceptance {
	count := map[int]int{}
	for name, f := range r.archived() {
		for _, x := range f.Accepted {
			if c, ok := r.allowed.Accepts(x.Rule, name); ok {
				count[c.Line]++
			}
		}
	}
	var list []Acceptance
	for _, c := range r.allowed.Acceptances {
		if n := count[c.Line]; n > 0 {
			list = append(list, Acceptance{c.Rule, c.Glob, c.Reason, c.Line, n})
		}
	}
	return list
}

// writeDocument writes one of the results that is no archive, through the gate.
func (r *run) writeDocument(name string, b []byte) error {
	b = r.c.tapped(name, b)
	if err := newGate(r.screener, r.snap).document(name, b, ""); err != nil {
		return err
	}
	if err := r.out.writeFile(name, b); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	if name != "record.json" {
		sum := sha256.Sum256(b)
		r.record.Outputs = append(r.record.Outputs, Output{Name: name, SHA256: hex.EncodeToString(sum[:]), SizeBytes: int64(len(b)), Members: []archive.Member{}})
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
