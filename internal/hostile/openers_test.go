//go:build linux

package hostile

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/action"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/seedtest"
)

// opening are calls that open something, by the last name of the function: of a package,
// of the caller's own, and, under "", of whatever else has such a method.
var opening = map[string][]string{
	"os":       {"Open", "OpenFile", "OpenRoot", "OpenInRoot", "ReadFile", "ReadDir", "DirFS", "Create", "WriteFile", "CopyFS"},
	"tree":     {"Open"},
	"repo":     {"Open"},
	"sql":      {"Open"},
	"osfs":     {"New"},
	"syscall":  {"Open", "Openat", "CreateFile"},
	"record":   {"Read", "ReadIn"},
	"filepath": {"Walk", "WalkDir", "Glob"},
	"fs":       {"WalkDir", "Glob", "ReadFile", "ReadDir"},
	"root":     {"Open", "File"}, // and fields of that name
	"own":      {"OpenFolder", "OpenFolderIn", "OpenIn", "ReadIn", "OpenRegular", "MakeFolder", "insideOf", "readFile"},
	"":         {"OpenFile", "OpenRoot", "OpenFolder", "OpenFolderIn", "OpenIn", "ReadIn", "OpenRegular", "ReadRegular", "ReadFile", "ReadDir", "WriteFile", "FS", "MakeFolder", "readPlace", "WritePlace"},
}

// opens reports whether a function calls one that opens.
func opens(fn *ast.FuncDecl) (found bool) {
	ast.Inspect(fn, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if f, ok := call.Fun.(*ast.Ident); ok {
			found = found || slices.Contains(opening["own"], f.Name)
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		on := ""
		switch x := sel.X.(type) {
		case *ast.Ident:
			on = x.Name
		case *ast.SelectorExpr:
			if on = strings.ToLower(x.Sel.Name); on != "root" {
				on = ""
			}
		}
		found = found || slices.Contains(opening[""], sel.Sel.Name) || slices.Contains(opening[on], sel.Sel.Name)
		return true
	})
	return found
}

// openers are the functions of the program that open something, as "file function".
func openers(t *testing.T) []string {
	t.Helper()
	var list []string
	for _, top := range []string{"internal", "cmd"} {
		err := filepath.WalkDir(filepath.Join("..", "..", top), func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			rel := filepath.ToSlash(strings.TrimPrefix(name, "../../"))
			if d.IsDir() {
				if d.Name() == "testdata" || strings.HasSuffix(rel, "test") || strings.HasSuffix(rel, "peer") || rel == "internal/secret/fit" {
					return filepath.SkipDir // for tests, and for makers of committed tables
				}
				return nil
			}
			if !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") {
				return nil
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			if f.Name.Name == "main" && top != "cmd" {
				return nil // a maker of a committed table
			}
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && opens(fn) {
					list = append(list, rel+" "+fn.Name.Name)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// openerRows says of each of them what it opens: the paths among places, or after a colon why
// nothing that a commit or an earlier step can make is there.
var openerRows = map[string]string{
	"internal/snapshot/change.go openStored":           ": of the base's commit",
	"internal/snapshot/change.go files":                ": of the base's commit",
	"internal/action/archived.go openArchived":         "given.meta.json",
	"internal/action/select.go topOf":                  ".git",
	"internal/action/serve.go serveVerb":               ": what whoever started the program names",
	"internal/action/install.go openClient":            ": a client's file, in the home or the folder of whoever starts the program; no link is followed out of it",
	"internal/action/install.go write":                 ": the same",
	"internal/action/fleet.go ownerOf":                 ": the address of a clone that whoever started the program names",
	"internal/action/trust.go trust":                   ": what whoever started the program names",
	"internal/action/task.go readTask":                 ": what whoever started the program names",
	"internal/scan/generator.go Generated":             "kustomization.yaml",
	"internal/snapshot/change.go asStored":             "src/a.ts",
	"internal/snapshot/gitwill.go unsettled":           "src/a.ts",
	"internal/snapshot/head.go plainFolder":            ": the folder that the user names",
	"internal/snapshot/request.go beside":              ".git",
	"internal/repo/repo.go Below":                      ": names of folders; a link is not followed",
	"internal/repo/user.go UserExcludes":               "rules.txt @user-ignore",
	"internal/repo/user.go excludesFile":               "@user-config",
	"internal/repo/user.go readInside":                 "rules.txt",
	"internal/action/session.go openStorePlace":        ".stan/session kept",
	"internal/repo/convert.go converter":               ".git/info/attributes",
	"internal/repo/index.go readIndex":                 ".git/index",
	"internal/repo/repo.go InfoExclude":                ".git/info/exclude",
	"internal/repo/repo.go commonDir":                  ".git/commondir",
	"internal/repo/repo.go openAt":                     ".git",
	"internal/repo/packed.go read":                     ".git/packed-refs",
	"internal/repo/store.go alternates":                ".git/objects/info/alternates",
	"internal/snapshot/closure.go readState":           ".stan/context/dependency.state.json",
	"internal/snapshot/base.go readSaved":              ".stan/diff .stan/diff/.archive.snapshot.json",
	"internal/snapshot/base.go WriteSaved":             ".stan/diff .stan/diff/.archive.snapshot.json",
	"internal/snapshot/change.go beforeFile":           "src/a.ts",
	"internal/job/env.go CacheDir":                     "@haversack",
	"internal/job/env.go readEvent":                    "event.json",
	"internal/snapshot/defaults.go repositoryDefaults": ".github/haversack.yml .github",
	"internal/snapshot/search.go allowIn":              ".haversackallow",
	"internal/snapshot/folder.go insideOf":             ".stan .stan/context .stan/output .stan/session kept out",
	"internal/snapshot/folder.go MakeFolder":           ".stan .stan/context .stan/output .stan/session kept out",
	"internal/snapshot/folder.go OpenFolder":           ".stan .stan/context .stan/output .stan/session kept out",
	"internal/snapshot/folder.go openPlace":            ".stan/diff",
	"internal/snapshot/folder.go readPlace":            ".stan/diff/.archive.snapshot.json",
	"internal/snapshot/folder.go WritePlace":           ".stan/diff/.archive.snapshot.json",
	"internal/plan/before.go FindHoldings":             ": of the base's commit",
	"internal/plan/before.go graphBefore":              "package.json",
	"internal/snapshot/graph.go OpenRoots":             "installed",
	"internal/snapshot/graph.go universe":              "src/a.ts",
	"internal/deliver/handover.go openResult":          ".stan/output/archive.tar",
	"internal/snapshot/head.go checkedOut":             "src .git",
	"internal/snapshot/head.go cloneFrom":              ": lists the folder that the user names",
	"internal/snapshot/head.go entry":                  "src/a.ts",
	"internal/snapshot/head.go locate":                 ": the folder that the user names",
	"internal/job/log.go AppendFile":                   "@set_output @step_summary",
	"internal/job/mounts.go mounted":                   ": the system's list of mounts",
	"internal/deliver/outdir.go create":                ".stan/output/.haversack-0123456789abcdef",
	"internal/deliver/outdir.go newFolder":             ".stan/output .stan/output/.haversack-0123456789abcdef",
	"internal/deliver/outdir.go ownsIgnore":            ".stan/context/.gitignore .stan/output/.gitignore",
	"internal/deliver/outdir.go swap":                  ".stan/output/archive.tar .stan/output/record.json .stan/context/dependency.meta.json .stan/context/dependency.map.json",
	"internal/job/owner_unix.go Owner":                 ".stan .stan/output/archive.tar @haversack",
	"internal/action/packshow.go packShowVerb":         "pack.json",
	"internal/record/read.go Read":                     "record.json",
	"internal/record/read.go ReadIn":                   "record.json .stan/output/record.json out/record.json",
	"internal/action/select.go editState":              ".stan/context/dependency.state.json",
	"internal/action/select.go summarise":              ".stan/context/dependency.state.json",
	"internal/action/session.go ignoreFolder":          ".stan/session/.gitignore",
	"internal/action/session.go tryWriting":            ": a new file beside the store",
	"internal/action/held.go baseSum":                  ": of the base's commit, or of its folder by a root",
	"internal/action/threadverb.go storeThere":         ".stan/session .stan/session/objects.db",
	"internal/record/tally.go ReadTally":               "record.json",
	"internal/action/verify.go checkArchive":           "archive.tar",
	"internal/action/fleetlist.go fleetMembers":        ": what whoever started the program names",
	"internal/action/fleetlock_unix.go lockFile":       ": in a folder that whoever started the program names",
	"internal/action/fleetlock_windows.go lockFile":    ": in a folder that whoever started the program names",
	"internal/action/fleetindex.go readShards":         ": in a folder that whoever started the program names",
	"internal/action/fleet.go headOf":                  ": a repository that whoever started the program names",
	"internal/action/fleet.go isDone":                  ": in a folder that whoever started the program names",
	"internal/action/fleet.go openFleet":               ": a folder that whoever started the program names",
	"internal/action/fleet.go put":                     ": in a folder that whoever started the program names",
	"internal/action/pull.go leaksInDocument":          ": of a folder that this process made",
	"internal/action/pull.go pullVerb":                 ": a folder that whoever started the program names",
	"internal/action/pull.go read":                     ": makes files in a new folder of its own, and renames them",
	"internal/action/pull.go verifyPushed":             ": a folder that it makes",
	"internal/deliver/push.go pushedFiles":             ".stan/output/archive.tar",
	"internal/job/registry.go readRegistryConfig":      ": what whoever started the program names, or docker's own",
	"internal/action/watch.go look":                    ": reads through openFolder and readRecordIn",
	"internal/action/why.go explainLine":               "src/a.ts",
	"internal/action/why.go whyVerb":                   ".stan/output/record.json",
	"internal/artifact/zip.go In":                      ".stan/output/archive.tar .stan/session/objects.db",
	"internal/graph/canonical.go hash":                 "node_modules/dep/index.js",
	"internal/graph/canonical.go manifest":             "node_modules/dep/package.json",
	"internal/graph/golang/golang.go vendored":         "go.mod",
	"internal/graph/golang/installed.go sourcesIn":     "installed installed/a.ts",
	"internal/graph/graph.go ReadFile":                 "package.json tsconfig.json go.mod pyproject.toml",
	"internal/graph/python/installed.go distribution":  ".venv/lib/python3.12/site-packages/dep-1.dist-info/RECORD",
	"internal/graph/python/installed.go list":          ".venv/lib/python3.12/site-packages/dep/__init__.py",
	"internal/graph/sources.go Outside":                "node_modules/dep/index.js",
	"internal/graph/sources.go readSource":             "src/a.ts",
	"internal/graph/typescript/cache.go openCache":     "@haversack",
	"internal/graph/typescript/cache.go removeOthers":  "@haversack",
	"internal/graph/typescript/files.go read":          "node_modules/dep/index.js",
	"internal/graph/typescript/tsgo/tsgo.go ReadFile":  "tsconfig.json package.json",
	"internal/graph/typescript/tsgo/tsgo.go readAlone": "tsconfig.json",
	"internal/graph/typescript/typescript.go measure":  "node_modules/dep/index.js",
	"internal/object/store/file.go OpenSQLite":         "kept",
	"internal/object/store/file.go clear":              ".stan/session/objects.db-x.tmp .stan/session/objects.db-journal .stan/session/objects.db-wal .stan/session/objects.db-shm",
	"internal/object/store/file.go lock":               ".stan/session/objects.db kept/own.db",
	"internal/object/store/file.go publish":            ".stan/session/objects.db kept/own.db",
	"internal/object/store/file.go sweep":              ": the system's folder for temporary files; what it takes away has to be a folder of this user's that nobody claims",
	"internal/object/store/file.go take":               ": a new folder of this run's own",
	"internal/object/store/lock_unix.go claim":         ": a folder of this run's own",
	"internal/object/store/lock_windows.go alone":      ": a new file beside what is open",
	"internal/object/store/restore.go Restore":         ": a new file beside the database",
	"internal/pack/read.go compile":                    ": part of the program",
	"internal/repo/fetch.go prepare":                   ": a private store of this run's own",
	"internal/repo/objects.go find":                    ".git/objects/ab",
	"internal/repo/objects.go list":                    ".git/objects/pack",
	"internal/repo/objects.go loose":                   ".git/objects/ab",
	"internal/repo/objects.go withPrefix":              ".git/objects/ab",
	"internal/repo/pack.go openPack":                   ".git/objects/pack",
	"internal/repo/repo.go readFile":                   ".git .git/index .git/commondir .git/info/exclude .git/info/attributes .git/objects/info/alternates",
	"internal/repo/store.go Open":                      ".git/HEAD .git/config .git/config.worktree .git/packed-refs .git/shallow .git/refs/heads/main",
	"internal/repo/store.go ReadDir":                   ".git/refs",
	"internal/repo/store.go newStore":                  ".git/objects/info/alternates",
	"internal/scan/find.go read":                       "src/a.ts",
	"internal/scan/walk.go ignoreFileIn":               ".gitignore src/.gitignore",
	"internal/scan/walk.go ownFiles":                   ".haversackignore .councilignore",
	"internal/stage/stage.go Read":                     "node_modules/dep/index.js",
	"internal/tree/disk.go Open":                       "installed",
	"internal/tree/disk.go enter":                      "src .stan/context",
	"internal/tree/open_linux.go enter":                "src node_modules/dep",
	"internal/tree/open_linux.go list":                 "src node_modules/dep",
	"internal/tree/open_linux.go openFile":             "src/a.ts",
	"internal/tree/open_other.go list":                 "src node_modules/dep",
	"internal/tree/open_other.go openFile":             "src/a.ts",
	"internal/tree/over.go Open":                       "src/a.ts",
	"internal/tree/regular.go OpenFolder":              "installed",
	"internal/tree/regular.go OpenFolderIn":            ".stan/context .stan/session",
	"internal/tree/regular.go OpenIn":                  ".stan/session/objects.db",
	"internal/tree/regular.go OpenRegular":             "archive.tar",
	"internal/tree/regular.go ReadIn":                  ".stan/context/.gitignore",
	"internal/tree/regular.go ReadRegular":             "event.json",
	"internal/watch/watch.go limit":                    ": a limit of the system",
	"internal/watch/watch.go watch":                    ": names of files and folders; a link is not followed",
}

// TestOpeners fails for what opens and has no row, for a row of nothing, and for a path
// that no attack replaces.
func TestOpeners(t *testing.T) {
	known := map[string]bool{}
	for _, p := range places {
		known[p.path] = true
	}
	list := openers(t)
	for _, o := range list {
		row, ok := openerRows[o]
		if !ok {
			t.Errorf("%s opens something and has no row: add the paths that it opens to places, and name them in openerRows", o)
			continue
		}
		if strings.HasPrefix(row, ":") {
			continue
		}
		for p := range strings.FieldsSeq(row) {
			if !known[p] {
				t.Errorf("%s: %s is not among places", o, p)
			}
		}
	}
	for o := range openerRows {
		if !slices.Contains(list, o) {
			t.Errorf("%s has a row and opens nothing", o)
		}
	}
}

// place is a path that a run opens.
type place struct {
	// path in the repository; below "@" in the runner's folder for temporary files.
	path string
	// use is the run that opens it.
	use string
	// fails is in the one error that may be said; where it is "" the run has to end as if
	// the path were absent. "*" is any.
	fails string
	// words are in the file that a link leads to: what the run would go by.
	words string
	// followed: whoever started the program names the path, or git's own files may lie
	// elsewhere, so a link there is followed.
	followed bool
}

const wordsOutside = "{\"outside\": \"these words lie outside\"}\n"

var places = []place{
	{path: "src/a.ts", use: "context"},
	{path: "src", use: "full", fails: "*"},
	{path: "src", use: "below", fails: "input path"},
	{path: ".gitignore", use: "full", words: "*.ts\n"},
	{path: "src/.gitignore", use: "full", words: "*\n"},
	{path: ".haversackignore", use: "full", words: "*.ts\n"},
	{path: ".councilignore", use: "full", words: "*.ts\n"},
	{path: ".haversackallow", use: "full", words: "any * reason\n"},
	{path: ".github/haversack.yml", use: "full", words: "exclude: '**'\n", fails: ".github/haversack.yml"},
	{path: ".github", use: "full", fails: ".github/haversack.yml"},
	{path: ".gitattributes", use: "full", words: "* -text\n"},
	{path: "kustomization.yaml", use: "full", words: "secretGenerator:\n- files: [src/a.ts]\n"},
	{path: "package.json", use: "context", words: `{"name":"x","imports":{"#b":"./src/c.ts"}}`},
	{path: "tsconfig.json", use: "context", words: `{"compilerOptions":{"baseUrl":"src"}}`},
	{path: "node_modules/dep/package.json", use: "context", words: `{"name":"dep","main":"other.js"}`},
	{path: "node_modules/dep/index.js", use: "context"},
	{path: "node_modules/dep", use: "context"},
	{path: "go.mod", use: "context", words: "module other\n"},
	{path: "pyproject.toml", use: "context"},
	{path: ".venv/lib/python3.12/site-packages/dep-1.dist-info/RECORD", use: "context"},
	{path: ".venv/lib/python3.12/site-packages/dep/__init__.py", use: "context"},
	{path: ".stan", use: "session", fails: ".stan"},
	{path: ".stan/context", use: "context", fails: ".stan/context"},
	{path: ".stan/context/dependency.state.json", use: "context", fails: "dependency.state.json", words: `{"v":2,"i":["src/c.ts"]}`},
	{path: ".stan/context/dependency.state.json", use: "edit", fails: "dependency.state.json", words: `{"v":2,"i":["src/c.ts"]}`},
	{path: ".stan/context/dependency.state.json", use: "summary", fails: "dependency.state.json", words: `{"v":2,"i":["src/c.ts"]}`},
	{path: ".stan/context/.gitignore", use: "context", words: "# Made by haversack, like all that it names here. dependency.state.json is yours.\n"},
	{path: ".stan/context/dependency.meta.json", use: "context"},
	{path: ".stan/context/dependency.map.json", use: "context"},
	{path: ".stan/output", use: "full", fails: ".stan/output"},
	{path: ".stan/output/.gitignore", use: "full"},
	{path: ".stan/output/.haversack-0123456789abcdef", use: "full"},
	{path: ".stan/output/archive.tar", use: "full"},
	{path: ".stan/output/record.json", use: "full"},
	{path: ".stan/output/record.json", use: "why", fails: "record"},
	{path: ".stan/diff", use: "saved", fails: "diff"},
	{path: ".stan/diff/.archive.snapshot.json", use: "saved", fails: ".stan/diff/.archive.snapshot.json"},
	{path: ".stan/session", use: "session"},
	{path: ".stan/session/.gitignore", use: "session"},
	{path: ".stan/session/objects.db", use: "session"},
	{path: ".stan/session/objects.db-journal", use: "session"},
	{path: ".stan/session/objects.db-wal", use: "session"},
	{path: ".stan/session/objects.db-shm", use: "session"},
	{path: ".stan/session/objects.db-x.tmp", use: "session"},
	{path: ".stan/session/objects.db", use: "show", fails: "session"},
	{path: "kept", use: "store"},
	{path: "kept/own.db", use: "store"},
	{path: "kept/own.db-journal", use: "store"},
	{path: ".git", followed: true, use: "context", fails: "*"},
	{path: ".git/HEAD", use: "context", fails: "*", followed: true},
	{path: ".git/index", use: "context", fails: "*", followed: true},
	{path: ".git/config", use: "context", fails: "*", followed: true, words: "[core]\n\tbare = true\n"},
	{path: ".git/config.worktree", use: "context", fails: "*", followed: true, words: "[core]\n\tbare = true\n"},
	{path: ".git/commondir", use: "context", fails: "*", followed: true, words: "../outside"},
	{path: ".git/packed-refs", use: "context", fails: "*", followed: true},
	{path: ".git/shallow", use: "context", fails: "*", followed: true},
	{path: ".git/refs/heads/main", use: "context", fails: "*", followed: true},
	{path: ".git/info/exclude", use: "full", fails: "*", followed: true},
	{path: ".git/info/attributes", use: "full", fails: "*", followed: true},
	{path: ".git/objects/info/alternates", use: "context", fails: "*", followed: true},
	{path: ".git/refs", use: "context", fails: "*", followed: true},
	{path: ".git/objects", use: "context", fails: "*", followed: true},
	{path: ".git/objects/pack", use: "context", fails: "*", followed: true},
	{path: ".git/objects/ab", use: "abbreviated", fails: "*", followed: true},
	{path: "rules.txt", use: "full", words: "*.ts\n"},
	{path: "@user-config", use: "context", followed: true},
	{path: "@user-ignore", use: "context", followed: true},
	{path: "given.meta.json", use: "meta", fails: "given.meta.json", followed: true},
	{path: "event.json", use: "event", followed: true},
	{path: "@set_output", use: "event", fails: "outputs", followed: true},
	{path: "@step_summary", use: "event", followed: true},
	{path: "@haversack", use: "context"},
	{path: "record.json", use: "comment", fails: "record", followed: true},
	{path: "record.json", use: "verify", fails: "record"},
	{path: "archive.tar", use: "archive", fails: "archive.tar", followed: true},
	{path: "pack.json", use: "pack show", fails: "pack.json", followed: true},
	{path: "out", use: "out", fails: "out"},
	{path: "out/record.json", use: "out"},
	{path: "installed", use: "external", fails: "external-roots", followed: true},
	{path: "installed/a.ts", use: "external"},
}

// uses are runs, by name: arguments. "$DIR" is the repository.
var uses = map[string][]string{
	"full":        {"--mode", "full", "--pack", "summary", "--base", "none"},
	"context":     {"--mode", "context", "--pack", "none", "--base", "HEAD~1"},
	"below":       {"--mode", "full", "--pack", "none", "--base", "none", "--path", "src"},
	"abbreviated": {"--mode", "full", "--pack", "none", "--base", "abcd"},
	"saved":       {"--mode", "full", "--pack", "none", "--base", "saved"},
	"session":     {"--mode", "full", "--pack", "none", "--base", "none", "--session", "auto"},
	"store":       {"--mode", "full", "--pack", "none", "--base", "none", "--session", "auto", "--store", "kept/own.db"},
	"event":       {"--mode", "full", "--pack", "none", "--base", "none"},
	"out":         {"--mode", "full", "--pack", "none", "--base", "none", "--output-dir", "out"},
	"external":    {"--mode", "context", "--pack", "none", "--base", "none", "--external-roots", "installed"},
	"meta":        {"select", "--meta", "given.meta.json", "--summary", "src/a.ts"},
	"edit":        {"select", "--add", "src/b.ts"},
	"summary":     {"select", "--summary"},
	"why":         {"why", "src/b.ts"},
	"show":        {"session", "show"},
	"comment":     {"comment", "--record", "$DIR/record.json"},
	"verify":      {"verify", "archive.tar"},
	"archive":     {"verify", "archive.tar"},
	"pack show":   {"pack", "show", "pack.json"},
}

// kinds are what takes the place of a path.
var kinds = []string{"link", "device", "pipe", "sparse"}

// replaced makes a path something else. Of a link, to is where it leads.
func replaced(at, kind, to string) error {
	if err := errors.Join(os.RemoveAll(at), os.MkdirAll(filepath.Dir(at), 0o755)); err != nil {
		return err
	}
	switch kind {
	case "link":
		return os.Symlink(to, at)
	case "device":
		return os.Symlink("/dev/zero", at)
	case "pipe":
		return syscall.Mkfifo(at, 0o644)
	case "sparse":
		return errors.Join(os.WriteFile(at, []byte("{"), 0o644), os.Truncate(at, 1<<40))
	}
	return nil // absent
}

// template makes the repository that is attacked, with two commits, and what is not committed.
func template(t *testing.T, dir string) {
	for name, text := range map[string]string{
		"src/a.ts": "import { b } from './b'\nimport 'dep'\nexport const a = b\n", "src/b.ts": "export const b = 1\n", "src/c.ts": "export const c = 1\n",
		"package.json": `{"name":"world","dependencies":{"dep":"1.0.0"}}`, "main.go": "package main\n\nfunc main() {}\n", "go.mod": "module world\n",
		"app.py": "import dep\n", "pyproject.toml": "[project]\nname = \"world\"\n",
	} {
		write(t, dir, name, []byte(text))
	}
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_AUTHOR_DATE=@1700000000 +0000", "GIT_COMMITTER_DATE=@1700000000 +0000")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	git("init", "--quiet", "--initial-branch=main", "--template=")
	git("config", "core.excludesFile", "rules.txt")
	git("add", "--all")
	git("commit", "--quiet", "--message", "one")
	write(t, dir, "src/a.ts", []byte("import { b } from './b'\nimport 'dep'\nexport const a = b + 1\n"))
	git("commit", "--quiet", "--all", "--message", "two")
	write(t, dir, "node_modules/dep/package.json", []byte(`{"name":"dep","version":"1.0.0","main":"index.js"}`))
	write(t, dir, "node_modules/dep/index.js", []byte("module.exports = 1\n"))
	write(t, dir, ".venv/pyvenv.cfg", []byte("home = /usr\n"))
	write(t, dir, ".venv/lib/python3.12/site-packages/dep/__init__.py", []byte("x = 1\n"))
	write(t, dir, "installed/a.ts", []byte("export const i = 1\n"))
}

// outcome is what came of a run.
type outcome struct {
	archives map[string]string
	said     string
	err      error
}

// runOnce runs the program in a copy of the template where kind has taken the path's place.
// What lies outside has to stay as it is.
func runOnce(template, work string, p place, kind string) (o outcome, err error) {
	world, temp, outside := filepath.Join(work, "world"), filepath.Join(work, "temp"), filepath.Join(work, "outside")
	if err := errors.Join(os.RemoveAll(work), os.MkdirAll(temp, 0o755), os.MkdirAll(outside, 0o755), os.CopyFS(world, os.DirFS(template))); err != nil {
		return o, err
	}
	words := p.words
	if words == "" {
		words = wordsOutside
	}
	// A link to a folder finds there what it may look for.
	folder := filepath.Join(outside, "folder")
	for _, name := range []string{"../file", "objects.db", "own.db", "record.json", "archive.tar", ".gitignore", "a.ts", "output/record.json", "session/objects.db", "context/dependency.state.json"} {
		at := filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(words), 0o644)); err != nil {
			return o, err
		}
	}
	to := filepath.Join(outside, "file")
	if filepath.Ext(strings.TrimPrefix(filepath.Base(p.path), ".")) == "" && !strings.ContainsAny(filepath.Base(p.path), "_-") && p.words == "" {
		to = folder
	}
	at := filepath.Join(world, p.path)
	if name, ok := strings.CutPrefix(p.path, "@"); ok {
		at = filepath.Join(temp, name)
	}
	env := map[string]string{"RUNNER_TEMP": temp, "HOME": work, "PATH": os.Getenv("PATH"), "GIT_CONFIG_SYSTEM": "/dev/null", "GIT_CONFIG_GLOBAL": filepath.Join(temp, "user-config")}
	if p.path == "@user-ignore" {
		env["GIT_CONFIG_GLOBAL"], env["XDG_CONFIG_HOME"] = "/dev/null", filepath.Join(temp, "config")
		if err := os.MkdirAll(filepath.Join(temp, "config", "git"), 0o755); err != nil {
			return o, err
		}
		at = filepath.Join(temp, "config", "git", "ignore")
	}
	before := listing(outside)
	if err := replaced(at, kind, to); err != nil {
		return o, err
	}
	if p.use == "event" {
		for k, v := range map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": world, "GITHUB_EVENT_NAME": "push", "GITHUB_EVENT_PATH": filepath.Join(world, "event.json"),
			"GITHUB_OUTPUT": filepath.Join(temp, "set_output"), "GITHUB_STEP_SUMMARY": filepath.Join(temp, "step_summary")} {
			env[k] = v
		}
	}
	if p.use == "archive" {
		os.WriteFile(filepath.Join(world, "record.json"), []byte(`{"outputs":[{"name":"archive.tar","size_bytes":10}]}`), 0o644)
	}
	var args []string
	for _, a := range uses[p.use] {
		args = append(args, strings.ReplaceAll(a, "$DIR", world))
	}
	// A guard against hanging alone: a run takes some tenths of a second.
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var out bytes.Buffer
	c := action.Command{Process: job.Process{Args: args, Dir: world, Stdout: &out, Stderr: &out, Getenv: func(name string) string { return env[name] }}, Grace: 2 * time.Second}
	o.err = c.Run(ctx)
	o.said = out.String()
	if ctx.Err() != nil {
		return o, errors.New("it does not end")
	}
	if after := listing(outside); !(p.followed && kind == "link") && after != before {
		return o, fmt.Errorf("outside is changed:\n%s\n%s", before, after)
	}
	o.archives = map[string]string{}
	for _, dir := range []string{".stan/output", "out"} {
		if fi, err := os.Lstat(filepath.Join(world, dir)); err != nil || !fi.IsDir() {
			continue // what lies behind a link is not the run's
		}
		for _, name := range []string{"archive.tar", "archive.diff.tar"} {
			at := filepath.Join(world, dir, name)
			if fi, err := os.Lstat(at); err != nil || !fi.Mode().IsRegular() || fi.Size() > 1<<30 {
				continue
			}
			b, err := os.ReadFile(at)
			if err != nil {
				return o, err
			}
			text := ""
			if text, err = contents(b); err != nil {
				return o, err
			}
			o.archives[dir+"/"+name] = text
		}
	}
	return o, nil
}

// contents are the members of an archive but the engine's own: these tell what became of
// a path, and a link is not a path that is absent.
func contents(tarred []byte) (string, error) {
	var b strings.Builder
	for r := tar.NewReader(bytes.NewReader(tarred)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return b.String(), nil
		}
		if err != nil {
			return "", err
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return "", err
		}
		if !strings.HasPrefix(h.Name, ".stan/context/") || strings.Contains(string(text), "lie outside") {
			fmt.Fprintf(&b, "%s %s %q\n", h.Name, h.Linkname, text)
		}
	}
}

// listing tells names, sizes and words of a folder's files.
func listing(dir string) string {
	var b strings.Builder
	filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s %v", strings.TrimPrefix(name, dir), d.Type())
		if d.Type().IsRegular() {
			text, _ := os.ReadFile(name)
			fmt.Fprintf(&b, " %q", text)
		}
		b.WriteString("\n")
		return nil
	})
	return b.String()
}

// judge says what is wrong with the outcome of a run where something has taken a path's
// place, against that of one where the path is absent.
func judge(p place, kind string, got, absent outcome) string {
	for name, b := range got.archives {
		if strings.Contains(b, "these words lie outside") {
			return name + " holds what lies outside"
		}
	}
	if strings.Contains(got.said, "these words lie outside") {
		return "it says what lies outside"
	}
	if p.followed && kind == "link" {
		return "" // what is there is taken
	}
	if got.err != nil {
		code, lines := job.ExitCode(got.err), strings.Count(strings.TrimSpace(got.err.Error()), "\n")
		switch {
		case code != 1 && code != 2 || lines > 0:
			return fmt.Sprintf("it ends with %d: %v", code, got.err)
		case absent.err == nil && p.fails == "", p.fails != "*" && p.fails != "" && !strings.Contains(got.err.Error(), p.fails):
			return fmt.Sprintf("it fails: %v", got.err)
		}
		return ""
	}
	if absent.err != nil {
		if p.fails != "" {
			return ""
		}
		return fmt.Sprintf("where it is absent the run fails: %v", absent.err)
	}
	for name, b := range absent.archives {
		if p.fails != "*" && got.archives[name] != b {
			return name + " is another than where it is absent"
		}
	}
	return ""
}

// replacedAttack replaces count places, or all for 0, drawn by a seed.
func replacedAttack(seed uint64, count int) attack {
	return attack{class: "replaced", name: fmt.Sprintf("%d-%d", seed, count), seconds: 300, mebibytes: 512, set: template, want: "0 faults", run: func(dir string) (string, error) {
		type pair struct {
			place
			kind string
		}
		var pairs []pair
		for _, p := range places {
			for _, k := range kinds {
				pairs = append(pairs, pair{p, k})
			}
		}
		if count > 0 {
			r := rand.New(rand.NewPCG(seed, 1))
			r.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
			pairs = pairs[:count]
		}
		work, err := os.MkdirTemp("", "")
		if err != nil {
			return "", err
		}
		defer os.RemoveAll(work)
		faults := 0
		absent := map[string]outcome{}
		for _, p := range pairs {
			key := p.use + " " + p.path
			if _, ok := absent[key]; !ok {
				if absent[key], err = runOnce(dir, work, p.place, "absent"); err != nil {
					return "", fmt.Errorf("%s: absent: %w", key, err)
				}
			}
			began, peak := time.Now(), resident("self")
			got, err := runOnce(dir, work, p.place, p.kind)
			if now := resident("self"); now > peak+64 || time.Since(began) > 4*time.Second {
				fmt.Printf("%s as a %s (%s) takes %v and %d MiB more\n", p.path, p.kind, p.use, time.Since(began), now-peak)
			}
			fault := ""
			if err != nil {
				fault = err.Error()
			} else {
				fault = judge(p.place, p.kind, got, absent[key])
			}
			if fault != "" {
				faults++
				fmt.Printf("%s as a %s (%s): %s\n", p.path, p.kind, p.use, fault)
			}
		}
		return fmt.Sprintf("%d replaced, %d faults", len(pairs), faults), nil
	}}
}

// TestReplaced replaces paths that a run opens by a link that leads out, a device, a pipe and
// a sparse file of 1 TiB. The run ends as if the path were absent, or with one error that names it
// where somebody has named it; what lies outside stays as it is, and nothing of it is told.
func TestReplaced(t *testing.T) {
	seed, count := seedtest.Seed(t), 20
	if testing.Short() {
		count = 6
	}
	if *long || os.Getenv("HAVERSACK_PEERS") != "" {
		count = 0
	}
	watch(t, replacedAttack(seed, count))
}
