package scan

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Progress counts what a search has done; it may be read while it runs.
type Progress struct {
	Files, Bytes atomic.Int64
	// Total is about how many files there will be, 0 where nothing says so.
	Total atomic.Int64
}

// Search is what a search of a root goes by. Its methods write nothing in it.
type Search struct {
	Root     *tree.Root
	Rules    Rules
	Git      Git
	Screener *Screener
	// Spool keeps the content, redacted of what was found in that very file: no
	// credential that a rule can see is ever written to disk.
	Spool *tree.Spool
	// Absent are paths that are known and not in the root, each with its reason.
	Absent []Omission
	// MaxFile is the size in bytes above which a file is left out; MaxFileBytes if 0.
	MaxFile int64
	// Progress may be nil.
	Progress *Progress
}

// SearchResult is what a search met: every path in exactly one of the two lists, each
// sorted bytewise. Nothing of it may leave before Seal has redacted what was
// found elsewhere.
type SearchResult struct {
	Files   []File
	Omitted []Omission
	// Folders entered.
	Folders int
	// Untracked: names allow a file that git does not track.
	Untracked bool
	// Known are the values found, which must not leave in any other file either.
	Known *secret.KnownValues
	// Warnings name files that could not be used as they should.
	Warnings []string
}

// Empty reports whether the root holds nothing but what is reserved.
func (f *SearchResult) Empty() bool {
	return len(f.Files) == 0 && !slices.ContainsFunc(f.Omitted, func(o Omission) bool { return o.Reason != Reserved })
}

// sniff is how much of a file is read before the rest: a NUL byte in it means
// that the file is binary, and its size then does not matter.
const sniff = 8192

// finder gathers what the workers of one search meet.
type finder struct {
	*Search
	known *secret.KnownValues

	mu      sync.Mutex
	files   []File
	omitted []Omission
	failed  error // the first failure
}

// Find walks the root, screens what names allow, and returns what is there.
// Files that cannot be read, or that vanish meanwhile, become omissions; the
// error is of the walk or the spool.
func (s *Search) Find(ctx context.Context) (*SearchResult, error) {
	f := &finder{Search: s, known: new(secret.KnownValues)}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	queue := make(chan candidate, 256)
	var workers sync.WaitGroup
	for range searchers() {
		workers.Go(func() {
			var buf bytes.Buffer
			for c := range queue {
				if err := f.take(c, &buf); err != nil {
					f.fail(err)
					cancel()
				}
			}
		})
	}
	w := newWalker(s.Root, s.Rules, s.Git)
	var warnings []string
	w.warn = func(text string) { warnings = append(warnings, text) }
	w.omit = f.omit
	w.screen = f.name()
	untracked := false
	w.learn = func(c candidate) error {
		select {
		case queue <- c:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	w.emit = func(c candidate) error {
		if _, tracked := s.Git.Tracked[c.path]; !tracked && s.Git.Tracked != nil {
			untracked = true
		}
		return w.learn(c)
	}
	err := w.walk(ctx)
	if err == nil {
		err = w.leaveRest(ctx)
	}
	close(queue)
	workers.Wait()
	if f.failed != nil {
		err = f.failed
	}
	if err != nil {
		return nil, fmt.Errorf("scanning: %w", err)
	}
	omitted := append(f.omitted, s.Absent...)
	sortByPath(f.files, omitted)
	return &SearchResult{Files: f.files, Omitted: omitted, Folders: w.folders, Untracked: untracked, Known: f.known, Warnings: warnings}, nil
}

// searchers is how many files are read at once.
func searchers() int { return min(runtime.GOMAXPROCS(0), 8) }

// name returns the walker's screen of names. A value found in a name must not
// leave elsewhere either.
func (f *finder) name() func(string) (string, bool) {
	used := map[string]int{}
	return func(name string) (string, bool) {
		found, err := f.Screener.Find("", []byte(name))
		if err == nil && len(found) == 0 {
			return name, false
		}
		for _, x := range found {
			f.known.Add(x.Rule, []byte(name[x.Start:x.End]))
		}
		clean := "[REDACTED]"
		if err == nil {
			clean = string(secret.Redact([]byte(name), found))
		}
		return distinct(clean, used), true
	}
}

// distinct returns a name that was not used before, and notes it: two may look the
// same without their credentials. used counts, by name, how often it was asked for.
func distinct(name string, used map[string]int) string {
	for {
		used[name]++
		if used[name] == 1 {
			return name
		}
		as := fmt.Sprintf("%s (%d)", name, used[name])
		if used[as] == 0 {
			used[as] = 1
			return as
		}
	}
}

func (f *finder) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failed == nil {
		f.failed = err
	}
}

func (f *finder) omit(o Omission) {
	o.overridable = false
	if o.Type == "" {
		o.Type, o.Category = Classify(o.Path)
	}
	f.mu.Lock()
	f.omitted = append(f.omitted, o)
	f.mu.Unlock()
}

// take reads and screens one candidate.
func (f *finder) take(c candidate, buf *bytes.Buffer) error {
	if c.left {
		f.learn(c, buf)
		return nil
	}
	file, o, err := f.screen(c, false, buf, f.known)
	if err != nil {
		return err
	}
	if o != nil {
		f.omit(*o)
		if o.Reason == SizeLimit && o.Size <= MaxFileBytes {
			f.learn(c, buf)
		}
		return nil
	}
	if f.Progress != nil {
		f.Progress.Files.Add(1)
		f.Progress.Bytes.Add(file.Size)
	}
	f.mu.Lock()
	f.files = append(f.files, *file)
	f.mu.Unlock()
	return nil
}

// learn reads what is left out, for the values in it.
func (f *finder) learn(c candidate, buf *bytes.Buffer) {
	if c.mode&fs.ModeSymlink != 0 {
		if target, err := f.Root.Readlink(c.path); err == nil {
			f.Screener.Learn(c.path, []byte(target), NoStore, f.known)
		}
		return
	}
	if raw, _, o := f.read(c, MaxFileBytes, buf); o == nil {
		f.Screener.Learn(c.path, raw, c.store, f.known)
	}
}

// Admit screens one path that was asked for by name, whatever ignore files and
// default rules say, and adds the values found to learned. Exactly one of the
// file and the omission is returned.
func (s *Search) Admit(name string, learned *secret.KnownValues) (*File, *Omission, error) {
	o, suspect, skip := s.Rules.Judge(name)
	if skip {
		o.Type, o.Category = Classify(name)
		return nil, &o, nil
	}
	if dir := path.Dir(name); dir != "." {
		// What a link makes of a path is judged under its own name only.
		if real, err := s.Root.Resolve(dir); err == nil && real != dir {
			return omitted(exBehindLink(name, real).At(name))
		}
	}
	in, err := s.Root.Lstat(name)
	if err != nil {
		return omitted(exUnreadable(err).At(name))
	}
	if !in.Mode.IsRegular() && in.Mode&fs.ModeSymlink == 0 {
		return omitted(exNoFile.At(name))
	}
	var buf bytes.Buffer
	return s.screen(candidate{path: name, mode: in.Mode.Type(), id: in.ID, suspect: suspect}, true, &buf, learned)
}

func omitted(o Omission) (*File, *Omission, error) { return nil, &o, nil }

// screen reads and screens a candidate; asked says that it was asked for by name.
func (s *Search) screen(c candidate, asked bool, buf *bytes.Buffer, learned *secret.KnownValues) (*File, *Omission, error) {
	if c.mode&fs.ModeSymlink != 0 {
		return s.link(c, learned)
	}
	raw, in, o := s.read(c, cmp.Or(s.MaxFile, MaxFileBytes), buf)
	if o != nil {
		o.Type, o.Category = Classify(c.path)
		return nil, o, nil
	}
	if s.Git.Original != nil {
		if b, ok := s.Git.Original(c.path, raw); ok {
			raw = b
		}
	}
	return s.Keep(Content{Path: c.path, Mode: in.Mode, Raw: raw, Suspect: c.suspect, Asked: asked}, learned)
}

// read returns a candidate's bytes, or why there are none: it has more than most. They
// stand in buf.
func (s *Search) read(c candidate, most int64, buf *bytes.Buffer) ([]byte, tree.Info, *Omission) {
	rc, in, err := s.Root.Open(c.path)
	if err != nil {
		o := exUnopened(err).At(c.path)
		return nil, in, &o
	}
	out := func(x Exclusion) *Omission {
		o := x.At(c.path)
		o.Size = in.Size
		return &o
	}
	defer rc.Close()
	buf.Reset()
	if in.Size > sniff {
		if _, err := io.CopyN(buf, rc, sniff); err != nil && err != io.EOF {
			return nil, in, out(exUnreadable(err))
		}
		if text.Detect(buf.Bytes()[:buf.Len()&^1]) == text.Binary && bytes.IndexByte(buf.Bytes(), 0) >= 0 {
			if c.suspect == "" {
				return nil, in, out(exNUL)
			}
			if in.Size > maxCertificate { // what is smaller may be a certificate: Screen decides
				return nil, in, out(Exclusion{Credentials, c.suspect})
			}
		}
		if in.Size > most {
			return nil, in, out(exLarge(most))
		}
		buf.Grow(int(in.Size) - buf.Len() + bytes.MinRead)
	}
	// A file that grows meanwhile ends where the limit is.
	if _, err := buf.ReadFrom(io.LimitReader(rc, most+1-int64(buf.Len()))); err != nil {
		return nil, in, out(exUnreadable(err))
	}
	if int64(buf.Len()) > most {
		return nil, in, out(exLarge(most))
	}
	return buf.Bytes(), in, nil
}

// Content is what stands under a path and was not screened yet.
type Content struct {
	Path string
	Mode fs.FileMode
	Raw  []byte
	// Suspect is the rule that makes a credential of the path where its content is none either; "" where no rule does.
	Suspect string
	// Asked: it was asked for by name, so that no default rule leaves it out.
	Asked bool
}

// Keep screens a content, adds the values found to learned, and keeps what may leave. Exactly one of the file and the omission
// is returned; an error is of the spool.
func (s *Search) Keep(c Content, learned *secret.KnownValues) (*File, *Omission, error) {
	name, raw, suspect := c.Path, c.Raw, c.Suspect
	typ, category := Classify(name)
	screened := s.Screener.Screen(name, raw, suspect, learned)
	if screened.Reason != "" {
		o := screened.At(name)
		o.Size, o.Type, o.Category, o.Redactions = int64(len(raw)), typ, category, screened.Redactions
		return nil, &o, nil
	}
	lines := countLines(screened.Text)
	if !c.Asked && !s.Rules.Literal && typ == TypeImage && len(raw) > largestSVG && s.Rules.Include.Match(name) == "" {
		o := exLargeImage.At(name)
		o.Size, o.Type, o.Category = int64(len(raw)), typ, category
		return nil, &o, nil
	}
	low := ""
	if !s.Rules.Literal {
		low = lowValue(name, int64(len(raw)), lines)
	}
	f, err := s.Spool.Add(name, c.Mode, screened.Bytes)
	if err != nil {
		return nil, nil, err
	}
	f = f.Summed(screened.Bytes)
	if typ == TypeUnknown {
		typ = TypeText
	}
	return &File{File: f, Type: typ, Category: category, Encoding: screened.Encoding, Undecodable: screened.Undecodable, Script: language.Script(name, screened.Bytes), SHA256: f.Sum().SHA256, Lines: lines,
		Redactions: screened.Redactions, Accepted: screened.Accepted, LowValue: low, Rescued: suspect}, nil, nil
}

// link keeps a symbolic link as a link, if it stays inside the root.
func (s *Search) link(c candidate, learned *secret.KnownValues) (*File, *Omission, error) {
	target, err := s.Root.Readlink(c.path)
	out := func(x Exclusion, size int) (*File, *Omission, error) {
		o := x.At(c.path)
		o.Size, o.Type, o.Category = int64(size), TypeUnknown, CategoryOther
		return nil, &o, nil
	}
	if err != nil {
		return out(exUnreadable(err), 0)
	}
	_, err = s.Root.Resolve(c.path)
	if errors.Is(err, tree.ErrOutside) || leaves(c.path, target) {
		return out(exLinkOutside, len(target))
	}
	if found := s.Screener.Screen(c.path, []byte(target), "", learned); len(found.Redactions) > 0 || found.Reason != "" {
		return out(exSecretTarget, 0)
	}
	f, err := s.Spool.Add(c.path, fs.ModeSymlink|0o777, []byte(target))
	if err != nil {
		return nil, nil, err
	}
	f = f.Summed([]byte(target))
	return &File{File: f, Type: TypeUnknown, Category: CategoryOther, SHA256: f.Sum().SHA256}, nil, nil
}
