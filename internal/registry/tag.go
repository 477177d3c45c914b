package registry

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// MaxTag is the most characters of a tag, by the distribution specification.
const MaxTag = 128

var (
	plainTag = lazyregexp.New(`^[a-zA-Z0-9_][a-zA-Z0-9._-]*$`)
	// ownTag is what only CommitTag and PullTag make.
	ownTag = lazyregexp.New(`^(sha-|pr-[0-9])`)
)

// CommitTag is the tag of a commit: sha-<commit>.
func CommitTag(commit string) string { return "sha-" + commit }

// PullTag is the tag of a pull request: pr-<n>.
func PullTag(number int) string { return "pr-" + strconv.Itoa(number) }

// BranchTag is the tag of a branch: its name where that can be a tag. Otherwise, and where
// it is one of a commit or of a pull request, what cannot stand becomes "-", and eight
// digits of the name's sha256 tell it from another branch that would be called alike.
func BranchTag(branch string) string {
	if plainTag.MatchString(branch) && !ownTag.MatchString(branch) && len(branch) <= MaxTag {
		return branch
	}
	sum := sha256.Sum256([]byte(branch))
	plain := strings.Map(func(r rune) rune {
		if r == '.' || r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '-'
	}, branch)
	plain = "b-" + strings.Trim(plain, ".-")
	return strings.TrimRight(plain[:min(len(plain), MaxTag-9)], ".-") + "-" + hex.EncodeToString(sum[:4])
}
