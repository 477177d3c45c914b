package secret

import (
	"bytes"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// ownRule is a rule beside those of gitleaks: newer services, tokens where gitleaks asks for a name beside them, and stricter
// or wider forms of its own. The value is the first group, else the whole match. TestOwnRules holds that none of them is one that a
// provided rule stands for wherever a value may stand.
type ownRule struct {
	id      string
	regex   string
	entropy float64
	check   func([]byte) bool
}

// nw ends a value: it is not the middle of a longer word.
const nw = tokenEnd

var ownRules = []ownRule{
	// Clouds
	{"aws-session-token", `\b((?:IQoJb3JpZ2lu|FwoGZXIvYXdz|FQoGZXIvYXdz)[A-Za-z0-9+/=%]{80,})`, 4, nil},
	{"aws-presigned-signature", `X-Amz-Signature=([0-9a-f]{64})\b`, 3, nil},
	{"aws-mws-auth-token", `\b(amzn\.mws\.[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b`, 0, nil},
	{"aws-cognito-pool", `\b(amzn1\.oa2-cs\.v1\.[0-9a-f]{64})\b`, 3, nil},
	{"google-oauth-client-secret", `\b(GOCSPX-[\w-]{28})` + nw, 3, nil},
	{"google-oauth-access-token", `\b(ya29\.[\w-]{24,})`, 3.5, nil},
	{"google-oauth-refresh-token", `\b(1//0[\w-]{38,})`, 3.5, nil},
	{"gcp-api-key", `\b(AIza[\w-]{35})` + nw, 4, nil},
	{"firebase-server-key", `(?:^|[^\w+/-])(AAAA[\w-]{7}:[\w-]{134,200})`, 4, nil},
	{"azure-sas-signature", `(?i)[?&;](?:amp;)?sig=([a-z0-9%+/=]{43,120})`, 3.5, nil},
	{"azure-storage-key", `\b([A-Za-z0-9+/]{76}(?:\+AS[tb]|ACDb|\+AEh|AIoT|\+AMT)[A-Za-z0-9+/]{4,6}(?:==|=)?)`, 4, nil},
	{"azure-account-key", `(?i)(?:AccountKey|SharedAccessKey)=([a-z0-9+/]{40,90}={0,2})`, 4, nil},
	{"azure-function-key", `([\w-]{44}AzFu[\w-]{5}[AQgw]==)`, 4, nil},
	{"azure-devops-pat", `\b([A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4})\b`, 4, nil},
	{"azure-container-registry", `\b([A-Za-z0-9+/]{42}\+ACR[A-D][A-Za-z0-9]{5,6})\b`, 4, nil},
	{"azure-search-key", `\b([A-Za-z0-9]{42}AzSe[A-D][A-Za-z0-9]{5})\b`, 4, nil},
	{"alibaba-access-key-id", `\b(LTAI[a-zA-Z0-9]{12,24})` + nw, 3, mixed},
	{"tencent-secret-id", `\b(AKID[A-Za-z0-9]{32})\b`, 3.5, mixed},
	{"scaleway-access-key", `\b(SCW[A-Z0-9]{17})\b`, 3, mixed},
	{"ibm-cloud-api-key", `(?i)\bibm[\w. -]{0,20}key["' ]{0,3}[:=]["' ]{0,3}([\w-]{44})` + nw, 4, nil},
	{"yandex-oauth-token", `\b(y0_[\w-]{54,58})` + nw, 4, nil},
	{"yandex-cloud-api-key", `\b(AQVN[\w-]{35,38})` + nw, 4, nil},
	{"yandex-iam-token", `\b(t1\.[A-Za-z0-9_-]+={0,2}\.[A-Za-z0-9_-]{86}={0,2})`, 4, nil},
	{"oracle-cloud-credential", `\b(ocid1\.credential\.oc1\.\.[a-z0-9]{60})\b`, 3, nil},
	// Version control and CI
	{"github-token", `\b(gh[opusr]_[A-Za-z0-9]{36,251})` + nw, 3, nil},
	{"github-fine-grained-pat", `\b(github_pat_\w{60,255})` + nw, 3, nil},
	{"gitlab-token", `\b(gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[\w.-]{20,300})`, 3, nil},
	{"bitbucket-app-password", `\b(ATBB[A-Za-z0-9]{24,40})` + nw, 3.5, nil},
	{"atlassian-token", `\b(AT[AC]TT3[A-Za-z0-9_=-]{60,260})`, 4, nil},
	{"gitea-token", `(?i)\b(?:gitea|forgejo|gogs)[\w. -]{0,20}["' ]{0,3}[:=]["' ]{0,3}([0-9a-f]{40})` + nw, 3, nil},
	{"circleci-token", `\b(CCI(?:PAT|PRJ)_[A-Za-z0-9]{22}_[0-9a-f]{40})\b`, 3.5, nil},
	{"buildkite-token", `\b(bk(?:ua|at|ct|pt|pi)_[0-9a-zA-Z]{40,})` + nw, 3, nil},
	{"sonar-token", `\b(sq[upa]_[0-9a-f]{40})\b`, 3, nil},
	{"sourcegraph-access-token", `\b(sgp_(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40})\b`, 3, nil},
	{"graphite-token", `\b(graphite_[A-Za-z0-9]{40,})\b`, 3.5, nil},
	{"vercel-token", `\b(vc[pikar]_[A-Za-z0-9]{24,})\b`, 3.5, mixed},
	{"vercel-blob-token", `\b(vercel_blob_rw_[A-Za-z0-9]{16}_[A-Za-z0-9]{30,})\b`, 3.5, nil},
	{"netlify-token", `\b(nf[pcou]_[A-Za-z0-9]{36,})\b`, 3.5, nil},
	{"render-token", `\b(rnd_[A-Za-z0-9]{28,})\b`, 3.5, nil},
	{"fly-token", `\bFlyV1 ([A-Za-z0-9+/=_,-]{30,800})`, 4, nil},
	{"fly-token", `\b(fo1_[\w-]{43}|fm[12][ar]?_[A-Za-z0-9+/]{100,}={0,3})`, 4, nil},
	{"pulumi-token", `\b(pul-[a-f0-9]{40})\b`, 3, nil},
	{"jenkins-token", `(?i)\bjenkins[\w. -]{0,24}["' ]{0,3}[:=]["' ]{0,3}(11[0-9a-f]{32})\b`, 3, nil},
	{"firefox-login", `\b(M[A-Z][A-Za-z0-9+/]{2}EPgAAAAAAAAAAAAAAAAAAAEw[A-Za-z0-9+/]{20,}={0,2})`, 3, nil},
	{"kerberos-ticket", `(\$krb5(?:asrep|tgs)\$\d{1,2}\$[^\s"']{16,200}[:$][0-9a-fA-F$]{100,})`, 3, nil},
	{"django-secret-key", `(django-insecure-[A-Za-z0-9!@#$%^&*()=+_-]{50})`, 3, nil},
	{"dependency-track-key", `\b(odt_[A-Za-z0-9]{32})\b`, 3.5, nil},
	{"bitbucket-data-center-token", `\b(BBDC-[A-Za-z0-9+/@_-]{40,50})`, 3.5, nil},
	{"newrelic-browser-key", `\b(NRBR-[a-f0-9]{19})\b`, 3, nil},
	{"newrelic-admin-key", `\b(NRAA-[a-f0-9]{27})\b`, 3, nil},
	{"postman-collection-key", `\b(PMAT-[0-9A-Z]{26})\b`, 3, nil},
	{"adafruit-io-key", `\b(aio_[A-Za-z0-9]{28})\b`, 3.5, nil},
	{"llamacloud-key", `\b(llx-[A-Za-z0-9]{48})\b`, 3.5, nil},
	{"teamwork-token", `\b(tkn\.v1_[A-Za-z0-9+/=_-]{60,80})`, 3.5, nil},
	{"bannerbear-key", `\b(bb_(?:pr|ma)_[a-f0-9]{30})\b`, 3, nil},
	{"cloudflare-prefixed-token", `\b(cf(?:at|ut|k)_[A-Za-z0-9]{40,52})\b`, 3.5, nil},
	{"office-webhook", `(?i)((?:https://)?outlook\.office(?:365)?\.com/webhook/[a-z0-9@-]{60,100}/IncomingWebhook/[a-z0-9]{32}/[a-z0-9-]{36})`, 3, nil},
	// Registries of packages
	{"npmrc-auth", `(?i)_auth(?:Token)?\s{0,3}[= ]\s{0,3}["']?([\w+/=.-]{12,300})`, 2.5, registryAuth},
	{"npmrc-password", `(?i):_password\s{0,3}=\s{0,3}["']?([A-Za-z0-9+/]{8,300}={0,2})`, 2, nil},
	{"pypi-token", `\b(pypi-AgE[\w-]{50,1000})`, 3, nil},
	{"crates-io-token", `\b(cio[A-Za-z0-9]{32})\b`, 3.5, mixed},
	{"nuget-api-key", `\b(oy2[a-z0-9]{43})\b`, 3.5, nil},
	{"docker-hub-token", `\b(dckr_(?:pat|oat)_[\w-]{24,36})` + nw, 3, nil},
	{"docker-config-auth", `(?i)\\?"auth\\?"\s{0,3}:\s{0,3}\\?"([A-Za-z0-9+/]{12,600}={0,2})\\?"`, 2.5, basicPair},
	{"rubygems-token", `\b(rubygems_[a-f0-9]{48})\b`, 3, nil},
	{"artifactory-token", `\b(AKC[a-zA-Z0-9]{60,80}|cmVmd[A-Za-z0-9]{59})\b`, 4, nil},
	{"packagist-token", `\b(packagist_(?:uut|ack|acs|out|oct)_[a-f0-9]{40,})\b`, 3, nil},
	{"cloudsmith-key", `\b(cs_[A-Za-z0-9]{40})\b`, 3.5, mixed},
	// Chat
	{"slack-token", `\b(xox[abcdeoprs]-[0-9A-Za-z%-]{20,250})`, 2.5, nil},
	{"slack-legacy-workspace-token", `\b(xox[ar]-(?:\d-)?[0-9a-zA-Z]{8,48})` + nw, 3, nil},
	{"slack-webhook", `(?i)((?:https://)?hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{24,100})`, 3, nil},
	{"discord-bot-token", `\b((?:M[Tjz]|N[DTjz]|O[DT])[A-Za-z\d_-]{22,26}\.[\w-]{6}\.[\w-]{27,40})` + nw, 4, nil},
	{"discord-webhook", `(?i)((?:https://)?(?:\w{2,8}\.)?discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d{17,20}/[\w-]{60,80})`, 3, nil},
	{"telegram-bot-token", `(?:\b|bot)(\d{8,10}:AA[\w-]{33})` + nw, 3.5, nil},
	{"microsoft-teams-webhook", `(?i)((?:https://)?[\w.-]{0,60}webhook\.office(?:365)?\.com/webhookb?2?/[a-z0-9@-]{60,100}/IncomingWebhook/[a-z0-9]{32}/[a-z0-9-]{36}(?:/[\w-]{20,60})?)`, 3, nil},
	{"power-automate-webhook", `(?i)logic\.azure\.com[:\w/.-]{0,100}\?[\w&=%.-]{0,160}sig=([\w-]{40,50})`, 3, nil},
	{"google-chat-webhook", `((?:https://)?chat\.googleapis\.com/v1/spaces/[\w-]{1,40}/messages\?key=[\w-]{30,50}&token=[\w%-]{30,60})`, 3, nil},
	{"automation-webhook", `(?i)((?:https://)?(?:hooks\.zapier\.com/hooks/catch|maker\.ifttt\.com/trigger/\w{1,60}/with/key)/[\w/-]{10,60})`, 3, nil},
	// Payment
	{"stripe-key", `\b((?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{16,250})` + nw, 3, nil},
	{"stripe-webhook-secret", `\b(whsec_[A-Za-z0-9+/]{24,64}={0,2})`, 3.5, nil},
	{"square-access-token", `(?:^|[^\w+/-])(sq0(?:atp|csp)-[\w-]{22,60}|EAAA[lE][\w-]{58,62})` + nw, 3.5, nil},
	{"paypal-braintree-token", `\b(access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32})\b`, 3, nil},
	{"razorpay-key", `\b(rzp_(?:live|test)_[A-Za-z0-9]{14,})` + nw, 3.5, nil},
	{"plaid-token", `\b(access-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b`, 0, nil},
	{"paystack-key", `\b(sk_(?:live|test)_[a-f0-9]{40})\b`, 3, nil},
	{"flutterwave-secret", `\b(FLWSECK(?:_TEST)?-[0-9a-fA-F]{12,64}(?:-X)?)\b`, 3, nil},
	{"adyen-key", `\b(AQE[A-Za-z0-9]h[\w+/-]{60,}\*?[\w+/=<>.-]{20,})`, 4, nil},
	{"paddle-key", `\b(pdl_(?:live|sdbx)_apikey_[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3})\b`, 3.5, nil},
	{"polar-token", `\b(polar_(?:oat|pat|rt)_[A-Za-z0-9]{40,50})\b`, 3.5, nil},
	{"stytch-secret", `\b(secret-(?:live|test)-[\w-]{35,40}={0,2})`, 4, mixed},
	{"mollie-key", `\b((?:live|test)_[A-Za-z0-9]{30,35})` + nw, 4, mixed},
	{"coinbase-key-name", `\b(organizations/[0-9a-f-]{36}/apiKeys/[0-9a-f-]{36})\b`, 3, nil},
	{"shopify-token", `\b(shp(?:at|ca|pa|ss|tka)_[a-fA-F0-9]{32})\b`, 3, nil},
	// Mail and messages
	{"sendgrid-key", `\b(SG\.[\w-]{16,32}\.[\w-]{36,64})` + nw, 3, nil},
	{"mailgun-key", `\b(key-[0-9a-f]{32})\b`, 3, nil},
	{"mailchimp-key", `\b([0-9a-f]{32}-us\d{1,2})\b`, 3, nil},
	{"mandrill-key", `\b(md-[\w-]{22})` + nw, 3.8, cased},
	{"brevo-key", `\b(x(?:keysib|smtpsib)-[a-f0-9]{64}-[A-Za-z0-9]{16})\b`, 3, nil},
	{"resend-key", `\b(re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,28})\b`, 3.5, mixed},
	{"matrix-token", `\b(syt_[A-Za-z0-9+/=_-]{4,60}_[A-Za-z]{20}_[A-Za-z0-9]{6})` + nw, 3.5, nil},
	{"ntfy-token", `\b(tk_[a-z0-9]{29})\b`, 3.5, mixed},
	{"mattermost-webhook", `(?i)https?://[\w.:-]{3,80}/hooks/([a-z0-9]{26})\b`, 3.5, mixed},
	{"vapid-private-key", `(?i)\bsetVapidDetails\([^)]{10,300}?,\s{0,20}["']([\w-]{43})["']`, 4, nil},
	{"postmark-token", `(?i)X-Postmark-(?:Server|Account)-Token["']?\s{0,3}[:,=]\s{0,3}["']?([0-9a-f-]{36})`, 2, nil},
	{"courier-key", `\b((?:pk|dk)_prod_[A-Z0-9]{28})\b`, 3.5, nil},
	{"onesignal-key", `\b(os_v2_(?:app|org)_[a-z0-9]{60,110})\b`, 4, nil},
	{"telnyx-key", `\b(KEY01[0-9A-F]{29,32}_[A-Za-z0-9]{22})\b`, 4, nil},
	// AI
	{"openai-key", `\b(sk-(?:proj-|svcacct-|admin-|None-)[\w-]{40,200}|sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|sk-[A-Za-z0-9]{48})` + nw, 3.5, nil},
	{"anthropic-key", `\b(sk-ant-[a-z]{2,8}\d\d-[\w-]{60,120})` + nw, 4, nil},
	{"openrouter-key", `\b(sk-or-(?:v1-)?[0-9a-f]{64})\b`, 3, nil},
	{"deepseek-key", `\b(sk-[0-9a-f]{32})` + nw, 3, nil},
	{"langfuse-key", `\b(sk-lf-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b`, 0, nil},
	{"huggingface-token", `\b((?:hf|api_org)_[A-Za-z0-9]{34,40})` + nw, 3.5, nil},
	{"groq-key", `\b(gsk_[A-Za-z0-9]{48,56})\b`, 4, nil},
	{"replicate-token", `\b(r8_[A-Za-z0-9]{37,40})\b`, 3.5, nil},
	{"perplexity-key", `\b(pplx-[A-Za-z0-9]{40,56})\b`, 4, nil},
	{"pinecone-key", `\b(pcsk_\w{50,90})\b`, 4, nil},
	{"langsmith-key", `\b(lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10})\b`, 3, nil},
	{"tavily-key", `\b(tvly-(?:dev-|prod-)?[A-Za-z0-9]{28,40})\b`, 3.5, nil},
	{"elevenlabs-key", `\b(sk_[0-9a-f]{48})\b`, 3, nil},
	{"fireworks-key", `\b(fw_[A-Za-z0-9]{22,26})\b`, 3.8, mixed},
	{"together-key", `\b(tgp_v1_[\w-]{40,50})` + nw, 4, nil},
	{"e2b-key", `\b(e2b_[0-9a-f]{40})\b`, 3, nil},
	{"firecrawl-key", `\b(fc-[0-9a-f]{32})\b`, 3, nil},
	{"datadog-key", `(?i)\bdatadog[^\n]{0,60}?\bkey["']?\s{0,2}[:=]\s{0,2}["']?([0-9a-f]{32})\b`, 3, nil},
	{"prefixed-api-key", `\b((?:csk|esecret|jina|voyage|pa|up|bb_live|fc|ls)[_-][A-Za-z0-9]{40,64})\b`, 4, mixed},
	{"wandb-key", `(?i)\bwandb[\w. -]{0,20}["' ]{0,3}[:=]["' ]{0,3}([0-9a-f]{40})` + nw, 3, nil},
	// Databases and hosts
	{"databricks-token", `\b(d(?:api|kea|ose)[a-f0-9]{32}(?:-\d)?)\b`, 3, nil},
	{"planetscale-token", `\b(pscale_(?:tkn|pw|oauth)_[\w=.-]{32,64})`, 3, nil},
	{"supabase-token", `\b(sbp_(?:v0_|oauth_)?[a-f0-9]{40}|sb_secret_[\w-]{28,50})` + nw, 3, nil},
	{"neon-key", `\b(napi_[a-z0-9]{60,70}|npg_[A-Za-z0-9]{12,20})\b`, 3, nil},
	{"mongodb-atlas-key", `\b(mdb_sa_(?:sk|id)_[\w-]{30,60})` + nw, 3.5, nil},
	{"aiven-token", `\b(AVNS_[A-Za-z0-9_-]{16,24})` + nw, 3.5, nil},
	{"upstash-token", `\b(AX[A-Za-z0-9]{2}ASQ[A-Za-z0-9]{40,60}(?:==|=)?)`, 4, nil},
	{"digitalocean-token", `\b(do[oprs]_v1_[a-f0-9]{64})\b`, 3, nil},
	{"digitalocean-spaces", `\b(DO00[A-Z0-9]{16})\b`, 3.3, mixed},
	{"deno-token", `\b(dd[pow]_[A-Za-z0-9]{36,40})\b`, 3.5, mixed},
	{"jsr-token", `\b(jsr[dp]_[A-Za-z0-9]{30,40})\b`, 3.5, mixed},
	{"trigger-key", `\b(tr_(?:prod|stg|preview|pat)_[A-Za-z0-9]{20,40})\b`, 3.5, mixed},
	{"steam-server-token", `(?i)\bsv_setsteamaccount["']?\s{1,4}["']?([0-9A-F]{32})\b`, 3, nil},
	{"heroku-key", `\b(HRKU-[\w-]{36,80})` + nw, 3, nil},
	{"vault-token", `\b(hv[sbr]\.[\w-]{20,300})` + nw, 3.5, nil},
	{"doppler-token", `\b(dp\.(?:pt|ct|scim|audit|sa|st(?:\.[a-z0-9_-]{2,35})?)\.[A-Za-z0-9]{40,44})\b`, 3.5, nil},
	{"infisical-token", `\b(st\.[0-9a-f]{24}\.[0-9a-f]{32}\.[0-9a-f]{32})\b`, 3, nil},
	{"1password-service-token", `\b(ops_eyJ[A-Za-z0-9+/_-]{200,}={0,3})`, 4, nil},
	{"tailscale-key", `\b(tskey-(?:auth|api|client|scim|webhook)-[A-Za-z0-9]+-[A-Za-z0-9]{20,})`, 3, nil},
	{"cloudflare-origin-ca-key", `\b(v1\.0-[a-f0-9]{24}-[a-f0-9]{146})\b`, 3, nil},
	{"akamai-token", `\b(akab-[a-z0-9]{16}-[a-z0-9]{16})\b`, 3, nil},
	// Monitoring
	{"grafana-token", `\b(gl(?:sa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|c_[A-Za-z0-9+/]{32,400}={0,3}))`, 3, nil},
	{"newrelic-key", `\b(NR(?:AK|II|JS|IQ|RA)-[A-Za-z0-9_-]{19,40})` + nw, 3, nil},
	{"newrelic-license", `\b([0-9a-f]{36}(?:NRAL|FFFFNRAL)|(?:eu|us)01xx[0-9a-f]{28,32}(?:NRAL)?)\b`, 3, nil},
	{"sentry-token", `\b(sntry[sua]_[A-Za-z0-9+/=_]{40,300})`, 3.5, nil},
	{"honeycomb-key", `\b(hc[abx][a-z]{1,2}k?_[a-z0-9]{40,60})\b`, 3.5, nil},
	{"dynatrace-token", `\b(dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64})\b`, 4, nil},
	{"posthog-key", `\b(phx_[A-Za-z0-9]{40,60})\b`, 4, nil},
	{"statsig-key", `\b((?:secret|console)-[A-Za-z0-9]{40,50})\b`, 4, mixed},
	{"launchdarkly-key", `\b((?:sdk|api)-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})\b`, 0, nil},
	{"axiom-token", `\b(xa[ap]t-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b`, 0, nil},
	{"inngest-key", `\b(signkey-(?:prod|test|branch)-[0-9a-f]{32,128})\b`, 3, nil},
	{"pagerduty-key", `\b(u\+[A-Za-z0-9_+-]{18})` + nw, 3.5, mixed},
	{"checkly-key", `\b(cu_[0-9a-f]{32})\b`, 3, nil},
	{"printed-answer", `(?i)\b(?:printf|echo -e|echo -ne|echo -en) ["'](?:[\w.@-]{0,64}\\n){1,3}([^\s"'\\%$|]{16,128})(?:\\n)*["']`, 3, answer},
	// Work tools
	{"notion-token", `\b(secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,50})\b`, 4, nil},
	{"linear-key", `\b(lin_(?:api|oauth)_[A-Za-z0-9]{40,64})\b`, 3.5, nil},
	{"helicone-key", `\b(sk-helicone-[a-z0-9]{7}-[a-z0-9]{7}-[a-z0-9]{7}-[a-z0-9]{7})\b`, 3, mixed},
	{"cartesia-key", `\b(sk_car_[A-Za-z0-9]{20,40})\b`, 3.5, mixed},
	{"browserbase-key", `\b(bb_(?:live|test)_[\w-]{24,40})` + nw, 3.5, mixed},
	{"logfire-token", `\b(pylf_v\d_[a-z]{2,10}_[A-Za-z0-9]{40,50})\b`, 3.5, mixed},
	{"depot-token", `\b(depot_(?:org|project)_[0-9a-f]{64})\b`, 3, nil},
	{"fireworks-key", `\b(fw_[A-Za-z0-9]{22,24})\b`, 3.8, cased},
	{"mem0-key", `\b(m0-[A-Za-z0-9]{40})\b`, 4, cased},
	{"voyage-api-key", `\b(pa-[\w-]{43})` + nw, 4, value.Random},
	{"modal-token", `\b(a[ks]-[A-Za-z0-9]{22})` + nw, 3.5, value.Random},
	{"cursor-api-key", `\b(key_[0-9a-f]{64})` + nw, 3, nil},
	{"figma-token", `\b(fig[dorutp]{1,2}_[\w-]{36,60})` + nw, 3.5, nil},
	{"asana-token", `\b([012]/\d{16,20}(?:/\d{12,20})?:[0-9a-f]{32})\b`, 3, nil},
	{"trello-token", `\b(ATTA[0-9a-f]{60,76})\b`, 3, nil},
	{"hubspot-token", `\b(pat-(?:na|eu|ap)\d-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b`, 0, nil},
	{"salesforce-token", `\b(00D[A-Za-z0-9]{12,15}![\w.]{80,130})`, 4, nil},
	{"contentful-token", `\b(CFPAT-[\w-]{43})` + nw, 3.5, nil},
	{"typeform-token", `\b(tfp_[\w.=-]{40,64})`, 3.5, nil},
	{"dropbox-token", `\b(sl\.(?:u\.|B)[\w-]{100,})`, 4, nil},
	{"postman-key", `\b(PMAK-[a-f0-9]{24}-[a-f0-9]{34})\b`, 3, nil},
	{"mapbox-secret-token", `\b(sk\.eyJ[\w-]{40,}\.[\w-]{20,})`, 4, nil},
	{"clerk-key", `\b(sk_(?:example|live|test)_[A-Za-z0-9+/=]{20,100})`, 3.5, nil},
	{"okta-token", `(?i)\bSSWS\s{1,3}(00[\w-]{40})` + nw, 3.5, nil},
	{"zoho-token", `\b(1000\.[0-9a-f]{32}\.[0-9a-f]{32})\b`, 3, nil},
	{"facebook-access-token", `(?:^|[^\w+/-])(EAA[A-Za-z0-9]{60,300}|IGQV[A-Za-z0-9_-]{60,300})\b`, 4, mixed},
	{"twitter-bearer", `(?:^|[\s"'=:,>(])(AAAAAAAAAAAAAAAAAAAA[A-Za-z0-9%]{60,120})`, 3.5, mixed},
	{"linkedin-secret", `\b(WPL_AP[01]\.[A-Za-z0-9+/=.]{16,60})`, 3.5, nil},
	{"riot-key", `\b(RGAPI-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b`, 0, nil},
	{"apify-token", `\b(apify_api_[A-Za-z0-9]{34,40})\b`, 3.5, nil},
	{"prefect-dagster-token", `\b(pn[ub]_[A-Za-z0-9]{36}|agent:[a-z-]{1,20}:[0-9a-f]{40})\b`, 3.5, mixed},
	{"wakatime-key", `\b(waka_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})\b`, 0, nil},
	{"snyk-token", `(?i)\bsnyk_(?:uat|sat)\.[0-9a-f]{8}\.[\w.-]{60,}`, 4, nil},
	// Keys and hashes of passwords
	{"age-secret-key", `(?i)\b(AGE-SECRET-KEY-(?:PQ-)?1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58,})`, 3, nil},
	{"minisign-secret-key", `\b(RWRTY0I[A-Za-z0-9+/]{100,}={0,2})`, 4, nil},
	{"bitcoin-extended-key", `\b([xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,112})\b`, 4, nil},
	{"seed-key", `\b(S[UAOCN][A-Z2-7]{54,56})\b`, 3.8, mixed},
	{"xml-rsa-key", `(?i)<(?:D|InverseQ|DP|DQ|P|Q)>([A-Za-z0-9+/]{80,700}={0,2})</`, 4, mixed},
	{"bcrypt-hash", `(\$2[abxy]?\$\d\d\$[./A-Za-z0-9]{53})`, 3, nil},
	{"crypt-hash", `(\$?\$(?:apr1|1|5|6|y|7|gy)\$\$?[./A-Za-z0-9=,]{1,40}\$\$?(?:[./A-Za-z0-9]{4,32}\$\$?)?[./A-Za-z0-9]{22,86})`, 3, nil},
	{"argon2-hash", `(\$argon2(?:id|i|d)\$v=\d+\$[\w=,]{5,60}\$[A-Za-z0-9+/]{8,90}\$[A-Za-z0-9+/]{16,120})`, 3, nil},
	{"pbkdf2-hash", `((?:pbkdf2_sha(?:1|256|512)|scrypt|bcrypt_sha256)\$[\d:]{3,12}\$[A-Za-z0-9+/]{6,60}\$[A-Za-z0-9+/=]{20,120})`, 3, nil},
	{"werkzeug-hash", `((?:scrypt:\d+:\d+:\d+|pbkdf2:sha(?:1|256|512)(?::\d+)?)\$[A-Za-z0-9]{8,24}\$[0-9a-f]{40,128})`, 3, nil},
	{"ldap-hash", `(\{S?S?(?:SHA|MD5|SSHA256|SSHA512|SHA256|SHA512|CRYPT|PBKDF2[\w-]{0,12})\}[A-Za-z0-9+/$.]{20,120}={0,2})`, 3, nil},
	{"mysql-native-hash", `'(\*[0-9A-F]{40})'`, 3, nil},
	{"scram-hash", `(SCRAM-SHA-256\$\d+:[A-Za-z0-9+/=]{16,40}\$[A-Za-z0-9+/=]{40,50}:[A-Za-z0-9+/=]{40,50})`, 4, nil},
	{"cisco-password", `(?i)\b(?:password|secret|key-string) [5789] (\$[0-9]\$\S{20,100}|[0-9A-F]{10,64})\b`, 2, nil},
	{"backblaze-key", `(?:^|[^\w+/])(K00[A-Za-z0-9+/]{28})(?:[^\w+/=]|$)`, 4, mixed},
	{"ethereum-key", `(?i)(?:\baccounts["']?\s{0,3}[:=]\s{0,3}\[\s{0,40}|\bwallet\(\s{0,3}|privateKeyToAccount\(\s{0,3}|from_key\(\s{0,3})["']((?:0x)?[0-9a-f]{64})["']`, 3, nil},
	{"machine-key", `(?i)\b(?:validation|decryption)Key\s{0,3}=\s{0,3}["']([0-9a-f]{32,128})["']`, 3, nil},
	{"consul-encrypt", `(?im)^\s{0,8}"?encrypt"?\s{0,12}[=:]\s{0,3}"([A-Za-z0-9+/]{43}=|[A-Za-z0-9+/]{22}==)"`, 4, nil},
	// Services by their calls and addresses
	{"twitch-oauth", `\boauth:([a-z0-9]{30})\b`, 3, mixed},
	{"agora-certificate", `(?i)\bapp_?certificate["']?\s{0,3}[:=]{1,2}\s{0,3}["']([0-9a-f]{32})["']`, 3, nil},
	{"rpc-endpoint-key", `(?i)\b(?:infura\.io/(?:ws/)?v3/|alchemy\.com/(?:v2|nft/v\d)/|alchemyapi\.io/v2/|quiknode\.pro/|moralis\.io/|ankr\.com/\w{1,20}/|getblock\.io/|chainstack\.com/)([\w-]{30,64})` + nw, 3, mixed},
	{"appid-parameter", `(?i)[?&](?:appid|app_id|subscription-key|x-api-key|access_key|user_key)=([0-9a-f]{32})\b`, 3, nil},
	{"wandb-login", `(?i)\bwandb(?:\.login\(\s{0,3}(?:key\s{0,3}=\s{0,3})?\\?["']|\s{1,3}login\s{1,3}(?:--relogin\s{1,3})?)([0-9a-f]{40})\b`, 3, nil},
	{"codecov-upload", `(?i)\bcodecov[^\n]{0,60} -t[ =]{1,3}([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b`, 2, nil},
	{"vault-unseal-key", `(?i)(?:\bunseal(?: key)?(?: \d)?[: ]{1,3}["']?)([A-Za-z0-9+/]{44}|[0-9a-f]{66}|[A-Za-z0-9+/]{43}=)(?:["'\s]|$)`, 4, nil},
	{"record-key", `(?i)\bcypress run [^\n]{0,80}--key[ =]["']?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b`, 2, nil},
	{"magento-crypt-key", `(?i)(?:<crypt>\s{0,20}<key>(?:<!\[CDATA\[)?|'crypt' => (?:\[|array\()\s{0,20}'key' => ')([0-9a-f]{32})\b`, 3, nil},
	{"omniauth-secret", `(?i)\b(?:omniauth|provider) :\w{2,30},\s{0,3}["'][^"'\n]{4,100}["'],\s{0,3}["']([\w-]{16,80})["']`, 3, mixed},
	{"algolia-call", `(?i)\balgoliasearch\(\s{0,3}["']\w{8,12}["'],\s{0,3}["']([0-9a-f]{32})["']`, 3, nil},
	{"twilio-call", `(?i)\btwilio\w{0,12}(?:\.\w{1,12})?\([^)\n]{1,60},\s{0,3}["']([0-9a-f]{32})["']`, 3, nil},
	{"twilio-call", `["']SK[0-9a-f]{32}["'],\s{0,3}["']([0-9A-Za-z]{32})["']`, 3.5, mixed},
	{"bitcoin-wif", `(?i)\bimportprivkey["']?[,\s]\s{0,3}["']?([5KLc9][1-9A-HJ-NP-Za-km-z]{50,51})` + nw, 4, nil},
	{"postmark-call", `\b(?:ServerClient|AccountClient)\(\s{0,3}["']([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})["']`, 2, nil},
	{"totp-seed", `(?i)\btotp(?:\.\w{1,12})?\(\s{0,3}["']([A-Z2-7]{16,64})["']`, 3, nil},
	// Connection strings and settings
	{"honeycomb-key", `(?i)x-honeycomb-team["']?\s{0,3}[:=,]\s{0,3}["']?([a-zA-Z0-9]{22}|[0-9a-f]{32})` + nw, 3, nil},
	{"fernet-key", `(?i)fernet\(b?["']([\w-]{43}=|[\w+/]{43}=)["']\)`, 4, nil},
	{"git-config-header", `(?i)extraheader\s{0,3}=\s{0,3}["']?AUTHORIZATION:\s{0,3}basic\s{1,3}([A-Za-z0-9+/=]{16,300})`, 3, nil},
	{"ethereum-key", `(?i)\b(?:\w{1,20}_)?(?:deployer|signer|wallet|minter|relayer|faucet|operator|sequencer|proposer|bundler)["']?\s{0,3}[:=]{1,2}\s{0,3}["'](0x[0-9a-f]{64})["']`, 3, nil},
	{"azure-storage-key", `(?i)\bfs\.azure\.account\.key\.[\w.-]{5,80}["']?\s{0,3}[,:=]{0,2}\s{0,20}["']?([A-Za-z0-9+/]{86}==)`, 4, nil},
}

// placeRules are expressions of places where a secret is given: a command, a call, a setting without a name. The value is the first
// group, and it is judged under a name of that kind.
var placeRules = []struct {
	id, regex string
	noun      value.Noun
}{
	{"endpoint-key", `(?i)["']https://(?:api|[\w-]{2,30}\.api)\.[\w./-]{3,60}["'],\s{0,3}["']([\w-]{24,80})["']`, value.TokenNoun},
	{"erlang-cookie", `(?i)(?:\brelease_cookie\s{0,3}[=:]\s{0,3}|\berlang_cookie\s{0,3}[=:]\s{0,3}|-setcookie\s{1,3}|:set_cookie\((?:[^)\n,'"]{0,40}\)?,\s{0,3})?)["':]{0,2}([A-Za-z0-9_+/=-]{12,128})`, value.TokenNoun},
	{"command-login", `(?i)\b(?:snyk (?:config set api=|auth )|ngrok (?:config add-)?authtoken |doctl auth init (?:-t|--access-token) |cachix authtoken |buildkite-agent start --token |teleport start --token=|consul login -token |vault login |railway login |netlify login --auth |appcenter login --token |expo login --token |percy exec --token |datadog-ci --api-key )["']?([\w.-]{20,200})`, value.TokenNoun},
	{"user-info", `(?i)\b(?:auth\.user\.info|basic_auth_user_info|basic-auth-user-info)["']?\s{0,3}[=:]\s{0,3}["']?[^:\s"']{2,100}:([^\s"']{8,200})`, value.PassNoun},
	{"oracle-connect", `(?i)(?:jdbc:oracle:\w+:|(?:sqlplus|sqlcl|rman|expdp|impdp|sqlldr|connect)\s{1,3}(?:-s\s{1,3}|target\s{1,3}|catalog\s{1,3})?["']?)\w{1,40}/([^@\s"'/]{5,64})@`, value.PassNoun},
	{"wifi-psk", `(?i)\bpsk=(?:([0-9a-f]{64})|"([^"\n]{8,63})")`, value.PassNoun},
	{"bundle-host", `(?m)^BUNDLE_\w{1,40}__(?:IO|COM|ORG|NET|DEV|CO|CLOUD|APP)(?:__\w{1,40})?: ["']?([^"'\s]{8,200})["']?\r?$`, value.PassNoun},
	{"htpasswd-command", `(?i)\bhtpasswd\s{1,3}(?:-\w{1,6}\s{1,3}){0,3}-\w{0,4}b\w{0,4}\s{1,3}[\w./$-]{1,80}\s{1,3}[\w.-]{1,40}\s{1,3}["']?([^\s"'|;]{6,64})`, value.PassNoun},
	{"chpasswd", `(?i)["'\s](?:\w{1,32}):([^\s:"'|]{6,64})["']?\s{0,3}\|\s{0,3}(?:sudo\s{1,3})?chpasswd`, value.PassNoun},
	{"echo-password", `(?i)echo\s{1,3}(?:-n\s{1,3})?["']?([^\s"'|$]{6,200})["']?\s{0,3}\|\s{0,3}[^|\n]{1,120}(?:--password-stdin|--passphrase-fd|sudo  {0,2}-S|passwd --stdin|cryptsetup|gh auth login)`, value.PassNoun},
	{"echo-password", `(?i)(?:pass(?:word|wd|phrase)?-file[= ]{1,2}<\(\s{0,3}(?:echo|printf)\s{1,3}(?:-n\s{1,3})?|--password-stdin\s{0,3}<<<\s{0,3})["']?([^\s"'|$)]{6,200})`, value.PassNoun},
	{"echo-password", `(?i)pass(?:word)?_?(?:command|cmd|eval)["']?\s{0,3}[=:]?\s{0,3}["']?(?:echo|printf)\s{1,3}['"\\]{0,2}([^\s"'|$;\\]{6,100})`, value.PassNoun},
	{"echo-password", `(?i)(?:echo|printf)\s{1,3}(?:-n\s{1,3})?["']?([^\s"'|$]{6,200})["']?\s{0,3}\|[^|\n]{0,60}(?:secret create|secret put|secret set|secrets put|set-password|\bkinit |\bsmbpasswd |\bvncpasswd |\bwpa_passphrase )`, value.PassNoun},
	{"database-key", `(?i)\bpragma (?:re|hex)?key\s{0,3}=\s{0,3}\\?["']([^"'\n\\]{6,100})`, value.PassNoun},
	{"secure-string", `(?i)ConvertTo-SecureString\s{1,3}(?:-String\s{1,3})?["']([^"'$\n]{6,128})["']`, value.PassNoun},
	{"secure-string", `(?i)ConvertTo-SecureString\s{1,3}(?:-String\s{1,3})?([^\s"'$(){}<\[-][^\s"'(){}]{7,127})\s{1,3}-`, value.PassNoun},
	{"secure-string", `(?i)["']([^"'$\n]{6,128})["']\s{0,3}\|\s{0,3}ConvertTo-SecureString`, value.PassNoun},
	{"secure-string", `(?i)ConvertTo-SecureString\s{1,3}(?:-Force\s{1,3})?-AsPlainText\s{1,3}(?:-Force\s{1,3})?(?:-String\s{1,3})?["']?([^\s"'$(){}<\[-][^\s"'(){};|]{5,127})`, value.PassNoun},
	{"kickstart-rootpw", `(?i)\brootpw\s{1,3}(?:--plaintext\s{1,3})?([^\s-]\S{5,64})`, value.PassNoun},
	{"gh-secret-set", `(?i)\bgh secret set \w{1,60} (?:--body|-b)[= ]{1,2}["']?([^"'\s]{8,300})`, value.PassNoun},
	{"composer-auth", `(?i)config (?:--global |-g )?http-basic\.[\w.-]{1,80} \S{1,60} ([^\s"'$]{8,100})`, value.PassNoun},
	{"signing-call", `(?i)(?:jwt|jsonwebtoken|jose|token)\.(?:sign|verify|encode|decode)\([^\n]{0,120}?,\s{0,3}b?["']([^"'\s]{12,128})["']`, value.TokenNoun},
	{"hmac-call", `(?i)(?:createhmac|createcipheriv|createdecipheriv)\(["'][\w-]{3,20}["'],\s{0,3}["']([^"'\s]{8,128})["']`, value.TokenNoun},
	{"haproxy-auth", `(?i)\bstats auth [\w.-]{1,40}:(\S{5,64})`, value.PassNoun},
	{"userlist", `(?m)^"[\w.-]{1,40}" "([^"\n]{6,100})"`, value.PassNoun},
	{"redis-acl", `(?im)^\s{0,3}(?:acl setuser|user) [\w.-]{1,40} (?:on|off) [^\n>]{0,40}>([^\s>]{6,64})`, value.PassNoun},
	{"turn-user", `(?im)^\s{0,3}(?:user|cache_peer [^\n]{1,80}? login)=[\w.-]{1,40}:(\S{6,64})`, value.PassNoun},
	{"filled-in", `(?i)\bfill(?:s|ed)?[_ ]in\(?\s{0,3}["'][^"'\n]{0,40}(?:passw|passphrase|pwd)[^"'\n]{0,20}["'],?\s{0,3}:?with(?::|\s?=>)?\s{0,3}["']([^"'\n]{4,64})["']`, value.PassNoun},
	{"filled-in", `(?i)\binput password {2,8}\S{1,80} {2,8}(\S{4,64})`, value.PassNoun},
	{"net-user", `(?im)\bnet user ["']?[\w.-]{1,40}["']? ["']?([^\s"'/*%$][^\s"']{4,64})["']?(?:\s{1,3}/|\r?$)`, value.PassNoun},
	{"cloud-auth", `(?i)cloud\.auth:? {0,3}["']?[\w.-]{1,40}:([^"'\s]{8,64})`, value.PassNoun},
	{"gpg-passphrase", `(?i)--passphrase[= ]{1,3}["']?([^\s"']{6,100})`, value.PassNoun},
	{"device-server-key", `(?i)\b(?:tacacs|radius)-server [^\n]{0,60}?\bkey (?:[05] )?(\S{6,64})`, value.PassNoun},
	{"account-scheme", `(?i)\{(?:plain|cleartext)\}([^\s:"'<>{}]{6,128})`, value.PassNoun},
	{"proxy-user", `(?i)\busers [\w.-]{1,40}:CL:(\S{6,64})`, value.PassNoun},
	{"wifi-psk", `(?i)\bwpa-psk (?:ascii|hex) [0-9] (\S{8,64})`, value.PassNoun},
	{"snmp-community", `(?i)/snmp community (?:set|add) [^\n]{0,80}\bname="?([^\s"]{6,64})`, value.PassNoun},
	{"snmp-community", `(?i)\bsnmp community\s{1,8}edit \S{1,20}\s{1,20}(?:set \w[^\n]{0,80}\s{1,20}){0,3}set name "?([^\s"]{6,64})`, value.PassNoun},
	{"snmp-community", `(?i)\bsnmp(?:-server)? community "?([^\s"]{6,64})`, value.PassNoun},
	{"snmp-community", `(?im)^\s{0,24}community "?([^\s"{};]{6,64})"?\s{0,3}\{`, value.PassNoun},
	{"snmp-community", `(?i)<r[ow]community6?>([^\s<]{6,64})</`, value.PassNoun},
	{"acme-dns-token", `(?m)^\s{0,20}(?:acme_)?dns [a-z]\w{2,20} "?([^\s"{}$]{16,128})"?\r?$`, value.TokenNoun},
}

// answer asks for what was drawn by lot, and is no digest.
func answer(v []byte) bool { return byLotText(v) && !value.AllHex(v) && !value.AllDigits(v) }

// mixed asks for both letters and digits, drawn by lot with or without what begins all of a kind.
func mixed(v []byte) bool {
	return value.ShapeOf(v).Digit > 1 && (value.Random(v) || value.Random(v[min(4, len(v)):]))
}

// cased asks for letters of both cases and a digit, in no order of words.
func cased(v []byte) bool {
	s := value.ShapeOf(v)
	return s.Digit > 0 && s.Upper > 2 && s.Lower > 2 && value.Wordy(v)*2 < s.Length
}

// basicPair asks for user:password in base64.
func basicPair(v []byte) bool {
	_, password, _ := bytes.Cut(value.Decoded(v), []byte(":"))
	return len(password) > 2 && !value.NoValue(password)
}

// registryAuth judges what .npmrc gives as _auth or _authToken.
func registryAuth(v []byte) bool {
	return !value.StandIn(v) && !value.LookUp(v) && (basicPair(v) || value.IsUUID(v) || value.Random(v) || value.Random(v[min(4, len(v)):]))
}
