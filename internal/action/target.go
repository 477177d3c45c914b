package action

import (
	"os"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// scpAddress is an address as git writes it for SSH: user@host:path.
var scpAddress = lazyregexp.New(`^[A-Za-z0-9._-]+@[A-Za-z0-9._-]+:[^/].*$`)

// aim reads the arguments of the whole run into what they stand for: "-" is --stdout
// context.md; another is a folder that is there, an address, or owner/name. What is
// cloned has its results in a folder of its name.
func (c *call) aim(p *job.Process) error {
	target := ""
	for _, a := range c.options.args {
		switch {
		case a == "-" && c.options.stdout == "":
			c.options.stdout = record.PromptName
		case a == "-":
			return job.UsageError("- stands for --stdout %s, and --stdout is given too: keep one of them", record.PromptName)
		case target != "":
			return job.UsageError("a run packs one repository: %q or %q", target, a)
		default:
			target = a
		}
	}
	c.options.args = nil
	if target == "" {
		return nil
	}
	for _, name := range []string{"path", "repository"} {
		if _, ok := c.inputs[name]; ok {
			return job.UsageError("%q and --%s both say what is packed: give one of them", target, name)
		}
	}
	_, err := os.Lstat(p.At(target))
	switch {
	case err == nil:
		c.inputs["path"] = target
		return nil
	case !isRepository(target):
		return unknownTarget(target)
	}
	c.inputs["repository"] = target
	if _, ok := c.inputs["output-dir"]; !ok && job.FromEnv("output-dir", p.Getenv) == "" {
		c.inputs["output-dir"] = repositoryName(target) + ".haversack"
	}
	return nil
}

// isRepository reports whether an argument is an address or owner/name. An owner does not
// begin with a dot: what does is a path.
func isRepository(s string) bool {
	return strings.Contains(s, "://") || scpAddress.MatchString(s) || snapshot.OwnerAndName.MatchString(s) && s[0] != '.'
}

// unknownTarget says of an argument that it is nothing that can be packed.
func unknownTarget(name string) error {
	if strings.ContainsAny(name, `/.\`) {
		return job.UsageError("%q is no folder that is there, no owner/name and no address", name)
	}
	for i := range job.InputTable {
		if d := &job.InputTable[i]; d.Name == name {
			return job.UsageError("%q is no verb, but an input: %s", name, flagOf(d))
		}
	}
	if slices.Contains([]string{"yes", "no", "on", "off", "1", "0"}, name) {
		return job.UsageError("%q is no verb, and no value of a flag that is true or false: --overwrite, or --overwrite=false", name)
	}
	near := job.Suggest(name, verbNames(), "")
	return job.UsageError("%q is no verb%s, no folder that is there, no owner/name and no address; verbs are %s", name, near, strings.Join(verbNames(), ", "))
}

// repositoryName is the last part of an address, as a folder may be called.
func repositoryName(address string) string {
	address = strings.TrimSuffix(strings.TrimRight(address, "/"), ".git")
	name := path.Base(strings.ReplaceAll(address, ":", "/"))
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune("-._", r) || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return -1
	}, name)
	if name = strings.TrimLeft(name, ".-"); name == "" {
		return "repository"
	}
	return name
}
