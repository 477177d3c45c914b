package scan

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret"
)

// This file judges what stands in the fences of a Markdown document as what it is: parts of files, each of which the screen
// passed under its own path. Read as prose, a parameter of a program looks like a password that a sentence tells.

// fenceText is the text between two fences, in bytes, and the path under which it is judged.
type fenceText struct {
	from, to int
	path     string
}

// own returns those of the findings in a Markdown document that are not a fence's own business. One is where it stands wholly in a
// fence, what stands there tells as much without the document around it, and nothing is found in its place by reading the fence
// under the path that its heading names. What text beside the fence tells of it stays found.
func (s *Screener) own(name string, text []byte, found []secret.Finding) ([]secret.Finding, error) {
	var kept []secret.Finding
	fences := fencesOf(text)
	for len(found) > 0 {
		for len(fences) > 0 && fences[0].to <= found[0].Start {
			fences = fences[1:]
		}
		if len(fences) == 0 {
			return append(kept, found...), nil
		}
		f := fences[0]
		n := 0
		for n < len(found) && found[n].End <= f.to && found[n].Start >= f.from {
			n++
		}
		if n == 0 || f.path == "" {
			n = max(n, 1)
			kept, found = append(kept, found[:n]...), found[n:]
			continue
		}
		alone, err := s.Scanner.Scan(name, text[f.from:f.to], nil)
		if err != nil {
			return nil, err
		}
		as, err := s.Scanner.Scan(f.path, text[f.from:f.to], nil)
		if err != nil {
			return nil, err
		}
		for _, g := range found[:n] {
			from, to := g.Start-f.from, g.End-f.from
			told := slices.ContainsFunc(alone, func(a secret.Finding) bool { return a.Start <= from && to <= a.End })
			if !told || slices.ContainsFunc(as, func(a secret.Finding) bool { return a.Start < to && from < a.End }) {
				kept = append(kept, g)
			}
		}
		found = found[n:]
	}
	return kept, nil
}

// fencesOf returns the fences of a Markdown document in their order. One under a heading that is a path of the fence's language is
// judged under it, another under its language alone; one without a language has no path. A fence that does not end holds nothing.
func fencesOf(text []byte) (list []fenceText) {
	heading, mark := "", ""
	var open fenceText
	for at := 0; at < len(text); {
		line, _, _ := bytes.Cut(text[at:], []byte("\n"))
		next := min(len(text), at+len(line)+1)
		switch {
		case mark != "":
			if string(line) == mark {
				open.to, mark = at, ""
				list = append(list, open)
			}
		case bytes.HasPrefix(line, []byte("```")):
			language := bytes.TrimLeft(line, "`")
			mark, open = string(line[:len(line)-len(language)]), fenceText{from: next, path: pathOf(heading, string(language))}
		case bytes.HasPrefix(line, []byte("#")):
			heading = string(line)
		}
		at = next
	}
	return list
}

// pathOf returns the path under which a fence of a language is judged that stands below a heading.
func pathOf(heading, language string) string {
	if language == "" || strings.ContainsAny(language, "` /.") {
		return ""
	}
	named := strings.Trim(strings.TrimLeft(heading, "# "), "` ")
	if path.Ext(named) == "."+language {
		return named
	}
	return "excerpt." + language
}
