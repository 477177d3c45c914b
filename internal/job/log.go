package job

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/sethvargo/go-githubactions"

	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/text"
)

// Everything that the program says passes this file: no other touches the streams
// (TestLogAlone). What it is told may be anybody's words, and is written such that none
// of it is a command to a workflow's runner, breaks a line, or shows as what it is not.

// Log is where a run says what it does: a progress bar on a terminal, plain
// lines and commands in a workflow's log, nothing where neither looks. Whatever it
// is told passes the screen first.
type Log struct {
	Screener *scan.Screener
	held     []string // warnings that wait for the screen to know more
	out, err io.Writer
	Action   *githubactions.Action // nil outside of a workflow
	quiet    bool                  // stdout belongs to a result
	desk     *desk                 // nil where nobody looks on at a terminal
	progress *scan.Progress
	stop     chan struct{}
	done     chan struct{}
}

// newLog is the log of a process. Quiet: its stdout belongs to a result.
func newLog(p *Process, s *scan.Screener, progress *scan.Progress, quiet bool) *Log {
	l := &Log{progress: progress, Screener: s, out: p.Stdout, err: p.Stderr, quiet: quiet}
	if inWorkflow(p.Getenv) {
		w := p.Stdout
		if quiet {
			w = p.Stderr
		}
		l.Action = githubactions.New(githubactions.WithWriter(w), githubactions.WithGetenv(p.Getenv))
	} else if p.Terminal {
		l.desk = &desk{Process: p}
	}
	return l
}

// begin tells that a step starts. One that takes long shows how far it is.
func (l *Log) begin(step string) {
	if l.desk == nil || !l.desk.Cursor {
		return
	}
	l.stop, l.done = make(chan struct{}), make(chan struct{})
	go func(stop, done chan struct{}) {
		defer close(done)
		begun := time.Now()
		shown := false
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				if shown {
					_, _ = io.WriteString(l.err, clearLine)
				}
				return
			case <-tick.C:
				if took := time.Since(begun); took >= patience {
					shown = true
					_, _ = io.WriteString(l.err, clearLine+text.Visible(l.desk.progress(step, l.progress, took)))
				}
			}
		}
	}(l.stop, l.done)
}

// end takes away what begin shows.
func (l *Log) end() {
	if l.stop != nil {
		close(l.stop)
		<-l.done
		l.stop = nil
	}
}

// Apart returns the log for steps that others of their kind run beside: what it holds back, and its screen, are its own, and it
// shows no progress.
func (l *Log) Apart() *Log {
	return &Log{Screener: l.Screener, out: l.out, err: l.err, Action: l.Action, quiet: l.quiet, progress: l.progress}
}

// Knows lets a screen that knows more values take the place of the first.
func (l *Log) Knows(s *scan.Screener) { l.Screener = s }

// Hold keeps warnings back until release: they may quote what only a later step
// finds to be a credential.
func (l *Log) Hold(list ...string) { l.held = append(l.held, list...) }

// Release prints warnings in place of those that were held back.
func (l *Log) Release(list []string) {
	for _, w := range list {
		l.Warn(w)
	}
	l.held = nil
}

// Warn prints one warning: in a workflow as an annotation.
func (l *Log) Warn(s string) {
	s = shortened(l.Screener.Clean(s))
	if l.Action != nil {
		l.Action.Warningf("%s", text.Line(s))
		return
	}
	if l.desk != nil {
		l.desk.warnings = append(l.desk.warnings, OneLine(s))
		return
	}
	say(l.err, "haversack: warning: "+OneLine(s)+"\n")
}

// Desk reports whether results are for a person at a terminal, who is told of them by
// Outcome.
func (l *Log) Desk() bool { return l.desk != nil && l.desk.Width > 0 && !l.quiet }

// Outcome tells a person at a terminal what a run has made: a heading, and lines that are
// wrapped to the terminal's width.
func (l *Log) Outcome(heading string, lines []string) {
	l.end()
	l.desk.write(l.out, l.Screener.Clean(heading), lines, l.Screener.Clean)
}

// Settle prints the warnings that wait for the result to be told first: on a terminal, those
// of a kind as one.
func (l *Log) Settle() {
	l.end()
	if l.desk != nil {
		l.desk.settle(l.err)
	}
}

// Columns is how many characters a line may have at the terminal, and whether blocks can be
// drawn there.
func (l *Log) Columns() (width int, blocks bool) { return l.desk.columns(), l.desk.Blocks }

// Note writes a line for who looks on, beside what the run prints.
func (l *Log) Note(s string) {
	l.end()
	say(l.err, "haversack: "+OneLine(l.Screener.Clean(s))+"\n")
}

// NameDefaults names the files that give defaults of the inputs, and which.
func (l *Log) NameDefaults(in *Inputs) {
	for _, d := range in.Files {
		l.Note("defaults of " + d.Name + ": " + strings.Join(d.Inputs(), ", "))
	}
}

// Print writes a block of plain lines.
func (l *Log) Print(s string) {
	if !l.quiet {
		_ = l.Answer(s) // a run whose log is closed goes on
	}
}

// Line writes one line, whatever the words hold that it is made of.
func (l *Log) Line(format string, args ...any) {
	l.Print(OneLine(l.Screener.Clean(fmt.Sprintf(format, args...))) + "\n")
}

// Answer writes the lines that a verb was asked for.
func (l *Log) Answer(s string) error {
	l.end()
	return say(l.out, l.Screener.Clean(s))
}

// Mask has the runner hide a value from here on.
func (l *Log) Mask(value string) {
	if l.Action != nil && strings.TrimSpace(value) != "" {
		l.Action.AddMask(value)
	}
}

// Group writes lines under a heading, which a workflow's log folds.
func (l *Log) Group(title, body string) {
	if l.quiet {
		return
	}
	if l.Action == nil {
		l.Print("\n" + title + ":\n" + body)
		return
	}
	l.Action.Group(text.Line(title))
	l.Print(body)
	l.Action.EndGroup()
}

// OneLine keeps text that may hold a file's name on one line, with all of it to be seen.
func OneLine(s string) string { return text.Visible(s) }

// say writes lines to a stream.
func say(w io.Writer, lines string) error {
	_, err := io.WriteString(w, text.Lines(lines))
	return err
}

// Print writes lines on stdout before there is a log.
func (p *Process) Print(lines string) error { return say(p.Stdout, lines) }

// Result hands stdout to what was asked for byte for byte. Where a runner reads it too,
// it stands between lines that keep the runner from taking anything in it for a command,
// with a word that nobody can guess.
func (p *Process) Result(write func(io.Writer) error) (err error) {
	if !inWorkflow(p.Getenv) || p.redirected() {
		return write(p.Stdout)
	}
	word := RandomHex()
	if _, err := io.WriteString(p.Stdout, "::stop-commands::"+word+"\n"); err != nil {
		return err
	}
	last := &lastByte{w: p.Stdout, b: '\n'}
	defer func() {
		end := "::" + word + "::\n"
		if last.b != '\n' {
			end = "\n" + end
		}
		if _, e := io.WriteString(p.Stdout, end); err == nil {
			err = e
		}
	}()
	return write(last)
}

// Results writes bytes that were asked for on stdout.
func (p *Process) Results(b []byte) error {
	return p.Result(func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

// redirected reports whether stdout is a file of its own, which no runner reads.
func (p *Process) redirected() bool {
	out, ok := regular(p.Stdout)
	if !ok {
		return false
	}
	err, ok := regular(p.Stderr)
	return !ok || !os.SameFile(out, err)
}

// Logs are the files, if any, that this process's words go into.
func (p *Process) Logs() []fs.FileInfo {
	var list []fs.FileInfo
	for _, w := range []io.Writer{p.Stdout, p.Stderr} {
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

// Muted returns the process with nobody at its stdout.
func (p *Process) Muted() *Process {
	m := *p
	m.Stdout = io.Discard
	return &m
}

// Silent returns the process with nobody at any of its streams.
func (p *Process) Silent() *Process {
	m := p.Muted()
	m.Stderr, m.Terminal = io.Discard, false
	return m
}

// MutedBut is Muted, but for results, which are printed.
func (p *Process) MutedBut() *Process {
	m := p.Muted()
	m.Stdout = p.Stdout
	return m
}

// Protocol is the stream of a verb that speaks a protocol: nothing else goes there then.
func (p *Process) Protocol() io.Writer { return p.Stdout }

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

// Tell writes as lines what a function writes.
func (e *Env) Tell(write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return e.Log.Answer(b.String())
}

// Fail says what has failed. In a workflow it is an annotation, too, and stands in the step's
// summary. The error's text has passed the screen.
func (p *Process) Fail(ctx context.Context, err error) {
	say(p.Stderr, "haversack: "+strings.Join(Faults(err), "\n")+"\n")
	if !inWorkflow(p.Getenv) {
		return
	}
	f := newFailure(err)
	w := p.Stdout
	if slices.ContainsFunc(p.Args, func(a string) bool { return a == "--json" || a == "--stdout" || strings.HasPrefix(a, "--stdout=") }) {
		w = p.Stderr // stdout belongs to a result
	}
	githubactions.New(githubactions.WithWriter(w), githubactions.WithGetenv(p.Getenv)).
		WithFieldsMap(map[string]string{"title": text.Line(f.title)}).Errorf("%s\n%s", text.Lines(f.cause), f.fix)
	if name := p.Getenv("GITHUB_STEP_SUMMARY"); name != "" {
		// The annotation has said it; a summary that cannot be written is not worth another.
		_ = AppendFile(ctx, name, f.markdown())
	}
}

// Number writes a number with its thousands apart.
func Number[N int | int64](n N) string {
	s := strconv.FormatInt(int64(n), 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// BytesText writes a number of bytes as people read it (KB = 1000).
func BytesText(n int64) string {
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

// AppendFile adds to one of the runner's files. It waits for no reader where a pipe has
// taken its place, and for one that does not read until ctx ends.
func AppendFile(ctx context.Context, name, s string) error {
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
