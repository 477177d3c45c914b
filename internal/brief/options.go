package brief

import (
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// option is an argument or a setting of a program, as a call, a literal or an annotation declares it: its name, and its default.
type option struct {
	line int // of the name, from 1
	// text is the line of the name, with that of the value behind it where that is another one.
	text, name, value string
}

// optionForm is how a library declares an option. opens matches the line that the declaration begins with; name and value match there or
// below, up to the bracket that closes it, each with what it finds as its first group.
type optionForm struct {
	hint               string   // in a text without it there is none
	marks              []string // a line that opens matches has one of them
	opens, name, value *lazyregexp.Regexp
}

// plain is a value that is a number, a text, a word for yes or no, or made of a number.
const plain = `(-?\d[\w.]*(?: *\* *[\w.]+)*|"[^"]{0,60}"|'[^']{0,60}'|[Tt]rue|[Ff]alse|[A-Za-z_][\w.:]*\(\d+\)|(?:\d+ *\* *)?time\.[A-Z]\w+)`

// optionForms by language: urfave/cli; flag, pflag, cobra and viper; click, argparse and typer; commander and yargs; Spring and picocli; clap.
var optionForms = map[string][]optionForm{
	"Go": {
		form(`Flag{`, `Flag{`, `\bcli\.\w+Flag\{`, `\bName: *"([\w.-]+)"`, `\bValue: *`+plain),
		form(`Default(`, `Default(`, `\bSetDefault\(`, `SetDefault\("([\w.-]+)"`, `SetDefault\("[\w.-]+", *`+plain),
		form(`"`, `lags(). flag. flags. fs.`, `\b(?:[fF]lags\(\)|PersistentFlags\(\)|flag|flags|pflag|fs)\.(?:String|Int|Int64|Uint|Bool|Duration|Float64)(?:Slice)?(?:Var)?P?\(`, `[(,] *"([\w.-]{2,})", *(?:"\w?", *)?(?:-?\d|"|true|false|time)`, `[(,] *"[\w.-]{2,}", *(?:"\w?", *)?`+plain+`, *"`),
	},
	"Python": {
		form(`option(`, `option(`, `@\w+\.option\(`, `["']--([\w-]+)["'/]`, `\bdefault *= *`+plain),
		form(`add_argument(`, `add_argument(`, `\.add_argument\(`, `["']--([\w-]+)["']`, `\bdefault *= *`+plain),
	},
	"JavaScript": scriptOptions, "TypeScript": scriptOptions,
	"Java":   javaOptions,
	"Kotlin": javaOptions,
	"Rust":   {form(`default_value`, `#[`, `#\[(?:arg|clap|structopt)\(`, `^ *(?:pub(?:\(\w+\))? +)?([a-z_]\w*): `, `\bdefault_value(?:_t)? *= *`+plain)},
}

var (
	scriptOptions = []optionForm{
		form(`ption(`, `ption(`, `\.(?:option|requiredOption)\( *$|\.(?:option|requiredOption)\(["'\x60]`, `["'\x60](?:-\w, *)?-{0,2}([a-zA-Z][\w-]+)(?: [<\[][\w.-]+[>\]])?["'\x60],`, `(?:\bdefault: *|["'\x60], *)`+plain+`(?:,? *\}| *\)| *,? *$)`),
	}
	javaOptions = []optionForm{
		form(`@Value(`, `@Value(`, `@Value\("[$]\{`, `\$\{([\w.-]+):`, `\$\{[\w.-]+:([^}"]+)\}`),
		form(`defaultValue`, `Option(`, `@(?:CommandLine\.)?Option\(`, `"--([\w-]+)"`, `\bdefaultValue *= *`+plain),
	}
)

// form returns a form; marks are parted by blanks.
func form(hint, marks, opens, name, value string) optionForm {
	return optionForm{hint, strings.Fields(marks), lazyregexp.New(opens), lazyregexp.New(name), lazyregexp.New(value)}
}

// maxOption bounds the lines of what declares one option, maxOptions the options of a file.
const (
	maxOption  = 16
	maxOptions = 400
)

// optionsOf returns the options that a text declares with a value, as they stand there.
func optionsOf(name, text string) (list []option) {
	l := language.Of(name)
	if l == nil {
		return nil
	}
	var lines []string
	for _, f := range optionForms[l.Name] {
		if !strings.Contains(text, f.hint) || !f.marked(text) {
			continue
		}
		if lines == nil {
			lines = strings.Split(text, "\n")
		}
		for n := 0; n < len(lines) && len(list) < maxOptions; n++ {
			if !f.begins(lines[n]) {
				continue
			}
			if bare := strings.TrimSpace(lines[n]); strings.HasPrefix(bare, "//") || l.Name == "Python" && bare[0] == '#' {
				continue
			}
			if one := f.read(lines, n); one.name != "" && one.value != "" {
				list = append(list, one)
			}
		}
	}
	return list
}

// marked reports whether a text has one of a form's marks. Most texts, and most lines of others, have none, and no expression is asked of them.
func (f *optionForm) marked(text string) bool {
	return slices.ContainsFunc(f.marks, func(mark string) bool { return strings.Contains(text, mark) })
}

// begins reports whether a declaration begins with a line.
func (f *optionForm) begins(line string) bool {
	return len(line) <= maxSettingLine && f.marked(line) && f.opens.MatchString(line)
}

// read reads what begins on the line at an index.
func (f *optionForm) read(lines []string, at int) (one option) {
	deep, nameAt, valueAt := 0, 0, 0
	for n := at; n < min(at+maxOption, len(lines)); n++ {
		line := lines[n]
		if len(line) > maxSettingLine {
			break
		}
		if m := f.name.FindStringSubmatch(line); m != nil && one.name == "" {
			one.name, nameAt = m[1], n
		}
		if m := f.value.FindStringSubmatch(line); m != nil && one.value == "" {
			one.value, valueAt = m[1], n
		}
		if one.name != "" && one.value != "" {
			break
		}
		if deep += opened([]byte(line)); deep <= 0 && !strings.HasSuffix(strings.TrimSpace(line), "]") { // an annotation stands above what it annotates
			break
		}
	}
	if one.name == "" || one.value == "" {
		return option{}
	}
	one.line, one.text = nameAt+1, strings.TrimSuffix(strings.TrimSpace(lines[nameAt]), ",")
	if valueAt != nameAt {
		if !strings.HasSuffix(one.text, "{") && !strings.HasSuffix(one.text, "(") {
			one.text += ","
		}
		one.text += " " + strings.TrimSuffix(strings.TrimSpace(lines[valueAt]), ",")
	}
	return one
}

// asks is how many words of an option's name say that its value is asked for.
func (o option) asks() (words int) {
	if !plainValue(o.value) {
		return 0
	}
	for _, word := range language.Words(o.name) {
		if askedKeys[word] {
			words++
		}
	}
	return words
}

// number reports whether an option's value is one.
func (o option) number() bool { return o.value != "" && givesNumber.MatchString("="+o.value) }
