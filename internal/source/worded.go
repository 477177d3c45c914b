package source

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

var (
	// laravelRoute registers what no method of HTTP names: a resource, some methods, a view. Groups are the word, the methods, the path, and
	// the class and its method that answer.
	laravelRoute = lazyregexp.New(`(?:\bRoute::|\)->)(apiResource|resource|apiSingleton|singleton|match|any|view|redirect|permanentRedirect)\(\s*(?:\[([^\]\n]{0,100})\]\s*,\s*)?["']([^"'$\n]{0,120})["'](?:\s*,\s*\[?\s*\\?(?:\w+\\)*(\w+)::class(?:\s*,\s*["'](\w+)["'])?)?`)
	// laravelMany registers a list of resources, groups are the word and the list; laravelOne is one of them.
	laravelMany = lazyregexp.New(`(?:\bRoute::|\)->)(apiResources|resources)\(\s*\[([^\[\]]{0,900})\]`)
	laravelOne  = lazyregexp.New(`["']([^"'$\n]{1,120})["']\s*=>\s*\\?(?:\w+\\)*(\w+)::class`)
	// ktorRoute is a block of Ktor that answers a method. Groups are the method and the path, which may stand in the blocks around alone.
	ktorRoute = lazyregexp.New(`(?m)(?:^|\{)[ \t]*(get|post|put|patch|delete|head|options|webSocket)(?:<[^<>\n]{1,60}>)?(?:\(\s*"([^"$\n]{0,120})"[^)\n]{0,100}\))?[ \t]*\{`)
)

// ktorHint is what a text of Ktor imports.
var ktorHint = []byte("io.ktor")

// mayRegister reports whether a text may hold routes that wordedRoutes finds.
func (l *Language) mayRegister(b []byte) bool {
	return l.Name == "PHP" && bytes.Contains(b, []byte("Route::")) || l.Name == "Kotlin" && bytes.Contains(b, ktorHint)
}

// wordedRoutes returns the routes of Laravel that no method of HTTP registers, and those of Ktor; their groups are not told yet.
func (l *Language) wordedRoutes(b, parts []byte) (list []Route) {
	lines := &lineCounter{text: b}
	if l.Name == "Kotlin" {
		for _, m := range ktorRoute.FindAllSubmatchIndex(b, maxRoutesOf) {
			if parts[m[2]] != inCode {
				continue
			}
			p := "/"
			if m[4] >= 0 {
				p += strings.TrimPrefix(string(b[m[4]:m[5]]), "/")
			}
			list = append(list, Route{Method: cmp.Or(httpMethods[string(b[m[2]:m[3]])], "WS"), Path: claim.OneLine(p, 120), Line: lines.at(m[2])})
		}
		return list
	}
	for _, m := range laravelRoute.FindAllSubmatchIndex(b, maxRoutesOf) {
		word := string(b[m[2]:m[3]])
		if parts[m[2]] != inCode || !ofRoutes(b[:m[2]], word) {
			continue
		}
		rt := Route{Method: "ANY", Path: laravelPath(word, string(b[m[6]:m[7]])), Line: lines.at(m[2])}
		switch {
		case word == "view":
			rt.Method = "GET"
		case word == "match" && m[4] >= 0:
			rt.Method = claim.OneLine(strings.ToUpper(unquoted.Replace(string(b[m[4]:m[5]]))), 60)
		}
		if m[8] >= 0 {
			rt.Handler = string(b[m[8]:m[9]])
			if m[10] >= 0 {
				rt.Handler += "::" + string(b[m[10]:m[11]])
			}
			rt.Handler = claim.OneLine(rt.Handler, 60)
		}
		list = append(list, rt)
	}
	lines = &lineCounter{text: b}
	for _, m := range laravelMany.FindAllSubmatchIndex(b, maxRoutesOf) {
		if parts[m[0]] != inCode || !ofRoutes(b[:m[2]], "resource") {
			continue
		}
		at := lines.at(m[0])
		for _, one := range laravelOne.FindAllSubmatchIndex(b[m[4]:m[5]], maxRoutesOf) {
			list = append(list, Route{Method: "ANY", Path: laravelPath("resource", string(b[m[4]+one[2]:m[4]+one[3]])), Line: at, Handler: claim.OneLine(string(b[m[4]+one[4]:m[4]+one[5]]), 60)})
		}
	}
	return list
}

// maxStatement bounds what is read of a statement before the word that registers a route, in bytes.
const maxStatement = 300

// ofRoutes reports whether what stands before a word is the statement of a route: Route::middleware('auth')->. Behind a call only resources
// are what no other statement has.
func ofRoutes(before []byte, word string) bool {
	if bytes.HasSuffix(before, []byte("::")) {
		return true
	}
	before = before[max(0, len(before)-maxStatement):]
	return strings.HasSuffix(strings.ToLower(word), "resource") && bytes.Contains(before[bytes.LastIndexAny(before, ";{}")+1:], []byte("Route::"))
}

// laravelPath is the path of what is registered by a name: of a resource in another, albums.photos, both.
func laravelPath(word, name string) string {
	if strings.HasSuffix(strings.ToLower(word), "resource") {
		name = strings.ReplaceAll(name, ".", "/{id}/")
	}
	return claim.OneLine("/"+strings.TrimPrefix(name, "/"), 120)
}
