package source

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// Asked is a name that is given to a function that may read the variable of that name.
type Asked struct {
	NameLine
	// Of is the name of the function.
	Of string
}

// variablesOf returns the variables that a text of a program reads, the functions of it that read those that they are given the names of, and
// what it gives others that may do so.
func (l *Language) variablesOf(b []byte, held *pairs, partsOf func() []byte) (list []NameLine, readers []string, asked []Asked) {
	list = tabledVariables(l.Name, b, held, partsOf)
	if !held.anyOf(b, environments) {
		return list, nil, nil
	}
	if held.anyOf(b, variableHints) {
		parts, lines := partsOf(), &lineCounter{text: b}
		for _, m := range near(readsVariable, b, variableHints) {
			written := assigned.Match(b[m[1]:min(len(b), m[1]+8)]) || unset.Match(b[max(0, m[0]-8):m[0]])
			if parts[m[0]] == inCode && !written && !builtIn(b[m[0]:m[1]]) {
				list = append(list, NameLine{submatch(b, m), lines.at(m[0])})
			}
		}
		list = append(list, constantVariables(b, parts)...)
		list = append(list, kindredVariables(b, parts, list)...)
		readers = readersOf(b, parts)
	}
	for _, form := range l.variableForms(b) {
		if !held.anyOf(b, form.hints) {
			continue
		}
		lines := &lineCounter{text: b}
		for _, m := range near(form.names, b, form.hints) {
			if partsOf()[m[0]] == inCode {
				list = append(list, NameLine{submatch(b, m), lines.at(m[0])})
			}
		}
	}
	given, asked := givenNames(b, readers, list, partsOf)
	return append(list, given...), readers, asked
}

// readsVariable is how languages read an environment variable whose name stands there, and assigned is what makes it one that is written.
var (
	readsVariable = lazyregexp.New(`(?:process|import\.meta)\.env(?:\.([A-Z][A-Z0-9_]*)|\[\s*["']([A-Za-z_]\w*)["']\s*\])` +
		`|\b(?:os\.environ|ENV|\$_ENV|processInfo\.environment|Platform\.environment|getenv\(\))\[\s*["']([A-Za-z_]\w*)["']\s*\]` +
		`|\b(?:getenv|Getenv|LookupEnv|os\.environ\.get|ENV\.(?:fetch|key\?|has_key\?|include\?|member\?|dig)|env::var|env::var_os|env!|option_env!|GetEnvironmentVariable|Deno\.env\.get` +
		`|getEnv|GetEnv|get_env|fetch_env!?|String\.fromEnvironment)\(\s*["']([A-Za-z_]\w*)["']|[ \t(,\[!=?]env\(\s*["']([A-Z][A-Z0-9_]*)["']|\$ENV\{["']?([A-Za-z_]\w*)["']?\}|\b(?:lookupEnv|getEnv|getenv|getenv_opt) +"([A-Za-z_]\w*)"`)
	assigned = lazyregexp.New(`^\s*(?:[|&?]{2})?=[^=>~]`)
)

// hints of what the expressions find: a text without any has none.
var (
	variableHints = [][]byte{[]byte("process.env"), []byte("import.meta.env"), []byte("Deno.env.get("), []byte("os.environ"), []byte("ENV["), []byte("ENV."), []byte("ENV{"),
		[]byte("etenv("), []byte("LookupEnv("), []byte("env::var"), []byte("EnvironmentVariable("),
		[]byte(".environment["), []byte(".fromEnvironment("), []byte("get_env("), []byte("fetch_env"), []byte("env!("), []byte("lookupEnv "), []byte("getEnv "), []byte("getenv "), []byte("getenv_opt "), []byte("GetEnv("), []byte("getEnv("), []byte("env('"), []byte("env(\"")}
	// environments are what each of variableHints holds one of.
	environments = [][]byte{[]byte("env"), []byte("Env"), []byte("ENV")}
)

// unset ends what stands before a variable that is taken out of the environment.
var unset = lazyregexp.New(`(?:\bdel |\bdelete |\bunset\()$`)

// namedFor is how a member is given the name of a variable, or of a property, that it takes its value of: by a tag of Go, an annotation
// of Spring or of MicroProfile.
var namedFor = lazyregexp.New("\\b(?:env|envconfig):\"([A-Z][A-Z0-9_]*)|@Value\\(\\s*\"[$#]\\{([A-Za-z][\\w.-]*)|@ConfigProperty\\(\\s*name\\s*=\\s*\"([A-Za-z][\\w.-]*)\"")

// namedHints are hints of what namedFor finds, givesEnvironment of wholeEnvironment.
var namedHints = [][]byte{[]byte("env:\""), []byte("envconfig:\""), []byte("@Value("), []byte("@ConfigProperty(")}

var givesEnvironment = [][]byte{[]byte(".env")}

// A text that gives all of the environment to something, or a class of settings of pydantic, names variables as keys and as members.
var (
	wholeEnvironment = lazyregexp.New(`\b(?:process\.env|import\.meta\.env) *[,)]`)
	variableKey      = lazyregexp.New(`(?m)^[ \t]+([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*) *:[ \t]*[\w"'\[{(]`)
)

// tabledVariables returns the variables that a text of a language names in a table, or by what stands beside the member that has the value.
func tabledVariables(language string, b []byte, held *pairs, partsOf func() []byte) (list []NameLine) {
	add := func(found [][]int, in func(part byte) bool) {
		parts, lines := partsOf(), &lineCounter{text: b}
		for _, m := range found {
			if in(parts[m[0]]) {
				list = append(list, NameLine{submatch(b, m), lines.at(m[0])})
			}
		}
	}
	if held.anyOf(b, namedHints) {
		add(near(namedFor, b, namedHints), func(part byte) bool { return part != inComment })
	}
	if language == "Python" && bytes.Contains(b, []byte("(BaseSettings)")) || held.anyOf(b, givesEnvironment) && wholeEnvironment.Match(b) {
		add(variableKey.FindAllSubmatchIndex(b, maxNamed), func(part byte) bool { return part == inCode })
	}
	return list
}

// readsConstant is how languages read an environment variable by a name that stands elsewhere, namesVariable a constant that may be
// such a name.
var (
	readsConstant = lazyregexp.New(`\b(?:getenv|Getenv|LookupEnv|environ\.get|env::var|env::var_os|GetEnvironmentVariable|get_env)\(\s*&?([A-Za-z_]\w*)\s*[,)]` +
		`|(?:process\.env|os\.environ)\[\s*([A-Za-z_]\w*)\s*\]`)
	namesVariable = lazyregexp.New(`(?m)^[ \t]*(?:[A-Za-z_]\w* +){0,5}([A-Za-z_]\w*)(?:[ \t]*: *&?(?:'static +)?\w+)?(?: +string)?[ \t]*:?=[ \t]*["']([A-Z][A-Z0-9_]+)["'][ \t]*(?:;|,|//.*|#.*)?$`)
)

// constantVariables returns the environment variables that a text reads by constants of its own, at the lines of these.
func constantVariables(b, parts []byte) (list []NameLine) {
	read := map[string]bool{}
	for _, m := range near(readsConstant, b, variableHints) {
		if parts[m[0]] == inCode {
			read[submatch(b, m)] = true
		}
	}
	if len(read) == 0 {
		return nil
	}
	lines := &lineCounter{text: b}
	for _, m := range namesVariable.FindAllSubmatchIndex(b, -1) {
		if read[string(b[m[2]:m[3]])] && parts[m[2]] == inCode && len(list) < maxNamed {
			list = append(list, NameLine{string(b[m[4]:m[5]]), lines.at(m[2])})
		}
	}
	return list
}

// calledWith is a call that is given a name as that of an environment variable.
var calledWith = lazyregexp.New(`[\w!?]\(\s*["']([A-Z][A-Z0-9]*_[A-Z0-9_]+)["']`)

// leastKindred is how many variables that a text reads begin with the same word where others that do are variables too.
const leastKindred = 2

// kindredVariables returns what a text gives functions of its own that begins as the variables do that it reads itself: where
// QUAY_HOME and QUAY_TIDE are read, port("QUAY_PORT") reads a third.
func kindredVariables(b, parts []byte, read []NameLine) (list []NameLine) {
	first := func(name string) string { word, _, _ := strings.Cut(name, "_"); return word }
	families, known := map[string]int{}, map[string]bool{}
	for _, v := range read {
		if !known[v.Name] && len(first(v.Name)) > 2 {
			families[first(v.Name)]++
		}
		known[v.Name] = true
	}
	for word, n := range families {
		if n < leastKindred {
			delete(families, word)
		}
	}
	if len(families) == 0 {
		return nil
	}
	lines := &lineCounter{text: b}
	for _, m := range calledWith.FindAllSubmatchIndex(b, maxNamed) {
		name := string(b[m[2]:m[3]])
		if families[first(name)] > 0 && !known[name] && parts[m[0]] == inCode {
			known[name] = true
			list = append(list, NameLine{name, lines.at(m[0])})
		}
	}
	return list
}

// builtIn reports whether what reads a variable reads one of those that a bundler, or Cargo, itself writes into the code, whatever the
// environment is.
func builtIn(reads []byte) bool {
	name, ok := bytes.CutPrefix(reads, []byte("import.meta.env."))
	return ok && builtIns[string(name)] || ofCargo.Match(reads)
}

// ofCargo is how Rust reads what Cargo says of the package that it builds.
var ofCargo = lazyregexp.New(`\benv(?:!|::var|::var_os)\(\s*"(?:CARGO_(?:PKG|MANIFEST|CFG|FEATURE|BIN|CRATE)_\w+|OUT_DIR)"`)

// builtIns are the variables of import.meta.env that are none of the environment.
var builtIns = map[string]bool{"DEV": true, "PROD": true, "SSR": true, "MODE": true, "BASE_URL": true}

// variableForms are how a family of languages names a variable to a library that reads it: click and typer, environs and django-environ; urfave/cli and
// viper; clap; commander, oclif, env-var and NestJS; dotenv of several; Vapor.
var variableForms = map[string]nameForm{
	"Python": formOf(`\benv\.(?:str|bool|int|float|list|json|url|db|db_url|cache_url|path|dict|tuple|bytes|log_level|timedelta|date|uuid|enum|decimal)\(\s*["']([A-Z][A-Z0-9_]*)["']`+
		`|\benvvar *= *[\[(]?\s*["']([A-Z][A-Z0-9_]*)["']`, "env.", "envvar"),
	"Go":   formOf(`\bEnvVars?: *(?:\[\]string\{\s*)?"([A-Z][A-Z0-9_]*)"|\bcli\.EnvVars\(\s*"([A-Z][A-Z0-9_]*)"|\bBindEnv\([^)\n]*"([A-Z][A-Z0-9_]*)"`, "EnvVar", "BindEnv("),
	"Rust": formOf(`\benv *= *"([A-Z][A-Z0-9_]*)"|\.env\("([A-Z][A-Z0-9_]*)"\)`, "env =", ".env("),
	"script": formOf(`\.env\(\s*["']([A-Z][A-Z0-9_]*)["']\s*\)|\benv: *["']([A-Z][A-Z0-9_]*)["']|\benv\.get\(\s*["']([A-Z][A-Z0-9_]*)["']`+
		`|\b[cC]onfigService\.(?:get|getOrThrow)(?:<[^>(\n]*>)?\(\s*["']([A-Z][A-Z0-9_]*)["']`, "env(", "env:", "env.get(", "onfigService."),
	"Dart":  formOf(`\benv\[\s*["']([A-Z][A-Z0-9_]*)["']\s*\]`, "env["),
	"JVM":   formOf(`\bsys\.env(?:\.get|\.getOrElse)?\(\s*"([A-Z][A-Z0-9_]*)"|\benvOr(?:Else|None|Null)\(\s*"([A-Z][A-Z0-9_]*)"|\bdotenv(?:\.get\(|\[)\s*"([A-Z][A-Z0-9_]*)"`, "sys.env", "envOr", "dotenv"),
	"Swift": formOf(`\bEnvironment\.get\(\s*"([A-Z][A-Z0-9_]*)"`, "Environment.get("),
}

// decoupled is how Python does where it uses decouple.
var decoupled = formOf(`\bconfig\(\s*["']([A-Z][A-Z0-9_]*)["']`, "config(")

// variableForms are those of a text.
func (l *Language) variableForms(b []byte) (list []nameForm) {
	if form, ok := variableForms[l.Family]; ok {
		list = append(list, form)
	}
	if l.Name == "Python" && bytes.Contains(b, []byte("decouple")) {
		list = append(list, decoupled)
	}
	return list
}

// parameterOf are how a line begins a function: behind the name of each, group 1, stand its parameters, group 2. The last is how languages do that have
// no word for it.
var parameterOf = []*lazyregexp.Regexp{
	lazyregexp.New(`^\s*(?:(?:export|default|async|pub(?:\([a-z]+\))?|public|private|protected|internal|static|final|override|inline|open|const|unsafe|local)\s+)*(?:func|def|defp|fn|function|fun|sub)\s+(?:\([^)]*\)\s*)?(?:self\.|[A-Z]\w*\.)?([A-Za-z_]\w*[!?]?)\s*(?:<[^>]*>|\[[^\]]*\])?\(([^)]*)`),
	lazyregexp.New(`^\s*(?:export\s+)?(?:const|let|var|val)\s+([A-Za-z_]\w*)\s*(?::[^=]*)?=\s*(?:async\s*)?(?:function\s*\w*\s*)?\(?([^)=]*)\)?[^=;]*(?:=>|\{)`),
	lazyregexp.New(`^\s*(?:[\w<>\[\],.?*&:]+\s+)*[*&]?([A-Za-z_]\w*)\s*\(([^()]*)\)[\w\s:<>|,?\[\]]*(?:\{|=>|$)`),
}

// noFunctions are words behind which parentheses stand that hold no parameters.
var noFunctions = language.WordSet(`if for while switch catch return else elif elsif unless until when match with and or not assert throw new await foreach using lock`)

// maxAboveRead bounds the lines between the beginning of a function and what it reads.
const maxAboveRead = 12

// readersOf returns the functions of a text that read a variable whose name is one of their parameters.
func readersOf(b, parts []byte) (list []string) {
	for _, m := range near(readsConstant, b, variableHints) {
		if parts[m[0]] != inCode {
			continue
		}
		if name := functionAround(b[:lineEnd(b, m[0])], submatch(b, m)); name != "" && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// functionAround returns the name of the function that a text ends in, if one of so few lines has the parameter; "" where none has.
func functionAround(b []byte, parameter string) string {
	word := regexp.MustCompile(`\b` + regexp.QuoteMeta(parameter) + `\b`)
	for range maxAboveRead {
		from := bytes.LastIndexByte(b, '\n')
		line := b[from+1:]
		if len(line) <= maxReaderLine && word.Match(line) {
			for _, re := range parameterOf {
				if m := re.FindSubmatch(line); m != nil && !noFunctions[string(m[1])] && word.Match(m[2]) {
					return string(m[1])
				}
			}
		}
		if from < 0 {
			return ""
		}
		b = b[:from]
	}
	return ""
}

// maxReaderLine bounds the bytes of a line that may begin such a function.
const maxReaderLine = 400

// calledByName is a call that is given a name as that of a variable, first or behind one other value, and the function's.
var calledByName = lazyregexp.New(`\b([A-Za-z_]\w*[!?]?)(?:<[^>(\n]*>)?\(\s*(?:&?[\w.&*]+,\s*)?["']([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)["']`)

// givenNames returns what a text gives functions that read the variable of that name: its own readers, and, apart, those of other files, whose names
// say what they read.
func givenNames(b []byte, readers []string, known []NameLine, partsOf func() []byte) (list []NameLine, asked []Asked) {
	var hints [][]byte
	for _, name := range readers {
		hints = append(hints, []byte(name))
	}
	hints = append(hints, callsEnvironment...)
	if !holdsAny(b, hints) {
		return nil, nil
	}
	at := map[NameLine]bool{}
	for _, v := range known {
		at[v] = true
	}
	lines := &lineCounter{text: b}
	for _, m := range near(calledByName, b, hints) {
		of, one := string(b[m[2]:m[3]]), NameLine{string(b[m[4]:m[5]]), lines.at(m[0])}
		switch own := slices.Contains(readers, of); {
		case at[one] || partsOf()[m[0]] != inCode:
		case own:
			list = append(list, one)
		case of != "env" && strings.Contains(strings.ToLower(of), "env"): // what is called env may give a variable to a program
			asked = append(asked, Asked{one, of})
		}
	}
	return list, asked
}

// callsEnvironment are what stands in the name of a function of another file that reads variables.
var callsEnvironment = [][]byte{[]byte("env"), []byte("Env"), []byte("ENV")}
