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

// clusterFolders are folders of what runs in a cluster: of Kubernetes, Kustomize and Helm.
var clusterFolders = WordSet("k8s kubernetes kubernetes-manifests manifests kustomize overlays templates crds")

// IsCluster reports whether a file says what runs in a cluster, by where it lies: a manifest of Kubernetes, or a template of one.
func IsCluster(name string) bool {
	if ext := strings.ToLower(path.Ext(name)); ext != ".yml" && ext != ".yaml" {
		return false
	}
	for dir := range strings.SplitSeq(path.Dir(name), "/") {
		if clusterFolders[dir] {
			return true
		}
	}
	return false
}
