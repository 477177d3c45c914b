package inclusion

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

var (
	makeValue = lazyregexp.New(`^(?:export[ ]+|override[ ]+)*([A-Za-z_][\w.-]*)[ \t]*(::?:?|\?|\+|!)?=[ \t]*(.*)$`)
	// makeOwn are ways to say where the makefile is, from within outwards; each is replaced by what stands beside it.
	makeOwn = []struct {
		form *lazyregexp.Regexp
		by   string
	}{
		{lazyregexp.New(`\$[({](?:lastword|firstword)[ \t]+\$[({]MAKEFILE_LIST[)}][)}]`), "./Makefile"},
		{lazyregexp.New(`\$[({](?:CURDIR|PWD|TOPDIR|srcdir|top_srcdir|abs_srcdir|abs_top_srcdir)[)}]|\$[({]shell[ \t]+pwd[ \t]*[)}]`), "."},
		{lazyregexp.New(`\$[({](?:abspath|realpath)[ \t]+([^(){}$ ]*)[)}]`), "$1"},
		{lazyregexp.New(`\$[({]dir[ \t]+([^(){}$ ]*/)?[^(){}$/ ]*[)}]`), "./$1"},
		{lazyregexp.New(`\$[({](?:abspath|realpath)[ \t]+([^(){}$ ]*)[)}]`), "$1"},
		{lazyregexp.New(`\$[({]patsubst[ \t]+%/,%,[ \t]*([^(){}$ ]*?)/?[)}]`), "$1"},
	}
	makeVariable = lazyregexp.New(`\$(?:\([A-Za-z_][\w.-]*\)|\{[A-Za-z_][\w.-]*\})`)
)

// own replaces in a line what says where the makefile is.
func own(s string) string {
	if !strings.Contains(s, "$") {
		return s
	}
	for _, o := range makeOwn {
		s = o.form.ReplaceAllString(s, o.by)
	}
	return s
}

// readMake finds include, -include and sinclude. Variables that are given one literal value stand for it.
func readMake(f *file, src []byte) {
	f.places = map[string]string{}
	lines := makeLines(src)
	for _, line := range lines {
		m := makeValue.FindStringSubmatch(line)
		if m == nil || len(f.places) >= maxVariables {
			continue
		}
		value := strings.TrimSpace(own(m[3]))
		if old, ok := f.places[m[1]]; strings.ContainsAny(value, "$ \t") || m[2] == "+" || m[2] == "!" || ok && old != value {
			value = undecidable
		}
		f.places[m[1]] = value
	}
	for _, line := range lines {
		word, rest, ok := strings.Cut(line, " ")
		if !ok || word != "include" && word != "-include" && word != "sinclude" || strings.HasPrefix(strings.TrimLeft(rest, " "), "=") {
			continue
		}
		for _, name := range makeWords(f.expand(own(rest))) {
			how := byte(plain)
			if inner, ok := strings.CutPrefix(name, "$(wildcard "); ok && strings.HasSuffix(inner, ")") && !strings.Contains(inner, "$") {
				for p := range strings.FieldsSeq(inner[:len(inner)-1]) {
					f.refer(p, 'w')
				}
				continue
			}
			if strings.Contains(name, "$") {
				how = unknown
			}
			f.refer(name, how)
		}
	}
}

// maxVariables bounds those of a makefile, undecidable is the value of one that has several.
const (
	maxVariables = 1000
	undecidable  = "$"
)

// makeLines are the lines of a makefile that are no recipes, comments and definitions of several lines, put together where they go on.
func makeLines(src []byte) (lines []string) {
	whole, goesOn, recipe, defined := "", false, false, false
	for raw := range bytes.Lines(src) {
		if len(raw) > 4*maxName {
			continue
		}
		text := strings.TrimRight(string(raw), "\r\n")
		if !goesOn {
			whole, recipe = "", strings.HasPrefix(text, "\t")
		}
		if text, goesOn = strings.CutSuffix(text, `\`); len(whole)+len(text) <= 4*maxName {
			whole += " " + strings.TrimSpace(text)
		}
		if goesOn || recipe {
			continue
		}
		line, _, _ := strings.Cut(whole, "#")
		line = strings.TrimSpace(line)
		switch word, _, _ := strings.Cut(line, " "); {
		case word == "endef":
			defined = false
		case word == "define":
			defined = true
		case !defined && line != "":
			lines = append(lines, line)
		}
	}
	return lines
}

// expand replaces variables whose value is known, as long as that does not grow too long.
func (f *file) expand(s string) string {
	size := 0
	return makeVariable.ReplaceAllStringFunc(s, func(use string) string {
		value, ok := f.places[use[2:len(use)-1]]
		if size += len(value); !ok || value == undecidable || size > 4*maxName {
			return use
		}
		return value
	})
}

// makeWords splits a line at the spaces that are in no call of a function.
func makeWords(s string) (words []string) {
	depth, from := 0, 0
	for i := 0; i <= len(s); i++ {
		switch {
		case i == len(s) || depth == 0 && (s[i] == ' ' || s[i] == '\t'):
			if i > from {
				words = append(words, s[from:i])
			}
			from = i + 1
		case s[i] == '(' || s[i] == '{':
			depth++
		case (s[i] == ')' || s[i] == '}') && depth > 0:
			depth--
		}
	}
	return words
}

// resolveMake leads to the makefiles that a name or a pattern means from the makefile's folder, else from the repository's.
func resolveMake(b *builder, f *file, r reference) answer {
	if !strings.ContainsAny(r.name, "*?[") {
		a := b.fromEither(f, r.name)
		a.outside = a.outside && r.how != 'w'
		return a
	}
	for _, dir := range []string{f.dir, "."} {
		if found := b.matching(dir, r.name); len(found) > 0 {
			return answer{paths: found, resolution: graph.Explicit}
		}
	}
	return answer{outside: r.how != 'w'}
}

// matching are the files that a pattern means from a folder, whose own folder is no pattern.
func (b *builder) matching(dir, name string) (found []string) {
	pattern := at(dir, name)
	if pattern == "" || strings.ContainsAny(path.Dir(pattern), "*?[") {
		return nil
	}
	for _, p := range b.dirs()[path.Dir(pattern)] {
		if ok, err := path.Match(pattern, p); err == nil && ok && len(found) < maxFolder {
			found = append(found, p)
		}
	}
	return found
}

// maxFolder bounds the files of a folder that one name means.
const maxFolder = 100

// readDocker finds the files that COPY, ADD and mounts of RUN take from the repository.
func readDocker(f *file, src []byte) {
	shut, instruction := "", ""
	for line := range bytes.Lines(src) {
		if len(line) > 4*maxName {
			continue
		}
		text := strings.TrimSpace(string(line))
		if shut != "" {
			if text == shut {
				shut = ""
			}
			continue
		}
		if strings.HasPrefix(text, "#") {
			continue
		}
		more, goesOn := strings.CutSuffix(text, `\`)
		if instruction += " " + more; goesOn && len(instruction) < 4*maxName {
			continue
		}
		f.copies(strings.TrimSpace(instruction))
		if word, _, _ := strings.Cut(strings.TrimSpace(instruction), " "); strings.EqualFold(word, "run") || strings.EqualFold(word, "copy") || strings.EqualFold(word, "add") {
			shut = heredoc(instruction)
		}
		instruction = ""
	}
	f.copies(strings.TrimSpace(instruction))
}

// copies reads an instruction.
func (f *file) copies(instruction string) {
	word, rest, _ := strings.Cut(instruction, " ")
	if strings.EqualFold(word, "onbuild") {
		word, rest, _ = strings.Cut(strings.TrimLeft(rest, " \t"), " ")
	}
	rest = strings.TrimLeft(rest, " \t")
	// Options come first.
	for strings.HasPrefix(rest, "--") {
		option, after, _ := strings.Cut(rest, " ")
		rest = strings.TrimLeft(after, " \t")
		if mount, ok := strings.CutPrefix(option, "--mount="); ok && strings.EqualFold(word, "run") {
			f.mounts(mount)
		} else if strings.HasPrefix(option, "--from=") {
			return
		}
	}
	if !strings.EqualFold(word, "copy") && !strings.EqualFold(word, "add") || strings.Contains(rest, "<<") {
		return
	}
	var words []string
	if !strings.HasPrefix(rest, "[") || json.Unmarshal([]byte(rest), &words) != nil {
		words = strings.Fields(rest)
	}
	for _, name := range words[:max(0, len(words)-1)] {
		f.takes(strings.Trim(name, `"'`))
	}
}

// takes notes a file of the build's context.
func (f *file) takes(name string) {
	switch {
	case strings.Contains(name, "$"):
		f.refer(name, unknown)
	case !strings.Contains(name, "://") && !strings.HasPrefix(name, "git@"):
		f.refer(strings.TrimPrefix(name, "/"), plain)
	}
}

// mounts reads what RUN mounts: binding is the way where none is said.
func (f *file) mounts(options string) {
	source := ""
	for option := range strings.SplitSeq(options, ",") {
		key, value, _ := strings.Cut(option, "=")
		switch key {
		case "type":
			if value != "bind" {
				return
			}
		case "from":
			return
		case "source", "src":
			source = strings.Trim(value, `"'`)
		}
	}
	if source != "" {
		f.takes(source)
	}
}

// resolveDocker leads to files, and to those of a pattern; what a folder holds is not told one by one. The context is the
// repository's folder or that of the Dockerfile.
func resolveDocker(b *builder, f *file, r reference) answer {
	if !strings.ContainsAny(r.name, "*?[") {
		a := b.fromEither(f, r.name)
		if dir, ok := b.buildContext(f); ok && a.undecided {
			a, _ = b.beside(dir, r.name)
		}
		if !a.outside {
			return a
		}
		return answer{}
	}
	own, root := b.matching(f.dir, r.name), b.matching(".", r.name)
	switch {
	case len(own) > 0 && len(root) > 0 && !slices.Equal(own, root):
		if dir, ok := b.buildContext(f); ok {
			return answer{paths: b.matching(dir, r.name), resolution: graph.Explicit}
		}
		return answer{undecided: true}
	case len(own) > 0:
		return answer{paths: own, resolution: graph.Explicit}
	}
	return answer{paths: root, resolution: graph.Explicit}
}

// buildContext is the folder from which a Dockerfile copies: its own where a name is there alone and none is at the root alone, or the
// other way round.
func (b *builder) buildContext(f *file) (dir string, known bool) {
	own, root := false, false
	for _, r := range f.references {
		if r.how == unknown {
			continue
		}
		beside, above := b.holds(f.dir, r.name), b.holds(".", r.name)
		own = own || beside && !above
		root = root || above && !beside
	}
	if own {
		return f.dir, !root
	}
	return ".", root
}

// holds reports whether a name, or a pattern, stands for something below a folder.
func (b *builder) holds(dir, name string) bool {
	if strings.ContainsAny(name, "*?[") {
		return len(b.matching(dir, name)) > 0
	}
	p := at(dir, name)
	return p != "" && (b.has(p) || len(b.dirs()[p]) > 0)
}
