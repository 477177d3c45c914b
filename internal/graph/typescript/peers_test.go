package typescript

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/microsoft/typescript-go/tsshim"
)

// peers skips or fails a test that needs what is not there.
func missingPeer(t *testing.T, format string, args ...any) {
	t.Helper()
	msg := fmt.Sprintf(format, args...) + "; see CONTRIBUTING.md"
	if os.Getenv("HAVERSACK_PEERS") == "require" {
		t.Fatal(msg)
	}
	t.Skip(msg)
}

// packages are npm packages that ship their TypeScript sources, and what they
// are made with.
var packages = []string{
	"typescript@5.9.3", "rxjs@7.8.2", "zod@4.1.12", "effect@3.19.3", "@types/node@20.19.0",
	"@tanstack/query-core@5.90.7", "drizzle-orm@0.44.7", "ts-pattern@5.9.0", "valtio@2.2.0",
}

// TestPeers compares every reference with what TypeScript itself makes of it:
// in the sources of npm packages, and in the folders of HAVERSACK_TREES (a
// list, as PATH is one; TypeScript is looked for in HAVERSACK_TYPESCRIPT).
func TestPeers(t *testing.T) {
	if os.Getenv("HAVERSACK_PEERS") == "" {
		t.Skip("set HAVERSACK_PEERS=require to compare with npm's typescript (needs node and npm)")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		missingPeer(t, "node: %v", err)
	}
	compiler := os.Getenv("HAVERSACK_TYPESCRIPT")
	trees := filepath.SplitList(os.Getenv("HAVERSACK_TREES"))
	if len(trees) == 0 || compiler == "" {
		dir := t.TempDir()
		cmd := exec.Command("npm", append([]string{"install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", dir}, packages...)...)
		if b, err := cmd.CombinedOutput(); err != nil {
			missingPeer(t, "npm install: %v\n%s", err, b)
		}
		compiler = filepath.Join(dir, "node_modules", "typescript")
		if len(trees) == 0 {
			trees = []string{dir}
			for _, p := range packages[1:] {
				name := p[:strings.LastIndexByte(p, '@')]
				if err := os.CopyFS(filepath.Join(dir, "packages", name), os.DirFS(filepath.Join(dir, "node_modules", name))); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for _, dir := range trees {
		t.Run(filepath.Base(dir), func(t *testing.T) { comparePeer(t, node, compiler, dir) })
	}
}

func comparePeer(t *testing.T, node, compiler, dir string) {
	roots, all := open(t, dir)
	var sources []graph.SourceFile
	var names strings.Builder
	var analysed int
	for _, s := range all {
		if s.Mode&fs.ModeSymlink != 0 {
			continue
		}
		sources = append(sources, s)
		if Analyses(s.Path) && s.Size <= maxFile {
			analysed++
			names.WriteString(s.Path + "\n")
		}
	}
	began := time.Now()
	b := newBuilder(roots, sources, ".stan")
	for _, do := range []func(int){b.load, func(i int) {
		if m := b.modules.get(b.files.abs(b.sources[i].Path)); m != nil {
			m.resolved()
		}
	}} {
		if err := b.each(t.Context(), len(b.sources), do); err != nil {
			t.Fatal(err)
		}
	}
	took := time.Since(began)
	ours := map[string]bool{}
	for _, s := range b.sources {
		m := b.modules.get(b.files.abs(s.Path))
		if m == nil {
			continue
		}
		for i, r := range m.file.Refs {
			to := m.resolved()[i]
			at := "-"
			switch {
			case r.Form == tsgo.Augmentation && to.builtin == "" && (to.file == "" || to.how == unbuilt):
				continue
			case to.builtin != "":
				at = to.builtin
			case to.file != "" && (to.how == "" || to.how == anyMode):
				at = b.files.id(to.file)
			}
			ours[strings.Join([]string{s.Path, quote(r.Name), []string{"runtime", "type", "dynamic"}[r.Kind], at}, "\t")] = true
		}
	}
	cmd := exec.Command(node, "--max-old-space-size=8000", "testdata/truth.cjs", compiler, dir)
	cmd.Stdin = strings.NewReader(names.String())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, stderr.Bytes())
	}
	truth := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			t.Logf("%d files; typescript: %s", analysed, line)
		} else if line != "" {
			truth[line] = true
		}
	}
	if len(truth) == 0 {
		t.Fatal("typescript found nothing")
	}
	var diff []string
	for r := range ours {
		if !truth[r] {
			diff = append(diff, "+ "+r)
		}
	}
	only := len(diff)
	for r := range truth {
		if !ours[r] {
			diff = append(diff, "- "+r)
		}
	}
	both := len(ours) - only
	sort.Slice(diff, func(i, j int) bool { return diff[i][2:] < diff[j][2:] })
	t.Logf("%d references in %v; recall %.5f precision %.5f", len(truth), took, float64(both)/float64(len(truth)), float64(both)/float64(len(ours)))
	pairs := func(rows map[string]bool) map[string]bool {
		m := map[string]bool{}
		for r := range rows {
			if f := strings.Split(r, "\t"); f[3] != "-" && !strings.HasPrefix(f[3], "node:") {
				m[f[0]+"\t"+f[3]] = true
			}
		}
		return m
	}
	theirs, mine := pairs(truth), pairs(ours)
	both = 0
	for p := range mine {
		if theirs[p] {
			both++
		}
	}
	t.Logf("pairs of files: %d of typescript's, %d ours, %d both; %d warnings", len(theirs), len(mine), both, len(b.warnings)+len(b.configs.warnings()))
	for i, d := range diff {
		if i == 60 {
			t.Errorf("and %d more", len(diff)-i)
			break
		}
		t.Error(d)
	}
}

// quote writes a string as JSON.stringify does.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < 0x20:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
