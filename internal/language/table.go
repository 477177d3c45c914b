package language

// The forms of string that most languages have.
var (
	double      = Quote{`"`, `"`, '\\', false}
	single      = Quote{`'`, `'`, '\\', false}
	doubleLines = Quote{`"`, `"`, '\\', true}
	singleLines = Quote{`'`, `'`, '\\', true}
	backtick    = Quote{"`", "`", '\\', true}
	plainTick   = Quote{"`", "`", 0, true}
	triple      = Quote{`"""`, `"""`, '\\', true}
	tripleTick  = Quote{`'''`, `'''`, '\\', true}
	plainSingle = Quote{`'`, `'`, 0, true}
	twiceSingle = Quote{`'`, `'`, '\'', true}
	twiceDouble = Quote{`"`, `"`, '"', true}
)

// strings are those forms as languages have them; the longer stand before what they begin with.
var (
	clikeStrings  = []Quote{double, single}
	scriptStrings = []Quote{double, single, backtick}
	tripleStrings = []Quote{triple, double, single}
	pythonStrings = []Quote{triple, tripleTick, double, single}
	shellStrings  = []Quote{doubleLines, plainSingle}
	phpStrings    = []Quote{doubleLines, singleLines}
	rubyStrings   = []Quote{doubleLines, singleLines, backtick}
	sqlStrings    = []Quote{twiceSingle, twiceDouble}
)

// All are the languages, by kind and then by name.
var All = []Language{
	{Name: "Astro", Extensions: "astro", Kind: Code, Family: "script", Comments: "//", Open: "/*", Shut: "*/", Quotes: scriptStrings, Raw: Regexp, Blocks: Braces, Ends: Newline},
	{Name: "Assembly", Extensions: "asm s", Kind: Code, Comments: ";", Ends: Newline},
	{Name: "AWK", Extensions: "awk", Kind: Code, Comments: "#", Quotes: []Quote{double}, Raw: Regexp, Blocks: Braces, Ends: Newline},
	{Name: "Batch", Extensions: "bat cmd", Kind: Code, Comments: "::", Ends: Newline, FoldsCase: true},
	{Name: "C", Extensions: "c h", Kind: Code, Family: "C", Comments: "//", Open: "/*", Shut: "*/", Quotes: clikeStrings, Blocks: Braces},
	{Name: "C#", Extensions: "cs", Kind: Code, Family: ".NET", Comments: "//", Open: "/*", Shut: "*/", Quotes: clikeStrings, Raw: Verbatim, Blocks: Braces},
	{Name: "C++", Extensions: "cc cpp cxx hh hpp hxx inl ipp tpp ixx cppm", Kind: Code, Family: "C", Comments: "//", Open: "/*", Shut: "*/", Quotes: clikeStrings, Raw: Delimited, Blocks: Braces},
	{Name: "Clojure", Extensions: "clj cljs cljc edn", Kind: Code, Comments: ";", Quotes: []Quote{doubleLines}},
	{Name: "CMake", Extensions: "cmake", Names: "cmakelists.txt", Kind: Code, Comments: "#", Quotes: []Quote{doubleLines}, Raw: Brackets, Ends: Newline, FoldsCase: true},
	{Name: "CoffeeScript", Extensions: "coffee", Kind: Code, Comments: "#", Open: "###", Shut: "###", Quotes: pythonStrings, Blocks: Indentation, Ends: Newline},
	{Name: "Crystal", Extensions: "cr", Kind: Code, Comments: "#", Quotes: []Quote{doubleLines, single}, Raw: Heredoc | Percent, Blocks: EndWords, Ends: Newline},
	{Name: "CUDA", Extensions: "cu cuh", Kind: Code, Family: "C", Comments: "//", Open: "/*", Shut: "*/", Quotes: clikeStrings, Raw: Delimited, Blocks: Braces},
	{Name: "D", Extensions: "d", Kind: Code, Comments: "//", Open: "/*", Shut: "*/", Quotes: []Quote{doubleLines, single, plainTick}, Blocks: Braces},
	{Name: "Dart", Extensions: "dart", Kind: Code, Comments: "//", Open: "/*", Shut: "*/", Nested: true, Quotes: pythonStrings, Blocks: Braces},
	{Name: "Dockerfile", Extensions: "dockerfile", Names: "dockerfile containerfile", Kind: Code, Comments: "#", Quotes: clikeStrings, Ends: Newline, FoldsCase: true},
	{Name: "Elixir", Extensions: "ex exs", Kind: Code, Comments: "#", Quotes: []Quote{triple, tripleTick, doubleLines, singleLines}, Raw: Percent, Blocks: EndWords, Ends: Newline},
	{Name: "Elm", Extensions: "elm", Kind: Code, Comments: "--", Open: "{-", Shut: "-}", Nested: true, Quotes: tripleStrings, Blocks: Indentation, Ends: Newline},
	{Name: "Erlang", Extensions: "erl hrl", Kind: Code, Comments: "%", Quotes: []Quote{doubleLines, singleLines}},
	{Name: "F#", Extensions: "fs fsi fsx", Kind: Code, Family: ".NET", Comments: "//", Open: "(*", Shut: "*)", Nested: true, Quotes: []Quote{triple, doubleLines}, Raw: Verbatim, Blocks: Indentation, Ends: Newline},
	{Name: "Fortran", Extensions: "f f90 f95 f03 f08 for", Kind: Code, Comments: "!", Quotes: []Quote{{`"`, `"`, '"', false}, {`'`, `'`, '\'', false}}, Blocks: EndWords, Ends: Newline, FoldsCase: true},
	{Name: "GDScript", Extensions: "gd", Kind: Code, Comments: "#", Quotes: pythonStrings, Blocks: Indentation, Ends: Newline},
	{Name: "Go", Extensions: "go", Kind: Code, Comments: "//", Open: "/*", Shut: "*/", Quotes: []Quote{double, single, plainTick}, Blocks: Braces, Ends: Newline},
	{Name: "GraphQL", Extensions: "graphql gql graphqls", Kind: Code, Comments: "#", Quotes: []Quote{triple, double}, Blocks: Braces, Ends: Newline},
	{Name: "Groovy", Extensions: "groovy gradle gvy", Names: "jenkinsfile", Kind: Code, Family: "JVM", Comments: "//", Open: "/*", Shut: "*/", Quotes: pythonStrings, Blocks: Braces, Ends: Newline},
	{Name: "Haskell", Extensions: "hs lhs", Kind: Code, Comments: "--", Open: "{-", Shut: "-}", Nested: true, Quotes: []Quote{double}, Blocks: Indentation, Ends: Newline},
	{Name: "HCL", Extensions: "hcl tfvars nomad", Kind: Code, Family: "Terraform", Comments: "# //", Open: "/*", Shut: "*/", Quotes: []Quote{double}, Raw: Heredoc, Blocks: Braces, Ends: Newline},
	{Name: "Java", Extensions: "java", Kind: Code, Family: "JVM", Comments: "//", Open: "/*", Shut: "*/", Quotes: tripleStrings, Blocks: Braces},
	{Name: "JavaScript", Extensions: "js jsx mjs cjs", Kind: Code, Family: "script", Comments: "//", Open: "/*", Shut: "*/", Quotes: scriptStrings, Raw: Regexp, Blocks: Braces, Ends: Newline},
	{Name: "Julia", Extensions: "jl", Kind: Code, Comments: "#", Open: "#=", Shut: "=#", Nested: true, Quotes: []Quote{triple, doubleLines}, Blocks: EndWords, Ends: Newline},
	{Name: "Kotlin", Extensions: "kt kts", Kind: Code, Family: "JVM", Comments: "//", Open: "/*", Shut: "*/", Nested: true, Quotes: []Quote{{`"""`, `"""`, 0, true}, double, single}, Blocks: Braces, Ends: Newline},
	{Name: "Lisp", Extensions: "lisp el scm rkt cl", Kind: Code, Comments: ";", Open: "#|", Shut: "|#", Nested: true, Quotes: []Quote{doubleLines}},
	{Name: "Lua", Extensions: "lua luau rockspec", Kind: Code, Comments: "--", Quotes: clikeStrings, Raw: Brackets, Blocks: EndWords, Ends: Newline},
	{Name: "Make", Extensions: "mk mak", Names: "makefile gnumakefile makefile.am", Kind: Code, Comments: "#", Ends: Newline},
	{Name: "Nim", Extensions: "nim nims", Kind: Code, Comments: "#", Open: "#[", Shut: "]#", Nested: true, Quotes: []Quote{triple, double, single}, Blocks: Indentation, Ends: Newline},
	{Name: "Nix", Extensions: "nix", Kind: Code, Comments: "#", Open: "/*", Shut: "*/", Quotes: []Quote{{`''`, `''`, 0, true}, doubleLines}, Blocks: Braces},
	{Name: "Objective-C", Extensions: "m mm", Kind: Code, Family: "C", Comments: "//", Open: "/*", Shut: "*/", Quotes: clikeStrings, Blocks: Braces},
	{Name: "OCaml", Extensions: "ml mli", Kind: Code, Open: "(*", Shut: "*)", Nested: true, Quotes: []Quote{doubleLines}, Ends: Newline},
	{Name: "Pascal", Extensions: "pas pp dpr", Kind: Code, Comments: "//", Open: "{", Shut: "}", Quotes: []Quote{{`'`, `'`, '\'', false}}, Blocks: EndWords, FoldsCase: true},
	{Name: "Perl", Extensions: "pl pm t", Names: "cpanfile", Kind: Code, Comments: "#", Quotes: phpStrings, Raw: Heredoc | Regexp, Blocks: Braces},
	{Name: "PHP", Extensions: "php phtml", Kind: Code, Comments: "// #", Open: "/*", Shut: "*/", Quotes: phpStrings, Raw: Heredoc, Blocks: Braces, FoldsCase: true},
	{Name: "PowerShell", Extensions: "ps1 psm1", Kind: Code, Comments: "#", Open: "<#", Shut: "#>", Quotes: []Quote{{"@\"", "\n\"@", 0, true}, {"@'", "\n'@", 0, true}, {`"`, `"`, '`', true}, twiceSingle}, Blocks: Braces, Ends: Newline, FoldsCase: true},
	{Name: "Prisma", Extensions: "prisma", Kind: Code, Comments: "//", Quotes: []Quote{double}, Blocks: Braces, Ends: Newline},
	{Name: "Protocol Buffers", Extensions: "proto", Kind: Code, Comments: "//", Open: "/*", Shut: "*/", Quotes: clikeStrings, Blocks: Braces},
	{Name: "Python", Extensions: "py pyi", Kind: Code, Comments: "#", Quotes: pythonStrings, Blocks: Indentation, Ends: Newline},
	{Name: "Cython", Extensions: "pyx pxd pxi", Kind: Code, Comments: "#", Quotes: pythonStrings, Blocks: Indentation, Ends: Newline},
	{Name: "R", Extensions: "r", Kind: Code, Comments: "#", Quotes: phpStrings, Blocks: Braces, Ends: Newline},
	{Name: "Ruby", Extensions: "rb rake gemspec ru jbuilder", Names: "rakefile gemfile vagrantfile brewfile podfile fastfile appfile matchfile guardfile capfile berksfile thorfile dangerfile puppetfile steepfile appraisals", Kind: Code, Comments: "#", Open: "\n=begin", Shut: "\n=end", Quotes: rubyStrings, Raw: Heredoc | Percent | Regexp, Blocks: EndWords, Ends: Newline},
	{Name: "Rust", Extensions: "rs", Kind: Code, Comments: "//", Open: "/*", Shut: "*/", Nested: true, Quotes: []Quote{doubleLines}, Raw: Hashes, Blocks: Braces},
	{Name: "Scala", Extensions: "scala sc sbt", Kind: Code, Family: "JVM", Comments: "//", Open: "/*", Shut: "*/", Nested: true, Quotes: []Quote{{`"""`, `"""`, 0, true}, double}, Blocks: Braces, Ends: Newline},
	{Name: "Sed", Extensions: "sed", Kind: Code, Comments: "#", Ends: Newline},
	{Name: "Shaders", Extensions: "glsl vert frag wgsl hlsl metal", Kind: Code, Comments: "//", Open: "/*", Shut: "*/", Quotes: []Quote{double}, Blocks: Braces},
	{Name: "Shell", Extensions: "sh bash zsh ksh fish", Kind: Code, Comments: "#", Quotes: shellStrings, Raw: Heredoc, Blocks: Braces, Ends: Newline},
	{Name: "Solidity", Extensions: "sol", Kind: Code, Comments: "//", Open: "/*", Shut: "*/", Quotes: clikeStrings, Blocks: Braces},
	{Name: "SQL", Extensions: "sql ddl", Kind: Code, Comments: "--", Open: "/*", Shut: "*/", Quotes: sqlStrings, Raw: Dollars, FoldsCase: true},
	{Name: "Starlark", Extensions: "bzl bazel star", Names: "build workspace tiltfile buck", Kind: Code, Comments: "#", Quotes: pythonStrings, Blocks: Indentation, Ends: Newline},
	{Name: "Svelte", Extensions: "svelte", Kind: Code, Family: "script", Comments: "//", Open: "/*", Shut: "*/", Quotes: scriptStrings, Raw: Regexp, Blocks: Braces, Ends: Newline},
	{Name: "Swift", Extensions: "swift", Kind: Code, Comments: "//", Open: "/*", Shut: "*/", Nested: true, Quotes: []Quote{triple, double}, Raw: Hashes | Regexp, Blocks: Braces, Ends: Newline},
	{Name: "Tcl", Extensions: "tcl", Kind: Code, Comments: "#", Quotes: []Quote{doubleLines}, Blocks: Braces, Ends: Newline},
	{Name: "Terraform", Extensions: "tf tofu", Kind: Code, Family: "Terraform", Comments: "# //", Open: "/*", Shut: "*/", Quotes: []Quote{double}, Raw: Heredoc, Blocks: Braces, Ends: Newline},
	{Name: "Thrift", Extensions: "thrift", Kind: Code, Comments: "// #", Open: "/*", Shut: "*/", Quotes: clikeStrings, Blocks: Braces, Ends: Newline},
	{Name: "TypeScript", Extensions: "ts tsx mts cts", Kind: Code, Family: "script", Comments: "//", Open: "/*", Shut: "*/", Quotes: scriptStrings, Raw: Regexp, Blocks: Braces, Ends: Newline},
	{Name: "Verilog", Extensions: "v sv svh", Kind: Code, Comments: "//", Open: "/*", Shut: "*/", Quotes: []Quote{double}, Blocks: EndWords},
	{Name: "VHDL", Extensions: "vhd vhdl", Kind: Code, Comments: "--", Quotes: []Quote{double}, Blocks: EndWords, FoldsCase: true},
	{Name: "Visual Basic", Extensions: "vb", Kind: Code, Family: ".NET", Comments: "'", Quotes: []Quote{{`"`, `"`, '"', false}}, Blocks: EndWords, Ends: Newline, FoldsCase: true},
	{Name: "Vue", Extensions: "vue", Kind: Code, Family: "script", Comments: "//", Open: "/*", Shut: "*/", Quotes: scriptStrings, Raw: Regexp, Blocks: Braces, Ends: Newline},
	{Name: "Zig", Extensions: "zig", Kind: Code, Comments: "//", Quotes: clikeStrings, Blocks: Braces},

	{Name: "CSS", Extensions: "css", Kind: Markup, Family: "style", Open: "/*", Shut: "*/", Quotes: clikeStrings, Blocks: Braces},
	{Name: "HTML", Extensions: "html htm xhtml", Kind: Markup, Family: "HTML", Open: "<!--", Shut: "-->", Quotes: shellStrings},
	{Name: "Less", Extensions: "less", Kind: Markup, Family: "style", Comments: "//", Open: "/*", Shut: "*/", Quotes: clikeStrings, Blocks: Braces},
	{Name: "Sass", Extensions: "scss sass", Kind: Markup, Family: "style", Comments: "//", Open: "/*", Shut: "*/", Quotes: clikeStrings, Blocks: Braces},
	{Name: "Stylus", Extensions: "styl", Kind: Markup, Family: "style", Comments: "//", Open: "/*", Shut: "*/", Quotes: clikeStrings, Blocks: Indentation, Ends: Newline},
	{Name: "Templates", Extensions: "erb hbs ejs pug tmpl tpl template j2 jinja mustache", Kind: Markup},

	{Name: "Configuration", Extensions: "ini cfg conf properties env editorconfig", Kind: Data, Comments: "# ;", Ends: Newline},
	{Name: "JSON", Extensions: "json json5 jsonc", Kind: Data, Comments: "//", Open: "/*", Shut: "*/", Quotes: clikeStrings, Blocks: Braces},
	{Name: "Notebook", Extensions: "ipynb", Kind: Data, Quotes: []Quote{double}, Blocks: Braces},
	{Name: "Tables", Extensions: "csv tsv jsonl ndjson geojson log dat har", Kind: Data, Ends: Newline},
	{Name: "TOML", Extensions: "toml", Kind: Data, Comments: "#", Quotes: pythonStrings, Ends: Newline},
	{Name: "XML", Extensions: "xml xsd xsl xslt plist csproj fsproj vbproj props targets resx", Kind: Data, Open: "<!--", Shut: "-->", Quotes: shellStrings},
	{Name: "YAML", Extensions: "yml yaml", Kind: Data, Comments: "#", Quotes: phpStrings, Blocks: Indentation, Ends: Newline},

	{Name: "AsciiDoc", Extensions: "adoc asciidoc", Kind: Prose, Family: "prose", Comments: "//"},
	{Name: "Markdown", Extensions: "md mdx markdown", Kind: Prose, Family: "prose", Open: "<!--", Shut: "-->"},
	{Name: "reStructuredText", Extensions: "rst", Kind: Prose, Family: "prose"},
	{Name: "TeX", Extensions: "tex", Kind: Prose, Family: "prose", Comments: "%"},
	{Name: "Text", Extensions: "txt text rtf org pod rdoc textile wiki", Kind: Prose, Family: "prose"},
}
