// Package serve answers a model's questions about a repository over the Model Context Protocol: what it defines, who uses what, what a change
// touches, what a task needs. All answers are of the screened repository, as every other result of the program is.
//
// Nothing is indexed beforehand. The first question looks through the repository; later ones look at what changed on disk since, and
// read those files alone. What a thread has seen is kept by the name that each call gives, never by the connection.
package serve

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/lookup"
	"github.com/haversack-dev/haversack/internal/object"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Repository is what is known of a repository at the moment. Its methods may be called at once.
type Repository struct {
	env *job.Env
	in  *job.Inputs

	// came counts the calls, checked those before the last check on disk began.
	came    atomic.Int64
	checked int64
	// check is taken by who looks at the disk.
	check chan struct{}
	mu    sync.Mutex // of now
	now   *sight
}

// NewRepository returns the repository of these inputs; it is not looked at before it is asked.
func NewRepository(e *job.Env, in *job.Inputs) *Repository {
	asked := *in
	asked.Origins = in.Fixed("mode", "graph")
	asked.Mode, asked.NoGraph, asked.Session = job.ModeContext, false, job.SessionOff
	return &Repository{env: e, in: &asked, check: make(chan struct{}, 1)}
}

// Close ends it, once no call uses it.
func (r *Repository) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now != nil {
		r.now.users.Wait()
		r.now.close()
		r.now = nil
	}
}

// sights counts them.
var sights atomic.Int64

// sight is a repository as it was looked at once.
type sight struct {
	*openRepository
	number int64 // no other has it
	view   *snapshot.View
	index  *lookup.Index
	// seen are the files and folders on disk that decide whether it still holds, sorted by name.
	seen []place
	// at is the folder itself, nil where there is none: another may take its place.
	at fs.FileInfo
	// edited: files were read again since it was compared with its base.
	edited bool
}

// openRepository is what a sight, and those that follow it after edits, are read from.
type openRepository struct {
	env    *job.Env
	in     *job.Inputs // with what files of defaults give
	finder *snapshot.Finder
	head   *snapshot.Head
	base   *snapshot.Base
	change *snapshot.Change
	graph  *snapshot.Dependencies
	users  sync.WaitGroup
	// paths says what a client calls the files.
	paths *object.Resolver
}

func (o *openRepository) close() {
	o.graph.Close()
	if o.change != nil {
		o.change.Close()
	}
	if o.base != nil {
		o.base.Close()
	}
	if o.head != nil {
		o.head.Close()
	}
	o.env.Close()
}

// stamp is what tells without reading it that a file, or a folder, is what it was.
type stamp struct {
	size  int64
	time  time.Time
	mode  fs.FileMode
	names string // of a folder: what is in it
}

// place is a path on disk as it was.
type place struct {
	name string
	stamp
}

// with calls do with the repository as it is now. whole: what changed against the base has to be as of now, too. tell says how far it is.
func (r *Repository) with(ctx context.Context, whole bool, tell func(step string), do func(s *sight) error) error {
	came := r.came.Add(1)
	select {
	case r.check <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	err := r.refresh(ctx, came, whole, tell)
	var s *sight
	if err == nil {
		r.mu.Lock()
		s = r.now
		s.users.Add(1)
		r.mu.Unlock()
	}
	<-r.check
	if err != nil {
		return err
	}
	defer s.users.Done()
	return job.Screened(s.view.Sealed.Screener, do(s))
}

// screener knows what was found to be a credential, and before the first look the values that the program was given.
func (r *Repository) screener() *scan.Screener {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now == nil {
		return r.env.Log.Screener
	}
	return r.now.view.Sealed.Screener
}

// at calls do with the repository as it is at a commit, or on disk where none is named, compared with a base: the commit before where none
// is named.
func (r *Repository) at(ctx context.Context, commit, base string, tell func(step string), do func(s *sight) error) error {
	in := *r.in
	if commit != "" {
		in.Ref, in.Base = commit, commit+"^"
	}
	if base != "" {
		in.Base = base
	}
	for _, name := range []string{commit, base} {
		if strings.HasPrefix(name, "-") || strings.ContainsFunc(name, func(c rune) bool { return c <= ' ' }) {
			return fmt.Errorf("%q is no name of a revision", name)
		}
	}
	s, err := look(ctx, r.env, &in, tell)
	if err != nil {
		return err
	}
	defer s.close()
	s.index = lookup.NewIndex(s.view.Sealed, nil)
	return job.Screened(s.view.Sealed.Screener, do(s))
}

// refresh brings what is known up to date. A check that began after a call came holds for it, too.
func (r *Repository) refresh(ctx context.Context, came int64, whole bool, tell func(step string)) error {
	old := r.now
	if old != nil && r.checked >= came && (!whole || !old.edited) {
		return nil
	}
	began := r.came.Load()
	next := old
	var changed []string
	same := false
	if old != nil {
		changed, same = old.changes(whole)
	}
	switch {
	case old != nil && same && len(changed) == 0 && (!whole || !old.edited):
		r.checked = began
		return nil
	case old != nil && same && !whole:
		after, err := old.after(ctx, changed)
		if err != nil && ctx.Err() != nil {
			return err
		}
		if next = after; next == nil {
			same = false
		}
	default:
		same = false
	}
	if !same {
		var err error
		if next, err = look(ctx, r.env, r.in, tell); err != nil {
			return err
		}
		if old == nil {
			r.env.Log.NameDefaults(next.in)
		}
		var before *lookup.Index
		if old != nil {
			before = old.index
		}
		next.index = lookup.NewIndex(next.view.Sealed, before)
		go debug.FreeOSMemory() // the look took more than what is kept of it
	}
	r.mu.Lock()
	r.now, r.checked = next, began
	r.mu.Unlock()
	if old != nil && old.openRepository != next.openRepository {
		go func() {
			old.users.Wait()
			old.close()
		}()
	}
	return nil
}

// look goes along the line of a run up to the seal.
func look(ctx context.Context, e *job.Env, in *job.Inputs, tell func(step string)) (s *sight, err error) {
	if e, err = e.WithFolder(); err != nil {
		return nil, err
	}
	e.Log = e.Log.Apart() // another look may begin, or end, at the same time
	o := &openRepository{env: e}
	defer func() {
		if err != nil {
			o.close()
		}
	}()
	began, err := os.Stat(e.Temp)
	if err != nil {
		return nil, err
	}
	tell("open")
	if o.head, err = snapshot.OpenHead(ctx, &e.Setting, &in.Scope); err != nil {
		return nil, err
	}
	if o.paths, err = e.Resolver(&in.Delivery, o.head.Dir, ""); err != nil {
		return nil, err
	}
	o.env = e.About(o.head.Event)
	e = o.env
	in, settled, err := snapshot.WithDefaults(ctx, &e.Setting, in, o.head, nil)
	if err != nil {
		return nil, err
	}
	o.in = in
	o.finder = snapshot.NewFinder(&e.Setting, &in.Scope, o.head)
	if o.base, err = o.finder.Base(ctx, snapshot.SavedName(in.Mode)); err != nil {
		return nil, err
	}
	tell("scan")
	found, err := o.finder.Search(ctx, o.base, in.Mode)
	if err != nil {
		return nil, err
	}
	e.Knows(found.Known)
	tell("compare")
	if o.change, err = o.finder.Compare(ctx, o.base, found, in.Mode); err != nil {
		return nil, err
	}
	e.Knows(found.Known, o.change.Known)
	tell("graph")
	roots, err := snapshot.OpenRoots(&e.Setting, in.ExternalRoots, o.head)
	if err != nil {
		return nil, err
	}
	if o.graph, err = o.finder.BuildGraph(ctx, roots, found, in.Mode, provider.Options{StanPath: in.Stan, Cache: e.CacheDir("graph"), UsersOf: snapshot.ChangedPaths(o.change.Changes)}); err != nil {
		return nil, err
	}
	tell("select")
	asked, err := snapshot.Select(snapshot.Wish{Stan: in.Stan, Mode: in.Mode, ChangedDepth: in.ChangedDepth, DependentsDepth: in.DependentsDepth}, o.head, found, o.change, o.graph)
	if err != nil {
		return nil, err
	}
	warnings := slices.Concat(o.head.Warnings, settled, o.base.Warnings, found.Warnings, o.change.Warnings, o.graph.Notes(in.Mode))
	sealed, err := snapshot.Seal(ctx, &e.Setting, snapshot.Parts{Found: found, Change: o.change, Graph: o.graph, Asked: asked, Warnings: warnings, Fail: in.Secrets == scan.Fail})
	if err != nil {
		return nil, err
	}
	e.Log.Knows(sealed.Screener)
	s = &sight{openRepository: o, number: sights.Add(1), view: &snapshot.View{Head: o.head, Found: found, Change: o.change, Graph: o.graph, Asked: asked, Sealed: sealed}}
	s.at, _ = os.Stat(o.head.Dir) // a clone's commit lies nowhere
	s.see(began.ModTime())
	return s, nil
}

// gitFiles change when what a change is measured against does.
var gitFiles = []string{".git/HEAD", ".git/index", ".git/packed-refs", ".git/logs/HEAD", ".git/FETCH_HEAD"}

// see notes how files and folders stand on disk. What was written since the look began may be newer than what was read: it counts as
// changed when it is asked for again.
func (s *sight) see(began time.Time) {
	if s.head.Kind == "commit" {
		return
	}
	known := map[string]bool{}
	add := func(name string) {
		if known[name] {
			return
		}
		known[name] = true
		is := stampOf(s.head.Root, name)
		if !is.time.Before(began) {
			is.time = time.Time{}
		}
		s.seen = append(s.seen, place{name, is})
	}
	names := slices.Clone(gitFiles)
	for i := range s.view.Found.Files {
		names = append(names, s.view.Found.Files[i].Path)
	}
	for _, o := range s.view.Found.Omitted {
		if !strings.HasSuffix(o.Path, "/") {
			names = append(names, o.Path)
		}
	}
	for _, name := range names {
		add(name)
		for dir := path.Dir(name); dir != ".git" && !known[dir]; dir = path.Dir(dir) {
			add(dir)
		}
	}
	slices.SortFunc(s.seen, func(a, b place) int { return strings.Compare(a.name, b.name) })
}

// stampOf is a path's stamp now; of what is not there the zero value.
func stampOf(root *tree.Root, name string) stamp {
	in, err := root.Lstat(name)
	if err != nil {
		return stamp{}
	}
	is := stamp{size: in.Size, time: in.ModTime, mode: in.Mode}
	if in.Mode.IsDir() {
		is.names, is.size = namesOf(root, name), 0
	}
	return is
}

// namesOf are the names in a folder that say whether something came or went.
func namesOf(root *tree.Root, name string) string {
	entries, err := root.List(name)
	if err != nil {
		return "\x00" + err.Error()
	}
	var b []byte
	for _, e := range entries {
		b = append(append(b, e.Name...), byte(e.Mode>>24), 0)
	}
	sum := sha256.Sum256(b)
	return string(sum[:])
}

// changes are the files that were edited since, and whether nothing else is otherwise: no file came or went. whole: nor may the state of git.
func (s *sight) changes(whole bool) (edited []string, same bool) {
	if now, err := os.Stat(s.head.Dir); s.at != nil && (err != nil || !os.SameFile(now, s.at)) {
		return nil, false
	}
	parts := slices.Collect(slices.Chunk(s.seen, statted))
	found := make([][]string, len(parts))
	var other atomic.Bool
	// Nothing ends this context: a call that is called off has others behind it which wait for the same.
	_ = graph.Each(context.Background(), len(parts), func(i int) {
		if other.Load() {
			return
		}
		var ok bool
		if found[i], ok = s.moved(parts[i], whole); !ok {
			other.Store(true)
		}
	})
	if other.Load() {
		return nil, false
	}
	return slices.Concat(found...), true
}

// statted is how many paths are looked at in a row.
const statted = 512

// moved is changes of some places.
func (s *sight) moved(places []place, whole bool) (edited []string, same bool) {
	for i := range places {
		was := &places[i]
		name := was.name
		in, err := s.head.Root.Lstat(name)
		switch {
		case err != nil && was.stamp == (stamp{}):
		case strings.HasPrefix(name, ".git/") && slices.Contains(gitFiles, name):
			if whole && (err != nil || in.Size != was.size || !in.ModTime.Equal(was.time)) {
				return nil, false
			}
		case err != nil:
			return nil, false
		case in.Mode.IsDir():
			if !in.ModTime.Equal(was.time) && namesOf(s.head.Root, name) != was.names {
				return nil, false
			}
		case in.Mode != was.mode:
			return nil, false
		case in.Size != was.size || !in.ModTime.Equal(was.time):
			edited = append(edited, name)
		}
	}
	return edited, true
}

// after is the sight once files were edited; nil where all has to be looked at again.
func (s *sight) after(ctx context.Context, edited []string) (*sight, error) {
	next := &sight{openRepository: s.openRepository, number: sights.Add(1), seen: slices.Clone(s.seen), at: s.at, edited: true}
	for i := range next.seen {
		if is := &next.seen[i]; slices.Contains(edited, is.name) {
			is.stamp = stampOf(s.head.Root, is.name)
		}
	}
	view, err := s.finder.Edited(ctx, s.view, edited, provider.Options{StanPath: s.in.Stan, Cache: s.env.CacheDir("graph")})
	if view == nil || err != nil {
		return nil, err
	}
	next.view, next.index = view, lookup.NewIndex(view.Sealed, s.index)
	return next, nil
}
