package brief

import (
	"path"
	"strings"
	"unicode"

	"github.com/haversack-dev/haversack/internal/rank"
)

// What a line counts more, in hundredths, among those of which one is likely asked for: whose name is that of its file, which is the longest
// of its file, which a comment tells about, and for each word that says that its value is asked for. And how much more, in thousandths,
// what the first file defines than what the last does, by the square of its place beside the place itself. Learned from what is asked of
// programs that were held out in turn; how often a file is changed, and a name stands in messages of commits and in guides, says little.
const (
	likelyNamed      = 180
	likelyLongest    = 170
	likelyDocumented = 140
	likelyAsked      = 200
	likelyPlace      = 3400
)

// likelyAsks bounds the words that count for that; likelyLong is how many lines below its first the longest of a file has at least.
const (
	likelyAsks = 3
	likelyLong = 4
)

// halfOfAll is what all lines have together of each half that share divides.
const halfOfAll = 5_000_000_000

// share makes the gain of each line a part of what all give that are offered: half by how likely it is asked for, half because others may use
// it, as any of those is asked for by somebody. What most depends on stands in the first layer; behind it that tells less of what is asked
// for, and the hundredth line of a file on which all depends stood before whole folders. list are the files, those first on which most depends.
func share(offers []offer, list []*shelf, name func(*shelf) string) {
	place, longest := make(map[*shelf]int64, len(list)), make(map[*shelf]int, len(list))
	for i, s := range list {
		place[s], longest[s] = int64(1000-1000*i/len(list)), s.longest()
	}
	all, used := int64(1), int64(1)
	for i := range offers {
		o := &offers[i]
		l := &o.shelf.lines[o.line]
		o.gain = l.likely(o.gain, place[o.shelf])
		if isOfFile(l.Name, name(o.shelf)) {
			o.gain = o.gain * likelyNamed / 100
		}
		if longest[o.shelf] == o.line {
			o.gain = o.gain * likelyLongest / 100
		}
		all += o.gain
		if l.usable() {
			used++
		}
	}
	for i := range offers {
		o := &offers[i]
		o.gain = o.gain * (halfOfAll / 50) / all * 50
		if o.shelf.lines[o.line].usable() {
			o.gain += halfOfAll / used
		}
	}
}

// likely is how likely a line is asked for that gives so much, and stands in a file of a place, from 1000 for the first on: what much depends
// on tells less of it, and what it does more, than of what a program is; a long line is asked for as a short one is.
func (l *signature) likely(gain, place int64) int64 {
	n := int64(rank.Root(uint64(max(gain, 1)) / 16 * uint64(l.does()/10) * uint64(l.cost+1)))
	n = n * (1000 + place + place*place/1000*likelyPlace/1000) / 1000
	if l.Documented {
		n = n * likelyDocumented / 100
	}
	for range min(l.asks, likelyAsks) {
		n = n * likelyAsked / 100
	}
	return n
}

// usable reports whether a line says of something that other files may use it, and no other line says so.
func (l *signature) usable() bool { return l.Exported && !l.Setting && !l.repeats() }

// longest returns the line of what takes the most lines of a file, -1 where none is long.
func (s *shelf) longest() int {
	at, long := -1, likelyLong-1
	for n := range s.lines {
		if l := &s.lines[n]; l.End-l.Line > long && !l.Test {
			at, long = n, l.End-l.Line
		}
	}
	return at
}

// isOfFile reports whether a name is that of the file which defines it, or of its folder, where the file's says nothing.
func isOfFile(name, file string) bool {
	stem, _, _ := strings.Cut(path.Base(file), ".")
	switch strings.ToLower(stem) {
	case "index", "mod", "__init__", "lib", "main":
		stem = path.Base(path.Dir(file))
	}
	bare := lettersOf(name[strings.LastIndexByte(name, '.')+1:])
	return bare != "" && bare == lettersOf(stem)
}

// lettersOf is a name in small letters, without what stands between its words.
func lettersOf(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}
