package job

import (
	"crypto/rand"
	"encoding/hex"
	"path/filepath"
	"strings"
)

// RandomHex is a word of 32 hexadecimal digits that nobody can guess.
func RandomHex() string {
	var b [16]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// TempPrefix begins the names of files and folders that are not in place yet. What a killed
// run has left of them is removed by the next.
const TempPrefix = ".haversack-"

// SlashRel returns the path of name relative to dir with "/", or "" when name
// is not below dir.
func SlashRel(dir, name string) string {
	rel, err := filepath.Rel(dir, name)
	if err != nil {
		return ""
	}
	rel = filepath.ToSlash(rel)
	if rel == ".." || strings.HasPrefix(rel, "../") {
		return ""
	}
	return rel
}
