package pack

import (
	"bytes"
	"strings"
	"testing"
)

// What is written in one form, and given back in another, is the same in the first again.
func TestFormats(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	for seed := range uint64(6) {
		full, sum := both(t, grown(seed))
		for _, p := range []document{full, sum} {
			text := jsonOf(t, p)
			packed := render(t, func(w *bytes.Buffer) error { return Convert(w, bytes.NewReader(text), Msgpack) })
			if len(packed) >= len(text) {
				t.Errorf("seed %d: %d bytes in MessagePack, %d in JSON", seed, len(packed), len(text))
			}
			if again := render(t, func(w *bytes.Buffer) error { return Convert(w, bytes.NewReader(text), Msgpack) }); !bytes.Equal(packed, again) {
				t.Errorf("seed %d: two forms", seed)
			}
			if back := render(t, func(w *bytes.Buffer) error { return Convert(w, bytes.NewReader(packed), JSON) }); !bytes.Equal(back, text) {
				t.Errorf("seed %d: JSON is not what it was", seed)
			}
			if md := render(t, func(w *bytes.Buffer) error { return Convert(w, bytes.NewReader(packed), Markdown) }); !bytes.Equal(md, markdownOf(t, p)) {
				t.Errorf("seed %d: Markdown is not what it was", seed)
			}
			md := markdownOf(t, p)
			for _, to := range []Format{JSON, Msgpack, Markdown} {
				got := render(t, func(w *bytes.Buffer) error { return Convert(w, bytes.NewReader(md), to) })
				if want := map[Format][]byte{JSON: text, Msgpack: packed, Markdown: md}[to]; !bytes.Equal(got, want) {
					t.Errorf("seed %d: from Markdown to %s: not what it was", seed, to)
				}
			}
			for _, n := range []int{1, len(packed) / 2, len(packed) - 1} {
				if err := Convert(&bytes.Buffer{}, bytes.NewReader(packed[:n]), JSON); err == nil {
					t.Errorf("seed %d: %d of %d bytes are read", seed, n, len(packed))
				}
			}
			if err := Convert(&bytes.Buffer{}, bytes.NewReader(append(packed[:len(packed):len(packed)], 0xc0)), JSON); err == nil || !strings.Contains(err.Error(), "more than one value") {
				t.Errorf("seed %d: a byte more: %v", seed, err)
			}
		}
	}
}

// hard is a pack whose names, sentences and texts are what Markdown makes most of.
func hard(texts ...string) (*Full, *Summary) {
	full := &Full{Type: TypeFull, Manifest: Manifest{ProjectName: texts[0], ProjectType: "go", PurposeGuess: texts[0]}}
	sum := &Summary{Type: TypeSummary, Manifest: full.Manifest}
	sum.RepoSummary = RepoSummary{Description: strings.Join(texts, "\n\n"), ArchitecturePattern: texts[0], KeyTechnologies: texts, NotablePatterns: texts, PotentialConcerns: []string{}}
	for _, s := range texts {
		full.KeyFiles = append(full.KeyFiles, KeyFile{s, "source", "high", s, len(s)%2 == 0})
		full.Contents = append(full.Contents, Content{s, s, len(s)%3 == 0, int64(len(s))})
		sum.KeyFilesSummary = append(sum.KeyFilesSummary, KeyFileSummary{s, "source", s, texts, texts, texts, texts[:len(s)%2]})
		sum.Entrypoints = append(sum.Entrypoints, Entrypoint{s, s, s, texts})
		sum.RiskHotspots = append(sum.RiskHotspots, Hotspot{s, "security", s, texts}, Hotspot{s, "coupling", s, texts[:1]})
		sum.Outlines = append(sum.Outlines, FileOutline{s, texts, len(s)%2 == 0}, FileOutline{s, []string{}, false})
		sum.Contents = append(sum.Contents, Content{s, s, false, 7})
	}
	return full, sum
}

// Markdown loses nothing, whatever stands in the pack.
func TestMarkdownIsWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	list := []string{"a\n", "a", "", "\n", "\n\n", "```", "````go\n```\n", "### `x`\n", "§", "Z0Z", `it "quotes" one`, `"`, "`", "a; b", " a ", "\x1b[31m", "\u202e", "a.go, truncated", "@me #1 www.x http://x", `\`, "`` ` ``", "- x", "# Full pack\n", "```json\n{}\n```\n", `"a" "b`, "What else it defines:"}
	for i := range list {
		full, sum := hard(append([]string{list[i]}, list...)...)
		for _, p := range []document{full, sum} {
			md, want := markdownOf(t, p), jsonOf(t, p)
			got, err := fromMarkdown(md)
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%q, %T: %v\n%s", list[i], p, err, got)
			}
		}
	}
}

// What is not as it was written is refused with its line.
func TestMarkdownIsRefused(t *testing.T) {
	full, sum := both(t, grown(1))
	for _, p := range []document{full, sum} {
		md := string(markdownOf(t, p))
		atData := func(s string) string {
			at := strings.LastIndex(md, "\n```json\n{") + len("\n```json\n{")
			return md[:at] + s + md[at:]
		}
		for _, c := range []struct{ name, in, want string }{
			{"cut off", md[:len(md)/2], "Markdown"},
			{"a title alone", md[:strings.Index(md, "\n")+1], "no fence of JSON at the end"},
			{"a word more", strings.Replace(md, "not instructions.", "not instructions!", 1), "Markdown, line 3: this is not what the data of the pack says"},
			{"a line behind it", md + "more\n", "this is not what the data of the pack says"},
			{"another number", strings.Replace(md, `"total_files":`, `"total_files":1`, 1), ""},
			{"no data", strings.Replace(md, `"pack":`, `"pick":`, 1), "Markdown, line "},
			{"fences that are not there", atData(`"outlines":9999999,`), "Markdown"},
			{"a key file that is not there", atData(`"outlined":[-1],`), "Markdown"},
		} {
			var out bytes.Buffer
			err := Convert(&out, strings.NewReader(c.in), JSON)
			if c.want == "" { // it is a pack, though not this one
				if err != nil || out.String() == string(jsonOf(t, p)) {
					t.Errorf("%s: %v", c.name, err)
				}
			} else if err == nil || !strings.Contains(err.Error(), c.want) || out.Len() > 0 {
				t.Errorf("%T, %s: %v, want %s", p, c.name, err, c.want)
			}
		}
	}
}

// Texts of any kind come back from Markdown, and whatever is read as Markdown is refused or is what is written of it.
func FuzzMarkdown(f *testing.F) {
	f.Add("a", "`b`", "c; d\n")
	f.Add("# Full pack\n\n```json\n{\"pack\":{}}\n```\n", "", "")
	f.Add("# Summary pack\n", "```json\n{\"outlined\":[0],\"pack\":{}}\n```\n", "\\")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		if got, err := fromMarkdown([]byte(a + b + c)); err == nil {
			var again bytes.Buffer
			if err := Convert(&again, strings.NewReader(a+b+c), Markdown); err == nil && again.String() != a+b+c {
				t.Errorf("%s is read as %s and written as %s", a+b+c, got, again.String())
			}
		}
		full, sum := hard(strings.ToValidUTF8(a, "?"), strings.ToValidUTF8(b, "?"), strings.ToValidUTF8(c, "?"))
		for _, p := range []document{full, sum} {
			got, err := fromMarkdown(markdownOf(t, p))
			if err != nil || !bytes.Equal(got, jsonOf(t, p)) {
				t.Fatalf("%T: %v\n%s\n%s", p, err, got, jsonOf(t, p))
			}
		}
	})
}

// Whatever is read as MessagePack, it is refused or it is a pack.
func FuzzMessagePack(f *testing.F) {
	f.Add([]byte{0x81, 0xa4, 't', 'y', 'p', 'e', 0xa4, 'f', 'u', 'l', 'l'})
	f.Add(bytes.Repeat([]byte{0x81, 0xa1, 'a'}, 1000))
	f.Add([]byte{0xdf, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, b []byte) {
		var out bytes.Buffer
		if Convert(&out, bytes.NewReader(b), JSON) != nil {
			return
		}
		var again bytes.Buffer
		if err := Convert(&again, bytes.NewReader(out.Bytes()), JSON); err != nil || !bytes.Equal(out.Bytes(), again.Bytes()) {
			t.Errorf("read twice: %v", err)
		}
	})
}
