package brief

import (
	"fmt"
	"strings"
	"testing"
)

// The values of files of settings stand below their keys, those that are asked for first, and what two files say alike once.
func TestConfigured(t *testing.T) {
	files := map[string]string{
		"src/Quay.cs":                 "public class Quay\n{\n    public void Moor() {}\n}\n",
		"src/Quay/appsettings.json":   "{\n  \"Logging\": {\n    \"Level\": \"Info\"\n  },\n  \"Tide\": {\n    \"CheckTime\": \"30\"\n  },\n  \"Rope\": []\n}\n",
		"src/Pier/appsettings.json":   "{\n  \"Logging\": {\n    \"Level\": \"Info\"\n  },\n  \"Hosts\": \"*\"\n}\n",
		"conf/application.yml":        "# c\nquay:\n  boats: 3\n  http:\n    port: 8082\n",
		"conf/application.properties": "# a=b\nquay.port=8083\nquay.empty=\n",
		"conf/settings.toml":          "[tide]\nwait = 3\n",
		".github/config.yml":          "port: 1\n",
	}
	text := strings.Join(described(files, 10_000, 0).Document(), "")
	_, got, _ := strings.Cut(text, "## What it is set to\n\n")
	got, _, _ = strings.Cut(got, "\n## ")
	const want = "```\nconf/application.properties\n2\tquay.port=8083\nconf/application.yml\n2\tquay:\n3\t  boats: 3\n4\t  http:\n5\t    port: 8082\n" +
		"conf/settings.toml\n1\t[tide]\n2\twait = 3\n" +
		"src/Pier/appsettings.json\n2\t  \"Logging\": {\n3\t    \"Level\": \"Info\"\n5\t  \"Hosts\": \"*\"\n" +
		"src/Quay/appsettings.json\n5\t  \"Tide\": {\n6\t    \"CheckTime\": \"30\"\n```\n"
	if strings.TrimSpace(got) != strings.TrimSpace(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if small := strings.Join(described(files, 8_000, 0).Document(), ""); strings.Contains(small, "What it is set to") {
		t.Errorf("in 8,000 tokens:\n%s", small)
	}
}

// A line gives a value that is asked for by the words of its name, whatever the language; a call, a type and another name give none.
func TestSetsAsked(t *testing.T) {
	for line, want := range map[string]bool{
		`SECURITY_MAX_LOGIN_ATTEMPTS: int = 5`:                                   true,
		`private static final int MAX_REDIRECTS = 20;`:                           true,
		`const PARSE_TIMEOUT: Duration = Duration::from_millis(500);`:            true,
		`#define KEYC_CLICK_TIMEOUT 300`:                                         true,
		`@recent_limit 9`:                                                        true,
		`STORIES_PER_PAGE = 25`:                                                  false,
		`public static final String KEY_INDEX = "index";`:                        false,
		`port = config.port;`:                                                    false,
		`def port(self): return 8080`:                                            false,
		`private port: number;`:                                                  false,
		`@Max(5) int port`:                                                       false,
		`timeout = (a) => { return 5; }`:                                         false,
		`host: str = "localhost"`:                                                true,
		`public TimeSpan RegexTimeout { get; set; } = TimeSpan.FromSeconds(10);`: true,
		`'storage_limit' => env('LIMIT', 50),`:                                   true,
		`'request_timeout': Value(Real, 3.0),`:                                   true,
		`{Config::Pier_IdleTimeout, {QS("Pier/IdleTimeout"), Roaming, 240}},`:    true,
		`'rope': Value(str, 'timeout'),`:                                         false,
		`iconSize: 40,`:                                                          false,
		`=`:                                                                      false,
		`limit =`:                                                                false,
	} {
		if got := setsAsked(line) > 0; got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

// Members of an enumeration are counted through: their numbers are not asked for. Two that follow each other by chance are.
func TestPassEnumerated(t *testing.T) {
	s := &shelf{}
	for n, line := range []string{"ModePlain = 0", "ModeTide = 1,", "ModeStorm = 2;", "MaxRopes = 4", "MaxPiers = 5", "Port = 8080"} {
		s.lines = append(s.lines, signature{Definition: Definition{Line: 2 * n}, text: "1\t" + line + "\n", asks: setsAsked(line)})
	}
	s.passEnumerated()
	for n, want := range []int{0, 0, 0, 1, 1, 1} {
		if got := s.lines[n].asks; got != want {
			t.Errorf("%q: %d, want %d", s.lines[n].text, got, want)
		}
	}
}

// A constructor that says on other lines what it takes says nothing in the first.
func TestConstructorOfCourse(t *testing.T) {
	for line, want := range map[string]bool{"public function __construct(": true, "public function __construct(private Rope $rope)": false} {
		l := signature{text: "7\t" + line + "\n", Definition: Definition{Name: "Pier.__construct"}}
		if got := l.ofCourse(); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

// A line in which a file gets its logger says nothing that others do not.
func TestGetsLogger(t *testing.T) {
	for line, want := range map[string]bool{
		"logger = logging.getLogger(__name__)":                                      true,
		"log = logging.getLogger(\"quay\")":                                         true,
		"private static final Logger logger = LoggerFactory.getLogger(Quay.class);": true,
		"const logger = createLogger('quay');":                                      true,
		"var log = zap.NewLogger()":                                                 true,
		"def get_logger(name):":                                                     false,
		"export const createLogger = (name: string) => new Logger(name);":           false,
		"ropes = logging.getLogger(__name__)":                                       false,
		"export function logger(name) {":                                            false,
		"catalog = getLogger(1)":                                                    false,
	} {
		l := signature{text: "7 " + line + "\n", Definition: Definition{Name: "x"}}
		if got := l.ofCourse(); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

// Numbers that are asked for stand before most that is defined, those first whose names say it most, and a few of a file.
func TestBringValues(t *testing.T) {
	w := &shelves{Repository: &Repository{Members: []Member{{Path: "a.go"}, {Path: "b.go"}, {Path: "b_test.go", Role: Test}}}, budget: 640}
	var offers []offer
	add := func(member int, score int64, lines ...string) {
		s := &shelf{member: member}
		for n, line := range lines {
			s.lines = append(s.lines, signature{Definition: Definition{Name: line, Exported: true}, text: "1\t" + line + "\n", asks: setsAsked(line)})
			offers = append(offers, offer{shelf: s, line: n, score: score})
		}
	}
	for range 12 {
		add(0, 90, "func Moor()")
	}
	add(1, 10, `portName = "7"`, "Size = 5", "MaxRopes = -1", "DefaultMaxWait = time.Duration(4)", "DefaultMaxBoats = 3", "plain = 8")
	add(2, 10, "DefaultMaxSize = 5")
	w.bringValues(offers)
	var got []string
	for _, o := range offers[12:15] {
		got = append(got, fmt.Sprint(o.shelf.lines[o.line].Name, o.score))
	}
	if want := "DefaultMaxWait = time.Duration(4)90 DefaultMaxBoats = 390 portName = \"7\"10"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}
