package fit

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

	"github.com/haversack-dev/haversack/internal/text"
)

// Label is what somebody said of a place in a file.
type Label struct {
	Path string
	// Start and End bound the value in the file's text, or the line where nobody said where in it the value is.
	Start, End int
	Line       int
	Secret     bool
	// Unsure labels count neither way.
	Unsure bool
	// Strong values were drawn by lot, as far as one can see: they have twelve bytes and more with letters and digits, of an entropy
	// of three bits and more, or several lines.
	Strong   bool
	Category string
}

// Corpus is a repository with labels.
type Corpus struct {
	Name, Dir string
	Labels    []Label
	// Texts are the files with labels, in UTF-8.
	Texts map[string][]byte
}

// CredData reads the labels of CredData (a clone of its repository) for the clones below dir that stand at the labelled commit.
func CredData(meta, dir string) ([]*Corpus, error) {
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
	var list []*Corpus
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
		c := &Corpus{Name: strings.TrimPrefix(snapshot[key], "https://github.com/"), Dir: clone, Texts: map[string][]byte{}}
		if err := c.read(filepath.Join(meta, "meta", fmt.Sprintf("%08x.csv", crc32.ChecksumIEEE(raw)))); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no folder in %s is a clone at a commit of snapshot.json", dir)
	}
	slices.SortFunc(list, func(a, b *Corpus) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// read reads a repository's labels. A file is named by the hash of its path.
func (c *Corpus) read(name string) error {
	paths := map[string]string{}
	err := fs.WalkDir(os.DirFS(c.Dir), ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case d.Type().IsRegular():
			sum := sha256.Sum256([]byte(p))
			paths[hex.EncodeToString(sum[:4])] = p
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
	for _, title := range []string{"FileID", "LineStart", "LineEnd", "GroundTruth", "ValueStart", "ValueEnd", "Category"} {
		if column[title] = slices.Index(rows[0], title); column[title] < 0 {
			return fmt.Errorf("%s has no column %s", filepath.Base(name), title)
		}
	}
	seen := map[Label]bool{}
	for _, row := range rows[1:] {
		get := func(title string) string { return row[column[title]] }
		number := func(title string) int {
			if n, err := strconv.Atoi(get(title)); err == nil {
				return n
			}
			return -1
		}
		path, category := paths[get("FileID")], get("Category")
		if path == "" {
			continue
		}
		if _, ok := c.Texts[path]; !ok {
			b, err := os.ReadFile(filepath.Join(c.Dir, path))
			if err != nil {
				return err
			}
			c.Texts[path] = text.Decode(b, text.Detect(b))
		}
		l, ok := place(c.Texts[path], number("LineStart"), number("LineEnd"), number("ValueStart"), number("ValueEnd"))
		if !ok {
			continue
		}
		l.Path, l.Secret, l.Category = path, get("GroundTruth") == "T", category
		// A bare UUID is labelled as true wherever it stands, and so is the name of a host at Firebase; X means that nobody could tell.
		l.Unsure = category == "UUID" || category == "Firebase Domain" || get("GroundTruth") == "X"
		if !seen[l] {
			seen[l] = true
			c.Labels = append(c.Labels, l)
		}
	}
	return nil
}

// place finds a label's bytes. Lines count from 1, columns from 0 and in characters.
func place(content []byte, first, last, from, to int) (Label, bool) {
	begins := []int{0} // where lines begin; one more behind the text
	for i, b := range content {
		if b == '\n' {
			begins = append(begins, i+1)
		}
	}
	begins = append(begins, len(content)+1)
	if first < 1 || first >= len(begins) {
		return Label{}, false
	}
	at, end := begins[first-1], begins[min(max(first, last), len(begins)-1)]-1
	l := Label{Start: at, End: end, Line: first}
	if from >= 0 {
		l.Start = column(content[at:end], from) + at
		if last <= first && to > from {
			l.End = column(content[at:end], to) + at
		}
	}
	l.Strong = Strong(content[l.Start:l.End])
	return l, l.Start < l.End
}

// column is the offset of the nth character.
func column(line []byte, n int) int {
	for i := range string(line) {
		if n == 0 {
			return i
		}
		n--
	}
	return len(line)
}

// Strong reports whether a value was drawn by lot.
func Strong(v []byte) bool {
	if bytes.IndexByte(v, '\n') >= 0 {
		return true
	}
	var count [256]int
	for _, b := range v {
		count[b]++
	}
	e := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(v))
			e -= p * math.Log2(p)
		}
	}
	return len(v) >= 12 && bytes.ContainsAny(v, lowers+uppers) && bytes.ContainsAny(v, digits) && e >= 3
}
