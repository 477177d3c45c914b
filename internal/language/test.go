package language

import (
	"strings"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// testFolders hold tests, and what tests read.
var testFolders = WordSet("test tests tst __tests__ __test__ spec specs testdata testing fixtures __fixtures__ __mocks__ __snapshots__ e2e cypress")

// testFolder is what folders of tests of one version, or of a further kind, are called.
var testFolder = lazyregexp.New(`^tests?[-_.]?v?\d+$`)

// testProjects are the parts of a project's name, as .NET and Eclipse have them, that say that tests lie in its folder. What is called Testing is
// what others test with.
var testProjects = WordSet("test tests unittests integrationtests functionaltests acceptancetests systemtests")

// testModules are the last words of names of folders that hold tests: mockito-integration-tests, quay-e2e. A module that is called quay-test is
// what others test with.
var testModules = WordSet("tests e2e")

// endsIn reports whether the last word of a folder's name, in lower case, behind a hyphen or an underscore, is of a set.
func endsIn(folder string, set map[string]bool) bool {
	at := strings.LastIndexAny(folder, "-_")
	return at > 0 && set[folder[at+1:]]
}

// projectOf reports whether a folder, in lower case, is called as a project is, by words between dots, of which one behind the first is of a set.
func projectOf(folder string, set map[string]bool) bool {
	_, rest, dotted := strings.Cut(strings.TrimPrefix(folder, "."), ".")
	for dotted {
		var part string
		if part, rest, dotted = strings.Cut(rest, "."); set[part] {
			return true
		}
	}
	return false
}

// specLanguages are the endings of those whose test frameworks find a file of tests by the word spec, wherever it lies. Elsewhere
// a spec is a specification, as JavaPoet's MethodSpec is: tests that are called so lie in a folder of tests there, by their build.
var specLanguages = WordSet("js jsx mjs cjs ts tsx mts cts vue rb hs exs lua php snap")

// IsTest reports whether a path is that of a test, or of what tests read: it lies below a folder of tests, a source set of
// Gradle for them, a project of .NET or a module whose name ends so (Shop.Tests, Shop.Tests.Common, shop-integration-tests), what a suite of Erlang reads (quay_SUITE_data), or the folder t of the root, as Perl has it; or it is code, and
// the first word of its base name is test, e2e or unittest, or the last one besides tests, or the one before what tests use (bundle_test_util.h), or spec where tests are called so. Below a
// folder of benchmarks a name alone makes a test of Go's files only, whose tool goes by it.
// Words are what is left between punctuation, digits and changes of case. Case does not matter.
func IsTest(name string) bool {
	name = AboveSources(name)
	dir, base := "", name
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		dir, base = name[:i], name[i+1:]
	}
	measures, above := false, ""
	for folder := range strings.SplitSeq(dir, "/") {
		if above == "src" && strings.HasSuffix(folder, "Test") { // a source set of Gradle: androidTest, jvmTest
			return true
		}
		above, folder = folder, strings.ToLower(folder)
		if testFolders[folder] || strings.HasPrefix(folder, "test") && testFolder.MatchString(folder) || projectOf(folder, testProjects) || endsIn(folder, testModules) || strings.HasSuffix(folder, "_suite_data") {
			return true
		}
		measures = measures || folder == "benchmark" || folder == "benchmarks" || folder == "bench" || folder == "benches"
	}
	stem, extension := base, ""
	if i := strings.LastIndexByte(base, '.'); i > 0 {
		stem, extension = base[:i], strings.ToLower(base[i+1:])
	}
	if extension == "t" || strings.HasPrefix(dir+"/", "t/") { // Perl's
		return true
	}
	if extension != "snap" {
		if l := Of(base); l == nil || l.Kind != Code && l.Kind != Markup {
			return false
		}
	}
	if strings.EqualFold(base, "conftest.py") || strings.HasSuffix(stem, ".test-d") || extension == "erl" && strings.HasSuffix(stem, "_SUITE") { // of types; of Erlang
		return true
	}
	return namedTest(stem, extension, measures)
}

// namedTest reports whether code is a test by the words of its base name; measures says that it lies below a folder of benchmarks.
func namedTest(stem, extension string, measures bool) bool {
	list := Words(stem)
	if len(list) == 0 || measures && extension != "go" {
		return false
	}
	last := list[len(list)-1]
	if extension == "php" && len(list) > 1 && stem[0] == 'T' && !testWord(last) { // TestEmail: PHPUnit goes by the end
		return false
	}
	if extension == "erl" && last == "test" { // rebar_prv_common_test: eunit's are called tests
		return list[0] == "test"
	}
	if len(list) > 2 && testWord(list[len(list)-2]) && testTools[last] { // bundle_test_util.h
		return true
	}
	return testWord(list[0]) && (list[0] != "tests" || len(list) == 1) || testWord(last) || len(list) > 1 && (last == "spec" || last == "specs") && specLanguages[extension]
}

// testTools are the last words of names of what only tests use, behind the word test.
var testTools = WordSet("util utils utility utilities helper helpers support fixture fixtures")

func testWord(w string) bool { return w == "test" || w == "tests" || w == "e2e" || w == "unittest" }

// Words splits a name between letters, digits and the rest, and where the case changes, and lowers it: "HTTPServer_v2" is
// http, server, v, 2. Bytes outside ASCII are letters.
func Words(name string) []string {
	var out []string
	const (
		other = iota
		lower
		upper
		digit
	)
	class := func(c byte) int {
		switch {
		case c >= 'a' && c <= 'z' || c >= 0x80:
			return lower
		case c >= 'A' && c <= 'Z':
			return upper
		case c >= '0' && c <= '9':
			return digit
		}
		return other
	}
	start, before := 0, other
	for i := 0; i <= len(name); i++ {
		now := other
		if i < len(name) {
			now = class(name[i])
		}
		cut := i
		switch {
		case now == before, before == upper && now == lower && i-start == 1:
			before = now
			continue
		case before == upper && now == lower: // HTTPServer: the S belongs to the right
			cut = i - 1
		}
		if before != other {
			out = append(out, strings.ToLower(name[start:cut]))
		}
		start, before = cut, now
	}
	return out
}

// WordSet is the set of the words of a list, which white space parts.
func WordSet(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}
