package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/tree"
)

// clone is a repository as git has it, bare or not. It is only read.
type clone struct {
	dir string

	mu    sync.Mutex
	in    io.WriteCloser
	out   *bufio.Reader
	blobs map[string][]byte
}

// openClone opens a clone; what it starts ends with the context.
func openClone(ctx context.Context, dir string) (*clone, error) {
	c := &clone{dir: dir, blobs: map[string][]byte{}}
	cmd := exec.CommandContext(ctx, "git", "-C", dir, "cat-file", "--batch")
	var err error
	if c.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReaderSize(out, 1<<20)
	return c, cmd.Start()
}

func (c *clone) git(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", c.dir, "-c", "core.quotePath=false", "-c", "diff.renames=false"}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, nil
}

// blob returns an object's content. It keeps what it read: the commits of one repository share most of it.
func (c *clone) blob(id string) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if b, ok := c.blobs[id]; ok {
		return b, nil
	}
	if _, err := io.WriteString(c.in, id+"\n"); err != nil {
		return nil, err
	}
	head, err := c.out.ReadString('\n')
	if err != nil {
		return nil, err
	}
	fields := strings.Fields(head)
	if len(fields) != 3 {
		return nil, fmt.Errorf("reading object %s: %s", id, strings.TrimSpace(head))
	}
	size, err := strconv.Atoi(fields[2])
	if err != nil {
		return nil, err
	}
	b := make([]byte, size+1)
	if _, err := io.ReadFull(c.out, b); err != nil {
		return nil, err
	}
	c.blobs[id] = b[:size]
	return b[:size], nil
}

// maxBytes is the largest file of a case: the program ranks none that is larger.
const maxBytes = 600_000

// files lists the text files of a commit by path.
func (c *clone) files(ctx context.Context, commit string) ([]tree.File, error) {
	out, err := c.git(ctx, "ls-tree", "-r", "-l", "-z", commit)
	if err != nil {
		return nil, err
	}
	var list []tree.File
	for line := range strings.SplitSeq(string(out), "\x00") {
		meta, name, ok := strings.Cut(line, "\t")
		f := strings.Fields(meta)
		if !ok || len(f) != 4 || f[1] != "blob" || f[0] == "120000" {
			continue
		}
		size, _ := strconv.ParseInt(f[3], 10, 64)
		if size > maxBytes {
			continue
		}
		list = append(list, tree.NewFile(name, 0o644, size, f[2], func() (io.ReadCloser, error) {
			b, err := c.blob(f[2])
			return io.NopCloser(bytes.NewReader(b)), err
		}))
	}
	slices.SortFunc(list, func(a, b tree.File) int { return tree.Compare(a.Path, b.Path) })
	return list, nil
}
