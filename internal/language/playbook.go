package language

import (
	"path"
	"strings"
)

// roleParts are the folders of a role of Ansible that hold what it does and what it is set to.
var roleParts = WordSet("tasks handlers defaults vars")

// IsPlaybook reports whether a file is a part of Ansible's, by where it lies: tasks and values of a role, or a playbook.
func IsPlaybook(name string) bool {
	if ext := strings.ToLower(path.Ext(name)); ext != ".yml" && ext != ".yaml" {
		return false
	}
	role := false
	for dir := range strings.SplitSeq(path.Dir(name), "/") {
		if dir == "playbooks" || role && roleParts[dir] {
			return true
		}
		role = role || dir == "roles"
	}
	return false
}
