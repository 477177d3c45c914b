// Package report is what readers are told of a run: the comment for those who review a
// change, the summary for who started the run, context.md for a model. It makes texts of
// what was planned and recorded, each passed by the screen, and sends none of them.
package report
