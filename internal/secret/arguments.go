package secret

// This file lists the arguments of programs that are passwords. A new one is a row here and a line of TestArguments.

// commands says where programs take a password. Of each, in the order in which they are looked for: "-p " takes the next word, "-p" the
// rest of the word, "#2" is the second word that is no flag, "*=" every name=value, and "--from-literal*=" that behind the flag.
var commands = map[string][]string{
	// Databases, queues and caches
	"mysql ": {"-p"}, "mysqldump ": {"-p"}, "mysqladmin ": {"-p"}, "mysqlimport ": {"-p"}, "mysqlcheck ": {"-p"}, "mysqlshow ": {"-p"}, "mysqlsh ": {"-p"},
	"mysqlbinlog ": {"-p"}, "mysqlslap ": {"-p"}, "mysql_upgrade ": {"-p"}, "mariadb ": {"-p"}, "mariadb-dump ": {"-p"}, "mariadb-admin ": {"-p"}, "mydumper ": {"-p ", "-p"}, "xtrabackup ": {"-p"},
	"redis-cli ": {"-a ", "--pass "}, "valkey-cli ": {"-a ", "--pass "}, "keydb-cli ": {"-a ", "--pass "}, "redis-benchmark ": {"-a "},
	"sqlcmd ": {"-P ", "-P"}, "bcp ": {"-P ", "-P"}, "osql ": {"-P ", "-P"}, "tsql ": {"-P "}, "isql ": {"-P ", "-P"}, "bteq ": {"-p "},
	"mongo ": {"-p "}, "mongosh ": {"-p "}, "mongodump ": {"-p "}, "mongorestore ": {"-p "}, "mongoimport ": {"-p "}, "mongoexport ": {"-p "}, "mongostat ": {"-p "}, "mongotop ": {"-p "}, "mongofiles ": {"-p "},
	"cqlsh ": {"-p "}, "cypher-shell ": {"-p "}, "set-initial-password ": {"#1"}, "beeline ": {"-p "}, "snowsql ": {"-p "}, "dbeaver ": {"-p "}, "clickhouse-client ": {"--password "}, "db2 connect ": {"using "}, "nzsql ": {"-pw "}, "vsql ": {"-w "}, "usql ": {"-w "},
	"rabbitmqctl add_user ": {"#2"}, "rabbitmqctl change_password ": {"#2"}, "rabbitmqadmin ": {"-p "}, "addauth digest ": {"#1"}, "etcdctl ": {"--user ", "--user="}, "mosquitto_pub ": {"-P "}, "mosquitto_sub ": {"-P "}, "mosquitto_rr ": {"-P "}, "mosquitto_passwd ": {"#3"},
	// Registries, clusters and clouds
	"docker login": {"-p ", "--password "}, "podman login": {"-p "}, "buildah login": {"-p "}, "skopeo login": {"-p "}, "nerdctl login": {"-p "}, "crane auth login": {"-p "}, "oras login": {"-p "}, "regctl registry login": {"-p "}, "helm registry login": {"-p "}, "oc login": {"-p "}, "cf login": {"-p "}, "cf auth ": {"#2"},
	"create secret ": {"--from-literal*="}, "edit add secret ": {"--from-literal*="}, "vault kv put ": {"*="}, "vault kv patch ": {"*="}, "vault write ": {"*="}, "bao kv put ": {"*="}, "fly secrets set ": {"*="}, "flyctl secrets set ": {"*="}, "supabase secrets set ": {"*="}, "doppler secrets set ": {"*="}, "config set --secret ": {"#2"}, "netlify env:set ": {"#2"},
	"az login": {"-p "}, "az sql ": {"-p "}, "az mysql ": {"-p "}, "az postgres ": {"-p "}, "az acr ": {"-p "}, "az vm ": {"-p "}, "az aks ": {"-p "},
	"mc alias set ": {"#4"}, "mcli alias set ": {"#4"}, "mc config host add ": {"#4"}, "mc admin user add ": {"#3"}, "b2 authorize-account ": {"#2"}, "b2 account authorize ": {"#2"}, "rclone obscure ": {"#1"}, "swift ": {"-K "}, "cos config ": {"-s "}, "coscmd config ": {"-s "}, "ossutil config ": {"-k "}, "ossutil64 config ": {"-k "}, "obsutil config ": {"-k="}, "qshell account ": {"#2"},
	// What fetches and sends
	"http ": {"-a ", "--auth "}, "https ": {"-a ", "--auth "}, "xh ": {"-a ", "--auth "}, "ftp ": {"-u "}, "lftp ": {"-u "}, "ncftp ": {"-p "}, "ncftpput ": {"-p "}, "ncftpget ": {"-p "}, "twine upload ": {"-p "}, "gem push ": {"-k "}, "nuget push ": {"-k ", "-ApiKey "}, "jenkins-cli": {"-auth "},
	"swaks ": {"-ap ", "--ap "}, "sendemail ": {"-xp "}, "s-nail ": {"-xp "}, "p4 ": {"-P "}, "svn ": {"--password "}, "steamcmd ": {"+login*2"}, "mcrcon ": {"-p "}, "rcon-cli ": {"--password "}, "rcon ": {"-p "},
	// Accounts and machines
	"ldapsearch ": {"-w "}, "ldapadd ": {"-w "}, "ldapmodify ": {"-w "}, "ldapdelete ": {"-w "}, "ldapwhoami ": {"-w "}, "ldapmodrdn ": {"-w "}, "ldapcompare ": {"-w "}, "ldappasswd ": {"-w ", "-s ", "-a "}, "slappasswd ": {"-s "}, "dsconf ": {"-w "}, "kadmin ": {"-w ", "-pw "}, "kadmin.local ": {"-pw "}, "doveadm pw ": {"-p "}, "doveadm auth test ": {"#2"}, "mkpasswd ": {"#1"},
	"smbclient ": {"%"}, "rpcclient ": {"%"}, "net rpc ": {"%"}, "winexe ": {"%"}, "smbget ": {"%"}, "samba-tool user create ": {"#2"}, "samba-tool user add ": {"#2"}, "smbmap ": {"-p "}, "evil-winrm ": {"-p "}, "crackmapexec ": {"-p "}, "netexec ": {"-p "}, "nxc ": {"-p "}, "winrs ": {"-p:", "/p:"},
	"sshpass ": {"-p ", "-p"}, "ssh-keygen ": {"-N ", "-P "}, "plink ": {"-pw "}, "pscp ": {"-pw "}, "psftp ": {"-pw "}, "kitty ": {"-pw "}, "psexec": {"-p "}, "paexec": {"-p "}, "useradd ": {"-p "}, "usermod ": {"-p "}, "knife ": {"-P "},
	"ipmitool ": {"-P "}, "ipmiutil ": {"-P "}, "ipmi-sensors ": {"-p "}, "ipmipower ": {"-p "}, "racadm ": {"-p "}, "snmpget ": {"-A ", "-X ", "-c "}, "snmpwalk ": {"-A ", "-X ", "-c "}, "snmpset ": {"-A ", "-X ", "-c "}, "snmpbulkwalk ": {"-A ", "-X ", "-c "}, "snmptrap ": {"-A ", "-X ", "-c "},
	"rocommunity ": {"#1"}, "rwcommunity ": {"#1"}, "createuser ": {"#3", "#5"}, "radtest ": {"#2", "#5"}, "radclient ": {"#3"}, "sqlconnectinfo ": {"#3"}, "nickserv identify ": {"#1"}, "ipa-client-install ": {"-w "}, "ipa-server-install ": {"-p ", "-a "}, "realm join ": {"-p "}, "check_mysql ": {"-p "}, "check_pgsql ": {"-p "}, "check_ldap ": {"-P "},
	"nmcli ": {"password ", "wifi-sec.psk ", "security.psk "}, "wpa_passphrase ": {"#2"}, "-setairportnetwork ": {"#3"}, "iwctl ": {"--passphrase "}, "iwconfig ": {"key s:"}, "x11vnc ": {"-passwd "}, "rdesktop ": {"-p "}, "vmrun ": {"-gp ", "-vp ", "-p "},
	"xfreerdp": {"/p:", "/gp:"}, "wlfreerdp": {"/p:", "/gp:"}, "sdl-freerdp": {"/p:"}, "cmdkey": {"/pass:"}, "schtasks": {"/rp ", "/p "}, "net use ": {"/user:"}, "dsadd ": {"-pwd "}, "dsmod ": {"-pwd "}, "wmic ": {"/password:"}, "sc config ": {"password= "}, "sc create ": {"password= "}, "sc.exe config ": {"password= "}, "sc.exe create ": {"password= "}, "appcmd": {"processModel.password:"}, "runas": {"/savecred:"},
	// Archives, keys and documents
	"openssl ": {"pass:", "-k "}, "apksigner ": {"pass:"}, "keytool ": {"-storepass ", "-keypass ", "-srcstorepass ", "-deststorepass ", "-destkeypass ", "-srckeypass ", "-new "}, "jarsigner ": {"-storepass ", "-keypass "}, "certutil ": {"-p "}, "pk12util ": {"-W ", "-K "}, "signtool ": {"/p "}, "osslsigncode ": {"-pass "},
	"zip -": {"-P ", "--password "}, "unzip ": {"-P "}, "7z ": {"-p"}, "7za ": {"-p"}, "7zz ": {"-p"}, "7zr ": {"-p"}, "rar a ": {"-hp", "-p"}, "rar x ": {"-p"}, "unrar ": {"-p"}, "pdftk ": {"user_pw ", "owner_pw ", "input_pw "}, "pdftotext ": {"-upw ", "-opw "}, "qpdf ": {"--encrypt "}, "hdiutil ": {"-passphrase "},
	"security unlock-keychain ": {"-p "}, "security create-keychain ": {"-p "}, "security import ": {"-P "}, "security set-key-partition-list ": {"-k "}, "security add-generic-password ": {"-w "}, "security add-internet-password ": {"-w "}, "altool ": {"-p "}, "encrypt_string ": {"#1"}, "caddy hash-password ": {"--plaintext ", "-p "}, "bw login ": {"#2"}, "bw unlock ": {"#1"}, "veracrypt ": {"-p "}, "truecrypt ": {"-p "},
}
