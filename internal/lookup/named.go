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
}

// maxWanted bounds the definitions that users are looked for at once: those that a folder offers.
const maxWanted = 2000

// OfferedBy are the files that name what a file, or what lies in a folder, offers, of those that import it, by path; unknown are the files that
// define what too many may use.
func OfferedBy(asked string, s *snapshot.Contents) (list []Mention, unknown []string, err error) {
	files, err := Files([]string{asked}, s)
	if err != nil {
		return nil, nil, err
	}
	all := make(map[string]*scan.File, len(s.Files))
	for i := range s.Files {
		all[s.Files[i].Path] = &s.Files[i]
	}
	var offered []source.WantedDefinition
	of := map[string]bool{}
	if err := DefineEach(files, func(f *scan.File, found []Definition) {
		for _, d := range found {
			if d.Exported || path.Ext(f.Path) == ".py" && d.Name[0] != '_' {
				offered = append(offered, wanted(d))
				of[f.Path] = of[f.Path] || d.Kind != "alias"
			}
		}
	}); err != nil {
		return nil, nil, err
	}
	users := snapshot.NewUsers(all, s.Meta, nil, nil)
	rows := map[string]*Mention{}
	for _, w := range offered[:min(len(offered), maxWanted)] {
		found, known := users.Of(w)
		if !known {
			unknown = append(unknown, w.Path)
		}
		for _, x := range found {
			if of[x.Path] { // it has the name for itself, or declares the same
				continue
			}
			if rows[x.Path] == nil {
				rows[x.Path] = &Mention{Path: x.Path}
			}
			rows[x.Path].add(x.Uses)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		list = append(list, rows[name].bounded())
	}
	slices.Sort(unknown)
	return list, slices.Compact(unknown), nil
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

// maxRenamings bounds the other names of one thing whose users are told.
const maxRenamings = 8

// UsersOf answers who uses a subject, behind those who call it by its name those who know it by another, under which a file hands it on. What no
// import ties to such a name is left out: the name is not that which was asked for. Renamed keeps the names whose users are not told.
func (x *Index) UsersOf(subject *Subject) (*Usage, error) {
	used, err := x.Users([]*Subject{subject}, func(Tie) bool { return true })
	if err != nil {
		return nil, err
	}
	u := &used[0]
	list := u.Renamed[:min(maxRenamings, len(u.Renamed))]
	if len(list) == 0 {
		return u, nil
	}
	subjects := make([]*Subject, 0, len(list))
	for _, r := range list {
		subjects = append(subjects, r.Subject())
	}
	if used, err = x.Users(subjects, func(t Tie) bool { return t != Untied && t != Itself }); err != nil {
		return nil, err
	}
	u.Renamed = u.Renamed[len(list):]
	for i := range used {
		for _, by := range used[i].Users {
			by.As = list[i]
			u.Users = append(u.Users, by)
		}
		for _, r := range used[i].Renamed {
			if !slices.Contains(list, r) {
				u.Renamed = append(u.Renamed, r)
			}
		}
	}
	return u, nil
}

// NamedBy are the files that name a definition.
type NamedBy struct {
	// Tied are those that an import, or their package, ties to it, Own those that define it, as far as they name it elsewhere, and Untied those in
	// a language that can use it that nothing known ties to it: they may mean another of its name.
	Tied, Own, Untied []Mention
	// Unread are files that say the name and are not looked through.
	Unread []string
}

// NamedBy tells who names what is called so; nil where no definition is.
func (x *Index) NamedBy(asked string) (*NamedBy, error) {
	found, err := x.Meant(asked)
	if err != nil || !slices.ContainsFunc(found, func(d Definition) bool { return d.Kind != "alias" }) {
		return nil, err
	}
	x.users().All()
	used, err := x.UsersOf(NewSubject(asked, found))
	if err != nil {
		return nil, err
	}
	declared, err := x.declaring(asked[strings.LastIndexByte(asked, '.')+1:])
	if err != nil {
		return nil, err
	}
	rows := map[string]*Mention{}
	n := &NamedBy{Unread: used.Unread}
	for _, u := range used.Users {
		switch u.Tie {
		case Itself:
			if uses := intended(u.Uses); len(uses) > 0 {
				n.Own = append(n.Own, mentionOf(u.Path, uses))
			}
		case Untied:
			uses := slices.DeleteFunc(u.Uses, func(use Use) bool { return slices.Contains(declared[u.Path], use.Line) })
			if len(uses) > 0 && slices.ContainsFunc(found, func(d Definition) bool { return x.sameFamily(d.Path, u.Path) }) {
				m := mentionOf(u.Path, uses)
				m.Lines, m.May = m.May, nil // each of them may mean another
				n.Untied = append(n.Untied, m)
			}
		default:
			if uses := intended(u.Uses); len(uses) > 0 {
				if rows[u.Path] == nil {
					rows[u.Path] = &Mention{Path: u.Path}
				}
				rows[u.Path].addUses(uses)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		n.Tied = append(n.Tied, rows[name].bounded())
	}
	return n, nil
}

// intended are uses without those that only say the name.
func intended(uses []Use) []Use {
	return slices.DeleteFunc(slices.Clone(uses), func(u Use) bool { return u.Said })
}

// declaring are the lines that declare what bears a name, by file: they are no uses of another.
func (x *Index) declaring(name string) (map[string][]int, error) {
	found, err := x.Definitions(func(_, said string) bool { return Called(said, name) })
	lines := map[string][]int{}
	for _, d := range found {
		lines[d.Path] = append(lines[d.Path], d.Line)
	}
	return lines, err
}

// mentionOf is a row of one file.
func mentionOf(name string, uses []Use) Mention {
	m := &Mention{Path: name}
	m.addUses(uses)
	return m.bounded()
}

// addUses takes lines into a row.
func (m *Mention) addUses(uses []Use) {
	for _, u := range uses {
		if u.Sure {
			m.Lines = append(m.Lines, u.Line)
		} else {
			m.May = append(m.May, u.Line)
		}
	}
}
