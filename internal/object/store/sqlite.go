package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"

	sqlite "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/haversack-dev/haversack/internal/object"
)

const (
	applicationID = 0x4876536b // "HvSk"
	schemaVersion = 2
	defaultMax    = 1 << 30
	// maxValue bounds a value in a database, in bytes: a content, or a chat as JSON, where
	// a control character takes six bytes.
	maxValue = 6*object.MaxContent + 1<<20
	// maxKeys bounds all that a row holds beside its value, in bytes.
	maxKeys = 1 << 20
	// maxRuns bounds the runs that are read.
	maxRuns = 1_000_000
	// busy is how long a database that another process writes to is waited for.
	busy = 10 * time.Second
)

// schema is compared with what a database holds, so it is written once and never edited:
// a change is a new version.
var schema = []string{
	`CREATE TABLE run (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session TEXT NOT NULL, commit_id TEXT NOT NULL, handed INTEGER NOT NULL)`,
	`CREATE TABLE object (n INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, type TEXT NOT NULL, filesystem TEXT, path TEXT)`,
	`CREATE TABLE version (object INTEGER NOT NULL, n INTEGER NOT NULL, run INTEGER NOT NULL, file_hash BLOB, content_hash BLOB, object_hash BLOB NOT NULL, char_count INTEGER, fields TEXT, PRIMARY KEY (object, n)) WITHOUT ROWID`,
	`CREATE TABLE content (n INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, size INTEGER NOT NULL, body BLOB)`,
	`CREATE TABLE member (session INTEGER NOT NULL, pos INTEGER NOT NULL, object INTEGER NOT NULL, level INTEGER NOT NULL, since INTEGER NOT NULL, until INTEGER, PRIMARY KEY (session, pos, since)) WITHOUT ROWID`,
	`CREATE VIEW file_version AS SELECT o.path, r.id AS run, r.commit_id, v.n, lower(hex(v.file_hash)) AS file_hash, v.char_count FROM version v JOIN object o ON o.n = v.object JOIN run r ON r.seq = v.run WHERE o.type = 'file'`,
}

// notOurs says why a database is set aside.
type notOurs string

func (e notOurs) Error() string { return string(e) }

// prepare makes the schema in an empty database, and sees to it that another is ours.
func prepare(ctx context.Context, db *sql.DB) error {
	c, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := sqlite.Limit(c, sqlite3.SQLITE_LIMIT_LENGTH, maxValue+1<<20); err != nil {
		return err
	}
	if _, err := sqlite.Limit(c, sqlite3.SQLITE_LIMIT_ATTACHED, 0); err != nil {
		return err
	}
	var mode string
	if err := c.QueryRowContext(ctx, `PRAGMA journal_mode = DELETE`).Scan(&mode); err != nil {
		return err
	}
	return transact(ctx, c, func() error {
		var id, version, tables int
		for pragma, to := range map[string]*int{"application_id": &id, "user_version": &version} {
			if err := c.QueryRowContext(ctx, "PRAGMA "+pragma).Scan(to); err != nil {
				return err
			}
		}
		if err := c.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema`).Scan(&tables); err != nil {
			return err
		}
		switch {
		case id == 0 && version == 0 && tables == 0:
			for _, q := range append(schema, fmt.Sprintf("PRAGMA application_id = %d", applicationID), fmt.Sprintf("PRAGMA user_version = %d", schemaVersion)) {
				if _, err := c.ExecContext(ctx, q); err != nil {
					return err
				}
			}
			return nil
		case id != applicationID:
			return notOurs("it is a database of another program")
		case version > schemaVersion:
			return notOurs(fmt.Sprintf("a newer version of haversack made it (schema %d, this one knows %d)", version, schemaVersion))
		case version == 1:
			if err := upgrade(ctx, c); err != nil {
				return err
			}
		case version != schemaVersion:
			return notOurs(fmt.Sprintf("its schema %d is unknown", version))
		}
		if err := sameSchema(ctx, c); err != nil {
			return err
		}
		if err := smallRows(ctx, c); err != nil {
			return err
		}
		var verdict string
		if err := c.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&verdict); err != nil {
			return err
		}
		if verdict != "ok" {
			return notOurs("it is damaged")
		}
		return nil
	})
}

// sameSchema refuses a database that holds anything beside our tables.
func sameSchema(ctx context.Context, c *sql.Conn) error {
	rows, err := c.QueryContext(ctx, `SELECT coalesce(substr(sql, 1, 2000), '') FROM sqlite_schema ORDER BY rowid LIMIT 100`)
	if err != nil {
		return err
	}
	defer rows.Close()
	var have []string
	for rows.Next() {
		var q string
		if err := rows.Scan(&q); err != nil {
			return err
		}
		if q != "" { // indexes of UNIQUE and PRIMARY KEY have no text
			have = append(have, q)
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	want := slices.Clone(schema)
	slices.Sort(have) // a database that was made by schema 1 has them in another order
	slices.Sort(want)
	if !slices.Equal(have, want) {
		return notOurs("its tables are not those of haversack")
	}
	return nil
}

// largeRows ask of each table whether a row has a value of more than ?1 bytes, or more than ?2 of all else. Lengths are read without the values.
var largeRows = []struct{ table, query string }{
	{"run", `SELECT EXISTS (SELECT 1 FROM run WHERE ?1 IS NULL OR coalesce(octet_length(seq), 0) + coalesce(octet_length(id), 0) + coalesce(octet_length(session), 0) + coalesce(octet_length(commit_id), 0) + coalesce(octet_length(handed), 0) > ?2)`},
	{"object", `SELECT EXISTS (SELECT 1 FROM object WHERE ?1 IS NULL OR coalesce(octet_length(n), 0) + coalesce(octet_length(id), 0) + coalesce(octet_length(type), 0) + coalesce(octet_length(filesystem), 0) + coalesce(octet_length(path), 0) > ?2)`},
	{"version", `SELECT EXISTS (SELECT 1 FROM version WHERE coalesce(octet_length(fields), 0) > ?1 OR coalesce(octet_length(object), 0) + coalesce(octet_length(n), 0) + coalesce(octet_length(run), 0) + coalesce(octet_length(file_hash), 0) + coalesce(octet_length(content_hash), 0) + coalesce(octet_length(object_hash), 0) + coalesce(octet_length(char_count), 0) > ?2)`},
	{"content", `SELECT EXISTS (SELECT 1 FROM content WHERE coalesce(octet_length(body), 0) > ?1 OR coalesce(octet_length(n), 0) + coalesce(octet_length(hash), 0) + coalesce(octet_length(size), 0) > ?2)`},
	{"member", `SELECT EXISTS (SELECT 1 FROM member WHERE ?1 IS NULL OR coalesce(octet_length(session), 0) + coalesce(octet_length(pos), 0) + coalesce(octet_length(object), 0) + coalesce(octet_length(level), 0) + coalesce(octet_length(since), 0) + coalesce(octet_length(until), 0) > ?2)`},
}

// smallRows refuses a database with a row that no run wrote: SQLite compares keys in memory, and a commit can hold any database.
func smallRows(ctx context.Context, c *sql.Conn) error {
	for _, t := range largeRows {
		var large bool
		if err := c.QueryRowContext(ctx, t.query, maxValue, maxKeys).Scan(&large); err != nil {
			return err
		}
		if large {
			return notOurs("a row of its table " + t.table + " is larger than any that haversack writes")
		}
	}
	return nil
}

// transact runs f between BEGIN IMMEDIATE and COMMIT.
func transact(ctx context.Context, c *sql.Conn, f func() error) error {
	if _, err := c.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	err := f()
	if err == nil {
		_, err = c.ExecContext(ctx, "COMMIT")
	}
	if err != nil {
		// The transaction ends even where the caller has given up.
		if _, rerr := c.ExecContext(context.WithoutCancel(ctx), "ROLLBACK"); rerr != nil {
			// A connection whose transaction is in doubt is not used again.
			c.Raw(func(any) error { return driver.ErrBadConn })
		}
	}
	return err
}

// explain says what a user can do about an error of SQLite's, or of the system's.
func explain(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("there is no space left for it: %w", err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("it cannot be written: %w", err)
	}
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_NOTADB:
		return notOurs("it is not a database")
	case sqlite3.SQLITE_CORRUPT:
		return notOurs("it is damaged")
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return fmt.Errorf("another process is writing to it: %w", err)
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("there is no space left for it: %w", err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN:
		return fmt.Errorf("it cannot be written: %w", err)
	}
	return err
}

// readError marks damage that was met while reading or writing.
func readError(err error) error {
	err = explain(err)
	var reason notOurs
	if errors.As(err, &reason) {
		return fmt.Errorf("%w: the session database: %w", object.ErrDamaged, err)
	}
	return err
}

// key is how an id is kept: 32 bytes of a file's, the text of others.
func key(id string) any {
	if len(id) == 64 {
		if b, err := hex.DecodeString(id); err == nil && hex.EncodeToString(b) == id {
			return b
		}
	}
	return id
}

func keyID(v any) (string, error) {
	switch v := v.(type) {
	case []byte:
		if len(v) == 32 {
			return hex.EncodeToString(v), nil
		}
	case string:
		if _, isFile := key(v).([]byte); !isFile && len(v) <= object.MaxID {
			return v, nil
		}
	}
	return "", fmt.Errorf("%w: an object's id is neither 32 bytes nor text", object.ErrDamaged)
}

func hashBytes(h *string) (any, error) {
	if h == nil {
		return nil, nil
	}
	b, err := hex.DecodeString(*h)
	return b, err
}

func hashText(b []byte) (*string, error) {
	if b == nil {
		return nil, nil
	}
	if len(b) != 32 {
		return nil, fmt.Errorf("%w: a hash of %d bytes", object.ErrDamaged, len(b))
	}
	s := hex.EncodeToString(b)
	return &s, nil
}

// Put implements object.Store: one transaction.
func (s *SQLite) Put(ctx context.Context, w object.Write) error {
	if err := object.CheckRun(w.Run); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.change(ctx, func(c *sql.Conn) error { return s.put(ctx, c, w) })
	if err != nil {
		return fmt.Errorf("writing run %q: %w", w.Run.ID, readError(err))
	}
	return nil
}

func (s *SQLite) put(ctx context.Context, c *sql.Conn, w object.Write) error {
	var n int
	if err := c.QueryRowContext(ctx, `SELECT count(*) FROM run WHERE id = ?`, w.Run.ID).Scan(&n); err != nil {
		return err
	}
	if n > 0 {
		return object.ErrRunExists
	}
	for id, want := range w.Expect {
		var have []byte
		err := c.QueryRowContext(ctx, `SELECT v.object_hash FROM object o JOIN version v ON v.object = o.n WHERE o.id = ? ORDER BY v.n DESC LIMIT 1`, key(id)).Scan(&have)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if want == nil && have != nil || want != nil && hex.EncodeToString(have) != object.HeadOf(want).ObjectHash {
			return object.ErrConflict
		}
	}
	res, err := c.ExecContext(ctx, `INSERT INTO run (id, session, commit_id, handed) VALUES (?, ?, ?, ?)`, w.Run.ID, w.Run.Session, w.Run.Commit, w.Run.Handed)
	if err != nil {
		return err
	}
	run, err := res.LastInsertId()
	if err != nil {
		return err
	}
	p := &putter{c: c, run: run, keep: s.keep, limit: s.limit, written: map[string]int64{}}
	defer p.close()
	if err := p.prepare(ctx); err != nil {
		return err
	}
	for o, err := range w.Objects {
		if err != nil {
			return err
		}
		if err := p.object(ctx, p.kept(o)); err != nil {
			return err
		}
	}
	evicted, err := p.evict(ctx)
	s.evicted += evicted
	return err
}

// kept is an object as it is stored: of a file whose content is not, content and its hash are
// both null.
func (p *putter) kept(o object.Object) object.Object {
	f, ok := o.(*object.File)
	if !ok || f.ContentHash == nil || f.Content != nil && p.keep > 0 && int64(len(*f.Content)) <= p.keep {
		return o
	}
	return f.WithoutContent()
}

// putter writes the objects of one run.
type putter struct {
	c    *sql.Conn
	run  int64
	keep int64
	// limit bounds the bytes of all contents as they are stored, 0 for none.
	limit int64

	newObject, findObject, newVersion, nextVersion, newContent, newMember *sql.Stmt
	// written are the rows of the objects met so far.
	written  map[string]int64
	sessions map[string]bool
}

func (p *putter) prepare(ctx context.Context) error {
	for _, q := range []struct {
		to  **sql.Stmt
		sql string
	}{
		{&p.newObject, `INSERT OR IGNORE INTO object (id, type, filesystem, path) VALUES (?, ?, ?, ?)`},
		{&p.findObject, `SELECT n, type FROM object WHERE id = ?`},
		{&p.newVersion, `INSERT INTO version (object, n, run, file_hash, content_hash, object_hash, char_count, fields) VALUES (?, 1, ?, ?, ?, ?, ?, ?)`},
		{&p.nextVersion, `INSERT INTO version (object, n, run, file_hash, content_hash, object_hash, char_count, fields) VALUES (?1, (SELECT coalesce(max(n), 0) + 1 FROM version WHERE object = ?1), ?2, ?3, ?4, ?5, ?6, ?7)`},
		{&p.newContent, `INSERT INTO content (hash, size, body) VALUES (?1, ?2, ?3) ON CONFLICT (hash) DO UPDATE SET body = ?3 WHERE body IS NULL`},
		{&p.newMember, `INSERT INTO member (session, pos, object, level, since) VALUES (?, ?, ?, ?, ?)`},
	} {
		st, err := p.c.PrepareContext(ctx, q.sql)
		if err != nil {
			return err
		}
		*q.to = st
	}
	return nil
}

func (p *putter) close() {
	for _, st := range []*sql.Stmt{p.newObject, p.findObject, p.newVersion, p.nextVersion, p.newContent, p.newMember} {
		if st != nil {
			st.Close()
		}
	}
}

func (p *putter) object(ctx context.Context, o object.Object) error {
	h := object.HeadOf(o)
	if len(h.ID) > object.MaxID {
		return fmt.Errorf("an id of %d bytes is longer than %d", len(h.ID), object.MaxID)
	}
	var filesystem, path any
	if h.Source != nil {
		filesystem, path = h.Source.FilesystemID, h.Source.Path
	}
	res, err := p.newObject.ExecContext(ctx, key(h.ID), string(h.Type), filesystem, path)
	if err != nil {
		return err
	}
	added, err := res.RowsAffected()
	if err != nil {
		return err
	}
	var n int64
	insert := p.newVersion
	if added == 1 {
		if n, err = res.LastInsertId(); err != nil {
			return err
		}
	} else {
		insert = p.nextVersion
		var kind string
		if err := p.findObject.QueryRowContext(ctx, key(h.ID)).Scan(&n, &kind); err != nil {
			return err
		}
		if kind != string(h.Type) {
			return fmt.Errorf("object %q is a %s and cannot become a %s", h.ID, kind, h.Type)
		}
	}
	p.written[h.ID] = n

	fileHash, err := hashBytes(h.FileHash)
	if err != nil {
		return err
	}
	contentHash, err := hashBytes(h.ContentHash)
	if err != nil {
		return err
	}
	objectHash, err := hashBytes(&h.ObjectHash)
	if err != nil {
		return err
	}
	var count, fields any
	if f, ok := o.(*object.File); ok {
		count = f.CharCount
	} else {
		b, err := fieldsOf(o)
		if err != nil {
			return err
		}
		fields = string(b)
	}
	if _, err := insert.ExecContext(ctx, n, p.run, fileHash, contentHash, objectHash, count, fields); err != nil {
		return err
	}
	if h.Content != nil {
		if len(*h.Content) > maxValue {
			return fmt.Errorf("the content of %q is larger than %d bytes", h.ID, maxValue)
		}
		if _, err := p.newContent.ExecContext(ctx, contentHash, len(*h.Content), squeeze(*h.Content)); err != nil {
			return err
		}
	}
	if session, ok := o.(*object.Session); ok {
		if p.sessions[h.ID] {
			return fmt.Errorf("session %q is written twice in one run", h.ID)
		}
		if p.sessions == nil {
			p.sessions = map[string]bool{}
		}
		p.sessions[h.ID] = true
		return p.members(ctx, n, session)
	}
	return nil
}

// fieldsOf returns the JSON of what is not in columns of its own.
func fieldsOf(o object.Object) ([]byte, error) {
	switch o := o.(type) {
	case *object.Toolcall:
		c := *o
		c.Content = nil
		return object.Encode(&c)
	case *object.Chat:
		c := *o
		c.Content = nil
		return object.Encode(&c)
	case *object.SystemPrompt:
		c := *o
		c.Content = nil
		return object.Encode(&c)
	case *object.Session:
		c := *o
		c.SessionIndex, c.MetadataPool, c.ActiveSet, c.PinnedSet = nil, nil, nil, nil
		return object.Encode(&c)
	}
	return nil, fmt.Errorf("no fields of %T", o)
}

// The levels of a member.
const (
	levelPool = 1 << iota
	levelActive
	levelPinned
)

type member struct {
	object int64
	level  int
	since  int64
}

// members brings the rows of a session's sets to what the document says.
func (p *putter) members(ctx context.Context, session int64, o *object.Session) error {
	var old []member
	rows, err := p.c.QueryContext(ctx, `SELECT object, level, since FROM member WHERE session = ? AND until IS NULL ORDER BY pos`, session)
	if err != nil {
		return err
	}
	for rows.Next() {
		var m member
		if err := rows.Scan(&m.object, &m.level, &m.since); err != nil {
			rows.Close()
			return err
		}
		old = append(old, m)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	pool, active, pinned := o.MetadataPool, o.ActiveSet, o.PinnedSet
	// The three are in the order of the index: each is walked along with it.
	next := func(set *[]string, id string, level int) int {
		if len(*set) > 0 && (*set)[0] == id {
			*set = (*set)[1:]
			return level
		}
		return 0
	}
	for pos, id := range o.SessionIndex {
		level := next(&pool, id, levelPool) | next(&active, id, levelActive) | next(&pinned, id, levelPinned)
		if pos < len(old) {
			was := old[pos]
			if was.level == level {
				continue
			}
			if _, err := p.c.ExecContext(ctx, `UPDATE member SET until = ? WHERE session = ? AND pos = ? AND until IS NULL`, p.run, session, pos); err != nil {
				return err
			}
			if _, err := p.newMember.ExecContext(ctx, session, pos, was.object, level, p.run); err != nil {
				return err
			}
			continue
		}
		n, ok := p.written[id]
		if !ok {
			var kind string
			err := p.findObject.QueryRowContext(ctx, key(id)).Scan(&n, &kind)
			if errors.Is(err, sql.ErrNoRows) {
				return fmt.Errorf("session_index holds %q, which is not stored", id)
			}
			if err != nil {
				return err
			}
		}
		if _, err := p.newMember.ExecContext(ctx, session, pos, n, level, p.run); err != nil {
			return err
		}
	}
	if len(pool)+len(active)+len(pinned) > 0 || len(o.SessionIndex) < len(old) {
		return errors.New("the session's sets are not parts of its index, or the index has shrunk")
	}
	return nil
}

// Runs implements object.Store.
func (s *SQLite) Runs(ctx context.Context, session string) ([]object.Run, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	rows, err := s.db.QueryContext(ctx, `SELECT id, session, commit_id, handed FROM run WHERE ?1 = '' OR session = ?1 ORDER BY seq`, session)
	if err != nil {
		return nil, readError(err)
	}
	defer rows.Close()
	var out []object.Run
	for rows.Next() {
		var r object.Run
		if err := rows.Scan(&r.ID, &r.Session, &r.Commit, &r.Handed); err != nil {
			return nil, fmt.Errorf("%w: %w", object.ErrDamaged, err)
		}
		if err := object.CheckRun(r); err != nil {
			return nil, fmt.Errorf("%w: %w", object.ErrDamaged, err)
		}
		if out = append(out, r); len(out) > maxRuns {
			return nil, fmt.Errorf("%w: more than %d runs", object.ErrDamaged, maxRuns)
		}
	}
	return out, readError(rows.Err())
}

// row is a version as it lies in the tables.
type row struct {
	n                                 int64
	id                                string
	kind                              string
	filesystem, path, fields          sql.NullString
	run                               int64
	fileHash, contentHash, objectHash *string
	count                             sql.NullInt64
}

const columns = `o.n, o.id, o.type, o.filesystem, o.path, v.run, v.file_hash, v.content_hash, v.object_hash, v.char_count, v.fields`

// scan takes a row in. The driver's bytes are not kept: there are many rows.
func (r *row) scan(rows *sql.Rows) error {
	var id any
	var file, content, whole sql.RawBytes
	if err := rows.Scan(&r.n, &id, &r.kind, &r.filesystem, &r.path, &r.run, &file, &content, &whole, &r.count, &r.fields); err != nil {
		return fmt.Errorf("%w: %w", object.ErrDamaged, err)
	}
	var err error
	if r.id, err = keyID(id); err != nil {
		return err
	}
	for _, h := range []struct {
		to   **string
		from []byte
	}{{&r.fileHash, file}, {&r.contentHash, content}, {&r.objectHash, whole}} {
		if *h.to, err = hashText(h.from); err != nil {
			return err
		}
	}
	if r.objectHash == nil {
		return fmt.Errorf("%w: %q has no object_hash", object.ErrDamaged, r.id)
	}
	return nil
}

// Get implements object.Store.
func (s *SQLite) Get(ctx context.Context, q object.Query) (map[string]object.Object, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	until := int64(1<<62 - 1)
	if q.Run != "" {
		err := s.db.QueryRowContext(ctx, `SELECT seq FROM run WHERE id = ?`, q.Run).Scan(&until)
		if errors.Is(err, sql.ErrNoRows) {
			return nil, fmt.Errorf("run %q: %w", q.Run, object.ErrNoRun)
		}
		if err != nil {
			return nil, readError(err)
		}
	}
	found, err := s.rows(ctx, q.IDs, until)
	if err != nil {
		return nil, err
	}
	objects := make([]object.Object, len(found))
	restore := func(i int) (err error) {
		objects[i], err = s.object(ctx, &found[i], until, q.Content)
		return err
	}
	if q.Content || len(found) <= few {
		for i := range found {
			if err := restore(i); err != nil {
				return nil, err
			}
		}
	} else if err := parallel(len(found), restore); err != nil {
		// Making a file's object is hashing alone, and there are many.
		return nil, err
	}
	out := make(map[string]object.Object, len(found))
	for i, o := range objects {
		out[found[i].id] = o
	}
	return out, nil
}

// parallel calls f for 0 to n-1, on all processors, and returns the error of the lowest.
func parallel(n int, f func(int) error) error {
	workers := min(runtime.GOMAXPROCS(0), n)
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w * n / workers; i < (w+1)*n/workers && errs[w] == nil; i++ {
				errs[w] = f(i)
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// few is up to how many objects are looked up one by one; more are picked from a walk
// through the table.
const few = 500

// rows returns the newest version up to a run of each object.
func (s *SQLite) rows(ctx context.Context, ids []string, until int64) ([]row, error) {
	var out []row
	if len(ids) <= few {
		st, err := s.db.PrepareContext(ctx, `SELECT `+columns+` FROM object o JOIN version v ON v.object = o.n WHERE o.id = ? AND v.run <= ? ORDER BY v.n DESC LIMIT 1`)
		if err != nil {
			return nil, readError(err)
		}
		defer st.Close()
		seen := map[string]bool{}
		for _, id := range ids {
			if seen[id] {
				continue
			}
			seen[id] = true
			rows, err := st.QueryContext(ctx, key(id), until)
			if err != nil {
				return nil, readError(err)
			}
			for rows.Next() {
				var r row
				if err := r.scan(rows); err != nil {
					rows.Close()
					return nil, err
				}
				out = append(out, r)
			}
			if err := errors.Join(rows.Err(), rows.Close()); err != nil {
				return nil, readError(err)
			}
		}
		return out, nil
	}
	wanted := make(map[string]bool, len(ids))
	for _, id := range ids {
		wanted[id] = true
	}
	rows, err := s.db.QueryContext(ctx, `SELECT `+columns+` FROM version v JOIN object o ON o.n = v.object WHERE v.run <= ? ORDER BY v.object, v.n`, until)
	if err != nil {
		return nil, readError(err)
	}
	defer rows.Close()
	out = make([]row, 0, len(ids))
	for rows.Next() {
		var r row
		if err := r.scan(rows); err != nil {
			return nil, err
		}
		if last := len(out) - 1; last >= 0 && out[last].n == r.n {
			out[last] = r
			continue
		}
		if wanted[r.id] {
			out = append(out, r)
		}
	}
	return out, readError(rows.Err())
}

// object makes the object of a row, and checks it.
func (s *SQLite) object(ctx context.Context, r *row, until int64, content bool) (object.Object, error) {
	o, err := object.New(object.Type(r.kind))
	if err != nil {
		return nil, err
	}
	h := object.HeadOf(o)
	if f, ok := o.(*object.File); ok {
		src := object.Filesystem(r.filesystem.String, r.path.String)
		f.Source, f.FileType, f.CharCount = &src, object.FileType(src.Path), int(r.count.Int64)
	} else if err := json.Unmarshal([]byte(r.fields.String), o); err != nil {
		return nil, fmt.Errorf("%w: %w", object.ErrDamaged, err)
	}
	h.Type, h.FileHash, h.ContentHash, h.Content = object.Type(r.kind), r.fileHash, r.contentHash, nil
	if content && h.ContentHash != nil {
		hash, err := hashBytes(h.ContentHash)
		if err != nil {
			return nil, err
		}
		var body []byte
		var size int64
		err = s.db.QueryRowContext(ctx, `SELECT size, body FROM content WHERE hash = ?`, hash).Scan(&size, &body)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return nil, readError(err)
		}
		if err == nil && body != nil {
			text, err := unsqueeze(body, size)
			if err != nil {
				return nil, fmt.Errorf("%w: the content of %q: %w", object.ErrDamaged, r.id, err)
			}
			h.Content = &text
		}
	}
	if session, ok := o.(*object.Session); ok {
		if err := s.readMembers(ctx, r.n, min(until, r.run), session); err != nil {
			return nil, err
		}
	}
	return o, object.Restore(o, r.id, *r.objectHash)
}

// readMembers fills a session's sets as they were at the end of a run.
func (s *SQLite) readMembers(ctx context.Context, session, run int64, o *object.Session) error {
	rows, err := s.db.QueryContext(ctx, `SELECT m.pos, o.id, m.level FROM member m JOIN object o ON o.n = m.object WHERE m.session = ?1 AND m.since <= ?2 AND (m.until IS NULL OR m.until > ?2) ORDER BY m.pos`, session, run)
	if err != nil {
		return readError(err)
	}
	defer rows.Close()
	o.SessionIndex, o.MetadataPool, o.ActiveSet, o.PinnedSet = []string{}, []string{}, []string{}, []string{}
	for rows.Next() {
		var pos, level int
		var k any
		if err := rows.Scan(&pos, &k, &level); err != nil {
			return fmt.Errorf("%w: %w", object.ErrDamaged, err)
		}
		id, err := keyID(k)
		if err != nil {
			return err
		}
		if pos != len(o.SessionIndex) || pos == object.MaxIndex {
			return fmt.Errorf("%w: a session's members are not in a row, or too many", object.ErrDamaged)
		}
		o.SessionIndex = append(o.SessionIndex, id)
		for _, set := range []struct {
			level int
			to    *[]string
		}{{levelPool, &o.MetadataPool}, {levelActive, &o.ActiveSet}, {levelPinned, &o.PinnedSet}} {
			if level&set.level != 0 {
				*set.to = append(*set.to, id)
			}
		}
	}
	return readError(rows.Err())
}

// History implements object.Store.
func (s *SQLite) History(ctx context.Context, id string) ([]object.Version, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	rows, err := s.db.QueryContext(ctx, `SELECT `+columns+` FROM object o JOIN version v ON v.object = o.n WHERE o.id = ? ORDER BY v.n`, key(id))
	if err != nil {
		return nil, readError(err)
	}
	var found []row
	for rows.Next() {
		var r row
		if err := r.scan(rows); err != nil {
			rows.Close()
			return nil, err
		}
		found = append(found, r)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return nil, readError(err)
	}
	var out []object.Version
	for i := range found {
		o, err := s.object(ctx, &found[i], found[i].run, true)
		if err != nil {
			return nil, err
		}
		var run string
		err = s.db.QueryRowContext(ctx, `SELECT id FROM run WHERE seq = ?`, found[i].run).Scan(&run)
		if err != nil {
			return nil, fmt.Errorf("%w: a version of %q is of no run: %w", object.ErrDamaged, id, err)
		}
		out = append(out, object.Version{Object: o, Run: run})
	}
	return out, nil
}

// Deleted implements object.Store.
func (s *SQLite) Deleted(ctx context.Context, ids []string) (map[string]bool, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	gone := map[string]bool{}
	if len(ids) > few {
		wanted := make(map[string]bool, len(ids))
		for _, id := range ids {
			wanted[id] = true
		}
		return gone, s.lives(ctx, wanted, gone, ``)
	}
	for _, id := range ids {
		if err := s.lives(ctx, map[string]bool{id: true}, gone, `WHERE o.id = ?`, key(id)); err != nil {
			return nil, err
		}
	}
	return gone, nil
}

// EverActive implements object.Store.
func (s *SQLite) EverActive(ctx context.Context, session string) (map[string]bool, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	rows, err := s.db.QueryContext(ctx, `SELECT DISTINCT o.id FROM member m JOIN object s ON s.n = m.session JOIN object o ON o.n = m.object WHERE s.id = ? AND m.level & ? != 0`, key(session), levelActive)
	if err != nil {
		return nil, readError(err)
	}
	defer rows.Close()
	out := map[string]bool{}
	for rows.Next() {
		var k any
		if err := rows.Scan(&k); err != nil {
			return nil, fmt.Errorf("%w: %w", object.ErrDamaged, err)
		}
		id, err := keyID(k)
		if err != nil {
			return nil, err
		}
		out[id] = true
	}
	return out, readError(rows.Err())
}

// lives adds to gone those of the wanted files whose last version says so.
func (s *SQLite) lives(ctx context.Context, wanted, gone map[string]bool, where string, args ...any) error {
	rows, err := s.db.QueryContext(ctx, `SELECT o.id, v.file_hash IS NOT NULL FROM version v JOIN object o ON o.n = v.object `+where+` ORDER BY v.object, v.n`, args...)
	if err != nil {
		return readError(err)
	}
	defer rows.Close()
	var last string
	var life object.Life
	for rows.Next() {
		var k any
		var hashed bool
		if err := rows.Scan(&k, &hashed); err != nil {
			return fmt.Errorf("%w: %w", object.ErrDamaged, err)
		}
		id, err := keyID(k)
		if err != nil {
			return err
		}
		if id != last {
			last, life = id, object.Unmet
		}
		if life = life.Next(hashed); wanted[id] {
			if delete(gone, id); life == object.Gone {
				gone[id] = true
			}
		}
	}
	return readError(rows.Err())
}
