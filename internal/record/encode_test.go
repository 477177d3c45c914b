package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"
	"testing/quick"
)

// TestEncode holds that a record that is written as it is made has the bytes of one that is made whole, whatever stands in it.
func TestEncode(t *testing.T) {
	check := func(v any) bool {
		want, err := Marshal(v, "")
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		parts := 0
		if err := Encode(&got, v, func(b []byte) error {
			if parts++; !json.Valid(b) {
				t.Errorf("a part is no JSON: %.200q", b)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%.2000s\nwant\n%.2000s", got.Bytes(), want)
		}
		return !t.Failed()
	}
	check(&Record{})
	check(&Record{Files: []Row{}, Outputs: []Output{{}}, Warnings: []string{"<&>\u2028\xff"}})
	if err := quick.Check(func(seed uint64) bool {
		var r Record
		fillValue(rand.New(rand.NewPCG(seed, 1)), reflect.ValueOf(&r).Elem(), 0)
		return check(&r)
	}, &quick.Config{MaxCount: 200}); err != nil {
		t.Error(err)
	}
	stop := errors.New("stop")
	n := 0
	if err := Encode(new(bytes.Buffer), &Record{Files: make([]Row, 5)}, func([]byte) error {
		if n++; n > 5 {
			return stop
		}
		return nil
	}); !errors.Is(err, stop) {
		t.Errorf("goes on: %v", err)
	}
}

// fillValue sets everything below v to something.
func fillValue(r *rand.Rand, v reflect.Value, depth int) {
	if !v.CanSet() {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if depth < 6 && r.IntN(2) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fillValue(r, v.Elem(), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fillValue(r, v.Field(i), depth+1)
		}
	case reflect.Slice:
		if n := r.IntN(4); n > 0 && depth < 8 {
			v.Set(reflect.MakeSlice(v.Type(), n-1, n))
			for i := range n - 1 {
				fillValue(r, v.Index(i), depth+1)
			}
		}
	case reflect.Map:
		if v.Type().Key().Kind() == reflect.String {
			v.Set(reflect.MakeMap(v.Type()))
			key, val := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fillValue(r, key, depth+1)
			fillValue(r, val, depth+1)
			v.SetMapIndex(key, val)
		}
	case reflect.String:
		v.SetString([]string{"", "a", "<b>&\u2028\"\\", "漢\xff"}[r.IntN(4)])
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int64, reflect.Int32:
		v.SetInt(int64(r.IntN(3)))
	case reflect.Uint, reflect.Uint64, reflect.Uint32, reflect.Uint8:
		v.SetUint(uint64(r.IntN(3)))
	}
}
