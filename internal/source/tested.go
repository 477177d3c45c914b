package source

import (
	"bytes"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// testModule begins a module of Rust that a build for tests alone has, at the left margin.
var testModule = lazyregexp.New(`(?m)^#\[cfg\((?:all\()?test\b[^\n]*\]\s*(?:#\[[^\n]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?mod\s+\w+\s*\{`)

// programEnd is where the program ends in a text of Rust whose last part is a module of tests; elsewhere it is the end of the text.
func (l *Language) programEnd(b []byte) int {
	if l.Name != "Rust" || !bytes.Contains(b, []byte("#[cfg(")) {
		return len(b)
	}
	for from := 0; ; {
		at := testModule.FindIndex(b[from:])
		if at == nil {
			return len(b)
		}
		close := bytes.Index(b[from+at[1]:], []byte("\n}"))
		if close < 0 {
			return len(b) // unfinished
		}
		end := from + at[1] + close + len("\n}")
		if len(bytes.TrimSpace(b[end:])) == 0 {
			return from + at[0]
		}
		from = end
	}
}
