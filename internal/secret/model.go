package secret

// Model says what features weigh, and how much a credential weighs.
type Model struct {
	Weights   [Features]int16
	Threshold int
}

// Level says how sure the model has to be, in tenths of the natural logarithm of odds above even ones.
type Level int

// The levels. What they give on labelled repositories stands in docs/credentials.md.
const (
	// Balanced leaves a word that may be a password where little else speaks for it.
	Balanced Level = 24
	// Strict takes most of them.
	Strict Level = 12
)

// Committed is the model that the program has, at a level.
func Committed(level Level) *Model {
	m := &Model{Threshold: even + int(level)}
	copy(m.Weights[:], weights)
	return m
}
