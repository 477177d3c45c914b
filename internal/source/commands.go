package source

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// commandForm is how a library of a language is told a command by its name.
type commandForm struct {
	// needs are signs of the library: a text without any says nothing by this form.
	needs [][]byte
	// never are signs that what looks like the form is something else.
	never [][]byte
	// hints are what every place of the form holds.
	hints [][]byte
	// says finds the name, by its first group that matched.
	says *lazyregexp.Regexp
	// named turns what was found into the name as it is typed; nil leaves it.
	named func(string) string
}

// maxCommandName bounds a command's name with the arguments that stand beside it, in runes.
const maxCommandName = 100

// form makes one; signs are parted by spaces, and "+" in one stands for a space.
func form(needs, says string, named func(string) string, hints ...string) commandForm {
	f := commandForm{says: lazyregexp.New(says), named: named}
	for sign := range strings.FieldsSeq(needs) {
		f.needs = append(f.needs, []byte(strings.ReplaceAll(sign, "+", " ")))
	}
	for _, h := range hints {
		f.hints = append(f.hints, []byte(h))
	}
	return f
}

// unless returns a form that texts with any of these signs do not have.
func unless(f commandForm, signs ...string) commandForm {
	for _, s := range signs {
		f.never = append(f.never, []byte(s))
	}
	return f
}

// commandForms are the forms of a language: of cobra, urfave/cli and kong; argparse; commander, yargs, cac and citty; picocli, JCommander,
// argparse4j, Spring Shell and clikt; Symfony's console and Laravel's; System.CommandLine, CommandLineParser and Spectre; thor, GLI, mercenary and dry-cli; clap;
// and of what else declares commands by name.
var commandForms = func() map[string][]commandForm {
	quoted := "\\s*[\"'`]([^\"'`\\n]+)[\"'`]"
	scripts := []commandForm{
		form("commander yargs cac sade caporal cliffy program.command( cli.command(", `\.command\(\s*\[?`+quoted, nil, ".command("),
		form("commander", `\bnew\s+Command\(`+quoted, nil, "Command("),
		form("handler", `\bexports\.command\s*=`+quoted+`|\bexport\s+const\s+command\s*=`+quoted+`|\bcommand:`+quoted+`,\s*(?:aliases|describe|desc|builder)\b`, nil, "command"),
		form("citty", `\bmeta:\s*\{\s*name:`+quoted, nil, "meta:"),
	}
	jvm := []commandForm{
		form("picocli airline", `@(?:\w+\.)*Command\(\s*(?:[\w.]+\s*=\s*[\w.]+,\s*)*name\s*=\s*"([^"\n]+)"`, nil, "Command("),
		form("beust", `@Parameters\([^")]*\bcommandNames\s*=\s*\{?\s*"([^"\n]+)"`, nil, "commandNames"),
		form("argparse4j", `\.addParser\(\s*"([^"\n]+)"|\bsuper\(\s*(?:[\w.]+,\s*)?"([a-z][\w-]*)",`, nil, "addParser(", "super("),
		form("ShellMethod", `@ShellMethod\([^)]*\bkey\s*=\s*\{?\s*"([^"\n]+)"`, nil, "@ShellMethod"),
		form("clikt", `\bCliktCommand\([^")]*\bname\s*=\s*"([^"\n]+)"`, nil, "CliktCommand("),
		form("clikt", `\bclass\s+(\w+)\s*(?:\([^()]*\))?\s*:\s*CliktCommand\(\s*\)`, func(s string) string { return strings.TrimSuffix(kebab(s), "-command") }, "CliktCommand()"),
	}
	return map[string][]commandForm{
		"Go": {
			form("cobra.Command{", "(?m)^\\s*Use:\\s*[\"`]([^\"`\\n]+)[\"`]", nil, "Use:"),
			form("cli.Command{", `(?m)(?:\bcli\.Command\{|^\s*\{)\s*Name:\s*"([^"\n]+)"`, nil, "Name:"),
			form("ffcli.Command{", `\bffcli\.Command\{\s*Name:\s*"([^"\n]+)"`, nil, "Name:"),
			form("kong", "(?m)^\\s*[A-Z]\\w*\\s+[*\\w.]+\\s+`[^`\\n]*\\bname:\"([^\"`]+)\"[^`\\n]*\\bcmd:\"|^\\s*([A-Z]\\w*)\\s+[*\\w.]+\\s+`(?:[^`\\n]* )?cmd:\"", kebab, `cmd:"`),
		},
		"Python":     {form(".add_parser(", `\.add_parser\(\s*(?:name\s*=\s*)?["']([^"'\n]+)["']`, nil, ".add_parser(")},
		"TypeScript": scripts, "JavaScript": scripts,
		"Java": jvm, "Kotlin": jvm, "Groovy": jvm,
		"PHP": {
			form("AsCommand", `#\[(?:\w+,\s*)?AsCommand\(\s*(?:name:\s*)?["']([^"'\n]+)["']`, nil, "AsCommand("),
			form("extends", `\bstatic\s+(?:\??string\s+)?\$defaultName\s*=\s*["']([^"'\n]+)["']`, nil, "$defaultName"),
			form(`Console\Command extends+Command`, `->setName\(\s*["']([\w:.-]+)["']\s*\)`, nil, "->setName("),
			form(`Console\Command`, `\$signature\s*=\s*["']\s*([\w:.-]+)`, nil, "$signature"),
			form("Artisan", `\bArtisan::command\(\s*["']([^"'\n]+)["']`, nil, "Artisan::command("),
		},
		"C#": {
			form("System.CommandLine SetHandler( SetAction( AddCommand( Subcommands", `\bnew\s+(?:System\.CommandLine\.)?Command\(\s*(?:name:\s*)?"([^"\n]+)"|\bCommand\s+\w+\s*=\s*new\(\s*(?:name:\s*)?"([^"\n]+)"`, nil, "Command"),
			form("System.CommandLine", `:\s*base\(\s*(?:name:\s*)?"([a-z][\w-]*)",`, nil, "base("),
			form("CommandLine", `\[Verb\(\s*(?:name:\s*)?"([^"\n]+)"`, nil, "Verb("),
			form("McMaster Cocona CliFx Spectre.Console", `\[Command\(\s*(?:Name\s*=\s*)?"([^"\n]+)"|\.AddCommand<[\w.]+>\(\s*"([^"\n]+)"`, nil, "Command"),
		},
		"Ruby": {
			form("Thor", `(?m)^\s*desc[ (]\s*["']([^"'\n]+)["']\s*,`, nil, "desc"),
			form("ercenary prog.command", `\.command[( ]\s*:(\w+)`, nil, ".command"),
			form("GLI commander/import", `(?m)^\s*command[( ]\s*\[?\s*:(\w+)`, nil, "command"),
			form("CLI::Registry", `(?m)^\s*register[( ]\s*["']([^"'\n]+)["']`, nil, "register"),
		},
		"Rust": {
			form("clap", `\b(?:SubCommand::with_name|App::new|clap::Command::new)\(\s*"([^"\n]+)"`, nil, "with_name(", "App::new(", "clap::Command::new("),
			unless(form("clap", `(?:^|[^:\w])Command::new\(\s*"([^"\n]+)"`, nil, "Command::new("), "process::Command", "process::{", "process::*"),
			form("argh", `#\[argh\([^\]"]*\bsubcommand\b[^\]"]*\bname\s*=\s*"([^"\n]+)"`, nil, "subcommand"),
		},
		"Swift":  {form("CommandConfiguration", `\bcommandName:\s*"([^"\n]+)"`, nil, "commandName:")},
		"Elixir": {form("use+Mix.Task", `(?m)^\s*defmodule\s+Mix\.Tasks\.([A-Z][\w.]*)\s+do\b`, mixTask, "Mix.Tasks.")},
		"C":      {form("cmd_", `\{\s*"([a-z][a-z0-9-]*)"\s*,\s*&?cmd_\w+`, nil, "cmd_")},
		"C++":    {form("add_subcommand", `[.>]add_subcommand\(\s*"([^"\n]+)"`, nil, "add_subcommand(")},
		"Scala": {
			form("decline", `\bOpts\.subcommands?\(\s*(?:name\s*=\s*)?"([^"\n]+)"|\bCommand\(\s*(?:name\s*=\s*)?"([^"\n]+)"`, nil, "subcommand", "Command("),
			form("scopt", `\bcmd\(\s*"([^"\n]+)"\s*\)`, nil, "cmd("),
		},
		"Dart":    {form("package:args/command_runner", `\bString\s+get\s+name\s*=>\s*["']([^"'\n]+)["']|\bfinal\s+(?:String\s+)?name\s*=\s*["']([^"'\n]+)["']`, nil, "name")},
		"Haskell": {form("Options.Applicative", `\bcommand\s+"([^"\n]+)"`, nil, "command")},
		"OCaml":   {form("Cmdliner", `\b(?:Cmd|Term)\.info\s+(?:~\w+(?::\w+)?\s+)*"([^"\n]+)"`, nil, ".info")},
		"Lua":     {form("argparse", `:command\s*\(?\s*["']([\w-]+)`, nil, ":command")},
	}
}()

// decorates is a function of Python that click, typer and their kin make a command, with what makes it and its name where that is said.
var (
	decorates    = lazyregexp.New(`@([\w.]+)\.(command|group)\b(?:\(\s*(?:name\s*=\s*)?(?:["']([\w:.-]+)["'])?)?`)
	decorated    = lazyregexp.New(`(?m)^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)`)
	saysName     = lazyregexp.New(`\bname\s*=\s*["']([\w:.-]+)["']`)
	decorators   = [][]byte{[]byte(".command"), []byte(".group")}
	makeCommands = [][]byte{[]byte("click"), []byte("typer"), []byte("cloup"), []byte("Typer"), []byte(".cli.command")}
)

// beforeFunction bounds what stands between a decorator and its function, in bytes.
const beforeFunction = 4000

// commandsOf returns the commands that a program's text declares, with the arguments that stand beside their names, in the order of their places;
// held are the pairs of the text; parts tells code from strings and comments.
func (l *Language) commandsOf(b []byte, held *pairs, parts func() []byte) []CommandLine {
	type found struct {
		at          int
		name, above string
	}
	var all []found
	add := func(at int, name string) {
		name = strings.TrimRight(claim.OneLine(name, maxCommandName), "[(|<{ ") // what goes on in another text
		if name != "" && len(all) < maxNamed {
			all = append(all, found{at: at, name: name})
		}
	}
	for _, f := range commandForms[l.Name] {
		if !held.anyOf(b, f.needs) || held.anyOf(b, f.never) {
			continue
		}
		for _, m := range near(f.says, b, f.hints) {
			// An attribute of PHP begins like a comment.
			if parts()[m[0]] == inComment && b[m[0]] != '#' || parts()[m[0]] == inString {
				continue
			}
			at := m[0]
			for i := 2; i < len(m); i += 2 {
				at = max(at, m[i])
			}
			name := submatch(b, m)
			if f.named != nil {
				name = f.named(name)
			}
			n := len(all)
			if add(at, name); l.Name == "Go" && len(all) > n {
				all[n].above = above(holderOf(b, m[0]), name)
			}
		}
	}
	switch {
	case l.Name == "Python" && holdsAny(b, makeCommands):
		for _, m := range near(decorates, b, decorators) {
			if parts()[m[0]] != inCode {
				continue
			}
			n := len(all)
			if add(m[0], decoratedName(b, m)); len(all) > n {
				all[n].above = strings.Join(language.Words(string(b[m[2]:m[3]])), " ")
			}
		}
	case l.Name == "Rust" && bytes.Contains(b, []byte("Subcommand")):
		for _, m := range derives.FindAllSubmatchIndex(b, maxNamed) {
			if parts()[m[0]] == inCode {
				variants(b, parts(), m[1], add)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return a.at - b.at })
	lines := &lineCounter{text: b}
	var list []CommandLine
	for _, c := range all {
		list = append(list, CommandLine{NameLine{c.name, lines.at(c.at)}, c.above})
	}
	return list
}

// holds is what a command of Go stands in: the variable that it is, or the function that makes it.
var holds = lazyregexp.New(`(?m)^(?:var )?\s*(\w+)\s*:?=\s*&?(?:\w+\.)?Command\{|^func (?:\([^)\n]*\) )?(\w+)\(`)

// beforeCommand bounds what stands between the beginning of what holds a command and its name, in bytes.
const beforeCommand = 8000

// holderOf is the name of what holds the command whose name stands at a place: the last function before it, or the last variable that is
// a command, unless that is called as all are.
func holderOf(b []byte, at int) string {
	all := holds.FindAllSubmatch(b[max(at-beforeCommand, 0):at], -1)
	for i := len(all) - 1; i >= 0; i-- {
		name := string(all[i][1]) + string(all[i][2])
		if len(all[i][2]) > 0 || strings.Join(named(name), "") != "" && len(name) > 1 {
			return name
		}
	}
	return ""
}

// aboutCommands are words of what holds a command that do not name it.
var aboutCommands = language.WordSet("new make get create build init cmd cmds command commands c sub subcommand")

// named are the words of the name of what holds a command that name it.
func named(holder string) []string {
	words := language.Words(holder)
	for len(words) > 0 && aboutCommands[words[0]] {
		words = words[1:]
	}
	for len(words) > 0 && aboutCommands[words[len(words)-1]] {
		words = words[:len(words)-1]
	}
	return words
}

// above are the words by which the name of what holds a command names the one that it is one of, "" where it does not.
func above(holder, command string) string {
	first, _, _ := strings.Cut(command, " ")
	all := named(holder)
	own := language.Words(first)
	if n := len(all) - len(own); n > 0 && len(own) > 0 && slices.Equal(all[n:], own) {
		return strings.Join(all[:n], " ")
	}
	return ""
}

// decoratedName is the command that a decorator of Python makes: what it says, or the name of its function. The group that holds all is the program.
func decoratedName(b []byte, m []int) string {
	if m[6] >= 0 {
		return string(b[m[6]:m[7]])
	}
	rest := b[m[1]:min(len(b), m[1]+beforeFunction)]
	def := decorated.FindSubmatch(rest)
	by := string(b[m[2]:m[3]])
	if def == nil || !strings.Contains(by, ".") && string(b[m[4]:m[5]]) == "group" && (by == "click" || by == "cloup") {
		return ""
	}
	if end := bytes.Index(rest, []byte("\n@")); end >= 0 {
		rest = rest[:end]
	}
	rest, _, _ = bytes.Cut(rest, def[0])
	if said := saysName.FindSubmatch(rest); said != nil {
		return string(said[1])
	}
	return strings.ReplaceAll(string(def[1]), "_", "-")
}

// derives is an enumeration of Rust whose variants are commands of clap.
var (
	derives  = lazyregexp.New(`#\[derive\([^)]*\bSubcommand\b[^)]*\)\](?:\s*#\[[^\]]*\]|\s*//[^\n]*)*\s*(?:pub(?:\([^)]*\))?\s+)?enum\s+\w+[^{;]*\{`)
	saysSo   = lazyregexp.New(`^#\[(?:command|clap)\([^\]"]*\bname\s*=\s*"([^"\n]+)"`)
	isWord   = regexp.MustCompile(`^[A-Z]\w*`)
	flattens = lazyregexp.New(`^#\[(?:command|clap)\(\s*(?:flatten|external_subcommand|skip)`)
)

// variants adds the variants of the enumeration whose body begins at from: by their own names as they are typed, or by what their attribute says.
func variants(b, parts []byte, from int, add func(at int, name string)) {
	depth, said, left, expected := 0, "", false, true
	for i := from; i < len(b); i++ {
		if parts[i] != inCode {
			continue
		}
		switch c := b[i]; {
		case c == '}' && depth == 0:
			return
		case depth == 0 && c == '#':
			if m := saysSo.FindSubmatch(b[i:min(len(b), i+behindHint)]); m != nil {
				said = string(m[1])
			}
			left = left || flattens.Match(b[i:min(len(b), i+behindHint)])
		case c == '{' || c == '(' || c == '[':
			depth++
		case c == '}' || c == ')' || c == ']':
			depth--
		case depth == 0 && c == ',':
			said, left, expected = "", false, true
		case depth == 0 && expected && c >= 'A' && c <= 'Z':
			word := string(isWord.Find(b[i:min(len(b), i+maxCommandName)]))
			if said == "" {
				said = kebab(word)
			}
			if !left {
				add(i, said)
			}
			expected = false
			i += len(word) - 1
		}
	}
}

// kebab writes a name in words of lower case with hyphens between: `AddUser` as add-user.
func kebab(s string) string { return spelled(s, '-') }

// mixTask is a task of Mix as it is typed, by the name of its module behind Mix.Tasks.
func mixTask(s string) string { return "mix " + spelled(s, '_') }

func spelled(s string, between rune) string {
	var out strings.Builder
	before := rune('.')
	for i, r := range s {
		if unicode.IsUpper(r) && before != '.' && before != between && before != '_' {
			next, _ := nextRune(s[i:])
			if !unicode.IsUpper(before) || unicode.IsLower(next) {
				out.WriteRune(between)
			}
		}
		before = r
		if r == '_' {
			r = between
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

// nextRune is the second character of a text.
func nextRune(s string) (rune, bool) {
	for i, r := range s {
		if i > 0 {
			return r, true
		}
	}
	return 0, false
}
