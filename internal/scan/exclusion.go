package scan

import (
	"errors"
	"io/fs"
	"path"
	"strconv"

	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/tree"
)

// This file is why a search leaves a path out: each wording that a record shows stands here once. Those of ignore files, of
// patterns and of the tables of names in walk.go are the pattern, as its file writes it. What a plan leaves out is worded in
// package plan.

// Exclusion says why a path is left out.
type Exclusion struct {
	Reason Reason
	// Rule is the pattern or limit that decided, as a user could find it again.
	Rule string
}

// At is the omission of a path. Nothing else makes one.
func (x Exclusion) At(name string) Omission {
	return Omission{Path: name, Reason: x.Reason, Rule: x.Rule}
}

// Of is the omission of a file that was read.
func (x Exclusion) Of(f *File) Omission {
	o := x.At(f.Path)
	o.Size, o.Type, o.Category = f.Size, f.Type, f.Category
	return o
}

// Why a search leaves a path out, in the words of record.json: what does not depend on the path.
var (
	// NotInWorktree is of what git tracks and does not check out.
	NotInWorktree = Exclusion{NotSelected, "sparse checkout: not in the worktree"}
	// NotInstalled is of a file of a dependency that was asked for and is not there.
	NotInstalled = Exclusion{Unreadable, "no dependency has this file"}

	exUntracked    = Exclusion{NotSelected, "untracked"}
	exNested       = Exclusion{Submodule, "nested repository"}
	exSubmodule    = Exclusion{Submodule, "submodule"}
	exNoPath       = Exclusion{Special, "not a path"}
	exReadsAsGit   = Exclusion{Special, "other file systems take it for .git"}
	exNoFile       = Exclusion{Special, "not a file"}
	exLinkOutside  = Exclusion{LinkOutside, "link leads out of the root"}
	exVanished     = Exclusion{Unreadable, "vanished during the scan"}
	exNUL          = Exclusion{Binary, "NUL byte"}
	exNoText       = Exclusion{Binary, "NUL byte or no known encoding"}
	exCostly       = Exclusion{Limit, "screening takes more work than its size allows"}
	exLargeImage   = Exclusion{LowValue, "vector image larger than " + strconv.Itoa(largestSVG) + " bytes"}
	exSecretName   = Exclusion{Credentials, "in the name"}
	exSecretTarget = Exclusion{Credentials, "in the link's target"}
	exManyFindings = Exclusion{Credentials, "more than " + strconv.Itoa(secret.MaxFindings) + " findings"}
	// exManyValues is of a file that holds so many values that they are not looked for anywhere else.
	exManyValues = Exclusion{Credentials, "too many values to look for elsewhere"}
)

// exUnreadable is why a path is left out that the system does not let be read.
func exUnreadable(err error) Exclusion {
	return Exclusion{Unreadable, reasonOf(err)}
}

// exUnopened is why a file is left out that was there when its folder was listed, and cannot be opened.
func exUnopened(err error) Exclusion {
	over := (*tree.LimitError)(nil)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return exVanished
	case errors.As(err, &over):
		return Exclusion{Limit, reasonOf(err)}
	}
	return exUnreadable(err)
}

// exBroken is why a file is left out whose content cannot be screened.
func exBroken(err error) Exclusion {
	return Exclusion{Unreadable, "screening: " + err.Error()}
}

// exLarge is why a file of more than most bytes is left out.
func exLarge(most int64) Exclusion {
	return Exclusion{SizeLimit, "larger than " + strconv.FormatInt(most, 10) + " bytes"}
}

// exOverlong is why a path is left out that no checkout needs: it is too long, or lies too deep. The zero value where it is not.
func exOverlong(name string) Exclusion {
	if over := overlong(name); over != "" {
		return Exclusion{Limit, over}
	}
	return Exclusion{}
}

// exBehindLink is why a path is left out that a link leads to: what it makes of a path is judged under its own name only.
func exBehindLink(name, real string) Exclusion {
	return Exclusion{Unreadable, "a folder on the way is a link; ask for " + path.Join(real, path.Base(name))}
}

// exSpecial is why what is neither file, folder nor link is left out.
func exSpecial(m fs.FileMode) Exclusion {
	switch {
	case m&fs.ModeNamedPipe != 0:
		return Exclusion{Special, "named pipe"}
	case m&fs.ModeSocket != 0:
		return Exclusion{Special, "socket"}
	case m&fs.ModeDevice != 0:
		return Exclusion{Special, "device"}
	}
	return Exclusion{Special, "neither file nor folder"}
}

// exFound is why a file with a finding is left out where none is redacted.
func exFound(f secret.Finding) Exclusion {
	return Exclusion{Credentials, f.Rule + " in line " + strconv.Itoa(f.Line)}
}

// exKey is why a file is left out that holds a key and little else.
func exKey(f secret.Finding) Exclusion {
	return Exclusion{Credentials, "mainly a key: " + f.Rule}
}
