// Package scan makes the snapshot of a root that everything else is made from:
// which files there are, what each one is, and why the others are left out
// (seed 003, ProjectSnapshot).
//
// Every path that is met stands in exactly one of Snapshot.Files and
// Snapshot.Omitted. A folder that is not entered is one omission whose path
// ends in "/".
package scan

import (
	"slices"

	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Reason says why a path is left out. The values are those of record.json.
type Reason string

const (
	Credentials   Reason = "credentials"
	Binary        Reason = "binary"
	SizeLimit     Reason = "size_limit"
	PatternMatch  Reason = "pattern_match"
	GitIgnored    Reason = "gitignored"
	LowValue      Reason = "low_value"
	Special       Reason = "special"
	LinkOutside   Reason = "link_outside"
	Submodule     Reason = "submodule"
	Unreadable    Reason = "unreadable"
	Reserved      Reason = "reserved"
	DependencyDir Reason = "dependency_dir"
	BuildOutput   Reason = "build_output"
	Cache         Reason = "cache"
	NotSelected   Reason = "not_selected"
	OverBudget    Reason = "over_budget"
)

// Type is seed 003's FileType.
type Type string

const (
	TypeText    Type = "text"
	TypeBinary  Type = "binary"
	TypeImage   Type = "image"
	TypeData    Type = "data"
	TypeUnknown Type = "unknown"
)

// Category is seed 003's FileCategory.
type Category string

const (
	CategoryConfig        Category = "config"
	CategoryEntrypoint    Category = "entrypoint"
	CategoryAuth          Category = "auth"
	CategoryAPI           Category = "api"
	CategoryDatabase      Category = "database"
	CategoryTest          Category = "test"
	CategoryDocumentation Category = "documentation"
	CategoryBuild         Category = "build"
	CategoryDependency    Category = "dependency"
	CategorySource        Category = "source"
	CategoryOther         Category = "other"
)

// File is a file that may leave: its content has been screened.
type File struct {
	// File opens the bytes as they are archived: after redaction, in the
	// file's own encoding.
	tree.File
	Type     Type
	Category Category
	// Encoding of the content; text.Binary for what is not text.
	Encoding text.Encoding
	// SHA256 in lower hex, of the archived bytes.
	SHA256 string
	// Lines of text: the number of LF, one more where the last line lacks it.
	Lines int
	// Redactions made, in order of line.
	Redactions []secret.Finding
	// Accepted findings stand in the content: .haversackallow answers for them.
	Accepted []secret.Finding
	// LowValue names the rule that keeps the file out of packs (lock files,
	// minified files, source maps), though it is archived. Else "".
	LowValue string
	// Rescued names the suspect name rule that a clean content scan overruled. Else "".
	Rescued string
	// Key is set on files that the key file detector chose.
	Key *Key
}

// Key is what the key file detector says of a file (seed 003).
type Key struct {
	// Kind is the detector's category: config, entrypoint, auth, api, database, security.
	Kind string
	// Importance is critical, high or medium.
	Importance string
}

// Extractable reports whether a pack may hold the file's content.
func (f *File) Extractable() bool {
	return f.Encoding != text.Binary && f.LowValue == "" && f.Mode.IsRegular()
}

// Omission is a path that is left out.
type Omission struct {
	// Path ends in "/" when it is a folder that was not entered.
	Path   string
	Reason Reason
	// Rule is the pattern or limit that decided, as a user could find it again.
	Rule string
	// Size in bytes, 0 for folders.
	Size int64
	Type Type
	// Category as if it were included.
	Category Category
	// Redactions are the findings on account of which a file is left out.
	Redactions []secret.Finding

	// overridable: Include may reach into the folder all the same.
	overridable bool
}

// Snapshot is what was found in a root. Both lists are sorted bytewise by path,
// and no path stands twice.
type Snapshot struct {
	Files   []File
	Omitted []Omission
	// Folders entered.
	Folders int
	// Untracked: names allow a file that git does not track.
	Untracked bool
}

// Drop removes the omissions of paths, which are archived after all.
func (s *Snapshot) Drop(names map[string]bool) {
	if len(names) > 0 {
		s.Omitted = slices.DeleteFunc(s.Omitted, func(o Omission) bool { return names[o.Path] })
	}
}

// Replace puts omissions in place of what the snapshot says of their paths.
func (s *Snapshot) Replace(list ...Omission) {
	names := make(map[string]bool, len(list))
	for _, o := range list {
		names[o.Path] = true
	}
	s.Drop(names)
	s.Omit(list...)
}

// Empty reports whether the root holds nothing but what is reserved.
func (s *Snapshot) Empty() bool {
	return len(s.Files) == 0 && !slices.ContainsFunc(s.Omitted, func(o Omission) bool { return o.Reason != Reserved })
}
