// The official client lists the server's tools, calls each, and checks every answer against its schema.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import Ajv from 'ajv/dist/2020.js'

const [program, folder] = process.argv.slice(2)
const client = new Client({ name: 'peer', version: '1' })
await client.connect(new StdioClientTransport({ command: program, args: ['serve'], cwd: folder }))
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
const told = { tools: tools.map((t) => t.name).sort(), answers: [], progress: [], faults: [] }
for (const t of tools) {
  if (!t.outputSchema || !t.annotations) told.faults.push(`${t.name} has no schema, or no annotations`)
}
for (const [name, args] of calls) {
  const got = await client.callTool({ name, arguments: args }, undefined, { onprogress: (p) => told.progress.push(p.message) })
  if (!got.isError) {
    const check = new Ajv({ strict: false }).compile(tools.find((t) => t.name === name).outputSchema)
    if (!check(got.structuredContent)) told.faults.push(`${name}: ${JSON.stringify(check.errors)}`)
  }
  told.answers.push({ name, error: got.isError === true, complete: got.structuredContent?.complete ?? null, rows: got.structuredContent?.rows.length ?? 0, text: got.content[0].text })
}
const abort = new AbortController()
const late = client.callTool({ name: 'context', arguments: { task: 'count coins' } }, undefined, { signal: abort.signal })
abort.abort('no longer wanted')
try {
  await late
  told.faults.push('a cancelled call was answered')
} catch {}
told.after = (await client.callTool({ name: 'find', arguments: { query: 'openTill' } })).structuredContent.rows.length
await client.close()
console.log(JSON.stringify(told))
