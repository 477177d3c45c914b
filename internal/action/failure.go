package action

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sethvargo/go-githubactions"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/forge"
)

// failure is what people are told of a run that failed: where they look first, the
// runner shows nothing but an exit code.
type failure struct{ title, cause, fix string }

// maxCause is the most bytes of an error's text that are told.
const maxCause = 3000

// newFailure says what has failed, why, and what would help.
func newFailure(err error) failure {
	f := failure{cause: err.Error()}
	if len(f.cause) > maxCause {
		f.cause = strings.ToValidUTF8(f.cause[:maxCause], "") + "…"
	}
	var wrong *inputError
	var stale *diff.StaleError
	switch code := ExitCode(err); {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		f.title, f.fix = "Haversack was stopped", "The job was cancelled, or its time was up (timeout-minutes). The results of an earlier run are as they were."
	case code == exitSecret:
		f.title = "Haversack stopped: a credential would have left"
		f.fix = "Remove it from the repository and revoke it. A false alarm is accepted by a line in .haversackallow: rule, glob, reason. `secrets: redact` packs the rest."
	case errors.As(err, &wrong):
		f.title, f.fix = "Haversack: bad input "+wrong.name, "Correct `"+wrong.name+"` under `with:` in the workflow. The README's table of inputs says what it may be."
	case code == exitInput:
		f.title, f.fix = "Haversack: bad input", "Correct what is named here; nothing was written."
	case errors.As(err, &stale):
		f.title, f.fix = "Haversack: the checkout is not this pull request", "Run the workflow again, or check out the request's head: `ref: ${{ github.event.pull_request.head.sha }}`."
	case errors.Is(err, forge.ErrRefused):
		f.title, f.fix = "Haversack: the token may not do this", "Give the job the permission that the README names for it (`permissions:`), or set `comment: auto`."
	default:
		f.title, f.fix = "Haversack failed", "Run the job again if the cause may pass (network, service, disk). The results of an earlier run are as they were where none are named."
	}
	return f
}

// tell says in a workflow what has failed: as one annotation, and in the step's
// summary. The error's text has passed the screen.
func (c *Command) tell(err error) {
	if !inWorkflow(c.Getenv) {
		return
	}
	f := newFailure(err)
	w := c.Stdout
	if slices.ContainsFunc(c.Args, func(a string) bool { return a == "--json" || a == "--stdout" || strings.HasPrefix(a, "--stdout=") }) {
		w = c.Stderr // stdout belongs to a result
	}
	githubactions.New(githubactions.WithWriter(w), githubactions.WithGetenv(c.Getenv)).
		WithFieldsMap(map[string]string{"title": oneLine(f.title)}).Errorf("%s\n%s", oneLine(f.cause), f.fix)
	if name := c.Getenv("GITHUB_STEP_SUMMARY"); name != "" {
		// The annotation has said it; a summary that cannot be written is not worth another.
		_ = appendFile(name, fmt.Sprintf("### %s\n\n%s\n\n%s\n", forge.Text(f.title), forge.Text(oneLine(f.cause)), forge.Text(f.fix)))
	}
}
