package source

import (
	"fmt"
	"testing"

	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/text"
)

// Headers are counted as what most of the sources beside them are written in.
func TestSharesHeaders(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{"a.h", "b.h", "c.cpp"}, "C++ 3 "},
		{[]string{"a.h", "b.h"}, "C 2 "},
		{[]string{"a.h", "b.c", "c.c", "d.cc"}, "C 3 C++ 1 "},
		{[]string{"a.h", "b.c", "c.cc"}, "C 2 C++ 1 "},
		{[]string{"a.h", "b.m"}, "Objective-C 2 "},
	} {
		s := &scan.Snapshot{}
		for _, name := range c.names {
			f := scan.File{Encoding: text.UTF8}
			f.Path, f.Size = name, 10
			f.Type, f.Category = scan.Classify(name)
			s.Files = append(s.Files, f)
		}
		got := ""
		for _, one := range Shares(s) {
			got += fmt.Sprint(one.Lang.Name, " ", one.Files, " ")
		}
		if got != c.want {
			t.Errorf("%v: %s, want %s", c.names, got, c.want)
		}
	}
}
