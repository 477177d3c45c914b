package repo

import (
	"bytes"
	"path"
	"strconv"
	"strings"
)

// Attributes are read and matched here. go-git's reader does not know "[!a]",
// its matcher lets earlier rules overrule later ones and macros what stands beside
// them, and both run past the end of some patterns.

// attributeFile is one file of attributes.
type attributeFile struct {
	dir    string // "" or with a slash at its end
	lines  []attributeLine
	macros map[string][]setting
}

type attributeLine struct {
	pattern  []string // elements; one alone matches the base name
	settings []setting
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
			if macros && validAttribute(macro) {
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
		f.lines = append(f.lines, attributeLine{pattern, settings})
	}
	return f
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

// matches reports whether the line is about a path relative to its file's folder.
func (l *attributeLine) matches(name string) bool {
	if len(l.pattern) == 1 {
		return matchElem(l.pattern[0], path.Base(name))
	}
	elems := strings.Split(name, "/")
	pattern := l.pattern
	if pattern[0] == "" {
		pattern = pattern[1:]
	}
	// The classic walk with one point to return to: the last "**".
	p, e, star, from := 0, 0, -1, 0
	for e < len(elems) {
		switch {
		case p < len(pattern) && pattern[p] == "**":
			star, from = p, e
			p++
		case p < len(pattern) && matchElem(pattern[p], elems[e]):
			p++
			e++
		case star >= 0:
			from++
			p, e = star+1, from
		default:
			return false
		}
	}
	return p == len(pattern)
}

func matchElem(pattern, name string) bool {
	if strings.IndexByte(pattern, '[') >= 0 {
		pattern = strings.ReplaceAll(pattern, "[!", "[^")
	}
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

// attributes returns the attributes of a path: isSet, isUnset or a value. Files come
// the weakest first.
func attributes(files []*attributeFile, name string) map[string]string {
	found := map[string]string{}
	var near []*attributeFile
	for _, f := range files {
		if strings.HasPrefix(name, f.dir) {
			near = append(near, f)
		}
	}
	for i := len(near) - 1; i >= 0; i-- {
		f := near[i]
		for j := len(f.lines) - 1; j >= 0; j-- {
			if l := &f.lines[j]; l.matches(name[len(f.dir):]) {
				for k := len(l.settings) - 1; k >= 0; k-- {
					apply(near, l.settings[k], found, 0)
				}
			}
		}
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
func apply(files []*attributeFile, s setting, found map[string]string, depth int) {
	if _, ok := found[s.name]; ok {
		return
	}
	found[s.name] = s.value
	if s.value != isSet || depth > 8 {
		return
	}
	var macro []setting
	if s.name == "binary" {
		macro = []setting{{"diff", isUnset}, {"merge", isUnset}, {"text", isUnset}}
	}
	for _, f := range files {
		if m, ok := f.macros[s.name]; ok {
			macro = m
		}
	}
	for i := len(macro) - 1; i >= 0; i-- {
		apply(files, macro[i], found, depth+1)
	}
}
