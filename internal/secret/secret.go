// Package secret finds what must not leave: by name, and by content.
//
// # Names
//
// Name sorts paths into three tiers. Exact names hold credentials by what they are and are always out. Suspects have a name
// that often goes with credentials; they stay when they are text and the content scan is clean.
//
// # Content
//
// A Scanner looks through decoded text (UTF-8) once with an automaton of the literals that every secret it knows must hold or
// stand beside, and then closely round each hit: with the rule's expression on a window, or with a reader where the form spans
// lines or has a grammar (private keys, URLs, headers, commands, manifests). The rules are those gitleaks and betterleaks keep,
// read as data, and ours beside them.
//
// A value that a name is given has no rule. A form reads it, an exception clears what is none whatever it looks like, and of
// the others a model says by what they look like how likely they are one. All of it is counting with integers.
//
// What is found are values: a password, not its name; a whole private key; of user:password the password. Values that stand for
// none are no findings: placeholders, look-ups, hashes of what is locked, object ids, public keys, certificates, publishable
// keys and the samples of manuals.
//
// Work is bounded. Each file has a budget in proportion to its size; past it Scan returns ErrBudget and the file must stay.
//
// # What is never held
//
// A Finding says which rule, which line and where, never what. KnownValues holds values, and prints as nothing.
package secret

import (
	"bytes"
	"cmp"
	"errors"
	"hash/maphash"
	"slices"
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/secret/known"
	"github.com/haversack-dev/haversack/internal/secret/value"
)

// Finding is one secret value in a text, for those who use this package alone.
type Finding = value.Finding

// KnownValues is a set of values that are secrets wherever they stand, for those who use this package alone.
type KnownValues = known.Values

// Union returns the values of several sets as one; nil sets hold nothing.
func Union(sets ...*KnownValues) *KnownValues { return known.Union(sets...) }

// MaxFindings is the number of findings beyond which a file is out: one with
// more is a store of secrets, or made to wear the scanner out.
const MaxFindings = 500

// ErrBudget is returned when a file needs more work than its size allows. Such a file must stay: it was not scanned to its end.
var ErrBudget = errors.New("scanning takes more work than the file's size allows")

// ErrFault is returned when the scanner itself failed on a file. Such a file must stay.
var ErrFault = errors.New("scanning failed on this text; please report it")

// Scanner finds secrets in text. Its methods may be called from several goroutines.
type Scanner struct {
	table *table
	runs  sync.Pool
	clean cleanNames
}

// New reads the rules and makes the automaton. It takes about as long as reading ten megabytes: make one Scanner and keep it.
func New() (*Scanner, error) { return NewWith(Committed(Balanced)) }

// NewWith is New with another model.
func NewWith(m *Model) (*Scanner, error) {
	return scannerOf(m, ownRules)
}

// scannerOf is a scanner of a model, with own in place of ownRules.
func scannerOf(m *Model, own []ownRule) (*Scanner, error) {
	t, err := newTable(own)
	if err != nil {
		return nil, err
	}
	t.model = m
	s := &Scanner{table: t, clean: cleanNames{seed: maphash.MakeSeed(), seen: map[uint64]bool{}}}
	s.runs.New = func() any { return &run{table: t, judge: judge{model: m}, marks: make([]int, len(t.rules))} }
	return s, nil
}

// chunk is how much text the automaton reads before its hits are looked at; it bounds the memory that hits take.
const chunk = 256 << 10

// Scan appends to dst the secrets in text, which is UTF-8, sorted by Start and not overlapping. The path tells the language; it
// is not opened. With more than MaxFindings findings, Scan may stop early and return more than that many. The error is
// ErrBudget, ErrFault or nil; with an error the findings are not all there are.
func (s *Scanner) Scan(path string, text []byte, dst []value.Finding) (found []value.Finding, err error) {
	r := s.runs.Get().(*run)
	first := len(dst)
	defer func() {
		// A bug must neither let a file pass nor end the run, and a stack trace
		// must not show what was scanned. The run is not used again.
		if recover() != nil {
			found, err = dst[:first], ErrFault
			return
		}
		r.reading = reading{}
		s.runs.Put(r)
	}()
	dst, err = r.read(path, text, dst)
	if err != nil || len(dst) == first || len(dst)-first > MaxFindings {
		return dst, err
	}
	// What remains beside a value can look like one by itself, and a text that was redacted must hold none.
	rest := s.table.hideMarks(bytes.Clone(text))
	for range maxBeside {
		for _, f := range dst[first:] {
			for i := f.Start; i < f.End; i++ {
				if rest[i] != '\n' {
					rest[i] = hidden
				}
			}
		}
		more, err := r.read(path, rest, nil)
		if err != nil || len(more) == 0 {
			return dst, err
		}
		dst = append(dst[:first], Merge(slices.Clone(dst[first:]), more)...)
	}
	return dst, nil
}

// Name is Scan of a name, or another short text, under no path. A name in which it found nothing is not read again: the same paths are
// asked for by every step that says them.
func (s *Scanner) Name(text []byte) ([]value.Finding, error) {
	if len(text) > maxNameLength {
		return s.Scan("", text, nil)
	}
	if s.clean.has(text) {
		return nil, nil
	}
	found, err := s.Scan("", text, nil)
	if err == nil && len(found) == 0 {
		s.clean.add(text)
	}
	return found, err
}

const (
	// maxNameLength bounds, in bytes, the names that are remembered, maxNames their number.
	maxNameLength = 512
	maxNames      = 100_000
)

// cleanNames are names in which nothing was found, by a hash that nobody outside can know.
type cleanNames struct {
	seed maphash.Seed
	mu   sync.Mutex
	seen map[uint64]bool
}

func (c *cleanNames) has(text []byte) bool {
	h := maphash.Bytes(c.seed, text)
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.seen[h]
}

func (c *cleanNames) add(text []byte) {
	h := maphash.Bytes(c.seed, text)
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.seen) < maxNames {
		c.seen[h] = true
	}
}

// Sure appends to dst the secrets in text of which a rule is sure whatever stands beside them: private keys, and tokens that tell
// by their own form what they are. It needs no path, as nothing is judged. What it finds Scan finds in the same text under any
// path. The error is ErrBudget, ErrFault or nil.
func (s *Scanner) Sure(text []byte, dst []value.Finding) (found []value.Finding, err error) {
	r := s.runs.Get().(*run)
	first := len(dst)
	defer func() {
		if recover() != nil {
			found, err = dst[:first], ErrFault
			return
		}
		r.reading, r.sure = reading{}, false
		s.runs.Put(r)
	}()
	r.sure = true
	return r.read("", text, dst)
}

// maxBeside bounds how often a text is read again without what was found in it.
const maxBeside = 3

// run is the scan of one text after the other.
type run struct {
	table *table
	reading

	lanes   [4][]value.Hit
	marks   []int // per rule: where its last match or window ended
	found   []span
	blocks  []block
	judge   judge
	names   nameCache
	name    assignment // whose values are judged
	heading assignment // a name of a column, whose cells are
	far     assignment // a name whose value stands elsewhere
	witness func(Candidate)
	sure    bool // nothing is judged: only what tells itself what it is counts

	inner  *run     // of the texts that stand encoded in this one
	within bool     // this is such a run
	lines  [][2]int // of the encoded text that is read
	coded  []byte
	plain  []byte

	spelled []byte // what the value says that is judged
	joined  []byte // … and where it stands in several texts, those as one

	nearNames [][2]int     // parts of the text that stand near the name of a secret
	cleared   [][2]int     // values that an exception cleared, as many as are weighed
	toldLines [16]toldLine // what some lines near names tell, by where they begin
	view      view
}

// reading is what is known of the text that is read.
type reading struct {
	path         string
	text         []byte
	style        value.Style
	translated   bool // the file holds texts for people, in a language
	traits       pathTraits
	holdsMarks   bool // a mark was seen, and the text must be read without it
	spent, limit int64

	// Where each reader's last look ended; hits before that are settled.
	keyDone, urlDone, armourDone, jwtDone, jwkDone, manifestDone, generatorDone, hookDone, toldDone, headerDone, signatureDone int
	commandDone, listedDone, inputDone, generatedDone, chpasswdDone, insertDone, signerDone, colouredDone                      int

	patched partHead // of a patch: the head of the part that was last asked for

	created            []secretTable
	declared           int // names whose uses were looked for
	rowHead, rowsDone  int // where the row of elements begins whose table was read last, and where that ends
	gridHead, gridDone int // where the first row of the table ended that was read last, and the table

	ends, results search
	blocksRead    bool // blocks are this text's

	wordFrom, wordTo int  // the unquoted value last read to its end
	wordWhole        bool // only a space ended it

	// The run of base64 last looked at, and how much of it stands beside a value that is a part of it by chance.
	blobFrom, blobTo, besideBlob int
}

// search is what the last look for a text found: none from from to to, or the first at at.
type search struct {
	from, to, at int
}

// next returns where what stands next from at on, before most; -1 if nowhere. What was searched is not searched again.
func (s *search) next(r *run, what string, at, most int) int {
	if at < s.from || at >= s.to || s.at >= 0 && s.at < at {
		*s = search{at, at, -1}
	}
	if from := max(at, s.to-len(what)+1); s.at < 0 && s.to < most {
		s.to = most
		if j := bytes.Index(r.text[from:most], []byte(what)); j >= 0 {
			s.at, s.to = from+j, from+j+1
		}
		r.spend(s.to - from)
	}
	return s.at
}

// span is a finding that may overlap others.
type span struct {
	rule       string
	start, end int
	rank       int8 // of two that overlap, the higher names the union
}

const (
	rankWeak   int8 = iota // a value in a suspicious place
	rankKeyed              // a value with a telling name
	rankNamed              // a service's name and a value of the right form
	rankFormed             // a value that tells itself what it is
	rankBlock              // private keys
)

func (r *run) reset(path string, text []byte) {
	n := int64(len(text))
	r.reading = reading{path: path, text: text, style: styleOf(path), translated: translated(path), limit: 50e6 + 140*min(n, 6<<20) + 8*n}
	r.found, r.nearNames, r.cleared = r.found[:0], r.nearNames[:0], r.cleared[:0]
	clear(r.toldLines[:])
	clear(r.marks)
}

// Units of work: about a nanosecond each.
const (
	workWindow = 200 // a byte read by an expression
	workStart  = 400 // a window of no length
)

func (r *run) spend(n int) { r.spent += int64(n) }

// read appends to dst what is found in text.
func (r *run) read(path string, text []byte, dst []value.Finding) ([]value.Finding, error) {
	r.reset(path, text)
	err := r.scan()
	if r.holdsMarks {
		r.reset(path, r.table.hideMarks(text))
		err = r.scan()
	}
	if err != nil {
		// Not all there are; of two errors the first is told.
		dst, _ = r.findings(dst)
		return dst, err
	}
	if !r.sure {
		if r.columns(); r.spent > r.limit {
			dst, _ = r.findings(dst)
			return dst, ErrBudget
		}
	}
	return r.findings(dst)
}

func (r *run) scan() error {
	for lo := 0; lo < len(r.text) && !r.full(); lo += chunk {
		r.table.auto.Find(r.text, lo, min(lo+chunk, len(r.text)), &r.lanes)
		for i := range r.lanes {
			for _, h := range r.lanes[i] {
				for _, id := range r.table.auto.Literals(h) {
					p := &r.table.patterns[id]
					if n := len(p.exact); n > 0 && p.exact[n-1] != r.text[h.End-1] {
						continue // in another case
					}
					r.look(p, h.End)
				}
				if r.holdsMarks {
					return nil
				}
				if r.spent > r.limit {
					return ErrBudget
				}
			}
		}
	}
	return nil
}

// add notes a value. Marks in it are no part of it.
func (r *run) add(rule string, start, end int, rank int8) {
	if end = value.Back(r.text, end, end-start, "\x1b"); start >= end || len(r.found) > 8*MaxFindings || r.sure && rank < rankFormed {
		return
	}
	if !r.pieces(start, end, func(from, to int) {
		if to-from >= 4 {
			r.found = append(r.found, span{rule, from, to, rank})
		}
	}) {
		r.found = append(r.found, span{rule, start, end, rank})
	}
}

// full reports whether so much was found that no more need be.
func (r *run) full() bool { return len(r.found) > 4*MaxFindings }

// findings merges spans and counts lines.
func (r *run) findings(dst []value.Finding) ([]value.Finding, error) {
	slices.SortFunc(r.found, func(a, b span) int {
		return cmp.Or(a.start-b.start, b.end-a.end, int(b.rank)-int(a.rank), strings.Compare(a.rule, b.rule))
	})
	first := len(dst)
	line, at := 1, 0
	var rank int8
	last := &value.Finding{}
	for _, c := range r.found {
		if c.end > last.End && c.rule != "private-key" {
			c.end = r.extent(c.start, c.end)
		}
		if c.start < last.End {
			last.End = max(last.End, c.end)
			if c.rank > rank {
				last.Rule, rank = c.rule, c.rank
			}
			continue
		}
		line += bytes.Count(r.text[at:c.start], value.Newline)
		at = c.start
		dst = append(dst, value.Finding{Rule: c.rule, Line: line, Start: c.start, End: c.end})
		last, rank = &dst[len(dst)-1], c.rank
	}
	if r.full() && len(dst)-first <= MaxFindings {
		return dst, ErrBudget // stopped early, and yet few: not scanned to its end
	}
	return dst, nil
}
