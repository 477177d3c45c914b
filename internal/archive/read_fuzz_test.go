package archive

import (
	"bytes"
	"io"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/tree"
)

func FuzzReadTar(f *testing.F) {
	var b bytes.Buffer
	if _, err := Write(&b, []tree.File{tree.Bytes("a.txt", []byte("a\n"))}, time.Unix(1, 0)); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, raw []byte) {
		const limit = 1 << 16
		read := int64(0)
		members, err := ReadUpTo(bytes.NewReader(raw), limit, func(m Member, r io.Reader) error {
			n, err := io.Copy(io.Discard, r)
			read += n
			return err
		})
		if read > limit {
			t.Errorf("%d bytes of %d", read, limit)
		}
		for _, m := range members {
			if !tree.Valid(m.Path) || err == nil && m.SHA256 == "" {
				t.Errorf("%+v", m)
			}
		}
	})
}
