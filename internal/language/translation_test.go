package language

import (
	"slices"
	"strings"
	"testing"
)

// TestTranslationOf: the name of a file tells which language its texts are in, and what the file of those is called that they are translated from.
func TestTranslationOf(t *testing.T) {
	for _, c := range []struct{ name, family, locale, original string }{
		{"i18n/de.json", "i18n/*.json", "de", "i18n/en.json"},
		{"de.json", "*.json", "de", "en.json"},
		{"lang/zh-Hant-TW.yml", "lang/*.yml", "zh-Hant-TW", "lang/en.yml"},
		{"locales/pt_BR/common.json", "locales/*/common.json", "pt_BR", "locales/en/common.json"},
		{"src/messages_de.properties", "src/messages_*.properties", "de", "src/messages.properties"},
		{"app/res/values-fr/strings.xml", "app/res/values-*/strings.xml", "fr", "app/res/values/strings.xml"},
		{"locale/ja/LC_MESSAGES/app.po", "locale/*/LC_MESSAGES/app.po", "ja", "locale/en/LC_MESSAGES/app.po"},
		{"lib/app_de.arb", "lib/app_*.arb", "de", "lib/app.arb"},
		{"i18n/en.json", "i18n/*.json", "en", ""},
		{"i18n/en-US.json", "i18n/*.json", "en-US", ""},
		{"package.json", "", "", ""},
		{"db/schema.yml", "", "", ""},
		{"src/de.go", "", "", ""},
		{"src/os/table.json", "src/*/table.json", "os", "src/en/table.json"}, // of which there is none
	} {
		got, ok := TranslationOf(c.name)
		if got.Family != c.family || got.Locale != c.locale || ok != (c.family != "") {
			t.Errorf("%s: %q, %q", c.name, got.Family, got.Locale)
		}
		if end := got.End(); ok && !strings.HasSuffix(c.family, end) || strings.Count(end, "/") > strings.Count(c.family[strings.IndexByte(c.family, '*')+1:], "/") {
			t.Errorf("%s: end %q", c.name, end)
		}
		if list := got.Originals(); ok && (c.original == "") != (len(list) == 0) || c.original != "" && !slices.Contains(list, c.original) {
			t.Errorf("%s: originals %q", c.name, list)
		}
	}
}

// TestTextKey: a line of a file of texts holds a text under a name.
func TestTextKey(t *testing.T) {
	for line, want := range map[string]string{
		`  "name": "Name",`: "name", `"a b" = "c";`: "a b", `	name: "x: y"`: "name", "user.name = Name": "user.name", `<string name="ok">OK</string>`: "ok",
		`<plurals name="n" x="y">`: "n", `msgid "Save"`: `"Save"`, `  },`: "", `"alone"`: "", "a sentence: of words": "", "": "", "</resources>": "", `"3006": "x"`: "3006",
	} {
		if got := TextKey(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
