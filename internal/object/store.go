package object

import (
	"context"
	"errors"
	"iter"
)

// Store keeps objects in versions. Package store has one in a file and one that is
// shared. Its methods may be called from several goroutines.
type Store interface {
	// Get returns the newest version of each object asked for that is stored, by id.
	// What it returns has passed Check; an error that wraps ErrDamaged says that
	// the store holds what has not.
	Get(ctx context.Context, q Query) (map[string]Object, error)
	// History returns an object's versions with their content, oldest first.
	History(ctx context.Context, id string) ([]Version, error)
	// Deleted returns those of some files that are deleted, by their Life.
	Deleted(ctx context.Context, ids []string) (map[string]bool, error)
	// EverActive returns the objects that are, or were once, in a session's active_set. The
	// id is that of the session's document.
	EverActive(ctx context.Context, session string) (map[string]bool, error)
	// Runs returns the runs that are done, oldest first: those of one session, or
	// all where session is "".
	Runs(ctx context.Context, session string) ([]Run, error)
	// Put writes a run's objects and marks the run done. When it returns nil they are
	// there for good; when it does not, the run is not done. Objects become versions
	// in the order they come in; ErrConflict when an expectation does not hold.
	Put(ctx context.Context, w Write) error
	Close() error
}

// Query says which objects are wanted.
type Query struct {
	IDs []string
	// Run is the id of the run as of whose end they are wanted, "" for now.
	Run string
	// Content says that their content is wanted too.
	Content bool
}

// Version is an object as one run left it.
type Version struct {
	Object Object
	// Run is the id of the run that wrote it, "" where the store cannot tell.
	Run string
}

// Run is one writing to a store. A run that handed an archive to the assistant is
// what a later one is compared with.
type Run struct {
	// ID is unique in the store: the workflow run and its attempt, or any name.
	ID string `json:"id"`
	// Session is the id of the session, without "session:".
	Session string `json:"session"`
	// Commit is what was packed, "" where there is none.
	Commit string `json:"commit"`
	// Handed says that an archive was handed over.
	Handed bool `json:"handed"`
}

// Write is what one Put writes.
type Write struct {
	Run Run
	// Objects are those that change. An error of the sequence stops the writing, and
	// the run is not done.
	Objects iter.Seq2[Object, error]
	// Expect tells by id what is the newest version of an object, nil for none. It is
	// checked together with the writing of the object.
	Expect map[string]Object
}

// What a Store's errors wrap.
var (
	// ErrConflict: somebody else wrote in between. Read again, and write again.
	ErrConflict = errors.New("somebody else wrote to the session meanwhile")
	// ErrRunExists: the run is done already, and a run is written once.
	ErrRunExists = errors.New("this run is in the store already")
	// ErrNoRun: the store has no such run.
	ErrNoRun = errors.New("the store has no such run")
	// ErrEvicted: the hashes of a content are kept, and the content is not.
	ErrEvicted = errors.New("its content is no longer kept (evicted): the store has its hashes alone")
)
