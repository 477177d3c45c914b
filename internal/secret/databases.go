package secret

import (
	"bytes"
)

// This file reads the passwords of databases and their rows.

// account reads the password of an account that SQL makes: CREATE USER name WITH
// PASSWORD 'value'. It reports whether the line does.
func (a *assigned) account() bool {
	if a.naming().noun != passNoun {
		return false
	}
	head := a.head()
	known := false
	for _, w := range [...]string{"create ", "alter "} {
		known = known || len(head) > len(w) && bytes.EqualFold(head[:len(w)], []byte(w))
	}
	if !known {
		return false
	}
	from, to, ok := a.r.literal(a.hi)
	from, to = a.r.besideMarks(from, to)
	if !ok || to-from < 6 {
		return false
	}
	if v := a.r.text[from:to]; !lookUp(v) && !standIn(v) && !sample(v) && !isHash(v) && bytes.IndexByte(v, ' ') < 0 {
		a.r.add("sql-password", from, to, rankNamed)
	}
	return true
}

// readIdentified finds SQL's IDENTIFIED BY 'password'.
func readIdentified(r *run, start, end int) {
	text := r.text
	most := min(len(text), end+80)
	for i := end; i+3 < most; i++ {
		if text[i]|0x20 == 'b' && text[i+1]|0x20 == 'y' && isSpace(text[i+2]) {
			i += 3
			for i < most && (isSpace(text[i]) || text[i] == '\\') {
				i++
			}
			if hi := min(len(text), i+9); i < hi && bytes.EqualFold(text[i:hi], []byte("password ")) {
				i = hi
			}
			if i < most && isQuote(text[i]) {
				j, ok := r.closing(i+1, text[i], boolInt(text[i-1] == '\\'))
				from, to := r.besideMarks(i+1, j)
				if v := text[from:to]; ok && len(v) >= 4 && commandValue(v) {
					r.add("sql-password", from, to, rankNamed)
				}
			} else if i < most && isWord(text[i]) {
				j := i
				for j < len(text) && j-i < 128 && !isSpace(text[j]) && text[j] != ';' {
					j++
				}
				if v := text[i:j]; len(v) >= 8 && shapeOf(v).digit > 0 && commandValue(v) {
					r.add("sql-password", i, j, rankNamed)
				}
			}
			return
		}
		if text[i] == '\n' && i > end+40 {
			return
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
	i := end
	for i < len(text) && i < end+100 && text[i] != '(' && text[i] != ';' {
		i++
	}
	if i >= len(text) || text[i] != '(' {
		return
	}
	closed := bytes.IndexByte(text[i:min(len(text), i+2048)], ')')
	if closed < 0 {
		return
	}
	var kinds [48]naming
	n, any := 0, false
	for _, c := range bytes.Split(text[i+1:i+closed], []byte{','}) {
		if n == len(kinds) {
			return
		}
		c = bytes.Trim(c, " \t\r\n\"`[]'")
		kinds[n] = classify(c[:min(len(c), maxName)])
		any = any || kinds[n].noun >= tokenNoun && !kinds[n].not
		n++
	}
	i += closed + 1
	r.spend(2*(i-start) + 100*n)
	values := bytes.Index(text[i:min(len(text), i+40)], []byte("alues"))
	if values < 0 {
		values = bytes.Index(text[i:min(len(text), i+40)], []byte("ALUES"))
	}
	if !any || values < 0 {
		return
	}
	from := i
	i += values + len("alues")
	for rows := 0; rows < 5000 && i < len(text); rows++ {
		for i < len(text) && (isSpace(text[i]) || text[i] == ',') {
			i++
		}
		if i >= len(text) || text[i] != '(' {
			break
		}
		i++
		for col := 0; i < len(text); col++ {
			for i < len(text) && isSpace(text[i]) {
				i++
			}
			at := i
			if i < len(text) && text[i] == '\'' {
				to, ok := r.closing(i+1, '\'', 0)
				if !ok {
					r.insertDone = i
					return
				}
				if col < n && kinds[col].noun >= tokenNoun && !kinds[col].not && to-at > 6 {
					a := assigned{r: r, kind: kinds[col], judged: true}
					a.judge(at+1, to, true)
				}
				i = to + 1
			}
			for i < len(text) && text[i] != ',' && text[i] != ')' && text[i] != '\'' {
				i++
			}
			if i >= len(text) || text[i] != ',' {
				break
			}
			i++
		}
		if i < len(text) && text[i] == ')' {
			i++
		}
		if len(r.found) > 4*MaxFindings {
			break
		}
	}
	r.spend(2 * (i - from))
	r.insertDone = max(r.insertDone, min(i, len(text)))
}

// readPgpass finds host:port:database:user:password on a line.
func readPgpass(r *run, start, end int) {
	text := r.text
	lo := start
	for lo > 0 && start-lo < 120 && text[lo-1] != '\n' && text[lo-1] != '"' && text[lo-1] != '\'' {
		lo--
	}
	hi := end
	for hi < len(text) && hi-end < 256 && text[hi] != '\n' && text[hi] != '"' && text[hi] != '\'' && text[hi] != '\r' && !(text[hi] == '\\' && hi+1 < len(text) && text[hi+1] == 'n') {
		hi++
	}
	r.spend(3 * (hi - lo))
	for lo < start && (isSpace(text[lo]) || text[lo] == '+' || text[lo] == '-') {
		lo++
	}
	line := text[lo:hi]
	f := bytes.SplitN(line, []byte(":"), 5)
	if bytes.Contains(line, []byte(" | ")) {
		return // patterns of a shell's case
	}
	if len(f) != 5 || bytes.IndexByte(line[:len(line)-len(f[4])], ' ') >= 0 && bytes.LastIndexByte(line, ' ') > len(line)-len(f[4]) {
		return
	}
	if !(allDigits(f[1]) || string(f[1]) == "*") || len(f[0]) == 0 || len(f[3]) == 0 {
		return
	}
	if i := bytes.LastIndexByte(f[0], ' '); i >= 0 {
		f[0] = f[0][i+1:] // echo host:...
	}
	v := f[4]
	if i := bytes.IndexByte(v, ' '); i >= 0 {
		v = v[:i]
	}
	if commandValue(v) {
		at := hi - len(f[4])
		r.add("pgpass", at, at+len(v), rankNamed)
	}
}
