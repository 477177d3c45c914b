package object

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// What activating and its likes answer when they do nothing. None of them is a failure
// of the store.
var (
	ErrInfrastructure = errors.New("infrastructure objects are always in context")
	ErrNotInSession   = errors.New("the session never met this object")
	ErrNotActive      = errors.New("the object is not active")
	ErrNotPinned      = errors.New("the object is not pinned")
	ErrInaccessible   = errors.New("its file cannot be read: it stays [unread]")
)

// level is what a session does with an object of its index.
type level uint8

const (
	pooled level = 1 << iota
	active
	pinned
)

// sets are a session's four sets: the index in its order, and a level for each member.
type sets struct {
	ids    []string
	levels []level
	at     map[string]int
}

// newSets returns the sets of a session document, or an error when they break the rules.
func newSets(o *Session) (*sets, error) {
	s := &sets{ids: slices.Clip(o.SessionIndex), levels: make([]level, len(o.SessionIndex)), at: make(map[string]int, len(o.SessionIndex))}
	for i, id := range s.ids {
		if _, twice := s.at[id]; twice {
			return nil, fmt.Errorf("session_index holds %q twice", clip(id))
		}
		if id == "" || len(id) > MaxID {
			return nil, errors.New("session_index holds an id that is empty or too long")
		}
		s.at[id] = i
	}
	for _, part := range []struct {
		name      string
		ids       []string
		set, need level
	}{
		{"metadata_pool", o.MetadataPool, pooled, 0},
		{"active_set", o.ActiveSet, active, pooled},
		{"pinned_set", o.PinnedSet, pinned, pooled},
	} {
		last := -1
		for _, id := range part.ids {
			i, ok := s.at[id]
			if !ok || s.levels[i]&part.need != part.need {
				return nil, fmt.Errorf("%s holds %q, which the set around it does not", part.name, clip(id))
			}
			if i <= last {
				return nil, fmt.Errorf("%s is not in the order of session_index", part.name)
			}
			last = i
			s.levels[i] |= part.set
		}
	}
	return s, nil
}

// add appends an object to the index where it is not in it, and raises its level.
func (s *sets) add(id string, l level) {
	i, ok := s.at[id]
	if !ok {
		i = len(s.ids)
		s.at[id] = i
		s.ids = append(s.ids, id)
		s.levels = append(s.levels, 0)
	}
	s.levels[i] |= l
}

// drop lowers the level of an object.
func (s *sets) drop(id string, l level) {
	if i, ok := s.at[id]; ok {
		s.levels[i] &^= l
	}
}

func (s *sets) has(id string, l level) bool {
	i, ok := s.at[id]
	return ok && s.levels[i]&l == l
}

// list returns the members of at least a level, in the order of the index.
func (s *sets) list(l level) []string {
	out := make([]string, 0, len(s.ids))
	for i, id := range s.ids {
		if s.levels[i]&l == l {
			out = append(out, id)
		}
	}
	return out
}

// session returns the sets as a sealed document.
func (s *sets) session(id string) (*Session, error) {
	o := &Session{
		Head:            Head{ID: SessionID(id), Type: TypeSession},
		SessionID:       id,
		ChatRef:         ChatID(id),
		SystemPromptRef: SystemPromptID(id),
		SessionIndex:    s.list(0),
		MetadataPool:    s.list(pooled),
		ActiveSet:       s.list(active),
		PinnedSet:       s.list(pinned),
	}
	return o, Seal(o)
}

func (s *sets) equal(o *sets) bool {
	return slices.Equal(s.levels, o.levels) && slices.Equal(s.ids, o.ids)
}

func (s *sets) clone() *sets {
	return &sets{slices.Clone(s.ids), slices.Clone(s.levels), maps.Clone(s.at)}
}
