package action

import (
	"context"
	"slices"

	"github.com/spf13/pflag"

	"github.com/haversack-dev/haversack/internal/client"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// verb is what the first argument may ask for; that without a name is the whole run.
type verb struct {
	name string
	args string // its arguments, as usage shows them
	help string // one sentence
	// reads are the inputs that help tells of: names, and groups. The others are taken, too,
	// so that a workflow may set one for all its steps.
	reads    []string
	examples []example
	// words are those that its first argument may be, where it is one of a few.
	words []string
	// lasts: it runs until it is interrupted, however long that is. speaks: stdout is a protocol's.
	lasts, speaks bool
	// hidden: help does not list it.
	hidden bool
	// flags declares the flags of this verb alone.
	flags func(fs *pflag.FlagSet, o *options)
	// run does it, or tell, of a verb that needs no repository, answers: raw, what is no
	// text for people, byte for byte.
	run  func(ctx context.Context, e *job.Env, in *job.Inputs, o *options) error
	tell func(p *page) (string, error)
	raw  bool
}

// example is a command line and what it is for.
type example struct{ line, help string }

// options are the flags that are no inputs.
type options struct {
	json    bool
	stdout  string
	verbose bool // each warning on a terminal, and not one of each kind
	copy    bool // put context.md on the clipboard
	args    []string
	given   map[string]string // inputs of the command line, as they stand
	workers int               // fleet: repositories side by side
	again   bool              // fleet: those whose head is unchanged, too
	shard   string            // fleet: the share of the list, as 3/10
	index   string            // fleet: the folder of what shards have left
	topic   string            // fleet: of an owner's repositories, those with it
	// fleet: archived repositories, too; and print the list.
	archived, list bool
	add            []string // select: entries to add to the state
	remove         []string
	exclude        []string // select: entries to leave out
	meta           string   // select: a map, or the archive that holds it, in place of a repository
	summary        bool     // select: sum the closure up as stan-context does
	uses           string   // select --summary: what is followed where an entry does not say
	record         string   // comment: the record
	print          bool     // install: write nothing
	inputs         bool     // why: of the inputs
	http           string   // serve: the address
	token          string   // serve: the file of the token
	runOf          string   // session get: the run as of whose end
	// graph: print the definitions of the sources instead of making the graph's files.
	definitions bool
	// pack show: the form in which it is given back.
	markdown, msgpack bool
	// ask is what a verb that answers asks of the graph; nil for all others.
	ask func(o *options, v *snapshot.View) (*answer, error)
	// paths says that the arguments of such a verb are paths, and no names.
	paths bool
	// texts says that the texts of files alone tell what it asks for.
	texts bool
}

// result is the result that is printed on stdout, "" for none.
func (o *options) result() string {
	if o.json {
		return "record.json"
	}
	return o.stdout
}

// printsResult reports whether stdout belongs to a result.
func (o *options) printsResult() bool { return o.result() != "" }

// What several verbs read.
var (
	readsPlace  = []string{"path", "repository", "ref", "token", "stan-path"}
	readsFiles  = []string{string(job.GroupFiles)}
	readsGraph  = slices.Concat(readsPlace, readsFiles, readsScreen)
	readsBudget = []string{"budget-tokens"}
	readsScreen = []string{string(job.GroupSecrets), string(job.GroupLimits)}
	readsPack   = []string{string(job.GroupPlace), string(job.GroupFiles), string(job.GroupChange), string(job.GroupContext), string(job.GroupPack), string(job.GroupSecrets), string(job.GroupThread), string(job.GroupLimits)}
)

var verbs []verb

func init() {
	verbs = []verb{
		{name: "", args: "[FOLDER|URL|owner/name] [-]", help: "Pack the repository.", run: packVerb, flags: resultFlags,
			reads: slices.Concat(readsPack, []string{string(job.GroupDelivery)}),
			examples: []example{
				{"haversack .", "the repository here, and what changed in it"},
				{"haversack --task 'where are passwords hashed?'", "the files that a task needs"},
			}},
		{name: "context", help: "Pack what the change on this desk needs, within a budget (mode: context).", run: contextVerb, flags: resultFlags,
			reads: slices.Concat(readsPack, []string{"output-dir", "compress"}),
			examples: []example{
				{"haversack context --base main", "the branch, and what it needs"},
				{"haversack context --stdout context.md", "the document alone, to be pasted"},
			}},
		{name: "why", args: "PATH[:LINE]", run: whyVerb, flags: whyFlags,
			help:  "Say why the last run packed a file, left it out, or redacted something in it; for a line, what decides; for the inputs, who gave them.",
			reads: slices.Concat(readsPlace, []string{"output-dir"}, readsScreen),
			examples: []example{
				{"haversack why src/app.ts:12", "what became of a file, and what is on one of its lines"},
				{"haversack why --inputs", "which value each input had, and from where"},
			}},
		{name: "select", args: "[ENTRY ...]", run: selectVerb, flags: selectFlags,
			help:  "Print what a context archive would hold, and why; nothing is written.",
			reads: slices.Concat(readsGraph, []string{string(job.GroupChange), string(job.GroupContext)}),
			examples: []example{
				{"haversack select src/app.ts@2", "a file, and what it imports, two steps far"},
				{"haversack select --add src/app.ts@1", "keep an entry in the state file"},
			}},
		{name: "graph", args: "[PATH ...]", run: graphVerb, flags: graphFlags,
			help:  "Write the import graph to <stan-path>/context/ and print it in short.",
			reads: readsGraph,
			examples: []example{
				{"haversack graph", "write the graph, and print a table of it"},
				{"haversack graph --definitions src", "what the sources of a folder define"},
			}},
		{name: "outline", args: "PATH ...", run: answerVerb("outline", 1, manyArguments, outlineAnswer),
			help:  "Print what files, or all files of a folder, define: places, signatures, documentation.",
			reads: slices.Concat(readsGraph, readsBudget),
			examples: []example{
				{"haversack outline src/app.ts", "a file"},
				{"haversack outline --json src", "a folder, for programs"},
			}},
		{name: "definitions", args: "[NAME]", run: answerVerb("definitions", 0, 1, definitionsAnswer),
			help:  "Print where a name is defined, or all that is defined for others.",
			reads: slices.Concat(readsGraph, readsBudget),
			examples: []example{
				{"haversack definitions Parser.next", "by its qualified name, or the end of it"},
				{"haversack definitions --budget-tokens 8000", "all, as far as a budget goes"},
			}},
		{name: "users", args: "NAME|PATH", run: answerVerb("users", 1, 1, usersAnswer),
			help:  "Print the files that import what defines a name, or a file, and the lines that name it. Lines of the file that defines the name come last.",
			reads: slices.Concat(readsGraph, readsBudget),
			examples: []example{
				{"haversack users parse", "of a definition"},
				{"haversack users src/app.ts", "of what a file offers"},
			}},
		{name: "importers", args: "PATH", run: answerVerb("importers", 1, 1, importersAnswer),
			help:  "Print the files that import a file, or one of a folder.",
			reads: slices.Concat(readsGraph, readsBudget),
			examples: []example{
				{"haversack importers src/app.ts", "of a file"},
				{"haversack importers src/util", "of a folder, from outside of it"},
			}},
		{name: "watch", help: "Pack again whenever something changes; nothing counts as handed over.", run: watchVerb, lasts: true,
			reads: slices.Concat(readsPack, []string{"output-dir", "compress"}),
			examples: []example{
				{"haversack watch --mode context", "keep the context of the change at hand"},
				{"haversack watch --session auto", "and tell a thread what became of its files"},
			}},
		{name: "serve", help: "Answer a model's questions about the repository, over the Model Context Protocol.", run: serveVerb, lasts: true, speaks: true, flags: serveFlags,
			reads: slices.Concat(readsGraph, []string{string(job.GroupChange), "store", "store-content", "store-limit", "mounts", "filesystem-id"}),
			examples: []example{
				{"haversack serve", "on standard input and output, for a client that starts it"},
				{"haversack serve --http 127.0.0.1:8808 --token-file ~/.haversack-token", "for several clients"},
			}},
		{name: "install", args: "CLIENT ...", help: "Write the server into the file in which a client keeps its servers.", run: installVerb, flags: installFlags,
			words: client.Names(), reads: []string{"path"},
			examples: []example{
				{"haversack install claude vscode", "into .mcp.json and .vscode/mcp.json of this folder"},
				{"haversack install codex --print", "show what would be written"},
			}},
		{name: "uninstall", args: "CLIENT ...", help: "Remove the server from a client's file.", run: uninstallVerb, flags: installFlags,
			words: client.Names(), reads: []string{"path"},
			examples: []example{
				{"haversack uninstall claude", "out of .mcp.json of this folder"},
				{"haversack uninstall codex --print", "show what would be written"},
			}},
		{name: "session", args: "show|list|get ID|history PATH|render|record|read PATH|...", help: "Ask what this thread's assistant has seen, or tell what it did.", run: sessionVerb, flags: sessionFlags,
			words: sessionWords(),
			reads: slices.Concat(readsPlace, []string{string(job.GroupThread)}, readsScreen),
			examples: []example{
				{"haversack session show", "the thread's runs, and what is unread"},
				{"haversack session record < events.jsonl", "tell what an assistant did, one event a line"},
			}},
		{name: "pack", args: "show FILE", help: "Check a context pack, in any of its forms, and print it for people, or in another form.", run: packShowVerb,
			words: []string{"show"}, reads: readsScreen, flags: packFlags,
			examples: []example{
				{"haversack pack show .stan/output/pack.json", "the pack of the last run"},
				{"haversack pack show pack.msgpack --json", "the same pack in another form"},
			}},
		{name: "verify", args: "ARCHIVE|ADDRESS", help: "Check an archive against the record.json beside it, or what was pushed against the one in it.", run: verifyVerb,
			reads: append([]string{"token", "registry-config"}, readsScreen...),
			examples: []example{
				{"haversack verify .stan/output/archive.tar", "the archive of the last run"},
				{"haversack verify oci://ghcr.io/owner/name:main", "what a registry has of a branch"},
			}},
		{name: "pull", args: "ADDRESS [FILE ...]", help: "Read back what was pushed to a registry, or some of its files.", run: pullVerb,
			reads: append([]string{"token", "registry-config", "output-dir"}, string(job.GroupLimits)),
			examples: []example{
				{"haversack pull oci://ghcr.io/owner/name:main", "all that the last run on main made"},
				{"haversack pull oci://ghcr.io/owner/name:pr-7 context.md", "one file of a pull request's"},
			}},
		{name: "fleet", args: "LIST|org:OWNER", help: "Pack the repositories of a list, each into a folder of its own, and go on where the last run ended.", run: fleetVerb, flags: fleetFlags, lasts: true,
			reads: slices.Concat(readsPack, []string{"output-dir", "compress", "push", "registry-config"}),
			examples: []example{
				{"haversack fleet repositories.txt", "a path, an address or owner/name a line"},
				{"haversack fleet org:octo --push oci://ghcr.io/octo/context", "an organisation's, and keep the results in a registry"},
			}},
		{name: "comment", help: "Post the comment of a record that was made elsewhere.", run: commentVerb, flags: commentFlags,
			reads: []string{"token", "stan-path", "comment-key", string(job.GroupSecrets), string(job.GroupLimits)},
			examples: []example{
				{"haversack comment --record record.json", "in a workflow of on: workflow_run"},
				{"haversack comment --record record.json --comment-key 1", "that of one job of several"},
			}},
		{name: "help", args: "[VERB|INPUT]", help: "Say what a verb or an input is for.", tell: helpVerb,
			examples: []example{
				{"haversack help select", "a verb, with the inputs that it reads"},
				{"haversack help base", "all of what an input does"},
			}},
		{name: "version", help: "Print the version, and what it was built from.", tell: versionVerb,
			examples: []example{
				{"haversack version", "for people"},
				{"haversack version --json", "for programs"},
			}},
		{name: "completion", args: "bash|zsh|fish|powershell", help: "Print the completion of a shell.", tell: completionVerb, raw: true,
			words: []string{"bash", "zsh", "fish", "powershell"},
			examples: []example{
				{"source <(haversack completion bash)", "in this shell"},
				{"haversack completion fish | source", "the same in fish"},
			}},
		{name: "man", help: "Print the manual page.", tell: manVerb, raw: true, hidden: true},
	}
}

// commonFlags are those of every verb.
func commonFlags(fs *pflag.FlagSet, o *options) {
	fs.BoolVar(&o.verbose, "verbose", false, "on a terminal, print each warning instead of one of each kind")
	fs.BoolVar(&o.json, "json", false, "print JSON, for programs; a run prints its record")
}

func resultFlags(fs *pflag.FlagSet, o *options) {
	fs.StringVar(&o.stdout, "stdout", "", "print one result instead, by its `NAME`: context.md, archive.tar, archive.diff.tar, pack.json, record.json; - is short for --stdout context.md")
	fs.BoolVar(&o.copy, "copy", false, "copy context.md to the clipboard, with the program that this system has for it")
}

func selectFlags(fs *pflag.FlagSet, o *options) {
	fs.StringArrayVar(&o.add, "add", nil, "add an `ENTRY` to the state file: path, path@depth, path@depth:runtime+type+dynamic, or path@depth:3, a mask; with ! in front, to what is left out")
	fs.StringArrayVar(&o.remove, "remove", nil, "remove an `ENTRY` from the state file; with ! in front, from what is left out")
	fs.StringVar(&o.meta, "meta", "", "select from a map in place of a repository: `FILE` is a dependency.meta.json, or the archive that holds it")
	fs.BoolVar(&o.summary, "summary", false, "print only ids, bytes and the largest files of what the entries select")
	fs.StringVar(&o.uses, "default-uses", "", "with --summary: the `USES` that are followed where an entry does not say: runtime+type+dynamic, all or none")
}

func graphFlags(fs *pflag.FlagSet, o *options) {
	fs.BoolVar(&o.definitions, "definitions", false, "print what the named sources define; nothing is written")
}

func sessionFlags(fs *pflag.FlagSet, o *options) {
	fs.StringVar(&o.runOf, "run", "", "with get: the content at the end of a run, by its `NUMBER`, from 1, or its id")
}

func fleetFlags(fs *pflag.FlagSet, o *options) {
	fs.IntVar(&o.workers, "workers", 2, "how many repositories are packed at once, `N`, 1 to 64")
	fs.BoolVar(&o.again, "again", false, "also pack repositories whose head is unchanged")
	fs.StringVar(&o.shard, "shard", "", "pack only a share of the list, `N/OF`, such as 3/10, the third of ten")
	fs.StringVar(&o.index, "index", "", "pack nothing, and make one index of the fleet.json files of shards, which lie in `FOLDER` or in folders in it")
	fs.StringVar(&o.topic, "topic", "", "of an owner's repositories, pack those with the topic `NAME`")
	fs.BoolVar(&o.archived, "archived", false, "of an owner's repositories, also pack archived ones")
	fs.BoolVar(&o.list, "list", false, "pack nothing, and print the names of an owner's repositories, one a line")
}

func packFlags(fs *pflag.FlagSet, o *options) {
	fs.BoolVar(&o.markdown, "markdown", false, "print it in Markdown, for pasting")
	fs.BoolVar(&o.msgpack, "msgpack", false, "print it in MessagePack")
}

func commentFlags(fs *pflag.FlagSet, o *options) {
	fs.StringVar(&o.record, "record", "", "the record's `FILE`")
}
