package review

import (
	"cmp"
	"hash/maphash"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/project"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// Reach says which changed functions tests reach by name: a test names the function, or names one that names it, and so on,
// each in a file that the one before imports.
type Reach struct {
	// Functions are the changed functions of which it is known.
	Functions int
	// Unnamed are those of them that no test reaches.
	Unnamed []Function
	// Unknown are changed functions of which it is not known: nobody reads who imports their file, or too many tests do.
	Unknown int
	// Tests are those that reach the others, those that reach most first; Commands run them, where a manifest tells how.
	Tests    []string
	Commands []string
}

// Function is a changed function.
type Function struct {
	Path, Name string
	Line       int
}

// Bounds of the search for tests.
const (
	// maxReached bounds the files that are looked through for chains of names: what changed, and what imports it.
	maxReached = 250
	// maxTests bounds the tests that are read, the nearest first; what only others might reach is unknown.
	maxTests = 400
	// maxTestBytes bounds a test that is read.
	maxTestBytes = 1 << 20
	// maxImports is how many imports lie between a test and what it may name.
	maxImports = 3
)

// functionKinds are the kinds of definitions that run.
var functionKinds = map[string]bool{"func": true, "method": true, "constructor": true}

// node is a definition in the search.
type node struct {
	file string
	at   int // in the file's definitions
}

// search looks for tests that reach changed functions.
type search struct {
	c *changeView
	// sides are the files in which chains of names are followed.
	sides map[string]*side
	// byTest says which test reached a definition first.
	byTest map[node]int
	tests  []string
	// cut: there are more tests than are read.
	cut bool
	// named are the definitions that a word names, and no test reaches yet, by the word.
	named map[string][]node
	// nearby are the files of the search that a file's names may come from.
	nearby map[string]map[string]bool
}

// reach looks for the tests of the changed functions. It lets go of what was before the change: nobody asks for that behind it, and the
// search needs the room.
func (c *changeView) reach(pairs []pair) Reach {
	var r Reach
	s := &search{c: c, sides: map[string]*side{}, byTest: map[node]int{}}
	var wanted []node
	for i := range pairs {
		p := &pairs[i]
		if p.Status == diff.Deleted {
			continue
		}
		known := c.v.Sealed.Meta != nil && snapshot.HasGraph(p.as())
		was := p.before.bodies()
		p.before = side{}
		byLine := linesOf(p.head.found)
		for at := range p.head.found {
			d := &p.head.found[at]
			if !functionKinds[d.Kind] || !touches(p.touched, d) || byLine.hasInner(d) || begins(p.Path, d) || was[p.head.bodyOf(d)] {
				continue
			}
			if !known {
				r.Unknown++
				continue
			}
			wanted = append(wanted, node{p.Path, at})
			s.sides[p.Path] = &p.head
		}
	}
	if len(wanted) == 0 {
		return r
	}
	s.gather(wanted)
	s.arrangeTests(wanted)
	s.index()
	s.start()
	s.follow()
	count := make([]int, len(s.tests))
	for _, n := range wanted {
		d := &s.sides[n.file].found[n.at]
		if t, ok := s.byTest[n]; ok {
			count[t]++
			r.Functions++
		} else if s.cut {
			r.Unknown++
		} else {
			r.Functions++
			r.Unnamed = append(r.Unnamed, Function{n.file, d.Name, d.Line})
		}
	}
	order := make([]int, 0, len(s.tests))
	for t := range s.tests {
		if count[t] > 0 {
			order = append(order, t)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(count[b], count[a]) })
	for _, t := range order {
		r.Tests = append(r.Tests, s.tests[t])
	}
	r.Commands = c.commands(r.Tests)
	return r
}

// begins reports whether the language starts a function by itself, so that no test can name it.
func begins(name string, d *graph.Definition) bool {
	return path.Ext(name) == ".go" && (d.Name == "main" || d.Name == "init") || path.Ext(name) == ".rs" && d.Name == "main"
}

// body is a function's name, and what stands for its text without what layout adds.
type body struct {
	name string
	sum  uint64
}

// bodySeed is that of the sums of bodies, which are compared and never shown.
var bodySeed = maphash.MakeSeed()

// bodies are the functions of a side: one that is among those of the other side did not change.
func (s *side) bodies() map[body]bool {
	m := map[body]bool{}
	for i := range s.found {
		if d := &s.found[i]; functionKinds[d.Kind] {
			m[s.bodyOf(d)] = true
		}
	}
	return m
}

// bodyOf is a definition as bodies tells them apart.
func (s *side) bodyOf(d *graph.Definition) body {
	l := language.Of(s.path)
	deep := l == nil || l.Blocks == language.Indentation
	text := tokens([]byte(s.between(d.Line, d.End)), deep, l != nil && closingCommas[l.Name])
	return body{d.Name, maphash.Bytes(bodySeed, text)}
}

// namedBy are the words by which a text names a definition: its last name, or, where no call writes that, the name of its type.
func namedBy(d *graph.Definition) (last, typed string) {
	outer, last, member := cutLast(d.Name)
	implied := d.Kind == "constructor" || last == "constructor" || last == "initialize" || strings.HasPrefix(last, "__") && (strings.HasSuffix(last, "__") || last == "__construct")
	if typed = lastName(outer); !member || !implied || typed == last {
		typed = ""
	}
	return last, typed
}

// touches reports whether the change writes lines of a definition, comments before it aside.
func touches(touched []int, d *graph.Definition) bool {
	i, _ := slices.BinarySearch(touched, d.Line)
	return i < len(touched) && touched[i] <= d.End
}

// byLine are the definitions of a text in the order of their lines.
type byLine []*graph.Definition

func linesOf(found []graph.Definition) byLine {
	list := make(byLine, len(found))
	for i := range found {
		list[i] = &found[i]
	}
	slices.SortStableFunc(list, func(a, b *graph.Definition) int { return cmp.Compare(a.Line, b.Line) })
	return list
}

// inside are the definitions that begin below the line of another, and up to its end: those that end there too are inside of it.
func (l byLine) inside(d *graph.Definition) byLine {
	from, _ := slices.BinarySearchFunc(l, d.Line+1, func(x *graph.Definition, line int) int { return cmp.Compare(x.Line, line) })
	to := from
	for to < len(l) && l[to].Line <= d.End {
		to++
	}
	return l[from:to]
}

// hasInner reports whether a definition holds another that runs: the inner one is the function then.
func (l byLine) hasInner(d *graph.Definition) bool {
	return slices.ContainsFunc(l.inside(d), func(x *graph.Definition) bool { return functionKinds[x.Kind] && x.End <= d.End })
}

// own are which lines of a definition, from its first on, belong to none inside of it.
func (l byLine) own(d *graph.Definition) []bool {
	own := slices.Repeat([]bool{true}, d.End-d.Line+1)
	for _, x := range l.inside(d) {
		if x.End <= d.End {
			clear(own[max(x.From, d.Line)-d.Line : x.End-d.Line+1])
		}
	}
	return own
}

// neighbours are the files that a file's names may come from (or go to, where back): by imports, and in Go from the files beside it.
func (c *changeView) neighbours(name string, back bool) []string {
	list := c.imports[name]
	if back {
		list = c.importers[name]
	}
	if path.Ext(name) != ".go" {
		return list
	}
	return slices.Concat(list, c.beside(folder(name)))
}

// beside are the Go files of a folder.
func (c *changeView) beside(dir string) []string {
	if c.packages == nil {
		c.packages = map[string][]string{}
		for i := range c.v.Sealed.Files {
			if p := c.v.Sealed.Files[i].Path; path.Ext(p) == ".go" {
				c.packages[folder(p)] = append(c.packages[folder(p)], p)
			}
		}
	}
	return c.packages[dir]
}

// gather finds the files that import the wanted ones, the nearest first: tests, and what chains may lead through.
func (s *search) gather(wanted []node) {
	const most = 20_000 // files that are passed
	var queue []string
	seen := map[string]bool{}
	for _, n := range wanted {
		if !seen[n.file] {
			seen[n.file] = true
			queue = append(queue, n.file)
		}
	}
	for i := 0; i < len(queue); i++ {
		for _, name := range s.c.neighbours(queue[i], true) {
			f := s.c.files[name]
			if seen[name] || f == nil {
				continue
			}
			seen[name] = true
			if language.IsTest(name) {
				if len(s.tests) == maxTests {
					s.cut = true
					continue
				}
				if f.Size <= maxTestBytes && f.Extractable() {
					s.tests = append(s.tests, name)
				}
			} else if len(s.sides) < maxReached && f.Size <= maxDefinedBytes && f.Extractable() {
				one := sideOf(name, s.c.head(f))
				s.sides[name] = &one
			}
			if len(queue) < most {
				queue = append(queue, name)
			} else {
				s.cut = true
			}
		}
	}
}

// arrangeTests puts those tests first that are called as a file with a wanted function: of several that name one, they are written for it.
func (s *search) arrangeTests(wanted []node) {
	called := map[string]bool{}
	for _, n := range wanted {
		called[subjectOf(n.file)] = true
	}
	slices.SortStableFunc(s.tests, func(a, b string) int {
		mine := func(name string) int {
			if called[subjectOf(name)] {
				return 0
			}
			return 1
		}
		return mine(a) - mine(b)
	})
}

// subjectOf is what a file is called for, in words of lower case: "order book" of order_book.py, test_order_book.py and OrderBookTest.java.
func subjectOf(name string) string {
	stem, _, _ := strings.Cut(strings.TrimLeft(path.Base(name), "._"), ".")
	return strings.Join(slices.DeleteFunc(language.Words(stem), func(word string) bool { return testWords[word] }), " ")
}

// testWords are words of a test's name that say that it is one.
var testWords = language.WordSet("test tests spec specs unittest it")

// index notes by which words the definitions are named.
func (s *search) index() {
	s.named, s.nearby = map[string][]node{}, map[string]map[string]bool{}
	for _, file := range slices.Sorted(maps.Keys(s.sides)) {
		for at := range s.sides[file].found {
			last, typed := namedBy(&s.sides[file].found[at])
			s.named[last] = append(s.named[last], node{file, at})
			if typed != "" {
				s.named[typed] = append(s.named[typed], node{file, at})
			}
		}
	}
}

// reached marks what a word in a file names, and returns it.
func (s *search) reached(word []byte, file string, test int) (list []node) {
	all := s.named[string(word)]
	if len(all) == 0 {
		return nil
	}
	near, ok := s.nearby[file]
	if !ok {
		near = map[string]bool{}
		for _, name := range s.near(file) {
			near[name] = true
		}
		s.nearby[file] = near
	}
	rest := all[:0]
	for _, n := range all {
		_, marked := s.byTest[n] // by another of its names
		switch {
		case marked:
		case near[n.file]:
			s.byTest[n] = test
			list = append(list, n)
		default:
			rest = append(rest, n)
		}
	}
	s.named[string(word)] = rest
	return list
}

// start marks what tests name themselves.
func (s *search) start() {
	for t, name := range s.tests {
		seen := map[string]bool{}
		words(s.c.head(s.c.files[name]), func(w []byte) {
			if len(s.named[string(w)]) > 0 && !seen[string(w)] {
				seen[string(w)] = true
				s.reached(w, name, t)
			}
		})
	}
}

// near are the files of the search that a file imports, over at most maxImports steps, itself among them.
func (s *search) near(name string) (list []string) {
	seen := map[string]bool{name: true}
	level := []string{name}
	for range maxImports {
		var next []string
		for _, from := range level {
			for _, to := range s.c.neighbours(from, false) {
				if !seen[to] {
					seen[to] = true
					next = append(next, to)
					if s.sides[to] != nil {
						list = append(list, to)
					}
				}
			}
		}
		level = next
	}
	if s.sides[name] != nil {
		list = append(list, name)
	}
	return list
}

// follow goes on from what is reached to what its body names.
func (s *search) follow() {
	queue := make([]node, 0, len(s.byTest))
	for n := range s.byTest {
		queue = append(queue, n)
	}
	slices.SortFunc(queue, func(a, b node) int {
		return cmp.Or(cmp.Compare(s.byTest[a], s.byTest[b]), strings.Compare(a.file, b.file), cmp.Compare(a.at, b.at))
	})
	// A word names the same wherever it stands in a file.
	type said struct{ file, word string }
	seen := map[said]bool{}
	lines := map[string]byLine{}
	for i := 0; i < len(queue); i++ {
		n := queue[i]
		of := s.sides[n.file]
		if lines[n.file] == nil {
			lines[n.file] = linesOf(of.found)
		}
		d := &of.found[n.at]
		for at, own := range lines[n.file].own(d) {
			if !own {
				continue
			}
			words([]byte(of.between(d.Line+at, d.Line+at)), func(w []byte) {
				if len(s.named[string(w)]) == 0 || seen[said{n.file, string(w)}] {
					return
				}
				seen[said{n.file, string(w)}] = true
				queue = append(queue, s.reached(w, n.file, s.byTest[n])...)
			})
		}
	}
}

// maxCommand bounds the paths that a command names, maxCommandLength its characters.
const (
	maxCommand       = 6
	maxCommandLength = 160
)

// commands run tests, where a manifest above them tells how.
func (c *changeView) commands(tests []string) (list []string) {
	folders := map[string][]string{}
	var order []string
	add := func(tool, what string) {
		if _, ok := folders[tool]; !ok {
			order = append(order, tool)
		}
		if !slices.Contains(folders[tool], what) && len(folders[tool]) < maxCommand {
			folders[tool] = append(folders[tool], what)
		}
	}
	for _, name := range tests {
		dir := folder(name)
		switch path.Ext(name) {
		case ".go":
			if at, ok := c.above(dir, "go.mod"); ok && at == "" {
				add("go test", "./"+dir)
			}
		case ".py":
			if c.pytest() && path.Base(name) != "conftest.py" { // which holds no tests
				add("pytest", name)
			}
		case ".rs":
			if _, ok := c.above(dir, "Cargo.toml"); ok {
				add("cargo test", "")
			}
		case ".ts", ".tsx", ".js", ".jsx", ".mts", ".mjs", ".cts", ".cjs", ".vue":
			if at, ok := c.script(dir); ok {
				add(scriptTest(project.NodeManager(at, func(name string) bool { return c.files[name] != nil }), at), "")
			}
		}
	}
	for _, tool := range order {
		words := append([]string{tool}, folders[tool]...)
		for len(words) > 2 && len(strings.Join(words, " ")) > maxCommandLength {
			words = words[:len(words)-1]
		}
		if plain(words) && len(strings.Join(words, " ")) <= maxCommandLength {
			list = append(list, strings.TrimSpace(strings.Join(words, " ")))
		}
	}
	return list
}

// scriptTest is the command by which a package manager of Node.js runs the tests of a folder, "" for the repository's own.
func scriptTest(manager, at string) string {
	inFolder := map[string]string{"npm": " --prefix ", "pnpm": " --dir ", "yarn": " --cwd ", "bun": " --cwd "}[manager]
	run := " test"
	if manager == "bun" {
		run = " run test" // bun test is another program
	}
	if at == "" {
		return manager + run
	}
	return manager + inFolder + at + run
}

// plain reports whether words mean themselves in a shell.
func plain(words []string) bool {
	for _, w := range words {
		for _, r := range w {
			if !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._/ ", r) {
				return false
			}
		}
	}
	return true
}

// above is the nearest folder from dir up that holds a file of that name.
func (c *changeView) above(dir, base string) (string, bool) {
	for {
		if c.files[path.Join(dir, base)] != nil {
			return dir, true
		}
		if dir == "" {
			return "", false
		}
		dir = folder(dir)
	}
}

// pytest reports whether the root's settings name pytest.
func (c *changeView) pytest() bool {
	for _, name := range []string{"pyproject.toml", "setup.cfg", "tox.ini", "pytest.ini", "noxfile.py"} {
		if f := c.files[name]; f != nil && f.Size <= maxDefinedBytes && strings.Contains(string(c.head(f)), "pytest") {
			return true
		}
	}
	return false
}

// script is the nearest folder from dir up whose package.json has a script that tests.
func (c *changeView) script(dir string) (at string, ok bool) {
	for {
		at, ok := c.above(dir, "package.json")
		if !ok {
			return "", false
		}
		if f := c.files[path.Join(at, "package.json")]; f.Size <= maxDefinedBytes && slices.Contains(scripts(c.head(f)), "test") {
			return at, true
		}
		if at == "" {
			return "", false
		}
		dir = folder(at)
	}
}
