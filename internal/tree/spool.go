package tree

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
)

// spoolMemory is how many bytes a Spool keeps in memory before it goes to disk.
// Small repositories then never touch the disk.
const spoolMemory = 8 << 20

// spoolBlock is the size of the pieces in which that memory is taken, in bytes. They
// never move: what was kept in a slice that grows would keep each of its sizes alive.
const spoolBlock = 256 << 10

// Spool keeps content that has been read and screened once, so that archives
// and packs are made from the very bytes that were approved, however often the
// file on disk changes meanwhile. It is append-only: a file's bytes, once
// returned, stay as they are. The first 8 MiB stay in memory, the rest goes to
// one temporary file, which has no name on systems that allow that.
type Spool struct {
	dir string

	mu   sync.Mutex
	mem  int    // bytes in memory
	free []byte // the rest of the last block
	file *os.File
	size int64 // bytes in file
}

// NewSpool returns an empty spool that puts its temporary file in dir ("" means
// the system's folder for them).
func NewSpool(dir string) *Spool { return &Spool{dir: dir} }

// Add keeps a copy of content and returns it as a file.
func (s *Spool) Add(name string, mode fs.FileMode, content []byte) (File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	size := int64(len(content))
	if s.file == nil && s.mem+len(content) <= spoolMemory {
		s.mem += len(content)
		if len(content) > len(s.free) {
			s.free = make([]byte, max(spoolBlock, len(content)))
		}
		kept := s.free[:copy(s.free, content):len(content)]
		s.free = s.free[len(content):]
		return NewFile(name, mode, size, "", func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(kept)), nil
		}), nil
	}
	if s.file == nil {
		f, err := os.CreateTemp(s.dir, "haversack-spool-*")
		if err != nil {
			return File{}, fmt.Errorf("keeping screened content: %w", err)
		}
		os.Remove(f.Name()) // Windows refuses; Close removes it there.
		s.file = f
	}
	from := s.size
	if _, err := s.file.WriteAt(content, from); err != nil {
		return File{}, fmt.Errorf("keeping screened content: %w", err)
	}
	s.size += size
	f := s.file
	return NewFile(name, mode, size, "", func() (io.ReadCloser, error) {
		return io.NopCloser(io.NewSectionReader(f, from, size)), nil
	}), nil
}

// Close frees the spool. Its files no longer open.
func (s *Spool) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = nil
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	os.Remove(s.file.Name())
	s.file = nil
	return err
}
