package provider_test

import (
	"bufio"
	"bytes"
	"context"
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
)

// Provider is Make.
var Provider = graph.Provider{
	Name:     "make",
	Language: "Make",
	Claims:   func(name string) bool { return path.Base(name) == "Makefile" || path.Ext(name) == ".mk" },
	Reads:    func(string) bool { return false },
	Build:    build,
	Define:   func(string, []byte) ([]graph.Definition, error) { return nil, nil },
}

func build(ctx context.Context, q graph.Request) (*graph.Response, error) {
	a := &graph.Response{Edges: map[string][]graph.Edge{}, Nodes: map[string]graph.Node{}}
	known := map[string]bool{}
	for _, s := range q.Files {
		known[s.Path] = true
	}
	for _, s := range q.Files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if s.Size > graph.MaxSource {
			a.Warnings = append(a.Warnings, graph.Warning{Path: s.Path, Text: "too large to be read"})
			continue
		}
		content, err := s.Read()
		if err != nil {
			a.Warnings = append(a.Warnings, graph.Warning{Path: s.Path, Text: "not read: " + err.Error()})
			continue
		}
		lines := bufio.NewScanner(bytes.NewReader(content))
		lines.Buffer(nil, graph.MaxSource+1)
		for lines.Scan() {
			rest, ok := strings.CutPrefix(lines.Text(), "include ")
			if !ok {
				continue
			}
			for name := range strings.FieldsSeq(rest) {
				// Make looks from where it runs; most run beside the file. What
				// a variable holds cannot be decided: no file has such a name.
				if to := path.Join(path.Dir(s.Path), name); known[to] && to != s.Path {
					a.Edges[s.Path] = append(a.Edges[s.Path], graph.Edge{Target: to, Uses: graph.Runtime, Resolution: graph.Explicit})
				}
			}
		}
	}
	return a, nil
}
