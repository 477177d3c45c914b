package secret

import (
	"encoding/base64"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// The held-out corpus is written in another manner than the first: whole small
// files as people leave them. A value stands as ‹kind› and is drawn anew.
//
//	P password  N password of letters and digits  T token  L long token  H32 H40 H64 hex
//	B32 B64 base64  U uuid  J JWT  AK AS AWS pair  GH GitHub token  K private key
//	PB PT base64 of a password, of user:token
var holdout = []struct{ path, text string }{
	{".github/workflows/rel.yml", "    - run: |\n        curl -X POST -H \"Authorization: token ‹GH›\" https://api.github.com/repos/o/r/dispatches -d '{}'\n"},
	{"charts/values-prod.yaml", "postgresql:\n  auth:\n    username: app\n    postgresPassword: ‹N›\n    existingSecret: \"\"\nredis:\n  auth: {enabled: true, password: \"‹P›\"}\n"},
	{"scripts/up.sh", "docker run -d -e MYSQL_ROOT_PASSWORD=‹N› -e MYSQL_DATABASE=app -p 3306:3306 mysql:8\n"},
	{"scripts/k.sh", "kubectl create secret generic db --from-literal=username=app --from-literal=password='‹P›' -n prod\n"},
	{"scripts/h.sh", "helm upgrade --install db bitnami/postgresql --set auth.password=‹N›,auth.database=app\n"},
	{"scripts/aws.sh", "aws configure set aws_access_key_id ‹AK›\naws configure set aws_secret_access_key ‹AS›\n"},
	{"docs/ops.md", "```\n[default]\naws_access_key_id = ‹AK›\naws_secret_access_key = ‹AS›\nregion = eu-west-1\n```\n"},
	{"scripts/az.sh", "az login --service-principal -u http://ci -p ‹N› --tenant corp.onmicrosoft.com\n"},
	{"scripts/heroku.sh", "heroku config:set APP_SECRET=‹H64› NODE_ENV=production\n"},
	{"scripts/fly.sh", "fly secrets set DATABASE_PASSWORD=‹N› && gh secret set API_TOKEN --body \"‹T›\"\nvault kv put secret/app password=‹N›\n"},
	{"api.postman_collection.json", "{\"auth\":{\"type\":\"bearer\",\"bearer\":[{\"key\":\"token\",\"value\":\"‹T›\",\"type\":\"string\"}]}}\n"},
	{"api.http", "@token = ‹T›\nGET https://api.corp/me\nAuthorization: Bearer {{token}}\n"},
	{"nginx.conf", "location / {\n  proxy_set_header Authorization \"Basic ‹PT›\";\n  proxy_pass http://up;\n}\n"},
	{"httpd.conf", "SetEnv DB_PASS ‹N›\nSetEnv APP_MODE prod\n"},
	{"prometheus.yml", "scrape_configs:\n- job_name: x\n  basic_auth:\n    username: prom\n    password: ‹N›\n- job_name: y\n  bearer_token: ‹T›\n"},
	{"grafana.ini", "[security]\nadmin_user = admin\nadmin_password = ‹P›\nsecret_key = ‹N›\n"},
	{"alertmanager.yml", "global:\n  smtp_smarthost: 'mail:587'\n  smtp_auth_username: 'alert'\n  smtp_auth_password: '‹P›'\n"},
	{"kibana.yml", "elasticsearch.username: \"kibana\"\nelasticsearch.password: \"‹P›\"\nxpack.security.encryptionKey: \"‹T›\"\n"},
	{"server.properties", "ssl.keystore.location=/x.jks\nssl.keystore.password=‹N›\nssl.key.password=‹N›\n"},
	{"tomcat-users.xml", "<tomcat-users>\n  <user username=\"admin\" password=\"‹N›\" roles=\"manager-gui\"/>\n</tomcat-users>\n"},
	{"hibernate.cfg.xml", "<property name=\"hibernate.connection.username\">app</property>\n<property name=\"hibernate.connection.password\">‹N›</property>\n"},
	{"db.php", "<?php\n$link = mysqli_connect(\"localhost\", \"root\", \"‹P›\", \"shop\");\n$pdo = new PDO('mysql:host=db;dbname=x', 'app', '‹P›');\n"},
	{"database.php", "<?php\n$db['default'] = array(\n\t'hostname' => 'localhost',\n\t'password' => '‹P›',\n);\n$cfg['Servers'][1]['password'] = '‹P›';\n"},
	{"config/database.php", "<?php return ['connections' => ['mysql' => ['password' => env('DB_PASSWORD', '‹P›')]]];\n"},
	{"config/secrets.yaml", "production:\n  secret_key_base: ‹H64›‹H64›\n"},
	{"site/settings/base.py", "SECRET_KEY = \"django-insecure-‹L›\"\nEMAIL_HOST_PASSWORD = '‹P›'\nALLOWED_HOSTS = []\n"},
	{"app.py", "app = Flask(__name__)\napp.config['SECRET_KEY'] = '‹T›'\napp.config.update(SQLALCHEMY_DATABASE_URI='mysql+pymysql://app:‹N›@db/app')\n"},
	{"src/auth.js", "const t = jwt.sign({ id: u.id }, '‹T›', { expiresIn: '1h' });\napp.use(session({ secret: '‹T›', resave: false }));\n"},
	{"src/mail.js", "const tr = nodemailer.createTransport({ host: 'smtp.corp.io', auth: { user: 'noreply@corp.io', pass: '‹P›' } });\n"},
	{"src/passport.ts", "passport.use(new GoogleStrategy({ clientID: 'x.apps.googleusercontent.com', clientSecret: '‹T›', callbackURL: '/cb' }, cb));\n"},
	{"upload.py", "s3 = boto3.client('s3', aws_access_key_id='‹AK›', aws_secret_access_key='‹AS›')\n"},
	{"ai.py", "openai.api_key = \"‹OA›\"\nheaders = {'X-API-KEY': '‹H32›', 'Accept': 'application/json'}\n"},
	{"mail.py", "with smtplib.SMTP_SSL('smtp.corp.io') as s:\n    s.login('bot@corp.io', '‹P›')\n"},
	{"ssh.py", "c.connect('10.1.2.3', username='root', password='‹P›', timeout=5)\nr = redis.Redis(host='c', password='‹N›')\n"},
	{"pg.py", "conn = psycopg2.connect(\"dbname=app user=app host=db password=‹N›\")\n"},
	{"req.py", "r = requests.post(u, auth=HTTPBasicAuth('svc', '‹P›'), data={'grant_type': 'password', 'password': '‹P›'})\n"},
	{"main.go", "func main() {\n\tos.Setenv(\"SLACK_TOKEN\", \"‹T›\")\n\tts := oauth2.StaticTokenSource(&oauth2.Token{AccessToken: \"‹T›\"})\n\treq.SetBasicAuth(\"svc\", \"‹P›\")\n}\n"},
	{"kube.go", "cfg := &rest.Config{Host: h, BearerToken: \"‹J›\"}\n"},
	{"Db.java", "Connection c = DriverManager.getConnection(url, \"app\", \"‹P›\");\nAWSCredentials a = new BasicAWSCredentials(\"‹AK›\", \"‹AS›\");\n"},
	{"Conf.java", "@Value(\"${spring.datasource.password:‹N›}\")\nprivate String p;\nSystem.setProperty(\"javax.net.ssl.keyStorePassword\", \"‹N›\");\n"},
	{"Http.java", "new UsernamePasswordCredentials(\"svc\", \"‹P›\");\nreturn new PasswordAuthentication(\"bob\", \"‹P›\".toCharArray());\n"},
	{"Mail.cs", "client.Credentials = new NetworkCredential(\"bot@corp.io\", \"‹P›\");\nvar cn = new SqlConnection(\"Data Source=db;Initial Catalog=x;User ID=sa;Password=‹N›\");\n"},
	{"wifi.ino", "const char* ssid = \"home\";\nconst char* password = \"‹P›\";\nvoid setup() { WiFi.begin(\"office\", \"‹P›\"); }\n"},
	{"my.c", "mysql_real_connect(conn, \"localhost\", \"root\", \"‹P›\", \"db\", 0, NULL, 0);\n"},
	{"app/build.gradle", "buildConfigField \"String\", \"API_KEY\", \"\\\"‹T›\\\"\"\nmanifestPlaceholders = [mapsKey: \"‹GA›\"]\ncredentials {\n  username 'ci'\n  password '‹P›'\n}\n"},
	{"AndroidManifest.xml", "<meta-data android:name=\"com.google.android.geo.API_KEY\" android:value=\"‹GA›\"/>\n"},
	{"build.sh", "mvn -B deploy -Dsonar.login=‹H40› -Dgpg.passphrase='‹P›' -DskipTests\n"},
	{"hosts", "[web]\n10.0.0.5 ansible_user=root ansible_ssh_pass=‹N› ansible_become_password=‹N›\n"},
	{"user-data.yml", "#cloud-config\npassword: ‹N›\nchpasswd: { expire: False }\nusers:\n  - name: bob\n    passwd: ‹CR›\n"},
	{"ks.cfg", "rootpw --plaintext ‹N›\ntimezone UTC\n"},
	{"wpa_supplicant.conf", "network={\n  ssid=\"home\"\n  psk=\"‹P›\"\n}\n"},
	{"hostapd.conf", "ssid=x\nwpa_passphrase=‹N›\nwpa=2\n"},
	{"ipsec.txt", "10.0.0.1 10.0.0.2 : PSK \"‹T›\"\n"},
	{"router.txt", "username admin privilege 15 secret 5 ‹C1›\nsnmp-server community ‹N› RO\n"},
	{"grants.sql", "ALTER USER postgres WITH PASSWORD '‹P›';\nGRANT ALL ON app.* TO 'app'@'%' IDENTIFIED BY '‹P›';\nSET PASSWORD FOR 'x'@'%' = PASSWORD('‹P›');\n"},
	{"fdw.sql", "CREATE USER MAPPING FOR app SERVER s OPTIONS (user 'app', password '‹P›');\nPRAGMA key = '‹T›';\n"},
	{"init.js", "db.createUser({ user: 'app', pwd: '‹P›', roles: ['readWrite'] });\n"},
	{"curl.log", "> GET /v1/me HTTP/1.1\n> Authorization: Basic ‹PT›\n< Set-Cookie: session_id=‹T›; Path=/; HttpOnly\n"},
	{"env.log", "PATH=/usr/bin\nAWS_SECRET_ACCESS_KEY=‹AS›\nSTRIPE_KEY=‹SK›\nHOME=/root\n"},
	{"json.log", "{\"level\":\"debug\",\"msg\":\"login\",\"user\":\"bob\",\"password\":\"‹P›\"}\n{\"body\":\"{\\\"client_secret\\\":\\\"‹T›\\\",\\\"x\\\":1}\"}\n"},
	{"repr.log", "DEBUG {'user': 'bob', 'password': '‹N›'}\nINFO User(name=bob, password=‹N›, age=3)\nParams: {\"password\"=>\"‹N›\", \"x\"=>1}\n"},
	{"form.log", "POST /oauth/token grant_type=password&username=bob&password=‹N›&client_secret=‹T›\n"},
	{"cassettes/x.yaml", "request:\n  body: grant_type=client_credentials&client_secret=‹T›\n  headers:\n    Authorization:\n    - Bearer ‹L›\n    X-Api-Key:\n    - ‹H32›\n"},
	{"out.ipynb", "{\"cells\":[{\"outputs\":[{\"text\":[\"connecting\\n\",\"token: ‹GH›\\n\"]}],\"source\":[\"%env OPENAI_API_KEY=‹OA›\\n\",\"!pip install -i https://bot:‹N›@pypi.corp/simple x\\n\"]}]}\n"},
	{"home/pip.conf", "[global]\nindex-url = https://bot:‹N›@pypi.corp/simple\n"},
	{"setup.sh", "composer config http-basic.repo.corp bot ‹T›\ntwine upload -u __token__ -p ‹PY› dist/*\nnpm config set //npm.corp/:_authToken ‹U›\n"},
	{".yarnrc.yml", "npmScopes:\n  corp:\n    npmAuthToken: \"‹U›\"\n    npmRegistryServer: https://npm.corp\n"},
	{"build.sbt", "credentials += Credentials(\"Nexus\", \"repo.corp\", \"ci\", \"‹P›\")\n"},
	{"provider.tf", "provider \"aws\" {\n  region     = \"eu-west-1\"\n  access_key = \"‹AK›\"\n  secret_key = \"‹AS›\"\n}\nprovider \"cloudflare\" {\n  api_token = \"‹N40›\"\n}\n"},
	{"configmap.yaml", "kind: ConfigMap\ndata:\n  application.properties: |\n    spring.datasource.url=jdbc:postgresql://db/app\n    spring.datasource.password=‹N›\n"},
	{"kc.yaml", "users:\n- name: admin\n  user:\n    token: ‹J›\n- name: b\n  user:\n    username: b\n    password: ‹N›\n"},
	{"regcred.yaml", "apiVersion: v1\nkind: Secret\ntype: kubernetes.io/dockerconfigjson\nmetadata:\n  name: r\ndata:\n  .dockerconfigjson: ‹DC›\n"},
	{"opaque.yaml", "kind: Secret\nmetadata: {name: a}\nstringData:\n  config.yaml: |\n    apiUrl: https://x\n    password: ‹N›\n"},
	{"key.sh", "cat > /root/.ssh/key <<EOF\n‹K›\nEOF\nchmod 600 /root/.ssh/key\n"},
	{"ci.env.txt", "PRIVATE_KEY=\"‹KE›\"\nX=1\n"},
	{"conf.d/app.conf", "database {\n  user = app\n  password = ‹N›\n}\n"},
	{"traefik.yml", "labels:\n  - \"traefik.http.middlewares.a.basicauth.users=admin:‹DD›\"\n"},
	{"notes.md", "Staging login: admin / see vault\nDB password: ‹N›\n\n- API key: `‹T›`\n- **Token:** ‹GH›\n"},
	{"Vagrantfile", "config.ssh.password = \"‹P›\"\nenv = { \"GITHUB_TOKEN\" => \"‹GH›\" }\n"},
	{"Fastfile", "match_password(\"‹P›\")\nENV[\"FASTLANE_PASSWORD\"] = \"‹P›\"\nslack(slack_url: \"‹SH›\")\n"},
	{"app.config.js", "module.exports = { db: { user: 'a', password: process.env.DB_PASS || '‹P›' }, apiToken: process.env.TOK ?? \"‹T›\" }\n"},
	{"bundle.min.js", "var a={};a.firebase={apiKey:\"‹GA›\",authDomain:\"x.firebaseapp.com\"},a.s=\"‹SK›\",a.h={Authorization:\"Bearer ‹T›\"};"},
	{"fix.patch", "diff --git a/x.tf b/x.tf\n--- a/x.tf\n+++ b/x.tf\n@@ -1 +1 @@\n-  password = \"‹P›\"\n+  password = var.password\ndiff --git a/c.go b/c.go\n--- a/c.go\n+++ b/c.go\n-\tapiKey := \"‹T›\"\n+\tapiKey := os.Getenv(\"API_KEY\")\n"},
	{"sentry.properties", "defaults.url=https://sentry.io/\nauth.token=‹SU›\n"},
	{"appsettings.Production.json", "{\n  \"Jwt\": { \"Key\": \"‹T›\", \"Issuer\": \"x\" },\n  \"Smtp\": { \"Host\": \"s\", \"Password\": \"‹P›\" },\n  \"Storage\": \"DefaultEndpointsProtocol=https;AccountName=a;AccountKey=‹B64›;EndpointSuffix=core.windows.net\"\n}\n"},
	{"launch.json", "{\"configurations\":[{\"env\":{\"DB_PASSWORD\":\"‹P›\",\"NODE_ENV\":\"dev\"},\"args\":[\"--token\",\"‹T›\",\"--api-key=‹H32›\"]}]}\n"},
	{"crontab", "0 3 * * * PGPASSWORD=‹N› pg_dump -h db app > /b.sql\n"},
	{"supervisord.conf", "[program:x]\nenvironment=DB_PASSWORD=\"‹P›\",MODE=\"prod\"\n"},
	{"gunicorn.service", "[Service]\nEnvironment=SECRET_KEY=‹T›\n"},
	{"docker-stack.yml", "services:\n  a:\n    environment:\n      DB_PASSWORD: \"‹P›\"\n      JWT_SECRET: ‹H64›\n    command: [\"--requirepass\", \"‹N›\"]\n"},
	{"inventory.csv", "host,user,password\n10.0.0.1,root,‹P2›\n10.0.0.2,admin,‹P2›\n"},
	{"table.md", "| setting | value |\n|---|---|\n| db_password | ‹P2› |\n| api_key | ‹T› |\n"},
	{"users.sql", "INSERT INTO users (id, login, password, email) VALUES (1, 'bob', '‹BC›', 'b@x.io');\n"},
	{"kdf.py", "key = bytes.fromhex('‹H64›')\nAES_KEY = b'‹T›'\nfernet = Fernet('‹B32›')\n"},
}

// holdout2 was written after holdout's lessons were learned, in yet more
// languages and formats.
var holdout2 = []struct{ path, text string }{
	{"a.scala", "val dbPassword = \"‹P›\"\nval conf = Map(\"api.token\" -> \"‹T›\")\n"},
	{"A.hs", "apiKey :: String\napiKey = \"‹T›\"\n"},
	{"a.pl", "my $password = '‹P›';\nmy %h = (api_key => '‹T›');\n"},
	{"a.R", "token <- \"‹T›\"\nSys.setenv(API_KEY = \"‹H32›\")\n"},
	{"a.lua", "local password = \"‹P›\"\nconfig.secret_key = '‹T›'\nt = { [\"api_key\"] = \"‹T›\" }\n"},
	{"a.clj", "(def db {:user \"a\" :password \"‹P›\"})\n(def api-key \"‹T›\")\n"},
	{"a.erl", "-define(SECRET, \"‹T›\").\nconf() -> [{password, \"‹P›\"}, {api_key, <<\"‹T›\">>}].\n"},
	{"a.jl", "const API_TOKEN = \"‹T›\"\n"},
	{"a.vb", "Const Password As String = \"‹P›\"\nDim apiKey As String = \"‹T›\"\n"},
	{"a.nix", "services.x = { passwordHash = \"‹CR›\"; password = \"‹P›\"; };\n"},
	{"a.pp", "class { 'mysql': root_password => '‹P›' }\n"},
	{"attributes/default.rb", "default['db']['password'] = '‹P›'\n"},
	{"CMakeLists.txt", "set(API_KEY \"‹T›\")\n"},
	{"build.gradle.kts", "signing { keyPassword = \"‹P›\" }\nval apiToken by extra(\"‹T›\")\n"},
	{"pom.xml", "<properties><db.password>‹N›</db.password></properties>\n"},
	{"build.xml", "<property name=\"ftp.password\" value=\"‹N›\"/>\n<ftp server=\"x\" userid=\"u\" password=\"‹N›\">\n"},
	{"Config.xcconfig", "API_KEY = ‹T›\nDEBUG = 1\n"},
	{"app.json", "{\"expo\":{\"extra\":{\"apiKey\":\"‹T›\"},\"android\":{\"config\":{\"googleMaps\":{\"apiKey\":\"‹GA›\"}}}}}\n"},
	{"x.reg", "\"Password\"=\"‹N›\"\n"},
	{"x.vbs", "strPassword = \"‹P›\"\n"},
	{"run2.ps1", "Connect-X -UserName bob -Password '‹N›' -Token ‹T›\n$pw = '‹N›'\n$cred = [pscredential]::new('u', (ConvertTo-SecureString '‹N›' -AsPlainText -Force))\n"},
	{"pillar.sls", "mysql:\n  root_password: '‹P›'\n"},
	{"app.cue", "password: \"‹P›\"\n"},
	{"a.jsonnet", "{ password:: '‹P›', token: \"‹T›\" }\n"},
	{"flow.yaml", "db: {host: x, user: y, password: ‹N›, port: 1}\nitems: [{name: TOKEN, value: ‹T›}]\n"},
	{"folded.yaml", "token: >-\n  ‹T›\nother: 1\n"},
	{"ml.toml", "password = '''‹P›'''\n[auth]\nsecret = \"\"\"‹T›\"\"\"\n"},
	{"a.json5", "{ password: '‹P›', apiKey: '‹T›', }\n"},
	{"q.gql.txt", "mutation { login(username: \"bob\", password: \"‹P›\") { token } }\n"},
	{"vars.json", "{\"query\":\"mutation($p:String!)\",\"variables\":{\"password\":\"‹P›\"}}\n"},
	{"a.cpp", "const std::string kApiKey{\"‹T›\"};\nstd::string password(\"‹P›\");\nauto secret = std::string{\"‹T›\"};\n"},
	{"a.kt", "val apiKey by lazy { \"‹T›\" }\nconst val CLIENT_SECRET = \"‹T›\"\nfun pwd() = \"‹P›\"\n"},
	{"a.swift", "let headers = [\"Authorization\": \"Bearer ‹T›\", \"x-api-key\": \"‹H32›\"]\nlet secret: String = \"‹T›\"\n"},
	{"a.go", "var (\n\tjwtKey = []byte(\"‹T›\")\n\tcfg = map[string]string{\"password\": \"‹P›\"}\n)\nconst dsn = \"host=db user=app password=‹N› dbname=app sslmode=disable\"\n"},
	{"b.go", "flag.StringVar(&token, \"token\", \"‹T›\", \"api token\")\nviper.SetDefault(\"db.password\", \"‹P›\")\n"},
	{"a.rs", "let api_key = String::from(\"‹T›\");\nlet password = \"‹P›\".to_string();\n.header(\"X-Auth-Token\", \"‹H32›\")\n"},
	{"a.tsx", "<Auth clientSecret={'‹T›'} apiKey={\"‹T›\"} />\nconst secretKey = `‹T›`;\n"},
	{"a.vue", "data() { return { token: '‹T›', password: \"‹P›\" } }\n"},
	{"b.py", "class C:\n    password: str = '‹P›'\n    token: SecretStr = SecretStr(\"‹T›\")\ndef f(api_key=\"‹T›\"): pass\n"},
	{"c.py", "parser.add_argument('--token', default='‹T›')\nkwargs = dict(password='‹P›')\nAPI_KEYS = ['‹T›', '‹T›']\n"},
	{"d.py", "creds = {\"user\": \"a\", \"pass\": \"‹P›\"}\nAUTH = ('svc', '‹P›')\nos.environ[\"HF_TOKEN\"]=\"‹T›\"\nos.environ.setdefault('SECRET_KEY', '‹T›')\n"},
	{"a.rb", "ENV['API_TOKEN'] = '‹T›'\nENV['X_SECRET'] ||= '‹T›'\nStripe.api_key = '‹SK›'\nTwilio::REST::Client.new('ACx', '‹H32›')\n"},
	{"a.php", "<?php\nputenv('APP_SECRET=‹T›');\n$password = \"‹P›\";\n$this->apiKey = '‹T›';\ndefine(\"DB_PASS\", \"‹P›\");\n"},
	{"a.cs", "[assembly: X]\nstring connectionString = \"Server=.;User Id=sa;Pwd=‹N›;\";\nservices.AddX(o => { o.ClientSecret = \"‹T›\"; });\n"},
	{"a.dart", "const headers = {'Authorization': 'Bearer ‹L›', 'apikey': '‹J›'};\n"},
	{"a.ex", "config :app, secret_key_base: \"‹H64›\"\nsystem_env = System.get_env(\"TOKEN\") || \"‹T›\"\n"},
	{"s3.cfg", "[default]\naccess_key = ‹AK›\nsecret_key = ‹AS›\n"},
	{"boto.txt", "[Credentials]\naws_access_key_id = ‹AK›\naws_secret_access_key = ‹AS›\naws_session_token = ‹L›‹L›‹L›\n"},
	{"mail.conf", "smtp_user=a\nsmtp_pass=‹N›\nimap.password: ‹N›\n"},
	{"ldap.conf", "BINDDN cn=admin\nBINDPW ‹N›\nbindpw: ‹N›\n"},
	{"php.ini", "mysqli.default_pw = ‹N›\n"},
	{"turnserver.conf", "static-auth-secret=‹H64›\nuser=a:‹N›\n"},
	{"mosquitto.conf", "bridge_password ‹N›\n"},
	{"vsftpd.sh", "echo 'bob:‹N›' | chpasswd\nmysqladmin -u root password '‹P›'\n"},
	{"git.sh", "git remote add o https://oauth2:‹T›@gitlab.corp/x.git\ngit -c http.extraheader=\"AUTHORIZATION: bearer ‹T›\" fetch\n"},
	{"wget.sh", "wget --user=bob --password='‹P›' https://x\nhttp -a bob:‹N› https://x\ncurl --user bob:‹N› -k https://x\ncurl https://x?api_key=‹T›\n"},
	{"tf.sh", "export TF_VAR_db_password='‹P›'\nTF_TOKEN_app_terraform_io=‹T› terraform plan -var 'api_token=‹T›'\n"},
	{"Jenkinsfile", "sh \"curl -H 'X-JFrog-Art-Api: ‹T›' https://x\"\nwithEnv(['TOKEN=‹T›']) { }\n"},
	{".travis.yml", "env:\n  global:\n    - DEPLOY_TOKEN=‹T›\n    - API_SECRET='‹T›' FOO=1\n"},
	{".circleci/config.yml", "environment:\n  NPM_TOKEN: ‹U›\n  DB_PASSWORD: ‹N›\n"},
	{"azure-pipelines.yml", "variables:\n- name: clientSecret\n  value: '‹T›'\n  apiKey: ‹T›\n"},
	{"bitbucket-pipelines.yml", "script:\n  - export SONAR_TOKEN=‹H40›\n  - ssh-keyscan x\n"},
	{"cloudbuild.yaml", "substitutions:\n  _DB_PASSWORD: '‹P›'\n"},
	{"serverless.yml", "provider:\n  environment:\n    JWT_SECRET: ‹T›\n    STRIPE: ‹SK›\n"},
	{"app.yaml", "env_variables:\n  SECRET_KEY: '‹T›'\n"},
	{"Caddyfile", "basicauth { bob ‹BC› }\n"},
	{"haproxy.cfg", "user admin insecure-password ‹N›\nstats auth admin:‹N›\n"},
	{"pgbouncer.txt", "\"app\" \"‹N›\"\n"},
	{"dump.sql", "INSERT INTO settings VALUES ('smtp_password','‹P›');\nINSERT INTO `options` VALUES (12,'api_secret','‹T›','yes');\nCREATE DATABASE LINK l CONNECT TO u IDENTIFIED BY \"‹P›\" USING 'x';\n"},
	{"x.log", "2026-01-01 INFO Using token ‹T›\n2026 WARN auth failed for key sk-‹L›\n[debug] Authorization header: Bearer ‹T›\npassword is ‹P2›\n"},
	{"y.log", "+ docker login -u a -p ‹N› reg\n+ export TOKEN=‹T›\nAPI_KEY: ‹H32›\n{\"token\": \"‹T›\", \"exp\": 3600}\n"},
	{"slack.md", "Creds:\nuser: admin\npass: ‹P2›\n\npassword = ‹P2›\nPassword: `‹P2›`\nThe API token is `‹T›`.\n"},
	{"conf.patch", "--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-SECRET_KEY=‹T›\n+SECRET_KEY=‹T›\n DB_PASS=‹N›\n"},
	{"nb.ipynb", "{\"cells\":[{\"cell_type\":\"code\",\"outputs\":[],\"source\":\"import os\\npassword = '‹P2›'\\nclient = X(api_key=\\\"‹T›\\\")\"},{\"source\":[\"headers = {\\\"Authorization\\\": \\\"Bearer ‹T›\\\"}\\n\",\"!export AWS_SECRET_ACCESS_KEY=‹AS›\"]}]}\n"},
	{"har.json", "{\"headers\":[{\"name\":\"Authorization\",\"value\":\"Bearer ‹T›\"},{\"name\":\"Cookie\",\"value\":\"sid=‹T›; a=1\"},{\"name\":\"X-Api-Key\",\"value\":\"‹H32›\"}]}\n"},
	{"ctx.properties", "jdbc.url=jdbc:oracle:thin:scott/‹N›@db:1521:x\ndb.pass: ‹N›\njwt.secret ‹T›\n"},
	{"uri.txt", "sftp://bob:‹N›@h/x\nldap://cn=a:‹N›@h\nclickhouse://default:‹N›@ch:9000/db\nhttps://‹T›:@api.stripe.com/v1\nhttps://‹T›@raw.corp/x\nsnowflake://u:‹N›@acc/db\nmssql+pyodbc://sa:‹N›@h/db?driver=x\n"},
	{"es.yml", "hosts: [\"https://elastic:‹N›@es:9200\"]\ncloud.auth: \"elastic:‹N›\"\napi_key: \"id:‹T›\"\n"},
	{"kvs.txt", "key1=‹T›&apikey=‹T›\naccess-token: ‹T›\nX-Vault-Token: ‹T›\nsecret token ‹T›\n"},
	{"enckey.pem.txt", "‹K›\n"},
	{"firebase.json", "{\"type\":\"service_account\",\"private_key\":\"‹KE›\\n\"}\n"},
	{"gpgkey.sh", "echo \"‹KB›\" | base64 -d | gpg --import\n"},
	{"x.env.sample.txt", "S3_SECRET=‹AS›\nALGOLIA_ADMIN_KEY=‹H32›\nMAPBOX_TOKEN=sk.‹J›\nCLOUDINARY_URL=cloudinary://123456789012345:‹N›@demo\n"},
}

// plants make what stands for a credential in a text: ‹P› a password, ‹T› a token, and so on.
var plants = map[string]func(m maker) string{
	"P":  func(m maker) string { return m.password() },
	"P2": func(m maker) string { return m.of(base62+"!", 9) + m.of(digits, 2) + "!" },
	"N": func(m maker) string {
		return bare(m.pick(m.of(base62, 12), m.of(base62, 16), passwordWords[m.IntN(9)]+m.of("23456789", 2)+strings.ToUpper(passwordWords[m.IntN(9)][:1])+m.of(lowers, 4)+m.of(digits, 1)))
	},
	"T":   func(m maker) string { return m.of(base62, 32) },
	"N40": func(m maker) string { return m.of(url64, 40) },
	"L":   func(m maker) string { return m.of(base62, 50) },
	"H32": func(m maker) string { return m.of(hexes, 32) },
	"H40": func(m maker) string { return m.of(hexes, 40) },
	"H64": func(m maker) string { return m.of(hexes, 64) },
	"B32": func(m maker) string { return base64.StdEncoding.EncodeToString(m.bytes(32)) },
	"B64": func(m maker) string { return base64.StdEncoding.EncodeToString(m.bytes(64)) },
	"U":   func(m maker) string { return m.uuid() },
	"J":   func(m maker) string { return m.jwt() },
	"AK":  func(m maker) string { return "AK" + "IA" + m.of(uppers+"234567", 16) },
	"AS":  func(m maker) string { return m.of(std64, 40) },
	"GH":  func(m maker) string { return m.checked("gh"+"p_", 30) },
	"GA":  func(m maker) string { return "AI" + "za" + m.of(url64, 35) },
	"OA":  func(m maker) string { return "sk" + "-" + m.of(base62, 20) + "T3Blbk" + "FJ" + m.of(base62, 20) },
	"SK":  func(m maker) string { return "sk" + "_live_" + m.of(base62, 24) },
	"PY":  func(m maker) string { return "pyp" + "i-AgEIcHlwaS5vcmc" + m.of(url64, 150) },
	"SU":  func(m maker) string { return "snt" + "ryu_" + m.of(hexes, 64) },
	"SH": func(m maker) string {
		return "https://hooks.sla" + "ck.com/services/T" + m.of(uppers+digits, 8) + "/B" + m.of(uppers+digits, 10) + "/" + m.of(base62, 24)
	},
	"PT": func(m maker) string { return base64.StdEncoding.EncodeToString([]byte("svc:" + m.of(base62, 15))) },
	"KB": func(m maker) string { return base64.StdEncoding.EncodeToString([]byte(m.privateKey())) },
	"DC": func(m maker) string {
		return base64.StdEncoding.EncodeToString([]byte(`{"auths":{"reg.corp":{"username":"u","password":"` + m.of(base62, 12) + `","auth":"` + base64.StdEncoding.EncodeToString([]byte("u:"+m.of(base62, 12))) + `"}}}`))
	},
	"K":  func(m maker) string { return strings.TrimSpace(m.privateKey()) },
	"KE": func(m maker) string { return strings.ReplaceAll(strings.TrimSpace(m.privateKey()), "\n", `\n`) },
	"CR": func(m maker) string { return "$" + "6$" + m.of(base62, 12) + "$" + m.of(base62+"./", 86) },
	"C1": func(m maker) string { return "$" + "1$" + m.of(base62, 4) + "$" + m.of(base62+"./", 22) },
	"DD": func(m maker) string { return "$$" + "apr1$$" + m.of(base62, 8) + "$$" + m.of(base62+"./", 22) },
	"BC": func(m maker) string { return "$2" + "b$12$" + m.of(base62+"./", 53) },
}

// bare leaves no sign that ends a value.
var bare = strings.NewReplacer("$", "y", "#", "x", "&", "w", "%", "v", "^", "u", "*", "t", "?", "s", "@", "r").Replace

func (m maker) expand(text string) (string, []string) {
	var values []string
	var b strings.Builder
	for {
		i := strings.Index(text, "‹")
		if i < 0 {
			b.WriteString(text)
			return b.String(), values
		}
		j := strings.Index(text, "›")
		b.WriteString(text[:i])
		k := text[i+len("‹") : j]
		text = text[j+len("›"):]
		v := plants[k](m)
		values = append(values, v)
		b.WriteString(v)
	}
}

func makeHoldout(seed uint64) []planted {
	m := maker{rand.New(rand.NewPCG(seed, 31))}
	var list []planted
	for _, h := range append(slices.Clone(holdout), holdout2...) {
		text, values := m.expand(h.text)
		list = append(list, planted{kind: h.path, context: "holdout", path: h.path, text: text, values: values})
	}
	return list
}

// TestHoldout scores what was written after the engine was done. The bar is
// that for a corpus nobody has seen; the first run's score stands in the
// commit that added it.
func TestHoldout(t *testing.T) {
	s := newScanner(t)
	for seed := range uint64(3) {
		recall, precision := score(t, s, makeHoldout(seed), makeBenign2(seed), testing.Verbose())
		t.Logf("seed %d: recall %.3f, precision %.3f", seed, recall, precision)
		if recall < 0.90 || precision < 0.95 {
			t.Errorf("seed %d: recall %.3f, precision %.3f, want 0.90 and 0.95", seed, recall, precision)
		}
	}
}

func makeBenign2(seed uint64) []planted {
	m := maker{rand.New(rand.NewPCG(seed, 55))}
	var list []planted
	add := func(path, text string) { list = append(list, planted{kind: "benign " + path, path: path, text: text}) }
	b64 := func(n int) string { return base64.StdEncoding.EncodeToString(m.bytes(n)) }
	add("login.tsx", "const [password, setPassword] = useState('');\n<TextField label=\"Password\" type=\"password\" value={password} onChange={e => setPassword(e.target.value)} error={errors.password2} />\nif (password.length < 8) setError('Password must have 8+ characters!');\n")
	add("auth.service.ts", "const token = this.jwt.sign({ sub: user.id }, { secret: this.config.get<string>('JWT_SECRET'), expiresIn: '15m' });\nreturn { access_token: token, token_type: 'Bearer', expires_in: 3600 };\n")
	add("middleware.go", "token := strings.TrimPrefix(r.Header.Get(\"Authorization\"), \"Bearer \")\nif subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1 {\n\thttp.Error(w, \"bad token\", 401)\n}\n")
	add("test_login.py", "def test_login(client):\n    res = client.post('/login', json={'username': 'alice', 'password': 'wrong-password'})\n    assert res.json['error'] == 'invalid_password'\n    token = res.json['access_token']\n")
	add("docker-compose.dev.yml", "services:\n  db:\n    image: postgres\n    environment:\n      POSTGRES_PASS"+"WORD: postgres\n      POSTGRES_USER: postgres\n  app:\n    environment:\n      DATABASE_URL: postgres://postgres:postgres@db:5432/app\n      SECRET_KEY: ${SECRET_KEY:?required}\n")
	add("deploy.yml", "- uses: docker/login-action@"+m.of(hexes, 40)+" # v3\n  with:\n    username: ${{ github.actor }}\n    password: ${{ secrets.GITHUB_TOKEN }}\n- uses: actions/cache@"+m.of(hexes, 40)+"\n  with:\n    key: ${{ runner.os }}-go-${{ hashFiles('**/go.sum') }}\n    restore-keys: |\n      ${{ runner.os }}-go-\n")
	add("rails.rb", "class User < ApplicationRecord\n  has_secure_password\n  validates :password, length: { minimum: 12 }\n  has_secure_token :auth_token, length: 36\nend\n")
	add("api.md", "### POST /token\n\n| field | type | notes |\n|---|---|---|\n| password | string | required, 8-64 chars |\n| client_secret | string | from the console |\n\nReturns `{\"token\": \"<jwt>\"}`. Send it as `Authorization: Bearer <token>`.\n")
	add("README.md", "## Configuration\n\n- `DB_PASSWORD`: database password (default: `postgres`)\n- `API_KEY` - get one at https://console.corp.io/keys\n- `SECRET_KEY=$(openssl rand -hex 32)`\n\n```\nexport API_KEY=<your key>\ncurl -H \"X-Api-Key: $API_KEY\" https://api.corp.io\n```\n")
	add("app.test.ts.snap", "exports[`token 1`] = `\nObject {\n  \"id\": \""+m.uuid()+"\",\n  \"token\": Any<String>,\n}\n`;\n")
	add("webpack.stats.json", "{\"hash\":\""+m.of(hexes, 20)+"\",\"chunks\":[{\"id\":\"key\",\"hash\":\""+m.of(hexes, 20)+"\",\"files\":[\"auth."+m.of(hexes, 8)+".js\"]}]}\n")
	add("manifest.json", "{\"auth.js\":{\"file\":\"assets/auth-"+m.of(hexes, 8)+".js\",\"src\":\"auth.js\",\"integrity\":\"sha256-"+b64(32)+"\"},\"key\":\"logo-"+m.of(hexes, 8)+".svg\"}\n")
	add("Podfile.lock", "SPEC CHECKSUMS:\n  KeychainAccess: "+m.of(hexes, 40)+"\n  JWTDecode: "+m.of(hexes, 40)+"\nPODFILE CHECKSUM: "+m.of(hexes, 40)+"\n")
	add("flake.lock", "{\"nodes\":{\"agenix\":{\"locked\":{\"narHash\":\"sha256-"+b64(32)+"\",\"rev\":\""+m.of(hexes, 40)+"\"}}}}\n")
	add("mix.lock", "%{\n  \"jose\": {:hex, :jose, \"1.11.6\", \""+m.of(hexes, 64)+"\", [:mix], [], \"hexpm\", \""+m.of(hexes, 64)+"\"},\n}\n")
	add("pubspec.lock", "  flutter_secure_storage:\n    description:\n      name: flutter_secure_storage\n      sha256: \""+m.of(hexes, 64)+"\"\n      url: \"https://pub.dev\"\n")
	add("gradle/verification.xml", "<component group=\"io.jsonwebtoken\" name=\"jjwt-api\"><artifact name=\"jjwt-api.jar\"><sha256 value=\""+m.of(hexes, 64)+"\" origin=\"x\"/></artifact></component>\n<trusted-key id=\""+strings.ToUpper(m.of(hexes, 40))+"\" group=\"com.auth0\"/>\n")
	add("Dockerfile", "FROM node:20@sha256:"+m.of(hexes, 64)+"\nARG NPM_TOKEN\nRUN --mount=type=secret,id=npm_token NPM_TOKEN=$(cat /run/secrets/npm_token) npm ci\nENV TOKEN_TTL=3600 AUTH_MODE=oidc\n")
	add("policy.json", "{\"Statement\":[{\"Action\":[\"secretsmanager:GetSecretValue\"],\"Resource\":\"arn:aws:secretsmanager:us-east-1:123456789012:secret:prod/db-AbC1d2\"}]}\n")
	add("kms.tf", "resource \"aws_kms_key\" \"k\" {\n  description = \"key for tokens\"\n}\nresource \"random_password\" \"db\" {\n  length = 32\n}\noutput \"token\" {\n  value = module.x.token2\n  sensitive = true\n}\n")
	add("jwks.json", "{\"keys\":[{\"kty\":\"RSA\",\"use\":\"sig\",\"kid\":\""+m.of(base62, 43)+"\",\"n\":\""+m.of(url64, 342)+"\",\"e\":\"AQAB\"}]}\n")
	add("firebase.rules", "match /tokens/{id} { allow read: if request.auth.token.admin == true; allow write: if resource.data.secret == 'none'; }\n")
	add("cookies.md", "Set-Cookie: session=; Max-Age=0\nWe use a cookie named session_id. Cookie: theme=dark; lang=en-US; consent=2024-01\n")
	add("keyboard.c", "static const struct key keys[] = { {\"KEY_F1\", 0x3b}, {\"KEY_LEFTSHIFT\", 42}, {\"passkey2\", 0} };\n#define TOKEN_MAX 128\n#define KEY_ID \"k1\"\n")
	add("lexer.rs", "pub enum Token { Ident(String), Number(f64) }\nlet token = Token::Ident(\"abc123\".into());\nassert_eq!(lex(\"let x1 = 2;\")[0], Token::Keyword(\"let\"));\nlet key = \"user:1001:profile\";\n")
	add("redis.ts", "const key = `session:${userId}:v2`;\nconst cacheKey = 'user_profile_v3:' + id;\nawait redis.set('auth:lock:1', '1');\nconst queryKey = ['todos', 5];\n")
	add("hash.py", "password_hash = hashlib.sha256(password.encode()).hexdigest()\nEXPECTED_SHA256 = '"+m.of(hexes, 64)+"'\nassert digest == '"+m.of(hexes, 40)+"'\netag_key = '"+m.of(hexes, 32)+"'\n")
	add("cert.go", "const caCert = `-----BEGIN CERTIFICATE-----\n"+b64(48)+"\n"+b64(48)+"\n-----END CERTIFICATE-----`\nvar pub = \"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI"+m.of(base62, 43)+"\"\n")
	add("stripe.html", "<script>var s = Stripe(\"pk"+"_test_"+m.of(base62, 24)+"\");</script>\n<div class=\"g-recaptcha\" data-sitekey=\"6Lc"+m.of(base62, 37)+"\"></div>\n")
	add("ga.js", "gtag('config', 'G-"+m.of(uppers+digits, 10)+"');\nSentry.init({ dsn: 'https://"+m.of(hexes, 32)+"@o12345.ingest.sentry.io/42' });\n")
	add("icons.svg", "<svg><path id=\"key\" d=\"M12 2C6.48 2 2 6.48 2 12s4.48 10 10 10 10-4.48 10-10S17.52 2 12 2zm1 15h-2v-6h2v6z\"/><title>token</title></svg>\n")
	add("inline.html", "<img alt=\"key\" src=\"data:image/svg+xml;base64,"+b64(300)+"\"><style>.password{background:url(data:font/woff2;base64,"+b64(600)+")}</style>\n")
	add("es.po", "msgid \"Password\"\nmsgstr \"Contrase\u00f1a\"\nmsgid \"API key\"\nmsgstr \"Clave de API\"\nmsgid \"Invalid token: %s\"\nmsgstr \"Token inv\u00e1lido: %s\"\n")
	add("messages.properties", "login.password=Password\nlogin.password.hint=At least 8 characters\nerror.token=Invalid token\npassword.label=Kennwort:\nsecret.question=What was your first pet's name?\n")
	add("strings.xml", "<resources><string name=\"password\">Password</string><string name=\"api_key_hint\">Enter the 32-character key</string><string name=\"token_expired\">Your token has expired, sign in again.</string></resources>\n")
	add("swagger.json", "{\"paths\":{\"/token\":{\"post\":{\"parameters\":[{\"name\":\"password\",\"in\":\"formData\",\"type\":\"string\"},{\"name\":\"client_secret\",\"in\":\"query\",\"required\":true}]}}}}\n")
	add("error.log", "ERROR: password authentication failed for user \"app2\"\nWARN token expired at 2024-05-01T10:00:00Z key=user:42\nINFO auth: ok user=bob session=closed\n401 Unauthorized: invalid api key\n")
	add("vault.hcl", "path \"secret/data/app\" {\n  capabilities = [\"read\"]\n}\nseal \"awskms\" {\n  kms_key_id = \""+m.uuid()+"\"\n}\ntoken_policies = [\"default\", \"app-v2\"]\n")
	add("ansible.yml", "- name: Set password\n  user:\n    password: \"{{ vault_password | password_hash('sha512') }}\"\n- debug: msg=\"token is {{ token }}\"\n  when: token != \"\"\n")
	add("pulumi.yaml", "config:\n  app:dbPassword:\n    secure: v1:"+m.of(std64, 16)+":"+b64(32)+"\n  aws:region: us-east-1\n")
	add("sealed.yaml", "apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nspec:\n  encryptedData:\n    password: AgB"+b64(180)+"\n")
	add("changelog.md", "- Rotate signing key `key-2024` ("+m.of(hexes, 7)+")\n- auth: bump jwt to 5.2.1 ([#123](https://x/pull/123))\n- secret: support `sm://project/name`\n- password: use argon2id, m=65536\n")
	add("args.py", "p.add_argument('--password', help='password for login', default=None)\np.add_argument('--token', metavar='TOKEN2', type=str)\np.add_argument(\"--api-key\", env_var=\"APP_API_KEY\")\n")
	add("enum.java", "public enum GrantType { PASSWORD(\"password\"), REFRESH_TOKEN(\"refresh_token\"), CLIENT_CREDENTIALS(\"client_credentials\"); }\nprivate static final String TOKEN_HEADER = \"X-Auth-Token2\";\nprivate static final String PASSWORD_REGEX = \"^(?=.*[0-9]).{8,}$\";\n")
	add("css-modules.js", "module.exports={\"pass"+"word\":\"Login_password__3xK2a\",\"token\":\"Token_root__1aB2c\",\"authCard\":\"Auth_card__Zx81q\"}\n")
	add("i18n.js", "export default { password: 'Mot de passe', passwordConfirm: 'Confirmez le mot de passe', token: 'Jeton', secretQuestion: 'Question secr\u00e8te', keyLabel: 'Cl\u00e9 n\u00b02' }\n")
	add("protobuf.txt", "key: \"region\" value: \"eu-west-1\"\nkey { string_key: \"abc\" }\ntoken_count: 1234 max_tokens: 8192\n")
	add("model.json", "{\"added_tokens\":[{\"id\":50256,\"content\":\"<|endoftext|>\"}],\"tokenizer\":\"gpt2-medium-v2\",\"vocab\":{\"pass\":6603,\"key\":2539,\"secret\":21078}}\n")
	add("ssh_config", "Host *\n  IdentityFile ~/.ssh/id_ed25519\n  PasswordAuthentication no\n  PubkeyAuthentication yes\n  HostKeyAlgorithms ssh-ed25519,rsa-sha2-512\n  HostbasedAcceptedKeyTypes ssh-ed25519\n")
	add("sshd_config", "PermitRootLogin prohibit-password\nAuthorizedKeysFile .ssh/authorized_keys2\nKeyRegenerationInterval 3600\n")
	add("uuid.sql", "INSERT INTO api_clients (id, name) VALUES ('"+m.uuid()+"', 'web');\nUPDATE sessions SET revoked = true WHERE token_id = '"+m.uuid()+"';\n")
	add("nuget.config", "<configuration><packageSources><add key=\"nuget.org\" value=\"https://api.nuget.org/v3/index.json\" protocolVersion=\"3\"/></packageSources></configuration>\n")
	return list
}
