package store

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/avast/retry-go/v5"

	"github.com/haversack-dev/haversack/internal/object"
)

// Bounds of what is sent to an XTDB and taken from it.
const (
	// partObjects and partBytes bound one transaction.
	partObjects = 500
	partBytes   = 4 << 20
	// askIDs is how many objects one query asks for.
	askIDs = 500
	// maxAnswer bounds an answer and a document, in bytes: what 500 objects have is some hundred KB,
	// their content some MB. maxWord bounds an answer that says a word or two, maxListing that which lists
	// runs, maxTxs the transactions of a run in it, and maxTaken all answers of a run.
	maxAnswer  = 64 << 20
	maxWord    = 1 << 20
	maxListing = 32 << 20
	maxTxs     = 1 << 20
	maxTaken   = 256 << 20
	// maxTrouble bounds what a run waits for tries that fail, and leastPatience is what a try has after
	// that; maxSpent bounds the tries of a run all in all.
	maxTrouble    = 45 * time.Second
	leastPatience = 5 * time.Second
	maxSpent      = 5 * time.Minute
	// attempts is how often a request is sent, all in all.
	attempts = 5
	// awaitMillis is how long the node is asked to wait for its own index in one request,
	// and awaits how often it is asked.
	awaitMillis = 10_000
	awaits      = 12
)

// XTDBOptions are those of OpenXTDB. The zero value is usable.
type XTDBOptions struct {
	// Authorization is sent with every request, "" for none: Bearer TOKEN.
	Authorization string
	// KeepFiles is the size in bytes up to which a file's content is sent, 0 for none.
	KeepFiles int64
	// KeepTotal bounds the bytes of all contents that the node holds, 0 for no bound.
	KeepTotal int64
	// Timeout of one request, 0 for 30 s.
	Timeout time.Duration
	// Timer waits before a request is sent again, nil for a real one.
	Timer retry.Timer
	// Client sends requests, nil for one that follows no redirect.
	Client *http.Client
}

// XTDB is a store that others share.
type XTDB struct {
	base url.URL
	o    XTDBOptions

	mu             sync.Mutex
	spent, trouble time.Duration // on all tries, and on those that failed
	taken          int64         // bytes of all answers
	unweighed      int64         // bytes of contents stored since all were weighed, -1 before
	evicted        int
}

// patience is how long the next try may take.
func (x *XTDB) patience() time.Duration {
	x.mu.Lock()
	defer x.mu.Unlock()
	return min(x.o.Timeout, max(maxTrouble-x.trouble, leastPatience), maxSpent-x.spent)
}

// took notes how long a try took. It reports whether another one is worth while.
func (x *XTDB) took(d time.Duration, failed bool) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.spent += d
	if failed {
		x.trouble += d
	}
	return x.spent < maxSpent && x.trouble < maxTrouble
}

// room is how many bytes all answers to come may have.
func (x *XTDB) room() int64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	return max(maxTaken-x.taken, 0)
}

// takes notes the bytes of an answer.
func (x *XTDB) takes(n int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.taken += n
}

// rows reads the answer of a query, row by row, so that no more than one is held as it was sent.
type rows func(d *json.Decoder) error

// each calls do with each element of a list.
func each[T any](d *json.Decoder, do func(T) error) error {
	if t, err := d.Token(); err != nil || t == nil {
		return err
	} else if t != json.Delim('[') {
		return errors.New("a list is wanted")
	}
	for d.More() {
		var row T
		if err := d.Decode(&row); err != nil {
			return err
		}
		if err := do(row); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

// errLarge is an answer over its limit.
var errLarge = errors.New("larger than its limit")

// limited reads up to a limit.
type limitReader struct {
	r    io.Reader
	left int64
	// over is set when there was more, and broken to why it could not be read.
	over   bool
	broken error
}

func (l *limitReader) Read(p []byte) (int, error) {
	n, err := l.r.Read(p[:min(int64(len(p)), l.left+1)])
	if l.left -= int64(n); l.left < 0 {
		l.over = true
		return 0, errLarge
	}
	if err != nil && err != io.EOF {
		l.broken = err
	}
	return n, err
}

// OpenXTDB finds out whether an XTDB 1.x answers at an address: http://host:3000, with or
// without /_xtdb. A user and password in it are sent as basic authorisation.
func OpenXTDB(ctx context.Context, address string, o XTDBOptions) (*XTDB, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		// The address may hold a password: it is not repeated.
		return nil, errors.New("the XTDB address is not of the form http://host:3000")
	}
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	if o.Client == nil {
		o.Client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	}
	u.Path = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/_xtdb") + "/_xtdb/"
	u.RawPath, u.RawQuery, u.Fragment = "", "", ""
	x := &XTDB{base: *u, o: o, unweighed: -1}
	var status struct {
		Version string `json:"version"`
	}
	if err := x.get(ctx, "status", nil, maxWord, &status); err != nil {
		return nil, fmt.Errorf("opening the XTDB at %s: %w", Place(address), err)
	}
	return x, nil
}

// Close does nothing: there is no connection but those of the HTTP client.
func (x *XTDB) Close() error {
	x.o.Client.CloseIdleConnections()
	return nil
}

// refusal is an answer that sending again would not change.
type refusal struct {
	status int
	text   string
	// large says that the answer was over its limit.
	large bool
}

func (r *refusal) Error() string { return r.text }

// request is what is asked of the server.
type request struct {
	method, path string
	query        url.Values
	contentType  string // of the body
	body         []byte
	limit        int64 // the most bytes of the answer
}

// do sends a request until it is answered, and decodes the JSON of the answer.
func (x *XTDB) do(ctx context.Context, r request, into any) error {
	return x.again(ctx, attempts, retry.BackOffDelay, func() error {
		return x.once(ctx, r, into)
	})
}

// again calls try until it returns nil or what calling it again would not change, at
// most n times. It waits 200 ms between two calls, or as delay makes of it.
func (x *XTDB) again(ctx context.Context, n uint, delay retry.DelayTypeFunc, try func() error) error {
	options := []retry.Option{
		retry.Context(ctx), retry.Attempts(n), retry.Delay(200 * time.Millisecond), retry.DelayType(delay), retry.LastErrorOnly(true),
		retry.RetryIf(func(err error) bool {
			var no *refusal
			var untrusted *tls.CertificateVerificationError
			return !errors.As(err, &no) && !errors.As(err, &untrusted) && !errors.Is(err, object.ErrDamaged) && ctx.Err() == nil && x.took(0, false)
		}),
	}
	if x.o.Timer != nil {
		options = append(options, retry.WithTimer(x.o.Timer))
	}
	var last error
	err := retry.New(options...).Do(func() error {
		began := time.Now()
		last = try()
		x.took(time.Since(began), last != nil)
		return last
	})
	if err != nil && err != last {
		// The caller gave up while it waited: why it had to wait is told too.
		return errors.Join(err, last)
	}
	return err
}

// once sends a request and decodes the JSON of its answer.
func (x *XTDB) once(ctx context.Context, r request, into any) error {
	path := r.path
	patience := x.patience()
	if patience <= 0 {
		return &refusal{text: fmt.Sprintf("%s: not asked: the server took %s of this run", path, maxSpent)}
	}
	within, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	u := x.base
	u.Path += path
	u.RawQuery = r.query.Encode()
	req, err := http.NewRequestWithContext(within, r.method, u.String(), bytes.NewReader(r.body))
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "application/json")
	if r.contentType != "" {
		req.Header.Set("Content-Type", r.contentType)
	}
	if x.o.Authorization != "" {
		req.Header.Set("Authorization", x.o.Authorization)
	}
	resp, err := x.o.Client.Do(req)
	late := within.Err() != nil && ctx.Err() == nil
	if err != nil {
		var ue *url.Error // says the address again, and the ids in it
		if errors.As(err, &ue) {
			err = ue.Err
		}
		if late {
			return fmt.Errorf("%s: no answer within %s", path, rounded(patience))
		}
		return fmt.Errorf("%s: %w", path, err)
	}
	defer resp.Body.Close()
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	limit := min(r.limit, x.room())
	answer := &limitReader{r: resp.Body, left: limit}
	defer func() { x.takes(limit - answer.left) }()
	why := func() string {
		b, err := io.ReadAll(io.LimitReader(answer, maxReason))
		if err != nil {
			return ""
		}
		return reason(kind, b)
	}
	switch {
	case resp.StatusCode >= 500 || resp.StatusCode == http.StatusTooManyRequests:
		return fmt.Errorf("%s: status %d%s", path, resp.StatusCode, why())
	case resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden:
		return &refusal{status: resp.StatusCode, text: fmt.Sprintf("%s: status %d: the authorisation is missing or refused", path, resp.StatusCode)}
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		return &refusal{status: resp.StatusCode, text: fmt.Sprintf("%s: status %d: the address leads elsewhere, which is not followed", path, resp.StatusCode)}
	case kind != "application/json":
		return &refusal{status: resp.StatusCode, text: fmt.Sprintf("%s: status %d: the answer is %q, not JSON: is this the address of an XTDB 1.x?", path, resp.StatusCode, clip(kind))}
	case resp.StatusCode >= 400:
		return &refusal{status: resp.StatusCode, text: fmt.Sprintf("%s: status %d%s", path, resp.StatusCode, why())}
	}
	err = decode(answer, into)
	var no *refusal
	switch {
	case err == nil || errors.As(err, &no) || errors.Is(err, object.ErrDamaged):
		return err
	case answer.over:
		return &refusal{resp.StatusCode, fmt.Sprintf("%s: the answer is larger than %d bytes", path, limit), true}
	case answer.broken != nil && within.Err() != nil && ctx.Err() == nil:
		return fmt.Errorf("%s: the answer was not complete within %s", path, rounded(patience))
	case answer.broken != nil:
		return fmt.Errorf("%s: reading the answer: %w", path, answer.broken)
	}
	return fmt.Errorf("%s: the answer cannot be read: %w", path, err)
}

// maxReason bounds what is read of an answer that is none, in bytes.
const maxReason = 64 << 10

// rounded is a time as it is told.
func rounded(d time.Duration) time.Duration { return d.Round(time.Second / 10) }

// decode reads one JSON value.
func decode(r io.Reader, into any) error {
	d := json.NewDecoder(r)
	var err error
	if read, ok := into.(rows); ok {
		err = read(d)
	} else {
		err = d.Decode(into)
	}
	if err != nil {
		return err
	}
	if _, err := d.Token(); err == nil {
		return errors.New("something stands behind it")
	} else if err != io.EOF {
		return err
	}
	return nil
}

// reason is what a JSON answer gives as its error. It is quoted: it is the server's words.
func reason(kind string, answer []byte) string {
	var e struct{ Error, Message string }
	if kind != "application/json" || json.Unmarshal(answer, &e) != nil || e.Error+e.Message == "" {
		return ""
	}
	return fmt.Sprintf(": %q", clip(e.Error+e.Message))
}

// clip bounds a server's words. Who prints them screens them and cuts them then, to
// less: of a credential that was cut no screen would know the rest.
func clip(s string) string {
	const most = 8 << 10
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}

func (x *XTDB) get(ctx context.Context, path string, query url.Values, limit int64, into any) error {
	return x.do(ctx, request{method: http.MethodGet, path: path, query: query, limit: limit}, into)
}

// entity returns the newest document of an id, nil where there is none.
func (x *XTDB) entity(ctx context.Context, id string) (json.RawMessage, error) {
	var doc json.RawMessage
	err := x.get(ctx, "entity", url.Values{"eid": {id}}, maxAnswer, &doc)
	var no *refusal
	if errors.As(err, &no) && no.status == http.StatusNotFound {
		return nil, nil
	}
	return doc, err
}

// query runs Datalog as of a transaction, or now where tx is negative.
func (x *XTDB) query(ctx context.Context, tx int64, edn string, limit int64, into any) error {
	q := url.Values{}
	if tx >= 0 {
		q.Set("tx-id", strconv.FormatInt(tx, 10))
	}
	return x.do(ctx, request{http.MethodPost, "query", q, "application/edn", []byte(edn), limit}, into)
}

// runDoc is the document of a run. Its keys are none of an object's.
type runDoc struct {
	ID      string `json:"xt/id"`
	Run     string `json:"haversack/run"`
	Session string `json:"haversack/session"`
	Commit  string `json:"haversack/commit"`
	Handed  bool   `json:"haversack/handed"`
	Done    bool   `json:"haversack/done"`
	// Part counts the transactions, Txs are those before this one.
	Part int `json:"haversack/part"`
	Txs  txs `json:"haversack/txs"`
	// Nonce tells the writer's own document from another's.
	Nonce string `json:"haversack/nonce"`
}

// txs are the numbers of transactions.
type txs []int64

// UnmarshalJSON refuses more of them than a run has: a number takes more memory than its digit.
func (t *txs) UnmarshalJSON(b []byte) error {
	if len(b) > maxTxs {
		return fmt.Errorf("%w: a run names more than %d bytes of transactions", object.ErrDamaged, maxTxs)
	}
	return json.Unmarshal(b, (*[]int64)(t))
}

func runDocID(run string) string { return "haversack:run:" + run }

func (d *runDoc) last() int64 {
	if len(d.Txs) == 0 {
		return -1
	}
	return d.Txs[len(d.Txs)-1]
}

// Put implements object.Store.
func (x *XTDB) Put(ctx context.Context, w object.Write) error {
	if err := object.CheckRun(w.Run); err != nil {
		return err
	}
	if err := x.put(ctx, w); err != nil {
		return fmt.Errorf("writing run %q to XTDB: %w", w.Run.ID, err)
	}
	x.evict(ctx) // what cannot go now goes after a later run
	return nil
}

func (x *XTDB) put(ctx context.Context, w object.Write) error {
	nonce := make([]byte, 16)
	if _, err := rand.Read(nonce); err != nil {
		return err
	}
	p := &part{x: x, next: runDoc{
		ID: runDocID(w.Run.ID), Run: w.Run.ID, Session: w.Run.Session, Commit: w.Run.Commit, Handed: w.Run.Handed,
		Txs: txs{}, Nonce: hex.EncodeToString(nonce),
	}, expect: map[string]json.RawMessage{}}
	before, err := x.entity(ctx, p.next.ID)
	if err != nil {
		return err
	}
	if before != nil {
		// An earlier try of this run stopped on its way: it is continued.
		var d runDoc
		if err := json.Unmarshal(before, &d); err != nil {
			return fmt.Errorf("%w: %w", object.ErrDamaged, err)
		}
		if d.Done {
			return object.ErrRunExists
		}
		p.before, p.next.Part, p.next.Txs = before, d.Part, append(p.next.Txs, d.Txs...)
	}
	for id, want := range w.Expect {
		doc, err := x.entity(ctx, id)
		if err != nil {
			return err
		}
		if want == nil != (doc == nil) {
			return object.ErrConflict
		}
		if doc != nil {
			var h object.Head
			if err := json.Unmarshal(doc, &h); err != nil {
				return fmt.Errorf("%w: %w", object.ErrDamaged, err)
			}
			if h.ObjectHash != object.HeadOf(want).ObjectHash {
				return object.ErrConflict
			}
		}
		p.expect[id] = doc
	}
	for o, err := range w.Objects {
		if err != nil {
			return err
		}
		doc, text, err := x.document(o)
		if err != nil {
			return err
		}
		size := len(doc) + len(text.text)
		// An object stands once in a transaction, so that each version has its own.
		if len(p.puts) == partObjects || p.bytes+size > partBytes && len(p.puts) > 0 || slices.Contains(p.ids, object.HeadOf(o).ID) {
			if err := p.flush(ctx, false); err != nil {
				return err
			}
		}
		p.puts, p.ids, p.bytes = append(p.puts, doc), append(p.ids, object.HeadOf(o).ID), p.bytes+size
		if text.hash != "" {
			p.texts = append(p.texts, text)
		}
	}
	// Even a run without objects has a transaction to be as of.
	if len(p.puts) > 0 || len(p.next.Txs) == 0 {
		if err := p.flush(ctx, false); err != nil {
			return err
		}
	}
	return p.flush(ctx, true)
}

// document is an object as it is sent, and the content that is sent beside it.
func (x *XTDB) document(o object.Object) (json.RawMessage, storedText, error) {
	if f, ok := o.(*object.File); ok && f.ContentHash != nil && (f.Content == nil || x.o.KeepFiles <= 0 || int64(len(*f.Content)) > x.o.KeepFiles) {
		o = f.WithoutContent()
	}
	doc, err := object.Encode(o)
	var text storedText
	if err == nil {
		doc, text, err = apart(o, doc)
	}
	if err == nil && len(doc) > maxAnswer-1<<10 {
		err = fmt.Errorf("the document of %q is larger than %d bytes", object.HeadOf(o).ID, maxAnswer-1<<10)
	}
	return doc, text, err
}

// part is the next transaction of a run.
type part struct {
	x      *XTDB
	before json.RawMessage // the run's document, nil where there is none
	next   runDoc
	expect map[string]json.RawMessage // not yet matched
	puts   []json.RawMessage
	ids    []string
	texts  []storedText // contents of puts
	bytes  int
}

// flush sends the transaction, with the run's document, and waits until it counts.
func (p *part) flush(ctx context.Context, done bool) error {
	p.next.Part++
	p.next.Done = done
	after, err := json.Marshal(p.next)
	if err != nil {
		return err
	}
	ops := [][]any{{"match", p.next.ID, p.before}}
	for _, id := range p.matches(done) {
		ops = append(ops, []any{"match", id, p.expect[id]})
		delete(p.expect, id)
	}
	for _, doc := range p.puts {
		ops = append(ops, []any{"put", doc})
	}
	contents, err := p.x.newContents(ctx, p.texts, p.next.Run)
	if err != nil {
		return err
	}
	for _, doc := range contents {
		ops = append(ops, []any{"put", doc})
	}
	ops = append(ops, []any{"put", json.RawMessage(after)})
	body, err := json.Marshal(map[string]any{"tx-ops": ops})
	if err != nil {
		return err
	}
	tx, err := p.x.submit(ctx, body)
	if err != nil {
		return err
	}
	committed, err := p.x.committed(ctx, tx)
	if err != nil {
		return err
	}
	if !committed {
		// A match failed. Where the run's document is the one just sent, an earlier sending
		// of the same transaction stood, whose answer never came.
		if tx, err = p.x.lastTx(ctx, p.next.ID, p.next.Nonce, p.next.Part); err != nil {
			return err
		}
		if tx < 0 {
			return object.ErrConflict
		}
	}
	p.before = after
	p.next.Txs = append(p.next.Txs, tx)
	p.x.weigh(contents)
	p.puts, p.ids, p.texts, p.bytes = nil, nil, nil, 0
	return nil
}

// matches are the expectations that belong to this transaction: those of its objects, and in
// the end all that are left. They are in a fixed order.
func (p *part) matches(done bool) []string {
	var ids []string
	for id := range p.expect {
		if done || slices.Contains(p.ids, id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

func (x *XTDB) submit(ctx context.Context, body []byte) (int64, error) {
	var tx struct {
		ID *int64 `json:"txId"`
	}
	if err := x.do(ctx, request{http.MethodPost, "submit-tx", nil, "application/json", body, maxWord}, &tx); err != nil {
		return 0, err
	}
	if tx.ID == nil || *tx.ID < 0 {
		return 0, errors.New("submit-tx: the answer names no transaction")
	}
	return *tx.ID, nil
}

// committed waits until a transaction is indexed, and tells whether it stood.
func (x *XTDB) committed(ctx context.Context, tx int64) (bool, error) {
	id := strconv.FormatInt(tx, 10)
	// The node gives up after its timeout; what it does then counts as a failure of
	// the server, and is asked again.
	patience := strconv.Itoa(min(awaitMillis, int(x.o.Timeout.Milliseconds()*3/4)))
	err := x.again(ctx, awaits, retry.FixedDelay, func() error {
		var at struct {
			ID int64 `json:"txId"`
		}
		return x.once(ctx, request{method: http.MethodGet, path: "await-tx", query: url.Values{"txId": {id}, "timeout": {patience}}, limit: maxWord}, &at)
	})
	if err != nil {
		return false, fmt.Errorf("waiting for transaction %d: %w", tx, err)
	}
	var answer map[string]bool
	if err := x.get(ctx, "tx-committed", url.Values{"txId": {id}}, maxWord, &answer); err != nil {
		return false, err
	}
	if yes, ok := answer["txCommitted?"]; ok {
		return yes, nil
	}
	return false, errors.New("tx-committed: the answer does not tell")
}

// version is an entry of an entity's history.
type version struct {
	Tx  int64           `json:"txId"`
	Doc json.RawMessage `json:"doc"`
}

func (x *XTDB) history(ctx context.Context, id string) ([]version, error) {
	var out []version
	// Without corrections, of two versions within one millisecond the first would be left out.
	err := x.get(ctx, "entity", url.Values{"eid": {id}, "history": {"true"}, "sort-order": {"asc"}, "with-docs": {"true"}, "with-corrections": {"true"}}, maxAnswer, rows(func(d *json.Decoder) error {
		out = nil
		return each(d, func(v version) error {
			if len(v.Doc) > 0 && string(v.Doc) != "null" { // else deleted or evicted by someone else
				out = append(out, v)
			}
			return nil
		})
	}))
	slices.SortStableFunc(out, func(a, b version) int { return int(a.Tx - b.Tx) })
	return out, err
}

// lastTx returns the transaction that left the newest document of a run, where that is the
// one of a nonce and a part; else -1.
func (x *XTDB) lastTx(ctx context.Context, id, nonce string, n int) (int64, error) {
	versions, err := x.history(ctx, id)
	if err != nil || len(versions) == 0 {
		return -1, err
	}
	last := versions[len(versions)-1]
	var d runDoc
	if err := json.Unmarshal(last.Doc, &d); err != nil {
		return -1, fmt.Errorf("%w: %w", object.ErrDamaged, err)
	}
	if d.Nonce != nonce || d.Part != n {
		return -1, nil
	}
	return last.Tx, nil
}

// Runs implements object.Store.
func (x *XTDB) Runs(ctx context.Context, session string) ([]object.Run, error) {
	docs, err := x.runs(ctx, session)
	if err != nil {
		return nil, err
	}
	out := make([]object.Run, len(docs))
	for i, d := range docs {
		out[i] = object.Run{ID: d.Run, Session: d.Session, Commit: d.Commit, Handed: d.Handed}
	}
	return out, nil
}

func (x *XTDB) runs(ctx context.Context, session string) ([]runDoc, error) {
	q := `{:query {:find [(pull r [*])] :where [[r :haversack/done true]]}}`
	if session != "" {
		q = `{:query {:find [(pull r [*])] :in [s] :where [[r :haversack/session s] [r :haversack/done true]]} :in-args [` + edn(session) + `]}`
	}
	var docs []runDoc
	err := x.query(ctx, -1, q, maxListing, rows(func(d *json.Decoder) error {
		docs = nil
		return each(d, func(r []runDoc) error {
			if len(r) != 1 || r[0].ID != runDocID(r[0].Run) || len(r[0].Txs) == 0 {
				return fmt.Errorf("%w: a run's document is not ours", object.ErrDamaged)
			}
			d := r[0]
			if err := object.CheckRun(object.Run{ID: d.Run, Session: d.Session, Commit: d.Commit}); err != nil {
				return fmt.Errorf("%w: %w", object.ErrDamaged, err)
			}
			docs = append(docs, d)
			return nil
		})
	}))
	if err != nil {
		return nil, err
	}
	slices.SortFunc(docs, func(a, b runDoc) int {
		if a.last() != b.last() {
			return int(max(-1, min(1, a.last()-b.last())))
		}
		return strings.Compare(a.ID, b.ID)
	})
	return slices.CompactFunc(docs, func(a, b runDoc) bool { return a.ID == b.ID }), nil
}

// heads are the attributes of objects, all but the content.
const heads = `[:xt/id :type :source :identity_hash :file_hash :content_hash :metadata_hash :object_hash :file_type :char_count ` +
	`:tool :args :args_display :status :chat_ref :file_refs :turns :session_ref :turn_count :toolcall_refs ` +
	`:session_id :system_prompt_ref :session_index :metadata_pool :active_set :pinned_set]`

// Get implements object.Store.
func (x *XTDB) Get(ctx context.Context, q object.Query) (map[string]object.Object, error) {
	tx := int64(-1)
	if q.Run != "" {
		doc, err := x.entity(ctx, runDocID(q.Run))
		if err != nil {
			return nil, err
		}
		var d runDoc
		if doc != nil {
			if err := json.Unmarshal(doc, &d); err != nil {
				return nil, fmt.Errorf("%w: %w", object.ErrDamaged, err)
			}
		}
		if !d.Done || d.last() < 0 {
			return nil, fmt.Errorf("run %q: %w", q.Run, object.ErrNoRun)
		}
		tx = d.last()
	}
	pull := heads
	if q.Content {
		pull = "[*]"
	}
	out := make(map[string]object.Object, len(q.IDs))
	for ids := range slices.Chunk(q.IDs, askIDs) {
		err := x.pull(ctx, tx, pull, ids, func(id string, doc json.RawMessage) error {
			o, err := object.Decode(doc)
			if err == nil && object.HeadOf(o).ID != id {
				err = fmt.Errorf("%w: a document is not under its id", object.ErrDamaged)
			}
			out[id] = o
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if !q.Content {
		return out, nil
	}
	return out, x.fill(ctx, slices.Collect(maps.Values(out)))
}

// pull gives attributes of the documents of some ids to each, by the id: of half as many at a time where an answer is too
// large. A document may come twice.
func (x *XTDB) pull(ctx context.Context, tx int64, attributes string, ids []string, do func(id string, doc json.RawMessage) error) error {
	var b strings.Builder
	b.WriteString(`{:query {:find [(pull e ` + attributes + `)] :in [[e ...]] :where [[e :xt/id]]} :in-args [[`)
	asked := make(map[string]bool, len(ids))
	for _, id := range ids {
		b.WriteString(edn(id))
		b.WriteByte(' ')
		asked[id] = true
	}
	b.WriteString(`]]}`)
	err := x.query(ctx, tx, b.String(), maxAnswer, rows(func(d *json.Decoder) error {
		return each(d, func(r []json.RawMessage) error {
			if len(r) != 1 {
				return fmt.Errorf("%w: a query's row is not of one column", object.ErrDamaged)
			}
			var head struct {
				ID string `json:"xt/id"`
			}
			if err := json.Unmarshal(r[0], &head); err != nil {
				return fmt.Errorf("%w: %w", object.ErrDamaged, err)
			}
			if !asked[head.ID] {
				return fmt.Errorf("%w: a query's row was not asked for", object.ErrDamaged)
			}
			return do(head.ID, r[0])
		})
	}))
	var no *refusal
	if len(ids) > 1 && errors.As(err, &no) && no.large {
		half := len(ids) / 2
		if err = x.pull(ctx, tx, attributes, ids[:half], do); err == nil {
			err = x.pull(ctx, tx, attributes, ids[half:], do)
		}
	}
	return err
}

// History implements object.Store.
func (x *XTDB) History(ctx context.Context, id string) ([]object.Version, error) {
	versions, err := x.history(ctx, id)
	if err != nil || len(versions) == 0 {
		return nil, err
	}
	runs, err := x.runs(ctx, "")
	if err != nil {
		return nil, err
	}
	by := map[int64]string{}
	for _, r := range runs {
		for _, tx := range r.Txs {
			by[tx] = r.Run
		}
	}
	var out []object.Version
	for _, v := range versions {
		o, err := object.Decode(v.Doc)
		if err != nil {
			return nil, err
		}
		out = append(out, object.Version{Object: o, Run: by[v.Tx]})
	}
	objects := make([]object.Object, len(out))
	for i := range out {
		objects[i] = out[i].Object
	}
	return out, x.fill(ctx, objects)
}

// edn returns s as an EDN string. The escapes of JSON are among EDN's.
func edn(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil { // a string always encodes
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// asks is how many histories are asked for at once.
const asks = 8

// Deleted implements object.Store. The server has no query for the versions of many: each
// file without a hash is asked for by itself.
func (x *XTDB) Deleted(ctx context.Context, ids []string) (map[string]bool, error) {
	states := make([]object.Life, len(ids))
	errs := make([]error, asks)
	var wg sync.WaitGroup
	for w := range asks {
		wg.Go(func() {
			for i := w; i < len(ids) && errs[w] == nil; i += asks {
				versions, err := x.history(ctx, ids[i])
				for _, v := range versions {
					var h object.Head
					if err == nil {
						err = json.Unmarshal(v.Doc, &h)
					}
					states[i] = states[i].Next(h.FileHash != nil)
				}
				errs[w] = err
			}
		})
	}
	wg.Wait()
	gone := map[string]bool{}
	for i, l := range states {
		if l == object.Gone {
			gone[ids[i]] = true
		}
	}
	return gone, errors.Join(errs...)
}

// EverActive implements object.Store.
func (x *XTDB) EverActive(ctx context.Context, session string) (map[string]bool, error) {
	versions, err := x.history(ctx, session)
	if err != nil {
		return nil, err
	}
	out := map[string]bool{}
	for _, v := range versions {
		var s struct {
			Active []string `json:"active_set"`
		}
		if err := json.Unmarshal(v.Doc, &s); err != nil {
			return nil, fmt.Errorf("%w: %w", object.ErrDamaged, err)
		}
		for _, id := range s.Active {
			out[id] = true
		}
	}
	return out, nil
}
