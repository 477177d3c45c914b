package typescript

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/microsoft/typescript-go/tsshim"
)

// TestStoppedParserIsGone: what is stopped in the middle of its work leaves nothing behind that another would use. A pool of scanners would hand on a map
// that was being written to, and the next to clear it ends the program.
func TestStoppedParserIsGone(t *testing.T) {
	var b strings.Builder
	for i := range 400_000 {
		fmt.Fprintf(&b, "%d,\n", i*7919)
	}
	slow := "let a = [" + b.String() + "];\n"
	tries := 40
	if testing.Short() {
		tries = 4
	}
	for i := range tries {
		p := &tsgo.Parser{Limit: time.Nanosecond}
		_, _ = p.Parse("/slow.ts", fmt.Sprintf("let n%d = 1;\n%s", i, slow))
		for range 4 {
			if _, err := new(tsgo.Parser).Parse("/next.ts", "let b = [1, 0x2, 3.0e1];\n"); err != nil {
				t.Fatal(err)
			}
		}
	}
}
