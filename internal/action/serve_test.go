package action

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/repotest"
)

type shown string

func (b shown) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// The token that clients show is known: where it stands in the repository nobody reads it, in the log neither.
func TestServeHidesItsToken(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	const token = "tq7vKx2mPz9LrW4sHd8NcB3f"
	repo := repotest.New(t)
	commitFiles(t, repo, map[string]string{"notes.md": "It was " + token + " on monday.\n"}, nil)
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	read, write := io.Pipe()
	done := make(chan error, 1)
	cmd := Command{Process: job.Process{Args: []string{"serve", "--http", "127.0.0.1:0", "--token-file", file}, Getenv: func(string) string { return "" }, Dir: repo.Dir, Stdout: write, Stderr: write, Version: "test"}}
	go func() { done <- cmd.Run(ctx); write.Close() }()
	var log strings.Builder
	address := ""
	lines := bufio.NewScanner(read)
	for address == "" && lines.Scan() {
		log.WriteString(lines.Text() + "\n")
		if _, rest, ok := strings.Cut(lines.Text(), "answering at "); ok {
			address = strings.TrimSpace(rest)
		}
	}
	if address == "" {
		t.Fatalf("no address: %v\n%s", <-done, log.String())
	}
	rest := make(chan string, 1)
	go func() { b, _ := io.ReadAll(read); rest <- string(b) }()
	transport := &mcp.StreamableClientTransport{Endpoint: address, HTTPClient: &http.Client{Transport: shown(token)}, DisableStandaloneSSE: true}
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(ctx, transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "read", Arguments: map[string]any{"path": "notes.md"}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	cancel()
	log.WriteString(<-rest)
	for what, said := range map[string]string{"the answer": string(text), "the log": log.String()} {
		if strings.Contains(said, token[:12]) {
			t.Errorf("%s holds the token", what)
		}
	}
	if !strings.Contains(string(text), "on monday") {
		t.Errorf("the answer lacks the words beside it: %s", text)
	}
}
