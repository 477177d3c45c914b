//go:build !unix

package secret

import "time"

var began = time.Now()

// cpu is the time since the tests began: benchmarks on an idle machine come near to
// processor time. No test judges by it.
func cpu() time.Duration { return time.Since(began) }
