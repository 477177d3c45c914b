package forge

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/fault"
	"github.com/haversack-dev/haversack/internal/forge/forgetest"
)

var wanted = Past{Workflow: "ci.yml", Branch: "main", Event: "schedule", Artifact: "context", Run: 99}

// Which run is taken: each row adds a newer run that must not be.
func TestLastArtifact(t *testing.T) {
	fork := map[string]any{"id": 666, "full_name": "mallory/widgets", "fork": true}
	for _, test := range []struct {
		name string
		run  map[string]any
		none bool // the run has no artifact to take
		over map[string]any
	}{
		{name: "this run", run: forgetest.Run(99, "schedule", nil)},
		{name: "a fork's run on a branch of the same name", run: forgetest.Run(80, "schedule", map[string]any{"head_repository": fork})},
		{name: "a fork that says it is not", run: forgetest.Run(80, "schedule", map[string]any{"head_repository": map[string]any{"id": 666, "full_name": forgetest.Repository}})},
		{name: "a fork that is gone", run: forgetest.Run(80, "schedule", map[string]any{"head_repository": nil})},
		{name: "a failed run", run: forgetest.Run(80, "schedule", map[string]any{"conclusion": "failure", "lying": true})},
		{name: "another branch", run: forgetest.Run(80, "schedule", map[string]any{"head_branch": "topic", "lying": true})},
		{name: "another event", run: forgetest.Run(80, "push", map[string]any{"lying": true})},
		{name: "no commit", run: forgetest.Run(80, "schedule", map[string]any{"head_sha": "--upload-pack=x"})},
		{name: "no artifact", run: forgetest.Run(80, "schedule", nil), none: true},
		{name: "another artifact", run: forgetest.Run(80, "schedule", nil), over: map[string]any{"name": "other", "lying": true}},
		{name: "an expired artifact", run: forgetest.Run(80, "schedule", nil), over: map[string]any{"expired": true}},
		{name: "an artifact of another run", run: forgetest.Run(80, "schedule", nil), over: map[string]any{"workflow_run": map[string]any{"id": 81}}},
		{name: "an artifact of a fork", run: forgetest.Run(80, "schedule", nil), over: map[string]any{"workflow_run": map[string]any{"id": 80, "repository_id": 4242, "head_repository_id": 666}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := forgetest.Start(t)
			s.Runs = []map[string]any{test.run, forgetest.Run(70, "schedule", nil), forgetest.Run(60, "schedule", nil)}
			if !test.none {
				s.Artifact(int64(test.run["id"].(int64)), 800, "context", []byte("wrong"), test.over)
			}
			s.Artifact(70, 700, "context", []byte("older of the same run"), nil)
			s.Artifact(70, 701, "context", []byte("right"), nil)
			s.Artifact(60, 600, "context", []byte("oldest"), nil)
			c, _ := client(t, s)
			got, err := c.LastArtifact(context.Background(), wanted)
			if err != nil || got.ID != 701 || got.Run != 70 || got.Head != fmt.Sprintf("%040x", 70) || got.Size != 5 {
				t.Errorf("%+v, %v", got, err)
			}
			clean(t, s)
		})
	}
	t.Run("none", func(t *testing.T) {
		s := forgetest.Start(t)
		c, _ := client(t, s)
		_, err := c.LastArtifact(context.Background(), wanted)
		if !errors.Is(err, ErrNotFound) || !strings.HasPrefix(err.Error(), `looking for the last artifact "context" of ci.yml: `) {
			t.Error(err)
		}
		bad := wanted
		bad.Workflow = "../../x"
		if _, err := c.LastArtifact(context.Background(), bad); err == nil || errors.Is(err, ErrNotFound) {
			t.Error(err)
		}
		clean(t, s)
	})
	t.Run("on the second page", func(t *testing.T) {
		s := forgetest.Start(t)
		for i := range int64(60) {
			s.Runs = append(s.Runs, forgetest.Run(1000-i, "schedule", map[string]any{"head_repository": fork}))
		}
		s.Runs = append(s.Runs, forgetest.Run(70, "schedule", nil))
		s.Artifact(70, 700, "context", []byte("right"), nil)
		c, _ := client(t, s)
		if got, err := c.LastArtifact(context.Background(), wanted); err != nil || got.ID != 700 {
			t.Error(got, err)
		}
		clean(t, s)
	})
	t.Run("no end", func(t *testing.T) {
		s := forgetest.Start(t)
		for i := range int64(1000) {
			s.Runs = append(s.Runs, forgetest.Run(2000-i, "schedule", nil))
		}
		c, _ := client(t, s)
		if _, err := c.LastArtifact(context.Background(), wanted); !errors.Is(err, ErrNotFound) || len(s.Calls()) > 21 {
			t.Error(err, len(s.Calls()), "calls")
		}
	})
}

func TestWorkflowFile(t *testing.T) {
	for ref, want := range map[string]string{
		"octo/widgets/.github/workflows/ci.yml@refs/heads/main":       "ci.yml",
		"octo/widgets/.github/workflows/ci.yml@refs/heads/a@b/../c.d": "ci.yml",
		"octo/widgets/.github/workflows/../x@refs/heads/main":         "",
		"octo/widgets/.github/workflows/a b.yml@refs/heads/main":      "",
		"ci.yml": "", "": "",
	} {
		if got := WorkflowFile(ref); got != want {
			t.Errorf("%q: %q, want %q", ref, got, want)
		}
	}
}

// A small file out of a large artifact is read without fetching the rest.
func TestOpen(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	add := func(name string, data []byte) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write(data)
	}
	big := make([]byte, 9<<20)
	for i := range big {
		big[i] = byte(rand.Uint32())
	}
	add("record.json", []byte(`{"early":1}`))
	add("archive.tar", big)
	add("late.json", []byte(`{}`))
	_ = z.Close()
	start := func(prepare func(*forgetest.Server)) (*forgetest.Server, *Remote, error) {
		s := forgetest.Start(t)
		s.Runs = []map[string]any{forgetest.Run(70, "schedule", nil)}
		s.Artifact(70, 700, "context", b.Bytes(), nil)
		prepare(s)
		c, _ := client(t, s)
		a, err := c.LastArtifact(context.Background(), wanted)
		if err != nil {
			t.Fatal(err)
		}
		r, err := a.Open(context.Background(), 64<<20)
		return s, r, err
	}
	read := func(r *Remote, name string) []byte {
		t.Helper()
		z, err := zip.NewReader(r, r.Size)
		if err != nil {
			t.Fatal(err)
		}
		f, err := z.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(f)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	for _, noRanges := range []bool{false, true} {
		s, r, err := start(func(s *forgetest.Server) {
			s.NoRanges = noRanges
			s.Fault = func(call forgetest.Call) *fault.Fault {
				switch {
				case call.Name != "STORAGE" || call.N%2 == 0:
					return nil
				case call.N == 1:
					return &fault.Fault{Status: 503}
				}
				return &fault.Fault{Reset: true}
			}
		})
		if err != nil || r.Size != int64(b.Len()) {
			t.Fatal(r, err)
		}
		if got := read(r, "record.json"); string(got) != `{"early":1}` {
			t.Errorf("%q", got)
		}
		if n := strings.Count(strings.Join(s.Calls(), " "), "STORAGE"); n > 4 {
			t.Errorf("%d requests for a small file", n)
		}
		if got := read(r, "archive.tar"); !bytes.Equal(got, big) {
			t.Error("the large file came back other than it was")
		}
		clean(t, s)
	}

	for _, test := range []struct {
		name  string
		fault *fault.Fault
		words string
	}{
		{"a page", &fault.Fault{Status: 404, Body: "<!DOCTYPE html>"}, "the artifact storage answered 404"},
		{"expired", &fault.Fault{Status: 403}, "the artifact storage answered 403"},
		{"503 always", &fault.Fault{Status: 503}, "the artifact storage answered 503"},
		{"reset always", &fault.Fault{Reset: true}, "connection reset"},
		{"cut short", &fault.Fault{Body: "PK", Short: true}, "unexpected EOF"},
		{"redirect", &fault.Fault{Status: 302, Header: map[string][]string{"Location": {"http://127.0.0.1:1/"}}}, "the artifact storage answered 302"},
		{"a piece of nothing", &fault.Fault{Status: 206, Body: "PK"}, "does not say which piece"},
		{"a piece that lies", &fault.Fault{Status: 206, Body: "PKPK", Header: map[string][]string{"Content-Range": {"bytes 0-1/2"}}}, "it is over 2 bytes"},
		{"endless", &fault.Fault{Status: 206, Body: "PK", Header: map[string][]string{"Content-Range": {"bytes 0-1/9999999999"}}}, "it is over 67108864 bytes"},
	} {
		_, _, err := start(func(s *forgetest.Server) {
			s.Fault = func(call forgetest.Call) *fault.Fault {
				if call.Name == "STORAGE" {
					return test.fault
				}
				return nil
			}
		})
		if err == nil || !strings.Contains(err.Error(), test.words) || !strings.HasPrefix(err.Error(), "downloading artifact 700: ") || strings.Contains(err.Error(), "sig") {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// Where the API says that the bytes lie.
func TestAddress(t *testing.T) {
	for _, test := range []struct {
		name  string
		fault func(s *forgetest.Server) *fault.Fault
		words string // "" = found
	}{
		{"renamed", func(s *forgetest.Server) *fault.Fault {
			return &fault.Fault{Status: 301, Header: map[string][]string{"Location": {"/repos/" + forgetest.Repository + "/actions/artifacts/700/zip"}}}
		}, ""},
		{"renamed to another host", func(s *forgetest.Server) *fault.Fault {
			return &fault.Fault{Status: 301, Header: map[string][]string{"Location": {s.Storage + "/artifact/700"}}}
		}, "the API answered 301"},
		{"nowhere", func(s *forgetest.Server) *fault.Fault { return &fault.Fault{Status: 302} }, "the API named none that is usable"},
		{"a file", func(s *forgetest.Server) *fault.Fault {
			return &fault.Fault{Status: 302, Header: map[string][]string{"Location": {"file:///etc/passwd"}}}
		}, "the API named none that is usable"},
		{"the bytes themselves", func(s *forgetest.Server) *fault.Fault { return &fault.Fault{Body: "{}"} }, "the API named none that is usable"},
		{"expired", func(s *forgetest.Server) *fault.Fault {
			return &fault.Fault{Status: 410, Body: `{"message":"Artifact has expired"}`}
		}, "(410): \"Artifact has expired\""},
	} {
		s := forgetest.Start(t)
		s.Runs = []map[string]any{forgetest.Run(70, "schedule", nil)}
		s.Artifact(70, 700, "context", []byte("zip"), nil)
		s.Fault = func(call forgetest.Call) *fault.Fault {
			if strings.HasSuffix(call.Name, "/zip") && call.N == 1 {
				return test.fault(s)
			}
			return nil
		}
		c, _ := client(t, s)
		a, err := c.LastArtifact(context.Background(), wanted)
		if err != nil {
			t.Fatal(err)
		}
		r, err := a.Open(context.Background(), 100)
		if test.words == "" && (err != nil || r.Size != 3) || test.words != "" && (err == nil || !strings.Contains(err.Error(), test.words)) {
			t.Errorf("%s: %v", test.name, err)
		}
		clean(t, s)
	}
	// Around in a circle.
	s := forgetest.Start(t)
	s.Fault = func(call forgetest.Call) *fault.Fault {
		return &fault.Fault{Status: 301, Header: map[string][]string{"Location": {"/again"}}}
	}
	c, _ := client(t, s)
	if _, err := (PastArtifact{ID: 1, c: c}).Open(context.Background(), 100); err == nil || !strings.Contains(err.Error(), "in a circle") || len(s.Calls()) != 3 {
		t.Error(err, s.Calls())
	}
}

// Pieces that do not fit together are no file.
func TestReadAt(t *testing.T) {
	data := make([]byte, 3<<20)
	for _, test := range []struct{ piece, words string }{
		{"bytes 0-9/3145728", "another piece than was asked for"},
		{"bytes 5-14/99999999", "changed while it was read"},
	} {
		s := forgetest.Start(t)
		s.Runs = []map[string]any{forgetest.Run(70, "schedule", nil)}
		s.Artifact(70, 700, "context", data, nil)
		s.Fault = func(call forgetest.Call) *fault.Fault {
			if call.Name == "STORAGE" && call.N == 2 {
				return &fault.Fault{Status: 206, Body: "0123456789", Header: map[string][]string{"Content-Range": {test.piece}}}
			}
			return nil
		}
		c, _ := client(t, s)
		a, err := c.LastArtifact(context.Background(), wanted)
		if err != nil {
			t.Fatal(err)
		}
		r, err := a.Open(context.Background(), 4<<20)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.ReadAt(make([]byte, 10), 20); err == nil || !strings.Contains(err.Error(), test.words) {
			t.Errorf("%s: %v", test.piece, err)
		}
		if _, err := r.ReadAt(make([]byte, 10), -1); err == nil || err == io.EOF {
			t.Error(err)
		}
		if n, err := r.ReadAt(make([]byte, 10), r.Size-3); n != 3 || err != io.EOF {
			t.Error(n, err)
		}
		if n, err := r.ReadAt(make([]byte, 10), r.Size); n != 0 || err != io.EOF {
			t.Error(n, err)
		}
	}
}

// A run that is deleted while the list is read is passed over.
func TestRunDeleted(t *testing.T) {
	s := forgetest.Start(t)
	s.Runs = []map[string]any{forgetest.Run(80, "schedule", nil), forgetest.Run(70, "schedule", nil)}
	s.Artifact(70, 700, "context", []byte("zip"), nil)
	s.Fault = func(call forgetest.Call) *fault.Fault {
		if call.Name == "GET /actions/runs/*/artifacts" && call.N == 1 {
			return &fault.Fault{Status: 404, Body: `{"message":"Not Found"}`}
		}
		return nil
	}
	c, _ := client(t, s)
	if a, err := c.LastArtifact(context.Background(), wanted); err != nil || a.ID != 700 {
		t.Error(a, err)
	}
}
