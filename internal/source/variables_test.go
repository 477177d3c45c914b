package source

import (
	"fmt"
	"testing"

	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/text"
)

func surfaceOf(path, content string) Surface {
	f := &scan.File{Encoding: text.UTF8}
	f.Path = path
	f.Type, f.Category = scan.Classify(path)
	return SurfaceOf(f, []byte(content))
}

// TestVariablesByNames: a variable is one too where a function of the text's own reads it by its name, or a library does.
func TestVariablesByNames(t *testing.T) {
	for _, c := range []struct{ path, text, want string }{
		{"quay/main.go", "package quay\n\nfunc mustMap(to *string, key string) {\n\tv := os.Getenv(key)\n\tif v == \"\" {\n\t\tpanic(key)\n\t}\n\t*to = v\n}\n\nfunc f() {\n\tmustMap(&a, \"QUAY_ADDR\")\n\tother(\"NO_VARIABLE\")\n\t// mustMap(&a, \"GONE\")\n}\n", "[{QUAY_ADDR 12}] [mustMap] []"},
		{"quay/b.go", "package quay\n\nvar size = getEnv(\"BERTH_SIZE\", \"3\")\n", "[{BERTH_SIZE 3}] [] []"},
		{"quay/c.go", "package quay\n\nvar size = envInt(\"BERTH_SIZE\", 3)\nvar _ = setInt(\"NOT_ONE\")\n", "[] [] [{{BERTH_SIZE 3} envInt}]"},
		{"quay/flags.go", "package quay\n\nvar f = cli.StringFlag{Name: \"x\", EnvVars: []string{\"QUAY_X\"}}\nvar _ = viper.BindEnv(\"tide\", \"TIDE_LEVEL\")\n", "[{QUAY_X 3} {TIDE_LEVEL 4}] [] []"},
		{"quay/read.py", "def must(key: str) -> str:\n    value = os.environ[key]\n    return value\n\nRATE = int(must(\"RATE_LIMIT\"))\n", "[{RATE_LIMIT 5}] [must] []"},
		{"quay/settings.py", "from decouple import config\nenv = environ.Env()\nA = env(\"SITE_FLAG\")\nB = env.int(\"WORKERS\", 3)\nC = config(\"APP_KEY\", cast=str)\n", "[{SITE_FLAG 3} {WORKERS 4} {APP_KEY 5}] [] []"},
		{"quay/config.py", "A = config(\"APP_KEY\")\n", "[] [] []"},
		{"quay/cli.py", "@click.option(\"--port\", envvar=\"QUAY_PORT\")\ndef f(port): ...\n", "[{QUAY_PORT 1}] [] []"},
		{"src/env.ts", "export function required(name: string): string {\n  const v = process.env[name];\n  return v!;\n}\nexport const opt = (name: string) => process.env[name] ?? '';\nconst a = required('DATABASE_URL');\nconst b = opt('API_BASE');\nconst c = configService.get<string>('MAIL_HOST');\nconst d = new Option('-p').env('QUAY_PORT');\n",
			"[{MAIL_HOST 8} {QUAY_PORT 9} {DATABASE_URL 6} {API_BASE 7}] [required opt] []"},
		{"src/main.rs", "fn env_or(name: &str) -> String {\n    std::env::var(name).unwrap()\n}\n#[arg(long, env = \"QUAY_PORT\")]\nport: u16,\nfn f() { env_or(\"QUAY_LEVEL\"); Command::new(\"x\").env(\"MAST\", \"1\"); }\n", "[{QUAY_PORT 4} {QUAY_LEVEL 6}] [env_or] []"},
		{"src/Quay.java", "class Quay {\n  private static String read(String name, String other) {\n    String v = System.getenv(name);\n    return v == null ? other : v;\n  }\n  String s = read(\"QUAY_HOME\", \"x\");\n}\n", "[{QUAY_HOME 6}] [read] []"},
		{"lib/quay.rb", "def setting(name)\n  ENV.fetch(name)\nend\n", "[] [] []"},
		{"src/Quay.scala", "val a = sys.env.getOrElse(\"QUAY_HOME\", \"\")\n", "[{QUAY_HOME 1}] [] []"},
		{"lib/quay.ml", "let a = Sys.getenv_opt \"QUAY_HOME\"\n", "[{QUAY_HOME 1}] [] []"},
	} {
		s := surfaceOf(c.path, c.text)
		if got := fmt.Sprint(s.Variables, s.Readers, s.Asked); got != c.want {
			t.Errorf("%s: %s\n\twant %s", c.path, got, c.want)
		}
	}
}

// TestProcedures: what may be called from elsewhere with values is named where a service, a schema or code says so.
func TestProcedures(t *testing.T) {
	for _, c := range []struct{ path, text, want string }{
		{"quay.proto", "service Quay {\n  // rpc Gone(A) returns (B);\n  rpc Moor(MoorRequest) returns (stream Berth) {}\n}\nmessage rpc_like { string rpc = 1; }\n", "[{Moor 3}]"},
		{"schema.graphql", "type Query {\n  \"\"\"\n  gone: one\n  \"\"\"\n  ship(id: ID!,\n    name: String): Ship # x: Y\n  ships: [Ship!]!\n}\nextend type Mutation @x { moor: Ship }\ntype Ship { id: ID }\n", "[{ship 5} {ships 7} {moor 9}]"},
		{"src/schema.ts", "const defs = gql`\n  type Query {\n    tides: [Tide]\n  }\n`;\ntype Query = { a: 1 };\n", "[{tides 3}]"},
		{"src/router.ts", "export const ships = router({\n  list: publicProcedure.query(() => []),\n  moor: protectedProcedure\n    .input(z.string())\n    .mutation(f),\n});\n", "[{list 2} {moor 3}]"},
		{"src/ships.resolver.ts", "@Resolver(() => Ship)\nexport class Ships {\n  @Query(() => [Ship], { name: 'x' })\n  @UseGuards(A)\n  async ships(@Args() a) {}\n  @Mutation(returns => Ship)\n  moor() {}\n  list(@Query() q) {}\n}\n", "[{ships 5} {moor 7}]"},
		{"src/Ships.java", "class Ships {\n  @QueryMapping\n  public List<Ship> ships(@Argument int n) { return null; }\n}\n", "[{ships 3}]"},
		{"quay/events.go", "package quay\n\ntype Subscription interface {\n\tPoll(t int)\n}\n", "[]"},
	} {
		s := surfaceOf(c.path, c.text)
		if got := fmt.Sprint(s.Procedures); got != c.want {
			t.Errorf("%s: %s\n\twant %s", c.path, got, c.want)
		}
	}
}
