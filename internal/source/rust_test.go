package source

import (
	"fmt"
	"strings"
	"testing"
)

// TestUses reads use declarations whole: no list is cut in its middle.
func TestUses(t *testing.T) {
	for _, c := range []struct{ text, imports, exports string }{
		{"use std::fmt;", "std::fmt", ""},
		{"use serde::{Deserialize, Serialize};", "serde::Deserialize serde::Serialize", ""},
		{"use std::{io::{self, Read}, sync::Arc};", "std::io std::io::Read std::sync::Arc", ""},
		{"pub use a::{B, c::{D as E, F as _}, g::*};", "a::B a::c::D a::c::F a::g::*", "B E a::g::*"},
		{"pub use a::{\n    B, // the first; of two\n    /* and */ C,\n};", "a::B a::C", "B C"},
		{"pub(crate) use a::B;", "a::B", ""},
		{"    use super::*;", "super::*", ""},
		{"use {a::B, ::c::D};", "a::B ::c::D", ""},
		{"use r#try::X;", "r#try::X", ""},
		{"use a::{B,", "", ""},
		{"// use a::B;", "", ""},
		{"used(a);", "", ""},
		{"use " + strings.Repeat("a::{", 5000) + "b;", "", ""},
		{"use " + strings.Repeat("{", 1000) + "b" + strings.Repeat("}", 1000) + ";", "", ""},
	} {
		b := []byte(c.text)
		l := LanguageOf("a.rs")
		o := l.look("a.rs", b, l.parts(b), true)
		if got := strings.Join(o.Imports, " "); got != c.imports {
			t.Errorf("%s: imports %s, want %s", c.text, got, c.imports)
		}
		if got := strings.Join(o.Exports, " "); got != c.exports {
			t.Errorf("%s: exports %s, want %s", c.text, got, c.exports)
		}
	}
	// A file of many declarations without an end costs as much as its bytes.
	var b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&b, "use a%d::{\n", i)
	}
	l := LanguageOf("a.rs")
	l.look("a.rs", []byte(b.String()), l.parts([]byte(b.String())), true)
}
