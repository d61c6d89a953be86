// Signs a message by Standard Webhooks (standardwebhooks.com), in addition to X-Signature: an id to recognise repeats, the
// time of the attempt against replay attacks, and a signature for every secret in force, so that secrets can be rotated
// without a gap (decision: standard webhooks).

import { createHmac } from "node:crypto";
import type { EpochMs, SourceId } from "../ids.js";
import type { Secret } from "../settings/secret.js";
import type { Header } from "../settings/workspace.js";

/** The values that are signed together with the body. */
export interface StandardWebhook {
  /** The id of the message, the same for every attempt; see `webhookId`. */
  readonly id: string;
  /** The start of this attempt. */
  readonly at: EpochMs;
}

/** The prefix by which libraries of Standard Webhooks mark a secret that is a key in base64. */
const KEY_PREFIX = "whsec_";
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const encoder = new TextEncoder();

/** The headers webhook-id, webhook-timestamp (in seconds) and webhook-signature, with one signature per secret. */
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
 * The id of a message: the same for all its attempts, endpoints and replays. It is `msg_` and 32 hexadecimal
 * digits, so that it is valid in a header for any messageId.
 */
export function webhookId(source: SourceId, messageId: string): string {
  const digest = createHmac("sha256", encoder.encode(source)).update(encoder.encode(messageId)).digest("hex");
  return `msg_${digest.slice(0, 32)}`;
}

/** `v1,` and the base64 of the HMAC-SHA256 over `prefix` and `body`; `prefix` is `id.timestamp.`. */
export function standardSignature(secret: string, prefix: string, body: Uint8Array): string {
  const hmac = createHmac("sha256", keyOf(secret));
  return `v1,${hmac.update(encoder.encode(prefix)).update(body).digest("base64")}`;
}

/** The key of a secret: the decoded base64 after the prefix `whsec_`. For any other secret: its text as UTF-8. */
function keyOf(secret: string): Uint8Array {
  const text = secret.slice(KEY_PREFIX.length);
  if (!secret.startsWith(KEY_PREFIX) || !BASE64.test(text)) return encoder.encode(secret);
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
