package source

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

var (
	// rustAttribute is how actix and Rocket say above a function which requests it answers. Groups are the method, the path, and what else
	// is said.
	rustAttribute = lazyregexp.New(`(?m)^[ \t]*#\[(?:\w+::)?(get|post|put|delete|patch|head|options|route)\(\s*"(/[^"\n]{0,120})"([^\]]{0,300})\]`)
	// rustAnswers is the function below one, behind other attributes.
	rustAnswers = lazyregexp.New(`^(?:\s*#\[[^\]]{0,300}\])*\s*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?fn\s+(\w+)`)
	// rustCall begins a call that registers a route, group 1 is the path of axum's and of actix' scopes, group 2 that of a resource; that puts
	// others below a beginning, group 3 of axum and of Rocket, group 4 of actix; or that puts them where it stands, group 5.
	rustCall = lazyregexp.New(`\.route\(\s*"(/?[^"\n]{0,120})"\s*,|\bweb::resource\(\s*"(/?[^"\n]{0,120})"\s*\)|\.(?:nest|nest_service|mount)\(\s*(?:"(/[^"\n]{0,120})"|[^,"]{1,100})\s*,|\bweb::scope\(\s*(?:"(/?[^"\n]{0,120})"|[^"()\n]{1,100})\s*\)|(\.merge\(|\.service\(|\.configure\(|\broutes!\s*\[)`)
	// rustMethod is a method of HTTP in what answers at a path, rustHandler what answers to it, where that has a name: get(list), get().to(list).
	rustMethod  = lazyregexp.New(`\b(get|post|put|delete|patch|head|options|any)(?:_service)?\(`)
	rustHandler = lazyregexp.New(`^\s*(?:\)\s*\.to\(\s*)?((?:\w+::)*[a-z_]\w*)\s*[,)]`)
	// rustNamed is a router, or a function that answers, by its name: users, users::router(), api.clone().
	rustNamed = lazyregexp.New(`^\s*((?:\w+::)*[a-z_]\w*)\s*(?:[(,).\]]|$)`)
	// rustFunction and rustVariable are what a router has its name of.
	rustFunction = lazyregexp.New(`(?m)^[ \t]*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?fn\s+(\w+)`)
	rustVariable = lazyregexp.New(`(?m)^[ \t]*let\s+(?:mut\s+)?(\w+)\s*(?::[^=;\n]{1,200})?=`)
)

// rustHints are what a text holds one of that has routes of Rust's frameworks.
var rustHints = [][]byte{[]byte(".route("), []byte("web::"), []byte(".mount("), []byte("routes!"), []byte(".nest("),
	[]byte("#[get("), []byte("#[post("), []byte("#[put("), []byte("#[delete("), []byte("#[patch("), []byte("#[route("), []byte("::get("), []byte("::post(")}

// rustRouter is a function that makes a router, or a variable that holds one, and where it is written.
type rustRouter struct {
	name     string
	from, to int
}

// rustReader reads the routes of a text.
type rustReader struct {
	text, parts          []byte
	closes               map[int]int // brackets by what opens them
	functions, variables []rustRouter
	scopes               innerLists
	mounted              map[string]bool // the variables that are put somewhere
}

// placedRoute is a route, the router that it is registered on, and where.
type placedRoute struct {
	Route
	on string
	at int
}

// byPlace sorts routes by where they stand.
func byPlace(list []placedRoute) {
	slices.SortStableFunc(list, func(a, b placedRoute) int { return cmp.Compare(a.at, b.at) })
}

// rustRoutes returns the routes of a text of axum, actix or Rocket, the routers that it mounts, and for each route the router that it is
// registered on: the function that makes that, the variable that holds it, or the function that answers.
func rustRoutes(b []byte, partsOf func() []byte) (routes []Route, list []Mount, on []string) {
	if !holdsAny(b, rustHints) {
		return nil, nil, nil
	}
	r := &rustReader{text: b, parts: partsOf(), mounted: map[string]bool{}}
	r.closes = r.brackets()
	r.functions = r.routers(rustFunction, (*rustReader).body)
	r.variables = r.routers(rustVariable, func(r *rustReader, at int) int { return r.until(at, ";") })
	calls := slices.DeleteFunc(rustCall.FindAllSubmatchIndex(b, maxRoutesOf), func(m []int) bool { return r.parts[m[0]] != inCode })
	r.scope(calls)
	list = r.mounts(calls)
	found := append(r.attributed(), r.registered(calls)...)
	byPlace(found)
	lines := &lineCounter{text: b}
	for _, one := range found[:min(len(found), maxRoutesOf)] {
		one.Path, one.Handler, one.Line = claim.OneLine(one.Path, 120), claim.OneLine(one.Handler, 60), lines.at(one.at)
		routes, on = append(routes, one.Route), append(on, one.on)
	}
	return routes, list, on
}

// brackets pairs those of the code.
func (r *rustReader) brackets() map[int]int {
	closes := map[int]int{}
	var open []int
	for i, c := range r.text {
		if r.parts[i] != inCode {
			continue
		}
		switch c {
		case '(', '[', '{':
			open = append(open, i)
		case ')', ']', '}':
			if len(open) > 0 {
				closes[open[len(open)-1]] = i
				open = open[:len(open)-1]
			}
		}
	}
	return closes
}

// until is where an expression ends that goes on at an offset: at one of some signs, or at what closes the bracket that it stands in.
func (r *rustReader) until(at int, signs string) int {
	for ; at < len(r.text); at++ {
		c := r.text[at]
		switch {
		case r.parts[at] != inCode:
		case c == ')' || c == ']' || c == '}' || strings.IndexByte(signs, c) >= 0:
			return at
		case c == '(' || c == '[' || c == '{':
			to, ok := r.closes[at]
			if !ok {
				return len(r.text)
			}
			at = to
		}
	}
	return at
}

// body is where the body of a function ends whose name stands before an offset.
func (r *rustReader) body(at int) int {
	if at = r.until(at, ";{"); at < len(r.text) && r.text[at] == '{' {
		return r.closes[at]
	}
	for at < len(r.text) && r.text[at] != ';' && r.text[at] != '{' {
		at++
	}
	return at
}

// routers are what a form names, each from its name to where it ends.
func (r *rustReader) routers(form *lazyregexp.Regexp, end func(r *rustReader, at int) int) (list []rustRouter) {
	for _, m := range form.FindAllSubmatchIndex(r.text, maxRoutesOf) {
		if r.parts[m[2]] == inCode {
			list = append(list, rustRouter{string(r.text[m[2]:m[3]]), m[2], end(r, m[1])})
		}
	}
	return list
}

// scope notes what stands below a beginning: the arguments behind one, and what is called on a scope.
func (r *rustReader) scope(calls [][]int) {
	for _, m := range calls {
		word := string(r.text[m[0]:min(len(r.text), m[0]+6)])
		prefix := cmp.Or(submatch(r.text, m), "…")
		switch {
		case word == ".nest(" || word == ".nest_" || word == ".mount":
			r.scopes = append(r.scopes, innerList{m[1], r.until(m[1], ""), prefix})
		case strings.HasPrefix(word, "web::s"):
			r.scopes = append(r.scopes, innerList{m[1], r.until(m[1], ",;"), prefix})
		}
	}
}

// below is the beginning of what stands at an offset.
func (r *rustReader) below(at int) (prefix string) {
	for _, one := range r.scopes.around(at) {
		prefix = joinPaths(prefix, one)
	}
	return prefix
}

// mounts are the routers that calls put somewhere.
func (r *rustReader) mounts(calls [][]int) (list []Mount) {
	var places []int
	for _, m := range calls {
		for _, at := range r.argumentsOf(m) {
			named := rustNamed.FindSubmatch(r.text[at:min(len(r.text), at+maxRouteArgs)])
			if named == nil {
				continue
			}
			module, router, ok := rustModule(string(named[1]))
			if !ok {
				continue
			}
			one := Mount{Prefix: r.below(at), Module: module, Router: router, Said: module != ""}
			if one.Unknown = strings.Contains(one.Prefix, "…"); module == "" {
				if holder := r.variable(router, at); holder != "" {
					one.Router = holder
					r.mounted[holder] = true
				}
			}
			list, places = append(list, one), append(places, at)
		}
	}
	for n, at := range places {
		list[n].On = r.owner(at)
	}
	return list
}

// argumentsOf are where the arguments of a call begin that may name a router.
func (r *rustReader) argumentsOf(m []int) (list []int) {
	switch last := r.text[m[1]-1]; {
	case last == '[':
		for at := m[1]; at < len(r.text) && len(list) < maxMounts; at++ {
			list = append(list, at)
			if at = r.until(at, ","); at < len(r.text) && r.text[at] != ',' {
				break
			}
		}
	case m[10] >= 0, last == ',' && m[2] < 0: // what .route( takes answers
		list = []int{m[1]}
	}
	return list
}

// rustModule splits a name at its module, in which other texts are looked for.
func rustModule(said string) (module, router string, ok bool) {
	parts := strings.Split(said, "::")
	router, parts = parts[len(parts)-1], parts[:len(parts)-1]
	for len(parts) > 0 && (parts[0] == "crate" || parts[0] == "self" || parts[0] == "super") {
		if parts = parts[1:]; len(parts) == 0 && !strings.HasPrefix(said, "self") {
			return "", "", false
		}
	}
	for _, part := range parts { // a function of a type's: Router::new()
		if part == "" || part == "web" || part[0] >= 'A' && part[0] <= 'Z' {
			return "", "", false
		}
	}
	return strings.Join(parts, "."), router, len(parts) > 0 || httpMethods[router] == ""
}

// variable is the name that one of the function around an offset has as a router; "" where there is none.
func (r *rustReader) variable(name string, at int) string {
	in := r.function(at)
	for _, v := range slices.Backward(r.variables) {
		if v.name == name && v.from < at && r.function(v.from) == in {
			return in.name + "." + name
		}
	}
	return ""
}

// function is the innermost around an offset.
func (r *rustReader) function(at int) rustRouter {
	for _, f := range slices.Backward(r.functions) {
		if f.from <= at && at < f.to {
			return f
		}
	}
	return rustRouter{name: inward}
}

// owner is the router that a call at an offset is made on: a variable that is put somewhere, else what the function makes.
func (r *rustReader) owner(at int) string {
	in := r.function(at)
	for _, v := range slices.Backward(r.variables) {
		if name := in.name + "." + v.name; v.from <= at && at < v.to && r.mounted[name] && v.from >= in.from {
			return name
		}
	}
	return in.name
}

// attributed are the routes of functions that say what they answer.
func (r *rustReader) attributed() (list []placedRoute) {
	for _, m := range rustAttribute.FindAllSubmatchIndex(r.text, maxRoutesOf) {
		if r.parts[m[2]] != inCode {
			continue
		}
		one := placedRoute{Route{Method: httpMethods[string(r.text[m[2]:m[3]])], Path: string(r.text[m[4]:m[5]])}, inward, m[2]}
		var methods []string
		for _, said := range methodKey.FindAllSubmatch(bytes.ReplaceAll(r.text[m[6]:m[7]], []byte(`"`), nil), maxMethod) {
			methods = append(methods, string(said[1]))
		}
		one.Method = cmp.Or(strings.Join(methods, ","), one.Method)
		if by := rustAnswers.FindSubmatch(r.text[m[1]:min(len(r.text), m[1]+maxRouteArgs)]); by != nil {
			one.Handler, one.on = string(by[1]), string(by[1])
		}
		list = append(list, one)
	}
	return list
}

// registered are the routes that calls register.
func (r *rustReader) registered(calls [][]int) (list []placedRoute) {
	for _, m := range calls {
		var p string
		var to, deepest int
		switch {
		case m[2] >= 0:
			p, to = string(r.text[m[2]:m[3]]), r.until(m[1], "")
		case m[4] >= 0: // .route(web::get().to(cart))
			p, to, deepest = string(r.text[m[4]:m[5]]), r.until(m[1], ",;"), 1
		default:
			continue
		}
		one := placedRoute{Route{Path: joinPaths(r.below(m[0]), p)}, r.owner(m[0]), m[0]}
		one.Method, one.Handler = r.answers(m[1], to, deepest)
		if one.Path == "" {
			one.Path = "/"
		}
		list = append(list, one)
	}
	return list
}

// answers returns the methods that a stretch names outside of brackets, or in so many, and what answers to the first.
func (r *rustReader) answers(from, to, deepest int) (methods, handler string) {
	var list []string
	at, deep := from, 0
	for _, m := range rustMethod.FindAllSubmatchIndex(r.text[from:to], maxRoutesOf) {
		for ; at < from+m[0]; at++ {
			switch c := r.text[at]; {
			case r.parts[at] != inCode:
			case c == '(' || c == '[' || c == '{':
				deep++
			case c == ')' || c == ']' || c == '}':
				deep--
			}
		}
		if r.parts[at] != inCode || deep > deepest {
			continue
		}
		if method := httpMethods[string(r.text[from+m[2]:from+m[3]])]; !slices.Contains(list, cmp.Or(method, "ANY")) {
			list = append(list, cmp.Or(method, "ANY"))
		}
		if by := rustHandler.FindSubmatch(r.text[from+m[1] : to]); by != nil && handler == "" {
			handler = string(by[1])
		}
	}
	return cmp.Or(strings.Join(list, ","), "ANY"), handler
}
