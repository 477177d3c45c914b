package action

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
)

// sealed is what may leave: the files with every known value redacted, and all words
// about them.
type sealed struct {
	*scan.Sealed
	// meta is the graph, nil without one.
	meta       *graph.Meta
	unresolved []record.Unresolved
	// languages of the sources, where a graph of all of them was built.
	languages []record.LanguageFiles
	base      record.Base
	// allow is what let findings stay.
	allow secret.Allow
	// warnings are those of the steps so far. Surprises are those of a graph that no
	// archive holds: they are for the record, not for the log.
	warnings, surprises []string
}

// parts are what a seal is put on.
type parts struct {
	found  *found
	change *change
	graph  *dependencies // nil without one
	asked  *asked
	// warnings are those that are said, surprises those of a graph that no archive holds.
	warnings, surprises []string
	// fail: a credential ends the run.
	fail bool
}

// seal redacts once, with every value known that was found in files, in what the
// change takes away, in what was asked for, and in the words about them.
func seal(ctx context.Context, e *job.Setting, p parts) (*sealed, error) {
	f, c, d, a := p.found, p.change, p.graph, p.asked
	warnings, surprises := slices.Concat(p.warnings, a.warnings), p.surprises
	words := slices.Concat(warnings, surprises, []string{c.base.reason, e.Event.Ref, e.Event.Default, e.Event.RunBranch})
	if e.Event.Pull != nil {
		words = append(words, e.Event.Pull.BaseRef)
	}
	known := secret.Union(f.Known, c.known, a.beyond.Known, learn(e.Screener, words))
	all, err := scan.Seal(ctx, f.search.Screener, e.Spool, known, f.Found, a.beyond)
	if errors.Is(err, scan.ErrTooMany) {
		return nil, job.WithCode(err, job.ExitSecret)
	}
	if err != nil {
		return nil, err
	}
	if p.fail {
		if err := exposed(all, c); err != nil {
			return nil, err
		}
	}
	warnings = append(warnings, leftForCredentials(all)...)
	s := &sealed{Sealed: all, allow: f.allow, base: record.Base{Commit: c.base.commit, Reason: c.base.reason}, warnings: warnings, surprises: surprises}
	if d != nil {
		s.meta = sealMeta(d, f, all)
		s.unresolved = unresolved(all.Screener, d.result.Unresolved)
		for _, l := range d.result.Languages {
			if d.whole {
				s.languages = append(s.languages, record.LanguageFiles{Name: l.Name, Files: l.Files, Graph: l.Graph, PackagesLeftOut: l.LeftOut})
			}
		}
	}
	clean(all.Screener, &s.base, &s.warnings, &s.surprises, &s.unresolved)
	return s, nil
}

// unresolved are the imports that lead nowhere, as they are told.
func unresolved(s *scan.Screener, list []graph.Unresolved) []record.Unresolved {
	var out []record.Unresolved
	for _, u := range list {
		name := graph.ShortName(s.Clean(u.Name))
		if n := len(out) - 1; n >= 0 && out[n].Specifier == name { // two that were cut
			importers := slices.Concat(out[n].Importers, u.Importers)
			slices.Sort(importers)
			out[n].Importers = slices.Compact(importers)
			continue
		}
		out = append(out, record.Unresolved{Specifier: name, Importers: u.Importers})
	}
	return out
}

// leftForCredentials warns of files that are left out where nobody would look for the
// reason: for their names, or for what they hold too much of.
func leftForCredentials(s *scan.Sealed) []string {
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
func learn(s *scan.Screener, words []string) *secret.Known {
	known := new(secret.Known)
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
func exposed(s *scan.Sealed, c *change) error {
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

// doomed reports whether the run ends at the seal, so that nothing more need be
// looked for: under `secrets: fail` credentials were found.
func doomed(policy scan.Policy, f *found, c *change) bool {
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

// clean redacts, in place, every string below the values that pointers lead to. It is
// for documents in the making: their texts are parts of files that were sealed whole,
// and a part, or two parts side by side, may look otherwise.
func clean(s *scan.Screener, pointers ...any) {
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
