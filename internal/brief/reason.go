package brief

import (
	"path"
	"strings"
)

// maxWhy bounds the words of a file's reasons.
const maxWhy = 12

// few joins the reasons that have room among maxWhy words, in their order; a longer first one is cut there.
func few(why []string) string {
	var told []string
	words := 0
	for _, w := range why {
		list := strings.Fields(w)
		if len(told) == 0 && len(list) > maxWhy {
			return quoted(list[:maxWhy]) + " …"
		}
		if words+len(list) <= maxWhy {
			words += len(list)
			told = append(told, quoted(list))
		}
	}
	return strings.Join(told, " · ")
}

// quoted joins words, each as Words writes it but for the sign that ends a phrase.
func quoted(words []string) string {
	list := make([]string, len(words))
	for i, w := range words {
		plain := strings.TrimRight(w, ",:;")
		list[i] = Words(plain) + w[len(plain):]
	}
	return strings.Join(list, " ")
}

// shortPaths are the ends of paths by which the reasons of a document name its files: as much as no other file of it ends with. In a
// tree of packages a path takes more room than all else that a reason says, and stands in full where the file does.
type shortPaths map[string]string

func newShortPaths(sources []Source) shortPaths {
	ends := map[string]int{}
	for i := range sources {
		for end := range suffixes(sources[i].Path) {
			ends[end]++
		}
	}
	short := shortPaths{}
	for i := range sources {
		name := sources[i].Path
		for end := range suffixes(name) {
			if ends[end] == 1 {
				short[name] = end
				break
			}
		}
	}
	return short
}

// maxSuffix bounds the folders that stand before a file's name where it is shortened.
const maxSuffix = 2

// suffixes yields a path's name, and that with one and with maxSuffix of its folders.
func suffixes(name string) func(func(string) bool) {
	return func(yield func(string) bool) {
		end, rest := path.Base(name), path.Dir(name)
		for n := 0; ; n++ {
			if !yield(end) || n == maxSuffix || rest == "." || rest == "/" {
				return
			}
			end, rest = path.Join(path.Base(rest), end), path.Dir(rest)
		}
	}
}

// reasons returns reasons with the paths in them short.
func (p shortPaths) reasons(why []string) []string {
	list := make([]string, len(why))
	for i, w := range why {
		words := strings.Fields(w)
		for k, word := range words {
			bare := strings.TrimLeft(word, "(")
			name := strings.TrimRight(bare, "),;")
			if at := strings.LastIndexByte(name, ':'); at > 0 && strings.Trim(name[at+1:], "0123456789") == "" {
				name = name[:at]
			}
			if end := p[name]; end != "" {
				words[k] = word[:len(word)-len(bare)] + end + bare[len(name):]
			}
		}
		list[i] = strings.Join(words, " ")
	}
	return list
}
