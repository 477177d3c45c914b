package action

import (
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/archive"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/registry"
	"github.com/haversack-dev/haversack/internal/tree"
)

// artifactSource is an artifact that was asked for, and who has it.
type artifactSource struct {
	client  *registry.Client
	address registry.Address
	*registry.Artifact
}

// findPushed finds the artifact of an address with a tag or a digest.
func findPushed(ctx context.Context, e *job.Env, in *job.Inputs, address string) (*artifactSource, error) {
	a, err := registry.ParseAddress(address)
	if err != nil {
		return nil, job.UsageError("%w", err)
	}
	if a.Reference == "" {
		return nil, job.UsageError("%s names no tag: one of a branch, sha-<commit> or pr-<n>, as %s:main", a, a)
	}
	client, err := e.OpenRegistry(a, &in.Scope, e.Log.Mask)
	if err != nil {
		return nil, err
	}
	artifact, err := client.Find(ctx, a.Reference)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", a, err)
	}
	return &artifactSource{client, a, artifact}, nil
}

// pullResult is what pull --json prints.
type pullResult struct {
	Address string   `json:"address"` // by digest
	Commit  string   `json:"commit"`
	Base    string   `json:"base"`
	Mode    string   `json:"mode"`
	Folder  string   `json:"folder"`
	Files   []string `json:"files"`
}

// pullVerb reads the files of an artifact, or some of them, into a folder.
func pullVerb(ctx context.Context, e *job.Env, in *job.Inputs, o *options) error {
	if len(o.args) == 0 {
		return job.UsageError("pull needs an address, such as oci://host/name:main")
	}
	f, err := findPushed(ctx, e, in, o.args[0])
	if err != nil {
		return err
	}
	var wanted []registry.Member
	for _, m := range f.Files {
		if len(o.args) == 1 || slices.Contains(o.args[1:], m.Name) {
			wanted = append(wanted, m)
		}
	}
	for _, name := range o.args[1:] {
		if !slices.ContainsFunc(f.Files, func(m registry.Member) bool { return m.Name == name }) {
			var names []string
			for _, m := range f.Files {
				names = append(names, m.Name)
			}
			return job.UsageError("%s has no file %q, but %s", f.address, name, strings.Join(names, ", "))
		}
	}
	dir := in.OutputDir
	if dir == "" {
		dir = repositoryName(path.Base(f.address.Name)) + ".haversack"
	}
	if err := os.MkdirAll(e.At(dir), 0o755); err != nil {
		return job.BadInput("output-dir", "%w", err)
	}
	root, err := tree.OpenFolder(e.At(dir))
	if err != nil {
		return job.BadInput("output-dir", "%w", err)
	}
	defer root.Close()
	names, err := f.read(ctx, root, wanted)
	if err != nil {
		return fmt.Errorf("pulling %s: %w", f.address, err)
	}
	said := &pullResult{f.address.At(f.Digest).String(), f.Commit, f.Base, f.Mode, dir, names}
	if o.json {
		return printJSON(e, said)
	}
	return e.Log.Answer(job.OneLine(fmt.Sprintf("%s: %d files in %s: %s", said.Address, len(names), dir, strings.Join(names, ", "))) + "\n")
}

// read puts files into a folder, all or none of them: each is renamed into its place when
// all are there and are what their digests say.
func (f *artifactSource) read(ctx context.Context, root *os.Root, files []registry.Member) ([]string, error) {
	temp := job.TempPrefix + job.RandomHex()
	if err := root.Mkdir(temp, 0o700); err != nil {
		return nil, err
	}
	defer root.RemoveAll(temp)
	names := []string{}
	for _, m := range files {
		out, err := root.OpenFile(filepath.Join(temp, m.Name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if err != nil {
			return nil, err
		}
		err = f.client.Read(ctx, m, out)
		if closed := out.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", m.Name, err)
		}
		names = append(names, m.Name)
	}
	for _, name := range names {
		if err := root.Rename(filepath.Join(temp, name), name); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// pushedVerification is what verify --json prints of an artifact in a registry.
type pushedVerification struct {
	Address     string               `json:"address"` // by digest
	Commit      string               `json:"commit"`
	Files       int                  `json:"files"`
	Differences []archive.Difference `json:"differences"`
	Credentials []string             `json:"credentials"` // where: never what
}

// verifyPushed checks an artifact of a registry against the record in it: each file, and
// each archive as verifyVerb does.
func verifyPushed(ctx context.Context, e *job.Env, in *job.Inputs, o *options) error {
	f, err := findPushed(ctx, e, in, o.args[0])
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp(e.Getenv("RUNNER_TEMP"), job.TempPrefix)
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	root, err := tree.OpenFolder(temp)
	if err != nil {
		return err
	}
	defer root.Close()
	if _, err := f.read(ctx, root, f.Files); err != nil {
		return fmt.Errorf("verifying %s: %w", f.address, err)
	}
	rec, err := record.ReadIn(root, registry.RecordName, "it came from "+f.address.String())
	if err != nil {
		return err
	}
	v := &pushedVerification{f.address.At(f.Digest).String(), f.Commit, len(f.Files), f.compare(rec), []string{}}
	for _, out := range rec.Outputs {
		if !slices.ContainsFunc(f.Files, func(m registry.Member) bool { return m.Name == out.Name }) {
			continue // compare says so
		}
		if archives(out.Name) {
			one, err := checkArchive(ctx, e, filepath.Join(temp, out.Name))
			if err != nil {
				return err
			}
			v.Differences, v.Credentials = append(v.Differences, one.Differences...), append(v.Credentials, one.Credentials...)
			continue
		}
		leaks, err := leaksInDocument(e, root, out)
		if err != nil {
			return err
		}
		v.Credentials = append(v.Credentials, leaks...)
	}
	if err := v.print(e, o); err != nil {
		return err
	}
	return failedVerification(f.address.String(), len(v.Credentials), len(v.Differences))
}

// archives reports whether an output of that name is an archive.
func archives(name string) bool {
	return strings.HasSuffix(name, ".tar") || strings.HasSuffix(name, ".tar.zst")
}

// leaksInDocument looks in an output that is no archive, as the gate does.
func leaksInDocument(e *job.Env, root *os.Root, out record.Output) ([]string, error) {
	if out.SizeBytes > record.MaxRecord {
		return []string{fmt.Sprintf("%q: cannot be screened: it has more than %d bytes", out.Name, int64(record.MaxRecord))}, nil
	}
	raw, _, err := tree.OpenIn(root, out.Name, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer raw.Close()
	return leaksIn(e.Screener, archive.Member{Path: out.Name}, io.LimitReader(raw, record.MaxRecord), nil, nil)
}

// compare says where the artifact is not what the record in it says.
func (f *artifactSource) compare(rec *record.Record) []archive.Difference {
	diffs := []archive.Difference{}
	differs := func(name, format string, args ...any) {
		diffs = append(diffs, archive.Difference{Path: name, What: fmt.Sprintf(format, args...)})
	}
	if f.Commit != rec.Head.Commit || f.Base != rec.Base.Commit || f.Mode != string(rec.Mode) {
		differs(registry.RecordName, "is of another commit, base or mode than the artifact says")
	}
	said := map[string]bool{registry.RecordName: true}
	for _, out := range rec.Outputs {
		said[out.Name] = true
		i := slices.IndexFunc(f.Files, func(m registry.Member) bool { return m.Name == out.Name })
		switch {
		case i < 0:
			differs(out.Name, "is in the record and not in the artifact")
		case f.Files[i].SHA256 != out.SHA256 || f.Files[i].Size != out.SizeBytes:
			differs(out.Name, "has sha256 %s and %d bytes, the record says %s and %d", f.Files[i].SHA256, f.Files[i].Size, out.SHA256, out.SizeBytes)
		}
	}
	for _, m := range f.Files {
		if !said[m.Name] {
			differs(m.Name, "is in the artifact and not in the record")
		}
	}
	return diffs
}

// print says what was found.
func (v *pushedVerification) print(e *job.Env, o *options) error {
	if o.json {
		return printJSON(e, v)
	}
	text := foundBy(v.Differences, v.Credentials)
	if text == "" {
		text = fmt.Sprintf("%s: %d files are what record.json says, and no credential was found in them.\n", job.OneLine(v.Address), v.Files)
	}
	return e.Log.Answer(text)
}

// failedVerification is the end of a verification that found something, nil of another.
func failedVerification(shown string, credentials, differences int) error {
	switch {
	case credentials > 0:
		return job.WithCode(fmt.Errorf("verifying %s: %d credentials and %d differences", shown, credentials, differences), job.ExitSecret)
	case differences > 0:
		return fmt.Errorf("verifying %s: %d differences", shown, differences)
	}
	return nil
}
