package pack

import (
	"bytes"
	"path"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/source"
)

// stepsReader reads what a file that runs others runs.
type stepsReader func(v *view, name string, b []byte) []script

// stepsOf is the reader of a path, or nil.
func stepsOf(name string) stepsReader {
	base := strings.ToLower(path.Base(name))
	switch {
	case strings.HasPrefix(base, "dockerfile"), strings.HasSuffix(base, ".dockerfile"), base == "containerfile":
		return readDockerfile
	case path.Dir(name) == ".github/workflows" && (strings.HasSuffix(base, ".yml") || strings.HasSuffix(base, ".yaml")):
		return readWorkflow
	case name == "Makefile", name == "makefile", name == "GNUmakefile":
		return readMakefile
	}
	return nil
}

func stepsKind(name string) string {
	switch {
	case strings.HasPrefix(name, ".github/"):
		return "Workflow"
	case strings.EqualFold(path.Ext(name), ""), strings.Contains(strings.ToLower(path.Base(name)), "docker"):
		if strings.Contains(strings.ToLower(path.Base(name)), "make") {
			return "Makefile"
		}
		return "Container image"
	}
	return "File"
}

func readDockerfile(_ *view, _ string, b []byte) []script {
	var out []script
	n := 0
	for line := range bytes.Lines(b) {
		n++
		word, rest, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		switch word = strings.ToUpper(word); word {
		case "FROM", "ENTRYPOINT", "CMD", "EXPOSE":
			out = append(out, script{word, claim.OneLine(rest, 150), n})
		}
	}
	return out
}

var makeTarget = lazyregexp.New(`^([A-Za-z0-9][\w.-]*(?:\s+[A-Za-z0-9][\w.-]*)*)\s*:(?:[^=]|$)`)

func readMakefile(_ *view, _ string, b []byte) []script {
	var out []script
	n := 0
	for line := range bytes.Lines(b) {
		n++
		if len(line) > source.MaxLineRead {
			continue
		}
		if m := makeTarget.FindSubmatch(line); m != nil {
			for t := range strings.FieldsSeq(string(m[1])) {
				out = append(out, script{name: "make " + t, line: n})
			}
		}
	}
	return out
}

// readWorkflow reads triggers and jobs, and notes actions that are used at a branch.
func readWorkflow(v *view, name string, b []byte) []script {
	root, err := yamlRoot(b)
	if err != nil {
		v.warn(name, 0, err)
		return nil
	}
	var out []script
	for _, kv := range yamlPairs(root) {
		switch kv.key.Value {
		case "name":
			out = append(out, script{"name", claim.OneLine(kv.value.Value, 60), kv.key.Line})
		case "on", "true":
			var on []string
			switch kv.value.Kind {
			case yaml.ScalarNode:
				on = append(on, kv.value.Value)
			case yaml.SequenceNode:
				for _, n := range kv.value.Content {
					on = append(on, n.Value)
				}
			case yaml.MappingNode:
				for _, p := range yamlPairs(kv.value) {
					on = append(on, p.key.Value)
				}
			}
			out = append(out, script{"on", claim.OneLine(strings.Join(on, ", "), 200), kv.key.Line})
		case "jobs":
			for _, job := range yamlPairs(kv.value) {
				s := script{name: "job " + claim.OneLine(job.key.Value, 100), line: job.key.Line}
				for _, j := range yamlPairs(job.value) {
					switch j.key.Value {
					case "name", "uses":
						s.command = claim.OneLine(j.value.Value, 100)
					case "steps":
						for _, step := range j.value.Content {
							for _, st := range yamlPairs(step) {
								if st.key.Value == "uses" {
									v.pinned(name, st.value)
								}
							}
						}
					}
				}
				out = append(out, s)
			}
		}
	}
	return out
}

func (v *view) pinned(name string, uses *yaml.Node) {
	_, ref, ok := strings.Cut(uses.Value, "@")
	if ok && (ref == "main" || ref == "master" || ref == "develop") {
		v.unpinned = append(v.unpinned, claim.New([]claim.Citation{claim.Cite(name, uses.Line)}, "A workflow uses an action at a branch: %s", claim.OneLine(uses.Value, 150)))
	}
}
