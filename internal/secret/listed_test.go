package secret

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

// standingApart are places whose value stands apart from its name, or has none. ‹› is a value, drawn anew; a text without one stays as it is.
var standingApart = []struct{ path, text string }{
	{"a.py", "run([\"mysql\", \"-u\", \"root\", \"-p‹›\", \"-h\", \"db1\"])\n"},
	{"a.js", "spawn('mongosh', ['--username', 'root', '--password', '‹›', '--quiet']);\n"},
	{"a.rb", "system(\"ldapsearch\", \"-x\", \"-D\", \"cn=admin\", \"-w\", \"‹›\", \"-b\", \"dc=a\")\n"},
	{"a.go", "\tcmd := exec.Command(\"helm\", \"registry\", \"login\", \"r\", \"-p\", \"‹›\")\n"},
	{"a.rs", "Command::new(\"restic\").arg(\"--password\").arg(\"‹›\").arg(\"backup\").spawn()?;\n"},
	{"a.ex", "System.cmd(\"curl\", [\"-s\", \"-u\", \"svc:‹›\", \"https://a.corp/x\"])\n"},
	{"a.cs", "new ProcessStartInfo(\"sqlcmd\", \"-S db -U sa -P ‹› -Q x\");\n"},
	{"pod.yaml", "args:\n- --mysql.password\n- ‹›\n- --log.level=info\n"},
	{"job.yaml", "command:\n  - /bin/backup\n  - \"--token\"\n  - \"‹›\"\n"},
	{"a.sh", "printf '%s' ‹› | docker login -u bot --password-stdin r.corp\n"},
	{"a.sh", "printf 'password=%s\\n' '‹›' | git credential approve\n"},
	{"a.sh", "sudo -S systemctl restart nginx <<< '‹›'\n"},
	{"a.sh", "kinit admin@CORP.IO <<EOF\n‹›\nEOF\n"},
	{"a.py", "child.expect(\"Enter passphrase\")\nchild.sendline(\"‹›\")\n"},
	{"a.swift", "UserDefaults.standard.set(\"‹›\", forKey: \"authToken\")\n"},
	{"a.py", "@pytest.fixture\ndef token():\n    return \"‹›\"\n"},
	{"A.java", "when(config.getPassword()).thenReturn(\"‹›\");\n"},
	{"Jenkinsfile", "parameters { password(name: 'DEPLOY', defaultValue: '‹›', description: 'x') }\n"},
	{"a.sh", "defaults write com.corp.app apiToken -string \"‹›\"\n"},
	{"a.exs", "Application.put_env(:app, :api_token, \"‹›\")\n"},
	{"a.rst", ":API key: ``‹›``\n"},
	{"a.cs", "mock.Setup(x => x.Password).Returns(\"‹›\");\n"},
	{"a.rb", "allow(conf).to receive(:api_token).and_return('‹›')\n"},
	{"a.m", "[defaults setObject:@\"‹›\" forKey:@\"accessToken\"];\n"},
	{"a.kt", "val secrets = mapOf(\"token\" to \"‹›\")\n"},
	{"a.pl", "$exp->expect(5, 'Password:'); $exp->send(\"‹›\\n\");\n"},
	{"a.rs", "Command::new(\"zip\").args([\"-P\", \"‹›\", \"a.zip\", \"a\"])\n"},
	{"a.sql", "SET PASSWORD FOR 'a'@'%' = '‹›';\n"},
	{"snmpd.conf", "createUser bob SHA \"‹›\" AES \"‹›\"\nrocommunity ‹› 10.0.0.0/8\n"},

	{"a.py", "run([\"git\", \"checkout\", \"98f13708210194c475687be6106a3b84e6bc0a1f\"])\nrun([\"mysql\", \"-u\", \"root\", \"-p\", \"shop\"])\n"},
	{"pod.yaml", "args:\n- --password-file\n- /run/secrets/db\n- --token-ttl\n- 3600s\n- --requirepass\n- ${REDIS_PASSWORD}\n"},
	{"a.sh", "printf '%s' \"$TOKEN\" | docker login --password-stdin r\necho yes | cryptsetup luksFormat /dev/sdb\ndocker login --password-stdin <<< \"$PASSWORD\"\n"},
	{"a.exp", "expect \"assword:\"\nsend \"$password\\r\"\nexpect \"commit\"\nsend \"98f13708210194c475687be6106a3b84e6bc0a1f\\r\"\n"},
	{"a.swift", "defaults.set(\"compact\", forKey: \"tokenStyle\")\nset(\"98f13708210194c475687be6106a3b84e6bc0a1f\", forKey: \"revision\")\n"},
	{"a.py", "def token_name():\n    return \"authorization\"\n\ndef password():\n    return prompt(\"Password of the user\")\n"},
	{"a.md", "Password authentication came in commit 98f13708210194c475687be6106a3b84e6bc0a1f.\n"},
	{"snmpd.conf", "rocommunity public\nagentAddress udp:161\n"},
}

// TestApart: values that are items of a list, handed on, returned, or named by what is behind them are found whole, whatever their
// alphabet; what is none stays.
func TestApart(t *testing.T) {
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(39, 8))
	draw := func(set string) string {
		v := make([]byte, 24)
		for i := range v {
			v[i] = set[r.IntN(len(set))]
		}
		return string(v)
	}
	for _, p := range standingApart {
		for _, set := range []string{"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "abcdefghijklmnopqrstuvwxyz0123456789"} {
			checkDrawn(t, s, p.path, p.text, func() string { return draw(set) })
		}
	}
}

// checkDrawn draws a value for each ‹› of a text, and holds that neither half of one is left in it; in a text without any nothing is found.
func checkDrawn(t *testing.T, s *Scanner, path, text string, draw func() string) {
	t.Helper()
	parts := strings.Split(text, "‹›")
	text, values := parts[0], []string(nil)
	for _, part := range parts[1:] {
		v := draw()
		values = append(values, v)
		text += v + part
	}
	found, err := s.Scan(path, []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(values) == 0 && len(found) > 0 {
		t.Errorf("%s: %q is taken for a credential in\n%s", path, found[0].In([]byte(text)), text)
	}
	left := Redact([]byte(text), found)
	for _, v := range values {
		if bytes.Contains(left, []byte(v[:12])) || bytes.Contains(left, []byte(v[12:])) {
			t.Errorf("%s: %q is left in\n%s", path, v, left)
		}
	}
}
