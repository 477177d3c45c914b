package python

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
)

// IsNotebook reports whether a file of this name is a notebook, in whose cells definitions may stand.
func IsNotebook(name string) bool { return strings.EqualFold(path.Ext(name), ".ipynb") }

// DefineNotebook lists what the cells of a notebook define: functions, classes with their members, and values in capitals; what else is
// bound in a cell is a step of the work there. It takes the file as it is, of which definitions have the lines, or the text that
// source.Readable makes of it. What is no notebook of Python defines nothing.
func DefineNotebook(name string, content []byte) ([]graph.Definition, error) {
	if len(content) > graph.MaxSource {
		return nil, graph.ErrSourceSize
	}
	b := cells{at: []int{0}}
	if raw := bytes.TrimLeft(content, " \t\r\n"); len(raw) > 0 && raw[0] == '{' {
		if err := b.read(content); err != nil {
			return nil, nil // a notebook that is broken defines nothing that can be told
		}
	} else {
		b.readMarked(string(content))
	}
	list, err := Define(name, []byte(strings.Join(b.lines, "\n")))
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(d graph.Definition) bool {
		value := d.Kind == "var" || d.Kind == "const" || d.Kind == "alias"
		return value && (len(d.Name) < 2 || d.Name != strings.ToUpper(d.Name))
	})
	for i := range list {
		d := &list[i]
		if b.placed {
			d.Signature = strings.TrimSpace(strings.Join(b.lines[d.Line-1:d.Head], "\n"))
		}
		d.From, d.Line, d.Head, d.End = b.at[d.From], b.at[d.Line], b.at[d.Head], b.at[d.End]
	}
	return list, nil
}

// cells are the lines of code of a notebook, one below another.
type cells struct {
	lines []string
	// at are the lines of the file that they stand on, from 1 as they are counted.
	at []int
	// placed says that the file is not this text.
	placed bool
}

// put takes a line that stands on one of the file. What is said to the notebook and not to Python is left empty.
func (b *cells) put(line string, at int) {
	if bare := strings.TrimLeft(line, " \t"); bare != "" && strings.ContainsRune("%!?", rune(bare[0])) {
		line = ""
	}
	b.lines, b.at = append(b.lines, line), append(b.at, at)
}

// readMarked reads the text that source.Readable makes of a notebook.
func (b *cells) readMarked(content string) {
	code, at := false, 0
	for line := range strings.SplitSeq(content, "\n") {
		at++
		if kind, ok := strings.CutPrefix(line, "# %% "); ok {
			code = kind == "code"
		}
		if code && strings.HasPrefix(line, "%%") && otherWords(line) {
			code = false
		}
		if !code {
			line = ""
		}
		b.put(line, at)
	}
}

// otherWords reports whether the first line of a cell says that it is of another language: %%bash. Some only watch what runs: %%time.
func otherWords(line string) bool {
	word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch word {
	case "%%time", "%%timeit", "%%capture", "%%prun", "%%memit":
		return false
	}
	return strings.HasPrefix(word, "%%")
}

// read reads a notebook as it is.
func (b *cells) read(content []byte) error {
	b.placed = true
	r := notebookReader{Decoder: json.NewDecoder(bytes.NewReader(content)), content: content, line: 1}
	foreign := false
	err := r.members(func(key string) error {
		switch key {
		case "cells":
			return r.items(func() error {
				lines, at, code, err := r.cell()
				if code && len(lines) > 0 && !otherWords(lines[0]) {
					for i, line := range lines {
						b.put(line, at[i])
					}
				}
				return err
			})
		case "metadata":
			var about struct {
				Kernel struct{ Language string } `json:"kernelspec"`
				Info   struct{ Name string }     `json:"language_info"`
			}
			if r.Decode(&about) == nil {
				said := strings.ToLower(about.Info.Name + about.Kernel.Language)
				foreign = said != "" && !strings.Contains(said, "python")
			}
			return nil
		}
		return r.pass()
	})
	if foreign {
		b.lines, b.at = nil, b.at[:1]
	}
	return err
}

// notebookReader reads the JSON of a notebook, and knows on which line it is.
type notebookReader struct {
	*json.Decoder
	content  []byte
	line, to int // the line at the offset to
}

// here is the line that what was read last ends on.
func (r *notebookReader) here() int {
	at := int(r.InputOffset())
	r.line += bytes.Count(r.content[r.to:at], []byte{'\n'})
	r.to = at
	return r.line
}

// pass reads a value of which nothing is wanted.
func (r *notebookReader) pass() error {
	var value json.RawMessage
	return r.Decode(&value)
}

// members reads an object; read takes the value of each key.
func (r *notebookReader) members(read func(key string) error) error {
	if t, err := r.Token(); err != nil || t != json.Delim('{') {
		return err
	}
	for r.More() {
		t, err := r.Token()
		if err != nil {
			return err
		}
		key, _ := t.(string)
		if err := read(key); err != nil {
			return err
		}
	}
	_, err := r.Token()
	return err
}

// items reads a list; read takes each of it.
func (r *notebookReader) items(read func() error) error {
	if t, err := r.Token(); err != nil || t != json.Delim('[') {
		return err
	}
	for r.More() {
		if err := read(); err != nil {
			return err
		}
	}
	_, err := r.Token()
	return err
}

// cell reads a cell: its lines, with those of the file that they stand on, and whether it is code.
func (r *notebookReader) cell() (lines []string, at []int, code bool, err error) {
	take := func(text string) {
		for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
			lines, at = append(lines, line), append(at, r.here())
		}
	}
	err = r.members(func(key string) error {
		switch key {
		case "cell_type":
			t, err := r.Token()
			code = t == "code"
			return err
		case "source":
			t, err := r.Token()
			if text, ok := t.(string); ok {
				take(text)
			}
			for err == nil && t == json.Delim('[') && r.More() {
				var text json.Token
				if text, err = r.Token(); err == nil {
					if text, ok := text.(string); ok {
						take(text)
					}
				}
			}
			if err == nil && t == json.Delim('[') {
				_, err = r.Token()
			}
			return err
		}
		return r.pass()
	})
	return lines, at, code, err
}
