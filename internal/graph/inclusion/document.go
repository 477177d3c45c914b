package inclusion

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

var mdxImport = lazyregexp.New(`^(?:import|export)\b[^"']*?(?:\bfrom[ \t]*)?["']([^"']+)["'][ \t]*;?[ \t\r]*$`)

// readMDX finds import, and export from, outside of code.
func readMDX(f *file, src []byte) {
	fence := ""
	for line := range bytes.Lines(src) {
		text := strings.TrimRight(string(line[:min(len(line), 4*maxName)]), "\r\n")
		if start := strings.TrimLeft(text, " "); strings.HasPrefix(start, "```") || strings.HasPrefix(start, "~~~") {
			switch {
			case fence == "":
				fence = start[:3]
			case strings.HasPrefix(start, fence):
				fence = ""
			}
			continue
		}
		if fence != "" || !strings.HasPrefix(text, "import") && !strings.HasPrefix(text, "export") && !strings.HasPrefix(text, "}") {
			continue
		}
		if rest, ok := strings.CutPrefix(text, "}"); ok { // the end of names on several lines
			text = "import {}" + rest
		}
		if m := mdxImport.FindStringSubmatch(text); m != nil && (strings.HasPrefix(text, "import") || strings.Contains(text, " from ")) {
			f.refer(m[1], plain)
		}
	}
}

// resolveMDX leads to a path beside the document, with the endings that bundlers try.
func resolveMDX(b *builder, f *file, r reference) answer {
	if !strings.HasPrefix(r.name, "./") && !strings.HasPrefix(r.name, "../") {
		return answer{outside: true}
	}
	name, _, _ := strings.Cut(r.name, "?")
	for _, end := range []string{"", ".tsx", ".ts", ".jsx", ".js", ".mjs", ".mdx", ".md", ".json", ".vue", ".svelte", ".astro", "/index.tsx", "/index.ts", "/index.jsx", "/index.js", "/index.mdx"} {
		if a, ok := b.beside(f.dir, name+end); ok {
			return a
		}
	}
	return answer{outside: true}
}
