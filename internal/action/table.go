package action

import (
	"fmt"
	"strings"

	"github.com/haversack-dev/haversack/internal/job"
)

// The tables below are printed into action.yml and README.md; a test compares
// them, and its -update flag writes them anew.

// actionYML is the whole of action.yml.
func actionYML() string {
	var b strings.Builder
	b.WriteString(`# Printed from the tables in internal/action; go test ./internal/action -update writes it anew.
name: Haversack
description: Packs what an assistant needs to know about a repository, and about one change to it.
author: The Haversack authors
branding:
  icon: package
  color: green
inputs:
`)
	for _, d := range job.InputTable {
		fmt.Fprintf(&b, "  %s:\n    description: %s\n    required: false\n    default: %s\n", d.Name, yamlString(described(&d)), yamlString(d.Filled()))
	}
	b.WriteString("outputs:\n")
	for _, o := range job.OutputTable {
		fmt.Fprintf(&b, "  %s:\n    description: %s\n", o.Name, yamlString(plain(o.Help)))
	}
	b.WriteString("runs:\n  using: docker\n  image: Dockerfile\n")
	return b.String()
}

// contextYML is the whole of .github/workflows/context.yml: every input is passed on. What
// is not given is empty there, which stands for the default.
func contextYML() string {
	var b strings.Builder
	b.WriteString(`# Printed from the tables in internal/action; go test ./internal/action -update writes it anew.
# A workflow that others call: the job of packing, with the least that it may. What needs more, a comment on a pull request or
# a push to a registry, takes a token that may do it, as a secret.
name: context
on:
  workflow_call:
    inputs:
`)
	for _, d := range job.InputTable {
		if d.Name != "token" {
			fmt.Fprintf(&b, "      %s:\n        description: %s\n        type: string\n        required: false\n        default: ''\n", d.Name, yamlString(described(&d)))
		}
	}
	b.WriteString(`    secrets:
      token:
        description: 'A token in place of the job''s own, which may read contents.'
        required: false

permissions: {}

jobs:
  pack:
    runs-on: ubuntu-latest
    permissions:
      contents: read
    steps:
      - uses: actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2
        with:
          persist-credentials: false
      - uses: docker://ghcr.io/haversack-dev/haversack:v1
        with:
          token: ${{ secrets.token || github.token }}
`)
	for _, d := range job.InputTable {
		if d.Name != "token" {
			fmt.Fprintf(&b, "          %s: ${{ inputs.%s }}\n", d.Name, d.Name)
		}
	}
	return b.String()
}

// described is the help of an input with its default, which stands nowhere else in the two files: a
// value that a runner filled in would hide what a file of defaults says.
func described(d *job.Input) string {
	if d.Default == "" || d.Filled() != "" {
		return plain(d.Help)
	}
	return plain(d.Help) + " Default: " + d.Default + "."
}

// inputTable and outputTable are the README's.
func inputTable() string {
	var b strings.Builder
	b.WriteString("| input | default | meaning |\n|---|---|---|\n")
	for _, d := range job.InputTable {
		def := d.Shown
		if def == "" {
			def = "`" + d.Default + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", d.Name, def, d.Help)
	}
	return b.String()
}

// sharedInputs are those that a file of defaults may give, for the page about them.
func sharedInputs() string {
	var names []string
	for _, d := range job.InputTable {
		if d.Shared {
			names = append(names, "`"+d.Name+"`")
		}
	}
	return strings.Join(names, ", ") + ".\n"
}

func outputTable() string {
	var b strings.Builder
	b.WriteString("| output | meaning |\n|---|---|\n")
	for _, o := range job.OutputTable {
		fmt.Fprintf(&b, "| `%s` | %s |\n", o.Name, o.Help)
	}
	return b.String()
}

func plain(s string) string { return strings.ReplaceAll(s, "`", "") }

// yamlString quotes text for YAML.
func yamlString(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
