package inclusion

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/text"
)

var (
	elixirModule = lazyregexp.New(`^([ \t]*)(?:defmodule|defprotocol)[ \t(]+([A-Z][\w.]*)`)
	elixirAlias  = lazyregexp.New(`^[ \t]*(alias|import|use|require)[ \t(]+((?:__MODULE__\.|[A-Z])[\w.]*)(.*)$`)
	elixirAs     = lazyregexp.New(`\bas:[ \t]*([A-Z]\w*)`)
	elixirName   = lazyregexp.New(`(?:__MODULE__\.)?[A-Z]\w*(?:\.[A-Z]\w*)*`)
)

// openModule is a module whose block is open, by its indent.
type openModule struct {
	indent int
	name   string
}

// readElixir finds the modules that a text declares, and those that it names, in full or by an alias.
func readElixir(f *file, src []byte) {
	aliases := map[string]string{}
	var within []openModule
	lines := strings.Split(string(elixirBlank(src)), "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if len(line) > 4*maxName {
			continue
		}
		if m := elixirModule.FindStringSubmatch(line); m != nil {
			for len(within) > 0 && within[len(within)-1].indent >= len(m[1]) {
				within = within[:len(within)-1]
			}
			name := m[2]
			if n := len(within); n > 0 && len(within[n-1].name) < maxName {
				name = within[n-1].name + "." + name
			}
			within = append(within, openModule{len(m[1]), name})
			if len(f.modules) < maxReferences && len(name) < maxName {
				f.modules = append(f.modules, strings.Clone(name))
			}
			continue
		}
		current := ""
		if n := len(within); n > 0 {
			current = within[n-1].name
		}
		full := func(name string) string {
			if rest, ok := strings.CutPrefix(name, "__MODULE__."); ok {
				return current + "." + rest
			}
			first, rest, dotted := strings.Cut(name, ".")
			if to := aliases[first]; to != "" {
				first = to
			}
			if dotted {
				first += "." + rest
			}
			return first
		}
		if m := elixirAlias.FindStringSubmatch(line); m != nil {
			base, rest := full(strings.TrimSuffix(m[2], ".")), m[3]
			names := []string{base}
			if strings.HasPrefix(strings.TrimLeft(rest, " "), "{") || strings.HasSuffix(m[2], ".") && strings.HasPrefix(rest, "{") {
				group := rest
				for n := 0; !strings.Contains(group, "}") && i+1 < len(lines) && n < 200; n++ {
					i++
					group += " " + lines[i]
				}
				names = nil
				for _, x := range elixirName.FindAllString(group, maxReferences) {
					names = append(names, base+"."+x)
				}
			}
			for _, name := range names {
				f.refer(name, 'n')
				as := name[strings.LastIndexByte(name, '.')+1:]
				if x := elixirAs.FindStringSubmatch(rest); x != nil && len(names) == 1 {
					as = x[1]
				}
				if m[1] == "alias" && len(aliases) < maxReferences {
					aliases[as] = name
				}
			}
			continue
		}
		for _, name := range elixirName.FindAllString(line, 1000) {
			f.refer(full(name), 'u')
		}
	}
}

// quotation is a string, a sigil or a template that is open, or an expression within one.
type quotation struct {
	shut string
	// expands says that #{ begins an expression, template that { and <% do too, and that a tag may name a module.
	expands, template bool
	// code is an expression, braces are those open in it.
	code   bool
	braces int
}

// elixirBlank overwrites comments, documents and strings, but for the expressions within them.
func elixirBlank(src []byte) []byte {
	out := bytes.Clone(src)
	var open []quotation
	for i := 0; i < len(out); {
		if n := len(open); n > 0 && !open[n-1].code {
			i, open = elixirText(out, i, open)
			continue
		}
		c := out[i]
		if q, head := elixirOpening(out[i:]); head > 0 {
			wipe(out, i, i+head)
			if i += head; len(open) < maxOpen {
				open = append(open, q)
				continue
			}
			i = wipe(out, i, behind(out, i, q.shut))
			continue
		}
		n := len(open)
		switch {
		case c == '#':
			end := bytes.IndexByte(out[i:], '\n')
			if end < 0 {
				end = len(out) - i
			}
			i = wipe(out, i, i+end)
		case c == '?' && i+1 < len(out) && strings.IndexByte(`"#'~{}`, out[i+1]) >= 0 && (i == 0 || !text.InWord(out[i-1])):
			i += 2
		case n > 0 && open[n-1].braces == 0 && bytes.HasPrefix(out[i:], []byte(open[n-1].shut)):
			i = wipe(out, i, i+len(open[n-1].shut))
			open = open[:n-1]
		default:
			if n > 0 && c == '{' {
				open[n-1].braces++
			} else if n > 0 && c == '}' && open[n-1].braces > 0 {
				open[n-1].braces--
			}
			i++
		}
	}
	return out
}

// maxOpen bounds how deep strings and expressions lie in one another.
const maxOpen = 50

// elixirText reads on in a string, of which it overwrites what is no expression.
func elixirText(out []byte, i int, open []quotation) (int, []quotation) {
	q := open[len(open)-1]
	rest := out[i:]
	inner := quotation{}
	switch {
	case bytes.HasPrefix(rest, []byte(q.shut)):
		return wipe(out, i, i+len(q.shut)), open[:len(open)-1]
	case rest[0] == '\\' && !q.template:
		return wipe(out, i, min(i+2, len(out))), open
	case q.expands && bytes.HasPrefix(rest, []byte("#{")), q.template && bytes.HasPrefix(rest, []byte("<%")):
		if inner = (quotation{code: true, shut: "}"}); rest[0] == '<' {
			inner.shut = "%>"
		}
		i = wipe(out, i, i+2)
	case q.template && rest[0] == '{':
		inner = quotation{code: true, shut: "}"}
		i = wipe(out, i, i+1)
	case q.template && rest[0] == '<' && len(rest) > 1 && rest[1] >= 'A' && rest[1] <= 'Z':
		i = wipe(out, i, i+1)
		for i < len(out) && (text.InWord(out[i]) || out[i] == '.') {
			i++
		}
		return i, open
	default:
		return wipe(out, i, i+1), open
	}
	if len(open) < maxOpen {
		open = append(open, inner)
	}
	return i, open
}

// shuts are the signs that shut what others open.
var shuts = map[byte]byte{'(': ')', '[': ']', '{': '}', '<': '>'}

// elixirOpening is the string or sigil that begins here, and how long its beginning is; 0 where none does.
func elixirOpening(rest []byte) (q quotation, head int) {
	sigil := byte(0)
	if rest[0] == '~' {
		head = 1
		for head < len(rest) && head < 20 && (rest[head] >= 'a' && rest[head] <= 'z' || rest[head] >= 'A' && rest[head] <= 'Z') {
			sigil = rest[head]
			head++
		}
		if sigil == 0 || head == len(rest) || strings.IndexByte("/|\"'([{<", rest[head]) < 0 {
			return quotation{}, 0
		}
	} else if rest[0] != '"' && rest[0] != '\'' {
		return quotation{}, 0
	}
	sign := rest[head]
	q.expands = sigil == 0 || sigil >= 'a'
	q.template = head == 2 && (sigil == 'H' || sigil == 'F')
	if three := bytes.Repeat([]byte{sign}, 3); (sign == '"' || sign == '\'') && bytes.HasPrefix(rest[head:], three) {
		q.shut = string(three)
		return q, head + 3
	}
	if shut := shuts[sign]; shut != 0 {
		sign = shut
	}
	q.shut = string(sign)
	return q, head + 1
}

// resolveElixir leads to the file that declares a module. A name that nobody declares may be one with a function's module before it.
func resolveElixir(b *builder, f *file, r reference) answer {
	a := resolveModule(b, r)
	a.outside = a.outside && r.how == 'n'
	return a
}
