package golang

import (
	"bytes"
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

var (
	parsesFiles = lazyregexp.New(`\b(?:ParseFiles|ParseGlob|LoadHTMLGlob|LoadHTMLFiles)\(([^()]*)\)`)
	pathLiteral = lazyregexp.New("\"([^\"\\\\\n]+)\"|`([^`\n]+)`")
)

// maxTemplates bounds the templates that one file reads.
const maxTemplates = 200

// templatesOf are the paths and patterns of the templates that a text reads by name: html/template's and text/template's, and gin's.
func templatesOf(content []byte) (list []string) {
	if !bytes.Contains(content, []byte("ParseFiles(")) && !bytes.Contains(content, []byte("ParseGlob(")) && !bytes.Contains(content, []byte("LoadHTML")) {
		return nil
	}
	for _, at := range parsesFiles.FindAllSubmatchIndex(content, maxTemplates) {
		line := content[bytes.LastIndexByte(content[:at[0]], '\n')+1 : at[0]]
		if bytes.HasPrefix(bytes.TrimSpace(line), []byte("//")) {
			continue
		}
		for _, m := range pathLiteral.FindAllSubmatch(content[at[2]:at[3]], maxTemplates) {
			if name := string(m[1]) + string(m[2]); len(list) < maxTemplates && !path.IsAbs(name) {
				list = append(list, name)
			}
		}
	}
	return list
}

// templates draws the edges to the templates that the file reads. Their paths begin where the program runs: in the folder of the file, or in
// one above it, of which the nearest is meant that has them.
func (c *connector) templates() {
	for _, name := range c.f.templates {
		name = strings.TrimPrefix(name, "./")
		for d := c.f.dir; ; d = path.Dir(d) {
			list := c.embedded(d, name, c.Work)
			for _, to := range list {
				c.add(to, graph.Runtime, graph.Implicit)
			}
			if len(list) > 0 || d == "." || !c.Take(1) {
				break
			}
		}
	}
}
