package rank

import (
	"context"
	"testing"

	"github.com/haversack-dev/haversack/internal/tree"
)

// The words that hold another tongue together are not looked for in code, nor are its words by the endings of English; names are.
func TestTongue(t *testing.T) {
	files := []tree.File{
		tree.Bytes("src/die.rs", []byte("pub fn die(language: &str) {}\npub fn dice(langs: u32) {}\n")),
		tree.Bytes("src/soft_wrap.rs", []byte("pub fn soft_wrap(cursor: u32) {}\n")),
		tree.Bytes("src/par.rs", []byte("pub fn par(del: u32, con: u32) {}\n")),
	}
	for text, want := range map[string]string{
		"Die Nummern werden beim Umbruch langer Zeilen falsch, wenn ich soft-wrap nehme und der Cursor springt": "src/soft_wrap.rs",
		"Por favor, el soft_wrap con una lista no funciona cuando la abro del panel":                            "src/soft_wrap.rs",
		"Die Nummern sind falsch, wenn ich `die` rufe und das nicht geht":                                       "src/die.rs",
		"the dice die":  "src/die.rs",
		"par of a tide": "src/par.rs",
	} {
		o, err := ForTask(context.Background(), Task{Text: []byte(text), Files: files})
		if err != nil {
			t.Fatal(err)
		}
		if got := o.Files[0].Path; got != want {
			t.Errorf("%q: %s is first, want %s: %v", text, got, want, o.Why(got))
		}
	}
	if code, got := tongueOf([]byte("the data is not there when you use des and par with que")); got != nil || code != "" {
		t.Error("English is taken for another tongue")
	}
}
