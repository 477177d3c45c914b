package tsgo

import (
	_ "unsafe" // for go:linkname

	"github.com/microsoft/typescript-go/internal/ast"
	"github.com/microsoft/typescript-go/internal/core"
	"github.com/microsoft/typescript-go/internal/parser"
	"github.com/microsoft/typescript-go/internal/tspath"
)

// What parser.ParseSourceFile calls, but for its pool: a parser that is stopped in the middle of a write to one of its scanner's maps
// goes back there, and the next to use the map ends the whole program ("concurrent map writes"), which nothing can recover from.

//go:linkname newParser github.com/microsoft/typescript-go/internal/parser.newParser
func newParser() *parser.Parser

//go:linkname initializeState github.com/microsoft/typescript-go/internal/parser.(*Parser).initializeState
func initializeState(p *parser.Parser, opts ast.SourceFileParseOptions, text string, kind core.ScriptKind)

//go:linkname nextToken github.com/microsoft/typescript-go/internal/parser.(*Parser).nextToken
func nextToken(p *parser.Parser) ast.Kind

//go:linkname parseSourceFileWorker github.com/microsoft/typescript-go/internal/parser.(*Parser).parseSourceFileWorker
func parseSourceFileWorker(p *parser.Parser) *ast.SourceFile

//go:linkname parseJSONText github.com/microsoft/typescript-go/internal/parser.(*Parser).parseJSONText
func parseJSONText(p *parser.Parser) *ast.SourceFile

// sourceFile parses a text as parser.ParseSourceFile does, by a parser that nobody has again.
func sourceFile(name, text string, kind core.ScriptKind) *ast.SourceFile {
	p := newParser()
	initializeState(p, ast.SourceFileParseOptions{FileName: name, Path: tspath.Path(name)}, text, kind)
	nextToken(p)
	if kind == core.ScriptKindJSON {
		return parseJSONText(p)
	}
	return parseSourceFileWorker(p)
}
