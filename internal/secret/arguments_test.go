package secret

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestArguments: what a program is given as a password is found in a script and in a sentence, whatever programs take it for; what
// stands for one, or beside it, is none. ‹ and › are round what must be found.
func TestArguments(t *testing.T) {
	s := newScanner(t)
	m := maker{rand.New(rand.NewPCG(41, 6))}
	for _, line := range strings.Split(strings.TrimSpace(`
ipmitool -H bmc -U ADMIN -P ‹V› power on
ipmitool -H bmc -Uadmin -P‹V› chassis power on
ipmitool user set password 3 ‹V›
com2sec readonly 10.0.0.0/8 ‹V›
snmp-server host 10.0.0.9 version 2c ‹V›
snmp-server user bob NETADMIN v3 auth sha ‹V› priv aes 128 ‹V›
crypto isakmp key ‹V› address 192.0.2.1
ntp authentication-key 1 md5 ‹V›
standby 1 authentication md5 key-string ‹V›
pihole -a -p ‹V›
pdnsutil import-tsig-key xfer hmac-sha512 ‹V›
mc alias set m http://minio.example.com:9000 admin ‹V›
xfreerdp /v:host /u:ann /p:‹V›
kubectl create secret generic s --from-literal=foo=‹V› --dry-run=client
kubectl -n app create secret generic s --from-literal 'foo=‹V›'
kustomize edit add secret s --from-literal=foo=‹V›
rabbitmqctl add_user ann ‹V›
rabbitmqctl change_password ann "‹V›"
vault kv put secret/app user=ann other=‹V›
fly secrets set FOO=‹V› REGION=fra
schtasks /create /tn job /ru ann /rp ‹V› /tr a.exe
nmcli dev wifi connect Guest password ‹V›
wpa_passphrase Guest ‹V›
networksetup -setairportnetwork en0 Guest ‹V›
ansible-vault encrypt_string '‹V›' --name foo
mosquitto_pub -h mq -u ann -P ‹V› -t a -m b
ldappasswd -D cn=admin -w ‹V› -s ‹W› uid=ann
rpcclient -U ann%‹V› host
7zz a -p‹V› a.7z docs
rar a -hp‹V› a.rar docs
security unlock-keychain -p ‹V› login.keychain
cqlsh -u ann -p ‹V› host
sshpass -p ‹V› mysql -u root -p‹W› app
mysqlsh -u root -p‹V› -h db
snmpget -v3 -u ann -A ‹V› -X ‹W› host
skopeo copy --src-creds ‹ann:V› docker://a docker://b
curl -sSu ann:‹V› https://api.acme.io
curl -x proxy -U ann:‹V› https://api.acme.io
bw login ann@acme.io ‹V›
sendemail -f a@acme.io -xu ann -xp ‹V› -t b@acme.io
kadmin -q "addprinc -pw ‹V› ann"
swaks --to a@acme.io -au ann -ap ‹V›
steamcmd +login ann ‹V› +quit
samba-tool user create ann ‹V›
netlify env:set FOO ‹V›
sc create job obj= acme\ann password= ‹V›
aws configure set aws_secret_access_key ‹V›
printf '‹V›' | docker secret create foo -
echo ‹V› | kinit ann
expect "Password:"; send "‹V›"
sqlite3 a.db "PRAGMA key = '‹V›'"
echo $PASS | docker secret create foo -
ipmitool -H bmc -U ADMIN -P "$PASS" power on
mc alias set m http://minio.example.com:9000 admin "$MINIO_PASSWORD"
xfreerdp /v:host /u:ann /p:$(pass show rdp)
kubectl create configmap c --from-literal=foo=production-europe-west
kubectl create secret generic s --from-literal=region=eu-central-1 --from-literal=user=admin
vault kv put secret/app @data.json
rabbitmqctl add_user <user> <password>
nmcli dev wifi connect Guest password --ask
`), "\n") {
		marked := strings.NewReplacer("V", m.of(base62, 17)+"7", "W", "Kr4n"+m.of(base62, 14)).Replace(line)
		if !strings.Contains(line, "‹") {
			marked = line
		}
		for _, c := range [][2]string{{"run.sh", "% \necho done\n"}, {"README.md", "Log in first:\n\n    %\n"}} {
			checkMarked(t, s, c[0], strings.Replace(c[1], "%", marked, 1))
		}
	}
}
