package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/repotest"
)

// town is a repository of three languages, with a credential, a link that leads out and an ignored file.
const town = `a town
ln ../../outside.txt way/out.txt
-- README.md --
# Town

A town keeps a ledger of its houses.
-- .gitignore --
/private/
-- way/ledger.ts --
/** Counts the houses of a street. */
export function countHouses(street: string): number {
  return street.length
}
export const apiToken = 'ghp_` + `a81Bc92De03Fg14Hi25Jk36Lm47No58Pq69Rs'
-- way/index.ts --
export * from './ledger'
-- way/mayor.ts --
import { countHouses } from './index'
export const report = () => countHouses('Main')
-- way/stranger.ts --
// countHouses is spoken of, and not imported.
export const other = 1
-- way/ledger.test.ts --
import { countHouses } from './ledger'
test('counts', () => countHouses('x'))
-- lamp/lamp.go --
package lamp

// Light says how bright a lamp is.
type Light struct{ Level int }

// Dim takes light away.
func (l *Light) Dim() { l.Level-- }
-- lamp/street.go --
package lamp

func evening(l *Light) { l.Dim() }
-- plan.pas --
program plan; begin end.
`

// started starts a server of a folder and a client of it, in one process.
func started(t *testing.T, dir string) (*mcp.ClientSession, *Server) {
	t.Helper()
	getenv := func(name string) string {
		switch name {
		case "XDG_CACHE_HOME":
			return filepath.Join(dir, "..", "cache")
		case "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM":
			return os.DevNull
		}
		return ""
	}
	in, err := job.ParseInputs(map[string]string{"path": dir}, getenv)
	if err != nil {
		t.Fatal(err)
	}
	e, err := job.Open(&job.Process{Getenv: getenv, Dir: dir, Stdout: io.Discard, Stderr: io.Discard, Version: "1"}, "", in.SecretsLevel, true)
	if err != nil {
		t.Fatal(err)
	}
	r := NewRepository(e, in)
	x := NewServer(e, r, nil)
	near, far := mcp.NewInMemoryTransports()
	ctx := t.Context()
	served, err := x.MCP().Connect(ctx, far, nil)
	if err != nil {
		t.Fatal(err)
	}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(ctx, near, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		client.Close()
		_ = served.Wait()
		r.Close()
	})
	return client, x
}

// ask calls a tool. An error of the tool is the text of the second result.
func ask(t *testing.T, c *mcp.ClientSession, name string, arguments map[string]any) (Answer, string) {
	t.Helper()
	got, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s %v: %v", name, arguments, err)
	}
	said := got.Content[0].(*mcp.TextContent).Text
	if got.IsError {
		return Answer{}, said
	}
	b, err := json.Marshal(got.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	var a Answer
	if err := json.Unmarshal(b, &a); err != nil {
		t.Fatal(err)
	}
	return a, said
}

// rows writes the rows of an answer in short.
func rows(a Answer) string {
	var b strings.Builder
	for _, r := range a.Rows {
		fmt.Fprintf(&b, "%s:%d", r.Path, r.Line)
		for _, u := range r.Uses {
			fmt.Fprintf(&b, " %d", u.Line)
			if u.Unsure {
				b.WriteString("?")
			}
		}
		if r.Test {
			b.WriteString(" test")
		}
		if r.Unsure {
			b.WriteString(" unsure")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestManyLines: a file that names a thing on many lines has several rows.
func TestManyLines(t *testing.T) {
	r := repotest.New(t, "one\n-- a.go --\npackage a\n\nfunc Bell() {}\n-- b.go --\npackage a\n\nfunc ring() {\n"+strings.Repeat("\tBell()\n", 50)+"}\n")
	c, _ := started(t, r.Dir)
	a, said := ask(t, c, "references", map[string]any{"of": "Bell"})
	n := 0
	for _, r := range a.Rows {
		n += len(r.Uses)
	}
	if !a.Complete || n != 50 || len(a.Rows) != 4 {
		t.Errorf("of fifty lines: %s", said)
	}
}

// harbour has things that are called alike.
const harbour = `a harbour
-- quay/ship.py --
class Ship:
    def moor(self, rope):
        return rope

def load(ship):
    return ship

def log():
    return load(Ship())
-- quay/__init__.py --
from quay.ship import Ship, load as fill
-- quay/barge.py --
def load(barge):
    return barge
-- crew/hand.py --
from quay.ship import Ship, load

# moor is hard work
def work(s: Ship, other):
    s.moor(1)
    other.moor(2)
    print("moor well")
    return load(s)
-- crew/mate.py --
from quay.barge import load
from quay import fill
from quay.ship import Ship

def work(moor):
    return load(fill(moor))
-- crew/cook.py --
def moor():
    return {}
-- crew/plan.py --
FIRST = "quay.ship.Ship"
-- anchor/anchor.go --
package anchor

type Chain interface {
	Haul(n int) error
}

type steel struct{}

func (s steel) Haul(n int) error { return nil }

func Haul(c Chain) error { return c.Haul(1) }
-- deck/deck.go --
package deck

import "example.com/harbour/anchor"

func lower(c anchor.Chain) error {
	if err := c.Haul(2); err != nil {
		return err
	}
	return anchor.Haul(c)
}
-- go.mod --
module example.com/harbour
`

// TestAlike: who uses a definition is told apart from who uses another of its name, by the imports and the types that are written.
func TestAlike(t *testing.T) {
	c, _ := started(t, repotest.New(t, harbour).Dir)
	for _, x := range []struct {
		of, rows string
		complete bool
		said     string
	}{
		{of: "Ship.moor", rows: "quay/ship.py:2\ncrew/hand.py:0 5 6?\n", complete: true, said: "a local or an argument"},
		{of: "ship.load", rows: "quay/ship.py:5\ncrew/hand.py:0 1 8\nquay/__init__.py:0 1\nquay/ship.py:0 9\ncrew/mate.py:0 2 6\ncrew/mate.py:0 1? 6?\n", said: "names it fill, as quay/__init__.py hands it on", complete: true},
		{of: "barge.load", rows: "quay/barge.py:1\ncrew/mate.py:0 1 6\n", complete: true, said: "3 files are left out where another of its name is defined"},
		{of: "Ship", rows: "quay/ship.py:1\ncrew/hand.py:0 1 4\ncrew/mate.py:0 3\ncrew/plan.py:0 1\nquay/__init__.py:0 1\nquay/ship.py:0 9\n", complete: true},
		{of: "anchor.Haul", rows: "anchor/anchor.go:11\ndeck/deck.go:0 6? 9\n", complete: true},
		{of: "Chain.Haul", rows: "anchor/anchor.go:4\nanchor/anchor.go:0 9? 11\ndeck/deck.go:0 6 9?\n", complete: true},
	} {
		a, said := ask(t, c, "references", map[string]any{"of": x.of})
		if rows(a) != x.rows || a.Complete != x.complete || !strings.Contains(said, x.said) {
			t.Errorf("%s:\n%snot\n%s%s", x.of, rows(a), x.rows, said)
		}
	}
}

// TestPointers: a definition's text is followed by where that stands which it names, and what implements it.
func TestPointers(t *testing.T) {
	c, _ := started(t, repotest.New(t, `pipes
-- water/duct.ts --
import { MOST } from './most'

export interface Duct {
  carry(n: number): number
}
// A pipe carries.
export class Pipe implements Duct {
  carry(n: number) {
    const least = 1
    return limit(n, MOST + least)
  }
}

/** Bounds it. */
function limit(n: number, most: number) {
  return Math.min(n, most)
}
-- water/most.ts --
export const MOST = 3
export const least = 2
`).Dir)
	for symbol, want := range map[string]string{
		"Duct.carry": "water/duct.ts:4\nwater/duct.ts:8\n",
		"Pipe.carry": "water/duct.ts:8\nwater/duct.ts:14\nwater/most.ts:1\n",
		"limit":      "water/duct.ts:14\n",
	} {
		if a, said := ask(t, c, "read", map[string]any{"symbol": symbol}); rows(a) != want || !a.Complete {
			t.Errorf("%s: %snot\n%s%s", symbol, rows(a), want, said)
		}
	}
}

func TestTools(t *testing.T) {
	r := repotest.New(t, town)
	if err := os.WriteFile(filepath.Join(r.Dir, "..", "outside.txt"), []byte("OUTSIDE"), 0o644); err != nil {
		t.Fatal(err)
	}
	c, _ := started(t, r.Dir)
	for _, x := range []struct {
		tool      string
		arguments map[string]any
		rows      string // as rows writes them; a part of the error for an error
		complete  bool
		fault     bool
	}{
		{tool: "find", arguments: map[string]any{"query": "countHouses"}, rows: "way/ledger.ts:2\n", complete: true},
		{tool: "find", arguments: map[string]any{"query": "counthouses"}, rows: "way/ledger.ts:2\n", complete: true},
		{tool: "find", arguments: map[string]any{"query": "Light.Dim"}, rows: "lamp/lamp.go:7\n", complete: true},
		{tool: "find", arguments: map[string]any{"query": "lamp.Light"}, rows: "lamp/lamp.go:4\n", complete: true},
		{tool: "find", arguments: map[string]any{"query": "  "}, rows: "query: empty", fault: true},
		{tool: "references", arguments: map[string]any{"of": "countHouses"}, rows: "way/ledger.ts:2\nway/mayor.ts:0 1 2\nway/ledger.test.ts:0 1 2 test\n", complete: true},
		{tool: "references", arguments: map[string]any{"of": "Dim"}, rows: "lamp/lamp.go:7\nlamp/street.go:0 3\n", complete: true},
		{tool: "references", arguments: map[string]any{"of": "way/ledger.ts"}, complete: true, rows: "way/index.ts:0\nway/mayor.ts:0\nway/ledger.test.ts:0 test\n"},
		{tool: "references", arguments: map[string]any{"of": "way/none.ts"}, rows: `"way/none.ts"`, fault: true},
		{tool: "references", arguments: map[string]any{"of": "noSuchName"}, rows: ""},
		{tool: "read", arguments: map[string]any{"path": "way/mayor.ts", "from": 2}, rows: "way/mayor.ts:2\n", complete: true},
		{tool: "read", arguments: map[string]any{"symbol": "Light.Dim"}, rows: "lamp/lamp.go:6\n", complete: true},
		{tool: "read", arguments: map[string]any{"path": filepath.ToSlash(r.Dir) + "/way/mayor.ts", "from": 2}, rows: "way/mayor.ts:2\n", complete: true},
		{tool: "read", arguments: map[string]any{"path": filepath.ToSlash(r.Dir) + "/../outside.txt"}, rows: "outside.txt\"", fault: true},
		{tool: "read", arguments: map[string]any{"path": "../outside.txt"}, rows: "out of the root", fault: true},
		{tool: "read", arguments: map[string]any{"path": "way/out.txt"}, rows: `"way/out.txt" is left out: link_outside`, fault: true},
		{tool: "read", arguments: map[string]any{"path": "/etc/passwd"}, rows: `"/etc/passwd"`, fault: true},
		{tool: "read", arguments: map[string]any{"path": ".git/config"}, rows: `".git/config"`, fault: true},
		{tool: "read", arguments: map[string]any{"path": "way"}, rows: "is a folder", fault: true},
		{tool: "read", arguments: map[string]any{"path": "way/mayor.ts", "from": 90}, rows: "has 2 lines", fault: true},
		{tool: "read", arguments: map[string]any{}, rows: "path, symbol", fault: true},
		{tool: "read", arguments: map[string]any{"paths": "x"}, rows: "paths", fault: true},
		{tool: "map", arguments: map[string]any{"path": "lamp"}, rows: "lamp/lamp.go:0\nlamp/street.go:0\n", complete: true},
		{tool: "map", arguments: map[string]any{"path": "../"}, rows: "out of the root", fault: true},
	} {
		a, said := ask(t, c, x.tool, x.arguments)
		if x.fault {
			if a.Searched != "" || !strings.Contains(said, x.rows) {
				t.Errorf("%s %v: %q, not an error of %q", x.tool, x.arguments, said, x.rows)
			}
			continue
		}
		if got := rows(a); got != x.rows || a.Complete != x.complete || a.Searched == "" {
			t.Errorf("%s %v:\n%snot\n%s%+v\n%s", x.tool, x.arguments, got, x.rows, a, said)
		}
		if !a.Complete && len(a.Unknown)+len(a.Notes) == 0 && a.LeftOut == 0 {
			t.Errorf("%s %v: not complete, and nothing says why: %s", x.tool, x.arguments, said)
		}
	}
	if _, said := ask(t, c, "read", map[string]any{"path": "way/ledger.ts"}); strings.Contains(said, "ghp_") || !strings.Contains(said, "[REDACTED:") {
		t.Errorf("a credential is not redacted: %s", said)
	}
	// As much as a request holds: logs are long.
	log := "how bright is a lamp in the street?\n" + strings.Repeat("tide table\n", 2<<20/11)
	for tool, argument := range map[string]string{"find": "query", "context": "task"} {
		if _, said := ask(t, c, tool, map[string]any{argument: log}); !strings.Contains(said, "lamp/lamp.go") {
			t.Errorf("%s: a log of 2 MiB finds no passage: %.300s", tool, said)
		}
	}
	if _, said := ask(t, c, "find", map[string]any{"query": "how bright is a lamp in the street?"}); !strings.Contains(said, "lamp/lamp.go:") {
		t.Errorf("a question finds no passage: %s", said)
	}
}

// TestEdits shows that an answer is of the files as they are on disk when it is asked for.
// TestMap: a map is complete only where it names all, of every folder, and each text is read.
func TestMap(t *testing.T) {
	many := "package wide\n"
	for c := 'A'; c <= 'O'; c++ {
		many += fmt.Sprintf("func %c() {}\n", c)
	}
	r := repotest.New(t, "-- flat/a.go --\npackage flat\nfunc A() {}\n-- wide/wide.go --\n"+many+"-- wide/more.go --\n"+many+"-- flat.go --\npackage x\n"+
		"-- deep/a/b/c.go --\npackage b\n-- deep/a/d.go --\npackage b\n-- deep/x.go --\npackage x\n-- torn/a.ts --\n<?xml version=\"1.0\"?>\n<!DOCTYPE TS>\n<TS></TS>\n-- old/a.awk --\nBEGIN { print 1 }\n")
	c, _ := started(t, r.Dir)
	for _, x := range []struct {
		arguments map[string]any
		complete  bool
		unknown   string
		says      []string
	}{
		{map[string]any{"path": "flat"}, true, "", []string{"A"}},
		{map[string]any{"path": "wide"}, false, "", []string{"L and 3 more", `left out: 6 names of 2 files, for more than 12 each: map(path: "wide/more.go") tells all of a file`}},
		{map[string]any{"path": "wide/wide.go"}, true, "", []string{"M, N, O"}},
		{map[string]any{"path": "deep", "depth": 1}, false, "", []string{`2 files are not told one by one, in 1 deeper folder: map(path: "deep/a/"), or map(depth: 3)`}},
		{map[string]any{"path": "deep/a/", "depth": 3}, true, "", nil},
		{map[string]any{"path": "torn"}, false, "torn/a.ts", []string{"Nothing is known of: torn/a.ts"}},
		{map[string]any{"path": "old"}, false, "AWK", nil},
		{map[string]any{"max_tokens": 100, "depth": 2}, false, "AWK torn/a.ts", []string{"more(handle:"}},
	} {
		a, said := ask(t, c, "map", x.arguments)
		if a.Complete != x.complete || strings.Join(a.Unknown, " ") != x.unknown {
			t.Errorf("map %v: complete %v, unknown %v\n%s", x.arguments, a.Complete, a.Unknown, said)
		}
		for _, w := range x.says {
			if !strings.Contains(said, w) {
				t.Errorf("map %v does not say %q:\n%s", x.arguments, w, said)
			}
		}
	}
}

func TestEdits(t *testing.T) {
	r := repotest.New(t, town)
	c, x := started(t, r.Dir)
	find := func(name, want string) {
		t.Helper()
		if a, said := ask(t, c, "find", map[string]any{"query": name}); !strings.Contains(rows(a), want) || want == "" && len(a.Rows) > 0 {
			t.Errorf("%s is found at %q, not at %q: %s", name, rows(a), want, said)
		}
	}
	write := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(r.Dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	find("countHouses", "way/ledger.ts:2")
	first := x.repository.now
	write("way/ledger.ts", "\n\nexport function countHouses() {}\nexport function countShops() {}\n")
	find("countHouses", "way/ledger.ts:3")
	find("countShops", "way/ledger.ts:4")
	if x.repository.now == first {
		t.Error("the edit was not noticed")
	}
	write("lamp/lamp.go", "package lamp\n\ntype Bulb struct{}\n")
	find("Bulb", "lamp/lamp.go:3")
	second := x.repository.now.openRepository
	write("lamp/lamp.go", "package lamp\n\n\ntype Bulb struct{}\n")
	find("Bulb", "lamp/lamp.go:4")
	if x.repository.now.openRepository != second {
		t.Error("one edit had the whole repository looked at again")
	}
	write("way/mayor.ts", "import { Bulb } from './bulb'\nexport const b = Bulb\n")
	write("way/bulb.ts", "export class Bulb {}\n")
	find("Bulb", "way/bulb.ts:1")
	a, _ := ask(t, c, "references", map[string]any{"of": "way/bulb.ts"})
	if rows(a) != "way/mayor.ts:0\n" {
		t.Errorf("a new file's importers: %q", rows(a))
	}
	write("way/mayor.ts", "export const b = 1\n")
	if a, _ := ask(t, c, "references", map[string]any{"of": "way/bulb.ts"}); len(a.Rows) > 0 {
		t.Errorf("an import that is gone: %q", rows(a))
	}
	write("way/bulb.ts", "export class Bulb {}\nexport const key = 'ghp_"+"b81Bc92De03Fg14Hi25Jk36Lm47No58Pq69Rt'\n")
	if _, said := ask(t, c, "read", map[string]any{"path": "way/bulb.ts"}); strings.Contains(said, "ghp_") {
		t.Errorf("a credential of an edit is shown: %s", said)
	}
	if err := os.Remove(filepath.Join(r.Dir, "way/bulb.ts")); err != nil {
		t.Fatal(err)
	}
	if _, said := ask(t, c, "read", map[string]any{"path": "way/bulb.ts"}); !strings.Contains(said, "no file that may be shown") {
		t.Errorf("a file that is gone: %s", said)
	}
}

// TestEditedGraph compares what a server knows after each edit with what one knows that looks at it all then.
func TestEditedGraph(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	r := repotest.New(t, `a quay
-- go.mod --
module quay
-- crane/crane.go --
package crane

// Lift lifts.
func Lift(n int) int { return n }
-- crane/hook.go --
package crane

func hang() int { return 1 }
-- main.go --
package main

import "quay/crane"

func main() { crane.Lift(2) }
-- notes.md --
A quay.
-- tide.ts --
import { moon } from './moon'
export const tide = moon
-- moon.ts --
export const moon = 1
-- net/mesh.py --
def knot():
    return 1
-- net/cast.py --
from net.mesh import knot
-- dock/Ship.java --
package dock;
class Ship { Cargo c; }
-- dock/Cargo.java --
package dock;
class Cargo {}
-- sail.rb --
class Sail
  def cut
    Rope.new
  end
end
-- rope.rb --
class Rope
  def length = 1
end
-- buoy.c --
#include "buoy.h"
-- buoy.h --
int float_up(void);
`)
	c, x := started(t, r.Dir)
	ask(t, c, "map", map[string]any{})
	opened := x.repository.now.openRepository
	for _, edit := range [][2]string{
		{"crane/crane.go", "package crane\n\n// Lift lifts a load, and says how many.\nfunc Lift(n int) int {\n\treturn n\n}\n"},
		{"notes.md", "A quay with a crane.\n"},
		{"crane/crane.go", "package crane\n\nfunc Lift(n int) int { return n + hang() }\n"},
		{"crane/hook.go", "package crane\n\nfunc hang() int { return 2 }\n\nfunc Swing() int { return 1 }\n"},
		{"main.go", "package main\n\nimport \"quay/crane\"\n\nfunc main() { crane.Swing() }\n"},
		{"main.go", "package main\n\nfunc main() {\n}\n"},
		{"main.go", "package main\n\nfunc main() {\n"},
		{"tide.ts", "export const tide = 2\n"},
		{"moon.ts", "export const moon = 1\nexport const phase = 2\n"},
		{"moon.ts", "// Ebb.\n\nexport const moon = 1\nexport const phase = 2\n"},
		{"net/cast.py", "\nfrom net.mesh import knot\n\n\ndef cast():\n    return knot()\n"},
		{"net/mesh.py", "\n# A knot.\n\n\ndef knot():\n    return 2\n"},
		{"dock/Ship.java", "package dock;\n\nclass Ship { int c; }\n"},
		{"dock/Cargo.java", "package dock;\n\nclass Cargo { Ship s; }\n"},
		{"sail.rb", "# A sail.\nclass Sail\n  def cut\n    Rope.new\n  end\nend\n"},
		{"rope.rb", "class Rope\n  def length = Sail.new.cut\nend\n"},
		{"buoy.h", "/* up */\n\nint float_up(void);\n"},
		{"buoy.c", "int x;\n"},
	} {
		if err := os.WriteFile(filepath.Join(r.Dir, edit[0]), []byte(edit[1]), 0o644); err != nil {
			t.Fatal(err)
		}
		ask(t, c, "map", map[string]any{})
		afresh, y := started(t, r.Dir)
		ask(t, afresh, "map", map[string]any{})
		if got, want := x.repository.now.view.Sealed.Meta.Encode(), y.repository.now.view.Sealed.Meta.Encode(); !bytes.Equal(got, want) {
			t.Errorf("%s is now %q, and the graph\n%snot\n%s", edit[0], edit[1], got, want)
		}
		if x.repository.now.openRepository != opened {
			t.Errorf("%s is now %q, and all was looked at again", edit[0], edit[1])
			opened = x.repository.now.openRepository
		}
	}
}

// TestChange asks what a change touches, on disk and of a commit, and for the document of it.
func TestChange(t *testing.T) {
	r := repotest.New(t, town, `two
-- lamp/lamp.go --
package lamp

// Light says how bright a lamp is.
type Light struct{ Level int }

// Dim takes much light away.
func (l *Light) Dim() { l.Level -= 2 }
`)
	c, _ := started(t, r.Dir)
	a, said := ask(t, c, "impact", map[string]any{"commit": "HEAD"})
	if got := rows(a); got != "lamp/lamp.go:0\nlamp/lamp.go:7\nlamp/street.go:0 3\nlamp/lamp.go:7\n" {
		t.Errorf("of a commit: %s%s", got, said)
	}
	if a, said := ask(t, c, "impact", map[string]any{}); !strings.Contains(a.Searched, "HEAD^") || len(a.Rows) != 4 {
		t.Errorf("of a worktree without a change: %s", said)
	}
	if err := os.WriteFile(filepath.Join(r.Dir, "way/ledger.ts"), []byte("export function countHouses(street: string): number {\n  return 7\n}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	a, said = ask(t, c, "impact", map[string]any{})
	if got := rows(a); !strings.Contains(got, "way/ledger.ts:1\nway/mayor.ts:0 1 2\nway/ledger.test.ts:0 1 2 test\n") {
		t.Errorf("of a worktree: %s%s", got, said)
	}
	if !strings.Contains(said, "reaches a changed function") {
		t.Errorf("no test reaches the change: %s", said)
	}
	loose := "house.countHouses(1)\nhouse.countHouses(2)\n"
	if err := os.WriteFile(filepath.Join(r.Dir, "way/loose.js"), []byte(loose), 0o644); err != nil {
		t.Fatal(err)
	}
	r.Git("add", "way/loose.js")
	r.Git("commit", "-qm", "loose", "way/loose.js")
	a, said = ask(t, c, "impact", map[string]any{})
	if last := a.Rows[len(a.Rows)-1]; last.Path != "way/loose.js" || !last.Unsure || len(last.Uses) != 1 || !strings.Contains(last.Why, "line 1 of 2") {
		t.Errorf("what no import ties to the change is not told: %s", said)
	}
	if _, said := ask(t, c, "context", map[string]any{}); !strings.Contains(said, "+  return 7") || strings.Contains(said, "ghp_") {
		t.Errorf("the document of a change: %s", said)
	}
	if _, said := ask(t, c, "context", map[string]any{"task": "lamps are too bright"}); !strings.Contains(said, "lamp/lamp.go") {
		t.Errorf("the document of a task: %s", said)
	}
	for _, m := range []map[string]any{{"commit": "no-such"}, {"base": "--upload-pack=x"}, {"task": "x", "base": "HEAD"}, {"budget_tokens": -1}} {
		if a, said := ask(t, c, "context", m); a.Searched != "" {
			t.Errorf("%v: no error, but %s", m, said)
		}
	}
}

// TestToldOnce asks for the impact of a change to what stands in several places and is one thing to those who use it: they are told once.
func TestToldOnce(t *testing.T) {
	r := repotest.New(t, `a press
-- press.h --
int press_open(int n);
-- press.c --
#include "press.h"
int press_open(int n) { return n; }
-- copy/press.c --
#include "../press.h"
int press_open(int n) { return n; }
-- main.c --
#include "press.h"
int main(void) { return press_open(1); }
-- Oven.java --
class Oven {
    void heat(int n) {}
    void heat(long n) {}
}
-- Cook.java --
class Cook {
    void bake(Oven o) { o.heat(1); }
}
`, `more
-- press.h --
int press_open(long n);
-- press.c --
#include "press.h"
int press_open(long n) { return n; }
-- copy/press.c --
#include "../press.h"
int press_open(long n) { return n; }
-- Oven.java --
class Oven {
    void heat(int n) { n++; }
    void heat(long n) { n++; }
}
`)
	c, _ := started(t, r.Dir)
	a, said := ask(t, c, "impact", map[string]any{"commit": "HEAD"})
	told, changed := map[string]int{}, map[string]int{}
	for _, row := range a.Rows {
		told[row.Path] += len(row.Uses)
		if row.Why == "changed" {
			changed[row.Name]++
		}
	}
	if told["main.c"] != 1 || told["Cook.java"] != 1 || changed["press_open"] != 3 || changed["Oven.heat"] != 2 {
		t.Errorf("%v, %v: %s", told, changed, said)
	}
}

// TestTakenAway asks for the impact of a change that takes definitions and files away: who used them is told.
func TestTakenAway(t *testing.T) {
	r := repotest.New(t, `a mill
-- wheel/wheel.go --
package wheel

// Turn turns it.
func Turn() {}

func Halt() {}

func grind() {}
-- wheel/stone.go --
package wheel

func stone() { grind() }
-- mill.go --
package mill

import "example.org/mill/wheel"

func Run() { wheel.Turn(); wheel.Halt() }
-- go.mod --
module example.org/mill
-- web/flour.ts --
export function sift(n: number) { return n }
export function weigh(n: number) { return n }
export default class Sack { empty() {} }
-- web/bread.ts --
import Bag, { sift } from './flour'
export const loaf = sift(3)
new Bag().empty()
-- web/oven.ts --
export const heat = 3
-- web/kitchen.ts --
import { heat } from './oven'
console.log(heat)
-- web/other/oven.ts --
export const light = 3
-- web/other/room.ts --
import { light } from './oven'
console.log(light)
-- py/grain.py --
def sow(): pass
-- py/field.py --
from py import grain
from py.grain import sow
sow()
-- py/fallow.py --
def rest():
    grain = 3
    return grain
`, `less
-- wheel/wheel.go --
package wheel

// Turn turns it.
func Turn() {}
-- web/flour.ts --
export function weigh(n: number) { return n }
`)
	r.Git("rm", "-q", "web/oven.ts")
	r.Git("mv", "py/grain.py", "py/corn.py")
	r.Git("commit", "-qm", "gone")
	c, _ := started(t, r.Dir)
	a, said := ask(t, c, "impact", map[string]any{"base": "HEAD~2"})
	told := map[string][]string{}
	for _, row := range a.Rows {
		for _, u := range row.Uses {
			told[row.Path] = append(told[row.Path], fmt.Sprintf("%d %v", u.Line, !row.Unsure && !u.Unsure))
		}
	}
	for name, want := range map[string]string{
		"mill.go":           "[5 true]",
		"wheel/stone.go":    "[3 true]",
		"web/bread.ts":      "[1 true 2 true 1 true 3 true 3 false]",
		"web/kitchen.ts":    "[1 true 1 false]",
		"py/field.py":       "[1 false 2 false]",
		"web/other/room.ts": "[]",
		"py/fallow.py":      "[]",
	} {
		if got := fmt.Sprint(told[name]); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	if !strings.Contains(said, "removed") {
		t.Error("it is not said what was taken away")
	}
	if t.Failed() {
		t.Log(said)
	}
}

// TestRoom keeps answers within their bounds, the text and the content of programs both.
func TestRoom(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	var b strings.Builder
	b.WriteString("many\n")
	for i := range 300 {
		fmt.Fprintf(&b, "-- d%d/f%d.ts --\n/** Says what number %d is for. */\nexport function same(n: number): number { return n + %d }\n", i%7, i, i, i)
	}
	c, x := started(t, repotest.New(t, b.String()).Dir)
	for _, m := range []map[string]any{{"query": "same"}, {"query": "same", "max_tokens": 2000}, {"query": "same", "max_tokens": 100_000}, {"query": "same", "max_tokens": 100_000, "max_characters": 3000}} {
		got, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "find", Arguments: m})
		if err != nil {
			t.Fatal(err)
		}
		wide, err := json.Marshal(got.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		said := got.Content[0].(*mcp.TextContent).Text
		tokens, characters := findTokens, DefaultCharacters
		if n, ok := m["max_tokens"].(int); ok {
			tokens = n
		}
		if n, ok := m["max_characters"].(int); ok {
			characters = n
		}
		if n := x.counter.Count([]byte(said)); n > tokens || len(said) > characters || len(wide) > characters {
			t.Errorf("%v: %d tokens, %d and %d characters", m, n, len(said), len(wide))
		}
	}
}

// TestMore shows that the answers to one question hold each row once, in order, and end.
func TestMore(t *testing.T) {
	var b strings.Builder
	b.WriteString("many\n")
	for i := range 90 {
		fmt.Fprintf(&b, "-- f%02d.ts --\nexport function same(n: number): number { return n + %d }\n", i, i)
	}
	c, _ := started(t, repotest.New(t, b.String()).Dir)
	a, _ := ask(t, c, "find", map[string]any{"query": "same"})
	var all []string
	for calls := 0; ; calls++ {
		for _, r := range a.Rows {
			all = append(all, r.Path)
		}
		if a.Found != 90 || a.LeftOut != 90-len(all) || a.Complete || calls > 30 {
			t.Fatalf("call %d: %d rows, %+v", calls, len(all), a)
		}
		if a.More == "" {
			break
		}
		a, _ = ask(t, c, "more", map[string]any{"handle": a.More, "max_tokens": 700})
	}
	for i, name := range all {
		if name != fmt.Sprintf("f%02d.ts", i) {
			t.Errorf("row %d is of %s", i, name)
		}
	}
	if _, said := ask(t, c, "more", map[string]any{"handle": "none"}); !strings.Contains(said, `"none"`) {
		t.Errorf("a handle of nothing: %s", said)
	}
}

// TestMany asks at once, and ends some calls while they are answered.
func TestMany(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	c, x := started(t, repotest.New(t, town).Dir)
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if i%3 == 0 {
				cancel()
			}
			got, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "references", Arguments: map[string]any{"of": "countHouses"}})
			if i%3 != 0 && (err != nil || got.IsError) {
				t.Error(err, got)
			}
		})
	}
	all.Wait()
	if a, said := ask(t, c, "find", map[string]any{"query": "countHouses"}); len(a.Rows) != 1 {
		t.Errorf("after many calls: %s", said)
	}
	if n := len(x.busy); n != 0 {
		t.Errorf("%d calls hold a place, and none is answered", n)
	}
}

// TestHTTP shows that nobody is answered but who shows the token, from this machine.
func TestHTTP(t *testing.T) {
	_, x := started(t, repotest.New(t, town).Dir)
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	const token = "0123456789abcdef0123"
	go func() { done <- x.Serve(ctx, l, token) }()
	address := "http://" + l.Addr().String()
	send := func(body io.Reader, set func(r *http.Request)) (int, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, body)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Authorization", "Bearer "+token)
		set(r)
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer got.Body.Close()
		b, err := io.ReadAll(got.Body)
		if err != nil {
			t.Fatal(err)
		}
		return got.StatusCode, string(b)
	}
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`
	for name, x := range map[string]struct {
		set  func(r *http.Request)
		code int
	}{
		"the token":     {func(*http.Request) {}, 200},
		"own origin":    {func(r *http.Request) { r.Header.Set("Origin", address) }, 200},
		"no token":      {func(r *http.Request) { r.Header.Del("Authorization") }, 401},
		"another token": {func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token+"4") }, 401},
		"bare token":    {func(r *http.Request) { r.Header.Set("Authorization", token) }, 401},
		"other origin":  {func(r *http.Request) { r.Header.Set("Origin", "http://example.com") }, 403},
		"null origin":   {func(r *http.Request) { r.Header.Set("Origin", "null") }, 403},
		"foreign host":  {func(r *http.Request) { r.Host = "example.com" }, 403},
		"foreign port":  {func(r *http.Request) { r.Host = "127.0.0.1:1" }, 403},
	} {
		code, said := send(strings.NewReader(list), x.set)
		if code != x.code || code == 200 && !strings.Contains(said, "references") || code != 200 && said != "" {
			t.Errorf("%s: %d %s", name, code, said)
		}
	}
	if code, _ := send(strings.NewReader(strings.Repeat(" ", 16<<20)+list), func(*http.Request) {}); code != http.StatusRequestEntityTooLarge {
		t.Errorf("a request of 16 MiB: %d", code)
	}
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"references","arguments":{"of":"countHouses"}}}`
	for i := range 30 { // clients that go before they are answered, some before they have said all
		leave, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_, err = fmt.Fprintf(leave, "POST / HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n%s", l.Addr(), token, len(call), call[:len(call)-i%3*20])
		if err := errors.Join(err, leave.Close()); err != nil {
			t.Fatal(err)
		}
	}
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: address, HTTPClient: &http.Client{Transport: bearer(token)}, DisableStandaloneSSE: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a, said := ask(t, c, "find", map[string]any{"query": "countHouses"}); len(a.Rows) != 1 {
		t.Error(said)
	}
	c.Close()
	for range cap(x.busy) { // no place is held for who has gone
		x.busy <- struct{}{}
	}
	for range cap(x.busy) {
		<-x.busy
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	for _, a := range []string{"0.0.0.0:0", ":0", "192.0.2.1:80", "localhost:0", "127.0.0.1", "[::]:0"} {
		if l, err := Listen(a); err == nil {
			l.Close()
			t.Errorf("%s is listened at", a)
		}
	}
	for _, token := range []string{"", "short", "with space 0123456789", "line\n0123456789abcdef"} {
		if CheckToken(token) == nil {
			t.Errorf("%q is a token", token)
		}
	}
}

// bearer shows a token.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	shown := r.Clone(r.Context())
	shown.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(shown)
}

func TestBounded(t *testing.T) {
	long := func(begin string) string { return begin + strings.Repeat("x", 16<<20) + "\"}\n" }
	var out, answers bytes.Buffer
	in := "{\"id\":1}\n" + long(`{"method":"tools/call","params":{"id":3,"a":[{"id":4}]},"id":"seven","more":"`) + "\n" + long(`{"method":"`) + "{\"id\":2}"
	if err := bounded(strings.NewReader(in), func(line []byte) error { out.Write(line); return nil }, &answers); err != io.EOF {
		t.Error(err)
	}
	if out.String() != "{\"id\":1}\n{\"id\":2}" {
		t.Errorf("passed on: %q", out.String())
	}
	said := strings.Split(strings.TrimSpace(answers.String()), "\n")
	if len(said) != 2 || !strings.HasPrefix(said[0], `{"jsonrpc":"2.0","id":"seven","error"`) || !strings.HasPrefix(said[1], `{"jsonrpc":"2.0","id":null,"error"`) {
		t.Errorf("answered: %q", said)
	}
}

// TestAnsweredAll asks for resources whose addresses JSON and Go write differently, and sends what is no request: the next one is answered.
func TestAnsweredAll(t *testing.T) {
	_, x := started(t, repotest.New(t, town).Dir)
	in := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	for i, uri := range []string{`a\u0001b`, `a\u0007`, `\u202e`, `\ud800`, `file:///etc/passwd`, `\u007f`} {
		in += fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"resources/read","params":{"uri":"%s"}}`+"\n", i+1, uri)
	}
	for _, none := range []string{`xx`, `[[[`, `{"a":`, `{}`, `[]`, `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `null`, `"x"`, `{"jsonrpc":"2.0","id":true,"method":"ping"}`, `{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`,
		`{"jsonrpc":"1.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"method":5}`, `{"jsonrpc":"2.0","id":1e400,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"error":5}`, strings.Repeat("[", 100_000), "\xff\xfe{}"} {
		in += none + "\n"
	}
	var out bytes.Buffer
	if err := x.Stdio(t.Context(), io.NopCloser(strings.NewReader(in+`{"jsonrpc":"2.0","id":7,"method":"ping"}`+"\n")), &out); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "\n"); n != 24 || !strings.Contains(out.String(), `"id":7,"result"`) {
		t.Errorf("%d answers:\n%s", n, out.String())
	}
}

// TestErrorsAreScreened asks with a value that a file makes known: no error repeats it, whoever writes that.
func TestErrorsAreScreened(t *testing.T) {
	known := "Ub3kq9XhT7" + "vLm2PzRw8sKd"
	c, _ := started(t, repotest.New(t, town+"-- .env --\nSHOP_PASSWORD="+known+"\n").Dir)
	ask(t, c, "read", map[string]any{"path": "lamp/lamp.go"})
	said := 0
	never := func(what, text string) {
		t.Helper()
		if said++; strings.Contains(text, known[:12]) || text == "" {
			t.Errorf("%s: %q", what, text)
		}
	}
	for name, arguments := range map[string]map[string]any{
		"read": {"path": "x/" + known}, "map": {"path": "../" + known}, "more": {"handle": known}, "impact": {"commit": known},
		"thread": {"action": known, "thread": "t"}, "references": {known: 1}, "find": {"query": []string{known}},
	} {
		_, text := ask(t, c, name, arguments)
		never(name, text)
	}
	_, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: known})
	never("a tool", fmt.Sprint(err))
	_, err = c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: known})
	never("a prompt", fmt.Sprint(err))
	_, err = c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: known})
	never("a resource", fmt.Sprint(err))
	if said != 10 {
		t.Error(said)
	}
}

// TestSchemaOfAnswer asks for types that each model can be told: none that is one of two.
func TestSchemaOfAnswer(t *testing.T) {
	text, err := json.Marshal(schemaOfAnswer())
	if err != nil || !bytes.Contains(text, []byte(`"rows":{"type":"array"`)) || bytes.Contains(text, []byte("null")) {
		t.Errorf("%s, %v", text, err)
	}
}

// TestFolderReplaced holds that a folder which has taken the repository's place is looked at: the one that was moved away answers no more.
func TestFolderReplaced(t *testing.T) {
	dir := repotest.New(t, town).Dir
	client, _ := started(t, dir)
	ask := func() string {
		t.Helper()
		got, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "map", Arguments: map[string]any{}})
		if err != nil {
			t.Fatal(err)
		}
		return got.Content[0].(*mcp.TextContent).Text
	}
	if said := ask(); strings.Contains(said, "harbour.txt") {
		t.Fatal(said)
	}
	if err := os.Rename(dir, dir+"-old"); err != nil {
		t.Fatal(err)
	}
	if said := ask(); !strings.Contains(said, "is not there") {
		t.Errorf("of a folder that is gone: %s", said)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "harbour.txt"), []byte("a harbour\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if said := ask(); !strings.Contains(said, "harbour.txt") {
		t.Errorf("of the folder in its place: %s", said)
	}
}

// TestArgumentsNamed holds that an argument which a tool does not take, or one of another type, is answered with those that it takes.
func TestArgumentsNamed(t *testing.T) {
	client, _ := started(t, repotest.New(t, town).Dir)
	for tool, arguments := range map[string]map[string]any{"read": {"lines": "1-3"}, "find": {"query": 7}} {
		got, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{"read": "; read takes path, from, to, symbol, again, ", "find": "; find takes query, "}[tool]
		if said := got.Content[0].(*mcp.TextContent).Text; !got.IsError || !strings.Contains(said, want) {
			t.Errorf("%s: %s", tool, said)
		}
	}
}
