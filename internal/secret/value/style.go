package value

// Style is how a file is written, told from its name: it decides what an unquoted value is.
type Style uint8

const (
	AsConfig Style = iota // key and value; an unquoted value is the value
	AsCode                // an unquoted value is an expression
	AsProse               // an unquoted value may be a word of a sentence
	AsPatch               // each part is what its file is
)
