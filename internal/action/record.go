package action

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"path"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/haversack-dev/haversack/internal/archive"
	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/pack"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/text"
)

// Record is record.json: what left, what did not, and why. Its schema is
// schema/record.schema.json. Lists are never null. Timings alone differ
// between two runs on the same input.
type Record struct {
	Tool            Tool         `json:"tool"`
	Head            Head         `json:"head"`
	Base            Base         `json:"base"`
	Mode            string       `json:"mode"`
	Files           []Row        `json:"files"`
	Outputs         []Output     `json:"outputs"`
	DirectoryTree   *Directory   `json:"directory_tree"`
	ExclusionStats  Stats        `json:"exclusion_stats"`
	ContextPackInfo *pack.Info   `json:"context_pack_info"`
	Budget          *Budget      `json:"budget"`
	Unresolved      []Unresolved `json:"unresolved_imports"`
	Session         *SessionInfo `json:"session,omitempty"`
	// Acceptances are the lines of .haversackallow that let findings stay.
	Acceptances []Acceptance `json:"acceptances,omitempty"`
	Warnings    []string     `json:"warnings"`
	Timings     []Timing     `json:"timings"`
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
	SHA256     string      `json:"sha256,omitempty"`
	Encoding   string      `json:"encoding,omitempty"`
	Redactions []Redaction `json:"redactions,omitempty"`
	// Accepted findings stand in the archive because .haversackallow says so.
	Accepted []Redaction `json:"accepted,omitempty"`
	// Rescued names the suspect name rule that a clean content scan overruled.
	Rescued string `json:"rescued,omitempty"`
	// Why is the chain of edges that brought the file into a context archive.
	Why []string `json:"why,omitempty"`
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
}

// Output is a file that the run wrote.
type Output struct {
	Name      string           `json:"name"`
	SHA256    string           `json:"sha256"`
	SizeBytes int64            `json:"size_bytes"`
	Members   []archive.Member `json:"members"`
}

// Directory is seed 003's DirectoryNode; a node without children is a file.
type Directory struct {
	Name      string       `json:"name"`
	Path      string       `json:"path"`
	SizeBytes *int64       `json:"size_bytes,omitempty"`
	Type      scan.Type    `json:"type,omitempty"`
	Children  []*Directory `json:"children,omitempty"`
}

// Stats is seed 003's exclusion_stats.
type Stats struct {
	ByPattern     int `json:"by_pattern"`
	BySize        int `json:"by_size"`
	ByBinary      int `json:"by_binary"`
	ByCredentials int `json:"by_credentials"`
}

// Timing is how long a step took.
type Timing struct {
	Step         string `json:"step"`
	Milliseconds int64  `json:"ms"`
}

// Changes is changes.json. Its schema is schema/changes.schema.json.
type Changes struct {
	Base    string        `json:"base"`
	Head    string        `json:"head"`
	Changes []ChangeEntry `json:"changes"`
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

// display returns a path as JSON can hold it, and the path itself in base64
// where that is not the same.
func display(p string) (shown, raw string) {
	if utf8.ValidString(p) {
		return p, ""
	}
	var b strings.Builder
	for s := p; len(s) > 0; {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, s[0])
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String(), base64.StdEncoding.EncodeToString([]byte(p))
}

func redactions(fs []secret.Finding) []Redaction {
	var rs []Redaction
	for _, f := range fs {
		rs = append(rs, Redaction{f.Rule, f.Line})
	}
	return rs
}

// rows makes the record's table: one row a path, sorted by path.
func rows(s *scan.Snapshot, p *plan, members []archive.Member) []Row {
	in := make(map[string]archive.Member, len(members))
	for _, m := range members {
		in[m.Path] = m
	}
	list := make([]Row, 0, len(s.Files)+len(s.Omitted)+len(p.docs)+len(p.extra))
	document := make(map[string]bool, len(p.docs))
	for name, b := range p.docs {
		r := Row{Included: true, SizeBytes: int64(len(b)), Encoding: string(text.UTF8), Why: []string{"written by the engine"}}
		r.Path, r.PathBytes = display(name)
		r.SHA256 = in[r.Path].SHA256
		document[name] = true
		list = append(list, r)
	}
	add := func(f *scan.File) {
		if document[f.Path] {
			return
		}
		r := Row{SizeBytes: f.Size, Encoding: string(f.Encoding), Redactions: redactions(f.Redactions),
			Accepted: redactions(f.Accepted), Rescued: f.Rescued, Why: p.why[f.Path]}
		r.Path, r.PathBytes = display(f.Path)
		if _, r.Included = in[r.Path]; r.Included {
			r.SHA256 = f.SHA256
		} else {
			r.Reason, r.Rule = string(p.left[f.Path].reason), p.left[f.Path].rule
		}
		list = append(list, r)
	}
	for i := range s.Files {
		add(&s.Files[i])
	}
	for _, f := range p.extra {
		add(f)
	}
	for _, o := range s.Omitted {
		if document[o.Path] {
			continue
		}
		r := Row{Reason: string(o.Reason), Rule: o.Rule, SizeBytes: o.Size, Redactions: redactions(o.Redactions)}
		r.Path, r.PathBytes = display(o.Path)
		list = append(list, r)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Path < list[j].Path })
	return list
}

// directoryTree arranges the files of a snapshot, which are sorted, by folder.
func directoryTree(s *scan.Snapshot) *Directory {
	root := &Directory{Name: ".", Path: "."}
	dirs := map[string]*Directory{".": root}
	var folder func(p string) *Directory
	folder = func(p string) *Directory {
		if d, ok := dirs[p]; ok {
			return d
		}
		up := folder(path.Dir(p))
		d := &Directory{}
		d.Path, _ = display(p)
		d.Name, _ = display(path.Base(p))
		up.Children = append(up.Children, d)
		dirs[p] = d
		return d
	}
	for i := range s.Files {
		f := &s.Files[i]
		up := folder(path.Dir(f.Path))
		d := &Directory{SizeBytes: &f.Size, Type: f.Type}
		d.Path, _ = display(f.Path)
		d.Name, _ = display(path.Base(f.Path))
		up.Children = append(up.Children, d)
	}
	return root
}

func statistics(s *scan.Snapshot) Stats {
	var st Stats
	for _, o := range s.Omitted {
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

// marshal writes JSON as every document of this program is written: no HTML
// escapes, LF at the end.
func marshal(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
