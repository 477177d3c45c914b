package secret

import "errors"

type Tier int

const (
	Clear Tier = iota
	Suspect
	Exact
)

var ErrBudget = errors.New("too costly to scan")

const MaxFindings = 1000

func Name(path string) (Tier, string) { return Clear, "" }

type Scanner struct{}

func New() (*Scanner, error) { return &Scanner{}, nil }

func (s *Scanner) Scan(path string, text []byte, dst []Finding) ([]Finding, error) { return dst, nil }

func Redact(text []byte, f []Finding) []byte { return text }

func MostlyKey(text []byte, f []Finding) bool { return false }

type Known struct{}

func (k *Known) Add(rule string, value []byte)             {}
func (k *Known) Empty() bool                               { return true }
func (k *Known) Find(text []byte, dst []Finding) []Finding { return dst }
