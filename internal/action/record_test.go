package action

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/repotest"
)

// execute runs the program in dir and returns what it printed.
func execute(t *testing.T, dir string, env map[string]string, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	c := Command{Process: job.Process{Args: args, Getenv: func(k string) string { return env[k] }, Dir: dir, Stdout: &out, Stderr: io.Discard, Version: "test"}}
	err := c.Run(t.Context())
	if err == nil {
		valid(t, filepath.Join(dir, ".stan", "output"))
	}
	return out.String(), err
}

// valid holds the documents in an output folder, where they are there, against their schemas.
func valid(t *testing.T, out string) {
	t.Helper()
	if doc, err := os.ReadFile(filepath.Join(out, "record.json")); err == nil {
		validate(t, schema(t, "../../record/schema/record.schema.json"), doc)
	}
	doc, err := os.ReadFile(filepath.Join(out, "pack.json"))
	if err != nil {
		return
	}
	var head struct{ Type string }
	if err := json.Unmarshal(doc, &head); err != nil {
		t.Fatal(err)
	}
	name, ok := map[string]string{"full": "../../pack/schema/full.schema.json", "summary": "../../pack/schema/summary.schema.json", "change": "../../report/schema/change.schema.json"}[head.Type]
	if !ok {
		t.Fatalf("pack.json is of type %q", head.Type)
	}
	validate(t, schema(t, name), doc)
}

// schemas are those that were compiled, by name.
var schemas sync.Map

func schema(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	if s, compiled := schemas.Load(name); compiled {
		return s.(*jsonschema.Schema)
	}
	s, err := jsonschema.NewCompiler().Compile(filepath.Join("schema", name))
	if err != nil {
		t.Fatal(err)
	}
	schemas.Store(name, s)
	return s
}

// TestMain lets garbage gather as cmd/action does for small runs: collecting it took a fifth of the tests' time.
func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	os.Exit(m.Run())
}

func validate(t *testing.T, s *jsonschema.Schema, doc []byte) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(v); err != nil {
		t.Errorf("%v", err)
	}
}

// headers yields the members of a tar.
func headers(t *testing.T, archive string) func(func(*tar.Header) bool) {
	return func(yield func(*tar.Header) bool) {
		t.Helper()
		f, err := os.Open(archive)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		tr := tar.NewReader(f)
		for {
			h, err := tr.Next()
			if err == io.EOF {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !yield(h) {
				return
			}
		}
	}
}

// member returns the content of one member of a tar.
func member(t *testing.T, archive, name string) []byte {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tr := tar.NewReader(f)
	for {
		h, err := tr.Next()
		if err != nil {
			t.Fatalf("%s in %s: %v", name, filepath.Base(archive), err)
		}
		if h.Name == name {
			b, err := io.ReadAll(tr)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
	}
}

// TestSchemas validates the documents of a run with every kind of row and change.
func TestSchemas(t *testing.T) {
	r := repotest.New(t,
		"-- a.txt --\na\n-- b.txt --\nb\n-- old.txt --\nsame\n",
		"mv old.txt new.txt\n-- a.txt --\nchanged\n-- c.png --\nx\n-- node_modules/x.js --\nx\n-- .env --\nA=1\n")
	if _, err := execute(t, r.Dir, nil); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(r.Dir, ".stan", "output")
	rec, err := os.ReadFile(filepath.Join(out, "record.json"))
	if err != nil {
		t.Fatal(err)
	}
	validate(t, schema(t, "../../record/schema/record.schema.json"), rec)
	changes := member(t, filepath.Join(out, "archive.diff.tar"), ".stan/context/changes.json")
	validate(t, schema(t, "../../record/schema/changes.schema.json"), changes)
	if !bytes.Contains(changes, []byte(`"status": "R"`)) {
		t.Errorf("no rename in %s", changes)
	}
}

// TestRecordIsTheSameTwice packs twice: all but the timings is the same.
func TestRecordIsTheSameTwice(t *testing.T) {
	r := repotest.New(t, "-- a.txt --\na\n", "-- b/c.txt --\nc\n")
	var recs [2]map[string]json.RawMessage
	for i := range recs {
		if _, err := execute(t, r.Dir, nil); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(r.Dir, ".stan", "output", "record.json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(b, &recs[i]); err != nil {
			t.Fatal(err)
		}
	}
	for k, v := range recs[0] {
		if k != "timings" && !bytes.Equal(v, recs[1][k]) {
			t.Errorf("%s differs:\n%s\n%s", k, v, recs[1][k])
		}
	}
}
