package language

import (
	"strings"
	"testing"
)

// TestTable holds what readers of the table rely on: an extension is one language's, and what begins can end.
func TestTable(t *testing.T) {
	owner, names := map[string]string{}, map[string]bool{}
	for _, l := range All {
		if l.Name == "" || l.Kind == 0 || l.Family == "" || names[l.Name] {
			t.Errorf("%+v: a name of its own, a kind and a family are wanted", l)
		}
		names[l.Name] = true
		list := strings.Fields(l.Names)
		for e := range strings.FieldsSeq(l.Extensions) {
			list = append(list, "."+e)
		}
		for _, e := range list {
			if owner[e] != "" {
				t.Errorf("%s is of %s and of %s", e, owner[e], l.Name)
			}
			if e != strings.ToLower(e) {
				t.Errorf("%s: not in lower case", e)
			}
			owner[e] = l.Name
		}
		if (l.Open == "") != (l.Shut == "") {
			t.Errorf("%s: a comment begins with %q and ends with %q", l.Name, l.Open, l.Shut)
		}
		for i, q := range l.Quotes {
			if q.Open == "" || q.Shut == "" {
				t.Errorf("%s: %+v", l.Name, q)
			}
			for _, before := range l.Quotes[:i] {
				if strings.HasPrefix(q.Open, before.Open) {
					t.Errorf("%s: %s is never reached, %s stands before it", l.Name, q.Open, before.Open)
				}
			}
		}
	}
}

func TestOf(t *testing.T) {
	for name, want := range map[string]string{
		"a/b/Thing.KT": "Kotlin", "Makefile": "Make", "deploy/Dockerfile": "Dockerfile", "api.dockerfile": "Dockerfile", "Dockerfile.dev": "Dockerfile", "containerfile-arm": "Dockerfile", "hubs/dockerfile.ex": "Elixir", "Dockerfile.md": "Markdown", "dockerfiles": "", "CMakeLists.txt": "CMake",
		"notes.txt": "Text", "x.d.ts": "TypeScript", "Rakefile": "Ruby", "noextension": "", "": "", ".rs": "Rust", "a.unknown": "",
		strings.Repeat("x", 300) + ".tf": "Terraform",
	} {
		got := ""
		if l := Of(name); l != nil {
			got = l.Name
		}
		if got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestIsTest(t *testing.T) {
	for name, want := range map[string]bool{"systest/all_SUITE.erl": true, "src/prv_common_test.erl": false, "src/prv_tests.erl": true, "apps/quay/SUITE.erl": false, "systest/all_SUITE_data/a/rebar.config": true,
		"src/OrderTest.java": true, "app/src/androidTest/java/x/Steps.kt": true, "core/src/jvmTest/resources/a.txt": true, "src/Contest/a.kt": false, "app/TestEmail.php": false, "app/EmailTest.php": true, "lib/test_email.php": true, "t/quay.t": true, "t/lib/Quay.pm": true, "lib/t/quay.pm": false, "x/berth.t": true, "src/TestOrder.java": true, "src/Contest.java": false, "spec/order.rb": true, "lib/order_spec.rb": true,
		"docs/openapi_spec.go": false, "src/main/java/MethodSpec.java": false, "src/test/kotlin/PaySpec.kt": true, "lib/app_spec.ex": false, "lib/app_spec.exs": true, "api/order.spec.ts": true, "pkg/order_test.go": true, "pkg/testdata/x.json": true, "latest.txt": false,
		"conftest.py": true, "a/test.md": false, "ui/__snapshots__/x.snap": true, "src/Orders/OrderTests.cs": true, "Tests/Shape.swift": true,
		"cops/tests_puma.rb": false, "app/tests.py": true, "benchmarks/local/sleep_test.rb": false, "benchmarks/x_test.go": true, "benchmarks/test/x.rb": true,
		"src/rope_test_util.h": true, "src/RopeTestHelpers.kt": true, "src/rope_util.h": false, "src/latest_utils.py": false, "quay-e2e/src/main/java/A.java": true, "quay_tests/a.py": true, "quay-test/src/A.kt": false, "Quay.Tests/Runtime/Steps.cs": true, "src/Quay.Tests.Common/a.js": true, "org.quay.tests/src/A.java": true, "src/Quay.Testing/Pier.cs": false, "src/Quay.Contests/Pier.cs": false, ".tests.d/x.cs": false,
		"tst/Bootstrap.php": true, "tests-v1/bin/a.pl": true, "test2/a.c": true, "testbed1/a.c": false, "tests-visual/a.c": false,
		"test": false, "": false, "greatest.rs": false,
	} {
		if got := IsTest(name); got != want {
			t.Errorf("IsTest(%q) is %v", name, got)
		}
	}
}

func TestIsAside(t *testing.T) {
	for name, want := range map[string]bool{"quay-example/src/main/java/A.java": true, "quay_benchmarks/a.h": true, "apps/quay/src/vendored/r3_tide.erl": true, "quay-samples/a.go": false, "_demo/a.go": false, "Quay.Benchmarks/A.cs": true, "app/assets/vendors/x.js": true, "src/quay.samples/x/A.cs": true, "docs/a.md": true, ".examples/a.go": true, "src/Quay.Docs/A.cs": false, "src/main/java/org/x/samples/A.java": false, "benchmarks.cs": false} {
		if got := IsAside(name); got != want {
			t.Errorf("IsAside(%q) is %v", name, got)
		}
	}
}

func TestWords(t *testing.T) {
	for in, want := range map[string]string{
		"":                 "",
		"api":              "api",
		"userApi":          "user api",
		"HTTPServer_v2":    "http server v 2",
		"HTTP":             "http",
		"ApiV2Client":      "api v 2 client",
		"__main__":         "main",
		"oauth2-login.old": "oauth 2 login old",
		"größeAPI":         "größe api",
	} {
		if got := strings.Join(Words(in), " "); got != want {
			t.Errorf("Words(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestRequirements holds what is a list of what pip installs, and what a list of constraints.
func TestRequirements(t *testing.T) {
	for name, want := range map[string][2]bool{"requirements.txt": {true, false}, "a/Requirements-dev.txt": {true, false}, "requirements/dev.txt": {true, false}, "dev.txt": {},
		"requirements.md": {}, "requirements/readme.md": {}, "constraints.txt": {false, true}, "requirements/constraints.txt": {false, true}, "a/constraints-3.9.txt": {false, true}} {
		if got := [2]bool{IsRequirements(name), IsConstraints(name)}; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
