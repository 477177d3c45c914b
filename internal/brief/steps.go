package brief

import (
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// maxSteps bounds the lines that a manifest gives a document, maxRead those of which they are chosen.
const (
	maxSteps = 60
	maxRead  = 2000
)

// steps returns the lines of a manifest that say how the program is built, run and tested, by number from 1: scripts of
// package.json, targets of a Makefile with the first lines of their recipes, what a workflow runs, the sections of a TOML
// file that name commands, the instructions of a Dockerfile. Of what it does not know it returns the first lines.
func steps(name string, lines []string) []int {
	base := strings.ToLower(path.Base(name))
	var list []int
	switch read := stepsOf[base]; {
	case read != nil:
		list = read(lines)
	case phrasedBy(name) != "":
		list = phrasings[phrasedBy(name)].told(lines)
	case base == "package.json" || base == "composer.json" || base == "deno.json" || base == "deno.jsonc" || base == "elm.json":
		list = jsonSteps(lines)
	case strings.HasSuffix(base, "makefile") || base == "makefile.am" || isIncluded(name):
		list = recipes(lines, "    ", func(line string) bool { return target(line) || listed(line) })
	case base == "justfile":
		list = recipes(lines, "  ", recipe)
	case path.Dir(name) == ".github/workflows" || strings.HasPrefix(base, "taskfile") || strings.HasPrefix(base, "action."):
		list = runs(lines, commandKeys)
	case isPipeline(name):
		list = runs(lines, pipelineKeys)
	case strings.HasSuffix(base, ".toml") || base == "setup.cfg" || base == "tox.ini" || base == "pipfile":
		list = settings(lines)
	case language.IsDockerfile(name):
		list = instructions(lines)
	case composed[base]:
		list = services(lines)
	case base == "pom.xml" || projectExtensions[strings.TrimPrefix(path.Ext(base), ".")]:
		list = elements(lines)
	case strings.Contains(base, ".gradle"):
		list = gradle(lines)
	case strings.HasPrefix(base, "configure."):
		list = options(lines)
	default:
		list = firstWords(lines)
	}
	return list[:min(len(list), maxRead)]
}

// stepsOf are those that read manifests of one name each.
var stepsOf = map[string]func(lines []string) []int{
	"rakefile": tasks, "cmakelists.txt": calls, "androidmanifest.xml": components, "go.mod": directives, "gemfile": gems, "mix.exs": mixes,
	"package.swift": swiftParts, "build.sbt": sbtParts, ".pre-commit-config.yaml": hooks, ".pre-commit-config.yml": hooks,
}

// sbtParts are the lines of a build of sbt that name its commands, its versions of Scala, its main class and its projects; without any
// its first lines.
func sbtParts(lines []string) (list []int) {
	for n, line := range lines {
		if sbtPart.MatchString(line) {
			list = append(list, n+1)
		}
	}
	if len(list) == 0 {
		return firstWords(lines)
	}
	return list
}

// sbtPart is such a line; what is set within a project is set in by its depth.
var sbtPart = lazyregexp.New(`^(?:(?:ThisBuild / )?(?:name|scalaVersion|crossScalaVersions|mainClass)\b|(?:lazy )?val (?i:scala)[a-zA-Z_]*\d\w* *[:=]|addCommandAlias\(|lazy val \w+ *(?::[^=]*)?=.*(?:[pP]roject|[mM]odule)\b)`)

// swiftParts are the lines of a package of Swift that name what it makes, what of, and what it is tested by.
func swiftParts(lines []string) (list []int) {
	for n, line := range lines {
		line = strings.TrimSpace(line)
		call, _, called := strings.Cut(strings.TrimPrefix(line, "."), "(")
		if strings.HasPrefix(line, "name:") || called && swiftCalls[call] {
			list = append(list, n+1)
		}
	}
	return list
}

// swiftCalls make the parts of a package of Swift.
var swiftCalls = language.WordSet("package library executable plugin target executableTarget testTarget macro binaryTarget systemLibrary")

// projectExtensions are those of projects and solutions of .NET.
var projectExtensions = language.WordSet("csproj fsproj vbproj sln slnx")

// isSolution reports whether a manifest is a solution of .NET.
func isSolution(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".sln" || ext == ".slnx"
}

// solutionFolder begins the line of a solution for what holds its projects, and is none: "tests" = "tests".
const solutionFolder = `project("{2150e333-8fdc-42a3-9474-1a3956d46de8}")`

// projectElements are the elements, and the words of a solution, that say what Maven and MSBuild build, with what, and where it begins.
var projectElements = language.WordSet("artifactid packaging module mainclass start-class java.version release maven.compiler.release maven.compiler.source maven.compiler.target kotlin.version scala.version description" +
	" project targetframework targetframeworks outputtype assemblyname toolcommandname packagereference projectreference")

// projectAsides are elements of which none is told that stands in them: how Maven's plugins are set up, and what is left out.
var projectAsides = language.WordSet("plugins exclusions reporting")

// elements are the lines that begin with such an element, but the root of what tells nothing in it; comments are none.
func elements(lines []string) (list []int) {
	comment, aside := false, 0
	for n, line := range lines {
		bare := strings.ToLower(strings.TrimSpace(line))
		comment = comment || strings.HasPrefix(bare, "<!--")
		word := strings.TrimPrefix(bare, "<")
		if i := strings.IndexAny(word, " >(/"); i >= 0 {
			word = word[:i]
		}
		switch {
		case comment || bare == "<project>" || strings.HasPrefix(bare, "<project xmlns") || strings.HasPrefix(bare, solutionFolder):
		case projectAsides[word]:
			aside++
		case projectAsides[strings.TrimSuffix(strings.TrimPrefix(bare, "</"), ">")]:
			aside = max(0, aside-1)
		case projectElements[word] && (aside == 0 || word == "mainclass"):
			list = append(list, n+1)
		}
		comment = comment && !strings.Contains(bare, "-->")
	}
	return list
}

// gradleBlocks are the blocks of a script of Gradle that are told whole, gradleWords the words that a line of another begins with.
var (
	gradleBlocks = language.WordSet("plugins dependencies application")
	gradleWords  = language.WordSet("include rootproject.name apply task tasks.register mainclass mainclass.set mainclassname group languageversion sourcecompatibility jvmtoolchain" +
		" namespace applicationid minsdk minsdkversion targetsdk targetsdkversion compilesdk compilesdkversion testinstrumentationrunner")
)

// gradle are the lines of a script of Gradle that say what is built with what, by which tasks, and where it begins.
func gradle(lines []string) (list []int) {
	depth, within := 0, false
	for n, line := range lines {
		bare := strings.TrimSpace(line)
		word := strings.ToLower(bare)
		if i := strings.IndexAny(word, " ({=:"); i >= 0 {
			word = word[:i]
		}
		if depth == 0 {
			within = gradleBlocks[word]
		}
		said := bare != "" && bare != "}" && !strings.HasPrefix(bare, "//") && !strings.HasPrefix(bare, "*") && !strings.HasPrefix(bare, "/*")
		if said && (within && !strings.HasSuffix(bare, "apply false") || gradleWords[word]) { // a version for others is none of its own
			list = append(list, n+1)
		}
		depth = max(0, depth+strings.Count(line, "{")-strings.Count(line, "}"))
	}
	return list
}

// cmakeCalls are the commands of CMake that say what is built, tested and needed.
var cmakeCalls = language.WordSet("project add_executable add_library add_test enable_testing option find_package add_subdirectory target_link_libraries cmake_minimum_required add_custom_target fetchcontent_declare")

// calls are the lines of a script of CMake that begin such a command.
func calls(lines []string) (list []int) {
	for n, line := range lines {
		name, _, ok := strings.Cut(strings.TrimSpace(line), "(")
		if ok && cmakeCalls[strings.ToLower(strings.TrimSpace(name))] {
			list = append(list, n+1)
		}
	}
	return list
}

// androidComponents are the elements of a manifest of Android that something else starts, and the application that they are of.
var androidComponents = language.WordSet("application activity activity-alias service receiver provider")

// launcher is what stands in the component that the launcher of Android starts.
const launcher = `.category.LAUNCHER"`

// launched reports whether a line of a manifest of Android is of the component that the launcher starts.
func launched(lines []string, line int) bool {
	for n := line - 1; n < len(lines); n++ {
		bare := strings.TrimSpace(lines[n])
		word, _, _ := strings.Cut(strings.TrimPrefix(bare, "<"), " ")
		if n > line-1 && androidComponents[word] && bare[0] == '<' {
			return false
		} else if strings.Contains(bare, launcher) {
			return true
		}
	}
	return false
}

// components are the lines of a manifest of Android that name what can be started, and say what the launcher starts.
func components(lines []string) (list []int) {
	within := false // a component's own tag
	for n, line := range lines {
		bare := strings.TrimSpace(line)
		word := strings.TrimPrefix(bare, "<")
		if i := strings.IndexAny(word, " >/"); i >= 0 {
			word = word[:i]
		}
		opens := strings.HasPrefix(bare, "<") && androidComponents[word]
		within = within && !strings.HasPrefix(bare, "<") || opens
		named := within && (strings.Contains(bare, "android:name=") || strings.Contains(bare, "android:targetActivity="))
		starts := strings.Contains(bare, ".action.MAIN\"") || strings.Contains(bare, launcher)
		if opens || named || starts {
			list = append(list, n+1)
		}
		within = within && !strings.HasSuffix(bare, ">")
	}
	return list
}

// optionMacros are the macros of Autoconf that say what is built, what of it can be switched, and what is needed.
var optionMacros = language.WordSet("ac_init ac_arg_enable ac_arg_with ac_arg_var ac_check_lib ac_search_libs pkg_check_modules ac_config_files ac_config_subdirs ac_prereq am_init_automake")

// farHelp is how many lines, with its own, a switch may have up to its words of help.
const farHelp = 4

// directives are the lines of a module of Go that name it, its Go and its tools: as of others, what it depends on is not told.
func directives(lines []string) (list []int) {
	within := false
	for n, line := range lines {
		word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "module", "go", "toolchain", "tool":
			list = append(list, n+1)
			within = strings.HasSuffix(strings.TrimSpace(line), "(")
		case ")":
			within = false
		default:
			if within {
				list = append(list, n+1)
			}
		}
	}
	return list
}

// gems are the lines of a Gemfile that say which Ruby runs it, and that the gem's own file lists what is needed; what is, is not told.
func gems(lines []string) (list []int) {
	for n, line := range lines {
		if word, _, _ := strings.Cut(strings.TrimSpace(line), " "); word == "ruby" || word == "gemspec" {
			list = append(list, n+1)
		}
	}
	return list
}

// mixKeys are the keys of a project of Elixir that say what it is, with what it is built, and where it begins.
var mixKeys = language.WordSet("app elixir mod main_module")

// mixes are the lines of a project of Elixir that have such a key, and those of its aliases: what mix runs by one word.
func mixes(lines []string) (list []int) {
	within := -1 // how far the function of the aliases is indented
	for n, line := range lines {
		bare := strings.TrimSpace(line)
		key, _, _ := strings.Cut(bare, ":")
		switch {
		case bare == "def aliases do" || bare == "defp aliases do" || strings.HasSuffix(bare, "def aliases() do") || strings.HasSuffix(bare, "defp aliases() do"):
			within = indentOf(line)
			list = append(list, n+1)
		case within >= 0 && bare == "end" && indentOf(line) <= within:
			within = -1
		case within >= 0 && len(bare) > 1 && bare[0] != '#', mixKeys[key] && strings.HasPrefix(bare, key+": "):
			list = append(list, n+1)
		}
	}
	return list
}

// options are the lines of a script of Autoconf that begin such a macro, and of a switch the line with its words of help.
func options(lines []string) (list []int) {
	for n, line := range lines {
		name, _, ok := strings.Cut(strings.TrimSpace(line), "(")
		if !ok || !optionMacros[strings.ToLower(name)] {
			continue
		}
		list = append(list, n+1)
		if !strings.HasPrefix(name, "AC_ARG_") {
			continue
		}
		help := n + 1
		for help < min(n+farHelp, len(lines)) && !strings.Contains(lines[help], "HELP_STRING") {
			help++
		}
		if help == min(n+farHelp, len(lines)) {
			continue
		}
		if strings.HasSuffix(strings.TrimSpace(lines[help]), "(") && help+2 < len(lines) { // its words stand on lines of their own
			list = append(list, help+2, help+3)
		} else {
			list = append(list, help+1)
		}
	}
	return list
}

// firstWords are the first lines that say something: no comments, licences or imports, nor empty lines before them.
func firstWords(lines []string) (list []int) {
	const first = 12
	comment := false
	for n, line := range lines {
		bare := strings.TrimSpace(line)
		began := strings.HasPrefix(bare, "/*")
		comment = comment || began
		said := (bare != "" || len(list) > 0 && list[len(list)-1] == n) && !comment && !strings.HasPrefix(bare, "//") && !strings.HasPrefix(bare, "#") && !strings.HasPrefix(bare, "import ") &&
			!strings.HasPrefix(bare, "package ") && !strings.HasPrefix(bare, "@file:")
		if comment && strings.Contains(bare, "*/") {
			comment = false
		}
		if said {
			if list = append(list, n+1); len(list) == first {
				break
			}
		}
	}
	for n := len(list) - 1; n >= 0 && strings.TrimSpace(lines[list[n]-1]) == ""; n-- {
		list = list[:n]
	}
	return list
}

// jsonSteps are the lines of the members that name commands and entry points.
func jsonSteps(lines []string) (list []int) {
	depth := 0
	within, hooked := false, false
	for n, line := range lines {
		key := strings.TrimSpace(line)
		if depth == 1 && strings.HasPrefix(key, `"`) {
			name, _, _ := strings.Cut(key[1:], `"`)
			within = jsonKeys[name]
		}
		if depth == 2 && key != "" {
			hooked = composerHook.MatchString(key)
		}
		if within && key != "" && !hooked {
			list = append(list, n+1)
		}
		depth += strings.Count(line, "{") + strings.Count(line, "[") - strings.Count(line, "}") - strings.Count(line, "]")
		if depth <= 1 {
			within, hooked = false, false
		}
	}
	return list
}

// composerHook is the key of what Composer runs by itself around its work, which says nothing of how the program is.
var composerHook = lazyregexp.New(`^"(?:pre|post)-(?:(?:install|update|status|archive)-cmd|autoload-dump|root-package-install|create-project-cmd|operations-exec)"`)

// jsonKeys are the members of manifests in JSON that a reader of a program wants.
var jsonKeys = language.WordSet("name scripts tasks bin main module exports engines packageManager workspaces type description source-directories elm-version")

// recipes are the targets of a Makefile and its like, and the first lines of what each runs, without those that only announce it.
func recipes(lines []string, indent string, begins func(line string) bool) (list []int) {
	const first = 6
	below := first
	for n, line := range lines {
		switch {
		case strings.HasPrefix(line, "\t") || strings.HasPrefix(line, indent):
			if below < first && strings.TrimSpace(line) != "" && !announcesStep.MatchString(line) {
				list = append(list, n+1)
				below++
			}
		case begins(line):
			list, below = append(list, n+1), 0
		case condition.MatchString(line): // the recipe goes on
		default:
			below = first
		}
	}
	return list
}

// announcesStep is a line of a recipe that only writes what comes, or a remark: what is run stands on the lines around it.
var announcesStep = lazyregexp.New(`^\s*[-@+]*\s*(?:#|(?:echo|printf)\b[^|&;>` + "`" + `]*$|\$\(info\b)`)

// isIncluded reports whether a file of this name is part of a makefile, which includes it.
func isIncluded(name string) bool { return strings.ToLower(path.Ext(name)) == ".mk" }

// condition is a line of a makefile by which the lines around it are asked whether they count.
var condition = lazyregexp.New(`^(?:ifn?def|ifn?eq|else|endif)\b`)

// tasks are the lines of a Rakefile that name tasks, what they are for, and what makes some.
func tasks(lines []string) (list []int) {
	for n, line := range lines {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "task", "file", "multitask", "namespace", "desc":
			if rest != "" && rest[0] != '=' && rest[0] != '.' {
				list = append(list, n+1)
			}
		default:
			if made, _, ok := strings.Cut(word, "Task.new"); ok && made != "" && made[0] >= 'A' && made[0] <= 'Z' {
				list = append(list, n+1)
			}
		}
	}
	return list
}

// target reports whether a line names a target: words before a colon that gives no value.
func target(line string) bool {
	name, rest, ok := strings.Cut(line, ":")
	return ok && name != "" && name[0] != '.' && name[0] != '#' && !strings.HasPrefix(rest, "=") && !strings.ContainsAny(name, "=\"'($@") && !strings.HasPrefix(rest, ":=")
}

// recipe reports whether a line of a justfile begins a recipe: a name, its parameters, which may have defaults, and a colon that gives
// no value.
func recipe(line string) bool {
	line = strings.TrimPrefix(line, "@")
	if line == "" || !isWordByte(line[0]) {
		return false
	}
	quote, depth := byte(0), 0
	for i := range len(line) {
		switch c := line[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == '#':
			return false
		case c == ':' && depth == 0:
			return !strings.HasPrefix(line[i:], ":=")
		}
	}
	return false
}

// listed reports whether a line of Automake lists what is built or tested: bin_PROGRAMS = x, TESTS += y.
func listed(line string) bool {
	name, _, ok := strings.Cut(line, "=")
	name = strings.TrimRight(name, " +\t")
	return ok && (name == "TESTS" || strings.HasSuffix(name, "_PROGRAMS") || strings.HasSuffix(name, "_LTLIBRARIES") || strings.HasSuffix(name, "_SCRIPTS")) && !strings.Contains(name, " ")
}

// commandKeys are the keys below which workflows and tasks say what they run, pipelineKeys those of pipelines of other services.
var (
	commandKeys  = language.WordSet("run cmds cmd")
	pipelineKeys = language.WordSet("run script before_script build_script test_script install commands command bash")
)

// isPipeline reports whether a file of this name says what another service than GitHub runs when code is pushed.
func isPipeline(name string) bool {
	return pipelines[strings.ToLower(path.Base(name))] || strings.HasPrefix(name, ".circleci/config.")
}

// pipelines are the names of such files.
var pipelines = language.WordSet(".gitlab-ci.yml .gitlab-ci.yaml .travis.yml appveyor.yml .appveyor.yml azure-pipelines.yml azure-pipelines.yaml bitbucket-pipelines.yml .cirrus.yml .drone.yml .woodpecker.yml")

// isHooks reports whether a file of this name says what is checked before a commit.
func isHooks(name string) bool {
	return strings.HasPrefix(strings.ToLower(path.Base(name)), ".pre-commit-config.")
}

// hooks are the lines that name what is checked before a commit, and the command of it.
func hooks(lines []string) (list []int) {
	for n, line := range lines {
		if hook.MatchString(line) {
			list = append(list, n+1)
		}
	}
	return list
}

// hook is such a line of .pre-commit-config.yaml.
var hook = lazyregexp.New(`^\s+(?:- )?(?:id|entry):\s*\S`)

// maxTask is how many lines above its commands the name of a task stands, at most.
const maxTask = 40

// taskOf returns the number of the line, from 1, that names what the line at an index belongs to, of YAML: the next above that is less
// indented and only that; 0 where there is none.
func taskOf(lines []string, at int) int {
	for n := at - 1; n >= max(0, at-maxTask); n-- {
		bare := strings.TrimSpace(lines[n])
		if bare != "" && bare[0] != '#' && indentOf(lines[n]) < indentOf(lines[at]) {
			if strings.HasSuffix(bare, ":") && bare[0] != '-' {
				return n + 1
			}
			return 0
		}
	}
	return 0
}

// maxFurther is how many of the lines that a command goes on in are told.
const maxFurther = 2

// runs are the commands that a workflow runs, each with the first lines of a longer one, and those that test: these without the line that only says that
// they come, and what stands there again, in another job, once.
func runs(lines []string, keys map[string]bool) (list []int) {
	const first = 6
	told := map[string]bool{}
	for n := 0; n < len(lines); n++ {
		line := lines[n]
		bare := strings.TrimLeft(line, " -")
		if name, _, ok := strings.Cut(bare, ":"); !ok || !keys[name] {
			continue
		}
		if next := strings.TrimLeft(lines[min(n+1, len(lines)-1)], " "); strings.TrimSpace(bare) == "run:" && (strings.HasPrefix(next, "shell:") || strings.HasPrefix(next, "working-directory:")) {
			continue // it says how commands are run
		}
		one, n0, further := []int{n + 1}, n, 0
		indent := len(line) - len(bare)
		for n+1 < len(lines) {
			next := lines[n+1]
			if trimmed := strings.TrimLeft(next, " "); strings.TrimSpace(next) != "" && len(next)-len(trimmed) < indent {
				break
			} else if strings.TrimSpace(next) == "" || len(next)-len(trimmed) == indent && !strings.HasPrefix(trimmed, "- ") && !strings.HasPrefix(trimmed, "#") {
				break
			}
			if further++; !strings.HasSuffix(lines[n], "\\") {
				further = 0
			}
			n++
			if !idle(next) && further <= maxFurther && (len(one) <= first || tests(next)) {
				one = append(one, n+1)
			}
		}
		tells := len(one) > 1 || !idle(bare) && !strings.HasSuffix(strings.TrimSpace(bare), "|") // of a block some line is told
		if says := strings.TrimSpace(bare); len(one) > 1 && (strings.HasSuffix(says, "|") || strings.HasSuffix(says, "|-") || strings.HasSuffix(says, ">") || strings.HasSuffix(says, ">-")) {
			one = one[1:]
		} else if len(one) > 1 && strings.HasSuffix(says, ":") {
			if task := taskOf(lines, n0); task > 0 { // what it is the commands of says more
				one[0] = task
			}
		}
		if tells {
			list = append(list, untold(lines, one, told)...)
		}
	}
	return list
}

// untold returns lines of which the words are told nowhere yet, and notes them.
func untold(lines []string, list []int, told map[string]bool) []int {
	var said strings.Builder
	for _, at := range list {
		said.WriteString(strings.TrimLeft(lines[at-1], " -") + "\n")
	}
	if told[said.String()] {
		return nil
	}
	told[said.String()] = true
	return list
}

// idle reports whether a line of a workflow's commands does nothing to what is built: a remark, a word to the runner.
func idle(line string) bool {
	return strings.HasPrefix(strings.TrimSpace(line), "#") || forRunner.MatchString(line) || setsShell.MatchString(line) || reports.MatchString(line)
}

// reports is a command that only writes down what there is, for whoever reads the log: df -h, node --version, dotnet --info.
var reports = lazyregexp.New(`^[- ]*(?:\w+: +)?(?:(?:df|free|du|ls|tree|uname|lscpu|nproc|pwd|whoami|printenv)(?: +-[\w-]+)*(?: +[\w./~$*{}-]+)?` +
	`|echo [^|&;>]*|[\w./-]+ (?:--version|-version|version|-[vV]|--info))(?: *(?:\|\| *true|&&))? *\\?\s*$`)

// setsShell is a command by which a shell, or git, is told how to go on, and nothing else.
var setsShell = lazyregexp.New(`^[- ]*(?:\w+: +)?(?:set(?: +[-+][a-z]*o [a-z]+| +[-+][a-z]+)+|Set-StrictMode\b[^|;]*|git config --(?:global|system) [^|;&]*|\$\w+Preference *= *'\w+') *;?\s*$`)

// forRunner is a command by which a workflow only tells its runner something: it builds, runs and tests nothing.
var forRunner = lazyregexp.New(`^[- ]*(?:\w+: +)?echo .*(?:::[a-z-]+(?: [^:]*)?::|>> *["']?\$\{?GITHUB_(?:OUTPUT|ENV|PATH|STEP_SUMMARY|STATE)\b)`)

// settings are the sections of a file in TOML or INI that name commands, and what is needed to run.
func settings(lines []string) (list []int) {
	within, names := false, false
	for n, line := range lines {
		bare := strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") { // what is set in is a list in a list
			name := strings.ToLower(strings.Trim(bare, "[] \""))
			names = name == "package" || name == "project" || name == "metadata" || name == "tool.poetry"
			within = false
			for _, word := range []string{"script", "build-system", "bin", "tox", "testenv", "pytest", "alias", "workspace", "tasks", "entry_points", "hatch.envs"} {
				within = within || strings.Contains(name, word)
			}
			within = within && !strings.Contains(name, "dependencies") && !strings.Contains(name, "lint") && !strings.Contains(name, "metadata.") // of other tools
		}
		key, _, _ := strings.Cut(bare, "=")
		key = strings.TrimSpace(key)
		if bare != "" && (within || names && key == "name" || key == "requires-python" || key == "python_requires" || key == "rust-version" || key == "description") {
			list = append(list, n+1)
		}
	}
	return list
}

// heredoc is in an instruction of which what runs stands on the lines below, up to one with the word of group 1 alone.
var heredoc = lazyregexp.New(`[^<]<<-?["']?([A-Za-z_]\w*)["']?(?:\s|$)`)

// instructions are those of a Dockerfile that say what runs, each with the first lines that it goes on in.
func instructions(lines []string) (list []int) {
	const first = 3
	for n := 0; n < len(lines); n++ {
		word, _, _ := strings.Cut(strings.TrimSpace(lines[n]), " ")
		if m := heredoc.FindStringSubmatch(lines[n]); m != nil {
			taken := 0
			if strings.EqualFold(word, "RUN") {
				list = append(list, n+1)
			} else {
				taken = first // the text of a file
			}
			for n++; n < len(lines) && strings.TrimSpace(lines[n]) != m[1]; n++ {
				if taken < first && strings.TrimSpace(lines[n]) != "" && !idle(lines[n]) {
					list = append(list, n+1)
					taken++
				}
			}
			continue
		}
		switch strings.ToUpper(word) {
		case "FROM", "RUN", "CMD", "ENTRYPOINT", "EXPOSE", "WORKDIR":
			list = append(list, n+1)
			for taken := 0; n+1 < len(lines) && strings.HasSuffix(strings.TrimRight(lines[n], " \t\r"), "\\"); n++ {
				if taken < first {
					list = append(list, n+2)
					taken++
				}
			}
		case "HEALTHCHECK": // its CMD asks whether it runs, and runs nothing
			for n+1 < len(lines) && strings.HasSuffix(strings.TrimRight(lines[n], " \t\r"), "\\") {
				n++
			}
		}
	}
	return list
}

// composed are the base names of files that say which containers run together, composedKeys the members that say what one runs.
var (
	composed     = language.WordSet("docker-compose.yml docker-compose.yaml compose.yml compose.yaml")
	composedKeys = language.WordSet("image build context dockerfile target command entrypoint ports")
)

// services are the lines of a file of Docker Compose that name its services, and say what each runs and where it answers.
func services(lines []string) (list []int) {
	within, named, items := false, -1, -1 // in services, how far their names are indented, and what entries belong to
	for n, line := range lines {
		bare := strings.TrimSpace(line)
		indent := len(line) - len(strings.TrimLeft(line, " "))
		key, _, ok := strings.Cut(bare, ":")
		switch {
		case bare == "" || bare[0] == '#':
			continue
		case indent == 0:
			within, named = key == "services", -1
		case !within:
			continue
		case named < 0 || indent == named:
			named = indent
		case bare[0] == '-' && items >= 0 && indent >= items:
			list = append(list, n+1)
			continue
		case !ok || !composedKeys[key]:
			items = -1
			continue
		}
		items = -1
		if indent == 0 && !within {
			continue
		}
		list = append(list, n+1)
		if composedKeys[key] && strings.HasSuffix(bare, ":") {
			items = indent
		}
	}
	return list
}
