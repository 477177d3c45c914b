package job

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/artifact"
	"github.com/haversack-dev/haversack/internal/brief"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/object"
	"github.com/haversack-dev/haversack/internal/pack"
	"github.com/haversack-dev/haversack/internal/registry"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
)

// Inputs is what a user asked for, parsed. After ParseInputs no value is out of
// its bounds. Each part is for one room.
type Inputs struct {
	Scope
	Choice
	Delivery

	// What one run may cost.
	LimitMemoryBytes int64
	LimitSeconds     int64

	// CACertificates is a file, as given: authorities that are trusted beside the system's.
	CACertificates string

	Origins
}

// Scope says what is looked at: which repository, which files of it, against which base.
type Scope struct {
	Path       string // folder to pack, as given
	Repository string // owner/name or an address; "" is what the workspace holds
	Ref        string // revision to pack instead of what is checked out
	Token      string
	Base       string // BaseAuto, BaseNone, BaseSaved, BaseSession, or a revision
	// RegistryConfig is docker's configuration with the credentials of registries, as
	// given; "" means docker's own place for it.
	RegistryConfig string
	// ArtifactName is that of this run's artifact, and of the earlier ones that a base is
	// taken from.
	ArtifactName string
	Stan         string // the engine's folder, relative to the root, "/"-separated
	OutputDir    string // as given; "" means <stan-path>/output

	Untracked bool
	Include   scan.Patterns
	Exclude   scan.Patterns
	// Only are the files that documents and packs are of; OnlyRead says that their list is on standard input, and to be read.
	Only     scan.NameList
	OnlyRead bool
	// Levels say how much of files a document shows.
	Levels brief.Levels
	Strict bool // a line of a list that matches nothing is an error
	// Common are the inputs whose lists are an organisation's: a line of them is for another
	// repository where it matches nothing.
	Common         []string
	Literal        bool // rules: literal
	ExternalRoots  []string
	LimitFileBytes int64

	Secrets      scan.Policy
	SecretsLevel secret.Level
}

// Choice says what is taken of it into archives and packs.
type Choice struct {
	Mode            Mode
	NoGraph         bool // graph: off
	Fill            Fill
	ChangedDepth    int // -1: changed files are no seeds of a closure
	DependentsDepth int
	History         int // commits
	// Task is what is to be done, in words, and TaskFile where that stands, as given.
	Task, TaskFile string
	// Beside is a task that is asked beside a change, in words: a second query, that weighs less.
	Beside       string
	Map          MapDetail
	BudgetTokens *int // nil: by what is packed; 0: no limit
	PartTokens   int  // 0: no parts
	LineNumbers  bool

	Pack       Pack
	PackFormat pack.Format
	Limits     pack.Constraints
}

// Delivery says where results go, and what is kept of the run.
type Delivery struct {
	Upload    When
	Retention int // days; 0 = the repository's
	Overwrite bool
	// Raw is the result that is uploaded as it is, too: one of the input's choices, "" for none.
	Raw  string
	Zstd bool
	// Push is where in a registry the results go; nil for nowhere.
	Push  *registry.Address
	Level int // of the artifact's zip, 0 to artifact.MaxLevel

	UpdateSaved Saving
	Session     string // SessionOff, SessionAuto, or an id
	Store       string // a file or an address; "" is the default file
	// StoreContent: contents are stored, and not only their hashes. StoreLimit bounds those in a
	// file, in bytes as they are stored.
	StoreContent bool
	StoreLimit   int64
	// Mounts say what the assistant sees where, and FilesystemID names the file system of the
	// repository's files in a store; "" is this machine's, in a workflow the repository's.
	Mounts       []object.Mount
	FilesystemID string

	Comment    When
	CommentKey string
}

// Input is one declaration. action.yml, the flags, the README's table and
// --help are checked against the list of these by a test.
type Input struct {
	Name string // as action.yml and the flags have it
	// Shared inputs may stand in a file of defaults: what is taken, how much of it, and in
	// which form. What reaches the world, spends, or decides on credentials never is one.
	Shared bool
	// Default is what holds where nothing else says; empty where it depends on the place,
	// which Shown then says. Of the defaults action.yml has the expressions alone: a runner
	// hands on an empty value for what is not given, and a file may say otherwise.
	Default, Shown string
	Help           string
	Group          Group
	// Value is what stands for the value in help, such as FILE; empty for a Toggle, and
	// where Choices say it.
	Value string
	// Choices are the words that are allowed; of an Open input they are those that mean
	// something of their own, and other values are allowed too.
	Choices []string
	Open    bool
	// Unit is what a number counts; it may stand behind the number.
	Unit Unit
	// Toggle: the flag may stand without a value.
	Toggle bool
	// List: one item a line; the flag may stand several times.
	List  bool
	parse func(in *Inputs, v string) error
}

// Filled is the default that a runner fills in, an expression of action.yml; "" for none.
func (d *Input) Filled() string {
	if strings.HasPrefix(d.Default, "${{") {
		return d.Default
	}
	return ""
}

// Group says what an input is about: a heading of help.
type Group string

// The groups of inputs, in the order of help.
const (
	GroupPlace    Group = "What is packed"
	GroupFiles    Group = "Which files of it"
	GroupChange   Group = "The change, or the task"
	GroupContext  Group = "The archive and context.md"
	GroupPack     Group = "The context pack"
	GroupSecrets  Group = "Credentials"
	GroupThread   Group = "The assistant's thread"
	GroupDelivery Group = "Where results go"
	GroupLimits   Group = "What a run may cost"
)

// Groups lists them in the order of help.
var Groups = []Group{GroupPlace, GroupChange, GroupContext, GroupPack, GroupFiles, GroupSecrets, GroupThread, GroupDelivery, GroupLimits}

// InputTable lists every input in the order of the documentation.
var InputTable = []Input{
	{Name: "path", Group: GroupPlace, Value: "FOLDER", Shown: "the workspace; `.` on a desk",
		Help:  "Folder to pack. A folder inside a repository limits the selection; paths stay relative to the repository.",
		parse: func(in *Inputs, v string) error { in.Path = v; return nil }},
	{Name: "repository", Group: GroupPlace, Value: "NAME", Shown: "this one",
		Help:  "Repository to pack, `owner/name` or an address: cloned, one commit deep, when the workspace does not hold it.",
		parse: func(in *Inputs, v string) error { in.Repository = v; return nil }},
	{Name: "ref", Group: GroupPlace, Value: "REVISION", Shown: "what is checked out",
		Help:  "Revision whose commit is packed, from the repository's objects instead of the worktree.",
		parse: func(in *Inputs, v string) error { in.Ref = v; return nil }},
	{Name: "token", Group: GroupPlace, Value: "TOKEN", Default: "${{ github.token }}",
		Help:  "Token for fetching the base commit. Used only with this server, never written anywhere.",
		parse: func(in *Inputs, v string) error { in.Token = v; return nil }},
	{Name: "untracked", Shared: true, Group: GroupFiles, Shown: "`false` in a workflow, `true` on a desk", Toggle: true,
		Help:  "Also pack files that git does not track and nothing ignores.",
		parse: func(in *Inputs, v string) error { return boolean(&in.Untracked, v) }},
	{Name: "mode", Shared: true, Group: GroupContext, Choices: []string{"auto", "full", "context", "meta"}, Default: "auto",
		Help: "What archive.tar holds: `full`, every file; `context`, what `dependency.state.json` asks for and what the change needs; " +
			"`meta`, the map for the start of a thread; `auto`, context on pull requests, in merge groups and where the state file is present, else full.",
		parse: func(in *Inputs, v string) error { in.Mode = Mode(v); return nil }},
	{Name: "include", Shared: true, Group: GroupFiles, Value: "GLOB", Shown: "–", List: true,
		Help: "Globs, or plain names as path prefixes, one a line: taken although an ignore file or a default rule leaves them out.",
		parse: func(in *Inputs, v string) (err error) {
			in.Include, err = scan.ParsePatterns(strings.Split(v, "\n"))
			return err
		}},
	{Name: "exclude", Shared: true, Group: GroupFiles, Value: "GLOB", Shown: "–", List: true,
		Help: "Globs, or plain names as path prefixes, one a line: left out, whatever else asks for them.",
		parse: func(in *Inputs, v string) (err error) {
			in.Exclude, err = scan.ParsePatterns(strings.Split(v, "\n"))
			return err
		}},
	{Name: "include-only", Shared: true, Group: GroupFiles, Value: "GLOB", Shown: "–", List: true,
		Help: "Globs, or plain names as path prefixes, one a line, or `-` for a list on standard input: context.md and the packs are of these files alone; archives hold what they would.",
		parse: func(in *Inputs, v string) (err error) {
			if in.OnlyRead = v == "-"; in.OnlyRead {
				return nil
			}
			in.Only, err = scan.ParseNamed(strings.Split(v, "\n"))
			return err
		}},
	{Name: "levels", Shared: true, Group: GroupContext, Value: "GLOB=LEVEL", Shown: "–", List: true,
		Help: "How much context.md shows of files, whatever their rank: `glob=level`, one a line, of which the last that matches decides; `whole`, `blocks` (definitions with their bodies), `outline` (signatures), `listed` (the path), `out`.",
		parse: func(in *Inputs, v string) (err error) {
			in.Levels, err = brief.ParseLevels(strings.Split(v, "\n"))
			return err
		}},
	{Name: "strict-patterns", Shared: true, Group: GroupFiles, Default: "false", Toggle: true,
		Help:  "A line of `include`, `exclude`, `include-only`, `levels` or `external-roots` that matches no path is an error instead of a warning.",
		parse: func(in *Inputs, v string) error { return boolean(&in.Strict, v) }},
	{Name: "rules", Shared: true, Group: GroupFiles, Choices: []string{"smart", "literal"}, Default: "smart",
		Help: "Default exclusion rules: `smart`, or `literal` for the plain table of patterns at any depth.",
		parse: func(in *Inputs, v string) error {
			in.Literal = v == "literal"
			return nil
		}},
	{Name: "stan-path", Group: GroupPlace, Value: "FOLDER", Default: ".stan",
		Help:  "The engine's folder, relative to the repository.",
		parse: func(in *Inputs, v string) (err error) { in.Stan, err = inside(v); return err }},
	{Name: "output-dir", Group: GroupDelivery, Value: "FOLDER", Shown: "`<stan-path>/output`",
		Help:  "Folder for the results, in the workspace or in the runner's temporary folder (`runner.temp`).",
		parse: func(in *Inputs, v string) error { in.OutputDir = v; return nil }},
	{Name: "base", Group: GroupChange, Value: "REVISION", Choices: []string{"auto", "none", "saved", "session"}, Open: true, Default: "auto",
		Help: "What the change is measured against: `auto`, `none`, `saved` (the snapshot file of an earlier run), `session` (what this thread was handed last), a branch (where the head left it, as with `main...HEAD`), any other revision (that commit, as with `main..HEAD`), or `oci://host/name[:tag]` (the commit of what was pushed there last; as `auto` where nothing was).",
		parse: func(in *Inputs, v string) error {
			in.Base = v
			if strings.HasPrefix(v, registry.Scheme) {
				_, err := registry.ParseAddress(v)
				return err
			}
			if strings.ContainsAny(v, "\n\x00") {
				return errors.New("a revision is one line")
			}
			return nil
		}},
	{Name: "update-saved", Group: GroupChange, Choices: []string{"never", "create", "replace"}, Default: "create",
		Help:  "With `base: saved`, when the snapshot file is written: `never`, `create` (if there is none) or `replace`.",
		parse: func(in *Inputs, v string) error { in.UpdateSaved = Saving(v); return nil }},
	{Name: "graph", Shared: true, Group: GroupContext, Choices: []string{"auto", "off"}, Default: "auto",
		Help:  "The import graph: `auto`, built where it is needed; `off`.",
		parse: func(in *Inputs, v string) error { in.NoGraph = v == "off"; return nil }},
	{Name: "fill", Shared: true, Group: GroupContext, Choices: []string{"auto", "rank", "none"}, Default: "auto",
		Help: "In context mode, what fills the budget: `rank`, the files that the change needs, in order; `none`, what the state asks for and no more; " +
			"`auto`, rank on pull requests, in merge groups, and where neither a state file nor `base: saved` says otherwise.",
		parse: func(in *Inputs, v string) error { in.Fill = Fill(v); return nil }},
	{Name: "changed-depth", Shared: true, Group: GroupContext, Value: "N", Unit: Count, Default: "-1",
		Help:  "In context mode, how many edges to follow from changed files to what they need, whatever their rank; -1 = rank alone decides.",
		parse: func(in *Inputs, v string) error { return depth(&in.ChangedDepth, v) }},
	{Name: "dependents-depth", Shared: true, Group: GroupContext, Value: "N", Unit: Count, Default: "-1",
		Help:  "In context mode, how many edges to follow from changed files to what needs them, whatever their rank; -1 = rank alone decides.",
		parse: func(in *Inputs, v string) error { return depth(&in.DependentsDepth, v) }},
	{Name: "history", Shared: true, Group: GroupChange, Value: "N", Unit: Count, Default: "0",
		Help: "How many commits before the change are read for files that change together, which counts for the rank; the clone needs that much history. 0 = none.",
		parse: func(in *Inputs, v string) error {
			n, err := strconv.Atoi(v)
			if err != nil || n < 0 || n > 10000 {
				return fmt.Errorf("%q is not allowed: 0 to 10000 commits", v)
			}
			in.History = n
			return nil
		}},
	{Name: "task", Group: GroupChange, Value: "WORDS", Shown: "–",
		Help:  "What is to be done, in words: an issue, a question, a stack trace. The run then packs what that needs, in context mode, and no change. An issue that starts the workflow, or a comment on one, is a task where neither mode nor base say otherwise. On a pull request the change is packed, and a task that is given is a second, weaker query.",
		parse: func(in *Inputs, v string) error { in.Task = v; return nil }},
	{Name: "task-file", Group: GroupChange, Value: "FILE", Shown: "–",
		Help:  "A file with the task, relative to the workspace; - is standard input.",
		parse: func(in *Inputs, v string) error { in.TaskFile = v; return nil }},
	{Name: "map", Shared: true, Group: GroupContext, Choices: []string{"auto", "full", "linked", "neighbours"}, Default: "auto",
		Help: "Which files the map of a context archive names: `full`, all; `linked`, those that need or are needed; `neighbours`, those next to what is packed; " +
			"`auto`, the most that fits a tenth of the budget. Without a committed state file the archive of a change has no map.",
		parse: func(in *Inputs, v string) error { in.Map = MapDetail(v); return nil }},
	{Name: "external-roots", Group: GroupFiles, Value: "FOLDER", Shown: "–", List: true,
		Help: "Directories outside the repository, one a line, from which files of dependencies may be taken.",
		parse: func(in *Inputs, v string) error {
			for l := range strings.Lines(v) {
				if l = strings.TrimSpace(l); l != "" {
					in.ExternalRoots = append(in.ExternalRoots, l)
				}
			}
			return nil
		}},
	{Name: "budget-tokens", Shared: true, Group: GroupContext, Value: "N", Unit: Count, Shown: "128000 for context.md and for a change in context mode, else 0",
		Help: "The most tokens (o200k) of context.md as written, and of the files in archive.tar, each; at least 2000. What does not fit is passed over and named, in full mode what ranks least first. 0 = no limit.",
		parse: func(in *Inputs, v string) error {
			n, err := strconv.Atoi(v)
			if err != nil || n < 0 || n > 0 && n < leastBudget {
				return fmt.Errorf("%q is not allowed: %d tokens or more, or 0", v, leastBudget)
			}
			in.BudgetTokens = &n
			return nil
		}},
	{Name: "part-tokens", Shared: true, Group: GroupContext, Value: "N", Unit: Count, Default: "20000",
		Help: "The most tokens of one part of context.md, at least 2000: what is longer goes on in context.2.md, and so on. 0 = one file.",
		parse: func(in *Inputs, v string) error {
			n, err := strconv.Atoi(v)
			if err != nil || n < 0 || n > 0 && n < leastBudget {
				return fmt.Errorf("%q is not allowed: %d tokens or more, or 0", v, leastBudget)
			}
			in.PartTokens = n
			return nil
		}},
	{Name: "line-numbers", Shared: true, Group: GroupContext, Default: "false", Toggle: true,
		Help:  "In context.md, a number before each line of code; otherwise each stretch says which lines it has.",
		parse: func(in *Inputs, v string) error { return boolean(&in.LineNumbers, v) }},
	{Name: "pack", Shared: true, Group: GroupPack, Choices: []string{"auto", "full", "summary", "both", "change", "none"}, Default: "auto",
		Help: "The context pack, one document for a model: `full` (contents), `summary` (facts that cite their place), `auto` (full where it " +
			"keeps the limits, else summary), `both`, `change` (context.md as JSON, where a change is ranked), `none`.",
		parse: func(in *Inputs, v string) error { in.Pack = Pack(v); return nil }},
	{Name: "pack-format", Shared: true, Group: GroupPack, Choices: []string{"json", "markdown", "msgpack"}, Default: "json",
		Help: "Format of the pack: `json`; `markdown` for pasting; `msgpack`, the same values as in JSON. That of `pack: change` is JSON.",
		parse: func(in *Inputs, v string) error {
			in.PackFormat = pack.Format(v)
			return nil
		}},
	limit("max-content-bytes", "500000", "Above this many bytes of content the pack is a summary; the pack itself, all of it, keeps the limit too. At least 2000."),
	limit("max-files", "200", "Above this many files the pack is a summary."),
	limit("max-file-bytes", "50000", "Most bytes of one file in a pack."),
	limit("max-total-bytes", "500000", "Most bytes of all files in a full pack."),
	limit("truncation", "definitions", "What is kept of a file that is too long: `definitions`, the first lines of what it defines, then the bodies, exported ones first (where nothing is known of that, lines); `lines`, its first and last lines."),
	limit("head-lines", "100", "Lines kept of the beginning of a file that is too long."),
	limit("tail-lines", "50", "Lines kept of its end."),
	limit("truncation-marker", "", "Text that stands where lines were cut; `\\n... [truncated] ...\\n` if empty."),
	limit("on-decode-error", "replace", "Characters that cannot be decoded: `replace` them, or `skip` the file."),
	limit("providers", "", "Providers that the pack is for, one a line; the smallest of their limits rules."),
	limit("provider-limits", "", "Limits of providers, one a line: `name=60000` in bytes, `name=32000t` in tokens of o200k. At least 2000 bytes, or 1000 tokens."),
	{Name: "secrets", Group: GroupSecrets, Choices: []string{"redact", "exclude", "fail"}, Default: "redact",
		Help: "What happens to a file in which a credential is found: `redact` it and keep the file, `exclude` the file, or `fail` the run.",
		parse: func(in *Inputs, v string) error {
			in.Secrets = scan.Policy(v)
			return nil
		}},
	{Name: "secrets-level", Group: GroupSecrets, Choices: []string{"balanced", "strict"}, Default: "balanced",
		Help: "How much is taken for a credential where no rule is sure: `balanced`, or `strict`, which finds more weak passwords, and redacts more that is no credential.",
		parse: func(in *Inputs, v string) error {
			in.SecretsLevel = secret.Balanced
			if v == "strict" {
				in.SecretsLevel = secret.Strict
			}
			return nil
		}},
	{Name: "limit-file-bytes", Group: GroupFiles, Value: "N", Unit: Bytes, Default: strconv.Itoa(scan.MaxFileBytes),
		Help:  "Larger files are left out, at most 33554432 (32 MiB).",
		parse: func(in *Inputs, v string) error { return ranged(&in.LimitFileBytes, v, 1000, scan.MaxFileBytes) }},
	{Name: "limit-memory-bytes", Group: GroupLimits, Value: "N", Unit: Bytes, Default: strconv.Itoa(512 << 20),
		Help:  "Memory that the run stays within where that is possible, never more than nine tenths of the container's; at least 67108864 (64 MiB).",
		parse: func(in *Inputs, v string) error { return ranged(&in.LimitMemoryBytes, v, 64<<20, 1<<40) }},
	{Name: "limit-seconds", Group: GroupLimits, Value: "N", Unit: Seconds, Default: "1800",
		Help:  "Seconds after which a run that is not done ends without results; the verb watch has no such limit.",
		parse: func(in *Inputs, v string) error { return ranged(&in.LimitSeconds, v, 1, 24*60*60) }},
	{Name: "ca-certificates", Group: GroupPlace, Value: "FILE", Shown: "–",
		Help:  "A file of certificates in PEM, relative to the workspace: authorities that are trusted beside the system's, for git, the API, the artifact service, a registry and the store.",
		parse: func(in *Inputs, v string) error { in.CACertificates = v; return nil }},
	{Name: "defaults", Group: GroupPlace, Choices: []string{"auto", "organisation", "repository", "off"}, Default: "auto",
		Help: "Which files give defaults of other inputs: `auto`, `" + DefaultsFile + "` of the repository and, in a workflow with a token, that of the organisation's `.github` repository; " +
			"`organisation`, both, on a desk too; `repository`, the first alone; `off`, none. What is given otherwise wins.",
		parse: func(in *Inputs, v string) error { in.Which = WhichDefaults(v); return nil }},
	{Name: "upload", Group: GroupDelivery, Choices: []string{"auto", "always", "never"}, Default: "auto",
		Help:  "Upload the results as a workflow artifact: `auto` (when the workflow's tokens are there; a service that refuses is a warning), `always` (an error), `never`.",
		parse: func(in *Inputs, v string) error { in.Upload = When(v); return nil }},
	{Name: "artifact-name", Group: GroupDelivery, Value: "NAME", Default: "${{ strategy.job-total > 1 && format('context-{0}', strategy.job-index) || 'context' }}", Shown: "`context`; in a matrix `context-` and the job's index",
		Help:  "Name of the artifact. Jobs of one workflow that are in no matrix together need one each.",
		parse: func(in *Inputs, v string) error { in.ArtifactName = v; return nil }},
	{Name: "retention-days", Group: GroupDelivery, Value: "N", Unit: Days, Default: "0",
		Help: "Days the artifact is kept; 0 = the repository's setting.",
		parse: func(in *Inputs, v string) error {
			n, err := strconv.Atoi(v)
			if err != nil || n < 0 || n > 400 {
				return errors.New("allowed are 0 to 400 days")
			}
			in.Retention = n
			return nil
		}},
	{Name: "overwrite", Group: GroupDelivery, Default: "false", Toggle: true,
		Help:  "Replace an artifact of the same name that this run has already uploaded.",
		parse: func(in *Inputs, v string) error { return boolean(&in.Overwrite, v) }},
	{Name: "artifact-raw", Group: GroupDelivery, Choices: []string{"context.md", "pack", "archive.tar", "archive.diff.tar", "record.json"}, Shown: "–",
		Help: "A result that is uploaded a second time, as it is and as an artifact of its own, so that context.md opens in the browser (its first part; `part-tokens: 0` makes it one). " +
			"Its name is the artifact's with what follows the file's first dot: context.md, or context-0.md in a matrix.",
		parse: func(in *Inputs, v string) error { in.Raw = v; return nil }},
	{Name: "compress", Shared: true, Group: GroupDelivery, Choices: []string{"none", "zstd"}, Default: "none",
		Help: "Compression of the archives: `none`, or `zstd` (archive.tar.zst).",
		parse: func(in *Inputs, v string) error {
			in.Zstd = v == "zstd"
			return nil
		}},
	{Name: "compression-level", Group: GroupDelivery, Value: "N", Unit: Count, Default: "6",
		Help: "How hard the artifact is compressed, 0 (not at all) to 9; archives that are compressed already are not compressed again.",
		parse: func(in *Inputs, v string) error {
			n, err := strconv.Atoi(v)
			if err != nil || n < 0 || n > artifact.MaxLevel {
				return fmt.Errorf("%q is not allowed: 0 to %d", v, artifact.MaxLevel)
			}
			in.Level = n
			return nil
		}},
	{Name: "push", Group: GroupDelivery, Value: "ADDRESS", Shown: "–",
		Help: "Registry that keeps the results as one OCI artifact a commit: `oci://host/name`, tagged `sha-<commit>` and as the branch or `pr-<n>`; or `oci://host/name:tag`, tagged so alone. A push that fails is an error.",
		parse: func(in *Inputs, v string) error {
			a, err := registry.ParseAddress(v)
			if err == nil && strings.Contains(a.Reference, ":") {
				err = fmt.Errorf("%q is not allowed: name a tag; the digest is computed from what is pushed", v)
			}
			in.Push = &a
			return err
		}},
	{Name: "registry-config", Group: GroupDelivery, Value: "FILE", Shown: "docker's: `config.json` in `DOCKER_CONFIG`, or in `~/.docker`",
		Help:  "A file in the form of docker's `config.json` with the credentials of registries (`auths`), for `push` and `base: oci://…`. Helpers that it names are not run. Where it has none for the host, `token` is good for this server's own registry.",
		parse: func(in *Inputs, v string) error { in.RegistryConfig = v; return nil }},
	{Name: "session", Group: GroupThread, Value: "ID", Choices: []string{"off", "auto"}, Open: true, Default: "off",
		Help: "Remember what this thread's assistant has seen: `off`, `auto` (this pull request, branch or folder), or an id.",
		parse: func(in *Inputs, v string) error {
			in.Session = v
			if v == "off" || v == "auto" {
				return nil
			}
			_, err := object.ParseSessionID(v)
			return err
		}},
	{Name: "store", Group: GroupThread, Value: "FILE", Shown: "`<stan-path>/session/objects.db`; the user's cache where that cannot be written",
		Help: "Where the session's objects are kept: a file, or the address of an XTDB.",
		parse: func(in *Inputs, v string) error {
			if scheme, _, ok := strings.Cut(v, "://"); ok && !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
				return fmt.Errorf("%q is the address of no store: name a file, or an XTDB by http:// or https://", v)
			}
			in.Store = v
			return nil
		}},
	{Name: "store-content", Group: GroupThread, Default: "true", Toggle: true,
		Help:  "Keep the screened contents of files in the store, and not their hashes alone.",
		parse: func(in *Inputs, v string) error { return boolean(&in.StoreContent, v) }},
	{Name: "store-limit", Group: GroupThread, Value: "N", Unit: Bytes, Default: strconv.Itoa(256 << 20),
		Help:  "The most bytes of contents that a store keeps, in a file compressed. Beyond it those go first that no active, pinned or newest version needs; an XTDB lets none go that is active or pinned. A file in a workflow keeps 50000000 at most.",
		parse: func(in *Inputs, v string) error { return ranged(&in.StoreLimit, v, 1<<20, 512<<20) }},
	{Name: "mounts", Group: GroupThread, Value: "AGENT=CANONICAL", Shown: "–", List: true,
		Help: "Where the assistant sees files under other paths than this machine has them: `agent=canonical[=filesystem-id]` one a line, both absolute prefixes of paths, of which the longest counts. The thread then takes and shows the assistant's paths, keeps files under canonical ones, and `watch` watches what a mount holds.",
		parse: func(in *Inputs, v string) (err error) {
			in.Mounts, err = object.ParseMounts(strings.Split(v, "\n"))
			return err
		}},
	{Name: "filesystem-id", Group: GroupThread, Value: "ID", Shown: "this machine's; in a workflow the repository's",
		Help: "The name in the store of the file system that the repository's files are on. Where two machines, or a desk and a workflow, share a store and name it alike, their files are the same objects.",
		parse: func(in *Inputs, v string) error {
			in.FilesystemID = v
			return object.CheckFilesystemID(v)
		}},
	{Name: "comment", Group: GroupDelivery, Choices: []string{"auto", "always", "never"}, Default: "auto",
		Help:  "Keep one comment on the pull request current: `auto` (on pull requests, when the token may; none where only versions, formatting, documents or generated files change: a comment that is there becomes one line), `always` (on every change; a refusal fails the run), `never`.",
		parse: func(in *Inputs, v string) error { in.Comment = When(v); return nil }},
	{Name: "comment-key", Group: GroupDelivery, Value: "KEY", Default: "${{ strategy.job-index }}", Shown: "the job's index in its matrix",
		Help:  "Tells the comments of several jobs apart.",
		parse: func(in *Inputs, v string) error { in.CommentKey = v; return nil }},
}

// defaultArtifact is the artifact's name where no runner has filled in the default.
const defaultArtifact = "context"

// limit declares an input that bounds a pack.
func limit(name, def, help string) Input {
	d := Input{Name: name, Shared: true, Group: GroupPack, Value: "N", Default: def, Help: help, parse: func(in *Inputs, v string) error { return in.Limits.Set(name, v) }}
	if d.Unit = Count; strings.HasSuffix(name, "-bytes") {
		d.Unit = Bytes
	}
	if def == "" {
		d.Unit = None
		d.Value, d.Shown, d.List = "TEXT", "–", strings.HasPrefix(name, "provider")
	}
	if name == "provider-limits" {
		d.Unit = Limits
	}
	if name == "truncation" {
		d.Value, d.Unit, d.Choices = "", None, []string{"definitions", "lines"}
	}
	if name == "on-decode-error" {
		d.Value, d.Unit, d.Choices = "", None, []string{"replace", "skip"}
	}
	return d
}

// ranged reads a number that must lie between two others.
func ranged(p *int64, v string, least, most int64) error {
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || n < least || n > most {
		return fmt.Errorf("%q is not allowed: %d to %d", v, least, most)
	}
	*p = n
	return nil
}

// Output is one declaration of what a workflow can read afterwards.
type Output struct{ Name, Help string }

// OutputTable lists every output in the order of the documentation.
var OutputTable = []Output{
	{"artifact-id", "Id of the uploaded artifact."},
	{"artifact-url", "Page of the uploaded artifact (needs a login)."},
	{"artifact-raw-url", "Page of the file that was uploaded as it is (`artifact-raw`)."},
	{"pushed", "Address of what was pushed, by its digest: `oci://host/name@sha256:…`; empty where nothing was."},
	{"archive", "Path of archive.tar, relative to the workspace; where `output-dir` lies outside of it, the path on the runner."},
	{"archive-diff", "Path of archive.diff.tar; empty when there is no base."},
	{"pack", "Path of the context pack; of the full one with `pack: both`."},
	{"prompt-file", "Path of context.md, one document for a model, or of its first part: the change and its context, in full and meta mode the repository; empty in context mode when files were not ranked."},
	{"prompt-files", "Paths of all parts of context.md, one a line."},
	{"record", "Path of record.json."},
	{"archive-sha256", "SHA-256 of archive.tar."},
	{"archive-diff-sha256", "SHA-256 of archive.diff.tar."},
	{"pack-type", "Type of the pack: `full`, `summary` or `change`."},
	{"files-included", "Number of files in archive.tar."},
	{"files-omitted", "Number of files and folders left out, without what is git's or the engine's own."},
	{"estimated-tokens", "Size of archive.tar's files in tokens, at four bytes a token."},
	{"base-commit", "Commit that the change is measured against; empty when there is none."},
	{"base-reason", "Why that commit."},
	{"changed", "`true` when something changed against the base, or there is none."},
	{"size", "Size of the change: `XS` (under 10 lines), `S` (50), `M` (250), `L` (1,000) or `XL`, without what programs write, what only moved and what only white space changes; empty without a base."},
	{"areas", "Names of the groups in which the change is read, one a line: folders, and `tests`, `docs`, `settings`, `data`, `generated`."},
	{"untested", "Changed functions that no test reaches by name, one a line as `path:line name`, the first 100; empty where there are none, or it is not known."},
}

func boolean(p *bool, v string) error {
	switch strings.ToLower(v) {
	case "true":
		*p = true
	case "false":
		*p = false
	default:
		return fmt.Errorf("%q is not allowed: true or false", v)
	}
	return nil
}

// leastBudget is the least number of tokens that hold a guide and a change.
const leastBudget = 2000

// depth parses a number of edges; -1 is none.
func depth(p *int, v string) error {
	n, err := strconv.Atoi(v)
	if err != nil || n < -1 || n > 1000 {
		return fmt.Errorf("%q is not allowed: -1 to 1000", v)
	}
	*p = n
	return nil
}

// check reports a value that is none of an input's choices.
func (d *Input) check(v string) error {
	if d.Open || len(d.Choices) == 0 || slices.Contains(d.Choices, v) {
		return nil
	}
	return fmt.Errorf("%q is not allowed: %s%s", v, strings.Join(d.Choices, ", "), Suggest(v, d.Choices, ""))
}

// inside parses a folder that has to lie inside the root.
func inside(v string) (string, error) {
	p := path.Clean(strings.ReplaceAll(v, `\`, "/"))
	if path.IsAbs(p) || filepath.IsAbs(v) || p == "." || p == ".." || strings.HasPrefix(p, "../") || p == ".git" || strings.HasPrefix(p, ".git/") {
		return "", fmt.Errorf("%q is not allowed: a folder inside the repository, such as .stan", v)
	}
	return p, nil
}

// InputError is a user's mistake in an input: exit code 2.
type InputError struct {
	Name string
	Err  error
}

func (e *InputError) Error() string { return "input " + e.Name + ": " + e.Err.Error() }
func (e *InputError) Unwrap() error { return e.Err }
func (e *InputError) ExitCode() int { return ExitInput }

// BadInput is a user's mistake in the input of that name.
func BadInput(name, format string, args ...any) error {
	return &InputError{name, fmt.Errorf(format, args...)}
}

// ParseInputs reads every input: a flag first, then the environment, then the
// default.
func ParseInputs(flags map[string]string, getenv func(string) string) (*Inputs, error) {
	in := &Inputs{Choice: Choice{Limits: pack.Defaults()}}
	in.given = map[string]bool{}
	workflow := inWorkflow(getenv)
	var errs []error
	for _, d := range InputTable {
		v, ok := flags[d.Name]
		if !ok {
			v = strings.TrimSpace(FromEnv(d.Name, getenv))
			ok = v != ""
		}
		in.given[d.Name] = ok
		if v == "" {
			v = d.Default
			switch {
			case d.Filled() != "":
				v = "" // the runner fills it in
				if d.Name == "artifact-name" {
					v = defaultArtifact
				}
			case d.Name == "path":
				v = "."
			case d.Name == "untracked":
				v = strconv.FormatBool(!workflow)
			}
		}
		if v == "" {
			continue
		}
		if err := d.read(in, v); err != nil {
			errs = append(errs, &InputError{d.Name, err})
		}
	}
	if len(errs) > 0 {
		return nil, errs[0]
	}
	if err := in.Limits.Check(); err != nil {
		return nil, WithCode(err, ExitInput)
	}
	return in, nil
}

// FromEnv reads INPUT_<NAME> as the runner sets it, or with "_" for "-", which
// shells can set.
func FromEnv(name string, getenv func(string) string) string {
	key := "INPUT_" + strings.ToUpper(name)
	if v := getenv(key); v != "" {
		return v
	}
	return getenv(strings.ReplaceAll(key, "-", "_"))
}

func inWorkflow(getenv func(string) string) bool { return getenv("GITHUB_ACTIONS") == "true" }

// What a commit's id and a SHA-256 look like, as git and record.json write them.
var (
	CommitID = lazyregexp.New(`^[0-9a-f]{40}$`)
	Checksum = lazyregexp.New(`^[0-9a-f]{64}$`)
)
