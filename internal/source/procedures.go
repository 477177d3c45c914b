package source

import (
	"bytes"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// procedureForms are how the code of a family of languages names what may be called from elsewhere with values: procedures of tRPC; queries, changes and
// subscriptions of NestJS and type-graphql, of Spring and Micronaut.
var procedureForms = map[string]nameForm{
	"script": formOf("(?m)^\\s*(\\w+): *\\w*[pP]rocedure\\b|@(?:Query|Mutation|Subscription)\\(\\s*(?:\\(\\) *=>|\\(?\\w+ *=>|[\"'`])[^\\n]*\\n(?:\\s*@[^\\n]*\\n)*\\s*(?:public +)?(?:async +)?(\\w+)\\(",
		"rocedure", "@Query(", "@Mutation(", "@Subscription("),
	"JVM": formOf(`@(?:QueryMapping|MutationMapping|SubscriptionMapping)\b[^\n]*\n(?:\s*@[^\n]*\n)*\s*(?:(?:public|suspend|fun|override) +)*(?:[\w<>\[\], ?.]+ +)?(\w+)\(`, "Mapping"),
}

var (
	// rpc is a method of a service of Protocol Buffers.
	rpc = lazyregexp.New(`(?m)^[ \t]*rpc[ \t]+(\w+)[ \t]*\(`)
	// rootType is how GraphQL begins what may be asked of it, and rootField what each line below adds.
	rootType  = lazyregexp.New(`(?m)^[ \t]*(?:extend[ \t]+)?type[ \t]+(?:Query|Mutation|Subscription)[ \t]*(?:(?:@|implements )[^{\n]*)?\{`)
	rootField = lazyregexp.New(`^\s*([A-Za-z_]\w*)\s*[(:]`)
	rootHints = [][]byte{[]byte("type Query"), []byte("type Mutation"), []byte("type Subscription")}
)

// proceduresOf returns what a text says can be called by name, in its order: of GraphQL also where its schema stands in a string.
func (l *Language) proceduresOf(b []byte, held *pairs, partsOf func() []byte) (list []NameLine) {
	lines := &lineCounter{text: b}
	if l.Name == "Protocol Buffers" {
		for _, m := range rpc.FindAllSubmatchIndex(b, maxNamed) {
			if partsOf()[m[2]] == inCode {
				list = append(list, NameLine{string(b[m[2]:m[3]]), lines.at(m[2])})
			}
		}
		return list
	}
	if held.anyOf(b, rootHints) {
		for _, m := range near(rootType, b, rootHints) {
			if partsOf()[m[1]-1] != inComment {
				list = append(list, rootFields(b, m[1], lines)...)
			}
		}
	}
	form, ok := procedureForms[l.Family]
	if !ok || !held.anyOf(b, form.hints) {
		return list
	}
	lines = &lineCounter{text: b}
	for _, m := range near(form.names, b, form.hints) {
		if at := nameStart(m); partsOf()[at] == inCode {
			list = append(list, NameLine{submatch(b, m), lines.at(at)})
		}
	}
	return list
}

// nameStart is where the first group of a match begins that matched anything.
func nameStart(m []int) int {
	for i := 2; i < len(m); i += 2 {
		if m[i] >= 0 {
			return m[i]
		}
	}
	return m[0]
}

// rootFields returns the fields of a type whose brace was opened before an offset, each at its line.
func rootFields(b []byte, from int, lines *lineCounter) (list []NameLine) {
	depth, quoted := 0, false
	for at := from; at < len(b) && depth >= 0 && len(list) < maxNamed; {
		end := lineEnd(b, at)
		line := b[at:end]
		if n := bytes.Count(line, []byte(`"""`)); n > 0 || quoted {
			quoted = quoted != (n%2 == 1)
			at = end + 1
			continue
		}
		if cut := bytes.IndexByte(line, '#'); cut >= 0 {
			line = line[:cut]
		}
		if m := rootField.FindSubmatch(line); m != nil && depth == 0 {
			list = append(list, NameLine{string(m[1]), lines.at(at)})
		}
		for _, c := range line {
			switch c {
			case '(', '{', '[':
				depth++
			case ')', '}', ']':
				depth--
			}
			if depth < 0 {
				break
			}
		}
		at = end + 1
	}
	return list
}
