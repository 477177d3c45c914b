//go:build linux

package main

import (
	"regexp"
	"testing"
)

// TestPlain: spaces and comments go, but not from classes, and what is escaped stays.
func TestPlain(t *testing.T) {
	for p, want := range map[string]string{
		"(?xi)\n  a b # c\n  [ #[:alpha:]\\]x] (?# d ) \\ e": `(?i)ab[ #[:alpha:]\]x]\ e`,
		"(?x)(?i) [^] #] b": "(?i)[^] #]b",
		" a b\n":            "a b",
	} {
		if got := plain(p); got != want {
			t.Errorf("plain(%q) = %q, want %q", p, got, want)
		}
	}
}

// TestTold: the last group that is not in another is the value, but no host; without a match the longest run.
func TestTold(t *testing.T) {
	for _, c := range []struct{ expression, text, want string }{
		{`(\w+):(\w+)@(\w+)`, "x anna:kranich@heron", "kranich"},
		{`key=(k(\w+))`, "key=kranich", "kranich"},
		{`key=\w+`, "key=kranich", "key=kranich"},
		{`none`, "a kranich-und-reiher b pelikan", "kranich-und-reiher"},
		{`none`, "short", ""},
	} {
		list := told("", c.text, regexp.MustCompile(c.expression))
		if got := c.text[list[0].start:list[0].end]; got != c.want || len(list) != 1 {
			t.Errorf("%s in %q: %q, want %q", c.expression, c.text, got, c.want)
		}
	}
}

// TestBytesOf: a value is found from its first line on; where it is not there, or none is said, all lines count.
func TestBytesOf(t *testing.T) {
	text := []byte("one\ntwo kranich\nthree\nfour")
	for _, c := range []struct {
		at   place
		want string
	}{
		{place{"", 2, 2, "kranich"}, "kranich"}, {place{"", 2, 2, "kranich\nth"}, "kranich\nth"}, {place{"", 1, 1, "kranich"}, "one\n"},
		{place{"", 1, 2, ""}, "one\ntwo kranich\n"}, {place{"", 4, 9, ""}, "four"}, {place{"", 5, 5, "x"}, ""}, {place{"", 0, 0, "x"}, ""},
	} {
		got := ""
		for _, f := range bytesOf(text, []place{c.at}) {
			got += string(text[f.Start:f.End])
		}
		if got != c.want {
			t.Errorf("%v: %q, want %q", c.at, got, c.want)
		}
	}
}
