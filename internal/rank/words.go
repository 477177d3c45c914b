package rank

// An identifier is [A-Za-z_$][A-Za-z0-9_$]{2,}. Its parts are its camel humps
// and runs of letters, an acronym whole (HTTPServer: http, server), in lower
// case, of 3 letters or more. Both are known by 64-bit hashes while files are
// read; words are kept of the change alone.

const (
	classOther = iota
	classLower
	classUpper
	classDigit
	classMark // _ and $
)

var class = func() (t [256]uint8) {
	for c := 'a'; c <= 'z'; c++ {
		t[c] = classLower
		t[c-'a'+'A'] = classUpper
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = classDigit
	}
	t['_'], t['$'] = classMark, classMark
	return t
}()

// maxWord is how many bytes of an identifier tell it from others. A longer run
// of letters is data, not a name; this keeps hostile input linear and small.
const maxWord = 128

const (
	hashStart = 14695981039346656037
	hashPrime = 1099511628211
)

// hash is FNV-1a, mixed at the end.
func hash[T string | []byte](word T) uint64 {
	h := uint64(hashStart)
	for i := range len(word) {
		h = (h ^ uint64(word[i])) * hashPrime
	}
	return mix(h)
}

// mix spreads the high bits of a hash over the low ones, by which tables look up.
func mix(h uint64) uint64 {
	h ^= h >> 32
	h *= 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// eachWord calls do for every identifier of text with the place where it begins.
func eachWord(text []byte, do func(word []byte, at int)) {
	eachHashed(text, func(word []byte, at int, _ uint64) { do(word, at) })
}

// eachHashed is eachWord with each word's hash, which is made as the word is passed over.
func eachHashed(text []byte, do func(word []byte, at int, key uint64)) {
	for i := 0; i < len(text); {
		switch class[text[i]] {
		case classOther, classDigit:
			i++
			continue
		}
		start, h := i, uint64(hashStart)
		for most := min(len(text), start+maxWord); i < most && class[text[i]] != classOther; i++ {
			h = (h ^ uint64(text[i])) * hashPrime
		}
		word := text[start:i]
		for i < len(text) && class[text[i]] != classOther {
			i++
		}
		if len(word) >= 3 {
			do(word, start, mix(h))
		}
	}
}

// eachPart calls do for every part of an identifier, or of any text.
func eachPart(word []byte, do func(part []byte)) {
	for i := 0; i < len(word); {
		start := i
		switch class[word[i]] {
		case classUpper:
			for i < len(word) && class[word[i]] == classUpper {
				i++
			}
			if i < len(word) && class[word[i]] == classLower {
				if i-start > 1 {
					i-- // the last capital begins the next part
				} else {
					for i < len(word) && class[word[i]] == classLower {
						i++
					}
				}
			}
		case classLower:
			for i < len(word) && class[word[i]] == classLower {
				i++
			}
		default:
			i++
			continue
		}
		if i-start >= 3 {
			do(word[start:i])
		}
	}
}

// hashPart is hash of the part in lower case.
func hashPart(part []byte) uint64 {
	h := uint64(hashStart)
	for _, c := range part {
		if class[c] == classUpper {
			c |= 0x20
		}
		h = (h ^ uint64(c)) * hashPrime
	}
	return mix(h)
}

// parts lists the parts of a text in lower case, each once, in order.
func parts(text string) []string {
	var list []string
	seen := map[string]bool{}
	eachPart([]byte(text), func(part []byte) {
		if p := lower(part); !seen[p] {
			seen[p] = true
			list = append(list, p)
		}
	})
	return list
}

func lower(word []byte) string {
	b := make([]byte, len(word))
	for i, c := range word {
		if class[c] == classUpper {
			c |= 0x20
		}
		b[i] = c
	}
	return string(b)
}

// table finds the index of a hash. It is filled once and then only read.
type table struct {
	keys  []uint64
	index []int32
	mask  uint64
}

func newTable(keys []uint64) *table {
	size := 16
	for size < 4*len(keys) {
		size *= 2
	}
	t := &table{make([]uint64, size), make([]int32, size), uint64(size - 1)}
	for i := range t.index {
		t.index[i] = -1
	}
	for i, k := range keys {
		at := k & t.mask
		for t.index[at] >= 0 && t.keys[at] != k {
			at = (at + 1) & t.mask
		}
		if t.index[at] < 0 {
			t.keys[at], t.index[at] = k, int32(i)
		}
	}
	return t
}

// find returns the index of the key, or -1.
func (t *table) find(key uint64) int32 {
	at := key & t.mask
	for {
		i := t.index[at]
		if i < 0 || t.keys[at] == key {
			return i
		}
		at = (at + 1) & t.mask
	}
}
