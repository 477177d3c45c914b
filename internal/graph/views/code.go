package views

import (
	"bytes"
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/graph/names"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

var (
	// rendered is what render is given: a text, a symbol, or one of the arguments that name a template.
	rendered = lazyregexp.New(`^(?:render|render_to_string|layout|partial!)[ \t]*\(?[ \t]*(?:["']([\w./-]+)["']|:(\w+)[ \t]*(=>)?)`)
	keyed    = lazyregexp.New(`\b(partial|template|layout|action)(?::|["']?[ \t]*=>)[ \t]*(?:["']([\w./-]+)["']|:(\w+))`)
	shown    = lazyregexp.New(`\binertia(?::|["']?[ \t]*=>)[ \t]*["']([\w./-]+)["']`)
	method   = lazyregexp.New(`^def[ \t]+([a-z_]\w*)`)
	// ofPHP are the calls of Laravel that name views, and the arguments and fields that do.
	ofPHP   = lazyregexp.New(`^(?:(?:view|make|markdown|text|html|first|renderWhen)\s*\(\s*(?:["']/[^"']*["']\s*,\s*)?|(?:view|markdown|html|text)\s*:\s*|\$view\s*=\s*)["']([\w./-]+)["']\s*[,);]`)
	inertia = lazyregexp.New(`^(?:render|inertia)\s*\(\s*(?:["']/[^"']*["']\s*,\s*)?["']([\w./-]+)["']\s*[,)]`)
)

// maxStatement bounds what is read of a call, in bytes.
const maxStatement = 400

// Ruby reads what controllers, mailers, components and helpers of Rails render.
func Ruby(s *names.Source) (list []Reference) {
	json := path.Ext(s.Path) == ".jbuilder" // a template that is all code
	own := viewsOf(s.Path) != "" && !json
	helper := own || strings.Contains(s.Path, "/helpers/") || strings.Contains(s.Path, "components/") || strings.Contains(s.Path, "app/")
	if !helper {
		return nil
	}
	var actions []string
	for i := range s.Tokens {
		switch {
		case json && (s.Is(i, "partial!") || s.Is(i, "array!")):
			list = render(list, s.Text[s.Tokens[i].Start:], false)
		case s.Kind(i) != declaration.Word || s.Kind(i-1) == '.':
		case s.Is(i, "render") || s.Is(i, "render_to_string") || s.Is(i, "layout") && own:
			list = render(list, s.Text[s.Tokens[i].Start:], own)
		case own && s.Is(i, "def"):
			if m := method.FindSubmatch(first(s.Text[s.Tokens[i].Start:], 200)); m != nil && len(actions) < maxReferences {
				actions = append(actions, string(m[1]))
			}
		}
	}
	if len(actions) > 0 {
		list = append(list, Reference{strings.Join(actions, " "), Actions})
	}
	if strings.HasSuffix(s.Path, "_component.rb") {
		list = append(list, Reference{path.Base(s.Path), Sidecar})
	}
	return list
}

// first is as much of a text.
func first(b []byte, most int) []byte { return b[:min(len(b), most)] }

// statement is a call to its end: it goes on behind a comma.
func statement(b []byte) []byte {
	b = first(b, maxStatement)
	for at := 0; ; {
		n := bytes.IndexByte(b[at:], '\n')
		if n < 0 {
			return b
		}
		at += n
		if line := bytes.TrimRight(b[:at], " \t\r"); !bytes.HasSuffix(line, []byte(",")) && !bytes.HasSuffix(line, []byte("(")) {
			return b[:at]
		}
		at++
	}
}

// render reads a call of render or layout. In a controller a name is a template's, elsewhere a partial's.
func render(list []Reference, text []byte, controller bool) []Reference {
	text = statement(text)
	how := Partial
	if controller {
		how = Action
	}
	if bytes.HasPrefix(text, []byte("layout")) {
		how = Layout
	}
	if m := rendered.FindSubmatch(text); m != nil {
		switch {
		case len(m[1]) > 0:
			list = add(list, string(m[1]), how)
		case len(m[3]) == 0 && how != Partial:
			list = add(list, string(m[2]), how)
		}
	}
	if m := shown.FindSubmatch(text); m != nil {
		list = add(list, string(m[1]), Page)
	}
	for _, m := range keyed.FindAllSubmatch(text, 10) {
		how := map[string]How{"partial": Partial, "template": Action, "action": Action, "layout": Layout}[string(m[1])]
		if string(m[1]) == "layout" && !controller { // a partial around others
			how = Partial
		}
		list = add(list, string(m[2])+string(m[3]), how)
	}
	return list
}

var (
	rubyCall = lazyregexp.New(`(?:^|[^\w.@:"'])(render)\b`)
	rubyLine = lazyregexp.New(`^[ \t]*(?:[%.#][\w.#:-]*(?:\{[^}]*\}|\([^)]*\))?)?(?:=|==|-|!=|&=|~)[ \t]*(.*)$`)
	slimLine = lazyregexp.New(`^[ \t]*[a-z][\w.#-]*[ \t]*==?[ \t]+(.*)$`)
)

// calls adds what the code of a template renders.
func calls(list []Reference, code []byte) []Reference {
	for _, at := range rubyCall.FindAllSubmatchIndex(code, maxReferences) {
		before := len(list)
		rest := code[at[2]:]
		list = render(list, rest, false)
		if len(list) == before && madeUp.Match(first(rest, 200)) {
			list = add(list, "render", Unknown)
		}
	}
	return list
}

// madeUp is a render of what only the run knows.
var madeUp = lazyregexp.New(`^render[ \t]*\(?[ \t]*(?:(?::?partial(?::|[ \t]*=>))[ \t]*)?(?:@?[a-z_][\w.]*[ \t]*(?:$|[,)\n%])|["'][^"'\n]*#\{)`)

// embeddedRuby reads what stands between <% and %>.
func embeddedRuby(src []byte) (list []Reference) {
	for at := 0; at < len(src); {
		open := bytes.Index(src[at:], []byte("<%"))
		if open < 0 {
			break
		}
		at += open + 2
		end := bytes.Index(src[at:], []byte("%>"))
		if end < 0 {
			end = len(src) - at
		}
		code := src[at : at+end]
		at += end
		if len(code) > 0 && code[0] != '#' && code[0] != '%' && bytes.Contains(code, []byte("render")) {
			list = calls(list, append([]byte(" "), bytes.TrimLeft(code, "-=")...))
		}
	}
	return list
}

// lines reads the lines of Haml and Slim that are code.
func lines(src []byte) (list []Reference) {
	for line := range bytes.SplitSeq(src, []byte("\n")) {
		if len(list) >= maxReferences {
			break
		}
		if len(line) > 4*maxName || !bytes.Contains(line, []byte("render")) || bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("-#")) {
			continue
		}
		m := rubyLine.FindSubmatch(line)
		if m == nil {
			m = slimLine.FindSubmatch(line)
		}
		if m != nil {
			list = calls(list, append([]byte(" "), m[1]...))
		}
	}
	return list
}

// PHP reads the views that code of Laravel names, the texts that are paths of Twig, and what Blade includes.
func PHP(s *names.Source) (list []Reference) {
	if strings.HasSuffix(s.Path, ".blade.php") {
		list = find(nil, without(s.Text, [][2]string{{"{{--", "--}}"}, {"<!--", "-->"}}), "", bladeForms)
	}
	for i := range s.Tokens {
		switch s.Kind(i) {
		case declaration.Quoted:
			if name := quoted(s, i); strings.HasSuffix(name, ".twig") && plainName(name) {
				list = add(list, name, Literal)
			}
		case declaration.Word:
			w := s.Word(i)
			if string(w) == "inertia" || string(w) == "render" && bytes.HasSuffix(s.Text[:s.Tokens[i].Start], []byte("Inertia::")) {
				if m := inertia.FindSubmatch(first(s.Text[s.Tokens[i].Start:], maxStatement)); m != nil {
					list = add(list, string(m[1]), Page)
				}
			}
			if !laravel[string(w)] || string(w) == "make" && !bytes.HasSuffix(s.Text[:s.Tokens[i].Start], []byte("View::")) && !bytes.HasSuffix(s.Text[:s.Tokens[i].Start], []byte("view()->")) {
				continue
			}
			m := ofPHP.FindSubmatch(first(s.Text[s.Tokens[i].Start:], maxStatement))
			if m != nil && (string(w) == "view" || string(w) == "make" || bytes.IndexByte(m[1], '.') > 0) {
				list = add(list, string(m[1]), Dotted)
			}
		}
	}
	return list
}

// laravel are the words before the name of a view.
var laravel = language.WordSet("view make markdown text html first renderWhen $view")

// quoted is what a string holds, "" where it is long.
func quoted(s *names.Source, i int) string {
	t := s.Tokens[i]
	if t.End-t.Start > maxName+2 || t.End-t.Start < 3 {
		return ""
	}
	return string(s.Text[t.Start+1 : t.End-1])
}

// plainName reports whether a text is a path without expressions in it.
func plainName(name string) bool {
	for i := range len(name) {
		if c := name[i]; c != '.' && c != '/' && c != '-' && !wordByte(c) {
			return false
		}
	}
	return name != ""
}

func wordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
}

// endings are those of the templates that programs of Python name, shared those of them that other files have more often: a name
// with one of these counts with its folder.
var (
	endings = language.WordSet(".html .htm .txt .xml .jinja .jinja2 .j2 .mako .tpl .tmpl .svg .md .mjml .csv .tex .rst .css .js")
	shared  = language.WordSet(".txt .xml .svg .md .csv .tex .rst .css .js")
)

// IsLiteral reports whether a text of a program may be the path of a template.
func IsLiteral(text string) bool {
	ext := path.Ext(text)
	if len(text) > maxName || !endings[ext] || shared[ext] && !strings.Contains(text, "/") {
		return false
	}
	return plainName(text) && text[0] != '/' && text[0] != '.'
}

// JVM reads the views that controllers of Spring name.
func JVM(s *names.Source) (list []Reference) {
	if !bytes.Contains(s.Text, []byte("Controller")) && !bytes.Contains(s.Text, []byte("ModelAndView")) {
		return nil
	}
	for i := range s.Tokens {
		if s.Kind(i) != declaration.Quoted {
			continue
		}
		name := quoted(s, i)
		given := s.Is(i-1, "return") || s.Kind(i-1) == '(' && (s.Is(i-2, "ModelAndView") || s.Is(i-2, "setViewName"))
		if plainName(name) && (given || s.Kind(i-1) == '=' && strings.Contains(name, "/")) && !strings.HasPrefix(name, "/") {
			list = add(list, name, Bare)
		}
	}
	return list
}

// Draw adds the edges of what a program names to what was found in it.
func (x *Index) Draw(from string, list []Reference, found *names.FileNames) {
	for _, r := range list {
		a := x.Lead(from, r)
		for _, to := range a.Paths {
			if to != from {
				found.Edge(to, a.Resolution)
			}
		}
		if a.Undecided {
			found.Undecided++
		}
	}
}
