package secret

import (
	"bytes"

	"github.com/haversack-dev/haversack/internal/secret/value"
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

// judge decides of candidates by a model. It is a function of a candidate and the model alone; what else it holds is room to work in.
type judge struct {
	model *Model
	plain [value.MaxLook]byte // what a value is in base64
	list  []uint16            // the features of one candidate after the other
	judgement
}

// verdict is what was decided of a candidate.
type verdict struct {
	rule     string // what a finding is called; "": it is no credential
	rank     int8
	excepted string   // why it is none whatever it looks like; it has no features then
	features []uint16 // until the next is decided of
	score    int      // the sum of their weights
	certain  bool     // it is a credential whatever it weighs
}

// decide says whether the candidate is a credential: where no exception clears it, and its features weigh enough or leave no doubt.
func (j *judge) decide(c *candidate) verdict {
	if c.Noun == value.Mnemonic {
		if value.Words(c.text) >= leastPhrase || value.SeedBase32(c.text) && value.HasFold(c.name, "otp", "fa_", "secret") {
			return verdict{rule: "mnemonic", rank: rankKeyed}
		}
		return verdict{}
	}
	j.judgement = judgement{candidate: *c, look: c.look(), buf: j.plain[:]}
	if c.Noun >= value.TokenNoun && !c.Authorization {
		j.byLot = byLot(j.value, &j.shape)
	}
	if reason := j.judgement.excepted(); reason != "" {
		return verdict{excepted: reason}
	}
	j.list = j.judgement.features(j.list[:0])
	v := verdict{rank: rankWeak, features: j.list, certain: j.judgement.certain()}
	for _, n := range j.list {
		v.score += int(j.model.Weights[n])
	}
	if v.score < j.model.Threshold && !v.certain {
		return v
	}
	switch c.Noun {
	case value.PassNoun:
		v.rule = "password-assignment"
	case value.WeakNoun:
		v.rule = "generic-api-key"
	default:
		v.rule = "secret-assignment"
	}
	return v
}

// certain reports whether the value was drawn by lot for all that one can see, and a name says without more that it is one.
func (j *judgement) certain() bool {
	s, k := &j.shape, &j.Naming
	if k.Noun == value.TokenNoun && s.Length == 23 && j.value[6] == '.' && s.Joint == 1 && s.Special+s.Upper == 0 && s.Digit > 3 && value.Wordy(j.value) < 8 {
		return true // kubeadm's
	}
	if value.PrivateDER(j.value) || j.byLot && j.speaksPlainly() {
		return true
	}
	long := j.kind == kindHex && s.Length >= 32 || j.kind == kindDrawn && s.Length >= 24 && s.Digit > 3 && s.Special == 0 && value.Drawn(j.value)
	if long && k.Noun == value.TokenNoun && !k.Strict && j.form <= formWrapped {
		return true
	}
	return j.kind == kindDrawn && k.Noun >= value.TokenNoun && !k.Strict && j.form != formNext && s.Upper > 2 && s.Lower > 2 && s.Digit > 2 && (value.Drawn(j.value) || s.Special > 2)
}

// speaksPlainly reports whether the name says without more that what was drawn by lot is a secret, where values stand.
func (j *judgement) speaksPlainly() bool {
	program := j.style == value.AsCode && j.bare && !j.place.words
	counted := j.Noun != value.PassNoun && j.kind == kindDigits && j.form == formArgument                   // a number
	word := (j.form == formTold || j.place.translated) && pronounced(j.value, &j.shape)                     // of a sentence
	listed := j.form == formNext && j.kind <= kindDigits && j.kind != kindDrawn && j.kind != kindDrawnShort // a hash or a number of a list
	return j.Noun >= value.TokenNoun && !j.Strict && !j.Authorization && !listed && !program && !counted && !word && !j.place.traits.lock
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

// envName reports whether a name is that of a variable of an environment.
func envName(n []byte) bool {
	return (bytes.IndexByte(n, '_') > 0 || len(n) > 8) && value.ShapeOf(n).Lower == 0 || bytes.HasPrefix(n, []byte("ansible_"))
}
