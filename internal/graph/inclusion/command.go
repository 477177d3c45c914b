package inclusion

import (
	"bytes"
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/text"
)

// ownPlace says that a shell's value is where the script is.
var ownPlace = lazyregexp.New(`dirname|BASH_SOURCE|%/\*|\$\{0:h\}|\$\{0:A:h\}|:h\}`)

// assigned is a variable that gets a value at the beginning of a line.
var assigned = lazyregexp.New(`^\s*(?:export\s+|readonly\s+|local\s+|declare\s+(?:-\w+\s+)*)*([A-Za-z_]\w*)=(.*)$`)

// upwards are the steps up in a value.
var upwards = lazyregexp.New(`((?:/\.\.)+)`)

// steps are the first of them.
func steps(value string) string {
	if m := upwards.FindStringSubmatch(value); m != nil {
		return m[1]
	}
	return ""
}

// readShell finds what source and . load.
func readShell(f *file, src []byte) {
	f.places = map[string]string{}
	shut, told, number, inside := "", "", int32(0), linesInStrings(f.as, src)
	for line := range bytes.Lines(src) {
		if number++; len(line) > 4*maxName || inside[number] {
			continue
		}
		text := strings.TrimRight(string(line), "\r\n")
		if shut != "" {
			if strings.TrimLeft(text, "\t ") == shut {
				shut = ""
			}
			continue
		}
		text = strings.TrimLeft(text, " \t")
		if strings.HasPrefix(text, "#") {
			if m := toldSource.FindStringSubmatch(text); m != nil {
				told = m[1]
			}
			continue
		}
		shut = heredoc(text)
		if strings.Contains(text, "=") {
			if m := assigned.FindStringSubmatch(text); m != nil && len(f.places) < 1000 {
				f.assign(m[1], m[2])
			}
		}
		f.sources(text, told)
		told = ""
	}
}

// linesInStrings are the lines of a text, from 1, that begin within a string which is closed: what stands there is no command.
func linesInStrings(name string, src []byte) map[int32]bool {
	inside := map[int32]bool{}
	for _, t := range declaration.Tokens(nil, name, src) {
		if t.Kind != declaration.Quoted || int(t.End) == len(src) {
			continue
		}
		for n := int32(bytes.Count(src[t.Start:t.End], []byte{'\n'})); n > 0; n-- {
			inside[t.Line+n] = true
		}
	}
	return inside
}

// toldSource is a comment that says which file the next command loads.
var toldSource = lazyregexp.New(`^#[ \t]*shellcheck\b.*?[ \t]source=([^\s]+)`)

// heredoc is the word that ends the document which begins in a line, or "".
func heredoc(line string) string {
	_, rest, ok := strings.Cut(line, "<<")
	if !ok || strings.HasPrefix(rest, "<") {
		return ""
	}
	rest = strings.TrimLeft(strings.TrimPrefix(rest, "-"), " ")
	rest = strings.TrimLeft(rest, `"'\`)
	i := 0
	for i < len(rest) && text.InWord(rest[i]) {
		i++
	}
	if i == 0 || rest[0] >= '0' && rest[0] <= '9' {
		return ""
	}
	return rest[:i]
}

// assign notes a variable that holds where the script is, or a folder from there.
func (f *file) assign(name, value string) {
	if ownPlace.MatchString(value) && !strings.Contains(value, "which ") {
		end := strings.LastIndexAny(value, ")}") + 1
		f.places[name] = "." + steps(value)
		if strings.HasPrefix(value[end:], "/") {
			f.places[name] = path.Join("."+steps(value[:end]), strings.Trim(value[end:], `"' `))
		} else if n := strings.Count(value, "dirname"); n > 1 && !strings.Contains(value, "/..") {
			f.places[name] = "." + strings.Repeat("/..", n-1)
		}
		return
	}
	if base, rest, ok := f.fromPlace(strings.Trim(value, `"' `)); ok {
		f.places[name] = path.Join(base, rest)
		return
	}
	delete(f.places, name)
}

// fromPlace splits "$DIR/rest" or "${DIR}/rest" whose variable's place is known.
func (f *file) fromPlace(value string) (base, rest string, ok bool) {
	v, found := strings.CutPrefix(value, "$")
	if !found {
		return "", "", false
	}
	var name string
	if inner, braced := strings.CutPrefix(v, "{"); braced {
		if name, rest, found = strings.Cut(inner, "}"); !found {
			return "", "", false
		}
	} else {
		i := 0
		for i < len(v) && text.InWord(v[i]) {
			i++
		}
		name, rest = v[:i], v[i:]
	}
	base, ok = f.places[name]
	return base, strings.TrimPrefix(rest, "/"), ok && (rest == "" || rest[0] == '/')
}

// opens are words behind which a command begins.
var opens = map[string]bool{"then": true, "else": true, "elif": true, "do": true, "if": true, "while": true, "until": true, "!": true, "{": true, "(": true, "builtin": true, "command": true, "time": true, "eval": true}

// quoting is how far a line has come through strings: the quote of the one it is in, 0 for none, the parentheses that are open, and how many
// were where each "$( of a string began, within which commands are.
type quoting struct {
	quote  byte
	depth  int
	within []int
}

// pass returns how many bytes at the beginning of a rest of a line are of a string, 0 for none.
func (q *quoting) pass(rest string) int {
	c, last := rest[0], len(q.within)-1
	switch {
	case q.quote == '"' && strings.HasPrefix(rest, "$(") && !strings.HasPrefix(rest, "$(("):
		q.within, q.quote = append(q.within, q.depth), 0
		return len("$(")
	case q.quote == '"' && c == '\\':
		return 2
	case q.quote != 0:
		if c == q.quote {
			q.quote = 0
		}
		return 1
	case c == '"' || c == '\'':
		q.quote = c
		return 1
	case c == '(':
		q.depth++
	case c == ')' && last >= 0 && q.within[last] == q.depth:
		q.within, q.quote = q.within[:last], '"'
		return 1
	case c == ')':
		q.depth = max(0, q.depth-1)
	}
	return 0
}

// sources finds the commands of a line that load a file; told is which one, where a comment says so.
func (f *file) sources(line, told string) {
	fresh, q := true, quoting{}
	for i := 0; i < len(line); {
		c := line[i]
		switch n := q.pass(line[i:]); {
		case n > 0:
			fresh = q.quote == 0 && n == len("$(")
			i += n
		case c == '\\':
			i += 2
			fresh = false
		case c == ' ' || c == '\t':
			i++
		case c == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t' || line[i-1] == ';'):
			return
		case strings.IndexByte(";&|(){}`", c) >= 0:
			fresh = true
			i++
		default:
			end := i
			for end < len(line) && strings.IndexByte(" \t;&|(){}`\"'\\", line[end]) < 0 {
				end++
			}
			word := line[i:end]
			if fresh && (word == "source" || word == ".") && end < len(line) && (line[end] == ' ' || line[end] == '\t') {
				name := shellWord(strings.TrimLeft(line[end:], " \t"))
				if told == "" {
					f.load(name)
				} else if told != "/dev/null" {
					f.tell(told)
				}
				told = ""
				// What is quoted or in $( ) is the name's.
				end += len(line[end:]) - len(strings.TrimLeft(line[end:], " \t")) + len(name)
			}
			fresh = fresh && opens[word]
			i = max(end, i+1)
		}
	}
}

// tell notes the file that a comment names, from where the script is or from where it is checked.
func (f *file) tell(name string) {
	if rest, ok := strings.CutPrefix(name, "SCRIPTDIR/"); ok {
		f.take(rest, 'o')
		return
	}
	f.take(name, plain)
}

var quotes = strings.NewReplacer(`"`, "", `'`, "")

// load reads the name behind source.
func (f *file) load(name string) {
	plainName := quotes.Replace(name)
	if base, rest, ok := f.fromPlace(plainName); ok && rest != "" {
		f.take(path.Join(base, rest), 'o')
		return
	}
	if loc := ownPlace.FindStringIndex(plainName); loc != nil && strings.HasPrefix(plainName, "$") {
		if i := strings.LastIndexAny(plainName, ")}"); i >= 0 && strings.HasPrefix(plainName[i+1:], "/") {
			up := "." + steps(plainName[:i])
			f.take(path.Join(up, plainName[i+2:]), 'o')
			return
		}
	}
	if i := strings.LastIndexAny(plainName, "$}`)"); i >= 0 {
		// What stands behind the last variable may be the only path that ends so.
		if slash := strings.IndexByte(plainName[i:], '/'); slash >= 0 && i+slash+1 < len(plainName) {
			f.take(plainName[i+slash+1:], 'e')
		} else {
			f.refer(plainName, unknown)
		}
		return
	}
	f.take(plainName, plain)
}

// take notes a path, of which patterns are none.
func (f *file) take(name string, how byte) {
	switch {
	case strings.ContainsAny(name, "$*?["):
		f.refer(name, unknown)
	case name != "" && name != "-":
		f.refer(name, how)
	}
}

// shellWord is the first word of a line; what is quoted, or in $( ), is in it.
func shellWord(s string) string {
	depth, quote := 0, byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case quote == 0 && depth == 0 && (c == ';' || c == '&' || c == '|' || c == ')' || c == '`'):
			return s[:i]
		case quote != 0 && depth == 0 && c == quote:
			quote = 0
		case quote == 0 && depth == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && depth == 0 && (c == ' ' || c == '\t' || c == '#' && i == 0):
			return s[:i]
		}
	}
	return s
}

// resolveShell leads to what is beside the script where it says so; else a path is from where it runs, which nobody knows: from
// its own folder, or from the repository's, if only one of them has it.
func resolveShell(b *builder, f *file, r reference) answer {
	switch r.how {
	case 'o':
		return resolveBeside(b, f, r)
	case 'e':
		return b.end(f, r.name)
	}
	if strings.HasPrefix(r.name, "/") || strings.HasPrefix(r.name, "~") {
		return answer{outside: true}
	}
	return b.fromEither(f, r.name)
}

// fromEither leads to a path from the file's folder or from the root, where only one of them has it.
func (b *builder) fromEither(f *file, name string) answer {
	own, beside := b.beside(f.dir, name)
	root, above := b.beside(".", name)
	switch {
	case beside && above && own.paths[0] != root.paths[0]:
		return answer{undecided: true}
	case beside:
		return own
	case above:
		return root
	}
	return answer{outside: true}
}
