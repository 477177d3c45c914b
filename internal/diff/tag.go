package diff

import (
	"cmp"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// version is the name of a tag, read: a line of releases, such as @acme/a@ or v, and
// a place in it.
type version struct {
	line    string
	numbers []string // without leading zeros
	// stage is below 0 before the release of these numbers, above 0 after it.
	stage  int
	suffix string
}

// A version in a tag's name begins at a date, at numbers with dots, or at the last
// number, in this order, and may end in a word.
var (
	dated  = lazyregexp.New(`^(.*?)(\d{4}[-_.]\d{1,2}[-_.]\d{1,2}(?:[-_.T]\d+)*)((?:[-_.+]?[A-Za-z][0-9A-Za-z.+_-]*)?)$`)
	dotted = lazyregexp.New(`^(.*?)(\d+(?:\.\d+)+)((?:[-_.+]?[A-Za-z][0-9A-Za-z.+_-]*|[-+]\d[0-9A-Za-z.+_-]*)?)$`)
	single = lazyregexp.New(`^(.*?)(\d+)((?:[-_.+]?[A-Za-z][A-Za-z.+_-]*\d*)?)$`)

	// finished and later are words that end the version of a release, and of what
	// mends one. Every other word is that of a pre-release, as semver has it.
	finished = lazyregexp.New(`(?i)^[-_.+]?(?:final|ga|release|lts|stable)$`)
	later    = lazyregexp.New(`(?i)^(?:\+|[-_.]?(?:post|patch|hotfix|sp|p|fix)[-_.]?\d*$)`)
)

// maxTagName is the longest name of a tag that is read as a version.
const maxTagName = 200

// parseVersion reads the name of a tag; ok is false where it holds no version, as
// in nightly and latest, which move.
func parseVersion(name string) (v version, ok bool) {
	if len(name) > maxTagName {
		return v, false
	}
	for _, form := range []*lazyregexp.Regexp{dated, dotted, single} {
		m := form.FindStringSubmatch(name)
		if m == nil {
			continue
		}
		// v1.0 and 1.0 are releases of the same.
		v.line = strings.TrimSuffix(strings.TrimSuffix(m[1], "v"), "V")
		for _, n := range strings.FieldsFunc(m[2], func(r rune) bool { return r < '0' || r > '9' }) {
			v.numbers = append(v.numbers, strings.TrimLeft(n, "0"))
		}
		switch s := m[3]; {
		case s == "" || finished.MatchString(s):
		case later.MatchString(s):
			v.stage, v.suffix = 1, s
		default:
			v.stage, v.suffix = -1, s
		}
		return v, true
	}
	return v, false
}

// compare orders two versions of one line.
func (v version) compare(o version) int {
	for i := range max(len(v.numbers), len(o.numbers)) {
		if d := compareNumbers(at(v.numbers, i), at(o.numbers, i)); d != 0 {
			return d
		}
	}
	return cmp.Or(cmp.Compare(v.stage, o.stage), compareNaturally(v.suffix, o.suffix))
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}

// compareNumbers compares decimals without leading zeros, which may be long.
func compareNumbers(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// compareNaturally compares words, and the numbers in them by their value.
func compareNaturally(a, b string) int {
	for a != "" && b != "" {
		x, y := leading(a), leading(b)
		a, b = a[len(x):], b[len(y):]
		d := strings.Compare(x, y)
		if isDigit(x[0]) && isDigit(y[0]) {
			d = compareNumbers(strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0"))
		}
		if d != 0 {
			return d
		}
	}
	return cmp.Compare(len(a), len(b))
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// leading returns the digits, or what is none, that s begins with.
func leading(s string) string {
	i := strings.IndexFunc(s, func(r rune) bool { return (r >= '0' && r <= '9') != isDigit(s[0]) })
	if i < 0 {
		return s
	}
	return s[:i]
}

// EarlierTags returns the tags that may be the one before current, in groups of
// which a later one counts only where nothing of the former ones does: those of the
// same line with a lower version, the highest first; before a release its
// pre-releases come last. A shorter version of which there are longer ones, such as
// v1 beside v1.2.0, moves, and is none. versioned is false where the name of current
// holds no version: then those come that do, and the others, and their order says
// nothing.
func EarlierTags(current string, names []string) (groups [][]string, versioned bool) {
	type tag struct {
		name string
		version
	}
	now, versioned := parseVersion(current)
	var releases, before []tag
	var numbered, others []string
	longer := map[string]bool{}
	for _, name := range names {
		v, ok := parseVersion(name)
		if !ok {
			others = append(others, name)
			continue
		}
		for i := 1; i < len(v.numbers); i++ {
			longer[v.line+"\x00"+strings.Join(v.numbers[:i], ".")] = true
		}
	}
	for _, name := range names {
		v, ok := parseVersion(name)
		if !ok || name == current {
			continue
		}
		numbered = append(numbered, name)
		moves := longer[v.line+"\x00"+strings.Join(v.numbers, ".")]
		switch {
		case !versioned || v.line != now.line || moves || v.compare(now) >= 0:
		case v.stage < 0 && now.stage >= 0:
			before = append(before, tag{name, v})
		default:
			releases = append(releases, tag{name, v})
		}
	}
	if !versioned {
		return [][]string{numbered, slices.DeleteFunc(others, func(s string) bool { return s == current })}, false
	}
	for _, group := range [][]tag{releases, before} {
		slices.SortStableFunc(group, func(a, b tag) int { return cmp.Or(b.compare(a.version), strings.Compare(a.name, b.name)) })
		list := make([]string, len(group))
		for i, t := range group {
			list[i] = t.name
		}
		groups = append(groups, list)
	}
	return groups, true
}
