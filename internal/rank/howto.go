package rank

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// asksHow is the first line of a task that asks how something is done with the repository itself.
var asksHow = lazyregexp.New(`(?i)\b(?:how (?:do (?:i|we|you|people|developers)|can|could|should|would|to|are|is)\b|(?:what|which)(?:'s| is)?(?: the)? commands?\b)`)

// doings are words for what is done with a repository, by the beginning that they share: a guide or a manifest that says how has it too.
var doings = map[string]string{"test": "test", "tests": "test", "testing": "test", "build": "build", "builds": "build", "building": "build", "built": "build", "compile": "compil", "compiling": "compil", "compiled": "compil",
	"install": "install", "installing": "install", "installed": "install", "installs": "install", "lint": "lint", "linting": "lint", "contribute": "contribut", "contributing": "contribut", "benchmark": "bench", "benchmarks": "bench"}

// mostGuides is how many guides, and how many manifests, say how something is done.
const mostGuides = 2

// nameGuides names the guides and the manifests of the root that say how what the first line of a task asks for is done.
func (o *Order) nameGuides(isGuide, isManifest func(path string) bool) {
	title := o.words.title()
	if !asksHow.MatchString(title) {
		return
	}
	done := map[string]bool{}
	for _, w := range parts(title) {
		if stem := doings[w]; stem != "" {
			done[stem] = true
		}
	}
	type guide struct {
		file  int
		words int    // of the title
		says  string // which of them it is about
	}
	find := func(kind func(path string) bool) (list []guide) {
		for i, f := range o.files {
			if !kind(f.Path) || language.IsTest(f.Path) && path.Dir(f.Path) != "." {
				continue
			}
			text, err := f.Read()
			if err != nil || f.Size > maxText {
				continue // what cannot be read is told already
			}
			g := guide{file: i}
			for _, w := range parts(string(text)) {
				if stem := doings[w]; g.says == "" && done[stem] {
					g.says = w
				}
			}
			for _, p := range o.texts[i].terms {
				if o.words.titled[p.term] {
					g.words++
				}
			}
			if g.says != "" {
				list = append(list, g)
			}
		}
		slices.SortStableFunc(list, func(a, b guide) int { return cmp.Compare(b.words, a.words) })
		return list[:min(len(list), mostGuides)]
	}
	list := find(func(name string) bool {
		return isGuide(name) || path.Dir(name) == "." && strings.EqualFold(stem(name), "readme")
	})
	list = append(list, find(func(name string) bool { return isManifest(name) && path.Dir(name) == "." })...)
	for _, g := range list {
		o.task.meant[g.file] = true
		o.task.raw[TaskNamed][g.file] += one
		if o.task.why[g.file] == "" {
			o.task.why[g.file] = "it tells those who work on the repository of " + g.says
		}
	}
}
