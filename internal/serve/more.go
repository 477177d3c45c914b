package serve

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// MoreArguments are those of more.
type MoreArguments struct {
	Handle string `json:"handle" jsonschema:"the handle that an answer ends with"`
	Room
}

// more answers with what an earlier answer had no room for: of the repository as it was then.
func (x *Server) more(_ context.Context, _ *sight, in MoreArguments) (*Answer, error) {
	a, err := x.shelf.get(strings.TrimSpace(in.Handle))
	if err != nil {
		return nil, err
	}
	if a == nil {
		return nil, fmt.Errorf("handle: no answer has %q, or it is too long ago: the last %d are kept, fewer where they are large; ask again", in.Handle, maxHandles)
	}
	a.Complete = false
	if said := "A part of an answer: what comes before stands in the earlier ones"; !slices.Contains(a.Notes, said) {
		a.Notes = append(a.Notes, said)
	}
	return a, nil
}
