package secret

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file reads addresses that are the secret: who has one may post, start a build or read. What tells them is a part drawn by lot
// behind a word of the path, or of the host, that says so, and a signature in the query.

// addressRules are like ownRules: addresses whose secret part is short, or stands behind no such word. TestAddresses has one of each.
var addressRules = []ownRule{
	{"vercel-deploy-hook", `(?i)\bapi\.vercel\.com/v\d/integrations/deploy/\w{8,60}/([a-z0-9]{8,60})\b`, 2.5, nil},
	{"render-deploy-hook", `(?i)\bapi\.render\.com/deploy/[\w-]{8,60}\?key=([\w-]{8,60})` + nw, 2.5, nil},
	{"zapier-hook", `(?i)\bhooks\.zapier\.com/hooks/(?:catch|standard)/\d{3,12}/([a-z0-9/]{6,60})`, 2, nil},
	{"pipedream-hook", `(?i)\bhttps?://(e[no][a-z0-9]{12,24})\.m\.pipedream\.net\b`, 3, nil},
	{"azure-function-address", `(?i)\.azurewebsites\.net/api/[\w/.-]{1,120}[?&]code=([\w%/+=-]{40,120})`, 3.5, nil},
	// The slashes as a repetition: /t/ is rare, and so what the automaton looks for.
	{"conda-channel", `(?i):/{2}[\w.:-]{3,80}/t/([\w-]{16,64})/\w`, 3, byLotText},
	{"cloudsmith-index", `(?i)\bdl\.cloudsmith\.io/([\w-]{16,40})/[\w-]`, 3, byLotText},
	{"snitch-address", `(?i)\bnosnch\.in/([0-9a-f]{10})\b`, 2.5, nil},
	{"cronitor-address", `(?i)\bcronitor\.link/p/([0-9a-f]{32})\b`, 3, nil},
	{"power-automate-address", `(?i)\bpowerplatform\.com[:\w/.-]{0,200}\?[\w&=%.-]{0,160}sig=([\w%-]{40,60})`, 3, nil},
}

// hookWords are the parts of a path behind which the next that is drawn by lot lets one in: what receives, and what starts something.
var hookWords = value.WordSet(`
	hook hooks webhook webhooks webhookb2 build_hooks build-hooks buildhooks deploy_hooks deploy-hooks deployhooks incoming incomingwebhook
	incoming-webhook incoming_webhook inbound genericwebhook trigger triggers integration integrations deploy deliver catch invoke heartbeat
	heartbeats ping alert alerts notify push_hooks pushhook ical calendar calendars caldav published receiver collector collectors
`)

// hookHosts are parts of a host's name that say the same of all of its paths.
var hookHosts = value.WordSet("hook hooks webhook webhooks inbound hc-ping incoming")

// otherHosts are parts of the names of hosts whose paths are of sources, packages and manuals.
var otherHosts = value.WordSet(`
	github raw githubusercontent codeload gitlab bitbucket codeberg sourceforge registry npmjs yarnpkg jsdelivr unpkg cdnjs pkg godoc pypi rubygems docs doc
	developer developers help support example-docs web archive wiki blog learn schemas
`)

// listed are the parts of a path behind which a hash names what anybody may read.
var listed = value.WordSet("commit commits blob tree raw compare tarball archive blame objects digest sha256 issues pull releases download static assets images img")

// urlEnders end an address in a text.
const urlEnders = value.Spaces + value.Quotes + "<>()[]{}|^,"

// maxAddress bounds an address, in bytes.
const maxAddress = 2 << 10

// readHook finds the part of an address that lets one in, round a word at start that may say so.
func readHook(r *run, start, end int) {
	if start < r.hookDone {
		return
	}
	text := r.text
	lo := value.BackTo(text, start, 300, urlEnders)
	r.spend(2 * (start - lo))
	scheme, mark := -1, ""
	for _, mark = range [...]string{"://", `:\/\/`} { // also as JSON may have it
		if scheme = bytes.LastIndex(text[lo:end], []byte(mark)); scheme >= 0 {
			break
		}
	}
	if scheme < 0 {
		return
	}
	from := lo + scheme + len(mark)
	stop := addressEnd(text, from)
	r.spend(8 * (stop - from))
	r.hookDone = stop
	host := text[from:value.UpTo(text, from, stop-from, `/\?#`)]
	said, other := false, false
	for label := range bytes.FieldsFuncSeq(host, func(c rune) bool { return c == '.' || c == ':' || c == '@' }) {
		var buf [32]byte
		word := value.Lower(buf[:], label)
		said, other = said || hookHosts[string(word)], other || otherHosts[string(word)]
	}
	if !other {
		r.hook(from+len(host), stop, said)
	}
}

// hook adds what is drawn by lot in the path and the query from at to stop, behind a word that says that it lets one in.
func (r *run) hook(at, stop int, said bool) {
	text := r.text
	first, last := -1, 0
	named, query := false, false
	for at < stop {
		lo := value.Past(text, at, stop-at, `/\?&;#=`)
		if lo > at && bytes.IndexByte(text[at:lo], '?') >= 0 {
			query = true
		}
		hi := value.UpTo(text, lo, stop-lo, `/\?&;#`)
		if query {
			if i := bytes.IndexByte(text[lo:hi], '='); i >= 0 {
				lo += i + 1
			}
		}
		part := text[lo:hi]
		var buf [32]byte
		word := string(value.Lower(buf[:], part))
		switch {
		case said && !named && letsIn(part):
			if first < 0 {
				first = lo
			}
			last = hi
		case saysHook(word):
			said = true
		}
		named = listed[word]
		at = max(hi, at+1)
	}
	if first >= 0 {
		r.add("webhook-address", first, last, rankNamed)
	}
}

// saysHook reports whether a part of a path, in lower case, is a word that says so, or holds one between joints: webhook-test.
func saysHook(part string) bool {
	if hookWords[part] {
		return true
	}
	for word := range strings.FieldsFuncSeq(part, func(c rune) bool { return c == '-' || c == '_' }) {
		if hookHosts[word] {
			return true
		}
	}
	return false
}

// letsIn reports whether a part of an address was drawn by lot.
func letsIn(v []byte) bool {
	v = bytes.TrimPrefix(bytes.TrimRight(v, ".:"), []byte("private-")) // of a calendar
	if value.Sample(v) || value.StandIn(v) {
		return false
	}
	s := value.ShapeOf(v)
	switch {
	case value.IsUUID(v):
		return s.Distinct > 6
	case value.AllHex(v):
		return s.Length >= 20 && s.Digit > 2 && s.Lower+s.Upper > 2 && s.Distinct > 6
	}
	return s.Length >= 16 && value.Only(v, value.WordSigns+"-%@~+=.") && !value.FileName(v) && (value.Random(v) || value.Drawn(v) && value.Wordy(v)*3 < s.Length)
}

// addressEnd returns where the address ends that stands from from on.
func addressEnd(text []byte, from int) int {
	most := min(len(text), from+maxAddress)
	for at := from; at < most; at++ {
		switch b := text[at]; {
		case strings.IndexByte(urlEnders, b) >= 0:
			return at
		case b == '\\' && value.ByteAt(text, at+1) != '/' && !value.HasPrefixAt(text, at, `\u0026`):
			return at
		}
	}
	return most
}

// readSigned finds the signature in the query of an address, whose parameter's name ends at end.
func readSigned(r *run, start, end int) {
	text := r.text
	name := value.Back(text, start, 24, value.WordSigns+"-")
	if name == 0 || strings.IndexByte("?&;~", text[name-1]) < 0 && !(name > 6 && value.HasPrefixAt(text, name-6, `\u0026`)) && !value.HasPrefixAt(text, name, "u0026") {
		return
	}
	to := value.Past(text, end, 1024, value.WordSigns+"-.~+/%=")
	r.spend(4 * (to - name))
	v := unescapedURL(text[end:to])
	s := value.ShapeOf(v)
	hash := value.AllHex(v) && s.Length >= 32 && s.Digit > 2
	if !hash && (s.Length < 20 || !value.Random(v)) || s.Distinct < 8 || value.Sample(v) || value.StandIn(v) {
		return
	}
	r.add("signed-address", end, to, rankNamed)
}
