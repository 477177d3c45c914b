package secret

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// hostile are the beginnings of texts made to wear the scanner out; each is
// repeated to the size wanted.
func hostile() map[string]string {
	m := maker{rand.New(rand.NewPCG(3, 3))}
	pk := "PRIVATE" + " KEY"
	return map[string]string{
		"key=":            "key=",
		"key = value":     "key = 1aaaaaaaaaa ",
		"key random":      "key = " + m.of(base62, 18) + " ",
		"jwt-like":        "eyJ" + m.of(base62, 17),
		"jwt-dots":        "eyJ.",
		"apiKey":          "\"apiKey\":\"" + m.of(base62, 24) + "\",",
		"apiKey-open":     "\"apiKey\":\"",
		"password-open":   "password='",
		"names":           "token, ",
		"typed names":     "token string = ",
		"accessors":       "token { get; set; ",
		"password-tick":   "password=`",
		"password-escape": "password=\\\"\\\\\\\"",
		"curl -H":         "curl -H ",
		"curl -u":         "curl -u a:",
		"curl":            "curl ",
		"mysql":           "mysql -p ",
		"begin":           "-----BEGIN " + pk + "-----",
		"begin-lines":     "-----BEGIN " + pk + "-----\n",
		"begin-base64":    "-----BEGIN " + pk + "-----\n" + m.of(std64, 64) + "\n",
		"putty":           "PuTTY-User-Key-File-",
		"kind-secret":     "kind: secret data: ",
		"kind-lines":      "kind: Secret\ndata:\n  a: " + m.of(std64, 20) + "\n",
		"kind-data":       "kind: Secret\n" + strings.Repeat("data:\n", 20),
		"url":             "a://",
		"url-colon":       "a://b:",
		"url-at":          "a://b:c@",
		"url-brace":       "a://b:${",
		"name-value":      "name: PASSWORD value: ",
		"name-open":       "name: PASSWORD\n",
		"element":         "<password><a>",
		"attribute":       "<a b=\"password\" ",
		"block":           "password: |\n  a\n",
		"sequence":        "keys:\n- " + m.of(base62, 20) + "\n",
		"default":         "\"password\" { ",
		"basic":           "Basic " + m.of(base62, 12) + " ",
		"bearer":          "Bearer " + m.of(base62, 40) + " ",
		"base64":          m.of(std64, 64),
		"base64-lines":    m.of(std64, 64) + "\n",
		"hex":             m.of(hexes, 64),
		"AAAA":            "A",
		"LS0t":            "LS0tLS1CRUdJTiB",
		"identified":      "identified by ",
		"pgpass":          ":*:*:",
		"pair":            "auth=('a',",
		"jwk":             "\"kty\"",
		"jwk-d":           "{\"kty\":\"EC\",\"d\":",
		"diff":            "+++ b/x.patch\n+password: abc\n",
		"twitter":         "twitter = " + m.of(lowDigit, 24) + " ",
		"discord":         "discord:" + m.of(hexes, 31) + "z ",
		"telegr":          "telegr,telegr=1",
		"sourcegraph":     "sourcegraph " + m.of(hexes, 40) + "g ",
		"escapes":         "password=\"" + strings.Repeat("\\", 40),
		"quotes":          "token=\"\"\"",
		"spaces":          "token=" + strings.Repeat(" ", 199),
		"secret-dots":     "secret.",
		"unicode":         "password\u00e9=",
		"nul":             "password=\x00\x00",
		"password=":       "password=",
		"pwd=":            "pwd=",
		"secret=":         "secret=",
		"password=\"x":    "password=\"x",
		"password=(":      "password=(\n",
		"password ":       "password ",
		"api_key: x":      "api_key: x",
		"random-bytes":    string(m.bytes(4096)),
		"sk-":             "sk-" + m.of(base62, 47) + "_",
		"AKIA":            "AKIA" + m.of(uppers, 15) + "1 ",
		"xoxb":            "xoxb-" + m.of(digits, 12) + "-",
		"hooks":           "hooks.slack.com/services/",
		"$2y":             "$2y$10$",
		"$6":              "$6$" + m.of(base62, 8) + "$",
		"sig=":            "&sig=" + m.of(base62, 42) + "!",
		"sign-call":       "jwt.sign(",
		"-p":              "docker login -p ",
		"weak":            "password=\"" + m.of(lowDigit, 9) + "\",",
		"weak-line":       "password: " + m.of(lowDigit, 9) + "\n",
		"list":            "tok" + "ens: ['a1b2c3d4e5', 'f6g7h8i9j0', ",
		"list-open":       "tokens: [\"a1b2c3d4e5\", \"",
		"json-in-json":    "\"token\":\"{\\\"token\\\":\\\"{\\\\\\\"token\\\\\\\":",
		"json-deep":       "\"token\":{",
		"typed":           "token: string = ",
		"wrapped":         "token = string(string(",
		"compared":        "password == ",
		"element-open":    "<string name=\"token\">",
		"element-rows":    "<tr><td>password</td><td>hello</td></tr>\n",
		"element-heads":   "<tr><th>password</th>\n",
		"element-entries": "<row><entry>password</entry><entry>hello</entry></row>\n",
		"translated":      "<trans-unit id=\"1\"><source>password</source><target>Passwort</target></trans-unit>\n",
		"no-utf8":         "pass\xffword\xfe=ab1 token\xff: \xfe\xfd1",
		"long-value":      "password=\"" + m.of(base62, 2000) + "\"\n",
	}
}

func repeat(unit string, size int) []byte {
	return bytes.Repeat([]byte(unit), size/len(unit)+1)[:size]
}

// TestHostileWork counts work, not time: whatever a text holds, it is decided or
// refused within its budget, and a text ten times as long costs at most ten
// times and a little more.
func TestHostileWork(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	s := newScanner(t)
	size := 1 << 16
	if underRace {
		size = 1 << 12
	}
	for name, unit := range hostile() {
		for _, path := range []string{"x.yaml", "x.go", "x.txt", "x.csv"} {
			text := repeat(unit, size)
			r := s.runs.Get().(*run)
			r.reset(path, text)
			err := r.scan()
			// One look past the limit is what a window or a bound may cost.
			if over := r.spent - r.limit; over > 8e6 {
				t.Errorf("%s in %s: %d units over the budget of %d", name, path, over, r.limit)
			}
			if err != nil && !errors.Is(err, ErrBudget) {
				t.Errorf("%s in %s: %v", name, path, err)
			}
			s.runs.Put(r)
		}
	}
}

// TestLiteralsWork repeats each literal of the table with what its expression
// asks for after it: no rule alone may take more than its share.
func TestLiteralsWork(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	s := newScanner(t)
	m := maker{rand.New(rand.NewPCG(4, 4))}
	type cost struct {
		name string
		per  float64
	}
	var costs []cost
	for i := range s.table.patterns {
		p := &s.table.patterns[i]
		unit := p.literal
		if p.exact != "" {
			unit = p.exact
		}
		for _, c := range p.follow {
			for _, b := range []byte("a1A.- =:/_$Ff0\"'@{") {
				if c.Has(b) {
					unit += string(b)
					break
				}
			}
		}
		text := repeat(unit+" "+m.of(base62, 3), 1<<12)
		r := s.runs.Get().(*run)
		r.reset("x.conf", text)
		_ = r.scan()
		if over := r.spent - r.limit; over > 8e6 {
			t.Errorf("%q: %d units over the budget", unit, over)
		}
		costs = append(costs, cost{unit, float64(r.spent) / float64(len(text))})
		s.runs.Put(r)
	}
	slices.SortFunc(costs, func(a, b cost) int { return int(b.per - a.per) })
	for _, c := range costs[:5] {
		t.Logf("%.0f units a byte: %q", c.per, c.name)
	}
}

// BenchmarkHostile takes the hostile texts at 1 and 10 MiB. CPU-s must stay
// under 2.
func BenchmarkHostile(b *testing.B) {
	s := newScanner(b)
	names := hostile()
	var list []string
	for n := range names {
		list = append(list, n)
	}
	slices.Sort(list)
	for _, n := range list {
		for _, mib := range []int{1, 10} {
			text := repeat(names[n], mib<<20)
			for _, ext := range []string{"yaml", "txt", "go"} {
				b.Run(fmt.Sprintf("%s/%dMiB/%s", strings.ReplaceAll(n, " ", "_"), mib, ext), func(b *testing.B) {
					start := cpu()
					refused := 0
					for range b.N {
						if _, err := s.Scan("x."+ext, text, nil); err != nil {
							refused++
						}
					}
					b.ReportMetric((cpu()-start).Seconds()/float64(b.N), "CPU-s/op")
					b.ReportMetric(float64(refused)/float64(b.N), "refused")
					b.ReportMetric(0, "ns/op")
				})
			}
		}
	}
}
