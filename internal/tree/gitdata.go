package tree

import (
	"strings"
	"unicode/utf8"
)

// ReadsAsGit reports whether a file system takes the name of an entry for .git, though it is written otherwise: one that folds case, one that
// has short names and drops spaces and dots at the end, one that does not see some characters. Git checks out none of these either: where such
// a folder is unpacked beside a repository's own, its config becomes the repository's.
func ReadsAsGit(elem string) bool {
	return elem != ".git" && (ntfsGit(elem) || hfsGit(elem))
}

// ntfsGit is the rule of NTFS: .git or its short name, and dots and spaces behind, or a stream.
func ntfsGit(elem string) bool {
	for _, name := range [...]string{".git", "git~1"} {
		if len(elem) < len(name) || !strings.EqualFold(elem[:len(name)], name) {
			continue
		}
		rest := strings.TrimLeft(elem[len(name):], ". ")
		if rest == "" || rest[0] == ':' || rest[0] == '\\' {
			return true
		}
	}
	return false
}

// hfsGit is the rule of HFS+: letters of either case, and characters without a width between them.
func hfsGit(elem string) bool {
	rest := ".git"
	for i := 0; i < len(elem); {
		r, n := utf8.DecodeRuneInString(elem[i:])
		i += n
		if unseen(r) {
			continue
		}
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		if rest == "" || r != rune(rest[0]) {
			return false
		}
		rest = rest[1:]
	}
	return rest == ""
}

// unseen reports whether HFS+ leaves a character of a name out of its comparison.
func unseen(r rune) bool {
	return r >= 0x200c && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x206a && r <= 0x206f || r == 0xfeff
}
