package project

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/source"
)

// parseMSBuild reads a .NET project file.
func parseMSBuild(f *Facts, p *Project, b []byte) error {
	p.Ecosystem, p.Build = "dotnet", "msbuild"
	base := path.Base(p.Path)
	p.call(strings.TrimSuffix(base, path.Ext(base)), 0)
	versions := f.packageVersions()
	dec := xml.NewDecoder(bytes.NewReader(b))
	dec.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	name, needed := "", -1 // the package whose element the text stands in
	program, command, tests := "", "", false
	line, outputLine := 0, 0
	for {
		tok, err := dec.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			var syntax *xml.SyntaxError
			if errors.As(err, &syntax) {
				return source.LineError{Line: syntax.Line, Err: fmt.Errorf("reading XML: %s", syntax.Msg)}
			}
			return fmt.Errorf("reading XML: %w", err)
		}
		line, _ = dec.InputPos()
		switch t := tok.(type) {
		case xml.StartElement:
			name = t.Name.Local
			attrs := attributes(t)
			switch name {
			case "Project":
				if sdk := attrs["Sdk"]; strings.HasSuffix(sdk, ".Web") {
					program, outputLine = "web", line
				} else if strings.HasSuffix(sdk, ".Worker") {
					program, outputLine = "cli", line
				}
			case "PackageReference":
				needed = p.needPackage(attrs, versions, line)
				tests = tests || attrs["Include"] == "Microsoft.NET.Test.Sdk"
			}
		case xml.CharData:
			v := strings.TrimSpace(string(t))
			if v == "" {
				continue
			}
			switch name {
			case "Description":
				p.describe(v, line)
			case "PrivateAssets":
				if needed >= 0 && needed < len(p.Dependencies) && strings.EqualFold(v, "all") {
					p.Dependencies[needed].Kind = "dev"
				}
			case "Version":
				if needed >= 0 && needed < len(p.Dependencies) {
					p.Dependencies[needed].Version = v
				}
			case "OutputType":
				program, outputLine = programOf(v, program), line
			case "AssemblyName", "PackageId":
				if !strings.Contains(v, "$(") {
					p.call(v, line)
				}
			case "ToolCommandName":
				command = v
			case "IsTestProject":
				tests = strings.EqualFold(v, "true")
			}
		case xml.EndElement:
			if t.Name.Local == "PackageReference" {
				needed = -1
			}
			name = ""
		}
	}
	p.framework("xunit", "NUnit", "MSTest.TestFramework", "xunit.v3", "TUnit")
	if tests {
		p.develops()
		return nil
	}
	if program != "" {
		p.enterProgram(f, program, command, outputLine)
	}
	return nil
}

// needPackage notes a package that a project refers to, and returns the place that it has in what the project needs, if there was room; -1 for none.
func (p *Project) needPackage(attrs, versions map[string]string, line int) int {
	name, version, kind := attrs["Include"], attrs["Version"], "runtime"
	if version == "" {
		version = versions[name]
	}
	if strings.EqualFold(attrs["PrivateAssets"], "all") {
		kind = "dev"
	}
	if name == "" {
		return -1
	}
	at := len(p.Dependencies)
	p.need(name, version, kind, line)
	return at
}

// attributes are those of an element, by their local names.
func attributes(t xml.StartElement) map[string]string {
	attrs := map[string]string{}
	for _, a := range t.Attr {
		attrs[a.Name.Local] = a.Value
	}
	return attrs
}

// programOf is what kind of program an output type makes of one whose SDK made it another: "" for a library.
func programOf(output, before string) string {
	switch {
	case !strings.EqualFold(output, "exe") && !strings.EqualFold(output, "winexe"):
		return ""
	case before == "":
		return "cli"
	}
	return before
}

// enterProgram notes the file in which a program of .NET begins, by the first of the usual names.
func (p *Project) enterProgram(f *Facts, kind, command string, line int) {
	if command == "" {
		command = p.Name
	}
	for _, file := range []string{"Program.cs", "Program.fs", "Program.vb", "Main.cs", "MauiProgram.cs", "App.xaml.cs"} {
		if f.Files[joinDir(p.Dir, file)] != nil {
			p.enter(file, kind, command, line)
			return
		}
	}
}

var packageVersion = lazyregexp.New(`<PackageVersion\s+Include="([^"]+)"\s+Version="([^"]+)"`)

// packageVersions are the versions that the root's Directory.Packages.props sets for all projects.
func (f *Facts) packageVersions() map[string]string {
	if f.nugetVersions != nil {
		return f.nugetVersions
	}
	f.nugetVersions = map[string]string{}
	file := f.Files["Directory.Packages.props"]
	if file == nil || file.Size > MaxManifestBytes {
		return f.nugetVersions
	}
	b, _, err := f.texts.Read(file)
	if err != nil {
		return f.nugetVersions
	}
	for _, m := range packageVersion.FindAllSubmatch(b, maxDepsRead) {
		f.nugetVersions[string(m[1])] = string(m[2])
	}
	return f.nugetVersions
}

// parseSolution names a project by the solution that holds it.
func parseSolution(_ *Facts, p *Project, _ []byte) error {
	p.Ecosystem, p.Build, p.Tool = "dotnet", "msbuild", true
	base := path.Base(p.Path)
	p.call(strings.TrimSuffix(base, path.Ext(base)), 0)
	return nil
}
