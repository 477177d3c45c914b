package snapshot

import (
	"bytes"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/source"
)

// Bounds of what is asked of other files about a chain of calls.
const (
	// maxSupers is how many steps a member is looked for in what its type extends.
	maxSupers = 4
	// maxChainFiles bounds the files that are looked through for chains to one member.
	maxChainFiles = 400
	// maxAskedFiles bounds those of all members, of one change.
	maxAskedFiles = 20_000
	// maxGiven bounds the types of which is asked what a member gives back, for one text and one definition: each may extend thousands,
	// and these thousands again.
	maxGiven = 2000
	// maxLooked bounds what is looked through of other files for one text and one definition, as bytes in which a word is looked for:
	// a file counts perLook more, each place of the name in it perName, and where it is split each of its bytes perSplit more.
	maxLooked = 1 << 30
	// maxAllLooked bounds that of all texts and definitions.
	maxAllLooked = 8 << 30

	perLook  = 8 << 10
	perName  = 1 << 10
	perSplit = 750
)

// splitter splits a text, or has it from before.
type splitter func(f *scan.File, content []byte) *source.Mentions

// namedIn is a name as a file says it.
type namedIn struct{ path, name string }

// memberOf is a member of a type of a file.
type memberOf struct {
	typePlace
	member string
}

// typeAsked is the file that declares a type, and memberAsked what a file says of a member, with what it took to learn it: that counts
// for whoever asks again, or else what is found would hang on who asks first.
type typeAsked struct {
	path string
	took int64
}

type memberAsked struct {
	back                string
	supers              []string
	declared, overloads bool
	took                int64
}

// chase asks what calls give back, on behalf of one text.
type chase struct {
	*Users
	split  splitter
	given  int   // of maxGiven
	looked int64 // of maxLooked
	over   bool  // no more is looked through
}

// spend counts what is looked through, and reports whether that may be.
func (u *chase) spend(n int64) bool {
	u.mu.Lock()
	u.asked.looked += n
	u.over = u.over || u.asked.looked > maxAllLooked
	u.mu.Unlock()
	return u.took(n)
}

// took is spend of what somebody has spent before.
func (u *chase) took(n int64) bool {
	u.looked += n
	u.over = u.over || u.looked > maxLooked
	return !u.over
}

// text is that of a file, nil where it cannot be read, or too much was looked through.
func (u *chase) text(path string) []byte {
	content := u.content(u.files[path])
	if content == nil || !u.spend(int64(perLook+len(content))) {
		return nil
	}
	return content
}

// taken is the text of a file, taken apart; nil where that is not known, or too much was.
func (u *chase) taken(path string, content []byte) *source.Mentions {
	if !u.spend(perSplit * int64(len(content))) {
		return nil
	}
	return u.split(u.files[path], content)
}

// Chained are the lines of a text that name a member behind calls: what these give back, by what other files declare, is its type.
// It may be called at once where split may.
func (u *Users) Chained(m *source.Mentions, from string, w source.WantedDefinition, split splitter) (list []source.Use) {
	outer, member := parted(w.Name)
	if outer == "" || m == nil || w.Construct || w.BuiltByType() {
		return nil
	}
	chains := m.Chains(member)
	if len(chains) == 0 {
		return nil
	}
	ends := map[typePlace]bool{{w.Path, outer}: true}
	for _, h := range u.Heirs(w, split) {
		name, _ := parted(h.Name)
		ends[typePlace{h.Path, name}] = true
	}
	of := chase{Users: u, split: split}
	for _, c := range chains {
		if end, ok := of.follow(from, c); ok && ends[end] {
			list = append(list, source.Use{Line: c.Line, Sure: true})
		}
	}
	return list
}

// parted are the name of the type around a member, and that of the member itself.
func parted(name string) (outer, member string) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return "", name
	}
	return name[strings.LastIndexByte(name[:i], '.')+1 : i], strings.TrimPrefix(name[i+1:], "$")
}

// follow is the type that a chain of calls gives back.
func (u *chase) follow(from string, c source.Chain) (at typePlace, ok bool) {
	for _, of := range c.Of {
		at, ok = u.typeNamed(from, of)
		if !ok {
			return at, false
		}
		declared := false
		if at, declared, ok = u.gives(at, c.Calls[0], 0); declared {
			break
		}
	}
	for _, member := range c.Calls[1:] {
		if !ok {
			break
		}
		at, _, ok = u.gives(at, member, 0)
	}
	return at, ok
}

// typeNamed is the type that a file means by a name: its own, or the one of all that it imports.
func (u *chase) typeNamed(from, name string) (at typePlace, ok bool) {
	if u.given++; u.given > maxGiven { // counted whether it was asked before or not: else it would hang on who asks first
		return at, false
	}
	key := namedIn{from, name}
	u.mu.Lock()
	known, asked := u.asked.types[key]
	u.mu.Unlock()
	switch before := u.looked; {
	case asked:
		u.took(known.took)
	default:
		known = typeAsked{u.declaring(from, name), 0}
		known.took = u.looked - before
		if !u.over {
			u.mu.Lock()
			u.asked.types[key] = known
			u.mu.Unlock()
		}
	}
	return typePlace{known.path, name}, known.path != "" && !u.over
}

// declaring is the file that declares what another means by the name of a type, "" where none does, or several.
func (u *chase) declaring(from, name string) (found string) {
	declares := func(path string) bool {
		content := u.text(path)
		if content == nil || !u.spend(perName*int64(bytes.Count(content, []byte(name)))) || !headed(content, []byte(name)) {
			return false
		}
		m := u.taken(path, content)
		return m != nil && m.Declares(name)
	}
	if declares(from) {
		return from
	}
	for _, path := range u.imports[from] {
		if u.over {
			return ""
		}
		if path == found || !declares(path) {
			continue
		}
		if found != "" {
			return ""
		}
		found = path
	}
	return found
}

// gives is the type that a member of another gives back; declared is false where neither that nor what it extends has one of the name.
func (u *chase) gives(of typePlace, member string, deep int) (at typePlace, declared, ok bool) {
	if u.given++; deep > maxSupers || u.given > maxGiven {
		return at, false, false
	}
	said := u.saysOf(memberOf{of, member})
	if u.over {
		return at, false, false
	}
	declared = said.declared
	switch said.back {
	case "":
	case "this", "static", "Self", "self":
		at, ok = of, true
	default:
		at, ok = u.typeNamed(of.path, said.back)
	}
	if declared && (!ok || !said.overloads) {
		return at, declared, ok
	}
	for _, name := range said.supers {
		super, known := u.typeNamed(of.path, name)
		if !known || super == of {
			continue
		}
		again, above, sure := u.gives(super, member, deep+1)
		switch {
		case !above:
		case !declared:
			if again == super && sure { // itself
				again = of
			}
			return again, true, sure
		case again != at && !(at == of && again == super): // it may be another one of the name
			return at, true, false
		}
	}
	return at, declared, ok
}

// saysOf is what a file says of a member of one of its types.
func (u *chase) saysOf(key memberOf) (said memberAsked) {
	u.mu.Lock()
	said, asked := u.asked.members[key]
	u.mu.Unlock()
	if asked {
		u.took(said.took)
		return said
	}
	before := u.looked
	if content := u.text(key.path); content != nil {
		if m := u.taken(key.path, content); m != nil {
			said.back, said.declared = m.Gives(key.name, key.member)
			said.supers, said.overloads = m.Extends(key.name), m.Overloads()
		}
	}
	said.took = u.looked - before
	if !u.over {
		u.mu.Lock()
		u.asked.members[key] = said
		u.mu.Unlock()
	}
	return said
}

// chained are the lines of files that name a member behind calls, sure ones alone, by file. Such a file need not import the one that declares
// it: it imports one that does.
func (u *Users) chained(w source.WantedDefinition) (list []FileUse) {
	outer, member := parted(w.Name)
	if outer == "" || w.Construct || w.BuiltByType() {
		return nil
	}
	near := map[string]bool{}
	for _, name := range append([]string{w.Path}, u.importers[w.Path]...) {
		for _, from := range append([]string{name}, u.importers[name]...) {
			near[from] = true
		}
		if len(near) > maxChainFiles {
			return nil
		}
	}
	delete(near, w.Path)
	names := make([]string, 0, len(near))
	for name := range near {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		f := u.files[name]
		if _, passed := u.passed[name]; passed || f == nil || u.asked.chains >= maxAskedFiles {
			continue
		}
		u.asked.chains++
		m := u.kept.of[name]
		if content := u.content(f); m == nil && bytes.Contains(content, []byte(member)) {
			m = u.split(f, content)
		}
		if uses := u.Chained(m, name, w, u.split); len(uses) > 0 {
			list = append(list, FileUse{name, uses})
		}
	}
	return list
}
