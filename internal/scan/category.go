package scan

import (
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
)

// Classify tells the type and category of a file from its path alone. A path
// that ends in "/" is a folder: TypeUnknown, and the category of what such a
// folder holds.
//
// The category is the first that matches:
//
//	dependency     below node_modules, vendor, a virtual environment, ...
//	config         a manifest or a tool's settings, by name; any .toml, .ini,
//	               .cfg, .conf or .properties; .json and .yaml at the root and
//	               below folders named config, .github and the like
//	test           below test, tests, testdata, fixtures, ...; or a source file
//	               whose base name's first or last word is test (or last, spec)
//	documentation  .md, .rst, .adoc, .txt; README, LICENSE and their like;
//	               what is not source below doc or docs
//	entrypoint     main.*, index.*, app.*, server.* and the names that
//	               frameworks give them
//	auth, api, database   a word of the base name is one of a list; source below
//	               a folder of migrations; a repository is a database's unless the
//	               base name or a folder says what else is kept in it: packages,
//	               git, artifacts, ...
//	build          build outputs, and the files that build: Makefile, Dockerfile
//	source         by extension
//	other
//
// Words are what is left between punctuation, digits' ends and changes of case:
// apiClient has api, capability has not. Case does not matter anywhere.
func Classify(name string) (Type, Category) {
	if dir, ok := strings.CutSuffix(name, "/"); ok {
		return TypeUnknown, classifyFolder(dir)
	}
	n := newName(name)
	return n.kind(), n.category()
}

// name is a path taken apart once. All parts are in lower case.
type name struct {
	// test says that it is a test's, or of what tests read.
	test       bool
	path, base string
	stem, ext  string // base = stem + ext; ext is without dot
	folders    []string
	words      []string // of stem
	// language is nil where the name says none; code, whether it is one that says what a program does or shows.
	language *language.Language
	code     bool
}

func newName(p string) name {
	dir, base := path.Split(p)
	n := name{path: strings.ToLower(p), base: strings.ToLower(base)}
	if i := strings.LastIndexByte(base, '.'); i > 0 {
		n.ext = strings.ToLower(base[i+1:])
		n.stem = base[:i]
	} else {
		n.stem = base
	}
	n.words = language.Words(n.stem)
	n.language = language.Of(base)
	n.test = language.IsTest(p)
	// Notebooks are data by their form, and code by what they are for.
	n.code = n.is(language.Code) || n.is(language.Markup) || n.ext == "ipynb"
	n.stem = strings.ToLower(n.stem)
	if dir != "" {
		n.folders = strings.Split(strings.ToLower(dir[:len(dir)-1]), "/")
	}
	return n
}

// is reports whether the file's language is of this kind.
func (n *name) is(kind language.Kind) bool { return n.language != nil && n.language.Kind == kind }

var (
	imageExts  = language.WordSet("png jpg jpeg gif ico bmp webp avif tif tiff svg psd heic icns")
	dataExts   = language.WordSet("parquet avro arrow orc feather h5 hdf5 npy npz pkl db sqlite sqlite3 mdb rdb arff sav dta rds") // beside tables
	binaryExts = language.WordSet("exe dll so dylib a lib o obj wasm class jar war ear pyc pyo pyd whl egg bin iso img dmg deb rpm apk ipa msi" +
		" zip tar tgz gz bz2 xz zst 7z rar lz4 br pdf doc docx xls xlsx ppt pptx odt ods" +
		" mp3 mp4 m4a m4v wav ogg oga ogv flac avi mov mkv webm ttf otf woff woff2 eot node nupkg keystore jks p12 pfx der")

	// Texts that are in no language.
	textExts = language.WordSet("lock sum mod work diff patch sln podspec cabal snap map pem crt key pub asc csr gitignore gitattributes")

	dependencyFolders = language.WordSet("node_modules bower_components jspm_packages vendor .venv venv __pypackages__ site-packages .bundle .yarn deps")
	outputFolders     = language.WordSet("dist build out target .next .nuxt .output .svelte-kit coverage bazel-bin bazel-out __generated__ cmake-build-debug cmake-build-release")
	docFolders        = language.WordSet("doc docs documentation man")
	configFolders     = language.WordSet("config configs conf .config .github .circleci .vscode .devcontainer .husky .changeset")
	ciFolders         = language.WordSet(".github .circleci .gitlab .buildkite")

	docNames = language.WordSet("readme license licence copying notice changelog changes history news authors contributors contributing maintainers" +
		" codeowners owners security install todo faq code_of_conduct roadmap support governance upgrading")

	// Manifests and compiler settings: what a project is and how its language is set up.
	manifestNames = language.WordSet("package.json deno.json deno.jsonc jsr.json tsconfig.json jsconfig.json pnpm-workspace.yaml lerna.json nx.json turbo.json rush.json" +
		" go.mod go.work pyproject.toml setup.py setup.cfg pipfile environment.yml environment.yaml cargo.toml" +
		" pom.xml build.gradle build.gradle.kts settings.gradle settings.gradle.kts build.sbt gemfile composer.json mix.exs package.swift" +
		" pubspec.yaml project.clj deps.edn cmakelists.txt meson.build module.bazel workspace.bazel flake.nix rebar.config stack.yaml dune-project" +
		" global.json directory.build.props directory.packages.props nuget.config gleam.toml zon.build build.zig.zon")
	manifestExts = language.WordSet("csproj fsproj vbproj sln gemspec podspec cabal")
	// What builds, packs and runs it.
	buildNames = language.WordSet("makefile gnumakefile dockerfile containerfile justfile taskfile.yml taskfile.yaml rakefile build.bazel build workspace" +
		" jenkinsfile procfile vagrantfile brewfile earthfile tiltfile magefile.go gulpfile.js gruntfile.js build.zig build.rs configure.ac makefile.am" +
		" .gitlab-ci.yml .travis.yml azure-pipelines.yml appveyor.yml bitbucket-pipelines.yml cloudbuild.yaml" +
		" docker-compose.yml docker-compose.yaml compose.yml compose.yaml action.yml action.yaml")
	configNames = language.WordSet("gradle.properties tox.ini pytest.ini mypy.ini manifest.in .babelrc .browserslistrc .npmrc .yarnrc .nvmrc .node-version .python-version .tool-versions" +
		" .editorconfig .gitignore .gitattributes .gitmodules .dockerignore .npmignore .mailmap netlify.toml vercel.json firebase.json app.json")

	entryStems = language.WordSet("main index app server __main__ wsgi asgi manage program cli")
	// Folders of parts that programs share: nothing begins there, whatever it is called.
	helperFolders = language.WordSet("utils util helpers helper")
	// Folders of words in other languages: lang/en/server.php says what a server is called.
	translationFolders = language.WordSet("lang locale locales i18n l10n translations")
	// Languages that say what is there, or what is to be built, and start nothing.
	declaring = language.WordSet("Assembly CMake CUDA Dockerfile GraphQL HCL Make Nix Prisma Sed Shaders SQL Starlark Terraform Thrift Verilog VHDL")

	authWords = language.WordSet("auth oauth oauth2 authn authz authenticate authenticated authentication authenticator authorize authorized authorization authorizer" +
		" login logins logout signin signout signup session sessions jwt jwts sso saml oidc openid passport")
	securityWords = language.WordSet("permission permissions rbac acl acls abac policy policies role roles security")
	apiWords      = language.WordSet("route routes router routers routing controller controllers handler handlers api apis endpoint endpoints")
	databaseWords = language.WordSet("model models schema schemas schemata migration migrations migrate query queries repository repositories dao orm db database")
	// Folders whose source changes a database's shape, but below those whose source changes
	// source.
	migrationFolders = language.WordSet("migrations migration migrate")
	codemodFolders   = language.WordSet("schematics codemods codemod")
	repositoryWords  = language.WordSet("repository repositories")
	// What is kept in repositories that no database is meant by: in the base name, or in
	// the name of a folder.
	hostedWords   = language.WordSet("package packages plugin plugins addon addons registry")
	hostedFolders = language.WordSet("git svn hg mercurial vcs scm github gitlab bitbucket artifact artifacts maven npm pypi composer helm apt yum rpm deb oci docker nuget cargo")

	workflowFolders = language.WordSet("workflows")
)

func (n *name) kind() Type {
	switch {
	case imageExts[n.ext]:
		return TypeImage
	case binaryExts[n.ext]:
		return TypeBinary
	case dataExts[n.ext], n.language != nil && n.language.Name == "Tables":
		return TypeData
	case n.language != nil, textExts[n.ext],
		docNames[n.stem], n.isManifest(), n.isBuild(), n.isConfigName():
		return TypeText
	}
	return TypeUnknown
}

func (n *name) category() Category {
	text := n.kind() == TypeText || n.kind() == TypeUnknown
	switch {
	case n.below(dependencyFolders):
		return CategoryDependency
	case text && n.isConfig():
		return CategoryConfig
	case n.test:
		return CategoryTest
	case text && n.isDocument():
		return CategoryDocumentation
	case n.isEntrypoint():
		return CategoryEntrypoint
	case text && (n.has(authWords) || n.has(securityWords) && n.code):
		return CategoryAuth
	case text && n.has(apiWords):
		return CategoryAPI
	case n.ext == "sql", n.ext == "prisma", n.code && n.isMigration(), text && n.hasDatabase():
		return CategoryDatabase
	case n.below(outputFolders), n.isBuild():
		return CategoryBuild
	case n.code:
		return CategorySource
	}
	return CategoryOther
}

func (n *name) below(folders map[string]bool) bool {
	return slices.ContainsFunc(n.folders, func(f string) bool { return folders[f] })
}

// belowTests reports whether the file lies in a folder of tests, whatever it is called.
func (n *name) belowTests() bool { return language.IsTest(n.path[:len(n.path)-len(n.base)]) }

func (n *name) has(words map[string]bool) bool {
	return slices.ContainsFunc(n.words, func(w string) bool { return words[w] })
}

func (n *name) isMigration() bool { return n.below(migrationFolders) && !n.below(codemodFolders) }

// hasDatabase reports whether the base name is one of a database's parts.
func (n *name) hasDatabase() bool {
	hosted := n.has(hostedWords) || n.has(hostedFolders) || n.below(hostedFolders)
	return slices.ContainsFunc(n.words, func(w string) bool { return databaseWords[w] && !(hosted && repositoryWords[w]) })
}

func (n *name) isManifest() bool {
	return manifestNames[n.base] || manifestExts[n.ext] ||
		strings.HasPrefix(n.base, "tsconfig.") && n.ext == "json" ||
		language.IsRequirements(n.path) || language.IsConstraints(n.path)
}

// isConfigName reports whether the base name alone says that a tool is set up here.
func (n *name) isConfigName() bool {
	return configNames[n.base] ||
		strings.HasPrefix(n.base, ".") && (strings.HasSuffix(n.stem, "rc") || strings.HasSuffix(n.base, "ignore")) ||
		strings.HasPrefix(n.base, ".env") && !n.code ||
		strings.HasSuffix(n.stem, ".config") || strings.HasSuffix(n.stem, ".conf")
}

func (n *name) isConfig() bool {
	if n.isManifest() || n.isConfigName() {
		return true
	}
	if n.language == nil {
		return false
	}
	switch n.language.Name {
	case "TOML", "Configuration":
		return true
	case "JSON", "YAML":
		return !n.isBuild() && (len(n.folders) == 0 || n.below(configFolders)) && !n.isWorkflow()
	}
	return false
}

func (n *name) isDocument() bool {
	return n.is(language.Prose) || docNames[n.stem] && !n.code || !n.code && n.below(docFolders)
}

func (n *name) isEntrypoint() bool {
	if !entryStems[n.stem] || n.language == nil || n.below(configFolders) || n.below(helperFolders) || n.below(translationFolders) {
		return false
	}
	return n.is(language.Code) && !declaring[n.language.Name] && n.language.Name != "Protocol Buffers" || n.language.Name == "HTML"
}

func (n *name) isWorkflow() bool { return n.below(ciFolders) && n.below(workflowFolders) }

func (n *name) isBuild() bool {
	return buildNames[n.base] || n.stem == "dockerfile" || n.ext == "dockerfile" || n.ext == "mk" || n.ext == "bzl" ||
		(n.ext == "yml" || n.ext == "yaml") && n.isWorkflow()
}

func classifyFolder(dir string) Category {
	n := newName(dir + "/x")
	switch {
	case n.below(dependencyFolders):
		return CategoryDependency
	case n.test:
		return CategoryTest
	case n.below(docFolders):
		return CategoryDocumentation
	case n.below(outputFolders):
		return CategoryBuild
	}
	return CategoryOther
}
