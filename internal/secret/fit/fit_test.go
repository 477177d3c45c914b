package fit

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/haversack-dev/haversack/internal/secret"
)

func TestTrain(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	var list []Example
	for i := range 400 {
		e := Example{Features: []uint16{1}, Weight: 1}
		if i%4 == 0 {
			e.Features, e.Secret = append(e.Features, 2), true
		} else {
			e.Features = append(e.Features, 3)
		}
		list = append(list, e)
	}
	m := Train(list)
	if m.Weights[2] <= 0 || m.Weights[3] >= 0 || m.Weights[1]+m.Weights[2] <= int16(m.Threshold) || m.Weights[1]+m.Weights[3] >= int16(m.Threshold) || m.Weights[4] != 0 {
		t.Errorf("weights %v, even odds at %d", m.Weights[:5], m.Threshold)
	}
	slices.Reverse(list)
	if again := Train(list); *again != *m {
		t.Error("other weights in another order")
	}
	// One example more moves nothing far: the problem has one solution, and it is found.
	more := Train(append(list, list[0]))
	for i := range more.Weights {
		if d := more.Weights[i] - m.Weights[i]; d < -1 || d > 1 {
			t.Errorf("weight %d moves by %d", i, d)
		}
	}
}

// TestPlace: lines count from 1, columns are characters, and a value over several lines goes to the end of the last.
func TestPlace(t *testing.T) {
	text := []byte("one\nпароль: Kran7ich\nkey: |\n  abc\n  def\nlast")
	for _, c := range []struct {
		first, last, from, to int
		want                  string
	}{
		{2, 2, 8, 16, "Kran7ich"}, {2, 2, -1, -1, "пароль: Kran7ich"}, {4, 5, 2, 5, "abc\n  def"}, {6, 6, 0, 4, "last"}, {9, 9, 0, 4, ""},
	} {
		l, ok := place(text, c.first, c.last, c.from, c.to)
		if ok != (c.want != "") || ok && string(text[l.Start:l.End]) != c.want {
			t.Errorf("%v: %v, %q", c, ok, text[l.Start:l.End])
		}
	}
}

func TestExamples(t *testing.T) {
	const path, text = "app.ini", "db_pass" + "word = Kran7ich!x\nother_token = pelikan\n"
	c := &Corpus{Name: "x", Texts: map[string][]byte{path: []byte(text)}, Labels: []Label{{Path: path, Start: 14, End: 24, Secret: true}}}
	scanner, err := secret.New()
	if err != nil {
		t.Fatal(err)
	}
	list := c.Examples(scanner)
	if len(list) != 2 || !list[0].Secret || list[1].Secret {
		t.Fatalf("%d examples: %+v", len(list), list)
	}
	dir := t.TempDir()
	for _, name := range []string{"a.ini", "b.ini", "c.ini"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if none, err := None(scanner, dir, 2); err != nil || len(none) != 2 || none[0].Secret {
		t.Errorf("%d of every second of three files, %v", len(none), err)
	}
}
