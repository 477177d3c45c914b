package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/haversack-dev/haversack/internal/forge"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/tree"
)

// WithDefaults returns the inputs with what files of defaults give: the repository's, which
// is the head's, or the base's where the head may be anybody's (b is nil where none is known),
// then the organisation's. What a user gave, and a file that is not there, change nothing.
func WithDefaults(ctx context.Context, e *job.Setting, in *job.Inputs, h *Head, b *Base) (*job.Inputs, []string, error) {
	if in.Which == job.DefaultsOff || in.Which == "" {
		return in, nil, nil
	}
	own, warnings, err := repositoryDefaults(e, h, b)
	if err != nil {
		return nil, nil, err
	}
	shared := in.Organisation
	if shared == nil && in.Which != job.DefaultsRepository {
		owner, err := ownerOf(e, in, h)
		if err != nil {
			return nil, nil, err
		}
		var warning string
		if shared, warning, err = OrganisationDefaults(ctx, e, in, owner); err != nil {
			return nil, nil, err
		}
		if warning != "" {
			warnings = append(warnings, warning)
		}
	}
	in, err = in.Under(own, shared)
	return in, warnings, err
}

// repositoryDefaults reads the repository's file; nil where there is none. One that is there and
// cannot be read is an error: what it leaves out would leave.
func repositoryDefaults(e *job.Setting, h *Head, b *Base) (*job.Defaults, []string, error) {
	root, warning := answerable(e, h, b, job.DefaultsFile)
	if root == nil {
		if warning != "" {
			return nil, []string{warning}, nil
		}
		return nil, nil, nil
	}
	raw, err := root.ReadFile(job.DefaultsFile, job.MaxDefaults)
	var over *tree.LimitError
	switch {
	case errors.Is(err, fs.ErrNotExist) && root == h.Root && h.Index[job.DefaultsFile] != nil && h.Index[job.DefaultsFile].SkipWorktree:
		return nil, []string{job.DefaultsFile + " is not read: a sparse checkout keeps it out of the worktree"}, nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil, nil, nil
	case noFile(err), errors.As(err, &over):
		return nil, nil, job.WithCode(fmt.Errorf("%s: %s; make it a regular file of at most %d bytes, or set defaults: off", job.DefaultsFile, Cause(err), job.MaxDefaults), job.ExitInput)
	case err != nil:
		return nil, nil, job.WithCode(fmt.Errorf("reading %s: %w", job.DefaultsFile, err), job.ExitInput)
	}
	d, err := job.ParseDefaults(job.FromRepository, job.DefaultsFile, raw)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case root != h.Root:
		d.Commit = b.Commit
	case h.Kind == "commit":
		d.Commit = h.Commit.SHA
	}
	return d, nil, nil
}

// organisationPatience is how long a run waits for the organisation's file: what a slow API
// takes, and little beside a run that goes on without it.
const organisationPatience = 10 * time.Second

// organisationTries are those for it: one that fails is worth a second, and no more.
const organisationTries = 2

// OrganisationRepository is where an organisation keeps what holds for all its repositories.
const OrganisationRepository = ".github"

// ownerOf is whose organisation's file counts, "" for nobody's: the workflow's own, and where it
// is asked for on a desk that of the clone's origin. The repository of that file has it already.
func ownerOf(e *job.Setting, in *job.Inputs, h *Head) (string, error) {
	owner, name, _ := strings.Cut(e.Getenv("GITHUB_REPOSITORY"), "/")
	if in.Which == job.DefaultsAuto && (!e.Workflow || in.Token == "") {
		return "", nil
	}
	if owner == "" && in.Which == job.DefaultsOrganisation {
		if owner, name = OwnerAt(e.Server(), h.address()); owner == "" {
			return "", job.BadInput("defaults", "organisation: nothing says whose repository this is: set GITHUB_REPOSITORY to owner/name, or give the clone a remote at %s", e.Server().Host)
		}
	}
	if in.Repository == "" && name == OrganisationRepository {
		return "", nil
	}
	return owner, nil
}

// address is where the head was cloned from, "" where nobody knows.
func (h *Head) address() string {
	if h.origin != "" || h.Repo == nil {
		return h.origin
	}
	return h.Repo.Remote()
}

// OwnerAt is whose a repository is by its address on a server, and its name; "" where it lies elsewhere.
func OwnerAt(server *url.URL, address string) (owner, name string) {
	if host, rest, ok := strings.Cut(address, ":"); ok && !strings.HasPrefix(rest, "//") { // git@host:owner/name
		address = "ssh://" + host + "/" + rest
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Hostname() != server.Hostname() {
		return "", ""
	}
	owner, name, _ = strings.Cut(strings.Trim(u.Path, "/"), "/")
	if name = strings.TrimSuffix(name, ".git"); name == "" {
		return "", ""
	}
	return owner, name
}

// OrganisationDefaults asks the API for an owner's file. Where there is none, or no way to the
// server, it has no settings; where the answer is another, the warning says so, and the run goes on.
func OrganisationDefaults(ctx context.Context, e *job.Setting, in *job.Inputs, owner string) (*job.Defaults, string, error) {
	none := &job.Defaults{From: job.FromOrganisation}
	if owner == "" {
		return none, "", nil
	}
	name := owner + "/" + OrganisationRepository
	client, err := e.ForgeOf(name, in.Token)
	if err != nil {
		return none, fmt.Sprintf("the defaults of %s are not read: %v", owner, err), nil
	}
	client.Tries = organisationTries
	within, cancel := context.WithTimeout(ctx, organisationPatience)
	defer cancel()
	raw, err := client.File(within, job.DefaultsFile, job.MaxDefaults)
	switch {
	case errors.Is(err, forge.ErrNotFound), errors.Is(err, forge.ErrUnreached):
		return none, "", nil
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case errors.Is(err, forge.ErrNoFile):
		return nil, "", job.WithCode(fmt.Errorf("%w; make it a regular file, or set defaults: repository", err), job.ExitInput)
	case err != nil:
		return none, fmt.Sprintf("the organisation's defaults are not used: %v", err), nil
	}
	d, err := job.ParseDefaults(job.FromOrganisation, name+"/"+job.DefaultsFile, raw)
	return d, "", err
}
