package store

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/haversack-dev/haversack/internal/object"
)

// Contents of files and toolcalls have documents of their own in an XTDB, by their hash, so that one text is there once, none is
// too large for a document, and one can be let go while its hashes stay. The object's document has no key
// "content" then; it has null where there is none.

const (
	// chunkBytes is the size of a content's document, in bytes of text.
	chunkBytes = 1 << 20
	// askContents is how many contents one query asks for.
	askContents = 32
	// weighPart: contents are weighed again when so much of the bound has been stored since, one part in so many.
	weighPart = 16
	// evictOps bounds the documents that one transaction evicts.
	evictOps = 500
)

// storedText is a content and its hash.
type storedText struct{ hash, text string }

// contentDoc is a part of a content. Its keys are none of an object's, or a run's.
type contentDoc struct {
	ID   string `json:"xt/id"`
	Text string `json:"haversack/text"`
	// Bytes are those of the whole content and Parts its documents, both of the first alone. Stored is the
	// run that stored it.
	Bytes  int64  `json:"haversack/bytes,omitempty"`
	Parts  int    `json:"haversack/parts,omitempty"`
	Stored string `json:"haversack/stored,omitempty"`
}

// contentID is the id of the n-th document of a content, from 0.
func contentID(hash string, n int) string {
	id := "haversack:content:" + hash
	if n > 0 {
		id += ":" + strconv.Itoa(n)
	}
	return id
}

// apart takes the content out of the document of a file or a toolcall. An empty one stays.
func apart(o object.Object, doc json.RawMessage) (json.RawMessage, storedText, error) {
	h := object.HeadOf(o)
	if h.Type != object.TypeFile && h.Type != object.TypeToolcall || h.Content == nil || *h.Content == "" || h.ContentHash == nil {
		return doc, storedText{}, nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(doc, &fields); err != nil {
		return nil, storedText{}, err
	}
	delete(fields, "content")
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(fields)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), storedText{*h.ContentHash, *h.Content}, err
}

// chunks are the documents of a content.
func (s storedText) chunks(run string) (list []contentDoc) {
	for rest := s.text; rest != ""; {
		n := min(len(rest), chunkBytes)
		for n < len(rest) && !utf8.RuneStart(rest[n]) {
			n--
		}
		list = append(list, contentDoc{ID: contentID(s.hash, len(list)), Text: rest[:n]})
		rest = rest[n:]
	}
	list[0].Bytes, list[0].Parts, list[0].Stored = int64(len(s.text)), len(list), run
	return list
}

// newContents are the documents of those of some contents that the node does not have.
func (x *XTDB) newContents(ctx context.Context, texts []storedText, run string) ([]contentDoc, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	missing := map[string]storedText{}
	for _, t := range texts {
		missing[contentID(t.hash, 0)] = t
	}
	err := x.pull(ctx, -1, "[:xt/id]", slices.Sorted(maps.Keys(missing)), func(id string, _ json.RawMessage) error {
		delete(missing, id)
		return nil
	})
	if err != nil {
		return nil, err
	}
	var docs []contentDoc
	for _, id := range slices.Sorted(maps.Keys(missing)) {
		docs = append(docs, missing[id].chunks(run)...)
	}
	return docs, nil
}

// fill gives objects the contents that stand in documents of their own. One that is not there was evicted.
func (x *XTDB) fill(ctx context.Context, objects []object.Object) error {
	of := map[string][]*object.Head{}
	for _, o := range objects {
		if h := object.HeadOf(o); h.ContentHash != nil && h.Content == nil {
			of[*h.ContentHash] = append(of[*h.ContentHash], h)
		}
	}
	for hashes := range slices.Chunk(slices.Sorted(maps.Keys(of)), askContents) {
		texts, err := x.contents(ctx, hashes)
		if err != nil {
			return err
		}
		for hash, text := range texts {
			if object.FileHash([]byte(text)) != hash {
				return fmt.Errorf("%w: the content %s has another hash", object.ErrDamaged, hash)
			}
			for _, h := range of[hash] {
				h.Content = &text
			}
		}
	}
	return nil
}

// contents are those of some hashes that the node has.
func (x *XTDB) contents(ctx context.Context, hashes []string) (map[string]string, error) {
	docs := map[string]contentDoc{}
	ask := func(ids []string) error {
		if len(ids) == 0 {
			return nil
		}
		return x.pull(ctx, -1, "[*]", ids, func(id string, raw json.RawMessage) error {
			var d contentDoc
			if err := json.Unmarshal(raw, &d); err != nil {
				return fmt.Errorf("%w: %w", object.ErrDamaged, err)
			}
			docs[id] = d
			return nil
		})
	}
	ids := make([]string, len(hashes))
	for i, h := range hashes {
		ids[i] = contentID(h, 0)
	}
	if err := ask(ids); err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for _, h := range hashes {
		first, ok := docs[contentID(h, 0)]
		if !ok {
			continue
		}
		if first.Parts < 1 || first.Parts > object.MaxContent/chunkBytes*2+1 {
			return nil, fmt.Errorf("%w: a content claims %d parts", object.ErrDamaged, first.Parts)
		}
		var more []string
		for n := 1; n < first.Parts; n++ {
			more = append(more, contentID(h, n))
		}
		if err := ask(more); err != nil {
			return nil, err
		}
		var b strings.Builder
		whole := true
		for n := range first.Parts {
			d, ok := docs[contentID(h, n)]
			whole = whole && ok // else somebody evicts it just now
			b.WriteString(d.Text)
			delete(docs, contentID(h, n))
		}
		if whole {
			texts[h] = b.String()
		}
	}
	return texts, nil
}

// weigh counts contents that were stored.
func (x *XTDB) weigh(docs []contentDoc) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for i := range docs {
		x.unweighed = max(x.unweighed, 0) + docs[i].Bytes
	}
}

// Evicted is how many contents the Puts of this store let go to stay within the bound.
func (x *XTDB) Evicted() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.evicted
}

// evict lets contents go until those that the node holds are within the bound: first those that no newest version needs, then
// those that no session has active or pinned, of the oldest run first. What is active or pinned stays: others may read it.
// All are weighed when some were stored, and then when a part of the bound has been stored again.
func (x *XTDB) evict(ctx context.Context) error {
	x.mu.Lock()
	first := x.unweighed >= 0 && x.evicted == 0
	due := x.o.KeepTotal > 0 && (first || x.unweighed > x.o.KeepTotal/weighPart)
	x.mu.Unlock()
	if !due {
		return nil
	}
	var held []contentDoc
	var total int64
	if err := list(ctx, x, "[:xt/id :haversack/bytes :haversack/parts :haversack/stored]", "[e :haversack/bytes]", func(d contentDoc) {
		held, total = append(held, d), total+d.Bytes
	}); err != nil {
		return err
	}
	x.mu.Lock()
	x.unweighed = 0
	x.mu.Unlock()
	if total <= x.o.KeepTotal {
		return nil
	}
	needs, err := x.needs(ctx)
	if err != nil {
		return err
	}
	runs, err := x.runs(ctx, "")
	if err != nil {
		return err
	}
	at := map[string]int{}
	for i, r := range runs {
		at[r.Run] = i + 1
	}
	slices.SortFunc(held, func(a, b contentDoc) int {
		return cmp.Or(needs[a.ID]-needs[b.ID], at[a.Stored]-at[b.Stored], strings.Compare(a.ID, b.ID))
	})
	var ops [][]any
	count := 0
	send := func() error {
		if len(ops) == 0 {
			return nil
		}
		body, err := json.Marshal(map[string]any{"tx-ops": ops})
		if err != nil {
			return err
		}
		tx, err := x.submit(ctx, body)
		if err == nil {
			_, err = x.committed(ctx, tx)
		}
		if err != nil {
			return err
		}
		x.mu.Lock()
		x.evicted += count
		x.mu.Unlock()
		ops, count = nil, 0
		return nil
	}
	for _, d := range held {
		if total <= x.o.KeepTotal || needs[d.ID] == needAtHand {
			break
		}
		for n := range max(d.Parts, 1) {
			ops = append(ops, []any{"evict", contentID(strings.TrimPrefix(d.ID, contentID("", 0)), n)})
		}
		total -= d.Bytes
		if count++; len(ops) >= evictOps {
			if err := send(); err != nil {
				return err
			}
		}
	}
	return send()
}

// How much a content is needed: by a newest version, or by one that a session has at hand.
const (
	needNewest = 1
	needAtHand = 2
)

// needs says of contents, by the id of their first document, what needs them.
func (x *XTDB) needs(ctx context.Context) (map[string]int, error) {
	needs, hand := map[string]int{}, map[string]bool{}
	err := list(ctx, x, "[:active_set :pinned_set]", `[e :type "session"]`, func(s struct {
		Active []string `json:"active_set"`
		Pinned []string `json:"pinned_set"`
	}) {
		for _, id := range slices.Concat(s.Active, s.Pinned) {
			hand[id] = true
		}
	})
	if err != nil {
		return nil, err
	}
	for _, kind := range []object.Type{object.TypeFile, object.TypeToolcall} {
		err := list(ctx, x, "[:xt/id :content_hash]", `[e :type "`+string(kind)+`"]`, func(o struct {
			ID   string  `json:"xt/id"`
			Hash *string `json:"content_hash"`
		}) {
			if o.Hash == nil {
				return
			}
			need := needNewest
			if hand[o.ID] {
				need = needAtHand
			}
			id := contentID(*o.Hash, 0)
			needs[id] = max(needs[id], need)
		})
		if err != nil {
			return nil, err
		}
	}
	return needs, nil
}

// list gives attributes of all documents that a clause holds of to do, each once.
func list[T any](ctx context.Context, x *XTDB, attributes, clause string, do func(T)) error {
	seen := map[string]bool{}
	return x.query(ctx, -1, `{:query {:find [e (pull e `+attributes+`)] :where [`+clause+`]}}`, maxListing, rows(func(d *json.Decoder) error {
		return each(d, func(r []json.RawMessage) error {
			if len(r) != 2 {
				return fmt.Errorf("%w: a query's row is not of two columns", object.ErrDamaged)
			}
			if seen[string(r[0])] {
				return nil
			}
			seen[string(r[0])] = true
			var one T
			if err := json.Unmarshal(r[1], &one); err != nil {
				return fmt.Errorf("%w: %w", object.ErrDamaged, err)
			}
			do(one)
			return nil
		})
	}))
}
