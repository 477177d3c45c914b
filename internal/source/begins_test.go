package source

import (
	"io/fs"
	"testing"

	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/text"
)

// A program begins where its language says, and not where the words stand in a comment, in a test, or on a condition.
func TestBeginningOf(t *testing.T) {
	for _, c := range []struct {
		path, text string
		mode       uint32
		want       Beginning
	}{
		{"quay/main.go", "package main\n\nfunc main() {\n}\n", 0o644, Beginning{Line: 3, By: mainFunction}},
		{"quay/quay.go", "package quay\n\nfunc main() {\n}\n", 0o644, Beginning{}},
		{"src/main/java/Quay.java", "// public static void main(String[] a)\nclass Quay {\n  public static void main(final String... args) throws Exception {\n  }\n}\n", 0o644, Beginning{Line: 3, By: mainFunction}},
		{"src/main/java/Old.java", "class Old {\n  static public void main(String args[]) {}\n}\n", 0o644, Beginning{Line: 2, By: mainFunction}},
		{"src/main/java/Boot.java", "import x;\n@SpringBootApplication\npublic class Boot {\n\n\tpublic static void main(String[] args) {\n", 0o644, Beginning{Line: 5, By: "the main function of an application of Spring Boot"}},
		{"src/main/java/None.java", "class None {\n  /* public static\n  public static void main(String[] a) */\n  void main(String[] a) {}\n  static void mainly(String a) {}\n}\n", 0o644, Beginning{}},
		{"src/test/java/QuayTest.java", "class QuayTest {\n  public static void main(String[] args) {}\n}\n", 0o644, Beginning{}},
		{"src/Quay.kt", "package q\n\nsuspend fun main(args: Array<String>) = go()\n", 0o644, Beginning{Line: 3, By: mainFunction}},
		{"src/Bare.kt", "fun main() {\n}\n", 0o644, Beginning{Line: 1, By: mainFunction}},
		{"src/Held.kt", "object Held {\n  @JvmStatic\n  fun main(args: Array<String>) {}\n}\n", 0o644, Beginning{Line: 3, By: mainFunction}},
		{"src/Part.kt", "class Part {\n  fun main() {}\n}\n", 0o644, Beginning{}},
		{"src/Berth.cs", "class Berth\n{\n    private static async Task<int> Main(string[] args)\n", 0o644, Beginning{Line: 3, By: mainFunction}},
		{"src/Web/Program.cs", "\ufeffusing System;\nusing X = System.Int32;\n\n// builds\nvar builder = WebApplication.CreateBuilder(args);\n", 0o644, Beginning{Line: 5, By: "its first statement"}},
		{"src/Web/sub/Program.cs", "using System;\nnamespace Quay;\n\npublic class Program { }\n", 0o644, Beginning{}},
		{"src/keel.c", "#include <a.h>\nint main(int argc, char **argv);\n\nint\nmain (int argc, char **argv)\n{\n}\n", 0o644, Beginning{Line: 5, By: mainFunction}},
		{"src/part.c", "#ifdef TRY\nint main(void) {\n}\n#endif\n", 0o644, Beginning{}},
		{"src/call.c", "void f(void) {\n  main(1);\n}\n", 0o644, Beginning{}},
		{"src/QuayApp.swift", "import SwiftUI\n\n// @main\n@main\n@MainActor\n\nstruct QuayApp: App {\n}\n", 0o644, Beginning{Line: 7, By: mainType}},
		{"src/Old.swift", "@UIApplicationMain class Old: UIResponder {}\n", 0o644, Beginning{Line: 1, By: mainType}},
		{"src/Cut.swift", "\n@main\n", 0o644, Beginning{Line: 2, By: mainType}},
		{"src/Part.swift", "struct Part {\n  @mainly var a = 1\n  func main() {}\n}\n", 0o644, Beginning{}},
		{"src/main/scala/Quay.scala", "package q\n\nobject Quay extends Tide[IO] with IOApp.Simple {\n", 0o644, Beginning{Line: 3, By: mainType}},
		{"src/main/scala/Old.scala", "object Old {\n  def main(args: Array[String]): Unit = go()\n}\n", 0o644, Beginning{Line: 2, By: mainFunction}},
		{"src/main/scala/New.scala", "@main def moor(boat: String) = go()\n", 0o644, Beginning{Line: 1, By: mainFunction}},
		{"src/main/scala/Part.scala", "// object Part extends App\nobject Part extends Application {\n  def main(a: Int) = 1\n}\n", 0o644, Beginning{}},
		{"quay", "#!/usr/bin/env -S python3 -u\nprint()\n", 0o755, Beginning{1, "python3", true}},
		{"quay.sh", "#!/bin/sh -e\n", 0o755, Beginning{1, "sh", true}},
		{"install-sh", "#!/bin/sh\n# install - install a program\n\nscriptversion=2020-11-14.01; # UTC\n", 0o755, Beginning{}},
		{"config.guess", "#! /bin/sh\n# Attempt to guess a canonical system name.\n\ntimestamp='2022-01-09'\n", 0o755, Beginning{}},
		{"part.sh", "#!/bin/sh -e\n", 0o644, Beginning{}},
		{"odd", "#!/bin/$(x)\n", 0o755, Beginning{1, "", true}},
		{"notes", "quay\n", 0o755, Beginning{}},
		{"test/run", "#!/bin/sh\n", 0o755, Beginning{}},
		{"examples/run", "#!/bin/sh\n", 0o755, Beginning{}},
	} {
		f := &scan.File{Encoding: text.UTF8}
		f.Path, f.Size = c.path, int64(len(c.text))
		f.Mode = fs.FileMode(c.mode)
		f.Type, f.Category = scan.Classify(c.path)
		if got := BeginningOf(f, []byte(c.text)); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.path, got, c.want)
		}
	}
}
