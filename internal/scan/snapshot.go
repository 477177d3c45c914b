// Package scan makes the snapshot of a root that everything else is made from:
// which files there are, what each one is, and why the others are left out.
//
// Every path that is met stands in exactly one of Snapshot.Files and
// Snapshot.Omitted. A folder that is not entered is one omission whose path
// ends in "/".
package scan

import (
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Reason says why a path is left out. The values are those of record.json.
type Reason string

const (
	Credentials  Reason = "credentials"
	Binary       Reason = "binary"
	SizeLimit    Reason = "size_limit"
	PatternMatch Reason = "pattern_match"
	// GitIgnored: an ignore file names it, git's or one of this program's own; the rule begins
	// with which.
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
	// Limit: reading or screening it, or going there, would cost more than anything real does.
	Limit Reason = "limit"
)

// Type is what a file holds, judged by its name and content. The values are those
// of packs and of record.json.
type Type string

const (
	TypeText    Type = "text"
	TypeBinary  Type = "binary"
	TypeImage   Type = "image"
	TypeData    Type = "data"
	TypeUnknown Type = "unknown"
)

// Category is what a file is for, judged by its path. The values are those of packs.
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
	// Undecodable counts the characters that are U+FFFD when the content is read as text.
	Undecodable int
	// SHA256 in lower hex, of the archived bytes.
	SHA256 string
	// Script is the ending of the language that the first line names of a text whose name has none; "" of any other.
	Script string
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

// Key says why a file is one of those that a newcomer reads first.
type Key struct {
	// Kind is the detector's category: config, entrypoint, auth, api, database, security.
	Kind string
	// Importance is critical, high or medium.
	Importance string
}

// As is the name by which the file is read.
func (f *File) As() string { return language.WithEnding(f.Path, f.Script) }

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

// Snapshot is what may leave and what may not. Both lists are sorted bytewise by
// path, and no path stands twice.
type Snapshot struct {
	Files   []File
	Omitted []Omission
	// Folders entered.
	Folders int
}

// BesideContent reports whether a credential in a path's name, or in the target of a
// link, keeps it out.
func (o Omission) BesideContent() bool {
	return o.Reason == Credentials && (o.Rule == exSecretName.Rule || o.Rule == exSecretTarget.Rule)
}
