//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/haversack-dev/haversack/internal/object"
)

// answered is a line that session record prints.
type answered struct {
	Line    int
	OK      bool
	Run     string
	Error   string
	Objects []object.AppliedObject
}

// told gives events to session record in a process of its own, and returns its answers, each held
// against the schema, what it said, and its exit code.
func told(t *testing.T, dir, session, events string) (list []answered, said string, code int) {
	s, err := jsonschema.NewCompiler().Compile("../../internal/action/schema/answer.schema.json")
	if err != nil {
		t.Error(err)
		return nil, "", -1
	}
	cmd := started(t.Context(), dir, "session", "record", "--session", session)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(events), &out, &errs
	if err := cmd.Run(); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			t.Error(err)
			return nil, errs.String(), -1
		}
		code = exit.ExitCode()
	}
	for line := range strings.Lines(out.String()) {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		if err == nil {
			err = s.Validate(v)
		}
		var a answered
		if err := errors.Join(err, json.Unmarshal([]byte(line), &a)); err != nil {
			t.Errorf("%.200q: %v", line, err)
		}
		list = append(list, a)
	}
	return list, errs.String(), code
}

// objectsOf lists the session's files.
func objectsOf(t *testing.T, dir, session string) map[string]string {
	t.Helper()
	out, err := started(t.Context(), dir, "session", "list", "--json", "--session", session).Output()
	if err != nil {
		t.Fatal(err)
	}
	var list struct{ Objects []object.Entry }
	if err := json.Unmarshal(out, &list); err != nil {
		t.Fatal(err)
	}
	states := map[string]string{}
	for _, x := range list.Objects {
		states[x.Path+x.Tool] = x.State + x.Status
	}
	return states
}

// TestEventLines: lines that are torn, long or of another thread's object are refused with their
// reason, and those around them are kept.
func TestEventLines(t *testing.T) {
	dir := grown(t, 3)
	first, said, code := told(t, dir, "ferry", `{"event":"toolcall","tool":"tide","status":"ok"}`+"\n")
	if len(first) != 1 || !first[0].OK || code != 0 {
		t.Fatal(first, said, code)
	}
	foreign := first[0].Objects[0].ID
	megabyte := strings.Repeat("tide table, ", 1<<20/12)
	list, said, code := told(t, dir, "tug", strings.Join([]string{
		`{"event":"read","path":"log.txt","content":"` + megabyte + `"}`,
		``,
		`{"event":"write","path":"big.txt","content":"` + strings.Repeat("x", object.MaxEvent) + `"}`,
		`{"event":"pin","id":"` + foreign + `"}`,
		`{"event":"list","paths":["src/d1/f1.ts"]}`,
		`{"event":"list","paths":["src/d1/f1.ts"]}`,
		`{"event":"read","path":"src/d0/f0.ts"`,
	}, "\n"))
	if code != 2 || !strings.Contains(said, "3 of 7 lines were refused") {
		t.Errorf("exit %d: %s", code, said)
	}
	want := []struct {
		line  int
		error string
	}{{1, ""}, {3, "longer than"}, {4, "never met this object"}, {5, ""}, {6, ""}, {7, "ends in the middle"}}
	if len(list) != len(want) {
		t.Fatalf("%d answers: %v", len(list), list)
	}
	for i, w := range want {
		if a := list[i]; a.Line != w.line || a.OK != (w.error == "") || !strings.Contains(a.Error, w.error) {
			t.Errorf("answer %d: %+v; want line %d, error %q", i, a, w.line, w.error)
		}
	}
	if list[3].Run == "" || list[4].Run != "" || list[4].Objects[0].Action != object.Unchanged {
		t.Errorf("a listing, and the same again: %+v, %+v", list[3], list[4])
	}
	if got := objectsOf(t, dir, "tug"); len(got) != 2 || got["log.txt"] == "" || got["src/d1/f1.ts"] != "unread" && got["src/d1/f1.ts"] != "read" {
		t.Errorf("the thread has %v", got)
	}
	if got := objectsOf(t, dir, "ferry"); len(got) != 1 || got["tide"] != "ok" {
		t.Errorf("the other thread has %v", got)
	}
}

// TestEventsOfTwo lets two programs write to one store at once, in one thread: each event that is
// answered as done is there.
func TestEventsOfTwo(t *testing.T) {
	dir := grown(t, 3)
	if _, said, code := told(t, dir, "lock", `{"event":"turn","user":"open"}`); code != 0 {
		t.Fatal(said)
	}
	each := 150
	if testing.Short() {
		each = 20
	}
	var wg sync.WaitGroup
	var done [2]int
	for w := range done {
		wg.Go(func() {
			var events strings.Builder
			for i := range each {
				fmt.Fprintf(&events, `{"event":"toolcall","tool":"gauge-%d-%d","status":"ok","content":"%s"}`+"\n", w, i, strings.Repeat("mm ", 300))
			}
			list, said, code := told(t, dir, "lock", events.String())
			for _, a := range list {
				if a.OK {
					done[w]++
				} else if !strings.Contains(a.Error, "another process") && !strings.Contains(a.Error, "somebody else wrote") {
					t.Errorf("writer %d: %+v", w, a)
				}
			}
			if len(list) != each || (code == 0) != (done[w] == each) {
				t.Errorf("writer %d: %d answers, %d done, exit %d: %s", w, len(list), done[w], code, said)
			}
		})
	}
	wg.Wait()
	if got := objectsOf(t, dir, "lock"); len(got) != done[0]+done[1] || len(got) < each {
		t.Errorf("%d toolcalls are there; done were %v", len(got), done)
	}
}

// TestManyEvents: two thousand events that come in a row are all kept.
func TestManyEvents(t *testing.T) {
	n := 2000
	if testing.Short() {
		n = 200
	}
	dir := grown(t, 3)
	var events strings.Builder
	for i := range n {
		fmt.Fprintf(&events, `{"event":"read","path":"deck/%04d.txt","content":"plank %d"}`+"\n", i, i)
	}
	began := time.Now()
	list, said, code := told(t, dir, "barge", events.String())
	t.Logf("%d events: %v", n, time.Since(began).Round(time.Millisecond))
	if code != 0 || len(list) != n {
		t.Fatalf("exit %d, %d answers: %s", code, len(list), said)
	}
	for i, a := range list {
		if !a.OK || a.Line != i+1 || a.Run == "" {
			t.Fatalf("%+v", a)
		}
	}
	if got := objectsOf(t, dir, "barge"); len(got) != n {
		t.Errorf("%d files are there", len(got))
	}
}

// TestEventsAreAnsweredAtOnce: who waits for each answer gets it, and who pauses within a line keeps
// nobody from the store.
func TestEventsAreAnsweredAtOnce(t *testing.T) {
	dir := grown(t, 3)
	cmd := started(t.Context(), dir, "session", "record", "--session", "pilot")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewReader(out)
	for i, part := range []string{`{"event":"list","path":"a"}` + "\n" + `{"event":"li`, `st","path":"b"}` + "\n", `{"event":"list","path":"c"}` + "\n" + `{"event":`} {
		if _, err := io.WriteString(in, part); err != nil {
			t.Fatal(err)
		}
		line, err := answers.ReadString('\n')
		if want := fmt.Sprintf(`{"line":%d,"ok":true`, i+1); err != nil || !strings.HasPrefix(line, want) {
			t.Fatalf("%q, %v; want %s", line, err, want)
		}
		if _, said, code := told(t, dir, "pilot", fmt.Sprintf(`{"event":"turn","user":"meanwhile %d"}`, i)); code != 0 {
			t.Error(said)
		}
	}
	if _, err := io.WriteString(in, `"list","path":"d"}`); err != nil {
		t.Fatal(err)
	}
	in.Close()
	rest, err := io.ReadAll(answers)
	if err := errors.Join(err, cmd.Wait()); err != nil || !strings.HasPrefix(string(rest), `{"line":4,"ok":true`) {
		t.Errorf("%q, %v", rest, err)
	}
	if got := objectsOf(t, dir, "pilot"); len(got) != 4 {
		t.Errorf("the thread has %v", got)
	}
}
