// What TypeScript makes of a tree, written with its public API.
//
//   node truth.cjs <folder of typescript> <root> < files
//
// Reads paths relative to the root, one a line. Prints a line for each
// reference: file, name, kind, resolved path ("-" when it leads nowhere), with
// tabs between, and at the end "# <files> <seconds of the processor>".
'use strict'
const path = require('path')
const fs = require('fs')
const { builtinModules } = require('module')
const ts = require(path.resolve(process.argv[2]))
const root = fs.realpathSync(process.argv[3])
const files = fs.readFileSync(0, 'utf8').split('\n').filter(Boolean)
const known = new Set(files)
const began = process.cpuUsage()

const host = {
  ...ts.sys,
  getCurrentDirectory: () => root,
  useCaseSensitiveFileNames: () => true,
  // A folder whose name ends like a file's is none.
  fileExists: ts.sys.fileExists,
  readDirectory: () => [],
  directoryExists: ts.sys.directoryExists,
  realpath: ts.sys.realpath,
}
const defaults = {
  allowJs: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  moduleResolution: ts.ModuleResolutionKind.Node16,
}

const configs = new Map()
function read(file) {
  if (configs.has(file)) return configs.get(file)
  let options = {}
  if (file) {
    const { config } = ts.readConfigFile(file, ts.sys.readFile)
    options = ts.parseJsonConfigFileContent(config || {}, host, path.dirname(file), undefined, file).options
  }
  const merged = { ...defaults, ...options, resolveJsonModule: true }
  if (merged.module === undefined) {
    merged.module = merged.moduleResolution >= ts.ModuleResolutionKind.Node16 && merged.moduleResolution <= ts.ModuleResolutionKind.NodeNext
      ? ts.ModuleKind.Node16 : ts.ModuleKind.ESNext
  }
  const c = { options: merged, cache: ts.createModuleResolutionCache(root, (f) => f, merged) }
  configs.set(file, c)
  return c
}
function configOf(file) {
  let dir = path.dirname(path.join(root, file))
  for (;;) {
    for (const name of ['tsconfig.json', 'jsconfig.json']) {
      const at = path.join(dir, name)
      if (ts.sys.fileExists(at)) return read(at)
    }
    if (dir === root) return read('')
    dir = path.dirname(dir)
  }
}

const builtins = new Set([...builtinModules.map((m) => m.replace(/^node:/, ''))])
const prefixed = new Set(['quic', 'sea', 'sqlite', 'test', 'test/reporters'])
function builtin(name) {
  const bare = name.replace(/^node:/, '')
  if (builtins.has(bare) && !prefixed.has(bare)) return 'node:' + bare
  if (name.startsWith('node:') && prefixed.has(bare)) return name
}

function relative(abs) {
  let rel = path.relative(root, abs)
  if (known.has(rel)) return rel
  return path.relative(root, fs.realpathSync(abs))
}

function resolve(name, file, c, mode) {
  const b = builtin(name)
  if (b) return b
  const at = path.join(root, file)
  let r = ts.resolveModuleName(name, at, c.options, host, c.cache, undefined, mode).resolvedModule
  if (!r && mode !== undefined) r = ts.resolveModuleName(name, at, c.options, host, c.cache).resolvedModule
  return r && !path.relative(root, r.resolvedFileName).startsWith('..') ? relative(r.resolvedFileName) : '-'
}

const isFunctionLike = ts.isFunctionLike || ((n) => n.kind >= ts.SyntaxKind.MethodSignature && n.kind <= ts.SyntaxKind.ArrowFunction)
const out = []
let count = 0
for (const file of files) {
  const text = ts.sys.readFile(path.join(root, file))
  const c = configOf(file)
  const js = /\.[cm]?jsx?$/i.test(file)
  const implied = ts.getImpliedNodeFormatForFileWorker(path.join(root, file), c.cache.getPackageJsonInfoCache(), host, c.options)
  const format = implied && typeof implied === 'object' ? implied : { impliedNodeFormat: implied }
  const sf = ts.createSourceFile(path.join(root, file), text, { languageVersion: ts.ScriptTarget.ES2022, jsDocParsingMode: ts.JSDocParsingMode.ParseAll, ...format }, true)
  count++
  const rows = new Set()
  const row = (name, kind, resolved) => rows.add([file, JSON.stringify(name), kind, resolved].join('\t'))
  const add = (literal, kind) => row(literal.text, kind, resolve(literal.text, file, c, ts.getModeForUsageLocation(sf, literal, c.options)))
  const all = (list, test) => list.length > 0 && list.every(test)
  const importKind = (d) => {
    const clause = d.importClause
    if (!clause) return 'runtime'
    if (clause.isTypeOnly) return 'type'
    const named = clause.namedBindings
    return !clause.name && named && ts.isNamedImports(named) && all(named.elements, (e) => e.isTypeOnly) ? 'type' : 'runtime'
  }
  const exportKind = (d) => {
    if (d.isTypeOnly) return 'type'
    const clause = d.exportClause
    return clause && ts.isNamedExports(clause) && all(clause.elements, (e) => e.isTypeOnly) ? 'type' : 'runtime'
  }
  const statement = (s, ambient) => {
    const ok = (name) => !ambient || !ts.isExternalModuleNameRelative(name)
    if (ts.isImportDeclaration(s) && ts.isStringLiteral(s.moduleSpecifier)) {
      if (ok(s.moduleSpecifier.text)) add(s.moduleSpecifier, importKind(s))
    } else if (ts.isExportDeclaration(s) && s.moduleSpecifier && ts.isStringLiteral(s.moduleSpecifier)) {
      if (ok(s.moduleSpecifier.text)) add(s.moduleSpecifier, exportKind(s))
    } else if (ts.isImportEqualsDeclaration(s) && ts.isExternalModuleReference(s.moduleReference)) {
      const e = s.moduleReference.expression
      if (e && ts.isStringLiteralLike(e) && ok(e.text)) add(e, s.isTypeOnly ? 'type' : 'runtime')
    } else if (!ambient && ts.isModuleDeclaration(s) && ts.isStringLiteral(s.name) && ts.isExternalModule(sf)) {
      const to = resolve(s.name.text, file, c, ts.getModeForUsageLocation(sf, s.name, c.options))
      if (to !== '-') row(s.name.text, 'type', to)
    } else if (!ambient && ts.isModuleDeclaration(s) && ts.isStringLiteral(s.name) && !ts.isExternalModule(sf)) {
      if (s.body && ts.isModuleBlock(s.body)) s.body.statements.forEach((t) => statement(t, true))
    }
  }
  sf.statements.forEach((s) => statement(s, false))
  for (const r of sf.typeReferenceDirectives) {
    const t = ts.resolveTypeReferenceDirective(r.fileName, path.join(root, file), c.options, host).resolvedTypeReferenceDirective
    row(r.fileName, 'type', t && t.resolvedFileName && !path.relative(root, t.resolvedFileName).startsWith('..') ? relative(t.resolvedFileName) : '-')
  }
  for (const r of sf.referencedFiles) {
    const at = path.join(path.dirname(path.join(root, file)), r.fileName)
    const found = ['', '.ts', '.tsx', '.d.ts'].map((e) => at + e).find((f) => ts.sys.fileExists(f))
    row(r.fileName, 'type', found && !path.relative(root, found).startsWith('..') ? relative(found) : '-')
  }
  const walk = (n, deferred) => {
    if (ts.isCallExpression(n) && n.arguments.length > 0 && ts.isStringLiteralLike(n.arguments[0])) {
      if (n.expression.kind === ts.SyntaxKind.ImportKeyword ||
        (ts.isMetaProperty(n.expression) && n.expression.keywordToken === ts.SyntaxKind.ImportKeyword && n.expression.name.text === 'defer')) {
        add(n.arguments[0], 'dynamic')
      } else if (ts.isIdentifier(n.expression) && n.expression.text === 'require') {
        add(n.arguments[0], deferred ? 'dynamic' : 'runtime')
      }
    }
    if (ts.isImportTypeNode(n) && ts.isLiteralTypeNode(n.argument) && ts.isStringLiteralLike(n.argument.literal)) {
      add(n.argument.literal, 'type')
    }
    if (ts.isJSDocImportTag && ts.isJSDocImportTag(n) && ts.isStringLiteral(n.moduleSpecifier)) {
      add(n.moduleSpecifier, 'type')
    }
    const inside = deferred || isFunctionLike(n)
    if (js) for (const d of n.jsDoc || []) walk(d, inside)
    ts.forEachChild(n, (m) => walk(m, inside))
  }
  walk(sf, false)
  out.push(...rows)
}
const used = process.cpuUsage(began)
process.stdout.write(out.join('\n') + '\n# ' + count + ' ' + (used.user + used.system) / 1e6 + '\n')
