package action

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/forge"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tree"
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

// ownerPrefix is that of an argument that names whose repositories make the fleet.
const ownerPrefix = "org:"

// fleetMembers are those of the file, or of the owner, that the verb's argument names.
func fleetMembers(ctx context.Context, e *job.Env, in *job.Inputs, o *options) (list []fleetMember, duplicates int, err error) {
	if owner, ok := strings.CutPrefix(o.args[0], ownerPrefix); ok {
		return owned(ctx, e, in, owner, o)
	}
	raw, err := tree.ReadRegular(e.At(o.args[0]), maxFleetList)
	if err == nil {
		list, duplicates, err = parseFleet(raw, func(name string) bool {
			_, err := os.Lstat(e.At(name))
			return err == nil
		})
	}
	if err != nil {
		return nil, 0, job.WithCode(fmt.Errorf("reading the list %s: %w", o.args[0], err), job.ExitInput)
	}
	return list, duplicates, nil
}

// owned are the repositories of an organisation or a person, as the API tells them: by
// name, whatever the order in which it does.
func owned(ctx context.Context, e *job.Env, in *job.Inputs, owner string, o *options) (list []fleetMember, duplicates int, err error) {
	client, err := forge.ForOwner(e.Getenv("GITHUB_API_URL"), owner, in.Token)
	if err != nil {
		return nil, 0, job.WithCode(err, job.ExitInput)
	}
	all, err := client.Owned(ctx, maxFleet)
	if err != nil {
		return nil, 0, err
	}
	var names strings.Builder
	left := 0
	for _, r := range all {
		if r.Archived && !o.archived || o.topic != "" && !slices.Contains(r.Topics, strings.ToLower(o.topic)) {
			left++
			continue
		}
		names.WriteString(r.Name + "\n")
	}
	if names.Len() == 0 {
		return nil, 0, fmt.Errorf("listing the repositories of %s: none of %d is left: --topic names one of their topics, and --archived takes archived ones; a private one is told only to a token that may read it", text.Name(owner), left)
	}
	return parseFleet([]byte(names.String()), func(string) bool { return false })
}

// printList prints the names of a list, one a line.
func printList(e *job.Env, members []fleetMember, o *options) error {
	names := make([]string, len(members))
	for i, m := range members {
		names[i] = m.target
	}
	if !o.json {
		return e.Results([]byte(strings.Join(names, "\n") + "\n"))
	}
	b, err := record.Marshal(names, "  ")
	if err != nil {
		return err
	}
	return e.Results(b)
}

// fleetShare is the part of a list that one of several runs packs.
type fleetShare struct{ number, among int }

// parseShare reads "3/10", the third of ten; "" is all.
func parseShare(s string) (fleetShare, error) {
	if s == "" {
		return fleetShare{1, 1}, nil
	}
	number, among, ok := strings.Cut(s, "/")
	n, err := strconv.Atoi(number)
	of, err2 := strconv.Atoi(among)
	if !ok || err != nil || err2 != nil || n < 1 || n > of || of > maxFleet {
		return fleetShare{}, job.UsageError("--shard %.40q is not allowed: N/OF, such as 3/10, the third of ten", s)
	}
	return fleetShare{n, of}, nil
}

// of is the share of a list: each repository is in that of one shard, and two that stand
// next to each other are in different ones.
func (s fleetShare) of(list []fleetMember) []fleetMember {
	var share []fleetMember
	for i := s.number - 1; i < len(list); i += s.among {
		share = append(share, list[i])
	}
	return share
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
