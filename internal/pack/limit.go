package pack

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
