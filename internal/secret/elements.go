package secret

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file reads values in elements and their attributes, and those whose name is itself the value of one: name: TOKEN, value: x.

// marked reads values in elements: <name>value</name>, <key>name</key><string>value</string>, <a value="value" key="name"/>.
func (a *assignment) marked(at int) {
	text, lo := a.r.text, a.lo
	switch {
	case a.hereText(at):
	case text[at] == '/' && text[at-1] == ' ' && a.pastType(at): // reg add … /t REG_SZ /d value
	case value.HasPrefixAt(text, at, "</"):
		a.sibling(at)
	case text[at] == '<', value.Ends(text[:lo], "</"):
		// Another element begins, or this one ends.
	case a.closed != 0 && namesName(text, lo-1):
		a.earlier()
		if text[at] == '>' {
			a.element(at + 1)
		}
	case text[at] == '>' && a.closed == 0 && bytes.IndexByte(a.r.before(lo, 24), '<') >= 0:
		a.element(at + 1)
	}
}

// earlier reads the value that an attribute before the name's gives: <add value="…" key="token"/>.
func (a *assignment) earlier() {
	tag := a.r.before(a.lo, 256)
	tag = tag[bytes.LastIndexByte(tag, '<')+1:]
	if i := bytes.LastIndex(tag, []byte(" value=")); i >= 0 && !a.useless() {
		a.quoted(a.lo-len(tag)+i+len(" value="), formQuoted)
	}
}

// element takes the text of an element.
func (a *assignment) element(at int) { a.elementOf(at, false) }

// elementOf takes the text of an element, in a page only where it is a cell's: else what follows a word is the text's next.
func (a *assignment) elementOf(at int, cell bool) {
	text := a.r.text
	if value.HasFold(a.name(), "key") && a.hi-a.lo == 3 && strings.HasSuffix(a.r.path, ".plist") {
		return // a name
	}
	if at >= len(text) || a.useless() || !cell && some(strings.HasSuffix, a.r.path, ".html", ".htm") {
		return
	}
	start := at
	at = value.Past(text, at, 200, value.Spaces)
	// One element more may lie between: <setting name="x"><value>…
	if value.HasPrefixAt(text, at, "<![CDATA[") {
		at += len("<![CDATA[")
	} else if at+1 < len(text) && text[at] == '<' && text[at+1] != '/' {
		i := bytes.IndexByte(text[at:min(len(text), at+64)], '>')
		if i < 0 {
			return
		}
		at += i + 1
	}
	end := a.r.upTo(at, maxValue, "<", "]]")
	if end >= len(text) || end-at >= maxValue || text[end] == '<' && value.Ends(text[at:end], "=", ":") && value.ByteAt(text, end+1) != '/' {
		return // also <this>: and =<that> of a template
	}
	if text[end] == '<' && value.ByteAt(text, end+1) != '/' && bytes.IndexByte(text[start:end], '\n') >= 0 {
		return // lines behind a stand-in: <password>
	}
	if v := bytes.TrimSpace(text[at:end]); bytes.IndexByte(v, '\n') < 0 && !(bytes.IndexByte(v, '"') >= 0 && strings.HasSuffix(a.r.path, ".json")) {
		a.take(formElement, at, end)
	}
}

// nameTags are the elements that hold a name.
var nameTags = value.WordSet("tspan text span key name string id variable field property code param parametername paramname propertyname optionname label th td dt stringprop")

// sibling reads the value beside a name that is itself a value:
// <key>name</key><string>value</string>.
func (a *assignment) sibling(at int) {
	text := a.r.text
	var buf [32]byte
	i := bytes.IndexByte(text[at:min(len(text), at+40)], '>')
	if i < 0 {
		return
	}
	tag := text[at+2 : at+i]
	cell := len(tag) == 2 // also in a page, and of several words
	lo := a.lo
	if cell {
		lo = value.Back(text, lo, 40, value.LetterSigns+" ")
	}
	if !value.Ends(text[:lo], ">") {
		return
	}
	tag = tag[bytes.LastIndexAny(tag, "-_:.")+1:]
	if !nameTags[string(value.Lower(buf[:], tag))] {
		return // </class> ends what is no name of a value
	}
	at = value.Past(text, at+i+1, len(text), value.Spaces)
	if at+1 < len(text) && text[at] == '<' && value.IsLetter(text[at+1]) {
		if j := bytes.IndexByte(text[at:min(len(text), at+40)], '>'); j > 0 {
			a.elementOf(at+j+1, cell)
		}
	}
}

// attribute reads key="name" value="value", name="name" select="'value'" of XSLT, and key="name">value<.
func (a *assignment) attribute(at int) bool {
	text := a.r.text
	i := a.lo - 1
	for i >= 0 && a.lo-i < 64 && (value.IsIdent(text[i]) || text[i] == ':' || text[i] == '/') {
		i-- // the rest of a name in parts: Gateway:ApiKey
	}
	if i = value.Back(text, i+1, a.lo, value.Quotes+"\\") - 1; i < 0 || text[i] != '=' {
		return false
	}
	for j := at; j < len(text) && j < at+120; j++ {
		switch {
		case text[j] == '>':
			if text[j-1] != '/' {
				a.element(j + 1)
			}
			return true
		case text[j] == '<':
			return false
		case value.BeginsFold(text[j:], "value", "content=", "select=\"'") && !value.IsWord(text[j-1]):
			i := value.Past(text, j, len(text), value.LetterSigns)
			k := value.Past(text, i, len(text), "= ")
			if k > i && !a.useless() {
				a.quoted(k, formQuoted)
			}
			return true
		}
	}
	return false
}

// nameNames are what the name of a name is called.
var nameNames = value.WordSet("n k name key id variable field property parametername parameterkey optionname label secretname env type alias")

// namesName reports whether the quote at at, or the name, is what an attribute or a member calls the name of a thing:
// <string name="token">, name: TOKEN.
func namesName(text []byte, at int) bool {
	hi := value.Back(text, at, at, value.Quotes+" \\=:")
	if hi >= at || !bytes.ContainsAny(text[hi:at], ":=") {
		return false
	}
	lo := value.Back(text, hi, 24, value.WordSigns)
	var buf [32]byte
	return nameNames[string(value.Lower(buf[:], text[lo:hi]))]
}

// named reads the value after a name that is itself a value: name: NAME, then value: value. It reports whether the name is one.
func (a *assignment) named(at int) bool {
	text := a.r.text
	if !namesName(text, a.lo) {
		return false
	}
	most := min(len(text)-6, at+160)
	for k := at; k < most && text[k] != '{' && text[k] != '}'; k++ {
		if text[k]|0x20 != 'v' || value.IsWord(text[k-1]) && (text[k] != 'V' || value.IsUpper(text[k-1])) || !value.BeginsFold(text[k:], "val") {
			continue
		}
		i := k + 3
		if value.BeginsFold(text[i:], "ue") {
			i += 2
		}
		i = value.Past(text, i, len(text), value.Quotes+"\\ ")
		if i < len(text) && (text[i] == ':' || text[i] == '=') && !a.useless() {
			b := *a
			b.colon = text[i] == ':'
			if b.style() == value.AsConfig {
				b.line = k
			}
			b.own(i+1, formQuoted)
		}
		return true
	}
	return true
}

// maxAttributes bounds what an element has before its value, in bytes: a name space is an address.
const maxAttributes = 240

// tagged reads what an element has, or holds, behind an attribute: <Pass encoding="base64">value, <Password value="value"/>.
func (a *assignment) tagged(at int) {
	text := a.r.text
	if value.HasPrefixAt(text, at, "value=") {
		a.value(at+len("value="), formQuoted, true)
	} else if i := bytes.IndexAny(text[at:min(len(text), at+maxAttributes)], "<>\n"); i > 0 && text[at+i] == '>' && text[at+i-1] != '/' {
		a.element(at + i + 1)
	}
}
