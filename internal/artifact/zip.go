package artifact

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"os"
	"path"

	"github.com/klauspost/compress/flate"

	"github.com/haversack-dev/haversack/internal/tree"
)

// File is one member of an artifact.
type File struct {
	// Name is the path inside the artifact, slash-separated.
	Name string
	// SHA256 in lower hex is what the bytes must be; "" = not known.
	SHA256 string
	// Open yields the bytes. It is called more than once.
	Open func() (io.ReadCloser, error)
}

// In returns the regular file at, of a folder that stays open, as a member called name.
// What has become a link by the time it is read is no file.
func In(name string, folder *os.Root, at string) File {
	return File{Name: name, Open: func() (io.ReadCloser, error) {
		f, _, err := tree.OpenIn(folder, at, os.O_RDONLY, 0)
		return f, err
	}}
}

// member is a File whose bytes were read once.
type member struct {
	File
	size int64
	crc  uint32
}

// measure reads every file once: size, check sum, and sha256 where one is wanted.
func measure(files []File) ([]member, error) {
	if len(files) == 0 {
		return nil, errors.New("an artifact needs at least one file")
	}
	seen := map[string]bool{}
	var all []member
	for _, f := range files {
		if err := checkMember(f.Name); err != nil {
			return nil, err
		}
		if seen[f.Name] {
			return nil, fmt.Errorf("file name %q stands twice in the artifact", f.Name)
		}
		seen[f.Name] = true
		m := member{File: f}
		crc := crc32.NewIEEE()
		var sum hash.Hash
		var w io.Writer = crc
		if f.SHA256 != "" {
			sum = sha256.New()
			w = io.MultiWriter(crc, sum)
		}
		n, err := m.copyTo(w)
		if err != nil {
			return nil, err
		}
		if sum != nil && hex.EncodeToString(sum.Sum(nil)) != f.SHA256 {
			return nil, fmt.Errorf("%s is not the file that was packed: its sha256 differs", f.Name)
		}
		m.size, m.crc = n, crc.Sum32()
		all = append(all, m)
	}
	return all, nil
}

func (m member) copyTo(w io.Writer) (int64, error) {
	r, err := m.Open()
	if err != nil {
		return 0, err
	}
	defer r.Close()
	return io.Copy(w, r)
}

// send writes the bytes of m, and fails when they are not those measured.
func (m member) send(w io.Writer) error {
	crc := crc32.NewIEEE()
	n, err := m.copyTo(io.MultiWriter(w, crc))
	if err != nil {
		return err
	}
	if n != m.size || crc.Sum32() != m.crc {
		return fmt.Errorf("%s changed while it was uploaded", m.Name)
	}
	return nil
}

// MaxLevel is the highest compression level.
const MaxLevel = 9

// compressed reports whether a member's bytes are compressed already, so that doing it
// again would cost time and save nothing.
func (m member) compressed() bool {
	switch path.Ext(m.Name) {
	case ".zst", ".gz", ".zip":
		return true
	}
	return false
}

// writeZip writes the members as a zip, its entries deflated at a level from 1 to
// MaxLevel, or stored at 0. A stored entry has its sizes in front of its data; those of
// a deflated one are known, and stand, behind it, as the published client writes them.
func writeZip(w io.Writer, members []member, level int) error {
	zw := zip.NewWriter(w)
	zw.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, level) })
	for _, m := range members {
		e, err := createEntry(zw, m, level)
		if err != nil {
			return err
		}
		if err := m.send(e); err != nil {
			return err
		}
	}
	return zw.Close()
}

// createEntry begins an entry, with the fixed time and mode that all have.
func createEntry(zw *zip.Writer, m member, level int) (io.Writer, error) {
	h := &zip.FileHeader{
		Name:           m.Name,
		Method:         zip.Store,
		CreatorVersion: 3<<8 | 20, // unix, 2.0
		ReaderVersion:  20,
		Flags:          0x800, // the name is UTF-8
		//lint:ignore SA1019 a raw entry's date is this field; Modified is not looked at
		ModifiedDate:  1<<5 | 1,
		ExternalAttrs: 0o100644 << 16,
	}
	if level > 0 && m.size > 0 && !m.compressed() {
		h.Method = zip.Deflate
		return zw.CreateHeader(h)
	}
	h.CRC32, h.CompressedSize64, h.UncompressedSize64 = m.crc, uint64(m.size), uint64(m.size)
	if m.size >= 1<<32-1 {
		// The format's long sizes stand behind the data, where the
		// standard library writes them.
		h.Flags |= 0x8
	}
	return zw.CreateRaw(h)
}

// ErrNoMember is returned by Member when the artifact has no file of that name.
var ErrNoMember = errors.New("no such file in the artifact")

// maxDirectory bounds what of an artifact is read beside the file wanted, in
// bytes: an artifact of ours has a handful of entries.
const maxDirectory = 4 << 20

// Member returns the file called name out of a downloaded artifact, which may be
// anybody's: entries of other names are not looked at, and a name that stands
// twice, an entry that is not a regular file, is over max bytes, or whose check
// sum is wrong, is an error. At most max bytes and 4 MiB are read.
func Member(r io.ReaderAt, size int64, name string, max int64) ([]byte, error) {
	z, err := zip.NewReader(&allowance{r, max + maxDirectory}, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, fmt.Errorf("reading the artifact: %w", err)
	}
	var found *zip.File
	for _, f := range z.File {
		if f.Name != name {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("reading the artifact: %q stands twice in it", name)
		}
		found = f
	}
	switch {
	case found == nil:
		return nil, ErrNoMember
	case !found.Mode().IsRegular():
		return nil, fmt.Errorf("reading the artifact: %q is not a regular file", name)
	case found.UncompressedSize64 > uint64(max):
		return nil, fmt.Errorf("reading the artifact: %q is over %d bytes", name, max)
	}
	e, err := found.Open()
	if err != nil {
		return nil, fmt.Errorf("reading %q in the artifact: %w", name, err)
	}
	defer e.Close()
	data, err := io.ReadAll(io.LimitReader(e, max+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading %q in the artifact: %w", name, err)
	case int64(len(data)) > max:
		return nil, fmt.Errorf("reading the artifact: %q is over %d bytes", name, max)
	}
	return data, nil
}

// allowance reads so many bytes of r and no more.
type allowance struct {
	r    io.ReaderAt
	left int64
}

func (a *allowance) ReadAt(p []byte, off int64) (int, error) {
	if a.left -= int64(len(p)); a.left < 0 {
		return 0, errors.New("too much of it would have to be read")
	}
	return a.r.ReadAt(p, off)
}
