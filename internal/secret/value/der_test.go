package value

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"testing"
)

// TestPublicDER tells public keys from private ones, of several kinds and sizes.
func TestPublicDER(t *testing.T) {
	small, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	large, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, der []byte, err error, want bool) {
		t.Helper()
		for _, text := range []string{base64.StdEncoding.EncodeToString(der), hex.EncodeToString(der)} {
			if got := PublicDER([]byte(text)); err != nil || got != want {
				t.Errorf("%s: %v, %v", what, got, err)
			}
		}
	}
	for _, k := range []any{&small.PublicKey, &large.PublicKey, &curve.PublicKey, public} {
		der, err := x509.MarshalPKIXPublicKey(k)
		check("a public key", der, err, true)
	}
	for _, k := range []any{small, large, curve, private} {
		der, err := x509.MarshalPKCS8PrivateKey(k)
		check("PKCS #8", der, err, false)
	}
	check("PKCS #1", x509.MarshalPKCS1PrivateKey(small), nil, false)
	check("a public key of PKCS #1", x509.MarshalPKCS1PublicKey(&large.PublicKey), nil, true)
	der, err := x509.MarshalECPrivateKey(curve)
	check("SEC 1", der, err, false)
}
