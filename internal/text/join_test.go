package text

import (
	"strings"
	"testing"
)

func TestJoined(t *testing.T) {
	for _, c := range []struct{ signature, want string }{
		{"func f()", "func f()"},
		{"    fn matched(\n        &mut self,\n        mat: &SinkMatch<'_>,\n    ) -> Result<bool, Self::Error>", "fn matched(&mut self, mat: &SinkMatch<'_>) -> Result<bool, Self::Error>"},
		{"def f(\n    a,\n    *,\n    b=None,\n):", "def f(a, *, b=None):"},
		{"pub struct UTF8<F>(pub F)\nwhere\n    F: FnMut(u64)", "pub struct UTF8<F>(pub F) where F: FnMut(u64)"},
		{"class A\n    extends B<\n        C\n    >", "class A extends B<C>"},
		{"f(\r\n\r\n\ta,\r\n)\r\n", "f(a)"},
		{"", ""},
		{"type Loom interface {\n\tWidth() int\n}", "type Loom interface {"},
		{"function f({\n  a,\n  b,\n}: Props): void", "function f({a, b}: Props): void"},
		{"\n,\n)", ")"},
		{"f(\n" + strings.Repeat("a,\n", 1000) + ")", "f(a, " + strings.Repeat("a, ", 132)[:395] + "…"},
	} {
		if got := Joined(c.signature); got != c.want {
			t.Errorf("Joined(%q) = %q, want %q", c.signature, got, c.want)
		}
	}
}
