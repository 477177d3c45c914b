package secret

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// rowsOf are the rows of a table in this file: a path, and a text in which | ends a line.
func rowsOf(table string) (rows [][2]string) {
	for _, row := range strings.Split(strings.TrimSpace(table), "\n") {
		path, text, _ := strings.Cut(row, " ")
		rows = append(rows, [2]string{path, strings.ReplaceAll(text, "|", "\n") + "\n"})
	}
	return rows
}

// TestJoined: what a program writes as several texts in quotes, or on lines of their own, is withheld whole. ‹1› and ‹2› are its halves, ‹V› is both.
func TestJoined(t *testing.T) {
	s := newScanner(t)
	m := maker{rand.New(rand.NewPCG(30, 1))}
	for _, row := range rowsOf(joinedRows) {
		v := m.of(value.LetterSigns+value.DigitSigns, 24)
		text := strings.NewReplacer("‹1›", v[:12], "‹2›", v[12:], "‹V›", v).Replace(row[1])
		found, err := s.Scan(row[0], []byte(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		red := Redact([]byte(text), found)
		if bytes.Contains(red, []byte(v[:12])) || bytes.Contains(red, []byte(v[12:])) {
			t.Errorf("%s: %q left as %q", row[0], text, red)
		}
	}
}

const joinedRows = `
a.vb Dim password As String = "‹1›" & _|    "‹2›"
a.ml let password = "‹1›" ^ "‹2›"
a.hs password = "‹1›" ++ "‹2›"
a.ex password = "‹1›" <> "‹2›"
a.jl password = "‹1›" * "‹2›"
a.sql password := '‹1›' || '‹2›';
a.f90 password = '‹1›' // '‹2›'
a.rb password = '‹1›' << '‹2›'
a.dart const password = '‹1›' '‹2›';
a.py password = "‹1›" "‹2›"
a.c static char password[] = "‹1›" "‹2›";
a.cs var password = string.Concat("‹1›", "‹2›");
a.sql SET @password = CONCAT('‹1›', '‹2›');
a.rs const PASSWORD: &str = concat!("‹1›", "‹2›");
a.r password <- paste0("‹1›", "‹2›")
a.go var password = fmt.Sprint("‹1›", "‹2›")
a.tf password = join("", ["‹1›", "‹2›"])
a.py password = "".join(["‹1›", "‹2›"])
a.kt val password = listOf("‹1›", "‹2›").joinToString("")
a.pl my $password = <<~'END';|  ‹V›|  END
a.rb connect(password: <<~PW.strip, user: "ada")|  ‹V›|PW
a.php $password = <<<PW|‹V›|PW;
a.tf password = <<-EOT|    ‹V›|  EOT
a.tf password = trimspace(<<EOT|‹V›|EOT|)
a.sh PASSWORD=$(cat <<EOF|‹V›|EOF|)
a.sh PASSWORD="$(cat <<'EOF'|‹V›|EOF|)"
a.sh read -r -d '' PASSWORD << 'EOF'|‹V›|EOF
a.mk define DB_PASSWORD|‹V›|endef
Makefile export define TOKEN|‹V›|endef
a.ex password = ~s"‹V›"
a.s password: .asciz "‹V›"
a.s password:|    .string "‹V›"
a.asm password db "‹V›", 0
a.py password = f"{PREFIX}‹V›"
a.py password = f"{prefix}‹V›"
a.yaml password: "{{ prefix }}‹V›"
a.yaml password: "‹V›{{ suffix }}"
a.ts const c = { password: "ab" +|  "‹V›" };
a.ts const password = "ab"|  // the rest|  + "‹V›";
a.js const password = "ab" + SEP + "‹V›";
a.js const password = getPrefix() + "‹V›";
a.js const password = "ab".concat("‹V›");
a.java class A { String password = "ab" +|   "‹V›"; }
a.java class A { void f() { setPassword("ab" +|   "‹V›"); } }
a.java String password = new StringBuilder("ab").append("‹V›").toString();
a.java st = c.prepareStatement("update users set password = ? where id = 1");|st.setString(1, "‹V›");
a.cs new Client { Password = "ab" +|  "‹V›" };
a.py password = ("ab" +|            "‹V›")
a.py password = r"ab" r"‹V›"
a.py password = "%s%s" % ("ab", "‹V›")
a.py cur.execute("update users set password = %s where id = 1", ("‹V›",))
a.php class A { private $password = "ab" .|  "‹V›"; }
a.go c := Config{Password: "ab" +|  "‹V›"}
a.rs let password = "ab".to_string() + "‹V›";
a.rs password.push_str("‹V›");
a.m NSString *password = [@"ab" stringByAppendingString:@"‹V›"];
a.c struct c c = { .password = "ab"|  "‹V›" };
a.cpp std::string password = std::string("ab") + "‹V›";
a.vb Dim password As String = "ab" + _|    "‹V›"
a.lua local password = "ab"|  .. "‹V›"
a.ml let password = String.concat "" ["ab"; "‹V›"]
a.fs let password = sprintf "%s%s" "ab" "‹V›"
a.clj (def password (str "ab" "‹V›"))
a.clj {:password (str "ab"|   "‹V›")}
a.tcl set password [concat "ab" "‹V›"]
a.xsl <xsl:variable name="password" select="concat('ab', '‹V›')"/>
a.json {"password": "[concat('ab', '‹V›')]"}
a.sh export TOKEN='ab'\|'‹V›'
`

// TestJoinedTwins: what only looks so stays byte for byte.
func TestJoinedTwins(t *testing.T) {
	s := newScanner(t)
	for _, row := range rowsOf(joinedTwins) {
		found, err := s.Scan(row[0], []byte(row[1]), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			t.Errorf("%s: %q: found %q", row[0], row[1], row[1][f.Start:f.End])
		}
	}
}

const joinedTwins = `
a.vb Dim password As String = "Please enter " & _|    "the password"
a.cs var password = string.Concat("Enter the ", "password");
a.rs const PASSWORD: &str = concat!("the", "password");
a.go var token = fmt.Sprint("token of ", "the user")
a.py password = ", ".join(["lower", "upper"])
a.rb password_help = <<~TEXT|  Type what you were given.|TEXT
a.sh PASSWORD=$(cat <<EOF|$(pass show db)|EOF|)
a.c int key = value << SHIFT;|int SHIFT = 4;
a.mk define TOKEN|$(shell cat token)|endef
a.s password: .asciz "Password: "
a.py password = f"{user}-{host}"
a.yaml password: "{{ lookup('env', 'PW') }}"
a.yaml password: "prefix-{{ pw }}"
a.java String password = "ab" + System.getenv("DATABASE_PASSWORD");
a.java String token = join("/", "yyyymmdd", "us-west-1", "aws4_request");
a.ts const c = { password: prefix + name, etag: "q8n6re1q98gx8ajrfgo5" };
a.py password = prefix + load(name)|digest = "q8n6re1q98gx8ajrfgo5"
a.sql update users set password = ? where name = ?;
`
