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

// TestConversions holds that a password is read behind a user's name that is made a text of another kind, and that a call with arguments,
// or a member, is none such.
func TestConversions(t *testing.T) {
	s := newScanner(t)
	const v = "q7Rt2mXw9" + "LkPz4Bv"
	for text, want := range map[string]bool{
		`let c = Credentials::new("bob".to_owned(), "` + v + `".to_owned());`:           true,
		`Credentials::new("bob".into(), "` + v + `".into())`:                            true,
		`let c = Credentials::new("bob".split(x), "` + v + `")`:                         false,
		`let c = Credentials::new("bob".len, "` + v + `")`:                              false,
		`let c = Credentials::new("bob".to_owned(), "the second of two".to_owned());`:   false,
		`let c = Labels::new("bob".to_owned(), "` + "a plain-word" + `".to_owned(), 1)`: false,
	} {
		found, err := s.Scan("main.rs", []byte(text+"\n"), nil)
		if whole := len(found) == 1 && text[found[0].Start:found[0].End] == v; err != nil || whole != want || !want && len(found) > 0 {
			t.Errorf("%s: %v, %v", text, found, err)
		}
	}
}
