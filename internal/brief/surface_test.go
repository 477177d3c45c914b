package brief

import (
	"fmt"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/source"
	"github.com/haversack-dev/haversack/internal/tokens"
)

// Programs are named as their files, or as the folders of those that are called as many are; scripts that lie many together are none.
func TestPrograms(t *testing.T) {
	r := &Repository{Counter: &tokens.Counter{}, Tokens: 32_000, Read: func(int) Content { return Content{} }}
	var begins []source.Beginning
	add := func(name string, script bool) {
		r.Members = append(r.Members, Member{Path: name, Size: 10})
		begins = append(begins, source.Beginning{Line: len(begins) + 1, Script: script})
	}
	add("src/Quay.Web/Program.cs", false)
	add("src/Keel.java", false)
	add("quay.sh", true)
	for n := range crowd + 1 {
		add(fmt.Sprintf("parts/part%d.sh", n), true)
	}
	r.Surface = func(i int) source.Surface { return source.Surface{Begins: begins[i]} }
	_, got, _ := strings.Cut(strings.Join(r.Document(), ""), "### Programs, and where they begin\n\n")
	got, _, _ = strings.Cut(got, "\n\n")
	const want = "- `Keel`: `src/Keel.java:2`\n- `Quay.Web`: `src/Quay.Web/Program.cs:1`\n- `quay.sh`: `quay.sh:3`"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
