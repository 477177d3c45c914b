package forge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/go-github/v60/github"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// Past says which earlier run is looked for.
type Past struct {
	Workflow string // file name, as WorkflowFile gives it
	Branch   string // head branch
	Event    string // name of the event
	Artifact string // name of the artifact
	Run      int64  // this run's id, which is not taken
}

// PastArtifact is an artifact of an earlier run. Nothing that it holds is to be
// trusted.
type PastArtifact struct {
	ID   int64
	Run  int64
	Head string // commit that the run was for
	Size int64  // bytes, as the API says

	c *Client
}

// WorkflowFile returns the file name in a GITHUB_WORKFLOW_REF
// ("owner/name/.github/workflows/ci.yml@refs/heads/main"), "" when there is none.
func WorkflowFile(ref string) string {
	m := workflowRef.FindStringSubmatch(ref)
	if m == nil {
		return ""
	}
	return m[1]
}

var workflowRef = lazyregexp.New(`^[^@]*/\.github/workflows/([A-Za-z0-9._-]+)@`)

const (
	runsPerPage = 50
	runPages    = 4
	runsOpened  = 20 // runs asked for their artifacts
)

// LastArtifact returns the artifact that the newest successful earlier run of the
// same workflow, branch and event left, and that is not expired. The run's head
// must lie in this repository: a fork may call its branch main. It returns
// ErrNotFound when there is none among the last 200 runs.
func (c *Client) LastArtifact(ctx context.Context, p Past) (PastArtifact, error) {
	doing := func(err error) (PastArtifact, error) {
		return PastArtifact{}, fmt.Errorf("looking for the last artifact %q of %s: %w", p.Artifact, p.Workflow, err)
	}
	if !nameInURL.MatchString(p.Workflow) || p.Branch == "" || p.Event == "" || p.Artifact == "" {
		return doing(errors.New("workflow, branch, event and artifact must be known"))
	}
	opened := 0
	for page := 1; page <= runPages; page++ {
		runs, resp, err := c.api.Actions.ListWorkflowRunsByFileName(ctx, c.owner, c.repo, p.Workflow, &github.ListWorkflowRunsOptions{
			Branch: p.Branch, Event: p.Event, Status: "success", ExcludePullRequests: true,
			ListOptions: github.ListOptions{Page: page, PerPage: runsPerPage},
		})
		if err != nil {
			return doing(c.words(err))
		}
		if runs == nil { // the answer is null
			return doing(errors.New("the API's answer names no runs"))
		}
		for _, run := range runs.WorkflowRuns {
			if !own(run, p) {
				continue
			}
			if opened++; opened > runsOpened {
				return doing(ErrNotFound)
			}
			a, err := c.artifactOf(ctx, run, p.Artifact)
			if err != nil {
				return doing(err)
			}
			if a.ID != 0 {
				return a, nil
			}
		}
		if resp.NextPage == 0 {
			break
		}
	}
	return doing(ErrNotFound)
}

// own reports whether the run is one that p looks for, of this repository's own
// code. The API was asked for such runs; what it sent is looked at all the same.
func own(run *github.WorkflowRun, p Past) bool {
	return run.GetID() != 0 && run.GetID() != p.Run &&
		run.GetConclusion() == "success" && run.GetEvent() == p.Event && run.GetHeadBranch() == p.Branch &&
		commitID.MatchString(run.GetHeadSHA()) &&
		run.GetRepository().GetID() != 0 && run.GetHeadRepository().GetID() == run.GetRepository().GetID()
}

// artifactOf returns the newest artifact of that name that the run left.
func (c *Client) artifactOf(ctx context.Context, run *github.WorkflowRun, name string) (PastArtifact, error) {
	var best PastArtifact
	// The client's own method cannot ask for a name.
	q := url.Values{"name": {name}, "per_page": {"100"}}
	r, err := c.api.NewRequest(http.MethodGet, fmt.Sprintf("repos/%s/%s/actions/runs/%d/artifacts?%s", c.owner, c.repo, run.GetID(), q.Encode()), nil)
	if err != nil {
		return best, err
	}
	var list github.ArtifactList
	if _, err := c.api.Do(ctx, r, &list); err != nil {
		if err = c.words(err); errors.Is(err, ErrNotFound) {
			return best, nil // the run was deleted meanwhile
		}
		return best, err
	}
	for _, a := range list.Artifacts {
		from := a.GetWorkflowRun()
		if a.GetName() != name || a.GetExpired() || a.GetID() <= best.ID ||
			from != nil && (from.GetID() != run.GetID() || from.GetHeadRepositoryID() != from.GetRepositoryID()) {
			continue
		}
		best = PastArtifact{ID: a.GetID(), Run: run.GetID(), Head: run.GetHeadSHA(), Size: a.GetSizeInBytes(), c: c}
	}
	return best, nil
}

// Remote is a file that is read where it lies, piece by piece.
type Remote struct {
	// Size in bytes.
	Size int64

	ctx   context.Context
	c     *Client
	addr  string
	whole bool   // the server sends no pieces
	start int64  // of buf
	buf   []byte // the piece read last
}

// window is the least that is asked for at once, in bytes.
const window = 1 << 20

// maxWhole is what is read, at most, from a server that sends no pieces.
const maxWhole = 64 << 20

// Open returns the artifact's zip for reading. Only the pieces that are read are
// fetched, so a small file out of a large artifact costs little. A server that
// sends no pieces is asked for the whole, up to 64 MiB. Over max bytes is an error.
func (a PastArtifact) Open(ctx context.Context, max int64) (*Remote, error) {
	addr, err := a.c.address(ctx, fmt.Sprintf("repos/%s/%s/actions/artifacts/%d/zip", a.c.owner, a.c.repo, a.ID))
	if err != nil {
		return nil, fmt.Errorf("asking for the address of artifact %d: %w", a.ID, a.c.words(err))
	}
	r := &Remote{ctx: ctx, c: a.c, addr: addr}
	err = r.fetch(fmt.Sprintf("bytes=-%d", window))
	if err == nil && r.Size > max {
		err = fmt.Errorf("it is over %d bytes", max)
	}
	if err != nil {
		return nil, fmt.Errorf("downloading artifact %d: %w", a.ID, err)
	}
	return r, nil
}

// address returns where the API says that the bytes lie. The client's own method
// drops what the API says when it refuses.
func (c *Client) address(ctx context.Context, path string) (string, error) {
	for range 3 {
		r, err := c.api.NewRequest(http.MethodGet, path, nil)
		if err != nil {
			return "", err
		}
		resp, err := c.RoundTrip(r.WithContext(ctx)) // follows nothing
		if err != nil {
			return "", err
		}
		to, err := r.URL.Parse(resp.Header.Get("Location"))
		switch {
		case resp.StatusCode/100 != 3 && resp.StatusCode/100 != 2:
			return "", github.CheckResponse(resp)
		case err != nil || resp.Header.Get("Location") == "" || to.Scheme != "https" && !(to.Scheme == "http" && strings.HasPrefix(c.origin, "http:")):
			return "", errors.New("the API named none that is usable")
		case resp.StatusCode == http.StatusFound:
			return to.String(), nil
		case to.Scheme+"://"+to.Host != c.origin:
			return "", fmt.Errorf("the API answered %d", resp.StatusCode)
		}
		path = to.String() // the repository was renamed
	}
	return "", errors.New("the API leads around in a circle")
}

// ReadAt reads from the artifact, one call at a time.
func (r *Remote) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, errors.New("reading before the start")
	}
	n := 0
	for n < len(p) && off < r.Size {
		if off < r.start || off >= r.start+int64(len(r.buf)) {
			if r.whole {
				return n, io.ErrUnexpectedEOF
			}
			last := min(off+int64(max(len(p)-n, window)), r.Size) - 1
			if err := r.fetch(fmt.Sprintf("bytes=%d-%d", off, last)); err != nil {
				return n, err
			}
			if off < r.start || off >= r.start+int64(len(r.buf)) {
				return n, errors.New("the storage sent another piece than was asked for")
			}
		}
		k := copy(p[n:], r.buf[off-r.start:])
		n += k
		off += int64(k)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// fetch reads one piece into the buffer.
func (r *Remote) fetch(piece string) error {
	return r.c.repeat(r.ctx, func(ctx context.Context) (bool, time.Duration, error) {
		err := r.fetchOnce(ctx, piece)
		var broken *brokenError
		return errors.As(err, &broken), 0, err
	})
}

func (r *Remote) fetchOnce(ctx context.Context, piece string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.addr, nil)
	if err != nil {
		return errors.New("the address is not usable")
	}
	req.Header.Set("Range", piece)
	req.Header.Set("Accept-Encoding", "identity")
	req.Header.Set("User-Agent", "haversack")
	// Without the token, and without following: the address is the place.
	resp, err := r.c.base.RoundTrip(req)
	if err != nil {
		return r.c.broken(err)
	}
	defer resp.Body.Close()
	var start, end, size, most int64
	switch resp.StatusCode {
	case http.StatusPartialContent:
		if _, err := fmt.Sscanf(resp.Header.Get("Content-Range"), "bytes %d-%d/%d", &start, &end, &size); err != nil || start < 0 || end < start || size <= end {
			return errors.New("the storage does not say which piece it sent")
		}
		if r.Size != 0 && size != r.Size {
			return errors.New("the artifact changed while it was read")
		}
		most = min(end-start+1, maxWhole)
	case http.StatusOK:
		most = maxWhole
	case 408, 429, 500, 502, 503, 504:
		return &brokenError{text: fmt.Sprintf("the artifact storage answered %d", resp.StatusCode)}
	default:
		return fmt.Errorf("the artifact storage answered %d", resp.StatusCode)
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, most+1))
	switch {
	case err != nil:
		return r.c.broken(err)
	case int64(len(data)) > most:
		return fmt.Errorf("it is over %d bytes", most)
	case resp.StatusCode == http.StatusOK:
		r.whole, size = true, int64(len(data))
	}
	r.start, r.buf, r.Size = start, data, size
	return nil
}
