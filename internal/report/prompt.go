package report

import (
	"fmt"
	"strings"

	"github.com/haversack-dev/haversack/internal/brief"
	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
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
	// More are the changed files that Changes does not name.
	More int `json:"more_changes,omitempty"`
	// Have are files that are needed, and left out because the reader has them as they are.
	Have []HeldFile `json:"have,omitempty"`
	// rests counts the changed files of which the reader has all but what the change touches.
	rests int
	// hunks are those that the patch shows of files, by name; patched are the paths of those files, as they are shown, and likened
	// those of files whose edits it shows in others.
	hunks   map[string][]diff.Hunk
	patched map[string]bool
	likened map[string]bool
	Patch   string       `json:"patch"`
	Files   []NeededFile `json:"files"`
	Left    []string     `json:"left_out"` // members of the archive of which nothing stands in the document
}

// Words are the title and the body of a request, and the message of the commit that is the head: their authors' words, no
// instructions. What nobody said is empty.
type Words struct {
	Title  string `json:"title"`
	Body   string `json:"body"`
	Commit string `json:"commit,omitempty"`
}

// Text is all of the words.
func (w Words) Text() string { return w.Title + "\n" + w.Body + "\n" + w.Commit }

// AuthorWords are the words of a request as its page shows them, and of the head's own commit where that is of the change: of a merge those that
// git did not write, where no request says them.
func AuthorWords(pull *diff.Pull, h *snapshot.Head, c *snapshot.Change) Words {
	var w Words
	if pull != nil {
		w.Title, w.Body = pull.Title, text.Shown(pull.Body)
	}
	if h.Kind == "folder" || c.Base.Commit == h.Commit.SHA {
		return w
	}
	said := h.Commit.Message
	if len(h.Commit.Parents) > 1 {
		if said = mergeWords(said); pull != nil {
			said = "" // a merge button makes them of the request's title
		}
	}
	w.Commit = text.Shown(said) // a merge button makes it of the request's body
	return w
}

var (
	mergeLine      = lazyregexp.New(`^Merge (?:pull request|(?:remote-tracking )?branch(?:es)?|commits?|tags?|[0-9a-f]{7,64}) `)
	mergeConflicts = lazyregexp.New(`(?m)^#? ?Conflicts:$`)
)

// mergeWords are the words of a merge's message but for what git writes: its first line, and the files in which there were conflicts.
func mergeWords(message string) string {
	if first, rest, _ := strings.Cut(message, "\n"); mergeLine.MatchString(first) {
		message = rest
	}
	if at := mergeConflicts.FindStringIndex(message); at != nil {
		message = message[:at[0]]
	}
	return strings.TrimSpace(message)
}

// ChangedPath is one changed file.
type ChangedPath struct {
	Status  diff.Status `json:"status"`
	Path    string      `json:"path"`
	OldPath string      `json:"old_path,omitempty"`
}

// HeldFile is a file that the reader has, and the number of the thread's run that gave it.
type HeldFile struct {
	Path string `json:"path"`
	Run  int    `json:"run"`
}

// NeededFile is what the document shows of a file, and why it is there.
type NeededFile struct {
	Path string   `json:"path"`
	Why  []string `json:"why"`
	// Level is whole, blocks or outline.
	Level  string        `json:"level"`
	Blocks []NeededBlock `json:"blocks"`
	// Outline are signatures of what is not shown, each behind the number of its line and a tab.
	Outline []string `json:"outline,omitempty"`
}

// NeededBlock are lines of a file, from 1, both ends of it, and what they define, if it is one thing.
type NeededBlock struct {
	From    int    `json:"from"`
	To      int    `json:"to"`
	Defines string `json:"defines,omitempty"`
	Text    string `json:"text"`
}

// PromptOptions says how a document for a model is made.
type PromptOptions struct {
	*job.Choice
	Stan    string // the engine's folder
	Levels  brief.Levels
	Only    scan.NameList
	Bytes   int // the most of a document
	Author  Words
	Counter *tokens.Counter
	// Held is what the reader has already; nil where nothing says so.
	Held *snapshot.HeldText
	// Alone says that nothing is made beside the documents: no archive holds more.
	Alone bool
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
	c := newChangePack(in.Stan, s, p, in.Author)
	c.hunks = hunksIn(c.Patch, patches)
	c.patched = make(map[string]bool, len(c.hunks))
	for name := range c.hunks {
		c.patched[shownAs(s, name)] = true
	}
	c.likened = make(map[string]bool, len(p.Likened))
	for _, name := range p.Likened {
		c.likened[shownAs(s, name)] = true
	}
	var parts []string
	var err error
	if p.Task != "" && !p.Ranking.Order.Says() {
		parts = namesNothing(in, p.Task, largeOf(p.Ranking.Large, s), s, roomOf(in, p.Limit))
	} else if p.Task != "" {
		parts, err = answer(in, s, p)
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
	packed, err := c.within(in, s, p)
	if err != nil {
		return nil, err
	}
	return append(docs, *packed), nil
}

// within is the pack with what its files need within a room as it is written: as in context.md, but for what JSON takes.
func (c *ChangePack) within(in PromptOptions, s *snapshot.Contents, p *plan.Plan) (*Document, error) {
	m, counter := roomOf(in, p.Limit), in.Counter
	m.bytes = in.Bytes
	sources, _, err := c.briefed(in, s, p)
	if err != nil {
		return nil, err
	}
	write := func() ([]byte, error) {
		text, err := record.Marshal(c, " ")
		if err != nil {
			return nil, fmt.Errorf("writing pack.json: %w", err)
		}
		return text, nil
	}
	bare, err := write()
	if err != nil {
		return nil, err
	}
	budget := brief.BudgetOf(p.Ranking.Order, m.tokens)
	budget.Numbers = m.numbers
	d := brief.NewDocument(sources, counter, counter.Count(bare), budget)
	for spare := 0; ; {
		c.show(s, p, d)
		if spare > 0 {
			c.Left = []string{}
		}
		text, err := write()
		if err != nil {
			return nil, err
		}
		over := m.over(len(text), counter.Count(text))
		if over <= 0 || spare > sparePatch {
			return &Document{Name: "pack.json", Text: text, Info: c.info()}, nil
		}
		if !d.Drop(over) {
			spare++
			c.spare(spare)
		}
	}
}

// spare leaves out one thing more where nothing else is left: the names of members, most of the authors' words, names of changed files,
// the patch.
func (c *ChangePack) spare(step int) {
	switch step {
	case spareWords:
		if c.Author != nil {
			c.Author = &Words{cut(c.Author.Title, fewWords), cut(c.Author.Body, fewWords), cut(c.Author.Commit, fewWords)}
		}
	case spareNames:
		c.nameSome(someTold)
	case spareMostNames:
		c.nameSome(fewTold)
	case sparePatch:
		c.Patch = "" // the archive holds it
	}
}

// nameSome names so many of the changed files, and of those that the reader has, at most.
func (c *ChangePack) nameSome(most int) {
	if n := len(c.Changes); n > most {
		c.Changes, c.More = c.Changes[:most], c.More+n-most
	}
	c.Have = c.Have[:min(len(c.Have), most)]
}

// show fills in what a document shows of files, and which members of the archive it does not.
func (c *ChangePack) show(s *snapshot.Contents, p *plan.Plan, d *brief.Document) {
	c.Files, c.Left = []NeededFile{}, []string{}
	shown := map[string]bool{}
	for _, f := range d.Files() {
		one := NeededFile{Path: f.Path, Why: []string{}, Level: f.Level.String(), Blocks: []NeededBlock{}, Outline: f.Outline}
		for _, w := range f.Why {
			one.Why = append(one.Why, job.OneLine(w))
		}
		for _, b := range f.Stretches {
			one.Blocks = append(one.Blocks, NeededBlock{b.From, b.To, b.Name, b.Text})
		}
		c.Files = append(c.Files, one)
		shown[f.Name] = true
	}
	for _, f := range inOrder(p) {
		if !shown[f.Path] && len(c.Left) < maxToldChanges {
			name, _ := record.DisplayPath(s.Screener.Clean(f.Path))
			c.Left = append(c.Left, name)
		}
	}
}

// info are the figures of the pack that it knows itself.
func (c *ChangePack) info() *pack.Info {
	i := &pack.Info{Type: typeChange, SelectionReason: "input pack: change", FilesIncluded: len(c.Files), ContentBytes: int64(len(c.Patch))}
	for _, f := range c.Files {
		for _, b := range f.Blocks {
			i.ContentBytes += int64(len(b.Text))
		}
		if f.Level != brief.Whole.String() {
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

func newChangePack(stan string, s *snapshot.Contents, p *plan.Plan, author Words) *ChangePack {
	c := &ChangePack{Type: typeChange, Changes: []ChangedPath{}, Files: []NeededFile{}, Left: []string{}}
	name := func(path string) string { return shownAs(s, path) }
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
	return c
}

// shownAs is a path as documents show it.
func shownAs(s *snapshot.Contents, path string) string {
	shown, _ := record.DisplayPath(s.Screener.Clean(path))
	return shown
}

// cut keeps the first n bytes of a text.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "\n[cut]"
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
	// Text is what the gate reads; with MessagePack, which is said in Text as JSON, the other form of it is written.
	Text        []byte
	MessagePack bool
	// Info are the figures of a pack of the change; nil for what is none.
	Info *pack.Info
	// Made are the findings that the parts of the text made together.
	Made []secret.Finding
}
