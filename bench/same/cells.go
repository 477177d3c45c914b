//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// repository is what cells run on. It is made once; each run works on a copy.
type repository struct {
	name           string
	worktree, bare string   // folders
	commits        []string // HEAD and the three before it
	files          []string // regular files that git tracks, sorted
	entry          string   // one of them, which imports others where there is one
}

// describe makes the bare copy and reads what the cells need to know.
func (r *repository) describe(ctx context.Context) error {
	r.bare = r.worktree + ".git"
	if _, err := git(ctx, r.worktree, "clone", "--quiet", "--bare", "--template=", r.worktree, r.bare); err != nil {
		return err
	}
	if _, err := git(ctx, r.bare, "remote", "remove", "origin"); err != nil {
		return err
	}
	for _, name := range []string{"HEAD", "HEAD~1", "HEAD~2", "HEAD~3"} {
		sha, err := git(ctx, r.worktree, "rev-parse", "--verify", name+"^{commit}")
		if err != nil {
			return err
		}
		r.commits = append(r.commits, sha)
	}
	listing, err := git(ctx, r.worktree, "ls-files", "-s", "-z")
	if err != nil {
		return err
	}
	for line := range strings.SplitSeq(listing, "\x00") {
		if mode, name, ok := strings.Cut(line, "\t"); ok && strings.HasPrefix(mode, "100") {
			r.files = append(r.files, name)
		}
	}
	if len(r.files) < 3 {
		return errors.New("three files are needed")
	}
	slices.Sort(r.files)
	r.entry = r.first("/index.ts", ".ts", "")
	return nil
}

// first returns the first file with one of the endings; an earlier ending wins.
func (r *repository) first(endings ...string) string {
	for _, ending := range endings {
		for _, name := range r.files {
			if strings.HasSuffix(name, ending) {
				return name
			}
		}
	}
	return r.files[0]
}

// cell is one row of the comparison: runs of the program, and changes of the repository between them.
type cell struct {
	name  string // begins with the repository's
	repo  *repository
	bare  bool
	event *event // nil on a desk
	steps []step
}

// event is what started a workflow.
type event struct{ name, ref, payload string }

// step is a run of the program with these arguments, or a change of the repository.
type step struct {
	args   []string
	change func(ctx context.Context, dir string) error
}

// run splits words at spaces; more are words as they are.
func run(words string, more ...string) step {
	return step{args: append(strings.Fields(words), more...)}
}

func change(do func(ctx context.Context, dir string) error) step { return step{change: do} }

// write puts a file into the repository.
func write(name, content string) step {
	return change(func(_ context.Context, dir string) error {
		name := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		return os.WriteFile(name, []byte(content), 0o644)
	})
}

func gitStep(args ...string) step {
	return change(func(ctx context.Context, dir string) error {
		_, err := git(ctx, dir, args...)
		return err
	})
}

// edit is the change between two runs: a file grows, one goes, one moves, one is new, which imports and holds a credential.
func (r *repository) edit() step {
	return change(func(ctx context.Context, dir string) error {
		grows, last := r.first(".md"), len(r.files)-1
		f, err := os.OpenFile(filepath.Join(dir, grows), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.WriteString("\nEdited.\n")
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
		if err := os.Remove(filepath.Join(dir, r.files[last])); err != nil {
			return err
		}
		moves := r.files[last-1]
		if err := os.Rename(filepath.Join(dir, moves), filepath.Join(dir, "moved-"+path.Base(moves))); err != nil {
			return err
		}
		content := fmt.Sprintf("import './%s';\nexport const db%s = %q;\n", strings.TrimSuffix(r.entry, ".ts"), "Password", passwords[3])
		return write("added.ts", content).change(ctx, dir)
	})
}

// cells lists what runs on a repository.
func cells(r *repository) []cell {
	var list []cell
	add := func(c cell, name string, steps ...step) {
		c.repo, c.name, c.steps = r, r.name+"/"+name, steps
		list = append(list, c)
	}
	desk := func(name string, steps ...step) { add(cell{}, name, steps...) }
	bare := func(name string, steps ...step) { add(cell{bare: true}, "bare/"+name, steps...) }
	modes := []string{"full", "context", "meta"}
	for _, mode := range modes {
		for _, secrets := range []string{"redact", "exclude"} {
			for _, base := range []string{"none", "auto", "HEAD~3", "saved", "session"} {
				name := path.Join(mode, secrets, base)
				flags := fmt.Sprintf("--mode %s --secrets %s --base %s", mode, secrets, base)
				switch base {
				case "saved":
					desk(name, run(flags), r.edit(), run(flags+" --update-saved replace"))
				case "session":
					flags += " --session fixed"
					desk(name, run(flags), r.edit(), run(flags))
				default:
					desk(name, run(flags))
					bare(name, run(flags+" --ref HEAD"))
				}
			}
		}
		for _, base := range []string{"none", "HEAD~3"} {
			desk("fail/"+mode+"/"+base, run("--secrets fail --mode "+mode+" --base "+base))
		}
	}

	desk("plain", run(""))
	desk("dirty", r.edit(), run(""))
	desk("again", run("--mode full"), run("--mode full"), run("--mode meta"))
	desk("remote", gitStep("update-ref", "refs/remotes/origin/main", "HEAD~3"),
		gitStep("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"), run(""))
	for _, pack := range []string{"full", "both", "summary", "none"} {
		desk("pack/"+pack, run("--base HEAD~3 --pack "+pack))
	}
	desk("pack/markdown", run("--base HEAD~3 --pack both --pack-format markdown"))
	desk("pack/limits", run("--base HEAD~3 --max-files 20 --max-file-bytes 900 --head-lines 3 --tail-lines 2 --on-decode-error skip"))
	desk("zstd/full", run("--compress zstd --mode full --base HEAD~3"))
	desk("zstd/context", run("--compress zstd --mode context --base HEAD~3"), run("verify .stan/output/archive.tar.zst"))
	desk("depths", run("--mode context --base HEAD~3 --changed-depth 1 --dependents-depth 1"))
	desk("depths/dirty", r.edit(), run("--mode context --changed-depth 2 --dependents-depth 0"))
	desk("budget/refused", run("--mode context --budget-tokens 10"))
	for _, tokens := range []string{"1700", "40000", "95000"} { // one of them is tight
		desk("budget/"+tokens, run("--mode context --base HEAD~3 --changed-depth 2 --dependents-depth 2 --budget-tokens "+tokens))
	}
	desk("graph-off", run("--mode context --graph off --base HEAD~3"))
	desk("literal", run("--rules literal --base HEAD~3"))
	desk("patterns", run("--include node_modules/dep/** --include ignored --exclude **/*.md --untracked=false --base HEAD~3"))
	desk("path", run("--mode full --base HEAD~3 --output-dir results --path", path.Dir(r.entry)))
	desk("json", run("--json --base HEAD~3"))
	desk("stdout", run("--stdout archive.tar"), run("--stdout archive.diff.tar --base none"))

	desk("graph", run("graph"), run("graph --json"))
	bare("graph", run("graph --ref HEAD"))
	desk("select", run("select"), run("select --json"))
	desk("select/entry", run("select", r.entry+"@2"), run("select --json", r.entry), run("select nothing.ts"))
	desk("select/depths", run("select --base HEAD~3 --changed-depth 1 --budget-tokens 20000"))
	bare("select", run("select --ref HEAD", r.entry+"@1:runtime"))
	desk("select/add", run("select --add", r.entry+"@1"), run("--base HEAD~3"), run("select --remove", r.entry), run("select --remove", r.entry))
	desk("verify", run("--base HEAD~3"), run("verify .stan/output/archive.tar"), run("verify .stan/output/archive.diff.tar"))
	desk("verify/damaged", run(""), change(func(_ context.Context, dir string) error {
		return os.Truncate(filepath.Join(dir, ".stan/output/archive.tar"), 2000)
	}), run("verify .stan/output/archive.tar"))
	desk("session", run("session show --session fixed"), run("--session fixed --base session"), r.edit(), run("--session fixed --base session --mode context"),
		run("session show --session fixed"), run("session history --session fixed", r.first(".md")))
	desk("session/auto", run("--session auto --base session"), run("session show"))
	desk("comment", run(""), run("comment --record .stan/output/record.json"))

	desk("fault/input", run("--mode everything"))
	desk("fault/flag", run("--modes full"))
	desk("fault/base", run("--base nowhere"), run("--base", strings.Repeat("0123", 10)))
	desk("fault/state", write(".stan/context/dependency.state.json", `{"v":2,"i":["../outside"],"y":1}`), run(""))
	desk("fault/greedy", write(".stan/context/dependency.state.json", `{"v":2,"i":[".git/config",".env","nothing.ts","src"],"x":["README.md"]}`), run(""))
	desk("fault/allow", write(".haversackallow", "*\n"), run(""))
	desk("fault/saved", write(".stan/diff/.archive.snapshot.json", `{"README.md": 7}`), run("--base saved --mode full"))
	desk("fault/database", write(".stan/session/objects.db", "none"), run("--session fixed --base session"))

	head, parent, third := r.commits[0], r.commits[1], r.commits[3]
	push := event{"push", "refs/heads/main", fmt.Sprintf(`{"before":%q,"after":%q,"repository":{"default_branch":"main"}}`, third, head)}
	pull := event{"pull_request", "refs/pull/5/merge", fmt.Sprintf(`{"action":"synchronize","number":5,"repository":{"default_branch":"main"},`+
		`"pull_request":{"number":5,"base":{"ref":"base","sha":%q},"head":{"ref":"topic","sha":%q}}}`, parent, head)}
	workflow := func(name string, e event, steps ...step) { add(cell{event: &e}, "workflow/"+name, steps...) }
	const quiet = "--upload never --comment never "
	workflow("push", push, run(quiet))
	workflow("push/context", push, run(quiet+"--mode context --untracked"))
	workflow("push/dirty", push, r.edit(), run(quiet+"--json"))
	workflow("push/session", push, run(quiet+"--session auto --base session"))
	workflow("push/upload", push, run("--upload auto --comment auto"))
	workflow("pull", pull, gitStep("branch", "base", parent), run(quiet))
	workflow("pull/context", pull, gitStep("branch", "base", parent), run(quiet+"--mode context"))
	workflow("pull/exclude", pull, gitStep("branch", "base", parent), run(quiet+"--secrets exclude --pack both"))
	workflow("pull/fail", pull, gitStep("branch", "base", parent), run(quiet+"--secrets fail"))
	merge := change(func(ctx context.Context, dir string) error {
		sha, err := git(ctx, dir, "commit-tree", "-m", "merge", "-p", third, "-p", head, head+"^{tree}")
		if err == nil {
			_, err = git(ctx, dir, "checkout", "--quiet", "--detach", sha)
		}
		return err
	})
	merged := pull
	merged.payload = strings.Replace(pull.payload, parent, third, 1)
	workflow("merge", merged, merge, run(quiet))
	workflow("merge/context", merged, merge, run(quiet+"--mode context"))
	stale := merged
	stale.payload = strings.Replace(merged.payload, head, parent, 1)
	workflow("merge/stale", stale, merge, run(quiet))
	workflow("release", event{"release", "refs/tags/v2", `{"action":"published"}`}, gitStep("tag", "v1", third), gitStep("tag", "v2"), run(quiet))
	workflow("by-hand", event{"workflow_dispatch", "refs/heads/main", `{"repository":{"default_branch":"main"}}`}, run(quiet+"--secrets exclude"))
	workflow("payload", event{"push", "refs/heads/main", "none"}, run(quiet))
	return list
}
