package scan

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Progress counts what a scan has done; it may be read while the scan runs.
type Progress struct {
	Files, Bytes atomic.Int64
}

// Taker makes snapshots of one root.
type Taker struct {
	Root     *tree.Root
	Rules    Rules
	Git      Git
	Screener *Screener
	// Spool keeps the screened content.
	Spool *tree.Spool
	// Progress may be nil.
	Progress *Progress

	mu    sync.Mutex
	snap  *Snapshot
	warns []string
	first error
}

// sniff is how much of a file is read before the rest: a NUL byte in it means
// that the file is binary, and its size then does not matter.
const sniff = 8192

// Take walks the root, screens what names allow, and returns the snapshot.
// Files that cannot be read, or that vanish meanwhile, become omissions; the
// error is of the walk or the spool. The warnings name files that could not be
// used as they should.
func (t *Taker) Take(ctx context.Context) (*Snapshot, []string, error) {
	t.snap = &Snapshot{}
	w := newWalker(t.Root, t.Rules, t.Git)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	queue := make(chan candidate, 256)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), 8) {
		workers.Go(func() {
			var buf bytes.Buffer
			for c := range queue {
				if err := t.take(c, &buf); err != nil {
					t.fail(err)
					cancel()
				}
			}
		})
	}
	w.warn = func(s string) { t.warns = append(t.warns, s) }
	w.omit = t.omit
	names := map[string]bool{}
	w.screen = func(name string) (string, bool) {
		clean, held := t.Screener.early(name)
		// Two names may look the same without their credentials.
		for n := 2; held && names[clean]; n++ {
			clean = fmt.Sprintf("%s (%d)", strings.TrimSuffix(clean, fmt.Sprintf(" (%d)", n-1)), n)
		}
		if held {
			names[clean] = true
		}
		return clean, held
	}
	w.emit = func(c candidate) error {
		if _, tracked := t.Git.Tracked[c.path]; !tracked && t.Git.Tracked != nil {
			t.snap.Untracked = true
		}
		select {
		case queue <- c:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	err := w.walk(ctx)
	close(queue)
	workers.Wait()
	if t.first != nil {
		err = t.first
	}
	if err != nil {
		return nil, nil, fmt.Errorf("scanning: %w", err)
	}
	t.snap.Folders = w.folders
	kept, omitted, err := t.Settle(t.snap.Files)
	if err != nil {
		return nil, nil, err
	}
	t.snap.Files = kept
	t.snap.Omitted = append(t.snap.Omitted, omitted...)
	t.snap.sortByPath()
	MarkKeyFiles(t.snap.Files)
	return t.snap, t.warns, nil
}

func (t *Taker) fail(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.first == nil {
		t.first = err
	}
}

func (t *Taker) omit(o Omission) {
	o.overridable = false
	if o.Type == "" {
		o.Type, o.Category = Classify(o.Path)
	}
	t.mu.Lock()
	t.snap.Omitted = append(t.snap.Omitted, o)
	t.mu.Unlock()
}

// take reads and screens one candidate.
func (t *Taker) take(c candidate, buf *bytes.Buffer) error {
	f, o, err := t.screen(c, false, buf)
	if err != nil {
		return err
	}
	if o != nil {
		t.omit(*o)
		return nil
	}
	if t.Progress != nil {
		t.Progress.Files.Add(1)
		t.Progress.Bytes.Add(f.Size)
	}
	t.mu.Lock()
	t.snap.Files = append(t.snap.Files, *f)
	t.mu.Unlock()
	return nil
}

// Admit screens one path that was asked for by name, whatever ignore files and
// default rules say. Exactly one of the file and the omission is returned.
func (t *Taker) Admit(name string) (*File, *Omission, error) {
	o, suspect, skip := t.Rules.Judge(name)
	if skip {
		o.Type, o.Category = Classify(name)
		return nil, &o, nil
	}
	if dir := path.Dir(name); dir != "." {
		// What a link makes of a path is judged under its own name only.
		if real, err := t.Root.Resolve(dir); err == nil && real != dir {
			return nil, &Omission{Path: name, Reason: Unreadable, Rule: "a folder on the way is a link; ask for " + path.Join(real, path.Base(name))}, nil
		}
	}
	in, err := t.Root.Lstat(name)
	if err != nil {
		return nil, &Omission{Path: name, Reason: Unreadable, Rule: reasonOf(err)}, nil
	}
	if !in.Mode.IsRegular() && in.Mode&fs.ModeSymlink == 0 {
		return nil, &Omission{Path: name, Reason: Special, Rule: "not a file"}, nil
	}
	var buf bytes.Buffer
	return t.screen(candidate{name, in.Mode.Type(), in.ID, suspect}, true, &buf)
}

// screen reads and screens a candidate; asked says that it was asked for by name.
func (t *Taker) screen(c candidate, asked bool, buf *bytes.Buffer) (*File, *Omission, error) {
	if c.mode&fs.ModeSymlink != 0 {
		return t.link(c)
	}
	out := &Omission{Path: c.path}
	out.Type, out.Category = Classify(c.path)
	raw, in, o := t.read(c, buf)
	if o != nil {
		o.Path, o.Type, o.Category = out.Path, out.Type, out.Category
		return nil, o, nil
	}
	if t.Git.Original != nil {
		if b, ok := t.Git.Original(c.path, raw); ok {
			raw = b
		}
	}
	return t.Keep(c.path, in.Mode, raw, c.suspect, asked)
}

// read returns a candidate's bytes, or why there are none. They stand in buf.
func (t *Taker) read(c candidate, buf *bytes.Buffer) ([]byte, tree.Info, *Omission) {
	rc, in, err := t.Root.Open(c.path)
	if err != nil {
		rule := reasonOf(err)
		if errors.Is(err, fs.ErrNotExist) {
			rule = "vanished during the scan"
		}
		return nil, in, &Omission{Reason: Unreadable, Rule: rule}
	}
	defer rc.Close()
	buf.Reset()
	if in.Size > sniff {
		if _, err := io.CopyN(buf, rc, sniff); err != nil && err != io.EOF {
			return nil, in, &Omission{Reason: Unreadable, Rule: reasonOf(err), Size: in.Size}
		}
		if text.Detect(buf.Bytes()[:buf.Len()&^1]) == text.Binary && bytes.IndexByte(buf.Bytes(), 0) >= 0 {
			o := &Omission{Reason: Binary, Rule: "NUL byte", Size: in.Size}
			if c.suspect != "" {
				o.Reason, o.Rule = Credentials, c.suspect
			}
			return nil, in, o
		}
		if in.Size > MaxFileBytes {
			return nil, in, &Omission{Reason: SizeLimit, Rule: fmt.Sprintf("larger than %d bytes", MaxFileBytes), Size: in.Size}
		}
		buf.Grow(int(in.Size) - buf.Len() + bytes.MinRead)
	}
	// A file that grows meanwhile ends where the limit is.
	if _, err := buf.ReadFrom(io.LimitReader(rc, MaxFileBytes+1-int64(buf.Len()))); err != nil {
		return nil, in, &Omission{Reason: Unreadable, Rule: reasonOf(err), Size: in.Size}
	}
	if buf.Len() > MaxFileBytes {
		return nil, in, &Omission{Reason: SizeLimit, Rule: fmt.Sprintf("larger than %d bytes", MaxFileBytes), Size: in.Size}
	}
	return buf.Bytes(), in, nil
}

// Keep screens content that stands under a path and keeps what may leave. Of what
// was asked for by name, no default rule leaves anything out.
func (t *Taker) Keep(name string, mode fs.FileMode, raw []byte, suspect string, asked bool) (*File, *Omission, error) {
	typ, category := Classify(name)
	s := t.Screener.Screen(name, raw, suspect)
	if s.Reason != "" {
		return nil, &Omission{Path: name, Reason: s.Reason, Rule: s.Rule, Size: int64(len(raw)), Type: typ, Category: category,
			Redactions: s.Redactions}, nil
	}
	lines := countLines(s.Text)
	if !asked && !t.Rules.Literal && typ == TypeImage && len(raw) > largestSVG && t.Rules.Include.Match(name) == "" {
		return nil, &Omission{Path: name, Reason: LowValue, Rule: fmt.Sprintf("vector image larger than %d bytes", largestSVG),
			Size: int64(len(raw)), Type: typ, Category: category}, nil
	}
	low := ""
	if !t.Rules.Literal {
		low = lowValue(name, int64(len(raw)), lines)
	}
	sum := sha256.Sum256(s.Bytes)
	f, err := t.Spool.Add(name, mode, s.Bytes)
	if err != nil {
		return nil, nil, err
	}
	if typ == TypeUnknown {
		typ = TypeText
	}
	return &File{File: f, Type: typ, Category: category, Encoding: s.Encoding, SHA256: hex.EncodeToString(sum[:]), Lines: lines,
		Redactions: s.Redactions, Accepted: s.Accepted, LowValue: low, Rescued: suspect}, nil, nil
}

// link keeps a symbolic link as a link, if it stays inside the root.
func (t *Taker) link(c candidate) (*File, *Omission, error) {
	target, err := t.Root.Readlink(c.path)
	if err != nil {
		return nil, &Omission{Path: c.path, Reason: Unreadable, Rule: reasonOf(err), Type: TypeUnknown, Category: CategoryOther}, nil
	}
	_, err = t.Root.Resolve(c.path)
	if errors.Is(err, tree.ErrOutside) || leaves(c.path, target) {
		return nil, &Omission{Path: c.path, Reason: LinkOutside, Rule: "link leads out of the root", Size: int64(len(target)),
			Type: TypeUnknown, Category: CategoryOther}, nil
	}
	if s := t.Screener.Screen(c.path, []byte(target), ""); len(s.Redactions) > 0 || s.Reason != "" {
		return nil, &Omission{Path: c.path, Reason: Credentials, Rule: "in the link's target", Type: TypeUnknown, Category: CategoryOther}, nil
	}
	sum := sha256.Sum256([]byte(target))
	f, err := t.Spool.Add(c.path, fs.ModeSymlink|0o777, []byte(target))
	if err != nil {
		return nil, nil, err
	}
	return &File{File: f, Type: TypeUnknown, Category: CategoryOther, SHA256: hex.EncodeToString(sum[:])}, nil, nil
}

// ErrTooMany says that so many credentials were found that not all can be looked
// for in other places.
var ErrTooMany = errors.New("too many different credentials; leave the files that hold them out with exclude")

// Settle redacts values that were found in one file wherever else they stand,
// in contents, names and the targets of links. It is asked again when more was
// found since; a file that nothing is found in stays the same.
func (t *Taker) Settle(files []File) (kept []File, omitted []Omission, err error) {
	found := t.Screener.Found
	if found.Full() {
		return nil, nil, ErrTooMany
	}
	if found.Len() == 0 {
		return files, nil, nil
	}
	for _, f := range files {
		omit := func(o Omission) {
			o.Size, o.Type, o.Category = f.Size, f.Type, f.Category
			omitted = append(omitted, o)
		}
		if fs := found.Find([]byte(f.Path), nil); len(fs) > 0 {
			clean := string(secret.Redact([]byte(f.Path), fs))
			for n := 2; slices.ContainsFunc(omitted, func(o Omission) bool { return o.Path == clean }); n++ {
				clean = fmt.Sprintf("%s (%d)", secret.Redact([]byte(f.Path), fs), n)
			}
			omit(Omission{Path: clean, Reason: Credentials, Rule: "in the name"})
			continue
		}
		link := f.Mode&fs.ModeSymlink != 0
		if f.Encoding == text.Binary && !link {
			kept = append(kept, f)
			continue
		}
		raw, err := f.Read()
		if err != nil {
			return nil, nil, err
		}
		if link {
			if len(found.Find(raw, nil)) > 0 {
				omit(Omission{Path: f.Path, Reason: Credentials, Rule: "in the link's target"})
			} else {
				kept = append(kept, f)
			}
			continue
		}
		s, changed := t.Screener.Again(f.Path, raw)
		if !changed {
			kept = append(kept, f)
			continue
		}
		if s.Reason != "" {
			omit(Omission{Path: f.Path, Reason: s.Reason, Rule: s.Rule, Redactions: s.Redactions})
			continue
		}
		again, err := t.Spool.Add(f.Path, f.Mode, s.Bytes)
		if err != nil {
			return nil, nil, err
		}
		sum := sha256.Sum256(s.Bytes)
		f.File, f.SHA256 = again, hex.EncodeToString(sum[:])
		f.Redactions = append(slices.Clone(f.Redactions), s.Redactions...)
		slices.SortStableFunc(f.Redactions, func(a, b secret.Finding) int { return a.Line - b.Line })
		kept = append(kept, f)
	}
	return kept, omitted, nil
}
