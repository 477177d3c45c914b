package peertest

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// images is how act is told where jobs run.
func images() []string {
	image := os.Getenv("HAVERSACK_RUNNER_IMAGE")
	if image == "" {
		image = "catthehacker/ubuntu:act-latest"
	}
	return []string{"--platform", "ubuntu-24.04=" + image}
}

// inHost lets jobs run on this machine itself, without a job container.
var inHost = []string{"--platform", "ubuntu-24.04=-self-hosted"}

// selftest.yml, word for word: checkout, the action built from the Dockerfile, the artifact read back by the official
// client, hashes compared, for a full and a shallow clone. Then the same artifacts as they lie in the server's folder.
func TestSelftest(t *testing.T) {
	need(t, "docker", "act", "git", "npm")
	for _, where := range []struct {
		name string
		args []string
	}{{"container", images()}, {"self-hosted", inHost}} {
		for _, happens := range []struct {
			name string
			make func(*testing.T, string) event
		}{{"push", pushed}, {"pull_request", proposed}} {
			t.Run(where.name+"/"+happens.name, func(t *testing.T) {
				dir := ourselves(t)
				e := happens.make(t, dir)
				log, artifacts := act(t, dir, e, append(where.args, "--workflows", ".github/workflows/selftest.yml")...)
				outputs := said(t, log)
				if len(outputs) != 2 {
					t.Fatalf("the workflow said its outputs %d times, not once for each clone:\n%s", len(outputs), log)
				}
				if got := strings.Count(log, "read by the official client"); got != 4 {
					t.Errorf("the official client read %d artifacts, not 4:\n%s", got, log)
				}
				for _, clone := range []string{"0", "1"} {
					h := stored(t, artifacts, "context-"+clone)
					agree(t, h, outputs[0])
					unlike(t, h.changes(t), changed)
				}
			})
		}
	}
}

// said collects what the workflow printed as the action's outputs.
func said(t *testing.T, log string) []map[string]string {
	t.Helper()
	var all []map[string]string
	for line := range strings.Lines(log) {
		_, text, ok := strings.Cut(line, "| {")
		if !ok || !strings.Contains(text, `"archive-sha256"`) {
			continue
		}
		var outputs map[string]string
		if err := json.Unmarshal([]byte("{"+text), &outputs); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		all = append(all, outputs)
	}
	return all
}

// agree fails when the outputs, the record and the archives do not say the same.
func agree(t *testing.T, h handed, outputs map[string]string) {
	t.Helper()
	for output, name := range map[string]string{"archive-sha256": "archive.tar", "archive-diff-sha256": "archive.diff.tar"} {
		if outputs[output] != h.sha256[name] {
			t.Errorf("output %s is %q, the artifact's %s has %s", output, outputs[output], name, h.sha256[name])
		}
	}
	named := 0
	for _, o := range h.record.Outputs {
		if got, ok := h.sha256[o.Name]; ok {
			named++
			if got != o.SHA256 {
				t.Errorf("the record gives %s as %s, the artifact holds %s", o.Name, o.SHA256, got)
			}
		}
	}
	if named < 2 {
		t.Errorf("the record names %d of the artifact's files", named)
	}
	if outputs["base-commit"] != h.record.Base.Commit || outputs["base-reason"] != h.record.Base.Reason {
		t.Errorf("outputs name base %q, %q; the record %q, %q", outputs["base-commit"], outputs["base-reason"], h.record.Base.Commit, h.record.Base.Reason)
	}
	included := 0
	for _, f := range h.record.Files {
		content, member := h.archive[f.Path]
		if member != f.Included {
			t.Errorf("%s: included is %v, member of the archive is %v", f.Path, f.Included, member)
		}
		if !f.Included {
			if f.Reason == "" || f.Rule == "" {
				t.Errorf("%s is left out with reason %q and rule %q", f.Path, f.Reason, f.Rule)
			}
			continue
		}
		included++
		if f.SHA256 != "" && f.SHA256 != sum(content) {
			t.Errorf("%s: the record says %s, the archive holds %s", f.Path, f.SHA256, sum(content))
		}
	}
	if included < 10 {
		t.Errorf("the record includes %d files only", included)
	}
}

// changes reads changes.json of the diff archive as "status path" lines, and checks that what was added or modified
// is there.
func (h handed) changes(t *testing.T) []string {
	t.Helper()
	data, ok := h.diff[".stan/context/changes.json"]
	if !ok {
		t.Fatalf("the diff archive has no changes.json, but %q", slices.Sorted(maps.Keys(h.diff)))
	}
	var doc struct {
		Changes []struct{ Status, Path, SHA256 string }
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatalf("changes.json: %v", err)
	}
	var lines []string
	for _, c := range doc.Changes {
		lines = append(lines, c.Status+" "+c.Path)
		if content, ok := h.diff[c.Path]; ok != (c.Status != "D") {
			t.Errorf("%s %s: member of the diff archive is %v", c.Status, c.Path, ok)
		} else if ok && c.SHA256 != "" && c.SHA256 != sum(content) {
			t.Errorf("%s: changes.json says %s, the archive holds %s", c.Path, c.SHA256, sum(content))
		}
	}
	return lines
}

// unlike fails when the two lists, in any order, are not the same.
func unlike(t *testing.T, got, want []string) {
	t.Helper()
	got, want = slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))
	if !slices.Equal(got, want) {
		t.Errorf("changes are %q, want %q", got, want)
	}
}

// onPath builds the binary and puts it before everything else on the path.
func onPath(t *testing.T) {
	t.Helper()
	bin := t.TempDir()
	run(t, module(t), []string{"CGO_ENABLED=0"}, "go", "build", "-o", filepath.Join(bin, "haversack"), "./cmd/action")
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// The binary in a run: step, as somebody without Docker would use it under act.
func TestRunStep(t *testing.T) {
	need(t, "act", "git", "npm")
	onPath(t)
	workflow, err := os.ReadFile("testdata/run-step.yml")
	if err != nil {
		t.Fatal(err)
	}
	for _, happens := range []struct {
		name string
		make func(*testing.T, string) event
	}{{"push", pushed}, {"pull_request", proposed}} {
		t.Run(happens.name, func(t *testing.T) {
			dir := ourselves(t)
			write(t, filepath.Join(dir, ".github", "workflows", "run-step.yml"), workflow, 0o644)
			e := happens.make(t, dir)
			log, artifacts := act(t, dir, e, append(slices.Clone(inHost), "--workflows", ".github/workflows/run-step.yml")...)
			outputs := said(t, log)
			if len(outputs) != 1 {
				t.Fatalf("the workflow said its outputs %d times:\n%s", len(outputs), log)
			}
			h := stored(t, artifacts, "context")
			agree(t, h, outputs[0])
			unlike(t, h.changes(t), changed)
		})
	}
}

// The image as the service's runner starts it: the workspace of another user mounted, nothing else given.
func TestImage(t *testing.T) {
	need(t, "docker", "git")
	const image = "haversack:peertest"
	run(t, module(t), []string{"DOCKER_BUILDKIT=0"}, "docker", "build", "--quiet", "--tag", image, ".")
	buildkit := exec.Command("docker", "build", "--quiet", "--tag", image, "--network=host", ".")
	buildkit.Dir, buildkit.Env = module(t), append(os.Environ(), "DOCKER_BUILDKIT=1")
	if out, err := buildkit.CombinedOutput(); strings.Contains(string(out), "buildx component is missing") {
		t.Log("this docker client has no BuildKit; the classic builder alone built the image")
	} else if err != nil {
		t.Fatalf("building with BuildKit: %v\n%s", err, out)
	}
	var config []struct {
		Size   int64
		Config struct {
			User       string
			Entrypoint []string
			Labels     map[string]string
		}
	}
	if err := json.Unmarshal([]byte(run(t, ".", nil, "docker", "image", "inspect", image)), &config); err != nil {
		t.Fatal(err)
	}
	c := config[0]
	if c.Config.User != "" {
		t.Errorf("the image names the user %q: it could not write to a runner's files", c.Config.User)
	}
	if c.Size > 41<<20 {
		t.Errorf("the image has %d bytes; the binary may have 40 MB", c.Size)
	}
	if c.Config.Labels["org.opencontainers.image.source"] == "" {
		t.Error("the image does not say where it comes from")
	}
	if out := run(t, ".", nil, "docker", "run", "--rm", "--network=none", image, "--help"); !strings.Contains(out, "haversack") {
		t.Errorf("--help prints %q", out)
	}

	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), []byte("module example\n"), 0o644)
	commit(t, dir, "init", "--quiet", "--initial-branch=main")
	run(t, dir, nil, "chown", "-R", uid+":"+gid, ".")
	files := t.TempDir()
	write(t, filepath.Join(files, "output"), nil, 0o644)
	write(t, filepath.Join(files, "summary"), nil, 0o644)
	run(t, dir, nil, "docker", "run", "--rm", "--network=none", "--workdir", "/github/workspace",
		"--volume", dir+":/github/workspace", "--volume", files+":/github/file_commands",
		"--env", "GITHUB_ACTIONS=true", "--env", "CI=true", "--env", "GITHUB_WORKSPACE=/github/workspace",
		"--env", "GITHUB_OUTPUT=/github/file_commands/output", "--env", "GITHUB_STEP_SUMMARY=/github/file_commands/summary",
		"--env", "INPUT_BASE=none", image)
	made := strings.Fields(run(t, dir, nil, "find", ".stan", "-printf", "%U:%G=%P\n"))
	if len(made) < 3 {
		t.Fatalf("the run made %q", made)
	}
	for _, m := range made {
		if owner, name, _ := strings.Cut(m, "="); owner != uid+":"+gid {
			t.Errorf(".stan/%s belongs to %s, the workspace to %s:%s", name, owner, uid, gid)
		}
	}
	output, err := os.ReadFile(filepath.Join(files, "output"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(output), "/github/workspace") {
		t.Errorf("an output names a path that only the container knows:\n%s", output)
	}
}
