//go:build !unix

package action

// owner does nothing where files have no numeric owners.
func (r *run) owner() func(string) { return func(string) {} }
