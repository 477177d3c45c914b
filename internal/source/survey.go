package source

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/scan"
)

// Report is what one pass over a source file measures.
type Report struct {
	File  *scan.File
	lang  *Language
	Lines int
	// Depth is how deep lines are indented, in steps, and where the first such line is.
	Depth, DepthLine int
	// Loops nest this deep, by indentation; LoopLine is the innermost one's.
	Loops, LoopLine int
	// Calls by kind, with their lines.
	Calls map[string]*Places
	Todos Places
	// Routes that the file registers; groups are the variables that hold groups of them.
	Routes []Route
	groups map[string]bool
	// program: a Go file with a main function.
	program bool
	// generated files are nobody's to judge.
	generated bool
}

// Places counts, and names the first lines.
type Places struct {
	N int
	// Lines are the first maxLines, counted from 1.
	Lines []int
}

// maxLines is how many lines are named of what is counted.
const maxLines = 5

func (p *Places) add(line int) {
	if p.N++; len(p.Lines) < maxLines {
		p.Lines = append(p.Lines, line)
	}
}

// String names the lines, with an ellipsis where there are more.
func (p Places) String() string {
	var s []string
	for _, l := range p.Lines {
		s = append(s, fmt.Sprint(l))
	}
	more := ""
	if p.N > len(p.Lines) {
		more = ", ..."
	}
	word := "line "
	if p.N > 1 {
		word = "lines "
	}
	return word + strings.Join(s, ", ") + more
}

// Route is an address at which a server answers, as the call that registers it names it.
type Route struct {
	Method, Path string
	Line         int
	// Handler is the function, the method or the type that answers; "" where the line does not say it.
	Handler string
}

// IsProgram reports whether a survey measures the file: source of programs that is neither of tests nor of examples,
// nor made by a build.
func IsProgram(f *scan.File) bool {
	l := LanguageOf(f.Path)
	if l == nil || !l.programs() || !f.Extractable() || Aside(f.Path) {
		return false
	}
	switch f.Category {
	case scan.CategoryTest, scan.CategoryBuild, scan.CategoryDependency:
		return false
	}
	return true
}

// Survey reads all texts once, on all processors. Reports are of source files, in
// the order of the files; those of generated files are left out. damaged counts the
// characters that could not be decoded, by path, where there are any.
func Survey(s *scan.Snapshot, texts *Texts) (reports []*Report, damaged map[string]int, err error) {
	var files []*scan.File
	for i := range s.Files {
		if s.Files[i].Extractable() {
			files = append(files, &s.Files[i])
		}
	}
	reports = make([]*Report, len(files))
	bad := make([]int, len(files))
	err = texts.Each(files, func(i int, b []byte, undecodable int) {
		bad[i] = undecodable
		if IsProgram(files[i]) {
			reports[i] = examine(files[i], b)
		}
	})
	if err != nil {
		return nil, nil, err
	}
	damaged = map[string]int{}
	for i, f := range files {
		if bad[i] > 0 {
			damaged[f.Path] = bad[i]
		}
	}
	return slices.DeleteFunc(reports, func(r *Report) bool { return r == nil || r.generated }), damaged, nil
}

// HasMain reports whether a Go file has a main function.
func HasMain(b []byte) bool {
	return bytes.Contains(b, []byte("\nfunc main() {")) && (bytes.HasPrefix(b, []byte("package main")) || bytes.Contains(b, []byte("\npackage main")))
}

// examine measures a file. A first pass takes strings and comments for code;
// only where it finds anything the file is taken apart and measured again.
func examine(f *scan.File, b []byte) *Report {
	r := &Report{File: f, lang: LanguageOf(f.Path)}
	if r.generated = language.IsGenerated(f.Path, b); r.generated {
		return r
	}
	r.program = r.lang.Name == "Go" && HasMain(b)
	r.measure(b, nil)
	annotates := r.lang.mayAnnotate(b)
	if !annotates && r.plain() && !bytes.Contains(b, todo) && !bytes.Contains(b, fixme) {
		return r
	}
	again := &Report{File: f, lang: r.lang, program: r.program}
	b = r.lang.withoutTests(b)
	parts := r.lang.parts(b)
	again.measure(b, parts)
	if annotates {
		again.Routes = byLine(append(again.Routes, r.lang.annotatedRoutes(b, parts)...))
	}
	again.Routes = r.lang.begun(again.Routes, b, parts)
	return again
}

// plain reports whether a pass found nothing that is worth a word.
func (r *Report) plain() bool {
	return len(r.Calls) == 0 && len(r.Routes) == 0 && r.Depth < DeepNesting && r.Loops < DeepLoops
}

// routesOf are the routes that a text registers, as examine finds them. Which parts are code is asked where there are any.
func routesOf(f *scan.File, b []byte) []Route {
	r := &Report{File: f, lang: LanguageOf(f.Path)}
	annotates := r.lang.mayAnnotate(b)
	others := r.lang.mayRegister(b)
	if r.measure(b, nil); len(r.Routes) == 0 && !annotates && !others {
		return nil
	}
	again := &Report{File: f, lang: r.lang}
	parts := r.lang.parts(b)
	again.measure(b, parts)
	if annotates {
		return byLine(append(again.Routes, r.lang.annotatedRoutes(b, parts)...))
	}
	if others {
		if r.lang.Name == "Kotlin" { // Ktor's are all of its words
			again.Routes = nil
		}
		again.Routes = byLine(append(again.Routes, r.lang.wordedRoutes(b, parts)...))
	}
	return r.lang.begun(again.Routes, b, parts)
}

var todo, fixme = []byte("TODO"), []byte("FIXME")

// From here on nesting and loops are worth a word.
const (
	DeepNesting = 6
	DeepLoops   = 3
	ManyLines   = 800
)

// measure goes over the lines. parts tells strings and comments from code; nil
// means that all is code.
func (r *Report) measure(b []byte, parts []byte) {
	type level struct {
		indent int
		loop   bool
	}
	var stack []level
	loops := 0
	l := r.lang
	bareOK := l.bareNeeds == "" || bytes.Contains(b, []byte(l.bareNeeds))
	words := l.wordsIn(b)
	r.groups = l.groupNames(b)
	for off := 0; off < len(b); {
		end := bytes.IndexByte(b[off:], '\n')
		if end < 0 {
			end = len(b)
		} else {
			end += off
		}
		r.Lines++
		line := b[off:end]
		indent, at := indentOf(line)
		text := line[at:]
		start := off + at
		off = end + 1
		if len(text) == 0 || text[0] == '\r' {
			continue
		}
		if parts != nil && parts[start] != inCode {
			if parts[start] == inComment && todoAt(text) >= 0 {
				r.Todos.add(r.Lines)
			}
			if parts[start] == inComment || !startsString(parts, start) {
				continue
			}
		}
		for len(stack) > 0 && stack[len(stack)-1].indent >= indent {
			if stack[len(stack)-1].loop {
				loops--
			}
			stack = stack[:len(stack)-1]
		}
		loop := isLoop(text)
		stack = append(stack, level{indent, loop})
		if depth := len(stack) - 1; depth > r.Depth {
			r.Depth, r.DepthLine = depth, r.Lines
		}
		if loop {
			if loops++; loops > r.Loops {
				r.Loops, r.LoopLine = loops, r.Lines
			}
		}
		if parts != nil { // before they are told apart a file is only asked for any
			if i := todoAt(text); i >= 0 && parts[start+i] == inComment {
				r.Todos.add(r.Lines)
			}
		}
		for _, w := range words { // each counts once a line
			if i := bytes.Index(text, w.text); i >= 0 && (parts == nil || parts[start+i] == inCode) {
				r.call(w.kind)
			}
		}
		for i := 0; ; i++ {
			n := bytes.IndexByte(text[i:], '(')
			if n < 0 {
				break
			}
			if i += n; parts == nil || parts[start+i] == inCode {
				r.paren(text, i, b[start+i+1:], bareOK)
			}
		}
	}
}

// word is one that tells what a line is about.
type word struct {
	text []byte
	kind string
}

// wordsIn are the language's words that stand anywhere in a text.
func (l *Language) wordsIn(b []byte) (words []word) {
	for _, w := range slices.Sorted(maps.Keys(l.words)) {
		if bytes.Contains(b, []byte(w)) {
			words = append(words, word{[]byte(w), l.words[w]})
		}
	}
	return words
}

// todoAt is where a text says that something is to be done; -1 where it does not.
func todoAt(text []byte) int {
	if i := bytes.Index(text, todo); i >= 0 {
		return i
	}
	return bytes.Index(text, fixme)
}

// indentOf is how far a line is indented, a tab counting four, and where its text begins.
func indentOf(line []byte) (indent, at int) {
	for ; at < len(line); at++ {
		switch line[at] {
		case '\t':
			indent += 4
		case ' ':
			indent++
		default:
			return indent, at
		}
	}
	return indent, at
}

// startsString reports whether a string begins at off, as opposed to going on there.
func startsString(parts []byte, off int) bool { return off == 0 || parts[off-1] != parts[off] }

var loopWords = [][]byte{[]byte("for "), []byte("for("), []byte("while "), []byte("while("), []byte("foreach "), []byte("foreach("), []byte("loop {"), []byte("async for "), []byte("for await")}

func isLoop(text []byte) bool {
	switch text[0] {
	case 'f', 'w', 'l', 'a':
		for _, w := range loopWords {
			if bytes.HasPrefix(text, w) {
				return true
			}
		}
	}
	return false
}

func (r *Report) call(kind string) {
	if r.Calls == nil {
		r.Calls = map[string]*Places{}
	}
	p := r.Calls[kind]
	if p == nil {
		p = &Places{}
		r.Calls[kind] = p
	}
	p.add(r.Lines)
}

// maxRouteArgs bounds what is read of the arguments of a route that stand on lines of their own, in bytes.
const maxRouteArgs = 600

// argsOf are the arguments of a call, as far as its line goes, or, in JavaScript, what stands below where the line ends with the bracket.
func (l *Language) argsOf(line, behind []byte) []byte {
	if l.Name != "JavaScript" && l.Name != "TypeScript" {
		return line
	}
	if bare := bytes.TrimSpace(line); len(bare) > 0 && !bytes.Equal(bare, []byte("{")) {
		return line
	}
	return bytes.TrimLeft(behind[:min(len(behind), maxRouteArgs)], " \t\r\n")
}

// paren looks at the name before the bracket at text[i]; behind is what the text goes on with behind it.
func (r *Report) paren(text []byte, i int, behind []byte, bareOK bool) {
	from := i
	for from > 0 && isName(text[from-1]) {
		from--
	}
	name := text[from:i]
	if len(name) < 3 || len(name) > 60 {
		return
	}
	// The last two parts of a.b.c, a::b.
	last := len(name) - 1
	for last >= 0 && name[last] != '.' && name[last] != ':' {
		last--
	}
	if last < 0 {
		if kind, ok := r.lang.bare[string(name)]; ok && (bareOK || kind != runs) && !defines(text[:from]) && !(kind == evaluates && givesBlock(text[i+1:])) {
			r.call(kind)
			return
		}
		if kind, ok := r.lang.calls[string(name)]; ok && !defines(text[:from]) {
			r.call(kind)
			return
		}
	} else {
		first := last
		for first > 0 && (name[first] == '.' || name[first] == ':') {
			first--
		}
		for first >= 0 && name[first] != '.' && name[first] != ':' {
			first--
		}
		if kind, ok := r.lang.calls[string(name[first+1:])]; ok {
			r.call(kind)
			return
		}
	}
	if rt, ok := r.lang.route(name, last, text[:from], r.lang.argsOf(text[i+1:], behind), r.groups); ok && len(r.Routes) < maxRoutesOf {
		rt.Line = r.Lines
		r.Routes = append(r.Routes, rt)
	}
}

// givesBlock reports whether a call of Ruby is given a block, which is code already: instance_eval(&block).
func givesBlock(args []byte) bool { return bytes.HasPrefix(bytes.TrimLeft(args, " "), []byte("&")) }

// defines reports whether what stands before a name makes it a definition.
func defines(before []byte) bool {
	before = bytes.TrimRight(before, " \t*")
	for _, w := range []string{"func", "function", "def", "fn", "fun", "void", "int"} {
		if bytes.HasSuffix(before, []byte(w)) {
			return true
		}
	}
	return len(before) > 0 && (before[len(before)-1] == '.' || before[len(before)-1] == ')' && bytes.HasPrefix(before, []byte("func")))
}

func isName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c == '.' || c == ':'
}

var httpMethods = map[string]string{
	"get": "GET", "post": "POST", "put": "PUT", "patch": "PATCH", "delete": "DELETE", "del": "DELETE", "all": "ANY", "options": "OPTIONS", "head": "HEAD", "route": "ANY",
	"Get": "GET", "Post": "POST", "Put": "PUT", "Patch": "PATCH", "Delete": "DELETE", "Options": "OPTIONS", "Head": "HEAD",
	"GET": "GET", "POST": "POST", "PUT": "PUT", "PATCH": "PATCH", "DELETE": "DELETE", "OPTIONS": "OPTIONS", "HEAD": "HEAD", "Any": "ANY",
	"api_route": "ANY", "websocket": "WS", "HandleFunc": "ANY", "Handle": "ANY", "MapGet": "GET", "MapPost": "POST", "MapPut": "PUT", "MapDelete": "DELETE",
}

// Receivers on which a method named like an HTTP one registers a route: the
// last part of what stands before it, in lower case, ends in one of these.
var routers = []string{"app", "router", "server", "fastify", "api", "routes", "blueprint", "bp", "mux", "hono", "group", "route", "engine", "echo", "rg"}

// call is how a function is called.
type call struct {
	before    []byte // what stands before it
	method    bool   // something stands before its name
	decorator bool   // it is one
	block     bool   // its line ends with what opens a block, or a list
	group     bool   // it is called on a variable that holds a group of routes
}

// registers reports whether a call of a method of HTTP registers a route, in this language.
func (l *Language) registers(called, receiver string, c call) bool {
	switch l.Name {
	case "Go":
		if called == "HandleFunc" || called == "Handle" {
			return true
		}
		router := c.group || receiver == "r" || receiver == "e" || receiver == "g" || endsIn(receiver, routers)
		return called[0] >= 'A' && called[0] <= 'Z' && router
	case "Python":
		return c.decorator && c.method
	case "C#":
		return strings.HasPrefix(called, "Map")
	case "TypeScript", "JavaScript":
		return c.method && called[0] >= 'a' && (receiver == "r" || endsIn(receiver, routers)) && !asks(receiver, c.before)
	case "PHP":
		return slices.Contains(routersOfPHP, receiver)
	case "Scala", "Kotlin": // Scalatra: get("/ships") {
		return !c.method && called[0] >= 'a' && called != "route" && len(bytes.TrimSpace(c.before)) == 0 && c.block
	case "Rust":
		return called == "route" && (len(c.before) == 0 || c.method)
	}
	return false
}

// asks reports whether a call asks a server, and registers no route with one: it is waited for, or is made by what is called as a client is.
func asks(receiver string, before []byte) bool {
	return bytes.HasSuffix(bytes.TrimRight(before, " "), []byte("await")) || strings.Contains(receiver, "fetch") || strings.Contains(receiver, "client")
}

// maxRouteLine bounds what stands behind a call on its line, in bytes, if the line is to tell what it opens.
const maxRouteLine = 300

// opensBlock reports whether a line, from a call's arguments on, ends with what opens a block or a further list of arguments.
func opensBlock(args []byte) bool {
	line, _, ended := bytes.Cut(args[:min(len(args), maxRouteLine)], []byte("\n"))
	if !ended && len(args) > maxRouteLine {
		return false
	}
	line = bytes.TrimRight(line, " \t\r")
	return bytes.HasSuffix(line, []byte("{")) || bytes.HasSuffix(line, []byte("(")) || bytes.HasSuffix(line, []byte("=>"))
}

// route tells whether a call registers a route: name( and then arguments. Groups are the variables that hold groups of routes.
func (l *Language) route(name []byte, last int, before, args []byte, groups map[string]bool) (Route, bool) {
	method, ok := httpMethods[string(name[last+1:])]
	if !ok {
		return Route{}, false
	}
	receiver := strings.ToLower(strings.TrimRight(string(name[:max(last, 0)]), ":"))
	if i := strings.LastIndexAny(receiver, ".:"); i >= 0 {
		receiver = receiver[i+1:]
	}
	if l.Name == "PHP" && last < 0 { // $app->get
		receiver = strings.ToLower(calledOn(before))
	}
	if l.Name == "Go" && receiver == "" && last == 0 && bytes.Contains(before, []byte(".With(")) { // chi's r.With(guard).Get
		receiver = "r"
	}
	called := string(name[last+1:])
	decorator := bytes.HasSuffix(before, []byte("@"))
	if !l.registers(called, receiver, call{before: before, method: last >= 0, decorator: decorator, block: opensBlock(args), group: groups[receiver]}) {
		return Route{}, false
	}
	p, ok := firstString(args)
	if m := behindName.FindSubmatch(args[:min(len(args), maxRouteArgs)]); m != nil && !strings.HasPrefix(p, "/") {
		p, ok = "…"+string(bytes.Join(m[1:], nil)), true
	}
	if !ok && called == "route" {
		if told := routeObject.FindSubmatch(args[:min(len(args), maxRouteArgs)]); told != nil {
			p, ok = cmp.Or(string(told[1]), string(told[4])), true
			method = cmp.Or(string(told[2]), string(told[3]), method)
		}
	}
	if !ok {
		return Route{}, false
	}
	if _, list, ok := bytes.Cut(args, []byte("methods=")); ok && decorator { // Flask
		if end := bytes.IndexAny(list, "])}"); end >= 0 {
			list = list[:end]
		}
		if m := strings.Trim(unquoted.Replace(string(list)), "[({,"); m != "" && len(m) < 60 {
			method = claim.OneLine(m, 60)
		}
	}
	if m, rest, two := strings.Cut(p, " "); two && httpMethods[m] != "" { // "GET /users"
		method, p = m, strings.TrimSpace(rest)
	}
	if m := methodsBehind.FindSubmatch(args[:min(len(args), maxRouteArgs)]); m != nil && l.Name == "Go" {
		method = claim.OneLine(strings.ToUpper(goMethods.Replace(string(m[1]))), 60)
	}
	if !strings.HasPrefix(strings.TrimPrefix(p, "…"), "/") && !l.routesWithout(receiver, p) {
		return Route{}, false
	}
	rt := Route{Method: method, Path: claim.OneLine(cmp.Or(p, "/"), 120)}
	if m := answeredBy.FindSubmatch(args); l.Name == "PHP" && m != nil {
		rt.Handler = claim.OneLine(strings.TrimSuffix(string(m[1])+"::"+string(m[2]), "::")+string(m[3]), 60)
	}
	return rt, true
}

// routesWithout reports whether a route of this path may leave out the slash that it begins with: Laravel's may, and those of a router in
// JavaScript that are called as procedures are: router.post("documents.info").
func (l *Language) routesWithout(receiver, path string) bool {
	switch l.Name {
	case "Go": // that of the group itself
		return path == ""
	case "PHP":
		return receiver == "route"
	case "TypeScript", "JavaScript":
		return strings.HasSuffix(receiver, "router") && procedure.MatchString(path)
	}
	return false
}

// procedure is a path of names with dots between them.
var procedure = lazyregexp.New(`^[a-z]\w{0,40}(?:\.[\w:-]{1,40}){1,4}$`)

// routeObject is a route of Fastify or hapi that is told by an object: its path, and its method before or behind that.
var routeObject = lazyregexp.New("^\\{(?:[^{}]*?\\b(?:url|path)\\s*:\\s*[\"'`](/[^\"'`\\n]*)[\"'`][^{}]*?\\bmethod\\s*:\\s*[\"'`]([A-Z]+)[\"'`]|[^{}]*?\\bmethod\\s*:\\s*[\"'`]([A-Z]+)[\"'`][^{}]*?\\b(?:url|path)\\s*:\\s*[\"'`](/[^\"'`\\n]*)[\"'`])")

var (
	// behindName is a path that begins with what something else says: base + "/ships", `${base}/ships`, f"{base}/ships".
	behindName = lazyregexp.New("^\\s*(?:[A-Za-z_][\\w.]*\\s*\\+\\s*[\"'`](/[^\"'`\\n]*)[\"'`]|`\\$\\{[\\w.]+\\}(/[^`\\n]*)`|f[\"']\\{[\\w.]+\\}(/[^\"'\\n]*)[\"'])")
	// methodsBehind is how gorilla's routes are given methods, goMethods takes out what is not theirs.
	methodsBehind = lazyregexp.New(`\)\.Methods\(\s*([^()\n]{1,100})\)`)
	goMethods     = strings.NewReplacer(`"`, "", " ", "", "http.Method", "")
)

// routersOfPHP are what routes are registered on in PHP: the facade of Laravel, the router of others.
var routersOfPHP = []string{"route", "router", "app", "group", "routes"}

var (
	// answeredBy is what answers behind the path of a route of PHP: a method of a class, in a list or a text, or a class alone.
	answeredBy = lazyregexp.New(`^[^,]*,\s*(?:\[?\s*(?:\w+\\)*(\w+)::class(?:\s*,\s*'(\w+)')?|'(?:\w+\\)*(\w+@\w+)')`)
	// prefixes is how routes of a group get a beginning that does not stand where they are registered.
	prefixes = lazyregexp.New(`\bprefix\(|'prefix'\s*=>|->group\(\s*['"][^'"]`)
)

// unquoted takes quotes and spaces out of a list of methods.
var unquoted = strings.NewReplacer("'", "", `"`, "", " ", "")

// calledOn is the variable that a method of PHP is called on, by what stands before the method's name; "" if none does.
func calledOn(before []byte) string {
	before, ok := bytes.CutSuffix(before, []byte("->"))
	if !ok {
		return ""
	}
	from := len(before)
	for from > 0 && isName(before[from-1]) && before[from-1] != '$' {
		from--
	}
	return string(before[from:])
}

// begun returns routes below the beginnings of their groups, in Python and JavaScript below that which a router or a blueprint is made with
// in the same file. Of PHP a sign stands before the paths of a group whose beginning is not told.
func (l *Language) begun(list []Route, b, parts []byte) []Route {
	below := l.grouped(list, b, parts)
	if l.Name != "PHP" && len(list) > 0 {
		return beneath(list, b, l.madePrefixes(b))
	}
	if l.Name != "PHP" || len(list) == 0 || !prefixes.Match(b) {
		return list
	}
	lines := bytes.Split(b, []byte{'\n'})
	for n, rt := range list {
		if at := lines[min(rt.Line, len(lines))-1]; (below == nil || !below[n]) && len(at) > 0 && (at[0] == ' ' || at[0] == '\t') {
			list[n].Path = "…" + rt.Path
		}
	}
	return list
}

var (
	// madeWith is a router that is given a beginning of the paths of its routes: its name and the beginning.
	madeWith = lazyregexp.New(`(?m)^(\w+)[ \t]*=[ \t]*[\w.]*(?:Router|Blueprint)\((?:[^()]{0,300}?[\s,(])?(?:url_)?prefix[ \t]*=[ \t]*["'](/[^"'\n]{1,100})["']`)
	// newWith and laterWith are how Koa's routers get one.
	newWith   = lazyregexp.New("(?m)^[ \\t]*(?:export[ \\t]+)?(?:const|let|var)[ \\t]+([\\w$]+)[ \\t]*(?::[^=\\n]{0,100})?=[ \\t]*new[ \\t]+[\\w.]+(?:<[^<>\\n]{0,100}>)?\\([ \\t\\n]*\\{[^{}()]{0,300}?\\bprefix[ \\t]*:[ \\t]*[\"'`](/[^\"'`$\\n]{1,100})[\"'`]")
	laterWith = lazyregexp.New("(?m)^[ \\t]*([\\w$]+)\\.prefix\\([ \\t]*[\"'`](/[^\"'`$\\n]{1,100})[\"'`]")
	// basedOn is how Hono's do.
	basedOn = lazyregexp.New("(?m)^[ \\t]*(?:export[ \\t]+)?(?:const|let|var)[ \\t]+([\\w$]+)[ \\t]*(?::[^=\\n]{0,100})?=[^\\n;]{1,100}\\.basePath\\([ \\t]*[\"'`](/[^\"'`$\\n]{1,100})[\"'`]")
	// decoratedOn is the beginning of a line that registers a route on a router.
	decoratedOn = lazyregexp.New(`^\s*@(\w+)\.`)
)

// beneath returns routes with the beginnings that their routers are made with.
func beneath(list []Route, b []byte, prefixes map[string]string) []Route {
	if len(prefixes) == 0 {
		return list
	}
	lines := bytes.Split(b, []byte{'\n'})
	for n, rt := range list {
		line := lines[min(rt.Line, len(lines))-1]
		m := decoratedOn.FindSubmatch(line)
		if m == nil {
			m = calledOnRouter.FindSubmatch(line)
		}
		if m != nil && prefixes[string(m[1])] != "" {
			list[n].Path = claim.OneLine(prefixes[string(m[1])]+strings.TrimSuffix(rt.Path, "/"), 120)
		}
	}
	return list
}

func endsIn(s string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.HasSuffix(s, w) })
}

// firstString is the string literal that the arguments begin with.
func firstString(args []byte) (string, bool) {
	args = bytes.TrimLeft(args, " \t")
	if len(args) < 2 || args[0] != '"' && args[0] != '\'' && args[0] != '`' {
		return "", false
	}
	end := bytes.IndexByte(args[1:], args[0])
	if end < 0 {
		return "", false
	}
	return string(args[1 : 1+end]), true
}

// What a byte of a source file is part of.
const (
	inCode byte = iota
	inString
	inComment
)

// Runs reports whether a file of this name is of a language in which programs are written.
func Runs(name string) bool {
	l := LanguageOf(name)
	return l != nil && l.programs()
}

// InCode returns what tells of a text's offsets whether code stands there, neither a string nor a comment.
func InCode(name string, b []byte) func(at int) bool {
	l := LanguageOf(name)
	if l == nil {
		return func(int) bool { return false }
	}
	parts := l.parts(b)
	return func(at int) bool { return parts[at] == inCode }
}

// parts tells for each byte of a file whether it is code, string or comment.
func (l *Language) parts(b []byte) []byte {
	out := make([]byte, len(b))
	mark := func(from, to int, what byte) int {
		to = min(to, len(b))
		for i := from; i < to; i++ {
			out[i] = what
		}
		return to
	}
	begins := l.beginnings()
	before := byte('\n') // the last byte of code that is not blank
	below := heredocs{language: l, text: b}
	for i := 0; i < len(b); {
		if i < below.to && i >= below.from {
			i = mark(i, below.to, inString)
			continue
		}
		c := b[i]
		if !begins[c] && i > 0 {
			if c != ' ' && c != '\t' {
				before = c
			}
			i++
			continue
		}
		if n := l.comment(b, i); n > 0 {
			i = mark(i, i+n, inComment)
			continue
		}
		if n := l.str(b, i, before); n > 0 {
			i = mark(i, i+n, inString)
			before = c
			continue
		}
		if c == '<' && l.heredoc() {
			below.announced(i)
		}
		if c != ' ' && c != '\t' {
			before = c
		}
		i++
	}
	return out
}

// beginnings says of each byte whether a comment or a string may begin with it; the first
// byte of a text may besides.
func (l *Language) beginnings() *[256]bool {
	var set [256]bool
	if l.Open != "" {
		set[l.Open[0]] = true
	}
	for _, sign := range l.comments {
		set[sign[0]] = true
	}
	for _, q := range l.Quotes {
		set[q.Open[0]] = true
	}
	if l.Raw&language.Regexp != 0 {
		set['/'] = true
	}
	if l.heredoc() {
		set['<'] = true
	}
	return &set
}

// comment is the length of the comment that begins at b[i], 0 where none does.
func (l *Language) comment(b []byte, i int) int {
	rest := b[i:]
	if i == 0 && strings.HasPrefix(l.Open, "\n") && bytes.HasPrefix(rest, []byte(l.Open[1:])) {
		return l.enclosed(rest) // the beginning of the text is one of a line
	}
	if l.Open != "" && rest[0] == l.Open[0] && bytes.HasPrefix(rest, []byte(l.Open)) {
		return l.enclosed(rest)
	}
	for _, sign := range l.comments {
		if rest[0] != sign[0] || !bytes.HasPrefix(rest, sign) {
			continue
		}
		if l.Raw&language.Brackets != 0 && bytes.HasPrefix(rest[len(sign):], []byte("[[")) {
			if n := bytes.Index(rest, []byte("]]")); n >= 0 {
				return n + len("]]")
			}
			return len(rest)
		}
		return lineEnd(b, i) - i
	}
	return 0
}

// enclosed is the length of the comment between Open and Shut that text begins with.
func (l *Language) enclosed(text []byte) int {
	depth, i := 1, min(len(l.Open), len(text))
	for depth > 0 {
		n := bytes.Index(text[i:], []byte(l.Shut))
		if n < 0 {
			return len(text)
		}
		if l.Nested {
			depth += bytes.Count(text[i:i+n], []byte(l.Open))
		}
		depth--
		i += n + len(l.Shut)
	}
	return i
}

// str is the length of the string that begins at b[i], 0 where none does. before is the last byte of code.
func (l *Language) str(b []byte, i int, before byte) int {
	rest := b[i:]
	for k := range l.Quotes {
		if q := &l.Quotes[k]; rest[0] == q.Open[0] && bytes.HasPrefix(rest, []byte(q.Open)) {
			return quoted(rest, q)
		}
	}
	if rest[0] == '/' && l.Raw&language.Regexp != 0 && startsRegexp(before) {
		return quoted(rest, &expression)
	}
	return 0
}

// expression is a regular expression as a form of string.
var expression = language.Quote{Open: "/", Shut: "/", Escape: '\\'}

// quoted is the length of the string of this form that text begins with. One that has no end ends with its line, or with
// the text.
func quoted(text []byte, q *language.Quote) int {
	twice := q.Escape != 0 && q.Escape == q.Shut[0]
	for i := len(q.Open); i < len(text); i++ {
		switch {
		case text[i] == '\n' && !q.Lines:
			return i
		case text[i] == q.Escape && !twice && q.Escape != 0:
			i++
		case text[i] == q.Shut[0] && bytes.HasPrefix(text[i:], []byte(q.Shut)):
			if twice && i+1 < len(text) && text[i+1] == q.Escape {
				i++
				continue
			}
			return i + len(q.Shut)
		}
	}
	return len(text)
}

// startsRegexp reports whether a slash behind c begins a regular expression
// rather than divides.
func startsRegexp(c byte) bool { return strings.IndexByte("\n(,=:[!&|?{};", c) >= 0 }

func lineEnd(b []byte, i int) int {
	if n := bytes.IndexByte(b[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(b)
}
