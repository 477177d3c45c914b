package registry

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/opencontainers/go-digest"
	specs "github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/content"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// ArtifactType is the artifactType of what runs made.
const ArtifactType = "application/vnd.haversack.context.v1"

// RecordName is the file without which an artifact is none of a run's.
const RecordName = "record.json"

const (
	// maxFiles are beyond those that a run writes.
	maxFiles = 80
	// MaxFile is the most bytes of one file that are pulled, and MaxArtifact of all of
	// them.
	MaxFile     = 4 << 30
	MaxArtifact = 8 << 30
)

// Names of annotations of the manifest.
const (
	annotationCommit = ocispec.AnnotationRevision
	annotationBase   = "dev.haversack.base"
	annotationMode   = "dev.haversack.mode"
	annotationRecord = "dev.haversack.record.sha256"
)

var (
	commitID = lazyregexp.New(`^[0-9a-f]{40}$`)
	modeName = lazyregexp.New(`^[a-z]{1,20}$`)
)

// Facts are what an artifact says of itself before any of its files is read.
type Facts struct {
	Commit string // in hex; "" of a folder that is no repository
	Base   string // commit that the change was measured against; "" for none
	Mode   string
}

// File is one file to be pushed. Open is called once, if the registry lacks it, and again
// where it has to be sent again.
type File struct {
	Name   string // without a folder
	Size   int64
	SHA256 string // in hex
	Open   func() (io.ReadCloser, error)
}

// Artifact is one that a registry has.
type Artifact struct {
	Facts
	Digest string // of the manifest, sha256:…
	Files  []Member
}

// Member is a file of an artifact.
type Member struct {
	Name   string
	Size   int64
	SHA256 string // in hex
}

// mediaType is that of a file, by how its name ends.
func mediaType(name string) string {
	for end, t := range map[string]string{".json": "application/json", ".md": "text/markdown", ".msgpack": "application/msgpack", ".tar": "application/x-tar", ".tar.zst": "application/x-tar+zstd"} {
		if strings.HasSuffix(name, end) {
			return t
		}
	}
	return "application/octet-stream"
}

// manifestOf is the manifest of files. The same files and facts give the same bytes.
func manifestOf(facts Facts, files []File) ([]byte, error) {
	layers := make([]ocispec.Descriptor, 0, len(files))
	notes := map[string]string{annotationMode: facts.Mode}
	if facts.Commit != "" {
		notes[annotationCommit] = facts.Commit
	}
	if facts.Base != "" {
		notes[annotationBase] = facts.Base
	}
	for _, f := range files {
		layers = append(layers, ocispec.Descriptor{MediaType: mediaType(f.Name), Digest: digest.NewDigestFromEncoded(digest.SHA256, f.SHA256), Size: f.Size,
			Annotations: map[string]string{ocispec.AnnotationTitle: f.Name}})
		if f.Name == RecordName {
			notes[annotationRecord] = f.SHA256
		}
	}
	slices.SortFunc(layers, func(a, b ocispec.Descriptor) int {
		return strings.Compare(a.Annotations[ocispec.AnnotationTitle], b.Annotations[ocispec.AnnotationTitle])
	})
	return json.Marshal(ocispec.Manifest{Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageManifest,
		ArtifactType: ArtifactType, Config: ocispec.DescriptorEmptyJSON, Layers: layers, Annotations: notes})
}

// Push has the registry keep files as one artifact under tags, and returns its digest. It
// sends what the registry lacks. Tags are moved at the end, in their order, each to the
// whole artifact: where anything before that fails none has moved, and where a tag cannot be
// moved those that named another artifact before are put back to it. The last tag is so the
// one that tells that a push is done.
func (c *Client) Push(ctx context.Context, facts Facts, files []File, tags []string) (string, error) {
	manifest, err := manifestOf(facts, files)
	if err != nil {
		return "", err
	}
	if len(manifest) > MaxManifest {
		return "", fmt.Errorf("a manifest of %d bytes is more than registries take", len(manifest))
	}
	desc := content.NewDescriptorFromBytes(ocispec.MediaTypeImageManifest, manifest)
	missing, before := make([]string, 0, len(tags)), map[string]digest.Digest{}
	for _, tag := range tags {
		there, err := c.repo.Manifests().Resolve(ctx, tag)
		if err = told(err); err != nil && !errors.Is(err, ErrNotFound) {
			return "", fmt.Errorf("asking for the tag %q: %w", tag, err)
		}
		if err != nil || there.Digest != desc.Digest {
			missing = append(missing, tag)
			before[tag] = there.Digest
		}
	}
	if len(missing) == 0 {
		return desc.Digest.String(), nil
	}
	empty := File{Name: "the configuration", Size: ocispec.DescriptorEmptyJSON.Size, SHA256: ocispec.DescriptorEmptyJSON.Digest.Encoded(),
		Open: func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(ocispec.DescriptorEmptyJSON.Data)), nil
		}}
	done := map[string]bool{}
	for _, f := range append([]File{empty}, files...) {
		if done[f.SHA256] {
			continue
		}
		done[f.SHA256] = true
		if err := c.send(ctx, f); err != nil {
			return "", fmt.Errorf("sending %s: %w", f.Name, err)
		}
	}
	// By its digest first: what a registry does not take is not taken under a tag either.
	if err := c.putManifest(ctx, desc, manifest, desc.Digest.String()); err != nil {
		return "", err
	}
	for i, tag := range missing {
		if err := c.putManifest(ctx, desc, manifest, tag); err != nil {
			// Nobody knows whether this one was moved where an answer was lost.
			c.putBack(ctx, missing[:i+1], before)
			return "", err
		}
	}
	return desc.Digest.String(), nil
}

func (c *Client) putManifest(ctx context.Context, desc ocispec.Descriptor, manifest []byte, reference string) error {
	if err := told(c.repo.Manifests().PushReference(ctx, desc, bytes.NewReader(manifest), reference)); err != nil {
		return fmt.Errorf("writing the manifest as %q: %w", reference, err)
	}
	return nil
}

// maxPutBack is how long tags are put back for, in all, also where the run was ended.
const maxPutBack = 4 * time.Second

// putBack has tags name what they did before, the last first. What cannot be put back
// stays: it names a whole artifact too.
func (c *Client) putBack(ctx context.Context, tags []string, before map[string]digest.Digest) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxPutBack)
	defer cancel()
	for _, tag := range slices.Backward(tags) {
		was := before[tag]
		if was == "" {
			continue // a registry need not let a tag be taken away
		}
		if now, err := c.repo.Manifests().Resolve(ctx, tag); err == nil && now.Digest == was {
			continue
		}
		desc, body, err := c.repo.Manifests().FetchReference(ctx, was.String())
		if err != nil {
			continue
		}
		raw, err := content.ReadAll(body, desc)
		if err = errors.Join(err, body.Close()); err == nil {
			_ = c.repo.Manifests().PushReference(ctx, desc, bytes.NewReader(raw), tag)
		}
	}
}

// send uploads one file that the registry lacks.
func (c *Client) send(ctx context.Context, f File) error {
	desc := ocispec.Descriptor{MediaType: "application/octet-stream", Digest: digest.NewDigestFromEncoded(digest.SHA256, f.SHA256), Size: f.Size}
	there, err := c.repo.Blobs().Exists(ctx, desc)
	if err != nil {
		return told(err)
	}
	if there {
		return nil
	}
	body, err := f.Open()
	if err != nil {
		return err
	}
	defer body.Close()
	return told(c.repo.Blobs().Push(ctx, desc, io.NopCloser(body)))
}

// Has reports whether the registry has a tag, by one request, and its digest.
func (c *Client) Has(ctx context.Context, tag string) (string, bool, error) {
	desc, err := c.repo.Manifests().Resolve(ctx, tag)
	if err = told(err); errors.Is(err, ErrNotFound) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	return desc.Digest.String(), true, nil
}

// Commit is the commit of what a tag names, by one request: "" where there is no such tag,
// or it names no artifact of this program.
func (c *Client) Commit(ctx context.Context, tag string) (string, error) {
	desc, body, err := c.repo.Manifests().FetchReference(ctx, tag)
	if err = told(err); errors.Is(err, ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer body.Close()
	if desc.Size > MaxManifest {
		return "", nil
	}
	raw, err := content.ReadAll(body, desc)
	if err != nil {
		return "", fmt.Errorf("reading the manifest: %w", err)
	}
	a, err := parse(raw)
	if err != nil {
		return "", nil
	}
	return a.Commit, nil
}

// Find reads the artifact of a tag or digest: its manifest, and no file. What a tag names
// meanwhile changes nothing: all that follows goes by digests. An error is ErrNotFound
// where there is none.
func (c *Client) Find(ctx context.Context, reference string) (*Artifact, error) {
	desc, err := c.repo.Manifests().Resolve(ctx, reference)
	if err != nil {
		return nil, told(err)
	}
	if desc.Size > MaxManifest {
		return nil, fmt.Errorf("its manifest has %d bytes, and at most %d are read", desc.Size, int64(MaxManifest))
	}
	if desc.Digest.Algorithm() != digest.SHA256 || desc.Digest.Validate() != nil {
		return nil, fmt.Errorf("its digest %.80q is no sha256", desc.Digest)
	}
	body, err := c.repo.Manifests().Fetch(ctx, desc)
	if err != nil {
		return nil, told(err)
	}
	defer body.Close()
	raw, err := content.ReadAll(body, desc)
	if err != nil {
		return nil, fmt.Errorf("reading the manifest: %w", err)
	}
	a, err := parse(raw)
	if err != nil {
		return nil, fmt.Errorf("it is no artifact of this program: %w", err)
	}
	a.Digest = desc.Digest.String()
	return a, nil
}

// parse reads a manifest of anybody's making.
func parse(raw []byte) (*Artifact, error) {
	var m ocispec.Manifest
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, errors.New("its manifest is not one")
	}
	if m.ArtifactType != ArtifactType {
		return nil, fmt.Errorf("its type is %.80q, and %s is wanted", m.ArtifactType, ArtifactType)
	}
	if len(m.Layers) > maxFiles {
		return nil, fmt.Errorf("it has %d files, and at most %d are read", len(m.Layers), maxFiles)
	}
	a := &Artifact{Facts: Facts{Commit: m.Annotations[annotationCommit], Base: m.Annotations[annotationBase], Mode: m.Annotations[annotationMode]}}
	for _, id := range []string{a.Commit, a.Base} {
		if id != "" && !commitID.MatchString(id) {
			return nil, fmt.Errorf("it names a commit %.60q", id)
		}
	}
	if !modeName.MatchString(a.Mode) {
		return nil, fmt.Errorf("it names a mode %.60q", a.Mode)
	}
	seen, total := map[string]bool{}, int64(0)
	for _, l := range m.Layers {
		name := l.Annotations[ocispec.AnnotationTitle]
		switch folded := strings.ToLower(name); {
		case !plainTag.MatchString(name) || len(name) > 100 || !filepath.IsLocal(name):
			return nil, fmt.Errorf("it has a file called %.100q", name)
		case seen[folded]:
			return nil, fmt.Errorf("it has two files called %q", name)
		default:
			seen[folded] = true
		}
		if l.Digest.Validate() != nil || l.Digest.Algorithm() != digest.SHA256 || l.Size < 0 || l.Size > MaxFile {
			return nil, fmt.Errorf("the digest or the size of its file %q is not allowed", name)
		}
		if total += l.Size; total > MaxArtifact {
			return nil, fmt.Errorf("its files have more than %d bytes", int64(MaxArtifact))
		}
		if name == RecordName && l.Digest.Encoded() != m.Annotations[annotationRecord] {
			return nil, fmt.Errorf("its %s is not the one that it names", RecordName)
		}
		a.Files = append(a.Files, Member{name, l.Size, l.Digest.Encoded()})
	}
	if !seen[RecordName] {
		return nil, fmt.Errorf("it has no %s", RecordName)
	}
	return a, nil
}

// Read writes one file's bytes to w. They are the file's only where there is no error: w
// has to keep them apart until then.
func (c *Client) Read(ctx context.Context, f Member, w io.Writer) error {
	desc := ocispec.Descriptor{MediaType: "application/octet-stream", Digest: digest.NewDigestFromEncoded(digest.SHA256, f.SHA256), Size: f.Size}
	body, err := c.repo.Blobs().Fetch(ctx, desc)
	if err != nil {
		return told(err)
	}
	defer body.Close()
	checked := content.NewVerifyReader(body, desc)
	if _, err := io.Copy(w, checked); err != nil {
		return told(err)
	}
	if err := checked.Verify(); err != nil {
		return fmt.Errorf("the registry sent other bytes than those of the digest: %w", err)
	}
	return nil
}
