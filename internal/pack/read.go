package pack

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/project"
)

//go:embed schema/*.json
var schemaFiles embed.FS

// compiledSchema is the schema of a type of pack.
var compiledSchema = map[Type]func() (*jsonschema.Resolved, error){
	TypeFull:    sync.OnceValues(func() (*jsonschema.Resolved, error) { return compile("full") }),
	TypeSummary: sync.OnceValues(func() (*jsonschema.Resolved, error) { return compile("summary") }),
}

func compile(name string) (*jsonschema.Resolved, error) {
	b, err := schemaFiles.ReadFile("schema/" + name + ".schema.json")
	if err != nil {
		return nil, err
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(b, &s); err != nil {
		return nil, err
	}
	return s.Resolve(nil)
}

// MaxRead bounds what is read as a pack: far more than any model takes.
const MaxRead = 256 << 20

// ReadFull reads a full pack. What is not one, by its schema, is refused with the place:
// the line, and the path inside the document.
func ReadFull(r io.Reader) (*Full, error) {
	p := &Full{}
	return p, read(r, p, TypeFull)
}

// ReadSummary reads a summary pack; see ReadFull.
func ReadSummary(r io.Reader) (*Summary, error) {
	p := &Summary{}
	return p, read(r, p, TypeSummary)
}

func read(r io.Reader, p any, want Type) error {
	b, typ, err := readPack(r)
	switch {
	case err != nil:
		return err
	case typ != want:
		return fmt.Errorf("reading pack: type is %q, not %q", typ, want)
	}
	return json.Unmarshal(b, p)
}

// readPack reads a document that is a valid pack, and tells of which type.
func readPack(r io.Reader) ([]byte, Type, error) {
	b, err := io.ReadAll(io.LimitReader(r, MaxRead+1))
	if err != nil {
		return nil, "", fmt.Errorf("reading pack: %w", err)
	}
	if len(b) > MaxRead {
		return nil, "", fmt.Errorf("reading pack: larger than %d bytes", MaxRead)
	}
	if b, err = asJSON(b); err != nil {
		return nil, "", fmt.Errorf("reading pack: %w", err)
	}
	var head struct {
		Type Type `json:"type"`
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	if err := dec.Decode(&head); err != nil {
		at := int(project.ErrorOffset(err, dec))
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			at = len(bytes.TrimSpace(b))
		}
		return nil, "", fmt.Errorf("reading pack: line %d: %w", lineAt(b, at), err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, "", fmt.Errorf("reading pack: line %d: more than one value", lineAt(b, int(dec.InputOffset())))
	}
	schema, ok := compiledSchema[head.Type]
	if !ok {
		return nil, "", fmt.Errorf("reading pack: line 1, /type: %q is neither %q nor %q", head.Type, TypeFull, TypeSummary)
	}
	s, err := schema()
	if err != nil {
		return nil, "", fmt.Errorf("reading pack: %w", err)
	}
	var doc any
	if err := json.Unmarshal(b, &doc); err != nil {
		return nil, "", fmt.Errorf("reading pack: %w", err)
	}
	if err := s.Validate(doc); err != nil {
		at, err := place(s.Schema(), s.Schema(), doc, nil, err)
		return nil, "", fmt.Errorf("reading pack: line %d, /%s: %s", lineAt(b, find(b, at)), strings.Join(at, "/"), claim.OneLine(err.Error(), 300))
	}
	return b, head.Type, nil
}

// place is where in v, which s refuses with err, the first thing is that is wrong, and
// what is wrong with it. root holds the definitions.
func place(root, s *jsonschema.Schema, v any, at []string, err error) ([]string, error) {
	for s != nil && strings.HasPrefix(s.Ref, "#/$defs/") {
		s = root.Defs[strings.TrimPrefix(s.Ref, "#/$defs/")]
	}
	if s == nil {
		return at, innermost(err)
	}
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if err := refuses(root, s.Properties[key], v[key]); err != nil {
				return place(root, s.Properties[key], v[key], append(at, key), err)
			}
		}
	case []any:
		for i := range v {
			if err := refuses(root, s.Items, v[i]); err != nil {
				return place(root, s.Items, v[i], append(at, strconv.Itoa(i)), err)
			}
		}
	}
	return at, innermost(err)
}

// refuses is what a part of the schema root, nil for none, says against v.
func refuses(root, s *jsonschema.Schema, v any) error {
	if s == nil {
		return nil
	}
	alone := s.CloneSchemas()
	alone.Defs = root.CloneSchemas().Defs
	r, err := alone.Resolve(nil)
	if err != nil {
		return err
	}
	return r.Validate(v)
}

// innermost is err without the parts of the schema that it names.
func innermost(err error) error {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return err
}

func lineAt(b []byte, off int) int {
	return 1 + bytes.Count(b[:min(max(off, 0), len(b))], []byte("\n"))
}

// find is the offset at which the value at a path ends or, of an object or list,
// begins.
func find(b []byte, at []string) int {
	dec := json.NewDecoder(bytes.NewReader(b))
	for _, step := range at {
		open, err := dec.Token()
		if err != nil {
			break
		}
		var skip json.RawMessage
		for i := 0; dec.More(); i++ {
			key := strconv.Itoa(i)
			if open == json.Delim('{') {
				t, err := dec.Token()
				if err != nil {
					return int(dec.InputOffset())
				}
				key, _ = t.(string)
			}
			if key == step {
				break
			}
			if dec.Decode(&skip) != nil {
				return int(dec.InputOffset())
			}
		}
	}
	if _, err := dec.Token(); err != nil {
		return len(b)
	}
	return int(dec.InputOffset())
}

// Show reads a pack, in any of its forms, and prints it for people: what it says of the
// project, what it holds, and what is missing from it. A document that is no valid
// pack is refused with the place.
func Show(w io.Writer, file io.Reader) error {
	b, typ, err := readPack(file)
	if err != nil {
		return err
	}
	out := &bytes.Buffer{}
	s := &show{out}
	if typ == TypeFull {
		p := &Full{}
		if err := json.Unmarshal(b, p); err != nil {
			return fmt.Errorf("reading pack: %w", err)
		}
		s.head(len(b), &p.Manifest, &p.Metadata)
		s.title("Key files", len(p.KeyFiles))
		for _, k := range p.KeyFiles {
			s.file(k.Path, len(k.Content), k.Truncated, string(k.Category)+", "+k.Importance)
		}
		s.title("Other files", len(p.Contents))
		for _, c := range p.Contents {
			s.file(c.Path, len(c.Content), c.Truncated, "")
		}
		s.tail(p.FileIndex, &p.Metadata)
	} else {
		p := &Summary{}
		if err := json.Unmarshal(b, p); err != nil {
			return fmt.Errorf("reading pack: %w", err)
		}
		s.head(len(b), &p.Manifest, &p.Metadata)
		for para := range strings.SplitSeq(p.RepoSummary.Description, "\n\n") {
			s.line("%s\n", para)
		}
		s.line("Architecture: %s", p.RepoSummary.ArchitecturePattern)
		s.items("Technologies", p.RepoSummary.KeyTechnologies)
		s.items("Patterns", p.RepoSummary.NotablePatterns)
		s.items("Concerns", p.RepoSummary.PotentialConcerns)
		s.title("Key files", len(p.KeyFilesSummary))
		for _, k := range p.KeyFilesSummary {
			s.line("  %s: %s", k.Path, k.Summary)
		}
		s.title("Entry points", len(p.Entrypoints))
		for _, e := range p.Entrypoints {
			s.line("  %s (%s): %s", e.Path, e.Type, e.Description)
			for _, r := range e.RoutesOrCommands {
				s.line("    %s", r)
			}
		}
		s.title("Risk hotspots", len(p.RiskHotspots))
		for _, h := range p.RiskHotspots {
			s.line("  %s (%s): %s", h.Path, h.RiskType, strings.Join(h.Indicators, "; "))
		}
		s.tail(p.FileIndex, &p.Metadata)
	}
	_, err = w.Write(out.Bytes())
	return err
}

// show prints a pack. What stands in packs is strangers' text: no control character
// of it reaches a terminal.
type show struct{ w *bytes.Buffer }

func (s *show) line(format string, args ...any) {
	for i, a := range args {
		if words, ok := a.(string); ok {
			args[i] = visible(words) // nobody's words break a line
		}
	}
	fmt.Fprintf(s.w, format+"\n", args...)
}

func (s *show) title(name string, n int) { s.line("\n%s: %d", name, n) }

func (s *show) items(name string, list []string) {
	s.title(name, len(list))
	for _, l := range list {
		s.line("  %s", l)
	}
}

func (s *show) file(path string, size int, truncated bool, note string) {
	if truncated {
		note = strings.TrimPrefix(note+", truncated", ", ")
	}
	if note != "" {
		note = " (" + note + ")"
	}
	s.line("  %8d  %s%s", size, path, note)
}

func (s *show) head(size int, ma *Manifest, me *Metadata) {
	s.line("%s pack of %s (%s), %d bytes", strings.ToUpper(string(me.PackType[:1]))+string(me.PackType[1:]), ma.ProjectName, ma.ProjectType, size)
	for _, l := range [][2]string{{"", ma.PurposeGuess}, {"", me.SelectionReason}, {"State of ", me.CreatedAt}, {"Structure: ", ma.StructureSummary},
		{"Build system: ", ma.BuildSystem}, {"Test framework: ", ma.TestFramework}, {"Entry points: ", strings.Join(ma.EntryPoints, ", ")}} {
		if l[1] != "" {
			s.line("%s%s", l[0], l[1])
		}
	}
	s.line("")
}

func (s *show) tail(rows []Entry, m *Metadata) {
	s.line("\nScanned: %d, included %d, excluded %d", m.TotalFilesScanned, m.FilesIncluded, m.FilesExcluded)
	why := map[string]int{}
	for _, r := range rows {
		if !r.Included {
			why[r.ExclusionReason] += max(r.Files, 1)
		}
	}
	for _, r := range slices.Sorted(maps.Keys(why)) {
		s.line("  %8d  %s", why[r], r)
	}
	for _, c := range m.Cuts {
		s.line("Left out to keep the limit: %d of %d in %s", c.LeftOut, c.Of, c.List)
	}
	for _, e := range m.Encodings {
		if e.Undecodable > 0 {
			s.line("Characters that could not be decoded: %d in %s", e.Undecodable, e.Path)
		}
	}
	for _, x := range m.Warnings {
		s.line("Warning: %s", x)
	}
}

// FileMetadata is what a scan knows of one file of a snapshot.
type FileMetadata struct {
	Path               string `json:"path"`
	RelativePath       string `json:"relative_path"`
	Name               string `json:"name"`
	Extension          string `json:"extension"`
	SizeBytes          int64  `json:"size_bytes"`
	Type               string `json:"type"`
	Category           string `json:"category"`
	IsKeyFile          bool   `json:"is_key_file"`
	ContentExtractable bool   `json:"content_extractable"`
}
