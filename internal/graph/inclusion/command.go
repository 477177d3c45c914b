package inclusion

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// ownPlace says that a shell's value is where the script is.
var ownPlace = lazyregexp.New(`dirname|BASH_SOURCE|%/\*|\$\{0:h\}|\$\{0:A:h\}|:h\}`)

// assigned is a variable that gets a value at the beginning of a line.
var assigned = lazyregexp.New(`^\s*(?:export\s+|readonly\s+|local\s+|declare\s+(?:-\w+\s+)*)*([A-Za-z_]\w*)=(.*)$`)

// upwards are the steps up in a value.
var upwards = lazyregexp.New(`((?:/\.\.)+)`)

// steps are the first of them.
func steps(value string) string {
	if m := upwards.FindStringSubmatch(value); m != nil {
		return m[1]
	}
	return ""
}

// readShell finds what source and . load.
func readShell(f *file, src []byte) {
	f.places = map[string]string{}
	shut := ""
	for line := range bytes.Lines(src) {
		if len(line) > 4*maxName {
			continue
		}
		text := strings.TrimRight(string(line), "\r\n")
		if shut != "" {
			if strings.TrimLeft(text, "\t ") == shut {
				shut = ""
			}
			continue
		}
		text = strings.TrimLeft(text, " \t")
		if strings.HasPrefix(text, "#") {
			continue
		}
		shut = heredoc(text)
		if strings.Contains(text, "=") {
			if m := assigned.FindStringSubmatch(text); m != nil && len(f.places) < 1000 {
				f.assign(m[1], m[2])
			}
		}
		f.sources(text)
	}
}

// heredoc is the word that ends the document which begins in a line, or "".
func heredoc(line string) string {
	_, rest, ok := strings.Cut(line, "<<")
	if !ok || strings.HasPrefix(rest, "<") {
		return ""
	}
	rest = strings.TrimLeft(strings.TrimPrefix(rest, "-"), " ")
	rest = strings.TrimLeft(rest, `"'\`)
	i := 0
	for i < len(rest) && isName(rest[i]) {
		i++
	}
	if i == 0 || rest[0] >= '0' && rest[0] <= '9' {
		return ""
	}
	return rest[:i]
}

// assign notes a variable that holds where the script is, or a folder from there.
func (f *file) assign(name, value string) {
	if ownPlace.MatchString(value) && !strings.Contains(value, "which ") {
		end := strings.LastIndexAny(value, ")}") + 1
		f.places[name] = "." + steps(value)
		if strings.HasPrefix(value[end:], "/") {
			f.places[name] = path.Join("."+steps(value[:end]), strings.Trim(value[end:], `"' `))
		} else if n := strings.Count(value, "dirname"); n > 1 && !strings.Contains(value, "/..") {
			f.places[name] = "." + strings.Repeat("/..", n-1)
		}
		return
	}
	if base, rest, ok := f.fromPlace(strings.Trim(value, `"' `)); ok {
		f.places[name] = path.Join(base, rest)
		return
	}
	delete(f.places, name)
}

// fromPlace splits "$DIR/rest" or "${DIR}/rest" whose variable's place is known.
func (f *file) fromPlace(value string) (base, rest string, ok bool) {
	v, found := strings.CutPrefix(value, "$")
	if !found {
		return "", "", false
	}
	var name string
	if inner, braced := strings.CutPrefix(v, "{"); braced {
		if name, rest, found = strings.Cut(inner, "}"); !found {
			return "", "", false
		}
	} else {
		i := 0
		for i < len(v) && isName(v[i]) {
			i++
		}
		name, rest = v[:i], v[i:]
	}
	base, ok = f.places[name]
	return base, strings.TrimPrefix(rest, "/"), ok && (rest == "" || rest[0] == '/')
}

// sources finds the commands of a line that load a file.
func (f *file) sources(line string) {
	for rest := line; rest != ""; {
		command := rest
		end := strings.IndexAny(rest, ";&|")
		if end < 0 {
			rest = ""
		} else {
			command, rest = rest[:end], strings.TrimLeft(rest[end:], ";&|")
		}
		command = strings.TrimLeft(command, " \t({!")
		for _, before := range []string{"then ", "else ", "do ", "if ", "builtin ", "command "} {
			command = strings.TrimLeft(strings.TrimPrefix(command, before), " \t")
		}
		name, ok := strings.CutPrefix(command, "source ")
		if !ok {
			if name, ok = strings.CutPrefix(command, ". "); !ok {
				continue
			}
		}
		f.load(strings.TrimLeft(name, " \t"))
	}
}

// load reads the name behind source.
func (f *file) load(name string) {
	name = shellWord(name)
	plainName := strings.NewReplacer(`"`, "", `'`, "").Replace(name)
	if base, rest, ok := f.fromPlace(plainName); ok && rest != "" {
		f.take(path.Join(base, rest), 'o')
		return
	}
	if loc := ownPlace.FindStringIndex(plainName); loc != nil && strings.HasPrefix(plainName, "$") {
		if i := strings.LastIndexAny(plainName, ")}"); i >= 0 && strings.HasPrefix(plainName[i+1:], "/") {
			up := "." + steps(plainName[:i])
			f.take(path.Join(up, plainName[i+2:]), 'o')
			return
		}
	}
	if i := strings.LastIndexAny(plainName, "$}`)"); i >= 0 {
		// What stands behind the last variable may be the only path that ends so.
		if slash := strings.IndexByte(plainName[i:], '/'); slash >= 0 && i+slash+1 < len(plainName) {
			f.take(plainName[i+slash+1:], 'e')
		} else {
			f.refer(plainName, unknown)
		}
		return
	}
	f.take(plainName, plain)
}

// take notes a path, of which patterns are none.
func (f *file) take(name string, how byte) {
	switch {
	case strings.ContainsAny(name, "$*?["):
		f.refer(name, unknown)
	case name != "" && name != "-":
		f.refer(name, how)
	}
}

// shellWord is the first word of a line; what is quoted, or in $( ), is in it.
func shellWord(s string) string {
	depth, quote := 0, byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case quote != 0 && depth == 0 && c == quote:
			quote = 0
		case quote == 0 && depth == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && depth == 0 && (c == ' ' || c == '\t' || c == '#' && i == 0):
			return s[:i]
		}
	}
	return s
}

// resolveShell leads to what is beside the script where it says so; else a path is from where it runs, which nobody knows: from
// its own folder, or from the repository's, if only one of them has it.
func resolveShell(b *builder, f *file, r reference) answer {
	switch r.how {
	case 'o':
		return resolveBeside(b, f, r)
	case 'e':
		return b.end(f, r.name, nil)
	}
	if strings.HasPrefix(r.name, "/") || strings.HasPrefix(r.name, "~") {
		return answer{outside: true}
	}
	return b.fromEither(f, r.name)
}

// fromEither leads to a path from the file's folder or from the root, where only one of them has it.
func (b *builder) fromEither(f *file, name string) answer {
	own, beside := b.beside(f.dir, name)
	root, above := b.beside(".", name)
	switch {
	case beside && above && own.paths[0] != root.paths[0]:
		return answer{undecided: true}
	case beside:
		return own
	case above:
		return root
	}
	return answer{outside: true}
}

// readMake finds include, -include and sinclude.
func readMake(f *file, src []byte) {
	for line := range bytes.Lines(src) {
		if len(line) > 4*maxName || len(line) == 0 || line[0] == '\t' {
			continue
		}
		text, _, _ := strings.Cut(strings.TrimRight(string(line), "\r\n\\"), "#")
		text = strings.TrimLeft(text, " ")
		word, rest, ok := strings.Cut(text, " ")
		if !ok || word != "include" && word != "-include" && word != "sinclude" {
			continue
		}
		for _, here := range []string{"$(CURDIR)/", "${CURDIR}/", "$(dir $(lastword $(MAKEFILE_LIST)))", "$(PWD)/", "$(TOPDIR)/", "$(srcdir)/", "$(top_srcdir)/"} {
			rest = strings.ReplaceAll(rest, here, "")
		}
		if strings.Contains(rest, "$") {
			f.refer(strings.TrimSpace(rest), unknown)
			continue
		}
		for name := range strings.FieldsSeq(rest) {
			f.refer(name, plain)
		}
	}
}

// resolveMake leads to the makefiles that a name or a pattern means from the makefile's folder, else from the repository's.
func resolveMake(b *builder, f *file, r reference) answer {
	if !strings.ContainsAny(r.name, "*?[") {
		return b.fromEither(f, r.name)
	}
	for _, dir := range []string{f.dir, "."} {
		pattern := at(dir, r.name)
		if pattern == "" || strings.ContainsAny(path.Dir(pattern), "*?[") {
			continue
		}
		var found []string
		for _, p := range b.dirs()[path.Dir(pattern)] {
			if ok, err := path.Match(pattern, p); err == nil && ok && len(found) < maxFolder {
				found = append(found, p)
			}
		}
		if len(found) > 0 {
			return answer{paths: found, resolution: graph.Explicit}
		}
	}
	return answer{outside: true}
}

// maxFolder bounds the files of a folder that one name means.
const maxFolder = 100

// isDocker claims Dockerfiles, with whatever is behind or before their name.
func isDocker(name string) bool {
	base := strings.ToLower(path.Base(name))
	return named("Dockerfile")(name) || strings.HasPrefix(base, "dockerfile.") || strings.HasPrefix(base, "containerfile.")
}

// readDocker finds the files that COPY and ADD take from the repository.
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
	if !strings.EqualFold(word, "copy") && !strings.EqualFold(word, "add") || strings.Contains(rest, "<<") {
		return
	}
	words := strings.Fields(strings.NewReplacer(`"`, " ", `'`, " ", "[", " ", "]", " ", ",", " ").Replace(rest))
	if !strings.HasPrefix(strings.TrimLeft(rest, " "), "[") {
		words = strings.Fields(rest)
	}
	words = slices.DeleteFunc(words, func(w string) bool { return strings.HasPrefix(w, "--") && !strings.HasPrefix(w, "--from=") })
	if len(words) < 2 || strings.HasPrefix(words[0], "--from=") {
		return
	}
	for _, name := range words[:len(words)-1] {
		switch name = strings.Trim(name, `"'`); {
		case strings.Contains(name, "$"):
			f.refer(name, unknown)
		case !strings.Contains(name, "://") && !strings.HasPrefix(name, "git@"):
			f.refer(strings.TrimPrefix(name, "/"), plain)
		}
	}
}

// resolveDocker leads to files; what a folder or a pattern holds is not told one by one. The context is the repository's folder or
// that of the Dockerfile.
func resolveDocker(b *builder, f *file, r reference) answer {
	if a := b.fromEither(f, r.name); !a.outside {
		return a
	}
	return answer{}
}

var (
	moduleHead   = lazyregexp.New(`^[ \t]*module[ \t]+"[^"]*"[ \t]*\{`)
	moduleSource = lazyregexp.New(`(?:^|\{)[ \t]*source[ \t]*=[ \t]*"(\.{1,2}(?:/[^"$]*)?)"`)
)

// readTerraform finds the sources of modules that are folders.
func readTerraform(f *file, src []byte) {
	within, comment := false, false
	for line := range bytes.Lines(src) {
		if len(line) > 4*maxName {
			continue
		}
		text := bytes.TrimRight(line, "\r\n")
		if comment {
			if comment = !bytes.Contains(text, []byte("*/")); !comment {
				continue
			}
		}
		if start := bytes.TrimLeft(text, " \t"); comment || bytes.HasPrefix(start, []byte("#")) || bytes.HasPrefix(start, []byte("//")) {
			continue
		} else if bytes.HasPrefix(start, []byte("/*")) {
			comment = !bytes.Contains(start, []byte("*/"))
			continue
		}
		if moduleHead.Match(text) {
			within = true
		} else if len(text) > 0 && text[0] == '}' {
			within = false
		}
		if !within {
			continue
		}
		if s := moduleSource.FindSubmatch(text); s != nil {
			f.refer(string(s[1]), plain)
		}
		within = !moduleHead.Match(text) || !bytes.HasSuffix(bytes.TrimRight(text, " \t"), []byte("}"))
	}
}

// resolveTerraform leads to all files of a module: it is its folder.
func resolveTerraform(b *builder, f *file, r reference) answer {
	dir := at(f.dir, r.name)
	if dir == "" {
		return answer{outside: true}
	}
	var found []string
	for _, p := range b.dirs()[dir] {
		if (strings.HasSuffix(p, ".tf") || strings.HasSuffix(p, ".tofu")) && len(found) < maxFolder {
			found = append(found, p)
		}
	}
	return answer{paths: found, resolution: graph.Explicit, outside: len(found) == 0}
}
