package source_test

import (
	"testing"

	"github.com/haversack-dev/haversack/internal/source"
)

// TestImportsWithin: an import that begins in the package of what is wanted may be handed on within it.
func TestImportsWithin(t *testing.T) {
	for _, c := range []struct {
		name, text, of string
		want           bool
	}{
		{"src/b.rs", "use crate::Widget;\n", "src/inner/mod.rs", true},
		{"src/b.rs", "use crate::{make, Widget as W};\n", "src/inner/mod.rs", true},
		{"src/b.rs", "use serde::Widget;\n", "src/inner/mod.rs", false},
		{"app/b.rs", "use my_crate::Widget;\n", "crates/my-crate/src/a.rs", true},
		{"src/b.rs", "use super::Other;\n", "src/inner/mod.rs", false},
		{"b.py", "from pkg import Widget\n", "pkg/core.py", true},
		{"pkg/b.py", "from . import Widget\n", "pkg/core.py", true},
		{"b.py", "from json import Widget\n", "pkg/core.py", false},
		{"b.py", "from pkg import Widget\nfrom json import Widget\n", "pkg/core.py", false},
		{"b.ts", "import { Widget } from './pkg'\n", "pkg/core.ts", false},
	} {
		m := source.NewMentions(c.name, []byte(c.text), nil)
		if got := m.ImportsWithin("Widget", c.of); got != c.want {
			t.Errorf("%s: %q of %s: %t", c.name, c.text, c.of, got)
		}
	}
}
