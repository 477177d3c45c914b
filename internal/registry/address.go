// Package registry keeps what runs made in an OCI registry: one artifact a commit, a layer
// a file. It is the only importer of oras-go. What a registry answers is anybody's word:
// everything is bounded, and counts only where its digest says so.
package registry

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"

	"oras.land/oras-go/v2/registry"
)

// Scheme is how an address of this package begins.
const Scheme = "oci://"

// Address names an artifact, or all of a name's, in a registry.
type Address struct {
	Host string // with its port, as given
	Name string // of the repository in the registry
	// Reference is a tag, or a digest such as sha256:…; "" where none is given.
	Reference string
}

// ParseAddress reads oci://host/name[:tag] or oci://host/name@sha256:….
func ParseAddress(s string) (Address, error) {
	rest, ok := strings.CutPrefix(s, Scheme)
	if !ok || strings.HasSuffix(rest, ":") || strings.ContainsAny(rest, "\\?# \t\r\n\x00") {
		return Address{}, fmt.Errorf("%q is not allowed: oci://host/name, oci://host/name:tag or oci://host/name@sha256:…", s)
	}
	if user, _, ok := strings.Cut(rest, "@"); ok && !strings.Contains(user, "/") {
		return Address{}, errors.New("an address holds no user and no password: give them in a file of docker's (registry-config)")
	}
	ref, err := registry.ParseReference(rest)
	if err != nil || ref.Reference != "" && strings.Contains(ref.Reference, "/") {
		return Address{}, fmt.Errorf("%q is not allowed: oci://host/name, oci://host/name:tag or oci://host/name@sha256:…, names in lower case", s)
	}
	a := Address{ref.Registry, ref.Repository, ref.Reference}
	if a.String() != s { // a tag beside a digest, or nothing behind the sign
		return Address{}, fmt.Errorf("%q is not allowed: oci://host/name, oci://host/name:tag or oci://host/name@sha256:…", s)
	}
	return a, nil
}

// String is the address as ParseAddress reads it.
func (a Address) String() string {
	s := Scheme + a.Host + "/" + a.Name
	switch {
	case strings.Contains(a.Reference, ":"):
		s += "@" + a.Reference
	case a.Reference != "":
		s += ":" + a.Reference
	}
	return s
}

// At is the same name with another tag or digest.
func (a Address) At(reference string) Address {
	a.Reference = reference
	return a
}

// loopback reports whether a host, with or without a port, is this machine: the only one
// that is spoken to without encryption.
func loopback(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.Trim(host, "[]")
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}
