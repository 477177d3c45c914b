package pack

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
)

// MinBytes and MinTokens are the smallest limits that every pack can keep: what it cannot do
// without, and a note on everything that is missing.
const (
	MinBytes  = 2000
	MinTokens = 1000
)

// cost is what a part of a pack takes of each limit.
type cost struct {
	// bytes of the document, in JSON or Markdown, whichever is more.
	bytes int64
	// tokens of the document; 0 where no limit is in tokens.
	tokens int64
	// content is what max-total-bytes counts: bytes of files, before escaping.
	content int64
}

func (a cost) plus(b cost) cost {
	return cost{a.bytes + b.bytes, a.tokens + b.tokens, a.content + b.content}
}

func (a cost) minus(b cost) cost {
	return cost{a.bytes - b.bytes, a.tokens - b.tokens, a.content - b.content}
}

// within reports whether a is no more than b in every respect.
func (a cost) within(b cost) bool {
	return a.bytes <= b.bytes && a.tokens <= b.tokens && a.content <= b.content
}

// least is the smaller of both in every respect.
func (a cost) least(b cost) cost {
	return cost{min(a.bytes, b.bytes), min(a.tokens, b.tokens), min(a.content, b.content)}
}

// bound is one limit and who says so.
type bound struct {
	n  int64
	by string
}

// bounds are the smallest limits in bytes and in tokens. Tokens are nil where
// no chosen provider counts in them.
func (c *Constraints) bounds() (inBytes bound, inTokens *bound) {
	inBytes = bound{c.MaxContentBytes, fmt.Sprintf("max-content-bytes %d", c.MaxContentBytes)}
	for _, name := range slices.Sorted(maps.Keys(c.ProviderLimits)) {
		if n := c.ProviderLimits[name]; c.chosen(name) && n < inBytes.n {
			inBytes = bound{n, fmt.Sprintf("%s's limit of %d bytes", claim.OneLine(name, 60), n)}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.ProviderTokens)) {
		if n := c.ProviderTokens[name]; c.chosen(name) && (inTokens == nil || n < inTokens.n) {
			inTokens = &bound{n, fmt.Sprintf("%s's limit of %d tokens", claim.OneLine(name, 60), n)}
		}
	}
	return inBytes, inTokens
}

func (c *Constraints) chosen(provider string) bool {
	return len(c.Providers) == 0 || slices.Contains(c.Providers, provider)
}

// limit is what a document may take. content is not limited.
func (c *Constraints) limit() cost {
	inBytes, inTokens := c.bounds()
	l := cost{inBytes.n, math.MaxInt64, math.MaxInt64}
	if inTokens != nil {
		l.tokens = inTokens.n
	}
	return l
}

// TooSmallError says that a limit is below what any pack needs.
type TooSmallError struct {
	// By is the limit and who asks for it.
	By string
}

func (e *TooSmallError) Error() string {
	input := "provider-limits"
	if strings.HasPrefix(e.By, "max-content-bytes") {
		input = "max-content-bytes"
	}
	return fmt.Sprintf("input %s: %s is too small for a pack; the smallest possible is %d bytes, or %d tokens", input, e.By, MinBytes, MinTokens)
}

// enough returns a *TooSmallError where a limit is below the smallest possible.
func (c *Constraints) enough() error {
	inBytes, inTokens := c.bounds()
	switch {
	case inBytes.n < MinBytes:
		return &TooSmallError{inBytes.by}
	case inTokens != nil && inTokens.n < MinTokens:
		return &TooSmallError{inTokens.by}
	}
	return nil
}

// meter measures parts of a document before there is one. What it says is never
// less than what the part takes.
type meter struct {
	line *liner
	// count is nil where no limit is in tokens.
	count func([]byte) int
	buf   bytes.Buffer
	md    *bufio.Writer // into buf
	// rows are the costs of the rows of an index, which begins at first.
	rows  []cost
	first *Entry
}

func newMeter(c *Constraints) *meter {
	m := &meter{line: newLine()}
	m.md = bufio.NewWriter(&m.buf)
	if _, inTokens := c.bounds(); inTokens != nil {
		// No token is shorter than a byte.
		m.count = func(b []byte) int { return len(b) }
		if c.CountTokens != nil {
			m.count = c.CountTokens
		}
	}
	return m
}

// of measures an element: as JSON with what parts it from the next one, and as
// asMarkdown writes it (nil where Markdown leaves it out).
func (m *meter) of(v any, asMarkdown func(*markdown)) cost {
	b, _ := m.line.of(v)
	c := cost{bytes: int64(len(b)) + 2}
	if m.count != nil {
		c.tokens = int64(m.count(b)) + 2 // what parts them
	}
	bare, numbers := bareOf(v)
	if bare == nil {
		b = nil
	} else {
		b, _ = m.line.of(bare)
	}
	m.buf.Reset()
	m.md.Reset(&m.buf)
	md := &markdown{w: m.md}
	if asMarkdown != nil {
		asMarkdown(md)
	}
	md.w.Write(unticked(b)) // in the data, behind all else
	md.w.Flush()
	c.bytes = max(c.bytes, int64(m.buf.Len())+2+numbers)
	if m.count != nil {
		c.tokens = max(c.tokens, int64(m.count(m.buf.Bytes()))+3+numbers)
	}
	return c
}

// whole measures a document as it is.
func (m *meter) whole(p document) (cost, error) {
	var c cost
	for _, write := range []func(*bytes.Buffer) error{
		func(b *bytes.Buffer) error { return p.WriteJSON(b) },
		func(b *bytes.Buffer) error { return p.WriteMarkdown(b) },
	} {
		m.buf.Reset()
		if err := write(&m.buf); err != nil {
			return cost{}, err
		}
		c.bytes = max(c.bytes, int64(m.buf.Len()))
		if m.count != nil {
			c.tokens = max(c.tokens, int64(m.count(m.buf.Bytes())))
		}
	}
	return c, nil
}

// errFull ends the writing of a document that is over its limit.
var errFull = errors.New("over the limit")

// upTo takes so many bytes and then errFull.
type upTo struct{ left int64 }

func (w *upTo) Write(b []byte) (int, error) {
	if w.left -= int64(len(b)); w.left < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// tooLong reports, sooner than whole, that a document is over a limit in bytes.
func (m *meter) tooLong(p document, limit cost) bool {
	return errors.Is(p.WriteJSON(&upTo{limit.bytes}), errFull) || errors.Is(p.WriteMarkdown(&upTo{limit.bytes}), errFull)
}

// index measures the rows of an index, once.
func (m *meter) index(rows []Entry) (costs []cost, all cost) {
	if len(rows) == 0 {
		return nil, cost{}
	}
	if m.first != &rows[0] || len(m.rows) != len(rows) {
		m.first, m.rows = &rows[0], make([]cost, len(rows))
		for i, r := range rows {
			m.rows[i] = m.row(r)
		}
	}
	for _, c := range m.rows {
		all = all.plus(c)
	}
	return m.rows, all
}
