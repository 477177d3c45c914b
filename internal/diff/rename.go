package diff

import (
	"cmp"
	"path"
	"slices"

	"github.com/haversack-dev/haversack/internal/tree"
)

// Bounds of the search for files that were renamed and edited. git's own (diff.renameLimit)
// is the first; the others are for contents that are made to take long.
const (
	// maxRenames: with more than the square of it of pairs of an added and a deleted file,
	// only those are compared that are alone in bearing their base name.
	maxRenames = 1000
	// maxCompared is how many bytes are read of the files that are compared.
	maxCompared = 64 << 20
	// maxSpans is how many stretches of files are looked at in all pairs: about two seconds.
	maxSpans = 1 << 29
)

// perfect is the score of two files with the same content, alike the least of a rename, and
// alikeByName that of two files which are alone in bearing the same base name.
const (
	perfect     = 60000
	alike       = perfect / 2
	alikeByName = alike + (perfect-alike)/2
)

// Edited pairs of a change the files that came with those that went, where at least half
// of the content is the same: renames as `git diff -M` finds them, the one change in place
// of the two. Copies it does not look for, as git does not. before and after open a file of
// the base and of the head; a file that ok is false for is none's rename.
//
// passed says that there was too much to compare, and that files are told as deleted and
// added which git, with a higher limit, would pair.
func Edited(changes []Change, before, after func(path string) (f tree.File, ok bool)) (paired []Change, passed bool) {
	s := &renameSearch{bytes: maxCompared, spans: maxSpans}
	for i := range changes {
		c := &changes[i]
		switch c.Status {
		case Deleted:
			s.gone = append(s.gone, candidate{change: i, path: c.Path, open: before})
		case Added:
			s.came = append(s.came, candidate{change: i, path: c.Path, open: after})
		case Modified, Renamed, TypeChanged: // paired already
		}
	}
	if len(s.gone) == 0 || len(s.came) == 0 {
		return changes, false
	}
	s.byName()
	s.byContent()
	if !s.found {
		return changes, s.passed
	}
	drop := make([]bool, len(changes))
	paired = slices.Clone(changes)
	for i := range s.came {
		if came := &s.came[i]; came.score > 0 {
			c := &paired[came.change]
			c.Status, c.OldPath, c.Similarity = Renamed, s.gone[came.from].path, came.score*100/perfect
			drop[s.gone[came.from].change] = true
		}
	}
	kept := paired[:0]
	for i, c := range paired {
		if !drop[i] {
			kept = append(kept, c)
		}
	}
	sortChanges(kept)
	return kept, s.passed
}

// renameSearch is the search among files that went and files that came.
type renameSearch struct {
	gone, came []candidate
	// bytes and spans may still be read and compared.
	bytes, spans  int64
	found, passed bool
}

// candidate is one of the files.
type candidate struct {
	change int // in the list of changes
	path   string
	open   func(string) (tree.File, bool)
	opened bool
	file   tree.File // of size -1 if it is no regular file, or cannot be read
	spans  []contentSpan
	read   bool
	// used is of a file that went: it is another one's past. score and from are of one that
	// came: how alike it is to which of those that went; 0 while it is none's rename.
	used  bool
	score int
	from  int
}

// size returns the bytes of a file; -1 if it takes no part.
func (c *candidate) size() int64 {
	if !c.opened {
		c.opened = true
		f, ok := c.open(c.path)
		if c.file = f; !ok || !f.Mode.IsRegular() || f.Size == 0 {
			c.file.Size = -1
		}
	}
	return c.file.Size
}

// mayBeAlike reports whether the sizes leave room for half of the content to be the same.
func mayBeAlike(a, b int64, least int) bool {
	more, less := max(a, b), min(a, b)
	return less > 0 && more*int64(perfect-least) >= (more-less)*perfect
}

// score is how much of the larger of two files stands in the other, of perfect; less than
// least may be 0.
func (s *renameSearch) score(gone, came *candidate, least int) int {
	if !mayBeAlike(gone.size(), came.size(), least) || !s.readSpans(gone) || !s.readSpans(came) {
		return 0
	}
	if s.spans -= int64(len(gone.spans) + len(came.spans)); s.spans < 0 {
		s.passed = true
		return 0
	}
	return int(common(gone.spans, came.spans) * perfect / max(gone.size(), came.size()))
}

// readSpans reads a file; false if it cannot be, or too much was read.
func (s *renameSearch) readSpans(c *candidate) bool {
	if c.read {
		return c.spans != nil
	}
	c.read = true
	if s.bytes -= c.size(); s.bytes < 0 {
		s.passed = true
		return false
	}
	raw, err := c.file.Read()
	if err != nil {
		c.file.Size = -1
		return false
	}
	c.file.Size = max(1, int64(len(raw)))
	c.spans = spansOf(raw)
	return c.spans != nil
}

// byName pairs files that are alone in bearing their base name, on each side.
func (s *renameSearch) byName() {
	alone := func(list []candidate) map[string]int {
		at := make(map[string]int, len(list))
		for i := range list {
			name := path.Base(list[i].path)
			if _, twice := at[name]; twice {
				at[name] = -1
			} else {
				at[name] = i
			}
		}
		return at
	}
	gone, came := alone(s.gone), alone(s.came)
	for i := range s.gone {
		name := path.Base(s.gone[i].path)
		j, ok := came[name]
		if !ok || j < 0 || gone[name] < 0 {
			continue
		}
		if score := s.score(&s.gone[i], &s.came[j], alikeByName); score >= alikeByName {
			s.pair(i, j, score)
		}
	}
}

func (s *renameSearch) pair(gone, came, score int) {
	s.gone[gone].used, s.came[came].score, s.came[came].from = true, score, gone
	s.found = true
}

// match is a pair that may be a rename.
type match struct {
	gone, came, score int
	sameName          bool
}

func (m match) compare(o match) int {
	if c := cmp.Compare(o.score, m.score); c != 0 || m.sameName == o.sameName {
		return c
	}
	if m.sameName {
		return -1
	}
	return 1
}

// perFile is how many of the best matches of a file are kept.
const perFile = 4

// byContent compares each file that came with each that went, as far as they are no renames
// yet, and pairs them, the most alike first.
func (s *renameSearch) byContent() {
	var left []int
	for i := range s.gone {
		if !s.gone[i].used {
			left = append(left, i)
		}
	}
	came := 0
	for i := range s.came {
		if s.came[i].score == 0 {
			came++
		}
	}
	if len(left)*came > maxRenames*maxRenames {
		s.passed = true
		return
	}
	var all []match
	for j := range s.came {
		if s.came[j].score > 0 {
			continue
		}
		var best []match
		for _, i := range left {
			m := match{gone: i, came: j, score: s.score(&s.gone[i], &s.came[j], alike)}
			if m.score < alike {
				continue
			}
			m.sameName = path.Base(s.gone[i].path) == path.Base(s.came[j].path)
			best = keepBest(best, m)
		}
		all = append(all, best...)
	}
	slices.SortStableFunc(all, match.compare)
	for _, m := range all {
		if s.came[m.came].score == 0 && !s.gone[m.gone].used {
			s.pair(m.gone, m.came, m.score)
		}
	}
}

// keepBest puts a match in the place of the worst one, if it is better than that.
func keepBest(best []match, m match) []match {
	if len(best) < perFile {
		return append(best, m)
	}
	worst := 0
	for i := range best {
		if best[i].compare(best[worst]) > 0 {
			worst = i
		}
	}
	if best[worst].compare(m) > 0 {
		best[worst] = m
	}
	return best
}

// contentSpan is how many bytes of a file are in stretches of the same hash.
type contentSpan struct{ hash, bytes uint32 }

// maxStretch is how long a stretch is at most: it ends with its line, or here.
const maxStretch = 64

// spansOf divides a file into stretches, and counts their bytes by hash, in order. Files are
// as alike as git says only if hashes, and what they mistake for each other, are git's.
func spansOf(raw []byte) []contentSpan {
	const hashes = 107927
	text := !binary(raw)
	var list []contentSpan
	var one, two, n uint32
	end := func() {
		list = append(list, contentSpan{(one + two*0x61) % hashes, n})
		one, two, n = 0, 0, 0
	}
	for i, c := range raw {
		if text && c == '\r' && i+1 < len(raw) && raw[i+1] == '\n' {
			continue
		}
		one, two = one<<7^two>>25, two<<7^one>>25
		one += uint32(c)
		if n++; n >= maxStretch || c == '\n' {
			end()
		}
	}
	if n > 0 {
		end()
	}
	slices.SortFunc(list, func(a, b contentSpan) int { return cmp.Compare(a.hash, b.hash) })
	kept := list[:0]
	for _, s := range list {
		if k := len(kept); k > 0 && kept[k-1].hash == s.hash {
			kept[k-1].bytes += s.bytes
		} else {
			kept = append(kept, s)
		}
	}
	return slices.Clip(kept)
}

// common is how many bytes of one file stand in another.
func common(a, b []contentSpan) (n int64) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].hash < b[0].hash:
			a = a[1:]
		case a[0].hash > b[0].hash:
			b = b[1:]
		default:
			n += int64(min(a[0].bytes, b[0].bytes))
			a, b = a[1:], b[1:]
		}
	}
	return n
}
