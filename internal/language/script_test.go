package language

import "testing"

func TestAs(t *testing.T) {
	for _, c := range [][3]string{
		{"bin/tool", "#!/usr/bin/env ruby\nputs 1\n", "bin/tool.rb"},
		{"bin/tool", "#! /usr/local/bin/ruby2.7 -w\r\n", "bin/tool.rb"},
		{"tool", "#!/bin/sh", "tool.sh"},
		{"configure", "#! /bin/bash -e\n", "configure.sh"},
		{"a/b", "#!/usr/bin/env -S python3.12 -u\n", "a/b.py"},
		{"a/b", "#!/usr/bin/env -Snode --no-warnings\n", "a/b.js"},
		{"a/b", "#!/usr/bin/env -i LANG=C perl -T\n", "a/b.pl"},
		{"a/b", "#!/usr/bin/env -S uv run --script\n", "a/b.py"},
		{"a/b", "#!/usr/bin/env -S deno run --allow-net\n", "a/b.ts"},
		{"a/b", "#!/usr/bin/php8.2\n", "a/b.php"},
		{"a/b", "#!/usr/bin/env uv tool\n", "a/b"},
		{"a/b", "#!/usr/bin/env\n", "a/b"},
		{"a/b", "#!\n", "a/b"},
		{"a/b", "#!", "a/b"},
		{"a/b", "", "a/b"},
		{"a/b", " #!/bin/sh\n", "a/b"},
		{"a/b", "#!/opt/own-tool\n", "a/b"},
		{"a/b.txt", "#!/bin/sh\n", "a/b.txt"},
		{"a/b.x", "#!/bin/sh\n", "a/b.x"},
		{".hook", "#!/bin/sh\n", ".hook"},
		{"Makefile", "#!/usr/bin/env ruby\n", "Makefile"},
		{"Rakefile", "#!/usr/bin/env ruby\n", "Rakefile"},
	} {
		if got := As(c[0], []byte(c[1])); got != c[2] {
			t.Errorf("As(%q, %q) is %q, want %q", c[0], c[1], got, c[2])
		}
	}
	for runner, ending := range endingOf {
		if Of("x."+ending) == nil {
			t.Errorf("%s runs texts that end in %s, which is no language", runner, ending)
		}
	}
}
