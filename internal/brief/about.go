package brief

import (
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/text"
)

// about returns what a folder says of itself, in one sentence, "" if nothing, or nothing that the root does not say.
func (w *shelves) about(dir string) string {
	said := w.saidIn(dir)
	if root := w.saidIn("."); said != "" && root != "" && (strings.HasPrefix(root, said) || strings.HasPrefix(said, root)) {
		return ""
	}
	return said
}

// saidIn returns what the first file of a folder says of it that is there for that, "." of the root.
func (w *shelves) saidIn(dir string) string {
	name := path.Base(dir)
	for _, base := range []string{"package.json", "composer.json", "Cargo.toml", "pubspec.yaml", name + ".csproj", "pom.xml", "doc.go", name + ".go", "main.go", "package-info.java", "__init__.py", "README.md", "mod.rs", "lib.rs", "src/lib.rs"} {
		i, ok := slices.BinarySearchFunc(w.Members, path.Join(dir, base), func(m Member, name string) int { return strings.Compare(m.Path, name) })
		if !ok || dir == "." && base == "README.md" { // that stands at the beginning itself
			continue
		}
		if s := aboutOf(base, w.Read(i).Text); s != "" && !strings.HasSuffix(s, ":") && !strings.EqualFold(s, name) {
			return s
		}
	}
	return ""
}

// maxAbout bounds a sentence about a folder, in bytes.
const maxAbout = 120

// aboutOf returns the sentence of a file that says what its folder holds.
func aboutOf(base, content string) string {
	content = content[:min(len(content), 8<<10)]
	var said string
	switch path.Ext(base) {
	case ".json":
		if _, rest, ok := strings.Cut(content, `"description":`); ok {
			_, rest, _ = strings.Cut(rest, `"`)
			said, _, _ = strings.Cut(rest, `"`)
		}
	case ".toml", ".yaml", ".csproj", ".xml":
		if m := describingLong.FindStringSubmatch(content); m != nil {
			said = m[1]
		} else if m := describing.FindStringSubmatch(content); m != nil {
			said = strings.Trim(strings.TrimSpace(m[1]+m[2]), `"'>|`)
		}
	case ".go":
		if _, rest, ok := strings.Cut("\n"+content, "\n// Package "); ok {
			said, _, _ = strings.Cut(rest, "\n\n")
			said, _, _ = strings.Cut(said, "\npackage ")
			said = strings.ReplaceAll(said, "\n//", "")
		}
	case ".java":
		if before, _, ok := strings.Cut(content, "\npackage "); ok {
			_, said, _ = strings.Cut(before[max(strings.LastIndex(before, "/**"), 0):], "/**")
			said, _, _ = strings.Cut(said, "*/")
			said = markedUp.ReplaceAllString(inlineTag.ReplaceAllString(said, ""), " ")
		}
	case ".py":
		if rest, ok := strings.CutPrefix(strings.TrimSpace(content), `"""`); ok {
			said, _, _ = strings.Cut(rest, `"""`)
		}
	case ".md":
		said = firstSaid("README.md", content)
	default:
		for line := range strings.SplitSeq(content, "\n") {
			more, ok := strings.CutPrefix(line, "//!")
			if more = strings.TrimSpace(more); !ok || more == "" && said != "" {
				break
			}
			said += " " + more
		}
	}
	if said = strings.Join(strings.Fields(said), " "); !strings.ContainsFunc(said, isWordRune) {
		return "" // a package is made with a description of three dots
	}
	for i := range said {
		if text.EndsSentence(said, i) {
			said = said[:i]
			break
		}
	}
	if asksReader.MatchString(said) || len(strings.Fields(address.ReplaceAllString(said, ""))) < 2 && address.MatchString(said) {
		return "" // "Documentation: https://…" says where something is said
	}
	said = saysItself.ReplaceAllString(said, "")
	if said = strings.TrimSuffix(said, "."); len(said) > maxAbout {
		said = strings.ToValidUTF8(said[:maxAbout], "") + "…"
	}
	return said
}

// asksReader begins a sentence that asks the reader for something, and says nothing of a folder; address is one elsewhere; saysItself is what stands before what one
// says of it.
var (
	asksReader = lazyregexp.New(`^\W*(?i:please|welcome|see|note|todo|if you|you can|click|for more|do not|don't)\b`)
	address    = lazyregexp.New(`\bhttps?://\S*`)
	saysItself = lazyregexp.New(`^(?i:(?:this|the) (?:directory|folder|package|crate|module|library|project|sub-?project|repository|repo|file)) (?:contains|holds|provides|implements|hosts|includes|is) (?:(?:an?|the|all|some) )*`)
)

// describing is what a manifest in TOML, YAML or XML says of what it builds, in one line, describingLong in several of TOML. inlineTag and markedUp are what javadoc's text has besides words.
var (
	describing     = lazyregexp.New(`(?m)^(?:description[ \t]*[=:][ \t]*(.+)|[ \t]*<[dD]escription>([^<]+)</[dD]escription>)`)
	describingLong = lazyregexp.New(`(?m)^description[ \t]*=[ \t]*"""\\?\s*([^"]+)"""`)
	inlineTag      = lazyregexp.New(`\{@\w+[ \t]*|\}`)
	markedUp       = lazyregexp.New(`(?m)^\s*\*|</?[A-Za-z][^>]*>|\{|@\w+`)
)

// firstSaid returns the paragraph below a README's title that says something by itself, or else the title: no item of a list, no row,
// nothing that only announces what is below it. Of links their words are left.
func firstSaid(name, content string) (said string) {
	lines, _ := readmeLines(name, content)
	var paragraph []string
	for _, one := range append(lines, readmeLine{}) {
		line := strings.TrimSpace(one.text)
		if len(paragraph) == 0 && indentOf(one.text) >= 4 {
			line = "" // code
		}
		title := heading(line)
		if len(paragraph) == 1 && underline.MatchString(line) {
			title, paragraph = paragraph[0], nil
		}
		if line != "" && title == "" && !one.code && line[0] != '>' && line[0] != '|' && (len(paragraph) > 0 || !listItem.MatchString(line)) {
			paragraph = append(paragraph, line)
			continue
		}
		if whole := strings.Join(paragraph, " "); whole != "" && !strings.HasSuffix(strings.TrimRight(whole, "*_` "), ":") {
			return linked.ReplaceAllString(whole, "$1")
		}
		paragraph = nil
		switch {
		case title != "" && (said != "" || instructs.MatchString(title)):
			return said // what stands in a section further down is no introduction, nor is how to begin
		case title != "" && !general.MatchString(title):
			said = title
		}
	}
	return said
}

// instructs is a title above what a reader is to do, general one that says nothing itself.
var (
	instructs = lazyregexp.New(`^\W*(?i:quick ?start|getting started|install(?:ation|ing)?|usage|set ?up|how to\b.*|development|contributing|requirements|prerequisites)\W*$`)
	general   = lazyregexp.New(`^\W*(?i:overview|introduction|about|readme|(?:table of )?contents|description|summary)\W*$`)
)

// underline makes a title of the line above it.
var underline = lazyregexp.New(`^(?:={2,}|-{2,})$`)

// listItem begins a line of a list.
var listItem = lazyregexp.New(`^(?:[-*+]|\d+[.)]) `)
