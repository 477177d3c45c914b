package pack

import (
	"bytes"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/scan"
)

// A broken pack is refused with the place.
func TestReadRefuses(t *testing.T) {
	full, sum := both(t, fromFiles(map[string][]byte{"auth.go": []byte("package auth\n"), "b.go": []byte("package auth\n")}))
	good, goodSum := string(fullJSON(t, full)), string(summaryJSON(t, sum))
	for _, c := range []struct{ name, in, want string }{
		{"no JSON", "{\n\"type\":\n", "reading pack: line 2: unexpected EOF"},
		{"cut off", good[:len(good)/2], "reading pack: line 9: unexpected EOF"},
		{"two documents", good + "{}", "reading pack: line 13: more than one value"},
		{"another type", strings.Replace(good, `"full"`, `"half"`, 1), `reading pack: line 1, /type: "half" is neither "full" nor "summary"`},
		{"an empty category", strings.Replace(good, `"category":"auth","size`, `"category":"","size`, 1), "reading pack: line 9, /file_index/0/category: enum: does not equal any of: [config "},
		{"a missing field", strings.Replace(good, `"source_root":".",`, "", 1), "reading pack: line 11, /metadata: required: missing properties: [\"source_root\"]"},
		{"a number as text", strings.Replace(goodSum, `"total_files":2`, `"total_files":"2"`, 1), "/metadata/total_files: type: 2 has type \"string\", want \"integer\""},
		{"the other type", goodSum, `reading pack: type is "summary", not "full"`},
	} {
		_, err := ReadFull(strings.NewReader(c.in))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
		var out bytes.Buffer
		err = Show(&out, strings.NewReader(c.in))
		if c.in == goodSum {
			if err != nil || out.Len() == 0 {
				t.Errorf("%s: %v", c.name, err)
			}
		} else if err == nil || out.Len() > 0 {
			t.Errorf("%s: shown: %v\n%s", c.name, err, out.Bytes())
		}
	}
}

// A pack is shown as a page of text; what it quotes cannot steer a terminal.
func TestShow(t *testing.T) {
	for name, ar := range cases(t) {
		src, _ := parseCase(t, ar)
		full, sum := both(t, src)
		for _, p := range []document{full, sum} {
			var out bytes.Buffer
			if err := Show(&out, bytes.NewReader(jsonOf(t, p))); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if !strings.Contains(out.String(), "Scanned: ") {
				t.Errorf("%s:\n%s", name, out.String())
			}
		}
	}
	full, _ := both(t, fromFiles(map[string][]byte{"a\x1b[31m.go": []byte("package a\n"), "package.json": []byte(`{"name":"\u001b[2Jx\u202ey"}`)}))
	var out bytes.Buffer
	if err := Show(&out, bytes.NewReader(fullJSON(t, full))); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(out.String(), "\x1b\u202e") || !strings.Contains(out.String(), `a\u001b[31m.go`) {
		t.Errorf("%q", out.String())
	}
}

// What a snapshot knows of files stands in packs: sums, key files, what may be held.
func TestSnapshotFields(t *testing.T) {
	src := fromFiles(map[string][]byte{"cmd/main.go": []byte("package main\n"), "go.sum": []byte("x"), "util.test.TS": []byte("x")})
	src.Snapshot.Folders = 2
	full, sum := both(t, src)
	for _, m := range []Metadata{full.Metadata, sum.Metadata} {
		if m.TotalFiles != 3 || m.TotalDirectories != 2 || m.TotalSizeBytes != 15 {
			t.Errorf("%+v", m)
		}
	}
	main, locked := full.FileIndex[0], full.FileIndex[1]
	if !main.IsKeyFile || !main.ContentExtractable || locked.IsKeyFile || locked.ContentExtractable {
		t.Errorf("%+v %+v", main, locked)
	}
	var at func(name string) FileMetadata = func(name string) FileMetadata {
		for i := range src.Snapshot.Files {
			if f := &src.Snapshot.Files[i]; f.Path == name {
				return Describe(f)
			}
		}
		return FileMetadata{}
	}
	want := FileMetadata{"cmd/main.go", "cmd/main.go", "main.go", ".go", 13, "text", string(scan.CategoryEntrypoint), true, true}
	if got := at("cmd/main.go"); got != want {
		t.Errorf("%+v", got)
	}
	if got := at("util.test.TS"); got.Extension != ".ts" {
		t.Errorf("%+v", got)
	}
}

// Programs are entry points in both packs, whatever their files are called.
func TestEntryPointsArePrograms(t *testing.T) {
	src := fromFiles(map[string][]byte{
		"go.mod":              []byte("module example.com/x\n"),
		"cmd/age/age.go":      []byte("package main\n\nfunc main() {\n}\n"),
		"cmd/age/wordlist.go": []byte("package main\n\nvar words = 1\n"),
		"x.go":                []byte("// Package x does.\npackage x\n"),
		"cmd/keygen/run.go":   []byte("// Keygen.\npackage main\n\nfunc main() {\n}\n"),
	})
	full, sum := both(t, src)
	want := "cmd/age/age.go cmd/keygen/run.go x.go"
	if got := strings.Join(full.Manifest.EntryPoints, " "); got != want {
		t.Errorf("full: %s", got)
	}
	if got := strings.Join(sum.Manifest.EntryPoints, " "); got != want {
		t.Errorf("summary: %s", got)
	}
	for _, e := range sum.Entrypoints {
		if e.Type == "cli" && !strings.Contains(want, e.Path) {
			t.Errorf("%s is no entry point of the manifest", e.Path)
		}
	}
}
