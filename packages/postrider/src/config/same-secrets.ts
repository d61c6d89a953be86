// Finds a text that serves two purposes: as a token of the server and write key, or as shared secret and one of these. Who has it for one
// purpose can use it for the other. Shows no text. Several destinations may have the same shared secret.

import type { ServerSettings } from "@postrider/codec";
import type { Source } from "@postrider/core";
import { defined, mapInSteps, readWriteKey, type Steps } from "@postrider/core/engine";
import type { ConfigWarning } from "./config-warning.js";
import type { Called } from "./called.js";
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

/** What a token of the server is for. */
const TOKENS = [
  ["apiToken", "use the API"],
  ["metricsToken", "read the metrics"],
  ["viewerToken", "look at the console"],
] as const;

/** What is wrong if another token is the one of the API too. */
const ALSO_API = {
  metricsToken: "the token is also apiToken, so a collector of the metrics can use the API",
  viewerToken: "the token is also apiToken, so people who may only look can change everything",
} as const;

type Tokens = Pick<ServerSettings, (typeof TOKENS)[number][0]>;

/** A warning for each token that is a write key, which every caller shows, and for each that is the token of the API too. */
export function sameTokens(tokens: Tokens, keys: ReadonlyMap<string, string>): readonly ConfigWarning[] {
  const change = "use another one, from openssl rand -hex 16";
  const others = ["metricsToken", "viewerToken"] as const;
  const alsoApi = others.filter((path) => tokens[path] && tokens[path].reveal() === tokens.apiToken?.reveal());
  return [
    ...TOKENS.flatMap(([path, use]) => {
      const token = tokens[path];
      const key = token && keys.get(digestOfKey(token.reveal()));
      if (key === undefined) return [];
      const effect = `the token is also ${key}, so every caller of that source can ${use}`;
      return [{ code: "same-secret" as const, path, effect, change }];
    }),
    ...alsoApi.map((path) => ({ code: "same-secret" as const, path, effect: ALSO_API[path], change })),
  ];
}

/** A warning for each shared secret that is a token or a write key. */
export function sameSecrets(
  { destination, path, secrets }: Called,
  { keys, ...tokens }: Tokens & { readonly keys: ReadonlyMap<string, string> },
): readonly ConfigWarning[] {
  return secrets.flatMap((secret) => {
    const key = keys.get(digestOfKey(secret.reveal()));
    const effects = [
      ...TOKENS.filter(([path]) => secret.reveal() === tokens[path]?.reveal()).map(
        ([path, use]) => `the secret is also ${path}, so the receiver can ${use}`,
      ),
      ...(key === undefined ? [] : [`the secret is also ${key}, so callers of that source could forge signatures`]),
    ];
    const change = "use another one, from openssl rand -hex 32, here and at the receiver";
    return effects.map((effect) => ({
      code: "same-secret",
      path: `${path}.sharedSecret`,
      effect,
      change,
      ...defined({ destination }),
    }));
  });
}
