//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/haversack-dev/haversack/internal/tokens"
)

// peer is another server of code, serena, that runs as a child, and its client.
type peer struct {
	session *mcp.ClientSession
	counter tokens.Counter
}

// startPeer starts a peer in the folder of a repository, by a command whose words are parted by blanks.
func startPeer(ctx context.Context, command, dir string) (*peer, error) {
	words := strings.Fields(command)
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir = dir
	session, err := mcp.NewClient(&mcp.Implementation{Name: "bench"}, nil).Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", words[0], err)
	}
	return &peer{session: session}, nil
}

func (p *peer) close() error { return p.session.Close() }

// symbol is one that find_symbol tells of. Lines are from 0, both ends included.
type symbol struct {
	NamePath     string `json:"name_path"`
	RelativePath string `json:"relative_path"`
	Location     struct {
		Start int `json:"start_line"`
		End   int `json:"end_line"`
	} `json:"body_location"`
	Body   string `json:"body"`
	Around string `json:"content_around_reference"`
	// file says that it is a whole file, which stands for lines outside of symbols.
	file bool
}

// answer asks the peer a question, by the tools that follow from its kind alone.
func (p *peer) answer(ctx context.Context, q question) (reply, error) {
	all := reply{shown: lines{}}
	found, err := p.find(ctx, q, &all)
	if err != nil || q.kind == defined || len(found) == 0 {
		return all, err
	}
	text, err := p.call(ctx, "find_referencing_symbols", map[string]any{"name_path": found[0].NamePath, "relative_path": found[0].RelativePath}, &all)
	if err != nil {
		return all, err
	}
	from := referring([]byte(text))
	for i := range from {
		all.shown.symbol(&from[i])
	}
	if q.kind == users {
		return all, nil
	}
	asked := map[string]bool{}
	for _, s := range from {
		if key := s.RelativePath + "\x00" + s.NamePath; !s.file && !asked[key] && len(asked) < hits {
			asked[key] = true
			if _, err := p.symbols(ctx, map[string]any{"name_path_pattern": s.NamePath, "relative_path": s.RelativePath, "include_body": true}, &all); err != nil {
				return all, err
			}
		}
	}
	return all, nil
}

// find asks for a name: for its whole path first, and for its last part alone where nothing has that path, as of a package's.
func (p *peer) find(ctx context.Context, q question, all *reply) ([]symbol, error) {
	whole := strings.NewReplacer("::", "/", ".", "/").Replace(q.name)
	found, err := p.symbols(ctx, map[string]any{"name_path_pattern": whole, "include_body": q.kind == change}, all)
	if err != nil || len(found) > 0 || whole == last(q.name) {
		return found, err
	}
	return p.symbols(ctx, map[string]any{"name_path_pattern": last(q.name), "include_body": q.kind == change}, all)
}

// symbols calls find_symbol, and adds the lines that it shows.
func (p *peer) symbols(ctx context.Context, arguments map[string]any, all *reply) (list []symbol, err error) {
	text, err := p.call(ctx, "find_symbol", arguments, all)
	if err != nil || json.Unmarshal([]byte(text), &list) != nil {
		return nil, err // what is no list, as a fault that is told in words, shows no lines
	}
	for i := range list {
		all.shown.symbol(&list[i])
	}
	return list, nil
}

// call calls a tool, and counts what came back. A fault that the tool tells is an answer.
func (p *peer) call(ctx context.Context, tool string, arguments map[string]any, all *reply) (string, error) {
	got, err := p.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return "", fmt.Errorf("%s: %w", tool, err)
	}
	var text string
	for _, c := range got.Content {
		if said, ok := c.(*mcp.TextContent); ok {
			text += said.Text
		}
	}
	all.calls++
	all.tokens += p.counter.Count([]byte(text))
	all.text += fmt.Sprintf("> %s %v\n%s\n", tool, arguments, text)
	if got.IsError {
		all.faults++
	}
	return text, nil
}

// aroundLine is the number of a line that an answer about references quotes.
var aroundLine = regexp.MustCompile(`(?m)^(?:\.\.\.|  >) *([0-9]+):`)

// symbol adds the lines that stand in an answer of a symbol: those of its body, else its first, and those that are quoted.
func (l lines) symbol(s *symbol) {
	to := s.Location.Start
	if s.Body != "" {
		to = s.Location.End
	}
	if !s.file {
		l.add(s.RelativePath, s.Location.Start+1, to+1)
	}
	for _, m := range aroundLine.FindAllStringSubmatch(s.Around, -1) {
		if n, err := strconv.Atoi(m[1]); err == nil {
			l.add(s.RelativePath, n+1, n+1)
		}
	}
}

// referring are the symbols of an answer of find_referencing_symbols, {path: {kind: [symbol]}}, in its order.
func referring(text []byte) (list []symbol) {
	for _, file := range members(text) {
		for _, kind := range members(file.value) {
			var some []symbol
			if json.Unmarshal(kind.value, &some) != nil {
				continue
			}
			for _, s := range some {
				s.RelativePath, s.file = file.key, kind.key == "File"
				list = append(list, s)
			}
		}
	}
	return list
}

// member is one of a JSON object.
type member struct {
	key   string
	value json.RawMessage
}

// members are those of a JSON object in their order, none of what is no object.
func members(text []byte) (list []member) {
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for d.More() {
		t, err := d.Token()
		key, ok := t.(string)
		if err != nil || !ok {
			return nil
		}
		m := member{key: key}
		if d.Decode(&m.value) != nil {
			return nil
		}
		list = append(list, m)
	}
	return list
}
