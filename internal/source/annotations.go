package source

import (
	"bytes"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// annotation is a line that begins with one that may register a route. Groups: the method of Spring, of ASP.NET, of JAX-RS, of
// Nest and Micronaut; or what names a path alone.
var annotation = lazyregexp.New(`^[@\[](?:(Get|Post|Put|Delete|Patch|Request)Mapping|Http(Get|Post|Put|Delete|Patch|Head|Options)|(GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS)|(Get|Post|Put|Delete|Patch|Head|Options|All)|(Path|Route|Controller))\b`)

// annotationHints are what some annotation of that kind begins with, and what calls of FastEndpoints stand below.
var annotationHints = [][]byte{[]byte("Mapping"), []byte("[Http"), []byte("@Path"), []byte("@Controller"), []byte("[Route"), []byte("Endpoint")}

// headWords are what typeHead finds one of.
var headWords = [][]byte{[]byte("class"), []byte("interface"), []byte("record"), []byte("struct")}

// foreignCalls are annotations of what calls a server: its routes are those of another program.
var foreignCalls = [][]byte{[]byte("@FeignClient"), []byte("@RegisterRestClient")}

var (
	typeHead    = lazyregexp.New(`(?:^|[\s])(?:class|interface|record|struct)\s+(\w+)`)
	methodHead  = lazyregexp.New(`(\w+)\s*(?:<[^<>()]*>)?\s*\(`)
	stringIn    = lazyregexp.New("\"([^\"\n]*)\"|'([^'\n]*)'")
	pathKey     = lazyregexp.New(`\b(?:value|path)\s*[=:]\s*`)
	methodKey   = lazyregexp.New(`\bmethod\s*=\s*[\[{(]?\s*(?:RequestMethod\.)?([A-Z]+)`)
	constant    = lazyregexp.New(`\b(\w+)\s*(?::\s*\w+\s*)?=\s*"([^"\n]*)"`)
	endpointOf  = lazyregexp.New(`^(Get|Post|Put|Delete|Patch|Head)\(\s*(?:"([^"\n]*)"|([\w.]+))\s*\);`)
	pathOfWords = lazyregexp.New(`^[A-Za-z_][\w.]*`)
)

// annotates reports whether routes of a language are told by annotations, and by the methods of what is an endpoint.
func (l *Language) annotates() bool {
	switch l.Name {
	case "Java", "Kotlin", "Groovy", "Scala", "C#", "TypeScript":
		return true
	}
	return false
}

// mayAnnotate reports whether annotations of a text may register routes.
func (l *Language) mayAnnotate(b []byte) bool {
	return l.annotates() && holdsAny(b, annotationHints) && !holdsAny(b, foreignCalls)
}

// pending are annotations whose declaration has not come yet.
type pending struct {
	method string
	paths  []string
	line   int
	routed bool // a method, or what stands for all of them, is named
}

// annotatedRoutes are the routes that annotations register: the paths of a type before those of its methods, and the method that
// answers. parts tells strings and comments from code.
func (l *Language) annotatedRoutes(b, parts []byte) []Route {
	a := annotationReader{l: l, text: b, controls: bytes.Contains(b, []byte("@Controller")), endpoint: bytes.Contains(b, []byte("Endpoint"))}
	for _, word := range headWords {
		if bytes.Contains(b, word) {
			a.types = append(a.types, word)
		}
	}
	for off := 0; off < len(b) && len(a.list) < maxRoutesOf; {
		end := bytes.IndexByte(b[off:], '\n')
		if end < 0 {
			end = len(b) - off
		}
		end += off
		a.line++
		line := bytes.TrimLeft(b[off:end], " \t")
		at := end - len(line)
		off = end + 1
		if line = bytes.TrimRight(line, " \t\r"); len(line) > 0 && parts[at] == inCode && at >= a.past {
			a.look(line, at)
		}
	}
	return a.list
}

// maxRoutesOf bounds the routes of one file.
const maxRoutesOf = 2000

// annotationReader reads the lines of a text for annotations.
type annotationReader struct {
	l        *Language
	text     []byte
	line     int
	past     int // up to where arguments were read
	list     []Route
	wait     pending
	prefixes []string
	class    string
	// constants are the texts that names stand for; nil before one is asked for.
	constants map[string]string
	// controls says that something is annotated as a controller, endpoint that something may be an endpoint.
	controls, endpoint bool
	// types are those of headWords that the text holds.
	types [][]byte
}

// look takes what a line says, which stands at an offset of the text.
func (a *annotationReader) look(line []byte, at int) {
	for len(line) > 0 && (line[0] == '@' || line[0] == '[') {
		n := a.annotation(line, at)
		line, at = bytes.TrimLeft(line[n:], " \t"), at+n+len(line[n:])-len(bytes.TrimLeft(line[n:], " \t"))
	}
	if len(line) == 0 || line[0] == '}' || line[0] == ')' {
		return
	}
	if m := a.typeIn(line); m != nil {
		a.class = string(m[1])
		a.prefixes = nil
		if len(a.wait.paths) > 0 {
			a.prefixes = a.paths("")
		}
		a.wait = pending{}
		return
	}
	if m := a.endpointIn(line); m != nil {
		p := string(m[2])
		if p == "" {
			p = a.named(string(m[3]))
		}
		a.list = append(a.list, Route{Method: strings.ToUpper(string(m[1])), Path: rooted(p), Line: a.line, Handler: a.class})
		return
	}
	if a.wait.line == 0 {
		return
	}
	if m := methodHead.FindSubmatch(line); m != nil {
		a.register(string(m[1]))
	}
}

// typeIn is what typeHead finds in a line, which most do not hold a word for.
func (a *annotationReader) typeIn(line []byte) [][]byte {
	if !holdsAny(line, a.types) {
		return nil
	}
	return typeHead.FindSubmatch(line)
}

// endpointIn is what endpointOf finds in a line, where something may be an endpoint.
func (a *annotationReader) endpointIn(line []byte) [][]byte {
	if !a.endpoint || a.l.Name != "C#" {
		return nil
	}
	return endpointOf.FindSubmatch(line)
}

// register adds the routes that wait for the method that answers them.
func (a *annotationReader) register(handler string) {
	if a.wait.routed {
		for _, p := range a.paths(handler) {
			a.list = append(a.list, Route{Method: a.wait.method, Path: claim.OneLine(p, 120), Line: a.wait.line, Handler: claim.OneLine(handler, 60)})
		}
	}
	a.wait = pending{}
}

// paths are those that wait, each behind each of those of the type.
func (a *annotationReader) paths(handler string) (list []string) {
	own, before := a.wait.paths, a.prefixes
	if len(own) == 0 {
		own = []string{""}
	}
	if len(before) == 0 {
		before = []string{""}
	}
	for _, b := range before {
		for _, o := range own {
			if a.l.Name == "C#" && (strings.HasPrefix(o, "/") || strings.HasPrefix(o, "~/")) {
				b = "" // it begins anew
			}
			p := rooted(strings.TrimSuffix(b, "/") + "/" + strings.TrimLeft(o, "~/"))
			p = strings.ReplaceAll(p, "[controller]", strings.TrimSuffix(a.class, "Controller"))
			if handler != "" {
				p = strings.ReplaceAll(p, "[action]", handler)
			}
			list = append(list, p)
		}
	}
	return list
}

func rooted(p string) string {
	if p = strings.TrimLeft(p, "/"); p != "/" {
		p = strings.TrimSuffix(p, "/")
	}
	return "/" + p
}

// annotation reads one at the beginning of a line, and returns how many bytes of the line it takes.
func (a *annotationReader) annotation(line []byte, at int) int {
	m := annotation.FindSubmatch(line)
	name := bytes.IndexFunc(line[1:], func(r rune) bool { return !wordRune(r) && r != '.' }) + 1
	if name == 0 {
		name = len(line)
	}
	rest := line[name:]
	args, whole := a.arguments(rest, at+name)
	if m != nil {
		a.take(m, args)
	}
	if a.text[at] == '[' { // [A("x"), B]
		if end := bytes.IndexByte(rest[min(whole, len(rest)):], ']'); end >= 0 {
			return min(len(line), name+whole+end+1)
		}
		return len(line)
	}
	return min(len(line), name+whole)
}

func wordRune(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
}

// maxArguments bounds the bytes of an annotation's arguments.
const maxArguments = 600

// arguments are those in brackets that begin rest, which stands at an offset of the text, and how many bytes they take with them.
func (a *annotationReader) arguments(rest []byte, at int) (args string, n int) {
	if len(rest) == 0 || rest[0] != '(' {
		return "", 0
	}
	text := a.text[at:min(len(a.text), at+maxArguments)]
	depth, quote := 0, byte(0)
	for i, c := range text {
		switch {
		case quote != 0:
			if c == quote || c == '\n' {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				a.past = max(a.past, at+i+1)
				return string(text[1:i]), i + 1
			}
		}
	}
	return "", len(rest)
}

// take notes what an annotation says of the declaration that comes.
func (a *annotationReader) take(m [][]byte, args string) {
	spring, asp, jax, nest, path := string(m[1]), string(m[2]), string(m[3]), string(m[4]), string(m[5])
	switch {
	case jax != "" && args != "", nest != "" && !a.controls:
		return // a client's
	case path == "Controller" && (a.l.Name == "C#" || a.l.Name == "Java" && !strings.Contains(args, "/")):
		return // of Spring: it names a bean
	}
	if a.wait.line == 0 {
		a.wait.line = a.line
	}
	if p := a.pathsIn(args); jax == "" {
		a.wait.paths = append(a.wait.paths, p...)
	}
	method := strings.ToUpper(spring + asp + jax + nest)
	switch {
	case spring == "Request":
		if method = "ANY"; args != "" {
			if said := methodKey.FindStringSubmatch(args); said != nil {
				method = said[1]
			}
		}
	case nest == "All", path == "Route":
		method = "ANY"
	}
	if method != "" && (!a.wait.routed || a.wait.method == "ANY") {
		a.wait.method, a.wait.routed = method, true
	}
}

// pathsIn are the paths that the arguments of an annotation name: their first text, or list of texts, or that of value and path.
func (a *annotationReader) pathsIn(args string) (list []string) {
	args = strings.TrimSpace(args)
	if i := pathKey.FindStringIndex(args); i != nil {
		args = strings.TrimSpace(args[i[1]:])
	} else if at := strings.IndexByte(args, '='); at >= 0 && !strings.ContainsAny(args[:at], `"'`) {
		return nil
	}
	if args == "" {
		return nil
	}
	if strings.IndexByte(`{[`, args[0]) >= 0 {
		at := 0
		for _, m := range stringIn.FindAllSubmatchIndex([]byte(args), maxRoutesOf) {
			if strings.ContainsAny(args[at:m[0]], "}]") { // the list has ended
				break
			}
			at = m[1]
			list = append(list, args[m[0]+1:m[1]-1])
		}
		return list
	}
	if m := stringIn.FindStringIndex(args); m != nil && m[0] == 0 {
		return []string{args[1 : m[1]-1]}
	}
	if m := pathOfWords.FindStringSubmatch(args); m != nil {
		return []string{a.named(m[0])}
	}
	return nil
}

// maxConstants bounds the constants of a file that paths are looked up in.
const maxConstants = 1000

// named is the text that a constant stands for, as far as the file says it; else its name, in brackets.
func (a *annotationReader) named(name string) string {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if a.constants == nil {
		a.constants = map[string]string{}
		for _, m := range constant.FindAllSubmatch(a.text, maxConstants) {
			if _, ok := a.constants[string(m[1])]; !ok {
				a.constants[string(m[1])] = string(m[2])
			}
		}
	}
	if said, ok := a.constants[last]; ok {
		return said
	}
	return "(" + name + ")"
}

// byLine orders routes as they stand in their file.
func byLine(list []Route) []Route {
	slices.SortStableFunc(list, func(a, b Route) int { return a.Line - b.Line })
	return list
}
