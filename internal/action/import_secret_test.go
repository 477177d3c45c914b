package action

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/repotest"
)

// TestImportWithPassword: an import that is an address with a password is
// redacted where it becomes an id, and stops nothing.
func TestImportWithPassword(t *testing.T) {
	secret := "Tr0ub4dor" + "x9Qz7"
	r := repotest.New(t, "-- a.ts --\nimport x from 'https://deploy:"+secret+"@cdn.internal.acme.io/x.js';\nexport default x;\n"+
		"-- .stan/context/dependency.state.json --\n{\"v\":2,\"i\":[\"a.ts\"]}\n")
	out, err := execute(t, r.Dir, nil, "--base", "none")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dir := filepath.Join(r.Dir, ".stan", "output")
	meta := string(member(t, filepath.Join(dir, "archive.tar"), ".stan/context/dependency.meta.json"))
	if strings.Contains(meta, secret) || !strings.Contains(meta, "REDACTED") {
		t.Errorf("meta: %s", meta)
	}
}
