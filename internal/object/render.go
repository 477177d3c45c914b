package object

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ErrNoHistory is what History answers about a path that the store never met.
var ErrNoHistory = errors.New("the session never met this path")

// batch is how many contents are held at once while rendering.
const batch = 200

// Render writes the context for a model, what changes least before what changes most,
// so that a prompt cache keeps the beginning: the guide, a line for each object of the pool, the chat, and the content
// of the active objects. Content that the store does not keep is asked of read, and said to
// be missing where read is nil or has another version.
func (t *Thread) Render(ctx context.Context, out io.Writer, read Reader) error {
	w := bufio.NewWriter(out)
	own, err := t.store.Get(ctx, Query{IDs: []string{SystemPromptID(t.id)}, Content: true})
	if err != nil {
		return err
	}
	if p, ok := own[SystemPromptID(t.id)].(*SystemPrompt); ok && p.Content != nil && *p.Content != "" {
		fmt.Fprintf(w, "%s\n\n", strings.TrimRight(*p.Content, "\n"))
	}

	fmt.Fprint(w, "METADATA_POOL\n")
	for _, id := range t.sets.list(pooled) {
		line, err := t.line(ctx, id)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "- %s\n", line)
	}

	fmt.Fprint(w, "\nCHAT\n")
	if t.chat != nil {
		for _, turn := range t.chat.Turns {
			if turn.User != "" {
				fmt.Fprintf(w, "user: %s\n", turn.User)
			}
			for _, id := range turn.ToolcallIDs {
				if c, ok := t.heads[id].(*Toolcall); ok {
					fmt.Fprintf(w, "toolcall_ref id=%s tool=%s status=%s\n", word(id), word(c.Tool), c.Status)
				}
			}
			if turn.Assistant != "" {
				fmt.Fprintf(w, "assistant: %s\n", turn.Assistant)
			}
		}
	}

	for ids := range slices.Chunk(t.sets.list(active), batch) {
		objects, err := t.store.Get(ctx, Query{IDs: ids, Content: true})
		if err != nil {
			return err
		}
		for _, id := range ids {
			content, ok := t.content(objects[id], read)
			if ok {
				fmt.Fprintf(w, "\nACTIVE_CONTENT id=%s\n%s\n", word(id), content)
			}
		}
	}
	return w.Flush()
}

// content returns what stands below an active object's line, and whether it has one.
func (t *Thread) content(o Object, read Reader) (string, bool) {
	if o == nil {
		return "", false
	}
	h := HeadOf(o)
	if h.Content != nil {
		return *h.Content, true
	}
	f, ok := o.(*File)
	if !ok || f.FileHash == nil {
		return "", false
	}
	text := f.ContentHash != nil // else it is no text, or a store that keeps none cannot tell
	if read != nil {
		raw, err := read(t.display(f))
		if err == nil && utf8.Valid(raw) {
			if text = true; FileHash(raw) == *f.FileHash {
				return string(raw), true
			}
		}
	}
	if !text {
		return "", false
	}
	return "[content not kept]", true
}

// line is what the pool says of an object.
func (t *Thread) line(ctx context.Context, id string) (string, error) {
	switch o := t.heads[id].(type) {
	case *File:
		line := fmt.Sprintf("id=%s type=file path=%s file_type=%s", word(id), word(t.display(o)), word(o.FileType))
		if o.FileHash != nil {
			return line + " char_count=" + strconv.Itoa(o.CharCount), nil
		}
		gone, err := t.isGone(ctx, id)
		if err != nil {
			return "", err
		}
		if gone {
			return line + " [deleted]", nil
		}
		return line + " [unread]", nil
	case *Toolcall:
		return fmt.Sprintf("id=%s type=toolcall tool=%s status=%s", word(id), word(o.Tool), o.Status), nil
	}
	return "id=" + word(id) + " [not stored]", nil
}

// word returns foreign text as it is where it stays on its line, else quoted.
func word(s string) string {
	if s == "" || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) || r == '"' }) {
		return strconv.Quote(s)
	}
	return s
}

// Status is what session show tells of a thread.
type Status struct {
	// Session is the document as it is stored.
	Session *Session `json:"session"`
	// Counts of the sets, and of the files in them by what is known of each.
	Counts struct {
		SessionIndex int `json:"session_index"`
		MetadataPool int `json:"metadata_pool"`
		ActiveSet    int `json:"active_set"`
		PinnedSet    int `json:"pinned_set"`
		Files        int `json:"files"`
		Toolcalls    int `json:"toolcalls"`
		Unread       int `json:"unread"`
		Deleted      int `json:"deleted"`
		Turns        int `json:"turns"`
		// ActiveChars is the length of all active content, in UTF-16 units.
		ActiveChars int64 `json:"active_chars"`
	} `json:"counts"`
	Runs   []Run    `json:"runs"`
	Unread []string `json:"unread"`
}

// Status counts what the thread holds.
func (t *Thread) Status(ctx context.Context) (*Status, error) {
	session, err := t.sets.session(t.id)
	if err != nil {
		return nil, err
	}
	s := &Status{Session: session, Runs: append([]Run{}, t.runs...)}
	if s.Unread, err = t.Unread(ctx); err != nil {
		return nil, err
	}
	s.Unread = orEmpty(s.Unread)
	c := &s.Counts
	c.SessionIndex, c.MetadataPool = len(session.SessionIndex), len(session.MetadataPool)
	c.ActiveSet, c.PinnedSet = len(session.ActiveSet), len(session.PinnedSet)
	c.Unread = len(s.Unread)
	for i, id := range t.sets.ids {
		switch o := t.heads[id].(type) {
		case *File:
			c.Files++
			if o.FileHash == nil {
				gone, err := t.isGone(ctx, id)
				if err != nil {
					return nil, err
				}
				if gone {
					c.Deleted++
				}
			} else if t.sets.levels[i]&active != 0 {
				c.ActiveChars += int64(o.CharCount)
			}
		case *Toolcall:
			c.Toolcalls++
		}
	}
	if t.chat != nil {
		c.Turns = t.chat.TurnCount
	}
	return s, nil
}

// Show writes a thread's status for reading.
func (t *Thread) Show(ctx context.Context, out io.Writer) error {
	s, err := t.Status(ctx)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	c := s.Counts
	fmt.Fprintf(w, "session %s\n", word(t.id))
	fmt.Fprintf(w, "  session_index  %d (%d files, %d toolcalls)\n", c.SessionIndex, c.Files, c.Toolcalls)
	fmt.Fprintf(w, "  metadata_pool  %d\n", c.MetadataPool)
	fmt.Fprintf(w, "  active_set     %d (%d characters)\n", c.ActiveSet, c.ActiveChars)
	fmt.Fprintf(w, "  pinned_set     %d\n", c.PinnedSet)
	fmt.Fprintf(w, "  unread         %d\n", c.Unread)
	fmt.Fprintf(w, "  deleted        %d\n", c.Deleted)
	fmt.Fprintf(w, "  turns          %d\n", c.Turns)
	fmt.Fprintf(w, "runs %d\n", len(s.Runs))
	for i, r := range s.Runs {
		fmt.Fprintf(w, "  %d %s", i+1, word(r.ID))
		if r.Commit != "" {
			fmt.Fprintf(w, " %s", word(r.Commit))
		}
		if r.Handed {
			fmt.Fprint(w, " handed")
		}
		fmt.Fprintln(w)
	}
	for _, p := range s.Unread {
		fmt.Fprintf(w, "[unread] %s\n", word(p))
	}
	return w.Flush()
}

// ShowJSON writes a thread's status as one line of JSON.
func (t *Thread) ShowJSON(ctx context.Context, out io.Writer) error {
	s, err := t.Status(ctx)
	if err != nil {
		return err
	}
	b, err := encode(s)
	if err != nil {
		return err
	}
	_, err = out.Write(append(b, '\n'))
	return err
}

// History writes the versions of the file at a path, relative to the root or absolute, oldest first.
func (t *Thread) History(ctx context.Context, out io.Writer, rel string) error {
	src, err := t.place(rel)
	if err != nil {
		return err
	}
	versions, err := t.store.History(ctx, IdentityHash(TypeFile, &src, ""))
	if err != nil {
		return err
	}
	if len(versions) == 0 {
		return fmt.Errorf("history of %q: %w", rel, ErrNoHistory)
	}
	runs, err := t.store.Runs(ctx, "")
	if err != nil {
		return err
	}
	commits := map[string]string{}
	for _, r := range runs {
		commits[r.ID] = r.Commit
	}
	w := bufio.NewWriter(out)
	lives := make([]Life, len(versions)+1)
	for i, v := range versions {
		f, ok := v.Object.(*File)
		if !ok {
			return fmt.Errorf("history of %q: %w: a version is not a file", rel, ErrDamaged)
		}
		lives[i+1] = lives[i].Next(f.FileHash != nil)
		run, commit := "-", "-"
		if v.Run != "" {
			run = word(v.Run)
			if c := commits[v.Run]; c != "" {
				commit = word(c)
			}
		}
		fmt.Fprintf(w, "%d %s %s ", i+1, run, commit)
		switch {
		case f.FileHash != nil:
			fmt.Fprintf(w, "%s char_count=%d\n", *f.FileHash, f.CharCount)
		case lives[i+1] == Stub:
			fmt.Fprintln(w, "[unread]")
		default:
			fmt.Fprintln(w, "[deleted]")
		}
	}
	return w.Flush()
}
