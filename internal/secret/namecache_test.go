package secret

import (
	"math/rand/v2"
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
