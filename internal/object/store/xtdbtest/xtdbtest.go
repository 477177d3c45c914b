// Package xtdbtest is a server that answers as an XTDB 1.x does, as far as package store
// asks it, for tests that need one to fail. It is strict: a request that a real node would
// refuse is refused, and remembered as a fault of the client. It keeps what it is given, so
// that the same tests run against it and against a real node.
//
// It understands Datalog only as far as it is put to it: the four queries of package store.
package xtdbtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Server is the server. Its fields may be set before it is asked, or with Set.
type Server struct {
	*httptest.Server

	mu     sync.Mutex
	txs    []bool // whether each transaction stood
	docs   map[string][]version
	faults []string

	// Authorization, where not "", is what every request must bring.
	Authorization string
	// Before is called with each request, its body read; where it returns true it has
	// answered in the server's place.
	Before func(w http.ResponseWriter, r *http.Request) bool
	// After is called with each request before its answer is sent; where it returns true the
	// answer is not sent, but what was asked has been done.
	After func(w http.ResponseWriter, r *http.Request) bool
}

type version struct {
	tx  int
	doc map[string]any
}

// NewServer starts a server on loopback.
func NewServer() *Server {
	s := &Server{docs: map[string][]version{}}
	s.Server = httptest.NewServer(s)
	return s
}

// Set changes the server's fields while it runs.
func (s *Server) Set(change func(*Server)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(s)
}

// Faults returns what the client did wrong.
func (s *Server) Faults() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.faults)
}

// Versions returns how many versions a document has.
func (s *Server) Versions(id string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.docs[id])
}

// Document returns the newest version of a document, nil where there is none.
func (s *Server) Document(id string) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at(id, len(s.txs))
}

// Spoil changes the newest version of a document behind everybody's back.
func (s *Server) Spoil(id string, change func(doc map[string]any)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v := s.docs[id]; len(v) > 0 {
		change(v[len(v)-1].doc)
	}
}

type answer struct {
	status int
	body   any
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	s.mu.Lock()
	before, after, authorization := s.Before, s.After, s.Authorization
	s.mu.Unlock()
	if before != nil && before(w, r) {
		return
	}
	var a answer
	if authorization != "" && r.Header.Get("Authorization") != authorization {
		a = answer{http.StatusUnauthorized, "JWT Failed to validate"}
	} else {
		s.mu.Lock()
		a = s.route(r, body)
		if a.status >= 400 && a.status != http.StatusNotFound {
			s.faults = append(s.faults, fmt.Sprintf("%s %s: %d %v", r.Method, r.URL, a.status, a.body))
		}
		s.mu.Unlock()
	}
	if after != nil && after(w, r) {
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(a.status)
	json.NewEncoder(w).Encode(a.body)
}

func bad(format string, args ...any) answer {
	return answer{http.StatusBadRequest, map[string]string{"error": fmt.Sprintf(format, args...)}}
}

func (s *Server) route(r *http.Request, body []byte) answer {
	q := r.URL.Query()
	if r.Header.Get("Accept") != "application/json" {
		return bad("Accept is not application/json: a node would answer EDN")
	}
	switch r.Method + " " + r.URL.Path {
	case "GET /_xtdb/status":
		return answer{200, map[string]any{"version": "1.24.5", "kvStore": "xtdb.mem_kv.MemKv"}}
	case "POST /_xtdb/submit-tx":
		if r.Header.Get("Content-Type") != "application/json" {
			return bad("Content-Type is not application/json")
		}
		return s.submit(body)
	case "GET /_xtdb/await-tx", "GET /_xtdb/tx-committed":
		tx, err := strconv.Atoi(q.Get("txId"))
		if err != nil {
			return bad("txId is no number")
		}
		if tx >= len(s.txs) {
			return bad("Node out of sync")
		}
		if strings.HasSuffix(r.URL.Path, "await-tx") {
			return answer{200, map[string]any{"txId": tx, "txTime": txTime(tx)}}
		}
		return answer{200, map[string]bool{"txCommitted?": s.txs[tx]}}
	case "GET /_xtdb/entity":
		id := q.Get("eid")
		if id == "" {
			return bad("Missing eid")
		}
		if q.Get("history") == "true" {
			if o := q.Get("sort-order"); o != "asc" && o != "desc" {
				return bad("Missing sort-order")
			}
			out := []any{}
			for _, v := range s.docs[id] {
				entry := map[string]any{"txId": v.tx, "txTime": txTime(v.tx), "validTime": txTime(v.tx), "contentHash": "0"}
				if q.Get("with-docs") == "true" {
					entry["doc"] = v.doc
				}
				out = append(out, entry)
			}
			if q.Get("sort-order") == "desc" {
				slices.Reverse(out)
			}
			return answer{200, out}
		}
		if doc := s.at(id, len(s.txs)); doc != nil {
			return answer{200, doc}
		}
		return answer{404, map[string]string{"error": id + " entity not found"}}
	case "POST /_xtdb/query":
		if r.Header.Get("Content-Type") != "application/edn" {
			return bad("Content-Type is not application/edn")
		}
		at := len(s.txs)
		if v := q.Get("tx-id"); v != "" {
			tx, err := strconv.Atoi(v)
			if err != nil || tx >= len(s.txs) {
				return bad("Node out of sync")
			}
			at = tx
		}
		return s.query(string(body), at)
	}
	return answer{404, map[string]string{"error": "not found"}}
}

func txTime(tx int) string {
	return time.Unix(int64(tx), 0).UTC().Format(time.RFC3339)
}

// at returns a document as of a transaction.
func (s *Server) at(id string, tx int) map[string]any {
	for _, v := range slices.Backward(s.docs[id]) {
		if v.tx <= tx {
			return v.doc
		}
	}
	return nil
}

func (s *Server) submit(body []byte) answer {
	var tx struct {
		Ops [][]json.RawMessage `json:"tx-ops"`
	}
	if err := json.Unmarshal(body, &tx); err != nil || len(tx.Ops) == 0 {
		return bad("Malformed request")
	}
	type put struct {
		id  string
		doc map[string]any
	}
	var puts []put
	var evicted []string
	stands := true
	for _, op := range tx.Ops {
		var kind string
		if len(op) < 2 || json.Unmarshal(op[0], &kind) != nil {
			return bad("invalid tx-op")
		}
		switch kind {
		case "put":
			var doc map[string]any
			if json.Unmarshal(op[1], &doc) != nil {
				return bad("invalid doc")
			}
			id, _ := doc["xt/id"].(string)
			if id == "" {
				return bad("invalid entity id")
			}
			puts = append(puts, put{id, doc})
		case "match":
			var id string
			var want map[string]any
			if len(op) < 3 || json.Unmarshal(op[1], &id) != nil || id == "" || json.Unmarshal(op[2], &want) != nil {
				return bad("invalid match")
			}
			if want != nil && want["xt/id"] != id {
				return bad("match of %q with a document of %q", id, want["xt/id"])
			}
			if have := s.at(id, len(s.txs)); have == nil != (want == nil) || have != nil && !reflect.DeepEqual(have, want) {
				stands = false
			}
		case "evict":
			var id string
			if json.Unmarshal(op[1], &id) != nil || id == "" {
				return bad("invalid evict")
			}
			evicted = append(evicted, id)
		default:
			return bad("invalid tx-op %q", kind)
		}
	}
	n := len(s.txs)
	s.txs = append(s.txs, stands)
	if stands {
		for _, p := range puts {
			s.docs[p.id] = append(s.docs[p.id], version{n, p.doc})
		}
		for _, id := range evicted {
			delete(s.docs, id)
		}
	}
	return answer{202, map[string]any{"txId": n, "txTime": txTime(n)}}
}

var (
	byIDs    = regexp.MustCompile(`^\{:query \{:find \[\(pull e \[([^\]]*)\]\)\] :in \[\[e \.\.\.\]\] :where \[\[e :xt/id\]\]\} :in-args \[\[(.*)\]\]\}$`)
	byClause = regexp.MustCompile(`^\{:query \{:find \[e \(pull e \[([^\]]*)\]\)\] :where \[\[e :([a-z/_]+)( "([a-z_]+)")?\]\]\}\}$`)
	runs     = regexp.MustCompile(`^\{:query \{:find \[\(pull r \[\*\]\)\] (:in \[s\] )?:where \[(\[r :haversack/session s\] )?\[r :haversack/done true\]\]\}( :in-args \[(.*)\])?\}$`)
)

func (s *Server) query(edn string, at int) answer {
	out := [][]any{}
	if m := byIDs.FindStringSubmatch(edn); m != nil {
		// EDN strings that come here are JSON strings too.
		d := json.NewDecoder(strings.NewReader(m[2]))
		for {
			var id string
			if err := d.Decode(&id); err == io.EOF {
				break
			} else if err != nil {
				return bad("in-args: %v", err)
			}
			doc := s.at(id, at)
			if doc == nil {
				continue
			}
			if m[1] != "*" {
				part := map[string]any{}
				for _, attribute := range strings.Fields(m[1]) {
					name, ok := strings.CutPrefix(attribute, ":")
					if !ok {
						return bad("not an attribute: %s", attribute)
					}
					if v, ok := doc[name]; ok {
						part[name] = v
					}
				}
				doc = part
			}
			// A node's answer is a bag: a row may come twice.
			out = append(out, []any{doc}, []any{doc})
		}
		return answer{200, out}
	}
	if m := byClause.FindStringSubmatch(edn); m != nil {
		for id := range s.docs {
			doc := s.at(id, at)
			if v, ok := doc[m[2]]; ok && (m[3] == "" || v == m[4]) {
				part := map[string]any{}
				for _, attribute := range strings.Fields(m[1]) {
					if v, ok := doc[strings.TrimPrefix(attribute, ":")]; ok {
						part[strings.TrimPrefix(attribute, ":")] = v
					}
				}
				out = append(out, []any{id, part}, []any{id, part})
			}
		}
		return answer{200, out}
	}
	if m := runs.FindStringSubmatch(edn); m != nil {
		var session string
		if m[4] != "" && json.Unmarshal([]byte(m[4]), &session) != nil {
			return bad("in-args")
		}
		for id := range s.docs { // in no order, as from a node
			doc := s.at(id, at)
			if doc["haversack/done"] == true && (m[4] == "" || doc["haversack/session"] == session) {
				out = append(out, []any{doc})
			}
		}
		return answer{200, out}
	}
	return bad("a query that is not understood: %.200s", edn)
}
