package store

import (
	"fmt"
	"testing"
	"time"
)

// Limit bounds the database's pages, as a full disk does.
func (s *SQLite) Limit(t *testing.T, pages int) {
	t.Helper()
	if _, err := s.db.Exec(fmt.Sprintf("PRAGMA max_page_count = %d", pages)); err != nil {
		t.Fatal(err)
	}
}

// Impatient makes the store wait for no other writer.
func (s *SQLite) Impatient(t *testing.T) {
	t.Helper()
	s.wait = time.Millisecond
}
