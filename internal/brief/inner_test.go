package brief

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/tokens"
)

// TestFunctionsWithin: which lines of a function are one with a name of its own.
func TestFunctionsWithin(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"x.js", `function outer () {
  // What it is for.
  // And more.
  function inner (a) {
    if (a) {
      return a
    }
  }

  const arrow = async (b) => {
    return b
  }, one = 1
  const short = () => 1
  const value = (
    one +
    two
  )
  let spread = async (
    a, b
  ) => {
    return a
  }
  const stop = useCallback((e) => {
    e.stop()
  }, [a])
  this.member = function () {
    return 1
  }
  for (const x of y) {
    call(x)
  }
  describe('words', function () {
    it()
  })
  return {
    method (a) {
      return a
    },
    async * rows (a) {
      yield a
    },
    property: function (b) {
      const deep = () => {
        return b
      }
    }
  }
}
`, "inner 2-8, arrow 10-12, spread 18-22, stop 23-25, member 26-28, method 36-38, rows 39-41, property 42-46, deep 43-45"},
		{"x.ts", `export function useCart(): Cart {
  const add = <T extends Item>(item: T): void => {
    items.push(item)
  }
  const load: Loader = async () => {
    return 1
  }
  get<T>(a: T): T {
    return a
  }
}
`, "add 2-4, load 5-7, get 8-10"},
		{"x.py", `def outer(a):
    x = 1

    @wraps(a)
    async def inner(
        b,
    ):
        y = b

        return y
    def other(c):
        return c
    return inner
`, "inner 4-10"},
		{"x.go", `func Outer() {
	visit := func(a int) int {
		return a
	}
	var other = func() {
		visit(1)
	}
	go func() {
		other()
	}()
}
`, "visit 2-4, other 5-7"},
		{"x.rs", `pub fn outer() {
    /// Said.
    fn inner(b: u32) -> u32 {
        b
    }
    let mut add = move |x: u32| {
        x + 1
    };
    match a {
        _ => 1,
    }
}
`, "inner 2-5, add 6-8"},
		{"x.jl", "struct Quay\n    function Base.copy(q::Quay)\n        n = q.n\n        Quay(n)\n    end\nend\n", "copy 2-4"},
		{"x.kt", "fun outer() {\n    fun inner(b: Int)\n    {\n        b\n    }\n}\n", "inner 2-5"},
		{"x.js", "function open () {\n  function a () {\n    function b () {\n      call()\n      call()\n", "a 2-4"},
	} {
		lines := strings.SplitAfter(c.text, "\n")
		outer := graph.Definition{Name: "outer", From: 1, Line: 1, Head: 1, End: len(lines) - 1}
		var got []string
		for _, d := range functionsWithin(lines, outer, language.Of(c.name)) {
			got = append(got, fmt.Sprintf("%s %d-%d", strings.TrimPrefix(d.Name, "outer."), d.From, d.End))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, strings.Join(got, ", "), c.want)
		}
	}
}

// TestInner: of a function around others that does not fit its first line and the touched ones are shown whole, and the outline has the rest; one that fits
// is whole.
func TestInner(t *testing.T) {
	var b strings.Builder
	b.WriteString("function outer () {\n")
	var starts []int
	for n := range 10 {
		starts = append(starts, strings.Count(b.String(), "\n")+1)
		fmt.Fprintf(&b, "  function inner%d () {\n%s  }\n\n", n, strings.Repeat("    call(with, some, words, and, more)\n\n", 20))
	}
	b.WriteString("}\n")
	end := strings.Count(b.String(), "\n")
	for budget, whole := range map[int]bool{3000: false, 16000: true} {
		s := Source{Path: "x.js", Text: b.String(), Changed: true, Touched: []int{starts[6] + 3}, Definitions: []graph.Definition{{Name: "outer", Kind: "func", From: 1, Line: 1, Head: 1, End: end}}}
		s.Narrow()
		d := NewDocument([]Source{s}, new(tokens.Counter), 100, Budget{Tokens: budget})
		shown := func(n int) bool {
			return slices.ContainsFunc(d.Lines("x.js"), func(r [2]int) bool { return r[0] <= n && n <= r[1] })
		}
		if !shown(starts[6]) || !shown(starts[7]-2) || shown(starts[5]+1) != whole || shown(starts[7]+1) != whole {
			t.Errorf("%d tokens: %v", budget, d.Lines("x.js"))
		}
		f := d.Files()[0]
		if outline := strings.Join(f.Outline, "\n"); !whole && (!strings.Contains(outline, "inner9") || strings.Contains(outline, "inner6") || f.Stretches[0].To != 1 || f.Stretches[1].Name != "outer.inner6") {
			t.Errorf("%d tokens: the outline %s of %v", budget, outline, f.Stretches)
		}
	}
	if s := (Source{Path: "x.js", Text: b.String()}); len(s.Blocks()) == 0 || len(s.defined()) > 0 {
		t.Error("functions are looked for in a file that does not change")
	}
}

// TestInnerNested: functions one within the other, of which none but the last fits, are each tried once, not once for each that holds them.
func TestInnerNested(t *testing.T) {
	const deep = 48
	var b strings.Builder
	var touched []int
	b.WriteString("function outer () {\n")
	for n := range deep {
		fmt.Fprintf(&b, "%sfunction inner%d () {\n%s  call(%d)\n", strings.Repeat(" ", n+1), n, strings.Repeat(" ", n+1), n)
		touched = append(touched, 3+2*n)
	}
	b.WriteString(strings.Repeat(strings.Repeat(" ", deep)+"  call(with, some, words, and, more)\n\n", 400))
	for n := range deep {
		b.WriteString(strings.Repeat(" ", deep-n) + "}\n")
	}
	b.WriteString("}\n")
	s := Source{Path: "x.js", Text: b.String(), Changed: true, Touched: touched}
	s.Definitions = []graph.Definition{{Name: "outer", Kind: "func", From: 1, Line: 1, Head: 1, End: strings.Count(s.Text, "\n")}}
	s.Narrow()
	d := NewDocument([]Source{s}, new(tokens.Counter), 100, Budget{Tokens: 4000})
	if lines := d.Lines("x.js"); len(lines) == 0 {
		t.Error("nothing is shown of what is touched")
	}
}
