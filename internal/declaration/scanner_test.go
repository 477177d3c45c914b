package declaration

import (
	"strings"
	"testing"
)

func TestTokens(t *testing.T) {
	for name, c := range map[string][2]string{
		"a.java":  {"import a.B; // no\n/* no */ class X { String s = \"no {\"; char c = '\"'; }", `import a . B ; class X { String s = "no {" ; char c = '"' ; }`},
		"a.kt":    {"val s = \"${A.b(\"${C}\")} $d\"\nclass `x y`", "val s = \"${A.b(\"${C}\")} $d\" ; A . b ( \"${C}\" ; C ; ) ; ; d ; \n class `x y`"},
		"a.cs":    {"#if X\nvar s = $\"{{no}} {A.B:no} {c}\"; \"{no}\"\n#endif", `if X var s = $"{{no}} {A.B:no} {c}" ; A . B ; ; c ; ; "{no}" endif`},
		"a.php":   {"<p>no</p><?php use A\\B; # no\n ?>no<?= C::D ?>", `use A\B ; ? = C : : D ?`},
		"a.rb":    {"x = \"#{A::B} no\" # no\ny", "x = \"#{A::B} no\" ; A : : B ; \n y"},
		"a.ts":    {"x = /no'/ / 2 // no\n`${a.b('c')} no`", "x = /no'/ / 2 \n `${a.b('c')} no` ; a . b ( 'c' ) ;"},
		"a.py":    {"x = rf'{a.b:>3} {{no}}' # no\ny = '{no}'", "x = rf '{a.b:>3} {{no}}' ; a . b ; \n y = '{no}'"},
		"a.swift": {"x = \"\\(a.b(\"c\")) no\"", "x = \"\\(a.b(\"c\")) no\" ; a . b ( \"c\" ) ;"},
		"a.dart":  {"x = '$a ${b.c} \\$no';", "x = '$a ${b.c} \\$no' ; a ; ; b . c ; ;"},
		"a.ex":    {"x = \"#{a.b} no\"", "x = \"#{a.b} no\" ; a . b ;"},
		"a.scala": {"x = s\"$a\" + \"$no\" + '\"' + a", "x = s \"$a\" ; a ; + \"$no\" + '\"' + a"},
		"b.php":   {"<?php $x = \"$a {$b->c} {no}\";", "$x = \"$a {$b->c} {no}\" ; a ; ; $b - > c ; ;"},
		"a.go":    {"x := `no` // no\ny", "x : = `no` \n y"},
		"a.txt":   {"word", ""},
	} {
		var got []string
		for _, x := range Tokens(nil, name, []byte(c[0])) {
			if x.Start == x.End {
				got = append(got, string(x.Kind))
			} else {
				got = append(got, c[0][x.Start:x.End])
			}
		}
		if s := strings.Join(got, " "); s != c[1] {
			t.Errorf("%s: got\n%q\nwant\n%q", name, s, c[1])
		}
	}
}

// FuzzTokens checks that tokens stand in the text, in order but for those of strings, and that there are no more of them than bytes.
func FuzzTokens(f *testing.F) {
	for _, extension := range []string{"java", "kt", "scala", "cs", "php", "rb", "ts", "go", "py"} {
		f.Add(extension, []byte("#if\n\"${a}\" 'b' {\"#{c}\" $\"{d}\" <<E\nE\n <?php /* ` @\"\"\" "))
	}
	f.Fuzz(func(t *testing.T, extension string, content []byte) {
		list := Tokens(nil, "a."+extension, content)
		if len(list) > 8*len(content)+8 {
			t.Fatalf("%d tokens of %d bytes", len(list), len(content))
		}
		for _, x := range list {
			if x.Start < 0 || x.Start > x.End || int(x.End) > len(content) || x.Line < 1 {
				t.Fatalf("%+v of %d bytes", x, len(content))
			}
		}
	})
}

func BenchmarkTokens(b *testing.B) {
	text := []byte(strings.Repeat("/** Doc of it. */\npublic final class A<T extends B> { private int x = call(\"text\", 'c', 12); }\n", 10_000))
	b.SetBytes(int64(len(text)))
	var list []Token
	for b.Loop() {
		list = Tokens(list[:0], "a.java", text)
	}
}
