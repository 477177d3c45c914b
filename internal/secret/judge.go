package secret

import (
	"bytes"
	"slices"
)

// Candidate is a value that stands where a credential may stand.
type Candidate struct {
	// Start and End bound the value in the text.
	Start, End int
	// Features say what it looks like, each once. FeatureName names them.
	Features []uint16
	// Score is the sum of their weights.
	Score int
	// Certain: it is a credential whatever it weighs.
	Certain bool
	// Excepted says why it is none whatever it looks like; it has no features then. Else "".
	Excepted string
}

// judge adds a candidate that is no exception if its features weigh enough. Its name is not useless.
func (r *run) judge(a *assigned, f form, from, to int) {
	if r.sure {
		return
	}
	k := a.naming()
	r.judged = judged{look: r.lookAt(a, f, from, to), name: *a, form: f}
	j := &r.judged // functions are handed it
	if k.noun == mnemonic {
		if v := r.text[from:min(to, from+maxLook)]; words(v) >= 12 || seedBase32(v) && hasFold(a.name(), "otp", "fa_", "secret") {
			r.add("mnemonic", from, to, rankKeyed)
		}
		return
	}
	if reason := j.excepted(); reason != "" {
		if r.witness != nil {
			r.witness(Candidate{Start: from, End: to, Excepted: reason})
		}
		return
	}
	r.list = r.features(r.list[:0], a, f, &j.look)
	score := 0
	for _, n := range r.list {
		score += int(r.table.model.Weights[n])
	}
	certain := j.certain(k)
	if r.witness != nil {
		r.witness(Candidate{Start: from, End: to, Features: slices.Clone(r.list), Score: score, Certain: certain})
	}
	if score < r.table.model.Threshold && !certain {
		return
	}
	rule := "secret-assignment"
	switch {
	case a.rule != "":
		rule = a.rule
	case k.noun == passNoun:
		rule = "password-assignment"
	case k.noun == weakNoun:
		rule = "generic-api-key"
	}
	r.add(rule, from, to, rankWeak)
}

// given has a value judged that no name is before: a command, a call, a statement or a URL takes it as such a secret.
func (r *run) given(rule string, f form, n noun, from, to int) {
	r.name = assigned{r: r, lo: from, hi: from, rule: rule, kind: naming{noun: n}, judged: true}
	r.name.take(f, from, to)
}

// certain reports whether the value was drawn by lot for all that one can see, and a name says without more that it is one.
func (j *judged) certain(k naming) bool {
	s := &j.shape
	if k.noun == tokenNoun && s.n == 23 && j.value[6] == '.' && s.joint == 1 && s.special+s.upper == 0 && s.digit > 3 && wordy(j.value) < 8 {
		return true // kubeadm's
	}
	if privateDER(j.value) {
		return true
	}
	long := j.kind == kindHex && s.n >= 32 || j.kind == kindDrawn && s.n >= 24 && s.digit > 3 && s.special == 0 && drawn(j.value)
	if long && k.noun == tokenNoun && !k.strict && j.form <= formWrapped {
		return true
	}
	return j.kind == kindDrawn && k.noun >= tokenNoun && !k.strict && j.form != formNext && s.upper > 2 && s.lower > 2 && s.digit > 2 && (drawn(j.value) || s.special > 2)
}

// Candidates returns the values in text that names are given, whatever is decided of them. The path tells the language.
func (s *Scanner) Candidates(path string, text []byte) []Candidate {
	r := s.runs.Get().(*run)
	defer s.runs.Put(r)
	r.reset(path, text)
	var list []Candidate
	seen := map[[2]int]bool{} // a value may have several names
	r.witness = func(c Candidate) {
		if at := [2]int{c.Start, c.End}; !seen[at] {
			seen[at] = true
			list = append(list, c)
		}
	}
	if r.scan() == nil { // else those before the budget's end
		r.columns()
	}
	r.witness, r.text = nil, nil
	return list
}

// Needs is the score that a candidate needs.
func (s *Scanner) Needs() int { return s.table.model.Threshold }

// Weight is what a feature weighs.
func (s *Scanner) Weight(feature uint16) int { return int(s.table.model.Weights[feature]) }

// envName reports whether the name is that of a variable of an environment.
func (a *assigned) envName() bool {
	n := a.name()
	return (bytes.IndexByte(n, '_') > 0 || len(n) > 8) && shapeOf(n).lower == 0 || bytes.HasPrefix(n, []byte("ansible_"))
}
