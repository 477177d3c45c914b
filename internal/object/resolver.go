package object

import (
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
)

// Mount says that what the agent sees under one prefix is, canonically, under another.
type Mount struct {
	AgentPrefix, CanonicalPrefix string
	FilesystemID                 string
}

// Resolved is a canonical path and the file system it is on.
type Resolved struct {
	FilesystemID, CanonicalPath string
}

// Source returns the binding of the file.
func (r Resolved) Source() Source { return Filesystem(r.FilesystemID, r.CanonicalPath) }

// Resolver translates between the paths the agent sees and canonical ones. Prefixes
// match whole path elements, the longest first; links are not followed.
type Resolver struct {
	id        string
	forward   []Mount // by length of AgentPrefix, longest first
	backwards []Mount // by length of CanonicalPrefix, longest first
}

// NewResolver returns the resolver of some mounts. What none of them holds is on the
// file system filesystemID, under the path the agent sees.
func NewResolver(filesystemID string, mounts ...Mount) (*Resolver, error) {
	if filesystemID == "" {
		return nil, errors.New("filesystem id is empty")
	}
	r := &Resolver{id: filesystemID}
	seen := map[string]bool{}
	for _, m := range mounts {
		if m.FilesystemID == "" {
			m.FilesystemID = filesystemID
		}
		for _, p := range []*string{&m.AgentPrefix, &m.CanonicalPrefix} {
			if !strings.HasPrefix(*p, "/") {
				return nil, fmt.Errorf("mount %s=%s: %q is not an absolute path", m.AgentPrefix, m.CanonicalPrefix, *p)
			}
			*p = path.Clean(*p)
		}
		if seen[m.AgentPrefix] {
			return nil, fmt.Errorf("mount %s: mounted twice", m.AgentPrefix)
		}
		seen[m.AgentPrefix] = true
		r.forward = append(r.forward, m)
	}
	r.backwards = slices.Clone(r.forward)
	slices.SortStableFunc(r.forward, func(a, b Mount) int { return len(b.AgentPrefix) - len(a.AgentPrefix) })
	slices.SortStableFunc(r.backwards, func(a, b Mount) int { return len(b.CanonicalPrefix) - len(a.CanonicalPrefix) })
	return r, nil
}

// Resolve translates a path as the agent sees it. A relative one is read from "/".
func (r *Resolver) Resolve(agentPath string) Resolved {
	p := path.Clean("/" + agentPath)
	for _, m := range r.forward {
		if rest, ok := under(p, m.AgentPrefix); ok {
			return Resolved{m.FilesystemID, path.Join(m.CanonicalPrefix, rest)}
		}
	}
	return Resolved{r.id, p}
}

// Reverse returns the path under which the agent sees a canonical one, or the
// canonical path itself where it sees it under no mount.
func (r *Resolver) Reverse(canonicalPath, filesystemID string) string {
	for _, m := range r.backwards {
		if m.FilesystemID != filesystemID {
			continue
		}
		if rest, ok := under(canonicalPath, m.CanonicalPrefix); ok {
			return path.Join(m.AgentPrefix, rest)
		}
	}
	return canonicalPath
}

// Watchable reports whether the file can be watched from here: whether a mount holds
// it. On a desk the identity mount holds everything.
func (r *Resolver) Watchable(agentPath string) bool {
	p := path.Clean("/" + agentPath)
	for _, m := range r.forward {
		if _, ok := under(p, m.AgentPrefix); ok {
			return true
		}
	}
	return false
}

// under returns what follows prefix in p, where p is prefix or lies under it.
func under(p, prefix string) (rest string, ok bool) {
	if prefix == "/" {
		return p, true
	}
	if rest, ok = strings.CutPrefix(p, prefix); ok && (rest == "" || rest[0] == '/') {
		return rest, true
	}
	return "", false
}

// Identity returns the resolver of a desk: every path is what it seems, on one file
// system, and can be watched.
func Identity(filesystemID string) (*Resolver, error) {
	return NewResolver(filesystemID, Mount{AgentPrefix: "/", CanonicalPrefix: "/"})
}

// Workflow returns the resolver of a workflow's container: each of workspaces (the
// folder as the container sees it, as the host does) is the root of the file system
// repositoryID, so that machines come and go and ids stay. What lies outside is on
// machineID.
func Workflow(machineID, repositoryID string, workspaces ...string) (*Resolver, error) {
	var mounts []Mount
	for _, w := range workspaces {
		w = path.Clean("/" + w)
		if w == "/" || slices.ContainsFunc(mounts, func(m Mount) bool { return m.AgentPrefix == w }) {
			continue
		}
		mounts = append(mounts, Mount{AgentPrefix: w, CanonicalPrefix: "/", FilesystemID: repositoryID})
	}
	return NewResolver(machineID, mounts...)
}

// RepositoryFilesystemID is the id declared for the files of a repository in a
// workflow: server as in https://github.com, and the repository's number, which a
// renaming leaves alone. Where threads share a store, thread keeps them apart: a file of
// one pull request is not the same object as the file of that path in another, for a
// change to one is not seen in the other. It is "" where each thread has its own store.
func RepositoryFilesystemID(server, repositoryID, thread string) string {
	name := "github:" + strings.TrimRight(server, "/") + "/" + repositoryID
	if thread != "" {
		name += "#" + thread
	}
	return sum([]byte(name))
}

// DefaultFilesystemID is the id of this machine's file system: the sha256 of
// /etc/machine-id without its line end, else of the host name.
func DefaultFilesystemID() (string, error) {
	return defaultFilesystemID(os.ReadFile, os.Hostname)
}

func defaultFilesystemID(read func(string) ([]byte, error), hostname func() (string, error)) (string, error) {
	if b, err := read("/etc/machine-id"); err == nil {
		if id := strings.TrimSpace(string(b)); id != "" && id != "uninitialized" {
			return sum([]byte(id)), nil
		}
	}
	name, err := hostname()
	if err != nil {
		return "", fmt.Errorf("naming this machine's file system: %w", err)
	}
	if name == "" {
		return "", errors.New("naming this machine's file system: no machine id and no host name; declare a filesystem id")
	}
	return sum([]byte(name)), nil
}
