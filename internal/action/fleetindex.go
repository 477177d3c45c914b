package action

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/registry"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tree"
)

const (
	// maxShards is the most folders in which an index of shards is looked for, and
	// maxShardIndex the most bytes of one.
	maxShards     = 1000
	maxShardIndex = 32 << 20
)

var fleetCommit = lazyregexp.New(`^([0-9a-f]{40})?$`)

// gather puts the rows that shards have left together: those of all fleet.json in a folder,
// and in the folders in it. They come in the order of the list; a repository that none tells
// of waits. Where two tell of one, as after a shard that ran again, the better news counts.
func (f *fleet) gather(members []fleetMember, dir string) ([]fleetRow, error) {
	told, err := readShards(dir)
	if err != nil {
		return nil, job.WithCode(fmt.Errorf("reading what shards have left: %w", err), job.ExitInput)
	}
	rows := make([]fleetRow, len(members))
	for i, m := range members {
		row, ok := told[m.slug]
		if !ok {
			row.State = fleetWaiting
		}
		delete(told, m.slug)
		row.Name, row.Folder = m.name, m.slug
		row.Error = job.OneLine(f.env.Screener.Clean(row.Error))
		rows[i] = row
	}
	if len(told) > 0 {
		f.env.Log.Warn(fmt.Sprintf("shards packed %d repositories that the list does not name: they are left out of the index", len(told)))
	}
	return rows, nil
}

// readShards reads all fleet.json in a folder and in the folders in it, by the folder of
// the repository.
func readShards(dir string) (map[string]fleetRow, error) {
	root, err := tree.OpenFolder(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	folder, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	found, err := folder.Readdirnames(maxShards + 1)
	if err = errors.Join(err, folder.Close()); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(found) > maxShards {
		return nil, fmt.Errorf("%s holds more than %d files and folders", dir, maxShards)
	}
	slices.Sort(found)
	names := []string{indexName}
	for _, name := range found {
		if fi, err := root.Lstat(name); err == nil && fi.IsDir() {
			names = append(names, path.Join(name, indexName))
		}
	}
	told, files := map[string]fleetRow{}, 0
	for _, name := range names {
		raw, err := tree.ReadIn(root, name, maxShardIndex)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err == nil {
			err = readShard(raw, told)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		files++
	}
	if files == 0 {
		return nil, fmt.Errorf("%s holds no %s, and no folder with one", dir, indexName)
	}
	return told, nil
}

// fleetStates are all states, the better news first.
var fleetStates = []string{fleetPacked, fleetUnchanged, fleetEmpty, fleetFailed, fleetWaiting}

// readShard adds the rows of one fleet.json.
func readShard(raw []byte, told map[string]fleetRow) error {
	var x FleetIndex
	strict := json.NewDecoder(bytes.NewReader(raw))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&x); err != nil {
		return fmt.Errorf("it is no index of a fleet: %w", err)
	}
	if x.Version != 1 || len(x.Repositories) > maxFleet {
		return fmt.Errorf("it is no index of a fleet of version 1 with at most %d repositories", maxFleet)
	}
	for _, r := range x.Repositories {
		rank := slices.Index(fleetStates, r.State)
		_, err := registry.ParseAddress(r.Pushed)
		if rank < 0 || !fleetCommit.MatchString(r.Commit) || r.Pushed != "" && err != nil || r.Files < 0 || r.Bytes < 0 || r.Credentials < 0 {
			return fmt.Errorf("its row of %s holds what no run writes", text.Name(r.Folder))
		}
		if was, twice := told[r.Folder]; !twice || rank < slices.Index(fleetStates, was.State) {
			told[r.Folder] = r
		}
	}
	return nil
}

// sentence sums a fleet up.
func (x *FleetIndex) sentence() string {
	var parts []string
	for _, s := range fleetStates {
		if n := x.Counts[s]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		}
	}
	said := fmt.Sprintf("%d repositories: %s", len(x.Repositories), strings.Join(parts, ", "))
	if x.Duplicates > 0 {
		said += fmt.Sprintf("; %d lines name one again", x.Duplicates)
	}
	return said
}

// maxPageRows bounds the rows of each table of the page.
const maxPageRows = 50

// page is fleet.md: what is new, what failed and why, what is heaviest, and where
// credentials were found.
func (x *FleetIndex) page() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Fleet\n\n%s.\n", x.sentence())
	table := func(heading, column string, rows []fleetRow, tell func(r *fleetRow) string) {
		if len(rows) == 0 {
			return
		}
		fmt.Fprintf(&b, "\n## %s\n\n| repository | %s |\n|---|---|\n", heading, column)
		for i := range rows[:min(len(rows), maxPageRows)] {
			fmt.Fprintf(&b, "| %s | %s |\n", cell(rows[i].Name), cell(tell(&rows[i])))
		}
		if more := len(rows) - maxPageRows; more > 0 {
			fmt.Fprintf(&b, "\nAnd %d more, in fleet.json.\n", more)
		}
	}
	of := func(keep func(r *fleetRow) bool) (list []fleetRow) {
		for i := range x.Repositories {
			if keep(&x.Repositories[i]) {
				list = append(list, x.Repositories[i])
			}
		}
		return list
	}
	table("Failed", "why", of(func(r *fleetRow) bool { return r.State == fleetFailed }), func(r *fleetRow) string { return r.Error })
	table("Credentials found", "how many", of(func(r *fleetRow) bool { return r.Credentials > 0 }), func(r *fleetRow) string { return fmt.Sprint(r.Credentials) })
	table("New", "commit", of(func(r *fleetRow) bool { return r.State == fleetPacked }), func(r *fleetRow) string { return r.Commit })
	heavy := of(func(r *fleetRow) bool { return r.Bytes > 0 })
	slices.SortStableFunc(heavy, func(a, b fleetRow) int { return int(min(1, max(-1, b.Bytes-a.Bytes))) })
	table("Heaviest", "bytes packed", heavy[:min(len(heavy), 10)], func(r *fleetRow) string { return fmt.Sprint(r.Bytes) })
	return b.String()
}

// cell is a text as a cell of a Markdown table, where it means nothing but itself.
func cell(s string) string {
	return "`" + strings.NewReplacer("`", "'", "|", "¦", "\n", " ", "\r", " ").Replace(text.Line(s)) + "`"
}
