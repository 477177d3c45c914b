package main

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/bench/gitclone"
	"github.com/haversack-dev/haversack/internal/tree"
)

// maxBytes is the largest file of a case: the program reads none that is larger for its order.
const maxBytes = 1 << 20

// files lists the text files of a commit by path.
func files(ctx context.Context, c *gitclone.Clone, commit string) ([]tree.File, error) {
	out, err := c.Git(ctx, nil, "ls-tree", "-r", "-l", "-z", commit)
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
			b, err := c.Blob(f[2])
			return io.NopCloser(bytes.NewReader(b)), err
		}))
	}
	slices.SortFunc(list, func(a, b tree.File) int { return tree.Compare(a.Path, b.Path) })
	return list, nil
}
