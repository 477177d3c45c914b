package graph

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// State is dependency.state.json (v2): what an assistant asks for.
type State struct {
	Include []Entry
	Exclude []Entry
}

// Entry asks for a file, and for what it leads to.
type Entry struct {
	ID string
	// Depth is how many edges are followed; 0 is the file alone.
	Depth int
	// Uses are the edges that are followed.
	Uses Uses
}

// String writes the entry as ParseEntry reads it.
func (e Entry) String() string {
	s := e.ID
	if e.Depth > 0 || e.Uses != All {
		s += "@" + strconv.Itoa(e.Depth)
	}
	if e.Uses != All {
		s += ":" + e.Uses.String()
	}
	return s
}

// MaxState bounds a state file, in bytes: thousands of entries are no selection.
const MaxState = 4 << 20

// maxFaults is how many faults of one file are told.
const maxFaults = 10

// ParseState reads a state. The shape is strict: v is 2, no unknown keys, an
// entry is "id", [id, depth] or [id, depth, uses], where uses is a mask or a
// list of names. Include and exclude are other names for i and x, which win.
// What an entry asks for is not judged here, but that an id is a relative path.
// Errors name the file, the entry and the rule; name is the file's.
func ParseState(name string, b []byte) (State, []Warning, error) {
	if len(b) > MaxState {
		return State{}, nil, fmt.Errorf("%s: %d bytes, at most %d are read; ask for less", name, len(b), MaxState)
	}
	b = bytes.TrimPrefix(b, []byte("\uFEFF"))
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return State{}, nil, fmt.Errorf("%s: not JSON: %w", name, err)
	}
	if d.More() {
		return State{}, nil, fmt.Errorf("%s: more than one JSON value", name)
	}
	file, ok := v.(map[string]any)
	if !ok {
		return State{}, nil, fmt.Errorf(`%s: want an object such as {"v":2,"i":["src/index.ts"]}`, name)
	}
	p := stateParser{name: name}
	for key := range file {
		if !slices.Contains([]string{"v", "i", "x", "include", "exclude"}, key) {
			p.fault("unknown key %q; v, i and x are known", key)
		}
	}
	slices.SortFunc(p.faults, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	if n, ok := file["v"].(json.Number); !ok || !isNumber(n, 2) {
		p.fault("v: must be the number 2")
	}
	s := State{Include: p.entries(file, "i", "include"), Exclude: p.entries(file, "x", "exclude")}
	if len(p.faults) > maxFaults {
		more := len(p.faults) - maxFaults
		p.faults = append(p.faults[:maxFaults], fmt.Errorf("%s: %d more faults", name, more))
	}
	if err := errors.Join(p.faults...); err != nil {
		return State{}, nil, err
	}
	return s, SortWarnings(p.warnings), nil
}

// maxStateEntries bounds each list of a state: who asks for more files than this asks
// for a folder.
const maxStateEntries = 50_000

type stateParser struct {
	name     string
	faults   []error
	warnings []Warning
}

func (p *stateParser) fault(format string, args ...any) {
	p.faults = append(p.faults, fmt.Errorf("%s: "+format, append([]any{p.name}, args...)...))
}

func (p *stateParser) entries(file map[string]any, short, long string) []Entry {
	key := short
	v, ok := file[short]
	if !ok {
		key = long
		if v, ok = file[long]; !ok {
			return nil
		}
	}
	list, ok := v.([]any)
	if !ok {
		p.fault("%s: must be a list", key)
		return nil
	}
	if len(list) > maxStateEntries {
		p.fault("%s: %d entries, and the limit is %d", key, len(list), maxStateEntries)
		return nil
	}
	entries := make([]Entry, 0, len(list))
	for i, v := range list {
		at := fmt.Sprintf("%s[%d]", key, i)
		if e, ok := p.entry(at, v); ok {
			entries = append(entries, e)
		}
	}
	return entries
}

func (p *stateParser) entry(at string, v any) (Entry, bool) {
	e := Entry{Uses: All}
	id, ok := v.(string)
	if !ok {
		t, isList := v.([]any)
		if !isList || len(t) < 2 || len(t) > 3 {
			p.fault("%s: must be \"id\", [id, depth] or [id, depth, uses]", at)
			return e, false
		}
		if id, ok = t[0].(string); !ok {
			p.fault("%s: the id must be a string", at)
			return e, false
		}
		n, isNumber := t[1].(json.Number)
		depth, err := strconv.ParseFloat(string(n), 64)
		if !isNumber || err != nil || depth < 0 || depth != math.Trunc(depth) {
			p.fault("%s: depth %s: must be a whole number, 0 or more", at, printed(t[1]))
			return e, false
		}
		e.Depth = int(min(depth, math.MaxInt32))
		if len(t) == 3 {
			if e.Uses, ok = p.uses(at, t[2]); !ok {
				return e, false
			}
		}
	}
	if e.ID, ok = p.id(at, id); !ok {
		return e, false
	}
	return e, true
}

// printed is a JSON value as it is written, or how long that is: a part of it could be
// a part of a credential.
func printed(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "?"
	}
	if len(b) > 40 {
		return fmt.Sprintf("of %d bytes", len(b))
	}
	return strings.ToValidUTF8(string(b), "")
}

// uses reads the third element of an entry in either form.
func (p *stateParser) uses(at string, v any) (Uses, bool) {
	switch v := v.(type) {
	case json.Number:
		f, err := strconv.ParseFloat(string(v), 64)
		if err != nil || f < 0 || f != math.Trunc(f) || f > math.MaxInt32 {
			p.fault("%s: uses %v: must be a sum of 1 runtime, 2 type, 4 dynamic", at, v)
			return 0, false
		}
		if f > float64(All) {
			p.warnings = append(p.warnings, Warning{p.name, fmt.Sprintf("%s: uses %v: bits above 7 are ignored", at, v)})
		}
		return Uses(int(f)) & All, true
	case []any:
		var u Uses
		for _, name := range v {
			s, _ := name.(string)
			bit, ok := ParseUses(s)
			if !ok || bit == All {
				p.fault("%s: uses %s: must be of runtime, type and dynamic", at, printed(name))
				return 0, false
			}
			u |= bit
		}
		return u, true
	}
	p.fault("%s: uses must be a mask of 0 to 7 or a list of runtime, type and dynamic", at)
	return 0, false
}

func (p *stateParser) id(at, id string) (string, bool) {
	clean, rule := cleanID(id)
	if rule != "" {
		p.fault("%s: id %q: %s", at, id, rule)
		return "", false
	}
	return clean, true
}

// cleanID trims an id and turns Windows separators round. Rule is what the id
// breaks, if it does.
func cleanID(id string) (clean, rule string) {
	clean = strings.ReplaceAll(strings.TrimSpace(id), `\`, "/")
	switch {
	case clean == "":
		return "", "must not be empty"
	case strings.HasPrefix(clean, "/"):
		return "", "must be relative to the repository"
	case slices.Contains(strings.Split(clean, "/"), ".."):
		return "", "must not hold .."
	case !utf8.ValidString(clean) || strings.ContainsFunc(clean, unicode.IsControl):
		return "", "must be printable"
	}
	return clean, ""
}

func isNumber(n json.Number, want float64) bool {
	f, err := strconv.ParseFloat(string(n), 64)
	return err == nil && f == want
}

// ParseEntry reads an entry as a command line has it: path, path@depth or
// path@depth:use+use, such as src/index.ts@2:runtime; uses may be a mask of 0 to 7.
func ParseEntry(s string) (Entry, error) {
	e := Entry{ID: s, Uses: All}
	if at := strings.LastIndexByte(s, '@'); at > 0 {
		depth, names, named := strings.Cut(s[at+1:], ":")
		if n, err := strconv.ParseUint(depth, 10, 31); err == nil {
			e.ID, e.Depth = s[:at], int(n)
			if named {
				if e.Uses, err = ParseUseSet(names); err != nil {
					return Entry{}, fmt.Errorf("entry %q: %w", s, err)
				}
			}
		}
	}
	id, rule := cleanID(e.ID)
	if rule != "" {
		return Entry{}, fmt.Errorf("entry %q: the id %s", s, rule)
	}
	e.ID = id
	return e, nil
}

// ParseUseSet reads names of uses joined by "+", or their mask; "none" is the empty set.
func ParseUseSet(names string) (Uses, error) {
	var set Uses
	if n, err := strconv.ParseUint(names, 10, 8); err == nil {
		if n > uint64(All) {
			return 0, fmt.Errorf("%s is no mask of uses: runtime 1, type 2, dynamic 4, all 7", names)
		}
		return Uses(n), nil
	}
	for name := range strings.SplitSeq(names, "+") {
		u, ok := ParseUses(name)
		if !ok && name != "none" {
			return 0, fmt.Errorf("%q is not runtime, type, dynamic, all or none", name)
		}
		set |= u
	}
	return set, nil
}

// LooseEntry reads an entry as ParseEntry does, for Summarize: of depth and uses it
// holds what s says, and no more.
func LooseEntry(s string) (any, error) {
	e, err := ParseEntry(s)
	if err != nil {
		return nil, err
	}
	at := strings.LastIndexByte(s, '@')
	if at <= 0 {
		return e.ID, nil
	}
	depth, _, named := strings.Cut(s[at+1:], ":")
	if _, err := strconv.ParseUint(depth, 10, 31); err != nil {
		return e.ID, nil // the "@" is of the name
	}
	if named {
		return []any{e.ID, float64(e.Depth), float64(e.Uses)}, nil
	}
	return []any{e.ID, float64(e.Depth)}, nil
}

// Encode writes the state: minified, entries sorted and once each, in their
// shortest form, LF at the end.
func (s State) Encode() []byte {
	b := []byte(`{"v":2,"i":`)
	b = appendEntries(b, s.Include)
	if len(s.Exclude) > 0 {
		b = append(b, `,"x":`...)
		b = appendEntries(b, s.Exclude)
	}
	return append(b, "}\n"...)
}

func appendEntries(b []byte, entries []Entry) []byte {
	b = append(b, '[')
	for i, e := range sortEntries(entries) {
		if i > 0 {
			b = append(b, ',')
		}
		if e.Depth == 0 && e.Uses == All {
			b = appendString(b, e.ID)
			continue
		}
		b = append(b, '[')
		b = appendString(b, e.ID)
		b = append(b, ',')
		b = strconv.AppendInt(b, int64(e.Depth), 10)
		if e.Uses != All {
			b = append(b, ',')
			b = strconv.AppendUint(b, uint64(e.Uses), 10)
		}
		b = append(b, ']')
	}
	return append(b, ']')
}

func sortEntries(entries []Entry) []Entry {
	sorted := slices.Clone(entries)
	slices.SortFunc(sorted, compareEntries)
	return slices.Compact(sorted)
}

func compareEntries(a, b Entry) int {
	if c := strings.Compare(a.ID, b.ID); c != 0 {
		return c
	}
	if a.Depth != b.Depth {
		return a.Depth - b.Depth
	}
	return int(a.Uses) - int(b.Uses)
}
