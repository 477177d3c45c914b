package repo

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/gcfg"
	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	format "github.com/go-git/go-git/v5/plumbing/format/config"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"

	"github.com/haversack-dev/haversack/internal/tree"
)

// maxAlternates bounds how deep alternates of alternates are followed, as git
// does, and maxBorrowed how many folders of objects there are in all: each is
// asked for what the others lack.
const (
	maxAlternates = 5
	maxBorrowed   = 64
)

// store is go-git's storage with the strictness taken out that keeps real
// repositories from opening: extensions that change nothing for a reader,
// alternates outside the repository, and a configuration that git accepts and
// go-git does not.
//
// Objects are read by this package itself.
type store struct {
	*filesystem.Storage
	dir string // the shared folder
	// folders hold the objects: the repository's own, then those that it borrows
	// from, the nearest first.
	folders []*objects
	// absent is the first of the latter that is not there.
	absent string
	packed packedReferences
}

// Limits on git's own files, which hold what a repository's owner wrote, but also
// what a step of a workflow did. They are far beyond what git writes.
const (
	// maxConfig bounds a configuration: git writes some hundred bytes a branch.
	maxConfig = 4 << 20
	// maxRef bounds a file that holds one reference or path.
	maxRef = 64 << 10
	// maxLines bounds lists that are short: alternates, ignore rules, attributes.
	maxLines = 1 << 20
	// maxPackedRefs bounds packed-refs: a million references. The list of commits at
	// which a shallow clone ends comes after it.
	maxPackedRefs = 64 << 20
	maxShallow    = 16 << 20
	// maxIndex bounds the index: two million files, as many as may be listed.
	maxIndex = 256 << 20
)

// limitOfFile returns how large one of the files that go-git reads may be.
func limitOfFile(name string) int64 {
	switch filepath.ToSlash(filepath.Clean(name)) {
	case "config", "config.worktree":
		return maxConfig
	case "packed-refs":
		return maxPackedRefs
	case "shallow":
		return maxShallow
	}
	return maxRef
}

// regular opens nothing but regular files and folders, and none that is larger
// than git makes it: the run would wait for ever at a FIFO in a reference's place,
// and would hold all of a file that grew.
type regular struct {
	billy.Filesystem
	root string
}

func (r regular) Open(name string) (billy.File, error) {
	f, fi, err := tree.OpenRegular(r.path(name))
	if errors.Is(err, tree.ErrNotRegular) {
		if fi, e := r.Stat(name); e == nil && fi.IsDir() {
			return r.Filesystem.Open(name)
		}
	}
	if err != nil {
		return nil, err
	}
	limit := limitOfFile(name)
	if fi.Size() > limit {
		f.Close()
		return nil, &fs.PathError{Op: "open", Path: name, Err: &tree.LimitError{Limit: limit}}
	}
	return &sizedFile{file{f}, io.LimitReader(f, limit)}, nil
}

// Stat and ReadDir ask the system: go-billy's look at each folder of a path for links before they do, so that references which nest
// 1,500 folders deep took minutes to list.
func (r regular) Stat(name string) (fs.FileInfo, error) { return os.Stat(r.path(name)) }

func (r regular) ReadDir(name string) ([]fs.FileInfo, error) {
	entries, err := os.ReadDir(r.path(name))
	if err != nil {
		return nil, err
	}
	infos := make([]fs.FileInfo, 0, len(entries))
	for _, e := range entries {
		if fi, err := e.Info(); err == nil { // what has gone since is none
			infos = append(infos, fi)
		}
	}
	return infos, nil
}

// path is a name as a path on disk; none leads above the root.
func (r regular) path(name string) string {
	return filepath.Join(r.root, filepath.Clean("/"+filepath.FromSlash(name)))
}

// sizedFile is read up to a limit.
type sizedFile struct {
	file
	r io.Reader
}

func (f *sizedFile) Read(p []byte) (int, error) { return f.r.Read(p) }

// file is a file for go-git, which never locks one.
type file struct{ *os.File }

func (file) Lock() error   { return nil }
func (file) Unlock() error { return nil }

// newStore opens the repository whose own folder is dir and whose shared folder
// is common (the same but in a linked worktree).
func newStore(dir, common string) *store {
	var root billy.Filesystem = regular{osfs.New(dir), dir}
	if common != dir {
		root = dotgit.NewRepositoryFilesystem(root, regular{osfs.New(common), common})
	}
	// go-git is asked for references and the like alone.
	s := &store{Storage: filesystem.NewStorageWithOptions(root, cache.NewObjectLRU(0), filesystem.Options{ExclusiveAccess: true}), dir: common}
	share := &objectStore{}
	own := filepath.Join(common, "objects")
	s.folders = []*objects{{dir: own, shared: share}}
	seen := map[string]bool{own: true}
	var add func(dir string, depth int)
	add = func(dir string, depth int) {
		for _, alt := range alternates(dir) {
			if seen[alt] || depth >= maxAlternates || len(seen) > maxBorrowed {
				continue
			}
			seen[alt] = true
			if fi, err := os.Stat(alt); err != nil || !fi.IsDir() {
				if s.absent == "" {
					s.absent = alt
				}
				continue
			}
			s.folders = append(s.folders, &objects{dir: alt, shared: share})
			add(alt, depth+1)
		}
	}
	add(own, 0)
	return s
}

// alternates returns the object folders that the object folder dir borrows
// from.
func alternates(dir string) []string {
	b, err := readFile(filepath.Join(dir, "info", "alternates"), maxLines)
	if err != nil {
		return nil
	}
	var list []string
	for line := range strings.Lines(string(b)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		if !filepath.IsAbs(line) {
			line = filepath.Join(dir, filepath.FromSlash(line))
		}
		list = append(list, filepath.Clean(line))
	}
	return list
}

// Close closes the packs held open.
func (s *store) Close() error {
	err := s.Storage.Close()
	for _, o := range s.folders {
		if e := o.close(); err == nil {
			err = e
		}
	}
	return err
}

// Reference returns a reference. go-git takes one whose file it cannot read for one
// that is not there.
func (s *store) Reference(n plumbing.ReferenceName) (*plumbing.Reference, error) {
	if n.IsSafe() {
		if fi, err := s.Filesystem().Stat(n.String()); errors.Is(err, fs.ErrNotExist) || err == nil && fi.IsDir() {
			return s.packed.find(s.Filesystem(), n)
		}
	}
	ref, err := s.Storage.Reference(n)
	if errors.Is(err, plumbing.ErrReferenceNotFound) && n.IsSafe() {
		if fi, e := s.Filesystem().Stat(n.String()); e == nil && !fi.IsDir() && fi.Size() > maxRef {
			return nil, &TooLargeError{fmt.Sprintf("the file of the reference %s has %d bytes", n, fi.Size()), maxRef}
		}
	}
	return ref, err
}

func (s *store) HasEncodedObject(h plumbing.Hash) error {
	_, err := s.EncodedObjectSize(h)
	return err
}

// EncodedObject returns an object, within the limits of its type.
func (s *store) EncodedObject(t plumbing.ObjectType, h plumbing.Hash) (plumbing.EncodedObject, error) {
	for _, f := range s.folders {
		o, err := f.object(h)
		switch {
		case errors.Is(err, plumbing.ErrObjectNotFound):
			continue
		case err != nil:
			return nil, err
		case t != plumbing.AnyObject && o.Type() != t:
			return nil, plumbing.ErrObjectNotFound
		}
		return o, nil
	}
	return nil, plumbing.ErrObjectNotFound
}

func (s *store) EncodedObjectSize(h plumbing.Hash) (int64, error) {
	for _, f := range s.folders {
		n, err := f.size(h)
		if !errors.Is(err, plumbing.ErrObjectNotFound) {
			return n, err
		}
	}
	return 0, plumbing.ErrObjectNotFound
}

func (s *store) HashesWithPrefix(prefix []byte) ([]plumbing.Hash, error) {
	var all []plumbing.Hash
	seen := map[plumbing.Hash]bool{}
	for _, f := range s.folders {
		more, err := f.withPrefix(prefix)
		if err != nil {
			return nil, err
		}
		for _, h := range more {
			if !seen[h] {
				seen[h] = true
				all = append(all, h)
			}
		}
	}
	return all, nil
}

// harmless extensions change nothing for a reader, or are looked at here.
var harmless = map[string]bool{
	"noop": true, "noop-v1": true, "partialclone": true, "preciousobjects": true,
	"worktreeconfig": true, "relativeworktrees": true, "objectformat": true, "refstorage": true,
}

// Config returns the repository's configuration without its extensions. Those
// that change how objects or references are stored are errors; the others are
// of no concern to a reader, but go-git refuses them.
func (s *store) Config() (*config.Config, error) {
	b, err := s.read("config")
	if errors.Is(err, fs.ErrNotExist) {
		return config.NewConfig(), nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the repository's config: %w", err)
	}
	cfg, err := parseConfig(b)
	if err != nil {
		return nil, fmt.Errorf("reading the repository's config: %w", err)
	}
	version := option(cfg, "core", "repositoryformatversion")
	if version != "" && version != "0" && version != "1" {
		return nil, fmt.Errorf("the repository has format version %s, and 0 and 1 are known: %w", quoted(version), ErrFormat)
	}
	for _, o := range cfg.Raw.Section("extensions").Options {
		// Under version 0 git ignores what it does not know.
		if ext := strings.ToLower(o.Key); version == "1" && !harmless[ext] {
			return nil, fmt.Errorf("the repository uses the extension %s, which is not known: %w", quoted(ext), ErrFormat)
		}
		switch v := strings.ToLower(o.Value); strings.ToLower(o.Key) {
		case "objectformat":
			if v != "sha1" {
				return nil, fmt.Errorf("the repository names its objects by %s, which is not supported; only sha1 is: %w", v, ErrFormat)
			}
		case "refstorage":
			if v != "files" {
				return nil, fmt.Errorf("the repository keeps its references as %s, which is not supported; run git refs migrate --ref-format=files: %w", v, ErrFormat)
			}
		}
	}
	cfg.Raw.RemoveSection("extensions")
	return cfg, nil
}

// parseConfig reads what git would read, into Raw alone: the typed part of go-git's refuses some of it (negative
// refspecs, remotes without an address). Sections are found in a map; go-git looks through all of them for each line.
func parseConfig(b []byte) (cfg *config.Config, err error) {
	defer caught(&err)
	cfg = config.NewConfig()
	cfg.Raw = format.New()
	sections := map[string]*format.Section{}
	subsections := map[[2]string]*format.Subsection{}
	err = gcfg.ReadWithCallback(bytes.NewReader(b), func(name, sub, key, value string, _ bool) error {
		name = strings.ToLower(name)
		s := sections[name]
		if s == nil {
			s = &format.Section{Name: name}
			sections[name] = s
			cfg.Raw.Sections = append(cfg.Raw.Sections, s)
		}
		to := &s.Options
		if sub != "" {
			ss := subsections[[2]string{name, sub}]
			if ss == nil {
				ss = &format.Subsection{Name: sub}
				subsections[[2]string{name, sub}] = ss
				s.Subsections = append(s.Subsections, ss)
			}
			to = &ss.Options
		}
		if key != "" {
			*to = append(*to, &format.Option{Key: key, Value: value})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return cfg, nil
}

// read returns a file of the repository's folder.
func (s *store) read(name string) ([]byte, error) {
	f, err := s.Filesystem().Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}
