package scan

import (
	"iter"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Bounds of what Generated reads.
const (
	// maxKustomization is the size in bytes above which a manifest names nothing.
	maxKustomization = 256 << 10
	// maxKustomizations bounds the manifests that are read, in the order of their paths.
	maxKustomizations = 5_000
)

// Generated returns, by path, the files that Kustomize makes a Secret of, each with the
// rule that says so: what secretGenerator names under env, envs and files, in those of
// the paths that are manifests of Kustomize. A manifest that cannot be read as YAML
// names nothing, nor does one of the names lead out of the root.
//
// https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/secretgenerator/
func Generated(root *tree.Root, paths iter.Seq[string]) map[string]string {
	var manifests []string
	for name := range paths {
		if IsKustomization(name) {
			manifests = append(manifests, name)
		}
	}
	slices.SortFunc(manifests, tree.Compare)
	var out map[string]string
	for _, name := range manifests[:min(len(manifests), maxKustomizations)] {
		raw, err := root.ReadFile(name, maxKustomization)
		if err != nil {
			continue
		}
		for _, at := range generatedBy(raw) {
			if at = path.Join(path.Dir(name), at); !tree.Valid(at) || at == "." {
				continue
			}
			if out == nil {
				out = map[string]string{}
			}
			if out[at] == "" {
				out[at] = "secretGenerator in " + name
			}
		}
	}
	return out
}

// IsKustomization reports whether a path is called as Kustomize's manifests are.
func IsKustomization(name string) bool {
	switch path.Base(name) {
	case "kustomization.yaml", "kustomization.yml", "Kustomization":
		return true
	}
	return false
}

// generatedBy returns the paths that a manifest makes a Secret of, as it writes them.
func generatedBy(raw []byte) []string {
	var manifest struct {
		SecretGenerator []struct {
			Env         string
			Envs, Files []string
		} `yaml:"secretGenerator"`
	}
	// What has another type than it should is passed over; the rest counts.
	_ = yaml.Unmarshal(raw, &manifest)
	var out []string
	for _, g := range manifest.SecretGenerator {
		out = append(out, g.Env)
		out = append(out, g.Envs...)
		for _, f := range g.Files {
			if _, at, named := strings.Cut(f, "="); named { // key=path
				f = at
			}
			out = append(out, f)
		}
	}
	return slices.DeleteFunc(out, func(at string) bool { return at == "" || path.IsAbs(at) })
}

// Store says what a file that is read to learn is there for.
type Store int

const (
	// NoStore: its credentials are the exception.
	NoStore Store = iota
	// NamedStore: its name is one of credentials. Short values count, too.
	NamedStore
	// WholeStore: it is a secret as a whole; each of its settings is one.
	WholeStore
)

// StoreOf says what a file of this name is there for.
func (r Rules) StoreOf(name string) Store {
	if r.Generated[name] != "" {
		return WholeStore
	}
	if tier, _ := secret.Name(name); tier == secret.Exact {
		return NamedStore
	}
	return NoStore
}
