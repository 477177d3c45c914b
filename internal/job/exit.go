package job

import (
	"errors"
	"fmt"
)

// Exit codes of the program.
const (
	ExitFailed = 1 // the run failed
	ExitInput  = 2 // bad input, or a bad file in the repository
	ExitSecret = 3 // a secret would have left
)

// ExitCode is the code that the program ends with after a run returned err.
func ExitCode(err error) int {
	if err == nil {
		return 0
	}
	var coded interface{ ExitCode() int }
	if errors.As(err, &coded) {
		return coded.ExitCode()
	}
	return ExitFailed
}

// CodedError gives an error its exit code.
type CodedError struct {
	error
	code int
}

func (e *CodedError) Unwrap() error { return e.error }
func (e *CodedError) ExitCode() int { return e.code }

// WithCode returns err with the exit code that the program is to end with.
func WithCode(err error, code int) error { return &CodedError{err, code} }

// UsageError is a mistake on the command line.
func UsageError(format string, args ...any) error {
	return WithCode(fmt.Errorf(format+"; see haversack --help", args...), ExitInput)
}
