// Hashes objects as docs/formats.md says ("The object store"), independently of the Go code
// and in the language whose JSON is canonical. It reads nothing and prints vectors.json:  node vectors.mjs > vectors.json
import { createHash } from 'node:crypto';
import { extname } from 'node:path';

const sha256 = (s) => createHash('sha256').update(s, 'utf8').digest('hex');
const stable = (v) => {
  if (v === null || typeof v !== 'object') return JSON.stringify(v);
  if (Array.isArray(v)) return '[' + v.map(stable).join(',') + ']';
  return '{' + Object.keys(v).filter((k) => v[k] !== undefined).sort()
    .map((k) => JSON.stringify(k) + ':' + stable(v[k])).join(',') + '}';
};
const fields = {
  file: ['file_type', 'char_count'],
  toolcall: ['tool', 'args', 'args_display', 'status', 'chat_ref', 'file_refs'],
  chat: ['turns', 'session_ref', 'turn_count', 'toolcall_refs'],
  system_prompt: [],
  session: ['session_id', 'chat_ref', 'system_prompt_ref', 'session_index', 'metadata_pool', 'active_set', 'pinned_set'],
};
const pick = (o, names) => Object.fromEntries(names.filter((n) => o[n] !== undefined).map((n) => [n, o[n]]));

const fsid = sha256('m');
const file = (path, content) => ({
  type: 'file', source: { type: 'filesystem', filesystemId: fsid, path },
  file_hash: content === null ? null : sha256(content), content,
  file_type: extname(path).slice(1).toLowerCase() || 'text', char_count: content === null ? 0 : content.length,
});
const own = (type, id, rest) => ({ 'xt/id': id, type, source: null, file_hash: null, ...rest });
const call = (id, args, rest = {}) => own('toolcall', id, { tool: 'bash', args, status: 'ok', chat_ref: 'chat:s1', content: 'done', ...rest });

const objects = {
  'text file': file('/home/u/p/src/main.ts', 'export const a = 1;\n'),
  'empty file': file('/empty', ''),
  stub: file('/a/README.md', null),
  'surrogate pairs count twice': file('/emoji.md', 'a😀é\u2028\uffff'),
  'path to be escaped': file('/a b/<&>"\\\u2028/\t\u0001😀.TXT', 'x'),
  'byte order mark': file('/bom.txt', '\ufeffhi'),
  'NUL in content': file('/nul.txt', 'a\u0000b'),
  'no args': call('toolcall:1:1:1', {}),
  'args of all kinds': call('toolcall:1:1:2', { z: null, a: true, n: [1, 2.5, -0, 1e21, 1e-7, 123456789012345680000, 5e-324], s: '<a & b>\u2028\u2029\u007f\b\f"\\/', o: { b: { d: 1, c: [] }, a: {} } }),
  'keys in UTF-16 order': call('toolcall:1:1:3', { '\uffff': 1, '😀': 2, '\ue000': 3, é: 4, e: 5, '': 6, 10: 7, 9: 8, 'a/b': 9, 'xt/id': 10 }),
  'optional fields': call('toolcall:1:1:4', { cmd: 'ls' }, { args_display: 'ls', file_refs: ['b', 'a'], status: 'fail', content: '' }),
  chat: own('chat', 'chat:s1', { turns: [{ user: 'pack', assistant: '', toolcall_ids: ['toolcall:1:1:1'] }, { user: 'é\n', assistant: 'ok', toolcall_ids: [] }], session_ref: 'session:s1', turn_count: 2, toolcall_refs: ['toolcall:1:1:1'], content: 'user: pack\n' }),
  'empty chat': own('chat', 'chat:s2', { turns: [], session_ref: 'session:s2', turn_count: 0, toolcall_refs: [], content: '' }),
  'system prompt': own('system_prompt', 'system_prompt:s1', { content: 'be good' }),
  session: own('session', 'session:s1', { session_id: 's1', chat_ref: 'chat:s1', system_prompt_ref: 'system_prompt:s1', session_index: ['b', 'a', 'c'], metadata_pool: ['b', 'c'], active_set: ['c'], pinned_set: ['b'], content: null }),
  'session with path characters': own('session', 'session:../../etc/"x"', { session_id: '../../etc/"x"', chat_ref: 'chat:../../etc/"x"', system_prompt_ref: 'system_prompt:../../etc/"x"', session_index: [], metadata_pool: [], active_set: [], pinned_set: [], content: null }),
};

const out = Object.entries(objects).map(([name, o]) => {
  const identity_hash = o.source ? sha256(stable({ type: o.type, source: o.source })) : sha256(stable({ type: o.type, 'xt/id': o['xt/id'] }));
  const content_hash = o.content === null ? null : sha256(o.content);
  const metadata_hash = sha256(stable(pick(o, fields[o.type])));
  const object_hash = sha256(stable({ file_hash: o.file_hash, content_hash, metadata_hash }));
  return { name, object: o, char_count: o.char_count, identity_hash, content_hash, metadata_hash, object_hash };
});
process.stdout.write(JSON.stringify(out, null, 1) + '\n');
