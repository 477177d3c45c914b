package golang

import (
	"bytes"
	"go/build/constraint"
	"path"
	"slices"
	"strings"
)

var systems = strings.Fields("aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos")

var machines = strings.Fields(`386 amd64 amd64p32 arm arm64 arm64be armbe loong64 mips mips64 mips64le mips64p32 mips64p32le
mipsle ppc ppc64 ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm`)

var unix = strings.Fields("aix android darwin dragonfly freebsd hurd illumos ios linux netbsd openbsd solaris")

// fromName is the constraint in a file's name: _linux, _amd64, _linux_amd64.
func fromName(name string) constraint.Expr {
	base := strings.TrimSuffix(strings.TrimSuffix(path.Base(name), ".go"), "_test")
	parts := strings.Split(base, "_")
	n := len(parts)
	switch {
	case n >= 3 && slices.Contains(systems, parts[n-2]) && slices.Contains(machines, parts[n-1]):
		return &constraint.AndExpr{X: &constraint.TagExpr{Tag: parts[n-2]}, Y: &constraint.TagExpr{Tag: parts[n-1]}}
	case n >= 2 && (slices.Contains(systems, parts[n-1]) || slices.Contains(machines, parts[n-1])):
		return &constraint.TagExpr{Tag: strings.Clone(parts[n-1])}
	}
	return nil
}

// fromComments is the constraint before the package clause.
func fromComments(content []byte) constraint.Expr {
	for len(content) > 0 {
		var line []byte
		line, content, _ = bytes.Cut(content, []byte{'\n'})
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0:
		case bytes.HasPrefix(line, []byte("//")):
			if len(line) < 10_000 && constraint.IsGoBuild(string(line)) {
				e, err := constraint.Parse(string(line))
				if err != nil {
					return nil
				}
				return e
			}
		case bytes.HasPrefix(line, []byte("/*")):
			for !bytes.Contains(line, []byte("*/")) && len(content) > 0 {
				line, content, _ = bytes.Cut(content, []byte{'\n'})
			}
		default:
			return nil
		}
	}
	return nil
}

func both(a, b constraint.Expr) constraint.Expr {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return &constraint.AndExpr{X: a, Y: b}
}

// maxTags bounds the tags that are tried in every combination.
const maxTags = 8

// together reports whether two files can be built together: whether some
// system, machine and tags fulfil both constraints. The tag ignore is never set.
func together(a, b constraint.Expr) bool {
	if a == nil && b == nil {
		return true
	}
	e := both(a, b)
	var oses, arches, tags []string
	var walk func(e constraint.Expr)
	walk = func(e constraint.Expr) {
		switch e := e.(type) {
		case *constraint.AndExpr:
			walk(e.X)
			walk(e.Y)
		case *constraint.OrExpr:
			walk(e.X)
			walk(e.Y)
		case *constraint.NotExpr:
			walk(e.X)
		case *constraint.TagExpr:
			list := &tags
			switch {
			case slices.Contains(systems, e.Tag) || e.Tag == "unix":
				list = &oses
			case slices.Contains(machines, e.Tag):
				list = &arches
			case e.Tag == "ignore" || e.Tag == "gc" || strings.HasPrefix(e.Tag, "go1."):
				return
			}
			if !slices.Contains(*list, e.Tag) {
				*list = append(*list, e.Tag)
			}
		}
	}
	walk(e)
	if len(tags) > maxTags {
		return true
	}
	// The systems that are named, and for all others one that is unix and one
	// that is not.
	candidates := append([]string{"", "plan9"}, oses...)
	if slices.Contains(oses, "unix") {
		candidates = append(candidates, unix...)
	}
	for _, os := range candidates {
		for _, arch := range append([]string{""}, arches...) {
			for set := range 1 << len(tags) {
				if e.Eval(func(tag string) bool {
					switch {
					case tag == "gc" || strings.HasPrefix(tag, "go1."):
						return true
					case tag == "unix":
						return slices.Contains(unix, os)
					case tag == os || tag == arch:
						return tag != ""
					case tag == "linux" && os == "android", tag == "darwin" && os == "ios":
						return true
					}
					i := slices.Index(tags, tag)
					return i >= 0 && set&(1<<i) != 0
				}) {
					return true
				}
			}
		}
	}
	return false
}
