package pack

import "math"

// Limit is the most bytes that a document for a model may have: the smallest of
// max-content-bytes and the limits of the providers.
func (c *Constraints) Limit() int64 {
	inBytes, _ := c.bounds()
	return inBytes.n
}

// TokenLimit is the most tokens of o200k that a document for a model may have: the smallest of the providers' limits; 0 where none
// is in tokens.
func (c *Constraints) TokenLimit() int64 {
	_, inTokens := c.bounds()
	if inTokens == nil {
		return 0
	}
	return inTokens.n
}

// BytesBeside is Limit of a document that keeps a budget of tokens, too: of the bytes the default of max-content-bytes, which is of
// packs, does not bound it, for 128,000 tokens of Java or Go are more.
func (c *Constraints) BytesBeside() int64 {
	one := *c
	if one.MaxContentBytes == Defaults().MaxContentBytes {
		one.MaxContentBytes = math.MaxInt32
	}
	return one.Limit()
}
