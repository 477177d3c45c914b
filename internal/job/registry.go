package job

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/haversack-dev/haversack/internal/registry"
	"github.com/haversack-dev/haversack/internal/tree"
)

// OpenRegistry returns a client of the registry of an address, with the credentials that
// there are for its host; no request is made. The screener, and mask where it is not nil,
// are told of each of them.
func (e *Setting) OpenRegistry(a registry.Address, in *Scope, mask func(string)) (*registry.Client, error) {
	raw, err := e.readRegistryConfig(in.RegistryConfig)
	if err != nil {
		return nil, err
	}
	o := registry.Options{Config: raw, Token: in.Token, TokenHost: e.ownRegistry(), Mask: func(s string) {
		e.Screener.Given.Give("token", s)
		if mask != nil {
			mask(s)
		}
	}}
	client, err := registry.New(a, o)
	if err != nil {
		return nil, BadInput("registry-config", "%w", err)
	}
	return client, nil
}

// ownRegistry is the registry that the workflow's token is good for, "" for none.
func (e *Setting) ownRegistry() string {
	server := e.Server()
	if server.Scheme != "https" {
		return ""
	}
	if server.Host == "github.com" {
		return "ghcr.io"
	}
	return "containers." + server.Host
}

// readRegistryConfig reads the file that the input names, or docker's own where there is
// one.
func (e *Setting) readRegistryConfig(name string) ([]byte, error) {
	if name != "" {
		if !filepath.IsAbs(name) {
			name = filepath.Join(e.Workspace(), name)
		}
		raw, err := tree.ReadRegular(name, registry.MaxConfig)
		if err != nil {
			return nil, BadInput("registry-config", "%w", err)
		}
		return raw, nil
	}
	dir := e.Getenv("DOCKER_CONFIG")
	if dir == "" && e.Getenv("HOME") != "" {
		dir = filepath.Join(e.Getenv("HOME"), ".docker")
	}
	if dir == "" {
		return nil, nil
	}
	raw, err := tree.ReadRegular(filepath.Join(dir, "config.json"), registry.MaxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, WithCode(fmt.Errorf("reading docker's config: %w; registry-config names another file", err), ExitInput)
	}
	return raw, nil
}
