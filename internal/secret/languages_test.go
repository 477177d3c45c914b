package secret

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// TestLanguages: what a note calls a password in a language that people write is found, by each sign and word that tells it; what it
// says of passwords is not.
func TestLanguages(t *testing.T) {
	s := newScanner(t)
	m := maker{rand.New(rand.NewPCG(77, 4))}
	missed, all := map[string]int{}, 0
	for lang, terms := range value.PasswordTerms {
		for term := range strings.FieldsSeq(terms) {
			term = strings.ReplaceAll(term, "_", " ")
			for _, told := range []string{"%: V\n", "%：V\n", "% = V\n", "%: `V`.\n", "- %: **V**\n", "user: ann, %: V, host: db\n", "«%»: «V»\n", "% (wifi): V\n"} {
				v := m.of(base62, 17) + "7"
				text := strings.NewReplacer("%", term, "V", v).Replace(told)
				found, err := s.Scan("notes.md", []byte(text), nil)
				if err != nil {
					t.Fatal(err)
				}
				all++
				at := strings.Index(text, v)
				if !slices.ContainsFunc(found, func(f value.Finding) bool { return f.Start <= at && at+len(v) <= f.End }) {
					missed[lang+" "+told]++
				}
			}
		}
	}
	n := 0
	for what, times := range missed {
		t.Logf("%s: %d", what, times)
		n += times
	}
	if n*100 > all {
		t.Errorf("%d of %d are missed", n, all)
	}
	for _, text := range []string{
		"Das Kennwort ist ‹V›.\nDanach neu anmelden.\n", "La contraseña del wifi es ‹V›\nLuego entra otra vez.\n", "Le mot de passe est ‹V›, merci.\n", "密码是：‹V›\n然后重新登录。\n", "密码为‹V›。\n", "パスワードは ‹V› です。\n", "パスワードは「‹V›」です。\n",
		"비밀번호는 ‹V› 입니다.\n", "كلمة المرور هي ‹V›\n", "Пароль от сервера: ‹V›\n", "A jelszó: ‹V›\n", "Şifreniz: ‹V›\n", "รหัสผ่านคือ ‹V›\n", "Mật khẩu là ‹V›\n", "पासवर्ड ‹V› है\n", "Kata sandi: ‹V›\n", "Hasło do bazy: ‹V›\n", "Heslem je ‹V›\n", "הסיסמה היא ‹V›\n",
		"Ο κωδικός πρόσβασης είναι ‹V›\n", "Lösenordet är ‹V›\n", "Salasana on ‹V›\n", "$kodeord = '‹V›';\n", "wagwoord_db: ‹V›\n",
		"Das Kennwort ist geheim. La contraseña es obligatoria. 密码是：必填项。Şifre: gerekli. Salasana: pakollinen kenttä.\n",
		"Passwort: mindestens 8 Zeichen\n", "Mot de passe : au moins 12 caractères\n", "密码长度：8-16 位\n", "パスワードは8文字以上です\n", "Пароль должен содержать цифры: 0-9\n", "contraseña: process.env.CONTRASENA\n", "Kata sandi: ${SANDI}\n", "Hasło: zobacz konfiguracja.yaml\n",
	} {
		checkMarked(t, s, "notes.md", strings.ReplaceAll(text, "V", m.of(base62, 17)+"7"))
	}
}
