package source

import (
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

var (
	said        = lazyregexp.New(`"[^"\n]*"`)
	saysPrivate = lazyregexp.New(`(?:^|\s)(?:private|fileprivate)\s`)
	saysStatic  = lazyregexp.New(`(?:^|\s)static\s`)
	saysPart    = lazyregexp.New(`^\s*def(?:macro|guard)?p\s`)
)

// Hidden says of a definition, by its signature, whether its file alone can name it: hidden as far as nothing copies that file's text into another,
// sealed whatever others do.
func Hidden(file, name, signature string) (hidden, sealed bool) {
	switch path.Ext(file) {
	case ".java", ".kt", ".swift":
		sealed = true
	case ".scala":
		sealed = strings.Contains(name, ".") // of what stands outside of types a package is around it
	case ".c":
		return saysStatic.MatchString(signature), false
	case ".ex", ".exs":
		return saysPart.MatchString(signature), false
	}
	sealed = sealed && saysPrivate.MatchString(said.ReplaceAllString(signature, ""))
	return sealed, sealed
}
