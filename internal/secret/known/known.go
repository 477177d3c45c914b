// Package known holds values that are known to be secrets, and finds them in a text: as they are, escaped, in hexadecimal and
// base64, over the ends of lines. It does not say what a secret is; whoever found one, or was given one, adds it.
package known

import (
	"bytes"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// Values is a set of values that are secrets wherever they stand: those learned
// where they were found, and those given (values that the workflow masks, the
// run's own token). Its methods may be called from several goroutines, and what
// they leave does not depend on the order of the calls.
//
// It prints as nothing: no verb, no encoding and no logger shows a value.
type Values struct {
	mu sync.Mutex
	// set is reached through a function because fmt follows pointers in some
	// verbs and functions in none: a Known within another value shows an address.
	set func() *knownSet
}

type knownSet struct {
	values map[string]*knownValue
	// filed counts the values that a file taught, loose those that a text taught
	// which is no file.
	filed, loose int
	full         bool
	// files holds what each file taught; over those that held too many values, and
	// limit the number of values from which on files do.
	files map[string]map[*knownValue]bool
	over  map[string]bool
	limit int
	index *index // nil where values came, went or changed since
}

// knownValue is one value.
type knownValue struct {
	text, rule   string
	given, loose bool
	files        int // that taught it
}

const (
	// minGiven is the shortest value that Give takes, in bytes.
	minGiven = 8
	// minFound is the shortest value that is learned in a file that stays, in bytes.
	minFound = 16
	// MaxValues bounds the values that are learned.
	MaxValues = 100_000
	// MaxLength bounds the length of one, in bytes. Of a longer value the
	// beginning counts.
	MaxLength = 4096
)

// Add learns a value found in a text that is no file, if it would be known again
// anywhere: at least 16 bytes, of high entropy, and no name. It reports whether
// it does.
func (k *Values) Add(rule string, value []byte) bool {
	s := k.locked()
	defer k.mu.Unlock()
	learned := false
	for _, part := range partsOf(rule, value) {
		if part, ok := learnable(rule, part, minFound); ok {
			learned = s.loosely(s.put(rule, string(part))) || learned
		}
	}
	return learned
}

// AddFile learns the values of a file's findings, each as Add does. It reports
// false if the file must be left out whole, as so many values are known that not all
// files' could be held. That may be told of a file only when others have been added:
// Over names all.
func (k *Values) AddFile(path string, text []byte, findings []value.Finding) bool {
	return k.addFile(path, text, findings, minFound)
}

// AddStore is AddFile for a file whose name says that it holds credentials, such as
// .env: as it is sure to, a value of 8 bytes is one.
func (k *Values) AddStore(path string, text []byte, findings []value.Finding) bool {
	return k.addFile(path, text, findings, minGiven)
}

func (k *Values) addFile(path string, text []byte, findings []value.Finding, least int) bool {
	var list []knownValue
	for _, f := range findings {
		value := f.In(text)
		// Also what it stands for where it is escaped or in base64.
		for _, form := range append(plainForms(value), value) {
			for _, part := range partsOf(f.Rule, form) {
				if v, ok := learnable(f.Rule, part, least); ok {
					list = append(list, knownValue{text: string(v), rule: f.Rule})
				}
			}
		}
	}
	s := k.locked()
	defer k.mu.Unlock()
	if s.over[path] {
		return false
	}
	for _, f := range list {
		s.teach(path, s.put(f.rule, f.text))
	}
	s.settle(path)
	return !s.over[path]
}

// Over returns the files that hold too many values, sorted: they must be left out
// whole, as what they hold is not looked for elsewhere. Which they are does not
// depend on the order in which files were added: those with the most values go
// until the rest can be held.
func (k *Values) Over() []string {
	s := k.locked()
	defer k.mu.Unlock()
	return slices.Sorted(maps.Keys(s.over))
}

// Holds reports whether text holds a value, as Find finds them.
func (k *Values) Holds(text []byte) (yes bool) {
	k.indexed().search(text, func(*knownValue, int, int) { yes = true })
	return yes
}

// Give notes a value that is a secret by decree. It must have 8 bytes; what is
// shorter would be found in words. Give reports whether it was taken.
func (k *Values) Give(rule, value string) bool {
	value = strings.TrimSpace(value)
	if len(value) < minGiven {
		return false
	}
	s := k.locked()
	defer k.mu.Unlock()
	s.give(rule, value)
	// A mask of several lines is one of each line too: logs and YAML indent them.
	for line := range strings.Lines(value) {
		if line = strings.TrimSpace(line); len(line) >= minFound && !strings.HasPrefix(line, "-----") {
			s.give(rule, line)
		}
	}
	return true
}

// locked returns the set for its caller alone, who unlocks k.mu.
func (k *Values) locked() *knownSet {
	k.mu.Lock()
	if k.set == nil {
		s := &knownSet{limit: math.MaxInt}
		s.values, s.files, s.over = map[string]*knownValue{}, map[string]map[*knownValue]bool{}, map[string]bool{}
		k.set = func() *knownSet { return s }
	}
	return k.set()
}

// put returns the value as one of the set.
func (s *knownSet) put(rule, value string) *knownValue {
	v := s.values[value]
	if v == nil {
		v = &knownValue{text: value, rule: rule}
		s.values[value] = v
		s.index = nil
	} else if rule < v.rule { // which of two rules came first is chance
		v.rule = rule
		s.index = nil
	}
	return v
}

func (s *knownSet) give(rule, value string) {
	if v := s.put(rule, value[:min(len(value), MaxLength)]); !v.given {
		v.given = true
		s.index = nil
	}
}

// loosely notes that a text which is no file taught a value, and reports false where
// too many are.
func (s *knownSet) loosely(v *knownValue) bool {
	switch {
	case v.loose:
	case s.loose >= MaxValues:
		s.full = true
		s.forget(v)
		return false
	default:
		v.loose = true
		s.loose++
	}
	return true
}

// teach notes that a file taught a value.
func (s *knownSet) teach(path string, v *knownValue) {
	taught := s.files[path]
	if taught == nil {
		taught = map[*knownValue]bool{}
		s.files[path] = taught
	}
	if taught[v] {
		return
	}
	taught[v] = true
	if v.files++; v.files == 1 {
		s.filed++
	}
}

// forget removes a value that nothing teaches any more.
func (s *knownSet) forget(v *knownValue) {
	if !v.given && !v.loose && v.files <= 0 && s.values[v.text] == v {
		delete(s.values, v.text)
		s.index = nil
	}
}

// leave gives up a file: what it alone taught is forgotten.
func (s *knownSet) leave(path string) {
	s.over[path] = true
	for v := range s.files[path] {
		if v.files--; v.files == 0 {
			s.filed--
		}
		s.forget(v)
	}
	delete(s.files, path)
}

// settle keeps the number of values within bounds after a file was added. Files
// that taught the most go first, all that taught as many together, so that what
// remains is the same in any order.
func (s *knownSet) settle(path string) {
	if len(s.files[path]) >= s.limit {
		s.leave(path)
	}
	for s.filed > MaxValues && len(s.files) > 0 {
		s.limit = 0
		for _, list := range s.files {
			s.limit = max(s.limit, len(list))
		}
		for path, list := range s.files {
			if len(list) >= s.limit {
				s.leave(path)
			}
		}
	}
}

// Full reports whether a value of no file was not taken because too many are held:
// what stands elsewhere of it cannot be found, and nothing should leave.
func (k *Values) Full() bool {
	s := k.locked()
	defer k.mu.Unlock()
	return s.full
}

// Len returns the number of values.
func (k *Values) Len() int {
	s := k.locked()
	defer k.mu.Unlock()
	return len(s.values)
}

// Find appends to dst where the values stand in text, as they are or in another
// form, sorted and not overlapping. It takes time linear in text.
func (k *Values) Find(text []byte, dst []value.Finding) []value.Finding {
	return k.indexed().find(text, dst)
}

// indexed returns the index of the values as they are now, nil if there are none.
func (k *Values) indexed() *index {
	s := k.locked()
	defer k.mu.Unlock()
	if s.index == nil && len(s.values) > 0 {
		s.index = newIndex(s.values)
	}
	return s.index
}

// learnable returns what is to be looked for of a value elsewhere, and whether
// that would be known again and is no name: of least bytes, and of high entropy.
func learnable(rule string, v []byte, least int) (part []byte, ok bool) {
	v = bytes.TrimSpace(v)
	if rule == KeyRule {
		return v[:min(len(v), MaxLength)], keyPart(v)
	}
	if len(v) < least || bytes.Contains(v, value.MarkBegin) || value.HashRules[rule] || value.PasswordHash(v) || value.Monotonous(v) {
		return nil, false // a hash stands in programs for their tests
	}
	switch {
	case len(v) < minFound:
		s := value.ShapeOf(v)
		ok = s.Digit > 0 && value.PasswordLike(v, s, true) && !value.HasOrdinary(v) && !value.NameLike(v) && !value.FileName(v)
	case value.Random(v) || value.AllHex(v) && value.Entropy(v) > 3 || value.Entropy(v) >= 3.7:
		ok = !value.Expression(v) && !value.Namespaced(v) && !nameOfThings(v)
	}
	return v[:min(len(v), MaxLength)], ok
}

// nameOfThings reports whether v is what programs and their files are named with:
// an identifier, a path, words; nothing random.
func nameOfThings(v []byte) bool {
	s := value.ShapeOf(v)
	if s.Special > bytes.Count(v, []byte("$")) || s.Space > 0 || s.High > 0 || len(v) > 512 {
		return false
	}
	if s.Digit == 0 {
		if value.HasOrdinary(v) && value.Wordy(v)*3 >= s.Length {
			return true
		}
		// One word or two, run together or not, are of a dictionary; three that
		// no program is named with are a passphrase.
		return value.Wordy(v)*10 >= (s.Lower+s.Upper)*7 && (s.Joint < 2 || s.Upper > 0 && s.Turns > s.Joint+2)
	}
	if value.NameLike(v) {
		return true
	}
	// A longer word of programs, and nothing random beside.
	var buf [512]byte
	var word [32]byte
	rest, named := buf[:copy(buf[:], v)], false
	for i := 0; i < len(v); {
		n := value.FirstWord(v[i:])
		if w := v[i : i+n]; n >= 5 && value.Wordy(w) > 0 && value.OrdinaryWord(value.Lower(word[:], w)) {
			named = true
			copy(rest[i:], strings.Repeat("-", n))
		}
		i += max(n, 1)
	}
	return named && !value.Drawn(rest)
}

// KeyRule is the rule of private keys, of which each line is a value.
const KeyRule = "private-key"

// minKeyPart is the shortest run of a private key that is known by itself, in bytes.
const minKeyPart = 12

// partsOf returns what is looked for elsewhere of a value: the runs of base64 in a
// private key, whose armour is no secret and whose lines may stand apart, or itself.
func partsOf(rule string, value []byte) [][]byte {
	if rule != KeyRule {
		return [][]byte{value}
	}
	return slices.Collect(base64Runs(plainText(value)))
}

// plainText returns a text with what its escapes stand for.
func plainText(v []byte) []byte {
	out := make([]byte, 0, len(v))
	for len(v) > 0 {
		decoded, n := Unescape(out, v, Escaped)
		if n == 0 {
			decoded, n = append(out, v[0]), 1
		}
		out, v = decoded, v[n:]
	}
	return out
}

// keyPart reports whether a run of a private key tells something of it: a label, a
// header and a comment do not.
func keyPart(run []byte) bool {
	return len(run) >= minKeyPart && !value.Monotonous(run) && value.Wordy(run)*2 < len(run) && value.Entropy(run) >= 2.5
}

// base64Runs are the runs of base64 in v.
func base64Runs(v []byte) iter.Seq[[]byte] {
	return bytes.FieldsFuncSeq(v, func(r rune) bool { return !strings.ContainsRune(value.Base64Signs, r) })
}

// LongestRun returns the longest run of base64 in v.
func LongestRun(v []byte) (best []byte) {
	for run := range base64Runs(v) {
		if len(run) > len(best) {
			best = run
		}
	}
	return best
}

// Union returns the values of several sets as one, with the files that taught them.
// A value that two of them hold under different rules keeps the rule whose name comes
// first. The sets stay as they are; nil sets hold nothing.
func Union(sets ...*Values) *Values {
	u := new(Values)
	all := u.locked()
	defer u.mu.Unlock()
	for _, k := range sets {
		if k != nil {
			all.take(k.locked())
			k.mu.Unlock()
		}
	}
	return u
}

// take adds all that another set holds.
func (s *knownSet) take(other *knownSet) {
	for text, v := range other.values {
		if !v.given && !v.loose {
			continue // comes with its files
		}
		mine := s.put(v.rule, text)
		mine.given = mine.given || v.given
		if v.loose && !mine.loose {
			mine.loose = true
			s.loose++
		}
	}
	s.full = s.full || other.full || s.loose > MaxValues
	s.limit = min(s.limit, other.limit)
	for path := range other.over {
		s.leave(path)
	}
	for path, list := range other.files {
		if s.over[path] {
			continue
		}
		for v := range list {
			s.teach(path, s.put(v.rule, v.text))
		}
		s.settle(path)
	}
}

// Format prints the type's name, whatever the verb. Encodings see no field.
func (k *Values) Format(f fmt.State, _ rune) { fmt.Fprint(f, "known.Values") }
