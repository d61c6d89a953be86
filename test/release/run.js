// `npm run release`: checks, builds, packs and publishes all packages, or writes the version of the next release. Stops at the
// first failure. Its exit status is 0, 1 for a failure, 2 for words that it cannot read.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkRelease } from "./checks.js";
import { HELP, readOptions } from "./options.js";
import { buildAnew, packAll } from "./pack.js";
import { hasProvenance, missingOf, publishedIntegrities, publishOne } from "./publish.js";
import { setVersion } from "./set-version.js";
import { inDependencyOrder, readPackages } from "./workspace.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

process.exitCode = await main(process.argv.slice(2));

function main(words) {
  const asked = readOptions(words);
  switch (asked.kind) {
    case "help":
      console.log(HELP);
      return 0;
    case "refused":
      console.error(`release: ${asked.reason}\n\n${HELP}`);
      return 2;
    case "set-version":
      return attempt(() => {
        setVersion(ROOT, asked.version, new Date().toISOString().slice(0, 10));
        console.log(`release: version ${asked.version} is written; look at "git diff", and commit it`);
      });
    case "publish":
      return attempt(() => release(asked));
  }
}

async function attempt(work) {
  try {
    await work();
    return 0;
  } catch (error) {
    console.error(`release: ${error.message}`);
    return 1;
  }
}

async function release({ registry, isDry }) {
  const problems = checkRelease(ROOT);
  if (problems.length > 0) throw new Error(`nothing was published:\n${problems.map((one) => `  ${one}`).join("\n")}`);
  // Asked first, so that an address without a registry is found before the long work.
  const published = await publishedIntegrities({
    packages: inDependencyOrder(readPackages(ROOT)),
    registry,
    cwd: ROOT,
  });
  buildAnew(ROOT);
  const folder = mkdtempSync(join(tmpdir(), "postrider-release-"));
  try {
    publishMissing({ tarballs: packAll(ROOT, folder), published, registry, isDry });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function publishMissing({ tarballs, published, registry, isDry }) {
  const missing = missingOf(tarballs, published);
  if (!hasProvenance(process.env, registry)) {
    console.log("release: without provenance, which needs https and the token of a CI service");
  }
  for (const tarball of tarballs) {
    const isMissing = missing.includes(tarball);
    if (isMissing && !isDry) publishOne({ tarball, registry, cwd: ROOT });
    const done = isDry ? "would be published" : "published";
    const state = isMissing ? done : "there already, with the same bytes";
    console.log(`release: ${tarball.name}@${tarball.version} ${state} (${Math.ceil(tarball.bytes / 1024)} KiB)`);
  }
}
