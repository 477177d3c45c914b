package rust

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
		"src/lib.rs": "mod a; mod b; mod c; pub use a::Ring;", "src/a.rs": "pub struct Ring; pub fn turn() {}", "src/b.rs": "use crate::a::{Ring as R, turn};", "src/c.rs": "fn f() { crate::Ring::new(); }",
	}
	if got, want := graphtest.Users(t, Provider, files, "src/a.rs"), "map[src/a.rs:map[Ring:[src/b.rs src/c.rs src/lib.rs] turn:[src/b.rs]]]"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

// TestWorst asks for modules within modules, names that are handed on in a circle, and files that include one another.
func TestWorst(t *testing.T) {
	var many, stars strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&many, "use a%d::b::{c%d, d as e%d};\nfn f() { x%d::y::z(); }\n", i, i, i, i)
	}
	for i := range 40 {
		fmt.Fprintf(&stars, "pub use crate::s%d::*;\n", i)
	}
	files := map[string]string{
		"src/lib.rs": many.String(), "src/main.rs": strings.Repeat("mod a {", 50_000), "src/bin/tree.rs": strings.Repeat("use {a::", 50_000) + "b", "src/bin/self.rs": "#[path = \"self.rs\"] mod a; #[path = \"other.rs\"] mod b;",
		"src/bin/other.rs": "#[path = \"self.rs\"] mod a; #[path = \"other.rs\"] mod b; " + strings.Repeat("#[path = \"self.rs\"] mod a;", 20), "src/bin/open.rs": strings.Repeat("#[", 100_000) + strings.Repeat("a::", 100_000), "Cargo.toml": strings.Repeat("a = { ", 50_000) + "\n[dependencies]\n" + strings.Repeat("a = { path = \"x\" }\n", 20_000),
	}
	var root strings.Builder
	for i := range 40 {
		fmt.Fprintf(&root, "pub mod s%d;\n", i)
		files[fmt.Sprintf("stars/src/s%d.rs", i)] = stars.String() + "use super::Nowhere; use crate::s1::nowhere;"
	}
	files["stars/src/lib.rs"] = root.String()
	graphtest.Stress(t, Provider, files)
}

func FuzzBuild(f *testing.F) {
	f.Add("#[cfg_attr(unix, path = \"b.rs\")] mod b; pub use self::b::{*, x as y, z::{self, w}}; mod i { use super::*; fn f() { crate::b::g(); <T as A>::h(); ::c::d!(); } } #[macro_export] macro_rules! m { () => { $crate::b::q() } }", "[package]\nname = \"a-b\"\n[dependencies]\nc = { path = \"c\", package = \"d\" }")
	f.Fuzz(func(t *testing.T, text, manifest string) {
		if len(text) > 5_000 {
			return
		}
		graphtest.Edges(t, Provider, map[string]string{"src/lib.rs": text, "src/b.rs": text + ";pub struct Q;", "c/src/lib.rs": text, "Cargo.toml": manifest, "c/Cargo.toml": manifest}, "src/b.rs")
	})
}

func BenchmarkBuild(b *testing.B) { graphtest.Benchmark(b, Provider, "") }
