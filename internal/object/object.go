// Package object remembers what was put before the assistant of one thread of
// work: which files it has, in which version, and which it knows by name alone.
//
// # Objects
//
// An object is a document with exactly the fields of its type; docs/formats.md
// has them in tables. Two kinds are content (file, toolcall) and stand in a
// session's sets; three are infrastructure (chat, system_prompt, session) and
// never do. A file's id is its identity hash, made of the file system and the
// canonical path; the others have assigned ids: chat:S, system_prompt:S and
// session:S of the session S, toolcall:R:N of the run R.
//
// # Hashes
//
// The five hashes are sha256 in lower hex. identity_hash is over {type, source},
// or {type, xt/id} without a source; file_hash over the file's bytes;
// content_hash over the content as UTF-8; metadata_hash over the fields that
// the type declares; object_hash over the other three of the version. Documents
// are hashed as canonical JSON (RFC 8785): keys in UTF-16 order, strings as
// JavaScript writes them, no field for what is absent. char_count counts UTF-16
// code units. All of it is over screened content: the bytes as archived.
//
// A file that is not UTF-8, or larger than MaxContent, has a file_hash, no content and no
// content_hash. So has one whose content the store does not keep. Content that a store let go
// later (evicted) keeps its hash.
//
// # Stub, deleted
//
// A stub (known by name) and a deleted file have the same document: content,
// content_hash and file_hash null. They are told apart by history: a stub has
// one version, a deleted file has an earlier one. Deleting what was never seen,
// or is deleted already, writes nothing.
//
// # Sessions
//
// session_index holds every content object the session met, in the order they
// were met, by path within a run; it only grows. metadata_pool is part of it,
// active_set and pinned_set are parts of metadata_pool; the three are in the
// order of the index. Nothing leaves the pool. A deleted file stays where it
// is; rendering passes over it.
//
// # Not here
//
// No clock, no network, no SQL: package store keeps objects. Nothing is read
// from a file system but through functions that the caller gives, and nothing
// is screened here: what comes in has been.
package object

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"
)

// Type is the kind of an object.
type Type string

const (
	TypeFile         Type = "file"
	TypeToolcall     Type = "toolcall"
	TypeChat         Type = "chat"
	TypeSystemPrompt Type = "system_prompt"
	TypeSession      Type = "session"
)

// Limits on what is taken in. They bound what a hostile document can cost.
const (
	// MaxPath bounds a canonical path, in bytes (Linux: PATH_MAX).
	MaxPath = 4096
	// MaxID bounds an assigned id, in bytes.
	MaxID = 512
	// MaxSessionID bounds a session id, in bytes.
	MaxSessionID = 200
	// MaxIndex bounds the objects in a session.
	MaxIndex = 2_000_000
	// MaxContent is the size in bytes up to which a file's text is content.
	MaxContent = 16 << 20
)

// ErrDamaged marks a stored object that contradicts itself: a hash that its
// fields do not have, a set that is no part of the index, a value out of bounds.
var ErrDamaged = errors.New("stored object is damaged")

// Source binds a file object to a file. It never changes.
type Source struct {
	// Type is "filesystem".
	Type string `json:"type"`
	// FilesystemID names the file system; who declares it is believed.
	FilesystemID string `json:"filesystemId"`
	// Path is canonical: absolute, slash-separated, cleaned, UTF-8.
	Path string `json:"path"`
}

// Filesystem returns the source of the file at a canonical path.
func Filesystem(id, canonical string) Source {
	return Source{Type: "filesystem", FilesystemID: id, Path: canonical}
}

// check tells what is wrong with a source, or nil.
func (s *Source) check() error {
	switch {
	case s.Type != "filesystem":
		return fmt.Errorf("source type %q is not filesystem", clip(s.Type))
	case s.FilesystemID == "" || len(s.FilesystemID) > MaxID || !utf8.ValidString(s.FilesystemID):
		return errors.New("filesystem id is empty, too long or not UTF-8")
	}
	return CheckPath(s.Path)
}

// CheckPath tells why a canonical path cannot name an object, or returns nil.
// JSON cannot hold a path that is not UTF-8, and to replace its bytes would make
// two files one.
func CheckPath(p string) error {
	switch {
	case len(p) > MaxPath:
		return fmt.Errorf("path of %d bytes is longer than %d", len(p), MaxPath)
	case !utf8.ValidString(p):
		return fmt.Errorf("path %q is not UTF-8", clip(p))
	case !strings.HasPrefix(p, "/") || strings.IndexByte(p, 0) >= 0 || path.Clean(p) != p:
		return fmt.Errorf("path %q is not canonical: absolute, without . and ..", clip(p))
	}
	return nil
}

// Head is what every object has: the envelope, the hashes, the content.
type Head struct {
	ID           string  `json:"xt/id"`
	Type         Type    `json:"type"`
	Source       *Source `json:"source"`
	IdentityHash string  `json:"identity_hash"`

	// FileHash is nil for all but files that were read.
	FileHash *string `json:"file_hash"`
	// ContentHash is nil where there is no content.
	ContentHash  *string `json:"content_hash"`
	MetadataHash string  `json:"metadata_hash"`
	ObjectHash   string  `json:"object_hash"`

	// Content is nil where there is none, and where it was not asked for or not
	// kept; ContentHash tells the two apart.
	Content *string `json:"content"`
}

// File is a file, in one version.
type File struct {
	Head
	// FileType is the extension in lower case, "text" without one.
	FileType string `json:"file_type"`
	// CharCount is the content's length in UTF-16 code units.
	CharCount int `json:"char_count"`
}

// Toolcall is one step that ran, and what it said. It has one version.
type Toolcall struct {
	Head
	Tool string         `json:"tool"`
	Args map[string]any `json:"args"`
	// ArgsDisplay is left out where empty.
	ArgsDisplay string `json:"args_display,omitempty"`
	// Status is ok or fail.
	Status  string `json:"status"`
	ChatRef string `json:"chat_ref"`
	// FileRefs is left out where empty.
	FileRefs []string `json:"file_refs,omitempty"`
}

// The values of Toolcall.Status.
const (
	StatusOK   = "ok"
	StatusFail = "fail"
)

// Turn is one exchange of a chat: what was asked, what was answered, and the
// toolcalls between.
type Turn struct {
	User        string   `json:"user"`
	Assistant   string   `json:"assistant"`
	ToolcallIDs []string `json:"toolcall_ids"`
}

// Chat is a session's conversation: one turn a run. A version holds the newest 100; what
// came before stands in earlier versions.
type Chat struct {
	Head
	Turns        []Turn   `json:"turns"`
	SessionRef   string   `json:"session_ref"`
	TurnCount    int      `json:"turn_count"`
	ToolcallRefs []string `json:"toolcall_refs"`
}

// SystemPrompt is the guide that the assistant is given. It has no fields of its own.
type SystemPrompt struct{ Head }

// Session holds a session's sets. Its content is null.
type Session struct {
	Head
	SessionID       string   `json:"session_id"`
	ChatRef         string   `json:"chat_ref"`
	SystemPromptRef string   `json:"system_prompt_ref"`
	SessionIndex    []string `json:"session_index"`
	MetadataPool    []string `json:"metadata_pool"`
	ActiveSet       []string `json:"active_set"`
	PinnedSet       []string `json:"pinned_set"`
}

// Object is one of *File, *Toolcall, *Chat, *SystemPrompt and *Session.
type Object interface {
	head() *Head
	// metadataHash is over the fields that the type declares as metadata.
	metadataHash() (string, error)
}

func (o *File) head() *Head         { return &o.Head }
func (o *Toolcall) head() *Head     { return &o.Head }
func (o *Chat) head() *Head         { return &o.Head }
func (o *SystemPrompt) head() *Head { return &o.Head }
func (o *Session) head() *Head      { return &o.Head }

// HeadOf returns the part that all objects have. Changing it leaves the hashes as
// they were: Seal makes them anew.
func HeadOf(o Object) *Head { return o.head() }

// NewFile returns the object of a file that was read. raw is its content as archived.
func NewFile(src Source, raw []byte) (*File, error) {
	sum := FileHash(raw)
	f := &File{Head: Head{FileHash: &sum}}
	if len(raw) <= MaxContent && utf8.Valid(raw) {
		s := string(raw)
		f.Content, f.ContentHash = &s, &sum
		f.CharCount = utf16Len(s)
	}
	return f, f.bind(src)
}

// WithoutContent returns the file as it is where its content is not kept: content and
// content_hash are null, as of a file that is not text.
func (o *File) WithoutContent() *File {
	f := *o
	f.Content, f.ContentHash, f.CharCount = nil, nil, 0
	if err := Seal(&f); err != nil { // only arguments of toolcalls cannot be sealed
		return o
	}
	return &f
}

// NewStub returns the object of a file that is known by name. The document of a
// deleted file is the same.
func NewStub(src Source) (*File, error) {
	f := new(File)
	return f, f.bind(src)
}

// bind completes a file whose hashes of content are set.
func (o *File) bind(src Source) error {
	if err := src.check(); err != nil {
		return err
	}
	o.Type, o.Source, o.FileType = TypeFile, &src, FileType(src.Path)
	o.IdentityHash = IdentityHash(TypeFile, &src, "")
	o.ID = o.IdentityHash
	meta, err := o.metadataHash()
	if err != nil {
		return err
	}
	o.MetadataHash = meta
	o.ObjectHash = ObjectHash(o.FileHash, o.ContentHash, o.MetadataHash)
	return nil
}

// FileType returns the extension of the last element of p in lower case without
// its dot, or "text" where it has none. A leading dot begins no extension.
func FileType(p string) string {
	base := path.Base(p)
	i := strings.LastIndexByte(base, '.')
	if i <= 0 || i == len(base)-1 {
		return "text"
	}
	return strings.ToLower(base[i+1:])
}

// Unread reports whether a file was never read, or is deleted.
func (o *File) Unread() bool { return o.FileHash == nil }

// Encode returns the object as JSON, with the fields of its type. Lists are [], never null.
func Encode(o Object) ([]byte, error) {
	switch o := o.(type) {
	case *Toolcall:
		c := *o
		if c.Args == nil {
			c.Args = map[string]any{}
		}
		return encode(&c)
	case *Chat:
		c := *o
		c.Turns, c.ToolcallRefs = turnsOrEmpty(c.Turns), orEmpty(c.ToolcallRefs)
		return encode(&c)
	case *Session:
		c := *o
		c.SessionIndex, c.MetadataPool = orEmpty(c.SessionIndex), orEmpty(c.MetadataPool)
		c.ActiveSet, c.PinnedSet = orEmpty(c.ActiveSet), orEmpty(c.PinnedSet)
		return encode(&c)
	}
	return encode(o)
}

func orEmpty(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

func turnsOrEmpty(turns []Turn) []Turn {
	out := make([]Turn, len(turns))
	for i, t := range turns {
		t.ToolcallIDs = orEmpty(t.ToolcallIDs)
		out[i] = t
	}
	return out
}

// Decode returns the object that a JSON document holds, after Check. Fields that its
// type does not have are passed over.
func Decode(doc []byte) (Object, error) {
	var kind struct {
		Type Type `json:"type"`
	}
	if err := json.Unmarshal(doc, &kind); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	o, err := New(kind.Type)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(doc, o); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	if err := Check(o); err != nil {
		return nil, err
	}
	return o, nil
}

// New returns an empty object of a type.
func New(t Type) (Object, error) {
	switch t {
	case TypeFile:
		return new(File), nil
	case TypeToolcall:
		return new(Toolcall), nil
	case TypeChat:
		return new(Chat), nil
	case TypeSystemPrompt:
		return new(SystemPrompt), nil
	case TypeSession:
		return new(Session), nil
	}
	return nil, fmt.Errorf("%w: type %q is none of file, toolcall, chat, system_prompt, session", ErrDamaged, clip(string(t)))
}

// ParseSessionID returns s where it can name a session: 1 to 200 bytes of UTF-8
// without control characters. It is part of ids and never of a file's name, so
// slashes and dots mean nothing.
func ParseSessionID(s string) (string, error) {
	if s == "" {
		return "", errors.New("session id is empty: name one, or use auto")
	}
	return s, checkName("session id", s)
}

func checkName(what, s string) error {
	switch {
	case s == "":
		return fmt.Errorf("%s is empty", what)
	case len(s) > MaxSessionID:
		return fmt.Errorf("%s of %d bytes is longer than %d", what, len(s), MaxSessionID)
	case !utf8.ValidString(s):
		return fmt.Errorf("%s %q is not UTF-8", what, s)
	case strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 }):
		return fmt.Errorf("%s %q holds a control character", what, s)
	case strings.TrimSpace(s) != s:
		return fmt.Errorf("%s %q begins or ends with white space", what, s)
	}
	return nil
}

// SessionID, ChatID and SystemPromptID are the ids of a session's own objects.
func SessionID(session string) string      { return "session:" + session }
func ChatID(session string) string         { return "chat:" + session }
func SystemPromptID(session string) string { return "system_prompt:" + session }

// clip bounds foreign text in messages. Who prints them screens them and cuts them
// then, to less: of a credential that was cut no screen would know the rest.
func clip(s string) string {
	const most = 8 << 10
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}
