package rank

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/tree"
)

// Keys of YAML that a task quotes, or writes with dots, lead to where they stand one in the other.
func TestTaskKeys(t *testing.T) {
	values := "# of the mill\nmill:\n  stone:\n    speed: 3\n    # turned\n  flour:\n    sacks: 2\nlog:\n  level: info\n"
	files := []tree.File{
		tree.Bytes("charts/mill/values.yaml", []byte(values)),
		tree.Bytes("charts/mill/templates/stone.yaml", []byte("spec:\n  {{ .Values.mill.stone.speed }}\n")),
		tree.Bytes("charts/quern/values.yaml", []byte(values)),
		tree.Bytes("charts/sieve/values.yaml", []byte("sieve:\n  mesh: 3\n")),
		tree.Bytes("ci/build.yml", []byte("jobs:\n  grind:\n    runs-on: linux\n    steps:\n      - name: Grind\n        run: make grind\n      - name: Sift\n        run: |\n          sift: now\n          make\n")),
		tree.Bytes("conf/app.properties", []byte("# The wheel\nmill.wheel.buckets=12\n# mill.wheel.speed=3\n")),
		tree.Bytes("src/mill.go", []byte("package mill\n\nfunc Speed() int { return 3 }\n")),
	}
	for task, want := range map[string]string{
		"executing \"charts/mill/templates/stone.yaml\" at <.Values.mill.stone.speed>: nil pointer": "charts/mill/templates/stone.yaml:0 charts/mill/values.yaml:4",
		"What does sieve.mesh do?":                                 "",
		"Where is mill.flour.sacks read?":                          "charts/mill/values.yaml:7 charts/quern/values.yaml:7",
		"Our values:\n\n    top:\n      sieve:\n        mesh: 9\n": "charts/sieve/values.yaml:2",
		"Why does it skip this?\n\n```yaml\n  grind:\n    runs-on: linux\n    steps:\n      - name: Grind\n```\n": "ci/build.yml:3 ci/build.yml:5",
		"```yaml\njobs:\n  grind:\n    runs-on: mac\n    a: 1\n    b: 2\n    c: 3\n```\n":                         "",
		"```yaml\nmill:\n  wheel:\n    buckets: 3\n```\n":                                                         "conf/app.properties:2",
		"Does mill.wheel.speed do anything?":                                                                      "conf/app.properties:3",
		"else:\n  try:\n    speed: 3\n":                                                                           "",
	} {
		o, err := ForTask(context.Background(), Task{Text: []byte(task), Files: files})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range o.Frames() {
			got = append(got, fmt.Sprintf("%s:%d", f.Path, f.Line))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %v, want %s", task, got, want)
		}
	}
}
