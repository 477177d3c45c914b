package secret

import (
	"bytes"
)

type Tier int

const (
	Clear Tier = iota
	Suspect
	Exact
)


func Name(path string) (Tier, string) { return Clear, "" }

func Redact(text []byte, fs []Finding) []byte {
	var b bytes.Buffer
	at := 0
	for _, f := range fs {
		if f.Start < at {
			continue
		}
		b.Write(text[at:f.Start])
		b.WriteString("[REDACTED:" + f.Rule + "]")
		b.Write(bytes.Repeat([]byte("\n"), bytes.Count(text[f.Start:f.End], []byte("\n"))))
		at = f.End
	}
	b.Write(text[at:])
	return b.Bytes()
}

func MostlyKey(text []byte, f []Finding) bool { return false }

type Known struct{}

func (k *Known) Add(rule string, value []byte)             {}
func (k *Known) Empty() bool                               { return true }
func (k *Known) Find(text []byte, dst []Finding) []Finding { return dst }
