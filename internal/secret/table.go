package secret

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
)

// rule is an expression that finds one kind of secret.
type rule struct {
	id      string
	group   int     // submatch that is the value; 0 = the first that is not empty, else all
	entropy float64 // bits per byte that the value must exceed
	path    *lazy   // files the rule is for; nil = all
	allow   []allowed
	// inData rules look for what programs hold for their tests alone, and data in
	// earnest.
	inData bool
	// extra holds what an expression cannot say; nil = nothing.
	extra func(value []byte) bool

	re    lazy
	exact *lazy // named rules: the service's name where its case counts
}

// lazy is an expression compiled when first used: a run meets few of the rules.
type lazy struct {
	source string
	once   sync.Once
	re     *regexp.Regexp
}

func (l *lazy) get() *regexp.Regexp {
	// New has parsed every source, so compiling cannot fail.
	l.once.Do(func() { l.re, _ = regexp.Compile(l.source) })
	return l.re
}

func lazies(sources []string) (list []*lazy) {
	for _, s := range sources {
		list = append(list, &lazy{source: s})
	}
	return list
}

// allowed says which matches of a rule are no secrets.
type allowed struct {
	target  string // "", "match" or "line"
	all     bool   // path and expression must both agree
	paths   []*lazy
	regexes []*lazy
	stop    []string
}

// providedRule is a rule that gitleaks or betterleaks keeps, as it stands there.
type providedRule struct {
	id, path, regex string
	group           int
	entropy         float64
	allow           []providedAllow
}

// providedAllow says which matches of such a rule are no secrets; all: where path and expression agree.
type providedAllow struct {
	target               string
	all                  bool
	paths, regexes, stop []string
}

// Shapes shared by many of gitleaks' expressions.
const (
	glTail  = `[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}`
	glTail2 = `[ \t\w.-]{0,20})[\s'"]{0,3})(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}`
	glEnd   = `(?:[\x60'"\s;]|\\[nr]|$)`

	// A value also ends before any other byte that none of its kind holds: the
	// "&" of a query, the "<" of markup, a comma.
	tokenEnd = `(?:[^\w-]|$)`
	namedEnd = `(?:[^\w+/=-]|$)`
)

// stricter are gitleaks' rules that match names in code too.
var stricter = map[string]func([]byte) bool{
	"vault-service-token": func(v []byte) bool { return random(v[2:]) },
}

// pattern is a literal that the automaton finds.
type pattern struct {
	anchor
	rule uint16               // whose expression is looked for round it, if it has none of the following
	set  []uint16             // rules of this service's name: "name, operator, value"
	read func(*run, int, int) // a reader of ours, called with the literal's start and end
}

// table is what New makes: rules, patterns and the automaton of their literals.
type table struct {
	rules    []*rule
	ids      map[string]bool // of the rules
	patterns []pattern
	auto     *automaton
	model    *Model
}

func newTable() (*table, error) {
	t := &table{}
	names := map[string]*pattern{}
	var order []string
	for _, g := range providedRules {
		r := &rule{id: g.id, group: g.group, entropy: g.entropy, extra: stricter[g.id]}
		if g.path != "" {
			r.path = &lazy{source: g.path}
		}
		for _, a := range g.allow {
			r.allow = append(r.allow, allowed{target: a.target, all: a.all, paths: lazies(a.paths), regexes: lazies(a.regexes), stop: lowered(a.stop)})
		}
		head, value, ok := strings.Cut(g.regex, glTail)
		if !ok {
			head, value, ok = strings.Cut(g.regex, glTail2)
		}
		if ok {
			value, other, more := strings.Cut(value, glEnd)
			if err := t.addNamed(r, head, value, names, &order); err != nil {
				return nil, err
			}
			if !more || other == "" {
				continue
			}
			// One rule has an alternative beside the shared form.
			g.regex = strings.TrimPrefix(other, "|")
			r = &rule{id: g.id, entropy: g.entropy}
		}
		r.re.source = strings.ReplaceAll(g.regex, glEnd, tokenEnd)
		if err := t.addExpression(r); err != nil {
			return nil, err
		}
	}
	for _, o := range ownRules {
		r := &rule{id: o.id, re: lazy{source: o.regex}, entropy: o.entropy, extra: o.check, inData: hashRules[o.id]}
		if err := t.addExpression(r); err != nil {
			return nil, err
		}
	}
	for _, lit := range order {
		t.patterns = append(t.patterns, *names[lit])
	}
	for _, rd := range readers {
		for _, lit := range rd.literals {
			t.patterns = append(t.patterns, pattern{anchor: anchor{literal: lit}, read: rd.read})
		}
	}
	literals := make([]string, len(t.patterns))
	for i := range t.patterns {
		literals[i] = t.patterns[i].literal
	}
	t.auto = newAutomaton(literals)
	t.ids = make(map[string]bool, len(t.rules))
	for _, r := range t.rules {
		t.ids[r.id] = true
	}
	return t, nil
}

func (t *table) addExpression(r *rule) error {
	tree, err := syntax.Parse(r.re.source, syntax.Perl)
	if err != nil {
		return fmt.Errorf("reading rule %s: %w", r.id, err)
	}
	list := anchors(tree)
	if list == nil {
		return fmt.Errorf("reading rule %s: no literal in its expression", r.id)
	}
	t.rules = append(t.rules, r)
	for _, a := range list {
		t.patterns = append(t.patterns, pattern{anchor: a, rule: uint16(len(t.rules) - 1)})
	}
	return nil
}

// addNamed adds a rule of the form "name, operator, value". The name goes to
// the automaton, the operator is read by hand, the value alone is left to an
// expression.
func (t *table) addNamed(r *rule, head, value string, names map[string]*pattern, order *[]string) error {
	flags := ""
	head = strings.TrimPrefix(head, `[\w.-]{0,50}?`)
	head = strings.TrimPrefix(strings.TrimPrefix(head, `(?i:`), `[\w.-]{0,50}?`)
	if h, ok := strings.CutPrefix(head, `(?i)`); ok {
		head, flags = strings.TrimPrefix(h, `[\w.-]{0,50}?`), "(?i)"
	}
	head = strings.TrimSuffix(head, `(?:`)
	tree, err := syntax.Parse("(?i)"+head, syntax.Perl)
	if err != nil {
		return fmt.Errorf("reading rule %s: %w", r.id, err)
	}
	words, _ := spelled(tree)
	if words == nil {
		for _, b := range branches(tree) {
			a := best(b)
			if a == nil {
				return fmt.Errorf("reading rule %s: no literal in its name", r.id)
			}
			for _, a := range a {
				words = append(words, a.literal)
			}
		}
		r.exact = &lazy{source: "^(?i)(?:" + head + ")"}
	} else if strings.Contains(head, "(?-i:") {
		r.exact = &lazy{source: "^(?i)(?:" + head + ")$"}
	}
	r.group = 0
	r.re.source = "^" + flags + value + namedEnd
	if _, err := syntax.Parse(r.re.source, syntax.Perl); err != nil {
		return fmt.Errorf("reading rule %s: %w", r.id, err)
	}
	t.rules = append(t.rules, r)
	id := uint16(len(t.rules) - 1)
	seen := map[string]bool{}
	for _, w := range words {
		w = strings.ToLower(w)
		if seen[w] {
			continue
		}
		seen[w] = true
		p := names[w]
		if p == nil {
			p = &pattern{anchor: anchor{literal: w}}
			names[w] = p
			*order = append(*order, w)
		}
		p.set = append(p.set, id)
	}
	return nil
}
