package rust

import (
	"strings"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/graph/names"
)

// inherent is an impl of a type that implements no trait: its path as it stands there, and the names of its functions and constants.
type inherent struct {
	scope   int32
	path    string
	members []string
}

// maxHead bounds the tokens between impl and its brace.
const maxHead = 200

// impl reads the head of an impl of a type alone, whose brace follows: what stands in that is read as elsewhere.
func (r *reader) impl(i int) {
	k := r.pastAngles(i + 1)
	var path []string
	for ; r.Kind(k) == declaration.Word && len(path) < maxSteps; k++ {
		path = append(path, r.name(k))
		if r.Kind(k+1) != ':' || r.Kind(k+2) != ':' {
			k++
			break
		}
		k += 2
	}
	k = r.pastAngles(k)
	if r.Is(k, "where") {
		for last := k + maxHead; k < last && r.Kind(k) != '{' && r.Kind(k) != ';' && r.Kind(k) != 0; {
			k++
		}
	}
	if len(path) > 0 && r.Kind(k) == '{' && len(r.f.impls) < maxScopes {
		r.f.impls = append(r.f.impls, inherent{r.scope, strings.Join(path, "::"), nil})
		r.impls = r.depth + 1
	}
}

// pastAngles returns the token behind the angle brackets that open at i, or i where none do.
func (r *reader) pastAngles(i int) int {
	if r.Kind(i) != '<' {
		return i
	}
	depth := 0
	for k := i; k < i+maxHead && r.Kind(k) != 0; k++ {
		switch r.Kind(k) {
		case '<':
			depth++
		case '>':
			if r.Kind(k-1) == '-' && r.Touch(k-1) { // an arrow
				break
			}
			if depth--; depth == 0 {
				return k + 1
			}
		}
	}
	return i
}

// member keeps the name of a function or a constant of an impl.
func (r *reader) member(i int) {
	if r.impls == 0 || r.depth != r.impls || r.Kind(i) != declaration.Word || r.Is(i, "fn") {
		return
	}
	if of := &r.f.impls[len(r.f.impls)-1]; len(of.members) < maxScopes {
		of.members = append(of.members, r.name(i))
	}
}

// memberKey is a member of a type, by the names of both.
type memberKey struct{ item, member string }

// memberPlace is an impl that declares a member.
type memberPlace struct {
	file int32
	of   *inherent
}

// maxPlaces bounds the impls that declare a member of one name for types of one name; of more, the first count.
const maxPlaces = 64

// implementations makes the index of the members of types, by the last name of the type's path.
func (b *builder) implementations() {
	b.members = map[memberKey][]memberPlace{}
	for i, f := range b.files {
		if f == nil {
			continue
		}
		for k := range f.impls {
			of := &f.impls[k]
			item := of.path[strings.LastIndexByte(of.path, ':')+1:]
			for _, m := range of.members {
				key := memberKey{item, m}
				if len(b.members[key]) < maxPlaces {
					b.members[key] = append(b.members[key], memberPlace{int32(i), of})
				}
			}
		}
	}
}

// leadMember draws the edges to the files that implement a member of a type, where these are others than the type's: of what a path
// leads to, whose last name may be that of a member.
func (b *finder) leadMember(n *node, g goal, p string, found *names.FileNames) {
	if g.item == "" {
		return
	}
	for _, at := range b.members[memberKey{g.item, p[strings.LastIndexByte(p, ':')+1:]}] {
		if at.file == g.at.file || at.file == n.file || !b.w.Take(1) {
			continue
		}
		for _, m := range b.files[at.file].nodes {
			if m.root == g.at.root && b.implements(m, at.of, g) {
				b.lead(n, goal{nil, m, ""}, found)
				break
			}
		}
	}
}

// implements reports whether an impl in a file, which is a module, is of a type.
func (b *finder) implements(m *node, of *inherent, g goal) bool {
	for _, inner := range b.scoped(m, of.scope) {
		for _, x := range b.resolve(inner, of.path, maxLooks) {
			if x.item == g.item && x.at.file == g.at.file && x.at.scope == g.at.scope {
				return true
			}
		}
	}
	return false
}

// scoped are the modules in a file's braces that are one of its scopes, or the file's own.
func (b *finder) scoped(n *node, scope int32) (list []*node) {
	if n.scope == scope {
		return []*node{n}
	}
	for _, same := range n.children {
		for _, c := range same {
			if c.file == n.file && c.scope != 0 && b.w.Take(1) {
				list = append(list, b.scoped(c, scope)...)
			}
		}
	}
	return list
}
