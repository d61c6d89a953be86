// Finds secrets, tokens and write keys that could be guessed, that serve two purposes, or that have a blank or a line end at their ends.
// A text is never changed, since a secret may end so (decision: warnings about data). Shows neither a text nor its length.

import type { ServerSettings } from "@postrider/relay/settings";
import type { Source } from "@postrider/core";
import { defined, mapInSteps, pathTo, readWriteKey, type Steps } from "@postrider/core/engine";
import type { Recipient } from "./recipient.js";
import { digestOfKey } from "./check-keys.js";
import type { ConfigWarning } from "./config-warning.js";
import { MIN_DIFFERENT_CHARACTERS, MIN_PUBLIC_TOKEN_LENGTH, MIN_SECRET_LENGTH } from "./limits.js";

/** The tokens of the server, and their uses. */
const TOKENS = [
  ["apiToken", "use the API"],
  ["metricsToken", "read the metrics"],
  ["viewerToken", "look at the console"],
] as const;

/** The effect if another token is also the token of the API. */
const ALSO_API = {
  metricsToken: "the token is also apiToken, so a collector of the metrics can use the API",
  viewerToken: "the token is also apiToken, so people who may only look can change everything",
} as const;

const TIDY = "remove it where the text comes from, as with printf %s in place of echo";

/** A warning for each shared secret that could be guessed. */
export function weakSecrets({ destination, path, secrets }: Recipient): readonly ConfigWarning[] {
  return secrets.flatMap((secret, index) => {
    const weakness = weaknessOf(secret.reveal(), MIN_SECRET_LENGTH);
    if (weakness === undefined) return [];
    const suffix = secrets.length === 1 ? "" : `[${String(index)}]`;
    const effect = `the secret ${weakness}, so signatures could be forged`;
    const change = "use one from openssl rand -hex 32, here and at the receiver";
    return [
      { code: "weak-secret", path: `${path}.sharedSecret${suffix}`, effect, change, ...defined({ destination }) },
    ];
  });
}

/** A warning for each token of the server that could be guessed. Where other machines can reach it, it has to be longer. */
export function weakTokens({ listen, ...server }: ServerSettings): readonly ConfigWarning[] {
  const isPublic = !isLoopback(listen.host);
  const where = isPublic ? ` from other machines, since the server listens on ${listen.host}` : "";
  return (["apiToken", "metricsToken", "viewerToken"] as const).flatMap((path) => {
    const token = server[path];
    const weakness = token && weaknessOf(token.reveal(), isPublic ? MIN_PUBLIC_TOKEN_LENGTH : 0);
    if (weakness === undefined) return [];
    const effect = `the token ${weakness}, so it could be guessed${where}`;
    return [{ code: "weak-token" as const, path, effect, change: "use one from openssl rand -hex 16" }];
  });
}

function weaknessOf(text: string, minLength: number): string | undefined {
  if (text.length < minLength) return `is shorter than ${String(minLength)} characters`;
  if (new Set(text).size >= MIN_DIFFERENT_CHARACTERS) return undefined;
  return `has fewer than ${String(MIN_DIFFERENT_CHARACTERS)} different characters`;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

/** The path of each write key, by the digest of the key. In steps of one source. */
export function* pathsOfKeys(sources: readonly Source[]): Steps<ReadonlyMap<string, string>> {
  const paths = yield* mapInSteps(sources, ({ writeKey }, index) => {
    const outcome = readWriteKey(writeKey);
    const path = `sources[${String(index)}].writeKey`;
    return outcome.kind === "refused"
      ? []
      : [[outcome.kind === "plain" ? digestOfKey(outcome.key) : outcome.hex, path] as const];
  });
  return new Map(paths.flat());
}

type Tokens = Pick<ServerSettings, (typeof TOKENS)[number][0]>;

/** A warning for each token that is a write key, which every caller shows, and for each that is the token of the API too. */
export function sameTokens(tokens: Tokens, keys: ReadonlyMap<string, string>): readonly ConfigWarning[] {
  const change = "use another one, from openssl rand -hex 16";
  const otherTokens = ["metricsToken", "viewerToken"] as const;
  const alsoApi = otherTokens.filter((path) => tokens[path] && tokens[path].reveal() === tokens.apiToken?.reveal());
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
  { destination, path, secrets }: Recipient,
  { keys, ...tokens }: Tokens & { readonly keys: ReadonlyMap<string, string> },
): readonly ConfigWarning[] {
  return secrets.flatMap((secret) => {
    const key = keys.get(digestOfKey(secret.reveal()));
    const effects = [
      ...TOKENS.filter(([name]) => secret.reveal() === tokens[name]?.reveal()).map(
        ([name, use]) => `the secret is also ${name}, so the receiver can ${use}`,
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

/** A warning for each untidy shared secret and each untidy value of a header. */
export function untidySecrets({ destination, path, endpoints, secrets }: Recipient): readonly ConfigWarning[] {
  const secretWarnings = secrets.flatMap((secret, index) => {
    const suffix = secrets.length === 1 ? "" : `[${String(index)}]`;
    const effect = "the receiver has to verify signatures with it";
    return warningFor({ path: `${path}.sharedSecret${suffix}`, what: "secret", text: secret.reveal(), effect });
  });
  const headerWarnings = endpoints.flatMap((endpoint) =>
    endpoint.headers.flatMap(([name, value]) =>
      warningFor({
        path: pathTo(`${endpoint.path}.headers`, name),
        what: "value",
        text: typeof value === "string" ? value : value.reveal(),
        effect: "HTTP leaves open whether it is part of the value",
      }),
    ),
  );
  return [...secretWarnings, ...headerWarnings].map((warning) => ({ ...warning, ...defined({ destination }) }));
}

/** A warning for each untidy token, which no caller can show. */
export function untidyTokens(server: ServerSettings): readonly ConfigWarning[] {
  return (["apiToken", "metricsToken", "viewerToken"] as const).flatMap((path) => {
    const text = server[path]?.reveal() ?? "";
    return warningFor({ path, what: "token", text, effect: "no header can show it, so the token opens nothing" });
  });
}

/** A warning for a write key with a line end in it, unless it is a digest; what is around a key does not count. */
export function untidyWriteKey({ writeKey }: Source, index: number): readonly ConfigWarning[] {
  const outcome = readWriteKey(writeKey);
  const text = outcome.kind === "plain" ? outcome.key : "";
  const path = `sources[${String(index)}].writeKey`;
  return warningFor({ path, what: "key", text, effect: "callers have to show it too" });
}

interface CheckedText {
  readonly path: string;
  readonly what: string;
  readonly text: string;
  readonly effect: string;
}

function warningFor({ path, what, text, effect }: CheckedText): readonly ConfigWarning[] {
  const place = placeOf(text);
  if (place === undefined) return [];
  return [{ code: "untidy-secret", path, effect: `the ${what} ${place}, and ${effect}`, change: TIDY }];
}

/** The untidy place of the text, in words; undefined if the text is tidy. A byte order mark counts as a blank. */
function placeOf(text: string): string | undefined {
  if (text.trimEnd() !== text) return `ends with ${/[\r\n]\s*$/.test(text) ? "a line end" : "a blank"}`;
  if (text.trimStart() !== text) return `begins with ${/^\s*[\r\n]/.test(text) ? "a line end" : "a blank"}`;
  return /[\r\n]/.test(text) ? "has a line end in it" : undefined;
}
