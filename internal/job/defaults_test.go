package job

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// none is an environment without anything.
func none(string) string { return "" }

// TestParseDefaults holds what a file may say, and what it is told where it may not: the file, the line, what is
// allowed, and what to do.
func TestParseDefaults(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"nothing", "", ""},
		{"a comment", "# later\n", ""},
		{"an empty document", "---\n...\n", ""},
		{"values", "mode: full\nbudget-tokens: 32k\nline-numbers: true\n", "mode=full budget-tokens=32k line-numbers=true"},
		{"quoted", "line-numbers: 'true'\nmap: \"linked\"\n", "line-numbers=true map=linked"},
		{"a list", "exclude:\n  - docs/**\n  - \"*.csv\"\n", "exclude=docs/**|*.csv"},
		{"a list on one line", "exclude: [a/**, b/**]", "exclude=a/**|b/**"},
		{"lines", "exclude: |\n  docs/**\n  *.csv\n", "exclude=docs/**|*.csv"},
		{"a word that other YAML takes for false", "graph: off\n", "graph=off"},
		{"Windows' line ends and a mark", "\ufeffexclude:\r\n- docs/**\r\nmode: meta\r\n", "exclude=docs/** mode=meta"},
		{"lines with Windows' ends", "exclude: |\r\n  docs/**\r\n  x/**\r\n", "exclude=docs/**|x/**"},
		{"bounds of a pack", "max-files: 40\nproviders: [inn]\nprovider-limits: {}\n", "error f.yml:3: input provider-limits: a mapping or a list within; it takes one item a line, or a list of them: a number"},

		{"a slip", "exclud: docs/**\n", "error f.yml:1: exclud is no input (did you mean exclude?); allowed here are untracked, mode, "},
		{"a name in another spelling", "mode: full\nbudget_tokens: 3000\n", "error f.yml:2: budget_tokens is no input (did you mean budget-tokens?)"},
		{"a wrong word", "\nmode: contxt\n", "error f.yml:2: input mode: \"contxt\" is not allowed: auto, full, context, meta (did you mean context?)"},
		{"a wrong number", "budget-tokens: some\n", "error f.yml:1: input budget-tokens: \"some\" is not allowed: 2000 tokens or more, or 0"},
		{"a number as YAML has it", "budget-tokens: 0x1000\n", "error f.yml:1: input budget-tokens: \"0x1000\" is not allowed"},
		{"no true or false", "line-numbers: yes\n", "error f.yml:1: input line-numbers: \"yes\" is not allowed: true or false"},
		{"a list of one value", "mode: [full]\n", "error f.yml:1: input mode: a list; it takes one value: auto, full, context, meta"},
		{"a mapping", "mode:\n  is: full\n", "error f.yml:2: input mode: a mapping or a list within; it takes one value: auto, full, context, meta"},
		{"a list in a list", "exclude:\n- [a, b]\n", "error f.yml:2: input exclude: a mapping or a list within; it takes one item a line, or a list of them"},
		{"no value", "mode:\n", "error f.yml:1: input mode: it has no value; give one, or take the line away: an empty one stands for the default"},
		{"an empty value", "exclude: ''\n", "error f.yml:1: input exclude: it has no value"},
		{"an empty item", "exclude:\n- a\n-\n", "error f.yml:3: input exclude: it has no value"},
		{"an empty list", "exclude: []\n", "error f.yml:1: input exclude: an empty list; give items, or take the line away"},
		{"an item of lines", "exclude:\n- \"a\\nb\"\n", "error f.yml:2: input exclude: an item of several lines; write each as an item of its own"},
		{"standard input", "include-only: '-'\n", "error f.yml:1: input include-only: - is standard input, which is not a file's to give; name globs"},
		{"standard input in a list", "include-only: ['-']\n", "error f.yml:1: input include-only: - is standard input"},
		{"twice", "mode: full\nmap: full\nmode: meta\n", "error f.yml:3: mode stands twice, first on line 1; keep one of them"},
		{"a list at the top", "- mode\n", "error f.yml:1: a mapping of inputs is wanted, a line each, such as mode: context"},
		{"a word at the top", "mode\n", "error f.yml:1: a mapping of inputs is wanted"},
		{"a second document", "mode: full\n---\nmode: meta\n", "error f.yml:2: a second document begins; the file is one mapping of inputs"},
		{"an anchor", "mode: &m full\n", "error f.yml:1: anchors and aliases are not taken; write the value out"},
		{"an alias", "exclude: [&a x, *a]\n", "error f.yml:1: anchors and aliases are not taken; write the value out"},
		{"a tag", "mode: !!str full\n", "error f.yml:1: tags such as \"!!str\" are not taken; write the value alone"},
		{"a mapping as a name", "? {a: b}\n: full\n", "error f.yml:1: the name of an input is wanted; allowed here are "},
		{"no YAML", "mode: full\nexclude: [a\n", "error f.yml:2: it is no YAML: did not find expected ',' or ']'; write a line for each input, such as mode: context"},
		{"a tabulator", "mode: full\n\tmap: full\n", "error f.yml:2: it is no YAML: "},
		{"no UTF-8", "mode: full\nexclude: caf\xe9\n", "error f.yml:2: it is no UTF-8; save it as such"},
		{"too long", "# " + strings.Repeat("=", MaxDefaults), fmt.Sprintf("error f.yml: %d bytes, allowed are %d; it holds defaults of inputs and no more", MaxDefaults+2, MaxDefaults)},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := ParseDefaults(FromRepository, "f.yml", []byte(c.file))
			got := ""
			if err != nil {
				if got = "error " + err.Error(); ExitCode(err) != ExitInput {
					t.Errorf("ends with %d", ExitCode(err))
				}
			} else {
				var list []string
				for _, s := range d.settings {
					list = append(list, s.name+"="+strings.ReplaceAll(s.value, "\n", "|"))
				}
				got = strings.Join(list, " ")
			}
			if got != c.want && (c.want == "" || !strings.HasPrefix(c.want, "error ") || !strings.HasPrefix(got, c.want)) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// forbidden are the inputs that no file may give, whoever wrote it: written out, so that a row of the table that changes its mind is seen.
var forbidden = strings.Fields("path repository ref token stan-path output-dir base update-saved task task-file external-roots secrets secrets-level " +
	"limit-file-bytes limit-memory-bytes limit-seconds ca-certificates defaults upload artifact-name retention-days overwrite artifact-raw compression-level " +
	"mounts filesystem-id push registry-config session store store-content store-limit comment comment-key")

func TestForbiddenDefaults(t *testing.T) {
	for i := range InputTable {
		d := &InputTable[i]
		_, err := ParseDefaults(FromOrganisation, "f.yml", []byte("\n"+d.Name+": x\n"))
		refused := err != nil && strings.HasPrefix(err.Error(), "f.yml:2: "+d.Name+" may not stand in a file of defaults: give it in the workflow (with:) or on the command line; allowed here are ")
		if refused != slices.Contains(forbidden, d.Name) {
			t.Errorf("%s: %v", d.Name, err)
		}
	}
}

// TestUnder gives inputs by each of four, and says who wins.
func TestUnder(t *testing.T) {
	parse := func(from Origin, name, text string) *Defaults {
		t.Helper()
		d, err := ParseDefaults(from, name, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	own := parse(FromRepository, "own.yml", "mode: full\nexclude: [a/**]\nmax-files: 70\n")
	shared := parse(FromOrganisation, "shared.yml", "mode: meta\nexclude: [b/**]\nhistory: 30\nmap: linked\nmax-files: 90\nmax-file-bytes: 900\n")
	env := map[string]string{"INPUT_MAP": "neighbours", "INPUT_INCLUDE": "", "INPUT_LINE-NUMBERS": ""}
	in, err := ParseInputs(map[string]string{"max-files": "50", "history": ""}, func(k string) string { return env[k] })
	if err != nil {
		t.Fatal(err)
	}
	got, err := in.Under(own, nil, &Defaults{}, shared)
	if err != nil {
		t.Fatal(err)
	}
	if got.Mode != ModeFull || fmt.Sprint(got.Exclude) != "[a/**]" || got.History != 0 || got.Map != "neighbours" || got.Limits.MaxFiles != 50 || got.Limits.MaxFileBytes != 900 {
		t.Errorf("mode %s, exclude %v, history %d, map %s, %+v", got.Mode, got.Exclude, got.History, got.Map, got.Limits)
	}
	for name, want := range map[string]string{"mode": "repository file full", "exclude": "repository file a/**", "history": "with ", "map": "with ", "max-files": "with ", "max-file-bytes": "organisation file 900", "include": "default ", "line-numbers": "default "} {
		if from, value := got.Of(name); string(from)+" "+value != want {
			t.Errorf("%s is from %s %q, want %s", name, from, value, want)
		}
	}
	if in.Mode != ModeAuto || len(in.Exclude) > 0 || in.Limits.MaxFileBytes == 900 {
		t.Errorf("the inputs without the files are changed: %+v", in)
	}
	fixed := *in
	fixed.Origins = in.Fixed("mode")
	fixed.Mode = ModeContext
	if got, err := fixed.Under(own); err != nil || got.Mode != ModeContext {
		t.Errorf("what a verb decides: %v, %v", got.Mode, err)
	}
	if in.Given("mode") {
		t.Error("fixed for one, given for all")
	}
	for text, want := range map[string]string{
		"max-file-bytes: 3\n": "own.yml: input max-file-bytes: 3 leaves no room",
		"providers: [inn]\n":  "own.yml: input providers: \"inn\" has no limit in provider-limits",
	} {
		if _, err := in.Under(parse(FromRepository, "own.yml", text)); err == nil || !strings.HasPrefix(err.Error(), want) || ExitCode(err) != ExitInput {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestDefaultsAreAllowed: each default of the table, and each choice, is one that a file may give where it may give the input.
func TestDefaultsAreAllowed(t *testing.T) {
	in, err := ParseInputs(nil, none)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i := range InputTable {
		d := &InputTable[i]
		for _, v := range append(slices.Clone(d.Choices), d.Default) {
			if !d.Shared || v == "" {
				continue
			}
			n++
			file, err := ParseDefaults(FromRepository, "f.yml", []byte(d.Name+": "+v+"\n"))
			if err == nil {
				_, err = in.Under(file)
			}
			if err != nil {
				t.Errorf("%s: %s: %v", d.Name, v, err)
			}
		}
	}
	if n < 40 {
		t.Errorf("%d values", n)
	}
}

// FuzzParseDefaults: whatever a file says, it is refused with its name and a line of it, or what it gives are inputs that may stand
// there, each once, which the inputs then have, and twice the same.
func FuzzParseDefaults(f *testing.F) {
	for _, s := range []string{"mode: full\nexclude: [a, b]\n", "exclude: |\n  x\n  y\n", "a: &a [*a]\n", "? [x]\n: y\n", "\ufeffmode: full\r\n", "--- !!map {mode: full}\n", "include-only: '-'\n", "<<: {mode: full}\n", "mode: \"\\x00\"\n", "provider-limits: a=3000\nproviders: a\n"} {
		f.Add([]byte(s))
	}
	in, err := ParseInputs(nil, none)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		d, err := ParseDefaults(FromRepository, "f.yml", raw)
		if err != nil {
			line := 0
			if _, e := fmt.Sscanf(err.Error(), "f.yml:%d: ", &line); e != nil && len(raw) <= MaxDefaults || line > 2+bytes.Count(raw, []byte("\n"))+bytes.Count(raw, []byte("\r"))+bytes.Count(raw, []byte("\u0085"))+bytes.Count(raw, []byte("\u2028"))+bytes.Count(raw, []byte("\u2029")) {
				t.Errorf("%q: %v", raw, err)
			}
			return
		}
		seen := map[string]bool{}
		for _, s := range d.settings {
			if input := inputNamed(s.name); input == nil || !input.Shared || seen[s.name] || s.value == "" {
				t.Errorf("%q gives %q", raw, s.name)
			}
			seen[s.name] = true
		}
		got, err := in.Under(d)
		again, errAgain := in.Under(d)
		if fmt.Sprint(err) != fmt.Sprint(errAgain) {
			t.Fatalf("%q: %v, then %v", raw, err, errAgain)
		}
		if err != nil {
			return
		}
		if got.Token != "" || got.Push != nil || got.Store != "" || got.OnlyRead || got.OutputDir != "" || got.Secrets != in.Secrets || got.LimitSeconds != in.LimitSeconds {
			t.Errorf("%q gives what no file may", raw)
		}
		for name := range seen {
			if a, v := got.Of(name); a != FromRepository || v == "" {
				t.Errorf("%q: %s is from %s", raw, name, a)
			}
			if _, v := again.Of(name); v != got.filed[name].value {
				t.Errorf("%q: %s differs", raw, name)
			}
		}
	})
}
