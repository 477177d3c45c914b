package project

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/text"
)

// maxSettings and maxValues bound what is named of a file of settings.
const maxSettings, maxValues = 6, 4

// Settings tells what stands at the top of a file of settings, and below it.
func Settings(name string, b []byte) (claim.Claim, bool) {
	var list settings
	switch strings.ToLower(path.Ext(name)) {
	case ".json", ".jsonc", ".json5":
		list.addJSON(b)
	case ".yaml", ".yml":
		list.addYAML(b)
	case ".toml":
		n := 0
		for line := range bytes.Lines(b) {
			n++
			if m := tomlTable.FindSubmatch(line); m != nil {
				list.add(string(m[1]), n, nil)
			}
		}
	case ".work":
		return modulesOf(name, b)
	}
	if len(list.said) == 0 {
		return claim.Claim{}, false
	}
	return claim.New([]claim.Citation{claim.Span(name, 1, list.last)}, "It sets %s", claim.Own(strings.Join(list.said, ", "))), true
}

// settings are what is told of a file of settings.
type settings struct {
	said []string
	last int // the line of the last of them
}

// add tells a key and the first of its values.
func (l *settings) add(key string, line int, values []string) {
	if len(l.said) >= maxSettings || key == "" || key == "//" || key == "$schema" {
		return
	}
	said := text.Name(claim.OneLine(key, 40))
	if len(values) > 0 {
		more := ""
		if n := len(values) - maxValues; n > 0 {
			values, more = values[:maxValues], ", …"
		}
		said += " (" + claim.Plainly(values) + more + ")"
	}
	l.said = append(l.said, said)
	l.last = max(l.last, line)
}

// addJSON adds the members of an object; of what is no JSON nothing.
func (l *settings) addJSON(b []byte) {
	b, err := relaxed(b)
	if err != nil {
		return
	}
	top, _ := object(b)
	for _, m := range top {
		var values []string
		for _, in := range m.inner() {
			values = append(values, claim.OneLine(in.key, 40))
		}
		if values == nil {
			for _, s := range m.strs() {
				values = append(values, claim.OneLine(s, 60))
			}
		}
		if s := string(m.value); values == nil && isShortScalar(m.value) {
			values = []string{s}
		}
		l.add(m.key, m.line, values)
	}
}

// isShortScalar reports whether a JSON value is a truth, or another value that is short and neither text, list nor object.
func isShortScalar(value []byte) bool {
	if s := string(value); s == "true" || s == "false" {
		return true
	}
	return json.Valid(value) && len(value) < 12 && strings.IndexByte(`[{"`, value[0]) < 0
}

// addYAML adds the pairs of a mapping; of what is no YAML nothing.
func (l *settings) addYAML(b []byte) {
	root, err := yamlRoot(b)
	if err != nil {
		return
	}
	for _, p := range yamlPairs(root) {
		var values []string
		for _, in := range yamlPairs(p.value) {
			values = append(values, claim.OneLine(in.key.Value, 40))
		}
		for _, in := range p.value.Content {
			if p.value.Kind == yaml.SequenceNode && in.Kind == yaml.ScalarNode {
				values = append(values, claim.OneLine(in.Value, 60))
			}
		}
		if p.value.Kind == yaml.ScalarNode && p.value.Value != "" {
			values = []string{claim.OneLine(p.value.Value, 60)}
		}
		l.add(p.key.Value, p.key.Line, values)
	}
}

// modulesOf tells the modules that a go.work joins.
func modulesOf(name string, b []byte) (claim.Claim, bool) {
	var uses []string
	n, last, open := 0, 0, false
	for line := range strings.Lines(string(b)) {
		n++
		line, _, _ = strings.Cut(strings.TrimSpace(line), "//")
		rest, use := strings.CutPrefix(line, "use ")
		switch {
		case use && strings.TrimSpace(rest) == "(":
			open = true
		case line == ")":
			open = false
		case use, open && line != "":
			uses = append(uses, claim.OneLine(strings.TrimSpace(strings.TrimPrefix(rest, "use ")), 60))
			last = n
		}
	}
	if len(uses) == 0 {
		return claim.Claim{}, false
	}
	said := claim.Own(claim.Plainly(uses[:min(len(uses), maxValues)]))
	if more := len(uses) - maxValues; more > 0 {
		said += " and " + claim.Count(more, "more folder")
	}
	return claim.New([]claim.Citation{claim.Span(name, 1, last)}, "It joins the modules in %s", said), true
}

var tomlTable = lazyregexp.New(`^\[([\w."-]+)\]`)
