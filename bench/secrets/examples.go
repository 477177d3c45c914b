//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/secret/fit"
)

// example is a text that another scanner says it finds something in, or nothing.
type example struct {
	from, path string // the rule or file it is of, and the name it is scanned under
	text       string
	start, end int  // the value; nobody knows where it is if it is empty
	none       bool // nothing in it is to be found
}

// scanners are those whose examples can be read, and by which files they are known.
var scanners = []struct {
	name  string
	files []string
	read  func(dir string, files []string) ([]example, error)
}{
	{"noseyparker", []string{"crates/noseyparker/data/default/builtin/rules/*.yml"}, rulesYAML},
	{"kingfisher", []string{"data/rules/*.yml", "crates/*/data/rules/*.yml"}, rulesYAML},
	{"betterleaks", []string{"cmd/generate/config/utils/expr.go"}, generated},
	{"gitleaks", []string{"cmd/generate/config/utils/generate.go"}, generated},
	{"trufflehog", []string{"pkg/detectors/*/*_test.go", "pkg/detectors/*/*/*_test.go"}, trufflehogTests},
	{"credsweeper", []string{"tests/data/output.json"}, credsweeperOutput},
	{"detect-secrets", []string{"tests/plugins/*_test.py"}, detectSecretsTests},
}

// unnamed is what an example is scanned as whose file nobody names: it tells nothing of its use.
const unnamed = "text.txt"

// The bounds of what is read of a scanner: bytes of a file, and examples.
const (
	maxFile     = 4 << 20
	maxExamples = 50_000
)

// examples prints how many of other scanners' examples are found.
func examples(dirs []string, list bool) error {
	scanner, err := secret.New()
	if err != nil {
		return err
	}
	fmt.Printf("%-16s examples  found  strong  found   none   hit  no value\n", "")
	var all []example
	for _, dir := range dirs {
		name, each, err := examplesOf(dir)
		if err != nil {
			return err
		}
		if err := count(name, each, scanner, list); err != nil {
			return err
		}
		all = append(all, each...)
	}
	return count("all, each once", all, scanner, false)
}

// examplesOf reads a clone's examples.
func examplesOf(dir string) (string, []example, error) {
	for _, s := range scanners {
		var files []string
		for _, pattern := range s.files {
			found, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
			if err != nil {
				return "", nil, fmt.Errorf("-examples: %s: %w", dir, err)
			}
			files = append(files, found...)
		}
		if len(files) == 0 {
			continue
		}
		list, err := s.read(dir, files)
		if err == nil && len(list) > maxExamples {
			err = fmt.Errorf("more than %d examples", maxExamples)
		}
		if err != nil {
			return "", nil, fmt.Errorf("reading the examples of %s: %w", s.name, err)
		}
		return s.name, list, nil
	}
	return "", nil, fmt.Errorf("-examples: %s is none of kingfisher, noseyparker, gitleaks, betterleaks, trufflehog, credsweeper and detect-secrets", dir)
}

// count prints a line for the examples, and where list says so one for each strong value that was missed.
func count(name string, examples []example, scanner *secret.Scanner, list bool) error {
	var r result
	var missed []string
	noValue := 0
	seen := map[[2]string]bool{}
	scans := map[[2]string][]secret.Finding{}
	for _, e := range examples {
		value := e.text[e.start:e.end]
		if seen[[2]string{e.text, value}] {
			continue
		}
		seen[[2]string{e.text, value}] = true
		found, ok := scans[[2]string{e.path, e.text}]
		if !ok {
			var err error
			if found, err = scanner.Scan(e.path, []byte(e.text), nil); err != nil {
				return fmt.Errorf("scanning %s: %w", e.from, err)
			}
			scans[[2]string{e.path, e.text}] = found
		}
		switch {
		case e.none:
			r.falses++
			r.hit += min(1, len(found))
			continue
		case value == "":
			noValue++
			continue
		}
		r.secrets++
		strong, is := fit.Strong([]byte(value)), covered(found, e.start, e.end)*3 >= len(value)*2
		if strong {
			r.strong++
		}
		switch {
		case is && strong:
			r.strongFound++
			fallthrough
		case is:
			r.found++
		case strong:
			f := secret.Finding{Start: e.start, End: e.end}
			missed = append(missed, fmt.Sprintf("\tMISS %s: %s\t%s", name, e.from, masked([]byte(e.text), []secret.Finding{f}, f)))
		}
	}
	fmt.Printf("%-16s %8d %6.3f  %6d %6.3f %6d %5.2f  %8d\n",
		name, r.secrets, r.recall(), r.strong, r.strongRecall(), r.falses, r.falseHits(), noValue)
	if list && len(missed) > 0 {
		fmt.Println(strings.Join(missed, "\n"))
	}
	return nil
}

// readBounded reads a file that is not too large.
func readBounded(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("reading %s: it has more than %d bytes", name, maxFile)
	}
	return os.ReadFile(name)
}

// told are the examples that a text makes: for each match of the rule's expression its last group that is not in another and not
// behind an @, as users come before and hosts behind; or where nothing matches, the longest run of characters of tokens.
func told(from, text string, re *regexp.Regexp) []example {
	e := example{from: from, path: unnamed, text: text}
	var list []example
	if re != nil {
		for _, m := range re.FindAllStringSubmatchIndex(text, 100) {
			e.start, e.end = m[0], m[1]
			for i, last := 2, m[0]; i < len(m); i += 2 {
				if m[i] >= last && m[i] < m[i+1] && !(i > 2 && strings.HasSuffix(text[:m[i]], "@")) {
					e.start, e.end, last = m[i], m[i+1], m[i+1]
				}
			}
			if e.end > e.start {
				list = append(list, e)
			}
		}
	}
	if len(list) > 0 {
		return list
	}
	for _, m := range tokenRun.FindAllStringIndex(text, -1) {
		if m[1]-m[0] > e.end-e.start {
			e.start, e.end = m[0], m[1]
		}
	}
	return []example{e}
}

var tokenRun = regexp.MustCompile(`[A-Za-z0-9_+/=.-]{12,}`)

// rulesYAML reads the rules of kingfisher and noseyparker.
func rulesYAML(_ string, files []string) ([]example, error) {
	var list []example
	for _, name := range files {
		b, err := readBounded(name)
		if err != nil {
			return nil, err
		}
		var file struct {
			Rules []struct {
				ID, Pattern string
				Examples    []string
				None        []string `yaml:"negative_examples"`
			}
		}
		if err := yaml.Unmarshal(b, &file); err != nil {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
		for _, rule := range file.Rules {
			re, err := regexp.Compile(plain(rule.Pattern))
			if err != nil {
				re = nil // it is of a kind that Go does not have
			}
			for _, text := range rule.Examples {
				list = append(list, told(rule.ID, text, re)...)
			}
			for _, text := range rule.None {
				list = append(list, example{from: rule.ID, path: unnamed, text: text, none: true})
			}
		}
	}
	return list, nil
}

var (
	verbose = regexp.MustCompile(`\(\?([a-z]*)x([a-z]*)\)`)
	// What is escaped, classes, and what does not count in verbose mode.
	pieces = regexp.MustCompile(`\\(?s:.)|\[\^?\]?(?:\[:\w+:\]|\\(?s:.)|[^\]\\])*\]|\(\?#[^)]*\)|#[^\n]*|\s+`)
)

// plain writes an expression in verbose mode, which Go does not have, without spaces and comments.
func plain(p string) string {
	if !verbose.MatchString(p) {
		return strings.TrimSpace(p)
	}
	p = pieces.ReplaceAllStringFunc(p, func(s string) string {
		if s[0] == '\\' || s[0] == '[' {
			return s
		}
		return ""
	})
	return strings.ReplaceAll(verbose.ReplaceAllString(p, "(?$1$2)"), "(?)", "")
}

// trufflehogTests reads the texts and what is wanted of them in the tests of trufflehog's detectors. Where two values are wanted
// as one, nobody says which is the secret one.
func trufflehogTests(_ string, files []string) ([]example, error) {
	files = slices.DeleteFunc(files, func(name string) bool { return strings.HasSuffix(name, "_integration_test.go") })
	var list []example
	err := eachFunction(files, func(file string, f *ast.FuncDecl, names map[string]ast.Expr) {
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			fields := map[string][]string{}
			for _, e := range lit.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					if key, ok := kv.Key.(*ast.Ident); ok {
						fields[key.Name] = constants(kv.Value, names, 0)
					}
				}
			}
			if len(fields["input"]) != 1 {
				return true
			}
			for _, value := range fields["want"] {
				e := example{from: file, path: unnamed, text: fields["input"][0]}
				if at := strings.Index(e.text, value); at >= 0 {
					e.start, e.end = at, at+len(value)
				}
				list = append(list, e)
			}
			return true
		})
	})
	return list, err
}

// eachFunction calls do for the functions of Go files, with what the names that are given a value once stand for.
func eachFunction(files []string, do func(file string, f *ast.FuncDecl, names map[string]ast.Expr)) error {
	for _, name := range files {
		b, err := readBounded(name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, b, parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("reading %s: %w", name, err)
		}
		names := map[string]ast.Expr{}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for i, v := range n.Values {
					names[n.Names[i].Name] = v
				}
			case *ast.AssignStmt:
				if id, ok := n.Lhs[0].(*ast.Ident); ok && n.Tok == token.DEFINE && len(n.Lhs) == 1 && names[id.Name] == nil {
					names[id.Name] = n.Rhs[0]
				}
			}
			return true
		})
		for _, decl := range f.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok {
				do(filepath.Base(filepath.Dir(name))+"/"+filepath.Base(name), f, names)
			}
		}
	}
	return nil
}

// constants are the texts of an expression: of a literal, joined or formatted ones, or those in a list, a map, or appended to one.
func constants(e ast.Expr, names map[string]ast.Expr, depth int) []string {
	if depth++; depth > 12 {
		return nil
	}
	var parts []string
	single := func(inner ...ast.Expr) bool { // each of them is one text
		for _, i := range inner {
			parts = append(parts, constants(i, names, depth)...)
		}
		return len(parts) == len(inner) && len(parts) > 0
	}
	switch e := e.(type) {
	case *ast.BasicLit:
		if s, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return []string{s}
		}
	case *ast.Ident:
		if names[e.Name] != nil {
			return constants(names[e.Name], names, depth)
		}
	case *ast.BinaryExpr:
		if single(e.X, e.Y) {
			return []string{parts[0] + parts[1]}
		}
	case *ast.CompositeLit:
		single(e.Elts...)
		return parts
	case *ast.KeyValueExpr:
		return constants(e.Value, names, depth)
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.Ident); ok && f.Name == "append" {
			single(e.Args[1:]...)
			return parts
		}
		if f, ok := e.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Sprintf" && single(e.Args...) {
			var args []any
			for _, part := range parts[1:] {
				args = append(args, part)
			}
			return []string{fmt.Sprintf(parts[0], args...)}
		}
	}
	return nil
}

type credsweeperFinding struct {
	Rule  string
	Lines []struct {
		Path, Value string
		Line        int `json:"line_num"`
	} `json:"line_data_list"`
}

// credsweeperOutput reads what CredSweeper's own run over its samples has, where it stands in the file as it is.
func credsweeperOutput(dir string, files []string) ([]example, error) {
	b, err := readBounded(files[0])
	if err != nil {
		return nil, err
	}
	var found []credsweeperFinding
	if err := json.Unmarshal(b, &found); err != nil {
		return nil, fmt.Errorf("reading %s: %w", files[0], err)
	}
	var list []example
	for _, f := range found {
		if f.Rule == "UUID" || f.Rule == "Firebase Domain" {
			continue // labels of CredData's that do not count
		}
		keyStart := -1
		for _, l := range f.Lines {
			e := example{from: l.Path + " " + f.Rule, path: filepath.ToSlash(filepath.Clean(l.Path))}
			b, err := readBounded(filepath.Join(dir, e.path))
			if err != nil || !filepath.IsLocal(e.path) {
				continue // it is in an archive
			}
			e.text = string(b)
			for range l.Line - 1 {
				e.start += strings.IndexByte(e.text[e.start:]+"\n", '\n') + 1
				e.start = min(e.start, len(e.text))
			}
			line, _, _ := strings.Cut(e.text[e.start:], "\n")
			at := strings.Index(line, l.Value)
			if at < 0 {
				continue // it was written otherwise in the file
			}
			e.start, e.end = e.start+at, e.start+at+len(l.Value)
			if keyStart >= 0 { // the lines of a key are one value
				e.start, list = keyStart, list[:len(list)-1]
			}
			if f.Rule == "PEM Private Key" {
				keyStart = e.start
			}
			list = append(list, e)
		}
	}
	return list, nil
}

var beforeTrue = regexp.MustCompile(`[rbu]?('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")\s*,\s*True\b`)

// detectSecretsTests reads the literals that stand before True in the tests of detect-secrets' plugins.
func detectSecretsTests(_ string, files []string) ([]example, error) {
	var list []example
	for _, name := range files {
		b, err := readBounded(name)
		if err != nil {
			return nil, err
		}
		for _, m := range beforeTrue.FindAllSubmatch(b, maxExamples) {
			quote := m[1][0]
			text := strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\`+string(quote), string(quote), `\\`, `\`).Replace(string(m[1][1 : len(m[1])-1]))
			list = append(list, told(filepath.Base(name), text, nil)...)
		}
	}
	return list, nil
}
