package pack

import (
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/source"
)

// What a summary shows of files beside what it says of them, as far as its limit goes: outlines of key files and of
// other code, then whole files; in the order of how much depends on them, tests and examples last. Locks, licences and
// data never.

// FileOutline are lines of a file, each behind its number: first lines of what it defines, of a manifest those that say how
// the project is built, run and tested. The most telling lines of all files stand first, then what others use of each file, then
// what else files define, so that a file may stand more than once.
type FileOutline struct {
	Path    string   `json:"path"`
	Outline []string `json:"outline"`
	// Rest says that they are those that do not lead.
	Rest bool `json:"rest,omitempty"`
}

// Bounds of one outline: its lines, and the bytes of each.
const (
	maxOutline     = 300
	maxOutlineLine = 120
)

// show fills a summary with outlines and files, more than its limit can hold.
func (v *view) show(p *Summary, texts *source.Texts) error {
	inBytes, inTokens := v.src.Limits.bounds()
	room := inBytes.n
	if inTokens != nil {
		room = min(room, inTokens.n*maxBytesOfToken)
	}
	list := v.ranked()
	told := v.open(p, list)
	at := map[string]int{}
	for i, k := range p.KeyFilesSummary {
		at[k.Path] = i
	}
	outlined := int64(0)
	var rest []FileOutline
	for _, f := range list {
		if outlined > room || v.src.Define == nil {
			break
		}
		shown := claim.Shown(f.Path)
		i, key := at[shown]
		lines, err := v.outline(f, texts)
		if err != nil {
			return err
		}
		var leading, others []string
		for _, l := range lines {
			outlined += int64(len(l.Text)) + 3
			switch {
			case key:
				p.KeyFilesSummary[i].Outline = append(p.KeyFilesSummary[i].Outline, l.Text)
			case told[lineOf{shown, numberOf(l.Text)}]:
			case l.Leads:
				leading = append(leading, l.Text)
			default:
				others = append(others, l.Text)
			}
		}
		if len(leading) > 0 {
			p.Outlines = append(p.Outlines, FileOutline{Path: shown, Outline: leading})
		}
		if len(others) > 0 {
			rest = append(rest, FileOutline{Path: shown, Outline: others, Rest: true})
		}
	}
	p.Outlines = append(p.Outlines, rest...)
	c := &v.src.Limits
	whole := int64(0)
	for _, f := range list {
		if outlined+whole > room || whole > c.MaxTotalBytes || len(p.Contents) == c.MaxFiles {
			break
		}
		if f.Size > int64(c.roomFor(f)) { // its outline tells of it
			continue
		}
		b, undecodable, err := texts.Read(f)
		if err != nil {
			return err
		}
		b = source.Readable(f.Path, b)
		if len(b) == 0 || len(b) > c.roomFor(f) || undecodable > 0 || whole+int64(len(b)) > c.MaxTotalBytes {
			continue
		}
		whole += int64(len(b))
		p.Contents = append(p.Contents, Content{claim.Shown(f.Path), string(b), false, f.Size})
	}
	return nil
}

// lineOf is a line of a file, by its number.
type lineOf struct{ path, number string }

func numberOf(line string) string {
	number, _, _ := strings.Cut(line, " ")
	return number
}

// open begins the outlines with the most telling lines of the files of a list, and returns the places that are told.
func (v *view) open(p *Summary, list []*scan.File) map[lineOf]bool {
	if v.src.Opening == nil {
		return nil
	}
	may := map[string]bool{}
	for _, f := range list {
		may[claim.Shown(f.Path)] = true
	}
	told := map[lineOf]bool{}
	for _, o := range v.src.Opening() {
		if !may[o.Path] || len(o.Outline) == 0 {
			continue
		}
		one := FileOutline{Path: o.Path}
		for _, line := range o.Outline {
			told[lineOf{o.Path, numberOf(line)}] = true
			one.Outline = append(one.Outline, claim.OneLine(line, maxOutlineLine))
		}
		p.Outlines = append(p.Outlines, one)
	}
	return told
}

// maxBytesOfToken is more than a token of code stands for in the mean.
const maxBytesOfToken = 8

// ranked returns the files that may be shown, in the order that the source gives.
func (v *view) ranked() []*scan.File {
	of := make(map[string]*scan.File, len(v.src.Ranked))
	for i := range v.src.Snapshot.Files {
		if f := &v.src.Snapshot.Files[i]; f.Extractable() && f.LowValue == "" {
			of[f.Path] = f
		}
	}
	var list []*scan.File
	for _, name := range v.src.Ranked {
		if f := of[name]; f != nil {
			list = append(list, f)
		}
	}
	return list
}

// outline returns the first lines of what a file defines.
func (v *view) outline(f *scan.File, texts *source.Texts) ([]Signature, error) {
	if f.Size > maxOutlined {
		return nil, nil
	}
	b, _, err := texts.Read(f)
	if err != nil {
		return nil, err
	}
	var out []Signature
	for _, d := range v.src.Define(f.Path, source.Readable(f.Path, b)) {
		if len(out) == maxOutline {
			break
		}
		out = append(out, Signature{claim.OneLine(d.Text, maxOutlineLine), d.Leads})
	}
	return out, nil
}

// maxOutlined bounds the files whose definitions are looked for, in bytes.
const maxOutlined = 1 << 20

// shownPart is the part of a summary that is shown: outlines of its key files, each of which can go without what is said of the
// file, outlines of others, whole files.
func (p *Summary) shownPart(m *meter) *part {
	o := &part{name: "shown"}
	keys, outlines := p.KeyFilesSummary, p.Outlines
	for i := range keys {
		c := cost{}
		if lines := keys[i].Outline; len(lines) > 0 {
			c = m.of(lines, func(md *markdown) { md.outline(lines) })
		}
		o.costs = append(o.costs, c)
	}
	o.costs = append(o.costs, list(m, "", &p.Outlines, func(md *markdown, i int) {
		if i == 0 {
			md.title("## Outlines", 1)
		}
		md.fileOutline(p.Outlines[i])
	}).costs...)
	o.costs = append(o.costs, list(m, "", &p.Contents, func(md *markdown, i int) {
		if i == 0 {
			md.title("## Contents", 1)
		}
		md.otherFile(p.Contents[i])
	}).costs...)
	if o.total() == (cost{}) {
		o.costs = nil // nothing can be cut
	}
	o.keep = func(n int) {
		p.KeyFilesSummary = slices.Clone(p.KeyFilesSummary)
		for i := n; i < len(p.KeyFilesSummary); i++ {
			p.KeyFilesSummary[i].Outline = nil
		}
		n -= len(keys)
		p.Contents = append([]Content(nil), p.Contents[:max(n-len(outlines), 0)]...)
		p.Outlines = append([]FileOutline(nil), outlines[:min(max(n, 0), len(outlines))]...)
	}
	return o
}

// summariesPart is the part that the summaries of key files are, without their outlines.
func (p *Summary) summariesPart(m *meter) *part {
	bare := slices.Clone(p.KeyFilesSummary)
	for i := range bare {
		bare[i].Outline = nil
	}
	s := list(m, "key_files_summary", &bare, func(md *markdown, i int) {
		if i == 0 {
			md.title("## Key files", 1)
		}
		md.keyFileSummary(bare[i])
	})
	s.keep = func(n int) { p.KeyFilesSummary = slices.Clone(p.KeyFilesSummary[:n]) }
	return s
}
