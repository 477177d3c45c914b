package serve

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lookup"
	"github.com/haversack-dev/haversack/internal/object"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tree"
)

// ReadArguments are those of read.
type ReadArguments struct {
	Path   string `json:"path,omitempty" jsonschema:"a file, relative to the root"`
	From   int    `json:"from,omitempty" jsonschema:"the first line, from 1"`
	To     int    `json:"to,omitempty" jsonschema:"the last line"`
	Symbol string `json:"symbol,omitempty" jsonschema:"a definition, qualified or not, of the file or of any"`
	Again  bool   `json:"again,omitempty" jsonschema:"send what the thread has, too, though it is unchanged"`
	Room
}

// chunk is how many lines one row of a file holds.
const chunk = 100

// read answers with a file's lines.
func (x *Server) read(ctx context.Context, s *sight, in ReadArguments) (*Answer, error) {
	if in.Path == "" && in.Symbol == "" {
		return nil, errors.New("path, symbol: one of them is needed")
	}
	a := &Answer{Complete: true}
	if in.Symbol == "" {
		f, name, err := s.file(in.Path)
		if err != nil {
			return nil, err
		}
		a.Searched = "the file as it may be shown"
		had, err := x.had(ctx, s, a, in, name)
		if err != nil {
			return nil, err
		}
		return a, x.lines(s, a, f, lookup.Definition{Path: name, From: max(1, in.From), End: in.To}, had[name])
	}
	found, err := s.index.Meant(lookup.Dotted(in.Symbol))
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		if err := s.pointAlike(a, lookup.Dotted(in.Symbol)); err != nil {
			return nil, err
		}
	}
	a.Searched = "the definitions of " + count(len(s.view.Sealed.Files), "file", "files")
	if a.Unknown, err = s.undefined(lookup.Dotted(in.Symbol)); err != nil {
		return nil, err
	}
	name := ""
	if in.Path != "" {
		if _, name, err = s.file(in.Path); err != nil {
			return nil, err
		}
	}
	found = slices.DeleteFunc(found, func(d lookup.Definition) bool { return name != "" && d.Path != name })
	var paths []string
	for _, d := range found {
		paths = append(paths, d.Path)
	}
	slices.Sort(paths)
	had, err := x.had(ctx, s, a, in, slices.Compact(paths)...)
	if err != nil {
		return nil, err
	}
	for _, d := range found {
		a.Unknown = nil // what is asked for stands here, whatever else is called so
		if err := x.lines(s, a, s.index.File(d.Path), d, had[d.Path]); err != nil {
			return nil, err
		}
	}
	return a, s.point(a, found)
}

// Bounds of what a definition's text is followed by.
const (
	// maxPointed bounds the definitions that are told of one, maxBodies those of one answer of which they are.
	maxPointed = 20
	maxBodies  = 3
)

// point adds where that stands which definitions name, and what implements them.
func (s *sight) point(a *Answer, found []lookup.Definition) error {
	for _, d := range found[:min(maxBodies, len(found))] {
		implementing, err := s.index.Implementing(d)
		if err != nil {
			return err
		}
		named, err := s.index.Named(d)
		if err != nil {
			return err
		}
		for _, list := range []struct {
			why string
			of  []lookup.Definition
		}{{implements, implementing}, {names, named}} {
			for _, o := range list.of[:min(maxPointed, len(list.of))] {
				a.Rows = append(a.Rows, Row{Path: o.Path, Line: o.From, To: o.End, Name: o.Name, Kind: o.Kind, Why: fmt.Sprintf(list.why, d.Name), Test: language.IsTest(o.Path)})
			}
			if n := len(list.of); n > maxPointed {
				a.Notes = append(a.Notes, fmt.Sprintf("%d definitions have the reason %q, and the first %d are listed", n, fmt.Sprintf(list.why, d.Name), maxPointed))
			}
		}
	}
	return nil
}

// Why a definition stands behind the text of another.
const (
	names      = "%s names it"
	implements = "implements %s"
)

// file is the file of a path as a call names it.
func (s *sight) file(asked string) (*scan.File, string, error) {
	if path.IsAbs(asked) { // as the client sees it
		if rel, ok := s.paths.Below(s.paths.AgentPath(filepath.ToSlash(s.head.Dir)), asked); ok {
			asked = rel
		}
	}
	name := strings.TrimSuffix(path.Clean(strings.ReplaceAll(asked, "\\", "/")), "/")
	if f := s.index.File(name); f != nil {
		return f, name, nil
	}
	if f := s.index.File(asked); f != nil {
		return f, asked, nil
	}
	if !tree.Valid(name) {
		return nil, "", fmt.Errorf("%q leads out of the root: paths are relative to it", asked)
	}
	for i := range s.view.Sealed.Files {
		f := &s.view.Sealed.Files[i]
		if shown, _ := record.DisplayPath(f.Path); shown == asked {
			return f, f.Path, nil
		}
		if strings.HasPrefix(f.Path, name+"/") {
			return nil, "", fmt.Errorf("%q is a folder: map tells what lies in it", asked)
		}
	}
	return nil, "", missing(s, name)
}

// maxAlike bounds the definitions that are pointed to where none is called as asked.
const maxAlike = 5

// pointAlike notes the definitions that are called as asked but for capitals.
func (s *sight) pointAlike(a *Answer, asked string) error {
	last := asked[strings.LastIndexByte(asked, '.')+1:]
	found, err := s.index.Definitions(func(_, name string) bool { return strings.EqualFold(name[strings.LastIndexByte(name, '.')+1:], last) })
	if err != nil || len(found) == 0 {
		return err
	}
	var places []string
	for _, d := range found[:min(maxAlike, len(found))] {
		shown, _ := record.DisplayPath(d.Path)
		places = append(places, fmt.Sprintf("%s (%s:%d)", d.Name, shown, d.Line))
	}
	said := fmt.Sprintf("No definition is called %q; in other capitals: %s", asked, strings.Join(places, ", "))
	if n := len(found) - maxAlike; n > 0 {
		said += fmt.Sprintf(" and %d more", n)
	}
	a.Notes = append(a.Notes, said)
	return nil
}

// had notes what the thread of a call has of files, and returns which of them need not be sent: it has them as they are.
func (x *Server) had(ctx context.Context, s *sight, a *Answer, in ReadArguments, paths ...string) (map[string]bool, error) {
	had := map[string]bool{}
	if in.Thread == "" || len(paths) == 0 {
		return had, nil
	}
	return had, x.thread(ctx, s, in.Thread, func(t *object.Thread) error {
		for _, name := range paths {
			has, err := s.compare(ctx, a, t, name)
			if err != nil {
				return err
			}
			had[name] = has && !in.Again
		}
		if slices.Contains(slices.Collect(maps.Values(had)), true) {
			a.Notes = append(a.Notes, "What you have is not sent again; again: true sends it")
		}
		return nil
	})
}

// lines adds the lines of a definition, or of a part of a file, in rows of chunk lines; where the reader has them the place alone.
func (x *Server) lines(s *sight, a *Answer, f *scan.File, d lookup.Definition, had bool) error {
	if f.Mode.Type() != 0 || f.Encoding == text.Binary {
		return fmt.Errorf("%q is no text: %s", f.Path, f.Type)
	}
	raw, err := f.Read()
	if err != nil {
		return fmt.Errorf("reading %s: %w", f.Path, err)
	}
	lines := strings.SplitAfter(string(snapshot.ReadableText(s.view.Sealed.Screener, f, raw)), "\n")
	if n := len(lines); lines[n-1] == "" {
		lines = lines[:n-1]
	}
	end := len(lines)
	if d.End > 0 {
		end = min(end, d.End)
	}
	if d.From > len(lines) && len(lines) > 0 {
		return fmt.Errorf("from: %q has %d lines, not %d", f.Path, len(lines), d.From)
	}
	if d.End > 0 && d.End < d.From {
		return fmt.Errorf("to: %d is before from, %d", d.End, d.From)
	}
	if had && len(lines) > 0 {
		a.Rows = append(a.Rows, Row{Path: f.Path, Line: d.From, To: end, Name: d.Name, Kind: d.Kind, Why: "you have it"})
		return nil
	}
	for from := d.From; from <= end; from += chunk {
		to := min(end, from+chunk-1)
		row := Row{Path: f.Path, Line: from, To: to, Name: d.Name, Kind: d.Kind, Text: strings.Join(lines[from-1:to], "")}
		a.Rows = append(a.Rows, row)
	}
	if len(f.Redactions) > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("%d credentials are redacted in %s", len(f.Redactions), f.Path))
	}
	if len(lines) == 0 {
		a.Notes = append(a.Notes, f.Path+" is empty")
	}
	return nil
}
