package brief

import (
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph"
)

func TestTestsIn(t *testing.T) {
	found := []graph.Definition{
		{Name: "parse", Kind: "func", From: 1, Line: 1, End: 9},
		{Name: "checks", Kind: "module", From: 10, Line: 11, End: 40},
		{Name: "checks.input", Kind: "func", From: 12, Line: 12, End: 14},
		{Name: "checks.parses", Kind: "test", From: 15, Line: 16, End: 19},
		{Name: "checks.deep", Kind: "module", From: 20, Line: 20, End: 30},
		{Name: "checks.deep.Fake", Kind: "struct", From: 21, Line: 21, End: 29},
		{Name: "inner", Kind: "module", From: 41, Line: 41, End: 80},
		{Name: "inner.fast", Kind: "func", From: 42, Line: 42, End: 50},
		{Name: "inner.tests", Kind: "module", From: 51, Line: 52, End: 79},
		{Name: "equals", Kind: "macro", From: 53, Line: 53, End: 60},
		{Name: "tests", Kind: "func", From: 81, Line: 81, End: 90},
	}
	want := []bool{false, true, true, true, true, true, false, false, true, true, false}
	if got := TestsIn(found); !slices.Equal(got, want) {
		t.Errorf("TestsIn = %v, want %v", got, want)
	}
	slices.Reverse(found)
	slices.Reverse(want)
	if got := TestsIn(found); !slices.Equal(got, want) {
		t.Errorf("TestsIn of them in another order = %v, want %v", got, want)
	}
}

func TestSignatureAt(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"    fn find_at(\n        &self,\n        at: usize,\n    ) -> Option<Match> {\n", "fn find_at(&self, at: usize) -> Option<Match>"},
		{"def coil(\n    rope,\n    turns=1,\n):\n    pass\n", "def coil(rope, turns=1):"},
		{"export const coil = async (\n  rope: Rope,\n): Promise<void> => {\n", "export const coil = async (rope: Rope): Promise<void> =>"},
		{"export const coil = debounce(\n  rope,\n);\n", "export const coil = debounce("},
		{"var Coil = func(\n\tn int,\n) error {\n", "var Coil = func(n int) error"},
		{"void coil(\n    int n, // turns\n    int m);\n", "void coil("},
		{"class Rope(\n    val n: Int,\n", "class Rope("},
		{"func coil() {\n", "func coil()"},
		{"f(\n" + strings.Repeat("a,\n", maxTaken) + ")", "f("},
	} {
		if got := signatureAt(strings.Split(c.text, "\n"), 1); got != c.want {
			t.Errorf("signatureAt(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

// What asks the shell whether something holds tests nothing of the program.
func TestTests(t *testing.T) {
	for line, want := range map[string]bool{
		"go test ./...": true, "  run: npm test": true, "mvn -B verify": true, "test: build": true, "./test.sh -v": true,
		`test -n "$dmg"`: false, `if test ! -d build; then`: false, `test "$a" = b`: false, "codesign --verify --strict x": false, "latest": false,
	} {
		if got := tests(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}
