package typescript

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tree"
	"github.com/microsoft/typescript-go/tsshim"
)

// base is where the root stands in the compiler's eyes when no folder outside
// matters: resolution is then the same on every machine. The name is one that
// nobody writes, for a path that climbs too far ends at "/" and comes down again.
const base = "/:repository:"

// maxFile bounds what is read: no source is longer, and a JSON file that is
// longer says nothing about modules.
const maxFile = 8 << 20

// files is the file system that the compiler sees: the root and the declared
// folders outside. Everything else is absent. Links are followed as long as
// they stay inside.
type files struct {
	roots  graph.Roots
	mounts []mount
	dirs   sync.Map // absolute path as asked for -> *folder, nil when absent
	scopes sync.Map // folder -> where names mean the same, see scope
	absent atomic.Int64
	// over are the manifests that hold more than is read.
	over sync.Map
}

// maxAbsent bounds the folders that are remembered as absent.
const maxAbsent = 200_000

// mount is a root and the absolute path where it stands.
type mount struct {
	dir  string
	root *tree.Root
}

// folder is a listed folder. real is its absolute path with all links followed.
type folder struct {
	real    string
	entries map[string]fs.FileMode
}

func newFiles(roots graph.Roots) *files {
	f := &files{roots: roots}
	dir := base
	if len(roots.External) > 0 && strings.HasPrefix(roots.Dir, "/") {
		dir = path.Clean(roots.Dir)
	}
	f.mounts = append(f.mounts, mount{dir, roots.Root})
	for _, e := range roots.External {
		f.mounts = append(f.mounts, mount{path.Clean(e.Dir), e.Root})
	}
	return f
}

// abs is the compiler's path of an id.
func (f *files) abs(id string) string {
	if strings.HasPrefix(id, "/") {
		return id
	}
	return f.mounts[0].dir + "/" + id
}

// id is the reverse of abs: relative in the root, else absolute.
func (f *files) id(abs string) string {
	if rel, ok := graph.Below(f.mounts[0].dir, abs); ok {
		return rel
	}
	return abs
}

// mounted returns the root that abs lies in, and its path there.
func (f *files) mounted(abs string) (m mount, rel string, ok bool) {
	for _, m := range f.mounts {
		if rel, ok := graph.Below(m.dir, abs); ok {
			return m, rel, true
		}
	}
	return mount{}, "", false
}

// scope returns the nearest folder, from dir upwards, with a package.json or a node_modules: between it
// and dir nothing changes what a name that is no path means.
func (f *files) scope(dir string) string {
	if s, ok := f.scopes.Load(dir); ok {
		return s.(string)
	}
	at := dir
	if d := f.folder(dir, 0); d != nil && dir != "/" && dir != f.mounts[0].dir {
		_, pkg := d.entries["package.json"]
		_, installed := d.entries["node_modules"]
		if !pkg && !installed {
			at = f.scope(path.Dir(dir))
		}
	}
	f.scopes.Store(dir, at)
	return at
}

// maxLinks bounds the links followed on the way to one path.
const maxLinks = 40

// folder returns the folder abs, or nil.
func (f *files) folder(abs string, links int) *folder {
	if d, ok := f.dirs.Load(abs); ok {
		return d.(*folder)
	}
	d := f.list(abs, links)
	// What is absent after some links may be there when fewer were followed. Names
	// that lead nowhere are many where somebody makes them up.
	if d != nil || links == 0 && f.absent.Add(1) <= maxAbsent {
		f.dirs.Store(abs, d)
	}
	return d
}

func (f *files) list(abs string, links int) *folder {
	m, rel, ok := f.mounted(abs)
	if !ok {
		return nil
	}
	if rel != "." {
		real, mode := f.follow(abs, links)
		if real == "" || !mode.IsDir() || mode&fs.ModeIrregular != 0 {
			return nil
		}
		if real != abs {
			return f.folder(real, links)
		}
	}
	list, err := m.root.List(rel)
	if err != nil {
		return nil
	}
	d := &folder{abs, make(map[string]fs.FileMode, len(list))}
	for _, e := range list {
		d.entries[e.Name] = e.Mode
	}
	return d
}

// follow returns the path that abs leads to when every link is followed, and
// the type bits of what is there; "" when that is nothing.
func (f *files) follow(abs string, links int) (real string, mode fs.FileMode) {
	_, rel, ok := f.mounted(abs)
	if !ok || links > maxLinks {
		return "", 0
	}
	if rel == "." {
		return abs, fs.ModeDir
	}
	parent := f.folder(path.Dir(abs), links)
	if parent == nil {
		return "", 0
	}
	mode, ok = parent.entries[path.Base(abs)]
	if !ok {
		return "", 0
	}
	real = parent.real + "/" + path.Base(abs)
	if mode&fs.ModeSymlink == 0 {
		return real, mode
	}
	m, rel, _ := f.mounted(real)
	target, err := m.root.Readlink(rel)
	if err != nil || target == "" {
		return "", 0
	}
	if !strings.HasPrefix(target, "/") {
		target = parent.real + "/" + target
	} else if m.dir == base {
		return "", 0
	}
	return f.follow(path.Clean(target), links+1)
}

func (f *files) fileExists(name string) bool {
	real, mode := f.follow(path.Clean(name), 0)
	return real != "" && mode.IsRegular()
}

func (f *files) directoryExists(name string) bool {
	return f.folder(path.Clean(name), 0) != nil
}

func (f *files) realpath(name string) string {
	if real, _ := f.follow(path.Clean(name), 0); real != "" {
		return real
	}
	return name
}

var (
	errAbsent   = errors.New("not there")
	errTooLarge = fmt.Errorf("larger than %d bytes", maxFile)
	errBinary   = errors.New("no text")
	errMarkup   = errors.New("markup, no script")
)

// read returns a file's bytes, at most maxFile of them.
func (f *files) read(abs string) ([]byte, error) {
	real, mode := f.follow(path.Clean(abs), 0)
	if real == "" || !mode.IsRegular() {
		return nil, errAbsent
	}
	m, rel, ok := f.mounted(real)
	if !ok {
		return nil, errAbsent
	}
	r, in, err := m.root.Open(rel)
	if err != nil {
		return nil, err
	}
	return readAll(r, in.Size)
}

// readSource returns a source's bytes, at most maxFile of them. The folders on the way to one that is no link are not looked through.
func (f *files) readSource(s *graph.SourceFile) ([]byte, error) {
	if s.Mode&fs.ModeSymlink != 0 {
		return f.read(f.abs(s.Path))
	}
	if s.Size > maxFile {
		return nil, errTooLarge
	}
	r, err := s.Open()
	if err != nil {
		return nil, err
	}
	return readAll(r, s.Size)
}

// readAll reads and closes r, whose size is expected to be size.
func readAll(r io.ReadCloser, size int64) ([]byte, error) {
	defer r.Close()
	if size > maxFile {
		return nil, errTooLarge
	}
	b := make([]byte, 0, size+1)
	for {
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if len(b) > maxFile {
			return nil, errTooLarge
		}
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return nil, err
		}
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
	}
}

// decode returns the text of a file. A few NUL bytes do not make a script
// binary: TypeScript takes them for what they are, in a string or between words.
func decode(b []byte) (string, error) {
	e := text.Detect(b)
	if e == text.Binary {
		if bytes.Count(b, []byte{0}) > 1+len(b)/1000 || !utf8.Valid(b) {
			return "", errBinary
		}
		e = text.UTF8
	}
	return string(text.Decode(b, e)), nil
}

// maxConfig bounds the configurations that the compiler's parser reads: their
// nesting must fit its stack. A package.json has a reader that minds its depth.
const maxConfig = 100 << 10

func (f *files) readFile(name string) (string, bool) {
	b, err := f.read(name)
	return f.said(name, b, err)
}

// said is the text of a configuration that was read.
func (f *files) said(name string, b []byte, err error) (string, bool) {
	if err != nil || len(b) > maxConfig && path.Base(name) != "package.json" {
		return "", false
	}
	s, err := decode(b)
	if err == nil && path.Base(name) == "package.json" {
		if len(s) > maxManifest || tooDeep(s) {
			f.over.Store(f.id(name), "it is larger than 1 MiB, or nests more than 64 deep; it is passed over")
			return "", false
		}
		var many bool
		if s, many = withoutMany(withoutLoops(s)); many {
			f.over.Store(f.id(name), "its exports or imports name more than 5000 targets; they are passed over")
		}
	}
	return s, err == nil
}

// Bounds on a package.json. The largest of published packages have some hundred KB
// and some hundred targets, and all targets are tried for each import.
const (
	maxManifest      = 1 << 20
	maxManifestDepth = 64
	maxTargets       = 5000
)

// tooDeep reports whether brackets nest too deep, without a look at what they are.
func tooDeep(s string) bool {
	depth, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > maxManifestDepth {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// withoutMany returns the text of a package.json without exports and imports that
// name too many targets, and whether it did.
func withoutMany(s string) (string, bool) {
	if strings.Count(s, ":")+strings.Count(s, ",") <= maxTargets {
		return s, false
	}
	keys, values := members(json.RawMessage(s))
	cut := false
	var b strings.Builder
	for i, k := range keys {
		v := values[i]
		if strings.EqualFold(k, "exports") || strings.EqualFold(k, "imports") {
			if t := string(v); strings.Count(t, ":")+strings.Count(t, ",") > 2*maxTargets {
				v, cut = json.RawMessage("null"), true
			}
		}
		writeMember(&b, i, k, v)
	}
	if !cut {
		return s, false
	}
	return b.String() + "}", true
}

// warnings are about the manifests that hold too much.
func (f *files) warnings() (list []graph.Warning) {
	f.over.Range(func(name, what any) bool {
		list = append(list, graph.Warning{Path: name.(string), Text: "limit: " + what.(string)})
		return true
	})
	return list
}

// withoutLoops returns the text of a package.json without those targets of
// imports that can be names of imports again: "#a": "#a" would keep the
// resolver busy until its stack is full. Node.js does not follow them either.
func withoutLoops(s string) string {
	if !strings.Contains(s, "mports") && !strings.Contains(s, `\u`) {
		return s
	}
	keys, values := members(json.RawMessage(s))
	if keys == nil {
		return "{}"
	}
	changed := false
	var b strings.Builder
	for i, k := range keys {
		v := values[i]
		if strings.EqualFold(k, "imports") {
			var cut bool
			v, cut = cutLoops(v)
			changed = changed || cut
		}
		writeMember(&b, i, k, v)
	}
	if !changed {
		return s
	}
	return b.String() + "}"
}

func writeMember(b *strings.Builder, i int, key string, value json.RawMessage) {
	if b.WriteByte(','); i == 0 {
		b.Reset()
		b.WriteByte('{')
	}
	q, _ := json.Marshal(key) // a string always encodes
	b.Write(q)
	b.WriteByte(':')
	b.Write(value)
}

// cutLoops puts null in place of strings that begin with "#" or "*".
func cutLoops(raw json.RawMessage) (out json.RawMessage, changed bool) {
	raw = json.RawMessage(strings.TrimSpace(string(raw)))
	if len(raw) == 0 {
		return raw, false
	}
	switch raw[0] {
	case '"':
		var s string
		if json.Unmarshal(raw, &s) != nil || strings.HasPrefix(s, "#") || strings.HasPrefix(s, "*") {
			return json.RawMessage("null"), true
		}
	case '[':
		var values []json.RawMessage
		if json.Unmarshal(raw, &values) != nil {
			return json.RawMessage("null"), true
		}
		for i, v := range values {
			var cut bool
			values[i], cut = cutLoops(v)
			changed = changed || cut
		}
		if changed {
			raw, _ = json.Marshal(values)
		}
	case '{':
		keys, values := members(raw)
		var b strings.Builder
		for i, k := range keys {
			v, cut := cutLoops(values[i])
			changed = changed || cut
			writeMember(&b, i, k, v)
		}
		if changed {
			raw = json.RawMessage(b.String() + "}")
		}
	}
	return raw, changed
}

// compiler returns a compiler that sees these files and nothing else. Where it
// reads configurations it also sees the packages of the repository by their
// names, installed or not.
func (f *files) compiler(packages *workspace) *tsgo.Compiler {
	real := tsgo.FS{
		FileExists:      f.fileExists,
		DirectoryExists: f.directoryExists,
		ReadFile:        f.readFile,
		Realpath:        f.realpath,
	}
	linked := tsgo.FS{
		FileExists:      func(name string) bool { return f.fileExists(packages.linked(name)) },
		DirectoryExists: func(name string) bool { return f.directoryExists(packages.linked(name)) },
		ReadFile:        func(name string) (string, bool) { return f.readFile(packages.linked(name)) },
		Realpath:        func(name string) string { return f.realpath(packages.linked(name)) },
	}
	return tsgo.New(real, linked, f.mounts[0].dir)
}
