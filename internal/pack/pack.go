// Package pack makes context packs: one document that a program sends to a
// model, or a person pastes. A full pack holds the content of files, a summary
// pack what can be said of them without a model.
//
// schema/full.schema.json and schema/summary.schema.json describe both packs,
// docs/formats.md has their fields and limits in tables. Fields may be added; none
// changes its name or meaning. What holds beyond the schemas:
//
//   - KB is 1000 bytes. Lists are never null. Paths that are not UTF-8 show each
//     wrong byte as \xNN.
//   - file_index has one row for each scanned path, sorted by path. In a full
//     pack "included" means that the file's content, whole or cut, stands in the
//     pack; in a summary, that the summary was made from it.
//   - The content of key files stands in key_files alone, not again in contents.
//   - Content is UTF-8, whatever the file's encoding. Malformed sequences become
//     U+FFFD, or the file is left out (on-decode-error); both are listed in
//     metadata.encodings.
//   - A file longer than max-file-bytes, or a key file longer than 50,000 bytes,
//     is cut: to the first lines of what it defines, then the bodies, exported ones
//     first; or, where nothing is known of that or input truncation says so, to its
//     first and last lines; where that is still too long, to bytes.
//     Every cut is listed in metadata.truncations, with the rule that made it.
//   - A pack never exceeds max-content-bytes and the limits of the providers, in
//     bytes and in tokens, all of it and in both formats; the content of a full one
//     does not exceed max-total-bytes. When it would, this gives way, in order, and
//     metadata.cuts counts it: rows of the index, folded into one a folder, and the
//     lists of the manifest, each down to a tenth of the limit; content by importance.
//     In a full pack key files come first, then the rest in the order of their
//     category; the first that does not fit is cut deeper, and what then is free is
//     filled with the smallest of those left out, which have exclusion_reason
//     size_limit. In a summary what goes first stands at the end of risk_hotspots,
//     then entrypoints, key_files_summary, and the lists of repo_summary. What of a summary's
//     limit is then left is filled with outlines, first those of key files, and with whole files.
//   - The index has at most an eighth of the limit.
//   - What tells most stands first: whoever reads the beginning alone reads outlines and key files, no index.
//   - The smallest limit is 2 KB. A larger limit never holds less content.
//   - Every sentence of a summary ends in the paths it was made from, with lines
//     where it counts something: "... (go.mod:1, cmd/tool/main.go:12-40)". What it
//     repeats of the repository, be it one name, stands in quotation marks; so does a
//     path that is more than one plain word.
//   - No clock but the commit's, no absolute path, no order but bytewise: the
//     same snapshot and limits give the same bytes.
package pack

import (
	"github.com/haversack-dev/haversack/internal/project"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/source"
	"github.com/haversack-dev/haversack/internal/text"
)

// Type is the kind of a pack.
type Type string

const (
	TypeFull    Type = "full"
	TypeSummary Type = "summary"
)

// Full is the pack with the content of files.
type Full struct {
	Type      Type      `json:"type"`
	Manifest  Manifest  `json:"manifest"`
	KeyFiles  []KeyFile `json:"key_files"`
	Contents  []Content `json:"contents"`
	FileIndex []Entry   `json:"file_index"`
	Metadata  Metadata  `json:"metadata"`

	counts Info
	// deeper: a file is cut because the pack is full.
	deeper bool
}

// Summary is the pack of what can be said of files without a model.
type Summary struct {
	Type        Type        `json:"type"`
	RepoSummary RepoSummary `json:"repo_summary"`
	// Outlines are those of code that is no key file, and Contents whole files, both by how much depends on them, as
	// far as the limit goes.
	Outlines        []FileOutline    `json:"outlines,omitempty"`
	KeyFilesSummary []KeyFileSummary `json:"key_files_summary"`
	Entrypoints     []Entrypoint     `json:"entrypoints"`
	Manifest        Manifest         `json:"manifest"`
	Contents        []Content        `json:"contents,omitempty"`
	RiskHotspots    []Hotspot        `json:"risk_hotspots"`
	FileIndex       []Entry          `json:"file_index"`
	Metadata        Metadata         `json:"metadata"`

	counts Info
	// paragraphs are the sentences of repo_summary.description.
	paragraphs [][]string
}

// Manifest is what the project says of itself.
type Manifest struct {
	// ProjectName is the manifest's at the root, else the repository's name.
	ProjectName string `json:"project_name"`
	// ProjectType names the ecosystem with the most source at the root's
	// manifests (node, go, python, rust, jvm, dotnet, ...); "unknown" without one.
	ProjectType string `json:"project_type"`
	// PurposeGuess is a description found in the project, cited; else "".
	PurposeGuess string `json:"purpose_guess"`
	// StructureSummary counts the files of the top folders.
	StructureSummary string `json:"structure_summary"`
	// Dependencies are the direct ones, those of the root's manifests first.
	Dependencies []Dependency `json:"dependencies"`
	// EntryPoints are paths, sorted.
	EntryPoints   []string `json:"entry_points"`
	BuildSystem   string   `json:"build_system,omitempty"`
	TestFramework string   `json:"test_framework,omitempty"`
	// Ecosystems are all project types met, the first is ProjectType.
	Ecosystems []string `json:"ecosystems"`
	// Manifests are the paths that this was read from.
	Manifests []string `json:"manifests"`
	// Workspaces are the folders of the parts that a manifest declares.
	Workspaces []string `json:"workspaces"`
}

// Dependency is a package that a manifest names.
type Dependency struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	// Type is runtime, dev or peer.
	Type string `json:"type"`
	// Source is the manifest, with the line where it is known.
	Source string `json:"source"`
}

// Entry is a row of file_index: a scanned path, and whether the pack holds it. A
// folded row stands for all files below its folder that have no row: included where any
// of them is, else with the reason of most.
type Entry struct {
	Path            string        `json:"path"`
	Type            scan.Type     `json:"type"`
	Category        scan.Category `json:"category"`
	SizeBytes       int64         `json:"size_bytes"`
	Included        bool          `json:"included"`
	ExclusionReason string        `json:"exclusion_reason,omitempty"`
	// IsKeyFile and ContentExtractable are told only where they are true.
	IsKeyFile          bool `json:"is_key_file,omitempty"`
	ContentExtractable bool `json:"content_extractable,omitempty"`
	// Files that a folded row stands for, and how many of them are included.
	Files         int `json:"files,omitempty"`
	FilesIncluded int `json:"files_included,omitempty"`
}

// KeyFile is the content of a file that a newcomer reads first.
type KeyFile struct {
	Path       string        `json:"path"`
	Category   scan.Category `json:"category"`
	Importance string        `json:"importance"`
	Content    string        `json:"content"`
	Truncated  bool          `json:"truncated"`
}

// Content is the content of any other file.
type Content struct {
	Path              string `json:"path"`
	Content           string `json:"content"`
	Truncated         bool   `json:"truncated"`
	OriginalSizeBytes int64  `json:"original_size_bytes"`
}

// Metadata says how the pack was made and what is missing from it.
type Metadata struct {
	PackType Type `json:"pack_type"`
	// CreatedAt is the commit's time; "" without a commit.
	CreatedAt  string `json:"created_at"`
	SourceRoot string `json:"source_root"`
	// TotalFiles, TotalDirectories and TotalSizeBytes are of the snapshot: files that may
	// leave, folders that were entered, bytes of the files.
	TotalFiles        int   `json:"total_files"`
	TotalDirectories  int   `json:"total_directories"`
	TotalSizeBytes    int64 `json:"total_size_bytes"`
	TotalFilesScanned int   `json:"total_files_scanned"`
	FilesIncluded     int   `json:"files_included"`
	FilesExcluded     int   `json:"files_excluded"`
	TotalContentBytes int64 `json:"total_content_bytes"`
	// TruncationApplied: Truncations or Cuts are not empty.
	TruncationApplied bool   `json:"truncation_applied"`
	SelectionReason   string `json:"selection_reason"`
	// SummaryMethod is "heuristic" in summaries: no model was asked.
	SummaryMethod string       `json:"summary_method,omitempty"`
	Truncations   []Truncation `json:"truncations"`
	// Encodings lists the files whose encoding is not plain UTF-8.
	Encodings []EncodingNote    `json:"encodings"`
	Cuts      []Cut             `json:"cuts"`
	Warnings  []project.Warning `json:"warnings"`
}

// Truncation is a file of which a part is kept.
type Truncation struct {
	Path string `json:"path"`
	// OriginalBytes are of the text in UTF-8.
	OriginalBytes int64 `json:"original_bytes"`
	KeptBytes     int64 `json:"kept_bytes"`
	OriginalLines int   `json:"original_lines"`
	HeadLines     int   `json:"head_lines"`
	TailLines     int   `json:"tail_lines"`
	// Rule is what decided what is kept: "definitions" or "lines".
	Rule string `json:"rule,omitempty"`
	// KeptLines are all that definitions keep, at its ends and between.
	KeptLines int `json:"kept_lines,omitempty"`
}

// The rules of Truncation.
const (
	byDefinitions = "definitions"
	byLines       = "lines"
)

// EncodingNote says how a file was decoded.
type EncodingNote struct {
	Path     string `json:"path"`
	Encoding string `json:"encoding"`
	// Undecodable counts the characters that became U+FFFD.
	Undecodable int `json:"undecodable"`
	// Skipped: the file is left out on their account.
	Skipped bool `json:"skipped"`
}

// Cut counts what was left out of a list to keep the limit.
type Cut struct {
	List    string `json:"list"`
	LeftOut int    `json:"left_out"`
	Of      int    `json:"of"`
}

// RepoSummary is what can be said of the repository as a whole.
type RepoSummary struct {
	// Description has two or three paragraphs, parted by an empty line.
	Description         string   `json:"description"`
	ArchitecturePattern string   `json:"architecture_pattern"`
	KeyTechnologies     []string `json:"key_technologies"`
	NotablePatterns     []string `json:"notable_patterns"`
	PotentialConcerns   []string `json:"potential_concerns"`
}

// KeyFileSummary is what can be said of one key file.
type KeyFileSummary struct {
	Path         string        `json:"path"`
	Category     scan.Category `json:"category"`
	Summary      string        `json:"summary"`
	Exports      []string      `json:"exports"`
	Dependencies []string      `json:"dependencies"`
	NotableCode  []string      `json:"notable_code"`
	// Outline are the first lines of what it defines, each behind its number.
	Outline []string `json:"outline,omitempty"`
}

// Entrypoint is a file where the project is started or used from.
type Entrypoint struct {
	Path string `json:"path"`
	// Type is cli, web, api, library or script.
	Type             string   `json:"type"`
	Description      string   `json:"description"`
	RoutesOrCommands []string `json:"routes_or_commands,omitempty"`
}

// Hotspot is a file that wants care. Indicators are measured; the description
// goes no further than they do.
type Hotspot struct {
	Path string `json:"path"`
	// RiskType is security, performance, complexity or coupling.
	RiskType    string   `json:"risk_type"`
	Description string   `json:"description"`
	Indicators  []string `json:"indicators"`
}

// Source is what packs are made from.
type Source struct {
	// Snapshot has the files that the run selected in Files, all others in Omitted.
	Snapshot *scan.Snapshot
	Limits   Constraints
	// Created is the commit's time (RFC 3339), or "".
	Created string
	// Name of the repository, for projects whose manifests have none.
	Name string
	// Clean is called with the pack (*Full or *Summary) before it is measured, and
	// may change its strings. May be nil.
	Clean func(pack any)
	// Outlines of TypeScript and JavaScript files, by path. May be nil: exports
	// and imports are then found by patterns.
	Outlines map[string]source.Names
	// Ranked are the paths of what a summary may show beside what it says, those first on which most depends.
	Ranked []string
	// Opening returns the lines that a summary's outlines begin with, chosen one by one among all files. May be nil: they then
	// go by files alone.
	Opening func() []FileOutline
	// Define returns the first lines of what a text defines, in their order. May be nil: summaries are then without outlines.
	Define func(path string, text []byte) []Signature
	// Divide returns the lines of a text in the order of what they are worth to a reader who sees a part of it, nil where nothing
	// is known of it. May be nil.
	Divide func(path string, text []byte) []text.Stretch
	// Edges are the repository's own dependency edges, from importer to
	// imported, by path. May be nil: coupling is then not measured.
	Edges map[string][]string
}

// Signature is the first line of what a text defines.
type Signature struct {
	// Text is the line behind its number and a space.
	Text string
	// Leads says that others use it: it is told before what does not lead.
	Leads bool
}

// Info is context_pack_info in the record.
type Info struct {
	Type               Type       `json:"type"`
	SelectionReason    string     `json:"selection_reason"`
	FilesScanned       int        `json:"files_scanned"`
	FilesIncluded      int        `json:"files_included"`
	FilesExcluded      int        `json:"files_excluded"`
	ExclusionsByReason Exclusions `json:"exclusions_by_reason"`
	ContentBytes       int64      `json:"content_bytes"`
	TruncatedFiles     int        `json:"truncated_files"`
	// TruncatedBy counts them by the rule that cut them, where there are any.
	TruncatedBy map[string]int `json:"truncated_by,omitempty"`
}

// Exclusions counts the rows of the index that are not included.
type Exclusions struct {
	Credentials int `json:"credentials"`
	Binary      int `json:"binary"`
	Size        int `json:"size"`
	Pattern     int `json:"pattern"`
}

// Info describes the pack for the record. It counts the whole index, also where
// rows of it were folded.
func (p *Full) Info() Info { return p.counts }

func info(rows []Entry, m *Metadata) Info {
	i := Info{
		Type:            m.PackType,
		SelectionReason: m.SelectionReason,
		FilesScanned:    m.TotalFilesScanned,
		FilesIncluded:   m.FilesIncluded,
		FilesExcluded:   m.FilesExcluded,
		ContentBytes:    m.TotalContentBytes,
		TruncatedFiles:  len(m.Truncations),
	}
	for _, t := range m.Truncations {
		if i.TruncatedBy == nil {
			i.TruncatedBy = map[string]int{}
		}
		i.TruncatedBy[t.Rule]++
	}
	for _, r := range rows {
		if r.Included {
			continue
		}
		switch scan.Reason(r.ExclusionReason).StatKey() {
		case "credentials":
			i.ExclusionsByReason.Credentials++
		case "binary":
			i.ExclusionsByReason.Binary++
		case "size":
			i.ExclusionsByReason.Size++
		default:
			i.ExclusionsByReason.Pattern++
		}
	}
	return i
}
