package rank

import (
	"bytes"
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/tree"
)

const (
	// maxText is the largest file whose text is looked at: a larger one fits no
	// budget in use, and ranks by its path, imports and history.
	maxText = 1 << 20
	// maxWords bounds the different identifiers of one file; those that come
	// later in it do not count.
	maxWords = 1 << 16
	// wholeNames is the size of a repository in which every name is followed.
	// In one n times as large, one name in n is, beside those of the change.
	wholeNames = 256 << 20
)

// fileTerms is what one pass over a file's bytes leaves. Of a file that shares
// nothing with the change only its length and its names are left.
type fileTerms struct {
	length  uint32    // parts in it, repetitions included
	terms   []posting // parts of the query in it, by index
	idents  []termHit // identifiers of the query in it, by index
	names   []uint32  // hashes of its identifiers of 4 letters or more, sorted
	defined []uint32  // hashes of those that it defines, sorted

	// Of a task: the pairs and phrases in it, by index, parts of the query in the names that it defines, and all parts of those.
	pairs, phrases []uint16
	heads          []posting
	headLength     uint32
	// generated says that a program writes it.
	generated bool
}

type posting struct{ term, count uint16 }

// termHit is an identifier of the query in a file, and the line where it first stands.
type termHit struct {
	ident uint32
	line  uint32
}

// scanner holds what all files are compared with, and is only read.
type scanner struct {
	parts, idents *table
	nParts        int
	asked         *taskWords      // nil without a task
	names         map[uint32]bool // names that are always followed
	sample        uint32          // beside them, one in so many is
}

// nameHash is the hash by which names are kept.
func nameHash(h uint64) uint32 { return uint32(h >> 32) }

// worker holds the buffers that one file after the other is read into.
type worker struct {
	*scanner
	slots  []slot
	age    uint32
	used   []uint32 // indices of slots of this age, in order of appearance
	counts []uint32
	found  []uint16
	run    phrase
	heard  uint32   // counts the texts
	pairs  []uint32 // by index, the text in which a pair was found last
	phrase []uint32
	named  []uint32 // the hashes of names of this text
	text   []byte   // the room of the last text
}

type slot struct {
	key   uint64
	age   uint32
	count uint32
	at    uint32 // where the word first stands
	size  uint32
}

func (s *scanner) worker() *worker {
	w := &worker{scanner: s, counts: make([]uint32, s.nParts)}
	if s.asked != nil {
		w.pairs, w.phrase = make([]uint32, s.asked.nPairs), make([]uint32, s.asked.nPhrase)
	}
	return w
}

// room makes the table of words as large as a text of so many bytes needs, and returns the mask of its places.
func (w *worker) room(size int) uint64 {
	mask := uint64(2*maxWords - 1)
	for small := uint64(1 << 10); small < mask; small *= 2 {
		if small > uint64(size)/2 {
			mask = small - 1 // a file of n bytes has fewer than n/4 words
			break
		}
	}
	if uint64(len(w.slots)) <= mask {
		w.slots, w.age = make([]slot, mask+1), 1
	}
	return mask
}

// read passes over a text once.
func (w *worker) read(f family, text []byte, defined []string) fileTerms {
	text = text[:min(len(text), maxText)]
	var k fileTerms
	if bytes.IndexByte(text[:min(len(text), 8<<10)], 0) >= 0 {
		return k // binary
	}
	w.age++
	w.used = w.used[:0]
	mask := w.room(len(text))
	w.run = phrase{}
	w.heard++
	eachHashed(text, func(word []byte, at int, key uint64) {
		if w.asked != nil {
			w.hear(&k, key)
		}
		for i := key & mask; ; i = (i + 1) & mask {
			s := &w.slots[i]
			if s.age != w.age {
				if len(w.used) < maxWords {
					*s = slot{key, w.age, 1, uint32(at), uint32(len(word))}
					w.used = append(w.used, uint32(i))
				}
				return
			}
			if s.key == key {
				s.count++
				return
			}
		}
	})
	w.found = w.found[:0]
	line, before := uint32(1), 0
	for _, i := range w.used {
		s := &w.slots[i]
		word := text[s.at : s.at+s.size]
		eachPart(word, func(part []byte) {
			k.length += s.count
			if t := w.parts.find(hashPart(part)); t >= 0 {
				if w.counts[t] == 0 {
					w.found = append(w.found, uint16(t))
				}
				w.counts[t] += s.count
			}
		})
		if t := w.idents.find(s.key); t >= 0 {
			line += uint32(bytes.Count(text[before:s.at], []byte{'\n'}))
			before = int(s.at)
			k.idents = append(k.idents, termHit{uint32(t), line})
		}
	}
	if len(w.found) > 0 {
		slices.Sort(w.found)
		k.terms = make([]posting, len(w.found))
		for i, t := range w.found {
			k.terms[i] = posting{t, uint16(min(w.counts[t], 1<<16-1))}
			w.counts[t] = 0
		}
	}
	slices.SortFunc(k.idents, func(a, b termHit) int { return int(a.ident) - int(b.ident) })
	if f == noFamily {
		return k
	}
	w.named = w.named[:0]
	for _, i := range w.used {
		if s := &w.slots[i]; s.size >= 4 {
			if name := nameHash(s.key); w.follows(name) {
				w.named = append(w.named, name)
			}
		}
	}
	slices.Sort(w.named)
	k.names = slices.Clone(slices.Compact(w.named))
	var heads map[uint16]uint16
	if w.asked != nil {
		heads = map[uint16]uint16{}
	}
	add := func(name []byte) {
		if w.asked != nil {
			eachPart(name, func(part []byte) {
				k.headLength++
				if t := w.parts.find(hashPart(part)); t >= 0 {
					heads[uint16(t)]++
				}
			})
		}
		if len(name) >= 4 {
			if h := nameHash(hash(name[:min(len(name), maxWord)])); w.follows(h) {
				k.defined = append(k.defined, h)
			}
		}
	}
	if defined != nil {
		for _, name := range defined {
			add([]byte(name))
		}
	} else {
		define(f, text, add)
	}
	slices.Sort(k.defined)
	k.defined = slices.Clip(slices.Compact(k.defined))
	for t, n := range heads {
		k.heads = append(k.heads, posting{t, n})
	}
	slices.SortFunc(k.heads, func(a, b posting) int { return int(a.term) - int(b.term) })
	return k
}

// hear notes the pairs and phrases of the task that a word ends.
func (w *worker) hear(k *fileTerms, key uint64) {
	two, three := w.run.next(key)
	if i := w.asked.pairs.find(two); two != 0 && i >= 0 && w.pairs[i] != w.heard {
		w.pairs[i] = w.heard
		k.pairs = append(k.pairs, uint16(i))
	}
	if i := w.asked.phrases.find(three); three != 0 && i >= 0 && w.phrase[i] != w.heard {
		w.phrase[i] = w.heard
		k.phrases = append(k.phrases, uint16(i))
	}
}

func (s *scanner) follows(name uint32) bool {
	return s.sample <= 1 || name%s.sample == 0 || s.names[name]
}

// readAll passes over the files, on all cores. What cannot be read, is too large
// or too dull has no text.
func (s *scanner) readAll(ctx context.Context, files []tree.File, defined map[string][]string, unread []error) ([]fileTerms, error) {
	list := make([]fileTerms, len(files))
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(files)) {
		wait.Go(func() {
			w := s.worker()
			for {
				i := int(next.Add(1)) - 1
				if i >= len(files) || ctx.Err() != nil {
					return
				}
				list[i], unread[i] = w.file(files[i], defined)
			}
		})
	}
	wait.Wait()
	return list, ctx.Err()
}

func (w *worker) file(f tree.File, defined map[string][]string) (fileTerms, error) {
	if f.Size > maxText || language.IsLock(f.Path) || !f.Mode.IsRegular() {
		return fileTerms{}, nil
	}
	text, err := f.ReadInto(w.text)
	if err != nil {
		return fileTerms{}, err
	}
	w.text = text // maxText and a little
	if language.IsEndless(text) {
		return fileTerms{}, nil
	}
	if w.asked != nil {
		k := w.read(taskFamilyOf(f.Path), text, defined[f.Path])
		k.generated = language.IsGenerated(f.Path, text)
		return k, nil
	}
	return w.read(familyOf(f.Path), text, defined[f.Path]), nil
}
