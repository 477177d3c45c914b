package pack

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/scan"
)

// language is what the survey must know of a programming language.
type language struct {
	name       string
	ecosystems []string
	exts       string
	// comment starts a comment that ends with the line; block a pair of brackets.
	comment    string
	open, shut string
	quotes     string // strings that end with the line, \ escapes
	raw        string // strings over many lines
	triple     bool   // """ and '''
	regexp     bool   // /x/ may be a literal (JavaScript)
	calls      map[string]string
	bareNeeds  string            // calls without receiver that start processes count only in files that hold this
	bare       map[string]string // calls without receiver
	words      map[string]string // anywhere in code
	exports    []string          // patterns, group 1 is the name
	imports    []string
}

const (
	runs        = "starts processes"
	evaluates   = "evaluates code from text"
	deserialise = "deserialises objects"
	weakCrypto  = "uses a weak hash or cipher"
	rawMemory   = "bypasses memory safety"
	noTLS       = "turns off certificate checks"
	rawHTML     = "writes raw HTML"
)

var goCalls = map[string]string{
	"exec.Command": runs, "exec.CommandContext": runs, "os.StartProcess": runs, "syscall.Exec": runs, "syscall.ForkExec": runs, "plugin.Open": evaluates,
	"md5.New": weakCrypto, "md5.Sum": weakCrypto, "sha1.New": weakCrypto, "sha1.Sum": weakCrypto, "des.NewCipher": weakCrypto, "rc4.NewCipher": weakCrypto,
	"unsafe.Pointer": rawMemory, "unsafe.Slice": rawMemory, "unsafe.String": rawMemory, "unsafe.Add": rawMemory,
	"template.HTML": rawHTML, "template.JS": rawHTML, "gob.NewDecoder": deserialise,
}

var jsCalls = map[string]string{
	"child_process.exec": runs, "child_process.execSync": runs, "child_process.spawn": runs, "child_process.spawnSync": runs, "child_process.execFile": runs,
	"child_process.execFileSync": runs, "child_process.fork": runs, "cp.exec": runs, "cp.execSync": runs, "cp.spawn": runs, "cp.spawnSync": runs, "Deno.run": runs, "Bun.spawn": runs,
	"vm.runInContext": evaluates, "vm.runInNewContext": evaluates, "vm.runInThisContext": evaluates,
	"document.write": rawHTML, "crypto.createCipher": weakCrypto, "v8.deserialize": deserialise,
}

var jsBare = map[string]string{
	"eval": evaluates, "Function": evaluates, "exec": runs, "execSync": runs, "spawn": runs, "spawnSync": runs, "execFile": runs, "execFileSync": runs,
}

var jsLike = language{
	comment: "//", open: "/*", shut: "*/", quotes: `"'`, raw: "`", regexp: true,
	calls: jsCalls, bare: jsBare, bareNeeds: "child_process",
	words: map[string]string{"dangerouslySetInnerHTML": rawHTML, "rejectUnauthorized: false": noTLS, ".innerHTML =": rawHTML},
	exports: []string{
		`^export\s+(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|const|let|var|interface|type|enum|namespace)\s+([A-Za-z_$][\w$]*)`,
		`^(?:module\.)?exports\.([A-Za-z_$][\w$]*)\s*=`,
		`^export\s+\{\s*([^}]*?)\s*\}`,
		`^export\s+(default)\b`,
	},
	imports: []string{
		`^\s*(?:import|export)\s[^'"]*?from\s*['"]([^'"]+)['"]`,
		`^\s*import\s*['"]([^'"]+)['"]`,
		`\brequire\(\s*['"]([^'"]+)['"]\s*\)`,
		`\bimport\(\s*['"]([^'"]+)['"]\s*\)`,
	},
}

func js(name, exts string) *language {
	l := jsLike
	l.name, l.exts, l.ecosystems = name, exts, []string{"node", "deno"}
	return &l
}

var cCalls = map[string]string{
	"system": runs, "popen": runs, "execl": runs, "execlp": runs, "execv": runs, "execvp": runs, "execve": runs,
	"strcpy": rawMemory, "strcat": rawMemory, "sprintf": rawMemory, "gets": rawMemory, "MD5_Init": weakCrypto, "SHA1_Init": weakCrypto,
}

var jvmCalls = map[string]string{"Runtime.getRuntime": runs, "new ProcessBuilder": runs, "ProcessBuilder": runs, "ObjectInputStream": deserialise, "readObject": deserialise}

var languages = []*language{
	{name: "Go", exts: "go", ecosystems: []string{"go"}, comment: "//", open: "/*", shut: "*/", quotes: `"'`, raw: "`", calls: goCalls,
		words: map[string]string{"InsecureSkipVerify: true": noTLS}},
	js("TypeScript", "ts tsx mts cts"),
	js("JavaScript", "js jsx mjs cjs"),
	js("Vue", "vue"),
	js("Svelte", "svelte"),
	{name: "Python", exts: "py pyi pyx", ecosystems: []string{"python"}, comment: "#", quotes: `"'`, triple: true,
		calls: map[string]string{
			"subprocess.run": runs, "subprocess.Popen": runs, "subprocess.call": runs, "subprocess.check_output": runs, "subprocess.check_call": runs,
			"os.system": runs, "os.popen": runs, "os.execv": runs, "os.execvp": runs, "pickle.load": deserialise, "pickle.loads": deserialise,
			"marshal.loads": deserialise, "yaml.load": deserialise, "hashlib.md5": weakCrypto, "hashlib.sha1": weakCrypto, "DES.new": weakCrypto,
		},
		bare:    map[string]string{"eval": evaluates, "exec": evaluates},
		words:   map[string]string{"verify=False": noTLS, "ssl._create_unverified_context": noTLS},
		exports: []string{`^(?:async\s+)?def\s+([A-Za-z][\w]*)`, `^class\s+([A-Za-z]\w*)`, `^([A-Z][A-Z0-9_]+)\s*(?::[^=]+)?=`},
		imports: []string{`^\s*import\s+([\w.]+)`, `^\s*from\s+([\w.]+)\s+import\b`}},
	{name: "Rust", exts: "rs", ecosystems: []string{"rust"}, comment: "//", open: "/*", shut: "*/", quotes: `"`,
		calls:   map[string]string{"Command::new": runs, "mem::transmute": rawMemory, "from_raw_parts": rawMemory, "Md5::new": weakCrypto, "Sha1::new": weakCrypto},
		words:   map[string]string{"unsafe {": rawMemory, "unsafe fn ": rawMemory, "unsafe impl ": rawMemory, "danger_accept_invalid_certs(true)": noTLS},
		exports: []string{`^pub\s+(?:async\s+|const\s+|unsafe\s+)*(?:fn|struct|enum|trait|mod|type|const|static|union)\s+([A-Za-z_]\w*)`},
		imports: []string{`^\s*extern\s+crate\s+(\w+)`}},
	{name: "Java", exts: "java", ecosystems: []string{"jvm"}, comment: "//", open: "/*", shut: "*/", quotes: `"'`, triple: true, calls: jvmCalls, bare: jvmCalls,
		exports: []string{`^\s*public\s+(?:static\s+|final\s+|abstract\s+|sealed\s+)*(?:class|interface|enum|record|@interface)\s+(\w+)`},
		imports: []string{`^import\s+(?:static\s+)?([\w.*]+);`}},
	{name: "Kotlin", exts: "kt kts", ecosystems: []string{"jvm"}, comment: "//", open: "/*", shut: "*/", quotes: `"'`, triple: true, calls: jvmCalls, bare: jvmCalls,
		exports: []string{`^(?:public\s+|open\s+|abstract\s+|sealed\s+|data\s+|inline\s+|suspend\s+)*(?:class|interface|object|fun|val|typealias)\s+(?:<[^>]*>\s*)?(?:\w+\.)?(\w+)`},
		imports: []string{`^import\s+([\w.*]+)`}},
	{name: "Scala", exts: "scala", ecosystems: []string{"jvm"}, comment: "//", open: "/*", shut: "*/", quotes: `"`, triple: true, calls: jvmCalls, bare: jvmCalls,
		exports: []string{`^(?:final\s+|sealed\s+|abstract\s+|case\s+)*(?:class|trait|object)\s+(\w+)`}, imports: []string{`^import\s+([\w.{}, *]+)`}},
	{name: "C#", exts: "cs", ecosystems: []string{"dotnet"}, comment: "//", open: "/*", shut: "*/", quotes: `"'`,
		calls:   map[string]string{"Process.Start": runs, "BinaryFormatter": deserialise, "MD5.Create": weakCrypto, "SHA1.Create": weakCrypto},
		exports: []string{`^\s*public\s+(?:static\s+|sealed\s+|abstract\s+|partial\s+|readonly\s+)*(?:class|interface|enum|record|struct)\s+(\w+)`},
		imports: []string{`^\s*(?:global\s+)?using\s+(?:static\s+)?([\w.]+);`}},
	{name: "Ruby", exts: "rb", ecosystems: []string{"ruby"}, comment: "#", quotes: `"'`, calls: map[string]string{"Marshal.load": deserialise, "YAML.load": deserialise, "Open3.capture3": runs, "Digest::MD5": weakCrypto},
		bare:    map[string]string{"eval": evaluates, "system": runs, "instance_eval": evaluates, "class_eval": evaluates},
		exports: []string{`^\s*(?:class|module)\s+([A-Z][\w:]*)`, `^def\s+(?:self\.)?(\w+[?!]?)`}, imports: []string{`^\s*require(?:_relative)?\s+['"]([^'"]+)['"]`}},
	{name: "PHP", exts: "php", ecosystems: []string{"php"}, comment: "//", open: "/*", shut: "*/", quotes: `"'`,
		bare:    map[string]string{"eval": evaluates, "system": runs, "exec": runs, "shell_exec": runs, "passthru": runs, "proc_open": runs, "popen": runs, "unserialize": deserialise, "md5": weakCrypto, "sha1": weakCrypto},
		exports: []string{`^\s*(?:final\s+|abstract\s+)*(?:class|interface|trait|enum)\s+(\w+)`, `^function\s+(\w+)`}, imports: []string{`^use\s+([\w\\]+)`, `\b(?:require|include)(?:_once)?\s*\(?\s*['"]([^'"]+)['"]`}},
	{name: "C", exts: "c h", ecosystems: []string{"cpp"}, comment: "//", open: "/*", shut: "*/", quotes: `"'`, bare: cCalls,
		exports: []string{`^[A-Za-z_][\w\s*]*?\b([A-Za-z_]\w*)\s*\([^;]*\)\s*\{`}, imports: []string{`^\s*#\s*include\s*[<"]([^>"]+)[>"]`}},
	{name: "C++", exts: "cc cpp cxx hh hpp hxx", ecosystems: []string{"cpp"}, comment: "//", open: "/*", shut: "*/", quotes: `"'`, bare: cCalls,
		exports: []string{`^(?:class|struct|enum(?:\s+class)?|namespace)\s+([A-Za-z_]\w*)`}, imports: []string{`^\s*#\s*include\s*[<"]([^>"]+)[>"]`}},
	{name: "Swift", exts: "swift", ecosystems: []string{"swift"}, comment: "//", open: "/*", shut: "*/", quotes: `"`, triple: true,
		exports: []string{`^\s*(?:public|open)\s+(?:final\s+)?(?:class|struct|enum|protocol|func|actor)\s+(\w+)`}, imports: []string{`^import\s+(\w+)`}},
	{name: "Elixir", exts: "ex exs", ecosystems: []string{"elixir"}, comment: "#", quotes: `"'`, triple: true, calls: map[string]string{"System.cmd": runs, "Code.eval_string": evaluates, "binary_to_term": deserialise},
		exports: []string{`^\s*defmodule\s+([\w.]+)`, `^\s*def\s+(\w+[?!]?)`}, imports: []string{`^\s*(?:alias|import|use|require)\s+([\w.]+)`}},
	{name: "Dart", exts: "dart", ecosystems: []string{"dart"}, comment: "//", open: "/*", shut: "*/", quotes: `"'`, triple: true, calls: map[string]string{"Process.run": runs, "Process.start": runs},
		exports: []string{`^(?:abstract\s+)?(?:class|enum|mixin|extension)\s+([A-Za-z]\w*)`}, imports: []string{`^import\s+'([^']+)'`}},
	{name: "Lua", exts: "lua", comment: "--", quotes: `"'`, calls: map[string]string{"os.execute": runs, "io.popen": runs}, bare: map[string]string{"loadstring": evaluates}},
	{name: "Shell", exts: "sh bash zsh", comment: "#", quotes: `"'`},
	{name: "Haskell", exts: "hs", comment: "--", open: "{-", shut: "-}", quotes: `"`},
	{name: "Zig", exts: "zig", ecosystems: []string{"zig"}, comment: "//", quotes: `"'`},
	{name: "Objective-C", exts: "m mm", comment: "//", open: "/*", shut: "*/", quotes: `"'`},
	{name: "Perl", exts: "pl pm", comment: "#", quotes: `"'`, bare: map[string]string{"system": runs, "exec": runs}},
	{name: "R", exts: "r", comment: "#", quotes: `"'`},
	{name: "SQL", exts: "sql", comment: "--", open: "/*", shut: "*/", quotes: `'`},
	{name: "CSS", exts: "css scss sass less"},
	{name: "HTML", exts: "html htm"},
	{name: "HCL", exts: "tf hcl"},
	{name: "Nix", exts: "nix", ecosystems: []string{"nix"}},
	{name: "Starlark", exts: "bzl bazel", ecosystems: []string{"bazel"}},
	{name: "Protocol Buffers", exts: "proto"},
	{name: "GraphQL", exts: "graphql gql"},
}

var languageByExt = func() map[string]*language {
	m := map[string]*language{}
	for _, l := range languages {
		for e := range strings.FieldsSeq(l.exts) {
			m["."+e] = l
		}
	}
	return m
}()

// languageOf is the language of a path, or nil.
func languageOf(p string) *language { return languageByExt[strings.ToLower(path.Ext(p))] }

// programs reports whether the survey reads files of the language.
func (l *language) programs() bool { return l.comment != "" }

// langStat is how much of a language there is.
type langStat struct {
	lang  *language
	files int
	bytes int64
	lines int
	first string
}

// languageStats counts the source files of a snapshot by language, most bytes first.
func languageStats(s *scan.Snapshot) []langStat {
	by := map[*language]*langStat{}
	for i := range s.Files {
		f := &s.Files[i]
		l := languageOf(f.Path)
		if l == nil || !f.Extractable() {
			continue
		}
		st := by[l]
		if st == nil {
			st = &langStat{lang: l, first: f.Path}
			by[l] = st
		}
		st.files++
		st.bytes += f.Size
		st.lines += f.Lines
	}
	var out []langStat
	for _, l := range languages { // not by: a map has no order
		if st := by[l]; st != nil {
			out = append(out, *st)
		}
	}
	slices.SortStableFunc(out, func(a, b langStat) int { return cmp.Compare(b.bytes, a.bytes) })
	return out
}
