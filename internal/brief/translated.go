package brief

import (
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
)

// ofOriginal is how much more what a changed text translates is needed than anything else: nobody can judge a translation without it.
const ofOriginal = 12_000_000

// OriginalOf returns which of the files whose texts a file may hold in another language there is; "" for none.
func OriginalOf(name string, exists func(string) bool) string {
	if t, ok := language.TranslationOf(name); ok {
		for _, one := range t.Originals() {
			if one != name && exists(one) {
				return one
			}
		}
	}
	return ""
}

// wantedTexts are, by the file that is translated, the names of the texts that the change touches in translations of it.
func wantedTexts(changed []Source) map[string]map[string]bool {
	wanted := map[string]map[string]bool{}
	for i := range changed {
		s := &changed[i]
		if s.Original == "" || s.Note != "" {
			continue
		}
		if wanted[s.Original] == nil {
			wanted[s.Original] = map[string]bool{}
		}
		names := textNames(s)
		above := map[string]bool{} // what texts stand below
		for _, name := range names {
			if at := strings.LastIndexByte(name, '\n'); at > 0 {
				above[name[:at]] = true
			}
		}
		for _, line := range s.Touched {
			if line > 0 && line <= len(names) && names[line-1] != "" && !above[names[line-1]] {
				wanted[s.Original][names[line-1]] = true
			}
		}
	}
	for i := range changed {
		delete(wanted, changed[i].Name) // the change tells of it
	}
	return wanted
}

// textNames are, by line, the names of a file's texts, with those that they stand below; "" where a line holds none.
func textNames(s *Source) []string {
	lines := strings.SplitAfter(s.Text, "\n")
	names := make([]string, len(lines))
	l := language.Of(s.Path)
	if l == nil {
		l = &unknownLanguage
	}
	items, of := itemsOf(lines, l), language.LocaleOf(s.Path)
	for n, line := range lines {
		key := language.TextKey(line)
		if key == "" || key == of && items.outer[n+1] == 0 {
			continue // all texts may stand below the language
		}
		names[n] = key
		if outer := items.outer[n+1]; outer > 0 && outer <= n && names[outer-1] != "" {
			names[n] = names[outer-1] + "\n" + key
		}
	}
	return names
}

// askedLines are read where files that the change leaves alone are divided around lines that it asks for, which then count as touched: the texts
// that changed ones translate, and those that name what is gone.
func askedLines(read Read, wanted map[string]map[string]bool, gone []string) Read {
	if len(wanted) == 0 && len(gone) == 0 {
		return read
	}
	return func(name string, shown bool) (*Source, error) {
		s, err := read(name, shown)
		if err != nil || s == nil {
			return s, err
		}
		if len(wanted[name]) == 0 {
			s.touchLeft(gone)
			return s, nil
		}
		for n, text := range textNames(s) {
			if text != "" && wanted[name][text] {
				s.Touched = append(s.Touched, n+1)
			}
		}
		s.Narrow()
		return s, nil
	}
}

// askedBlocks are, by file and block, those that a change asks for: what changed texts translate, and what names what is gone.
type askedBlocks struct{ originals, left [][]bool }

// note keeps which blocks of a file are asked for.
func (a *askedBlocks) note(file int, s *Source) {
	if s.Left {
		a.left[file] = s.touchedBlocks()
	} else {
		a.originals[file] = s.touchedBlocks()
	}
}

// raise raises the needs of what is asked for, and lowers those of other translations.
func (a *askedBlocks) raise(changed, others []*Source, wanted map[string]map[string]bool, room int) {
	raiseLeft(others, a.left, room)
	lowerTranslations(changed, others, wanted)
	for i, s := range others {
		if a.originals[i] != nil {
			s.raiseOriginals(a.originals[i])
		}
	}
}

// raiseOriginals raises the need of the blocks that hold what changed texts translate, and lowers that of the rest of their files.
func (s *Source) raiseOriginals(touched []bool) {
	for b := range s.Needs {
		if b < len(touched) && touched[b] {
			s.Needs[b] += ofOriginal
		} else {
			s.Needs[b] -= ofOriginal
		}
	}
}

// lowerTranslations lowers the need of texts in other languages beside changed ones, but for the original of these.
func lowerTranslations(changed, others []*Source, wanted map[string]map[string]bool) {
	families := map[string]bool{}
	for _, s := range changed {
		if t, ok := language.TranslationOf(s.Name); ok && s.Original != "" {
			families[t.Family] = true
		}
	}
	if len(families) == 0 {
		return
	}
	names := make(map[string]bool, len(others))
	for _, s := range others {
		names[s.Name] = true
	}
	for _, s := range others {
		t, ok := language.TranslationOf(s.Name)
		if !ok || len(wanted[s.Name]) > 0 || !families[t.Family] && OriginalOf(s.Name, func(name string) bool { return names[name] }) == "" {
			continue
		}
		for b := range s.Needs {
			s.Needs[b] -= ofOriginal
		}
	}
}

// touchedBlocks tells of each block of a file whether it holds a touched line; nil where no line is.
func (s *Source) touchedBlocks() []bool {
	if len(s.Touched) == 0 {
		return nil
	}
	e := &entry{Source: s, lines: strings.SplitAfter(s.Text, "\n")}
	list := make([]bool, len(s.Blocks()))
	for b := range list {
		list[b] = e.touches(b)
	}
	return list
}

// withOriginals are names of files that are read, and those of files that changed ones translate.
func withOriginals(names []string, wanted map[string]map[string]bool) []string {
	var more []string
	for name, texts := range wanted {
		if len(texts) > 0 && !slices.Contains(names, name) {
			more = append(more, name)
		}
	}
	slices.Sort(more)
	return append(names, more...)
}
