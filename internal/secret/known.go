package secret

import (
	"bytes"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
)

// Known is a set of values that are secrets wherever they stand: those found
// once, and those given (values that the workflow masks, the run's own token).
// Its methods may be called from several goroutines.
//
// It prints as nothing: no verb, no encoding and no logger shows a value.
type Known struct {
	mu sync.RWMutex
	// set is reached through a function because fmt follows pointers in some
	// verbs and functions in none: a Known within another value shows an address.
	set func() *knownSet
}

type knownSet struct {
	full   bool
	values map[string]string // value -> rule
	index  *index            // nil where values came since
}

const (
	// minGiven is the shortest value that Give takes, in bytes.
	minGiven = 8
	// minFound is the shortest value that Add takes, in bytes.
	minFound = 16
	// maxKnown bounds the values held.
	maxKnown = 100_000
	// maxKnownValue bounds the length of one, in bytes. Of a longer value the
	// beginning counts.
	maxKnownValue = 4096
)

// Add notes a value found in a text if it would be known again anywhere: at
// least 16 bytes and of high entropy. It reports whether it does.
func (k *Known) Add(rule string, value []byte) bool {
	value = bytes.TrimSpace(value)
	if len(value) < minFound || bytes.Contains(value, markOpen) {
		return false
	}
	if rule == "private-key" {
		// The armour is no secret; its longest line is.
		value = longestRun(value)
		if len(value) < 40 {
			return false
		}
	} else if !random(value) && !(allHex(value) && entropy(value) > 3) && entropy(value) < 3.7 {
		return false
	} else if expression(value) || identifierOnly(value) && shapeOf(value).digit == 0 && hasOrdinary(value) {
		return false // like the text of programs elsewhere
	}
	return k.put(rule, value)
}

// Give notes a value that is a secret by decree. It must have 8 bytes; what is
// shorter would be found in words. Give reports whether it was taken.
func (k *Known) Give(rule, value string) bool {
	value = strings.TrimSpace(value)
	if len(value) < minGiven {
		return false
	}
	ok := k.put(rule, []byte(value))
	// A mask of several lines is one of each line too: logs and YAML indent them.
	if strings.Contains(value, "\n") {
		for line := range strings.Lines(value) {
			if line = strings.TrimSpace(line); len(line) >= minFound && !strings.HasPrefix(line, "-----") {
				k.put(rule, []byte(line))
			}
		}
	}
	return ok
}

func (k *Known) put(rule string, value []byte) bool {
	if len(value) > maxKnownValue {
		value = value[:maxKnownValue]
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.set == nil {
		s := &knownSet{values: map[string]string{}}
		k.set = func() *knownSet { return s }
	}
	set := k.set()
	if old, ok := set.values[string(value)]; ok {
		// Which of two rules came first is chance.
		if rule < old {
			set.values[string(value)] = rule
			set.index = nil
		}
		return true
	}
	if len(set.values) >= maxKnown {
		set.full = true
		return false
	}
	set.values[string(value)] = rule
	set.index = nil
	return true
}

// Full reports whether a value was not taken because too many are held: what
// stands elsewhere of it cannot be found, and nothing should leave.
func (k *Known) Full() bool {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.set != nil && k.set().full
}

// Len returns the number of values.
func (k *Known) Len() int {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if k.set == nil {
		return 0
	}
	return len(k.set().values)
}

// Find appends to dst where the values stand in text, sorted and not
// overlapping. It takes time linear in text.
func (k *Known) Find(text []byte, dst []Finding) []Finding {
	k.mu.RLock()
	if k.set == nil {
		k.mu.RUnlock()
		return dst
	}
	set := k.set()
	x := set.index
	k.mu.RUnlock()
	if x == nil {
		k.mu.Lock()
		if set.index == nil {
			set.index = newIndex(set.values)
		}
		x = set.index
		k.mu.Unlock()
	}
	return x.find(text, dst)
}

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

// index finds many values at once: a hash of their first eight bytes rolls over
// the text, and where it is known the values that begin so are compared.
type index struct {
	small  [1 << 13]uint64         // a bit for each hash that occurs
	values map[uint64][]knownValue // by their first eight bytes
}

type knownValue struct {
	text, rule string
}

func newIndex(values map[string]string) *index {
	x := &index{values: make(map[uint64][]knownValue, len(values))}
	for v, rule := range values {
		h := head([]byte(v))
		x.values[h] = append(x.values[h], knownValue{v, rule})
		b := spread(h)
		x.small[b>>6] |= 1 << (b & 63)
	}
	for _, list := range x.values {
		// Longest first, then by text: map order must not show.
		slices.SortFunc(list, func(a, b knownValue) int {
			if len(a.text) != len(b.text) {
				return len(b.text) - len(a.text)
			}
			return strings.Compare(a.text, b.text)
		})
	}
	return x
}

// maxAlike bounds how many values with the same beginning are compared at one
// place: they are sorted by length, and hostile sets gain nothing.
const maxAlike = 64

func (x *index) find(text []byte, dst []Finding) []Finding {
	first, line, at := len(dst), 1, 0
	if len(text) < minGiven {
		return dst
	}
	h := head(text)
	for i := 0; ; {
		if b := spread(h); x.small[b>>6]&(1<<(b&63)) != 0 {
			list := x.values[h]
			for n, v := range list {
				if n >= maxAlike {
					break
				}
				if len(text)-i < len(v.text) || string(text[i:i+len(v.text)]) != v.text {
					continue
				}
				end := i + len(v.text)
				if n := len(dst); n > first && i < dst[n-1].End {
					dst[n-1].End = max(dst[n-1].End, end)
				} else {
					line += bytes.Count(text[at:i], newline)
					at = i
					dst = append(dst, Finding{Rule: v.rule, Line: line, Start: i, End: end})
				}
				break
			}
		}
		if i+minGiven >= len(text) {
			return dst
		}
		h = h<<8 | uint64(text[i+minGiven])
		i++
	}
}

// head returns the first eight bytes of v as a number.
func head(v []byte) uint64 {
	var h uint64
	for _, b := range v[:minGiven] {
		h = h<<8 | uint64(b)
	}
	return h
}

func spread(h uint64) uint64 { return h * 0x9E3779B97F4A7C15 >> (64 - 19) }

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
