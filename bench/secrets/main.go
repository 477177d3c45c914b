//go:build linux

// Secrets measures what Haversack takes for a credential: on repositories that people have labelled, and on any code.
//
//	go run ./bench/secrets -creddata DIR [-clones DIR] [-none DIR]… [-v LEVEL] [-peers 10m]
//	go run ./bench/secrets -leaky DIR [-peers 10m]
//	go run ./bench/secrets -examples DIR… [-v LEVEL]
//	go run ./bench/secrets -sample 200 [-seed 1] FOLDER…
//
// -creddata is a clone of Samsung/CredData, whose labels name repositories and commits; -clones a folder of clones of these that
// stand at those commits (DIR/tmp, where CredData's own script puts them, if not said). Clones that are not there are not scored.
// Each repository is scored with weights that are fitted to the others, and to the folders of -none, code without credentials to
// speak of: what stands in internal/secret/weights.go has seen all of them, and says nothing about itself.
//
// Printed are, for all repositories together, by how far the model's threshold lies above even odds: true labels and the share
// found; those of them that are strong (twelve bytes and more with letters and digits, of three bits of entropy and more; or of
// several lines) and the share found; false labels and the share hit; files, and those left out for credentials; labels that do not
// count, as their file is left out for another reason. The first line is the program without the model. Then, for both levels of
// the program, each repository, and mean and standard deviation. A value is found where at most a third of it stays, or its file is left
// out as a key file. A false label is hit where a byte of it is redacted, or its file is left out for what it holds; false
// labels beside a true one count neither way. Labels of bare UUIDs, of hosts, and those that nobody could decide do not count.
//
// -leaky is a clone of Plazmaz/leaky-repo: the share of its lines with a risk that have a finding, at each level. Its table counts two too many:
// three in deployment-config.json, where one value has a risk.
//
// Beside both stand the figures of other scanners where these are installed: gitleaks, kingfisher, credsweeper and detect-secrets.
// -peers says how long each may take for a repository, and 0 leaves them out. They check no credential with whom it is for. A label is
// theirs, true or false, where a byte of it is found, which is less than is asked of ours, or where its line is, as detect-secrets
// says no more; labels that do not count for ours do not count for them. Where one fails is said, and the repository left out of its
// figures. CredSweeper's model was fitted to CredData, and has seen what it is measured on.
//
// -examples, which may be given again, is a clone of another scanner (kingfisher, noseyparker, gitleaks, betterleaks, trufflehog,
// credsweeper or detect-secrets), not in the module cache, whose own examples are scanned under a neutral name: those of rules, or what its tests want found. Printed are
// for each, and for all together, each text and value counted once: examples and the share found (of which at most a third of
// the value stays); those of them that are strong and the share found; texts in which nothing is to be found and the share with a
// finding; examples that nobody says the value of. -v lists the strong ones that are missed. Values that are samples for everybody to
// see count like any other. The generators of gitleaks and betterleaks are run, with go run, as most of their examples are made when
// they check their rules; they draw the secrets anew each time, which moves the share by half a hundredth.
//
// -sample draws findings of the program as it is, from all that it has in the folders, and lists path, line, rule and what is left of the line:
// whoever reads them says what share is right. The same seed draws the same.
package main

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/secret/fit"
)

func main() {
	var o options
	flag.StringVar(&o.meta, "creddata", "", "a clone of Samsung/CredData")
	flag.StringVar(&o.clones, "clones", "", "the folder of the labelled clones; tmp in -creddata if not said")
	flag.Func("none", "a folder of code without credentials; may be given again", func(s string) error { o.none = append(o.none, s); return nil })
	flag.StringVar(&o.verbose, "v", "", "list what was missed and hit at a level: balanced or strict")
	flag.StringVar(&o.leaky, "leaky", "", "a clone of Plazmaz/leaky-repo")
	flag.Func("examples", "a clone of another scanner; may be given again", func(s string) error { o.examples = append(o.examples, s); return nil })
	flag.DurationVar(&o.limit, "peers", 10*time.Minute, "how long another scanner may take for a repository; 0 runs none")
	flag.IntVar(&o.sample, "sample", 0, "how many findings to draw from the folders that follow")
	flag.Uint64Var(&o.seed, "seed", 1, "what is drawn")
	flag.Parse()
	if err := o.run(flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "secrets:", err)
		os.Exit(1)
	}
}

type options struct {
	meta, clones string
	leaky        string
	none         []string
	examples     []string
	verbose      string
	limit        time.Duration
	sample       int
	seed         uint64
}

func (o *options) run(folders []string) error {
	if o.sample > 0 {
		return sample(folders, o.sample, o.seed)
	}
	if len(o.examples) > 0 {
		if err := examples(o.examples, o.verbose != ""); err != nil || o.meta == "" && o.leaky == "" {
			return err
		}
	}
	if o.leaky != "" {
		if err := leaky(o.leaky, o.limit); err != nil || o.meta == "" {
			return err
		}
	}
	if o.meta == "" {
		return errors.New("say -creddata DIR, -leaky DIR, -examples DIR, or -sample N FOLDER…")
	}
	if o.clones == "" {
		o.clones = filepath.Join(o.meta, "tmp")
	}
	list, err := fit.CredData(o.meta, o.clones)
	if err != nil {
		return err
	}
	models, err := fit.Folds(list, o.none)
	if err != nil {
		return err
	}
	type level struct {
		name  string
		above int
	}
	levels := []level{{"no model", math.MaxInt16}}
	for above := 40; above >= 0; above -= 4 {
		levels = append(levels, level{fmt.Sprint("even odds + ", above), above})
	}
	levels = append(levels, level{"balanced", int(secret.Balanced)}, level{"strict", int(secret.Strict)})
	var last []result
	fmt.Println(strings.Repeat(" ", 44), " true  found  strong found  false    hit   files out  none")
	for _, at := range levels {
		var all result
		var each []result
		for i, c := range list {
			m := *models[i]
			m.Threshold += at.above
			scanner, err := secret.NewWith(&m)
			if err != nil {
				return err
			}
			r, err := score(c, scanner)
			if err != nil {
				return err
			}
			each = append(each, r)
			all.add(r)
		}
		last = each
		row(at.name, &all)
		if at.name != "balanced" && at.name != "strict" {
			continue
		}
		for i, c := range list {
			row("  "+c.Name, &each[i])
			if o.verbose == at.name {
				details(c, &each[i])
			}
		}
		spread(each)
	}
	besides(list, last, o.limit)
	return nil
}

func row(name string, r *result) {
	fmt.Printf("%-44s %5d %6.3f  %5d %6.3f  %5d %7.4f  %6d %3d  %4d\n", name, r.secrets, r.recall(), r.strong, r.strongRecall(), r.falses, r.falseHits(), r.files, r.whole, r.notCounted)
}

// spread prints mean and standard deviation of the repositories' shares.
func spread(each []result) {
	var columns [3][]float64
	for i := range each {
		r := &each[i]
		for n, v := range [3]float64{r.recall(), r.strongRecall(), r.falseHits()} {
			if n != 1 || r.strong > 0 {
				columns[n] = append(columns[n], v)
			}
		}
	}
	var text [3]string
	for n, c := range columns {
		sum, squares := 0.0, 0.0
		for _, v := range c {
			sum += v
			squares += v * v
		}
		mean := sum / float64(len(c))
		text[n] = fmt.Sprintf("%.3f ± %.3f", mean, math.Sqrt(max(0, squares/float64(len(c))-mean*mean)))
	}
	fmt.Printf("  mean of repositories: found %s, strong %s, hit %s\n", text[0], text[1], text[2])
}

func details(c *fit.Corpus, r *result) {
	for _, f := range r.left {
		fmt.Printf("\tLEFT %s\n", f)
	}
	for _, l := range r.missed {
		fmt.Printf("\tMISS %s:%d [%s] %.160q in %.200q\n", l.Path, l.Line, l.Category, c.Texts[l.Path][l.Start:l.End], lineOf(c.Texts[l.Path], l.Start))
	}
	for _, l := range r.alarms {
		fmt.Printf("\tHIT  %s:%d [%s] %.200q\n", l.Path, l.Line, l.Category, lineOf(c.Texts[l.Path], l.Start))
	}
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
