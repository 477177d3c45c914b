package lookup

import "testing"

// TestNamesFile: a file's name is no end of a longer one.
func TestNamesFile(t *testing.T) {
	for line, want := range map[string]bool{
		`x := "testdata/repo.tar.gz"`:                   true,
		`x := "a-repo.tar.gz"`:                          false,
		`x := "a-repo.tar.gz", "repo.tar.gz"`:           true,
		`repo.tar.gz`:                                   true,
		`open(my.repo.tar.gz)`:                          false,
		`open(repo.tar.gzip)`:                           false,
		`path.Join("testdata", "repo.tar.gz") // moved`: true,
	} {
		if got := namesFile([]byte(line), "repo.tar.gz"); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}
