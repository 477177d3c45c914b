// Package client writes the entry of this program's server into the files in which clients of the Model Context Protocol keep their servers.
// What else stands in them stays byte for byte.
package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
	"github.com/tailscale/hujson"
)

// Client is a program that starts servers.
type Client struct {
	// Name is how the command line calls it.
	Name string
	// File is where it keeps its servers: below the home folder where Home is set, else below the project's.
	File string
	Home bool
	// Other is the name that the file has where there is none of File's; "" for none.
	Other string
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
	{Name: "opencode", File: "opencode.json", Other: "opencode.jsonc", key: "mcp", entry: func(s Server) any {
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

// bom is what some editors put before the first byte of a file.
const bom = "\ufeff"

// Install returns a client's file with the entry of a server; nil is a file that is not there. An entry of its name is replaced where it stands,
// and stays as it is written where it says the same. The error says what in the file is not as it has to be.
func (c *Client) Install(file []byte, s Server) ([]byte, error) {
	text, marked := bytes.CutPrefix(file, []byte(bom))
	var err error
	if c.toml {
		text, err = installTOML(text, c.key, s)
	} else {
		text, err = c.edit(text, s.Name, c.entry(s))
	}
	if err == nil && marked {
		text = slices.Concat([]byte(bom), text)
	}
	return text, err
}

// Uninstall returns a client's file without the entry of a server: what was there before Install. It is nil where Install made the file, and
// nothing else stands in it.
func (c *Client) Uninstall(file []byte, name string) ([]byte, error) {
	text, marked := bytes.CutPrefix(file, []byte(bom))
	var err error
	if c.toml {
		text, err = uninstallTOML(text, c.key, name)
	} else {
		text, err = c.edit(text, name, nil)
	}
	if text != nil && marked {
		text = slices.Concat([]byte(bom), text)
	}
	return text, err
}

// edit sets a member of the object of servers, or takes it away where value is nil.
func (c *Client) edit(file []byte, name string, value any) ([]byte, error) {
	if len(bytes.TrimSpace(file)) == 0 {
		if value == nil {
			return file, nil
		}
		text, err := indented(map[string]any{c.key: map[string]any{name: value}}, "", "  ", "\n", true)
		return append(text, '\n'), err
	}
	root, err := parse(file)
	if err != nil {
		return nil, err
	}
	top, ok := root.Value.(*hujson.Object)
	if !ok {
		return nil, errors.New("it holds no object")
	}
	at, err := find(top, c.key)
	switch {
	case err != nil:
		return nil, err
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
	own, err := find(servers, name)
	switch {
	case err != nil:
		return nil, err
	case own < 0 && value == nil:
		return file, nil
	case own < 0:
		return insert(file, *of, servers, name, value)
	case value != nil:
		return replace(file, servers.Members[own], value)
	}
	out := remove(file, *of, servers, own)
	if out == nil { // Install made the object of servers
		out = remove(file, root, top, at)
	}
	return out, nil
}

// replace puts a value in the place of a member's, unless that says the same.
func replace(file []byte, m hujson.ObjectMember, value any) ([]byte, error) {
	old := m.Value
	plain, err := hujson.Standardize(slices.Clone(file[old.StartOffset:old.EndOffset]))
	if err != nil {
		return nil, err
	}
	same, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var a, b any
	if err := errors.Join(json.Unmarshal(plain, &a), json.Unmarshal(same, &b)); err == nil && reflect.DeepEqual(a, b) {
		return file, nil
	}
	text, err := written(file, m.Name.StartOffset, value, bytes.ContainsRune(plain, '\n'))
	if err != nil {
		return nil, err
	}
	return slices.Concat(file[:old.StartOffset], text, file[old.EndOffset:]), nil
}

// parse reads JSON with comments.
func parse(file []byte) (hujson.Value, error) {
	root, err := hujson.Parse(file)
	if err != nil {
		return root, fmt.Errorf("it is no JSON: %s", strings.TrimPrefix(err.Error(), "hujson: "))
	}
	return root, nil
}

// find is the place of a member, -1 for none. One that stands twice is an error: no two readers agree on which counts.
func find(o *hujson.Object, name string) (int, error) {
	at := -1
	for i, m := range o.Members {
		if l, ok := m.Name.Value.(hujson.Literal); !ok || l.Kind() != '"' || l.String() != name {
			continue
		}
		if at >= 0 {
			return -1, fmt.Errorf("%q stands twice in one object: leave one out", name)
		}
		at = i
	}
	return at, nil
}

// insert adds a member behind the last one of an object, and behind the comment on that one's line. An object on one line stays on it.
func insert(file []byte, of hujson.Value, o *hujson.Object, name string, value any) ([]byte, error) {
	key, err := json.Marshal(name)
	if err != nil {
		return nil, err
	}
	_, nested := value.(map[string]any) // the object of servers
	lines := bytes.ContainsRune(file[of.StartOffset:of.EndOffset], '\n')
	n := len(o.Members)
	if n == 0 {
		return fill(file, of, key, value, nested)
	}
	last := o.Members[n-1]
	text, err := written(file, last.Name.StartOffset, value, lines || nested)
	if err != nil {
		return nil, err
	}
	member := slices.Concat(key, []byte(": "), text)
	gap := []byte(endsOf(file) + marginOf(file, last.Name.StartOffset))
	end, comma := last.Value.EndOffset, last.Value.EndOffset+len(last.Value.AfterExtra)
	switch {
	case !bytes.ContainsRune(file[of.StartOffset:last.Name.StartOffset], '\n'):
		return slices.Concat(file[:end], []byte(", "), member, file[end:]), nil
	case file[comma] == ',': // the last one has a comma, so the new last one has
		at := behind(file, comma+1)
		return slices.Concat(file[:at], gap, member, []byte(","), file[at:]), nil
	}
	at := behind(file, end)
	return slices.Concat(file[:end], []byte(","), file[end:at], gap, member, file[at:]), nil
}

// fill puts the first member into an object, behind the comments that stand in it. The white space before its end stays.
func fill(file []byte, of hujson.Value, key []byte, value any, nested bool) ([]byte, error) {
	inside := file[of.StartOffset+1 : of.EndOffset-1]
	ends, outer := endsOf(file), marginOf(file, of.StartOffset)
	lines := bytes.ContainsRune(inside, '\n')
	inner := outer
	if lines {
		inner += stepOf(file)
	}
	text, err := indented(value, inner, stepOf(file), ends, lines || nested)
	if err != nil {
		return nil, err
	}
	member := slices.Concat(key, []byte(": "), text)
	said := bytes.TrimRight(inside, " \t\r\n")
	gap, rest := []byte(ends+inner), inside[len(said):]
	switch {
	case !lines:
		gap = rest
	case !bytes.ContainsRune(rest, '\n'):
		rest = append(slices.Clip(rest), ends+outer...)
	}
	at := of.StartOffset + 1
	return slices.Concat(file[:at], said, gap, member, rest, file[of.EndOffset-1:]), nil
}

// behind is the place behind the comments that begin on the line of a place, or the place itself where there are none.
func behind(file []byte, at int) int {
	for next := at; ; {
		for next < len(file) && (file[next] == ' ' || file[next] == '\t') {
			next++
		}
		rest := file[next:]
		line, _, _ := bytes.Cut(rest, []byte("\n"))
		switch {
		case bytes.HasPrefix(rest, []byte("//")):
			return next + len(bytes.TrimRight(line, "\r"))
		case !bytes.HasPrefix(rest, []byte("/*")):
			return at
		}
		next += bytes.Index(rest[2:], []byte("*/")) + 4 // it is parsed: the end is there
		at = next
	}
}

// remove takes a member away, with the comma that parts it from its neighbour; comments stay. It returns nil where the object is one that Install made,
// and nothing else stands in it.
func remove(file []byte, of hujson.Value, o *hujson.Object, at int) []byte {
	m := o.Members[at]
	begin, end := m.Name.StartOffset, m.Value.EndOffset
	comma := end + len(m.Value.AfterExtra)
	trailing := file[comma] == ','
	switch {
	case at < len(o.Members)-1:
		// What follows takes its place.
		return slices.Concat(file[:begin], file[end:comma], file[lineAfter(file, comma+1):])
	case at > 0:
		before := o.Members[at-1].Value
		first := before.EndOffset + len(before.AfterExtra) // the comma between the two
		if line := lineBefore(file, begin, comma); line < begin {
			begin = line
		} else {
			begin = len(bytes.TrimRight(file[:begin], " \t"))
		}
		if trailing {
			return slices.Concat(file[:begin], file[end:comma], file[comma+1:])
		}
		return slices.Concat(file[:first], file[first+1:begin], file[end:])
	}
	rest := file[end : of.EndOffset-1]
	if trailing {
		rest = slices.Concat(file[end:comma], file[comma+1:of.EndOffset-1])
	}
	said := file[of.StartOffset+1 : begin]
	alone := len(bytes.TrimSpace(said)) == 0 && len(bytes.TrimSpace(rest)) == 0
	lines := bytes.ContainsRune(said, '\n')
	switch {
	case alone && lines:
		return nil
	case lines:
		said = file[of.StartOffset+1 : lineBefore(file, begin, end)]
	default:
		said = bytes.TrimRight(said, " \t")
	}
	return slices.Concat(file[:of.StartOffset+1], said, rest, file[of.EndOffset-1:])
}

// lineBefore is where the line begins, with the line end before it, that a member's place begins; the place itself where another thing stands on the
// line before it, or one that is no white space behind it from end on.
func lineBefore(file []byte, at, end int) int {
	margin := len(bytes.TrimRight(file[:at], " \t"))
	line, _, _ := bytes.Cut(file[end:], []byte("\n"))
	if margin == 0 || file[margin-1] != '\n' || len(bytes.Trim(line, " \t\r,")) > 0 {
		return at
	}
	return len(bytes.TrimSuffix(file[:margin-1], []byte("\r")))
}

// lineAfter is where what follows a place begins: on its line, or on the next one where nothing but white space does.
func lineAfter(file []byte, at int) int {
	rest := bytes.TrimLeft(file[at:], " \t")
	if next := bytes.TrimPrefix(rest, []byte("\r")); bytes.HasPrefix(next, []byte("\n")) {
		rest = bytes.TrimLeft(next[1:], " \t")
	}
	return len(file) - len(rest)
}

// written is a value as JSON, indented for the line that at is in, or on one line.
func written(file []byte, at int, value any, lines bool) ([]byte, error) {
	return indented(value, marginOf(file, at), stepOf(file), endsOf(file), lines)
}

// indented is a value as JSON, over several lines or on one.
func indented(value any, margin, step, ends string, lines bool) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(margin, step)
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	text := bytes.TrimSpace(b.Bytes())
	if lines {
		return bytes.ReplaceAll(text, []byte("\n"), []byte(ends)), nil
	}
	// No string of an entry holds a line end: JSON writes it as an escape.
	var out []byte
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if n := len(out); n > 0 && out[n-1] == ',' {
			out = append(out, ' ')
		}
		out = append(out, line...)
	}
	return out, nil
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

// installTOML sets the table of a server: in its place, or at the end. A file without a line end at its end stays without.
func installTOML(file []byte, key string, s Server) ([]byte, error) {
	has, err := tomlEntry(file, key, s.Name)
	if err != nil {
		return nil, err
	}
	if entry, ok := has.(map[string]any); ok && reflect.DeepEqual(entry, map[string]any{"command": s.Command, "args": anys(s.Args)}) {
		return file, nil
	}
	args := make([]string, len(s.Args))
	for i, a := range s.Args {
		args[i] = quoted(a)
	}
	ends := endsOf(file)
	table := fmt.Sprintf("[%s.%s]%scommand = %s%sargs = [%s]", key, s.Name, ends, quoted(s.Command), ends, strings.Join(args, ", "))
	var out []byte
	switch spans := tablesOf(file, key, s.Name); {
	case has != nil && len(spans) == 0:
		return nil, fmt.Errorf("%s.%s is not written as a table: remove it by hand", key, s.Name)
	case has != nil:
		first := spans[0]
		if file[first.end-1] == '\n' {
			table += ends
		}
		out = slices.Concat(file[:first.begin], []byte(table), without(file[first.end:], spans[1:], first.end))
	case len(bytes.TrimSpace(file)) == 0:
		out = slices.Concat(file, []byte(table+ends))
	case bytes.HasSuffix(file, []byte("\n")):
		out = slices.Concat(file, []byte(ends+table+ends))
	default:
		out = slices.Concat(file, []byte(ends+ends+table))
	}
	if has, err := tomlEntry(out, key, s.Name); err != nil || has == nil {
		return nil, fmt.Errorf("%q is not written as tables: add by hand [%s.%s]: %w", key, key, s.Name, err)
	}
	return out, nil
}

// quoted is a basic string of TOML: JSON's are such, too.
func quoted(s string) string {
	b, _ := json.Marshal(s) // a string has no fault
	return string(b)
}

func anys(words []string) []any {
	list := make([]any, len(words))
	for i, w := range words {
		list[i] = w
	}
	return list
}

// uninstallTOML takes the table of a server away, with its own tables and the empty line that was made before it.
func uninstallTOML(file []byte, key, name string) ([]byte, error) {
	has, err := tomlEntry(file, key, name)
	if err != nil || has == nil {
		return file, err
	}
	spans := tablesOf(file, key, name)
	for i := range spans {
		x := &spans[i]
		before, after := lineEnd(file, x.begin), file[x.end:]
		if last := file[x.end-1] != '\n'; last || len(after) == 0 || after[0] == '\n' || bytes.HasPrefix(after, []byte("\r\n")) {
			if empty := lineEnd(file, before); empty < before {
				x.begin = before
				if last {
					x.begin = empty
				}
			}
		}
	}
	out := without(file, spans, 0)
	if has, err := tomlEntry(out, key, name); err != nil || has != nil {
		return nil, fmt.Errorf("%s.%s is not written as a table: remove it by hand", key, name)
	}
	if len(out) == 0 {
		return nil, nil
	}
	return out, nil
}

// lineEnd is the place before the line end that stands before a place, or the place itself where there is none.
func lineEnd(file []byte, at int) int {
	if at == 0 || file[at-1] != '\n' {
		return at
	}
	return len(bytes.TrimSuffix(file[:at-1], []byte("\r")))
}

// span is a part of a file.
type span struct{ begin, end int }

// without is a text without the spans in it; their places are counted from offset on.
func without(text []byte, spans []span, offset int) (out []byte) {
	at := 0
	for _, x := range spans {
		out = append(out, text[at:x.begin-offset]...)
		at = x.end - offset
	}
	return append(out, text[at:]...)
}

// tablesOf are the lines of a server's table and of those in it, each from its header to its last key. Comments behind that stay: they are of what comes next.
func tablesOf(file []byte, key, name string) (spans []span) {
	line := func(at uint32) int { return bytes.LastIndexByte(file[:at], '\n') + 1 }
	until := func(at uint32) int {
		if n := bytes.IndexByte(file[at:], '\n'); n >= 0 {
			return int(at) + n + 1
		}
		return len(file)
	}
	p := unstable.Parser{}
	p.Reset(file)
	ours := false
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind == unstable.KeyValue {
			if ours {
				spans[len(spans)-1].end = until(e.Raw.Offset + e.Raw.Length)
			}
			continue
		}
		var path []string
		var begin, end uint32
		for parts := e.Key(); parts.Next(); {
			part := parts.Node()
			if path == nil {
				begin = part.Raw.Offset
			}
			path, end = append(path, string(part.Data)), part.Raw.Offset+part.Raw.Length
		}
		if ours = len(path) >= 2 && path[0] == key && path[1] == name; ours {
			if x := (span{line(begin), until(end)}); len(spans) > 0 && len(bytes.TrimSpace(file[spans[len(spans)-1].end:x.begin])) == 0 {
				spans[len(spans)-1].end = x.end // it follows the one before
			} else {
				spans = append(spans, x)
			}
		}
	}
	return spans
}

// tomlEntry is what a file says of a server, nil for nothing.
func tomlEntry(file []byte, key, name string) (any, error) {
	var all map[string]any
	if err := toml.Unmarshal(file, &all); err != nil {
		return nil, fmt.Errorf("it is no TOML: %w", err)
	}
	servers, ok := all[key].(map[string]any)
	if !ok && all[key] != nil {
		return nil, fmt.Errorf("%q is no table", key)
	}
	return servers[name], nil
}
