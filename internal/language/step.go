package language

import (
	"strings"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// IsSchemaStep reports whether a path is that of one step from a database's schema to the next: migrations/0013_expiry.py,
// db/migrate/20240131_ships.rb, V3__ships.sql, V3.Ships.up.sql. However many there are, they say little of what the program is now.
func IsSchemaStep(name string) bool {
	lower := strings.ToLower(name) // most paths hold none of the words, and need no expression
	return (strings.Contains(lower, "migrat") || strings.Contains(lower, "alembic/")) && schemaStep.MatchString(lower)
}

var schemaStep = lazyregexp.New(`(?:^|/)(?:(?:[a-z]+[_-])?migrations?|migrate|alembic/versions)/(?:.*/)?(?:\d{3}|\d\d[-_]|v\d+[_.]|[0-9a-f]{12}_)`)
