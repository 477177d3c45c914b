package action

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/term"

	"github.com/spf13/pflag"

	"github.com/haversack-dev/haversack/internal/client"
	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/tree"
)

// maxClientFile bounds a client's file, in bytes: some keep their history in it.
const maxClientFile = 16 << 20

// server is how clients start this program.
var server = client.Server{Name: "haversack", Command: "haversack", Args: []string{"serve"}}

// installVerb writes the server into the files of clients.
func installVerb(ctx context.Context, e *job.Env, in *job.Inputs, o *options) error {
	return eachClient(ctx, e, in, o, func(c *client.Client, file []byte) ([]byte, error) { return c.Install(file, server) })
}

// uninstallVerb takes the server out of the files of clients.
func uninstallVerb(ctx context.Context, e *job.Env, in *job.Inputs, o *options) error {
	return eachClient(ctx, e, in, o, func(c *client.Client, file []byte) ([]byte, error) { return c.Uninstall(file, server.Name) })
}

// eachClient edits the files of the clients that are named: all are made before the first one is written.
func eachClient(_ context.Context, e *job.Env, in *job.Inputs, o *options, edit func(c *client.Client, file []byte) ([]byte, error)) error {
	known := strings.Join(client.Names(), ", ")
	if len(o.args) == 0 {
		return job.UsageError("name a client: %s", known)
	}
	var edits []*clientEdit
	for _, name := range o.args {
		c := client.Named(name)
		if c == nil {
			return job.UsageError("no client %q%s: %s", name, job.Suggest(name, client.Names(), ""), known)
		}
		x, err := openClient(e, in, c)
		if err != nil {
			return err
		}
		defer x.folder.Close()
		if x.after, err = edit(c, x.before); err != nil {
			return job.WithCode(fmt.Errorf("%s: %w", x.shown, err), job.ExitInput)
		}
		edits = append(edits, x)
	}
	done := []clientFile{}
	for _, x := range edits {
		done = append(done, clientFile{File: x.shown, Differs: !bytes.Equal(x.before, x.after)})
		if bytes.Equal(x.before, x.after) {
			e.Log.Print(fmt.Sprintf("%s stays as it is.\n", x.shown))
			continue
		}
		e.Log.Print(x.difference())
		if o.print {
			continue
		}
		if e.Terminal && term.IsTerminal(int(os.Stdin.Fd())) && !agreed(e, x.shown) {
			e.Log.Print(fmt.Sprintf("%s stays as it is.\n", x.shown))
			continue
		}
		if err := x.write(); err != nil {
			return fmt.Errorf("writing %s: %w", x.shown, err)
		}
		if x.after == nil {
			e.Log.Print(fmt.Sprintf("Removed %s: nothing else stood in it.\n", x.shown))
		} else {
			e.Log.Print(fmt.Sprintf("Wrote %s.\n", x.shown))
		}
		done[len(done)-1].Written = true
	}
	if o.json {
		return printJSON(e, &done)
	}
	return nil
}

// clientFile is what became of a client's file.
type clientFile struct {
	File    string `json:"file"`
	Differs bool   `json:"differs"` // from what it would be
	Written bool   `json:"written"`
}

// agreed asks on the terminal whether a file is to be written.
func agreed(e *job.Env, name string) bool {
	e.Log.Print(fmt.Sprintf("Write %s? [y/N] ", name))
	said, _ := bufio.NewReader(os.Stdin).ReadString('\n') // no answer is no
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(said)), "y")
}

// clientEdit is a client's file, as it is and as it is going to be.
type clientEdit struct {
	// folder is the home's, or the project's; name is the file below it, shown how it is called.
	folder      *os.Root
	name, shown string
	mode        fs.FileMode
	// before is nil where there is no file, after where there is to be none.
	before, after []byte
}

// openClient reads a client's file. Below the project no link is followed out of it, below the home none out of that.
func openClient(e *job.Env, in *job.Inputs, c *client.Client) (*clientEdit, error) {
	dir, shown := e.At(in.Path), c.File
	if c.Home {
		if dir = e.Getenv("HOME"); dir == "" {
			return nil, job.WithCode(fmt.Errorf("%s: HOME is not set, so its file is not known", c.Name), job.ExitInput)
		}
		shown = "~/" + c.File
	}
	folder, err := tree.OpenFolder(dir)
	if err != nil {
		return nil, job.WithCode(fmt.Errorf("%s: %w", c.Name, err), job.ExitInput)
	}
	name := c.File
	if c.Other != "" {
		if _, err := folder.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			if _, err := folder.Lstat(c.Other); err == nil {
				name, shown = c.Other, c.Other
			}
		}
	}
	x := &clientEdit{folder: folder, name: filepath.FromSlash(name), shown: shown, mode: 0o644}
	if c.Home {
		x.mode = 0o600
	}
	x.before, err = tree.ReadIn(folder, x.name, maxClientFile)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	} else if err == nil {
		var fi fs.FileInfo
		if fi, err = folder.Stat(x.name); err == nil {
			x.mode = fi.Mode().Perm()
		}
	}
	if err != nil {
		folder.Close()
		return nil, job.WithCode(fmt.Errorf("reading %s: %w", shown, err), job.ExitInput)
	}
	return x, nil
}

// difference is what the file gains and loses.
func (x *clientEdit) difference() string {
	side := func(text []byte) *diff.Side {
		if text == nil {
			return nil
		}
		return &diff.Side{Mode: 0o644, Text: text}
	}
	status := diff.Modified
	switch {
	case x.before == nil:
		status = diff.Added
	case x.after == nil:
		status = diff.Deleted
	}
	return string(new(diff.Drawing).Draw(diff.Change{Status: status, Path: filepath.ToSlash(x.name)}, side(x.before), side(x.after)).Text)
}

// write puts the file in place whole, takes it away, or leaves it as it was.
func (x *clientEdit) write() error {
	if x.after == nil {
		return x.folder.Remove(x.name)
	}
	if dir := filepath.Dir(x.name); dir != "." {
		if err := x.folder.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	at := x.name
	if to, err := x.folder.Readlink(at); err == nil { // the file that a link of the home leads to is written, and the link stays
		at = filepath.Join(filepath.Dir(at), to)
	}
	// A name that nobody can have put a link at.
	temporary := at + "." + rand.Text()
	f, err := x.folder.OpenFile(temporary, os.O_CREATE|os.O_EXCL|os.O_WRONLY, x.mode)
	if err != nil {
		return err
	}
	_, err = f.Write(x.after)
	if err = errors.Join(err, f.Close()); err == nil {
		err = x.folder.Rename(temporary, at)
	}
	if err != nil {
		err = errors.Join(err, x.folder.Remove(temporary))
	}
	return err
}

func installFlags(fs *pflag.FlagSet, o *options) {
	fs.BoolVar(&o.print, "print", false, "show what would be written, and write nothing")
}
