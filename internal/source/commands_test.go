package source

import (
	"fmt"
	"testing"

	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/text"
)

// TestCommands: commands are named as they are typed, where a library of commands is told of them, and nowhere else.
func TestCommands(t *testing.T) {
	for _, c := range []struct{ path, text, want string }{
		{"cmd/berth.go", "package cmd\n\nvar berth = &cobra.Command{\n\tUse:   \"berth NAME [flags]\",\n}\n// Use: \"gone\"\nvar o = Options{\n\tPath: \"x\",\n}\n", "[{berth NAME [flags] 4}]"},
		{"cmd/rope_splice.go", "package cmd\n\nfunc newRopeSpliceCommand() *cobra.Command {\n\tcmd := &cobra.Command{\n\t\tUse: \"splice [flags]\",\n\t}\n\treturn cmd\n}\n\nvar ropeCutCmd = &cobra.Command{\n\tUse: \"cut\",\n}\n\nvar castOffCmd = &cobra.Command{\n\tUse: \"cast-off\",\n}\n",
			"[rope > {splice [flags] 5} rope > {cut 11} {cast-off 15}]"},
		{"cmd/list.go", "package cmd\n\nvar list = &cobra.Command{\n\tUse: \"list [\" + strings.Join(all, \"|\") + \"]\",\n}\n", "[{list 4}]"},
		{"cmd/hoist.go", "package cmd\n\nvar app = &cli.Command{\n\tCommands: []*cli.Command{\n\t\t{\n\t\t\tName: \"hoist\",\n\t\t\tFlags: []cli.Flag{&cli.StringFlag{Name: \"rope\"}},\n\t\t},\n\t},\n}\n", "[{hoist 6}]"},
		{"cmd/kong.go", "package cmd\n\nimport \"github.com/alecthomas/kong\"\n\nvar cli struct {\n\tCastOff CastOffCmd `cmd:\"\" help:\"Goes.\"`\n\tMoor Moor `name:\"tie\" cmd:\"\"`\n}\n", "[{cast-off 6} {tie 7}]"},
		{"quay/cli.py", "import click\n\n@click.group()\ndef quay(): pass\n\n@quay.command()\n@click.option(\"--name\", default=\"x\")\ndef moor_ship(): pass\n\n@quay.command('cast-off')\ndef off(): pass\n\n@quay.group(help=\"Lights.\", name=\"lamp\")\nasync def lamps(): pass\n",
			"[quay > {moor-ship 6} quay > {cast-off 10} quay > {lamp 13}]"},
		{"quay/args.py", "p = s.add_parser('tide', help='x')\ns.add_parser(name)\n'''\ns.add_parser('text')\n'''\n@bot.command()\ndef chat(): pass\n", "[{tide 1}]"},
		{"src/cli.ts", "import { Command } from 'commander'\nprogram\n  .command('tow <ship>', 'x')\nconst lift = new Command('lift')\n", "[{tow <ship> 3} {lift 4}]"},
		{"src/chat.ts", "editor.command('bold')\n", "[]"},
		{"src/lamp.js", "exports.command = ['lamp']\nexports.command = 'lamp [port]'\nexports.handler = () => {}\n", "[{lamp [port] 2}]"},
		{"src/Tow.java", "import picocli.CommandLine.Command;\n@Command(name = \"tow\", description = \"x\")\nclass Tow {}\n", "[{tow 2}]"},
		{"src/Moor.kt", "import com.github.ajalt.clikt.core.CliktCommand\nclass MoorCommand : CliktCommand() {}\nclass X : CliktCommand(name = \"cast\") {}\n", "[{moor 2} {cast 3}]"},
		{"src/TowCommand.php", "<?php\n#[AsCommand(name: 'harbour:tow')]\nclass TowCommand extends Command {}\n# ->setName('not')\n", "[{harbour:tow 2}]"},
		{"src/LiftCommand.php", "<?php\nuse Symfony\\Component\\Console\\Command\\Command;\nclass LiftCommand extends Command {\n  function configure() { $this->setName('lift')->setHelp('x'); }\n}\n", "[{lift 4}]"},
		{"src/Cli.cs", "using System.CommandLine;\nvar tow = new Command(\"tow\", \"Tows.\");\nCommand lift = new(\"lift\");\nvar sql = new SqlCommand(\"select\");\n", "[{tow 2} {lift 3}]"},
		{"lib/cli.rb", "class Quay < Thor\n  desc \"moor SHIP\", \"Moors it\"\n  def moor(s); end\nend\n", "[{moor SHIP 2}]"},
		{"src/main.rs", "use clap::{Parser, Subcommand};\n#[derive(Subcommand, Debug)]\nenum Commands {\n    /// Tows, Lifts\n    TowShip { #[arg(long)] Rope: bool },\n    #[command(name = \"up\")]\n    Lift(Args),\n    #[command(flatten)]\n    More(More),\n    Moor,\n}\nfn f() { Command::new(\"lamp\"); }\n",
			"[{tow-ship 5} {up 7} {moor 10} {lamp 12}]"},
		{"src/run.rs", "use clap::Args;\nuse std::process::Command;\nfn f() { Command::new(\"git\").arg(\"log\"); }\n", "[]"},
		{"Sources/Quay.swift", "struct Tow: ParsableCommand { static let configuration = CommandConfiguration(commandName: \"tow\") }\n", "[{tow 1}]"},
		{"lib/mix/tasks/quay.gen.ex", "defmodule Mix.Tasks.Quay.GenLamp do\n  use Mix.Task\nend\n", "[{mix quay.gen_lamp 1}]"},
		{"lib/mix/tasks/quay.gen/writer.ex", "defmodule Mix.Tasks.Quay.Gen.Writer do\n  def write, do: :ok\nend\n", "[]"},
		{"builtin.c", "static struct cmd commands[] = {\n\t{ \"cast-off\", cmd_cast_off, 1 },\n\t/* { \"gone\", cmd_gone }, */\n};\n", "[{cast-off 2}]"},
		{"src/main.cpp", "auto *tow = app.add_subcommand(\"tow\", \"Tows\");\n", "[{tow 1}]"},
		{"src/Cli.scala", "import com.monovore.decline._\nval tow = Opts.subcommand(\"tow\", \"Tows\")\n", "[{tow 2}]"},
		{"bin/tow.dart", "import 'package:args/command_runner.dart';\nclass Tow extends Command<void> {\n  @override\n  String get name => 'tow';\n}\n", "[{tow 4}]"},
		{"app/Main.hs", "import Options.Applicative\nopts = subparser (command \"tow\" (info tow idm))\n", "[{tow 2}]"},
		{"bin/main.ml", "open Cmdliner\nlet tow = Cmd.v (Cmd.info \"tow\" ~doc) term\n", "[{tow 2}]"},
		{"src/cli.test.ts", "import { program } from 'commander'\nprogram.command('never')\n", "[]"},
	} {
		f := &scan.File{Encoding: text.UTF8}
		f.Path = c.path
		f.Type, f.Category = scan.Classify(c.path)
		list := []string{}
		for _, one := range SurfaceOf(f, []byte(c.text)).Commands {
			said := fmt.Sprint(one.NameLine)
			if one.Above != "" {
				said = one.Above + " > " + said
			}
			list = append(list, said)
		}
		if got := fmt.Sprint(list); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.path, got, c.want)
		}
	}
}
