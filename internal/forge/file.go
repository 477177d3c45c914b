package forge

import (
	"context"
	"errors"
	"fmt"
)

// File returns a file of the repository's default branch, of at most so many bytes. A link
// within the repository is followed by the API. It returns ErrNotFound where there is no
// such file, or no such repository.
func (c *Client) File(ctx context.Context, name string, most int) ([]byte, error) {
	doing := func(err error) ([]byte, error) {
		return nil, fmt.Errorf("reading %s of %s/%s: %w", name, c.owner, c.repo, err)
	}
	file, _, _, err := c.api.Repositories.GetContents(ctx, c.owner, c.repo, name, nil)
	switch {
	case err != nil:
		return doing(c.words(err))
	case file == nil || file.GetType() != "file":
		return doing(ErrNoFile)
	case file.GetSize() > most:
		return doing(fmt.Errorf("%w: %d bytes, allowed are %d", ErrNoFile, file.GetSize(), most))
	}
	text, err := file.GetContent()
	switch {
	case err != nil:
		return doing(fmt.Errorf("the API's answer holds no content: %w", err))
	case len(text) > most:
		return doing(fmt.Errorf("%w: %d bytes, allowed are %d", ErrNoFile, len(text), most))
	}
	return []byte(text), nil
}

// ErrNoFile is what stands where a file is wanted and is none, or is larger than one may be.
var ErrNoFile = errors.New("no file that is read")
