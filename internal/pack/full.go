package pack

import (
	"bytes"
	"cmp"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/project"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/source"
	"github.com/haversack-dev/haversack/internal/text"
)

// minPartial is the least that is kept of a file which is cut because the pack
// is full. Less would say nothing.
const minPartial = 200

// maxTries bounds how often a pack is made again because what the screen, or a
// count of tokens, made of the whole is more than its parts.
const maxTries = 8

// fitted makes a document under the limits of src. Where the whole takes more
// than its parts were thought to, it is made again under a smaller limit.
func fitted[D document](src *Source, make func(limit cost) (D, error)) (D, error) {
	limit := src.Limits.limit()
	m := newMeter(&src.Limits)
	room := limit
	for try := 0; ; try++ {
		p, err := make(room)
		if err != nil {
			return p, err
		}
		if src.Clean != nil {
			src.Clean(p)
		}
		takes, err := m.whole(p)
		if err != nil || takes.within(limit) {
			return p, err
		}
		if try == maxTries {
			inBytes, inTokens := src.Limits.bounds()
			if takes.bytes <= limit.bytes {
				inBytes = *inTokens
			}
			return p, &TooSmallError{inBytes.by}
		}
		over := takes.minus(limit)
		room.bytes -= max(over.bytes, 0)
		room.tokens -= max(over.tokens, 0)
	}
}

// document is a pack of either type.
type document interface {
	WriteJSON(w io.Writer) error
	WriteMarkdown(w io.Writer) error
}

// filler makes one full pack.
type filler struct {
	src    *Source
	c      *Constraints
	m      *meter
	facts  *project.Facts
	texts  *source.Texts
	reason string

	held []*fileEntry
	used cost
	out  map[string]string // by path, why a file is not in the pack
	// refunds are, by path, what a row of the index is shorter when the file is
	// held. Nil where the index is not whole.
	refunds map[string]int64
	// deeper: a file is cut because the pack is full.
	deeper bool
	// judging: it is asked for nothing but whether all content is in it, and how much.
	judging bool
}

// fileEntry is a file as a pack holds it.
type fileEntry struct {
	file *scan.File
	// keeper cuts it by what it defines; nil where it is cut to its first and last lines.
	keeper  *text.Keeper
	divided bool // it was looked for
	text    []byte
	cut     text.Cut
	note    *EncodingNote
	cost    cost
}

func (b *filler) build(limit cost) (*Full, error) {
	limit.content = b.c.MaxTotalBytes
	files := extractable(b.src.Snapshot)
	b.out = map[string]string{}
	p := &Full{Type: TypeFull, KeyFiles: []KeyFile{}, Contents: []Content{}, Metadata: metadata(b.src, TypeFull, b.reason)}
	m := &p.Metadata
	m.Warnings = append(m.Warnings, b.facts.ListedWarnings()...)
	p.Manifest = manifestOf(b.facts)
	parts := manifestParts(b.m, b.facts, &p.Manifest, m)

	rows := index(b.src.Snapshot, nil)
	if ok, err := b.everything(p, files, limit); ok || err != nil {
		return p, err
	}
	skeleton, err := b.skeleton(p, rows, len(files), limit)
	if err != nil {
		return nil, err
	}
	// How large the rows will be depends on what is held; this is the most.
	most := slices.Clone(rows)
	for i := range most {
		if most[i].Included {
			most[i].Included, most[i].ExclusionReason = false, string(scan.SizeLimit)
		}
	}
	room := budget(b.m, limit, skeleton, most, parts)
	if !room.ok {
		inBytes, _ := b.c.bounds()
		return nil, &TooSmallError{inBytes.by}
	}
	if room.whole {
		b.refunds = map[string]int64{}
		for i, r := range rows {
			if r.Included {
				b.refunds[r.Path] = b.m.row(most[i]).bytes - b.m.row(r).bytes
			}
		}
	}
	if err := b.fill(files, room.content); err != nil {
		return nil, err
	}
	rows = b.put(p)
	p.deeper = b.deeper
	if b.judging && p.cut() {
		return p, nil
	}

	// What content leaves over is for lists, and then for the index.
	left := limit.minus(skeleton)
	for _, h := range b.held {
		left = left.minus(h.cost)
		left.bytes -= b.refunds[claim.Shown(h.file.Path)]
	}
	left.content = math.MaxInt64
	forIndex := room.index
	if room.whole {
		forIndex.bytes = 0
		for _, r := range rows {
			forIndex.bytes += b.m.row(r).bytes
		}
	}
	listed, cuts := trim(b.m, parts, left.minus(forIndex), false)
	index, folded := foldIndex(b.m, rows, left.minus(listed).least(indexRoom(limit, forIndex)))
	p.FileIndex = index
	m.Cuts = append(append(folded, cuts...), m.Cuts...)
	m.TruncationApplied = len(m.Truncations)+len(m.Cuts) > 0
	return p, nil
}

// everything fills the pack with all files, uncut but by the limits of one file, and
// reports whether that is within the limits.
func (b *filler) everything(p *Full, files []*scan.File, limit cost) (bool, error) {
	if len(files) > b.c.MaxFiles {
		return false, nil
	}
	again := *b
	again.out = map[string]string{}
	for _, f := range files {
		h, err := again.load(f)
		if err != nil {
			return false, err
		}
		if h.skipped() {
			again.used, again.held = again.used.plus(h.cost), append(again.held, h)
		} else {
			again.hold(h)
		}
		if !again.used.within(limit) {
			return false, nil
		}
	}
	q := *p
	q.Metadata.Warnings = slices.Clone(p.Metadata.Warnings)
	q.FileIndex = again.put(&q)
	if _, all := b.m.index(q.FileIndex); !all.within(indexRoom(limit, cost{})) {
		return false, nil
	}
	takes, err := b.m.whole(&q)
	if err != nil || !takes.within(limit) {
		return false, err
	}
	*p = q
	return true, nil
}

// skeleton is what a pack takes that holds nothing, with the longest numbers.
func (b *filler) skeleton(p *Full, rows []Entry, files int, limit cost) (cost, error) {
	s := *p
	s.Manifest.bare()
	m := &s.Metadata
	m.Warnings = nil
	m.TotalFilesScanned, m.FilesIncluded, m.FilesExcluded = len(rows), len(rows), len(rows)
	m.TotalContentBytes = limit.bytes
	m.Cuts = []Cut{}
	if files > 0 {
		m.Cuts = append(m.Cuts, Cut{"contents", files, files})
	}
	c, err := b.m.whole(&s)
	c.bytes += 8 // "null" in place of "[]", "true" of "false"
	c.tokens += 8
	return c, err
}

// bare empties what can be cut.
func (m *Manifest) bare() {
	m.PurposeGuess, m.StructureSummary = "", ""
	m.Dependencies, m.EntryPoints, m.Ecosystems, m.Manifests, m.Workspaces = nil, nil, nil, nil, nil
}

// fill chooses what to hold. Files are taken in the order of their importance; the
// first that does not fit is cut to what is left. What then remains, because a
// cut ends with a line, is filled with the smallest of the other files, but not with
// more content than the next step would add: so a larger room never holds less.
func (b *filler) fill(files []*scan.File, room cost) error {
	count, at := 0, 0
	var next *fileEntry
	for ; at < len(files) && next == nil; at++ {
		f := files[at]
		if count == b.c.MaxFiles {
			break
		}
		h, err := b.load(f)
		if err != nil {
			return err
		}
		switch {
		case !b.used.plus(h.cost).within(room):
			next = h
		case h.skipped():
			b.used, b.held = b.used.plus(h.cost), append(b.held, h)
		default:
			b.hold(h)
			count++
		}
	}
	for _, f := range files[at:] {
		b.out[f.Path] = string(scan.SizeLimit)
	}
	if next == nil || next.skipped() {
		return nil
	}
	step, held := b.part(next, room)
	if held {
		b.deeper = true
		count++
	} else {
		b.out[next.file.Path] = string(scan.SizeLimit)
	}
	if count == b.c.MaxFiles {
		return nil
	}
	return b.crumbs(files[at:], room, step, b.c.MaxFiles-count)
}

// load reads a file and cuts it to what a pack keeps of one. Of a skipped one a note is held.
func (b *filler) load(f *scan.File) (*fileEntry, error) {
	s, undecodable, err := b.texts.Read(f)
	if err != nil {
		return nil, err
	}
	h := &fileEntry{file: f, text: source.Readable(f.Path, s)}
	skip := undecodable > 0 && b.c.SkipUndecodable
	if f.Encoding != text.UTF8 || undecodable > 0 {
		h.note = &EncodingNote{claim.Shown(f.Path), string(f.Encoding), undecodable, skip}
	}
	if skip {
		b.out[f.Path] = string(scan.Binary)
		h.cost = b.m.of(h.note, nil)
		return h, nil
	}
	b.cutTo(h, b.c.roomFor(f))
	return h, nil
}

// cutTo keeps n bytes of a file and measures what is kept.
func (b *filler) cutTo(h *fileEntry, n int) {
	h.cut = b.shortened(h, n)
	key, content, truncation := h.rows()
	if key != nil {
		h.cost = b.m.of(key, func(md *markdown) { md.keyFile(*key) })
	} else {
		h.cost = b.m.of(content, func(md *markdown) { md.otherFile(*content) })
	}
	if truncation != nil {
		h.cost = h.cost.plus(b.m.of(truncation, nil))
	}
	if h.note != nil {
		h.cost = h.cost.plus(b.m.of(h.note, nil))
	}
	h.cost.content = int64(len(h.cut.String()))
	h.cost.bytes -= b.refunds[claim.Shown(h.file.Path)]
}

// shortened keeps n bytes of a file: what it defines, where that is known and asked for, else its first and last lines.
func (b *filler) shortened(h *fileEntry, n int) text.Cut {
	if len(h.text) > n && h.keeper == nil && !h.divided && !b.c.ByLines && b.src.Divide != nil {
		h.divided = true
		if pieces := b.src.Divide(h.file.Path, h.text); len(pieces) > 0 && longestLine(h.text) <= maxKeptLine {
			h.keeper = text.NewKeeper(h.text, pieces, b.c.Marker)
		}
	}
	if h.keeper != nil {
		return h.keeper.Cut(n)
	}
	return b.c.file(n).Cut(h.text)
}

// maxKeptLine is the longest line, in bytes, of a file that is cut by what it defines: of longer ones parts are kept.
const maxKeptLine = 1000

// longestLine returns the bytes of the longest line of a text.
func longestLine(s []byte) (most int) {
	for len(s) > 0 {
		n := bytes.IndexByte(s, '\n') + 1
		if n == 0 {
			n = len(s)
		}
		most, s = max(most, n), s[n:]
	}
	return most
}

// rows are what the pack says of a file: its content as one of a key file or of another,
// and that it was cut.
func (h *fileEntry) rows() (key *KeyFile, content *Content, truncation *Truncation) {
	f, path := h.file, claim.Shown(h.file.Path)
	if f.Key != nil {
		key = &KeyFile{path, f.Category, f.Key.Importance, h.cut.String(), h.cut.Truncated}
	} else {
		content = &Content{path, h.cut.String(), h.cut.Truncated, f.Size}
	}
	if h.cut.Truncated {
		truncation = &Truncation{path, int64(len(h.text)), int64(h.cut.Bytes()), f.Lines, h.cut.HeadLines, h.cut.TailLines, byLines, 0}
		if h.keeper != nil {
			truncation.Rule, truncation.KeptLines = byDefinitions, h.cut.KeptLines
		}
	}
	return key, content, truncation
}

func (h *fileEntry) skipped() bool { return h.note != nil && h.note.Skipped }

func (b *filler) hold(h *fileEntry) {
	b.held = append(b.held, h)
	b.used = b.used.plus(h.cost)
	delete(b.out, h.file.Path)
}

// part holds as much of a file as there is room for, if that says anything. step is
// how much content a larger room would add next.
func (b *filler) part(h *fileEntry, room cost) (step int64, ok bool) {
	whole := h.cost.content
	most := min(b.c.roomFor(h.file), len(h.text)-1)
	try := func(n int) bool {
		b.cutTo(h, n)
		return b.used.plus(h.cost).within(room)
	}
	// The smallest cut that says anything.
	least := smallest(most, func(n int) bool { return b.shortened(h, n).Bytes() >= minPartial })
	if least > most {
		return whole, false
	}
	if !try(least) {
		return min(whole, h.cost.content), false
	}
	n := smallest(most, func(n int) bool { return n >= least && !try(n) }) - 1
	try(n)
	kept := h.cut.Bytes()
	b.hold(h)
	more := smallest(most, func(n int) bool { return b.shortened(h, n).Bytes() > kept })
	if more <= most {
		whole = min(whole, int64(len(b.shortened(h, more).String())))
	}
	return whole - h.cost.content, true
}

// smallest is the smallest n from 1 to most for which yes holds, most+1 without
// one. What holds for n holds for all that are larger.
func smallest(most int, yes func(n int) bool) int {
	lo, hi := 1, most+1
	for lo < hi {
		if mid := lo + (hi-lo)/2; yes(mid) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// maxCrumbs bounds the files that are looked at to fill what is left.
const maxCrumbs = 300

// crumbs holds the smallest files that fit, at most n, as long as their content is
// not more than step.
func (b *filler) crumbs(files []*scan.File, room cost, step int64, n int) error {
	var small []*scan.File
	left := room.minus(b.used)
	for _, f := range files {
		if f.Encoding == text.UTF8 && f.Size > 0 && f.Size <= left.bytes {
			small = append(small, f)
		}
	}
	slices.SortStableFunc(small, func(a, b *scan.File) int { return cmp.Compare(a.Size, b.Size) })
	var list []*fileEntry
	for _, f := range small[:min(len(small), maxCrumbs)] {
		s, undecodable, err := b.texts.Read(f)
		if err != nil {
			return err
		}
		if undecodable > 0 {
			continue
		}
		h := &fileEntry{file: f, text: source.Readable(f.Path, s)}
		b.cutTo(h, b.c.roomFor(f))
		list = append(list, h)
	}
	slices.SortStableFunc(list, func(a, b *fileEntry) int { return cmp.Compare(a.cost.bytes, b.cost.bytes) })
	for _, h := range list[:min(len(list), n)] {
		if !b.used.plus(h.cost).within(room) || h.cost.content > step {
			break
		}
		step -= h.cost.content
		b.hold(h)
	}
	return nil
}

// put writes what is held into the pack, and returns the rows of its index.
func (b *filler) put(p *Full) []Entry {
	m := &p.Metadata
	byPath := map[string]*scan.File{}
	for _, h := range b.held {
		byPath[claim.Shown(h.file.Path)] = h.file
		if h.note != nil {
			m.Encodings = append(m.Encodings, *h.note)
		}
		if h.skipped() {
			continue
		}
		key, content, truncation := h.rows()
		if key != nil {
			p.KeyFiles = append(p.KeyFiles, *key)
		} else {
			p.Contents = append(p.Contents, *content)
		}
		if truncation != nil {
			m.Truncations = append(m.Truncations, *truncation)
		}
		m.TotalContentBytes += int64(len(h.cut.String()))
	}
	slices.SortStableFunc(p.KeyFiles, func(a, b KeyFile) int { return scan.CompareKeys(byPath[a.Path], byPath[b.Path]) })
	slices.SortFunc(p.Contents, func(a, b Content) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(m.Truncations, func(a, b Truncation) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(m.Encodings, func(a, b EncodingNote) int { return strings.Compare(a.Path, b.Path) })
	if n := countValue(b.out, string(scan.SizeLimit)); n > 0 {
		of := len(extractable(b.src.Snapshot)) - countValue(b.out, string(scan.Binary))
		m.Cuts = append(m.Cuts, Cut{"contents", n, of})
	}
	m.TruncationApplied = len(m.Truncations)+len(m.Cuts) > 0
	rows := index(b.src.Snapshot, b.out)
	m.count(rows)
	p.counts = info(rows, m)
	return rows
}

func countValue(m map[string]string, v string) int {
	n := 0
	for _, x := range m {
		if x == v {
			n++
		}
	}
	return n
}

func metadata(src *Source, t Type, reason string) Metadata {
	s := src.Snapshot
	var size int64
	for i := range s.Files {
		size += s.Files[i].Size
	}
	return Metadata{
		TotalFiles:       len(s.Files),
		TotalDirectories: s.Folders,
		TotalSizeBytes:   size,
		PackType:         t,
		CreatedAt:        src.Created,
		SourceRoot:       ".",
		SelectionReason:  claim.OneLine(reason, 300),
		Truncations:      []Truncation{},
		Encodings:        []EncodingNote{},
		Cuts:             []Cut{},
		Warnings:         []project.Warning{},
	}
}
