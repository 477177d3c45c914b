package diff

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"strings"

	anchored "github.com/rogpeppe/go-internal/diff"
)

// Side is one side of a changed file in a patch. Absent sides are nil.
type Side struct {
	Mode fs.FileMode
	// Text as it may be shown.
	Text []byte
	// Withheld says why the content is not shown; the patch then says so.
	Withheld string
}

// PatchHead is written before a patch whose text was screened and changed.
const PatchHead = "# Credentials in this patch are redacted: it shows the change and does not apply.\n\n"

// WritePatch writes one change in git's unified format, three lines of context.
func WritePatch(w io.Writer, c Change, before, after *Side) error {
	if before != nil && after != nil && before.Mode.Type() != after.Mode.Type() {
		// As in git, one thing goes and another comes in its place.
		c.OldPath = ""
		if err := WritePatch(w, c, before, nil); err != nil {
			return err
		}
		return WritePatch(w, c, nil, after)
	}
	var b bytes.Buffer
	old, cur := c.OldPath, c.Path
	if old == "" {
		old = c.Path
	}
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
			fmt.Fprintf(&b, "similarity index 100%%\nrename from %s\nrename to %s\n", quote(old), quote(cur))
		}
	}
	var x, y []byte
	withheld := ""
	for _, s := range []*Side{before, after} {
		if s != nil && s.Withheld != "" {
			withheld = s.Withheld
		}
	}
	if before != nil {
		x = before.Text
	}
	if after != nil {
		y = after.Text
	}
	if withheld != "" {
		if c.Status != Renamed {
			fmt.Fprintf(&b, "Content not shown: %s\n", withheld)
		}
	} else if d := anchored.Diff("a", x, "b", y); len(d) > 0 {
		// The library's three lines of heading name the files in its own way.
		if _, rest, ok := bytes.Cut(d, []byte("+++ b\n")); ok {
			fmt.Fprintf(&b, "--- %s\n+++ %s\n", from, to)
			b.Write(rest)
		}
	}
	_, err := w.Write(b.Bytes())
	return err
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
