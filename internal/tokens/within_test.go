package tokens

import (
	"strings"
	"testing"
)

// TestWithin: whether a text is within a limit is what its count says, asked before and after it was counted.
func TestWithin(t *testing.T) {
	for _, text := range []string{"", "x", "Hello, world.\n", strings.Repeat("func f(a, b int) error {\n\treturn nil\n}\n", 40), "\xff\xfe\xff bytes", strings.Repeat("字", 50)} {
		n := new(Counter).Count([]byte(text))
		for _, limit := range []int{0, 1, n - 1, n, n + 1, 3 * n} {
			c := new(Counter)
			for range 2 {
				if got := c.Within([]byte(text), limit); got != (n <= limit) {
					t.Errorf("%.20q of %d tokens within %d: %v", text, n, limit, got)
				}
			}
			if got := c.Count([]byte(text)); got != n {
				t.Errorf("%.20q: %d tokens after Within %d, %d without", text, got, limit, n)
			}
		}
	}
}
