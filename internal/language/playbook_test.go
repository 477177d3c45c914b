package language

import "testing"

func TestIsPlaybook(t *testing.T) {
	for name, want := range map[string]bool{
		"roles/quay/tasks/main.yml": true, "ansible/roles/port/quay/defaults/main/main.yaml": true, "roles/quay/handlers/main.yml": true, "playbooks/site.yml": true,
		"roles/quay/templates/a.yml": false, "roles/quay/meta/main.yml": false, "tasks/main.yml": false, "playbooks/run.sh": false, "roles.yml": false, "defaults/roles/a.yml": false,
	} {
		if got := IsPlaybook(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestIsCluster(t *testing.T) {
	for name, want := range map[string]bool{
		"charts/quay/templates/web.yaml": true, "k8s/quay.yml": true, "deploy/overlays/prod/patch.yaml": true, "charts/quay/values.yaml": false,
		"templates/mail.html": false, "k8s.yaml": false, "src/app.yaml": false,
	} {
		if got := IsCluster(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
