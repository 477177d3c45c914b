package action

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/forge/forgetest"
	"github.com/haversack-dev/haversack/internal/job"
)

// forkRun is the payload of a workflow_run whose run was for mallory's branch.
func forkRun(head string, pulls ...any) map[string]any {
	return map[string]any{
		"repository": map[string]any{"id": forgetest.RepositoryID, "default_branch": "main"},
		"workflow_run": map[string]any{"event": "pull_request", "head_sha": head, "head_branch": "topic", "pull_requests": pulls,
			"head_repository": map[string]any{"id": 666, "owner": map[string]any{"login": "mallory"}}},
	}
}

// commentOn runs `haversack comment` in the second of two workflows.
func commentOn(t *testing.T, s *forgetest.Server, payload map[string]any, record string, flags ...string) (string, error) {
	t.Helper()
	tmp := t.TempDir()
	raw, err := json.Marshal(payload)
	if err != nil {
		t.Fatal(err)
	}
	event, file := filepath.Join(tmp, "event.json"), filepath.Join(tmp, "record.json")
	for name, text := range map[string]string{event: string(raw), file: record} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return execute(t, tmp, map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "workflow_run", "GITHUB_EVENT_PATH": event, "GITHUB_WORKSPACE": tmp,
		"GITHUB_API_URL": s.URL, "GITHUB_REPOSITORY": forgetest.Repository, "INPUT_TOKEN": forgetest.Token}, append([]string{"comment", "--record", file}, flags...)...)
}

// TestForkComment finds the pull request that a run of a fork was for, and comments
// on no other: not on one of the fork's own, not on somebody else's with the same
// commit, not on one that has another head by now.
func TestForkComment(t *testing.T) {
	sha, newer := strings.Repeat("a", 40), strings.Repeat("b", 40)
	head := func(owner string, id int, sha string) map[string]any {
		return map[string]any{"sha": sha, "ref": "topic", "user": map[string]any{"login": owner}, "repo": map[string]any{"id": id, "full_name": owner + "/widgets"}}
	}
	mallory := func(number int, over map[string]any) map[string]any {
		p := forgetest.Pull(number, sha, newer, map[string]any{"head": head("mallory", 666, sha)})
		for k, v := range over {
			p[k] = v
		}
		return p
	}
	foreign := map[string]any{"sha": newer, "ref": "main", "repo": map[string]any{"id": 666, "full_name": "mallory/widgets"}}
	victim := forgetest.Pull(3, sha, newer, nil)
	for _, test := range []struct {
		name    string
		payload map[string]any
		pulls   []map[string]any
		want    int64  // the pull request that gets the comment; 0 = none
		line    string // what is said then
	}{
		{name: "by its branch", payload: forkRun(sha), pulls: []map[string]any{mallory(2, nil)}, want: 2},
		{name: "the fork's own request is listed first", payload: forkRun(sha, map[string]any{"number": 3, "head": head("mallory", 666, sha), "base": foreign}),
			pulls: []map[string]any{mallory(2, nil), victim}, want: 2},
		{name: "somebody else's with the same commit is newer", payload: forkRun(sha), pulls: []map[string]any{mallory(2, nil), victim}, want: 2},
		{name: "somebody else's with the same commit alone", payload: forkRun(sha), pulls: []map[string]any{victim}, line: "not found"},
		{name: "pushed to since", payload: forkRun(sha), pulls: []map[string]any{mallory(2, map[string]any{"head": head("mallory", 666, newer)})},
			line: "Not commented: asking for the pull request of aaaaaaaaaaaa: #2: the pull request has moved on to bbbbbbbbbbbb\n"},
		{name: "pushed to since, and listed", payload: forkRun(sha, map[string]any{"number": 2, "head": head("mallory", 666, newer), "base": map[string]any{"repo": map[string]any{"id": forgetest.RepositoryID}}}),
			pulls: []map[string]any{mallory(2, map[string]any{"head": head("mallory", 666, newer)})}, line: "has moved on to bbbbbbbbbbbb"},
		{name: "two of one branch", payload: forkRun(sha), pulls: []map[string]any{mallory(2, nil), mallory(4, nil)}, line: "Not commented: asking for the pull request of aaaaaaaaaaaa: #2, #4 have this head: which of them is meant cannot be told\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := forgetest.Start(t)
			s.Pulls = test.pulls
			out, err := commentOn(t, s, test.payload, `{"mode":"full","files":[{"path":"a","included":true,"size_bytes":5}]}`)
			said := out
			if err != nil {
				said += err.Error()
			}
			for n := int64(1); n < 5; n++ {
				want := 0
				if n == test.want {
					want = 1
				}
				if got := len(s.BodiesOn(n)); got != want {
					t.Errorf("%d comments on #%d, want %d; %s", got, n, want, said)
				}
			}
			if test.want != 0 { // and again, for programs
				out, err := commentOn(t, s, test.payload, `{"mode":"full","files":[{"path":"a","included":true,"size_bytes":5}]}`, "--json")
				if err != nil || !strings.Contains(out, `"action": "unchanged"`) || !strings.Contains(out, fmt.Sprintf(`"pull_request": %d,`, test.want)) {
					t.Errorf("with --json: %v: %s", err, out)
				}
			}
			if !strings.Contains(said, test.line) {
				t.Errorf("said %q, want %q", said, test.line)
			}
			if (err != nil) != (test.line == "not found") {
				t.Errorf("error %v", err)
			}
		})
	}
}

// TestForeignRecord comments with records that somebody made by hand.
func TestForeignRecord(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	sha := strings.Repeat("a", 40)
	row := `{"path":"a","included":true,"size_bytes":9223372036854775807}`
	sum := strings.Repeat("c", 64)
	output := func(name string, n int) string {
		return fmt.Sprintf(`{"name":%q,"sha256":%q,"size_bytes":%d,"members":[{},{}]}`, name, sum, n)
	}
	var many []string
	for i := range 3000 {
		many = append(many, output("archive.tar", i), output(fmt.Sprintf("archive%d.tar", i), i))
	}
	for _, test := range []struct {
		name, record string
		want         string // in the comment, or in the error
		fails        bool
	}{
		{name: "sizes that do not add up", record: `{"files":[` + row + `,` + row + `]}`, want: "at byte 70 a size is 9223372036854775807; 0 to 1125899906842624 can be one", fails: true},
		{name: "a sum beyond all bounds", record: `{"files":[` + strings.Repeat(`{"included":true,"size_bytes":1125899906842624},`, 9) + `{}]}`, want: "more than 1125899906842624 bytes", fails: true},
		{name: "a size below nothing", record: `{"files":[{"included":true,"size_bytes":-2}]}`, want: "a size is -2", fails: true},
		{name: "empty rows without end", record: `{"files":[` + strings.Repeat("{},", 15<<20) + `{}]}`, want: "more than 1000000 files", fails: true},
		{name: "one long text", record: `{"files":[{"path":"` + strings.Repeat("a", 40<<20) + `"}]}`, want: "one value in it is longer than 1048576 bytes", fails: true},
		{name: "lists in lists", record: `{"files":` + strings.Repeat("[", 40<<20) + `}`, want: "where \"{\" is wanted", fails: true},
		{name: "lists in lists that nobody reads", record: `{"timings":` + strings.Repeat("[", 40<<20) + `}`, want: "nested deeper than 200", fails: true},
		{name: "cut off", record: `{"files":[`, want: "unexpected EOF", fails: true},
		{name: "another shape", record: `[]`, want: `at byte 1 stands "[" where "{" is wanted`, fails: true},
		{name: "nothing", record: ``, want: "unexpected EOF", fails: true},
		{name: "words", record: `{"mode":"@all","head":{"commit":"[x](y)"},"base":{"reason":"@all"},"files":[{"reason":"<b>"}],"warnings":["@all"]}`, want: "mode full"},
		{name: "three thousand outputs", record: `{"outputs":[` + strings.Join(many, ",") + `]}`, want: "Packed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := forgetest.Start(t)
			s.Pulls = []map[string]any{forgetest.Pull(1, sha, sha, map[string]any{"head": map[string]any{"sha": sha, "ref": "topic",
				"user": map[string]any{"login": "mallory"}, "repo": map[string]any{"id": 666, "full_name": "mallory/widgets"}}})}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			out, err := commentOn(t, s, forkRun(sha), test.record)
			runtime.ReadMemStats(&after)
			// The test itself holds the record as bytes, too.
			if spent := after.TotalAlloc - before.TotalAlloc; spent > 300<<20+uint64(len(test.record)) {
				t.Errorf("%d MB were allocated", spent>>20)
			}
			said := strings.Join(s.Bodies(), "")
			if test.fails {
				if err == nil || job.ExitCode(err) != job.ExitInput {
					t.Fatalf("error %v, %s", err, out)
				}
				said += err.Error()
			} else if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(said, test.want) {
				t.Errorf("said %.500q, want %q", said, test.want)
			}
			for _, bad := range []string{"-2 B", "@all", "[x]", "<b>"} {
				if strings.Contains(strings.Join(s.Bodies(), ""), bad) {
					t.Errorf("the comment holds %q:\n%s", bad, said)
				}
			}
			if len(said) > 3000 {
				t.Errorf("%d characters were said", len(said))
			}
		})
	}
}
