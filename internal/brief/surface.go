package brief

import (
	"cmp"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/source"
	"github.com/haversack-dev/haversack/internal/text"
)

const (
	// maxSurveyed bounds the files whose surface is looked at, those first on which most depends, and maxSurveyedBytes each.
	maxSurveyed      = 4000
	maxSurveyedBytes = 256 << 10
	// surfacePart is the part of a budget, or of the first 32,000 tokens of a larger one, that what is found there may take.
	surfacePart = 24
	// earlyPart is the part of the first layer that environment variables may take before the definitions.
	earlyPart = 25
	// routesPart is the part of the first layer that routes may take before the definitions, and messages.
	routesPart = 32
)

// tellSurface writes where programs begin, and what the code declares, registers, answers, makes and reads of what is around it: commands,
// routes, messages, tables, environment variables, each with its places, where there is room.
func (w *shelves) tellSurface() {
	if w.Surface == nil {
		return
	}
	r := w.surfaceRegisters(w.surveyed())
	if sections, spent := w.registerSections([]titledRegister{{"Environment variables", &r.variables}}, w.front()/earlyPart); len(sections) > 0 {
		w.rest -= spent
		w.chapters = append(w.chapters, Chapter{"What it reads of its environment", sections})
	}
	var answers []Section
	if list, spent := w.resources(&r.routes, w.front()/routesPart); list != "" {
		w.rest -= spent
		answers = append(answers, Section{Heading: "### Routes\n\n", Pieces: []string{Fence("", Printable(list)) + "\n"}})
	}
	if sections, spent := w.registerSections([]titledRegister{{"Remote procedures", &r.procedures}, {"Messages", &r.messages}}, w.front()/routesPart); len(sections) > 0 {
		w.rest -= spent
		answers = append(answers, sections...)
	}
	if len(answers) > 0 {
		w.chapters = append(w.chapters, Chapter{"What it answers", answers})
	}
	if sections, spent := w.registerSections([]titledRegister{{"Tables", &r.tables}}, w.front()/tablesPart); len(sections) > 0 {
		w.rest -= spent
		w.chapters = append(w.chapters, Chapter{"What it keeps", sections})
	}
	if w.budget <= layers[0] {
		return
	}
	w.tellRegisters(r.kinds(), 0, "What it offers, keeps and reads", min(w.budget, layers[1])/surfacePart)
	if at := w.aftermath(); at > 0 {
		w.tellRegisters(r.kinds(), at, "What else it offers, keeps and reads", w.budget/surfacePart)
	}
}

// surveyed reads the surface of members, on all processors.
func (w *shelves) surveyed() (members []int, found []source.Surface) {
	for _, i := range w.roles(Code, Configuration) {
		if w.Members[i].Size <= maxSurveyedBytes && len(members) < maxSurveyed {
			members = append(members, i)
		}
	}
	found = make([]source.Surface, len(members))
	var group sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for n := range next {
				found[n] = w.Surface(members[n])
			}
		})
	}
	for n := range members {
		next <- n
	}
	close(next)
	group.Wait()
	w.mounted(members, found)
	return members, found
}

// registers are what was found of each kind.
type registers struct {
	programs, commands, routes, procedures, messages, tables, variables register
}

// kinds returns the registers with their titles, in the order in which a document tells them.
func (r *registers) kinds() []titledRegister {
	return []titledRegister{{"Programs, and where they begin", &r.programs}, {"Commands", &r.commands}, {"Tables", &r.tables}, {"Environment variables that it reads", &r.variables},
		{"Routes that it registers", &r.routes}, {"Remote procedures", &r.procedures}, {"Messages that it answers", &r.messages}}
}

// surfaceRegisters puts together what was found in members.
func (w *shelves) surfaceRegisters(members []int, found []source.Surface) *registers {
	r := &registers{}
	var declared []command
	dropped, readers := map[string][]surfacePlace{}, map[string]bool{}
	together := map[string]int{} // scripts with an extension, by folder
	for n, s := range found {
		if name := w.Members[members[n]].Path; s.Begins.Script && path.Ext(name) != "" {
			together[path.Dir(name)]++
		}
	}
	for n, s := range found {
		name := w.Members[members[n]].Path
		if b := s.Begins; b.Line > 0 && (!b.Script || path.Ext(name) == "" || together[path.Dir(name)] <= crowd) {
			r.programs.add(name, surfacePlace{members[n], b.Line, ""})
		}
		for _, c := range s.Commands {
			declared = append(declared, command{c, name, members[n]})
		}
		for _, route := range s.Routes {
			said := route.Path
			if route.Method != "ANY" { // which is what it is called too where the call does not say
				said = route.Method + " " + route.Path
			}
			r.routes.add(said, surfacePlace{members[n], route.Line, route.Handler})
		}
		for _, t := range s.Dropped {
			dropped[t.Name] = append(dropped[t.Name], surfacePlace{members[n], t.Line, ""})
		}
		r.procedures.addAll(s.Procedures, members[n])
		r.messages.addAll(s.Messages, members[n])
		r.tables.addAll(s.Tables, members[n])
		r.variables.addAll(s.Variables, members[n])
		for _, reader := range s.Readers {
			readers[reader] = true
		}
	}
	for n, s := range found {
		for _, asked := range s.Asked {
			if readers[asked.Of] {
				r.variables.add(asked.Name, surfacePlace{members[n], asked.Line, ""})
			}
		}
	}
	for n, typed := range typed(declared) {
		r.commands.add(typed, surfacePlace{declared[n].member, declared[n].Line, ""})
	}
	r.routes.listed, r.variables.valued = true, true
	r.tables.listed, r.tables.headed = true, true
	r.messages.listed, r.messages.headed = true, true
	r.procedures.listed = true
	w.dropTables(&r.tables, dropped)
	w.arrangeTables(&r.tables)
	for _, k := range r.kinds() {
		k.of.arrange()
	}
	return r
}

// tellRegisters writes what is not yet told of registers behind a layer, in so many tokens: by file, each line as it stands there.
func (w *shelves) tellRegisters(kinds []titledRegister, layer int, title string, all int) {
	sections, spent := w.registerSections(kinds, all)
	if len(sections) > 0 {
		w.postpone(layer, spent)
		w.late[layer] = append(w.late[layer], Chapter{title, sections})
	}
}

// registerSections writes what is not yet told of registers, in so many tokens, and what it spent of them.
func (w *shelves) registerSections(kinds []titledRegister, all int) (sections []Section, total int) {
	kinds = slices.DeleteFunc(slices.Clone(kinds), func(k titledRegister) bool { return k.of.told == len(k.of.names) })
	for n, one := range kinds {
		room := all / (len(kinds) - n) // the next registers have what this one leaves of the room
		if list, spent := w.lines(one.of, room); list != "" {
			all, total = all-spent, total+spent
			sections = append(sections, Section{Heading: "### " + one.title + "\n\n", Pieces: []string{Fence("", Printable(list)) + "\n"}})
		}
	}
	return sections, total
}

// lines writes the line of a name of a register, as long as there is room, below a heading for each file: those first that have most
// places, then by name, or as they stand in the files; and how many are left. It returns what it spent of the room.
func (w *shelves) lines(r *register, room int) (list string, spent int) {
	var files []int // members, as they come
	of := map[int][]string{}
	texts := map[int][]string{}
	for ; r.told < len(r.names); r.told++ {
		name := r.names[r.told]
		if r.valued {
			w.bringForward(r.places[name], name, texts)
		}
		at := r.places[name][0]
		if texts[at.member] == nil {
			texts[at.member] = strings.Split(w.Read(at.member).Text, "\n")
		}
		line := r.line(name, w.Members[at.member].Path, texts[at.member])
		n := w.Counter.Count([]byte(line))
		if slices.ContainsFunc(of[at.member], func(told string) bool { return withoutMore(told) == withoutMore(line) }) {
			continue // several names of one line
		}
		if of[at.member] == nil {
			n += w.headingCost(&shelf{member: at.member})
		}
		if spent+n > room-countCost {
			break
		}
		if of[at.member] == nil {
			files = append(files, at.member)
		}
		spent, of[at.member] = spent+n, append(of[at.member], line)
	}
	var b strings.Builder
	for _, member := range files {
		b.WriteString(w.headed(&shelf{member: member}))
		slices.SortStableFunc(of[member], func(a, b string) int {
			return cmp.Or(len(leading(a))-len(leading(b)), strings.Compare(leading(a), leading(b)))
		})
		b.WriteString(strings.Join(of[member], ""))
	}
	if left := len(r.names) - r.told; left > 0 && b.Len() > 0 {
		fmt.Fprintf(&b, "… %d more\n", left)
		spent += countCost
	}
	return b.String(), spent
}

// maxWeighed bounds the places of a name whose lines are compared.
const maxWeighed = 8

// bringForward puts that place of a name first whose line says most of what the name is for; texts are the lines of members.
func (w *shelves) bringForward(places []surfacePlace, name string, texts map[int][]string) {
	best, most := 0, -1
	for n, at := range places[:min(len(places), maxWeighed)] {
		if len(places) == 1 {
			return
		}
		if texts[at.member] == nil {
			texts[at.member] = strings.Split(w.Read(at.member).Text, "\n")
		}
		if lines := texts[at.member]; at.line <= len(lines) {
			if says := saysOf(lines[at.line-1], name); says > most {
				best, most = n, says
			}
		}
	}
	first := places[best]
	copy(places[1:best+1], places[:best])
	places[0] = first
}

var (
	// asksAlone is the beginning of a line that only asks whether something is so.
	asksAlone = lazyregexp.New(`^[\s}]*(?:if|elif|elsif|else if|unless|while|when|assert|return if)\b`)
	// given is what stands before a value that is given a name.
	given = lazyregexp.New(`^[^=(]*[\w\])"'] *(?::|\|\||\?\?)?=[^=>~]|^\s*["']?\w+["']?(?: *=>|:) `)
	// orElse is what stands behind a value for which there is another.
	orElse = lazyregexp.New(`^["')\]]*(?:\.presence)? *(?:\|\||\?\?|\bor\b|,)`)
)

// saysOf tells how much a line says of a variable that it reads: nothing if it only asks for it, more if it gives it another name, or a
// value that it has by default.
func saysOf(line, name string) (n int) {
	if asksAlone.MatchString(line) {
		return 0
	}
	before, behind, _ := strings.Cut(line, name)
	if n = 1; given.MatchString(before) {
		n++
	}
	if orElse.MatchString(behind) {
		n++
	}
	return n
}

// leading returns the number that a line begins with.
func leading(line string) string { number, _, _ := strings.Cut(line, "\t"); return number }

// crowd is how many scripts of one folder are programs: of more, something else calls them.
const crowd = 8

// titledRegister is what was found of one kind, with what it is called.
type titledRegister struct {
	title string
	of    *register
}

// register is what was found of one kind: names with their places.
type register struct {
	names  []string
	places map[string][]surfacePlace
	listed bool // it stays in the order of the files
	valued bool // of several places of a name one may say more than another
	headed bool // what stands on a line behind the name is of no account
	told   int  // how many of the names are told
}

// surfacePlace is where something was found, and what answers there, if that is known.
type surfacePlace struct {
	member, line int
	by           string
}

// add notes a name with its place.
func (r *register) add(name string, at surfacePlace) {
	if r.places == nil {
		r.places = map[string][]surfacePlace{}
	}
	if r.places[name] == nil {
		r.names = append(r.names, name)
	}
	if !slices.Contains(r.places[name], at) {
		r.places[name] = append(r.places[name], at)
	}
}

// addAll notes names that stand in one member.
func (r *register) addAll(list []source.NameLine, member int) {
	for _, one := range list {
		r.add(one.Name, surfacePlace{member, one.Line, ""})
	}
}

// arrange puts those first that have most places, then by name; a list stays as it stands in the files.
func (r *register) arrange() {
	if r.listed {
		return
	}
	slices.SortFunc(r.names, func(a, b string) int {
		return cmp.Or(len(r.places[b])-len(r.places[a]), strings.Compare(a, b))
	})
}

// line returns the line of a file, as it stands, where a name was found first, with its number, and behind it what it does not say: the
// name, what answers, at how many places the name stands besides.
func (r *register) line(name, path string, lines []string) string {
	at := r.places[name][0]
	said := ""
	if at.line <= len(lines) {
		said = strings.TrimSpace(lines[at.line-1])
		if r.headed {
			said = upToName(said, name)
		}
		said = cutOutline(said)
	}
	var besides []string
	last := name[strings.LastIndexByte(name, ' ')+1:]
	says := strings.Contains(said, last) && containsFold(said, strings.TrimSuffix(name, last))
	if !says && name != path { // what is called as its file
		besides = append(besides, name)
	}
	if !strings.Contains(said, at.by) {
		besides = append(besides, at.by)
	}
	if more := len(r.places[name]) - 1; more > 0 {
		besides = append(besides, fmt.Sprintf("+%d elsewhere", more))
	}
	if len(besides) > 0 {
		said += "  (" + text.Visible(strings.Join(besides, ", ")) + ")"
	}
	return fmt.Sprintf("%d\t%s\n", at.line, said)
}

// withoutMore is such a line without the count of other places.
func withoutMore(line string) string { return moreElsewhere.ReplaceAllString(line, "") }

// moreElsewhere is that count.
var moreElsewhere = lazyregexp.New(`(?:  \(|, )\+\d+ elsewhere\)\n$`)

// containsFold reports whether the words of a name stand in a line, whatever their case: the method of a route.
func containsFold(line, words string) bool {
	return strings.Contains(strings.ToLower(line), strings.ToLower(strings.TrimSpace(words)))
}

// command is a command with the file that declares it.
type command struct {
	source.CommandLine
	path   string
	member int
}

// typed returns commands as they are typed behind the program's name: behind the one that each is one of, where what holds it names
// one that a file of the same folder declares.
func typed(list []command) []string {
	words := func(c command) string {
		first, _, _ := strings.Cut(c.Name, " ")
		return strings.Join(language.Words(first), " ")
	}
	const several = -1
	of := map[string]int{} // by folder and words
	add := func(key string, n int) {
		if at, ok := of[key]; ok && at != n {
			n = several
		}
		of[key] = n
	}
	for n, c := range list {
		add(path.Dir(c.path)+"\x00"+words(c), n)
		if c.Above != "" {
			add(path.Dir(c.path)+"\x00"+c.Above+" "+words(c), n)
		}
	}
	const deepest = 5
	all := make([]string, len(list))
	for n := range list {
		all[n] = list[n].Name
		at := n
		for range deepest {
			up, ok := of[path.Dir(list[at].path)+"\x00"+list[at].Above]
			if list[at].Above == "" || !ok || up == several || up == at {
				break
			}
			first, _, _ := strings.Cut(list[up].Name, " ")
			all[n] = first + " " + all[n]
			at = up
		}
	}
	return all
}
