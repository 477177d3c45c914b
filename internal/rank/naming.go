package rank

import (
	"bytes"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/tree"
)

// naming is a path or a module that a text names, and a line of it.
type naming struct {
	words string
	line  int
	// method is what a frame of the Java machine names before its file: org.shop.Till.count of org.shop.Till.count(Till.kt:5).
	method string
}

// maxNamings bounds the words of a task that are looked up.
const maxNamings = 4000

// namingsIn finds what may be paths and dotted names: src/a.ts, src/a.ts:12:3, File "a/b.py", line 12, django.db.models.
func namingsIn(text []byte) []naming {
	var list []naming
	inWord := func(c byte) bool {
		return class[c] != classOther || c == '/' || c == '.' || c == '-' || c == '@' || c == '\\' || c == '+'
	}
	for i := 0; i < len(text) && len(list) < maxNamings; {
		if !inWord(text[i]) {
			i++
			continue
		}
		from := i
		for i < len(text) && inWord(text[i]) {
			if i++; i > from+3 && string(text[i-3:i]) == "..." {
				break // "Applying bill.0013_tax...Traceback"
			}
		}
		words := strings.Trim(strings.ReplaceAll(string(text[from:i]), `\`, "/"), "./-@+")
		if len(words) < 4 || len(words) > maxNaming || !strings.ContainsAny(words, "./") && !isStep(words) {
			continue
		}
		one := naming{words: words, line: lineBehind(text[i:min(len(text), i+24)])}
		if n := len(list); n > 0 && one.line > 0 && from > 0 && text[from-1] == '(' && !strings.Contains(words, "/") {
			one.words, one.method = packaged(list[n-1].words, words), list[n-1].words
		}
		list = append(list, one)
	}
	return list
}

// isMeant reports whether a naming tells of a file rather than of a place in it, and not in passing: by its path, or in the title.
func (n naming) isMeant(title string) bool {
	return n.line == 0 && (strings.Contains(n.words, "/") || strings.Contains(title, n.words) || isStep(n.words[strings.LastIndexByte(n.words, '.')+1:]))
}

// FilesNamed are the paths of those of the files that a text names.
func FilesNamed(text []byte, files []tree.File) (list []string) {
	at := newPlaces(files)
	for _, one := range namingsIn(text) {
		found, module := at.find(one.words)
		if module || len(found) != 1 || slices.Contains(list, files[found[0]].Path) {
			continue
		}
		list = append(list, files[found[0]].Path)
	}
	return list
}

// framePackage is a line of a stack of the Java machine that tells a method, or what was thrown. Group 1 is the package.
var framePackage = lazyregexp.New(`(?m)^[ \t]*(?:at (?:[\w.@-]+/)?|Caused by: |Suppressed: |Exception in thread "[^"\n]{0,100}" )?((?:[a-z_]\w*\.){2,20})(?:[A-Z][\w$]*\.[\w$<>]+\(|[A-Z][\w$]*(?:Exception|Error)\b)`)

// raisedPackage is the line of a stack of Python that tells what was raised. Group 1 is the module.
var raisedPackage = lazyregexp.New(`(?m)^[ \t]*((?:[a-z_]\w*\.){1,20})[A-Z]\w*(?:: |\r?$)`)

// withoutPackages blanks the packages of a stack of the Java machine, and of what Python raises: com, org and what is behind them are no words
// that someone said.
func withoutPackages(text []byte) []byte {
	list := framePackage.FindAllSubmatchIndex(text, maxNamings)
	if bytes.Contains(text, []byte("(most recent call last)")) {
		list = append(list, raisedPackage.FindAllSubmatchIndex(text, maxNamings)...)
	}
	if len(list) == 0 {
		return text
	}
	text = slices.Clone(text)
	for _, m := range list {
		for i := m[2]; i < m[3]; i++ {
			text[i] = ' '
		}
	}
	return text
}

// dottedPackage is a package with dots. Group 1 is it.
var dottedPackage = lazyregexp.New(`\b((?:[a-z_]\w*\.){1,20}[a-z_]\w*)\b`)

// withoutOwnPackages blanks a package that begins with the same two words as one of the stack's methods where the text names it beside the stack,
// with no type of it: Android says so which process hangs.
func withoutOwnPackages(text []byte) []byte {
	begin := func(name []byte) string {
		words := bytes.SplitN(name, []byte("."), 3)
		return string(bytes.Join(words[:min(len(words), 2)], []byte(".")))
	}
	known := map[string]bool{}
	for _, m := range framePackage.FindAllSubmatchIndex(text, maxNamings) {
		known[begin(text[m[2]:m[3]])] = true
	}
	if len(known) == 0 {
		return text
	}
	text = slices.Clone(text)
	for _, m := range dottedPackage.FindAllSubmatchIndex(text, maxNamings) {
		if typed := m[3] < len(text) && text[m[3]] == '.'; typed || !known[begin(text[m[2]:m[3]])] {
			continue
		}
		for i := m[2]; i < m[3]; i++ {
			text[i] = ' '
		}
	}
	return text
}

// packaged returns the path of a file of Java by the method of a frame that it stands behind: org/shop/Till.java of
// org.shop.Till$Drawer.count(Till.java:5), as another package may have a Till too. Of what else is compiled for the same machine the
// folders need not be those of the package.
func packaged(method, file string) string {
	stem, ok := strings.CutSuffix(file, ".java")
	if !ok {
		return file
	}
	segments := strings.Split(method, ".")
	for n, one := range segments {
		if one, _, _ = strings.Cut(one, "$"); one == stem {
			return strings.Join(append(segments[:n:n], file), "/")
		}
	}
	return file
}

// inPackage returns those of the files whose folders share the most names with the end of the package in which a method is; all, where none
// shares any. Folders of Kotlin leave out what all packages of a project begin with.
func (p *places) inPackage(files []int32, method string) []int32 {
	segments := strings.Split(method, ".")
	end := slices.IndexFunc(segments, func(one string) bool { return one != "" && class[one[0]] == classUpper })
	if end < 1 {
		return files
	}
	best := 0
	list := files
	for _, i := range files {
		folders := strings.Split(path.Dir(p.files[i].Path), "/")
		n := 0
		for n < min(len(folders), end) && folders[len(folders)-1-n] == segments[end-1-n] {
			n++
		}
		switch {
		case n > best:
			best, list = n, []int32{i}
		case n == best && n > 0:
			list = append(list, i)
		}
	}
	return list
}

// maxNaming is the longest path that is looked up, in bytes.
const maxNaming = 300

// lineBehind returns the number of a line that stands behind a path, as :12, (12 or ", line 12; 0 where there is none.
func lineBehind(text []byte) int {
	rest := ""
	for _, sign := range []string{":line ", ":", "(", "#L", `", line `, `', line `, ", line ", " line "} {
		if after, ok := strings.CutPrefix(string(text), sign); ok {
			rest = after
			break
		}
	}
	end := 0
	for end < len(rest) && end < 7 && rest[end] >= '0' && rest[end] <= '9' {
		end++
	}
	line, _ := strconv.Atoi(rest[:end])
	return line
}

// places looks files up by the ends of their paths.
type places struct {
	files []tree.File
	// base holds files by base name, stem by base name without its last extension.
	base, stem map[string][]int32
}

func newPlaces(files []tree.File) *places {
	p := &places{files, map[string][]int32{}, map[string][]int32{}}
	for i, f := range files {
		base := path.Base(f.Path)
		p.base[base] = append(p.base[base], int32(i))
		stem := strings.TrimSuffix(base, path.Ext(base))
		p.stem[stem] = append(p.stem[stem], int32(i))
		if dir := path.Dir(f.Path); stem == "__init__" || stem == "index" || stem == "mod" {
			p.stem[path.Base(dir)] = append(p.stem[path.Base(dir)], int32(i))
		}
	}
	return p
}

// maxSame is how many files may be meant by one name.
const maxSame = 8

// find returns the files that words name: as a path, by the longest end that it shares with theirs, or as a dotted name of
// a module, or of something in it.
func (p *places) find(words string) (files []int32, module bool) {
	if files = p.longest(p.base[path.Base(words)], words, false); len(files) > 0 {
		return files[:min(len(files), maxSame)], false
	}
	if strings.Contains(words, "/") {
		return nil, false
	}
	segments := strings.Split(words, ".")
	if last := segments[len(segments)-1]; isStep(last) {
		return p.steps(segments), false
	}
	for n := len(segments); n >= 2; n-- { // the last names may be in the module
		name := strings.Join(segments[:n], "/")
		if files = p.longest(p.stem[segments[n-1]], name, true); len(files) > 0 {
			return files[:min(len(files), maxSame)], true
		}
	}
	return nil, false
}

// isStep reports whether a name may be that of a step of a schema, as what runs them writes it: 0013_expiry, 2024_01_31_000000_ships, V3__ships.
func isStep(name string) bool {
	digits := 0
	if strings.HasPrefix(name, "V") {
		digits++
	}
	for digits < len(name) && class[name[digits]] == classDigit {
		digits++
	}
	return digits > 1 && digits < len(name)-leastStep && name[digits] == '_'
}

// leastStep is the shortest name of a step of a schema behind its number, in letters.
const leastStep = 3

// steps returns the steps of a schema of a name: mill.0013_expiry is that of the folder mill, where one of several is.
func (p *places) steps(segments []string) (files []int32) {
	for _, i := range p.stem[segments[len(segments)-1]] {
		if language.IsSchemaStep(p.files[i].Path) {
			files = append(files, i)
		}
	}
	if len(segments) > 1 {
		app := "/" + segments[len(segments)-2] + "/"
		if within := slices.DeleteFunc(slices.Clone(files), func(i int32) bool { return !strings.Contains("/"+p.files[i].Path, app) }); len(within) > 0 {
			files = within
		}
	}
	if len(files) > maxSame {
		return nil
	}
	return files
}

// longest returns those of the files whose paths share the most segments with the end of a name, none where these are fewer
// than two, or for a path that has no other, than one.
func (p *places) longest(candidates []int32, name string, module bool) []int32 {
	want := strings.Split(name, "/")
	best := 1
	if module || len(want) > 1 {
		best = 2
	}
	var list []int32
	for _, i := range candidates {
		at := p.files[i].Path
		if module {
			at = strings.TrimSuffix(at, path.Ext(at))
			for _, index := range []string{"/__init__", "/index", "/mod"} {
				at = strings.TrimSuffix(at, index)
			}
		}
		have := strings.Split(at, "/")
		n := 0
		for n < min(len(have), len(want)) && have[len(have)-1-n] == want[len(want)-1-n] {
			n++
		}
		if n == len(have) && n >= 1 {
			n = max(n, best) // a file of the root is named by its name alone
		}
		switch {
		case n > best:
			best, list = n, []int32{i}
		case n == best:
			list = append(list, i)
		}
	}
	if len(list) > maxSame {
		return nil // it says nothing
	}
	return list
}
