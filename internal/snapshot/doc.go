// Package snapshot is what is true before anything is chosen: the head, the base that it is
// compared with, what the head holds, what changed, who needs whom, what is asked for, and
// of all that what may leave, sealed. It reads repositories, and judges what is a
// credential. It chooses no member of an archive, counts no tokens, and writes nothing but
// the engine's own files.
package snapshot
