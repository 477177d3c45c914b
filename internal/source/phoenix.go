package source

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

var (
	// wordRoute is how routers of Phoenix and Plug are told what answers a path: get "/ships/:id", ShipController, :show. Groups are
	// how far it is indented, the word, the path, and what stands behind it; a scope's path may stand elsewhere.
	wordRoute = lazyregexp.New(`(?m)^([ \t]+)(?:(get|post|put|patch|delete|head|options|live|resources|forward)[ (]+"(/[^"\n]{0,120})"([^\n]{0,200})|(scope)\b[ (]*(?:"([^"\n]{0,120})")?|end\b)`)
	// answers is a module, and a function of it, behind a path.
	answers = lazyregexp.New(`\b([A-Z][\w.]*)(?:,\s*:(\w+))?`)
	// blockRoute is how an application of Sinatra or Grape answers a path: get "/ships" do. Groups are how far it is indented, the method,
	// the path, and what a block puts others below: namespace :ships do.
	blockRoute = lazyregexp.New(`(?m)^([ \t]*)(?:(get|post|put|patch|delete|head|options)(?:[ (]+["']([^"'\n]{0,120})["'][ )]*|[ ]+:(\w+)[ ]*|[ ]+)do\b|(?:namespace|resources?|group|route_param)[ (]+(:?["']?[\w/:-]{1,80})["']?[^\n]{0,100}\bdo\b|end\b)`)
)

// scoped is a scope of a router with how far it is indented, and the path that those within begin with.
type scoped struct {
	indent int
	path   string
}

// scopes are those that a line stands in, the outermost first.
type scopes []scoped

// leave goes out of those that a line indented so far stands behind, and returns the path of the innermost that is left.
func (s *scopes) leave(indent int) (prefix string) {
	for len(*s) > 0 && (*s)[len(*s)-1].indent >= indent {
		*s = (*s)[:len(*s)-1]
	}
	if len(*s) > 0 {
		prefix = (*s)[len(*s)-1].path
	}
	return prefix
}

// phoenixRoutes returns the routes of a router of Elixir, with the paths of the scopes that they stand in; … where one is not told.
func phoenixRoutes(b []byte, partsOf func() []byte) (list []Route) {
	if !bytes.Contains(b, []byte(":router")) && !bytes.Contains(b, []byte(".Router\n")) {
		return nil
	}
	var within scopes
	lines := &lineCounter{text: b}
	for _, m := range wordRoute.FindAllSubmatchIndex(b, maxRoutesOf) {
		if partsOf()[m[3]] != inCode {
			continue
		}
		indent := m[3] - m[2]
		prefix := within.leave(indent)
		if m[4] < 0 && m[10] < 0 { // an end
			continue
		}
		if m[10] >= 0 {
			own := "/…"
			if m[12] >= 0 {
				own = string(b[m[12]:m[13]])
			}
			within = append(within, scoped{indent, strings.TrimSuffix(prefix, "/") + "/" + strings.Trim(own, "/")})
			continue
		}
		method := httpMethods[string(b[m[4]:m[5]])]
		switch string(b[m[4]:m[5]]) {
		case "live":
			method = "GET"
		case "resources", "forward":
			method = "ANY"
		}
		rt := Route{Method: method, Path: claim.OneLine(strings.TrimSuffix(prefix, "/")+string(b[m[6]:m[7]]), 120), Line: lines.at(m[3])}
		if a := answers.FindSubmatch(b[m[8]:m[9]]); a != nil {
			rt.Handler = claim.OneLine(string(a[1]), 60)
		}
		list = append(list, rt)
	}
	return list
}

// blockHints are what a text holds one of whose blocks answer paths.
var blockHints = [][]byte{[]byte("get "), []byte("post "), []byte("put "), []byte("patch "), []byte("delete "), []byte("head "), []byte("options "), []byte("get("), []byte("post(")}

// sinatraRoutes returns the routes that a text of Ruby answers by blocks, below those that they stand in. In an API of Grape, whose class
// says so, a path needs no slash, and a method no path.
func sinatraRoutes(b []byte, partsOf func() []byte) (list []Route) {
	if !holdsAny(b, blockHints) {
		return nil
	}
	var within scopes
	grape := bytes.Contains(b, []byte("Grape::API"))
	lines := &lineCounter{text: b}
	for _, m := range blockRoute.FindAllSubmatchIndex(b, maxRoutesOf) {
		if partsOf()[m[3]] != inCode {
			continue
		}
		indent := m[3] - m[2]
		prefix := within.leave(indent)
		if m[10] >= 0 {
			name := strings.Trim(string(b[m[10]:m[11]]), `:"'`)
			if bytes.HasPrefix(b[m[3]:], []byte("route_param")) {
				name = ":" + name
			}
			within = append(within, scoped{indent, strings.TrimSuffix(prefix, "/") + "/" + strings.Trim(name, "/")})
			continue
		}
		if m[4] < 0 { // an end
			continue
		}
		at := ""
		if m[6] >= 0 {
			at = string(b[m[6]:m[7]])
		} else if m[8] >= 0 {
			at = string(b[m[8]:m[9]])
		}
		if grape || strings.HasPrefix(at, "/") {
			at = joinPaths(prefix, "/"+strings.TrimPrefix(at, "/"))
			list = append(list, Route{Method: httpMethods[string(b[m[4]:m[5]])], Path: claim.OneLine(at, 120), Line: lines.at(m[4])})
		}
	}
	return list
}
