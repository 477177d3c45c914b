package secret

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/secret/known"
	"github.com/haversack-dev/haversack/internal/secret/value"
)

// TestKnownKeyLines holds that each line of a private key is known, and what is no part of the key is not.
func TestKnownKeyLines(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(9, 14))}
	var lines []string
	for range 6 {
		lines = append(lines, m.of(std64, 64))
	}
	lines = append(lines, m.of(std64, 14)+"==")
	label := "RSA PRIVATE" + " KEY-----"
	for name, join := range map[string]string{"lines": "\n", "returns": "\r\n", "escaped": `\n`, "JSON": `\u000a`, "joined": "\" +\n  \""} {
		text := "-----BEGIN " + label + join + "Proc-Type: 4,ENCRYPTED" + join + strings.Join(lines, join) + join + "-----END " + label
		var k known.Values
		k.AddFile("key", []byte(text), []value.Finding{{Rule: known.KeyRule, Line: 1, Start: 0, End: len(text)}})
		for _, l := range lines {
			if got := k.Find([]byte("x "+l+" y"), nil); len(got) == 0 {
				t.Errorf("%s: %s is not found", name, l)
			}
		}
		if got := k.Find([]byte("-----BEGIN "+label+" Proc-Type: 4,ENCRYPTED"), nil); len(got) > 0 {
			t.Errorf("%s: armour is taken for a key", name)
		}
		// Without its first line.
		rest := strings.Join(lines, join) + join + "-----END " + label
		for _, above := range []string{"", "key:\n", "Some words, and a line.\n\n", "-----BEGN " + label + "\n"} {
			if got := scans(t, "notes.txt", above+rest+"\nmore\n"); len(got) != 1 || !strings.HasPrefix(got[0], lines[0]) {
				t.Errorf("%s below %q: found %.80q", name, above, got)
			}
		}
	}
	public := strings.Join(lines, "\n") + "\n-----END " + "CERTIFICATE-----\n"
	if got := scans(t, "notes.txt", public); len(got) > 0 {
		t.Errorf("a certificate: found %q", got)
	}
}

// TestProseVerb holds that a word after the verb pass teaches nothing.
func TestProseVerb(t *testing.T) {
	for _, text := range []string{
		"To do so pass `react-dom2.Server` to the renderer.\n", "Pass `graph.Stale9Nodes` as the second argument.\n", "you may pass `Loader42-Include` here\n", "Pass **`Config.Loader9!`** along.\n", "pass the option for it, `Use-Loader9x!`, on\n",
	} {
		if got := scans(t, "README.md", text); len(got) > 0 {
			t.Errorf("%s: found %q", text, got)
		}
	}
	said := "Z" + "x81" + "kLq0vR9sJw3Tn6Yp5Hc2"
	for _, text := range []string{"pass `" + said + "` to it\n", "the pass" + "word is `" + said + "`\n"} {
		if got := scans(t, "README.md", text); len(got) != 1 || got[0] != said {
			t.Errorf("%s: found %q", text, got)
		}
	}
}
