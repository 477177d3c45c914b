package brief

import (
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
)

// toolsOf are the commands that run what a manifest is of, by its base name or its ending, in lower case.
var toolsOf = map[string]string{
	"cargo.toml": "cargo", "go.mod": "go", "package.json": "npm pnpm yarn bun npx node jest vitest mocha", "deno.json": "deno", "deno.jsonc": "deno",
	"pyproject.toml": pythonTools, "setup.py": pythonTools, "setup.cfg": pythonTools, "tox.ini": pythonTools, "noxfile.py": pythonTools, "pixi.toml": pythonTools, "pipfile": pythonTools, "requirements.txt": pythonTools,
	"pom.xml": "mvn mvnw", "build.gradle": "gradle gradlew", "build.gradle.kts": "gradle gradlew", "build.sbt": "sbt", "gemfile": "bundle rake rspec", "rakefile": "bundle rake rspec",
	"composer.json": "composer phpunit", "mix.exs": "mix", "pubspec.yaml": "dart flutter", "package.swift": "swift",
	".csproj": "dotnet", ".fsproj": "dotnet", ".sln": "dotnet", ".slnx": "dotnet",
}

const pythonTools = "pytest tox nox python python3 uv hatch poetry pdm pipenv"

// tools are all commands that run what some manifest is of.
var tools = func() map[string]bool {
	all := map[string]bool{}
	for _, list := range toolsOf {
		for tool := range strings.FieldsSeq(list) {
			all[tool] = true
		}
	}
	return all
}()

// ownTools returns the commands that the repository's manifests are run by.
func (w *shelves) ownTools() map[string]bool {
	own := map[string]bool{}
	for i, m := range w.Members {
		if m.Role != Manifest {
			continue
		}
		base := strings.ToLower(path.Base(w.Members[i].Path))
		for _, list := range []string{toolsOf[base], toolsOf[path.Ext(base)]} {
			for tool := range strings.FieldsSeq(list) {
				own[tool] = true
			}
		}
	}
	return own
}

// testsOthers reports whether most lines of a manifest that test do so with tools that nothing in the repository is built by: a workflow that
// tries what others build on it, in their languages.
func (m *manifest) testsOthers(own map[string]bool) bool {
	others := 0
	for _, n := range m.steps {
		if !m.testsAt(n) {
			continue
		}
		words := language.Words(m.lines[n-1])
		switch {
		case slices.ContainsFunc(words, func(word string) bool { return own[word] }):
			others--
		case slices.ContainsFunc(words, func(word string) bool { return tools[word] }):
			others++
		}
	}
	return others > 0
}
