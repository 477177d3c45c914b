package brief

import (
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/tokens"
)

// TestLicence: the licence at the head of a file is a block of its own, which a document passes over, and no other comment is.
func TestLicence(t *testing.T) {
	words := strings.Repeat("words of it\n", 8)
	comment := func(text string) string {
		return " * " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n * ")
	}
	licence := "/*\n" + comment("Copyright (c) of some\n"+words+"WITHOUT WARRANTY of any kind") + "\n */\n"
	code := "\n#include <a.h>\n\nint one(void) {\n  return 1;\n}\n"
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"c.c":     {licence + code, 13},
		"d.c":     {licence + strings.TrimPrefix(code, "\n"), 12},
		"go.go":   {"// Copyright\n" + strings.ReplaceAll("//"+words, "\n", "\n// ") + "License\n\npackage a\n", 11},
		"sh.sh":   {"#!/bin/sh\n#\n# Copyright, License\n" + strings.Repeat("# all that\n", 6) + "\necho\n", 10},
		"a.php":   {"<?php\n\n" + licence + "\nnamespace A;\n", 15},
		"a.js":    {"#!/usr/bin/env node\n" + licence + "\nrun()\n", 14},
		"a.hs":    {"{-\nCopyright. License:\n" + words + "-}\nmodule A where\n", 11},
		"a.html":  {"<!--\nCopyright. License:\n" + words + "-->\n<p>\n", 11},
		"a.erl":   {"%% Copyright, License\n" + strings.Repeat("%% all that\n", 8) + "-module(a).\nf() -> 1.\n", 9},
		"link.ld": {licence + code, 13},
		"boot.s":  {"; Copyright, License\n" + strings.Repeat("; all that\n", 8) + "start:\n    nop\n", 9},
		"a.txt":   {licence + code, 0},
		"what.c":  {"/*\n" + comment("It does this.\n"+words+"And that, without warranty.") + "\n */\n" + code, 0},
		"short.c": {"/* Copyright. License: MIT */\n" + code, 0},
		"none.c":  {code, 0},
		"all.c":   {licence, 0},
	} {
		blocks := Blocks(name, []byte(c.text), nil)
		got := 0
		if blocks[0].Licence {
			got = blocks[0].To
		}
		if got != c.want {
			t.Errorf("%s: to line %d, want %d", name, got, c.want)
		}
		at := 1
		for _, b := range blocks {
			if b.From != at || b.Licence && b.From > 1 {
				t.Errorf("%s: %v", name, blocks)
			}
			at = b.To + 1
		}
	}
	whole := Source{Path: "c.c", Text: licence + code, Need: 1, Place: 1}
	d := NewDocument([]Source{whole}, new(tokens.Counter), 100, Budget{Tokens: 16000})
	if lines := d.Lines("c.c"); len(lines) == 0 || lines[0][0] != 14 {
		t.Error(lines)
	}
	_, needed := d.Sections()
	if text := strings.Join(needed[0].Pieces, ""); strings.Contains(text, "Copyright") || !strings.Contains(text, "… 13 lines\n\nlines 14–18") {
		t.Error(text)
	}
	whole.Changed, whole.Touched = true, []int{3}
	if d = NewDocument([]Source{whole}, new(tokens.Counter), 100, Budget{Tokens: 16000}); d.Level("c.c") != Whole {
		t.Error(d.Level("c.c"), "where the licence changes")
	}
}
