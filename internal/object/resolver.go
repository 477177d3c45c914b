package object

import (
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Mount says that what the agent sees under one prefix is, canonically, under another.
type Mount struct {
	AgentPrefix, CanonicalPrefix string
	FilesystemID                 string
}

// Location is a canonical path and the file system it is on.
type Location struct {
	FilesystemID, CanonicalPath string
}

// Source returns the binding of the file.
func (r Location) Source() Source { return Filesystem(r.FilesystemID, r.CanonicalPath) }

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
func (r *Resolver) Resolve(agentPath string) Location {
	p := path.Clean("/" + agentPath)
	for _, m := range r.forward {
		if rest, ok := under(p, m.AgentPrefix); ok {
			return Location{m.FilesystemID, path.Join(m.CanonicalPrefix, rest)}
		}
	}
	return Location{r.id, p}
}

// Reverse returns the path under which the agent sees a canonical one, or the
// canonical path itself where it sees it under no mount: a mount that lies over the place
// hides it.
func (r *Resolver) Reverse(canonicalPath, filesystemID string) string {
	for _, m := range r.backwards {
		if m.FilesystemID != filesystemID {
			continue
		}
		if rest, ok := under(canonicalPath, m.CanonicalPrefix); ok {
			if p := path.Join(m.AgentPrefix, rest); r.Resolve(p) == (Location{filesystemID, canonicalPath}) {
				return p
			}
		}
	}
	return canonicalPath
}

// AgentPath returns the path under which the agent sees a folder that this program sees
// at dir: dir itself where a mount shows the agent something there, else what the mount that
// dir is the other side of makes of it, else dir.
func (r *Resolver) AgentPath(dir string) string {
	dir = path.Clean("/" + dir)
	if r.Watchable(dir) {
		return dir
	}
	for _, m := range r.backwards {
		if p := r.Reverse(dir, m.FilesystemID); p != dir {
			return p
		}
	}
	return dir
}

// Below returns a path that the agent names relative to a folder that it sees as root; false where
// it lies elsewhere, or is the folder.
func (r *Resolver) Below(root, agentPath string) (rel string, ok bool) {
	at, own := r.Resolve(agentPath), r.Resolve(root)
	rest, ok := under(at.CanonicalPath, own.CanonicalPath)
	rest = strings.TrimPrefix(rest, "/")
	return rest, ok && rest != "" && at.FilesystemID == own.FilesystemID
}

// Encloses reports whether a mount lies below a folder.
func (r *Resolver) Encloses(agentPath string) bool {
	p := path.Clean("/" + agentPath)
	return slices.ContainsFunc(r.forward, func(m Mount) bool {
		_, ok := under(m.AgentPrefix, p)
		return ok
	})
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

// maxMounts bounds the mounts that a user declares.
const maxMounts = 100

// ParseMounts reads mounts, a line agent-prefix=canonical-prefix[=filesystem-id] each; empty
// lines are passed over. Both prefixes are absolute. Agent prefixes may lie in one another: the longest
// counts. An error names the line, and what is wrong with it: two names for one
// place, one place for two names, or a mount that shows its own other side again.
func ParseMounts(lines []string) ([]Mount, error) {
	var mounts []Mount
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if len(mounts) == maxMounts {
			return nil, fmt.Errorf("more than %d mounts", maxMounts)
		}
		m, err := parseMount(line)
		if err == nil {
			err = m.fits(mounts)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d, %q: %w", i+1, clip(line), err)
		}
		mounts = append(mounts, m)
	}
	return mounts, loop(mounts)
}

// parseMount reads one mount.
func parseMount(line string) (Mount, error) {
	agent, canonical, ok := strings.Cut(line, "=")
	canonical, id, named := strings.Cut(canonical, "=")
	if !ok || agent == "" || canonical == "" || named && id == "" {
		return Mount{}, errors.New("it is agent-prefix=canonical-prefix[=filesystem-id], such as /workspace=/home/me/project")
	}
	for _, p := range []string{agent, canonical} {
		if !strings.HasPrefix(p, "/") {
			return Mount{}, fmt.Errorf("%q is relative: a prefix begins with /", clip(p))
		}
		for part := range strings.SplitSeq(p, "/") {
			if part == "." || part == ".." {
				return Mount{}, fmt.Errorf("%q holds %q: a prefix is written out", clip(p), part)
			}
		}
		if err := CheckPath(path.Clean(p)); err != nil {
			return Mount{}, err
		}
	}
	if named {
		if err := CheckFilesystemID(id); err != nil {
			return Mount{}, err
		}
	}
	return Mount{AgentPrefix: path.Clean(agent), CanonicalPrefix: path.Clean(canonical), FilesystemID: id}, nil
}

// fits tells why a mount cannot stand beside others, or returns nil.
func (m Mount) fits(others []Mount) error {
	for _, o := range others {
		if o.AgentPrefix == m.AgentPrefix {
			return fmt.Errorf("%s is mounted twice", m.AgentPrefix)
		}
		if o.FilesystemID != m.FilesystemID {
			continue
		}
		// One lies in the other: both have to say the same of what they share.
		outer, inner := o, m
		rest, ok := under(inner.CanonicalPrefix, outer.CanonicalPrefix)
		if !ok {
			outer, inner = m, o
			rest, ok = under(inner.CanonicalPrefix, outer.CanonicalPrefix)
		}
		if ok && path.Join(outer.AgentPrefix, rest) != inner.AgentPrefix {
			return fmt.Errorf("it overlaps %s=%s: what lies in %s would have two names, below %s and below %s; leave one out", o.AgentPrefix, o.CanonicalPrefix, inner.CanonicalPrefix, path.Join(outer.AgentPrefix, rest), inner.AgentPrefix)
		}
	}
	return nil
}

// loop tells of a mount from whose other side mounts lead back to it: of a path there it could not
// be said on which side it is. A mount of a folder in its own place is none.
func loop(mounts []Mount) error {
	over := func(p string) (over Mount, ok bool) {
		for _, m := range mounts {
			if _, in := under(p, m.AgentPrefix); in && (!ok || len(m.AgentPrefix) > len(over.AgentPrefix)) {
				over, ok = m, true
			}
		}
		return over, ok
	}
	for _, m := range mounts {
		at := m
		for range mounts {
			next, ok := over(at.CanonicalPrefix)
			if !ok || next.AgentPrefix == next.CanonicalPrefix {
				break
			}
			if next == m {
				return fmt.Errorf("%s=%s loops: %s is shown to the agent below %s again", m.AgentPrefix, m.CanonicalPrefix, at.CanonicalPrefix, m.AgentPrefix)
			}
			at = next
		}
	}
	return nil
}

// CheckFilesystemID tells why a word cannot name a file system, or returns nil.
func CheckFilesystemID(id string) error {
	if id == "" || len(id) > MaxID || !utf8.ValidString(id) || strings.ContainsFunc(id, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return fmt.Errorf("filesystem id %q: it is one printable line of at most %d bytes", clip(id), MaxID)
	}
	return nil
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

// With returns the resolver with mounts beside its own; one of the same agent prefix takes its
// place. Those that name no file system are on filesystemID.
func (r *Resolver) With(filesystemID string, mounts ...Mount) (*Resolver, error) {
	all := slices.Clone(mounts)
	for i := range all {
		if all[i].FilesystemID == "" {
			all[i].FilesystemID = filesystemID
		}
	}
	for _, m := range r.forward {
		if !slices.ContainsFunc(mounts, func(o Mount) bool { return o.AgentPrefix == m.AgentPrefix }) {
			all = append(all, m)
		}
	}
	return NewResolver(r.id, all...)
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
