package action

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"github.com/haversack-dev/haversack/internal/deliver"
	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/plan"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/registry"
	"github.com/haversack-dev/haversack/internal/report"
	"github.com/haversack-dev/haversack/internal/review"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/text"
)

// packVerb is the whole run.
func packVerb(ctx context.Context, e *job.Env, in *job.Inputs, o *options) error {
	return run(ctx, e, in, o, upTo{})
}

// contextVerb packs the change on a desk, and what it needs.
func contextVerb(ctx context.Context, e *job.Env, in *job.Inputs, o *options) error {
	if len(o.args) > 0 {
		return job.UsageError("context takes no arguments: what the change is measured against is --base %s, another folder --path, what is to be done --task", text.Name(o.args[0]))
	}
	change := *in
	change.Origins = in.Fixed("mode")
	change.Mode = job.ModeContext
	return run(ctx, e, &change, o, upTo{})
}

// upTo says where a verb leaves the line; the zero value goes to its end.
type upTo struct {
	// graph: when the graph is sealed. plan: when the archives are planned.
	graph, plan bool
	// texts: what is asked is told by the files' own texts, and no imports are read.
	texts bool
	// sum sums up the sealed graph in place of writing it.
	sum func(*graph.Meta) graph.Summary
	// entries are those of the command line, and save writes them.
	entries snapshot.Entries
	save    func() error
	// seen is what changed, of a run that packs and hands nothing over.
	seen *sighting
	// thread has what is sealed, of a verb that a thread is asked or told by.
	thread func(ctx context.Context, e *job.Env, v *snapshot.View) error
}

// keep writes the result that was asked for, now that it exists.
func (u upTo) keep() error {
	if u.save == nil {
		return nil
	}
	return u.save()
}

func (u upTo) theEnd() bool { return !u.graph && !u.plan }

// run goes along the line that the program is:
//
//	inputs → head → defaults → base → found → change → graph → asked → sealed → plan →
//	documents → written → record → handed over
//
// Each step takes values, returns one, and writes to none that another has made. All
// that may leave is searched before anything is redacted, and sealed once; after
// that only the gate looks. Warnings are held back until the screen knows all.
func run(ctx context.Context, e *job.Env, in *job.Inputs, o *options, stop upTo) error {
	e, err := e.WithFolder()
	if err != nil {
		return err
	}
	defer e.Close()
	if err := knowRegistries(e, in); err != nil {
		return err
	}

	e.Begin("open")
	head, err := snapshot.OpenHead(ctx, &e.Setting, &in.Scope)
	if err != nil {
		return err
	}
	defer head.Close()
	defer e.GiveBack(filepath.Join(head.Dir, filepath.FromSlash(in.Stan)))
	e = e.About(head.Event)
	e.Log.Hold(head.Warnings...)
	in, base, settled, err := settle(ctx, e, in, head)
	if err != nil {
		return err
	}
	defer base.Close()
	e.Log.Hold(settled...)
	mode := snapshot.ChooseMode(&e.Setting, &in.Scope, head, in.Mode)
	// Before the search, so that a first run sees the folder as the next one does.
	out, err := openResults(e, in, head, mode, stop)
	if err != nil {
		return err
	}
	defer out.Abort()
	e.Log.Hold(out.Notes()...)
	session := openSession(ctx, e, in, head)
	defer session.close()
	e.Log.Hold(session.notes()...)

	e.Begin("base")
	finder := snapshot.NewFinder(&e.Setting, &in.Scope, head)
	if base == nil {
		base, err = measure(ctx, in, finder, session, snapshot.SavedName(mode))
		finder, base = sinceCommit(ctx, e, in, finder, base)
	}
	if errors.Is(err, diff.ErrNothingToDo) {
		e.Log.Line("Nothing to pack: %v.", err)
		return nil
	}
	if err != nil {
		return err
	}
	defer base.Close()
	e.Log.Hold(base.Warnings...)

	e.Begin("scan")
	found, err := finder.Search(ctx, base, mode)
	if err != nil {
		return err
	}
	e.Knows(found.Known)
	e.Log.Hold(found.Warnings...)

	e.Begin("compare")
	change, err := finder.Compare(ctx, base, found, mode)
	if err != nil {
		return err
	}
	defer change.Close()
	e.Knows(found.Known, change.Known)
	e.Log.Hold(change.Warnings...)

	e.Begin("select")
	graph, err := readGraph(ctx, e, in, search{finder, found, change, mode, stop.texts})
	if err != nil {
		return err
	}
	defer graph.Close()
	e.Log.Hold(graph.Notes(mode)...)
	asked, err := snapshot.Select(newWish(in, mode, found, change, stop.entries), head, found, change, graph)
	if err != nil {
		return err
	}
	warnings := slices.Concat(head.Warnings, settled, out.Notes(), session.notes(), base.Warnings, found.Warnings, change.Warnings, graph.Notes(mode))
	sealed, err := snapshot.Seal(ctx, &e.Setting, snapshot.Parts{Found: found, Change: change, Graph: graph, Asked: asked, Warnings: warnings, Surprises: graph.Surprises(mode), Fail: in.Secrets == scan.Fail})
	if err != nil {
		return err
	}
	e.Log.Knows(sealed.Screener)
	e.Log.Release(sealed.Warnings)
	session, warnings = session.withheld(ctx, e, in, head, sealed.Screener)
	defer session.close()
	e.Log.Release(warnings)
	if stop.sum != nil {
		return printSummary(e, o, sealed.Screener, stop.sum(sealed.Meta))
	}
	view := &snapshot.View{Head: head, Found: found, Change: change, Graph: graph, Asked: asked, Sealed: sealed}
	if stop.thread != nil {
		return stop.thread(ctx, e, view)
	}
	if stop.graph {
		return writeGraph(e, in, o, view)
	}
	if view, err = drawChange(ctx, in, session, view); err != nil {
		return err
	}
	e.Begin("rank")
	options := newOptions(&e.Setting, in, mode, view, stop.entries.File)
	ranking, err := plan.RankFiles(ctx, options, view)
	if err != nil {
		return err
	}
	docs := plan.Compose(options, plan.MaterialOf(view))
	before, err := plan.FindHoldings(ctx, options, view, e.CacheDir("graph"))
	if err != nil {
		return err
	}
	chosen, err := plan.Choose(options, view, docs, before, ranking)
	if err != nil {
		return err
	}
	e.Log.Release(chosen.Warnings)
	if stop.plan {
		if err := stop.keep(); err != nil {
			return err
		}
		return printSelection(e, in, o, view, chosen)
	}
	e.Begin("compose")
	changeDocs, made, err := plan.ComposeChange(in.Stan, view, chosen)
	if err != nil {
		return err
	}
	gate, err := plan.NewGate(sealed.Screener, chosen.Members, chosen.Docs, changeDocs)
	if err != nil {
		return err
	}
	packing, err := deliver.ChoosePacks(in, deliver.ProjectName(&e.Setting, head), view, chosen, docs.Counter)
	if err != nil {
		return err
	}
	prompt, err := report.ComposePrompt(report.PromptOptions{Choice: &in.Choice, Stan: in.Stan, Levels: in.Levels, Only: in.Only, Bytes: int(in.Limits.Limit()), Author: report.AuthorWords(e.Event.Pull, head, change), Counter: docs.Counter, Held: view.Held}, sealed, view.Patches, chosen)
	if err != nil {
		return err
	}
	reviewed := review.New(view, chosen.Changes) // before the lists of members, each as long as the repository
	view = view.WithoutPatches()                 // they are told: what follows makes lists as long
	written, err := deliver.Write(e.Begin, out, &deliver.Parcel{Gate: gate, Head: head, Plan: chosen, Packing: packing, Change: changeDocs, Prompt: prompt, Graph: deliver.KeptGraph(out, head, graph, sealed), Stan: in.Stan, Zstd: in.Zstd})
	if err != nil {
		return err
	}
	written = written.Noting("archive.tar", docs.Made).Noting("archive.diff.tar", made)

	e.EndStep()
	rows := newRows(sealed, chosen, written.Members)
	answer := report.Headline(record.Head{Commit: head.Commit.SHA, Kind: head.Kind}, mode, record.Count(rows), chosen.CountTokens())
	noted, err := noteRun(ctx, e, in, runNote{session, head, sealed, chosen, answer, gate, stop.seen})
	if err != nil {
		return err
	}
	e.Log.Release(slices.Concat(written.Warnings, noted.warnings))
	record, err := writeRecord(e, out, gate, view, &recordParts{in, head, sealed, chosen, written, rows, noted, reviewed.Impact(), nil})
	if err != nil {
		return err
	}
	links := deliver.NewLinks(&e.Setting, head, in.Repository != "", record.Base.Commit)
	return deliver.HandOver(ctx, e, newDeliveryOptions(in, o), &deliver.Results{Head: head, Out: out, History: session.member, Plan: chosen, HasBase: !change.Base.None, Record: record, Report: report.NewReport(in.Stan, record, sealed, reviewed, links), Gate: gate})
}

// knowRegistries has the screen and the log know the credentials of the registries that the
// run speaks to, before anything is said or searched.
func knowRegistries(e *job.Env, in *job.Inputs) error {
	var addresses []registry.Address
	if in.Push != nil {
		addresses = append(addresses, *in.Push)
	}
	if a, err := registry.ParseAddress(in.Base); err == nil {
		addresses = append(addresses, a)
	}
	for _, a := range addresses {
		if _, err := e.OpenRegistry(a, &in.Scope, e.Log.Mask); err != nil {
			return err
		}
	}
	return nil
}

// measure finds the base, which a thread may know.
func measure(ctx context.Context, in *job.Inputs, f *snapshot.Finder, s *session, saved string) (*snapshot.Base, error) {
	if in.Base == job.BaseSession {
		return sessionBase(ctx, in, s)
	}
	return f.Base(ctx, saved)
}

// newWish is what the inputs ask the graph for.
func newWish(in *job.Inputs, mode job.Mode, f *snapshot.Inventory, c *snapshot.Change, named snapshot.Entries) snapshot.Wish {
	return snapshot.Wish{Stan: in.Stan, Mode: mode, Auto: in.Mode == job.ModeAuto, Idle: snapshot.WillFail(in.Secrets, f, c),
		ChangedDepth: in.ChangedDepth, DependentsDepth: in.DependentsDepth, Entries: named}
}

// newOptions is what the inputs ask a plan for. edited: the run edits the state, and shows what a change would get beside it.
func newOptions(e *job.Setting, in *job.Inputs, mode job.Mode, v *snapshot.View, edited bool) plan.Options {
	o := plan.Options{Mode: mode, Fill: job.FillNone, Stan: in.Stan, Include: in.Include, Map: in.Map, BudgetTokens: in.BudgetTokens, History: in.History, Task: in.Task, Beside: in.Beside, Lenient: e.Workflow}
	if v.Head != nil && v.Change != nil {
		o.Said = report.AuthorWords(e.Event.Pull, v.Head, v.Change).Text()
	}
	if plan.Ranks(&in.Choice, v.Change, mode, snapshot.AsksToMerge(e) || (v.Asked.Raw == nil || v.Asked.Untracked || edited) && in.Base != job.BaseSaved) {
		o.Fill = job.FillRank
	}
	return o
}

// openResults makes the folders of results; nil for a verb that writes none.
func openResults(e *job.Env, in *job.Inputs, h *snapshot.Head, mode job.Mode, stop upTo) (*deliver.Folder, error) {
	if !stop.theEnd() {
		return nil, nil
	}
	return deliver.OpenOutput(&e.Setting, &in.Scope, h, mode)
}

// newDeliveryOptions is what the inputs say of where results go, and the flags of the one
// that is printed, or copied.
func newDeliveryOptions(in *job.Inputs, o *options) *deliver.Options {
	return &deliver.Options{Scope: &in.Scope, Delivery: &in.Delivery, Result: o.result(), Copy: o.copy}
}
