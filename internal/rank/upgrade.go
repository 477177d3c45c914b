package rank

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// upgrades is the first line of a task that asks for another version of something: "upgrade Ecto to v4", "Bump zod from 3.2 to 4". Group 1 is
// what is to be done.
var upgrades = lazyregexp.New(`(?i)\b(upgrad\w+|bump\w*|updat\w+|migrat\w+|switch\w*|mov\w+|downgrad\w+|pin\w*)\b.*(?:\bv?\d+(?:\.[\dx]+)*\b|@\d)`)

// withoutUpgrade blanks in the first line what is to be done with a version: what else is upgraded somewhere is not meant.
func withoutUpgrade(text []byte) []byte {
	title, _, _ := bytes.Cut(text, []byte("\n"))
	m := upgrades.FindSubmatch(title[:min(len(title), maxLine)])
	if m == nil {
		return text
	}
	return bytes.Replace(text, m[1], bytes.Repeat([]byte(" "), len(m[1])), 1)
}

// ofUpgrades are words of such a line that are no name.
var ofUpgrades = language.WordSet(`version versions latest major minor release from into new dependency dependencies package packages library support code`)

// maxMeant is how many manifests may be meant before they are no likelier than code.
const maxMeant = 4

// nameManifests names the manifests that hold what the first line of a task asks for another version of.
func (o *Order) nameManifests(isManifest func(path string) bool) {
	asked := map[uint16]bool{}
	for t, titled := range o.words.titled {
		if titled && !ofUpgrades[o.query.parts[t].word] {
			asked[uint16(t)] = true
		}
	}
	var holders []int
	words := map[int]string{}
	for i, f := range o.files {
		if !isManifest(f.Path) || language.IsTest(f.Path) {
			continue
		}
		for _, p := range o.texts[i].terms {
			if asked[p.term] {
				holders, words[i] = append(holders, i), o.query.parts[p.term].word
				break
			}
		}
	}
	for _, i := range holders {
		o.task.meant[i] = len(holders) <= maxMeant
		o.task.raw[TaskNamed][i] += one / uint64(len(holders))
		if o.task.why[i] == "" {
			o.task.why[i] = "a manifest that says " + strings.ToLower(words[i])
		}
	}
}
