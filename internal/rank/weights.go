package rank

// Signal is one of the things that speak for a file.
type Signal uint8

// The signals, as the package comment describes them.
const (
	Text Signal = iota
	Imports
	Name
	Mirror
	Path
	Rare
	Symbols
	Together
	Recent
	// Size speaks against a file: what it costs, other files could have.
	Size
	signals
)

// What is told of a file of a task beside these: Named is its path or module, or a place in it, Defines what it defines, Phrases
// words that stand side by side, Role what kind of file it is. They have no weight among those of a change.
const (
	Named = signals + iota
	Defines
	Phrases
	Role
)

var signalNames = [signals]string{"text", "imports", "name", "mirror", "path", "rare", "symbols", "together", "recent", "size"}

func (s Signal) String() string {
	if s < signals {
		return signalNames[s]
	}
	switch s {
	case Named:
		return "named"
	case Defines:
		return "defines"
	case Phrases:
		return "phrases"
	case Role:
		return "role"
	}
	return "unknown"
}

// Weights say what each signal counts for, in thousandths.
type Weights [signals]int64

// The weights, of a ranking without history and of one with it; bench/context
// makes them again (-train).
//
// Both began as those of a study of 442 commits of seven repositories, of each
// of which one file was shown, and the others were to be found within 8k, 32k
// and 128k tokens. There text had 5000, and all others but rare and symbols
// (1500) 1000. That is as good for one file, but when whole commits are shown,
// and what the next ones touched is to be found, text tells less, and imports
// more. With these, mean of the seven, and with those of the study, when the
// imports of TypeScript alone were known (today's figures: bench/RESULTS-context.md):
//
//	one file shown, code       .384/.699/.905   .369/.713/.914
//	one file shown, all files  .329/.638/.874   .322/.652/.888 (no documents in the walk)
//	half of a commit shown     .390/.701/.880   .397/.687/.876
//	a whole commit shown       .153/.427/.752   .141/.395/.740
//
// Differences below .015 are noise. Trained on the first and the last line, each
// repository with the weights that it was left out of: .371/.689/.889 and
// .156/.430/.755. Those with history are the study's, moved the same way: .409/.741/.923 and
// .162/.420/.774.
//
// Since imports are known in all languages, they tell less: half of a repository is two imports off. Trained again on 16
// repositories in eight languages, 24 commits each, by one file shown and by half of a commit, each with weights that it was left
// out of, and with those that were trained on TypeScript:
//
//	one file shown             .433/.653/.874   .437/.645/.860
//	half of a commit shown     .420/.703/.914   .410/.685/.912
//
// On ten others, one file shown: .378/.633/.828 and .382/.627/.815; without any imports .380/.631/.830, and before those far off
// were told apart by the way to them .373/.622/.802. Those with history were not trained again.
var (
	without = Weights{Text: 4150, Imports: 550, Name: 600, Mirror: 700, Path: 900, Rare: 900, Symbols: 1300, Size: 500}
	with    = Weights{Text: 3500, Imports: 1500, Name: 500, Mirror: 1000, Path: 700, Rare: 800, Symbols: 1000, Together: 1900, Recent: 1300, Size: 500}
)

// DefaultWeights returns the package's weights, with history or without.
func DefaultWeights(history bool) Weights {
	if history {
		return with
	}
	return without
}
