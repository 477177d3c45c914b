package report

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/haversack-dev/haversack/internal/brief"
	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/pack"
	"github.com/haversack-dev/haversack/internal/plan"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tokens"
)

// maxWords bounds, in bytes, what the author of a request says in the prompt.
const maxWords = 16 << 10

// ChangePack is the change and its context as one document for a model: pack.json with
// pack: change (schema/change.schema.json), and context.md for people and models alike.
type ChangePack struct {
	Type pack.Type `json:"type"` // typeChange
	// Author is what the author of the request, and of the head's commit, says; nil where nobody says anything.
	Author  *Words        `json:"author,omitempty"`
	Changes []ChangedPath `json:"changes"`
	Patch   string        `json:"patch"`
	Files   []NeededFile  `json:"files"`
	Left    []string      `json:"left_out"` // members of the archive that are too long for the document
}

// Words are the title and the body of a request, and the message of the commit that is the head: their authors' words, no
// instructions. What nobody said is empty.
type Words struct {
	Title  string `json:"title"`
	Body   string `json:"body"`
	Commit string `json:"commit,omitempty"`
}

// AuthorWords are the words of a request, and of the head's own commit where that is of the change and is no merge, whose message
// git wrote.
func AuthorWords(pull *diff.Pull, h *snapshot.Head, c *snapshot.Change) Words {
	var w Words
	if pull != nil {
		w.Title, w.Body = pull.Title, pull.Body
	}
	if h.Kind != "folder" && len(h.Commit.Parents) < 2 && c.Base.Commit != h.Commit.SHA {
		w.Commit = h.Commit.Message
	}
	return w
}

// ChangedPath is one changed file.
type ChangedPath struct {
	Status  diff.Status `json:"status"`
	Path    string      `json:"path"`
	OldPath string      `json:"old_path,omitempty"`
}

// NeededFile is a file of the archive, and why it is there.
type NeededFile struct {
	Path string   `json:"path"`
	Why  []string `json:"why"`
	// Outline says that Text is what the file defines, with the numbers of the lines.
	Outline bool   `json:"outline,omitempty"`
	Text    string `json:"text"`
}

// PromptOptions says how a document for a model is made.
type PromptOptions struct {
	*job.Choice
	Stan    string // the engine's folder
	Bytes   int    // the most of a document
	Author  Words
	Counter *tokens.Counter
}

// ComposePrompt makes the documents of the change and its context: context.md, within the budget, and with pack: change pack.json,
// of so many bytes each: what the author says, what changed, the patch, and the files that it needs, each with why it is
// there. There are none where rank fills no archive.
func ComposePrompt(in PromptOptions, s *snapshot.Contents, patches []snapshot.FilePatch, p *plan.Plan) ([]Document, error) {
	if p.Mode != job.ModeContext {
		return promptParts(s, describe(in, s)), nil
	}
	if !p.Ranked() {
		return nil, nil
	}
	c, err := newChangePack(in.Stan, s, p, in.Author)
	if err != nil {
		return nil, err
	}
	var parts []string
	if p.Task != "" {
		parts, err = answer(p.Task, s, p, in.Counter, roomOf(in, p.Limit))
	} else {
		parts, err = briefing(in, c, s, p, patches)
	}
	if err != nil {
		return nil, err
	}
	docs := promptParts(s, parts)
	if in.Pack != job.PackChange {
		return docs, nil
	}
	short, err := c.Within(in.Bytes)
	if err != nil {
		return nil, err
	}
	text, err := record.Marshal(short, " ")
	if err != nil {
		return nil, fmt.Errorf("writing pack.json: %w", err)
	}
	return append(docs, Document{Name: "pack.json", Text: text, Info: short.info()}), nil
}

// info are the figures of the pack that it knows itself.
func (c *ChangePack) info() *pack.Info {
	i := &pack.Info{Type: typeChange, SelectionReason: "input pack: change", FilesIncluded: len(c.Files), ContentBytes: int64(len(c.Patch))}
	for _, f := range c.Files {
		i.ContentBytes += int64(len(f.Text))
		if f.Outline {
			i.TruncatedFiles++
		}
	}
	i.ExclusionsByReason.Size = len(c.Left)
	return i
}

// promptParts are the parts of context.md, without what neighbours in it make together.
func promptParts(s *snapshot.Contents, parts []string) []Document {
	var docs []Document
	for i, part := range parts {
		shown, made := s.Screener.Document(record.PromptName, []byte(part))
		docs = append(docs, Document{Name: brief.PartName(record.PromptName, i), Text: shown, Made: made})
	}
	return docs
}

// typeChange is the type of a ChangePack.
const typeChange pack.Type = "change"

// CountScanned are figures of a pack, with those of the rows that only the record knows: a row that
// the pack does not hold is excluded, because of its reason, of its bytes, or else by what
// selects.
func CountScanned(known *pack.Info, rows []record.Row) *pack.Info {
	if known == nil || known.Type != typeChange {
		return known
	}
	i := *known
	i.FilesScanned, i.FilesExcluded = len(rows), len(rows)-i.FilesIncluded
	by := &i.ExclusionsByReason
	for _, r := range rows {
		switch reason := scan.Reason(r.Reason).StatKey(); {
		case r.Included && r.Encoding == string(text.Binary), reason == "binary":
			by.Binary++
		case reason == "credentials":
			by.Credentials++
		case reason == "size":
			by.Size++
		}
	}
	by.Pattern = max(0, i.FilesExcluded-by.Binary-by.Credentials-by.Size)
	return &i
}

func newChangePack(stan string, s *snapshot.Contents, p *plan.Plan, author Words) (*ChangePack, error) {
	c := &ChangePack{Type: typeChange, Changes: []ChangedPath{}, Files: []NeededFile{}, Left: []string{}}
	name := func(path string) string {
		shown, _ := record.DisplayPath(s.Screener.Clean(path))
		return shown
	}
	words := func(list []string) []string {
		out := make([]string, 0, len(list))
		for _, w := range list {
			out = append(out, job.OneLine(s.Screener.Clean(w)))
		}
		return out
	}
	if author != (Words{}) {
		said := func(w string) string { return string(s.Screener.Strip([]byte(cut(s.Screener.Clean(w), maxWords)))) }
		c.Author = &Words{said(author.Title), said(author.Body), said(author.Commit)}
	}
	for _, x := range p.Changes {
		old := ""
		if x.OldPath != "" {
			old = name(x.OldPath)
		}
		c.Changes = append(c.Changes, ChangedPath{x.Status, name(x.Path), old})
	}
	c.Patch = string(p.Docs[stan+"/"+record.ChangeName])
	for _, f := range inOrder(p) {
		raw, err := f.Read()
		if err != nil {
			return nil, fmt.Errorf("writing %s: %w", record.PromptName, err)
		}
		c.Files = append(c.Files, NeededFile{Path: name(f.Path), Why: words(p.Why[f.Path]), Text: string(snapshot.ReadableText(s.Screener, f, raw))})
	}
	for _, f := range p.Ranking.Order.Files {
		if doc := p.Docs[stan+"/"+plan.OutlineFolder+f.Path]; doc != nil {
			c.Files = append(c.Files, NeededFile{Path: name(f.Path), Why: words(p.Ranking.Because(f.Path)), Outline: true, Text: string(doc)})
		}
	}
	return c, nil
}

// cut keeps the first n bytes of a text.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "\n[cut]"
}

// Within is the document with the files that fit into so many bytes of JSON, in their order,
// passing over what does not.
func (c *ChangePack) Within(limit int) (*ChangePack, error) {
	short := *c
	short.Files, short.Left = []NeededFile{}, []string{}
	for i := range c.Files {
		short.Left = append(short.Left, c.Files[i].Path)
	}
	b, err := record.Marshal(short, " ")
	if err == nil && len(b) > limit {
		short.Patch = "" // the archive holds it
		b, err = record.Marshal(short, " ")
	}
	if err != nil {
		return nil, fmt.Errorf("writing pack.json: %w", err)
	}
	used := len(b)
	short.Left = []string{}
	for _, f := range c.Files {
		one, err := record.Marshal(f, "   ")
		if err != nil {
			return nil, fmt.Errorf("writing pack.json: %w", err)
		}
		// Indented by two more steps a line, and what parts it from the next one.
		if cost := len(one) + 3*bytes.Count(one, []byte("\n")) + 8; used+cost <= limit {
			used += cost
			short.Files = append(short.Files, f)
		} else {
			short.Left = append(short.Left, f.Path)
		}
	}
	return &short, nil
}

// inOrder are the members in the order in which a reader needs them: what changed, what
// was ranked, the rest.
func inOrder(p *plan.Plan) []*scan.File {
	var list []*scan.File
	seen := map[string]bool{}
	add := func(name string) {
		if f := p.Members[name]; f != nil && !seen[name] && f.Extractable() {
			seen[name] = true
			list = append(list, f)
		}
	}
	for _, name := range p.Ranking.Changed {
		add(name)
	}
	for _, f := range p.Ranking.Order.Files {
		add(f.Path)
	}
	for _, f := range p.Files {
		add(f.Path)
	}
	return list
}

// LineEnds takes the carriage returns off the ends of a patch's lines, which tell a reader nothing. In a file in which
// some lines have one and others have not, what changed may be just that: there they are shown as ␍.
func LineEnds(patch string) string {
	if !strings.Contains(patch, "\r\n") {
		return patch
	}
	const begin = "diff --git "
	var b strings.Builder
	for rest := patch; rest != ""; {
		one := rest
		if next := strings.Index(rest[1:], "\n"+begin); next >= 0 {
			one = rest[:next+2]
		}
		rest = rest[len(one):]
		shown := ""
		if mixedEnds(one) {
			shown = "␍"
		}
		b.WriteString(strings.ReplaceAll(one, "\r\n", shown+"\n"))
	}
	return b.String()
}

// mixedEnds reports whether some lines of a file's hunks end in a carriage return, and others do not.
func mixedEnds(patch string) bool {
	with, without := false, false
	hunk := false
	for line := range strings.Lines(patch) {
		switch {
		case strings.HasPrefix(line, "@@ "):
			hunk = true
		case hunk && strings.HasSuffix(line, "\r\n"):
			with = true
		case hunk && !strings.HasPrefix(line, `\`):
			without = true
		}
	}
	return with && without
}

// Document is a result that is no archive.
type Document struct {
	Name string
	Text []byte
	// Info are the figures of a pack of the change; nil for what is none.
	Info *pack.Info
	// Made are the findings that the parts of the text made together.
	Made []secret.Finding
}
