package brief

import (
	"bytes"
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/rank"
)

// The version of a provider decides which arguments a resource of Terraform may have. Where a change touches resources, what says the versions
// of its folder is needed ofPinned more: it shares no word with them, and has ten lines.
const ofPinned = 8_000_000

// pins is how what says the versions of providers is written.
var pins = []byte("required_providers")

// resourceFolders are the folders of files of Terraform in which a change touches a resource, or a source of data.
func resourceFolders(changed []Source) map[string]bool {
	folders := map[string]bool{}
	for i := range changed {
		s := &changed[i]
		if path.Ext(s.Path) != ".tf" || s.Text == "" || len(s.Touched) == 0 {
			continue
		}
		touched := s.touchedBlocks()
		for n, block := range s.Blocks() {
			if touched[n] && isResource(block.Name) {
				folders[path.Dir(s.Path)] = true
			}
		}
	}
	return folders
}

// isResource reports whether a name of Terraform is a resource's or a source of data's: `aws_vpc.this`, `data.aws_region.here`.
func isResource(name string) bool {
	kind, _, ok := strings.Cut(name, ".")
	switch kind {
	case "var", "local", "output", "module", "provider", "terraform":
		return false
	}
	return ok
}

// pinning tells which passages of a file say the versions of providers of one of the folders; nil where none is asked for.
func (s *Source) pinning(list []rank.Passage, folders map[string]bool) []bool {
	if path.Ext(s.Path) != ".tf" || !folders[path.Dir(s.Path)] {
		return nil
	}
	found := make([]bool, len(list))
	for n := range list {
		found[n] = bytes.Contains(list[n].Text, pins)
	}
	return found
}

// raisePinned raises the need of such passages.
func raisePinned(others []*Source, pinned [][]bool) {
	for i, s := range others {
		for n := range pinned[i] {
			if pinned[i][n] && n < len(s.Needs) {
				s.Needs[n] += ofPinned
			}
		}
	}
}
