package action

import (
	"fmt"
	"strings"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/lookup"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/text"
)

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
	var asked []*scan.File
	for i := range s.Files {
		if f := &s.Files[i]; named(f.Path) {
			asked = append(asked, f)
		}
	}
	list, files := []lookup.Definition{}, 0
	if err := lookup.DefineEach(asked, func(_ *scan.File, found []lookup.Definition) {
		if found != nil {
			files++
		}
		list = append(list, found...)
	}); err != nil {
		return err
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
