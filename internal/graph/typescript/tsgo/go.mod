// A module of its own only so that its path lies below
// github.com/microsoft/typescript-go: that is what opens the compiler's
// internal packages to it. The main module replaces it by this folder.
module github.com/microsoft/typescript-go/tsshim

go 1.26

require github.com/microsoft/typescript-go v0.0.0-20260708042240-2bd066d87f5b
