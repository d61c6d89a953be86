// Finds secrets, header values and tokens with a blank or a line end at their ends, as `echo` and some editors leave it, and write keys
// with a line end in them. It is never removed, since a secret may end so (decision: warnings about data). Shows no value.

import type { ServerSettings } from "@postrider/codec";
import type { Source } from "@postrider/core";
import { defined, pathTo, readWriteKey } from "@postrider/core/engine";
import type { Called } from "./called.js";
import type { ConfigWarning } from "./config-warning.js";

const CHANGE = "remove it where the text comes from, as with printf %s in place of echo";

/** A warning for each shared secret and each value of a header. */
export function untidySecrets({ destination, path, endpoints, secrets }: Called): readonly ConfigWarning[] {
  const ofSecrets = secrets.flatMap((secret, index) => {
    const at = secrets.length === 1 ? "" : `[${String(index)}]`;
    const effect = "the receiver has to verify signatures with it";
    return warningFor({ path: `${path}.sharedSecret${at}`, what: "secret", text: secret.reveal(), effect });
  });
  const ofHeaders = endpoints.flatMap((endpoint) =>
    endpoint.headers.flatMap(([name, value]) =>
      warningFor({
        path: pathTo(`${endpoint.path}.headers`, name),
        what: "value",
        text: typeof value === "string" ? value : value.reveal(),
        effect: "HTTP leaves open whether it is part of the value",
      }),
    ),
  );
  return [...ofSecrets, ...ofHeaders].map((warning) => ({ ...warning, ...defined({ destination }) }));
}

/** A warning for each token, which no caller can show then. */
export function untidyTokens(server: ServerSettings): readonly ConfigWarning[] {
  return (["apiToken", "metricsToken", "viewerToken"] as const).flatMap((path) => {
    const text = server[path]?.reveal() ?? "";
    return warningFor({ path, what: "token", text, effect: "no header can show it, so the token opens nothing" });
  });
}

/** A warning for a write key with a line end in it, unless it is a digest; what is around a key does not count. */
export function untidyWriteKey({ writeKey }: Source, index: number): readonly ConfigWarning[] {
  const read = readWriteKey(writeKey);
  const text = read.kind === "plain" ? read.key : "";
  const path = `sources[${String(index)}].writeKey`;
  return warningFor({ path, what: "key", text, effect: "callers have to show it too" });
}

interface Untidy {
  readonly path: string;
  readonly what: string;
  readonly text: string;
  readonly effect: string;
}

function warningFor({ path, what, text, effect }: Untidy): readonly ConfigWarning[] {
  const place = placeOf(text);
  if (place === undefined) return [];
  return [{ code: "untidy-secret", path, effect: `the ${what} ${place}, and ${effect}`, change: CHANGE }];
}

/** Where it stands; undefined if the text is tidy. A byte order mark counts as a blank. */
function placeOf(text: string): string | undefined {
  if (text.trimEnd() !== text) return `ends with ${/[\r\n]\s*$/.test(text) ? "a line end" : "a blank"}`;
  if (text.trimStart() !== text) return `begins with ${/^\s*[\r\n]/.test(text) ? "a line end" : "a blank"}`;
  return /[\r\n]/.test(text) ? "has a line end in it" : undefined;
}
