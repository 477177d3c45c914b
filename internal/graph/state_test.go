package graph

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestState reads testdata/states.txt: a line of JSON, then what it becomes.
func TestState(t *testing.T) {
	b, err := os.ReadFile("testdata/states.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for block := range strings.SplitSeq(string(b), "\n\n") {
		var lines []string
		for l := range strings.Lines(block) {
			if l = strings.TrimSpace(l); l != "" && l[0] != '#' {
				lines = append(lines, l)
			}
		}
		if len(lines) == 0 {
			continue
		}
		n++
		input := strings.NewReplacer(`<tab>`, "\t").Replace(lines[0])
		s, warnings, err := ParseState("state", []byte(input))
		var got []string
		if err != nil {
			got = strings.Split("! "+strings.ReplaceAll(err.Error(), "\n", "\n! "), "\n")
		} else {
			got = append(got, "= "+strings.TrimSpace(string(s.Encode())))
		}
		for _, w := range warnings {
			got = append(got, "? "+w.String())
		}
		if g, w := strings.Join(got, "\n"), strings.Join(lines[1:], "\n"); g != w {
			t.Errorf("%s\ngot\n%s\nwant\n%s", lines[0], g, w)
		}
	}
	if n < 20 {
		t.Errorf("only %d cases", n)
	}
	if _, _, err := ParseState("state", make([]byte, MaxState+1)); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("too large: %v", err)
	}
}

func TestParseEntry(t *testing.T) {
	for in, want := range map[string]string{
		"src/index.ts":                "src/index.ts",
		"src/index.ts@2:runtime":      "src/index.ts@2:runtime",
		"src/index.ts@2:type+runtime": "src/index.ts@2:runtime+type",
		"src/index.ts@0":              "src/index.ts",
		"src/index.ts@1:all":          "src/index.ts@1",
		"a@1:none":                    "a@1:none",
		"npm/@scope/x.ts":             "npm/@scope/x.ts",
		`src\a.ts`:                    "src/a.ts",
		"a@1:nope":                    `entry "a@1:nope": "nope" is not runtime, type, dynamic, all or none`,
		"/etc/passwd":                 `entry "/etc/passwd": the id must be relative to the repository`,
		"../x":                        `entry "../x": the id must not hold ..`,
		"":                            `entry "": the id must not be empty`,
	} {
		e, err := ParseEntry(in)
		got := e.String()
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
		if err == nil {
			if again, err := ParseEntry(got); err != nil || again != e {
				t.Errorf("%q: %q reads back as %v, %v", in, got, again, err)
			}
		}
	}
}

func FuzzState(f *testing.F) {
	f.Add([]byte(`{"v":2,"i":["a",["b",1],["c",2,5]],"x":[["d",1,["type"]]]}`))
	f.Add([]byte(`{"v":2}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, _, err := ParseState("state", b)
		if err != nil {
			return
		}
		first := s.Encode()
		again, _, err := ParseState("state", first)
		if err != nil {
			t.Fatalf("%s: %v", first, err)
		}
		if second := again.Encode(); string(second) != string(first) {
			t.Fatalf("%s then %s", first, second)
		}
		Select(chain(), Wish{State: s})
	})
}

func FuzzMeta(f *testing.F) {
	f.Add(chain().Encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := ParseMeta(b)
		if err != nil {
			return
		}
		first := m.Encode()
		again, err := ParseMeta(first)
		if err != nil {
			t.Fatalf("%s: %v", first, err)
		}
		if second := again.Encode(); string(second) != string(first) {
			t.Fatalf("%s then %s", first, second)
		}
	})
}

func TestLooseEntry(t *testing.T) {
	for s, want := range map[string]any{"a": "a", "2@2": []any{"2", 2.0}, "x@y": "x@y", "@s/a": "@s/a", "a@1:type": []any{"a", 1.0, 2.0}, "a@0:none": []any{"a", 0.0, 0.0}} {
		if got, err := LooseEntry(s); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %v %v, want %v", s, got, err, want)
		}
	}
	if _, err := LooseEntry("a@1:tpye"); err == nil || err.Error() != `entry "a@1:tpye": "tpye" is not runtime, type, dynamic, all or none` {
		t.Error(err)
	}
}
