package job

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// Unit is what a number counts.
type Unit int

// The units of inputs.
const (
	None    Unit = iota // no number
	Count               // of tokens, files, lines, commits: 32k is 32000
	Bytes               // 2MB is 2000000, 2MiB is 2097152
	Seconds             // 1h is 3600
	Days                // 2w is 14
	Limits              // lines of name=bytes, or name=tokens with a t behind
)

// sizes are what may stand behind a number, in lower case, and how much each is of the
// unit.
var sizes = map[Unit]map[string]int64{
	Count:   {"k": 1e3, "m": 1e6},
	Bytes:   {"b": 1, "k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30},
	Seconds: {"s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400},
	Days:    {"d": 1, "w": 7},
}

var sized = lazyregexp.New(`^([0-9]{1,15}(?:\.[0-9]{1,9})?) ?([A-Za-z]{1,3})$`)

// plain returns a number with a unit behind it as one without; any other value as it is.
func (u Unit) plain(v string) string {
	if u == Limits {
		return plainLimits(v)
	}
	m := sized.FindStringSubmatch(v)
	if m == nil {
		return v
	}
	times, ok := sizes[u][strings.ToLower(m[2])]
	if !ok {
		return v
	}
	n, ok := new(big.Rat).SetString(m[1])
	if !ok {
		return v
	}
	if n.Mul(n, new(big.Rat).SetInt64(times)); !n.IsInt() {
		return v // half a byte is a mistake
	}
	return n.Num().String()
}

// explain adds to what is wrong with a number, behind which there are letters that are no unit of it, which ones are.
func (u Unit) explain(v string, err error) error {
	m := sized.FindStringSubmatch(v)
	if m == nil || len(sizes[u]) == 0 {
		return err
	}
	if _, ok := sizes[u][strings.ToLower(m[2])]; ok {
		return err
	}
	return fmt.Errorf("%w; behind the number may stand %s", err, strings.Join(slices.Sorted(maps.Keys(sizes[u])), ", "))
}

// plainLimits is plain for lines of a name and a number of bytes or, with a t, of tokens.
func plainLimits(v string) string {
	lines := strings.Split(v, "\n")
	for i, l := range lines {
		name, n, ok := strings.Cut(l, "=")
		if !ok {
			continue
		}
		n = strings.TrimSpace(n)
		if tokens, ok := strings.CutSuffix(n, "t"); ok {
			n = Count.plain(tokens) + "t"
		} else {
			n = Bytes.plain(n)
		}
		lines[i] = name + "=" + n
	}
	return strings.Join(lines, "\n")
}
