package job

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/haversack-dev/haversack/internal/text"
)

// DefaultsFile is where a file of defaults stands: in a repository, and in the one that an
// organisation calls .github.
const DefaultsFile = ".github/haversack.yml"

// MaxDefaults bounds a file of defaults, in bytes: forty inputs take some two KB.
const MaxDefaults = 64 << 10

// WhichDefaults says which files of defaults count: one of the input's choices.
type WhichDefaults string

// The choices of the input defaults.
const (
	DefaultsAuto         WhichDefaults = "auto"
	DefaultsOrganisation WhichDefaults = "organisation"
	DefaultsRepository   WhichDefaults = "repository"
	DefaultsOff          WhichDefaults = "off"
)

// Origin is where the value of an input is from.
type Origin string

// The origins of values, the first wins: the command line, the environment or with: of a
// workflow; the two files; the table of inputs.
const (
	FromUser         Origin = "with"
	FromRepository   Origin = "repository file"
	FromOrganisation Origin = "organisation file"
	FromTable        Origin = "default"
)

// Origins says of inputs where their values are from.
type Origins struct {
	// Which are the files that count.
	Which WhichDefaults
	// Files are those that were read and say something, the one that wins first.
	Files []*Defaults
	// Organisation is the organisation's file where it is known before the run; without
	// settings where there is none.
	Organisation *Defaults
	// given are the inputs that a file changes nothing of; filed the settings that count.
	given map[string]bool
	filed map[string]setting
}

// setting is what a file gives for an input.
type setting struct {
	name, value string
	line        int
	of          *Defaults
}

// Defaults is a file of defaults.
type Defaults struct {
	From Origin
	// Name is what messages call it, Commit the one that it was read from, "" for none.
	Name, Commit string
	// Text is the file as it is, which nothing may print.
	Text     []byte
	settings []setting // in the order of the file
}

// Inputs are the names of those that the file gives, in its order.
func (d *Defaults) Inputs() []string {
	names := make([]string, len(d.settings))
	for i, s := range d.settings {
		names[i] = s.name
	}
	return names
}

// Sum is the sha256 of the file, in hex.
func (d *Defaults) Sum() string {
	sum := sha256.Sum256(d.Text)
	return hex.EncodeToString(sum[:])
}

// ParseDefaults reads a file of defaults: a mapping of names of inputs to values as with: has
// them, and lists, where an input lists items, as lists or one item a line. Nothing else that
// YAML has is taken. The error names the file, the line, what is allowed, and ends with ExitInput.
func ParseDefaults(from Origin, name string, raw []byte) (*Defaults, error) {
	d := &Defaults{From: from, Name: name, Text: raw}
	if err := d.parse(); err != nil {
		return nil, WithCode(err, ExitInput)
	}
	return d, nil
}

// at is an error at a line of the file.
func (d *Defaults) at(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: "+format, append([]any{d.Name, max(line, 1)}, args...)...)
}

func (d *Defaults) parse() error {
	raw := bytes.TrimPrefix(d.Text, []byte("\xEF\xBB\xBF"))
	if len(raw) > MaxDefaults {
		return fmt.Errorf("%s: %d bytes, allowed are %d; it holds defaults of inputs and no more", d.Name, len(raw), MaxDefaults)
	}
	if !utf8.Valid(raw) {
		line := 1 + bytes.Count(raw[:len(raw)-len(bytes.TrimLeftFunc(raw, func(r rune) bool { return r != utf8.RuneError }))], []byte("\n"))
		return d.at(line, "it is no UTF-8; save it as such")
	}
	decoder := yaml.NewDecoder(bytes.NewReader(raw))
	var doc, more yaml.Node
	switch err := decoder.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil // nothing, or comments
	case err != nil:
		return d.syntax(err)
	}
	switch err := decoder.Decode(&more); {
	case errors.Is(err, io.EOF):
	case err != nil:
		return d.syntax(err)
	default:
		return d.at(more.Line, "a second document begins; the file is one mapping of inputs")
	}
	top := doc.Content[0]
	if top.Kind == yaml.ScalarNode && top.Tag == "!!null" && top.Value == "" {
		return nil
	}
	if top.Kind != yaml.MappingNode {
		return d.at(top.Line, "a mapping of inputs is wanted, a line each, such as mode: context")
	}
	if err := d.plain(top); err != nil {
		return err
	}
	lines := map[string]int{}
	for i := 0; i+1 < len(top.Content); i += 2 {
		key, value := top.Content[i], top.Content[i+1]
		if first := lines[key.Value]; first > 0 {
			return d.at(key.Line, "%s stands twice, first on line %d; keep one of them", text.Name(key.Value), first)
		}
		lines[key.Value] = key.Line
		if err := d.set(key, value); err != nil {
			return err
		}
	}
	return nil
}

// syntax says what the library says of a text that is no YAML.
func (d *Defaults) syntax(err error) error {
	said, line := strings.TrimPrefix(err.Error(), "yaml: "), 0
	if n, _ := fmt.Sscanf(said, "line %d:", &line); n == 1 {
		_, said, _ = strings.Cut(said, ": ")
		if strings.HasPrefix(said, "did not find expected ") {
			line++ // its parser counts from 0, its scanner from 1
		}
	}
	return d.at(line, "it is no YAML: %s; write a line for each input, such as mode: context", said)
}

// plain refuses what makes one thing of a file stand for another.
func (d *Defaults) plain(n *yaml.Node) error {
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		return d.at(n.Line, "anchors and aliases are not taken; write the value out")
	}
	if n.Style&yaml.TaggedStyle != 0 {
		return d.at(n.Line, "tags such as %s are not taken; write the value alone", text.Name(n.Tag))
	}
	return nil
}

// set reads one line of the mapping.
func (d *Defaults) set(key, value *yaml.Node) error {
	if err := d.plain(key); err != nil {
		return err
	}
	input, shared := (*Input)(nil), []string(nil)
	for i := range InputTable {
		if InputTable[i].Name == key.Value && key.Kind == yaml.ScalarNode {
			input = &InputTable[i]
		}
		if InputTable[i].Shared {
			shared = append(shared, InputTable[i].Name)
		}
	}
	switch {
	case key.Kind != yaml.ScalarNode:
		return d.at(key.Line, "the name of an input is wanted; allowed here are %s", strings.Join(shared, ", "))
	case input == nil:
		return d.at(key.Line, "%s is no input%s; allowed here are %s", text.Name(key.Value), Suggest(key.Value, shared, ""), strings.Join(shared, ", "))
	case !input.Shared:
		return d.at(key.Line, "%s may not stand in a file of defaults: give it in the workflow (with:) or on the command line; allowed here are %s", input.Name, strings.Join(shared, ", "))
	}
	v, err := d.value(input, value)
	if err != nil {
		return err
	}
	// A number that is not allowed, or a word, is told here, with its line.
	if err := input.read(&Inputs{}, v); err != nil {
		return d.at(value.Line, "input %s: %w", input.Name, err)
	}
	d.settings = append(d.settings, setting{input.Name, v, value.Line, d})
	return nil
}

// value is what stands for an input, as with: would have it.
func (d *Defaults) value(input *Input, n *yaml.Node) (string, error) {
	items := []*yaml.Node{n}
	switch {
	case n.Kind == yaml.SequenceNode && input.List:
		items = n.Content
	case n.Kind == yaml.SequenceNode:
		return "", d.at(n.Line, "input %s: a list; it takes one value%s", input.Name, input.allowed())
	}
	if err := d.plain(n); err != nil {
		return "", err
	}
	var lines []string
	for _, item := range items {
		if err := d.plain(item); err != nil {
			return "", err
		}
		v := strings.TrimSpace(item.Value)
		switch {
		case item.Kind != yaml.ScalarNode:
			return "", d.at(item.Line, "input %s: a mapping or a list within; it takes %s%s", input.Name, input.takes(), input.allowed())
		case item.Tag == "!!null" || v == "":
			return "", d.at(item.Line, "input %s: it has no value; give one, or take the line away: an empty one stands for the default", input.Name)
		case n.Kind == yaml.SequenceNode && strings.Contains(v, "\n"):
			return "", d.at(item.Line, "input %s: an item of several lines; write each as an item of its own", input.Name)
		case input.Name == "include-only" && v == "-":
			return "", d.at(item.Line, "input %s: - is standard input, which is not a file's to give; name globs", input.Name)
		}
		lines = append(lines, v)
	}
	if len(lines) == 0 {
		return "", d.at(n.Line, "input %s: an empty list; give items, or take the line away", input.Name)
	}
	return strings.Join(lines, "\n"), nil
}

// takes says what a value of the input is.
func (d *Input) takes() string {
	if d.List {
		return "one item a line, or a list of them"
	}
	return "one value"
}

// allowed names the words that an input takes.
func (d *Input) allowed() string {
	switch {
	case d.Toggle:
		return ": true or false"
	case len(d.Choices) > 0:
		return ": " + strings.Join(d.Choices, ", ")
	case d.Unit != None:
		return ": a number"
	}
	return ""
}

// read puts a value into the inputs, where it is allowed.
func (d *Input) read(in *Inputs, v string) error {
	err := d.check(v)
	if err == nil {
		err = d.parse(in, d.Unit.plain(v))
	}
	if err != nil {
		return d.Unit.explain(v, err)
	}
	return nil
}

// Fixed are the origins for a verb, or a task, that has decided on some inputs itself.
func (o Origins) Fixed(names ...string) Origins {
	given := map[string]bool{}
	maps.Copy(given, o.given)
	for _, name := range names {
		given[name] = true
	}
	o.given = given
	return o
}

// Under returns the inputs with what files give for those that nobody gave. Of an input that
// several give the first file counts.
func (in *Inputs) Under(files ...*Defaults) (*Inputs, error) {
	out := *in
	out.Files, out.filed = nil, map[string]setting{}
	limited := "" // the files that bound a pack
	for _, d := range files {
		if d == nil || len(d.settings) == 0 {
			continue
		}
		out.Files = append(out.Files, d)
		for _, s := range d.settings {
			if _, there := out.filed[s.name]; there || in.given[s.name] {
				continue
			}
			out.filed[s.name] = s
			input := inputNamed(s.name)
			if err := input.read(&out, s.value); err != nil {
				return nil, WithCode(d.at(s.line, "input %s: %w", s.name, err), ExitInput)
			}
			if d.From == FromOrganisation && input.List {
				out.Common = append(slices.Clip(out.Common), s.name)
			}
			if input.Group == GroupPack && !strings.Contains(limited, d.Name) {
				limited += d.Name + ": "
			}
		}
	}
	if err := out.Limits.Check(); err != nil {
		return nil, WithCode(fmt.Errorf("%s%w", limited, err), ExitInput)
	}
	return &out, nil
}

// inputNamed is the input of a name that the table has.
func inputNamed(name string) *Input {
	for i := range InputTable {
		if InputTable[i].Name == name {
			return &InputTable[i]
		}
	}
	return nil
}

// Given reports whether a user, or the verb, said what an input is.
func (o *Origins) Given(name string) bool { return o.given[name] }

// Of says where the value of an input is from, and the value where it is a file's.
func (o *Origins) Of(name string) (Origin, string) {
	if s, ok := o.filed[name]; ok {
		return s.of.From, s.value
	}
	if o.given[name] {
		return FromUser, ""
	}
	return FromTable, ""
}
