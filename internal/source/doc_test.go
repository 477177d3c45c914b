package source

import (
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/claim"
)

// What authors say of a file and of what it exports, and what is no such thing.
func TestDocs(t *testing.T) {
	for _, c := range []struct{ name, in, file, symbol string }{
		{"strip-url-auth.ts", "/**\nReturns the URL as a string with `username` stripped.\n*/\nexport default function stripUrlAuth(url: URL | string): string {\n\treturn ''\n}\n", "", "stripUrlAuth: Returns the URL as a string with `username` stripped"},
		{"strip-url-auth.ts", "/*\nReturns the URL as a string without a user.\n*/\nexport default function stripUrlAuth(url: URL) {}\n", "", "stripUrlAuth: Returns the URL as a string without a user"},
		{"a.ts", "// The public interface: what users import.\nexport {x} from './x';\n", "The public interface: what users import", ""},
		{"a.ts", "// Where the retries of a request are counted.\nexport const retries = new Map();\n", "", ""},
		{"a.ts", "// This module parses the headers of requests.\nimport {x} from './x';\n", "This module parses the headers of requests", ""},
		{"a.ts", "// This module parses the headers of requests.\n\nlet a = 1\n", "This module parses the headers of requests", ""},
		{"bin.cjs", "#!/usr/bin/env node\n// https://nodejs.org/api/module.html#cache\n// Enable compile cache for the main process here\nlet x = 1\n", "", ""},
		{"lic.ts", "/*\n * Copyright (c) 2020 Somebody, all rights reserved.\n * Permission is hereby granted.\n */\n\n/**\n * @fileoverview Draws the tree of a folder.\n */\nimport 'x'\n", "Draws the tree of a folder", ""},
		{"b.ts", "import 'x'\n\n/** An error of parsing a file. */\nexport class ParseError {}\n\n/**\n * Reads one {@link Manifest} from disk. And more.\n * @param x\n */\nexport async function readManifest(x) {}\n", "", "readManifest: Reads one Manifest from disk"},
		{"auth.py", "\"\"\"\nrequests.auth\n~~~~~~~~~~~~~\n\nThis module contains the authentication handlers for Requests.\n\"\"\"\n\nimport os\n\n\nclass AuthBase:\n    \"\"\"Base class that all auth implementations derive from\"\"\"\n\n    def x(self):\n        \"\"\"Not this text of a method.\"\"\"\n",
			"This module contains the authentication handlers for Requests", "AuthBase: Base class that all auth implementations derive from"},
		{"art.py", "#   __\n#  /__)  _  _     _   _ _/   _\n# / (   (- (/ (/ (- _)  /  _)\n\n\"\"\"\nRequests HTTP Library\n~~~~~~~~~~~~~~~~~~~~~\n\nRequests is an HTTP library, written in Python, for human beings.\n\"\"\"\n", "Requests is an HTTP library, written in Python, for human beings", ""},
		{"app.py", "import os\n\nclass Flask(\n    App,\n):\n    x = 1\n    \"\"\"Not a docstring of the class.\"\"\"\n", "", ""},
		{"app.py", "import os\n\nclass Flask(\n    App,\n):\n    \"\"\"The flask object implements a WSGI application.\n\n    More of it.\n    \"\"\"\n", "", "Flask: The flask object implements a WSGI application"},
		{"lib.rs", "//! Parses command lines into structures.\n\nuse std::io;\n\n/// Writes a line to the terminal at once.\npub fn write_line() {}\n", "Parses command lines into structures", "write_line: Writes a line to the terminal at once"},
		{"A.java", "package x;\n\n/**\n * Holds the connections of one pool.\n */\npublic class A {\n", "", "A: Holds the connections of one pool"},
		{"quay.c", "/* -*- Mode: C; tab-width: 4; c-basic-offset: 4; indent-tabs-mode: nil -*- */\n/*\n * vim: set sw=4 ts=4:\n * Counts the ropes of each berth.\n */\n#include \"quay.h\"\n", "Counts the ropes of each berth", ""},
		{"todo.ts", "// TODO: parse the flags of this program here\n\nimport 'x'\n", "", ""},
	} {
		l := LanguageOf(c.name)
		d := l.docsOf(c.name, []byte(c.in), l.parts([]byte(c.in)))
		symbol := ""
		if d.Symbol.Text != "" {
			symbol = d.SymbolName + ": " + d.Symbol.Text
		}
		if d.About.Text != c.file || symbol != c.symbol {
			t.Errorf("%s: %q\nfile %q, want %q\nsymbol %q, want %q", c.name, c.in, d.About.Text, c.file, symbol, c.symbol)
		}
		for _, q := range []claim.Quote{d.About, d.Symbol} {
			if n := strings.Count(c.in, "\n"); q.Text != "" && (q.Line < 1 || q.Line > n) {
				t.Errorf("%s: line %d of %d", c.name, q.Line, n)
			}
		}
	}
}
