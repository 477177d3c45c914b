package secret

import (
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// Tier is what a path's name alone says.
type Tier uint8

const (
	// Clear names say nothing.
	Clear Tier = iota
	// Suspect names often go with credentials. Such a file stays when it is text and the content scan is clean.
	Suspect
	// Exact names are those of files that hold credentials. Such a file is out, whatever it holds.
	Exact
)

// A pattern of names is lower case; "*" stands for any bytes but "/", and as many path elements are compared as it has.

// exactNames are out by name. Of several that match, the first tells.
var exactNames = []string{
	// Environments with values.
	".env", ".env.*", "*.env", ".env-*", ".env_*", ".dev.vars",
	// Logins of ftp, curl and git, of mail and news.
	".netrc", "_netrc", ".netrc.gpg", ".authinfo", ".authinfo.gpg",
	// Logins of databases, and the history of a shell of one.
	".pgpass", "pgpass.conf", ".pg_service.conf", ".my.cnf", ".mylogin.cnf", ".dbshell",
	// Password hashes of a web server.
	".htpasswd", "htpasswd", ".htdigest",
	// Logins of git, GitHub, registries of packages, builds.
	".git-credentials", ".gitcredentials", ".config/git/credentials", ".config/hub", ".config/gh/hosts.yml",
	".pypirc", ".gem/credentials", ".cargo/credentials", ".cargo/credentials.toml", ".nuget/nuget.config", ".composer/auth.json",
	".m2/settings-security.xml", ".m2/settings.xml", ".gradle/gradle.properties", ".yarnrc.local.yml",
	".terraformrc", "terraform.rc", "credentials.tfrc.json",
	// SSH private keys.
	"id_rsa", "id_dsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk", "id_xmss", "ssh_host_*_key",
	"*_rsa", "*_dsa", "*_ed25519", "*_ecdsa", "*.ppk",
	// Stores of keys and of passwords, private keys, wallets.
	"*.jks", "*.jceks", "*.bks", "*.keystore", "*.p12", "*.pfx", "*.pkcs12", "*.p8", "*.pk8", "*.pvk", "*.snk",
	"*.kdb", "*.kdbx", "*.agilekeychain", "*.opvault", "*.1pux", "*.psafe3", "*.keychain", "*.keychain-db", "wallet.dat",
	// Password hashes of a system.
	"etc/shadow", "etc/gshadow",
	// Profiles with keys.
	"*.ovpn", "*.mobileprovision", "*.provisionprofile",
	// Terraform's state, with every value in the clear, and values.
	"*.tfstate", "*.tfstate.backup", "*.tfstate.*.backup", "*.tfvars", "*.tfvars.json",
	// Logins of clusters.
	"kubeconfig", "*.kubeconfig", "*-kubeconfig", "kubeconfig.yaml", "kubeconfig.yml", ".kube/config", "k3s.yaml",
	// Keys and logins of clouds.
	".aws/credentials", "kaggle.json", ".boto", ".s3cfg", ".s3curl", ".passwd-s3fs", "rclone.conf",
	".azure/accesstokens.json", ".azure/msal_token_cache.json", "application_default_credentials.json", "gha-creds-*.json",
	"service-account*.json", "service_account*.json", "*-service-account.json", "*_service_account.json",
	"client_secret*.json", "credentials.json",
	// Logins of registries of images.
	".docker/config.json", ".dockercfg", ".dockerconfigjson", ".config/containers/auth.json",
	// Keys of Rails credentials, passwords and tokens of vaults.
	"master.key", "config/credentials/*.key", ".vault_pass*", ".vault-pass*", "vault_pass.txt", "vault-password*",
	"vault_password*", ".vault-token",
	// WordPress' database login and salts.
	"wp-config.php",
	// Logins of FTP, and of an editor's upload.
	"filezilla.xml", "recentservers.xml", "sitemanager.xml", ".ftpconfig", ".remote-sync.json", "sftp-config.json",
	".vscode/sftp.json", "sftp.json",
	// Tokens of DigitalOcean and Twitter, logins of chat, mail and file servers.
	".tugboat", ".trc", ".irssi/config", ".muttrc", ".msmtprc", ".fetchmailrc", ".esmtprc", ".mbsyncrc", ".offlineimaprc", "sasl_passwd",
	".smbcredentials", ".cifs-credentials",
	// Typed commands.
	".bash_history", ".zsh_history", ".sh_history", ".psql_history", ".mysql_history", ".rediscli_history", ".python_history",
	".node_repl_history",
	// Stores of passwords, key rings, keys of Kerberos and age.
	".password-store/*", ".gnupg/*", "secring.*", "*.keytab", "*.agekey", "age.key",
	// Secrets of Streamlit, database logins, a server's password hash.
	".streamlit/secrets.toml", "robomongo.json", ".jupyter/jupyter_server_config.json",
}

// templates of exact names are suspects: made to be committed, filled by mistake.
var templates = []string{
	".example", ".sample", ".template", ".dist", ".tmpl", ".tpl", ".default", ".defaults", ".schema", "-example", "-sample", "-template",
	"_example", "_sample", ".example.json", ".example.yaml", ".example.yml",
}

// suspectNames are kept when their content is clean.
var suspectNames = []string{
	// Certificates or keys, settings perhaps with keys.
	"*.pem", "local.settings.json", "wg*.conf", "*.key", "*.crt", "*.cer", "*.asc", "*.gpg", "*.pgp",
	// The name says so.
	"credentials*", "*credential*", "secrets*", "*secret*", "*token*", "*passwd*", "*password*", "*apikey*", "*api_key*",
	"*api-key*", "*private_key*", "*private-key*",
	// Settings, sometimes with a login or keys.
	".npmrc", "auth.json", "serviceaccount*.json", ".aws/config", ".envrc", ".flaskenv",
	// Recorded traffic.
	"*.har", "*.pcap",
	// Certificates, keys, and requests for them.
	"*.der", "*.csr",
}

// Name sorts a path by its last elements, whatever their case. The rule is the pattern that decided, "" for Clear.
func Name(path string) (tier Tier, rule string) {
	low := strings.ToLower(path)
	base := low[strings.LastIndexByte(low, '/')+1:]
	for _, t := range templates {
		if strings.HasSuffix(base, t) {
			if real, ok := matchName(low[:len(low)-len(t)], exactNames); ok {
				return Suspect, real + t
			}
			if strings.HasPrefix(base, ".env") {
				return Suspect, ".env*" + t
			}
		}
	}
	// .env.example.local and example.env are templates as well.
	if strings.HasPrefix(base, ".env") || strings.HasSuffix(base, ".env") {
		for _, w := range [...]string{"example", "sample", "template", "dist"} {
			if strings.Contains(base, w) {
				return Suspect, "*" + w + "*.env"
			}
		}
		// process.env.d.ts and env.go are code.
		if i := strings.LastIndexByte(base, '.'); i > 4 && styleOf(base) == value.AsCode {
			return Suspect, ".env*" + base[i:]
		}
	}
	if p, ok := matchName(low, exactNames); ok {
		return Exact, p
	}
	if p, ok := matchName(low, suspectNames); ok {
		return Suspect, p
	}
	return Clear, ""
}

// matchName returns the first of the patterns that the end of a path matches.
func matchName(path string, patterns []string) (string, bool) {
	var ends [3]string // of path: the last element, the last two, the last three
	from := len(path) + 1
	for n := range ends {
		from = strings.LastIndexByte(path[:max(0, from-1)], '/') + 1
		ends[n] = path[from:]
	}
	for _, p := range patterns {
		if globName(p, ends[strings.Count(p, "/")]) {
			return p, true
		}
	}
	return "", false
}

// globName matches a pattern of literals and stars against a whole name. It takes at most len(pattern) × len(name) steps.
func globName(p, s string) bool {
	star, mark := -1, 0
	i, j := 0, 0
	for j < len(s) {
		switch {
		case i < len(p) && p[i] == '*':
			star, mark = i, j
			i++
		case i < len(p) && p[i] == s[j]:
			i++
			j++
		case star >= 0 && s[mark] != '/':
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(p[i:], "*") == ""
}
