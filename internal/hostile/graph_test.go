//go:build linux

package hostile

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// graphed makes the graph of a folder, and says what the program warns of.
var graphed = program(nil, "graph")

func parserAttacks() []attack {
	// each writes n files of one text, and one that imports another.
	each := func(n int, ext, text string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			write(t, dir, "a.ts", []byte("import './b'\n"))
			write(t, dir, "b.ts", []byte("export const b = 1\n"))
			for i := range n {
				write(t, dir, fmt.Sprintf("bomb%d.%s", i, ext), []byte(fmt.Sprintf("import './b' // %d\n", i)+text))
			}
		}
	}
	nested := strings.Repeat
	parse := func(name, ext, text string, n int, want string) attack {
		return attack{class: "parser", name: name, long: want == "", run: graphed, want: want, set: each(n, ext, text)}
	}
	const kb = 1 << 10
	list := []attack{
		parse("four files of async(", "ts", nested("async(", 100), 4, "limit: the parser"),
		parse("four files of async(x=", "ts", nested("async(x=", 75), 4, "limit: the parser"),
		parse("four files of async<T>(", "ts", nested("async<T>(", 66), 4, "limit: the parser"),
		parse("forty files of async(", "js", nested("async(", 100), 40, "limit: the parser"),
		parse("async( with its name escaped", "ts", nested(`\u0061sync(`, 60), 2, ""),
		parse("async( with comments between", "ts", nested("async/*)*/(", 60), 2, ""),
		parse("async( in holes of templates", "ts", nested("`${async(", 60), 2, ""),
		parse("arrows in the arms of conditions", "ts", nested("a?(b=>c):(", 200), 4, ""),
		parse("arrows with return types in conditions", "ts", nested("a ? (b) : (c = ", 200), 4, ""),
		parse("parameters in defaults", "ts", nested("(x=", 5000), 4, ""),
		parse("patterns in defaults", "ts", nested("({x=", 5000), 4, ""),
		parse("type arguments", "ts", "a"+nested("<b", 20_000), 4, ""),
		parse("function types in type arguments", "ts", "a"+nested("<(b:c", 5000), 4, ""),
		parse("infer extends infer", "ts", "type A = X extends "+nested("infer T extends (", 3000)+" 1 ? 2 : 3", 4, ""),
		parse("conditional types", "ts", "type A = "+nested("A extends infer B extends C ? ", 3000), 4, ""),
		parse("tuples", "ts", "type A = "+nested("[a:", 70_000), 8, ""),
		parse("elements in elements", "tsx", "x = "+nested("<a b={", 20_000), 4, ""),
		parse("generics or elements", "tsx", nested("<T,>(x=", 200), 4, ""),
		parse("decorators", "ts", nested("@(class{", 5000), 4, ""),
		parse("brackets", "ts", nested("[", 205*kb), 8, ""),
		parse("parentheses", "ts", nested("(", 205*kb), 8, ""),
		parse("object literals", "ts", "x="+nested("{a:", 68*kb), 8, ""),
		parse("blocks", "js", nested("{", 205*kb), 8, ""),
		parse("unary signs", "js", nested("- ", 100*kb), 8, ""),
		parse("if upon if", "js", nested("if(a)", 41*kb), 8, ""),
		parse("sums", "js", nested("a+", 500*kb), 4, ""),
		parse("import calls", "ts", nested("import('./b');", 70*kb), 2, ""),
		parse("JSDoc types", "js", "/** @type {"+nested("{a:", 30_000)+"} */ let x", 4, ""),
	}
	return list
}

func resolutionAttacks() []attack {
	// imports writes files with n imports each, as name makes them.
	imports := func(t *testing.T, dir string, files, n int, name func(i int) string) {
		for f := range files {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "import %q\n", name(f*n+i))
			}
			write(t, dir, fmt.Sprintf("src/m%04d.ts", f), []byte(b.String()))
		}
		write(t, dir, "a.ts", []byte("import './b'\n"))
		write(t, dir, "b.ts", []byte("export const b = 1\n"))
	}
	many := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	plain := func(i int) string { return fmt.Sprintf("x%d", i) }
	const config, manifest = "tsconfig.json", "package.json"
	resolve := func(name, want string, set func(t *testing.T, dir string)) attack {
		return attack{class: "resolution", name: name, long: !strings.Contains(want, "limit"), run: graphed, want: want, set: set}
	}
	lines := func(n int, line string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(line, "#", strconv.Itoa(i)))
		}
		return b.String()
	}
	// chained asks who uses a member that files name behind calls.
	chained := func(name string, set func(t *testing.T, dir string)) attack {
		return attack{class: "resolution", name: name, long: true, run: program(nil, "users", "Foo.run"), set: func(t *testing.T, dir string) {
			write(t, dir, "a.h", []byte("struct Foo {\n  int run(int x) { return 1; }\n};\n"))
			set(t, dir)
		}}
	}
	options := func(name, want, text string, files, n int, of func(i int) string) attack {
		return resolve(name, want, func(t *testing.T, dir string) {
			write(t, dir, config, []byte(`{"compilerOptions":{`+text+`}}`))
			imports(t, dir, files, n, of)
		})
	}
	packaged := func(name, want, text string, of func(i int) string) attack {
		return resolve(name, want, func(t *testing.T, dir string) {
			write(t, dir, manifest, []byte(text))
			imports(t, dir, 4, 5000, of)
		})
	}
	return []attack{
		options("250,000 imports and 2,000 paths", "limit", `"paths":{`+many(2000, `"p%d*z":["./*"]`)+`}`, 1, 250_000, plain),
		options("250,000 imports in 50 files and 2,000 paths", "limit", `"paths":{`+many(2000, `"p%d*z":["./*"]`)+`}`, 50, 5000, plain),
		options("one path with 4,000 targets", "", `"paths":{"*":[`+many(4000, `"./p%d/*"`)+`]}`, 10, 5000, plain),
		options("5,000 root folders", "limit", `"rootDirs":[`+many(5000, `"./r%d"`)+`]`, 10, 5000, func(i int) string { return "./" + plain(i) }),
		options("5,000 roots of types", "limit", `"typeRoots":[`+many(5000, `"./r%d"`)+`]`, 10, 5000, plain),
		options("9,000 suffixes", "limit", `"moduleSuffixes":[`+many(9000, `".s%d"`)+`]`, 10, 5000, func(i int) string { return "./" + plain(i) }),
		packaged("60,000 exports of itself", "limit", `{"name":"me","exports":{`+many(60_000, `"./p%d*":"./q"`)+`}}`, func(i int) string { return "me/" + plain(i) }),
		packaged("4,000 exports of itself", "", `{"name":"me","exports":{`+many(4000, `"./p%d*":"./q"`)+`}}`, func(i int) string { return "me/" + plain(i) }),
		packaged("60,000 imports", "limit", `{"name":"me","imports":{`+many(60_000, `"#p%d*":"./q"`)+`}}`, func(i int) string { return "#" + plain(i) }),
		packaged("imports 9,900 deep", "limit", `{"imports":{"#a":`+strings.Repeat(`{"x":`, 9900)+`"`+strings.Repeat("y", 7<<20)+`"`+strings.Repeat("}", 9902), func(i int) string { return "#" + plain(i) }),
		packaged("lists of targets", "", `{"name":"me","exports":{"./*":[`+many(4000, `"./q%d/*"`)+`]}}`, func(i int) string { return "me/" + plain(i) }),
		resolve("4,000 references", "", func(t *testing.T, dir string) {
			write(t, dir, config, []byte(`{"references":[`+many(4000, `{"path":"./r%d"}`)+`]}`))
			for i := range 4000 {
				write(t, dir, fmt.Sprintf("r%d/tsconfig.json", i), []byte(fmt.Sprintf(`{"compilerOptions":{"paths":{"y%d":["./y"]}}}`, i)))
			}
			imports(t, dir, 10, 5000, plain)
		}),
		resolve("a chain of 20,000 configurations", "extends", func(t *testing.T, dir string) {
			for i := range 20_000 {
				write(t, dir, fmt.Sprintf("c/t%d.json", i), []byte(fmt.Sprintf(`{"extends":"./t%d.json"}`, i+1)))
			}
			write(t, dir, config, []byte(`{"extends":"./c/t0.json"}`))
			imports(t, dir, 1, 10, plain)
		}),
		resolve("2,000 configurations that each begin a chain", "", func(t *testing.T, dir string) {
			for i := range 2000 {
				write(t, dir, fmt.Sprintf("c%d/tsconfig.json", i), []byte(fmt.Sprintf(`{"extends":"../c%d/tsconfig.json"}`, i+1)))
				write(t, dir, fmt.Sprintf("c%d/a.ts", i), []byte("import 'x'\n"))
			}
		}),
		resolve("one import of 4 million segments", "", func(t *testing.T, dir string) {
			imports(t, dir, 1, 1, func(int) string { return strings.Repeat("a/", 4<<20/2) })
		}),
		resolve("2,000 imports of 2,000 segments", "", func(t *testing.T, dir string) {
			imports(t, dir, 1, 2000, func(i int) string { return fmt.Sprintf("./%d/", i) + strings.Repeat("a/", 2000) })
		}),
		resolve("50,000 imports of 100 segments", "", func(t *testing.T, dir string) {
			imports(t, dir, 10, 5000, func(i int) string { return fmt.Sprintf("./%d/", i) + strings.Repeat("a/", 100) })
		}),
		resolve("300,000 plain imports", "limit", func(t *testing.T, dir string) { imports(t, dir, 1, 300_000, plain) }),
		resolve("300,000 plain imports of 100 files", "limit", func(t *testing.T, dir string) { imports(t, dir, 100, 3000, plain) }),
		resolve("1 million imports of 200 files", "limit", func(t *testing.T, dir string) { imports(t, dir, 200, 5000, plain) }),
		chained("what calls give back, of 2,000 names in 2,000 headers each", func(t *testing.T, dir string) {
			for i := range 2000 {
				write(t, dir, fmt.Sprintf("h/h%d.h", i), fmt.Appendf(nil, "int v%d;\n", i))
			}
			headers, calls := lines(2000, "#include \"h/h#.h\"\n"), lines(2000, "  T#::make().next().run(1);\n")
			for i := range 60 {
				write(t, dir, fmt.Sprintf("f%d.cpp", i), fmt.Appendf(nil, "#include \"a.h\"\n%sint f%d() {\n%s}\n", headers, i, calls))
			}
		}),
		chained("what calls give back, of 20,000 types in one header", func(t *testing.T, dir string) {
			write(t, dir, "big.h", []byte(lines(20_000, "struct T# {\n  Bar a(int x) { return x; }\n};\n")))
			calls := lines(1900, "  T#::a().run(1);\n")
			for i := range 100 {
				write(t, dir, fmt.Sprintf("b%d.cpp", i), fmt.Appendf(nil, "#include \"a.h\"\nint g%d(Foo f) { return f.run(1); }\n", i))
				write(t, dir, fmt.Sprintf("f%d.cpp", i), fmt.Appendf(nil, "#include \"a.h\"\n#include \"big.h\"\nint f%d() {\n%s}\n", i, calls))
			}
		}),
		resolve("a ring of 4,000 files that hand on", "", func(t *testing.T, dir string) {
			var all strings.Builder
			for i := range 4000 {
				write(t, dir, fmt.Sprintf("r/r%d.ts", i), []byte(fmt.Sprintf("export * from './r%d'\nexport const v%d = 1\n", (i+1)%4000, i)))
				fmt.Fprintf(&all, "import { n%d } from './r/r%d'\n", i, i)
			}
			write(t, dir, "all.ts", []byte(all.String()))
		}),
		resolve("files that hand everything on to each other", "", func(t *testing.T, dir string) {
			var every strings.Builder
			for i := range 800 {
				fmt.Fprintf(&every, "export * from './r%d'\n", i)
			}
			for i := range 800 {
				write(t, dir, fmt.Sprintf("r/r%d.ts", i), []byte(every.String()+fmt.Sprintf("import { a, b, c } from './r%d'\n", i)))
			}
		}),
	}
}
