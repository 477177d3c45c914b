package archive

import (
	"bytes"
	"fmt"
	"io"
)

func byteReader(b []byte) io.Reader { return bytes.NewReader(b) }

// Difference is one way in which an archive is not what its record says.
type Difference struct {
	Path string `json:"path"`
	// What is wrong, as the end of a sentence that begins with the path.
	What string `json:"what"`
}

func (d Difference) String() string { return fmt.Sprintf("%q %s", d.Path, d.What) }

// Compare tells how the members got differ from want: missing, added, or of
// another size or sha256, and whether they are out of order. got is in archive order,
// under the names that the archive has; shown says how want has a name, and the
// differences tell it so.
func Compare(want, got []Member, shown func(name string) string) []Difference {
	var diffs []Difference
	index := make(map[string]Member, len(want))
	for _, m := range want {
		index[m.Path] = m
	}
	seen := make(map[string]bool, len(got))
	last := ""
	for _, m := range got {
		raw := m.Path
		m.Path = shown(raw)
		w, ok := index[m.Path]
		switch {
		case seen[m.Path]:
			diffs = append(diffs, Difference{m.Path, "stands twice in the archive"})
		case !ok:
			diffs = append(diffs, Difference{m.Path, "is in the archive but not in the record"})
		case w.Size != m.Size:
			diffs = append(diffs, Difference{m.Path, fmt.Sprintf("has %d bytes, the record says %d", m.Size, w.Size)})
		case w.SHA256 != m.SHA256:
			diffs = append(diffs, Difference{m.Path, fmt.Sprintf("has sha256 %s, the record says %s", m.SHA256, w.SHA256)})
		case raw < last:
			diffs = append(diffs, Difference{m.Path, "is out of order"})
		}
		seen[m.Path] = true
		last = raw
	}
	for _, w := range want {
		if !seen[w.Path] {
			diffs = append(diffs, Difference{w.Path, "is in the record but not in the archive"})
		}
	}
	return diffs
}
