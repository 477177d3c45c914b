// Package action is one run of the program: inputs in, the steps in order,
// outputs and a summary out. It is the only package that talks: to the
// terminal, to the workflow's log, to its files.
package action

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/text"
)

// Command is the program. It reads and writes nothing of the process but what
// stands here, and files.
type Command struct {
	job.Process
	// Grace is how long a run may take to end by itself once it was interrupted or has
	// used up limit-seconds, 0 for 5 s. A runner waits 7.5 s.
	Grace time.Duration
}

// verb is what the first argument may ask for; "" is the whole run.
type verb struct {
	name, usage, help string
	run               func(ctx context.Context, e *job.Env, in *job.Inputs, o *options) error
}

var verbs []verb

func init() {
	verbs = []verb{
		{"", "haversack [--input value ...]", "Pack the repository.", packVerb},
		{"graph", "haversack graph", "Write the import graph to <stan-path>/context/ and print it in short.", graphVerb},
		{"select", "haversack select [ENTRY ...]", "Print what a context archive would hold, and why; nothing is written.", selectVerb},
		{"context", "haversack context", "Pack what the change on this desk needs, within a budget (mode: context).", contextVerb},
		{"why", "haversack why PATH[:LINE]", "Say why the last run packed a file, left it out, or redacted something in it; of a line, what decides.", whyVerb},
		{"pack", "haversack pack show FILE", "Check a context pack and print it for people.", packShowVerb},
		{"comment", "haversack comment --record FILE", "Post the comment of a record that was made elsewhere.", commentVerb},
		{"session", "haversack session show|render|history PATH", "Print what this thread's assistant has seen.", sessionVerb},
		{"watch", "haversack watch", "Pack again whenever something changes; nothing counts as handed over.", watchVerb},
		{"verify", "haversack verify ARCHIVE", "Check an archive against the record.json beside it.", verifyVerb},
	}
}

// options are the flags that are no inputs.
type options struct {
	json    bool
	stdout  string
	args    []string
	add     []string // select: entries to add to the state
	remove  []string
	exclude []string // select: entries to leave out
	meta    string   // select: a map, or the archive that holds it, in place of a repository
	summary bool     // select: sum the closure up as stan-context does
	uses    string   // select --summary: what is followed where an entry does not say
	record  string   // comment: the record
	// graph: print the definitions of the sources instead of making the graph's files.
	definitions bool
	help        bool
	version     bool
}

// result is the result that is printed on stdout, "" for none.
func (o *options) result() string {
	if o.json {
		return "record.json"
	}
	return o.stdout
}

// printsResult reports whether stdout belongs to a result.
func (o *options) printsResult() bool { return o.result() != "" }

// Run does what the arguments ask for. It says what has failed, and returns it for the
// process's exit code.
func (c *Command) Run(ctx context.Context) error {
	err := c.run(ctx)
	if err == nil {
		return nil
	}
	said := make(chan struct{})
	go func() {
		defer close(said)
		c.Fail(ctx, err)
	}()
	// What the run waits for may be whoever reads its words.
	if left := (*leftError)(nil); !errors.As(err, &left) {
		select {
		case <-said:
			return err
		case <-ctx.Done():
		}
	}
	select {
	case <-said:
	case <-time.After(c.grace()):
	}
	return err
}

// grace is Grace, or what it stands for.
func (c *Command) grace() time.Duration { return cmp.Or(c.Grace, 5*time.Second) }

// leftError is a run that did not end by itself when it had to, wherever it waits. What it
// has in place is whole; the process has to end.
type leftError struct{ err error }

func (e *leftError) Error() string { return e.err.Error() }
func (e *leftError) Unwrap() error { return e.err }

// ended runs f until it ends, or has not for a while after ctx has.
func (c *Command) ended(ctx context.Context, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(c.grace()):
		return &leftError{fmt.Errorf("interrupted where it waited: %w", ctx.Err())}
	}
}

func (c *Command) run(ctx context.Context) error {
	v, flags, o, err := parseArgs(c.Args)
	if err != nil {
		return c.refused(err)
	}
	switch {
	case o.help:
		return c.Print(help())
	case o.version:
		return c.Print("haversack " + c.Version + "\n")
	}
	in, err := job.ParseInputs(flags, c.Getenv)
	if err != nil {
		return c.refused(err)
	}
	e, err := job.Open(&c.Process, in.Token, in.SecretsLevel, o.printsResult())
	if err != nil {
		return err
	}
	keepMemory(c.Getenv, in.LimitMemoryBytes)
	over := fmt.Errorf("not done after %d seconds, which is limit-seconds", in.LimitSeconds)
	if v.name != "watch" {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, time.Duration(in.LimitSeconds)*time.Second, over)
		defer cancel()
	}
	err = c.ended(ctx, func() error { return v.run(ctx, e, in, o) })
	var left *leftError
	stays := errors.As(err, &left)
	switch {
	case err == nil:
		return nil
	case stays && context.Cause(ctx) == over:
		err = &leftError{over}
	case context.Cause(ctx) == over:
		return over
	}
	if stays {
		e.Forsake()
		return err
	}
	return job.Screened(e.Log.Screener, err)
}

// keepMemory has the collector keep within a limit. GOMEMLIMIT in the environment
// wins, and so does a container's limit that is lower.
func keepMemory(getenv func(string) string, limit int64) {
	if getenv("GOMEMLIMIT") == "" && limit/10*9 < debug.SetMemoryLimit(-1) {
		debug.SetMemoryLimit(limit / 10 * 9)
	}
}

// refused screens a mistake on the command line, before there is anything else.
func (c *Command) refused(err error) error {
	s, failed := job.NewScreener(c.Getenv, "", secret.Balanced)
	if failed != nil {
		return failed
	}
	return job.Screened(s, err)
}

// verbFlags are the flags of one verb that are no inputs.
var verbFlags = map[string]struct {
	verb, with string // with: as told where it stands with another verb
	toggle     bool
	set        func(o *options, value string)
}{
	"record":       {verb: "comment", set: func(o *options, v string) { o.record = v }},
	"definitions":  {verb: "graph", toggle: true, set: func(o *options, _ string) { o.definitions = true }},
	"summary":      {verb: "select", toggle: true, set: func(o *options, _ string) { o.summary = true }},
	"default-uses": {verb: "select", with: "select --summary", set: func(o *options, v string) { o.uses = v }},
	"meta":         {verb: "select", set: func(o *options, v string) { o.meta = v }},
	"add":          {verb: "select", set: func(o *options, v string) { o.add = append(o.add, v) }},
	"remove":       {verb: "select", set: func(o *options, v string) { o.remove = append(o.remove, v) }},
	"exclude":      {verb: "select", set: func(o *options, v string) { o.exclude = append(o.exclude, v) }},
}

// isGlob reports whether a value of --exclude can only be a pattern, and no entry.
func isGlob(s string) bool { return strings.ContainsAny(s, "*?[{\n") }

// parseArgs splits the command line into a verb, inputs and the rest. A flag is
// --name value or --name=value; one that lists items may stand several times.
func parseArgs(args []string) (verb, map[string]string, *options, error) {
	v, flags, o := verbs[0], map[string]string{}, &options{}
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "-h" {
			a = "--help"
		}
		if !strings.HasPrefix(a, "--") {
			if i == 0 {
				if k := slices.IndexFunc(verbs, func(v verb) bool { return v.name == a }); k > 0 {
					v = verbs[k]
					continue
				}
				return v, nil, nil, job.UsageError("unknown verb %q: %s are known", a, verbNames())
			}
			o.args = append(o.args, a)
			continue
		}
		name, value, has := strings.Cut(a[2:], "=")
		next := func() (string, error) {
			if has {
				return value, nil
			}
			if i+1 >= len(args) {
				return "", job.UsageError("--%s needs a value", name)
			}
			i++
			return args[i], nil
		}
		var err error
		switch name {
		case "help":
			o.help = true
			return v, flags, o, nil
		case "version":
			o.version = true
			return v, flags, o, nil
		case "json":
			o.json = true
			continue
		case "stdout":
			if o.stdout, err = next(); err != nil {
				return v, nil, nil, err
			}
			continue
		}
		if f, ok := verbFlags[name]; ok && (name != "exclude" || v.name == f.verb) {
			if v.name != f.verb {
				return v, nil, nil, job.UsageError("--%s goes with %s", name, cmp.Or(f.with, f.verb))
			}
			if f.toggle {
				f.set(o, "")
				continue
			}
			s, err := next()
			if err != nil {
				return v, nil, nil, err
			}
			if name != "exclude" || !isGlob(s) {
				f.set(o, s)
				continue
			}
			value, has = s, true // a pattern of the input, as for all verbs
		}
		k := slices.IndexFunc(job.InputTable, func(d job.Input) bool { return d.Name == name })
		if k < 0 {
			return v, nil, nil, job.UsageError("unknown flag --%s%s", text.Name(name), near(name))
		}
		if job.InputTable[k].Toggle && !has && (i+1 >= len(args) || args[i+1] != "true" && args[i+1] != "false") {
			flags[name] = "true"
			continue
		}
		s, err := next()
		if err != nil {
			return v, nil, nil, err
		}
		if old, ok := flags[name]; ok {
			if !job.InputTable[k].List {
				return v, nil, nil, job.UsageError("--%s stands twice", name)
			}
			s = old + "\n" + s
		}
		flags[name] = s
	}
	if len(o.args) > 0 && v.name == "" {
		return v, nil, nil, job.UsageError("unexpected argument %q", o.args[0])
	}
	return v, flags, o, nil
}

func verbNames() string {
	var names []string
	for _, v := range verbs[1:] {
		names = append(names, v.name)
	}
	return strings.Join(names, ", ")
}

// near suggests the flag that a user may have meant.
func near(name string) string {
	for _, d := range job.InputTable {
		if strings.HasPrefix(d.Name, name) || strings.HasPrefix(name, d.Name) {
			return fmt.Sprintf(" (did you mean --%s?)", d.Name)
		}
	}
	return ""
}

// help is what --help prints.
func help() string {
	var b strings.Builder
	b.WriteString("haversack packs what an assistant needs to know about a repository, and about one change to it.\n\nUsage:\n")
	for _, v := range verbs {
		fmt.Fprintf(&b, "  %-43s %s\n", v.usage, v.help)
	}
	b.WriteString("\nInputs (in a workflow `name: value`, on a desk --name value, or INPUT_NAME in the environment):\n")
	for _, d := range job.InputTable {
		def := d.Shown
		if def == "" {
			def = d.Default
		}
		fmt.Fprintf(&b, "  --%s\n", d.Name)
		for _, l := range wrap(d.Help, 88) {
			fmt.Fprintf(&b, "        %s\n", l)
		}
		if def != "–" {
			fmt.Fprintf(&b, "        Default: %s\n", strings.ReplaceAll(def, "`", ""))
		}
	}
	b.WriteString(`
Other flags:
  --json            print the record on stdout instead of the summary
  --stdout NAME     write one result (archive.tar, archive.diff.tar, pack.json, record.json) to stdout
  --add ENTRY, --remove ENTRY, --exclude ENTRY
                    with select: edit the state file; an entry is path, path@depth or path@depth:runtime+type+dynamic,
                    or with a mask, path@depth:3; !path and --exclude stand for what is left out (x of the state)
  --meta FILE       with select: of a map (dependency.meta.json), or the archive that holds it, in place of a repository
  --summary         with select: ids, bytes and the largest files of the entries' closure, and nothing else an archive holds
  --default-uses USES
                    with select --summary: what is followed where an entry does not say: runtime+type+dynamic, all or none
  --definitions     with graph: print what the sources define, of the files or folders that are named; nothing is written
  --version, --help

Exit codes: 0 done, 1 the run failed, 2 bad input or bad file in the repository, 3 a secret would have left.
`)
	return b.String()
}

// wrap breaks text into lines of at most n bytes where it can.
func wrap(s string, n int) []string {
	var lines []string
	line := ""
	for _, w := range strings.Fields(strings.ReplaceAll(s, "`", "")) {
		if line != "" && len(line)+1+len(w) > n {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += w
	}
	return append(lines, line)
}
