package action

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/sethvargo/go-githubactions"

	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/text"
)

// log is where a run says what it does: a progress bar on a terminal, plain
// lines and commands in a workflow's log, nothing where neither looks. Whatever it
// is told passes the screen first.
type log struct {
	screener *scan.Screener
	held     []string // warnings that wait for the screen to know more
	out, err io.Writer
	action   *githubactions.Action // nil outside of a workflow
	terminal bool
	quiet    bool // stdout belongs to a result
	progress scan.Progress
	stop     chan struct{}
	done     chan struct{}
}

func newLog(c *Command, o *options, s *scan.Screener) *log {
	l := &log{screener: s, out: c.Stdout, err: c.Stderr, terminal: c.Terminal, quiet: o.json || o.stdout != ""}
	if inWorkflow(c.Getenv) {
		w := c.Stdout
		if l.quiet {
			w = c.Stderr
		}
		l.action = githubactions.New(githubactions.WithWriter(w), githubactions.WithGetenv(c.Getenv))
	}
	return l
}

// begin tells that a step starts. Long steps show how far they are.
func (l *log) begin(step string) {
	if !l.terminal || step != "scan" {
		return
	}
	l.stop, l.done = make(chan struct{}), make(chan struct{})
	bar := progressbar.NewOptions64(-1, progressbar.OptionSetWriter(l.err), progressbar.OptionSetDescription("scanning"),
		progressbar.OptionClearOnFinish(), progressbar.OptionSpinnerType(14), progressbar.OptionThrottle(100*time.Millisecond))
	go func(stop, done chan struct{}) {
		defer close(done)
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				bar.Finish()
				return
			case <-tick.C:
				bar.Describe(fmt.Sprintf("scanning: %d files, %s", l.progress.Files.Load(), bytesText(l.progress.Bytes.Load())))
				bar.Add(1)
			}
		}
	}(l.stop, l.done)
}

func (l *log) end() {
	if l.stop != nil {
		close(l.stop)
		<-l.done
		l.stop = nil
	}
}

// knows lets a screen that knows more values take the place of the first.
func (l *log) knows(s *scan.Screener) { l.screener = s }

// hold keeps warnings back until release: they may quote what only a later step
// finds to be a credential.
func (l *log) hold(list ...string) { l.held = append(l.held, list...) }

// release prints warnings in place of those that were held back.
func (l *log) release(list []string) {
	for _, w := range list {
		l.warn(w)
	}
	l.held = nil
}

// warn prints one warning: in a workflow as an annotation.
func (l *log) warn(s string) {
	s = l.screener.Clean(s)
	if l.action != nil {
		l.action.Warningf("%s", oneLine(s))
		return
	}
	fmt.Fprintln(l.err, "haversack: warning:", oneLine(s))
}

// print writes a block of plain lines: on a desk as it is, in a workflow's log
// such that no line can be taken for a command of the runner.
func (l *log) print(s string) {
	if l.quiet {
		return
	}
	lines := strings.Split(l.screener.Clean(s), "\n")
	for i, line := range lines {
		lines[i] = text.Visible(line)
		if t := strings.TrimLeft(line, " "); l.action != nil && (strings.HasPrefix(t, "::") || strings.HasPrefix(t, "##[")) {
			lines[i] = "\u200b" + lines[i]
		}
	}
	io.WriteString(l.out, strings.Join(lines, "\n"))
}

// group writes lines under a heading, which a workflow's log folds.
func (l *log) group(title, body string) {
	if l.quiet {
		return
	}
	if l.action == nil {
		l.print("\n" + title + ":\n" + body)
		return
	}
	l.action.Group(oneLine(title))
	l.print(body)
	l.action.EndGroup()
}

// oneLine keeps text that may hold a file's name on one line, with all of it to be seen.
func oneLine(s string) string { return text.Visible(s) }

// bytesText writes a number of bytes as people read it (KB = 1000).
func bytesText(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1000*1000:
		return fmt.Sprintf("%.1f KB", float64(n)/1e3)
	case n < 1000*1000*1000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}

// appendFile adds to one of the runner's files.
func appendFile(name, s string) error {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, s)
	if err2 := f.Close(); err == nil {
		err = err2
	}
	return err
}
