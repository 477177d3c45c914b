package secret

import (
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// TestDerived holds that derived.txt has the derivation of each rule's expression, and reads as what was derived.
func TestDerived(t *testing.T) {
	var w derivationWriter
	want := map[uint64]derivation{}
	_, err := newTableOf(ownRules, func(source string, name bool) (d derivation, err error) {
		if d, err = derive(source); name {
			d, err = deriveName(source)
		}
		key := derivationKey(source, name)
		if _, twice := want[key]; !twice && err == nil {
			w.write(key, d)
		}
		want[key] = d
		return d, err
	})
	if err != nil {
		t.Fatal(err)
	}
	text := w.sets.String() + w.anchors.String()
	if flag.Lookup("update").Value.String() == "true" { // which the tests from outside declare
		if err := os.WriteFile("derived.txt", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if text != derivedText {
		t.Error("derived.txt is not of these rules: go test ./internal/secret -run TestDerived -update")
	}
	got, err := readDerivations(text)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Errorf("%d derivations are read, %d were made", len(got), len(want))
	}
	for key, d := range want {
		if !reflect.DeepEqual(got[key], d) {
			t.Errorf("%x reads as %+v, want %+v", key, got[key], d)
		}
	}
}

// TestDerivedIsScreened holds that the file of derivations, which names what secrets are looked for by, is scanned to its end and has none.
func TestDerivedIsScreened(t *testing.T) {
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	if found, err := s.Scan("internal/secret/derived.txt", []byte(derivedText), nil); err != nil || len(found) > 0 {
		t.Errorf("derived.txt: %d findings, %v", len(found), err)
	}
}

// TestReadDerivations refuses what is no text of derivations.
func TestReadDerivations(t *testing.T) {
	set := strings.Repeat("00", 32) + "\n"
	for _, text := range []string{"00\n", "x\n", "\n", "a\tb\n", set + "1\t\t61\t\t1\t0\t0\t0\t\t\n", set + "1\t\t6\t\t0\t0\t0\t0\t\t\n",
		set + "1\t\t61\tx\t0\t0\t0\t0\t\t\n", set + "1\t\t61\t\t0\t-1\t0\t0\t\t\n", set + "1\t\t61\t\t0\t0\t0\t0\t0*x\t\n", set + "y\t\t61\t\t0\t0\t0\t0\t\t\n"} {
		if got, err := readDerivations(text); err == nil {
			t.Errorf("%q reads as %v", text, got)
		}
	}
}

// derivationWriter writes what readDerivations reads.
type derivationWriter struct {
	sets, anchors strings.Builder
	known         map[value.ByteSet]int
}

func (w *derivationWriter) set(s value.ByteSet) int {
	n, ok := w.known[s]
	if !ok {
		if n = len(w.known); w.known == nil {
			w.known = map[value.ByteSet]int{}
		}
		w.known[s] = n
		var raw [32]byte
		for b := range 256 {
			if s.Has(byte(b)) {
				raw[b/8] |= 1 << (b % 8)
			}
		}
		fmt.Fprintln(&w.sets, hex.EncodeToString(raw[:]))
	}
	return n
}

func (w *derivationWriter) write(key uint64, d derivation) {
	for _, a := range d.anchors {
		marks := ""
		for _, m := range []struct {
			set  bool
			mark string
		}{{d.spelled, markSpelled}, {a.boundary, markBoundary}, {a.lineStart, markLineStart}} {
			if m.set {
				marks += m.mark
			}
		}
		var follow []string
		for i := 0; i < len(a.follow); {
			n := 1
			for i+n < len(a.follow) && *a.follow[i+n] == *a.follow[i] {
				n++
			}
			follow = append(follow, fmt.Sprintf("%d*%d", w.set(*a.follow[i]), n))
			i += n
		}
		fmt.Fprintf(&w.anchors, "%016x\t%s\t%x\t%x\t%d\t%d\t%d\t%d\t%s\t%x\n", key, marks, a.literal, a.exact, w.set(a.before.class), a.before.max,
			w.set(a.after.class), a.after.max, strings.Join(follow, " "), a.needs)
	}
}
