package secret

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file reads commands whose words are the items of a list: ["mysql", "-u", "root", "-pvalue"], Command::new("mysql").arg("-pvalue"),
// and YAML's, one on a line.

// listedCommand is a program of commands that a list may begin with: the words behind its name, and where it takes a password.
type listedCommand struct {
	words []string
	flags []string
}

// listedCommands are commands by the first of their words.
var listedCommands = func() map[string][]listedCommand {
	m := map[string][]listedCommand{"curl": {{flags: []string{"-u ", "-U ", "--user ", "--proxy-user "}}}}
	for _, key := range slices.Sorted(maps.Keys(commands)) {
		if words := strings.Fields(strings.TrimRight(key, " -")); len(words[0]) > 1 && words[0][0] != '-' {
			m[words[0]] = append(m[words[0]], listedCommand{words[1:], commands[key]})
		}
	}
	return m
}()

// listedLiterals are the programs, with the quote that ends the item.
func listedLiterals() []string {
	var list []string
	for _, w := range slices.Sorted(maps.Keys(listedCommands)) {
		list = append(list, w+`"`, w+`'`)
	}
	return list
}

// maxListed bounds a command that is a list, in bytes and in words.
const (
	maxListed      = 512
	maxListedWords = 24
)

// nextArgument is between two arguments that a program hands on one by one, as in Rust.
const nextArgument = ".arg("

// readListed finds the passwords among the items behind a program's name.
func readListed(r *run, start, end int) {
	text := r.text
	if start < r.listedDone || start > 0 && !value.IsQuote(text[start-1]) && text[start-1] != '/' {
		return
	}
	var buf [32]byte
	var bounds [maxListedWords][2]int
	items, at := bounds[:0], end
	for len(items) < maxListedWords && at < end+maxListed {
		from, to, next := r.item(at)
		if next < 0 {
			break
		}
		items, at = append(items, [2]int{from, to}), next
	}
	r.spend(2 * (at - start))
	r.listedDone = min(at, end+leastCommand)
	for _, c := range listedCommands[string(value.Lower(buf[:], text[start:end-1]))] {
		if rest, ok := r.begins(items, c.words); ok {
			for _, flag := range c.flags {
				r.listedFlag(rest, flag)
			}
		}
	}
}

// item returns the bounds of the item of a list that follows what ends before at, and where it ends; next is -1 where none does. What
// is no text in quotes is an item without a word.
func (r *run) item(at int) (from, to, next int) {
	text := r.text
	at = value.Past(text, at, 80, value.Spaces)
	switch {
	case value.HasPrefixAt(text, at, ")"+nextArgument):
		at += 1 + len(nextArgument)
	case value.HasPrefixAt(text, at, ").args(["):
		at += len(").args([")
	case at < len(text) && (text[at] == ',' || text[at] == ':'):
		at++
	default:
		return 0, 0, -1
	}
	at = value.Past(text, at, 80, value.Spaces+"[")
	from, q, escapes := r.quote(at)
	if q == 0 {
		to = r.upTo(at, 80, ",)]}\n")
		return to, to, to
	}
	to, ok := r.closing(from, q, escapes)
	if !ok {
		return 0, 0, -1
	}
	return from, to, to + 1 + escapes
}

// begins returns the items behind words, if these are what a list begins with.
func (r *run) begins(items [][2]int, words []string) ([][2]int, bool) {
	if len(items) < len(words) {
		return nil, false
	}
	for i, w := range words {
		if string(r.text[items[i][0]:items[i][1]]) != w {
			return nil, false
		}
	}
	return items[len(words):], true
}

// listedFlag takes what a flag of commands says of the items.
func (r *run) listedFlag(items [][2]int, flag string) {
	word := strings.TrimSuffix(flag, " ")
	plain := 0
	for n, it := range items {
		v := r.text[it[0]:it[1]]
		switch {
		case len(v) == 0:
		case flag == "*=":
			r.set(it[0] - 1)
		case flag[0] == '#':
			if v[0] == '-' {
				continue
			}
			if plain++; plain == int(flag[1]-'0') {
				r.passwordOf(it[0], it[1])
				return
			}
		case word == flag && len(v) > len(flag) && value.Begins(v, flag):
			r.passwordOf(it[0]+len(flag), it[1])
			return
		case word != flag && string(v) == word:
			if n+1 < len(items) && items[n+1][0] < items[n+1][1] {
				r.passwordOf(items[n+1][0], items[n+1][1])
			}
			return
		case word != flag && flag[0] == '-': // all arguments in one text
			if i := bytes.Index(v, []byte(" "+flag)); i >= 0 {
				r.password(it[0] + i + 1 + len(flag))
				return
			}
		}
	}
}

// itemBelow takes the value of a flag that is an item of YAML's, and the value the next one.
func (a *assignment) itemBelow(at int) {
	text := a.r.text
	head := bytes.TrimLeft(a.r.before(a.lo, 128), " \t")
	if !value.Begins(head, "- ") || len(bytes.Trim(head, value.Quotes+"- \t")) > 0 || a.useless() {
		return
	}
	line := value.Past(text, at, 2, "\r\n")
	from := value.Past(text, line, 120, " \t")
	if !value.HasPrefixAt(text, from, "- ") || from-line != a.r.indent(a.lo) {
		return
	}
	from += len("- ")
	end := a.r.upTo(from, maxValue, "\n")
	from, end = value.Trimmed(text, from, end, value.Spaces+value.Quotes)
	if from < end && text[from] != '-' && bytes.IndexByte(text[from:end], ' ') < 0 {
		a.take(formSpaced, from, end)
	}
}
