package pack

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/tinylib/msgp/msgp"
)

// MessagePack returns a pack that is written as JSON in MessagePack: the same values, members in their order, so that the same
// pack gives the same bytes.
func MessagePack(asJSON []byte) ([]byte, error) {
	dec := json.NewDecoder(bytes.NewReader(asJSON))
	dec.UseNumber()
	out, err := appendValue(nil, dec, 0)
	if err != nil {
		return nil, fmt.Errorf("writing MessagePack: %w", err)
	}
	return out, nil
}

// maxNesting bounds how deep the values of a pack lie: packs have six levels.
const maxNesting = 64

// appendValue appends the decoder's next value. How many members a list has stands before them, so they are written apart.
func appendValue(out []byte, dec *json.Decoder, depth int) ([]byte, error) {
	t, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case json.Delim:
		if depth == maxNesting {
			return nil, errors.New("nested too deep")
		}
		var inner []byte
		n := uint32(0)
		for ; dec.More(); n++ {
			if inner, err = appendValue(inner, dec, depth+1); err != nil {
				return nil, err
			}
		}
		if _, err := dec.Token(); err != nil {
			return nil, err
		}
		if t == '{' {
			out = msgp.AppendMapHeader(out, n/2)
		} else {
			out = msgp.AppendArrayHeader(out, n)
		}
		return append(out, inner...), nil
	case string:
		return msgp.AppendString(out, t), nil
	case json.Number:
		if n, err := t.Int64(); err == nil {
			return msgp.AppendInt64(out, n), nil
		}
		f, err := t.Float64()
		if err != nil {
			return nil, err
		}
		return msgp.AppendFloat64(out, f), nil
	case bool:
		return msgp.AppendBool(out, t), nil
	}
	return msgp.AppendNil(out), nil
}

// asJSON returns a document that is JSON, MessagePack or Markdown as JSON.
func asJSON(b []byte) ([]byte, error) {
	if isMarkdown(b, TypeFull) || isMarkdown(b, TypeSummary) {
		return fromMarkdown(b)
	}
	if len(b) == 0 || b[0]&0xf0 != 0x80 && b[0] != 0xde && b[0] != 0xdf { // no map of MessagePack
		return b, nil
	}
	out := &boundedBuffer{left: MaxRead}
	if _, err := msgp.UnmarshalAsJSON(out, b); err != nil {
		return nil, fmt.Errorf("MessagePack: %w", err)
	}
	return out.Bytes(), nil
}

// boundedBuffer is a buffer that takes so many bytes.
type boundedBuffer struct {
	bytes.Buffer
	left int
}

func (b *boundedBuffer) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, fmt.Errorf("larger than %d bytes as JSON", MaxRead)
	}
	return b.Buffer.Write(p)
}

// Format is a form of a pack.
type Format string

// The forms that packs are written in, and read in.
const (
	JSON     Format = "json"
	Markdown Format = "markdown"
	Msgpack  Format = "msgpack"
)

// Convert reads a pack in any form, as Show does, and writes it in a form. In the one that it was made in, its bytes are
// those that it was made with.
func Convert(w io.Writer, file io.Reader, to Format) error {
	b, typ, err := readPack(file)
	if err != nil {
		return err
	}
	var p document = &Full{}
	if typ == TypeSummary {
		p = &Summary{}
	}
	if err := json.Unmarshal(b, p); err != nil {
		return fmt.Errorf("reading pack: %w", err)
	}
	if to == Markdown {
		return p.WriteMarkdown(w)
	}
	var out bytes.Buffer
	if err := p.WriteJSON(&out); err != nil {
		return err
	}
	text := out.Bytes()
	if to == Msgpack {
		if text, err = MessagePack(text); err != nil {
			return err
		}
	}
	_, err = w.Write(text)
	return err
}
