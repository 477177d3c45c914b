// Hands one file over. act's server knows an earlier protocol than the official client writes, so that its three requests are made
// here. Each run of act has a server of its own, where nothing is to be replaced.
import path from 'node:path'
import archiver from 'archiver'

const { INPUT_NAME: name, INPUT_PATH: file, GITHUB_WORKSPACE: workspace, ACTIONS_RESULTS_URL: results, ACTIONS_RUNTIME_TOKEN: token } = process.env

async function must(response) {
  if (!response.ok) throw new Error(`${response.status} ${response.url}: ${await response.text()}`)
  return response
}

const scopes = JSON.parse(Buffer.from(token.split('.')[1], 'base64url')).scp.split(' ')
const [, run, job] = scopes.find(s => s.startsWith('Actions.Results:')).split(':')
async function call(method, fields) {
  const response = await must(await fetch(`${new URL(results).origin}/twirp/github.actions.results.api.v1.ArtifactService/${method}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ workflow_run_backend_id: run, workflow_job_run_backend_id: job, name, ...fields }),
  }))
  return response.json()
}

const zip = archiver('zip')
zip.file(path.resolve(workspace, file), { name: path.basename(file) })
zip.finalize()
const chunks = []
for await (const chunk of zip) chunks.push(chunk)
const content = Buffer.concat(chunks)

const made = await call('CreateArtifact', { version: 4 })
const address = made.signedUploadUrl ?? made.signed_upload_url
await must(await fetch(`${address}&comp=block`, { method: 'PUT', body: content }))
await must(await fetch(`${address}&comp=blocklist`, { method: 'PUT', body: '' }))
await call('FinalizeArtifact', { size: String(content.length) })
console.log(`artifact ${name}: ${content.length} bytes handed over`)
