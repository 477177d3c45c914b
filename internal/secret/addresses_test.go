package secret

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestAddresses: of an address that lets one in, what was drawn by lot is found wherever it stands, and the rest of it stays;
// addresses of manuals, sources and things are none. ‹ and › are round what must be found.
func TestAddresses(t *testing.T) {
	s := newScanner(t)
	m := maker{rand.New(rand.NewPCG(23, 8))}
	low, hex := lowDigit, hexes
	for _, address := range []string{
		"https://open.feishu.cn/open-apis/bot/v2/hook/‹" + m.uuid() + "›",
		"https://open.larksuite.com/open-apis/bot/v2/hook/‹" + m.uuid() + "›",
		"https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=‹" + m.uuid() + "›",
		"https://oapi.dingtalk.com/robot/send?access_token=‹" + m.of(hex, 64) + "›",
		"https://webexapis.com/v1/webhooks/incoming/‹" + m.of(base62, 76) + "›",
		"https://chat.example.com/hooks/‹" + m.of(base62, 17) + "/" + m.of(base62, 49) + "›",
		"https://mattermost.example.com/hooks/‹" + m.of(low, 26) + "›",
		"https://n8n.example.org/webhook/‹" + m.uuid() + "›",
		"https://n8n.example.org/webhook-test/‹" + m.uuid() + "›",
		`https:\/\/chat.example.com\/hooks\/‹` + m.of(base62, 30) + "›",
		"https://hook.eu1.make.com/‹" + m.of(low, 32) + "›",
		"‹https://hooks.zapier.com/hooks/catch/1234567/" + m.of(low, 7) + "/›",
		"https://api.netlify.com/build_hooks/‹" + m.of(hex, 24) + "›",
		"https://api.vercel.com/v1/integrations/deploy/‹prj_" + m.of(base62, 28) + "›/‹" + m.of(base62, 10) + "›",
		"https://api.render.com/deploy/‹srv-" + m.of(low, 20) + "›?key=‹" + m.of(url64, 11) + "›",
		"https://api.cloudflare.com/client/v4/pages/webhooks/deploy_hooks/‹" + m.uuid() + "›",
		"https://hub.docker.com/api/build/v1/source/" + m.uuid() + "/trigger/‹" + m.uuid() + "›/call/",
		"https://events.pagerduty.com/integration/‹" + m.of(hex, 32) + "›/enqueue",
		"https://alert.victorops.com/integrations/generic/20131114/alert/‹" + m.uuid() + "›/team",
		"https://automation.atlassian.com/pro/hooks/‹" + m.of(hex, 40) + "›",
		"https://hooks.bitrise.io/h/github/‹" + m.of(hex, 16) + m.of(hex, 8) + "/" + m.of(base62, 22) + "›",
		"https://webhook.buildkite.com/deliver/‹" + m.of(hex, 32) + "›",
		"https://uptime.betterstack.com/api/v1/heartbeat/‹" + m.of(base62, 24) + "›",
		"https://hc-ping.com/‹" + m.uuid() + "›",
		"https://‹en" + m.of(low, 15) + "›.m.pipedream.net",
		"https://calendar.google.com/calendar/ical/ann%40example.com/‹private-" + m.of(hex, 32) + "›/basic.ics",
		"https://outlook.office365.com/owa/calendar/" + m.of(hex, 32) + "@acme.io/‹" + m.of(hex, 40) + "›/calendar.ics",
		"https://nosnch.in/‹" + m.of(hex, 9) + "7›",
		"https://cronitor.link/p/‹" + m.of(hex, 32) + "›/backup",
		"https://prod.api.powerplatform.com:443/automations/workflows/" + m.of(hex, 32) + "/triggers/manual?api-version=1&sp=%2F&sig=‹" + m.of(url64, 43) + "›",
		"https://acme.azurewebsites.net/api/import?code=‹" + m.of(base62, 54) + "==›",
		"https://bucket.s3.amazonaws.com/k.zip?Expires=1790000000&Signature=‹" + m.of(base62, 27) + "%3D›",
		"https://storage.googleapis.com/b/o.zip?X-Goog-Expires=3600&X-Goog-Signature=‹" + m.of(hex, 256) + "›",
		"https://d111.cloudfront.net/a.mp4?Expires=1790000000&Signature=‹" + m.of(base62+"-~", 342) + "__›&Key-Pair-Id=K2JCJMDEHXQW5F",
		"https://acme.blob.core.windows.net/c/f?sv=2023-01-03&sr=b&sig=‹" + m.of(base62, 43) + "%3D›",
		"https://cdn.acme.io/live/a.m3u8?hdnts=exp=1790000000~acl=/*~hmac=‹" + m.of(hex, 64) + "›",
		"https://bucket.oss-cn-hangzhou.aliyuncs.com/k?OSSAccessKeyId=x&Expires=1790000000&Signature=‹" + m.of(base62, 27) + "%3D›",
	} {
		for _, around := range []string{"The job posts to the room.\n\n%\n\nAsk Ann for another.\n", "url: '%'\n", `{"href": "%"}`, "curl -X POST -d @a.json %\n"} {
			text := strings.ReplaceAll(around, "%", address)
			if around[0] != '{' || !strings.Contains(address, "%") {
				text = strings.Replace(around, "%", address, 1)
			}
			checkMarked(t, s, "notes.md", text)
		}
	}
	for _, address := range []string{
		"https://open.feishu.cn/open-apis/bot/v2/hook/xxxxxxxx", "https://docs.netlify.com/configure-builds/build-hooks/",
		"https://storage.googleapis.com/b/o.zip?alt=media", "https://github.com/adnanh/webhook/commit/" + m.of(hex, 40),
		"https://raw.githubusercontent.com/acme/hooks/" + m.of(hex, 40) + "/a.sh", "https://api.github.com/repos/acme/app/hooks/12345678",
		"https://cdn.example.com/hooks/releases/v1.2.3/index.js", "https://example.com/webhooks/payment-intent-succeeded",
		"https://registry.npmjs.org/react-hooks/-/react-hooks-1.2.3.tgz#" + m.of(hex, 40), "https://example.com/deploy/commit/" + m.of(hex, 40),
		"https://example.com/a?signature=required&sig=none", "https://example.com/hooks/{id}/$TOKEN/<secret>",
	} {
		checkMarked(t, s, "notes.md", "See "+address+" first.\n")
	}
}

// checkMarked holds that what is found in a text are its parts between ‹ and ›, and nothing else.
func checkMarked(t *testing.T, s *Scanner, path, marked string) {
	t.Helper()
	text := strings.NewReplacer("‹", "", "›", "").Replace(marked)
	found, err := s.Scan(path, []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	got := text
	for i := len(found) - 1; i >= 0; i-- {
		got = got[:found[i].Start] + "‹" + got[found[i].Start:found[i].End] + "›" + got[found[i].End:]
	}
	if got != marked {
		t.Errorf("%s:\n%s\nwant\n%s", path, got, marked)
	}
}
