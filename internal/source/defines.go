package source

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/text"
)

// definedName is a name that a file gives to something at its top level.
type definedName struct {
	name     string
	line     int
	exported bool
	kind     definedKind
	// lines are those of a function in a program, where nothing is exported and the longest tells most.
	lines int
}

// definedKind says what a name stands for, in the order in which they tell of a file.
type definedKind int

const (
	isDefault definedKind = iota // what the module exports as its default
	isCode                       // functions and classes
	isType                       // types without code
	isValue
	isMethod
)

// MaxDefined is how many of its definitions a sentence about a file names.
const MaxDefined = 5

// Defined tells what a file defines: first what it is named for, what others can use, functions and types before values.
func (o *Outline) Defined(name string) (claim.Claim, bool) {
	if len(o.defines) == 0 {
		return claim.Claim{}, false
	}
	stem := plainName(strings.TrimSuffix(path.Base(name), path.Ext(name)))
	weight := func(d definedName) int {
		n := int(d.kind)
		if plainName(d.name) != stem && d.kind != isDefault {
			n += 20
		}
		if !d.exported {
			n += 10
		}
		return n
	}
	list := slices.Clone(o.defines)
	slices.SortStableFunc(list, func(a, b definedName) int {
		return cmp.Or(cmp.Compare(weight(a), weight(b)), cmp.Compare(b.lines, a.lines))
	})
	shown := list[:min(len(list), MaxDefined)]
	names, first, last := []string{}, shown[0].line, shown[0].line
	for _, d := range shown {
		names = append(names, text.Name(d.name))
		first, last = min(first, d.line), max(last, d.line)
	}
	said := claim.Own(strings.Join(names, ", "))
	if more := len(list) - len(shown); more > 0 {
		said += " and " + claim.Count(more, "more name")
	}
	return claim.New([]claim.Citation{claim.Span(name, first, last)}, "It defines %s", said), true
}

// hidden are definitions that others cannot use, beside the language's exports; group 1 is the name.
var hidden = map[string][]string{
	"js": {
		`^(?:async\s+)?function\*?\s+([A-Za-z_$][\w$]*)`, `^(?:abstract\s+)?class\s+([A-Za-z_$][\w$]*)`, `^(?:interface|type|enum)\s+([A-Za-z_$][\w$]*)`,
		`^(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*=>|[\w$]+\s*=>)`,
	},
	"Python": {`^(?:async\s+)?def\s+(_\w*)`, `^class\s+(_\w*)`},
	"Rust":   {`^(?:async\s+|const\s+|unsafe\s+)*(?:fn|struct|enum|trait)\s+([A-Za-z_]\w*)`},
	"Shell":  {`^(?:function\s+)?([A-Za-z_][\w-]*)\s*\(\)`},
	"Lua":    {`^(?:local\s+)?function\s+([\w.:]+)`},
	"Perl":   {`^sub\s+(\w+)`},
	// Contracts between programs.
	"Protocol Buffers": {`^(?:service|message|enum)\s+(\w+)`},
	"Thrift":           {`^(?:struct|union|exception|enum|senum|service)\s+(\w+)`},
	"Prisma":           {`^(?:model|enum|type|view)\s+(\w+)\s*\{`},
	"GraphQL":          {`^(?:extend\s+)?(?:type|interface|enum|input|union|scalar)\s+(\w+)`},
}

// offers reports whether a line of a script is a statement that exports names, and notes them: true for the default.
func offers(line []byte, offered map[string]bool) bool {
	if m := handedOut.FindSubmatch(line); m != nil {
		offered[string(m[1])] = true
		return true
	}
	m := handedOutList.FindSubmatch(line)
	if m == nil {
		return false
	}
	for name := range strings.SplitSeq(string(m[1]), ",") {
		name, _, _ = strings.Cut(strings.TrimSpace(name), " as ")
		if !offered[name] {
			offered[name] = false // known all the same
		}
	}
	return true
}

// definedKindOf is what a line that defines a name makes of it.
func definedKindOf(line []byte) definedKind {
	switch {
	case bytes.HasPrefix(line, []byte("export default ")):
		return isDefault
	case typed.Match(line):
		return isType
	case valued.Match(line):
		return isValue
	}
	return isCode
}

// definesOf finds the definitions of a text by its language's patterns, in what is no comment, without indent.
func (l *Language) definesOf(b, parts []byte) []definedName {
	more := hidden[l.Name]
	if l.scripts() {
		more = hidden["js"]
	}
	if len(l.exports)+len(more) == 0 {
		return nil
	}
	b = b[:min(len(b), maxDocRead)]
	var out []definedName
	at := map[string]int{}
	add := func(name string, line int, exported bool, kind definedKind) {
		name = claim.OneLine(strings.TrimSpace(name), 60)
		if _, ok := at[name]; !ok && name != "" && name != "default" && name != "main" && len(out) < maxDefinitions {
			at[name] = len(out)
			out = append(out, definedName{name: name, line: line, exported: exported, kind: kind})
		}
	}
	offered := map[string]bool{} // by a statement of their own; true = as the default
	n := 0
	listed := false // in the lines of module.exports = {
	for off := 0; off < len(b); {
		end := lineEnd(b, off)
		line := b[off:end]
		start := off
		off = end + 1
		n++
		if len(line) == 0 || len(line) > MaxLineRead {
			continue
		}
		if listed {
			if m := exportedKey.FindSubmatch(line); m != nil {
				add(string(m[1]), n, true, isValue)
			}
			listed = line[0] == ' ' || line[0] == '\t'
			continue
		}
		if parts[start] != inCode || (line[0] == ' ' || line[0] == '\t') && l.indented() {
			continue
		}
		if l.scripts() {
			if bytes.HasPrefix(line, []byte("module.exports = {")) {
				listed = !bytes.Contains(line, []byte("}"))
				continue
			}
			if offers(line, offered) {
				continue
			}
		}
		kind := definedKindOf(line)
		found := false
		for _, p := range l.exports {
			if m := pattern(p).FindSubmatch(line); m != nil {
				if found = true; !strings.HasPrefix(p, `^export\s+\{`) { // names that another file defines
					add(string(m[1]), n, true, kind)
				}
				break
			}
		}
		for _, p := range more {
			if m := pattern(p).FindSubmatch(line); m != nil && !found {
				add(string(m[1]), n, false, kind)
				break
			}
		}
	}
	for name, first := range offered {
		if i, ok := at[name]; ok {
			out[i].exported = true
			if first {
				out[i].kind = isDefault
			}
		}
	}
	return out
}

// maxDefinitions bounds the definitions that are kept of one file.
const maxDefinitions = 1000

// indented reports whether what is indented belongs to something else: not so where everything stands in a class.
func (l *Language) indented() bool {
	return !slices.ContainsFunc(l.exports, func(p string) bool { return strings.HasPrefix(p, `^\s*`) })
}

var (
	exportedKey = lazyregexp.New(`^\s+([A-Za-z_$][\w$]*)\s*(?:[,:(]|$)`)
	// handedOut and handedOutList export names that are defined elsewhere in the file.
	handedOut     = lazyregexp.New(`^export\s+default\s+([A-Za-z_$][\w$]*)\s*;?\s*$`)
	handedOutList = lazyregexp.New(`^export\s+\{([^}]*)\}\s*;?\s*$`)
	typed         = lazyregexp.New(`^(?:export\s+)?(?:declare\s+)?(?:pub\s+)?(?:interface|type|enum|namespace|trait|message)\s`)
	// valued is a definition that is neither a function nor a type.
	valued = lazyregexp.New(`^(?:export\s+)?(?:declare\s+)?(?:const|let|var|pub\s+const|pub\s+static)\s+\S+[^=]*=\s*[^(a\s]|^[A-Z][A-Z0-9_]+\s*(?::[^=]+)?=`)
)

// maxPurpose bounds a text of a program about itself, in runes.
const maxPurpose = 160

// What programs say of themselves to who asks for help, in the call that makes the command: cobra, argparse, commander
// and its kin; and what stands behind "Usage:".
var (
	makesCommand = lazyregexp.New(`\bcobra\.Command\{|\bArgumentParser\(|\bnew Command\(|^(?:const\s+)?program\b|^\s*\.name\(`)
	purposes     = lazyregexp.New("(?:^\\s*Short:\\s*|\\bdescription=\\(?|^\\s*\\.description\\(\\s*)[rf]?[\"'`]([^\"'`]{8,300})[\"'`]")
	usages       = lazyregexp.New("(?i)^(?:[^/#]*[\"'`])?\\s*usage:\\s*(.*)$")
	flakeSays    = lazyregexp.New(`^\s*description\s*=\s*"([^"]{8,300})";`)
)

// maxCommandLines is in how many lines behind its beginning a command says what it is for.
const maxCommandLines = 6

// tells finds what a program's help says of it.
func (o *Outline) tells(name string, b []byte) {
	b = b[:min(len(b), maxDocRead)]
	n, making, wanted := 0, 0, 0
	flake := path.Base(name) == "flake.nix"
	commands := mayMakeCommand(b)
	asked := containsAny(b, "sage:", "SAGE:")
	if !flake && !commands && !asked {
		return
	}
	for line := range bytes.Lines(b) {
		if n++; len(line) > MaxLineRead {
			continue
		}
		if making == 0 && commands && mayMakeCommand(line) && makesCommand.Match(line) {
			making = n // the first, which the others belong to
		}
		if o.purpose.Text == "" && (making > 0 && n <= making+maxCommandLines || flake) {
			m := purposes.FindSubmatch(line)
			if flake {
				m = flakeSays.FindSubmatch(line)
			}
			if m != nil && bytes.ContainsRune(m[1], ' ') {
				o.purpose = claim.Quote{Text: claim.OneLine(string(m[1]), maxPurpose), Path: name, Line: n}
			}
		}
		if o.Usage.Text != "" || !asked {
			continue
		}
		text := ""
		if m := usageIn(line); m != nil {
			if text, wanted = string(m[1]), n+2; strings.Trim(text, " \t\r\n\"'`+\\n,)") == "" {
				continue
			}
		} else if n <= wanted {
			text = string(line)
		}
		// A line of help, not the end of the text that holds it.
		if text = plainText(text); len(text) >= 4 && n <= wanted {
			o.Usage = claim.Quote{Text: claim.OneLine(text, maxPurpose), Path: name, Line: n}
		}
	}
}

// mayMakeCommand reports whether a text holds what makesCommand finds something around.
func mayMakeCommand(b []byte) bool {
	return containsAny(b, "cobra.Command{", "ArgumentParser(", "new Command(", "program", ".name(")
}

// usageIn is what usages find in a line that holds the word.
func usageIn(line []byte) [][]byte {
	if !containsAny(line, "sage:", "SAGE:") {
		return nil
	}
	return usages.FindSubmatch(line)
}

func containsAny(b []byte, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return bytes.Contains(b, []byte(w)) })
}

// plainText is a line of a text in a program without the program's signs around it.
func plainText(s string) string {
	s = strings.TrimSpace(s)
	for _, end := range []string{`\n`, "\"", "'", "`"} {
		if i := strings.Index(s, end); i > 0 {
			s = s[:i]
		}
	}
	return strings.Trim(s, " \t\"'`+\\,;()")
}

// Says are sentences of what the author says of a file.
func (o *Outline) Says() []claim.Claim {
	var out []claim.Claim
	if q := o.About; q.Text != "" {
		out = append(out, claim.New([]claim.Citation{claim.Cite(q.Path, q.Line)}, "It says of itself: %s", q.Text))
	}
	if q := o.purpose; q.Text != "" && o.About.Text == "" {
		out = append(out, claim.New([]claim.Citation{claim.Cite(q.Path, q.Line)}, "It describes itself as %s", q.Text))
	}
	if q := o.Symbol; q.Text != "" && (!o.passing || len(o.defines) <= MaxDefined) {
		out = append(out, claim.New([]claim.Citation{claim.Cite(q.Path, q.Line)}, "Of %s it says: %s", o.SymbolName, q.Text))
	}
	return out
}
