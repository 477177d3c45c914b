package brief

import (
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
)

// maxSteps bounds the lines that a manifest gives a document.
const maxSteps = 60

// steps returns the lines of a manifest that say how the program is built, run and tested, by number from 1: scripts of
// package.json, targets of a Makefile with the first lines of their recipes, what a workflow runs, the sections of a TOML
// file that name commands, the instructions of a Dockerfile. Of what it does not know it returns the first lines.
func steps(name string, lines []string) []int {
	base := strings.ToLower(path.Base(name))
	var list []int
	switch {
	case base == "package.json" || base == "composer.json" || base == "deno.json" || base == "deno.jsonc":
		list = jsonSteps(lines)
	case base == "rakefile":
		list = tasks(lines)
	case strings.HasSuffix(base, "makefile") || base == "makefile.am" || base == "justfile":
		list = recipes(lines)
	case path.Dir(name) == ".github/workflows" || strings.HasPrefix(base, "taskfile") || strings.HasPrefix(base, "action."):
		list = runs(lines)
	case strings.HasSuffix(base, ".toml") || base == "setup.cfg" || base == "tox.ini":
		list = settings(lines)
	case strings.HasPrefix(base, "dockerfile"):
		list = instructions(lines)
	default:
		list = firstWords(lines)
	}
	return list[:min(len(list), maxSteps)]
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
	within := false
	for n, line := range lines {
		key := strings.TrimSpace(line)
		if depth == 1 && strings.HasPrefix(key, `"`) {
			name, _, _ := strings.Cut(key[1:], `"`)
			within = jsonKeys[name]
		}
		if within && key != "" {
			list = append(list, n+1)
		}
		depth += strings.Count(line, "{") + strings.Count(line, "[") - strings.Count(line, "}") - strings.Count(line, "]")
		if depth <= 1 {
			within = false
		}
	}
	return list
}

// jsonKeys are the members of manifests in JSON that a reader of a program wants.
var jsonKeys = language.WordSet("scripts tasks bin main module exports engines packageManager workspaces type description")

// recipes are the targets of a Makefile and its like, and the first lines of what each runs.
func recipes(lines []string) (list []int) {
	const first = 3
	below := first
	for n, line := range lines {
		switch {
		case strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "    "):
			if below < first && strings.TrimSpace(line) != "" {
				list = append(list, n+1)
				below++
			}
		case target(line) || listed(line):
			list, below = append(list, n+1), 0
		default:
			below = first
		}
	}
	return list
}

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

// listed reports whether a line of Automake lists what is built or tested: bin_PROGRAMS = x, TESTS += y.
func listed(line string) bool {
	name, _, ok := strings.Cut(line, "=")
	name = strings.TrimRight(name, " +\t")
	return ok && (name == "TESTS" || strings.HasSuffix(name, "_PROGRAMS") || strings.HasSuffix(name, "_LTLIBRARIES") || strings.HasSuffix(name, "_SCRIPTS")) && !strings.Contains(name, " ")
}

// runs are the commands that a workflow runs, each with the first lines of a longer one.
func runs(lines []string) (list []int) {
	const first = 6
	for n := 0; n < len(lines); n++ {
		line := lines[n]
		bare := strings.TrimLeft(line, " -")
		if !strings.HasPrefix(bare, "run:") && !strings.HasPrefix(bare, "cmds:") && !strings.HasPrefix(bare, "cmd:") {
			continue
		}
		if next := strings.TrimLeft(lines[min(n+1, len(lines)-1)], " "); strings.TrimSpace(bare) == "run:" && (strings.HasPrefix(next, "shell:") || strings.HasPrefix(next, "working-directory:")) {
			continue // it says how commands are run
		}
		list = append(list, n+1)
		indent := len(line) - len(bare)
		for taken := 0; n+1 < len(lines); n++ {
			next := lines[n+1]
			if trimmed := strings.TrimLeft(next, " "); strings.TrimSpace(next) != "" && len(next)-len(trimmed) < indent {
				break
			} else if strings.TrimSpace(next) == "" || len(next)-len(trimmed) == indent && !strings.HasPrefix(trimmed, "- ") {
				break
			}
			if taken < first {
				list = append(list, n+2)
				taken++
			}
		}
	}
	return list
}

// settings are the sections of a file in TOML or INI that name commands, and what is needed to run.
func settings(lines []string) (list []int) {
	within := false
	for n, line := range lines {
		bare := strings.TrimSpace(line)
		if strings.HasPrefix(bare, "[") {
			name := strings.ToLower(strings.Trim(bare, "[] \""))
			within = false
			for _, word := range []string{"script", "build-system", "bin", "tox", "testenv", "pytest", "alias", "workspace", "tasks", "entry_points", "hatch.envs"} {
				within = within || strings.Contains(name, word)
			}
			within = within && !strings.Contains(name, "dependencies")
		}
		key, _, _ := strings.Cut(bare, "=")
		key = strings.TrimSpace(key)
		if bare != "" && (within || key == "requires-python" || key == "python_requires" || key == "rust-version" || key == "description") {
			list = append(list, n+1)
		}
	}
	return list
}

// instructions are those of a Dockerfile that say what runs.
func instructions(lines []string) (list []int) {
	for n, line := range lines {
		word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch strings.ToUpper(word) {
		case "FROM", "RUN", "CMD", "ENTRYPOINT", "EXPOSE", "WORKDIR":
			list = append(list, n+1)
		}
	}
	return list
}
