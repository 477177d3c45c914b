package rank

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/tree"
)

// Words of a task in another tongue are those that the repository's translations have in English; names of code stay, and what is English too.
func TestTranslate(t *testing.T) {
	files := []tree.File{
		tree.Bytes("res/values/strings.xml", []byte(`<resources>
    <string name="a1">Save the draft?</string>
    <string name="a2">Drafts</string>
    <string name="title_poll">Poll</string>
    <string name="title_ok">OK</string>
    <string name="title_back">Back</string>
</resources>
`)),
		tree.Bytes("res/values-pt-rBR/strings.xml", []byte(`<resources>
    <string name="a1">Salvar o rascunho?</string>
    <string name="a2">Rascunhos</string>
    <string name="title_poll">Enquete</string>
    <string name="title_ok">OK</string>
    <string name="title_back">Voltar</string>
</resources>
`)),
		tree.Bytes("po/de/LC_MESSAGES/app.po", []byte(`
#: settings.py
msgid "Settings"
msgstr "Einstellungen"

msgid ""
"Notifications of "
"the proxy"
msgstr ""
"Benachrichtigungen "
"des Proxys"

msgid "Send notification"
msgstr "Benachrichtigung senden"
`)),
		tree.Bytes("po/fr/LC_MESSAGES/app.po", nil),
		tree.Bytes("web/locales/ru.json", []byte("{\n  \"invoice\": {\n    \"title\": \"Счёт\",\n    \"sendInvoice\": \"Отправить счёт\"\n  },\n  \"printInvoice\": \"Печать счёта\",\n  \"title\": \"Начало\"\n}\n")),
		tree.Bytes("web/locales/en.json", []byte("{}")),
		tree.Bytes("es/table.json", []byte(`{"boat": "barco"}`)), // a folder that is called so
	}
	for _, c := range []struct{ text, want, told string }{
		{"Quando salvo um rascunho com uma enquete, a `enquete` some, e saveDraft não responde", "Quando salvo um draft drafts com uma poll, a `enquete` some, e saveDraft não responde", ""},
		{"Wenn ich die Einstellung öffne und mit Proxy sende, ist die Benachrichtigungen nicht da", "Wenn ich die settings öffne und mit Proxy sende, ist die notification notifications nicht da",
			"[{einstellung settings} {benachrichtigungen notification notifications}]"},
		{"Отправить счёт нельзя", "send invoice нельзя", "[{отправить send} {счёт invoice}]"},
		{"Cuando el barco esta en la mesa, los datos del barco son", "", "[]"},
		{"The rascunho of the enquete is lost when you save it", "", "[]"},
	} {
		got, list := translate([]byte(c.text), files)
		if c.want == "" {
			c.want = c.text
		}
		if string(got) != c.want {
			t.Errorf("%q:\n got %q\nwant %q", c.text, got, c.want)
		}
		if told := fmt.Sprint(list); c.told != "" && told != c.told {
			t.Errorf("%q: %s, want %s", c.text, told, c.told)
		}
	}
}

// A task in Portuguese leads to what it is about, and not to what has a name that is one of its words.
func TestTranslated(t *testing.T) {
	files := []tree.File{
		tree.Bytes("src/Data.kt", []byte("class Data(val data: String)\n")),
		tree.Bytes("src/DraftStore.kt", []byte("class DraftStore { fun save(draft: String) { drafts += draft } }\n")),
		tree.Bytes("res/values/strings.xml", []byte("<string name=\"title_drafts\">Drafts</string>\n")),
		tree.Bytes("res/values-pt/strings.xml", []byte("<string name=\"title_drafts\">Rascunhos</string>\n<string name=\"save_draft\">Salvar rascunho</string>\n")),
	}
	for n := range 8 {
		files = append(files, tree.Bytes(fmt.Sprintf("src/data/View%d.kt", n), []byte("class View(val data: Int)\n")))
	}
	o, err := ForTask(context.Background(), Task{Text: []byte("Quando salvo um rascunho com uma enquete, o rascunho fica sem a data"), Files: files})
	if err != nil {
		t.Fatal(err)
	}
	if got := o.Files[0].Path; got != "src/DraftStore.kt" {
		t.Errorf("%s is first: %v", got, o.Why(got))
	}
	if told := fmt.Sprint(o.Translations()); !strings.Contains(told, "{rascunho draft") {
		t.Errorf("told: %s", told)
	}
}

// Passages of texts that are translated stand behind what they are translated from, unless the task names the file.
func TestIsTranslated(t *testing.T) {
	files := []tree.File{tree.Bytes("res/values/strings.xml", nil), tree.Bytes("res/values-pt/strings.xml", nil), tree.Bytes("data/os/table.json", nil), tree.Bytes("po/de.po", nil)}
	o, err := ForTask(context.Background(), Task{Text: []byte("the draft"), Files: files})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"res/values/strings.xml": false, "res/values-pt/strings.xml": true, "data/os/table.json": false, "po/de.po": true, "main.go": false} {
		if o.isTranslated(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}
