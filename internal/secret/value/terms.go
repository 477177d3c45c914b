package value

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// PasswordTerms are the words for a password, by language, as far as nouns do not have them. An underscore stands for what parts two words. Of
// an inflected language a form stands here where the word itself does not begin it.
var PasswordTerms = map[string]string{
	"af": "wagwoord", "am": "የይለፍ_ቃል የይለፍቃል", "ar": "كلمة_المرور كلمة_السر كلمة_سر كلمة_مرور كلمه_المرور كلمه_السر الرقم_السري رمز_المرور الباسورد", "az": "şifrə parol",
	"be": "пароль пароля", "bg": "парола", "bn": "পাসওয়ার্ড", "br": "ger-tremen", "bs": "lozinka lozinku šifra", "ca": "contrasenya clau_d'accés", "cs": "heslo hesla heslem", "cy": "cyfrinair",
	"da": "adgangskode kodeord løsen", "de": "passwort kennwort losungswort zugangscode zugangswort passphrase geheimschlüssel geheimschluessel zugangsschlüssel zugangsschluessel", "el": "κωδικός_πρόσβασης κωδικό_πρόσβασης κωδικός κωδικό συνθηματικό", "eo": "pasvorto",
	"es": "contraseña contrasena clave_de_acceso clave palabra_de_paso clave_secreta clave_privada clave_api", "et": "parool salasõna", "eu": "pasahitz", "fa": "رمز_عبور گذرواژه کلمه_عبور پسورد رمزعبور", "fi": "salasana tunnussana", "fo": "loyniorð",
	"fr": "mot_de_passe motdepasse mot-de-passe mots_de_passe code_d'accès code_secret phrase_de_passe phrase_secrète mdp clé_api cle_api clé_secrète cle_secrete", "ga": "pasfhocal focal_faire", "gd": "facal-faire", "gl": "contrasinal", "gu": "પાસવર્ડ",
	"he": "סיסמה סיסמא סיסמת", "hi": "पासवर्ड कूटशब्द", "hr": "lozinka zaporka zaporku", "ht": "modpas", "hu": "jelszó jelszava jelszav jelszo", "hy": "գաղտնաբառ", "id": "kata_sandi sandi", "is": "lykilorð aðgangsorð",
	"it": "parola_d'ordine parola_chiave codice_di_accesso codice_d'accesso chiave_di_accesso chiave_segreta chiave_privata chiave_api", "ja": "パスワード 暗証番号 合言葉 パスコード パスフレーズ", "jv": "tembung_sandhi", "ka": "პაროლი", "kk": "құпия_сөз құпиясөз",
	"km": "ពាក្យសម្ងាត់ លេខសម្ងាត់", "kn": "ಪಾಸ್‌ವರ್ಡ್ ಪಾಸ್ವರ್ಡ್ ಗುಪ್ತಪದ", "ko": "비밀번호 암호 패스워드 비번 패스프레이즈", "ky": "сырсөз", "lb": "passwuert", "lo": "ລະຫັດຜ່ານ", "lt": "slaptažod slaptazod", "lv": "parole paroli",
	"mk": "лозинка", "ml": "പാസ്‌വേഡ് പാസ്വേഡ് രഹസ്യവാക്ക്", "mn": "нууц_үг", "mr": "संकेतशब्द", "ms": "kata_laluan", "my": "စကားဝှက် လျှို့ဝှက်နံပါတ်", "nb": "passord", "nl": "wachtwoord toegangscode wachtzin geheime_sleutel",
	"oc": "senhal", "pa": "ਪਾਸਵਰਡ", "pl": "hasło hasła hasłem haslo hasla", "pt": "senha palavra-passe palavra_passe código_de_acesso chave_secreta chave_de_api chave_privada", "ro": "parolă parola parolei", "ru": "пароль пароля паролем кодовое_слово",
	"si": "මුරපදය", "sk": "heslo hesla heslom", "sl": "geslo gesla", "sq": "fjalëkalim", "sr": "лозинка лозинку шифра lozinka", "sv": "lösenord losenord lösen", "sw": "nenosiri neno_la_siri nywila", "ta": "கடவுச்சொல்",
	"te": "పాస్‌వర్డ్ పాస్వర్డ్ సంకేతపదం", "th": "รหัสผ่าน พาสเวิร์ด รหัสลับ", "tl": "kontrasenyas", "tr": "şifre sifre parola parola", "uk": "пароль пароля паролем гасло", "ur": "پاس_ورڈ پاسورڈ خفیہ_لفظ", "uz": "maxfiy_so'z",
	"vi": "mật_khẩu mat_khau", "yi": "פּאַראָל", "zh": "密码 密碼 口令 通行碼 通行码 密钥串",
}

// TermNouns are the terms of one word that are names in programs too, but those that mean more than a password.
func TermNouns() []string {
	var list []string
	for _, terms := range PasswordTerms {
		for term := range strings.FieldsSeq(terms) {
			if len(term) > 5 && !strings.ContainsAny(term, "_-'") && term != "parole" && term != "paroli" {
				list = append(list, ASCIILower(term))
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// withTerms returns the nouns with those of termNouns.
func withTerms(of map[string]Noun) map[string]Noun {
	for _, term := range TermNouns() {
		if of[term] == NoNoun {
			of[term] = PassNoun
		}
	}
	return of
}

// HasHigh reports whether s holds a character beyond ASCII.
func HasHigh(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return c >= utf8.RuneSelf })
}

// ASCIILower returns s with the capitals of ASCII small, as literals are.
func ASCIILower(s string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'A' && c <= 'Z' {
			return c | 0x20
		}
		return c
	}, s)
}
