package secret

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// rule is an expression that finds one kind of secret.
type rule struct {
	id      string
	group   int     // submatch that is the value; 0 = the first that is not empty, else all
	entropy float64 // bits per byte that the value must exceed
	// inData rules look for what programs hold for their tests alone, and data in earnest.
	inData bool
	extra  func(value []byte) bool // what an expression cannot say; nil = nothing
	given  value.Noun              // the kind of name under which the value is judged; noNoun = it is not

	re    lazy
	exact lazy   // named rules: the service's name, where its case counts or more than a literal tells it; else nil
	allow []lazy // of values that are no secrets
}

// lazy is an expression compiled when first used: a run meets few of the rules.
type lazy func() *regexp.Regexp

// lazily returns the expression of a source, which TestExpressions compiles.
func lazily(source string) lazy {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(source) })
}

// providedRule is a rule that gitleaks or betterleaks keeps, as it stands there.
type providedRule struct {
	id, regex string
	group     int
	entropy   float64
	allow     []providedAllow
}

// providedAllow says which values of such a rule are no secrets. The generator takes none that say more than expressions do.
type providedAllow struct {
	target               string
	all                  bool
	paths, regexes, stop []string
}

// Shapes shared by many of gitleaks' expressions.
const (
	glBefore = `[\w.-]{0,50}?`
	glTail   = `[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}`
	glTail2  = `[ \t\w.-]{0,20})[\s'"]{0,3})(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}`
	glEnd    = `(?:[\x60'"\s;]|\\[nr]|$)`

	// A value also ends before any other byte that none of its kind holds: the "&" of a query, the "<" of markup, a comma.
	tokenEnd = `(?:[^\w-]|$)`
	namedEnd = `(?:[^\w+/=-]|$)`
)

// stricter are gitleaks' rules that match names in code too.
var stricter = map[string]func([]byte) bool{
	"vault-service-token": func(v []byte) bool { return value.Random(v[2:]) },
}

// pattern is a literal that the automaton finds.
type pattern struct {
	anchor
	rule uint16               // whose expression is looked for round it; the first of set
	set  []uint16             // rules of this service's name: "name, operator, value"
	read func(*run, int, int) // a reader of ours, called with the literal's start and end
}

// table is what New makes: rules, patterns and the automaton of their literals.
type table struct {
	rules    []*rule
	ids      map[string]bool // of the rules
	patterns []pattern
	auto     *value.Automaton
	model    *Model
	derive   func(source string, name bool) (derivation, error)
}

// newTable makes the table of the provided rules, of own, and of what else stands in this package.
func newTable(own []ownRule) (*table, error) {
	of, err := derived()
	if err != nil {
		return nil, err
	}
	return newTableOf(own, of)
}

// newTableOf is newTable with another source of derivations.
func newTableOf(own []ownRule, derive func(source string, name bool) (derivation, error)) (*table, error) {
	t := &table{ids: map[string]bool{}, derive: derive}
	t.patterns = make([]pattern, 0, strings.Count(derivedText, "\n")) // about as many, or one grows to twice the room
	names := map[string]*pattern{}
	for _, p := range providedRules {
		if err := t.addProvided(p, names); err != nil {
			return nil, fmt.Errorf("reading rule %s: %w", p.id, err)
		}
	}
	for _, o := range slices.Concat(own, prefixRules, addressRules) {
		r := rule{id: o.id, entropy: o.entropy, extra: o.check, inData: value.HashRules[o.id]}
		if err := t.addExpression(r, o.regex); err != nil {
			return nil, fmt.Errorf("reading rule %s: %w", o.id, err)
		}
	}
	for _, p := range placeRules {
		if err := t.addExpression(rule{id: p.id, given: p.noun}, p.regex); err != nil {
			return nil, fmt.Errorf("reading rule %s: %w", p.id, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		t.patterns = append(t.patterns, *names[name])
	}
	for _, rd := range readers {
		for _, lit := range rd.literals {
			t.patterns = append(t.patterns, pattern{anchor: anchor{literal: lit}, read: rd.read})
		}
	}
	literals, exact := make([]string, len(t.patterns)), make([]string, len(t.patterns))
	for i := range t.patterns {
		literals[i], exact[i] = t.patterns[i].literal, t.patterns[i].exact
	}
	t.auto = value.NewAutomaton(literals, exact)
	t.derive = nil
	return t, nil
}

// add adds a rule with its expression and returns its number.
func (t *table) add(r rule, source string) uint16 {
	r.re = lazily(source)
	t.rules = append(t.rules, &r)
	t.ids[r.id] = true
	return uint16(len(t.rules) - 1)
}

func (t *table) addProvided(p providedRule, names map[string]*pattern) error {
	r := rule{id: p.id, group: p.group, entropy: p.entropy, extra: stricter[p.id]}
	for _, a := range p.allow {
		for _, source := range a.regexes {
			r.allow = append(r.allow, lazily(source))
		}
	}
	head, value, named := strings.Cut(p.regex, glTail)
	if !named {
		head, value, named = strings.Cut(p.regex, glTail2)
	}
	if named {
		value, p.regex, _ = strings.Cut(value, glEnd)
		if err := t.addNamed(r, head, value, names); err != nil || p.regex == "" {
			return err
		}
		// One rule has an alternative beside the shared form.
		p.regex = strings.TrimPrefix(p.regex, "|")
	}
	return t.addExpression(r, strings.ReplaceAll(p.regex, glEnd, tokenEnd))
}

func (t *table) addExpression(r rule, source string) error {
	d, err := t.derive(source, false)
	if err != nil {
		return err
	}
	id := t.add(r, source)
	for _, a := range d.anchors {
		t.patterns = append(t.patterns, pattern{anchor: a, rule: id})
	}
	return nil
}

// addNamed adds a rule of the form "name, operator, value". The name goes to the automaton, the operator is read by hand, the
// value alone is left to an expression.
func (t *table) addNamed(r rule, head, value string, names map[string]*pattern) error {
	head, folded := strings.CutPrefix(strings.ReplaceAll(head, glBefore, ""), "(?i)")
	head = strings.TrimSuffix(strings.TrimPrefix(head, "(?i:"), "(?:")
	d, err := t.derive("(?i)"+head, true)
	if err != nil {
		return err
	}
	if !d.spelled || strings.Contains(head, "(?-i:") {
		r.exact = lazily("^(?i)(?:" + head + ")")
	}
	if folded {
		value = "(?i)" + value
	}
	id := t.add(r, "^"+value+namedEnd)
	for _, a := range d.anchors {
		name := strings.ToLower(a.literal)
		if names[name] == nil {
			names[name] = &pattern{anchor: anchor{literal: name}, rule: id}
		}
		if p := names[name]; !slices.Contains(p.set, id) {
			p.set = append(p.set, id)
		}
	}
	return nil
}
