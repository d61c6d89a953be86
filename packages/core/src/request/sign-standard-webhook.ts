// Signs a message by Standard Webhooks (standardwebhooks.com), beside X-Signature: an id to tell repeats by, the time of
// the attempt against replays, and a signature for every secret in force, so that a secret can be changed without a gap
// (decision: standard webhooks).

import { createHmac } from "node:crypto";
import type { EpochMs, SourceId } from "../ids.js";
import type { Secret } from "../settings/secret.js";
import type { Header } from "../settings/workspace.js";

/** What is signed beside the body. */
export interface StandardWebhook {
  /** The same on every attempt; see `webhookId`. */
  readonly id: string;
  /** When this attempt starts. */
  readonly at: EpochMs;
}

/** How the libraries of Standard Webhooks mark a secret that holds its key in base64. */
const KEY_PREFIX = "whsec_";
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const encoder = new TextEncoder();

/** The three headers, one signature for each secret. */
export function signStandardWebhook(
  secrets: readonly Secret[],
  { id, at }: StandardWebhook,
  body: Uint8Array,
): readonly Header[] {
  const timestamp = String(Math.floor(at / 1_000));
  const signatures = secrets.map((secret) => standardSignature(secret.reveal(), `${id}.${timestamp}.`, body));
  return [
    ["webhook-id", id],
    ["webhook-timestamp", timestamp],
    ["webhook-signature", signatures.join(" ")],
  ];
}

/**
 * The id of a message: the same for each attempt, each endpoint and each replay of it, and fit for a header whatever
 * the caller chose as its messageId.
 */
export function webhookId(source: SourceId, messageId: string): string {
  const digest = createHmac("sha256", encoder.encode(source)).update(encoder.encode(messageId)).digest("hex");
  return `msg_${digest.slice(0, 32)}`;
}

/** `v1,` and the base64 of the HMAC-SHA256 over `id.timestamp.body`. */
export function standardSignature(secret: string, prefix: string, body: Uint8Array): string {
  const hmac = createHmac("sha256", keyOf(secret));
  return `v1,${hmac.update(encoder.encode(prefix)).update(body).digest("base64")}`;
}

/** A secret without the prefix, or with something else than base64 behind it, is its own key. */
function keyOf(secret: string): Uint8Array {
  const text = secret.slice(KEY_PREFIX.length);
  if (!secret.startsWith(KEY_PREFIX) || !BASE64.test(text)) return encoder.encode(secret);
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
