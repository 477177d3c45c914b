package snapshot

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
)

// Contents is what may leave: the files with every known value redacted, and all words
// about them.
type Contents struct {
	*scan.SealedScan
	// Meta is the graph, nil without one.
	Meta       *graph.Meta
	Unresolved []record.MissingImport
	// Languages of the sources, where a graph of all of them was built.
	Languages []record.LanguageFiles
	Base      record.Base
	// Definitions are what the sealed texts define, each read once. Nil knows of none, and each is read whenever it is asked for.
	Definitions *provider.Definitions
	// Allow is what let findings stay.
	Allow secret.Allow
	// Warnings are those of the steps so far. Surprises are those of a graph that no
	// archive holds: they are for the record, not for the log.
	Warnings, Surprises []string
}

// Parts are what a seal is put on.
type Parts struct {
	Found  *Inventory
	Change *Change
	Graph  *Dependencies // nil without one
	Asked  *Closure
	// Warnings are for the log; surprises are those of a graph that no archive holds, for the record alone.
	Warnings, Surprises []string
	// Fail: a credential ends the run.
	Fail bool
}

// Seal redacts once, with every value known that was found in files, in what the
// change takes away, in what was asked for, and in the words about them.
func Seal(ctx context.Context, e *job.Setting, p Parts) (*Contents, error) {
	f, c, d, a := p.Found, p.Change, p.Graph, p.Asked
	warnings, surprises := slices.Concat(p.Warnings, a.warnings), p.Surprises
	words := slices.Concat(warnings, surprises, []string{c.Base.Reason, e.Event.Ref, e.Event.Default, e.Event.RunBranch})
	if e.Event.Pull != nil {
		words = append(words, e.Event.Pull.BaseRef)
	}
	known := secret.Union(f.Known, c.Known, a.beyond.Known, learn(e.Screener, words))
	all, err := f.Search.Screener.Seal(ctx, e.Spool, known, f.SearchResult, a.beyond)
	if errors.Is(err, scan.ErrTooMany) {
		return nil, job.WithCode(err, job.ExitSecret)
	}
	if err != nil {
		return nil, err
	}
	if p.Fail {
		if err := exposed(all, c); err != nil {
			return nil, err
		}
	}
	warnings = append(warnings, leftForCredentials(all)...)
	s := &Contents{SealedScan: all, Definitions: provider.NewDefinitions(), Allow: f.allow, Base: record.Base{Commit: c.Base.Commit, Reason: c.Base.Reason}, Warnings: warnings, Surprises: surprises}
	if d != nil {
		if d.Definitions != nil {
			s.Definitions = d.Definitions
		}
		s.Meta = SealMeta(d, f, all)
		s.Unresolved = unresolved(all.Screener, d.Result.Unresolved)
		for _, l := range d.Result.Languages {
			s.Languages = append(s.Languages, record.LanguageFiles{Name: l.Name, Files: l.Files, Graph: l.Graph, PackagesLeftOut: l.LeftOut, NamesUndecided: l.Undecided})
		}
	}
	Clean(all.Screener, &s.Base, &s.Warnings, &s.Surprises, &s.Unresolved)
	return s, nil
}

// unresolved are the imports that lead nowhere, as they are told.
func unresolved(s *scan.Screener, list []graph.MissingImport) []record.MissingImport {
	var out []record.MissingImport
	for _, u := range list {
		name := graph.ShortName(s.Clean(u.Name))
		if n := len(out) - 1; n >= 0 && out[n].Specifier == name { // two that were cut
			importers := slices.Concat(out[n].Importers, u.Importers)
			slices.Sort(importers)
			out[n].Importers = slices.Compact(importers)
			continue
		}
		out = append(out, record.MissingImport{Specifier: name, Importers: u.Importers})
	}
	return out
}

// leftForCredentials warns of files that are left out where nobody would look for the
// reason: for their names, or for what they hold too much of.
func leftForCredentials(s *scan.SealedScan) []string {
	var warnings, named []string
	for _, o := range s.Omitted {
		if o.BesideContent() {
			named = append(named, o.Path)
		}
	}
	some := func(list []string) string {
		if len(list) > 3 {
			return fmt.Sprintf("%q and %d more", list[:3], len(list)-3)
		}
		return fmt.Sprintf("%q", list)
	}
	if len(named) > 0 {
		warnings = append(warnings, "left out for a credential in the name or the link's target: "+some(named))
	}
	if len(s.Crowded) > 0 {
		warnings = append(warnings, "left out for too many credentials, which are not looked for in other files: "+some(s.Crowded))
	}
	return warnings
}

// learn finds values in words: a branch may be named for a token.
func learn(s *scan.Screener, words []string) *secret.KnownValues {
	known := new(secret.KnownValues)
	for _, w := range words {
		found, err := s.Find("", []byte(w))
		if err != nil {
			continue // shown as a mark, whole
		}
		for _, f := range found {
			known.Add(f.Rule, []byte(w[f.Start:f.End]))
		}
	}
	return known
}

// exposed is the error of `secrets: fail`: where credentials are, in files and in what
// the change takes away.
func exposed(s *scan.SealedScan, c *Change) error {
	list := slices.Concat(places(s.Omitted), c.exposed)
	if len(list) == 0 {
		return nil
	}
	more := ""
	if len(list) > 10 {
		more = fmt.Sprintf(" and %d more", len(list)-10)
		list = list[:10]
	}
	return job.WithCode(fmt.Errorf("input secrets: fail: credentials in %s%s; nothing was written", strings.Join(list, ", "), more), job.ExitSecret)
}

// WillFail reports whether the run ends at the seal, so that nothing more need be
// looked for: under `secrets: fail` credentials were found.
func WillFail(policy scan.Policy, f *Inventory, c *Change) bool {
	return policy == scan.Fail && (len(places(f.Omitted)) > 0 || len(c.exposed) > 0)
}

// places says where the credentials are on whose account paths are left out.
func places(omitted []scan.Omission) []string {
	var list []string
	for _, o := range omitted {
		for _, f := range o.Redactions {
			list = append(list, fmt.Sprintf("%q, line %d (rule %s)", o.Path, f.Line, f.Rule))
		}
		if o.BesideContent() {
			list = append(list, fmt.Sprintf("%q, %s", o.Path, o.Rule))
		}
	}
	return list
}

// Clean redacts, in place, every string below the values that pointers lead to. It is
// for documents in the making: their texts are parts of files that were sealed whole,
// and a part, or two parts side by side, may look otherwise.
func Clean(s *scan.Screener, pointers ...any) {
	c := cleaner{s, map[string]bool{}, map[reflect.Type][]int{}}
	for _, p := range pointers {
		c.clean(reflect.ValueOf(p))
	}
}

// cleaner is one call of clean.
type cleaner struct {
	screener *scan.Screener
	// harmless are the texts that hold nothing: a record says a path four times.
	harmless map[string]bool
	// fields are those of a struct that are looked at: the exported ones but for sums, which are made here.
	fields map[reflect.Type][]int
}

func (c *cleaner) clean(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			c.clean(v.Elem())
		}
	case reflect.Struct:
		for _, i := range c.of(v.Type()) {
			c.clean(v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			c.clean(v.Index(i))
		}
	case reflect.String:
		if !v.CanSet() || v.Len() == 0 || c.harmless[v.String()] {
			return
		}
		if text, held := c.screener.Name(v.String()); held {
			v.SetString(text)
			return
		}
		c.harmless[v.String()] = true
	}
}

func (c *cleaner) of(t reflect.Type) []int {
	list, ok := c.fields[t]
	if !ok {
		for i := range t.NumField() {
			switch f := t.Field(i); {
			case !f.IsExported(), f.Name == "SHA256":
			case f.Type.Kind() == reflect.Bool || f.Type.Kind() >= reflect.Int && f.Type.Kind() <= reflect.Float64:
			default:
				list = append(list, i)
			}
		}
		c.fields[t] = list
	}
	return list
}
