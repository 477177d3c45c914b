package lookup

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/source"
)

// Mention is a file that names a definition of another.
type Mention struct {
	Path string
	// Lines name it, May name a member of something of which the syntax does not tell the type; of each the first MaxLines.
	Lines, May []int
	// More are the lines of both beyond that.
	More int
	// Own says that the file defines it.
	Own bool
}

// maxWanted bounds the definitions that users are looked for at once: those that one name, or one folder, has.
const maxWanted = 2000

// Mentions are the files that name a definition, or what a file, or a folder, offers, of those that import it, by path, and behind them those
// that define what has the name that is asked for, as far as they name it elsewhere; unknown
// are the files that define what too many may use. ok is false where nothing is called so.
func Mentions(asked string, s *snapshot.Contents) (list []Mention, unknown []string, ok bool, err error) {
	files, err := Files([]string{asked}, s)
	byPath := err == nil
	all := make(map[string]*scan.File, len(s.Files))
	for i := range s.Files {
		all[s.Files[i].Path] = &s.Files[i]
		if !byPath {
			files = append(files, &s.Files[i])
		}
	}
	asked = Dotted(asked)
	var wanted, wide []source.WantedDefinition
	of, wideOf := map[string]bool{}, map[string]bool{}
	others := holders{member: asked[strings.LastIndexByte(asked, '.')+1:], by: map[string]bool{}, bases: map[string]bool{}}
	if err := DefineEach(files, func(f *scan.File, found []Definition) {
		for _, d := range found {
			if !byPath {
				others.add(d)
			}
			if byPath && (d.Exported || path.Ext(f.Path) == ".py" && d.Name[0] != '_') || !byPath && Called(d.Name, asked) {
				wanted = append(wanted, wantedOf(f, d))
				of[f.Path] = of[f.Path] || d.Kind != "alias"
			} else if !byPath && Within(f.Path, d.Name, asked) {
				wide = append(wide, wantedOf(f, d))
				wideOf[f.Path] = wideOf[f.Path] || d.Kind != "alias"
			}
		}
	}); err != nil {
		return nil, nil, false, err
	}
	if len(wanted) == 0 {
		wanted, of = wide, wideOf
	}
	users := snapshot.NewUsers(all, s.Meta, nil, nil)
	if !byPath {
		users.All()
	}
	rows := map[string]*Mention{}
	for _, w := range wanted[:min(len(wanted), maxWanted)] {
		found, known := users.Of(w)
		if !known {
			unknown = append(unknown, w.Path)
		}
		for _, x := range found {
			if of[x.Path] && (byPath || !w.Member()) { // it has the name for itself, or declares the same
				continue
			}
			if rows[x.Path] == nil {
				rows[x.Path] = &Mention{Path: x.Path}
			}
			rows[x.Path].add(slices.DeleteFunc(slices.Clone(x.Uses), func(u source.Use) bool { return others.own(u, w) }))
			if len(rows[x.Path].Lines)+len(rows[x.Path].May) == 0 && len(x.Uses) > 0 {
				delete(rows, x.Path)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		list = append(list, rows[name].bounded())
	}
	if !byPath {
		list = append(list, ownMentions(users, wanted[:min(len(wanted), maxWanted)])...)
	}
	slices.Sort(unknown)
	return list, slices.Compact(unknown), byPath || len(of) > 0, nil
}

// ownMentions are the files that define what is wanted, with the lines on which they name it and do not define it.
func ownMentions(users *snapshot.Users, wanted []source.WantedDefinition) (list []Mention) {
	rows := map[string]*Mention{}
	for _, w := range wanted {
		uses := users.Within(w)
		if len(uses) == 0 {
			continue
		}
		if rows[w.Path] == nil {
			rows[w.Path] = &Mention{Path: w.Path, Own: true}
		}
		rows[w.Path].add(uses)
	}
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		m := rows[name].bounded()
		m.Own = true
		list = append(list, m)
	}
	return list
}

// wantedOf is a definition as its users are looked for.
func wantedOf(f *scan.File, d Definition) source.WantedDefinition {
	return source.WantedDefinition{Path: f.Path, Name: d.Name, Kind: source.WantedKind(f.Path, d.Name, d.Kind, d.Signature), Construct: d.Kind == "constructor", Extends: source.Extended(f.Path, d.Name, d.Signature)}
}

// holders are the types that declare a member of one name.
type holders struct {
	member string
	by     map[string]bool
	// bases are those whose members may be another's: what is asked of one is answered by what implements it.
	bases map[string]bool
}

func (h *holders) add(d Definition) {
	switch d.Kind {
	case "interface", "trait", "protocol":
		h.bases[d.Name[strings.LastIndexByte(d.Name, '.')+1:]] = true
	}
	if outer := outerOf(d.Name); outer != "" && strings.HasSuffix(d.Name, "."+h.member) {
		h.by[outer] = true
	}
}

// own reports whether a use that may be of what is wanted is surely of a type that declares another of its name.
func (h *holders) own(u source.Use, w source.WantedDefinition) bool {
	return !u.Sure && h.by[u.Of] && !h.bases[u.Of] && u.Of != outerOf(w.Name)
}

// add takes lines into a row.
func (m *Mention) add(uses []source.Use) {
	for _, u := range uses {
		if u.Sure {
			m.Lines = append(m.Lines, u.Line)
		} else {
			m.May = append(m.May, u.Line)
		}
	}
}

// bounded is a row with each line once, and no more than are told.
func (m *Mention) bounded() Mention {
	slices.Sort(m.Lines)
	slices.Sort(m.May)
	lines := slices.Compact(m.Lines)
	may := slices.DeleteFunc(slices.Compact(m.May), func(n int) bool {
		_, sure := slices.BinarySearch(lines, n)
		return sure
	})
	told := Mention{Path: m.Path, Lines: lines[:min(len(lines), MaxLines)], May: may[:min(len(may), MaxLines)]}
	told.More = len(lines) - len(told.Lines) + len(may) - len(told.May)
	return told
}
