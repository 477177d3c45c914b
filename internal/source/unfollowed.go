package source

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/language"
)

// UnfollowedLoad is a place at which a text loads what only a run can tell.
type UnfollowedLoad struct {
	Line int
	// Form is what loads there, as its language writes it: require(…).
	Form string
}

// loaders are, by language, what loads other code by a name: in a call, the last words before its parenthesis, or before what
// stands without one.
var loaders = map[string]string{
	"script": "require import require.resolve require.context import.meta.glob",
	"Python": "import_module __import__ spec_from_file_location run_path",
	"JVM":    "Class.forName loadClass",
	".NET":   "Assembly.Load Assembly.LoadFrom Assembly.LoadFile Type.GetType",
	"PHP":    "require require_once include include_once",
	"Ruby":   "require require_relative load const_get",
	"C":      "dlopen NSClassFromString #include",
	"Swift":  "NSClassFromString",
	"Lua":    "require dofile loadfile",
	"Shell":  "source .",
	"Elixir": "Code.require_file Code.eval_file Module.concat",
	"Go":     "plugin.Open",
}

// bareLoaders are those that need no parentheses.
var bareLoaders = language.WordSet("PHP Ruby Shell Lua")

// Loads reports whether texts that are read by this name may load what no literal names.
func Loads(name string) bool {
	l := language.Of(name)
	return l != nil && loaders[l.Family] != ""
}

// LoadsUnseen lists the places of a text that load what no literal names, in their order.
func LoadsUnseen(name string, content []byte) (list []UnfollowedLoad) {
	l := language.Of(name)
	if l == nil || len(content) > MaxMentioned {
		return nil
	}
	forms := strings.Fields(loaders[l.Family])
	for _, form := range forms {
		if l.Name == "Shell" {
			return sourced(content)
		}
		if mayLoad(content, form, bareLoaders[l.Family]) {
			return loads(l, name, content, forms)
		}
	}
	return nil
}

// mayLoad reports whether a form may load at some place what is no literal, by the bytes alone: most files that load
// anything name it, and need not be split into tokens for that.
func mayLoad(content []byte, form string, bare bool) bool {
	for at := 0; ; {
		i := bytes.Index(content[at:], []byte(form))
		if i < 0 {
			return false
		}
		at += i + len(form)
		if start := at - len(form) - 1; start >= 0 && wordByte(content[start]) && wordByte(form[0]) || at < len(content) && wordByte(content[at]) {
			continue // a part of a longer word
		}
		rest := bytes.TrimLeft(content[at:min(len(content), at+maxLiteral)], " \t\r\n")
		directive := form[0] == '#'
		open := !directive && bytes.HasPrefix(rest, []byte("("))
		if open {
			rest = bytes.TrimLeft(rest[1:], " \t\r\n")
		}
		switch {
		case len(rest) == 0:
			return true // too far to see
		case directive && (rest[0] == '"' || rest[0] == '<'):
			continue
		case directive:
		case rest[0] == '"' || rest[0] == '\'':
			if literalAlone(rest, open) {
				continue
			}
		case !open && !bare && rest[0] != '/':
			continue // the word, and no call; a comment may stand before its parenthesis
		}
		return true
	}
}

// literalAlone reports whether a text begins with a string that has nothing to be put in, and nothing is added to it; in
// parentheses no end of a line ends that.
func literalAlone(s []byte, inside bool) bool {
	end := bytes.IndexByte(s[1:], s[0])
	if end < 0 || bytes.ContainsAny(s[1:1+end], "\\{$\n") {
		return false
	}
	line := bytes.TrimLeft(s[end+2:], " \t\r")
	rest := bytes.TrimLeft(line, " \t\r\n")
	switch {
	case len(rest) == 0:
		return false // too far to see
	case line[0] == '\n' && !inside:
		return bytes.IndexByte([]byte("+%.[("), rest[0]) < 0
	}
	return bytes.IndexByte([]byte("),;"), rest[0]) >= 0
}

// maxLiteral is how many bytes behind a word are looked at for the string that it loads.
const maxLiteral = 400

// loads looks among the tokens of a text.
func loads(l *language.Language, name string, content []byte, forms []string) (list []UnfollowedLoad) {
	tokens := declaration.Tokens(nil, name, content)
	parts := make([][]string, len(forms))
	last := map[string]bool{} // the last word of a form, where each is looked for
	for i, form := range forms {
		parts[i] = strings.Split(form, ".")
		last[parts[i][len(parts[i])-1]] = true
	}
	word := func(i int) []byte {
		if i < 0 || tokens[i].Kind != declaration.Word {
			return nil
		}
		return content[tokens[i].Start:tokens[i].End]
	}
	for i, t := range tokens {
		if t.Kind == declaration.Directive {
			first, rest, _ := bytes.Cut(bytes.TrimSpace(content[t.Start:t.End]), []byte("include"))
			if rest = bytes.TrimSpace(rest); len(first) == 0 && len(rest) > 0 && rest[0] != '"' && rest[0] != '<' && rest[0] != '_' {
				list = append(list, UnfollowedLoad{int(t.Line), "#include"})
			}
			continue
		}
		if t.Kind != declaration.Word || !last[string(content[t.Start:t.End])] {
			continue
		}
		for n, form := range forms {
			at, matched := i, true
			for left := parts[n]; len(left) > 0 && matched; left = left[:len(left)-1] {
				matched = string(word(at)) == left[len(left)-1]
				at--
				if len(left) > 1 && matched {
					matched = at >= 0 && tokens[at].Kind == '.'
					at--
				}
			}
			if !matched || at >= 0 && tokens[at].Kind == '.' && !strings.Contains("import_module loadClass const_get spec_from_file_location run_path", form) || declaresNext(string(word(at))) {
				continue
			}
			if !loadsLiteral(tokens, i+1, content, bareLoaders[l.Family]) || l.Family == "script" && calls(tokens, i+2) {
				list = append(list, UnfollowedLoad{int(t.Line), form + "(…)"})
			}
		}
	}
	return list
}

// declaresNext reports whether a word before a name declares it.
func declaresNext(w string) bool {
	return w == "def" || w == "function" || w == "fun" || w == "fn" || w == "func" || w == "new"
}

// calls reports whether a call begins at a token, behind the parenthesis of another: path.resolve(…). In scripts no path that one
// puts together is looked for, literals or not.
func calls(tokens []declaration.Token, i int) bool {
	if i >= len(tokens) || tokens[i-1].Kind != '(' || tokens[i].Kind != declaration.Word {
		return false
	}
	for i+2 < len(tokens) && tokens[i+1].Kind == '.' && tokens[i+2].Kind == declaration.Word {
		i += 2
	}
	return i+1 < len(tokens) && tokens[i+1].Kind == '('
}

// loadsLiteral reports whether what is loaded from a token on is one string without expressions in it, or nothing is: no call stands there.
func loadsLiteral(tokens []declaration.Token, i int, content []byte, bare bool) bool {
	if i >= len(tokens) {
		return true
	}
	open := tokens[i].Kind == '('
	if open {
		i++
	} else if k := tokens[i].Kind; !bare || k != declaration.Word && k != declaration.Quoted {
		return true
	}
	if i >= len(tokens) {
		return true
	}
	quoted, depth := false, 0
	for n := i; n < min(len(tokens), i+maxAround); n++ { // a path that is put together of a folder and a literal is looked for
		switch k := tokens[n].Kind; {
		case k == '(':
			depth++
		case k == ')' && depth > 0:
			depth--
		case k == ')' && n == i:
			return true // nothing is loaded
		case k == declaration.Quoted:
			s := content[tokens[n].Start:tokens[n].End]
			if n == i && (bytes.Contains(s, []byte("${")) && s[0] == '`' || bytes.Contains(s, []byte("#{"))) {
				return false
			}
			quoted = true
		case k == '+' || k == '%':
			return false
		case depth == 0 && (k == ';' || k == ')' || k == ',' || k == declaration.Newline && !open):
			return quoted
		}
	}
	return true
}

// sourced are the lines of a shell that run a file which a variable names alone.
func sourced(content []byte) (list []UnfollowedLoad) {
	n := 0
	for line := range bytes.Lines(content) {
		n++
		words := bytes.Fields(line)
		if len(words) < 2 || string(words[0]) != "source" && string(words[0]) != "." {
			continue
		}
		if name := bytes.Trim(words[1], `"`); len(name) > 1 && name[0] == '$' && name[1] != '(' && !bytes.ContainsAny(name, "/") {
			list = append(list, UnfollowedLoad{n, string(words[0]) + " $…"})
		}
	}
	return list
}
