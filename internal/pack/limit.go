package pack

// Limit is the most bytes that a document for a model may have: the smallest of
// max-content-bytes and the limits of the providers.
func (c *Constraints) Limit() int64 {
	inBytes, _ := c.bounds()
	return inBytes.n
}
