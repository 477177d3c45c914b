package brief

import (
	"fmt"
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/language"
)

// Declared reports whether a definition of these lines, of a file of this name, says only what a function is called with: a prototype
// of a header, an `expect` of Kotlin, a stub of Python, what overloads promise, a call of protocol buffers. What it does stands elsewhere.
func Declared(name string, d *graph.Definition, lines []string) bool {
	if !d.IsFunction() || d.Kind == "macro" { // a macro says all that it is
		return false
	}
	if d.Line < 1 || d.End > len(lines) || d.End-d.Line > maxDeclared {
		return false
	}
	text := strings.TrimSpace(strings.Join(lines[d.Line-1:d.End], "\n"))
	if strings.EqualFold(path.Ext(name), ".proto") {
		return true // what it does stands in the code that serves it
	}
	if strings.Contains(text, "{") {
		return false
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".kt", ".kts", ".swift", ".go", ".scala":
		return !strings.Contains(text, "=")
	case ".py", ".pyi":
		return strings.HasSuffix(text, "...")
	}
	return strings.HasSuffix(text, ";")
}

// maxDeclared bounds the lines of what is looked at.
const maxDeclared = 20

// clauses are the languages that write one function as several clauses, each with its own arguments.
var clauses = map[string]bool{"Elixir": true, "Erlang": true, "Haskell": true}

// again is what a line says of the others that define the same name, in the same file.
func again(name string) string {
	if l := language.Of(name); l != nil && clauses[l.Name] {
		return "clause"
	}
	return "of its name"
}

// fold finds the lines of a shelf that others stand for: what a line below defines, and all but the first of one name.
func (w *shelves) fold(s *shelf) {
	defined := map[string]bool{}
	for n := range s.lines {
		if l := &s.lines[n]; l.Name != "" && !l.Declared {
			defined[l.Name] = true
		}
	}
	first, told := map[string]int{}, map[string]bool{}
	said := again(w.Members[s.member].Path)
	for n := range s.lines {
		l := &s.lines[n]
		if l.Name == "" {
			continue
		}
		if l.Bound {
			bare := l.bare()
			l.repeated, told[bare] = told[bare], true
		}
		if l.Declared && defined[l.Name] {
			l.elsewhere = true
			continue
		}
		if at := first[l.Name]; at > 0 {
			l.first, l.clause = at, said == "clause" || l.bare() == s.lines[at-1].bare() || strings.HasPrefix(l.bare(), "#define ") || accessors(l.bare(), s.lines[at-1].bare()) // one of them holds
			s.lines[at-1].others = append(s.lines[at-1].others, n)
			continue
		}
		first[l.Name] = n + 1
	}
	for n := range s.lines {
		if l := &s.lines[n]; len(l.others) > 0 {
			l.cost += w.Counter.Count([]byte(hiddenSuffix(len(l.others), said)))
		}
	}
}

// accessors reports whether two lines of JavaScript get and set one property.
func accessors(a, b string) bool {
	a, b = strings.TrimPrefix(a, "static "), strings.TrimPrefix(b, "static ")
	return strings.HasPrefix(a, "get ") && strings.HasPrefix(b, "set ") || strings.HasPrefix(a, "set ") && strings.HasPrefix(b, "get ")
}

// pair finds what files declare that others of them define, and returns by name how much depends on the files that declare it: who
// uses a header uses what it declares.
func (w *shelves) pair(list []*shelf) (declared map[string]int64) {
	defined := map[string]bool{}
	for _, s := range list {
		for n := range s.lines {
			if l := &s.lines[n]; !l.Declared && l.Name != "" {
				defined[l.Name] = true
			}
		}
	}
	declared = map[string]int64{}
	for _, s := range list {
		for n := range s.lines {
			if l := &s.lines[n]; l.Declared && defined[l.Name] {
				l.elsewhere = true
				declared[l.Name] = max(declared[l.Name], w.weightOf(s.member))
			}
		}
	}
	return declared
}

// written returns the code that programs write, as far as it was met, those first on which most depends.
func (w *shelves) written() (list []int) {
	for _, i := range w.order {
		if w.generated[i] != nil {
			list = append(list, i)
		}
	}
	return list
}

// told returns a line with how many others of its name it stands for.
func (l *signature) told(name string, hidden int) string {
	if hidden == 0 {
		return l.text
	}
	return strings.TrimSuffix(l.text, "\n") + hiddenSuffix(hidden, again(name)) + "\n"
}

func hiddenSuffix(n int, said string) string {
	if n > 1 && said == "clause" {
		said = "clauses"
	}
	return fmt.Sprintf("  (+%d %s)", n, said)
}

// hidden counts the lines that one of them stands for up to a layer.
func (s *shelf) hidden(line, layer int) (n int) {
	for _, i := range s.lines[line].others {
		if l := &s.lines[i]; !l.taken || l.layer > layer {
			n++
		}
	}
	return n
}

// told reports whether a line, from 1, is shown in a layer; 0 is none.
func (s *shelf) told(line, layer int) bool {
	return line > 0 && s.lines[line-1].taken && s.lines[line-1].layer == layer
}
