package artifact

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Entry is an artifact of this run, as the service lists it.
type Entry struct {
	ID     int64
	Name   string
	Size   int64  // bytes; some servers give another number
	SHA256 string // lower hex; "" when the server keeps none

	run, job string // the ids it was made under, which its calls must name
}

// List returns the finished artifacts of this run, those called name or, when
// name is "", all.
func (c *Client) List(ctx context.Context, name string) ([]Entry, error) {
	a, err := c.call(ctx, "ListArtifacts", request{Run: c.run, Job: c.job, NameFilter: name}, false)
	if err != nil {
		return nil, fmt.Errorf("listing artifacts: %w", err)
	}
	var rows []answer
	if raw := a.field("artifacts"); raw != nil {
		if err := json.Unmarshal(raw, &rows); err != nil {
			return nil, errors.New("listing artifacts: the answer's list is no list")
		}
	}
	var all []Entry
	for _, row := range rows {
		l := Entry{
			ID:   row.number("database_id"),
			Name: row.text("name"),
			Size: row.number("size"),
			run:  row.text("workflow_run_backend_id"),
			job:  row.text("workflow_job_run_backend_id"),
		}
		if hash, ok := strings.CutPrefix(row.text("digest"), "sha256:"); ok {
			l.SHA256 = strings.ToLower(hash)
		}
		if name == "" || l.Name == name {
			all = append(all, l)
		}
	}
	return all, nil
}

// SignedURL returns an address that gives the artifact to anybody for some minutes. It is a secret; its signature has been masked.
func (c *Client) SignedURL(ctx context.Context, l Entry) (string, error) {
	a, err := c.call(ctx, "GetSignedArtifactURL", request{Run: l.run, Job: l.job, Name: l.Name}, false)
	if err != nil {
		return "", fmt.Errorf("asking for the address of artifact %q: %w", l.Name, err)
	}
	signed := a.text("signed_url")
	u, err := url.Parse(signed)
	if err != nil || u.Host == "" || u.Scheme != "https" && !(u.Scheme == "http" && strings.HasPrefix(c.origin, "http:")) {
		return "", fmt.Errorf("asking for the address of artifact %q: the service named none that is usable", l.Name)
	}
	return signed, nil
}

// Download writes the artifact's bytes to w and returns how many they are and
// their sha256. More than max bytes, or a sha256 other than the one listed, is
// an error. After a broken connection it goes on where it stopped. What w got
// before an error is nothing to be used.
func (c *Client) Download(ctx context.Context, l Entry, w io.Writer, max int64) (size int64, sum string, err error) {
	signed, err := c.SignedURL(ctx, l)
	if err != nil {
		return 0, "", err
	}
	hash := sha256.New()
	size, err = c.get(ctx, signed, io.MultiWriter(w, hash), max)
	if err != nil {
		return 0, "", fmt.Errorf("downloading artifact %q: %w", l.Name, err)
	}
	sum = hex.EncodeToString(hash.Sum(nil))
	if l.SHA256 != "" && sum != l.SHA256 {
		return 0, "", fmt.Errorf("downloading artifact %q: its sha256 is not the one that is listed", l.Name)
	}
	return size, sum, nil
}

// get copies what stands at a signed address.
func (c *Client) get(ctx context.Context, signed string, w io.Writer, max int64) (int64, error) {
	follow := *c.http
	follow.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		if len(via) > 3 || r.URL.Scheme != "https" && via[0].URL.Scheme == "https" {
			return errors.New("the address leads astray")
		}
		return nil
	}
	var have int64
	err := c.retry(ctx, c.Timeout, func(ctx context.Context, alive func()) error {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, signed, nil)
		if err != nil {
			return errors.New("the address is not usable")
		}
		r.Header.Set("User-Agent", userAgent)
		r.Header.Set("Accept-Encoding", "identity") // the hash is over the bytes stored
		if have > 0 {
			r.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
		}
		resp, err := follow.Do(r)
		if err != nil {
			return c.broken(err)
		}
		defer resp.Body.Close()
		body := io.Reader(&moving{resp.Body, alive})
		switch {
		case resp.StatusCode == http.StatusOK:
			// From the start: what is already written is passed over.
			if _, err := io.CopyN(io.Discard, body, have); err != nil {
				return c.broken(err)
			}
		case resp.StatusCode == http.StatusPartialContent && have > 0 &&
			strings.HasPrefix(resp.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", have)):
		default:
			data, _ := io.ReadAll(io.LimitReader(body, 64<<10))
			err := errors.New(c.storageWords(resp.StatusCode, data))
			if temporary(resp.StatusCode) {
				return &transient{err, retryAfter(resp.Header)}
			}
			return err
		}
		out := &countingWriter{w: w}
		_, err = io.Copy(out, io.LimitReader(body, max-have+1))
		have += out.n
		switch {
		case out.err != nil:
			return out.err
		case have > max:
			return fmt.Errorf("it is over %d bytes", max)
		case err != nil:
			return c.broken(err)
		}
		return nil
	})
	return have, err
}

// counted tells errors of writing from errors of reading.
type countingWriter struct {
	w   io.Writer
	n   int64
	err error
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	if err != nil {
		c.err = err
	}
	return n, err
}
