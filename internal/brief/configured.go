package brief

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

const (
	// configuredPart is the part of a budget, or of the first 32,000 tokens of a larger one, that values of files of settings may take.
	configuredPart = 24
	// maxConfigured bounds the files of settings that are read, and maxConfiguredBytes each.
	maxConfigured      = 40
	maxConfiguredBytes = 64 << 10
)

// configured is a line that gives a key a value: of properties, YAML, TOML and JSON. Group 1 is the key.
var configured = lazyregexp.New(`^\s*(?:- )?["']?([\w%$][\w.%\-\[\]/]*)["']? ?(?:=|: ?) ?[^\s{\[|>].*$|^\s*(?:- )?["']?([\w%$][\w.%\-\[\]/]*)["']? ?(?:=|:) ?\[[^\]]+\]`)

// askedKeys are words of keys whose values are asked for most.
var askedKeys = language.WordSet("port ports host url uri address path timeout time interval period delay retry retries limit max min size count level mode enabled database db driver origins version default" +
	" ttl expiration expiry attempts threads workers concurrency threshold pool")

// setsAsked is how many words of a name say that the plain value is asked for that a line of code gives it: MAX_LOGINS = 5, port: int = 8080,
// `#define IDLE_TIMEOUT 300`. It is 0 where the line gives none.
func setsAsked(line string) (words int) {
	name, value, ok := strings.Cut(line, "=")
	if !ok {
		name, value, ok = strings.Cut(line, ":")
	}
	for _, mark := range []string{"#define ", "@"} { // C, Elixir
		if rest, marked := strings.CutPrefix(line, mark); marked {
			name, value, ok = strings.Cut(strings.TrimSpace(rest), " ")
		}
	}
	name, _, _ = strings.Cut(name, " { get") // C#
	value = strings.TrimLeft(value, "=>: \t")
	if m := withDefault.FindStringSubmatch(value); m != nil {
		value = m[1]
	}
	if tableRow.MatchString(" " + line) { // its value stands last in its brackets
		row := strings.TrimLeft(line, "{ ")
		name, value, ok = row[:strings.IndexAny(row, ",(")], "true", true
	}
	if !ok || value == "" || strings.ContainsAny(name, "({") || strings.HasSuffix(value, "{") || strings.Contains(value, "=>") || !plainValue(value) {
		return 0
	}
	for _, word := range language.Words(name) {
		if looks[word] {
			return 0
		}
		if askedKeys[word] {
			words++
		}
	}
	return words
}

// looks are words of names that say what something looks like: nobody asks how large an icon is.
var looks = language.WordSet("icon icons font margin padding width height radius border opacity shadow spacing gap h1 h2 h3 h4 h5 h6 avatar thumbnail")

// Bounds of an enumeration: how many members it has at least, and how many lines below one the next stands at most.
const (
	leastEnumerated = 3
	enumeratedGap   = 5
)

// counted is a line that gives a whole number, and nothing else: group 1.
var counted = lazyregexp.New(`[=: ]\s*(\d{1,9})[,;]?$`)

// passEnumerated takes what is counted through from the values that are asked for: the members of an enumeration say by their numbers which
// they are, not how much of anything there is.
func (s *shelf) passEnumerated() {
	from := 0
	for n := 1; n <= len(s.lines); n++ {
		if n < len(s.lines) && s.lines[n].follows(&s.lines[n-1]) {
			continue
		}
		for i := from; n-from >= leastEnumerated && i < n; i++ {
			s.lines[i].asks = 0
		}
		from = n
	}
}

// follows reports whether a line gives the number behind that of another one above it.
func (l *signature) follows(before *signature) bool {
	if l.Line-before.Line > enumeratedGap {
		return false
	}
	a, b := counted.FindStringSubmatch(before.bare()), counted.FindStringSubmatch(l.bare())
	if a == nil || b == nil {
		return false
	}
	x, _ := strconv.Atoi(a[1])
	y, _ := strconv.Atoi(b[1])
	return y == x+1
}

// withDefault is a value that is read of the environment, with what it is where that has none: group 1.
var withDefault = lazyregexp.New(`^(?:\(\w+\) *)?(?:env|getenv|ENV\.fetch|os\.getenv|os\.environ\.get)\(["'][\w.]+["'], *([^()]+?)\),?;?$`)

const (
	// tokensOfValue are those of the first layer for each number that is brought forward, and tokensOfRank those for each line that stays
	// before them.
	tokensOfValue = 320
	tokensOfRank  = 80
	// valuesOfFile bounds what is brought forward of one file.
	valuesOfFile = 2
)

// bringValues puts numbers that are asked for, a port, a limit, a timeout, before most of what is offered, the first of which tells most,
// however little depends on their files: a few, those first whose names say it most, and a few of each file.
func (w *shelves) bringValues(offers []offer) {
	var values []int
	for i, o := range offers {
		l := &o.shelf.lines[o.line]
		if l.asks > 0 && l.worth() == worthAsked && w.Members[o.shelf.member].Role == Code && (l.number || givesNumber.MatchString(l.bare())) {
			values = append(values, i)
		}
	}
	slices.SortStableFunc(values, func(a, b int) int {
		return cmp.Compare(offers[b].shelf.lines[offers[b].line].asks, offers[a].shelf.lines[offers[a].line].asks)
	})
	of := map[*shelf]int{}
	first := offers[:min(len(offers), w.front()/tokensOfRank)]
	left := w.front() / tokensOfValue
	for _, i := range values {
		if o := &offers[i]; left > 0 && of[o.shelf] < valuesOfFile {
			of[o.shelf]++
			left--
			o.score = max(o.score, first[len(first)-1].score)
		}
	}
	slices.SortStableFunc(offers, func(a, b offer) int { return cmp.Compare(b.score, a.score) })
}

// givesNumber is a line that gives a number, or what is made of one: 30.minutes, Duration.ofSeconds(10). -1 says that there is none.
var givesNumber = lazyregexp.New(`^[^"']*[=: ]\s*[A-Za-z_.:]*\(?\d`)

// plainValue reports whether a value is a number, a text, a word for yes or no, or made of numbers, as 30.minutes and seconds(30).
func plainValue(value string) bool {
	return strings.ContainsAny(value[:1], "\"'") || strings.HasPrefix(value, "true") || strings.HasPrefix(value, "false") || strings.ContainsAny(value, "0123456789")
}

// tellConfigured writes the values that files of settings give, with the keys that they stand below, where there is room: those of
// variants, as of one environment, behind the others; what several files say alike once.
func (w *shelves) tellConfigured() {
	if w.budget <= layers[0] {
		return
	}
	var files []int
	for _, i := range w.roles(Configuration) {
		if name := w.Members[i].Path; w.Members[i].Size <= maxConfiguredBytes && holdsSettings(name) && len(files) < maxConfigured {
			files = append(files, i)
		}
	}
	slices.SortStableFunc(files, func(a, b int) int {
		return cmp.Or(variant(w.Members[a].Path)-variant(w.Members[b].Path), strings.Compare(w.Members[a].Path, w.Members[b].Path))
	})
	room := min(w.budget, layers[1]) / configuredPart
	said := map[string]bool{}
	var b strings.Builder
	spent := 0
	for n, i := range files {
		list, cost := w.configuredLines(i, (room-spent)/min(len(files)-n, 8), said)
		if list != "" {
			spent += cost
			b.WriteString(list)
		}
	}
	if b.Len() > 0 {
		w.postpone(0, spent)
		w.late[0] = append(w.late[0], Chapter{"What it is set to", []Section{{Pieces: []string{Fence("", Printable(b.String())) + "\n"}}}})
	}
}

// holdsSettings reports whether a file is one of settings of the program, as opposed to those of a tool, by its name: in a hidden folder
// it is a tool's.
func holdsSettings(name string) bool {
	if strings.HasPrefix(name, ".") || strings.Contains(name, "/.") {
		return false
	}
	l := language.Of(name)
	words := language.Words(path.Base(name))
	named := len(words) > 0 && settingWords[words[0]] || keepsSettings[path.Ext(name)] && path.Dir(name) != "." // at the root it is a tool's
	return l != nil && l.Kind == language.Data && named
}

// variant tells how many words a name of a file of settings has beside the first and its ending: application-dev.yml has one.
func variant(name string) int {
	base := path.Base(name)
	return len(language.Words(strings.TrimSuffix(base, path.Ext(base)))) - 1
}

// configuredLines writes values of one file below its heading, those first whose keys are asked for, in so many tokens, without those
// that are said already; and what it costs.
func (w *shelves) configuredLines(member, room int, said map[string]bool) (string, int) {
	lines := strings.Split(w.Read(member).Text, "\n")
	var values []int
	for n, line := range lines {
		if len(values) == maxTable || len(line) > maxSettingLine || said[strings.TrimSpace(line)] || !configured.MatchString(line) {
			continue
		}
		values = append(values, n+1)
	}
	slices.SortStableFunc(values, func(a, b int) int { return cmp.Compare(asked(lines[b-1]), asked(lines[a-1])) })
	taken := map[int]int{} // lines with what they cost
	spent := w.headingCost(&shelf{member: member})
	for _, n := range values {
		more := map[int]int{}
		cost := 0
		for _, at := range append(keysAbove(lines, n), n) {
			if _, ok := taken[at]; !ok {
				more[at] = w.Counter.Count([]byte(numbered(lines, at)))
				cost += more[at]
			}
		}
		if spent+cost > room {
			continue
		}
		spent += cost
		for at, c := range more {
			taken[at] = c
		}
		said[strings.TrimSpace(lines[n-1])] = true
	}
	if len(taken) == 0 {
		return "", 0
	}
	var b strings.Builder
	b.WriteString(w.headed(&shelf{member: member}))
	for n := range lines {
		if _, ok := taken[n+1]; ok {
			b.WriteString(numbered(lines, n+1))
		}
	}
	return b.String(), spent
}

// numbered is a line of a text with its number, as it is indented.
func numbered(lines []string, n int) string {
	return fmt.Sprintf("%d\t%s\n", n, cutOutline(strings.TrimRight(lines[n-1], " \t\r")))
}

// asked is 1 where the key of a line is one whose value is asked for, else 0.
func asked(line string) int {
	if slices.ContainsFunc(language.Words(key(line)), func(word string) bool { return askedKeys[word] }) {
		return 1
	}
	return 0
}

// keysAbove are the lines of keys that a line stands below, and of the section that it stands in, the nearest first.
func keysAbove(lines []string, line int) (list []int) {
	deep := indentOf(lines[line-1])
	for n := line - 1; n > max(0, line-maxTable) && len(list) < maxKeysAbove; n-- {
		one := strings.TrimRight(lines[n-1], " \t\r")
		bare := strings.TrimLeft(one, " \t")
		if deep == 0 && strings.HasPrefix(bare, "[") && indentOf(one) == 0 {
			return append(list, n)
		}
		if bare == "" || bare[0] == '#' || indentOf(one) >= deep {
			continue
		}
		if deep = indentOf(one); len(bare) > 1 {
			list = append(list, n)
		}
	}
	return list
}

// maxKeysAbove bounds the keys that one value stands below.
const maxKeysAbove = 8
