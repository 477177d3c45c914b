package client

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
)

var ours = Server{Name: "haversack", Command: "haversack", Args: []string{"serve"}}

// TestFiles installs into files as people have them, and takes the entry away again.
func TestFiles(t *testing.T) {
	for _, c := range All {
		if c.toml {
			continue
		}
		for _, x := range []string{
			"{}\n", "{\n}\n", "{ }", "{\n  // none yet\n}\n",
			"{\n\t\"theme\": \"dark\", // of the evening\n\t\"" + c.key + "\": {\n\t\t\"other\": {\"command\": \"o\"}\n\t}\n}\n",
			"{\n    \"" + c.key + "\": {\n        \"other\": {\n            \"command\": \"o\",\n        },\n    },\n}\n",
			"{\"" + c.key + "\": {\"other\": {}}, \"z\": [1,2]}",
			"{\r\n  \"" + c.key + "\": {\r\n    \"other\": {}\r\n  },\r\n  \"z\": 1\r\n}\r\n",
			"{\n  \"" + c.key + "\": {},\n  \"z\": 1 /* one */\n}\n",
			"{\"" + c.key + "\": {\"a\": {} /* , */ , \"b\": {}, }}",
		} {
			with, err := c.Install([]byte(x), ours)
			if err != nil {
				t.Errorf("%s %q: %v", c.Name, x, err)
				continue
			}
			plain, err := hujson.Standardize([]byte(string(with)))
			if err != nil {
				t.Errorf("%s %q: %q: %v", c.Name, x, with, err)
			}
			var all map[string]json.RawMessage
			if err := json.Unmarshal(plain, &all); err != nil {
				t.Errorf("%s %q: %q: %v", c.Name, x, with, err)
				continue
			}
			var servers map[string]any
			if err := json.Unmarshal(all[c.key], &servers); err != nil || servers["haversack"] == nil {
				t.Errorf("%s %q: %q: %v", c.Name, x, with, err)
			}
			if again, err := c.Install(with, ours); err != nil || string(again) != string(with) {
				t.Errorf("%s: installed twice:\n%s\nnot\n%s%v", c.Name, again, with, err)
			}
			without, err := c.Uninstall(with, "haversack")
			if err != nil {
				t.Errorf("%s %q: %v", c.Name, with, err)
			}
			if strings.Contains(x, `"other"`) && string(without) != x {
				t.Errorf("%s: taken away:\n%q\nnot\n%q", c.Name, without, x)
			}
		}
		for _, x := range []string{"[]", "{", "{\"" + c.key + "\": 1}", "nonsense"} {
			if got, err := c.Install([]byte(x), ours); err == nil {
				t.Errorf("%s %q: %q and no error", c.Name, x, got)
			}
		}
	}
}

func TestTOML(t *testing.T) {
	c := Named("codex")
	for _, x := range []string{"", "model = \"m\"\n", "model = \"m\"", "[mcp_servers.other]\ncommand = \"o\"\n\n[tui]\nx = 1\n", "a = 1\r\n[mcp_servers.other]\r\ncommand = 'o'\r\n"} {
		with, err := c.Install([]byte(x), ours)
		if err != nil || !strings.HasPrefix(string(with), x) || !strings.Contains(string(with), "[mcp_servers.haversack]") {
			t.Errorf("%q: %q %v", x, with, err)
		}
		if again, err := c.Install(with, ours); err != nil || string(again) != string(with) {
			t.Errorf("installed twice: %q, not %q: %v", again, with, err)
		}
		without, err := c.Uninstall(with, "haversack")
		if err != nil || strings.TrimRight(string(without), "\r\n") != strings.TrimRight(x, "\r\n") {
			t.Errorf("taken away: %q, not %q: %v", without, x, err)
		}
	}
	middle := "[mcp_servers.haversack]\ncommand = \"old\"\n[mcp_servers.haversack.env]\nA = \"b\"\n[tui]\nx = 1\n"
	if got, err := c.Uninstall([]byte(middle), "haversack"); err != nil || string(got) != "[tui]\nx = 1\n" {
		t.Errorf("%q %v", got, err)
	}
	for _, x := range []string{"a = ", "mcp_servers = 1\n", "mcp_servers = { haversack = { command = \"x\" } }\n", "s = '''\n[mcp_servers.haversack]\n'''\n[mcp_servers]\nhaversack = { command = \"x\" }\n"} {
		if got, err := c.Install([]byte(x), ours); err == nil {
			t.Errorf("%q: %q and no error", x, got)
		}
	}
}

// FuzzInstall: what is no JSON is an error; else the entry is there, all else stays, and taking it away leaves what was there.
func FuzzInstall(f *testing.F) {
	f.Add("{\"mcpServers\": {\"a\": 1, /* x */}}")
	f.Add("{// c\n\"a\": {}}")
	f.Fuzz(func(t *testing.T, x string) {
		c := Named("claude")
		with, err := c.Install([]byte(x), ours)
		if err != nil {
			return
		}
		if _, err := hujson.Parse(with); err != nil {
			t.Fatalf("%q: %q: %v", x, with, err)
		}
		without, err := c.Uninstall(with, ours.Name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := hujson.Parse(without); err != nil {
			t.Fatalf("%q: %q: %v", with, without, err)
		}
	})
}
