package secret

import (
	"strings"
)

// Tier is what a path's name alone says.
type Tier uint8

const (
	// Clear names say nothing.
	Clear Tier = iota
	// Suspect names often go with credentials. Such a file stays when it is text
	// and the content scan is clean.
	Suspect
	// Exact names are those of files that hold credentials. Such a file is out,
	// whatever it holds.
	Exact
)

// String returns the tier as it stands in messages.
func (t Tier) String() string { return [...]string{"clear", "suspect", "exact"}[t] }

// nameRule is one rule for names. The pattern is lower case; "*" stands for any
// bytes but "/", and as many path elements are compared as it has.
type nameRule struct {
	pattern string
	reason  string
}

// exactNames are out by name, each with the reason.
var exactNames = []nameRule{
	{".env", "environment with values"},
	{".env.*", "environment with values"},
	{"*.env", "environment with values"},
	{".env-*", "environment with values"},
	{".env_*", "environment with values"},
	{".dev.vars", "wrangler: local secrets"},
	{".netrc", "logins of ftp, curl and git"},
	{"_netrc", "logins of ftp, curl and git"},
	{".netrc.gpg", "logins of ftp, curl and git"},
	{".authinfo", "logins of mail and news"},
	{".authinfo.gpg", "logins of mail and news"},
	{".pgpass", "PostgreSQL passwords"},
	{"pgpass.conf", "PostgreSQL passwords"},
	{".pg_service.conf", "PostgreSQL connections"},
	{".my.cnf", "MySQL client login"},
	{".mylogin.cnf", "MySQL client login"},
	{".dbshell", "MongoDB shell history"},
	{".htpasswd", "password hashes of a web server"},
	{"htpasswd", "password hashes of a web server"},
	{".htdigest", "password hashes of a web server"},
	{".git-credentials", "git logins"},
	{".gitcredentials", "git logins"},
	{".config/git/credentials", "git logins"},
	{".config/hub", "GitHub token of hub"},
	{".config/gh/hosts.yml", "GitHub token of gh"},
	{".pypirc", "package registry login"},
	{".gem/credentials", "package registry login"},
	{".cargo/credentials", "package registry login"},
	{".cargo/credentials.toml", "package registry login"},
	{".nuget/nuget.config", "package registry login"},
	{".composer/auth.json", "package registry login"},
	{".m2/settings-security.xml", "Maven master password"},
	{".m2/settings.xml", "Maven server logins"},
	{".gradle/gradle.properties", "logins and signing passwords"},
	{".yarnrc.local.yml", "package registry login"},
	{".terraformrc", "Terraform token"},
	{"terraform.rc", "Terraform token"},
	{"credentials.tfrc.json", "Terraform token"},
	{"id_rsa", "SSH private key"},
	{"id_dsa", "SSH private key"},
	{"id_ecdsa", "SSH private key"},
	{"id_ecdsa_sk", "SSH private key"},
	{"id_ed25519", "SSH private key"},
	{"id_ed25519_sk", "SSH private key"},
	{"id_xmss", "SSH private key"},
	{"ssh_host_*_key", "SSH host key"},
	{"*_rsa", "SSH private key"},
	{"*_dsa", "SSH private key"},
	{"*_ed25519", "SSH private key"},
	{"*_ecdsa", "SSH private key"},
	{"*.ppk", "PuTTY private key"},
	{"*.jks", "Java key store"},
	{"*.jceks", "Java key store"},
	{"*.bks", "Java key store"},
	{"*.keystore", "Java or Android key store"},
	{"*.p12", "key and certificate, PKCS#12"},
	{"*.pfx", "key and certificate, PKCS#12"},
	{"*.pkcs12", "key and certificate, PKCS#12"},
	{"*.p8", "private key, PKCS#8"},
	{"*.pk8", "private key, PKCS#8"},
	{"*.pvk", "private key"},
	{"*.snk", "strong name key pair"},
	{"*.kdb", "KeePass store"},
	{"*.kdbx", "KeePass store"},
	{"*.agilekeychain", "1Password store"},
	{"*.opvault", "1Password store"},
	{"*.1pux", "1Password export"},
	{"*.psafe3", "Password Safe store"},
	{"*.keychain", "macOS key chain"},
	{"*.keychain-db", "macOS key chain"},
	{"wallet.dat", "wallet"},
	{"etc/shadow", "password hashes of a system"},
	{"etc/gshadow", "password hashes of a system"},
	{"*.ovpn", "VPN profile with key"},
	{"*.mobileprovision", "signing profile"},
	{"*.provisionprofile", "signing profile"},
	{"*.tfstate", "Terraform state: every value in the clear"},
	{"*.tfstate.backup", "Terraform state: every value in the clear"},
	{"*.tfstate.*.backup", "Terraform state: every value in the clear"},
	{"*.tfvars", "Terraform values"},
	{"*.tfvars.json", "Terraform values"},
	{"kubeconfig", "cluster login"},
	{"*.kubeconfig", "cluster login"},
	{"*-kubeconfig", "cluster login"},
	{"kubeconfig.yaml", "cluster login"},
	{"kubeconfig.yml", "cluster login"},
	{".kube/config", "cluster login"},
	{"k3s.yaml", "cluster login"},
	{".aws/credentials", "AWS keys"},
	{"kaggle.json", "Kaggle API key"},
	{".boto", "cloud storage keys"},
	{".s3cfg", "cloud storage keys"},
	{".passwd-s3fs", "cloud storage keys"},
	{"rclone.conf", "cloud storage keys"},
	{".azure/accesstokens.json", "Azure tokens"},
	{".azure/msal_token_cache.json", "Azure tokens"},
	{"application_default_credentials.json", "Google Cloud login"},
	{"gha-creds-*.json", "Google Cloud login left by a workflow step"},
	{"service-account*.json", "Google Cloud service account"},
	{"service_account*.json", "Google Cloud service account"},
	{"*-service-account.json", "Google Cloud service account"},
	{"*_service_account.json", "Google Cloud service account"},
	{"client_secret*.json", "OAuth client secret"},
	{"credentials.json", "login of a cloud or an API"},
	{".docker/config.json", "registry logins"},
	{".dockercfg", "registry logins"},
	{".dockerconfigjson", "registry logins"},
	{".config/containers/auth.json", "registry logins"},
	{"master.key", "key of Rails credentials"},
	{"config/credentials/*.key", "key of Rails credentials"},
	{".vault_pass*", "Ansible vault password"},
	{".vault-pass*", "Ansible vault password"},
	{"vault_pass.txt", "Ansible vault password"},
	{"vault-password*", "Ansible vault password"},
	{"vault_password*", "Ansible vault password"},
	{".vault-token", "Vault token"},
	{"wp-config.php", "WordPress database login and salts"},
	{"filezilla.xml", "FTP logins"},
	{"recentservers.xml", "FTP logins"},
	{"sitemanager.xml", "FTP logins"},
	{".ftpconfig", "FTP login"},
	{".remote-sync.json", "login of an editor's upload"},
	{"sftp-config.json", "login of an editor's upload"},
	{".vscode/sftp.json", "login of an editor's upload"},
	{"sftp.json", "login of an editor's upload"},
	{".s3curl", "cloud storage keys"},
	{".tugboat", "DigitalOcean token"},
	{".trc", "Twitter tokens"},
	{".irssi/config", "chat logins"},
	{".muttrc", "mail login"},
	{".msmtprc", "mail login"},
	{".fetchmailrc", "mail login"},
	{".esmtprc", "mail login"},
	{".mbsyncrc", "mail login"},
	{".offlineimaprc", "mail login"},
	{"sasl_passwd", "mail login"},
	{".smbcredentials", "file server login"},
	{".cifs-credentials", "file server login"},
	{".bash_history", "typed commands"},
	{".zsh_history", "typed commands"},
	{".sh_history", "typed commands"},
	{".psql_history", "typed commands"},
	{".mysql_history", "typed commands"},
	{".rediscli_history", "typed commands"},
	{".python_history", "typed commands"},
	{".node_repl_history", "typed commands"},
	{".password-store/*", "password store"},
	{".gnupg/*", "key ring"},
	{"secring.*", "key ring"},
	{"*.keytab", "Kerberos keys"},
	{"krb5.keytab", "Kerberos keys"},
	{"secrets.auto.tfvars", "Terraform values"},
	{".streamlit/secrets.toml", "Streamlit secrets"},
	{"robomongo.json", "database logins"},
	{".jupyter/jupyter_server_config.json", "server password hash"},
	{"*.agekey", "age key"},
	{"age.key", "age key"},
}

// templates of exact names are suspects: made to be committed, filled by
// mistake.
var templates = []string{".example", ".sample", ".template", ".dist", ".tmpl", ".tpl", ".default", ".defaults", ".schema", "-example", "-sample", "-template", "_example", "_sample", ".example.json", ".example.yaml", ".example.yml"}

// suspectNames are kept when their content is clean.
var suspectNames = []nameRule{
	{"*.pem", "certificate or key"},
	{"local.settings.json", "Azure Functions settings, perhaps with keys"},
	{"wg*.conf", "WireGuard interface, perhaps with its key"},
	{"*.key", "key, or a presentation"},
	{"*.crt", "certificate, sometimes with its key"},
	{"*.cer", "certificate, sometimes with its key"},
	{"*.asc", "signature or armoured key"},
	{"*.gpg", "encrypted, or a key ring"},
	{"*.pgp", "encrypted, or a key ring"},
	{"credentials*", "the name says so"},
	{"*credential*", "the name says so"},
	{"secrets*", "the name says so"},
	{"*secret*", "the name says so"},
	{"*token*", "the name says so"},
	{"*passwd*", "the name says so"},
	{"*password*", "the name says so"},
	{"*apikey*", "the name says so"},
	{"*api_key*", "the name says so"},
	{"*api-key*", "the name says so"},
	{"*private_key*", "the name says so"},
	{"*private-key*", "the name says so"},
	{".npmrc", "settings, sometimes with a registry login"},
	{"auth.json", "settings, often with a registry login"},
	{"serviceaccount*.json", "cloud login, or a manifest"},
	{".aws/config", "profiles, sometimes with keys"},
	{".envrc", "exported values, or set-up alone"},
	{".flaskenv", "environment, often without secrets"},
	{"*.har", "recorded traffic, with cookies and headers"},
	{"*.pcap", "recorded traffic"},
	{"*.der", "certificate or key"},
	{"*.csr", "certificate request"},
}

// Name sorts a path by its last elements, whatever their case. The rule is the
// pattern that decided, "" for Clear.
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
		if i := strings.LastIndexByte(base, '.'); i > 4 && styleOf(base) == asCode {
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

// Reason returns why a pattern that Name returned is one, "" for others.
func Reason(rule string) string {
	for _, list := range [...][]nameRule{exactNames, suspectNames} {
		for _, r := range list {
			if r.pattern == rule {
				return r.reason
			}
		}
	}
	return ""
}

func matchName(path string, rules []nameRule) (string, bool) {
	base := path[strings.LastIndexByte(path, '/')+1:]
	for i := range rules {
		p := rules[i].pattern
		name := base
		if n := strings.Count(p, "/"); n > 0 {
			name = path
			for j, seen := len(path)-1, 0; j >= 0; j-- {
				if path[j] == '/' {
					if seen++; seen > n {
						name = path[j+1:]
						break
					}
				}
			}
		}
		if globName(p, name) {
			return p, true
		}
	}
	return "", false
}

// globName matches a pattern of literals and stars against a whole name. It
// takes at most len(pattern) × len(name) steps.
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
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}
