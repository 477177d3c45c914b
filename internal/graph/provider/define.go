package provider

import (
	"slices"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/python"
	"github.com/haversack-dev/haversack/internal/language"
)

// Defines reports whether the definitions of a file are read that is read by this name.
func Defines(name string) bool {
	p, ok := For(name)
	return ok && !p.Bare || declaration.Knows(name) || python.IsNotebook(name)
}

// Define is DefineAll without the methods that interfaces ask for: where a file is shown, the signature of its type tells them.
func Define(name string, content []byte) ([]graph.Definition, error) {
	list, err := DefineAll(name, content)
	return shown(list), err
}

// DefineAll lists what a text of this name defines, in its order: what its language's provider finds, or, where no provider claims
// the name, what package declaration reads; of a notebook what its cells define. It is nil for a language that is not read.
func DefineAll(name string, content []byte) (list []graph.Definition, err error) {
	name = language.As(name, content)
	err = graph.Guarded(func() (err error) {
		if p, ok := For(name); ok {
			list, err = p.Define(name, content)
		} else if python.IsNotebook(name) {
			list, err = python.DefineNotebook(name, content)
		} else {
			list = declaration.Read(name, content)
		}
		return err
	})
	return list, err
}

// shown takes out of a list what the signatures of its types tell.
func shown(list []graph.Definition) []graph.Definition {
	return slices.DeleteFunc(list, func(d graph.Definition) bool { return d.Promised })
}

// SameUnformatted reports whether two texts of a name differ in what a formatter chooses alone, as far as that is known.
func SameUnformatted(name string, a, b []byte) bool {
	name = language.As(name, a)
	p, ok := For(name)
	if !ok || p.Unformatted == nil {
		return false
	}
	was, err := p.Unformatted(name, a)
	if err != nil {
		return false
	}
	is, err := p.Unformatted(name, b)
	return err == nil && was == is
}

// SameNeeds reports whether the graph is the same with either text of a name, as far as that is known: a text of no provider leads nowhere.
func SameNeeds(name string, a, b []byte) bool {
	as := language.As(name, a)
	if as != language.As(name, b) {
		return false
	}
	p, ok := For(as)
	return !ok || p.SameNeeds != nil && max(len(a), len(b)) <= graph.MaxSource && p.SameNeeds(as, a, b)
}
