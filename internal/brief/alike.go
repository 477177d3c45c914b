package brief

import (
	"path"
	"strings"
	"unicode"
)

const (
	// alikeOf and alikeShare say from how many lines on, and by which share of them in hundredths, a file says what another one does.
	alikeOf, alikeShare = 6, 90
	// maxAlike bounds the files of one name that a file is compared with.
	maxAlike = 8
	// leastFolder is how many bytes a folder's name has at least that is taken out of the lines before they are compared.
	leastFolder = 4
)

// sample is a file that is shown whole, by its lines.
type sample struct {
	shelf *shelf
	lines map[string]bool
}

// alike returns what is shown of a file that a text says again, line by line but for the names of the folders that each lies in, as what a
// generator made for each part of a repository does; nil where there is none. Only files of one name are compared.
func (w *shelves) alike(name, text string) *shelf {
	list := w.samples[path.Base(name)]
	if len(list) == 0 {
		return nil
	}
	lines := linesOf(name, text)
	if len(lines) < alikeOf {
		return nil
	}
	for _, one := range list {
		if one.shelf.text == text {
			return nil // it is a copy, and told as that
		}
		same := 0
		for _, line := range lines {
			if one.lines[line] {
				same++
			}
		}
		if same*100 >= alikeShare*len(lines) {
			return one.shelf
		}
	}
	return nil
}

// saidAlike puts a member off that says what another one does, unless it was asked for, or the rest is there.
func (w *shelves) saidAlike(member int, text string) bool {
	if w.last || w.Members[member].Asked.Set {
		return false
	}
	first := w.alike(w.Members[member].Path, text)
	if first != nil && !w.importing[member] {
		first.near, w.importing[member] = append(first.near, member), true
	}
	return first != nil
}

// sampled keeps what a file says that is shown whole, for those of its name that come later.
func (w *shelves) sampled(s *shelf, text string) {
	name := w.Members[s.member].Path
	base := path.Base(name)
	list := w.samples[base]
	if len(list) == maxAlike {
		return
	}
	if lines := linesOf(name, text); len(lines) >= alikeOf {
		said := make(map[string]bool, len(lines))
		for _, line := range lines {
			said[line] = true
		}
		w.samples[base] = append(list, sample{s, said})
	}
}

// linesOf are the lines of a text that hold a letter, without the names of the folders that its file lies in.
func linesOf(name, text string) (lines []string) {
	var names []string
	for folder := range strings.SplitSeq(path.Dir(name), "/") {
		if len(folder) >= leastFolder {
			names = append(names, folder, "/")
		}
	}
	text = strings.NewReplacer(names...).Replace(text)
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); strings.ContainsFunc(line, unicode.IsLetter) {
			lines = append(lines, line)
		}
	}
	return lines
}
