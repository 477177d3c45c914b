package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// Stream reads JSON of other people's making, token by token or value by value, within
// bounds.
type Stream struct {
	d *json.Decoder
	// most are the bytes of the whole, one those of a token or a value, deep how far
	// lists and objects that nobody asks for may lie in each other.
	most, one int64
	deep      int

	read   int64 // bytes so far
	until  int64 // bytes that may be read for the present token or value
	counts map[string]int
}

// NewStream reads r, of at most so many bytes, each token or value of it of at most one
// bytes, and what nobody asks for nested at most so deep.
func NewStream(r io.Reader, most, one int64, deep int) *Stream {
	s := &Stream{most: most, one: one, deep: deep, counts: map[string]int{}}
	s.d = json.NewDecoder(&boundedReader{r, s})
	s.d.UseNumber()
	return s
}

// boundedReader hands on what the stream may still read.
type boundedReader struct {
	r io.Reader
	s *Stream
}

func (b *boundedReader) Read(p []byte) (int, error) {
	s := b.s
	if s.read >= s.most {
		return 0, fmt.Errorf("it is larger than %d bytes", s.most)
	}
	if s.read >= s.until {
		return 0, fmt.Errorf("one value in it is longer than %d bytes", s.one)
	}
	n, err := b.r.Read(p[:min(int64(len(p)), s.until-s.read, 64<<10)])
	s.read += int64(n)
	return n, err
}

// Offset is how many bytes of the text are read.
func (s *Stream) Offset() int64 { return s.d.InputOffset() }

// begin allows one more token or value to be read.
func (s *Stream) begin() { s.until = s.d.InputOffset() + s.one }

// at says where an error is.
func (s *Stream) at(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return &PlacedError{s.d.InputOffset(), err}
}

// PlacedError is an error, and the byte where it was met.
type PlacedError struct {
	at  int64
	Err error
}

func (e *PlacedError) Error() string { return fmt.Sprintf("at byte %d: %v", e.at, e.Err) }
func (e *PlacedError) Unwrap() error { return e.Err }

// Value decodes one value.
func (s *Stream) Value(v any) error {
	s.begin()
	return s.at(s.d.Decode(v))
}

// array calls f at each of at most most elements.
func (s *Stream) array(most int, f func() error) error {
	n := 0
	return s.elements(func() error {
		if n++; n > most {
			return s.at(fmt.Errorf("a list of more than %d", most))
		}
		return f()
	})
}

// Next reads one token.
func (s *Stream) Next() (json.Token, error) {
	s.begin()
	t, err := s.d.Token()
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return t, err
}

// Open reads the begin of an object or a list; null counts as an empty one.
func (s *Stream) Open(delim json.Delim) (empty bool, err error) {
	t, err := s.Next()
	if err != nil || t == nil {
		return true, err
	}
	if t != delim {
		return true, fmt.Errorf("at byte %d stands %v where %q is wanted", s.d.InputOffset(), kindOf(t), delim.String())
	}
	return false, nil
}

func kindOf(t json.Token) string {
	switch t := t.(type) {
	case json.Delim:
		return strconv.Quote(t.String())
	case string:
		return "a text"
	case json.Number:
		return "a number"
	case bool:
		return "true or false"
	}
	return "null"
}

// object calls f at the value of each key; f reads that value, whole.
func (s *Stream) object(f func(key string) error) error {
	empty, err := s.Open('{')
	for !empty && err == nil && s.More() {
		var key json.Token
		if key, err = s.Next(); err == nil {
			name, _ := key.(string)
			err = f(name)
		}
	}
	if err == nil && !empty {
		_, err = s.Next()
	}
	return err
}

// list calls f at each element, of all lists of that name at most maxForeignRows times.
func (s *Stream) list(name string, f func() error) error {
	return s.elements(func() error {
		if s.counts[name]++; s.counts[name] > maxForeignRows {
			return fmt.Errorf("it has more than %d %s", maxForeignRows, name)
		}
		return f()
	})
}

// elements calls f at each element of a list; f reads it.
func (s *Stream) elements(f func() error) error {
	empty, err := s.Open('[')
	for !empty && err == nil && s.More() {
		err = f()
	}
	if err == nil && !empty {
		_, err = s.Next()
	}
	return err
}

// More reports whether the list or object that is open goes on.
func (s *Stream) More() bool {
	s.begin()
	return s.d.More()
}

// skip reads one value of any kind.
func (s *Stream) skip() error {
	for depth := 0; ; {
		t, err := s.Next()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			if depth++; depth > s.deep {
				return fmt.Errorf("it is nested deeper than %d", s.deep)
			}
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

// text reads a text; null is an empty one.
func (s *Stream) text() (string, error) {
	t, err := s.Next()
	if v, ok := t.(string); ok || t == nil || err != nil {
		return v, err
	}
	return "", fmt.Errorf("at byte %d stands %v where a text is wanted", s.d.InputOffset(), kindOf(t))
}

func (s *Stream) boolean() (bool, error) {
	t, err := s.Next()
	if v, ok := t.(bool); ok || t == nil || err != nil {
		return v, err
	}
	return false, fmt.Errorf("at byte %d stands %v where true or false is wanted", s.d.InputOffset(), kindOf(t))
}

// size reads a number of bytes.
func (s *Stream) size() (int64, error) {
	t, err := s.Next()
	if err != nil || t == nil {
		return 0, err
	}
	v, ok := t.(json.Number)
	if !ok {
		return 0, fmt.Errorf("at byte %d stands %v where a number is wanted", s.d.InputOffset(), kindOf(t))
	}
	n, err := v.Int64()
	if err != nil || n < 0 || n > maxForeignSize {
		return 0, fmt.Errorf("at byte %d a size is %.30s; 0 to %d can be one", s.d.InputOffset(), v, int64(maxForeignSize))
	}
	return n, nil
}

// End reports what follows the value.
func (s *Stream) End() error {
	s.begin()
	if _, err := s.d.Token(); !errors.Is(err, io.EOF) {
		if err == nil {
			err = errors.New("something follows it")
		}
		return err
	}
	return nil
}
