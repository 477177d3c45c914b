package secret

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// TestNameCache asks for names by turns, more than are kept, and long ones that are not.
func TestNameCache(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 39))
	words := strings.Fields("api key secret token db password public hash x 2 q8Zt5vKw1nPd7rBm session_id")
	var c nameCache
	for range 5000 {
		var b strings.Builder
		for range rng.IntN(6) {
			b.WriteString(words[rng.IntN(len(words))])
			b.WriteByte("_-."[rng.IntN(3)])
		}
		name := []byte(b.String())
		if got, want := c.classify(name), value.Classify(name); got != want {
			t.Fatalf("%q: %+v, want %+v", name, got, want)
		}
		if got, want := c.byLot(name), byLotText(name); got != want {
			t.Fatalf("%q: by lot %v, want %v", name, got, want)
		}
	}
}

// TestNames asks for names again, with a secret and without, short and long: it is always what Scan says.
func TestNames(t *testing.T) {
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	named := "ghp_" + "q8Zt5vKw1nPd7rBmX3cYf6hJ2sLg9aTe4uQo"
	for _, name := range []string{"src/main.go", "src/" + named + ".txt", "", strings.Repeat("long/", maxNameLength) + named, strings.Repeat("long/", maxNameLength)} {
		want, err := s.Scan("", []byte(name), nil)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(name, named) != (len(want) > 0) {
			t.Fatalf("%.40q: %v", name, want)
		}
		for range 3 {
			if got, err := s.Name([]byte(name)); err != nil || !slices.Equal(got, want) {
				t.Errorf("%.40q: %v, %v; want %v", name, got, err, want)
			}
		}
	}
	if n := len(s.clean.seen); n != 2 {
		t.Errorf("%d names are remembered", n)
	}
}
