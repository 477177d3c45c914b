package action

import (
	"fmt"
	"io"
	"slices"
	"sort"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/tree"
)

// tally is what a comment tells of a record: numbers, hashes, and words from short
// lists. Made of a record of this run it holds the rules behind the reasons, too.
type tally struct {
	figures
	mode       string
	head       string // commit, "" without one
	baseCommit string
	reason     string // why that base
	reasons    []reasonCount
	outputs    []outputFigures
	change     *Impact // nil without a base
}

// outputFigures are the numbers of a file that the run wrote.
type outputFigures struct {
	name, sha256 string
	size         int64
	members      int
}

// newTally takes the numbers out of this run's record.
func newTally(rec *Record) tally {
	t := tally{figures: count(rec.Files), mode: rec.Mode, head: rec.Head.Commit, baseCommit: rec.Base.Commit, reason: rec.Base.Reason, reasons: omissions(rec), change: rec.Change}
	for _, o := range rec.Outputs {
		t.outputs = append(t.outputs, outputFigures{o.Name, o.SHA256, o.SizeBytes, len(o.Members)})
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

// readTally takes the numbers out of a record that may be anybody's. It is read as a
// stream: the memory that it costs does not grow with it.
func readTally(name string) (*tally, error) {
	bad := func(err error) (*tally, error) {
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

func tallyOf(r io.Reader) (*tally, error) {
	t := &tally{mode: "full", reason: "as the record says"}
	byReason := map[string]int{}
	s := newStream(r, maxForeignRecord, maxForeignToken, maxForeignDepth)
	err := s.object(func(key string) error {
		switch key {
		case "mode":
			mode, err := s.text()
			if slices.Contains([]string{"full", "context", "meta"}, mode) {
				t.mode = mode
			}
			return err
		case "head":
			return s.commit(&t.head)
		case "base":
			return s.commit(&t.baseCommit)
		case "files":
			return s.list("files", func() error { return t.row(s, byReason) })
		case "change":
			return t.impact(s)
		case "outputs":
			return s.list("outputs", func() error { return t.output(s) })
		}
		return s.skip()
	})
	if err == nil {
		err = s.end()
	}
	if err != nil {
		return nil, err
	}
	for reason, n := range byReason {
		t.reasons = append(t.reasons, reasonCount{reason: reason, count: n})
	}
	sort.Slice(t.reasons, func(i, j int) bool {
		a, b := t.reasons[i], t.reasons[j]
		return a.count > b.count || a.count == b.count && a.reason < b.reason
	})
	return t, nil
}

// row adds one row of the record's table.
func (t *tally) row(s *stream, byReason map[string]int) error {
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
			err = s.list("redactions", func() error { t.redacted++; return s.skip() })
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
		t.omitted++
		byReason[reason]++
		return nil
	}
	t.included++
	if t.bytes += size; t.bytes > maxForeignSize {
		return fmt.Errorf("its files have more than %d bytes", int64(maxForeignSize))
	}
	return nil
}

// impact reads what the change weighs.
func (t *tally) impact(s *stream) error {
	var c Impact
	counts := map[string]*int{"files": &c.Files, "lines_added": &c.Added, "lines_removed": &c.Removed, "dependents": &c.Dependents, "sources": &c.Sources, "untested": &c.Untested}
	there := false
	err := s.object(func(key string) error {
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
		c.Untested = min(c.Untested, c.Sources)
		t.change = &c
	}
	return err
}

// output adds a file that the run wrote: of each known name the first, and none of
// another name.
func (t *tally) output(s *stream) error {
	var o outputFigures
	err := s.object(func(key string) (err error) {
		switch key {
		case "name":
			o.name, err = s.text()
		case "sha256":
			o.sha256, err = s.text()
		case "size_bytes":
			o.size, err = s.size()
		case "members":
			err = s.list("members", func() error { o.members++; return s.skip() })
		default:
			err = s.skip()
		}
		return err
	})
	known := slices.Contains(outputNames, o.name) && job.Checksum.MatchString(o.sha256)
	if err == nil && known && !slices.ContainsFunc(t.outputs, func(p outputFigures) bool { return p.name == o.name }) {
		t.outputs = append(t.outputs, o)
	}
	return err
}

// commit reads the commit of an object that names one.
func (s *stream) commit(to *string) error {
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
