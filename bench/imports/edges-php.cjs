// Prints, of all PHP files below a folder, which names what another declares, or loads it by literals: "from TAB to", from the
// syntax trees of php-parser (npm), which NODE_PATH has to lead to. Names that several files declare are left out.
const fs = require('fs'), path = require('path');
const { Engine } = require('php-parser');
const root = fs.realpathSync(process.argv[2]);
const files = [];
(function walk(dir) {
  for (const e of fs.readdirSync(path.join(root, dir), { withFileTypes: true })) {
    if (e.isDirectory() && e.name !== '.git' && e.name !== 'node_modules') walk(path.join(dir, e.name));
    else if (e.isFile() && /\.(php|phtml)$/i.test(e.name)) files.push(path.join(dir, e.name));
  }
})('');
const parsed = [], declared = new Map();
const declare = (name, file) => { const k = name.toLowerCase(); if (!declared.has(k)) declared.set(k, new Set()); declared.get(k).add(file); };
for (const file of files) {
  const engine = new Engine({ parser: { extractDoc: false, suppressErrors: true, version: '8.4' }, ast: { withPositions: false } });
  let ast;
  try { ast = engine.parseCode(fs.readFileSync(path.join(root, file), 'utf8'), file); } catch { continue; }
  if (ast.errors && ast.errors.length) continue;
  parsed.push([file, ast]);
}
const idOf = n => (typeof n === 'string' ? n : n && n.name);
function each(node, space, type, visit) {
  if (Array.isArray(node)) { for (const n of node) each(n, space, type, visit); return; }
  if (!node || typeof node !== 'object' || !node.kind) return;
  if (node.kind === 'namespace') space = { name: (idOf(node.name) || '').replace(/^\\/, ''), uses: new Map() };
  visit(node, space, type);
  const inner = ['class', 'interface', 'trait', 'enum'].includes(node.kind) ? node : type;
  for (const key of Object.keys(node)) if (key !== 'loc' && key !== 'kind') each(node[key], space, inner, visit);
}
const join = (a, b) => (a ? a + '\\' + b : b);
for (const [file, ast] of parsed) {
  each(ast, { name: '', uses: new Map() }, null, (n, space, type) => {
    if (['class', 'interface', 'trait', 'enum'].includes(n.kind) && n.name) declare(join(space.name, idOf(n.name)), file);
    if (n.kind === 'function' && !type) declare(join(space.name, idOf(n.name)) + '()', file);
  });
}
const edges = new Set();
for (const [file, ast] of parsed) {
  const lead = full => {
    const d = declared.get(full.toLowerCase());
    if (!d) return false;
    if (d.size === 1 && !d.has(file)) edges.add(file + '\t' + [...d][0]);
    return true;
  };
  const resolve = (name, space, fn) => {
    const end = fn ? '()' : '';
    if (name.startsWith('\\')) return lead(name.slice(1) + end);
    const parts = name.split('\\');
    if (parts[0].toLowerCase() === 'namespace' && parts.length > 1) return lead(join(space.name, parts.slice(1).join('\\')) + end);
    const used = space.uses.get(parts[0].toLowerCase() + (fn && parts.length === 1 ? '()' : ''));
    if (used) return lead(used + (parts.length > 1 ? '\\' + parts.slice(1).join('\\') : '') + end);
    return lead(join(space.name, name) + end) || (fn && parts.length === 1 && lead(name + end));
  };
  const value = n => {
    if (!n) return null;
    if (n.kind === 'string') return n.value;
    if (n.kind === 'magic' && n.raw && n.raw.toUpperCase() === '__DIR__') return '/' + path.dirname(file);
    if (n.kind === 'magic' && n.raw && n.raw.toUpperCase() === '__FILE__') return '/' + file;
    if (n.kind === 'bin' && n.type === '.') { const a = value(n.left), b = value(n.right); return a === null || b === null ? null : a + b; }
    if (n.kind === 'call' && idOf(n.what) === 'dirname') {
      let a = value(n.arguments[0]);
      if (a === null) return null;
      for (let i = n.arguments[1] ? Number(n.arguments[1].value) : 1; i > 0; i--) a = path.dirname(a);
      return a;
    }
    return null;
  };
  each(ast, { name: '', uses: new Map() }, null, (n, space) => {
    if (n.kind === 'usegroup') {
      for (const item of n.items) {
        const kind = item.type || n.type;
        const name = (n.name ? n.name.replace(/^\\|\\$/g, '') + '\\' : '') + item.name.replace(/^\\/, '');
        const as = (item.alias ? idOf(item.alias) : name.split('\\').pop()).toLowerCase();
        if (kind === 'const') continue;
        space.uses.set(as + (kind === 'function' ? '()' : ''), name);
        lead(name + (kind === 'function' ? '()' : ''));
      }
      return;
    }
    if (n.kind === 'call' && n.what && n.what.kind === 'name') { n.what.seen = true; resolve((n.what.resolution === 'fqn' && !n.what.name.startsWith('\\') ? '\\' : '') + n.what.name, space, true); }
    if (n.kind === 'attribute') resolve(n.name, space, false);
    if (n.kind === 'name' && !n.seen) {
      if (n.resolution === 'fqn') resolve(n.name.startsWith('\\') ? n.name : '\\' + n.name, space, false);
      else if (n.resolution === 'rn') resolve('namespace\\' + n.name.replace(/^namespace\\/i, ''), space, false);
      else resolve(n.name, space, false);
    }
    if (n.kind === 'include') {
      const v = value(n.target);
      if (v) {
        const to = path.normalize(v.startsWith('/') ? v : path.join(path.dirname(file), v)).replace(/^\/+/, '');
        if (files.includes(to) && to !== file) edges.add(file + '\t' + to);
      }
    }
  });
}
for (const e of [...edges].sort()) console.log(e);
