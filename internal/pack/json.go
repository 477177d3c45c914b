package pack

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// WriteJSON writes the pack: fields in the order of the type, one line for each
// element of a list at the top, no HTML escaping, LF at the end. It is written
// as it goes, never held as a whole.
func (p *Full) WriteJSON(w io.Writer) error { return writeJSON(w, p) }

// WriteJSON writes the pack; see Full.WriteJSON.
func (p *Summary) WriteJSON(w io.Writer) error { return writeJSON(w, p) }

func writeJSON(w io.Writer, pack any) error {
	out := bufio.NewWriter(w)
	v := reflect.ValueOf(pack).Elem()
	line := newLine()
	for i := range v.NumField() {
		if !v.Type().Field(i).IsExported() {
			continue
		}
		name, option, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if option == "omitempty" && v.Field(i).Len() == 0 {
			continue
		}
		lead := "{\n"
		if i > 0 {
			lead = ",\n"
		}
		fmt.Fprintf(out, "%s%q:", lead, name)
		field := v.Field(i)
		if field.Kind() != reflect.Slice {
			b, err := line.of(field.Interface())
			if err != nil {
				return err
			}
			out.Write(b)
			continue
		}
		out.WriteByte('[')
		for j := range field.Len() {
			if j > 0 {
				out.WriteByte(',')
			}
			out.WriteByte('\n')
			b, err := line.of(field.Index(j).Interface())
			if err != nil {
				return err
			}
			if _, err := out.Write(b); err != nil {
				return err // nothing takes the rest
			}
		}
		out.WriteByte(']')
	}
	out.WriteString("\n}\n")
	return out.Flush()
}

// liner encodes values as single lines.
type liner struct {
	buf bytes.Buffer
	enc *json.Encoder
}

func newLine() *liner {
	l := &liner{}
	l.enc = json.NewEncoder(&l.buf)
	l.enc.SetEscapeHTML(false)
	return l
}

// of returns v as JSON without a line feed; it is valid until the next call.
func (l *liner) of(v any) ([]byte, error) {
	l.buf.Reset()
	if err := l.enc.Encode(v); err != nil {
		return nil, fmt.Errorf("writing pack: %w", err)
	}
	return bytes.TrimSuffix(l.buf.Bytes(), []byte("\n")), nil
}
