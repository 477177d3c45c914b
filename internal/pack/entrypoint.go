package pack

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/project"
	"github.com/haversack-dev/haversack/internal/source"
)

// maxEntrypoints bounds the entry points of a summary.
// Bounds of what is told of the ways in: how many there are, and the routes or commands of one.
const (
	maxEntrypoints = 60
	maxRoutes      = 40
)

// entrypoints tells the ways into the project: what manifests declare, what is
// called so, what registers routes, what runs in containers and workflows. The
// first to tell of a file says what type it is, unless it is a command or has routes.
func (v *view) entrypoints() []Entrypoint {
	w := &ways{view: v, by: map[string]*way{}}
	w.addDeclared()
	w.addNamed()
	w.addRoutes()
	w.addScripts()
	w.addSteps()
	slices.SortFunc(w.list, func(a, b *way) int {
		return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(strings.Count(a.source, "/"), strings.Count(b.source, "/")), cmp.Compare(a.source, b.source))
	})
	out := []Entrypoint{}
	for _, p := range w.list[:min(len(w.list), maxEntrypoints)] {
		p.Description = claim.Sentences(p.claims)
		if p.RoutesOrCommands != nil {
			p.RoutesOrCommands = source.Unique(p.RoutesOrCommands)
		}
		out = append(out, p.Entrypoint)
	}
	return out
}

// way is an entry point while it is being told of.
type way struct {
	Entrypoint
	// order is where it stands: the lower, the more a reader needs it.
	order int
	// claims become its description.
	claims []claim.Claim
	// source is its path as it is, not as it is shown.
	source string
}

// ways are the entry points found so far, one for each file.
type ways struct {
	*view
	list []*way
	by   map[string]*way
}

// add returns the entry point at path. Kind and order count only where it is new.
func (w *ways) add(path, kind string, order int) *way {
	p := w.by[path]
	if p == nil {
		p = &way{Entrypoint: Entrypoint{Path: claim.Shown(path), Type: kind}, order: order, source: path}
		w.by[path] = p
		w.list = append(w.list, p)
	}
	return p
}

func (p *way) describe(c claim.Claim) { p.claims = append(p.claims, c) }

func (p *way) claim(places []claim.Citation, format string, args ...any) {
	p.claims = append(p.claims, claim.New(places, format, args...))
}

func (p *way) command(path string, line int, format string, args ...any) {
	p.RoutesOrCommands = append(p.RoutesOrCommands, claim.New([]claim.Citation{claim.Cite(path, line)}, format, args...).String())
}

// addDeclared adds what manifests declare.
func (w *ways) addDeclared() {
	declared := map[string]bool{} // the same command in two manifests, or twice in one
	for _, pr := range w.Projects {
		for _, e := range pr.Entries {
			file := w.SourceOf(e.Path)
			if file == "" {
				continue
			}
			p := w.add(file, e.Kind, 0)
			if declared[file+"\x00"+e.Name] {
				continue
			}
			declared[file+"\x00"+e.Name] = true
			switch {
			case pr.Ecosystem == "go":
				p.claim([]claim.Citation{claim.Cite(file, 0)}, "The program %s of module %s", claim.OneLine(e.Name, 100), pr.Name)
			case e.Name != "" && e.Kind == "cli":
				p.Type = e.Kind
				p.claim([]claim.Citation{claim.Cite(pr.Path, e.Line), claim.Cite(file, 0)}, "The command %s", e.Name)
			default:
				p.claim([]claim.Citation{claim.Cite(pr.Path, e.Line), claim.Cite(file, 0)}, "The entry of the %s %s", claim.Own(e.Kind), pr.Name)
			}
		}
	}
}

// addNamed adds programs, and files that are called like entry points.
func (w *ways) addNamed() {
	for _, name := range source.Unique(slices.Concat(w.Programs, w.EntryPoints())) {
		if len(w.list) == 2*maxEntrypoints {
			break
		}
		o := w.outlines[name]
		order := 1
		if o.Program || w.begins(name) {
			order = 0
		}
		p := w.add(name, kindByName(name, o.Program || w.begins(name)), order)
		begins, declared := w.Begins[name], len(p.claims) > 0
		switch at := []claim.Citation{claim.Cite(name, begins.Line)}; {
		case o.Program && !declared:
			program := claim.Own("A program")
			if dir := source.DirOf(name); dir != "" {
				program = "The program " + claim.Quoted(claim.OneLine(path.Base(dir), 100))
			}
			p.claim([]claim.Citation{claim.Cite(name, o.MainLine)}, "%s: its main function", program)
		case begins.Script && !declared:
			p.claim(at, "A script that %s runs", cmp.Or(begins.By, "an interpreter"))
		case begins.Line > 0 && !begins.Script && !o.Program:
			p.claim(at, "A program begins with %s", claim.Own(begins.By))
		}
		p.claims = append(p.claims, o.Says()...)
		if hands, ok := w.handsOn(name, o); ok && len(p.claims) < 2 {
			p.claims = append(p.claims, hands)
		}
		if used, ok := w.used(name); ok {
			p.claims = append(p.claims, used)
		}
		if len(p.claims) == 0 {
			lines := w.Files[name].Lines
			p.claim([]claim.Citation{claim.Span(name, 1, lines)}, "%s of %s, an entry point by its name", claim.Own(source.KindOf(name)), claim.Count(lines, "line"))
		}
		for _, f := range o.Commands[:min(len(o.Commands), maxRoutes)] {
			p.command(name, f.Line, "%s", f.Name)
		}
	}
}

// begins reports whether a program begins in a file that no interpreter runs.
func (w *ways) begins(name string) bool { b := w.Begins[name]; return b.Line > 0 && !b.Script }

// kindByName tells the type of an entry point that no manifest declares.
// Program says that it has a main function.
func kindByName(name string, program bool) string {
	stem := strings.ToLower(strings.TrimSuffix(path.Base(name), path.Ext(name)))
	lang := ""
	if l := source.LanguageOf(name); l != nil {
		lang = l.Name
	}
	switch {
	case lang == "HTML", lang == "Vue", lang == "PHP" && stem == "index":
		return "web"
	case program, stem == "cli", stem == "__main__", stem == "main" && (lang == "Rust" || lang == "C" || lang == "C++"):
		return "cli"
	case stem == "index", stem == "__init__", stem == "lib", lang == "Go":
		return "library"
	case stem == "server", stem == "app", stem == "wsgi", stem == "asgi":
		return "web"
	}
	return "script"
}

// maxNamed bounds the names of one sentence.
const maxNamed = 12

// scriptsClaim names the scripts of a manifest.
func scriptsClaim(p *project.Project) claim.Claim {
	names := make([]string, len(p.Scripts))
	for i, s := range p.Scripts {
		names[i] = s.Name
	}
	return namesClaim(claim.Span(p.Path, p.Scripts[0].Line, p.Scripts[len(p.Scripts)-1].Line), "It declares", "script", names)
}

// routesClaim names the routes of a file.
func routesClaim(r *source.Report, does claim.Own) claim.Claim {
	names := make([]string, len(r.Routes))
	for i, rt := range r.Routes {
		names[i] = strings.TrimSpace(rt.Method + " " + rt.Path)
	}
	return namesClaim(claim.Span(r.File.Path, r.Routes[0].Line, r.Routes[len(r.Routes)-1].Line), does, "route", names)
}

// namesClaim says what of a kind is there, and of more than maxNamed how many there are.
func namesClaim(at claim.Citation, does claim.Own, kind claim.Own, names []string) claim.Claim {
	cites := []claim.Citation{at}
	switch n := len(names); {
	case n == 1:
		return claim.New(cites, "%s the %s %s", does, kind, names)
	case n <= maxNamed:
		return claim.New(cites, "%s the %ss %s", does, kind, names)
	}
	return claim.New(cites, "%s %s, the first of them %s", does, claim.Count(len(names), string(kind)), names[:maxNamed])
}

// addRoutes adds the files that register routes.
func (w *ways) addRoutes() {
	for _, r := range w.reports {
		if len(r.Routes) == 0 {
			continue
		}
		name := r.File.Path
		p := w.add(name, "api", 0)
		if p.Type != "cli" {
			p.Type = "api"
		}
		p.describe(routesClaim(r, "It registers"))
		for _, rt := range r.Routes[:min(len(r.Routes), maxRoutes)] {
			p.command(name, rt.Line, "%s", rt.Method+" "+rt.Path)
		}
	}
}

// addScripts adds the manifests that declare scripts.
func (w *ways) addScripts() {
	for _, pr := range w.Projects {
		if len(pr.Scripts) == 0 {
			continue
		}
		p := w.add(pr.Path, "script", 2+strings.Count(pr.Path, "/"))
		p.describe(scriptsClaim(pr))
		for _, s := range limitScripts(pr.Scripts) {
			p.command(pr.Path, s.Line, "%s: %s", s.Name, s.Command)
		}
	}
}

// addSteps adds the files of containers, workflows and the like that run others.
func (w *ways) addSteps() {
	for _, name := range slices.Sorted(maps.Keys(w.steps)) {
		steps := w.steps[name]
		if len(steps) == 0 {
			continue
		}
		p := w.add(name, "script", 2+strings.Count(name, "/"))
		p.claims = append(p.claims, stepsClaim(name, steps))
		for _, s := range limitScripts(steps) {
			t := s.Name
			if s.Command != "" {
				t += ": " + s.Command
			}
			p.command(name, s.Line, "%s", t)
		}
	}
}

// stepsClaim tells what a file that runs others runs.
func stepsClaim(name string, steps []project.Script) claim.Claim {
	places := []claim.Citation{claim.Span(name, steps[0].Line, steps[len(steps)-1].Line)}
	var jobs, targets []string
	on, title, image, runs := "", "", "", ""
	for _, s := range steps {
		word, rest, _ := strings.Cut(s.Name, " ")
		switch word {
		case "on":
			on = s.Command
		case "name":
			title = s.Command
		case "job":
			jobs = append(jobs, rest)
		case "make":
			targets = append(targets, rest)
		case "FROM":
			image, _, _ = strings.Cut(s.Command, " ")
		case "ENTRYPOINT", "CMD":
			if runs == "" || word == "ENTRYPOINT" {
				runs = s.Command
			}
		}
	}
	some := func(list []string) claim.Own {
		if len(list) > 6 {
			return claim.QuotedList(list[:6]) + claim.Own(fmt.Sprintf(" and %d more", len(list)-6))
		}
		return claim.QuotedList(list)
	}
	switch {
	case len(jobs) > 0 && on != "":
		if title == "" {
			return claim.New(places, "Workflow, run on %s: %s", on, some(jobs))
		}
		return claim.New(places, "Workflow %s, run on %s: %s", title, on, some(jobs))
	case len(targets) > 0:
		return claim.New(places, "Makefile with the targets %s", some(source.Unique(targets)))
	case image != "" && runs != "":
		return claim.New(places, "Container image built on %s, which runs %s", image, runs)
	case image != "":
		return claim.New(places, "Container image built on %s", image)
	}
	return claim.New(places, "%s with %s", claim.Own(stepsKind(name)), claim.Count(len(steps), "entry"))
}

// stepsKind says in words what a file is that runs others.
func stepsKind(name string) string {
	switch {
	case strings.HasPrefix(name, ".github/"):
		return "Workflow"
	case strings.EqualFold(path.Ext(name), ""), strings.Contains(strings.ToLower(path.Base(name)), "docker"):
		if strings.Contains(strings.ToLower(path.Base(name)), "make") {
			return "Makefile"
		}
		return "Container image"
	}
	return "File"
}

func limitScripts(s []project.Script) []project.Script { return s[:min(len(s), maxRoutes)] }
