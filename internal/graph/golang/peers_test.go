package golang

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/types"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/graphtest"
	"golang.org/x/tools/go/packages"
)

// modulesOfPeers are published modules, fetched by the go command.
var modulesOfPeers = []string{"github.com/rogpeppe/go-internal@v1.16.0", "github.com/klauspost/compress@v1.20.3"}

// TestPeers compares packages with what go list says and files with what
// go/types says: on published modules, or on the folders of HAVERSACK_TREES.
func TestPeers(t *testing.T) {
	trees := graphtest.Trees(t, "the go command and go/types")
	if len(trees) == 0 {
		for _, m := range modulesOfPeers {
			cmd := exec.Command("go", "mod", "download", "-json", m)
			out, err := cmd.Output()
			var got struct{ Dir string }
			if err != nil || json.Unmarshal(out, &got) != nil || got.Dir == "" {
				graphtest.Missing(t, "go mod download %s: %v", m, err)
			}
			dir := filepath.Join(t.TempDir(), path.Base(got.Dir))
			if err := os.CopyFS(dir, os.DirFS(got.Dir)); err != nil {
				t.Fatal(err)
			}
			trees = append(trees, dir)
		}
	}
	for _, dir := range trees {
		t.Run(filepath.Base(dir), func(t *testing.T) { comparePeer(t, dir) })
	}
}

func comparePeer(t *testing.T, dir string) {
	roots, sources := graphtest.OpenReal(t, dir, "vendor")
	dir = roots.Dir
	began := time.Now()
	a := graphtest.Answer(t, Provider, roots, sources)
	var bytesRead int64
	for _, s := range sources {
		if Provider.Claims(s.Path) {
			bytesRead += s.Size
		}
	}
	took := time.Since(began)
	t.Logf("%d bytes of Go in %v; %d imports left out; %d warnings; %d unresolved", bytesRead, took, a.LeftOut, len(a.Warnings), len(a.Unresolved))

	fsys := os.DirFS(dir)
	var mods []string
	_ = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "go.mod" && !strings.Contains(name, "testdata/") && !strings.HasPrefix(name, "vendor/") {
			mods = append(mods, path.Dir(name))
		}
		return nil
	})
	truth, named, built := map[string]bool{}, map[string]bool{}, map[string]bool{}
	inPackage := map[string]bool{}
	rel := func(name string) string {
		if r, ok := strings.CutPrefix(name, dir+"/"); ok {
			return r
		}
		return ""
	}
	for _, mod := range mods {
		cmd := exec.Command("go", "list", "-deps", "-test", "-json=Dir,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports,ImportPath,ForTest", "./...")
		cmd.Dir = filepath.Join(dir, mod)
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod")
		out, err := cmd.Output()
		if err != nil {
			t.Logf("go list in %s: %v", mod, err)
		}
		type listed struct {
			Dir, ImportPath, ForTest                     string
			GoFiles, CgoFiles, TestGoFiles, XTestGoFiles []string
			Imports, TestImports, XTestImports           []string
		}
		var list []listed
		dirs := map[string]string{}
		for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
			var p listed
			if err := d.Decode(&p); err != nil {
				t.Fatal(err)
			}
			if r := rel(p.Dir + "/"); p.ForTest == "" && !strings.HasSuffix(p.ImportPath, ".test") && (r != "" || p.Dir == dir) {
				dirs[p.ImportPath] = path.Clean(r)
				if r == "" {
					dirs[p.ImportPath] = "."
				}
				list = append(list, p)
			}
		}
		for _, p := range list {
			for _, imports := range [][]string{p.Imports, p.TestImports, p.XTestImports} {
				for _, i := range imports {
					if to, ok := dirs[i]; ok && to != dirs[p.ImportPath] {
						inPackage[dirs[p.ImportPath]+" -> "+to] = true
					}
				}
			}
		}
		loaded, err := packages.Load(&packages.Config{
			Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedDeps,
			Dir:  filepath.Join(dir, mod), Tests: true, Env: cmd.Env,
		}, "./...")
		if err != nil {
			t.Logf("loading %s: %v", mod, err)
			continue
		}
		for _, p := range loaded {
			for _, f := range p.Syntax {
				from := rel(p.Fset.File(f.Pos()).Name())
				if from == "" {
					continue
				}
				built[from] = true
				// By what is documented, not by what the compiler needs: an
				// import without names leads to the whole package.
				for _, spec := range f.Imports {
					if spec.Name != nil && (spec.Name.Name == "_" || spec.Name.Name == ".") {
						if q := p.Imports[strings.Trim(spec.Path.Value, "\"`")]; q != nil {
							for _, g := range q.CompiledGoFiles {
								if to := rel(g); to != "" {
									truth[from+" -> "+to] = true
								}
							}
						}
					}
				}
				ast.Inspect(f, func(n ast.Node) bool {
					id, ok := n.(*ast.Ident)
					if !ok {
						return true
					}
					obj := p.TypesInfo.Uses[id]
					if obj == nil || !obj.Pos().IsValid() {
						return true
					}
					if _, ok := obj.(*types.PkgName); ok {
						return true
					}
					if to := rel(p.Fset.File(obj.Pos()).Name()); to != "" && to != from {
						truth[from+" -> "+to] = true
						if obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() {
							named[from+" -> "+to] = true
						}
					}
					return true
				})
			}
		}
	}
	ours, ourPackages := map[string]bool{}, map[string]bool{}
	for from, edges := range a.Edges {
		for _, e := range edges {
			if built[from] && built[e.Target] && e.Uses == graph.Runtime {
				ours[from+" -> "+e.Target] = true
				if path.Dir(from) != path.Dir(e.Target) && e.Resolution == graph.Explicit {
					ourPackages[path.Dir(from)+" -> "+path.Dir(e.Target)] = true
				}
			}
		}
	}
	graphtest.Compare(t, "packages", ourPackages, inPackage, .99, .99)
	graphtest.Compare(t, "files by names of packages", ours, named, .99, 0)
	graphtest.Compare(t, "files by all names", ours, truth, .75, .99)
}
