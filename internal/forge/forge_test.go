package forge

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/fault"
	"github.com/haversack-dev/haversack/internal/forge/forgetest"
)

// client returns a client of the server that does not sleep, and what it would
// have slept.
func client(t *testing.T, s *forgetest.Server) (*Client, *fault.Timer) {
	t.Helper()
	c, err := New(s.URL, forgetest.Repository, forgetest.Token)
	if err != nil {
		t.Fatal(err)
	}
	timer := new(fault.Timer)
	c.Timer = timer
	c.now = func() time.Time { return time.Unix(1_000_000, 0) }
	t.Cleanup(c.base.(*http.Transport).CloseIdleConnections)
	return c, timer
}

// clean fails the test when the server objected to anything.
func clean(t *testing.T, s *forgetest.Server) {
	t.Helper()
	if r := s.Refusals(); len(r) > 0 {
		t.Errorf("the server objected: %q", r)
	}
}

var (
	sha1 = strings.Repeat("1", 40)
	sha2 = strings.Repeat("2", 40)
	sha3 = strings.Repeat("3", 40)
	sha4 = strings.Repeat("5", 40)
	sha5 = strings.Repeat("6", 40)
)

func TestNew(t *testing.T) {
	for _, test := range []struct{ api, repo, graphql, err string }{
		{"", "o/r", "https://api.github.com/graphql", ""},
		{"https://api.github.com", "o/r", "https://api.github.com/graphql", ""},
		{"https://git.example/api/v3", "o/r", "https://git.example/api/graphql", ""},
		{"https://git.example/api/v3/", "o/r.x", "https://git.example/api/graphql", ""},
		{"https://user:pass@git.example", "o/r", "", "not the address of an API"},
		{"git.example", "o/r", "", "not the address of an API"},
		{"", "o", "", `repository "o": owner/name is wanted`},
		{"", "o/r/x", "", "owner/name"},
		{"", "o/..", "", "owner/name"},
		{"", "o/r?x", "", "owner/name"},
	} {
		c, err := New(test.api, test.repo, "t")
		if test.err == "" && (err != nil || c.graphql != test.graphql) || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
			t.Errorf("%+v: %v", test, err)
		}
	}
}

func TestMergeBase(t *testing.T) {
	s := forgetest.Start(t)
	s.Commits[sha1+"..."+sha2] = sha3
	s.Commits[sha1+"..."+sha3] = ""
	s.Commits[sha2+"..."+sha3] = "not a commit"
	c, _ := client(t, s)
	if got, err := c.MergeBase(context.Background(), sha1, sha2); err != nil || got != sha3 {
		t.Error(got, err)
	}
	clean(t, s)
	for _, test := range []struct {
		base, head string
		is         error
		words      string
	}{
		{sha1, sha3, ErrUnrelated, "asking where 111111111111 and 333333333333 meet: the commits have no common ancestor"},
		{sha3, sha1, ErrNotFound, "not found"},
		{sha2, sha3, nil, "the API named no commit"},
		{"main", sha3, nil, "full commit ids are wanted"},
		{sha1, "../../user", nil, "full commit ids are wanted"},
	} {
		_, err := c.MergeBase(context.Background(), test.base, test.head)
		if err == nil || test.is != nil && !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.words) {
			t.Errorf("%s %s: %v", test.base, test.head, err)
		}
	}
}

func TestTip(t *testing.T) {
	s := forgetest.Start(t)
	for _, name := range []string{"main", "feature/x", "a#b%2F?c=d&e", "ünï/日本", "-x"} {
		s.Branches[name] = sha1
		c, _ := client(t, s)
		if got, err := c.Tip(context.Background(), name); err != nil || got != sha1 {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
	clean(t, s)
	s.Branches["odd"] = "--upload-pack=x"
	c, _ := client(t, s)
	if _, err := c.Tip(context.Background(), "odd"); err == nil || errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	for _, name := range []string{"gone", "", ".", "../../../../user", "a/../main", "a//main"} {
		if _, err := c.Tip(context.Background(), name); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestPull(t *testing.T) {
	s := forgetest.Start(t)
	mallory := func(sha, ref string) map[string]any {
		return map[string]any{"sha": sha, "ref": ref, "repo": map[string]any{"full_name": "mallory/widgets", "id": 666}, "user": map[string]any{"login": "mallory"}}
	}
	into := func(id int) map[string]any {
		return map[string]any{"sha": sha1, "ref": "main", "repo": map[string]any{"full_name": "mallory/widgets", "id": id}}
	}
	s.Pulls = []map[string]any{
		forgetest.Pull(7, sha1, sha2, nil),
		forgetest.Pull(8, sha1, sha2, map[string]any{"state": "closed", "merged": true, "merge_commit_sha": sha3}),
		forgetest.Pull(9, sha2, sha1, map[string]any{"head": mallory(sha3, "main"), "hidden": true}),
		forgetest.Pull(10, sha2, sha1, map[string]any{"head": map[string]any{"sha": "zz"}}),
		forgetest.Pull(11, sha2, sha1, map[string]any{"head": map[string]any{"sha": sha2, "ref": "gone", "repo": nil}}),
		forgetest.Pull(12, sha2, sha1, map[string]any{"head": mallory(sha1, "topic")}),                    // the victim's commit
		forgetest.Pull(13, sha2, sha1, map[string]any{"head": mallory(sha1, "topic"), "base": into(666)}), // in the fork itself
		forgetest.Pull(14, sha3, sha1, map[string]any{"head": mallory(sha3, "moved"), "contains": sha4}),  // pushed to since
		forgetest.Pull(15, sha5, sha1, nil), // two of one branch
		forgetest.Pull(16, sha5, sha1, map[string]any{"base": map[string]any{"sha": sha1, "ref": "next", "repo": map[string]any{"full_name": "octo/widgets", "id": 4242}}}),
	}
	c, _ := client(t, s)
	own := Pull{Number: 7, State: "open", Head: Side{sha1, "topic", "octo/widgets", 4242, "octo:topic"}, Base: Side{sha2, "main", "octo/widgets", 4242, "octo:main"}}
	merged := own
	merged.Number, merged.State, merged.Merged, merged.MergeCommit = 8, "closed", true, sha3
	if got, err := c.Pull(context.Background(), 8); err != nil || got != merged || got.Fork() {
		t.Errorf("%+v, %v", got, err)
	}
	for _, test := range []struct {
		name   string
		from   Origin
		number int
		err    error
	}{
		{"an open one before a newer closed one", Origin{sha1, "octo:topic", 4242}, 7, nil},
		{"of two with one commit, that of the branch's owner", Origin{sha1, "mallory:topic", 666}, 12, nil},
		{"two with one commit, and nobody says which", Origin{Commit: sha1}, 0, ErrAmbiguous},
		{"a fork's, by its branch", Origin{sha3, "mallory:main", 666}, 9, nil},
		{"a branch of that name in another fork", Origin{sha3, "mallory:main", 667}, 0, ErrNotFound},
		{"a branch of that name with another commit", Origin{strings.Repeat("4", 40), "mallory:main", 666}, 0, ErrSuperseded},
		{"a commit that was the head", Origin{sha4, "mallory:moved", 666}, 0, ErrSuperseded},
		{"two of one branch", Origin{sha5, "octo:topic", 4242}, 0, ErrAmbiguous},
		{"one whose head is gone", Origin{Commit: sha2}, 11, nil},
		{"none", Origin{strings.Repeat("9", 40), "octo:none", 4242}, 0, ErrNotFound},
	} {
		for _, id := range []int64{forgetest.RepositoryID, 0} {
			got, err := c.PullOf(context.Background(), id, test.from)
			if !errors.Is(err, test.err) || got.Number != test.number || (err != nil) != (test.err != nil) {
				t.Errorf("%s: #%d, %v", test.name, got.Number, err)
			}
		}
	}
	clean(t, s)
	if _, err := c.PullOf(context.Background(), 0, Origin{Commit: "main"}); err == nil || errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	s.Pulls[1]["merge_commit_sha"] = "--x"
	if got, err := c.Pull(context.Background(), 8); err != nil || got.MergeCommit != "" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := c.Pull(context.Background(), 10); err == nil || !strings.Contains(err.Error(), "names no commits") {
		t.Error(err)
	}
	if _, err := c.Pull(context.Background(), 99); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}

// call × fault for reading and for editing: what the caller is told.
func TestFaults(t *testing.T) {
	message := func(n int, msg string) *fault.Fault {
		return &fault.Fault{Status: n, Body: fmt.Sprintf(`{"message":%q}`, msg), Header: http.Header{"Content-Type": {"application/json"}}}
	}
	limited := func(status int, header ...string) *fault.Fault {
		f := message(status, "You have exceeded a secondary rate limit")
		for i := 0; i < len(header); i += 2 {
			f.Header[header[i]] = []string{header[i+1]}
		}
		return f
	}
	faults := []struct {
		name  string
		fault *fault.Fault
		times int
		want  string // "" = got over
	}{
		{"408", message(408, "x"), 1, ""},
		{"500", message(500, "x"), 1, ""},
		{"502 with a page", &fault.Fault{Status: 502, Body: "<!DOCTYPE html>"}, 3, ""},
		{"503 always", message(503, "come back later"), 99, "the API answered 503: \"come back later\""},
		{"429", message(429, "slow down"), 1, ""},
		{"429 with a time", limited(429, "Retry-After", "7"), 1, ""},
		{"403 with a time", limited(403, "Retry-After", "7"), 1, ""},
		{"hourly limit, soon over", limited(403, "X-Ratelimit-Remaining", "0", "X-Ratelimit-Reset", "1000005"), 1, ""},
		{"hourly limit", limited(403, "X-Ratelimit-Limit", "1000", "X-Ratelimit-Remaining", "0", "X-Ratelimit-Reset", "1003000"), 99, "the API's hourly limit for this token is used up; it opens again at 1970-01-12T14:36:40Z"},
		{"a long pause", limited(429, "Retry-After", "7200"), 99, "the API asks for a pause of 2h0m0s, longer than a run makes"},
		{"a page with 200", &fault.Fault{Body: "<!DOCTYPE html>"}, 1, ""},
		{"a page with 200 always", &fault.Fault{Body: "<!DOCTYPE html>"}, 99, "the API's answer is no JSON: \"<!DOCTYPE html>\""},
		{"reset", &fault.Fault{Reset: true}, 1, ""},
		{"reset after the work", &fault.Fault{Reset: true, Done: true}, 1, ""},
		{"500 after the work", &fault.Fault{Status: 500, Done: true}, 1, ""},
		{"cut short", &fault.Fault{Body: `[{"id":`, Short: true}, 1, ""},
		{"half an answer after the work", &fault.Fault{Body: `[{"id":`, Done: true}, 1, ""},
		{"silence", &fault.Fault{Hang: true}, 1, ""},
		{"silence always", &fault.Fault{Hang: true}, 99, "no answer within 200ms"},
		{"401", message(401, "Bad credentials"), 99, "the API refused the token (401): \"Bad credentials\""},
		{"403", message(403, "Resource not accessible by integration"), 99, "not allowed with this token (403): \"Resource not accessible by integration\""},
		{"422", message(422, "Validation Failed"), 99, "the API answered 422: \"Validation Failed\""},
		{"redirect elsewhere", &fault.Fault{Status: 307, Header: http.Header{"Location": {"http://127.0.0.1:1/x"}}}, 99, "the API answered 307"},
	}
	calls := []struct {
		name string
		do   func(*Client) error
	}{
		{"GET /compare/*...*", func(c *Client) error { _, err := c.MergeBase(context.Background(), sha1, sha2); return err }},
		{"GET /git/ref/heads/main", func(c *Client) error { _, err := c.Tip(context.Background(), "main"); return err }},
		{"GET /pulls/*", func(c *Client) error { _, err := c.Pull(context.Background(), 1); return err }},
		{"GET /orgs/octo/repos", func(c *Client) error { _, err := c.Owned(context.Background(), 9); return err }},
		{"GET /commits/*/pulls", func(c *Client) error { _, err := c.PullOf(context.Background(), 0, Origin{Commit: sha1}); return err }},
		{"GET /actions/workflows/ci.yml/runs", past},
		{"GET /actions/runs/*/artifacts", past},
		{"GET /actions/artifacts/*/zip", past},
		{"GET /issues/*/comments", say("new")},
		{"POST /issues/*/comments", say("new")},
		{"PATCH /issues/comments/*", say("old")},
	}
	for _, call := range calls {
		for _, f := range faults {
			t.Run(call.name+"/"+f.name, func(t *testing.T) {
				t.Parallel()
				s := forgetest.Start(t)
				s.Commits[sha1+"..."+sha2] = sha3
				s.Branches["main"] = sha1
				s.Pulls = []map[string]any{forgetest.Pull(1, sha1, sha2, nil)}
				s.Owned = map[string][]map[string]any{"orgs/octo": {{"full_name": "octo/widgets"}}}
				s.Runs = []map[string]any{forgetest.Run(70, "schedule", nil)}
				s.Artifact(70, 700, "context", []byte("zip"), nil)
				old := s.Comment(s.Login, "Bot", Marker("old")+"\nolder")
				var hit atomic.Int32
				s.Fault = func(got forgetest.Call) *fault.Fault {
					name := call.name
					if strings.Contains(name, "compare") {
						name = "GET /compare/*"
					}
					if got.Name == name && got.N <= f.times {
						hit.Add(1)
						return f.fault
					}
					return nil
				}
				c, waits := client(t, s)
				if f.fault.Hang {
					c.Timeout = 200 * time.Millisecond
				}
				err := call.do(c)
				if hit.Load() == 0 {
					t.Fatalf("the call was not made; made were %q", s.Calls())
				}
				if f.want == "" && err != nil || f.want != "" && (err == nil || !strings.Contains(err.Error(), f.want)) {
					t.Errorf("error %v, want %q", err, f.want)
				}
				if err != nil && strings.Contains(err.Error(), forgetest.Token) {
					t.Errorf("the error tells the token: %v", err)
				}
				if f.fault.Status == 403 && f.want != "" && !strings.Contains(f.name, "limit") != errors.Is(err, ErrRefused) {
					t.Errorf("%v: a refusal?", err)
				}
				if f.fault.Header.Get("Retry-After") == "7" && !slices.Contains(waits.Waits(), 7*time.Second) {
					t.Errorf("waited %v, the API asked for 7 s", waits.Waits())
				}
				if len(waits.Waits()) > 3 {
					t.Errorf("waited %v", waits.Waits())
				}
				// One comment of a key, whatever was lost on the way.
				want := 1
				if err == nil && strings.Contains(call.name, "issues") && !strings.HasPrefix(call.name, "PATCH") {
					want = 2
				}
				if got := s.Bodies(); len(got) != want || len(s.Comments) != want || s.Comments[old] == nil {
					t.Errorf("comments %q, want %d", got, want)
				}
			})
		}
	}
}

func past(c *Client) error {
	a, err := c.LastArtifact(context.Background(), Past{Workflow: "ci.yml", Branch: "main", Event: "schedule", Artifact: "context", Run: 71})
	if err == nil {
		_, err = a.Open(context.Background(), 1<<20)
	}
	return err
}

func say(key string) func(c *Client) error {
	return func(c *Client) error { _, err := c.Upsert(context.Background(), 1, key, "text"); return err }
}

// TestNothing holds that answers which hold nothing where something is wanted end no call in a panic.
func TestNothing(t *testing.T) {
	for _, body := range []string{"null", "{}", "[]", "[null]", "[{}]", "[null,{}]", `""`, `{"workflow_runs":[null],"artifacts":[null]}`, `{"merge_base_commit":null,"object":null,"head":null,"base":null}`, `{"data":null}`} {
		s := forgetest.Start(t)
		s.Fault = func(forgetest.Call) *fault.Fault {
			return &fault.Fault{Body: body, Header: http.Header{"Content-Type": {"application/json"}}}
		}
		c, _ := client(t, s)
		ctx := t.Context()
		_, _ = c.MergeBase(ctx, sha1, sha2)
		_, _ = c.Tip(ctx, "main")
		_, _ = c.Pull(ctx, 1)
		_, _ = c.Owned(ctx, 9)
		_, _ = c.PullOf(ctx, 0, Origin{Commit: sha1, Branch: "octo:main"})
		_, _ = c.LastArtifact(ctx, wanted)
		_, _ = c.Upsert(ctx, 1, "key", "body")
		_, _ = c.File(ctx, "a/b.yml", 100)
	}
}

// The token goes to the API's origin alone, whatever the API says.
func TestRedirect(t *testing.T) {
	var got []string
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.Header.Get("Authorization"))
	}))
	defer elsewhere.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		s := forgetest.Start(t)
		s.Fault = func(forgetest.Call) *fault.Fault {
			return &fault.Fault{Status: status, Header: http.Header{"Location": {elsewhere.URL + "/x"}}}
		}
		c, _ := client(t, s)
		for _, do := range []func() error{
			func() error { _, err := c.MergeBase(context.Background(), sha1, sha2); return err },
			func() error { return past(c) },
			func() error { return say("x")(c) },
		} {
			if do() == nil {
				t.Errorf("%d: taken for an answer", status)
			}
		}
	}
	if len(got) > 0 {
		t.Errorf("another host was asked, with %q", got)
	}
	// A repository that was renamed is found where it is now.
	s := forgetest.Start(t)
	s.Commits[sha1+"..."+sha2] = sha3
	s.Fault = func(call forgetest.Call) *fault.Fault {
		if strings.Contains(call.Name, "/old/") {
			return &fault.Fault{Status: 301, Header: http.Header{"Location": {s.URL + "/repos/" + forgetest.Repository + "/compare/" + sha1 + "..." + sha2}}}
		}
		return nil
	}
	c, err := New(s.URL, "octo/old", forgetest.Token)
	if err != nil {
		t.Fatal(err)
	}
	if base, err := c.MergeBase(context.Background(), sha1, sha2); err != nil || base != sha3 {
		t.Error(base, err)
	}
}

func TestCancel(t *testing.T) {
	s := forgetest.Start(t)
	ctx, cancel := context.WithCancel(context.Background())
	s.Fault = func(forgetest.Call) *fault.Fault { cancel(); return &fault.Fault{Hang: true} }
	c, waits := client(t, s)
	if _, err := c.MergeBase(ctx, sha1, sha2); !errors.Is(err, context.Canceled) || len(waits.Waits()) > 0 {
		t.Error(err, waits.Waits())
	}
}

func TestNoToken(t *testing.T) {
	s := forgetest.Start(t)
	c, err := New(s.URL, forgetest.Repository, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.MergeBase(context.Background(), sha1, sha2); err == nil || !strings.Contains(err.Error(), "the API refused the token (401): \"Bad credentials\"") {
		t.Error(err)
	}
}
