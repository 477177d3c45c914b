package action

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/artifact"
	"github.com/haversack-dev/haversack/internal/deliver"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/plan"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/report"
	"github.com/haversack-dev/haversack/internal/repotest"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/tokens"
	"github.com/haversack-dev/haversack/internal/tree"
)

// planted is a credential that no committed file holds as it is.
func planted() string { return "ghp" + "_" + "q7Zk2LxT9vBn4Rw8" + "YcMd5HsJ1fGp6Ea0" + "UoXi" }

// halfway is a run that has everything and has let nothing out.
type halfway struct {
	e       *job.Env
	in      *job.Inputs
	head    *snapshot.Head
	out     *deliver.Folder
	session *session
	found   *snapshot.Inventory
	change  *snapshot.Change
	sealed  *snapshot.Contents
	plan    *plan.Plan
	docs    map[string][]byte // about the change
	packing *deliver.Packing
	gate    *plan.Gate
	spoil   string // what a spoiled document holds
}

// goHalfway takes the steps of a run up to the gate. The test ends what they opened.
func goHalfway(t *testing.T, dir string, said *bytes.Buffer, args ...string) *halfway {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx := t.Context()
	getenv := func(string) string { return "" }
	line, err := parseArgs(args)
	must(err)
	o := line.options
	in, err := job.ParseInputs(line.inputs, getenv)
	must(err)
	open, err := job.Open(&job.Process{Dir: dir, Stdout: said, Stderr: said, Getenv: getenv}, in.Token, in.SecretsLevel, o.printsResult())
	must(err)
	e, err := open.WithFolder()
	must(err)
	t.Cleanup(e.Close)
	h := &halfway{e: e, in: in}
	h.head, err = snapshot.OpenHead(ctx, &e.Setting, &in.Scope)
	must(err)
	t.Cleanup(h.head.Close)
	mode := snapshot.ChooseMode(&e.Setting, &in.Scope, h.head, in.Mode)
	h.out, err = openResults(e, in, h.head, mode, upTo{})
	must(err)
	t.Cleanup(h.out.Abort)
	h.session = openSession(ctx, e, in, h.head)
	t.Cleanup(h.session.close)
	finder := snapshot.NewFinder(&e.Setting, &in.Scope, h.head)
	base, err := measure(ctx, in, finder, h.session, snapshot.SavedName(mode))
	must(err)
	t.Cleanup(base.Close)
	h.found, err = finder.Search(ctx, base, mode)
	must(err)
	h.change, err = finder.Compare(ctx, base, h.found, mode)
	must(err)
	t.Cleanup(h.change.Close)
	graph, err := readGraph(ctx, e, in, search{finder, h.found, h.change, mode, false})
	must(err)
	t.Cleanup(graph.Close)
	asked, err := snapshot.Select(newWish(in, mode, h.found, h.change, snapshot.Entries{}), h.head, h.found, h.change, graph)
	must(err)
	h.sealed, err = snapshot.Seal(ctx, &e.Setting, snapshot.Parts{Found: h.found, Change: h.change, Graph: graph, Asked: asked, Warnings: nil, Surprises: nil, Fail: in.Secrets == scan.Fail})
	must(err)
	patches, err := snapshot.DrawPatches(h.sealed, h.change)
	must(err)
	view := &snapshot.View{Head: h.head, Found: h.found, Change: h.change, Graph: graph, Asked: asked, Sealed: h.sealed, Patches: patches}
	options := newOptions(&e.Setting, in, mode, view, false)
	ranking, err := plan.RankFiles(ctx, options, view)
	must(err)
	h.plan, err = plan.Choose(options, view, plan.Compose(options, plan.MaterialOf(view)), nil, ranking)
	must(err)
	h.docs, _, err = plan.ComposeChange(in.Stan, view, h.plan)
	must(err)
	h.packing, err = deliver.ChoosePacks(in, deliver.ProjectName(&e.Setting, h.head), view, h.plan, new(tokens.Counter))
	must(err)
	h.gate, err = plan.NewGate(h.sealed.Screener, h.plan.Members, h.plan.Docs, h.docs)
	must(err)
	return h
}

// knownValue is a value of a committed file, that no rule would know by itself.
func knownValue() string { return "q7Zk2LxT9" + "vBn4Rw8YcMd5HsJ" }

// spoiled returns a document with a credential in it, as a fault in its redaction
// would leave one.
func (h *halfway) spoiled(name string, b []byte) []byte {
	text := "\n" + h.spoil + "\n"
	if i := bytes.LastIndexByte(b, '}'); strings.HasSuffix(name, ".json") && i > 0 {
		return append(append(bytes.Clone(b[:i]), `,"x":"`+strings.ReplaceAll(text, "\n", `\n`)+`"`...), b[i:]...)
	}
	return append(bytes.Clone(b), text...)
}

// TestGate hands each function that lets something out a spoiled value: it must
// refuse with exit code 3, and the value is nowhere in what was said or left.
func TestGate(t *testing.T) {
	engine := func(h *halfway, name string) error {
		docs := map[string][]byte{}
		for _, m := range []map[string][]byte{h.plan.Docs, h.docs} {
			for at, text := range m {
				if docs[at] = text; filepath.Base(at) == name {
					docs[at] = h.spoiled(name, text)
				}
			}
		}
		if len(docs) < 5 {
			t.Errorf("%d documents only", len(docs))
		}
		_, err := plan.NewGate(h.sealed.Screener, h.plan.Members, docs)
		return err
	}
	written := func(h *halfway) *deliver.Archives {
		w, err := deliver.Write(h.e.Begin, h.out, &deliver.Parcel{Gate: h.gate, Head: h.head, Packing: h.packing, Plan: h.plan, Change: h.docs, Stan: h.in.Stan, Zstd: h.in.Zstd})
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	record := func(h *halfway) *record.Record {
		w := written(h)
		return newRecord(h.e, &recordParts{h.in, h.head, h.sealed, h.plan, w, newRows(h.sealed, h.plan, w.Members), &threadNote{}, nil, nil})
	}
	said := func(h *halfway, channel string) error {
		body := report.NewReport(h.in.Stan, record(h), h.sealed, nil, report.Links{}).Markdown(channel == "summary", artifact.Result{})
		_, err := report.Speak(h.gate, channel, string(h.spoiled(channel, []byte(body))))
		return err
	}
	packed := func(h *halfway, name string) error {
		k, err := h.packing.Build()
		if err != nil {
			t.Fatal(err)
		}
		if d := k.Documents[0]; d.Name != name {
			t.Fatalf("the pack is %s, want %s", d.Name, name)
		}
		_, err = deliver.WriteDocument(h.out, h.gate, report.Document{Name: name, Text: h.spoiled(name, k.Documents[0].Text)})
		return err
	}
	channels := map[string]struct {
		args []string
		out  func(h *halfway, channel string) error
	}{
		"file": {nil, func(h *halfway, channel string) error {
			for i, f := range h.plan.Files {
				if f.Path == "a.ts" {
					b, err := f.Read()
					if err != nil {
						t.Fatal(err)
					}
					h.plan.Files[i] = tree.Bytes(f.Path, h.spoiled(channel, b))
				}
			}
			_, err := deliver.Write(h.e.Begin, h.out, &deliver.Parcel{Gate: h.gate, Head: h.head, Packing: h.packing, Plan: h.plan, Change: h.docs, Stan: h.in.Stan, Zstd: h.in.Zstd})
			return err
		}},
		"changes.json":          {nil, engine},
		"changes.patch":         {nil, engine},
		"dependency.meta.json":  {nil, engine},
		"dependency.state.json": {nil, engine},
		"haversack.md":          {nil, engine},
		"pack.json":             {nil, packed},
		"pack.md":               {[]string{"--pack-format", "markdown"}, packed},
		"record.json": {nil, func(h *halfway, channel string) error {
			r := record(h)
			r.Warnings = append(r.Warnings, string(h.spoiled("", nil)))
			return deliver.WriteRecord(h.out, h.gate, r)
		}},
		"comment": {nil, said},
		"summary": {nil, said},
		"store": {[]string{"--session", "auto"}, func(h *halfway, channel string) error {
			words := handover(h.e, h.in, runNote{head: h.head, sealed: h.sealed, plan: h.plan})
			words.Answered = string(h.spoiled(channel, nil))
			_, err := remember(t.Context(), h.session, words, h.gate)
			return err
		}},
	}
	v := knownValue()
	type spoil struct{ kind, text string }
	forms := []spoil{
		{"value", v}, {"in base64", base64.StdEncoding.EncodeToString([]byte("user:" + v))}, {"in hexadecimal", hex.EncodeToString([]byte(v))},
		{"escaped", v[:5] + fmt.Sprintf("%%%02x", v[5]) + v[6:]}, {"with a sign of no width", v[:9] + "\u2066" + v[9:]},
	}
	for n, channel := range slices.Sorted(maps.Keys(channels)) {
		c := channels[channel]
		for _, x := range []spoil{{"token", "token: " + planted()}, forms[n%len(forms)]} {
			t.Run(channel+"/"+x.kind, func(t *testing.T) {
				t.Parallel()
				r := repotest.New(t, "-- a.ts --\nexport const a = 1;\n", "-- a.ts --\nexport const a = 2;\n-- b.py --\npassword = '"+v+"'\n-- .stan/context/dependency.state.json --\n{\"v\":2,\"i\":[\"a.ts\"]}\n")
				var out bytes.Buffer
				h := goHalfway(t, r.Dir, &out, c.args...)
				h.spoil = x.text
				err := c.out(h, channel)
				if job.ExitCode(err) != job.ExitSecret {
					t.Fatalf("exit code %d (%v), want %d", job.ExitCode(err), err, job.ExitSecret)
				}
				h.out.Abort()
				if entries, _ := os.ReadDir(filepath.Join(r.Dir, ".stan", "output")); len(entries) > 0 {
					t.Errorf("%d files are left behind", len(entries))
				}
				if said := out.String() + err.Error(); strings.Contains(said, planted()[4:]) || strings.Contains(said, v) {
					t.Error("the value was printed")
				}
			})
		}
	}
}
