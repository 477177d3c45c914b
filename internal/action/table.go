package action

import (
	"fmt"
	"strings"
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
	for _, d := range inputs {
		fmt.Fprintf(&b, "  %s:\n    description: %s\n    required: false\n    default: %s\n", d.name, yamlString(plain(d.help)), yamlString(d.def))
	}
	b.WriteString("outputs:\n")
	for _, o := range outputs {
		fmt.Fprintf(&b, "  %s:\n    description: %s\n", o.name, yamlString(plain(o.help)))
	}
	b.WriteString("runs:\n  using: docker\n  image: Dockerfile\n")
	return b.String()
}

// inputTable and outputTable are the README's.
func inputTable() string {
	var b strings.Builder
	b.WriteString("| input | default | meaning |\n|---|---|---|\n")
	for _, d := range inputs {
		def := d.shown
		if def == "" {
			def = "`" + d.def + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", d.name, def, d.help)
	}
	return b.String()
}

func outputTable() string {
	var b strings.Builder
	b.WriteString("| output | meaning |\n|---|---|\n")
	for _, o := range outputs {
		fmt.Fprintf(&b, "| `%s` | %s |\n", o.name, o.help)
	}
	return b.String()
}

func plain(s string) string { return strings.ReplaceAll(s, "`", "") }

// yamlString quotes text for YAML.
func yamlString(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
