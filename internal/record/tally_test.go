package record

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTallyOfChange reads what a change weighs, from records that may be anybody's: no number
// contradicts another, and one that no repository has is an error.
func TestTallyOfChange(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       *Impact
		fault      string
	}{
		{name: "all of it", text: `{"change":{"files":7,"lines_added":311,"lines_removed":5,"dependents":18,"sources":6,"untested":2}}`,
			want: &Impact{Files: 7, Added: 311, Removed: 5, Dependents: 18, Sources: 6, Untested: 2}},
		{name: "part of it, and what nobody asks for", text: `{"change":{"files":2,"mood":["good"],"dependents":1}}`, want: &Impact{Files: 2, Dependents: 1}},
		{name: "more untested than there are", text: `{"change":{"sources":3,"untested":90}}`, want: &Impact{Sources: 3, Untested: 3}},
		{name: "no base", text: `{"change":null}`},
		{name: "an empty one", text: `{"change":{}}`},
		{name: "too many lines", text: `{"change":{"lines_added":1000000001}}`, fault: "lines_added of its change are 1000000001"},
		{name: "less than nothing", text: `{"change":{"files":-1}}`, fault: "at byte"},
		{name: "no number", text: `{"change":{"files":"many"}}`, fault: "at byte"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := tallyOf(strings.NewReader(test.text))
			if test.fault != "" {
				if err == nil || !strings.Contains(err.Error(), test.fault) {
					t.Errorf("error %v, want %q", err, test.fault)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(test.want, got.Change); d != "" {
				t.Error(d)
			}
		})
	}
}
