// Package artifacttest is a workflow artifact service, version 4, with its blob
// storage, in one process, for tests. It is stricter than any real one:
//
//   - calls: POST, JSON, the names and spellings of the protocol and no others,
//     a bearer token that this server signed, that has not expired, and whose
//     scope names the run and job of the request;
//   - names that a run does not have yet, times to come, types that the version
//     allows;
//   - storage: the signed query word for word as it was given out, no bearer token,
//     a version header, blocks with ids of one length and a stated size; the
//     blob is what the list of blocks says, in the list's order;
//   - the end: size and sha256 as stored, once.
//
// What is not in order is refused with the status and the words of the real
// service, and noted: Refusals lists the notes. Faults can be put in front of, or
// behind, any call.
package artifacttest

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/haversack-dev/haversack/internal/fault"
)

// Now is the time of a server without a clock.
var Now = time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)

const servicePath = "/twirp/github.actions.results.api.v1.ArtifactService/"

// Server is a running service. Its exported fields are set before it is used.
type Server struct {
	URL string

	// CamelCase answers as act and Gitea do: camelCase names.
	CamelCase bool
	// Numbers answers 64-bit numbers as numbers instead of strings.
	Numbers bool
	// NoMime fails without a word on the field mime_type, as act does.
	NoMime bool
	// Types are the types taken at version 7; nil = zip, octet-stream and tar.
	Types []string
	// Full refuses new artifacts, since the account's storage is used up.
	Full bool
	// Clock is the server's; nil stands still at Now.
	Clock func() time.Time
	// Fault, when not nil, is asked before each call what shall go wrong.
	Fault func(Call) *Fault

	srv *httptest.Server
	key []byte

	mu       sync.Mutex
	all      []*Artifact
	nextID   int64
	counts   map[string]int
	calls    []string
	refusals []string
}

// Artifact is one artifact of the server.
type Artifact struct {
	ID        int64
	Run, Job  string
	Name      string
	Version   int
	MimeType  string // stored type
	ExpiresAt string
	Finished  bool
	Committed bool
	Data      []byte

	blocks    map[string][]byte // sent, and in no list yet
	committed map[string][]byte // those of the last list
}

// Call names one request: a method of the service, or PutBlock, PutBlockList,
// PutBlob, GetBlob of the storage. N counts those of one name, from 1.
type Call struct {
	Name string
	N    int
}

// Fault is what goes wrong with one call.
type Fault = fault.Fault

// Job is a running job as the server knows it.
type Job struct {
	Run, Job string // ids of the service
	Attempt  int
	// Expired makes a token whose time is over.
	Expired bool
}

// T is the part of testing.TB that Start needs.
type T interface{ Cleanup(func()) }

// Start starts a server, which ends with the test.
func Start(t T) *Server {
	s := &Server{key: []byte("a key of this server's own"), counts: map[string]int{}, nextID: 1000}
	s.srv = httptest.NewServer(http.HandlerFunc(s.serve))
	s.srv.Config.ErrorLog = nil
	s.URL = s.srv.URL
	t.Cleanup(s.srv.Close)
	return s
}

func (s *Server) now() time.Time {
	if s.Clock != nil {
		return s.Clock()
	}
	return Now
}

// Token returns the job's runtime token.
func (s *Server) Token(j Job) string {
	exp := s.now().Add(6 * time.Hour)
	if j.Expired {
		exp = s.now().Add(-time.Minute)
	}
	claims, _ := json.Marshal(map[string]any{
		"scp": "Actions.GenericRead:00000000-0000-0000-0000-000000000000 Actions.Results:" + j.Run + ":" + j.Job + " Actions.UploadArtifacts:00000000",
		"exp": exp.Unix(),
	})
	body := b64([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + b64(claims)
	return body + "." + b64(s.sign(body))
}

// Env returns the environment of the job's step.
func (s *Server) Env(j Job) map[string]string {
	return map[string]string{
		"ACTIONS_RUNTIME_TOKEN": s.Token(j),
		"ACTIONS_RESULTS_URL":   s.URL + "/",
		"GITHUB_ACTIONS":        "true",
		"GITHUB_SERVER_URL":     "https://github.com",
		"GITHUB_REPOSITORY":     "octo/widgets",
		"GITHUB_RUN_ID":         "77",
		"GITHUB_RUN_ATTEMPT":    strconv.Itoa(max(j.Attempt, 1)),
		"GITHUB_RETENTION_DAYS": "90",
	}
}

// Artifacts returns what the server holds, unfinished ones too.
func (s *Server) Artifacts() []Artifact {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Artifact
	for _, a := range s.all {
		all = append(all, *a)
	}
	return all
}

// Calls returns the names of all calls in order.
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

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func (s *Server) sign(text string) []byte {
	m := hmac.New(sha256.New, s.key)
	m.Write([]byte(text))
	return m.Sum(nil)
}

// no is a refusal: of the service when code is Twirp's, of the storage when it
// is written in capitals.
type no struct {
	status    int
	code, msg string
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	name := "Unknown"
	blob := strings.HasPrefix(r.URL.Path, "/blob/")
	switch {
	case strings.HasPrefix(r.URL.Path, servicePath):
		name = strings.TrimPrefix(r.URL.Path, servicePath)
	case blob && r.Method != http.MethodPut:
		name = "GetBlob"
	case blob:
		name = map[string]string{"block": "PutBlock", "blocklist": "PutBlockList"}[r.URL.Query().Get("comp")]
		if name == "" {
			name = "PutBlob"
		}
	}
	s.mu.Lock()
	s.counts[name]++
	call := Call{name, s.counts[name]}
	s.calls = append(s.calls, name)
	s.mu.Unlock()
	if s.Fault != nil {
		if f := s.Fault(call); f != nil {
			f.Serve(w, r, func(w http.ResponseWriter, r *http.Request) { s.answer(w, r, name) })
			return
		}
	}
	s.answer(w, r, name)
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if strings.HasPrefix(r.URL.Path, "/blob/") {
		s.storage(w, r, name)
		return
	}
	fields, err := s.method(r, name)
	w.Header().Set("Content-Type", "application/json")
	if err != nil {
		s.refusals = append(s.refusals, name+": "+err.msg)
		w.WriteHeader(err.status)
		if err.code != "" {
			_ = json.NewEncoder(w).Encode(map[string]string{"code": err.code, "msg": err.msg})
		}
		return
	}
	_ = json.NewEncoder(w).Encode(s.spell(fields))
}

// spell writes an answer the way this server does.
func (s *Server) spell(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, e := range v {
			if s.CamelCase {
				words := strings.Split(k, "_")
				for i, w := range words[1:] {
					words[i+1] = strings.ToUpper(w[:1]) + w[1:]
				}
				k = strings.Join(words, "")
			}
			out[k] = s.spell(e)
		}
		return out
	case []any:
		out := []any{}
		for _, e := range v {
			out = append(out, s.spell(e))
		}
		return out
	case int64:
		if s.Numbers {
			return v
		}
		return strconv.FormatInt(v, 10)
	}
	return v
}

// fields of each method: the JSON spelling, 's' a string, 'i' a 32-bit number,
// 'l' a 64-bit number written as a string.
var methods = map[string]map[string]byte{
	"CreateArtifact":       {"name": 's', "expires_at": 's', "version": 'i', "mime_type": 's'},
	"FinalizeArtifact":     {"name": 's', "size": 'l', "hash": 's'},
	"ListArtifacts":        {"name_filter": 's', "id_filter": 'l'},
	"GetSignedArtifactURL": {"name": 's'},
	"DeleteArtifact":       {"name": 's'},
}

const (
	runField = "workflow_run_backend_id"
	jobField = "workflow_job_run_backend_id"
)

// method checks a call and does it.
func (s *Server) method(r *http.Request, name string) (map[string]any, *no) {
	known, ok := methods[name]
	switch {
	case !ok:
		return nil, &no{404, "bad_route", "no handler for path " + strconv.Quote(r.URL.Path)}
	case r.Method != http.MethodPost:
		return nil, &no{404, "bad_route", "unsupported method " + r.Method + " (only POST is allowed)"}
	case r.Header.Get("Content-Type") != "application/json":
		return nil, &no{404, "bad_route", "unexpected Content-Type: " + strconv.Quote(r.Header.Get("Content-Type"))}
	}
	run, job, err := s.authorize(r.Header.Get("Authorization"))
	if err != nil {
		return nil, err
	}
	var raw map[string]json.RawMessage
	d := json.NewDecoder(r.Body)
	if e := d.Decode(&raw); e != nil || raw == nil {
		return nil, &no{400, "malformed", "the json request could not be decoded"}
	}
	if _, e := d.Token(); e != io.EOF {
		return nil, &no{400, "malformed", "the json request could not be decoded: more than one value"}
	}
	text := map[string]string{}
	for k, v := range raw {
		kind := known[k]
		if k == runField || k == jobField {
			kind = 's'
		}
		if k == "mime_type" && s.NoMime {
			return nil, &no{500, "", "unknown field mime_type"}
		}
		if kind == 0 {
			return nil, &no{400, "malformed", "the json request could not be decoded: unknown field " + strconv.Quote(k)}
		}
		var str string
		isString := json.Unmarshal(v, &str) == nil && len(v) > 0 && v[0] == '"'
		if kind == 'i' {
			n, e := strconv.ParseInt(string(v), 10, 32)
			if e != nil {
				return nil, &no{400, "malformed", k + " is not a number"}
			}
			text[k] = strconv.FormatInt(n, 10)
			continue
		}
		if !isString {
			return nil, &no{400, "malformed", k + " is not a string"}
		}
		if kind == 'l' && !regexp.MustCompile(`^[1-9][0-9]{0,17}$`).MatchString(str) {
			return nil, &no{400, "malformed", k + " is not a 64-bit number above zero"}
		}
		text[k] = str
	}
	if text[runField] != run {
		return nil, &no{403, "permission_denied", "the token is not of that run"}
	}
	if text[jobField] == "" {
		return nil, &no{400, "invalid_argument", jobField + " is required"}
	}
	ofOthers := name == "DeleteArtifact" || name == "GetSignedArtifactURL"
	if text[jobField] != job && !ofOthers {
		return nil, &no{403, "permission_denied", "the token is not of that job"}
	}
	if _, named := known["name"]; named && (text["name"] == "" || strings.ContainsAny(text["name"], "\":<>|*?\r\n\\/")) {
		return nil, &no{400, "invalid_argument", "name is not valid"}
	}
	switch name {
	case "CreateArtifact":
		return s.create(text)
	case "FinalizeArtifact":
		return s.finalize(text)
	case "ListArtifacts":
		rows := []any{}
		for _, a := range s.all {
			if !a.Finished || a.Run != run || text["name_filter"] != "" && a.Name != text["name_filter"] {
				continue
			}
			if id := text["id_filter"]; id != "" && id != strconv.FormatInt(a.ID, 10) {
				continue
			}
			rows = append(rows, map[string]any{
				runField: a.Run, jobField: a.Job, "database_id": a.ID, "name": a.Name,
				"size": int64(len(a.Data)), "created_at": s.now().Format(time.RFC3339), "digest": digest(a.Data),
			})
		}
		return map[string]any{"artifacts": rows}, nil
	}
	a := s.find(text[runField], text[jobField], text["name"])
	if a == nil || name == "GetSignedArtifactURL" && !a.Finished {
		return nil, &no{404, "not_found", "artifact not found"}
	}
	if name == "GetSignedArtifactURL" {
		return map[string]any{"name": a.Name, "signed_url": s.signedURL(a, "r")}, nil
	}
	s.all = slices.DeleteFunc(s.all, func(b *Artifact) bool { return a == b })
	return map[string]any{"ok": true, "artifact_id": a.ID}, nil
}

func (s *Server) authorize(header string) (run, job string, err *no) {
	bad := func(why string) (string, string, *no) { return "", "", &no{401, "unauthenticated", why} }
	token, ok := strings.CutPrefix(header, "Bearer ")
	if !ok {
		return bad("no bearer token")
	}
	i := strings.LastIndexByte(token, '.')
	if i < 0 {
		return bad("the token is not a JSON web token")
	}
	sig, e := base64.RawURLEncoding.DecodeString(token[i+1:])
	if e != nil || !hmac.Equal(sig, s.sign(token[:i])) {
		return bad("the token's signature is wrong")
	}
	_, payload, _ := strings.Cut(token[:i], ".")
	data, _ := base64.RawURLEncoding.DecodeString(payload)
	var claims struct {
		Scp string
		Exp int64
	}
	_ = json.Unmarshal(data, &claims)
	if claims.Exp <= s.now().Unix() {
		return bad("the token has expired")
	}
	for scope := range strings.FieldsSeq(claims.Scp) {
		if p := strings.Split(scope, ":"); p[0] == "Actions.Results" && len(p) == 3 {
			return p[1], p[2], nil
		}
	}
	return "", "", &no{403, "permission_denied", "the token lacks the scope"}
}

func (s *Server) find(run, job, name string) *Artifact {
	for _, a := range s.all {
		if a.Run == run && a.Name == name && (job == "" || a.Job == job) {
			return a
		}
	}
	return nil
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func (s *Server) create(f map[string]string) (map[string]any, *no) {
	invalid := func(msg string) (map[string]any, *no) { return nil, &no{400, "invalid_argument", msg} }
	version, _ := strconv.Atoi(f["version"])
	mime := "application/zip"
	switch {
	case version < 4 || version > 7:
		return invalid("version is not supported")
	case version < 7 && f["mime_type"] != "":
		return invalid("mime_type is not allowed for this artifact version")
	case version == 7:
		types := s.Types
		if types == nil {
			types = []string{"application/zip", "application/octet-stream", "application/x-tar"}
		}
		mime = f["mime_type"]
		if !slices.Contains(types, mime) {
			return invalid("mime_type a valid mime_type is required for this artifact version")
		}
	}
	if e := f["expires_at"]; e != "" {
		t, err := time.Parse(time.RFC3339, e)
		switch {
		case err != nil:
			return invalid("expires_at is not a timestamp")
		case !t.After(s.now()):
			return invalid("expires_at is in the past")
		case t.After(s.now().AddDate(0, 0, 90).Add(time.Hour)):
			return invalid("expires_at is beyond the repository's retention")
		}
	}
	if s.Full {
		return nil, &no{403, "resource_exhausted", "insufficient usage to create artifact"}
	}
	if s.find(f[runField], "", f["name"]) != nil {
		return nil, &no{409, "already_exists", "an artifact with this name already exists on the workflow run"}
	}
	s.nextID++
	a := &Artifact{ID: s.nextID, Run: f[runField], Job: f[jobField], Name: f["name"], Version: version,
		MimeType: mime, ExpiresAt: f["expires_at"], blocks: map[string][]byte{}}
	s.all = append(s.all, a)
	return map[string]any{"ok": true, "signed_upload_url": s.signedURL(a, "cw")}, nil
}

func (s *Server) finalize(f map[string]string) (map[string]any, *no) {
	a := s.find(f[runField], f[jobField], f["name"])
	switch {
	case a == nil:
		return nil, &no{404, "not_found", "artifact not found"}
	case a.Finished:
		return nil, &no{409, "already_exists", "the artifact is finalized already"}
	case !a.Committed:
		return nil, &no{400, "failed_precondition", "nothing was uploaded"}
	case cmp.Or(f["size"], "0") != strconv.Itoa(len(a.Data)): // a default is left out
		return nil, &no{400, "invalid_argument", "size is not that of the upload"}
	case f["hash"] != digest(a.Data):
		return nil, &no{400, "invalid_argument", "hash is not that of the upload"}
	}
	a.Finished = true
	return map[string]any{"ok": true, "artifact_id": a.ID}, nil
}

// signedURL returns the address of the artifact's blob with the permissions.
// Its query holds escapes that one who spells it anew writes another way.
func (s *Server) signedURL(a *Artifact, permissions string) string {
	path := fmt.Sprintf("/blob/%d", a.ID)
	q := "rscd=attachment%3b+filename%3d%22" + url.QueryEscape(a.Name) + "%22&se=2026-11-21T09%3A00%3A00Z&sp=" + permissions + "&sv=2025-11-05"
	return s.URL + path + "?" + q + "&sig=" + url.QueryEscape(base64.StdEncoding.EncodeToString(s.sign(path+"?"+q)))
}

var blockQuery = regexp.MustCompile(`^(.*)&comp=(block&blockid=([^&]+)|blocklist)$`)

// storage serves the addresses that were signed.
func (s *Server) storage(w http.ResponseWriter, r *http.Request, name string) {
	a, comp, err := s.signedFor(r)
	if err == nil {
		w.Header().Set("X-Ms-Version", r.Header.Get("X-Ms-Version"))
		switch name {
		case "GetBlob":
			w.Header().Set("Content-Type", a.MimeType)
			w.Header().Set("Content-Disposition", `attachment; filename="`+a.Name+map[bool]string{true: ".zip"}[a.MimeType == "application/zip"]+`"`)
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(a.Data))
			return
		case "PutBlock":
			err = s.putBlock(r, a, comp)
		case "PutBlockList":
			err = s.putList(r, a)
		default:
			err = &no{400, "MissingRequiredHeader", "a whole blob in one request is not what the client of this service sends"}
		}
	}
	if err != nil {
		s.refusals = append(s.refusals, name+": "+err.msg)
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(err.status)
		fmt.Fprintf(w, `<?xml version="1.0" encoding="utf-8"?><Error><Code>%s</Code><Message>%s`+"\n"+`RequestId:1</Message><AuthenticationErrorDetail>%s</AuthenticationErrorDetail></Error>`, err.code, err.msg, html(r.URL.RawQuery))
		return
	}
	w.WriteHeader(http.StatusCreated)
}

func html(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s))
	return b.String()
}

// signedFor checks the signature and returns what it is for, and the block's id.
func (s *Server) signedFor(r *http.Request) (a *Artifact, blockID string, err *no) {
	denied := func(why string) (*Artifact, string, *no) {
		return nil, "", &no{403, "AuthenticationFailed", "Server failed to authenticate the request. " + why}
	}
	if r.Header.Get("Authorization") != "" {
		return denied("The token of the job is not for the storage")
	}
	id, e := strconv.ParseInt(strings.TrimPrefix(r.URL.Path, "/blob/"), 10, 64)
	for _, b := range s.all {
		if e == nil && b.ID == id {
			a = b
		}
	}
	if a == nil {
		return nil, "", &no{404, "BlobNotFound", "The specified blob does not exist."}
	}
	want, permission := s.signedURL(a, "cw"), "cw"
	if r.Method == http.MethodGet {
		want, permission = s.signedURL(a, "r"), "r"
	} else if r.Method != http.MethodPut {
		return nil, "", &no{405, "UnsupportedHttpVerb", "The resource doesn't support the specified verb."}
	}
	_, want, _ = strings.Cut(want, "?")
	got := r.URL.RawQuery
	if m := blockQuery.FindStringSubmatch(got); m != nil && r.Method == http.MethodPut {
		got = m[1]
		blockID, _ = url.QueryUnescape(m[3])
	}
	if got != want {
		if other := s.signedURL(a, "r"); permission == "cw" && strings.HasSuffix(other, got) && got != "" {
			return nil, "", &no{403, "AuthorizationPermissionMismatch", "This request is not authorized to perform this operation using this permission."}
		}
		return denied("The query is not the one that was signed")
	}
	return a, blockID, nil
}

func (s *Server) putBlock(r *http.Request, a *Artifact, id string) *no {
	raw, e := base64.StdEncoding.DecodeString(id)
	switch {
	case a.Finished:
		return &no{403, "AuthorizationFailure", "The upload is finished."}
	case !regexp.MustCompile(`^20\d\d-\d\d-\d\d$`).MatchString(r.Header.Get("X-Ms-Version")):
		return &no{400, "MissingRequiredHeader", "x-ms-version is missing."}
	case e != nil || len(raw) > 64:
		return &no{400, "InvalidQueryParameterValue", "The block id is not base64 of 1 to 64 bytes."}
	case r.ContentLength < 0:
		return &no{411, "MissingContentLengthHeader", "The Content-Length header was not specified."}
	case r.ContentLength == 0:
		return &no{400, "InvalidHeaderValue", "A block is not empty."}
	}
	for other := range a.blocks {
		if len(other) != len(id) {
			return &no{400, "InvalidBlobOrBlock", "The block ids are not of one length."}
		}
	}
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return &no{400, "IncompleteBody", "The body was cut short."}
	}
	a.blocks[id] = data
	return nil
}

func (s *Server) putList(r *http.Request, a *Artifact) *no {
	var list struct {
		XMLName xml.Name `xml:"BlockList"`
		Latest  []string `xml:"Latest"`
	}
	body, _ := io.ReadAll(r.Body)
	switch err := xml.Unmarshal(body, &list); {
	case a.Finished:
		return &no{403, "AuthorizationFailure", "The upload is finished."}
	case !regexp.MustCompile(`^20\d\d-\d\d-\d\d$`).MatchString(r.Header.Get("X-Ms-Version")):
		return &no{400, "MissingRequiredHeader", "x-ms-version is missing."}
	case err != nil:
		return &no{400, "InvalidXmlDocument", "XML specified is not syntactically valid."}
	case r.Header.Get("X-Ms-Blob-Content-Type") != a.MimeType:
		return &no{400, "InvalidHeaderValue", "x-ms-blob-content-type is not the type that was announced."}
	}
	var data []byte
	committed := map[string][]byte{}
	for _, id := range list.Latest {
		block, ok := a.blocks[id]
		if !ok {
			block, ok = a.committed[id] // a list may be sent again
		}
		if !ok {
			return &no{400, "InvalidBlockList", "The specified block list is invalid."}
		}
		data = append(data, block...)
		committed[id] = block
	}
	a.Data, a.Committed, a.blocks, a.committed = data, true, map[string][]byte{}, committed
	return nil
}
