//go:build linux

// Secrets measures what Haversack takes for a credential on repositories that people have labelled.
//
//	go run ./bench/secrets -creddata DIR [-clones DIR] [-v]
//
// -creddata is a clone of Samsung/CredData, whose labels name repositories and commits; -clones a folder of clones of these that
// stand at those commits (DIR/tmp, where CredData's own script puts them, if not said). Clones that are not there are not scored.
//
// Printed are, a repository a line: true labels and the share found; those of them that are strong (twelve bytes and more with
// letters and digits, of three bits of entropy and more; or of several lines) and the share found; false labels and the share
// hit; files, and those left out for credentials; labels that do not count, as their file is left out for another reason. A value is
// found where at most a third of it stays, or its file is left out for its name. A false label is hit where a byte of it is
// redacted, or its file is left out for what it holds; false labels beside a true one count neither way. Labels of bare UUIDs, of
// hosts and those that nobody could decide do not count.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/haversack-dev/haversack/internal/secret"
)

func main() {
	meta := flag.String("creddata", "", "a clone of Samsung/CredData")
	clones := flag.String("clones", "", "the folder of the labelled clones; tmp in -creddata if not said")
	verbose := flag.Bool("v", false, "list what was missed and what was hit")
	flag.Parse()
	if *clones == "" {
		*clones = filepath.Join(*meta, "tmp")
	}
	if err := run(*meta, *clones, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "secrets:", err)
		os.Exit(1)
	}
}

func run(meta, clones string, verbose bool) error {
	list, err := credData(meta, clones)
	if err != nil {
		return err
	}
	scanner, err := secret.New()
	if err != nil {
		return err
	}
	var all result
	row := func(name string, r *result) {
		fmt.Printf("%-44s %5d %6.3f  %5d %6.3f  %5d %6.3f  %6d %3d  %4d\n", name, r.secrets, r.recall(), r.strong, r.strongRecall(), r.falses, r.falseHits(), r.files, r.whole, r.notCounted)
	}
	for _, c := range list {
		r, err := c.score(scanner)
		if err != nil {
			return err
		}
		row(c.name, &r)
		if verbose {
			for _, f := range r.left {
				fmt.Printf("\tLEFT %s\n", f)
			}
			for _, l := range r.missed {
				fmt.Printf("\tMISS %s:%d [%s] %.160q in %.200q\n", l.path, l.line, l.category, c.texts[l.path][l.from:l.to], lineOf(c.texts[l.path], l.from))
			}
			for _, l := range r.alarms {
				fmt.Printf("\tHIT  %s:%d [%s] %.200q\n", l.path, l.line, l.category, lineOf(c.texts[l.path], l.from))
			}
		}
		all.add(r)
	}
	row("all", &all)
	return nil
}

func lineOf(text []byte, at int) []byte {
	lo, hi := at, at
	for lo > 0 && text[lo-1] != '\n' {
		lo--
	}
	for hi < len(text) && text[hi] != '\n' {
		hi++
	}
	return text[max(lo, at-100):min(hi, at+100)]
}
