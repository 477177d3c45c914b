//go:build linux

// Command declarations compares what package declaration reads with what Universal Ctags reads, on folders of sources:
//
//	go run ./bench/declarations [-show N] [-least R] [-language NAME] FOLDER...
//
// Both are asked for the declarations of every file, as pairs of a name and a line. Recall is the part of ctags' pairs of the
// kinds that both know that are ours too; precision the part of ours that are ctags', of any kind. What stands in the body of
// a function is no declaration here, and is left out of both. With -show, so many pairs that only one has are printed of each
// language. With -least, a language of which less is recalled, or is right, is an error. The last column is how many megabytes a second of the processor were read.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
	"time"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/language"
)

// wanted are the kinds of ctags that both know, by language; ? is for those that count for precision alone.
var wanted = map[string]string{
	"Java":             "class interface enum annotation method field? enumConstant? package?",
	"C#":               "class interface enum struct method property event namespace field? enumerator? typedef macro?",
	"Rust":             "macro method function enum interface struct typedef module variable field? implementation? enumerator?",
	"C":                "macro function prototype struct typedef union variable enum member enumerator? externvar?",
	"C++":              "macro function prototype class struct typedef union variable enum namespace member? enumerator? externvar? alias?",
	"PHP":              "class interface trait function define namespace variable? alias?",
	"Ruby":             "class module method singletonMethod constant? accessor? alias? library?",
	"Kotlin":           "class interface object method typealias variable constant package?",
	"Shell":            "function alias?",
	"PowerShell":       "function variable? class? filter?",
	"Lua":              "function",
	"Elixir":           "module function macro protocol implementation? test delegate guard operator? callback? type? exception? record?",
	"SQL":              "table view function procedure trigger? index? package? field? variable? cursor? domain? subtype?",
	"Objective-C":      "interface implementation? protocol method class macro function typedef struct property enum? var? field? category?",
	"R":                "function globalVar? functionVar? vector? list? dataframe? nameattr? library? source?",
	"Perl":             "subroutine package? constant? label? format?",
	"Haskell":          "function type constructor? module?",
	"OCaml":            "function type Module class method exception val? var? Constructor? RecordField?",
	"Julia":            "function macro module struct type? constant? field? unknown?",
	"Erlang":           "function record type macro? module?",
	"Clojure":          "function namespace?",
	"Fortran":          "function subroutine module program type? interface? component? variable? namelist? method? submodule?",
	"Lisp":             "function macro variable? unknown? const? inline? method? generic? class? struct? custom? group? face?",
	"Verilog":          "module task function class package interface typedef? define? port? net? register? constant? program prototype?",
	"D":                "class function interface struct union template? enum alias? variable? member? enumerator? module? mixin? namespace?",
	"VHDL":             "entity package function procedure constant component type subtype signal? prototype? record? architecture? local?",
	"Pascal":           "function procedure",
	"Tcl":              "procedure namespace? class? method?",
	"CMake":            "function macro target? variable? option? project?",
	"Protocol Buffers": "message service rpc enum field? oneof? enumerator? package?",
}

type tag struct {
	Type                                string `json:"_type"`
	Name, Path, Kind, ScopeKind, Access string
	Line, End                           int
}

// suites are macros that begin a test.
var suites = map[string]bool{"TEST": true, "TEST_F": true, "TEST_P": true, "TYPED_TEST": true, "TYPED_TEST_P": true, "TEST_CASE": true, "TEST_CASE_METHOD": true}

type pair struct {
	path string
	line int
	name string
}

type tally struct {
	both, wanted, ours, right int
	bytes                     int64
	took                      time.Duration
	rows                      []string
}

func main() {
	show := flag.Int("show", 0, "how many pairs that only one has are printed")
	only := flag.String("language", "", "the one language that is compared")
	least := flag.Float64("least", 0, "the least recall and precision of each language; less is an error")
	flag.Parse()
	tallies := map[string]*tally{}
	for _, folder := range flag.Args() {
		if err := compare(folder, *only, tallies); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	var list []string
	for name := range tallies {
		list = append(list, name)
	}
	sort.Strings(list)
	fmt.Println("language          ctags   ours  recall precision  MB/s")
	for _, name := range list {
		t := tallies[name]
		fmt.Printf("%-16s %6d %6d   %.4f    %.4f  %4.0f\n", name, t.wanted, t.ours, float64(t.both)/float64(max(1, t.wanted)), float64(t.right)/float64(max(1, t.ours)),
			float64(t.bytes)/1e6/max(t.took.Seconds(), 1e-9))
	}
	short := false
	for _, name := range list {
		t := tallies[name]
		for i := 0; i < *show && i < len(t.rows); i++ { // spread over all
			fmt.Println(t.rows[i*len(t.rows)/min(len(t.rows), *show)])
		}
		if float64(t.both) < *least*float64(t.wanted) || float64(t.right) < *least*float64(t.ours) {
			fmt.Fprintf(os.Stderr, "%s: less than %.2f\n", name, *least)
			short = true
		}
	}
	if short || *least > 0 && len(list) == 0 {
		os.Exit(1)
	}
}

// compare reads one folder with both.
func compare(folder, only string, tallies map[string]*tally) error {
	theirs, inside, err := ctags(folder)
	if err != nil {
		return err
	}
	return filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !declaration.Knows(path) {
			return err
		}
		name := language.Of(path).Name
		if strings.HasSuffix(strings.ToLower(path), ".h") {
			name = "C++"
			if !cplusplus(folder) {
				name = "C"
			}
		}
		if only != "" && name != only || len(theirs[path]) == 0 {
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil || len(content) > graph.MaxSource || bytes.Contains(content[:min(len(content), 1000)], []byte{0}) {
			return err
		}
		t := tallies[name]
		if t == nil {
			t = &tally{}
			tallies[name] = t
		}
		began := spent()
		list := declaration.Read(path, content)
		t.took += spent() - began
		t.bytes += int64(len(content))
		t.count(path, name, list, theirs[path], inside[path], bytes.Split(content, []byte{'\n'}))
		return nil
	})
}

// spent is the time of the processor that this process has had.
func spent() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// cplusplus reports whether a folder holds sources of C++.
var cplusplus = func() func(string) bool {
	known := map[string]bool{}
	return func(folder string) bool {
		found, ok := known[folder]
		if !ok {
			filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
				if e := filepath.Ext(path); e == ".cc" || e == ".cpp" || e == ".cxx" {
					found = true
					return filepath.SkipAll
				}
				return err
			})
			known[folder] = found
		}
		return found
	}
}()

// count takes the pairs of one file.
func (t *tally) count(path, language string, list []graph.Definition, theirs []tag, inside map[pair]bool, lines [][]byte) {
	required, optional := kinds(wanted[language])
	want, any := map[pair]bool{}, map[pair]bool{}
	for _, one := range theirs {
		p := pair{path, one.Line, plain(one.Name)}
		if strings.HasPrefix(one.Name, "__anon") || strings.HasPrefix(one.Name, "anon_") || one.Name == "<lambda>" || one.Name == "Companion" || suites[one.Name] {
			continue
		}
		if one.Kind == "test" {
			continue
		}
		any[p] = true
		if required[one.Kind] && !optional[one.Kind] && !inside[p] && one.Access != "private" || required[one.Kind] && (one.Kind == "method" || one.Kind == "function") && !inside[p] {
			want[p] = true
		}
	}
	ours := map[pair]bool{}
	for _, d := range list {
		if d.Kind == "test" && (language == "C++" || language == "Elixir") {
			continue // ctags calls them all by the macro, or knows a few
		}
		ours[pair{path, d.Line, plain(d.Name)}] = true
	}
	line := func(n int) string {
		if n < 1 || n > len(lines) {
			return ""
		}
		return strings.TrimPrefix(strings.TrimSpace(string(lines[n-1][:min(len(lines[n-1]), 120)])), "\ufeff")
	}
	tests := map[int]bool{} // lines in the bodies of tests, which ctags does not take for functions
	for _, d := range list {
		for n := d.Line; n <= d.End && d.Kind == "test" && language == "C++"; n++ {
			tests[n] = true
		}
		for n := d.Line + 1; n <= d.End && (d.Kind == "func" || d.Kind == "method" || d.Kind == "test") && (language == "Lua" || language == "Shell" || language == "Kotlin"); n++ {
			tests[n] = true // ctags does not say where functions end
		}
	}
	within := heredocs(language, lines)
	for p := range want {
		if within[p.line] || language == "Lua" && !ours[p] && len(lines[p.line-1]) > 0 && (lines[p.line-1][0] == ' ' || lines[p.line-1][0] == '\t') {
			continue // what a text shows; what is local to a function that has no name, or a part of a value
		}
		if tests[p.line] || language == "C++" && p.name == strings.ToUpper(p.name) && strings.HasPrefix(line(p.line), p.name+"(") {
			continue // the call of a macro
		}
		if mistaken(language, line(p.line)) != "" {
			continue
		}
		t.wanted++
		if ours[p] {
			t.both++
		} else {
			t.rows = append(t.rows, fmt.Sprintf("- %s:%d %s | %s", p.path, p.line, p.name, line(p.line)))
		}
	}
	for p := range ours {
		if mistaken(language, line(p.line)) != "" {
			continue
		}
		t.ours++
		if any[p] {
			t.right++
		} else {
			t.rows = append(t.rows, fmt.Sprintf("+ %s:%d %s | %s", p.path, p.line, p.name, line(p.line)))
		}
	}
	sort.Strings(t.rows)
}

// heredocs are the lines of Elixir's texts of several lines, whose examples ctags takes for code.
func heredocs(language string, lines [][]byte) map[int]bool {
	found := map[int]bool{}
	if language != "Elixir" {
		return found
	}
	in := false
	for i, l := range lines {
		if quotes := bytes.Count(l, []byte(`"""`)); quotes%2 == 1 {
			in = !in
		} else if in {
			found[i+1] = true
		}
	}
	return found
}

// within are the tags that stand in the body of a function.
func within(path string, list []tag) map[pair]bool {
	type span struct{ from, to int }
	var bodies []span
	for _, one := range list {
		if k := one.Kind; (k == "function" || k == "method" || k == "singletonMethod" || k == "test") && one.End > one.Line {
			bodies = append(bodies, span{one.Line, one.End})
		}
	}
	sort.Slice(bodies, func(i, j int) bool { return bodies[i].from < bodies[j].from })
	farthest := make([]int, len(bodies)) // the last line of those up to one
	for i, b := range bodies {
		farthest[i] = b.to
		if i > 0 {
			farthest[i] = max(farthest[i], farthest[i-1])
		}
	}
	found := map[pair]bool{}
	for _, one := range list {
		n := sort.Search(len(bodies), func(i int) bool { return bodies[i].from >= one.Line })
		k := one.ScopeKind
		if one.Kind != "macro" && n > 0 && farthest[n-1] >= one.Line || k == "function" || k == "method" || k == "singletonMethod" {
			found[pair{path, one.Line, plain(one.Name)}] = true
		}
	}
	return found
}

// mistaken says what ctags takes for a declaration that is none, or none for one that is, by what is known of its version 5.9;
// "" where it is right.
func mistaken(language, line string) string {
	starts := func(list ...string) bool {
		for _, w := range list {
			if strings.HasPrefix(line, w) {
				return true
			}
		}
		return false
	}
	switch {
	case language == "C#" && starts("using "):
		return "an alias of one file"
	case language == "C#" && starts("namespace ") && strings.HasSuffix(line, ";"):
		return "a namespace of the whole file is not known"
	case language == "C#" && (strings.Contains(line, "?") || strings.Contains(line, "=>") || strings.Contains(line, " this[") || strings.Contains(line, "operator")):
		return "nullable types, bodies behind =>, indexers and operators are not known, or called otherwise"
	case language == "Kotlin" && (strings.Contains(line, "`") || strings.Contains(line, "constructor(")):
		return "names with spaces, and second constructors, are not known"
	case language == "Protocol Buffers" && strings.HasPrefix(line, "optional "):
		return "optional fields of proto3 are not known"
	case language == "Lua" && (strings.Contains(line, "= ") && !strings.Contains(line, "= function(")):
		return "what is no function, or one within a value"
	case language == "Rust" && strings.Contains(line, "const "):
		return "constants are not known, but for their types' lifetimes"
	case language == "C++" && starts("template ", "extern template ") && !starts("template <"):
		return "what is instantiated is declared elsewhere"
	case (language == "Java" || language == "C#") && strings.Contains(line, "record "):
		return "records and their properties are not known"
	case (language == "C++" || language == "C") && starts("MOCK_METHOD", "BIT(", "DECLARE_", "MakeError("):
		return "the call of a macro"
	}
	return ""
}

// kinds are those that are wanted, and those of them that need not be there.
func kinds(list string) (required, optional map[string]bool) {
	required, optional = map[string]bool{}, map[string]bool{}
	for k := range strings.FieldsSeq(list) {
		k, may := strings.CutSuffix(k, "?")
		required[k] = true
		if may {
			optional[k] = true
		}
	}
	return required, optional
}

// plain is a name as both tell it: the last of what it is qualified by.
func plain(name string) string {
	name = strings.ReplaceAll(name, " ", "")
	if strings.HasSuffix(name, ":") { // a method of Objective-C
		return name[strings.LastIndexByte(name, '.')+1:]
	}
	if i := strings.LastIndexAny(name, ".:\\#"); i >= 0 && i+1 < len(name) && !strings.Contains(name, "operator") {
		name = name[i+1:]
	}
	if i := strings.Index(name, "operator"); i >= 0 {
		if name = name[i:]; len(name) > 8 && (name[8] >= 'A' && name[8] <= 'Z' || name[8] >= 'a' && name[8] <= 'z' || name[8] == ':') {
			name = name[:8] // a conversion, of which both write the type otherwise
		}
	}
	return strings.Trim(name, "`$\"'")
}

// ctags reads a folder with Universal Ctags: its tags by file, and those that stand in functions.
func ctags(folder string) (tags map[string][]tag, inside map[string]map[pair]bool, err error) {
	command := exec.Command("ctags", "-R", "--output-format=json", "--fields=+neKaZlS", "--kinds-C=+px", "--kinds-C++=+px", "-f", "-", folder)
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	command.Stderr = os.Stderr
	if err := command.Start(); err != nil {
		return nil, nil, fmt.Errorf("running ctags: %w", err)
	}
	tags, inside = map[string][]tag{}, map[string]map[pair]bool{}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var one tag
		if json.Unmarshal(lines.Bytes(), &one) != nil || one.Type != "tag" {
			continue
		}
		tags[one.Path] = append(tags[one.Path], one)
	}
	for path, list := range tags {
		inside[path] = within(path, list)
	}
	if err := lines.Err(); err != nil {
		return nil, nil, err
	}
	return tags, inside, command.Wait()
}
