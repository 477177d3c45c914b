package pack

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/haversack-dev/haversack/internal/source"
)

func modError(err error) error {
	var list modfile.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return source.LineError{Line: list[0].Pos.Line, Err: fmt.Errorf("reading go.mod: %w", list[0].Err)}
	}
	return fmt.Errorf("reading go.mod: %w", err)
}

func parseGoMod(f *facts, p *project, b []byte) error {
	p.ecosystem, p.build = "go", "go"
	m, err := modfile.Parse(path.Base(p.path), b, nil)
	if err != nil {
		// What a newer version of the format adds is not an error here.
		first := err
		if m, err = modfile.ParseLax(path.Base(p.path), b, nil); err != nil {
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
	case p.test != "":
		p.test = "go test with " + path.Base(strings.TrimSuffix(p.test, "/v2"))
	case f.anyTest(p.dir, "_test.go"):
		p.test = "go test"
	}
	for _, name := range f.mains {
		if under(source.DirOf(name), p.dir) && f.nearestGo(name) == p.dir {
			p.entries = append(p.entries, entry{path: name, kind: "cli", name: path.Base(path.Dir(name))})
		}
	}
	return nil
}

func parseGoWork(_ *facts, p *project, b []byte) error {
	p.ecosystem, p.build, p.tool = "go", "go", true
	w, err := modfile.ParseWork(path.Base(p.path), b, nil)
	if err != nil {
		var list modfile.ErrorList
		if errors.As(err, &list) && len(list) > 0 {
			return source.LineError{Line: list[0].Pos.Line, Err: fmt.Errorf("reading go.work: %w", list[0].Err)}
		}
		return fmt.Errorf("reading go.work: %w", err)
	}
	for _, u := range w.Use {
		if p.membersLine == 0 {
			p.membersLine = u.Syntax.Start.Line
		}
		p.members = append(p.members, path.Clean(u.Path))
	}
	return nil
}

// nearestGo is the folder of the go.mod that a file belongs to.
func (f *facts) nearestGo(name string) string {
	for dir := source.DirOf(name); ; dir = source.DirOf(dir) {
		if dir == "" || f.files[path.Join(dir, "go.mod")] != nil {
			return dir
		}
	}
}
