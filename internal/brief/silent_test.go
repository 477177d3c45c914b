package brief

import (
	"slices"
	"testing"

	"github.com/haversack-dev/haversack/internal/rank"
)

// A passage of a test that names nothing that a change touches is needed less; what is no test is left as it is.
func TestSilent(t *testing.T) {
	list := []rank.Passage{{Text: []byte("it \"moors\" do\n  quay.moor_ship\nend\n")}, {Text: []byte("it \"sails\" do\n  quay.sail\nend\n")}}
	touched := map[string]bool{"moor_ship": true, "sai": true}
	test := &Source{Path: "spec/quay_spec.rb", Needs: []int64{7, 7}}
	if got := test.silent(list, touched); !slices.Equal(got, []bool{false, true}) {
		t.Errorf("silent %v", got)
	}
	lowerSilent([]*Source{test}, [][]bool{{false, true}})
	if !slices.Equal(test.Needs, []int64{7, 7 - ofSilentTest}) {
		t.Errorf("needs %v", test.Needs)
	}
	if got := (&Source{Path: "app/quay.rb"}).silent(list, touched); got != nil {
		t.Errorf("code is silent: %v", got)
	}
	if got := test.silent(list, nil); got != nil {
		t.Errorf("nothing is touched, and silent is %v", got)
	}
}
