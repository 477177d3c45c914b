package source

import (
	"bytes"
	"cmp"
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// pageHints are what a text holds one of that says which component a page is: of React Router, Vue's and Angular's.
var pageHints = [][]byte{[]byte("react-router"), []byte("vue-router"), []byte("@angular/router"), []byte("@tanstack/react-router")}

var (
	// pathMember is the path of a route that is written as an object, shownBy what shows it: component: Home, element: <Home />,
	// component: () => import('./Home.vue'). pageMember is a member that only routes have.
	pathMember = lazyregexp.New("\\bpath\\s*:\\s*[\"'`]([^\"'`\\n]{0,120})[\"'`]")
	shownBy    = lazyregexp.New(`\b(?:component|element|Component|loadComponent|loadChildren|lazy)\s*:\s*(?:<\s*([A-Za-z_][\w.]*)|[^,{}]{0,60}?\bimport\(\s*["']([^"'\n]{1,120})["']|([A-Z][\w.]*))`)
	pageMember = lazyregexp.New(`\b(?:component|components|element|Component|loadComponent|loadChildren|lazy|children|redirectTo|redirect|canActivate|loader)\b\s*[:(,]`)
	// pageTag begins a route of React Router as an element, tagPath is its path, tagShown what shows it.
	pageTag  = lazyregexp.New(`<(/?)(?:\w*Route)\b`)
	tagPath  = lazyregexp.New(`\bpath=\{?["']([^"'\n]{0,120})["']`)
	tagShown = lazyregexp.New(`\b(?:element|component|Component)=\{\s*<?\s*([A-Za-z_][\w.]*)`)
)

// pageRoutes returns the pages of an application of React, Vue or Angular that a text says the components of, each below the pages that it
// stands in.
func pageRoutes(b []byte, partsOf func() []byte) []Route {
	if !holdsAny(b, pageHints) || !bytes.Contains(b, []byte("path")) {
		return nil
	}
	return byLine(append(objectPages(b, partsOf()), tagPages(b, partsOf())...))
}

// maxPageDeep bounds the brackets that are told apart of what stands in one another.
const maxPageDeep = 200

// objectPages are the pages that are written as objects.
func objectPages(b, parts []byte) (list []Route) {
	var within []string // the paths of the objects around, "" of those that have none
	at, lines := 0, &lineCounter{text: b}
	for _, m := range pathMember.FindAllSubmatchIndex(b, maxRoutesOf) {
		if parts[m[0]] != inCode {
			continue
		}
		for ; at < m[0]; at++ {
			switch {
			case parts[at] != inCode:
			case b[at] == '{':
				within = append(within, "")
			case b[at] == '}' && len(within) > 0:
				within = within[:len(within)-1]
			}
		}
		if len(within) == 0 || len(within) > maxPageDeep || !pageMember.Match(restOfObject(b, parts, m[1])) {
			continue
		}
		p := "/" + strings.TrimPrefix(string(b[m[2]:m[3]]), "/")
		if b[m[2]] != '/' {
			for _, around := range within {
				if around != "" {
					p = joinPaths(around, string(b[m[2]:m[3]]))
				}
			}
		}
		within[len(within)-1] = p
		rt := Route{Method: "ANY", Path: claim.OneLine(p, 120), Line: lines.at(m[0])}
		if by := shownBy.FindSubmatch(restOfObject(b, parts, m[1])); by != nil {
			rt.Handler = claim.OneLine(cmp.Or(string(by[1])+string(by[3]), path.Base(string(by[2]))), 60)
		}
		list = append(list, rt)
	}
	return list
}

// restOfObject is what an object holds behind one of its members, as far as it is read, up to what stands in brackets of its own.
func restOfObject(b, parts []byte, from int) []byte {
	deep := 0
	for at := from; at < min(len(b), from+maxRouteArgs); at++ {
		switch {
		case parts[at] != inCode:
		case b[at] == '{' || b[at] == '[':
			if deep++; b[at] == '[' && deep == 1 {
				return b[from : at+1]
			}
		case b[at] == '}':
			if deep--; deep < 0 {
				return b[from:at]
			}
		case b[at] == ']':
			deep--
		}
	}
	return b[from:min(len(b), from+maxRouteArgs)]
}

// tagPages are the pages that are written as elements.
func tagPages(b, parts []byte) (list []Route) {
	var within []string
	lines := &lineCounter{text: b}
	for _, m := range pageTag.FindAllSubmatchIndex(b, maxRoutesOf) {
		if parts[m[0]] != inCode {
			continue
		}
		if m[3] > m[2] { // it ends
			within = within[:max(0, len(within)-1)]
			continue
		}
		tag, closed := tagAt(b[m[0]:min(len(b), m[0]+maxTag)])
		p := ""
		if len(within) > 0 {
			p = within[len(within)-1]
		}
		if said := tagPath.FindSubmatch(tag); said != nil {
			if own := string(said[1]); strings.HasPrefix(own, "/") {
				p = own
			} else {
				p = joinPaths(p, "/"+own)
			}
			rt := Route{Method: "ANY", Path: claim.OneLine(p, 120), Line: lines.at(m[0])}
			if by := tagShown.FindSubmatch(tag); by != nil {
				rt.Handler = claim.OneLine(string(by[1]), 60)
			}
			list = append(list, rt)
		}
		if !closed && len(within) < maxPageDeep {
			within = append(within, p)
		}
	}
	return list
}

// maxTag bounds the bytes of an element's tag.
const maxTag = 2000

// tagAt is the tag that a text begins with, and whether it is all of its element. What stands in braces is none of its signs.
func tagAt(b []byte) (tag []byte, closed bool) {
	deep := 0
	for i, c := range b {
		switch {
		case c == '{':
			deep++
		case c == '}':
			deep--
		case c == '>' && deep <= 0 && i > 0:
			return b[:i+1], b[i-1] == '/'
		}
	}
	return b, true
}
