package job

import (
	"strconv"
	"testing"
)

// TestUnits reads numbers with what they count behind them.
func TestUnits(t *testing.T) {
	for _, c := range []struct {
		unit      Unit
		text, got string
	}{
		{Count, "32k", "32000"}, {Count, "1.5M", "1500000"}, {Count, "32", "32"}, {Count, "-1", "-1"}, {Count, "32KB", "32KB"},
		{Count, "0.0001k", "0.0001k"}, {Count, "1e3", "1e3"}, {Count, "", ""}, {Count, "k", "k"}, {Count, "1 k", "1000"}, {Count, "1  k", "1  k"},
		{Bytes, "2MB", "2000000"}, {Bytes, "2MiB", "2097152"}, {Bytes, "2gb", "2000000000"}, {Bytes, "0.5KiB", "512"},
		{Bytes, "999999999999999GB", "999999999999999000000000"}, // too much, which is for who reads it
		{Seconds, "1h", "3600"}, {Seconds, "90s", "90"}, {Seconds, "2min", "120"}, {Seconds, "2k", "2k"},
		{Days, "2w", "14"}, {Days, "3d", "3"},
		{None, "32k", "32k"},
		{Limits, "a=200KB\nb = 32kt\nc", "a=200000\nb =32000t\nc"},
	} {
		if got := c.unit.plain(c.text); got != c.got {
			t.Errorf("%d %q: %q, want %q", c.unit, c.text, got, c.got)
		}
	}
}

// FuzzUnits: a number stays what it is, and nothing else becomes one.
func FuzzUnits(f *testing.F) {
	f.Add("32k")
	f.Add("1.5 GiB")
	f.Add("a=1kt")
	f.Fuzz(func(t *testing.T, v string) {
		for u := None; u <= Limits; u++ {
			got := u.plain(v)
			if _, err := strconv.ParseInt(v, 10, 64); err == nil && got != v {
				t.Errorf("%d: %q becomes %q", u, v, got)
			}
			if again := u.plain(got); again != got {
				t.Errorf("%d: %q becomes %q, then %q", u, v, got, again)
			}
		}
	})
}
