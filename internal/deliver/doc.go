// Package deliver puts results where others find them: archives and packs in the output
// folder, all in place or none, the artifact, the comment, the step's summary and outputs.
// Whatever it hands over passes the gate. It chooses which pack is made, full or summary, and
// nothing else, and writes no text of its own.
package deliver
