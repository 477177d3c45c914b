package peertest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// started is the action's container as the service's runner starts it: the workspace, its temporary folder and its
// home mounted, the files for outputs and summary beside them.
type started struct {
	workspace, temp, home, files string
}

// uid and gid are the runner's.
const uid, gid = "1001", "127"

func start(t *testing.T) started {
	t.Helper()
	s := started{t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()}
	write(t, filepath.Join(s.workspace, "go.mod"), []byte("module example\n"), 0o644)
	commit(t, s.workspace, "init", "--quiet", "--initial-branch=main")
	for _, dir := range []string{s.workspace, s.temp, s.home, s.files} {
		run(t, dir, nil, "chown", "-R", uid+":"+gid, ".")
	}
	return s
}

// run starts the image with inputs, and returns what it printed, what it wrote for later steps and as its summary.
func (s started) run(t *testing.T, image string, args []string, inputs ...string) (printed, output, summary string, err error) {
	t.Helper()
	for _, name := range []string{"output", "summary"} {
		write(t, filepath.Join(s.files, name), nil, 0o666)
		if err := os.Chmod(filepath.Join(s.files, name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	all := append([]string{"run", "--rm", "--network=none", "--workdir", "/github/workspace",
		"--volume", s.workspace + ":/github/workspace", "--volume", s.temp + ":/github/runner_temp",
		"--volume", s.home + ":/github/home", "--volume", s.files + ":/github/file_commands",
		"--env", "GITHUB_ACTIONS=true", "--env", "CI=true", "--env", "HOME=/github/home",
		"--env", "GITHUB_WORKSPACE=/github/workspace", "--env", "RUNNER_TEMP=/github/runner_temp",
		"--env", "RUNNER_WORKSPACE=/home/runner/work/widgets",
		"--env", "GITHUB_OUTPUT=/github/file_commands/output", "--env", "GITHUB_STEP_SUMMARY=/github/file_commands/summary",
		"--env", "INPUT_BASE=none", "--env", "INPUT_UPLOAD=never"}, args...)
	for _, in := range inputs {
		all = append(all, "--env", in)
	}
	cmd := exec.CommandContext(t.Context(), "docker", append(all, image)...)
	out, err := cmd.CombinedOutput()
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(s.files, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	return string(out), read("output"), read("summary"), err
}

// owned holds that the runner's user can take away all that a run made.
func (s started) owned(t *testing.T) {
	t.Helper()
	for _, dir := range []string{s.workspace, s.temp, s.home} {
		if left := run(t, dir, nil, "find", ".", "(", "-not", "-uid", uid, "-o", "-not", "-gid", gid, ")", "-printf", "%U:%G %P\n"); left != "" {
			t.Errorf("not the runner's:\n%s", left)
		}
	}
}

// TestContainer starts the image in ways in which its surroundings are not as one hopes.
func TestContainer(t *testing.T) {
	need(t, "docker", "git")
	const image = "haversack:peertest-container"
	run(t, module(t), []string{"DOCKER_BUILDKIT=0"}, "docker", "build", "--quiet", "--tag", image, ".")

	t.Run("results in the runner's temporary folder", func(t *testing.T) {
		s := start(t)
		printed, output, _, err := s.run(t, image, nil, "INPUT_OUTPUT-DIR=/github/runner_temp/ctx")
		if err != nil {
			t.Fatalf("%v\n%s", err, printed)
		}
		if !strings.Contains(output, "/home/runner/work/_temp/ctx/archive.tar") || strings.Contains(output, "/github/runner_temp") {
			t.Errorf("outputs name what is not there outside:\n%s", output)
		}
		if _, err := os.Stat(filepath.Join(s.temp, "ctx", "archive.tar")); err != nil {
			t.Error(err)
		}
		s.owned(t)
	})
	t.Run("results in no mount", func(t *testing.T) {
		s := start(t)
		printed, _, summary, err := s.run(t, image, nil, "INPUT_OUTPUT-DIR=/etc/x")
		const says = `"/etc/x" ends with the action's container`
		if err == nil || !strings.Contains(printed, "::error title=") || !strings.Contains(printed, says) || !strings.Contains(summary, "output-dir") {
			t.Errorf("%v\n%s\nsummary:\n%s", err, printed, summary)
		}
		s.owned(t)
	})
	t.Run("another user", func(t *testing.T) {
		s := start(t)
		// Neither may write the runner's folders: the system's temporary folder serves, and the results need a place.
		printed, _, _, err := s.run(t, image, []string{"--user", "5000"})
		if err == nil || !strings.Contains(printed, "::error title=") || !strings.Contains(printed, "permission denied") {
			t.Errorf("%v\n%s", err, printed)
		}
		s.owned(t)
		made := filepath.Join(s.workspace, "made")
		if err := os.Mkdir(made, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(made, 0o777); err != nil {
			t.Fatal(err)
		}
		printed, _, _, err = s.run(t, image, []string{"--user", "5000", "--tmpfs", "/tmp:mode=1777"}, "INPUT_OUTPUT-DIR=made")
		if err != nil {
			t.Errorf("%v\n%s", err, printed)
		}
	})
	t.Run("root without its rights", func(t *testing.T) {
		s := start(t)
		printed, _, _, err := s.run(t, image, []string{"--cap-drop", "DAC_OVERRIDE"})
		if err == nil || !strings.Contains(printed, "::error title=") {
			t.Errorf("%v\n%s", err, printed)
		}
	})
	t.Run("a credential", func(t *testing.T) {
		s := start(t)
		run(t, s.workspace, nil, "chown", "-R", fmt.Sprintf("%d:%d", os.Getuid(), os.Getgid()), ".") // git refuses another's
		write(t, filepath.Join(s.workspace, "key.txt"), []byte(fmt.Sprintf("aws_key = \"AKIA%s\"\n", "QYLPMN5HHHFPZAM2")), 0o644)
		commit(t, s.workspace)
		run(t, s.workspace, nil, "chown", "-R", uid+":"+gid, ".")
		printed, _, summary, err := s.run(t, image, nil, "INPUT_SECRETS=fail")
		if err == nil || strings.Count(printed, "::error ") != 1 || !strings.Contains(summary, "key.txt") || strings.Contains(printed+summary, "AKIA") {
			t.Errorf("%v\n%s\nsummary:\n%s", err, printed, summary)
		}
		s.owned(t)
	})
}

// TestWordsUnderAct runs a workflow whose steps fail as a user's do: what the runner shows is the cause and the fix, later
// steps run as they should, and jobs of a matrix hand over beside each other.
func TestWordsUnderAct(t *testing.T) {
	need(t, "docker", "act", "git", "npm")
	workflow, err := os.ReadFile("testdata/words.yml")
	if err != nil {
		t.Fatal(err)
	}
	dir := ourselves(t)
	write(t, filepath.Join(dir, ".github", "workflows", "words.yml"), workflow, 0o644)
	e := pushed(t, dir)
	log, artifacts := act(t, dir, e, append(images(), "--workflows", ".github/workflows/words.yml")...)
	for _, want := range []string{
		`input rules: "clever" is not allowed: smart, literal`,
		"ends with the action's container",
		"refused: failure", "elsewhere: failure", "packed: success",
		"left by others: 0",
	} {
		if !strings.Contains(log, want) {
			t.Errorf("the log does not say %q", want)
		}
	}
	// Each job of the matrix has handed over under a name of its own.
	zips, err := filepath.Glob(filepath.Join(artifacts, "*", "*", "*.zip"))
	if err != nil || len(zips) != 2 || filepath.Base(zips[0]) == filepath.Base(zips[1]) {
		t.Errorf("the server keeps %q (%v), not one artifact for each of two jobs", zips, err)
	}
	if t.Failed() {
		t.Log(log)
	}
}
