package action

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/forge/forgetest"
	"github.com/haversack-dev/haversack/internal/repotest"
)

// shardOf packs one share of a list and puts its index aside, as a job of a matrix does.
func shardOf(t *testing.T, dir, list, shard, aside string) FleetIndex {
	t.Helper()
	x, out, err := fleetRun(t, dir, 0, list, "--pack", "none", "--base", "none", "--shard", shard)
	if err != nil && x.Counts[fleetFailed] == 0 {
		t.Fatalf("%s: %v\n%s", shard, err, out)
	}
	at := filepath.Join(dir, "shards", aside)
	if err := os.MkdirAll(at, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "fleet.haversack", "fleet.json"), filepath.Join(at, "fleet.json")); err != nil {
		t.Fatal(err)
	}
	return x
}

// TestFleetShards divides a list among shards: each repository is in one, those that stand
// twice too, and the index of all is what one fleet over the list says.
func TestFleetShards(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	dir := t.TempDir()
	names := fleetOf(t, dir, 7)
	lines := append([]string{names[3]}, names...)
	file := list(t, dir, append(lines, "boats/sunk/long/ago")...)
	sum := 0
	for i, n := range []int{3, 3, 2} {
		x := shardOf(t, dir, file, fmt.Sprintf("%d/3", i+1), fmt.Sprintf("fleet-%d", i+1))
		if sum += len(x.Repositories); len(x.Repositories) != n {
			t.Errorf("shard %d has %d repositories, not %d", i+1, len(x.Repositories), n)
		}
	}
	x, out, err := fleetRun(t, dir, 0, file, "--index", "shards")
	if sum != 8 || len(x.Repositories) != 8 || x.Counts[fleetPacked] != 7 || x.Counts[fleetFailed] != 1 || x.Duplicates != 1 || err == nil || !strings.Contains(err.Error(), "1 of 8 repositories failed") {
		t.Errorf("%v, %d duplicates: %v\n%s", x.Counts, x.Duplicates, err, out)
	}
	for i, want := range append([]string{names[3]}, append(names[:3:3], names[4:]...)...) {
		if x.Repositories[i].Name != want || x.Repositories[i].Files != 1 {
			t.Errorf("row %d is %+v, and %s is wanted", i, x.Repositories[i], want)
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, "fleet.haversack", "fleet.md"))
	if err != nil || !strings.Contains(string(page), "8 repositories: 7 packed, 1 failed; 1 lines name one again.") || !strings.Contains(string(page), "boats/sunk/long/ago") {
		t.Errorf("%v\n%s", err, page)
	}

	// A shard that was cut off has left nothing; one that ran again tells of what was packed before.
	if err := os.RemoveAll(filepath.Join(dir, "shards", "fleet-2")); err != nil {
		t.Fatal(err)
	}
	if x := shardOf(t, dir, file, "1/3", "again-1"); x.Counts[fleetUnchanged] != 3 {
		t.Errorf("run again: %v", x.Counts)
	}
	x, _, err = fleetRun(t, dir, 0, file, "--index", "shards")
	if x.Counts[fleetWaiting] != 3 || x.Counts[fleetPacked] != 5 || err == nil || !strings.Contains(err.Error(), "no shard says") {
		t.Errorf("without a shard: %v: %v", x.Counts, err)
	}
}

// TestFleetIndexReads has files that are no index: each is an error that names it, and
// nothing is written.
func TestFleetIndexReads(t *testing.T) {
	row := func(s string) string {
		return `{"v":1,"tool":{"name":"haversack","version":"x"},"counts":{},"duplicates":0,"repositories":[{"name":"a/b","folder":"a-b-00000000",` + s + `}]}`
	}
	for text, want := range map[string]string{
		row(`"state":"packed","commit":"","files":1,"bytes":1,"credentials":0`):                                "1 repositories: 1 waiting",
		row(`"state":"sunk","commit":"","files":1,"bytes":1,"credentials":0`):                                  "its row of",
		row(`"state":"packed","commit":"main","files":1,"bytes":1,"credentials":0`):                            "its row of",
		row(`"state":"packed","commit":"","files":-1,"bytes":1,"credentials":0`):                               "its row of",
		row(`"state":"packed","commit":"","pushed":"javascript:alert(1)","files":1,"bytes":1,"credentials":0`): "its row of",
		row(`"state":"packed","commit":"","files":1,"bytes":1,"credentials":0,"more":1`):                       "no index of a fleet",
		`{"v":2,"repositories":[]}`: "of version 1",
		`[]`:                        "no index of a fleet",
		``:                          "no index of a fleet",
	} {
		dir := t.TempDir()
		put := filepath.Join(dir, "shards", "one", "fleet.json")
		if err := os.MkdirAll(filepath.Dir(put), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(put, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, out, err := fleetRun(t, dir, 0, list(t, dir, "boats/gull"), "--index", "shards")
		_, absent := os.Stat(filepath.Join(dir, "fleet.haversack", "fleet.json"))
		if said := fmt.Sprint(out, err); !strings.Contains(said, want) || strings.HasPrefix(want, "1 ") != (absent == nil) {
			t.Errorf("%s\n%s\n%v; want %q", text, said, absent, want)
		}
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "shards"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, _, err := fleetRun(t, dir, 0, list(t, dir, "boats/gull"), "--index", "shards"); err == nil || !strings.Contains(err.Error(), "holds no fleet.json") {
		t.Error(err)
	}
}

// TestFleetOwner packs an organisation that the API tells of: archived ones and those of
// another topic are passed over, one that the token may not read and one without a commit
// cost themselves.
func TestFleetOwner(t *testing.T) {
	api := forgetest.Start(t)
	sea, land := []string{"sea", "go"}, []string{"land"}
	api.Owned = map[string][]map[string]any{"orgs/octo": {
		{"full_name": "octo/Wherry", "topics": sea}, {"full_name": "octo/hidden", "topics": sea, "private": true}, {"full_name": "octo/bare", "topics": sea},
		{"full_name": "octo/old", "topics": sea, "archived": true}, {"full_name": "octo/cart", "topics": land}, {"full_name": "Octo/wherry", "topics": sea},
	}}
	mux := http.NewServeMux()
	full := repotest.New(t, "-- oar.go --\npackage oar\n").Handler("/octo/Wherry", "http.receivepack=false")
	none := repotest.New(t).Handler("/octo/bare")
	mux.HandleFunc("/octo/", func(w http.ResponseWriter, r *http.Request) {
		_, password, _ := r.BasicAuth()
		switch {
		case password != forgetest.Token:
			http.NotFound(w, r)
		case strings.HasPrefix(r.URL.Path, "/octo/Wherry/"):
			full.ServeHTTP(w, r)
		case strings.HasPrefix(r.URL.Path, "/octo/bare/"):
			none.ServeHTTP(w, r)
		default:
			http.NotFound(w, r)
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	env := map[string]string{"GITHUB_API_URL": api.URL, "GITHUB_SERVER_URL": server.URL, "INPUT_TOKEN": forgetest.Token}
	dir := t.TempDir()
	_, out, err := fleetRunWith(t, dir, 0, env, "org:octo", "--list", "--topic", "Sea")
	if out != "octo/bare\nocto/hidden\nocto/Wherry\n" || err != nil {
		t.Errorf("--list prints %q: %v", out, err)
	}
	if _, out, _ = fleetRunWith(t, dir, 0, env, "org:octo", "--list", "--archived", "--json"); strings.Count(out, "octo/") != 5 || !strings.HasPrefix(out, "[") {
		t.Errorf("--list --archived prints %q", out)
	}
	x, out, err := fleetRunWith(t, dir, 0, env, "org:octo", "--topic", "sea", "--pack", "none", "--base", "none")
	if err == nil || x.Counts[fleetPacked] != 1 || x.Counts[fleetEmpty] != 1 || x.Counts[fleetFailed] != 1 {
		t.Errorf("%v: %v\n%s", x.Counts, err, out)
	}
	for _, r := range x.Repositories {
		if r.State == fleetFailed && (r.Name != "octo/hidden" || !strings.Contains(r.Error, "no such repository, or the token may not see it")) {
			t.Errorf("%+v", r)
		}
	}
	if r := api.Refusals(); len(r) > 0 {
		t.Errorf("the API refused %q", r)
	}
	for _, args := range [][]string{{"org:octo", "--topic", "air"}, {"org:nobody"}} {
		if _, _, err := fleetRunWith(t, dir, 0, env, args...); err == nil || !strings.Contains(err.Error(), "listing the repositories of") {
			t.Errorf("%q: %v", args, err)
		}
	}
}
