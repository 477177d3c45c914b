package scan

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/secret"
)

// TestCertificates: a certificate in binary form is public, and no text; what else stands
// under its name may be a key.
func TestCertificates(t *testing.T) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{SerialNumber: big.NewInt(1)}
	certificate, err := x509.CreateCertificate(rand.Reader, about, about, public, private)
	if err != nil {
		t.Fatal(err)
	}
	key, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	key = append(key, 0)
	scanner, err := secret.New()
	if err != nil {
		t.Fatal(err)
	}
	s := &Screener{Scanner: scanner, Given: new(secret.KnownValues), Policy: Redact}
	for _, c := range []struct {
		what string
		raw  []byte
		want Reason
	}{
		{"a certificate", certificate, Binary},
		{"two", slices.Concat(certificate, certificate), Binary},
		{"one and a key", slices.Concat(certificate, key), Credentials},
		{"a key", key, Credentials},
		{"part of one", certificate[:len(certificate)/2], Credentials},
		{"bytes", []byte{0, 1, 2}, Credentials},
		{"more than is read", slices.Concat(certificate, make([]byte, maxCertificate)), Credentials},
	} {
		if got := s.Screen("server.crt", c.raw, "*.crt", new(secret.KnownValues)); got.Reason != c.want {
			t.Errorf("%s: %s (%s), want %s", c.what, got.Reason, got.Rule, c.want)
		}
	}
	// A file that is longer than what is looked at first is decided on in the same way.
	chain := bytes.Repeat(certificate, maxCertificate/2/len(certificate))
	files := &memory{files: map[string]string{"chain.crt": string(chain), "key.crt": string(chain) + string(key), "long.crt": strings.Repeat(string(chain), 3)}}
	got := print(take(t, files, Rules{}, Git{}))
	if want := "- chain.crt binary: NUL byte or no known encoding\n- key.crt credentials: *.crt\n- long.crt credentials: *.crt\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestCostly: what takes too much work is left out for that, not for its size.
func TestCostly(t *testing.T) {
	scanner, err := secret.New()
	if err != nil {
		t.Fatal(err)
	}
	s := &Screener{Scanner: scanner, Given: new(secret.KnownValues), Policy: Redact}
	got := s.Screen("a.ts", []byte(strings.Repeat("A", 1<<20)), "", new(secret.KnownValues))
	if got.Reason != Limit || !strings.Contains(got.Rule, "work") {
		t.Errorf("%s (%s)", got.Reason, got.Rule)
	}
}
