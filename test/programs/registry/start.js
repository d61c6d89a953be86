// Starts a registry on the loopback with all packages of this working tree published to it, prints its address, and runs until
// it gets a signal. `--port N` chooses the port.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { buildAnew, packAll } from "../../release/pack.js";
import { publishOne } from "../../release/publish.js";
import { startRegistry } from "./registry.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

const { values } = parseArgs({ options: { port: { type: "string" } } });
const port = values.port === undefined ? undefined : Number(values.port);
if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536)) {
  console.error("start: --port: expected a whole number from 1 to 65535");
  process.exitCode = 2;
} else await main(port);

async function main(chosen) {
  // What earlier builds have left would be published, too.
  buildAnew(ROOT);
  const registry = await startRegistry(chosen === undefined ? {} : { port: chosen });
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void registry.stop());
  try {
    publishAll(registry);
    console.log(registry.url);
  } catch (error) {
    console.error(`start: ${error.message}`);
    process.exitCode = 1;
    await registry.stop();
  }
  await registry.ended;
}

function publishAll({ url, npmrc }) {
  const folder = mkdtempSync(join(tmpdir(), "postrider-published-"));
  process.env.NPM_CONFIG_USERCONFIG = npmrc;
  try {
    for (const tarball of packAll(ROOT, folder)) publishOne({ tarball, registry: url, cwd: ROOT });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
