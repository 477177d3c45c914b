package secret

import "testing"

// TestConnects holds that a password of a connection's settings is read over brackets of its own, and that what is computed or says the
// name again stays.
func TestConnects(t *testing.T) {
	s := newScanner(t)
	const before = "      - X=Server=db;User Id=sa;Pass" + "word="
	for v, want := range map[string]bool{"Vq8(!)Tlm" + "2Zx": true, "Summer(2019)" + "Rain": true, "yourWeak(!)Pass" + "word": false, "get(pass)": false, "{config[(pw)]}": false} {
		text := before + v + ";Encrypt=true\n"
		found, err := s.Scan("compose.yml", []byte(text), nil)
		if whole := len(found) == 1 && text[found[0].Start:found[0].End] == v; err != nil || whole != want || !want && len(found) > 0 {
			t.Errorf("%s: %v, %v", v, found, err)
		}
	}
}
