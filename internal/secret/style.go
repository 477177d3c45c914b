package secret

import (
	"bytes"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// styles are those of extensions; any other is asConfig.
var styles = value.WordMap(map[value.Style]string{
	value.AsProse: "md markdown rst adoc asciidoc txt tex org mdx pod eml",
	value.AsPatch: "diff patch",
	value.AsCode: `
	html htm xhtml
	go ts tsx js jsx mjs cjs mts cts py pyi rb java kt kts scala c h cc cpp cxx hh hpp cs fs vb rs swift m mm php phtml pl pm
	lua r dart ex exs erl hrl hs clj cljs groovy gradle vue svelte proto graphql gql prisma jl nim zig sol d v sv vhd pas f90 ml mli
	elm coffee cr as bzl star bazel cmake css scss sass less astro tmpl gotmpl y yy l asm s rego cue jsonnet dhall nix tcl awk bicep eex heex leex
	`,
})

// namedStyles are those of names without an extension.
var namedStyles = value.WordMap(map[value.Style]string{value.AsProse: "readme changelog license notice authors contributing security"})

func styleOf(path string) value.Style {
	var buf [32]byte
	base := path[strings.LastIndexByte(path, '/')+1:]
	dot := strings.LastIndexByte(base, '.')
	ext := value.Lower(buf[:], base[dot+1:])
	if base == "CMakeLists.txt" {
		return value.AsCode
	}
	if dot < 0 {
		return namedStyles[string(ext)]
	}
	return styles[string(ext)]
}

// styleAt returns the style that counts at an offset: in a patch, that of the file whose part it is.
func (r *run) styleAt(at int) value.Style {
	if r.style != value.AsPatch {
		return r.style
	}
	lo := max(0, at-(32<<10))
	r.spend((at - lo) / 16)
	if i := r.patched.lastBefore(r.text, lo, at); i >= 0 {
		name := i + 5
		if s := styleOf(string(r.text[name:value.UpTo(r.text, name, at-name, "\n\t\r")])); s != value.AsPatch {
			return s
		}
	}
	return value.AsConfig
}

// partHead is the last line of a patch before an offset that begins the part of a file: places are asked for in their order, most
// of them, and what is before the last one was looked at.
type partHead struct{ from, to, head int }

const partMark = "\n+++ "

// lastBefore returns where the last head in text[lo:at] begins, -1 where none stands there.
func (p *partHead) lastBefore(text []byte, lo, at int) int {
	if at < p.to || lo < p.from || p.to == 0 {
		*p = partHead{from: lo, to: lo, head: -1}
	}
	from := max(lo, p.to-len(partMark)+1)
	if i := bytes.LastIndex(text[from:at], []byte(partMark)); i >= 0 {
		p.head = from + i
	}
	if p.to = at; p.head < lo {
		return -1
	}
	return p.head
}

// pathTraits are what a path says of the file's use.
type pathTraits struct{ known, test, example, doc, lock bool }

func (r *run) pathTraits() pathTraits {
	if !r.traits.known {
		low := strings.ToLower(r.path)
		r.traits = pathTraits{
			known:   true,
			test:    some(strings.Contains, low, "test", "spec", "mock", "fixture"),
			example: some(strings.Contains, low, "example", "sample", "demo", "template", "snippet"),
			doc:     some(strings.Contains, low, "doc", "readme") || some(strings.HasSuffix, low, ".md", ".rst"),
			// A list of what is locked: hashes stand beside names there.
			lock: some(strings.HasSuffix, low, ".lock", ".lockfile", ".lock.json", "-lock.json", "-lock.yaml", "-lock.yml", ".lock.hcl", "shrinkwrap.json", ".sum",
				"sums", "sums.txt", ".sha256", ".sha512", ".resolved", "verification-metadata.xml"),
		}
	}
	return r.traits
}

// translated reports whether a path is that of texts for people, in a language.
func translated(path string) bool {
	for seg := range strings.SplitSeq(path, "/") {
		switch seg {
		case "lang", "langs", "nls", "messages", "strings", "Lang", "Langs", "Messages", "Strings":
			return true
		}
	}
	base := path[strings.LastIndexByte(path, '/')+1:]
	return some(strings.Contains, path, "locale", "localis", "localiz", "i18n", "l10n", "language", "translation", "intl",
		"Locale", "Localis", "Localiz", "I18N", "I18n", "L10N", "L10n", "Language", "Translation") ||
		some(strings.HasPrefix, base, "messages", "strings", "lang.", "lang-", "lang_") ||
		some(strings.HasSuffix, base, ".po", ".pot", ".xliff", ".xlf", ".resx", ".arb", ".strings", ".ftl")
}

// some reports whether one of the words stands so in a path.
func some(stands func(path, word string) bool, path string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return stands(path, w) })
}
