package python

import (
	"context"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/tree"
)

// site is a folder of installed packages in an external root: the root itself, or the one that belongs to the
// virtualenv that it is.
type site struct {
	dir string
	// dists are the distributions that are installed there, by name; of files those whose RECORD names the file.
	dists []dist
	of    map[string]int
}

// dist is an installed distribution.
type dist struct{ name, version string }

// installedFile is what is known of a file that is no source.
type installedFile struct {
	site *site
	// top is the first element of its path in the site.
	top    string
	source graph.SourceFile
	read   sync.Once
}

// outsideRoot reports whether a path is in an external root.
func outsideRoot(name string) bool { return strings.HasPrefix(name, "/") }

// Bounds on what is installed: files that are listed, files and bytes that say which distribution they are of, and
// folders in folders.
const (
	maxListed      = 100_000
	maxRecord      = 8 << 20
	maxRecordBytes = 128 << 20
	maxFolders     = 50
)

// installed lists the packages in external roots that sources import by name. What they hold is read when it is asked for.
func (b *builder) installed(ctx context.Context) error {
	if len(b.roots.External) == 0 {
		return nil
	}
	tops := map[string]bool{}
	for _, f := range b.files {
		if f == nil {
			continue
		}
		for i := range f.imports {
			if top, _, _ := strings.Cut(f.imports[i].module, "."); f.imports[i].level == 0 && top != "" && top != "__init__" && !standard[top] {
				tops[top] = true
			}
		}
	}
	t := &b.tree
	left := maxListed
	for _, e := range b.roots.External {
		for _, at := range siteFolders(e) {
			entries, err := e.Root.List(at)
			if err != nil {
				continue
			}
			s := &site{dir: path.Join(e.Dir, at), of: map[string]int{}}
			if slices.ContainsFunc(b.sites, func(old *site) bool { return old.dir == s.dir }) {
				continue
			}
			b.sites, t.sites = append(b.sites, s), append(t.sites, s.dir)
			bytes := 0
			l := lister{b, e, s, &left}
			for _, x := range entries {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				top, module := strings.CutSuffix(x.Name, ".py")
				switch {
				case strings.HasSuffix(x.Name, ".dist-info") && x.Mode.IsDir():
					s.distribution(e, at, x.Name, tops, &bytes)
				case tops[x.Name] && x.Mode.IsDir():
					l.list(path.Join(at, x.Name), x.Name, 1)
				case module && tops[top] && x.Mode.IsRegular():
					l.list(path.Join(at, x.Name), top, 0)
				}
			}
		}
	}
	if left < 0 {
		b.warn("", "limit: only %d of the files in virtualenvs are listed", maxListed)
	}
	return nil
}

// siteFolders are the folders of an external root in which packages are installed.
func siteFolders(e graph.ExternalRoot) (list []string) {
	candidates := []string{".", "site-packages", "dist-packages", "Lib/site-packages"}
	if entries, err := e.Root.List("lib"); err == nil {
		for _, x := range entries {
			if strings.HasPrefix(x.Name, "python") {
				candidates = append(candidates, "lib/"+x.Name+"/site-packages", "lib/"+x.Name+"/dist-packages")
			}
		}
	}
	for _, c := range candidates {
		entries, err := e.Root.List(c)
		if err == nil && slices.ContainsFunc(entries, func(x tree.Entry) bool { return strings.HasSuffix(x.Name, ".dist-info") }) {
			list = append(list, c)
		}
	}
	return list
}

// distribution notes a distribution, and which of the wanted files are its.
func (s *site) distribution(e graph.ExternalRoot, at, name string, tops map[string]bool, bytes *int) {
	d, version, ok := strings.Cut(strings.TrimSuffix(name, ".dist-info"), "-")
	if !ok || normal(d) == "" || version == "" || strings.Trim(version, versioned) != "" || *bytes > maxRecordBytes {
		return
	}
	record, err := e.Root.ReadFile(path.Join(at, name, "RECORD"), maxRecord)
	if err != nil {
		return
	}
	*bytes += len(record)
	s.dists = append(s.dists, dist{normal(d), version})
	for line := range strings.Lines(string(record)) {
		file, _, _ := strings.Cut(line, ",")
		top, _, _ := strings.Cut(file, "/")
		if tops[strings.TrimSuffix(top, ".py")] && isSource(file) {
			if _, taken := s.of[file]; !taken {
				s.of[file] = len(s.dists) - 1
			}
		}
	}
}

// versioned are the characters of versions.
const versioned = "0123456789.!+-_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// normal is a distribution's name as indexes write it.
func normal(name string) string {
	fields := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '-' || r == '_' || r == '.' })
	return strings.Join(fields, "-")
}

func isSource(name string) bool {
	return strings.HasSuffix(name, ".py") || strings.HasSuffix(name, ".pyi")
}

// lister adds what a folder of installed packages holds to what imports can lead to.
type lister struct {
	b    *builder
	root graph.ExternalRoot
	site *site
	left *int // files that may still be listed, of all folders together
}

// list adds a file (depth 0), or all below a folder, which belong to the module or package top.
func (l lister) list(at, top string, depth int) {
	if depth == 0 {
		f, err := l.root.Root.File(at)
		if *l.left--; err != nil || *l.left < 0 {
			return
		}
		f.Path = path.Join(l.root.Dir, at)
		l.b.tree.add(&file{
			path: f.Path, dir: path.Dir(f.Path), stub: strings.HasSuffix(at, ".pyi"),
			installed: &installedFile{site: l.site, top: top, source: graph.SourceFile{File: f}},
		})
		return
	}
	entries, err := l.root.Root.List(at)
	if err != nil || depth > maxFolders {
		return
	}
	for _, x := range entries {
		switch {
		case *l.left < 0:
			return
		case x.Mode.IsDir():
			l.list(path.Join(at, x.Name), top, depth+1)
		case x.Mode.IsRegular() && isSource(x.Name):
			l.list(path.Join(at, x.Name), top, 0)
		}
	}
}

// fill reads a file that is installed, once.
func (t *folders) fill(f *file) *file {
	if f == nil || f.installed == nil {
		return f
	}
	f.installed.read.Do(func() {
		// Where that is not possible, it is there, and nothing is known of it.
		if g, err := read(&f.installed.source, t.reach); err == nil {
			f.defines, f.imports, f.all, f.attrs = g.defines, g.imports, g.all, g.attrs
		}
	})
	return f
}

// address is where the file has its place below <stan>/context.
func (b *builder) address(name string) string {
	f := b.tree.files[name]
	if f == nil || f.installed == nil {
		return ""
	}
	s := f.installed.site
	rel, _ := graph.Below(s.dir, name)
	d := dist{normal(f.installed.top), "0.0.0"}
	if i, ok := s.of[rel]; ok {
		d = s.dists[i]
	}
	return path.Join("pypi", d.name, d.version, rel)
}
