package job

// Mode is what archive.tar holds.
type Mode string

const (
	ModeAuto    Mode = "auto"    // by the event and the state; no run is in it
	ModeFull    Mode = "full"    // every file
	ModeContext Mode = "context" // what the state asks for and what the change needs
	ModeMeta    Mode = "meta"    // the map for the start of a thread
)

// Pack says which packs are written.
type Pack string

const (
	PackAuto    Pack = "auto"    // full where it keeps the limits, else summary
	PackFull    Pack = "full"    // contents
	PackSummary Pack = "summary" // facts that cite their place
	PackBoth    Pack = "both"    // full and summary
	PackChange  Pack = "change"  // context.md as JSON, where a change is ranked
	PackNone    Pack = "none"    // no pack
)

// Fill is what fills the budget of a context archive.
type Fill string

const (
	FillAuto Fill = "auto" // rank where a change asks to be merged, and where nothing else says what to take
	FillRank Fill = "rank" // the files that the change needs, in order
	FillNone Fill = "none" // what the state asks for and no more
)

// MapDetail says which files the map of a context archive names.
type MapDetail string

const (
	MapAuto       MapDetail = "auto"       // the most that fits
	MapFull       MapDetail = "full"       // all files
	MapLinked     MapDetail = "linked"     // those that need or are needed
	MapNeighbours MapDetail = "neighbours" // those next to what is packed
)

// When says whether something outside of the run is done: an upload, a comment.
type When string

const (
	WhenAuto   When = "auto"   // where it can be; a refusal is a warning
	WhenAlways When = "always" // a refusal fails the run
	WhenNever  When = "never"  // not even where it can be
)

// Saving says when the saved snapshot is written.
type Saving string

const (
	SaveNever   Saving = "never"   // what is there stays
	SaveCreate  Saving = "create"  // where there is none
	SaveReplace Saving = "replace" // whether one is there or not
)

// What input base may say beside a revision.
const (
	BaseAuto = "auto"
	BaseNone = "none"
	// BaseTask is the base of a run for a task; no input can say it.
	BaseTask    = " task"
	BaseSaved   = "saved"
	BaseSession = "session"
)

// What input session may say beside an id.
const (
	SessionOff  = "off"
	SessionAuto = "auto"
)
