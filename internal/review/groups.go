package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Group are changed files that are read together.
type Group struct {
	// Name is the folder that holds them, or what they are: "tests", "docs", "settings", "data", "generated".
	Name string
	// Files by their place in Review.Files, the weightiest first.
	Files          []int
	Added, Removed int
	// Folder holds all files of a group that is no folder; "" where that is the root.
	Folder string
	// Reason says why it stands where it does.
	Reason string
}

// maxGroups bounds the groups, maxSources those of them that are of sources: tests, what is around, and generated ones follow.
const (
	maxGroups  = 7
	maxSources = 4
)

// groups are the changed files in the order in which they are read.
func (c *changeView) groups() []Group {
	by := map[string]*Group{}
	var sources, rest []*Group
	add := func(list *[]*Group, name string, i int) {
		g := by[name]
		if g == nil {
			g = &Group{Name: name}
			by[name] = g
			*list = append(*list, g)
		}
		g.Files = append(g.Files, i)
	}
	for i := range c.list {
		switch f := &c.list[i]; {
		case f.Class == Source && !f.Formatted:
			add(&sources, folder(f.Path)+"/", i)
		case f.Class == Source:
			add(&rest, "formatting", i)
		default:
			add(&rest, []string{"", "tests", "docs", "settings", "data", "generated"}[f.Class], i)
		}
	}
	sources = c.merge(c.gather(sources))
	c.sort(sources)
	reasons := map[string]string{"tests": "what checks the code", "settings": "how it is built and run", "docs": "what describes it", "data": "what it works on", "formatting": "only the layout differs", "generated": "written by programs"}
	order := []string{"tests", "settings", "docs", "data", "formatting", "generated"}
	slices.SortFunc(rest, func(a, b *Group) int {
		return cmp.Compare(slices.Index(order, a.Name), slices.Index(order, b.Name))
	})
	for len(sources)+len(rest) > maxGroups { // what stands beside the code is one
		last := len(rest) - 1
		rest[last-1].Reason = cmp.Or(rest[last-1].Reason, reasons[rest[last-1].Name]) + "; " + cmp.Or(rest[last].Reason, reasons[rest[last].Name])
		rest[last-1].Name += " and " + rest[last].Name
		rest[last-1].Files = append(rest[last-1].Files, rest[last].Files...)
		rest = rest[:last]
	}
	list := make([]Group, 0, len(sources)+len(rest))
	for _, g := range slices.Concat(sources, rest) {
		if g.Reason == "" {
			g.Reason = reasons[g.Name]
		}
		if at := c.shared(g.Files); at != "/" && !strings.HasSuffix(g.Name, "/") {
			g.Folder = at
		}
		slices.SortStableFunc(g.Files, func(a, b int) int { return cmp.Compare(c.list[b].weight(), c.list[a].weight()) })
		for _, i := range g.Files {
			g.Added, g.Removed = g.Added+c.list[i].Added, g.Removed+c.list[i].Removed
		}
		list = append(list, *g)
	}
	return list
}

// shared is the folder that holds all of the files, with its slash.
func (c *changeView) shared(files []int) string {
	at := folder(c.list[files[0]].Path) + "/"
	for _, i := range files {
		at = common(at, folder(c.list[i].Path)+"/")
	}
	return at
}

// weight is by how much a change to a file matters: lines changed × files that stand on it, itself among them.
func (f *File) weight() int { return (f.Added + f.Removed + 1) * (1 + f.importers) }

// What is done with each two folders is done with no more than maxFolders of them, and none of them deeper than maxDepth.
const (
	maxFolders = 200
	maxDepth   = 16
)

// gather joins the deepest folders under the one that holds them until at most maxFolders are left, and what stands at the root
// beyond that, the lightest first, under its name.
func (c *changeView) gather(list []*Group) []*Group {
	for depth := maxDepth; len(list) > maxFolders && depth > 0; depth-- {
		list = joined(list, func(g *Group) string { return upper(g.Name, depth) })
	}
	if len(list) <= maxFolders {
		return list
	}
	weight := c.weights(list)
	slices.SortFunc(list, func(a, b *Group) int {
		return cmp.Or(cmp.Compare(weight[b], weight[a]), strings.Compare(a.Name, b.Name))
	})
	kept := make(map[*Group]bool, maxFolders)
	for _, g := range list[:maxFolders-1] {
		kept[g] = true
	}
	return joined(list, func(g *Group) string {
		if kept[g] {
			return g.Name
		}
		return "/"
	})
}

// joined are the groups under new names, those of one name as one.
func joined(list []*Group, name func(*Group) string) []*Group {
	by := make(map[string]*Group, len(list))
	var out []*Group
	for _, g := range list {
		n := name(g)
		if to := by[n]; to != nil {
			to.Files = append(to.Files, g.Files...)
			continue
		}
		g.Name = n
		by[n] = g
		out = append(out, g)
	}
	return out
}

// upper is a folder, or the one that holds it at this depth.
func upper(name string, depth int) string {
	at := 0
	for range depth {
		n := strings.IndexByte(name[at:], '/')
		if n < 0 {
			return name
		}
		at += n + 1
	}
	return name[:at]
}

func (c *changeView) weights(list []*Group) map[*Group]int {
	weight := make(map[*Group]int, len(list))
	for _, g := range list {
		for _, i := range g.Files {
			weight[g] += c.list[i].weight()
		}
	}
	return weight
}

// merge joins groups of sources until few are left: the lightest with the one whose folder is nearest to its own, or where none
// is near with what else stands alone, under the name of the root.
func (c *changeView) merge(list []*Group) []*Group {
	weight := c.weights(list)
	for len(list) > maxSources {
		least := slices.MinFunc(list, func(a, b *Group) int {
			return cmp.Or(cmp.Compare(lone(a), lone(b)), cmp.Compare(weight[a], weight[b]), strings.Compare(a.Name, b.Name))
		})
		var to *Group
		for _, g := range list {
			if g == least || common(g.Name, least.Name) == "/" && g.Name != "/" {
				continue
			}
			if to == nil || cmp.Or(cmp.Compare(len(common(g.Name, least.Name)), len(common(to.Name, least.Name))), cmp.Compare(weight[to], weight[g]), strings.Compare(to.Name, g.Name)) > 0 {
				to = g
			}
		}
		if to == nil {
			least.Name = "/"
			continue
		}
		name := common(to.Name, least.Name)
		if i := slices.IndexFunc(list, func(g *Group) bool { return g.Name == name && g != to && g != least }); i >= 0 {
			to = list[i] // what lies between is met again
		}
		to.Name = name
		to.Files = append(to.Files, least.Files...)
		weight[to] += weight[least]
		list = slices.DeleteFunc(list, func(g *Group) bool { return g == least })
	}
	return list
}

// lone is 1 of the group that takes what stands alone.
func lone(g *Group) int {
	if g.Name == "/" {
		return 1
	}
	return 0
}

// common is the folder that holds both, with its slash; "/" is the root.
func common(a, b string) string {
	end := 0
	for i := 0; i < min(len(a), len(b)) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			end = i + 1
		}
	}
	if end == 0 {
		return "/"
	}
	return a[:end]
}

// sort puts groups of sources in order: what others of the change use before who uses it, then by weight, and says why.
func (c *changeView) sort(list []*Group) {
	of := map[string]*Group{}
	weight, outside, lines := map[*Group]int{}, map[*Group]int{}, map[*Group]int{}
	seen := map[string]bool{}
	for _, g := range list {
		for _, i := range g.Files {
			of[c.list[i].Path] = g
			weight[g] += c.list[i].weight()
			lines[g] += c.list[i].Added + c.list[i].Removed
			for _, from := range c.importers[c.list[i].Path] {
				if _, in := c.place[from]; !in && !seen[from] {
					seen[from] = true
					outside[g]++
				}
			}
		}
		clear(seen)
	}
	uses := map[[2]*Group]int{}
	for name, g := range of {
		for _, to := range c.imports[name] {
			if other := of[to]; other != nil && other != g {
				uses[[2]*Group{g, other}]++
			}
		}
	}
	// The one that uses least of what is left comes next: of a circle, the weightiest.
	for at := range list {
		left := func(g *Group) (n int) {
			for _, other := range list[at:] {
				n += uses[[2]*Group{g, other}]
			}
			return n
		}
		next := slices.MinFunc(list[at:], func(a, b *Group) int {
			return cmp.Or(cmp.Compare(left(a), left(b)), cmp.Compare(weight[b], weight[a]), strings.Compare(a.Name, b.Name))
		})
		i := slices.Index(list, next)
		copy(list[at+1:i+1], list[at:i])
		list[at] = next
	}
	for at, g := range list {
		above, below := 0, 0
		for i, other := range list {
			if i < at {
				above += uses[[2]*Group{g, other}]
			} else if i > at {
				below += uses[[2]*Group{other, g}]
			}
		}
		switch {
		case below > 0 && outside[g] > 0:
			g.Reason = fmt.Sprintf("used below, and by %s outside", files(outside[g]))
		case below > 0:
			g.Reason = "used by what follows"
		case above > 0 && outside[g] > 0:
			g.Reason = fmt.Sprintf("uses what stands above; %s outside %s it", files(outside[g]), imports(outside[g]))
		case above > 0:
			g.Reason = "uses what stands above"
		case outside[g] > 0:
			g.Reason = fmt.Sprintf("%s outside %s it", files(outside[g]), imports(outside[g]))
		case len(list) > 1 && !slices.ContainsFunc(list, func(other *Group) bool { return other != g && lines[other] >= lines[g] }):
			g.Reason = "most lines"
		default:
			g.Reason = "the code"
		}
	}
}

// files says how many there are.
func files(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}

// imports is the verb of so many files.
func imports(n int) string {
	if n == 1 {
		return "imports"
	}
	return "import"
}
