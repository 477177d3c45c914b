package action

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/pflag"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/object"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/serve"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/tree"
)

// serveGarbage is how much may be allocated before the collector runs, in hundredths of what lives: a server lives long beside
// others, and answers little at a time.
const serveGarbage = 40

// serveVerb answers a model's questions until its client closes, or it is interrupted.
func serveVerb(ctx context.Context, e *job.Env, in *job.Inputs, o *options) error {
	switch {
	case len(o.args) > 0:
		return job.UsageError("serve takes no arguments")
	case (o.http == "") != (o.token == ""):
		return job.UsageError("--http and --token-file go together: whoever shows the token is answered")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(serveGarbage))
	token := ""
	if o.token != "" {
		raw, err := tree.ReadRegular(e.At(o.token), serve.MaxToken)
		if err != nil {
			return job.WithCode(fmt.Errorf("--token-file: %w", err), job.ExitInput)
		}
		token = strings.TrimSpace(string(raw))
		if err := serve.CheckToken(token); err != nil {
			return job.WithCode(fmt.Errorf("--token-file: %w", err), job.ExitInput)
		}
		e.Screener.Given.Give("token", token)
	}
	e, err := e.WithFolder()
	if err != nil {
		return err
	}
	defer e.Close()
	r := serve.NewRepository(e, in)
	defer r.Close()
	s := serve.NewServer(e, r, threadsOf(e, in))
	if o.http == "" {
		signal.Ignore(syscall.SIGPIPE) // a client that goes in the midst of an answer is an error of writing: what was begun is cleared up
		return s.Stdio(ctx, os.Stdin, e.Protocol())
	}
	l, err := serve.Listen(o.http)
	if err != nil {
		return job.WithCode(fmt.Errorf("--http: %w", err), job.ExitInput)
	}
	e.Log.Note("answering at http://" + l.Addr().String())
	return s.Serve(ctx, l, token)
}

// threadsOf returns what opens threads in the store of a run.
func threadsOf(e *job.Env, in *job.Inputs) serve.OpenThread {
	return func(ctx context.Context, name string, h *snapshot.Head, screener *scan.Screener) (*object.Thread, func(), error) {
		if _, held := screener.Name(name); held {
			return nil, nil, errors.New("the name holds a credential")
		}
		if _, err := object.ParseSessionID(name); err != nil {
			return nil, nil, err
		}
		asked := *in
		asked.Session = name
		s := openSession(ctx, e, &asked, h)
		if s == nil {
			return nil, nil, fmt.Errorf("%q is no name of a thread", name)
		}
		s, _ = s.withheld(ctx, e, &asked, h, screener)
		if s.thread == nil {
			s.close()
			return nil, nil, errors.New(strings.Join(s.notes(), "; "))
		}
		return s.thread, s.close, nil
	}
}

func serveFlags(fs *pflag.FlagSet, o *options) {
	fs.StringVar(&o.http, "http", "", "answer at this `ADDRESS` of this machine, 127.0.0.1:PORT, in place of standard input and output")
	fs.StringVar(&o.token, "token-file", "", "with --http: the `FILE` with the token that clients show")
}
