package snapshot

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/source"
	"github.com/haversack-dev/haversack/internal/text"
)

// heir is a type that names another as what it extends, or implements: what that declares is its own too.
type heir struct {
	path, name string
	// members are those that it declares for itself.
	members map[string]bool
}

// typePlace is a type by the file that declares it.
type typePlace struct{ path, name string }

// Bounds of the search for the types that inherit a member.
const (
	// maxHeirs bounds the types.
	maxHeirs = 200
	// maxHeirFiles bounds the files that are looked through for them, and for their uses, of one member: one counts for each type.
	maxHeirFiles = 20_000
	// maxHead bounds, in bytes, how far before the name of what a type extends the word may stand that begins its head.
	maxHead = 400
)

// Heirs are what a member is called in the types that inherit it, directly or through others: those that do not declare one of the
// name, nor stand behind one that does. Files are split by split. It may be called at once where split may.
func (u *Users) Heirs(w source.WantedDefinition, split func(f *scan.File, content []byte) *source.Mentions) (list []source.WantedDefinition) {
	name, member := "", w.Name
	if i := strings.LastIndexByte(w.Name, '.'); i >= 0 {
		name, member = w.Name[:i], w.Name[i+1:]
		name = name[strings.LastIndexByte(name, '.')+1:]
	}
	if name == "" || w.Construct || w.BuiltByType() || path.Ext(w.Path) == ".go" {
		return nil
	}
	queue := []typePlace{{w.Path, name}}
	seen := map[typePlace]bool{queue[0]: true}
	left := maxHeirFiles
	for len(queue) > 0 && len(list) < maxHeirs {
		for _, h := range u.extending(queue[0], split, &left) {
			if at := (typePlace{h.path, h.name}); !seen[at] && !h.members[member] {
				seen[at] = true
				queue = append(queue, at)
				list = append(list, source.WantedDefinition{Path: h.path, Name: h.name + "." + member, Kind: w.Kind})
			}
		}
		queue = queue[1:]
	}
	return list
}

// extending are the types that name one as what they extend, in the order of their files. A type is asked once. left counts down the
// files.
func (u *Users) extending(of typePlace, split func(f *scan.File, content []byte) *source.Mentions, left *int) []heir {
	u.mu.Lock()
	list, asked := u.asked.heirs[of]
	u.mu.Unlock()
	if asked {
		return list
	}
	files := append(u.reaching(source.WantedDefinition{Path: of.path, Name: of.name}, u.most), of.path)
	slices.Sort(files)
	if *left -= len(files); *left < 0 {
		return nil
	}
	called := u.handedOnAs(of, split)
	for _, name := range slices.Compact(files) {
		f := u.files[name]
		content := u.content(f)
		for _, as := range called {
			if as != of.name && name == of.path || !headed(content, []byte(as)) {
				continue
			}
			if m := split(f, content); m != nil {
				for _, s := range m.Extending(as) {
					list = append(list, heir{name, s, m.MembersOf(s)})
				}
			}
		}
	}
	u.mu.Lock()
	u.asked.heirs[of] = list
	u.mu.Unlock()
	return list
}

// handedOnAs are the names of a type for those who import it: its own, and those under which its file hands it on.
func (u *Users) handedOnAs(of typePlace, split func(f *scan.File, content []byte) *source.Mentions) []string {
	called := []string{of.name}
	f := u.files[of.path]
	if content := u.content(f); bytes.Contains(content, []byte(of.name+" as ")) {
		if m := split(f, content); m != nil {
			called = append(called, m.HandedOnAs(of.name)...)
		}
	}
	return called
}

// typeWords are those that begin the heads of types that extend others.
var typeWords = [][]byte{[]byte("class"), []byte("interface"), []byte("struct"), []byte("enum"), []byte("record"), []byte("object"), []byte("trait"),
	[]byte("module"), []byte("protocol"), []byte("extension"), []byte("impl")}

// longestTypeWord is the length of the longest of typeWords.
const longestTypeWord = len("interface")

// headed reports whether the head of a type may hold a name: a text for which that is not so is not split. Each byte is asked at most
// once for each of typeWords, however often the name stands in the text.
func headed(content, name []byte) bool {
	upTo := 0 // none of the words stands before it near enough to a place that was asked
	for from := 0; len(name) > 0; {
		i := bytes.Index(content[from:], name)
		if i < 0 {
			return false
		}
		i += from
		from = i + len(name)
		if i > 0 && text.InWord(content[i-1]) || from < len(content) && text.InWord(content[from]) {
			continue // a part of another
		}
		before := content[max(0, i-maxHead, upTo-longestTypeWord):i]
		if slices.ContainsFunc(typeWords, func(w []byte) bool { return bytes.Contains(before, w) }) {
			return true
		}
		upTo = i
	}
	return false
}

// splitTexts are texts that are split, up to maxSplit bytes of text: the one that was split first goes first. A text larger than that is
// kept until the next one comes.
type splitTexts struct {
	of    map[string]*source.Mentions
	sizes map[string]int
	order []string
	bytes int
}

// maxSplit bounds, in bytes of the texts themselves, those that are kept split, which take ten times as much.
const maxSplit = 6 << 20

func (k *splitTexts) keep(name string, m *source.Mentions, size int) {
	if k.of == nil {
		k.of, k.sizes = map[string]*source.Mentions{}, map[string]int{}
	}
	k.of[name], k.sizes[name] = m, size
	k.order, k.bytes = append(k.order, name), k.bytes+size
	for k.bytes > maxSplit && len(k.order) > 1 {
		first := k.order[0]
		k.bytes -= k.sizes[first]
		delete(k.of, first)
		delete(k.sizes, first)
		k.order = k.order[1:]
	}
}

// split is a text, split for the next definition too.
func (u *Users) split(f *scan.File, content []byte) *source.Mentions {
	if m := u.kept.of[f.Path]; m != nil {
		return m
	}
	own, err := provider.DefineAll(f.Path, content)
	if err != nil {
		own = nil
	}
	m := source.NewMentions(f.Path, content, own)
	if m != nil {
		u.kept.keep(f.Path, m, len(content))
	}
	return m
}

// inherited are the lines on which a member surely is one that a type has from what it extends, by file. A file is gone through once for
// all of these types: hundreds may extend one, and the same files name them.
func (u *Users) inherited(w source.WantedDefinition) (list []FileUse) {
	type asked struct {
		of     source.WantedDefinition
		within bool // the file declares the type
	}
	names, of := []string(nil), map[string][]asked{}
	ask := func(name string, a asked) {
		if of[name] == nil {
			names = append(names, name)
		}
		of[name] = append(of[name], a)
	}
	left := maxHeirFiles
	for _, h := range u.Heirs(w, u.split) {
		if h.Path != w.Path {
			ask(h.Path, asked{h, true})
		}
		reached := u.reaching(h, u.most)
		if left -= len(reached); left < 0 {
			break
		}
		for _, name := range reached {
			ask(name, asked{h, false})
		}
	}
	for _, name := range names {
		f := u.files[name]
		if _, passed := u.passed[name]; passed || f == nil {
			continue
		}
		m, content := u.kept.of[name], []byte(nil)
		for _, a := range of[name] {
			if m == nil {
				if content == nil {
					content = u.content(f)
				}
				if content == nil || !a.of.MayStandIn(content) {
					continue
				}
				if m = u.split(f, content); m == nil {
					break
				}
			}
			uses := Of(m, a.of)
			if a.within {
				uses = m.Within(a.of, nil)
			}
			if sure := slices.DeleteFunc(uses, func(x source.Use) bool { return !x.Sure }); len(sure) > 0 {
				list = append(list, FileUse{name, sure})
			}
		}
	}
	return list
}
