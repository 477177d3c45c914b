// Package project tells what a repository says of itself: its manifests in all their formats, its README, the
// files that run others, settings. It reads texts of a snapshot and nothing beside them, and resolves nothing over
// the network; what it finds is a fact with its place, and whether it is worth a sentence, packs decide. Source
// files it reads for one thing only: whether a program begins in them.
package project

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/source"
)

// Bounds of what is read to describe a project.
const (
	MaxManifests     = 300
	MaxManifestBytes = 1 << 20
	MaxDependencies  = 300
	maxDepsRead      = 2000 // of one manifest
	maxMembers       = 300  // globs of one workspace
	maxWorkspaces    = 20
	maxWarnings      = 100
)

// Facts are what both packs say of a project, found without reading its source.
type Facts struct {
	// Snapshot is what they were found in.
	Snapshot *scan.Snapshot
	// RepoName is the repository's name; "" where none is known.
	RepoName string
	// Files are by path those that a pack may hold.
	Files map[string]*scan.File
	// Projects are one a manifest, the shallowest first.
	Projects []*Project
	// Imported are the files that other sources import; nil where that is not known.
	Imported map[string]bool
	// Programs are the files in which programs begin, the shallowest first, and Begins says where in each.
	Programs []string
	Begins   map[string]source.Beginning
	// mains are the Go files called main.go, sorted.
	mains         []string
	gradleCatalog map[string]Dependency
	// cargoVersions are those that a workspace of Cargo sets for its members, nugetVersions those of a Directory.Packages.props.
	cargoVersions, nugetVersions map[string]string
	// Readme is the first paragraph of the root's README.
	Readme claim.Quote
	// Languages are those of the source, most bytes first.
	Languages []source.Share
	// Warnings are at most maxWarnings; ListedWarnings counts the rest.
	Warnings []Warning
	unsaid   int // warnings beyond maxWarnings
	texts    *source.Texts
}

// ListedWarnings are the warnings, with a last one that counts those that are not listed.
func (f *Facts) ListedWarnings() []Warning {
	if f.unsaid == 0 {
		return f.Warnings
	}
	last := f.Warnings[len(f.Warnings)-1]
	return append(slices.Clone(f.Warnings), Warning{last.Path, last.Line, fmt.Sprintf("after this one %s not listed", claim.Count(f.unsaid, "more warning"))})
}

// Project is what one manifest says.
type Project struct {
	// Path is the manifest's, Dir its folder, "" for the root.
	Path, Dir string
	// Ecosystem is the type of the project: node, go, python, ...; "" where the file describes none.
	Ecosystem string
	// Tool marks a file that builds or runs, without describing a project:
	// Dockerfile, CMakeLists.txt, ...
	Tool bool
	// Name is what the manifest calls the project, on line NameLine.
	Name     string
	NameLine int
	// Private projects are not published.
	Private      bool
	version      string
	Description  claim.Quote
	Dependencies []Dependency
	Entries      []Way
	Scripts      []Script
	// members are the folders or globs of a workspace.
	members     []string
	MembersLine int
	// Build and Test are the names of what builds and what tests the project.
	Build     string
	BuildLine int
	Test      string
	TestLine  int
	// Concerns are what somebody who depends on the project would want to know, Patterns what is worth a word of
	// how it is set up.
	Concerns []claim.Claim
	Patterns []claim.Claim
}

// Kinds of dependencies beside runtime, peer and dev: what is used where it is asked for, and what a workspace names for its members,
// of which each says whether it needs it.
const (
	Optional = "optional"
	Shared   = "shared"
)

// Dependency is a package that a manifest names. Kind is runtime, peer, dev, Optional or Shared; Line is 0 where none is known.
type Dependency struct {
	Name, Version, Kind string
	Line                int
}

// Way is a file that a manifest declares as a way in. Its path is from the root.
type Way struct {
	Path string
	Kind string // cli, web, api, library, script
	Name string
	Line int
}

// Script is a command that a file declares, under a name.
type Script struct {
	Name, Command string
	Line          int
}

// Warn notes what is wrong with a file; beyond maxWarnings it only counts.
func (f *Facts) Warn(name string, line int, err error) {
	if len(f.Warnings) == maxWarnings {
		f.unsaid++
		return
	}
	var l source.LineError
	if errors.As(err, &l) && line == 0 {
		line = l.Line
	}
	if file := f.Files[name]; file != nil && file.Lines > 0 {
		line = min(line, file.Lines) // the end of a file is behind its last line
	}
	f.Warnings = append(f.Warnings, Warning{claim.Shown(name), line, claim.OneLine(err.Error(), 300)})
}

// Read reads manifests and README of a snapshot. name is the repository's, or "".
func Read(snapshot *scan.Snapshot, name string, texts *source.Texts) (*Facts, error) {
	f := &Facts{texts: texts, Snapshot: snapshot, RepoName: name, Files: map[string]*scan.File{}}
	var manifests []*scan.File
	var readmes []*scan.File
	introduces := Readmes(snapshot.Files)
	for i := range snapshot.Files {
		file := &snapshot.Files[i]
		if !file.Extractable() {
			continue
		}
		f.Files[file.Path] = file
		if path.Base(file.Path) == "main.go" && !source.Aside(file.Path) {
			f.mains = append(f.mains, file.Path)
		}
		if ReaderOf(file.Path) != nil && !source.Aside(file.Path) {
			manifests = append(manifests, file)
		}
		if introduces[file.Path] > 0 {
			readmes = append(readmes, file)
		}
	}
	f.Languages = source.Shares(snapshot)
	if err := f.findPrograms(); err != nil {
		return nil, err
	}
	slices.SortFunc(manifests, func(a, b *scan.File) int {
		return cmp.Or(cmp.Compare(strings.Count(a.Path, "/"), strings.Count(b.Path, "/")), cmp.Compare(a.Path, b.Path))
	})
	if len(manifests) > MaxManifests {
		f.Warn(manifests[MaxManifests].Path, 0, fmt.Errorf("this and %d more manifests are not read", len(manifests)-MaxManifests-1))
		manifests = manifests[:MaxManifests]
	}
	workspaces := 0
	for _, m := range manifests {
		p := &Project{Path: m.Path, Dir: source.DirOf(m.Path)}
		if m.Size > MaxManifestBytes {
			f.Warn(m.Path, 0, fmt.Errorf("not read as a manifest: larger than %d bytes", MaxManifestBytes))
			continue
		}
		b, _, err := texts.Read(m)
		if err != nil {
			return nil, err
		}
		if err := ReaderOf(m.Path)(f, p, b); err != nil {
			f.Warn(m.Path, 0, err)
		}
		p.Dependencies = p.Dependencies[:min(len(p.Dependencies), maxDepsRead)]
		p.members = p.members[:min(len(p.members), maxMembers)]
		if len(p.members) > 0 {
			if workspaces++; workspaces > maxWorkspaces {
				p.members = nil
			}
		}
		if forDevelopment(p.Path) {
			p.develops()
		}
		if p.Ecosystem != "" {
			f.Projects = append(f.Projects, p)
		}
	}
	slices.SortStableFunc(readmes, func(a, b *scan.File) int { return cmp.Compare(introduces[a.Path], introduces[b.Path]) })
	for _, r := range readmes {
		if r.Size > MaxManifestBytes {
			continue
		}
		b, _, err := texts.Read(r)
		if err != nil {
			return nil, err
		}
		if q := readmeOf(r.Path, b, f.GoesBy()); q.Text != "" {
			f.Readme = q
			break
		}
	}
	return f, nil
}

// forDevelopment reports whether a manifest is of a part that those alone need who work on the project: its tests, its benchmarks,
// its website.
func forDevelopment(name string) bool {
	if !strings.Contains(name, "/") {
		return false
	}
	if Beside(name) || language.IsTest(path.Dir(name)+"/") {
		return true
	}
	base := path.Base(name)
	for _, word := range []string{path.Base(path.Dir(name)), strings.TrimSuffix(base, path.Ext(base))} {
		if list := language.Words(word); len(list) > 0 && testParts[list[len(list)-1]] {
			return true
		}
	}
	return false
}

// testParts are the last words of the names of parts that test or measure.
var testParts = language.WordSet("test tests testing bench benches benchmark benchmarks fuzz e2e spec specs")

// develops says of a project that what it needs is for development, and that it is no way in.
func (p *Project) develops() {
	for i := range p.Dependencies {
		if d := &p.Dependencies[i]; d.Kind == "runtime" || d.Kind == Optional {
			d.Kind = "dev"
		}
	}
}

// GoesBy are the names of the project: the repository's, and those of manifests at
// the root and of the part that stands for all.
func (f *Facts) GoesBy() []string {
	names := []string{f.RepoName}
	for _, p := range f.Root() {
		names = append(names, p.Name)
	}
	if p := f.Flagship(); p != nil {
		names = append(names, p.Name)
	}
	return names
}

// Flagship is the part of a workspace that stands for the repository: the one of its
// name, else the one that uses most of the other parts. Nil without one.
func (f *Facts) Flagship() *Project {
	var best *Project
	most := 0
	for _, root := range f.Root() {
		members := f.MembersOf(root)
		names := map[string]bool{}
		for _, m := range members {
			names[m.Name] = m.Name != ""
		}
		for _, m := range members {
			if m.Name == "" || m.Private {
				continue
			}
			if path.Base(m.Name) == f.RepoName || m.Name == path.Base(root.Name) {
				return m
			}
			n := 0
			for _, d := range m.Dependencies {
				if names[d.Name] && d.Kind == "runtime" {
					n++
				}
			}
			// Of equals the plainest name: vue before @vue/compat.
			if n > most || n == most && n > 0 && len(m.Name) < len(best.Name) {
				best, most = m, n
			}
		}
	}
	return best
}

// findPrograms looks for where programs begin: any file of some languages may have a main function, and any that may be run be a script.
// Scripts that go along with the project are none, nor those that lie many together: something else calls them.
func (f *Facts) findPrograms() error {
	var files []*scan.File
	for i := range f.Snapshot.Files {
		if file := &f.Snapshot.Files[i]; source.MayBegin(file) {
			files = append(files, file)
		}
	}
	found := make([]source.Beginning, len(files))
	err := f.texts.Each(files, func(i int, b []byte, _ int) { found[i] = source.BeginningOf(files[i], b) })
	together := map[string]int{} // scripts with an extension, by folder
	for i, file := range files {
		if found[i].Script && path.Ext(file.Path) != "" {
			together[path.Dir(file.Path)]++
		}
	}
	f.Begins = map[string]source.Beginning{}
	for i, file := range files {
		b := found[i]
		// What go install builds is a program wherever it lies.
		beside := Beside(file.Path) && path.Ext(file.Path) != ".go"
		crowded := b.Script && path.Ext(file.Path) != "" && together[path.Dir(file.Path)] > maxTogether
		if b.Line == 0 || beside || crowded {
			continue
		}
		f.Programs = append(f.Programs, file.Path)
		f.Begins[file.Path] = b
	}
	slices.SortStableFunc(f.Programs, func(a, b string) int { return cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")) })
	return err
}

// maxTogether bounds the scripts of one folder of which each is a program: of more, something else calls them.
const maxTogether = 8

// Root are the projects whose manifest stands at the root.
func (f *Facts) Root() []*Project {
	var out []*Project
	for _, p := range f.Projects {
		if p.Dir == "" {
			out = append(out, p)
		}
	}
	return out
}

// Main is the project that speaks for the repository: at the root, of the
// ecosystem with the most source; else the shallowest. Nil without one.
func (f *Facts) Main() *Project {
	var best *Project
	var most int64 = -1
	for _, p := range f.Root() {
		n := f.weight(p.Ecosystem)
		if p.Tool {
			n = 0
		}
		if n > most || n == most && !p.Tool && best.Name == "" && p.Name != "" { // of equals the one that says what the project is called
			best, most = p, n
		}
	}
	if best == nil && len(f.Projects) > 0 {
		best = f.Projects[0]
	}
	return best
}

// weight is how many bytes of source the snapshot has for an ecosystem.
func (f *Facts) weight(ecosystem string) int64 {
	var n int64
	for _, l := range f.Languages {
		if slices.Contains(l.Lang.Ecosystems, ecosystem) {
			n += l.Bytes
		}
	}
	return n
}

// OwnNames are the names of the repository's own parts.
func (f *Facts) OwnNames() map[string]bool {
	names := map[string]bool{}
	for _, p := range f.Projects {
		names[p.Name] = true
	}
	return names
}

// Purpose is the first description that the project gives of itself.
func (f *Facts) Purpose() claim.Quote {
	if p := f.Main(); p != nil && p.Dir == "" && p.Description.Text != "" {
		return p.Description
	}
	for _, p := range f.Root() {
		if p.Description.Text != "" {
			return p.Description
		}
	}
	if f.Readme.Text != "" {
		return f.Readme
	}
	if p := f.Flagship(); p != nil {
		return p.Description
	}
	return claim.Quote{}
}

// Ecosystems are the types of all projects, the main one's first.
func (f *Facts) Ecosystems() []string {
	out := []string{}
	if p := f.Main(); p != nil {
		out = append(out, p.Ecosystem)
	}
	for _, p := range f.Projects {
		if !slices.Contains(out, p.Ecosystem) {
			out = append(out, p.Ecosystem)
		}
	}
	return out
}

// Workspaces are the folders of projects that a manifest above declares.
func (f *Facts) Workspaces() []string {
	var out []string
	for _, p := range f.Projects {
		for _, member := range f.MembersOf(p) {
			out = append(out, member.Dir)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// MembersOf are the projects that p's workspace declares.
func (f *Facts) MembersOf(p *Project) []*Project {
	var out []*Project
	if len(p.members) == 0 {
		return nil
	}
	for _, q := range f.Projects {
		if q == p || q.Tool || q.Dir == p.Dir || !Under(q.Dir, p.Dir) {
			continue
		}
		rel := strings.TrimPrefix(strings.TrimPrefix(q.Dir, p.Dir), "/")
		in := false
		for _, m := range p.members {
			if not, ok := strings.CutPrefix(m, "!"); ok {
				in = in && !matchMember(not, rel)
			} else {
				in = in || matchMember(m, rel)
			}
		}
		if in {
			out = append(out, q)
		}
	}
	return out
}

// Under reports whether dir is top or below it; "" is the root.
func Under(dir, top string) bool {
	return top == "" || dir == top || strings.HasPrefix(dir, top+"/")
}

// matchMember matches a folder with a workspace's glob.
func matchMember(glob, dir string) bool { return scan.MatchPlain(path.Clean(glob), dir) }

// EntryPoints are the files that manifests declare, those in which programs begin, and those that are called so.
func (f *Facts) EntryPoints() []string {
	var out []string
	for _, p := range f.Projects {
		for _, e := range p.Entries {
			if name := f.SourceOf(e.Path); name != "" {
				out = append(out, name)
			}
		}
	}
	out = append(append(out, f.Programs...), f.PackageFiles()...)
	for i := range f.Snapshot.Files {
		file := &f.Snapshot.Files[i]
		if file.Extractable() && file.Category == scan.CategoryEntrypoint && !source.Aside(file.Path) && !Beside(file.Path) && !f.isPart(file.Path) {
			out = append(out, file.Path)
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	if len(out) > maxEntryPoints {
		slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")) })
		out = out[:maxEntryPoints]
		slices.Sort(out)
	}
	return out
}

// isPart reports whether a file that is called like a way in is a part that others import: a class Server, the index of a folder,
// what a declared command hands on to.
func (f *Facts) isPart(name string) bool {
	if !f.Imported[name] {
		return false
	}
	stem, _, _ := strings.Cut(strings.ToLower(path.Base(name)), ".")
	p := f.ProjectOf(name)
	switch stem {
	case "server", "app":
		return true
	case "index":
		if p == nil {
			return strings.Count(name, "/") > 1
		}
		rest := strings.TrimPrefix(strings.TrimPrefix(source.DirOf(name), p.Dir), "/")
		return rest != "" && rest != "src" && rest != "lib"
	case "cli":
		return p != nil && slices.ContainsFunc(f.Projects, func(o *Project) bool { // a gemspec beside a Gemfile is of the same folder
			return o.Dir == p.Dir && slices.ContainsFunc(o.Entries, func(w Way) bool { return w.Kind == "cli" && w.Path != name && f.SourceOf(w.Path) != name })
		})
	}
	return false
}

// maxEntryPoints bounds the ways in that are named; those that lie deepest go first.
const maxEntryPoints = 50

// besideFolders hold what goes along with a project: its website, its tools.
var besideFolders = []string{"website", "site", "www", "docs", "doc", "scripts", "tools", "hack", "helpers", "benchmark", "benchmarks", "bench"}

// Beside reports whether a path is of something that goes along with the project.
func Beside(p string) bool {
	top, _, ok := strings.Cut(strings.ToLower(p), "/")
	return ok && slices.Contains(besideFolders, top)
}

// Warning is about a file that could not be used as it should.
type Warning struct {
	Path string `json:"path"`
	// Line counts from 1; 0 where none is known.
	Line    int    `json:"line,omitempty"`
	Message string `json:"message"`
}

// String is the warning as one line of a log.
func (w Warning) String() string { return claim.At(w.Path, w.Line) + ": " + w.Message }
