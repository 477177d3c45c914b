package snapshot

// View is what the steps that look have made, together. Who chooses is given it.
type View struct {
	Head   *Head
	Found  *Inventory
	Change *Change
	Graph  *Dependencies // nil where nothing asks for it
	Asked  *Closure
	Sealed *Contents
	// Patches are the change as text, as far as it is shown.
	Patches []FilePatch
	// Held is what the reader has already; nil where nothing says so.
	Held *HeldText
}

// WithoutPatches returns the view without the change as text, which may be as long as the repository.
func (v *View) WithoutPatches() *View {
	w := *v
	w.Patches = nil
	return &w
}

// HeldText is what the reader of a thread has already of the files that may leave, by path.
type HeldText struct {
	// Since are the files that it has as they are, each with the number of the run that gave it.
	Since map[string]int
	// Rest are changed files that it has as the base has them: all but what the change touches is known.
	Rest map[string]bool
	// Back are files that it has in another version, though they are as the base has them, with the
	// number of the run that gave it: they changed since, and the change does not say so.
	Back map[string]int
}

// Has reports whether the reader has a file as it is.
func (h *HeldText) Has(path string) bool { return h != nil && h.Since[path] > 0 }

// HasRest reports whether the reader has all of a changed file but what the change touches.
func (h *HeldText) HasRest(path string) bool { return h != nil && h.Rest[path] }

// IsBack reports whether the reader has another version of a file that is as the base has it.
func (h *HeldText) IsBack(path string) bool { return h != nil && h.Back[path] > 0 }
