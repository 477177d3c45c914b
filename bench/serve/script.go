//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/serve"
	"github.com/haversack-dev/haversack/internal/tokens"
)

const (
	// hits is how many hits are read, around how many lines on each side.
	hits   = 5
	around = 40
)

// search is the script.
func search(dir string, q question) (reply, error) {
	out, err := grep(dir, last(q.name))
	if err != nil {
		return reply{}, err
	}
	r := reply{shown: lines{}, read: lines{}, hits: lines{}, calls: 1}
	var counter tokens.Counter
	printed := strings.SplitAfter(out, "\n")
	spent, found := 0, 0
	var said strings.Builder
	for _, line := range printed {
		path, rest, ok := strings.Cut(line, ":")
		number, _, more := strings.Cut(rest, ":")
		n, err := strconv.Atoi(number)
		if !ok || !more || err != nil {
			continue
		}
		r.hits.add(path, n, n)
		if spent += len(line); spent <= serve.DefaultCharacters {
			said.WriteString(line)
			r.shown.add(path, n, n)
		}
		if found++; found > hits {
			continue
		}
		text, err := r.window(dir, path, n)
		if err != nil {
			return r, err
		}
		r.calls++
		r.tokens += counter.Count([]byte(text))
	}
	r.tokens += counter.Count([]byte(said.String()))
	r.structured = r.tokens
	return r, nil
}

// window reads the lines around a hit, those apart that are read already.
func (r *reply) window(dir, path string, at int) (string, error) {
	raw, err := os.ReadFile(filepath.Join(dir, path))
	if err != nil {
		return "", err
	}
	list := strings.SplitAfter(string(raw), "\n")
	var text strings.Builder
	for n := max(1, at-around); n <= min(len(list), at+around); n++ {
		if r.read[path][n] {
			continue
		}
		fmt.Fprintf(&text, "%d\t%s", n, list[n-1])
		r.read.add(path, n, n)
		r.shown.add(path, n, n)
	}
	return text.String(), nil
}

// grep prints the lines of a folder that hold a word, as path:line:text, in the order of paths.
func grep(dir, word string) (string, error) {
	cmd := exec.Command("rg", "--line-number", "--word-regexp", "--fixed-strings", "--no-heading", "--color=never", "--sort=path", "--", word, ".")
	if searcher() != "rg" {
		cmd = exec.Command("grep", "-rnIwF", "--exclude-dir=.git", "--", word, ".")
	}
	cmd.Dir = dir
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil // nothing is found
	}
	if err != nil {
		return "", fmt.Errorf("searching for %s: %w", word, err)
	}
	list := strings.SplitAfter(string(out), "\n")
	slices.SortStableFunc(list, func(a, b string) int {
		p, _, _ := strings.Cut(a, ":")
		q, _, _ := strings.Cut(b, ":")
		return strings.Compare(p, q)
	})
	for i := range list {
		list[i] = strings.TrimPrefix(list[i], "./")
	}
	return strings.Join(list, ""), nil
}
