package language

import "testing"

func TestIsSchemaStep(t *testing.T) {
	for name, want := range map[string]bool{
		"app/migrations/0013_expiry.py": true, "db/migrate/20240131_ships.rb": true, "db/migration/V3__ships.sql": true,
		"db/migrations/V3.Ships.up.sql": true, "sql/migrations/folder/04-alter-ships.sql": true, "alembic/versions/0123456789ab_ships.py": true,
		"migrations/env.py": false, "db/V3__ships.sql": false, "migrations/04.md": false, "emigrate/ships.go": false,
	} {
		if got := IsSchemaStep(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
