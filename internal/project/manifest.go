package project

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/source"
)

// ManifestReader reads one manifest into p. An error does not undo what was read before
// it; a project whose ecosystem stays empty is none.
type ManifestReader func(f *Facts, p *Project, b []byte) error

// readers by base name in lower case.
var readers = map[string]ManifestReader{
	"package.json":        parseNPM,
	"pnpm-workspace.yaml": parsePNPM,
	"deno.json":           parseDeno,
	"deno.jsonc":          parseDeno,
	"tsconfig.json":       parseTSConfig,
	"go.mod":              parseGoMod,
	"go.work":             parseGoWork,
	"pyproject.toml":      parsePyproject,
	"setup.cfg":           parseSetupCfg,
	"setup.py":            parseSetupPy,
	"pipfile":             parsePipfile,
	"environment.yml":     recognise("python", "conda", false),
	"cargo.toml":          parseCargo,
	"pom.xml":             parsePOM,
	"build.gradle":        parseGradle,
	"build.gradle.kts":    parseGradle,
	"settings.gradle":     parseGradleSettings,
	"settings.gradle.kts": parseGradleSettings,
	"build.sbt":           named("jvm", "sbt", false, `^\s*(?:ThisBuild / )?name\s*:=\s*"([^"]+)"`),
	"composer.json":       parseComposer,
	"gemfile":             parseGemfile,
	"mix.exs":             named("elixir", "mix", false, `^\s*app:\s*:(\w+)`),
	"package.swift":       named("swift", "swiftpm", false, `^\s*(?:let package = Package\(\s*)?name:\s*"([^"]+)"`),
	"pubspec.yaml":        parsePubspec,
	"rebar.config":        recognise("erlang", "rebar3", false),
	"stack.yaml":          recognise("haskell", "stack", false),
	"dune-project":        named("ocaml", "dune", false, `^\s*\(name\s+([\w.-]+)\)`),
	"build.zig":           recognise("zig", "zig", false),
	"cmakelists.txt":      named("cpp", "cmake", true, `(?i)^\s*project\s*\(\s*([\w.+-]+)`),
	"meson.build":         named("cpp", "meson", true, `^\s*project\s*\(\s*'([^']+)'`),
	"configure.ac":        named("cpp", "autotools", true, `^\s*AC_INIT\s*\(\s*\[?([\w .+-]+)`),
	"module.bazel":        named("bazel", "bazel", true, `^\s*(?:module\(\s*)?name\s*=\s*"([^"]+)"`),
	"workspace":           recognise("bazel", "bazel", true),
	"workspace.bazel":     recognise("bazel", "bazel", true),
	"flake.nix":           recognise("nix", "nix", true),
	"default.nix":         recognise("nix", "nix", true),
	"dockerfile":          recognise("docker", "docker", true),
	"docker-compose.yml":  recognise("docker", "docker compose", true),
	"docker-compose.yaml": recognise("docker", "docker compose", true),
	"compose.yaml":        recognise("docker", "docker compose", true),
	"makefile":            recognise("make", "make", true),
}

// ReaderOf is the reader of a path, or nil when it is no manifest.
func ReaderOf(name string) ManifestReader {
	base := strings.ToLower(path.Base(name))
	if p := readers[base]; p != nil {
		return p
	}
	switch path.Ext(base) {
	case ".csproj", ".fsproj", ".vbproj":
		return parseMSBuild
	case ".sln", ".slnx":
		return parseSolution
	case ".gemspec":
		return parseGemspec
	case ".cabal":
		return named("haskell", "cabal", false, `(?i)^name:\s*([\w-]+)`)
	}
	if language.IsRequirements(name) {
		return parseRequirements
	}
	return nil
}

// recognise is the reader of files that tell by being there.
func recognise(ecosystem, build string, tool bool) ManifestReader {
	return func(_ *Facts, p *Project, _ []byte) error {
		p.Ecosystem, p.Build, p.Tool = ecosystem, build, tool
		return nil
	}
}

// named is the reader of files of which the first line that an expression finds says what the project is called.
func named(ecosystem, build string, tool bool, says string) ManifestReader {
	name := lazyregexp.New(says)
	return func(_ *Facts, p *Project, b []byte) error {
		p.Ecosystem, p.Build, p.Tool = ecosystem, build, tool
		n := 0
		for line := range bytes.Lines(b) {
			n++
			if len(line) > 2000 {
				continue
			}
			if m := name.FindSubmatch(line); m != nil {
				p.call(string(m[1]), n)
				break
			}
		}
		return nil
	}
}

func (p *Project) describe(text string, line int) {
	if text = claim.OneLine(text, 300); text != "" {
		p.Description = claim.Quote{Text: text, Path: p.Path, Line: line}
	}
}

// call names the project; a name is one line of at most 200 runes.
func (p *Project) call(name string, line int) { p.Name, p.NameLine = claim.OneLine(name, 200), line }

func (p *Project) need(name, version, kind string, line int) {
	if name = claim.OneLine(name, 200); name != "" {
		p.Dependencies = append(p.Dependencies, Dependency{name, claim.OneLine(version, 100), kind, line})
	}
}

// enter adds an entry point named relative to the manifest. Patterns and what
// leads out are left aside.
func (p *Project) enter(file, kind, name string, line int) {
	file = path.Join(p.Dir, strings.TrimPrefix(file, "./"))
	if file == "" || strings.ContainsAny(file, "*{") || file == ".." || strings.HasPrefix(file, "../") {
		return
	}
	p.Entries = append(p.Entries, Way{file, kind, claim.OneLine(name, 200), line})
}

// framework sets test to the first of the names that the project depends on.
func (p *Project) framework(names ...string) {
	for _, n := range names {
		for _, d := range p.Dependencies {
			if d.Name == n {
				p.Test, p.TestLine = n, d.Line
				return
			}
		}
	}
}

// member is one key of a JSON object, in the order of the file.
type member struct {
	key   string
	line  int
	value json.RawMessage
}

// members reads a JSON object whose text begins on the given line. Values of
// another kind have no members, as an absent key has none.
func members(b []byte, line int) ([]member, error) {
	dec := json.NewDecoder(bytes.NewReader(b))
	fail := func(err error) error {
		return source.LineError{Line: line + bytes.Count(b[:clip(ErrorOffset(err, dec), len(b))], newline), Err: fmt.Errorf("reading JSON: %w", err)}
	}
	t, err := dec.Token()
	if err != nil {
		return nil, fail(err)
	}
	if t != json.Delim('{') {
		return nil, nil
	}
	var out []member
	at := int64(0)
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return out, fail(err)
		}
		line += bytes.Count(b[at:dec.InputOffset()], newline)
		at = dec.InputOffset()
		m := member{key: key.(string), line: line}
		if err := dec.Decode(&m.value); err != nil {
			// The lines up to here are counted in line already.
			off := clip(ErrorOffset(err, dec), len(b))
			return out, source.LineError{Line: line + bytes.Count(b[min(int(at), off):off], newline), Err: fmt.Errorf("reading JSON: %w", err)}
		}
		out = append(out, m)
	}
	if _, err := dec.Token(); err != nil {
		return out, fail(err)
	}
	return out, nil
}

// object reads a JSON document that must be an object.
func object(b []byte) ([]member, error) {
	if s := bytes.TrimLeft(b, " \t\r\n"); len(s) > 0 && s[0] != '{' {
		return nil, source.LineError{Line: 1 + bytes.Count(b[:len(b)-len(s)], newline), Err: errors.New("reading JSON: not an object")}
	}
	return members(b, 1)
}

var newline = []byte{'\n'}

func clip(n int64, most int) int { return int(max(0, min(n, int64(most)))) }

// ErrorOffset is where in a document an error of its decoder is, in bytes.
func ErrorOffset(err error, dec *json.Decoder) int64 {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return syntax.Offset
	}
	return dec.InputOffset()
}

// str is the member's value where it is a string, else "".
func (m member) str() string {
	var s string
	if json.Unmarshal(m.value, &s) != nil {
		return ""
	}
	return s
}

// strs is the member's value where it is a list of strings, or one string.
func (m member) strs() []string {
	var list []json.RawMessage
	if json.Unmarshal(m.value, &list) != nil {
		if s := m.str(); s != "" {
			return []string{s}
		}
		return nil
	}
	var out []string
	for _, v := range list {
		if s := (member{value: v}).str(); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// inner are the members of the member's value. The value is known to be JSON.
func (m member) inner() []member {
	in, _ := members(m.value, m.line)
	return in
}

// relaxed turns JSON with comments and trailing commas into JSON, each byte in
// its place.
func relaxed(b []byte) ([]byte, error) {
	if d := nesting(b); d > 1000 {
		return nil, fmt.Errorf("reading JSON: nested %d deep", d)
	}
	out, err := hujson.Standardize(bytes.Clone(b))
	if err != nil {
		var line int
		msg := strings.TrimPrefix(err.Error(), "hujson: ")
		if n, _ := fmt.Sscanf(msg, "line %d,", &line); n == 1 {
			_, msg, _ = strings.Cut(msg, ": ")
		}
		return nil, source.LineError{Line: line, Err: fmt.Errorf("reading JSON: %s", msg)}
	}
	return out, nil
}

// nesting is a bound on how deep brackets nest, strings included. Parsers that
// call themselves for each level must not see more than a stack holds.
func nesting(b []byte) int {
	depth, most := 0, 0
	for _, c := range b {
		switch c {
		case '[', '{':
			if depth++; depth > most {
				most = depth
			}
		case ']', '}':
			depth--
		}
	}
	return most
}

// Dependencies are the packages that a manifest of that path names; none of a file that is no manifest, or is damaged.
func Dependencies(name string, b []byte) []Dependency {
	read := ReaderOf(name)
	if read == nil || len(b) > MaxManifestBytes {
		return nil
	}
	p := &Project{Path: name, Dir: source.DirOf(name)}
	if err := read(&Facts{Snapshot: &scan.Snapshot{}, Files: map[string]*scan.File{}}, p, b); err != nil {
		return p.Dependencies
	}
	return p.Dependencies
}
