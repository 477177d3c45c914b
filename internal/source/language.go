package source

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/scan"
)

// Language is what the survey must know of a programming language.
type Language struct {
	// Name is the one that people read.
	Name string
	// Ecosystems are the types of projects that are written in it.
	Ecosystems []string
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

var jsLike = Language{
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

func js(name, exts string) *Language {
	l := jsLike
	l.Name, l.exts, l.Ecosystems = name, exts, []string{"node", "deno"}
	return &l
}

var cCalls = map[string]string{
	"system": runs, "popen": runs, "execl": runs, "execlp": runs, "execv": runs, "execvp": runs, "execve": runs,
	"strcpy": rawMemory, "strcat": rawMemory, "sprintf": rawMemory, "gets": rawMemory, "MD5_Init": weakCrypto, "SHA1_Init": weakCrypto,
}

var jvmCalls = map[string]string{"Runtime.getRuntime": runs, "new ProcessBuilder": runs, "ProcessBuilder": runs, "ObjectInputStream": deserialise, "readObject": deserialise}

var languages = []*Language{
	{Name: "Go", exts: "go", Ecosystems: []string{"go"}, comment: "//", open: "/*", shut: "*/", quotes: `"'`, raw: "`", calls: goCalls,
		words: map[string]string{"InsecureSkipVerify: true": noTLS}},
	js("TypeScript", "ts tsx mts cts"),
	js("JavaScript", "js jsx mjs cjs"),
	js("Vue", "vue"),
	js("Svelte", "svelte"),
	{Name: "Python", exts: "py pyi pyx", Ecosystems: []string{"python"}, comment: "#", quotes: `"'`, triple: true,
		calls: map[string]string{
			"subprocess.run": runs, "subprocess.Popen": runs, "subprocess.call": runs, "subprocess.check_output": runs, "subprocess.check_call": runs,
			"os.system": runs, "os.popen": runs, "os.execv": runs, "os.execvp": runs, "pickle.load": deserialise, "pickle.loads": deserialise,
			"marshal.loads": deserialise, "yaml.load": deserialise, "hashlib.md5": weakCrypto, "hashlib.sha1": weakCrypto, "DES.new": weakCrypto,
		},
		bare:    map[string]string{"eval": evaluates, "exec": evaluates},
		words:   map[string]string{"verify=False": noTLS, "ssl._create_unverified_context": noTLS},
		exports: []string{`^(?:async\s+)?def\s+([A-Za-z][\w]*)`, `^class\s+([A-Za-z]\w*)`, `^([A-Z][A-Z0-9_]+)\s*(?::[^=]+)?=`},
		imports: []string{`^\s*import\s+([\w.]+)`, `^\s*from\s+([\w.]+)\s+import\b`}},
	{Name: "Rust", exts: "rs", Ecosystems: []string{"rust"}, comment: "//", open: "/*", shut: "*/", quotes: `"`,
		calls:   map[string]string{"Command::new": runs, "mem::transmute": rawMemory, "from_raw_parts": rawMemory, "Md5::new": weakCrypto, "Sha1::new": weakCrypto},
		words:   map[string]string{"unsafe {": rawMemory, "unsafe fn ": rawMemory, "unsafe impl ": rawMemory, "danger_accept_invalid_certs(true)": noTLS},
		exports: []string{`^pub\s+(?:async\s+|const\s+|unsafe\s+)*(?:fn|struct|enum|trait|mod|type|const|static|union)\s+([A-Za-z_]\w*)`},
		imports: []string{`^\s*extern\s+crate\s+(\w+)`}},
	{Name: "Java", exts: "java", Ecosystems: []string{"jvm"}, comment: "//", open: "/*", shut: "*/", quotes: `"'`, triple: true, calls: jvmCalls, bare: jvmCalls,
		exports: []string{`^\s*public\s+(?:static\s+|final\s+|abstract\s+|sealed\s+)*(?:class|interface|enum|record|@interface)\s+(\w+)`},
		imports: []string{`^import\s+(?:static\s+)?([\w.*]+);`}},
	{Name: "Kotlin", exts: "kt kts", Ecosystems: []string{"jvm"}, comment: "//", open: "/*", shut: "*/", quotes: `"'`, triple: true, calls: jvmCalls, bare: jvmCalls,
		exports: []string{`^(?:public\s+|open\s+|abstract\s+|sealed\s+|data\s+|inline\s+|suspend\s+)*(?:class|interface|object|fun|val|typealias)\s+(?:<[^>]*>\s*)?(?:\w+\.)?(\w+)`},
		imports: []string{`^import\s+([\w.*]+)`}},
	{Name: "Scala", exts: "scala", Ecosystems: []string{"jvm"}, comment: "//", open: "/*", shut: "*/", quotes: `"`, triple: true, calls: jvmCalls, bare: jvmCalls,
		exports: []string{`^(?:final\s+|sealed\s+|abstract\s+|case\s+)*(?:class|trait|object)\s+(\w+)`}, imports: []string{`^import\s+([\w.{}, *]+)`}},
	{Name: "C#", exts: "cs", Ecosystems: []string{"dotnet"}, comment: "//", open: "/*", shut: "*/", quotes: `"'`,
		calls:   map[string]string{"Process.Start": runs, "BinaryFormatter": deserialise, "MD5.Create": weakCrypto, "SHA1.Create": weakCrypto},
		exports: []string{`^\s*public\s+(?:static\s+|sealed\s+|abstract\s+|partial\s+|readonly\s+)*(?:class|interface|enum|record|struct)\s+(\w+)`},
		imports: []string{`^\s*(?:global\s+)?using\s+(?:static\s+)?([\w.]+);`}},
	{Name: "Ruby", exts: "rb", Ecosystems: []string{"ruby"}, comment: "#", quotes: `"'`, calls: map[string]string{"Marshal.load": deserialise, "YAML.load": deserialise, "Open3.capture3": runs, "Digest::MD5": weakCrypto},
		bare:    map[string]string{"eval": evaluates, "system": runs, "instance_eval": evaluates, "class_eval": evaluates},
		exports: []string{`^\s*(?:class|module)\s+([A-Z][\w:]*)`, `^def\s+(?:self\.)?(\w+[?!]?)`}, imports: []string{`^\s*require(?:_relative)?\s+['"]([^'"]+)['"]`}},
	{Name: "PHP", exts: "php", Ecosystems: []string{"php"}, comment: "//", open: "/*", shut: "*/", quotes: `"'`,
		bare:    map[string]string{"eval": evaluates, "system": runs, "exec": runs, "shell_exec": runs, "passthru": runs, "proc_open": runs, "popen": runs, "unserialize": deserialise, "md5": weakCrypto, "sha1": weakCrypto},
		exports: []string{`^\s*(?:final\s+|abstract\s+)*(?:class|interface|trait|enum)\s+(\w+)`, `^function\s+(\w+)`}, imports: []string{`^use\s+([\w\\]+)`, `\b(?:require|include)(?:_once)?\s*\(?\s*['"]([^'"]+)['"]`}},
	{Name: "C", exts: "c h", Ecosystems: []string{"cpp"}, comment: "//", open: "/*", shut: "*/", quotes: `"'`, bare: cCalls,
		exports: []string{`^[A-Za-z_][\w\s*]*?\b([A-Za-z_]\w*)\s*\([^;]*\)\s*\{`}, imports: []string{`^\s*#\s*include\s*[<"]([^>"]+)[>"]`}},
	{Name: "C++", exts: "cc cpp cxx hh hpp hxx", Ecosystems: []string{"cpp"}, comment: "//", open: "/*", shut: "*/", quotes: `"'`, bare: cCalls,
		exports: []string{`^(?:class|struct|enum(?:\s+class)?|namespace)\s+([A-Za-z_]\w*)`}, imports: []string{`^\s*#\s*include\s*[<"]([^>"]+)[>"]`}},
	{Name: "Swift", exts: "swift", Ecosystems: []string{"swift"}, comment: "//", open: "/*", shut: "*/", quotes: `"`, triple: true,
		exports: []string{`^\s*(?:public|open)\s+(?:final\s+)?(?:class|struct|enum|protocol|func|actor)\s+(\w+)`}, imports: []string{`^import\s+(\w+)`}},
	{Name: "Elixir", exts: "ex exs", Ecosystems: []string{"elixir"}, comment: "#", quotes: `"'`, triple: true, calls: map[string]string{"System.cmd": runs, "Code.eval_string": evaluates, "binary_to_term": deserialise},
		exports: []string{`^\s*defmodule\s+([\w.]+)`, `^\s*def\s+(\w+[?!]?)`}, imports: []string{`^\s*(?:alias|import|use|require)\s+([\w.]+)`}},
	{Name: "Dart", exts: "dart", Ecosystems: []string{"dart"}, comment: "//", open: "/*", shut: "*/", quotes: `"'`, triple: true, calls: map[string]string{"Process.run": runs, "Process.start": runs},
		exports: []string{`^(?:abstract\s+)?(?:class|enum|mixin|extension)\s+([A-Za-z]\w*)`}, imports: []string{`^import\s+'([^']+)'`}},
	{Name: "Lua", exts: "lua", comment: "--", quotes: `"'`, calls: map[string]string{"os.execute": runs, "io.popen": runs}, bare: map[string]string{"loadstring": evaluates}},
	{Name: "Shell", exts: "sh bash zsh", comment: "#", quotes: `"'`},
	{Name: "Haskell", exts: "hs", comment: "--", open: "{-", shut: "-}", quotes: `"`},
	{Name: "Zig", exts: "zig", Ecosystems: []string{"zig"}, comment: "//", quotes: `"'`},
	{Name: "Objective-C", exts: "m mm", comment: "//", open: "/*", shut: "*/", quotes: `"'`},
	{Name: "Perl", exts: "pl pm", comment: "#", quotes: `"'`, bare: map[string]string{"system": runs, "exec": runs}},
	{Name: "R", exts: "r", comment: "#", quotes: `"'`},
	{Name: "SQL", exts: "sql", comment: "--", open: "/*", shut: "*/", quotes: `'`},
	{Name: "CSS", exts: "css scss sass less"},
	{Name: "HTML", exts: "html htm"},
	{Name: "HCL", exts: "tf hcl"},
	{Name: "Nix", exts: "nix", Ecosystems: []string{"nix"}},
	{Name: "Starlark", exts: "bzl bazel", Ecosystems: []string{"bazel"}},
	{Name: "Protocol Buffers", exts: "proto"},
	{Name: "GraphQL", exts: "graphql gql"},
}

var languageByExt = func() map[string]*Language {
	m := map[string]*Language{}
	for _, l := range languages {
		for e := range strings.FieldsSeq(l.exts) {
			m["."+e] = l
		}
	}
	return m
}()

// LanguageOf is the language of a path, or nil.
func LanguageOf(p string) *Language { return languageByExt[strings.ToLower(path.Ext(p))] }

// programs reports whether the survey reads files of the language.
func (l *Language) programs() bool { return l.comment != "" }

// TellsExports reports whether an outline has what files of the language export and import.
func (l *Language) TellsExports() bool { return len(l.exports) > 0 || l.Name == "Go" }

// Share is how much of a language there is.
type Share struct {
	Lang  *Language
	Files int
	Bytes int64
	Lines int
	// First is the path of one of the files: the first in their order.
	First string
}

// Shares counts the source files of a snapshot by language, most bytes first.
func Shares(s *scan.Snapshot) []Share {
	by := map[*Language]*Share{}
	for i := range s.Files {
		f := &s.Files[i]
		l := LanguageOf(f.Path)
		if l == nil || !f.Extractable() {
			continue
		}
		st := by[l]
		if st == nil {
			st = &Share{Lang: l, First: f.Path}
			by[l] = st
		}
		st.Files++
		st.Bytes += f.Size
		st.Lines += f.Lines
	}
	var out []Share
	for _, l := range languages { // not by: a map has no order
		if st := by[l]; st != nil {
			out = append(out, *st)
		}
	}
	slices.SortStableFunc(out, func(a, b Share) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return out
}
