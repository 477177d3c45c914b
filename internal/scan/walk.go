package scan

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Rules decide by name. Precedence: reserved, credentials, Exclude, Include,
// ignore files, default rules.
type Rules struct {
	// Literal applies the table literalRules as written instead of the smart rules.
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
	// not subject to Exclude (to exclude ".stan/**" must not take the system
	// documents away), but for patterns that name staged files.
	Context bool
	// EngineState is set when the engine itself writes dependency.state.json
	// into the archive, so that the file on disk must not be taken.
	EngineState bool
	// Generated holds files that are credentials because another file names them so, with the rule of each; see the function of that name.
	// Nil if there are none.
	Generated map[string]string
}

// Git is what the scan has to know of a repository. The zero value is a folder
// without one.
type Git struct {
	// Tracked holds the paths that git tracks, in any order, and whether each is
	// a submodule. Nil means that there is no repository.
	Tracked map[string]bool
	// Exclude is the content of info/exclude, and User that of the user's own
	// core.excludesFile, which is weaker.
	Exclude, User []byte
	// FoldCase: git's ignore rules do not tell capitals from small letters.
	FoldCase bool
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

// Bounds of a walk.
const (
	// maxPath is the longest path, as on Linux, and maxFolderDepth how deep folders
	// nest, as in package repo.
	maxPath        = 4096
	maxFolderDepth = 1024
	// maxPaths bounds the paths of a walk. A commit is refused with half as many.
	maxPaths = 2_000_000
)

// overlong returns the limit that a path is over, "" if none.
func overlong(name string) string {
	if len(name) > maxPath {
		return "path longer than " + strconv.Itoa(maxPath) + " bytes"
	}
	if len(name) > maxFolderDepth && strings.Count(name, "/") > maxFolderDepth {
		return "more than " + strconv.Itoa(maxFolderDepth) + " folders deep"
	}
	return ""
}

// candidate is a path that names and ignore files allow.
type candidate struct {
	path string
	mode fs.FileMode // type bits
	id   string
	// suspect is the name rule that a clean content scan may overrule, or "".
	suspect string
	// left: the file is left out, and only read to learn.
	left  bool
	store Store
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
	// learn takes files that are left out: what they hold must not leave elsewhere. Nil
	// learns nothing. passed are the folders with tracked files that are not entered.
	learn   func(candidate) error
	passed  map[string]bool
	folders int
	own     map[string]bool // folders that hold what runs keep for themselves, and nothing else
	paths   int
	warn    func(string)
	// ignoreBytes counts what was read of ignore files.
	ignoreBytes int
	warned      bool
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
	up := w.exclude()
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

// exclude is the stack with the user's own rules and git's info/exclude at its bottom,
// where they are there.
func (w *walker) exclude() ignores {
	var up ignores
	if w.git.Tracked == nil {
		return up
	}
	if len(w.git.User) > 0 {
		up = w.push(up, "core.excludesFile", "", w.git.User, w.git.FoldCase)
	}
	if len(w.git.Exclude) > 0 {
		up = w.push(up, ".git/info/exclude", "", w.git.Exclude, w.git.FoldCase)
	}
	return up
}

// ownFiles reads the ignore files of this program, which stand in the root.
func (w *walker) ownFiles() ignores {
	var own ignores
	for _, name := range []string{".councilignore", ".haversackignore"} {
		b, err := w.root.ReadFile(name, ignoreFileLimit)
		if err == nil {
			own = w.push(own, name, "", b, false)
		} else if !errors.Is(err, fs.ErrNotExist) {
			w.warn("reading " + name + ": " + reasonOf(err))
		}
	}
	for _, f := range own {
		f.findHeads()
	}
	return own
}

// push puts an ignore file on a stack, within the limits.
func (w *walker) push(up ignores, name, dir string, content []byte, fold bool) ignores {
	if w.ignoreBytes += len(content); w.ignoreBytes > ignoreTotal {
		w.warnOnce("reading " + name + ": it is passed over, and what comes after it: the limit for all ignore files is " + strconv.Itoa(ignoreTotal) + " bytes")
		return up
	}
	on, passed := up.push(parseIgnore(name, dir, content, fold))
	if passed != "" {
		w.warnOnce("reading " + name + ": " + passed)
	}
	return on
}

// warnOnce warns of a limit of ignore files, of which the first that meets it is
// named.
func (w *walker) warnOnce(text string) {
	if !w.warned {
		w.warned = true
		w.warn(text)
	}
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
	return w.push(up, name, prefix, b, w.git.FoldCase)
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

// readsAsGit leaves out an entry that another file system takes for .git. What is secret in it is known all the same.
func (w *walker) readsAsGit(name string, e tree.Entry) error {
	if e.Mode.IsDir() {
		w.pass(name)
		w.omit(exReadsAsGit.At(name + "/"))
		return nil
	}
	w.omit(exReadsAsGit.At(name))
	return w.leave(name, e)
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
		w.omit(exUnreadable(err).At(dir + "/"))
		return nil
	}
	if w.paths += len(entries); w.paths > maxPaths {
		return fmt.Errorf("there are more than %d files and folders, which is the limit", maxPaths)
	}
	hasIgnore := false
	for _, e := range entries {
		switch {
		case e.Name == ".git" && dir != ".":
			// Another repository begins here; what it holds is its own affair.
			w.omit(exNested.At(dir + "/"))
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
			w.omit(exNoPath.At(name))
			continue
		}
		if tree.ReadsAsGit(e.Name) {
			if err := w.readsAsGit(name, e); err != nil {
				return err
			}
			continue
		}
		if over := exOverlong(name); over.Reason != "" {
			if e.Mode.IsDir() {
				name += "/"
			}
			w.omit(over.At(name))
			continue
		}
		if w.screen != nil {
			if clean, held := w.screen(name); held {
				if e.Mode.IsDir() {
					clean += "/"
					w.pass(name)
				}
				w.omit(exSecretName.At(clean))
				if !e.Mode.IsDir() {
					if err := w.leave(name, e); err != nil {
						return err
					}
				}
				continue
			}
		}
		if w.kept(name) {
			continue
		}
		switch {
		case w.git.Tracked[name], e.Mode&fs.ModeDir != 0 && e.Mode&fs.ModeIrregular != 0:
			w.omit(exSubmodule.At(name))
		case e.Mode.IsDir():
			err = w.enter(ctx, name, up, own, inherited)
		case e.Mode.IsRegular(), e.Mode&fs.ModeSymlink != 0:
			err = w.file(name, e, up, own, inherited)
		default:
			o := exSpecial(e.Mode).At(name)
			o.Type = TypeUnknown
			w.omit(o)
		}
		if err != nil {
			return err
		}
	}
	if w.holdsOwn(dir, entries) {
		w.folders--
	}
	return nil
}

// holdsOwn reports whether all that a folder holds is what runs keep for themselves: it is no part of the repository, and the first run,
// which makes it, counts as many folders as the next one.
func (w *walker) holdsOwn(dir string, entries []tree.Entry) bool {
	stan := w.rules.Stan
	if stan == "." || dir != stan && !strings.HasPrefix(dir, stan+"/") {
		return false
	}
	for _, e := range entries {
		name := dir + "/" + e.Name
		_, reserved := w.rules.reserved(name)
		if _, tracked := w.git.Tracked[name]; tracked || !reserved && !w.own[name] {
			return false
		}
	}
	if w.own == nil {
		w.own = map[string]bool{}
	}
	w.own[dir] = true
	return true
}

// kept reports whether runs keep this path for themselves. It is no part of what is
// scanned: the first run, which makes it, and the next one have the same rows. Where
// git tracks it, it is told as reserved.
func (w *walker) kept(name string) bool {
	rest, ok := strings.CutPrefix(name, w.rules.Stan+"/")
	if !ok || w.rules.Stan == "." || !isKept(rest) {
		return false
	}
	_, tracked := w.git.Tracked[name]
	return !tracked
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
	w.pass(name)
	return nil
}

// overridable is the omission of a folder that Include may reach into all the same.
func overridable(x Exclusion) Omission {
	o := x.At("")
	o.overridable = true
	return o
}

// judgeDir says whether a whole folder is left out.
func (w *walker) judgeDir(name string, up, own ignores) (Omission, bool) {
	if rule, ok := w.rules.reserved(name); ok {
		return Exclusion{Reserved, rule}.At(""), true
	}
	if below, ok := strings.CutPrefix(name, w.rules.Stan+"/context/"); ok && slices.Contains([]string{"npm", "abs", "go", "pypi"}, below) {
		// Copies of dependencies: staged anew from where they are, and verified.
		return Exclusion{Reserved, name + "/**"}.At(""), true
	}
	if p := w.rules.excludes(name).MatchAll(name); p != "" {
		return Exclusion{PatternMatch, string(p)}.At(""), true
	}
	if w.rules.Include.MatchAll(name) != "" {
		return Omission{}, false
	}
	tracked := w.parents[name]
	if f, r := own.match(name, true); r != nil {
		if !r.negate {
			return overridable(Exclusion{GitIgnored, r.name(f)}), true
		}
		return Omission{}, false
	}
	if !tracked && !w.rules.stan(name) {
		if f, r := up.match(name, true); r != nil && !r.negate {
			return overridable(Exclusion{GitIgnored, r.name(f)}), true
		}
	}
	if w.rules.Literal {
		if reason, rule := literalDir(name); reason != "" {
			return overridable(Exclusion{reason, rule}), true
		}
	} else if v, ok := smartDir(name); ok && !(v.unlessTracked && tracked) {
		return overridable(Exclusion{v.reason, v.rule}), true
	}
	if w.git.Tracked != nil && !tracked && !w.rules.Untracked {
		return overridable(exUntracked), true
	}
	return Omission{}, false
}

func (w *walker) file(name string, e tree.Entry, up, own ignores, inherited *Omission) error {
	o, suspect, skip := w.judgeFile(name, up, own, inherited)
	if !skip {
		return w.emit(candidate{path: name, mode: e.Mode, id: e.ID, suspect: suspect})
	}
	o.Path = name
	if in, err := w.root.Lstat(name); err == nil {
		o.Size = in.Size
	}
	w.omit(o)
	if o.Reason == Credentials && e.Mode.IsRegular() && w.learn != nil {
		return w.learn(candidate{path: name, mode: e.Mode, id: e.ID, left: true, store: max(NamedStore, w.rules.StoreOf(name))})
	}
	return w.leave(name, e)
}

// judgeFile says whether a file or link is left out by its name.
func (w *walker) judgeFile(name string, up, own ignores, inherited *Omission) (o Omission, suspect string, skip bool) {
	if rule, ok := w.rules.reserved(name); ok {
		return Exclusion{Reserved, rule}.At(""), "", true
	}
	if w.rules.EngineState && name == w.rules.Stan+"/context/dependency.state.json" {
		return Exclusion{Reserved, name}.At(""), "", true
	}
	if w.rules.Literal {
		if reason, rule := literalFile(name); reason == Credentials {
			return Exclusion{reason, rule}.At(""), "", true
		}
	} else {
		switch tier, rule := secret.Name(name); tier {
		case secret.Exact:
			return Exclusion{Credentials, rule}.At(""), "", true
		case secret.Suspect:
			suspect = rule
		case secret.Clear:
		}
	}
	if rule := w.rules.Generated[name]; rule != "" {
		return Exclusion{Credentials, rule}.At(""), "", true
	}
	if p := w.rules.excludes(name).Match(name); p != "" {
		return Exclusion{PatternMatch, string(p)}.At(""), "", true
	}
	if w.rules.Include.Match(name) != "" {
		return Omission{}, suspect, false
	}
	_, tracked := w.git.Tracked[name]
	allowed := false
	if f, r := own.match(name, false); r != nil {
		if !r.negate {
			return Exclusion{GitIgnored, r.name(f)}.At(""), "", true
		}
		allowed = true
	} else if inherited != nil {
		return *inherited, "", true
	} else if !tracked && !w.rules.stan(name) {
		if f, r := up.match(name, false); r != nil && !r.negate {
			return Exclusion{GitIgnored, r.name(f)}.At(""), "", true
		}
	}
	if !allowed {
		if w.rules.Literal {
			if reason, rule := literalFile(name); reason != "" {
				return Exclusion{reason, rule}.At(""), "", true
			}
		} else if v, ok := smartFile(name); ok && !(v.unlessTracked && tracked) {
			return Exclusion{v.reason, v.rule}.At(""), "", true
		}
	}
	if w.git.Tracked != nil && !tracked && !w.rules.Untracked {
		return exUntracked.At(""), "", true
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

// sortByPath sorts both lists.
func sortByPath(files []File, omitted []Omission) {
	slices.SortFunc(files, func(a, b File) int { return tree.Compare(a.Path, b.Path) })
	slices.SortFunc(omitted, func(a, b Omission) int { return tree.Compare(a.Path, b.Path) })
}

// leaves reports whether a link's target, read as text, leads out of the root.
func leaves(name, target string) bool {
	if target == "" || target[0] == '/' {
		return true
	}
	joined := path.Join(path.Dir(name), target)
	return joined == ".." || len(joined) > 2 && joined[:3] == "../"
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
