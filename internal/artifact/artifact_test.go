package artifact

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/artifact/artifacttest"
	"github.com/haversack-dev/haversack/internal/fault"
)

var job = artifacttest.Job{Run: "run-1", Job: "job-1"}

// client returns a client for the job, which does not sleep, and the waits that
// it would have slept.
func client(t *testing.T, s *artifacttest.Server, j artifacttest.Job) (*Client, *fault.Timer) {
	t.Helper()
	env := s.Env(j)
	c, err := FromEnv(func(k string) string { return env[k] })
	if err != nil {
		t.Fatal(err)
	}
	timer := new(fault.Timer)
	c.Timer = timer
	c.now = func() time.Time { return artifacttest.Now }
	t.Cleanup(c.http.CloseIdleConnections)
	return c, timer
}

func inMemory(name, data string) File {
	return File{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(data)), nil }}
}

func sha(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// small is an upload of one block.
var small = Upload{Name: "context", Files: []File{inMemory("archive.tar", "tar"), inMemory("record.json", "{}")}}

func TestUpload(t *testing.T) {
	big := bytes.Repeat([]byte("0123456789abcdef"), 17<<20/16)
	dir := t.TempDir()
	path := filepath.Join(dir, "x.tar")
	if err := os.WriteFile(path, big, 0o600); err != nil {
		t.Fatal(err)
	}
	tar := onDisk(t, "archive.tar", path)
	tar.SHA256 = sha(big)
	var first []byte
	for _, server := range []struct{ camel, numbers bool }{{false, false}, {true, false}, {true, true}} {
		s := artifacttest.Start(t)
		s.CamelCase, s.Numbers = server.camel, server.numbers
		c, _ := client(t, s, job)
		var masked []string
		c.Mask = func(secret string) { masked = append(masked, secret) }
		var sent []int64
		res, err := c.Upload(context.Background(), Upload{
			Name:          "context",
			Files:         []File{tar, inMemory("pack.json", "{}")},
			RetentionDays: 7,
			Progress:      func(n, total int64) { sent = append(sent, n, total) },
		})
		if err != nil {
			t.Fatal(err)
		}
		if r := s.Refusals(); len(r) > 0 {
			t.Errorf("the server objected: %q", r)
		}
		got := s.Artifacts()
		if len(got) != 1 || !got[0].Finished {
			t.Fatalf("artifacts: %+v", got)
		}
		a := got[0]
		want := Result{ID: a.ID, Name: "context", Size: int64(len(a.Data)), SHA256: sha(a.Data),
			URL: fmt.Sprintf("https://github.com/octo/widgets/actions/runs/77/artifacts/%d", a.ID)}
		if fmt.Sprint(res) != fmt.Sprint(want) {
			t.Errorf("result %+v, want %+v", res, want)
		}
		if a.Version != 4 || a.ExpiresAt != "2026-11-28T08:00:00.000Z" {
			t.Errorf("version %d, expires %s", a.Version, a.ExpiresAt)
		}
		if want := []string{"CreateArtifact", "PutBlock", "PutBlock", "PutBlock", "PutBlockList", "FinalizeArtifact"}; !slices.Equal(s.Calls(), want) {
			t.Errorf("calls %q, want %q", s.Calls(), want)
		}
		if n := len(sent); n != 6 || sent[0] != 8<<20 || sent[4] > sent[5] || !slices.IsSorted([]int64{sent[0], sent[2], sent[4]}) {
			t.Errorf("progress %d", sent)
		}
		// As it stands in the address and as it reads; the signature always has "=".
		if !slices.ContainsFunc(masked, func(m string) bool { return strings.HasSuffix(m, "%3D") }) ||
			!slices.ContainsFunc(masked, func(m string) bool { return strings.HasSuffix(m, "=") }) {
			t.Errorf("masked %q", masked)
		}
		if first == nil {
			first = a.Data
		} else if !bytes.Equal(first, a.Data) {
			t.Error("the same files gave other bytes")
		}
		back, err := Member(bytes.NewReader(a.Data), int64(len(a.Data)), "archive.tar", 1<<30)
		if err != nil || !bytes.Equal(back, big) {
			t.Errorf("archive.tar came back with %d bytes, %v", len(back), err)
		}
	}
}

// An upload holds one block, not the archive.
func TestStreams(t *testing.T) {
	s := artifacttest.Start(t)
	real, _ := url.Parse(s.URL)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut { // the storage keeps nothing here
			_, _ = io.Copy(io.Discard, r.Body)
			w.WriteHeader(http.StatusCreated)
			return
		}
		if strings.HasSuffix(r.URL.Path, "FinalizeArtifact") {
			_, _ = io.WriteString(w, `{"ok":true,"artifact_id":"1"}`)
			return
		}
		httputil.NewSingleHostReverseProxy(real).ServeHTTP(w, r)
	}))
	defer proxy.Close()
	c, _ := client(t, s, job)
	c.http.Transport = &http.Transport{Proxy: func(*http.Request) (*url.URL, error) { return url.Parse(proxy.URL) }}
	defer c.http.CloseIdleConnections()
	const size = 64 << 20
	zeros := File{Name: "archive.tar", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(io.LimitReader(zeroReader{}, size)), nil
	}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	res, err := c.Upload(context.Background(), Upload{Name: "context", Files: []File{zeros}})
	if err != nil || res.Size < size {
		t.Fatal(res, err)
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 32<<20 {
		t.Errorf("%d MiB allocated for an upload of %d MiB", got>>20, size>>20)
	}
}

type zeroReader struct{}

func (zeroReader) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// The zip can be read as a stream: sizes stand in front of the data, which
// stands there byte for byte.
func TestZipHeader(t *testing.T) {
	members, err := measure([]File{inMemory("a.txt", "hello"), inMemory("ä/b", "")})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := writeZip(&b, members, 0); err != nil {
		t.Fatal(err)
	}
	want := "PK\x03\x04\x14\x00\x00\x08\x00\x00\x00\x00\x21\x00\x86\xa6\x10\x36\x05\x00\x00\x00\x05\x00\x00\x00\x05\x00\x00\x00a.txthelloPK\x03\x04"
	if !strings.HasPrefix(b.String(), want) {
		t.Errorf("zip starts %q, want %q", b.String()[:len(want)], want)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var list strings.Builder
	for _, f := range z.File {
		fmt.Fprintln(&list, f.Mode(), f.Method, f.Modified.UTC().Format(time.DateTime), f.UncompressedSize64, f.Name)
	}
	if want := "-rw-r--r-- 0 1980-01-01 00:00:00 5 a.txt\n-rw-r--r-- 0 1980-01-01 00:00:00 0 ä/b\n"; list.String() != want {
		t.Errorf("listing\n%swant\n%s", list.String(), want)
	}
}

// Entries are deflated where that helps, the same way each time, and come back whole.
func TestLevel(t *testing.T) {
	text := strings.Repeat("package main\n\nfunc main() {}\n", 100_000)
	sizes := map[int]int64{}
	for _, level := range []int{0, 1, 6, 9} {
		var first []byte
		for range 2 {
			s := artifacttest.Start(t)
			c, _ := client(t, s, job)
			files := []File{inMemory("archive.tar", text), inMemory("archive.tar.zst", text), inMemory("ä/empty", ""), inMemory("record.json", "{}")}
			res, err := c.Upload(context.Background(), Upload{Name: "context", Files: files, Level: level})
			if err != nil || len(s.Refusals()) > 0 {
				t.Fatal(err, s.Refusals())
			}
			data := s.Artifacts()[0].Data
			if first != nil && !bytes.Equal(first, data) {
				t.Errorf("level %d: the same files gave other bytes", level)
			}
			first, sizes[level] = data, res.Size
			z, err := zip.NewReader(bytes.NewReader(data), res.Size)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range z.File {
				deflated := level > 0 && (f.Name == "archive.tar" || f.Name == "record.json")
				if (f.Method == zip.Deflate) != deflated || f.Mode() != 0o644 || f.Modified.UTC().Format(time.DateTime) != "1980-01-01 00:00:00" || f.NonUTF8 {
					t.Errorf("level %d: %s has method %d, %v, %s", level, f.Name, f.Method, f.Mode(), f.Modified)
				}
			}
			for name, want := range map[string]string{"archive.tar": text, "archive.tar.zst": text, "ä/empty": "", "record.json": "{}"} {
				if back, err := Member(bytes.NewReader(data), res.Size, name, 1<<30); err != nil || string(back) != want {
					t.Errorf("level %d: %s came back with %d bytes, %v", level, name, len(back), err)
				}
			}
		}
	}
	if sizes[6] > sizes[0]*6/10 {
		t.Errorf("%v", sizes)
	}
	c, _ := client(t, artifacttest.Start(t), job)
	if _, err := c.Upload(context.Background(), Upload{Name: "context", Files: small.Files, Level: 10}); err == nil || !strings.Contains(err.Error(), "0 to 9 are allowed") {
		t.Error(err)
	}
}

// What stands in the way, per call and fault: what the user is told, and what
// the server holds afterwards.
func TestFaults(t *testing.T) {
	const html = "<!DOCTYPE html><title>Unicorn!</title>"
	status := func(n int) *artifacttest.Fault {
		return &artifacttest.Fault{Status: n, Body: `{"code":"x","msg":"words of the server"}`}
	}
	faults := []struct {
		name  string
		fault *artifacttest.Fault
		times int // how often in a row
		// wanted error of a call to the service and to the storage; "" = it is got over
		rpc, blob string
	}{
		{"408 once", status(408), 1, "", ""},
		{"429 once", &artifacttest.Fault{Status: 429, Header: http.Header{"Retry-After": {"17"}}}, 1, "", ""},
		{"429 for a day", &artifacttest.Fault{Status: 429, Header: http.Header{"Retry-After": {"86400"}}}, 99, "it asks for a pause of 24h0m0s, longer than a run makes", "it asks for a pause of 24h0m0s"},
		{"500 once", status(500), 1, "", ""},
		{"502 with a page", &artifacttest.Fault{Status: 502, Body: html}, 1, "", ""},
		{"503 four times", status(503), 4, "", ""},
		{"504 once", status(504), 1, "", ""},
		{"503 always", status(503), 99, "the artifact service answered 503: \"words of the server\" (tried 5 times)", "the artifact storage answered 503 (tried 5 times)"},
		{"429 always", status(429), 99, "answered 429: \"words of the server\" (tried 5 times)", "answered 429 (tried 5 times)"},
		{"a page with 200", &artifacttest.Fault{Body: html, Header: http.Header{"Content-Type": {"text/html"}}}, 1, "", ""},
		{"a page with 200 always", &artifacttest.Fault{Body: html, Header: http.Header{"Content-Type": {"text/html"}}}, 99, "answer is no JSON: \"<!DOCTYPE html><title>Unicorn!</title>\" (tried 5 times)", "answered 200 (tried 5 times)"},
		{"reset", &artifacttest.Fault{Reset: true}, 1, "", ""},
		{"reset in the middle", &artifacttest.Fault{Reset: true, Read: 30}, 2, "", ""},
		{"reset after the work", &artifacttest.Fault{Done: true, Reset: true}, 1, "", ""},
		{"500 after the work", &artifacttest.Fault{Done: true, Status: 500}, 1, "", ""},
		{"cut short after the work", &artifacttest.Fault{Done: true, Body: `{"ok":tr`, Short: true}, 1, "", ""},
		{"half an answer after the work", &artifacttest.Fault{Done: true, Body: `{"ok":tr`, Header: http.Header{"Content-Type": {"text/html"}}}, 1, "", ""},
		{"reset always", &artifacttest.Fault{Reset: true}, 99, "(tried 5 times)", "(tried 5 times)"},
		{"silence once", &artifacttest.Fault{Hang: true}, 1, "", ""},
		{"silence always", &artifacttest.Fault{Hang: true}, 99, "no answer within 200ms (tried 5 times)", "no answer within 200ms (tried 5 times)"},
		{"401", status(401), 99, "the artifact service refused the job's token (401), which is good only while the job runs: \"words of the server\"", "the artifact storage answered 401"},
		{"403", status(403), 99, "the artifact service does not allow it (403): \"words of the server\"", "the artifact storage answered 403 (the upload's signature has expired"},
		{"403 with a page", &artifacttest.Fault{Status: 403, Body: html}, 1, "", ""},
		{"403 with a page always", &artifacttest.Fault{Status: 403, Body: html}, 99, "does not allow it (403): \"<!DOCTYPE html><title>Unicorn!</title>\" (tried 5 times)", "answered 403"},
		{"null", &artifacttest.Fault{Body: "null", Header: http.Header{"Content-Type": {"text/html"}}}, 1, "", ""},
		{"404", status(404), 99, "answered 404: \"words of the server\"", "answered 404"},
		{"422", status(422), 99, "answered 422: \"words of the server\"", "answered 422"},
		{"redirect", &artifacttest.Fault{Status: 307, Header: http.Header{"Location": {"http://127.0.0.1:1/elsewhere"}}}, 99, "answered 307", "answered 307"},
		{"quota", &artifacttest.Fault{Status: 403, Body: `{"code":"resource_exhausted","msg":"insufficient usage to create artifact"}`}, 99, "storage is used up: delete old artifacts", "answered 403"},
		{"not ok", &artifacttest.Fault{Body: `{}`}, 99, "did not agree", ""},
	}
	calls := []string{"CreateArtifact", "PutBlock", "PutBlockList", "FinalizeArtifact"}
	for _, call := range calls {
		for _, f := range faults {
			t.Run(call+"/"+f.name, func(t *testing.T) {
				t.Parallel()
				want := f.rpc
				if strings.HasPrefix(call, "Put") {
					want = f.blob
					if f.fault.Body == `{}` {
						t.Skip("the storage's answers have no body to agree in")
					}
				}
				s := artifacttest.Start(t)
				s.Fault = func(got artifacttest.Call) *artifacttest.Fault {
					if got.Name == call && got.N <= f.times {
						return f.fault
					}
					return nil
				}
				c, waits := client(t, s, job)
				if f.fault.Hang {
					c.Timeout = 200 * time.Millisecond
				}
				res, err := c.Upload(context.Background(), small)
				var left []string
				for _, a := range s.Artifacts() {
					left = append(left, fmt.Sprint(a.Name, " ", a.Finished))
				}
				if want == "" {
					if err != nil || res.ID == 0 || !slices.Equal(left, []string{"context true"}) {
						t.Fatalf("%+v, %v; the server has %q", res, err, left)
					}
					if got := s.Artifacts()[0]; res.SHA256 != sha(got.Data) || res.ID != got.ID {
						t.Errorf("%+v is not what is stored", res)
					}
					if len(waits.Waits()) == 0 {
						t.Error("tried again without waiting")
					}
				} else {
					if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), `uploading artifact "context": `) {
						t.Fatalf("error %v, want %q", err, want)
					}
					if len(left) > 0 {
						t.Errorf("the server is left with %q", left)
					}
					for _, secret := range c.secrets {
						if strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), "sig=") {
							t.Errorf("the error tells a secret: %v", err)
						}
					}
				}
				if f.fault.Header.Get("Retry-After") == "17" && !slices.Contains(waits.Waits(), 17*time.Second) {
					t.Errorf("waited %v, the server asked for 17 s", waits.Waits())
				}
				if n := len(waits.Waits()); n > 4 || n > 0 && want != "" && !strings.Contains(want, "tried 5 times") && !strings.Contains(want, "403") {
					t.Errorf("tried again %d times", n)
				}
			})
		}
	}
}

func TestConflict(t *testing.T) {
	other := artifacttest.Job{Run: job.Run, Job: "job-2"}
	again := artifacttest.Job{Run: job.Run, Job: job.Job, Attempt: 2}
	for _, test := range []struct {
		name      string
		before    artifacttest.Job
		now       artifacttest.Job
		overwrite bool
		want      string // error; "" = replaced
	}{
		{"another job", other, job, false, "another job of this run has already made an artifact of that name; give every job a name of its own (artifact-name: context-${{ github.job }}-${{ strategy.job-index }}), or set overwrite: true"},
		{"another job, on a re-run", other, again, false, "another job of this run"},
		{"another job, overwrite", other, job, true, ""},
		{"an earlier step", job, job, false, "this job has already made an artifact of that name; give every step a name of its own with artifact-name, or set overwrite: true"},
		{"an earlier step, overwrite", job, job, true, ""},
		{"an earlier attempt", job, again, false, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := artifacttest.Start(t)
			c, _ := client(t, s, test.before)
			if _, err := c.Upload(context.Background(), Upload{Name: "context", Files: []File{inMemory("old", "old")}}); err != nil {
				t.Fatal(err)
			}
			old := s.Artifacts()[0].ID
			c, _ = client(t, s, test.now)
			u := small
			u.Overwrite = test.overwrite
			res, err := c.Upload(context.Background(), u)
			if n := strings.Count(strings.Join(s.Calls(), " "), "DeleteArtifact"); n > 1 {
				t.Errorf("deleted %d times", n)
			}
			all := s.Artifacts()
			if len(all) != 1 || !all[0].Finished {
				t.Fatalf("the server has %+v", all)
			}
			if test.want == "" {
				if err != nil || all[0].ID == old || all[0].ID != res.ID {
					t.Errorf("not replaced: %+v, %v", res, err)
				}
			} else if err == nil || !strings.Contains(err.Error(), test.want) || all[0].ID != old {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
	t.Run("under way elsewhere", func(t *testing.T) {
		s := artifacttest.Start(t)
		c, _ := client(t, s, other)
		if _, err := c.create(context.Background(), request{Run: c.run, Job: c.job, Name: "context", Version: 4}, false); err != nil {
			t.Fatal(err)
		}
		c, _ = client(t, s, job)
		_, err := c.Upload(context.Background(), small)
		if err == nil || !strings.Contains(err.Error(), "another job of this run is uploading") {
			t.Error(err)
		}
	})
	t.Run("cut off in an earlier attempt", func(t *testing.T) {
		s := artifacttest.Start(t)
		c, _ := client(t, s, job)
		if _, err := c.create(context.Background(), request{Run: c.run, Job: c.job, Name: "context", Version: 4}, false); err != nil {
			t.Fatal(err)
		}
		c, _ = client(t, s, again)
		if _, err := c.Upload(context.Background(), small); err != nil {
			t.Error(err)
		}
	})
}

// What a server may answer beside what it should.
func TestOddAnswers(t *testing.T) {
	for _, test := range []struct {
		name  string
		fault func(artifacttest.Call) *artifacttest.Fault
		words string
	}{
		{"no address", func(call artifacttest.Call) *artifacttest.Fault {
			if call.Name == "CreateArtifact" {
				return &artifacttest.Fault{Body: `{"ok":true,"signed_upload_url":"/blob"}`}
			}
			return nil
		}, "named no usable address for the upload"},
		{"an address that is no web address", func(call artifacttest.Call) *artifacttest.Fault {
			if call.Name == "CreateArtifact" {
				return &artifacttest.Fault{Body: `{"ok":true,"signed_upload_url":"file://x/etc/passwd"}`}
			}
			return nil
		}, "named no usable address for the upload"},
		{"a storage that quotes the signature", func(call artifacttest.Call) *artifacttest.Fault {
			if call.Name == "PutBlock" {
				return &artifacttest.Fault{Status: 403, Header: http.Header{"Content-Type": {"application/xml"}},
					Body: "<Error><Code>AuthenticationFailed</Code><Message>Server failed to authenticate the request.\nsig=abc</Message><AuthenticationErrorDetail>sig=abc</AuthenticationErrorDetail></Error>"}
			}
			return nil
		}, "the artifact storage answered 403: \"AuthenticationFailed: Server failed to authenticate the request.\" (the upload's signature has expired"},
		// The end was lost, and what is listed then is somebody else's.
		{"another's artifact of that name", func(call artifacttest.Call) *artifacttest.Fault {
			switch {
			case call.Name == "FinalizeArtifact" && call.N == 1:
				return &artifacttest.Fault{Reset: true}
			case call.Name == "FinalizeArtifact":
				return &artifacttest.Fault{Status: 409, Body: `{"msg":"taken"}`}
			case call.Name == "ListArtifacts":
				return &artifacttest.Fault{Body: `{"artifacts":[{"name":"context","database_id":"5","size":"9","workflow_run_backend_id":"run-1","workflow_job_run_backend_id":"job-2"}]}`}
			}
			return nil
		}, "finishing: the artifact service answered 409: \"taken\""},
		{"a list that is none", func(call artifacttest.Call) *artifacttest.Fault {
			switch call.Name {
			case "CreateArtifact":
				return &artifacttest.Fault{Status: 409, Body: `{"msg":"taken"}`}
			case "ListArtifacts":
				return &artifacttest.Fault{Body: `{"artifacts":"none"}`}
			}
			return nil
		}, "listing artifacts: the answer's list is no list"},
	} {
		s := artifacttest.Start(t)
		s.Fault = test.fault
		c, _ := client(t, s, job)
		_, err := c.Upload(context.Background(), small)
		if err == nil || !strings.Contains(err.Error(), test.words) || strings.Contains(err.Error(), "sig=") {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	// An artifact that may not be deleted stands in the way.
	s := artifacttest.Start(t)
	c, _ := client(t, s, artifacttest.Job{Run: job.Run, Job: "job-2"})
	if _, err := c.Upload(context.Background(), small); err != nil {
		t.Fatal(err)
	}
	s.Fault = func(call artifacttest.Call) *artifacttest.Fault {
		if call.Name == "DeleteArtifact" {
			return &artifacttest.Fault{Status: 403, Body: `{"msg":"not yours"}`}
		}
		return nil
	}
	c, _ = client(t, s, job)
	u := small
	u.Overwrite = true
	if _, err := c.Upload(context.Background(), u); err == nil || !strings.Contains(err.Error(), "deleting the artifact of that name: the artifact service does not allow it (403): \"not yours\"") {
		t.Error(err)
	}
}

func TestRaw(t *testing.T) {
	for _, test := range []struct {
		name    string
		prepare func(*artifacttest.Server)
		want    string // name, version, type
		zipped  bool
	}{
		{"taken", func(*artifacttest.Server) {}, "archive.tar 7 application/x-tar", false},
		{"another type", func(s *artifacttest.Server) { s.Types = []string{"application/octet-stream"} }, "archive.tar 7 application/octet-stream", false},
		{"no type", func(s *artifacttest.Server) { s.Types = []string{"application/zip"} }, "context 4 application/zip", true},
		{"unknown field", func(s *artifacttest.Server) { s.NoMime = true }, "context 4 application/zip", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := artifacttest.Start(t)
			test.prepare(s)
			c, waits := client(t, s, job)
			res, err := c.Upload(context.Background(), Upload{Name: "context", Raw: true, Files: []File{inMemory("archive.tar", "a tar")}})
			if err != nil {
				t.Fatal(err)
			}
			a := s.Artifacts()[0]
			if got := fmt.Sprint(a.Name, " ", a.Version, " ", a.MimeType); got != test.want || !a.Finished || res.Name != a.Name {
				t.Errorf("stored %s, want %s", got, test.want)
			}
			if (len(res.Notes) > 0) != test.zipped || !test.zipped && string(a.Data) != "a tar" {
				t.Errorf("notes %q, %d bytes", res.Notes, len(a.Data))
			}
			if len(waits.Waits()) > 0 {
				t.Errorf("waited %v", waits.Waits())
			}
		})
	}
	c, _ := client(t, artifacttest.Start(t), job)
	u := small
	u.Raw = true
	if _, err := c.Upload(context.Background(), u); err == nil || !strings.Contains(err.Error(), "2 files cannot be one without a zip") {
		t.Error(err)
	}
	// An empty file is a blob without blocks.
	res, err := c.Upload(context.Background(), Upload{Name: "x", Raw: true, Files: []File{inMemory("empty.bin", "")}})
	if err != nil || res.Size != 0 || res.SHA256 != sha(nil) {
		t.Errorf("an empty file: %+v, %v", res, err)
	}
}

func TestFull(t *testing.T) {
	s := artifacttest.Start(t)
	s.Full = true
	c, _ := client(t, s, job)
	_, err := c.Upload(context.Background(), small)
	if err == nil || !strings.Contains(err.Error(), "artifact storage is used up: delete old artifacts or lower retention-days") {
		t.Error(err)
	}
}

func TestExpiredToken(t *testing.T) {
	s := artifacttest.Start(t)
	c, waits := client(t, s, artifacttest.Job{Run: "run-1", Job: "job-1", Expired: true})
	_, err := c.Upload(context.Background(), small)
	if err == nil || !strings.Contains(err.Error(), "refused the job's token (401), which is good only while the job runs: \"the token has expired\"") || len(waits.Waits()) > 0 {
		t.Error(err, waits.Waits())
	}
}

// A server without the service answers 404 with its own page, or knows no such call.
func TestEnterprise(t *testing.T) {
	for _, body := range []string{"<!DOCTYPE html>", "", `{"code":"bad_route","msg":"no handler for path"}`} {
		s := artifacttest.Start(t)
		s.Fault = func(artifacttest.Call) *artifacttest.Fault {
			return &artifacttest.Fault{Status: 404, Body: body}
		}
		c, waits := client(t, s, job)
		_, err := c.Upload(context.Background(), small)
		var absent *AbsentError
		if !errors.As(err, &absent) || !strings.Contains(err.Error(), "actions/upload-artifact") || len(waits.Waits()) > 0 {
			t.Error(body, err, waits.Waits())
		}
	}
}

func TestCancel(t *testing.T) {
	s := artifacttest.Start(t)
	ctx, cancel := context.WithCancel(context.Background())
	s.Fault = func(call artifacttest.Call) *artifacttest.Fault {
		if call.Name == "PutBlock" {
			cancel()
			return &artifacttest.Fault{Hang: true}
		}
		return nil
	}
	c, waits := client(t, s, job)
	_, err := c.Upload(ctx, small)
	if !errors.Is(err, context.Canceled) || len(waits.Waits()) > 0 {
		t.Errorf("%v, waited %v", err, waits.Waits())
	}
	if left := s.Artifacts(); len(left) > 0 {
		t.Errorf("the server is left with %+v", left)
	}
}

// A file that changes between its two readings is not passed off as whole.
func TestChangedFile(t *testing.T) {
	s := artifacttest.Start(t)
	c, _ := client(t, s, job)
	opened := 0
	f := File{Name: "archive.tar", Open: func() (io.ReadCloser, error) {
		opened++
		return io.NopCloser(strings.NewReader(fmt.Sprint("content ", opened))), nil
	}}
	_, err := c.Upload(context.Background(), Upload{Name: "context", Files: []File{f}})
	if err == nil || !strings.Contains(err.Error(), "archive.tar changed while it was uploaded") || len(s.Artifacts()) > 0 {
		t.Error(err, s.Artifacts())
	}
	f = inMemory("archive.tar", "x")
	f.SHA256 = sha([]byte("y"))
	_, err = c.Upload(context.Background(), Upload{Name: "context", Files: []File{f}})
	if err == nil || !strings.Contains(err.Error(), "is not the file that was packed") {
		t.Error(err)
	}
	_, err = c.Upload(context.Background(), Upload{Name: "context", Files: []File{onDisk(t, "a", filepath.Join(t.TempDir(), "gone"))}})
	if !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if calls := s.Calls(); slices.Contains(calls, "FinalizeArtifact") {
		t.Error(calls)
	}
}

func TestRetention(t *testing.T) {
	for _, test := range []struct {
		allowed, days int
		expires       string
		note, err     string
	}{
		{90, 0, "", "", ""},
		{90, 1, "2026-11-22T08:00:00.000Z", "", ""},
		{30, 90, "2026-12-21T08:00:00.000Z", "retention-days 90 is more than this repository allows; the artifact is kept 30 days", ""},
		{0, 90, "2027-02-19T08:00:00.000Z", "", ""}, // act says 0: not known
		{90, -1, "", "", "retention-days -1: 1 to 400 are allowed, 0 leaves it to the repository"},
		{90, 401, "", "", "retention-days 401: 1 to 400"},
	} {
		c, _ := client(t, artifacttest.Start(t), job)
		c.maxDays = test.allowed
		expires, note, err := c.expiry(test.days)
		if expires != test.expires || note != test.note || (err != nil) != (test.err != "") || err != nil && !strings.HasPrefix(err.Error(), test.err) {
			t.Errorf("%d of %d: %q, %q, %v", test.days, test.allowed, expires, note, err)
		}
	}
}

func TestFromEnv(t *testing.T) {
	jwt := func(payload string) string {
		return "h." + base64.RawURLEncoding.EncodeToString([]byte(payload)) + ".s"
	}
	good := jwt(`{"scp":"Actions.X Actions.ResultsOther:a:b Actions.Results:run:job"}`)
	for _, test := range []struct {
		name   string
		env    map[string]string
		absent bool
		want   string
	}{
		{"desk", map[string]string{}, true, "this is not a workflow job"},
		{"run step", map[string]string{"GITHUB_ACTIONS": "true"}, true, "actions get it, `run:` steps do not; the files are left where they are: add a step with actions/upload-artifact"},
		{"enterprise", map[string]string{"GITHUB_ACTIONS": "true", "ACTIONS_RUNTIME_TOKEN": good}, true, "as Enterprise Server does"},
		{"scope", map[string]string{"ACTIONS_RUNTIME_TOKEN": jwt(`{"scp":"a:b"}`), "ACTIONS_RESULTS_URL": "https://x"}, true, "no scope Actions.Results"},
		{"scope of two parts", map[string]string{"ACTIONS_RUNTIME_TOKEN": jwt(`{"scp":"Actions.Results:run"}`), "ACTIONS_RESULTS_URL": "https://x"}, false, "does not name a run and a job"},
		{"no token", map[string]string{"ACTIONS_RUNTIME_TOKEN": "secretsecret", "ACTIONS_RESULTS_URL": "https://x"}, false, "reading ACTIONS_RUNTIME_TOKEN: not a JSON web token"},
		{"no base64", map[string]string{"ACTIONS_RUNTIME_TOKEN": "a.!secret.c", "ACTIONS_RESULTS_URL": "https://x"}, false, "its payload is not base64"},
		{"no JSON", map[string]string{"ACTIONS_RUNTIME_TOKEN": jwt("secret"), "ACTIONS_RESULTS_URL": "https://x"}, false, "its payload is not JSON"},
		{"no address", map[string]string{"ACTIONS_RUNTIME_TOKEN": good, "ACTIONS_RESULTS_URL": "ftp://user:secret@x"}, false, "reading ACTIONS_RESULTS_URL: not an http or https address"},
	} {
		c, err := FromEnv(func(k string) string { return test.env[k] })
		var absent *AbsentError
		if c != nil || err == nil || errors.As(err, &absent) != test.absent || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, %v", test.name, c, err)
		}
	}
	env := map[string]string{"ACTIONS_RUNTIME_TOKEN": good, "ACTIONS_RESULTS_URL": "https://results.example/some/path?x", "ACTIONS_ARTIFACT_UPLOAD_TIMEOUT_MS": "1500"}
	c, err := FromEnv(func(k string) string { return env[k] })
	if err != nil || c.origin != "https://results.example" || c.run != "run" || c.job != "job" || c.Timeout != 1500*time.Millisecond || c.pages != "" {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"context":                "",
		"ctx é 日本":               "",
		"feature/x":              "feature-x",
		"":                       "artifact",
		"..":                     "artifact",
		"///":                    "artifact",
		"a\nb":                   "a-b",
		`"<>|*?:\`:               "artifact",
		"a\xffb":                 "a-b",
		strings.Repeat("é", 200): strings.Repeat("é", 127),
	} {
		err := CheckName(name)
		if clean := CleanName(name); want == "" && (err != nil || clean != name) || want != "" && (err == nil || clean != want) {
			t.Errorf("%q: %v, cleaned %q, want %q", name, err, clean, want)
		}
	}
	if err := CheckName("feature/x"); err.Error() != `artifact name "feature/x" contains '/'; "feature-x" would do` {
		t.Error(err)
	}
	for _, name := range []string{"", "/a", "../a", "a/../b", "a//b", "a:b", `a\b`, "a\nb", "a/", "a\x00"} {
		if checkMember(name) == nil {
			t.Errorf("%q was accepted as a file name", name)
		}
	}
}

func FuzzCleanName(f *testing.F) {
	for _, s := range []string{"", "a/b", "..", "...", "\xff", strings.Repeat("é", 200)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		clean := CleanName(s)
		if err := CheckName(clean); err != nil {
			t.Errorf("CleanName(%q) = %q: %v", s, clean, err)
		}
		if CleanName(clean) != clean || CheckName(s) == nil && clean != s {
			t.Errorf("CleanName(%q) = %q", s, clean)
		}
	})
}

func TestDownload(t *testing.T) {
	s := artifacttest.Start(t)
	c, _ := client(t, s, job)
	res, err := c.Upload(context.Background(), small)
	if err != nil {
		t.Fatal(err)
	}
	stored := s.Artifacts()[0].Data
	// Anybody's job of the run may read it.
	c, _ = client(t, s, artifacttest.Job{Run: job.Run, Job: "job-9"})
	list, err := c.List(context.Background(), "")
	if err != nil || len(list) != 1 || list[0].ID != res.ID || list[0].SHA256 != res.SHA256 || list[0].Size != res.Size {
		t.Fatalf("%+v, %v", list, err)
	}
	if none, err := c.List(context.Background(), "other"); err != nil || len(none) > 0 {
		t.Errorf("%+v, %v", none, err)
	}
	get := func(l Entry, max int64) (string, error) {
		var b bytes.Buffer
		n, sum, err := c.Download(context.Background(), l, &b, max)
		if err == nil && (n != int64(b.Len()) || sum != sha(b.Bytes())) {
			t.Errorf("%d bytes, sha256 %s are not what was written", n, sum)
		}
		return b.String(), err
	}
	if got, err := get(list[0], res.Size); err != nil || got != string(stored) {
		t.Error(err)
	}
	if _, err := get(list[0], res.Size-1); err == nil || !strings.Contains(err.Error(), "it is over") {
		t.Error(err)
	}
	wrong := list[0]
	wrong.SHA256 = sha(nil)
	if _, err := get(wrong, 1<<20); err == nil || !strings.Contains(err.Error(), "its sha256 is not the one that is listed") {
		t.Error(err)
	}
	gone := list[0]
	gone.Name = "gone"
	if _, err := get(gone, 1<<20); err == nil || !strings.Contains(err.Error(), "404: \"artifact not found\"") {
		t.Error(err)
	}
	// A connection that breaks is taken up where it broke.
	s.Fault = func(call artifacttest.Call) *artifacttest.Fault {
		if call.Name == "GetBlob" && call.N%2 == 0 {
			return &artifacttest.Fault{Body: string(stored[:50]), Short: true}
		}
		if call.Name == "ListArtifacts" && call.N%2 == 1 {
			return &artifacttest.Fault{Status: 503}
		}
		return nil
	}
	if n := len(slices.DeleteFunc(s.Calls(), func(n string) bool { return n != "GetBlob" })); n%2 == 0 {
		_, _ = get(list[0], 1<<20)
	}
	if got, err := get(list[0], 1<<20); err != nil || got != string(stored) {
		t.Error(err)
	}
	if r := slices.DeleteFunc(s.Refusals(), func(r string) bool { return strings.Contains(r, "artifact not found") }); len(r) > 0 {
		t.Errorf("the server objected: %q", r)
	}
	if list, err := c.List(context.Background(), "context"); err != nil || len(list) != 1 {
		t.Error(list, err)
	}
}

// A downloaded zip is anybody's.
func TestMember(t *testing.T) {
	build := func(entries ...string) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, e := range entries {
			name, data, _ := strings.Cut(e, "=")
			h := &zip.FileHeader{Name: name}
			if data != "" {
				h.Method = zip.Deflate
			}
			if strings.HasPrefix(data, "->") {
				h.SetMode(os.ModeSymlink | 0o777)
			}
			w, err := z.CreateHeader(h)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = io.WriteString(w, data)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	lying := build("record.json=" + strings.Repeat("0", 5000))
	// The sizes in the directory say 10; the data is longer.
	copy(lying[bytes.LastIndex(lying, []byte("PK\x01\x02"))+24:], []byte{10, 0, 0, 0})
	broken := build("record.json=hello")
	broken[14+30]++
	for _, test := range []struct {
		name string
		zip  []byte
		want string
		err  string
	}{
		{"plain", build("../x=evil", "record.json={}", "/etc/passwd=x"), "{}", ""},
		{"absent", build("other={}"), "", "no such file in the artifact"},
		{"twice", build("record.json={}", "record.json=[]"), "", "stands twice"},
		{"link", build("record.json=->/etc/passwd"), "", "not a regular file"},
		{"too large", build("record.json=" + strings.Repeat("0", 1001)), "", "is over 1000 bytes"},
		{"largest", build("record.json=" + strings.Repeat("0", 1000)), strings.Repeat("0", 1000), ""},
		{"lying size", lying, "", "reading"},
		{"broken", broken, "", "reading"},
		{"endless directory", build(slices.Repeat([]string{strings.Repeat("x", 1000) + "="}, 4500)...), "", "too much of it would have to be read"},
		{"no zip", []byte("<!DOCTYPE html>"), "", "not a valid zip file"},
		{"empty", nil, "", "not a valid zip file"},
	} {
		got, err := Member(bytes.NewReader(test.zip), int64(len(test.zip)), "record.json", 1000)
		if string(got) != test.want || (err != nil) != (test.err != "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: %.40q, %v", test.name, got, err)
		}
	}
}

func FuzzMember(f *testing.F) {
	members, _ := measure([]File{inMemory("record.json", "{}")})
	var b bytes.Buffer
	_ = writeZip(&b, members, 0)
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Member(bytes.NewReader(data), int64(len(data)), "record.json", 100)
		if len(got) > 100 || err != nil && got != nil {
			t.Errorf("%d bytes, %v", len(got), err)
		}
	})
}

// onDisk is the file at path as a member called name.
func onDisk(t *testing.T, name, path string) File {
	t.Helper()
	folder, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { folder.Close() })
	return In(name, folder, filepath.Base(path))
}
