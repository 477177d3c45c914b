package brief

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/haversack-dev/haversack/internal/graph/provider"
)

// The settings of the files of testdata/settings.txtar are the lines that stand in NAME.want.
func TestSettings(t *testing.T) {
	a, err := txtar.ParseFile("testdata/settings.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(a.Files); i += 2 {
		f, want := a.Files[i], a.Files[i+1]
		if want.Name != f.Name+".want" {
			t.Fatalf("%s has no %s.want", f.Name, f.Name)
		}
		found, err := provider.Define(f.Name, f.Data)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(f.Data), "\n")
		var got strings.Builder
		for _, n := range Settings(f.Name, f.Data, found) {
			got.WriteString(strings.TrimSpace(lines[n-1]) + "\n")
		}
		if got.String() != string(want.Data) {
			t.Errorf("%s: got\n%s\nwant\n%s", f.Name, got.String(), want.Data)
		}
		if list := Settings(f.Name, f.Data, nil); list != nil {
			t.Errorf("%s: %v without definitions", f.Name, list)
		}
	}
}
