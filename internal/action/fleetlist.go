package action

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/text"
)

const (
	// maxFleetList is the most bytes of a list of repositories.
	maxFleetList = 4 << 20
	// maxFleet is the most repositories of one.
	maxFleet = 10_000
	// maxFleetName is the most bytes of a line of it.
	maxFleetName = 1000
)

// fleetMember is a repository of a list.
type fleetMember struct {
	name   string // as it may be shown
	target string // a path, an address or owner/name
	slug   string // of its folder, and of its name in a registry
	local  bool
	// fault says why it cannot be packed; nil where it may.
	fault error
}

// parseFleet reads a list: a repository a line, empty lines and those that begin with #
// aside. What stands there twice, in whatever case where the service tells none, is packed
// once; a line that is no repository costs itself. there reports whether a path is there: it
// is then no owner/name.
func parseFleet(raw []byte, there func(string) bool) (list []fleetMember, duplicates int, err error) {
	seen := map[string]bool{}
	n := 0
	for line := range strings.Lines(string(raw)) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		m := newFleetMember(line, there)
		if seen[m.slug] {
			duplicates++
			continue
		}
		if seen[m.slug] = true; len(list) == maxFleet {
			return nil, 0, fmt.Errorf("line %d: more than %d repositories: divide the list", n, maxFleet)
		}
		list = append(list, m)
	}
	if len(list) == 0 {
		return nil, 0, errors.New("it names no repository: a path, an address or owner/name a line")
	}
	return list, duplicates, nil
}

// newFleetMember reads one line.
func newFleetMember(line string, there func(string) bool) fleetMember {
	m := fleetMember{name: text.Name(line), target: line}
	id := line
	u, err := url.Parse(line)
	switch {
	case len(line) > maxFleetName || strings.ContainsAny(line, "\x00\r\t"):
		m.name, m.fault = text.Name(line[:min(len(line), 60)]), errors.New("a line that is no name")
	case strings.Contains(line, "://") && (err != nil || u.Host == "" && u.Scheme != "file"):
		m.fault = errors.New("an address that is none")
	case strings.Contains(line, "://") && u.User != nil:
		u.User = nil
		m.name, m.fault = text.Name(u.String()), errors.New("an address holds no user and no password: give a token")
	case strings.Contains(line, "://"), scpAddress.MatchString(line):
		id = strings.ToLower(strings.TrimSuffix(strings.TrimRight(line, "/"), ".git"))
	case slices.Contains(strings.Split(strings.ReplaceAll(line, `\`, "/"), "/"), ".."):
		m.fault = errors.New("a path with .. leads out of where the list is read: name the folder itself")
	case line[0] != '.' && snapshot.OwnerAndName.MatchString(line) && !there(line):
		id = strings.ToLower(line)
	default:
		m.local = true
		id = "path " + path.Clean(strings.ReplaceAll(line, `\`, "/"))
	}
	sum := sha256.Sum256([]byte(id))
	m.slug = slugOf(repositoryName(m.target)) + "-" + hex.EncodeToString(sum[:4])
	return m
}

// slugOf is a name as folders on any disk and registries may have it.
func slugOf(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return (r < '0' || r > '9') && (r < 'a' || r > 'z') })
	s := strings.Join(words, "-")
	if s = strings.Trim(s[:min(len(s), 60)], "-"); s == "" {
		return "repository"
	}
	return s
}

// sentence sums a fleet up.
func (x *FleetIndex) sentence() string {
	var parts []string
	for _, s := range []string{fleetPacked, fleetUnchanged, fleetEmpty, fleetFailed, fleetWaiting} {
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
