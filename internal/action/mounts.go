package action

import (
	"path"
	"path/filepath"
	"strings"
)

// A runner mounts four folders of its machine into an action's container, under one
// root, and tells the container's paths in the environment. What lies elsewhere is the
// container's own and ends with it; what the container's paths are called outside has
// to be worked out.
const (
	mountedWorkspace = "workspace"
	mountedTemp      = "runner_temp"
	mountedHome      = "home"
)

// mounts is the root of the runner's mounts, as /github, "" where the program is in no
// container of an action.
func (e *env) mounts() string {
	root, name := filepath.Split(e.Getenv("GITHUB_WORKSPACE"))
	root = strings.TrimSuffix(root, "/")
	if !e.workflow || name != mountedWorkspace || path.Base(root) != "github" || e.Getenv("RUNNER_TEMP") != root+"/"+mountedTemp {
		return ""
	}
	return root
}

// outside returns what a folder is called where later steps run: relative to the
// workspace inside of it. Kept is false for a folder that ends with the container.
func (e *env) outside(dir string) (name string, kept bool) {
	if rel := slashRel(e.workspaceAbs(), dir); rel != "" {
		return rel, true
	}
	root := e.mounts()
	if root == "" {
		return dir, true
	}
	// A runner's folder of work holds the workspace two levels down, and _temp.
	work := "../.."
	if w := e.Getenv("RUNNER_WORKSPACE"); filepath.IsAbs(w) && slashRel(root, w) == "" {
		work = filepath.Dir(w)
	}
	for mount, there := range map[string]string{mountedTemp: "_temp", mountedHome: "_temp/_github_home"} {
		from := root + "/" + mount
		if real, err := filepath.EvalSymlinks(from); err == nil && slashRel(from, dir) == "" {
			from = real
		}
		if rel := slashRel(from, dir); rel != "" {
			return path.Join(work, there, rel), true
		}
	}
	return "", false
}
