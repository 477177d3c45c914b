package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"strings"
)

// encoder writes a value as marshal does, without ever having all of it in memory: lists of structs are encoded one
// element after the other. Each part goes through pass, which may refuse it, before it is written.
type encoder struct {
	w    *bufio.Writer
	pass func([]byte) error
	// part is what enc writes to, one value after the other.
	part bytes.Buffer
	enc  *json.Encoder
	// apart says of the structs met whether they are written field by field.
	apart map[reflect.Type]bool
}

// Encode writes v and a line feed.
func Encode(w io.Writer, v any, pass func([]byte) error) error {
	s := encoder{w: bufio.NewWriterSize(w, 256<<10), pass: pass, apart: map[reflect.Type]bool{}}
	s.enc = json.NewEncoder(&s.part)
	s.enc.SetEscapeHTML(false)
	if err := s.value(reflect.ValueOf(v)); err != nil {
		return err
	}
	s.w.WriteByte('\n')
	return s.w.Flush()
}

var marshaler = reflect.TypeFor[json.Marshaler]()

func (s *encoder) value(v reflect.Value) error {
	for v.Kind() == reflect.Pointer && !v.IsNil() && !v.Type().Implements(marshaler) {
		v = v.Elem()
	}
	t := v.Type()
	switch {
	case t.Implements(marshaler):
	case t.Kind() == reflect.Struct && s.lists(t) && listed(v):
		return s.fields(v)
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct && !v.IsNil():
		s.w.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				s.w.WriteByte(',')
			}
			if err := s.value(v.Index(i)); err != nil {
				return err
			}
		}
		return s.w.WriteByte(']')
	}
	var value any
	if v.CanAddr() && t.Kind() == reflect.Struct {
		value = v.Addr().Interface() // as large as it is, it need not be copied
	} else {
		value = v.Interface()
	}
	s.part.Reset()
	if err := s.enc.Encode(value); err != nil {
		return err
	}
	part := bytes.TrimSuffix(s.part.Bytes(), []byte("\n"))
	if err := s.pass(part); err != nil {
		return err
	}
	_, err := s.w.Write(part)
	return err
}

func (s *encoder) lists(t reflect.Type) bool {
	apart, known := s.apart[t]
	if !known {
		apart = lists(t)
		s.apart[t] = apart
	}
	return apart
}

// lists reports whether a struct has a list of structs, and nothing that is encoded otherwise than by its tags.
func lists(t reflect.Type) bool {
	found := false
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous || strings.Contains(f.Tag.Get("json"), ",string") || strings.Contains(f.Tag.Get("json"), "omitzero") {
			return false
		}
		found = found || f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct
	}
	return found
}

// listed reports whether a list of structs holds anything. A struct of which none does is encoded at once.
func listed(v reflect.Value) bool {
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Slice && f.Len() > 0 && f.Type().Elem().Kind() == reflect.Struct {
			return true
		}
	}
	return false
}

func (s *encoder) fields(v reflect.Value) error {
	lead := byte('{')
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" || strings.Contains(options, "omitempty") && empty(v.Field(i)) {
			continue
		}
		if name == "" {
			name = f.Name
		}
		s.w.WriteByte(lead)
		s.w.WriteString(`"` + name + `":`) // a name of ours
		lead = ','
		if err := s.value(v.Field(i)); err != nil {
			return err
		}
	}
	if lead == '{' {
		s.w.WriteByte('{')
	}
	return s.w.WriteByte('}')
}

// empty is what omitempty leaves out.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.String, reflect.Array:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}
