package rank

import (
	"context"
	"slices"
	"testing"

	"github.com/haversack-dev/haversack/internal/tree"
)

// judged is a small repository in which one file defines what another one uses.
func judged(t *testing.T) (*Order, []Divided) {
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
	return order, []Divided{
		{"b/ship.go", func() []Passage {
			return []Passage{{Text: []byte(user), Defines: "Ship"}, {Text: []byte(other), Defines: "Paint"}}
		}},
		{"c/wall.go", func() []Passage { return []Passage{{Text: []byte(other), Defines: "Paint"}} }},
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

// The chances rise with the need, and one that is asked for is met.
func TestChances(t *testing.T) {
	for i := 1; i < len(chances); i++ {
		if chances[i][0] <= chances[i-1][0] || chances[i][1] < chances[i-1][1] {
			t.Errorf("%v follows %v", chances[i], chances[i-1])
		}
	}
	for _, chance := range []int64{1, 50, 500, 5000} {
		if need := NeedAt(chance); Chance(need) < chance || Chance(need-1) >= chance {
			t.Errorf("a chance of %d from %d on, which has %d; below it %d", chance, need, Chance(need), Chance(need-1))
		}
	}
}

// The names of the features are those of the constants, of which the table is made.
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
