package plan

// part is a share of a budget: one token in so many.
type part int

// The parts of a budget, each for one kind of content. They bound what is taken before the
// files that rank: what they leave unused is those files'.
const (
	// patchPart is the change itself in the archive. A reader needs it first, and judges no hunk that is left out; what it leaves of
	// the half, or a fifth of the budget, is for the changed definitions as they are now, and beyond a half the files that explain it
	// would be missing.
	patchPart part = 2
	// wholePart are changed files as they are now, the smallest first. They repeat lines of
	// the patch, and those that rank high enough come later anyway.
	wholePart part = 8
	// mapPart is the map: names alone, of which more than a tenth hides what is named.
	mapPart part = 10
	// systemPart are the project's system documents where the change fills the archive. They
	// are for who steers by the state, and few of them speak of one change.
	systemPart part = 16
	// guidePart are the documents that tell agents how to work in the folders of the change:
	// a few pages in each of them.
	guidePart part = 32
	// excerptPart are parts of files that do not fit whole: the changed definitions of a long file, and
	// what is needed most of others.
	excerptPart part = 16
	// introductionPart is what says what the project is: a README and a manifest.
	introductionPart part = 64
	// ReservePart is not spent: encoders of one vocabulary differ by up to a hundredth in how
	// they part signs and line ends.
	ReservePart part = 64
)

// of is the share of a limit in tokens; without one, at 0, there is room for everything.
func (p part) of(limit int) int {
	if limit == 0 {
		return int(^uint(0) >> 1)
	}
	return limit / int(p)
}
