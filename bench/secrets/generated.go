//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/mod/modfile"
)

// writer takes the place of the file of gitleaks' generator, or betterleaks', that checks a rule by its examples: it writes them
// down. Most are made when the generator runs, from the rule's expression.
const writer = `package utils

import (
	"encoding/json"
	"os"

	"%[1]s/config"
)

func Validate(rule config.Rule, has, hasNot []string) *config.Rule {
	for _, text := range has {
		note(&rule, "", text, false)
	}
	for _, text := range hasNot {
		note(&rule, "", text, true)
	}
	return &rule
}

func ValidateWithPaths(rule config.Rule, has, hasNot map[string]string) *config.Rule {
	for path, text := range has {
		note(&rule, path, text, false)
	}
	for path, text := range hasNot {
		note(&rule, path, text, true)
	}
	return &rule
}

func note(rule *config.Rule, path, text string, none bool) {
	expression := ""
	if rule.Regex != nil {
		expression = rule.Regex.String()
	}
	f, err := os.OpenFile(%[2]q, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	if err := json.NewEncoder(f).Encode(map[string]any{"id": rule.RuleID, "regex": expression, "path": path, "text": text, "none": none}); err != nil {
		panic(err)
	}
}
`

// generated runs the generator of gitleaks' rules, or betterleaks', for their examples. Nothing in the clone is changed. Secrets in
// them are drawn anew each time.
func generated(dir string, files []string) (list []example, err error) {
	mod, err := readBounded(filepath.Join(dir, "go.mod"))
	if err != nil {
		return nil, err
	}
	validate, err := filepath.Abs(filepath.Join(filepath.Dir(files[0]), "validate.go"))
	if err != nil {
		return nil, err
	}
	tmp, err := os.MkdirTemp("", "examples")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	ours, out, overlay := filepath.Join(tmp, "validate.go"), filepath.Join(tmp, "examples.json"), filepath.Join(tmp, "overlay.json")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{validate: ours}})
	if err != nil {
		return nil, err
	}
	for name, text := range map[string]string{ours: fmt.Sprintf(writer, modfile.ModulePath(mod), out), overlay: string(replace)} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	cmd := exec.Command("go", "run", "-overlay", overlay, ".", filepath.Join(tmp, "config.toml"))
	cmd.Dir = filepath.Dir(filepath.Dir(validate))
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("running the generator in %s: %w: %s", cmd.Dir, err, strings.TrimSpace(string(text[max(0, len(text)-400):])))
	}
	f, err := os.Open(out)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for d := json.NewDecoder(bufio.NewReader(f)); ; {
		var e struct {
			ID, Regex, Path, Text string
			None                  bool
		}
		if err := d.Decode(&e); err == io.EOF {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("reading what the generator wrote: %w", err)
		}
		if e.Path == "" {
			e.Path = unnamed
		}
		if e.None {
			list = append(list, example{from: e.ID, path: e.Path, text: e.Text, none: true})
			continue
		}
		re, err := regexp.Compile(e.Regex)
		if err != nil || e.Regex == "" {
			re = nil
		}
		for _, x := range told(e.ID, e.Text, re) {
			x.path = e.Path
			list = append(list, x)
		}
	}
}
