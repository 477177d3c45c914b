// Package forgetest is the hosting service's API in one process, for tests. It is
// strict: a request without a valid token, a user agent, the API's media type or
// the permission that it needs is refused, and so is one that names what is not
// there, asks for more than a page holds, or sends JSON with fields that the API
// does not know. What is refused is noted in Refusals.
//
// The bytes of artifacts lie on a second server with another origin, which
// objects to any token.
package forgetest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf16"

	"github.com/haversack-dev/haversack/internal/fault"
)

// Token is the token that the server knows; ReadOnly is known too, and may only read.
const (
	Token    = "ghs_0123456789abcdefghijABCDEFGHIJ012345"
	ReadOnly = "ghs_readonly9abcdefghijABCDEFGHIJ0123456"
)

// Repository is the one that the server holds; its id is RepositoryID.
const (
	Repository   = "octo/widgets"
	RepositoryID = 4242
)

// Server is a running service. Its exported fields are set before it is used.
type Server struct {
	URL     string // of the API
	Storage string // of artifacts

	// Login is whose Token is.
	Login string
	// NoGraphQL is a server without it.
	NoGraphQL bool
	// NoRanges is a storage that sends no pieces.
	NoRanges bool
	// Fault, when not nil, is asked before each request what shall go wrong;
	// one request at a time.
	Fault func(Call) *fault.Fault

	Branches  map[string]string // name to commit
	Commits   map[string]string // "base...head" to merge base; "" = unrelated
	Pulls     []map[string]any
	Runs      []map[string]any           // newest first
	Artifacts map[int64][]map[string]any // by run
	Data      map[int64][]byte           // by artifact
	Comments  map[int64]map[string]any   // by id
	// Owned are the repositories of "orgs/name" or "users/name"; those that are private
	// are told to Token alone.
	Owned map[string][]map[string]any
	// Files are those of default branches, by owner/name/path, of other repositories too.
	Files  map[string]string
	nextID int64

	mu       sync.Mutex
	counts   map[string]int
	calls    []string
	refusals []string
}

// Call names one request: its method and its path with numbers and commits as
// "*", the storage's as "STORAGE". N counts those of one name, from 1.
type Call struct {
	Name string
	N    int
}

// T is the part of testing.TB that Start needs.
type T interface{ Cleanup(func()) }

// Start starts a server, which ends with the test.
func Start(t T) *Server {
	s := &Server{
		Login:     "github-actions[bot]",
		Branches:  map[string]string{},
		Commits:   map[string]string{},
		Artifacts: map[int64][]map[string]any{},
		Data:      map[int64][]byte{},
		Comments:  map[int64]map[string]any{},
		nextID:    100,
		counts:    map[string]int{},
	}
	api := httptest.NewServer(http.HandlerFunc(s.serve))
	storage := httptest.NewServer(http.HandlerFunc(s.store))
	s.URL, s.Storage = api.URL, storage.URL
	t.Cleanup(api.Close)
	t.Cleanup(storage.Close)
	return s
}

// Calls returns the names of all requests in order.
func (s *Server) Calls() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

// Refusals returns what the server objected to, in order.
func (s *Server) Refusals() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.refusals)
}

// Comment adds a comment to pull request 1.
func (s *Server) Comment(login, kind, body string) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.comment(1, login, kind, body)["id"].(int64)
}

func (s *Server) comment(pull int64, login, kind, body string) map[string]any {
	s.nextID++
	c := map[string]any{"id": s.nextID, "body": body, "html_url": fmt.Sprintf("https://github.com/%s/pull/%d#issuecomment-%d", Repository, pull, s.nextID),
		"issue_url": issue(pull), "user": map[string]any{"login": login, "type": kind}}
	s.Comments[s.nextID] = c
	return c
}

// issue is the address by which a comment names what it is about.
func issue(number int64) string {
	return fmt.Sprintf("https://api.github.com/repos/%s/issues/%d", Repository, number)
}

// Bodies returns the comments' bodies, oldest first.
func (s *Server) Bodies() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bodies(s.sorted())
}

// BodiesOn returns the bodies of the comments on one pull request, oldest first.
func (s *Server) BodiesOn(pull int64) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bodies(s.on(pull))
}

func bodies(list []map[string]any) []string {
	var out []string
	for _, c := range list {
		out = append(out, c["body"].(string))
	}
	return out
}

// on returns the comments on one pull request, oldest first.
func (s *Server) on(pull int64) []map[string]any {
	return slices.DeleteFunc(s.sorted(), func(c map[string]any) bool { return c["issue_url"] != issue(pull) })
}

// has reports whether there is a pull request of that number; 1 is always there.
func (s *Server) has(number int64) bool {
	return number == 1 || slices.ContainsFunc(s.Pulls, func(p map[string]any) bool { return fmt.Sprint(p["number"]) == fmt.Sprint(number) })
}

func (s *Server) sorted() []map[string]any {
	var ids []int64
	for id := range s.Comments {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	var out []map[string]any
	for _, id := range ids {
		out = append(out, s.Comments[id])
	}
	return out
}

// Run returns a successful run of ci.yml on main, for Runs; the fields of over
// replace its own.
func Run(id int64, event string, over map[string]any) map[string]any {
	own := map[string]any{"id": RepositoryID, "full_name": Repository}
	run := map[string]any{"id": id, "event": event, "head_branch": "main", "head_sha": fmt.Sprintf("%040x", id),
		"status": "completed", "conclusion": "success", "path": ".github/workflows/ci.yml", "repository": own, "head_repository": own}
	for k, v := range over {
		run[k] = v
	}
	return run
}

// Artifact adds an artifact to a run.
func (s *Server) Artifact(run, id int64, name string, data []byte, over map[string]any) {
	a := map[string]any{"id": id, "name": name, "size_in_bytes": len(data), "expired": false,
		"workflow_run": map[string]any{"id": run, "repository_id": RepositoryID, "head_repository_id": RepositoryID}}
	for k, v := range over {
		a[k] = v
	}
	s.Artifacts[run] = append(s.Artifacts[run], a)
	s.Data[id] = data
}

// Pull returns a pull request from a branch of the repository, for Pulls.
func Pull(number int, head, base string, over map[string]any) map[string]any {
	repo := map[string]any{"full_name": Repository, "id": RepositoryID}
	user := map[string]any{"login": "octo"}
	p := map[string]any{"number": number, "state": "open", "head": map[string]any{"sha": head, "ref": "topic", "repo": repo, "user": user},
		"base": map[string]any{"sha": base, "ref": "main", "repo": repo, "user": user}}
	for k, v := range over {
		p[k] = v
	}
	return p
}

type no struct {
	status int
	msg    string
}

// plain is a path without what differs from one request to the next.
func plain(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if _, err := strconv.Atoi(p); err == nil || len(p) >= 40 {
			parts[i] = "*"
		}
	}
	return strings.Replace(strings.Join(parts, "/"), "/repos/"+Repository, "", 1)
}

// Change changes the server while another program may ask it: nothing but its lock orders that program's requests and a test's writes.
func (s *Server) Change(change func(*Server)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(s)
}

// count notes a request and returns the fault that is due.
func (s *Server) count(name string) *fault.Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[name]++
	s.calls = append(s.calls, name)
	if s.Fault == nil {
		return nil
	}
	return s.Fault(Call{name, s.counts[name]})
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	if f := s.count(r.Method + " " + plain(r.URL.Path)); f != nil {
		f.Serve(w, r, s.answer)
		return
	}
	s.answer(w, r)
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	status, v, err := s.route(w, r)
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	if err != nil {
		s.refusals = append(s.refusals, fmt.Sprintf("%s %s: %s", r.Method, plain(r.URL.Path), err.msg))
		status, v = err.status, map[string]any{"message": err.msg, "documentation_url": "https://docs.github.com/rest"}
	}
	w.WriteHeader(status)
	if v != nil {
		_ = json.NewEncoder(w).Encode(v)
	}
}

// refuse is what the API says to a request whatever it asks for.
func refuse(r *http.Request) *no {
	if agent := r.Header.Get("User-Agent"); agent == "" || strings.HasPrefix(agent, "Go-http-client") {
		return &no{403, "Request forbidden by administrative rules. Please make sure your request has a User-Agent header"}
	}
	token, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !bearer || token != Token && token != ReadOnly {
		return &no{401, "Bad credentials"}
	}
	if !strings.HasPrefix(r.Header.Get("Accept"), "application/vnd.github") {
		return &no{415, "Unsupported 'Accept' header"}
	}
	if r.Method != http.MethodGet && token == ReadOnly && r.URL.Path != "/graphql" {
		return &no{403, "Resource not accessible by integration"}
	}
	if r.Method == http.MethodPost || r.Method == http.MethodPatch {
		if r.Header.Get("Content-Type") != "application/json" {
			return &no{415, "Unsupported 'Content-Type'"}
		}
	}
	return nil
}

var notFound = &no{404, "Not Found"}

func (s *Server) route(w http.ResponseWriter, r *http.Request) (int, any, *no) {
	if err := refuse(r); err != nil {
		return 0, nil, err
	}
	switch r.URL.Path {
	case "/graphql":
		return s.viewer(r)
	case "/user":
		if s.bot() {
			return 0, nil, &no{403, "Resource not accessible by integration"}
		}
		return 200, map[string]any{"login": s.Login}, nil
	}
	if owner, ok := strings.CutSuffix(strings.TrimPrefix(r.URL.Path, "/"), "/repos"); ok && r.Method == http.MethodGet {
		return s.owned(w, r, owner)
	}
	if name, ok := strings.CutPrefix(r.URL.Path, "/repos/"); ok && r.Method == http.MethodGet && strings.Count(name, "/") > 2 && strings.Split(name, "/")[2] == "contents" {
		return s.file(r, strings.Replace(name, "/contents/", "/", 1))
	}
	rest, ok := strings.CutPrefix(r.URL.EscapedPath(), "/repos/"+Repository+"/")
	if !ok {
		return 0, nil, notFound
	}
	p := strings.Split(rest, "/")
	for i := range p {
		p[i], _ = url.PathUnescape(p[i])
	}
	shape := r.Method + " " + strings.TrimPrefix(plain("/"+rest), "/")
	switch {
	case strings.HasPrefix(shape, "GET compare/"):
		return s.compare(r, p[1])
	case strings.HasPrefix(shape, "GET git/ref/heads/"):
		return s.branch(strings.Join(p[3:], "/"))
	case shape == "GET pulls":
		return s.pulls(w, r)
	case shape == "GET pulls/*":
		return s.pull(p[1])
	case shape == "GET commits/*/pulls":
		return s.pullsOf(w, r, p[1])
	case strings.HasPrefix(shape, "GET actions/workflows/") && strings.HasSuffix(shape, "/runs") && p[2] == "ci.yml":
		return s.runs(w, r)
	case shape == "GET actions/runs/*/artifacts":
		return s.artifacts(w, r, number(p[2]))
	case shape == "GET actions/artifacts/*/zip":
		return s.zip(w, number(p[2]))
	case shape == "GET issues/*/comments" && s.has(number(p[1])):
		return s.page(w, r, s.on(number(p[1])), nil, "")
	case shape == "POST issues/*/comments" && s.has(number(p[1])):
		return s.addComment(r, number(p[1]))
	case shape == "PATCH issues/comments/*" || shape == "DELETE issues/comments/*":
		return s.changeComment(r, number(p[2]))
	}
	return 0, nil, notFound
}

// owned lists the repositories of an organisation, or of a person.
func (s *Server) owned(w http.ResponseWriter, r *http.Request, owner string) (int, any, *no) {
	list, ok := s.Owned[owner]
	if !ok {
		return 0, nil, notFound
	}
	kind := map[bool]string{true: "all", false: "owner"}[strings.HasPrefix(owner, "orgs/")]
	if q := r.URL.Query(); q.Get("type") != kind || q.Get("sort") != "full_name" {
		return 0, nil, &no{422, "Validation Failed: type or sort"}
	}
	all := func(map[string]any, string) bool { return true }
	seen := slices.DeleteFunc(slices.Clone(list), func(e map[string]any) bool {
		return e["private"] == true && !strings.HasSuffix(r.Header.Get("Authorization"), Token)
	})
	return s.page(w, r, seen, map[string]filter{"type": all, "sort": all}, "")
}

// maxContents is the size, in bytes, above which the API says of a file no more than that it is there.
const maxContents = 1 << 20

// file is a file, or a folder, of a default branch. That there is none is no fault of who asks.
func (s *Server) file(r *http.Request, name string) (int, any, *no) {
	for at := range r.URL.Query() {
		return 0, nil, &no{422, at + " is no parameter"}
	}
	of := map[string]any{"type": "file", "name": path.Base(name), "path": strings.Join(strings.Split(name, "/")[2:], "/")}
	if content, ok := s.Files[name]; ok {
		of["size"], of["encoding"], of["content"] = len(content), "base64", wrapped(base64.StdEncoding.EncodeToString([]byte(content)))
		if len(content) > maxContents {
			of["encoding"], of["content"] = "none", ""
		}
		return 200, of, nil
	}
	for other := range s.Files {
		if strings.HasPrefix(other, name+"/") {
			return 200, []any{map[string]any{"type": "file", "path": other}}, nil
		}
	}
	return 404, map[string]any{"message": "Not Found"}, nil
}

// wrapped is base64 as the API writes it: in lines.
func wrapped(s string) string {
	var b strings.Builder
	for len(s) > 60 {
		b.WriteString(s[:60] + "\n")
		s = s[60:]
	}
	return b.String() + s + "\n"
}

// number reads an id; what is none names nothing.
func number(s string) int64 {
	n, _ := strconv.ParseInt(s, 10, 64)
	return n
}

func (s *Server) bot() bool { return strings.HasSuffix(s.Login, "[bot]") }

func (s *Server) viewer(r *http.Request) (int, any, *no) {
	if s.NoGraphQL || r.Method != http.MethodPost {
		return 0, nil, notFound
	}
	var q struct{ Query string }
	if json.NewDecoder(r.Body).Decode(&q) != nil || strings.Join(strings.Fields(q.Query), " ") != "query { viewer { login } }" {
		return 0, nil, &no{400, "A query attribute must be specified and must be a string."}
	}
	return 200, map[string]any{"data": map[string]any{"viewer": map[string]any{"login": s.Login}}}, nil
}

func (s *Server) branch(name string) (int, any, *no) {
	sha, ok := s.Branches[name]
	if !ok {
		return 0, nil, notFound
	}
	return 200, map[string]any{"ref": "refs/heads/" + name, "object": map[string]any{"type": "commit", "sha": sha}}, nil
}

// filter says whether an element is kept for the value of a query's parameter.
type filter = func(e map[string]any, value string) bool

func (s *Server) pulls(w http.ResponseWriter, r *http.Request) (int, any, *no) {
	return s.page(w, r, s.Pulls, map[string]filter{
		"state": func(p map[string]any, v string) bool { return v == "all" || p["state"] == v },
		"head": func(p map[string]any, v string) bool {
			head, _ := p["head"].(map[string]any)
			repo, _ := head["repo"].(map[string]any)
			name, _ := repo["full_name"].(string)
			owner, _, _ := strings.Cut(name, "/")
			return v == fmt.Sprintf("%s:%s", owner, head["ref"])
		},
	}, "")
}

func (s *Server) pull(number string) (int, any, *no) {
	for _, pull := range s.Pulls {
		if fmt.Sprint(pull["number"]) == number {
			return 200, pull, nil
		}
	}
	return 0, nil, notFound
}

func (s *Server) pullsOf(w http.ResponseWriter, r *http.Request, commit string) (int, any, *no) {
	var list []map[string]any
	for _, pull := range s.Pulls {
		contains, _ := pull["contains"].(string) // an earlier commit of the request
		if (pull["head"].(map[string]any)["sha"] == commit || contains == commit) && pull["hidden"] == nil {
			list = append(list, pull)
		}
	}
	return s.page(w, r, list, nil, "")
}

func (s *Server) runs(w http.ResponseWriter, r *http.Request) (int, any, *no) {
	is := func(field string) filter {
		return func(run map[string]any, v string) bool { return run[field] == v || run["lying"] != nil }
	}
	return s.page(w, r, s.Runs, map[string]filter{
		"branch": is("head_branch"), "event": is("event"), "status": is("conclusion"),
		"exclude_pull_requests": func(map[string]any, string) bool { return true },
	}, "workflow_runs")
}

func (s *Server) artifacts(w http.ResponseWriter, r *http.Request, run int64) (int, any, *no) {
	if s.Artifacts[run] == nil && !slices.ContainsFunc(s.Runs, func(r map[string]any) bool { return r["id"] == run }) {
		return 0, nil, notFound
	}
	return s.page(w, r, s.Artifacts[run], map[string]filter{
		"name": func(a map[string]any, v string) bool { return a["name"] == v || a["lying"] != nil },
	}, "artifacts")
}

func (s *Server) zip(w http.ResponseWriter, id int64) (int, any, *no) {
	if s.Data[id] == nil {
		return 0, nil, &no{410, "Artifact has expired"}
	}
	w.Header().Set("Location", fmt.Sprintf("%s/artifact/%d?sig=a%%2Fb", s.Storage, id))
	return 302, nil, nil
}

func (s *Server) addComment(r *http.Request, pull int64) (int, any, *no) {
	body, err := bodyOf(r)
	if err != nil {
		return 0, nil, err
	}
	kind := "User"
	if s.bot() {
		kind = "Bot"
	}
	return 201, s.comment(pull, s.Login, kind, body), nil
}

func (s *Server) changeComment(r *http.Request, id int64) (int, any, *no) {
	c := s.Comments[id]
	if c == nil {
		return 0, nil, notFound
	}
	if r.Method == http.MethodDelete {
		delete(s.Comments, id)
		return 204, nil, nil
	}
	body, err := bodyOf(r)
	if err != nil {
		return 0, nil, err
	}
	c["body"] = body
	return 200, c, nil
}

func (s *Server) compare(r *http.Request, pair string) (int, any, *no) {
	base, known := s.Commits[pair]
	switch {
	case !known:
		return 0, nil, &no{404, "Not Found"}
	case base == "":
		b, h, _ := strings.Cut(pair, "...")
		return 0, nil, &no{404, "No common ancestor between " + b + " and " + h + "."}
	}
	got := map[string]any{"status": "diverged", "commits": []any{}, "merge_base_commit": map[string]any{"sha": base}}
	if page := r.URL.Query().Get("page"); page == "" || page == "1" {
		got["files"] = []any{map[string]any{"filename": "a", "patch": strings.Repeat("+", 100)}}
	}
	return 200, got, nil
}

// bodyOf reads a comment's text.
func bodyOf(r *http.Request) (string, *no) {
	var c struct {
		Body *string `json:"body"`
	}
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	switch err := d.Decode(&c); {
	case err != nil:
		return "", &no{400, "Problems parsing JSON"}
	case c.Body == nil || strings.TrimSpace(*c.Body) == "":
		return "", &no{422, "Validation Failed: body can't be blank"}
	case len(utf16.Encode([]rune(*c.Body))) > 65536:
		return "", &no{422, "Validation Failed: Body is too long (maximum is 65536 characters)"}
	}
	// The service gives back what it stores: with its own line ends.
	return strings.ReplaceAll(*c.Body, "\n", "\r\n"), nil
}

// page answers with one page of the list, filtered by the query's parameters, of
// which only those of keep are known. Under is the name of the list in the
// answer, "" when the answer is the list.
func (s *Server) page(w http.ResponseWriter, r *http.Request, list []map[string]any, keep map[string]filter, under string) (int, any, *no) {
	q := r.URL.Query()
	size, number := 30, 1
	for k, v := range q {
		n, err := strconv.Atoi(v[0])
		switch {
		case k == "per_page" && err == nil && n >= 1 && n <= 100:
			size = n
		case k == "page" && err == nil && n >= 1:
			number = n
		case keep[k] != nil:
			list = slices.DeleteFunc(slices.Clone(list), func(e map[string]any) bool { return !keep[k](e, v[0]) })
		default:
			return 0, nil, &no{422, "Validation Failed: parameter " + k}
		}
	}
	total := len(list)
	from := min((number-1)*size, total)
	list = list[from:min(from+size, total)]
	if from+size < total {
		q.Set("page", strconv.Itoa(number+1))
		w.Header().Set("Link", fmt.Sprintf(`<%s%s?%s>; rel="next"`, s.URL, r.URL.Path, q.Encode()))
	}
	if list == nil {
		list = []map[string]any{}
	}
	if under != "" {
		return 200, map[string]any{"total_count": total, under: list}, nil
	}
	return 200, list, nil
}

// store serves the bytes of artifacts.
func (s *Server) store(w http.ResponseWriter, r *http.Request) {
	next := func(w http.ResponseWriter, r *http.Request) {
		id, _ := strconv.ParseInt(strings.TrimPrefix(r.URL.Path, "/artifact/"), 10, 64)
		s.mu.Lock()
		data, ok := s.Data[id]
		bad := ""
		switch {
		case r.Header.Get("Authorization") != "":
			bad = "the storage was sent a token"
		case r.URL.RawQuery != "sig=a%2Fb":
			bad = "the storage's signature is wrong"
		case !ok || r.Method != http.MethodGet:
			bad = "the storage has no such thing"
		}
		if bad != "" {
			s.refusals = append(s.refusals, bad)
		}
		s.mu.Unlock()
		if bad != "" {
			http.Error(w, bad, http.StatusForbidden)
			return
		}
		w.Header().Set("Content-Type", "application/zip")
		if s.NoRanges {
			r.Header.Del("Range")
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	}
	if f := s.count("STORAGE"); f != nil {
		f.Serve(w, r, next)
		return
	}
	next(w, r)
}
