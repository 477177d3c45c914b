package brief

import (
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// phrasing is how the manifest of a language's own tool says what is built, run and tested, where no reader of steps.go fits it.
type phrasing struct {
	// line begins what is told.
	line *lazyregexp.Regexp
	// block begins what is told with the first lines that are set in below it; nil: nothing is.
	block *lazyregexp.Regexp
	// comment begins a line that says nothing.
	comment string
}

// maxPhrased is how many lines below the one that begins a block are told.
const maxPhrased = 6

// phrasings are those of manifests by base name, in lower case, or by ending.
var phrasings = map[string]phrasing{
	".cabal": {
		line:    lazyregexp.New(`(?i)^(?:name|synopsis|tested-with)\s*:|^(?:executable|library|test-suite|benchmark|foreign-library)\b`),
		block:   lazyregexp.New(`(?i)^\s+(?:main-is|hs-source-dirs)\s*:`),
		comment: "--",
	},
	"cabal.project": {line: lazyregexp.New(`^(?:with-compiler|tests|benchmarks)\b`), block: lazyregexp.New(`^(?:optional-)?packages\s*:`), comment: "--"},
	"stack.yaml":    {line: lazyregexp.New(`^(?:resolver|snapshot|compiler)\s*:`), block: lazyregexp.New(`^packages\s*:`), comment: "#"},
	"package.yaml":  {line: lazyregexp.New(`^(?:name|synopsis)\s*:`), block: lazyregexp.New(`^(?:library|executables?|tests|benchmarks|internal-libraries)\s*:`), comment: "#"},
	"rebar.config": {
		line:    lazyregexp.New(`^\{\w+`),
		block:   lazyregexp.New(`^\{(?:alias|escript_\w+|profiles|pre_hooks|post_hooks|provider_hooks|relx|shell)\b`),
		comment: "%",
	},
	"gleam.toml":   {line: lazyregexp.New(`^(?:name|description|target|gleam)\s*=`), comment: "#"},
	"dune-project": {line: lazyregexp.New(`^\s*\((?:lang|name|package|synopsis|ocaml|using)\b`), comment: ";"},
	".opam":        {line: lazyregexp.New(`^synopsis\s*:`), block: lazyregexp.New(`^(?:build|run-test)\s*:`), comment: "#"},
	"project.clj": {
		line:    lazyregexp.New(`^\(defproject\b|^\s+:(?:description|main|min-lein-version|source-paths|test-paths)\b`),
		block:   lazyregexp.New(`^\s+:aliases\b`),
		comment: ";",
	},
	"deps.edn":    {line: lazyregexp.New(`:(?:paths|aliases|main-opts|exec-fn|ns-default|extra-paths)\b|^\s+:[\w./-]+\s*\{?\s*$`), comment: ";"},
	"shard.yml":   {line: lazyregexp.New(`^(?:name|description|crystal)\s*:`), block: lazyregexp.New(`^(?:targets|scripts|executables)\s*:`), comment: "#"},
	".gemspec":    {line: lazyregexp.New(`^\s*\w+\.(?:name|summary|executables|bindir|required_ruby_version|extensions)\s*=`), comment: "#"},
	".rockspec":   {line: lazyregexp.New(`^\s*(?:package|summary|type|build_type)\s*=`), block: lazyregexp.New(`^\s*(?:bin|lua)\s*=`), comment: "--"},
	".nimble":     {line: lazyregexp.New(`^(?:bin|srcDir|description|backend)\s*=|^requires\b.*\bnim\b`), block: lazyregexp.New(`^task\b`), comment: "#"},
	"build.zig":   {line: lazyregexp.New(`\.(?:add[A-Z]\w*|step|option)\(|\.(?:root_source_file|name)\s*=`), comment: "//"},
	"makefile.pl": {line: lazyregexp.New(`\b(?:NAME|ABSTRACT|EXE_FILES|VERSION_FROM|MIN_PERL_VERSION|test)\s*=>`), comment: "#"},
	"dist.ini":    {line: lazyregexp.New(`^(?:name|abstract|main_module)\s*=`), comment: ";"},
	"description": {line: lazyregexp.New(`^(?:Package|Title|Depends|SystemRequirements)\s*:`), block: lazyregexp.New(`^(?:Title|Description)\s*:`)},
	"meson.build": {
		line:    lazyregexp.New(`^\s*(?:\w+\s*\+?=\s*)?(?:project|executable|library|shared_library|static_library|both_libraries|test|benchmark|subdir|run_target|custom_target)\s*\(`),
		comment: "#",
	},
	"jenkinsfile":   {line: lazyregexp.New(`\bstage\s*\(|^\s*(?:sh|bat|powershell)\b`), comment: "//"},
	"earthfile":     {line: lazyregexp.New(`^[\w+-]+:\s*$|^\s*(?:FROM|RUN|BUILD|ENTRYPOINT|CMD)\b`), comment: "#"},
	"snakefile":     {line: lazyregexp.New(`^(?:rule|checkpoint|configfile|include|module)\b`), block: lazyregexp.New(`^\s+(?:shell|script)\s*:`), comment: "#"},
	"foundry.toml":  {line: lazyregexp.New(`^\[profile|^(?:src|test|script|out|libs|solc\w*)\s*=`), comment: "#"},
	"build.xml":     {line: lazyregexp.New(`^\s*<(?:project|target)\b`), comment: "<!--"},
	"build.sc":      {line: lazyregexp.New(`^\s*(?:object|trait)\s+\w+|^\s*def\s+(?:scalaVersion|mainClass|moduleDeps)\b`), comment: "//"},
	"build.mill":    {line: lazyregexp.New(`^\s*(?:object|trait)\s+\w+|^\s*def\s+(?:scalaVersion|mainClass|moduleDeps)\b`), comment: "//"},
	"lakefile.lean": {line: lazyregexp.New(`^(?:package|lean_lib|lean_exe|script)\b`), comment: "--"},
	"project.toml":  {line: lazyregexp.New(`^(?:name|julia|projects|test)\s*=`), comment: "#"},
}

// phrasedBy returns the name or the ending by which phrasings has a manifest; "" where it has none.
func phrasedBy(name string) string {
	base := path.Base(name)
	if base == "description" { // of R it is DESCRIPTION
		return ""
	}
	base = strings.ToLower(base)
	if _, ok := phrasings[base]; ok {
		return base
	}
	if ext := path.Ext(base); ext != base && phrasings[ext].line != nil {
		return ext
	}
	return ""
}

// told are the lines of a manifest that such a phrasing tells; the first ones that say something where it tells none.
func (p phrasing) told(lines []string) (list []int) {
	within, below := -1, 0 // how far the line that began a block is indented, and how many lines of it may follow
	for n, line := range lines {
		bare := strings.TrimSpace(line)
		if bare == "" || p.comment != "" && strings.HasPrefix(bare, p.comment) {
			continue
		}
		indent := indentOf(line)
		if within >= 0 && indent <= within && bare[0] != '-' && !closesOnly(bare) {
			within = -1
		}
		switch {
		case p.block != nil && p.block.MatchString(line):
			within, below = indent, maxPhrased
			list = append(list, n+1)
		case p.line.MatchString(line):
			list = append(list, n+1)
		case within >= 0 && below > 0 && !closesOnly(bare):
			list = append(list, n+1)
			below--
		}
	}
	if len(list) == 0 {
		return firstWords(lines)
	}
	return list
}
