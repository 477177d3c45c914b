package secret_test

var fresh = []struct{ path, text string }{
	{"app/settings.py", `
import os
DEBUG = False
SECRET_KEY = 'django-insecure-‹django|[l40]›'
DATABASES = {
    'default': {
        'ENGINE': 'django.db.backends.postgresql',
        'NAME': 'orders',
        'USER': 'orders',
        'PASSWORD': '‹django-db|[pw]›',
        'HOST': 'db.internal',
    }
}
EMAIL_HOST_PASSWORD = "‹smtp|[pw]›"
AWS_ACCESS_KEY_ID = "‹aws-id|AKIA[b16]›"
AWS_SECRET_ACCESS_KEY = "‹aws-secret|[640]›"
CACHES = {"default": {"LOCATION": "redis://:‹redis-url|[a24]›@cache:6379/1"}}
STATIC_ROOT = os.path.join(BASE_DIR, "static")
`},
	{"cmd/uploader/main.go", `
package main

import "github.com/aws/aws-sdk-go/aws/credentials"

const bucket = "invoices-eu"

func client() *s3.S3 {
	creds := credentials.NewStaticCredentials("‹aws-id|AKIA[b16]›", "‹aws-secret|[640]›", "")
	return s3.New(session.Must(session.NewSession(&aws.Config{Credentials: creds})))
}

var webhookSecret = []byte("‹generic|[a32]›")
`},
	{"src/main/java/com/acme/Mail.java", `
package com.acme;

public class Mail {
    private static final String API_KEY = "‹sendgrid|SG.[u22].[u43]›";
    private static final String MAILGUN = "‹mailgun|key-[h32]›";

    Session open(Properties props) {
        return Session.getInstance(props, new Authenticator() {
            protected PasswordAuthentication getPasswordAuthentication() {
                return new PasswordAuthentication("mailer@acme.io", "‹java-auth|[pw]›");
            }
        });
    }
}
`},
	{"src/Billing/PaymentClient.cs", `
using Stripe;
namespace Billing {
    public class PaymentClient {
        private const string ConnectionString = "Server=tcp:acme.database.windows.net,1433;Initial Catalog=bill;User ID=bill;Password=‹adonet|[pw]›;Encrypt=True;";
        public PaymentClient() {
            StripeConfiguration.ApiKey = "‹stripe|sk_live_[a24]›";
        }
        private readonly string _storage = "DefaultEndpointsProtocol=https;AccountName=acmebill;AccountKey=‹azure-storage|[686]==›;EndpointSuffix=core.windows.net";
    }
}
`},
	{"config/initializers/services.rb", `
Rails.application.configure do
  config.secret_key_base = '‹rails|[h128]›'
  config.action_mailer.smtp_settings = { user_name: 'postmaster', password: '‹smtp|[pw]›', address: 'smtp.example.net' }
end
Twilio.configure do |c|
  c.account_sid = 'AC‹[h32]›'
  c.auth_token = '‹twilio|[h32]›'
end
Octokit::Client.new(access_token: "‹github|ghp_[a36]›")
`},
	{"wp-config.php", `
<?php
define('DB_NAME', 'blog');
define('DB_USER', 'blog');
define('DB_PASSWORD', '‹php-define|[pw]›');
define('AUTH_KEY',         '‹wp-salt|[a64]›');
define('LOGGED_IN_KEY',    '‹wp-salt|[a64]›');
define('DB_CHARSET', 'utf8mb4');
$mailchimp = new MailChimp('‹mailchimp|[h32]-us14›');
$config['paypal_secret'] = '‹paypal|E[u79]›';
`},
	{"app/src/main/kotlin/Net.kt", `
object Net {
    private const val SENTRY_AUTH = "‹sentry|sntrys_eyJpYXQiOjE2[a60]_[642]›"
    const val MAPS = "‹google-api|AIza[u35]›"
    val auth = Credentials.basic("svc-mobile", "‹kotlin-basic|[pw]›")
    fun token(): String = BuildConfig.TOKEN
    val headers = mapOf("Authorization" to "Bearer ‹bearer|[a40]›")
}
`},
	{"Sources/App/Keys.swift", `
enum Keys {
    static let mapbox = "‹mapbox|sk.eyJ1Ijoi[a60].[u22]›"
    static let publicMapbox = "pk.eyJ1Ijoi‹[a60].[u22]›"
    static let algoliaAdminKey = "‹algolia|[h32]›"
    static let openAI: String = "‹openai|sk-proj-[u74]T3BlbkFJ[u74]›"
}
`},
	{"src/config.rs", `
pub const BUILD: &str = env!("BUILD_ID");
const ANTHROPIC_API_KEY: &str = "‹anthropic|sk-ant-api03-[u93]AA›";
static HF_TOKEN: &'static str = "‹huggingface|hf_[a34]›";
let pool = PgPool::connect("postgres://svc:‹postgres-url|[a20]›@10.0.0.5/app?sslmode=require").await?;
let key = std::env::var("API_KEY").expect("API_KEY");
`},
	{"packages/api/src/clients.ts", `
import { Client } from "@notionhq/client";
export const notion = new Client({ auth: "‹notion|ntn_[d11][a35]›" });
export const oldNotion = new Client({ auth: "‹notion-old|secret_[a43]›" });
const linear = new LinearClient({ apiKey: "‹linear|lin_api_[a40]›" });
const base = new Airtable({ apiKey: "‹airtable|pat[a14].[h64]›" }).base("app‹[a14]›");
const figma = { headers: { "X-Figma-Token": "‹figma|figd_[u40]›" } };
const replicate = new Replicate({ auth: "‹replicate|r8_[a37]›" });
const cohere = new CohereClient({ token: "‹cohere|[a40]›" });
export interface Options { apiKey: string; password?: string; token: Promise<string> }
`},
	{"scripts/deploy.sh", `
#!/bin/bash
set -euo pipefail
export GITLAB_TOKEN=‹gitlab|glpat-[u20]›
export DIGITALOCEAN_ACCESS_TOKEN="‹digitalocean|dop_v1_[h64]›"
HEROKU_API_KEY=‹heroku|[uuid]› heroku ps
export VAULT_TOKEN='‹vault|hvs.CAESI[u90]›'
export CONSUL_HTTP_TOKEN=‹consul|[uuid]›
curl -sS -u "deploy:‹curl-user|[pw]›" https://nexus.acme.io/service/rest/v1/status
mysql -h db -u root -p‹mysql-p|[pw]› app < dump.sql
PGPASSWORD=‹pgpassword|[pw]› psql -h db -U app
sshpass -p '‹sshpass|[pw]›' ssh ops@10.1.1.1 uptime
docker login -u acme -p ‹docker-pat|dckr_pat_[u27]›
TOKEN=$(vault kv get -field=token secret/ci)
REQUEST_ID=‹[uuid]›
`},
	{"ops/Connect.ps1", `
$pw = ConvertTo-SecureString "‹pwsh|[pw]›" -AsPlainText -Force
$cred = New-Object System.Management.Automation.PSCredential("ACME\svc-sql", $pw)
$env:ARM_CLIENT_SECRET = "‹azure-client|[a3]8Q~[u34]›"
$headers = @{ "Api-Key" = "‹newrelic|NRAK-[U27]›" }
$secret = Get-Secret -Name deploy
Connect-Thing -ClientSecret $env:CLIENT_SECRET
`},
	{"Dockerfile", `
FROM node:22
ARG NPM_TOKEN
ENV DATADOG_API_KEY=‹datadog|[h32]›
ENV DB_PASSWORD ‹dockerfile-env|[pw]›
RUN pip install --index-url https://ci:‹pip-url|[a22]›@pypi.acme.io/simple acme
RUN echo "//registry.npmjs.org/:_authToken=‹npm|npm_[a36]›" > ~/.npmrc
LABEL org.opencontainers.image.revision=‹[h40]›
RUN echo "‹[h64]›  app.tgz" | sha256sum -c
`},
	{"docker-compose.yml", `
services:
  db:
    image: postgres:16@sha256:‹[h64]›
    environment:
      POSTGRES_PASSWORD: ‹compose|[pw]›
      POSTGRES_USER: app
  mq:
    environment:
      - RABBITMQ_DEFAULT_PASS=‹compose|[pw]›
      - AMQP_URL=amqp://app:‹amqp-url|[pw]›@mq:5672/%2f
      - API_TOKEN=${API_TOKEN:?missing}
  minio:
    command: server /data
    environment: {MINIO_ROOT_USER: minio, MINIO_ROOT_PASSWORD: "‹compose|[pw]›"}
`},
	{"k8s/secret.yaml", `
apiVersion: v1
kind: Secret
metadata:
  name: app
  uid: ‹[uuid]›
type: Opaque
stringData:
  username: app
  password: ‹k8s-string|[pw]›
  slack: https://hooks.slack.com/services/T‹[U8]›/B‹[U10]›/‹slack-webhook|[a24]›
  config.yaml: |
    smtp:
      user: mailer
      pass: ‹k8s-nested|[pw]›
data:
  session: ‹k8s-data|[b64 [a32]]›
  db-pass: ‹k8s-data|[b64 [pw]]›
`},
	{"k8s/pull.yaml", `
apiVersion: v1
kind: Secret
metadata: {name: regcred}
type: kubernetes.io/dockerconfigjson
data:
  .dockerconfigjson: ‹dockerconfigjson|[b64 {"auths":{"ghcr.io":{"username":"bot","password":"[a36]"}}}]›
`},
	{"chart/values.yaml", `
image:
  repository: acme/app
  digest: sha256:‹[h64]›
ingress:
  tls: []
auth:
  existingSecret: ""
  passwordKey: password
  rootPassword: ‹helm|[pw]›
  jwt:
    signingKey: "‹helm|[648]›"
grafana:
  adminPassword: ‹helm|[pw]›
  token: ‹grafana|glsa_[a32]_[h8]›
`},
	{"infra/main.tf", `
provider "aws" {
  region     = "eu-west-1"
  access_key = "‹aws-id|AKIA[b16]›"
  secret_key = "‹aws-secret|[640]›"
}
resource "aws_db_instance" "db" {
  username = "root"
  password = "‹tf|[pw]›"
}
provider "cloudflare" {
  api_token = "‹cloudflare|[u40]›"
}
provider "fastly" { api_key = "‹fastly|[u32]›" }
variable "db_password" {
  type      = string
  sensitive = true
}
output "pw" { value = random_password.db.result }
`},
	{"infra/prod.auto.tfvars", `
snowflake_password = "‹snowflake|[pw]›"
pagerduty_token    = "‹pagerduty|u+[u18]›"
okta_api_token     = "‹okta|00[u40]›"
auth0_client_secret = "‹auth0|[u64]›"
tfe_token = "‹tfc|[a14].atlasv1.[u67]›"
ami_id = "ami-‹[h17]›"
`},
	{"ansible/group_vars/all.yml", `
ansible_user: deploy
ansible_become_password: ‹ansible|[pw]›
vault_db_password: "{{ lookup('env', 'DB_PASSWORD') }}"
mysql_root_password: '‹ansible|[pw]›'
users:
  - { name: ada, password: "$6$‹shadow|[a16]$[a86]›" }
ssl_fingerprint: ‹[h40]›
`},
	{".npmrc", `
registry=https://npm.acme.io/
//npm.acme.io/:_authToken=‹npmrc|[uuid]›
//npm.old.io/:_auth=‹npmrc-auth|[b64 bot:[a24]]›
//npm.pkg.github.com/:_authToken=${GITHUB_TOKEN}
`},
	{"pip.conf", `
[global]
index-url = https://ci-bot:‹pip-url|[a32]›@pypi.acme.io/simple
timeout = 60
`},
	{"dot_pypirc", `
[distutils]
index-servers = pypi
[pypi]
username = __token__
password = ‹pypi|pypi-AgEIcHlwaS5vcmc[u120]›
`},
	{"maven/settings.xml", `
<settings>
  <servers>
    <server>
      <id>nexus</id>
      <username>deploy</username>
      <password>‹maven|[pw]›</password>
    </server>
    <server><id>gpg</id><passphrase>${env.GPG_PASSPHRASE}</passphrase></server>
  </servers>
</settings>
`},
	{"gradle.properties", `
org.gradle.jvmargs=-Xmx2g
signing.keyId=‹[H8]›
signing.password=‹gradle|[pw]›
artifactoryPassword=‹gradle|[a40]›
RELEASE_STORE_PASSWORD=‹gradle|[pw]›
RELEASE_KEY_ALIAS=upload
`},
	{"src/main/resources/application.yml", `
spring:
  datasource:
    url: jdbc:mysql://db:3306/app?user=app&password=‹jdbc|[a18]›
    password: ‹spring|[pw]›
  mail:
    password: "‹spring|[pw]›"
  security.oauth2.client.registration.google.client-secret: ‹google-oauth|GOCSPX-[u28]›
jwt:
  secret: ‹jwt-secret|[a48]›
management.endpoint.env.show-values: never
app.key-store-password: ENC(‹[632]›)
`},
	{"appsettings.Production.json", `
{
  "Logging": {"LogLevel": {"Default": "Warning"}},
  "ConnectionStrings": {
    "Main": "Host=pg;Username=app;Password=‹adonet|[pw]›;Database=app",
    "Bus": "Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=‹servicebus|[643]=›"
  },
  "AzureAd": {"ClientId": "‹[uuid]›", "TenantId": "‹[uuid]›", "ClientSecret": "‹azure-client|[a3]8Q~[u34]›"},
  "Jwt": {"Key": "‹jwt-secret|[a44]›", "Issuer": "https://acme.io"},
  "PublicKeyToken": "‹[h16]›"
}
`},
	{"odoo.ini", `
[options]
admin_passwd = ‹ini|[pw]›
db_host = db
db_password = ‹ini|[a12]›
addons_path = /mnt/addons
`},
	{"config/prod.toml", `
[database]
url = "mongodb+srv://app:‹mongo-url|[a16]›@cluster0.‹[l5]›.mongodb.net/app"
[telegram]
bot = "‹telegram|[d10]:AA[u33]›"
[discord]
token = "‹discord|M[a25].[u6].[u38]›"
webhook = "https://discord.com/api/webhooks/‹[d18]›/‹discord-webhook|[u68]›"
[session]
cookie_secret = '‹generic|[h64]›'
checksum = "‹[h64]›"
`},
	{".github/workflows/ci.yml", `
on: push
jobs:
  build:
    runs-on: ubuntu-latest
    env:
      CODECOV_TOKEN: ‹codecov|[uuid]›
      SONAR_TOKEN: ‹sonar|sqp_[h40]›
      GH: ${{ secrets.GITHUB_TOKEN }}
    steps:
      - uses: actions/checkout@‹[h40]›
      - run: twine upload -u __token__ -p ‹pypi|pypi-AgEIcHlwaS5vcmc[u120]› dist/*
      - run: git push https://x-access-token:‹github|ghs_[a36]›@github.com/acme/app
        if: github.token != ''
`},
	{".gitlab-ci.yml", `
variables:
  DOCKER_PASSWORD: "‹ci|[pw]›"
  RUNNER: ‹gitlab-runner|glrt-[u20]›
  GIT_DEPTH: 1
  TRIGGER: ‹gitlab-trigger|glptt-[h40]›
deploy:
  script:
    - curl --header "PRIVATE-TOKEN: ‹gitlab|glpat-[u20]›" "https://gitlab.com/api/v4/projects"
    - docker login -u gitlab-ci-token -p $CI_JOB_TOKEN $CI_REGISTRY
`},
	{"azure-pipelines.yml", `
variables:
- name: storageSas
  value: "?sv=2022-11-02&ss=b&srt=sco&sp=rwdl&se=2027-01-01T00:00:00Z&sig=‹sas|[643]%3D›"
- name: buildConfiguration
  value: Release
steps:
- script: az login --service-principal -u ‹[uuid]› -p ‹az-login|[a3]8Q~[u34]› --tenant ‹[uuid]›
- script: nuget push app.nupkg -ApiKey ‹nuget|oy2[l43]› -Source nuget.org
`},
	{".circleci/config.yml", `
version: 2.1
jobs:
  deploy:
    docker:
      - image: acme/base
        auth: {username: acme, password: ‹ci|[pw]›}
    environment:
      RUBYGEMS_API_KEY: ‹rubygems|rubygems_[h48]›
      PULUMI_ACCESS_TOKEN: ‹pulumi|pul-[h40]›
      DOPPLER_TOKEN: ‹doppler|dp.st.prd.[a43]›
      DATABRICKS_TOKEN: ‹databricks|dapi[h32]›
`},
	{"Jenkinsfile", `
pipeline {
  environment {
    NEXUS = credentials('nexus-deploy')
    ATLASSIAN = '‹atlassian|ATATT3xFfGF0[u180]=[H8]›'
    BITBUCKET_APP_PASSWORD = '‹bitbucket|ATBB[a32]›'
  }
  stages { stage('x') { steps { sh "curl -H 'Authorization: Basic ‹basic|[b64 bot:[a20]]›' https://jira" } } }
}
`},
	{"notebooks/explore.ipynb", `
{
 "cells": [
  {"cell_type": "code", "execution_count": 1, "id": "‹[h8]›",
   "source": [
    "import openai\n",
    "openai.api_key = \"‹openai-old|sk-[a20]T3BlbkFJ[a20]›\"\n",
    "os.environ['HUGGINGFACEHUB_API_TOKEN'] = 'hf_‹hf-tail|[a34]›'\n",
    "conn = snowflake.connector.connect(user='ETL', password='‹notebook|[pw]›', account='xy1')\n"
   ],
   "outputs": [{"data": {"image/png": "iVBORw0KGgoAAAANSUhEUgAA‹[6800]›"}}]}
 ]
}
`},
	{"README.md", `
# API

Call it with your key:

    curl https://api.acme.io/v1/items -H "Authorization: Bearer ‹bearer|[a48]›"
    curl -u 'admin:‹curl-user|[pw]›' https://acme.io/admin
    curl -H 'X-Api-Key: ‹header|[a32]›' https://api.acme.io
    curl -X POST "https://api.telegram.org/bot‹telegram|[d10]:AA[u33]›/sendMessage"
    http POST api.acme.io token==‹httpie|[a32]›

Set the password in PASSWORD or pass --token YOUR_TOKEN_HERE.
`},
	{"logs/app.log", `
2026-03-01T10:00:00Z INFO started id=‹[uuid]› commit=‹[h40]›
2026-03-01T10:00:01Z DEBUG request headers: {Authorization=[Bearer ‹jwt|[jwt]›], Accept=[*/*]}
2026-03-01T10:00:02Z DEBUG connecting to postgresql://app:‹postgres-url|[a20]›@pg:5432/app
2026-03-01T10:00:03Z WARN login failed user=ada password=‹log|[pw]›
2026-03-01T10:00:04Z INFO GET /cb?code=200&access_token=‹log|[a40]›&state=‹[h8]›
2026-03-01T10:00:05Z INFO etag="‹[h32]›" trace_id=‹[h32]›
`},
	{"db/seed.sql", `
CREATE USER 'app'@'%' IDENTIFIED BY '‹sql|[pw]›';
ALTER ROLE reporting WITH LOGIN PASSWORD '‹sql|[pw]›';
CREATE LOGIN etl WITH PASSWORD = N'‹sql|[pw]›';
INSERT INTO users (id, email, password_hash) VALUES (1, 'a@b.io', '$2b$12$‹bcrypt|[a53]›');
INSERT INTO commits VALUES ('‹[h40]›');
ALTER TABLE users ADD COLUMN password VARCHAR(255) NOT NULL;
`},
	{"fix.patch", `
diff --git a/conf.py b/conf.py
index ‹[h7]›..‹[h7]› 100644
--- a/conf.py
+++ b/conf.py
@@ -1,4 +1,4 @@
-API_TOKEN = "‹diff|[a32]›"
+API_TOKEN = os.environ["API_TOKEN"]
-SLACK = "‹slack|xoxb-[d12]-[d12]-[a24]›"
--- a/conf.yml
+++ b/conf.yml
@@ -3,1 +3,2 @@
+  db_password: ‹diff|[pw]›
`},
	{"conf/context.xml", `
<Context>
  <Resource name="jdbc/app" username="app" password="‹xml-attr|[pw]›" url="jdbc:oracle:thin:@db:1521:x"/>
  <Parameter name="api.secret" value="‹xml-nv|[a32]›"/>
  <add key="SmtpPassword" value="‹xml-kv|[pw]›" />
</Context>
`},
	{"web/index.html", `
<!doctype html>
<script src="https://cdn.x.io/a.js" integrity="sha384-‹[664]›"></script>
<script>
  Stripe("pk_live_‹[a24]›");
  window.__cfg = {apiSecret:"‹html|[a32]›",color:"#‹[h6]›"};
</script>
<meta name="google-site-verification" content="‹[u43]›">
<input type="password" name="password" placeholder="Password">
`},
	{"dist/bundle.min.js", `
!function(e,t){"object"==typeof exports?t(exports):t(e.x={})}(this,function(e){var n={key:"‹js-min|sk_live_[a99]›",region:"eu"},r=t.password||"",a="‹[a20]›";n.password=r;n.token=function(e){return e.token};s3=new AWS.S3({accessKeyId:"‹aws-id|AKIA[b16]›",secretAccessKey:"‹aws-secret|[640]›"})});
`},
	{"env.staging", `
APP_ENV=staging
APP_KEY=base64:‹laravel|[643]=›
DB_PASSWORD=‹env|[pw]›
MAIL_PASSWORD="‹env|[pw]›"
SHOPIFY_TOKEN=‹shopify|shpat_[h32]›
SQUARE_ACCESS_TOKEN=‹square|EAAA[u60]›
POSTMARK_SERVER_TOKEN=‹postmark|[uuid]›
STRIPE_WEBHOOK_SECRET=‹stripe-wh|whsec_[a32]›
STRIPE_RESTRICTED=‹stripe-rk|rk_live_[a24]›
TWILIO_API_SECRET=‹twilio-secret|[a32]›
PUSHER_APP_SECRET=‹env|[h20]›
LOG_LEVEL=debug
PUBLIC_KEY=‹[h64]›
`},
	{"deploy/environment", `
export SLACK_APP_TOKEN=‹slack-app|xapp-1-A[U10]-[d13]-[h64]›
export SLACK_SIGNING_SECRET=‹slack-signing|[h32]›
export SLACK_USER=‹slack-user|xoxp-[d12]-[d12]-[d13]-[h32]›
export GH_FINE=‹github-fine|github_pat_[a22]_[a59]›
export GH_OAUTH=‹github|gho_[a36]›
export GH_USER=‹github|ghu_[a36]›
export GH_REFRESH=‹github|ghr_[a36]›
export SENTRY_DSN=https://‹[h32]›@o1.ingest.sentry.io/‹[d7]›
export DD_APP_KEY=‹datadog-app|[h40]›
export GRAFANA_CLOUD=‹grafana-cloud|glc_eyJ[a80]›
`},
	{".htpasswd", `
ada:$apr1$‹apr1|[a8]$[a22]›
bob:$2y$05$‹bcrypt|[a53]›
`},
	{"home/pgpass", `
# host:port:db:user:password
db.acme.io:5432:app:svc:‹pgpass|[pw]›
*:*:*:admin:‹pgpass|[a16]›
`},
	{"home/netrc", `
machine api.heroku.com
  login ops@acme.io
  password ‹netrc|[uuid]›
machine git.acme.io login ci password ‹netrc|[pw]›
`},
	{"docs/setup-git.txt", `
Put this in your home:
machine ftp.acme.io login ada password ‹netrc|[pw]›
`},
	{"sa.json", `
{
  "type": "service_account",
  "project_id": "acme-prod",
  "private_key_id": "‹[h40]›",
  "private_key": "‹gcp|[esc PKCS8]›\n",
  "client_email": "ci@acme-prod.iam.gserviceaccount.com",
  "client_id": "‹[d21]›"
}
`},
	{"keys/all.txt", `
‹rsa|[pem RSA]›
text between
‹ec|[pem EC]›
‹openssh|[pem OPENSSH]›
‹pgp|[pem PGP]›
‹pkcs8|[pem ENCRYPTED]›
`},
	{"keys/age.txt", `
# created: 2026-01-01T00:00:00Z
# public key: age1‹[k58]›
‹age|AGE-SECRET-KEY-1[K58]›
`},
	{"keys/putty.ppk", `
PuTTY-User-Key-File-3: ssh-ed25519
Encryption: none
Comment: ops
Public-Lines: 2
‹[664]›
‹[620]›
‹Private-Lines›: 1
‹putty|[647]=›
Private-MAC: ‹[h64]›
`},
	{"test/Keys.java", `
class Keys {
  static final String KEY = "‹java-pem|[esc PKCS8]›";
  static final String CERT = "‹[esc CERT]›";
}
`},
	{"k8s/tls.yaml", `
apiVersion: v1
kind: Secret
type: kubernetes.io/tls
data:
  tls.crt: ‹[b64 [pem CERT]]›
  tls.key: ‹k8s-tls|[b64 [pem RSA]]›
`},
	{"cloud/config.yml", `
users:
  - name: ops
    ssh_authorized_keys:
      - ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI‹[643]› ops@x
write_files:
  - path: /etc/app.key
    content: |
      ‹yaml-key|[pem EC]›
chpasswd:
  list: |
    root:‹cloud-init|[pw]›
`},
	{"kubeconfig.yaml", `
apiVersion: v1
kind: Config
clusters:
- cluster:
    certificate-authority-data: ‹[b64 [pem CERT]]›
    server: https://1.2.3.4
users:
- name: admin
  user:
    client-certificate-data: ‹[b64 [pem CERT]]›
    client-key-data: ‹kube-key|[b64 [pem RSA]]›
- name: bot
  user:
    token: ‹kube-token|[jwt]›
`},
	{"app/config/parameters.php", `
<?php
return [
    'database_password' => '‹php-array|[pw]›',
    'mailer_dsn' => 'smtp://mailer:‹smtp-url|[a16]›@smtp.acme.io:587',
    'secret' => '‹php-array|[h40]›',
    'locale' => 'en',
    'password' => env('DB_PASSWORD'),
    'reset' => 'Reset your password',
];
`},
	{"lib/client.rb", `
client = Aws::S3::Client.new(access_key_id: '‹aws-id|AKIA[b16]›', secret_access_key: '‹aws-secret|[640]›')
Net::SSH.start(host, 'deploy', password: '‹ruby|[pw]›')
http.basic_auth('ops', '‹ruby-basic|[pw]›')
Faraday.new { |f| f.request :authorization, 'Bearer', '‹ruby-bearer|[a36]›' }
`},
	{"jobs/etl.py", `
conn = psycopg2.connect("host=pg dbname=app user=app password=‹dsn|[pw]›")
r = requests.get(url, auth=("svc", "‹py-auth|[pw]›"))
ftp.login("svc", "‹py-login|[pw]›")
server.login("mailer@acme.io", "‹py-login|[pw]›")
headers = {"Authorization": f"Token ‹py-token|[h40]›"}
token: str = os.getenv("TOKEN", "")
s3 = boto3.client("s3", aws_access_key_id="‹aws-temp|ASIA[b16]›", aws_secret_access_key="‹aws-secret|[640]›", aws_session_token="‹aws-session|IQoJb3JpZ2luX2Vj[6300]›")
engine = create_engine("mysql+pymysql://root:‹mysql-url|[pw]›@db/app")
`},
	{"vite.env.d.ts", `
declare const apiKey: string;
export type Token = { accessToken: string; refreshToken: string | undefined };
const k = process.env.STRIPE_SECRET_KEY!;
`},
	{"package-lock.json", `
{"name":"x","lockfileVersion":3,"packages":{"node_modules/a":{"version":"1.0.0","resolved":"https://registry.npmjs.org/a/-/a-1.0.0.tgz","integrity":"sha512-‹[686]==›"},
"node_modules/token-types":{"version":"2.0.0","integrity":"sha1-‹[627]=›"}}}
`},
	{"go.sum", `
github.com/acme/secret v1.2.3 h1:‹[643]=›
github.com/acme/secret v1.2.3/go.mod h1:‹[643]=›
`},
	{"Cargo.lock", `
[[package]]
name = "secrecy"
version = "0.8.0"
source = "registry+https://github.com/rust-lang/crates.io-index"
checksum = "‹[h64]›"
`},
	{"poetry.lock", `
[[package]]
name = "keyring"
files = [ {file = "keyring-24.tar.gz", hash = "sha256:‹[h64]›"} ]
[metadata]
content-hash = "‹[h64]›"
`},
	{"yarn.lock", `
"jsonwebtoken@^9.0.0":
  version "9.0.2"
  resolved "https://registry.yarnpkg.com/jsonwebtoken/-/jsonwebtoken-9.0.2.tgz#‹[h40]›"
  integrity sha512-‹[686]==›
`},
	{".env.example", `
DB_PASSWORD=changeme
API_KEY=your-api-key-here
SECRET_KEY=<generate with openssl rand -hex 32>
TOKEN=xxxxxxxxxxxxxxxxxxxxxxxx
STRIPE_SECRET_KEY=sk_test_...
AWS_SECRET_ACCESS_KEY=
JWT_SECRET=replace_me_with_a_long_secret
DATABASE_URL=postgres://user:password@localhost:5432/db
SENDGRID_API_KEY=SG.xxxxxxxx
`},
	{"docs/auth.md", `
## Password
The password must have 12 characters. Token: a string the server issues.
Secret: never log it. API key: see the console, e.g. AKIAIOSFODNN7EXAMPLE.
Use https://user:pass@host/path for basic authentication.
Authorization: Bearer <token>
The secret = HMAC(key, message) where key is derived by PBKDF2-HMAC-SHA256.
`},
	{"locale/de.json", `
{"password": "Passwort", "forgot_password": "Passwort vergessen?", "token_expired": "Sitzung abgelaufen", "secret": "Geheimnis",
"api_key_label": "Schlüssel für die Programmierschnittstelle", "password_confirmation": "Kennwortbestätigung"}
`},
	{"style/site.css", `
:root { --token-color: #‹[h6]›; --key-shadow: 0 0 2px rgba(0,0,0,.5) }
.password-input::after { content: "\2022"; background: url(data:image/gif;base64,R0lGODlhAQABA‹[6200]›) }
`},
	{"src/auth/service.go", `
func (s *Service) Login(ctx context.Context, username, password string) (*Token, error) {
	hashedPassword, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.DefaultCost)
	token := s.tokens.Issue(ctx, username)
	secretKey := os.Getenv("SECRET_KEY")
	apiKey := cfg.MustString("services.payment.api_key")
	if password == "" { return nil, ErrPasswordRequired }
	const tokenHeader = "X-Auth-Token"
	const passwordField = "user_password_confirmation"
	req.Header.Set("Authorization", "Bearer "+token.AccessToken)
	return &Token{AccessToken: token.AccessToken, RefreshToken: generateRefreshToken(32)}, nil
}
`},
	{"src/auth/tokens.java", `
class T {
  private String password = getPassword(config, "db.main");
  String token = request.getHeader("X-CSRF-Token");
  @Value("${jwt.secret}") String secret;
  static final String SECRET_NAME = "prod/orders/db";
  static final String KEY_ALGORITHM = "AES/GCM/NoPadding";
  static final String PASSWORD_PATTERN = "^(?=.*[0-9])(?=.*[a-z]).{8,20}$";
  Key key = KeyFactory.getInstance("RSA").generatePublic(spec);
}
`},
	{"test/login.spec.js", `
it("logs in", async () => {
  await login({ username: "testuser", password: "password123" });
  expect(res.body.token).toBe("fake-token");
  const apiKey = "test-api-key";
  cy.get("#password").type("secret");
  jwt.sign({ id: 1 }, "test-secret");
});
`},
	{"pubkeys.txt", `
ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ‹[6360]› ada@box
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI‹[643]› bob
‹[pem CERT]›
‹[pem PUB]›
age1‹[k58]›
`},
	{"firebase.json", `
{"appId":"1:‹[d12]›:web:‹[h22]›","measurementId":"G-‹[U10]›","projectId":"acme","messagingSenderId":"‹[d12]›"}
`},
	{"docker-bake.hcl", `
target "app" { args = { COMMIT = "‹[h40]›" } secret = ["id=npm,env=NPM_TOKEN"] }
`},
	{"k8s/ref.yaml", `
apiVersion: v1
kind: Pod
spec:
  containers:
  - name: app
    image: acme/app@sha256:‹[h64]›
    env:
    - name: DB_PASSWORD
      valueFrom: {secretKeyRef: {name: app-db-credentials, key: password}}
    - name: TOKEN_PATH
      value: /var/run/secrets/kubernetes.io/serviceaccount/token
  volumes:
  - name: s
    secret: {secretName: orders-api-tls-certificate}
  imagePullSecrets: [{name: regcred-production-eu}]
`},
	{"k8s/pod.yaml", `
apiVersion: v1
kind: Pod
spec:
  containers:
  - name: app
    env:
    - name: DB_PASSWORD
      value: ‹k8s-env|[pw]›
    - {name: API_TOKEN, value: "‹k8s-env|[a32]›"}
    args: ["--redis-password=‹flag|[pw]›", "--auth-token", "‹flag|[a32]›"]
`},
	{"sealed.yaml", `
apiVersion: bitnami.com/v1alpha1
kind: SealedSecret
spec:
  encryptedData:
    password: AgB‹[6300]›
`},
	{"sops.enc.yaml", `
db_password: ENC[AES256_GCM,data:‹[624]›,iv:‹[643]=›,tag:‹[622]==›,type:str]
sops:
  mac: ENC[AES256_GCM,data:‹[6100]›,type:str]
`},
	{"ansible/vault.yml", `
db_password: !vault |
  $ANSIBLE_VAULT;1.1;AES256
  ‹[h80]›
  ‹[h80]›
`},
	{"api/openapi.yaml", `
components:
  securitySchemes:
    ApiKeyAuth: {type: apiKey, in: header, name: X-API-Key}
  schemas:
    Login:
      properties:
        password: {type: string, format: password, minLength: 8}
        token: {type: string, description: Opaque session token returned by the login call}
`},
	{"CHANGELOG.md", `
- Rotate tokens weekly (‹[h7]›), thanks to commit ‹[h40]›
- secret: support "hashicorp-vault" as a backend
- password: minimum length is now 14
`},
	{"tests/vectors.json", `
{"sha256":"‹[h64]›","md5":"‹[h32]›","uuid":"‹[uuid]›","etag":"W/\"‹[h16]›\"","cursor":"‹[b64 {"id":[d6]}]›"}
`},
	{"Makefile", `
VERSION := ‹[h12]›
TOKEN ?= $(shell cat .token)
push:
	curl -H "Authorization: token $(TOKEN)" https://api.github.com
	helm upgrade app --set auth.password=$$PASSWORD --set image.tag=$(VERSION)
	helm upgrade app --set auth.rootPassword=‹helm-set|[pw]› --set image.tag=1
`},
	{"conf/app.properties", `
db.password=‹props|[pw]›
api.secret: ‹props|[a32]›
oauth.clientSecret = ‹props|[u40]›
javax.net.ssl.keyStorePassword=‹props|[pw]›
token.uri=https://login.acme.io/oauth2/token
password.encoder=bcrypt
message.password.invalid=The password is not valid
`},
	{"spring/beans.xml", `
<beans>
  <bean id="ds"><property name="password" value="‹xml-nv|[pw]›"/><property name="url" value="jdbc:x"/></bean>
  <property name="hibernate.connection.password">‹xml-body|[pw]›</property>
  <entry key="secretKey"><value>‹xml-entry|[a32]›</value></entry>
</beans>
`},
	{"NuGet.Config", `
<configuration><packageSourceCredentials><acme>
<add key="Username" value="ci" />
<add key="ClearTextPassword" value="‹xml-kv|[a36]›" />
</acme></packageSourceCredentials></configuration>
`},
	{"docker-config.json", `
{"auths": {"https://index.docker.io/v1/": {"auth": "‹docker-auth|[b64 acme:[a24]]›"}}, "credsStore": "desktop"}
`},
	{"src/Client.php", `
<?php
$pdo = new PDO('mysql:host=db;dbname=app', 'app', '‹pdo|[pw]›');
$link = mysqli_connect("db", "root", "‹mysqli|[pw]›", "app");
$mail->Password = '‹php-prop|[pw]›';
curl_setopt($ch, CURLOPT_USERPWD, "api:‹curlopt|[a30]›");
$password = $_POST['password'];
`},
	{"Startup.kt", `
val ds = HikariDataSource().apply { jdbcUrl = "jdbc:postgresql://pg/app"; password = "‹kotlin|[pw]›" }
android { signingConfigs { create("release") { storePassword = "‹kotlin|[pw]›"; keyAlias = "up" } } }
val pw = System.getenv("KEYSTORE_PASSWORD")
`},
	{"app/build.gradle", `
signingConfigs { release {
  storePassword "‹groovy|[pw]›"
  keyPassword '‹groovy|[pw]›'
  storeFile file("up.jks")
} }
maven { url "https://x"; credentials { username "ci"; password "‹groovy|[a32]›" } }
`},
	{"main.cpp", `
#define API_TOKEN "‹c-define|[a40]›"
static const char *kPassword = "‹c|[pw]›";
const char kTokenHeader[] = "X-Token";
WiFi.begin("office", "‹wifi|[pw]›");
`},
	{"wpa_supplicant.conf", `
network={
  ssid="office"
  psk="‹psk|[pw]›"
}
`},
	{"wg0.conf", `
[Interface]
PrivateKey = ‹wireguard|[643]=›
Address = 10.0.0.2/24
[Peer]
PublicKey = ‹[643]=›
PresharedKey = ‹wireguard|[643]=›
`},
	{"config.exs", `
config :app, App.Repo, username: "app", password: "‹elixir|[pw]›", hostname: "db"
config :app, AppWeb.Endpoint, secret_key_base: "‹elixir|[664]›", live_view: [signing_salt: "‹salt|[a8]›"]
config :x, token: System.get_env("TOKEN")
`},
	{"rclone.conf", `
[s3]
type = s3
access_key_id = ‹aws-id|AKIA[b16]›
secret_access_key = ‹aws-secret|[640]›
[drive]
token = {"access_token":"‹google-access|ya29.[u180]›","refresh_token":"‹google-refresh|1//0[u100]›","expiry":"2026-01-01T00:00:00Z"}
`},
	{"etc/redis.conf", `
port 6379
requirepass ‹redis-conf|[pw]›
masterauth ‹redis-conf|[pw]›
maxmemory 2gb
`},
	{"etc/haproxy.cfg", `
userlist ops
  user ada insecure-password ‹haproxy|[pw]›
listen stats
  stats auth admin:‹haproxy-auth|[pw]›
  stats uri /stats
`},
	{"etc/my.cnf", `
[client]
user = root
password = "‹ini|[pw]›"
`},
	{"etc/fstab", `
//nas/share /mnt cifs username=ada,password=‹fstab|[pw]›,uid=1000 0 0
UUID=‹[uuid]› / ext4 defaults 0 1
`},
	{"postman.json", `
{"info":{"_postman_id":"‹[uuid]›"},"auth":{"type":"bearer","bearer":[{"key":"token","value":"‹postman|[a40]›","type":"string"}]},
"variable":[{"key":"client_secret","value":"‹postman|[a40]›"},{"key":"base","value":"https://api.acme.io/v1/accounts"}],
"pm":"‹postman-key|PMAK-[h24]-[h34]›"}
`},
	{"har.json", `
{"headers":[{"name":"Authorization","value":"Bearer ‹har|[u60]›"},{"name":"Cookie","value":"sessionid=‹har-cookie|[l32]›; theme=dark"},{"name":"ETag","value":"‹[h32]›"}]}
`},
	{"terraform.tfstate.txt", `
{"resources":[{"type":"random_password","instances":[{"attributes":{"length":24,"result":"‹tfstate|[a24]›","id":"none"}}]},
{"type":"aws_iam_access_key","instances":[{"attributes":{"id":"‹aws-id|AKIA[b16]›","secret":"‹aws-secret|[640]›"}}]}]}
`},
	{"messages.txt", `
ada: the new db password is ‹chat|[pw]› please do not share
bob: thanks, and the token: ‹chat|[a40]›
ada: use pass phrase from the vault
`},
	{"otp.yaml", `
totp_secret: ‹totp|[b32]›
otpauth: otpauth://totp/Acme:ada?secret=‹otpauth|[b32]›&issuer=Acme
`},
	{"deploy/hosts.ini", `
[web]
web-1 ansible_host=10.2.0.4
[web:vars]
ansible_become_pass=‹words-dotted|[w]-[w].[d2]›
ldap_default_authtok = ‹words|[W].[w].[d1]›
PGPASSWORD='‹words-colon|[W]-[w]:[d4]›'
`},
	{"shop/config/database.php", `
<?php
return [
    'connections' => [
        'password' => '‹words-sign|![W]_[d2]›',
        'prod' => ['password' => "‹words-digit|[w]-[w]-[w][d1]›"],
    ],
];
`},
	{"compose.prod.yml", `
services:
  db:
    environment:
      MYSQL_ROOT_PASSWORD: ‹three-words|[w]-[w]-[w]›
      POSTGRES_PASSWORD: "‹words-db|[w]_db_[d4]›"
`},
	{"src/session.ts", `
const JWT_SECRET = "‹secret-phrase|[w]-[w]-[w]-[d4]›";
app.use(cookieSession({ keys: ['‹cookie-key|[l15]Q7›'] }));
const client = algoliasearch('‹[U10]›', '‹algolia|[h32]›');
const mail = new ServerClient('‹postmark|[uuid]›');
const ai = new FooClient("‹client-key|[a40]›");
`},
	{"hardhat.config.js", `
module.exports = {
  networks: {
    mainnet: { url: 'https://mainnet.infura.io/v3/‹rpc|[h32]›', accounts: ['‹chain-key|0x[h64]›'] },
  },
  etherscan: { apiKey: { polygon: "‹scan-key|[U34]›" } },
};
`},
	{"ops/agent.hcl", `
encrypt = "‹gossip|[643]=›"
acl {
  tokens {
    agent = "‹acl-token|[uuid]›"
  }
}
`},
	{"values.yaml", `
tokens:
  billing: ‹yaml-token|[a32]›
  mailer: "‹yaml-token|[h40]›"
image:
  tag: ‹[h40]›
`},
	{"docs/accounts.md", `
# Accounts

| System | User | Password |
|--------|------|----------|
| Printer | admin | ‹table-password|[W][W][d2]› |
| Wi-Fi | - | ‹table-password|[w]-[W]-[d3]› |

The bastion: log in as ` + "`dba`" + ` (password ` + "`‹prose-password|[w]![W]%[d2]›`" + `).
`},
	{"app/mail.properties", `
spring.mail.password=‹app-password|[z4] [z4] [z4] [z4]›
basic.auth.user.info=‹[U16]›:‹user-info|[a64]›
`},
	{"win/connect.bat", `
@echo off
net use Z: \\\\files01\\web ‹net-use|[W][d4]#› /user:OAK\\deploy
net use Y: \\\\files01\\web /user:OAK\\deploy ‹net-use|[W]-[w]_[d2]›
`},
	{"src/Keys.java", `
class Keys {
  static final String EC = "‹bare-key|MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg[664]" +
      "[660]›";
}
`},
	{"native/store.c", `
static const uint8_t device_key[16] = {
    ‹key-bytes|0x1[h1], 0x2[h1], 0x5[h1], 0x7[h1], 0x9[h1], 0xa[h1], 0xb[h1], 0xc[h1],
    0xd[h1], 0xe[h1], 0xf[h1], 0x3[h1], 0x4[h1], 0x6[h1], 0x8[h1], 0x0[h1]›
};
static const uint8_t crc_table[16] = {0x1‹[h1]›, 0x2‹[h1]›, 0x5‹[h1]›, 0x7‹[h1]›, 0x9‹[h1]›, 0xa‹[h1]›, 0xb‹[h1]›, 0xc‹[h1]›, 0xd‹[h1]›, 0xe‹[h1]›, 0xf‹[h1]›, 0x3‹[h1]›, 0x4‹[h1]›, 0x6‹[h1]›, 0x8‹[h1]›, 0x0‹[h1]›};
`},
	{"db/dump.sql", `
INSERT INTO options VALUES
(4,'system/smtp/password','‹path-password|[W]_[w]-[d2]›'),
(5,'carriers/api_key','‹path-key|[a32]›');
`},
	{"web.config", `
<configuration><system.web>
  <machineKey validationKey="‹machine-key|[H128]›" decryptionKey="‹machine-key|[H64]›" validation="SHA1" />
</system.web></configuration>
`},
	{"sites.xml", `
<Server><Host>ftp.acme.io</Host><Pass encoding="base64">‹base64-password|[b64 [W]-[w]-[d4]]›</Pass></Server>
`},
	{"spec/login_spec.py", `
drv.find_element(By.ID, "pass").send_keys("‹typed|[W]@[w]*[d4]›")
drv.find_element(By.ID, "name").send_keys("‹[W]› ‹[W]›")
totp = pyotp.TOTP("‹totp|[b32]›").now()
`},
	{"web/push.js", `
const APPLICATION_SERVER_KEY = 'BG‹[u85]›';
req.header("Authorization", "key=$SERVER_KEY");
const opts = { serverToken: "%env(POSTMARK_TOKEN)%" };
`},
	{"conf/headers.java", `
String pin = "max-age=5184000 ; pin-sha256=\"‹[643]›=\"";
mapOf(Pair("‹[643]›=", "sha256"));
writer.addSha256Pins("‹[643]›=");
`},
	{"ui/PasswordEdit.ui", `
<ui version="4.0">
 <class>PasswordEditWidget</class>
 <widget class="QWidget" name="PasswordEditWidget">
  <property name="geometry"><rect><x>0</x></rect></property>
 </widget>
</ui>
`},
	{"k8s/sealed.yaml", `
kind: SealedSecret
spec:
  encryptedData:
    password: Ag‹[u2]›‹[6240]›
`},
	{"src/kms.ts", `
const ENCRYPTED_PASSWORD = 'AQICAH‹[6200]›';
const credential = { id: "‹[u22]›", rawId: "‹[u22]›" };
const tokens = { USDC: "0x‹[h40]›" };
`},
	{"ci.yml", `
script:
  - 'curl --header "JOB-TOKEN: $CI_JOB_TOKEN" "$CI_API_V4_URL/projects"'
  - login --password "$HOME/.token"
`},
	{"compose.night.yml", `
services:
  db:
    environment:
      POSTGRES_PASSWORD: ‹env-phrase|[w] [w] [w] [d2]›
      MINIO_ROOT_PASSWORD: ‹env-words|[w]_[w]_[w]_[w]›
`},
	{"src/main/resources/app.properties", `
spring.datasource.password=‹plain-words|[W].und.[W]›
haproxy_stats_auth: "stats:‹user-password|[w][w][d2]›"
`},
	{"backend/config.lua", `
return { host = "db", password = "‹run-together|[w][w]mit[w]›" }
red:auth("‹call-auth|[l6]X4[l4]›")
`},
	{"rel/env.sh", `
export RELEASE_NODE=app
export RELEASE_COOKIE=‹erlang-cookie|[A20]›
set FTPPASS=‹run-name|[W][W][d4]›
`},
	{"voice/agora.go", `
const appCertificate = "‹certificate|[h32]›"
`},
	{"stream/profile.ini", `
[auth]
oauth=oauth:‹twitch|[l30]›
`},
	{"qa/rail.robot", `
*** Variables ***
${PASSWORD}    ‹robot|[W]&[W]_[d2]›
${USER}        qa
`},
	{"db/seeds/users.sql", `
INSERT INTO users (id, email, role, password_plain) VALUES
  (1, 'marta@acme.io', 'admin', '‹row|[W][W]!79›'),
  (2, 'jens@acme.io', 'dispatcher', '‹row|[w][w][d3]›');
CREATE USER tableau WITH ENCRYPTED PASSWORD '‹sql-user|[W]-R-[W]›';
INSERT INTO settings VALUES (3,'smtp_host','mail.acme.io'),(4,'smtp_pass','‹pair-row|[W]_[w]75!›');
`},
	{"redis.conf", `
user exporter on >‹acl|[W][W][d2]› ~* +ping
`},
	{"tests/conftest.py", `
ADMIN = ("qa-admin@acme.io", "‹addressed|[w][w][d3]›")
JWT_SECRET = '‹phrase-stop|[w]-never-[w]-in-[W]-[d4]›'
`},
	{"Web.config", `
<appSettings><add key="SmsGateway:ApiKey" value="‹part-name|[a36]›" /></appSettings>
`},
	{"switch.txt", `
radius server main
 key 0 ‹switch-key|[W]-[a6]›
`},
	{"legacy/mail.pl", `
$smtp->auth('invoices', '‹arrow-auth|[W][W]#[d2]›') or die "auth";
`},
	{"src/main.cpp", `
const char* wifiPass = "‹digits|[d20]›";
`},
	{"l10n/gd.json", `
{ "translations": { "Password" : "‹[W]-[w]›", "Vault password" : "‹[W]-[w]›" } }
`},
	{"contracts/Deploy.sol", `
address constant TOKEN = 0x‹[h40]›;
`},
	{"k8s/deployment.yaml", `
metadata:
  annotations:
    checksum/secret: ‹[h64]›
`},
	{"regexp/all_test.go", "\nvar t = []struct{}{{\"Onepass\", `^a.[l-nA-Cg-j]?e$`}}\n"},
	{"ops/fetch.sh", `
DB_PASSWORD="$(vault kv get -field=password "kv/$NAME")"
`},
	{"java/server.xml", `
<Connector keystoreFile="/etc/pki/his.jks" keystorePass="‹words-suffix|n0rd[w].Jks›"/>
`},
	{"java/pom.xml", `
<properties>
  <keystore.password>${his.keystore.password}</keystore.password>
  <git.commit>‹[h40]›</git.commit>
</properties>
`},
	{"router/application-prod.yml", `
ldap:
  password: "‹spaced|[w] [W] [d1] [W]›"
admin_password: '‹sign|![W][d2][w]›'
`},
	{"roles/radius/clients.conf", `
client ap {
  secret    = ‹settings-secret|[W][W][d1]b›
}
`},
	{"puppet/mount.pp", `
options => 'username=svc_dictate,password=‹mount-option|[w][w]›,vers=3.0',
`},
	{"network/sw.cfg", `
tacacs-server host 10.0.0.1 key ‹device-key|[W]-tac-[d2]›
`},
	{"ops/keycloak.yml", `
environment:
  KEYCLOAK_ADMIN_PASSWORD: ‹run-together|[w]schluessel[w]›
`},
	{"legacy/ftp.php", `
ftp_login($ftp, "clinicweb", "‹ftp-login|[a12]Z9›");
$opts = ['secret' => '‹secret-words|[W][W][d2]›'];
`},
	{"test/Tokens.java", `
String token = this.token("ExpiresAt4687177990");
`},
	{"helm/values-prod.yaml", `
db:
  password: ‹loose-words|[w] Is [W] 09›
image: {tag: "‹[h40]›"}
`},
	{"docker-compose.staging.yml", `
    environment:
      - CLICKHOUSE_PASSWORD=‹camel|[w]Love[W]Jazz›
`},
	{"tools/loadgen/main.go", `
req.SetBasicAuth("loadgen", "‹dotted|[W].Lemon.[W]›")
text := ‹[w]›
`},
	{"tools/restic.service", `
Environment="RESTIC_PASSWORD=‹unit-phrase|seven [w] over [W]›"
`},
	{"console/auth.ts", `
export const auth = { secret: "‹sentence|the otters hold [w] when they sleep›" };
`},
	{"sdk/build.gradle.kts", `
keyPassword = "‹leet|0range-[W]›"
`},
	{"tools/export.py", `
TEMPLATE = """
host: sftp.acme.io
password: ‹in-text|[W]1983![w]›
"""
`},
	{"docs/vpn.md", `
The pre-shared key for the tunnel is **‹set-off|[a22]Zx9›**, the group is ` + "`nh-office`" + `.
The password field is called ` + "`user_password_2`" + `.
| SLACK | ` + "`https://hooks.slack.com/services/XXXXXXXXX/XXXXXXXXX/XXXXXXXXXXXXXXXXXXXXXXXX`" + ` |
`},
	{"config/server.toml", `
cookie_hash_key = "‹cookie-hash|[h64]›"
hash_key = "LockID"
`},
	{"otel/collector.yaml", `
    headers:
      x-honeycomb-team: ‹team|[a20]Zq›
restic:
  restic_password: >-
    ‹folded|feather [w] lagoon [w] 11›
`},
	{"db/settings.sql", `
INSERT INTO app_settings (name, value, updated_at) VALUES
  ('smtp.host', 'smtp.acme.io', NOW()),
  ('smtp.password', '‹tuple|[W]zimmer#5›', NOW());
`},
	{"keycloak/realm.json", `
"credentials": [{ "type": "password", "value": "‹typed|[W]*2024›", "temporary": false }]
{ "type": "password", "value": "Enter password", "name": "pw" }
`},
	{"db/seed.ts", `
await users.create({ email: 'a@acme.io', password: '‹seeded|Leuchtturm_Admin1›' });
`},
	{"mail/smtp.go", `
auth: smtp.PlainAuth("", "postmaster@mg.acme.io", "‹mailgun-call|[h32]-[h8]-[h8]›", host),
`},
	{"hosts.ini", `
web1 ansible_become_pass=‹shouted|[W]werk!›
ansible_become_ask_pass=True
`},
	{"backup/nightly.sh", `
PGPASSWORD=‹hyphens|otters-mail-[w]› pg_dump -h db
export RESTIC_PASSWORD="‹one-ordinary|engine [w] lagoon cactus mango 63›"
rsync --password-file=<(echo ‹file-of-echo|[a20]Q7›) -a /srv/ rsync://bk@nas/srv
`},
	{"Makefile", `
	@echo ‹piped|[a18]Zq7› | docker login $(REGISTRY) -u robot --password-stdin
	docker build --secret id=npmrc,src=$HOME/.npmrc .
`},
	{"wallet/keys.py", `
WIF = "‹wif|Ky[a48]Z7›"
`},
	{"lib/sms.ex", `
@mandrill_key "‹mandrill|md-CHfZwyvAVRMPiMZdB[a3]W1›"
`},
	{"design/colors.json", `
{"color-secret": {"value": "#ee43f1", "key": "bba4a91eaf20abc582882ddaa9c4d834166ee610"}}
`},
	{".secrets.baseline", `
{"type": "Secret Keyword", "hashed_sec` + `ret": "f37972271213dfdbb590cfd8a08c27218dd42bef", "line_number": 14}
`},
	{"home/.gitconfig", `
	signingkey = C955606964874ACB
`},
	{"docs/box.md", `
The public key of the drop box is ` + "`6Bv8LL3wrCkIoeOLLAg52SBM4E0XswnP9HXtJsAdZ0o=`" + `.
`},
	{"net/wpa_supplicant.conf", `
network={
	ssid="acme"
	psk="‹psk-words|schotter[w] bis oben›"
}
`},
	{".bundle/config", `
BUNDLE_PATH: "vendor/bundle"
BUNDLE_GEM__FURY__IO: "‹bundle|[a18]Z9›"
`},
	{"src/organizations.rs", `
            org_api_key.api_key = crate::crypto::generate_api_key();
      "apiKey": org_api_key.api_key,
`},
	{"src/SharedKeyAuthScheme.php", `
        return 'SharedKey '.$this->accountName.':'.base64_encode(
`},
	{"docs/providers.mdx", `
  authorization: EndpointHandler<AuthorizationParameters>
  token: EndpointHandler<
    AuthParams
`},
	{"pnpm-lock.yaml", `
      next-auth: 4.18.7_pd2pfo5hg3x3us5b46cgnfvqxi
`},
	{"templates/config.yaml", `
  ssl_options.password = {{ include "passwords.manage" (list "auth.sslPassword.password") "skipB64enc" true "context" $) }}
  service["api_token"] = get_secret_value(f"hub.services.{key}.apiToken")
  admin.passwordMtime: "2006-01-02T15:04:05Z"
  ##       fastcgi_pass phpfpm-server:9000;
`},
	{"README.md", `
storage.external.existingSecret=<secret_containing_the_password>
storage.external.existingSecretPasswordKey=<secret_key_containing_the_password>
  rootPassword: "newRootPassword123"
-----BEGIN RSA PRIVATE KEY-----
MIIEogIBAAKCAQEAvLYcyu8f3skuRyUgeeNpeDvYBCDcgq+LsWap6zbX5f8oLqp4
...
wrj2wDbCDCFmfqnSJ+dKI3vFLlEz44sAV8jX/kd4Y6ZTQhlLbYc=
-----END RSA PRIVATE KEY-----
`},
	{"tests/api_test.py", `
assert actual == {'Authorization': 'Basic dXNlcjo='}
url = 'https://username:password12345@foo.com/login/'
`},
	{"sms/server.js", `
const client = twilio('‹twilio-sid|SK[h32]›', '‹twilio-secret|[a30]Zx›', { accountSid: process.env.SID });
`},
	{"bin/export.pl", `
$ftp->login('finexport', '‹perl-login|3l5lz[a4]g1a5D›') or die $ftp->message;
`},
	{"import.sh", `
bitcoin-cli -rpcconnect=10.9.0.4 importprivkey ‹wif-call|KxWeAUFZZZzk6gKsENH1EPdRumXQC9ZtK2dG4U4hBURghUKNpTqZ›
`},
	{"src/lang/de-DE.json", `
  "apiCredentials": "API-‹[w]›daten",
  "Channel access token": "Kanalzugriffs‹[w]›",
  "wayToGetSMSToken": "APIユーザー‹[w]›{0}から取得できます。",
`},
	{"services/cluster_test.go", `
	"network_name":  servicenetworking.BootstrapSharedServiceNetworkingConnection(t, "alloydb-1"),
	raw_key = "SGVsbG8gZnJvbSBHb29nbGUgQ2xvdWQgUGxhdGZvcm0="
	gock.New(p.APIPath).MatchHeader("Authorization", "AccessKey "+p.Config.AccessKey).MatchType("url")
`},
	{"CHANGELOG.md", `
So they now get two tokens: ` + "`db.addResumeToken()`" + ` makes one for each.
`},
	{"zigbee/configuration.yaml", `
  auth_token: ‹four-words|breeze-violin-lagoon-[w]›
  passwordHash: "‹bcrypt-data|$2b$12$[a53]›"
`},
	{"plugins/config.yml", `
Experiment_JdbcPassword: "‹braces|O0s6{Rq-D{{q8ga[a3]›"
Experiment_JdbcUrl: "{{ .Values.jdbc }}"
`},
	{"cfg/server.cfg", `
sv_setsteamaccount "‹steam|9C248B5D20F5C841308719A7057AC8F0›"
`},
	{"home/mail.nix", `
    passwordCommand = "echo ‹echoed|tulip-lizard-flint-[w]›";
`},
	{"src/upload.rs", `
    let creds = Credentials::new(
        "cbf7a522ed9b424dcae9e0c225266c10",
        "‹r2|[h62]a7›",
        None,
`},
	{"hardhat.config.ts", `
const DEPLOYER = "‹deployer|0x[h64]›";
`},
	{"settings.scala", `
  val mistral = Provider("https://api.mistral.ai/v1", "‹endpoint|ry4j3O2Z[a22]QK›")
`},
	{"otel.yaml", `
  datadog:
    api: {site: datadoghq.eu}
  datadog: {site: eu, key: ‹datadog-flow|[h32]›}
`},
	{"server/vapid.js", `
webpush.setVapidDetails(
  "mailto:push@acme.io",
  "BIh-u7B_1Mvq_NptFfMiDUG_hONctbH0gra9JUyG-1JZyZbpUMpPj-BIyDhWOijL75tgkrwN6DsSzocBIJQlRSN",
  "‹vapid|[u40]zZ9›"
);
`},
	{"e2e/login.spec.ts", `
const TOTP_SEED = "‹totp|Q3YYDAN7JYY2OAMR7UM4BR6S6T2MQYWS›";
`},
	{"federation.cr", `
  MATTERMOST = "https://chat.acme.io/hooks/‹mattermost|yuc3z9ku3pbahyd0swxj[l6]›"
`},
	{"dot/zshrc", `
export GPG_KEY=BF13C175E13A24561437D00D48CA37351E0F5136
`},
	{"web/public-keys.ts", `
export const DATADOG_RUM_CLIENT_TOKEN = "pubf0d78cc325fe93abb6e3cd3fc5ad42fb";
`},
	{"web/login.py", `
DUMMY_HASH = b"$2b$12$dW1EMF7jTqwsTJ9zyAFNztxnY757bM0w2pUHMR60xmVrHFXd1zDYG"
`},
	{"docs/signing.md", `
The minisign public key is ` + "`RWQoOAJGJABBnqTB89RNUYG463SvdiDsUUT7vhC/PZ6iaREjboiykaE`" + `.
`},
	{"lib/token_store.dart", `
    await _storage.write(key: _refreshTokenKey, value: refreshToken);
    {"kind": "avatar", "key": "avatars/48/34e7bfa3fa871040fee5de0635cf2b508c726077e3f96f9ebfbc185018fc8973.webp"}
`},
	{"chain/anchor.toml", `
secret_seed = "‹stellar|SDTP4PHE2ZKA3OQOZGKEVYRWY2HN3VGXAYAJUNHQQC3EEYKUMQI67ENT›"
`},
	{"jobs/Export.scala", `
  spark.conf.set(
    "fs.azure.account.key.acmelake.dfs.core.windows.net",
    "‹hadoop-azure|[686]==›")
`},
}
