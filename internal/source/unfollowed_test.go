package source_test

import (
	"fmt"
	"testing"

	"github.com/haversack-dev/haversack/internal/source"
)

// TestLoadsUnseen: what a literal names is followed, or looked for; the rest is told by its form.
func TestLoadsUnseen(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a.js", "require('x'); require(x); // require(y)\nimport(`./${z}.js`); a.require(b); import('y'); 'require(c)'", "[{1 require(…)} {2 import(…)}]"},
		{"a.ts", "const m = await import('./' + name)\nfunction require(x) {}\n", "[{1 import(…)}]"},
		{"b.ts", "import(path.resolve(__dirname, './x')); require(join(d, 'y'))\nimport(new URL('./z', import.meta.url)); import('./w').then(f('x'))\nrequire(/* a */ './v'); require(String(\n'u'))\n", "[{1 import(…)} {1 require(…)} {3 require(…)}]"},
		{"a.py", "importlib.import_module('a.b')\nimportlib.import_module(name)\n__import__(f)\n# __import__(x)\n", "[{2 import_module(…)} {3 __import__(…)}]"},
		{"A.java", "Class.forName(\"a.B\"); Class.forName(name); loader.loadClass(n); Other.forName(x);", "[{1 Class.forName(…)} {1 loadClass(…)}]"},
		{"a.cs", "Type.GetType(name); Assembly.Load(\"x\"); Assembly.LoadFrom(path);", "[{1 Type.GetType(…)} {1 Assembly.LoadFrom(…)}]"},
		{"a.php", "<?php require 'a.php'; require $x; include __DIR__ . '/b.php'; include_once($y);", "[{1 require(…)} {1 include_once(…)}]"},
		{"a.rb", "require 'a'\nrequire name\nload(File.join(x, 'b'))\nObject.const_get(n)\ndef load(x)\nend\n", "[{2 require(…)} {4 const_get(…)}]"},
		{"a.c", "#include \"a.h\"\n#include HEADER\nvoid f(void) { dlopen(name, 1); dlopen(\"x.so\", 1); }\n", "[{2 #include} {3 dlopen(…)}]"},
		{"a.sh", "source lib.sh\n. \"$file\"\nsource \"$dir/lib.sh\"\n", "[{2 . $…}]"},
		{"a.lua", "require('a')\nrequire(name)\n", "[{2 require(…)}]"},
		{"a.swift", "NSClassFromString(name)", "[{1 NSClassFromString(…)}]"},
		{"a.md", "require(x)", "[]"},
	} {
		if got := fmt.Sprint(source.LoadsUnseen(c.name, []byte(c.text))); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
