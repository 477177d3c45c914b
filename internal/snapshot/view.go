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
}
