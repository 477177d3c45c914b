// Package action is one run of the program: inputs in, the steps in order,
// outputs and a summary out. It is the only package that talks: to the
// terminal, to the workflow's log, to its files.
package action

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
)

// Exit codes.
const (
	exitFailed = 1 // the run failed
	exitInput  = 2 // bad input, or a bad file in the repository
	exitSecret = 3 // a secret would have left
)

// Command is the program. It reads and writes nothing of the process but what
// stands here, and files.
type Command struct {
	Args     []string
	Getenv   func(string) string
	Dir      string // working directory; "" is the process's
	Stdout   io.Writer
	Stderr   io.Writer
	Terminal bool // Stderr is a terminal
	Version  string

	// tap, in tests of the gate, changes what a channel is about to hand over:
	// as a fault in its redaction would.
	tap func(channel string, b []byte) []byte
}

// tapped returns what goes to the gate.
func (c *Command) tapped(channel string, b []byte) []byte {
	if c.tap == nil {
		return b
	}
	return c.tap(channel, b)
}

// ExitCode is the code that the program ends with after Run returned err.
func ExitCode(err error) int {
	if err == nil {
		return 0
	}
	var coded interface{ ExitCode() int }
	if errors.As(err, &coded) {
		return coded.ExitCode()
	}
	return exitFailed
}

// codedError gives an error its exit code.
type codedError struct {
	error
	code int
}

func (e *codedError) Unwrap() error { return e.error }
func (e *codedError) ExitCode() int { return e.code }

// verb is what the first argument may ask for; "" is the whole run.
type verb struct {
	name, usage, help string
	run               func(c *Command, ctx context.Context, in *Inputs, o *options) error
}

var verbs []verb

func init() {
	verbs = []verb{
		{"", "haversack [--input value ...]", "Pack the repository.", (*Command).pack},
		{"graph", "haversack graph", "Write the import graph to <stan-path>/context/ and print it in short.", (*Command).graph},
		{"select", "haversack select [ENTRY ...]", "Print what a context archive would hold, and why; nothing is written.", (*Command).selectFiles},
		{"comment", "haversack comment --record FILE", "Post the comment of a record that was made elsewhere.", (*Command).commentVerb},
		{"session", "haversack session show|render|history PATH", "Print what this thread's assistant has seen.", (*Command).sessionVerb},
		{"watch", "haversack watch", "Pack again whenever something changes.", (*Command).watch},
		{"verify", "haversack verify ARCHIVE", "Check an archive against the record.json beside it.", (*Command).verify},
	}
}

// options are the flags that are no inputs.
type options struct {
	json    bool
	stdout  string
	args    []string
	add     []string // select: entries to add to the state
	remove  []string
	record  string // comment: the record
	help    bool
	version bool
}

// Run does what the arguments ask for.
func (c *Command) Run(ctx context.Context) (err error) {
	defer func() { err = c.screened(err) }()
	v, flags, o, err := parseArgs(c.Args)
	if err != nil {
		return err
	}
	switch {
	case o.help:
		return help(c.Stdout)
	case o.version:
		_, err := fmt.Fprintln(c.Stdout, "haversack", c.Version)
		return err
	}
	in, err := parseInputs(flags, c.Getenv)
	if err != nil {
		return err
	}
	return v.run(c, ctx, in, o)
}

// screenedError says what err says, without the credentials in it.
type screenedError struct {
	text string
	err  error
}

func (e *screenedError) Error() string { return e.text }
func (e *screenedError) Unwrap() error { return e.err }

// screened redacts credentials in an error's text: errors quote inputs, names and
// files, and end up in logs.
func (c *Command) screened(err error) error {
	if err == nil {
		return nil
	}
	scanner, failed := secret.New()
	if failed != nil {
		return err
	}
	s := scan.Screener{Scanner: scanner, Given: new(secret.Known), Found: new(secret.Known), Policy: scan.Redact}
	for _, name := range tokenVariables {
		s.Given.Give("token", c.Getenv(name))
	}
	if clean, held := s.Name(err.Error()); held {
		return &screenedError{clean, err}
	}
	return err
}

// usageError is a mistake on the command line.
func usageError(format string, args ...any) error {
	return &codedError{fmt.Errorf(format+"; see haversack --help", args...), exitInput}
}

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
				return v, nil, nil, usageError("unknown verb %q: %s are known", a, verbNames())
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
				return "", usageError("--%s needs a value", name)
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
		case "record":
			if o.record, err = next(); err != nil {
				return v, nil, nil, err
			}
			if v.name != "comment" {
				return v, nil, nil, usageError("--record goes with comment")
			}
			continue
		case "add", "remove":
			s, err := next()
			if err != nil {
				return v, nil, nil, err
			}
			if v.name != "select" {
				return v, nil, nil, usageError("--%s goes with select", name)
			}
			if name == "add" {
				o.add = append(o.add, s)
			} else {
				o.remove = append(o.remove, s)
			}
			continue
		}
		k := slices.IndexFunc(inputs, func(d input) bool { return d.name == name })
		if k < 0 {
			return v, nil, nil, usageError("unknown flag --%s%s", name, near(name))
		}
		if inputs[k].toggle && !has && (i+1 >= len(args) || args[i+1] != "true" && args[i+1] != "false") {
			flags[name] = "true"
			continue
		}
		s, err := next()
		if err != nil {
			return v, nil, nil, err
		}
		if old, ok := flags[name]; ok {
			if !inputs[k].list {
				return v, nil, nil, usageError("--%s stands twice", name)
			}
			s = old + "\n" + s
		}
		flags[name] = s
	}
	if len(o.args) > 0 && v.name == "" {
		return v, nil, nil, usageError("unexpected argument %q", o.args[0])
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
	for _, d := range inputs {
		if strings.HasPrefix(d.name, name) || strings.HasPrefix(name, d.name) {
			return fmt.Sprintf(" (did you mean --%s?)", d.name)
		}
	}
	return ""
}

func help(w io.Writer) error {
	var b strings.Builder
	b.WriteString("haversack packs what an assistant needs to know about a repository, and about one change to it.\n\nUsage:\n")
	for _, v := range verbs {
		fmt.Fprintf(&b, "  %-43s %s\n", v.usage, v.help)
	}
	b.WriteString("\nInputs (in a workflow `name: value`, on a desk --name value, or INPUT_NAME in the environment):\n")
	for _, d := range inputs {
		def := d.shown
		if def == "" {
			def = d.def
		}
		fmt.Fprintf(&b, "  --%s\n", d.name)
		for _, l := range wrap(d.help, 88) {
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
  --add ENTRY, --remove ENTRY
                    with select: edit the state file; an entry is path, path@depth or path@depth:runtime+type+dynamic
  --version, --help

Exit codes: 0 done, 1 the run failed, 2 bad input or bad file in the repository, 3 a secret would have left.
`)
	_, err := io.WriteString(w, b.String())
	return err
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
