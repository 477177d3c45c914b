package repo

import (
	"context"
	"errors"
)

// Request asks for one commit of a repository elsewhere.
type Request struct {
	// URL is an http or https address, a file address or a local path.
	URL string
	// Token is sent only when the address's host is Host, never elsewhere.
	Token string
	Host  string
	// SHA is a full commit id; else Ref a branch, a tag or a full reference
	// name; both empty mean the remote's HEAD.
	SHA string
	Ref string
	// Dir is an empty or absent folder for the private bare store, or the one
	// of an earlier Fetch.
	Dir string
}

// Fetch gets one commit at depth 1 into a private bare store.
func Fetch(ctx context.Context, q Request) (*Repository, Commit, error) {
	return nil, Commit{}, errors.New("fetching: not built yet")
}
