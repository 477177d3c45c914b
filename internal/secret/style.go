package secret

import (
	"bytes"
	"strings"
)

// style is how a file is written, told from its name: it decides what an
// unquoted value is.
type style uint8

const (
	asConfig style = iota // key and value; an unquoted value is the value
	asCode                // an unquoted value is an expression
	asProse               // an unquoted value may be a word of a sentence
	asPatch               // each part is what its file is
)

var styles = map[string]style{
	"md": asProse, "markdown": asProse, "rst": asProse, "adoc": asProse, "asciidoc": asProse, "txt": asProse, "html": asCode, "htm": asCode, "xhtml": asCode, "tex": asProse, "org": asProse, "mdx": asProse, "pod": asProse,
	"diff": asPatch, "patch": asPatch,
}

var codeExtensions = " go ts tsx js jsx mjs cjs mts cts py pyi rb java kt kts scala c h cc cpp cxx hh hpp cs fs vb rs swift m mm php phtml pl pm lua r dart ex exs erl hrl hs clj cljs groovy gradle vue svelte proto graphql gql jl nim zig sol d v sv vhd pas f90 ml mli elm coffee cr as bzl star bazel cmake css scss sass less astro tmpl gotmpl y yy l asm s rego cue jsonnet dhall nix tcl awk "

func styleOf(path string) style {
	base := path[strings.LastIndexByte(path, '/')+1:]
	dot := strings.LastIndexByte(base, '.')
	if dot < 0 {
		switch strings.ToUpper(base) {
		case "README", "CHANGELOG", "LICENSE", "NOTICE", "AUTHORS", "CONTRIBUTING", "SECURITY":
			return asProse
		}
		return asConfig
	}
	var buf [18]byte // the extension in lower case, between spaces
	if len(base)-dot > len(buf)-2 {
		return asConfig
	}
	buf[0] = ' '
	n := 1 + copy(buf[1:], base[dot+1:])
	for i, b := range buf[1:n] {
		if isUpper(b) {
			buf[1+i] = b | 0x20
		}
	}
	buf[n] = ' '
	if s, ok := styles[string(buf[1:n])]; ok {
		return s
	}
	if strings.Contains(codeExtensions, string(buf[:n+1])) {
		return asCode
	}
	return asConfig
}

// styleAt returns the style that counts at an offset: in a patch, that of the
// file whose part it is.
func (r *run) styleAt(at int) style {
	if r.style != asPatch {
		return r.style
	}
	lo := max(0, at-(32<<10))
	r.spend((at - lo) / 16)
	i := bytes.LastIndex(r.text[lo:at], []byte("\n+++ "))
	if i < 0 {
		return asConfig
	}
	line := r.text[lo+i+5 : at]
	for j, b := range line {
		if b == '\n' || b == '\t' || b == '\r' {
			line = line[:j]
			break
		}
	}
	if s := styleOf(string(line)); s != asPatch {
		return s
	}
	return asConfig
}
