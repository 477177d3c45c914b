package declaration

import "github.com/haversack-dev/haversack/internal/language"

// declare takes a statement that a word declares, which stands at a place of the head.
type declare func(r *reader, h *head, at int) body

const (
	cModifiers = `extern static inline const volatile register typedef constexpr consteval constinit virtual explicit friend mutable thread_local
		_Thread_local _Noreturn noexcept override final __inline __inline__ __forceinline __extension__ export restrict __restrict unsafe auto_type typename`
	cAttributes = "__attribute__ __declspec alignas _Alignas __asm__ __asm"
	cTypes      = "struct union enum"
	classes     = "class struct union enum"
	javaWords   = `public protected private static final abstract native synchronized transient volatile strictfp default sealed non`
	csharpWords = `public protected private internal static readonly const abstract virtual override sealed async unsafe extern new partial volatile
		fixed file required ref scoped global implicit explicit`
	dartWords   = `abstract static final const late external covariant factory base sealed var required`
	rustWords   = "pub default async unsafe extern auto safe crate"
	kotlinWords = `public private protected internal open abstract final sealed data inline value inner override suspend operator infix tailrec external
		lateinit const companion vararg noinline crossinline reified expect actual annotation enum fun_`
	phpWords = "public protected private static final abstract readonly var"
)

// grammars are those of the languages by name.
var grammars = map[string]*grammar{
	"C":    {classify: classifyC, directives: true, modifiers: language.WordSet(cModifiers), types: kinds(cTypes), attributes: language.WordSet(cAttributes)},
	"C++":  {classify: classifyC, directives: true, modifiers: language.WordSet(cModifiers), types: kinds(classes), attributes: language.WordSet(cAttributes), angles: true, square: true},
	"CUDA": {classify: classifyC, directives: true, modifiers: language.WordSet(cModifiers + " __global__ __device__ __host__"), types: kinds(classes), attributes: language.WordSet(cAttributes), angles: true, square: true},
	"Java": {classify: classifyTyped, modifiers: language.WordSet(javaWords), types: kinds("class interface enum record=class @interface=interface"), at: true, angles: true, letters: "$"},
	"C#": {classify: classifyTyped, directives: true, modifiers: language.WordSet(csharpWords), types: kinds("class interface enum struct record=class namespace"), square: true, angles: true,
		arrow: true},
	"Dart": {classify: classifyTyped, modifiers: language.WordSet(dartWords), types: kinds("class interface=class enum mixin=trait extension"), at: true, angles: true, arrow: true, letters: "$", holes: '$'},
	"Rust": {classify: classifyWords, modifiers: language.WordSet(rustWords), hash: true, angles: true, types: map[string]string{}, apostrophe: lifetime, assigns: assignsRust,
		declares: map[string]declare{"fn": declareFunction, "struct": declareType("struct"), "enum": declareType("enum"), "union": declareType("union"), "trait": declareType("trait"),
			"impl": declareImpl, "mod": declareModule("module"), "type": declareName("type"), "const": rustConst, "static": declareValue("var"), "macro_rules": declareRules, "macro": declareName("macro")}},
	"Kotlin": {classify: classifyWords, properties: true, modifiers: language.WordSet(kotlinWords), at: true, angles: true, ticks: true, types: kinds("class interface object=class"), holes: '$', apostrophe: character,
		declares: map[string]declare{"fun": kotlinFun, "class": kotlinClass, "interface": declareType("interface"), "object": declareType("class"), "typealias": declareName("type"),
			"val": declareValue("var"), "var": declareValue("var"), "constructor": declareConstructor}},
	"PHP": {classify: classifyWords, modifiers: language.WordSet(phpWords), hash: true, pages: true, letters: "$\\", types: map[string]string{},
		declares: map[string]declare{"function": phpFunction, "class": declareType("class"), "interface": declareType("interface"), "trait": declareType("trait"), "enum": declareType("enum"),
			"namespace": phpNamespace, "const": declareValue("const")}},
}

// rubyBefore are words behind which an expression begins.
var rubyBefore = language.WordSet("return and or not if unless while until then do else elsif when in case begin ensure rescue puts yield raise")

func init() {
	opens := func(list string, kind opening, m map[string]opening) map[string]opening {
		for w := range language.WordSet(list) {
			m[w] = kind
		}
		return m
	}
	grammars["Ruby"] = &grammar{read: readWords, letters: "@$", ask: true, holes: '#', before: rubyBefore, blocks: &wordBlocks{declare: ruby,
		words: opens("end", ending, opens("begin", always, opens("if unless case", leading, opens("while until for", looping, opens("do", doing, map[string]opening{})))))}}
	grammars["Elixir"] = &grammar{read: readWords, ask: true, holes: '#', before: rubyBefore, blocks: &wordBlocks{declare: elixir, attribute: elixirAttribute,
		words: opens("end", ending, opens("do fn", always, map[string]opening{}))}}
	grammars["Lua"] = &grammar{read: readWords, blocks: &wordBlocks{declare: lua,
		words: opens("end until", ending, opens("if repeat", always, opens("while for", looping, opens("do", doing, map[string]opening{}))))}}
	grammars["Shell"] = &grammar{read: readCommands, letters: "-.:@+/~", spaced: true}
	grammars["PowerShell"] = &grammar{read: readCommands, letters: "-:$", expressions: true}
	grammars["SQL"] = &grammar{read: readSQL, letters: "#@"}
	grammars["Protocol Buffers"] = &grammar{classify: classifyWords, angles: true, modifiers: language.WordSet("repeated optional required"), types: map[string]string{}, other: protoOther,
		declares: map[string]declare{"message": declareType("struct"), "enum": declareType("enum"), "service": declareType("interface"), "rpc": declareFunction}}
	grammars["GraphQL"] = &grammar{classify: classifyGraphQL}
	grammars["Thrift"] = &grammar{classify: classifyThrift, angles: true}
	grammars["Prisma"] = &grammar{classify: classifyPrisma}
	grammars["Terraform"] = &grammar{classify: classifyTerraform, holes: '$', letters: "-"}
	grammars["Objective-C"] = &grammar{classify: classifyObjectiveC, directives: true, modifiers: language.WordSet(cModifiers), types: kinds(cTypes), attributes: language.WordSet(cAttributes), letters: "@", angles: true, lines: true}
	grammars["Swift"] = &grammar{classify: classifyWords, signs: language.WordSet("func"), directives: true, at: true, angles: true, ticks: true, holes: '\\', types: kinds("class"),
		modifiers: language.WordSet(`public private fileprivate internal open static final override mutating nonmutating lazy weak unowned required convenience dynamic optional
			indirect nonisolated isolated prefix postfix infix distributed consuming borrowing package class_`),
		declares: map[string]declare{"func": declareFunction, "init": declareConstructor, "subscript": declareConstructor, "var": declareValue("var"), "let": declareValue("var"),
			"class": swiftClass, "struct": declareType("struct"), "enum": declareType("enum"), "protocol": declareType("interface"), "actor": declareType("class"), "extension": declareImpl,
			"macro": declareName("macro"), "typealias": declareName("type"), "associatedtype": declareName("type")}}
	grammars["Scala"] = &grammar{classify: classifyWords, signs: language.WordSet("def val var type object class trait"), at: true, ticks: true, properties: true, types: kinds("class object=class trait"), apostrophe: lifetime, letters: "$", holes: '$', prefixed: true,
		modifiers: language.WordSet("case implicit lazy abstract final sealed override private protected inline open transparent opaque package infix"),
		declares: map[string]declare{"def": declareFunction, "val": declareValue("var"), "var": declareValue("var"), "class": declareType("class"), "trait": declareType("trait"),
			"object": declareType("class"), "type": declareName("type"), "enum": declareType("enum"), "extension": scalaExtension}}
	for name, m := range margins {
		grammars[name] = &grammar{read: readMargin, margin: m}
	}
	grammars[ansible].language = language.Of("site.yml")
	grammars[kubernetes].language = language.Of("web.yaml")
	ready()
}

// plain are the grammars of languages whose texts are split here, and whose declarations their graph's providers read.
var plain = map[string]*grammar{
	"Go":     {},
	"Python": {},
	"Astro":  script(), "JavaScript": script(), "Svelte": script(), "TypeScript": script(), "Vue": script(),
}

// script is how JavaScript is split.
func script() *grammar {
	return &grammar{letters: "$#", holes: '$', before: language.WordSet("return typeof case in of delete void instanceof new do else throw await yield")}
}

// scalaExtension takes what an extension declares: the one function behind what it extends, or those of its block.
func scalaExtension(r *reader, h *head, i int) body {
	t := h.tokens
	at := i + 1
	for at < len(t) && (t[at].kind == '(' || t[at].kind == '[') {
		at++
	}
	extends := at > i+1
	for at < len(t) && r.grammar.modifiers[string(r.text(t[at]))] {
		at++
	}
	if at < len(t) && extends && r.is(t[at], "def") {
		return declareFunction(r, h, at)
	}
	return r.block(extends && h.close.kind == '{')
}

// swiftClass enters a class, or takes what class modifies.
func swiftClass(r *reader, h *head, i int) body {
	if i+1 < len(h.tokens) {
		if d := r.grammar.declares[string(r.text(h.tokens[i+1]))]; d != nil && h.tokens[i+1].kind == word {
			return d(r, h, i+1)
		}
	}
	return declareType("class")(r, h, i)
}

// makers are macros of GoogleMock that make a function, which their first word names.
var makers = language.WordSet("MATCHER MATCHER_P MATCHER_P2 MATCHER_P3 ACTION ACTION_P ACTION_P2 ACTION_P3")

// listHeads are the macros of BSD's queue.h and tree.h that make a struct.
var listHeads = language.WordSet("LIST_HEAD SLIST_HEAD STAILQ_HEAD SIMPLEQ_HEAD TAILQ_HEAD CIRCLEQ_HEAD RB_HEAD SPLAY_HEAD")

// suites are macros of C++ that begin a test: its names stand in the parentheses.
var suites = language.WordSet("TEST TEST_F TEST_P TYPED_TEST TYPED_TEST_P BOOST_AUTO_TEST_CASE BOOST_FIXTURE_TEST_CASE TEST_CASE SCENARIO")

// ready completes the grammars by the table of languages.
func ready() {
	for i := range language.All {
		for _, m := range []map[string]*grammar{grammars, plain} {
			if g := m[language.All[i].Name]; g != nil {
				g.language = &language.All[i]
			}
		}
	}
	for _, g := range plain {
		g.newlines, g.classes = true, classesOf(g)
	}
	for name, g := range grammars {
		if g.read == nil {
			g.read = readBraces
		}
		g.newlines = g.language.Ends == language.Newline && g.language.Blocks != language.NoBlocks
		g.classes = classesOf(g)
		if g.language.Family == "C" && name != "C" {
			g.suites = suites
		}
	}
}

// grammarOf returns the grammar of a path's language, nil where there is none.
func grammarOf(name string) *grammar {
	l := language.Of(name)
	if l == nil {
		return nil
	}
	if l.Name == "C" && len(name) > 2 && name[len(name)-1] != 'c' && name[len(name)-1] != 'C' {
		return grammars["C++"] // a header may be of both
	}
	if l.Name == "YAML" && language.IsPlaybook(name) {
		return grammars[ansible]
	}
	if l.Name == "YAML" && language.IsCluster(name) {
		return grammars[kubernetes]
	}
	return grammars[l.Name]
}

// splitOf returns the grammar by which a text of this path is split, nil where there is none.
func splitOf(name string) *grammar {
	if g := grammarOf(name); g != nil && g.margin == nil {
		return g
	}
	if l := language.Of(name); l != nil {
		return plain[l.Name]
	}
	return nil
}

// lifetime returns the length of a character, 0 where ' begins a lifetime.
func lifetime(rest []byte) int {
	switch {
	case len(rest) < 3:
		return 1
	case rest[1] == '\\':
		for i := 2; i < min(len(rest), 16); i++ {
			if rest[i] == '\'' && i > 2 {
				return i + 1
			}
		}
		return 2
	case rest[2] == '\'':
		return 3
	case rest[1] < 0x80:
		n := 1 // 'name
		for n < len(rest) && (rest[n] == '_' || rest[n] >= '0' && rest[n] <= '9' || rest[n]|0x20 >= 'a' && rest[n]|0x20 <= 'z') {
			n++
		}
		return n
	}
	for i := 2; i < min(len(rest), 6); i++ {
		if rest[i] == '\'' {
			return i + 1
		}
	}
	return 1
}

// character returns the length of a character.
func character(rest []byte) int {
	for i := 1; i < min(len(rest), 14) && rest[i] != '\n'; i++ {
		if rest[i] == '\\' {
			i++
		} else if rest[i] == '\'' {
			return i + 1
		}
	}
	return 1
}

func assignsRust(r *reader, h *head) bool {
	for _, t := range h.tokens[:min(len(h.tokens), 4)] {
		if t.kind == word {
			switch string(r.text(t)) {
			case "const", "static", "type", "let":
				return true
			case "fn", "impl", "trait", "struct":
				return false
			}
		}
	}
	return false
}

// rustConst adds a constant, or the function before which const stands.
func rustConst(r *reader, h *head, i int) body {
	t := h.tokens
	for j := i + 1; j < len(t) && t[j].kind == word || j < len(t) && t[j].kind == quoted; j++ {
		if r.is(t[j], "fn") {
			return declareFunction(r, h, j)
		}
		if !r.grammar.modifiers[string(r.text(t[j]))] && t[j].kind == word {
			break
		}
	}
	return declareValue("const")(r, h, i)
}

// kotlinFun adds a function, or enters an interface of one.
func kotlinFun(r *reader, h *head, i int) body {
	if i+1 < len(h.tokens) && r.is(h.tokens[i+1], "interface") {
		return declareType("interface")(r, h, i+1)
	}
	since := len(r.list)
	b := declareFunction(r, h, i)
	if h.object && len(r.list) > since { // what it returns is an object whose type has no name
		d := &r.list[since]
		return r.objectOf(d.Name[len(r.top().prefix):], since, d.Exported)
	}
	return b
}

// kotlinClass enters a class, or what the word before it makes of it.
func kotlinClass(r *reader, h *head, i int) body {
	kind := "class"
	for _, m := range h.tokens[:i] {
		switch string(r.text(m)) {
		case "enum":
			kind = "enum"
		case "annotation":
			kind = "interface"
		}
	}
	return declareType(kind)(r, h, i)
}

// phpFunction adds a function, the & before its name left out.
func phpFunction(r *reader, h *head, i int) body {
	if i+1 < len(h.tokens) && h.tokens[i+1].kind == '&' {
		i++
	}
	if i+1 < len(h.tokens) && h.tokens[i+1].kind == word {
		return declareFunction(r, h, i)
	}
	return body{}
}

// phpNamespace enters a namespace that has a block.
func phpNamespace(r *reader, h *head, i int) body {
	if i+1 < len(h.tokens) && h.tokens[i+1].kind == word && h.close.kind != '{' {
		r.add(h, "namespace", string(r.text(h.tokens[i+1])), h.tokens[i+1], true)
		return body{}
	}
	return declareModule("namespace")(r, h, i)
}
