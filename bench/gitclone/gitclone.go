// Package gitclone reads repositories as git has them, bare or not, for the measurements beside it.
package gitclone

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
)

// Clone is a repository that is only read. It keeps the objects it read: the commits of one repository share most of them.
type Clone struct {
	// Dir is its folder.
	Dir string

	mu    sync.Mutex
	in    io.WriteCloser
	out   *bufio.Reader
	batch *exec.Cmd
	blobs map[string][]byte
}

// Open opens the repository in dir; what it starts ends with Close or the context.
func Open(ctx context.Context, dir string) (*Clone, error) {
	c := &Clone{Dir: dir, blobs: map[string][]byte{}}
	c.batch = exec.CommandContext(ctx, "git", "-C", dir, "cat-file", "--batch")
	var err error
	if c.in, err = c.batch.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.batch.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReaderSize(out, 1<<20)
	return c, c.batch.Start()
}

// Close ends what Open started.
func (c *Clone) Close() error {
	if err := c.in.Close(); err != nil {
		return err
	}
	return c.batch.Wait()
}

// Git returns what a command of git's prints, with more of the environment.
func (c *Clone) Git(ctx context.Context, env []string, args ...string) ([]byte, error) {
	return Git(ctx, c.Dir, env, args...)
}

// Git is Clone.Git of a folder that is not open.
func Git(ctx context.Context, dir string, env []string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir, "-c", "core.quotePath=false", "-c", "diff.renames=false"}, args...)...)
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, nil
}

// Blob returns an object's content.
func (c *Clone) Blob(id string) ([]byte, error) {
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

// Forget gives back what it keeps of objects.
func (c *Clone) Forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.blobs)
}
