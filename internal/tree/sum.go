package tree

import (
	"crypto/sha256"
	"encoding/hex"
	"hash/maphash"
)

// Sum is what a file's content is known by since it was read: its sha256, and a hash with a key of this process, which
// tells in a tenth of the time whether content is still the same. Nobody who does not know the key can make other content
// with that hash.
type Sum struct {
	// SHA256 in lower hex.
	SHA256 string
	keyed  uint64
}

var sumKey = maphash.MakeSeed()

// Summed returns f with the sum of content, which is what Open yields.
func (f File) Summed(content []byte) File {
	sum := sha256.Sum256(content)
	f.sum = &Sum{hex.EncodeToString(sum[:]), maphash.Bytes(sumKey, content)}
	return f
}

// Sum is of the content as it was when the file was made; nil where it was not taken.
func (f File) Sum() *Sum { return f.sum }

// Begin has h hash what is written to it from now on as Same compares it.
func (s *Sum) Begin(h *maphash.Hash) { h.SetSeed(sumKey) }

// Same reports whether what was written to h is the content.
func (s *Sum) Same(h *maphash.Hash) bool { return h.Sum64() == s.keyed }
