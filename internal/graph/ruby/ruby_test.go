package ruby

import (
	"fmt"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph/graphtest"
)

func TestTables(t *testing.T) { graphtest.Tables(t, Provider) }

// TestUsers asks who uses what a file declares.
func TestUsers(t *testing.T) {
	files := map[string]string{
		"lib/a.rb": "module A\n  class B\n    def c; end\n  end\nend\n", "lib/b.rb": "A::B.new\n", "lib/c.rb": "require 'a'\n", "lib/d.rb": "B.new\n",
	}
	if got, want := graphtest.Users(t, Provider, files, "lib/a.rb"), "map[lib/a.rb:map[*:[lib/c.rb] A:[lib/b.rb]]]"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

// TestUnderscored asks for the paths of constants.
func TestUnderscored(t *testing.T) {
	for name, want := range map[string]string{"Shop.HTTPCart": "shop/http_cart", "A1B.CD": "a1_b/cd", "": "", "Cart": "cart", "RSpec": "r_spec"} {
		if got := underscored(name); got != want {
			t.Errorf("%s: %s, not %s", name, got, want)
		}
	}
}

// TestWorst asks for a million loads and names, modules within modules, and one module that all files open.
func TestWorst(t *testing.T) {
	var many, deep, chain strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&many, "require 'a/b%d'\nN%d::O::P.x\n", i, i)
	}
	for i := range 20_000 {
		fmt.Fprintf(&deep, "class D%d < D%d\n", i, i+1)
		fmt.Fprintf(&chain, "class N%d < N%d\nX = O\nend\n", i, (i+1)%20_000)
	}
	files := map[string]string{"lib/many.rb": many.String(), "lib/deep.rb": deep.String(), "lib/chain.rb": chain.String() + "class O; end", "lib/include.rb": "include " + strings.Repeat("A, ", 200_000),
		"lib/path.rb": "X = A" + strings.Repeat("::A", 200_000)}
	for i := range 3000 {
		files[fmt.Sprintf("lib/all/f%d.rb", i)] = fmt.Sprintf("module All\n  class F%d\n    def f; All::F%d; All; end\n  end\nend\n", i, i+1)
	}
	if a := graphtest.Stress(t, Provider, files); len(a.Edges["lib/many.rb"]) == 0 || len(a.Edges["lib/all/f7.rb"]) != 1 {
		t.Error("no edges")
	}
}

func FuzzBuild(f *testing.F) {
	f.Add("require 'b'\nmodule A\n  class B::C < ::D\n    include E, F\n    G = \"#{H::I}\"\n    autoload :J\n  end\nend\n$'")
	f.Fuzz(func(t *testing.T, text string) {
		graphtest.Edges(t, Provider, map[string]string{"lib/a.rb": text, "lib/b.rb": text + "\nclass D; end", "x.gemspec": text}, "lib/a.rb")
	})
}

func BenchmarkBuild(b *testing.B) { graphtest.Benchmark(b, Provider, "") }
