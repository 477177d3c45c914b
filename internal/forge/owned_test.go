package forge

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/fault"
	"github.com/haversack-dev/haversack/internal/forge/forgetest"
)

// repositories are n of octo's, as the API names them.
func repositories(n int) (list []map[string]any) {
	for i := range n {
		list = append(list, map[string]any{"full_name": fmt.Sprintf("octo/buoy-%05d", i)})
	}
	return list
}

// TestOwned lists an organisation, and a person, of many pages: each repository once, by
// name, with as many requests as there are pages.
func TestOwned(t *testing.T) {
	for _, test := range []struct {
		owner string
		n     int
		calls int
	}{{"orgs/octo", 0, 1}, {"orgs/octo", 100, 1}, {"orgs/octo", 101, 2}, {"orgs/octo", 10_000, 100}, {"users/octo", 250, 4}} {
		s := forgetest.Start(t)
		list := repositories(test.n)
		slices.Reverse(list)
		s.Owned = map[string][]map[string]any{test.owner: list}
		c, err := ForOwner(s.URL, "octo", forgetest.Token)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Owned(context.Background(), 10_000)
		if err != nil || len(got) != test.n || len(s.Calls()) != test.calls {
			t.Errorf("%s with %d: %d by %d requests: %v", test.owner, test.n, len(got), len(s.Calls()), err)
		}
		if !slices.IsSortedFunc(got, func(a, b OwnerRepository) int { return strings.Compare(a.Name, b.Name) }) {
			t.Errorf("%s with %d is not sorted", test.owner, test.n)
		}
	}
}

// TestOwnedOdd has an owner of too many, of what is no repository of its own, one twice in
// another case, a private one that the token may not see, and none.
func TestOwnedOdd(t *testing.T) {
	name := func(s string) map[string]any { return map[string]any{"full_name": s} }
	for what, test := range map[string]struct {
		list  []map[string]any
		token string
		want  string // names, or part of the error
	}{
		"twice":          {[]map[string]any{name("octo/Gull"), name("octo/buoy"), name("Octo/gull")}, forgetest.Token, "octo/buoy octo/Gull"},
		"private":        {[]map[string]any{name("octo/buoy"), {"full_name": "octo/hidden", "private": true}}, forgetest.ReadOnly, "octo/buoy"},
		"seen":           {[]map[string]any{{"full_name": "octo/hidden", "private": true}}, forgetest.Token, "octo/hidden"},
		"too many":       {repositories(4), forgetest.Token, "there are more than 3"},
		"another's":      {[]map[string]any{name("mallory/gull")}, forgetest.Token, "the API names \"mallory/gull\", which is none"},
		"above":          {[]map[string]any{name("octo/../mallory")}, forgetest.Token, "which is none"},
		"dots":           {[]map[string]any{name("octo/..")}, forgetest.Token, "which is none"},
		"an address":     {[]map[string]any{name("https://mallory.example/octo/x")}, forgetest.Token, "which is none"},
		"of two lines":   {[]map[string]any{name("octo/gull\nmallory/x")}, forgetest.Token, "which is none"},
		"without a name": {[]map[string]any{{}}, forgetest.Token, "which is none"},
		"nobody":         {nil, forgetest.Token, "listing the repositories of octo: not found"},
		"a bad token":    {repositories(1), "ghs_other", "the API refused the token (401)"},
	} {
		s := forgetest.Start(t)
		if test.list != nil {
			s.Owned = map[string][]map[string]any{"orgs/octo": test.list}
		}
		c, err := ForOwner(s.URL, "octo", test.token)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Owned(context.Background(), 3)
		var names []string
		for _, o := range got {
			names = append(names, o.Name)
		}
		said := strings.Join(names, " ")
		if err != nil {
			said = err.Error()
		}
		if err == nil && said != test.want || !strings.Contains(said, test.want) {
			t.Errorf("%s: %q, want %q", what, said, test.want)
		}
	}
	for _, owner := range []string{"", "..", "a/b", "a?b", "a b", "ä"} {
		if _, err := ForOwner("", owner, ""); err == nil {
			t.Errorf("%q may be an owner", owner)
		}
	}
}

// TestOwnedWaits has the API ask for a pause on a later page: a short one is made, a long
// one ends the list and says when it opens again.
func TestOwnedWaits(t *testing.T) {
	for reset, want := range map[string]string{"1000030": "", "1003000": "it opens again at 1970-01-12T14:36:40Z"} {
		s := forgetest.Start(t)
		s.Owned = map[string][]map[string]any{"orgs/octo": repositories(250)}
		s.Fault = func(call forgetest.Call) *fault.Fault {
			if call.N != 3 {
				return nil
			}
			return &fault.Fault{Status: 403, Body: `{"message":"API rate limit exceeded"}`, Header: map[string][]string{"X-Ratelimit-Remaining": {"0"}, "X-Ratelimit-Reset": {reset}}}
		}
		c, waits := client(t, s)
		got, err := c.Owned(context.Background(), 1000)
		switch {
		case want == "" && (err != nil || len(got) != 250 || len(waits.Waits()) != 1 || waits.Waits()[0] < 31*time.Second):
			t.Errorf("%d, waited %v: %v", len(got), waits.Waits(), err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want) || len(waits.Waits()) > 0):
			t.Errorf("waited %v: %v", waits.Waits(), err)
		}
	}
}
