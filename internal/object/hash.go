package object

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/gowebpki/jcs"
)

func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// IdentityHash is over {type, source} of a sourced object, else over {type, xt/id}.
func IdentityHash(t Type, src *Source, id string) string {
	b := make([]byte, 0, 256)
	if src != nil {
		b = append(b, `{"source":{"filesystemId":`...)
		b = appendString(b, src.FilesystemID)
		b = append(b, `,"path":`...)
		b = appendString(b, src.Path)
		b = append(b, `,"type":`...)
		b = appendString(b, src.Type)
		b = append(b, `},"type":`...)
		b = appendString(b, string(t))
		b = append(b, '}')
		return sum(b)
	}
	b = append(b, `{"type":`...)
	b = appendString(b, string(t))
	b = append(b, `,"xt/id":`...)
	b = appendString(b, id)
	b = append(b, '}')
	return sum(b)
}

// FileHash is over a file's bytes, as archived.
func FileHash(raw []byte) string { return sum(raw) }

// ContentHash is over the content as UTF-8, nil where there is none.
func ContentHash(content *string) *string {
	if content == nil {
		return nil
	}
	h := sum([]byte(*content))
	return &h
}

// MetadataHash is over the fields that the object's type declares as metadata.
// The error is one of free-form arguments that JSON cannot hold.
func MetadataHash(o Object) (string, error) { return o.metadataHash() }

// ObjectHash is over the other three hashes of a version.
func ObjectHash(file, content *string, metadata string) string {
	b := make([]byte, 0, 256)
	b = append(b, `{"content_hash":`...)
	b = appendNullable(b, content)
	b = append(b, `,"file_hash":`...)
	b = appendNullable(b, file)
	b = append(b, `,"metadata_hash":`...)
	b = appendString(b, metadata)
	b = append(b, '}')
	return sum(b)
}

// Seal sets the identity and the hashes from the other fields. Where the content is
// not at hand, its hash stays as it is.
func Seal(o Object) error {
	h := o.head()
	if h.Source != nil {
		h.IdentityHash = IdentityHash(h.Type, h.Source, "")
		h.ID = h.IdentityHash
	} else {
		h.IdentityHash = IdentityHash(h.Type, nil, h.ID)
	}
	if h.Content != nil {
		h.ContentHash = ContentHash(h.Content)
	}
	meta, err := o.metadataHash()
	if err != nil {
		return err
	}
	h.MetadataHash = meta
	h.ObjectHash = ObjectHash(h.FileHash, h.ContentHash, h.MetadataHash)
	return nil
}

// Check tells whether an object keeps the rules of its type and has the hashes of
// its fields. Its errors wrap ErrDamaged.
func Check(o Object) error {
	err := rules(o)
	if err == nil {
		err = hashes(o)
	}
	return damaged(o, err)
}

// Restore seals an object that was kept as its fields, and tells whether it is the one of
// that id and object_hash and keeps the rules of its type. Its errors wrap ErrDamaged. It is
// what Check tells, for less: no hash is made twice.
func Restore(o Object, id, objectHash string) error {
	h := o.head()
	if h.Source == nil {
		h.ID = id
	}
	content := h.ContentHash
	err := rules(o)
	if err == nil {
		err = Seal(o)
	}
	switch {
	case err != nil:
	case h.ID != id:
		err = fmt.Errorf("its id is not that of the source")
	case content != h.ContentHash && (content == nil || *content != *h.ContentHash):
		err = fmt.Errorf("content_hash is not that of the content")
	case h.ObjectHash != objectHash:
		err = fmt.Errorf("object_hash is not that of the fields")
	}
	return damaged(o, err)
}

func damaged(o Object, err error) error {
	if err != nil {
		err = fmt.Errorf("%w: %s %q: %w", ErrDamaged, o.head().Type, clip(o.head().ID), err)
	}
	return err
}

// rules are those of an object's type, all but the hashes' values.
func rules(o Object) error {
	h := o.head()
	want := Type("")
	switch o := o.(type) {
	case *File:
		want = TypeFile
		if err := o.rules(); err != nil {
			return err
		}
	case *Toolcall:
		want = TypeToolcall
		if o.Status != StatusOK && o.Status != StatusFail {
			return fmt.Errorf("status %q is neither ok nor fail", clip(o.Status))
		}
	case *Chat:
		want = TypeChat
		if o.TurnCount != len(o.Turns) {
			return fmt.Errorf("turn_count is not the number of turns")
		}
	case *SystemPrompt:
		want = TypeSystemPrompt
	case *Session:
		want = TypeSession
		if h.Content != nil || h.ContentHash != nil {
			return fmt.Errorf("a session has content")
		}
		if _, err := newSets(o); err != nil {
			return err
		}
	}
	if h.Type != want {
		return fmt.Errorf("type is not %s", want)
	}
	if want != TypeFile {
		if h.Source != nil || h.FileHash != nil {
			return fmt.Errorf("an unsourced object has a source")
		}
		if h.ID == "" || len(h.ID) > MaxID || !utf8.ValidString(h.ID) {
			return fmt.Errorf("id is empty, too long or not UTF-8")
		}
	}
	for _, sum := range []*string{h.FileHash, h.ContentHash} {
		if sum != nil && !isHash(*sum) {
			return fmt.Errorf("a hash is not 64 digits in lower hex")
		}
	}
	return nil
}

// rules are those of a file alone: its content is that of its source.
func (o *File) rules() error {
	h := o.head()
	if h.Source == nil {
		return fmt.Errorf("a file has no source")
	}
	if err := h.Source.check(); err != nil {
		return err
	}
	if o.FileType != FileType(h.Source.Path) {
		return fmt.Errorf("file_type is not that of the path")
	}
	if h.FileHash == nil && (h.ContentHash != nil || h.Content != nil) {
		return fmt.Errorf("content without a file_hash")
	}
	if h.Content != nil && o.CharCount != utf16Len(*h.Content) || h.ContentHash == nil && o.CharCount != 0 || o.CharCount < 0 {
		return fmt.Errorf("char_count is not that of the content")
	}
	return nil
}

// hashes tells whether an object's hashes are those of its fields.
func hashes(o Object) error {
	h := o.head()
	if id := IdentityHash(h.Type, h.Source, h.ID); h.IdentityHash != id || h.Source != nil && h.ID != id {
		return fmt.Errorf("identity_hash is not that of the object")
	}
	if h.Content != nil && (h.ContentHash == nil || *h.ContentHash != sum([]byte(*h.Content))) {
		return fmt.Errorf("content_hash is not that of the content")
	}
	meta, err := o.metadataHash()
	if err != nil {
		return err
	}
	if h.MetadataHash != meta {
		return fmt.Errorf("metadata_hash is not that of the fields")
	}
	if h.ObjectHash != ObjectHash(h.FileHash, h.ContentHash, h.MetadataHash) {
		return fmt.Errorf("object_hash is not that of the hashes")
	}
	return nil
}

func isHash(s string) bool {
	if len(s) != 2*sha256.Size {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

func (o *File) metadataHash() (string, error) {
	b := make([]byte, 0, 64)
	b = append(b, `{"char_count":`...)
	b = strconv.AppendInt(b, int64(o.CharCount), 10)
	b = append(b, `,"file_type":`...)
	b = appendString(b, o.FileType)
	return sum(append(b, '}')), nil
}

func (o *Toolcall) metadataHash() (string, error) {
	args := o.Args
	if args == nil {
		args = map[string]any{}
	}
	return canonicalHash(struct {
		Tool        string         `json:"tool"`
		Args        map[string]any `json:"args"`
		ArgsDisplay string         `json:"args_display,omitempty"`
		Status      string         `json:"status"`
		ChatRef     string         `json:"chat_ref"`
		FileRefs    []string       `json:"file_refs,omitempty"`
	}{o.Tool, args, o.ArgsDisplay, o.Status, o.ChatRef, o.FileRefs})
}

func (o *Chat) metadataHash() (string, error) {
	return canonicalHash(struct {
		Turns        []Turn   `json:"turns"`
		SessionRef   string   `json:"session_ref"`
		TurnCount    int      `json:"turn_count"`
		ToolcallRefs []string `json:"toolcall_refs"`
	}{turnsOrEmpty(o.Turns), o.SessionRef, o.TurnCount, orEmpty(o.ToolcallRefs)})
}

func (o *SystemPrompt) metadataHash() (string, error) { return sum([]byte("{}")), nil }

// metadataHash goes over the lists by hand, a piece at a time: sets of 100,000 ids are common.
func (o *Session) metadataHash() (string, error) {
	const piece = 32 << 10
	h := sha256.New()
	b := make([]byte, 0, piece+MaxID)
	list := func(name string, ids []string) {
		b = append(b, name...)
		b = append(b, '[')
		for i, id := range ids {
			if i > 0 {
				b = append(b, ',')
			}
			if b = appendString(b, id); len(b) >= piece {
				h.Write(b)
				b = b[:0]
			}
		}
		b = append(b, ']')
	}
	text := func(name, s string) {
		b = append(b, name...)
		b = appendString(b, s)
	}
	list(`{"active_set":`, o.ActiveSet)
	text(`,"chat_ref":`, o.ChatRef)
	list(`,"metadata_pool":`, o.MetadataPool)
	list(`,"pinned_set":`, o.PinnedSet)
	text(`,"session_id":`, o.SessionID)
	list(`,"session_index":`, o.SessionIndex)
	text(`,"system_prompt_ref":`, o.SystemPromptRef)
	h.Write(append(b, '}'))
	return hex.EncodeToString(h.Sum(nil)), nil
}

// canonicalHash is over v as canonical JSON (RFC 8785). Strings are made valid UTF-8 on the way.
func canonicalHash(v any) (string, error) {
	b, err := encode(v)
	if err == nil {
		b, err = jcs.Transform(b)
	}
	if err != nil {
		return "", err
	}
	return sum(b), nil
}

// encode is json.Marshal without the escapes of HTML.
func encode(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// appendString appends s as a canonical JSON string: the escapes that JavaScript's
// JSON.stringify makes and no other. What is not UTF-8 becomes U+FFFD.
func appendString(dst []byte, s string) []byte {
	const hexDigits = "0123456789abcdef"
	dst = append(dst, '"')
	if !utf8.ValidString(s) {
		s = string([]rune(s)) // each byte by itself, as encoding/json has it
	}
	start := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, `\b`...)
		case '\f':
			dst = append(dst, `\f`...)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		default:
			dst = append(dst, `\u00`...)
			dst = append(dst, hexDigits[c>>4], hexDigits[c&15])
		}
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

func appendNullable(dst []byte, s *string) []byte {
	if s == nil {
		return append(dst, "null"...)
	}
	return appendString(dst, *s)
}

// utf16Len is JavaScript's length of a string that is valid UTF-8: one unit a rune,
// two outside the basic plane. It counts lead bytes instead of decoding.
func utf16Len(s string) int {
	n := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 0xf0:
			n += 2
		case c < 0x80 || c >= 0xc0:
			n++
		}
	}
	return n
}
