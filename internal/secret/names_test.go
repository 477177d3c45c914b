package secret

import "testing"

func TestName(t *testing.T) {
	for _, c := range []struct {
		path string
		want Tier
	}{
		{".env", Exact}, {"app/.env.production", Exact}, {"app/.ENV", Exact}, {"deploy/prod.env", Exact}, {".env.local", Exact},
		{".env.example", Suspect}, {".env.sample", Suspect}, {"x/.env.template", Suspect}, {".env.dist", Suspect}, {".env.example.local", Suspect}, {"example.env", Suspect},
		{"src/env.go", Clear}, {"src/.env.d.ts", Suspect}, {"environment.ts", Clear}, {".environment", Clear},
		{".netrc", Exact}, {"home/.pgpass", Exact}, {"www/.htpasswd", Exact}, {".git-credentials", Exact}, {".pypirc", Exact},
		{"keys/id_rsa", Exact}, {"id_ed25519", Exact}, {"id_rsa.pub", Clear}, {"a.ppk", Exact}, {"a.jks", Exact}, {"A.P12", Exact}, {"a.pfx", Exact}, {"db.kdbx", Exact}, {"release.keystore", Exact},
		{"infra/terraform.tfstate", Exact}, {"terraform.tfstate.backup", Exact}, {"prod.tfvars", Exact}, {"prod.auto.tfvars.json", Exact}, {"terraform.tfvars.example", Suspect},
		{"kubeconfig", Exact}, {".kube/config", Exact}, {"kube/config", Clear}, {"x/.aws/credentials", Exact}, {"aws/credentials", Suspect}, {".docker/config.json", Exact}, {"docker/config.json", Clear},
		{"config/master.key", Exact}, {"config/credentials/production.key", Exact}, {".vault_pass", Exact}, {".vault_pass.txt", Exact}, {"wp-config.php", Exact}, {"wp-config.php.sample", Suspect},
		{"gha-creds-0123.json", Exact}, {"pkg/auth/user_token.go", Suspect}, {"pkg/secrets/manager.go", Clear}, {"secrets.go", Suspect}, {"tls/server.pem", Suspect}, {"ca.crt", Suspect}, {"k8s/db-credentials.yaml", Suspect},
		{"wg0.conf", Suspect}, {"client.ovpn", Exact}, {"rclone.conf", Exact}, {"main.go", Clear}, {"README.md", Clear}, {"", Clear}, {"/", Clear}, {"Configuration.php", Clear},
		{"service-account.json", Exact}, {".npmrc", Suspect}, {"compat/.vault-token", Exact}, {"etc/shadow", Exact}, {"shadow", Clear},
	} {
		tier, rule := Name(c.path)
		if tier != c.want {
			t.Errorf("Name(%q) = %v, %q, want %v", c.path, tier, rule, c.want)
		}
		if (tier == Clear) != (rule == "") {
			t.Errorf("Name(%q) = %v with rule %q", c.path, tier, rule)
		}
	}
}

func FuzzGlobName(f *testing.F) {
	f.Add("*.env", ".env")
	f.Add("a*b*c", "abc")
	f.Fuzz(func(t *testing.T, p, s string) {
		if globName("*"+s, s) != globName(s+"*", s) && len(s) < 50 && p == "" {
			t.Errorf("%q: a star at either end should not matter", s)
		}
		if globName(p, s) && !globName(p+"*", s) {
			t.Errorf("%q matches %q, and not with a star behind it", p, s)
		}
	})
}
