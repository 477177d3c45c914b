package deliver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/artifact"
	"github.com/haversack-dev/haversack/internal/forge"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/plan"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/report"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tokens"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Options says where results go.
type Options struct {
	*job.Scope
	*job.Delivery
	// Result is the one that is printed on stdout, "" for none.
	Result string
	// Copy: context.md goes to the clipboard, too.
	Copy bool
}

// Results are what a run hands over.
type Results struct {
	Head *snapshot.Head
	Out  *Folder
	// History is the database of the run's thread; false where the run has none.
	History func() (artifact.File, bool)
	Plan    *plan.Plan
	// HasBase: the change was measured against something.
	HasBase bool
	Record  *record.Record
	Report  *report.Report
	Gate    *plan.Gate
}

// HandOver puts the results in place and gives them away: outputs and summary
// for the workflow, the artifact for whoever downloads it.
func HandOver(ctx context.Context, e *job.Env, in *Options, r *Results) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	client, absent, err := service(e, in)
	if err != nil {
		return err
	}
	defer e.EndStep()
	// What will be said is tried at the gate before anything is in place.
	for _, channel := range []string{"comment", "summary"} {
		if _, err := r.Report.Talk(r.Gate, channel, artifact.Result{}, false); err != nil {
			return err
		}
	}
	if err := r.Out.Commit(job.Owner(r.Head.Dir)); err != nil {
		return err
	}
	if err := snapshot.WriteSaved(in.Scope, in.UpdateSaved, r.Head, r.Plan.Mode, r.Plan.Sums()); err != nil {
		return err
	}
	if err := tell(e, r); err != nil {
		return err
	}
	var up artifact.Result
	var failed error
	if client != nil {
		e.Begin("upload")
		up, failed = upload(ctx, e, in, client, r)
	}
	if errors.As(failed, &absent) && in.Upload != job.WhenAlways {
		failed = nil // the server turned out to have no such service
	}
	var service *artifact.ServiceError
	if errors.As(failed, &service) && in.Upload != job.WhenAlways {
		// The files are there, and the run that made them is not at fault.
		e.Log.Warn(failed.Error() + "; the files are left in " + r.Out.shown + ", and upload: always makes this an error")
		failed = nil
	}
	note(e, up, absent, in.Push != nil)
	pushed := ""
	if failed == nil && in.Push != nil {
		e.Begin("push")
		pushed, failed = push(ctx, e, in, r)
	}
	if err := comment(ctx, e, in, r, up); err != nil && failed == nil {
		failed = err
	}
	if err := publish(ctx, e, r, up, pushed); err != nil {
		return err
	}
	if failed != nil {
		return fmt.Errorf("%w; the results are in %s", failed, r.Out.shown)
	}
	if in.Copy {
		if err := copyPrompt(ctx, e, r.Out); err != nil {
			return err
		}
	}
	return printResult(e, in.Result, r.Out)
}

// tell says what was made: to a person at a terminal, or to a log.
func tell(e *job.Env, r *Results) error {
	if !e.Log.Desk() {
		e.Log.Print(report.Summary(r.Record, r.Out.shown, r.HasBase, r.Plan))
		if heading, lines := report.LeftOutText(r.Record); heading != "" {
			e.Log.Group(heading, lines)
		}
		return nil
	}
	d := &report.Desk{Record: r.Record, Shown: r.Out.shown, Stan: r.Report.Stan, HasBase: r.HasBase, Plan: r.Plan}
	d.Width, d.Blocks = e.Log.Columns()
	if prompt, closeAll, err := openResult(record.PromptName, r.Out); err == nil {
		defer closeAll()
		text, err := io.ReadAll(prompt)
		if err != nil {
			return fmt.Errorf("counting the tokens of %s: %w", record.PromptName, err)
		}
		d.PromptTokens = new(tokens.Counter).Count(text)
	}
	e.Log.Outcome(d.Text())
	return nil
}

// service returns the artifact service, or why there is none to use.
func service(e *job.Env, in *Options) (*artifact.Client, *artifact.AbsentError, error) {
	if in.Upload == job.WhenNever {
		return nil, nil, nil
	}
	if err := artifact.CheckName(in.ArtifactName); err != nil && in.Upload == job.WhenAlways {
		return nil, nil, job.BadInput("artifact-name", "%w", err)
	}
	client, err := artifact.FromEnv(e.Getenv)
	var absent *artifact.AbsentError
	if errors.As(err, &absent) {
		if in.Upload == job.WhenAlways {
			return nil, nil, job.BadInput("upload", "always: %w", err)
		}
		return nil, absent, nil
	}
	if err != nil {
		return nil, nil, err
	}
	client.Mask = e.Log.Mask
	return client, nil, nil
}

func upload(ctx context.Context, e *job.Env, in *Options, client *artifact.Client, r *Results) (artifact.Result, error) {
	u := artifact.Upload{Name: artifact.CleanName(r.Gate.Screener.Clean(in.ArtifactName)), RetentionDays: in.Retention, Overwrite: in.Overwrite, Level: in.Level}
	if u.Name != in.ArtifactName {
		e.Log.Warn(fmt.Sprintf("artifact-name %q is not allowed as it is; the artifact is called %q", in.ArtifactName, u.Name))
	}
	for _, o := range r.Record.Outputs {
		f := artifact.In(o.Name, r.Out.root, o.Name)
		f.SHA256 = o.SHA256
		u.Files = append(u.Files, f)
	}
	u.Files = append(u.Files, artifact.In("record.json", r.Out.root, "record.json"))
	if f, ok := r.History(); ok {
		u.Files = append(u.Files, f) // the thread's history travels with it
	}
	up, err := client.Upload(ctx, u)
	if err != nil || in.Raw == "" {
		return up, err
	}
	raw, ok := rawUpload(u, in.Raw)
	if !ok {
		e.Log.Warn("artifact-raw: " + in.Raw + ": this run made no such file")
		return up, nil
	}
	one, err := client.Upload(ctx, raw)
	if err != nil {
		return up, err
	}
	up.Raw = &one
	return up, nil
}

// rawUpload is the upload of the one file of u that the input's word stands for, as it is.
func rawUpload(u artifact.Upload, word string) (artifact.Upload, bool) {
	i := slices.IndexFunc(u.Files, func(f artifact.File) bool {
		return f.Name == word || f.Name == word+".zst" || word == "pack" && strings.HasPrefix(f.Name, "pack.")
	})
	if i < 0 {
		return artifact.Upload{}, false
	}
	file := u.Files[i]
	// Jobs that have an artifact each have a file each.
	_, ending, _ := strings.Cut(file.Name, ".")
	u.Name += "." + ending
	file.Name = u.Name
	u.Files, u.Raw = []artifact.File{file}, true
	return u, true
}

// note says where the results went.
func note(e *job.Env, up artifact.Result, absent *artifact.AbsentError, pushes bool) {
	switch {
	case up.Name != "":
		where := ""
		if up.URL != "" {
			where = ": " + up.URL
		}
		e.Log.Print("\n")
		e.Log.Line("Uploaded the artifact %s (%s)%s", up.Name, job.BytesText(up.Size), where)
		for _, n := range up.Notes {
			e.Log.Line("%s", n)
		}
		if up.Raw != nil {
			note(e, *up.Raw, nil, false)
		}
	case absent != nil && pushes && e.Log.Action != nil:
		e.Log.Print("\n")
		e.Log.Line("Not uploaded as an artifact: %s; what is pushed to the registry is the hand-over.", absent.Why)
	case absent != nil && e.Log.Action != nil:
		e.Log.Print("\n")
		e.Log.Line("Not uploaded: %v", absent)
	}
}

// maxStepSummary is the most characters of a summary; the runner drops the whole
// of one above 1 MiB.
const maxStepSummary = 250000

// publish writes the step's outputs and its summary.
func publish(ctx context.Context, e *job.Env, r *Results, up artifact.Result, pushed string) error {
	if name := e.Getenv("GITHUB_OUTPUT"); name != "" {
		values := outputValues(r, up)
		values["pushed"] = pushed
		var b strings.Builder
		for _, o := range job.OutputTable {
			// A random delimiter: no value can end its own block and set another output.
			end := "ghadelimiter_" + job.RandomHex()
			fmt.Fprintf(&b, "%s<<%s\n%s\n%s\n", o.Name, end, values[o.Name], end)
		}
		if err := job.AppendFile(ctx, name, b.String()); err != nil {
			return fmt.Errorf("writing the outputs: %w", err)
		}
	}
	if name := e.Getenv("GITHUB_STEP_SUMMARY"); name != "" {
		said, err := r.Report.Talk(r.Gate, "summary", up, false)
		if err != nil {
			return err
		}
		if err := job.AppendFile(ctx, name, forge.Truncate(said, maxStepSummary)); err != nil {
			e.Log.Warn("the step summary could not be written: " + err.Error())
		}
	} else if e.Workflow {
		e.Log.Print("No step summary: this runner names no file for it (GITHUB_STEP_SUMMARY).\n")
	}
	return nil
}

// outputValues are the step's outputs by name.
func outputValues(r *Results, up artifact.Result) map[string]string {
	rec, f := r.Record, record.Count(r.Record.Files)
	// Paths as later steps can use them: relative to the workspace where they lie
	// inside, because a container's own paths mean nothing outside of it.
	shown := func(name string) string { return filepath.ToSlash(filepath.Join(r.Out.shown, name)) }
	v := map[string]string{
		"record":           shown("record.json"),
		"files-included":   strconv.Itoa(f.Included),
		"files-omitted":    strconv.Itoa(f.Omitted),
		"estimated-tokens": strconv.FormatInt(record.EstimateTokens(f.Bytes), 10),
		"base-commit":      text.Line(rec.Base.Commit),
		"base-reason":      text.Line(rec.Base.Reason), // a later step may print it
		"changed":          strconv.FormatBool(!r.HasBase || len(r.Plan.Changes) > 0),
		"artifact-url":     text.Line(up.URL),
	}
	r.Report.SetOutputs(v)
	if up.Raw != nil {
		v["artifact-raw-url"] = text.Line(up.Raw.URL)
	}
	if up.ID != 0 {
		v["artifact-id"] = strconv.FormatInt(up.ID, 10)
	}
	for _, o := range rec.Outputs {
		switch {
		case strings.HasPrefix(o.Name, "archive.diff."):
			v["archive-diff"], v["archive-diff-sha256"] = shown(o.Name), o.SHA256
		case strings.HasPrefix(o.Name, "archive."):
			v["archive"], v["archive-sha256"] = shown(o.Name), o.SHA256
		case slices.Contains(record.PromptNames(), o.Name): // below, in their order
		case v["pack"] == "":
			v["pack"] = shown(o.Name)
		}
	}
	var parts []string // of the document for a model
	for _, name := range record.PromptNames() {
		if slices.ContainsFunc(rec.Outputs, func(o record.Output) bool { return o.Name == name }) {
			parts = append(parts, shown(name))
		}
	}
	if len(parts) > 0 {
		v["prompt-file"], v["prompt-files"] = parts[0], strings.Join(parts, "\n")
	}
	if rec.ContextPackInfo == nil && v["pack"] != "" {
		v["pack-type"] = "change"
	} else if rec.ContextPackInfo != nil {
		v["pack-type"] = string(rec.ContextPackInfo.Type)
	}
	return v
}

// printResult writes the result of a name to stdout, none for "".
func printResult(e *job.Env, name string, out *Folder) error {
	if name == "" {
		return nil
	}
	files, closeAll, err := openResult(name, out)
	if err != nil {
		return job.UsageError("--stdout %s: this run made no such file, but %s", text.Name(name), strings.Join(out.written, ", "))
	}
	defer closeAll()
	err = e.Result(func(w io.Writer) error {
		_, err := io.Copy(w, files)
		return err
	})
	if err != nil {
		return fmt.Errorf("writing %s to stdout: %w", name, err)
	}
	return nil
}

// openResult opens the result of a name: context.md is all of its parts, one behind the
// other.
func openResult(name string, out *Folder) (io.Reader, func(), error) {
	names := []string{name}
	if name == record.PromptName {
		names = slices.DeleteFunc(record.PromptNames(), func(part string) bool { return !slices.Contains(out.written, part) })
	}
	var files []io.Reader
	var open []io.Closer
	closeAll := func() {
		for _, f := range open {
			f.Close()
		}
	}
	for _, name := range names {
		f, _, err := tree.OpenIn(out.root, name, os.O_RDONLY, 0)
		if err != nil {
			closeAll()
			return nil, nil, err
		}
		files, open = append(files, f), append(open, f)
	}
	if len(files) == 0 {
		return nil, nil, fs.ErrNotExist
	}
	return io.MultiReader(files...), closeAll, nil
}
