package action

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/repotest"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// watchPatience bounds how long a test waits for what has to come.
const watchPatience = 60 * time.Second

// lineWriter hands every line on.
type lineWriter struct {
	lines chan string
	rest  string
}

func (w *lineWriter) Write(p []byte) (int, error) {
	w.rest += string(p)
	for {
		line, rest, ok := strings.Cut(w.rest, "\n")
		if !ok {
			return len(p), nil
		}
		w.rest = rest
		w.lines <- line
	}
}

// startWatch runs the verb watch in dir until the test ends; what it returns waits for
// a line that begins so, and returns it.
func startWatch(t *testing.T, dir string, args ...string) (wait func(prefix string) string, stop func()) {
	t.Helper()
	lines := make(chan string, 1000)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	c := Command{Process: job.Process{Args: append([]string{"watch"}, args...), Getenv: func(string) string { return "" }, Dir: dir,
		Stdout: &lineWriter{lines: lines}, Stderr: &lineWriter{lines: lines}, Version: "test"}}
	go func() { ended <- c.Run(ctx) }()
	stopped := false
	stop = func() {
		if cancel(); !stopped {
			stopped = true
			if err := <-ended; err != nil {
				t.Errorf("watching: %v", err)
			}
		}
	}
	t.Cleanup(stop)
	return func(prefix string) string {
		t.Helper()
		for {
			select {
			case line := <-lines:
				if strings.HasPrefix(line, prefix) {
					return line
				}
			case err := <-ended:
				t.Fatalf("watching ended: %v", err)
			case <-time.After(watchPatience):
				t.Fatalf("no line begins with %q", prefix)
			}
		}
	}, stop
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	at := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// changed lists what the diff archive's list of changes says.
func changed(t *testing.T, dir string) []string {
	t.Helper()
	var doc record.Changes
	if err := json.Unmarshal(member(t, filepath.Join(dir, ".stan/output/archive.diff.tar"), ".stan/context/changes.json"), &doc); err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, c := range doc.Changes {
		list = append(list, string(c.Status)+" "+c.Path)
	}
	return list
}

// TestWatchHandsNothingOver: every save is packed against what the thread was handed
// last, which a save is not.
func TestWatchHandsNothingOver(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	r := repotest.New(t, "-- a.txt --\na\n-- b.txt --\nb\n-- c.txt --\nc\n")
	if _, err := execute(t, r.Dir, nil, "--session", "s"); err != nil {
		t.Fatal(err)
	}
	sets := func() string {
		out, err := execute(t, r.Dir, nil, "session", "show", "--json", "--session", "s")
		if err != nil {
			t.Fatal(err)
		}
		var doc map[string]any
		if err := json.Unmarshal([]byte(out), &doc); err != nil {
			t.Fatal(err)
		}
		s, _ := doc["session"].(map[string]any)
		if s == nil {
			s = doc
		}
		b, _ := json.Marshal([]any{s["session_index"], s["metadata_pool"], s["active_set"], s["pinned_set"]})
		return string(b)
	}
	before := sets()
	if !strings.Contains(before, "toolcall:") {
		t.Fatalf("the sets are not shown: %s", before)
	}
	wait, stop := startWatch(t, r.Dir, "--session", "s", "--base", "session")
	wait("haversack: watching")
	put(t, r.Dir, "a.txt", "a2\n")
	wait("Packed again after")
	put(t, r.Dir, "b.txt", "b2\n")
	wait("Packed again after")
	if got, want := changed(t, r.Dir), []string{"M a.txt", "M b.txt"}; !slices.Equal(got, want) {
		t.Errorf("after two saves the diff says %q, want %q", got, want)
	}
	stop()
	if after := sets(); after != before {
		t.Errorf("sets changed\nfrom %s\n  to %s", before, after)
	}
	out, err := execute(t, r.Dir, nil, "session", "history", "a.txt", "--session", "s")
	if err != nil || strings.Count(out, "\n") < 2 {
		t.Errorf("the thread has not learnt of the change: %s %v", out, err)
	}
	if out, err = execute(t, r.Dir, nil, "--session", "s", "--base", "session"); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out, "Changed: 2 modified.") {
		t.Errorf("the next run says %s", out)
	}
}

// TestWatchPacksOnceForWhatCounts: ignored files, results, the thread's database and
// the log are no reason to pack; what an ignore file no longer names is; and changes
// that come together are packed once.
func TestWatchPacksOnceForWhatCounts(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	r := repotest.New(t, "-- .gitignore --\ngen/\n*.tmp\n-- a.txt --\na\n-- sub/.gitignore --\nmade\n-- sub/b.txt --\nb\n")
	put(t, r.Dir, "gen/x.js", "1")
	wait, _ := startWatch(t, r.Dir, "--session", "s", "--store", "thread.db", "--output-dir", "made/here")
	wait("haversack: watching")
	put(t, r.Dir, "gen/x.js", "2")
	put(t, r.Dir, "gen/new/y.js", "2")
	put(t, r.Dir, "x.tmp", "2")
	put(t, r.Dir, "sub/made/z", "2")
	put(t, r.Dir, "thread.db-journal", "2")
	put(t, r.Dir, "sub/b.txt", "b2")
	if got, want := wait("Packed again"), `Packed again after "sub/b.txt".`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, name := range []string{"1", "2", "3", "4", "5"} {
		put(t, r.Dir, name, name)
	}
	if got, want := wait("Packed again"), `Packed again after 5 changes.`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	put(t, r.Dir, ".gitignore", "*.tmp\n")
	if got, want := wait("Packed again"), `Packed again after ".gitignore".`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	// The folder is watched from the end of that run on, of which nothing tells.
	for deadline := time.Now().Add(watchPatience); ; {
		put(t, r.Dir, "gen/x.js", time.Now().String())
		put(t, r.Dir, "a.txt", time.Now().String())
		if got := wait("Packed again"); got == "Packed again after 2 changes." {
			break
		} else if time.Now().After(deadline) {
			t.Fatalf("got %s", got)
		}
	}
}

// TestWatchTellsEvents: with --json each change is a line, with what it means for the thread, and then comes the record. What the
// engine stages and writes itself is no change.
func TestWatchTellsEvents(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	r := repotest.New(t, "-- a.txt --\na\n-- b.txt --\nb\n-- c.txt --\nc\n-- sub/d.txt --\nd\n")
	if _, err := execute(t, r.Dir, nil, "--session", "s"); err != nil {
		t.Fatal(err)
	}
	put(t, r.Dir, "e.txt", "e1")
	if _, err := execute(t, r.Dir, nil, "session", "discover", "e.txt", "--session", "s"); err != nil {
		t.Fatal(err)
	}
	put(t, r.Dir, "b.txt", "b2")
	lines := schema(t, "watch.schema.json")
	events := func(wait func(string) string) string {
		var list []string
		for {
			line := wait("{")
			var one struct {
				Event, Path, Thread string
				All                 bool
			}
			if err := json.Unmarshal([]byte(line), &one); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			if one.Event == "" {
				if !strings.Contains(line, `"outputs":`) {
					t.Errorf("neither an event nor a record: %.200s", line)
				}
				return strings.Join(list, "; ")
			}
			validate(t, lines, []byte(line))
			list = append(list, strings.TrimSpace(one.Event+" "+one.Path+" "+one.Thread))
		}
	}
	wait, _ := startWatch(t, r.Dir, "--json", "--session", "s")
	if got, want := events(wait), "changed; changed b.txt changed-since-read; changed e.txt unread"; got != want {
		t.Errorf("at the start: %s, want %s", got, want)
	}
	wait("haversack: watching")
	put(t, r.Dir, ".stan/context/npm/left/1.0.0/x.js", "1")
	put(t, r.Dir, "a.txt", "a2")
	put(t, r.Dir, "b.txt", "b\n")
	put(t, r.Dir, "e.txt", "e2")
	put(t, r.Dir, "f.txt", "f")
	if err := os.Remove(filepath.Join(r.Dir, "c.txt")); err != nil {
		t.Fatal(err)
	}
	if got, want := events(wait), "changed a.txt changed-since-read; changed b.txt as-read; changed c.txt gone; changed e.txt unread; changed f.txt new"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if err := os.RemoveAll(filepath.Join(r.Dir, "sub")); err != nil {
		t.Fatal(err)
	}
	if got := events(wait); !strings.HasSuffix(got, "changed sub/d.txt gone") {
		t.Errorf("of a folder that went: %s", got)
	}
}

// TestWatchKeepsToMounts: where mounts are declared, what none of them holds is not watched.
func TestWatchKeepsToMounts(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	r := repotest.New(t, "-- a.txt --\na\n-- loft/b.txt --\nb\n-- loft/deep/c.txt --\nc\n")
	root := filepath.ToSlash(r.Dir)
	wait, _ := startWatch(t, r.Dir, "--session", "s", "--mounts", root+"/loft/deep=/elsewhere/deep", "--mounts", root+"/loft/other=/elsewhere/other")
	wait("haversack: watching")
	put(t, r.Dir, "a.txt", "a2")
	put(t, r.Dir, "loft/b.txt", "b2")
	put(t, r.Dir, "loft/deep/c.txt", "c2")
	if got, want := wait("Packed again"), `Packed again after "loft/deep/c.txt".`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestWatchPassesItsOwnLogOver: what the program says may be written into the folder.
func TestWatchPassesItsOwnLogOver(t *testing.T) {
	r := repotest.New(t, "-- a.txt --\na\n")
	log, err := os.Create(filepath.Join(r.Dir, "words.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	own, err := ownFiles(&job.Env{Setting: job.Setting{Process: &job.Process{Stdout: log, Stderr: io.Discard, Dir: r.Dir}}}, &job.Inputs{Scope: job.Scope{Stan: ".stan"}}, &snapshot.Head{Dir: r.Dir})
	if err != nil {
		t.Fatal(err)
	}
	if !own(filepath.Join(r.Dir, "words.txt")) || own(filepath.Join(r.Dir, "a.txt")) {
		t.Error("the log is not known for what it is")
	}
}
