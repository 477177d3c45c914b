package project

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/source"
)

// maxRubyLine bounds the bytes of a line that is looked at.
const maxRubyLine = 2000

// A Gemfile and a gemspec are programs and are not run; these are the ways that nearly all of them are written.
var (
	gem         = lazyregexp.New(`^\s*gem[\s(]+['"]([^'"]+)['"](?:\s*,\s*['"]([^'"]*)['"])?`)
	gemGroup    = lazyregexp.New(`\bgroups?(?::|\s*=>)\s*(\[[^\]]*\]|%[iw][\[({][^\])}]*[\])}]|:\w+|['"]\w+['"])`)
	rubyWord    = lazyregexp.New(`\w+`)
	rubyOpens   = lazyregexp.New(`^(?:if|unless|case|while|until|begin|def|class|module|for)\b|\bdo(?:\s*\|[^|]*\|)?$`)
	rubyEnds    = lazyregexp.New(`\bend$`)
	gemSets     = lazyregexp.New(`^\s*\w+\.(name|summary|description|executables?|bindir)\s*(?:<<|\+?=)\s*(.*)$`)
	gemNeeds    = lazyregexp.New(`^\s*\w+\.add_(runtime_|development_)?dependency[\s(]+(?:['"]|%q<)([^'">]+)['">](?:\s*(?:\.freeze)?,\s*\[?['"]([^'"]*)['"])?`)
	rubyWords   = lazyregexp.New(`%[wi][\[({<]([^\])}>]*)`)
	rubyQuoted  = lazyregexp.New(`^['"]([^'"#]*)['"]|[\[,(]\s*['"]([^'"#]*)['"]`)
	rubyHeredoc = lazyregexp.New(`^<<[~-]?['"]?(\w+)`)
)

// parseGemfile reads what an application needs. Where the folder has a gemspec, which says what the gem needs, a Gemfile is for
// those who develop it.
func parseGemfile(f *Facts, p *Project, b []byte) error {
	p.Ecosystem, p.Build = "ruby", "bundler"
	library := f.gemspecIn(p.Dir)
	n := 0
	var around []bool // blocks that the line stands in, and whether what stands there is for development
	for line := range bytes.Lines(b) {
		n++
		s := uncommented(string(line))
		if len(line) > maxRubyLine || s == "" {
			continue
		}
		dev := len(around) > 0 && around[len(around)-1]
		first, rest, _ := strings.Cut(s, " ")
		switch {
		case first == "gemspec":
			library = true
		case first == "end" && len(around) > 0:
			around = around[:len(around)-1]
		case rubyOpens.MatchString(s) && !rubyEnds.MatchString(s):
			if first == "group" {
				dev = dev || developing(strings.TrimSuffix(rest, " do"))
			}
			around = append(around, dev)
		}
		m := gem.FindStringSubmatch(s)
		if m == nil {
			continue
		}
		kind := "runtime"
		if g := gemGroup.FindStringSubmatch(s); dev || g != nil && developing(g[1]) {
			kind = "dev"
		}
		p.need(m[1], m[2], kind, n)
	}
	if library {
		for i := range p.Dependencies {
			p.Dependencies[i].Kind = "dev"
		}
	}
	p.rubyTest()
	return nil
}

// uncommented is a line of Ruby without the comment that it is, or ends with, and what is blank around it.
func uncommented(line string) string {
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "#") {
		return ""
	}
	line, _, _ = strings.Cut(line, " # ")
	return strings.TrimSpace(line)
}

// developing reports whether groups of a Gemfile are all for development.
func developing(groups string) bool {
	names := slices.DeleteFunc(rubyWord.FindAllString(groups, 20), func(w string) bool { return w == "i" || w == "w" || w == "optional" || w == "true" || w == "false" })
	return len(names) > 0 && !slices.ContainsFunc(names, func(w string) bool { return !devGroup(w) })
}

// gemspecIn reports whether a gemspec lies in a folder.
func (f *Facts) gemspecIn(dir string) bool {
	for i := range f.Snapshot.Files {
		if name := f.Snapshot.Files[i].Path; path.Ext(name) == ".gemspec" && source.DirOf(name) == dir {
			return true
		}
	}
	return false
}

func (p *Project) rubyTest() {
	p.framework("rspec", "rspec-rails", "minitest", "test-unit", "cucumber")
}

// rubyListing is in an expression that takes the names of files from a folder.
var rubyListing = lazyregexp.New(`grep|Dir|git ls-files|glob`)

// parseGemspec reads what a gem is called, what it needs, and the programs that it brings.
func parseGemspec(f *Facts, p *Project, b []byte) error {
	p.Ecosystem, p.Build = "ruby", "rubygems"
	if f.Files[joinDir(p.Dir, "Gemfile")] != nil {
		p.Build = "bundler"
	}
	var programs []Way // by their names
	folder, all := "bin", 0
	var long claim.Quote // the description, where there is no summary
	n, until := 0, ""
	for line := range bytes.Lines(b) {
		n++
		s := uncommented(string(line))
		if len(line) > maxRubyLine || s == "" {
			continue
		}
		if until != "" { // the lines of a here document
			if s == until {
				until = ""
			} else if len(long.Text) < 300 {
				long.Text = strings.TrimSpace(long.Text + " " + s)
			}
			continue
		}
		if m := gemNeeds.FindStringSubmatch(s); m != nil {
			kind := "runtime"
			if m[1] == "development_" {
				kind = "dev"
			}
			p.need(m[2], m[3], kind, n)
			continue
		}
		m := gemSets.FindStringSubmatch(s)
		if m == nil {
			continue
		}
		values := rubyStrings(m[2])
		switch {
		case m[1] == "name" && len(values) > 0:
			p.call(values[0], n)
		case m[1] == "summary" && len(values) > 0:
			p.describe(values[0], n)
		case m[1] == "description" && len(values) > 0:
			long = claim.Quote{Text: values[0], Line: n}
		case m[1] == "description":
			if h := rubyHeredoc.FindStringSubmatch(m[2]); h != nil {
				until, long = h[1], claim.Quote{Line: n + 1}
			}
		case m[1] == "bindir" && len(values) > 0:
			folder = values[0]
		case strings.HasPrefix(m[1], "executable") && rubyListing.MatchString(m[2]):
			all = n
		case strings.HasPrefix(m[1], "executable"):
			for _, v := range values {
				programs = append(programs, Way{Name: v, Line: n})
			}
		}
	}
	if p.Description.Text == "" {
		p.describe(long.Text, long.Line)
	}
	if all > 0 {
		programs = append(programs, f.programsIn(path.Join(p.Dir, folder), all)...)
	}
	for _, w := range firstN(programs) {
		p.enter(path.Join(folder, w.Name), "cli", w.Name, w.Line)
	}
	p.enterGem(f)
	p.rubyTest()
	return nil
}

// programsIn are all files of a folder, which a line of a gemspec takes for its programs.
func (f *Facts) programsIn(dir string, line int) (list []Way) {
	for i := range f.Snapshot.Files {
		if file := &f.Snapshot.Files[i]; source.DirOf(file.Path) == dir {
			list = append(list, Way{Name: path.Base(file.Path), Line: line})
		}
	}
	return list
}

// enterGem notes the file that requiring the gem by its name loads.
func (p *Project) enterGem(f *Facts) {
	for _, file := range []string{p.Name, strings.ReplaceAll(p.Name, "-", "/")} {
		if file = "lib/" + file + ".rb"; f.Files[joinDir(p.Dir, file)] != nil {
			p.enter(file, "library", p.Name, p.NameLine)
			break
		}
	}
}

// rubyStrings are the strings that a value of Ruby is, or is a list of; none where it is computed.
func rubyStrings(s string) (list []string) {
	if m := rubyWords.FindStringSubmatch(s); m != nil {
		return strings.Fields(m[1])
	}
	for _, m := range rubyQuoted.FindAllStringSubmatch(s, 100) {
		list = append(list, m[1]+m[2])
	}
	return list
}
