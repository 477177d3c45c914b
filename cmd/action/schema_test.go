package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemaOf is the schema of a document by its name, or of a pack by its type.
func schemaOf(name string, doc []byte) string {
	switch filepath.Base(name) {
	case "record.json":
		return "internal/record/schema/record.schema.json"
	case "changes.json":
		return "internal/record/schema/changes.schema.json"
	case "pack.json":
		var head struct{ Type string }
		if json.Unmarshal(doc, &head) != nil {
			return ""
		}
		return map[string]string{
			"full": "internal/pack/schema/full.schema.json", "summary": "internal/pack/schema/summary.schema.json",
			"change": "internal/report/schema/change.schema.json",
		}[head.Type]
	}
	return ""
}

// checked runs the program, and holds every document that the run made against its schema. A document that breaks it
// ends the process with a code that no script expects.
func checked() int {
	began := time.Now()
	code := run()
	module := os.Getenv("HAVERSACK_MODULE")
	if module == "" {
		return code
	}
	dirs := map[string]bool{".": true, os.Getenv("INPUT_OUTPUT-DIR"): true, os.Getenv("INPUT_PATH"): true}
	for i, arg := range os.Args[1:] {
		if name, value, ok := strings.Cut(arg, "="); ok && (name == "--output-dir" || name == "--path") {
			dirs[value] = true
		} else if (arg == "--output-dir" || arg == "--path") && i+2 < len(os.Args) {
			dirs[os.Args[i+2]] = true
		}
	}
	delete(dirs, "")
	delete(dirs, "/") // what others write at the same time is none of the run's
	for dir := range dirs {
		if err := documents(module, dir, began); err != nil {
			fmt.Fprintln(os.Stderr, "a document breaks its schema:", err)
			return 99
		}
	}
	return code
}

// documents checks what was written below dir since began.
func documents(module, dir string, began time.Time) error {
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			if d != nil && d.IsDir() && d.Name() == ".git" {
				return fs.SkipDir
			}
			return nil // what cannot be read was not made by the run
		}
		made := strings.HasSuffix(name, ".json") || d.Name() == "archive.diff.tar"
		info, err := d.Info()
		if err != nil || !made || info.ModTime().Before(began) {
			return nil
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return nil
		}
		if d.Name() != "archive.diff.tar" {
			return valid(module, name, b)
		}
		for tr := tar.NewReader(bytes.NewReader(b)); ; {
			h, err := tr.Next()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if strings.HasSuffix(h.Name, "/context/changes.json") {
				if b, err = io.ReadAll(tr); err != nil {
					return err
				}
				if err := valid(module, h.Name, b); err != nil {
					return err
				}
			}
		}
	})
}

func valid(module, name string, doc []byte) error {
	file := schemaOf(name, doc)
	if file == "" {
		return nil
	}
	s, err := jsonschema.NewCompiler().Compile(filepath.Join(module, filepath.FromSlash(file)))
	if err != nil {
		return err
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := s.Validate(v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
