package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// packer compresses contents. It is made once: its tables are large.
var packer = sync.OnceValue(func() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(1))
	if err != nil { // no option is wrong
		return nil
	}
	return e
})

// squeeze returns a content as it is stored.
func squeeze(text string) []byte {
	return packer().EncodeAll([]byte(text), make([]byte, 0, len(text)/3+64))
}

// unsqueeze returns the content of so many bytes. A stored one is not believed.
func unsqueeze(body []byte, size int64) (string, error) {
	if size < 0 || size > maxValue {
		return "", fmt.Errorf("it claims %d bytes", size)
	}
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(size)+1<<10), zstd.WithDecoderMaxWindow(maxValue))
	if err != nil {
		return "", err
	}
	defer d.Close()
	text, err := d.DecodeAll(body, make([]byte, 0, min(size, 1<<20)))
	if err == nil && int64(len(text)) != size {
		err = fmt.Errorf("it has %d bytes, and claims %d", len(text), size)
	}
	return string(text), err
}

// upgrade brings a database of schema 1 to this one. There contents of files were not kept
// beside their hashes: those are evicted.
func upgrade(ctx context.Context, c *sql.Conn) error {
	for _, q := range []string{
		`ALTER TABLE content RENAME TO content_1`,
		schema[contentTable],
		`INSERT INTO content (hash, size, body) SELECT DISTINCT content_hash, 0, NULL FROM version WHERE content_hash IS NOT NULL`,
	} {
		if _, err := c.ExecContext(ctx, q); err != nil {
			return err
		}
	}
	for after := int64(-1); ; {
		var hash, body []byte
		err := c.QueryRowContext(ctx, `SELECT n, hash, body FROM content_1 WHERE n > ? ORDER BY n LIMIT 1`, after).Scan(&after, &hash, &body)
		if errors.Is(err, sql.ErrNoRows) {
			break
		}
		if err != nil {
			return err
		}
		if _, err := c.ExecContext(ctx, `UPDATE content SET size = ?, body = ? WHERE hash = ?`, len(body), squeeze(string(body)), hash); err != nil {
			return err
		}
	}
	for _, q := range []string{`DROP TABLE content_1`, fmt.Sprintf("PRAGMA user_version = %d", schemaVersion)} {
		if _, err := c.ExecContext(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// contentTable is the place of content in schema.
const contentTable = 3

// evict lets contents go until all that are stored are within the limit, and returns how many.
// First go those that no newest version needs, then those that no session has active or pinned,
// then all others of files and toolcalls; of the oldest run first. What a chat or a system
// prompt says last stays.
func (p *putter) evict(ctx context.Context) (evicted int, err error) {
	if p.limit <= 0 {
		return 0, nil
	}
	var total int64
	if err := p.c.QueryRowContext(ctx, `SELECT coalesce(sum(length(body)), 0) FROM content`).Scan(&total); err != nil || total <= p.limit {
		return 0, err
	}
	// need is 3 for what must stay, 2 for what is active or pinned, 1 for a newest version.
	rows, err := p.c.QueryContext(ctx, `SELECT c.n, length(c.body), max(CASE
		WHEN v.n < (SELECT max(n) FROM version WHERE object = v.object) THEN 0
		WHEN o.type NOT IN ('file', 'toolcall') THEN 3
		WHEN a.object IS NOT NULL THEN 2
		ELSE 1 END) AS need, max(v.run) AS newest
		FROM content c JOIN version v ON v.content_hash = c.hash JOIN object o ON o.n = v.object
		LEFT JOIN (SELECT DISTINCT object FROM member WHERE until IS NULL AND level & 6 != 0) a ON a.object = v.object
		WHERE c.body IS NOT NULL GROUP BY c.n HAVING need < 3 ORDER BY need, newest, c.n`)
	if err != nil {
		return 0, err
	}
	var gone []int64
	for rows.Next() && total > p.limit {
		var n, size int64
		var need, newest int64
		if err := rows.Scan(&n, &size, &need, &newest); err != nil {
			return 0, errors.Join(err, rows.Close())
		}
		gone, total = append(gone, n), total-size
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return 0, err
	}
	for _, n := range gone {
		if _, err := p.c.ExecContext(ctx, `UPDATE content SET body = NULL WHERE n = ?`, n); err != nil {
			return 0, err
		}
	}
	return len(gone), nil
}

// Evicted is how many contents the Puts of this store let go to stay within the limit.
func (s *SQLite) Evicted() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.evicted
}
