package object

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gowebpki/jcs"
)

func ptr(s string) *string { return &s }

func source(t testing.TB, p string) Source {
	t.Helper()
	return Filesystem(sum([]byte("m")), p)
}

func TestHashesKnown(t *testing.T) {
	src := source(t, "/home/u/p/src/main.ts")
	stub, err := NewStub(source(t, "/a/README.md"))
	if err != nil {
		t.Fatal(err)
	}
	prompt := &SystemPrompt{}
	meta, err := MetadataHash(prompt)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ what, got, want string }{
		{"metadata of nothing", meta, "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"},
		{"identity of a file", IdentityHash(TypeFile, &src, ""), "b2e03b9dcce7b0f4d9c2da6e14625a5d1aece50b17317a4b2b53eab54d54a278"},
		{"identity of a chat", IdentityHash(TypeChat, nil, "chat:s1"), "c2ab302b647648812a4ab1350f6671e7be7e6bdd6d955a3fcf762b1d41564e9c"},
		{"object of a stub", stub.ObjectHash, "73f542a7684328773218c89106ddb86e2cd3a479452a3fb922d268cb48e8f811"},
	} {
		if c.got != c.want {
			t.Errorf("%s = %s, want %s", c.what, c.got, c.want)
		}
	}
}

// vector is an object as a JavaScript implementation of docs/formats.md hashes it: see
// testdata/vectors.mjs.
type vector struct {
	Name         string          `json:"name"`
	Object       json.RawMessage `json:"object"`
	CharCount    *int            `json:"char_count"`
	IdentityHash string          `json:"identity_hash"`
	ContentHash  *string         `json:"content_hash"`
	MetadataHash string          `json:"metadata_hash"`
	ObjectHash   string          `json:"object_hash"`
}

func vectors(t testing.TB) []vector {
	t.Helper()
	b, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("no vectors")
	}
	return all
}

func TestHashesOfJavaScript(t *testing.T) {
	for _, v := range vectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			var kind struct {
				Type Type `json:"type"`
			}
			if err := json.Unmarshal(v.Object, &kind); err != nil {
				t.Fatal(err)
			}
			o, err := New(kind.Type)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(v.Object, o); err != nil {
				t.Fatal(err)
			}
			if f, ok := o.(*File); ok && f.Content != nil {
				made, err := NewFile(*f.Source, []byte(*f.Content))
				if err != nil {
					t.Fatal(err)
				}
				if made.CharCount != *v.CharCount {
					t.Errorf("char_count = %d, want %d", made.CharCount, *v.CharCount)
				}
				if made.ObjectHash != v.ObjectHash {
					t.Errorf("NewFile: object_hash = %s, want %s", made.ObjectHash, v.ObjectHash)
				}
			}
			if err := Seal(o); err != nil {
				t.Fatal(err)
			}
			h := HeadOf(o)
			for _, c := range []struct{ what, got, want string }{
				{"identity_hash", h.IdentityHash, v.IdentityHash},
				{"content_hash", text(h.ContentHash), text(v.ContentHash)},
				{"metadata_hash", h.MetadataHash, v.MetadataHash},
				{"object_hash", h.ObjectHash, v.ObjectHash},
			} {
				if c.got != c.want {
					t.Errorf("%s = %s, want %s", c.what, c.got, c.want)
				}
			}
			if err := Check(o); err != nil {
				t.Errorf("Check: %v", err)
			}
			// Through JSON and back it is the same object.
			doc, err := Encode(o)
			if err != nil {
				t.Fatal(err)
			}
			again, err := Decode(doc)
			if err != nil {
				t.Fatalf("Decode(%s): %v", doc, err)
			}
			if HeadOf(again).ObjectHash != h.ObjectHash {
				t.Errorf("decoded object_hash = %s, want %s", HeadOf(again).ObjectHash, h.ObjectHash)
			}
		})
	}
}

// TestVectorsAreJavaScripts makes the vectors again, with Node.
func TestVectorsAreJavaScripts(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("HAVERSACK_PEERS") == "require" {
			t.Fatal(err)
		}
		t.Skip("node is not on the PATH: install Node.js 18 or newer")
	}
	got, err := exec.Command(node, "testdata/vectors.mjs").Output()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Error("testdata/vectors.json is not what node testdata/vectors.mjs prints")
	}
}

func text(s *string) string {
	if s == nil {
		return "null"
	}
	return *s
}

func TestHashesDiverge(t *testing.T) {
	// What is not UTF-8 has a file_hash and no content.
	f, err := NewFile(source(t, "/x.bin"), []byte{0xff})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := text(f.FileHash), "a8100ae6aa1940d0b663bb31cd466142ebbdbd5187131b92d93818987832eb89"; got != want {
		t.Errorf("file_hash = %s, want %s", got, want)
	}
	if f.Content != nil || f.ContentHash != nil || f.CharCount != 0 {
		t.Errorf("content %v, content_hash %v, char_count %d; want none", f.Content, f.ContentHash, f.CharCount)
	}
	if f.ObjectHash != ObjectHash(f.FileHash, nil, f.MetadataHash) {
		t.Error("object_hash is not composed of the three")
	}
	// Text has both, and they agree.
	g, err := NewFile(source(t, "/x.txt"), []byte("hi"))
	if err != nil {
		t.Fatal(err)
	}
	if text(g.FileHash) != text(g.ContentHash) || g.FileHash == nil {
		t.Errorf("file_hash %s, content_hash %s", text(g.FileHash), text(g.ContentHash))
	}
	for _, other := range []string{ObjectHash(nil, g.ContentHash, g.MetadataHash), ObjectHash(g.FileHash, nil, g.MetadataHash), ObjectHash(g.FileHash, g.ContentHash, f.MetadataHash)} {
		if other == g.ObjectHash {
			t.Error("a part of object_hash does not count")
		}
	}
}

func TestLargeFilesHaveNoContent(t *testing.T) {
	src := source(t, "/large.txt")
	for size, want := range map[int]bool{MaxContent: true, MaxContent + 1: false} {
		raw := bytes.Repeat([]byte("x"), size)
		f, err := NewFile(src, raw)
		if err != nil {
			t.Fatal(err)
		}
		if (f.Content != nil) != want || text(f.FileHash) != sum(raw) {
			t.Errorf("%d bytes: content %v, file_hash %s", size, f.Content != nil, text(f.FileHash))
		}
		// An archive's member comes to the same object.
		o, err := read(src, &Member{Path: "large.txt", SHA256: sum(raw), Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(raw)), nil }})
		if err != nil {
			t.Fatal(err)
		}
		if HeadOf(o).ObjectHash != f.ObjectHash {
			t.Errorf("%d bytes: read makes another object", size)
		}
	}
}

func TestFileType(t *testing.T) {
	// As Node's path.extname has it.
	for p, want := range map[string]string{
		"/a/main.ts": "ts", "/a/README": "text", "/a/.gitignore": "text", "/a/x.TAR.GZ": "gz", "/a/x.": "text",
		"/a/..": "text", "/a/..foo": "foo", "/a.b/c": "text", "/a/.x.Md": "md", "/": "text", "/a/İ.É": "é",
	} {
		if got := FileType(p); got != want {
			t.Errorf("FileType(%q) = %q, want %q", p, got, want)
		}
	}
}

func TestCheckFinds(t *testing.T) {
	good := func() *File {
		f, err := NewFile(source(t, "/a.go"), []byte("package a\n"))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	if err := Check(good()); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*File){
		"content":       func(f *File) { f.Content = ptr("other") },
		"char_count":    func(f *File) { f.CharCount++ },
		"file_type":     func(f *File) { f.FileType = "md" },
		"path":          func(f *File) { f.Source.Path = "/b.go" },
		"relative path": func(f *File) { f.Source.Path = "b.go" },
		"dots":          func(f *File) { f.Source.Path = "/x/../../b.go" },
		"no source":     func(f *File) { f.Source = nil },
		"file_hash":     func(f *File) { f.FileHash = ptr(strings.Repeat("A", 64)) },
		"object_hash":   func(f *File) { f.ObjectHash = strings.Repeat("0", 64) },
		"identity":      func(f *File) { f.IdentityHash = strings.Repeat("0", 64) },
		"id":            func(f *File) { f.ID = strings.Repeat("0", 64) },
		"type":          func(f *File) { f.Type = TypeChat },
	} {
		f := good()
		src := *f.Source
		f.Source = &src
		spoil(f)
		if err := Check(f); err == nil {
			t.Errorf("%s: not found", name)
		}
	}
}

func TestSessionRules(t *testing.T) {
	base := Session{Head: Head{ID: SessionID("s"), Type: TypeSession}, SessionID: "s",
		SessionIndex: []string{"a", "b", "c"}, MetadataPool: []string{"a", "b"}, ActiveSet: []string{"b"}, PinnedSet: []string{"a"}}
	for name, c := range map[string]struct {
		spoil func(*Session)
		ok    bool
	}{
		"fine":                 {func(*Session) {}, true},
		"pool outside index":   {func(s *Session) { s.MetadataPool = []string{"a", "x"} }, false},
		"active outside pool":  {func(s *Session) { s.ActiveSet = []string{"c"} }, false},
		"pinned outside pool":  {func(s *Session) { s.PinnedSet = []string{"c"} }, false},
		"order":                {func(s *Session) { s.MetadataPool = []string{"b", "a"} }, false},
		"twice in the index":   {func(s *Session) { s.SessionIndex = []string{"a", "b", "a"} }, false},
		"twice in the pool":    {func(s *Session) { s.MetadataPool = []string{"a", "a", "b"} }, false},
		"content of a session": {func(s *Session) { s.Content = ptr("x") }, false},
	} {
		s := base
		c.spoil(&s)
		if err := Seal(&s); err != nil {
			t.Fatal(err)
		}
		if err := Check(&s); (err == nil) != c.ok {
			t.Errorf("%s: Check = %v", name, err)
		}
	}
}

func FuzzCanonical(f *testing.F) {
	for _, s := range []string{"", "a", "<>&\u2028\u2029", "\x00\x1f\x7f\"\\/", "é😀\uffff", "\xff\xfe", "\b\f\n\r\t"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		own := appendString(nil, s)
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		want, err := jcs.Transform(b)
		if err != nil {
			t.Fatal(err)
		}
		if string(own) != string(want) {
			t.Errorf("appendString(%q) = %s, want %s", s, own, want)
		}
		if utf8.ValidString(s) {
			n := 0
			for _, r := range s {
				n++
				if r >= 0x10000 {
					n++
				}
			}
			if got := utf16Len(s); got != n {
				t.Errorf("utf16Len(%q) = %d, want %d", s, got, n)
			}
		}
	})
}

func FuzzDecode(f *testing.F) {
	for _, v := range vectors(f) {
		f.Add([]byte(v.Object))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		o, err := Decode(doc)
		if err != nil {
			return
		}
		b, err := Encode(o)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Decode(b)
		if err != nil {
			t.Fatalf("what decodes does not decode again: %v", err)
		}
		if HeadOf(o).ObjectHash != HeadOf(again).ObjectHash {
			t.Error("the object is another after a round trip")
		}
	})
}
