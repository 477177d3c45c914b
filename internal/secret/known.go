package secret

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Known is a set of values that are secrets wherever they stand: those learned
// where they were found, and those given (values that the workflow masks, the
// run's own token). Its methods may be called from several goroutines, and what
// they leave does not depend on the order of the calls.
//
// It prints as nothing: no verb, no encoding and no logger shows a value.
type Known struct {
	mu sync.RWMutex
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
	// limit the number of values from which on files do, 0 = none yet.
	files map[string][]*knownValue
	over  map[string]bool
	limit int
	// ordinary holds the hashes of names that are no secrets.
	ordinary map[uint64]struct{}
	index    *index // nil where values came or went since
}

// knownValue is one value.
type knownValue struct {
	text, rule   string
	given, loose bool
	files        int // that taught it
	seen         int // that hold it, of those counted
}

const (
	// minGiven is the shortest value that Give takes, in bytes.
	minGiven = 8
	// minFound is the shortest value that is learned in a file that stays, in bytes.
	minFound = 16
	// maxKnown bounds the values that are learned.
	maxKnown = 100_000
	// maxKnownValue bounds the length of one, in bytes. Of a longer value the
	// beginning counts.
	maxKnownValue = 4096

	// CommonFiles and CommonShare say which values are too common to be known: of
	// all files more than one in CommonShare holds it, and more than CommonFiles
	// do. Where rules find such a value it is found all the same.
	CommonFiles = 20
	CommonShare = 20
)

// Add learns a value found in a text that is no file, if it would be known again
// anywhere: at least 16 bytes, of high entropy, and no name. It reports whether
// it does.
func (k *Known) Add(rule string, value []byte) bool {
	value, ok := learnable(rule, value, minFound)
	if !ok {
		return false
	}
	return k.change(func(s *knownSet) bool {
		v := s.learn(rule, value)
		if v == nil || v.loose {
			return v != nil
		}
		if s.loose >= maxKnown {
			s.full = true
			s.forget(v)
			return false
		}
		v.loose = true
		s.loose++
		return true
	})
}

// AddFile learns the values of a file's findings, each as Add does. It reports
// false if the file holds too many, so that it must be left out whole: more than
// MaxFindings, or so many that not all files' values could be held. The second
// may be told of a file only when others have been added: Over names all.
func (k *Known) AddFile(path string, text []byte, findings []Finding) bool {
	return k.addFile(path, text, findings, minFound)
}

func (k *Known) addFile(path string, text []byte, findings []Finding, least int) bool {
	type found struct {
		rule  string
		value []byte
	}
	var list []found
	for _, f := range findings[:min(len(findings), MaxFindings)] {
		if f.Start < 0 || f.End > len(text) || f.Start >= f.End {
			continue
		}
		value := text[f.Start:f.End]
		if v, ok := learnable(f.Rule, value, least); ok {
			list = append(list, found{f.Rule, v})
		}
		// What it stands for where it is escaped or in base64.
		for _, plain := range plainForms(value) {
			if v, ok := learnable(f.Rule, plain, least); ok {
				list = append(list, found{f.Rule, v})
			}
		}
	}
	many := len(findings) > MaxFindings
	if len(list) == 0 && !many {
		return true
	}
	return k.change(func(s *knownSet) bool {
		if s.over[path] {
			return false
		}
		if many {
			s.leave(path)
			return false
		}
		for _, f := range list {
			if v := s.learn(f.rule, f.value); v != nil {
				s.teach(path, v)
			}
		}
		s.settle(path)
		return !s.over[path]
	})
}

// Over returns the files that hold too many values, sorted: they must be left out
// whole, as what they hold is not looked for elsewhere. Which they are does not
// depend on the order in which files were added: those with the most values go
// until the rest can be held.
func (k *Known) Over() []string {
	return asked(k, func(s *knownSet) []string { return slices.Sorted(maps.Keys(s.over)) })
}

// Ordinary says which paths the repository has: their names, and the ends of their
// paths, with and without an extension, are never learned, and forgotten where
// they were. Values that were given stay.
func (k *Known) Ordinary(paths ...string) {
	k.change(func(s *knownSet) bool {
		note := func(name string) {
			if len(name) >= minGiven {
				s.ordinary[hashName(name)] = struct{}{}
			}
		}
		for _, p := range paths {
			for {
				note(p)
				name, rest, more := strings.Cut(p, "/")
				note(name)
				// Of .d.ts and the like, each.
				for base := p[strings.LastIndexByte(p, '/')+1:]; ; {
					i := strings.LastIndexByte(base, '.')
					if i <= 0 {
						break
					}
					base = base[:i]
					note(base)
					note(p[:strings.LastIndexByte(p, '/')+1] + base)
				}
				if !more {
					break
				}
				p = rest
			}
		}
		for text, v := range s.values {
			if _, ok := s.ordinary[hashName(text)]; ok {
				s.drop(v)
			}
		}
		return true
	})
}

// Count notes which values text holds, for DropCommon, and reports whether it holds
// any. It is called once for each file.
func (k *Known) Count(text []byte) bool {
	x := k.indexed()
	if x == nil {
		return false
	}
	var seen []*knownValue
	x.search(text, func(v *knownValue, _, _ int) {
		if !v.given && !slices.Contains(seen, v) && len(seen) < MaxFindings {
			seen = append(seen, v)
		}
	})
	if len(seen) == 0 {
		return false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, v := range seen {
		v.seen++
	}
	return true
}

// DropCommon forgets the learned values that too many of all files hold, as
// counted, and returns how many those were. See CommonShare.
func (k *Known) DropCommon(files int) int {
	n := 0
	k.change(func(s *knownSet) bool {
		for _, v := range s.values {
			if v.seen > CommonFiles && v.seen*CommonShare > files {
				s.drop(v)
				n++
			}
		}
		return true
	})
	return n
}

// Give notes a value that is a secret by decree. It must have 8 bytes; what is
// shorter would be found in words. Give reports whether it was taken.
func (k *Known) Give(rule, value string) bool {
	value = strings.TrimSpace(value)
	if len(value) < minGiven {
		return false
	}
	k.change(func(s *knownSet) bool {
		s.give(rule, value)
		// A mask of several lines is one of each line too: logs and YAML indent them.
		if strings.Contains(value, "\n") {
			for line := range strings.Lines(value) {
				if line = strings.TrimSpace(line); len(line) >= minFound && !strings.HasPrefix(line, "-----") {
					s.give(rule, line)
				}
			}
		}
		return true
	})
	return true
}

// change runs f on the set, alone.
func (k *Known) change(f func(*knownSet) bool) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.set == nil {
		s := &knownSet{values: map[string]*knownValue{}, files: map[string][]*knownValue{}, over: map[string]bool{}, ordinary: map[uint64]struct{}{}}
		k.set = func() *knownSet { return s }
	}
	return f(k.set())
}

// asked returns what f says of the set, nothing where there is none.
func asked[T any](k *Known, f func(*knownSet) T) (answer T) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if k.set == nil {
		return answer
	}
	return f(k.set())
}

func (s *knownSet) put(rule, value string) *knownValue {
	if v := s.values[value]; v != nil {
		// Which of two rules came first is chance.
		if rule < v.rule {
			v.rule = rule
			s.index = nil
		}
		return v
	}
	v := &knownValue{text: value, rule: rule}
	s.values[value] = v
	s.index = nil
	return v
}

func (s *knownSet) give(rule, value string) {
	s.put(rule, value[:min(len(value), maxKnownValue)]).given = true
}

// learn returns the value as one of the set, nil if it is an ordinary name.
func (s *knownSet) learn(rule string, value []byte) *knownValue {
	value = value[:min(len(value), maxKnownValue)]
	if _, ok := s.ordinary[hashName(string(value))]; ok {
		return nil
	}
	return s.put(rule, string(value))
}

// teach notes that a file taught a value.
func (s *knownSet) teach(path string, v *knownValue) {
	if slices.Contains(s.files[path], v) {
		return
	}
	s.files[path] = append(s.files[path], v)
	if v.files++; v.files == 1 {
		s.filed++
	}
}

// drop forgets a value wherever it was learned.
func (s *knownSet) drop(v *knownValue) {
	if v.loose {
		v.loose = false
		s.loose--
	}
	if v.files > 0 {
		v.files = 0
		s.filed--
	}
	s.forget(v)
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
	for _, v := range s.files[path] {
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
	if s.limit > 0 && len(s.files[path]) >= s.limit {
		s.leave(path)
	}
	for s.filed > maxKnown {
		most := 0
		for _, list := range s.files {
			most = max(most, len(list))
		}
		if most == 0 {
			return
		}
		s.limit = most
		for path, list := range s.files {
			if len(list) >= most {
				s.leave(path)
			}
		}
	}
}

// Full reports whether a value of no file was not taken because too many are held:
// what stands elsewhere of it cannot be found, and nothing should leave.
func (k *Known) Full() bool {
	return asked(k, func(s *knownSet) bool { return s.full })
}

// Len returns the number of values.
func (k *Known) Len() int {
	return asked(k, func(s *knownSet) int { return len(s.values) })
}

// Find appends to dst where the values stand in text, as they are or in another
// form, sorted and not overlapping. It takes time linear in text.
func (k *Known) Find(text []byte, dst []Finding) []Finding {
	x := k.indexed()
	if x == nil {
		return dst
	}
	return x.find(text, dst)
}

// indexed returns the index of the values as they are now, nil if there are none.
func (k *Known) indexed() *index {
	k.mu.RLock()
	if k.set == nil || len(k.set().values) == 0 {
		k.mu.RUnlock()
		return nil
	}
	x := k.set().index
	k.mu.RUnlock()
	if x == nil {
		k.mu.Lock()
		defer k.mu.Unlock()
		set := k.set()
		if set.index == nil {
			set.index = newIndex(set.values)
		}
		x = set.index
	}
	return x
}

// learnable returns what is to be looked for of a value elsewhere, and whether
// that would be known again and is no name: of least bytes, and of high entropy.
func learnable(rule string, value []byte, least int) ([]byte, bool) {
	value = bytes.TrimSpace(value)
	if len(value) < least || bytes.Contains(value, markBegin) || hashRules[rule] || monotonous(value) {
		return nil, false // a hash stands in programs for their tests
	}
	if rule == "private-key" {
		// The armour is no secret; its longest line is.
		value = longestRun(value)
		return value, len(value) >= 40
	}
	if len(value) < minFound {
		s := shapeOf(value)
		return value, s.digit > 0 && passwordLike(value, s, true) && !hasOrdinary(value) && !nameLike(value) && !fileName(value)
	}
	if !random(value) && !(allHex(value) && entropy(value) > 3) && entropy(value) < 3.7 {
		return nil, false
	}
	return value, !expression(value) && !namespaced(value) && !nameOfThings(value)
}

// nameOfThings reports whether v is what programs and their files are named with:
// an identifier, a path, words; nothing random.
func nameOfThings(v []byte) bool {
	s := shapeOf(v)
	if s.special > bytes.Count(v, []byte("$")) || s.space > 0 || s.high > 0 || len(v) > 512 {
		return false
	}
	if s.digit == 0 {
		if hasOrdinary(v) && wordy(v)*3 >= s.n {
			return true
		}
		// One word or two, run together or not, are of a dictionary; three that
		// no program is named with are a passphrase.
		return wordy(v)*10 >= (s.lower+s.upper)*7 && (s.joint < 2 || s.upper > 0 && s.turns > s.joint+2)
	}
	if nameLike(v) {
		return true
	}
	// A longer word of programs, and nothing random beside.
	var buf [512]byte
	rest := buf[:copy(buf[:], v)]
	return blankOrdinary(rest) && !drawn(rest)
}

// blankOrdinary puts joints in place of the words of five letters or more in v that
// programs are named with; it reports whether there are any.
func blankOrdinary(v []byte) bool {
	var word [32]byte
	any := false
	for i := 0; i < len(v); {
		j := i + firstWord(v[i:])
		if w := v[i:j]; len(w) >= 5 && wordy(w) > 0 && ordinaryWord(lower(word[:], w)) {
			any = true
			for n := range w {
				w[n] = '-'
			}
		}
		i = max(j, i+1)
	}
	return any
}

var nameSeed = maphash.MakeSeed()

// hashName returns the hash of a name, whatever the case of its letters.
func hashName(name string) uint64 { return maphash.String(nameSeed, strings.ToLower(name)) }

// longestRun returns the longest run of base64 in v.
func longestRun(v []byte) []byte {
	var best []byte
	for i := 0; i < len(v); {
		j := i
		for j < len(v) && isBase64(v[j]) {
			j++
		}
		if j-i > len(best) {
			best = v[i:j]
		}
		i = j + 1
	}
	return best
}

// Union returns the values of several sets as one, with the files that taught them.
// A value that two of them hold under different rules keeps the rule whose name comes
// first. The sets stay as they are; nil sets hold nothing.
func Union(sets ...*Known) *Known {
	u := new(Known)
	for _, k := range sets {
		if k != nil {
			u.take(k)
		}
	}
	return u
}

// take adds all that another set holds.
func (k *Known) take(from *Known) {
	from.mu.RLock()
	defer from.mu.RUnlock()
	if from.set == nil {
		return
	}
	other := from.set()
	k.change(func(s *knownSet) bool {
		maps.Copy(s.ordinary, other.ordinary)
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
		s.full = s.full || other.full || s.loose > maxKnown
		if other.limit > 0 && (s.limit == 0 || other.limit < s.limit) {
			s.limit = other.limit
		}
		for path := range other.over {
			s.leave(path)
		}
		for path, list := range other.files {
			if s.over[path] {
				continue
			}
			for _, v := range list {
				s.teach(path, s.put(v.rule, v.text))
			}
			s.settle(path)
		}
		return true
	})
}

// hiddenKnown is what a Known prints.
const hiddenKnown = "secret.Known"

// Format prints the type's name, whatever the verb.
func (k *Known) Format(f fmt.State, _ rune) { fmt.Fprint(f, hiddenKnown) }

// String returns the type's name.
func (k *Known) String() string { return hiddenKnown }

// GoString returns the type's name.
func (k *Known) GoString() string { return hiddenKnown }

// MarshalJSON returns null.
func (k *Known) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// MarshalText returns nothing.
func (k *Known) MarshalText() ([]byte, error) { return nil, nil }

// LogValue returns the type's name.
func (k *Known) LogValue() slog.Value { return slog.StringValue(hiddenKnown) }
