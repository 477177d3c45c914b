package rank

import (
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
)

// maxShown bounds the changed files whose names and folders are compared one by
// one; of more, the first by path.
const maxShown = 512

// stem is the base name up to its first dot, a leading one left aside.
func stem(name string) string {
	base := strings.TrimPrefix(path.Base(name), ".")
	s, _, _ := strings.Cut(base, ".")
	return s
}

// plainFolders are those that only say test or source.
var plainFolders = language.WordSet(`test tests __tests__ __test__ spec e2e unit fixtures __snapshots__ resources src source lib`)

// place is where a file lies, folders that only say test or source left out.
func place(name string) []string {
	dir := path.Dir(name)
	if dir == "." {
		return nil
	}
	return slices.DeleteFunc(strings.Split(dir, "/"), func(f string) bool { return plainFolders[f] })
}

// nearness is how much of two places is the same, counted from the end.
func nearness(a, b []string) uint64 {
	c := 0
	for c < len(a) && c < len(b) && a[len(a)-1-c] == b[len(b)-1-c] {
		c++
	}
	return uint64(1+c) * one / uint64(1+max(len(a), len(b)))
}

// pathEvidence is what the paths of the changed files say.
type pathEvidence struct {
	names   []shownName
	byPart  map[string][]int32  // part → indices of names
	places  [2][]shownPlace     // of files that are no tests, of tests
	mirrors [2]map[string]near  // by folder: the nearest place of the other kind
	twins   map[string][]string // once asked for, see evidence.twins
}

type shownName struct {
	parts int
	path  string
}

type shownPlace struct {
	folders []string
	path    string
}

// near is the likest of the changed files, and how like it is.
type near struct {
	amount uint64
	path   string
	words  []string
}

// showPaths takes sorted paths.
func showPaths(paths []string) *pathEvidence {
	s := &pathEvidence{byPart: map[string][]int32{}, mirrors: [2]map[string]near{{}, {}}}
	seen := map[string]bool{}
	for _, p := range paths {
		list := parts(stem(p))
		if key := "n/" + strings.Join(list, " "); len(list) > 0 && !seen[key] && len(s.names) < maxShown {
			seen[key] = true
			for _, part := range list {
				s.byPart[part] = append(s.byPart[part], int32(len(s.names)))
			}
			s.names = append(s.names, shownName{len(list), p})
		}
		kind, folders := 0, place(p)
		if language.IsTest(p) {
			kind = 1
		}
		if key := string(rune('0'+kind)) + strings.Join(folders, "/"); !seen[key] && len(s.places[kind]) < maxShown {
			seen[key] = true
			s.places[kind] = append(s.places[kind], shownPlace{folders, p})
		}
	}
	return s
}

// name compares the base name's parts with those of the changed files: the share
// of equal parts in all parts of both.
func (s *pathEvidence) name(p string) near {
	list := parts(stem(p))
	same := map[int32]int{}
	for _, part := range list {
		for _, i := range s.byPart[part] {
			same[i]++
		}
	}
	var best near
	at := int32(-1)
	for i, n := range same {
		amount := uint64(n) * one / uint64(len(list)+s.names[i].parts-n)
		if amount > best.amount || amount == best.amount && i < at {
			best, at = near{amount: amount, path: s.names[i].path}, i
		}
	}
	if at >= 0 {
		for _, part := range list {
			if slices.Contains(s.byPart[part], at) {
				best.words = append(best.words, part)
			}
		}
	}
	return best
}

// mirror tells how like the place of a test is to that of a changed source, or
// the place of a source to that of a changed test.
func (s *pathEvidence) mirror(p string) near {
	kind := 0
	if language.IsTest(p) {
		kind = 1
	}
	dir := path.Dir(p)
	if m, ok := s.mirrors[kind][dir]; ok {
		return m
	}
	var best near
	folders := place(p)
	for _, o := range s.places[1-kind] {
		if a := nearness(folders, o.folders); a > best.amount {
			best = near{amount: a, path: o.path}
		}
	}
	s.mirrors[kind][dir] = best
	return best
}
