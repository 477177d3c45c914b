//go:build linux

// Command questions counts how many places that answer questions about a repository can be read in the first tokens of its
// document:
//
//	go run ./bench/questions -dir FOLDER [-draw 6] [-seed 1] [-peers FOLDER] [-tool NAME] [-size N] [-show] [-questions FILE] [-names] [-haversack PROGRAM] [NAME...]
//	go run ./bench/questions -dir FOLDER -document FILE NAME
//
// FOLDER holds clones of the repositories of questions.txt under their names, at the commits that stand there. Of each repository
// there are six questions, of three of them twelve, that were written from its code before any document was seen, and -draw exported definitions of its code that are drawn by lot. A place can be read
// where its line, up to 60 bytes of it and without the brace that begins its body, stands below the name of its file, with whatever
// blanks. Documents are cut after 8,000, 32,000 and 128,000
// tokens; with -names a place counts, too, of which the number of its line and a name of it stand there, as in `51 moor, 77 free`:
// that says where it is, and not what it takes; "own budget" is the document of a run with that budget instead.
//
// With -peers, documents of repomix, repomix --compress, files-to-prompt and aider's map, made by the programs in that folder
// (bin/ and node_modules/.bin/: `python3 -m venv FOLDER`, `FOLDER/bin/pip install files-to-prompt aider-chat`,
// `npm install --prefix FOLDER repomix`), are scored beside it. -document scores a file that anything made.
package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/brief"
	"github.com/haversack-dev/haversack/internal/tokens"
)

//go:embed questions.txt
var questions string

// sizes are the tokens after which documents are cut.
var sizes = []int{8_000, 32_000, 128_000}

// repository is a repository with the places that answer what is asked about it.
type repository struct {
	name, commit, dir string
	places            []place
	files             map[string]bool
}

// place is a line of a file.
type place struct {
	path, text string
	line       int
	drawn      bool
}

func main() {
	dir := flag.String("dir", "", "folder of the clones")
	draw := flag.Int("draw", 6, "how many definitions are drawn of each repository")
	seed := flag.Uint64("seed", 1, "which")
	program := flag.String("haversack", "haversack", "the program that is measured")
	peers := flag.String("peers", "", "folder of the peers")
	document := flag.String("document", "", "a document to score")
	only := flag.String("tool", "", "the one way to make documents that is measured, as its rows name it")
	show := flag.Bool("show", false, "print the places that cannot be read")
	asked := flag.String("questions", "", "a file of questions instead of questions.txt")
	size := flag.Int("size", 0, "the one size, in tokens, that is measured")
	names := flag.Bool("names", false, "count also a place of which the number of its line and its name stand there")
	flag.Parse()
	b := bench{draw: *draw, seed: *seed, program: *program, peers: *peers, document: *document, only: *only, show: *show, names: *names}
	if *size > 0 {
		sizes = []int{*size}
	}
	if *asked != "" {
		text, err := os.ReadFile(*asked)
		if err != nil {
			fmt.Fprintln(os.Stderr, "questions:", err)
			os.Exit(1)
		}
		questions = string(text)
	}
	if err := b.run(*dir, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "questions:", err)
		os.Exit(1)
	}
}

// bench is what is measured.
type bench struct {
	draw                           int
	seed                           uint64
	program, peers, document, only string
	show, names                    bool
}

// tool is one way to make a document.
type tool struct {
	name string
	// make returns the document of a repository; size is the budget of tools that keep one.
	make func(r *repository, size int) (string, error)
}

func (b *bench) run(dir string, only []string) error {
	if dir == "" {
		return errors.New("-dir is missing")
	}
	list, err := parse(questions)
	if err != nil {
		return err
	}
	tools := slices.DeleteFunc(b.tools(), func(t tool) bool { return b.only != "" && t.name != b.only })
	sums := map[string][]float64{}
	weights := 0.0
	for _, r := range list {
		base := filepath.Base(r.name)
		if len(only) > 0 && !contains(only, base) {
			continue
		}
		if err := b.prepare(r, filepath.Join(dir, base)); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		drawn, weight := r.weight(b.draw)
		weights += weight
		for _, t := range tools {
			row := make([]string, len(sizes))
			sum := append(make([]float64, 0, len(sizes)), sums[t.name]...)[:len(sizes)]
			for i, size := range sizes {
				text, err := t.make(r, size)
				if err != nil {
					return fmt.Errorf("%s of %s: %w", t.name, r.name, err)
				}
				asked, found, missing := r.score(cut(text, size), b.names)
				sum[i] += weight * float64(asked+found) / float64(len(r.places))
				row[i] = fmt.Sprintf("%d+%d", asked, found)
				if b.show {
					for _, p := range missing {
						fmt.Printf("  %s at %d: %s: %s\n", t.name, size, p.path, p.text)
					}
				}
			}
			sums[t.name] = sum
			fmt.Printf("%-24s %-28s %s of %d+%d\n", r.name, t.name, strings.Join(row, " / "), len(r.places)-drawn, drawn)
		}
	}
	for _, t := range tools {
		fmt.Printf("%-24s %-28s", "mean", t.name)
		for i := range sums[t.name] {
			fmt.Printf(" %5.1f", 100*sums[t.name][i]/max(weights, 1e-9))
		}
		fmt.Println(" %")
	}
	return nil
}

// weight returns how many of a repository's places were drawn, and what the repository weighs in the mean: 1, and less where
// fewer definitions than asked for were there to draw.
func (r *repository) weight(draw int) (drawn int, weight float64) {
	for _, p := range r.places {
		if p.drawn {
			drawn++
		}
	}
	if len(r.places) == 0 {
		return 0, 0
	}
	return drawn, float64(len(r.places)) / float64(len(r.places)-drawn+draw)
}

func contains(list []string, s string) bool {
	for _, one := range list {
		if one == s {
			return true
		}
	}
	return false
}

// parse reads the questions.
func parse(text string) ([]*repository, error) {
	var list []*repository
	for n, line := range strings.Split(text, "\n") {
		switch {
		case line == "" || line[0] == '#' || line[0] == '?':
		case strings.HasPrefix(line, "= "):
			name, commit, ok := strings.Cut(line[2:], " ")
			if !ok {
				return nil, fmt.Errorf("questions.txt:%d: no commit", n+1)
			}
			list = append(list, &repository{name: name, commit: commit})
		default:
			path, said, ok := strings.Cut(line, "\t")
			if !ok || len(list) == 0 {
				return nil, fmt.Errorf("questions.txt:%d: no tab", n+1)
			}
			r := list[len(list)-1]
			r.places = append(r.places, place{path: path, text: said})
		}
	}
	return list, nil
}

// prepare checks that a clone is at its commit and holds what is asked for, and draws definitions.
func (b *bench) prepare(r *repository, dir string) error {
	r.dir = dir
	head, err := output(dir, nil, "git", "rev-parse", "HEAD")
	if err != nil {
		return err
	}
	if !strings.HasPrefix(head, r.commit) {
		return fmt.Errorf("the clone is at %.8s, not at %s", head, r.commit)
	}
	for i, p := range r.places {
		text, err := os.ReadFile(filepath.Join(dir, p.path))
		if err != nil {
			return err
		}
		before, _, ok := strings.Cut(string(text), p.text)
		if !ok {
			return fmt.Errorf("%s does not hold %q", p.path, p.text)
		}
		r.places[i].line = 1 + strings.Count(before, "\n")
	}
	names, err := output(dir, nil, "git", "ls-files", "-z")
	if err != nil {
		return err
	}
	r.files = map[string]bool{}
	for name := range strings.SplitSeq(names, "\x00") {
		r.files[name] = true
	}
	found, err := output(dir, nil, b.program, "graph", "--definitions", "--json")
	if err != nil {
		return err
	}
	var rows []struct {
		Path, Kind, Signature string
		Line                  int
		Exported              bool
	}
	if err := json.Unmarshal([]byte(found), &rows); err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(b.seed, 0))
	rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	drawn := 0
	for _, row := range rows {
		line, _, _ := strings.Cut(row.Signature, "\n")
		if drawn == b.draw {
			break
		}
		if line = signature(line); row.Exported && row.Kind != "namespace" && // which the folder says as well
			brief.RoleOf(row.Path) == brief.Code && line != "" {
			r.places = append(r.places, place{row.Path, line, row.Line, true})
			drawn++
		}
	}
	return nil
}

// signature returns what must be readable of the first line of a definition.
func signature(line string) string {
	line = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(line), "{"))
	return strings.ToValidUTF8(line[:min(len(line), 60)], "")
}

// plain is a text with one blank where several stand: how the values of a block are aligned is no word of it.
func plain(s string) string { return blanks.ReplaceAllString(s, " ") }

var blanks = regexp.MustCompile(`[ \t]+`)

// score counts the places that can be read in a document.
func (r *repository) score(text string, names bool) (asked, drawn int, missing []place) {
	lines := map[string][]string{}
	at := ""
	for line := range strings.SplitSeq(spread(text), "\n") {
		if p := r.heading(line); p != "" {
			at = p
		} else if at != "" {
			lines[at] = append(lines[at], line)
		}
	}
	below := map[string]string{}
	for _, p := range r.places {
		if _, ok := below[p.path]; !ok {
			below[p.path] = plain(strings.Join(lines[p.path], "\n"))
		}
		switch {
		case !strings.Contains(below[p.path], plain(signature(p.text))) && !(names && p.named(below[p.path])):
			missing = append(missing, p)
		case p.drawn:
			drawn++
		default:
			asked++
		}
	}
	return asked, drawn, missing
}

// named reports whether a text has the number of a place's line and, behind it, a name that stands in it.
func (p *place) named(text string) bool {
	for _, m := range numbered.FindAllStringSubmatch(text, -1) {
		if m[1] == strconv.Itoa(p.line) && slices.Contains(words.FindAllString(p.text, -1), m[2]) {
			return true
		}
	}
	return false
}

var (
	numbered = regexp.MustCompile(`(?:^|\n|, )(\d+) ([\w$#]+)`)
	words    = regexp.MustCompile(`[\w$#]+`)
)

var member = regexp.MustCompile(`\{"path":"([^"]*)"`)

// spread makes lines of what is a string in JSON, with the path of each file on a line of its own.
func spread(text string) string {
	if !strings.HasPrefix(text, "{") {
		return text
	}
	text = member.ReplaceAllString(text, "\n$1\n")
	return strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\"`, `"`, `\u003c`, "<", `\u003e`, ">", `\u0026`, "&", `\\`, `\`, `","`, "\n").Replace(text)
}

// heading returns the file that a line names as that of the lines below it, "" if it is none.
func (r *repository) heading(line string) string {
	line = strings.Trim(line, " \t#`:│*=-<>")
	line = strings.TrimPrefix(strings.TrimPrefix(line, `file path="`), "File: ")
	line = strings.TrimPrefix(strings.Trim(line, "`\""), "./")
	if r.files[line] {
		return line
	}
	return ""
}

// cut returns the lines of a document that stand before a number of tokens is spent.
func cut(text string, size int) string {
	var counter tokens.Counter
	at, spent := 0, 0
	for at < len(text) {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		end = min(end, at+4096)
		if spent += counter.Count([]byte(text[at:end])); spent > size {
			break
		}
		at = end
	}
	return text[:at]
}

// tools are the ways to make documents.
func (b *bench) tools() []tool {
	if b.document != "" {
		return []tool{{b.document, func(*repository, int) (string, error) {
			text, err := os.ReadFile(b.document)
			return string(text), err
		}}}
	}
	list := []tool{
		{"haversack", func(r *repository, _ int) (string, error) { return b.document128(r, 128_000) }},
		{"haversack, own budget", b.document128},
		{"haversack, pack.json", func(r *repository, _ int) (string, error) {
			return b.packed(r, "pack.json", "--pack", "auto")
		}},
	}
	if b.peers == "" {
		return list
	}
	node, bin := filepath.Join(b.peers, "node_modules", ".bin"), filepath.Join(b.peers, "bin")
	repomix := func(args ...string) func(r *repository, _ int) (string, error) {
		return func(r *repository, _ int) (string, error) {
			return made(r, append([]string{filepath.Join(node, "repomix"), "--quiet", "--stdout"}, args...)...)
		}
	}
	return append(list,
		tool{"repomix", repomix()},
		tool{"repomix --compress", repomix("--compress")},
		tool{"files-to-prompt", func(r *repository, _ int) (string, error) { return made(r, filepath.Join(bin, "files-to-prompt"), ".") }},
		tool{"aider's map", func(r *repository, size int) (string, error) {
			return made(r, filepath.Join(bin, "python"), "-c", aider, strconv.Itoa(size))
		}})
}

// aider prints the map of a repository as aider makes it, without a model.
const aider = `
import subprocess, sys
from aider.repomap import RepoMap
class Model:
    def token_count(self, text): return len(text) // 4
class Io:
    def read_text(self, name):
        try: return open(name, encoding="utf-8").read()
        except (OSError, UnicodeDecodeError): return None
    def tool_output(self, *a, **k): pass
    tool_error = tool_warning = tool_output
names = subprocess.run(["git", "ls-files"], capture_output=True, text=True).stdout.split("\n")[:-1]
map = RepoMap(map_tokens=int(sys.argv[1]), root=".", main_model=Model(), io=Io(), map_mul_no_files=1, max_context_window=10**7, refresh="always")
print(map.get_ranked_tags_map([], names, int(sys.argv[1])))
`

// document128 makes context.md of a repository, of so many tokens.
func (b *bench) document128(r *repository, size int) (string, error) {
	return b.packed(r, "context.md", "--budget-tokens", strconv.Itoa(size), "--part-tokens", "0", "--pack", "none")
}

// packed runs the program, and returns one of the files that it makes.
func (b *bench) packed(r *repository, name string, args ...string) (string, error) {
	key := r.name + "\x00" + strings.Join(append(args, name), "\x00")
	if text, ok := documents[key]; ok {
		return text, nil
	}
	dir, err := os.MkdirTemp("", "questions")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	args = append([]string{"--output-dir", dir, "--base", "none", "--mode", "full", "--path", r.dir}, args...)
	if _, err := output(r.dir, nil, b.program, args...); err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(dir, name))
	documents[key] = string(text)
	return string(text), err
}

// documents are those that were made, by the repository and how they were made: what keeps no budget is made once.
var documents = map[string]string{}

// made returns what a program prints in a clone.
func made(r *repository, command ...string) (string, error) {
	key := r.name + "\x00" + strings.Join(command, "\x00")
	if text, ok := documents[key]; ok {
		return text, nil
	}
	text, err := output(r.dir, nil, command[0], command[1:]...)
	documents[key] = text
	return text, err
}

func output(dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return "", fmt.Errorf("%s: %w\n%s", name, err, exit.Stderr)
	}
	return string(out), err
}
