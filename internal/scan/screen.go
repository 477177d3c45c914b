package scan

import (
	"bytes"
	"crypto/x509"
	"errors"
	"slices"
	"strings"

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

// Screener tells what must not leave: by rules, and by values that are known to be
// secrets. It is never written once it is made, and safe for concurrent use.
type Screener struct {
	Scanner *secret.Scanner
	// Given are values that are secrets by decree, known from the start: the
	// workflow's masked values and tokens.
	Given *secret.KnownValues
	// Known are values found in the repository. While files are searched there are
	// none, so that what is found in one does not depend on which came first; nil
	// holds none.
	Known *secret.KnownValues
	// Allow accepts a finding: it reports whether the rule may stand in the path.
	// Nil accepts none.
	Allow  func(path string, f secret.Finding) bool
	Policy Policy
	// side is put before a path where its values are learned: a path of the base is
	// another file than that of the head.
	side string
}

// Before returns a screener of the base's files.
func (s *Screener) Before() *Screener {
	b := *s
	b.side = beforeSide
	return &b
}

const beforeSide = "before:"

// Judging returns a screener that does with findings in files what a policy says,
// but for those that allow accepts.
func (s *Screener) Judging(policy Policy, allow secret.Allow) *Screener {
	j := *s
	j.Policy = policy
	j.Allow = func(path string, f secret.Finding) bool {
		_, ok := allow.Accepts(f.Rule, path)
		return ok
	}
	return &j
}

// Knowing returns a screener that knows found values besides.
func (s *Screener) Knowing(values *secret.KnownValues) *Screener {
	k := *s
	k.Known = values
	return &k
}

// ScreenedContent is what is left of a file's content.
type ScreenedContent struct {
	// Bytes to archive, in the file's encoding. They are the raw bytes
	// themselves where nothing was redacted.
	Bytes    []byte
	Encoding text.Encoding
	// Undecodable counts the characters that the text has U+FFFD for.
	Undecodable int
	// Text is Bytes decoded to UTF-8.
	Text       []byte
	Redactions []secret.Finding
	// Accepted findings stand in the text: somebody answers for them.
	Accepted []secret.Finding
	// Exclusion says why the file is left out; the zero value if it is not.
	Exclusion
	// elsewhere: what is found was known from other files. A line of a key is no key, and
	// the words beside it stay, few as they may be.
	elsewhere bool
}

// Screen decides on one file's content by rules and given values, and adds what it
// finds to learned. suspect is the name rule that holds unless the content is clean
// text.
func (s *Screener) Screen(name string, raw []byte, suspect string, learned *secret.KnownValues) ScreenedContent {
	out := ScreenedContent{Bytes: raw, Encoding: text.Detect(raw)}
	if out.Encoding == text.Binary {
		out.Exclusion = exNoText
		if suspect != "" && !isCertificate(raw) {
			out.Exclusion = Exclusion{Credentials, suspect}
		}
		return out
	}
	out.Text = text.Decode(raw, out.Encoding)
	if out.Encoding != text.UTF8 || len(out.Text) != len(raw) { // U+FFFD is longer than what it stands for
		out.Undecodable = text.Undecodable(raw, out.Encoding)
	}
	found, err := s.Scanner.Scan(name, out.Text, nil)
	if err != nil {
		out.Exclusion = exCostly
		if !errors.Is(err, secret.ErrBudget) {
			out.Exclusion = exBroken(err)
		}
		learned.AddFile(s.side+name, out.Text, s.unanswered(name, found))
		return out
	}
	rest := s.Scanner.Rest(name, out.Text, found)
	// First what was given: no allow file answers for it.
	found = secret.Merge(s.Given.Find(out.Text, nil), found)
	few := learned.AddFile(s.side+name, out.Text, s.unanswered(name, slices.Concat(found, rest)))
	if out = s.apply(name, out, found, suspect); !few && out.Reason == "" {
		out.Exclusion, out.Redactions = exManyValues, found
	}
	return out
}

// isCertificate reports whether all of raw are certificates in binary form: public, whatever
// the file is called.
func isCertificate(raw []byte) bool {
	if len(raw) > maxCertificate {
		return false
	}
	_, err := x509.ParseCertificates(raw)
	return err == nil && len(raw) > 0
}

// maxCertificate bounds, in bytes, what is read as certificates.
const maxCertificate = 64 << 10

// unanswered are the findings that nobody answers for.
func (s *Screener) unanswered(name string, found []secret.Finding) []secret.Finding {
	if s.Allow == nil {
		return found
	}
	return slices.DeleteFunc(slices.Clone(found), func(f secret.Finding) bool { return s.Allow(name, f) })
}

// Learn reads a file that is left out, and adds its values to learned: a password or
// a key, not "production" or a port. Where the file is a store, short values count too,
// and no allow file answers for them. What cannot be read as text teaches nothing.
func (s *Screener) Learn(name string, raw []byte, store Store, learned *secret.KnownValues) {
	enc := text.Detect(raw)
	if enc == text.Binary {
		return
	}
	content := text.Decode(raw, enc)
	// What was found before an error counts all the same.
	found, _ := s.Scanner.Scan(name, content, nil)
	found = append(found, s.Scanner.Rest(name, content, found)...)
	if store != NoStore {
		if store == WholeStore {
			found = secret.Merge(found, secret.Settings(content))
		}
		if len(found) == 0 {
			found = secret.Bare(content)
		}
		learned.AddStore(s.side+name, content, found)
	} else {
		learned.AddFile(s.side+name, content, s.unanswered(name, found))
	}
}

// LearnName adds the values in a path to learned.
func (s *Screener) LearnName(name string, learned *secret.KnownValues) {
	found, _ := s.Find("", []byte(name))
	for _, f := range found {
		learned.Add(f.Rule, []byte(name[f.Start:f.End]))
	}
}

// Find finds what must not leave in a text that is no file of the snapshot:
// by rules, and given and found values. name stands for its path.
func (s *Screener) Find(name string, text []byte) ([]secret.Finding, error) {
	var found []secret.Finding
	var err error
	if name == "" {
		found, err = s.Scanner.Name(text)
	} else {
		found, err = s.Scanner.Scan(name, text, nil)
	}
	if err != nil {
		return nil, err
	}
	return s.withValues(text, found), nil
}

// withValues adds to what rules found in a text the values that stand in it. A word of a
// mark is none, as short as values may be that are secrets by decree.
func (s *Screener) withValues(text []byte, found []secret.Finding) []secret.Finding {
	values := s.Given.Find(text, nil)
	if s.Known != nil {
		found = secret.Merge(found, s.Known.Find(text, nil))
	}
	if len(values) > 0 {
		values = s.Scanner.BesideMarks(text, values)
	}
	return secret.Merge(values, found)
}

// Certain finds what must not leave wherever it stands: given and found values in any
// form, and what a rule is sure of. It judges nothing by what stands beside it, and of
// what Find finds in a text it finds a part.
func (s *Screener) Certain(text []byte) ([]secret.Finding, error) {
	found, err := s.Scanner.Sure(text, nil)
	if err != nil {
		return nil, err
	}
	return s.withValues(text, found), nil
}

// Clean returns a text without the credentials in it.
func (s *Screener) Clean(text string) string {
	clean, _ := s.Name(text)
	return clean
}

// Document returns a text that was composed of screened ones, and leaves under a name,
// without the credentials in it: Find's under that name, for neighbours may make one
// together, and then Certain's until there are none. What stands in one fence of a
// Markdown document alone is judged as the file that it is of. made are the findings, at
// the lines that they had.
func (s *Screener) Document(name string, text []byte) (clean []byte, made []secret.Finding) {
	found, err := s.composed(name, text)
	if err != nil { // its parts were judged, each by itself
		found, err = s.Certain(text)
	}
	return s.without(text, found, err)
}

// composed finds what must not leave in a document that was composed.
func (s *Screener) composed(name string, text []byte) ([]secret.Finding, error) {
	found, err := s.Scanner.Scan(name, text, nil)
	if err == nil && len(found) > 0 && strings.HasSuffix(name, ".md") {
		found, err = s.own(name, text, found)
	}
	if err != nil {
		return nil, err
	}
	certain, err := s.Certain(text)
	return secret.Merge(certain, found), err
}

// Strip returns a text that was judged where it comes from without what is certain in
// it, as where a finding was accepted in a file.
func (s *Screener) Strip(text []byte) []byte {
	found, err := s.Certain(text)
	clean, _ := s.without(text, found, err)
	return clean
}

// without redacts what was found in a text, and then what is certain until nothing is.
func (s *Screener) without(text []byte, found []secret.Finding, err error) (clean []byte, all []secret.Finding) {
	for range maxRounds {
		if err != nil {
			break
		}
		if len(found) == 0 {
			return text, all
		}
		text, all = secret.Redact(text, found), append(all, found...)
		found, err = s.Certain(text)
	}
	return []byte("[REDACTED]"), append(all, secret.Finding{Rule: "unsearchable", Line: 1})
}

// maxRounds bounds how often a text is searched again once it was redacted. Each time
// it holds less, and a thousand credentials go at once.
const maxRounds = 32

// Name returns a path, or other short text of the repository's, without the
// credentials in it, and whether it held any.
func (s *Screener) Name(text string) (clean string, held bool) {
	raw := []byte(text)
	found, err := s.Find("", raw)
	if err == nil && len(found) == 0 {
		return text, false
	}
	raw, found = s.without(raw, found, err)
	return string(raw), len(found) > 0
}

// Again redacts the known values in a file that Screen let pass. The second result
// is false when it holds none.
func (s *Screener) Again(name string, raw []byte) (ScreenedContent, bool) {
	out := ScreenedContent{Bytes: raw, Encoding: text.Detect(raw), elsewhere: true}
	if out.Encoding == text.Binary {
		return out, false
	}
	out.Text = text.Decode(raw, out.Encoding)
	found := s.Known.Find(out.Text, nil)
	if len(found) == 0 {
		return out, false
	}
	return s.apply(name, out, found, ""), true
}

func (s *Screener) apply(name string, out ScreenedContent, found []secret.Finding, suspect string) ScreenedContent {
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
	switch {
	case suspect != "" && !secret.CodeOrProse(name, out.Text, found):
		out.Exclusion = Exclusion{Credentials, suspect}
	case s.Policy != Redact:
		out.Exclusion = exFound(found[0])
	case !out.elsewhere && secret.MostlyKey(out.Text, found):
		out.Exclusion = exKey(found[0])
	case len(found) > secret.MaxFindings:
		out.Exclusion = exManyFindings
	default:
		out.Text = secret.Redact(out.Text, found)
		found = s.again(name, &out, found)
		out.Bytes = text.Encode(out.Text, out.Encoding)
	}
	out.Redactions = found
	return out
}

// again searches a file once more as it will leave, for marks have other neighbours than
// values had: whoever searches it there, as verify does, is to find nothing. It returns
// the findings with those that are new.
func (s *Screener) again(name string, out *ScreenedContent, found []secret.Finding) []secret.Finding {
	for range maxRounds {
		more, err := s.Find(name, out.Text)
		if err == nil && s.Allow != nil {
			more = slices.DeleteFunc(more, func(f secret.Finding) bool { return s.Allow(name, f) })
		}
		if err != nil || len(more) == 0 {
			break
		}
		out.Text = secret.Redact(out.Text, more)
		found = slices.Concat(found, more)
	}
	slices.SortStableFunc(found, func(a, b secret.Finding) int { return a.Line - b.Line })
	return found
}

// countLines counts LF, and one more where the last line lacks it.
func countLines(b []byte) int {
	n := bytes.Count(b, []byte{'\n'})
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return n
}
