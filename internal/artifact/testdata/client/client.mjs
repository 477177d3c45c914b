// Speaks to the service that the environment names with the published client.
// client.mjs up NAME ROOT FILE… | raw NAME ROOT FILE | list | down NAME DIR | delete NAME
import { DefaultArtifactClient } from "@actions/artifact";
const client = new DefaultArtifactClient();
const [verb, name, root, ...files] = process.argv.slice(2);
let got;
switch (verb) {
  case "up":
    got = await client.uploadArtifact(name, files, root, { retentionDays: 5, compressionLevel: 0 });
    break;
  case "raw":
    got = await client.uploadArtifact(name, files, root, { skipArchive: true });
    break;
  case "down": {
    const { artifact } = await client.getArtifact(name);
    got = { artifact, ...(await client.downloadArtifact(artifact.id, { path: root, expectedHash: artifact.digest })) };
    break;
  }
  case "list":
    got = await client.listArtifacts();
    break;
  case "delete":
    got = await client.deleteArtifact(name);
    break;
}
console.log("RESULT " + JSON.stringify(got));
