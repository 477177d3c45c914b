package job

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/text"
)

// desk is a terminal that a person looks on at.
type desk struct {
	*Process
	warnings []string // that wait for the result
}

// patience is how long a step may take before it says how far it is.
const patience = 500 * time.Millisecond

// clearLine is what a terminal takes to empty the line that the cursor is on.
const clearLine = "\r\x1b[K"

// Bounds of the lines on a terminal, in columns; what is unknown has the width of most.
const (
	leastColumns   = 20
	mostColumns    = 100
	unknownColumns = 80
)

// columns is how many characters a line may have.
func (d *desk) columns() int {
	if d.Width <= 0 {
		return unknownColumns
	}
	return min(max(d.Width, leastColumns), mostColumns)
}

// activities are the steps of a run, as progress has them.
var activities = map[string]string{
	"open": "opening the repository", "base": "finding the base", "scan": "reading files", "compare": "comparing with the base",
	"select": "following imports", "graph": "reading imports", "rank": "ranking files", "compose": "composing documents",
	"archive": "writing archives", "pack": "writing the pack", "upload": "uploading",
}

// progress is a line that says how far a step is.
func (d *desk) progress(step string, p *scan.Progress, took time.Duration) string {
	what, known := activities[step]
	if !known {
		what = step
	}
	if step == "scan" {
		what += ": " + Number(p.Files.Load())
		if total := p.Total.Load(); total > 0 {
			what += " of about " + Number(total)
		}
		what += ", " + BytesText(p.Bytes.Load())
	}
	if took >= time.Second {
		what += fmt.Sprintf(" (%d s)", int(took.Seconds()))
	}
	// The last column stays free: some terminals go on in the next line.
	if n := d.columns() - 1; len(what) > n {
		what = what[:n]
	}
	return what
}

// write writes a heading and lines, wrapped. What lines are indented by stays.
func (d *desk) write(w io.Writer, heading string, lines []string, clean func(string) string) {
	var b strings.Builder
	for _, l := range text.Wrap(heading, d.columns()) {
		b.WriteString(l + "\n")
	}
	d.emphasize(w, "1", b.String())
	b.Reset()
	for _, l := range lines {
		indent := l[:len(l)-len(strings.TrimLeft(l, " "))]
		if len([]rune(l)) <= d.columns() {
			b.WriteString(clean(l) + "\n")
			continue
		}
		for i, part := range text.Wrap(clean(l), d.columns()-len(indent)-2) {
			if i > 0 {
				part = "  " + part
			}
			b.WriteString(indent + part + "\n")
		}
	}
	_ = say(w, b.String()) // a run whose log is closed goes on
}

// emphasize writes lines in a colour, or another attribute, where the terminal has any.
func (d *desk) emphasize(w io.Writer, attribute, lines string) {
	if !d.Colour {
		_ = say(w, lines)
		return
	}
	_, _ = io.WriteString(w, "\x1b["+attribute+"m")
	_ = say(w, lines)
	_, _ = io.WriteString(w, "\x1b[0m")
}

// Words of a warning that tell two of a kind apart: what is quoted, numbers, and paths.
var particular = lazyregexp.New(`"(?:[^"\\]|\\.)*"|[^\s,;:()]*[/.][^\s,;:()]*[^\s,;:().]|[0-9][0-9,.]*`)

// foldedKinds is how many kinds of warnings are told; of a long run the rest is a number.
const foldedKinds = 8

// settle prints the warnings, folded by kind unless all are wanted, and forgets them.
func (d *desk) settle(w io.Writer) {
	all := d.warnings
	d.warnings = nil
	if len(all) == 0 {
		return
	}
	type kind struct {
		first string
		count int
	}
	var kinds []*kind
	index := map[string]*kind{}
	for _, s := range all {
		key := particular.ReplaceAllString(s, "…")
		if k := index[key]; k != nil && !d.Verbose {
			k.count++
			continue
		}
		k := &kind{s, 1}
		index[key], kinds = k, append(kinds, k)
	}
	_ = say(w, "\n")
	d.emphasize(w, "33", Number(len(all))+plural(" warning", len(all))+":\n")
	var b strings.Builder
	hidden := 0
	for i, k := range kinds {
		if i >= foldedKinds && !d.Verbose {
			hidden += k.count
			continue
		}
		more := ""
		if k.count > 1 {
			more = fmt.Sprintf(" (and %s more of this kind)", Number(k.count-1))
			hidden += k.count - 1
		}
		for j, l := range text.Wrap(k.first+more, d.columns()-4) {
			lead := "  - "
			if j > 0 {
				lead = "    "
			}
			b.WriteString(lead + l + "\n")
		}
	}
	if hidden > 0 {
		b.WriteString(strings.Join(text.Wrap("--verbose lists all of them.", d.columns()), "\n") + "\n")
	}
	_ = say(w, b.String())
}

// plural is a noun of a number.
func plural(noun string, n int) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}
