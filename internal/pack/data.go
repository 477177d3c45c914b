package pack

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/scan"
)

// A pack in Markdown ends with its data: the pack as JSON without what stands above as it is, files and outlines in fences and
// sentences, so that it can be read again.

// restNote stands above what else a file defines.
const restNote = "What else it defines:"

// data is what stands in the last fence. Fences above it are counted from 0.
type data struct {
	// How many key files, other files and outlines the fences show; of a summary's key files Outlined have an outline.
	KeyFiles int   `json:"key_files,omitempty"`
	Contents int   `json:"contents,omitempty"`
	Outlines int   `json:"outlines,omitempty"`
	Outlined []int `json:"outlined,omitempty"`
	// Open are the fences of texts whose last line has no end.
	Open []int `json:"open,omitempty"`
	// Paths and Lines are those that Markdown does not show as they are, by fence.
	Paths map[int]string   `json:"paths,omitempty"`
	Lines map[int][]string `json:"lines,omitempty"`
	Pack  json.RawMessage  `json:"pack"`
}

// add notes of a fence what its Markdown does not tell.
func (d *data) add(fence int, path, text string, lines []string) {
	if !shownAsIs(path) {
		if d.Paths == nil {
			d.Paths = map[int]string{}
		}
		d.Paths[fence] = path
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		d.Open = append(d.Open, fence)
	}
	if !plain(lines) {
		if d.Lines == nil {
			d.Lines = map[int][]string{}
		}
		d.Lines[fence] = lines
	}
}

// shownAsIs reports whether a heading shows a path so that it can be read back.
func shownAsIs(path string) bool { return path != "" && uncoded(code(path)) == path }

// bare returns the pack without what its fences show, and notes of these.
func (p *Full) bare() (document, *data) {
	q, d := *p, &data{KeyFiles: len(p.KeyFiles), Contents: len(p.Contents)}
	q.KeyFiles, q.Contents = nil, nil
	for i, k := range p.KeyFiles {
		d.add(i, k.Path, k.Content, nil)
	}
	for i, c := range p.Contents {
		d.add(len(p.KeyFiles)+i, c.Path, c.Content, nil)
	}
	return &q, d
}

func (p *Summary) bare() (document, *data) {
	q, d := *p, &data{Contents: len(p.Contents), Outlines: len(p.Outlines)}
	q.Outlines, q.Contents = nil, nil
	q.KeyFilesSummary, q.Entrypoints, q.RiskHotspots = slices.Clone(p.KeyFilesSummary), slices.Clone(p.Entrypoints), slices.Clone(p.RiskHotspots)
	r := &q.RepoSummary
	r.KeyTechnologies, r.NotablePatterns, r.PotentialConcerns = slices.Clone(r.KeyTechnologies), slices.Clone(r.NotablePatterns), slices.Clone(r.PotentialConcerns)
	for i := range q.KeyFilesSummary {
		k := &q.KeyFilesSummary[i]
		k.NotableCode = slices.Clone(k.NotableCode)
		if len(k.Outline) > 0 {
			d.add(len(d.Outlined), "-", "", k.Outline)
			d.Outlined, k.Outline = append(d.Outlined, i), nil
		}
	}
	for i := range q.Entrypoints {
		q.Entrypoints[i].RoutesOrCommands = slices.Clone(q.Entrypoints[i].RoutesOrCommands)
	}
	for i := range q.RiskHotspots {
		q.RiskHotspots[i].Indicators = slices.Clone(q.RiskHotspots[i].Indicators)
	}
	for _, one := range q.told() {
		*one = bareText(*one)
	}
	for i := range q.RiskHotspots {
		separable(q.RiskHotspots[i].Indicators, p.RiskHotspots[i].Indicators)
	}
	r.Description = strings.Join(bareTexts(strings.Split(r.Description, "\n\n")), "\n\n")
	n := len(d.Outlined)
	for i, o := range p.Outlines {
		d.add(n+i, o.Path, "", o.Outline)
	}
	n += len(p.Outlines)
	for i, c := range p.Contents {
		d.add(n+i, c.Path, c.Content, nil)
	}
	return &q, d
}

// told are the sentences of a summary that stand in its Markdown as they are said, behind the paragraphs of its description.
func (p *Summary) told() (list []*string) {
	add := func(all []string) {
		for i := range all {
			list = append(list, &all[i])
		}
	}
	r := &p.RepoSummary
	if r.ArchitecturePattern != unclassified {
		list = append(list, &r.ArchitecturePattern)
	}
	add(r.KeyTechnologies)
	add(r.NotablePatterns)
	add(r.PotentialConcerns)
	for i := range p.KeyFilesSummary {
		list = append(list, &p.KeyFilesSummary[i].Summary)
		add(p.KeyFilesSummary[i].NotableCode)
	}
	for i := range p.Entrypoints {
		list = append(list, &p.Entrypoints[i].Description)
		add(p.Entrypoints[i].RoutesOrCommands)
	}
	for i := range p.RiskHotspots {
		add(p.RiskHotspots[i].Indicators)
	}
	return list
}

// mark stands in the data for a sentence that is read from the Markdown. It is one itself.
const mark = "§"

// bareText is a sentence as the data has it: the mark, if what Markdown says of it can be read back.
func bareText(s string) string {
	if s == "" || s != strings.TrimSpace(s) || unsaid(said(s)) != s {
		return s
	}
	return mark
}

func bareTexts(list []string) []string {
	out := slices.Clone(list)
	for i := range out {
		out[i] = bareText(out[i])
	}
	return out
}

// separable takes back marks of sentences that stand on one line, parted by semicolons, where one has a semicolon itself, or is
// written with one.
func separable(marked, sentences []string) {
	if slices.ContainsFunc(sentences, func(s string) bool { return strings.Contains(s, `"`) || strings.Contains(said(s), ";") }) && len(sentences) > 1 {
		copy(marked, sentences)
	}
}

// sentence is a text that Markdown tells as it is said.
type sentence string

// unsaid reads what said wrote.
func unsaid(s string) string {
	var b strings.Builder
	for s != "" {
		switch {
		case strings.HasPrefix(s, apart):
			s = s[len(apart):]
		case s[0] == '\\' && len(s) > 1:
			b.WriteByte(s[1])
			s = s[2:]
		case s[0] == '`':
			ticks := len(s) - len(strings.TrimLeft(s, "`"))
			s = s[ticks:]
			end := closing(s, ticks)
			if end < 0 {
				return ""
			}
			quoted := s[:end]
			s = s[end+ticks:]
			if len(quoted) > 2 && quoted[0] == ' ' && quoted[len(quoted)-1] == ' ' {
				quoted = quoted[1 : len(quoted)-1]
			} else if quoted == " " {
				quoted = ""
			}
			b.WriteString(`"` + quoted + `"`)
		default:
			b.WriteByte(s[0])
			s = s[1:]
		}
	}
	return b.String()
}

// uncoded reads what code wrote.
func uncoded(s string) string { return strings.TrimSuffix(strings.TrimPrefix(unsaid(s), `"`), `"`) }

// closing is where a run of just so many backticks begins, -1 without one.
func closing(s string, ticks int) int {
	for i := 0; i < len(s); {
		n := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		if n == ticks {
			return i
		}
		i += max(n, 1)
	}
	return -1
}

// plain reports whether a fence shows the lines of an outline as they are.
func plain(lines []string) bool {
	return !slices.ContainsFunc(lines, func(l string) bool { return l == "" || l != visible(l) })
}

// data writes the last fence.
func (m *markdown) data(p interface{ bare() (document, *data) }) {
	bare, d := p.bare()
	var out bytes.Buffer
	if err := bare.WriteJSON(&out); err != nil && m.err == nil {
		m.err = err
	}
	d.Pack = json.RawMessage("0")
	head, err := json.Marshal(d)
	if err != nil && m.err == nil {
		m.err = err
	}
	m.line("```json")
	m.line("%s", unticked(bytes.TrimSuffix(head, []byte("0}"))))
	m.w.Write(unticked(out.Bytes()))
	m.line("}")
	m.line("```")
}

// unticked writes JSON without a backtick, so that a fence of three holds it.
func unticked(b []byte) []byte { return bytes.ReplaceAll(b, []byte("`"), []byte(`\u0060`)) }

// bareOf is an element of a pack as the data has it, nil where that is nothing, and the bytes that notes of its fence may take.
func bareOf(v any) (any, int64) {
	switch v := v.(type) {
	case *KeyFile:
		return nil, noteOf(v.Path, v.Content, nil)
	case KeyFile:
		return nil, noteOf(v.Path, v.Content, nil)
	case *Content:
		return nil, noteOf(v.Path, v.Content, nil)
	case Content:
		return nil, noteOf(v.Path, v.Content, nil)
	case []string: // the outline of a key file, whose number stands there
		return nil, noteOf("-", "-", v)
	case FileOutline:
		return nil, noteOf(v.Path, "", v.Outline)
	case KeyFileSummary:
		v.Outline, v.Summary, v.NotableCode = nil, bareText(v.Summary), bareTexts(v.NotableCode)
		return v, 0
	case Entrypoint:
		v.Description, v.RoutesOrCommands = bareText(v.Description), bareTexts(v.RoutesOrCommands)
		return v, 0
	case Hotspot:
		all := v.Indicators
		v.Indicators = bareTexts(all)
		separable(v.Indicators, all)
		return v, 0
	case sentence:
		return bareText(string(v)), 0
	}
	return v, 0
}

// noteOf is the most that the notes of a fence take.
func noteOf(path, text string, lines []string) (n int64) {
	const number = 10
	if text != "" && !strings.HasSuffix(text, "\n") {
		n += number
	}
	if !shownAsIs(path) {
		n += number + 6*int64(len(path))
	}
	if !plain(lines) {
		n += 2 * number
		for _, l := range lines {
			n += 6*int64(len(l)) + 3
		}
	}
	return n
}

// isMarkdown reports whether a text begins as a pack of a type in Markdown.
func isMarkdown(b []byte, t Type) bool { return bytes.HasPrefix(b, []byte(headOf(t)+"\n")) }

// fromMarkdown returns a pack that is written in Markdown as JSON. What is not, to the byte, what this program writes of the pack that
// the document tells is refused, with the line.
func fromMarkdown(b []byte) ([]byte, error) {
	fences, err := fencesOf(b)
	if err != nil {
		return nil, err
	}
	last := len(fences) - 1
	if last < 0 || !bytes.HasSuffix(b[:fences[last].from], []byte("\n```json\n")) {
		return nil, errors.New("Markdown: no fence of JSON at the end: a pack in Markdown is read whole, and as it was written")
	}
	var d data
	dec := json.NewDecoder(bytes.NewReader(b[fences[last].from:fences[last].to]))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&d); err != nil {
		return nil, fmt.Errorf("Markdown, line %d: %w", lineAt(b, fences[last].from+int(dec.InputOffset())), err)
	}
	r := &fenceReader{b, fences[:last], &d, 0}
	p, err := r.pack(isMarkdown(b, TypeSummary))
	if err != nil {
		return nil, err
	}
	if p, ok := p.(*Summary); ok {
		if err := p.hear(b[:fences[last].from]); err != nil {
			return nil, err
		}
	}
	var again, out bytes.Buffer
	if err := p.WriteMarkdown(&again); err != nil {
		return nil, fmt.Errorf("Markdown: %w", err)
	}
	if at := differ(b, again.Bytes()); at >= 0 {
		return nil, fmt.Errorf("Markdown, line %d: this is not what the data of the pack says", lineAt(b, at))
	}
	err = p.WriteJSON(&out)
	return out.Bytes(), err
}

// hear reads the sentences of a summary from its Markdown, above its data, in the place of their marks.
func (p *Summary) hear(b []byte) error {
	token := "Z0Z"
	for n := 1; bytes.Contains(b, []byte(token)); n++ {
		token = fmt.Sprintf("Z%dZ", n)
	}
	var marked []*string
	paragraphs := strings.Split(p.RepoSummary.Description, "\n\n")
	about := make([]*string, len(paragraphs))
	for i := range paragraphs {
		about[i] = &paragraphs[i]
	}
	for _, s := range append(about, p.told()...) {
		if *s == mark {
			*s = token
			marked = append(marked, s)
		}
	}
	p.RepoSummary.Description = strings.Join(paragraphs, "\n\n")
	var template bytes.Buffer
	m := &markdown{w: bufio.NewWriter(&template)}
	m.sentences(p)
	if err := m.close(); err != nil {
		return err
	}
	lines := strings.Split(string(b), "\n")
	for n, like := range strings.Split(template.String(), "\n") {
		words := strings.Split(like, token)
		if len(words) == 1 {
			continue
		}
		rest, ok := "", false
		if n < len(lines) {
			rest, ok = strings.CutPrefix(lines[n], words[0])
		}
		for _, next := range words[1:] {
			end := strings.Index(rest, next)
			if next == "" {
				end = len(rest)
			}
			if !ok || end < 0 || len(marked) == 0 {
				return fmt.Errorf("Markdown, line %d: this is not what the data of the pack says", n+1)
			}
			*marked[0] = unsaid(rest[:end])
			marked, rest = marked[1:], rest[end+len(next):]
		}
	}
	p.RepoSummary.Description = strings.Join(paragraphs, "\n\n")
	if len(marked) > 0 {
		return errors.New("Markdown: the data has more sentences than the text")
	}
	return nil
}

// fenceReader puts into a pack what the fences of its Markdown show, one after the other.
type fenceReader struct {
	b      []byte
	fences []fenceText
	data   *data
	n      int
}

// pack reads the pack of the data.
func (r *fenceReader) pack(summary bool) (document, error) {
	d := r.data
	want := d.KeyFiles + d.Contents + d.Outlines + len(d.Outlined)
	if want != len(r.fences) || min(d.KeyFiles, d.Contents, d.Outlines) < 0 || max(d.KeyFiles, d.Contents, d.Outlines) > want {
		return nil, fmt.Errorf("Markdown: %d fences of text, and %d in the data", len(r.fences), want)
	}
	if !summary {
		p := &Full{}
		if err := json.Unmarshal(d.Pack, p); err != nil {
			return nil, fmt.Errorf("Markdown: %w", err)
		}
		p.KeyFiles, p.Contents = []KeyFile{}, []Content{}
		for range d.KeyFiles {
			p.KeyFiles = append(p.KeyFiles, r.keyFile())
		}
		for range d.Contents {
			p.Contents = append(p.Contents, r.content())
		}
		return p, nil
	}
	p := &Summary{}
	if err := json.Unmarshal(d.Pack, p); err != nil {
		return nil, fmt.Errorf("Markdown: %w", err)
	}
	for _, k := range p.KeyFilesSummary {
		if k.Category == "" { // which sentences begin with
			return nil, errors.New("Markdown: a key file has no category")
		}
	}
	for _, i := range d.Outlined {
		if i < 0 || i >= len(p.KeyFilesSummary) {
			return nil, fmt.Errorf("Markdown: the data names key file %d of %d", i, len(p.KeyFilesSummary))
		}
		p.KeyFilesSummary[i].Outline = r.lines()
		r.n++
	}
	for range d.Outlines {
		p.Outlines = append(p.Outlines, FileOutline{r.path(), r.lines(), r.fences[r.n].note == restNote})
		r.n++
	}
	for range d.Contents {
		p.Contents = append(p.Contents, r.content())
	}
	return p, nil
}

func (r *fenceReader) keyFile() KeyFile {
	note := append(strings.Split(unsaid(r.fences[r.n].note), ", "), "", "")
	k := KeyFile{r.path(), scan.Category(note[0]), note[1], r.text(), note[2] == "truncated"}
	r.n++
	return k
}

func (r *fenceReader) content() Content {
	note := append(strings.Split(r.fences[r.n].note, ", "), "")
	size, _ := strconv.ParseInt(strings.TrimSuffix(note[0], " bytes"), 10, 64) // what is none is found when it is written again
	c := Content{r.path(), r.text(), note[1] == "truncated", size}
	r.n++
	return c
}

func (r *fenceReader) path() string {
	if path, ok := r.data.Paths[r.n]; ok {
		return path
	}
	return uncoded(strings.TrimPrefix(r.fences[r.n].title, "### "))
}

func (r *fenceReader) text() string {
	s := string(r.b[r.fences[r.n].from:r.fences[r.n].to])
	if _, open := slices.BinarySearch(r.data.Open, r.n); open {
		s = strings.TrimSuffix(s, "\n")
	}
	return s
}

func (r *fenceReader) lines() []string {
	if lines, ok := r.data.Lines[r.n]; ok {
		return lines
	}
	if f := r.fences[r.n]; f.to > f.from {
		return strings.Split(strings.TrimSuffix(string(r.b[f.from:f.to]), "\n"), "\n")
	}
	return []string{}
}

// differ is the first place at which two texts are not the same, -1 for none.
func differ(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	if len(a) == len(b) {
		return -1
	}
	return n
}

// fenceText is the text of a fence: bytes from and to; the heading above it, and the line between.
type fenceText struct {
	from, to    int
	title, note string
}

// fencesOf finds the fences of a document as this package writes them: they begin with a line of three backticks or more and at most a
// word, and end with a line of as many.
func fencesOf(b []byte) (list []fenceText, err error) {
	open, fence, title, note := -1, "", "", ""
	at := 0
	for line := range bytes.Lines(b) {
		start := at
		at += len(line)
		if open >= 0 && len(line) > len(fence)+1 {
			continue
		}
		bare := strings.TrimSuffix(string(line), "\n")
		ticks := len(bare) - len(strings.TrimLeft(bare, "`"))
		switch {
		case open >= 0 && bare == fence:
			list, open = append(list, fenceText{open, start, title, note}), -1
		case open >= 0:
		case ticks >= 3 && !strings.Contains(bare[ticks:], "`"):
			open, fence = at, bare[:ticks]
		case strings.HasPrefix(bare, "### "):
			title, note = bare, ""
		case bare != "":
			note = bare
		}
	}
	if open >= 0 {
		return nil, fmt.Errorf("Markdown, line %d: this fence has no end", lineAt(b, open-1))
	}
	return list, nil
}
