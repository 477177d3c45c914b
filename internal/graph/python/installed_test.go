package python

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/graphtest"
)

// TestInstalled finds files of distributions in a virtualenv, and the meta that comes of it can be read and
// selected from.
func TestInstalled(t *testing.T) {
	const at = "lib/python3.12/site-packages/"
	roots, sources := graphtest.New(t, map[string]string{
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
	})
	venv := graphtest.Declare(t, &roots, graphtest.Folder(t, map[string]string{
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
	}))
	a := graphtest.Answer(t, Provider, roots, sources)
	if d := cmp.Diff(`app/a.py -> <site>/google/cloud/storage/__init__.py runtime external
app/a.py -> <site>/native/__init__.py runtime external
app/a.py -> <site>/requests/__init__.py runtime external
app/a.py -> <site>/requests/models.py type external
app/a.py -> <site>/requests/models.pyi type implicit external
app/a.py -> <site>/requests/sessions.py runtime implicit external
app/a.py -> <site>/solo.py runtime external
app/a.py -> <site>/yaml/__init__.py runtime external
app/a.py -> own/__init__.py runtime
app/a.py -> python:os runtime builtin
left out 3
`, strings.ReplaceAll(graphtest.Lines(a), venv+"/"+at, "<site>/")); d != "" {
		t.Error(d)
	}
	meta, got := graphtest.External(t, roots, sources, a)
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
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	one := graph.State{Include: []graph.Entry{{ID: "app/a.py", Depth: 1, Uses: graph.All}}}
	s := graph.Select(meta, graph.Wish{State: one})
	if d := cmp.Diff(append(want, "app/a.py", "own/__init__.py"), s.IDs); d != "" {
		t.Error(d)
	}
}
