package rank

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
)

// taskKinds gather the signals of a task that one reason tells.
var taskKinds = [taskSignals]Signal{TaskText: Text, TaskTitle: Text, TaskPassage: Text, TaskTitlePassage: Text, TaskPath: Path, TaskTitlePath: Path, TaskBase: Path,
	TaskRare: Rare, TaskIdents: Rare, TaskPairs: Phrases, TaskPhrases: Phrases, TaskHeads: Defines, TaskDefined: Defines,
	TaskNamed: Named, TaskModule: Named, TaskFrame: Named, TaskNear: Symbols, TaskTest: Role, TaskProse: Role, TaskAside: Role}

// taskWhy are the parts of a file's score for a task, by what is told of them, the largest first.
func (o *Order) taskWhy(i int) (list []Part) {
	for s, w := range taskWeights {
		amount := w * o.task.share[s][i] / 1000
		if amount == 0 || o.forgives(TaskSignal(s), i) {
			continue
		}
		k := slices.IndexFunc(list, func(p Part) bool { return p.Signal == taskKinds[s] })
		if k < 0 {
			k, list = len(list), append(list, Part{Signal: taskKinds[s]})
		}
		list[k].Amount += amount
	}
	for k := range list {
		list[k].Reason = o.taskReason(list[k].Signal, i)
	}
	slices.SortStableFunc(list, func(a, b Part) int { return cmp.Compare(b.Amount, a.Amount) })
	return list
}

func (o *Order) taskReason(s Signal, i int) string {
	t := o.task
	switch s {
	case Path:
		if t.raw[TaskPath][i] == 0 {
			return "the task says " + strconv.Quote(stem(o.files[i].Path))
		}
		var words []string
		find := newStems(o.query.parts)
		eachPart([]byte(o.files[i].Path), func(part []byte) {
			if w := lower(part); find.find(hashPart(part)) >= 0 && !slices.Contains(words, w) {
				words = append(words, w)
			}
		})
		return "its path says " + strings.Join(words[:min(4, len(words))], ", ")
	case Rare:
		var words []string
		list := slices.Clone(o.texts[i].idents)
		list = slices.DeleteFunc(list, func(h termHit) bool { return !o.words.code[h.ident] && o.rare[h.ident] == 0 })
		slices.SortFunc(list, func(a, b termHit) int {
			return cmp.Or(cmp.Compare(o.holders[a.ident], o.holders[b.ident]), cmp.Compare(a.line, b.line), cmp.Compare(a.ident, b.ident))
		})
		for _, h := range list[:min(3, len(list))] {
			words = append(words, o.query.idents[h.ident].word+" (line "+strconv.Itoa(int(h.line))+")")
		}
		return "holds " + strings.Join(words, ", ")
	case Phrases:
		list, from := o.texts[i].phrases, o.words.phraseWords
		if len(list) == 0 {
			list, from = o.texts[i].pairs, o.words.pairWords
		}
		return "says " + strconv.Quote(from[list[0]])
	case Defines:
		if w := t.defines[i]; w != "" {
			return "defines " + w + ", which the task names"
		}
		var words []string
		heads := slices.Clone(o.texts[i].heads)
		slices.SortStableFunc(heads, func(a, b posting) int { return cmp.Compare(o.idf[b.term], o.idf[a.term]) })
		for _, p := range heads[:min(3, len(heads))] {
			words = append(words, o.query.parts[p.term].word)
		}
		return "defines names with " + strings.Join(words, ", ")
	case Named:
		return t.why[i]
	case Symbols:
		return "tied by names to files that the task is about"
	case Role:
		switch {
		case language.IsTest(o.files[i].Path):
			return "a test"
		case IsChronicle(o.files[i].Path):
			return "it tells what changed once"
		case language.IsAside(o.files[i].Path):
			return "an example, a manual, or what others wrote"
		case o.texts[i].generated:
			return "a program writes it"
		}
		return "no code"
	}
	return "the task's words: " + strings.Join(o.bestWords(i), ", ")
}

// bestWords are the words of the task that say most in a file, three at most, those of its first line first.
func (o *Order) bestWords(i int) (words []string) {
	type worth struct {
		word   string
		titled bool
		amount uint64
	}
	var best []worth
	k := &o.texts[i]
	for _, p := range k.terms {
		best = append(best, worth{o.query.parts[p.term].word, o.words.titled[p.term], bm25(uint64(p.count), uint64(k.length), o.average, o.plain[p.term], one)})
	}
	slices.SortFunc(best, func(a, b worth) int {
		if a.titled != b.titled {
			if a.titled {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.amount, a.amount), strings.Compare(a.word, b.word))
	})
	for _, w := range best[:min(3, len(best))] {
		words = append(words, w.word)
	}
	return words
}
