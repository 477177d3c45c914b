package snapshot

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/brief"
	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/source"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tree"
)

// FilePatch is the change of one file as text. Both sides were searched like
// everything that leaves.
type FilePatch struct {
	Change diff.Change
	Text   []byte // nil where it is not shown
	// reading is the text for a reader where that is another one: without long base64, and
	// cell by cell of notebooks. It does not apply.
	reading []byte
	// Redacted: a credential stood in what the text shows, or lines that change are not told for one.
	Redacted bool
	// Added and Removed are lines; Counted is false where they are not known, as of a binary.
	Added, Removed int
	Counted        bool
	// Told is what changes where it is no text: the mode, the size, the commit of a submodule.
	Told string
	// Pointer: what changes is the commit of a submodule.
	Pointer bool
	// Generated: a program writes the file. A document tells such a change and does not show it.
	Generated bool
	// Alone says what alone changes where that need not be shown: white space that means nothing, or that lines go to another
	// file which is shown; "" where more does.
	Alone string
	// Alike is 1 more than the place of the patch that makes the same edit and is shown for both, 0 where this one is.
	Alike int
	// Begins are the lines after the change at which definitions begin, in order, as far as they were looked for.
	Begins []int
	// formatted is the text without the hunks in which a formatter's choices alone change, nil where there are none.
	formatted []byte
}

// Meant is the text without what a formatter chooses, for those who ask what a change is about.
func (p *FilePatch) Meant() []byte {
	switch {
	case p.Alone == layoutAlone || p.Alone == spaceAlone:
		return []byte{}
	case p.formatted != nil:
		return p.formatted
	}
	return p.Text
}

// LaidOut reports whether a change is a formatter's work: what changes in the files that no program writes, leastLaidOut or more of them,
// is how they are laid out, but for a small part, or in leastLaidAlone or more nothing else does.
func LaidOut(patches []FilePatch) bool {
	all, meant, files := 0, 0, 0
	for i := range patches {
		p := &patches[i]
		if p.Generated || !p.Counted || p.Text == nil {
			continue
		}
		all += p.Added + p.Removed
		files++
		switch {
		case p.formatted != nil:
			_, hunks, _ := diff.Hunks(p.formatted)
			for n := range hunks {
				removed, added := hunks[n].Changed()
				meant += removed + added
			}
		case p.Alone != layoutAlone && p.Alone != spaceAlone:
			meant += p.Added + p.Removed
		}
	}
	return files >= leastLaidOut && meant*meantPart < all || files >= leastLaidAlone && meant == 0 && !deletes(patches)
}

// deletes reports whether a change takes a file away.
func deletes(patches []FilePatch) bool {
	return slices.ContainsFunc(patches, func(p FilePatch) bool { return p.Change.Status == diff.Deleted })
}

// Where less than one in meantPart changed lines is of more than layout, and files are leastLaidOut or more, nobody asks what else a
// change needs, nor where no line is of more and files are leastLaidAlone. A person who lays out one file does it beside something else.
const (
	meantPart      = 10
	leastLaidOut   = 5
	leastLaidAlone = 2
)

// What alone changes.
const (
	spaceAlone  = "white space alone changes"
	layoutAlone = "layout alone changes"
)

// Untold says in a few words why a document tells the change of a file and does not show it, "" where it shows it.
func (p *FilePatch) Untold() string {
	if p.Generated {
		return "generated"
	}
	if why, hidden := strings.CutPrefix(p.Told, diff.NotShown); hidden {
		return why
	}
	return p.Alone
}

// Read is the text for a reader.
func (p *FilePatch) Read() []byte {
	switch {
	case p.reading != nil:
		return p.reading
	case p.formatted != nil:
		return p.formatted
	}
	return p.Text
}

// NamedOnce returns a patch of which the text for a reader has no lines that name the two paths of a move where others do: it does not
// apply then.
func NamedOnce(p FilePatch) FilePatch {
	text := p.Read()
	head, hunks, _ := diff.Hunks(text)
	if p.Change.Status != diff.Renamed || len(hunks) == 0 {
		return p
	}
	var b bytes.Buffer
	for line := range bytes.Lines(head) {
		if !bytes.HasPrefix(line, []byte("rename from ")) && !bytes.HasPrefix(line, []byte("rename to ")) {
			b.Write(line)
		}
	}
	b.Write(text[len(head):])
	p.reading = b.Bytes()
	return p
}

// WithoutLicence returns the patch of a deleted file whose text for a reader does not begin with a long licence: it says so behind its lines.
func WithoutLicence(p FilePatch) FilePatch {
	if p.Change.Status != diff.Deleted {
		return p
	}
	head, hunks, tail := diff.Hunks(p.Read())
	if len(hunks) != 1 {
		return p
	}
	var before bytes.Buffer
	for _, line := range hunks[0].Lines {
		before.Write(line[1:])
	}
	n := brief.LicenceLines(p.Change.Path, before.Bytes())
	if n == 0 || n >= len(hunks[0].Lines) {
		return p
	}
	rest := hunks[0].From(n)
	p.reading = slices.Concat(head, rest.Text(), tail, fmt.Appendf(nil, "# Left out here: its licence, %d lines.\n", n))
	return p
}

// Numbers says how many lines a change adds and takes away, "" where that is not known.
func (p *FilePatch) Numbers() string {
	if !p.Counted {
		return ""
	}
	return fmt.Sprintf(", +%d -%d", p.Added, p.Removed)
}

// maxCounted bounds, in bytes, what is read to count the lines of changes that are not shown.
const maxCounted = 32 << 20

// drawing is the change while its patches are drawn.
type drawing struct {
	s             *Contents
	c             *Change
	before, after map[string]*diff.Entry
	files         map[string]*scan.File
	omitted       map[string]scan.Reason
	lines         diff.Drawing
	// shown is how many bytes the patches have, stopped that they are too many.
	shown   int
	stopped bool
	// headed is how many bytes were looked through for definitions.
	headed int
	// uncounted is how many bytes may still be read to count lines.
	uncounted int64
	// compared is how many bytes were compared for what a formatter chooses.
	compared int
}

// reasonOf says why a path is left out: by itself, or with a folder that it lies in; "" where nothing says.
func (d *drawing) reasonOf(name string) scan.Reason {
	why := d.omitted[name]
	for i := len(name) - 1; i > 0 && why == ""; i-- {
		if name[i] == '/' {
			why = d.omitted[name[:i+1]]
		}
	}
	return why
}

func entriesByPath(list []diff.Entry) map[string]*diff.Entry {
	m := make(map[string]*diff.Entry, len(list))
	for i := range list {
		m[list[i].Path] = &list[i]
	}
	return m
}

// DrawPatches draws the change, file by file, as far as it is shown: until the patches
// are longer than MaxPatch bytes, or what they change longer than maxBefore.
func DrawPatches(s *Contents, c *Change) ([]FilePatch, error) {
	if c.Base == nil || c.Base.None {
		return nil, nil
	}
	list := make([]FilePatch, len(c.Changes))
	for i, x := range c.Changes {
		list[i].Change = x
	}
	if c.Base.Root == nil {
		return list, nil
	}
	d := &drawing{s: s, c: c, before: entriesByPath(c.Base.Files), after: entriesByPath(c.entries), files: make(map[string]*scan.File, len(s.Files)), uncounted: maxCounted}
	for i := range s.Files {
		d.files[s.Files[i].Path] = &s.Files[i]
	}
	d.omitted = make(map[string]scan.Reason, len(s.Omitted))
	for i := range s.Omitted {
		d.omitted[s.Omitted[i].Path] = s.Omitted[i].Reason
	}
	for i := range list {
		if err := d.draw(&list[i]); err != nil {
			return nil, err
		}
		if p := &list[i]; !p.Counted || p.Redacted {
			added, removed, drawn := p.Added, p.Removed, p.Counted
			counted := d.count(p)
			if drawn && counted && added == p.Added && removed == p.Removed && !bytes.Contains(p.Text, markBegin) {
				p.Redacted = false // what is redacted stands elsewhere in the file
			}
		}
	}
	tellAlone(list, s.Screener)
	return list, nil
}

// markBegin is what every mark of redaction begins with.
var markBegin = []byte("[REDACTED")

// tellAlone fills in what alone changes. Where something was redacted nobody knows.
func tellAlone(list []FilePatch, s *scan.Screener) {
	texts := make([][]byte, len(list))
	for i := range list {
		p := &list[i]
		if p.Redacted || p.Generated {
			continue
		}
		texts[i] = p.Text
		if p.Alone == "" && diff.SpaceAlone(p.Text, meaningOfSpace(p.Change.Path)) {
			p.Alone = spaceAlone
		}
	}
	for i, to := range diff.MovedTo(texts) {
		if p := &list[i]; to >= 0 && p.Alone == "" {
			p.Alone = "lines move to " + text.Name(s.Clean(list[to].Change.Path))
		}
	}
	tellAlike(list, texts)
}

// tellAlike fills in which of the patches make the same edit: of files that are there before and after under one name, of which the
// patch as it is shown tells all.
func tellAlike(list []FilePatch, texts [][]byte) {
	for i := range texts {
		if p := &list[i]; p.Alone != "" || p.reading != nil || p.Told != "" || p.Change.Status != diff.Modified {
			texts[i] = nil
		}
	}
	for i, to := range diff.SameEdits(texts) {
		if to >= 0 {
			list[i].Alike = to + 1
		}
	}
}

// meaningOfSpace is that of white space in a file: of what no language is known, all counts.
func meaningOfSpace(name string) diff.Space {
	l := language.Of(name)
	if l == nil || l.Kind == language.Prose || l.Name == "Make" {
		return diff.Space{Indents: true, Lines: true}
	}
	return diff.Space{Indents: l.Blocks == language.Indentation, Lines: l.Ends == language.Newline}
}

// sides are what stands before a change, at its old path, and behind it; nil where there is nothing. It notes whether either was redacted.
func (d *drawing) sides(p *FilePatch, old string) (from, to *diff.Side, err error) {
	x := p.Change
	if passage, ok := d.c.Before[old]; ok {
		if d.s.CrowdedBefore[old] {
			passage.Withheld = "holds too many credentials"
		}
		if from, err = passage.side(); err != nil {
			return nil, nil, err
		}
		p.Redacted = passage.redacted
		d.describe(from, d.before[old], old, d.c.stored.before)
	}
	if e := d.after[x.Path]; e != nil && x.Status != diff.Deleted {
		f := d.files[x.Path]
		to = sideAfter(*e, f, d.reasonOf(x.Path), from != nil)
		p.Redacted = p.Redacted || to.Withheld == "" && f != nil && len(f.Redactions) > 0
		d.describe(to, e, x.Path, d.c.stored.after)
	}
	if p.Redacted && from != nil && from.Withheld == "" {
		// What is redacted after the change is redacted before it too, or it would seem to change.
		from.Text = d.s.Screener.Strip(from.Text)
	}
	return from, to, nil
}

// draw draws the patch of one file.
func (d *drawing) draw(p *FilePatch) error {
	x := p.Change
	old := cmp.Or(x.OldPath, x.Path)
	_, looked := d.c.Before[old]
	d.stopped = d.stopped || d.shown > MaxPatch || !looked && d.before[old] != nil
	if d.stopped {
		return nil
	}
	from, to, err := d.sides(p, old)
	if err != nil {
		return err
	}
	if from == nil && to == nil {
		p.Text = []byte{}
		return nil
	}
	large := d.middle(x.Path, from, to, func() {
		d.describe(from, d.before[old], old, d.c.stored.before)
		d.describe(to, d.after[x.Path], x.Path, d.c.stored.after)
	})
	p.Pointer = from != nil && from.Commit != "" || to != nil && to.Commit != ""
	p.Told = diff.Tell(from, to)
	p.Generated = d.generated(x.Path, from, to)
	if from != nil && to != nil && from.Withheld+to.Withheld == "" && !x.Same && !large {
		to.Heads = d.heads(x.Path, to.Text)
		for _, h := range to.Heads {
			p.Begins = append(p.Begins, h.From)
		}
	}
	named := x
	named.Path, named.OldPath = d.s.Screener.Clean(x.Path), d.s.Screener.Clean(x.OldPath)
	if from != nil && to != nil && d.modeAlone(old, x.Path) {
		named.Same = true // shown or not
	}
	patch := d.lines.Draw(named, from, to)
	p.Text, p.Added, p.Removed, p.Counted = patch.Text, patch.Added, patch.Removed, patch.Shown
	d.shown += len(p.Text)
	x0, read := readableSide(old, from)
	y0, too := readableSide(x.Path, to)
	if read || too {
		p.reading = d.lines.Draw(named, x0, y0).Text
	} else if !large {
		d.findFormatted(p, from, to)
	}
	return nil
}

// middle cuts two large sides down to what stands between the lines that they have in common at both ends, and reports whether it
// did; where that is large too, it withholds them, and tells.
func (d *drawing) middle(name string, from, to *diff.Side, tell func()) bool {
	if from == nil || to == nil || from.Withheld+to.Withheld != "" || max(len(from.Text), len(to.Text)) <= MaxPatchText {
		return false
	}
	above, before, after := diff.Middle(from.Text, to.Text)
	if max(len(before), len(after)) > MaxPatchText || strings.HasSuffix(strings.ToLower(name), ".ipynb") {
		from.Withheld, to.Withheld = tooLarge, tooLarge
		tell()
		return true
	}
	from.Text, from.Above, to.Text, to.Above = before, above, after, above
	return true
}

// modeAlone reports whether all that changes of a file is its mode.
func (d *drawing) modeAlone(old, now string) bool {
	was, is := d.before[old], d.after[now]
	return was != nil && was.ID == is.ID && was.Mode.Type() == is.Mode.Type()
}

// ReadableText is a file's content as it is put before a reader. What is put together from
// strings of the file, as of a notebook, may show what they did not.
func ReadableText(s *scan.Screener, f *scan.File, raw []byte) []byte {
	content := s.Strip(text.Decode(raw, f.Encoding))
	if shown := source.Readable(f.Path, content); len(shown) != len(content) {
		return s.Strip(shown)
	}
	return content
}

// readableSide is a side as it is put before a reader; other says that it is another one.
func readableSide(name string, side *diff.Side) (shown *diff.Side, other bool) {
	if side == nil || side.Withheld != "" {
		return side, false
	}
	s := *side
	s.Text = source.Readable(name, side.Text)
	if other = len(s.Text) != len(side.Text); other {
		s.Heads = nil
	}
	return &s, other
}

// describe says of a side what a patch tells where it does not show the content.
func (d *drawing) describe(side *diff.Side, e *diff.Entry, name string, open func(string) (tree.File, bool)) {
	side.Size = -1
	if e == nil {
		return
	}
	if e.Mode&fs.ModeIrregular != 0 {
		side.Commit = e.ID
	} else if d.c.stored.told != nil && side.Withheld == "" && d.c.stored.told.Untold(name) {
		side.Withheld = "-diff in .gitattributes"
	}
	if f, ok := open(name); ok && side.Withheld != "" && f.Mode.IsRegular() {
		side.Size = f.Size
	}
}

// generated reports whether a program writes a file: its attributes say so, or the first
// lines of what it is now, or was.
func (d *drawing) generated(name string, from, to *diff.Side) bool {
	if d.c.stored.told != nil {
		if yes, said := d.c.stored.told.Generated(name); said {
			return yes
		}
	}
	side := to
	if side == nil {
		side = from
	}
	return language.IsGenerated(name, side.Text)
}

// maxDefined and maxHeaded bound, in bytes, the text and all the texts in which the definitions are looked for that stand
// around the hunks. Beyond, a hunk is headed by a line that looks like the head of one.
const (
	maxDefined = 600_000
	maxHeaded  = 2 << 20
)

// heads are the definitions of a text that more lines than one belong to.
func (d *drawing) heads(name string, content []byte) []diff.Head {
	_, ok := provider.For(language.As(name, content))
	if d.headed += len(content); !ok || len(content) > maxDefined || d.headed > maxHeaded {
		return nil
	}
	found, err := provider.Define(name, content)
	if err != nil || len(found) == 0 {
		return nil
	}
	lines := bytes.SplitAfter(content, []byte("\n"))
	var list []diff.Head
	for _, f := range found {
		if f.Line >= 1 && f.Line < f.End && f.Line <= len(lines) {
			list = append(list, diff.Head{From: f.Line, To: f.End, Text: string(lines[f.Line-1])})
		}
	}
	slices.SortStableFunc(list, func(a, b diff.Head) int { return cmp.Or(a.From-b.From, b.To-a.To) })
	return list
}

// count counts the lines of a change that is not shown, or not as it is, as far as they may
// be read.
func (d *drawing) count(p *FilePatch) bool {
	x := p.Change
	if d.c.stored.told != nil && d.c.stored.told.Untold(x.Path) || x.Same {
		p.Counted = x.Same
		return x.Same
	}
	read := func(name string, e *diff.Entry, open func(string) (tree.File, bool)) ([]byte, bool) {
		if e == nil {
			return nil, true
		}
		f, ok := open(name)
		if !ok || !f.Mode.IsRegular() {
			return nil, false
		}
		if d.uncounted -= f.Size; d.uncounted < 0 {
			return nil, false
		}
		raw, err := f.Read()
		return raw, err == nil
	}
	old := cmp.Or(x.OldPath, x.Path)
	from, ok := read(old, d.before[old], d.c.stored.before)
	if !ok {
		return false
	}
	after := d.after[x.Path]
	if x.Status == diff.Deleted {
		after = nil
	}
	to, ok := read(x.Path, after, d.c.stored.after)
	if !ok {
		return false
	}
	added, removed, ok := d.lines.Count(from, to)
	if ok {
		p.Added, p.Removed, p.Counted = added, removed, true
	}
	return ok
}

// PatchText joins patches up to about limit bytes. The whole passes the screen once
// more, for what only two lines together show.
func PatchText(s *scan.Screener, patches []FilePatch, limit int) (text []byte, made []secret.Finding) {
	var b strings.Builder
	redacted := false
	for n, p := range patches {
		if b.Len() > limit || p.Text == nil {
			fmt.Fprintf(&b, "# %d more changes are not shown: the patch is longer than %d bytes.\n", len(patches)-n, limit)
			break
		}
		redacted = redacted || p.Redacted
		b.Write(p.Text)
	}
	return ScreenPatch(s, b.String(), redacted)
}

// ScreenPatch redacts what the patches of files make together, and says in front if it did,
// or if they were redacted each by itself. made are the findings, at their lines in the text.
func ScreenPatch(s *scan.Screener, text string, redacted bool) (clean []byte, made []secret.Finding) {
	clean, made = s.Document("changes.patch", []byte(text))
	if !redacted && len(made) == 0 {
		return clean, nil
	}
	for i := range made {
		made[i].Line += strings.Count(diff.PatchHead, "\n")
	}
	return append([]byte(diff.PatchHead), clean...), made
}

// side is the base's side of a change.
func (p passage) side() (*diff.Side, error) {
	s := &diff.Side{Mode: p.mode, Withheld: p.Withheld}
	if p.Withheld != "" {
		return s, nil
	}
	var err error
	if s.Text, err = p.Text.Read(); p.marked {
		s.Text = append([]byte(byteOrderMark), s.Text...)
	}
	return s, err
}

// sideAfter is the head's side of a change: a packed file as it may be shown. Of a large one that was there before, too, its middle may.
func sideAfter(e diff.Entry, f *scan.File, omitted scan.Reason, modified bool) *diff.Side {
	s := &diff.Side{Mode: e.Mode}
	switch {
	case f == nil:
		s.Withheld = cmp.Or(string(omitted), "left out")
		return s
	case f.Encoding == text.Binary && f.Mode.IsRegular():
		s.Withheld = "binary"
		return s
	case f.Size > maxLargeText || f.Size > MaxPatchText && !modified:
		s.Withheld = tooLarge
		return s
	}
	raw, err := f.Read()
	if err != nil {
		s.Withheld = "unreadable"
		return s
	}
	if s.Text = text.Decode(raw, f.Encoding); f.Encoding == text.UTF8BOM {
		s.Text = append([]byte(byteOrderMark), s.Text...)
	}
	return s
}

// tooLarge is why the content of a large file is not shown.
const tooLarge = "too large"

// byteOrderMark is what a file in UTF-8 may begin with. A patch without it does not apply.
const byteOrderMark = "\uFEFF"
