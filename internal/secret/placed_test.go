package secret

import (
	"strings"
	"testing"
)

// TestPlaced holds where a value is read that has no name of its own, or one that a sign, an id or another argument parts from it: lines that end with
// "+" hold one, those that end with "-" none. ‹M› is of letters and digits, ‹H› of hexadecimal ones, ‹W› of small letters.
func TestPlaced(t *testing.T) {
	s := newScanner(t)
	values := strings.NewReplacer("‹M›", "q7Rt2mXw9"+"LkPz4BvNc8", "‹H›", "9f3c61d07ae4"+"b82513c0fd76e8a94b1d", "‹U›", "0b9f7c52-8d1e-4a63-a0f4-"+"7c1d2e93b65f", "‹W›", "kdwpoq"+"mcnsiquwyeplm")
	for _, row := range strings.Split(strings.TrimSpace(`
a.go	block, err := aes.NewCipher([]byte("‹H›")) +
a.go	mac := hmac.New(sha256.New, []byte("‹H›")) +
a.go	mac := hmac.New(sha256.New, key); want("‹H›") -
a.py	box = Fernet(b"‹M›") +
a.py	mac = hmac.new(b"‹H›", message, hashlib.sha256) +
a.cs	new HMACSHA256(Encoding.UTF8.GetBytes("‹H›")); +
a.js	CryptoJS.HmacSHA256("‹H›", key) -
A.java	.signWith(Keys.hmacShaKeyFor("‹H›".getBytes())) +
ipsec.secrets	a b : PPKS "one" "‹M›" +
a.php	$t = JWT::encode($p, '‹H›', 'HS256'); +
A.scala	JwtCirce.encode(claim, "‹M›", JwtAlgorithm.HS256) +
a.ex	Joken.Signer.create("HS256", "‹M›") +
A.java	new MACSigner("‹H›") +
a.ts	check(E('PBES2-HS256+A128KW'), new Uint8Array()) -
a.ts	equal(head('eyJhbGciOiJIUzI1NiJ9..'), { alg: 'HS256' }) -
a.py	key = jwk.JWK(kid="‹M›", alg="HS256") -
a.ts	header({ alg: 'HS256', kid: '‹H›' }) -
a.py	mac = hmac.new(key, b"‹H›", hashlib.sha256) -
a.js	CryptoJS.AES.decrypt(x, "‹H›") +
a.js	CryptoJS.AES.decrypt("‹H›", key) -
a.js	createCipheriv("aes-128-cbc", Buffer.from("‹H›", "hex"), iv) +
a.js	createCipheriv("aes-128-cbc", key, Buffer.from("‹H›", "hex")) -
a.ts	await new SignJWT({a: 1}).sign(new TextEncoder().encode("‹H›")) +
a.ts	digest(new TextEncoder().encode("‹H›")) -
a.php	$h = hash_hmac('sha256', $data, '‹H›'); +
a.php	$h = hash_hmac('sha256', '‹H›', $key); -
a.rb	JWT.encode payload, "‹M›", 'HS256' +
a.dart	final key = Key.fromUtf8('‹H›'); +
a.js	client.login("‹M›") +
a.js	client.login("‹M›", x) -
a.py	wandb.login(key="‹H›") +
a.py	remember("api_key", "‹H›", path=p) +
A.java	controller.resetPassword("‹U›", "‹M›"); +
a.ts	bridge.setApiKey('work24', '‹M›') +
a.ts	bridge.hasApiKey('work24', 'another-plain-word') -
a.cue	password: *"‹M›" | string +
a.nim	dbPassword* = "‹M›" +
a.nim	gitRevision* = "‹H›" -
notes.org	- password :: ‹M› +
notes.md	the password of the image registry is ‹H› +
notes.md	the password for session storage: ‹H› +
a.sh	vault write password cluster ‹M› +
notes.org	- commit :: ‹H› -
a.hurl	[BasicAuth]⏎bob: ‹M› +
a.hurl	[Asserts]⏎bob: ‹M› -
a.sh	restic --password-command "echo ‹M›" backup +
a.sh	run --start-command "echo ‹M›" -
a.sh	printf 'ann:‹M›\nbob:‹M›\n' | chpasswd ++
a.cfg	ntp authentication-key 1 md5 ‹M› +
a.js	/* x ⏎ https://api.corp.io/v1?a={b}&key=‹M›&c={d} */ +
config.exs	live_view: [signing_salt: "‹H›"] +
a.clj	{:basic-auth ["bob" "‹M›"]} +
a.clj	{:basic-auth ["bob" key] :revision "‹H›"} -
a.edn	{:auth/jwt-secret "‹M›" :build/sha "‹H›"} +
a.lisp	(defparameter *smtp-password* "‹M›") +
a.hs	request = applyBasicAuth "bob" "‹M›" base +
a.lua	session:login("bob", "‹M›") +
a.pl	$ua->credentials("h:80", "realm", "bob" => "‹M›"); +
a.groovy	new UsernamePasswordCredentialsImpl(GLOBAL, "id", "about it", "bob", "‹M›") +
a.groovy	new UsernamePasswordCredentialsImpl(GLOBAL, "‹M›", "about it", user, word) -
a.groovy	Secret.fromString("‹H›") +
a.dart	x..create(a)..Password..of("bob") -
a.tex	\newcommand{\dbpassword}{‹M›} +
a.tex	\password{\small} \newcommand{\build}{‹H›} -
a.xsl	<xsl:param name="api-password" select="'‹M›'"/> +
a.xsl	<xsl:param name="api-password" select="$given"/> -
a.txt	[b]Password:[/b] [code]‹M›[/code] +
a.md	Token: [here](https://acme.io/docs) -
a.st	config at: #apiToken put: '‹M›'. +
a.pli	DCL DB_PASSWORD CHAR(40) INIT('‹M›'); +
a.pli	DCL BUILD CHAR(40) INIT('‹H›'); -
svn.simple	K 8⏎password⏎V 19⏎‹M› +
svn.simple	K 8⏎password⏎V 400⏎‹M› -
a.md	- chiave API: ‹M› +
facts.pl	db_password(production, '‹M›'). +
facts.pl	build_commit(production, '‹H›'). -
a.erl	epgsql:connect("db", "bob", <<"‹M›">>, [{port, 1}]) +
a.jl	Dict("Authorization" => string("Bearer ", "‹M›")) +
a.js	const h = { Authorization: 'token ' + '‹M›' }; +
a.js	const h = { 'If-Match': 'rev ' + '‹H›' }; -
a.fs	: api-token s" ‹M›" ; +
a.fs	: build-commit s" ‹H›" ; -
a.q	h: hopen `+"`"+`:feed.acme.io:5010:bob:‹M› +
a.q	h: hopen `+"`"+`:feed.acme.io:5010 / ‹H› -
a.nsupdate	key hmac-sha256:tsig ‹M› +
a.sh	dig -y hmac-sha256:tsig:‹M› acme.io AXFR +
a.weechat	/secure set libera ‹M› +
a.irc	/msg NickServ IDENTIFY bob ‹M› +
a.trace	C: a001 LOGIN bob ‹M› +
a.trace	C: a001 LOGOUT bob ‹H› -
a.trace	C: USER bob⏎C: PASS ‹M› +
a.trace	C: USER bob⏎PASS ‹M› +
a.trace	S: 334 UGFzc3dvcmQ6⏎C: ‹M› +
a.resp	*2⏎$4⏎AUTH⏎$19⏎‹M› +
a.cmd	rasdial "Corp VPN" bob ‹M› /domain:CORP +
a.cmd	rasdial "Corp VPN" /disconnect ‹H› -
a.cmd	reg add "HKLM\Winlogon" /v DefaultPassword /t REG_SZ /d ‹M› /f +
a.md	`+"`"+`WIFI:T:WPA;S:Acme Guest;P:‹M›;;`+"`"+` +
a.md	`+"`"+`GEO:T:MAP;S:Acme Guest;B:‹H›;;`+"`"+` -
a.bteq	.LOGON td1/bob,‹M›; +
a.bteq	.EXPORT FILE td1/bob,‹H›; -
a.db2	CONNECT TO shop USER bob USING ‹M›; +
a.db2	EXPORT TO a.ixf OF IXF MESSAGES m USING ‹H›; -
a.par	USERID=bob/‹M›@orcl +
a.par	LOGFILE=bob/‹H›.log -
a.sql	UPDATE t SET c = pgp_sym_encrypt(plain, '‹M›', 'cipher-algo=aes256'); +
a.vbs	conn.Open "shopdsn", "bob", "‹M›" +
a.vbs	f.Copy "shopdsn", "bob", "‹M›" -
a.scpt	set thePassword to "‹M›" +
a.scpt	set theBuild to "‹H›" -
a.ml	let api_token = {|‹M›|} +
a.ml	let api_token = Sys.getenv {|API_TOKEN|}⏎let rev = {|‹H›|} -
a.swift	let password = #"‹M›"# +
a.rs	#[arg(long, default_value = "‹M›")]⏎password: String, +
a.rs	#[arg(long, default_value = "‹H›")]⏎commit: String,⏎#[arg(long)]⏎password: String, -
a.rs	#[arg(default_value = "‹H›")]⏎commit: String,⏎password: String, -
a.py	rev = field(default="‹H›")⏎password: str = "" -
a.rs	#[arg(⏎  long,⏎  default_value = "‹M›",⏎)]⏎password: String, +
a.cs	[DefaultValue("‹M›")]⏎public string ApiToken { get; set; } +
a.vb	<DefaultValue("‹M›")>⏎Public Property Password As String +
a.py	keyring.set_password("shop", "bob", "‹M›") +
a.py	keyring.get_password("shop", "‹H›") -
a.php	$_POST['password'][0] = '‹M›'; +
a.php	$_POST['password'][0] = $word; $_POST['rev'][0] = '‹H›'; -
a.js	const c = authenticator.generate('‹M›'); +
a.rkt	(define (db-password) "‹M›") +
a.ncl	{ api_token | String | default = "‹M›" } +
a.stomp	CONNECT⏎passcode:⏎receipt:‹H› -
a.fnl	(local api-token (os.getenv "API_TOKEN")) (local rev "‹H›") -
.vimrc	let g:gist_token = $GIST_TOKEN " ‹H› -
a.tex	The password is on paper, the tag \verb|‹H›|. -
a.zon	.{ .registry_token = "‹M›" } +
a.sh	etcdctl put /shop/db/password ‹M› +
a.sh	etcdctl put /shop/app/commit ‹M› -
a.sh	aws ssm put-parameter --name /shop/db --type SecureString --value ‹M› +
a.sh	aws ssm put-parameter --name /shop/db --type String --value ‹M› -
a.cbl	MOVE "‹M›" TO WS-DB-PASSWORD. +
a.cbl	MOVE "‹M›" TO WS-BUILD-ID. -
a.bas	ActiveSheet.Unprotect "‹M›" +
a.bas	ActiveSheet.Activate "‹M›" -
a.strace	write(4, "PASS ‹M›\r\n", 31) = 31 +
a.json	{"db_admin":{"sensitive":true,"type":"string","value":"‹M›"}} +
a.json	{"db_admin":{"sensitive":false,"type":"string","value":"‹M›"}} -
a.json	{"settings":[{"k":"smtp.password","v":"‹M›"}]} +
a.yaml	Word:⏎  NoEcho: true⏎  Default: ‹M› +
a.yml	- script: echo '##vso[task.setvariable variable=deploy;issecret=true]‹M›' +
a.sh	wall "root's password changes to ‹M› tonight" +
a.sh	wall "root's commit changes to ‹M› tonight" -
a.sh	printf '%s' '‹M›' > /run/secrets/db_password +
a.sh	printf '%s' '‹M›' > /run/build/db_revision -
a.go	if x == "" { y.password() == "‹M›" } -
a.txt	password = (sensitive value)⏎~ etag = "‹H›" -
a.txt	│ password = None │⏎│ revision = '‹H›' │ -
a.log	{Host:db Password: Commit:‹H› TLS:true} -
a.log	bless( { '_password' => undef, '_commit' => \'‹H›' } ) -
a.html	<dd>user <kbd>bob</kbd>, password <kbd>‹M›</kbd></dd> +
a.html	<dd>no password; commit <kbd>‹H›</kbd></dd> -
a.ps1	Set-Word bob -New (ConvertTo-SecureString -AsPlainText "‹M›" -Force) +
a.js	get('#password').type(word); get('#commit').type('‹H›') -
a.py	password = sha256("‹M›").hexdigest() +
a.py	token, revision = "‹M›", "abc" +
auth.log	PWD=/srv/‹H› ; USER=root -
a.sh	mkstore -wrl /wallet -createCredential orcl bob ‹M› +
a.sh	git tag -m nightly ‹M› -
a.sh	curl -s https://cdn.acme.io/a?b=‹M› -
a.sh	git hash-object --stdin <<< '‹M›' -
a.sh	ls # ‹M› -
relay.map	[smtp.acme.io]:587    bob:‹M› +
a.conf	upstream shop ‹M›; +
a.conf	build shop ‹M›; -
a.conf	state ‹M›-‹M›; -
a.log	logon denied for bob/‹M›@orcl +
a.log	state of bob: ‹M› -
a.log	user: what is the admin password of staging?⏎assistant: It is ‹M›. +
a.log	user: what is the build of staging?⏎assistant: It is ‹M›. -
a.log	rotated secret shop/db, trace ‹M› -
a.yaml	password:⏎  type: string⏎  example: ‹M› +
a.yaml	cursor:⏎  type: string⏎  example: ‹M› -
a.toml	[auth]⏎shared = ["bob", "‹M›"] +
a.toml	[refs]⏎shared = ["bob", "‹M›"] -
a.adoc	* login: bob⏎* word: `+"`"+`‹M›`+"`"+` +
a.adoc	* branch: bob⏎* word: `+"`"+`‹M›`+"`"+` -
a.sh	wp user create bob --prompt=user_pass # ‹M› -
a.acl	http-request deny unless { hdr(X-Origin-Secret) -m str ‹M› } +
a.sh	sed -i "s/@@DB_PASSWORD@@/$PW/; s/@@ETAG@@/‹M›/" app.ini -
a.sh	ffmpeg -i in.mp4 -f flv rtmp://live.acme.io/app/‹M› +
a.txt	1 of 1 done, 0 valid passwords, run ‹H› -
a.txt	‹H›   <- commit that fixed the password prompt -
a.php	'password' => '$2y$13$Hdxlvi7OZqK3/fKVNypJs.vJqQcmOo3HnnT6w7fec9FRTRYxAhuCO' -
a.kts	password = providers.gradleProperty("repoPw").getOrElse("‹M›") +
a.kts	version = providers.gradleProperty("rev").getOrElse("‹M›") -
a.java	String password = config.getOrDefault("db.x", "‹H›"); +
a.bicep	@secure()⏎param gate string = '‹M›' +
a.bicep	@description('which build')⏎param gate string = '‹M›' -
a.tf	set_sensitive {⏎  name  = "gate.word"⏎  value = "‹M›"⏎} +
a.tf	set {⏎  name  = "gate.rev"⏎  value = "‹M›"⏎} -
a.ps1	$p = '‹H›' | ConvertTo-SecureString -AsPlainText -Force +
a.ps1	$p = '‹H›' | Set-Content commit.txt -
a.ps1	Join x (ConvertTo-SecureString -Force -AsPlainText ‹H›) +
a.conf	snmp {⏎  community ‹H› {⏎    authorization read-only;⏎  }⏎} +
a.conf	snmp {⏎  engine-id ‹H›;⏎} -
a.pks	UTL_SMTP.AUTH(c, 'bob', '‹H›', UTL_SMTP.ALL_SCHEMES); +
a.pks	UTL_SMTP.HELO(c, '‹H›'); -
a.R	con <- dbConnect(Postgres(), "sales", "db.acme.io", 5432, "‹M›", "bob") +
a.R	img <- readPNG(f(), "sales", "‹M›.png") -
a.sql	h(1).name := 'X-Api-Token';⏎h(1).value := '‹M›'; +
a.sql	h(1).name := 'X-Trace';⏎h(1).value := '‹M›'; -
a.sql	h(1).name := 'X-Api-Token';⏎g(1).value := '‹M›'; -
a.json	[{"text":"creds for staging: bob / ‹M›"}] +
a.log	INFO  The first admin password was made. Please note it down:⏎INFO  ‹M› +
a.log	INFO  The fingerprint was made. Please note it down:⏎INFO  ‹M› -
a.txt	[12.03.24, 10:12:01] Ann: the wifi password again?⏎[12.03.24, 10:12:40] Bob: ‹M› +
a.txt	[12.03.24, 10:12:01] Ann: which commit was it again?⏎[12.03.24, 10:12:40] Bob: ‹M› -
a.log	10:00:01 DEBUG Ldap - bind cn=svc,dc=acme with ‹M› ok +
a.log	10:00:01 DEBUG Store - put object with ‹M› ok -
a.conf	config system global⏎  set alias "‹M›" -
a.service	[Service]⏎SyslogIdentifier=db:‹M› -
a.md	The api token for our bucket is ‹H›. +
a.md	Secret key of the shop: `+"`"+`‹H›`+"`"+` +
a.md	The access token used by the crawler was ‹H› until May. +
a.md	The sha256 of the token for our bucket is ‹H›. -
a.md	The commit token for our bucket is ‹H›. -
a.md	The id of the token for our bucket is ‹H›. -
a.md	The token for our bucket was fixed in ‹H›. -
a.md	Secret handling: ‹H› -
a.md	The token of the release, tag of today: ‹H› -
a.R	req_auth_basic(req, "bob", "‹M›") +
a.R	httr::authenticate("bob", "‹H›") +
a.R	digest::digest("bob", "‹M›") -
a.go	c := newAuthClient("bob", "‹M›", 30) +
a.go	c := authURL("bob", "‹M›") -
a.go	c := authID("bob", "‹M›") -
a.vbs	x.Open "GET", "https://acme.io/x", False, "bob", "‹M›" +
a.vbs	x.Open "GET", "https://acme.io/‹M›", False -
a.vbs	x.Open "GET", "https://acme.io/x", False, "‹M›", name -
a.sql	CONNECT bob/"‹M›"@//db:1521/shop +
a.sql	CONNECT /@shop -- ‹H› -
a.par	USERID=bob/‹H›@orcl +
a.nix	curlOpts = "-u bob:‹M›"; +
a.nix	curlOpts = "-A ‹H›"; -
a.sh	http --auth "bob:$PW" GET acme.io -
a.sh	passwd bob <<EOF⏎‹M›⏎‹M›⏎EOF ++
a.sh	cat > passwd.bak <<EOF⏎two words⏎EOF -
a.cpp	std::cout << "passwd " << name⏎  << here; -
a.yml	npmAuthIdent: "bob:‹M›" +
a.sh	uci set w.radio0.ssid='Acme'⏎uci set w.radio0.key='‹W›' +
a.conf	ssid "Acme"⏎key "‹W›" +
a.conf	topic "Acme"⏎key "‹W›" -
a.cfg	check_command check_mysql!bob!‹M›!60 +
a.cfg	check_command check_hash!bob!‹M›!60 -
a.cfg	# password of the scanner⏎$USER4$=‹H› +
a.cfg	# revision of the plugins⏎$USER4$=‹M› -
a.cfg	# a file of the scanner⏎$USER4$=‹M› +
a.ts	// the password of the north gate⏎const gate = "‹H›"; +
a.ts	// the revision of the north gate⏎const gate = "‹M›"; -
a.ts	// the password is checked by its digest⏎const digest = "‹H›"; -
a.exp	expect "commit:"⏎send "‹M›\r" -
a.conf	remote_clientid ‹M› -
a.eml	> could you send me the login?⏎⏎bob@acme.io⏎‹M›⏎⏎Bob +
a.eml	> could you send me the commit?⏎⏎‹M›⏎⏎Bob -
a.md	$ vault kv get -field=value secret/mail⏎‹M›⏎$ exit +
a.md	$ git describe --always⏎‹M›⏎$ exit -
a.sh	mount -t davfs -o username=bob https://dav.acme.io /mnt <<< "‹M›" +
a.sh	sha256sum -c - <<< "‹M›" -
a.go	x := user.Open("bob", "‹M›") +
a.go	x := build.Open("bob", "‹M›") -
a.go	x := userAgent.Open("bob", "‹M›") -
a.go	x := user.Open(bob, ‹M›) -
.curlrc	user = "bob:‹H›" +
.curlrc	referer = "bob:‹H›" -
.curlrc	user-agent = "bob-‹H›" -
a.txt	Ann: which commit was it again?⏎Bob: Wait⏎Bob: ‹M› -
a.conf	shortname = ‹M› -
a.plist	<key>SSID_STR</key><string>cellar</string>⏎<key>Salt</key><string>kitchen</string><key>Other</key><string>‹H›</string> -
a.tcl	set c [mysqlconnect -user bob -password {‹M›}] +
a.tcl	set c [image create photo -file {‹M›}] -
a.sh	influx config create -n prod -o acme -t ‹M› -a +
deluge/auth	bob:‹M›:10 +
deluge/auth	bob:10 -
a.rst	Log in as bob with `+"`"+`‹M›`+"`"+` and change it. +
a.rst	Check out bob at `+"`"+`‹M›`+"`"+` and build it. -
`), "\n") {
		path, rest, _ := strings.Cut(row, "\t")
		i := strings.LastIndexByte(rest, ' ')
		line := strings.ReplaceAll(rest[:i], "⏎", "\n")
		want := strings.Count(rest[i:], "+")
		text := values.Replace(line) + "\n"
		found, err := s.Scan(path, []byte(text), nil)
		if err != nil || len(found) != want {
			t.Errorf("%s: %s: %d found, want %d: %v", path, line, len(found), want, err)
			continue
		}
		for _, f := range found {
			if v := text[f.Start:f.End]; v != values.Replace("‹M›") && v != values.Replace("‹H›") && v != values.Replace("‹W›") {
				t.Errorf("%s: %s: it found another part", path, line)
			}
		}
	}
}
