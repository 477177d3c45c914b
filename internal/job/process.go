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
	Terminal bool // Stderr is a terminal
	Width    int  // columns of the terminal that Stdout is; 0 is none
	// What the terminals can do: move the cursor, show colours, draw blocks.
	Cursor, Colour, Blocks bool
	// Verbose: each warning is printed on a terminal, and not one of each kind.
	Verbose bool
	Version string // the program's
	Build   Build  // more of it, for the verb version
}

// Build says what the program was built from; fields are "" where the build does not know.
type Build struct {
	Version  string `json:"version"` // as Process has it
	Commit   string `json:"commit"`
	Date     string `json:"date"` // of the commit
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// At is a path that the command line names, from the folder that the program runs in.
func (p *Process) At(name string) string {
	if filepath.IsAbs(name) || p.Dir == "" {
		return name
	}
	return filepath.Join(p.Dir, name)
}
