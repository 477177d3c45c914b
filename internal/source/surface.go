package source

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/scan"
)

// Surface is where a program meets what is around it: where it begins, the commands that it declares, the routes that it registers, the
// messages that it answers, the tables that it makes, the environment variables that it reads.
type Surface struct {
	Begins   Beginning
	Routes   []Route
	Commands []CommandLine
	// Messages are the events, calls, topics and queues that it answers by name.
	Messages          []NameLine
	Tables, Variables []NameLine
	// Dropped are the tables that SQL takes away, or gives another name, those of Tables.
	Dropped []NameLine
	// Mounts are the routers that it mounts, and RoutedOn is for each route the router that it is registered on, by the name that other texts
	// have for it: "" where it is all that the text gives, as an export of JavaScript is, "-" where they have none. It is nil of languages of which that is not known.
	Mounts   []Mount
	RoutedOn []string
}

// CommandLine is a command that a text declares, and its line, from 1.
type CommandLine struct {
	NameLine
	// Above is what may be the name of the command that it is one of, in words of lower case with blanks between, by what holds it:
	// "key" of newKeyAddCommand that makes add, and of @key.command. "" where nothing is said.
	Above string
}

// NameLine is a name that stands in a text, and its line, from 1.
type NameLine struct {
	Name string
	Line int
}

// maxNamed bounds the names of one kind that one file gives.
const maxNamed = 200

// readsVariable is how languages read an environment variable whose name stands there, and assigned is what makes it one that is written.
var (
	readsVariable = lazyregexp.New(`(?:process|import\.meta)\.env(?:\.([A-Z][A-Z0-9_]*)|\[\s*["']([A-Za-z_]\w*)["']\s*\])` +
		`|\b(?:os\.environ|ENV|\$_ENV|processInfo\.environment|Platform\.environment|getenv\(\))\[\s*["']([A-Za-z_]\w*)["']\s*\]` +
		`|\b(?:getenv|Getenv|LookupEnv|os\.environ\.get|ENV\.(?:fetch|key\?|has_key\?|include\?|member\?|dig)|env::var|env::var_os|env!|option_env!|GetEnvironmentVariable|Deno\.env\.get` +
		`|get_env|fetch_env!?|String\.fromEnvironment)\(\s*["']([A-Za-z_]\w*)["']|[ \t(,\[!=?]env\(\s*["']([A-Z][A-Z0-9_]*)["']|\$ENV\{["']?([A-Za-z_]\w*)["']?\}|\b(?:lookupEnv|getEnv) +"([A-Za-z_]\w*)"`)
	assigned = lazyregexp.New(`^\s*(?:[|&?]{2})?=[^=>~]`)
)

// hints of what the expressions find: a text without any has none.
var (
	variableHints = [][]byte{[]byte("process.env"), []byte("import.meta.env"), []byte("Deno.env.get("), []byte("os.environ"), []byte("ENV["), []byte("ENV."), []byte("ENV{"),
		[]byte("etenv("), []byte("LookupEnv("), []byte("env::var"), []byte("EnvironmentVariable("),
		[]byte(".environment["), []byte(".fromEnvironment("), []byte("get_env("), []byte("fetch_env"), []byte("env!("), []byte("lookupEnv "), []byte("getEnv "), []byte("env('"), []byte("env(\"")}
	// environments are what each of variableHints holds one of.
	environments = [][]byte{[]byte("env"), []byte("Env"), []byte("ENV")}
)

// SurfaceOf returns what a text of a program says of its surface; nothing of tests, examples and what a build makes. Comments
// say nothing; a table may stand in a string.
func SurfaceOf(f *scan.File, b []byte) (s Surface) {
	s.Begins = BeginningOf(f, b)
	l := LanguageOf(f.Path)
	if l == nil || !f.Extractable() || Aside(f.Path) || f.Category == scan.CategoryTest {
		return s
	}
	generated := language.IsGenerated(f.Path, b)
	if generated && !isSchema(f.Path) {
		return s
	}
	b = l.withoutTests(b)
	var held pairs
	held.note(b)
	variables := held.anyOf(b, environments) && held.anyOf(b, variableHints)
	partsOf := sync.OnceValue(func() []byte { return l.parts(b) })
	s.Tables = l.tablesOf(b, &held, partsOf)
	if l.Name == "SQL" {
		s.renameTables(b, partsOf)
	}
	if generated {
		return s
	}
	if l.programs() {
		s.Commands = l.commandsOf(b, &held, partsOf)
		s.Messages = l.messagesOf(b, &held, partsOf)
		s.Variables = tabledVariables(l.Name, b, &held, partsOf)
	}
	if variables && l.programs() {
		parts := partsOf()
		lines := &lineCounter{text: b}
		for _, m := range near(readsVariable, b, variableHints) {
			written := assigned.Match(b[m[1]:min(len(b), m[1]+8)]) || unset.Match(b[max(0, m[0]-8):m[0]])
			if parts[m[0]] == inCode && !written && !builtIn(b[m[0]:m[1]]) {
				s.Variables = append(s.Variables, NameLine{submatch(b, m), lines.at(m[0])})
			}
		}
		s.Variables = append(s.Variables, constantVariables(b, parts)...)
		s.Variables = append(s.Variables, kindredVariables(b, parts, s.Variables)...)
	}
	if l.Name == "Rust" {
		if IsProgram(f) {
			s.Routes, s.Mounts, s.RoutedOn = rustRoutes(b, partsOf)
		}
		return s
	}
	if IsProgram(f) && (mayRoute(b) || holdsAny(b, procedureHints) || l.mayAnnotate(b) || l.Name == "PHP" && bytes.Contains(b, []byte("Route::"))) {
		s.Routes = routesOf(f, b)
	}
	s.Routes = append(s.Routes, l.patternedRoutes(f.Path, b, partsOf)...)
	s.Mounts, s.RoutedOn = l.mountsOf(b, s.Routes, partsOf)
	return s
}

// unset ends what stands before a variable that is taken out of the environment.
var unset = lazyregexp.New(`(?:\bdel |\bdelete |\bunset\()$`)

// namedFor is how a member is given the name of a variable, or of a property, that it takes its value of: by a tag of Go, an annotation
// of Spring or of MicroProfile.
var namedFor = lazyregexp.New("\\b(?:env|envconfig):\"([A-Z][A-Z0-9_]*)|@Value\\(\\s*\"[$#]\\{([A-Za-z][\\w.-]*)|@ConfigProperty\\(\\s*name\\s*=\\s*\"([A-Za-z][\\w.-]*)\"")

// namedHints are hints of what namedFor finds, givesEnvironment of wholeEnvironment.
var namedHints = [][]byte{[]byte("env:\""), []byte("envconfig:\""), []byte("@Value("), []byte("@ConfigProperty(")}

var givesEnvironment = [][]byte{[]byte(".env")}

// A text that gives all of the environment to something, or a class of settings of pydantic, names variables as keys and as members.
var (
	wholeEnvironment = lazyregexp.New(`\b(?:process\.env|import\.meta\.env) *[,)]`)
	variableKey      = lazyregexp.New(`(?m)^[ \t]+([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*) *:[ \t]*[\w"'\[{(]`)
)

// tabledVariables returns the variables that a text of a language names in a table, or by what stands beside the member that has the value.
func tabledVariables(language string, b []byte, held *pairs, partsOf func() []byte) (list []NameLine) {
	add := func(found [][]int, in func(part byte) bool) {
		parts, lines := partsOf(), &lineCounter{text: b}
		for _, m := range found {
			if in(parts[m[0]]) {
				list = append(list, NameLine{submatch(b, m), lines.at(m[0])})
			}
		}
	}
	if held.anyOf(b, namedHints) {
		add(near(namedFor, b, namedHints), func(part byte) bool { return part != inComment })
	}
	if language == "Python" && bytes.Contains(b, []byte("(BaseSettings)")) || held.anyOf(b, givesEnvironment) && wholeEnvironment.Match(b) {
		add(variableKey.FindAllSubmatchIndex(b, maxNamed), func(part byte) bool { return part == inCode })
	}
	return list
}

// readsConstant is how languages read an environment variable by a name that stands elsewhere, namesVariable a constant that may be
// such a name.
var (
	readsConstant = lazyregexp.New(`\b(?:getenv|Getenv|LookupEnv|environ\.get|env::var|env::var_os|GetEnvironmentVariable|get_env)\(\s*&?([A-Za-z_]\w*)\s*[,)]` +
		`|(?:process\.env|os\.environ)\[\s*([A-Za-z_]\w*)\s*\]`)
	namesVariable = lazyregexp.New(`(?m)^[ \t]*(?:[A-Za-z_]\w* +){0,5}([A-Za-z_]\w*)(?:[ \t]*: *&?(?:'static +)?\w+)?(?: +string)?[ \t]*:?=[ \t]*["']([A-Z][A-Z0-9_]+)["'][ \t]*(?:;|,|//.*|#.*)?$`)
)

// constantVariables returns the environment variables that a text reads by constants of its own, at the lines of these.
func constantVariables(b, parts []byte) (list []NameLine) {
	read := map[string]bool{}
	for _, m := range near(readsConstant, b, variableHints) {
		if parts[m[0]] == inCode {
			read[submatch(b, m)] = true
		}
	}
	if len(read) == 0 {
		return nil
	}
	lines := &lineCounter{text: b}
	for _, m := range namesVariable.FindAllSubmatchIndex(b, -1) {
		if read[string(b[m[2]:m[3]])] && parts[m[2]] == inCode && len(list) < maxNamed {
			list = append(list, NameLine{string(b[m[4]:m[5]]), lines.at(m[2])})
		}
	}
	return list
}

// calledWith is a call that is given a name as that of an environment variable.
var calledWith = lazyregexp.New(`[\w!?]\(\s*["']([A-Z][A-Z0-9]*_[A-Z0-9_]+)["']`)

// leastKindred is how many variables that a text reads begin with the same word where others that do are variables too.
const leastKindred = 2

// kindredVariables returns what a text gives functions of its own that begins as the variables do that it reads itself: where
// QUAY_HOME and QUAY_TIDE are read, port("QUAY_PORT") reads a third.
func kindredVariables(b, parts []byte, read []NameLine) (list []NameLine) {
	first := func(name string) string { word, _, _ := strings.Cut(name, "_"); return word }
	families, known := map[string]int{}, map[string]bool{}
	for _, v := range read {
		if !known[v.Name] && len(first(v.Name)) > 2 {
			families[first(v.Name)]++
		}
		known[v.Name] = true
	}
	for word, n := range families {
		if n < leastKindred {
			delete(families, word)
		}
	}
	if len(families) == 0 {
		return nil
	}
	lines := &lineCounter{text: b}
	for _, m := range calledWith.FindAllSubmatchIndex(b, maxNamed) {
		name := string(b[m[2]:m[3]])
		if families[first(name)] > 0 && !known[name] && parts[m[0]] == inCode {
			known[name] = true
			list = append(list, NameLine{name, lines.at(m[0])})
		}
	}
	return list
}

// builtIn reports whether what reads a variable reads one of those that a bundler, or Cargo, itself writes into the code, whatever the
// environment is.
func builtIn(reads []byte) bool {
	name, ok := bytes.CutPrefix(reads, []byte("import.meta.env."))
	return ok && builtIns[string(name)] || ofCargo.Match(reads)
}

// ofCargo is how Rust reads what Cargo says of the package that it builds.
var ofCargo = lazyregexp.New(`\benv(?:!|::var|::var_os)\(\s*"(?:CARGO_(?:PKG|MANIFEST|CFG|FEATURE|BIN|CRATE)_\w+|OUT_DIR)"`)

// builtIns are the variables of import.meta.env that are none of the environment.
var builtIns = map[string]bool{"DEV": true, "PROD": true, "SSR": true, "MODE": true, "BASE_URL": true}

// What an expression finds around a hint begins at most beforeHint bytes before it, on its line or the one before, and ends at most
// behindHint bytes behind it.
const (
	beforeHint = 200
	behindHint = 400
)

// near returns what an expression finds around hints, maxNamed places at most: the rest of a text is not looked at.
func near(re *lazyregexp.Regexp, b []byte, hints [][]byte) (list [][]int) {
	for at, end := 0, 0; at < len(b) && len(list) < maxNamed; {
		hint := nextHint(b[at:], hints)
		if hint < 0 {
			return list
		}
		hint += at
		from := max(end, hint-beforeHint)
		if line := bytes.IndexByte(b[from:hint], '\n'); from > end && line >= 0 {
			from += line // no word is cut
		}
		to := min(len(b), hint+behindHint)
		at = max(hint+1, to-beforeHint)
		for _, m := range re.FindAllSubmatchIndex(b[from:to], maxNamed-len(list)) {
			if m[1] == to-from && to < len(b) && m[0] > hint-from { // it may be cut: it is looked for again
				at = min(at, m[0]+from)
				break
			}
			for i := range m {
				if m[i] >= 0 {
					m[i] += from
				}
			}
			list, end = append(list, m), m[1]
			at = max(at, end)
		}
	}
	return list
}

// nextHint is where the first of the hints stands, -1 where none does.
func nextHint(b []byte, hints [][]byte) int {
	first := -1
	for _, h := range hints {
		if i := bytes.Index(b, h); i >= 0 {
			first, b = i, b[:min(len(b), i+len(h))]
		}
	}
	return first
}

// pairs are the bytes that stand beside each other in a text. A word whose pairs it does not all have need not be looked for: most of the
// words that a text is searched for are told so, and to note the pairs takes as long as to look for five of them.
type pairs [1 << 16 / 64]uint64

// note adds the pairs of a text.
func (p *pairs) note(b []byte) {
	if len(b) == 0 {
		return
	}
	w := uint(b[0]) << 8
	for _, c := range b[1:] {
		w = w>>8 | uint(c)<<8
		p[w>>6&(1<<10-1)] |= 1 << (w & 63)
	}
}

// mayHold reports whether a word may stand in the text: each pair of it does.
func (p *pairs) mayHold(word []byte) bool {
	for i := 1; i < len(word); i++ {
		if w := uint(word[i-1]) | uint(word[i])<<8; p[w>>6]&(1<<(w&63)) == 0 {
			return false
		}
	}
	return true
}

// anyOf reports whether one of the words stands in the text whose pairs these are.
func (p *pairs) anyOf(b []byte, words [][]byte) bool {
	return slices.ContainsFunc(words, func(w []byte) bool { return p.mayHold(w) && bytes.Contains(b, w) })
}

func holdsAny(b []byte, hints [][]byte) bool {
	return slices.ContainsFunc(hints, func(h []byte) bool { return bytes.Contains(b, h) })
}

// procedureHints are what a text holds whose routes may begin without a slash.
var procedureHints = [][]byte{[]byte("outer.post("), []byte("outer.get(")}

// mayRoute reports whether a string begins as that of a route does: "/users", "GET /users".
func mayRoute(b []byte) bool {
	for at := 1; at < len(b); at++ {
		i := bytes.IndexByte(b[at:], '/')
		if i < 0 {
			return false
		}
		at += i
		before := b[:at]
		if c := before[at-1]; c == ' ' || c == '\t' {
			before = bytes.TrimRight(before, " \t")
			word := before[max(0, len(before)-maxMethod):]
			from := len(word)
			for from > 0 && isName(word[from-1]) {
				from--
			}
			if httpMethods[string(word[from:])] == "" {
				continue
			}
			before = before[:len(before)-len(word)+from]
		}
		if n := len(before); n > 0 && (before[n-1] == '"' || before[n-1] == '\'' || before[n-1] == '`') {
			return true
		}
	}
	return false
}

// maxMethod is longer than the longest of httpMethods.
const maxMethod = 16

// submatch returns the first group of a match that matched anything.
func submatch(b []byte, m []int) string {
	for i := 2; i+1 < len(m); i += 2 {
		if m[i] >= 0 {
			return string(b[m[i]:m[i+1]])
		}
	}
	return ""
}

// lineCounter tells the lines of places that are asked for in their order.
type lineCounter struct {
	text     []byte
	to, line int
}

func (c *lineCounter) at(off int) int {
	c.line += bytes.Count(c.text[c.to:off], []byte{'\n'})
	c.to = off
	return c.line + 1
}
