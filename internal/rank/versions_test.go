package rank

import (
	"context"
	"math"
	"testing"

	"github.com/haversack-dev/haversack/internal/tree"
)

// The kind of a change is told by its lines; beside one of versions alone no block is shown.
func TestKind(t *testing.T) {
	for _, c := range []struct {
		path, patch string
		want        Kind
	}{
		{"package.json", "@@ -3 +3 @@\n-    \"left-pad\": \"^1.2.0\",\n+    \"left-pad\": \"^1.3.0\",\n", OfVersions},
		{"package.json", "@@ -3 +3,2 @@\n-    \"left-pad\": \"^1.2.0\",\n+    \"left-pad\": \"^1.3.0-rc.1\",\n+    \"right-pad\": \"1.0.0\",\n", OfVersions},
		{"package.json", "@@ -3,2 +3 @@\n-    \"left-pad\": \"^1.2.0\",\n-    \"right-pad\": \"1.0.0\",\n+    \"left-pad\": \"2.0.0\",\n", OfVersions},
		{"Cargo.toml", "@@ -3 +3 @@\n-mill = { version = \"2.0.0\", features = [\"sqlite\"] }\n+mill = { version = \"2.0.0\", features = [\"sqlite\", \"mysql\"] }\n", OfText},
		{"ci.yml", "@@ -3 +3 @@\n-      - uses: actions/attest@96b4a1e1234 # v1\n+      - uses: actions/attest@a6b4a1e9234 # v2.1\n", OfVersions},
		{"deploy.yaml", "@@ -3 +3 @@\n-  replicas: 2\n+  replicas: 3\n", OfText},
		{"go.sum", "@@ -1 +1 @@\n-example.com/a h1:abc=\n+example.com/a h1:abd=\n", OfVersions},
		{"a.go", "@@ -3 +3 @@\n-const v = \"1.2.0\"\n+const v = \"1.3.0\"\n", OfCode},
		{"b.png", "", OfText},
		{"Dockerfile", "@@ -3 +3 @@\n-RUN make\n+RUN make all\n", OfText},
		{"README.md", "@@ -3 +3 @@\n-call Serve\n+call Run\n", OfText},
		{"lib/a.ex", "@@ -3 +3 @@\n-  Serve.now()\n+  Serve.then()\n", OfCode},
		{"main.css", "@@ -3 +3 @@\n-.a {}\n+.b {}\n", OfCode},
		{"Dockerfile", "@@ -1 +1 @@\n-FROM golang:1.24\n+FROM golang:1.25\n", OfVersions},
	} {
		order, err := Files(context.Background(), Input{Files: []tree.File{tree.Bytes(c.path, []byte("x\n"))}, Changes: []Change{{Path: c.path, Patch: []byte(c.patch)}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := order.Kind(); got != c.want {
			t.Errorf("%s: kind %d, want %d", c.path, got, c.want)
		}
		if got := order.NeedAt(200) == math.MaxInt64; got != (c.want == OfVersions) {
			t.Errorf("%s: that no block is shown beside it is %v", c.path, got)
		}
	}
}
