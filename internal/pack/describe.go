package pack

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/project"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/source"
	"github.com/haversack-dev/haversack/internal/text"
)

// Bounds of the lists that a summary's description has.
const (
	maxTechnologies = 30
	maxPatterns     = 20
	maxConcerns     = 20
)

// describe makes the part of a summary that speaks of the whole repository.
// It also returns the sentences of the description, by paragraph.
func (v *view) describe() (RepoSummary, [][]string) {
	var text []string
	var paragraphs [][]string
	for _, p := range [][]claim.Claim{v.whatItIs(), v.whatItIsMadeOf(), v.howItIsBuilt()} {
		if len(p) > 0 {
			text = append(text, claim.Sentences(p))
			var said []string
			for _, c := range p {
				said = append(said, c.String()+".")
			}
			paragraphs = append(paragraphs, said)
		}
	}
	return RepoSummary{
		Description:         strings.Join(text, "\n\n"),
		ArchitecturePattern: v.architecture(),
		KeyTechnologies:     claim.Texts(first(v.technologies(), maxTechnologies)),
		NotablePatterns:     claim.Texts(first(v.patterns(), maxPatterns)),
		PotentialConcerns:   claim.Texts(first(v.concerns(), maxConcerns)),
	}, paragraphs
}

// unclassified is the pattern of a repository that shows none.
const unclassified = "unclassified"

func first(c []claim.Claim, n int) []claim.Claim { return c[:min(len(c), n)] }

func (v *view) whatItIs() []claim.Claim {
	var out []claim.Claim
	for _, p := range slices.Concat([]*project.Project{v.Main()}, v.Root()) {
		if p != nil && p.Dir == "" && p.Name != "" {
			said := claim.Own("The " + p.Ecosystem + " project at the root is called")
			if p.Ecosystem != v.Main().Ecosystem { // a package.json for the tools of what is written in something else
				said = claim.Own("Its manifest for " + p.Ecosystem + " calls it")
			}
			out = append(out, claim.New([]claim.Citation{claim.Cite(p.Path, p.NameLine)}, "%s %s", said, p.Name))
			break
		}
	}
	main := v.Purpose()
	if main.Text != "" && main.Path != v.Readme.Path {
		out = append(out, claim.New([]claim.Citation{claim.Cite(main.Path, main.Line)}, "It describes itself as %s", main.Text))
	}
	if v.Readme.Text != "" {
		out = append(out, claim.New([]claim.Citation{claim.Cite(v.Readme.Path, v.Readme.Line)}, "Its README says: %s", v.Readme.Text))
	}
	return out
}

func (v *view) whatItIsMadeOf() []claim.Claim {
	var out []claim.Claim
	var total int64
	for _, l := range v.Languages {
		total += l.Bytes
	}
	for i, l := range v.Languages {
		if i == 4 || l.Bytes*20 < total {
			break
		}
		format := "%s makes %d%% of the source: %s of %s"
		if i > 0 {
			format = "%s makes %d%%: %s of %s"
		}
		out = append(out, claim.New([]claim.Citation{claim.Cite(l.First, 0)}, format, claim.Own(l.Lang.Name), l.Bytes*100/max(total, 1), claim.Count(l.Files, "file"), claim.Count(l.Lines, "line")))
	}
	return append(out, folderClaims(v.src.Snapshot)...)
}

func (v *view) howItIsBuilt() []claim.Claim {
	var out []claim.Claim
	if p := v.Main(); p != nil && p.Build != "" {
		out = append(out, claim.New([]claim.Citation{claim.Cite(p.Path, p.BuildLine)}, "It is built with %s", name(p.Build)))
		for _, c := range v.manifestClaims(p) {
			if strings.Contains(c.Text, "dependenc") {
				c.Text = strings.Replace(c.Text, "It names", "Its manifest names", 1)
				out = append(out, c)
			}
		}
	}
	for _, p := range v.Projects {
		if p.Test != "" && p.Ecosystem == v.Main().Ecosystem {
			out = append(out, claim.New([]claim.Citation{claim.Cite(p.Path, p.TestLine)}, "Tests run with %s", name(p.Test)))
			break
		}
	}
	n, lines, one := 0, 0, ""
	for i := range v.src.Snapshot.Files {
		f := &v.src.Snapshot.Files[i]
		if isTestSource(f) {
			if n == 0 {
				one = f.Path
			}
			n++
			lines += f.Lines
		}
	}
	if n > 0 {
		out = append(out, claim.New([]claim.Citation{claim.Cite(one, 0)}, "Tests are %s of %s", claim.Count(n, "source file"), claim.Count(lines, "line")))
	}
	var flows []claim.Citation
	for _, name := range slices.Sorted(maps.Keys(v.steps)) {
		if strings.HasPrefix(name, ".github/workflows/") {
			flows = append(flows, claim.Cite(name, 0))
		}
	}
	if len(flows) > 0 {
		out = append(out, claim.New(flows, "%s on GitHub", claim.Count(len(flows), "workflow")))
	}
	return out
}

// isTestSource reports whether a file is source of tests, of the program itself, and not what tests read.
func isTestSource(f *scan.File) bool {
	if f.Category != scan.CategoryTest || language.IsAside(f.Path) || source.LanguageOf(f.Path) == nil || !f.Extractable() {
		return false
	}
	for dir := range strings.SplitSeq(source.DirOf(f.Path), "/") {
		switch dir {
		case "testdata", "fixtures", "__fixtures__", "fixture", "__snapshots__":
			return false
		}
	}
	return true
}

// architecture is the first pattern whose signals are there, and the signals.
func (v *view) architecture() string {
	var found []claim.Claim
	for _, p := range v.Projects {
		if m := v.MembersOf(p); len(m) > 1 {
			var cites []claim.Citation
			cites = append(cites, claim.Cite(p.Path, p.MembersLine))
			for _, q := range m {
				cites = append(cites, claim.Cite(q.Path, 0))
			}
			found = append(found, claim.New(cites, "monorepo: one workspace, %s beside examples and tests", claim.Count(len(m), "package")))
			break
		}
	}
	if images := v.services(); len(images) > 2 {
		found = append(found, claim.New(images, "services: %s, each beside a program or manifest of its own", claim.Count(len(images), "container image")))
	}
	folders := v.folders()
	for _, style := range styles {
		if cites := folders.find(style.levels, style.groups, style.apart); cites != nil {
			found = append(found, claim.Claim{Text: style.name, Cites: cites})
		}
	}
	// What is declared at the root, or by the part that stands for all.
	declared := v.Root()
	if p := v.Flagship(); p != nil {
		declared = append(declared, p)
	}
	for _, p := range declared {
		lib, cli := project.Way{}, project.Way{}
		for _, e := range p.Entries {
			if file := v.SourceOf(e.Path); file == "" || source.Aside(file) {
				continue
			}
			switch {
			case e.Kind == "library" && lib.Path == "":
				lib = e
			case e.Kind == "cli" && cli.Path == "" && p.Ecosystem != "go":
				cli = e
			}
		}
		exports := []claim.Citation{claim.Cite(p.Path, lib.Line), claim.Cite(v.SourceOf(lib.Path), 0)}
		if own := v.PackageFiles(); lib.Path == "" && len(own) > 0 && p.Ecosystem == v.Main().Ecosystem {
			lib.Path, exports = own[0], []claim.Citation{claim.Cite(p.Path, p.NameLine), claim.Cite(own[0], 0)}
		}
		if p.Private {
			lib = project.Way{}
		}
		command := []claim.Citation{claim.Cite(p.Path, cli.Line), claim.Cite(v.SourceOf(cli.Path), 0)}
		switch {
		case cli.Path != "" && lib.Path != "":
			found = append(found, claim.New(append(command, exports[1]), "command and library: %s declares the command %s, and is a package for others to import", p.Name, cli.Name))
		case cli.Path != "":
			found = append(found, claim.New(command, "command-line tool: %s declares the command %s", p.Name, cli.Name))
		case lib.Path != "":
			found = append(found, claim.New(exports, "library: %s is a package for others to import", p.Name))
		default:
			continue
		}
		break
	}
	if len(found) == 0 {
		return unclassified
	}
	return strings.Join(claim.Texts(first(found, 3)), "; ")
}

// styles by the folders that show them. All stand in the same folder, at most
// so many levels below the root, and each holds source.
var styles = []struct {
	levels int
	name   string
	groups [][]string
	// apart: each folder is a part of its own, with a manifest.
	apart bool
}{
	{2, "model-view-controller: folders of models, views and controllers", [][]string{{"models"}, {"views", "templates"}, {"controllers"}}, false},
	{2, "hexagonal: folders of a domain, of ports and of adapters", [][]string{{"domain"}, {"ports"}, {"adapters"}}, false},
	{2, "layered: folders of a domain, an application and an infrastructure", [][]string{{"domain"}, {"application", "usecase", "usecases"}, {"infrastructure", "infra"}}, false},
	{1, "client and server: a folder for each", [][]string{{"client", "frontend", "web", "ui"}, {"server", "backend"}}, true},
	{3, "front end of components: folders of components and of pages", [][]string{{"components"}, {"pages", "views", "routes"}}, false},
	{0, "commands over packages: programs under cmd, their packages under internal or pkg", [][]string{{"cmd"}, {"internal", "pkg"}}, false},
}

// folderSet has, for each folder in the first four levels, the first source
// file below it that is no test.
type folderSet struct {
	first map[string]string
	// manifests of folders.
	manifests map[string]string
	// parents of these folders, sorted.
	parents []string
}

func (v *view) folders() folderSet {
	s := folderSet{first: map[string]string{}, manifests: map[string]string{}}
	for _, p := range v.Projects {
		if !p.Tool {
			s.manifests[strings.ToLower(p.Dir)] = p.Path
		}
	}
	parents := map[string]bool{}
	for i := range v.src.Snapshot.Files {
		f := &v.src.Snapshot.Files[i]
		code := source.LanguageOf(f.Path) != nil
		if !code && !isTemplate(f.Path) || f.Category == scan.CategoryTest || source.Aside(f.Path) || project.Beside(f.Path) {
			continue
		}
		parts := strings.Split(strings.ToLower(source.DirOf(f.Path)), "/")
		parent := ""
		for _, d := range parts[:min(len(parts), 4)] {
			dir := path.Join(parent, d)
			if _, ok := s.first[dir]; !ok && (code || viewFolders[d]) {
				s.first[dir] = f.Path
				parents[parent] = true
			}
			parent = dir
		}
	}
	s.parents = slices.Sorted(maps.Keys(parents))
	return s
}

// viewFolders hold what a program fills with its values, be it written as a template.
var viewFolders = language.WordSet("views templates")

// isTemplate reports whether a path is that of such a text: index.html, show.html.haml.
func isTemplate(name string) bool {
	l := language.Of(name)
	return l != nil && l.Kind == language.Markup || strings.Contains(path.Base(name), ".html.")
}

// find returns a file of each group where all groups stand in one folder, else nil.
func (s folderSet) find(levels int, groups [][]string, apart bool) []claim.Citation {
	for _, parent := range s.parents {
		if parent != "" && strings.Count(parent, "/") >= levels {
			continue
		}
		var cites []claim.Citation
		for _, names := range groups {
			for _, n := range names {
				dir := path.Join(parent, n)
				f, ok := s.first[dir]
				if m := s.manifests[dir]; ok && apart {
					f, ok = m, m != ""
				}
				if ok {
					cites = append(cites, claim.Cite(f, 0))
					break
				}
			}
		}
		if len(cites) == len(groups) {
			return cites
		}
	}
	return nil
}

// services are the container images that stand beside a program or a manifest.
func (v *view) services() []claim.Citation {
	var out []claim.Citation
	for _, name := range slices.Sorted(maps.Keys(v.steps)) {
		dir := source.DirOf(name)
		if dir == "" || stepsKind(name) != "Container image" {
			continue
		}
		for _, p := range v.Projects {
			if p.Dir == dir && !p.Tool {
				out = append(out, claim.Cite(name, 0))
				break
			}
		}
	}
	return out
}

// frameworks that are worth a word, by the name of the dependency.
var frameworks = map[string]string{
	"react": "React", "vue": "Vue", "svelte": "Svelte", "@angular/core": "Angular", "solid-js": "Solid", "preact": "Preact", "next": "Next.js", "nuxt": "Nuxt",
	"astro": "Astro", "express": "Express", "fastify": "Fastify", "koa": "Koa", "hono": "Hono", "@nestjs/core": "NestJS", "electron": "Electron", "vite": "Vite",
	"webpack": "webpack", "rollup": "Rollup", "esbuild": "esbuild", "typescript": "TypeScript", "tailwindcss": "Tailwind CSS", "graphql": "GraphQL",
	"@apollo/server": "Apollo", "prisma": "Prisma", "typeorm": "TypeORM", "sequelize": "Sequelize", "mongoose": "Mongoose", "drizzle-orm": "Drizzle", "rxjs": "RxJS",
	"three": "three.js", "socket.io": "Socket.IO", "redux": "Redux", "zod": "Zod",
	"django": "Django", "flask": "Flask", "fastapi": "FastAPI", "starlette": "Starlette", "sqlalchemy": "SQLAlchemy", "pydantic": "Pydantic", "numpy": "NumPy",
	"pandas": "pandas", "torch": "PyTorch", "tensorflow": "TensorFlow", "scikit-learn": "scikit-learn", "celery": "Celery", "click": "Click", "typer": "Typer", "aiohttp": "aiohttp", "requests": "Requests", "httpx": "HTTPX",
	"github.com/gin-gonic/gin": "Gin", "github.com/labstack/echo/v4": "Echo", "github.com/gofiber/fiber/v2": "Fiber", "github.com/go-chi/chi/v5": "chi",
	"github.com/spf13/cobra": "Cobra", "google.golang.org/grpc": "gRPC", "k8s.io/client-go": "Kubernetes client", "gorm.io/gorm": "GORM", "github.com/jackc/pgx/v5": "pgx",
	"google.golang.org/protobuf": "Protocol Buffers", "go.etcd.io/etcd/client/v3": "etcd client", "github.com/prometheus/client_golang": "Prometheus client", "go.opentelemetry.io/otel": "OpenTelemetry",
	"tokio": "Tokio", "serde": "Serde", "actix-web": "Actix Web", "axum": "axum", "rocket": "Rocket", "clap": "clap", "diesel": "Diesel", "sqlx": "SQLx", "tauri": "Tauri", "bevy": "Bevy",
	"rails": "Ruby on Rails", "sinatra": "Sinatra", "laravel/framework": "Laravel", "symfony/framework-bundle": "Symfony", "flutter": "Flutter", "phoenix": "Phoenix",
}

// Prefixes of JVM and .NET packages.
var frameworkPrefixes = [][2]string{
	{"org.springframework.boot:", "Spring Boot"}, {"io.quarkus:", "Quarkus"}, {"io.micronaut:", "Micronaut"}, {"io.ktor:", "Ktor"}, {"org.hibernate", "Hibernate"},
	{"com.fasterxml.jackson", "Jackson"}, {"org.apache.kafka:", "Kafka client"}, {"androidx.compose", "Jetpack Compose"}, {"Microsoft.AspNetCore", "ASP.NET Core"},
	{"Microsoft.EntityFrameworkCore", "Entity Framework Core"},
}

// tools by the file that shows them.
var toolFiles = [][2]string{
	{"Dockerfile", "Docker"}, {"docker-compose.yml", "Docker Compose"}, {"compose.yaml", "Docker Compose"}, {"Makefile", "make"}, {"CMakeLists.txt", "CMake"}, {"MODULE.bazel", "Bazel"}, {"flake.nix", "Nix"},
	{".gitlab-ci.yml", "GitLab CI"}, {".travis.yml", "Travis CI"}, {"Jenkinsfile", "Jenkins"}, {".pre-commit-config.yaml", "pre-commit"}, {"turbo.json", "Turborepo"}, {"nx.json", "Nx"},
	{".golangci.yml", "golangci-lint"}, {".golangci.yaml", "golangci-lint"}, {"biome.json", "Biome"}, {"renovate.json", "Renovate"}, {".github/dependabot.yml", "Dependabot"}, {"action.yml", "GitHub action"},
}

func (v *view) technologies() []claim.Claim {
	var out []claim.Claim
	var total int64
	for _, l := range v.Languages {
		total += l.Bytes
	}
	for _, l := range v.Languages {
		if l.Bytes*100 >= total {
			out = append(out, claim.New([]claim.Citation{claim.Cite(l.First, 0)}, "%s, %s", claim.Own(l.Lang.Name), claim.Count(l.Files, "file")))
		}
	}
	seen, parts := map[string]bool{}, v.OwnNames()
	for _, l := range v.Languages {
		seen[l.Lang.Name] = true
	}
	for _, p := range v.Projects {
		for _, d := range p.Dependencies {
			label := frameworks[d.Name]
			if label == "" {
				for _, x := range frameworkPrefixes {
					if strings.HasPrefix(d.Name, x[0]) {
						label = x[1]
					}
				}
			}
			if label == "" || seen[label] || parts[d.Name] {
				continue
			}
			seen[label] = true
			said := claim.Own(label)
			if strings.ContainsAny(d.Version, "0123456789") {
				said += " " + version(d.Version) // else it says where the version stands
			}
			if d.Kind == "dev" {
				said += ", for development"
			}
			out = append(out, claim.New([]claim.Citation{claim.Cite(p.Path, d.Line)}, "%s", said))
		}
	}
	for _, t := range toolFiles {
		if v.Present(t[0]) && !seen[t[1]] {
			seen[t[1]] = true
			out = append(out, claim.New([]claim.Citation{claim.Cite(t[0], 0)}, "%s", claim.Own(t[1])))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v.steps)) {
		if strings.HasPrefix(name, ".github/workflows/") {
			out = append(out, claim.New([]claim.Citation{claim.Cite(name, 0)}, "GitHub Actions"))
			break
		}
	}
	return out
}

func (v *view) patterns() []claim.Claim {
	var out []claim.Claim
	for _, p := range v.Projects {
		if p.Dir == "" {
			out = append(out, p.Patterns...)
		}
	}
	out = append(out, v.testPlaces()...)
	migrations := 0
	var migrationsFirst string
	for i := range v.src.Snapshot.Files {
		f := &v.src.Snapshot.Files[i]
		if dir := source.DirOf(f.Path); (path.Base(dir) == "migrations" || strings.HasSuffix(dir, "db/migrate")) && (path.Ext(f.Path) == ".sql" || numbered(path.Base(f.Path)) && source.LanguageOf(f.Path) != nil) {
			if migrations++; migrations == 1 {
				migrationsFirst = f.Path
			}
		}
	}
	if migrations > 1 {
		out = append(out, claim.New([]claim.Citation{claim.Cite(migrationsFirst, 0)}, "Database migrations are kept in the repository: %s", claim.Count(migrations, "file")))
	}
	for _, told := range presences {
		if at := slices.IndexFunc(told.files, v.Present); at >= 0 {
			out = append(out, claim.New([]claim.Citation{claim.Cite(told.files[at], 0)}, told.says))
		}
	}
	routes := 0
	var routed []claim.Citation
	for _, r := range v.reports {
		if len(r.Routes) > 0 {
			routes += len(r.Routes)
			routed = append(routed, claim.Cite(r.File.Path, r.Routes[0].Line))
		}
	}
	if routes > 0 {
		out = append(out, claim.New(routed, "HTTP routes are registered in code: %s in %s", claim.Count(routes, "route"), claim.Count(len(routed), "file")))
	}
	return out
}

// presences are what the first of some files that is there says by being there.
var presences = []struct {
	says  string
	files []string
}{
	{"Versions of dependencies are locked", []string{"package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "go.sum", "Cargo.lock", "poetry.lock", "uv.lock", "Gemfile.lock", "composer.lock"}},
	{"Style is set down in files that tools read", []string{".eslintrc.json", ".eslintrc.cjs", ".eslintrc.js", "eslint.config.js", "eslint.config.mjs", "biome.json", ".prettierrc", ".golangci.yml", ".golangci.yaml", "ruff.toml", "rustfmt.toml", ".editorconfig", ".pre-commit-config.yaml"}},
	{"Contributing is described", []string{"CONTRIBUTING.md", ".github/CONTRIBUTING.md", "docs/CONTRIBUTING.md"}},
}

// testPlaces says whether tests stand beside the sources, or apart.
func (v *view) testPlaces() []claim.Claim {
	beside, apart := 0, 0
	var besideFirst, apartFirst string
	sources := map[string]bool{}
	for i := range v.src.Snapshot.Files {
		if f := &v.src.Snapshot.Files[i]; source.LanguageOf(f.Path) != nil && f.Category != scan.CategoryTest {
			sources[source.DirOf(f.Path)] = true
		}
	}
	for i := range v.src.Snapshot.Files {
		f := &v.src.Snapshot.Files[i]
		if isTestSource(f) {
			if sources[source.DirOf(f.Path)] {
				if beside++; beside == 1 {
					besideFirst = f.Path
				}
			} else if apart++; apart == 1 {
				apartFirst = f.Path
			}
		}
	}
	switch {
	case beside*5 > apart && apart*5 > beside:
		return []claim.Claim{claim.New([]claim.Citation{claim.Cite(besideFirst, 0), claim.Cite(apartFirst, 0)}, "Tests stand beside the sources (%s) and in folders of their own (%s)", claim.Count(beside, "file"), claim.Count(apart, "file"))}
	case beside > apart:
		return []claim.Claim{claim.New([]claim.Citation{claim.Cite(besideFirst, 0)}, "Tests stand beside the sources: %d of %d files", beside, beside+apart)}
	case apart > 0:
		return []claim.Claim{claim.New([]claim.Citation{claim.Cite(apartFirst, 0)}, "Tests stand in folders of their own: %d of %d files", apart, beside+apart)}
	}
	return nil
}

func (v *view) concerns() []claim.Claim {
	var out []claim.Claim
	for _, p := range v.Projects {
		out = append(out, p.Concerns...)
	}
	out = append(out, v.unpinned...)
	red, redFiles := 0, []claim.Citation{}
	for i := range v.src.Snapshot.Files {
		if f := &v.src.Snapshot.Files[i]; len(f.Redactions) > 0 {
			red += len(f.Redactions)
			redFiles = append(redFiles, claim.Cite(f.Path, f.Redactions[0].Line))
		}
	}
	if red > 0 {
		out = append(out, claim.New(redFiles, "Credentials stood in the content and were redacted: %d in %s", red, claim.Count(len(redFiles), "file")))
	}
	var kept []claim.Citation
	for i := range v.src.Snapshot.Omitted {
		if o := &v.src.Snapshot.Omitted[i]; o.Reason == scan.Credentials {
			kept = append(kept, claim.Cite(o.Path, 0))
		}
	}
	if len(kept) > 0 {
		out = append(out, claim.New(kept, "Files that look like credentials are left out: %d", len(kept)))
	}
	todos, todoFiles := 0, []*source.Report{}
	var long []*source.Report
	for _, r := range v.reports {
		if r.Todos.N > 0 {
			todos += r.Todos.N
			todoFiles = append(todoFiles, r)
		}
		if r.Lines >= source.ManyLines {
			long = append(long, r)
		}
	}
	if todos > 0 {
		slices.SortStableFunc(todoFiles, func(a, b *source.Report) int { return cmp.Compare(b.Todos.N, a.Todos.N) })
		var cites []claim.Citation
		for _, r := range todoFiles {
			cites = append(cites, claim.Cite(r.File.Path, r.Todos.Lines[0]))
		}
		out = append(out, claim.New(cites, "Marks of unfinished work (TODO, FIXME): %d in %s", todos, claim.Count(len(todoFiles), "file")))
	}
	if len(long) > 0 {
		slices.SortStableFunc(long, func(a, b *source.Report) int { return cmp.Compare(b.Lines, a.Lines) })
		var cites []claim.Citation
		for _, r := range long {
			cites = append(cites, claim.Span(r.File.Path, 1, r.Lines))
		}
		out = append(out, claim.New(cites, "%s of %d lines or more, the longest %d", claim.Count(len(long), "source file"), source.ManyLines, long[0].Lines))
	}
	legacy := []claim.Citation{}
	for i := range v.src.Snapshot.Files {
		if f := &v.src.Snapshot.Files[i]; f.Extractable() && f.Encoding != "utf-8" && f.Encoding != "utf-8-bom" {
			legacy = append(legacy, claim.Cite(f.Path, 0))
		}
	}
	if len(legacy) > 0 {
		out = append(out, claim.New(legacy, "%s not encoded in UTF-8", claim.Count(len(legacy), "text")))
	}
	for _, w := range v.Warnings {
		out = append(out, claim.New([]claim.Citation{claim.Cite(w.Path, w.Line)}, "A file could not be read as it should: %s", w.Message))
	}
	return out
}

// name is a name that is ours where it is one plain word: most are of a table of ours.
func name(s string) claim.Own { return claim.Own(text.Name(s)) }

// plainVersion needs no quotation marks: it is of one word.
var plainVersion = lazyregexp.New(`^[\w.^~<>=*+-]*\w[\w.^~<>=*+-]*$`)

// version is a version as a sentence holds it.
func version(s string) claim.Own {
	if plainVersion.MatchString(s) {
		return claim.Own(s)
	}
	return claim.Quoted(s)
}

// numbered reports whether a name begins with a number, as those of files do that are run one after the other:
// 0001_initial.py, 20260102030405_add_users.rb.
func numbered(name string) bool {
	return len(name) > 3 && strings.Trim(name[:3], "0123456789") == ""
}
