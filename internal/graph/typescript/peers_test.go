package typescript

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/graphtest"
	"github.com/microsoft/typescript-go/tsshim"
)

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
	trees := graphtest.Trees(t, "npm's typescript (needs node and npm)")
	node, err := exec.LookPath("node")
	if err != nil {
		graphtest.Missing(t, "node: %v", err)
	}
	compiler := os.Getenv("HAVERSACK_TYPESCRIPT")
	if len(trees) == 0 || compiler == "" {
		dir := t.TempDir()
		cmd := exec.Command("npm", append([]string{"install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", dir}, packages...)...)
		if b, err := cmd.CombinedOutput(); err != nil {
			graphtest.Missing(t, "npm install: %v\n%s", err, b)
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
	roots, sources := graphtest.OpenReal(t, dir)
	var names strings.Builder
	var analysed int
	for _, s := range sources {
		if Analyses(s.Path) && s.Size <= maxFile {
			analysed++
			names.WriteString(s.Path + "\n")
		}
	}
	// The program samples no allocations, as a test does.
	defer func(rate int) { runtime.MemProfileRate = rate }(runtime.MemProfileRate)
	runtime.MemProfileRate = 0
	began := cpu()
	b := newBuilder(roots, sources, ".stan")
	for _, do := range []func(int){b.load, func(i int) {
		if m := b.modules.get(b.files.abs(b.sources[i].Path)); m != nil {
			m.resolved()
		}
	}} {
		if err := graph.Each(t.Context(), len(b.sources), do); err != nil {
			t.Fatal(err)
		}
	}
	took := cpu() - began
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
	cmd := exec.Command(node, "--max-old-space-size=8000", "testdata/truth.cjs", compiler, roots.Dir)
	cmd.Stdin = strings.NewReader(names.String())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, stderr.Bytes())
	}
	truth := map[string]bool{}
	var read int
	var theirs float64
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			if _, err := fmt.Sscanf(line, "# %d %f", &read, &theirs); err != nil {
				t.Fatal(err)
			}
		} else if line != "" {
			truth[line] = true
		}
	}
	if len(truth) == 0 {
		t.Fatal("typescript found nothing")
	}
	t.Logf("%d files, %.2f s of the processor; typescript %d, %.2f s; %d warnings", analysed, took, read, theirs, len(b.warnings)+len(b.configs.warnings()))
	graphtest.Compare(t, "references", ours, truth, 1, 1)
	pairs := func(rows map[string]bool) map[string]bool {
		m := map[string]bool{}
		for r := range rows {
			if f := strings.Split(r, "\t"); f[3] != "-" && !strings.HasPrefix(f[3], "node:") {
				m[f[0]+"\t"+f[3]] = true
			}
		}
		return m
	}
	graphtest.Compare(t, "pairs of files", pairs(ours), pairs(truth), 0, 0)
}

// cpu is the processor time in seconds that this process has taken, 0 where the system does not say.
func cpu() float64 {
	b, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0
	}
	// The name before may hold anything but the last bracket; ticks are hundredths.
	f := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
	user, _ := strconv.Atoi(f[11])
	system, _ := strconv.Atoi(f[12])
	return float64(user+system) / 100
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
