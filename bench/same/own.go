//go:build linux

package main

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf16"
)

// The credentials are made up, and put together here so that no file of this repository holds one. Of the passwords only the name
// beside them makes them secrets: where one stands alone it is found because it was found elsewhere.
var (
	token     = join("ghp", "_", "q7Zk2LxT9vBn4Rw8", "YcMd5HsJ1fGp6Ea0", "UoXi")
	jobToken  = join("ghs", "_", "m3Xw8KcP5tLq1Zn6", "RbVd0HyT4jGs9Fe2", "AuCo")
	passwords = []string{join("q7Zk2LxT9vBn", "4Rw8YcMd5Hs1"), join("w3Np8QsV5jKd", "7Yt2HbXf9Lc4"), join("e6Gm1RzC4uPa", "8Jv5TnWk3Dq7"),
		join("h9Bt4FyL2sXo", "6Mc1ZrQe8Vg3"), join("u2Kw7DxN5hRj", "3Pf9SbYa6Tm8"), join("c5Vq1JgM8nEz", "2Lt7XkHd4Wo9"),
		join("y8Pk3WbR6vJu", "1Nc9GsFt5Xm4"), join("a7Zd4HqL1kYs", "5Re8MvTb3Gn6")}
	keyFile = join("-----BEGIN OPEN", "SSH PRIV", "ATE KEY-----\n") + strings.Repeat(join("b3BlbnNzaC1rZXkt", "djEAAAAABG5vbmUA", "AAAEbm9uZQAAAAAA")+"\n", 6) +
		join("-----END OPEN", "SSH PRIV", "ATE KEY-----\n")
)

func join(parts ...string) string { return strings.Join(parts, "") }

// secretLine is a line of settings with a password in it.
func secretLine(name, value string) string { return name + "_pass" + "word: \"" + value + "\"\n" }

// maker makes a repository; after the first error it does nothing.
type maker struct {
	ctx context.Context
	dir string
	err error
}

func (m *maker) do(err error) {
	if m.err == nil {
		m.err = err
	}
}

func (m *maker) path(name string) string { return filepath.Join(m.dir, name) }

func (m *maker) write(name, content string) {
	if m.err == nil {
		m.err = write(name, content).change(m.ctx, m.dir)
	}
}

func (m *maker) git(args ...string) {
	if m.err == nil {
		_, m.err = git(m.ctx, m.dir, args...)
	}
}

func (m *maker) commit(message string) {
	m.git("add", "--all")
	m.git("commit", "--quiet", "--message", message)
}

// makeOwn makes a repository of eight commits that has one of everything. With late, files that only a selection brings in hold
// credentials that stand in other files, too: they are found after the search of the repository.
func makeOwn(ctx context.Context, dir string, late bool) error {
	m := &maker{ctx: ctx, dir: dir}
	only := func(value string) string {
		if late {
			return value
		}
		return "none"
	}
	m.do(os.Mkdir(dir, 0o755))
	m.git("init", "--quiet", "--template=", "--initial-branch=main")

	m.write("package.json", `{"name":"own","version":"1.0.0","main":"src/index.ts","dependencies":{"dep":"1.2.3","leaky":"2.0.0"}}`+"\n")
	m.write("package-lock.json", `{"name":"own","lockfileVersion":3,"packages":{"node_modules/dep":{"version":"1.2.3"}}}`+"\n")
	m.write("tsconfig.json", `{"compilerOptions":{"module":"esnext","moduleResolution":"bundler","strict":true},"include":["src"]}`+"\n")
	m.write("README.md", "# Own\n\nOne of everything.\n")
	m.write(".gitignore", "node_modules\n/ignored\n*.log\n")
	m.write(".gitattributes", "*.bat text eol=crlf\n*.sh text eol=lf\n")
	m.write("src/index.ts", "import {used} from './used';\nimport type {T} from 'dep';\nimport type {L} from 'leaky';\nimport 'missing';\nexport const x: [T, L] = [used, 2];\n")
	m.write("src/used.ts", "import {deep} from './deep';\nexport const used = deep;\nexport const later = () => import('./generated');\n")
	m.write("src/deep.ts", "/** @module deep is far away. */\nexport const deep = 1;\nexport const deeper = 2;\nexport const deepest = 3;\n")
	m.write("src/generated.ts", "export const generated = 1;\n")
	m.write("src/other.ts", "import {x} from './index';\nexport const other = x;\n")
	m.write("src/legacy.ts", "export const settings = `\n"+secretLine("legacy", passwords[4])+"`;\n")
	m.write("scripts/build.sh", "#!/bin/sh\necho build\n")
	m.write("scripts/build.bat", "@echo build\n@echo done\n")
	m.write("crlf.txt", "one\r\ntwo\r\nthree\r\n")
	m.write("docs/guide.md", "# Guide\n\nSee src.\n")
	m.write("docs/gone.md", "# Gone\n")
	m.commit("Sources")

	m.write("config.js", "module.exports = {\n  token: \""+token+"\",\n}\n")
	m.write("notes.md", "Somebody pasted "+token+" here, and "+passwords[0]+".\nThe job has "+jobToken+".\n")
	m.write("settings.yml", "port: 80\n"+secretLine("db", passwords[0])+secretLine("old_db", passwords[1])+secretLine("mail", passwords[5])+"host: example.com\n")
	m.write("connection.ts", "export const address = 'postgres"+"://svc:"+passwords[0]+"@db.example.com/main';\n")
	m.write("id_rsa", keyFile)
	m.write("docs/key.txt", keyFile)
	m.write("docs/dump-"+passwords[0]+".txt", "x\n")
	wide, err := binary.Append([]byte("\xff\xfe"), binary.LittleEndian, utf16.Encode([]rune("Grüße\n"+secretLine("wide", passwords[1]))))
	m.do(err)
	m.write("wide.txt", string(wide))
	m.write("zz-removed.yml", secretLine("removed", passwords[2]))
	m.commit("Settings")

	m.write("logo.png", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"+strings.Repeat("\x00\x01\x02\xff", 64))
	m.write("data", "text, then\x00a NUL byte\n")
	m.write("icon.svg", `<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>`+"\n")
	m.write("picture.svg", `<svg xmlns="http://www.w3.org/2000/svg">`+strings.Repeat(`<path d="M0 0h9v9z"/>`, 600)+"</svg>\n")
	m.write("latin-\xe9.txt", "caf\xe9\n")
	m.write("src/.gitignore", "*.tmp\n!keep.tmp\n")
	m.write("src/keep.tmp", "kept\n")
	m.do(errors.Join(os.Symlink("src/used.ts", m.path("inside.ts")), os.Symlink("../../outside", m.path("outside")),
		os.Symlink("nowhere-"+passwords[0], m.path("dangling"))))
	m.write(".gitmodules", "[submodule \"lib/sub\"]\n\tpath = lib/sub\n\turl = https://example.com/sub.git\n")
	m.do(os.MkdirAll(m.path("lib/sub"), 0o755))
	m.git("update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("0123456789", 4)+",lib/sub")
	m.commit("Assets")

	m.write(".stan/context/dependency.state.json", `{"v":2,"i":[["src/index.ts",2],[".stan/context/npm/dep/1.2.3/index.d.ts",0,2],`+
		`[".stan/context/npm/leaky/2.0.0/index.d.ts",0],"ignored/plain.ts","ignored/held.ts","ignored/secret.ts",".env"],"x":["src/generated.ts"]}`+"\n")
	m.write(".stan/system/project.md", "What an assistant must know.\n")
	m.commit("State")

	m.git("rm", "--quiet", "src/legacy.ts")
	m.git("mv", "src/other.ts", "src/renamed.ts")
	m.write("settings.yml", "port: 80\n"+secretLine("db", passwords[0])+secretLine("mail", passwords[5])+"host: example.com\n")
	m.do(os.Chmod(m.path("scripts/build.sh"), 0o755))
	m.write("docs/history.md", "It was "+passwords[4]+", then "+passwords[1]+", then "+passwords[5]+".\n")
	m.commit("Removals")

	m.write("src/accepted.ts", "export const api"+"Secret = '"+passwords[2]+"';\n")
	m.write("src/refused.ts", "export const api"+"Secret = '"+passwords[3]+"';\n")
	m.write(".haversackallow", "* src/accepted.ts a value that is made up\n")
	m.commit("An acceptance")

	m.git("mv", "src/deep.ts", "src/far.ts")
	m.write("src/far.ts", "/** @module far is far away. */\nexport const deep = 1;\nexport const deeper = 2;\nexport const deepest = 4;\n")
	m.write("src/used.ts", "import {deep} from './far';\nexport const used = deep;\nexport const later = () => import('./generated');\n")
	m.git("rm", "--quiet", "docs/gone.md")
	m.do(errors.Join(os.Remove(m.path("docs/guide.md")), os.Symlink("../README.md", m.path("docs/guide.md"))))
	m.commit("A rename with changes")

	m.write("src/index.ts", "import {used} from './used';\nimport type {T} from 'dep';\nimport type {L} from 'leaky';\nexport const x: [T, L] = [used, 3];\n")
	m.write("settings.yml", "port: 81\n"+secretLine("db", passwords[0])+"host: example.com\n")
	m.write("package-lock.json", `{"name":"own","lockfileVersion":3,"packages":{"node_modules/dep":{"version":"1.2.3"},"node_modules/leaky":{"version":"2.0.0"}}}`+"\n")
	m.write("docs/plain.md", "Seen: "+passwords[3]+", "+only(passwords[6])+" and "+join(token[:4], "AbCdEfGhIjKlMnOp", "QrStUvWxYz012345", "6789")+".\n")
	m.commit("The last one")

	// What git does not have.
	m.write("node_modules/dep/package.json", `{"name":"dep","version":"1.2.3","types":"index.d.ts"}`+"\n")
	m.write("node_modules/dep/index.d.ts", "export type T = number;\n")
	m.write("node_modules/leaky/package.json", `{"name":"leaky","version":"2.0.0","types":"index.d.ts"}`+"\n")
	m.write("node_modules/leaky/index.d.ts", "export type L = number;\nexport const db"+"Password = '"+only(passwords[7])+"';\n")
	m.write("docs/late.md", "Only a dependency says what "+only(passwords[7])+" is.\n")
	m.write("ignored/plain.ts", "export const ignored = true;\n")
	m.write("ignored/held.ts", "export const db"+"Password = '"+only(passwords[6])+"';\n")
	m.write("ignored/secret.ts", "export const db"+"Password = '"+only(passwords[3])+"';\n")
	m.write("src/run.log", "log\n")
	m.write(".env", "PASS"+"WORD="+passwords[0]+"\n")
	m.write("untracked.txt", "untracked\n")
	return m.err
}
