package golang

import (
	"bytes"
	"go/build/constraint"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
)

var systems = strings.Fields("aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos")

var machines = strings.Fields(`386 amd64 amd64p32 arm arm64 arm64be armbe loong64 mips mips64 mips64le mips64p32 mips64p32le
mipsle ppc ppc64 ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm`)

var unix = strings.Fields("aix android darwin dragonfly freebsd hurd illumos ios linux netbsd openbsd solaris")

// Bounds of what a constraint may cost. A constraint is compiled once, and two of them are held against each other
// by a few operations on sets, however long they are, unless they name a tag in common.
const (
	// maxConstraint is the longest line that is read, in bytes.
	maxConstraint = 10_000
	// maxTerms is how many tags and signs package constraint reads.
	maxTerms = 1000
	// maxTags is how many tags of one or two constraints are tried in every combination.
	maxTags = 8
	// maxTried bounds the operators and tags of a constraint, times the combinations that are tried of its tags.
	maxTried = 1 << 16
	// maxJoint bounds the same of two constraints that name a tag in common.
	maxJoint = 1 << 13
)

// platforms is a set of systems and machines: the bit 25*system+machine stands for both together, where the last
// system and the last machine are those that have no name here.
type platforms [8]uint64

// sets are those of the tags in known: of none, of all, and of each system and machine.
var sets, known = func() ([]platforms, map[string]uint8) {
	list, number := make([]platforms, 2), map[string]uint8{}
	width := len(machines) + 1
	add := func(tag string, system, machine int) {
		if _, ok := number[tag]; !ok {
			number[tag] = uint8(len(list))
			list = append(list, platforms{})
		}
		bit := system*width + machine
		list[number[tag]][bit/64] |= 1 << (bit % 64)
	}
	for s := range len(systems) + 1 {
		for m := range width {
			bit := s*width + m
			list[everywhere][bit/64] |= 1 << (bit % 64)
			if m < len(machines) {
				add(machines[m], s, m)
			}
			if s == len(systems) {
				continue
			}
			tag := systems[s]
			add(tag, s, m)
			switch tag {
			case "android":
				add("linux", s, m)
			case "ios":
				add("darwin", s, m)
			}
			if slices.Contains(unix, tag) {
				add("unix", s, m)
			}
		}
	}
	return list, number
}()

// The sets of no platform and of all.
const nowhere, everywhere = 0, 1

func (p platforms) and(q platforms) platforms {
	for i := range p {
		p[i] &= q[i]
	}
	return p
}

func (p platforms) or(q platforms) platforms {
	for i := range p {
		p[i] |= q[i]
	}
	return p
}

func (p platforms) not() platforms {
	for i := range p {
		p[i] = sets[everywhere][i] &^ p[i]
	}
	return p
}

func (p platforms) empty() bool { return p == platforms{} }

// condition is when a file is built; nil is always.
type condition struct {
	// where are the platforms for which some setting of the tags builds the file.
	where platforms
	// tags are those that are no platform's, and code what is to be computed with them, operands first. There
	// is no code where there are no tags, or more than are tried.
	tags []string
	code []step
	// loose says that where holds more than it should: the constraint was not worked out.
	loose bool
}

// step is one step of a condition: an operator, a tag, or a set of platforms.
type step struct {
	op byte // '&', '|', '!', 't' for the tag number at, 'p' for the set number at
	at uint8
}

// conditionOf is when the file name is built, by its name and by the lines before its package clause.
func conditionOf(name string, content []byte) *condition {
	byName := fromName(name)
	line := fromComments(content)
	if byName == nil && line == "" {
		return nil
	}
	c := &condition{where: sets[everywhere]}
	if line != "" {
		c.compile(line)
	}
	for _, tag := range byName {
		c.where = c.where.and(sets[known[tag]])
	}
	return c
}

// fromName are the tags in a file's name, which must all be set: _linux, _amd64, _linux_amd64.
func fromName(name string) []string {
	base := strings.TrimSuffix(strings.TrimSuffix(path.Base(name), ".go"), "_test")
	parts := strings.Split(base, "_")
	n := len(parts)
	switch {
	case n >= 3 && slices.Contains(systems, parts[n-2]) && slices.Contains(machines, parts[n-1]):
		return parts[n-2:]
	case n >= 2 && (slices.Contains(systems, parts[n-1]) || slices.Contains(machines, parts[n-1])):
		return parts[n-1:]
	}
	return nil
}

// fromComments is the line of the constraint before the package clause, "" where there is none.
func fromComments(content []byte) string {
	for len(content) > 0 {
		var line []byte
		line, content, _ = bytes.Cut(content, []byte{'\n'})
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0:
		case bytes.HasPrefix(line, []byte("//")):
			if bytes.HasPrefix(line, []byte("//go:build")) && constraint.IsGoBuild(string(line[:min(len(line), maxConstraint)])) {
				return string(line)
			}
		case bytes.HasPrefix(line, []byte("/*")):
			for !bytes.Contains(line, []byte("*/")) && len(content) > 0 {
				line, content, _ = bytes.Cut(content, []byte{'\n'})
			}
		default:
			return ""
		}
	}
	return ""
}

// compile works a constraint out. One that is none holds always, as if it were absent.
func (c *condition) compile(line string) {
	if len(line) >= maxConstraint {
		c.loose = true
		return
	}
	e, err := constraint.Parse(line)
	if err != nil {
		c.loose = len(line) > maxTerms // go/build/constraint has a limit of its own
		return
	}
	c.translate(e)
	if len(c.tags) > maxTags || len(c.code)<<len(c.tags) > maxTried {
		c.tags, c.code, c.loose = nil, nil, true
		return
	}
	c.where = platforms{}
	own := make([]uint8, len(c.tags))
	for i := range own {
		own[i] = uint8(i)
	}
	for set := range 1 << len(c.tags) {
		if c.where = c.where.or(c.eval(own, uint(set))); c.where == sets[everywhere] {
			break
		}
	}
	if len(c.tags) == 0 || len(c.code)<<len(c.tags) > maxJoint {
		c.code, c.loose = nil, len(c.tags) > 0
	}
}

// translate appends the steps of e.
func (c *condition) translate(e constraint.Expr) {
	switch e := e.(type) {
	case *constraint.AndExpr:
		c.translate(e.X)
		c.translate(e.Y)
		c.code = append(c.code, step{op: '&'})
	case *constraint.OrExpr:
		c.translate(e.X)
		c.translate(e.Y)
		c.code = append(c.code, step{op: '|'})
	case *constraint.NotExpr:
		c.translate(e.X)
		c.code = append(c.code, step{op: '!'})
	case *constraint.TagExpr:
		set, fixed := known[e.Tag]
		switch {
		case fixed:
		case e.Tag == "ignore": // never set
			set = nowhere
		case e.Tag == "gc" || strings.HasPrefix(e.Tag, "go1."):
			set = everywhere
		default:
			i := slices.Index(c.tags, e.Tag)
			if i < 0 {
				if i = len(c.tags); i <= maxTags { // one more says that there are too many
					c.tags = append(c.tags, strings.Clone(e.Tag))
				}
			}
			c.code = append(c.code, step{op: 't', at: uint8(i)})
			return
		}
		c.code = append(c.code, step{op: 'p', at: set})
	}
}

// eval returns the platforms on which the condition holds where the tag number i is set as the bit number[i] of set says.
func (c *condition) eval(number []uint8, set uint) platforms {
	var room [16]platforms
	stack := room[:0]
	for i := range c.code {
		s := c.code[i]
		n := len(stack)
		switch s.op {
		case 'p':
			stack = append(stack, sets[s.at])
		case 't':
			stack = append(stack, sets[set>>number[s.at]&1])
		case '!':
			stack[n-1] = stack[n-1].not()
		case '&':
			stack[n-2], stack = stack[n-2].and(stack[n-1]), stack[:n-1]
		case '|':
			stack[n-2], stack = stack[n-2].or(stack[n-1]), stack[:n-1]
		}
	}
	return stack[0]
}

// together reports whether two files can be built together: whether some system, machine and tags fulfil both
// conditions. The tag ignore is never set. Where that cannot be told within the steps of w, it says yes.
func together(a, b *condition, w *graph.Work) bool {
	switch {
	case a == nil && b == nil:
		return true
	case a == nil:
		return !b.where.empty()
	case b == nil:
		return !a.where.empty()
	}
	both := a.where.and(b.where)
	if both.empty() || len(a.code) == 0 || len(b.code) == 0 {
		return !both.empty()
	}
	tags := slices.Clone(a.tags)
	numbers := make([]uint8, len(b.tags))
	for i, t := range b.tags {
		at := slices.Index(tags, t)
		if at < 0 {
			at = len(tags)
			tags = append(tags, t)
		}
		numbers[i] = uint8(at)
	}
	steps := (len(a.code) + len(b.code)) << len(tags)
	switch {
	case len(tags) == len(a.tags)+len(b.tags):
		return true // what one is built for says nothing of the other
	case len(tags) > maxTags || steps > maxJoint || !w.Take(steps):
		w.Cut = true
		return true
	}
	own := []uint8{0, 1, 2, 3, 4, 5, 6, 7}
	for set := range 1 << len(tags) {
		if !a.eval(own, uint(set)).and(b.eval(numbers, uint(set))).and(both).empty() {
			return true
		}
	}
	return false
}
