package forge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/haversack-dev/haversack/internal/fault"
	"github.com/haversack-dev/haversack/internal/forge/forgetest"
)

func TestUpsert(t *testing.T) {
	marker := Marker("ci/build")
	if marker != "<!-- haversack:ci%2Fbuild -->" {
		t.Error(marker)
	}
	const bot = "github-actions[bot]"
	for _, test := range []struct {
		name   string
		login  string // of the token; "" = the workflow's
		server func(*forgetest.Server)
		want   []string // bodies, "\r\n" as "\n"
		action string
	}{
		{name: "first", want: []string{marker + "\ntext"}, action: "created"},
		{name: "changed", server: func(s *forgetest.Server) { s.Comment(bot, "Bot", marker+"\r\nold") },
			want: []string{marker + "\ntext"}, action: "updated"},
		{name: "the same", server: func(s *forgetest.Server) { s.Comment(bot, "Bot", marker+"\r\ntext\r\n") },
			want: []string{marker + "\ntext\n"}, action: "unchanged"},
		{name: "two of them", server: func(s *forgetest.Server) {
			s.Comment(bot, "Bot", marker+"\nolder")
			s.Comment("alice", "User", "hello")
			s.Comment(bot, "Bot", marker+"\nold")
		}, want: []string{"hello", marker + "\ntext"}, action: "updated"},
		{name: "another key", server: func(s *forgetest.Server) { s.Comment(bot, "Bot", Marker("ci")+"\nold") },
			want: []string{Marker("ci") + "\nold", marker + "\ntext"}, action: "created"},
		{name: "quoted by somebody", server: func(s *forgetest.Server) { s.Comment("mallory", "User", marker+"\nmine") },
			want: []string{marker + "\nmine", marker + "\ntext"}, action: "created"},
		{name: "quoted by one who is named like the bot", server: func(s *forgetest.Server) { s.Comment("github-actions", "User", marker+"\nmine") },
			want: []string{marker + "\nmine", marker + "\ntext"}, action: "created"},
		{name: "quoted by another bot", server: func(s *forgetest.Server) { s.Comment("other[bot]", "Bot", marker+"\nmine") },
			want: []string{marker + "\nmine", marker + "\ntext"}, action: "created"},
		{name: "not on the first line", server: func(s *forgetest.Server) { s.Comment(bot, "Bot", "> "+marker+"\n"+marker) },
			want: []string{"> " + marker + "\n" + marker, marker + "\ntext"}, action: "created"},
		{name: "a person's token", login: "alice", server: func(s *forgetest.Server) { s.Comment("Alice", "User", marker+"\nold") },
			want: []string{marker + "\ntext"}, action: "updated"},
		{name: "a person's token without GraphQL", login: "alice", server: func(s *forgetest.Server) {
			s.NoGraphQL = true
			s.Comment("alice", "User", marker+"\nold")
		}, want: []string{marker + "\ntext"}, action: "updated"},
		{name: "the workflow's token without GraphQL", server: func(s *forgetest.Server) {
			s.NoGraphQL = true
			s.Comment(bot, "Bot", marker+"\nold")
		}, want: []string{marker + "\ntext"}, action: "updated"},
		{name: "an app's token", login: "packer[bot]", server: func(s *forgetest.Server) { s.Comment("packer[bot]", "Bot", marker+"\nold") },
			want: []string{marker + "\ntext"}, action: "updated"},
		{name: "on the third page", server: func(s *forgetest.Server) {
			for range 230 {
				s.Comment("alice", "User", "talk")
			}
			s.Comment(bot, "Bot", marker+"\nold")
		}, want: append(slices.Repeat([]string{"talk"}, 230), marker+"\ntext"), action: "updated"},
		{name: "deleted while it is changed", server: func(s *forgetest.Server) {
			id := s.Comment(bot, "Bot", marker+"\nold")
			s.Fault = func(call forgetest.Call) *fault.Fault {
				if call.Name == "PATCH /issues/comments/*" {
					delete(s.Comments, id)
				}
				return nil
			}
		}, want: []string{marker + "\ntext"}, action: "created"},
		{name: "made, but the answer was lost", server: func(s *forgetest.Server) {
			s.Fault = func(call forgetest.Call) *fault.Fault {
				if call.Name == "POST /issues/*/comments" && call.N == 1 {
					return &fault.Fault{Done: true, Reset: true}
				}
				return nil
			}
		}, want: []string{marker + "\ntext"}, action: "unchanged"},
		{name: "not made, and the answer was lost", server: func(s *forgetest.Server) {
			s.Fault = func(call forgetest.Call) *fault.Fault {
				if call.Name == "POST /issues/*/comments" && call.N <= 2 {
					return &fault.Fault{Status: 502, Body: "<!DOCTYPE html>"}
				}
				return nil
			}
		}, want: []string{marker + "\ntext"}, action: "created"},
		{name: "an old one that stays", server: func(s *forgetest.Server) {
			s.Comment(bot, "Bot", marker+"\nolder")
			s.Comment(bot, "Bot", marker+"\nold")
			s.Fault = func(call forgetest.Call) *fault.Fault {
				if strings.HasPrefix(call.Name, "DELETE") {
					return &fault.Fault{Status: 403, Body: `{"message":"no"}`}
				}
				return nil
			}
		}, want: []string{marker + "\nolder", marker + "\ntext"}, action: "updated"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := forgetest.Start(t)
			if test.login != "" {
				s.Login = test.login
			}
			if test.server != nil {
				test.server(s)
			}
			c, _ := client(t, s)
			got, err := c.Upsert(context.Background(), 1, "ci/build", "text")
			var bodies []string
			for _, b := range s.Bodies() {
				bodies = append(bodies, strings.ReplaceAll(b, "\r\n", "\n"))
			}
			if err != nil || got.Action != test.action || got.ID == 0 || !strings.HasSuffix(got.URL, fmt.Sprint("#issuecomment-", got.ID)) {
				t.Errorf("%+v, %v; want %s", got, err, test.action)
			}
			if !slices.Equal(bodies, test.want) {
				t.Errorf("comments %q, want %q", bodies, test.want)
			}
			if n := strings.Count(strings.Join(s.Calls(), " "), "POST /graphql"); n > 1 {
				t.Errorf("asked %d times whose the token is", n)
			}
			// A second time nothing changes.
			s.Fault = nil
			calls := len(s.Calls())
			if again, err := c.Upsert(context.Background(), 1, "ci/build", "text"); err != nil || again.Action != "unchanged" || again.ID != got.ID {
				t.Errorf("%+v, %v the second time", again, err)
			}
			for _, call := range s.Calls()[calls:] {
				if strings.HasPrefix(call, "P") && !strings.HasSuffix(call, "graphql") {
					t.Errorf("%s the second time", call)
				}
			}
		})
	}
}

func TestUpsertRefused(t *testing.T) {
	for _, test := range []struct {
		name, words string
		refused     bool
		server      func(*forgetest.Server, *Client) int
	}{
		{"a fork's token", "commenting on pull request 1: not allowed with this token (403): \"Resource not accessible by integration\"", true,
			func(_ *forgetest.Server, c *Client) int { c.token = forgetest.ReadOnly; return 1 }},
		{"a fork's token, comment there", "not allowed with this token (403)", true,
			func(s *forgetest.Server, c *Client) int {
				s.Comment(s.Login, "Bot", Marker("k")+"\nold")
				c.token = forgetest.ReadOnly
				return 1
			}},
		{"nobody knows whose token", "asking whose the token is: the API answered 503", false,
			func(s *forgetest.Server, _ *Client) int {
				s.Comment(s.Login, "Bot", Marker("k")+"\nold")
				s.NoGraphQL = true
				s.Fault = func(call forgetest.Call) *fault.Fault {
					if call.Name == "GET /user" {
						return &fault.Fault{Status: 503, Body: `{"message":"x"}`}
					}
					return nil
				}
				return 1
			}},
		{"locked", "(403): \"Unable to create comment because issue is locked.\"", true,
			func(s *forgetest.Server, _ *Client) int {
				s.Fault = func(call forgetest.Call) *fault.Fault {
					if strings.HasPrefix(call.Name, "POST") {
						return &fault.Fault{Status: 403, Body: `{"message":"Unable to create comment because issue is locked."}`}
					}
					return nil
				}
				return 1
			}},
		{"no such pull request", "commenting on pull request 5: not found", false,
			func(_ *forgetest.Server, _ *Client) int { return 5 }},
		{"a hostile answer", "422: \"Validation Failed ::error::x ***\"", false,
			func(s *forgetest.Server, _ *Client) int {
				s.Fault = func(forgetest.Call) *fault.Fault {
					return &fault.Fault{Status: 422, Body: `{"message":"Validation Failed\n::error::x\u001b ` + forgetest.Token + `"}`}
				}
				return 1
			}},
	} {
		s := forgetest.Start(t)
		c, _ := client(t, s)
		number := test.server(s, c)
		_, err := c.Upsert(context.Background(), number, "k", "text")
		if err == nil || !strings.Contains(err.Error(), test.words) || errors.Is(err, ErrRefused) != test.refused {
			t.Errorf("%s: %v", test.name, err)
		}
		if strings.Count(strings.Join(s.Calls(), " "), "POST /issues") > 1 {
			t.Errorf("%s: asked again: %q", test.name, s.Calls())
		}
	}
}

// The longest comment is one that the service takes, whatever the characters.
func TestUpsertLong(t *testing.T) {
	for _, text := range []string{strings.Repeat("x", 200_000), strings.Repeat("line of 𝄞\n", 20_000), strings.Repeat("é", 70_000)} {
		s := forgetest.Start(t)
		c, _ := client(t, s)
		if _, err := c.Upsert(context.Background(), 1, "k", text); err != nil {
			t.Error(err)
			continue
		}
		if n := len(utf16.Encode([]rune(strings.ReplaceAll(s.Bodies()[0], "\r\n", "\n")))); n > 65536 {
			t.Errorf("%d characters", n)
		}
		clean(t, s)
	}
}

func TestMarker(t *testing.T) {
	seen := map[string]string{}
	for _, key := range []string{"", "a", "a-b", "a--b", "a%2D%2Db", "a---b", "-->", "a -->\n<b>", "--", "-", "ünï", "a\x00"} {
		m := Marker(key)
		inner := strings.TrimSuffix(strings.TrimPrefix(m, "<!-- "), " -->")
		if strings.ContainsAny(inner, "<>\n ") || strings.Contains(inner, "--") {
			t.Errorf("%q: %q", key, m)
		}
		if other, ok := seen[m]; ok {
			t.Errorf("%q and %q share %q", key, other, m)
		}
		seen[m] = key
	}
}
