package scan

import (
	"bytes"
	"errors"
	"slices"
	"strconv"

	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/text"
)

// MaxFileBytes is the size above which a file is left out unread: no assistant
// reads it, and every byte that leaves has to be held and screened.
const MaxFileBytes = 32 << 20

// Policy says what happens to a file in which a credential is found.
type Policy string

const (
	// Redact replaces the credential and keeps the file.
	Redact Policy = "redact"
	// Exclude leaves the file out.
	ExcludeFile Policy = "exclude"
	// Fail stops the run.
	Fail Policy = "fail"
)

// Screener decides on contents. It is safe for concurrent use.
type Screener struct {
	Scanner *secret.Scanner
	// Given holds values that must not leave wherever they stand, known from the
	// start: the workflow's masked values and tokens.
	Given *secret.Known
	// Found grows while files are screened: values that were found in one file
	// must not leave in another either. As it depends on the order of files while
	// it grows, it is asked only after the scan.
	Found *secret.Known
	// Allow accepts a finding: it reports whether the rule may stand in the path.
	Allow  func(path string, f secret.Finding) bool
	Policy Policy
}

// Screened is what is left of a file's content.
type Screened struct {
	// Bytes to archive, in the file's encoding. They are the raw bytes
	// themselves where nothing was redacted.
	Bytes    []byte
	Encoding text.Encoding
	// Text is Bytes decoded to UTF-8.
	Text       []byte
	Redactions []secret.Finding
	// Accepted findings stand in the text: somebody answers for them.
	Accepted []secret.Finding
	// Reason and Rule say why the file is left out; empty if it is not.
	Reason Reason
	Rule   string
}

// Screen decides on one file's content. suspect is the name rule that holds
// unless the content is clean text.
func (s *Screener) Screen(name string, raw []byte, suspect string) Screened {
	out := Screened{Bytes: raw, Encoding: text.Detect(raw)}
	if out.Encoding == text.Binary {
		out.Reason, out.Rule = Binary, "NUL byte or no known encoding"
		if suspect != "" {
			out.Reason, out.Rule = Credentials, suspect
		}
		return out
	}
	out.Text = text.Decode(raw, out.Encoding)
	found, err := s.Scanner.Scan(name, out.Text, nil)
	if err != nil {
		out.Reason, out.Rule = SizeLimit, "too costly to screen"
		if !errors.Is(err, secret.ErrBudget) {
			out.Reason, out.Rule = Unreadable, "screening: "+err.Error()
		}
		return out
	}
	// First what was given: no allow file answers for it.
	found = secret.Merge(s.Given.Find(out.Text, nil), found)
	return s.apply(name, out, found, suspect)
}

// Find finds what must not leave in a text that is no file of the snapshot:
// by rules, and given and found values. name stands for its path.
func (s *Screener) Find(name string, text []byte) ([]secret.Finding, error) {
	found, err := s.Scanner.Scan(name, text, nil)
	if err != nil {
		return nil, err
	}
	return secret.Merge(s.Given.Find(text, nil), secret.Merge(found, s.Found.Find(text, nil))), nil
}

// early is Name while files are screened: what was found so far depends on
// which came first, and is not asked.
func (s *Screener) early(name string) (string, bool) {
	e := *s
	e.Found = new(secret.Known)
	return e.Name(name)
}

// Name returns a path, or other short text of the repository's, without the
// credentials in it, and whether it held any.
func (s *Screener) Name(name string) (string, bool) {
	found, err := s.Find("", []byte(name))
	if err != nil {
		return "[REDACTED]", true
	}
	if len(found) == 0 {
		return name, false
	}
	return string(secret.Redact([]byte(name), found)), true
}

// Again screens text that was approved before for values found since. The
// second result is false when nothing changed.
func (s *Screener) Again(name string, raw []byte) (Screened, bool) {
	out := Screened{Bytes: raw, Encoding: text.Detect(raw)}
	if out.Encoding == text.Binary {
		return out, false
	}
	out.Text = text.Decode(raw, out.Encoding)
	found := s.Found.Find(out.Text, nil)
	if len(found) == 0 {
		return out, false
	}
	return s.apply(name, out, found, ""), true
}

func (s *Screener) apply(name string, out Screened, found []secret.Finding, suspect string) Screened {
	if s.Allow != nil {
		found = slices.DeleteFunc(found, func(f secret.Finding) bool {
			if s.Allow(name, f) {
				out.Accepted = append(out.Accepted, f)
				return true
			}
			return false
		})
	}
	if len(found) == 0 {
		return out
	}
	for _, f := range found {
		s.Found.Add(f.Rule, out.Text[f.Start:f.End])
	}
	switch {
	case suspect != "":
		out.Reason, out.Rule = Credentials, suspect
	case s.Policy != Redact:
		out.Reason, out.Rule = Credentials, found[0].Rule+" in line "+strconv.Itoa(found[0].Line)
	case secret.MostlyKey(out.Text, found):
		out.Reason, out.Rule = Credentials, "mainly a key: "+found[0].Rule
	case len(found) > secret.MaxFindings:
		out.Reason, out.Rule = Credentials, "more than "+strconv.Itoa(secret.MaxFindings)+" findings"
	default:
		out.Text = secret.Redact(out.Text, found)
		out.Bytes = text.Encode(out.Text, out.Encoding)
	}
	out.Redactions = found
	return out
}

// countLines counts LF, and one more where the last line lacks it.
func countLines(b []byte) int {
	n := bytes.Count(b, []byte{'\n'})
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return n
}
