package views

import (
	"bytes"
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// form is one way in which a kind of template names others.
type form struct {
	// text finds it: the last group that took part is the name.
	text *lazyregexp.Regexp
	how  How
}

// The forms of templates. What is matched is a text without its comments.
var (
	quotedNames = lazyregexp.New(`["']([^"'\n]+)["']`)
	includeCall = lazyregexp.New(`\b(?:include|source|extends)\(\s*["']([^"'{}\n]+)["'](\s*~)?`)
	jekyllName  = lazyregexp.New(`^[\w-][\w/-]*\.\w+`)
	// pageComments are those of pages and of all templates that are written in them, and what is shown as it stands.
	pageComments = [][2]string{{"<!--", "-->"}, {"{{/*", "*/}}"}, {"{{- /*", "*/ -}}"}, {"{#", "#}"}, {"{% comment", "endcomment %}"}, {"{%- comment", "endcomment"}, {"{% raw %}", "{% endraw %}"}, {"{% verbatim %}", "{% endverbatim %}"}}
	pageForms    = []form{
		{lazyregexp.New(`<script\b[^<>]*?\ssrc=["']([^"'<>\s]+)["']`), Asset},
		{lazyregexp.New(`<link\b[^<>]*?\shref=["']([^"'<>\s]+)["']`), Asset},
	}
	// fragment is the value of an attribute that puts a fragment of Thymeleaf into the page.
	fragment     = lazyregexp.New(`^\w+\s*=\s*["'](?:~\{)?\s*([\w./-]+)(?:\s*::|\s*\}|["'])`)
	fragmentKeys = []string{"th:replace", "th:insert", "th:include", "layout:decorate"}
	barForms     = []form{
		{lazyregexp.New(`\{\{~?#?>\s*["'\[]?([\w@./-]+)`), Beside},
		{lazyregexp.New(`\{\{!<\s*([\w./-]+)`), Beside},
	}
	ejsForms = []form{
		{lazyregexp.New(`<%[-=_]?\s*(?:await\s+)?include\s*\(?\s*["']([^"'\n]+)["']`), Beside},
		{lazyregexp.New(`<%[-_]?\s*include\s+([\w./-]+)`), Beside},
		{lazyregexp.New(`<%[-=_]?\s*include\s*(\(\s*[A-Za-z_][\w.]*\s*[,)])`), Unknown},
	}
	pugForms   = []form{{lazyregexp.New(`(?m)^[ \t]*(?:include|extends)[ \t]+([\w./-]+)[ \t\r]*$`), Beside}}
	bladeForms = []form{
		{lazyregexp.New(`@(?:include|includeIf|extends|component|each|extendsFirst)\s*\(\s*["']([\w./-]+)["']`), Dotted},
		{lazyregexp.New(`@(?:includeWhen|includeUnless)\s*\([^'"\n]*?,\s*["']([\w./-]+)["']`), Dotted},
		{lazyregexp.New(`@includeFirst\s*\(\s*\[\s*["']([\w./-]+)["']`), Dotted},
		{lazyregexp.New(`<x-([a-z][\w.-]*)`), Component},
		{lazyregexp.New(`@(?:include|extends|component)\s*\(\s*(\$)`), Unknown},
	}
	routeForms = []form{
		{lazyregexp.New(`(?m)^[A-Z]+[ \t]+\S+[ \t]+@?([A-Za-z_][\w.]*)\.\w+[ \t]*(?:\(|$)`), Class},
		{lazyregexp.New(`(?m)^->[ \t]+\S+[ \t]+([A-Za-z_][\w.]*\.Routes)[ \t\r]*$`), Routes},
	}
)

// kinds are what templates of an extension are written in.
var kinds = map[string]string{
	".erb": "ruby", ".haml": "lines", ".slim": "lines", ".hbs": "bars", ".handlebars": "bars", ".mustache": "bars", ".ejs": "ejs", ".pug": "pug",
	".html": "page", ".htm": "page", ".xhtml": "page", ".twig": "page", ".j2": "page", ".jinja": "page", ".jinja2": "page", ".njk": "page", ".liquid": "page", ".tera": "page",
	".tmpl": "go", ".tpl": "go", ".gohtml": "go", ".gotmpl": "go", ".template": "page",
}

// IsTemplate reports whether files of a name are templates, pages, or routes that name controllers.
func IsTemplate(name string) bool {
	return kinds[strings.ToLower(path.Ext(name))] != "" || isRoutes(name)
}

func isRoutes(name string) bool {
	return path.Ext(name) == ".routes" || path.Base(name) == "routes" && path.Base(path.Dir(name)) == "conf"
}

// Template reads what a template names, and which templates of Go it defines.
func Template(name string, src []byte) (list []Reference, defines []string) {
	if isRoutes(name) {
		return routes(src), nil
	}
	switch kinds[strings.ToLower(path.Ext(name))] {
	case "ruby":
		return embeddedRuby(src), nil
	case "lines":
		return lines(src), nil
	case "bars":
		return find(nil, without(src, [][2]string{{"{{!--", "--}}"}, {"<!--", "-->"}}), "{{", barForms), nil
	case "ejs":
		return find(nil, without(src, [][2]string{{"<%#", "%>"}}), "include", ejsForms), nil
	case "pug":
		return find(nil, src, "", pugForms), nil
	}
	text := without(src, pageComments)
	list = find(nil, text, "<", pageForms)
	list = fragments(list, text)
	eachTag(text, "{%", "%}", func(tag []byte) { list = statementTag(list, tag) })
	eachTag(text, "{{", "}}", func(tag []byte) {
		word, rest := firstWord(tag)
		name := leadingText(rest)
		switch word {
		case "template", "block":
			list = add(list, name, Named)
		case "partial", "partialCached":
			list = add(list, name, Path)
		default:
			list = included(list, tag)
		}
		if word == "define" || word == "block" {
			defines = append(defines, name)
		}
	})
	return list, defines
}

// maxTag bounds a tag, in bytes.
const maxTag = 1_000

// eachTag calls with what stands in each tag.
func eachTag(text []byte, open, shut string, each func(tag []byte)) {
	for at := 0; ; {
		n := bytes.Index(text[at:], []byte(open))
		if n < 0 {
			return
		}
		at += n + len(open)
		if end := bytes.Index(first(text[at:], maxTag), []byte(shut)); end >= 0 {
			each(bytes.Trim(text[at:at+end], "-~+ \t\r\n"))
			at += end
		}
	}
}

// firstWord cuts the word with which a tag begins.
func firstWord(tag []byte) (word string, rest []byte) {
	n := 0
	for n < len(tag) && wordByte(tag[n]) {
		n++
	}
	return string(tag[:n]), bytes.TrimLeft(tag[n:], " \t\r\n")
}

// leadingText is the text in quotes that stands at the beginning, "" where none does.
func leadingText(b []byte) string {
	if len(b) == 0 || b[0] != '"' && b[0] != '\'' && b[0] != '`' {
		return ""
	}
	end := bytes.IndexByte(b[1:], b[0])
	if end < 0 {
		return ""
	}
	return string(b[1 : 1+end])
}

// statementTag reads a tag of Django, Jinja, Twig or Liquid.
func statementTag(list []Reference, tag []byte) []Reference {
	word, rest := firstWord(tag)
	switch word {
	case "include", "extends", "embed", "import", "from", "use", "render":
		return namedByTag(list, word, rest)
	case "form_theme":
		for _, m := range quotedNames.FindAllSubmatch(rest, 20) {
			list = pathOf(list, string(m[1]))
		}
		return list
	case "static":
		return add(list, leadingText(rest), Static)
	case "load":
		return libraries(list, strings.Fields(string(rest)))
	}
	return included(list, tag)
}

// namedByTag reads what a tag includes: a text, one of a list of them, a name without quotes of Jekyll's, or what an expression makes.
func namedByTag(list []Reference, word string, rest []byte) []Reference {
	name := leadingText(rest)
	switch {
	case len(rest) == 0 || word == "from" && name == "" || word == "import" && name == "":
		return list
	case name != "":
		if after := bytes.TrimLeft(rest[len(name)+2:], " \t\n"); len(after) > 0 && (after[0] == '~' || after[0] == '+' || after[0] == '|') {
			return add(list, name, Unknown)
		}
		return pathOf(list, name)
	case rest[0] == '[' || rest[0] == '(':
		for _, m := range quotedNames.FindAllSubmatch(rest, 20) {
			list = pathOf(list, string(m[1]))
		}
		return list
	}
	if m := jekyllName.FindSubmatch(rest); m != nil && word == "include" {
		if at := bytes.LastIndexByte(m[0], '.'); kinds[string(m[0][at:])] != "" || endings[string(m[0][at:])] {
			return add(list, string(m[0]), Path)
		}
	}
	if word == "include" || word == "extends" || word == "embed" {
		return add(list, word, Unknown)
	}
	return list
}

// pathOf adds a path of a tag. One of another package (@Admin/x.html.twig) is not known.
func pathOf(list []Reference, name string) []Reference {
	switch {
	case strings.HasPrefix(name, "@") || strings.Contains(name, "{"):
		return add(list, name, Unknown)
	case path.Ext(name) == "":
		name += ".liquid"
	}
	return add(list, name, Path)
}

// included reads the functions of Twig and Jinja that include.
func included(list []Reference, tag []byte) []Reference {
	if bytes.IndexByte(tag, '(') < 0 || !bytes.Contains(tag, []byte("include(")) && !bytes.Contains(tag, []byte("source(")) {
		return list
	}
	for _, m := range includeCall.FindAllSubmatch(tag, 20) {
		if len(m[2]) == 0 {
			list = pathOf(list, string(m[1]))
		}
	}
	return list
}

// libraries adds those of tags that Django loads.
func libraries(list []Reference, names []string) []Reference {
	for i, name := range names { // load a b from library
		if name == "from" && i+1 < len(names) {
			names = names[i+1:]
			break
		}
	}
	for _, name := range names {
		if !builtinLibraries[name] {
			list = add(list, name, Library)
		}
	}
	return list
}

// fragments adds those of Thymeleaf.
func fragments(list []Reference, text []byte) []Reference {
	for _, key := range fragmentKeys {
		for at := 0; len(list) < maxReferences; {
			n := bytes.Index(text[at:], []byte(key))
			if n < 0 {
				break
			}
			at += n + len(key)
			if m := fragment.FindSubmatch(first(text[at-1:], maxName)); m != nil {
				list = add(list, strings.TrimSuffix(strings.Trim(string(m[1]), "/"), ".html"), Bare)
			}
		}
	}
	return list
}

// builtinLibraries are Django's own.
var builtinLibraries = language.WordSet("static staticfiles i18n l10n tz cache humanize log admin_static admin_list admin_modify admin_urls flatpages")

// find adds what the forms find in a text that holds a sign.
func find(list []Reference, text []byte, sign string, forms []form) []Reference {
	if sign != "" && !bytes.Contains(text, []byte(sign)) {
		return list
	}
	for _, f := range forms {
		for _, m := range f.text.FindAllSubmatch(text, maxReferences) {
			name := string(m[1])
			how := f.how
			if how == Asset {
				name, _, _ = strings.Cut(name, "?")
				name, _, _ = strings.Cut(name, "#")
				if strings.Contains(name, ":") || strings.HasPrefix(name, "//") || strings.ContainsAny(name, "{}%$<>") {
					continue
				}
			}
			list = add(list, name, how)
		}
	}
	return list
}

// without overwrites comments with spaces.
func without(src []byte, comments [][2]string) []byte {
	out := src
	for _, c := range comments {
		for at := 0; ; {
			n := bytes.Index(out[at:], []byte(c[0]))
			if n < 0 {
				break
			}
			if &out[0] == &src[0] {
				out = bytes.Clone(src)
			}
			begin := at + n
			end := bytes.Index(out[begin:], []byte(c[1]))
			if end < 0 {
				break
			}
			end += begin + len(c[1])
			for i := begin; i < end; i++ {
				if out[i] != '\n' {
					out[i] = ' '
				}
			}
			at = end
		}
	}
	return out
}

// routes reads those of Play.
func routes(src []byte) (list []Reference) {
	list = find(nil, src, "", routeForms)
	for i, r := range list {
		if r.How == Routes { // api.Routes is the file api.routes
			list[i].Name = strings.TrimSuffix(r.Name, ".Routes") + ".routes"
		}
	}
	return list
}
