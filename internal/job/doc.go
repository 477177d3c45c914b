// Package job is what a run is given before it looks at any repository: the inputs, the
// environment and the event, the process's streams, the screen that every word passes, and
// the log behind it. It alone talks: to the terminal, to the workflow's log. It opens no
// repository, and decides nothing about what is packed.
package job
