package record

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/haversack-dev/haversack/internal/archive"
	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/pack"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
)

// Record is record.json: what left, what did not, and why. Its schema is
// schema/record.schema.json. Lists are never null. Timings alone differ
// between two runs on the same input.
type Record struct {
	Tool            Tool       `json:"tool"`
	Head            Head       `json:"head"`
	Base            Base       `json:"base"`
	Mode            job.Mode   `json:"mode"`
	Files           []Row      `json:"files"`
	Outputs         []Output   `json:"outputs"`
	DirectoryTree   *Directory `json:"directory_tree"`
	ExclusionStats  Stats      `json:"exclusion_stats"`
	ContextPackInfo *pack.Info `json:"context_pack_info"`
	// ContextPackInfos are those of both packs, where there are two.
	ContextPackInfos []pack.Info `json:"context_pack_infos,omitempty"`
	Budget           *Budget     `json:"budget"`
	// TaskSum is the sha256 of the task's text, in hex; absent without one.
	TaskSum string `json:"task_sha256,omitempty"`
	// Change is what the change weighs; null without a base.
	Change     *Impact         `json:"change"`
	Unresolved []MissingImport `json:"unresolved_imports"`
	// Languages of the sources, where a graph was built of all of them.
	Languages []LanguageFiles `json:"languages,omitempty"`
	// NotFollowed are the places that load what no literal names; nil where there is none, or no graph was built.
	NotFollowed *UnfollowedPlace `json:"not_followed,omitempty"`
	Session     *SessionInfo     `json:"session,omitempty"`
	// Acceptances are the lines of .haversackallow that let findings stay.
	Acceptances []Acceptance `json:"acceptances,omitempty"`
	// AllAccepted: .haversackallow accepts every finding, in every file.
	AllAccepted bool `json:"all_accepted,omitempty"`
	// Inputs say of each input where its value is from, in the order of the documentation.
	Inputs []Input `json:"inputs"`
	// Defaults are the files that gave defaults of inputs, the one that wins first.
	Defaults []Defaults   `json:"defaults,omitempty"`
	Warnings []string     `json:"warnings"`
	Timings  []job.Timing `json:"timings"`
}

// Input says where the value of an input is from.
type Input struct {
	Name string     `json:"name"`
	From job.Origin `json:"from"`
	// Value is the file's, where it is from one; lists have an item a line.
	Value string `json:"value,omitempty"`
}

// Defaults is a file that gave defaults of inputs.
type Defaults struct {
	From job.Origin `json:"from"`
	File string     `json:"file"`
	// Commit is that whose file it is; "" for one in a worktree, and for an organisation's.
	Commit string `json:"commit,omitempty"`
	// SHA256 is of the file; "" where it holds a credential.
	SHA256 string `json:"sha256,omitempty"`
}

// LanguageFiles says how many sources a language has, and whether their imports are
// known: files of one without a graph are ranked by their paths and texts.
type LanguageFiles struct {
	Name  string `json:"name"`
	Files int    `json:"files"`
	Graph bool   `json:"graph"`
	// PackagesLeftOut counts imports of packages whose sources are nowhere.
	PackagesLeftOut int `json:"packages_left_out,omitempty"`
	// NamesUndecided counts names for which no edge is drawn since several files declare them.
	NamesUndecided int `json:"names_undecided,omitempty"`
}

// UnfollowedPlace counts the places at which files load what only a run can tell, so that the graph has no edge there.
type UnfollowedPlace struct {
	Places int `json:"places"`
	Files  int `json:"files"`
	// Forms are those of all places, the most frequent first.
	Forms []LoadForm `json:"forms"`
	// First are the first places, by path and line: 20 at most.
	First []LoadPlace `json:"first"`
}

// LoadForm is what loads, as its language writes it, and at how many places.
type LoadForm struct {
	Form   string `json:"form"`
	Places int    `json:"places"`
}

// LoadPlace is one place that loads what no literal names. Path is shown as in a Row.
type LoadPlace struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	Form string `json:"form"`
}

// Tool is the program that wrote the record.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Head is what was packed.
type Head struct {
	// Commit in lower hex; "" without one.
	Commit string `json:"commit"`
	// Kind is commit (from the object store), worktree, or folder (no repository).
	Kind string `json:"kind"`
}

// Base is what the change was measured against.
type Base struct {
	Commit string `json:"commit"`
	Reason string `json:"reason"`
}

// Row is what became of one scanned path. A path that ends in "/" is a folder
// that was not entered.
type Row struct {
	// Path in UTF-8: bytes that are not are written as \xNN, and PathBytes then
	// holds the path itself in base64.
	Path      string `json:"path"`
	PathBytes string `json:"path_bytes,omitempty"`
	// Included means: a member of archive.tar.
	Included bool `json:"included"`
	// Reason and Rule say why a path is left out.
	Reason    string `json:"reason,omitempty"`
	Rule      string `json:"rule,omitempty"`
	SizeBytes int64  `json:"size_bytes"`
	// SHA256 is of the archived bytes; files that are left out have none.
	SHA256   string `json:"sha256,omitempty"`
	Encoding string `json:"encoding,omitempty"`
	// Undecodable counts the characters of the file that no reader of its encoding can
	// read; a pack has U+FFFD for each.
	Undecodable int `json:"undecodable,omitempty"`
	// What the scan knows of a file that it read. Extension is in lower case, with its dot,
	// "" for none.
	Name               string      `json:"name,omitempty"`
	Extension          string      `json:"extension,omitempty"`
	Type               string      `json:"type,omitempty"`
	Category           string      `json:"category,omitempty"`
	IsKeyFile          bool        `json:"is_key_file,omitempty"`
	ContentExtractable bool        `json:"content_extractable,omitempty"`
	Redactions         []Redaction `json:"redactions,omitempty"`
	// Accepted findings stand in the archive because .haversackallow says so.
	Accepted []Redaction `json:"accepted,omitempty"`
	// Rescued names the suspect name rule that a clean content scan overruled.
	Rescued string `json:"rescued,omitempty"`
	// Why is the chain of edges that brought the file into a context archive, or what
	// ranked it.
	Why []string `json:"why,omitempty"`
	// Rank is the file's place among those that the change needs, from 1; 0 where files
	// were not ranked.
	Rank int `json:"rank,omitempty"`
}

// Acceptance is a line of .haversackallow and how many findings it let stay.
type Acceptance struct {
	Rule     string `json:"rule"`
	Glob     string `json:"glob"`
	Reason   string `json:"reason"`
	Line     int    `json:"line"`
	Findings int    `json:"findings"`
}

// Redaction is a finding: never its value, nor a hash of it.
type Redaction struct {
	Rule string `json:"rule"`
	Line int    `json:"line"`
	// Allow is the line of .haversackallow that would let findings of this rule stay in
	// this file, where the finding is a false alarm. Only the first of a rule has it.
	Allow string `json:"allow,omitempty"`
}

// Output is a file that the run wrote.
type Output struct {
	Name      string           `json:"name"`
	SHA256    string           `json:"sha256"`
	SizeBytes int64            `json:"size_bytes"`
	Members   []archive.Member `json:"members"`
	// Redactions are the findings in documents of the engine: parts that were searched each
	// by itself made a credential together.
	Redactions []ComposedFinding `json:"redactions,omitempty"`
}

// ComposedFinding is a finding in a document that the engine composed.
type ComposedFinding struct {
	// Path is that of the document in an archive; "" of an output that is the document.
	Path string `json:"path,omitempty"`
	Rule string `json:"rule"`
	Line int    `json:"line"`
}

// Directory is a folder of the tree; a node without children is a file.
type Directory struct {
	Name      string       `json:"name"`
	Path      string       `json:"path"`
	SizeBytes *int64       `json:"size_bytes,omitempty"`
	Type      scan.Type    `json:"type,omitempty"`
	Children  []*Directory `json:"children,omitempty"`
}

// Stats counts what was left out, by kind of reason.
type Stats struct {
	ByPattern     int `json:"by_pattern"`
	BySize        int `json:"by_size"`
	ByBinary      int `json:"by_binary"`
	ByCredentials int `json:"by_credentials"`
}

// Changes is changes.json. Its schema is schema/changes.schema.json.
type Changes struct {
	Base    string        `json:"base"`
	Head    string        `json:"head"`
	Changes []ChangeEntry `json:"changes"`
	// Also are the other members of the diff archive: what did not change and is new to
	// the reader of the base's archive.
	Also []AlsoEntry `json:"also,omitempty"`
	// Dropped are the files of the base's archive that were not deleted and are not selected any more.
	Dropped []string `json:"dropped,omitempty"`
}

// MarshalWith returns the file, indented, with n changes, those that change yields for 0 to n-1, in place of its own. It makes
// and writes one after the other: a first commit may list a million, which encoding/json would hold three times.
func (c *Changes) MarshalWith(n int, change func(int) ChangeEntry) ([]byte, error) {
	rest := *c
	rest.Changes = []ChangeEntry{}
	all, err := Marshal(rest, "  ")
	if err != nil || n == 0 {
		return all, err
	}
	const list = `"changes": [` // which no string holds: its quotes are escaped
	head, tail, _ := bytes.Cut(all, []byte(list))
	var b bytes.Buffer
	size := len(all)
	for i := range n {
		e := change(i)
		size += len(e.Path) + len(e.OldPath) + len(e.SHA256) + entrySize
	}
	b.Grow(size)
	b.Write(head)
	b.WriteString(list)
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("    ", "  ")
	for i := range n {
		b.WriteString("\n    ")
		if err := enc.Encode(change(i)); err != nil {
			return nil, err
		}
		b.Truncate(b.Len() - 1) // its line feed
		b.WriteByte(',')
	}
	b.Truncate(b.Len() - 1)
	b.WriteString("\n  ")
	b.Write(tail)
	return b.Bytes(), nil
}

// entrySize is what a change takes beside its names and sum, in bytes: what Marshal makes room for.
const entrySize = 110

// AlsoEntry is a member that is new to the reader. Why is selected, map, state or guide.
type AlsoEntry struct {
	Path   string `json:"path"`
	Why    string `json:"why"`
	Size   int64  `json:"size_bytes"`
	SHA256 string `json:"sha256"`
}

// ChangeEntry is one change. Size and sha256 are those of the archived file;
// a change to what is not archived has none.
type ChangeEntry struct {
	Status  diff.Status `json:"status"`
	Path    string      `json:"path"`
	OldPath string      `json:"old_path,omitempty"`
	Size    *int64      `json:"size_bytes,omitempty"`
	SHA256  string      `json:"sha256,omitempty"`
}

// DisplayPath returns a path as JSON can hold it, and the path itself in base64
// where that is not the same. No two paths are shown alike: a backslash before what
// reads as a byte is written as a byte, too.
func DisplayPath(p string) (shown, raw string) {
	if utf8.ValidString(p) && !strings.Contains(p, `\x`) {
		return p, ""
	}
	var b strings.Builder
	for s := p; len(s) > 0; {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 || spelled(s) {
			fmt.Fprintf(&b, `\x%02x`, s[0])
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	if b.String() == p {
		return p, ""
	}
	return b.String(), base64.StdEncoding.EncodeToString([]byte(p))
}

// spelled reports whether s begins as display writes a byte.
func spelled(s string) bool {
	hex := func(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' }
	return len(s) >= 4 && s[0] == '\\' && s[1] == 'x' && hex(s[2]) && hex(s[3])
}

// NewRedactions are the findings in a file, with the line that would accept them; no path
// is given where they are accepted.
func NewRedactions(fs []secret.Finding, path string) []Redaction {
	var rs []Redaction
	told := map[string]bool{}
	for _, f := range fs {
		r := Redaction{Rule: f.Rule, Line: f.Line}
		if path != "" && !told[f.Rule] {
			r.Allow, told[f.Rule] = secret.AllowLine(f.Rule, path), true
		}
		rs = append(rs, r)
	}
	return rs
}

// NewDirectory arranges files, which are sorted, by folder.
func NewDirectory(files []scan.File) *Directory {
	root := &Directory{Name: ".", Path: "."}
	dirs := map[string]*Directory{".": root}
	var folder func(p string) *Directory
	folder = func(p string) *Directory {
		if d, ok := dirs[p]; ok {
			return d
		}
		up := folder(path.Dir(p))
		d := &Directory{}
		d.Path, _ = DisplayPath(p)
		d.Name, _ = DisplayPath(path.Base(p))
		up.Children = append(up.Children, d)
		dirs[p] = d
		return d
	}
	for i := range files {
		f := &files[i]
		up := folder(path.Dir(f.Path))
		d := &Directory{SizeBytes: &f.Size, Type: f.Type}
		d.Path, _ = DisplayPath(f.Path)
		d.Name, _ = DisplayPath(path.Base(f.Path))
		up.Children = append(up.Children, d)
	}
	return root
}

// NewStats counts omissions by the kind of their reason.
func NewStats(omitted []scan.Omission) Stats {
	var st Stats
	for _, o := range omitted {
		switch o.Reason.StatKey() {
		case "credentials":
			st.ByCredentials++
		case "binary":
			st.ByBinary++
		case "size":
			st.BySize++
		default:
			st.ByPattern++
		}
	}
	return st
}

// Marshal writes JSON as every document of this program is written: no HTML
// escapes, LF at the end.
func Marshal(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Impact is what a change weighs, in numbers.
type Impact struct {
	// Files that changed, and the lines that were added and taken away in those of
	// which they are known: text, of which not too much changed to be read.
	Files   int `json:"files"`
	Added   int `json:"lines_added"`
	Removed int `json:"lines_removed"`
	// Dependents are the other files that import a changed one, directly.
	Dependents int `json:"dependents"`
	// Unknown are the changed files of code, styles and pages whose users are not known: the
	// imports of their language are not read, or none were.
	Unknown int `json:"users_unknown"`
	// Sources are the changed files whose imports are read and which are no tests;
	// Untested those of them that no changed test imports, over however many files,
	// nor bears the name of. Both are 0 where imports were not read.
	Sources  int `json:"sources"`
	Untested int `json:"untested"`
	// Size is XS, S, M, L or XL: by the lines that are no program's work, did not only move, and differ in more than white
	// space. Kind is one of the kinds of package review.
	Size string `json:"size"`
	Kind string `json:"kind"`
	// Quiet: a reviewer misses nothing where the change is not commented.
	Quiet bool `json:"quiet"`
	// Functions are the changed functions of which is known whether a test reaches them by name, Unnamed those of them that
	// none reaches, FunctionsUnknown those of which it is not known.
	Functions        int `json:"functions"`
	Unnamed          int `json:"functions_unnamed"`
	FunctionsUnknown int `json:"functions_unknown"`
}

// SessionInfo is what the record says of the thread.
type SessionInfo struct {
	ID   string `json:"id"`
	Runs int    `json:"runs"`
	// Unread are the files that the assistant knows of and has not been given.
	Unread []string `json:"unread"`
}
