package artifacttest

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// caller speaks the protocol by hand, so that each part of it can be got wrong.
type caller struct {
	t     *testing.T
	s     *Server
	token string
}

func (c caller) do(method, addr string, header map[string]string, body io.Reader) (int, string) {
	c.t.Helper()
	r, err := http.NewRequest(method, addr, body)
	if err != nil {
		c.t.Fatal(err)
	}
	for k, v := range header {
		r.Header.Set(k, v)
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	data, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(data)
}

func (c caller) rpc(method, body string) (int, string) {
	c.t.Helper()
	return c.do("POST", c.s.URL+servicePath+method, map[string]string{"Content-Type": "application/json", "Authorization": "Bearer " + c.token}, strings.NewReader(body))
}

const (
	ids     = `"workflow_run_backend_id":"run","workflow_job_run_backend_id":"job"`
	version = "2026-04-06"
	content = "hello world"
)

func (c caller) create() string {
	c.t.Helper()
	status, body := c.rpc("CreateArtifact", `{`+ids+`,"name":"ctx","version":4}`)
	var got map[string]any
	if json.Unmarshal([]byte(body), &got) != nil || status != 200 || got["ok"] != true {
		c.t.Fatal(status, body)
	}
	return got["signed_upload_url"].(string)
}

func (c caller) block(addr, id, data string) (int, string) {
	c.t.Helper()
	return c.do("PUT", addr+"&comp=block&blockid="+url.QueryEscape(id), map[string]string{"X-Ms-Version": version}, strings.NewReader(data))
}

func (c caller) list(addr string, ids ...string) (int, string) {
	c.t.Helper()
	return c.do("PUT", addr+"&comp=blocklist", map[string]string{"X-Ms-Version": version, "X-Ms-Blob-Content-Type": "application/zip"},
		strings.NewReader("<BlockList><Latest>"+strings.Join(ids, "</Latest><Latest>")+"</Latest></BlockList>"))
}

func id(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

func (c caller) upload() string {
	c.t.Helper()
	addr := c.create()
	// Sent in the other order; the list decides.
	for _, b := range [][2]string{{"2", "world"}, {"1", "hello "}} {
		if status, body := c.block(addr, id(b[0]), b[1]); status != 201 {
			c.t.Fatal(status, body)
		}
	}
	if status, body := c.list(addr, id("1"), id("2")); status != 201 {
		c.t.Fatal(status, body)
	}
	return addr
}

var finalize = `{` + ids + `,"name":"ctx","size":"11","hash":"` + digest([]byte(content)) + `"}`

func start(t *testing.T) caller {
	s := Start(t)
	return caller{t, s, s.Token(Job{Run: "run", Job: "job"})}
}

// What is right is taken.
func TestAccepts(t *testing.T) {
	c := start(t)
	addr := c.upload()
	if status, body := c.list(addr, id("1"), id("2")); status != 201 {
		t.Errorf("the same list again: %d %s", status, body)
	}
	if status, body := c.rpc("FinalizeArtifact", finalize); status != 200 || body != `{"artifact_id":"1001","ok":true}`+"\n" {
		t.Error(status, body)
	}
	want := `{"artifacts":[{"created_at":"2026-11-21T08:00:00Z","database_id":"1001","digest":"` + digest([]byte(content)) +
		`","name":"ctx","size":"11","workflow_job_run_backend_id":"job","workflow_run_backend_id":"run"}]}` + "\n"
	for filter, want := range map[string]string{``: want, `,"name_filter":"ctx"`: want, `,"id_filter":"1001"`: want,
		`,"name_filter":"x"`: `{"artifacts":[]}` + "\n", `,"id_filter":"7"`: `{"artifacts":[]}` + "\n"} {
		if status, body := c.rpc("ListArtifacts", `{`+ids+filter+`}`); status != 200 || body != want {
			t.Error(filter, status, body)
		}
	}
	_, body := c.rpc("GetSignedArtifactURL", `{`+ids+`,"name":"ctx"}`)
	var got map[string]string
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatal(body)
	}
	if status, body := c.do("GET", got["signed_url"], nil, nil); status != 200 || body != content {
		t.Error(status, body)
	}
	if status, body := c.do("GET", got["signed_url"], map[string]string{"Range": "bytes=6-"}, nil); status != 206 || body != "world" {
		t.Error(status, body)
	}
	if status, body := c.rpc("DeleteArtifact", `{`+ids+`,"name":"ctx"}`); status != 200 || len(c.s.Artifacts()) > 0 {
		t.Error(status, body)
	}
	if status, body := c.rpc("CreateArtifact", `{`+ids+`,"name":"x","version":7,"mime_type":"application/x-tar","expires_at":"2027-02-19T08:00:00.000Z"}`); status != 200 {
		t.Error(status, body)
	}
	if r := c.s.Refusals(); len(r) > 0 {
		t.Errorf("%q", r)
	}
}

// Every check of the server stands here with a request that only it refuses: the
// words are compared, so that a check that is taken away fails its row.
func TestRefuses(t *testing.T) {
	jsonType := map[string]string{"Content-Type": "application/json"}
	put := func(prepare func(c caller) string, query string, header map[string]string, body string) func(caller) (int, string) {
		return func(c caller) (int, string) {
			return c.do("PUT", prepare(c)+query, header, strings.NewReader(body))
		}
	}
	rpc := func(method, body string) func(caller) (int, string) {
		return func(c caller) (int, string) { return c.rpc(method, body) }
	}
	created := func(method, body string) func(caller) (int, string) {
		return func(c caller) (int, string) { c.create(); return c.rpc(method, body) }
	}
	uploaded := func(method, body string) func(caller) (int, string) {
		return func(c caller) (int, string) { c.upload(); return c.rpc(method, body) }
	}
	finished := func(next func(c caller, addr string) (int, string)) func(caller) (int, string) {
		return func(c caller) (int, string) {
			addr := c.upload()
			if status, body := c.rpc("FinalizeArtifact", finalize); status != 200 {
				c.t.Fatal(status, body)
			}
			return next(c, addr)
		}
	}
	// A block as it should be, but for what the row changes.
	v := map[string]string{"X-Ms-Version": version}
	block := "&comp=block&blockid=MQ%3D%3D"
	new := caller.create
	for _, test := range []struct {
		name   string
		do     func(caller) (int, string)
		status int
		words  string
	}{
		{"unknown method", rpc("MigrateArtifact", `{}`), 404, "no handler for path"},
		{"GET", func(c caller) (int, string) {
			return c.do("GET", c.s.URL+servicePath+"ListArtifacts", jsonType, nil)
		}, 404, "only POST is allowed"},
		{"not JSON by type", func(c caller) (int, string) {
			return c.do("POST", c.s.URL+servicePath+"ListArtifacts", map[string]string{"Authorization": "Bearer " + c.token}, strings.NewReader(`{`+ids+`}`))
		}, 404, "unexpected Content-Type"},
		{"no token", func(c caller) (int, string) {
			return c.do("POST", c.s.URL+servicePath+"ListArtifacts", jsonType, strings.NewReader(`{`+ids+`}`))
		}, 401, "no bearer token"},
		{"no web token", func(c caller) (int, string) { c.token = "x"; return c.rpc("ListArtifacts", `{`+ids+`}`) }, 401, "not a JSON web token"},
		{"forged token", func(c caller) (int, string) {
			c.token = (&Server{key: []byte("another")}).Token(Job{Run: "run", Job: "job"})
			return c.rpc("ListArtifacts", `{`+ids+`}`)
		}, 401, "signature is wrong"},
		{"expired token", func(c caller) (int, string) {
			c.token = c.s.Token(Job{Run: "run", Job: "job", Expired: true})
			return c.rpc("ListArtifacts", `{`+ids+`}`)
		}, 401, "has expired"},
		{"scope", func(c caller) (int, string) {
			c.token = c.s.Token(Job{Run: "run", Job: "job:more"})
			return c.rpc("ListArtifacts", `{`+ids+`}`)
		}, 403, "lacks the scope"},
		{"another run", rpc("ListArtifacts", strings.Replace(`{`+ids+`}`, `"run"`, `"run2"`, 1)), 403, "not of that run"},
		{"another job", rpc("ListArtifacts", strings.Replace(`{`+ids+`}`, `"job"`, `"job2"`, 1)), 403, "not of that job"},
		{"no job", rpc("ListArtifacts", `{"workflow_run_backend_id":"run"}`), 400, "workflow_job_run_backend_id is required"},
		{"no JSON", rpc("ListArtifacts", `<!DOCTYPE html>`), 400, "could not be decoded"},
		{"null", rpc("ListArtifacts", `null`), 400, "could not be decoded"},
		{"two values", rpc("ListArtifacts", `{`+ids+`} {}`), 400, "more than one value"},
		{"camelCase", rpc("ListArtifacts", `{`+ids+`,"nameFilter":"x"}`), 400, `unknown field \"nameFilter\"`},
		{"field of another method", rpc("ListArtifacts", `{`+ids+`,"name":"x"}`), 400, `unknown field \"name\"`},
		{"number as text", rpc("CreateArtifact", `{`+ids+`,"name":"ctx","version":"4"}`), 400, "version is not a number"},
		{"text as number", rpc("CreateArtifact", `{`+ids+`,"name":4,"version":4}`), 400, "name is not a string"},
		{"64-bit number as number", uploaded("FinalizeArtifact", strings.Replace(finalize, `"11"`, `11`, 1)), 400, "size is not a string"},
		{"64-bit number as words", uploaded("FinalizeArtifact", strings.Replace(finalize, `"11"`, `"eleven"`, 1)), 400, "size is not a 64-bit number"},
		{"no name", rpc("CreateArtifact", `{`+ids+`,"version":4}`), 400, "name is not valid"},
		{"bad name", rpc("CreateArtifact", `{`+ids+`,"name":"a/b","version":4}`), 400, "name is not valid"},
		{"no version", rpc("CreateArtifact", `{`+ids+`,"name":"ctx"}`), 400, "version is not supported"},
		{"version 8", rpc("CreateArtifact", `{`+ids+`,"name":"ctx","version":8}`), 400, "version is not supported"},
		{"version 4 with type", rpc("CreateArtifact", `{`+ids+`,"name":"ctx","version":4,"mime_type":"application/zip"}`), 400, "mime_type is not allowed"},
		{"version 7 without", rpc("CreateArtifact", `{`+ids+`,"name":"ctx","version":7}`), 400, "mime_type a valid mime_type is required"},
		{"version 7 with another", rpc("CreateArtifact", `{`+ids+`,"name":"ctx","version":7,"mime_type":"text/x-sh"}`), 400, "mime_type a valid mime_type is required"},
		{"no time", rpc("CreateArtifact", `{`+ids+`,"name":"ctx","version":4,"expires_at":"in a week"}`), 400, "expires_at is not a timestamp"},
		{"past", rpc("CreateArtifact", `{`+ids+`,"name":"ctx","version":4,"expires_at":"2026-11-21T08:00:00Z"}`), 400, "expires_at is in the past"},
		{"too long", rpc("CreateArtifact", `{`+ids+`,"name":"ctx","version":4,"expires_at":"2027-11-21T08:00:00Z"}`), 400, "beyond the repository's retention"},
		{"full", func(c caller) (int, string) {
			c.s.Full = true
			return c.rpc("CreateArtifact", `{`+ids+`,"name":"ctx","version":4}`)
		}, 403, "insufficient usage"},
		{"name taken", created("CreateArtifact", `{`+ids+`,"name":"ctx","version":4}`), 409, "an artifact with this name already exists on the workflow run"},
		{"name taken by another job", func(c caller) (int, string) {
			c.create()
			c.token = c.s.Token(Job{Run: "run", Job: "job2"})
			return c.rpc("CreateArtifact", strings.Replace(`{`+ids+`,"name":"ctx","version":4}`, `"job"`, `"job2"`, 1))
		}, 409, "an artifact with this name already exists on the workflow run"},
		{"unknown field of old servers", func(c caller) (int, string) {
			c.s.NoMime = true
			return c.rpc("CreateArtifact", `{`+ids+`,"name":"ctx","version":7,"mime_type":"application/zip"}`)
		}, 500, ""},

		{"finish nothing", rpc("FinalizeArtifact", finalize), 404, "artifact not found"},
		{"finish without upload", created("FinalizeArtifact", finalize), 400, "nothing was uploaded"},
		{"finish without list", func(c caller) (int, string) {
			c.block(c.create(), id("1"), content)
			return c.rpc("FinalizeArtifact", finalize)
		}, 400, "nothing was uploaded"},
		{"wrong size", uploaded("FinalizeArtifact", strings.Replace(finalize, `"11"`, `"12"`, 1)), 400, "size is not that of the upload"},
		{"wrong hash", uploaded("FinalizeArtifact", strings.Replace(finalize, digest([]byte(content)), digest(nil), 1)), 400, "hash is not that of the upload"},
		{"hash of another algorithm", uploaded("FinalizeArtifact", strings.Replace(finalize, "sha256:", "", 1)), 400, "hash is not that of the upload"},
		{"wrong order", func(c caller) (int, string) {
			addr := c.create()
			c.block(addr, id("1"), "hello ")
			c.block(addr, id("2"), "world")
			c.list(addr, id("2"), id("1"))
			return c.rpc("FinalizeArtifact", finalize)
		}, 400, "hash is not that of the upload"},
		{"finish twice", finished(func(c caller, _ string) (int, string) { return c.rpc("FinalizeArtifact", finalize) }), 409, "finalized already"},
		{"delete nothing", rpc("DeleteArtifact", `{`+ids+`,"name":"ctx"}`), 404, "artifact not found"},
		{"delete with the wrong job", created("DeleteArtifact", strings.Replace(`{`+ids+`,"name":"ctx"}`, `"job"`, `"job2"`, 1)), 404, "artifact not found"},
		{"address of an unfinished one", uploaded("GetSignedArtifactURL", `{`+ids+`,"name":"ctx"}`), 404, "artifact not found"},

		{"token to the storage", put(new, block, map[string]string{"X-Ms-Version": version, "Authorization": "Bearer x"}, "x"), 403, "The token of the job is not for the storage"},
		{"no signature", put(func(c caller) string { addr, _, _ := strings.Cut(c.create(), "&sig="); return addr }, block, v, "x"), 403, "The query is not the one that was signed"},
		{"query spelled anew", put(func(c caller) string { return strings.Replace(c.create(), "%3b", "%3B", 1) }, block, v, "x"), 403, "The query is not the one that was signed"},
		{"query in another order", put(func(c caller) string {
			addr, q, _ := strings.Cut(c.create(), "?")
			p := strings.Split(q, "&")
			p[0], p[1] = p[1], p[0]
			return addr + "?" + strings.Join(p, "&")
		}, block, v, "x"), 403, "The query is not the one that was signed"},
		{"wrong value", put(func(c caller) string { return strings.Replace(c.create(), "sp=cw", "sp=rw", 1) }, block, v, "x"), 403, "The query is not the one that was signed"},
		{"comp in front", put(func(c caller) string { return strings.Replace(c.create(), "?", "?comp=block&blockid=MQ%3D%3D&", 1) }, "", v, "x"), 403, "The query is not the one that was signed"},
		{"signature for another blob", put(func(c caller) string { c.upload(); return strings.Replace(c.another(), "/1002?", "/1001?", 1) }, block, v, "x"), 403, "The query is not the one that was signed"},
		{"reading with leave to write", finished(func(c caller, addr string) (int, string) { return c.do("GET", addr, nil, nil) }), 403, "The query is not the one that was signed"},
		{"writing with leave to read", finished(func(c caller, _ string) (int, string) {
			_, body := c.rpc("GetSignedArtifactURL", `{`+ids+`,"name":"ctx"}`)
			var got map[string]string
			_ = json.Unmarshal([]byte(body), &got)
			return c.block(got["signed_url"], id("1"), "x")
		}), 403, "AuthorizationPermissionMismatch"},
		{"no such blob", put(func(c caller) string { return strings.Replace(c.create(), "/1001?", "/7?", 1) }, block, v, "x"), 404, "BlobNotFound"},
		{"POST", func(c caller) (int, string) { return c.do("POST", c.create()+block, v, strings.NewReader("x")) }, 405, "UnsupportedHttpVerb"},
		{"whole blob at once", put(new, "", v, "x"), 400, "a whole blob in one request"},
		{"block without version", put(new, block, nil, "x"), 400, "x-ms-version is missing"},
		{"block with odd version", put(new, block, map[string]string{"X-Ms-Version": "latest"}, "x"), 400, "x-ms-version is missing"},
		{"block id no base64", put(new, "&comp=block&blockid=%21%21", v, "x"), 400, "block id is not base64"},
		{"empty block id", put(new, "&comp=block&blockid=", v, "x"), 403, "The query is not the one that was signed"},
		{"block id not escaped", put(new, "&comp=block&blockid=+w==", v, "x"), 400, "block id is not base64"},
		{"block id too long", put(new, "&comp=block&blockid="+url.QueryEscape(id(strings.Repeat("x", 65))), v, "x"), 400, "block id is not base64 of 1 to 64 bytes"},
		{"block of unknown length", func(c caller) (int, string) {
			return c.do("PUT", c.create()+block, v, io.MultiReader(strings.NewReader("x")))
		}, 411, "MissingContentLengthHeader"},
		{"empty block", func(c caller) (int, string) { return c.block(c.create(), id("1"), "") }, 400, "A block is not empty"},
		{"ids of two lengths", func(c caller) (int, string) {
			addr := c.create()
			c.block(addr, id("1"), "x")
			return c.block(addr, id("1000"), "x")
		}, 400, "InvalidBlobOrBlock"},
		{"block after the end", finished(func(c caller, addr string) (int, string) { return c.block(addr, id("3"), "x") }), 403, "The upload is finished"},
		{"list after the end", finished(func(c caller, addr string) (int, string) { return c.list(addr, id("1")) }), 403, "The upload is finished"},
		{"list without version", put(new, "&comp=blocklist", map[string]string{"X-Ms-Blob-Content-Type": "application/zip"}, "<BlockList></BlockList>"), 400, "x-ms-version is missing"},
		{"list that is no XML", put(new, "&comp=blocklist", map[string]string{"X-Ms-Version": version, "X-Ms-Blob-Content-Type": "application/zip"}, "{}"), 400, "InvalidXmlDocument"},
		{"list of another kind", put(new, "&comp=blocklist", map[string]string{"X-Ms-Version": version, "X-Ms-Blob-Content-Type": "application/zip"}, "<Blocks></Blocks>"), 400, "InvalidXmlDocument"},
		{"list without type", put(new, "&comp=blocklist", v, "<BlockList></BlockList>"), 400, "is not the type that was announced"},
		{"list of another type", put(new, "&comp=blocklist", map[string]string{"X-Ms-Version": version, "X-Ms-Blob-Content-Type": "application/x-tar"}, "<BlockList></BlockList>"), 400, "is not the type that was announced"},
		{"list with an unknown block", func(c caller) (int, string) {
			addr := c.create()
			c.block(addr, id("1"), "x")
			return c.list(addr, id("1"), id("2"))
		}, 400, "InvalidBlockList"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := start(t)
			status, body := test.do(caller{t, c.s, c.token})
			if status != test.status || !strings.Contains(body, test.words) {
				t.Errorf("%d %s; want %d %q", status, body, test.status, test.words)
			}
			if len(c.s.Refusals()) != 1 {
				t.Errorf("noted %q, want one refusal", c.s.Refusals())
			}
		})
	}
}

// another makes a second artifact.
func (c caller) another() string {
	c.t.Helper()
	_, body := c.rpc("CreateArtifact", `{`+ids+`,"name":"ctx2","version":4}`)
	var got map[string]any
	_ = json.Unmarshal([]byte(body), &got)
	addr, _ := got["signed_upload_url"].(string)
	return addr
}

// A body that ends before the length that was stated stores nothing.
func TestCutBody(t *testing.T) {
	c := start(t)
	addr := c.create()
	u, _ := url.Parse(addr)
	conn, err := net.Dial("tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, "PUT "+u.RequestURI()+"&comp=block&blockid=MQ%3D%3D HTTP/1.1\r\nHost: x\r\nX-Ms-Version: "+version+"\r\nContent-Length: 10\r\n\r\nhello")
	_ = conn.(*net.TCPConn).CloseWrite()
	if answer, _ := io.ReadAll(conn); !strings.Contains(string(answer), "IncompleteBody") {
		t.Errorf("%q", answer)
	}
	if status, body := c.list(addr, id("1")); status != 400 || !strings.Contains(body, "InvalidBlockList") {
		t.Error(status, body)
	}
}
