package brief

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Options are told by their names and what they are by default, wherever the two stand of what declares them.
func TestOptionsOf(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"cmd/flags.go", "package main\n\nvar flags = []cli.Flag{\n\t&cli.IntFlag{\n\t\tSources: cli.EnvVars(\"QUAY_TIDE\"),\n\t\tName:    \"tide-timeout\",\n\t\tUsage:   \"x\",\n\t\tValue:   60,\n\t},\n\t&cli.StringFlag{Name: \"rope\"},\n}\n", "6 Name:    \"tide-timeout\", Value:   60 (1)"},
		{"cmd/root.go", "cmd.Flags().IntVarP(&port, \"port\", \"p\", 8080, \"x\")\nviper.SetDefault(\"rope.length\", 30*time.Second)\nflag.String(\"berth\", \"\", \"y\")\nx.String(\"no\")\n", "2 viper.SetDefault(\"rope.length\", 30*time.Second) (0), 1 cmd.Flags().IntVarP(&port, \"port\", \"p\", 8080, \"x\") (1), 3 flag.String(\"berth\", \"\", \"y\") (0)"},
		{"quay/cli.py", "@click.command()\n@click.option(\n    \"--port\",\n    \"-p\",\n    help=\"x\",\n    default=8080,\n)\ndef serve(port):\n    pass\n\np.add_argument(\"--rope\", default=\"hemp\")\n# p.add_argument(\"--no\", default=1)\np.add_argument(\"--none\")\n", "3 \"--port\", default=8080 (1), 11 p.add_argument(\"--rope\", default=\"hemp\") (0)"},
		{"src/cli.ts", "program\n  .option('-p, --port <port>', 'x', 8080)\n  .option('rope', {\n    type: 'string',\n    default: 'hemp',\n  })\n  .option('--flag')\n", "2 .option('-p, --port <port>', 'x', 8080) (1), 3 .option('rope', { default: 'hemp' (0)"},
		{"src/Quay.java", "class Quay {\n  @Value(\"${quay.port:8080}\")\n  private int port;\n  @Option(names = {\"-r\", \"--rope\"},\n      defaultValue = \"hemp\")\n  String rope;\n}\n", "2 @Value(\"${quay.port:8080}\") (1), 4 @Option(names = {\"-r\", \"--rope\"}, defaultValue = \"hemp\") (0)"},
		{"src/args.rs", "struct Args {\n    /// x\n    #[arg(long, default_value_t = 8080)]\n    pub port: u16,\n    #[arg(long)]\n    rope: String,\n}\n", "4 pub port: u16, #[arg(long, default_value_t = 8080)] (1)"},
		{"quay.txt", "flag.String(\"berth\", \"\", \"y\")\n", ""},
	} {
		var got []string
		for _, o := range optionsOf(c.name, c.text) {
			got = append(got, fmt.Sprintf("%d %s (%d)", o.line, o.text, o.asks()))
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// The line of an option keeps its default where there is room for whole signatures.
func TestOptionsKeepDefaults(t *testing.T) {
	lines := []string{"var flags = []cli.Flag{", "\t&cli.IntFlag{", "\t\tName:  \"tide-timeout\",", "\t\tValue: 60,", "\t},", "}"}
	options := map[int]option{}
	for _, o := range optionsOf("flags.go", strings.Join(lines, "\n")) {
		options[o.line] = o
	}
	bare, asks, given := tells(lines, &Definition{Line: 3, From: 3, End: 3, Setting: true}, options)
	if bare != "Name:  \"tide-timeout\", Value: 60" || asks != 1 || !given {
		t.Errorf("%q, asks %d, %t", bare, asks, given)
	}
}

// A line is passed without being read that has none of a form's marks: what opens matches has one.
func TestOptionMarks(t *testing.T) {
	for name, lines := range map[string][]string{
		"Go": {`&cli.IntFlag{`, `v.SetDefault("port", 1)`, `cmd.Flags().StringVarP(&x, "name", "n", "a", "")`, `flag.Int("n", 1, "")`, `fs.BoolVar(`, `pflag.Uint("a", 1, "")`,
			`flags.DurationVar(`, `flag.Float64(`, `flag.Int64Var(`, `rootCmd.PersistentFlags().StringSlice(`},
		"Python":     {`@click.option(`, `parser.add_argument("--tide", default=3)`},
		"TypeScript": {`.option('-p, --port <n>', '', '80')`, `.requiredOption(`},
		"Java":       {`@Value("${tide.port:80}")`, `@CommandLine.Option(names = "--tide")`, `@Option(names = "--tide")`},
		"Rust":       {`#[arg(long, default_value = "1")]`, `#[clap(`, `#[structopt(`},
	} {
		for _, line := range lines {
			begins := func(f optionForm) bool { return f.begins(line) }
			if opens := func(f optionForm) bool { return f.opens.MatchString(line) }; !slices.ContainsFunc(optionForms[name], opens) || !slices.ContainsFunc(optionForms[name], begins) {
				t.Errorf("%s: %s begins no option", name, line)
			}
		}
	}
}
