package action

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/repotest"
	"github.com/haversack-dev/haversack/internal/seedtest"
)

var passedRepos = flag.Int("passed.repos", 2, "repositories that TestPassed makes")

// TestPassed makes random repositories of texts that speak of users, passwords and keys, most
// of them harmless, and packs a change of each in every mode and format: what the screen
// passed, no gate stops, and verify accepts what was made.
func TestPassed(t *testing.T) {
	seed := seedtest.Seed(t)
	repos := *passedRepos
	if testing.Short() {
		repos = min(repos, 1)
	}
	for n := range repos {
		at := seed + uint64(n)
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			t.Parallel()
			w := &writer{Rand: rand.New(rand.NewPCG(at, 39)), files: map[string]string{}}
			repo := repotest.New(t, "-- README.md --\n# App\n")
			for range 2 {
				for range 6 + w.IntN(10) {
					w.write()
				}
				world := world{files: w.files}
				world.write(t, repo.Dir)
				repo.Git("add", "-A")
				repo.Git("commit", "-q", "--allow-empty", "-m", w.sentence())
			}
			out := filepath.Join(repo.Dir, ".stan", "output")
			for _, args := range [][]string{
				{"--mode", "context", "--pack-format", "json", "--pack", "change"},
				{"--mode", "context", "--pack-format", "markdown", "--pack", "both", "--fill", "rank"},
				{"--mode", "full", "--pack", "both"},
				{"--mode", "full", "--pack", "both", "--pack-format", "markdown", "--base", "none"},
				{"--mode", "meta", "--pack", "summary"},
			} {
				if _, err := execute(t, repo.Dir, nil, append(args, "--session", "off")...); err != nil {
					t.Errorf("seed %d: %v: %v", at, args, err)
					continue
				}
				for _, name := range []string{"archive.tar", "archive.diff.tar"} {
					if name == "archive.diff.tar" && (args[1] == "meta" || args[len(args)-1] == "none") {
						continue
					}
					if said, err := execute(t, repo.Dir, nil, "verify", filepath.Join(out, name)); err != nil {
						t.Errorf("seed %d: %v: verify: %v\n%s", at, args, err, said)
					}
				}
			}
			tmp := t.TempDir()
			event, _ := json.Marshal(map[string]any{"ref": "refs/heads/main", "before": repo.Git("rev-parse", "HEAD~1"), "after": repo.Git("rev-parse", "HEAD")})
			put(t, tmp, "event.json", string(event))
			env := map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "push", "GITHUB_EVENT_PATH": filepath.Join(tmp, "event.json"), "GITHUB_REF": "refs/heads/main", "GITHUB_WORKSPACE": repo.Dir,
				"RUNNER_TEMP": tmp, "GITHUB_OUTPUT": filepath.Join(tmp, "output"), "GITHUB_STEP_SUMMARY": filepath.Join(tmp, "summary")}
			if _, err := execute(t, repo.Dir, env, "--mode", "context", "--upload", "never", "--comment", "never"); err != nil {
				t.Errorf("seed %d: in a workflow: %v", at, err)
			}
			if b, err := os.ReadFile(filepath.Join(tmp, "summary")); err != nil || len(b) == 0 {
				t.Errorf("seed %d: %d bytes of summary, %v", at, len(b), err)
			}
		})
	}
}

// writer makes texts with names of credentials and what may stand beside them.
type writer struct {
	*rand.Rand
	files  map[string]string
	values []string // drawn by lot, some stand in several files
}

func (w *writer) pick(list ...string) string { return list[w.IntN(len(list))] }

func (w *writer) words(list string) string { return w.pick(strings.Fields(list)...) }

func (w *writer) name() string {
	s := w.words("user username login account password passwd pwd pass passphrase secret token api_key apiKey key auth credential access_token client_secret private_key pin code session cookie signature salt seed host port title color mode DB_PASSWORD SECRET_KEY Passwort contraseña 密码")
	if w.IntN(4) == 0 {
		s = w.words("db admin my old new smtp aws github gitea jenkins snyk root test default") + w.pick("_", "-", ".", " ", "") + s
	}
	return s
}

// value is a word that stands for none, or is one.
func (w *writer) value() string {
	switch w.IntN(12) {
	case 0:
		return fmt.Sprintf("%s%d%s%d%s%d", w.words("x a q z"), w.IntN(9), w.words("y b r k"), w.IntN(9), w.words("z c s m"), w.IntN(9))
	case 1:
		return w.words("bob alice admin root guest localhost changeme example hunter2 letmein true null none 5432 8080")
	case 2:
		return w.drawn(4+w.IntN(8), "abcdefghijklmnopqrstuvwxyz0123456789")
	case 3:
		return w.drawn(6, "ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
	case 4:
		return w.drawn(w.IntN(2)*24+40, "0123456789abcdef")
	case 5:
		return w.words("process.env os.environ config settings vault") + w.pick("['", ".get('", "[\"") + w.name() + w.pick("']", "')", "\"]")
	case 6:
		return w.words("kolibri Fels river stone happy") + "-" + fmt.Sprint(w.IntN(100)) + "-" + w.words("Wald moon tree horse")
	case 7:
		return w.pick("${", "{{ ", "<", "%(", "$(") + w.name() + w.pick("}", " }}", ">", ")s", ")")
	case 8: // which is one, and known from then on
		v := w.drawn(16+w.IntN(24), "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
		w.values = append(w.values, v)
		return v
	case 9:
		return w.written()
	case 10:
		return w.pick("ghp"+"_", "npm"+"_", "glpat"+"-", "AKIA", "xoxb-", "sk_live_") + w.drawn(16+w.IntN(24), "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
	}
	return w.words("the a of with for and is has") + " " + w.words("reader server page value field line")
}

func (w *writer) drawn(n int, alphabet string) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[w.IntN(len(alphabet))]
	}
	return string(b)
}

// written is a value of another file's in one of its forms.
func (w *writer) written() string {
	if len(w.values) == 0 {
		return "none"
	}
	v := w.pick(w.values...)
	switch w.IntN(6) {
	case 0:
		return base64.StdEncoding.EncodeToString([]byte("user:" + v))
	case 1:
		return hex.EncodeToString([]byte(v))
	case 2:
		return url.QueryEscape(v + "&x")
	case 3:
		return v[:len(v)/2] + "\u200b" + v[len(v)/2:]
	case 4:
		return fmt.Sprintf("\\u%04x%s", v[0], v[1:])
	}
	return v
}

func (w *writer) sentence() string {
	n, v := w.name(), w.value()
	return w.pick(n+" "+v, "The "+n+" is "+v+".", w.name()+" "+v+", "+n+" "+w.value(), "Set "+n+" to `"+v+"` first.", "log in as "+v+" / "+w.value(), "- "+n+": "+v, "Your "+n+" here", n+"=="+v, "*"+n+"* → "+v)
}

func (w *writer) quoted() string {
	q := w.pick(`"`, "'", "`", "")
	return q + w.value() + q
}

func (w *writer) lines(n int, line func() string) string {
	var b strings.Builder
	for range n {
		b.WriteString(line() + "\n")
	}
	s := b.String()
	if w.IntN(6) == 0 {
		return strings.TrimSuffix(s, "\n")
	}
	return s
}

// write makes a file, or makes one anew.
func (w *writer) write() {
	n := 1 + w.IntN(14)
	kinds := []struct {
		ext  string
		line func() string
	}{
		{"md", func() string { return w.pick("", "# "+w.name(), w.sentence(), w.sentence()) }},
		{"md", func() string { return "| " + w.name() + " | " + w.value() + " | " + w.value() + " |" }},
		{"txt", w.sentence},
		{"csv", func() string { return w.value() + "," + w.value() + "," + w.name() }},
		{"yaml", func() string { return strings.Repeat("  ", w.IntN(3)) + w.name() + ": " + w.quoted() }},
		{"env.txt", func() string { return w.name() + "=" + w.quoted() }},
		{"ini", func() string { return w.pick("["+w.name()+"]", w.name()+" = "+w.value()) }},
		{"json", func() string { return `{"` + w.name() + `": "` + strings.ReplaceAll(w.value(), `"`, `\"`) + `"}` }},
		{"go", func() string { return "var " + w.words("a b c d") + " = f(" + w.quoted() + ") // " + w.sentence() }},
		{"ts", func() string {
			return w.pick("import './"+w.words("a b c d")+"'", "export const "+w.words("user password key token")+" = "+w.quoted()+";", "// "+w.sentence())
		}},
		{"py", func() string {
			return w.pick("def "+w.words("login check save")+"("+w.words("user password key")+"="+w.quoted()+"):", "    "+w.words("user password key")+" = "+w.quoted(), "# "+w.sentence())
		}},
		{"sql", func() string {
			return "INSERT INTO users (name, password) VALUES ('" + w.value() + "', '" + w.value() + "');"
		}},
		{"html", func() string {
			return "<td>" + w.name() + "</td><td>" + w.value() + "</td><input name=\"" + w.name() + "\" value=\"" + w.value() + "\">"
		}},
		{"sh", func() string {
			return w.pick("export "+w.name()+"="+w.quoted(), "curl -u "+w.value()+":"+w.value()+" https://"+w.words("host example")+".io/", "# "+w.sentence())
		}},
		{"log", func() string { return "12:00 " + w.sentence() }},
	}
	k := kinds[w.IntN(len(kinds))]
	text := w.lines(n, k.line)
	switch w.IntN(12) {
	case 0:
		doc, _ := json.Marshal(map[string]any{"name": w.name(), "description": w.sentence(), "dependencies": map[string]string{w.words("left-pad react token-keys"): w.value()}, "scripts": map[string]string{w.name(): w.sentence()}})
		w.files[w.pick("", "web/")+"package.json"] = string(doc)
	case 1:
		text = "-----BEGIN " + w.pick("PRIVATE KEY", "CERTIFICATE", "PUBLIC KEY") + "-----\n" + w.lines(1+w.IntN(8), func() string { return w.drawn(64, "ABCDEFGHIJKLMNOPabcdefghijklmnop0123456789+/") }) + w.pick("", "-----END KEY-----\n", "...\n") + text
	case 2:
		text += "\n" + w.drawn(2000, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") + "\n"
	}
	w.files[w.pick("", "src/", "docs/", "test/", "config/")+w.words("a b c d login user password token key_1")+"."+k.ext] = text
}
