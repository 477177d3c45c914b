package source

import "testing"

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
