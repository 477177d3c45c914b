package action

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/text"
)

// whyVerb says from the last run's record what became of a path, and why.
func whyVerb(ctx context.Context, e *job.Env, in *job.Inputs, o *options) error {
	if o.inputs && len(o.args) > 0 {
		return job.UsageError("why --inputs is of all inputs: it takes no path")
	}
	if len(o.args) != 1 && !o.inputs {
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
	if o.inputs {
		return printInputs(e, rec, o.json)
	}
	name := filepath.ToSlash(filepath.Clean(o.args[0]))
	i, line := -1, 0
	for _, one := range []string{belowRoot(&e.Setting, h, o.args[0]), name} {
		if i < 0 && one != "" {
			if i, line = rowOf(rec, one); i >= 0 {
				name = strings.TrimSuffix(one, fmt.Sprintf(":%d", line))
			}
		}
	}
	if i < 0 {
		return job.WithCode(fmt.Errorf("the last run met no %q%s", name, nearPaths(rec, name)), job.ExitInput)
	}
	answer := &reason{Path: name, Row: &rec.Files[i], Input: excluding(rec, &rec.Files[i])}
	if line > 0 {
		if answer.Line, err = explainLine(e, h, answer.Row, name, line); err != nil {
			return err
		}
	}
	if o.json {
		return printJSON(e, answer)
	}
	if line > 0 {
		e.Log.Print(answer.Line.text(name))
		return nil
	}
	said := because(*answer.Row)
	if answer.Input != nil {
		said += fmt.Sprintf("  exclude is of the %s %s\n", job.OneLine(string(answer.Input.From)), job.OneLine(fileOf(rec, answer.Input.From)))
	}
	e.Log.Print(said)
	return nil
}

// belowRoot is the path below the root of what an argument names from the folder where the program was started, as a shell completes
// it; "" for what lies outside.
func belowRoot(e *job.Setting, h *snapshot.Head, arg string) string {
	if !filepath.IsAbs(arg) {
		arg = filepath.Join(e.WorkspaceAbs(), arg)
	}
	return job.SlashRel(h.Dir, filepath.Clean(arg))
}

// rowOf is the row of a path, of which a line may be told, that of the folder which holds it where that was not entered, and the line; -1
// if there is none.
func rowOf(rec *record.Record, name string) (row, line int) {
	if i := slices.IndexFunc(rec.Files, func(r record.Row) bool { return r.Path == name || r.Path == name+"/" }); i >= 0 {
		return i, 0
	}
	if at := strings.LastIndexByte(name, ':'); at > 0 {
		if n, err := strconv.Atoi(name[at+1:]); err == nil && n > 0 {
			name, line = name[:at], n
			if i := slices.IndexFunc(rec.Files, func(r record.Row) bool { return r.Path == name }); i >= 0 {
				return i, line
			}
		}
	}
	return slices.IndexFunc(rec.Files, func(r record.Row) bool { return strings.HasSuffix(r.Path, "/") && strings.HasPrefix(name, r.Path) }), line
}

// excluding is the input exclude, where a file of defaults gave it and a line of it left a path
// out; else nil.
func excluding(rec *record.Record, row *record.Row) *record.Input {
	if row.Included || row.Reason != string(scan.PatternMatch) {
		return nil
	}
	for i := range rec.Inputs {
		if in := &rec.Inputs[i]; in.Name == "exclude" && slices.Contains(strings.Split(in.Value, "\n"), row.Rule) {
			return in
		}
	}
	return nil
}

// fileOf is the file of defaults of an origin.
func fileOf(rec *record.Record, from job.Origin) string {
	for _, d := range rec.Defaults {
		if d.From == from {
			return d.File
		}
	}
	return ""
}

// whyInputs is what why --inputs --json prints.
type whyInputs struct {
	Inputs   []record.Input    `json:"inputs"`
	Defaults []record.Defaults `json:"defaults"`
}

// printInputs says of each input where the last run had its value from, and the value where it is
// a file's.
func printInputs(e *job.Env, rec *record.Record, asJSON bool) error {
	if asJSON {
		return printJSON(e, &whyInputs{append([]record.Input{}, rec.Inputs...), append([]record.Defaults{}, rec.Defaults...)})
	}
	var b strings.Builder
	for _, in := range rec.Inputs {
		line := fmt.Sprintf("%-19s %-17s %s", job.OneLine(in.Name), job.OneLine(string(in.From)), job.OneLine(strings.ReplaceAll(in.Value, "\n", " ")))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	for _, d := range rec.Defaults {
		line := fmt.Sprintf("%s: %s, sha256 %s", d.From, d.File, cmp.Or(d.SHA256, "not told, as it holds a credential"))
		if d.Commit != "" {
			line += ", of commit " + d.Commit
		}
		b.WriteString(job.OneLine(line) + "\n")
	}
	e.Log.Print(b.String())
	return nil
}

// printJSON prints what a pointer leads to as JSON, screened.
func printJSON(e *job.Env, pointer any) error {
	snapshot.Clean(e.Screener, pointer)
	b, err := record.Marshal(pointer, "  ")
	if err != nil {
		return err
	}
	return e.Results(b)
}

// reason is what why --json prints.
type reason struct {
	Path string      `json:"path"`
	Row  *record.Row `json:"file"` // as record.json has it
	Line *lineReason `json:"line,omitempty"`
	// Input is the one whose value, from a file of defaults, left the path out.
	Input *record.Input `json:"input,omitempty"`
}

func whyFlags(fs *pflag.FlagSet, o *options) {
	fs.BoolVar(&o.inputs, "inputs", false, "say where each input of the last run got its value: given (with), a file of defaults, the default")
}

// lineReason is what decides on a line of a file.
type lineReason struct {
	Number int `json:"number"`
	// Recorded are the rules of what the last run redacted on the line and the file alone
	// does not tell.
	Recorded []string      `json:"recorded"`
	Values   []valueReason `json:"values"`
}

// valueReason is what decides on one value: never the value itself.
type valueReason struct {
	// Column and Characters are where it begins, from 1, and how long it is.
	Column     int `json:"column"`
	Characters int `json:"characters"`
	// Rule is that by which it is redacted; "" where the model decides.
	Rule     string    `json:"rule,omitempty"`
	Verdict  string    `json:"verdict"`
	Score    int       `json:"score,omitempty"` // for the model, which takes Needs for a credential
	Needs    int       `json:"needs,omitempty"`
	Features []feature `json:"features,omitempty"` // the weightiest first
}

// feature is what speaks for a credential, or against one.
type feature struct {
	Weight int    `json:"weight"`
	Name   string `json:"name"`
}

// explainLine says for each value on a line of a file, as it is now, whether it is taken for
// a credential, and what decides; and what the last run redacted there that is found by
// more than the file: a value that another file, or the change's other side, gives away.
func explainLine(e *job.Env, h *snapshot.Head, row *record.Row, name string, line int) (*lineReason, error) {
	raw, err := h.Root.ReadFile(name, scan.MaxFileBytes)
	if err != nil {
		return nil, job.WithCode(fmt.Errorf("reading %q: %w", name, err), job.ExitInput)
	}
	content := text.Decode(raw, text.Detect(raw))
	from, to, err := lineOf(content, name, line)
	if err != nil {
		return nil, err
	}
	found, err := e.Screener.Find(name, content)
	if err != nil {
		return nil, fmt.Errorf("screening %q: %w", name, err)
	}
	l := &lineReason{Number: line, Recorded: []string{}, Values: []valueReason{}}
	value := func(start, end int) valueReason {
		return valueReason{Column: utf8.RuneCount(content[from:max(from, start)]) + 1, Characters: utf8.RuneCount(content[start:end])}
	}
	told := map[string]bool{}
	for _, f := range found {
		if f.Start < to && from < f.End {
			v := value(f.Start, f.End)
			v.Rule, v.Verdict = f.Rule, "redacted"
			told[f.Rule] = true
			l.Values = append(l.Values, v)
		}
	}
	for _, r := range row.Redactions {
		if r.Line == line && !told[r.Rule] {
			l.Recorded = append(l.Recorded, r.Rule)
		}
	}
	scanner := e.Screener.Scanner
	for _, c := range scanner.Candidates(name, content) {
		if c.Start < to && from < c.End {
			l.Values = append(l.Values, judged(scanner, value(c.Start, c.End), c))
		}
	}
	return l, nil
}

// lineOf is where a line begins and ends in a text.
func lineOf(content []byte, name string, line int) (from, to int, err error) {
	for n := 1; n < line; n++ {
		i := bytes.IndexByte(content[from:], '\n')
		if i < 0 {
			return 0, 0, job.WithCode(fmt.Errorf("%q has %d lines, not %d", name, len(slices.Collect(bytes.Lines(content))), line), job.ExitInput)
		}
		from += i + 1
	}
	if i := bytes.IndexByte(content[from:], '\n'); i >= 0 {
		return from, from + i, nil
	}
	return from, len(content), nil
}

// judged says what the model makes of a value.
func judged(scanner *secret.Scanner, v valueReason, c secret.Candidate) valueReason {
	if c.Excepted != "" {
		v.Verdict = "no credential for the model: it " + c.Excepted
		return v
	}
	v.Score, v.Needs = c.Score, scanner.Needs()
	switch {
	case c.Certain:
		v.Verdict = fmt.Sprintf("a credential: it looks drawn by lot, and its name says what it is (the model alone gives it %d of %d)", c.Score, v.Needs)
		return v
	case c.Score >= v.Needs:
		v.Verdict = "a credential"
	default:
		v.Verdict = "no credential"
	}
	v.Verdict += fmt.Sprintf(" for the model, with %d of %d", c.Score, v.Needs)
	slices.SortStableFunc(c.Features, func(x, y uint16) int { return magnitude(scanner.Weight(y)) - magnitude(scanner.Weight(x)) })
	for _, n := range c.Features[:min(8, len(c.Features))] {
		v.Features = append(v.Features, feature{scanner.Weight(n), secret.FeatureName(n)})
	}
	return v
}

// text writes it for a person.
func (l *lineReason) text(name string) string {
	var b strings.Builder
	for _, rule := range l.Recorded {
		fmt.Fprintf(&b, "%q line %d: redacted in the last run, %s; the file alone does not say so now: another file, or the other side of the change, says what the value is, or the file has changed since\n", name, l.Number, job.OneLine(rule))
	}
	for _, v := range l.Values {
		fmt.Fprintf(&b, "%q line %d, column %d, %d characters: %s", name, l.Number, v.Column, v.Characters, v.Verdict)
		if v.Rule != "" {
			b.WriteString(", " + v.Rule)
		}
		b.WriteString("\n")
		for _, f := range v.Features {
			fmt.Fprintf(&b, "  %+d  %s\n", f.Weight, f.Name)
		}
	}
	if b.Len() == 0 {
		fmt.Fprintf(&b, "%q line %d: no value in it stands where a credential may stand\n", name, l.Number)
	}
	return b.String()
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

// nearPaths suggests paths that a user may have meant: those with the same base name, else the one that is spelled most alike.
func nearPaths(rec *record.Record, name string) string {
	var list []string
	for _, r := range rec.Files {
		if filepath.Base(r.Path) == filepath.Base(name) {
			list = append(list, r.Path)
		}
	}
	if len(list) == 0 {
		paths := make([]string, 0, len(rec.Files))
		for _, r := range rec.Files {
			paths = append(paths, r.Path)
		}
		return cmp.Or(job.Suggest(name, paths, ""), "; record.json lists what it met")
	}
	return fmt.Sprintf("; did you mean one of %q?", list[:min(3, len(list))])
}
