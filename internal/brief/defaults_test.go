package brief

import (
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/tokens"
)

// TestDefaults: a value by default stands with the name of what it is of, and not at all where it says only that there is none.
func TestDefaults(t *testing.T) {
	for text, want := range map[string]string{
		"export const props = {\n  rows: {\n    type: Number,\n    default: 3,\n  },\n}\n":         "rows default: 3",
		"export const props = {\n  name: {\n    type: String,\n    default: '',\n  },\n}\n":        "",
		"export const store = {\n  default: 'redis',\n}\n":                                         "",
		"return [\n    'default' => 'redis',\n];\n":                                                "",
		"variable \"rows\" {\n  type    = number\n  default = 3\n}\n":                              `variable "rows" default = 3`,
		"variable \"rows\" {\n  description = \"default = 3\"\n}\n":                                "",
		"variable \"rows\" {\n  default = {\n    a = 1\n  }\n}\n":                                  "",
		"variable \"rows\" {\n  default = null\n}\n":                                               "= null",
		"variable \"kind\" {\n  validation {\n    condition = true\n  }\n\n  default = \"a\"\n}\n": `variable "kind" default = "a"`,
	} {
		lines := strings.Split(text, "\n")
		got := ""
		for n, line := range lines {
			if variable := strings.HasPrefix(line, "variable"); !variable && !strings.Contains(line, "default") {
				continue
			}
			d := Definition{Line: n + 1, End: len(lines), Setting: n > 0}
			entry, value, ok := defaultOf(lines, &d)
			if ok && !emptyValue[value] {
				got = entryWith(entry, value)
			} else if ok && strings.HasPrefix(entry, "variable") {
				got = value
			}
			if strings.HasPrefix(lines[0], "variable") {
				break
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestSummary: a script says what it is for where its first remark does, or the one that is marked so.
func TestSummary(t *testing.T) {
	for text, want := range map[string]string{
		"#!/bin/sh\n# Copyright (c) 2020 The Quay Authors\n#\n# Loads the boats of one quay.\nset -e\n": "# Loads the boats of one quay.",
		"#!/usr/bin/env bash\n# Usage: quay load [boat]\n# Summary: Load\n":                             "# Summary: Load",
		"#!/usr/bin/env bash\n# quay\nset -e\n# Loads the boats of one quay.\n":                         "",
		"#!/usr/bin/env python3\n# Loads the boats of one quay.\n":                                      "",
		"# Loads the boats of one quay.\n":                                                              "",
		"#!/bin/sh\n# shellcheck disable=SC2034 of all\n":                                               "",
	} {
		lines := strings.Split(text, "\n")
		got := ""
		if d, ok := summary(lines); ok {
			got = lines[d.Line-1]
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestScriptsInOutlines: a script that defines nothing stands in the outline by what it says of itself; a folder's title that is its name
// says nothing.
func TestScriptsInOutlines(t *testing.T) {
	got := strings.Join(described(map[string]string{"bin/load.sh": "#!/bin/sh\n# Loads the boats of one quay.\n" + strings.Repeat("echo boat after boat after boat\n", 400), "test/README.md": "# TEST\n", "test/a.sh": "echo\n"}, 2000, 0).Document(), "")
	if !strings.Contains(got, "bin/load.sh\n2 # Loads the boats of one quay.\n") {
		t.Error(got)
	}
	if strings.Contains(got, "1: TEST") {
		t.Error(got)
	}
}

// TestIntroductionLeavesNoFence: what is cut of a README leaves no fence, rule or heading behind that nothing stands below.
func TestIntroductionLeavesNoFence(t *testing.T) {
	text := "# Mill\n\nIt grinds.\n\n----\n\n## Use\n\n```sh\n" + strings.Repeat("mill --grind all of the corn\n", 20) + "```\n"
	if got, want := introduction("README.md", text, new(tokens.Counter), 16), "# Mill\n\nIt grinds.\n\n… 23 lines"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestShortened: of a path that is too long the first folder and its last names are left.
func TestShortened(t *testing.T) {
	for most, want := range map[int]string{100: "a-service/src/main/java/org/quay/web/Owners.java", 40: "a-service/…/org/quay/web/Owners.java", 20: "a-service/…/Owners.java", 1: "a-service/…/Owners.java"} {
		if got := shortened("a-service/src/main/java/org/quay/web/Owners.java", most); got != want {
			t.Errorf("%d: %s, want %s", most, got, want)
		}
	}
	if got := shortened("a/b", 1); got != "a/b" {
		t.Error(got)
	}
}

// TestHooks: what is checked before a commit is told by name and command, behind other manifests.
func TestHooks(t *testing.T) {
	r := described(map[string]string{".pre-commit-config.yaml": "repos:\n  - repo: https://quay.example/hooks\n    rev: v1\n    hooks:\n      - id: name-tests-test\n      - id: lint\n        entry: make lint\n", "Makefile": "load:\n\tquay load\n"}, 4000, 0)
	got := strings.Join(r.Document(), "")
	made, hooks := strings.Index(got, "### `Makefile`"), strings.Index(got, "### `.pre-commit-config.yaml`")
	if made < 0 || hooks < made || !strings.Contains(got, "entry: make lint") || strings.Contains(got, "3\t    rev: v1") {
		t.Error(got)
	}
}
