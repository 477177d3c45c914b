package secret

import (
	"bytes"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file reads the passwords of databases and their rows.

// account reads the password of an account that SQL makes: CREATE USER name WITH
// PASSWORD 'value'. It reports whether the line does.
func (a *assignment) account() bool {
	if a.naming().Noun == value.PassNoun && value.BeginsFold(a.r.text[a.hi:], " for ") && value.EndsFold(a.head(), "set") {
		return a.setFor()
	}
	if a.naming().Noun != value.PassNoun || !value.BeginsFold(a.head(), "create ", "alter ") {
		return false
	}
	from, to, ok := a.r.literal(a.hi)
	if ok {
		a.r.given("sql-password", formGiven, value.PassNoun, from, to)
	}
	return ok
}

// setFor reads SET PASSWORD FOR account = 'value'.
func (a *assignment) setFor() bool {
	end := a.r.upTo(a.hi, 160, "=;\n")
	if value.ByteAt(a.r.text, end) != '=' {
		return false
	}
	from, to, ok := a.r.literal(end + 1)
	if ok {
		a.r.given("sql-password", formGiven, value.PassNoun, from, to)
	}
	return ok
}

// readIdentified finds SQL's IDENTIFIED BY 'password'.
func readIdentified(r *run, start, end int) {
	text := r.text
	most := min(len(text), end+80)
	for i := end; i+3 < most; i++ {
		if text[i]|0x20 == 'b' && text[i+1]|0x20 == 'y' && value.IsSpace(text[i+2]) {
			r.identifiedBy(i+3, most)
			return
		}
		if text[i] == '\n' && i > end+40 {
			return
		}
	}
}

// identifiedBy reads the password that begins between at and most.
func (r *run) identifiedBy(at, most int) {
	text := r.text
	at = value.Past(text, at, most-at, value.Spaces+"\\")
	if value.BeginsFold(text[at:], "password ") {
		at += len("password ")
	}
	switch {
	case at >= most:
	case value.IsQuote(text[at]):
		end, ok := r.closing(at+1, text[at], boolInt(text[at-1] == '\\'))
		if ok {
			r.given("sql-password", formGiven, value.PassNoun, at+1, end)
		}
	case value.IsWord(text[at]):
		end := value.UpTo(text, at, 128, value.Spaces+";")
		if value.ShapeOf(text[at:end]).Digit > 0 {
			r.given("sql-password", formGiven, value.PassNoun, at, end)
		}
	}
}

// readInsert finds passwords and tokens in the rows of INSERT INTO table (columns)
// VALUES (...), by the columns' names.
func readInsert(r *run, start, end int) {
	text := r.text
	if start < r.insertDone {
		return
	}
	r.insertDone = end
	// The table, and the columns in brackets.
	i := value.UpTo(text, end, 100, "(;")
	if value.ByteAt(text, i) != '(' {
		return
	}
	closed := bytes.IndexByte(text[i:min(len(text), i+2048)], ')')
	if closed < 0 {
		return
	}
	var h header
	h.read(text[i+1:i+closed], ",", value.Spaces+value.Quotes+"[]")
	i += closed + 1
	r.spend(2*(i-start) + 100*h.n)
	before := text[i:min(len(text), i+40)]
	values := bytes.Index(before, []byte("alues"))
	if values < 0 {
		values = bytes.Index(before, []byte("ALUES"))
	}
	if !h.tells || values < 0 {
		return
	}
	from := i
	i += values + len("alues")
	for rows := 0; rows < 5000 && !r.full(); rows++ {
		i = value.Past(text, i, len(text), value.Spaces+",")
		if value.ByteAt(text, i) != '(' {
			break
		}
		i = r.insertRow(&h, i+1)
	}
	r.spend(2 * (i - from))
	r.insertDone = i
}

// insertRow reads the row whose first value begins at at. It returns where the row
// ends, or a text that does not.
func (r *run) insertRow(h *header, at int) (end int) {
	text := r.text
	for col := 0; at < len(text); col++ {
		at = value.Past(text, at, len(text), value.Spaces)
		if value.ByteAt(text, at) == '\'' {
			to, ok := r.closing(at+1, '\'', 0)
			if !ok {
				return at
			}
			h.judge(r, col, at+1, to)
			at = to + 1
		}
		at = value.UpTo(text, at, len(text), ",)'")
		if value.ByteAt(text, at) != ',' {
			break
		}
		at++
	}
	return value.Past(text, at, 1, ")")
}

// readPgpass finds host:port:database:user:password on a line.
func readPgpass(r *run, start, end int) {
	text := r.text
	lo := value.BackTo(text, start, 120, "\n\"'")
	hi := value.UpTo(text, end, 256, "\n\"'\r")
	if i := bytes.Index(text[end:min(len(text), hi+1)], []byte(`\n`)); i >= 0 {
		hi = end + i
	}
	r.spend(3 * (hi - lo))
	line := bytes.TrimLeft(text[lo:hi], " \t\n\r\f\v+-")
	f := bytes.SplitN(line, []byte(":"), 5)
	if len(f) != 5 || bytes.Contains(line, []byte(" | ")) { // patterns of a shell's case
		return
	}
	v := f[4]
	if bytes.IndexByte(line[:len(line)-len(v)], ' ') >= 0 && bytes.LastIndexByte(v, ' ') > 0 {
		return // a sentence
	}
	if !(value.AllDigits(f[1]) || string(f[1]) == "*") || len(f[0]) == 0 || len(f[3]) == 0 {
		return
	}
	at := hi - len(v)
	r.given("pgpass", formGiven, value.PassNoun, at, value.UpTo(text, at, len(v), " "))
}
