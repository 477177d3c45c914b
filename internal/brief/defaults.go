package brief

import (
	"strings"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

var (
	// givesDefault is a line of an entry that says which value it has where none is given: `default: 3,`, `default = "x"`. Group 1 is the sign
	// with the value.
	givesDefault = lazyregexp.New(`^\s+["']?default["']?\s*((?:=>|=|:)\s*[^\s{(\[].*?|(?:=>|=|:)\s*(?:\[\]|\{\}))\s*,?\s*$`)
	// opensEntry is the line above, or above other lines of the entry, that names it: `rows: {`, `"rows" => [`.
	opensEntry = lazyregexp.New(`^\s*["']?([A-Za-z_$][\w$-]*)["']?\s*(?::|=>?)\s*[{(\[]$`)
	// variableBlock is the line that begins a variable of Terraform.
	variableBlock = lazyregexp.New(`^variable\s+"[^"]+"`)
)

// emptyValue are signs with values that say no more than that there is none.
var emptyValue = map[string]bool{`= null`: true, `: null`: true, `=> null`: true, `: undefined`: true, `: nil`: true, `= ""`: true, `: ""`: true, `: ''`: true, `=> ''`: true,
	`= []`: true, `: []`: true, `= {}`: true, `: {}`: true, `: None`: true, `=> nil`: true}

// maxEntry bounds the lines of an entry between its name and its default.
const maxEntry = 40

// defaultOf returns the name of the entry that a definition is, or that its line stands in, and the value that it has by default, behind
// its sign: a default says nothing without what it is of, nor a variable of Terraform much without its default.
func defaultOf(lines []string, d *Definition) (entry, value string, ok bool) {
	head := strings.TrimRight(lines[d.Line-1], " \t\r")
	if !d.Setting {
		if !variableBlock.MatchString(head) {
			return "", "", false
		}
		for n := d.Line; n < min(d.End, d.Line+maxEntry, len(lines)); n++ {
			if m := givesDefault.FindStringSubmatch(lines[n]); m != nil {
				return SignatureLine(head), strings.Join(strings.Fields(m[1]), " "), true
			}
		}
		return "", "", false
	}
	m := givesDefault.FindStringSubmatch(head)
	if m == nil {
		return "", "", false
	}
	deep := indentOf(head)
	for n := d.Line - 1; n > max(0, d.Line-maxEntry); n-- {
		one := strings.TrimRight(lines[n-1], " \t\r")
		if one == "" || indentOf(one) >= deep {
			continue
		}
		if named := opensEntry.FindStringSubmatch(one); named != nil {
			return named[1], m[1], true
		}
		break
	}
	return "", "", false
}

// entryWith writes an entry with the value that it has by default: `rows default: 3`, `variable "rows" default = 3`.
func entryWith(entry, value string) string {
	if value[0] == '=' {
		value = " " + value
	}
	return entry + " default" + value
}

// summary is the line of a script that says what it is for, before it does anything: the first remark of some words, or the one behind
// "Summary:".
func summary(lines []string) (Definition, bool) {
	if !scriptHead.MatchString(lines[0]) {
		return Definition{}, false
	}
	first := 0
	for n, line := range lines[1:min(len(lines), maxSummary)] {
		said, remark := strings.CutPrefix(line, "#")
		if !remark && strings.TrimSpace(line) != "" {
			break
		}
		if said = strings.TrimSpace(said); !remark || noSummary.MatchString(said) {
			continue
		}
		words := len(strings.Fields(said))
		if strings.HasPrefix(said, "Summary:") {
			first = n + 2
			break
		}
		if first == 0 && words >= leastWords {
			first = n + 2
		}
	}
	return Definition{Line: first, From: first, End: first, Exported: true}, first > 0
}

const (
	// maxSummary bounds the lines at the head of a script that are looked at, and leastWords are the words that say something.
	maxSummary = 20
	leastWords = 3
)

var (
	// scriptHead is the first line of a script for a shell.
	scriptHead = lazyregexp.New(`^#!.*[/ ](?:ba|da|z|k|fi)?sh\b`)
	// noSummary is a remark on who may use a script, or for a tool that reads it.
	noSummary = lazyregexp.New(`(?i)copyright|licen[sc]|spdx|shellcheck|vim?:|^\w+=|-\*-|all rights|^(?:usage|author|version|maintainer)s?\b|https?://`)
)
