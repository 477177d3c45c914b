package forge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-github/v60/github"

	"github.com/haversack-dev/haversack/internal/text"
)

// OwnerRepository is a repository of an organisation or a person.
type OwnerRepository struct {
	Name     string // owner/name
	Archived bool
	Topics   []string // in lower case
}

// ForOwner returns a client for the repositories of an organisation or a person, for Owned
// alone. Api and token are those of New.
func ForOwner(api, owner, token string) (*Client, error) {
	if !nameInURL.MatchString(owner) || strings.Trim(owner, ".") == "" {
		return nil, fmt.Errorf("owner %q: the name of an organisation or a person is wanted", text.Name(owner))
	}
	return newClient(api, owner, "", token)
}

const ownedPage = 100 // repositories of one answer, the most that the API gives

// Owned returns the repositories of the client's owner that the token may see, by name,
// where there are at most that many; an error where there are more, or where one that the
// API names is not the owner's. One that the API names twice, in whatever case, as it does
// where one is made meanwhile, is one.
func (c *Client) Owned(ctx context.Context, most int) ([]OwnerRepository, error) {
	list, err := c.owned(ctx, most)
	if err != nil {
		return nil, fmt.Errorf("listing the repositories of %s: %w", c.owner, err)
	}
	slices.SortStableFunc(list, func(a, b OwnerRepository) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return slices.CompactFunc(list, func(a, b OwnerRepository) bool { return strings.EqualFold(a.Name, b.Name) }), nil
}

func (c *Client) owned(ctx context.Context, most int) (list []OwnerRepository, err error) {
	organisation := true
	for page := 1; ; page++ {
		options := github.ListOptions{Page: page, PerPage: ownedPage}
		var got []*github.Repository
		var resp *github.Response
		if organisation {
			got, resp, err = c.api.Repositories.ListByOrg(ctx, c.owner, &github.RepositoryListByOrgOptions{Type: "all", Sort: "full_name", ListOptions: options})
			if err = c.words(err); errors.Is(err, ErrNotFound) && page == 1 {
				organisation = false
			}
		}
		if !organisation {
			got, resp, err = c.api.Repositories.ListByUser(ctx, c.owner, &github.RepositoryListByUserOptions{Type: "owner", Sort: "full_name", ListOptions: options})
			err = c.words(err)
		}
		if err != nil {
			return nil, err
		}
		for _, r := range got {
			owner, name, _ := strings.Cut(r.GetFullName(), "/")
			if !strings.EqualFold(owner, c.owner) || !nameInURL.MatchString(name) || strings.Trim(name, ".") == "" {
				return nil, fmt.Errorf("the API names %s, which is none", text.QuotedAnswer([]byte(r.GetFullName()), c.token))
			}
			list = append(list, OwnerRepository{r.GetFullName(), r.GetArchived(), r.Topics})
		}
		switch {
		case len(list) > most:
			return nil, fmt.Errorf("there are more than %d", most)
		case resp.NextPage == 0:
			return list, nil
		case resp.NextPage != page+1 || len(got) == 0:
			return nil, errors.New("the API's pages do not follow each other")
		}
	}
}
