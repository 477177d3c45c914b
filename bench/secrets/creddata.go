//go:build linux

package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/haversack-dev/haversack/internal/text"
)

// label is what somebody said of a place in a file.
type label struct {
	path string
	// from and to bound the value in the file's text, or the line where nobody said where the value is.
	from, to int
	line     int
	secret   bool
	whole    bool // the line, not a value
	strong   bool
	category string
}

// corpus is a repository with labels.
type corpus struct {
	name, dir string
	labels    []label
	texts     map[string][]byte // of the files with labels
}

// credData reads the labels of CredData (a clone of its repository) for the clones below dir that stand at the labelled commit.
func credData(meta, dir string) ([]*corpus, error) {
	b, err := os.ReadFile(filepath.Join(meta, "snapshot.json"))
	if err != nil {
		return nil, fmt.Errorf("%w: -creddata takes a clone of Samsung/CredData", err)
	}
	snapshot := map[string]string{}
	if err := json.Unmarshal(b, &snapshot); err != nil {
		return nil, fmt.Errorf("snapshot.json: %w", err)
	}
	at := map[string]string{} // commit: key
	for key := range snapshot {
		if len(key) == 64 {
			at[key[:40]] = key
		}
	}
	folders, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var list []*corpus
	for _, f := range folders {
		clone := filepath.Join(dir, f.Name())
		head, err := exec.Command("git", "-C", clone, "rev-parse", "--show-cdup", "HEAD").Output()
		fields := strings.Fields(string(head))
		if err != nil || len(fields) != 1 || at[fields[0]] == "" {
			continue
		}
		key := at[fields[0]]
		raw, err := hex.DecodeString(key)
		if err != nil {
			return nil, fmt.Errorf("snapshot.json: %s: %w", key, err)
		}
		c := &corpus{name: strings.TrimPrefix(snapshot[key], "https://github.com/"), dir: clone, texts: map[string][]byte{}}
		if err := c.read(filepath.Join(meta, "meta", fmt.Sprintf("%08x.csv", crc32.ChecksumIEEE(raw)))); err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no folder in %s is a clone at a commit of snapshot.json", dir)
	}
	slices.SortFunc(list, func(a, b *corpus) int { return strings.Compare(a.name, b.name) })
	return list, nil
}

// read reads a repository's labels. A file is named by the hash of its path.
func (c *corpus) read(name string) error {
	paths := map[string]string{}
	err := filepath.WalkDir(c.dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		if d.Type().IsRegular() {
			rel, _ := filepath.Rel(c.dir, p)
			sum := sha256.Sum256([]byte(rel))
			paths[hex.EncodeToString(sum[:4])] = rel
		}
		return nil
	})
	if err != nil {
		return err
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) == 0 {
		return errors.Join(err, errors.New("no labels"))
	}
	column := map[string]int{}
	for i, title := range rows[0] {
		column[title] = i
	}
	for _, title := range []string{"FileID", "LineStart", "LineEnd", "GroundTruth", "ValueStart", "ValueEnd", "Category"} {
		if _, ok := column[title]; !ok {
			return fmt.Errorf("%s has no column %s", filepath.Base(name), title)
		}
	}
	seen := map[label]bool{}
	for _, row := range rows[1:] {
		get := func(title string) string { return row[column[title]] }
		number := func(title string) int {
			n, err := strconv.Atoi(get(title))
			if err != nil {
				return -1
			}
			return n
		}
		path := paths[get("FileID")]
		// A bare UUID is labelled as true wherever it stands, and so is the name of a host at Firebase; X means that nobody could tell.
		if category := get("Category"); path == "" || category == "UUID" || category == "Firebase Domain" || get("GroundTruth") == "X" {
			continue
		}
		if _, ok := c.texts[path]; !ok {
			b, err := os.ReadFile(filepath.Join(c.dir, path))
			if err != nil {
				return err
			}
			c.texts[path] = text.Decode(b, text.Detect(b))
		}
		l, ok := place(c.texts[path], number("LineStart"), number("LineEnd"), number("ValueStart"), number("ValueEnd"))
		if !ok {
			continue
		}
		l.path, l.secret, l.category = path, get("GroundTruth") == "T", get("Category")
		if !seen[l] {
			seen[l] = true
			c.labels = append(c.labels, l)
		}
	}
	return nil
}

// place finds a label's bytes. Lines count from 1, columns from 0 and in characters.
func place(content []byte, first, last, from, to int) (label, bool) {
	at := 0
	for range first - 1 {
		i := bytes.IndexByte(content[at:], '\n')
		if i < 0 {
			return label{}, false
		}
		at += i + 1
	}
	end := at
	for n := first; ; n++ {
		i := bytes.IndexByte(content[end:], '\n')
		if i < 0 {
			end = len(content)
			break
		}
		end += i
		if n >= last {
			break
		}
		end++
	}
	l := label{from: at, to: end, line: first, whole: from < 0}
	if from >= 0 {
		l.from = column(content[at:end], from) + at
		if last > first {
			l.to = end
		} else if to > from {
			l.to = column(content[at:end], to) + at
		}
	}
	l.strong = strong(content[l.from:l.to])
	return l, l.from < l.to
}

// column is the offset of the nth character.
func column(line []byte, n int) int {
	at := 0
	for ; n > 0 && at < len(line); n-- {
		_, size := utf8.DecodeRune(line[at:])
		at += size
	}
	return at
}

// strong reports whether a value was drawn by lot, as far as one can see: twelve bytes or more with letters and digits of
// an entropy of three bits and more, or several lines.
func strong(v []byte) bool {
	if bytes.IndexByte(v, '\n') >= 0 {
		return true
	}
	var count [256]int
	letters, digits := false, false
	for _, b := range v {
		count[b]++
		digits = digits || b >= '0' && b <= '9'
		letters = letters || b|0x20 >= 'a' && b|0x20 <= 'z'
	}
	e := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(v))
			e -= p * math.Log2(p)
		}
	}
	return len(v) >= 12 && letters && digits && e >= 3
}
