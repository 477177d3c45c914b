package brief

import (
	"math/bits"
	"slices"
)

// mention is a name of a text, by what it hashes to: names that meet there count as one, which hardly moves a rank.
type mention uint32

// mentionOf hashes a name.
func mentionOf(name string) mention {
	h := uint32(2166136261)
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return mention(h)
}

// mentions are the names that stand in a text, each once, in order: what a program, or a comment of it, may mean a definition by.
func mentions(text string) []mention {
	list := make([]mention, 0, len(text)/32)
	seen := make([]mention, 1<<bits.Len(uint(len(text)/8))) // by the name's last bits: what was there last is not listed again
	for at := 0; at < len(text); at++ {
		if !isWordByte(text[at]) {
			continue
		}
		from := at
		for at < len(text) && isWordByte(text[at]) {
			at++
		}
		if at-from > 2 && (text[from] < '0' || text[from] > '9') {
			name := mentionOf(text[from:at])
			if last := &seen[int(name)&(len(seen)-1)]; *last != name || name == 0 {
				*last = name
				list = append(list, name)
			}
		}
	}
	slices.Sort(list)
	return slices.Clip(slices.Compact(list))
}

// bareName is the last word of a definition's name: what a use of it is written by.
func bareName(name string) string {
	end := len(name)
	for end > 0 && !isWordByte(name[end-1]) {
		end--
	}
	from := end
	for from > 0 && isWordByte(name[from-1]) {
		from--
	}
	return name[from:end]
}

// What a definition counts that no other file names, in thousandths, and how much more for each time that as many do again.
const (
	namedByNone = 800
	namedMore   = 150
)

// weigh tells the lines of shelves how much they count by the files that name them beside their own: a file on which much depends
// defines what nobody else names, too. A name that many files define says of none which one is meant,
// but for what a contract asks for: they keep it.
func weigh(list []*shelf) {
	files, defining := map[mention]int{}, map[mention]int{}
	names := make([][]mention, len(list))
	for n, s := range list {
		own := make([]mention, len(s.lines))
		for i, l := range s.lines {
			own[i] = mentionOf(bareName(l.Name))
		}
		names[n] = own
		for _, name := range slices.Compact(slices.Sorted(slices.Values(own))) {
			defining[name]++
		}
	}
	for _, s := range list {
		for _, name := range s.names {
			if defining[name] > 0 {
				files[name]++
			}
		}
		s.names = nil
	}
	for n, own := range names {
		for i, name := range own {
			users := max(files[name]-defining[name], 0) / max(defining[name], 1)
			if list[n].lines[i].isContract() {
				users = max(files[name], defining[name]-1)
			}
			list[n].lines[i].named = namedByNone + namedMore*int64(bits.Len(uint(users)))
		}
	}
}
