package action

import (
	"fmt"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/text"
)

// Defined is a definition as graph --definitions --json prints it.
type Defined struct {
	Path string `json:"path"`
	Name string `json:"name"`
	Kind string `json:"kind"`
	// From is the first line that belongs to it, comments included, Line that of its
	// name, End its last.
	From     int  `json:"from"`
	Line     int  `json:"line"`
	End      int  `json:"end"`
	Exported bool `json:"exported"`
	// Signature is its signature as it stands, without the body.
	Signature string `json:"signature,omitempty"`
	Doc       string `json:"doc,omitempty"` // the first sentence of its documentation
}

// printDefinitions is the end of the verb graph with --definitions: what the sources
// define that the arguments name, all of them without one. In words only what others
// can see is told.
func printDefinitions(e *job.Env, o *options, s *snapshot.Contents) error {
	named := func(path string) bool {
		for _, a := range o.args {
			a = strings.TrimSuffix(strings.TrimPrefix(a, "./"), "/")
			if path == a || strings.HasPrefix(path, a+"/") || a == "." {
				return true
			}
		}
		return len(o.args) == 0
	}
	list, files := []Defined{}, 0
	for i := range s.Files {
		f := &s.Files[i]
		if !named(f.Path) {
			continue
		}
		found, err := definitionsOf(f)
		if err != nil {
			return err
		}
		if found != nil {
			files++
		}
		list = append(list, found...)
	}
	if files == 0 && len(o.args) > 0 {
		return job.WithCode(fmt.Errorf("graph --definitions: no source of a language that is read is called, or lies in, %q", o.args), job.ExitInput)
	}
	snapshot.Clean(s.Screener, &list)
	if o.json {
		return printJSON(e, &list)
	}
	var b strings.Builder
	for _, d := range list {
		if d.Exported {
			shown, _ := record.DisplayPath(d.Path)
			line := fmt.Sprintf("%s:%d  %s %s", text.Name(shown), d.Line, d.Kind, d.Name)
			if d.Doc != "" {
				line += "  " + d.Doc
			}
			b.WriteString(job.OneLine(line) + "\n")
		}
	}
	e.Log.Print(b.String())
	return nil
}

// definitionsOf lists what a file defines; nil for one of no language that is read.
func definitionsOf(f *scan.File) ([]Defined, error) {
	if !provider.Defines(f.Path) || !f.Extractable() {
		return nil, nil
	}
	raw, err := f.Read()
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", f.Path, err)
	}
	content := text.Decode(raw, f.Encoding)
	found, err := provider.Define(f.Path, content)
	if err != nil {
		return []Defined{}, nil // what does not parse defines nothing that can be told
	}
	list := make([]Defined, 0, len(found))
	signatures := graph.Signatures(content, found)
	for i, d := range found {
		list = append(list, Defined{f.Path, d.Name, d.Kind, d.From, d.Line, d.End, d.Exported, signatures[i], d.Doc})
	}
	return list, nil
}
