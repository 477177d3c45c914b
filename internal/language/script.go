package language

import (
	"bytes"
	"path"
	"strings"
)

// As returns the name by which a text is read: its own, or, where that says no language and the first line says what runs the text,
// one that has the ending of the language: bin/tool.rb of bin/tool that begins with #!/usr/bin/env ruby.
func As(name string, text []byte) string {
	return WithEnding(name, Script(name, text))
}

// WithEnding is a name with what Script returned of it.
func WithEnding(name, ending string) string {
	if ending == "" {
		return name
	}
	return name + "." + ending
}

// Script returns the ending, without a dot, of the language of a text whose name has none: that of what its first line says runs
// it. It is "" where the name tells by itself, and where the line says nothing that is known.
func Script(name string, text []byte) string {
	if !bytes.HasPrefix(text, []byte("#!")) || strings.Contains(path.Base(name), ".") || Of(name) != nil {
		return ""
	}
	line, _, _ := bytes.Cut(text[:min(len(text), MaxRunner)], []byte("\n"))
	words := strings.Fields(string(line[len("#!"):]))
	if len(words) > 0 && path.Base(words[0]) == "env" {
		words = words[1:]
		for len(words) > 0 { // env -S, env -i NAME=value
			rest, split := strings.CutPrefix(words[0], "-S")
			if split && rest != "" {
				words[0] = rest
			}
			if !strings.HasPrefix(words[0], "-") && !strings.Contains(words[0], "=") {
				break
			}
			words = words[1:]
		}
	}
	if len(words) == 0 {
		return ""
	}
	runner := strings.TrimRight(path.Base(words[0]), "0123456789.-") // python3.12
	if runner == "uv" && len(words) > 1 && words[1] == "run" {
		return "py"
	}
	return endingOf[runner]
}

// MaxRunner bounds, in bytes, how much of a text is looked at for what runs it: no system takes a longer line.
const MaxRunner = 512

// endingOf are the endings of the languages by what runs their texts.
var endingOf = func() map[string]string {
	m := map[string]string{}
	for ending, runners := range map[string]string{
		"awk": "awk gawk mawk nawk", "clj": "bb clojure", "coffee": "coffee", "cr": "crystal", "dart": "dart", "erl": "escript", "exs": "elixir",
		"fish": "fish", "groovy": "groovy", "hs": "runghc runhaskell", "jl": "julia", "js": "bun node nodejs", "kts": "kotlin", "lua": "lua luajit texlua",
		"mk": "make gmake", "ml": "ocaml", "php": "php", "pl": "perl", "ps1": "pwsh", "py": "pypy python", "r": "Rscript", "rb": "jruby ruby", "rs": "rust-script",
		"scala": "scala", "scm": "guile racket", "sed": "sed", "sh": "ash bash bats dash ksh sh zsh", "swift": "swift", "tcl": "expect tclsh wish", "ts": "deno ts-node tsx",
	} {
		for runner := range strings.FieldsSeq(runners) {
			m[runner] = ending
		}
	}
	return m
}()
