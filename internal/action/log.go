package action

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/sethvargo/go-githubactions"

	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/text"
)

// Everything that the program says passes this file: no other touches the streams
// (TestLogAlone). What it is told may be anybody's words, and is written such that none
// of it is a command to a workflow's runner, breaks a line, or shows as what it is not.

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
	s = shortened(l.screener.Clean(s))
	if l.action != nil {
		l.action.Warningf("%s", text.Line(s))
		return
	}
	say(l.err, "haversack: warning: "+oneLine(s)+"\n")
}

// note writes a line for who looks on, beside what the run prints.
func (l *log) note(s string) { say(l.err, "haversack: "+oneLine(l.screener.Clean(s))+"\n") }

// print writes a block of plain lines.
func (l *log) print(s string) {
	if !l.quiet {
		_ = l.answer(s) // a run whose log is closed goes on
	}
}

// line writes one line, whatever the words hold that it is made of.
func (l *log) line(format string, args ...any) {
	l.print(oneLine(l.screener.Clean(fmt.Sprintf(format, args...))) + "\n")
}

// answer writes the lines that a verb was asked for.
func (l *log) answer(s string) error { return say(l.out, l.screener.Clean(s)) }

// mask has the runner hide a value from here on.
func (l *log) mask(value string) {
	if l.action != nil && strings.TrimSpace(value) != "" {
		l.action.AddMask(value)
	}
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
	l.action.Group(text.Line(title))
	l.print(body)
	l.action.EndGroup()
}

// oneLine keeps text that may hold a file's name on one line, with all of it to be seen.
func oneLine(s string) string { return text.Visible(s) }

// say writes lines to a stream.
func say(w io.Writer, lines string) error {
	_, err := io.WriteString(w, text.Lines(lines))
	return err
}

// print writes lines on stdout before there is a log.
func (c *Command) print(lines string) error { return say(c.Stdout, lines) }

// result hands stdout to what was asked for byte for byte. Where a runner reads it too,
// it stands between lines that keep the runner from taking anything in it for a command,
// with a word that nobody can guess.
func (c *Command) result(write func(io.Writer) error) (err error) {
	if !inWorkflow(c.Getenv) || c.redirected() {
		return write(c.Stdout)
	}
	word := randomHex()
	if _, err := io.WriteString(c.Stdout, "::stop-commands::"+word+"\n"); err != nil {
		return err
	}
	last := &lastByte{w: c.Stdout, b: '\n'}
	defer func() {
		end := "::" + word + "::\n"
		if last.b != '\n' {
			end = "\n" + end
		}
		if _, e := io.WriteString(c.Stdout, end); err == nil {
			err = e
		}
	}()
	return write(last)
}

// results writes bytes that were asked for on stdout.
func (c *Command) results(b []byte) error {
	return c.result(func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

// redirected reports whether stdout is a file of its own, which no runner reads.
func (c *Command) redirected() bool {
	out, ok := regular(c.Stdout)
	if !ok {
		return false
	}
	err, ok := regular(c.Stderr)
	return !ok || !os.SameFile(out, err)
}

// logs are the files, if any, that this process's words go into.
func (c *Command) logs() []fs.FileInfo {
	var list []fs.FileInfo
	for _, w := range []io.Writer{c.Stdout, c.Stderr} {
		if fi, ok := regular(w); ok {
			list = append(list, fi)
		}
	}
	return list
}

// regular tells of a stream that is a regular file.
func regular(w io.Writer) (fs.FileInfo, bool) {
	f, ok := w.(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return nil, false
	}
	fi, err := f.Stat()
	return fi, err == nil && fi.Mode().IsRegular()
}

// muted returns the command with nobody at its stdout.
func (c *Command) muted() *Command {
	m := *c
	m.Stdout = io.Discard
	return &m
}

// lastByte is a writer that remembers the last byte; b stands for it before the first.
type lastByte struct {
	w io.Writer
	b byte
}

func (l *lastByte) Write(p []byte) (int, error) {
	n, err := l.w.Write(p)
	if n > 0 {
		l.b = p[n-1]
	}
	return n, err
}

// tell writes as lines what a function writes.
func (e *env) tell(write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return e.log.answer(b.String())
}

// fail says what has failed. In a workflow it is an annotation, too, and stands in the step's
// summary. The error's text has passed the screen.
func (c *Command) fail(ctx context.Context, err error) {
	say(c.Stderr, "haversack: "+strings.Join(faults(err), "\n")+"\n")
	if !inWorkflow(c.Getenv) {
		return
	}
	f := newFailure(err)
	w := c.Stdout
	if slices.ContainsFunc(c.Args, func(a string) bool { return a == "--json" || a == "--stdout" || strings.HasPrefix(a, "--stdout=") }) {
		w = c.Stderr // stdout belongs to a result
	}
	githubactions.New(githubactions.WithWriter(w), githubactions.WithGetenv(c.Getenv)).
		WithFieldsMap(map[string]string{"title": text.Line(f.title)}).Errorf("%s\n%s", text.Lines(f.cause), f.fix)
	if name := c.Getenv("GITHUB_STEP_SUMMARY"); name != "" {
		// The annotation has said it; a summary that cannot be written is not worth another.
		_ = appendFile(ctx, name, f.markdown())
	}
}

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

// appendFile adds to one of the runner's files. It waits for no reader where a pipe has
// taken its place, and for one that does not read until ctx ends.
func appendFile(ctx context.Context, name, s string) error {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY|syscall.O_NONBLOCK, 0o644)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { f.SetWriteDeadline(time.Now()) })()
	_, err = io.WriteString(f, s)
	if err2 := f.Close(); err == nil {
		err = err2
	}
	return err
}
