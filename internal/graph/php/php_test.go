package php

import (
	"fmt"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph/graphtest"
)

func TestTables(t *testing.T) { graphtest.Tables(t, Provider) }

// TestUsers asks who uses what a file declares.
func TestUsers(t *testing.T) {
	files := map[string]string{
		"A.php": "<?php namespace N; class A {} function go() {}", "B.php": "<?php use N\\A; new A;", "c.php": "<?php namespace N; go();", "d.php": "<?php new A;", "e.php": "<?php require 'A.php';",
	}
	if got, want := graphtest.Users(t, Provider, files, "A.php"), "map[A.php:map[*:[e.php] A:[B.php] go:[c.php]]]"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

// TestWorst asks for a million imports and names, and lists of attributes and strings that do not end.
func TestWorst(t *testing.T) {
	var many strings.Builder
	many.WriteString("<?php\n")
	for i := range 200_000 {
		fmt.Fprintf(&many, "use a\\b%d;\nnew N%d; f%d();\n", i, i, i)
	}
	composer := `{"autoload": {"psr-4": {` + strings.Repeat(`"a\\": "b", `, 50_000) + `"c\\": []}}}`
	a := graphtest.Stress(t, Provider, map[string]string{
		"many.php": many.String() + " class A {}", "n.php": "<?php class N1 {} class N2 {}", "composer.json": composer,
		"list.php": "<?php #[" + strings.Repeat("A(", 200_000), "comma.php": "<?php f(" + strings.Repeat("A, B(", 200_000), "group.php": "<?php use A\\{" + strings.Repeat("B, ", 200_000),
		"load.php": "<?php " + strings.Repeat("require __DIR__ . ", 100_000), "same.php": "<?php " + strings.Repeat("class N1 {} ", 100_000), "pages.php": strings.Repeat("<?php ?>", 100_000),
	})
	if len(a.Edges["many.php"]) == 0 {
		t.Error("no edges")
	}
}

func FuzzBuild(f *testing.F) {
	f.Add("<?php namespace N; use A\\{B as C, function d}; #[E(1), F] class G extends H { use I; } require __DIR__ . '/b.php'; new C; d();", "{\"autoload\":{\"psr-4\":{\"N\\\\\":[\"a\", \"\"]}}}")
	f.Fuzz(func(t *testing.T, text, composer string) {
		graphtest.Edges(t, Provider, map[string]string{"a/A.php": text, "b.php": text + " class C {}", "composer.json": composer, "a/composer.json": composer}, "a/A.php")
	})
}

func BenchmarkBuild(b *testing.B) { graphtest.Benchmark(b, Provider, "") }
