package rank

import "github.com/haversack-dev/haversack/internal/language"

// chatter are words of people that say nothing of what a task is about. They are dropped from its words, unless they stand in a name
// of code: where nothing else is said, nothing is found.
var chatter = language.WordSet(`about actual actually after again all almost along already also although always and another anybody anyone anything
	anyway appear appears are aren around ask asking because been before behavior behaviour being believe best better both bug bugs but
	cannot case cause causes check clear clearly come comes correct correctly could couldn couple day description did didn different does
	doesn doing don done each easy either else even ever every everything exactly example expect expected expects explain fact far feel few
	find fine first fix fixed follow following fully further gets getting give given gives goes going good got great had happen happening
	happens has hasn have haven having hello help helpful here hey hope how however idea inside instead isn issue issues its itself just keep
	kind know known last later least less let like likely little look looking looks made make makes making many may maybe mean means
	might mind more most much must need needed needs next nice nobody none nothing now off often once one ones only other others otherwise
	our out over own perhaps please possible possibly probably problem problems put quite rather really reason related report reported
	reproduce reproduction right same say says see seem seems seen several shall she should shouldn show shows similar simple simply since
	small some somebody somehow someone something sometimes somewhere soon still stop stopped such sure take takes talk thank thanks that the
	their them then there these they thing things think this those though thought three through thus together too tried tries trouble true
	two understand unfortunately unless until upon using usual usually very want wanted wants was wasn way ways well went were what whatever when
	where whether which while who whole why will wish with within without won work worked working works would wouldn wrong yes yet you your
	yours can add adds added adding fixes fixing additional additionally outcome outcomes information summary description steps reproduction reproducible
	snippet screenshot screenshots describe described searched implemented suddenly yesterday urgent urgently`)

// dropChatter takes the words of people out of a query: its code is told by asked.
func (q *query) dropChatter(a *taskWords) {
	code := map[string]bool{}
	_, tongue := tongueOf(a.text)
	idle := func(word string) bool { return chatter[word] || tongue[word] }
	idents := q.idents[:0]
	for i, t := range q.idents {
		if !a.code[i] && idle(lower([]byte(t.word))) {
			continue
		}
		if a.code[i] {
			for _, p := range parts(t.word) {
				code[p] = true
			}
		}
		idents = append(idents, t)
	}
	list := q.parts[:0]
	for _, t := range q.parts {
		if !idle(t.word) || code[t.word] {
			t.whole = tongue != nil && !code[t.word]
			list = append(list, t)
		}
	}
	q.idents, q.parts = idents, list
}

// maxCommon is how many files hold a word that alone says nothing of a repository: changed, started.
const maxCommon = 10

// Says reports whether the order's task says anything of the repository: a name, or a word of its code that is not of people's talk alone, of
// those that many files hold two.
func (o *Order) Says() bool {
	if o.task == nil {
		return true
	}
	for _, s := range []TaskSignal{TaskPath, TaskNamed, TaskModule, TaskFrame, TaskIdents} {
		for i, n := range o.task.raw[s] {
			if n > 0 && (s != TaskPath || o.task.likely[i]) {
				return true
			}
		}
	}
	holders := make([]int, len(o.query.parts))
	said := 0 // words that some file of those that a task is about holds
	for i := range o.files {
		if !o.task.likely[i] {
			continue
		}
		for _, p := range o.texts[i].terms {
			if holders[p.term]++; holders[p.term] == 1 {
				said++
			}
		}
	}
	for _, n := range holders {
		if n > 0 && n <= maxCommon {
			return true
		}
	}
	return said > 1
}
