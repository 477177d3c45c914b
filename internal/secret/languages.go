package secret

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file reads what notes and manuals say of a password in the languages that people write.

// passwordTerms are the words for a password, by language, as far as nouns do not have them. An underscore stands for what parts two words. Of
// an inflected language a form stands here where the word itself does not begin it.
var passwordTerms = map[string]string{
	"af": "wagwoord", "am": "የይለፍ_ቃል የይለፍቃል", "ar": "كلمة_المرور كلمة_السر كلمة_سر كلمة_مرور كلمه_المرور كلمه_السر الرقم_السري رمز_المرور الباسورد", "az": "şifrə parol",
	"be": "пароль пароля", "bg": "парола", "bn": "পাসওয়ার্ড", "br": "ger-tremen", "bs": "lozinka lozinku šifra", "ca": "contrasenya clau_d'accés", "cs": "heslo hesla heslem", "cy": "cyfrinair",
	"da": "adgangskode kodeord løsen", "de": "passwort kennwort losungswort zugangscode zugangswort passphrase", "el": "κωδικός_πρόσβασης κωδικό_πρόσβασης κωδικός κωδικό συνθηματικό", "eo": "pasvorto",
	"es": "contraseña contrasena clave_de_acceso clave palabra_de_paso", "et": "parool salasõna", "eu": "pasahitz", "fa": "رمز_عبور گذرواژه کلمه_عبور پسورد رمزعبور", "fi": "salasana tunnussana", "fo": "loyniorð",
	"fr": "mot_de_passe motdepasse mot-de-passe mots_de_passe code_d'accès code_secret phrase_de_passe phrase_secrète mdp", "ga": "pasfhocal focal_faire", "gd": "facal-faire", "gl": "contrasinal", "gu": "પાસવર્ડ",
	"he": "סיסמה סיסמא סיסמת", "hi": "पासवर्ड कूटशब्द", "hr": "lozinka zaporka zaporku", "ht": "modpas", "hu": "jelszó jelszava jelszav jelszo", "hy": "գաղտնաբառ", "id": "kata_sandi sandi", "is": "lykilorð aðgangsorð",
	"it": "parola_d'ordine parola_chiave codice_di_accesso codice_d'accesso chiave_di_accesso", "ja": "パスワード 暗証番号 合言葉 パスコード パスフレーズ", "jv": "tembung_sandhi", "ka": "პაროლი", "kk": "құпия_сөз құпиясөз",
	"km": "ពាក្យសម្ងាត់ លេខសម្ងាត់", "kn": "ಪಾಸ್‌ವರ್ಡ್ ಪಾಸ್ವರ್ಡ್ ಗುಪ್ತಪದ", "ko": "비밀번호 암호 패스워드 비번 패스프레이즈", "ky": "сырсөз", "lb": "passwuert", "lo": "ລະຫັດຜ່ານ", "lt": "slaptažod slaptazod", "lv": "parole paroli",
	"mk": "лозинка", "ml": "പാസ്‌വേഡ് പാസ്വേഡ് രഹസ്യവാക്ക്", "mn": "нууц_үг", "mr": "संकेतशब्द", "ms": "kata_laluan", "my": "စကားဝှက် လျှို့ဝှက်နံပါတ်", "nb": "passord", "nl": "wachtwoord toegangscode wachtzin",
	"oc": "senhal", "pa": "ਪਾਸਵਰਡ", "pl": "hasło hasła hasłem haslo hasla", "pt": "senha palavra-passe palavra_passe código_de_acesso", "ro": "parolă parola parolei", "ru": "пароль пароля паролем кодовое_слово",
	"si": "මුරපදය", "sk": "heslo hesla heslom", "sl": "geslo gesla", "sq": "fjalëkalim", "sr": "лозинка лозинку шифра lozinka", "sv": "lösenord losenord lösen", "sw": "nenosiri neno_la_siri nywila", "ta": "கடவுச்சொல்",
	"te": "పాస్‌వర్డ్ పాస్వర్డ్ సంకేతపదం", "th": "รหัสผ่าน พาสเวิร์ด รหัสลับ", "tl": "kontrasenyas", "tr": "şifre sifre parola parola", "uk": "пароль пароля паролем гасло", "ur": "پاس_ورڈ پاسورڈ خفیہ_لفظ", "uz": "maxfiy_so'z",
	"vi": "mật_khẩu mat_khau", "yi": "פּאַראָל", "zh": "密码 密碼 口令 通行碼 通行码 密钥串",
}

// copulas are the words with which a sentence tells what a password is.
var copulas = wordSet(`
	is was are be ist war lautet lautete heißt heisst est était sera es era será é foi será è era sarà är var blir er on oli ovat jest to je bude este era
	это есть был будет — – - → е беше је là adalah ialah yaitu yakni ay ni คือ เป็น ຄື គឺ هو هي هى היא הוא είναι ir yra er yw da არის է है हैं হল হলো
	olarak são eshte është nii bu 是 为 為 は が 는 은 이 가
`)

// particles stand behind a word without a space, and tell what it is.
var particles = []string{"是", "为", "為", "设为", "设置为", "改为", "は", "が", "는", "은", "이", "가", "คือ", "เป็น"}

// termLiterals are the terms as they are written: small, with a capital, in capitals, their parts with each sign between.
var termLiterals = func() []string {
	var list []string
	for _, terms := range passwordTerms {
		for term := range strings.FieldsSeq(terms) {
			first, n := utf8.DecodeRuneInString(term)
			for _, t := range []string{term, string(unicode.ToUpper(first)) + term[n:], strings.ToUpper(term)} {
				list = append(list, strings.ToLower(strings.ReplaceAll(t, "_", " ")))
				if hasHigh(t) {
					list = append(list, asciiLower(strings.ReplaceAll(t, "_", " ")))
				}
				if strings.Contains(t, "_") {
					list = append(list, asciiLower(t), asciiLower(strings.ReplaceAll(t, "_", "-")), asciiLower(strings.ReplaceAll(t, "_", "\u00a0")))
				}
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}()

// termNouns are the terms of one word that are names in programs too, but those that mean more than a password.
func termNouns() []string {
	var list []string
	for _, terms := range passwordTerms {
		for term := range strings.FieldsSeq(terms) {
			if len(term) > 5 && !strings.ContainsAny(term, "_-'") && term != "parole" && term != "paroli" {
				list = append(list, asciiLower(term))
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// withTerms returns the nouns with those of termNouns.
func withTerms(of map[string]noun) map[string]noun {
	for _, term := range termNouns() {
		if of[term] == noNoun {
			of[term] = passNoun
		}
	}
	return of
}

// nameLiterals are what the names hold that may be a secret's.
var nameLiterals = slices.Concat(assignmentWords, termNouns())

func hasHigh(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return c >= utf8.RuneSelf })
}

// asciiLower returns s with the capitals of ASCII small, as literals are.
func asciiLower(s string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'A' && c <= 'Z' {
			return c | 0x20
		}
		return c
	}, s)
}

const (
	maxEnding = 27 // bytes of what inflects a word, or stands behind it without a space
	maxWords  = 5  // words between the one for a password and the one that tells it
)

// signWords are the signs that part a password from what it is called, and what may stand before one.
var signWords = []string{":", "：", "=", "＝", "⇒", "→", "=>", "->", "﹕", "：", "»", "›"}

// openers stand before a value that is set off.
var openers = []string{"`", "**", "*", "\"", "'", "“", "„", "”", "«", "「", "『", "‘", "‚", "《", "<code>"}

// enders end a value in a sentence of any script.
var enders = []string{"。", "，", "、", "；", "“", "”", "«", "»", "」", "』", "’", "》", "）", "！", "។", "।", "؛", "،", "**", "</", "\u200f", "\u200e", "\u00a0", "\u3000"}

// readTold finds the password that a sentence tells behind a word for it, in the language of its term.
func readTold(r *run, start, end int) {
	text := r.text
	if first := text[start]; end <= r.toldDone || first < utf8.RuneSelf && start > 0 && (isWord(text[start-1]) || isBase64(text[start-1])) {
		return
	}
	r.toldDone = end
	at := pastEnding(text, end)
	if next := byteAt(text, at); text[start] < utf8.RuneSelf && (isWord(next) || isBase64(next)) {
		return // a part of a value
	}
	at = past(text, at, 2, quotes+"*)")
	for range maxWords {
		at = pastSpaces(text, at)
		if n := prefixOf(text, at, signWords); n > 0 {
			r.toldValue(at+n, formSetOff)
			return
		}
		if n := prefixOf(text, at, []string{"(", "（"}); n > 0 { // the password (of the guests): …
			end := r.upTo(at+n, 60, "\n)", "）")
			if at = end + prefixOf(text, end, []string{")", "）"}); at == end {
				return
			}
			continue
		}
		to := r.upTo(at, 60, spaces+quotes+":=|<>;,*", "：", "。", "，")
		if to == at {
			if prefixOf(text, at, openers) > 0 {
				r.toldValue(at, formSetOff)
			}
			return
		}
		var buf [32]byte
		word := lower(buf[:], text[at:to])
		switch {
		case copulas[string(word)]:
			r.toldValue(to, formSetOff)
			return
		case shapeOf(word).digit > 0 && r.toldValue(at, formTold):
			return
		case to-at > 24 || prefixOf(text, at, openers) > 0:
			return
		}
		at = to
	}
}

// pastEnding steps over what inflects the word that ends at at, and over particles.
func pastEnding(text []byte, at int) int {
	for most := min(len(text), at+maxEnding); at < most; {
		if n := prefixOf(text, at, particles); n > 0 {
			return at + n
		}
		if text[at] < utf8.RuneSelf {
			if !isLetter(text[at]) {
				return at
			}
			at++
			continue
		}
		c, n := utf8.DecodeRune(text[at:])
		if !unicode.IsLetter(c) && !unicode.IsMark(c) && c != '\u200c' {
			return at
		}
		at += n
	}
	return at
}

// pastSpaces steps over blanks of any width.
func pastSpaces(text []byte, at int) int {
	for {
		next := skipBlank(text, at)
		if n := prefixOf(text, next, []string{"\u00a0", "\u3000", "\u202f", "\u200f", "\u200e"}); n > 0 {
			next += n
		}
		if next == at {
			return at
		}
		at = next
	}
}

// prefixOf returns the length of the one of the texts that stands at at, 0 if none does.
func prefixOf(text []byte, at int, texts []string) int {
	for _, t := range texts {
		if hasPrefixAt(text, at, t) {
			return len(t)
		}
	}
	return 0
}

// toldValue has the word at at, behind signs and marks, judged as a password; false if none stands there that may be one.
func (r *run) toldValue(at int, f form) bool {
	text := r.text
	for {
		next := pastSpaces(text, at)
		if n := prefixOf(text, next, signWords); n > 0 {
			next += n
		} else if n := prefixOf(text, next, openers); n > 0 {
			next += n
		}
		if next == at {
			break
		}
		at = next
	}
	end := r.upTo(at, 200, spaces+quotes+`<>|\`, enders...)
	end = back(text, end, end-at, ".,:;)")
	v := text[at:end]
	if len(v) < 6 || !mixedWord(v) || shapeOf(v).high > 0 || bytes.IndexByte(v, '=') > 0 && identifierOnly(v[:bytes.IndexByte(v, '=')]) {
		return false
	}
	r.given("password-assignment", f, passNoun, at, end)
	return true
}
