package snapshot

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/source"
)

// Whole is a definition of TypeScript or JavaScript that is all that its file exports, or its default: who imports the file
// calls it by a name of his own.
type Whole struct {
	name      string
	importers []string // in order
	call      *regexp.Regexp
}

// Whole returns the definition that what is wanted is, or is a member of, where that is a whole; nil elsewhere. It may be called
// at once.
func (u *Users) Whole(w source.WantedDefinition) *Whole {
	l := language.Of(w.Path)
	importers := u.importers[w.Path]
	if l == nil || l.Family != "script" || len(importers) == 0 {
		return nil
	}
	content := u.content(u.files[w.Path])
	name := source.First(w.Name)
	bare := regexp.QuoteMeta(name) + `(?:[^\w$]|$)`
	exports, err := regexp.Compile(`\bexport\s+default\s+(?:(?:async\s+)?function\s*\*?\s*|(?:abstract\s+)?class\s+|interface\s+)?` + bare + `|\bexport\s*=\s*` + bare + `|\bmodule\.exports\s*=\s*` + bare)
	if err != nil || content == nil || !exports.Match(content) {
		return nil
	}
	base := strings.TrimSuffix(path.Base(w.Path), path.Ext(w.Path))
	if base == "index" {
		base = path.Base(path.Dir(w.Path))
	}
	from := `['"](?:[^'"\n]*/)?` + regexp.QuoteMeta(base) + `(?:/index)?(?:\.\w+)?/?['"]`
	if base == "." {
		from = `['"][^'"\n]*['"]`
	}
	call, err := regexp.Compile(`\bimport\s+(?:type\s+)?([A-Za-z_$][\w$]*)\s*(?:,[^'";]*)?(?:\bfrom\s*|=\s*require\(\s*)` + from + `|\b([A-Za-z_$][\w$]*)\s*=\s*require\(\s*` + from)
	if err != nil {
		return nil
	}
	return &Whole{name, importers, call}
}

// ImportedBy reports whether a file imports the one that the whole is of.
func (h *Whole) ImportedBy(name string) bool {
	if h == nil {
		return false
	}
	_, ok := slices.BinarySearch(h.importers, name)
	return ok
}

// maxCalled bounds the imports of one text that are looked at.
const maxCalled = 20

// As returns what is wanted by the name under which a text of this path imports the whole; ok is false where it does not import
// it, or under its own name.
func (h *Whole) As(w source.WantedDefinition, name string, content []byte) (as source.WantedDefinition, ok bool) {
	if !h.ImportedBy(name) {
		return w, false
	}
	for _, m := range h.call.FindAllSubmatch(content, maxCalled) {
		if called := string(m[1]) + string(m[2]); called != h.name {
			w.Name = called + strings.TrimPrefix(w.Name, h.name)
			w.Told = true
			return w, true
		}
	}
	return w, false
}

// Uses are the lines on which a text names what As returned. What requires the file binds a local: where it stands is told as unsure.
func (h *Whole) Uses(m *source.Mentions, as source.WantedDefinition) []source.Use {
	list := m.Of(as)
	if len(list) == 0 && !as.Member() {
		for _, w := range m.Words(as.Name) {
			if w.As != source.Literal {
				list = append(list, source.Use{Line: w.Line})
			}
		}
	}
	return list
}
