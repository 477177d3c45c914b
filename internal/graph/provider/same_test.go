package provider

import "testing"

// TestSameNeeds: in every language a text that moved down and got a comment needs what it did, one that uses something else does not.
func TestSameNeeds(t *testing.T) {
	for _, c := range []struct{ name, text, comment, other string }{
		{"a.ts", "import { malt } from './malt'\nexport const ale = malt\n", "\n", "import { malt } from './kiln'\nexport const ale = malt\n"},
		{"a.vue", "<script>\nimport malt from './malt.vue'\nexport default malt\n</script>\n", "\n", "<script>\nimport malt from './kiln.vue'\nexport default malt\n</script>\n"},
		{"a.go", "package a\n\nimport \"a/malt\"\n\nvar Ale = malt.Wet\n", "// wet\n", "package a\n\nimport \"a/malt\"\n\nvar Ale = malt.Dry\n"},
		{"a.py", "from malt import wet\n\n\ndef ale():\n    return wet()\n", "# wet\n", "from malt import dry\n\n\ndef ale():\n    return dry()\n"},
		{"A.java", "package a;\n\nclass A extends Malt { Wet w; }\n", "// wet\n", "package a;\n\nclass A extends Malt { Dry w; }\n"},
		{"A.kt", "package a\n\nclass A : Malt() { val w = Wet() }\n", "// wet\n", "package a\n\nclass A : Malt() { val w = Dry() }\n"},
		{"A.scala", "package a\n\nclass A extends Malt { val w = new Wet }\n", "// wet\n", "package a\n\nclass A extends Malt { val w = new Dry }\n"},
		{"A.cs", "namespace A;\n\nclass Ale : Malt { Wet w; }\n", "// wet\n", "namespace A;\n\nclass Ale : Malt { Dry w; }\n"},
		{"a.php", "<?php\nnamespace A;\nclass Ale extends Malt { function w(Wet $w) {} }\n", "\n", "<?php\nnamespace A;\nclass Ale extends Malt { function w(Dry $w) {} }\n"},
		{"a.rb", "class Ale < Malt\n  def w\n    Wet.new\n  end\nend\n", "# wet\n", "class Ale < Malt\n  def w\n    Dry.new\n  end\nend\n"},
		{"a.rs", "use crate::malt::Wet;\n\npub struct Ale(Wet);\n", "// wet\n", "use crate::malt::Dry;\n\npub struct Ale(Dry);\n"},
		{"a.swift", "class Ale: Malt { var w = Wet() }\n", "// wet\n", "class Ale: Malt { var w = Dry() }\n"},
		{"a.c", "#include \"malt.h\"\n\nint ale;\n", "/* wet */\n", "#include \"kiln.h\"\n\nint ale;\n"},
		{"a.sh", ". ./malt.sh\n", "# wet\n", ". ./kiln.sh\n"},
		{"a.proto", "syntax = \"proto3\";\nimport \"malt.proto\";\n", "// wet\n", "syntax = \"proto3\";\nimport \"kiln.proto\";\n"},
		{"a.md", "See [malt](malt.md).\n", "wet\n", ""},
	} {
		if !SameNeeds(c.name, []byte(c.text), []byte(c.comment+c.text)) {
			t.Errorf("%s needs something else once it moved down", c.name)
		}
		if c.other != "" && SameNeeds(c.name, []byte(c.text), []byte(c.other)) {
			t.Errorf("%s needs the same once it uses something else", c.name)
		}
	}
	if SameNeeds("bin/brew", []byte("#!/usr/bin/env ruby\nrequire_relative 'malt'\n"), []byte("#!/usr/bin/env ruby\nrequire_relative 'kiln'\n")) {
		t.Error("a program whose first line says what runs it is taken for a text")
	}
}
