package main

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/haversack-dev/haversack/internal/fault"
	"github.com/haversack-dev/haversack/internal/forge/forgetest"
)

var update = flag.Bool("update", false, "rewrite the scripts' expectations")

// asProgram makes this test's program the program itself.
const asProgram = "HAVERSACK_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(run())
	}
	// Built with the race detector, each program sleeps for a second at its end unless it is told not to.
	if os.Getenv("GORACE") == "" {
		os.Setenv("GORACE", "atexit_sleep_ms=0")
	}
	testscript.Main(m, map[string]func(){"haversack": func() { os.Exit(checked()) }})
}

// TestScript runs the program end to end. One script shows one behaviour.
func TestScript(t *testing.T) {
	dir, files := "testdata/script", []string(nil)
	if testing.Short() { // one of each kind
		for _, name := range []string{"changes", "context", "failure", "hostile-names", "pack", "select"} {
			files = append(files, filepath.Join(dir, name+".txtar"))
		}
		dir = ""
	}
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		Files:               files,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			for _, v := range os.Environ() {
				name, _, _ := strings.Cut(v, "=")
				if strings.HasPrefix(name, "GITHUB_") || strings.HasPrefix(name, "INPUT_") || strings.HasPrefix(name, "ACTIONS_") {
					e.Setenv(name, "")
				}
			}
			module, err := filepath.Abs("../..")
			if err != nil {
				return err
			}
			e.Setenv("HAVERSACK_MODULE", module) // where the schemas are
			e.Setenv("GORACE", os.Getenv("GORACE"))
			e.Setenv("GIT_CONFIG_GLOBAL", "/dev/null")
			e.Setenv("GIT_CONFIG_SYSTEM", "/dev/null")
			e.Setenv("GIT_AUTHOR_NAME", "A")
			e.Setenv("GIT_AUTHOR_EMAIL", "a@example.com")
			e.Setenv("GIT_COMMITTER_NAME", "A")
			e.Setenv("GIT_COMMITTER_EMAIL", "a@example.com")
			e.Setenv("GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z")
			e.Setenv("GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z")
			e.Setenv("GIT_CONFIG_COUNT", "2")
			e.Setenv("GIT_CONFIG_KEY_0", "init.defaultBranch")
			e.Setenv("GIT_CONFIG_VALUE_0", "main")
			e.Setenv("GIT_CONFIG_KEY_1", "protocol.file.allow")
			e.Setenv("GIT_CONFIG_VALUE_1", "always")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"lstar": lstar, "same": same, "rows": rows, "mkfifo": mkfifo, "mksock": mksock, "truthful": truthful, "reader": reader, "api": api, "origins": origins,
		},
	})
}

// apis are the services of the scripts that run, by their folders.
var apis sync.Map

// api starts the hosting service's API, of which the folder holds the files of default branches as owner/name/path, and has the
// environment name it; with calls it prints what it was asked for, and what it objected to. With fails, each request for a file is
// answered so.
func api(ts *testscript.TestScript, neg bool, args []string) {
	if args[0] == "calls" {
		s, _ := apis.Load(ts.MkAbs("."))
		for _, c := range s.(*forgetest.Server).Calls() {
			fmt.Fprintln(ts.Stdout(), c)
		}
		for _, r := range s.(*forgetest.Server).Refusals() {
			fmt.Fprintln(ts.Stdout(), "refused:", r)
		}
		return
	}
	s := forgetest.Start(cleaner(ts.Defer))
	files := map[string]string{}
	dir := ts.MkAbs(args[1])
	ts.Check(filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(at)
		files[filepath.ToSlash(strings.TrimPrefix(at, dir+string(filepath.Separator)))] = string(b)
		return err
	}))
	s.Change(func(s *forgetest.Server) { s.Files = files })
	if len(args) > 3 && args[2] == "fails" {
		status, err := strconv.Atoi(args[3])
		ts.Check(err)
		fails := func(c forgetest.Call) *fault.Fault {
			if !strings.Contains(c.Name, "/contents/") {
				return nil
			}
			f := &fault.Fault{Status: status, Header: http.Header{}}
			if status >= 500 { // longer than anybody waits
				f.Header.Set("Retry-After", "86400")
			}
			return f
		}
		s.Change(func(s *forgetest.Server) { s.Fault = fails })
	}
	apis.Store(ts.MkAbs("."), s)
	ts.Setenv("GITHUB_API_URL", s.URL)
	ts.Setenv("INPUT_TOKEN", forgetest.Token)
}

type cleaner func(func())

func (c cleaner) Cleanup(f func()) { c(f) }

// origins prints where a record says that inputs have their values from, but for those of the table.
func origins(ts *testscript.TestScript, neg bool, args []string) {
	var rec struct {
		Inputs   []struct{ Name, From, Value string }
		Defaults []struct{ From, File, Commit, SHA256 string }
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &rec))
	for _, in := range rec.Inputs {
		if in.From != "default" {
			fmt.Fprintln(ts.Stdout(), strings.TrimSpace(fmt.Sprintf("%s: %s %s", in.Name, in.From, strings.ReplaceAll(in.Value, "\n", " "))))
		}
	}
	for _, d := range rec.Defaults {
		fmt.Fprintf(ts.Stdout(), "%s: %s %.8s %.8s\n", d.From, d.File, d.Commit, d.SHA256)
	}
}

// lstar prints the members of a tar in archive order: type, mode, owner, time,
// size, name.
func lstar(ts *testscript.TestScript, neg bool, args []string) {
	f, err := os.Open(ts.MkAbs(args[0]))
	ts.Check(err)
	defer f.Close()
	tr := tar.NewReader(f)
	for {
		h, err := tr.Next()
		if err == io.EOF {
			return
		}
		ts.Check(err)
		fmt.Fprintf(ts.Stdout(), "%c %04o %d/%d%s%s %s %6d %s%s\n", h.Typeflag, h.Mode, h.Uid, h.Gid, h.Uname, h.Gname,
			h.ModTime.UTC().Format("2006-01-02T15:04:05Z"), h.Size, h.Name, arrow(h.Linkname))
	}
}

func arrow(link string) string {
	if link == "" {
		return ""
	}
	return " -> " + link
}

// same checks that files have the same bytes, or with ! that they have not.
func same(ts *testscript.TestScript, neg bool, args []string) {
	var sums [][32]byte
	for _, a := range args {
		b, err := os.ReadFile(ts.MkAbs(a))
		ts.Check(err)
		sums = append(sums, sha256.Sum256(b))
	}
	for _, s := range sums[1:] {
		if (s == sums[0]) == neg {
			ts.Fatalf("same %v: %v", args, !neg)
		}
	}
}

// rows prints the record's rows: included or the reason, the rule, the path.
func rows(ts *testscript.TestScript, neg bool, args []string) {
	b, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	var rec struct {
		Files []struct {
			Path, Reason, Rule string
			Included           bool
		}
	}
	ts.Check(json.Unmarshal(b, &rec))
	for _, r := range rec.Files {
		if r.Included {
			fmt.Fprintf(ts.Stdout(), "+ %q\n", r.Path)
		} else {
			fmt.Fprintf(ts.Stdout(), "- %q %s: %s\n", r.Path, r.Reason, r.Rule)
		}
	}
}

// reader plays who is handed archives: start empties the folder and unpacks one into it,
// apply unpacks a diff archive and does what its list of changes says, equals compares
// with all that an archive.tar holds, and holds names files that must be there.
func reader(ts *testscript.TestScript, neg bool, args []string) {
	dir := ts.MkAbs(args[1])
	switch args[0] {
	case "start":
		ts.Check(os.RemoveAll(dir))
		fallthrough
	case "apply":
		var list struct {
			Changes []struct {
				Status, Path string
				OldPath      string `json:"old_path"`
			}
			Dropped []string
		}
		for name, text := range unpacked(ts, args[2]) {
			switch name {
			case ".stan/context/changes.json":
				ts.Check(json.Unmarshal([]byte(text), &list))
				continue
			case ".stan/context/changes.patch":
				continue
			}
			at := filepath.Join(dir, filepath.FromSlash(name))
			ts.Check(os.MkdirAll(filepath.Dir(at), 0o755))
			ts.Check(os.WriteFile(at, []byte(text), 0o644))
		}
		gone := list.Dropped
		for _, c := range list.Changes {
			if c.Status == "D" {
				gone = append(gone, c.Path)
			} else if c.OldPath != "" {
				gone = append(gone, c.OldPath)
			}
		}
		for _, name := range gone {
			os.Remove(filepath.Join(dir, filepath.FromSlash(name)))
		}
	case "equals":
		want := unpacked(ts, args[2])
		ts.Check(filepath.WalkDir(dir, func(at string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			rel, err := filepath.Rel(dir, at)
			if err != nil {
				return err
			}
			name := filepath.ToSlash(rel)
			raw, err := os.ReadFile(at)
			if text, ok := want[name]; err == nil && (!ok || text != string(raw)) {
				err = fmt.Errorf("the reader has another %s (in the archive: %v)", name, ok)
			}
			delete(want, name)
			return err
		}))
		for name := range want {
			ts.Fatalf("the reader has not been given %s", name)
		}
	case "holds":
		for _, name := range args[2:] {
			_, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
			ts.Check(err)
		}
	default:
		ts.Fatalf("reader start|apply|equals|holds")
	}
}

// unpacked returns the members of a tar.
func unpacked(ts *testscript.TestScript, archive string) map[string]string {
	f, err := os.Open(ts.MkAbs(archive))
	ts.Check(err)
	defer f.Close()
	members := map[string]string{}
	tr := tar.NewReader(f)
	for {
		h, err := tr.Next()
		if err == io.EOF {
			return members
		}
		ts.Check(err)
		text, err := io.ReadAll(tr)
		ts.Check(err)
		members[h.Name] = string(text)
	}
}

func mksock(ts *testscript.TestScript, neg bool, args []string) {
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: ts.MkAbs(args[0]), Net: "unix"})
	ts.Check(err)
	l.SetUnlinkOnClose(false)
	l.Close()
}

// truthful holds a folder of results against reality: one row a path; included
// means a member, with the row's sha256; what is left out has a reason and a
// rule; nothing stands in the archive that the record does not know; every
// path that git lists has a row or lies below one. It fails on an empty archive.
func truthful(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(checkRecord(ts.MkAbs(args[0]), lines(ts.ReadFile(args[1]))))
}

func lines(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == 0 })
}

func checkRecord(dir string, listed []string) error {
	b, err := os.ReadFile(filepath.Join(dir, "record.json"))
	if err != nil {
		return err
	}
	var rec struct {
		Files []struct {
			Path, Reason, Rule, SHA256 string
			Included                   bool
			SizeBytes                  int64 `json:"size_bytes"`
		}
		Outputs []struct {
			Name, SHA256 string
			SizeBytes    int64 `json:"size_bytes"`
		}
	}
	if err := json.Unmarshal(b, &rec); err != nil {
		return err
	}
	members := map[string]string{}
	f, err := os.Open(filepath.Join(dir, "archive.tar"))
	if err != nil {
		return err
	}
	defer f.Close()
	tr := tar.NewReader(f)
	for {
		h, err := tr.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		sum := sha256.New()
		io.Copy(sum, tr)
		if h.Typeflag == tar.TypeSymlink {
			sum.Write([]byte(h.Linkname))
		}
		members[h.Name] = fmt.Sprintf("%x", sum.Sum(nil))
	}
	if len(members) == 0 {
		return errors.New("the archive is empty")
	}
	rows := map[string]bool{}
	for _, r := range rec.Files {
		sum, member := members[r.Path]
		switch {
		case rows[r.Path]:
			return fmt.Errorf("%q has two rows", r.Path)
		case r.Included != member:
			return fmt.Errorf("%q: included is %v, in the archive: %v", r.Path, r.Included, member)
		case member && sum != r.SHA256:
			return fmt.Errorf("%q: sha256 of row and member differ", r.Path)
		case !member && (r.Reason == "" || r.Rule == "" || r.SHA256 != ""):
			return fmt.Errorf("%q is left out with reason %q, rule %q, sha256 %q", r.Path, r.Reason, r.Rule, r.SHA256)
		}
		rows[r.Path] = true
		delete(members, r.Path)
	}
	for m := range members {
		return fmt.Errorf("member %q has no row", m)
	}
	for _, p := range listed {
		ok := rows[p]
		for i := range p {
			ok = ok || p[i] == '/' && rows[p[:i+1]]
		}
		if !ok {
			return fmt.Errorf("%q is listed by git and has no row", p)
		}
	}
	for _, o := range rec.Outputs {
		b, err := os.ReadFile(filepath.Join(dir, o.Name))
		if err != nil {
			return err
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(b)); got != o.SHA256 || int64(len(b)) != o.SizeBytes {
			return fmt.Errorf("%s: the record says %s (%d bytes), it is %s (%d bytes)", o.Name, o.SHA256, o.SizeBytes, got, len(b))
		}
	}
	return nil
}
