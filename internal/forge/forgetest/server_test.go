package forgetest

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// call makes a request as it should be; the functions of change then get one
// thing wrong.
func call(t *testing.T, method, addr, body string, change ...func(*http.Request)) (int, string, http.Header) {
	t.Helper()
	r, err := http.NewRequest(method, addr, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("User-Agent", "test")
	r.Header.Set("Accept", "application/vnd.github.v3+json")
	r.Header.Set("Authorization", "Bearer "+Token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, f := range change {
		f(r)
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(data), resp.Header
}

func set(key, value string) func(*http.Request) {
	return func(r *http.Request) {
		if value == "" {
			r.Header[http.CanonicalHeaderKey(key)] = nil
			return
		}
		r.Header.Set(key, value)
	}
}

var (
	one = strings.Repeat("1", 40)
	two = strings.Repeat("2", 40)
)

func start(t *testing.T) (*Server, string) {
	s := Start(t)
	s.Commits[one+"..."+two] = one
	s.Commits[two+"..."+one] = ""
	s.Branches["a/b#c"] = one
	s.Pulls = []map[string]any{Pull(1, one, two, nil)}
	s.Runs = []map[string]any{Run(70, "push", nil), Run(60, "schedule", nil)}
	s.Artifact(70, 700, "context", []byte("hello"), nil)
	s.Comment(s.Login, "Bot", "hi")
	return s, s.URL + "/repos/" + Repository
}

// What is right is answered.
func TestAccepts(t *testing.T) {
	s, repo := start(t)
	for _, test := range []struct {
		method, path, body string
		status             int
		words              string
	}{
		{"GET", "/compare/" + one + "..." + two, "", 200, `"files"`},
		{"GET", "/git/ref/heads/a/b%23c", "", 200, one},
		{"GET", "/pulls/1", "", 200, `"number":1`},
		{"GET", "/pulls?state=all&head=octo:topic", "", 200, `"number":1`},
		{"GET", "/pulls?state=closed", "", 200, `[]`},
		{"GET", "/commits/" + one + "/pulls", "", 200, `"number":1`},
		{"GET", "/commits/" + two + "/pulls", "", 200, `[]`},
		{"GET", "/actions/workflows/ci.yml/runs?event=schedule&branch=main&status=success", "", 200, `"total_count":1`},
		{"GET", "/actions/runs/70/artifacts?name=context", "", 200, `"total_count":1`},
		{"GET", "/actions/runs/70/artifacts?name=other", "", 200, `"total_count":0`},
		{"GET", "/actions/runs/60/artifacts", "", 200, `"total_count":0`},
		{"GET", "/actions/artifacts/700/zip", "", 302, ``},
		{"GET", "/issues/1/comments", "", 200, `"body":"hi"`},
		{"POST", "/issues/1/comments", `{"body":"a\nb"}`, 201, `"body":"a\r\nb"`},
		{"PATCH", "/issues/comments/102", `{"body":"c"}`, 200, `"body":"c"`},
		{"DELETE", "/issues/comments/102", "", 204, ""},
	} {
		if status, body, _ := call(t, test.method, repo+test.path, test.body); status != test.status || !strings.Contains(body, test.words) {
			t.Errorf("%s %s: %d %s", test.method, test.path, status, body)
		}
	}
	if _, body, _ := call(t, "GET", repo+"/compare/"+one+"..."+two+"?page=2&per_page=1", ""); strings.Contains(body, "files") {
		t.Error("the second page of a comparison has files", body)
	}
	if _, body, _ := call(t, "POST", s.URL+"/graphql", `{"query":"query { viewer { login } }"}`); !strings.Contains(body, `"login":"github-actions[bot]"`) {
		t.Error(body)
	}
	s.NoGraphQL = true
	if status, body, _ := call(t, "POST", s.URL+"/graphql", `{"query":"query { viewer { login } }"}`); status != 404 {
		t.Error(status, body)
	}
	s.refusals = nil
	_, _, header := call(t, "GET", repo+"/actions/artifacts/700/zip", "")
	for piece, want := range map[string]string{"": "hello", "bytes=1-2": "el", "bytes=-2": "lo"} {
		if _, body, _ := call(t, "GET", header.Get("Location"), "", set("Authorization", ""), set("Range", piece)); body != want {
			t.Errorf("%s: %q", piece, body)
		}
	}
	for range 250 {
		s.Comment("alice", "User", "x")
	}
	next, pages := repo+"/issues/1/comments?per_page=100", 0
	for next != "" {
		_, body, header := call(t, "GET", next, "")
		pages++
		if want := map[int]int{1: 100, 2: 100, 3: 51}[pages]; strings.Count(body, `"html_url"`) != want {
			t.Errorf("page %d has %d", pages, strings.Count(body, `"html_url"`))
		}
		next, _, _ = strings.Cut(strings.TrimPrefix(header.Get("Link"), "<"), ">")
	}
	if pages != 3 {
		t.Errorf("%d pages", pages)
	}
	if _, body, _ := call(t, "GET", repo+"/issues/1/comments", ""); strings.Count(body, `"html_url"`) != 30 {
		t.Errorf("a page of the usual size has %d", strings.Count(body, `"html_url"`))
	}
	if r := s.Refusals(); len(r) > 0 {
		t.Errorf("%q", r)
	}
}

// Every check of the server stands here with a request that only it refuses.
func TestRefuses(t *testing.T) {
	long := fmt.Sprintf(`{"body":%q}`, strings.Repeat("x", 65537))
	wide := fmt.Sprintf(`{"body":"%s"}`, strings.Repeat("𝄞", 32769))
	for _, test := range []struct {
		name, method, path, body string
		change                   func(*http.Request)
		status                   int
		words                    string
	}{
		{"no agent", "GET", "/pulls/1", "", set("User-Agent", ""), 403, "has a User-Agent"},
		{"Go's agent", "GET", "/pulls/1", "", set("User-Agent", "Go-http-client/1.1"), 403, "has a User-Agent"},
		{"no token", "GET", "/pulls/1", "", set("Authorization", ""), 401, "Bad credentials"},
		{"another token", "GET", "/pulls/1", "", set("Authorization", "Bearer x"), 401, "Bad credentials"},
		{"not a bearer", "GET", "/pulls/1", "", set("Authorization", Token), 401, "Bad credentials"},
		{"media type", "GET", "/pulls/1", "", set("Accept", "text/html"), 415, "Accept"},
		{"writing with a reader's token", "POST", "/issues/1/comments", `{"body":"x"}`, set("Authorization", "Bearer "+ReadOnly), 403, "Resource not accessible by integration"},
		{"deleting with a reader's token", "DELETE", "/issues/comments/101", "", set("Authorization", "Bearer "+ReadOnly), 403, "Resource not accessible by integration"},
		{"content type", "POST", "/issues/1/comments", `{"body":"x"}`, set("Content-Type", "text/plain"), 415, "Content-Type"},
		{"content type of a change", "PATCH", "/issues/comments/101", `{"body":"x"}`, set("Content-Type", "text/plain"), 415, "Content-Type"},
		{"GraphQL by GET", "GET", "!/graphql", "", nil, 404, "Not Found"},
		{"another query", "POST", "!/graphql", `{"query":"query { rateLimit }"}`, nil, 400, "A query attribute"},
		{"a bot is no user", "GET", "!/user", "", nil, 403, "Resource not accessible by integration"},
		{"another repository", "GET", "!/repos/octo/other/pulls/1", "", nil, 404, "Not Found"},
		{"no repository", "GET", "!/pulls", "", nil, 404, "Not Found"},
		{"unknown path", "GET", "/branches", "", nil, 404, "Not Found"},
		{"unknown workflow", "GET", "/actions/workflows/other.yml/runs", "", nil, 404, "Not Found"},
		{"unknown run", "GET", "/actions/runs/7/artifacts", "", nil, 404, "Not Found"},
		{"unknown artifact", "GET", "/actions/artifacts/7/zip", "", nil, 410, "Artifact has expired"},
		{"unknown branch", "GET", "/git/ref/heads/a", "", nil, 404, "Not Found"},
		{"unknown pull request", "GET", "/pulls/2", "", nil, 404, "Not Found"},
		{"unknown conversation", "GET", "/issues/2/comments", "", nil, 404, "Not Found"},
		{"unknown conversation to speak in", "POST", "/issues/2/comments", `{"body":"x"}`, nil, 404, "Not Found"},
		{"unknown comment", "PATCH", "/issues/comments/7", `{"body":"x"}`, nil, 404, "Not Found"},
		{"unknown commits", "GET", "/compare/" + one + "..." + one, "", nil, 404, "Not Found"},
		{"unrelated commits", "GET", "/compare/" + two + "..." + one, "", nil, 404, "No common ancestor between " + two + " and " + one + "."},
		{"too much on a page", "GET", "/issues/1/comments?per_page=101", "", nil, 422, "parameter per_page"},
		{"page zero", "GET", "/issues/1/comments?page=0", "", nil, 422, "parameter page"},
		{"unknown parameter", "GET", "/actions/runs/70/artifacts?title=x", "", nil, 422, "parameter title"},
		{"no JSON", "POST", "/issues/1/comments", `body=x`, nil, 400, "Problems parsing JSON"},
		{"unknown field", "POST", "/issues/1/comments", `{"body":"x","id":1}`, nil, 400, "Problems parsing JSON"},
		{"no body", "POST", "/issues/1/comments", `{}`, nil, 422, "body can't be blank"},
		{"blank body", "PATCH", "/issues/comments/101", `{"body":" "}`, nil, 422, "body can't be blank"},
		{"long body", "POST", "/issues/1/comments", long, nil, 422, "Body is too long (maximum is 65536 characters)"},
		{"wide body", "PATCH", "/issues/comments/101", wide, nil, 422, "Body is too long"},
		{"token to the storage", "GET", "?/artifact/700?sig=a%2Fb", "", set("Authorization", "Bearer "+Token), 403, "was sent a token"},
		{"no signature", "GET", "?/artifact/700", "", set("Authorization", ""), 403, "signature is wrong"},
		{"signature spelled anew", "GET", "?/artifact/700?sig=a/b", "", set("Authorization", ""), 403, "signature is wrong"},
		{"unknown bytes", "GET", "?/artifact/7?sig=a%2Fb", "", set("Authorization", ""), 403, "no such thing"},
		{"writing to the storage", "PUT", "?/artifact/700?sig=a%2Fb", "", set("Authorization", ""), 403, "no such thing"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, addr := start(t)
			switch test.path[0] {
			case '!':
				addr, test.path = s.URL, test.path[1:]
			case '?':
				addr, test.path = s.Storage, test.path[1:]
			}
			var change []func(*http.Request)
			if test.change != nil {
				change = append(change, test.change)
			}
			status, body, _ := call(t, test.method, addr+test.path, test.body, change...)
			if status != test.status || !strings.Contains(body, test.words) {
				t.Errorf("%d %s; want %d %q", status, body, test.status, test.words)
			}
			if got := s.Bodies(); len(s.Refusals()) != 1 || len(got) != 1 || got[0] != "hi" {
				t.Errorf("noted %q, comments %q", s.Refusals(), got)
			}
		})
	}
}
