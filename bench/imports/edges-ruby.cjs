// Prints, of all Ruby files below a folder, which loads another by a literal, or names a constant that it defines: "from TAB to",
// from the syntax trees of @ruby/prism (npm), which NODE_PATH has to lead to. A constant's file is the one that is named after it
// below lib, app/* or concerns, else the only one that sets it, or puts more than classes and modules into it.
const fs = require('fs'), path = require('path');
const root = fs.realpathSync(process.argv[2]);
const files = [];
(function walk(dir) {
  for (const e of fs.readdirSync(path.join(root, dir), { withFileTypes: true })) {
    if (e.isDirectory() && e.name !== '.git' && e.name !== 'node_modules') walk(path.join(dir, e.name));
    else if (e.isFile() && /(\.(rb|rake|gemspec|ru)|^(Rakefile|Gemfile|Vagrantfile|Brewfile))$/i.test(e.name)) files.push(path.join(dir, e.name));
  }
})('');
const known = new Set(files);
const isTest = f => /(^|\/)(tests?|specs?|testing|fixtures|e2e|testdata)\//.test(f) || /(^|[_\/-])(test|spec)s?\.rb$|(^|\/)test_[^\/]*$/.test(f);
const nameOf = n => n && (n.constructor.name === 'ConstantReadNode' ? n.name : n.constructor.name === 'ConstantPathNode' ? (n.parent ? (nameOf(n.parent) && nameOf(n.parent) + '::' + n.name) : '::' + n.name) : null);
const flat = s => s.toLowerCase().replace(/_/g, '');
const zeitwerk = (file, full) => {
  const want = flat(full.replace(/::/g, '/')), parts = file.replace(/\.rb$/, '').split('/'), n = full.split('::').length;
  if (flat(parts.slice(-n).join('/')) !== want) return false;
  const r = parts.slice(0, -n), last = r[r.length - 1];
  return !r.length || last === 'lib' || last === 'src' || last === 'concerns' || r[r.length - 2] === 'app';
};
(async () => {
  const { loadPrism } = await import(require.resolve('@ruby/prism'));
  const parse = await loadPrism();
  const defs = new Map(), supers = new Map(), uses = [], edges = new Set();
  const define = (full, file, filled) => { if (!defs.has(full)) defs.set(full, new Map()); const m = defs.get(full); m.set(file, m.get(file) || filled); };
  const literal = n => (n && n.constructor.name === 'StringNode' ? n.unescaped.value : null);
  const loads = [];
  for (const file of files) {
    let result;
    try { result = parse(fs.readFileSync(path.join(root, file), 'utf8')); } catch { continue; }
    if (result.errors.length) continue;
    const visit = (n, nesting) => {
      if (!n) return;
      const kind = n.constructor.name;
      if (kind === 'ModuleNode' || kind === 'ClassNode') {
        const written = nameOf(n.constantPath);
        if (written) {
          const full = written.startsWith('::') ? written.slice(2) : (nesting.length ? nesting[0] + '::' : '') + written;
          const body = n.body ? (n.body.constructor.name === 'StatementsNode' ? n.body.body : [n.body]) : [];
          define(full, file, !!n.superclass || body.some(s => !['ModuleNode', 'ClassNode'].includes(s.constructor.name)));
          if (n.superclass) { visit(n.superclass, nesting); const s = nameOf(n.superclass); if (s) { supers.set(full, (supers.get(full) || []).concat([[s, nesting]])); } }
          if (n.body) visit(n.body, [full, ...nesting]);
          return;
        }
      }
      if (kind === 'ConstantWriteNode') define((nesting.length ? nesting[0] + '::' : '') + n.name, file, true);
      if (kind === 'ConstantPathNode' || kind === 'ConstantReadNode') {
        const name = nameOf(n);
        if (name) { uses.push([file, name, nesting]); return; }
      }
      if (kind === 'CallNode' && (!n.receiver) && n.arguments_) {
        const args = n.arguments_.arguments_;
        if (['require', 'require_relative', 'load'].includes(n.name) && literal(args[0])) loads.push([file, n.name, literal(args[0])]);
        if (n.name === 'autoload' && literal(args[1])) loads.push([file, 'require', literal(args[1])]);
        if (['include', 'extend', 'prepend'].includes(n.name) && nesting.length) for (const a of args) { const s = nameOf(a); if (s) supers.set(nesting[0], (supers.get(nesting[0]) || []).concat([[s, nesting]])); }
      }
      for (const v of Object.values(n)) for (const c of Array.isArray(v) ? v : [v]) if (c && typeof c.compactChildNodes === 'function') visit(c, nesting); // exceptions too
    };
    visit(result.value, []);
  }
  const find = (name, nesting, depth) => {
    let parts = name.split('::'), full = null;
    if (parts[0] === '') { parts = parts.slice(1); if (defs.has(parts[0])) full = parts[0]; }
    else {
      for (const n of nesting) if (defs.has(n + '::' + parts[0])) { full = n + '::' + parts[0]; break; }
      if (!full && nesting.length && depth < 8) full = inherited(nesting[0], parts[0], depth + 1);
      if (!full && defs.has(parts[0])) full = parts[0];
    }
    if (!full) return null;
    for (const p of parts.slice(1)) { if (!defs.has(full + '::' + p)) break; full += '::' + p; }
    return full;
  };
  const inherited = (full, name, depth) => {
    for (const [s, nesting] of supers.get(full) || []) {
      const at = find(s, nesting, depth + 1);
      if (!at || at === full) continue;
      if (defs.has(at + '::' + name)) return at + '::' + name;
      const up = depth < 8 ? inherited(at, name, depth + 1) : null;
      if (up) return up;
    }
    return null;
  };
  const common = (a, b) => { let n = 0; for (let i = 0; i < Math.min(a.length, b.length) && a[i] === b[i]; i++) if (a[i] === '/') n++; return n; };
  const nearest = (file, list) => {
    let best = [], most = -1;
    for (const f of list) { const d = !isTest(file) && isTest(f) ? -0.5 : common(file, f); if (d > most) { best = []; most = d; } if (d === most) best.push(f); }
    return best.length === 1 ? best[0] : null;
  };
  for (const [file, name, nesting] of uses) {
    const full = find(name, nesting, 0);
    if (!full) continue;
    const m = defs.get(full);
    if (m.has(file)) continue;
    const z = [...m.keys()].filter(f => zeitwerk(f, full)), filled = [...m].filter(([f, x]) => x && (isTest(file) || !isTest(f))).map(([f]) => f);
    let to = null;
    if (z.length) to = nearest(file, z);
    else if (filled.length === 1) to = filled[0];
    else if (!filled.length && m.size === 1 && (isTest(file) || !isTest([...m.keys()][0]))) to = [...m.keys()][0];
    if (to) edges.add(file + '\t' + to);
  }
  const gems = files.filter(f => f.endsWith('.gemspec')).map(f => path.dirname(f));
  for (const [file, how, name] of loads) {
    const rb = name.endsWith('.rb') || how === 'load' ? name : name + '.rb';
    let to = null;
    if (how === 'require_relative') to = path.normalize(path.join(path.dirname(file), rb));
    else {
      const up = [];
      for (let d = path.dirname(file); ; d = path.dirname(d)) { up.push(d); if (d === '.') break; }
      if (name.startsWith('.') || how === 'load') for (const d of up.slice(1)) { const c = path.normalize(path.join(d, rb)); if (known.has(c)) { to = c; break; } }
      if (!to && !name.startsWith('.')) for (const d of up) {
        for (const lib of ['lib', 'test', 'spec']) { const c = path.normalize(path.join(d, lib, rb)); if (!to && known.has(c) && (lib === 'lib' || file.startsWith(path.join(d, lib) + '/'))) to = c; }
        if (to) break;
      }
      if (!to && !name.startsWith('.')) { const c = [...new Set(gems)].map(g => path.normalize(path.join(g, 'lib', rb))).filter(f => known.has(f)); if (c.length === 1) to = c[0]; }
    }
    if (to && known.has(to) && to !== file) edges.add(file + '\t' + to);
  }
  for (const e of [...edges].sort()) console.log(e);
})();
