package action

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/text"
)

// page is what help is written on.
type page struct {
	call    *call
	process *job.Process
}

// Bounds of a page's width in columns, and that of its first column.
const (
	leastWidth = 20
	mostWidth  = 80
	nameWidth  = 26
	// narrow: below it a name has its text under it.
	narrow = 60
)

const purpose = "haversack packs what an assistant needs to know about a repository, and about one change to it."

// exitCodes is a line for each exit code.
var exitCodes = [][2]string{
	{"0", "done"},
	{"1", "the run failed"},
	{"2", "bad input, or a bad file in the repository"},
	{"3", "a credential would have left"},
}

// width is how many columns lines may have.
func (p *page) width() int {
	if p.process.Width <= 0 {
		return mostWidth
	}
	return min(max(p.process.Width, leastWidth), mostWidth)
}

// verb is the help of a verb: usage, examples, its flags and the inputs that it reads.
func (p *page) verb(v *verb) string {
	var b strings.Builder
	about := v.help
	if v.name == "" {
		about = purpose
	}
	p.paragraph(&b, about)
	b.WriteString("\nUsage:\n")
	if v.name == "" {
		p.usage(&b, usage(v))
		p.usage(&b, "haversack VERB [arguments] [flags]")
		b.WriteString("\nVerbs:\n")
		for _, name := range verbNames() {
			p.entry(&b, name, verbNamed(name).help)
		}
	} else {
		p.usage(&b, usage(v))
	}
	b.WriteString("\nExamples:\n")
	for _, x := range v.examples {
		for _, l := range wrap(x.line, p.width()-2) {
			fmt.Fprintf(&b, "  %s\n", l)
		}
		for _, l := range wrap(x.help, p.width()-6) {
			fmt.Fprintf(&b, "      %s\n", l)
		}
	}
	b.WriteString("\nFlags:\n")
	for _, f := range ownFlags(v) {
		value, help := pflag.UnquoteUsage(f)
		p.entry(&b, strings.TrimSpace("--"+f.Name+" "+value), help)
	}
	p.entry(&b, "--help, -h", "print this")
	for _, g := range job.Groups {
		first := true
		for i := range job.InputTable {
			d := &job.InputTable[i]
			if d.Group != g || !v.shows(d) {
				continue
			}
			if first {
				fmt.Fprintf(&b, "\n%s:\n", g)
				first = false
			}
			p.entry(&b, flagOf(d), short(d)+defaultOf(d))
		}
	}
	if len(v.reads) > 0 {
		b.WriteString("\n")
		p.paragraph(&b, "Each input may stand in the environment, too, as INPUT_ and its name (INPUT_BASE). haversack help INPUT says all of what one does.")
	}
	b.WriteString("\nExit codes:\n")
	for _, c := range exitCodes {
		p.entry(&b, c[0], c[1])
	}
	return b.String()
}

// usage writes how something is called.
func (p *page) usage(b *strings.Builder, line string) {
	for _, l := range wrap(line, p.width()-2) {
		b.WriteString("  " + l + "\n")
	}
}

// usage is how a verb is called.
func usage(v *verb) string {
	words := []string{"haversack", v.name, v.args}
	if len(v.reads) > 0 {
		words = append(words, "[flags]")
	}
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}

// ownFlags are a verb's flags that are no inputs.
func ownFlags(v *verb) []*pflag.Flag {
	fs := pflag.NewFlagSet(v.name, pflag.ContinueOnError)
	fs.SortFlags = false
	if v.flags != nil {
		v.flags(fs, new(options))
	}
	commonFlags(fs, new(options))
	var list []*pflag.Flag
	fs.VisitAll(func(f *pflag.Flag) { list = append(list, f) })
	return list
}

// input is all that is known of an input.
func (p *page) input(d *job.Input) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", flagOf(d))
	p.paragraph(&b, d.Help)
	b.WriteString("\n")
	if def := defaultOf(d); def != "" {
		p.paragraph(&b, strings.ToUpper(def[2:3])+strings.TrimSuffix(def[3:], "]")+".")
	}
	if d.List {
		p.paragraph(&b, "The flag may stand several times.")
	}
	p.paragraph(&b, "In the environment: INPUT_"+strings.ToUpper(d.Name)+". In a workflow: "+d.Name+", below with.")
	var names []string
	for _, v := range verbs {
		if v.shows(d) {
			names = append(names, strings.TrimSpace("haversack "+v.name))
		}
	}
	p.paragraph(&b, "Read by "+strings.Join(names, ", ")+".")
	return b.String()
}

// flagOf is an input as a flag, with what stands for its value.
func flagOf(d *job.Input) string {
	value := d.Value
	if value == "" {
		value = strings.Join(d.Choices, "|")
	}
	return strings.TrimSpace("--" + d.Name + " " + value)
}

// short is the beginning of what an input's help says: the first sentence, and of choices,
// which the flag names, not what each means.
func short(d *job.Input) string {
	s, _, _ := strings.Cut(d.Help, ". ")
	s, _, _ = strings.Cut(s, "; ")
	if len(d.Choices) > 0 {
		if i := strings.Index(s, ": `"); i > 0 {
			s = s[:i]
		}
	}
	return strings.TrimSuffix(s, ".")
}

// defaultOf is an input's default as help has it; "" where there is none to tell.
func defaultOf(d *job.Input) string {
	switch {
	case d.Shown == "–", d.Shown == "" && (d.Default == "" || strings.HasPrefix(d.Default, "${{")):
		return ""
	case d.Shown != "":
		return " [default: " + d.Shown + "]"
	}
	return " [default: " + d.Default + "]"
}

// entry writes a name and what it is, in two columns where there is room for them.
func (p *page) entry(b *strings.Builder, name, help string) {
	indent := nameWidth
	if p.width() < narrow {
		indent = 6
	}
	lines := wrap(help, p.width()-indent)
	names := []string{name}
	if utf8.RuneCountInString(name) > p.width()-2 {
		names = strings.SplitAfter(name, "|") // choices, on a narrow terminal
	}
	for len(names) > 1 && len(names[0])+len(names[1]) <= p.width()-2 {
		names = append([]string{names[0] + names[1]}, names[2:]...)
	}
	for _, n := range names[:len(names)-1] {
		fmt.Fprintf(b, "  %s\n", n)
	}
	last := "  " + names[len(names)-1]
	if len(last)+2 > indent {
		b.WriteString(last + "\n")
		last = ""
	}
	for _, l := range lines {
		fmt.Fprintf(b, "%-*s%s\n", indent, last, l)
		last = ""
	}
}

// paragraph writes words over as many lines as they need.
func (p *page) paragraph(b *strings.Builder, words string) {
	for _, l := range wrap(words, p.width()) {
		b.WriteString(l + "\n")
	}
}

// wrap breaks help, whose code is between backquotes, into lines.
func wrap(s string, n int) []string { return text.Wrap(strings.ReplaceAll(s, "`", ""), n) }

// helpVerb explains the program, a verb or an input.
func helpVerb(p *page) (string, error) {
	args := p.call.options.args
	if len(args) == 0 && p.call.options.json {
		return helpJSON(&verbs[0], -1)
	}
	if len(args) == 0 {
		return p.verb(&verbs[0]), nil
	}
	name := strings.TrimPrefix(args[0], "--")
	inputs := make([]string, 0, len(job.InputTable))
	for i := range job.InputTable {
		inputs = append(inputs, job.InputTable[i].Name)
	}
	v, at := verbNamed(name), slices.Index(inputs, name)
	if p.call.options.json && (v != nil || at >= 0) {
		return helpJSON(v, at)
	}
	switch {
	case v != nil && at >= 0: // the verbs graph and pack are inputs, too
		return p.verb(v) + "\nThe input of that name:\n\n" + p.input(&job.InputTable[at]), nil
	case v != nil:
		return p.verb(v), nil
	case at >= 0:
		return p.input(&job.InputTable[at]), nil
	}
	return "", job.UsageError("no verb and no input is called %q%s", name, job.Suggest(name, slices.Concat(verbNames(), inputs), ""))
}

// helpJSON is a verb, and the input of the table at that place, for programs: nil and -1 for none.
func helpJSON(v *verb, at int) (string, error) {
	type toldInput struct {
		Name    string   `json:"name"`
		Group   string   `json:"group"`
		Default string   `json:"default"`
		Choices []string `json:"choices"`
		Help    string   `json:"help"`
	}
	type toldExample struct {
		Line string `json:"line"`
		Help string `json:"help"`
	}
	told := struct {
		Verb     string        `json:"verb,omitempty"`
		Usage    string        `json:"usage,omitempty"`
		Help     string        `json:"help,omitempty"`
		Examples []toldExample `json:"examples"`
		Inputs   []toldInput   `json:"inputs"`
	}{Examples: []toldExample{}, Inputs: []toldInput{}}
	if v != nil {
		told.Verb, told.Usage, told.Help = v.name, usage(v), v.help
		for _, x := range v.examples {
			told.Examples = append(told.Examples, toldExample{x.line, x.help})
		}
	}
	for i := range job.InputTable {
		if d := &job.InputTable[i]; i == at || v != nil && v.shows(d) {
			told.Inputs = append(told.Inputs, toldInput{d.Name, string(d.Group), d.Default, append([]string{}, d.Choices...), d.Help})
		}
	}
	b, err := record.Marshal(told, "  ")
	return string(b), err
}

// versionVerb says which program this is.
func versionVerb(p *page) (string, error) {
	build := p.process.Build
	build.Version = p.process.Version
	if p.call.options.json {
		b, err := record.Marshal(build, "  ")
		return string(b), err
	}
	words := "haversack " + build.Version + "\n"
	if build.Commit != "" {
		words += "commit " + build.Commit
		if build.Date != "" {
			words += " of " + build.Date
		}
		if build.Modified {
			words += ", with changes that are not committed"
		}
		words += "\n"
	}
	if build.Go != "" {
		words += strings.TrimSpace(build.Go+" "+build.Platform) + "\n"
	}
	return words, nil
}

// completionVerb prints a shell's completion, as the library writes it.
func completionVerb(p *page) (string, error) {
	var b bytes.Buffer
	root := (&call{inputs: map[string]string{}, options: &options{}}).command(&b)
	shells := map[string]func() error{
		"bash":       func() error { return root.GenBashCompletionV2(&b, true) },
		"zsh":        func() error { return root.GenZshCompletion(&b) },
		"fish":       func() error { return root.GenFishCompletion(&b, true) },
		"powershell": func() error { return root.GenPowerShellCompletionWithDesc(&b) },
	}
	known := verbNamed("completion").words
	args := p.call.options.args
	if len(args) != 1 {
		return "", job.UsageError("completion needs a shell: %s", strings.Join(known, ", "))
	}
	generate := shells[args[0]]
	if generate == nil {
		return "", job.UsageError("no shell %q%s: %s", args[0], job.Suggest(args[0], known, ""), strings.Join(known, ", "))
	}
	err := generate()
	return b.String(), err
}

// manVerb prints the manual page, of all verbs and inputs.
func manVerb(p *page) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH HAVERSACK 1 \"\" \"haversack %s\" \"User Commands\"\n", roff(p.process.Version))
	fmt.Fprintf(&b, ".SH NAME\nhaversack \\- pack what an assistant needs to know about a repository\n.SH SYNOPSIS\n")
	for i := range verbs {
		if v := &verbs[i]; !v.hidden {
			fmt.Fprintf(&b, ".B %s\n.br\n", roff(usage(v)))
		}
	}
	fmt.Fprintf(&b, ".SH DESCRIPTION\n%s\n.SH VERBS\n", roff(purpose))
	for i := range verbs {
		v := &verbs[i]
		if v.hidden {
			continue
		}
		fmt.Fprintf(&b, ".SS %s\n%s\n", roff(usage(v)), roff(v.help))
		for _, f := range ownFlags(v) {
			value, help := pflag.UnquoteUsage(f)
			fmt.Fprintf(&b, ".TP\n.B \\-\\-%s %s\n%s\n", roff(f.Name), roff(value), roff(help))
		}
		for _, x := range v.examples {
			fmt.Fprintf(&b, ".PP\n.nf\n  %s\n.fi\n.RS\n%s\n.RE\n", roff(x.line), roff(x.help))
		}
	}
	b.WriteString(".SH INPUTS\nEach may stand as a flag, in the environment as INPUT_NAME, or in a workflow below with.\n")
	for _, g := range job.Groups {
		fmt.Fprintf(&b, ".SS %s\n", roff(string(g)))
		for i := range job.InputTable {
			if d := &job.InputTable[i]; d.Group == g {
				fmt.Fprintf(&b, ".TP\n.B %s\n%s%s\n", roff(flagOf(d)), roff(d.Help), roff(defaultOf(d)))
			}
		}
	}
	b.WriteString(".SH EXIT STATUS\n")
	for _, c := range exitCodes {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", c[0], roff(c[1]))
	}
	return b.String(), nil
}

// roff quotes text for a manual page.
func roff(s string) string {
	s = strings.NewReplacer("\\", "\\e", "-", "\\-", "`", "", "–", "\\(en").Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = "\\&" + s
	}
	return s
}
