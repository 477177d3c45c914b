package secret

import (
	"math/rand/v2"
	"testing"
)

// TestPrefixedTokens: a token that tells itself is found by its rule wherever it stands; what only begins like one is not.
func TestPrefixedTokens(t *testing.T) {
	s := newScanner(t)
	m := maker{rand.New(rand.NewPCG(11, 22))}
	lower, upper := hexes[:6]+"ghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	for _, c := range []struct{ rule, token, near string }{
		{"firefox-login", "MDoEEPgA" + "AAAAAAAAAAAAAAAAAAEw" + m.of(base62, 54), "MDoEEPgA" + "AAAAAAAAAAAAAAAAAAEw="},
		{"kerberos-ticket", "$krb5asrep$23$svc@ACME.LOCAL:" + m.of(hexes, 32) + "$" + m.of(hexes, 200), "$krb5asrep$23$svc@ACME.LOCAL:short"},
		{"django-secret-key", "django-" + "insecure-" + m.of(lower+"0123456789!@#$%^&*(-_=+)", 50), "django-" + "insecure-settings"},
		{"dependency-track-key", "odt_" + m.of(base62, 32), "odt_version_2"},
		{"bitbucket-data-center-token", "BBDC-" + m.of(base62, 44), "BBDC-1234"},
		{"newrelic-browser-key", "NRBR-" + m.of(hexes, 19), "NRBR-" + "settings"},
		{"newrelic-admin-key", "NRAA-" + m.of(hexes, 27), "NRAA-" + "settings"},
		{"postman-collection-key", "PMAT-" + m.of(upper, 26), "PMAT-" + lower},
		{"adafruit-io-key", "aio_" + m.of(base62, 28), "aio_read_offset_of_next"},
		{"llamacloud-key", "llx-" + m.of(base62, 48), "llx-index"},
		{"teamwork-token", "tkn.v1_" + m.of(base62, 64), "tkn.v1_next"},
		{"bannerbear-key", "bb_ma_" + m.of(hexes, 30), "bb_ma_default"},
		{"cloudflare-prefixed-token", "cfat_" + m.of(base62, 48), "cfat_settings"},
		{"helicone-key", "sk-helicone-" + m.of("abcdef0123456789", 7) + "-" + m.of(hexes, 7) + "-" + m.of(hexes, 7) + "-" + m.of(hexes, 7), "sk-helicone-settings"},
		{"cartesia-key", "sk_car_" + m.of(base62, 22), "sk_car_settings"},
		{"browserbase-key", "bb_live_" + m.of(base62, 27), "bb_live_settings_of_the_next_page"},
		{"logfire-token", "pylf_v1_us_" + m.of(base62, 43), "pylf_v1_us_settings"},
		{"depot-token", "depot_org_" + m.of(hexes, 64), "depot_org_" + m.of(hexes, 8)},
		{"fireworks-key", "fw_" + m.of(base62, 24), "fw_registerNextPageOfRules"},
		{"mem0-key", "m0-" + m.of(base62, 40), "m0-" + m.of(hexes, 12)},
		{"bitwarden-access-token", "0." + m.uuid() + "." + m.of(base62, 30) + ":" + m.of(std64, 22) + "==", "0." + m.uuid() + ".settings==" + m.of(std64, 22)},
		{"tableau-access-token", m.of(std64, 22) + "==:" + m.of(base62, 32), m.of(std64, 22) + "==:settings"},
		{"office-webhook", "https://outlook.office.com/webhook/" + m.uuid() + "@" + m.uuid() + "/IncomingWebhook/" + m.of(hexes, 32) + "/" + m.uuid(), "https://outlook.office.com/webhook/"},
	} {
		text := "it says " + c.token + " there\n"
		found, err := s.Scan("a.txt", []byte(text), nil)
		if err != nil || len(found) != 1 || found[0].Rule != c.rule || text[found[0].Start:found[0].End] != c.token {
			t.Errorf("%s: %v, %v", c.rule, found, err)
		}
		if found, err := s.Scan("a.txt", []byte("it says "+c.near+" there\n"), nil); err != nil || len(found) != 0 {
			t.Errorf("%s, not one: %v, %v", c.rule, found, err)
		}
	}
}
