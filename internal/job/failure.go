package job

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"strings"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/forge"
)

// failure is what people are told of a run that failed: where they look first, the
// runner shows nothing but an exit code.
type failure struct{ title, cause, fix string }

// maxCause is the most bytes of an error or a warning that are told.
const maxCause = 3000

// shortened is a message as it is told. It has passed the screen, which would not know
// a part of a credential.
func shortened(s string) string {
	if len(s) > maxCause {
		s = strings.ToValidUTF8(s[:maxCause], "") + "…"
	}
	return s
}

// newFailure says what has failed, why, and what would help.
func newFailure(err error) failure {
	f := failure{cause: shortened(strings.Join(Faults(err), "\n"))}
	var wrong *InputError
	var stale *diff.StaleError
	var untrusted *tls.CertificateVerificationError
	switch code := ExitCode(err); {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		f.title, f.fix = "Haversack was stopped", "The job was cancelled, or its time was up (timeout-minutes). The results of an earlier run are as they were."
	case code == ExitSecret:
		f.title = "Haversack stopped: a credential would have left"
		f.fix = "Remove it from the repository and revoke it. A false alarm is accepted by a line in .haversackallow: rule, glob, reason. `secrets: redact` packs the rest."
	case errors.As(err, &wrong):
		f.title, f.fix = "Haversack: bad input "+wrong.Name, "Correct `"+wrong.Name+"` under `with:` in the workflow. The README's table of inputs says what it may be."
	case code == ExitInput:
		f.title, f.fix = "Haversack: bad input", "Correct what is named here; nothing was written."
	case errors.As(err, &stale):
		f.title, f.fix = "Haversack: the checkout is not this pull request", "Check out the request's head (`ref: ${{ github.event.pull_request.head.sha }}`), or say with `base` what to compare with. A new push to the request runs the workflow on its new head; running this one again does not."
	case errors.Is(err, forge.ErrRefused):
		f.title, f.fix = "Haversack: the token may not do this", "Give the job the permission that the README names for it (`permissions:`), or set `comment: auto`."
	case errors.As(err, &untrusted):
		f.title, f.fix = "Haversack: a server's certificate is not trusted", "Name the file of the authority that certifies it in `ca-certificates`, or in the environment as SSL_CERT_FILE; on a clock that is wrong, set it."
	default:
		f.title, f.fix = "Haversack failed", "Run the job again if the cause may pass (network, service, disk). The results of an earlier run are as they were where none are named."
	}
	return f
}

// markdown is the failure as a step's summary tells it.
func (f failure) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n", forge.Text(f.title))
	for line := range strings.SplitSeq(f.cause, "\n") {
		b.WriteString(forge.Sentence(line) + "\n\n")
	}
	return b.String() + forge.Text(f.fix) + "\n"
}

// Faults are the lines that an error is told in: one, or one for each of several that
// were joined. A line break that is in somebody's words makes none.
func Faults(err error) []string {
	if err, ok := err.(*ScreenedError); ok {
		return err.lines
	}
	j := joined(err)
	if j == nil {
		return []string{OneLine(err.Error())}
	}
	before, after, _ := strings.Cut(err.Error(), j.Error())
	var lines []string
	for _, e := range j.Unwrap() {
		lines = append(lines, Faults(e)...)
	}
	lines[0] = OneLine(before) + lines[0]
	lines[len(lines)-1] += OneLine(after)
	return lines
}

// manyErrors are errors that were joined.
type manyErrors interface {
	error
	Unwrap() []error
}

// joined finds joined errors in what err wraps whose text is a part of its text.
func joined(err error) manyErrors {
	for at := err; at != nil; at = errors.Unwrap(at) {
		many, ok := at.(manyErrors)
		if !ok {
			continue
		}
		var texts []string
		for _, e := range many.Unwrap() {
			texts = append(texts, e.Error())
		}
		if many.Error() == strings.Join(texts, "\n") && strings.Contains(err.Error(), many.Error()) {
			return many
		}
		return nil
	}
	return nil
}
