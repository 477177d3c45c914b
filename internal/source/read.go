package source

import (
	"bytes"
	"fmt"
	"runtime"
	"sync"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/text"
)

// maxTexts is how many bytes of texts are kept for whoever reads them next: content fits into a pack many times over
// before more is of use.
const maxTexts = 2 << 20

// Texts reads the files of one snapshot as UTF-8, from several goroutines if need be, and keeps what it read, up to
// maxTexts bytes. What it hands out is not to be written to.
type Texts struct {
	mu   sync.Mutex
	kept map[string]keptText
	size int
}

type keptText struct {
	text        []byte
	undecodable int
}

// NewTexts has read nothing yet.
func NewTexts() *Texts { return &Texts{kept: map[string]keptText{}} }

// Read reads a file, and counts the characters that could not be decoded.
func (t *Texts) Read(f *scan.File) (s []byte, undecodable int, err error) { return t.lend(f, nil) }

// maxLent is the largest room, in bytes, that is kept for the next file.
const maxLent = 1 << 20

// lend is Read of a text that stands in room, where there is one and it is not kept. The room is the next text's.
func (t *Texts) lend(f *scan.File, room *[]byte) (s []byte, undecodable int, err error) {
	t.mu.Lock()
	k, ok := t.kept[f.Path]
	t.mu.Unlock()
	if ok {
		return k.text, k.undecodable, nil
	}
	var last []byte
	if room != nil {
		last = *room
	}
	raw, err := f.ReadInto(last)
	if err != nil {
		return nil, 0, fmt.Errorf("reading %s: %w", claim.Shown(f.Path), err)
	}
	s, undecodable = text.Decode(raw, f.Encoding), text.Undecodable(raw, f.Encoding)
	s = s[:len(s):len(s)] // so that nobody appends into what others read
	if room != nil && cap(raw) <= maxLent {
		*room = raw
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.kept[f.Path]; !ok && t.size+len(s) <= maxTexts {
		if room != nil {
			s = bytes.Clone(s)
		}
		t.size += len(s)
		t.kept[f.Path] = keptText{s, undecodable}
	}
	return s, undecodable, nil
}

// Each reads files on all processors, and hands each to do, which keeps no part of the text. The error is that of the first file that
// could not be read.
func (t *Texts) Each(files []*scan.File, do func(i int, b []byte, undecodable int)) error {
	errs := make([]error, len(files))
	var wg sync.WaitGroup
	next := make(chan int)
	for range min(runtime.GOMAXPROCS(0), 8) {
		wg.Go(func() {
			var room []byte
			for i := range next {
				b, undecodable, err := t.lend(files[i], &room)
				if err != nil {
					errs[i] = err
					continue
				}
				do(i, b, undecodable)
			}
		})
	}
	for i := range files {
		next <- i
	}
	close(next)
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// LineError is an error with its line in the file.
type LineError struct {
	// Line counts from 1; 0 where none is known.
	Line int
	Err  error
}

// Error is the error without its line.
func (l LineError) Error() string { return l.Err.Error() }
