package language

import (
	"path"
	"slices"
	"strings"
)

// localeCodes are the codes of languages that programs are translated to: those of two letters, and a few of three.
var localeCodes = WordSet("aa ab af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr " +
	"fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh " +
	"mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta " +
	"te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu ast ckb fil gsw hsb kab mai nds sco szl")

// englishLocales are the locales that most programs are written in, and translated from, the commonest first.
var englishLocales = []string{"en", "en-US", "en_US", "en-us", "en-GB", "en_GB"}

// isLocale reports whether a word names a language, alone or with where it is spoken or how it is written: de, pt-BR, zh_Hans, b+sr+Latn.
func isLocale(word string) bool {
	code, rest, more := strings.Cut(strings.ReplaceAll(word, "_", "-"), "-")
	return localeCodes[code] && (!more || len(rest) >= 2 && len(rest) <= maxRegion && !strings.ContainsAny(rest, ". "))
}

// maxRegion is the most letters that stand behind a language: Hant-TW.
const maxRegion = 8

// Translated is a file of the texts of a program in one language.
type Translated struct {
	// Family is the same for its file of each language.
	Family string
	// Locale is its language: de, pt-BR.
	Locale string
	before string
	after  string
	sign   string // what stands between a name and the language behind it
}

// holdsTexts are extensions of files of texts that are no data otherwise.
var holdsTexts = WordSet(".po .strings .arb .ftl .lang")

// TranslationOf tells of a file's name which language its texts are in, where a word of it says so: de.json, messages_de.properties,
// de/common.json, values-de/strings.xml. Whether there is such a file of another language the caller knows.
func TranslationOf(name string) (t Translated, ok bool) {
	if !Is(name, Data) && !holdsTexts[strings.ToLower(path.Ext(name))] {
		return t, false
	}
	segments := strings.Split(name, "/")
	for n, segment := range slices.Backward(segments) {
		last := n == len(segments)-1
		stem, ext := segment, ""
		if last {
			ext = path.Ext(segment)
			stem = strings.TrimSuffix(segment, ext)
		}
		for from := range len(stem) {
			if from > 0 && strings.IndexByte("-_.", stem[from-1]) < 0 || !last && from > 0 && !strings.HasPrefix(segment, "values-") {
				continue
			}
			if isLocale(stem[from:]) {
				whole := strings.Join(segments[:n], "/") + "/"
				t.before, t.after = strings.TrimPrefix(whole, "/")+stem[:from], strings.Join(append([]string{ext}, segments[n+1:]...), "/")
				if from > 0 {
					t.sign = stem[from-1 : from]
				}
				t.Locale, t.Family = stem[from:], t.before+"*"+t.after
				return t, true
			}
		}
	}
	return t, false
}

// LocaleOf is the language of a file's texts by its name, "" where that tells none.
func LocaleOf(name string) string {
	t, _ := TranslationOf(name)
	return t.Locale
}

// End is what the family's name ends with, from the folder or the file on that is called by the language: *.json, */common.json.
func (t Translated) End() string {
	return t.Family[strings.LastIndexByte(t.Family[:len(t.before)], '/')+1:]
}

// IsEnglish reports whether its texts are those that others are translated from.
func (t Translated) IsEnglish() bool {
	return t.Locale == "en" || strings.HasPrefix(t.Locale, "en-") || strings.HasPrefix(t.Locale, "en_")
}

// Originals are the names that the file may have whose texts are translated in this one, the likeliest first; none of one in English.
func (t Translated) Originals() (names []string) {
	if t.IsEnglish() {
		return nil
	}
	for _, locale := range englishLocales {
		names = append(names, t.before+locale+t.after)
	}
	if t.sign != "" { // messages.properties, values/strings.xml
		names = append(names, strings.TrimSuffix(t.before, t.sign)+t.after)
	}
	return names
}

// TextKey is the name under which a line of a file of texts holds one, or further ones: "name": "Name", name = Name, <string name="name">;
// "" where it holds none.
func TextKey(line string) string {
	bare := strings.TrimSpace(line)
	if strings.HasPrefix(bare, "<") {
		for _, sign := range []string{` name="`, ` key="`, ` id="`} {
			if _, rest, ok := strings.Cut(bare, sign); ok {
				key, _, _ := strings.Cut(rest, `"`)
				return key
			}
		}
		return ""
	}
	if id, ok := strings.CutPrefix(bare, "msgid "); ok {
		return id
	}
	if bare != "" && (bare[0] == '"' || bare[0] == '\'') {
		key, rest, ok := strings.Cut(bare[1:], bare[:1])
		if rest = strings.TrimLeft(rest, " \t"); ok && rest != "" && (rest[0] == ':' || rest[0] == '=') {
			return key
		}
		return ""
	}
	if end := strings.IndexAny(bare, ":="); end > 0 && !strings.ContainsAny(strings.TrimSpace(bare[:end]), " \t\"'{}[]()<>") {
		return strings.TrimSpace(bare[:end])
	}
	return ""
}
