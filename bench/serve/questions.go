//go:build linux

package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

//go:embed testdata/questions.txt
var questions string

// repository is one that questions are asked about.
type repository struct {
	name, commit, dir string
	questions         []question
}

// question asks something of a name. Its places are those that a right answer holds, and those that are none.
type question struct {
	kind, name string
	places     []place
}

func (q question) String() string { return q.kind + " " + q.name }

// place are lines of a file, from 1, both ends included.
type place struct {
	// role is def, use, also, not or edit.
	role, path string
	from, to   int
}

func (p place) String() string {
	if p.from == p.to {
		return fmt.Sprintf("%s:%d", p.path, p.from)
	}
	return fmt.Sprintf("%s:%d-%d", p.path, p.from, p.to)
}

// lines are lines of files.
type lines map[string]map[int]bool

// add adds lines of a file.
func (l lines) add(path string, from, to int) {
	if l[path] == nil {
		l[path] = map[int]bool{}
	}
	for n := from; n <= to; n++ {
		l[path][n] = true
	}
}

// missing are the places of which a line is not there.
func (l lines) missing(places []place) (list []place) {
	for _, p := range places {
		if p.role == "not" || p.role == "edit" {
			continue
		}
		for n := p.from; n <= p.to; n++ {
			if !l[p.path][n] {
				list = append(list, p)
				break
			}
		}
	}
	return list
}

// mistaken are the places that are there, and are no answer.
func (l lines) mistaken(places []place) (list []place) {
	for _, p := range places {
		if p.role == "not" && l[p.path][p.from] {
			list = append(list, p)
		}
	}
	return list
}

// parse reads the questions.
func parse(text string) ([]*repository, error) {
	var list []*repository
	for n, line := range strings.Split(text, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		words := strings.Fields(line)
		fault := fmt.Errorf("questions.txt:%d: %q is no line of it", n+1, line)
		if words[0] == "=" || words[0] == "?" {
			if len(words) != 3 {
				return nil, fault
			}
			if words[0] == "=" {
				list = append(list, &repository{name: words[1], commit: words[2]})
				continue
			}
		}
		if len(list) == 0 {
			return nil, fault
		}
		r := list[len(list)-1]
		switch words[0] {
		case "?":
			if words[1] != defined && words[1] != users && words[1] != change && words[1] != touched {
				return nil, fault
			}
			r.questions = append(r.questions, question{kind: words[1], name: words[2]})
		case "def", "use", "also", "not", "edit":
			p, ok := placed(words)
			if !ok || len(r.questions) == 0 {
				return nil, fault
			}
			q := &r.questions[len(r.questions)-1]
			q.places = append(q.places, p)
		default:
			return nil, fault
		}
	}
	return list, nil
}

// Kinds of questions.
const (
	defined = "defined"
	users   = "users"
	change  = "change"
	touched = "impact"
)

// placed is the place of "role path:from-to".
func placed(words []string) (p place, ok bool) {
	if len(words) != 2 {
		return p, false
	}
	i := strings.LastIndexByte(words[1], ':')
	if i < 0 {
		return p, false
	}
	from, to, ranged := strings.Cut(words[1][i+1:], "-")
	if !ranged {
		to = from
	}
	p.role, p.path = words[0], words[1][:i]
	var err, fault error
	p.from, err = strconv.Atoi(from)
	p.to, fault = strconv.Atoi(to)
	return p, err == nil && fault == nil && p.from > 0 && p.to >= p.from
}

// check checks that a clone is at its commit, and that what is asked for stands at its places.
func (r *repository) check(dir string) error {
	r.dir = dir
	cmd := exec.Command("git", "rev-parse", "HEAD")
	cmd.Dir = dir
	head, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("asking for the commit of %s: %w", dir, err)
	}
	if strings.TrimSpace(string(head)) != r.commit {
		return fmt.Errorf("the clone is at %.8s, not at %.8s", head, r.commit)
	}
	for _, q := range r.questions {
		for _, p := range q.places {
			text, err := os.ReadFile(filepath.Join(dir, p.path))
			if err != nil {
				return err
			}
			list := strings.Split(string(text), "\n")
			if p.to > len(list) || p.role != "also" && !strings.Contains(strings.Join(list[p.from-1:p.to], "\n"), last(q.name)) {
				return fmt.Errorf("%s does not name %s", p, last(q.name))
			}
		}
	}
	return nil
}

// answered asks the server a question; for one about a change that is made first, and taken back.
func (s *server) answered(ctx context.Context, r *repository, q question) (all reply, err error) {
	if q.kind != touched {
		return s.answer(ctx, q)
	}
	def := q.places[0]
	name := filepath.Join(r.dir, def.path)
	before, err := os.ReadFile(name)
	if err != nil {
		return all, err
	}
	list := strings.SplitAfter(string(before), "\n")
	after := strings.Join(list[:def.to-1], "") + "\n" + strings.Join(list[def.to-1:], "")
	if err := os.WriteFile(name, []byte(after), 0o644); err != nil {
		return all, err
	}
	defer func() { err = errors.Join(err, os.WriteFile(name, before, 0o644)) }()
	return s.answer(ctx, q)
}
