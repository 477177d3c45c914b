package brief

import (
	"iter"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/haversack-dev/haversack/internal/graph/provider"
)

// wanted yields the files of an archive, each with what stands in NAME.want behind it.
func wanted(t *testing.T, name string) iter.Seq2[txtar.File, string] {
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func(txtar.File, string) bool) {
		for i := 0; i < len(a.Files); i += 2 {
			f := a.Files[i]
			if i+1 == len(a.Files) || a.Files[i+1].Name != f.Name+".want" {
				t.Fatalf("%s has no %s.want", f.Name, f.Name)
			}
			if !yield(f, string(a.Files[i+1].Data)) {
				return
			}
		}
	}
}

// The settings of the files of testdata/settings.txtar are the lines that stand in NAME.want.
func TestSettings(t *testing.T) {
	for f, want := range wanted(t, "testdata/settings.txtar") {
		found, err := provider.Define(f.Name, f.Data)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(f.Data), "\n")
		var got strings.Builder
		for _, n := range Settings(f.Name, f.Data, found) {
			got.WriteString(strings.TrimSpace(lines[n-1]) + "\n")
		}
		if got.String() != want {
			t.Errorf("%s: got\n%s\nwant\n%s", f.Name, got.String(), want)
		}
		if list := Settings(f.Name, f.Data, nil); list != nil && returnedTable(f.Name, f.Data).Line == 0 {
			t.Errorf("%s: %v without definitions", f.Name, list)
		}
	}
}

// No line that the expression finds is passed over unseen, whatever it is put together from.
func TestMaySetMissesNothing(t *testing.T) {
	parts := []string{" ", "  ", "\t", "\r", "\f", "\v", "port", "Retries", "int", "_x", "$y", "@a", "ü", "'", `"`, "`", ":", "::", "=", "=>", ":=", "?", ",", ";",
		"7", "-3", "5s", "true", "True", "nil", "None", "undefined", ":id", "Duration.of(", "Color.Red", "A::B", "f(1)", "A.b().default(3)", `"a/b"`, "'`'", `"x`, "[]", "{}", "(", ")", "#", "//", "/", "*", "<", ">", "&", "|"}
	r := rand.New(rand.NewPCG(11, 29))
	found, passed := 0, 0
	rounds := 200_000
	if testing.Short() {
		rounds = 50_000
	}
	for range rounds {
		var b []byte
		for range 1 + r.IntN(9) {
			b = append(b, parts[r.IntN(len(parts))]...)
		}
		switch r.IntN(4) {
		case 0:
			b = append([]byte("\tlimit = "), b...)
		case 1:
			b = append(append([]byte("  "), b...), ` => "`+"`"+`", // none`...)
		case 2:
			b = append([]byte("  port: 8080 "), b...)
		}
		if setting.Match(b) {
			if found++; !maySet(b) {
				t.Fatalf("%q is passed over", b)
			}
		} else if !maySet(b) {
			passed++
		}
	}
	if found < 1000 || passed < 1000 {
		t.Errorf("%d lines are settings, %d are passed over: too few to tell", found, passed)
	}
}

// Fields and calls of what is no plain value are passed over: most lines of types and tables are of them.
func TestMaySetPassesOver(t *testing.T) {
	for _, line := range []string{"  port: number", "\tonClose?: () => void", "  name: other,", "  list: call(x),", "\tif x := y; x > y {"} {
		if maySet([]byte(line)) {
			t.Errorf("%q is looked at", line)
		}
	}
}
