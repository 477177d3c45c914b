package artifact

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/text"
)

const service = "/twirp/github.actions.results.api.v1.ArtifactService/"

// userAgent is sent with every call; some servers refuse requests without one.
const userAgent = "haversack"

// maxAnswer bounds an answer of the service, in bytes. The list of a run's
// artifacts is the longest; a run holds at most some thousand, each some 500 bytes.
const maxAnswer = 4 << 20

// request holds the fields of all five calls. Names are the protocol's, fields
// with their default value are left out, 64-bit numbers are strings.
type request struct {
	Run        string `json:"workflow_run_backend_id"`
	Job        string `json:"workflow_job_run_backend_id"`
	Name       string `json:"name,omitempty"`
	NameFilter string `json:"name_filter,omitempty"`
	ExpiresAt  string `json:"expires_at,omitempty"`
	Version    int    `json:"version,omitempty"`
	MimeType   string `json:"mime_type,omitempty"`
	Size       int64  `json:"size,omitempty,string"`
	Hash       string `json:"hash,omitempty"`
}

// answer is a JSON object whose names are spelt one_way or oneWay.
type answer map[string]json.RawMessage

func (a answer) field(name string) json.RawMessage {
	if v, ok := a[name]; ok {
		return v
	}
	words := strings.Split(name, "_")
	for i, w := range words[1:] {
		words[i+1] = strings.ToUpper(w[:1]) + w[1:]
	}
	return a[strings.Join(words, "")]
}

// text is the string of that name. A wrapper message ({"value": …}) is looked into.
func (a answer) text(name string) string {
	raw := a.field(name)
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var w struct{ Value string }
	_ = json.Unmarshal(raw, &w)
	return w.Value
}

// number is the whole number of that name, written as a number or as a string.
func (a answer) number(name string) int64 {
	s := strings.Trim(string(a.field(name)), `"`)
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

func (a answer) yes(name string) bool { return string(a.field(name)) == "true" }

// refusal is an answer that will not change by asking again.
type refusal struct {
	status int
	msg    string // the server's words, quoted
	absent bool   // what answered is not the service
	lost   bool   // an earlier try may have done the work
}

func (r *refusal) Error() string {
	s := fmt.Sprintf("the artifact service answered %d", r.status)
	switch r.status {
	case http.StatusUnauthorized:
		s = "the artifact service refused the job's token (401), which is good only while the job runs"
	case http.StatusForbidden:
		s = "the artifact service does not allow it (403)"
	}
	if r.msg != "" {
		s += ": " + r.msg
	}
	return s
}

// errQuota is the one refusal that the owner of the account must solve.
var errQuota = errors.New("the account's artifact storage is used up: delete old artifacts or lower retention-days; the quota is counted anew every 6 to 12 hours")

// call posts req to the method and returns the answer. With quick set, a server
// error is not tried again.
func (c *Client) call(ctx context.Context, method string, req request, quick bool) (answer, error) {
	body, err := json.Marshal(req)
	if err != nil {
		return nil, err
	}
	var got answer
	lost := false
	err = c.retry(ctx, min(c.Timeout, answerTime), func(ctx context.Context, _ func()) error {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.origin+service+method, bytes.NewReader(body))
		if err != nil {
			return err
		}
		r.Header.Set("Authorization", "Bearer "+c.token)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json")
		r.Header.Set("User-Agent", userAgent)
		resp, err := c.http.Do(r)
		if err != nil {
			lost = true
			return c.broken(err)
		}
		defer resp.Body.Close()
		data, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
		if err != nil {
			lost = true
			return c.broken(err)
		}
		if len(data) > maxAnswer {
			return fmt.Errorf("the answer is over %d MiB", maxAnswer>>20)
		}
		var a answer
		isJSON := json.Unmarshal(data, &a) == nil && a != nil
		if resp.StatusCode/100 == 2 {
			if !isJSON {
				lost = true
				return &transient{err: errors.New("the artifact service's answer is no JSON: " + text.QuotedAnswer(data, c.secrets...))}
			}
			c.maskURL(a.text("signed_upload_url"))
			c.maskURL(a.text("signed_url"))
			got = a
			return nil
		}
		no := &refusal{status: resp.StatusCode, msg: text.QuotedAnswer([]byte(a.text("msg")), c.secrets...), absent: !isJSON || a.text("code") == "bad_route", lost: lost}
		switch {
		case strings.Contains(no.msg, "insufficient usage"):
			return errQuota
		case quick && resp.StatusCode >= 500:
			return no
		case temporary(resp.StatusCode):
			lost = lost || resp.StatusCode >= 500
			return &transient{no, retryAfter(resp.Header)}
		case !isJSON && resp.StatusCode != 401 && resp.StatusCode != 404 && resp.StatusCode/100 == 4:
			// A page in front of the service, not the service itself.
			if no.msg == "" {
				no.msg = text.QuotedAnswer(data, c.secrets...)
			}
			return &transient{err: no}
		}
		return no
	})
	if err != nil {
		return nil, err
	}
	return got, nil
}

// refused returns the refusal in err, nil when there is none.
func refused(err error) *refusal {
	var r *refusal
	errors.As(err, &r)
	return r
}

// is reports whether r is a refusal with that status.
func (r *refusal) is(status int) bool { return r != nil && r.status == status }
