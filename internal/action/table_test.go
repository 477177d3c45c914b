package action

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/job"
)

var update = flag.Bool("update", false, "rewrite the tables in action.yml and README.md")

// TestTables holds action.yml, the README and --help against the one
// declaration of inputs and outputs.
func TestTables(t *testing.T) {
	compareFile(t, "../../action.yml", func(string) string { return actionYML() })
	for line := range strings.Lines(actionYML()) {
		if strings.Contains(line, "description:") && strings.Contains(line, "${{") {
			t.Errorf("action.yml: a runner evaluates the expression in %s, and takes none there", line)
		}
	}
	compareFile(t, "../../.github/workflows/context.yml", func(string) string { return contextYML() })
	compareFile(t, "../../README.md", func(old string) string {
		return between(t, between(t, old, "inputs", inputTable()), "outputs", outputTable())
	})
	compareFile(t, "../../docs/operate.md", func(old string) string { return between(t, old, "shared", sharedInputs()) })
	var help bytes.Buffer
	cmd := Command{Process: job.Process{Args: []string{"--help"}, Getenv: func(string) string { return "" }, Stdout: &help, Stderr: &help}}
	if err := cmd.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, d := range job.InputTable {
		if !strings.Contains(help.String(), "\n  "+strings.Fields(flagOf(&d))[0]) {
			t.Errorf("--help does not name the input %s", d.Name)
		}
	}
}

func compareFile(t *testing.T, name string, want func(old string) string) {
	t.Helper()
	got, err := os.ReadFile(name)
	if err != nil && !*update {
		t.Fatal(err)
	}
	w := want(string(got))
	if string(got) == w {
		return
	}
	if !*update {
		t.Errorf("%s is not what the tables say; run go test ./internal/action -update", name)
		return
	}
	if err := os.WriteFile(name, []byte(w), 0o644); err != nil {
		t.Fatal(err)
	}
}

// between replaces what stands between the marks <!-- name --> and <!-- /name -->.
func between(t *testing.T, s, name, table string) string {
	t.Helper()
	open, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
	i, j := strings.Index(s, open), strings.Index(s, end)
	if i < 0 || j < i {
		t.Fatalf("the page lacks the marks of the table %s", name)
	}
	return s[:i+len(open)] + table + s[j:]
}
