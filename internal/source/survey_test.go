package source

import (
	"testing"

	"github.com/haversack-dev/haversack/internal/scan"
)

// Strings, comments and code, told apart.
func TestParts(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"a.go", "x := \"a//b\" // c 'd\ny := `e\n\"f` + 'g'", `....."""""".///////......""""""..."""`},
		{"a.ts", "a = /[\"]/.test(`${'b'}\n`) /* c\n' */ + d / e / f", `...."""""......"""""""""../////////............`},
		{"a.py", "def f():\n  \"\"\"eval(x)\n  y\"\"\"\n  z = 'it' # don't\n", `..........."""""""""""""""""......."""".///////.`},
		{"a.rs", "fn f<'a>(s: &'a str) { \"x\" }", `......................."""..`},
		{"a.hs", "f' x = {- g -} \"h\" -- i", `.......///////.""".////`},
		{"a.lua", "x = 'a' --[[ b\n c ]] y -- z", `....""".////////////...////`},
		{"a.swift", "a /* b /* c */ d */ e", `../////////////////..`},
		{"a.sql", "x = 'it''s' -- y", `....""""""".////`},
		{"a.sh", "a=\"b\n#c\" # d", `.."""""".///`},
		{"a.rb", "=begin\nx\n=end\ny # z", `/////////////...///`},
		{"a.go", "/* not ended", `////////////`},
		{"a.rb", "x(<<-A, 1) # b\n y = 'z\n  A\nw # v", `...........///."""""""""""...///`},
		{"a.rb", "x<<A\ny\nA\n", `.........`},
		{"a.rb", "f <<~A, <<~B\na\nA\n#b\nB\nc", `.............""""""""..`},
		{"a.php", "<?php $x = <<<'EOT'\n// y\nEOT; # z", `..............""""".""""""""..///`},
		{"a.sh", "cat << 'END'\n# not\nEND\n# d", `.......""""".""""""""".///`},
		{"a.sh", "cat <<END\nnever ended\n", `......................`},
		{"a.c", "x <<A;\nA\n", `.........`},
	} {
		parts := LanguageOf(c.name).parts([]byte(c.in))
		got := make([]byte, len(parts))
		for i, p := range parts {
			got[i] = `."/`[p]
		}
		if string(got) != c.want {
			t.Errorf("%s: %q\n%s, want\n%s", c.name, c.in, got, c.want)
		}
	}
}

// A block that is handed on is no text that is evaluated.
func TestEvaluates(t *testing.T) {
	for text, want := range map[string]int{
		"instance_eval(&block) if block\n": 0, "instance_eval( &blk )\n": 0, "instance_eval(File.read(path), path, 1)\n": 1, "eval(line)\n": 1, "class_eval(code)\n": 1,
	} {
		f := &scan.File{}
		f.Path = "lib/dsl.rb"
		got := 0
		if p := examine(f, []byte(text)).Calls[evaluates]; p != nil {
			got = p.N
		}
		if got != want {
			t.Errorf("%q evaluates text %d times, want %d", text, got, want)
		}
	}
}
