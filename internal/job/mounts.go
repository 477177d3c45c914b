package job

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/object"
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

// inImage is set in the project's own image, by its Dockerfile: a container of it ends with the run, whoever starts it.
const inImage = "HAVERSACK_IMAGE"

// mounted reports whether a folder lies on something that was mounted into this container. The system's list
// of mounts is read on Linux, where containers are; what it does not tell is taken for mounted.
func mounted(dir string) bool {
	list, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return true
	}
	return onMount(string(list), dir)
}

// onMount reads the fifth field of each line: where something is mounted, with blanks as \040. In memory
// alone, or the system's own, nothing is kept.
func onMount(list, dir string) bool {
	best, kept := "", false
	for line := range strings.Lines(list) {
		fields := strings.Fields(line)
		if len(fields) < 9 {
			continue
		}
		at := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(fields[4])
		if at != "/" && at != dir && SlashRel(at, dir) == "" || len(at) < len(best) {
			continue
		}
		kind := ""
		if i := slices.Index(fields, "-"); i > 0 && i+1 < len(fields) {
			kind = fields[i+1]
		}
		best, kept = at, at != "/" && !slices.Contains([]string{"tmpfs", "proc", "sysfs", "devpts", "mqueue", "cgroup", "cgroup2"}, kind)
	}
	return kept
}

// mounts is the root of the runner's mounts, as /github, "" where the program is in no
// container of an action.
func (e *Setting) mounts() string {
	root, name := filepath.Split(e.Getenv("GITHUB_WORKSPACE"))
	root = strings.TrimSuffix(root, "/")
	if !e.Workflow || name != mountedWorkspace || path.Base(root) != "github" || e.Getenv("RUNNER_TEMP") != root+"/"+mountedTemp {
		return ""
	}
	return root
}

// Outside returns what a folder is called where later steps run: relative to the
// workspace inside of it. Kept is false for a folder that ends with the container.
func (e *Setting) Outside(dir string) (name string, kept bool) {
	if rel := SlashRel(e.WorkspaceAbs(), dir); rel != "" {
		return rel, true
	}
	root := e.mounts()
	if root == "" {
		return dir, e.Getenv(inImage) == "" || mounted(dir)
	}
	// A runner's folder of work holds the workspace two levels down, and _temp.
	work := "../.."
	if w := e.Getenv("RUNNER_WORKSPACE"); filepath.IsAbs(w) && SlashRel(root, w) == "" {
		work = filepath.Dir(w)
	}
	for mount, there := range map[string]string{mountedTemp: "_temp", mountedHome: "_temp/_github_home"} {
		from := root + "/" + mount
		if real, err := filepath.EvalSymlinks(from); err == nil && SlashRel(from, dir) == "" {
			from = real
		}
		if rel := SlashRel(from, dir); rel != "" {
			return path.Join(work, there, rel), true
		}
	}
	return "", false
}

// Resolver says how this machine's paths, and those that the assistant sees, are named in a store.
// dir is the folder that is packed. thread is that whose store this is not alone, "" for none: of a
// workflow, where no file system's id is declared, files of two threads are different objects then.
func (e *Setting) Resolver(in *Delivery, dir, thread string) (*object.Resolver, error) {
	own := in.FilesystemID
	if !e.Workflow {
		if own == "" {
			var err error
			if own, err = object.DefaultFilesystemID(); err != nil {
				return nil, err
			}
		}
		if len(in.Mounts) > 0 {
			return object.NewResolver(own, in.Mounts...)
		}
		return object.Identity(own)
	}
	machine, err := object.DefaultFilesystemID()
	if err != nil {
		return nil, err
	}
	if own == "" {
		own = object.RepositoryFilesystemID(e.Getenv("GITHUB_SERVER_URL"), e.RepositoryID(), thread)
	}
	r, err := object.Workflow(machine, own, "/github/workspace", e.WorkspaceAbs(), filepath.ToSlash(dir))
	if err != nil {
		return nil, err
	}
	return r.With(own, in.Mounts...)
}
