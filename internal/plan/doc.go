// Package plan is what goes into the archives, and why: the order in which the change needs
// files, the basket that a budget fills, the engine's documents, and the gate that holds
// all of it against what was approved. It takes what a snapshot found as it is: it reads no
// repository, redacts nothing, and writes no file.
package plan
