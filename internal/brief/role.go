package brief

import (
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
)

// Role is what a file of a repository is for, which says where in the repository's document it may stand.
type Role uint8

const (
	// Code is what the program is made of.
	Code Role = iota
	// Manifest says how the program is built, run and tested.
	Manifest
	// Configuration sets up the program, or a tool, and does nothing itself.
	Configuration
	// Manual is written for people.
	Manual
	// Test is a test, or what tests read.
	Test
	// Aside is an example, generated, vendored, or no longer to be used.
	Aside
	// Rest is everything else: data, locks, licences. It never stands in a document of a repository.
	Rest
)

// roleNames are what files of a role are called in a list of counts.
var roleNames = [Rest + 1]string{"code", "manifests", "configuration", "manuals", "tests", "examples, documentation and the like", "other"}

// RoleOf tells what a file is for from its path alone.
func RoleOf(name string) Role {
	base := strings.ToLower(path.Base(name))
	stem, _, _ := strings.Cut(base, ".")
	switch {
	case language.IsNoise(name, nil), licences[stem] && !language.Is(name, language.Code): // History.java does something
		return Rest
	case manifests[base] || isIncluded(name) || phrasedBy(name) != "" || projectExtensions[strings.TrimPrefix(path.Ext(base), ".")] || language.IsRequirements(name) || path.Dir(name) == ".github/workflows" || isPipeline(name) || language.IsDockerfile(name):
		switch {
		case language.IsAside(name):
			return Aside
		case isIncluded(name) && !language.IsTest(path.Join(path.Dir(name), "rules.mk")):
			return Manifest // test.mk says how tests are run
		case path.Dir(name) != ".github/workflows" && language.IsTest(name):
			return Test // what tests read
		}
		return Manifest
	case language.IsTest(name):
		return Test
	case language.IsAside(name), language.IsWrapper(name):
		return Aside
	}
	l := language.Of(name)
	switch {
	case path.Ext(base) == ".ipynb", language.IsPlaybook(name):
		return Code // which define what other data does not
	case configures(base, l), language.IsCluster(name):
		return Configuration
	case l == nil || l.Kind == language.Data:
		return Rest
	case l.Kind == language.Prose:
		return Manual
	}
	return Code
}

// PutAside makes code below hidden folders no part of the program, by the paths and roles of all files: it serves a tool, as what stands in
// .devcontainer does. Where most code is hidden, as settings of a home are, that is what the repository is of.
func PutAside(names []string, roles []Role) {
	var hidden []int
	seen := 0
	for i, name := range names {
		switch {
		case roles[i] != Code:
		case strings.Contains("/"+path.Dir(name), "/.") && path.Dir(name) != ".":
			hidden = append(hidden, i)
		default:
			seen++
		}
	}
	if len(hidden) > seen {
		return
	}
	for _, i := range hidden {
		roles[i] = Aside
	}
}

// configures reports whether a file of such a base name, in lower case, only sets up a tool or the program: vite.config.ts, .eslintrc.js,
// appsettings.json, application-dev.yml.
func configures(base string, l *language.Language) bool {
	if l == nil || l.Kind == language.Prose {
		return language.IsConstraints(base)
	}
	stem := strings.TrimSuffix(base, path.Ext(base))
	if strings.HasSuffix(stem, ".config") || strings.HasSuffix(stem, ".conf") || stem != "" && stem[0] == '.' && strings.HasSuffix(stem, "rc") {
		return true
	}
	words := language.Words(stem)
	return l.Kind == language.Data && len(words) > 0 && settingWords[words[0]] || keepsSettings[path.Ext(base)]
}

// keepsSettings are the endings of files that hold settings whatever they are called: src/http/ext.conf.
var keepsSettings = map[string]bool{".conf": true, ".ini": true}

// settingWords are those that names of files begin with in which a program finds its settings.
var settingWords = language.WordSet("application appsettings app settings config configuration conf default defaults bootstrap values")

// licences are base names, up to the first dot, of texts that say nothing of the program.
var licences = language.WordSet("license licence copying notice authors contributors maintainers codeowners changelog changes history news patents")

// manifests are base names of files that say how a program is built, run and tested.
var manifests = language.WordSet("package.json deno.json deno.jsonc makefile gnumakefile makefile.am justfile taskfile.yml taskfile.yaml pyproject.toml setup.py setup.cfg tox.ini noxfile.py cargo.toml go.mod " +
	"docker-compose.yml docker-compose.yaml compose.yml compose.yaml pom.xml build.gradle build.gradle.kts settings.gradle settings.gradle.kts composer.json gemfile rakefile cmakelists.txt meson.build mix.exs pubspec.yaml " +
	"action.yml action.yaml turbo.json nx.json procfile build.sbt .pre-commit-config.yaml .pre-commit-config.yml package.swift configure.ac configure.in androidmanifest.xml pixi.toml mise.toml .mise.toml pipfile makefile.toml elm.json")
