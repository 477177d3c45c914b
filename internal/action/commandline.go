package action

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/text"
)

// call is a command line that was read.
type call struct {
	verb    *verb
	inputs  map[string]string // by name, as they stand
	options *options
	// topic is the verb that help was asked for, with --help or -h.
	topic *verb
}

// parseArgs splits the command line into a verb, inputs and the rest. A flag is
// --name value or --name=value; one that lists items may stand several times.
func parseArgs(args []string) (*call, error) {
	c := &call{inputs: map[string]string{}, options: &options{}}
	var completed bytes.Buffer
	root := c.command(&completed)
	root.SetArgs(toggled(args))
	if err := root.Execute(); err != nil {
		return nil, err
	}
	switch {
	case c.topic != nil:
		c.verb = &verb{tell: func(p *page) (string, error) { return p.verb(c.topic), nil }}
	case c.verb == nil: // a shell asks for what may follow
		c.verb = &verb{raw: true, tell: func(*page) (string, error) { return completed.String(), nil }}
	}
	return c, nil
}

// command is the program as the library knows it: a command for each verb, which notes
// what was asked for and does nothing. What the library itself says goes to out, and what
// only its debugging says nowhere.
func (c *call) command(out io.Writer) *cobra.Command {
	root := c.verbCommand(&verbs[0])
	for i := range verbs[1:] {
		cmd := c.verbCommand(&verbs[i+1])
		root.AddCommand(cmd)
		if cmd.Use == "help" {
			root.SetHelpCommand(cmd) // in place of the library's
		}
	}
	root.Use = "haversack"
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { c.topic = verbNamed(cmd.Name()) })
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return flagError(cmd, err) })
	root.SetOut(out)
	root.SetErr(io.Discard)
	return root
}

// verbCommand is the command of a verb.
func (c *call) verbCommand(v *verb) *cobra.Command {
	var version bool
	cmd := &cobra.Command{Use: v.name, Short: v.help, Hidden: v.hidden, ValidArgs: v.words, Args: cobra.ArbitraryArgs}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c.verb, c.options.args, c.options.given = v, args, c.inputs
		if version {
			c.verb = verbNamed("version")
		}
		return nil
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	if v.flags != nil {
		v.flags(fs, c.options)
	}
	commonFlags(fs, c.options)
	fs.BoolVar(&version, "version", false, "print the version")
	fs.Lookup("version").Hidden = true
	for i := range job.InputTable {
		d := &job.InputTable[i]
		f := &pflag.Flag{Name: d.Name, Usage: short(d), Value: &inputFlag{d, v, c}, Hidden: !v.shows(d)}
		if d.Toggle {
			f.NoOptDefVal = "true"
		}
		fs.AddFlag(f)
		if len(d.Choices) > 0 {
			// It fails for a flag that is not there, or has one already.
			_ = cmd.RegisterFlagCompletionFunc(d.Name, cobra.FixedCompletions(d.Choices, cobra.ShellCompDirectiveNoFileComp))
		}
	}
	return cmd
}

// shows reports whether the verb's help tells of an input.
func (v *verb) shows(d *job.Input) bool {
	return slices.Contains(v.reads, d.Name) || slices.Contains(v.reads, string(d.Group))
}

// verbNamed is the verb of a name, or of the program's; nil for none.
func verbNamed(name string) *verb {
	if name == "haversack" {
		name = ""
	}
	if i := slices.IndexFunc(verbs, func(v verb) bool { return v.name == name }); i >= 0 {
		return &verbs[i]
	}
	return nil
}

// verbNames are the verbs that help lists.
func verbNames() []string {
	var names []string
	for _, v := range verbs[1:] {
		if !v.hidden {
			names = append(names, v.name)
		}
	}
	return names
}

// inputFlag is an input as a flag.
type inputFlag struct {
	input *job.Input
	verb  *verb
	call  *call
}

func (f *inputFlag) String() string { return "" }
func (f *inputFlag) Type() string   { return f.input.Value }

// Set takes a value as it stands: what it may be, ParseInputs says, of the environment's
// as well.
func (f *inputFlag) Set(s string) error {
	name, c := f.input.Name, f.call
	if name == "exclude" && f.verb.name == "select" && !isGlob(s) {
		c.options.exclude = append(c.options.exclude, s)
		return nil
	}
	old, again := c.inputs[name]
	switch {
	case again && f.input.List:
		s = old + "\n" + s
	case again:
		return errors.New("stands twice")
	}
	c.inputs[name] = s
	return nil
}

// isGlob reports whether a value of --exclude can only be a pattern, and no entry.
func isGlob(s string) bool { return strings.ContainsAny(s, "*?[{\n") }

// toggled joins what is true or false to the flag of a toggle before it: the library
// takes the value of such a flag only behind =.
func toggled(args []string) []string {
	joined := make([]string, 0, len(args))
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			return append(joined, args[i:]...)
		}
		isToggle := slices.ContainsFunc(job.InputTable, func(d job.Input) bool { return d.Toggle && "--"+d.Name == a })
		if isToggle && i+1 < len(args) && (args[i+1] == "true" || args[i+1] == "false") {
			i++
			a += "=" + args[i]
		}
		joined = append(joined, a)
	}
	return joined
}

// flagError says a mistake with a flag in this program's words.
func flagError(cmd *cobra.Command, err error) error {
	unknown, lacks, wrong := (*pflag.NotExistError)(nil), (*pflag.ValueRequiredError)(nil), (*pflag.InvalidValueError)(nil)
	var bad *pflag.InvalidSyntaxError
	switch {
	case errors.As(err, &bad):
		return job.UsageError("%q is no flag", bad.GetSpecifiedFlag())
	case errors.As(err, &lacks):
		return job.UsageError("--%s needs a value", lacks.GetSpecifiedName())
	case errors.As(err, &wrong):
		return job.UsageError("--%s %w", wrong.GetFlag().Name, wrong.Unwrap())
	case !errors.As(err, &unknown):
		return job.UsageError("%w", err)
	}
	name := unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		return job.UsageError("unknown flag -%s%s", text.Name(unknown.GetSpecifiedShortnames()), spelledOut(cmd, unknown.GetSpecifiedShortnames()))
	}
	for _, other := range cmd.Root().Commands() {
		if other.Flags().Lookup(name) != nil {
			return job.UsageError("--%s goes with %s", name, other.Name())
		}
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return job.UsageError("unknown flag --%s%s", text.Name(name), job.Suggest(name, names, "--"))
}

// spelledOut suggests for a flag of one letter those that begin with it, where they are few.
func spelledOut(cmd *cobra.Command, letter string) string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if strings.HasPrefix(f.Name, letter) {
			names = append(names, "--"+f.Name)
		}
	})
	if len(letter) != 1 || len(names) == 0 || len(names) > 3 {
		return ""
	}
	return " (did you mean " + strings.Join(names, ", or ") + "?)"
}
