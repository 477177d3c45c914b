package repo

import (
	"bytes"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/tree"
)

// Attributes are read and matched here. go-git's reader does not know "[!a]",
// its matcher lets earlier rules overrule later ones and macros what stands beside
// them, and both run past the end of some patterns.

// attributeFile is one file of attributes.
type attributeFile struct {
	dir    string // "" or with a slash at its end
	macros map[string][]setting
	// Most patterns are of a simple form and are found, however many there are. The others are tried all
	// at once.
	forms  tree.Forms
	found  [][]placedSetting // what each simple pattern sets
	others []attributeLine
	// names are the patterns of last elements, and paths those of whole paths; nameOf and pathOf say of which of
	// the others they are.
	names, paths   tree.Globs
	nameOf, pathOf []int
	lines          int
	info           bool // $GIT_DIR/info/attributes, which is stronger than all others
}

// Bounds of all the attributes of a repository. What stands beyond them is passed
// over, as a line that is too long is by git.
const (
	// maxAttributeBytes bounds the files together, and maxMacros the macros.
	maxAttributeBytes = 2 << 20
	maxMacros         = 100
	// maxNames bounds what one pattern sets, beside what converts files.
	maxNames = 32
	// maxGlobs and maxGlobBytes bound the patterns that have to be tried one after
	// another for a path. The largest repositories have some dozens.
	maxGlobs     = 1000
	maxGlobBytes = 16 << 10
)

// placedSetting is a setting with its place in the file: of two, the later is stronger.
type placedSetting struct {
	setting
	line, at int
}

type attributeLine struct {
	settings []setting
	line     int
	size     int // of the pattern
}

// setting is "name", "-name", "!name" or "name=value".
type setting struct{ name, value string }

const (
	isSet   = "\x01set"
	isUnset = "\x01unset"
	isNone  = "" // unspecified
)

// parseAttributes reads a file of attributes. What is malformed is passed over,
// as git does.
func parseAttributes(text []byte, dir string, macros bool) *attributeFile {
	f := &attributeFile{dir: dir, macros: map[string][]setting{}}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	for line := range strings.Lines(string(text)) {
		line = strings.Trim(line, " \t\r\n")
		if line == "" || line[0] == '#' || len(line) > attributesLine {
			continue
		}
		name, rest := "", ""
		if line[0] == '"' {
			quoted := strings.IndexByte(strings.ReplaceAll(line[1:], `\"`, "xx"), '"')
			if quoted < 0 {
				continue
			}
			var err error
			if name, err = strconv.Unquote(line[:quoted+2]); err != nil {
				continue
			}
			rest = line[quoted+2:]
		} else if i := strings.IndexAny(line, " \t"); i >= 0 {
			name, rest = line[:i], line[i:]
		} else {
			name = line
		}
		settings, ok := parseSettings(rest)
		if !ok {
			continue
		}
		if macro, ok := strings.CutPrefix(name, "[attr]"); ok {
			if _, again := f.macros[macro]; macros && validAttribute(macro) && (again || len(f.macros) < maxMacros) {
				f.macros[macro] = settings
			}
			continue
		}
		// Negative patterns are forbidden; one that ends in a slash is of a folder.
		if name == "" || name[0] == '!' || strings.HasSuffix(name, "/") {
			continue
		}
		pattern := strings.Split(name, "/")
		if len(pattern) > 1 && pattern[0] == "" {
			pattern = pattern[1:]
			if len(pattern) == 1 {
				pattern = []string{"", pattern[0]} // "/a": of this folder alone
			}
		}
		f.add(pattern, settings)
	}
	return f
}

// add adds a line, which is stronger than those before it.
func (f *attributeFile) add(pattern []string, settings []setting) {
	f.lines++
	form, key, simple := formOf(pattern)
	if !simple {
		if len(settings) > maxNames {
			settings = slices.DeleteFunc(settings, func(s setting) bool { return !slices.Contains(converting, s.name) })
		}
		f.addGlob(pattern, settings)
		return
	}
	id := f.forms.Add(form, key)
	if id == len(f.found) {
		f.found = append(f.found, nil)
	}
	for i, s := range settings {
		sets := f.found[id]
		k := slices.IndexFunc(sets, func(p placedSetting) bool { return p.name == s.name })
		switch p := (placedSetting{s, f.lines, i}); {
		case k >= 0:
			sets[k] = p
		case len(sets) < maxNames || slices.Contains(converting, s.name):
			f.found[id] = append(sets, p)
		}
	}
}

// addGlob adds a line whose pattern is of no simple form.
func (f *attributeFile) addGlob(pattern []string, settings []setting) {
	l := attributeLine{settings: settings, line: f.lines}
	if pattern[0] == "" && len(pattern) > 1 {
		pattern = pattern[1:]
		l.size++
	}
	whole := strings.Join(pattern, "/")
	l.size += len(whole) + 1
	if l.size == len(whole)+1 && len(pattern) == 1 {
		f.nameOf = append(f.nameOf, len(f.others))
		f.names.Add(whole)
	} else {
		f.pathOf = append(f.pathOf, len(f.others))
		f.paths.Add(whole)
		if stem, ok := strings.CutSuffix(whole, "/**"); ok {
			f.pathOf = append(f.pathOf, ^len(f.others))
			f.paths.Add(stem)
		}
	}
	f.others = append(f.others, l)
}

// matching are the numbers of the others that are about a path relative to the file's folder, in any order.
func (f *attributeFile) matching(name string) (list []int) {
	if len(f.others) == 0 {
		return nil
	}
	f.names.Match(path.Base(name), func(i int) { list = append(list, f.nameOf[i]) })
	var not []int
	f.paths.Match(name, func(i int) {
		if n := f.pathOf[i]; n < 0 {
			not = append(not, ^n)
		} else {
			list = append(list, n)
		}
	})
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(i int) bool { return slices.Contains(not, i) })
}

// formOf returns the simple form of a pattern.
func formOf(pattern []string) (form tree.Form, key string, simple bool) {
	plain := func(s string) bool { return !strings.ContainsAny(s, `*?[\`) }
	last := pattern[len(pattern)-1]
	if len(pattern) == 1 {
		switch {
		case plain(last):
			return tree.Base, last, true
		case last[0] == '*' && plain(last[1:]):
			return tree.Suffix, last[1:], true
		case last[len(last)-1] == '*' && plain(last[:len(last)-1]):
			return tree.Prefix, last[:len(last)-1], true
		}
		return 0, "", false
	}
	if pattern[0] == "" {
		pattern = pattern[1:]
	}
	whole := strings.Join(pattern, "/")
	if plain(whole) {
		return tree.Whole, whole, true
	}
	if dir, ok := strings.CutSuffix(whole, "/**"); ok && plain(dir) && len(pattern) > 1 {
		return tree.Below, dir, true
	}
	return 0, "", false
}

// cost is how many patterns of the file have to be tried, and their bytes.
func (f *attributeFile) cost() (patterns, bytes int) {
	for _, l := range f.others {
		bytes += l.size
	}
	return len(f.others), bytes
}

// parseSettings reads what follows a pattern. One bad name spoils the line.
func parseSettings(words string) (settings []setting, ok bool) {
	for word := range strings.FieldsSeq(words) {
		s := setting{word, isSet}
		switch {
		case word[0] == '-':
			s = setting{word[1:], isUnset}
		case word[0] == '!':
			s = setting{word[1:], isNone}
		default:
			if key, value, ok := strings.Cut(word, "="); ok {
				s = setting{key, value}
			}
		}
		if !validAttribute(s.name) {
			return nil, false
		}
		settings = append(settings, s)
	}
	return settings, true
}

func validAttribute(name string) bool {
	return name != "" && name[0] != '-' &&
		strings.Trim(name, "-._0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// attributeSet is all files of attributes of a repository.
type attributeSet struct {
	files  []*attributeFile // the weakest first
	byDir  map[string]*attributeFile
	info   *attributeFile
	macros map[string][]setting
}

// newAttributeSet puts files together, the weakest first, within bounds.
func newAttributeSet(files []*attributeFile) *attributeSet {
	set := &attributeSet{byDir: map[string]*attributeFile{}, macros: map[string][]setting{}}
	patterns, size := 0, 0
	for _, f := range files {
		n, b := f.cost()
		if patterns+n > maxGlobs || size+b > maxGlobBytes {
			f.others = nil
		} else {
			patterns, size = patterns+n, size+b
		}
		for name, m := range f.macros {
			if _, known := set.macros[name]; known || len(set.macros) < maxMacros {
				set.macros[name] = m
			}
		}
		set.files = append(set.files, f)
		if f.info {
			set.info = f
		} else {
			set.byDir[f.dir] = f
		}
	}
	return set
}

// of returns the attributes of a path: isSet, isUnset or a value.
func (set *attributeSet) of(name string) map[string]string {
	found := map[string]string{}
	var lines []placedSetting
	take := func(f *attributeFile) {
		if f == nil {
			return
		}
		rel := name[len(f.dir):]
		lines = lines[:0]
		f.forms.Each(rel, func(id int) {
			lines = append(lines, f.found[id]...)
		})
		for _, i := range f.matching(rel) {
			l := &f.others[i]
			for k, s := range l.settings {
				lines = append(lines, placedSetting{s, l.line, k})
			}
		}
		slices.SortFunc(lines, func(a, b placedSetting) int {
			if a.line != b.line {
				return b.line - a.line
			}
			return b.at - a.at
		})
		for _, s := range lines {
			set.apply(s.setting, found, 0)
		}
	}
	take(set.info)
	for dir := name[:strings.LastIndexByte(name, '/')+1]; ; {
		take(set.byDir[dir])
		if dir == "" {
			break
		}
		dir = dir[:strings.LastIndexByte(dir[:len(dir)-1], '/')+1]
	}
	for key, value := range found {
		if value == isNone {
			delete(found, key)
		}
	}
	return found
}

// apply sets what is not set yet: stronger lines come first. A macro that is
// set sets what it stands for.
func (set *attributeSet) apply(s setting, found map[string]string, depth int) {
	if _, ok := found[s.name]; ok {
		return
	}
	found[s.name] = s.value
	if s.value != isSet || depth > 8 {
		return
	}
	macro, ok := set.macros[s.name]
	if !ok && s.name == "binary" {
		macro = []setting{{"diff", isUnset}, {"merge", isUnset}, {"text", isUnset}}
	}
	for _, m := range slices.Backward(macro) {
		set.apply(m, found, depth+1)
	}
}
