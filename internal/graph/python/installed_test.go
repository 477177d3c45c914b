package python

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/tree"
)

func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// declare adds an external root with the files, and returns where it is.
func declare(t *testing.T, roots *graph.Roots, files map[string]string) string {
	t.Helper()
	dir := folder(t, files)
	root, err := tree.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	dir = filepath.ToSlash(dir)
	roots.External = append(roots.External, graph.ExternalRoot{Dir: dir, Root: root})
	return dir
}

// TestInstalled finds files of distributions in a virtualenv, and the meta that comes of it can be read and
// selected from.
func TestInstalled(t *testing.T) {
	const at = "lib/python3.12/site-packages/"
	roots, sources := open(t, folder(t, map[string]string{
		"app/__init__.py": "",
		"app/a.py": `import os
import yaml
import solo
import never
import native.fast
from native import slow
from requests import Session, gone
from google.cloud import storage, absent
from own import x
if TYPE_CHECKING:
    from requests.models import Response
`,
		"own/__init__.py": "x = 1",
	}))
	venv := declare(t, &roots, map[string]string{
		at + "requests/__init__.py":                                "from .sessions import Session\nfrom . import models\nimport urllib3\n",
		at + "requests/sessions.py":                                "from .models import Response\nclass Session: pass\n",
		at + "requests/models.py":                                  "class Response: pass\n",
		at + "requests/models.pyi":                                 "class Response: ...\n",
		at + "requests/other.py":                                   "\x00\x00\x00",
		at + "requests-2.31.0.dist-info/RECORD":                    "requests/__init__.py,sha256=x,1\nrequests/sessions.py,,\nrequests/models.py,,\nrequests/models.pyi,,\n",
		at + "urllib3/__init__.py":                                 "",
		at + "urllib3-2.0.0.dist-info/RECORD":                      "urllib3/__init__.py,,\n",
		at + "yaml/__init__.py":                                    "",
		at + "PyYAML-6.0.1.dist-info/RECORD":                       "yaml/__init__.py,,\n",
		at + "google/cloud/storage/__init__.py":                    "",
		at + "google_cloud.storage-1.0.0.dist-info/RECORD":         "google/cloud/storage/__init__.py,,\n",
		at + "google/cloud/other/__init__.py":                      "",
		at + "google_cloud_other-2.0.0.dist-info/RECORD":           "google/cloud/other/__init__.py,,\n",
		at + "solo.py":                                             "",
		at + "own/__init__.py":                                     "x = 2",
		at + "native/__init__.py":                                  "",
		at + "native/fast.cpython-312-x86_64-linux-gnu.so":         "",
		at + "evil-1.0\n.dist-info/RECORD":                         "native/__init__.py,,\n",
		"lib/python3.11/site-packages/never/__init__.py":           "",
		at + "__init__.py":                                         "",
		"lib/python3.12/site-packages/broken-1.0.dist-info/RECORD": "\"a,b\",,\n,,\n",
	})
	q := request(roots, sources)
	a, err := Provider.Build(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for from, edges := range a.Edges {
		for _, e := range edges {
			got = append(got, fmt.Sprintf("%s -> %s %s %s", from, strings.ReplaceAll(e.Target, venv+"/"+at, "<site>/"), e.Uses, e.Resolution))
		}
	}
	slices.Sort(got)
	if d := cmp.Diff([]string{
		"app/a.py -> <site>/google/cloud/storage/__init__.py runtime explicit",
		"app/a.py -> <site>/native/__init__.py runtime explicit",
		"app/a.py -> <site>/requests/__init__.py runtime explicit",
		"app/a.py -> <site>/requests/models.py type explicit",
		"app/a.py -> <site>/requests/models.pyi type implicit",
		"app/a.py -> <site>/requests/sessions.py runtime implicit",
		"app/a.py -> <site>/solo.py runtime explicit",
		"app/a.py -> <site>/yaml/__init__.py runtime explicit",
		"app/a.py -> own/__init__.py runtime explicit",
		"app/a.py -> python:os runtime explicit",
	}, got); d != "" {
		t.Error(d)
	}
	if len(a.Warnings) > 0 || a.LeftOut != 3 {
		t.Errorf("left out %d, warnings %v", a.LeftOut, a.Warnings)
	}
	g := &graph.Graph{Nodes: map[string]*graph.Node{}, Edges: a.Edges}
	for _, s := range sources {
		g.Nodes[s.Path] = &graph.Node{Language: "other", Size: s.Size}
	}
	for id, n := range a.Nodes {
		g.Nodes[id] = &n
	}
	c := graph.Canonicalize(g, roots, ".stan")
	meta, err := graph.ParseMeta(c.Meta.Encode())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		".stan/context/pypi/google-cloud-storage/1.0.0/google/cloud/storage/__init__.py",
		".stan/context/pypi/native/0.0.0/native/__init__.py",
		".stan/context/pypi/pyyaml/6.0.1/yaml/__init__.py",
		".stan/context/pypi/requests/2.31.0/requests/__init__.py",
		".stan/context/pypi/requests/2.31.0/requests/models.py",
		".stan/context/pypi/requests/2.31.0/requests/models.pyi",
		".stan/context/pypi/requests/2.31.0/requests/sessions.py",
		".stan/context/pypi/solo/0.0.0/solo.py",
	}
	one := graph.State{Include: []graph.Entry{{ID: "app/a.py", Depth: 1, Uses: graph.All}}}
	s := graph.Select(meta, graph.Wish{State: one})
	if d := cmp.Diff(append(want, "app/a.py", "own/__init__.py"), s.IDs); d != "" {
		t.Error(d)
	}
	for _, id := range want {
		if f := c.Files[id]; f.SHA256 == "" || f.Size != meta.Nodes[id].Size {
			t.Errorf("%s: %+v", id, f)
		}
	}
	if strings.Contains(string(c.Meta.Encode()), venv) {
		t.Error("a path of the machine is in the meta")
	}
}
