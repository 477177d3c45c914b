package secret

import (
	"strings"
	"testing"
)

// TestBlocks holds that settings are read in the texts of several lines that programs hold, and that a program is not read so.
func TestBlocks(t *testing.T) {
	s := newScanner(t)
	const value = "mRV4o3fvKCsm" + "KXuy"
	for _, c := range []struct{ path, text string }{
		{"a.go", "var c = `\nuser: svc\npassW: {}\n`\n"},
		{"a.go", "var sep = `\\`\nvar c = `\nuser: svc\npassW: {}\n`\n"},
		{"a.go", "// don't\nf(`\nDB_PASSW={}\n`)\n"},
		{"a.ts", "const c = `\n[db]\npassW = {}\n`;\n"},
		{"a.ts", "/* ` */ const c = ini`\npassW = {}\n`;\n"},
		{"a.py", "CONF = \"\"\"\nuser: svc\npassW: {}\n\"\"\"\n"},
		{"a.py", "def f():\n    \"\"\"Don't \\\" ask.\"\"\"\n    return '''\npassW: {}\n'''\n"},
		{"A.java", "  String s = \"\"\"\n      db.passW={}\n      \"\"\";\n"},
		{"a.rb", "CONF = <<~EOS\n  user: svc\n  passW: {}\nEOS\n"},
		{"a.php", "$c = <<<'EOT'\nuser=svc\npassW={}\n  EOT;\n"},
		{"a.rs", "let c = r#\"\n[db]\npassW = {}\n\"#;\n"},
	} {
		text := strings.NewReplacer("passW", "pass"+"word", "PASSW", "PASS"+"WORD", "{}", value).Replace(c.text)
		found, err := s.Scan(c.path, []byte(text), nil)
		if err != nil || len(found) != 1 || text[found[0].Start:found[0].End] != value {
			t.Errorf("%s: %q: %v, %v", c.path, text, found, err)
		}
	}
	for _, c := range []struct{ path, text string }{
		{"a.go", "var c = `\na\n`\nvar pass" + "word = configuredPasswordOf\n"},
		{"a.py", "\"\"\"\npass" + "word: thePasswordOfUser\n\"\"\"\n"},
		{"a.ts", "const a = /`/;\nfunction f() { pass" + "word = thePasswordOfUser;\n}\nconst b = `x`;\n"},
		{"a.rb", "list <<MAIN\npass" + "word = thePasswordOfUser\n"},
	} {
		if found, err := s.Scan(c.path, []byte(c.text), nil); err != nil || len(found) > 0 {
			t.Errorf("%s: %q: %v, %v", c.path, c.text, found, err)
		}
	}
}

// TestBlocksCost holds that texts that do not close cost no more than others.
func TestBlocksCost(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	s := newScanner(t)
	for _, c := range []struct{ path, again string }{
		{"a.go", "/*"}, {"a.go", "`"}, {"a.go", `\"`}, {"a.py", `"""`}, {"a.py", `\"`}, {"a.rs", `#"`}, {"a.rb", "<<EOS\n"}, {"a.ts", "\\`"}, {"a.js", "'\"`"},
	} {
		text := "x.pass" + "word = thePassword\n" + strings.Repeat(c.again, 2<<20/len(c.again))
		r := s.runs.Get().(*run)
		r.reset(c.path, []byte(text))
		r.insideBlock(len(text) - 1)
		if r.spent > r.limit {
			t.Errorf("%s of %q: %d of %d", c.path, c.again, r.spent, r.limit)
		}
		s.runs.Put(r)
	}
}
