package client

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"
)

var ours = Server{Name: "haversack", Command: "haversack", Args: []string{"serve"}}

// settings are files as people have them; SERVERS is the client's key.
var settings = []string{
	"{}\n", "{}", "{\n}", "{ }", "{\n  // none yet\n}\n", "{ /* none yet */ }\n",
	"{\"SERVERS\": {}}", "{\n  \"SERVERS\": {},\n  \"z\": 1 /* one */\n}\n", "{\n  \"SERVERS\": {\n    // \"later\": {}\n  }\n}\n",
	"{\n  \"theme\": \"dark\"\n}\n", "{\n  \"theme\": \"dark\", // of the evening\n}\n", "{\n  \"theme\": \"dark\" // of the evening\n}\n", "{\"theme\": \"dark\"}",
	"{\n\t\"theme\": \"dark\", // of the evening\n\t\"SERVERS\": {\n\t\t\"other\": {\"command\": \"o\"}\n\t}\n}\n",
	"{\n    \"SERVERS\": {\n        \"other\": {\n            \"command\": \"o\",\n        },\n    },\n}\n",
	"{\n  \"SERVERS\": {\n    \"other\": {\"command\": \"o\"} // theirs\n    // \"off\": {}\n  }\n}\n",
	"{\n  \"SERVERS\": {\n    \"other\": {\"command\": \"o\"}, /* theirs */ // and\n    // \"off\": {}\n  },\n}\n",
	"{\n  \"SERVERS\": {\n    \"other\": {\"command\": \"o\"} /* over\n    two lines */\n  }\n}\n",
	"{\"SERVERS\": {\"other\": {}}, \"z\": [1,2]}", "{\"SERVERS\":{\"other\":{},\"more\":{}}}",
	"{\r\n  \"SERVERS\": {\r\n    \"other\": {}\r\n  },\r\n  \"z\": 1\r\n}\r\n", "{\r\n\t\"z\": 1\r\n}",
	"\ufeff{\r\n  \"SERVERS\": {\r\n    \"other\": {} // x\r\n  }\r\n}", "\ufeff{}",
	"{\"SERVERS\": {\"a\": {} /* , */ , \"b\": {}, }}", "{\n\n  \"SERVERS\": {\n\n    \"a\": {}\n\n  }\n\n}\n",
}

// serversOf are a client's servers, as a reader of its file has them, and what else stands in it.
func serversOf(t *testing.T, c *Client, file []byte) (servers, rest map[string]any) {
	t.Helper()
	plain, err := hujson.Standardize([]byte(strings.TrimPrefix(string(file), "\ufeff")))
	if err == nil {
		// Numbers as they stand: 1e400 is valid JSON and no float64.
		numbers := json.NewDecoder(bytes.NewReader(plain))
		numbers.UseNumber()
		err = numbers.Decode(&rest)
	}
	if err != nil {
		t.Errorf("%s %q: %v", c.Name, file, err)
	}
	servers, _ = rest[c.key].(map[string]any)
	delete(rest, c.key)
	return servers, rest
}

// TestFiles installs into files as people have them, and takes the entry away again.
func TestFiles(t *testing.T) {
	for _, c := range All {
		if c.toml {
			continue
		}
		for _, x := range settings {
			x = strings.ReplaceAll(x, "SERVERS", c.key)
			with, err := c.Install([]byte(x), ours)
			if err != nil {
				t.Errorf("%s %q: %v", c.Name, x, err)
				continue
			}
			before, others := serversOf(t, &c, []byte(x))
			after, same := serversOf(t, &c, with)
			if after["haversack"] == nil || len(after) != len(before)+1 || !cmp.Equal(others, same) {
				t.Errorf("%s %q: %q", c.Name, x, with)
			}
			// A line with a comment keeps both, but for a comma.
			lines := strings.Split(string(with), "\n")
			for line := range strings.SplitSeq(strings.Trim(x, "{}\ufeff"), "\n") {
				line = strings.ReplaceAll(strings.TrimRight(line, "} \r"), ",", "")
				if strings.Contains(line, "/") && !slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(strings.ReplaceAll(l, ",", ""), line) }) {
					t.Errorf("%s %q: lost %q in %q", c.Name, x, line, with)
				}
			}
			if again, err := c.Install(with, ours); err != nil || string(again) != string(with) {
				t.Errorf("%s: installed twice:\n%s\nnot\n%s%v", c.Name, again, with, err)
			}
			// Of an object over several lines with nothing in it nothing is left, as of no file.
			if without, err := c.Uninstall(with, "haversack"); err != nil || string(without) != x && (without != nil || x != "{\n}") {
				t.Errorf("%s: taken away:\n%q\nnot\n%q\nof %q: %v", c.Name, without, x, with, err)
			}
		}
		made, err := c.Install(nil, ours)
		if err != nil {
			t.Fatal(err)
		}
		if without, err := c.Uninstall(made, "haversack"); err != nil || without != nil {
			t.Errorf("%s: of a file that was not there %q is left: %v", c.Name, without, err)
		}
		for _, x := range []string{"[]", "{", "{\"" + c.key + "\": 1}", "nonsense", "{\"" + c.key + "\": {}, \"" + c.key + "\": {}}", "{\"" + c.key + "\": {\"haversack\": 1, \"haversack\": 2}}"} {
			if got, err := c.Install([]byte(x), ours); err == nil {
				t.Errorf("%s %q: %q and no error", c.Name, x, got)
			}
		}
	}
}

// TestOwnEntry: an entry that is there is replaced in its place, or stays where it says the same; comments around it stay.
func TestOwnEntry(t *testing.T) {
	c := Named("gemini")
	for _, x := range []struct{ file, with, without string }{
		{
			"{\n  \"mcpServers\": {\n    // mine\n    \"haversack\": {\"command\": \"old\"}, // here\n    // its\n    \"b\": {}\n  }\n}\n",
			"{\n  \"mcpServers\": {\n    // mine\n    \"haversack\": {\"command\": \"haversack\", \"args\": [\"serve\"]}, // here\n    // its\n    \"b\": {}\n  }\n}\n",
			"{\n  \"mcpServers\": {\n    // mine\n    // here\n    // its\n    \"b\": {}\n  }\n}\n",
		},
		{
			"{\"mcpServers\": {\"a\": {}, \"haversack\": { \"args\": [ \"serve\" ], \"command\": \"haversack\" }, \"b\": {}}}",
			"{\"mcpServers\": {\"a\": {}, \"haversack\": { \"args\": [ \"serve\" ], \"command\": \"haversack\" }, \"b\": {}}}",
			"{\"mcpServers\": {\"a\": {}, \"b\": {}}}",
		},
		{
			"{\n \"mcpServers\": {\n  \"a\": {}, // a\n  \"haversack\": 1}}",
			"{\n \"mcpServers\": {\n  \"a\": {}, // a\n  \"haversack\": {\"command\": \"haversack\", \"args\": [\"serve\"]}}}",
			"{\n \"mcpServers\": {\n  \"a\": {} // a\n}}",
		},
	} {
		with, err := c.Install([]byte(x.file), ours)
		if err != nil || string(with) != x.with {
			t.Errorf("%q: %q, not %q: %v", x.file, with, x.with, err)
		}
		without, err := c.Uninstall(with, "haversack")
		if err != nil || string(without) != x.without {
			t.Errorf("%q: taken away: %q, not %q: %v", x.file, without, x.without, err)
		}
		serversOf(t, c, without)
	}
}

func TestTOML(t *testing.T) {
	c := Named("codex")
	for _, x := range []string{
		"\n", "model = \"m\"\n", "model = \"m\"", "model = \"m\"\n\n", "[mcp_servers.other]\ncommand = \"o\"\n\n[tui]\nx = 1\n", "a = 1\r\n[mcp_servers.other]\r\ncommand = 'o'\r\n",
		"\ufeffa = 1\r\n# the end", "[mcp_servers.\"haversack.x\"]\ncommand = \"o\"\n", "s = '''\n[mcp_servers.haversack]\n'''\n", "[mcp_servers]\nx = 1\n",
	} {
		with, err := c.Install([]byte(x), ours)
		if err != nil || !strings.HasPrefix(string(with), x) || !strings.Contains(string(with), "[mcp_servers.haversack]") {
			t.Errorf("%q: %q %v", x, with, err)
		}
		if again, err := c.Install(with, ours); err != nil || string(again) != string(with) {
			t.Errorf("installed twice: %q, not %q: %v", again, with, err)
		}
		without, err := c.Uninstall(with, "haversack")
		if err != nil || string(without) != x {
			t.Errorf("taken away: %q, not %q: %v", without, x, err)
		}
		// What somebody adds behind it stays, with the comment above.
		ends := endsOf(with)
		tail := ends + "# of the evening" + ends + "[theme]" + ends + "dark = true" + ends
		without, err = c.Uninstall(append(with, tail...), "haversack")
		if err != nil || !strings.HasSuffix(string(without), tail) || !strings.HasPrefix(string(without), strings.TrimRight(x, "\r\n")) {
			t.Errorf("taken away from the middle: %q: %v", without, err)
		}
	}
	if made, err := c.Install(nil, ours); err != nil {
		t.Error(err)
	} else if without, err := c.Uninstall(made, "haversack"); err != nil || without != nil {
		t.Errorf("of a file that was not there %q is left: %v", without, err)
	}
	middle := "[mcp_servers.haversack]\ncommand = \"old\" # mine\n[ mcp_servers . \"haversack\" . env]\nA = '''\n[tui]\n'''\n# theirs\n[tui]\nx = 1\n"
	if got, err := c.Uninstall([]byte(middle), "haversack"); err != nil || string(got) != "# theirs\n[tui]\nx = 1\n" {
		t.Errorf("%q %v", got, err)
	}
	if got, err := c.Install([]byte(middle), ours); err != nil || string(got) != "[mcp_servers.haversack]\ncommand = \"haversack\"\nargs = [\"serve\"]\n# theirs\n[tui]\nx = 1\n" {
		t.Errorf("%q %v", got, err)
	}
	apart := "[mcp_servers.haversack]\ncommand = \"old\"\n[a]\n[mcp_servers.haversack.env]\nA = 1\n"
	if got, err := c.Uninstall([]byte(apart), "haversack"); err != nil || string(got) != "[a]\n" {
		t.Errorf("%q %v", got, err)
	}
	for _, x := range []string{
		"a = ", "mcp_servers = 1\n", "mcp_servers = { haversack = { command = \"x\" } }\n", "mcp_servers = { other = {} }\n", "mcp_servers.haversack.command = \"x\"\n",
		"s = '''\n[mcp_servers.haversack]\n'''\n[mcp_servers]\nhaversack = { command = \"x\" }\n",
	} {
		if got, err := c.Install([]byte(x), ours); err == nil {
			t.Errorf("%q: %q and no error", x, got)
		}
	}
}

// FuzzInstall: what is no JSON is an error; else the entry is there, all else stays, and taking it away leaves what was there.
func FuzzInstall(f *testing.F) {
	for _, x := range settings {
		f.Add(strings.ReplaceAll(x, "SERVERS", "mcpServers"))
	}
	f.Add("{\"mcpServers\": {\"a\": 1, /* x */}}")
	f.Add("{// c\n\"a\": {}}")
	f.Add("{\"a\": 1e400}")
	f.Add("{\"mcpServers\": {\"a\": 1, // x\n\"haversack\": 2}}")
	f.Fuzz(func(t *testing.T, x string) {
		c := Named("claude")
		with, err := c.Install([]byte(x), ours)
		if err != nil || strings.TrimSpace(strings.TrimPrefix(x, bom)) == "" {
			return
		}
		before, others := serversOf(t, c, []byte(x))
		after, same := serversOf(t, c, with)
		if after["haversack"] == nil || !cmp.Equal(others, same) {
			t.Fatalf("%q: %q", x, with)
		}
		without, err := c.Uninstall(with, ours.Name)
		if err != nil {
			t.Fatal(err)
		}
		if without == nil {
			without = []byte("{}")
		}
		left, same := serversOf(t, c, without)
		delete(before, "haversack")
		if len(left) != len(before) || len(before) > 0 && !cmp.Equal(left, before) || !cmp.Equal(others, same) {
			t.Fatalf("%q: %q: %q", x, with, without)
		}
	})
}
