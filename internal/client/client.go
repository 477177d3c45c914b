// Package client writes the entry of this program's server into the files in which clients of the Model Context Protocol keep their servers.
// What else stands in them stays byte for byte.
package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"
)

// Client is a program that starts servers.
type Client struct {
	// Name is how the command line calls it.
	Name string
	// File is where it keeps its servers: below the home folder where Home is set, else below the project's.
	File string
	Home bool
	// key is the object, or table, of the servers.
	key string
	// entry is what stands there for a server.
	entry func(s Server) any
	toml  bool
}

// Server is how a client starts the server.
type Server struct {
	Name    string
	Command string
	Args    []string
}

// stdio is the entry that most clients take.
type stdio struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
	Tools   []string `json:"tools,omitempty"`
}

// All are the clients that are known, in the order of their names.
var All = []Client{
	{Name: "claude", File: ".mcp.json", key: "mcpServers", entry: typed},
	{Name: "codex", File: ".codex/config.toml", Home: true, key: "mcp_servers", toml: true},
	{Name: "copilot", File: ".copilot/mcp-config.json", Home: true, key: "mcpServers", entry: func(s Server) any { return stdio{"local", s.Command, s.Args, []string{"*"}} }},
	{Name: "cursor", File: ".cursor/mcp.json", Home: true, key: "mcpServers", entry: untyped},
	{Name: "gemini", File: ".gemini/settings.json", Home: true, key: "mcpServers", entry: untyped},
	{Name: "opencode", File: "opencode.json", key: "mcp", entry: func(s Server) any {
		return struct {
			Type    string   `json:"type"`
			Command []string `json:"command"`
			Enabled bool     `json:"enabled"`
		}{"local", append([]string{s.Command}, s.Args...), true}
	}},
	{Name: "vscode", File: ".vscode/mcp.json", key: "servers", entry: typed},
}

func typed(s Server) any   { return stdio{"stdio", s.Command, s.Args, nil} }
func untyped(s Server) any { return stdio{"", s.Command, s.Args, nil} }

// Named is the client of a name, nil for none.
func Named(name string) *Client {
	if i := slices.IndexFunc(All, func(c Client) bool { return c.Name == name }); i >= 0 {
		return &All[i]
	}
	return nil
}

// Names are those of all clients.
func Names() (list []string) {
	for _, c := range All {
		list = append(list, c.Name)
	}
	return list
}

// Install returns a client's file with the entry of a server. An entry of its name is replaced. The error says what in the file is not as it has to
// be.
func (c *Client) Install(file []byte, s Server) ([]byte, error) {
	if c.toml {
		return installTOML(file, c.key, s)
	}
	return c.edit(file, s.Name, c.entry(s))
}

// Uninstall returns a client's file without the entry of a server.
func (c *Client) Uninstall(file []byte, name string) ([]byte, error) {
	if c.toml {
		return uninstallTOML(file, c.key, name)
	}
	return c.edit(file, name, nil)
}

// edit sets a member of the object of servers, or takes it away where value is nil.
func (c *Client) edit(file []byte, name string, value any) ([]byte, error) {
	if len(bytes.TrimSpace(file)) == 0 {
		if value == nil {
			return file, nil
		}
		file = []byte("{}\n")
	}
	root, err := parse(file)
	if err != nil {
		return nil, err
	}
	top, ok := root.Value.(*hujson.Object)
	if !ok {
		return nil, errors.New("it holds no object")
	}
	at := find(top, c.key)
	switch {
	case at < 0 && value == nil:
		return file, nil
	case at < 0:
		return insert(file, root, top, c.key, map[string]any{name: value})
	}
	of := &top.Members[at].Value
	servers, ok := of.Value.(*hujson.Object)
	if !ok {
		return nil, fmt.Errorf("%q is no object", c.key)
	}
	switch at := find(servers, name); {
	case at < 0 && value == nil:
		return file, nil
	case at < 0:
		return insert(file, *of, servers, name, value)
	case value == nil:
		return remove(file, servers, at), nil
	default:
		old := servers.Members[at].Value
		text, err := written(file, servers.Members[at].Name.StartOffset, value)
		if err != nil {
			return nil, err
		}
		return slices.Concat(file[:old.StartOffset], text, file[old.EndOffset:]), nil
	}
}

// parse reads JSON with comments. A name that stands twice in an object is an error: no two readers agree on it.
func parse(file []byte) (hujson.Value, error) {
	root, err := hujson.Parse(file)
	if err != nil {
		return root, fmt.Errorf("it is no JSON: %s", strings.TrimPrefix(err.Error(), "hujson: "))
	}
	return root, nil
}

// find is the place of a member, -1 for none.
func find(o *hujson.Object, name string) int {
	return slices.IndexFunc(o.Members, func(m hujson.ObjectMember) bool {
		l, ok := m.Name.Value.(hujson.Literal)
		return ok && l.Kind() == '"' && l.String() == name
	})
}

// insert adds a member behind the last one of an object.
func insert(file []byte, of hujson.Value, o *hujson.Object, name string, value any) ([]byte, error) {
	key, err := json.Marshal(name)
	if err != nil {
		return nil, err
	}
	if n := len(o.Members); n > 0 {
		last := o.Members[n-1]
		text, err := written(file, last.Name.StartOffset, value)
		if err != nil {
			return nil, err
		}
		indent, ends := marginOf(file, last.Name.StartOffset), endsOf(file)
		gap := ends + indent
		if !bytes.Contains(file[of.StartOffset:last.Name.StartOffset], []byte("\n")) {
			gap = " "
		}
		member := gap + string(key) + ": " + string(text)
		end := last.Value.EndOffset
		return slices.Concat(file[:end], []byte(","+member), file[end:]), nil
	}
	// An empty object: what stands in it, a comment, stays before its end.
	outer, ends := marginOf(file, of.StartOffset), endsOf(file)
	inner := outer + stepOf(file)
	text, err := indented(value, inner, stepOf(file), ends)
	if err != nil {
		return nil, err
	}
	at := of.EndOffset - 1
	return slices.Concat(bytes.TrimRight(file[:at], " \t\r\n"), []byte(ends+inner+string(key)+": "+string(text)+ends+outer), file[at:]), nil
}

// remove takes a member away, with the comma that parts it from its neighbour.
func remove(file []byte, o *hujson.Object, at int) []byte {
	m := o.Members[at]
	if at > 0 {
		// The comma before it goes. One behind it stays, as that of the one before.
		before := o.Members[at-1].Value
		comma := before.EndOffset + len(before.AfterExtra)
		return slices.Concat(file[:comma], file[m.Value.EndOffset:])
	}
	begin, end := m.Name.StartOffset, m.Value.EndOffset+len(m.Value.AfterExtra)
	if len(o.Members) > 1 {
		return slices.Concat(file[:begin], file[o.Members[1].Name.StartOffset:])
	}
	if end < len(file) && file[end] == ',' {
		end++
	}
	return slices.Concat(bytes.TrimRight(file[:begin], " \t\r\n"), bytes.TrimLeft(file[end:], " \t\r\n"))
}

// written is a value as JSON, indented for the line that at is in.
func written(file []byte, at int, value any) ([]byte, error) {
	return indented(value, marginOf(file, at), stepOf(file), endsOf(file))
}

// indented is a value as JSON.
func indented(value any, margin, step, ends string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(margin, step)
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	return bytes.ReplaceAll(bytes.TrimSpace(b.Bytes()), []byte("\n"), []byte(ends)), nil
}

// marginOf is the white space that the line of a place begins with.
func marginOf(file []byte, at int) string {
	line := file[bytes.LastIndexByte(file[:at], '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// stepOf is by how much a file indents: as its first indented line does, else two blanks.
func stepOf(file []byte) string {
	for line := range bytes.Lines(file) {
		if n := len(line) - len(bytes.TrimLeft(line, " \t")); n > 0 && n < 9 && len(bytes.TrimSpace(line)) > 0 {
			return string(line[:n])
		}
	}
	return "  "
}

// endsOf is how lines of a file end.
func endsOf(file []byte) string {
	if bytes.Contains(file, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// installTOML sets the table of a server.
func installTOML(file []byte, key string, s Server) ([]byte, error) {
	rest, err := uninstallTOML(file, key, s.Name)
	if err != nil {
		return nil, err
	}
	args := make([]string, len(s.Args))
	for i, a := range s.Args {
		args[i] = quoted(a)
	}
	ends := endsOf(rest)
	table := fmt.Sprintf("[%s.%s]%scommand = %s%sargs = [%s]%s", key, s.Name, ends, quoted(s.Command), ends, strings.Join(args, ", "), ends)
	out := rest
	if len(out) > 0 && !bytes.HasSuffix(out, []byte("\n")) {
		out = append(slices.Clip(out), ends...)
	}
	if len(out) > 0 {
		out = append(slices.Clip(out), ends...)
	}
	out = append(slices.Clip(out), table...)
	if has, err := hasTable(out, key, s.Name); err != nil || !has {
		return nil, fmt.Errorf("%q is not written as tables: add by hand [%s.%s]: %w", key, key, s.Name, err)
	}
	return out, nil
}

// quoted is a basic string of TOML: JSON's are such, too.
func quoted(s string) string {
	b, _ := json.Marshal(s) // a string has no fault
	return string(b)
}

// uninstallTOML takes the table of a server away, with its own tables.
func uninstallTOML(file []byte, key, name string) ([]byte, error) {
	has, err := hasTable(file, key, name)
	if err != nil || !has {
		return file, err
	}
	var out []byte
	inside := false
	for line := range bytes.Lines(file) {
		if head := strings.TrimSpace(string(line)); strings.HasPrefix(head, "[") {
			title, _, _ := strings.Cut(strings.Trim(head, "["), "]")
			title = strings.NewReplacer(`"`, "", "'", "", " ", "").Replace(title)
			inside = title == key+"."+name || strings.HasPrefix(title, key+"."+name+".")
			if inside {
				// The empty line before it was made with it.
				if trimmed := bytes.TrimRight(out, "\r\n"); len(out)-len(trimmed) > 1 {
					out = append(trimmed, endsOf(file)...)
				}
			}
		}
		if !inside {
			out = append(out, line...)
		}
	}
	if has, err := hasTable(out, key, name); err != nil || has {
		return nil, fmt.Errorf("%s.%s is not written as a table: take it away by hand", key, name)
	}
	return out, nil
}

// hasTable reports whether a file says something of a server.
func hasTable(file []byte, key, name string) (bool, error) {
	var all map[string]any
	if err := toml.Unmarshal(file, &all); err != nil {
		return false, fmt.Errorf("it is no TOML: %w", err)
	}
	servers, ok := all[key].(map[string]any)
	if !ok {
		if all[key] != nil {
			return false, fmt.Errorf("%q is no table", key)
		}
		return false, nil
	}
	_, ok = servers[name]
	return ok, nil
}
