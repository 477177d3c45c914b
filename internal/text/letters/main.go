// Command letters writes internal/text/letters.txt: how common the letters outside of ASCII are in each language that was
// written in an encoding of one byte a letter, counted in the translations of a program, and where it has none in the names
// of languages, scripts and places that CLDR has.
//
//	go run ./internal/text/letters
//
// A line is a language, then its letters in the order of their cost, with the cost in bits before the first letter that
// has it: the logarithm of one in how many such letters it is. The pinned modules give the same bytes each time.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
	"golang.org/x/text/unicode/norm"
)

const (
	out = "internal/text/letters.txt"
	// rarest is the greatest cost that is written; a letter that is rarer, or in no name at all, is not the language's.
	rarest = 11
)

// translations is the module whose texts are counted, a file a language.
const translations = "github.com/syncthing/syncthing@v1.29.7"

// weight is for how many of CLDR's names a text of the program counts: prose is more like files than names are.
const weight = 4

// languages are those that were written in one byte a letter; behind a sign of equality the name of the program's file,
// where it has one.
var languages = strings.Fields(`
	af ca=ca da=da de=de es=es et=et eu=eu fi=fi fo fr=fr ga=ga gl=gl is it=it nb=nb nl=nl pt-BR=pt-BR pt-PT=pt-PT sq=sq sv=sv
	cs=cs hr=hr hu=hu pl=pl ro=ro-RO sk=sk sl=sl sr-Latn
	be=be bg=bg mk ru=ru sr=sr uk=uk
	ar=ar el=el fa=fa he=he-IL lt=lt lv th=th tr=tr ur vi=vi`)

func main() {
	log.SetFlags(0)
	dir, err := download(translations)
	if err != nil {
		log.Fatal(err)
	}
	var b strings.Builder
	for _, l := range languages {
		name, file, _ := strings.Cut(l, "=")
		n := counts(names(language.MustParse(name)), name)
		if file != "" {
			texts, err := readTexts(filepath.Join(dir, "gui", "default", "assets", "lang", "lang-"+file+".json"))
			if err != nil {
				log.Fatal(err)
			}
			for r, c := range counts(texts, name) {
				n[r] += weight * c
			}
		}
		b.WriteString(line(name, n))
	}
	if err := os.WriteFile(out, []byte(b.String()), 0o644); err != nil {
		log.Fatal(err)
	}
}

// download has go put a module into its cache, and returns the folder.
func download(module string) (string, error) {
	b, err := exec.Command("go", "mod", "download", "-json", module).Output()
	if err != nil {
		return "", fmt.Errorf("downloading %s: %w", module, err)
	}
	var said struct{ Dir string }
	if err := json.Unmarshal(b, &said); err != nil {
		return "", fmt.Errorf("reading what go mod download says: %w", err)
	}
	return said.Dir, nil
}

// readTexts returns the translations of a file, in no order.
func readTexts(name string) ([]string, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var texts map[string]any
	if err := json.Unmarshal(b, &texts); err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	var all []string
	for _, t := range texts {
		if s, ok := t.(string); ok {
			all = append(all, s)
		}
	}
	return all, nil
}

// names returns what languages, regions and scripts are called in a language.
func names(in language.Tag) []string {
	var all []string
	for _, tag := range display.Supported.Tags() {
		base, _ := tag.Base()
		all = append(all, display.Languages(in).Name(tag), display.Languages(in).Name(base))
	}
	for _, region := range display.Supported.Regions() {
		all = append(all, display.Regions(in).Name(region))
	}
	for _, script := range display.Supported.Scripts() {
		all = append(all, display.Scripts(in).Name(script))
	}
	return all
}

// asWritten replaces letters that no encoding of one byte has by those that were written for them.
var asWritten = strings.NewReplacer("ș", "ş", "ț", "ţ")

// counts returns how often each letter outside of ASCII stands in the texts, in lower case; of Vietnamese as
// windows-1258 writes it, the tones as marks of their own.
func counts(texts []string, in string) map[rune]int {
	n := map[rune]int{}
	for _, t := range texts {
		t = asWritten.Replace(norm.NFC.String(strings.ToLower(t)))
		if in == "vi" {
			t += tones(t) // some letters are written in both ways
		}
		for _, r := range t {
			if r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsMark(r)) {
				n[r]++
			}
		}
	}
	return n
}

// tones takes the five marks of tone off the letters of a Vietnamese text.
func tones(s string) string {
	var b strings.Builder
	for _, r := range s {
		letter, mark := []rune{}, []rune{}
		for _, part := range norm.NFD.String(string(r)) {
			if strings.ContainsRune("\u0300\u0301\u0303\u0309\u0323", part) {
				mark = append(mark, part)
			} else {
				letter = append(letter, part)
			}
		}
		b.WriteString(norm.NFC.String(string(letter)) + string(mark))
	}
	return b.String()
}

// line returns a language's line.
func line(name string, n map[rune]int) string {
	total, letters := 0, []rune(nil)
	for r, c := range n {
		total += c
		letters = append(letters, r)
	}
	cost := func(r rune) int { return bits.Len(uint(total/n[r])) - 1 }
	slices.SortFunc(letters, func(a, b rune) int {
		if n[a] != n[b] {
			return n[b] - n[a]
		}
		return int(a - b)
	})
	var b strings.Builder
	fmt.Fprintf(&b, "%s", name)
	last := -1
	for _, r := range letters {
		c := cost(r)
		if c > rarest {
			break
		}
		if c != last {
			fmt.Fprintf(&b, " %d", c)
			last = c
		}
		b.WriteRune(r)
	}
	return b.String() + "\n"
}
