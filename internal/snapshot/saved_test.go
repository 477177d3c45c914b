package snapshot

import (
	"testing"

	"github.com/haversack-dev/haversack/internal/job"
)

// FuzzReadSaved reads what may stand where the snapshot does: whatever is taken from it
// is a checksum.
func FuzzReadSaved(f *testing.F) {
	f.Add([]byte(`{"a":"87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if list, err := parseSaved(raw); err == nil {
			for _, e := range list {
				if !job.Checksum.MatchString(e.ID) {
					t.Errorf("%q", e.ID)
				}
			}
		}
	})
}
