package python

import (
	"fmt"
	"strings"
	"testing"
)

// What the cells of a notebook define has its lines of the file, or of the text that is made of it for a reader.
func TestNotebook(t *testing.T) {
	const raw = `{
 "cells": [
  {"cell_type": "markdown", "source": ["def prose():\n", "    pass"]},
  {
   "cell_type": "code",
   "outputs": [{"text": ["def printed():\n"]}],
   "source": [
    "%matplotlib inline\n",
    "!pip install quay\n",
    "DEPTH = 7\n",
    "ships = load()\n",
    "class Quay(Pier):\n",
    "    def moor(self, ship,\n",
    "             line):\n",
    "        return ship"
   ]
  },
  {"source": "def hoist(x):\n    return x\n", "cell_type": "code"},
  {"cell_type": "code", "source": ["%%bash\n", "def shell\n"]}
 ],
 "metadata": {"language_info": {"name": "python"}}
}
`
	const readable = "# %% markdown\ndef prose():\n    pass\n\n# %% code\nclass Quay(Pier):\n    def moor(self, ship):\n        return ship\n# output: stream (1 lines): def printed():\n\n# %% code\n%%time\ndef hoist(x):\n    return x\n"
	for _, c := range []struct{ name, text, want string }{
		{"as it is", raw, "10-10 DEPTH; 12-15 Quay; 13-15 Quay.moor; 18-18 hoist"},
		{"for a reader", readable, "6-8 Quay; 7-8 Quay.moor; 13-14 hoist"},
		{"of another language", strings.Replace(raw, `"python"`, `"R"`, 1), ""},
		{"broken", raw[:len(raw)/2], ""},
		{"of other things", `{"cells": 3, "nbformat": [1, {"cells": []}]}`, ""},
		{"of odd cells", `{"cells": [1, {"source": {"a": [1]}, "cell_type": ["code"]}]}`, ""},
		{"empty", "", ""},
	} {
		list, err := DefineNotebook("a.ipynb", []byte(c.text))
		if err != nil {
			t.Fatal(c.name, err)
		}
		var got []string
		for _, d := range list {
			got = append(got, fmt.Sprintf("%d-%d %s", d.Line, d.End, d.Name))
			if d.Name == "Quay.moor" && c.name == "as it is" && d.Signature != "def moor(self, ship,\n             line):" {
				t.Errorf("%q is its signature", d.Signature)
			}
		}
		if got := strings.Join(got, "; "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
