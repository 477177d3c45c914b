package inclusion

import (
	"bytes"
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph/names"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// Ways in which scripts of SQL name another.
const (
	fromScript = 'o' // from the script's own folder
	ofModel    = 'd' // a model of dbt, by name
	perhaps    = 'p' // what may be a parameter
)

// readSQL finds the commands of clients that read in a script: \i and \ir of psql, @, @@ and start of SQL*Plus, source and \. of
// MySQL, .read of SQLite, :r of sqlcmd; and the models that dbt refers to.
func readSQL(f *file, src []byte) {
	f.models(src)
	s := tokensOf(f, withoutCommands(src))
	// free is set where a statement may begin.
	free := true
	for i := 0; i < len(s.Tokens); {
		first := i == 0 || s.Line(i-1) != s.Line(i)
		how, from := including(s, i, first, free)
		if from > 0 && f.script(restOf(src, from), how) || first && free && (s.Kind(i) == '.' || byLine[strings.ToLower(string(s.Word(i)))]) {
			for line := s.Line(i); i < len(s.Tokens) && s.Line(i) == line; i++ {
				free = true
			}
			continue
		}
		k := s.Kind(i)
		free = k == ';' || k == '/'
		i++
	}
}

// byLine are words of clients that begin a command which ends with its line.
var byLine = map[string]bool{"set": true, "spool": true, "whenever": true, "define": true, "undefine": true, "show": true, "connect": true, "conn": true, "accept": true, "variable": true, "column": true, "col": true, "use": true, "go": true, "delimiter": true, "exit": true, "quit": true}

// including is the way in which the command at a token names a script, and where the name begins; 0 where it is no such command.
func including(s *names.Source, i int, first, free bool) (how byte, from int32) {
	word := strings.ToLower(string(s.Word(i)))
	next := strings.ToLower(string(s.Word(i + 1)))
	touches := s.Touch(i) && i+1 < len(s.Tokens)
	switch {
	case s.Kind(i) == '\\' && touches:
		switch {
		case next == "i" || next == "include" || first && s.Kind(i+1) == '.':
			return plain, s.Tokens[i+1].End
		case next == "ir" || next == "include_relative":
			return fromScript, s.Tokens[i+1].End
		}
	case first && touches && s.Kind(i) == '.' && next == "read" && free, first && touches && s.Kind(i) == ':' && next == "r":
		return plain, s.Tokens[i+1].End
	case first && free && (word == "source" || word == "start") && next != "" && next != "transaction":
		return plain, s.Tokens[i].End
	case first && strings.HasPrefix(word, "@@"):
		return fromScript, s.Tokens[i].Start + 2
	case first && (strings.HasPrefix(word, "@") || s.Kind(i) == '@'):
		if !free {
			return perhaps, s.Tokens[i].Start + 1
		}
		return plain, s.Tokens[i].Start + 1
	}
	return plain, 0
}

// restOf is what stands behind a place in its line.
func restOf(src []byte, from int32) string {
	rest := src[from:min(len(src), int(from)+2*maxName)]
	if n := bytes.IndexByte(rest, '\n'); n >= 0 {
		rest = rest[:n]
	}
	return strings.TrimSpace(string(rest))
}

// withoutCommands overwrites the lines of psql's and SQL*Plus's commands that hold prose, whose quotes would shut nothing.
func withoutCommands(src []byte) []byte {
	out := bytes.Clone(src)
	for _, at := range proseLine.FindAllSubmatchIndex(out, maxReferences) {
		wipe(out, at[0], at[1])
	}
	return out
}

var proseLine = lazyregexp.New(`(?mi)^[ \t]*(?:\\(?:echo|qecho|warn|prompt|!)|prompt|rem|remark)(?:[ \t].*)?$`)

// script notes the name that begins a text: quoted, or up to a space. It reports whether it may be one.
func (f *file) script(text string, how byte) bool {
	name, more := text, ""
	if text != "" && (text[0] == '"' || text[0] == '\'') {
		name, more, _ = strings.Cut(text[1:], text[:1])
	} else if n := strings.IndexAny(text, " \t"); n >= 0 {
		name, more = text[:n], text[n:]
	}
	if n := strings.IndexByte(name, ';'); n >= 0 {
		name = name[:n]
	}
	switch {
	case how == perhaps && (strings.TrimSpace(more) != "" || strings.ContainsAny(name, ",)=(")):
		return false
	case strings.ContainsAny(name, "$&`") || strings.HasPrefix(name, ":"):
		f.refer(name, unknown)
	default:
		f.refer(strings.ReplaceAll(name, `\`, "/"), how)
	}
	return true
}

var (
	jinjaComment = lazyregexp.New(`(?s)\{#.*?#\}`)
	jinjaBlock   = lazyregexp.New(`\{[{%][^{}]*[%}]\}`)
	dbtRef       = lazyregexp.New(`\bref\(\s*(?:["']([^"'\n]+)["']\s*(?:,\s*["']([^"'\n]+)["']\s*)?[,)]|([A-Za-z_]\w*))`)
)

// models finds what dbt's ref names in a template's expressions, which it reads in comments of SQL too.
func (f *file) models(src []byte) {
	if !bytes.Contains(src, []byte("ref(")) {
		return
	}
	src = bytes.Clone(src)
	for _, at := range jinjaComment.FindAllSubmatchIndex(src, maxReferences) {
		wipe(src, at[0], at[1])
	}
	for _, block := range jinjaBlock.FindAllSubmatch(src, maxReferences) {
		for _, m := range dbtRef.FindAllSubmatch(block[0], 100) {
			name := m[1]
			if len(m[2]) > 0 {
				name = m[2]
			}
			if len(m[3]) > 0 {
				f.refer(string(m[3]), unknown)
			} else {
				f.refer(string(name), ofModel)
			}
		}
	}
}

// resolveSQL leads to a script, whose ending .sql need not be written, or to a model.
func resolveSQL(b *builder, f *file, r reference) answer {
	if r.how == ofModel {
		return b.end(f, r.name+".sql")
	}
	tries := []string{r.name, r.name + ".sql"}
	if path.Ext(r.name) == "" {
		tries[0], tries[1] = tries[1], tries[0]
	}
	for _, name := range tries {
		if r.how == fromScript {
			if a, ok := b.beside(f.dir, name); ok {
				return a
			}
		} else if a := b.fromEither(f, name); !a.outside {
			return a
		}
	}
	return answer{outside: r.how != perhaps}
}
