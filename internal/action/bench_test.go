package action

import (
	"archive/tar"
	"bufio"
	"crypto/sha256"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/archive"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/tree"
)

// BenchmarkRun packs a real tree with defaults: the folder in HAVERSACK_TREE,
// else this repository.
func BenchmarkRun(b *testing.B) {
	dir := os.Getenv("HAVERSACK_TREE")
	if dir == "" {
		dir = filepath.Join("..", "..")
	}
	out := b.TempDir()
	for b.Loop() {
		c := Command{Process: job.Process{Args: []string{"--path", dir, "--output-dir", out}, Getenv: func(string) string { return "" }, Stdout: io.Discard, Stderr: io.Discard}}
		if err := c.Run(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// tree of the benchmarks that copy: every byte is read and written once.
func benchTree(b *testing.B) string {
	b.Helper()
	if dir := os.Getenv("HAVERSACK_TREE"); dir != "" {
		return dir
	}
	return filepath.Join("..", "..")
}

// walkFiles lists the regular files of a folder as the scan meets them.
func walkFiles(b *testing.B, r *tree.Root, visit func(name string)) {
	var walk func(dir string)
	walk = func(dir string) {
		entries, err := r.List(dir)
		if err != nil {
			b.Fatal(err)
		}
		for _, e := range entries {
			name := e.Name
			if dir != "." {
				name = dir + "/" + e.Name
			}
			if e.Mode.IsDir() {
				walk(name)
			} else if e.Mode.IsRegular() {
				visit(name)
			}
		}
	}
	walk(".")
}

// BenchmarkWalkTar walks a folder and writes its tar, nothing else; with
// sha256, each file and the archive are hashed as well. BenchmarkTarCat is what
// to hold them against.
func BenchmarkWalkTar(b *testing.B) {
	for _, hash := range []bool{false, true} {
		name := "plain"
		if hash {
			name = "sha256"
		}
		b.Run(name, func(b *testing.B) {
			dir := benchTree(b)
			for b.Loop() {
				r, err := tree.Open(dir)
				if err != nil {
					b.Fatal(err)
				}
				pr, pw, err := os.Pipe()
				if err != nil {
					b.Fatal(err)
				}
				done := make(chan struct{})
				go func() { io.Copy(io.Discard, pr); close(done) }()
				buffered := bufio.NewWriterSize(pw, 256<<10)
				var out io.Writer = buffered
				sum := sha256.New()
				if hash {
					out = io.MultiWriter(buffered, sum)
				}
				if hash {
					var files []tree.File
					walkFiles(b, r, func(name string) {
						f, err := r.File(name)
						if err != nil {
							b.Fatal(err)
						}
						files = append(files, f)
					})
					if _, err := archive.Write(out, files, time.Unix(0, 0)); err != nil {
						b.Fatal(err)
					}
				} else {
					tw := tar.NewWriter(out)
					buf := make([]byte, 256<<10)
					walkFiles(b, r, func(name string) {
						rc, in, err := r.Open(name)
						if err != nil {
							b.Fatal(err)
						}
						if err := tw.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: in.Size}); err != nil {
							b.Fatal(err)
						}
						if _, err := io.CopyBuffer(struct{ io.Writer }{tw}, struct{ io.Reader }{rc}, buf); err != nil {
							b.Fatal(err)
						}
						rc.Close()
					})
					tw.Close()
				}
				buffered.Flush()
				pw.Close()
				<-done
				r.Close()
			}
		})
	}
}

// BenchmarkTarCat is the least that copying a tree costs: tar cf - . | cat.
func BenchmarkTarCat(b *testing.B) {
	if _, err := exec.LookPath("tar"); err != nil {
		b.Skip(err)
	}
	dir := benchTree(b)
	for b.Loop() {
		cmd := exec.Command("sh", "-c", "tar cf - . | cat >/dev/null")
		cmd.Dir = dir
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
	}
}
