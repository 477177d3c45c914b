//go:build linux

package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"io"
	"log"
	"maps"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/artifact/artifacttest"
	"github.com/haversack-dev/haversack/internal/forge/forgetest"
	"github.com/haversack-dev/haversack/internal/object/store/xtdbtest"
	"github.com/haversack-dev/haversack/internal/registry/registrytest"
	"github.com/haversack-dev/haversack/internal/repotest"
)

// everywhere is an address of this machine that is none of loopback as proxies see it: what is asked for there goes through a proxy.
const everywhere = "0.0.0.0"

// proxyServer is a proxy that notes which hosts it was asked for.
type proxyServer struct {
	url string

	mu   sync.Mutex
	seen map[string]bool
}

func newProxy(t *testing.T) *proxyServer {
	t.Helper()
	p := &proxyServer{seen: map[string]bool{}}
	plain := &httputil.ReverseProxy{Rewrite: func(*httputil.ProxyRequest) {}}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.seen[r.Host] = true
		p.mu.Unlock()
		if r.Method != http.MethodConnect {
			plain.ServeHTTP(w, r)
			return
		}
		there, err := net.Dial("tcp", r.Host)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer there.Close()
		here, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer here.Close()
		_, _ = io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
		go func() {
			_, _ = io.Copy(there, here)
			_ = there.(*net.TCPConn).CloseWrite()
		}()
		_, _ = io.Copy(here, there)
	}))
	t.Cleanup(s.Close)
	p.url = s.URL
	return p
}

// hosts returns which it was asked for since the last time.
func (p *proxyServer) hosts() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := slices.Sorted(maps.Keys(p.seen))
	clear(p.seen)
	return list
}

// certified makes a certificate for everywhere that certifies itself, and the file in which it is trusted.
func certified(t *testing.T) (cert tls.Certificate, file string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{SerialNumber: big.NewInt(7), Subject: pkix.Name{CommonName: "an authority of one's own"}, IPAddresses: []net.IP{net.IPv4zero},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature}
	raw, err := x509.CreateCertificate(rand.Reader, form, form, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "own.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key}, file
}

// privateNetwork is all that a run speaks to: the API of an Enterprise Server, its git, an artifact service, a registry, a memory.
type privateNetwork struct {
	certificates string
	api, git     string // addresses
	results      string
	registry     string // host and port
	memory       string

	hosts []string // of all but git
	repo  *repotest.Repo
	env   []string
	forge *forgetest.Server
	kept  *registrytest.Server
	store *xtdbtest.Server
	files *artifacttest.Server
}

// encrypted serves a handler with the certificate, or without one.
func encrypted(t *testing.T, cert *tls.Certificate, h http.Handler) (address, host string) {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // who does not trust it hangs up
	scheme := "http://"
	if cert == nil {
		s.Start()
	} else {
		scheme = "https://"
		s.TLS = &tls.Config{Certificates: []tls.Certificate{*cert}, MinVersion: tls.VersionTLS12}
		s.StartTLS()
	}
	t.Cleanup(s.Close)
	_, port, err := net.SplitHostPort(s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	host = net.JoinHostPort(everywhere, port)
	return scheme + host, host
}

// before is a server in front of another, which is asked by the name that the client took.
func before(t *testing.T, behind string) http.Handler {
	t.Helper()
	u, err := url.Parse(behind)
	if err != nil {
		t.Fatal(err)
	}
	return &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(u); r.Out.Host = r.In.Host }}
}

func newPrivateNetwork(t *testing.T) *privateNetwork {
	t.Helper()
	cert, file := certified(t)
	n := &privateNetwork{certificates: file, repo: repotest.New(t, "-- quay.go --\npackage quay\n"), forge: forgetest.Start(t), kept: registrytest.New(t), store: xtdbtest.NewServer(), files: artifacttest.Start(t)}
	t.Cleanup(n.store.Close)
	base := n.repo.Git("rev-parse", "HEAD")
	n.repo.Git("checkout", "--quiet", "-b", "topic")
	head := n.repo.Commit("-- quay.go --\npackage quay\n\nfunc Berth() int { return 4 }\n")
	n.forge.Branches["main"], n.forge.Commits[base+"..."+head] = base, base
	n.forge.Pulls = append(n.forge.Pulls, forgetest.Pull(1, head, base, nil))

	api := http.NewServeMux()
	api.Handle("/api/v3/", http.StripPrefix("/api/v3", before(t, n.forge.URL)))
	api.Handle("/api/graphql", http.StripPrefix("/api", before(t, n.forge.URL)))
	var hosts [5]string
	n.api, hosts[0] = encrypted(t, &cert, api)
	n.api += "/api/v3"
	n.results, hosts[1] = encrypted(t, &cert, before(t, n.files.URL))
	_, hosts[2] = encrypted(t, &cert, before(t, "http://"+n.kept.Host))
	n.memory, hosts[3] = encrypted(t, &cert, before(t, n.store.URL))
	n.git, hosts[4] = encrypted(t, &cert, n.repo.Handler("/octo/quay.git"))
	n.forge.URL, n.files.URL, n.registry = n.api, n.results, hosts[2]
	n.hosts = slices.Sorted(slices.Values(hosts[:4]))

	tmp := t.TempDir()
	event, err := json.Marshal(map[string]any{"number": 1, "pull_request": map[string]any{"number": 1, "base": map[string]any{"sha": base, "ref": "main"},
		"head": map[string]any{"sha": head, "ref": "topic"}}, "repository": map[string]any{"default_branch": "main"}})
	if err == nil {
		err = os.WriteFile(filepath.Join(tmp, "event.json"), event, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range n.files.Env(artifacttest.Job{Run: "run-uuid", Job: "job-uuid"}) {
		n.env = append(n.env, name+"="+value)
	}
	n.env = append(n.env, "GITHUB_EVENT_NAME=pull_request", "GITHUB_EVENT_PATH="+filepath.Join(tmp, "event.json"), "GITHUB_WORKSPACE="+n.repo.Dir, "GITHUB_API_URL="+n.api,
		"GITHUB_SERVER_URL="+n.git, "INPUT_TOKEN="+forgetest.Token, "RUNNER_TEMP="+tmp, "GITHUB_OUTPUT="+filepath.Join(tmp, "output"), "GITHUB_STEP_SUMMARY="+filepath.Join(tmp, "summary"),
		"GITHUB_WORKFLOW=context", "GITHUB_JOB=pack")
	return n
}

// asProgramIn runs the program with an environment of its own.
func asProgramIn(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	cmd := started(ctx, dir, args...)
	cmd.Env = append([]string{asProgram + "=1", "GIT_CONFIG_GLOBAL=/dev/null", "PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + os.TempDir(), "XDG_CACHE_HOME=" + filepath.Join(dir, "..", "cache")}, env...)
	said, err := cmd.CombinedOutput()
	return string(said), err
}

// TestPrivateNetwork has everything that a run dials behind certificates of one's own, reached through a proxy or past it, as the
// environment says: the API of an Enterprise Server, its git, the artifact service, a registry and a memory.
func TestPrivateNetwork(t *testing.T) {
	trusted := func(n *privateNetwork) string { return "SSL_CERT_FILE=" + n.certificates }
	for _, test := range []struct {
		name    string
		env     func(n *privateNetwork, proxy string) []string
		proxied bool
		refused bool // the certificates are nobody's
	}{
		{"through a proxy", func(n *privateNetwork, proxy string) []string { return []string{trusted(n), "HTTPS_PROXY=" + proxy} }, true, false},
		{"in small letters", func(n *privateNetwork, proxy string) []string { return []string{trusted(n), "https_proxy=" + proxy} }, true, false},
		{"past a proxy", func(n *privateNetwork, proxy string) []string {
			return []string{trusted(n), "HTTPS_PROXY=" + proxy, "NO_PROXY=ours.invalid," + everywhere}
		}, false, false},
		{"a proxy for what is not encrypted", func(n *privateNetwork, proxy string) []string { return []string{trusted(n), "HTTP_PROXY=" + proxy} }, false, false},
		{"trusted by nobody", func(_ *privateNetwork, proxy string) []string { return []string{"HTTPS_PROXY=" + proxy} }, true, true},
		{"trusted by the input alone", func(n *privateNetwork, proxy string) []string {
			return []string{"INPUT_CA-CERTIFICATES=" + n.certificates, "HTTPS_PROXY=" + proxy}
		}, true, false},
	} {
		if testing.Short() && test.name != "past a proxy" && !test.refused {
			continue
		}
		t.Run(test.name, func(t *testing.T) {
			n, proxy := newPrivateNetwork(t), newProxy(t)
			env := test.env(n, proxy.url)
			said, err := asProgramIn(t.Context(), n.repo.Dir, append(slices.Clone(n.env), env...), "--upload", "always", "--comment", "always", "--session", "tide", "--store", n.memory,
				"--push", "oci://"+n.registry+"/kept/here")
			bodies, tags, stored, uploaded := len(n.forge.Bodies()), len(n.kept.Tags()), n.store.Faults(), len(n.files.Artifacts())
			switch reached := bodies == 1 && tags == 2 && uploaded == 1; {
			case test.refused && (err == nil || bodies+tags+uploaded > 0 || !strings.Contains(said, "title=Haversack%3A a server's certificate is not trusted") || strings.Contains(said, "tried")):
				t.Errorf("%d comments, %d tags, %d artifacts: %v\n%s", bodies, tags, uploaded, err, said)
			case !test.refused && (!reached || err != nil || len(stored) > 0 || strings.Contains(said, "::warning::")):
				t.Errorf("%d comments, %d tags, %d artifacts, %q: %v\n%s", bodies, tags, uploaded, stored, err, said)
			}
			if r := append(n.forge.Refusals(), n.files.Refusals()...); len(r) > 0 {
				t.Errorf("refused: %q", r)
			}
			switch seen := proxy.hosts(); {
			case !test.proxied && len(seen) > 0:
				t.Errorf("the proxy is asked for %q", seen)
			case test.proxied && !test.refused && !slices.Equal(seen, n.hosts):
				t.Errorf("the proxy is asked for %q, and %q are what is dialled", seen, n.hosts)
			}

			// A clone from the same network.
			said, err = asProgramIn(t.Context(), t.TempDir(), env, n.git+"/octo/quay.git", "--pack", "none")
			if (err != nil) != test.refused || test.refused && !strings.Contains(said, "certificate") {
				t.Errorf("a clone: %v\n%s", err, said)
			}
			if seen := proxy.hosts(); (len(seen) == 1 && "https://"+seen[0] == n.git) != test.proxied {
				t.Errorf("for a clone the proxy is asked for %q", seen)
			}
		})
	}
}

// TestPlainProxy: what is asked for without encryption goes through HTTP_PROXY, and past it where NO_PROXY says so.
func TestPlainProxy(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	repo := repotest.New(t, "-- quay.go --\npackage quay\n")
	address, host := encrypted(t, nil, repo.Handler("/octo/quay.git"))
	for _, test := range []struct {
		env  string
		want []string
	}{{"HTTPS_PROXY=http://127.0.0.1:1", nil}, {"NO_PROXY=" + everywhere, nil}, {"NO_PROXY=elsewhere.invalid", []string{host}}} {
		proxy := newProxy(t)
		env := []string{test.env}
		if strings.HasPrefix(test.env, "NO_PROXY") {
			env = append(env, "HTTP_PROXY="+proxy.url)
		}
		said, err := asProgramIn(t.Context(), t.TempDir(), env, address+"/octo/quay.git", "--pack", "none")
		if seen := proxy.hosts(); err != nil || !slices.Equal(seen, test.want) {
			t.Errorf("%s: the proxy is asked for %q: %v\n%s", test.env, seen, err, said)
		}
	}
}
