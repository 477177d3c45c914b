package diff

import (
	"strings"
	"testing"
)

// TestEarlierTags: what comes before a tag, the nearest first; after a bar what only
// counts where nothing else does.
func TestEarlierTags(t *testing.T) {
	tests := []struct{ current, names, want string }{
		{"v2", "v1 v2 v3", "v1"},
		{"v1", "v1 v2", ""},
		{"v1.2.0", "v1.1.0 v1.10.0 v1.2.0 v1.1.9 v2.0.0", "v1.1.9 v1.1.0"},
		{"v1.10.0", "v1.9.0 v1.2.0", "v1.9.0 v1.2.0"},
		{"@acme/a@1.1.0", "@acme/a@1.0.0 @acme/b@1.0.9 v1.0.5 @acme/a@1.1.0", "@acme/a@1.0.0"},
		{"app-v1.1.0", "app-v1.0.0 api-v1.0.5 v1.0.9", "app-v1.0.0"},
		{"sdk/go/v0.3.0", "sdk/go/v0.2.1 sdk/js/v0.2.9 v0.2.5", "sdk/go/v0.2.1"},
		{"s3-upload-2.1.0", "s3-upload-2.0.0 s3-download-2.0.5", "s3-upload-2.0.0"},
		{"v1.0.0", "0.9.0 v0.8.0", "0.9.0 v0.8.0"}, // the v came later
		{"v1.3.1", "v1.3.0 v2.0.0 v2.0.0-rc.1", "v1.3.0"},
		// Pre-releases.
		{"v1.2.0", "v1.2.0-rc.1 v1.2.0-rc.2 v1.1.0", "v1.1.0 | v1.2.0-rc.2 v1.2.0-rc.1"},
		{"v1.2.0-rc.2", "v1.2.0-rc.1 v1.2.0-rc.10 v1.1.0 v1.2.0", "v1.2.0-rc.1 v1.1.0"},
		{"v1.2.0-rc.10", "v1.2.0-rc.9 v1.2.0-beta.11", "v1.2.0-rc.9 v1.2.0-beta.11"},
		{"1.0", "1.0rc1 1.0b2 0.9", "0.9 | 1.0rc1 1.0b2"},
		{"5.0.1.Final", "5.0.0.Final 5.0.0.CR1 5.0.1.Beta2", "5.0.0.Final | 5.0.1.Beta2 5.0.0.CR1"},
		{"1.0.0", "1.0.0-1 0.9.0", "0.9.0 | 1.0.0-1"},
		{"1.0.0.post1", "1.0.0 0.9.0", "1.0.0 0.9.0"},
		{"1.0.0+b2", "1.0.0+b1 1.0.0", "1.0.0+b1 1.0.0"},
		// What moves.
		{"v1.2.0", "nightly latest v1 v1.1 v1.1.0 v1.0.0", "v1.1.0 v1.0.0"},
		{"v2.0.0", "v1 v1.9.9", "v1.9.9"},
		{"nightly", "nightly latest v1.0.0 v1.1.0", "v1.0.0 v1.1.0 | latest"},
		// Dates.
		{"nightly-2026-11-01", "nightly-2026-10-31 nightly-2025-12-31 v9.9.9", "nightly-2026-10-31 nightly-2025-12-31"},
		{"2026.11.2", "2026.11.10 2026.11.1 2026.9.30", "2026.11.1 2026.9.30"},
		{"r20261125", "r20261124 r20261126", "r20261124"},
		{"99999999999999999999.1", "99999999999999999998.9", "99999999999999999998.9"},
		{strings.Repeat("9", maxTagName+1), "v1", "v1"},
	}
	for _, tt := range tests {
		groups, _ := EarlierTags(tt.current, strings.Fields(tt.names))
		got := strings.Join(groups[0], " ")
		if len(groups[1]) > 0 {
			got += " | " + strings.Join(groups[1], " ")
		}
		if got != tt.want {
			t.Errorf("before %s of %s: %q, want %q", tt.current, tt.names, got, tt.want)
		}
	}
}
