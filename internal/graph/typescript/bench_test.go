package typescript

import (
	"fmt"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/graphtest"
	"github.com/haversack-dev/haversack/internal/tree"
)

// made returns a repository of n files: modules that use one another, a barrel
// for every ten, and a dependency.
func made(n int) map[string]string {
	files := map[string]string{
		"package.json":                  `{"name":"made","type":"module"}`,
		"tsconfig.json":                 `{"compilerOptions":{"module":"esnext","moduleResolution":"bundler","paths":{"@/*":["./src/*"]}}}`,
		"node_modules/dep/package.json": `{"name":"dep","version":"1.0.0","types":"index.d.ts"}`,
		"node_modules/dep/index.d.ts":   "export * from './lib';",
		"node_modules/dep/lib.d.ts":     "export declare function dep(x: number): number;",
	}
	body := strings.Repeat("  if (x > 1) { x = dep(x) * 2 } else { x = [1, 2, 3].map((y) => y + x)[0] ?? 0 }\n", 20)
	for i := range n {
		dir := fmt.Sprintf("src/m%d", i/10)
		other := (i*7 + 3) % n
		files[fmt.Sprintf("%s/f%d.ts", dir, i)] = fmt.Sprintf(
			"import { dep } from 'dep'\nimport { f%d, type T%d } from '@/m%d'\nimport type { T%d as U } from './f%d'\nexport interface T%d { a: U, b: T%d }\nexport function f%d(x: number): number {\n%s  return f%d(x)\n}\nexport const later = () => import('./f%d')\n",
			other, other, other/10, i, i, i, other, i, body, other, i)
		files[dir+"/index.ts"] += fmt.Sprintf("export * from './f%d'\n", i)
	}
	return files
}

// BenchmarkBuild makes the graph of a small and of a large repository, and of
// the large one a second time, with what was parsed before.
func BenchmarkBuild(b *testing.B) {
	for _, c := range []struct {
		files  int
		cached bool
	}{{500, false}, {5000, false}, {5000, true}} {
		name := fmt.Sprint(c.files)
		if c.cached {
			name += "-again"
		}
		b.Run(name, func(b *testing.B) {
			files := made(c.files)
			roots, sources := graphtest.New(b, files)
			var o Options
			if c.cached {
				o.Cache = b.TempDir()
				for i := range sources {
					sources[i].SHA256 = digest([]byte(files[sources[i].Path]))
				}
				if _, err := Build(b.Context(), roots, sources, o); err != nil {
					b.Fatal(err)
				}
				const changed = "src/m0/f0.ts"
				for i := range sources {
					if sources[i].Path == changed {
						text := []byte("import './f1'\n" + files[changed])
						sources[i] = graph.SourceFile{File: tree.Bytes(changed, text), SHA256: digest(text)}
					}
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				r, err := Build(b.Context(), roots, sources, o)
				if err != nil {
					b.Fatal(err)
				}
				if c := graph.Canonicalize(r.Graph, roots, ".stan"); len(c.Meta.Nodes) < len(sources) {
					b.Fatalf("%d nodes", len(c.Meta.Nodes))
				}
			}
		})
	}
}
