package rank

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
)

// What a change may ask for. A query is bounded, whatever the change: a patch
// of one generated file of 30 MB asks no more than one of 2 kB does.
const (
	// maxTerms bounds the different parts, and the different identifiers, of a
	// query; in many files, maxPostings bounds them further.
	maxTerms = 2048
	// maxPostings bounds files × terms, and so what is kept of the files.
	maxPostings = 16 << 20
	// leastTerms are asked for in any number of files.
	leastTerms = 192
	// maxPatch is how much of one file's patch is read, maxPatches of all.
	maxPatch   = 64 << 10
	maxPatches = 1 << 20
	// leastPatch is read of each file, noisyPatch at most of a noisy one.
	leastPatch = 2 << 10
	noisyPatch = 2 << 10
	// maxLine is how much of a patch's line is read.
	maxLine = 400
)

// term is a word of the query.
type term struct {
	word  string
	hash  uint64
	count int // in all lines of all patches
	added int // in added lines
	// removed counts it in lines that are taken away; defined says that a changed line defines it, or the definition that a
	// hunk stands in is called so.
	removed int
	defined bool
	// around counts it in the definitions that the change touches.
	around int
	// whole says that it has none of the endings of English: the task is in another tongue.
	whole bool
}

// query is what the change asks of other files' text and paths.
type query struct {
	parts  []term // identifiers' parts
	idents []term // whole identifiers
	pairs  []uint64
	// around are the hashes of the identifiers that stand in the definitions which the change touches.
	around map[uint64]bool
	// changed counts the lines that are added or removed, code those of them in languages that define names, and written those in
	// any language that programs or pages are written in.
	changed, code, written int
	// unversioned counts the changed lines that hold no version, in files that no package manager writes.
	unversioned int
}

// versioned reports whether a line holds a version: numbers with a dot between them, a v before one, or the hash of a commit.
func versioned(line []byte) bool {
	hash, digits := 0, 0
	for i, c := range line {
		next := func(n int) bool { return i+n < len(line) && class[line[i+n]] == classDigit }
		switch {
		case class[c] == classDigit && i+1 < len(line) && line[i+1] == '.' && next(2),
			c == 'v' && next(1) && (i == 0 || class[line[i-1]] == classOther):
			return true
		case class[c] == classDigit:
			hash, digits = hash+1, digits+1
		case 'a' <= c && c <= 'f':
			hash++
		default:
			hash, digits = 0, 0
		}
		if hash >= leastHash && digits > 0 && digits < hash {
			return true
		}
	}
	return false
}

// besideVersions are the lines that a patch takes away and adds, by their words beside versions.
type besideVersions struct {
	removed, added []uint64
	unversioned    int  // lines without one
	locked         bool // a package manager writes the file
}

// note notes a line, if it changes and holds anything.
func (v *besideVersions) note(mark byte, line []byte) {
	if mark == ' ' || v.locked || len(bytes.TrimSpace(line)) == 0 {
		return
	}
	if !versioned(line) {
		v.unversioned++
	}
	key := uint64(hashStart)
	for word := range bytes.FieldsFuncSeq(line, func(c rune) bool { return !strings.ContainsRune("._+-", c) && !isWordRune(c) }) {
		word = bytes.TrimLeft(word, "._+-")
		if numbered := bytes.ContainsAny(word, "0123456789"); numbered && (versioned(word) || word[0] >= '0' && word[0] <= '9') {
			continue
		}
		key = mix(key ^ hash(word))
	}
	if mark == '-' {
		v.removed = append(v.removed, key)
	} else {
		v.added = append(v.added, key)
	}
}

func isWordRune(c rune) bool { return c < 0x80 && class[byte(c)] != classOther || c >= 0x80 }

// count counts what changes beside versions: lines without one, and one for what is written anew.
func (v *besideVersions) count() int {
	if v.differ() {
		return v.unversioned + 1
	}
	return v.unversioned
}

// differ reports whether lines are written anew in more than their versions: features of a dependency, say. What only comes, or only goes, is
// a version all the same.
func (v *besideVersions) differ() bool {
	count := map[uint64]int{}
	for _, key := range v.added {
		count[key]++
	}
	gone := 0
	for _, key := range v.removed {
		if count[key] > 0 {
			count[key]--
		} else {
			gone++
		}
	}
	return gone > 0 && len(v.added)+gone > len(v.removed)
}

// leastHash is the length of the shortest hash of a commit that is written.
const leastHash = 7

// maxPairs bounds the pairs of neighbouring identifiers of changed lines, maxAround the bytes that are read of the definitions
// which a change touches, in all.
const (
	maxPairs  = 4096
	maxAround = 128 << 10
)

// lines calls do for every line of a patch's hunks, with '+', '-' or ' '
// before it; the text behind the second @@ is a line too.
func lines(patch []byte, do func(mark byte, line []byte)) {
	inside := false
	for len(patch) > 0 {
		line := patch
		if i := bytes.IndexByte(patch, '\n'); i >= 0 {
			line, patch = patch[:i], patch[i+1:]
		} else {
			patch = nil
		}
		if len(line) == 0 {
			continue
		}
		line = line[:min(len(line), maxLine)]
		if bytes.HasPrefix(line, []byte("@@ ")) {
			inside = true
			if i := bytes.Index(line[3:], []byte(" @@")); i >= 0 {
				do(' ', line[3+i+3:])
			}
			continue
		}
		if inside && (line[0] == '+' || line[0] == '-' || line[0] == ' ') {
			do(line[0], line[1:])
		}
	}
}

// clip returns as much of a change's patch as is read, ending with a line.
func clip(c *Change, changes int) []byte {
	limit := max(leastPatch, min(maxPatch, maxPatches/max(1, changes)))
	if language.IsNoise(c.Path, c.Patch) {
		limit = noisyPatch
	}
	if len(c.Patch) <= limit {
		return c.Patch
	}
	patch := c.Patch[:limit]
	if i := bytes.LastIndexByte(patch, '\n'); i > 0 {
		patch = patch[:i+1]
	}
	return patch
}

// programmed reports whether a file is in a language that programs or pages are written in. What makes an image is a list of commands, of
// which nothing else says a name.
func programmed(name string) bool {
	return language.Is(name, language.Code) && !language.IsDockerfile(name) || language.Is(name, language.Markup)
}

// ask reads the query out of the patches, and of what is asked beside them.
func ask(changes []Change, beside []byte, files int) *query {
	limit := max(leastTerms, min(maxTerms, maxPostings/max(1, files)))
	partCount, identCount := map[string]*term{}, map[string]*term{}
	count := func(m map[string]*term, w string, added, removed int) *term {
		t := m[w]
		if t == nil {
			t = &term{word: w}
			m[w] = t
		}
		t.count++
		t.added += added
		t.removed += removed
		return t
	}
	q := &query{around: map[uint64]bool{}}
	pairs := map[uint64]bool{}
	for i := range changes {
		words := &besideVersions{locked: language.IsLock(changes[i].Path)}
		lines(clip(&changes[i], len(changes)), func(mark byte, line []byte) {
			added, removed := 0, 0
			var defined []byte
			switch mark {
			case '+':
				added = 1
			case '-':
				removed = 1
			}
			q.changed += added + removed
			words.note(mark, line)
			if f := familyOf(changes[i].Path); f != noFamily && f != prose {
				defined = definedBy(f, line)
				q.code += added + removed
			}
			if programmed(changes[i].Path) {
				q.written += added + removed
			}
			before := uint64(0)
			eachWord(line, func(word []byte, _ int) {
				if key := hash(word); added+removed > 0 {
					if k := pair(before, key); before != 0 && len(q.pairs) < maxPairs && !pairs[k] {
						pairs[k] = true
						q.pairs = append(q.pairs, k)
					}
					before = key
				}
				if !common[strings.ToLower(string(word))] {
					t := count(identCount, string(word), added, removed)
					t.defined = t.defined || bytes.Equal(word, defined)
				}
				eachPart(word, func(part []byte) {
					if p := lower(part); !common[p] {
						count(partCount, p, added, removed)
					}
				})
			})
		})
		q.unversioned += words.count()
	}
	room := maxAround
	for i := range changes {
		text := changes[i].Around[:min(len(changes[i].Around), room)]
		room -= len(text)
		eachWord(text, func(word []byte, _ int) {
			if len(word) > 2 && !common[strings.ToLower(string(word))] {
				q.around[hash(word)] = true
			}
		})
		eachPart(text, func(part []byte) {
			p := lower(part)
			if common[p] {
				return
			}
			t := partCount[p]
			if t == nil {
				t = &term{word: p}
				partCount[p] = t
			}
			t.around++
		})
	}
	eachWord(beside, func(word []byte, _ int) {
		w := string(word)
		if l := strings.ToLower(w); identCount[w] == nil && !common[l] && !chatter[l] {
			count(identCount, w, 0, 0)
		}
		eachPart(word, func(part []byte) {
			if p := lower(part); partCount[p] == nil && !common[p] && !chatter[p] {
				count(partCount, p, 0, 0)
			}
		})
	})
	q.parts, q.idents = most(partCount, limit), most(identCount, limit)
	return q
}

// most returns the commonest terms, ordered by word.
func most(m map[string]*term, limit int) []term {
	list := make([]term, 0, len(m))
	for _, t := range m {
		list = append(list, *t)
	}
	slices.SortFunc(list, func(a, b term) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(b.around, a.around), strings.Compare(a.word, b.word))
	})
	list = list[:min(len(list), limit)]
	slices.SortFunc(list, func(a, b term) int { return strings.Compare(a.word, b.word) })
	for i := range list {
		list[i].hash = hash(list[i].word)
	}
	return list
}

func hashes(list []term) []uint64 {
	keys := make([]uint64, len(list))
	for i := range list {
		keys[i] = list[i].hash
	}
	return keys
}
