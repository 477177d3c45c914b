package repotest

import (
	"os"
	"testing"
)

// The same text gives the same ids on any machine: these are written down.
func TestSameEverywhere(t *testing.T) {
	r := New(t, "first\n\nwith a body\nx run.sh\nln run.sh link\n-- run.sh --\n#!/bin/sh\n-- dir/a.txt --\na\n", "mv dir/a.txt dir/b.txt\nrm link\n", "rm dir\n-- c --\nc\n")
	const want = "11e4858bfdd357a45641b04bcb7b1854f6ce095a"
	if got := r.Git("rev-parse", "HEAD"); got != want {
		t.Errorf("HEAD is %s, want %s\n%s", got, want, r.Git("log", "--stat", "--format=fuller", "--date=iso-strict"))
	}
	if got, want := r.Git("log", "--format=%ct %an %ce %s"), "1767323165 A c@example.org commit 3\n1767323105 A c@example.org commit 2\n1767323045 A c@example.org first"; got != want {
		t.Errorf("log:\n%s\nwant:\n%s", got, want)
	}
	if got, want := r.Git("show", "--format=", "--name-status", "-M", "HEAD~1"), "R100\tdir/a.txt\tdir/b.txt\nD\tlink"; got != want {
		t.Errorf("second commit:\n%s\nwant:\n%s", got, want)
	}
	if got, want := r.Git("ls-tree", "-r", "--name-only", "HEAD"), "c\nrun.sh"; got != want {
		t.Errorf("files:\n%s\nwant:\n%s", got, want)
	}
}

func TestClone(t *testing.T) {
	r := New(t, "one\n-- a --\n1\n", "two\n-- a --\n2\n")
	c := r.Clone("--depth=1")
	if got := c.Git("rev-list", "--count", "HEAD"); got != "1" {
		t.Errorf("%s commits", got)
	}
	c.Commit("three\n-- a --\n3\n")
	if got := c.Git("log", "-1", "--format=%ct"); got != "1767323165" {
		t.Errorf("a clone's next commit is of %s", got)
	}
	if b, err := os.ReadFile(c.Path("a")); err != nil || string(b) != "3\n" {
		t.Errorf("%q, %v", b, err)
	}
	if _, err := r.Try("no-such-command"); err == nil {
		t.Error("no error")
	}
}
