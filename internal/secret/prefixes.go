package secret

import "github.com/haversack-dev/haversack/internal/secret/value"

// This file holds the tokens whose makers document what they begin with, as far as neither the provided rules nor ownRules have them.

// unworded reports whether less than half of v reads like words, as it does where only a name begins like a token.
func unworded(v []byte) bool {
	s := value.ShapeOf(v)
	return value.Wordy(v)*2 < s.Length && (s.Digit > 0 || s.Upper > 2 && s.Lower > 2)
}

// prefixRules are rules like ownRules, each of a token that tells itself by how it begins. A new one is a row here: TestPrefixes
// draws values of each from its expression, and words in their place, which are none.
var prefixRules = []ownRule{
	// Version control, builds, packages
	{"gitlab-runner-token", `\b(glrtr-[\w-]{20,60})` + nw, 3, unworded},
	{"atlassian-service-token", `\b(ATSTT3[A-Za-z0-9_=-]{60,260})`, 4, nil},
	{"buildkite-token", `\b(bk(?:aj|rt|us|pat|sa)_[0-9a-zA-Z]{40,200})` + nw, 3, nil},
	{"chromatic-token", `\b(chpt_[0-9a-f]{12,16})\b`, 2.5, unworded},
	{"percy-token", `\b((?:web|app|auto|ss)_[0-9a-f]{64})\b`, 3, nil},
	{"deepsource-token", `\b(dsp_[0-9a-f]{40})\b`, 3, nil},
	{"socket-token", `\b(sktsec_[\w-]{36,60}_api)\b`, 3.5, unworded},
	{"stackhawk-key", `\b(hawk\.[\w-]{20}\.[\w-]{20})` + nw, 3.5, unworded},
	{"veracode-key", `\b(vera01e[is]-[0-9a-f]{32,128})\b`, 3, nil},
	{"lichess-token", `\b(lip_[A-Za-z0-9]{20})\b`, 3.5, unworded},
	{"open-vsx-token", `\b(ovsx(?:at|p)_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b`, 0, nil},
	{"octopus-key", `\b(API-[A-Z0-9]{25,32})\b`, 3.3, unworded},
	{"docker-swarm-token", `\b(SWMTKN-1-[a-z0-9]{50}-[a-z0-9]{25})\b`, 3.5, nil},
	{"rancher-token", `\b((?:token|kubeconfig-u)-[a-z0-9]{5,12}:[a-z0-9]{54})\b`, 3.5, nil},
	{"k3s-token", `\b(K10[0-9a-f]{64}::(?:server|node|[a-z0-9]{6})[:.][0-9a-z]{16,64})\b`, 3, nil},
	{"portainer-key", `\b(ptr_[A-Za-z0-9+/]{43}=)`, 3.5, nil},
	{"proxmox-token", `\bPVEAPIToken=[\w.-]{1,40}@\w{1,20}![\w.-]{1,40}[=:]([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b`, 0, nil},
	{"nexus-token", `\b((?:Npm|NuGet|Docker)Token\.[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b`, 0, nil},
	{"sourcegraph-license", `\b(slk_[0-9a-f]{64})\b`, 3, nil},
	{"ionic-token", `\b(ion_[A-Za-z0-9]{42})\b`, 3.5, unworded},
	{"aikido-secret", `\b(AIK_SECRET_[A-Za-z0-9]{64})\b`, 4, nil},
	{"readme-key", `\b(rdme_[a-z0-9]{70})\b`, 3.5, nil},
	// Language models and what they are built with
	{"hugging-face-token", `\b(hf_(?:jwt|oauth)_[\w.=-]{30,})`, 3.5, unworded},
	{"langsmith-key", `\b(ls__[0-9a-f]{32})\b`, 3, nil},
	{"jina-key", `\b(jina_[0-9a-f]{32}[\w-]{28})` + nw, 3.5, nil},
	{"cursor-key", `\b(crsr_[0-9a-f]{64})\b`, 3, nil},
	{"composio-key", `\b((?:oak|uak|ak|pak)_[\w-]{20,48})` + nw, 3.5, unworded},
	{"wandb-key", `\b(wandb_v\d_[A-Za-z0-9_]{60,90})\b`, 4, nil},
	{"baidu-key", `\b(bce-v3/ALTAK-[A-Za-z0-9]{21}/[0-9a-f]{40})\b`, 3.5, nil},
	{"google-auth-key", `\b(AQ\.Ab[\w-]{48,60})` + nw, 4, nil},
	{"runpod-key", `\b(rpa_[A-Za-z0-9]{30,50})\b`, 3.5, unworded},
	{"permit-key", `\b(permit_key_[A-Za-z0-9]{60,100})\b`, 4, nil},
	{"voiceflow-key", `\b(VF\.(?:DM|WS)\.[0-9a-f]{24}\.[A-Za-z0-9]{16})\b`, 3.5, nil},
	{"prefixed-sk-key", `\b(sk-(?:let|svcacct|cp|kimi|or|aw|ss|api|live|test|user|team|org|rp)-[\w-]{32,200})` + nw, 4, unworded},
	// Clouds and data
	{"cloudflare-prefixed-token", `\b(cf(?:ast|pat|uat|st)_[A-Za-z0-9_-]{37,60})` + nw, 3.5, unworded},
	{"xata-key", `\b(xau_[A-Za-z0-9]{36,44})\b`, 3.5, nil},
	{"elastic-key", `\b(ess[au]_[A-Za-z0-9+/_-]{40,120}={0,2})`, 3.5, nil},
	{"astra-token", `\b(AstraCS:[A-Za-z]{24}:[0-9a-f]{64})\b`, 3.5, nil},
	{"fauna-key", `\b(fnA[A-Za-z][\w-]{34,60})` + nw, 4, unworded},
	{"exoscale-key", `\b(EXO[0-9a-f]{24,30})\b`, 3, nil},
	{"exoscale-key", `\b(EXO[A-Za-z0-9]{24,30})\b`, 3.5, unworded},
	{"upcloud-token", `\b(ucat_[0-9A-Z]{26})\b`, 3.3, unworded},
	{"alibaba-sts-key", `\b(STS\.[A-Za-z0-9]{20,64})\b`, 3.5, unworded},
	{"volcengine-key", `\b(AKLT[A-Za-z0-9+/]{40,60}={0,2})`, 4, unworded},
	{"appwrite-key", `\b(standard_[0-9a-f]{240,280})\b`, 3, nil},
	{"contentstack-token", `\b((?:cs|blt)[0-9a-f]{32,36})\b`, 3, unworded},
	{"sanity-token", `\b(sk[A-Za-z0-9]{120,180})\b`, 4.5, unworded},
	{"imagekit-key", `\b(private_[A-Za-z0-9+/]{27}=)`, 3.5, unworded},
	{"unleash-token", `\b([\w*-]{1,40}:[\w-]{2,40}\.unleash-[\w-]{4,80}\.[0-9a-f]{40,64})\b`, 3, nil},
	{"flagsmith-key", `\b(ser\.[A-Za-z0-9]{20,24})\b`, 3.5, unworded},
	{"configcat-key", `\b(configcat-sdk-\d/[\w-]{22}/[\w-]{22})` + nw, 4, nil},
	{"growthbook-secret", `\b(secret_(?:user|readonly|admin)_[A-Za-z0-9]{24,60})\b`, 3.5, unworded},
	{"devcycle-key", `\b(dvc_server_[0-9a-f]{8}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{12}_[0-9a-f]{6,8})\b`, 0, nil},
	{"launchdarkly-mobile-key", `\b(mob-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})\b`, 0, nil},
	{"pubnub-secret", `\b(sec-c-[A-Za-z0-9]{36,60}={0,2})`, 3.5, unworded},
	{"zuplo-key", `\b(zpka_[a-z0-9]{32}_[0-9a-f]{8})\b`, 3.5, nil},
	{"unkey-key", `\b(unkey_[A-Za-z0-9]{20,40})\b`, 3.5, unworded},
	{"val-town-token", `\b(vtwn_[A-Za-z0-9]{20,80})\b`, 3.5, unworded},
	{"thunderstore-token", `\b(tss_[A-Za-z0-9]{24,80})\b`, 3.5, unworded},
	{"quicknode-key", `\b(QN_[0-9a-f]{32})\b`, 3, nil},
	{"workato-token", `\b(wrka(?:[a-z]{2})?-eyJ[\w-]{8,}\.[\w-]{16,}\.[\w-]{40,})`, 4, unworded},
	{"ngrok-key", `\b((?:ak|cr|2|3)_2[A-Za-z0-9]{26}_[A-Za-z0-9]{20,26})\b`, 4, nil},
	// Signed and sealed tokens, identity
	{"paseto", `\b(v[1-4]\.(?:local|public)\.[\w-]{60,}(?:\.[\w-]{4,400})?)` + nw, 4, unworded},
	{"paserk", `\b(k[1-4]\.(?:local|secret|seal|local-wrap\.pie|secret-wrap\.pie|local-pw|secret-pw)\.[\w-]{40,400})` + nw, 4, unworded},
	{"secret-token", `\b(secret-token:[\w%.~-]{16,200})`, 3.5, unworded},
	{"ory-token", `\b(ory_(?:at|rt|ac|st|lo|pat|wak|apikey)_[\w.-]{30,120})`, 3.5, unworded},
	{"matrix-authentication-token", `\b(m(?:at|ct|cr)_[A-Za-z0-9]{30}_[A-Za-z0-9]{6})\b`, 3.5, nil},
	{"pagerduty-oauth-token", `\b(pd(?:us|eu)\+_[\w-]{18,80})` + nw, 3.5, unworded},
	{"intercom-token", `\b(dG9rO[A-Za-z0-9+/_-]{50,120}={0,2})`, 4, nil},
	// Payment and trade
	{"stripe-key", `\b((?:sk_org|ek|uk|rk_org)_(?:live|test|prod)_[A-Za-z0-9]{16,250})` + nw, 3, nil},
	{"shopify-token", `\b((?:atkn|prtapi|shpua|shpit|shpcka)_[0-9a-fA-F]{32,64})\b`, 3, nil},
	{"pagarme-key", `\b((?:ak|ek)_(?:live|test)_[A-Za-z0-9]{28,34})\b`, 3.5, unworded},
	{"flutterwave-prod-key", `\b(FLWSECK-[0-9a-f]{32,40}-[0-9A-Za-z]{3,20})\b`, 3, nil},
	{"midtrans-key", `\b((?:SB-)?Mid-server-[\w-]{24})` + nw, 3.5, unworded},
	{"cashfree-key", `\b(cfsk_ma_(?:prod|test)_[0-9a-f]{32}_[0-9a-f]{8})\b`, 3, nil},
	{"asaas-key", `(\$aact_(?:prod_|hmlg_)?[A-Za-z0-9+/=:_-]{24,240})`, 3.5, unworded},
	{"mercury-token", `\b(mercury_(?:production|sandbox)_\w{2,8}_[A-Za-z0-9]{30,60})\b`, 3.5, unworded},
	{"ramp-secret", `\b(ramp_sec_[A-Za-z0-9]{48})\b`, 4, nil},
	{"shippo-token", `\b(shippo_(?:live|test)_[0-9a-f]{40})\b`, 3, nil},
	{"persona-key", `\b(persona_(?:production|sandbox)_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b`, 0, nil},
	{"onfido-token", `\b(api_(?:live|sandbox)(?:_us|_ca|_eu)?\.[\w-]{11}\.[\w-]{32})` + nw, 3.5, unworded},
	{"ebay-secret", `\b((?:PRD|SBX)-[0-9a-f]{12}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4})\b`, 3, nil},
	{"fleetbase-key", `\b(flb_(?:live|test)_[A-Za-z0-9]{20,30})\b`, 3.5, unworded},
	{"flexport-token", `\b(shltm_[\w-]{40,50})` + nw, 4, unworded},
	// Mail, messages, work
	{"klaviyo-key", `\b(pk_[0-9a-f]{34})\b`, 3, nil},
	{"clickup-token", `\b(pk_\d{5,10}_[A-Z0-9]{32})\b`, 3.5, nil},
	{"segment-token", `\b(sgp_[A-Za-z0-9]{64})\b`, 4, nil},
	{"convertkit-key", `\b(kit_[0-9a-f]{32})\b`, 3, nil},
	{"canva-secret", `\b(cnvca[\w-]{51})` + nw, 4, unworded},
	{"cal-key", `\b(cal_(?:live_|test_)?[0-9a-f]{32})\b`, 3, nil},
	{"notify-key", `\b(gcntfy-[\w-]{1,60}-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b`, 0, nil},
	{"planning-center-token", `\b(pco_(?:app|pat|tok)_[0-9a-f]{40,80})\b`, 3, nil},
	{"pinterest-token", `\b(pin[acr][_.][A-Z0-9]{40,120})\b`, 3.5, unworded},
	{"samsara-token", `\b(samsara_api_[A-Za-z0-9]{26,40})\b`, 3.5, unworded},
	{"rootly-key", `\b(rootly_[0-9a-f]{64})\b`, 3, nil},
	{"firehydrant-key", `\b(fhb-[0-9a-f]{32})\b`, 3, nil},
	{"honeybadger-key", `\b(hbp_[A-Za-z0-9]{30,50})\b`, 3.5, unworded},
	{"nightfall-key", `\b(NF-[A-Za-z0-9]{32})\b`, 3.5, unworded},
	{"maxmind-key", `\b([A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk)\b`, 3.5, nil},
	{"ubidots-token", `\b(BB(?:FF|US)-[A-Za-z0-9]{30,34})\b`, 3.5, unworded},
	{"dfuse-key", `\b((?:web|server)_[0-9a-f]{32})\b`, 3, unworded},
	{"datadog-app-key", `\b(dd(?:app|api|pat)_[A-Za-z0-9]{32,44})\b`, 3.5, unworded},
	{"tailscale-key", `\b(tskey-(?:auth|api|client|scim|webhook|secret)-[A-Za-z0-9_-]{20,60})` + nw, 3.5, unworded},
	{"facebook-app-token", `\b(?:access_token=|bearer )(\d{15,16}(?:\||%7C)[\w-]{27,40})` + nw, 3.5, nil},
	// Keys of chains
	{"nostr-key", `\b(nsec1[02-9ac-hj-np-z]{58})\b`, 3.5, nil},
	{"nostr-key", `\b(ncryptsec1[02-9ac-hj-np-z]{120,200})\b`, 3.5, nil},
	{"sui-key", `\b(suiprivkey1[02-9ac-hj-np-z]{58})\b`, 3.5, nil},
	{"aptos-key", `\b((?:ed25519|secp256k1)-priv-0x[0-9a-f]{64})\b`, 3, nil},
	{"near-key", `\b((?:ed25519|secp256k1):[1-9A-HJ-NP-Za-km-z]{86,90})\b`, 4.5, unworded},
	{"cardano-key", `\b((?:ed25519e?|addr|root|acct|stake|drep)_x?sk1[02-9ac-hj-np-z]{58,240})\b`, 3.5, nil},
	{"tezos-key", `\b((?:edsk|spsk|p2sk|edesk|BLsk)[1-9A-HJ-NP-Za-km-z]{50,110})\b`, 4, unworded},
}

// readPadded finds the tokens of two parts of which one is sixteen bytes in base64, which == ends: of Bitwarden's Secrets Manager,
// 0.UUID.secret:key==, and of Tableau, id==:secret.
func readPadded(r *run, start, end int) {
	const part = 22
	text := r.text
	lo := value.Back(text, start, part+1, value.Base64Signs)
	if start-lo != part || lo == 0 {
		return
	}
	const client, uuid = 30, 36
	if from := lo - len("0.") - uuid - len(".") - client - len(":"); from >= 0 && text[lo-1] == ':' {
		id, secret := text[from+2:from+2+uuid], text[lo-1-client:lo-1]
		if value.HasPrefixAt(text, from, "0.") && value.IsUUID(id) && value.Only(secret, value.Base64Signs) && unworded(secret) {
			r.add("bitwarden-access-token", from, end, rankFormed)
		}
		return
	}
	hi := value.Past(text, end+1, 33, value.LetterSigns+value.DigitSigns)
	if value.ByteAt(text, end) == ':' && hi-end == 33 && unworded(text[lo:start]) && unworded(text[end+1:hi]) {
		r.add("tableau-access-token", lo, hi, rankFormed)
	}
}
