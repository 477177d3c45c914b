// The protocol's own clients list the server's tools, call each, and check every answer against its schema:
//
//   node client.mjs 1 PROGRAM FOLDER        the SDK of version 1
//   node client.mjs 2 PROGRAM FOLDER        the client of version 2, as it comes: protocol 2025-11-25
//   node client.mjs 2 PROGRAM FOLDER PIN    the same with the protocol PIN, without a session
import Ajv from 'ajv/dist/2020.js'

const [version, program, folder, pin] = process.argv.slice(2)
const [{ Client }, { StdioClientTransport }] = version === '1'
  ? [await import('@modelcontextprotocol/sdk/client/index.js'), await import('@modelcontextprotocol/sdk/client/stdio.js')]
  : [await import('@modelcontextprotocol/client'), await import('@modelcontextprotocol/client/stdio')]
const client = new Client({ name: 'peer', version: '1' }, pin ? { versionNegotiation: { mode: { pin } } } : {})
const transport = new StdioClientTransport({ command: program, args: ['serve'], cwd: folder })
await client.connect(transport)
// Version 1 takes a schema of the result between the call and its options.
const call = (params, options) => (version === '1' ? client.callTool(params, undefined, options) : client.callTool(params, options))
const { tools } = await client.listTools()
const calls = [
  ['find', { query: 'openTill' }],
  ['find', { query: 'where are coins counted?' }],
  ['find', { query: 'noSuchThing' }],
  ['read', { path: 'shop/till.ts' }],
  ['read', { symbol: 'openTill', max_tokens: 100 }],
  ['references', { of: 'openTill' }],
  ['references', { of: 'shop/till.ts' }],
  ['impact', {}],
  ['context', { task: 'count coins twice' }],
  ['map', { depth: 1 }],
  ['thread', { thread: 'peer', action: 'read', path: 'shop/till.ts' }],
  ['more', { handle: 'none' }],
]
const told = { protocol: client.getNegotiatedProtocolVersion?.() ?? '', tools: tools.map((t) => t.name).sort(), answers: [], progress: [], faults: [] }
for (const t of tools) {
  if (!t.outputSchema || !t.annotations) told.faults.push(`${t.name} has no schema, or no annotations`)
}
for (const [name, args] of calls) {
  const got = await call({ name, arguments: args }, { onprogress: (p) => told.progress.push(p.message) })
  if (!got.isError) {
    const check = new Ajv({ strict: false }).compile(tools.find((t) => t.name === name).outputSchema)
    if (!check(got.structuredContent)) told.faults.push(`${name}: ${JSON.stringify(check.errors)}`)
  }
  told.answers.push({ name, error: got.isError === true, complete: got.structuredContent?.complete ?? null, rows: got.structuredContent?.rows.length ?? 0, text: got.content[0].text })
}
const abort = new AbortController()
const late = call({ name: 'context', arguments: { task: 'count coins' } }, { signal: abort.signal })
abort.abort('no longer wanted')
try {
  await late
  told.faults.push('a cancelled call was answered')
} catch {}
told.after = (await call({ name: 'find', arguments: { query: 'openTill' } })).structuredContent.rows.length
await client.close()
console.log(JSON.stringify(told))
