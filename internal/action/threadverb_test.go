package action

import (
	"bytes"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/haversack-dev/haversack/internal/object"
)

// TestEventsKeepTheirSchema: the schema and the program take, and refuse, the same lines.
func TestEventsKeepTheirSchema(t *testing.T) {
	s := schema(t, "event.schema.json")
	for line, good := range map[string]bool{
		`{"event":"read","path":"quay/berth.go"}`:                 true,
		`{"event":"read","path":"quay/berth.go","content":""}`:    true,
		`{"event":"write","path":"quay/berth.go","content":null}`: true,
		`{"event":"write","content":"x"}`:                         false,
		`{"event":"read","path":null}`:                            false,
		`{"event":"read","path":"a","paths":["b"]}`:               false,
		`{"event":"list"}`:                                        true,
		`{"event":"search","path":"a","paths":["b","c"]}`:         true,
		`{"event":"list","paths":"b"}`:                            false,
		`{"event":"delete","path":"a"}`:                           true,
		`{"event":"delete","path":"a","content":"b"}`:             false,
		`{"event":"toolcall","tool":"rg","status":"ok"}`:          true,
		`{"event":"toolcall","tool":"rg","status":"fail","args":{"n":[1]},"file_refs":[],"content":"2"}`: true,
		`{"event":"toolcall","tool":"rg"}`:                            false,
		`{"event":"toolcall","tool":"","status":"ok"}`:                false,
		`{"event":"toolcall","tool":"rg","status":"done"}`:            false,
		`{"event":"toolcall","tool":"rg","status":"ok","args":["n"]}`: false,
		`{"event":"turn","user":"which berth?"}`:                      true,
		`{"event":"turn","user":"","assistant":"the third"}`:          true,
		`{"event":"turn","user":"","assistant":null}`:                 false,
		`{"event":"activate","path":"a"}`:                             true,
		`{"event":"pin","id":"toolcall:x:1","path":""}`:               true,
		`{"event":"unpin","id":"x","path":"a"}`:                       false,
		`{"event":"deactivate"}`:                                      false,
		`{"event":"system_prompt","content":""}`:                      true,
		`{"event":"system_prompt","content":null}`:                    false,
		`{"event":"rename","path":"a"}`:                               false,
		`{"path":"a"}`:                                                false,
		`{"event":"read","Path":"a"}`:                                 false,
	} {
		if _, err := object.ParseEvent([]byte(line)); (err == nil) != good {
			t.Errorf("%s: the program says %v", line, err)
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(line)))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(v); (err == nil) != good {
			t.Errorf("%s: the schema says %v", line, err)
		}
	}
}
