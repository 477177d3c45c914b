package action

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"path/filepath"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/tree"
)

// maxCertificates bounds a file of certificates, in bytes: the lists of systems have a
// quarter of it.
const maxCertificates = 1 << 20

// trust has every client of the program trust the authorities in a file, in PEM, beside
// the system's: git, the API, the artifact service, a registry, the store. They all go through
// http.DefaultTransport or a clone of it, which are made after this.
func trust(e *job.Env, file string) error {
	if file == "" {
		return nil
	}
	name := file
	if !filepath.IsAbs(name) {
		name = filepath.Join(e.Workspace(), name)
	}
	data, err := tree.ReadRegular(name, maxCertificates)
	if err != nil {
		return job.BadInput("ca-certificates", "%w; a file in PEM is wanted, relative to the workspace", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool() // a system without a list
	}
	if !pool.AppendCertsFromPEM(data) {
		return job.BadInput("ca-certificates", "%s holds no certificate in PEM (-----BEGIN CERTIFICATE-----)", file)
	}
	transport, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return errors.New("trusting the certificates: this program's transport is none of its own")
	}
	transport.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	return nil
}
