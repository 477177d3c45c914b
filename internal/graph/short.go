package graph

import (
	"strings"
	"unicode/utf16"
)

// What is read of a source is cut when it is told, and not when it is read: of a credential that a text was cut in, no screen would
// know the rest.

const (
	// longestName is the most bytes that are told of an import that leads nowhere.
	longestName = 200
	// longestDescription is the most UTF-16 units that are told of a file's own summary.
	longestDescription = 160
	// longestRead is the most bytes that are kept of either until it is told: more than what is told and a credential that begins in it.
	longestRead = 16 << 10
)

// Bounded returns a text as it is kept until it is told: up to 16 KB of it.
func Bounded(text string) string {
	if len(text) > longestRead {
		text = strings.ToValidUTF8(text[:longestRead], "")
	}
	return strings.Clone(text)
}

// ShortName returns the id of an import that leads nowhere as it is told: cut where it is no name any more. The text has passed the
// screen.
func ShortName(name string) string {
	if len(name) > longestName {
		name = strings.ToValidUTF8(name[:longestName], "") + "..."
	}
	return name
}

// ShortDescription returns a file's own summary as it is told. The text has passed the screen.
func ShortDescription(text string) string {
	n := 0
	for i, r := range text {
		if n += utf16.RuneLen(r); n > longestDescription {
			return text[:i] + "..."
		}
	}
	return text
}
