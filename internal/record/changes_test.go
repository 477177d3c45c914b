package record

import (
	"testing"
)

// TestChangesMarshal: written one after the other, changes are what encoding/json makes of all of them.
func TestChangesMarshal(t *testing.T) {
	size := int64(12)
	odd := ChangeEntry{Status: "M", Path: "a\"changes\": [", OldPath: "<b>\u2028", Size: &size, SHA256: "00ff"}
	for _, c := range []Changes{
		{Changes: []ChangeEntry{}},
		{Base: `"changes": [`, Head: `\"changes": []`, Changes: []ChangeEntry{{Status: "D", Path: "x"}}},
		{Base: "b", Head: "h", Changes: []ChangeEntry{odd, {}, odd}, Also: []AlsoEntry{{Path: `"changes": [`}}, Dropped: []string{"d", "e"}},
	} {
		got, err := c.MarshalWith(len(c.Changes), func(i int) ChangeEntry { return c.Changes[i] })
		if err != nil {
			t.Fatal(err)
		}
		want, err := Marshal(c, "  ")
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}
