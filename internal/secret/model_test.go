package secret

import (
	"fmt"
	"os"
	"regexp"
	"testing"
)

// TestWeightsAreOfTheseFeatures holds that no feature was added, taken away or moved since the weights were fitted.
func TestWeightsAreOfTheseFeatures(t *testing.T) {
	text, err := os.ReadFile("weights.go")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\t(\d+): +(-?\d+), +// (.+)$`).FindAllStringSubmatch(string(text), -1)
	if len(rows) < 100 {
		t.Fatalf("%d weights", len(rows))
	}
	for _, row := range rows {
		var n uint16
		var w int16
		if _, err := fmt.Sscan(row[1], &n); err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Sscan(row[2], &w); err != nil {
			t.Fatal(err)
		}
		if int(n) >= Features || FeatureName(n) != row[3] || Committed(Balanced).Weights[n] != w {
			t.Errorf("weight %d is of %q: run internal/secret/train again", n, row[3])
		}
	}
	seen := map[string]bool{}
	for n := range uint16(Features) {
		if name := FeatureName(n); seen[name] || name == "none" {
			t.Errorf("feature %d: %q twice", n, name)
		} else {
			seen[name] = true
		}
	}
}

// TestTablesAreWeighed holds that what stands in tables is a candidate as all else is: it can be asked about, and fitted.
func TestTablesAreWeighed(t *testing.T) {
	s := newScanner(t)
	for path, text := range map[string]string{
		"a.md":  "| user | password |\n|---|---|\n| jane | kolibri-27-Fels |\n",
		"a.csv": "user,password\njane,kolibri-" + "27-Fels\n",
	} {
		list := s.Candidates(path, []byte(text))
		if len(list) != 1 || text[list[0].Start:list[0].End] != "kolibri-27-Fels" {
			t.Errorf("%s: %v", path, list)
		}
	}
}

// TestLog64 holds the logarithm that entropy is counted with against known ones.
func TestLog64(t *testing.T) {
	for n, want := range map[int]int{1: 0, 2: 64, 3: 101, 5: 148, 10: 212, 100: 425, 768: 613, 1024: 640} {
		if got := log64(n); got != want {
			t.Errorf("%d: %d, want %d", n, got, want)
		}
	}
}
