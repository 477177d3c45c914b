package project

import (
	"fmt"
	"path"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/source"
)

// npmKinds is what a project needs the packages of each list for.
var npmKinds = map[string]string{"dependencies": "runtime", "optionalDependencies": Optional, "devDependencies": "dev", "peerDependencies": "peer"}

// parseNPM reads package.json.
func parseNPM(f *Facts, p *Project, b []byte) error {
	p.Ecosystem = "node"
	top, err := object(b)
	for _, m := range top {
		switch m.key {
		case "name":
			p.call(m.str(), m.line)
		case "version":
			p.version = claim.OneLine(m.str(), 50)
		case "description":
			p.describe(m.str(), m.line)
		case "main", "module":
			p.enter(m.str(), "library", "", m.line)
		case "exports":
			p.exported(m, 0)
		case "browser":
			if s := m.str(); s != "" {
				p.enter(s, "library", "", m.line)
			}
		case "bin":
			if s := m.str(); s != "" {
				p.enter(s, "cli", p.Name, m.line)
			}
			for _, c := range m.inner() {
				p.enter((member{value: c.value}).str(), "cli", c.key, c.line)
			}
		case "scripts":
			for _, s := range m.inner() {
				p.Scripts = append(p.Scripts, Script{claim.OneLine(s.key, 100), claim.OneLine(s.str(), 200), s.line})
				switch s.key {
				case "preinstall", "install", "postinstall":
					p.Concerns = append(p.Concerns, claim.New([]claim.Citation{claim.Cite(p.Path, s.line)}, "Installing the package runs a command of its own: %s", s.key))
				}
			}
		case "dependencies", "optionalDependencies", "devDependencies", "peerDependencies":
			p.npmDeps(m, npmKinds[m.key])
		case "workspaces":
			p.members, p.MembersLine = m.strs(), m.line
			for _, in := range m.inner() {
				if in.key == "packages" {
					p.members, p.MembersLine = in.strs(), in.line
				}
			}
		case "private":
			p.Private = string(m.value) == "true"
		case "packageManager":
			p.Build, _, _ = strings.Cut(claim.OneLine(m.str(), 50), "@")
			p.BuildLine = m.line
		case "type":
			if m.str() == "module" {
				p.Patterns = append(p.Patterns, claim.New([]claim.Citation{claim.Cite(p.Path, m.line)}, "Modules are ECMAScript modules"))
			}
		}
	}
	if p.Build == "" {
		p.Build = f.nodeBuild(p.Dir)
	}
	p.framework("vitest", "jest", "mocha", "ava", "tap", "jasmine", "qunit", "uvu", "@playwright/test", "cypress", "karma", "tape", "node-tap")
	if p.Test == "" {
		for _, s := range p.Scripts {
			if s.Name == "test" && strings.Contains(s.Command, "node --test") {
				p.Test, p.TestLine = "node:test", s.Line
			}
		}
	}
	return err
}

// exported enters the files that "exports" leads to, conditions and subpaths alike.
func (p *Project) exported(m member, depth int) {
	if s := m.str(); s != "" {
		if !strings.HasSuffix(s, ".d.ts") && !strings.HasSuffix(s, ".json") {
			p.enter(s, "library", "", m.line)
		}
		return
	}
	if depth > 10 || len(p.Entries) > 100 {
		return
	}
	for _, in := range m.inner() {
		p.exported(in, depth+1)
	}
}

func (p *Project) npmDeps(m member, kind string) {
	for _, d := range m.inner() {
		v := d.str()
		p.need(d.key, v, kind, d.line)
		if v == "*" || v == "latest" {
			p.Concerns = append(p.Concerns, claim.New([]claim.Citation{claim.Cite(p.Path, d.line)}, "The version of dependency %s is not bounded: %s", claim.OneLine(d.key, 200), v))
		}
	}
}

// nodeBuild tells the package manager of a folder.
func (f *Facts) nodeBuild(dir string) string { return NodeManager(dir, f.Present) }

// NodeManager is the package manager of a folder of Node.js: the one whose lock file is present in it, or nearest above.
func NodeManager(dir string, present func(path string) bool) string {
	for {
		for _, l := range [][2]string{{"pnpm-lock.yaml", "pnpm"}, {"yarn.lock", "yarn"}, {"bun.lock", "bun"}, {"bun.lockb", "bun"}, {"package-lock.json", "npm"}} {
			if present(path.Join(dir, l[0])) {
				return l[1]
			}
		}
		if dir == "" {
			return "npm"
		}
		dir = source.DirOf(dir)
	}
}

func parsePNPM(_ *Facts, p *Project, b []byte) error {
	p.Ecosystem, p.Build, p.Tool = "node", "pnpm", true
	root, err := yamlRoot(b)
	if err != nil {
		return err
	}
	for _, kv := range yamlPairs(root) {
		if kv.key.Value == "packages" {
			p.MembersLine = kv.key.Line
			for _, n := range kv.value.Content {
				if n.Kind == yaml.ScalarNode {
					p.members = append(p.members, n.Value)
				}
			}
		}
	}
	return nil
}

func parseDeno(_ *Facts, p *Project, b []byte) error {
	p.Ecosystem, p.Build, p.Test = "deno", "deno", "deno test"
	b, err := relaxed(b)
	if err != nil {
		return err
	}
	top, err := object(b)
	for _, m := range top {
		switch m.key {
		case "name":
			p.call(m.str(), m.line)
		case "description":
			p.describe(m.str(), m.line)
		case "exports":
			p.exported(m, 0)
		case "imports":
			for _, d := range m.inner() {
				p.need(d.key, d.str(), "runtime", d.line)
			}
		case "tasks":
			for _, s := range m.inner() {
				p.Scripts = append(p.Scripts, Script{claim.OneLine(s.key, 100), claim.OneLine(s.str(), 200), s.line})
			}
		case "workspace":
			p.members, p.MembersLine = m.strs(), m.line
		}
	}
	return err
}

// parseTSConfig reads what says something of the project's habits.
func parseTSConfig(_ *Facts, p *Project, b []byte) error {
	b, err := relaxed(b)
	if err != nil {
		return err
	}
	top, err := object(b)
	p.Ecosystem, p.Tool = "node", true
	for _, m := range top {
		switch m.key {
		case "compilerOptions":
			for _, o := range m.inner() {
				cite := []claim.Citation{claim.Cite(p.Path, o.line)}
				switch v := string(o.value); o.key {
				case "strict":
					if v == "true" {
						p.Patterns = append(p.Patterns, claim.New(cite, "TypeScript checks strictly"))
					} else {
						p.Concerns = append(p.Concerns, claim.New(cite, "TypeScript's strict checks are off"))
					}
				case "paths":
					if n := len(o.inner()); n > 0 {
						p.Patterns = append(p.Patterns, claim.New(cite, "Imports go through %s", claim.Count(n, "path alias")))
					}
				case "experimentalDecorators":
					if v == "true" {
						p.Patterns = append(p.Patterns, claim.New(cite, "Decorators of the experimental kind are allowed"))
					}
				}
			}
		case "references":
			var refs []struct{ Path string }
			if unmarshalLenient(m.value, &refs) && len(refs) > 0 {
				p.Patterns = append(p.Patterns, claim.New([]claim.Citation{claim.Cite(p.Path, m.line)}, "TypeScript builds %s", claim.Count(len(refs), "referenced project")))
			}
		}
	}
	return err
}

// pair is a key and its value in a YAML mapping.
type pair struct{ key, value *yaml.Node }

// yamlRoot parses the first document. Aliases are never expanded.
func yamlRoot(b []byte) (*yaml.Node, error) {
	if d := nesting(b); d > 1000 {
		return nil, fmt.Errorf("reading YAML: nested %d deep", d)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(b, &doc); err != nil {
		msg := strings.TrimPrefix(err.Error(), "yaml: ")
		var line int
		if n, _ := fmt.Sscanf(msg, "line %d:", &line); n == 1 {
			_, msg, _ = strings.Cut(msg, ": ")
		}
		return nil, source.LineError{Line: line, Err: fmt.Errorf("reading YAML: %s", msg)}
	}
	if len(doc.Content) == 0 {
		return &yaml.Node{}, nil
	}
	return doc.Content[0], nil
}

func yamlPairs(n *yaml.Node) []pair {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	var out []pair
	for i := 0; i+1 < len(n.Content); i += 2 {
		out = append(out, pair{n.Content[i], n.Content[i+1]})
	}
	return out
}
