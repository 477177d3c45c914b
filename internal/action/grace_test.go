package action

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/repotest"
)

// stuck is a stream that nobody reads.
type stuck struct{ met, free chan struct{} }

func (s stuck) Write(p []byte) (int, error) {
	select {
	case s.met <- struct{}{}:
	default:
	}
	<-s.free
	return len(p), nil
}

// TestInterruptedWhereItWaits: a run that waits for whoever reads its words ends all the
// same, and leaves nothing private behind.
func TestInterruptedWhereItWaits(t *testing.T) {
	r := repotest.New(t, "-- a.txt --\nwords\n")
	temp := t.TempDir()
	s := stuck{make(chan struct{}, 1), make(chan struct{})}
	ctx, cancel := context.WithCancel(t.Context())
	c := Command{Process: job.Process{Args: []string{"--stdout", "archive.tar", "--pack", "none"}, Dir: r.Dir, Stdout: s, Stderr: s, Version: "test",
		Getenv: func(name string) string { return map[string]string{"RUNNER_TEMP": temp}[name] }}, Grace: time.Millisecond}
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	<-s.met
	cancel()
	err := <-ended
	close(s.free)
	if !errors.Is(err, context.Canceled) || job.ExitCode(err) != job.ExitFailed || !strings.Contains(err.Error(), "interrupted where it waited") {
		t.Errorf("it ends with %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(temp, "haversack-*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	if _, err := os.Stat(filepath.Join(r.Dir, ".stan", "output", "record.json")); err != nil {
		t.Error(err)
	}
}
