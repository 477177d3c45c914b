package scan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
)

// Limits of the key file detector: files of one kind, files in all, and bytes of
// one file. Content beyond MaxKeyBytes is cut by the pack, not a reason to pass a
// file over.
const (
	MaxKeyPerKind = 5
	MaxKeyFiles   = 25
	MaxKeyBytes   = 50_000
)

// Kinds and importances of key files, each in descending order.
const (
	KindConfig        = "config"
	KindEntrypoint    = "entrypoint"
	KindAuth          = "auth"
	KindAPI           = "api"
	KindDatabase      = "database"
	KindSecurity      = "security"
	KindDocumentation = "documentation"
	KindBuild         = "build"

	Critical = "critical"
	High     = "high"
	Medium   = "medium"
)

var (
	kinds       = []string{KindConfig, KindEntrypoint, KindAuth, KindAPI, KindDatabase, KindSecurity, KindDocumentation, KindBuild}
	importances = []string{Critical, High, Medium}
)

// exampleFolders hold files that show or feed the project without being it.
var exampleFolders = language.WordSet("example examples sample samples demo demos playground playgrounds template templates fixture fixtures testdata benchmark benchmarks" +
	" third_party third-party external hack")

// isTemplate: folders such as template-vue hold what a generator copies.
func isTemplate(folder string) bool { return strings.HasPrefix(folder, "template-") }

// KeyFile tells whether a path is a candidate for a key file: one of the files
// that a newcomer reads first. Nil when it is not.
//
// Critical are the manifests and compiler settings at the root (config) and
// the entry points; high are auth, api, database and security, told by words of
// the base name of source files. Medium explains without being the project's
// heart: manifests of a part, that is below the root; the root's README
// (documentation); and what builds it (build), at the root or as a workflow.
// Tests, examples, documents, dependencies and build outputs are never key.
func KeyFile(path string) *Key {
	n := newName(path)
	if n.belowTests() || n.below(exampleFolders) || slices.ContainsFunc(n.folders, isTemplate) || n.below(dependencyFolders) || n.below(outputFolders) || n.below(docFolders) {
		return nil
	}
	if n.isManifest() {
		if len(n.folders) > 0 {
			return &Key{KindConfig, Medium}
		}
		return &Key{KindConfig, Critical}
	}
	if n.test {
		return nil
	}
	root := len(n.folders) == 0
	switch {
	case root && n.stem == "readme":
		return &Key{KindDocumentation, Medium}
	case n.isBuild() && (root || n.isWorkflow()):
		return &Key{KindBuild, Medium}
	case n.isConfig() || n.isDocument():
		return nil
	case n.isEntrypoint():
		return &Key{KindEntrypoint, Critical}
	case !n.code:
		return nil
	case n.has(authWords):
		return &Key{KindAuth, High}
	case n.has(apiWords):
		return &Key{KindAPI, High}
	case n.hasDatabase():
		return &Key{KindDatabase, High}
	case n.has(securityWords):
		return &Key{KindSecurity, High}
	}
	return nil
}

// MarkKeyFiles sets Key on the files that the detector chooses: the first
// MaxKeyPerKind of each kind, and of these the first MaxKeyFiles, in the order
// of CompareKeys. Files without content, and those a pack cannot hold, are
// passed over. Marks from before are cleared.
func MarkKeyFiles(files []File) {
	perKind := map[string][]*File{}
	for i := range files {
		f := &files[i]
		f.Key = nil
		if f.Size == 0 || !f.Extractable() {
			continue
		}
		if k := KeyFile(f.Path); k != nil {
			f.Key = k
			perKind[k.Kind] = append(perKind[k.Kind], f)
		}
	}
	var chosen []*File
	for _, list := range perKind {
		slices.SortFunc(list, CompareKeys)
		for i, f := range list {
			if i < MaxKeyPerKind {
				chosen = append(chosen, f)
			} else {
				f.Key = nil
			}
		}
	}
	slices.SortFunc(chosen, CompareKeys)
	for i, f := range chosen {
		if i >= MaxKeyFiles {
			f.Key = nil
		}
	}
}

// CompareKeys orders key files: by importance, then kind, then the smaller
// first, then the shallower, then by path. Both must have a Key.
func CompareKeys(a, b *File) int {
	return cmp.Or(
		cmp.Compare(slices.Index(importances, a.Key.Importance), slices.Index(importances, b.Key.Importance)),
		cmp.Compare(slices.Index(kinds, a.Key.Kind), slices.Index(kinds, b.Key.Kind)),
		cmp.Compare(a.Size, b.Size),
		cmp.Compare(depth(a.Path), depth(b.Path)),
		cmp.Compare(a.Path, b.Path),
	)
}

func depth(p string) int {
	n := 0
	for i := range len(p) {
		if p[i] == '/' {
			n++
		}
	}
	return n
}
