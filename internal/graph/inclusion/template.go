package inclusion

import (
	"github.com/haversack-dev/haversack/internal/graph/views"
)

// readTemplate finds what a template or a page names.
func readTemplate(f *file, src []byte) {
	list, defines := views.Template(f.path, src)
	for _, r := range list {
		f.refer(r.Name, byte(r.How))
	}
	f.modules = defines
}

// resolveTemplate leads to the template, tag library or asset of a name.
func resolveTemplate(b *builder, f *file, r reference) answer {
	a := b.views().Lead(f.path, views.Reference{Name: r.name, How: views.How(r.how)})
	return answer{paths: a.Paths, resolution: a.Resolution, undecided: a.Undecided, outside: a.Outside}
}

// indexViews knows the templates by name, and those of Go by what they define.
func (b *builder) indexViews() *views.Index {
	x := views.NewIndex(b.sources[0], b.sources[1])
	for name, files := range b.modules {
		for _, f := range files {
			x.Define(name, f)
		}
	}
	return x
}
