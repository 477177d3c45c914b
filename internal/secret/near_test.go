package secret

import (
	"strings"
	"testing"
)

func TestNear(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"user = jane\npassword = ‹\nport = 80", "user host"},
		{`{"userName": "jane", "password": "‹", "url": "db"}`, "user host"},
		{"db_user_name: jane\n\n\npassword: ‹", "user"},
		{"user: jane\n\n\n\npassword: ‹", ""},
		{"password: ‹\n\n\n\nport: 80", ""},
		{"<host>a</host>\n<password>‹</password>", "host"},
		{"the user and the host\npassword ‹", ""},
		{"assertEquals(token, \"‹\")", "assertion"},
		{"expect(token)\ntoken = ‹", ""},
		{"token = ‹ # for example", "example"},
		{"user=" + strings.Repeat("j", maxNear) + "\npassword=‹", ""},
		{"‹", ""},
		{"hostess=a\npassword=‹\nports=1", ""},
	} {
		text := []byte(strings.Replace(c.text, "‹", "value", 1))
		at := strings.Index(c.text, "‹")
		r := &run{}
		r.text = text
		var got []string
		cand := r.candidate(&assignment{r: r, lo: at, hi: at}, formQuoted, at, at+len("value"))
		set := cand.near.set()
		for n := range nears {
			if set.has(n) {
				got = append(got, nearNames[n])
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("near in %q: %q, want %q", c.text, got, c.want)
		}
	}
}
