package job

import (
	"io"
	"path/filepath"
)

// Process is what a run has of the process that it is: its arguments, environment,
// folder and streams. A run reads and writes nothing else of it, but files.
type Process struct {
	Args     []string
	Getenv   func(string) string
	Dir      string // working directory; "" is the process's
	Stdout   io.Writer
	Stderr   io.Writer
	Terminal bool   // Stderr is a terminal
	Version  string // the program's
}

// At is a path that the command line names, from the folder that the program runs in.
func (p *Process) At(name string) string {
	if filepath.IsAbs(name) || p.Dir == "" {
		return name
	}
	return filepath.Join(p.Dir, name)
}
