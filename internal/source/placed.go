package source

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// A file that answers by its place exports what answers: a function or a constant for each method, a list of them, or one for all.
var (
	exportsMethod  = lazyregexp.New(`(?m)^export +(?:async +)?(?:function\*? *|const +|let +)(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|ALL)\b`)
	exportsMethods = lazyregexp.New(`(?m)^export +(?:const +)?\{([^{}]{1,300})\}`)
	exportsDefault = lazyregexp.New(`(?m)^(?:export +default\b|module\.exports *=)`)
	methodOfList   = lazyregexp.New(`\b(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b\s*(?:,|$)`)
)

// handlesEvents is how an answer of Nitro, the server of Nuxt, is made.
var handlesEvents = [][]byte{[]byte("EventHandler("), []byte("eventHandler(")}

// placing is how files answer by their place.
type placing uint8

const (
	placedNowhere placing = iota
	byMethods             // by what they export for each method: Next's app folder, SvelteKit
	byPage                // by either, pages of Next and of Astro
	byEvents              // Nitro
)

// placedRoutes returns the routes that a file of JavaScript has by its place, as Next, SvelteKit, Astro and Nuxt give them: paths as the
// folders spell them, [id] for what a request may put there, without groups and slots.
func placedRoutes(name string, b []byte, partsOf func() []byte) (list []Route) {
	at, method, placed := placeOf(name)
	if placed == placedNowhere || placed == byEvents && !holdsAny(b, handlesEvents) {
		return nil
	}
	at = claim.OneLine(at, 120)
	add := func(lines *lineCounter, method string, off int) {
		if partsOf()[off] == inCode {
			list = append(list, Route{Method: method, Path: at, Line: lines.at(off)})
		}
	}
	if placed != byEvents {
		lines := &lineCounter{text: b}
		for _, m := range exportsMethod.FindAllSubmatchIndex(b, maxRoutesOf) {
			add(lines, strings.Replace(string(b[m[2]:m[3]]), "ALL", "ANY", 1), m[0])
		}
		lines = &lineCounter{text: b}
		for _, m := range exportsMethods.FindAllSubmatchIndex(b, maxRoutesOf) {
			for _, one := range methodOfList.FindAllSubmatchIndex(b[m[2]:m[3]], len(httpMethods)) {
				add(lines, string(b[m[2]+one[2]:m[2]+one[3]]), m[2]+one[2])
			}
		}
	}
	if len(list) == 0 && placed != byMethods {
		if m := exportsDefault.FindIndex(b); m != nil {
			add(&lineCounter{text: b}, method, m[0])
		}
	}
	return byLine(list)
}

// placeOf returns the path at which a file answers by its place, and the method where its name says one.
func placeOf(name string) (at, method string, placed placing) {
	dirs, base := strings.Split(path.Dir(name), "/"), path.Base(name)
	ending := path.Ext(base)
	if !slices.Contains([]string{".ts", ".js", ".mjs", ".mts", ".tsx", ".jsx"}, ending) || strings.HasSuffix(base, ".d.ts") {
		return "", "", placedNowhere
	}
	base, method = strings.TrimSuffix(base, ending), "ANY"
	switch below := after(dirs, "app"); {
	case base == "route" && below != nil:
		return served(below, ""), method, byMethods
	case base == "+server":
		if below = after(dirs, "routes"); below != nil {
			return served(below, ""), method, byMethods
		}
		return "", "", placedNowhere
	}
	if strings.HasPrefix(base, "_") || strings.HasSuffix(ending, "x") {
		return "", "", placedNowhere
	}
	if below := after(dirs, "pages", "api"); below != nil {
		return "/api" + served(below, base), method, byPage
	}
	if dirs = after(dirs, "server"); len(dirs) == 0 {
		return "", "", placedNowhere
	}
	base, method = methodIn(base)
	switch dirs[0] {
	case "api":
		return "/api" + served(dirs[1:], base), method, byEvents
	case "routes":
		return served(dirs[1:], base), method, byEvents
	}
	return "", "", placedNowhere
}

// methodIn takes the method off a name: cart.post.
func methodIn(base string) (rest, method string) {
	if dot := strings.LastIndexByte(base, '.'); dot > 0 {
		if method = httpMethods[base[dot+1:]]; method != "" {
			return base[:dot], method
		}
	}
	return base, "ANY"
}

// after returns the folders behind the first place where these stand one behind another, nil where they do not.
func after(dirs []string, want ...string) []string {
	for i := 0; i+len(want) <= len(dirs); i++ {
		if slices.Equal(dirs[i:i+len(want)], want) {
			return dirs[i+len(want):]
		}
	}
	return nil
}

// served is a path of folders, without those that group files alone, and of a file's name, without index.
func served(dirs []string, base string) string {
	var b strings.Builder
	for _, dir := range dirs {
		if !strings.HasPrefix(dir, "@") && (!strings.HasPrefix(dir, "(") || !strings.HasSuffix(dir, ")")) {
			b.WriteString("/" + dir)
		}
	}
	if base != "" && base != "index" {
		b.WriteString("/" + base)
	}
	return cmp.Or(b.String(), "/")
}
