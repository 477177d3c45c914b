package repo

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	format "github.com/go-git/go-git/v5/plumbing/format/config"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

const (
	// objectCache bounds the decoded objects that go-git keeps. More gains
	// nothing when each blob is read once; delta bases fit.
	objectCache = 16 << 20
	// largeObject is the size above which go-git streams an object instead of
	// holding it in memory.
	largeObject = 32 << 20
	// maxAlternates bounds how deep alternates of alternates are followed, as
	// git does.
	maxAlternates = 5
)

// store is go-git's storage with the strictness taken out that keeps real
// repositories from opening: extensions that change nothing for a reader,
// alternates outside the repository, and a configuration that git accepts and
// go-git does not.
type store struct {
	*filesystem.Storage
	// alternates are the object folders this one borrows from, nearest first.
	alternates []*filesystem.ObjectStorage
	// absent is the first of them that is not there.
	absent string
}

// regular opens nothing but regular files and folders: the run would wait for
// ever at a FIFO in a reference's place.
type regular struct{ billy.Filesystem }

func (r regular) Open(name string) (billy.File, error) {
	if fi, err := r.Filesystem.Stat(name); err == nil && !fi.Mode().IsRegular() && !fi.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("not a regular file")}
	}
	return r.Filesystem.Open(name)
}

// newStore opens the repository whose own folder is dir and whose shared folder
// is common (the same but in a linked worktree).
func newStore(dir, common string) *store {
	var root billy.Filesystem = regular{osfs.New(dir)}
	if common != dir {
		root = dotgit.NewRepositoryFilesystem(root, regular{osfs.New(common)})
	}
	objects := cache.NewObjectLRU(objectCache)
	opts := filesystem.Options{
		ExclusiveAccess:      true,
		KeepDescriptors:      true,
		LargeObjectThreshold: largeObject,
		AlternatesFS:         osfs.New("/", osfs.WithBoundOS()),
	}
	s := &store{Storage: filesystem.NewStorageWithOptions(root, objects, opts)}
	seen := map[string]bool{filepath.Join(common, "objects"): true}
	var add func(dir string, depth int)
	add = func(dir string, depth int) {
		for _, alt := range alternates(dir) {
			if seen[alt] || depth >= maxAlternates {
				continue
			}
			seen[alt] = true
			// go-git looks for a folder called objects; git insists on no name,
			// but makes no other.
			if filepath.Base(alt) != "objects" {
				continue
			}
			if fi, err := os.Stat(alt); err != nil || !fi.IsDir() {
				if s.absent == "" {
					s.absent = alt
				}
				continue
			}
			dg := dotgit.NewWithOptions(regular{osfs.New(filepath.Dir(alt))}, dotgit.Options{ExclusiveAccess: true})
			s.alternates = append(s.alternates, filesystem.NewObjectStorageWithOptions(dg, objects, opts))
			add(alt, depth+1)
		}
	}
	add(filepath.Join(common, "objects"), 0)
	return s
}

// alternates returns the object folders that the object folder dir borrows
// from. go-git's own reading takes a relative line for one from the file
// system's root, and opens each pack anew for every object.
func alternates(dir string) []string {
	b, err := readFile(filepath.Join(dir, "info", "alternates"))
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
	for _, a := range s.alternates {
		if e := a.Close(); err == nil {
			err = e
		}
	}
	return err
}

// holder returns the object storage that has h. Sizes are asked for because
// go-git's HasEncodedObject denies packed objects under ExclusiveAccess.
func (s *store) holder(h plumbing.Hash) (*filesystem.ObjectStorage, error) {
	_, err := s.Storage.EncodedObjectSize(h)
	if !errors.Is(err, plumbing.ErrObjectNotFound) {
		return &s.Storage.ObjectStorage, err
	}
	for _, a := range s.alternates {
		if _, err := a.EncodedObjectSize(h); !errors.Is(err, plumbing.ErrObjectNotFound) {
			return a, err
		}
	}
	return nil, err
}

func (s *store) HasEncodedObject(h plumbing.Hash) error {
	_, err := s.holder(h)
	return err
}

func (s *store) EncodedObject(t plumbing.ObjectType, h plumbing.Hash) (plumbing.EncodedObject, error) {
	if len(s.alternates) == 0 {
		return s.Storage.EncodedObject(t, h)
	}
	o, err := s.holder(h)
	if err != nil {
		return nil, err
	}
	return o.EncodedObject(t, h)
}

func (s *store) EncodedObjectSize(h plumbing.Hash) (int64, error) {
	if len(s.alternates) == 0 {
		return s.Storage.EncodedObjectSize(h)
	}
	o, err := s.holder(h)
	if err != nil {
		return 0, err
	}
	return o.EncodedObjectSize(h)
}

func (s *store) HashesWithPrefix(prefix []byte) ([]plumbing.Hash, error) {
	all, err := s.Storage.HashesWithPrefix(prefix)
	if err != nil {
		return nil, err
	}
	seen := map[plumbing.Hash]bool{}
	for _, h := range all {
		seen[h] = true
	}
	for _, a := range s.alternates {
		more, err := a.HashesWithPrefix(prefix)
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

// parseConfig reads what git would read. go-git refuses some of it (negative
// refspecs, remotes without an address), so its typed part is best effort; Raw
// is always complete.
func parseConfig(b []byte) (cfg *config.Config, err error) {
	defer caught(&err)
	if cfg, err = config.ReadConfig(bytes.NewReader(b)); err == nil {
		return cfg, nil
	}
	raw := format.New()
	if err := format.NewDecoder(bytes.NewReader(b)).Decode(raw); err != nil {
		return nil, err
	}
	cfg = config.NewConfig()
	cfg.Raw = raw
	return cfg, nil
}

// read returns a file of the repository's folder.
func (s *store) read(name string) ([]byte, error) {
	f, err := s.Filesystem().Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f)
}
