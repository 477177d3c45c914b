package diff

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"strings"
)

// Side is one side of a changed file in a patch. Absent sides are nil.
type Side struct {
	Mode fs.FileMode
	// Text as it may be shown.
	Text []byte
	// Withheld says why the content is not shown; the patch then says so.
	Withheld string
	// Size of the content in bytes, known where it is withheld; -1 where it is not known.
	Size int64
	// Commit is what a submodule stands at.
	Commit string
	// Heads are the definitions of the text, in order of their first lines.
	Heads []Head
	// Above is how many lines stand above the text that are the same on both sides.
	Above int
}

// Head is what a definition of a text begins with, and the lines that it has, counted from 1.
type Head struct {
	From, To int
	Text     string
}

// Patch is the change of one file in git's unified format, and what it says in numbers.
type Patch struct {
	Text []byte
	// Added and Removed are lines; Shown is false where they are not known, as of a binary.
	Added, Removed int
	Shown          bool
}

// PatchHead is written before a patch whose text was screened and changed.
const PatchHead = "# Credentials in this patch are redacted: it shows the change and does not apply.\n\n"

// coarseNote stands after the hunks of a pair of files that would take too long.
const coarseNote = "# The hunks above are larger than they need be: lines that both have are taken away and added again.\n"

// Drawing is the change while its patches are drawn and its lines are counted. The zero
// value is a new one.
type Drawing struct {
	// steps is the work that was done.
	steps int
}

// Bounds of the work, in steps of some nanoseconds: on one pair of files, about a second, and on
// all of a change. Texts of a megabyte of which nothing is alike need a tenth of the first.
const (
	maxSteps    = 1 << 26
	maxAllSteps = 1 << 28
)

// compare compares two texts with the work that is left. place says that the hunks are shown,
// and stand where they read best.
func (d *Drawing) compare(before, after []byte, place bool) *pairing {
	most := min(maxSteps, maxAllSteps-d.steps)
	p := &pairing{most: most}
	p.mark(string(before), string(after))
	if place && !p.coarse {
		p.old.compact(&p.cur, &p.most)
		p.cur.compact(&p.old, &p.most)
	}
	d.steps += most - p.most
	return p
}

// Draw makes the patch of one change, three lines of context around each.
func (d *Drawing) Draw(c Change, before, after *Side) Patch {
	if before != nil && after != nil && before.Mode.Type() != after.Mode.Type() {
		// As in git, one thing goes and another comes in its place.
		c.OldPath, c.Similarity = "", 0
		p, q := d.Draw(c, before, nil), d.Draw(c, nil, after)
		return Patch{append(p.Text, q.Text...), p.Added + q.Added, p.Removed + q.Removed, p.Shown || q.Shown}
	}
	var b bytes.Buffer
	old, cur := cmp.Or(c.OldPath, c.Path), c.Path
	fmt.Fprintf(&b, "diff --git %s %s\n", quote("a/"+old), quote("b/"+cur))
	from, to := quote("a/"+old), quote("b/"+cur)
	switch {
	case before == nil:
		fmt.Fprintf(&b, "new file mode %s\n", mode(after.Mode))
		from = "/dev/null"
	case after == nil:
		fmt.Fprintf(&b, "deleted file mode %s\n", mode(before.Mode))
		to = "/dev/null"
	default:
		if before.Mode != after.Mode {
			fmt.Fprintf(&b, "old mode %s\nnew mode %s\n", mode(before.Mode), mode(after.Mode))
		}
		if c.Status == Renamed {
			fmt.Fprintf(&b, "similarity index %d%%\nrename from %s\nrename to %s\n", c.Similarity, quote(old), quote(cur))
		}
	}
	p := Patch{}
	if c.Same {
		p.Shown = before.Withheld+after.Withheld == ""
	} else {
		p = d.hunks(&b, [2]string{from, to}, before, after)
	}
	if p.Text = b.Bytes(); !p.Shown && !c.Same {
		// A header without its hunks would keep the rest of the patch from applying.
		p.Text = commented(p.Text)
	}
	return p
}

// commented puts a sign before each line, so that git apply passes over it.
func commented(patch []byte) []byte {
	return fmt.Appendf(nil, "# %s\n", bytes.ReplaceAll(bytes.TrimSuffix(patch, []byte("\n")), []byte("\n"), []byte("\n# ")))
}

// hunks writes what differs between two sides, which bear these names, or what can be said
// of it.
func (d *Drawing) hunks(b *bytes.Buffer, names [2]string, before, after *Side) Patch {
	x, y := cmp.Or(before, &Side{}), cmp.Or(after, &Side{})
	switch {
	case x.Commit+y.Commit != "":
		x.Text, y.Text = submodule(x.Commit), submodule(y.Commit)
	case x.Withheld+y.Withheld != "":
		fmt.Fprintf(b, "Content not shown: %s%s\n", cmp.Or(y.Withheld, x.Withheld), sizes(before, after))
		return Patch{}
	}
	p := d.compare(x.Text, y.Text, true)
	if p.same() {
		return Patch{Shown: true}
	}
	fmt.Fprintf(b, "--- %s\n+++ %s\n", ended(names[0]), ended(names[1]))
	p.write(b, y.Above, (&headings{p: p, before: x.Heads, after: y.Heads}).of)
	if p.coarse {
		b.WriteString(coarseNote)
	}
	return Patch{Added: p.cur.count(), Removed: p.old.count(), Shown: true}
}

// Tell says what changes between two sides beside text, in some words: types, sizes, the
// commits of a submodule, modes; "" where it is text alone. Absent sides are nil.
func Tell(before, after *Side) string {
	x, y := cmp.Or(before, &Side{}), cmp.Or(after, &Side{})
	var told []string
	switch {
	case x.Commit != "" && y.Commit != "":
		told = append(told, "submodule "+short(x.Commit)+" → "+short(y.Commit))
	case x.Commit+y.Commit != "":
		told = append(told, "submodule "+short(x.Commit+y.Commit))
	case x.Withheld+y.Withheld != "":
		told = append(told, NotShown+cmp.Or(y.Withheld, x.Withheld)+sizes(before, after))
	}
	if before != nil && after != nil && x.Mode.Type() != y.Mode.Type() {
		told = append(told, kind(x.Mode)+" → "+kind(y.Mode))
	} else if before != nil && after != nil && mode(x.Mode) != mode(y.Mode) {
		told = append(told, "mode "+mode(x.Mode)+" → "+mode(y.Mode))
	}
	return strings.Join(told, ", ")
}

// NotShown begins what Tell says of a file whose content is not shown.
const NotShown = "not shown: "

// short is the beginning of a commit's id.
func short(commit string) string { return commit[:min(len(commit), 12)] }

// kind is what a mode says a file is.
func kind(m fs.FileMode) string {
	switch mode(m) {
	case "120000":
		return "link"
	case "160000":
		return "submodule"
	}
	return "file"
}

// ended marks where a name with a space ends, as git does for patch(1).
func ended(name string) string {
	if strings.Contains(name, " ") {
		return name + "\t"
	}
	return name
}

// submodule is what git shows of one that stands at a commit.
func submodule(commit string) []byte {
	if commit == "" {
		return nil
	}
	return []byte("Subproject commit " + commit + "\n")
}

// sizes says how many bytes a side has that is not shown, and had.
func sizes(before, after *Side) string {
	switch {
	case before == nil && after.Size >= 0:
		return fmt.Sprintf(" (%d bytes)", after.Size)
	case after == nil && before.Size >= 0:
		return fmt.Sprintf(" (%d bytes)", before.Size)
	case before != nil && after != nil && before.Size >= 0 && after.Size >= 0:
		return fmt.Sprintf(" (%d → %d bytes)", before.Size, after.Size)
	}
	return ""
}

func mode(m fs.FileMode) string {
	switch {
	case m&fs.ModeSymlink != 0:
		return "120000"
	case m&fs.ModeIrregular != 0:
		return "160000"
	case m&0o111 != 0:
		return "100755"
	}
	return "100644"
}

// quote writes a path as git does: in C style when it holds a control
// character, a quote, a backslash or a byte beyond ASCII.
func quote(p string) string {
	plain := true
	for i := 0; i < len(p); i++ {
		if p[i] < ' ' || p[i] >= 0x7f || p[i] == '"' || p[i] == '\\' {
			plain = false
			break
		}
	}
	if plain {
		return p
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case c == '\r':
			b.WriteString(`\r`)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Count returns the lines that are added and taken away between two contents; ok is false
// where one is binary, as git takes it: it has a zero among its first 8000 bytes.
func (d *Drawing) Count(before, after []byte) (added, removed int, ok bool) {
	if binary(before) || binary(after) {
		return 0, 0, false
	}
	if bytes.Equal(before, after) {
		return 0, 0, true
	}
	p := d.compare(before, after, false)
	return p.cur.count(), p.old.count(), true
}

func binary(raw []byte) bool {
	return bytes.IndexByte(raw[:min(len(raw), 8000)], 0) >= 0
}
