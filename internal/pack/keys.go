package pack

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/project"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/source"
)

// Bounds of the choice of key files, beside those of the scan.
const (
	maxKeyBuild  = 3   // workflows tell little
	maxKeyRoutes = 3   // files that register routes and are not called so
	maxKeyUsed   = 5   // files that most of the others import
	maxKeyProofs = 200 // files that are read to see whether their name is right
	tinyEntry    = 200 // bytes of an entry point that only leads to another
)

// markKeys marks the key files of the facts' snapshot: those that the scan knows by name where their content bears
// the name out, the ways in, what registers routes, and what most of the other files import. edges are those of the
// Source.
func markKeys(f *project.Facts, edges map[string][]string, texts *source.Texts) error {
	files := f.Snapshot.Files
	in := importersOf(f, edges)
	ways := map[string]bool{}
	for _, p := range f.EntryPoints() {
		ways[p] = true
	}
	byKind := map[string][]*scan.File{}
	proofs := 0
	used := []*scan.File{}
	for i := range files {
		file := &files[i]
		file.Key = nil
		if file.Size == 0 || !file.Extractable() {
			continue
		}
		k := scan.KeyFile(file.Path)
		if k != nil && k.Kind != scan.KindEntrypoint && named[k.Kind] != nil {
			ok, read, err := bornOut(file, k.Kind, proofs < maxKeyProofs, texts)
			if err != nil {
				return err
			}
			if read {
				proofs++
			}
			if !ok {
				k = nil
			}
		}
		if ways[file.Path] && !project.Beside(file.Path) && (k == nil || k.Kind != scan.KindConfig) {
			k = &scan.Key{Kind: scan.KindEntrypoint, Importance: scan.Critical}
		}
		if k != nil {
			file.Key = k
			byKind[k.Kind] = append(byKind[k.Kind], file)
		} else if len(in[file.Path]) >= muchUsed && source.IsProgram(file) {
			used = append(used, file)
		}
	}
	var chosen []*scan.File
	for _, kind := range slices.Sorted(maps.Keys(byKind)) {
		list := byKind[kind]
		most := scan.MaxKeyPerKind
		switch kind {
		case scan.KindEntrypoint:
			score := entryScore(f)
			slices.SortFunc(list, func(a, b *scan.File) int {
				return cmp.Or(
					cmp.Compare(score(b), score(a)),
					cmp.Compare(len(in[b.Path]), len(in[a.Path])),
					scan.CompareKeys(a, b),
				)
			})
		case scan.KindBuild:
			slices.SortFunc(list, func(a, b *scan.File) int {
				return cmp.Or(cmp.Compare(buildTurn(a.Path), buildTurn(b.Path)), scan.CompareKeys(a, b))
			})
			most = maxKeyBuild
		default:
			slices.SortFunc(list, scan.CompareKeys)
		}
		for i, file := range list {
			if i < most {
				chosen = append(chosen, file)
			} else {
				file.Key = nil
			}
		}
	}
	slices.SortFunc(used, func(a, b *scan.File) int {
		return cmp.Or(cmp.Compare(len(in[b.Path]), len(in[a.Path])), cmp.Compare(a.Path, b.Path))
	})
	for _, file := range used[:min(len(used), maxKeyUsed)] {
		file.Key = &scan.Key{Kind: scan.KindAPI, Importance: scan.High} // what others build upon
		chosen = append(chosen, file)
	}
	slices.SortFunc(chosen, scan.CompareKeys)
	for i, file := range chosen {
		if i >= scan.MaxKeyFiles {
			file.Key = nil
		}
	}
	return nil
}

// markRoutes marks the files that register most routes.
func markRoutes(f *project.Facts, reports []*source.Report) {
	var list []*source.Report
	keys := 0
	for i := range f.Snapshot.Files {
		if f.Snapshot.Files[i].Key != nil {
			keys++
		}
	}
	for _, r := range reports {
		if len(r.Routes) > 0 && r.File.Key == nil {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b *source.Report) int { return cmp.Compare(len(b.Routes), len(a.Routes)) })
	for _, r := range list[:min(len(list), maxKeyRoutes, scan.MaxKeyFiles-min(keys, scan.MaxKeyFiles))] {
		r.File.Key = &scan.Key{Kind: scan.KindAPI, Importance: scan.High}
	}
}

// buildTurn orders files that build: those of the project before workflows, and of either those that run tests first.
func buildTurn(name string) int {
	turn := 0
	if strings.HasPrefix(name, ".github/") {
		turn += 2
	}
	if !runsTests(name) {
		turn++
	}
	return turn
}

func runsTests(name string) bool {
	base := strings.ToLower(path.Base(name))
	return strings.HasPrefix(base, "ci") || strings.HasPrefix(base, "test") || strings.HasPrefix(base, "build") || strings.HasPrefix(base, "main")
}

// entryScore tells how much a newcomer learns from an entry point.
func entryScore(f *project.Facts) func(*scan.File) int {
	declared := f.Declared()
	names := map[string]bool{}
	for _, n := range f.GoesBy() {
		names[strings.ToLower(path.Base(n))] = true
	}
	flag := f.Flagship()
	return func(file *scan.File) int {
		n := 0
		if file.Size < tinyEntry {
			n -= 9 // it only leads to another
		}
		if dir := "/" + path.Dir(file.Path) + "/"; strings.Contains(dir, "/src/") || strings.Contains(dir, "/cmd/") {
			n++
		}
		if declared[file.Path] {
			n += 2
		}
		base := strings.ToLower(path.Base(file.Path))
		if names[strings.TrimSuffix(base, path.Ext(base))] || names[path.Base(strings.ToLower(source.DirOf(file.Path)))] {
			n += 2
		}
		if flag != nil && project.Under(file.Path, flag.Dir) {
			n += 2
		}
		if p := f.ProjectOf(file.Path); p != nil && p.Private && p.Dir != "" {
			n -= 3
		}
		if strings.Contains("/"+file.Path, "/internal/") || project.Beside(file.Path) {
			n -= 3
		}
		if isErrand(file.Path) {
			n -= 2
		}
		return n
	}
}

// errandFolders hold what those run who work on a program, as opposed to what it is.
var errandFolders = language.WordSet("dev script scripts tool tools infra ci contrib testutil testutils")

// isErrand reports whether a way in is none of those that the program has for its users: a script of a shell, or what stands in a folder of
// such. Where all are, they count alike.
func isErrand(name string) bool {
	if l := language.Of(name); l != nil && (l.Name == "Shell" || l.Name == "PowerShell" || l.Name == "Batch") {
		return true
	}
	return slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(dir string) bool { return errandFolders[strings.ToLower(dir)] })
}

// named are the kinds whose files are known by a word of their name, and what bears it
// out: a folder that such files stand in, or something in their content.
var named = map[string]*struct{ folder, content *lazyregexp.Regexp }{
	scan.KindDatabase: {
		lazyregexp.New(`(?i)(?:^|/)(?:models?|db|database|migrations?|entities|dao|repositories|prisma|sql|orm)/`),
		lazyregexp.New(`(?i)\bselect\s+[\w*,\s]+\sfrom\s|\bcreate\s+(?:table|index)\b|\binsert\s+into\b|\b(?:sequelize|mongoose|typeorm|prisma|drizzle-orm|sqlalchemy|gorm|knex|sqlite3?|postgres(?:ql)?|mysql|mongodb)\b|\bdjango\.db\b|database/sql|ActiveRecord|\bjavax?\.persistence\b`),
	},
	scan.KindAPI: {
		lazyregexp.New(`(?i)(?:^|/)(?:routes?|routers?|controllers?|handlers?|apis?|endpoints?)/|(?:^|/)(?:apis?|routes?|routers?|urls|endpoints?)\.\w+$`),
		lazyregexp.New(`(?i)\b(?:app|router|server|api|mux|fastify|blueprint)\.(?:get|post|put|patch|delete|route|handle(?:func)?|use)\(|http\.ResponseWriter|\bNextApiRequest\b|@(?:Get|Post|Put|Delete|Request)Mapping|@Controller\b|\bHttpResponse\b|\bAPIRouter\b|\bfetch\(|\bgrpc\.Server`),
	},
	scan.KindSecurity: {
		lazyregexp.New(`(?i)(?:^|/)(?:security|permissions?|rbac|acl|policies)/`),
		lazyregexp.New(`(?i)\b(?:permissions?|privileges?|access control|authoriz\w+|rbac|acls?|allowed roles?|security)\b`),
	},
	scan.KindAuth: {
		lazyregexp.New(`(?i)(?:^|/)(?:auth\w*|login|sessions?|oauth|identity)/`),
		lazyregexp.New(`(?i)\b(?:auth\w*|log.?in|cookies?|passwords?|credentials?|tokens?|jwt|oauth|sso|saml)\b`),
	},
}

// bornOut reports whether a file is what its name says. It reads it where the folder
// does not tell, if it may; a name that cannot be proved is not believed.
func bornOut(file *scan.File, kind string, may bool, texts *source.Texts) (ok, read bool, err error) {
	proof := named[kind]
	if proof.folder.MatchString(file.Path) && kind != scan.KindSecurity && kind != scan.KindAuth {
		return true, false, nil
	}
	if !may || file.Size > project.MaxManifestBytes {
		return false, false, nil
	}
	b, _, err := texts.Read(file)
	if err != nil {
		return false, true, err
	}
	return proof.content.Match(b), true, nil
}
