package secret

import "testing"

// TestHalfOfAValue: a text that was redacted holds nothing more, also where half of a value would look like one by itself.
func TestHalfOfAValue(t *testing.T) {
	s := newScanner(t)
	const half, other = "278d425bdf160c739803", "58c1b4a90d7e6f3a2b1c0d9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c2d1e0f9a"
	for path, text := range map[string]string{
		"a.php": "'auth' => '" + half + ":" + other + "', 'sec" + "ret' => '" + other + "'",
		"a.env": "AUTH_TOK" + "EN=" + half + ":" + other + "\nOTHER=" + half,
	} {
		found, err := s.Scan(path, []byte(text), nil)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %v", path, found, err)
		}
		again, err := s.Scan(path, Redact([]byte(text), found), nil)
		if err != nil || len(again) > 0 {
			t.Errorf("%s: after redaction %v, %v", path, again, err)
		}
	}
}
