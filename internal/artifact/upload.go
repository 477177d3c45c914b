package artifact

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/haversack-dev/haversack/internal/text"
)

// Upload describes an artifact to be made.
type Upload struct {
	// Name is unique within the run; CheckName says what it may be.
	Name string
	// Files are the members, in order.
	Files []File
	// RetentionDays is how long the artifact is kept; 0 = as the repository says.
	RetentionDays int
	// Overwrite replaces an artifact of the same name, whoever made it.
	Overwrite bool
	// Level is how hard the entries of the zip are compressed, from 1 to MaxLevel; 0
	// stores them. What is compressed already is stored.
	Level int
	// Raw asks for the one file to be stored as it is, without a zip around it,
	// under its own base name. Servers that cannot do that get the zip.
	Raw bool
	// Progress, when not nil, is told after each block how many bytes of about
	// how many were sent.
	Progress func(sent, total int64)
}

// Result is an uploaded artifact.
type Result struct {
	ID     int64  // the service's number, 0 when it gave none
	Name   string // as it is listed
	URL    string // page for people who may see the repository; "" when unknown
	Size   int64  // bytes stored
	SHA256 string // of the bytes stored, lower hex
	// Notes say, a sentence each, what was done otherwise than asked.
	Notes []string
	// Raw is the one of its files that was uploaded beside it as it is; nil for none.
	Raw *Result
}

const (
	blockSize  = 8 << 20
	maxBlocks  = 50000 // the storage's limit for one artifact
	apiVersion = "2020-10-02"
	maxDays    = 400 // of all plans; a repository may allow less
)

// Upload makes the artifact. Nothing of it remains in the run when it fails. The
// error is an *AbsentError when the server turns out to have no such service.
func (c *Client) Upload(ctx context.Context, u Upload) (Result, error) {
	res, err := c.upload(ctx, u)
	if err != nil {
		var absent *AbsentError
		if errors.As(err, &absent) {
			return Result{}, err
		}
		return Result{}, fmt.Errorf("uploading artifact %q: %w", u.Name, err)
	}
	return res, nil
}

func (c *Client) upload(ctx context.Context, u Upload) (Result, error) {
	if err := CheckName(u.Name); err != nil {
		return Result{}, err
	}
	var res Result
	expires, note, err := c.expiry(u.RetentionDays)
	if err != nil {
		return Result{}, err
	}
	if note != "" {
		res.Notes = append(res.Notes, note)
	}
	if u.Raw && len(u.Files) != 1 {
		return Result{}, fmt.Errorf("%d files cannot be one without a zip", len(u.Files))
	}
	if u.Level < 0 || u.Level > MaxLevel {
		return Result{}, fmt.Errorf("compression level %d: 0 to %d are allowed", u.Level, MaxLevel)
	}
	members, err := measure(u.Files)
	if err != nil {
		return Result{}, err
	}
	var total int64
	for _, m := range members {
		total += m.size + int64(76+2*len(m.Name)) // with both headers
	}
	if total > maxBlocks*blockSize {
		return Result{}, fmt.Errorf("%d bytes are more than an artifact holds (%d)", total, maxBlocks*blockSize)
	}

	made, signed, err := c.announce(ctx, u, expires)
	if err != nil {
		if no := refused(err); no.is(404) && no.absent {
			return Result{}, &AbsentError{"this server has no artifact service of version 4 (it answered 404), as Enterprise Server does not", useUploadAction}
		}
		return Result{}, err
	}
	if u.Raw && made.MimeType == "" {
		res.Notes = append(res.Notes, "the server does not take the file as it is; it was put into a zip")
	}

	done := false
	defer func() {
		if !done {
			c.takeBack(ctx, made)
		}
	}()
	b := &blob{ctx: ctx, c: c, url: signed, mime: "application/zip", sum: sha256.New(), total: total, progress: u.Progress}
	if made.MimeType != "" {
		b.mime = made.MimeType
		err = members[0].send(b)
	} else {
		err = writeZip(b, members, u.Level)
	}
	if err == nil {
		err = b.commit()
	}
	if err != nil {
		return Result{}, err
	}
	res.Name, res.Size, res.SHA256 = made.Name, b.size, hex.EncodeToString(b.sum.Sum(nil))
	res.ID, err = c.finalize(ctx, made.Name, res.Size, res.SHA256)
	if err != nil {
		return Result{}, err
	}
	done = true
	res.URL = c.pages
	if c.pages != "" && res.ID != 0 {
		res.URL += "/artifacts/" + strconv.FormatInt(res.ID, 10)
	}
	return res, nil
}

// expiry turns days into the time the service wants, with a note when the
// repository allows fewer.
func (c *Client) expiry(days int) (expires, note string, err error) {
	if days == 0 {
		return "", "", nil
	}
	if days < 0 || days > maxDays {
		return "", "", fmt.Errorf("retention-days %d: 1 to %d are allowed, 0 leaves it to the repository", days, maxDays)
	}
	if c.maxDays > 0 && days > c.maxDays {
		note = fmt.Sprintf("retention-days %d is more than this repository allows; the artifact is kept %d days", days, c.maxDays)
		days = c.maxDays
	}
	return c.now().UTC().AddDate(0, 0, days).Format("2006-01-02T15:04:05.000Z"), note, nil
}

// mimeOf is the type that a file is stored as; the name decides.
func mimeOf(name string) string {
	switch path.Ext(name) {
	case ".tar":
		return "application/x-tar"
	case ".zst":
		return "application/zstd"
	case ".json":
		return "application/json"
	case ".md":
		return "text/markdown"
	}
	return "application/octet-stream"
}

// announce creates the artifact in the first form that the server takes: as the
// file is, when that was asked for, else as a zip, which every server knows.
func (c *Client) announce(ctx context.Context, u Upload, expires string) (made request, signed *url.URL, err error) {
	made = request{Run: c.run, Job: c.job, Name: u.Name, ExpiresAt: expires, Version: 4}
	if u.Raw {
		raw := made
		raw.Name, raw.Version = CleanName(path.Base(u.Files[0].Name)), 7
		for _, raw.MimeType = range []string{mimeOf(raw.Name), "application/octet-stream"} {
			signed, err = c.create(ctx, raw, u.Overwrite)
			no := refused(err)
			if no != nil && no.status >= 500 && !c.isGitHub() {
				break // a server that fails on the field without a word
			}
			if !no.is(400) || !strings.Contains(no.msg, "mime_type") {
				return raw, signed, err
			}
		}
	}
	signed, err = c.create(ctx, made, u.Overwrite)
	return made, signed, err
}

// create asks for the artifact and returns where its bytes go. A name that is
// taken is cleared when it may be.
func (c *Client) create(ctx context.Context, req request, overwrite bool) (*url.URL, error) {
	// A server that does not know the raw form fails on it the same way each
	// time; GitHub's own fails in passing.
	quick := req.MimeType != "" && !c.isGitHub()
	a, err := c.call(ctx, "CreateArtifact", req, quick)
	if no := refused(err); no.is(http.StatusConflict) {
		if err := c.clear(ctx, req, overwrite, no.lost); err != nil {
			return nil, err
		}
		a, err = c.call(ctx, "CreateArtifact", req, quick)
	}
	if err != nil {
		return nil, err
	}
	signed, err := url.Parse(a.text("signed_upload_url"))
	switch {
	case !a.yes("ok"):
		return nil, errors.New("the artifact service did not agree to the upload")
	case err != nil || signed.Host == "" || signed.Scheme != "https" && !(signed.Scheme == "http" && strings.HasPrefix(c.origin, "http:")):
		return nil, errors.New("the artifact service named no usable address for the upload")
	}
	return signed, nil
}

// isGitHub reports whether the service is the hosting service's own.
func (c *Client) isGitHub() bool {
	u, err := url.Parse(c.origin)
	return err == nil && (strings.HasSuffix(u.Hostname(), ".githubusercontent.com") || strings.HasSuffix(u.Hostname(), ".ghe.com"))
}

// clear deletes what stands in the way of req, or says why it may not.
func (c *Client) clear(ctx context.Context, req request, overwrite, lost bool) error {
	there, err := c.List(ctx, req.Name)
	if err != nil {
		return err
	}
	for _, l := range there {
		mine := l.job == c.job
		switch {
		case overwrite, mine && c.attempt > 1:
			if err := c.remove(ctx, l); err != nil {
				return err
			}
		case mine:
			return errors.New("this job has already made an artifact of that name; give every step a name of its own with artifact-name, or set overwrite: true")
		default:
			return fmt.Errorf("another job of this run has already made an artifact of that name; give every job a name of its own (artifact-name: %s-${{ github.job }}-${{ strategy.job-index }}), or set overwrite: true", req.Name)
		}
	}
	if len(there) > 0 {
		return nil
	}
	// Taken, but not listed: announced and not finished. It is ours when an
	// answer was lost or an earlier attempt was cut off; else somebody is at it.
	if !lost && !overwrite && c.attempt <= 1 {
		return fmt.Errorf("another job of this run is uploading an artifact of that name; give every job a name of its own (artifact-name: %s-${{ github.job }}-${{ strategy.job-index }})", req.Name)
	}
	return c.remove(ctx, Entry{Name: req.Name, run: c.run, job: c.job})
}

// remove deletes an artifact. One that is gone is fine.
func (c *Client) remove(ctx context.Context, l Entry) error {
	_, err := c.call(ctx, "DeleteArtifact", request{Run: l.run, Job: l.job, Name: l.Name}, false)
	if err != nil && !refused(err).is(http.StatusNotFound) {
		return fmt.Errorf("deleting the artifact of that name: %w", err)
	}
	return nil
}

// takeBack deletes the unfinished artifact of a failed upload, so that the next
// step of the job finds the name free. It is tried once; the upload's own error
// is the one worth telling. It works after ctx has ended, for a few seconds.
func (c *Client) takeBack(ctx context.Context, made request) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	once := *c
	once.tries = 1
	_ = once.remove(ctx, Entry{Name: made.Name, run: c.run, job: c.job})
}

// finalize tells the service that all bytes are there, and returns its number.
func (c *Client) finalize(ctx context.Context, name string, size int64, sum string) (int64, error) {
	req := request{Run: c.run, Job: c.job, Name: name, Size: size, Hash: "sha256:" + sum}
	a, err := c.call(ctx, "FinalizeArtifact", req, false)
	if no := refused(err); err != nil && (no == nil || no.lost || no.status >= 500) {
		// An answer was lost; perhaps that try did it.
		there, listErr := c.List(ctx, name)
		if listErr == nil {
			for _, l := range there {
				if l.job == c.job && l.run == c.run && l.Size == size && (l.SHA256 == "" || l.SHA256 == sum) {
					return l.ID, nil
				}
			}
		}
	}
	if err != nil {
		return 0, fmt.Errorf("finishing: %w", err)
	}
	if !a.yes("ok") {
		return 0, errors.New("finishing: the artifact service did not agree that the upload is complete")
	}
	return a.number("artifact_id"), nil
}

// blob is the address an upload goes to, written in blocks.
type blob struct {
	ctx      context.Context
	c        *Client
	url      *url.URL
	mime     string
	buf      []byte
	ids      []string
	sum      hash.Hash
	size     int64
	total    int64
	progress func(sent, total int64)
}

func (b *blob) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		if b.buf == nil {
			b.buf = make([]byte, 0, min(blockSize, max(b.total, 512)))
		}
		k := min(len(p), blockSize-len(b.buf))
		b.buf = append(b.buf, p[:k]...)
		p = p[k:]
		if len(b.buf) == blockSize {
			if err := b.flush(); err != nil {
				return 0, err
			}
		}
	}
	return n, nil
}

// flush sends the block in the buffer.
func (b *blob) flush() error {
	if len(b.buf) == 0 {
		return nil
	}
	if len(b.ids) == maxBlocks {
		return errors.New("the artifact is too large")
	}
	// All ids of a blob must have one length; twelve digits make sixteen
	// characters without padding.
	id := base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "%012d", len(b.ids)))
	err := b.put("comp=block&blockid="+url.QueryEscape(id), b.buf, http.Header{"Content-Type": {"application/octet-stream"}})
	if err != nil {
		return fmt.Errorf("sending block %d: %w", len(b.ids)+1, err)
	}
	b.ids = append(b.ids, id)
	b.sum.Write(b.buf)
	b.size += int64(len(b.buf))
	b.buf = b.buf[:0]
	if b.progress != nil {
		b.progress(min(b.size, b.total), b.total)
	}
	return nil
}

// commit sends what is left and the list of blocks.
func (b *blob) commit() error {
	if err := b.flush(); err != nil {
		return err
	}
	var list bytes.Buffer
	list.WriteString(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?><BlockList>`)
	for _, id := range b.ids {
		list.WriteString("<Latest>" + id + "</Latest>")
	}
	list.WriteString("</BlockList>")
	err := b.put("comp=blocklist", list.Bytes(), http.Header{"Content-Type": {"application/xml"}, "X-Ms-Blob-Content-Type": {b.mime}})
	if err != nil {
		return fmt.Errorf("sending the list of blocks: %w", err)
	}
	return nil
}

// put sends one request to the signed address. The query is added to it word for
// word, since servers sign, and some compare, the query as it was written.
func (b *blob) put(query string, body []byte, header http.Header) error {
	u := *b.url
	if u.RawQuery != "" {
		u.RawQuery += "&"
	}
	u.RawQuery += query
	return b.c.retry(b.ctx, b.c.Timeout, func(ctx context.Context, alive func()) error {
		r, err := http.NewRequestWithContext(ctx, http.MethodPut, "", &moving{bytes.NewReader(body), alive})
		if err != nil {
			return err
		}
		r.ContentLength = int64(len(body))
		if len(body) == 0 {
			r.Body = http.NoBody
		}
		r.URL, r.Host = &u, u.Host
		r.Header = header.Clone()
		r.Header.Set("X-Ms-Version", apiVersion)
		r.Header.Set("User-Agent", userAgent)
		resp, err := b.c.http.Do(r)
		if err != nil {
			return b.c.broken(err)
		}
		defer resp.Body.Close()
		data, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
		if err != nil {
			return b.c.broken(err)
		}
		page := strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html")
		if resp.StatusCode/100 == 2 && !page {
			return nil
		}
		err = errors.New(b.c.storageWords(resp.StatusCode, data))
		if temporary(resp.StatusCode) || page {
			return &transient{err, retryAfter(resp.Header)}
		}
		return err
	})
}

// storageWords is what a storage's error answer says: its code and the first line
// of its message. What follows in such an answer may quote the signature.
func (c *Client) storageWords(status int, body []byte) string {
	s := fmt.Sprintf("the artifact storage answered %d", status)
	var e struct{ Code, Message string }
	if xml.Unmarshal(body, &e) == nil && e.Code != "" {
		first, _, _ := strings.Cut(e.Message, "\n")
		s += ": " + text.QuotedAnswer([]byte(e.Code+": "+first), c.secrets...)
	}
	if status == http.StatusForbidden {
		s += " (the upload's signature has expired, or something between here and the storage changed the request)"
	}
	return s
}

// maskURL masks the signature of a signed address.
func (c *Client) maskURL(signed string) {
	u, err := url.Parse(signed)
	if signed == "" || err != nil {
		return
	}
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		key, raw, _ := strings.Cut(pair, "=")
		if !strings.EqualFold(key, "sig") {
			continue
		}
		c.mask(raw)
		if plain, err := url.QueryUnescape(raw); err == nil {
			c.mask(plain)
			c.mask(url.QueryEscape(plain))
		}
	}
}
