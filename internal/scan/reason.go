package scan

// Exclusion is the exclusion_reason by which packs state r: one of a closed list
// that is shorter than ours.
func (r Reason) Exclusion() string {
	switch r {
	case Credentials, Binary, SizeLimit, DependencyDir, BuildOutput, Cache:
		return string(r)
	}
	return string(PatternMatch)
}

// StatKey is the key under which r is counted in exclusion_stats (with "by_"
// before it) and in exclusions_by_reason.
func (r Reason) StatKey() string {
	switch r {
	case Credentials:
		return "credentials"
	case Binary:
		return "binary"
	case SizeLimit:
		return "size"
	}
	return "pattern"
}
