package source

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tree"
)

// TestTextsEach: each text is its file's, whether it is kept or stands where the one before it did, and what is kept stays.
func TestTextsEach(t *testing.T) {
	var files []*scan.File
	want := func(i int) []byte { return bytes.Repeat(fmt.Appendf(nil, "%d,", i), 200_000/(2+i%7)) }
	for i := range 30 {
		files = append(files, &scan.File{File: tree.Bytes(fmt.Sprint(i), want(i)), Encoding: text.UTF8})
	}
	texts := NewTexts()
	right := make([]bool, len(files))
	for range 2 {
		if err := texts.Each(files, func(i int, b []byte, _ int) { right[i] = bytes.Equal(b, want(i)) }); err != nil {
			t.Fatal(err)
		}
		for i, ok := range right {
			if !ok {
				t.Errorf("file %d has another text", i)
			}
		}
	}
	if texts.size == 0 || texts.size > maxTexts || len(texts.kept) == len(files) {
		t.Fatalf("%d texts are kept, %d bytes", len(texts.kept), texts.size)
	}
	for i, f := range files {
		if b, _, err := texts.Read(f); err != nil || !bytes.Equal(b, want(i)) {
			t.Errorf("file %d: %v, %d bytes", i, err, len(b))
		}
	}
}
