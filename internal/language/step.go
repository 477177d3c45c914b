package language

import "github.com/haversack-dev/haversack/internal/lazyregexp"

// IsSchemaStep reports whether a path is that of one step from a database's schema to the next: migrations/0013_expiry.py,
// db/migrate/20240131_ships.rb, V3__ships.sql. However many there are, they say little of what the program is now.
func IsSchemaStep(name string) bool { return schemaStep.MatchString(name) }

var schemaStep = lazyregexp.New(`(?i)(?:^|/)(?:(?:[a-z]+[_-])?migrations?|migrate|alembic/versions)/(?:.*/)?(?:\d{3}|v\d+_|[0-9a-f]{12}_)`)
