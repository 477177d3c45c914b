package language

import (
	"path"
	"strings"
)

// asides are folders that hold what a program is not made of.
var asides = WordSet("vendor vendors vendored third_party third-party thirdparty 3rdparty bundled node_modules examples example samples sample playground playgrounds demo demos sandbox generated gen dist deprecated legacy " +
	"archive archived docs doc documentation website site benchmark benchmarks bench benches gallery galleries tutorial tutorials")

// asideProjects are the parts of a project's name that say so of its folder: Shop.Benchmarks.
var asideProjects = WordSet("benchmark benchmarks sample samples example examples demo demos")

// asideModules are the last words of names of folders that say so: quay-example, quay_benchmarks.
var asideModules = WordSet("benchmark benchmarks bench benches example examples demo demos")

// IsAside reports whether a path lies below a folder of what a program is not made of: examples, manuals, what others wrote. Case
// does not matter, nor that a folder is hidden: .examples.
func IsAside(name string) bool {
	for dir := range strings.SplitSeq(path.Dir(AboveSources(name)), "/") {
		dir = strings.TrimPrefix(strings.ToLower(dir), ".")
		if asides[dir] || projectOf(dir, asideProjects) || endsIn(dir, asideModules) {
			return true
		}
	}
	return false
}

// sourceRoots are folders, two below one that is called src, that begin the names of packages: src/main/java, src/jvmTest/kotlin.
var sourceRoots = WordSet("java kotlin scala groovy")

// AboveSources returns a path without the folders that spell a package: org/x/samples below src/main/java is called so, and holds
// no samples.
func AboveSources(name string) string {
	at := 0
	before, last := "", ""
	for {
		n := strings.IndexByte(name[at:], '/')
		if n < 0 {
			return name
		}
		folder := name[at : at+n]
		if at += n + 1; before == "src" && sourceRoots[folder] {
			return name[:at] + name[strings.LastIndexByte(name, '/')+1:]
		}
		before, last = last, folder
	}
}

// wrappers are scripts that a tool for building writes into what it builds, to fetch itself.
var wrappers = WordSet("gradlew gradlew.bat mvnw mvnw.cmd sbt sbt.bat sbtx mavenwrapperdownloader.java")

// IsWrapper reports whether a file is such a script, by its name.
func IsWrapper(name string) bool { return wrappers[strings.ToLower(path.Base(name))] }
