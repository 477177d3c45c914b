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
	if value.EndsFold(bytes.TrimRight(text[end:i], value.Spaces), "values") {
		r.insertCreated(end, i)
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
	r.insertRows(&h, i+values+len("alues"))
}

// insertRows reads the rows that begin at at, in brackets.
func (r *run) insertRows(h *header, at int) {
	i := at
	for rows := 0; rows < 5000 && !r.full(); rows++ {
		i = value.Past(r.text, i, len(r.text), value.Spaces+",")
		if value.ByteAt(r.text, i) != '(' {
			break
		}
		i = r.insertRow(h, i+1)
	}
	r.spend(2 * (i - at))
	r.insertDone = i
}

// secretTable is a table with a column that is named like a secret.
type secretTable struct {
	name []byte
	header
}

const (
	maxCreated = 64      // tables that are known of a file
	maxColumns = 8 << 10 // bytes of what makes a table
)

// tableName returns the last part of the name of a table at the end of v, without quotes.
func tableName(v []byte) []byte {
	v = bytes.TrimRight(v, value.Spaces+value.Quotes+"]")
	return v[value.Back(v, len(v), 64, value.WordSigns):]
}

// readCreate notes the columns of CREATE TABLE name (column type, …), for the rows that name none.
func readCreate(r *run, start, end int) {
	text := r.text
	open := value.UpTo(text, end, 160, "(;")
	if value.ByteAt(text, open) != '(' || len(r.created) >= maxCreated {
		return
	}
	c := secretTable{name: tableName(text[end:open])}
	var names []byte
	depth, at, most := 0, open+1, min(len(text), open+maxColumns)
	from := at
	for ; at < most && depth >= 0; at++ {
		switch text[at] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth < 0 || text[at] == ',' && depth == 0 {
			lo := value.Past(text, from, at-from, value.Spaces+value.Quotes+"[")
			names = append(append(names, text[lo:value.Past(text, lo, at-lo, value.WordSigns)]...), ',')
			from = at + 1
		}
	}
	r.spend(4 * (at - open))
	if c.read(names, ",", " "); c.tells && len(c.name) > 0 {
		r.created = append(r.created, c)
	}
}

// insertCreated reads the rows, from open on, of a table whose name begins at at and whose columns stand where it is made.
func (r *run) insertCreated(at, open int) {
	head := bytes.TrimRight(r.text[at:open], value.Spaces)
	name := tableName(head[:len(head)-len("values")])
	for i := range r.created {
		if c := &r.created[i]; bytes.Equal(c.name, name) {
			r.spend(100 * c.n)
			r.insertRows(&c.header, open)
			return
		}
	}
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
