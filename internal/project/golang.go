package project

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/source"
)

// majorVersion is how a module's path ends from its second version on.
var majorVersion = lazyregexp.New(`^v[0-9]+$`)

func modError(err error) error {
	var list modfile.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return source.LineError{Line: list[0].Pos.Line, Err: fmt.Errorf("reading go.mod: %w", list[0].Err)}
	}
	return fmt.Errorf("reading go.mod: %w", err)
}

func parseGoMod(f *Facts, p *Project, b []byte) error {
	p.Ecosystem, p.Build = "go", "go"
	m, err := modfile.Parse(path.Base(p.Path), b, nil)
	if err != nil {
		// What a newer version of the format adds is not an error here.
		first := err
		if m, err = modfile.ParseLax(path.Base(p.Path), b, nil); err != nil {
			return modError(first)
		}
	}
	if m.Module != nil {
		p.call(m.Module.Mod.Path, m.Module.Syntax.Start.Line)
	}
	local := map[string]bool{}
	for _, r := range m.Replace {
		if r.New.Version == "" && strings.HasPrefix(r.New.Path, ".") {
			local[r.Old.Path] = true
		}
	}
	for _, r := range m.Require {
		if !r.Indirect && !local[r.Mod.Path] {
			p.need(r.Mod.Path, r.Mod.Version, "runtime", r.Syntax.Start.Line)
		}
	}
	p.framework("github.com/onsi/ginkgo/v2", "github.com/onsi/ginkgo", "github.com/stretchr/testify")
	switch {
	case p.Test != "":
		p.Test = "go test with " + path.Base(strings.TrimSuffix(p.Test, "/v2"))
	case f.anyTest(p.Dir, "_test.go"):
		p.Test = "go test"
	}
	for _, name := range f.mains {
		if slices.Contains(f.Programs, name) && Under(source.DirOf(name), p.Dir) && f.nearestGo(name) == p.Dir {
			program := path.Base(path.Dir(name))
			if source.DirOf(name) == p.Dir { // it is called as the module is, whatever its version
				if program = path.Base(p.Name); majorVersion.MatchString(program) {
					program = path.Base(path.Dir(p.Name))
				}
			}
			p.Entries = append(p.Entries, Way{Path: name, Kind: "cli", Name: program})
		}
	}
	return nil
}

func parseGoWork(_ *Facts, p *Project, b []byte) error {
	p.Ecosystem, p.Build, p.Tool = "go", "go", true
	w, err := modfile.ParseWork(path.Base(p.Path), b, nil)
	if err != nil {
		var list modfile.ErrorList
		if errors.As(err, &list) && len(list) > 0 {
			return source.LineError{Line: list[0].Pos.Line, Err: fmt.Errorf("reading go.work: %w", list[0].Err)}
		}
		return fmt.Errorf("reading go.work: %w", err)
	}
	for _, u := range w.Use {
		if p.MembersLine == 0 {
			p.MembersLine = u.Syntax.Start.Line
		}
		p.members = append(p.members, path.Clean(u.Path))
	}
	return nil
}

// nearestGo is the folder of the go.mod that a file belongs to.
func (f *Facts) nearestGo(name string) string {
	for dir := source.DirOf(name); ; dir = source.DirOf(dir) {
		if dir == "" || f.Files[path.Join(dir, "go.mod")] != nil {
			return dir
		}
	}
}
