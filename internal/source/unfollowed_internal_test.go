package source

import (
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/language"
)

// TestMayLoadMissesNothing: whatever the tokens find, the bytes let through, however it is written; and literals alone are kept out.
func TestMayLoadMissesNothing(t *testing.T) {
	names := map[string]string{"script": "a.ts", "Python": "a.py", "JVM": "A.java", ".NET": "a.cs", "PHP": "a.php", "Ruby": "a.rb", "C": "a.c", "Swift": "a.swift", "Lua": "a.lua", "Elixir": "a.ex", "Go": "a.go"}
	gaps := []string{"", " ", "\n", "\t \r\n", "/* c */", strings.Repeat(" ", maxLiteral)}
	things := []string{"x", `"a"`, "'a'", "`a`", `"a" + x`, "\"a\"\n+ x", `"a${x}"`, `"a#{x}"`, `"a\\"" + x`, "'a' % x", "f(x)", "", `"` + strings.Repeat("a", maxLiteral) + `" + x`, "[x]", "HEADER", "'a', x", "'a'.b + c"}
	found, kept := 0, 0
	for family, name := range names {
		l := language.Of(name)
		if l == nil || l.Family != family {
			t.Fatalf("%s is of no language of %s", name, family)
		}
		forms := strings.Fields(loaders[family])
		for _, form := range forms {
			for _, gap := range gaps {
				for _, thing := range things {
					for _, around := range [][2]string{{"(", ")"}, {"( ", " )"}, {"(\n", "\n)"}, {" ", ""}, {" ", ";"}} {
						if family == "Swift" && strings.Contains(thing, "'") {
							continue // no string there
						}
						text := "\n" + form + gap + around[0] + thing + around[1] + "\n"
						if family == "PHP" {
							text = "<?php" + text
						}
						all := loads(l, name, []byte(text), forms)
						if got := LoadsUnseen(name, []byte(text)); !slices.Equal(got, all) {
							t.Errorf("%s: %q: %v, by tokens %v", name, text, got, all)
						}
						if len(all) > 0 {
							found++
						}
						if !mayLoad([]byte(text), form, bareLoaders[family]) {
							kept++
						}
					}
				}
			}
		}
	}
	if found < 1000 || kept < 1000 {
		t.Errorf("%d texts load something and %d are kept out: too few to tell", found, kept)
	}
}
