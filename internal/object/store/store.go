// Package store keeps objects: in a SQLite file, or in an XTDB 1.x that others share.
//
// # The file
//
// One SQLite database, which the sqlite3 shell opens:
//
//	run      (seq, id, session, commit_id, handed)     the runs that are done
//	object   (n, id, type, filesystem, path)           id: 32 bytes of a file, text of others
//	version  (object, n, run, file_hash, content_hash, object_hash, char_count, fields)
//	content  (n, hash, size, body)                     each content once, compressed (zstd); evicted: body null
//	member   (session, pos, object, level, since, until)
//	file_version                                       a view of file, run and hash for reading
//
// A version is a row; fields holds the JSON of what is not a file. A session's sets are
// members: the index at pos, level 1 in the pool, 2 active, 4 pinned, from the run since
// to before the run until. application_id is "HvSk", user_version the schema's number.
//
// SQLite believes what lies beside a database, so it opens a copy in a private folder, and
// nothing beside the file is ever opened. One Put is one transaction on the copy of what the
// file holds then, under SQLite's own lock of the file; a synchronised copy takes the file's
// place in one step; of a batch, one copy with all of its Puts. A run is there wholly or not at all, whenever the program or the machine
// stops, and no run of another program is lost. Between two runs there is one file. Its mode
// is 0600.
//
// A database is not believed. It is opened with a bound on its size and on the length of a
// value; its schema is ours to the letter, so it holds no trigger, or it is foreign; each object
// read is checked against its hashes (object.ErrDamaged). A database that is damaged,
// foreign, or made by a newer version is renamed and never written to.
//
// # The shared store
//
// XTDB 1.x over HTTP (/_xtdb). Documents are those of package object, under their xt/id; the contents of files and toolcalls
// stand once in documents of their own, haversack:content:HASH, in parts where they are long, and can be evicted. A Put is one or
// more transactions of the run's objects, each with the document of the run, which a match
// guards: a transaction that was sent again after its answer got lost is refused, and what
// the document says tells whether the first one stood. A last transaction marks the run done.
// A version is as of a run's last transaction. Idempotent requests are tried again when
// the network or the server fails; waiting is await-tx, never a sleep.
package store

import (
	"context"
	"errors"
	"net/url"
	"os"
	"strings"

	"github.com/haversack-dev/haversack/internal/object"
)

// Options are those of Open. The zero value is usable.
type Options struct {
	// KeepFiles is the size in bytes up to which the store keeps a file's content, 0 for
	// none: of a file whose content is not kept, content and content_hash are both null.
	KeepFiles int64
	// KeepTotal bounds the bytes of all contents, as they are stored, 0
	// for no bound. What no version that is active, pinned or the newest needs goes first,
	// of the oldest runs first. In an XTDB, which others share, what is active or pinned stays.
	KeepTotal int64
	// Folder is the open folder that a file's location lies in, nil to open it by its
	// path. Nothing outside of it is reached.
	Folder *os.Root
	// Temp is a folder for a private copy of the file, where the system's own for
	// temporary files cannot be written.
	Temp string
	// MaxBytes bounds the size of a database that is opened, 0 for 1 GiB.
	MaxBytes int64
	// Authorization is the header that XTDB is sent, "" for none: Bearer TOKEN.
	Authorization string
}

// Open opens what location names: an http or https address is an XTDB, anything else is
// a file, which is made where it is absent. note is for the user: a sentence on a database that
// was set aside, else "".
func Open(ctx context.Context, location string, o Options) (st object.Store, note string, err error) {
	if IsAddress(location) {
		x, err := OpenXTDB(ctx, location, XTDBOptions{Authorization: o.Authorization, KeepFiles: o.KeepFiles, KeepTotal: o.KeepTotal})
		if err != nil {
			return nil, "", err
		}
		return x, "", nil
	}
	s, note, err := OpenSQLite(ctx, location, o)
	if err != nil {
		return nil, note, err
	}
	return s, note, nil
}

// IsAddress reports whether a store's location is an address and not a file.
func IsAddress(location string) bool {
	l := strings.ToLower(location)
	return strings.HasPrefix(l, "http://") || strings.HasPrefix(l, "https://")
}

// Place returns location as it may be printed: an address without its user and query.
func Place(location string) string {
	if !IsAddress(location) {
		return location
	}
	u, err := url.Parse(location)
	if err != nil {
		return "the XTDB address"
	}
	return u.Scheme + "://" + u.Host + u.EscapedPath()
}

// Session names a thread.
type Session struct {
	ID       string
	Resolver *object.Resolver
	Root     string // the folder, as the agent sees it, that paths are relative to
}

// Resume opens location and a session's thread in it. A database that turns out damaged is set
// aside and the thread begins anew; note says so. The caller closes the store.
func Resume(ctx context.Context, location string, o Options, s Session) (t *object.Thread, st object.Store, note string, err error) {
	st, note, err = Open(ctx, location, o)
	if err != nil {
		return nil, nil, note, err
	}
	t, err = object.Resume(ctx, st, s.ID, s.Resolver, s.Root)
	if err == nil {
		// What the last archive held is read now, so that damage in it is met while
		// there is still a way on.
		_, err = t.Handed(ctx)
	}
	if db, ok := st.(*SQLite); ok && errors.Is(err, object.ErrDamaged) {
		said, failed := db.anew(ctx, err.Error())
		if note != "" && said != "" {
			note += "; "
		}
		if note, err = note+said, failed; err == nil {
			t, err = object.Resume(ctx, st, s.ID, s.Resolver, s.Root)
		}
	}
	if err != nil {
		return nil, nil, note, errors.Join(err, st.Close())
	}
	return t, st, note, nil
}
