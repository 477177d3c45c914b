package repo

import (
	"bytes"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"

	"github.com/haversack-dev/haversack/internal/tree"
)

// Commits, tags and folders are decoded here and not by go-git, which joins the lines
// of a signature one by one: 900 KB of them took a minute. Of a commit only what stands
// before its message is read, of that only what this program asks for, and the message's beginning.

// commit is what is read of a commit.
type commit struct {
	id, tree plumbing.Hash
	// parents as the commit names them.
	parents []plumbing.Hash
	// when is the committer's time, in UTC; the zero time where it cannot be told.
	when time.Time
	// message is what its author says, as it is, maxMessage bytes of it at most.
	message string
}

// maxMessage bounds what is read of a commit's message.
const maxMessage = 16 << 10

// header cuts the first line of an object's head off, and its first word off that. rest is nil at
// the end of the head.
func header(b []byte) (key, value, rest []byte) {
	line, rest, more := bytes.Cut(b, []byte{'\n'})
	if len(line) == 0 {
		return nil, nil, nil
	}
	key, value, _ = bytes.Cut(line, []byte{' '})
	if !more {
		rest = nil
	}
	return key, value, rest
}

// named reads the id that a header names.
func named(value []byte, kind, key string) (plumbing.Hash, error) {
	id := string(value[:min(len(value), 2*len(plumbing.ZeroHash)+1)])
	if !plumbing.IsHash(id) || len(id) != 2*len(plumbing.ZeroHash) {
		return plumbing.ZeroHash, damaged("the header %s of a %s names no object", key, kind)
	}
	return plumbing.NewHash(id), nil
}

// decodeCommit reads the commit id, whose content is b. As git has it, the tree comes first, and the
// parents follow it; of the other headers the first committer counts.
func decodeCommit(id plumbing.Hash, b []byte) (*commit, error) {
	c := &commit{id: id}
	key, value, rest := header(b)
	if string(key) != "tree" {
		return nil, damaged("a commit does not begin with its tree")
	}
	var err error
	if c.tree, err = named(value, "commit", "tree"); err != nil {
		return nil, err
	}
	for key, value, rest = header(rest); string(key) == "parent"; key, value, rest = header(rest) {
		p, err := named(value, "commit", "parent")
		if err != nil {
			return nil, err
		}
		c.parents = append(c.parents, p)
	}
	if at := bytes.Index(b, []byte("\n\n")); at >= 0 {
		message := b[at+2:]
		c.message = strings.TrimSpace(strings.ToValidUTF8(string(message[:min(len(message), maxMessage)]), "\uFFFD"))
	}
	// A line that continues one before it begins with a space: its key is empty.
	for ; key != nil; key, value, rest = header(rest) {
		if string(key) == "committer" {
			c.when = dated(value)
			break
		}
	}
	return c, nil
}

// dated is the time in "NAME <ADDRESS> SECONDS ZONE".
func dated(value []byte) time.Time {
	at := bytes.LastIndexByte(value, '>')
	if at < 0 || bytes.LastIndexByte(value, '<') > at {
		return time.Time{}
	}
	digits, _, _ := bytes.Cut(bytes.TrimPrefix(value[at+1:], []byte{' '}), []byte{' '})
	const most = 20 // digits of the longest number, and its sign
	n, err := strconv.ParseInt(string(digits[:min(len(digits), most+1)]), 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(n, 0).UTC()
}

// decodeTag returns what a tag points to.
func decodeTag(b []byte) (plumbing.Hash, error) {
	key, value, _ := header(b)
	if string(key) != "object" {
		return plumbing.ZeroHash, damaged("a tag does not begin with its object")
	}
	return named(value, "tag", "object")
}

// idSize is the size of an id in a folder's entry.
const idSize = len(plumbing.ZeroHash)

// decodeTree reads the entries of a folder, in the order of package tree. One that git could not
// check out (an entry called "..", two of one name) is damaged.
func decodeTree(b []byte) (*folder, error) {
	// The names share one string: there may be a million.
	text := string(b)
	n := 0
	for at := 0; at < len(text); n++ {
		end := strings.IndexByte(text[at:], 0)
		if end < 0 || at+end+1+idSize > len(text) {
			return nil, damaged("an entry of a folder is cut off")
		}
		at += end + 1 + idSize
	}
	f := &folder{entries: make([]entry, 0, n)}
	for len(text) > 0 {
		end := strings.IndexByte(text, 0)
		digits, name, _ := strings.Cut(text[:end], " ")
		mode, err := strconv.ParseUint(digits, 8, 32)
		if err != nil {
			return nil, damaged("an entry of a folder has no mode")
		}
		if !tree.Valid(name) || name == "." || strings.IndexByte(name, '/') >= 0 {
			return nil, damaged("an entry is called %q", name)
		}
		e := entry{name: name, mode: modeOf(canonical(uint32(mode)))}
		copy(e.id[:], text[end+1:])
		f.entries = append(f.entries, e)
		text = text[end+1+idSize:]
	}
	if !slices.IsSortedFunc(f.entries, entry.compare) {
		slices.SortFunc(f.entries, entry.compare)
	}
	for i, e := range f.entries {
		twice := i > 0 && e.compare(f.entries[i-1]) == 0
		if !twice && e.isDir() { // a file of its name stands elsewhere
			_, twice = f.search(entry{name: e.name})
		}
		if twice {
			return nil, damaged("two entries are called %q", e.name)
		}
	}
	return f, nil
}

// canonical is one of the modes that git writes: what is none of them is a submodule.
func canonical(mode uint32) filemode.FileMode {
	switch {
	case mode&0o170000 == 0o040000:
		return filemode.Dir
	case mode&0o170000 == 0o120000:
		return filemode.Symlink
	case mode&0o170000 != 0o100000:
		return filemode.Submodule
	case mode&0o111 != 0:
		return filemode.Executable
	}
	return filemode.Regular
}

// compare orders entries as package tree orders what is below them: a folder as if its name ended
// with a slash.
func (e entry) compare(o entry) int {
	n := min(len(e.name), len(o.name))
	if d := strings.Compare(e.name[:n], o.name[:n]); d != 0 {
		return d
	}
	return e.after(n) - o.after(n)
}

// after is the byte that stands behind the first n of a name, -1 at its end.
func (e entry) after(n int) int {
	switch {
	case n < len(e.name):
		return int(e.name[n])
	case e.isDir():
		return '/'
	}
	return -1
}

// search finds an entry by its name, and by whether it is a folder.
func (f *folder) search(e entry) (int, bool) {
	return slices.BinarySearchFunc(f.entries, e, entry.compare)
}

// find returns the entry called name.
func (f *folder) find(name string) (entry, bool) {
	i, ok := f.search(entry{name: name})
	if !ok {
		if i, ok = f.search(entry{name: name, mode: fs.ModeDir}); !ok {
			return entry{}, false
		}
	}
	return f.entries[i], true
}
