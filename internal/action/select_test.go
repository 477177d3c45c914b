package action

import (
	"testing"

	"github.com/haversack-dev/haversack/internal/repotest"
)

// TestSelectionKeepsItsSchema: what select prints as JSON is as documented.
func TestSelectionKeepsItsSchema(t *testing.T) {
	r := repotest.New(t, "-- src/a.ts --\nimport './b';\n-- src/b.ts --\nexport {};\n")
	for _, tt := range []struct {
		schema string
		args   []string
	}{
		{"select.schema.json", []string{"select", "--json"}},
		{"select.schema.json", []string{"select", "--json", "src/a.ts@1", "--budget-tokens", "5000"}},
		{"closure.schema.json", []string{"select", "--summary", "--json", "src/a.ts@1", "nothing.ts"}},
		{"closure.schema.json", []string{"select", "--summary", "--json", "!src/a.ts"}},
	} {
		out, err := execute(t, r.Dir, map[string]string{"RUNNER_TEMP": t.TempDir()}, tt.args...)
		if err != nil {
			t.Errorf("%v: %v", tt.args, err)
			continue
		}
		validate(t, schema(t, tt.schema), []byte(out))
	}
}
