// Package plan is what goes into the archives, and why: the order in which the change needs
// files, the basket that a budget fills, the engine's documents, and the gate that holds
// all of it against what was approved. It takes what a snapshot found as it is: of the
// repository it reads again only what the base had of a state and of changed imports; it
// redacts nothing but strings of the engine's own documents, and writes no file.
package plan
