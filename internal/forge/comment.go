package forge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/go-github/v60/github"
)

// Comment is what became of a comment.
type Comment struct {
	ID     int64
	URL    string
	Action string // "created", "updated" or "unchanged"; "" when there is none
}

// MaxComment is how long a comment's body may be, in UTF-16 units: the service
// takes 65,536 characters, and counts some of them twice.
const MaxComment = 65000

// Marker is the first line of the comment called key, which finds it again. It
// cannot be seen in the rendered comment. Different keys have different markers.
func Marker(key string) string {
	return "<!-- haversack:" + strings.ReplaceAll(url.QueryEscape(key), "--", "%2D%2D") + " -->"
}

const commentPages = 50 // of 100 comments

// Upsert makes the pull request's comment called key say body, which is cut when
// it is too long. An own comment with the key's marker on its first line is
// changed in place, when it says something else; older ones of the same key are
// deleted. Comments of others are left alone, whatever they say. It returns an
// error that is ErrRefused when the token may not comment.
func (c *Client) Upsert(ctx context.Context, number int, key, body string) (Comment, error) {
	return c.say(ctx, number, key, body, true)
}

// Update is Upsert, but makes no comment where there is none: its Action is "" then.
func (c *Client) Update(ctx context.Context, number int, key, body string) (Comment, error) {
	return c.say(ctx, number, key, body, false)
}

func (c *Client) say(ctx context.Context, number int, key, body string, create bool) (Comment, error) {
	done, err := c.upsert(ctx, number, key, body, create)
	if err != nil {
		return Comment{}, fmt.Errorf("commenting on pull request %d: %w", number, err)
	}
	return done, nil
}

func (c *Client) upsert(ctx context.Context, number int, key, body string, create bool) (Comment, error) {
	marker := Marker(key)
	text := marker + "\n" + Truncate(body, MaxComment-len(marker)-1)
	for try := 1; ; try++ {
		mine, err := c.mine(ctx, number, marker)
		if err != nil {
			return Comment{}, err
		}
		if len(mine) > 0 {
			newest := mine[len(mine)-1]
			done, err := c.edit(ctx, newest, text)
			if errors.Is(err, ErrNotFound) && try < tries {
				continue // deleted meanwhile
			}
			if err != nil {
				return Comment{}, err
			}
			for _, old := range mine[:len(mine)-1] {
				// What is left over today is deleted the next time.
				_, _ = c.api.Issues.DeleteComment(ctx, c.owner, c.repo, old.GetID())
			}
			return done, nil
		}
		if !create {
			return Comment{}, nil
		}
		made, _, err := c.api.Issues.CreateComment(ctx, c.owner, c.repo, number, &github.IssueComment{Body: &text})
		if err == nil {
			return Comment{made.GetID(), made.GetHTMLURL(), "created"}, nil
		}
		// Was it done? Nobody knows after a lost answer: look before another try.
		var broken *brokenError
		var answer *github.ErrorResponse
		unclear := errors.As(err, &broken) || errors.As(err, &answer) && (answer.Response.StatusCode >= 500 || answer.Response.StatusCode == 408)
		if err := c.words(err); !unclear || try == tries {
			return Comment{}, err
		}
	}
}

// edit makes the comment say text.
func (c *Client) edit(ctx context.Context, old *github.IssueComment, text string) (Comment, error) {
	if plain(old.GetBody()) == plain(text) {
		return Comment{old.GetID(), old.GetHTMLURL(), "unchanged"}, nil
	}
	made, _, err := c.api.Issues.EditComment(ctx, c.owner, c.repo, old.GetID(), &github.IssueComment{Body: &text})
	if err != nil {
		return Comment{}, c.words(err)
	}
	return Comment{made.GetID(), made.GetHTMLURL(), "updated"}, nil
}

// plain is a body as the service may give it back: line ends and the space at the
// end are its own.
func plain(s string) string {
	return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n"))
}

// mine returns the own comments that start with the marker, oldest first.
func (c *Client) mine(ctx context.Context, number int, marker string) ([]*github.IssueComment, error) {
	var mine []*github.IssueComment
	opts := &github.IssueListCommentsOptions{ListOptions: github.ListOptions{PerPage: 100}}
	for page := 1; page <= commentPages; page++ {
		opts.Page = page
		list, resp, err := c.api.Issues.ListComments(ctx, c.owner, c.repo, number, opts)
		if err != nil {
			return nil, c.words(err)
		}
		for _, comment := range list {
			first, _, _ := strings.Cut(comment.GetBody(), "\n")
			if strings.TrimRight(first, "\r ") != marker {
				continue
			}
			if own, err := c.wrote(ctx, comment.GetUser()); err != nil {
				return nil, err
			} else if own {
				mine = append(mine, comment)
			}
		}
		if resp.NextPage == 0 {
			break
		}
	}
	slices.SortFunc(mine, func(a, b *github.IssueComment) int { return cmp.Compare(a.GetID(), b.GetID()) })
	return mine, nil
}

// wrote reports whether the user is the one whose token this is. A marker can be
// quoted by anybody, and a workflow's token may edit what anybody wrote.
func (c *Client) wrote(ctx context.Context, u *github.User) (bool, error) {
	if c.login == "" {
		login, err := c.viewer(ctx)
		if err != nil {
			return false, err
		}
		c.login = login
	}
	return strings.EqualFold(u.GetLogin(), c.login) && strings.HasSuffix(c.login, "[bot]") == (u.GetType() == "Bot"), nil
}

// workflowBot is who a workflow's own token is.
const workflowBot = "github-actions[bot]"

// viewer asks who the token is. GraphQL tells it for every kind of token; where
// there is none, /user does for people's tokens alone, and a refusal then means
// the workflow's.
func (c *Client) viewer(ctx context.Context) (string, error) {
	r, err := c.api.NewRequest(http.MethodPost, c.graphql, map[string]string{"query": "query { viewer { login } }"})
	if err != nil {
		return "", err
	}
	var got struct {
		Data struct {
			Viewer struct {
				Login string `json:"login"`
			} `json:"viewer"`
		} `json:"data"`
	}
	if _, err := c.api.Do(ctx, r, &got); err == nil && got.Data.Viewer.Login != "" {
		return got.Data.Viewer.Login, nil
	} else if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	user, _, err := c.api.Users.Get(ctx, "")
	if err == nil && user.GetLogin() != "" {
		return user.GetLogin(), nil
	}
	if err := c.words(err); err == nil || errors.Is(err, ErrRefused) || errors.Is(err, ErrNotFound) {
		return workflowBot, nil
	} else {
		return "", fmt.Errorf("asking whose the token is: %w", err)
	}
}
