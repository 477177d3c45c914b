//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/secret/fit"
)

// peer is another scanner. None of them is let near a network: they check no credential, and look for no newer version.
type peer struct {
	name, install string
	args          []string // OUT stands for the file that it writes; the others write what they find to the output
	read          func(b []byte) ([]place, error)
}

// place is where a peer finds something. Without a value it is whole lines.
type place struct {
	path        string
	first, last int
	value       string
}

var peers = []peer{
	{"gitleaks", "go install github.com/zricethezav/gitleaks/v8@v8.30.1",
		[]string{"dir", ".", "--report-format", "json", "--report-path", "OUT", "--no-banner", "--exit-code", "0"}, gitleaksPlaces},
	{"kingfisher", "pip install kingfisher-bin==2.14.0",
		[]string{"scan", ".", "--format", "json", "--output", "OUT", "--no-validate", "--no-update-check", "--no-dedup", "--git-history", "none"},
		kingfisherPlaces},
	{"credsweeper", "pip install credsweeper==1.19.5", []string{"--path", ".", "--save-json", "OUT", "--no-stdout"}, credsweeperPlaces},
	{"detect-secrets", "pip install detect-secrets==1.5.0", []string{"scan", "--all-files", "--no-verify", "."}, detectSecretsPlaces},
}

// peersWithin are the peers that may run at all.
func peersWithin(limit time.Duration) []peer {
	if limit <= 0 {
		return nil
	}
	return peers
}

func gitleaksPlaces(b []byte) (places []place, err error) {
	var list []struct {
		File, Secret       string
		StartLine, EndLine int
	}
	err = json.Unmarshal(b, &list)
	for _, f := range list {
		places = append(places, place{f.File, f.StartLine, f.EndLine, f.Secret})
	}
	return places, err
}

func kingfisherPlaces(b []byte) (places []place, err error) {
	var out struct {
		Findings []struct {
			Finding struct {
				Path, Snippet string
				Line          int
			}
		}
	}
	err = json.Unmarshal(b, &out)
	for _, f := range out.Findings {
		places = append(places, place{f.Finding.Path, f.Finding.Line, f.Finding.Line, f.Finding.Snippet})
	}
	return places, err
}

func credsweeperPlaces(b []byte) (places []place, err error) {
	var list []credsweeperFinding
	err = json.Unmarshal(b, &list)
	for _, f := range list {
		for _, l := range f.Lines {
			places = append(places, place{l.Path, l.Line, l.Line, l.Value})
		}
	}
	return places, err
}

func detectSecretsPlaces(b []byte) (places []place, err error) {
	var out struct {
		Results map[string][]struct {
			Line int `json:"line_number"`
		}
	}
	err = json.Unmarshal(b, &out)
	for path, list := range out.Results {
		for _, f := range list {
			places = append(places, place{path, f.Line, f.Line, ""})
		}
	}
	return places, err
}

// errNotThere says that a peer is not installed.
var errNotThere = errors.New("not installed")

// find runs the peer over a folder, no longer than limit, and returns what it finds in each file.
func (p *peer) find(name, dir string, limit time.Duration) (map[string][]place, error) {
	program, err := exec.LookPath(p.name)
	if err != nil {
		return nil, fmt.Errorf("%w (%s)", errNotThere, p.install)
	}
	tmp, err := os.MkdirTemp("", "peer")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	out := filepath.Join(tmp, "out.json")
	args := slices.Clone(p.args)
	if i := slices.Index(args, "OUT"); i >= 0 {
		args[i] = out
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // what it starts ends with it
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	begin := time.Now()
	b, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%s: it takes longer than %v", name, limit)
	}
	fmt.Fprintf(os.Stderr, "%s: %s in %v\n", p.name, name, time.Since(begin).Round(time.Millisecond))
	if slices.Contains(p.args, "OUT") {
		if file, ferr := os.ReadFile(out); ferr == nil {
			b, err = file, nil // kingfisher fails where it finds something
		} else if err == nil {
			b = []byte("[]") // credsweeper writes nothing where it finds nothing
		}
	}
	if err != nil {
		why := ""
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			lines := strings.Split(strings.TrimSpace(string(exit.Stderr)), "\n")
			why = ": " + lines[len(lines)-1]
		}
		return nil, fmt.Errorf("%s: %w%s", name, err, why)
	}
	list, err := p.read(b)
	if err != nil {
		return nil, fmt.Errorf("reading what it finds in %s: %w", name, err)
	}
	found := map[string][]place{}
	for _, at := range list {
		if filepath.IsAbs(at.path) {
			at.path, _ = filepath.Rel(dir, at.path)
		}
		at.path = filepath.ToSlash(filepath.Clean(at.path))
		found[at.path] = append(found[at.path], at)
	}
	return found, nil
}

// bytesOf says which bytes of a text the places are: the value where it begins on their lines, else the lines.
func bytesOf(text []byte, places []place) []secret.Finding {
	starts := []int{0}
	for i, c := range text {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	starts = append(starts, len(text))
	var list []secret.Finding
	for _, p := range places {
		if p.first < 1 || p.first >= len(starts) {
			continue
		}
		from, to := starts[p.first-1], starts[min(max(p.first, p.last), len(starts)-1)]
		if at := bytes.Index(text[from:], []byte(p.value)); p.value != "" && at >= 0 && from+at < to {
			from, to = from+at, from+at+len(p.value)
		}
		list = append(list, secret.Finding{Line: p.first, Start: from, End: to})
	}
	return list
}

// besides prints how the peers do on the labels that counted for ours. Theirs is a label of which a byte is found, or its line where
// a peer says no more. A repository that a peer cannot read is left out of its figures.
func besides(list []*fit.Corpus, ours []result, limit time.Duration) {
	for _, p := range peersWithin(limit) {
		var all result
		var each []result
		for i, c := range list {
			found, err := p.find(c.Name, c.Dir, limit)
			if err != nil {
				fmt.Printf("%s: %v\n", p.name, err)
			}
			if errors.Is(err, errNotThere) {
				break
			}
			if err != nil {
				continue
			}
			r := result{elsewhere: ours[i].elsewhere}
			findings := map[string][]secret.Finding{}
			for path, text := range c.Texts {
				findings[path] = bytesOf(text, found[path])
			}
			r.tally(c, func(l fit.Label) (found, hit bool) {
				some := covered(findings[l.Path], l.Start, l.End) > 0
				return some, some
			})
			each = append(each, r)
			all.add(r)
		}
		if len(each) > 0 {
			row(p.name, &all)
			spread(each)
		}
	}
}
