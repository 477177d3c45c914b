package serve

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/haversack-dev/haversack/internal/plan"
	"github.com/haversack-dev/haversack/internal/report"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// ContextArguments are those of context.
type ContextArguments struct {
	Task   string `json:"task,omitempty" jsonschema:"what is to be done, in words; the change at hand if it is not given"`
	Commit string `json:"commit,omitempty" jsonschema:"of a change: a commit, against the one before it; what is changed in the worktree if it is not given"`
	Base   string `json:"base,omitempty" jsonschema:"of a change: what it is measured against; as a run decides if it is not given"`
	Budget int    `json:"budget_tokens,omitempty" jsonschema:"the most tokens of the whole document, 20000 if it is not given"`
	Room
}

func (in ContextArguments) aim() (commit, base string) { return in.Commit, in.Base }

// contextTokens is the budget of a document that nobody asks another length of, in tokens.
const contextTokens = 20_000

// describe answers with the document of a change or a task, in parts.
func (x *Server) describe(ctx context.Context, s *sight, in ContextArguments) (*Answer, error) {
	task := strings.TrimSpace(in.Task)
	switch {
	case task != "" && in.Commit+in.Base != "":
		return nil, errors.New("task: a task has no change, so neither commit nor base goes with it")
	case in.Budget < 0:
		return nil, fmt.Errorf("budget_tokens: %d; a number of tokens, 20000 if it is not given", in.Budget)
	}
	budget := min(max(in.Budget, 1000), maxTokens)
	if in.Budget == 0 {
		budget = contextTokens
	}
	room := in.room().within(DefaultTokens)
	c := s.view.Change
	a := &Answer{Searched: "the change against " + c.Base.Reason}
	o := s.planned()
	o.BudgetTokens, o.Task = &budget, task
	view := *s.view
	if task != "" {
		a.Searched = "the words of " + count(len(s.view.Sealed.Files), "file", "files") + ", and the names that they define"
	} else {
		if c.Base.None || c.Base.Root == nil {
			return nil, fmt.Errorf("base: there is nothing to measure a change against: %s; give a task, or a base", c.Base.Reason)
		}
		if len(c.Changes) == 0 {
			a.Complete = true
			a.Notes = append(a.Notes, "Nothing is changed")
			return a, nil
		}
		o.Said = report.AuthorWords(nil, view.Head, c).Text()
		var err error
		if view.Patches, err = snapshot.DrawPatches(view.Sealed, c); err != nil {
			return nil, err
		}
	}
	parts, err := s.compose(ctx, o, &view, room.part())
	if err != nil {
		return nil, err
	}
	if most := room.part(); len(parts) > 1 && !x.counter.Within([]byte(parts[0].Text), most) {
		o.BudgetTokens = &most
		short, err := s.compose(ctx, o, &view, 0)
		if err != nil {
			return nil, err
		}
		parts = append(short, parts...)
		a.Notes = append(a.Notes, "What comes first is the document in short: the parts behind it are the whole of it, from its beginning")
	}
	a.Rows = parts
	a.Notes = append(a.Notes, fmt.Sprintf("What it needs most within %d tokens: what is not here may matter, too", budget))
	if task == "" {
		a.Notes = append(a.Notes, "impact lists all that is changed; a larger budget_tokens shows more of it")
	}
	a.Unknown, err = s.unread()
	return a, err
}

// charactersOfToken is how many characters a token takes at most, as JSON, for most texts.
const charactersOfToken = 5

// accountTokens is about what an answer takes beside its rows: what was searched, what is not known, the handle of the rest.
const accountTokens = 200

// part is how many tokens a part of a document may have that stands in an answer of this room.
func (m Room) part() int {
	n := min(m.Tokens, m.Characters/charactersOfToken)
	return max(min(n*4/5, n-accountTokens), 100)
}

// compose makes the parts of a document as a run does, each of so many tokens.
func (s *sight) compose(ctx context.Context, o plan.Options, v *snapshot.View, part int) ([]Row, error) {
	ranking, err := plan.RankFiles(ctx, o, v)
	if err != nil {
		return nil, err
	}
	docs := plan.Compose(o, plan.MaterialOf(v))
	chosen, err := plan.Choose(o, v, docs, nil, ranking)
	if err != nil {
		return nil, err
	}
	in := s.in
	choice := in.Choice
	choice.BudgetTokens, choice.PartTokens, choice.Task, choice.LineNumbers = o.BudgetTokens, part, o.Task, true
	made, err := report.ComposePrompt(report.PromptOptions{Choice: &choice, Stan: in.Stan, Bytes: int(in.Limits.Limit()), Author: report.AuthorWords(nil, v.Head, v.Change), Counter: docs.Counter, Alone: true}, v.Sealed, v.Patches, chosen)
	if err != nil {
		return nil, err
	}
	rows := make([]Row, 0, len(made))
	for _, d := range made {
		rows = append(rows, Row{Name: d.Name, Kind: document, Text: string(d.Text)})
	}
	return rows, nil
}
