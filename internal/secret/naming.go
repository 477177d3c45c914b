package secret

import "bytes"

// This file judges names: does what is called this hold a secret?

// noun is what a name says its value is.
type noun uint8

const (
	noNoun    noun = iota
	weakNoun       // key, auth, session: often no secret
	tokenNoun      // token, api key, secret
	passNoun       // password
	mnemonic       // words in a row
)

// naming is what a name tells of its value.
type naming struct {
	noun noun
	// not: the name says that its value is no secret.
	not bool
	// strict: something follows the noun that may make it another thing.
	strict bool
	// authorization: the value starts with the name of a scheme.
	authorization bool
}

var nouns = map[string]noun{
	"password": passNoun, "passwords": passNoun, "passwd": passNoun, "passphrase": passNoun, "passcode": passNoun, "pwd": passNoun, "psw": passNoun, "pass": passNoun, "pw": passNoun, "passwort": passNoun, "kennwort": passNoun,
	"senha": passNoun, "contrasena": passNoun, "contrase\u00f1a": passNoun, "motdepasse": passNoun, "mdp": passNoun, "wachtwoord": passNoun, "haslo": passNoun, "lozinka": passNoun, "salasana": passNoun, "adgangskode": passNoun, "storepass": passNoun, "keypass": passNoun,
	"bindpw": passNoun, "rootpw": passNoun, "requirepass": passNoun, "masterauth": passNoun, "sshpass": passNoun, "psk": passNoun, "presharedkey": passNoun, "wpapassphrase": passNoun, "userpass": passNoun, "dbpass": passNoun, "passkey": passNoun, "pgpassword": passNoun, "mypwd": passNoun, "pin": passNoun,
	"secret": tokenNoun, "secrets": tokenNoun, "token": tokenNoun, "tokens": tokenNoun, "apikey": tokenNoun, "apikeys": tokenNoun, "apitoken": tokenNoun, "secretkey": tokenNoun, "accesskey": tokenNoun, "authkey": tokenNoun, "authtoken": tokenNoun,
	"accesstoken": tokenNoun, "refreshtoken": tokenNoun, "privatekey": tokenNoun, "clientsecret": tokenNoun, "appsecret": tokenNoun, "webhooksecret": tokenNoun, "credential": tokenNoun, "credentials": tokenNoun, "creds": tokenNoun, "bearer": tokenNoun, "jwt": tokenNoun,
	"authorization": tokenNoun, "signingkey": tokenNoun, "encryptionkey": tokenNoun, "masterkey": tokenNoun, "licensekey": tokenNoun, "accountkey": tokenNoun, "sharedaccesskey": tokenNoun, "sharedkey": tokenNoun, "appkey": tokenNoun, "secretid": tokenNoun, "pat": weakNoun,
	"key": weakNoun, "keys": weakNoun, "auth": weakNoun, "access": weakNoun, "session": weakNoun, "sessionid": weakNoun, "phpsessid": weakNoun, "jsessionid": weakNoun, "sid": weakNoun, "cookie": weakNoun, "cookies": weakNoun, "salt": weakNoun, "pepper": tokenNoun, "authtok": passNoun, "wif": tokenNoun, "api": weakNoun, "dsn": weakNoun, "webhook": weakNoun, "otp": weakNoun, "totp": weakNoun,
	"mnemonic": mnemonic, "seedphrase": mnemonic, "seed": mnemonic,
}

// keyOf are the words before "key" that make it a secret one.
var keyOf = map[string]bool{
	"api": true, "secret": true, "access": true, "private": true, "auth": true, "signing": true, "sign": true, "signature": true, "encryption": true, "encrypt": true, "encrypted": true, "decryption": true, "decrypt": true, "master": true, "account": true, "storage": true, "service": true, "app": true, "application": true, "client": true, "consumer": true,
	"shared": true, "session": true, "cookie": true, "license": true, "licence": true, "admin": true, "root": true, "server": true, "deploy": true, "fernet": true, "jwt": true, "hmac": true, "aes": true, "crypt": true, "crypto": true, "cipher": true, "function": true, "integration": true, "routing": true, "webhook": true, "subscription": true, "bot": true, "token": true, "security": true, "authentication": true, "data": true, "write": true, "record": true, "decryptor": true, "wallet": true, "signer": true, "deployer": true, "validator": true,
	"stripe": true, "openai": true, "anthropic": true, "sendgrid": true, "mailgun": true, "twilio": true, "datadog": true, "dd": true, "algolia": true, "maps": true, "google": true, "gcp": true, "aws": true, "azure": true, "cosmos": true, "tls": true, "ssl": true, "ssh": true, "gpg": true, "pgp": true, "rsa": true, "ec": true, "host": true, "ingest": true, "ingestion": true, "rails": true, "preshared": true, "pre": true, "hf": true, "cohere": true, "gemini": true, "groq": true, "mistral": true, "pinecone": true, "newrelic": true, "relic": true, "sentry": true, "rollbar": true, "bugsnag": true, "honeycomb": true, "segment": true, "pagerduty": true, "opsgenie": true, "cloudflare": true, "linode": true, "vultr": true, "heroku": true, "snyk": true, "sonar": true,
}

// keyNot are the words before "key" or "token" that make it no secret.
var keyNot = map[string]bool{
	"public": true, "pub": true, "publishable": true, "cache": true, "foreign": true, "sort": true, "partition": true, "row": true, "object": true, "group": true, "map": true, "dict": true, "hash": true, "index": true, "idempotency": true, "idempotent": true, "dedup": true, "dedupe": true, "site": true, "sitekey": true, "hot": true, "natural": true, "shard": true, "lookup": true,
	"translation": true, "i18n": true, "locale": true, "message": true, "msg": true, "label": true, "lang": true, "config": true, "setting": true, "settings": true, "env": true, "property": true, "field": true, "column": true, "query": true, "sync": true, "cancellation": true, "cancel": true, "csrf": true, "xsrf": true, "next": true, "page": true, "continuation": true, "pagination": true, "cursor": true, "eos": true, "bos": true, "pad": true, "unk": true, "cls": true, "sep": true, "mask": true, "special": true, "stop": true, "max": true, "min": true, "num": true, "total": true, "count": true, "prompt": true, "completion": true, "input": true, "output": true, "usage": true, "by": true,
	"react": true, "json": true, "yaml": true, "node": true, "tree": true, "file": true, "path": true, "s3": true, "blob": true, "asset": true, "chunk": true, "image": true, "event": true, "metric": true, "tag": true, "resource": true, "unique": true, "composite": true, "candidate": true, "super": true, "surrogate": true, "range": true, "sorting": true, "has": true, "is": true, "no": true, "without": true, "missing": true, "invalid": true, "expired": true, "valid": true, "verify": true, "verification": true, "known": true, "trusted": true, "trust": true, "certificate": true, "cert": true, "ca": true, "registry": true, "arrow": true, "shortcut": true, "hotkey": true, "keyboard": true, "modifier": true, "shift": true, "ctrl": true, "alt": true, "enter": true, "escape": true, "esc": true, "tab": true, "press": true, "ascii": true, "color": true, "design": true, "theme": true, "syntax": true, "lexer": true, "parser": true, "ast": true, "parse": true, "comment": true, "js": true, "left": true, "right": true, "current": true, "previous": true, "prev": true, "peek": true, "type": true, "string": true, "number": true, "identifier": true, "operator": true, "keyword": true, "punctuation": true, "newline": true, "whitespace": true, "eof": true, "end": true, "start": true, "first": true, "last": true,
}

// notAfter are the words after a noun that make it no secret.
var notAfter = map[string]bool{
	"pub": true, "public": true,
	"name": true, "names": true, "id": true, "ids": true, "uuid": true, "guid": true, "file": true, "files": true, "filename": true, "path": true, "paths": true, "dir": true, "directory": true, "folder": true, "url": true, "urls": true, "uri": true, "endpoint": true, "host": true, "hostname": true, "port": true, "address": true, "type": true, "types": true, "kind": true, "length": true, "len": true, "size": true, "bits": true, "count": true, "counts": true, "min": true, "max": true, "limit": true, "limits": true, "ttl": true, "age": true, "expiry": true, "expires": true, "expire": true, "expiration": true, "expired": true, "lifetime": true, "duration": true, "timeout": true, "interval": true, "policy": true, "policies": true, "field": true, "fields": true, "label": true, "labels": true, "hint": true, "placeholder": true, "message": true, "messages": true, "msg": true, "error": true, "errors": true, "err": true, "prompt": true, "title": true, "text": true, "desc": true, "description": true, "help": true, "regex": true, "regexp": true, "pattern": true, "format": true, "encoding": true, "algorithm": true, "algorithms": true, "alg": true, "algo": true, "cipher": true, "version": true, "versions": true, "ref": true, "refs": true, "reference": true, "selector": true, "arn": true, "class": true, "classes": true, "provider": true, "providers": true, "store": true, "manager": true, "service": true, "handler": true, "factory": true, "mode": true, "enabled": true, "enable": true, "disabled": true, "disable": true, "required": true, "optional": true, "rule": true, "rules": true, "strength": true, "score": true, "reset": true, "change": true, "changed": true, "updated": true, "created": true, "at": true, "mtime": true, "ctime": true, "date": true, "time": true, "timestamp": true, "column": true, "columns": true, "header": true, "headers": true, "param": true, "params": true, "parameter": true, "prefix": true, "suffix": true, "index": true, "idx": true, "env": true, "var": true, "variable": true, "mount": true, "mapping": true, "schema": true, "scheme": true, "method": true, "methods": true, "issuer": true, "audience": true, "scope": true, "scopes": true, "realm": true, "status": true, "state": true, "usage": true, "usages": true, "budget": true, "cost": true, "price": true, "per": true, "rate": true, "page": true, "form": true, "input": true, "inputs": true, "button": true, "link": true, "icon": true, "image": true, "component": true, "view": true, "controller": true, "template": true, "module": true, "package": true, "plugin": true, "hash": true, "hashes": true, "hashed": true, "digest": true, "checksum": true, "sha": true, "sha1": true, "sha256": true, "md5": true, "fingerprint": true, "thumbprint": true, "verification": true, "verifier": true, "validator": true, "validation": true, "location": true, "source": true, "src": true, "target": true, "dest": true, "owner": true, "user": true, "username": true, "login": true, "email": true, "role": true, "group": true, "groups": true, "domain": true, "region": true, "zone": true, "namespace": true, "annotation": true, "command": true, "cmd": true, "script": true, "helper": true, "process": true, "func": true, "function": true, "callback": true, "cb": true, "fn": true, "resolver": true, "getter": true, "generator": true, "builder": true, "parser": true, "stream": true, "list": true, "map": true, "set": true, "array": true, "json": true, "config": true, "settings": true, "options": true, "opts": true, "props": true, "spec": true, "info": true, "meta": true, "metadata": true, "properties": true, "property": true, "attribute": true, "attributes": true, "alias": true, "board": true, "frame": true, "ring": true, "word": true, "words": true, "down": true, "up": true, "vault": true, "tab": true, "management": true, "rotation": true, "rotate": true, "revision": true, "rev": true, "commit": true, "ready": true, "valid": true, "invalid": true, "only": true, "flag": true, "flow": true, "grant": true, "exchange": true, "request": true, "response": true, "server": true, "issue": true, "bucket": true, "limiter": true, "lists": true, "ed": true, "ing": true, "izer": true, "kid": true, "usecase": true, "test": true, "tests": true, "mock": true, "sample": true, "example": true, "demo": true, "language": true, "locale": true, "theme": true, "color": true, "style": true, "width": true, "height": true, "position": true, "weight": true, "order": true, "level": true, "levels": true, "available": true, "supported": true, "allowed": true, "denied": true, "forgot": true, "forgotten": true, "recovery": true, "less": true, "free": true, "based": true, "storetype": true, "keeper": true, "checker": true, "check": true, "expiring": true, "by": true, "for": true, "from": true, "to": true, "of": true, "in": true, "is": true, "or": true, "and": true, "not": true, "with": true, "challenge": true, "resource": true, "sharing": true, "counter": true, "last": true, "family": true, "ase": true, "object": true, "instance": true, "entry": true, "node": true, "nodes": true, "kinds": true, "event": true, "events": true, "trigger": true, "hook": true, "protection": true, "review": true, "account": true, "tree": true, "cache": true, "row": true, "space": true, "separator": true, "delimiter": true, "maker": true, "symbol": true, "contract": true, "decimals": true, "supply": true, "balance": true, "amount": true, "transfer": true, "uris": true, "slot": true, "pos": true, "kindof": true, "offset": true, "range": true, "lower": true, "upper": true,
}

// fineAfter are the words after a noun that leave it what it is.
var fineAfter = map[string]bool{
	"base64": true, "b64": true, "base": true, "hex": true, "raw": true, "plain": true, "plaintext": true, "value": true, "val": true, "string": true, "str": true, "prod": true, "production": true, "staging": true, "stage": true, "dev": true, "live": true, "qa": true, "uat": true, "default": true, "old": true, "new": true, "primary": true, "secondary": true, "backup": true, "main": true, "master": true, "root": true, "admin": true, "ro": true, "rw": true, "read": true, "write": true, "current": true, "previous": true, "confirm": true, "confirmation": true, "again": true, "key": true, "keys": true, "token": true, "secret": true, "password": true, "data": true, "pem": true, "content": true, "contents": true, "const": true, "internal": true, "external": true, "pair": true, "material": true, "bytes": true, "salt": true, "phrase": true, "local": true, "ci": true, "github": true, "gitlab": true, "npm": true, "pypi": true, "slack": true, "db": true, "database": true, "postgres": true, "mysql": true, "redis": true, "aws": true, "us": true, "eu": true, "api": true, "auth": true,
}

// isIdent reports whether b may stand in a name: of a variable, a property, a
// header, a flag.
func isIdent(b byte) bool { return isWord(b) || b == '-' || b == '.' || b == '$' || b >= 0x80 }

const maxName = 96

// identifier widens [start, end) to the whole name, at most maxName bytes on
// either side.
func (r *run) identifier(start, end int) (lo, hi int) {
	text := r.text
	lo, hi = start, end
	for least := max(0, start-maxName); lo > least && isIdent(text[lo-1]); {
		lo--
	}
	for most := min(len(text), end+maxName); hi < most && isIdent(text[hi]); {
		hi++
	}
	return lo, hi
}

// classify reads a name word by word: snake, kebab, camel and dotted names
// alike.
func classify(name []byte) naming {
	var buf [2 * maxName]byte
	var ends [40]int
	words, n := 0, 0
	cut := func() {
		from := 0
		if words > 0 {
			from = ends[words-1]
		}
		if n > from && words < len(ends)-1 {
			ends[words] = n
			words++
		}
	}
	for i, b := range name {
		if n >= len(buf) {
			break
		}
		switch {
		case b == '_' || b == '-' || b == '.' || b == '$':
			cut()
			continue
		case isUpper(b):
			// A word begins where case rises, and before the last capital of a
			// run of them: APIKey, DBPassword.
			if i > 0 && (!isUpper(name[i-1]) && isLetter(name[i-1]) || isDigit(name[i-1]) && i+1 < len(name) && !isUpper(name[i+1])) {
				cut()
			} else if i > 0 && isUpper(name[i-1]) && i+1 < len(name) && isLetter(name[i+1]) && !isUpper(name[i+1]) {
				cut()
			}
			buf[n] = b | 0x20
		default:
			buf[n] = b
		}
		n++
	}
	cut()
	word := func(i int) []byte {
		from := 0
		if i > 0 {
			from = ends[i-1]
		}
		return buf[from:ends[i]]
	}

	var k naming
	at := -1
	for i := words - 1; i >= 0; i-- {
		w := trimDigits(word(i))
		nn, ok := nouns[string(w)]
		if !ok {
			nn = nounEnding(w)
		}
		if nn == noNoun {
			continue
		}
		if at < 0 {
			at, k.noun = i, nn
			k.authorization = string(w) == "authorization" || string(w) == "auth"
			if nn != weakNoun {
				break
			}
			continue
		}
		// A stronger noun before a weak one: secret_access_key, password_key.
		if nn > k.noun && i == at-1 {
			k.noun = nn
		}
		break
	}
	if at < 0 {
		return k
	}
	if w := bytes.TrimSuffix(word(at), []byte("s")); (string(trimDigits(w)) == "key" || string(trimDigits(w)) == "keys") && at > 0 {
		switch b := word(at - 1); {
		case keyOf[string(b)]:
			k.noun = max(k.noun, tokenNoun)
		case keyNot[string(b)]:
			k.not = true
		}
	} else if at > 0 && bytes.HasSuffix(trimDigits(w), []byte("token")) && keyNot[string(word(at-1))] {
		k.not = true
	}
	var w0 []byte // the word before the noun
	if at > 0 {
		w0 = word(at - 1)
	}
	for i := range at {
		switch string(word(i)) {
		case "public", "publishable", "pubkey", "csrf", "xsrf", "fingerprint", "checksum", "hashed":
			k.not = true
		case "fastcgi", "uwsgi", "scgi", "grpc", "memcached":
			if string(word(at)) == "pass" {
				k.not = true // where nginx passes a request on
			}
		case "cookie", "session", "securecookie":
			if string(w0) == "hash" { // securecookie's hash key signs
				k.not, k.noun = false, max(k.noun, tokenNoun)
			}
		}
	}
	for i := at + 1; i < words; i++ {
		w := trimDigits(word(i))
		switch {
		case len(w) <= 2 && len(w) == 0, fineAfter[string(w)], string(w) == "v":
		case notAfter[string(w)]:
			k.not = true
		default:
			k.strict = true
		}
	}
	return k
}

func trimDigits(w []byte) []byte {
	for len(w) > 0 && isDigit(w[len(w)-1]) {
		w = w[:len(w)-1]
	}
	return w
}

// nounEnding knows nouns at the end of words that run together: dbpassword.
func nounEnding(w []byte) noun {
	if n := len(w) - 4; n >= 2 && string(w[n:]) == "pass" {
		switch string(w) {
		case "bypass", "compass", "encompass", "trespass", "surpass", "overpass", "underpass", "multipass", "onepass", "twopass", "singlepass", "renderpass", "shadowpass", "lowpass", "highpass", "bandpass", "allpass", "keepass", "lastpass":
			return noNoun
		}
		return passNoun
	}
	for _, e := range [...]struct {
		s string
		n noun
	}{{"password", passNoun}, {"passwd", passNoun}, {"passwort", passNoun}, {"passphrase", passNoun}, {"pwd", passNoun}, {"dbpass", passNoun}, {"userpass", passNoun}, {"authpass", passNoun},
		{"apikey", tokenNoun}, {"secretkey", tokenNoun}, {"accesskey", tokenNoun}, {"privatekey", tokenNoun}, {"masterkey", tokenNoun}, {"secret", tokenNoun}, {"token", tokenNoun}, {"authkey", tokenNoun}, {"credentials", tokenNoun}, {"sessionid", weakNoun}, {"mnemonic", mnemonic}, {"seckey", tokenNoun}} {
		if len(w) > len(e.s) && string(w[len(w)-len(e.s):]) == e.s {
			return e.n
		}
	}
	return noNoun
}
