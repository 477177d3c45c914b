package brief

import (
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
)

// pageParts are extensions of files that hold a part of a page with its code and its style; styleSheets those of styles alone.
var (
	pageParts   = language.WordSet(".vue .svelte .astro")
	styleSheets = language.WordSet(".css .scss .sass .less .styl .pcss")
)

// styleOf is where the style of a component begins, the first of its lines; behind all lines where it has none.
func (e *entry) styleOf() int {
	if pageParts[strings.ToLower(path.Ext(e.Path))] {
		for n, line := range e.lines {
			if strings.HasPrefix(line, "<style") {
				return n + 1
			}
		}
	}
	return len(e.lines) + 1
}

// touchesStyle reports whether the change touches the style of a component, or is one of styles.
func (e *entry) touchesStyle() bool {
	return e.Changed && (styleSheets[strings.ToLower(path.Ext(e.Path))] || len(e.Touched) > 0 && e.Touched[len(e.Touched)-1] >= e.styleOf())
}

// asksForStyle reports whether a change touches how something looks: then other components' styles are needed, else they tell nothing of it.
func (d *Document) asksForStyle() bool { return slices.ContainsFunc(d.entries, (*entry).touchesStyle) }
