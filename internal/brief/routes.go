package brief

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/text"
)

// resourceDepths are how many words of their paths routes are told by, one after another, until they fit.
var resourceDepths = [...]int{3, 2, 1}

// routed is a route of a file, by its name in a register: its method and its path.
type routed struct {
	name         string
	member, line int
}

// resource are routes of a file whose paths begin with the same words.
type resource struct {
	line, routes int // the line of the first, and how many they are
	path         string
	methods      []string
	members      []int  // the files that register them, in the order of the routes
	rest         string // how a path goes on, "" where none does
}

// resources writes routes below a heading for each file in so many tokens: each by its line where all of them fit, else those that begin
// with the same words by one, of the files first that have most; of many files that do not fit so either, across them. It returns what it spent, and marks what stands with the line of each as
// told.
func (w *shelves) resources(r *register, room int) (list string, spent int) {
	each := *r
	if list, spent = w.lines(&each, room); each.told == len(r.names) {
		r.told = each.told
		return list, spent
	}
	of := map[int][]routed{}
	var files []int
	for _, name := range r.names {
		for _, at := range r.places[name] {
			if of[at.member] == nil {
				files = append(files, at.member)
			}
			of[at.member] = append(of[at.member], routed{name, at.member, at.line})
		}
	}
	slices.SortStableFunc(files, func(a, b int) int { return cmp.Compare(len(of[b]), len(of[a])) })
	var flat []routed
	for _, member := range files {
		flat = append(flat, of[member]...)
	}
	for _, depth := range resourceDepths {
		if len(files) > fewFiles && len(folded(flat, depth, "")) < leastRows {
			break
		}
		var all bool
		if list, spent, all = w.foldedRoutes(files, of, depth, room); all {
			return list, spent
		}
	}
	if len(files) > fewFiles {
		return w.acrossFiles(flat, room)
	}
	return list, spent
}

// fewFiles is how many files register routes of which each is told by itself, as far as there is room; leastRows how many rows say more
// than one that all routes are below, as all are below /api.
const (
	fewFiles  = 4
	leastRows = 4
)

// acrossFiles writes the routes of many files, those as one whose paths begin with the same words, behind each the folder of their files, as
// far as there is room; those first that are most. It returns what it spent.
func (w *shelves) acrossFiles(all []routed, room int) (list string, spent int) {
	var rows []*resource
	common := shared(all)
	for _, depth := range resourceDepths {
		shorter := folded(all, depth, common)
		if len(rows) > 0 && len(shorter) < leastRows {
			break
		}
		rows = shorter
		cost := 0
		for _, r := range rows {
			cost += w.Counter.Count([]byte(w.acrossRow(r)))
		}
		if cost <= room {
			break
		}
	}
	slices.SortStableFunc(rows, func(a, b *resource) int { // what a server answers to before the pages that a browser shows
		return cmp.Compare(min(1, len(b.methods)), min(1, len(a.methods)))
	})
	var b strings.Builder
	for n, r := range rows {
		row := w.acrossRow(r)
		cost := w.Counter.Count([]byte(row))
		if spent+cost > room-countCost && n < len(rows)-1 || spent+cost > room {
			if n > 0 {
				fmt.Fprintf(&b, "… %d more\n", len(rows)-n)
				spent += countCost
			}
			break
		}
		spent += cost
		b.WriteString(row)
	}
	return b.String(), spent
}

// acrossRow is a row of routes of several files: GET POST /boats/…  (7 routes) src/app/boats.
func (w *shelves) acrossRow(r *resource) string {
	in := w.Members[r.members[0]].Path
	for _, member := range r.members[1:] {
		for name := w.Members[member].Path; in != "" && in != name && !strings.HasPrefix(name, in+"/"); {
			in, _ = path.Split(in)
			in = strings.TrimSuffix(in, "/")
		}
	}
	said := r.said() + "  "
	return strings.TrimRight(cutOutline(said+text.Visible(shortened(in, maxOutline-len(said)))), " ") + "\n"
}

// shortened is a path of at most so many bytes, as far as its first folder and its last name leave room: what stands between tells least.
func shortened(name string, most int) string {
	first, rest, ok := strings.Cut(name, "/")
	for ok && len(first)+len("/…/")+len(rest) > most {
		_, behind, more := strings.Cut(rest, "/")
		if !more {
			break
		}
		rest = behind
	}
	if short := first + "/…/" + rest; len(name) > most && len(short) < len(name) {
		return short
	}
	return name
}

// foldedRoutes writes the routes of files by so many words of their paths, as far as there is room, what it spent, and whether all of them
// stand there.
func (w *shelves) foldedRoutes(files []int, of map[int][]routed, depth, room int) (list string, spent int, all bool) {
	var b strings.Builder
	for n, member := range files {
		heading := w.headed(&shelf{member: member})
		found := folded(of[member], depth, "")
		rows := make([]string, len(found))
		for i := range found {
			rows[i] = found[i].String()
		}
		kept, cost := len(rows), w.Counter.Count([]byte(heading+strings.Join(rows, "")))
		for ; kept > 0 && spent+cost > room-2*countCost; kept-- {
			cost -= w.Counter.Count([]byte(rows[kept-1]))
		}
		if kept > 0 {
			spent += cost
			b.WriteString(heading + strings.Join(rows[:kept], ""))
		}
		if left := len(rows) - kept; left > 0 && kept > 0 {
			fmt.Fprintf(&b, "… %d more\n", left)
			spent += countCost
		}
		if left := len(files) - n - 1; kept < len(rows) {
			if kept == 0 {
				left++
			}
			if left > 0 && b.Len() > 0 {
				b.WriteString(strings.TrimSuffix(strings.Replace(more(left, "file"), "And", "…", 1), "\n"))
				spent += countCost
			}
			return b.String(), spent, false
		}
	}
	return b.String(), spent, true
}

// shared is the first telling word of the paths of most routes, "" if no word is that of more than half of them: what most routes are
// below tells none of them from another.
func shared(list []routed) string {
	times := map[string]int{}
	for _, one := range list {
		words, _ := one.words()
		if n := telling(words, 1, ""); n > 0 {
			word := words[n-1]
			if times[word]++; times[word] > len(list)/2 && !untelling.MatchString(word) {
				return word
			}
		}
	}
	return ""
}

// words are those of the path of a route. called says that the last is what is called of the one before: /api/carts.empty is api, carts and empty.
func (r *routed) words() (words []string, called bool) {
	_, path, ok := strings.Cut(r.name, " ")
	if !ok {
		path = r.name
	}
	words = strings.Split(strings.Trim(path, "/"), "/")
	last := words[len(words)-1]
	if of, call, ok := strings.Cut(last, "."); ok && procedureOf.MatchString(last) && !servedFile.MatchString(last) {
		return append(words[:len(words)-1], of, call), true
	}
	return words, false
}

var (
	// procedureOf is the end of a path that names what is called of something.
	procedureOf = lazyregexp.New(`^[a-zA-Z]\w*(?:\.[a-zA-Z]\w*)+$`)
	// servedFile is one that names a file.
	servedFile = lazyregexp.New(`\.(?:atom|css|gif|html?|ico|ics|jpe?g|js|json|map|pdf|png|rss|svg|txt|webmanifest|xml|ya?ml)$`)
)

// folded returns the routes of a file, those as one whose paths begin with the same words, so many of them, but for common, that of most;
// those first that are most.
func folded(list []routed, depth int, common string) (order []*resource) {
	by := map[string]*resource{}
	for _, one := range list {
		method, _, ok := strings.Cut(one.name, " ")
		if !ok {
			method = ""
		}
		words, called := one.words()
		taken := telling(words, depth, common)
		begins := "/" + strings.Join(words[:taken], "/")
		if last := len(words) - 1; called && taken > last {
			begins = "/" + strings.Join(words[:last], "/") + "." + words[last]
		}
		at := by[begins]
		if at == nil {
			at = &resource{line: one.line, path: begins}
			by[begins], order = at, append(order, at)
		}
		at.routes++
		if len(at.members) == 0 || at.members[len(at.members)-1] != one.member {
			at.members = append(at.members, one.member)
		}
		if len(words) > taken {
			at.rest = "/…"
			if called && taken == len(words)-1 {
				at.rest = ".…"
			}
		}
		if method != "" && !slices.Contains(at.methods, method) {
			at.methods = append(at.methods, method)
		}
	}
	slices.SortStableFunc(order, func(a, b *resource) int { return cmp.Compare(b.routes, a.routes) })
	return order
}

// telling is how many words of a path hold so many that tell a resource from another: what stands for a value, api, a version and common
// do not.
func telling(words []string, depth int, common string) (n int) {
	for ; n < len(words) && depth > 0; n++ {
		if words[n] == common && common != "" {
			common = "" // once
		} else if !untelling.MatchString(words[n]) {
			common = ""
			depth--
		}
	}
	return n
}

// untelling is a word of a path that says nothing of what is answered: :id, {id}, <id>, [id], *, $id, api, v1, and …, which stands for words that
// are not known.
var untelling = lazyregexp.New(`^(?:…?[:{<\[(*$].*|…|(?i:api|rest|v\d+))$`)

// String writes a line of routes behind the number of the first.
func (r *resource) String() string { return fmt.Sprintf("%d\t%s\n", r.line, cutOutline(r.said())) }

// said tells routes: GET POST /boats/…  (7 routes).
func (r *resource) said() string {
	said := strings.Join(append(slices.Clone(r.methods), r.path), " ")
	said += r.rest
	if r.routes > max(1, len(r.methods)) {
		said += fmt.Sprintf("  (%d routes)", r.routes)
	}
	return said
}
