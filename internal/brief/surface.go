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
	"github.com/haversack-dev/haversack/internal/source"
)

const (
	// maxSurveyed bounds the files whose surface is looked at, those first on which most depends, and maxSurveyedBytes each.
	maxSurveyed      = 4000
	maxSurveyedBytes = 256 << 10
	// surfacePart is the part of a budget that what is found there may take.
	surfacePart = 40
	// maxPlaces bounds the places that are named of one name.
	maxPlaces = 3
)

// tellSurface writes where programs begin, and what the code declares, registers, makes and reads of what is around it: commands, routes, tables, environment
// variables, each with its places, where there is room.
func (w *shelves) tellSurface() {
	if w.Surface == nil || w.budget <= layers[0] {
		return
	}
	var members []int
	for _, i := range w.roles(Code) {
		if w.Members[i].Size <= maxSurveyedBytes && len(members) < maxSurveyed {
			members = append(members, i)
		}
	}
	found := make([]source.Surface, len(members))
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
	programs, commands, routes, tables, variables := &register{}, &register{}, &register{}, &register{}, &register{}
	var declared []command
	together := map[string]int{} // scripts with an extension, by folder
	for n, s := range found {
		if name := w.Members[members[n]].Path; s.Begins.Script && path.Ext(name) != "" {
			together[path.Dir(name)]++
		}
	}
	for n, s := range found {
		name := w.Members[members[n]].Path
		if b := s.Begins; b.Line > 0 && (!b.Script || path.Ext(name) == "" || together[path.Dir(name)] <= crowd) {
			programs.add(program(name, b), name, b.Line, "")
		}
		for _, c := range s.Commands {
			declared = append(declared, command{c, name})
		}
		for _, r := range s.Routes {
			said := r.Path
			if r.Method != "ANY" { // which is what it is called too where the call does not say
				said = r.Method + " " + r.Path
			}
			routes.add(said, name, r.Line, r.Handler)
		}
		for _, t := range s.Tables {
			tables.add(t.Name, name, t.Line, "")
		}
		for _, v := range s.Variables {
			variables.add(v.Name, name, v.Line, "")
		}
	}
	for n, typed := range typed(declared) {
		commands.add(typed, declared[n].path, declared[n].Line, "")
	}
	routes.listed = true
	var sections []Section
	kinds := []titledRegister{{"Programs, and where they begin", programs}, {"Commands", commands}, {"Tables", tables}, {"Environment variables that it reads", variables}, {"Routes that it registers", routes}}
	kinds = slices.DeleteFunc(kinds, func(k titledRegister) bool { return len(k.of.names) == 0 })
	all := w.budget / surfacePart
	for n, one := range kinds {
		room := all / (len(kinds) - n) // what one leaves is for those behind it
		if list := one.of.lines(func(line string) bool {
			n := w.Counter.Count([]byte(line))
			if n > room {
				return false
			}
			room, all = room-n, all-n
			w.postpone(0, n)
			return true
		}); list != "" {
			sections = append(sections, Section{Heading: "### " + one.title + "\n\n", Pieces: []string{list + "\n"}})
		}
	}
	if len(sections) > 0 {
		w.late[0] = append(w.late[0], Chapter{"What it offers, keeps and reads", sections})
	}
}

// crowd is how many scripts of one folder are programs: of more, something else calls them.
const crowd = 8

// program is what a program is called that begins in a file: as the file, and one whose file is called as many are, as the folder.
func program(name string, b source.Beginning) string {
	base := path.Base(name)
	if b.Script {
		return base
	}
	stem := strings.TrimSuffix(base, path.Ext(base))
	if dir := path.Base(path.Dir(name)); (strings.EqualFold(stem, "main") || strings.EqualFold(stem, "program")) && dir != "." {
		return dir
	}
	return stem
}

// titledRegister is what was found of one kind, with what it is called.
type titledRegister struct {
	title string
	of    *register
}

// register is what was found of one kind: names with their places.
type register struct {
	names  []string
	places map[string][]string
	listed bool // it stays in the order of the files
}

// add notes a name with its place, and what answers there, if that is known.
func (r *register) add(name, path string, line int, by string) {
	if r.places == nil {
		r.places = map[string][]string{}
	}
	if r.places[name] == nil {
		r.names = append(r.names, name)
	}
	place := Span(fmt.Sprintf("%s:%d", path, line))
	if by != "" {
		place += " (" + Span(by) + ")"
	}
	if !slices.Contains(r.places[name], place) {
		r.places[name] = append(r.places[name], place)
	}
}

// lines writes a line a name, as long as fits says yes: those first that have most places, then by name, or as they stand in the files;
// and how many are left.
func (r *register) lines(fits func(line string) bool) string {
	if !r.listed {
		slices.SortFunc(r.names, func(a, b string) int {
			return cmp.Or(len(r.places[b])-len(r.places[a]), strings.Compare(a, b))
		})
	}
	var b strings.Builder
	for n, name := range r.names {
		places := r.places[name]
		said := strings.Join(places[:min(len(places), maxPlaces)], ", ")
		if more := len(places) - maxPlaces; more > 0 {
			said += fmt.Sprintf(" and %d more", more)
		}
		line := "- " + Span(name) + ": " + said + "\n"
		if !fits(line) {
			fmt.Fprintf(&b, "- and %d more\n", len(r.names)-n)
			break
		}
		b.WriteString(line)
	}
	return b.String()
}

// command is a command with the file that declares it.
type command struct {
	source.CommandLine
	path string
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
