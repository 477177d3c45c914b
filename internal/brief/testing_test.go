package brief

import (
	"slices"
	"strings"
	"testing"
)

// Of a script of tests stand its commands, behind what runs it; a script of benchmarks tests nothing.
func TestTestScripts(t *testing.T) {
	got := commandsOf(strings.Split("#!/bin/bash\nset -e\nmkdir -p out\nrm -rf out/log\nexec > >(tee out/log)\nlog_callout \"Testing\"\nmake quay\nexec quay test ./...\n", "\n"))
	if want := []int{7, 8}; !slices.Equal(got, want) {
		t.Errorf("commands of a script: %v, want %v", got, want)
	}
	files := map[string]string{
		"README.md": "It moors.\n", "Makefile": "load:\n\t./scripts/benchmark_test.sh put\ntest:\n\tPASSES=unit ./scripts/test.sh\n",
		"scripts/test.sh": "quay build\nquay test ./...\n", "scripts/benchmark_test.sh": "quay load\nquay test --bench\n",
	}
	document := strings.Join(described(files, 4000, 0).Document(), "")
	made, script := strings.Index(document, "### `Makefile`"), strings.Index(document, "### `scripts/test.sh`")
	if made < 0 || script < made || strings.Contains(document, "### `scripts/benchmark_test.sh`\n\n```sh\n1\tquay load") {
		t.Errorf("the Makefile stands at %d, the script of its tests at %d:\n%s", made, script, document)
	}
}
