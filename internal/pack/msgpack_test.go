package pack

import (
	"bytes"
	"strings"
	"testing"
)

// What is written in one form, and given back in another, is the same in the first again.
func TestFormats(t *testing.T) {
	for seed := range uint64(6) {
		full, sum := both(t, grown(seed))
		for _, p := range []document{full, sum} {
			text := jsonOf(t, p)
			packed := render(t, func(w *bytes.Buffer) error { return Convert(w, bytes.NewReader(text), Msgpack) })
			if len(packed) >= len(text) {
				t.Errorf("seed %d: %d bytes in MessagePack, %d in JSON", seed, len(packed), len(text))
			}
			if again := render(t, func(w *bytes.Buffer) error { return Convert(w, bytes.NewReader(text), Msgpack) }); !bytes.Equal(packed, again) {
				t.Errorf("seed %d: two forms", seed)
			}
			if back := render(t, func(w *bytes.Buffer) error { return Convert(w, bytes.NewReader(packed), JSON) }); !bytes.Equal(back, text) {
				t.Errorf("seed %d: JSON is not what it was", seed)
			}
			if md := render(t, func(w *bytes.Buffer) error { return Convert(w, bytes.NewReader(packed), Markdown) }); !bytes.Equal(md, markdownOf(t, p)) {
				t.Errorf("seed %d: Markdown is not what it was", seed)
			}
			for _, n := range []int{1, len(packed) / 2, len(packed) - 1} {
				if err := Convert(&bytes.Buffer{}, bytes.NewReader(packed[:n]), JSON); err == nil {
					t.Errorf("seed %d: %d of %d bytes are read", seed, n, len(packed))
				}
			}
			if err := Convert(&bytes.Buffer{}, bytes.NewReader(append(packed[:len(packed):len(packed)], 0xc0)), JSON); err == nil || !strings.Contains(err.Error(), "more than one value") {
				t.Errorf("seed %d: a byte more: %v", seed, err)
			}
		}
	}
}

// Whatever is read as MessagePack, it is refused or it is a pack.
func FuzzMessagePack(f *testing.F) {
	f.Add([]byte{0x81, 0xa4, 't', 'y', 'p', 'e', 0xa4, 'f', 'u', 'l', 'l'})
	f.Add(bytes.Repeat([]byte{0x81, 0xa1, 'a'}, 1000))
	f.Add([]byte{0xdf, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, b []byte) {
		var out bytes.Buffer
		if Convert(&out, bytes.NewReader(b), JSON) != nil {
			return
		}
		var again bytes.Buffer
		if err := Convert(&again, bytes.NewReader(out.Bytes()), JSON); err != nil || !bytes.Equal(out.Bytes(), again.Bytes()) {
			t.Errorf("read twice: %v", err)
		}
	})
}
