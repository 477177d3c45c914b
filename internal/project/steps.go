package project

import (
	"bytes"
	"path"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/source"
)

// Steps are what a file that runs others runs.
type Steps struct {
	Scripts []Script
	// Unpinned are uses of actions at a branch.
	Unpinned []claim.Claim
}

// StepsReader reads what a file that runs others runs.
type StepsReader func(name string, b []byte) (Steps, error)

// StepsReaderOf is the reader of a path, or nil.
func StepsReaderOf(name string) StepsReader {
	base := strings.ToLower(path.Base(name))
	switch {
	case language.IsDockerfile(name):
		return readDockerfile
	case path.Dir(name) == ".github/workflows" && (strings.HasSuffix(base, ".yml") || strings.HasSuffix(base, ".yaml")):
		return readWorkflow
	case name == "Makefile", name == "makefile", name == "GNUmakefile":
		return readMakefile
	}
	return nil
}

// readDockerfile reads what an image is built on and what it runs.
func readDockerfile(_ string, b []byte) (Steps, error) {
	var out []Script
	n := 0
	for line := range bytes.Lines(b) {
		n++
		word, rest, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		switch word = strings.ToUpper(word); word {
		case "FROM", "ENTRYPOINT", "CMD", "EXPOSE":
			out = append(out, Script{word, claim.OneLine(rest, 150), n})
		}
	}
	return Steps{Scripts: out}, nil
}

var makeTarget = lazyregexp.New(`^([A-Za-z0-9][\w.-]*(?:\s+[A-Za-z0-9][\w.-]*)*)\s*:(?:[^=]|$)`)

// readMakefile reads the targets.
func readMakefile(_ string, b []byte) (Steps, error) {
	var out []Script
	n := 0
	for line := range bytes.Lines(b) {
		n++
		if len(line) > source.MaxLineRead {
			continue
		}
		if m := makeTarget.FindSubmatch(line); m != nil {
			for t := range strings.FieldsSeq(string(m[1])) {
				out = append(out, Script{Name: "make " + t, Line: n})
			}
		}
	}
	return Steps{Scripts: out}, nil
}

// readWorkflow reads triggers and jobs, and notes actions that are used at a branch.
func readWorkflow(name string, b []byte) (Steps, error) {
	root, err := yamlRoot(b)
	if err != nil {
		return Steps{}, err
	}
	var out Steps
	for _, kv := range yamlPairs(root) {
		switch kv.key.Value {
		case "name":
			out.Scripts = append(out.Scripts, Script{"name", claim.OneLine(kv.value.Value, 60), kv.key.Line})
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
			out.Scripts = append(out.Scripts, Script{"on", claim.OneLine(strings.Join(on, ", "), 200), kv.key.Line})
		case "jobs":
			for _, job := range yamlPairs(kv.value) {
				s := Script{Name: "job " + claim.OneLine(job.key.Value, 100), Line: job.key.Line}
				for _, j := range yamlPairs(job.value) {
					switch j.key.Value {
					case "name", "uses":
						s.Command = claim.OneLine(j.value.Value, 100)
					case "steps":
						for _, step := range j.value.Content {
							for _, st := range yamlPairs(step) {
								if st.key.Value == "uses" {
									out.pinned(name, st.value)
								}
							}
						}
					}
				}
				out.Scripts = append(out.Scripts, s)
			}
		}
	}
	return out, nil
}

// pinned notes an action that is used at a branch.
func (s *Steps) pinned(name string, uses *yaml.Node) {
	_, ref, ok := strings.Cut(uses.Value, "@")
	if ok && (ref == "main" || ref == "master" || ref == "develop") {
		s.Unpinned = append(s.Unpinned, claim.New([]claim.Citation{claim.Cite(name, uses.Line)}, "A workflow uses an action at a branch: %s", claim.OneLine(uses.Value, 150)))
	}
}
