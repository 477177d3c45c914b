package action

import (
	"os"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/fault"
	"github.com/haversack-dev/haversack/internal/forge/forgetest"
)

// TestBadSurroundings: a payload, a token, an API or a runner that is not as it should
// be costs one clear line, and the run does what can be done without it.
func TestBadSurroundings(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	push := `{"ref":"refs/heads/main","before":"` + strings.Repeat("a", 40) + `","after":"` + strings.Repeat("b", 40) + `"}`
	refuse := func(status int, body string) func(forgetest.Call) *fault.Fault {
		return func(call forgetest.Call) *fault.Fault {
			if strings.Contains(call.Name, "/comments") {
				return &fault.Fault{Status: status, Body: body}
			}
			return nil
		}
	}
	for _, test := range []struct {
		name    string
		payload string // "" = the pull request's
		event   string
		over    map[string]string
		api     func(forgetest.Call) *fault.Fault
		want    string // starts the one line
	}{
		{name: "30 MB of spaces and words", payload: `{"number":1,"x":"` + strings.Repeat("y", 30<<20) + `"}`, want: "::warning::the payload is not that of the event pull_request, so the base is found as on a desk: it describes no pull request"},
		{name: "40 MB", payload: `{"x":"` + strings.Repeat("y", 40<<20) + `"}`, want: "::warning::the event's payload cannot be used, so the base is found as on a desk: reading the event's payload: larger than 33554432 bytes"},
		{name: "30 MB of requests", event: "workflow_run", payload: `{"workflow_run":{"pull_requests":[` + strings.Repeat("{},", 10<<20) + `{}]}}`, want: "::warning::the event's payload cannot be used, so the base is found as on a desk: reading the event's payload: workflow_run.pull_requests lists more than 5000 objects"},
		{name: "a list", payload: `[1,2]`, want: "::warning::the event's payload cannot be used, so the base is found as on a desk: reading the event's payload: it is a JSON array, and an object is wanted"},
		{name: "a word for a number", payload: `{"pull_request":{"number":"one"}}`, want: "::warning::the event's payload cannot be used, so the base is found as on a desk: reading the event's payload: pull_request.number is a JSON string, which the service never sends"},
		{name: "no JSON", payload: `{"pull_request":`, want: "::warning::the event's payload cannot be used, so the base is found as on a desk: reading the event's payload: not JSON at byte 16"},
		{name: "a push's payload", payload: push, want: "::warning::the payload is not that of the event pull_request, so the base is found as on a desk: it describes no pull request"},
		{name: "a request's payload for a push", event: "push", want: "::warning::the payload is not that of the event push, so the base is found as on a desk: it names no commit"},
		{name: "no payload there", over: map[string]string{"GITHUB_EVENT_PATH": "/nowhere/event.json"}, want: "::warning::the event's payload cannot be used, so the base is found as on a desk: reading the event's payload: no such file or directory"},
		{name: "a token that may only read", over: map[string]string{"INPUT_TOKEN": forgetest.ReadOnly}, want: "Not commented: commenting on pull request 1: not allowed with this token (403): \"Resource not accessible by integration\""},
		{name: "a token of nobody", over: map[string]string{"INPUT_TOKEN": "ghs_nobody", "INPUT_DEFAULTS": "repository"}, want: "Not commented: commenting on pull request 1: the API refused the token (401): \"Bad credentials\""},
		{name: "an API that fails", api: refuse(500, `{"message":"Server Error"}`), want: "Not commented: commenting on pull request 1: the API answered 500: \"Server Error\""},
		{name: "an API that answers with a page", api: refuse(200, "<!DOCTYPE html>\n<h1>Unicorn!</h1>"), want: "Not commented: commenting on pull request 1: the API's answer is no JSON: \"<!DOCTYPE html> <h1>Unicorn!</h1>\""},
		{name: "no step summary", over: map[string]string{"GITHUB_STEP_SUMMARY": ""}, want: "No step summary: this runner names no file for it (GITHUB_STEP_SUMMARY)."},
		{name: "a step summary that cannot be written", over: map[string]string{"GITHUB_STEP_SUMMARY": "/nowhere/summary"}, want: "::warning::the step summary could not be written: open /nowhere/summary: no such file or directory"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && len(test.payload) > 20<<20 {
				t.Skip("takes some seconds")
			}
			p := newPullRun(t, "-- src/a.ts --\nexport const a = 1;\n")
			p.api.Fault = test.api
			if test.payload != "" {
				if err := os.WriteFile(p.file("event.json"), []byte(test.payload), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if test.event != "" {
				p.env["GITHUB_EVENT_NAME"] = test.event
			}
			for k, v := range test.over {
				p.env[k] = v
			}
			out, err := execute(t, p.Dir, p.env)
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			lines := 0
			for line := range strings.Lines(out) {
				if strings.HasPrefix(line, test.want) {
					lines++
				} else if strings.HasPrefix(line, "::warning") {
					t.Errorf("also said: %s", line)
				}
			}
			if lines != 1 {
				t.Errorf("%d lines begin with %q:\n%.3000s", lines, test.want, out)
			}
			if !strings.Contains(p.read(t, p.file("output")), ".stan/output/archive.tar") {
				t.Error("the outputs name no archive")
			}
		})
	}
}
