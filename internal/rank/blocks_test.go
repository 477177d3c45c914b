package rank

import (
	"context"
	"slices"
	"testing"

	"github.com/haversack-dev/haversack/internal/tree"
)

// judged is a small repository in which one file defines what another one uses.
func judged(t *testing.T) (*Order, []FilePassages) {
	t.Helper()
	user := "package b\n\nfunc Ship(o Order) int {\n\treturn freightOf(o) + 1\n}\n"
	other := "package b\n\nfunc Paint(w Wall) int {\n\treturn w.Height\n}\n"
	in := Input{
		Files: []tree.File{tree.Bytes("a/freight.go", []byte("package a\n\nfunc freightOf(o Order) int { return 2 }\n")),
			tree.Bytes("b/ship.go", []byte(user+other)), tree.Bytes("c/wall.go", []byte(other))},
		Changes: []Change{{Path: "a/freight.go", Patch: []byte("@@ -3 +3 @@\n-func freightOf(o Order) int { return 1 }\n+func freightOf(o Order) int { return 2 }\n")}},
	}
	order, err := Files(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return order, []FilePassages{
		{"b/ship.go", func() []Passage {
			return []Passage{{Text: []byte(user), Defines: "Ship"}, {Text: []byte(other), Defines: "Paint"}}
		}, false},
		{"c/wall.go", func() []Passage { return []Passage{{Text: []byte(other), Defines: "Paint"}} }, false},
	}
}

// What uses a changed name is needed more than its neighbour in the file, and that more than a file that has nothing of it; in
// whatever order the files come.
func TestRows(t *testing.T) {
	order, list := judged(t)
	rows := order.Rows(list)
	uses, beside, away := BlockNeed(&rows[0][0]), BlockNeed(&rows[0][1]), BlockNeed(&rows[1][0])
	if uses <= beside || uses <= away {
		t.Errorf("what uses the name %d, beside it %d, away %d", uses, beside, away)
	}
	if rows[0][0][ofUses] != 1000 || rows[0][1][ofUses] != 0 {
		t.Errorf("uses %d and %d", rows[0][0][ofUses], rows[0][1][ofUses])
	}
	slices.Reverse(list)
	if again := order.Rows(list); !slices.Equal(again[1], rows[0]) || !slices.Equal(again[0], rows[1]) {
		t.Error("the order of the files decides")
	}
	if names := order.ByNeed(); !slices.Equal(names, []string{"b/ship.go", "c/wall.go"}) {
		t.Errorf("%q", names)
	}
}

// A line has a version where it has numbers with a dot between, a v before one, or a hash.
func TestVersioned(t *testing.T) {
	for line, want := range map[string]bool{
		`  "left-pad": "^1.3.0",`: true, "go 1.27": true, "uses: actions/attest@96b4a1e # tag": true, "image: x:v3": true, "- id: v2": true,
		"": false, "name: build": false, "timeout: 300": false, "decade": false, "a.b.c": false, "1234567": false, "vv3x": false, "x.1": false,
	} {
		if got := versioned([]byte(line)); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

// The chances rise with the need, and one that is asked for is met.
func TestChances(t *testing.T) {
	for _, list := range chances {
		for i := 1; i < len(list); i++ {
			if list[i][0] <= list[i-1][0] || list[i][1] < list[i-1][1] {
				t.Errorf("%v follows %v", list[i], list[i-1])
			}
		}
		if needAt(list, 0) != list[0][0] || needAt(list, 100_001) <= list[len(list)-1][0] {
			t.Errorf("every need has a chance of 0, and none one of more than all")
		}
		last := list[len(list)-1]
		if needAt(list, last[1]) > last[0] {
			t.Errorf("the greatest chance is met only from %d on", needAt(list, last[1]))
		}
	}
}

// The table of weights is made by the names of the features: each has one.
func TestFeatureNames(t *testing.T) {
	for f := range features {
		if f.String() == "" || f.String() == "unknown" {
			t.Errorf("feature %d has no name", f)
		}
	}
	if ofText.String() != "ofText" || allFiles.String() != "allFiles" || fileTests.String() != "fileTests" {
		t.Errorf("%v, %v, %v", ofText, allFiles, fileTests)
	}
}
