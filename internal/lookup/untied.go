package lookup

import (
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/snapshot"
)

// UntiedTo are the files that say the name of a definition in their code, in a language that can use it, and that no import which is known
// ties to it: they may mean it, or another of its name. Files that surely mean another are none of them.
func UntiedTo(asked string, s *snapshot.Contents) ([]Mention, error) {
	x := NewIndex(s, nil)
	asked = Dotted(asked)
	last := asked[strings.LastIndexByte(asked, '.')+1:]
	found, err := x.Definitions(func(_, name string) bool { return Called(name, last) })
	if err != nil {
		return nil, err
	}
	defined := map[string][]int{} // of that name, by file: lines that declare another are no uses
	for _, d := range found {
		defined[d.Path] = append(defined[d.Path], d.Line)
	}
	found = slices.DeleteFunc(found, func(d Definition) bool { return !Called(d.Name, asked) })
	subject := NewSubject(asked, found)
	used, err := x.Users([]*Subject{subject}, func(t Tie) bool { return t == Untied })
	if err != nil {
		return nil, err
	}
	var list []Mention
	for _, u := range used[0].Users {
		if u.Tie != Untied || !slices.ContainsFunc(found, func(d Definition) bool { return x.sameFamily(d.Path, u.Path) }) {
			continue
		}
		m := Mention{Path: u.Path}
		for _, use := range u.Uses {
			if !slices.Contains(defined[u.Path], use.Line) && len(m.May) < MaxLines {
				m.May = append(m.May, use.Line)
			}
		}
		if len(m.May) > 0 {
			list = append(list, m)
		}
	}
	return list, nil
}
