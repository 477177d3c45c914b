package main

import (
	"encoding/gob"
	"os"
)

// measured is what is kept of an issue.
type measured struct {
	ID         string
	Candidates []kept
	Places     [3]int
}

type kept struct {
	Path         string
	Gold, Beside bool
	Signals      []float64
}

// store keeps what was measured in a file; none is named by "".
func store(name string, issues []*issue) error {
	if name == "" {
		return nil
	}
	var list []measured
	for _, one := range issues {
		m := measured{ID: one.id, Places: one.places}
		for _, c := range one.candidates {
			m.Candidates = append(m.Candidates, kept{c.path, c.gold, c.beside, c.signals})
		}
		list = append(list, m)
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := gob.NewEncoder(f).Encode(list); err != nil {
		return err
	}
	return f.Close()
}

// load reads what was kept of the same issues, and reports whether it was there.
func load(name string, issues []*issue) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	var list []measured
	if gob.NewDecoder(f).Decode(&list) != nil || len(list) != len(issues) {
		return false
	}
	for i, m := range list {
		if m.ID != issues[i].id {
			return false
		}
		one := issues[i]
		one.places, one.candidates = m.Places, nil
		for _, c := range m.Candidates {
			one.candidates = append(one.candidates, candidate{c.Path, c.Gold, c.Beside, c.Signals})
		}
	}
	return true
}
