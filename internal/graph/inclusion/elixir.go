package inclusion

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

var (
	elixirModule = lazyregexp.New(`^([ \t]*)(?:defmodule|defprotocol)[ \t(]+([A-Z][\w.]*)`)
	elixirAlias  = lazyregexp.New(`^[ \t]*(alias|import|use|require)[ \t(]+((?:__MODULE__\.|[A-Z])[\w.]*)(.*)$`)
	elixirAs     = lazyregexp.New(`\bas:[ \t]*([A-Z]\w*)`)
	elixirName   = lazyregexp.New(`(?:__MODULE__\.)?[A-Z]\w*(?:\.[A-Z]\w*)*`)
)

// opened is a module whose block is open, by its indent.
type opened struct {
	indent int
	name   string
}

// readElixir finds the modules that a text declares, and those that it names, in full or by an alias.
func readElixir(f *file, src []byte) {
	aliases := map[string]string{}
	var within []opened
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
			within = append(within, opened{len(m[1]), name})
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

// elixirBlank overwrites comments, documents and strings.
func elixirBlank(src []byte) []byte {
	out := bytes.Clone(src)
	for i := 0; i < len(out); {
		switch c := out[i]; {
		case c == '#':
			n := bytes.IndexByte(out[i:], '\n')
			if n < 0 {
				n = len(out) - i
			}
			i = wipe(out, i, i+n)
		case bytes.HasPrefix(out[i:], []byte(`"""`)) || bytes.HasPrefix(out[i:], []byte("'''")):
			i = wipe(out, i, behind(out, i+3, string(out[i:i+3])))
		case c == '"':
			end := i + 1
			for end < len(out) && out[end] != '"' {
				if out[end] == '\\' {
					end++
				}
				end++
			}
			i = wipe(out, i, min(end+1, len(out)))
		case c == '?' && i+1 < len(out) && (out[i+1] == '"' || out[i+1] == '#' || out[i+1] == '\''):
			i += 2
		default:
			i++
		}
	}
	return out
}

// resolveElixir leads to the file that declares a module. A name that nobody declares may be one with a function's module before it.
func resolveElixir(b *builder, f *file, r reference) answer {
	list := b.modules[r.name]
	switch {
	case len(list) == 1:
		return answer{paths: list, resolution: graph.Explicit}
	case len(list) > 1:
		return answer{undecided: true}
	}
	return answer{outside: r.how == 'n'}
}
