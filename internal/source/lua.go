package source

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// A file of Lua returns a table, and who requires the file has its functions behind a name of his own, or behind the call itself:
// local state = require "telescope.state"; require("telescope.state").get(). What is required stands for a type here, called by the path
// of the module.

// returned is the last statement of such a file.
var returned = lazyregexp.New(`(?m)^return[ \t]+([A-Za-z_]\w*)[ \t]*;?\s*(?:--[^\n]*\s*)*\z`)

// Returns is the name of the table that a text of Lua returns, "" where it returns none by name.
func Returns(content []byte) string {
	if n := len(content) - maxReturn; n > 0 {
		_, content, _ = bytes.Cut(content[n:], []byte("\n"))
	}
	if m := returned.FindSubmatch(content); m != nil {
		return string(m[1])
	}
	return ""
}

// maxReturn bounds, in bytes, the end of a text in which its return is looked for.
const maxReturn = 2000

// required is the path of the module that a require at a token gives, and the token behind it; "" for anything else.
func (m *Mentions) required(i int) (module string, end int) {
	if m.name != "Lua" || !m.is(i, "require") {
		return "", 0
	}
	end = i + 1
	group := m.kind(end) == '('
	if group {
		end++
	}
	if m.kind(end) != declaration.Quoted {
		return "", 0
	}
	t := m.tokens[end]
	if end++; group {
		if m.kind(end) != ')' {
			return "", 0
		}
		end++
	}
	return strings.ReplaceAll(strings.Trim(string(m.text[t.Start:t.End]), `"'`), ".", "/"), end
}

// tableOf is what a name of Lua stands for that is given a value: the module that it requires, or, by its own name, a new table whose members
// this text defines; "" for anything else.
func (m *Mentions) tableOf(i, v int) string {
	if module, end := m.required(v); module != "" && m.over(end) {
		return module
	}
	if m.name != "Lua" || m.kind(v) != '{' && !m.is(v, "setmetatable") {
		return ""
	}
	if m.holders == nil {
		m.holders = map[string]bool{}
		for i := range m.own {
			if d := &m.own[i]; strings.Contains(d.Name, ".") {
				m.holders[First(d.Name)] = true
			}
		}
	}
	if name := m.word(i); m.holders[name] {
		return name
	}
	return ""
}

// tabled reports whether one of these is a table of this text of Lua, which has a member of the name.
func (m *Mentions) tabled(of []string, name string) bool {
	return m.name == "Lua" && slices.ContainsFunc(of, func(of string) bool { return m.members[of+"."+name] })
}

// modulesOf are the paths by which a file of Lua may be required: its own, and those from a folder around it on.
func modulesOf(name string) []string {
	name = strings.TrimSuffix(strings.TrimSuffix(name, path.Ext(name)), "/init")
	list := []string{name}
	for n := 0; n < maxAround; n++ {
		_, rest, ok := strings.Cut(name, "/")
		if !ok {
			break
		}
		name = rest
		list = append(list, name)
	}
	return list
}
