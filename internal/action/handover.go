package action

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/artifact"
	"github.com/haversack-dev/haversack/internal/forge"
)

// handOver puts the results in place and gives them away: outputs and summary
// for the workflow, the artifact for whoever downloads it.
func (r *run) handOver(ctx context.Context, o *options) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	client, absent, err := r.service()
	if err != nil {
		return err
	}
	// What will be said is tried at the gate before anything is in place.
	for _, channel := range []string{"comment", "summary"} {
		if _, err := r.talk(channel, artifact.Result{}); err != nil {
			return err
		}
	}
	if err := r.out.commit(r.owner()); err != nil {
		return err
	}
	if err := writeSaved(r.in, r.head, r.plan.mode, r.sums()); err != nil {
		return err
	}
	r.log.print(r.summary())
	if heading, lines := r.leftOut(); heading != "" {
		r.log.group(heading, lines)
	}
	var up artifact.Result
	var failed error
	if client != nil {
		failed = r.step("upload", func() error {
			up, err = r.upload(ctx, client)
			return err
		})
	}
	if errors.As(failed, &absent) && r.in.Upload != "always" {
		failed = nil // the server turned out to have no such service
	}
	r.note(up, absent)
	if err := r.comment(ctx, up); err != nil && failed == nil {
		failed = err
	}
	if err := r.publish(up); err != nil {
		return err
	}
	if failed != nil {
		return fmt.Errorf("%w; the results are in %s", failed, r.outPath)
	}
	return r.print(o)
}

// service returns the artifact service, or why there is none to use.
func (r *run) service() (*artifact.Client, *artifact.AbsentError, error) {
	if r.in.Upload == "never" {
		return nil, nil, nil
	}
	if err := artifact.CheckName(r.in.ArtifactName); err != nil && r.in.Upload == "always" {
		return nil, nil, badInput("artifact-name", "%w", err)
	}
	client, err := artifact.FromEnv(r.c.Getenv)
	var absent *artifact.AbsentError
	if errors.As(err, &absent) {
		if r.in.Upload == "always" {
			return nil, nil, badInput("upload", "always: %w", err)
		}
		return nil, absent, nil
	}
	if err != nil {
		return nil, nil, err
	}
	client.Mask = func(s string) {
		if r.log.action != nil {
			r.log.action.AddMask(s)
		}
	}
	return client, nil, nil
}

func (r *run) upload(ctx context.Context, client *artifact.Client) (artifact.Result, error) {
	u := artifact.Upload{Name: artifact.CleanName(r.in.ArtifactName), RetentionDays: r.in.Retention, Overwrite: r.in.Overwrite}
	if u.Name != r.in.ArtifactName {
		r.log.warn(fmt.Sprintf("artifact-name %q is not allowed as it is; the artifact is called %q", r.in.ArtifactName, u.Name))
	}
	for _, o := range r.record.Outputs {
		f := artifact.OnDisk(o.Name, filepath.Join(r.out.dir, o.Name))
		f.SHA256 = o.SHA256
		u.Files = append(u.Files, f)
	}
	u.Files = append(u.Files, artifact.OnDisk("record.json", filepath.Join(r.out.dir, "record.json")))
	if s := r.session; s != nil && s.file != "" {
		// The thread's history travels with it. Closed, the database is one file.
		s.close()
		r.owner()(s.file)
		u.Files = append(u.Files, artifact.OnDisk(objectsName, s.file))
	}
	return client.Upload(ctx, u)
}

// note says where the results went.
func (r *run) note(up artifact.Result, absent *artifact.AbsentError) {
	switch {
	case up.Name != "":
		where := ""
		if up.URL != "" {
			where = ": " + up.URL
		}
		r.log.print(fmt.Sprintf("\nUploaded the artifact %s (%s)%s\n", up.Name, bytesText(up.Size), where))
		for _, n := range up.Notes {
			r.log.print(n + "\n")
		}
	case absent != nil && r.log.action != nil:
		r.log.print("\nNot uploaded: " + absent.Error() + "\n")
	}
}

// maxStepSummary is the most characters of a summary; the runner drops the whole
// of one above 1 MiB.
const maxStepSummary = 250000

// publish writes the step's outputs and its summary.
func (r *run) publish(up artifact.Result) error {
	rec, f := r.record, r.record.figures()
	v := map[string]string{
		"record":           r.shown("record.json"),
		"files-included":   strconv.Itoa(f.included),
		"files-omitted":    strconv.Itoa(f.omitted),
		"estimated-tokens": strconv.FormatInt(tokens(f.bytes), 10),
		"base-commit":      rec.Base.Commit,
		"base-reason":      rec.Base.Reason,
		"changed":          strconv.FormatBool(r.base.none || len(r.changes) > 0),
	}
	if up.ID != 0 {
		v["artifact-id"] = strconv.FormatInt(up.ID, 10)
	}
	v["artifact-url"] = up.URL
	for _, o := range rec.Outputs {
		switch {
		case strings.HasPrefix(o.Name, "archive.diff."):
			v["archive-diff"], v["archive-diff-sha256"] = r.shown(o.Name), o.SHA256
		case strings.HasPrefix(o.Name, "archive."):
			v["archive"], v["archive-sha256"] = r.shown(o.Name), o.SHA256
		case v["pack"] == "":
			v["pack"] = r.shown(o.Name)
		}
	}
	if rec.ContextPackInfo != nil {
		v["pack-type"] = string(rec.ContextPackInfo.Type)
	}
	if name := r.c.Getenv("GITHUB_OUTPUT"); name != "" {
		var b strings.Builder
		for _, o := range outputs {
			// A random delimiter: no value can end its own block and set another output.
			end := "ghadelimiter_" + randomHex()
			fmt.Fprintf(&b, "%s<<%s\n%s\n%s\n", o.name, end, v[o.name], end)
		}
		if err := appendFile(name, b.String()); err != nil {
			return fmt.Errorf("writing the outputs: %w", err)
		}
	}
	if name := r.c.Getenv("GITHUB_STEP_SUMMARY"); name != "" {
		text, err := r.talk("summary", up)
		if err != nil {
			return err
		}
		text = forge.Truncate(text, maxStepSummary)
		if err := appendFile(name, text); err != nil {
			r.log.warn("the step summary could not be written: " + err.Error())
		}
	}
	return nil
}

// shown is the path of a result as later steps can use it: relative to the
// workspace where it lies inside, because a container's own paths mean nothing
// outside of it.
func (r *run) shown(name string) string {
	return filepath.ToSlash(filepath.Join(r.outPath, name))
}

func randomHex() string {
	var b [16]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// print writes what the flags ask for to stdout.
func (r *run) print(o *options) error {
	name := o.stdout
	if o.json {
		name = "record.json"
	}
	if name == "" {
		return nil
	}
	f, err := os.Open(filepath.Join(r.out.dir, name))
	if err != nil {
		return usageError("--stdout %s: this run made no such file", name)
	}
	defer f.Close()
	if _, err := io.Copy(r.c.Stdout, f); err != nil {
		return fmt.Errorf("writing %s to stdout: %w", name, err)
	}
	return nil
}

// workspaceAbs is the workspace as an absolute path with links resolved, as
// the paths of results are.
func (c *Command) workspaceAbs() string {
	dir, err := filepath.Abs(c.workspace())
	if err != nil {
		return c.workspace()
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// server is the address that the token belongs to.
func (c *Command) server() *url.URL {
	u, err := url.Parse(c.Getenv("GITHUB_SERVER_URL"))
	if err != nil || u.Host == "" {
		return &url.URL{Scheme: "https", Host: "github.com"}
	}
	return u
}

// tokenFor returns the token if it may be sent to an address: to its own server
// only, and never in the clear where that server speaks https.
func (c *Command) tokenFor(in *Inputs, address string) (token, host string) {
	u, err := url.Parse(address)
	if server := c.server(); err == nil && u.Scheme == server.Scheme && u.Host == server.Host {
		return in.Token, u.Host
	}
	return "", ""
}
