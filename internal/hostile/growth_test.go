//go:build linux

package hostile

import (
	"bufio"
	"crypto/sha1"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// growth is a text that strangers may make as long as they like, and the functions that read it.
type growth struct {
	// readers are functions as TestReadersHaveRows finds them: package.function.
	readers []string
	// set makes about n bytes of it in an empty folder.
	set func(t *testing.T, dir string, n int)
	// args are the program's, env what is in its environment; $DIR is the folder.
	args []string
	env  map[string]string
	// size is n, 1 MB if 0: smaller where a limit comes first, or reading is slow.
	size int
}

// most is what twice the input may take, times what it takes once.
const most = 2.3

// fewSteps are too few to tell from what two runs differ by.
const fewSteps = 200_000

// TestGrowth counts the statements that are run: twice the input takes at most 2.3 times as many. The program
// is built so that it counts them; they are the same on every machine, but for what runs side by side.
func TestGrowth(t *testing.T) {
	if os.Getenv("HAVERSACK_PEERS") == "" && !*long {
		t.Skip("builds the program again: -long, or HAVERSACK_PEERS=1")
	}
	bin := filepath.Join(t.TempDir(), "counted")
	build := exec.CommandContext(t.Context(), "go", "build", "-cover", "-covermode=count", "-coverpkg=github.com/haversack-dev/haversack/...,"+
		"github.com/yuin/goldmark/...,github.com/go-git/gcfg/...,github.com/go-git/go-git/v5/plumbing/format/config", "-o", bin, "github.com/haversack-dev/haversack/cmd/action")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	nothing := map[string]int64{}
	for name, g := range growths() {
		t.Run(name, func(t *testing.T) {
			n := g.size
			if n == 0 {
				n = 1 << 20
			}
			// What a run takes for nothing is no matter of the input: it is nearly the same for all that are called alike,
			// and counted for this one alone where "nearly" would decide.
			call := fmt.Sprint(g.args, g.env)
			none, shared := nothing[call]
			if !shared {
				none = counted(t, bin, g, 0)
				nothing[call] = none
			}
			once, twice := counted(t, bin, g, n), counted(t, bin, g, 2*n)
			if shared && grows(once-none, twice-none) {
				none = counted(t, bin, g, 0)
			}
			once, twice = once-none, twice-none
			t.Logf("%d bytes take %d steps beside %d, twice as many take %.2f times as many", n, once, none, float64(twice)/float64(max(once, 1)))
			if grows(once, twice) {
				t.Errorf("%d bytes take %d steps, twice as many take %d", n, once, twice)
			}
		})
	}
}

// grows reports whether the steps of twice the input are more than they may be.
func grows(once, twice int64) bool {
	return twice > fewSteps && float64(twice) > most*float64(max(once, 1))
}

// counted is how many statements the program runs for n bytes.
func counted(t *testing.T, bin string, g growth, n int) (steps int64) {
	t.Helper()
	dir, counts := t.TempDir(), t.TempDir()
	g.set(t, dir, n)
	cmd := exec.CommandContext(t.Context(), bin, g.args...)
	cmd.Dir = dir
	cmd.Env = []string{"GOCOVERDIR=" + counts, "PATH=" + os.Getenv("PATH"), "HOME=" + counts, "RUNNER_TEMP=" + counts, "GOMAXPROCS=2"}
	for k, v := range g.env {
		cmd.Env = append(cmd.Env, k+"="+strings.ReplaceAll(v, "$DIR", dir))
	}
	said, err := cmd.CombinedOutput()
	if testing.Verbose() {
		t.Logf("%v: %s", err, tail(string(said)))
	}
	profile := filepath.Join(counts, "profile")
	if out, err := exec.CommandContext(t.Context(), "go", "tool", "covdata", "textfmt", "-i="+counts, "-o="+profile).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s; the program said %s", err, out, tail(string(said)))
	}
	f, err := os.Open(profile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		// file:12.3,14.5 STATEMENTS COUNT
		words := strings.Fields(s.Text())
		if len(words) != 3 {
			continue
		}
		statements, err1 := strconv.ParseInt(words[1], 10, 64)
		count, err2 := strconv.ParseInt(words[2], 10, 64)
		if err1 != nil || err2 != nil {
			t.Fatal(s.Text())
		}
		steps += statements * count
	}
	return steps
}

// repeated is a file of about n bytes: a head, lines with a number in each, and an end.
func repeated(name, head, line, end string) func(t *testing.T, dir string, n int) {
	return func(t *testing.T, dir string, n int) {
		var b strings.Builder
		b.WriteString(head)
		for i := 0; b.Len() < n; i++ {
			b.WriteString(strings.ReplaceAll(line, "#", strconv.Itoa(i)))
		}
		b.WriteString(end)
		write(t, dir, name, []byte(b.String()))
	}
}

// growths are the rows, by what is read.
func growths() map[string]growth {
	pack, graph := []string{"--base", "none"}, []string{"graph"}
	packed := func(name, head, line, end string, readers ...string) growth {
		return growth{readers: readers, set: repeated(name, head, line, end), args: pack, size: 256 << 10}
	}
	secrets := func(name, head, line string) growth {
		return growth{readers: []string{"secret.read"}, args: append(slices.Clip(pack), "--pack", "none"), size: 128 << 10, set: repeated(name, head, line, "")}
	}
	graphed := func(name, head, line, end string, readers ...string) growth {
		return growth{readers: readers, set: repeated(name, head, line, end), args: graph, size: 256 << 10}
	}
	defined := func(name, head, line, end string) growth {
		return growth{readers: []string{"declaration.Read"}, set: repeated(name, head, line, end), args: []string{"graph", "--definitions"}, size: 256 << 10}
	}
	outlined := func(name, head, line, end string) growth {
		return growth{readers: []string{"declaration.Read"}, set: repeated(name, head, line, end), args: []string{"outline", name}, size: 128 << 10}
	}
	asked := []string{"--base", "none", "--task", "where does f1 read the words of a#b, and f12.go?"}
	ranked := func(name, head, line, end string) growth {
		return growth{readers: []string{"rank.read"}, set: repeated(name, head, line, end), args: asked, size: 128 << 10}
	}
	// many files of a name each, of which each holds the text.
	many := func(name, text string, args []string, readers ...string) growth {
		return growth{readers: readers, args: args, size: 128 << 10, set: func(t *testing.T, dir string, n int) {
			for i := range n / (len(text) + 1) {
				number := strings.NewReplacer("#+", strconv.Itoa(i+1), "#", strconv.Itoa(i))
				write(t, dir, number.Replace(name), []byte(number.Replace(text)))
			}
		}}
	}
	repository := func(content func(p *packing, n int) [20]byte, more func(t *testing.T, dir string, n int)) func(t *testing.T, dir string, n int) {
		return func(t *testing.T, dir string, n int) {
			var p packing
			p.save(t, dir, content(&p, n))
			if more != nil {
				more(t, dir, n)
			}
		}
	}
	one := func(p *packing, _ int) [20]byte {
		id, _ := p.object(blob, []byte("x\n"))
		root, _ := p.object(treeType, entry("100644", "a.txt", id))
		c, _ := p.object(commit, commitOf(root, 1))
		return c
	}
	byRef := []string{"--ref", "HEAD", "--base", "none", "--pack", "none"}
	return map[string]growth{
		"Go": graphed("a.go", "package a\n", "\nfunc F#(x int) int { return x + F#(x) }\n", "", "graph/golang.parse", "graph/golang.parseTree"),
		"Go by its tree": graphed("a.go", "package a\n\nimport _ \"embed\"\n\n//go:embed a.go\nvar A string\n", "\nfunc F#(x int) int { return x + F#(x) }\n", "",
			"graph/golang.parseTree"),
		"files of Go with constraints": {readers: []string{"graph/golang.conditionOf"}, args: graph, size: 64 << 10, set: func(t *testing.T, dir string, n int) {
			write(t, dir, "go.mod", []byte("module m\n\ngo 1.24\n"))
			for i := range n / 2048 {
				line := fmt.Sprintf("//go:build t%d", i%8)
				for k := 0; len(line) < 2000; k++ {
					line += fmt.Sprintf(" && (t%d || !t%d || linux)", k%8, (k+i)%8)
				}
				write(t, dir, fmt.Sprintf("f%04d.go", i), fmt.Appendf(nil, "%s\n\npackage m\n\nfunc F%d() { F%d() }\n", line, i, i/2))
			}
		}},
		"go.mod":                  packed("go.mod", "module m\n\ngo 1.24\n\nrequire (\n", "\texample.com/m# v1.2.3\n", ")\n", "graph/golang.parseMod", "project.parseGoMod"),
		"go.work":                 packed("go.work", "go 1.24\n", "use ./m#\n", "", "graph/golang.parseWork", "project.parseGoWork"),
		"what C names":            graphed("a.c", "", "#include \"b#.h\"\nint f#(void) { return g#(); }\n", "", "graph/inclusion.readC"),
		"what Shell names":        graphed("a.sh", "", ". ./b#.sh\nD#=$(dirname \"$0\")\n", "", "graph/inclusion.readShell"),
		"what Make names":         graphed("a.mk", "", "include b#.mk\n", "", "graph/inclusion.readMake"),
		"what Docker names":       graphed("Dockerfile", "", "COPY a# \\\n b# /\n", "", "graph/inclusion.readDocker"),
		"what Terraform names":    graphed("a.tf", "", "module \"m#\" {\n  source = \"./m#\"\n}\n", "", "graph/inclusion.readTerraform"),
		"what protobuf names":     graphed("a.proto", "", "import \"b#.proto\";\nmessage M# {}\n", "", "graph/inclusion.readProto"),
		"what GraphQL names":      graphed("a.graphql", "", "#import \"b#.graphql\"\ntype T# { a: Int }\n", "", "graph/inclusion.readGraphQL"),
		"what Lua names":          graphed("a.lua", "", "local a# = require(\"b#\")\n", "", "graph/inclusion.readLua"),
		"what Dart names":         graphed("a.dart", "", "import 'b#.dart';\n", "", "graph/inclusion.readDart"),
		"what Elixir names":       graphed("a.ex", "defmodule A do\n", "  alias B#.{C, D}\n  def f#, do: C.x()\n", "end\n", "graph/inclusion.readElixir"),
		"what SQL names":          graphed("a.sql", "", "\\i b#.sql\nselect * from {{ ref('m#') }};\n", "", "graph/inclusion.readSQL"),
		"what MDX names":          graphed("a.mdx", "", "import X# from './b#'\n", "", "graph/inclusion.readMDX"),
		"what templates name":     graphed("a.html.twig", "", "{% include 'b#.html.twig' %}\n<script src=\"c#.js\"></script>\n", "", "graph/inclusion.readTemplate"),
		"what style sheets names": graphed("a.scss", "", "@use \"b#\";\n.a# { b: c }\n", "", "graph/inclusion.readStyle"),
		"Python":                  graphed("a.py", "", "import b#\n\n\ndef f#(x):\n    return g#(x)\n", "", "graph/python.parse", "graph/python.decode"),
		"TypeScript": graphed("a.ts", "", "import { b# } from './b#'\nexport function f#(x: number) { return b#(x) }\n", "",
			"graph/typescript.Read", "graph/typescript.parseFile", "graph/typescript.decode", "graph/typescript/tsgo.parse", "graph/typescript/tsgo.Parse", "graph/typescript/tsgo.ParseDefining"),
		"Vue":           graphed("a.vue", "<template><p>x</p></template>\n<script setup lang=\"ts\">\n", "import { b# } from './b#'\n", "</script>\n", "graph/typescript.readComponent", "graph/typescript.parseFile"),
		"tsconfig.json": graphed("tsconfig.json", "{\"compilerOptions\":{\"paths\":{\n", "\"p#\":[\"./q#\"],\n", "\"p\":[\"./q\"]}}}\n", "project.parseTSConfig"),
		"package.json":  packed("package.json", "{\"name\":\"m\",\"scripts\":{\"a\":\"b\"},\"dependencies\":{\n", "\"p#\":\"1.2.3\",\n", "\"p\":\"1\"}}\n", "project.parseNPM"),
		"pnpm":          packed("pnpm-workspace.yaml", "packages:\n", "  - p#/*\n", "", "project.parsePNPM"),
		"Deno":          packed("deno.json", "{\"tasks\":{\n", "\"t#\":\"deno run a#.ts\",\n", "\"t\":\"x\"}}\n", "project.parseDeno"),
		"Cargo":         packed("Cargo.toml", "[package]\nname = \"m\"\n\n[dependencies]\n", "p# = \"1.2\"\n", "", "project.parseCargo", "project.decodeTOML"),
		"Maven": packed("pom.xml", "<project><artifactId>m</artifactId><dependencies>\n", "<dependency><groupId>g</groupId><artifactId>a#</artifactId><version>1</version></dependency>\n",
			"</dependencies></project>\n", "project.parsePOM"),
		"Gradle":                   packed("build.gradle", "plugins {\n  id 'java'\n}\ndependencies {\n", "  implementation 'g:a#:1.0'\n", "}\n", "project.parseGradle"),
		"Gradle's settings":        packed("settings.gradle", "rootProject.name = 'm'\n", "include 'p#'\n", "", "project.parseGradleSettings"),
		"Composer":                 packed("composer.json", "{\"name\":\"a/m\",\"require\":{\n", "\"p/p#\":\"^1\",\n", "\"php\":\"8\"}}\n", "project.parseComposer"),
		"Bundler":                  packed("Gemfile", "source 'https://rubygems.org'\n", "gem 'p#', '~> 1'\n", "", "project.parseGemfile"),
		"gemspec":                  packed("m.gemspec", "Gem::Specification.new do |s|\n  s.name = 'm'\n", "  s.add_dependency 'p#', '~> 1'\n", "end\n", "project.parseGemspec"),
		"Pipfile":                  packed("Pipfile", "[packages]\n", "p# = \"*\"\n", "", "project.parsePipfile", "project.decodeTOML"),
		"setup.py":                 packed("setup.py", "from setuptools import setup\n\nsetup(name='m', install_requires=[\n", "    'p#>=1',\n", "])\n", "project.parseSetupPy"),
		"solution":                 packed("m.sln", "Microsoft Visual Studio Solution File\n", "Project(\"{#}\") = \"P#\", \"p#/p.csproj\"\n", "", "project.parseSolution"),
		"Dart":                     packed("pubspec.yaml", "name: m\ndependencies:\n", "  p#: ^1.0.0\n", "", "project.parsePubspec"),
		"MSBuild":                  packed("m.csproj", "<Project Sdk=\"Microsoft.NET.Sdk\"><ItemGroup>\n", "<PackageReference Include=\"P#\" Version=\"1\" />\n", "</ItemGroup></Project>\n", "project.parseMSBuild"),
		"pyproject.toml":           packed("pyproject.toml", "[project]\nname = \"m\"\ndependencies = [\n", "  \"p#>=1\",\n", "]\n", "project.parsePyproject", "project.decodeTOML"),
		"requirements.txt":         packed("requirements.txt", "", "p#==1.2\n", "", "project.parseRequirements"),
		"setup.cfg":                packed("setup.cfg", "[metadata]\nname = m\n[options]\ninstall_requires =\n", "    p#\n", "", "project.parseSetupCfg"),
		"Dockerfile":               packed("Dockerfile", "FROM scratch\n", "RUN make t#\n", "", "project.readDockerfile"),
		"Makefile":                 packed("Makefile", "", "t#: u#\n\tgo run ./t#\n", "", "project.readMakefile"),
		"a workflow":               packed(".github/workflows/a.yml", "on: push\njobs:\n", "  j#:\n    runs-on: x\n    steps:\n      - run: make t#\n", "", "project.readWorkflow"),
		"README.md":                packed("README.md", "# m\n\n", "Words [a#](b#) and *more* `x`.\n\n- item #\n\n", "", "project.readmeOf", "project.parseMarkdown"),
		"emphasis":                 packed("README.md", "# m\n\n", "*a **b _c# ", "\n", "project.parseMarkdown"),
		"brackets":                 packed("README.md", "# m\n\n", "[a# ![b", "\n", "project.parseMarkdown"),
		"quotes in quotes":         packed("README.md", "# m\n\n", "> - ", "x\n", "project.parseMarkdown"),
		"Java":                     defined("A.java", "class A {\n", "  /** Does. */\n  public int f#(int x) { return f#(x); }\n", "}\n"),
		"Ruby":                     defined("a.rb", "class A\n", "  def f#(x)\n    f#(x)\n  end\n", "end\n"),
		"C":                        defined("a.c", "", "static int f#(int x)\n{\n\treturn f#(x);\n}\n", ""),
		"C++":                      defined("a.cpp", "namespace n {\n", "template <typename T> class C# : public B<C#<T>> {\n  T f(T x) const { return g(x); }\n};\n", "}\n"),
		"C++ that opens":           defined("a.cpp", "", "namespace n# { template <class T, class = void> struct S { ", ""),
		"C#":                       defined("A.cs", "namespace N {\n", "[A(1)]\npublic class C# : B<int> {\n  public int P { get; set; } = 1;\n  public Task<int> F(int x) => G(x);\n}\n", "}\n"),
		"Kotlin":                   defined("a.kt", "package a\n", "/** Does. */\nfun <T> T.f#(x: Int = 1, y: (Int) -> Unit): List<T> where T : Any = g(x)\nval v# by lazy { \"$x ${y}\" }\n", ""),
		"Kotlin's strings":         defined("a.kt", "", "val v# = \"${\"${", ""),
		"Swift":                    defined("a.swift", "", "public extension A {\n  func f#<T>(_ x: T...) async throws -> [T] where T: P { g(x) }\n}\n", ""),
		"Scala":                    defined("A.scala", "package a\n", "object O# extends A with B {\n  def f[T <: A](x: T)(implicit y: Int): T = { g(x) }\n}\n", ""),
		"PHP":                      defined("a.php", "<?php\nnamespace A;\n", "final class C# extends B {\n  public function f(int $x = 1): ?int { return $this->g($x); }\n}\n", ""),
		"Rust":                     defined("a.rs", "", "impl<'a, T: Clone> A# for B<'a, T> {\n    pub fn f(&self, x: u8) -> Option<T> where T: C { g!(x) }\n}\n", ""),
		"Dart that defines":        defined("a.dart", "", "class C# extends B with D {\n  final int x;\n  C#({required this.x});\n  Future<int> f() async => g();\n}\n", ""),
		"Elixir":                   defined("a.ex", "defmodule A do\n", "  @doc \"Does.\"\n  def f#(x) when is_map(x), do: g(x)\n  defmacro m#(x) do\n    x\n  end\n", "end\n"),
		"Haskell":                  defined("A.hs", "module A where\n", "f# :: Int -> Int\nf# x = g x where\n  g = id\ndata D# = A# | B# { c# :: Int }\n", ""),
		"Lua":                      defined("a.lua", "local M = {}\n", "function M.f#(x)\n  return function() return g(x) end\nend\n", "return M\n"),
		"Zig":                      defined("a.zig", "", "pub fn f#(x: u8) !u8 {\n    return g(x);\n}\nconst C# = struct { a: u8 };\n", ""),
		"Objective-C":              defined("a.m", "", "@implementation A#\n- (void)f:(int)x with:(NSString *)y { [self g:x]; }\n@end\n", ""),
		"JavaScript":               defined("a.js", "", "export const f# = async ({ a, b = 1 }, ...c) => { return g(a) }\nclass C# extends B { #p = 1; static m() {} }\n", ""),
		"Perl":                     defined("A.pm", "package A;\n", "sub f# { my ($x) = @_; return g($x =~ m/a{1}/); }\n", "1;\n"),
		"Shell":                    defined("a.sh", "", "f#() {\n  case $1 in a) g \"${x:-$(y)}\" ;; esac\n}\n", ""),
		"SQL":                      defined("a.sql", "", "CREATE OR REPLACE FUNCTION f#(x int) RETURNS int AS $$ BEGIN RETURN g(x); END; $$ LANGUAGE plpgsql;\n", ""),
		"Prisma":                   defined("schema.prisma", "", "model M# {\n  id Int @id\n  b B @relation(fields: [id])\n}\n", ""),
		"braces that open":         defined("A.java", "", "class A# { void f() { if (x) { ", ""),
		"C's brackets":             defined("a.c", "", "int f#(int (*g)(int, (", ""),
		"an outline":               outlined("A.java", "class A {\n", "  /** Does. */\n  public int f#(int x) { return f#(x); }\n", "}\n"),
		"an outline of C++":        outlined("a.cpp", "", "/// Does.\nstruct S# { int a = g<int>(1); operator int() const; };\n", ""),
		"an outline of Rust":       outlined("a.rs", "", "/// Does.\n#[a]\npub struct S# { a: u8 }\n", ""),
		"an outline of Markdown":   outlined("a.md", "", "# Part #\n\nWords.\n\n## Under #\n", ""),
		"a task and Java":          ranked("A.java", "class A {\n", "  /** Reads the words. */\n  public int f#(int x) { return f#(x); }\n", "}\n"),
		"a task and Python":        ranked("a.py", "", "def f#(x):\n    \"\"\"Reads the words.\"\"\"\n    return g#(x)\n\n\n", ""),
		"a task and Markdown":      ranked("a.md", "# m\n\n", "## f#\n\nReads the [words](a#b.md) of `f#.go`.\n\n", ""),
		"a task and files":         many("d/f#.go", "package d\n\n// F# reads the words of f#+.go.\nfunc F#(x int) int { return F#+(x) }\n", asked, "rank.read"),
		"a task and links":         many("d/f#.md", "# Part #\n\nSee [the next](f#+.md), and `d/f#+.md`, which reads words.\n", asked, "rank.read"),
		"a task and folders":       many("d#/index.ts", "import { f } from '../d#+/index'\nexport function f#() { return f() }\n", asked, "rank.read"),
		"routes of Rails":          packed("config/routes.rb", "Rails.application.routes.draw do\n", "  resources :r# do\n    get :a, on: :member, to: 'c#x'\n  end\n", "end\n"),
		"routes of Express":        packed("app.js", "const app = require('express')()\n", "app.get('/r#/:id', (req, res) => res.send('x'))\n", ""),
		"heredocs without an end":  packed("a.rb", "app = Sinatra.new\n", "get '/r#', <<~A#, <<-B\nB\n", ""),
		"modules of tests of Rust": packed("src/a.rs", "fn f() {}\n", "#[cfg(test)]\nmod t# {\n    fn g() { get(\"/r#\") }\n}\n\n", "fn h() {}\n"),
		"routes of Fastify":        packed("app.js", "const router = new Router({ prefix: '/v1' })\n", "app.register(require('./b#'), { prefix: '/p#' })\nfastify.get(\n  '/r#', x)\nserver.route({ method: 'GET',\nexport async function f#(app#) {\nrouter.register(AutoLoad, { dir: join(__dirname, 'd#\n", ""),
		"routes of Django":         packed("urls.py", "from django.urls import path\nurlpatterns = [\n", "    path('r#/<int:id>/', views.v#, name='n#'),\n", "]\n"),
		"routes of Phoenix":        packed("lib/a_web/router.ex", "defmodule AWeb.Router do\n  use AWeb, :router\n", "  scope \"/s#\" do\n    get \"/r#\", C, :i\n  end\n", "end\n"),
		"routes of Spring":         packed("src/main/java/A.java", "@RestController\nclass A {\n", "  @GetMapping(\"/r#/{id}\")\n  String f#() { return null; }\n", "}\n"),
		"routes of Flask":          packed("app.py", "app = Flask(__name__)\n", "@app.route('/r#', methods=['GET'])\ndef f#():\n    return os.environ['V#']\n\n\n", ""),
		"scopes of Phoenix":        packed("lib/a_web/router.ex", "defmodule AWeb.Router do\n  use AWeb, :router\n", "  scope \"/s#\" do\n", ""),
		"namespaces of Rails":      packed("config/routes.rb", "Rails.application.routes.draw do\n", "  namespace :n# do\n", ""),
		"values of Helm":           packed("chart/values.yaml", "", "# What it is.\nk#:\n  a: 1\n  b: [x, y]\n", ""),
		"settings":                 packed("src/main/resources/application.yml", "", "k#:\n  a: ${V#:x}\n", ""),
		"an environment":           packed(".env.example", "", "# What it is.\nV#=x\n", ""),
		"a table of Markdown":      packed("README.md", "# m\n\n| Variable | Meaning |\n|---|---|\n", "| `V#` | What it is. |\n", ""),
		"variables of Terraform":   packed("variables.tf", "", "variable \"v#\" {\n  type = object({ a = string })\n  description = \"What it is.\"\n}\n", ""),
		"services":                 packed("docker-compose.yml", "services:\n", "  s#:\n    image: x\n    environment:\n      - V#=1\n    depends_on: [s0]\n", ""),
		"tasks":                    packed("Taskfile.yml", "version: '3'\ntasks:\n", "  t#:\n    desc: Does.\n    cmds: [go build]\n", ""),
		"recipes":                  packed("justfile", "", "# Does.\nr#: r0\n    go build\n", ""),
		"tables of a database":     packed("db/schema.rb", "ActiveRecord::Schema.define do\n", "  create_table \"t#\" do |t|\n    t.string \"a\"\n  end\n", "end\n"),
		"packages of many":         many("p#/package.json", "{\"name\":\"p#\",\"scripts\":{\"a\":\"b\"},\"dependencies\":{\"p#+\":\"*\"}}\n", pack, "project.parseNPM"),
		"READMEs of many":          many("p#/README.md", "# p#\n\nReads words; see [p#+](../p#+/README.md).\n", pack, "project.readmeOf"),
		"a notebook": packed("a.ipynb", `{"cells":[`, `{"cell_type":"code","metadata":{},"outputs":[{"data":{"text/plain":["#"]},"output_type":"display_data"}],"source":["f(#)\n"]},`,
			`{"cell_type":"markdown","metadata":{},"source":["x"]}],"metadata":{},"nbformat":4,"nbformat_minor":5}`, "source.Readable", "snapshot.ReadableText"),
		"a notebook's definitions": {readers: []string{"graph/python.read"}, args: []string{"graph", "--definitions"}, size: 128 << 10, set: repeated("a.ipynb", `{"cells":[`,
			`{"cell_type":"code","source":["def f#(x):\n","    return f#(x)\n"]},`, `{"cell_type":"markdown","source":["x"]}],"metadata":{},"nbformat":4}`)},
		"thanks to sponsors": packed("README.md", "Sponsored by\n", "<a href=\"#\"><img src=\"#\"></a> ", "\n# m\n"),
		"rebar3":             packed("rebar.config", "{erl_opts, []}.\n", "{alias#, [\n  {check, [xref]},\n", "]}.\n"),
		"a long licence":     packed("a.java", "/* Copyright, licensed\n", " * # warranties\n", " */\nclass A {}\n"),
		// Longer, it is more than one part, whose lines are counted to cut it: a step, of one more pass.
		"variables":              {args: pack, readers: []string{"source.readersOf"}, size: 64 << 10, set: repeated("a.go", "package a\n", "func f#(k string) string { return os.Getenv(k) }\n\nvar v# = f#(\"A_#\")\n", "")},
		"base64":                 {args: pack, readers: []string{"source.Readable"}, size: 128 << 10, set: repeated("a.md", "# m\n\n", "![i](data:image/png;base64,"+strings.Repeat("iVBORw0KGgoAAAANSUhEUgAA#", 12)+")\n", "")},
		"manifests of Kustomize": packed("kustomization.yaml", "kind: Kustomization\nsecretGenerator:\n", "- name: s#\n  files: [f#]\n", ""),
		"an allow file": {readers: []string{"secret.ParseAllow", "secret.parseAcceptance"}, args: pack, size: 15 << 10, set: func(t *testing.T, dir string, n int) {
			for i := range 50 {
				write(t, dir, fmt.Sprintf("%s%d.yaml", strings.Repeat("a", 100), i), fmt.Appendf(nil, "password: x9Kq%05dLm3vT7zR\n", i))
			}
			repeated(".haversackallow", "", "password-assignment *a*a*a*a*a*a*a*a*a*a*a*a*a*b# made up\n", "")(t, dir, n)
		}},
		"a file of defaults": {readers: []string{"job.ParseDefaults"}, args: pack, size: 30 << 10, set: repeated(".github/haversack.yml", "include:\n", "- made/f#.txt\n", "")},
		"an ignore file":     {readers: []string{"scan.parseIgnore", "scan.parseIgnoreRule"}, args: pack, size: 256 << 10, set: repeated(".gitignore", "", "*.x#\na#/b\n/c#/**\n", "")},
		"globs to be tried":  {readers: []string{"scan.parseIgnoreRule"}, args: pack, size: 7 << 10, set: repeated(".gitignore", "", "*a*b*c*#\n", "")},
		"a state":            {readers: []string{"graph.ParseState", "graph.ParseEntry"}, args: []string{"--mode", "context", "--base", "none", "--pack", "none"}, size: 128 << 10, set: repeated(".stan/context/dependency.state.json", `{"v":2,"i":[`, `["f#.ts",#],`, `"a"]}`)},
		"a snapshot":         {readers: []string{"snapshot.parseSaved"}, args: []string{"--base", "saved", "--pack", "none"}, set: repeated(".stan/diff/.archive.snapshot.json", "{", `"f#":"`+strings.Repeat("a", 64)+`",`, `"z":"`+strings.Repeat("a", 64)+`"}`)},
		"a record":           {readers: []string{"record.Decode"}, args: []string{"comment", "--record", "record.json"}, set: repeated("record.json", `{"mode":"full","files":[`, `{"path":"f#","included":true,"size_bytes":#},`, `{"path":"z","included":true,"size_bytes":1}]}`)},
		"a full pack":        {readers: []string{"pack.ReadFull", "pack.read", "pack.readPack"}, args: []string{"pack", "show", "pack.json"}, set: repeated("pack.json", `{"type":"full","x":[`, `{"path":"f#"},`, `{}]}`)},
		"a summary pack":     {readers: []string{"pack.ReadSummary", "pack.readPack"}, args: []string{"pack", "show", "pack.json"}, set: repeated("pack.json", `{"type":"summary","x":[`, `{"path":"f#"},`, `{}]}`)},
		"an event":           {readers: []string{"diff.ParseEvent"}, args: []string{"--pack", "none"}, env: map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": "$DIR", "GITHUB_EVENT_NAME": "push", "GITHUB_EVENT_PATH": "$DIR/event.json"}, set: repeated("event.json", `{"commits":[`, `{"id":"#","added":["f#"]},`, `{}]}`)},
		"UTF-16":             {readers: []string{"text.Decode"}, args: pack, size: 256 << 10, set: repeated("a.txt", "\xff\xfe", "w\x00o\x00r\x00d\x00 \x00#\x00\n\x00", "")},
		"values in the open": {readers: []string{"secret.read", "secret/value.Decoded", "secret/value.DecodedIn"}, args: append(pack, "--pack", "none"), size: 128 << 10, set: repeated("a.yaml", "", "k#: {password: x9Kq#Lm3vT7zR, url: 'https://u:p#x@h/%41'}\n", "")},
		"commands in lists": {readers: []string{"secret.read"}, args: append(pack, "--pack", "none"), size: 128 << 10, set: repeated("a.py", "",
			"run([\"mysql\", \"curl\", \"docker\", \"login\", \"-u\", \"n#\", \"redis-cli\"])\necho a # b | sudo -S --stdin kinit x\ndef token(): get(\"password\", token(password(set(\n", "")},
		"tables and their rows":  secrets("a.sql", "", "CREATE TABLE t# (id int, password text, token text);\nINSERT INTO t# VALUES (#,'x#','y'),(\nINSERT INTO t# (a, password) VALUES (CREATE TABLE (\n"),
		"modules of logins":      secrets("a.conf", "", "LoginModule required user_a#=\"x#\" user_b=\"y\" user_\nLoginModule "),
		"users and -p":           secrets("a.sh", "", "x -u n# -p p# login -p -p -U -p "),
		"files of accounts":      secrets("dovecot/users", "", "u#:p#QxLm9T:1:1::/h\na#:\n"),
		"settings of secrets":    secrets("ops/secrets.yml", "", "n#: plain-words-of-a-name\nother: \nlast#: a longer line of plain words that is no value\nsame: qT8xLm2Vb9ZkR4wPsY7\n"),
		"positions":              secrets("a.go", "type t# struct { user, password string }\nfunc login(user, password string) {}\n", "\t{\"a#\", \"b#\", {\"c\nvar a = []t{{\"x\", \"y#\"}}\nlogin(\"u\", login(\"v\", token(secret string, user string, password string\n"),
		"keys of signers":        secrets("a.js", "", "hmac(hmac(createHmac(\"a#\", jwt.sign({a: \"b\"}, \"x#\", hmac(\"\nencode(a, \"b#\", HS256, encode({HS256 (HS512\n"),
		"counted passwords":      secrets("auth/svn.simple/a", "", "K 8\npassword\nV 9999\nx#\nK 8\npassword\nV 3\n"),
		"macros of TeX":          secrets("a.tex", "", "\\newcommand{\\password}{x# \\def\\password{y \\password{{"),
		"a board's markup":       secrets("a.txt", "", "password: [b][/b][code][tt]x# [b]Password: [/b] [code][i][u]\n"),
		"credentials made":       secrets("a.java", "", "new UserPasswordCredentials(\"a#\", \"b\", new UserPasswordCredentials(\"c\", Secret.of(\"d\") \"e\", "),
		"defaults of look-ups":   secrets("a.rb", "", "password = ENV.fetch('a#', 'b', 'c', 'd', password = env('e', 'f'), s['password']['a']['b']['c']['d'] "),
		"defaults of attributes": secrets("a.rs", "", "#[arg(\n  long,\n  default_value = \"x#\",\npassword: String, token: String, secret: String,\n"),
		"words on a line":        secrets("a.sh", "", "put /a/password is a to as M# > /run/secret unlock unseal issecret=true]sensitive: true SecureString qT8xLm2Vb9ZkR4wPsY7& to password password\n"),
		"logins that are sent":   secrets("a.txt", "", "a LOGIN b# c\nWIFI:P:x;S:y#;WIFI:T: USER a USING b USING c \"token \" + \"token \" + hmac-sha256:a:hmac-sha256:b userid=a/b.OPEN \"a\", \"b\"\nPASS x#\n"),
		"users of sections":      secrets("a.ini", "", "[users]\na# = b#\n[admins]\nx = y\nz\n[users]\n"),
		"forms and commands":     secrets("a.txt", "", "form-data; name=\"password\"\n\nx# form-data; name=\"\nlogin a / b / c / user pass x# pass PASSWORD(x PASSWORD(\n 01 PASSWORD value 'x# value '\n"),
		"a commit": {readers: []string{"repo.decodeCommit"}, args: byRef, set: repository(func(p *packing, n int) [20]byte {
			id, _ := p.object(blob, []byte("x\n"))
			root, _ := p.object(treeType, entry("100644", "a.txt", id))
			head, rest, _ := strings.Cut(string(commitOf(root, 1)), "\n\n")
			c, _ := p.object(commit, []byte(head+"\ngpgsig x\n"+strings.Repeat(" x\n", n/3)+"\n"+rest))
			return c
		}, nil)},
		"a folder": {readers: []string{"repo.decodeTree"}, args: byRef, size: 256 << 10, set: repository(func(p *packing, n int) [20]byte {
			id, _ := p.object(blob, []byte("x\n"))
			var b []byte
			for i := range n / 34 {
				b = append(b, entry("100644", fmt.Sprintf("f%05d", i), id)...)
			}
			root, _ := p.object(treeType, b)
			c, _ := p.object(commit, commitOf(root, 1))
			return c
		}, nil)},
		"an index": {readers: []string{"repo.decodeIndex"}, args: []string{"--base", "none", "--pack", "none"}, size: 256 << 10, set: repository(one, func(t *testing.T, dir string, n int) {
			b := indexHead(2, uint32(n/80))
			for i := range n / 80 {
				e := append(indexEntry(9), fmt.Sprintf("d/f%06d", i)...)
				b = append(b, append(e, make([]byte, 8-len(e)%8)...)...)
			}
			sum := sha1.Sum(b)
			write(t, dir, ".git/index", append(b, sum[:]...))
		})},
		"git's configuration": {readers: []string{"repo.parseConfig"}, args: byRef, size: 256 << 10, set: repository(one, func(t *testing.T, dir string, n int) {
			repeated(".git/config", "[core]\n", "[branch \"b#\"]\n\tremote = origin\n\tmerge = refs/heads/b#\n", "")(t, dir, n)
		})},
		"attributes": {readers: []string{"repo.parseAttributes", "repo.parseSettings", "repo.decoded"}, args: pack, size: 256 << 10, set: repository(one, func(t *testing.T, dir string, n int) {
			repeated(".git/info/attributes", "", "*.x# text eol=lf\nd#/** -text\n", "")(t, dir, n)
			write(t, dir, "a.txt", []byte("x\r\n"))
		})},
	}
}

// aside are readers without a row of their own, and why.
var aside = map[string]string{
	"client.parse":                  "a client's file of whoever starts the program, by a library that reads it once",
	"snapshot.parseRevision":        "a word of the command line",
	"archive.Read":                  "a tar is read as a stream, a member at a time; the class archive attacks it",
	"archive.ReadUpTo":              "the same",
	"graph.ParseMap":                "what the program itself wrote",
	"graph.ParseMeta":               "what the program itself wrote",
	"graph.readSource":              "fills a buffer from a file",
	"graph/typescript.decodeRecord": "a record of the program's own cache, with a sum",
	"object.parseMount":             "a line that the user gives as an input",
	"object.ParseEvent":             "one line of bounded size, by encoding/json",
	"object.Decode":                 "one object of a store, of bounded size, by encoding/json",
	"object.ParseSessionID":         "a word of the command line",
	"object/store.decode":           "an answer within its limit, by encoding/json",
	"rank.readFrame":                "a line of at most 1,000 bytes of a task of at most 60 KB",
	"action.parseFleet":             "a list that whoever started the program names, at most 4 MiB, a line at a time",
	"action.parseShare":             "a flag of the command line",
	"action.readShard":              "an index of a shard, at most 32 MiB, decoded by the standard library",
	"registry.ParseAddress":         "a word of the command line",
	"registry.parse":                "a manifest within its limit, by encoding/json",
	"repo.decodeTag":                "the first line of a tag",
	"repo.parseEntry":               "the head of an object, at most 32 bytes",
	"secret.readDerivations":        "a text that the program holds",
	"secret.readSet":                "the same",
	"tree.readUpTo":                 "fills a buffer from a file",
	"tree.ReadInto":                 "fills a buffer from a file",
}

// reads is how functions are called that read what others wrote.
var reads = regexp.MustCompile(`^([Pp]arse|[Dd]ecode|[Rr]ead)`)

// TestReadersHaveRows lists the functions of the program that read a text, by their names and what they take. Each has
// a row in growths, or a reason why it needs none.
func TestReadersHaveRows(t *testing.T) {
	rows := map[string]bool{}
	for _, g := range growths() {
		for _, r := range g.readers {
			rows[r] = true
		}
	}
	found := map[string]bool{}
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		dir := filepath.ToSlash(filepath.Dir(name))
		switch {
		case err != nil:
			return err
		case !strings.HasSuffix(name, ".go"), strings.HasSuffix(name, "_test.go"), regexp.MustCompile(`test$|peer$|/(fit|train|provided|vocabulary|letters|testdata|hostile)(/|$)`).MatchString(dir):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && takesText(fn) {
				found[strings.TrimPrefix(dir, "../")+"."+fn.Name.Name] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for r := range found {
		if !rows[r] && aside[r] == "" {
			t.Errorf("%s reads what others wrote, and has no row in growths", r)
		}
	}
	for r := range rows {
		if !found[r] && reads.MatchString(r[strings.LastIndexByte(r, '.')+1:]) {
			t.Errorf("%s has a row, and is no reader", r)
		}
	}
	for r := range aside {
		if !found[r] || rows[r] {
			t.Errorf("%s stands aside, and is no reader or has a row", r)
		}
	}
	if len(found) < 40 {
		t.Errorf("only %d readers were found", len(found))
	}
}

// takesText reports whether a function is called like a reader and is given bytes, or something to read from.
func takesText(fn *ast.FuncDecl) bool {
	if !reads.MatchString(fn.Name.Name) || slices.Contains([]string{"Read", "ReadAt"}, fn.Name.Name) && fn.Recv != nil {
		return false
	}
	for _, p := range fn.Type.Params.List {
		switch x := p.Type.(type) {
		case *ast.ArrayType:
			if id, ok := x.Elt.(*ast.Ident); ok && id.Name == "byte" && x.Len == nil {
				return true
			}
		case *ast.SelectorExpr:
			if x.Sel.Name == "Reader" {
				return true
			}
		case *ast.Ident:
			if x.Name == "string" && slices.ContainsFunc(p.Names, func(n *ast.Ident) bool { return slices.Contains([]string{"text", "s", "line", "words"}, n.Name) }) {
				return true
			}
		}
	}
	return false
}
