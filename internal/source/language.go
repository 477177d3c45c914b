package source

import (
	"cmp"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/scan"
)

// Language is a programming language, with what the survey knows of it beside the table of all.
type Language struct {
	*language.Language
	traits
	// comments are the signs of comments that end with the line.
	comments [][]byte
}

// traits are what the survey knows of a language.
type traits struct {
	// Ecosystems are the types of projects that are written in it.
	Ecosystems []string
	// declares says that its files state what there is: nothing runs that could be measured.
	declares  bool
	calls     map[string]string
	bareNeeds string            // calls without receiver that start processes count only in files that hold this
	bare      map[string]string // calls without receiver
	words     map[string]string // anywhere in code
	exports   []string          // patterns, group 1 is the name
	imports   []string
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

// script is what JavaScript and its kin have in common.
var script = traits{
	Ecosystems: []string{"node", "deno"},
	calls:      jsCalls, bare: jsBare, bareNeeds: "child_process",
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

var cCalls = map[string]string{
	"system": runs, "popen": runs, "execl": runs, "execlp": runs, "execv": runs, "execvp": runs, "execve": runs,
	"strcpy": rawMemory, "strcat": rawMemory, "sprintf": rawMemory, "gets": rawMemory, "MD5_Init": weakCrypto, "SHA1_Init": weakCrypto,
}

var jvmCalls = map[string]string{"Runtime.getRuntime": runs, "new ProcessBuilder": runs, "ProcessBuilder": runs, "ObjectInputStream": deserialise, "readObject": deserialise}

// traitsOf are the traits of languages by name; others have none.
var traitsOf = map[string]traits{
	"Go": {Ecosystems: []string{"go"}, calls: goCalls,
		words: map[string]string{"InsecureSkipVerify: true": noTLS}},
	"TypeScript": script,
	"JavaScript": script,
	"Vue":        script,
	"Svelte":     script,
	"Python": {Ecosystems: []string{"python"},
		calls: map[string]string{
			"subprocess.run": runs, "subprocess.Popen": runs, "subprocess.call": runs, "subprocess.check_output": runs, "subprocess.check_call": runs,
			"os.system": runs, "os.popen": runs, "os.execv": runs, "os.execvp": runs, "pickle.load": deserialise, "pickle.loads": deserialise,
			"marshal.loads": deserialise, "yaml.load": deserialise, "hashlib.md5": weakCrypto, "hashlib.sha1": weakCrypto, "DES.new": weakCrypto,
		},
		bare:    map[string]string{"eval": evaluates, "exec": evaluates},
		words:   map[string]string{"verify=False": noTLS, "ssl._create_unverified_context": noTLS},
		exports: []string{`^(?:async\s+)?def\s+([A-Za-z][\w]*)`, `^class\s+([A-Za-z]\w*)`, `^([A-Z][A-Z0-9_]+)\s*(?::[^=]+)?=`},
		imports: []string{`^\s*import\s+([\w.]+)`, `^\s*from\s+([\w.]+)\s+import\b`}},
	"Rust": {Ecosystems: []string{"rust"},
		calls:   map[string]string{"Command::new": runs, "mem::transmute": rawMemory, "from_raw_parts": rawMemory, "Md5::new": weakCrypto, "Sha1::new": weakCrypto},
		words:   map[string]string{"unsafe {": rawMemory, "unsafe fn ": rawMemory, "unsafe impl ": rawMemory, "danger_accept_invalid_certs(true)": noTLS},
		exports: []string{`^pub(?:\([^)]*\))?\s+(?:async\s+|const\s+|unsafe\s+)*(?:fn|struct|enum|trait|mod|type|const|static|union)\s+([A-Za-z_]\w*)`},
		imports: []string{`^\s*extern\s+crate\s+(\w+)`}},
	"Java": {Ecosystems: []string{"jvm"}, calls: jvmCalls, bare: jvmCalls,
		exports: []string{`^\s*public\s+(?:static\s+|final\s+|abstract\s+|sealed\s+)*(?:class|interface|enum|record|@interface)\s+(\w+)`},
		imports: []string{`^import\s+(?:static\s+)?([\w.*]+);`}},
	"Kotlin": {Ecosystems: []string{"jvm"}, calls: jvmCalls, bare: jvmCalls,
		exports: []string{`^(?:public\s+|open\s+|abstract\s+|sealed\s+|data\s+|inline\s+|suspend\s+)*(?:class|interface|object|fun|val|typealias)\s+(?:<[^>]*>\s*)?(?:\w+\.)?(\w+)`},
		imports: []string{`^import\s+([\w.*]+)`}},
	"Scala": {Ecosystems: []string{"jvm"}, calls: jvmCalls, bare: jvmCalls,
		exports: []string{`^(?:final\s+|sealed\s+|abstract\s+|case\s+)*(?:class|trait|object)\s+(\w+)`}, imports: []string{`^import\s+([\w.{}, *]+)`}},
	"C#": {Ecosystems: []string{"dotnet"},
		calls:   map[string]string{"Process.Start": runs, "BinaryFormatter": deserialise, "MD5.Create": weakCrypto, "SHA1.Create": weakCrypto},
		exports: []string{`^\s*public\s+(?:static\s+|sealed\s+|abstract\s+|partial\s+|readonly\s+)*(?:class|interface|enum|record|struct)\s+(\w+)`},
		imports: []string{`^\s*(?:global\s+)?using\s+(?:static\s+)?([\w.]+);`}},
	"Ruby": {Ecosystems: []string{"ruby"}, calls: map[string]string{"Marshal.load": deserialise, "YAML.load": deserialise, "Open3.capture3": runs, "Digest::MD5": weakCrypto},
		bare:    map[string]string{"eval": evaluates, "system": runs, "instance_eval": evaluates, "class_eval": evaluates},
		exports: []string{`^\s*(?:class|module)\s+([A-Z][\w:]*)`, `^def\s+(?:self\.)?(\w+[?!]?)`}, imports: []string{`^\s*require(?:_relative)?\s+['"]([^'"]+)['"]`}},
	"PHP": {Ecosystems: []string{"php"},
		bare:    map[string]string{"eval": evaluates, "system": runs, "exec": runs, "shell_exec": runs, "passthru": runs, "proc_open": runs, "popen": runs, "unserialize": deserialise, "md5": weakCrypto, "sha1": weakCrypto},
		exports: []string{`^\s*(?:final\s+|abstract\s+)*(?:class|interface|trait|enum)\s+(\w+)`, `^function\s+(\w+)`}, imports: []string{`^use\s+([\w\\]+)`, `\b(?:require|include)(?:_once)?\s*\(?\s*['"]([^'"]+)['"]`}},
	"C": {Ecosystems: []string{"cpp"}, bare: cCalls,
		exports: []string{`^[A-Za-z_][\w\s*]*?\b([A-Za-z_]\w*)\s*\([^;]*\)\s*\{`}, imports: []string{`^\s*#\s*include\s*[<"]([^>"]+)[>"]`}},
	"C++": {Ecosystems: []string{"cpp"}, bare: cCalls,
		exports: []string{`^(?:class|struct|enum(?:\s+class)?|namespace)\s+([A-Za-z_]\w*)`}, imports: []string{`^\s*#\s*include\s*[<"]([^>"]+)[>"]`}},
	"Swift": {Ecosystems: []string{"swift"},
		exports: []string{`^\s*(?:public|open)\s+(?:final\s+)?(?:class|struct|enum|protocol|func|actor)\s+(\w+)`}, imports: []string{`^import\s+(\w+)`}},
	"Elixir": {Ecosystems: []string{"elixir"}, calls: map[string]string{"System.cmd": runs, "Code.eval_string": evaluates, "binary_to_term": deserialise},
		exports: []string{`^\s*defmodule\s+([\w.]+)`, `^\s*def\s+(\w+[?!]?)`}, imports: []string{`^\s*(?:alias|import|use|require)\s+([\w.]+)`}},
	"Dart": {Ecosystems: []string{"dart"}, calls: map[string]string{"Process.run": runs, "Process.start": runs},
		exports: []string{`^(?:abstract\s+)?(?:class|enum|mixin|extension)\s+([A-Za-z]\w*)`}, imports: []string{`^import\s+'([^']+)'`}},
	"Lua":              {calls: map[string]string{"os.execute": runs, "io.popen": runs}, bare: map[string]string{"loadstring": evaluates}},
	"Zig":              {Ecosystems: []string{"zig"}},
	"Perl":             {bare: map[string]string{"system": runs, "exec": runs}},
	"Nix":              {declares: true, Ecosystems: []string{"nix"}},
	"Starlark":         {Ecosystems: []string{"bazel"}},
	"Astro":            script,
	"GraphQL":          {declares: true},
	"HCL":              {declares: true},
	"Prisma":           {declares: true},
	"Protocol Buffers": {declares: true},
	"Terraform":        {declares: true},
	"Thrift":           {declares: true},
}

// building are languages of files that build: a project is not written in them.
var building = []string{"CMake", "Dockerfile", "Make"}

// languages are those that programs and pages are written in, in the order of the table of all.
var languages, languageOf = func() (list []*Language, of map[*language.Language]*Language) {
	of = map[*language.Language]*Language{}
	for i := range language.All {
		row := &language.All[i]
		if row.Kind != language.Code && row.Kind != language.Markup || row.Name == "Templates" || slices.Contains(building, row.Name) {
			continue
		}
		l := &Language{Language: row, traits: traitsOf[row.Name]}
		for sign := range strings.FieldsSeq(row.Comments) {
			l.comments = append(l.comments, []byte(sign))
		}
		list = append(list, l)
		of[row] = l
	}
	return list, of
}()

// LanguageOf is the language of a path that holds a program or a page; nil where it holds data or prose, or its name says
// nothing.
func LanguageOf(p string) *Language { return languageOf[language.Of(p)] }

// programs reports whether the survey reads files of the language.
func (l *Language) programs() bool { return l.Kind == language.Code && !l.declares }

// scripts reports whether it is JavaScript or one of its kin.
func (l *Language) scripts() bool { return l.Family == "script" }

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

// headersOf is the language of which most files of the snapshot are, of C and those whose headers end in .h too; nil where that is C.
func headersOf(s *scan.Snapshot) (most *Language) {
	files := map[string]int{}
	for i := range s.Files {
		f := &s.Files[i]
		if l := LanguageOf(f.Path); l != nil && f.Extractable() && !strings.HasSuffix(f.Path, ".h") {
			files[l.Name]++
		}
	}
	best := files["C"]
	for _, l := range languages {
		if (l.Name == "C++" || l.Name == "Objective-C") && files[l.Name] > best {
			most, best = l, files[l.Name]
		}
	}
	return most
}

// Shares counts the source files of a snapshot by language, most bytes first. Headers that may be of several are counted as that in
// which most of what is compiled beside them is written.
func Shares(s *scan.Snapshot) []Share {
	by := map[*Language]*Share{}
	headers := headersOf(s)
	for i := range s.Files {
		f := &s.Files[i]
		l := LanguageOf(f.Path)
		if l == nil || !f.Extractable() {
			continue
		}
		if headers != nil && strings.HasSuffix(f.Path, ".h") {
			l = headers
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
