//go:build linux

// Command serve measures the live server without a model:
//
//	go run ./bench/serve -dir FOLDER [-show] [-answers] [-haversack PROGRAM] [-peer COMMAND] [NAME...]
//	go run ./bench/serve -speed FOLDER [-calls 200] [-haversack PROGRAM]
//
// The first form asks the questions of testdata/questions.txt. FOLDER holds clones of their repositories, at the commits that stand
// there. Which tools are called, and how, follows from the kind of a question alone:
//
//	defined X    find(X)
//	users X      references(X)
//	change X     read(symbol X), references(X), read of the first five definitions that the first answer points to
//
//	impact X     impact, after an empty line was put into X, which is taken out again
//
// and an answer that leaves rows out is followed by more, twice at most. The other side
// is a script: rg (grep -rn where it is missing) for the last part of the name as a word, in the order of paths, then 40 lines on
// each side of its first five hits. What rg prints is cut where an answer of the server is.
//
// A third side, with -peer, is serena's server, which COMMAND starts in the folder of the repository. It is not asked for impact:
//
//	defined X    find_symbol(X); find_symbol of the last part of X, where nothing has that path
//	users X      the same, find_referencing_symbols of its first hit
//	change X     the same with bodies, find_referencing_symbols, find_symbol with the body of the first five that refer to it
//
// A question is answered rightly when all lines of all its places stand in what came back: with the server those of rows with a
// text, the first line of other rows, and those of uses; with the script those that rg prints and those that are read; with the peer those of
// bodies, the first line of other symbols, and those that are quoted. Tokens are
// those of the text that came back, and beside it of the same as structured content. An answer is false that says it is complete, and
// lacks a place of what it was asked for (read and find: a definition, references: a use), or tells of a file the first lines alone. A question misleads whose answers all say
// so, and lack any of its places. Lines that are told as sure, and name another thing of that name, are mistaken.
//
// The second form times the server on one repository, against the verbs graph and select. It appends a line to files of the
// repository, one after another, and puts each back.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	dir := flag.String("dir", "", "folder of the clones")
	program := flag.String("haversack", "haversack", "the program that is measured")
	peer := flag.String("peer", "", "a command that starts serena's server over stdio")
	show := flag.Bool("show", false, "print each question that is answered wrongly, and what is missing")
	answers := flag.Bool("answers", false, "print all that the server says")
	speed := flag.String("speed", "", "a repository to time the server on")
	calls := flag.Int("calls", 200, "with -speed: how many mixed calls; the first 200 are timed")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if *speed != "" {
		err = measure(ctx, *program, *speed, *calls)
	} else {
		err = ask(ctx, sides{*program, *peer}, *dir, shown{*show, *answers}, flag.Args())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

// sum counts what one side did with questions.
type sum struct {
	asked, right, tokens, structured, calls int
	// byReading are those that are right without the lines that the search itself prints.
	byReading int
	// sayComplete are the answers that say they are complete, false those of them that are not.
	sayComplete, false int
	// misled are questions that are answered wrongly by answers that all say they are complete.
	misled int
	// mistaken are lines that are told as sure, and name another thing; unsure are places that are told as unsure alone.
	mistaken, unsure int
	// faults are the calls that a peer answers by telling a fault.
	faults int
}

func (s *sum) add(r reply, q question) {
	s.asked++
	s.calls += r.calls
	s.tokens += r.tokens
	s.structured += r.structured
	s.faults += r.faults
	s.sayComplete += r.sayComplete
	s.false += len(r.false)
	missing := len(r.shown.missing(q.places))
	switch {
	case missing == 0:
		s.right++
	case r.asked > 0 && r.asked == r.sayComplete:
		s.misled++
	}
	s.mistaken += len(r.sure.mistaken(q.places))
	if r.sure != nil {
		for _, p := range r.sure.missing(q.places) {
			if one := []place{p}; len(r.shown.missing(one)) == 0 && len(r.pointed.missing(one)) > 0 {
				s.unsure++
			}
		}
	}
	if r.read != nil && len(r.read.missing(q.places)) == 0 {
		s.byReading++
	}
}

// shown says what is printed beside the table.
type shown struct{ faults, answers bool }

// sides are the program that is measured, and the command of a peer, which may be empty.
type sides struct{ program, peer string }

// ask asks all questions, and prints a table.
func ask(ctx context.Context, with sides, dir string, show shown, only []string) error {
	if dir == "" {
		return errors.New("-dir is missing: the folder of the clones")
	}
	list, err := parse(questions)
	if err != nil {
		return err
	}
	t := tally{}
	var order []string
	for _, r := range list {
		base := filepath.Base(r.name)
		if len(only) > 0 && !slices.Contains(only, base) {
			continue
		}
		if err := r.check(filepath.Join(dir, base)); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		order = append(order, r.name)
		if err := t.askServer(ctx, with.program, r, show); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		if with.peer == "" {
			continue
		}
		if err := t.askPeer(ctx, with.peer, r, show); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
	}
	if len(order) == 0 {
		return fmt.Errorf("no repository is called %s", strings.Join(only, " or "))
	}
	fmt.Printf("the script's search: %s\n\n", searcher())
	t.print(append(order, defined, users, change, touched, "all"), with.peer != "")
	return nil
}

// tally are the sums of the server, the script and the peer, by the name of a repository, a kind, and "all".
type tally map[string]*[3]sum

// count counts what one side did with a question.
func (t tally) count(side int, r *repository, q question, got reply) {
	for _, name := range []string{r.name, q.kind, "all"} {
		if t[name] == nil {
			t[name] = &[3]sum{}
		}
		t[name][side].add(got, q)
	}
}

// askServer asks the server and the script about one repository.
func (t tally) askServer(ctx context.Context, program string, r *repository, show shown) error {
	server, err := start(ctx, program, r.dir)
	if err != nil {
		return err
	}
	for _, q := range r.questions {
		served, err := server.answered(ctx, r, q)
		if err != nil {
			return fmt.Errorf("%s: %w", q, errors.Join(err, server.close()))
		}
		searched, err := search(r.dir, q)
		if err != nil {
			return fmt.Errorf("%s: %w", q, errors.Join(err, server.close()))
		}
		served.cut(searched.hits)
		t.count(0, r, q, served)
		t.count(1, r, q, searched)
		if show.faults {
			tell(r, q, "server", served)
			tell(r, q, "script", searched)
		}
		if show.answers {
			fmt.Printf("\n## %s: %s\n%s", r.name, q, served.text)
		}
	}
	return server.close()
}

// askPeer asks the peer about one repository.
func (t tally) askPeer(ctx context.Context, command string, r *repository, show shown) error {
	p, err := startPeer(ctx, command, r.dir)
	if err != nil {
		return err
	}
	for _, q := range r.questions {
		if q.kind == touched {
			continue
		}
		got, err := p.answer(ctx, q)
		if err != nil {
			return fmt.Errorf("%s: %w", q, errors.Join(err, p.close()))
		}
		t.count(2, r, q, got)
		if show.faults {
			tell(r, q, "peer", got)
		}
		if show.answers {
			fmt.Printf("\n## the peer on %s: %s\n%s", r.name, q, got.text)
		}
	}
	return p.close()
}

// print prints the table.
func (t tally) print(names []string, peer bool) {
	head, columns := "| questions | asked | right | tokens | as JSON | calls | complete | false | misled | mistaken | unsure | script: right | by reading alone | tokens | calls |", 15
	if peer {
		head, columns = head+" peer: asked | right | tokens | calls | faults |", columns+5
	}
	fmt.Println(head)
	fmt.Println("|" + strings.Repeat("---|", columns))
	for _, name := range names {
		if t[name] == nil {
			continue
		}
		a, b, c := t[name][0], t[name][1], t[name][2]
		fmt.Printf("| %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d |", name, a.asked, a.right, a.tokens, a.structured, a.calls, a.sayComplete, a.false, a.misled, a.mistaken, a.unsure, b.right, b.byReading, b.tokens, b.calls)
		if peer {
			fmt.Printf(" %d | %d | %d | %d | %d |", c.asked, c.right, c.tokens, c.calls, c.faults)
		}
		fmt.Println()
	}
}

// tell prints what a question lacks on one side.
func tell(r *repository, q question, side string, got reply) {
	for _, p := range got.shown.missing(q.places) {
		fmt.Printf("%s: %s: %s lacks %s %s\n", r.name, q, side, p.role, p)
	}
	for _, p := range got.sure.mistaken(q.places) {
		fmt.Printf("%s: %s: %s is sure of %s\n", r.name, q, side, p)
	}
	for _, f := range got.false {
		fmt.Printf("%s: %s: %s says it is complete, and lacks a place\n", r.name, q, f)
	}
	if got.faults > 0 {
		fmt.Printf("%s: %s: %s tells %d faults\n", r.name, q, side, got.faults)
	}
}

// searcher is the program that the script searches by.
func searcher() string {
	if _, err := exec.LookPath("rg"); err == nil {
		return "rg"
	}
	return "grep -rn"
}

// last is the last part of a qualified name.
func last(name string) string {
	return name[strings.LastIndexAny(name, ".:")+1:]
}
