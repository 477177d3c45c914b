package scan

import "testing"

func FuzzIgnore(f *testing.F) {
	f.Add([]byte("*.log\n!a/b.log\n/x/**/y\n[a-z]\\ \n"), "a/b.log")
	f.Fuzz(func(t *testing.T, content []byte, name string) {
		if len(content) > 1000 || len(name) > 200 {
			return
		}
		file := parseIgnore(".gitignore", ".", content)
		first, one := file.match(name, false)
		again, two := file.match(name, false)
		if one != two || first != again {
			t.Errorf("%q: another answer the second time", name)
		}
	})
}
