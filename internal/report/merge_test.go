package report

import "testing"

// TestMergeWords: of a merge's message stays what a person wrote.
func TestMergeWords(t *testing.T) {
	for message, want := range map[string]string{
		"Merge pull request #8 from a/b\n\nThe door opens\n":                              "The door opens",
		"Merge branch 'main' into door\n":                                                 "",
		"Merge branch 'main' into door\n\nThe lock is new.\n\n# Conflicts:\n#\tdoor.go\n": "The lock is new.",
		"Merge branch 'x'\n\nConflicts:\n\tdoor.go\n":                                     "",
		"Merge 1a2b3c4d into 5e6f7a8b":                                                    "",
		"Merge sort is stable\n\nIt is.":                                                  "Merge sort is stable\n\nIt is.",
		"":                                                                                "",
	} {
		if got := mergeWords(message); got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
}
