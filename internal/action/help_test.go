package action

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/haversack-dev/haversack/internal/job"
)

// printed is what a command line prints that needs no repository.
func printed(t *testing.T, width int, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	cmd := Command{Process: job.Process{Args: args, Getenv: func(string) string { return "" }, Stdout: &out, Stderr: &out, Width: width, Version: "v0.0.0"}}
	if err := cmd.Run(t.Context()); err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	return out.String()
}

// TestHelpOfVerbs holds each verb's help: it tells of its flags and of the inputs that it
// reads, and of no other; it has two examples, the exit codes, and no line wider than the
// terminal.
func TestHelpOfVerbs(t *testing.T) {
	for i := range verbs {
		v := &verbs[i]
		for _, r := range v.reads {
			known := slices.Contains(job.Groups, job.Group(r)) || slices.ContainsFunc(job.InputTable, func(d job.Input) bool { return d.Name == r })
			if !known {
				t.Errorf("%s reads %q, which is no input and no group", v.name, r)
			}
		}
		if v.hidden {
			continue
		}
		if len(v.examples) != 2 {
			t.Errorf("%s has %d examples, not 2", v.name, len(v.examples))
		}
		for _, x := range v.examples {
			if words := strings.Fields(x.line); v.name != "" && !slices.Contains(words, v.name) {
				t.Errorf("the example %q does not show %s", x.line, v.name)
			}
		}
		asked := strings.Fields(v.name + " --help")
		text := printed(t, 0, asked...)
		if by := printed(t, 0, strings.Fields("help "+v.name)...); !strings.HasPrefix(by, text) {
			t.Errorf("help %s is not %s --help", v.name, v.name)
		}
		for _, c := range exitCodes {
			if !strings.Contains(text, c[1]) {
				t.Errorf("help of %q lacks the exit code %q", v.name, c)
			}
		}
		for j := range job.InputTable {
			d := &job.InputTable[j]
			told := strings.Contains(text, "\n  "+strings.Fields(flagOf(d))[0]+" ") || strings.Contains(text, "\n  "+flagOf(d)+"\n")
			if told != v.shows(d) {
				t.Errorf("help of %q tells of %s: %v", v.name, d.Name, told)
			}
		}
		for _, f := range ownFlags(v) {
			if !strings.Contains(text, "\n  --"+f.Name) {
				t.Errorf("help of %q lacks --%s", v.name, f.Name)
			}
		}
		for _, width := range []int{0, 60, 80, 120} {
			most := min(width, mostWidth)
			if width == 0 {
				most = mostWidth
			}
			for l := range strings.Lines(printed(t, width, asked...)) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(l, "\n")); n > most {
					t.Errorf("help of %q on %d columns has a line of %d: %s", v.name, width, n, l)
				}
			}
		}
	}
	// Where no word fits, a line is as long as a word.
	if text := printed(t, 1, "--help"); !strings.Contains(text, "Exit codes") {
		t.Error("no help on one column")
	}
}

// TestInputsAreGrouped: each input lies in a group that help prints, and says what its
// value is.
func TestInputsAreGrouped(t *testing.T) {
	for i := range job.InputTable {
		d := &job.InputTable[i]
		if !slices.Contains(job.Groups, d.Group) {
			t.Errorf("%s: the group %q is not printed", d.Name, d.Group)
		}
		if (d.Value == "") != (d.Toggle || len(d.Choices) > 0 && !d.Open) {
			t.Errorf("%s: its value is called %q", d.Name, d.Value)
		}
		if d.Default != "" && len(d.Choices) > 0 && !slices.Contains(d.Choices, d.Default) {
			t.Errorf("%s: the default %q is none of %q", d.Name, d.Default, d.Choices)
		}
		if text := printed(t, 0, "help", d.Name); !strings.Contains(text, "INPUT_"+strings.ToUpper(d.Name)) {
			t.Errorf("help %s does not tell of the environment", d.Name)
		}
		for _, c := range d.Choices {
			if _, err := job.ParseInputs(map[string]string{d.Name: c}, func(string) string { return "" }); err != nil {
				t.Errorf("%s does not take its choice %s: %v", d.Name, c, err)
			}
		}
	}
}

// TestParseArgs reads command lines.
func TestParseArgs(t *testing.T) {
	for _, c := range []struct {
		args string
		verb string
		want string // inputs, as name=value; then the arguments; or the error
	}{
		{"", "", ""},
		{"--untracked true --overwrite", "", "untracked=true overwrite=true"},
		{"--untracked false", "", "untracked=false"},
		{"--untracked=false", "", "untracked=false"},
		{"--untracked", "", "untracked=true"},
		{"select --untracked src", "select", "untracked=true | src"},
		{"--exclude a --exclude=b", "", "exclude=a\nb"},
		{"--retention-days -1", "", "retention-days=-1"},
		{"--base main --base other", "", "--base stands twice; see haversack --help"},
		{"--base", "", "--base needs a value; see haversack --help"},
		{"select --exclude src/*.ts --exclude src/a.ts", "select", "exclude=src/*.ts"},
		{"why --json a", "why", " | a"},
		{"--json why a", "why", " | a"},
		{"select -- --odd true", "select", " | --odd true"},
		{"--modes full", "", "unknown flag --modes (did you mean --mode?); see haversack --help"},
		{"-x", "", "unknown flag -x; see haversack --help"},
		{"why --add x", "", "--add goes with select; see haversack --help"},
		{"contxt", "", " | contxt"},
	} {
		got, err := parseArgs(strings.Fields(c.args))
		if err != nil {
			if err.Error() != c.want {
				t.Errorf("%s: %v, want %s", c.args, err, c.want)
			}
			if job.ExitCode(err) != job.ExitInput {
				t.Errorf("%s: exit code %d", c.args, job.ExitCode(err))
			}
			continue
		}
		var words []string
		for _, d := range job.InputTable {
			if v, ok := got.inputs[d.Name]; ok {
				words = append(words, d.Name+"="+v)
			}
		}
		said := strings.Join(words, " ")
		if len(got.options.args) > 0 {
			said += " | " + strings.Join(got.options.args, " ")
		}
		if got.verb.name != c.verb || said != c.want {
			t.Errorf("%s: %q %q, want %q %q", c.args, got.verb.name, said, c.verb, c.want)
		}
	}
}

// TestSuggestions: a value that is nearly one of an input's choices is told which.
func TestSuggestions(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"mode", "contxt", "(did you mean context?)"},
		{"map", "neighbors", "(did you mean neighbours?)"},
		{"secrets", "Redact", "(did you mean redact?)"},
		{"compress", "gzip", "is not allowed: none, zstd"},
		{"rules", strings.Repeat("x", 1<<20), "smart, literal"},
	} {
		_, err := job.ParseInputs(map[string]string{c.name: c.value}, func(string) string { return "" })
		if err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%s %.20s: %v, want …%s", c.name, c.value, err, c.want)
		}
	}
}

// TestCompletions: each shell gets one that names the program, and what the shell asks the
// program for is answered.
func TestCompletions(t *testing.T) {
	for _, shell := range verbNamed("completion").words {
		if text := printed(t, 0, "completion", shell); !strings.Contains(text, "__complete") || !strings.Contains(text, "haversack") {
			t.Errorf("completion %s: %.200q", shell, text)
		}
	}
	for _, c := range []struct{ line, want string }{
		{"__complete con", "context\t"},
		{"__complete session ", "history\n"},
		{"__complete --mode ", "meta\n"},
		{"__complete select --def", "--default-uses\t"},
	} {
		if text := printed(t, 0, strings.Split(c.line, " ")...); !strings.Contains(text, c.want) {
			t.Errorf("%s: %q lacks %q", c.line, text, c.want)
		}
	}
}

// TestManualPage names all verbs and inputs.
func TestManualPage(t *testing.T) {
	text := printed(t, 0, "man")
	for _, name := range verbNames() {
		if !strings.Contains(text, "\n.SS haversack "+name) {
			t.Errorf("the manual page lacks %s", name)
		}
	}
	for i := range job.InputTable {
		if want := "\n.B " + roff(flagOf(&job.InputTable[i])) + "\n"; !strings.Contains(text, want) {
			t.Errorf("the manual page lacks %q", want)
		}
	}
}
