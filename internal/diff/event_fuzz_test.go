package diff

import "testing"

func FuzzParseEvent(f *testing.F) {
	f.Add("pull_request", "refs/pull/1/merge", []byte(`{"number":1,"pull_request":{"head":{"sha":"a"},"base":{"sha":"b"}}}`))
	f.Fuzz(func(t *testing.T, name, ref string, payload []byte) {
		_, _ = ParseEvent(name, ref, payload)
	})
}
