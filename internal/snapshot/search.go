package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Inventory is what the search of the head met.
type Inventory struct {
	*scan.SearchResult
	// Search finds further files in the same way: those that are asked for by name.
	Search *scan.Search
	// allow accepts findings.
	allow    secret.Allow
	Warnings []string
}

// Search looks through the head: what there is, each file redacted of what was found in it.
func (x *Finder) Search(ctx context.Context, b *Base, mode job.Mode) (*Inventory, error) {
	e, in, h := x.e, x.in, x.Head
	allow, warnings, err := readAllow(e, h, b)
	if err != nil {
		return nil, err
	}
	rules := NewRules(e, in, h, mode)
	rules.Generated = generated(h, b)
	search := &scan.Search{Root: h.Root, Rules: rules, Git: h.Git(), Screener: e.Screener.Judging(in.Secrets, allow), Spool: e.Spool, MaxFile: in.LimitFileBytes,
		Absent: h.absent(), Progress: e.Progress}
	e.Progress.Total.Store(int64(len(h.tracked)))
	all, err := search.Find(ctx)
	if err != nil {
		return nil, err
	}
	warnings = slices.Concat(warnings, all.Warnings, allow.Warnings)
	if len(all.Files) == 0 {
		if all.Empty() {
			return nil, job.BadInput("path", "%q is empty: there is nothing to pack", in.Path)
		}
		warnings = append(warnings, "no file is left to pack: see the omissions in record.json")
	}
	idle, err := unmatched(e, in, h, all)
	if err != nil {
		return nil, err
	}
	warnings = append(warnings, idle...)
	return &Inventory{all, search, allow, warnings}, nil
}

// NewRules are the name rules of this run.
func NewRules(e *job.Setting, in *job.Scope, h *Head, mode job.Mode) scan.Rules {
	rules := scan.Rules{Literal: in.Literal, Include: in.Include, Exclude: in.Exclude, Stan: in.Stan, Under: h.under,
		Untracked: in.Untracked, Context: mode != job.ModeFull}
	if dir, err := OutputDir(e, in, h); err == nil {
		if out := job.SlashRel(h.Dir, dir); out != "" && out != "." {
			rules.Output = out
		}
	}
	return rules
}

// generated are the files that a manifest of the head, or of the base, makes a Secret
// of: that a manifest is taken away makes no value public.
func generated(h *Head, b *Base) map[string]string {
	out := map[string]string{}
	if b.Root != nil {
		maps.Copy(out, scan.Generated(b.Root, func(yield func(string) bool) {
			for i := range b.Files {
				if !yield(b.Files[i].Path) {
					return
				}
			}
		}))
	}
	maps.Copy(out, scan.Generated(h.Root, func(yield func(string) bool) {
		for i := range h.tracked {
			if !yield(h.tracked[i].Path) {
				return
			}
		}
	}))
	return out
}

// OutputDir is where results go, as a path on disk.
func OutputDir(e *job.Setting, in *job.Scope, h *Head) (string, error) {
	switch dir := in.OutputDir; {
	case dir == "":
		return h.Place(in.Stan + "/output")
	case filepath.IsAbs(dir):
		return filepath.Clean(dir), nil
	default:
		return filepath.Join(e.WorkspaceAbs(), dir), nil
	}
}

// foreignEvents are those, beside the pull request's own, in which a workflow may
// have checked out what somebody else wrote.
var foreignEvents = []string{"issue_comment", "workflow_run", "merge_group", "check_run", "check_suite", "issues", "discussion", "discussion_comment",
	"deployment", "deployment_status", "status"}

// Foreign reports whether what is packed may be anybody's, so that the head's own files
// decide on nothing: those of the base count.
func Foreign(e *job.Setting) bool {
	return strings.HasPrefix(e.Event.Name, "pull_request") || slices.Contains(foreignEvents, e.Event.Name)
}

// answerable is the tree whose file of a name is asked: the head's, or, where that may be
// anybody's, the base's. A base that is the head's own history is none. It is nil where
// nobody's counts; the warning says so where the head has such a file.
func answerable(e *job.Setting, h *Head, b *Base, name string) (*tree.Root, string) {
	switch {
	case !Foreign(e):
		return h.Root, ""
	case b.answers(e, h):
		return b.Root, ""
	}
	if fi, err := h.Root.Stat(name); err == nil && fi.Mode.IsRegular() {
		return nil, name + " is not read: what is packed may be anybody's, and there is no base whose file would count"
	}
	return nil, ""
}

// readAllow reads the findings that somebody answers for: a request must not allow its own leak.
func readAllow(e *job.Setting, h *Head, b *Base) (secret.Allow, []string, error) {
	root, warning := answerable(e, h, b, secret.AllowFile)
	switch {
	case warning != "":
		return secret.Allow{}, []string{warning}, nil
	case root == nil:
		return secret.Allow{}, nil, nil
	}
	return allowIn(root)
}

// maxAllow bounds an allow file, in bytes.
const maxAllow = 1 << 20

func allowIn(root *tree.Root) (secret.Allow, []string, error) {
	raw, err := root.ReadFile(secret.AllowFile, maxAllow)
	var over *tree.LimitError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return secret.Allow{}, nil, nil
	case noFile(err), errors.As(err, &over):
		return secret.Allow{}, []string{fmt.Sprintf("%s is passed over, and accepts nothing: %s", secret.AllowFile, Cause(err))}, nil
	case err != nil:
		return secret.Allow{}, nil, job.WithCode(fmt.Errorf("reading %s: %w", secret.AllowFile, err), job.ExitInput)
	}
	allow, err := secret.ParseAllow(secret.AllowFile, raw)
	if err != nil {
		return secret.Allow{}, nil, job.WithCode(err, job.ExitInput)
	}
	return allow, nil, nil
}
