// Package archive writes, lists and verifies the tar archives of a run.
//
// The bytes of an archive are a function of its files and one time alone:
//
//   - Members are sorted bytewise by name. No name stands twice.
//   - A member is a regular file or a symbolic link. There are no entries for
//     directories.
//   - Mode is 0644, or 0755 for what may be run; of a link 0777.
//   - Owner and group are 0 and have no names. The time is the same for all
//     members, in whole seconds, and lies between 1970 and 2242: the author of a
//     commit sets its date to what he likes, and ustar holds no other.
//   - The format is ustar; a PAX header stands only before a member whose name
//     or size ustar cannot hold.
//   - The archive ends with two zero blocks, and nothing after them.
//
// With compression the same tar is one zstd frame.
package archive

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/maphash"
	"io"
	"io/fs"
	"math"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/haversack-dev/haversack/internal/tree"
)

// Member is what an archive holds under one name.
type Member struct {
	Path string      `json:"path"`
	Mode fs.FileMode `json:"-"`
	// Size in bytes of the content; 0 for a link.
	Size int64 `json:"size_bytes"`
	// SHA256 of the content, of a link of its target, in lower hex.
	SHA256 string `json:"sha256"`
	// Link is the target where the member is a symbolic link.
	Link string `json:"-"`
}

// Write writes files to w as one tar and returns its members, in order. Files
// must be sorted by path, without repetition. A file that yields fewer or more
// bytes than its size, or others than its sum is of, is an error: the archive is then
// not complete. The sum that a file has is its member's, and not taken again.
func Write(w io.Writer, files []tree.File, at time.Time) ([]Member, error) {
	tw := tar.NewWriter(w)
	at = time.Unix(min(max(at.Unix(), 0), maxTime), 0)
	if len(files) > maxMembers {
		return nil, fmt.Errorf("%d files, and the limit is %d", len(files), maxMembers)
	}
	members := make([]Member, 0, len(files))
	wr := &writer{tar: tw, at: at, buf: make([]byte, 256<<10), sum: sha256.New()}
	for i, f := range files {
		if i > 0 && files[i-1].Path >= f.Path {
			return nil, fmt.Errorf("writing %q: out of order after %q", f.Path, files[i-1].Path)
		}
		if len(f.Path) > maxName {
			return nil, fmt.Errorf("writing a file whose name has %d bytes: the limit is %d", len(f.Path), maxName)
		}
		m, err := wr.write(f)
		if err != nil {
			return nil, fmt.Errorf("writing %q: %w", f.Path, err)
		}
		members = append(members, m)
	}
	return members, tw.Close()
}

// writer writes one archive.
type writer struct {
	tar *tar.Writer
	at  time.Time
	buf []byte
	sum hash.Hash    // of a member whose sum is not known
	old maphash.Hash // of one whose sum is
}

func (w *writer) write(f tree.File) (Member, error) {
	m := Member{Path: f.Path, Mode: f.Mode}
	h := &tar.Header{Name: f.Path, Mode: 0o644, ModTime: w.at, Typeflag: tar.TypeReg, Size: f.Size}
	if f.Mode&fs.ModeSymlink != 0 {
		target, err := f.Read()
		if err != nil {
			return m, err
		}
		m.Link = string(target)
		sum := sha256.Sum256(target)
		h.Typeflag, h.Linkname, h.Mode, h.Size = tar.TypeSymlink, m.Link, 0o777, 0
		m.SHA256 = hex.EncodeToString(sum[:])
		return m, w.tar.WriteHeader(h)
	}
	if f.Mode&0o111 != 0 {
		h.Mode = 0o755
	}
	if err := w.tar.WriteHeader(h); err != nil {
		return m, err
	}
	r, err := f.Open()
	if err != nil {
		return m, err
	}
	defer r.Close()
	known := f.Sum()
	var hashed io.Writer = w.sum
	if w.sum.Reset(); known != nil {
		known.Begin(&w.old)
		hashed = &w.old
	}
	// The struct hides ReadFrom and WriteTo, which would bypass the buffer.
	m.Size, err = io.CopyBuffer(struct{ io.Writer }{io.MultiWriter(w.tar, hashed)}, struct{ io.Reader }{r}, w.buf)
	switch {
	case err != nil:
		return m, err
	case m.Size != f.Size:
		return m, fmt.Errorf("holds %d bytes, not %d", m.Size, f.Size)
	case known == nil:
		m.SHA256 = hex.EncodeToString(w.sum.Sum(nil))
	case known.Same(&w.old):
		m.SHA256 = known.SHA256
	default:
		return m, errors.New("holds other bytes than when it was read")
	}
	return m, nil
}

// Limits on what Read takes from an archive it does not trust, and Write keeps.
const (
	// maxMembers is beyond the files that a repository may have.
	maxMembers = 1 << 20
	// maxName and maxLink are beyond the longest paths, of 4096 bytes.
	maxName = 1 << 16
	maxLink = 1 << 16
	// maxTime is the last second that ustar has room for, in 2242.
	maxTime = 1<<33 - 1
	// maxPadding is how many zeros may follow the end: tar programs write 10 KiB.
	maxPadding = 1 << 20
)

// Read lists the members of the tar r, compressed or not, and calls visit, if
// not nil, with the content of each; that of a link is empty. It refuses what
// Write never makes: other kinds of members, names that leave the root, owners and
// remarks in headers, anything behind the end, more than a million members.
func Read(r io.Reader, visit func(Member, io.Reader) error) ([]Member, error) {
	return ReadUpTo(r, math.MaxInt64, visit)
}

// ReadUpTo is Read of at most limit bytes of the tar, not compressed: what follows is
// not expanded, and is an error.
func ReadUpTo(r io.Reader, limit int64, visit func(Member, io.Reader) error) ([]Member, error) {
	plain, err := expand(r)
	if err != nil {
		return nil, err
	}
	plain = &upTo{plain, limit, limit}
	tr := tar.NewReader(plain)
	var members []Member
	sum := sha256.New()
	for {
		h, err := tr.Next()
		if err == io.EOF {
			return members, onlyZeros(plain)
		}
		if err != nil {
			return members, fmt.Errorf("after %d members: %w", len(members), truncated(err))
		}
		if len(members) >= maxMembers || len(h.Name) > maxName || len(h.Linkname) > maxLink {
			return members, fmt.Errorf("after %d members: too many members, or a name that is too long", len(members))
		}
		m := Member{Path: h.Name, Size: h.Size, Mode: fs.FileMode(h.Mode).Perm()}
		if !tree.Valid(h.Name) || h.Name == "." {
			return members, fmt.Errorf("member %q: not a path inside the root", h.Name)
		}
		for key := range h.PAXRecords {
			if key != "path" && key != "linkpath" {
				return members, fmt.Errorf("member %q: a record %q in its header", h.Name, key)
			}
		}
		if h.Uname != "" || h.Gname != "" || h.Uid != 0 || h.Gid != 0 {
			return members, fmt.Errorf("member %q: an owner in its header", h.Name)
		}
		sum.Reset()
		switch h.Typeflag {
		case tar.TypeReg:
			body := io.TeeReader(tr, sum)
			if visit != nil {
				if err := visit(m, body); err != nil {
					return members, truncated(err)
				}
			}
			if _, err := io.Copy(io.Discard, body); err != nil {
				return members, fmt.Errorf("member %q: %w", h.Name, truncated(err))
			}
		case tar.TypeSymlink:
			m.Link, m.Size, m.Mode = h.Linkname, 0, fs.ModeSymlink|0o777
			io.WriteString(sum, h.Linkname)
			if visit != nil {
				if err := visit(m, strings.NewReader("")); err != nil {
					return members, truncated(err)
				}
			}
		default:
			return members, fmt.Errorf("member %q: neither a file nor a link (type %q)", h.Name, h.Typeflag)
		}
		m.SHA256 = hex.EncodeToString(sum.Sum(nil))
		members = append(members, m)
	}
}

// upTo is a reader that fails once it has yielded limit bytes.
type upTo struct {
	io.Reader
	limit, left int64
}

func (u *upTo) Read(p []byte) (int, error) {
	if u.left == 0 {
		// The end may be here.
		if n, err := u.Reader.Read(make([]byte, 1)); n == 0 {
			return 0, err
		}
		return 0, fmt.Errorf("it holds more than the %d bytes that it may", u.limit)
	}
	n, err := u.Reader.Read(p[:min(int64(len(p)), u.left)])
	u.left -= int64(n)
	return n, err
}

// Room is how many bytes the tar of members takes at most.
func Room(members []Member) int64 {
	const blocks = 8 << 10 // headers, what names take in them, padding
	n := int64(maxPadding)
	for _, m := range members {
		n += blocks + 2*int64(len(m.Path)+len(m.Link)) + max(m.Size, 0)
	}
	return n
}

// onlyZeros reads to the end of what pads a tar.
func onlyZeros(r io.Reader) error {
	buf := make([]byte, 32<<10)
	for all := 0; ; {
		n, err := r.Read(buf)
		if all += n; all > maxPadding {
			return fmt.Errorf("more than %d zeros stand behind the end of the archive", maxPadding)
		}
		if len(bytes.Trim(buf[:n], "\x00")) > 0 {
			return errors.New("something stands behind the end of the archive")
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return truncated(err)
		}
	}
}

func truncated(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the archive is cut off")
	}
	return err
}

// Compressor returns a writer that compresses to w as one zstd frame. The
// bytes do not depend on the machine.
func Compressor(w io.Writer) (io.WriteCloser, error) {
	return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault))
}

// expand returns r decompressed when it begins as a zstd frame does.
func expand(r io.Reader) (io.Reader, error) {
	magic := make([]byte, 4)
	n, err := io.ReadFull(r, magic)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return nil, err
	}
	all := io.MultiReader(byteReader(magic[:n]), r)
	if n == 4 && magic[0] == 0x28 && magic[1] == 0xB5 && magic[2] == 0x2F && magic[3] == 0xFD {
		d, err := zstd.NewReader(all, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(256<<20))
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	}
	return all, nil
}
