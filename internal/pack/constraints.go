package pack

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/haversack-dev/haversack/internal/text"
)

// Constraints are the limits of a pack, what is kept of files that are too long,
// and what becomes of characters that cannot be decoded.
type Constraints struct {
	MaxContentBytes int64
	MaxFiles        int
	MaxFileBytes    int
	MaxTotalBytes   int64
	HeadLines       int
	TailLines       int
	Marker          string
	// ByLines: of a file that is too long the first and the last lines are kept, whatever it defines.
	ByLines bool
	// SkipUndecodable: a file with malformed characters is left out, instead of
	// having them replaced.
	SkipUndecodable bool
	// Providers chosen; empty means all that have a limit.
	Providers      []string
	ProviderLimits map[string]int64
	// ProviderTokens are the limits that are given in tokens. CountTokens counts
	// them in a text; without it each byte counts as one.
	ProviderTokens map[string]int64
	CountTokens    func(text []byte) int
	// PreferSummary forces a summary.
	PreferSummary bool
}

// Defaults are the constraints where no input says otherwise.
func Defaults() Constraints {
	return Constraints{
		MaxContentBytes: 500_000,
		MaxFiles:        200,
		MaxFileBytes:    50_000,
		MaxTotalBytes:   500_000,
		HeadLines:       100,
		TailLines:       50,
		Marker:          "\n... [truncated] ...\n",
	}
}

// Set parses the value of one input. The error says what is allowed, and not
// the input's name.
func (c *Constraints) Set(input, value string) (err error) {
	switch input {
	case "max-content-bytes":
		c.MaxContentBytes, err = number(value, 1)
	case "max-total-bytes":
		c.MaxTotalBytes, err = number(value, 1)
	case "max-files":
		c.MaxFiles, err = small(value, 1)
	case "max-file-bytes":
		c.MaxFileBytes, err = small(value, 1)
	case "head-lines":
		c.HeadLines, err = small(value, 0)
	case "tail-lines":
		c.TailLines, err = small(value, 0)
	case "truncation-marker":
		if !utf8.ValidString(value) {
			return fmt.Errorf("%q: not UTF-8", value)
		}
		c.Marker = value
	case "truncation":
		switch value {
		case "definitions":
			c.ByLines = false
		case "lines":
			c.ByLines = true
		default:
			return fmt.Errorf("%q: allowed are definitions and lines", value)
		}
	case "on-decode-error":
		switch value {
		case "replace":
			c.SkipUndecodable = false
		case "skip":
			c.SkipUndecodable = true
		default:
			return fmt.Errorf("%q: allowed are replace and skip", value)
		}
	case "providers":
		c.Providers = slices.Sorted(slices.Values(listed(value)))
	case "provider-limits":
		c.ProviderLimits, c.ProviderTokens = map[string]int64{}, map[string]int64{}
		for _, line := range listed(value) {
			name, n, ok := strings.Cut(line, "=")
			name = strings.TrimSpace(name)
			if !ok || name == "" {
				return fmt.Errorf("%q: must be name=bytes, or name=tokens and a t, one a line", line)
			}
			if c.hasLimit(name) {
				return fmt.Errorf("%q: %s stands twice", line, name)
			}
			limits := c.ProviderLimits
			n = strings.TrimSpace(n)
			if tokens, ok := strings.CutSuffix(n, "t"); ok {
				limits, n = c.ProviderTokens, tokens
			}
			if limits[name], err = number(n, 1); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	default:
		return fmt.Errorf("no such limit: %s", input)
	}
	return err
}

// listed returns the lines of a list input.
func listed(value string) []string {
	var out []string
	for line := range strings.Lines(value) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

func number(value string, least int64) (int64, error) {
	n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
	if err != nil || n < least {
		return 0, fmt.Errorf("%q: must be a whole number of at least %d", value, least)
	}
	return n, nil
}

// small is number for what fits an int everywhere.
func small(value string, least int64) (int, error) {
	n, err := number(value, least)
	if err == nil && n > 1<<30 {
		return 0, fmt.Errorf("%q: must be at most %d", value, 1<<30)
	}
	return int(n), err
}

// Check tells what the values say against each other. The error names the input.
func (c *Constraints) Check() error {
	if least := len(c.Marker) + 1; c.MaxFileBytes < least {
		return fmt.Errorf("input max-file-bytes: %d leaves no room beside the truncation marker; the smallest possible is %d", c.MaxFileBytes, least)
	}
	if c.HeadLines+c.TailLines == 0 {
		return fmt.Errorf("input head-lines: with tail-lines 0 nothing would be kept; one of them must be at least 1")
	}
	for _, p := range c.Providers {
		if !c.hasLimit(p) {
			known := "none: give provider-limits"
			if names := slices.Concat(slices.Sorted(maps.Keys(c.ProviderLimits)), slices.Sorted(maps.Keys(c.ProviderTokens))); len(names) > 0 {
				slices.Sort(names)
				known = strings.Join(names, ", ")
			}
			return fmt.Errorf("input providers: %q has no limit in provider-limits; known are %s", p, known)
		}
	}
	return c.enough()
}

func (c *Constraints) hasLimit(provider string) bool {
	_, inBytes := c.ProviderLimits[provider]
	_, inTokens := c.ProviderTokens[provider]
	return inBytes || inTokens
}

// file are the limits of one file, n of whose bytes may be kept.
func (c *Constraints) file(n int) text.Limits {
	return text.Limits{Bytes: n, Head: c.HeadLines, Tail: c.TailLines, Marker: c.Marker}
}
