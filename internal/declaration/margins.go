package declaration

import (
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// line is a rule of this kind. It and the others stay calls: put in for each row of the table they took tens of kilobytes.
//
//go:noinline
func line(kind, pattern string) rule { return rule{kind: kind, line: lazyregexp.New(pattern)} }

// holding is a rule of what holds others.
//
//go:noinline
func holding(kind, pattern string) rule {
	return rule{kind: kind, line: lazyregexp.New(pattern), holds: true}
}

// typed is a rule of a line that tells the type of what follows it.
//
//go:noinline
func typed(kind, pattern string) rule {
	return rule{kind: kind, line: lazyregexp.New(pattern), opens: true}
}

// inside is a rule of members of a type, outside of what is in none.
//
//go:noinline
func inside(kind, pattern string) rule {
	return rule{kind: kind, line: lazyregexp.New(pattern), at: inTypes}
}

//go:noinline
func outside(kind, pattern string) rule {
	return rule{kind: kind, line: lazyregexp.New(pattern), at: outOfTypes}
}

// record is a rule of a type whose fields stand in a section of their own.
//
//go:noinline
func record(kind, pattern, section string) rule {
	return rule{kind: kind, line: lazyregexp.New(pattern), holds: true, loose: true, into: section}
}

// needing is a rule of lines in which a text stands, which is looked for first.
//
//go:noinline
func needing(text string, r rule) rule {
	r.needs = []byte(text)
	return r
}

// scattered is a rule of what holds others at any indentation.
//
//go:noinline
func scattered(r rule) rule {
	r.loose = true
	return r
}

// section is a rule of a line that begins one, in is a rule of what stands there.
//
//go:noinline
func section(name, pattern string) rule {
	return rule{section: name, line: lazyregexp.New(pattern), holds: true}
}

//go:noinline
func in(name, kind, pattern string) rule {
	return rule{kind: kind, line: lazyregexp.New(pattern), within: name}
}

// The lines that end what stands at their indentation.
var (
	endBrackets = lazyregexp.New(`^[)}\]]`)
	endWords    = lazyregexp.New(`^(?:end\b|[)}\]])`)
)

// ansible names the grammar of what is written in YAML for Ansible: the plays and tasks of a file, by their names, and its values.
const ansible = "Ansible"

// kubernetes names the grammar of manifests of Kubernetes, and of their templates: the kinds of what runs, by their names where these stand
// there, and the templates of Helm.
const kubernetes = "Kubernetes"

// margins are the languages that are read by their lines.
var margins = map[string]*margin{
	ansible: {short: true, rules: []rule{line("task", `^- (?:\w+: .*, )?name:\s+["']?(.+?)["']?\s*$`), line("var", `^([A-Za-z_]\w*):(?:\s|$)`)}},
	kubernetes: {short: true, rules: []rule{line("type", `^kind:\s*["']?([A-Z]\w+)`), section("metadata", `^metadata:\s*$`), in("metadata", "const", `^name:\s*["']?(\w[\w.-]*)["']?\s*$`),
		line("func", `^\{\{-?\s*define\s+"([^"]+)"`)}},
	"Haskell": {clauses: true, signs: []string{" where", " = ", " | "}, not: language.WordSet("module import where infixl infixr infix deriving default if then else do let in of case return"),
		list: lazyregexp.New(`^module\s+[\w.]+\s*\(`),
		rules: []rule{
			record("type", `^(?:data|newtype)\s+(?:(?:instance|family)\s+)?(?:[^=>]*=>\s*)?([A-Z][\w']*)`, "fields"),
			in("fields", "field", `^(?:(?:[=|]\s*)?[A-Z][\w']*\s*)?[{,]\s*([a-z_][\w']*)\s*(?:,\s*[a-z_][\w']*\s*)*::`), in("fields", "field", `^([a-z_][\w']*)\s*(?:,\s*[a-z_][\w']*\s*)*::`), line("type", `^type\s+(?:(?:instance|family)\s+)?([A-Z][\w']*)`),
			holding("interface", `^class\s+(?:[^=>]*=>\s*)?([A-Z][\w']*)`), section("instance", `^instance\b`),
			line("func", `^pattern\s+([A-Z]\w*)`), line("func", `^foreign\s+\w+\s.*?\b([a-z]\w*)\s*::`),
			typed("func", `^(?:([a-z_][\w']*)|\(([^\s\w()]+)\))\s*(?:,[^:]*)?::`), line("func", `^([a-z_][\w']*)(?:\s[\w\s'"(),\[\]{}@~!:.-]*)?\s(?:=|\|)(?:\s|$)`)}},
	"Elm": {clauses: true, signs: []string{" ="}, not: language.WordSet("import module exposing"), list: lazyregexp.New(`^(?:port )?module\s+[\w.]+\s+exposing\s*\(`),
		rules: []rule{line("type", `^type\s+alias\s+([A-Z]\w*)`), line("enum", `^type\s+([A-Z]\w*)`), line("func", `^port\s+([a-z]\w*)\s*:`),
			typed("func", `^([a-z]\w*)\s*:(?:\s|$)`), line("func", `^([a-z]\w*)\b[^=]*=(?:\s|$)`)}},
	"OCaml": {closers: lazyregexp.New(`^(?:end\b|in\b|[)}\]]|;;)`), signs: []string{" = ", " =\n"}, before: lazyregexp.New(`^\[@@@?`),
		rules: []rule{section("", `^(?:include|open!?|module\s+_\b[^=]*=)\s+(?:struct|sig)\b`), outside("func", `^let\s+(?:rec\s+|%\w+\s+)*(?:\(\s*([^\s\w()]+)\s*\)|([a-z_][\w']*))`), line("=", `^and\s+(?:(?:'\w+|\([^)]*\))\s+)?(?:\(\s*([^\s\w()]+)\s*\)|([a-z_][\w']*))`),
			line("type", `^type\s+(?:nonrec\s+)?(?:(?:[+-]?'\w+|\([^)]*\))\s+)?([a-z_][\w']*)`), holding("interface", `^module\s+type\s+(\w+)`), holding("module", `^module\s+(?:rec\s+)?([A-Z]\w*)`),
			line("func", `^(?:val|external)\s+(?:\(\s*([^\s\w()]+)\s*\)|([a-z_][\w']*))`), line("type", `^exception\s+([A-Z]\w*)`),
			holding("class", `^class\s+(?:virtual\s+|type\s+)*(?:\[[^\]]*\]\s+)?([a-z]\w*)`), inside("method", `^method!?\s+(?:private\s+|virtual\s+)*([a-z_]\w*)`)}},
	"F#": {closers: endBrackets, signs: []string{" = ", " =\n", " =\r"}, before: lazyregexp.New(`^\[<`), hidden: lazyregexp.New(`^\w+ (?:\w+ )*private\b`),
		rules: []rule{outside("func", `^let\s+(?:(?:inline|rec|mutable|private|internal|public)\s+)*(?:\((\|?[^\w\s()][^()]*)\)|(`+"``[^`]+``"+`|[A-Za-z_][\w']*))`),
			holding("type", `^(?:type|and)\s+(?:(?:private|internal|public|inline)\s+)*(?:\[<[^>]*>\]\s*)?([A-Z_]\w*)`), line("=", `^and\s+(?:inline\s+|private\s+)*([a-z_][\w']*)`),
			holding("module", `^module\s+(?:(?:rec|private|internal|public)\s+)*([\w.]+)`), line("type", `^exception\s+([A-Z]\w*)`), inside("constructor", `^(new)\s*\(`),
			inside("method", `^(?:static\s+)?(?:abstract|member|override|default)\s+(?:(?:member|inline|private|internal|public|val)\s+)*(?:\w+\.)?(`+"``[^`]+``"+`|[A-Za-z_]\w*)`)}},
	"Erlang": {clauses: true, joint: lazyregexp.New(`;\s*(?:%.*)?$`), signs: []string{" ->"}, list: lazyregexp.New(`^-export(?:_type)?\(\[`),
		rules: []rule{line("struct", `^-record\(\s*('[^']+'|[\w@]+)`), line("macro", `^-define\(\s*(\w+)`), line("type", `^-(?:type|opaque|nominal)\s+('[^']+'|[a-z]\w*)`),
			typed("func", `^-spec\s+(?:\w+:)?('[^']+'|[a-z][\w@]*)\s*\(`), line("method", `^-callback\s+('[^']+'|[a-z]\w*)`), line("func", `^('[^']+'|[a-z][\w@]*)\s*\(`)}},
	"Clojure": {short: true, braces: true, hidden: lazyregexp.New(`^\((?:defn-|\S+\s+\^:private)`),
		rules: []rule{line("func", `^\((?:[\w.-]+/)?(?:defn-?|defmulti|defmethod)\s+(?:\^(?:\{[^}]*\}|\S+)\s+)*([^\s()\[\]{}"]+)`), line("macro", `^\(defmacro\s+(?:\^(?:\{[^}]*\}|\S+)\s+)*([^\s()\[\]{}"]+)`),
			line("interface", `^\((?:[\w.-]+/)?(?:defprotocol|definterface)\s+([^\s()\[\]{}"]+)`), line("class", `^\((?:[\w.-]+/)?(?:defrecord|deftype|defstruct)\s+([^\s()\[\]{}"]+)`),
			line("test", `^\((?:[\w.-]+/)?(?:deftest|defspec)\s+([^\s()\[\]{}"]+)`), line("var", `^\((?:[\w.-]+/)?def[\w!-]*\s+(?:\^(?:\{[^}]*\}|\S+)\s+)*([^\s()\[\]{}":@]+)`)}},
	"Julia": {joined: true, closers: endWords, signs: []string{" = "}, not: language.WordSet("if for while return begin let try using import"), list: lazyregexp.New(`^(?:export|public)\s+`),
		rules: []rule{line("func", `^(?:[\w.]*@[\w.]+\s+)*function\s+(?:[\w.]+\.)?(?:([\p{L}_][\p{L}\w!]*)|:?\(?([^\s\w():,{]+))`), line("macro", `^(?:[\w.]*@[\w.]+\s+)*macro\s+([\p{L}_][\p{L}\w!]*)`),
			line("struct", `^(?:[\w.]*@[\w.]+\s+)*(?:mutable\s+)?struct\s+([\p{L}_][\p{L}\w]*)`), line("type", `^(?:abstract|primitive)\s+type\s+([\p{L}_][\p{L}\w]*)`),
			holding("module", `^(?:bare)?module\s+([\p{L}_][\p{L}\w]*)`), line("const", `^const\s+([\p{L}_][\p{L}\w]*)\s*(?:::[^=]*)?=`), line("enum", `^@enum\s+(\w+)`), line("test", `^@testset\s+(?:\w+\s+)?"([^"]+)"`),
			line("func", `^(?:[\w.]*@[\w.]+\s+)*(?:[A-Z]\w*\.)*(?::?([\p{L}_][\p{L}\w!]*)|:?\(([^\s\w()]+)\)|:([^\s\w()]+))(?:\{[^}]*\})?\(.*\)\s*(?:::.+?)?(?:where\s.+?)?=(?:[^=>]|$)`)}},
	"R": {closers: endBrackets, braces: true, signs: []string{" {", "{\n"}, mark: "@export", not: language.WordSet("if for while repeat return library require else"),
		rules: []rule{line("class", `^([.\w]+)\s*(?:<<?-|=)\s*(?:R6::)?(?:R6Class|setRefClass|new_class)\(`), line("func", `^([.\w]+|`+"`[^`]+`"+`)\s*(?:<<?-|=)\s*(?:function\b|\\\(|memoise)`),
			line("class", `^(?:methods::)?set(?:Class|RefClass|ClassUnion)\(\s*["']([^"']+)["']`), line("func", `^(?:methods::)?set(?:Generic|Method|ReplaceMethod)\(\s*["']([^"']+)["']`),
			line("test", `^(?:testthat::)?(?:test_that|describe)\(\s*(?:desc\s*=\s*)?["']([^"']+)["']`), line("var", `^([.A-Za-z][.\w]*)\s*<<?-\s*[^-\s]`)}},
	"Perl": {closers: endBrackets, braces: true, signs: []string{" {", "{\n", " :", ";"}, pods: true, ends: lazyregexp.New(`^__(?:END|DATA)__\b`), hidden: lazyregexp.New(`^sub\s+_`),
		rules: []rule{line("func", `^(?:async\s+|my\s+|our\s+)?(?:sub|fun|method)\s+([\w:']+)`), holding("module", `^package\s+([\w:]+)[^;{]*\{\s*(?:#.*)?$`), line("module", `^package\s+([\w:]+)`),
			holding("class", `^(?:class|role)\s+([\w:]+)[^;{]*\{\s*(?:#.*)?$`), line("class", `^(?:class|role)\s+([\w:]+)`),
			section("", `^(?:(?:BEGIN|INIT|no\s+strict\s[^;]*;)\s*)?\{\s*(?:#.*)?$`), line("const", `^use\s+constant\s+(\w+)`), line("property", `^has\s+\(?\s*["']?\+?(\w+)`)}},
	"Nim": {closers: endBrackets, signs: []string{" = ", " =\n"}, shown: lazyregexp.New(`^(?:\w+\s+)?(?:\w+|` + "`[^`]+`" + `)\*`),
		rules: []rule{line("func", `^(?:proc|func|method|iterator|converter)\s+(\w+|`+"`[^`]+`"+`)`), line("macro", `^(?:template|macro)\s+(\w+|`+"`[^`]+`"+`)`),
			line("type", `^type\s+(\w+)`), section("types", `^type\s*(?:#.*)?$`), in("types", "type", `^(\w+)\*?(?:\[[^\]]*\])?\s*(?:\{\.[^}]*\.\})?\s*=`),
			section("values", `^(?:const|let|var)\s*(?:#.*)?$`), in("values", "var", `^(\w+)\*?\s*(?:\{\.[^}]*\.\}\s*)?(?::|=)`), line("const", `^const\s+(\w+)`), line("var", `^(?:let|var)\s+(\w+)`)}},
	"Zig": {closers: endBrackets, braces: true, signs: []string{" {", "{\n", ";"}, shown: lazyregexp.New(`^(?:pub|export|test)\b|^[a-z_]\w*:`),
		rules: []rule{section("import", `^const\s+\w+\s*=\s*@import\(`), holding("func", `^(?:(?:pub|export|inline)\s+)*fn\s+(\w+)\(.*\)\s*type\s*\{$`),
			section("", `^return\s+(?:(?:packed|extern)\s+)?(?:struct|enum|union|opaque)\b[^}]*$`), line("func", `^(?:(?:pub|export|inline|noinline|extern(?:\s+"[^"]*")?)\s+)*fn\s+(\w+|@"[^"]+")`), holding("struct", `^(?:pub\s+)?const\s+(\w+)\s*(?::[^=]*)?=\s*(?:(?:packed|extern)\s+)?(?:struct|opaque)\b[^}]*$`),
			holding("enum", `^(?:pub\s+)?const\s+(\w+)\s*(?::[^=]*)?=\s*enum\b[^}]*$`), holding("union", `^(?:pub\s+)?const\s+(\w+)\s*(?::[^=]*)?=\s*(?:(?:packed|extern)\s+)?union\b[^}]*$`),
			line("test", `^test\s+"((?:[^"\\]|\\.)+)"`), line("test", `^test\s+(\w[\w.]*)`), line("const", `^(?:pub\s+)?const\s+(\w+|@"[^"]+")`),
			line("var", `^(?:(?:pub|export|threadlocal|extern(?:\s+"[^"]*")?)\s+)*var\s+(\w+|@"[^"]+")`), inside("field", `^([a-z_]\w*):`)}},
	"Groovy": {closers: endBrackets, braces: true, signs: []string{" {", "{\n", " ="}, before: lazyregexp.New(`^@\w+(?:\(.*\))?$`), hidden: lazyregexp.New(`^(?:\w+\s+)*(?:private|protected)\b`),
		not: language.WordSet("if for while switch catch return else new throw assert case synchronized do try import package"),
		rules: []rule{holding("class", `^(?:(?:public|private|protected|static|final|abstract|sealed|@\w+(?:\([^)]*\))?)\s+)*(?:class|record)\s+(\w+)`), holding("interface", `^(?:(?:public|private|protected|static|abstract)\s+)*@?interface\s+(\w+)`),
			holding("trait", `^(?:\w+\s+)*trait\s+(\w+)`), holding("enum", `^(?:(?:public|private|protected|static)\s+)*enum\s+(\w+)`),
			line("func", `^(?:(?:public|private|protected|static|final|abstract|synchronized|def|void|@\w+(?:\([^)]*\))?)\s+|[A-Za-z][\w.]*(?:<[^()]*>)?(?:\[\])*\s+)+(\w+|"[^"]+"|'[^']+')\s*\([^{]*\{$`),
			line("func", `^task\s+(\w+)`), line("func", `^tasks\.(?:register|create)\(\s*["'](\w+)["']`),
			inside("field", `^(?:(?:public|static|final)\s+)*(?:def|[A-Z][\w.]*(?:<[^()]*>)?(?:\[\])*|int|long|boolean|double|float|byte|char|short)\s+(\w+)(?:\s*=.*)?;?$`)}},
	"Solidity": {closers: endBrackets, braces: true, signs: []string{" {", "{\n", ";", " ="}, hidden: lazyregexp.New(`\bprivate\b|^(?:mapping\b.*|[^(]*)\binternal\b|\b_\w.*\binternal\b`), // what a library offers is internal
		rules: []rule{holding("class", `^(?:abstract\s+)?(?:contract|library)\s+(\w+)`), holding("interface", `^interface\s+(\w+)`), line("func", `^function\s+(\w+)`), inside("constructor", `^(constructor)\b`),
			line("func", `^modifier\s+(\w+)`), line("type", `^(?:event|error)\s+(\w+)`), line("type", `^type\s+(\w+)`), line("struct", `^struct\s+(\w+)`), line("enum", `^enum\s+(\w+)`),
			line("field", `^(?:mapping\s*\(.*\)|[A-Za-z][\w.]*(?:\[\w*\])*)\s+(?:(?:public|private|internal|constant|immutable|override|transient)\s+)+(\w+)\s*(?:=|;)`)}},
	"Crystal": {closers: endWords, signs: []string{" = "}, before: lazyregexp.New(`^@\[`), hidden: lazyregexp.New(`^(?:private|protected)\b`),
		rules: []rule{holding("class", `^(?:abstract\s+|private\s+)*class\s+([A-Z][\w:]*)`), holding("struct", `^(?:abstract\s+|private\s+)*struct\s+([A-Z][\w:]*)`), holding("module", `^(?:private\s+)?(?:module|lib)\s+([A-Z][\w:]*)`),
			holding("enum", `^(?:private\s+)?enum\s+([A-Z][\w:]*)`), line("type", `^(?:private\s+)?(?:annotation|alias)\s+([A-Z][\w:]*)`), line("func", `^(?:(?:abstract|private|protected)\s+)*(?:def|fun)\s+(?:self\.)?([\w?!]+=?|[^\s\w(]+)`),
			line("macro", `^(?:private\s+)?macro\s+(\w+)`), line("const", `^([A-Z]\w*)\s*=`), inside("property", `^(?:class_)?(?:getter|setter|property)[?!]?\s+(\w+)`)}},
	"GDScript": {closers: endBrackets, signs: []string{" = ", " := ", ":\n"}, before: lazyregexp.New(`^@\w+(?:\(.*\))?$`), hidden: lazyregexp.New(`^(?:static\s+)?(?:func|var|const)\s+_`),
		rules: []rule{line("func", `^(?:@\w+(?:\([^)]*\))?\s+)*(?:static\s+)?func\s+(\w+)`), line("class", `^class_name\s+(\w+)`), holding("class", `^class\s+(\w+)`), line("type", `^signal\s+(\w+)`), line("enum", `^enum\s+(\w+)`),
			line("const", `^const\s+(\w+)`), line("var", `^(?:@\w+(?:\([^)]*\))?\s+)*(?:static\s+)?var\s+(\w+)`)}},
	"Cython": {closers: endBrackets, signs: []string{":\n", ": "}, before: lazyregexp.New(`^@`), hidden: lazyregexp.New(`^(?:c?p?def|class|cdef class)\s.*?\b_[A-Za-z]\w*\s*[(:]`),
		rules: []rule{section("", `^cdef\s+(?:extern\b|(?:nogil|public)?\s*:)`), holding("class", `^(?:cdef\s+(?:public\s+|api\s+)*)?class\s+(\w+)`), holding("class", `^(?:cdef|ctypedef)\s+cppclass\s+(\w+)`),
			line("struct", `^(?:cdef|ctypedef)\s+(?:public\s+|api\s+|packed\s+)*(?:struct|union|fused)\s+(\w+)`), line("enum", `^(?:cdef|cpdef|ctypedef)\s+(?:public\s+)?enum\s+(?:class\s+)?(\w+)`), line("type", `^ctypedef\s[^(]*?(\w+)\s*$`),
			line("func", `^(?:async\s+)?def\s+(\w+)\s*[(\[]`), line("func", `^(?:cdef|cpdef)\s[^(=]*?(\w+)\s*\([^)]*$`), line("func", `^(?:cdef|cpdef)\s[^(=]*?(\w+)\s*\(.*\).*:\s*(?:#.*)?$`), outside("var", `^([A-Za-z_]\w*)\s*(?::[^=]*)?=[^=]`), outside("var", `^cdef\s[^(=]*?(\w+)\s*=[^=]`)}},
	"Fortran": {braces: true, closers: lazyregexp.New(`^(?i:end)`), signs: []string{}, not: language.WordSet("call if do else contains use implicit"),
		rules: []rule{line("func", `^(?i:(?:(?:pure|impure|elemental|recursive|module|integer|real|logical|complex|character|double\s+precision|type)(?:\s*\([^)]*\)|\*\d+)?\s+)*(?:subroutine|function)\s+(\w+))`),
			scattered(holding("module", `^(?i:(?:module|program|submodule\s*\([^)]*\))\s+(\w+))$`)), line("struct", `^(?i:type\s*(?:,[^:]*)?(?:::)?\s*([a-z]\w*))$`), section("interface", `^(?i:(?:abstract\s+)?interface\b)`)}},
	"Lisp": {short: true, braces: true, before: lazyregexp.New(`^;;;###`),
		rules: []rule{line("test", `^\((?:ert-deftest|deftest|def-test|test-case|buttercup-define-matcher)\s+'?([^\s()"']+)`),
			line("macro", `^\((?:cl-)?(?:defmacro\*?|define-syntax(?:-rule)?|define-compiler-macro|pcase-defmacro|define-modify-macro)\s+\(?([^\s()"']+)`),
			line("class", `^\((?:cl-)?(?:defclass|defstruct|define-condition|define-record-type|deftype|struct|define-struct)\s+\(?([^\s()"']+)`),
			line("func", `^\((?:cl-)?(?:defun\*?|defsubst\*?|define-inline|defgeneric|defmethod|defadvice|iter-defun|defalias)\s+'?\(?(?:setf\s+)?([^\s()"']+)`),
			line("const", `^\((?:defconst|defconstant|define-constant)\s+([^\s()"']+)`), line("var", `^\((?:defvar(?:-local|-keymap)?|defvaralias|defcustom|defparameter|defface|defgroup)\s+'?([^\s()"']+)`),
			line("func", `^\(define\*?\s+\(+([^\s()"']+)`), line("var", `^\(define\*?\s+([^\s()"']+)`), line("func", `^\((?:[\w*]+-)*define(?:-[\w-]+)+\s+'?([^\s()"']+)`)}},
	"Verilog": {closers: lazyregexp.New(`^end[a-z]+\b`), braces: true, signs: []string{";", " ("}, not: language.WordSet("if else for begin assign always initial import"),
		rules: []rule{scattered(holding("module", `^(?:extern\s+)?(?:module|macromodule|program|package)\s+(?:automatic\s+|static\s+)?(\w+)`)), scattered(holding("interface", `^interface\s+(?:class\s+)?(\w+)`)),
			scattered(holding("class", `^(?:virtual\s+)?class\s+(?:automatic\s+)?(\w+)`)),
			line("func", `^(?:(?:extern|virtual|static|protected|local|pure)\s+)*(?:function|task)\s+(?:(?:automatic|static)\s+)?(?:[\w:$]+(?:\s*\[[^\]]*\])*\s+){0,4}(?:\[[^\]]*\]\s*)?(?:\w+::)?(\w+)\s*(?:#\([^)]*\))?[(;]`),
			line("type", `^typedef\s.*?\b(\w+)\s*(?:\[[^\]]*\])?\s*;`), line("macro", "^`define\\s+(\\w+)")}},
	"D": {closers: endBrackets, braces: true, signs: []string{" {", "{\n", ";", " ="}, before: lazyregexp.New(`^@\w+(?:\(.*\))?$`), hidden: lazyregexp.New(`^(?:\w+\s+)*private\b`),
		not: language.WordSet("if else for foreach while switch return import mixin case assert throw new do try catch scope version debug with pragma in out delete module"),
		rules: []rule{{section: "test", line: lazyregexp.New(`^(?:unittest|invariant|(?:shared\s+)?static\s+~?this|~this)\b`)}, needing("class", scattered(holding("class", `^(?:(?:`+dWords+`)\s+)*class\s+(\w+)`))), needing("struct", scattered(holding("struct", `^(?:(?:`+dWords+`)\s+)*struct\s+(\w+)`))), needing("interface", scattered(holding("interface", `^(?:(?:`+dWords+`)\s+)*interface\s+(\w+)`))),
			needing("union", scattered(holding("union", `^(?:(?:`+dWords+`)\s+)*union\s+(\w+)`))), needing("enum", line("enum", `^(?:(?:`+dWords+`)\s+)*enum\s+(\w+)\s*(?::[^=]*)?(?:\{.*)?$`)), needing("enum", line("const", `^(?:(?:`+dWords+`)\s+)*enum\s+(?:[\w.!\[\]]+\s+)?(\w+)\s*(?:\([^)]*\)\s*)?=`)),
			needing("alias", line("type", `^(?:(?:`+dWords+`)\s+)*alias\s+(\w+)\s*(?:\([^)]*\)\s*)?=`)), needing("template", holding("module", `^(?:(?:`+dWords+`)\s+)*(?:mixin\s+)?template\s+(\w+)`)), needing("this", inside("constructor", `^(?:(?:`+dWords+`)\s+)*(this)\s*\(`)),
			section("", `^(?:version|static\s+if|debug)\b.*[{)]$`), section("", `^(?:(?:`+dWords+`|nothrow|pure)\s*)+\{$`),
			needing("(", line("func", `^(?:(?:`+dWords+`)\s+)*(?:(?:auto|ref|const|immutable|inout|shared|scope|return)\s+|(?:const|inout|immutable|shared)\([^)]*\)\s+|[A-Za-z_][\w.]*(?:!\w+|!?\([^()]*\))?(?:\[[^\]]*\])*\**\s+)+(\w+)\s*(?:\([^()]*\))?\s*\(`))}},
	"Tcl": {closers: endBrackets, braces: true, signs: []string{" {\n"}, rules: []rule{line("func", `^proc\s+(?:::)?([^\s{}"]+)\s`), holding("module", `^namespace\s+eval\s+(?:::)?([\w:]+)\s*\{$`),
		holding("class", `^(?:::)?(?:oo::class\s+create|itcl::class|snit::(?:type|widget|widgetadaptor))\s+(?:::)?([\w:]+)\s*\{$`), inside("method", `^(?:(?:public|private|protected)\s+)?(?:method|typemethod|proc)\s+([^\s{}"]+)\s`),
		inside("constructor", `^(constructor)\b`)}},
	"CMake": {closers: lazyregexp.New(`^(?i:end(?:function|macro)\b)`), braces: true, signs: []string{}, rules: []rule{line("func", `^(?i:function)\s*\(\s*([\w.-]+)`), line("macro", `^(?i:macro)\s*\(\s*([\w.-]+)`)}},
	"Starlark": {closers: endBrackets, signs: []string{" = ", ":\n"}, hidden: lazyregexp.New(`^(?:def\s+)?_`), not: language.WordSet("load package workspace"),
		rules: []rule{line("func", `^def\s+(\w+)`), line("const", `^([A-Za-z_]\w*)\s*=[^=]`), line("const", `^[a-z_][\w.]*\(name\s*=\s*"([^"]+)"`), section("call", `^[a-z_][\w.]*\($`), in("call", "const", `^name\s*=\s*"([^"]+)"`)}},
	"Nix": {closers: lazyregexp.New(`^[})\]]`), braces: true, short: true, rules: []rule{section("", `^(?:let|in)$|^[^=#"]*(?:\{|\blet)$`), line("func", `^([A-Za-z_][\w.'-]*)\s*=\s*(?:[A-Za-z_][\w'-]*(?:\s*@\s*\{[^}]*\})?|\{[^}]*\}(?:\s*@\s*\w+)?)\s*:(?:\s|$)`),
		line("const", `^(?:([A-Za-z_][\w.'-]*)|"([^"]+)")\s*=(?:\s|$)`)}},
	"Shaders": {closers: endBrackets, braces: true, signs: []string{" {", "{\n", ";"}, before: lazyregexp.New(`^(?:\[.*\]|(?:@\w+(?:\([^)]*\))?\s*)+)$`), not: language.WordSet("return if else for while do switch case discard precision using"),
		rules: []rule{line("macro", `^#\s*define\s+(\w+)`), line("func", `^(?:@\w+(?:\([^)]*\))?\s*)*fn\s+(\w+)`), line("struct", `^(?:layout\s*\([^)]*\)\s*)?(?:\w+\s+)?(?:struct|uniform|buffer|cbuffer|tbuffer)\s+(\w+)\s*(?::[^;{]*)?(?:\{.*)?$`), line("type", `^alias\s+(\w+)`),
			line("var", `^(?:@\w+(?:\([^)]*\))?\s*)*var(?:<[^>]*>)?\s+(\w+)`), line("const", `^(?:const|override)\s+(\w+)\s*(?::[^=]*)?=`), line("const", `^(?:static\s+)?const\s+[\w<>]+\s+(\w+)\s*(?:\[[^\]]*\])?\s*=`),
			line("var", `^(?:layout\s*\([^)]*\)\s*)?(?:(?:flat|smooth|centroid|highp|mediump|lowp|readonly|writeonly|coherent|restrict)\s+)*(?:uniform|in|out|varying|attribute)\s+(?:(?:highp|mediump|lowp|readonly|writeonly)\s+)*\w+\s+(\w+)`),
			line("var", `^(?:Texture|Sampler|RW|StructuredBuffer|ByteAddressBuffer|ConstantBuffer)\w*(?:<[^>]*>)?\s+(\w+)\s*(?:\[[^\]]*\])?\s*[:;]`), line("func", `^(?:(?:static|inline|kernel|vertex|fragment|constant|export)\s+)*[A-Za-z_]\w*(?:<[^>]*>)?[\s*&]+(\w+)\s*\([^;]*$`)}},
	"VHDL": {closers: lazyregexp.New(`^(?i:end\b)`), braces: true, goes: lazyregexp.New(`^(?i:begin\b)`), signs: []string{" is\n", ";"},
		rules: []rule{holding("module", `^(?i:(?:entity|package(?:\s+body)?|architecture|configuration|context)\s+(\w+)\s+(?:is\b|of\b))`), line("func", `^(?i:(?:(?:pure|impure)\s+)?(?:function|procedure)\s+"?(\w+))`), line("interface", `^(?i:component\s+(\w+))`),
			holding("class", `^(?i:type\s+(\w+)\s+is\s+protected\b)`), line("type", `^(?i:(?:type|subtype)\s+(\w+))`), line("const", `^(?i:constant\s+(\w+))`), line("var", `^(?i:(?:signal|shared\s+variable|alias)\s+(\w+))`)}},
	"Visual Basic": {closers: lazyregexp.New(`^(?i:end\s+[a-z]+)$`), braces: true, signs: []string{"\n"}, before: lazyregexp.New(`^<.*>\s*_?$`), hidden: lazyregexp.New(`^(?i:(?:\w+\s+)*private\b)`),
		rules: []rule{section("", `^(?i:namespace\s)`), holding("class", `^(?i:`+basicWords+`(?:class|module)\s+(\w+))`), holding("interface", `^(?i:`+basicWords+`interface\s+(\w+))`), holding("struct", `^(?i:`+basicWords+`structure\s+(\w+))`), line("enum", `^(?i:`+basicWords+`enum\s+(\w+))`),
			line("type", `^(?i:`+basicWords+`(?:delegate\s+(?:sub|function)|event|custom\s+event)\s+(\w+))`), inside("constructor", `^(?i:`+basicWords+`sub\s+(new)\b)`), line("func", `^(?i:`+basicWords+`(?:sub|function|operator)\s+(\w+|[^\s\w(]+))`),
			inside("property", `^(?i:`+basicWords+`property\s+(\w+))`), inside("const", `^(?i:`+basicWords+`const\s+(\w+))`), inside("field", `^(?i:(?:public|private|friend|protected|dim|shared|readonly|withevents|shadows)\s+(?:(?:shared|readonly|withevents|shadows|friend)\s+)*(\w+)(?:\(\))?\s+as\b)`)}},
	"Pascal": {closers: lazyregexp.New(`^(?i:end\b)`), braces: true, goes: lazyregexp.New(`^(?i:(?:begin|var|asm|private|protected|public|published|strict)\b)`), signs: []string{";"},
		rules: []rule{line("module", `^(?i:(?:unit|program|library|package)\s+([\w.]+))`), section("types", `^(?i:type)$`), section("values", `^(?i:const|resourcestring)$`), section("", `^(?i:var|threadvar|uses)$`), in("values", "const", `^(\w+)\s*(?::[^=]*)?=`),
			{kind: "class", line: lazyregexp.New(`^(?i:(\w+)(?:<[^>]*>)?\s*=\s*(?:packed\s+)?(?:class|object)\b)`), holds: true, loose: true, within: "types"}, {kind: "interface", line: lazyregexp.New(`^(?i:(\w+)(?:<[^>]*>)?\s*=\s*(?:disp)?interface\b)`), holds: true, loose: true, within: "types"},
			{kind: "struct", line: lazyregexp.New(`^(?i:(\w+)(?:<[^>]*>)?\s*=\s*(?:packed\s+)?record\b)`), holds: true, loose: true, within: "types"}, in("types", "type", `^(\w+)(?:<[^>]*>)?\s*=`),
			line("func", `^(?i:(?:class\s+)?(?:procedure|function|constructor|destructor|operator)\s+([\w.]+))`), inside("property", `^(?i:(?:class\s+)?property\s+(\w+))`)}},
}

// basicWords are those of Visual Basic before a declaration.
const basicWords = `(?:(?:public|private|protected|friend|shared|partial|mustinherit|notinheritable|shadows|overridable|overrides|overloads|mustoverride|notoverridable|readonly|writeonly|default|async|iterator|widening|narrowing|withevents)\s+)*`

// dWords are words of D before a declaration.
const dWords = `public|private|protected|package|export|static|final|override|abstract|deprecated|pure|nothrow|const|immutable|inout|shared|__gshared|synchronized|extern\s*\([^)]*\)|package\([\w.]+\)|deprecated\("[^"]*"\)|@\w+(?:\([^)]*\))?`
