package fit

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

const (
	// leastShare is of how many files in a million a word is at least, leastFolders in how many folders.
	leastShare, leastFolders = 400, 3
	minWord, maxWord         = 3, 20
	// longest is the longest run of letters, digits, + and / that may be words: longer ones are data.
	longest = 40
)

// usage is where a word stands.
type usage struct{ files, folders int }

// Vocabulary returns the words that the files below the folders are made of, split as names are: one on a line, in their order, each
// with a digit for how usual it is, from 1 on. Each more means four times as many files.
func Vocabulary(folders []string) ([]byte, error) {
	each := make([]map[string]int, len(folders))
	files := make([]int, len(folders))
	errs := make([]error, len(folders))
	var all sync.WaitGroup
	for i, dir := range folders {
		all.Go(func() { each[i], files[i], errs[i] = wordsBelow(dir) })
	}
	all.Wait()
	total := 0
	used := map[string]usage{}
	for i := range folders {
		if errs[i] != nil {
			return nil, errs[i]
		}
		total += files[i]
		for w, n := range each[i] {
			u := used[w]
			used[w] = usage{u.files + n, u.folders + 1}
		}
	}
	var b bytes.Buffer
	for _, w := range slices.Sorted(maps.Keys(used)) {
		share := used[w].files * 1_000_000 / max(total, 1)
		if share < leastShare || used[w].folders < leastFolders {
			continue
		}
		level := 1
		for ; share >= 4*leastShare; share /= 4 {
			level++
		}
		fmt.Fprintf(&b, "%s%d\n", w, level)
	}
	return b.Bytes(), nil
}

// wordsBelow returns in how many files each word stands, and how many files there are.
func wordsBelow(dir string) (map[string]int, int, error) {
	count, files := map[string]int{}, 0
	folder := os.DirFS(dir)
	err := fs.WalkDir(folder, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || strings.HasSuffix(p, ".map") { // which holds no words, but places
			return err
		}
		text, err := fs.ReadFile(folder, p)
		if err != nil || len(text) > 1<<20 || bytes.IndexByte(text, 0) >= 0 || !utf8.Valid(text) {
			return err
		}
		files++
		for w := range wordsOf(text) {
			count[w]++
		}
		return nil
	})
	return count, files, err
}

// wordsOf are the words of a text, in lower case.
func wordsOf(text []byte) map[string]bool {
	set := map[string]bool{}
	lower := func(b byte) bool { return b >= 'a' && b <= 'z' }
	upper := func(b byte) bool { return b >= 'A' && b <= 'Z' }
	run := 0 // where that of letters and digits ends which was looked at last
	for i := 0; i < len(text); {
		if i >= run {
			for run = i; run < len(text) && (lower(text[run]|0x20) || strings.IndexByte("+/0123456789", text[run]) >= 0); run++ {
			}
			if run-i > longest {
				i = run
				continue
			}
			run = max(run, i+1)
		}
		j := i
		for j < len(text) && (lower(text[j]) || upper(text[j])) && !(j > i && upper(text[j]) && !upper(text[j-1])) {
			j++
		}
		if n := j - i; n >= minWord && n <= maxWord {
			set[string(bytes.ToLower(text[i:j]))] = true
		}
		i = max(j, i+1)
	}
	return set
}
