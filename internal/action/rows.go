package action

import (
	"cmp"
	"slices"
	"sort"

	"github.com/haversack-dev/haversack/internal/archive"
	"github.com/haversack-dev/haversack/internal/deliver"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/lookup"
	"github.com/haversack-dev/haversack/internal/pack"
	"github.com/haversack-dev/haversack/internal/plan"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/report"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/text"
)

// recordParts are what a record is made of.
type recordParts struct {
	inputs   *job.Inputs
	head     *snapshot.Head
	sealed   *snapshot.Contents
	plan     *plan.Plan
	archives *deliver.Archives
	rows     []record.Row
	noted    *threadNote
	impact   *record.Impact // nil without a base
	unseen   *record.UnfollowedPlace
}

// writeRecord makes the record of a run, with the places that its graph does not follow, and writes it.
func writeRecord(e *job.Env, out *deliver.Folder, gate *plan.Gate, v *snapshot.View, of *recordParts) (*record.Record, error) {
	var err error
	if of.unseen, err = notFollowed(v); err != nil {
		return nil, err
	}
	r := newRecord(e, of)
	return r, deliver.WriteRecord(out, gate, r)
}

// newRecord makes the record of a run. Its texts pass the screen once more: put
// together they may show what none shows alone.
func newRecord(e *job.Env, of *recordParts) *record.Record {
	h, s, p, w, rows, n := of.head, of.sealed, of.plan, of.archives, of.rows, of.noted
	e.Clock.Stop()
	r := &record.Record{
		Tool: record.Tool{Name: "haversack", Version: e.Version}, Head: record.Head{Commit: h.Commit.SHA, Kind: h.Kind}, Base: s.Base, Mode: p.Mode,
		Files: rows, Outputs: w.Outputs, DirectoryTree: record.NewDirectory(s.Files), ExclusionStats: record.NewStats(p.Omitted), ContextPackInfo: report.CountScanned(w.Pack, rows), ContextPackInfos: w.Packs,
		Budget: plan.NewBudget(p), Unresolved: append([]record.MissingImport{}, s.Unresolved...), Languages: s.Languages, Session: n.info, TaskSum: taskSum(cmp.Or(p.Task, p.Beside)),
		Acceptances: acceptances(s.Allow, p.Members), AllAccepted: s.Allow.Everything(), Warnings: append([]string{}, slices.Concat(s.Warnings, p.Warnings, s.Surprises, w.Warnings, n.warnings)...), Timings: e.Clock.Done,
	}
	r.Change, r.NotFollowed = of.impact, of.unseen
	r.Inputs, r.Defaults = origins(s.Screener, of.inputs)
	snapshot.Clean(s.Screener, r)
	return r
}

// notFollowed looks for the places that load what no literal names; nil where no imports were read, or there is none.
func notFollowed(v *snapshot.View) (*record.UnfollowedPlace, error) {
	if v.Graph == nil {
		return nil, nil
	}
	u, err := lookup.UnseenLoads(v.Sealed)
	if err != nil || u.Places == 0 {
		return nil, err
	}
	n := &record.UnfollowedPlace{Places: u.Places, Files: u.Files}
	for _, f := range u.Forms {
		n.Forms = append(n.Forms, record.LoadForm{Form: f.Name, Places: f.Places})
	}
	for _, p := range u.First {
		shown, _ := record.DisplayPath(p.Path)
		n.First = append(n.First, record.LoadPlace{Path: shown, Line: p.Line, Form: p.Form})
	}
	return n, nil
}

// origins are where each input has its value from, and the files of defaults. A sum of what
// holds a credential would help to guess it: there is none.
func origins(screener *scan.Screener, in *job.Inputs) (inputs []record.Input, files []record.Defaults) {
	for i := range job.InputTable {
		name := job.InputTable[i].Name
		from, value := in.Of(name)
		inputs = append(inputs, record.Input{Name: name, From: from, Value: value})
	}
	for _, d := range in.Files {
		file := record.Defaults{From: d.From, File: d.Name, Commit: d.Commit}
		if _, held := screener.Name(string(d.Text)); !held {
			file.SHA256 = d.Sum()
		}
		files = append(files, file)
	}
	return inputs, files
}

// acceptances counts what each line of the allow file let stay in the archive.
func acceptances(allow secret.Allow, members map[string]*scan.File) []record.Acceptance {
	count := map[int]int{}
	for name, f := range members {
		for _, x := range f.Accepted {
			if c, ok := allow.Accepts(x.Rule, name); ok {
				count[c.Line]++
			}
		}
	}
	var list []record.Acceptance
	for _, c := range allow.Acceptances {
		if n := count[c.Line]; n > 0 {
			list = append(list, record.Acceptance{Rule: c.Rule, Glob: c.Glob, Reason: c.Reason, Line: c.Line, Findings: n})
		}
	}
	return list
}

// toldRanks is how far down the order the record says why, of files that rank did not bring.
const toldRanks = 200

// byEngine is why a document of the engine's own is in an archive.
const byEngine = "written by the engine"

// newRows makes the record's table: one row a path, sorted by path.
func newRows(s *snapshot.Contents, p *plan.Plan, members []archive.Member) []record.Row {
	in := make(map[string]string, len(members)) // sums by path
	for i := range members {
		in[members[i].Path] = members[i].SHA256
	}
	list := make([]record.Row, 0, len(s.Files)+len(p.Omitted)+len(p.Docs))
	for name, b := range p.Docs {
		r := record.Row{Included: true, SizeBytes: int64(len(b)), Encoding: string(text.UTF8), Why: []string{byEngine}}
		r.Path, r.PathBytes = record.DisplayPath(name)
		r.SHA256 = in[r.Path]
		list = append(list, r)
	}
	add := func(f *scan.File) {
		if p.Docs[f.Path] != nil {
			return
		}
		known := pack.Describe(f)
		r := record.Row{SizeBytes: f.Size, Encoding: string(f.Encoding), Undecodable: f.Undecodable, Name: known.Name, Extension: known.Extension,
			Type: known.Type, Category: known.Category, IsKeyFile: known.IsKeyFile, ContentExtractable: known.ContentExtractable,
			Redactions: record.NewRedactions(f.Redactions, f.Path), Accepted: record.NewRedactions(f.Accepted, ""), Rescued: f.Rescued, Why: p.Why[f.Path]}
		r.Path, r.PathBytes = record.DisplayPath(f.Path)
		if _, r.Included = in[r.Path]; r.Included {
			r.SHA256 = f.SHA256
		} else {
			r.Reason, r.Rule = string(p.Left[f.Path].Reason), p.Left[f.Path].Rule
		}
		if p.Ranked() {
			r.Rank = p.Ranking.Place[f.Path]
			if len(r.Why) == 0 && r.Rank > 0 && r.Rank <= toldRanks {
				r.Why = p.Ranking.Because(f.Path)
			}
		}
		list = append(list, r)
	}
	for i := range s.Files {
		add(&s.Files[i])
	}
	for name, f := range s.Asked {
		if p.Members[name] != nil {
			add(f)
		}
	}
	for _, o := range p.Omitted {
		if p.Docs[o.Path] != nil {
			continue
		}
		r := record.Row{Reason: string(o.Reason), Rule: o.Rule, SizeBytes: o.Size, Redactions: record.NewRedactions(o.Redactions, o.Path)}
		r.Path, r.PathBytes = record.DisplayPath(o.Path)
		list = append(list, r)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Path < list[j].Path })
	return list
}
