package brief

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestCopied: what has a licence of its own and no manifest is another project's, and what is half of the code is none of it,
// nor is what leaves little of the code.
func TestCopied(t *testing.T) {
	const own = "LICENSE a.js b.js c.js d.js package.json "
	for names, want := range map[string]string{
		own + "lib/ed/ORIGINAL-ED-LICENSE lib/ed/core/e.js":                                     "lib/ed",
		own + "lib/ed/license.txt lib/ed/e.js lib/f.js":                                         "lib/ed",
		own + "libs/ed/src/LICENSE libs/ed/src/e.js":                                            "",
		own + "lib/ed/COPYING.LESSER lib/ed/e.js":                                               "lib/ed",
		own + "lib/ed/LICENSE lib/ed/package.json":                                              "",
		own + "lib/ed/LICENSE.go lib/ed/e.js":                                                   "",
		own + "dev/licenses.txt dev/gen-licenses dev/e.js":                                      "",
		own + "dev/license-header.txt dev/e.js":                                                 "",
		"LICENSE src/LICENSE src/a.js b.js":                                                     "",
		"a.js b.js c.js lib/LICENSE lib/d.js":                                                   "",
		"LICENSE m/a/license.txt m/a/x.lua m/b/license.txt m/b/x.lua m/c/license.txt m/c/x.lua": "",
	} {
		list := strings.Fields(names)
		roles := make([]Role, len(list))
		for i, name := range list {
			roles[i] = RoleOf(name)
		}
		got := strings.Join(slices.Sorted(maps.Keys(Copied(list, roles))), " ")
		if got != want {
			t.Errorf("%s: %q, want %q", names, got, want)
		}
	}
	folders := map[string]bool{"lib/ed": true}
	for name, want := range map[string]bool{"lib/ed/core/e.js": true, "lib/ed/e.js": true, "lib/edit/e.js": false, "lib/ed": false, "e.js": false, "/a/e.js": false} {
		if Within(name, folders) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}
