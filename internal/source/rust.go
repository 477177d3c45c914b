package source

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// Limits of one use declaration: what is read of it, in bytes, the names that it brings,
// and how deep its braces stand in each other.
const (
	maxUseRead  = 4 << 10
	maxUseNames = 200
	maxUseDepth = 16
)

var useDeclaration = lazyregexp.New(`^(pub(?:\s*\([^)]*\))?\s+)?use\s+`)

// used is a name that a use declaration brings.
type used struct {
	// path is what it stands for: std::io::Read; of a glob std::io::*.
	path string
	// name is what it is called here; "" for none.
	name string
}

// usesOf reads the use declaration of Rust at the beginning of b, over several lines where
// it takes them; parts tells what of it is code. public says that it hands the names on to
// everybody.
func usesOf(b, parts []byte) (list []used, public bool) {
	m := useDeclaration.FindSubmatch(b[:lineEnd(b, 0)])
	if m == nil {
		return nil, false
	}
	var tree []byte
	first := len(m[0])
	for i := first; i < min(len(b), first+maxUseRead); i++ {
		switch {
		case parts[i] != inCode:
			continue
		case b[i] == ';':
			return useTree(nil, "", string(tree), 0), len(m[1]) > 0 && !bytes.ContainsRune(m[1], '(')
		}
		tree = append(tree, b[i])
	}
	return nil, false // it has no end
}

// useTree appends what a tree brings that stands behind a prefix.
func useTree(list []used, prefix, tree string, depth int) []used {
	if depth > maxUseDepth {
		return list
	}
	for _, branch := range branches(tree) {
		branch = strings.Join(strings.Fields(branch), " ")
		if open := strings.IndexByte(branch, '{'); open >= 0 && strings.HasSuffix(branch, "}") {
			list = useTree(list, prefix+strings.TrimSpace(branch[:open]), branch[open+1:len(branch)-1], depth+1)
		} else if branch != "" && len(list) < maxUseNames {
			list = append(list, leaf(prefix, branch))
		}
	}
	return list
}

// leaf is what one path brings.
func leaf(prefix, branch string) used {
	branch, as, renamed := strings.Cut(branch, " as ")
	whole := prefix + branch
	if branch == "self" {
		whole = strings.TrimSuffix(prefix, "::")
	}
	name := whole[strings.LastIndexByte(whole, ':')+1:]
	switch {
	case renamed && as == "_":
		name = ""
	case renamed:
		name = as
	case name == "*":
		name = whole
	}
	return used{whole, name}
}

// branches parts a tree at the commas outside of braces.
func branches(tree string) []string {
	var out []string
	start, depth := 0, 0
	for i := range len(tree) {
		switch tree[i] {
		case '{':
			depth++
		case '}':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, tree[start:i])
				start = i + 1
			}
		}
	}
	return append(out, tree[start:])
}

// testsOnly is what stands above what a build for tests alone holds.
var testsOnly = []byte("#[cfg(test)]")

// withoutTests returns a text of Rust with blanks for what stands below testsOnly, up to the brace or the semicolon that ends it: a route
// that a test registers is none of the program's. Of any other language it is the text.
func (l *Language) withoutTests(b []byte) []byte {
	if l.Name != "Rust" || !bytes.Contains(b, testsOnly) {
		return b
	}
	parts, out := l.parts(b), bytes.Clone(b)
	for at := 0; at < len(b); {
		next := bytes.Index(b[at:], testsOnly)
		if next < 0 {
			break
		}
		from := at + next
		at = from + len(testsOnly)
		if parts[from] != inCode {
			continue
		}
		for depth := 0; at < len(b); at++ {
			if parts[at] != inCode {
				continue
			}
			if b[at] == '{' {
				depth++
			} else if b[at] == '}' {
				depth--
			}
			if depth <= 0 && (b[at] == '}' || b[at] == ';') {
				break
			}
		}
		for i := from; i < min(at+1, len(b)); i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	return out
}
