package forge

import (
	"context"
	"errors"
	"fmt"
	"net/url"
)

// Tip returns the commit that a branch of the repository stands at. The error
// is ErrNotFound when there is no such branch (any more).
func (c *Client) Tip(ctx context.Context, branch string) (string, error) {
	ref, _, err := c.api.Git.GetRef(ctx, c.owner, c.repo, "heads/"+url.PathEscape(branch))
	if err != nil {
		return "", fmt.Errorf("asking for the tip of branch %q: %w", branch, c.words(err))
	}
	if sha := ref.GetObject().GetSHA(); commitID.MatchString(sha) {
		return sha, nil
	}
	return "", fmt.Errorf("asking for the tip of branch %q: %w", branch, errors.New("the API named no commit"))
}
