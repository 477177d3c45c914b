//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/haversack-dev/haversack/internal/serve"
	"github.com/haversack-dev/haversack/internal/tokens"
)

// server is a server that runs as a child, and its client.
type server struct {
	cmd     *exec.Cmd
	session *mcp.ClientSession
	counter tokens.Counter
}

// start starts a server of a repository.
func start(ctx context.Context, program, dir string) (*server, error) {
	cmd := exec.CommandContext(ctx, program, "serve")
	cmd.Dir = dir
	session, err := mcp.NewClient(&mcp.Implementation{Name: "bench"}, nil).Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		return nil, fmt.Errorf("starting the server: %w", err)
	}
	return &server{cmd: cmd, session: session}, nil
}

func (s *server) close() error { return s.session.Close() }

// call is one call of a tool.
type call struct {
	tool      string
	arguments map[string]any
	// asks is the role of the places that its answer has to hold.
	asks string
}

// callsOf are the calls that an assistant makes for a question.
func callsOf(q question) []call {
	find := call{"find", map[string]any{"query": q.name}, "def"}
	read := call{"read", map[string]any{"symbol": q.name}, "def"}
	references := call{"references", map[string]any{"of": q.name}, "use"}
	switch q.kind {
	case defined:
		return []call{find}
	case users:
		return []call{references}
	case touched:
		return []call{{"impact", map[string]any{}, "use"}}
	}
	return []call{read, references}
}

// pointed are the calls for the first of the definitions that the text of one is followed by, as many as the script reads hits.
func pointed(rows []serve.Row) (list []call) {
	for i := range rows {
		if r := &rows[i]; r.Text == "" && r.To > r.Line && len(list) < hits {
			list = append(list, call{"read", map[string]any{"path": r.Path, "from": r.Line, "to": r.To}, ""})
		}
	}
	return list
}

// maxMore is how often the rest of an answer is asked for.
const maxMore = 2

// reply is what came back for a question.
type reply struct {
	// shown are the lines that came back, read those of them that the search did not print, sure those of which the answer is sure.
	shown, read, sure lines
	// pointed are those of definitions that an answer pointed to.
	pointed                   lines
	text                      string
	tokens, structured, calls int
	// sayComplete are the calls whose answers say they are complete, asked all but those of more.
	sayComplete, asked int
	// false are the calls whose answer says it is complete, and is not.
	false []string
	// full are files of which such an answer tells as many lines as are told of one; hits are the lines that hold the word.
	full []string
	hits lines
	// faults are the calls that a peer answers by telling a fault.
	faults int
}

// answer asks the server a question.
func (s *server) answer(ctx context.Context, q question) (reply, error) {
	all := reply{shown: lines{}, sure: lines{}, pointed: lines{}}
	calls := callsOf(q)
	for n := 0; n < len(calls); n++ {
		c := calls[n]
		shown := lines{}
		complete := false
		var full []string
		for i := 0; i <= maxMore; i++ {
			a, text, err := s.call(ctx, c.tool, c.arguments)
			if err != nil {
				return all, err
			}
			all.calls++
			all.tokens += s.counter.Count([]byte(text))
			wide, err := json.Marshal(a)
			if err != nil {
				return all, err
			}
			all.structured += s.counter.Count(wide)
			complete = complete || a.Complete
			shown.rows(a.Rows)
			for i := range a.Rows {
				if len(a.Rows[i].Uses) == mostUses {
					full = append(full, a.Rows[i].Path)
				}
			}
			all.shown.rows(a.Rows)
			if c.asks == "" { // it is asked to read what stands there, and claims nothing of it
				all.pointed.rows(a.Rows)
			} else {
				all.sure.rows(sure(a.Rows))
			}
			if c.arguments["symbol"] != nil {
				calls = append(calls, pointed(a.Rows)...)
			}
			all.text += fmt.Sprintf("> %s %v\n%s", c.tool, c.arguments, text)
			if a.More == "" {
				break
			}
			c.tool, c.arguments = "more", map[string]any{"handle": a.More}
		}
		all.asked++
		if !complete {
			continue
		}
		all.sayComplete++
		all.full = append(all.full, full...)
		for _, p := range shown.missing(q.places) {
			if p.role == c.asks {
				all.false = append(all.false, c.tool)
				break
			}
		}
	}
	return all, nil
}

// mostUses is how many lines one row tells at most.
const mostUses = 20

// sure are the rows, and the uses in them, of which an answer is sure.
func sure(rows []serve.Row) (list []serve.Row) {
	for _, r := range rows {
		if r.Unsure {
			continue
		}
		r.Uses = slices.DeleteFunc(slices.Clone(r.Uses), func(u serve.Use) bool { return u.Unsure })
		list = append(list, r)
	}
	return list
}

// cut finds answers that say they are complete, and leave out the last lines of a file that is full. One question asks for uses once.
func (r *reply) cut(hits lines) {
	for _, path := range r.full {
		last := 0
		for n := range r.shown[path] {
			last = max(last, n)
		}
		for n := range hits[path] {
			if n > last {
				r.false = append(r.false, "references, of "+path+" cut,")
				return
			}
		}
	}
}

// rows adds the lines that rows show.
func (l lines) rows(rows []serve.Row) {
	for i := range rows {
		r := &rows[i]
		switch {
		case r.Text != "":
			l.add(r.Path, r.Line, r.To)
		case r.Line > 0:
			l.add(r.Path, r.Line, r.Line)
		}
		for _, u := range r.Uses {
			l.add(r.Path, u.Line, u.Line)
		}
	}
}

// call calls a tool.
func (s *server) call(ctx context.Context, tool string, arguments map[string]any) (*serve.Answer, string, error) {
	got, err := s.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", tool, err)
	}
	var text string
	for _, c := range got.Content {
		if said, ok := c.(*mcp.TextContent); ok {
			text += said.Text
		}
	}
	if got.IsError {
		return nil, "", fmt.Errorf("%s: %w", tool, errors.New(text))
	}
	raw, err := json.Marshal(got.StructuredContent)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", tool, err)
	}
	var a serve.Answer
	if err := json.Unmarshal(raw, &a); err != nil {
		return nil, "", fmt.Errorf("%s: %w", tool, err)
	}
	return &a, text, nil
}
