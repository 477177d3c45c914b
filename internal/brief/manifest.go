package brief

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/tokens"
)

// manifest is a file that says how a repository is built, run and tested, and the lines of it that say so, by number from 1.
type manifest struct {
	path  string
	lines []string
	steps []int
	// fresh are those of the steps that no manifest of the same name before it has: what ten packages say alike one of them says.
	fresh []int
	// by is the path of the manifest that runs this file in its tests; "" of all that say themselves how they are run.
	by string
	// others says that it tests what others build on the repository; see testsOthers.
	others bool
}

func manifestOf(name, text string) *manifest {
	lines := strings.Split(text, "\n")
	return (&manifest{path: name, lines: lines}).telling(steps(name, lines))
}

// telling gives a manifest the lines that it tells: where they are more than a document takes the first ones, and those that test, or
// say what a container runs, wherever they stand.
func (m *manifest) telling(list []int) *manifest {
	m.steps, m.fresh = list, list
	if len(list) <= maxSteps {
		return m
	}
	worth := make(map[int]int, len(list))
	for _, n := range list {
		if above := m.above(n); m.startsAt(n) || m.testsAt(n) || above > 0 && m.testsAt(above) {
			worth[n] = 1
		}
	}
	best := slices.Clone(list)
	slices.SortStableFunc(best, func(a, b int) int { return cmp.Compare(worth[b], worth[a]) })
	n := maxSteps
	for list = m.withAbove(best[:n]); len(list) > maxSteps && n > maxSteps/2; list = m.withAbove(best[:n]) {
		n--
	}
	m.steps, m.fresh = list, list
	return m
}

// freshen leaves out of what manifests tell first what one of the same name before them does. Commands of workflows stay: what each of them
// runs is asked for.
func freshen(list []*manifest) {
	told := map[string]bool{}
	for _, m := range list {
		if m.commands() {
			continue
		}
		base := path.Base(m.path)
		if by := phrasedBy(m.path); by != "" {
			base = by
		} else if language.IsDockerfile(m.path) {
			base = "Dockerfile" // Dockerfile.alpine builds the same
		}
		line := func(n int) string { return base + "\x00" + strings.TrimSpace(m.lines[n-1]) }
		m.fresh = slices.DeleteFunc(slices.Clone(m.steps), func(n int) bool { return told[line(n)] })
		introducing := depth(m.path) > 0 && !slices.ContainsFunc(m.fresh, func(n int) bool { return !introduces(m.lines[n-1]) })
		if 2*len(m.fresh) < len(m.steps) || introducing {
			m.fresh = nil // what is left are names
		}
		for _, n := range m.steps {
			told[line(n)] = true
		}
	}
}

// introductions are the keys that say what a package is, and nothing of how it is built: the layout says so of its folder.
var introductions = language.WordSet("name description type summary synopsis")

// introduces reports whether a line of a manifest gives such a key a value.
func introduces(line string) bool {
	return introductions[strings.ToLower(strings.Trim(key(line), " \t\"'"))]
}

// fewestSteps are the lines that a manifest is cut to at least: fewer tell nothing that its name does not.
const fewestSteps = 3

// within returns those of a manifest's lines that fit into so many tokens: all of them, or the most telling ones; none where too few
// fit.
func (m *manifest) within(lines []int, share int, counter *tokens.Counter) []int {
	if _, n := m.section(m.withAbove(lines), counter); n <= share {
		return m.withAbove(lines)
	}
	byWorth := slices.Clone(lines)
	slices.SortStableFunc(byWorth, func(a, b int) int { return cmp.Compare(m.tells(b), m.tells(a)) })
	most := func(n int) []int { return m.withAbove(byWorth[:n]) }
	n := 0
	for ; n < len(byWorth); n++ {
		if _, cost := m.section(most(n+1), counter); cost > share {
			break
		}
	}
	if n < fewestSteps {
		return nil
	}
	return most(n)
}

// withAbove returns lines with those that each stands below, in their order: a recipe says nothing without its target, and the wrong
// thing below another. Nor does the beginning of a list without what stands in it.
func (m *manifest) withAbove(lines []int) []int {
	list := slices.Clone(lines)
	for _, line := range lines {
		list = append(list, m.listed(line)...)
		for above := m.above(line); above > 0; above = m.above(above) {
			list = append(append(list, above), m.listed(above)...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// mostListed is how many lines of a list are told with its beginning.
const mostListed = 4

// listed are the first lines that follow one which ends with the bracket of a list, of those that are told, up to the one that closes it.
func (m *manifest) listed(line int) []int {
	bare := strings.TrimSpace(m.lines[line-1])
	if !strings.HasSuffix(bare, "[") {
		return nil
	}
	at, _ := slices.BinarySearch(m.steps, line+1)
	to := at
	for to < len(m.steps) && to-at < mostListed && m.steps[to] == line+1+to-at {
		to++
		if strings.HasPrefix(strings.TrimSpace(m.lines[m.steps[to-1]-1]), "]") {
			break
		}
	}
	return m.steps[at:to]
}

// rest returns the lines of a manifest that are not among those told, and what they cost: all of them, or, where they do not fit into
// the room, the most telling ones that fit into half of it.
func (m *manifest) rest(told []int, room int, counter *tokens.Counter) ([]int, int) {
	list := slices.DeleteFunc(slices.Clone(m.steps), func(n int) bool { return slices.Contains(told, n) })
	if len(list) == 0 {
		return nil, 0
	}
	all := m.withAbove(list)
	if _, n := m.section(all, counter); n <= room {
		return all, n
	}
	if list = m.within(list, room/2, counter); len(list) == 0 {
		return nil, 0
	}
	_, n := m.section(list, counter)
	return list, n
}

// tellingWords are words of lines that say how a program is built, run, tested, called and divided.
var tellingWords = language.WordSet("test tests build run start check lint install dev serve main bin name module modules project executable library artifact framework output scripts entrypoint cmd command workspaces members all")

// tells is how much a line says of how the program is built, run and tested: by the key that it gives a value, most where that is one
// word and no variant of it, by the line that it stands below, and by its other words.
func (m *manifest) tells(line int) int {
	if m.commands() { // as they come, those first that test
		if m.testsAt(line) {
			return 1
		}
		return 0
	}
	worth := 0
	if said := key(m.lines[line-1]); names(said) {
		worth += 2
		if !strings.ContainsAny(strings.Trim(said, " \t\"'"), "-_:. ") {
			worth += 2
		}
	}
	if above := m.above(line); above > 0 && (names(key(m.lines[above-1])) || tests(m.lines[above-1])) {
		worth += 2
		if testWords[strings.ToLower(strings.Trim(key(m.lines[above-1]), " \t\"'"))] { // how the tests are run, and not some of them
			worth += 2
		}
	}
	if names(m.lines[line-1]) {
		worth++
	}
	if tests(m.lines[line-1]) {
		worth++
	}
	if callsOf(m.lines[line-1], runners) || m.startsAt(line) {
		worth += 3
	}
	if strings.HasSuffix(m.path, "AndroidManifest.xml") && launched(m.lines, line) {
		worth += 3
	}
	return worth
}

// startsAt reports whether a line of a Dockerfile says what its container runs.
func (m *manifest) startsAt(line int) bool {
	word, _, _ := strings.Cut(strings.ToLower(m.lines[line-1]), " ")
	return (word == "cmd" || word == "entrypoint") && language.IsDockerfile(m.path)
}

// commands reports whether what is told of a manifest are commands alone.
func (m *manifest) commands() bool {
	return path.Dir(m.path) == ".github/workflows" || strings.HasPrefix(strings.ToLower(path.Base(m.path)), "action.")
}

// depth is how far from the root what a manifest says stands: what one runs as far as itself.
func (m *manifest) depth() int {
	switch {
	case m.by != "":
		return depth(m.by)
	case IsGuide(m.path):
		return 1
	}
	return depth(m.path)
}

// later is how far behind others of its depth a manifest stands: those first that are called after tests and run them.
func (m *manifest) later() (n int) {
	if isHooks(m.path) {
		return 3
	}
	if !m.calledTests() {
		n++
	}
	if !m.runsTests() {
		n++
	}
	if m.others || m.by != "" { // what runs it says how
		n++
	}
	return n
}

// calledTests reports whether the name of a manifest says that it checks what is there.
func (m *manifest) calledTests() bool {
	return slices.ContainsFunc(language.Words(path.Base(m.path)), func(word string) bool { return word == "ci" || word == "test" || word == "tests" })
}

// runsTests reports whether a line that is told says how tests are run.
func (m *manifest) runsTests() bool {
	if m.by != "" {
		return true
	}
	base := strings.ToLower(path.Base(m.path))
	if base == "pom.xml" || isHooks(m.path) || strings.Contains(base, ".gradle") || projectExtensions[strings.TrimPrefix(path.Ext(base), ".")] {
		return false // what tests are written with, or looked at by, and no command
	}
	return slices.ContainsFunc(m.steps, m.testsAt)
}

// testsAt reports whether a line says that something is tested: of a workflow a command that does, not a text that a variable holds, nor what
// looks at a signature.
func (m *manifest) testsAt(line int) bool {
	said := m.lines[line-1]
	if m.commands() {
		said = heldText.ReplaceAllString(said, " ")
		if strings.Contains(said, "verify") && !verifies.MatchString(said) {
			said = strings.ReplaceAll(said, "verify", " ")
		}
	}
	return tests(said)
}

// heldText is a text of several words that a variable of a shell holds, verifies a command of which verify is a step that tests.
var (
	heldText = lazyregexp.New(`= *(?:'[^']* [^']*'|"[^"]* [^"]*")`)
	verifies = lazyregexp.New(`\b(?:mvnw?|gradlew?|make|(?:npm|pnpm|yarn|bun) run|just|task|sbt|rake)\b`)
)

// testWords are words that say that something is tested, by whatever runs the tests of a language.
var testWords = language.WordSet("test tests verify ctest pytest phpunit rspec nextest")

// runners are the programs among them that run tests.
var runners = language.WordSet("pytest phpunit rspec")

// callsOf reports whether a line that begins no section has one of these words by itself, as commands and lists of what is called have.
func callsOf(line string, words map[string]bool) bool {
	line = strings.TrimSpace(line)
	return !strings.HasPrefix(line, "[") && slices.ContainsFunc(strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\"',[]", r) }), func(word string) bool { return words[word] })
}

// asksShell is what asks the shell whether something holds, or asks another command to look again: nothing of the program is tested.
var asksShell = lazyregexp.New(`\btest\s+(?:!\s*)?(?:-[a-zA-Z]\s|["'$])|--verify\b`)

// tests reports whether a line says that something is tested.
func tests(line string) bool {
	if strings.Contains(line, "test ") || strings.Contains(line, "--verify") {
		line = asksShell.ReplaceAllString(line, "")
	}
	return slices.ContainsFunc(language.Words(line), func(word string) bool { return testWords[word] })
}

func names(text string) bool {
	return slices.ContainsFunc(language.Words(text), func(word string) bool { return tellingWords[word] })
}

// key returns what a line gives a value: what stands before the first sign for it, or all of it.
func key(line string) string {
	if i := strings.IndexAny(line, ":=>("); i >= 0 {
		return line[:i]
	}
	return line
}

// above returns the line that one stands below, of those that are told: the next one before it that is less indented, or that begins a
// section; 0 where there is none.
func (m *manifest) above(line int) int {
	if m.commands() {
		return 0 // what is less indented is of another step
	}
	indent := func(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }
	at, _ := slices.BinarySearch(m.steps, line)
	own := m.lines[line-1]
	for n := at - 1; n >= 0 && at-n <= maxSteps; n-- {
		if s := m.lines[m.steps[n]-1]; indent(s) < indent(own) || s != "" && s[0] == '[' && own[0] != '[' {
			return m.steps[n]
		}
	}
	return 0
}

// shortPassed is how long, in bytes, one line is at most that stands between two that are told and costs about what it costs to say that it
// is passed over.
const shortPassed = 40

// section writes lines of a manifest with their numbers, and how many are passed over between and behind them, and what it costs.
func (m *manifest) section(list []int, counter *tokens.Counter) (Section, int) {
	var s strings.Builder
	at := 0
	write := func(n int) { fmt.Fprintf(&s, "%d\t%s\n", n, cutLine(strings.TrimRight(m.lines[n-1], " \t\r"))) }
	pass := func(to int) {
		switch n := said(m.lines[at:to]); {
		case at == 0 || n == 0:
		case n == 1 && to == at+1 && to < len(m.lines) && len(strings.TrimSpace(m.lines[at])) <= shortPassed:
			write(to)
		default:
			s.WriteString(passed(n) + "\n")
		}
	}
	for _, n := range list {
		pass(n - 1)
		write(n)
		at = n
	}
	pass(len(m.lines))
	one := Section{Heading: "### " + Span(m.path) + "\n\n", Pieces: []string{Fence(Language(m.path), Printable(s.String())) + "\n"}}
	return one, counter.Count([]byte(one.Heading + one.Pieces[0]))
}
