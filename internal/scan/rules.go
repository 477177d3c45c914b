package scan

import (
	"path"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"
)

// literalGroup is one group of the literal rules.
type literalGroup struct {
	name     string
	reason   Reason
	patterns []string
}

// literalRules is a plain table of default exclusions. Under `rules: literal` it is
// all there is, at any depth: it drops real sources too (pkg/util/env/,
// user_token.go), which is why smart rules are the default. It is never improved:
// who asks for it wants it as it stands. large_data and version_control have no
// reason of their own.
var literalRules = []literalGroup{
	{"credentials", Credentials, []string{
		"**/*.pem", "**/*.key", "**/*.crt", "**/*.p12", "**/.env*", "**/credentials*", "**/secrets*",
		"**/*_secret*", "**/*_token*", "**/*.keystore"}},
	{"dependencies", DependencyDir, []string{
		"**/node_modules/**", "**/vendor/**", "**/.venv/**", "**/venv/**", "**/env/**", "**/__pypackages__/**",
		"**/packages/*/node_modules/**"}},
	{"build_outputs", BuildOutput, []string{
		"**/dist/**", "**/build/**", "**/out/**", "**/target/**", "**/.next/**", "**/.nuxt/**", "**/coverage/**"}},
	{"caches", Cache, []string{
		"**/.cache/**", "**/__pycache__/**", "**/*.pyc", "**/.pytest_cache/**", "**/.eslintcache", "**/.tsbuildinfo"}},
	{"large_data", PatternMatch, []string{
		"**/*.sql", "**/*.db", "**/*.sqlite*", "**/*.log", "**/logs/**"}},
	{"binaries", Binary, []string{
		"**/*.exe", "**/*.dll", "**/*.so", "**/*.dylib", "**/*.wasm", "**/*.png", "**/*.jpg", "**/*.jpeg", "**/*.gif",
		"**/*.ico", "**/*.svg", "**/*.mp4", "**/*.mp3", "**/*.pdf", "**/*.zip", "**/*.tar*", "**/*.gz"}},
	{"version_control", PatternMatch, []string{"**/.git/**", "**/.svn/**", "**/.hg/**"}},
}

// literalFile applies to a file those patterns that are about files.
func literalFile(name string) (Reason, string) {
	for _, g := range literalRules {
		for _, p := range g.patterns {
			if !strings.HasSuffix(p, "/**") && doublestar.MatchUnvalidated(p, name) {
				return g.reason, p
			}
		}
	}
	return "", ""
}

// literalDir applies to a folder those patterns that take everything below it.
func literalDir(name string) (Reason, string) {
	for _, g := range literalRules {
		for _, p := range g.patterns {
			if stem, ok := strings.CutSuffix(p, "/**"); ok && doublestar.MatchUnvalidated(stem, name) {
				return g.reason, p
			}
		}
	}
	return "", ""
}

// verdict is what a smart rule says of a name.
type verdict struct {
	reason Reason
	rule   string
	// unlessTracked: git tracking the file, or a file below the folder,
	// overrules it. What people commit they mean.
	unlessTracked bool
}

// smartDirs are the folders that smart rules know by their last element.
var smartDirs = map[string]verdict{}

// smartNames and smartExts are the files that smart rules know by their whole
// base name and by their last extension, in lower case.
var (
	smartNames = map[string]verdict{}
	smartExts  = map[string]verdict{}
)

// lowValueNames are lock files: machine-written, long, and of no use to a reader.
var lowValueNames = map[string]bool{}

var fillSmartRules = sync.OnceFunc(func() {
	dirs := func(reason Reason, unlessTracked bool, names ...string) {
		for _, n := range names {
			smartDirs[n] = verdict{reason, "**/" + n + "/**", unlessTracked}
		}
	}
	dirs(DependencyDir, false, "node_modules", "bower_components", "jspm_packages", "vendor", ".venv", "venv",
		"virtualenv", "__pypackages__", "site-packages", ".svn", ".hg", ".bzr", "_darcs", "CVS", ".jj", ".pnpm-store", ".yarn")
	dirs(BuildOutput, true, "dist", "build", "out", "target", ".next", ".nuxt", ".output", ".svelte-kit", ".vercel",
		"coverage", ".nyc_output", ".eggs", "DerivedData", "bazel-out", "bazel-bin", "bazel-testlogs", "_build", "cmake-build-debug", "cmake-build-release")
	dirs(Cache, true, ".cache", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".tox", ".nox", ".parcel-cache",
		".turbo", ".gradle", ".terraform", ".terragrunt-cache", ".sass-cache", ".angular", ".dart_tool", ".ipynb_checkpoints", ".hypothesis")
	dirs(PatternMatch, true, "logs")

	exts := func(reason Reason, unlessTracked bool, list string) {
		for _, e := range strings.Fields(list) {
			smartExts["."+e] = verdict{reason, "**/*." + e, unlessTracked}
		}
	}
	// What is binary by its name need not be read at all.
	exts(Binary, false, `exe dll so dylib wasm a o obj lib pdb class jar war ear pyd whl egg nupkg gem deb rpm apk ipa dmg iso msi
		png jpg jpeg gif ico bmp webp avif tif tiff heic psd xcf icns
		mp4 mp3 m4a m4v mov avi mkv webm ogg ogv oga wav flac aac wmv
		pdf doc docx xls xlsx ppt pptx odt ods odp epub
		zip tar gz tgz bz2 tbz2 xz txz zst lz4 7z rar br cab
		woff woff2 ttf otf eot
		bin parquet avro feather npy npz pkl pickle h5 hdf5 onnx pt pth safetensors gguf tflite
		sqlite sqlite3 db mdb accdb`)
	exts(Cache, false, "pyc pyo")
	exts(PatternMatch, true, "log")
	smartNames[".eslintcache"] = verdict{Cache, "**/.eslintcache", true}
	smartNames[".stylelintcache"] = verdict{Cache, "**/.stylelintcache", true}
	smartNames[".ds_store"] = verdict{PatternMatch, "**/.DS_Store", false}
	smartNames["thumbs.db"] = verdict{PatternMatch, "**/Thumbs.db", false}
	smartExts[".tsbuildinfo"] = verdict{Cache, "**/*.tsbuildinfo", true}

	for _, n := range strings.Fields(`package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock deno.lock pipfile.lock
		poetry.lock uv.lock pdm.lock conda-lock.yml cargo.lock composer.lock gemfile.lock go.sum go.work.sum mix.lock rebar.lock
		stack.yaml.lock cabal.project.freeze flake.lock packages.lock.json project.assets.json podfile.lock package.resolved
		pubspec.lock gradle.lockfile .terraform.lock.hcl cartfile.resolved paket.lock module.bazel.lock`) {
		lowValueNames[n] = true
	}
})

// smartDir says whether a folder is left out by its name.
func smartDir(name string) (verdict, bool) {
	fillSmartRules()
	v, ok := smartDirs[path.Base(name)]
	return v, ok
}

// smartFile says whether a file is left out by its name.
func smartFile(name string) (verdict, bool) {
	fillSmartRules()
	base := strings.ToLower(path.Base(name))
	if v, ok := smartNames[base]; ok {
		return v, true
	}
	v, ok := smartExts[path.Ext(base)]
	return v, ok
}

// largestSVG is the most bytes a vector image may have (8 KB): a small one is a
// drawing that somebody reads, a large one is a picture spelled out.
const largestSVG = 8000

// minifiedLine is the mean length of a line, in bytes, above which a script or
// style sheet was written by a machine.
const minifiedLine = 500

// lowValue names the rule that keeps a file out of packs, or returns "".
func lowValue(name string, size int64, lines int) string {
	fillSmartRules()
	base := strings.ToLower(path.Base(name))
	switch {
	case lowValueNames[base]:
		return "lock file"
	case strings.HasSuffix(base, ".map"):
		return "source map"
	case strings.Contains(base, ".min.") || strings.HasSuffix(base, "-min.js") || strings.HasSuffix(base, "-min.css"):
		return "minified"
	}
	switch path.Ext(base) {
	case ".js", ".mjs", ".cjs", ".css":
		if size > 20000 && size/int64(max(lines, 1)) > minifiedLine {
			return "minified"
		}
	}
	return ""
}

// IsReserved says whether a path is never archived, whatever anyone selects:
// git's own data, and what the engine writes for itself. A folder's
// path has no slash at its end here.
func IsReserved(stan, name string) (rule string, ok bool) {
	if name == ".git" || strings.HasPrefix(name, ".git/") {
		return ".git/**", true
	}
	if stan == "." {
		return "", false
	}
	rest, ok := strings.CutPrefix(name, stan+"/")
	if !ok {
		return "", false
	}
	for _, d := range []string{"diff", "patch", "output", "session"} {
		if rest == d || strings.HasPrefix(rest, d+"/") {
			return stan + "/" + d + "/**", true
		}
	}
	switch rest {
	case "context/changes.json", "context/changes.patch":
		return stan + "/" + rest, true
	}
	if isKept(rest) {
		return stan + "/" + rest, true
	}
	return "", false
}

// isKept reports whether a path in the engine's folder is one that runs of a context
// keep on disk and make anew each time: the graph, where its files are, what keeps
// both out of git, and what a run that was killed left of them.
func isKept(rest string) bool {
	name, ok := strings.CutPrefix(rest, "context/")
	switch name {
	case ".gitignore", "dependency.map.json", "dependency.meta.json":
		return ok
	}
	return ok && strings.HasPrefix(name, ".haversack-")
}
