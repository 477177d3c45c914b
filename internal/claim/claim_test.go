package claim

import "testing"

func TestClaims(t *testing.T) {
	place := []Citation{Cite("tools/öl press.rs", 7)}
	for _, c := range []struct{ name, got, want string }{
		{"somebody's words are quoted", New(place, "It presses %s", "hazel nuts").String(), `It presses "hazel nuts" ("tools/öl press.rs":7)`},
		{"one by one", New(place, "It knows %s", []string{"oil", "a mill"}).Text, `It knows "oil", "a mill"`},
		{"words of ours are not", New(place, "It holds %s", Own("both")).Text, "It holds both"},
		{"a wrong byte is shown", Shown("mill\xff.rs"), `mill\xff.rs`},
		{"a line that is known", At("mill.rs", 3), "mill.rs:3"},
		{"one that is not", At("mill.rs", 0), "mill.rs"},
		{"lines", string(Span("mill.rs", 3, 9)), "mill.rs:3-9"},
		{"one line", string(Span("mill.rs", 9, 9)), "mill.rs:9"},
		{"more places than are named", Claim{"It turns", CiteAll([]string{"a", "b", "c", "d"})}.String(), "It turns (a, b, c, ...)"},
		{"sentences", Sentences([]Claim{{"It turns", CiteAll([]string{"a"})}, {"It stops", CiteAll([]string{"b"})}}), "It turns (a). It stops (b)."},
		{"one", string(Count(1, "mill")), "1 mill"},
		{"several", string(Count(2, "mill")), "2 mills"},
		{"of y", string(Count(3, "entry")), "3 entries"},
		{"of ay", string(Count(3, "day")), "3 days"},
		{"of s", string(Count(0, "press")), "0 presses"},
		{"many lines on one", OneLine("  grind\n\tit \x1b‮slowly ", 40), "grind it slowly"},
		{"cut by characters", OneLine("äöüß", 2), "äö…"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", c.name, c.got, c.want)
		}
	}
}
