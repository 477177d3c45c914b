package record

import (
	"fmt"
	"io"
	"slices"
	"sort"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Tally is what a comment tells of a record: numbers, hashes, and words from short
// lists. Made of a record of this run it holds the rules behind the reasons, too.
type Tally struct {
	Figures
	Mode       job.Mode
	Head       string // commit, "" without one
	BaseCommit string
	Reason     string // why that base
	Reasons    []ReasonCount
	Outputs    []OutputFigures
	Change     *Impact // nil without a base
}

// OutputFigures are the numbers of a file that the run wrote.
type OutputFigures struct {
	Name, SHA256 string
	Size         int64
	Members      int
}

// NewTally takes the numbers out of this run's record.
func NewTally(rec *Record) Tally {
	t := Tally{Figures: Count(rec.Files), Mode: rec.Mode, Head: rec.Head.Commit, BaseCommit: rec.Base.Commit, Reason: rec.Base.Reason, Reasons: CountOmissions(rec), Change: rec.Change}
	for _, o := range rec.Outputs {
		t.Outputs = append(t.Outputs, OutputFigures{o.Name, o.SHA256, o.SizeBytes, len(o.Members)})
	}
	return t
}

// Bounds of a record that somebody else made. A record of the largest repository that
// was met has 400,000 rows of some 300 bytes.
const (
	maxForeignRecord = 256 << 20 // bytes
	maxForeignRows   = 1_000_000 // rows, findings, or members, each
	maxForeignSize   = 1 << 50   // bytes, of all files together and of an output
	maxForeignToken  = 1 << 20   // bytes of one string or number
	maxForeignCount  = 1e9       // files or lines of a change
	maxForeignDepth  = 200       // of lists and objects in each other
)

// omissionReasons are the reasons that a record's row may give.
var omissionReasons = []string{"credentials", "binary", "size_limit", "pattern_match", "gitignored", "low_value", "special", "link_outside",
	"submodule", "unreadable", "reserved", "dependency_dir", "build_output", "cache", "not_selected", "over_budget", "limit"}

// ReadTally takes the numbers out of a record that may be anybody's. It is read as a
// stream: the memory that it costs does not grow with it.
func ReadTally(name string) (*Tally, error) {
	bad := func(err error) (*Tally, error) {
		return nil, job.WithCode(fmt.Errorf("input --record: %.200q is not a record that can be used: %w", name, err), job.ExitInput)
	}
	f, _, err := tree.OpenRegular(name)
	if err != nil {
		return nil, job.WithCode(fmt.Errorf("input --record: %w; name the record.json of the run's artifact", err), job.ExitInput)
	}
	defer f.Close()
	t, err := tallyOf(f)
	if err != nil {
		return bad(err)
	}
	return t, nil
}

// tallyReader is a tally in the making.
type tallyReader struct {
	Tally
	byReason map[string]int // omissions
}

func tallyOf(r io.Reader) (*Tally, error) {
	t := &tallyReader{Tally{Mode: job.ModeFull, Reason: "as the record says"}, map[string]int{}}
	s := NewStream(r, maxForeignRecord, maxForeignToken, maxForeignDepth)
	err := s.object(func(key string) error {
		switch key {
		case "mode":
			mode, err := s.text()
			if mode := job.Mode(mode); slices.Contains([]job.Mode{job.ModeFull, job.ModeContext, job.ModeMeta}, mode) {
				t.Mode = mode
			}
			return err
		case "head":
			return s.commit(&t.Head)
		case "base":
			return s.commit(&t.BaseCommit)
		case "files":
			return s.list("files", func() error { return t.row(s) })
		case "change":
			return t.impact(s)
		case "outputs":
			return s.list("outputs", func() error { return t.output(s) })
		}
		return s.skip()
	})
	if err == nil {
		err = s.End()
	}
	if err != nil {
		return nil, err
	}
	for reason, n := range t.byReason {
		t.Reasons = append(t.Reasons, ReasonCount{Reason: reason, Count: n})
	}
	sort.Slice(t.Reasons, func(i, j int) bool {
		a, b := t.Reasons[i], t.Reasons[j]
		return a.Count > b.Count || a.Count == b.Count && a.Reason < b.Reason
	})
	return &t.Tally, nil
}

// row adds one row of the record's table.
func (t *tallyReader) row(s *Stream) error {
	reason, included, size := "other", false, int64(0)
	err := s.object(func(key string) (err error) {
		switch key {
		case "included":
			included, err = s.boolean()
		case "size_bytes":
			size, err = s.size()
		case "reason":
			var word string
			if word, err = s.text(); slices.Contains(omissionReasons, word) {
				reason = word
			}
		case "redactions":
			err = s.list("redactions", func() error { t.Redacted++; return s.skip() })
		default:
			err = s.skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	if !included && reason == string(scan.Reserved) {
		return nil
	}
	if !included {
		t.Omitted++
		t.byReason[reason]++
		return nil
	}
	t.Included++
	if t.Bytes += size; t.Bytes > maxForeignSize {
		return fmt.Errorf("its files have more than %d bytes", int64(maxForeignSize))
	}
	return nil
}

// impact reads what the change weighs.
func (t *tallyReader) impact(s *Stream) error {
	var c Impact
	counts := map[string]*int{"files": &c.Files, "lines_added": &c.Added, "lines_removed": &c.Removed, "dependents": &c.Dependents, "users_unknown": &c.Unknown, "sources": &c.Sources, "untested": &c.Untested,
		"functions": &c.Functions, "functions_unnamed": &c.Unnamed, "functions_unknown": &c.FunctionsUnknown}
	there := false
	err := s.object(func(key string) error {
		switch key {
		case "size":
			return s.word(&c.Size, changeSizes)
		case "kind":
			return s.word(&c.Kind, changeKinds)
		case "quiet":
			quiet, err := s.boolean()
			c.Quiet = quiet
			return err
		}
		to := counts[key]
		if to == nil {
			return s.skip()
		}
		there = true
		n, err := s.size()
		if n > maxForeignCount {
			err = fmt.Errorf("%s of its change are %d", key, n)
		}
		*to = int(n)
		return err
	})
	if there {
		c.Untested, c.Unnamed = min(c.Untested, c.Sources), min(c.Unnamed, c.Functions)
		t.Change = &c
	}
	return err
}

// changeSizes and changeKinds are the words that a record may say of a change.
var (
	changeSizes = []string{"XS", "S", "M", "L", "XL"}
	changeKinds = []string{"nothing", "generated", "formatting", "dependencies", "docs", "tests", "refactoring", "feature", "change"}
)

// word reads one of the words that are known; another is none.
func (s *Stream) word(to *string, known []string) error {
	word, err := s.text()
	if slices.Contains(known, word) {
		*to = word
	}
	return err
}

// output adds a file that the run wrote: of each known name the first, and none of
// another name.
func (t *tallyReader) output(s *Stream) error {
	var o OutputFigures
	err := s.object(func(key string) (err error) {
		switch key {
		case "name":
			o.Name, err = s.text()
		case "sha256":
			o.SHA256, err = s.text()
		case "size_bytes":
			o.Size, err = s.size()
		case "members":
			err = s.list("members", func() error { o.Members++; return s.skip() })
		default:
			err = s.skip()
		}
		return err
	})
	known := slices.Contains(OutputNames, o.Name) && job.Checksum.MatchString(o.SHA256)
	if err == nil && known && !slices.ContainsFunc(t.Outputs, func(p OutputFigures) bool { return p.Name == o.Name }) {
		t.Outputs = append(t.Outputs, o)
	}
	return err
}

// commit reads the commit of an object that names one.
func (s *Stream) commit(to *string) error {
	return s.object(func(key string) error {
		if key != "commit" {
			return s.skip()
		}
		sha, err := s.text()
		if job.CommitID.MatchString(sha) {
			*to = sha
		}
		return err
	})
}
