package job

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/scan"
)

// TestProgress: a line says what, how far, and of how much, and keeps to the terminal.
func TestProgress(t *testing.T) {
	p := new(scan.Progress)
	p.Files.Store(1234)
	p.Bytes.Store(5_600_000)
	d := &desk{Process: &Process{Width: 80}}
	if got := d.progress("scan", p, 2*time.Second); got != "reading files: 1,234, 5.6 MB (2 s)" {
		t.Error(got)
	}
	p.Total.Store(20000)
	if got := d.progress("scan", p, 2*time.Second); got != "reading files: 1,234 of about 20,000, 5.6 MB (2 s)" {
		t.Error(got)
	}
	d.Width = 3
	for step := range activities {
		if got := d.progress(step, p, time.Hour); len(got) >= leastColumns {
			t.Errorf("%q on the narrowest terminal", got)
		}
	}
}

// TestSettle: of many kinds of warnings a screen shows some, and says how many there are.
func TestSettle(t *testing.T) {
	d := &desk{Process: &Process{Width: 80}}
	for i := range 1000 {
		d.warnings = append(d.warnings, fmt.Sprintf("%q: %d lines of src/f%d.ts cannot be read: %s", fmt.Sprint("a \" b", i), i, i, strings.Repeat("x", i%20)))
	}
	var b bytes.Buffer
	d.settle(&b)
	if text := b.String(); !strings.HasPrefix(text, "\n1,000 warnings:\n") || strings.Count(text, "  - ") != foldedKinds || !strings.Contains(text, "(and 49 more of this kind)") {
		t.Error(text)
	}
	b.Reset()
	if d.settle(&b); b.Len() > 0 {
		t.Errorf("settled twice: %q", b.String())
	}
}

// TestNumber puts thousands apart.
func TestNumber(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -100: "-100", -1000: "-1,000"} {
		if got := Number(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}
