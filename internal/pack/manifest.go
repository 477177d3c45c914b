package pack

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/project"
	"github.com/haversack-dev/haversack/internal/scan"
)

// manifestOf is what the facts say, in the form of a pack's manifest.
func manifestOf(f *project.Facts) Manifest {
	m := Manifest{
		ProjectName:  f.RepoName,
		ProjectType:  "unknown",
		Dependencies: []Dependency{},
		EntryPoints:  []string{},
		Ecosystems:   []string{},
		Manifests:    []string{},
		Workspaces:   []string{},
	}
	main := f.Main()
	if main != nil {
		m.ProjectType = main.Ecosystem
		m.BuildSystem, m.TestFramework = main.Build, main.Test
	}
	// A name, a description may stand in another manifest at the root than the main one.
	for _, p := range slices.Concat([]*project.Project{main}, f.Root()) {
		if p != nil && p.Name != "" && p.Dir == "" {
			m.ProjectName = p.Name
			break
		}
	}
	if part := f.Flagship(); m.ProjectName == "" && part != nil {
		m.ProjectName = part.Name
	}
	m.ProjectName = short(m.ProjectName)
	if q := f.Purpose(); q.Text != "" {
		m.PurposeGuess = claim.New([]claim.Citation{claim.Cite(q.Path, q.Line)}, "%s", q.Text).String()
	}
	m.StructureSummary = claim.Sentences(folderClaims(f.Snapshot))
	m.Ecosystems = f.Ecosystems()
	names := f.OwnNames()
	seen := map[string]bool{}
	for _, p := range f.Projects {
		m.Manifests = append(m.Manifests, claim.Shown(p.Path))
		if m.BuildSystem == "" && p.Dir == "" {
			m.BuildSystem = p.Build
		}
		if m.TestFramework == "" && p.Dir == "" && p.Ecosystem == main.Ecosystem {
			m.TestFramework = p.Test
		}
		for _, d := range p.Dependencies {
			if d.Kind == project.Shared {
				continue // the members that need it say so
			}
			if d.Kind == project.Optional { // who uses the project brings it
				d.Kind = "peer"
			}
			// Manifests stand shallowest first: the first to name a dependency counts.
			key := d.Kind + " " + d.Name
			if seen[key] || names[d.Name] || len(m.Dependencies) == project.MaxDependencies {
				continue
			}
			seen[key] = true
			m.Dependencies = append(m.Dependencies, Dependency{d.Name, d.Version, d.Kind, claim.At(p.Path, d.Line)})
		}
	}
	if m.TestFramework == "" {
		for _, p := range f.Projects {
			if p.Test != "" && p.Ecosystem == main.Ecosystem {
				m.TestFramework = p.Test
				break
			}
		}
	}
	slices.SortStableFunc(m.Dependencies, func(a, b Dependency) int {
		return cmp.Compare(slices.Index(dependencyKinds, a.Type), slices.Index(dependencyKinds, b.Type))
	})
	for _, p := range f.EntryPoints() {
		m.EntryPoints = append(m.EntryPoints, claim.Shown(p))
	}
	for _, w := range f.Workspaces() {
		m.Workspaces = append(m.Workspaces, claim.Shown(w))
	}
	return m
}

var dependencyKinds = []string{"runtime", "peer", "dev"}

// besides are the reasons for which files of the repository's own are left out by what they hold.
var besides = []scan.Reason{scan.Credentials, scan.Binary, scan.SizeLimit, scan.LowValue}

// folderClaims counts the files of the top folders, and those of them that are left out although nothing says that they are none of
// the repository's.
func folderClaims(snapshot *scan.Snapshot) []claim.Claim {
	type folder struct {
		name  string
		files int
		first string
		lines int
		out   int
	}
	var folders []*folder
	by := map[string]*folder{}
	for i := range snapshot.Files {
		file := &snapshot.Files[i]
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
	for _, o := range snapshot.Omitted {
		top, _, ok := strings.Cut(o.Path, "/")
		if !ok {
			top = ""
		}
		if d := by[top]; d != nil && slices.Contains(besides, o.Reason) && !strings.HasSuffix(o.Path, "/") {
			d.out++
		}
	}
	slices.SortStableFunc(folders, func(a, b *folder) int { return cmp.Compare(b.files, a.files) })
	rest := 0
	if len(folders) > 8 {
		for _, d := range folders[8:] {
			if d.name != "" { // the root itself is no folder of it
				rest++
			}
		}
		last := folders[8:]
		folders = folders[:8]
		if i := slices.IndexFunc(last, func(d *folder) bool { return d.name == "" }); i >= 0 {
			folders = append(folders[:8:8], last[i])
		}
	}
	var out []claim.Claim
	for _, d := range folders {
		where := claim.Quoted(claim.Shown(d.name) + "/")
		if d.name == "" {
			where = "The root itself"
		}
		more := claim.Own("")
		if d.out > 0 {
			more = claim.Own(", besides " + strconv.Itoa(d.out) + " left out")
		}
		out = append(out, claim.New([]claim.Citation{claim.Cite(d.first, 0)}, "%s holds %s of %s%s", where, claim.Count(d.files, "file"), claim.Count(d.lines, "line"), more))
	}
	if rest > 0 {
		out = append(out, claim.New([]claim.Citation{claim.Cite(snapshot.Files[0].Path, 0)}, "%s not named here", claim.Count(rest, "more folder")))
	}
	return out
}
