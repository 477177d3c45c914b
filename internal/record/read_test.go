package record

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haversack-dev/haversack/internal/archive"
)

// TestDecodeRecord reads what newRecord's type writes, but for what nobody asks of it.
func TestDecodeRecord(t *testing.T) {
	want := &Record{
		Head: Head{Commit: "c", Kind: "commit"}, Base: Base{Commit: "b", Reason: "r"}, Mode: "full",
		Files:   []Row{{Path: "a", Included: true, SizeBytes: 1, Redactions: []Redaction{{Rule: "r", Line: 1}}}, {Path: "b", Reason: "binary"}},
		Outputs: []Output{{Name: "archive.tar", SHA256: "s", SizeBytes: 2, Members: []archive.Member{{Path: "a", Size: 1, SHA256: "s"}}}},
	}
	full := *want
	full.DirectoryTree = &Directory{Name: ".", Children: []*Directory{{Name: "a"}}}
	full.Warnings = []string{"w"}
	raw, err := json.Marshal(full)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(strings.NewReader(string(raw)))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func FuzzReadRecord(f *testing.F) {
	f.Add([]byte(`{"head":{"commit":"c"},"files":[{"path":"a","included":true,"size_bytes":0}],"outputs":[{"name":"n","members":[{"path":"a"}]}],"x":[[{}]]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if rec, err := Decode(strings.NewReader(string(raw))); err == nil {
			for _, row := range rec.Files {
				if row.Path == "" {
					t.Error("a row without a path")
				}
			}
		}
	})
}
