package brief

import (
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

var (
	// pureVirtual is a method of C++ that classes built on its own have to define.
	pureVirtual = lazyregexp.New(`^virtual\b.*= *0 *;$`)
	// opensSignals is the line of a class of Qt below which its signals stand, opensOthers one below which other members do.
	opensSignals = lazyregexp.New(`^(?:signals|Q_SIGNALS) *:`)
	opensOthers  = lazyregexp.New(`^(?:(?:public|protected|private)(?: +(?:slots|Q_SLOTS))? *:|\} *;)`)
)

// promises reports whether classes that are built on that of a definition, as outlines show it, have to define it.
func (d *Definition) promises(bare string) bool { return d.Declared && pureVirtual.MatchString(bare) }

// signalsOf returns the lines of a text of C++, from 1, on which signals stand: what a class tells others of it, and does not do. Qt writes
// what they do, so that nothing else defines them, and a header told them before what the class is for.
func signalsOf(name string, lines []string) map[int]bool {
	if l := language.Of(name); l == nil || l.Name != "C++" && l.Name != "C" {
		return nil
	}
	found, in := map[int]bool{}, false
	for n, line := range lines {
		switch bare := strings.TrimSpace(line); {
		case opensSignals.MatchString(bare):
			in = true
		case in && opensOthers.MatchString(bare):
			in = false
		case in:
			found[n+1] = true
		}
	}
	return found
}
