//go:build linux

// Command imports compares the edges that the graph has with those that a tool of the language finds, on folders of sources:
//
//	go run ./bench/imports [-show N] [-least R] [-oracle COMMAND] PROVIDER FOLDER...
//
// The tool is asked for lines "from<tab>to" of paths in the folder, which is its last argument, with "<tab>may" behind those that
// are right too and need not be found; without -oracle it is the one that stands beside this file: of jvm java with Edges.java, of
// php and ruby node with edges-php.cjs and edges-ruby.cjs, with NODE_PATH where php-parser and @ruby/prism are, of rust cargo's
// rustdoc with edges-rust.py, of python CPython with edges-python.py, of csharp edges-csharp.py, which knows texts alone. Of Scala
// edges-scala.py, named with -oracle, reads what its compiler has written.
// Where it is not installed this is said, and only what was found is told. Files of which it says nothing are left out of both.
// Recall is the part of its edges that are ours too, precision the part of ours that are its. The last column is how many
// megabytes a second of the processor were read. With -least, less recall or precision than that is an error, and so is a tool
// that is not there.
package main

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/tree"
)

func main() {
	show := flag.Int("show", 0, "how many edges that only one has are printed")
	oracle := flag.String("oracle", "", "the command that is asked, in place of the one that the provider has here")
	least := flag.Float64("least", 0, "the least recall and precision; less is an error")
	flag.Parse()
	if flag.NArg() < 2 {
		fmt.Fprintln(os.Stderr, "usage: imports [-show N] [-least R] [-oracle COMMAND] PROVIDER FOLDER...")
		os.Exit(2)
	}
	for _, folder := range flag.Args()[1:] {
		if err := compare(flag.Arg(0), folder, *oracle, *show, *least); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// compare compares one folder.
func compare(name, folder, oracle string, show int, least float64) error {
	ours, size, took, undecided, err := found(name, folder)
	if err != nil {
		return err
	}
	rate := float64(size) / 1e6 / max(took.Seconds(), 1e-9)
	truth, may, err := asked(name, folder, oracle)
	if err != nil && least > 0 {
		return err
	}
	if err != nil {
		fmt.Printf("%-40s %6d edges, %d undecided, %.0f MB/s; not compared: %v\n", folder, len(ours), undecided, rate, err)
		return nil
	}
	knows := map[string]bool{}
	for e := range truth {
		knows[e[0]] = true
	}
	both, told := 0, 0
	var rows []string
	for e := range ours {
		if !knows[e[0]] {
			continue
		}
		if may[e] && !truth[e] { // what is told in both ways has to be found
			continue
		}
		told++
		if truth[e] {
			both++
		} else {
			rows = append(rows, "+ "+e[0]+" -> "+e[1])
		}
	}
	for e := range truth {
		if !ours[e] {
			rows = append(rows, "- "+e[0]+" -> "+e[1])
		}
	}
	recall, precision := float64(both)/float64(max(1, len(truth))), float64(both)/float64(max(1, told))
	fmt.Printf("%-40s %6d true %6d ours  recall %.4f precision %.4f  %d undecided, %.0f MB/s\n", folder, len(truth), told, recall, precision, undecided, rate)
	slices.Sort(rows)
	for i := 0; i < show && i < len(rows); i++ { // spread over all
		fmt.Println(rows[i*len(rows)/min(len(rows), show)])
	}
	if recall < least || precision < least {
		return fmt.Errorf("%s: recall %.4f, precision %.4f: less than %.2f", folder, recall, precision, least)
	}
	return nil
}

// found are the edges between files of the provider, the bytes that it read, and the time of the processor that it took.
func found(name, folder string) (edges map[[2]string]bool, size int64, took time.Duration, undecided int, err error) {
	i := slices.IndexFunc(provider.All, func(p graph.Provider) bool { return p.Name == name })
	if i < 0 {
		return nil, 0, 0, 0, fmt.Errorf("no provider is called %s", name)
	}
	p := provider.All[i]
	root, err := tree.Open(folder)
	if err != nil {
		return nil, 0, 0, 0, err
	}
	defer root.Close()
	q := graph.Request{Roots: graph.Roots{Dir: filepath.ToSlash(folder), Root: root}, StanPath: ".stan"}
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(folder, path)
		if err != nil || d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		if !d.Type().IsRegular() {
			return nil
		}
		f, err := root.File(filepath.ToSlash(rel))
		if err != nil {
			return err
		}
		if p.Claims(f.Path) {
			size += f.Size
			q.Files = append(q.Files, graph.SourceFile{File: f})
		} else {
			q.Others = append(q.Others, graph.SourceFile{File: f})
		}
		return nil
	})
	if err != nil {
		return nil, 0, 0, 0, err
	}
	byPath := func(a, b graph.SourceFile) int { return strings.Compare(a.Path, b.Path) }
	slices.SortFunc(q.Files, byPath)
	slices.SortFunc(q.Others, byPath)
	runtime.GC()
	began := spent()
	a, err := p.Build(context.Background(), q)
	took = spent() - began
	if err != nil {
		return nil, 0, 0, 0, err
	}
	edges = map[[2]string]bool{}
	for from, list := range a.Edges {
		for _, e := range list {
			if _, ok := a.Nodes[e.Target]; !ok {
				edges[[2]string{from, e.Target}] = true
			}
		}
	}
	return edges, size, took, a.Undecided, nil
}

// asked are the edges that the tool tells, and those that are right too.
func asked(name, folder, oracle string) (edges, may map[[2]string]bool, err error) {
	args := strings.Fields(oracle)
	if oracle == "" {
		_, file, _, _ := runtime.Caller(0)
		dir := filepath.Dir(file)
		switch name {
		case "jvm":
			args = []string{"java", filepath.Join(dir, "Edges.java")}
		case "php", "ruby":
			args = []string{"node", filepath.Join(dir, "edges-"+name+".cjs")}
		case "c", "csharp", "python", "rust":
			args = []string{"python3", filepath.Join(dir, "edges-"+name+".py")}
		default:
			return nil, nil, fmt.Errorf("no tool is known for %s: name one with -oracle", name)
		}
	}
	cmd := exec.Command(args[0], append(args[1:], folder)...)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w: %.300s", strings.Join(args, " "), err, complaint.String())
	}
	edges, may = map[[2]string]bool{}, map[[2]string]bool{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan() {
		if from, to, ok := strings.Cut(lines.Text(), "\t"); ok {
			if to, right := strings.CutSuffix(to, "\tmay"); right {
				may[[2]string{from, to}] = true
			} else {
				edges[[2]string{from, to}] = true
			}
		}
	}
	return edges, may, lines.Err()
}

// spent is the time of the processor that this process has had.
func spent() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
