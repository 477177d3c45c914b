//go:build linux

package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// difference is the first place in which a file differs.
type difference struct{ file, where, old, new string }

// compareTrees compares what two runs left, file by file.
func compareTrees(old, new string) ([]difference, error) {
	a, err := list(old)
	if err != nil {
		return nil, err
	}
	b, err := list(new)
	if err != nil {
		return nil, err
	}
	both := maps.Clone(a)
	maps.Copy(both, b)
	var diffs []difference
	for _, name := range slices.Sorted(maps.Keys(both)) {
		x, y := a[name], b[name]
		switch {
		case x == nil:
			diffs = append(diffs, difference{name, "exists", "no", "yes"})
		case y == nil:
			diffs = append(diffs, difference{name, "exists", "yes", "no"})
		case x.Mode() != y.Mode():
			diffs = append(diffs, difference{name, "mode", x.Mode().String(), y.Mode().String()})
		case x.IsDir(), os.SameFile(x, y):
		case strings.HasSuffix(path.Dir(name), "/session") && strings.HasPrefix(path.Base(name), "objects.db"):
			// Ids in a session's database are random.
		default:
			d, err := compareFiles(name, filepath.Join(old, name), filepath.Join(new, name), x.Mode())
			if err != nil {
				return nil, err
			}
			diffs = append(diffs, d...)
		}
	}
	return diffs, nil
}

// list finds what is below a folder, but git's own.
func list(dir string) (map[string]fs.FileInfo, error) {
	all := map[string]fs.FileInfo{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		if rel == "repo/.git" {
			return fs.SkipDir
		}
		all[rel], err = d.Info()
		return err
	})
	return all, err
}

// compareFiles compares two files, or where two links lead.
func compareFiles(name, old, new string, mode fs.FileMode) ([]difference, error) {
	read := os.ReadFile
	if mode&fs.ModeSymlink != 0 {
		read = func(name string) ([]byte, error) {
			link, err := os.Readlink(name)
			return []byte(link), err
		}
	}
	a, err := read(old)
	b, err2 := read(new)
	if err := errors.Join(err, err2); err != nil {
		return nil, err
	}
	a, b = settled(name, a), settled(name, b)
	if bytes.Equal(a, b) {
		return nil, nil
	}
	x, y := lines(a), lines(b)
	n, where := 0, ""
	for ; n < min(len(x), len(y)) && x[n] == y[n]; n++ {
		if strings.HasPrefix(x[n], "member ") || strings.HasPrefix(strings.TrimSpace(x[n]), `"path": `) {
			where = ", after " + strings.Trim(x[n], " ,\n")
		}
	}
	if n == len(x) && n == len(y) {
		return []difference{{name, "the same lines, other bytes", fmt.Sprint(len(a)), fmt.Sprint(len(b))}}, nil
	}
	x, y = append(x, "(the end)"), append(y, "(the end)")
	from := 0
	for from < min(len(x[n]), len(y[n])) && x[n][from] == y[n][from] {
		from++
	}
	from = max(0, from-60) // of a long line what is near
	return []difference{{name, fmt.Sprintf("line %d%s", n+1, where), excerpt(x[n][from:]), excerpt(y[n][from:])}}, nil
}

func excerpt(line string) string { return fmt.Sprintf("%q", line[:min(len(line), 180)]) }

var (
	timings = regexp.MustCompile(`"timings":\s*\[[^\]]*\]`)
	random  = regexp.MustCompile(`ghadelimiter_[0-9a-f]{32}|\bdesk/[0-9a-f]{16}\b|\bhaversack-[0-9]{6,}`)
)

// settled takes from a file what differs from run to run.
func settled(name string, b []byte) []byte {
	printed := path.Dir(name) == "printed"
	if path.Base(name) == "record.json" || printed && bytes.HasPrefix(b, []byte(`{"tool":`)) {
		b = timings.ReplaceAll(b, []byte(`"timings":[]`))
	}
	if printed {
		b = random.ReplaceAll(b, []byte("(random)"))
	}
	return b
}

// lines writes a file so that a difference can be shown: a tar, which may be compressed, as its members, JSON indented.
func lines(b []byte) []string {
	if bytes.HasPrefix(b, []byte("\x28\xb5\x2f\xfd")) {
		if d, err := zstd.NewReader(nil); err == nil {
			if plain, err := d.DecodeAll(b, nil); err == nil {
				b = plain
			}
			d.Close()
		}
	}
	if len(b) > 512 && string(b[257:262]) == "ustar" {
		var all []string
		for r := tar.NewReader(bytes.NewReader(b)); ; {
			h, err := r.Next()
			if err != nil {
				return append(all, "end of the tar: "+err.Error())
			}
			data, err := io.ReadAll(r)
			all = append(all, fmt.Sprintf("member %q: type %c, mode %o, %d bytes, owner %d/%d, link %q, %s, %v, %v\n",
				h.Name, h.Typeflag, h.Mode, h.Size, h.Uid, h.Gid, h.Linkname, h.ModTime.UTC(), h.PAXRecords, err))
			all = append(all, lines(data)...)
		}
	}
	var indented bytes.Buffer
	if json.Indent(&indented, b, "", " ") == nil {
		b = indented.Bytes()
	}
	return strings.SplitAfter(string(b), "\n")
}
