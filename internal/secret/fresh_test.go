package secret_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/secret"
)

// The third held-out set was written without reading a rule. Each file is a
// template: ‹kind|form› plants a secret, ‹form› a value that is none. Forms are
// read by grow; no template holds a value.

var alphabets = map[byte]string{
	'h': "0123456789abcdef",
	'H': "0123456789ABCDEF",
	'a': "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
	'l': "abcdefghijklmnopqrstuvwxyz0123456789",
	'z': "abcdefghijklmnopqrstuvwxyz",
	'U': "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
	'b': "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
	'd': "0123456789",
	'A': "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
	'6': "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
	'u': "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
	'k': "023456789acdefghjklmnpqrstuvwxyz",
	'K': "023456789ACDEFGHJKLMNPQRSTUVWXYZ",
}

var halves = []string{"Trond", "kelp", "Ochre", "walnut", "Murmur", "bison", "Quartz", "lark", "Fjell", "tundra", "Gorse", "pivot", "Bramble", "otter"}

// grow builds a value from its form. [a36] is 36 letters of alphabet a, [pw] a
// password as people make them, [b64 form] the form's value in base64, [uuid],
// [w] a word, [W] one with a capital, [jwt], [pem RSA], [esc RSA] the same key with escaped line ends.
func grow(r *rand.Rand, form string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(form, '[')
		if i < 0 {
			return b.String() + form
		}
		b.WriteString(form[:i])
		depth, j := 0, i
		for ; ; j++ {
			if form[j] == '[' {
				depth++
			} else if form[j] == ']' {
				if depth--; depth == 0 {
					break
				}
			}
		}
		b.WriteString(part(r, form[i+1:j]))
		form = form[j+1:]
	}
}

func part(r *rand.Rand, p string) string {
	name, arg, _ := strings.Cut(p, " ")
	switch name {
	case "pw":
		return halves[r.IntN(len(halves))] + []string{"-", "_", ".", "!"}[r.IntN(4)] + halves[r.IntN(len(halves))] + strconv.Itoa(10+r.IntN(90)) + []string{"", "!", "x", "Z"}[r.IntN(4)]
	case "w":
		return strings.ToLower(halves[r.IntN(len(halves))])
	case "W":
		w := strings.ToLower(halves[r.IntN(len(halves))])
		return strings.ToUpper(w[:1]) + w[1:]
	case "b64":
		return base64.StdEncoding.EncodeToString([]byte(grow(r, arg)))
	case "jwt":
		raw := base64.RawURLEncoding
		return raw.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + raw.EncodeToString([]byte(grow(r, `{"sub":"[d10]","name":"ci","iat":16[d8]}`))) + "." + grow(r, "[u43]")
	case "uuid":
		return grow(r, "[h8]-[h4]-4[h3]-a[h3]-[h12]")
	case "pem", "esc":
		end := "\n"
		if name == "esc" {
			end = `\n`
		}
		head, open := arg+" PRIVATE KEY", "MIIEpA"
		switch arg {
		case "PKCS8":
			head = "PRIVATE KEY"
		case "PGP":
			head, open = "PGP PRIVATE KEY BLOCK", "lQOYBG"
		case "CERT":
			head, open = "CERTIFICATE", "MIIDdz"
		case "PUB":
			head, open = "PUBLIC KEY", "MIIBIj"
		case "OPENSSH":
			open = "b3BlbnNzaC1rZXktdjEA"
		}
		dash := strings.Repeat("-", 5)
		s := dash + "BEGIN " + head + dash + end + open + grow(r, "[660]")[len(open):] + end
		if arg == "PGP" {
			s = dash + "BEGIN " + head + dash + end + end + open + grow(r, "[658]") + end
		}
		for range 10 {
			s += grow(r, "[664]") + end
		}
		return s + grow(r, "[638]==") + end + dash + "END " + head + dash
	}
	n, err := strconv.Atoi(name[1:])
	if err != nil {
		panic(p)
	}
	set := alphabets[name[0]]
	v := make([]byte, n)
	for i := range v {
		v[i] = set[r.IntN(len(set))]
	}
	return string(v)
}

type plant struct {
	kind       string
	start, end int
}

// raise turns a template into a text and what is planted in it.
func raise(r *rand.Rand, tmpl string) (string, []plant) {
	var b strings.Builder
	var plants []plant
	for {
		i := strings.Index(tmpl, "‹")
		if i < 0 {
			b.WriteString(tmpl)
			return b.String(), plants
		}
		b.WriteString(tmpl[:i])
		body, after, _ := strings.Cut(tmpl[i+len("‹"):], "›")
		kind, form, planted := strings.Cut(body, "|")
		start := b.Len()
		if planted {
			b.WriteString(grow(r, form))
			plants = append(plants, plant{kind, start, b.Len()})
		} else {
			b.WriteString(grow(r, body))
		}
		tmpl = after
	}
}

func TestFresh(t *testing.T) {
	s, err := secret.New()
	if err != nil {
		t.Fatal(err)
	}
	seeds := 5
	var planted, whole, found, right, leaks, files, fileHit, clean, cleanHit int
	missed := map[string]int{}
	kinds := map[string]int{}
	var wrong []string
	for seed := range seeds {
		for _, f := range fresh {
			r := rand.New(rand.NewPCG(uint64(seed), uint64(len(f.path))))
			text, plants := raise(r, strings.TrimPrefix(f.text, "\n"))
			fs, err := s.Scan(f.path, []byte(text), nil)
			if err != nil {
				t.Errorf("%s: %v", f.path, err)
			}
			red := secret.Redact([]byte(text), fs)
			if len(plants) > 0 {
				files++
				if len(fs) > 0 {
					fileHit++
				}
			} else {
				clean++
				if len(fs) > 0 {
					cleanHit++
				}
			}
			for _, p := range plants {
				planted++
				kinds[p.kind]++
				at := p.start
				for _, g := range fs {
					if g.Start <= at && g.End > at {
						at = g.End
					}
				}
				if at >= p.end {
					whole++
				} else {
					missed[f.path+" "+p.kind]++
				}
				v := text[p.start:p.end]
				half := (len(v) + 1) / 2
				for i := 0; i+half <= len(v); i++ {
					if bytes.Contains(red, []byte(v[i:i+half])) {
						leaks++
						break
					}
				}
			}
			for _, g := range fs {
				found++
				if slices.ContainsFunc(plants, func(p plant) bool { return g.Start < p.end && p.start < g.End }) {
					right++
				} else {
					wrong = append(wrong, f.path+" "+g.Rule)
				}
			}
		}
	}
	t.Logf("%d files, %d kinds: %d/%d files with secrets known, %d/%d without taken for one", len(fresh), len(kinds), fileHit, files, cleanHit, clean)
	t.Logf("values found %d/%d, findings right %d/%d, leaks %d", whole, planted, right, found, leaks)
	var list []string
	for k, n := range missed {
		list = append(list, fmt.Sprintf("%s x%d", k, n))
	}
	slices.Sort(list)
	slices.Sort(wrong)
	report := "missed:\n" + strings.Join(list, "\n") + "\nwrong:\n" + strings.Join(slices.Compact(wrong), "\n")
	if whole*100 < planted*96 || right*1000 < found*993 || fileHit*100 < files*96 || cleanHit > 0 || leaks*25 > planted {
		t.Error(report)
	} else {
		t.Log(report)
	}
}

// TestPhrases: passwords of words and a number are found where a password is
// sure to stand; names that say what they are of are not.
func TestPhrases(t *testing.T) {
	s, err := secret.New()
	if err != nil {
		t.Fatal(err)
	}
	two, three := []string{"Trond", "kelp"}, []string{"gorse", "otter", "lark"}
	for _, c := range []struct {
		value string
		want  bool
	}{
		{strings.Join(two, "-") + "47", true},
		{strings.Join(two, "_") + "47x", true},
		{strings.Join(two, ".") + "2031!", true},
		{"77-" + strings.Join(two, "-"), true},
		{strings.Join(three, "-") + "-91", true},
		{strings.Join(append(three, "pivot"), "-"), true},
		{strings.Join(three, "-"), true},
		{strings.Join(two, ":") + "5", true},
		{strings.Join(two, "-"), true},
		{"Gorse.app_2031", true},
		{"gorse-otter", true},
		{"orders-cache", false},
		{"spring-boot-2", false},
		{"Content-Type", false},
		{"atomic-int32", false},
		{"hmac-sha256", false},
		{"Encoding.Base64", false},
		{"account.profile.change.hint", false},
	} {
		fs, err := s.Scan("conf/app.ini", []byte("[db]\npassword = "+c.value+"\n"), nil)
		if err != nil || len(fs) > 0 != c.want {
			t.Errorf("%s: found %d, %v", c.value, len(fs), err)
		}
	}
}
