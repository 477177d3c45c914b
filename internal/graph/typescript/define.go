package typescript

import (
	"fmt"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/microsoft/typescript-go/tsshim"
)

// Define lists the definitions in one text; the methods that interfaces and literal types ask for stand behind them.
func Define(name string, content []byte) ([]graph.Definition, error) {
	if len(content) > maxFile {
		return nil, errTooLarge
	}
	text, err := decode(content)
	if err == nil && notCode(text) && !isComponent(name) {
		err = errMarkup
	}
	if err != nil {
		return nil, err
	}
	if isComponent(name) {
		c := readComponent(name, text)
		name, text = name+c.language, c.code
	}
	found, err := tsgo.Define(base+"/"+name, text)
	if err != nil {
		return nil, fmt.Errorf("parsing %s: %w", name, err)
	}
	return told(found), nil
}

// told are definitions as the graph has them.
func told(found []tsgo.Definition) []graph.Definition {
	list := make([]graph.Definition, 0, len(found))
	for _, d := range found {
		list = append(list, graph.Definition{
			Name: d.Name, Kind: d.Kind, From: d.From, Line: d.Line, Head: d.Head, End: d.End,
			Exported: d.Exported, Default: d.Default, Promised: d.Promised, Doc: graph.FirstSentence(d.Doc),
		})
	}
	return list
}

// unformatted writes a script without what a formatter chooses; of a component that is not known.
func unformatted(name string, content []byte) (string, error) {
	if len(content) > maxFile {
		return "", errTooLarge
	}
	text, err := decode(content)
	if err == nil && (notCode(text) || isComponent(name)) {
		err = errMarkup
	}
	if err != nil {
		return "", err
	}
	return tsgo.Unformatted(base+"/"+name, text)
}
