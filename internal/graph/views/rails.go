package views

import (
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
)

// rails leads to a partial, a layout or the template of an action. A name without a folder is one of the controller's own.
func (x *Index) rails(from string, r Reference) Answer {
	name := r.Name
	own := viewsOf(from)
	if r.How == Layout && !strings.Contains(name, "/") || r.How == Layout && !x.any(from, name) {
		name = "layouts/" + name
	}
	dir, base := path.Split(name)
	if r.How == Partial {
		base = "_" + base
	}
	if dir != "" {
		return x.formats(from, x.templates(from, dir+base))
	}
	if own == "" {
		return Answer{Outside: true}
	}
	if a := x.formats(from, x.in(own, base)); !a.Outside {
		return a
	}
	for _, dir := range inherited(own) {
		if a := x.formats(from, x.templates(from, path.Join(dir, base))); !a.Outside {
			return a
		}
	}
	return Answer{Outside: true}
}

// inherited are the folders, below those of views, in which a name is looked for that a controller's own folder has not: that folder
// in other roots, and those of the controllers that it may extend.
func inherited(own string) (list []string) {
	_, rel, ok := strings.Cut(own, "views/")
	if !ok {
		return nil
	}
	list = append(list, rel)
	for d := path.Dir(rel); ; d = path.Dir(d) {
		list = append(list, path.Join(d, "application"))
		if d == "." {
			return list
		}
	}
}

// any reports whether a template of a name with its folder is there.
func (x *Index) any(from, name string) bool { return len(x.templates(from, name)) > 0 }

// viewsOf is the folder of the templates of a controller, a mailer or a template; "" where a text has none.
func viewsOf(from string) string {
	if path.Ext(from) != ".rb" {
		if root, rest, ok := strings.Cut(from, "views/layouts/"); ok { // a layout has the name of its controllers
			return path.Join(root, "views", path.Dir(rest), strings.TrimPrefix(stem(rest), "_"))
		}
		return path.Dir(from)
	}
	for _, kind := range []string{"controllers", "mailers"} {
		root, rest, ok := strings.Cut(from, kind+"/")
		if !ok || root != "" && !strings.HasSuffix(root, "/") {
			continue
		}
		rest = strings.TrimSuffix(rest, ".rb")
		if kind == "controllers" {
			if rest, ok = strings.CutSuffix(rest, "_controller"); !ok {
				continue
			}
		}
		return root + "views/" + rest
	}
	return ""
}

// in are the templates of a name, whatever their formats, in a folder.
func (x *Index) in(dir, base string) (list []string) {
	for _, p := range x.stemmed(stem(base)) {
		if path.Dir(p) == dir && isTemplate(p) && (p == path.Join(dir, base) || strings.HasPrefix(p, path.Join(dir, base)+".")) {
			list = append(list, p)
		}
	}
	return list
}

// templates are those of a name with its folder, in the nearest folder of views that has any.
func (x *Index) templates(from, name string) (list []string) {
	most, found := -1, ""
	for _, p := range x.stemmed(stem(name)) {
		head, _, ok := strings.Cut(p, "views/"+name)
		if !ok || !isTemplate(p) || head != "" && !strings.HasSuffix(head, "/") || stem(p) != stem(name) {
			continue
		}
		switch n := common(from, p); {
		case n > most:
			most, found, list = n, head, []string{p}
		case n == most && head == found:
			list = append(list, p)
		case n == most:
			return nil
		}
	}
	return list
}

// isTemplate reports whether Rails renders files of this name.
func isTemplate(p string) bool {
	switch path.Ext(p) {
	case ".erb", ".haml", ".slim", ".jbuilder", ".builder", ".ruby", ".rabl", ".liquid", ".html", ".mustache":
		return true
	}
	return false
}

// format is what stands between the name and the last extension of a template.
func format(p string) string {
	base := path.Base(p)
	return strings.Trim(strings.TrimSuffix(strings.TrimPrefix(base, stem(base)), path.Ext(base)), ".")
}

// formats leads to the templates of a name: to that of the text's own format, where there is one, else to all: the request decides.
func (x *Index) formats(from string, list []string) Answer {
	list = slices.DeleteFunc(list, func(p string) bool { return p == from })
	if len(list) == 0 {
		return Answer{Outside: true}
	}
	if path.Ext(from) != ".rb" {
		same := slices.DeleteFunc(slices.Clone(list), func(p string) bool { return format(p) != format(from) })
		if len(same) > 0 {
			list = same
		}
	}
	slices.Sort(list)
	return Answer{Paths: list, Resolution: graph.Implicit}
}

// actions leads to the templates that are named after the methods of a controller or mailer.
func (x *Index) actions(from string, names []string) Answer {
	a := Answer{Resolution: graph.Implicit}
	dir := viewsOf(from)
	if dir == "" {
		return a
	}
	for _, name := range names {
		a.Paths = append(a.Paths, x.in(dir, name)...)
	}
	slices.Sort(a.Paths)
	a.Paths = slices.Compact(a.Paths)
	return a
}

// sidecar leads to the template of a component, which stands beside it, or in a folder of its name.
func (x *Index) sidecar(from string) Answer {
	dir, base := path.Dir(from), stem(from)
	list := append(x.in(dir, base), x.in(path.Join(dir, base), base)...)
	slices.Sort(list)
	return Answer{Paths: list, Resolution: graph.Implicit}
}

// blade leads to a view of Blade, whose dots are folders, below the nearest folder of views.
func (x *Index) blade(from string, r Reference) Answer {
	name := strings.ReplaceAll(r.Name, ".", "/")
	if r.How == Dotted {
		return x.views(from, name)
	}
	for _, try := range []string{"components/" + name, "components/" + name + "/index", "components/" + name + "/" + path.Base(name)} {
		if a := x.views(from, try); !a.Outside {
			return a
		}
	}
	return Answer{}
}

// views leads to a template of Blade or PHP, by its path below a folder of views.
func (x *Index) views(from, name string) Answer {
	var list []string
	for _, ext := range []string{".blade.php", ".php"} {
		for _, p := range x.extended(name, ext) {
			if root := strings.TrimSuffix(p, name+ext); p != from && (strings.HasSuffix(root, "/views/") || root == "views/") {
				list = append(list, p)
			}
		}
		if len(list) > 0 {
			break
		}
	}
	return nearest(from, list)
}
