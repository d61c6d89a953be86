// Publishes tarballs, in their order, and leaves out those that the registry has already. What is there with other bytes is
// found before the first one is published.

import { atRegistry, reasonOf, runNpm } from "./npm.js";

/** How long the registry may take to answer a look-up. */
const LOOK_UP_MS = 60_000;

/**
 * What the registry has of each package already.
 *
 * @param {{ readonly packages: readonly { readonly name: string, readonly manifest: { readonly version: string } }[],
 *   readonly registry: string, readonly cwd: string }} question
 * @returns {Promise<ReadonlyMap<string, string>>} the integrity of what is published, by the name of the package
 * @throws {Error} if the registry does not answer
 */
export async function publishedIntegrities({ packages, registry, cwd }) {
  const published = new Map();
  for (const { name, manifest } of packages) {
    const integrity = await publishedIntegrity({ name, version: manifest.version, registry, cwd });
    if (integrity !== undefined) published.set(name, integrity);
  }
  return published;
}

/**
 * The tarballs that are not published yet.
 *
 * @param {readonly import("./pack.js").Tarball[]} tarballs
 * @param {ReadonlyMap<string, string>} published
 * @throws {Error} if one is published with other bytes
 */
export function missingOf(tarballs, published) {
  const other = tarballs.filter(({ name, integrity }) => published.has(name) && published.get(name) !== integrity);
  if (other.length > 0) {
    const names = other.map(({ name, version }) => `${name}@${version}`);
    throw new Error(`the registry has other bytes under ${names.join(", ")}: a release needs a new version`);
  }
  return tarballs.filter(({ name }) => !published.has(name));
}

/**
 * Publishes one tarball.
 *
 * @throws {Error} if npm refuses
 */
export function publishOne({ tarball, registry, cwd }) {
  const tag = tarball.version.includes("-") ? "next" : "latest";
  const provenance = hasProvenance(process.env, registry) ? ["--provenance"] : [];
  const words = ["publish", tarball.path, "--access=public", `--tag=${tag}`, "--ignore-scripts", ...provenance];
  const ran = runNpm([...words, ...atRegistry(registry)], cwd);
  if (!ran.ok) throw new Error(`${tarball.name}@${tarball.version} was not published:\n${reasonOf(ran)}`);
}

/**
 * Whether npm can have a statement of origin signed: only where a CI service gives it a token, and never for a registry
 * without TLS.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 */
export function hasProvenance(env, registry) {
  const tokens = [env["ACTIONS_ID_TOKEN_REQUEST_URL"], env["SIGSTORE_ID_TOKEN"]];
  return registry.startsWith("https:") && tokens.some((token) => token !== undefined && token !== "");
}

async function publishedIntegrity({ name, version, registry, cwd }) {
  const url = new URL(name.replace("/", "%2f"), registry.endsWith("/") ? registry : `${registry}/`);
  const answer = await fetch(url, { signal: AbortSignal.timeout(LOOK_UP_MS) }).catch((error) => {
    throw new Error(`the registry was asked for ${name} and gave no answer: ${error.cause?.message ?? error.message}`);
  });
  if (answer.status === 404) return undefined;
  if (answer.ok) return (await answer.json()).versions?.[version]?.dist?.integrity;
  if (answer.status === 401 || answer.status === 403)
    return integrityByNpm({ what: `${name}@${version}`, registry, cwd });
  throw new Error(`the registry was asked for ${name} and answered ${answer.status}`);
}

/** A registry that shows nothing without credentials is asked by npm, which has them. That takes longer. */
function integrityByNpm({ what, registry, cwd }) {
  const ran = runNpm(["view", what, "dist.integrity", "--json", ...atRegistry(registry)], cwd);
  if (ran.ok) return ran.stdout.trim() === "" ? undefined : JSON.parse(ran.stdout);
  if (/\bE404\b/.test(ran.stdout + ran.stderr)) return undefined;
  throw new Error(`the registry was asked for ${what} and gave no answer:\n${reasonOf(ran)}`);
}
