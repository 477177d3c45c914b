package scan

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"sort"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Rules decide by name. Precedence: reserved, credentials, Exclude, Include,
// ignore files, default rules.
type Rules struct {
	// Literal applies seed 003's table as written instead of the smart rules.
	Literal bool
	Include Patterns
	Exclude Patterns
	// Output is the folder of results where it is not in Stan; "" if it is.
	Output string
	// Stan is the engine's folder, ".stan" by default; "." if there is none.
	Stan string
	// Under limits the snapshot to one folder; "." is the root. Paths stay
	// relative to the root.
	Under string
	// Untracked also takes files that git does not track.
	Untracked bool
	// Context is set for archives of a context: the engine's own folder is then
	// not subject to Exclude (seed 002: exclude ".stan/**" must not take the
	// system documents away), but for patterns that name staged files.
	Context bool
	// EngineState is set when the engine itself writes dependency.state.json
	// into the archive, so that the file on disk must not be taken.
	EngineState bool
}

// Git is what the scan has to know of a repository. The zero value is a folder
// without one.
type Git struct {
	// Tracked holds the paths that git tracks, in any order, and whether each is
	// a submodule. Nil means that there is no repository.
	Tracked map[string]bool
	// Exclude is the content of info/exclude.
	Exclude []byte
	// Original returns the committed content of a file whose worktree form is
	// only a conversion of it (line ends, keywords, filters), and true. Nil if no
	// file is converted.
	Original func(name string, raw []byte) ([]byte, bool)
}

// excludes are the patterns that speak about a path.
func (r Rules) excludes(name string) Patterns {
	if !r.Context || r.Stan == "." || name != r.Stan && !strings.HasPrefix(name, r.Stan+"/") {
		return r.Exclude
	}
	var ps Patterns
	for _, p := range r.Exclude {
		if strings.HasPrefix(string(p), r.Stan+"/context/") {
			ps = append(ps, p)
		}
	}
	return ps
}

// stan reports whether a path lies where the engine's user keeps documents for
// the assistant. On a desk these are taken although git ignores them, as STAN
// does: people keep them out of git and in the archives.
func (r Rules) stan(name string) bool {
	if !r.Untracked {
		return false
	}
	for _, d := range []string{"system", "imports"} {
		if at := r.Stan + "/" + d; name == at || strings.HasPrefix(name, at+"/") {
			return true
		}
	}
	return false
}

func (r Rules) reserved(name string) (rule string, ok bool) {
	if r.Output != "" && (name == r.Output || strings.HasPrefix(name, r.Output+"/")) {
		return r.Output + "/**", true
	}
	return IsReserved(r.Stan, name)
}

// candidate is a path that names and ignore files allow.
type candidate struct {
	path string
	mode fs.FileMode // type bits
	id   string
	// suspect is the name rule that a clean content scan may overrule, or "".
	suspect string
}

// walker visits the root in order.
type walker struct {
	root  *tree.Root
	rules Rules
	git   Git
	// parents holds the folders above tracked paths; nil without git.
	parents map[string]bool
	emit    func(candidate) error
	omit    func(Omission)
	folders int
	warn    func(string)
	// screen returns a name without the credentials in it, and whether it held
	// any. Nil screens nothing.
	screen func(name string) (string, bool)
}

func newWalker(root *tree.Root, rules Rules, git Git) *walker {
	w := &walker{root: root, rules: rules, git: git}
	if git.Tracked != nil {
		w.parents = map[string]bool{".": true}
		for p := range git.Tracked {
			for d := path.Dir(p); d != "." && !w.parents[d]; d = path.Dir(d) {
				w.parents[d] = true
			}
		}
	}
	return w
}

// walk visits everything under Rules.Under.
func (w *walker) walk(ctx context.Context) error {
	var up ignores
	if w.git.Tracked != nil && len(w.git.Exclude) > 0 {
		up = append(up, parseIgnore(".git/info/exclude", "", w.git.Exclude))
	}
	under := w.rules.Under
	// The ignore files above the folder apply in it as well.
	if under != "." {
		up = w.ignoreFileIn(".", up)
		for i, c := range under {
			if c == '/' {
				up = w.ignoreFileIn(under[:i], up)
			}
		}
	}
	own := w.ownFiles()
	return w.dir(ctx, under, up, own, nil)
}

// ownFiles reads the ignore files of this program, which stand in the root.
func (w *walker) ownFiles() ignores {
	var own ignores
	for _, name := range []string{".councilignore", ".haversackignore"} {
		b, err := w.root.ReadFile(name, ignoreFileLimit)
		if err == nil {
			own = append(own, parseIgnore(name, "", b))
		} else if !errors.Is(err, fs.ErrNotExist) {
			w.warn("reading " + name + ": " + reasonOf(err))
		}
	}
	return own
}

func (w *walker) ignoreFileIn(dir string, up ignores) ignores {
	name, prefix := ".gitignore", ""
	if dir != "" && dir != "." {
		name, prefix = dir+"/.gitignore", dir+"/"
	}
	b, err := w.root.ReadFile(name, ignoreFileLimit)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, tree.ErrNotRegular) {
			w.warn("reading " + name + ": " + reasonOf(err))
		}
		return up
	}
	return append(up[:len(up):len(up)], parseIgnore(name, prefix, b))
}

// reasonOf is the innermost text of an error, without the path that the caller
// has already named.
func reasonOf(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

// dir visits one folder. inherited is set when the folder is only entered
// because Include or a "!" rule reaches into it: what neither takes is left out
// for the folder's reason.
func (w *walker) dir(ctx context.Context, dir string, up, own ignores, inherited *Omission) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := w.root.List(dir)
	if err != nil {
		if dir == w.rules.Under {
			return err
		}
		w.omit(Omission{Path: dir + "/", Reason: Unreadable, Rule: reasonOf(err)})
		return nil
	}
	hasIgnore := false
	for _, e := range entries {
		switch {
		case e.Name == ".git" && dir != ".":
			// Another repository begins here; what it holds is its own affair.
			w.omit(Omission{Path: dir + "/", Reason: Submodule, Rule: "nested repository"})
			return nil
		case e.Name == ".gitignore":
			hasIgnore = true
		}
	}
	w.folders++
	if hasIgnore {
		up = w.ignoreFileIn(dir, up)
	}
	for _, e := range entries {
		name := e.Name
		if dir != "." {
			name = dir + "/" + e.Name
		}
		if !tree.Valid(name) {
			w.omit(Omission{Path: name, Reason: Special, Rule: "not a path"})
			continue
		}
		if w.screen != nil {
			if clean, held := w.screen(name); held {
				if e.Mode.IsDir() {
					clean += "/"
				}
				w.omit(Omission{Path: clean, Reason: Credentials, Rule: "in the name"})
				continue
			}
		}
		switch {
		case w.git.Tracked[name], e.Mode&fs.ModeDir != 0 && e.Mode&fs.ModeIrregular != 0:
			w.omit(Omission{Path: name, Reason: Submodule, Rule: "submodule"})
		case e.Mode.IsDir():
			err = w.enter(ctx, name, up, own, inherited)
		case e.Mode.IsRegular(), e.Mode&fs.ModeSymlink != 0:
			err = w.file(name, e, up, own, inherited)
		default:
			w.omit(Omission{Path: name, Reason: Special, Rule: specialRule(e.Mode), Type: TypeUnknown})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func specialRule(m fs.FileMode) string {
	switch {
	case m&fs.ModeNamedPipe != 0:
		return "named pipe"
	case m&fs.ModeSocket != 0:
		return "socket"
	case m&fs.ModeDevice != 0:
		return "device"
	}
	return "neither file nor folder"
}

// enter decides on a folder and visits it unless it is left out.
func (w *walker) enter(ctx context.Context, name string, up, own ignores, inherited *Omission) error {
	o, skip := w.judgeDir(name, up, own)
	if !skip && inherited != nil && w.rules.Include.MatchAll(name) == "" {
		o, skip = *inherited, true
	}
	if !skip {
		return w.dir(ctx, name, up, own, nil)
	}
	if o.overridable && (w.rules.Include.Reaches(name) || own.reach(name)) {
		return w.dir(ctx, name, up, own, &o)
	}
	o.Path = name + "/"
	w.omit(o)
	return nil
}

// judgeDir says whether a whole folder is left out.
func (w *walker) judgeDir(name string, up, own ignores) (Omission, bool) {
	if rule, ok := w.rules.reserved(name); ok {
		return Omission{Reason: Reserved, Rule: rule}, true
	}
	if name == w.rules.Stan+"/context/npm" || name == w.rules.Stan+"/context/abs" {
		// Copies of dependencies: staged anew from where they are, and verified.
		return Omission{Reason: Reserved, Rule: name + "/**"}, true
	}
	if p := w.rules.excludes(name).MatchAll(name); p != "" {
		return Omission{Reason: PatternMatch, Rule: string(p)}, true
	}
	if w.rules.Include.MatchAll(name) != "" {
		return Omission{}, false
	}
	tracked := w.parents[name]
	if f, r := own.match(name, true); r != nil {
		if !r.negate {
			return Omission{Reason: GitIgnored, Rule: r.name(f), overridable: true}, true
		}
		return Omission{}, false
	}
	if !tracked && !w.rules.stan(name) {
		if f, r := up.match(name, true); r != nil && !r.negate {
			return Omission{Reason: GitIgnored, Rule: r.name(f), overridable: true}, true
		}
	}
	if w.rules.Literal {
		if reason, rule := literalDir(name); reason != "" {
			return Omission{Reason: reason, Rule: rule, overridable: true}, true
		}
	} else if v, ok := smartDir(name); ok && !(v.unlessTracked && tracked) {
		return Omission{Reason: v.reason, Rule: v.rule, overridable: true}, true
	}
	if w.git.Tracked != nil && !tracked && !w.rules.Untracked {
		return Omission{Reason: NotSelected, Rule: "untracked", overridable: true}, true
	}
	return Omission{}, false
}

func (w *walker) file(name string, e tree.Entry, up, own ignores, inherited *Omission) error {
	o, suspect, skip := w.judgeFile(name, up, own, inherited)
	if !skip {
		return w.emit(candidate{name, e.Mode, e.ID, suspect})
	}
	o.Path = name
	if in, err := w.root.Lstat(name); err == nil {
		o.Size = in.Size
	}
	w.omit(o)
	return nil
}

// judgeFile says whether a file or link is left out by its name.
func (w *walker) judgeFile(name string, up, own ignores, inherited *Omission) (o Omission, suspect string, skip bool) {
	if rule, ok := w.rules.reserved(name); ok {
		return Omission{Reason: Reserved, Rule: rule}, "", true
	}
	if w.rules.EngineState && name == w.rules.Stan+"/context/dependency.state.json" {
		return Omission{Reason: Reserved, Rule: name}, "", true
	}
	if w.rules.Literal {
		if reason, rule := literalFile(name); reason == Credentials {
			return Omission{Reason: reason, Rule: rule}, "", true
		}
	} else {
		switch tier, rule := secret.Name(name); tier {
		case secret.Exact:
			return Omission{Reason: Credentials, Rule: rule}, "", true
		case secret.Suspect:
			suspect = rule
		}
	}
	if p := w.rules.excludes(name).Match(name); p != "" {
		return Omission{Reason: PatternMatch, Rule: string(p)}, "", true
	}
	if w.rules.Include.Match(name) != "" {
		return Omission{}, suspect, false
	}
	_, tracked := w.git.Tracked[name]
	allowed := false
	if f, r := own.match(name, false); r != nil {
		if !r.negate {
			return Omission{Reason: GitIgnored, Rule: r.name(f)}, "", true
		}
		allowed = true
	} else if inherited != nil {
		return *inherited, "", true
	} else if !tracked && !w.rules.stan(name) {
		if f, r := up.match(name, false); r != nil && !r.negate {
			return Omission{Reason: GitIgnored, Rule: r.name(f)}, "", true
		}
	}
	if !allowed {
		if w.rules.Literal {
			if reason, rule := literalFile(name); reason != "" {
				return Omission{Reason: reason, Rule: rule}, "", true
			}
		} else if v, ok := smartFile(name); ok && !(v.unlessTracked && tracked) {
			return Omission{Reason: v.reason, Rule: v.rule}, "", true
		}
	}
	if w.git.Tracked != nil && !tracked && !w.rules.Untracked {
		return Omission{Reason: NotSelected, Rule: "untracked"}, "", true
	}
	return Omission{}, suspect, false
}

// Judge says whether one path, asked for by name, may be archived as far as
// names decide: only reserved paths, credentials and Exclude speak against it.
func (r Rules) Judge(name string) (o Omission, suspect string, skip bool) {
	w := walker{rules: r}
	w.rules.Include = Patterns{"."}
	o, suspect, skip = w.judgeFile(name, nil, nil, nil)
	o.Path = name
	return o, suspect, skip
}

// Omit adds omissions to the snapshot.
func (s *Snapshot) Omit(list ...Omission) {
	if len(list) > 0 {
		s.Omitted = append(s.Omitted, list...)
		s.sortByPath()
	}
}

// sortByPath sorts both lists.
func (s *Snapshot) sortByPath() {
	sort.Slice(s.Files, func(i, j int) bool { return s.Files[i].Path < s.Files[j].Path })
	sort.Slice(s.Omitted, func(i, j int) bool { return s.Omitted[i].Path < s.Omitted[j].Path })
}

// leaves reports whether a link's target, read as text, leads out of the root.
func leaves(name, target string) bool {
	if target == "" || target[0] == '/' {
		return true
	}
	joined := path.Join(path.Dir(name), target)
	return joined == ".." || len(joined) > 2 && joined[:3] == "../"
}

// errFound ends a walk that looks for one path.
var errFound = errors.New("found")

// HasUntracked reports whether the rules would take a file that git does not
// track. Only names are read.
func HasUntracked(ctx context.Context, root *tree.Root, rules Rules, git Git) (bool, error) {
	if !rules.Untracked || git.Tracked == nil {
		return false, nil
	}
	w := newWalker(root, rules, git)
	w.omit, w.warn = func(Omission) {}, func(string) {}
	w.emit = func(c candidate) error {
		if _, ok := git.Tracked[c.path]; !ok {
			return errFound
		}
		return nil
	}
	err := w.walk(ctx)
	if errors.Is(err, errFound) {
		return true, nil
	}
	return false, err
}

// ByName decides on a path as if git tracked it, from names alone: its folders
// first, then itself. It is for files that are not in the root, such as those
// of a base commit.
func (r Rules) ByName(name string) (o Omission, suspect string, skip bool) {
	w := walker{rules: r, git: Git{Tracked: map[string]bool{name: false}}, parents: map[string]bool{}}
	for d := path.Dir(name); d != "."; d = path.Dir(d) {
		w.parents[d] = true
	}
	for d := range w.parents {
		if o, skip := w.judgeDir(d, nil, nil); skip && !(o.overridable && w.rules.Include.Match(name) != "") {
			o.Path = name
			return o, "", true
		}
	}
	o, suspect, skip = w.judgeFile(name, nil, nil, nil)
	o.Path = name
	return o, suspect, skip
}
