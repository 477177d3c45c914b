package action

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"io/fs"
	"math/big"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// limitPage is the page of limits, limitList the list of all, which this test writes.
const (
	limitPage = "../../docs/limits.md"
	limitList = "../../docs/limits-list.md"
)

// limitName is what constants are called that bound something.
var limitName = regexp.MustCompile(`^(?:max|least|min)[A-Z]`)

// limit is a constant of the product.
type limit struct {
	file, pkg, name string
	value           *big.Int // nil where it is no whole number
	duration        bool
	means           string
	expr            ast.Expr
}

// TestLimitsAreTrue: what the page says of a limit is what the constant holds, and every constant that bounds something
// stands on it.
func TestLimitsAreTrue(t *testing.T) {
	page, err := os.ReadFile(limitPage)
	if err != nil {
		t.Fatal(err)
	}
	all := limits(t)
	checkToldLimits(t, string(page), all)
	var list strings.Builder
	list.WriteString("# List of limits\n\nThe constants that are called like limits, by package; [the page](limits.md) says of the weightiest what happens beyond. `go test ./internal/action -update` writes this list.\n\n| limit | value | what it bounds |\n|---|---|---|\n")
	n := 0
	for _, l := range all {
		if !limitName.MatchString(strings.ToLower(l.name[:1])+l.name[1:]) || l.value == nil {
			continue
		}
		n++
		if l.means == "" {
			t.Errorf("%s: %s: a limit says what it bounds, in a comment", l.file, l.name)
		}
		fmt.Fprintf(&list, "| `%s.%s` | %s | %s |\n", l.pkg, l.name, l.amount(), strings.ReplaceAll(l.means, "|", `\|`))
	}
	if n < 200 {
		t.Errorf("%d limits only", n)
	}
	if *update {
		if err := os.WriteFile(limitList, []byte(list.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if b, err := os.ReadFile(limitList); err != nil || string(b) != list.String() {
		t.Error("docs/limits-list.md does not list the limits as they are: go test ./internal/action -update")
	}
}

var (
	limitRow    = regexp.MustCompile("(?m)^\\| (`[^|]*) \\| ([^|]*) \\|")
	limitInRow  = regexp.MustCompile("`([^`]+)`")
	limitAmount = regexp.MustCompile(`(\d[\d,.]*)(?: (KiB|MiB|GiB|KB|MB|million|min|s|minutes|seconds|days)\b)?`)
)

// limitPower is a power of two: 2²⁶.
var limitPower = regexp.MustCompile("2([⁰¹²³⁴⁵⁶⁷⁸⁹]+)")

func power(raised string) int {
	n := 0
	for _, r := range raised {
		n = n*10 + slices.Index([]rune("⁰¹²³⁴⁵⁶⁷⁸⁹"), r)
	}
	return n
}

// checkToldLimits holds the rows that people wrote: a name that is a limit's is followed by its value, and stands in a package that
// the heading names.
func checkToldLimits(t *testing.T, told string, all []limit) {
	checked := 0
	for chapter := range strings.SplitSeq(told, "\n## ") {
		heading, rows, _ := strings.Cut(chapter, "\n")
		folders := map[string]bool{}
		for _, m := range limitInRow.FindAllStringSubmatch(heading, -1) {
			folders["../../"+m[1]] = true
		}
		here := slices.DeleteFunc(slices.Clone(all), func(l limit) bool { return !folders[path.Dir(l.file)] })
		checked += checkLimitRows(t, rows, here)
	}
	if checked < 100 {
		t.Errorf("the page tells %d limits only", checked)
	}
}

// checkLimitRows holds the rows of one chapter against the limits of its packages, and returns how many names it has checked.
func checkLimitRows(t *testing.T, rows string, all []limit) (checked int) {
	for _, row := range limitRow.FindAllStringSubmatch(rows, -1) {
		amounts := map[string]bool{}
		for _, m := range limitPower.FindAllStringSubmatch(row[2], -1) {
			amounts[new(big.Int).Lsh(big.NewInt(1), uint(power(m[1]))).String()] = true
		}
		for _, m := range limitAmount.FindAllStringSubmatch(row[2], -1) {
			if v := amount(m[1], m[2]); v != nil {
				amounts[v.String()] = true
			}
		}
		for _, m := range limitInRow.FindAllStringSubmatch(row[1], -1) {
			pkg, name, qualified := strings.Cut(m[1], ".")
			if !qualified {
				pkg, name = "", pkg
			}
			found, right, values := false, false, []string{}
			for _, l := range all {
				if l.name != name || pkg != "" && l.pkg != pkg {
					continue
				}
				found = true
				if l.value == nil {
					right = true
					continue
				}
				right = right || amounts[l.value.String()]
				values = append(values, l.pkg+"."+l.name+" is "+l.amount())
			}
			switch {
			case !found && !strings.Contains(name, "-") && name != "Grace" && name != "Room": // inputs, and fields that callers fill
				t.Errorf("docs/limits.md names %s, which is in no package of its heading", m[1])
			case found && !right:
				t.Errorf("docs/limits.md says of %s: %s; %s", m[1], row[2], strings.Join(values, ", "))
			}
			checked++
		}
	}
	return checked
}

// amount is a number with its unit; nil where it is none.
func amount(number, unit string) *big.Int {
	r, ok := new(big.Rat).SetString(strings.TrimRight(strings.ReplaceAll(number, ",", ""), "."))
	if !ok {
		return nil
	}
	by := map[string]int64{"": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "KB": 1000, "MB": 1_000_000, "million": 1_000_000,
		"s": int64(time.Second), "seconds": int64(time.Second), "min": int64(time.Minute), "minutes": int64(time.Minute), "days": int64(24 * time.Hour)}[unit]
	r.Mul(r, new(big.Rat).SetInt64(by))
	if !r.IsInt() {
		return nil
	}
	return r.Num()
}

// amount is the limit's value for people.
func (l *limit) amount() string {
	n := l.value.Int64()
	if l.duration {
		return time.Duration(n).String()
	}
	s := l.value.String()
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	for shift, unit := range map[int]string{10: "Ki", 20: "Mi", 30: "Gi"} {
		if part := n >> shift; part > 0 && part < 1<<10 && part<<shift == n {
			return fmt.Sprintf("%s (%d %s)", s, part, unit)
		}
	}
	return s
}

// limits are the constants of the product's packages and those of its variables that are called like limits, by package,
// file and place.
func limits(t *testing.T) []limit {
	var all []limit
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if b := d.Name(); b == "testdata" || b == "bench" || b == "fit" || b == "train" || strings.HasPrefix(b, ".") && b != "." && b != ".." ||
				strings.HasSuffix(b, "test") || strings.HasSuffix(b, "peer") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && (g.Tok == token.CONST || g.Tok == token.VAR) {
				all = append(all, declaredLimits(name, f.Name.Name, g)...)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]*limit{}
	for i := range all {
		byName[path.Dir(all[i].file)+" "+all[i].name] = &all[i]
	}
	for i := range all {
		l := &all[i]
		if v := valueOf(l.expr, path.Dir(l.file), byName, &l.duration, 0); v != nil && v.Kind() == constant.Int {
			l.value, _ = new(big.Int).SetString(v.ExactString(), 10)
		}
	}
	slices.SortStableFunc(all, func(a, b limit) int { return strings.Compare(a.pkg, b.pkg) })
	return all
}

func declaredLimits(file, pkg string, g *ast.GenDecl) (list []limit) {
	var before *ast.CommentGroup
	for _, s := range g.Specs {
		v := s.(*ast.ValueSpec)
		doc := v.Doc
		if doc == nil {
			doc = v.Comment
		}
		if doc == nil {
			doc = g.Doc
		}
		if doc == nil && v.Doc == nil && v.Comment == nil {
			doc = before
		}
		before = doc
		for i, id := range v.Names {
			text := doc.Text()
			if v.Doc == nil && v.Comment == nil && g.Doc == nil && !strings.Contains(text, id.Name) {
				text = "" // the comment above is of another
			}
			if i < len(v.Values) {
				list = append(list, limit{file: filepath.ToSlash(file), pkg: pkg, name: id.Name, means: firstSentence(id.Name, text), expr: v.Values[i]})
			}
		}
	}
	return list
}

// firstSentence is the first sentence of a comment, without the name that it begins with.
func firstSentence(name, doc string) string {
	doc = strings.Join(strings.Fields(doc), " ")
	first, _, _ := strings.Cut(doc, ". ")
	first = strings.TrimSuffix(first, ".")
	for _, lead := range []string{name + " is ", name + " are ", name + " "} {
		if rest, ok := strings.CutPrefix(first, lead); ok {
			return rest
		}
	}
	return first
}

// valueOf is what an expression of constants holds; nil where it is none. duration is set where a unit of time stands in it.
func valueOf(e ast.Expr, dir string, byName map[string]*limit, duration *bool, depth int) constant.Value {
	if depth > 8 {
		return nil
	}
	switch e := e.(type) {
	case *ast.BasicLit:
		if v := constant.MakeFromLiteral(e.Value, e.Kind, 0); v.Kind() == constant.Int || v.Kind() == constant.Float {
			return constant.ToInt(v)
		}
	case *ast.ParenExpr:
		return valueOf(e.X, dir, byName, duration, depth+1)
	case *ast.CallExpr:
		if id, ok := e.Fun.(*ast.Ident); ok && len(e.Args) == 1 && (strings.HasPrefix(id.Name, "int") || strings.HasPrefix(id.Name, "uint")) {
			return valueOf(e.Args[0], dir, byName, duration, depth+1)
		}
	case *ast.Ident:
		if l := byName[dir+" "+e.Name]; l != nil {
			return valueOf(l.expr, dir, byName, duration, depth+1)
		}
	case *ast.SelectorExpr:
		units := map[string]time.Duration{"Millisecond": time.Millisecond, "Second": time.Second, "Minute": time.Minute, "Hour": time.Hour}
		if x, ok := e.X.(*ast.Ident); ok && x.Name == "time" && units[e.Sel.Name] != 0 {
			*duration = true
			return constant.MakeInt64(int64(units[e.Sel.Name]))
		}
	case *ast.BinaryExpr:
		x, y := valueOf(e.X, dir, byName, duration, depth+1), valueOf(e.Y, dir, byName, duration, depth+1)
		if x == nil || y == nil || x.Kind() != constant.Int || y.Kind() != constant.Int {
			return nil
		}
		switch e.Op {
		case token.SHL:
			n, ok := constant.Uint64Val(y)
			if !ok || n > 64 {
				return nil
			}
			return constant.Shift(x, e.Op, uint(n))
		case token.ADD, token.SUB, token.MUL:
			return constant.BinaryOp(x, e.Op, y)
		case token.QUO:
			if constant.Sign(y) != 0 {
				return constant.BinaryOp(x, token.QUO_ASSIGN, y)
			}
		}
	}
	return nil
}

// TestLimitsAreRead holds how values are read and told.
func TestLimitsAreRead(t *testing.T) {
	for in, want := range map[string]string{"4 MiB": "4194304", "1,000": "1000", "1.1 million": "1100000", "45 s": "45000000000", "some": ""} {
		got := ""
		if m := limitAmount.FindStringSubmatch(in); m != nil {
			got = amount(m[1], m[2]).String()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	f, err := parser.ParseFile(token.NewFileSet(), "a.go", "package a\nconst maxA = 3 << 20\nconst maxB = 2 * maxA / 4\nvar maxC = 5 * time.Minute\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	byName := map[string]*limit{}
	for _, d := range f.Decls {
		list := declaredLimits("a.go", "a", d.(*ast.GenDecl))
		l := &list[0]
		byName[". "+l.name] = l
		l.value, _ = new(big.Int).SetString(valueOf(l.expr, ".", byName, &l.duration, 0).ExactString(), 10)
		fmt.Fprintf(&b, "%s %s; ", l.name, l.amount())
	}
	if want := "maxA 3,145,728 (3 Mi); maxB 1,572,864; maxC 5m0s; "; b.String() != want {
		t.Errorf("%s, want %s", b.String(), want)
	}
}
