// Finds secrets and tokens that could be guessed: too short, or of too few different characters. Shows neither them nor their
// length.

import type { ServerSettings } from "@postrider/codec";
import { defined } from "@postrider/core/engine";
import type { Called } from "./called.js";
import type { ConfigWarning } from "./config-warning.js";
import { MIN_DIFFERENT_CHARACTERS, MIN_PUBLIC_TOKEN_LENGTH, MIN_SECRET_LENGTH } from "./limits.js";

/** A warning for each shared secret that could be guessed. */
export function weakSecrets({ destination, path, secrets }: Called): readonly ConfigWarning[] {
  return secrets.flatMap((secret, index) => {
    const weakness = weaknessOf(secret.reveal(), MIN_SECRET_LENGTH);
    if (weakness === undefined) return [];
    const at = secrets.length === 1 ? "" : `[${String(index)}]`;
    const effect = `the secret ${weakness}, so signatures could be forged`;
    const change = "use one from openssl rand -hex 32, here and at the receiver";
    return [{ code: "weak-secret", path: `${path}.sharedSecret${at}`, effect, change, ...defined({ destination }) }];
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
