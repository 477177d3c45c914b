package source

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// routeForm is how a framework registers a route by a call, a macro or a decorator.
type routeForm struct {
	// hint stands in every text that the form is looked for in.
	hint string
	// call is one. method, path and handler are its groups of these, 0 for none.
	call                  *lazyregexp.Regexp
	method, path, handler int
	// parted says that the path is a list of its parts: "ships", ":id" or / "ships" / id.
	parted bool
}

// routeForms by language. Of Python those of Pyramid, Falcon and aiohttp, of aiohttp alone, of Starlette, of Tornado, and of Bottle and
// Litestar; of others those of Javalin and Vert.x, http4s, Vapor, shelf_router, Crow, drogon and cpp-httplib, and WordPress.
var routeForms = map[string][]routeForm{
	"Python": {
		{hint: ".add_route(", call: lazyregexp.New(`\.add_route\(\s*(?:["']([\w.*-]{1,60})["']\s*,\s*)?(?:pattern\s*=\s*)?["'](/[^"'\n]{0,120})["'](?:\s*,\s*([A-Za-z_][\w.]*)\s*[,()])?`), method: 1, path: 2, handler: 3},
		{hint: ".add_", call: lazyregexp.New(`\.add_(get|post|put|patch|delete|head|options|view)\(\s*["'](/[^"'\n]{0,120})["']\s*,\s*([A-Za-z_][\w.]*)`), method: 1, path: 2, handler: 3},
		{hint: "web.", call: lazyregexp.New(`\bweb\.(get|post|put|patch|delete|head|options|view)\(\s*["'](/[^"'\n]{0,120})["']\s*,\s*([A-Za-z_][\w.]*)`), method: 1, path: 2, handler: 3},
		{hint: "starlette", call: lazyregexp.New(`\b(?:WebSocket|API)?Route\(\s*(?:path\s*=\s*)?["'](/[^"'\n]{0,120})["'](?:\s*,\s*(?:endpoint\s*=\s*)?([A-Za-z_][\w.]*)\s*[,)])?(?:[^()]{0,200}?\bmethods\s*=\s*[\[({]([^\])}\n]{1,60}))?`), method: 3, path: 1, handler: 2},
		{hint: "tornado", call: lazyregexp.New(`(?:\burl)?\(\s*r?["'](/[^"'\n]{0,120})["']\s*,\s*((?:\w+\.)*[A-Z]\w*)\s*[,)]`), path: 1, handler: 2},
		{hint: "from bottle", call: bareRoute, method: 1, path: 2, handler: 3},
		{hint: "from litestar", call: bareRoute, method: 1, path: 2, handler: 3},
	},
	"Java":   {{hint: "io.javalin", call: chainedRoute, method: 1, path: 2, handler: 3}, {hint: "io.vertx", call: chainedRoute, method: 1, path: 2, handler: 3}},
	"Kotlin": {{hint: "io.javalin", call: chainedRoute, method: 1, path: 2, handler: 3}},
	"Scala":  {{hint: "-> Root", call: lazyregexp.New(`\bcase\s+(?:\w+\s*@\s*)?(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s*->\s*Root((?:\s*/\s*(?:"[^"\n]*"|\w+(?:\(\w+\))?))*)`), method: 1, path: 2, parted: true}},
	"Swift":  {{hint: "Vapor", call: lazyregexp.New(`(?m)^[ \t]*\w+\.(get|post|put|patch|delete|webSocket)(?:\(\s*((?:"[^"\n]*"(?:\s*,\s*)?)*)(?:use:\s*([\w.]+))?[^{\n]*)?\s*(?:\)|\{)`), method: 1, path: 2, handler: 3, parted: true}},
	"Dart":   {{hint: "shelf_router", call: lazyregexp.New(`\.(get|post|put|patch|delete|head|options|all)\(\s*r?['"](/[^'"\n]{0,120})['"]\s*,\s*([A-Za-z_][\w.]*)`), method: 1, path: 2, handler: 3}},
	"C++": {
		{hint: "CROW_", call: lazyregexp.New(`\bCROW_(?:BP_)?ROUTE\(\s*\w+\s*,\s*"(/[^"\n]{0,120})"`), path: 1},
		{hint: "METHOD_ADD", call: lazyregexp.New(`\bMETHOD_ADD\(\s*([\w:]+)\s*,\s*"(/[^"\n]{0,120})"\s*,\s*(\w+)`), method: 3, path: 2, handler: 1},
		{hint: "ADD_METHOD_TO", call: lazyregexp.New(`\bADD_METHOD_TO\(\s*([\w:]+)\s*,\s*"(/[^"\n]{0,120})"\s*,\s*(\w+)`), method: 3, path: 2, handler: 1},
		{hint: "httplib", call: lazyregexp.New(`\b\w+(?:\.|->)(Get|Post|Put|Patch|Delete|Options)\(\s*R?"\(?(/[^"\n]{0,120}?)\)?"\s*,\s*\[`), method: 1, path: 2},
	},
	"PHP": {{hint: "register_rest_route", call: lazyregexp.New(`\bregister_rest_route\(\s*(["'][^"'\n]{1,60}["']\s*,\s*["'][^"'\n]{0,120}["'])`), path: 1, parted: true}},
}

var (
	// chainedRoute is a call of a router, by what it is called, by the method of HTTP: clients have such methods, too.
	chainedRoute = lazyregexp.New(`\b(?:this|server|javalin|routes|\w*[rR]outer|\w*[aA]pp)\.(get|post|put|patch|delete|head|options)\(\s*"(/[^"\n]{0,120})"(?:\s*,\s*(\w+::\w+))?`)
	// pathPart is one of the parts of a path that stand by themselves.
	pathPart = lazyregexp.New(`"([^"\n]*)"|'([^'\n]*)'|(\w+(?:\(\w+\))?)`)
	// groupedAs is a group of routes of Vapor: the variable, what it is of, and the parts of its path.
	groupedAs = lazyregexp.New(`\b(\w+)\s*=\s*(\w+)\.grouped\(\s*((?:"[^"\n]*"(?:\s*,\s*)?)+)`)
	// bareRoute is a decorator that is imported by its name, which in a class may leave out the path.
	bareRoute = lazyregexp.New(`(?m)^[ \t]*@(route|get|post|put|patch|delete|head)\(\s*(?:path\s*=\s*)?(?:["'](/[^"'\n]{0,120})["'])?[^\n]{0,200}\n(?:[ \t]*@[^\n]{0,200}\n){0,5}[ \t]*(?:async\s+)?def\s+(\w+)`)
	// mountedList is a list of Starlette whose routes stand below a path.
	mountedList = lazyregexp.New(`\bMount\(\s*["'](/[^"'\n]{0,120})["']\s*,\s*(?:routes\s*=\s*)?\[`)
	// controlledBy is a class of Litestar with the path of its routes.
	controlledBy = lazyregexp.New(`(?m)^class \w+\([^()\n]*Controller[^()\n]*\):(?:[^\n]*\n){1,12}?[ \t]+path(?:\s*:\s*\w+)?\s*=\s*["'](/[^"'\n]{0,120})["']`)
)

// formRoutes returns the routes of a text that a form of its language registers, each below the list, the class or the group that it
// stands in.
func (l *Language) formRoutes(b []byte, partsOf func() []byte) (list []Route) {
	var found []placedRoute
	for _, form := range routeForms[l.Name] {
		if !bytes.Contains(b, []byte(form.hint)) {
			continue
		}
		for _, m := range form.call.FindAllSubmatchIndex(b, maxRoutesOf) {
			if partsOf()[m[0]] != inCode {
				continue
			}
			said := groupOf(b, m, form.method)
			rt := Route{Method: "ANY", Path: plainPattern(groupOf(b, m, form.path)), Handler: claim.OneLine(groupOf(b, m, form.handler), 60)}
			if form.parted {
				rt.Path = partedPath(rt.Path)
			}
			switch known := httpMethods[said]; {
			case known != "":
				rt.Method = known
			case strings.ContainsAny(said, `"'`): // a list of them
				rt.Method = claim.OneLine(unquoted.Replace(said), 60)
			case strings.HasPrefix(strings.ToLower(string(b[m[0]:m[1]])), "websocket"), said == "webSocket":
				rt.Method = "WS"
			}
			on := ""
			if router := calledOnRouter.FindSubmatch(b[m[0]:m[1]]); router != nil {
				on = string(router[1])
			}
			found = append(found, placedRoute{rt, on, max(m[0], m[2*form.path])})
		}
	}
	if len(found) == 0 {
		return nil
	}
	byPlace(found)
	lists := bracketed(b, partsOf(), mountedList.FindAllSubmatchIndex(b, maxMounts))
	classes := controlled(b)
	groups := l.pathGroups(b)
	lines := &lineCounter{text: b}
	for _, one := range found {
		prefix := strings.Join(classes.around(one.at), "") + groups[one.on]
		for _, list := range lists.around(one.at) {
			prefix = joinPaths(prefix, list)
		}
		if one.Path = claim.OneLine(joinPaths(prefix, one.Path), 120); one.Path == "" {
			continue // a decorator without a path, outside of a class that has one
		}
		one.Line = lines.at(one.at)
		list = append(list, one.Route)
	}
	return list
}

// partedPath is the path of parts that stand by themselves: / "ships" / id is /ships/{id}.
func partedPath(said string) string {
	var b strings.Builder
	for _, m := range pathPart.FindAllStringSubmatch(said, maxMethod) {
		switch part := strings.Trim(m[1]+m[2], "/"); {
		case m[3] != "":
			b.WriteString("/{" + strings.TrimSuffix(m[3][strings.IndexByte(m[3], '(')+1:], ")") + "}")
		case part != "":
			b.WriteString("/" + part)
		}
	}
	return cmp.Or(b.String(), "/")
}

// pathGroups are the beginnings of the groups that variables of a text of Vapor hold.
func (l *Language) pathGroups(b []byte) map[string]string {
	if l.Name != "Swift" || !bytes.Contains(b, []byte(".grouped(")) {
		return nil
	}
	groups := map[string]string{}
	for _, m := range groupedAs.FindAllSubmatch(b, maxMounts) {
		groups[string(m[1])] = groups[string(m[2])] + partedPath(string(m[3]))
	}
	return groups
}

// groupOf is what a group of a match matched, "" of none, and of the whole.
func groupOf(b []byte, m []int, group int) string {
	if group == 0 || m[2*group] < 0 {
		return ""
	}
	return string(b[m[2*group]:m[2*group+1]])
}

// controlled are the classes of a text whose routes begin with a path of theirs.
func controlled(b []byte) (list innerLists) {
	if !bytes.Contains(b, []byte("Controller")) {
		return nil
	}
	for _, m := range controlledBy.FindAllSubmatchIndex(b, maxMounts) {
		to := len(b)
		for at := m[1]; at < len(b); at++ {
			if b[at] == '\n' && at+1 < len(b) && b[at+1] != ' ' && b[at+1] != '\t' && b[at+1] != '\n' && b[at+1] != '\r' {
				to = at
				break
			}
		}
		list = append(list, innerList{m[1], to, string(b[m[2]:m[3]])})
	}
	return list
}
