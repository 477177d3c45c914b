package deliver

import (
	"context"
	"fmt"
	"os/exec"
	"strings"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/record"
)

// clipboards are the programs that put their input on a clipboard, each with the environment variable, if any, without which there is no
// clipboard.
var clipboards = []struct {
	needs string
	line  []string
}{
	{"WAYLAND_DISPLAY", []string{"wl-copy"}},
	{"DISPLAY", []string{"xclip", "-selection", "clipboard"}},
	{"DISPLAY", []string{"xsel", "--clipboard", "--input"}},
	{"", []string{"pbcopy"}},
	{"", []string{"clip.exe"}},
	{"", []string{"termux-clipboard-set"}},
}

// copyPrompt puts context.md on the clipboard by the first program that is there for it.
// No program of a folder that is packed is run: what PATH finds below the folder that the
// program runs in is refused.
func copyPrompt(ctx context.Context, e *job.Env, out *Folder) error {
	var names []string
	for _, c := range clipboards {
		names = append(names, c.line[0])
		if c.needs != "" && e.Getenv(c.needs) == "" {
			continue
		}
		program, err := exec.LookPath(c.line[0])
		if err != nil || job.SlashRel(e.WorkspaceAbs(), program) != "" {
			continue
		}
		text, closeAll, err := openResult(record.PromptName, out)
		if err != nil {
			return job.UsageError("--copy: this run made no %s", record.PromptName)
		}
		defer closeAll()
		cmd := exec.CommandContext(ctx, program, c.line[1:]...)
		cmd.Stdin = text
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("copying %s by %s: %w", record.PromptName, c.line[0], err)
		}
		e.Log.Line("Copied %s to the clipboard.", record.PromptName)
		return nil
	}
	return job.UsageError("--copy: none of %s is here and has a clipboard; pipe --stdout %s into a program that has", strings.Join(names, ", "), record.PromptName)
}
