package rank

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Translation is a word of a task in another tongue, and what the repository's own translations have in English where they say it.
type Translation struct{ Word, English string }

// Bounds of the translations that are read for a task in another tongue.
const (
	maxTranslated      = 40      // files
	maxTranslatedBytes = 4 << 20 // of all of them
	// leastForeign is how many letters a word of the task has at least that is looked for in them, leastShared how many it shares with a longer one,
	// mostEnding how many of its own it need not share.
	leastForeign = 4
	leastShared  = 6
	mostEnding   = 3
	// englishShared is how many letters the forms of a word of English share.
	englishShared = 5
	// maxAbove is how many names a text stands below at most that are told with its own.
	maxAbove = 4
	// aloneTexts is how many words a text has at most that alone says what one of them means.
	aloneTexts = 3
	// fewTexts is how many texts there are at least where it matters how many have a word.
	fewTexts = 64
)

// leastLikeness is how likely a word stands for another at least, in thousandths: the square of the share of the texts with the one that have
// the other too, the less the more texts have that anyway.
const leastLikeness = 120

// rendering is what the translations of one tongue have of the words of a task.
type rendering struct {
	texts   int
	stems   []string       // of the task's words, sorted
	foreign map[string]int // how many texts have a word that begins so
	english map[string]int // how many texts have an English word that begins so
	both    map[[2]string]int
	alone   map[[2]string]bool        // a short text has both
	forms   map[string]map[string]int // the English words that begin so, and how often
}

// translate returns a task's text in which the words of another tongue are those that the repository's translations have in English where they
// say them, and tells which. What is neither there stays, as do names of code.
func translate(text []byte, files []tree.File) ([]byte, []Translation) {
	codes, idle := spoken(text)
	if codes == nil {
		return text, nil
	}
	r := rendering{foreign: map[string]int{}, english: map[string]int{}, both: map[[2]string]int{}, alone: map[[2]string]bool{}, forms: map[string]map[string]int{}}
	eachForeign(text, func(from, to int) {
		if word := strings.ToLower(string(text[from:to])); !idle[word] {
			r.stems = append(r.stems, foreignStem(word))
		}
	})
	slices.Sort(r.stems)
	r.stems = slices.CompactFunc(r.stems, func(a, b string) bool { // Passwort, Passworts
		return a == b || utf8.RuneCountInString(a) >= leastShared && strings.HasPrefix(b, a)
	})
	byName := map[string]tree.File{}
	families := map[string]int{}
	for _, f := range files {
		if t, ok := language.TranslationOf(f.Path); ok {
			families[t.Family]++
			byName[f.Path] = f
		} else if isTexts(f.Path) {
			byName[f.Path] = f
		}
	}
	count, room := 0, int64(maxTranslatedBytes)
	for _, f := range files {
		t, ok := language.TranslationOf(f.Path)
		if !ok || !codes[strings.ToLower(t.Locale[:min(len(t.Locale), 2)])] || count == maxTranslated || f.Size > room {
			continue
		}
		var original map[string]string
		for _, name := range t.Originals() {
			if o, ok := byName[name]; ok && original == nil && o.Size <= room {
				room -= o.Size
				if english, err := o.Read(); err == nil {
					original = map[string]string{}
					eachText(o.Path, english, func(key, value string) { original[key] = value })
				}
			}
		}
		if families[t.Family] < 2 && original == nil {
			continue // no other language has one: the folder is called so
		}
		foreign, err := f.Read()
		if err != nil {
			continue // it is told as unread already
		}
		count++
		room -= f.Size
		eachText(f.Path, foreign, func(key, value string) { r.note(key+" "+original[key], value) })
	}
	if count == 0 {
		return text, nil
	}
	return r.render(text, idle)
}

// isTexts reports whether a file may hold the texts of a program in the language that it is written in.
func isTexts(name string) bool {
	switch path.Ext(name) {
	case ".xml", ".properties", ".json", ".yml", ".yaml", ".arb", ".resx":
		return true
	}
	return false
}

// isTranslated reports whether a file holds texts in another language than English that are translated from others in the repository, which the
// task does not name the keys of: they say the same words, or none.
func (o *Order) isTranslated(name string) bool {
	t, ok := language.TranslationOf(name)
	if !ok || t.IsEnglish() {
		return false
	}
	if i, known := o.node[name]; known && int(i) < len(o.files) && o.task.keyed[i] {
		return false
	}
	return path.Ext(name) == ".po" || slices.ContainsFunc(t.Originals(), func(original string) bool { _, ok := o.node[original]; return ok })
}

// spoken returns the codes of the languages that a text may be in, and the words that hold it together; none for English.
func spoken(text []byte) (codes, idle map[string]bool) {
	cyrillic, latin := 0, 0
	for _, c := range string(text) {
		switch {
		case unicode.Is(unicode.Cyrillic, c):
			cyrillic++
		case unicode.Is(unicode.Latin, c):
			latin++
		}
	}
	if cyrillic > 0 && cyrillic > latin/4 {
		return language.WordSet("ru uk be bg sr mk"), nil
	}
	code, idle := tongueOf(text)
	if idle == nil {
		return nil, nil
	}
	return map[string]bool{code: true}, idle
}

// eachForeign calls do for each word of letters in a text that is none of code: it has no marks, digits or capitals within.
func eachForeign(text []byte, do func(from, to int)) {
	for i := 0; i < len(text); {
		from, letters, plain := i, 0, true
		for i < len(text) {
			c, n := utf8.DecodeRune(text[i:])
			if !unicode.IsLetter(c) && c != '_' && !unicode.IsDigit(c) {
				break
			}
			plain = plain && unicode.IsLetter(c) && (letters == 0 || !unicode.IsUpper(c))
			letters++
			i += n
		}
		if i > from && plain && letters >= leastForeign && !quoted(text, from, i) {
			do(from, i)
		}
		if i == from {
			_, n := utf8.DecodeRune(text[i:])
			i += n
		}
	}
}

// foreignStem is the beginning that the forms of a word share.
func foreignStem(word string) string {
	letters := []rune(word)
	return string(letters[:min(len(letters), max(leastShared, len(letters)-mostEnding))])
}

// englishStem is the same of a word in English.
func englishStem(word string) string { return word[:min(len(word), englishShared)] }

// eachText calls do for each text of a file of them, with what it is called there and what that stands below, or what it says in English.
func eachText(name string, text []byte, do func(key, value string)) {
	gettext := path.Ext(name) == ".po"
	key, value, inKey := "", "", false
	type outer struct {
		key    string
		indent int
	}
	var above []outer
	end := func() {
		if key != "" && strings.ContainsFunc(value, unicode.IsLetter) {
			for _, o := range above {
				key = o.key + " " + key
			}
			do(key, value)
		}
		key, value = "", ""
	}
	for whole := range bytes.Lines(text) {
		line := strings.TrimSpace(string(whole[:min(len(whole), maxLine)]))
		indent := len(whole) - len(bytes.TrimLeft(whole, " \t"))
		found := language.TextKey(line)
		switch {
		case gettext && strings.HasPrefix(line, "msgstr"):
			inKey = false
			value += " " + strings.TrimPrefix(line, "msgstr")
		case gettext && (line == "" || line[0] == '#'):
		case gettext && strings.HasPrefix(line, "msgid "):
			end()
			key, inKey = found, true
		case gettext && inKey:
			key += " " + line
		case found != "" && !gettext:
			end()
			for len(above) > 0 && above[len(above)-1].indent >= indent {
				above = above[:len(above)-1]
			}
			_, value, _ = strings.Cut(line, found)
			if key = found; strings.Trim(value, "\"' \t:=>{|") == "" && !strings.HasPrefix(line, "<") && len(above) < maxAbove {
				above, key, value = append(above, outer{found, indent}), "", ""
			}
		default:
			value += " " + line
		}
	}
	end()
}

// note counts the words of one text.
func (r *rendering) note(english, foreign string) {
	stems := map[string]bool{}
	words := 0
	for word := range strings.FieldsFuncSeq(strings.ToLower(foreign), func(c rune) bool { return !unicode.IsLetter(c) }) {
		if words++; utf8.RuneCountInString(word) < leastForeign {
			continue
		}
		if stem := r.stemIn(word); stem != "" {
			stems[stem] = true
		}
	}
	own := map[string]bool{}
	for _, word := range parts(english) {
		if len(word) < 3 || chatter[word] || common[word] || class[word[0]] == classDigit {
			continue
		}
		stem := englishStem(word)
		own[stem] = true
		if r.forms[stem] == nil {
			r.forms[stem] = map[string]int{}
		}
		r.forms[stem][word]++
	}
	r.texts++
	for e := range own {
		r.english[e]++
	}
	for s := range stems {
		r.foreign[s]++
		for e := range own {
			r.both[[2]string{s, e}]++
			if words <= aloneTexts && len(own) <= aloneTexts {
				r.alone[[2]string{s, e}] = true
			}
		}
	}
}

// stemIn returns the longest of the stems with which a word begins. Shorter ones are whole words.
func (r *rendering) stemIn(word string) string {
	letters := []rune(word)
	for n := len(letters); n >= leastForeign; n-- {
		stem := string(letters[:n])
		if _, ok := slices.BinarySearch(r.stems, stem); ok && (n >= leastShared || n == len(letters)) {
			return stem
		}
	}
	return ""
}

// meaning returns the English words that stand for a stem, at most two of one beginning; none where the texts do not tell.
func (r *rendering) meaning(stem string) []string {
	best, most := "", 0
	for pair, n := range r.both {
		if pair[0] != stem || n < 2 && !r.alone[pair] {
			continue
		}
		texts := uint64(max(r.texts, fewTexts))
		rare := lnRatio(texts, uint64(r.english[pair[1]])) * 1000 / lnRatio(texts, 1)
		likeness := int(rare) * n * n / (r.foreign[stem] * r.foreign[stem])
		if likeness >= leastLikeness && (likeness > most || likeness == most && pair[1] < best) {
			best, most = pair[1], likeness
		}
	}
	var forms []string
	for word := range r.forms[best] {
		forms = append(forms, word)
	}
	slices.SortFunc(forms, func(a, b string) int {
		return cmp.Or(cmp.Compare(r.forms[best][b], r.forms[best][a]), strings.Compare(a, b))
	})
	return forms[:min(len(forms), 2)]
}

// render writes a text with what its words mean. Of a word that the texts have too, and of which they do not tell what it means, nothing is
// looked for in code: that a name is written so is chance.
func (r *rendering) render(text []byte, idle map[string]bool) (out []byte, list []Translation) {
	meanings := map[string][]string{}
	told := map[string]bool{}
	at := 0
	eachForeign(text, func(from, to int) {
		word := strings.ToLower(string(text[from:to]))
		if idle[word] {
			return
		}
		stem := r.stemIn(word)
		if r.foreign[stem] == 0 {
			return
		}
		if _, ok := meanings[stem]; !ok {
			meanings[stem] = r.meaning(stem)
		}
		english := strings.Join(meanings[stem], " ")
		if common[word] || r.forms[englishStem(word)][word] > 0 { // it is English too
			return
		}
		out = append(append(out, text[at:from]...), english...)
		at = to
		if english != "" && !told[word] {
			told[word] = true
			list = append(list, Translation{word, english})
		}
	})
	return append(out, text[at:]...), list
}
