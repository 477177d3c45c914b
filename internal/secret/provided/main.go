// Command provided writes internal/secret/provided.go: the rules that gitleaks keeps, and those that betterleaks, which goes on
// where it ended, has besides, as they stand in the pinned modules, so that neither's configuration nor what that needs is part of the program.
//
//	go run ./internal/secret/provided
//
// The same module gives the same bytes. Global lists of what is not scanned (images, lock files, vendored code) are
// not taken: what is packed is looked at.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/format"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

const out = "internal/secret/provided.go"

// source is a table in a pinned module.
type source struct{ module, version, table string }

var (
	gitleaks    = source{"github.com/zricethezav/gitleaks/v8", "v8.30.1", "config/gitleaks.toml"}
	betterleaks = source{"github.com/betterleaks/betterleaks", "v1.7.0", "config/betterleaks.toml"}
)

// notUsed are rules of gitleaks that are left out, each with the reason.
var notUsed = map[string]string{
	"adobe-client-id":              "a client id is public",
	"asana-client-id":              "a client id is public",
	"bitbucket-client-id":          "a client id is public",
	"discord-client-id":            "a client id is public",
	"linkedin-client-id":           "a client id is public",
	"looker-client-id":             "a client id is public",
	"messagebird-client-id":        "a client id is public",
	"plaid-client-id":              "a client id is public",
	"sendbird-access-id":           "an application id is public",
	"sumologic-access-id":          "an access id is the public half of a pair",
	"flutterwave-public-key":       "a publishable key",
	"lob-pub-api-key":              "a publishable key",
	"mailgun-pub-key":              "a publishable key",
	"mapbox-api-token":             "a publishable key; the secret kind is a rule of ours",
	"generic-api-key":              "our assignment detector, same id",
	"hashicorp-tf-password":        "our assignment detector, for every file type",
	"nuget-config-password":        "our assignment detector, for every XML file",
	"freemius-secret-key":          "our assignment detector, for every file type",
	"private-key":                  "our armour reader, same id: linear, and unterminated keys too",
	"curl-auth-header":             "our header reader, outside curl too: linear",
	"curl-auth-user":               "our command reader, same id: linear",
	"kubernetes-secret-yaml":       "our manifest reader, same id: linear, and every value",
	"jwt":                          "our token reader, same id: decodes the header",
	"pkcs12-file":                  "a name rule",
	"sourcegraph-access-token":     "a rule of ours, same id: without the prefix every git object id would be one",
	"facebook-access-token":        "a rule of ours, same id",
	"microsoft-teams-webhook":      "a rule of ours, same id: in any case, and new hosts",
	"sidekiq-sensitive-url":        "our URL reader",
	"square-access-token":          "a rule of ours, same id: not within longer base64",
	"mongodb-connection-string":    "our URL reader",
	"posthog-project-api-key":      "a publishable key",
	"voyageai-api-key":             "a rule of ours",
	"slack-legacy-workspace-token": "a rule of ours, same id: with a boundary",
}

// config is what is read of a module's table.
type config struct {
	Rules []rule `toml:"rules"`
}

type rule struct {
	ID          string  `toml:"id"`
	Path        string  `toml:"path"`
	Regex       string  `toml:"regex"`
	SecretGroup int     `toml:"secretGroup"`
	Entropy     float64 `toml:"entropy"`
	// Filter is betterleaks' way to say what is no finding.
	Filter string `toml:"filter"`
	// SkipReport rules only help others, which have them as Required.
	SkipReport bool  `toml:"skipReport"`
	Required   []any `toml:"required"`
	Allowlists []struct {
		Condition   string   `toml:"condition"`
		Paths       []string `toml:"paths"`
		RegexTarget string   `toml:"regexTarget"`
		Regexes     []string `toml:"regexes"`
		StopWords   []string `toml:"stopwords"`
	} `toml:"allowlists"`
}

func main() {
	log.SetFlags(0)
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	older, err := gitleaks.read()
	if err != nil {
		return err
	}
	newer, err := betterleaks.read()
	if err != nil {
		return err
	}
	code, err := write(older, newer)
	if err != nil {
		return err
	}
	return os.WriteFile(out, code, 0o644)
}

// read returns the table of the pinned module, whose sum the toolchain checks.
func (s source) read() (*config, error) {
	var stderr bytes.Buffer
	cmd := exec.Command("go", "mod", "download", "-json", s.module+"@"+s.version)
	cmd.Stderr = &stderr
	said, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("downloading %s@%s: %w: %s", s.module, s.version, err, stderr.Bytes())
	}
	var got struct{ Dir string }
	if err := json.Unmarshal(said, &got); err != nil {
		return nil, fmt.Errorf("reading what go mod download says: %w", err)
	}
	text, err := os.ReadFile(filepath.Join(got.Dir, filepath.FromSlash(s.table)))
	if err != nil {
		return nil, err
	}
	var c config
	if err := toml.Unmarshal(text, &c); err != nil {
		return nil, fmt.Errorf("reading %s: %w", s.table, err)
	}
	if len(c.Rules) == 0 {
		return nil, fmt.Errorf("reading %s: no rules", s.table)
	}
	return &c, nil
}

// write makes the Go source of the tables.
func write(older, newer *config) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Code generated by go run ./internal/secret/provided; DO NOT EDIT.\n\npackage secret\n\n")
	fmt.Fprintf(&b, "// providedRules are the rules of %s %s, and behind them those of %s %s\n// that have no namesake there (both MIT, see NOTICE).\nvar providedRules = []providedRule{\n",
		gitleaks.module, gitleaks.version, betterleaks.module, betterleaks.version)
	known := map[string]bool{}
	for _, r := range older.Rules {
		known[r.ID] = true
		if _, ok := notUsed[r.ID]; !ok && r.Regex != "" { // without an expression it is for names of files, and those are judged by rules of ours
			r.write(&b)
		}
	}
	for _, r := range newer.Rules {
		name, _, _ := strings.Cut(r.ID, ".")
		if _, ok := notUsed[name]; ok || known[name] || known[r.ID] || r.SkipReport || len(r.Required) > 0 || public.MatchString(name) || anything.MatchString(r.Regex) {
			continue
		}
		r.ID = name
		// The ends of values are written otherwise.
		r.Regex = strings.ReplaceAll(r.Regex, `(?:\\?['"\x60]|[\s;]|\\[nr]|$)`, "(?:[\\x60'\"\\s;]|\\\\[nr]|$)")
		if m := least.FindStringSubmatch(r.Filter); m != nil {
			e, err := strconv.ParseFloat(m[1], 64)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", r.ID, err)
			}
			r.Entropy = e
		}
		r.write(&b)
	}
	b.WriteString("}\n")
	code := strings.ReplaceAll(b.String(), ", allow: []providedAllow{}", "")
	return format.Source([]byte(code))
}

// public are the names of rules for what is no secret.
var public = regexp.MustCompile(`(?:-id|-name|-host|-url|-username|-email|-domain|-account|-public-.*|-publishable-.*|-region|-endpoint)$`)

// anything is what expressions have that read on over whatever stands between a name and a value: too much work, and the model reads those.
var anything = regexp.MustCompile(`\(\?:\.\|\[\\n\\r\]\)|\.\{0,|\[\\s\\S\]|\[\^[^\]]*\](?:[*+]|\{0,\d{3,}\})`)

// least is the entropy that a value must exceed, in the filter's language.
var least = regexp.MustCompile(`entropy\(finding\["secret"\]\) <=? ([\d.]+)`)

// write makes a rule's row.
func (r *rule) write(b *bytes.Buffer) {
	fmt.Fprintf(b, "{id: %s, regex: %s", literal(r.ID), literal(r.Regex))
	if r.Path != "" {
		fmt.Fprintf(b, ", path: %s", literal(r.Path))
	}
	if r.SecretGroup != 0 {
		fmt.Fprintf(b, ", group: %d", r.SecretGroup)
	}
	if r.Entropy != 0 {
		fmt.Fprintf(b, ", entropy: %v", r.Entropy)
	}
	b.WriteString(", allow: []providedAllow{")
	for _, a := range r.Allowlists {
		if len(a.Regexes) == 0 && len(a.StopWords) == 0 {
			continue // paths alone mean "not scanned"
		}
		fmt.Fprintf(b, "{target: %s, all: %t, paths: %s, regexes: %s, stop: %s},", literal(a.RegexTarget),
			strings.EqualFold(a.Condition, "AND"), literals(a.Paths), literals(a.Regexes), literals(a.StopWords))
	}
	b.WriteString("}},\n")
}

// token is a run of letters and digits that may be a value known to be no secret: such a list must not
// look like credentials itself.
var token = regexp.MustCompile(`[A-Za-z0-9_-]{8,}`)

// literal writes a constant, with its tokens in two halves.
func literal(s string) string {
	for _, at := range token.FindAllStringIndex(s, -1) {
		if run := s[at[0]:at[1]]; strings.ToLower(run) != run && strings.ContainsAny(run, "0123456789") {
			middle := (at[0] + at[1]) / 2
			return literal(s[:middle]) + " + " + literal(s[middle:])
		}
	}
	if strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

func literals(list []string) string {
	if len(list) == 0 {
		return "nil"
	}
	var b strings.Builder
	b.WriteString("[]string{")
	for _, s := range list {
		b.WriteString(literal(s) + ",")
	}
	return b.String() + "}"
}
