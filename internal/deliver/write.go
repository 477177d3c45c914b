package deliver

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/haversack-dev/haversack/internal/archive"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/pack"
	"github.com/haversack-dev/haversack/internal/plan"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/report"
	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Archives are the results of a run but its record, in the output folder's private
// part: nothing is in place before the hand-over.
type Archives struct {
	Outputs []record.Output
	// Members are those of archive.tar.
	Members  []archive.Member
	Pack     *pack.Info
	Packs    []pack.Info // where there are two, both
	Warnings []string
}

// OpenOutput makes the output folder, and the one that the graph is kept in.
func OpenOutput(e *job.Setting, in *job.Scope, h *snapshot.Head, mode job.Mode) (*Folder, error) {
	dir, err := snapshot.OutputDir(e, in, h)
	if err != nil {
		return nil, err
	}
	shown, kept := e.Outside(dir)
	if !kept {
		return nil, job.BadInput("output-dir", "%q ends with the action's container, and the results with it: name a folder in the workspace, or one under ${{ runner.temp }}", in.OutputDir)
	}
	if err := mayHold(in, h, dir); err != nil {
		return nil, err
	}
	var o *Folder
	for range 3 {
		if o, err = newFolder(e, h, dir, record.OutputNames, "*\n"); err == nil {
			if err = o.begin(); err != nil {
				o.Abort()
			}
		}
		if !errors.Is(err, fs.ErrNotExist) {
			break // else another run took the folder away that it had made
		}
	}
	if errors.Is(err, tree.ErrOutside) {
		return nil, job.BadInput("output-dir", "%q leads out of the workspace through a link, and none is followed there; name the folder itself", in.OutputDir)
	}
	if errors.Is(err, fs.ErrPermission) {
		return nil, job.BadInput("output-dir", "making the output folder: %w; name a folder that can be written", err)
	}
	if err != nil {
		return nil, fmt.Errorf("making the output folder: %w", err)
	}
	o.shown = shown
	if mode != job.ModeFull && h.Kind != "commit" {
		if o.beside, err = OpenKept(e, in.Stan, h); err != nil {
			o.lack = lackOfGraph(in.Stan, err)
		}
	}
	return o, nil
}

// mayHold is an error where a folder that the input names is a file, or lies in git's own, which is never written to: a link to that may stand
// in a pull request.
func mayHold(in *job.Scope, h *snapshot.Head, dir string) error {
	if in.OutputDir == "" {
		return nil
	}
	real := dir
	if at, err := filepath.EvalSymlinks(dir); err == nil {
		real = at
	}
	if fi, err := os.Stat(real); err == nil && !fi.IsDir() || errors.Is(err, syscall.ENOTDIR) {
		return job.BadInput("output-dir", "%q is a file, or leads through one: name a folder", in.OutputDir)
	}
	if h.Repo != nil && h.Repo.WorkDir() != "" && job.SlashRel(h.Repo.GitDir(), real) != "" {
		return job.BadInput("output-dir", "%q lies in git's own folder, which is never written to: name another", in.OutputDir)
	}
	return nil
}

// OpenKept makes the folder that the graph of a worktree is kept in, beside the state.
func OpenKept(e *job.Setting, stan string, h *snapshot.Head) (*Folder, error) {
	dir, err := h.Place(stan + "/" + path.Dir(record.MetaName))
	if err != nil {
		return nil, err
	}
	return newFolder(e, h, dir, keptNames, keptIgnore)
}

// lackOfGraph is the warning where that cannot be done. It names no path of the machine.
func lackOfGraph(stan string, err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return fmt.Sprintf("the graph is not kept in %s/%s: %v", stan, path.Dir(record.MetaName), err)
}

// KeptGraph are the files of the graph that this run keeps; nil for none.
func KeptGraph(o *Folder, h *snapshot.Head, d *snapshot.Dependencies, s *snapshot.Contents) map[string][]byte {
	if o.beside == nil || d == nil {
		return nil
	}
	return GraphFiles(h, d, s)
}

// GraphFiles are the graph and where the files of dependencies are, as they are kept on
// disk, by name. The second holds paths of this machine: it never leaves.
func GraphFiles(h *snapshot.Head, d *snapshot.Dependencies, s *snapshot.Contents) map[string][]byte {
	return map[string][]byte{path.Base(record.MetaName): s.Meta.Encode(), path.Base(record.MapName): d.Canonical.Map(filepath.ToSlash(h.Dir)).Encode()}
}

// KeepGraph writes the graph's files where they wait for the hand-over.
func (o *Folder) KeepGraph(g *plan.Gate, files map[string][]byte) error {
	if err := o.begin(); err != nil {
		return err
	}
	for _, name := range keptNames {
		if name == path.Base(record.MetaName) {
			if err := g.Document(record.MetaName, files[name]); err != nil {
				return err
			}
		}
		if err := o.writeFile(name, files[name]); err != nil {
			return err
		}
	}
	return nil
}

// Parcel is what is written.
type Parcel struct {
	Gate    *plan.Gate
	Head    *snapshot.Head
	Plan    *plan.Plan
	Packing *Packing
	// Change are the documents about the change; nil where there is no such archive.
	Change map[string][]byte
	// Prompt are the documents for a model.
	Prompt []report.Document
	// Graph are the files of the graph that are kept beside the state; nil for none.
	Graph map[string][]byte
	Stan  string
	Zstd  bool
}

// Write writes archives and packs, through the gate. All that may leave is known and
// files are only read: the archives are written, and the packs are built, side by
// side. begin is told which step begins.
func Write(begin func(step string), o *Folder, x *Parcel) (*Archives, error) {
	g, k, p := x.Gate, x.Packing, x.Plan
	begin("archive")
	type building struct {
		packs *packs
		err   error
	}
	built := make(chan building, 1)
	go func() {
		p, err := k.Build()
		built <- building{p, err}
	}()
	jobs := []*archiveJob{{name: "archive.tar", files: p.Files}}
	if x.Change != nil {
		jobs = append(jobs, &archiveJob{name: "archive.diff.tar", files: plan.DiffFiles(p, x.Change)})
	}
	w := &Archives{}
	var err error
	w.Outputs, err = writeArchives(o, g, x.Head.Time, x.Zstd, jobs)
	packs := <-built
	if err != nil {
		return nil, err
	}
	w.Members = w.Outputs[0].Members
	begin("pack")
	if packs.err != nil {
		return nil, packs.err
	}
	w.Pack, w.Packs = packs.packs.info, packs.packs.both
	for _, d := range append(packs.packs.Documents, x.Prompt...) {
		output, err := WriteDocument(o, g, d)
		if err != nil {
			return nil, err
		}
		w.Outputs = append(w.Outputs, output)
		if d.Info != nil {
			w.Pack = d.Info
		}
	}
	if x.Graph != nil {
		err := o.beside.KeepGraph(g, x.Graph)
		var coded *job.CodedError
		if errors.As(err, &coded) {
			return nil, err
		}
		if err != nil {
			o.beside.Abort()
			w.Warnings = append(w.Warnings, lackOfGraph(x.Stan, err))
		}
	}
	return w, nil
}

// Noting is a written archive, with the findings that its documents held when they were composed.
func (w *Archives) Noting(archive string, made map[string][]secret.Finding) *Archives {
	noted := *w
	noted.Outputs = slices.Clone(w.Outputs)
	for i := range noted.Outputs {
		if o := &noted.Outputs[i]; o.Name == archive || o.Name == archive+".zst" {
			for _, path := range slices.Sorted(maps.Keys(made)) {
				o.Redactions = append(o.Redactions, composed(path, made[path])...)
			}
		}
	}
	return &noted
}

// maxComposed bounds the findings that the record tells of one document.
const maxComposed = 1000

func composed(path string, made []secret.Finding) []record.ComposedFinding {
	var list []record.ComposedFinding
	for _, f := range made[:min(len(made), maxComposed)] {
		list = append(list, record.ComposedFinding{Path: path, Rule: f.Rule, Line: f.Line})
	}
	return list
}

// archiveJob is one archive being written.
type archiveJob struct {
	name   string
	files  []tree.File
	out    *createdFile
	output record.Output
	err    error
}

// writeArchives writes archives side by side, through the gate.
func writeArchives(o *Folder, g *plan.Gate, at time.Time, zstd bool, jobs []*archiveJob) ([]record.Output, error) {
	var writing sync.WaitGroup
	for _, j := range jobs {
		if zstd {
			j.name += ".zst"
		}
		if j.out, j.err = o.create(j.name); j.err != nil {
			break
		}
		writing.Go(func() { j.err = j.write(g, at, zstd) })
	}
	writing.Wait()
	var outputs []record.Output
	for _, j := range jobs {
		if j.err != nil {
			return nil, j.err
		}
		outputs = append(outputs, j.output)
	}
	return outputs, nil
}

// write writes one archive, through the gate.
func (j *archiveJob) write(g *plan.Gate, at time.Time, zstd bool) error {
	var w io.Writer = j.out
	var flush func() error
	if zstd {
		z, err := archive.Compressor(j.out)
		if err != nil {
			return err
		}
		w, flush = z, z.Close
	} else {
		b := bufio.NewWriterSize(j.out, 256<<10)
		w, flush = b, b.Flush
	}
	members, err := archive.Write(w, j.files, at)
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
	if err := g.Members(j.name, members); err != nil {
		return err
	}
	for i := range members {
		members[i].Path, _ = record.DisplayPath(members[i].Path)
	}
	j.output = record.Output{Name: j.name, SHA256: sum, SizeBytes: size, Members: members}
	return nil
}

// WriteDocument writes one of the results that is no archive, through the gate.
func WriteDocument(o *Folder, g *plan.Gate, d report.Document) (record.Output, error) {
	name, text := d.Name, d.Text
	if err := g.Document(name, text); err != nil {
		return record.Output{}, err
	}
	if d.MessagePack {
		var err error
		if text, err = pack.MessagePack(text); err != nil {
			return record.Output{}, fmt.Errorf("writing %s: %w", name, err)
		}
	}
	if err := o.writeFile(name, text); err != nil {
		return record.Output{}, fmt.Errorf("writing %s: %w", name, err)
	}
	return record.Output{Name: name, SHA256: plan.Digest(text), SizeBytes: int64(len(text)), Members: []archive.Member{}, Redactions: composed("", d.Made)}, nil
}

// WriteRecord writes the record, which describes everything else, as it is made: that of
// 200,000 files has 115 MB.
func WriteRecord(o *Folder, g *plan.Gate, r *record.Record) error {
	const name = "record.json"
	out, err := o.create(name)
	if err != nil {
		return err
	}
	pass := g.Parts(name)
	err = record.Encode(out, r, pass)
	if _, _, err2 := out.close(); err == nil {
		err = err2
	}
	var stopped *job.CodedError
	if err != nil && !errors.As(err, &stopped) {
		err = fmt.Errorf("writing %s: %w", name, err)
	}
	return err
}
