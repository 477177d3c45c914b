package record

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/haversack-dev/haversack/internal/archive"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Bounds on a record that somebody else may have written.
const (
	// MaxRecord is the most bytes of a record that are read.
	MaxRecord = 512 << 20
	// MaxRows is beyond the paths that a run may list.
	MaxRows = 1_100_000
	// leastRow is the shortest row: {"path":"a","included":true,"size_bytes":0}.
	leastRow = 40
	// maxMembers is what two archives may hold.
	maxMembers = 2 << 20
	// maxOutputs is beyond the files that a run writes.
	maxOutputs = 64
	// maxInputs is beyond the inputs that there are, maxDefaults beyond the files that give any.
	maxInputs, maxDefaults = 1_000, 16
	// MaxValue is the most bytes of one row, one member, one number or name. A file
	// with the most findings that may be redacted in one has a hundred KB.
	MaxValue = 4 << 20
	// maxFindings are those of one row.
	maxFindings = 10_000
)

// Read reads of a record what verify, why and comment need: not the
// directory tree, the pack, the warnings. It is read as a stream, so that memory
// is taken for what is kept alone; why says what needs it.
func Read(name, why string) (*Record, error) {
	folder, err := tree.OpenFolder(filepath.Dir(name))
	if err != nil {
		return nil, job.WithCode(fmt.Errorf("%w: %s", err, why), job.ExitInput)
	}
	defer folder.Close()
	return ReadIn(folder, filepath.Base(name), why)
}

// ReadIn reads as Read does, in a folder that is open.
func ReadIn(folder *os.Root, name, why string) (*Record, error) {
	f, _, err := tree.OpenIn(folder, name, os.O_RDONLY, 0)
	if err != nil {
		return nil, job.WithCode(fmt.Errorf("%w: %s", err, why), job.ExitInput)
	}
	defer f.Close()
	rec, err := Decode(f)
	if err != nil {
		return nil, job.WithCode(fmt.Errorf("record.json is not a record: %w", err), job.ExitInput)
	}
	return rec, nil
}

// Decode reads a record of anybody's making within the bounds above; an error says at
// which byte.
func Decode(r io.Reader) (*Record, error) {
	s := NewStream(r, MaxRecord, MaxValue, 10_000)
	rec := new(Record)
	err := s.object(func(key string) error {
		switch key {
		case "head":
			return s.Value(&rec.Head)
		case "base":
			return s.Value(&rec.Base)
		case "mode":
			return s.Value(&rec.Mode)
		case "budget":
			return s.Value(&rec.Budget)
		case "files":
			return s.array(MaxRows, func() error {
				var row Row
				before := s.d.InputOffset()
				if err := s.Value(&row); err != nil {
					return err
				}
				// What is shorter is no row, and a few bytes would become hundreds.
				if row.Path == "" {
					return s.at(errors.New("a row without a path"))
				}
				if n := s.d.InputOffset() - before; n < leastRow {
					return s.at(fmt.Errorf("a row of %d bytes", n))
				}
				if len(row.Redactions)+len(row.Accepted)+len(row.Why) > maxFindings {
					return s.at(fmt.Errorf("a row with more than %d findings", maxFindings))
				}
				rec.Files = append(rec.Files, row)
				return nil
			})
		case "inputs":
			return s.array(maxInputs, func() error {
				var in Input
				err := s.Value(&in)
				rec.Inputs = append(rec.Inputs, in)
				return err
			})
		case "defaults":
			return s.array(maxDefaults, func() error {
				var d Defaults
				err := s.Value(&d)
				rec.Defaults = append(rec.Defaults, d)
				return err
			})
		case "outputs":
			return s.array(maxOutputs, func() error {
				o, err := s.output()
				rec.Outputs = append(rec.Outputs, o)
				return err
			})
		}
		return s.skip()
	})
	if err == nil {
		err = s.End()
	}
	return rec, err
}

// output reads one output, member by member.
func (s *Stream) output() (o Output, err error) {
	err = s.object(func(key string) error {
		switch key {
		case "name":
			return s.Value(&o.Name)
		case "sha256":
			return s.Value(&o.SHA256)
		case "size_bytes":
			return s.Value(&o.SizeBytes)
		case "members":
			return s.array(maxMembers, func() error {
				var m archive.Member
				if err := s.Value(&m); err != nil {
					return err
				}
				if s.counts["members"]++; s.counts["members"] > maxMembers || m.Path == "" {
					return s.at(fmt.Errorf("a member without a path, or more than %d members", maxMembers))
				}
				o.Members = append(o.Members, m)
				return nil
			})
		}
		return s.skip()
	})
	return o, err
}
