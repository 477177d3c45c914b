package peertest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every input that a workflow here gives the action, and every output it takes, is in action.yml. actionlint checks that
// for `uses: ./` alone.
func TestWorkflowsUseWhatTheActionHas(t *testing.T) {
	action, err := os.ReadFile(filepath.Join(module(t), "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	before, after, ok := strings.Cut(string(action), "\noutputs:\n")
	if !ok {
		t.Fatal("action.yml has no outputs")
	}
	_, inputs, ok := strings.Cut(before, "\ninputs:\n")
	if !ok {
		t.Fatal("action.yml has no inputs")
	}
	has := func(section, name string) bool { return strings.Contains("\n"+section, "\n  "+name+":\n") }
	output := regexp.MustCompile(`steps\.(?:pack|context)\.outputs\.([a-z0-9-]+)`)
	uses := 0
	for _, pattern := range []string{"examples/*.yml", ".github/workflows/*.yml", "internal/peertest/testdata/*.yml"} {
		files, err := filepath.Glob(filepath.Join(module(t), pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no workflows (%v)", pattern, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range output.FindAllStringSubmatch(string(data), -1) {
				if !has(after, m[1]) {
					t.Errorf("%s: the action has no output %s", file, m[1])
				}
			}
			// A step's lines follow its "- uses:" with more indentation; its inputs follow "with:" with more again.
			ours, with := false, false
			for line := range strings.Lines(string(data)) {
				text := strings.TrimSpace(line)
				indent := len(line) - len(strings.TrimLeft(line, " "))
				switch {
				case strings.HasPrefix(text, "- "):
					ours = text == "- uses: ./" || strings.HasPrefix(text, "- uses: haversack-dev/haversack@")
					with = false
					if ours {
						uses++
					}
				case ours && indent == 8:
					with = text == "with:"
				case ours && with && indent == 10:
					if name, _, ok := strings.Cut(text, ":"); ok && !has(inputs, name) {
						t.Errorf("%s: the action has no input %s", file, name)
					}
				}
			}
		}
	}
	if uses < 5 {
		t.Errorf("found %d uses of the action", uses)
	}
}

// Every action that a workflow here uses is pinned to a commit, with its version beside it; the README, which nobody
// updates by a tool, names a version whose Node runners still have.
func TestActionsArePinned(t *testing.T) {
	pinned := regexp.MustCompile(`^[A-Za-z0-9._/-]+@[0-9a-f]{40} # v[0-9]+(\.[0-9]+){2}\b`)
	uses := regexp.MustCompile(`(?m)^\s*-?\s*uses: (.*)$`)
	for _, pattern := range []string{"examples/*.yml", ".github/workflows/*.yml"} {
		files, err := filepath.Glob(filepath.Join(module(t), pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no workflows (%v)", pattern, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range uses.FindAllStringSubmatch(string(data), -1) {
				ours := m[1] == "./" || strings.HasPrefix(m[1], "haversack-dev/haversack@COMMIT # ") || strings.HasPrefix(m[1], "haversack-dev/haversack/setup@COMMIT # ") || strings.HasPrefix(m[1], "docker://ghcr.io/haversack-dev/haversack:")
				if !ours && !pinned.MatchString(m[1]) {
					t.Errorf("%s uses %s", filepath.Base(file), m[1])
				}
			}
		}
	}
	readme, err := os.ReadFile(filepath.Join(module(t), "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`actions/checkout@v([0-9]+)`).FindAllStringSubmatch(string(readme), -1) {
		if len(m[1]) == 1 && m[1] < "6" {
			t.Errorf("the README uses %s", m[0])
		}
	}
}

// The release's image is the other one, but for who compiles.
func TestImagesAgree(t *testing.T) {
	last := func(name string) string {
		data, err := os.ReadFile(filepath.Join(module(t), name))
		if err != nil {
			t.Fatal(err)
		}
		_, stage, ok := strings.Cut(string(data), "\nFROM scratch\n")
		if !ok {
			t.Fatalf("%s has no last stage from scratch", name)
		}
		label, _, _ := strings.Cut(stage, "COPY")
		return label + stage[strings.LastIndex(stage, "ENTRYPOINT"):]
	}
	if a, b := last("Dockerfile"), last("Dockerfile.release"); a != b {
		t.Errorf("Dockerfile ends\n%s\nDockerfile.release\n%s", a, b)
	}
}
