package action

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/repotest"
)

// TestReadmeShows holds what the README shows of the tool against what the tool prints, on a
// small repository: go test ./internal/action -update writes it anew.
func TestReadmeShows(t *testing.T) {
	files, err := os.ReadFile("testdata/readme.txtar")
	if err != nil {
		t.Fatal(err)
	}
	r := repotest.New(t, string(files))
	r.Git("checkout", "--quiet", "-b", "stop-words")
	r.Commit("Leave out stop words\n-- src/count.ts --\n" + `const stop = new Set(["a", "the", "of"]);

// Counts how often each word stands in a text, without stop words.
export function count(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of text.toLowerCase().split(/\W+/)) {
    if (word && !stop.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}
`)
	var shown strings.Builder
	shown.WriteString("```console\n")
	for _, line := range []string{"haversack", "haversack context --base main", "haversack why src/rank.ts"} {
		var seen bytes.Buffer
		p := job.Process{Args: strings.Fields(line)[1:], Dir: r.Dir, Terminal: true, Width: 80, Blocks: true, Stdout: &seen, Stderr: &seen, Getenv: func(string) string { return "" }}
		if err := (&Command{Process: p}).Run(t.Context()); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, seen.String())
		}
		shown.WriteString("$ " + line + "\n" + seen.String())
	}
	shown.WriteString("```\n")
	compareFile(t, "../../README.md", func(old string) string { return between(t, old, "shown", shown.String()) })
}
