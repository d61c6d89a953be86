// Finds a text that serves two purposes: as API token and write key, or as shared secret and one of these. Who has it for one
// purpose can use it for the other. Shows no text. Several destinations may have the same shared secret.

import type { ServerSettings } from "@postrider/codec";
import type { Destination, Source } from "@postrider/core";
import { mapInSteps, readWriteKey, type Steps } from "@postrider/core/engine";
import type { ConfigWarning } from "./config-warning.js";
import { digestOfKey } from "./digest-of-key.js";

/** The path of each write key, by the digest of the key. In steps of one source. */
export function* pathsOfKeys(sources: readonly Source[]): Steps<ReadonlyMap<string, string>> {
  const paths = yield* mapInSteps(sources, ({ writeKey }, index) => {
    const read = readWriteKey(writeKey);
    const path = `sources[${String(index)}].writeKey`;
    return read.kind === "refused" ? [] : [[read.kind === "plain" ? digestOfKey(read.key) : read.hex, path] as const];
  });
  return new Map(paths.flat());
}

/** A warning if the API token is a write key, which every caller shows. */
export function sameToken({ apiToken }: ServerSettings, keys: ReadonlyMap<string, string>): readonly ConfigWarning[] {
  const key = apiToken && keys.get(digestOfKey(apiToken.reveal()));
  if (key === undefined) return [];
  const effect = `the token is also ${key}, so every caller of that source can use the API`;
  return [{ code: "same-secret", path: "apiToken", effect, change: "use another one, from openssl rand -hex 16" }];
}

/** A warning for each shared secret that is the API token or a write key; `path` is that of the destination. */
export function sameSecrets(
  { id, secrets }: Destination,
  path: string,
  { apiToken, keys }: Pick<ServerSettings, "apiToken"> & { readonly keys: ReadonlyMap<string, string> },
): readonly ConfigWarning[] {
  return secrets.flatMap((secret) => {
    const key = keys.get(digestOfKey(secret.reveal()));
    const effects = [
      ...(secret.reveal() === apiToken?.reveal()
        ? ["the secret is also apiToken, so the receiver can use the API"]
        : []),
      ...(key === undefined ? [] : [`the secret is also ${key}, so callers of that source could forge signatures`]),
    ];
    const change = "use another one, from openssl rand -hex 32, here and at the receiver";
    return effects.map((effect) => ({
      code: "same-secret",
      path: `${path}.sharedSecret`,
      effect,
      change,
      destination: id,
    }));
  });
}
