// Reads artifacts back with the official client and fails where the client only warns.
import path from 'node:path'
import { DefaultArtifactClient } from '@actions/artifact'

const { INPUT_NAME: named, INPUT_PATTERN: pattern, INPUT_PATH: folder, GITHUB_WORKSPACE: workspace } = process.env
const client = new DefaultArtifactClient()

async function read(name, folder) {
  const { artifact } = await client.getArtifact(name)
  const result = await client.downloadArtifact(artifact.id, {
    path: path.resolve(workspace, folder),
    expectedHash: artifact.digest,
  })
  if (result.digestMismatch) {
    throw new Error(`artifact ${name}: the digest is not ${artifact.digest}`)
  }
  console.log(`artifact ${name}: id ${artifact.id}, ${artifact.size} bytes, read by the official client into ${folder}`)
}

if (named) {
  await read(named, folder)
} else {
  const { artifacts } = await client.listArtifacts()
  for (const { name } of artifacts.filter(a => a.name.startsWith(pattern.replace(/\*$/, '')))) {
    await read(name, path.join(folder, name))
  }
}
