package pack

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/source"
)

// Bounds of what is read to describe a project.
const (
	maxManifests     = 300
	maxManifestBytes = 1 << 20
	maxDependencies  = 300
	maxDepsRead      = 2000 // of one manifest
	maxMembers       = 300  // globs of one workspace
	maxWorkspaces    = 20
	maxWarnings      = 100
)

// facts are what both packs say of a project, found without reading its source.
type facts struct {
	src *Source
	// files by path; those that a pack may hold.
	files map[string]*scan.File
	// projects, one a manifest, the shallowest first.
	projects []*project
	// programs are the Go files with a main function, the shallowest first.
	programs []string
	// mains are the Go files called main.go, sorted.
	mains         []string
	gradleCatalog map[string]dependency
	// readme is the first paragraph of the root's README.
	readme   claim.Quote
	langs    []source.Share
	warnings []Warning
	unsaid   int // warnings beyond maxWarnings
}

// told are the warnings, with a last one that counts those that are not listed.
func (f *facts) told() []Warning {
	if f.unsaid == 0 {
		return f.warnings
	}
	last := f.warnings[len(f.warnings)-1]
	return append(slices.Clone(f.warnings), Warning{last.Path, last.Line, fmt.Sprintf("after this one %s not listed", claim.Count(f.unsaid, "more warning"))})
}

// project is what one manifest says.
type project struct {
	path, dir string
	ecosystem string
	// tool marks a file that builds or runs, without describing a project:
	// Dockerfile, CMakeLists.txt, ...
	tool        bool
	name        string
	nameLine    int
	private     bool
	version     string
	description claim.Quote
	deps        []dependency
	entries     []entry
	scripts     []script
	// members are the folders or globs of a workspace.
	members     []string
	membersLine int
	build       string
	buildLine   int
	test        string
	testLine    int
	concerns    []claim.Claim
	patterns    []claim.Claim
}

type dependency struct {
	name, version, kind string
	line                int
}

// entry is a file that a manifest declares as a way in.
type entry struct {
	path string
	kind string // cli, web, api, library, script
	name string
	line int
}

type script struct {
	name, command string
	line          int
}

// warn notes what is wrong with a file; beyond maxWarnings it only counts.
func (f *facts) warn(name string, line int, err error) {
	if len(f.warnings) == maxWarnings {
		f.unsaid++
		return
	}
	var l source.LineError
	if errors.As(err, &l) && line == 0 {
		line = l.Line
	}
	if file := f.files[name]; file != nil && file.Lines > 0 {
		line = min(line, file.Lines) // the end of a file is behind its last line
	}
	f.warnings = append(f.warnings, Warning{claim.Shown(name), line, claim.OneLine(err.Error(), 300)})
}

// gather reads manifests and README.
func gather(src *Source) (*facts, error) {
	f := &facts{src: src, files: map[string]*scan.File{}}
	var manifests []*scan.File
	var readmes []*scan.File
	for i := range src.Snapshot.Files {
		file := &src.Snapshot.Files[i]
		if !file.Extractable() {
			continue
		}
		f.files[file.Path] = file
		if path.Base(file.Path) == "main.go" && !source.Aside(file.Path) {
			f.mains = append(f.mains, file.Path)
		}
		if readerOf(file.Path) != nil && !source.Aside(file.Path) {
			manifests = append(manifests, file)
		}
		if base := strings.ToLower(file.Path); strings.HasPrefix(base, "readme") && !strings.Contains(base, "/") {
			readmes = append(readmes, file)
		}
	}
	f.langs = source.Shares(src.Snapshot)
	if err := f.findPrograms(); err != nil {
		return nil, err
	}
	slices.SortFunc(manifests, func(a, b *scan.File) int {
		return cmp.Or(cmp.Compare(strings.Count(a.Path, "/"), strings.Count(b.Path, "/")), cmp.Compare(a.Path, b.Path))
	})
	if len(manifests) > maxManifests {
		f.warn(manifests[maxManifests].Path, 0, fmt.Errorf("this and %d more manifests are not read", len(manifests)-maxManifests-1))
		manifests = manifests[:maxManifests]
	}
	workspaces := 0
	for _, m := range manifests {
		p := &project{path: m.Path, dir: source.DirOf(m.Path)}
		if m.Size > maxManifestBytes {
			f.warn(m.Path, 0, fmt.Errorf("not read as a manifest: larger than %d bytes", maxManifestBytes))
			continue
		}
		b, _, err := source.Read(m)
		if err != nil {
			return nil, err
		}
		if err := readerOf(m.Path)(f, p, b); err != nil {
			f.warn(m.Path, 0, err)
		}
		p.deps = p.deps[:min(len(p.deps), maxDepsRead)]
		p.members = p.members[:min(len(p.members), maxMembers)]
		if len(p.members) > 0 {
			if workspaces++; workspaces > maxWorkspaces {
				p.members = nil
			}
		}
		if p.ecosystem != "" {
			f.projects = append(f.projects, p)
		}
	}
	for _, r := range readmes {
		if r.Size > maxManifestBytes {
			continue
		}
		b, _, err := source.Read(r)
		if err != nil {
			return nil, err
		}
		if q := readmeOf(r.Path, b, f.goesBy()); q.Text != "" {
			f.readme = q
			break
		}
	}
	return f, nil
}

// goesBy are the names of the project: the repository's, and those of manifests at
// the root and of the part that stands for all.
func (f *facts) goesBy() []string {
	names := []string{f.src.Name}
	for _, p := range f.root() {
		names = append(names, p.name)
	}
	if p := f.flagship(); p != nil {
		names = append(names, p.name)
	}
	return names
}

// flagship is the part of a workspace that stands for the repository: the one of its
// name, else the one that uses most of the other parts. Nil without one.
func (f *facts) flagship() *project {
	var best *project
	most := 0
	for _, root := range f.root() {
		members := f.membersOf(root)
		names := map[string]bool{}
		for _, m := range members {
			names[m.name] = m.name != ""
		}
		for _, m := range members {
			if m.name == "" || m.private {
				continue
			}
			if path.Base(m.name) == f.src.Name || m.name == path.Base(root.name) {
				return m
			}
			n := 0
			for _, d := range m.deps {
				if names[d.name] && d.kind == "runtime" {
					n++
				}
			}
			// Of equals the plainest name: vue before @vue/compat.
			if n > most || n == most && n > 0 && len(m.name) < len(best.name) {
				best, most = m, n
			}
		}
	}
	return best
}

// findPrograms looks for main functions: any Go file may have one.
func (f *facts) findPrograms() error {
	var files []*scan.File
	for i := range f.src.Snapshot.Files {
		if file := &f.src.Snapshot.Files[i]; source.IsProgram(file) && source.LanguageOf(file.Path).Name == "Go" {
			files = append(files, file)
		}
	}
	is := make([]bool, len(files))
	err := source.EachText(files, func(i int, b []byte, _ int) { is[i] = source.HasMain(b) && !source.IsGenerated(b) })
	for i, file := range files {
		if is[i] {
			f.programs = append(f.programs, file.Path)
		}
	}
	slices.SortStableFunc(f.programs, func(a, b string) int { return cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")) })
	return err
}

// root are the projects whose manifest stands at the root.
func (f *facts) root() []*project {
	var out []*project
	for _, p := range f.projects {
		if p.dir == "" {
			out = append(out, p)
		}
	}
	return out
}

// main is the project that speaks for the repository: at the root, of the
// ecosystem with the most source; else the shallowest. Nil without one.
func (f *facts) main() *project {
	var best *project
	var most int64 = -1
	for _, p := range f.root() {
		n := f.weight(p.ecosystem)
		if p.tool {
			n = 0
		}
		if n > most {
			best, most = p, n
		}
	}
	if best == nil && len(f.projects) > 0 {
		best = f.projects[0]
	}
	return best
}

// weight is how many bytes of source the snapshot has for an ecosystem.
func (f *facts) weight(ecosystem string) int64 {
	var n int64
	for _, l := range f.langs {
		if slices.Contains(l.Lang.Ecosystems, ecosystem) {
			n += l.Bytes
		}
	}
	return n
}

// manifest is what the facts say, in the form of a pack's manifest.
func (f *facts) manifest() Manifest {
	m := Manifest{
		ProjectName:  f.src.Name,
		ProjectType:  "unknown",
		Dependencies: []Dependency{},
		EntryPoints:  []string{},
		Ecosystems:   []string{},
		Manifests:    []string{},
		Workspaces:   []string{},
	}
	main := f.main()
	if main != nil {
		m.ProjectType = main.ecosystem
		m.BuildSystem, m.TestFramework = main.build, main.test
	}
	// A name, a description may stand in another manifest at the root than the main one.
	for _, p := range slices.Concat([]*project{main}, f.root()) {
		if p != nil && p.name != "" && p.dir == "" {
			m.ProjectName = p.name
			break
		}
	}
	m.ProjectName = short(m.ProjectName)
	if q := f.purpose(); q.Text != "" {
		m.PurposeGuess = claim.New([]claim.Citation{claim.Cite(q.Path, q.Line)}, "%s", q.Text).String()
	}
	m.StructureSummary = claim.Sentences(f.structure())
	m.Ecosystems = f.ecosystems()
	names := f.ownNames()
	seen := map[string]bool{}
	for _, p := range f.projects {
		m.Manifests = append(m.Manifests, claim.Shown(p.path))
		if m.BuildSystem == "" && p.dir == "" {
			m.BuildSystem = p.build
		}
		if m.TestFramework == "" && p.dir == "" && p.ecosystem == main.ecosystem {
			m.TestFramework = p.test
		}
		for _, d := range p.deps {
			// Manifests stand shallowest first: the first to name a dependency counts.
			key := d.kind + " " + d.name
			if seen[key] || names[d.name] || len(m.Dependencies) == maxDependencies {
				continue
			}
			seen[key] = true
			m.Dependencies = append(m.Dependencies, Dependency{d.name, d.version, d.kind, claim.At(p.path, d.line)})
		}
	}
	if m.TestFramework == "" {
		for _, p := range f.projects {
			if p.test != "" && p.ecosystem == main.ecosystem {
				m.TestFramework = p.test
				break
			}
		}
	}
	slices.SortStableFunc(m.Dependencies, func(a, b Dependency) int {
		return cmp.Compare(slices.Index(dependencyKinds, a.Type), slices.Index(dependencyKinds, b.Type))
	})
	for _, p := range f.entryPoints() {
		m.EntryPoints = append(m.EntryPoints, claim.Shown(p))
	}
	for _, w := range f.workspaces() {
		m.Workspaces = append(m.Workspaces, claim.Shown(w))
	}
	return m
}

var dependencyKinds = []string{"runtime", "peer", "dev"}

// ownNames are the names of the repository's own parts.
func (f *facts) ownNames() map[string]bool {
	names := map[string]bool{}
	for _, p := range f.projects {
		names[p.name] = true
	}
	return names
}

// purpose is the first description that the project gives of itself.
func (f *facts) purpose() claim.Quote {
	if p := f.main(); p != nil && p.dir == "" && p.description.Text != "" {
		return p.description
	}
	for _, p := range f.root() {
		if p.description.Text != "" {
			return p.description
		}
	}
	if f.readme.Text != "" {
		return f.readme
	}
	if p := f.flagship(); p != nil {
		return p.description
	}
	return claim.Quote{}
}

// ecosystems are the types of all projects, the main one's first.
func (f *facts) ecosystems() []string {
	out := []string{}
	if p := f.main(); p != nil {
		out = append(out, p.ecosystem)
	}
	for _, p := range f.projects {
		if !slices.Contains(out, p.ecosystem) {
			out = append(out, p.ecosystem)
		}
	}
	return out
}

// workspaces are the folders of projects that a manifest above declares.
func (f *facts) workspaces() []string {
	var out []string
	for _, p := range f.projects {
		for _, member := range f.membersOf(p) {
			out = append(out, member.dir)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// membersOf are the projects that p's workspace declares.
func (f *facts) membersOf(p *project) []*project {
	var out []*project
	if len(p.members) == 0 {
		return nil
	}
	for _, q := range f.projects {
		if q == p || q.tool || q.dir == p.dir || !under(q.dir, p.dir) {
			continue
		}
		rel := strings.TrimPrefix(strings.TrimPrefix(q.dir, p.dir), "/")
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

// under reports whether dir is top or below it; "" is the root.
func under(dir, top string) bool {
	return top == "" || dir == top || strings.HasPrefix(dir, top+"/")
}

// matchMember matches a folder with a workspace's glob.
func matchMember(glob, dir string) bool { return scan.MatchPlain(path.Clean(glob), dir) }

// entryPoints are the files that manifests declare, Go's main functions, and the
// files that are called so.
func (f *facts) entryPoints() []string {
	var out []string
	for _, p := range f.projects {
		for _, e := range p.entries {
			if name := f.sourceOf(e.path); name != "" {
				out = append(out, name)
			}
		}
	}
	out = append(append(out, f.programs...), f.packageFiles()...)
	for i := range f.src.Snapshot.Files {
		file := &f.src.Snapshot.Files[i]
		if file.Extractable() && file.Category == scan.CategoryEntrypoint && !source.Aside(file.Path) && !beside(file.Path) {
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

const maxEntryPoints = 50

// structure counts the files of the top folders.
func (f *facts) structure() []claim.Claim {
	type folder struct {
		name  string
		files int
		first string
		lines int
	}
	var folders []*folder
	by := map[string]*folder{}
	for i := range f.src.Snapshot.Files {
		file := &f.src.Snapshot.Files[i]
		top, _, ok := strings.Cut(file.Path, "/")
		if !ok {
			top = ""
		}
		d := by[top]
		if d == nil {
			d = &folder{name: top, first: file.Path}
			by[top] = d
			folders = append(folders, d)
		}
		d.files++
		d.lines += file.Lines
	}
	if len(folders) == 0 {
		return nil
	}
	slices.SortStableFunc(folders, func(a, b *folder) int { return cmp.Compare(b.files, a.files) })
	rest := 0
	if len(folders) > 8 {
		rest = len(folders) - 8
		folders = folders[:8]
	}
	var out []claim.Claim
	for _, d := range folders {
		where := claim.Quoted(claim.Shown(d.name) + "/")
		if d.name == "" {
			where = "The root itself"
		}
		out = append(out, claim.New([]claim.Citation{claim.Cite(d.first, 0)}, "%s holds %s of %s", where, claim.Count(d.files, "file"), claim.Count(d.lines, "line")))
	}
	if rest > 0 {
		out = append(out, claim.New([]claim.Citation{claim.Cite(f.src.Snapshot.Files[0].Path, 0)}, "%s not named here", claim.Count(rest, "smaller folder")))
	}
	return out
}

// firstParagraph finds the first paragraph of prose in a README: no heading, no
// badge, no HTML, no list, no code.
func firstParagraph(s string) (string, int) {
	var para []string
	start, fence := 0, ""
	comment, html := false, false
	size, n := 0, 0
	for line := range strings.Lines(s) {
		n++
		t := strings.TrimSpace(line[:min(len(line), source.MaxLineRead)])
		// An HTML block goes on to the next empty line, as an alert does: > [!NOTE].
		html = t != "" && (html || strings.HasPrefix(t, "> [!") || t[0] == '<' && !strings.HasPrefix(t, "<!--") && !strings.HasPrefix(t, "<http"))
		switch {
		case html && len(para) == 0:
			continue
		case comment:
			comment = !strings.Contains(t, "-->")
			continue
		case fence != "":
			if strings.HasPrefix(t, fence) {
				fence = ""
			}
			continue
		case strings.HasPrefix(t, "```"), strings.HasPrefix(t, "~~~"):
			fence = t[:3]
			t = ""
		case strings.HasPrefix(t, "<!--"):
			comment = !strings.Contains(t, "-->")
			t = ""
		case len(para) == 1 && source.Underline(t): // the line above is a heading
			para = nil
			continue
		}
		if q, ok := strings.CutPrefix(t, "> "); ok { // the project's motto
			t = strings.TrimSpace(q)
		}
		if !prose(t, len(para) > 0) {
			if len(para) > 0 {
				break
			}
			continue
		}
		if len(para) == 0 {
			start = n
		}
		para = append(para, t)
		if size += len(t); len(para) > 20 || size > 4*source.MaxLineRead {
			break
		}
	}
	text := plain(strings.Join(para, " "))
	if thanks.MatchString(text) {
		// Sponsors come first in many a README; what follows them is meant.
		rest := strings.SplitAfterN(s, "\n", start+len(para))
		if len(rest) == start+len(para) && start < 200 {
			text, line := firstParagraph(rest[len(rest)-1])
			if line > 0 {
				line += start + len(para) - 1
			}
			return text, line
		}
	}
	return text, start
}

var thanks = lazyregexp.New(`(?i)\bsponsor|special thanks|supported by|looking for (?:a )?maintainer|made possible|become a backer|^\s*note:|^\s*warning:|crowdin|patreon|opencollective`)

// prose reports whether a trimmed line of a README may stand in its first
// paragraph; inside, when a line of it stands above.
func prose(t string, inside bool) bool {
	if t == "" || source.Underline(t) {
		return false
	}
	switch t[0] {
	case '#', '<', '|', '=':
		return false
	case '-', '*', '+', '>':
		if len(t) > 1 && t[1] == ' ' || strings.Trim(t, "-*+ ") == "" {
			return false
		}
	case '.':
		if strings.HasPrefix(t, ".. ") {
			return false
		}
	case ':':
		return inside
	}
	letters := 0
	for _, r := range plain(t) {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return inside || letters >= 15
}

// plain removes the markup of Markdown links, images and emphasis.
func plain(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '!' && i+1 < len(s) && s[i+1] == '[', c == '[':
			image := c == '!'
			open := i
			if image {
				open++
			}
			end := closing(s, open, '[', ']')
			if end < 0 {
				b.WriteByte(c)
				i++
				continue
			}
			label := s[open+1 : end]
			next := end + 1
			link := false
			if next < len(s) && s[next] == '(' {
				if e := closing(s, next, '(', ')'); e > 0 {
					next, link = e+1, true
				}
			} else if next < len(s) && s[next] == '[' {
				if e := closing(s, next, '[', ']'); e > 0 {
					next, link = e+1, true
				}
			}
			switch {
			case image:
			case link || !strings.Contains(label, "["):
				b.WriteString(plain(label))
			}
			i = next
		case c == '*' || c == '`':
			i++
		case c == '<':
			// An HTML tag; "a < b" is none.
			end := strings.IndexByte(s[i:min(len(s), i+300)], '>')
			if end > 1 && s[i+1] != ' ' {
				i += end + 1
				continue
			}
			b.WriteByte(c)
			i++
		default:
			b.WriteByte(c)
			i++
		}
	}
	return strings.TrimSpace(b.String())
}

// closing finds the bracket that closes s[i], or -1. It looks at 2000 bytes and
// 3 levels at most: plain calls itself on what is inside.
func closing(s string, i int, open, shut byte) int {
	depth := 0
	for j := i; j < len(s) && j-i < 2000; j++ {
		switch s[j] {
		case open:
			if depth++; depth > 3 {
				return -1
			}
		case shut:
			if depth--; depth == 0 {
				return j
			}
		}
	}
	return -1
}
