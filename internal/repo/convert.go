package repo

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/config"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"

	"github.com/haversack-dev/haversack/internal/tree"
)

// attributesLimit and attributesLine bound a .gitattributes file and a line in
// it; git ignores longer lines as well.
const (
	attributesLimit = 1 << 20
	attributesLine  = 2048
)

// conversion is what the attributes say about one file: isSet, isUnset or a
// value; what is unspecified is absent.
type conversion map[string]string

// value returns the value of an attribute, "" when it has none.
func (c conversion) value(name string) string {
	if v := c[name]; v != isSet && v != isUnset {
		return v
	}
	return ""
}

// converter knows which worktree files git converts, and how.
type converter struct {
	*attributeSet
	autocrlf string // core.autocrlf in lower case
}

// converting are the attributes that make worktree and blob differ.
var converting = []string{"text", "crlf", "eol", "ident", "filter", "working-tree-encoding"}

// Converted reports whether any file may stand in the worktree in another form
// than in its blob: line ends, $Id$, another encoding, a filter.
func (r *Repository) Converted() bool {
	c := r.converter()
	if c == nil {
		return false
	}
	if isTrue(c.autocrlf) || c.autocrlf == "input" {
		return true
	}
	for _, f := range c.files {
		if f.converts() {
			return true
		}
	}
	return false
}

// converts reports whether a line or a macro of the file sets what converts.
func (f *attributeFile) converts() bool {
	sets := func(settings []setting) bool {
		return slices.ContainsFunc(settings, func(s setting) bool {
			return slices.Contains(converting, s.name) && s.value != isUnset && s.value != isNone
		})
	}
	for _, m := range f.macros {
		if sets(m) {
			return true
		}
	}
	for _, found := range f.found {
		for _, s := range found {
			if sets([]setting{s.setting}) {
				return true
			}
		}
	}
	return slices.ContainsFunc(f.others, func(l attributeLine) bool { return sets(l.settings) })
}

// SameBlob reports whether raw, found at path in the worktree, is an unmodified
// form of the blob id, by git's own measure: what git would store of it is that
// blob. Filters are not run; of them only Git LFS is known, whose pointer names
// the content by hash. Of a file under another one, such as git-crypt, the
// index tells whether it was touched since git wrote it.
func (r *Repository) SameBlob(name string, raw []byte, id string) bool {
	if HashBlob(raw) == id {
		return true
	}
	c := r.converter()
	if c == nil {
		return false
	}
	attrs := conversion(c.of(name))
	if f := attrs.value("filter"); f != "" {
		if f != "lfs" {
			return r.untouched(name, raw, id)
		}
		blob, err := r.Blob(id)
		return err == nil && isPointerTo(blob, raw)
	}
	clean := unixLines(decoded(attrs, raw), c.lineEnds(attrs), func() []byte { b, _ := r.Blob(id); return b })
	if attrs["ident"] == isSet {
		clean = collapseIdent(clean)
	}
	return HashBlob(clean) == id
}

// Original returns the blob id when raw, found at name in the worktree, is an
// unmodified form of it with other bytes (SameBlob). It costs no hash where
// nothing in raw is of a kind that git converts.
func (r *Repository) Original(name string, raw []byte, id string) ([]byte, bool) {
	c := r.converter()
	if c == nil {
		return nil, false
	}
	attrs := conversion(c.of(name))
	lines := c.lineEnds(attrs) != asIs && bytes.Contains(raw, []byte("\r\n"))
	ident := attrs["ident"] == isSet && bytes.Contains(raw, []byte("$Id:"))
	if !lines && !ident && attrs.value("filter") == "" && attrs.value("working-tree-encoding") == "" {
		return nil, false
	}
	if HashBlob(raw) == id || !r.SameBlob(name, raw, id) {
		return nil, false
	}
	b, err := r.Blob(id)
	return b, err == nil
}

// untouched reports whether the index holds the blob id at name and the file, whose
// content is raw, is as git left it.
func (r *Repository) untouched(name string, raw []byte, id string) bool {
	idx, err := r.Index()
	if err != nil {
		return false
	}
	i, ok := slices.BinarySearchFunc(idx.Files, name, func(t TrackedPath, n string) int { return strings.Compare(t.Path, n) })
	if !ok || idx.Files[i].ID != id {
		return false
	}
	fi, err := os.Lstat(filepath.Join(r.work, filepath.FromSlash(name)))
	if err != nil || !fi.Mode().IsRegular() || fi.Size() != int64(len(raw)) {
		return false
	}
	clean, sure := idx.Files[i].Clean(tree.Info{Size: fi.Size(), ModTime: fi.ModTime()}, idx.Written)
	return clean && sure
}

// HashBlob returns the id that git gives a file of this content.
func HashBlob(raw []byte) string {
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(raw))
	h.Write(raw)
	return hex.EncodeToString(h.Sum(nil))
}

// converter returns what the index says of conversions; nil when that cannot be
// told. The .gitattributes that were checked out count, not edits to them: they
// gave the files the form they have.
func (r *Repository) converter() *converter {
	r.convOnce.Do(func() {
		idx, err := r.Index()
		if err != nil {
			return
		}
		c := &converter{}
		c.autocrlf = strings.ToLower(r.setting("core", "autocrlf"))
		if c.autocrlf == "" && runtime.GOOS == "windows" {
			c.autocrlf = "true" // what git's installer sets for the machine
		}
		parsed := r.attributeFiles(idx.Files)
		if b, err := readFile(r.commonFile("info", "attributes"), attributesLimit); err == nil {
			f := parseAttributes(b, "", true)
			f.info = true
			parsed = append(parsed, f)
		}
		c.attributeSet = newAttributeSet(parsed)
		r.conv = c
	})
	return r.conv
}

// attributeFiles reads the .gitattributes among some files, the weakest first. What is
// larger than the bounds, or absent from the clone, is passed over.
func (r *Repository) attributeFiles(among []TrackedPath) []*attributeFile {
	var files []TrackedPath
	for _, t := range among {
		if path.Base(t.Path) == ".gitattributes" && t.Mode.IsRegular() {
			files = append(files, t)
		}
	}
	depth := func(t TrackedPath) int { return strings.Count(t.Path, "/") }
	slices.SortStableFunc(files, func(a, b TrackedPath) int { return depth(a) - depth(b) })
	var parsed []*attributeFile
	total := int64(0)
	for _, t := range files {
		n, err := r.BlobSize(t.ID)
		if err != nil || n > attributesLimit || total+n > maxAttributeBytes {
			continue
		}
		total += n
		b, err := r.Blob(t.ID)
		if err != nil {
			continue
		}
		dir := strings.TrimSuffix(t.Path, ".gitattributes")
		parsed = append(parsed, parseAttributes(b, dir, dir == ""))
	}
	return parsed
}

// Attributes say of the files of one commit how their changes are shown.
type Attributes struct{ set *attributeSet }

// Attributes reads the .gitattributes among the files of a commit. Those of the clone alone
// ($GIT_DIR/info/attributes) do not count: what is said must not depend on it.
func (r *Repository) Attributes(files []TrackedPath) Attributes {
	return Attributes{newAttributeSet(r.attributeFiles(files))}
}

// Untold reports whether git does not show what changes in a file: -diff, or binary.
func (a Attributes) Untold(name string) bool { return a.set.of(name)["diff"] == isUnset }

// Generated reports whether linguist-generated says that a program writes a file; said is
// false where it says neither.
func (a Attributes) Generated(name string) (yes, said bool) {
	switch v := a.set.of(name)["linguist-generated"]; v {
	case isSet, "true":
		return true, true
	case isUnset, "false":
		return false, true
	}
	return false, false
}

// setting returns an option of the repository, else the user's, else the
// machine's.
func (r *Repository) setting(section, key string) string {
	if v := r.option(section, key); v != "" {
		return v
	}
	for _, scope := range []config.Scope{config.GlobalScope, config.SystemScope} {
		if cfg := loadConfig(scope); cfg != nil {
			if v := option(cfg, section, key); v != "" {
				return v
			}
		}
	}
	return ""
}

func loadConfig(scope config.Scope) (cfg *config.Config) {
	var err error
	defer caught(&err)
	if c, err := config.LoadConfig(scope); err == nil {
		cfg = c
	}
	return cfg
}

// lineEnds is how git treats the line ends of a file it stores.
type lineEnds int

const (
	asIs lineEnds = iota
	text
	textIfItLooksSo
)

// lineEnds combines attributes and configuration as convert.c of git does.
func (c *converter) lineEnds(attrs conversion) lineEnds {
	kind, known := asIs, false
	for _, name := range []string{"text", "crlf"} {
		a, ok := attrs[name]
		if !ok || known {
			continue
		}
		known = true
		switch a {
		case isSet, "input":
			kind = text
		case isUnset:
			return asIs
		case "auto":
			kind = textIfItLooksSo
		default:
			known = false
		}
	}
	if a := attrs["eol"]; !known && (a == "lf" || a == "crlf") {
		return text
	}
	if !known && (isTrue(c.autocrlf) || c.autocrlf == "input") {
		return textIfItLooksSo
	}
	return kind
}

// unixLines turns CRLF into LF where git would on storing the file. stored
// returns the blob: git leaves a file alone whose stored form holds CRLF.
func unixLines(b []byte, kind lineEnds, stored func() []byte) []byte {
	if kind == asIs || !bytes.Contains(b, []byte("\r\n")) {
		return b
	}
	if kind == textIfItLooksSo {
		if looksBinary(b) {
			return b
		}
		if old := stored(); bytes.Contains(old, []byte("\r\n")) && !looksBinary(old) {
			return b
		}
	}
	return bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
}

// looksBinary is git's measure: a NUL, a carriage return alone, or more than one
// unprintable character in 128.
func looksBinary(b []byte) bool {
	printable, unprintable := 0, 0
	for i, c := range b {
		switch {
		case c == 0, c == '\r' && (i+1 == len(b) || b[i+1] != '\n'):
			return true
		case c == '\r', c == '\n':
		case c == 127, c < 32 && c != '\b' && c != '\t' && c != 27 && c != 12:
			unprintable++
		default:
			printable++
		}
	}
	if len(b) > 0 && b[len(b)-1] == 26 { // the end of a DOS file
		unprintable--
	}
	return printable>>7 < unprintable
}

// collapseIdent turns $Id: anything$ into $Id$.
func collapseIdent(b []byte) []byte {
	var out []byte
	for {
		i := bytes.Index(b, []byte("$Id:"))
		if i < 0 {
			return append(out, b...)
		}
		i += len("$Id")
		out = append(out, b[:i]...)
		b = b[i:]
		end := bytes.IndexByte(b, '$')
		if end < 0 {
			return append(out, b...)
		}
		if bytes.IndexByte(b[:end], '\n') < 0 {
			b = b[end:]
		}
	}
}

// decoded turns a file in its working-tree-encoding into the UTF-8 that git
// stores. As in git, a file that is not in that encoding stays as it is.
func decoded(attrs conversion, b []byte) []byte {
	var enc encoding.Encoding
	switch name := strings.ToUpper(attrs.value("working-tree-encoding")); name {
	case "", "UTF-8", "UTF8":
		return b
	case "UTF-16":
		enc = unicode.UTF16(unicode.BigEndian, unicode.ExpectBOM)
	case "UTF-16LE-BOM":
		enc = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	default:
		var err error
		if enc, err = ianaindex.IANA.Encoding(name); err != nil || enc == nil {
			return b
		}
	}
	out, err := enc.NewDecoder().Bytes(b)
	if err != nil || bytes.ContainsRune(out, '\uFFFD') {
		return b
	}
	return out
}

// isPointerTo reports whether blob is a Git LFS pointer to raw.
func isPointerTo(blob, raw []byte) bool {
	if len(blob) > 1024 || !bytes.HasPrefix(blob, []byte("version https://")) {
		return false
	}
	sum := sha256.Sum256(raw)
	oid, size := false, false
	for line := range strings.Lines(string(blob)) {
		key, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		switch key {
		case "oid":
			oid = value == "sha256:"+hex.EncodeToString(sum[:])
		case "size":
			size = value == strconv.Itoa(len(raw))
		}
	}
	return oid && size
}
