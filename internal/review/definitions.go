package review

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/layout"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/source"
)

// Fate is what happened to an exported definition.
type Fate string

// What happens to definitions.
const (
	Came    Fate = "added"
	Went    Fate = "removed"
	Altered Fate = "signature changed"
	Renamed Fate = "renamed"
	Moved   Fate = "moved"
)

// Definition is an exported definition that the change alters for those who use it.
type Definition struct {
	Path, Name, Kind string
	// Line in the head; of one that went, in the base.
	Line   int
	Change Fate
	// OldPath and OldName are what it was before it was moved or renamed.
	OldPath, OldName string
	// Was and Is are its signatures, on one line each; "" where it was not, or is not.
	Was, Is string
	// Users are how many files outside of the change use it, where UsersKnown; Places the first of them. May are how many name
	// a member like it of something of which the syntax does not tell the type; MayPlaces the first of those.
	Users, May        int
	UsersKnown        bool
	Places, MayPlaces []Use
}

// Use is a place at which a definition is used.
type Use struct {
	Path string
	Line int // 0 where it is not found
}

// Bounds of what is read of a change. A change of more files is reviewed by folders, not by definitions.
const (
	// maxDefined bounds the changed files whose definitions are compared.
	maxDefined = 300
	// maxDefinedBytes bounds one text that is looked through for definitions.
	maxDefinedBytes = 600_000
	// maxPlaces bounds the places that are named of one definition.
	maxPlaces = 3
	// maxSignature bounds, in characters, a signature: of a type it holds every field.
	maxSignature = 20_000
)

// side is a text with what it defines.
type side struct {
	path, text string
	// begins are where the lines of the text begin, and where the last one ends: a header for each would cost as much as a short line.
	begins []int32
	found  []graph.Definition
	// members are those of each type, alone the types that stand on one line with their bodies.
	members map[string][]*graph.Definition
	alone   map[place]bool
}

// place is a name on a line.
type place struct {
	name string
	line int
}

// pair are both sides of a changed source.
type pair struct {
	*File
	before, head side
}

// pairs reads the definitions of the changed sources, before and after; unread are those beyond maxDefined.
func (c *changeView) pairs() (list []pair, unread int) {
	for i := range c.list {
		f := &c.list[i]
		if f.Class != Source || f.Formatted || !provider.Defines(f.as()) {
			continue
		}
		if len(list) == maxDefined {
			unread++
			continue
		}
		p := pair{File: f}
		if f.file != nil && f.file.Extractable() {
			p.head = sideOf(f.Path, c.head(f.file))
		}
		if f.Status != diff.Added {
			if b, ok := c.before(f.Change); ok {
				p.before = sideOf(cmp.Or(f.OldPath, f.Path), b)
			} else if f.Status != diff.Deleted {
				continue // where the text before is not known, nothing counts as new
			}
		}
		list = append(list, p)
	}
	return list, unread
}

// sideOf reads what a text defines.
func sideOf(name string, content []byte) side {
	s := side{path: name}
	if len(content) > maxDefinedBytes {
		return s
	}
	found, err := provider.DefineAll(name, content)
	if err != nil {
		return s
	}
	s.text, s.begins = string(content), make([]int32, 1, bytes.Count(content, []byte("\n"))+2)
	for line := range strings.Lines(s.text) {
		s.begins = append(s.begins, s.begins[len(s.begins)-1]+int32(len(line))) // of a text of at most maxDefinedBytes
	}
	s.found = make([]graph.Definition, 0, len(found))
	for _, d := range found {
		if d.Line >= 1 && d.Line <= d.End && d.End < len(s.begins) {
			s.found = append(s.found, d)
		}
	}
	s.members, s.alone = map[string][]*graph.Definition{}, map[place]bool{}
	for i := range s.found {
		d := &s.found[i]
		if d.Head == d.End && d.Line == d.End {
			s.alone[place{d.Name, d.Line}] = true
		}
		if outer, _, member := cutLast(d.Name); member {
			s.members[outer] = append(s.members[outer], d)
		}
	}
	return s
}

// between are the lines from one to another, both ends of them.
func (s *side) between(from, to int) string { return s.text[s.begins[from-1]:s.begins[to]] }

// signature is a definition's on one line, without the sign that opens its body.
func (s *side) signature(d *graph.Definition) string {
	text := d.Signature
	if text == "" {
		text = s.between(d.Line, min(max(d.Head, d.Line), d.End))
	}
	return s.inLine(d, text)
}

// promise is the signature without the lines of the members that it holds: those of an interface are definitions of their own.
func (s *side) promise(d *graph.Definition) string {
	if d.Signature != "" || d.Head <= d.Line || d.Head < d.End || functionKinds[d.Kind] {
		return s.signature(d)
	}
	own := slices.Collect(strings.Lines(s.between(d.Line, d.End)))
	for _, m := range s.members[d.Name] {
		if m.Line > d.Line && m.End < d.End {
			clear(own[m.Line-d.Line : m.End-d.Line+1])
		}
	}
	return s.inLine(d, strings.Join(own, ""))
}

// inLine is a signature's text on one line.
func (s *side) inLine(d *graph.Definition, text string) string {
	text = strings.Join(strings.Fields(uncommented(s.path, text)), " ")
	if functionKinds[d.Kind] && d.Line == d.End {
		text = withoutBody(text)
	}
	if d.Kind == "var" || d.Kind == "const" {
		text, _, _ = strings.Cut(text, "=") // its value is no promise
	}
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "{"))
	if r := []rune(text); len(r) > maxSignature {
		text = string(r[:maxSignature-1]) + "…"
	}
	return text
}

// uncommented is a text without its language's comments: those behind white space or at the beginning of a line, as a sign within a
// word is an address, or a string.
func uncommented(name, text string) string {
	l := language.Of(name)
	if l == nil {
		return text
	}
	for l.Open != "" && l.Open != l.Shut {
		before, rest, ok := strings.Cut(text, l.Open)
		_, after, closed := strings.Cut(rest, l.Shut)
		if !ok || !closed {
			break
		}
		text = before + " " + after
	}
	sign := l.Comment()
	if sign == "" {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		for at := 0; ; {
			i := strings.Index(line[at:], sign)
			if i < 0 {
				break
			}
			if at += i; at == 0 || line[at-1] == ' ' || line[at-1] == '\t' {
				line = line[:at] + "\n"
				break
			}
			at += len(sign)
		}
		b.WriteString(line)
	}
	return b.String()
}

// withoutBody cuts a function of one line where its body begins: at the first brace outside of brackets.
func withoutBody(text string) string {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case '{':
			if depth == 0 {
				return text[:i]
			}
		}
	}
	return text
}

// body is a definition's text from its name's line on, without white space and without its name.
func (s *side) body(d *graph.Definition) string {
	text := strings.Join(strings.Fields(s.between(d.Line, d.End)), " ")
	return strings.ReplaceAll(text, lastName(d.Name), "·")
}

// lastName is the name of a definition without the types that it is a member of.
func lastName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// entry is a definition on its side.
type entry struct {
	*graph.Definition
	of *side
	in *pair
}

// meaning is a promise without what its layout adds: white space, the order of modifiers, commas behind the last of a list, a bar before the first of
// a union, and the sign that ends it.
func (e entry) meaning() string {
	s := layout.SortModifiers(string(tokens([]byte(e.of.promise(e.Definition)), false, true)))
	for _, x := range []string{"=", ":", "<", "("} {
		s = strings.ReplaceAll(s, x+"|", x)
	}
	return strings.TrimRight(s, ";,")
}

// grew reports whether a type has all that it had, and something more.
func (d *Definition) grew() bool {
	if d.Change != Altered || functionKinds[d.Kind] || d.Was == "" || len(d.Is) <= len(d.Was) {
		return false
	}
	head := 0
	for head < len(d.Was) && d.Was[head] == d.Is[head] {
		head++
	}
	return strings.HasSuffix(d.Is, d.Was[head:])
}

// definitions returns the exported definitions that the change alters.
func (c *changeView) definitions(pairs []pair) []Definition {
	var list []Definition
	var came, went []entry
	for i := range pairs {
		p := &pairs[i]
		altered, plus, minus := compare(p)
		for _, x := range altered {
			list = append(list, Definition{Path: p.Path, Name: x[1].Name, Kind: x[1].Kind, Line: x[1].Line, Change: Altered, Was: x[0].of.promise(x[0].Definition), Is: x[1].of.promise(x[1].Definition)})
		}
		came, went = append(came, plus...), append(went, minus...)
	}
	came, went, moved := match(came, went)
	list = append(list, moved...)
	// One name of a file is told once, whatever forms it has: overloads, what reads and what writes a property.
	told := map[[3]string]bool{}
	for _, x := range came {
		if key := [3]string{x.of.path, x.Name, string(Came)}; !told[key] {
			told[key] = true
			list = append(list, Definition{Path: x.of.path, Name: x.Name, Kind: x.Kind, Line: x.Line, Change: Came, Is: x.of.signature(x.Definition)})
		}
	}
	for _, x := range went {
		if key := [3]string{x.of.path, x.Name, string(Went)}; !told[key] {
			told[key] = true
			list = append(list, Definition{Path: x.of.path, Name: x.Name, Kind: x.Kind, Line: x.Line, Change: Went, Was: x.of.signature(x.Definition)})
		}
	}
	for i := range list {
		c.use(&list[i])
	}
	slices.SortFunc(list, func(a, b Definition) int {
		return cmp.Or(cmp.Compare(b.Users, a.Users), cmp.Compare(weightOf(a.Change), weightOf(b.Change)), strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), strings.Compare(a.Name, b.Name))
	})
	return list
}

// weightOf orders fates by how much they ask of those who use a definition.
func weightOf(f Fate) int { return slices.Index([]Fate{Went, Altered, Renamed, Moved, Came}, f) }

// compare parts the exported definitions of a pair into those with another signature, before and after, and those that one side
// alone has. What belongs to a type that one side alone has goes with it.
func compare(p *pair) (altered [][2]entry, came, went []entry) {
	before, head := byName(&p.before, p), byName(&p.head, p)
	for _, name := range names(before, head) {
		a, b := before[name], head[name]
		same := map[string]int{}
		for _, x := range a {
			same[x.meaning()]++
		}
		var rest []entry
		for _, x := range b {
			if s := x.meaning(); same[s] > 0 {
				same[s]--
			} else {
				rest = append(rest, x)
			}
		}
		var old []entry
		for _, x := range a {
			if s := x.meaning(); same[s] > 0 {
				same[s]--
				old = append(old, x)
			}
		}
		n := min(len(old), len(rest))
		for i := range n {
			altered = append(altered, [2]entry{old[i], rest[i]})
		}
		if outer, _, member := cutLast(name); !member || len(before[outer]) > 0 == (len(head[outer]) > 0) {
			went, came = append(went, old[n:]...), append(came, rest[n:]...)
		}
	}
	return altered, came, went
}

// within reports whether a definition is exported to its own crate alone: pub(crate), pub(super).
func (s *side) within(d *graph.Definition) bool {
	return strings.HasSuffix(s.path, ".rs") && strings.HasPrefix(strings.TrimSpace(s.between(d.Line, d.Line)), "pub(")
}

// cutLast parts a name from the type that it is a member of.
func cutLast(name string) (outer, last string, member bool) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return "", name, false
	}
	return name[:i], name[i+1:], true
}

// inOneLine reports whether a definition is the member of a type that stands on one line with it: the type's signature tells it.
func (s *side) inOneLine(d *graph.Definition) bool {
	outer, _, member := cutLast(d.Name)
	return member && s.alone[place{outer, d.Line}]
}

// byName are the exported definitions of a side by name.
func byName(s *side, p *pair) map[string][]entry {
	m := map[string][]entry{}
	for i := range s.found {
		if d := &s.found[i]; d.Exported && d.Kind != "test" && !s.inOneLine(d) && !s.within(d) {
			m[d.Name] = append(m[d.Name], entry{d, s, p})
		}
	}
	return m
}

// names are those of both, sorted.
func names(a, b map[string][]entry) (list []string) {
	for name := range a {
		list = append(list, name)
	}
	for name := range b {
		list = append(list, name)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// match finds what was moved or renamed: what went and what came with the same body, or is called the same in one of both files.
func match(came, went []entry) (plus, minus []entry, moved []Definition) {
	const least = 40 // a shorter body says too little
	bodies := map[string][]int{}
	for i, x := range went {
		if b := x.of.body(x.Definition); len(b) >= least {
			bodies[x.Kind+b] = append(bodies[x.Kind+b], i)
		}
	}
	taken := make([]bool, len(went))
	for _, x := range came {
		at := -1
		for _, i := range bodies[x.Kind+x.of.body(x.Definition)] {
			if y := went[i]; !taken[i] && (y.Name == x.Name || y.in == x.in) {
				at = i
				break
			}
		}
		if at < 0 {
			plus = append(plus, x)
			continue
		}
		taken[at] = true
		y := went[at]
		d := Definition{Path: x.of.path, Name: x.Name, Kind: x.Kind, Line: x.Line, Change: Moved, OldPath: y.of.path, OldName: y.Name, Was: y.of.signature(y.Definition), Is: x.of.signature(x.Definition)}
		if y.in == x.in {
			d.Change = Renamed
		}
		moved = append(moved, d)
	}
	for i, x := range went {
		if !taken[i] {
			minus = append(minus, x)
		}
	}
	return plus, minus, moved
}

// hasGraph reports whether the imports of a file of the head are read, or of one that is there no longer.
func (c *changeView) hasGraph(name string) bool {
	if f := c.files[name]; f != nil {
		name = f.As()
	}
	return snapshot.HasGraph(name)
}

// use says who uses a definition outside of the change.
func (c *changeView) use(d *Definition) {
	g := c.v.Graph
	if g == nil || !c.hasGraph(d.Path) {
		return
	}
	was := cmp.Or(d.OldPath, d.Path)
	there := c.files[was] != nil
	if d.Change == Went && !there {
		return
	}
	if c.users == nil {
		c.users = snapshot.NewUsers(c.files, c.v.Sealed.Meta, g.Result.Users, c.place)
	}
	users := map[string][]source.Use{}
	take := func(list []snapshot.FileUse, known bool) bool {
		for _, x := range list {
			users[x.Path] = append(users[x.Path], x.Uses...)
		}
		return known
	}
	wanted := source.WantedDefinition{Path: d.Path, Name: d.Name, Kind: d.Kind, Construct: d.Kind == "constructor"}
	if known := take(c.users.Of(wanted)); !known {
		return
	}
	if d.Change == Went || d.OldPath != "" {
		// No reference leads to a definition that is gone: whoever imports the file and names it still uses it.
		wanted.Path, wanted.Name = was, cmp.Or(d.OldName, d.Name)
		if known := take(c.users.Importing(wanted)); !known {
			return
		}
	}
	d.UsersKnown = true
	sure, may := map[string]int{}, map[string]int{}
	for name, list := range users {
		line, is := firstUse(list)
		if is {
			sure[name] = line
		} else {
			may[name] = line
		}
	}
	d.Users, d.Places = len(sure), firstPlaces(sure)
	d.May, d.MayPlaces = len(may), firstPlaces(may)
}

// firstUse is the line of the first use that is sure and imports nothing; else of the first that is sure, else of the first. It is
// sure without any, too: the graph says so, and no line is found.
func firstUse(list []source.Use) (line int, sure bool) {
	if len(list) == 0 {
		return 0, true
	}
	best := list[0]
	for _, u := range list {
		if u.Sure && (!best.Sure || best.Imports && !u.Imports) {
			best = u
		}
	}
	return best.Line, best.Sure
}

// firstPlaces are the first of the places by path.
func firstPlaces(lines map[string]int) (list []Use) {
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		if len(list) == maxPlaces {
			break
		}
		list = append(list, Use{name, lines[name]})
	}
	return list
}

// words calls with each identifier of a text.
func words(content []byte, call func([]byte)) {
	start := -1
	for i := 0; i <= len(content); i++ {
		in := false
		if i < len(content) {
			digit := content[i] >= '0' && content[i] <= '9'
			in = wordSign(content[i]) && (start >= 0 || !digit)
		}
		switch {
		case in && start < 0:
			start = i
		case !in && start >= 0:
			call(content[start:i])
			start = -1
		}
	}
}
