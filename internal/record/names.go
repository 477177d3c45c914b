package record

import (
	"slices"

	"github.com/haversack-dev/haversack/internal/brief"
)

// Names of the engine's documents, relative to its folder.
const (
	MetaName  = "context/dependency.meta.json"
	StateName = "context/dependency.state.json"
	MapName   = "context/dependency.map.json"
	GuideName = "system/haversack.md"
	// ChangeName is the change in the archive of a context.
	ChangeName = "context/change.patch"
)

// OutputNames are the names that runs write into the output folder. One that
// this run does not write is removed at its end: it would be of another run. The record goes
// first and comes last: where it is, all that it tells of is there, whenever a run is killed.
var OutputNames = slices.Concat([]string{
	"record.json",
	"archive.tar", "archive.tar.zst", "archive.diff.tar", "archive.diff.tar.zst",
	"pack.json", "pack.md", "pack.msgpack", "pack.full.json", "pack.full.md", "pack.full.msgpack", "pack.summary.json", "pack.summary.md", "pack.summary.msgpack",
}, PromptNames())

// PromptNames are the parts that the document for a model may have.
func PromptNames() []string {
	list := make([]string, brief.MaxParts)
	for i := range list {
		list[i] = brief.PartName(PromptName, i)
	}
	return list
}

// PromptName is the change and its context as one document for a model.
const PromptName = "context.md"
