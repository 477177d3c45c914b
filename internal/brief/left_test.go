package brief

import (
	"fmt"
	"strings"
	"testing"
)

// TestLinesNaming: a path that is gone is named by itself, or with what lies in it.
func TestLinesNaming(t *testing.T) {
	gone := []string{"packages/mill", "apps/old.ts", "@works/loom"}
	for text, want := range map[string]string{
		"directory: \"/packages/mill\"\n":             "[1]",
		"x\n./packages/mill/src/a.ts\n":               "[2]",
		"packages/mill-stone packages/mills\n":        "[]",
		"other/packages/mill ../packages/mill\n":      "[]",
		"see apps/old.ts.\n\napps/old.ts:3\n":         "[1 3]",
		"apps/old.tsx apps/old.ts.map\n":              "[]",
		"packages/mill packages/mill packages/mill\n": "[1]",
		"@works/loom#build @works/looms\n":            "[1]",
		"node_modules/@works/loom @works/loom-x\n":    "[]",
		"https://x.org/tree/main/packages/mill\n":     "[]",
		strings.Repeat("packages/mill\n", maxLeft+1):  "[]",
		"": "[]",
	} {
		if lines, _ := linesNaming(text, gone); fmt.Sprint(lines) != want {
			t.Errorf("%.60q: %v, want %s", text, lines, want)
		}
	}
}
