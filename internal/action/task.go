package action

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tree"
)

// maxTaskFile bounds a task in a file, in bytes: logs are long, and of a longer one the end would be lost.
const maxTaskFile = 8 << 20

// withTask returns the inputs of a run with the text of its task: what the inputs say, or the issue that started the
// workflow, where neither mode nor base say otherwise. A run for a task packs what that needs, in context mode, and no change.
// Where a change asks to be merged that decides, and a task that is given is asked beside it.
func withTask(e *job.Env, in *job.Inputs) (*job.Inputs, error) {
	if in.Task == "" && in.TaskFile == "" {
		if strings.TrimSpace(e.Event.Task) == "" || in.Mode != job.ModeAuto || in.Base != job.BaseAuto {
			return in, nil
		}
		issue := *in
		issue.Origins = in.Fixed("mode")
		issue.Task, issue.Mode, issue.Base = strings.ToValidUTF8(e.Event.Task, "\uFFFD"), job.ModeContext, job.BaseTask
		return &issue, nil
	}
	if in.Task != "" && in.TaskFile != "" {
		return nil, job.BadInput("task", "task-file is given too: a run has one task; keep one of them")
	}
	name, asked := "task", *in
	if in.TaskFile != "" {
		raw, err := readTask(e, in.TaskFile)
		if err != nil {
			return nil, job.BadInput("task-file", "%w", err)
		}
		name, asked.Task = "task-file", string(raw)
	}
	if strings.TrimSpace(asked.Task) == "" {
		return nil, job.BadInput(name, "empty: say in words what is to be done")
	}
	if enc := text.Detect([]byte(asked.Task)); enc == text.Binary {
		return nil, job.BadInput(name, "binary: a task is text")
	} else if !utf8.ValidString(asked.Task) {
		asked.Task = string(text.Decode([]byte(asked.Task), enc))
	}
	if snapshot.AsksToMerge(&e.Setting) {
		asked.Task, asked.Beside = "", asked.Task
		return &asked, nil
	}
	switch in.Mode {
	case job.ModeAuto, job.ModeContext:
		asked.Origins = in.Fixed("mode")
		asked.Mode = job.ModeContext
	case job.ModeFull, job.ModeMeta:
		return nil, job.BadInput("mode", "%s: what a task needs is packed in context mode; use context, or leave it out", in.Mode)
	}
	if in.Base == job.BaseAuto || in.Base == job.BaseNone {
		asked.Base = job.BaseTask
	} else {
		return nil, job.BadInput("base", "%q is where a change is measured from, and a task has none; leave it out", in.Base)
	}
	return &asked, nil
}

// maxOnlyList bounds a list of files on standard input, in bytes: the paths of a large repository.
const maxOnlyList = 32 << 20

// withOnly returns the inputs of a run with the files that include-only lists on standard input: one path a line, or, as with
// find -print0, one before each zero byte.
func withOnly(in *job.Inputs) (*job.Inputs, error) {
	if !in.OnlyRead {
		return in, nil
	}
	if in.TaskFile == "-" {
		return nil, job.BadInput("include-only", "-: task-file reads standard input already; give one of them a file, or patterns")
	}
	raw, err := takeInput(maxOnlyList)
	if err != nil {
		return nil, job.BadInput("include-only", "-: %w", err)
	}
	between := "\n"
	if strings.Contains(string(raw), "\x00") {
		between = "\x00"
	}
	only := *in
	if only.Only, err = scan.ParseNamed(strings.Split(string(raw), between)); err != nil {
		return nil, job.BadInput("include-only", "-: %w", err)
	}
	if only.Only.All() {
		return nil, job.BadInput("include-only", "-: standard input names no file; give one path a line")
	}
	return &only, nil
}

// readTask reads the file that a task stands in, relative to the workspace; - is standard input. Below the workspace no link leads out
// of it: a pull request may make one of a file that the workflow names.
func readTask(e *job.Env, name string) ([]byte, error) {
	if name == "-" {
		return takeInput(maxTaskFile)
	}
	if filepath.IsLocal(name) {
		root, err := tree.Open(e.Workspace())
		if err != nil {
			return nil, err
		}
		defer root.Close()
		raw, err := root.ReadFile(filepath.ToSlash(filepath.Clean(name)), maxTaskFile)
		if at, ok := errors.AsType[*fs.PathError](err); ok && errors.Is(err, fs.ErrNotExist) {
			at.Op = "open" // how it was looked for is no matter of the user's
		}
		return raw, err
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(e.Workspace(), name)
	}
	return tree.ReadRegular(name, maxTaskFile)
}

// takeInput returns what standard input holds, or an error that holds a LimitError where it is more than limit bytes.
func takeInput(limit int64) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(os.Stdin, limit+1))
	if err == nil && int64(len(raw)) > limit {
		err = &tree.LimitError{Limit: limit}
	}
	return raw, err
}

// taskSum is the sum of a task in the record, "" where there is none.
func taskSum(task string) string {
	if task == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(task))
	return hex.EncodeToString(sum[:])
}
