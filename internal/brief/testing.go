package brief

import (
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// How the tests are run is said by manifests, by scripts that these run, and by manuals for those who work on the program.

// Bounds of what is read for that.
const (
	// maxTestScripts is how many scripts of tests a document is given, mostOfScript how many lines of one, its tests and its first ones.
	maxTestScripts = 4
	mostOfScript   = 12
	// maxGuides is how many manuals are read, mostOfGuide how many commands of one are told.
	maxGuides   = 8
	mostOfGuide = 4
	// maxGuide is the largest manual that is read, in bytes.
	maxGuide = 256 << 10
)

// testing returns what says besides the manifests how tests are run: the scripts that their lines of tests run, and the commands of
// manuals.
func (w *shelves) testing(read []*manifest) (list []*manifest) {
	places := map[string]int{}
	for i, m := range w.Members {
		places[m.Path] = i
	}
	taken := map[string]bool{}
	for _, m := range read {
		for _, n := range m.steps {
			if !m.testsAt(n) || len(list) == maxTestScripts {
				continue
			}
			for word := range strings.FieldsSeq(m.lines[n-1]) {
				name := scriptIn(word)
				i, ok := places[name]
				if !ok || taken[name] || measures(name) || len(list) == maxTestScripts {
					continue
				}
				taken[name] = true
				lines := strings.Split(w.Read(i).Text, "\n")
				one := &manifest{path: name, lines: lines, by: m.path}
				if one.telling(commandsOf(lines)); len(one.steps) > 0 {
					list = append(list, one)
				}
			}
		}
	}
	guides := 0
	for _, i := range w.roles(Manual, Aside) {
		if name := w.Members[i].Path; IsGuide(name) && w.Members[i].Size <= maxGuide && guides < maxGuides {
			guides++
			lines := strings.Split(w.Read(i).Text, "\n")
			one := &manifest{path: name, lines: lines}
			if one.telling(testCommands(lines)); len(one.steps) > 0 {
				list = append(list, one)
			}
		}
	}
	return list
}

// scriptIn is the path of the script that a word of a command runs; "" where it is none.
func scriptIn(word string) string {
	word = strings.Trim(word, `"'`+"`;()")
	ext := path.Ext(word)
	if ext != ".sh" && ext != ".bash" || strings.Contains(word, "..") {
		return ""
	}
	if i := strings.LastIndex(word, "}/"); i >= 0 { // ${{ github.workspace }}/ci/test.sh
		word = word[i+2:]
	}
	return path.Clean(strings.TrimPrefix(word, "./"))
}

// measures reports whether a script is called after benchmarks: it tests nothing, whatever else it is called.
func measures(name string) bool {
	return slices.ContainsFunc(language.Words(path.Base(name)), func(word string) bool { return strings.HasPrefix(word, "bench") })
}

// commandsOf are the lines of a script of the shell that run something, its first ones and those that test.
func commandsOf(lines []string) (list []int) {
	first := 0
	for n, line := range lines {
		if bare := strings.TrimSpace(line); bare == "" || asideOfShell.MatchString(bare) {
			continue
		}
		if tested := tests(line); tested || first < mostOfScript/2 {
			list = append(list, n+1)
			if !tested {
				first++
			}
		}
		if len(list) == mostOfScript {
			break
		}
	}
	return list
}

// asideOfShell is a line of a script of the shell that runs nothing of the program: a remark, what sets up the shell, a value, a bracket, what
// clears the ground, or only says what comes.
var asideOfShell = lazyregexp.New(`^(?:#|set\b|shopt\b|export\b|local\b|readonly\b|cd\b|pushd\b|popd\b|echo\b|printf\b|source\b|\. |eval\b|trap\b|exit\b|return\b|if\b|fi\b|then\b|else\b|elif\b|for\b|while\b|do\b|done\b|case\b|esac\b|shift\b|(?:mkdir|rm|kill|sleep|log\w*_\w+)\b|exec\s*[<>]|[\w-]+\s*=|[\w-]+\s*\(\)|function\b|[{}();]+$)`)

// IsGuide reports whether a file of this name is a manual for those who build the program or work on it: at the root, or in a folder of
// manuals below it.
func IsGuide(name string) bool {
	dir, base := path.Split(strings.ToLower(name))
	stem, _, _ := strings.Cut(base, ".")
	return guideFolders[dir] && guides[stem] && language.Of(name) != nil
}

var (
	guideFolders = map[string]bool{"": true, ".github/": true, "doc/": true, "docs/": true}
	guides       = language.WordSet("contributing hacking development developing develop developers building build install installing installation testing tests test")
)

// testCommands are the commands of a manual that test, of the code of a shell that stands in it.
func testCommands(lines []string) (list []int) {
	fence, shell := "", false
	for n, line := range lines {
		bare := strings.TrimSpace(line)
		opens := strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~")
		prompted := strings.HasPrefix(bare, "$ ")
		switch {
		case fence != "" && strings.HasPrefix(bare, fence):
			fence = ""
		case fence == "" && opens:
			fence = bare[:3]
			said, _, _ := strings.Cut(strings.TrimSpace(strings.TrimLeft(bare, "`~")), " ")
			shell = shells[strings.ToLower(strings.Trim(said, "{}."))]
		case (fence == "" || !shell) && !prompted, len(bare) > maxCommand:
		case tests(bare) && isCommand.MatchString(bare) && !statement.MatchString(bare):
			list = append(list, n+1)
		}
		if len(list) == mostOfGuide {
			break
		}
	}
	return list
}

// shells are the words behind a fence round what is typed.
var shells = map[string]bool{"": true, "sh": true, "bash": true, "shell": true, "zsh": true, "fish": true, "console": true, "terminal": true, "text": true, "shell-session": true}

// maxCommand is the longest line, in bytes, that is taken for a command.
const maxCommand = 200

var (
	// isCommand is a line that begins as a command does: with a word in small letters, or a path, and words behind it.
	isCommand = lazyregexp.New(`^(?:[$%] +)?(?:[A-Z_]+=\S+ +)*(?:(?:\./)?[a-z][\w./-]* +[\w./:"'$@{<\[-]|(?:\./)?[\w./-]*test[\w.-]*$|tox$)`)
	// statement is a line of a program, or of a message.
	statement = lazyregexp.New(`^(?:def|class|import|from|let|const|var|func|fn|use|return|if|for|it|describe)\b|[:;{(,]$|^[a-z]+(?:\(\w+\))?: `)
)
