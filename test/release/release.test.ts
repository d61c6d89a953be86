// A release of a copy of this tree to a registry on the loopback: what stops it, that it can be run again, and what a stranger
// gets who installs `postrider` by its name and runs the first program of the README.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verifySignature } from "@postrider/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blocksIn } from "../house/markdown.js";
import { PACKAGES } from "../house/packages.js";
import { run } from "../house/stranger.js";
import { startRegistry, type Registry } from "../programs/registry/registry.js";
import { copyTree, type CopiedTree } from "./copied-tree.js";

const SECRET = "a-secret-of-the-test";
/** Each builds all packages and starts npm up to eighteen times. */
const RELEASE_WATCHDOG_MS = 900_000;
const NAMES = PACKAGES.map(({ manifest }) => manifest.name);

let registry: Registry;
let tree: CopiedTree;

beforeAll(async () => {
  registry = await startRegistry();
  tree = copyTree();
});

afterAll(async () => {
  tree.remove();
  await registry.stop();
});

const publish = (...words: readonly string[]) => tree.release(["--registry", registry.url, ...words], registry.npmrc);

/** The versions of a package that the registry has. */
async function versionsOf(name: string): Promise<readonly string[]> {
  const answer = await fetch(`${registry.url}${name.replace("/", "%2f")}`);
  if (!answer.ok) return [];
  return Object.keys(((await answer.json()) as { versions: object }).versions);
}

// The steps of one release, in their order: each goes on from what the one before it has left.
describe("a release", { timeout: RELEASE_WATCHDOG_MS }, () => {
  it("is refused with a reason each for an uncommitted file, a foreign version and a missing text", async () => {
    tree.append("packages/core/README.md", "\nnot committed\n");
    const manifest = join(tree.root, "packages/undici/package.json");
    writeFileSync(
      manifest,
      readFileSync(manifest, "utf8").replace('"@postrider/core": "0.1.0"', '"@postrider/core": "0.0.9"'),
    );
    const answer = await publish();
    expect(answer).toMatchObject({ code: 1, stdout: "" });
    expect(answer.stderr).toContain("2 files are not committed: packages/core/README.md, packages/undici/package.json");
    expect(answer.stderr).toContain("@postrider/undici asks for @postrider/core at 0.0.9, not at 0.1.0");
    expect(answer.stderr).toContain("docs/changelog.md has a heading that ends with (unreleased)");
    expect(answer.stderr).toContain('docs/changelog.md has no text under "## 0.1.0"');
    writeFileSync(manifest, readFileSync(manifest, "utf8").replace("0.0.9", "0.1.0"));
    tree.commit();
  });

  it("has its version written everywhere by --set-version, and its documents kept", async () => {
    tree.append("docs/openapi.json", "\n");
    expect(await tree.release(["--set-version", "0.2.0"])).toMatchObject({ code: 0, stderr: "" });
    const kept = readFileSync(join(tree.root, "test/kept/openapi.json"), "utf8");
    expect(kept).toBe(readFileSync(join(tree.root, "docs/openapi.json"), "utf8"));
    expect(kept).toMatch(/\n\n$/);
    const answer = await publish();
    expect(answer.stderr).toMatch(/^release: nothing was published:\n {2}\d+ files are not committed: .*\n$/);
    tree.commit();
    const again = await tree.release(["--set-version", "0.2.0"]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('a heading "## 0.2.0" already') as string });
  });

  it("is refused for a package under GPL", async () => {
    const folder = join(tree.root, "node_modules/viral");
    mkdirSync(folder);
    writeFileSync(
      join(folder, "package.json"),
      JSON.stringify({ name: "viral", version: "1.0.0", license: "GPL-3.0" }),
    );
    const manifest = join(tree.root, "packages/core/package.json");
    const before = readFileSync(manifest, "utf8");
    writeFileSync(manifest, before.replace('"files":', '"optionalDependencies": { "viral": "1.0.0" },\n  "files":'));
    tree.commit();
    expect((await publish()).stderr).toContain("viral@1.0.0, needed by @postrider/core, is under GPL-3.0");
    writeFileSync(manifest, before);
    tree.commit();
  });

  it("publishes nothing in a dry run", async () => {
    const answer = await publish("--dry-run");
    expect(answer, answer.stderr).toMatchObject({ code: 0 });
    expect(answer.stdout.match(/@0\.2\.0 would be published/g)).toHaveLength(PACKAGES.length);
    expect(await versionsOf("@postrider/core")).toEqual([]);
  });

  it("stops at the first failure", async () => {
    // Without the token, npm refuses to publish.
    const refused = await tree.release(["--registry", registry.url]);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain("@postrider/core@0.2.0 was not published");
    expect(refused.stdout).not.toContain("published (");
  });

  it("publishes every package", async () => {
    const done = await publish();
    expect(done, done.stderr).toMatchObject({ code: 0 });
    expect(done.stdout.match(/@0\.2\.0 published/g)).toHaveLength(PACKAGES.length);
    for (const name of NAMES) expect(await versionsOf(name), name).toEqual(["0.2.0"]);
  });

  it("leaves out what is there with the same bytes, and publishes the rest", async () => {
    const words = ["unpublish", "postrider@0.2.0", "--force", `--registry=${registry.url}`];
    const env = { ...process.env, NPM_CONFIG_USERCONFIG: registry.npmrc };
    expect(await run("npm", words, { cwd: tree.root, env })).toMatchObject({ code: 0 });
    const again = await publish();
    expect(again.stdout.match(/there already, with the same bytes/g)).toHaveLength(PACKAGES.length - 1);
    expect(again.stdout).toContain("release: postrider@0.2.0 published");
  });

  it("is refused where the registry has other bytes under the version, before anything is published", async () => {
    tree.append("packages/core/README.md", "\nchanged after the release\n");
    tree.commit();
    const answer = await publish();
    expect(answer).toMatchObject({ code: 1 });
    expect(answer.stderr).toContain(
      "the registry has other bytes under @postrider/core@0.2.0: a release needs a new version",
    );
  });

  it("is refused where no registry answers", async () => {
    const answer = await tree.release(["--registry", "http://127.0.0.1:1/"], registry.npmrc);
    expect(answer).toMatchObject({ code: 1 });
    expect(answer.stderr).toContain("the registry was asked for @postrider/core and gave no answer");
  });

  it("gives a stranger, who installs postrider by its name, a first signed delivery", async () => {
    const folder = mkdtempSync(join(tmpdir(), "postrider-by-name-"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
    const words = [
      "install",
      "postrider",
      `--registry=${registry.url}`,
      `--cache=${join(folder, "cache")}`,
      "--no-audit",
    ];
    const installed = await run("npm", words, { cwd: folder });
    expect(installed, installed.stderr).toMatchObject({ code: 0 });
    const received = await firstDelivery(folder);
    expect(verifySignature(SECRET, received.body, received.signature)).toBe(true);
    expect(JSON.parse(received.body)).toMatchObject({ type: "track", userId: "u1", event: "Signed Up" });
    rmSync(folder, { recursive: true, maxRetries: 5 });
  });
});

interface Received {
  readonly body: string;
  readonly signature: string;
}

/** Runs the first program of the README, with a receiver on this machine and a secret, until it has delivered. */
async function firstDelivery(folder: string): Promise<Received> {
  const received: Received[] = [];
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ body: Buffer.concat(chunks).toString(), signature: String(request.headers["x-signature"]) });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const address = receiver.address();
  if (address === null || typeof address === "string") throw new Error("the receiver has no port");
  writeFileSync(join(folder, "program.js"), programFor(`http://127.0.0.1:${String(address.port)}/hook`));
  const ran = await run("node", ["program.js"], { cwd: folder, endsAfter: () => received.length > 0 });
  receiver.close();
  expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: "accepted\n" });
  expect(received).toHaveLength(1);
  return received[0]!;
}

function programFor(url: string): string {
  const block = blocksIn("ts").find(({ place }) => place.startsWith("README.md:"));
  return block!.text
    .replace("https://example.com/hook", url)
    .replace("env:CRM_SECRET", SECRET)
    .replace("createPostrider({", '$&\n  network: { allow: ["127.0.0.0/8"] },');
}
