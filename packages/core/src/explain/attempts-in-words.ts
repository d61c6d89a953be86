// Writes attempts as parts of a sentence. Shows no value of a query of a URL, which often is a key.

import type { AttemptRecord } from "../delivery/delivery.js";
import type { EndpointId } from "../ids.js";
import { describeResult } from "../round/judge-reply.js";
import { maskEndpoint } from "../settings/mask-endpoint.js";
import { formatTimestamp } from "../time/format-timestamp.js";

/** `https://example.com/hook answered 503 at 2026-01-01T00:00:00.000Z`. */
export function attemptInWords({ endpoint, result, startedAt }: AttemptRecord): string {
  const how =
    result.kind === "answered" ? `answered ${String(result.status)}` : `failed with ${describeResult(result)}`;
  return `${maskEndpoint(endpoint)} ${how} at ${formatTimestamp(startedAt)}`;
}

/**
 * `https://a.example/ answered 503 at … (round 2); https://b.example/ answered 404 at … (round 1), which is a refusal`. That of
 * an endpoint in `leftOut` is final.
 */
export function failuresInWords(attempts: readonly AttemptRecord[], leftOut: readonly EndpointId[] = []): string {
  const texts = attempts.map(
    (one) => `${attemptInWords(one)} (round ${String(one.round)})${refusalInWords(one, leftOut)}`,
  );
  return texts.join("; ");
}

function refusalInWords({ endpoint, verdict }: AttemptRecord, leftOut: readonly EndpointId[]): string {
  if (verdict !== "refused") return "";
  return leftOut.includes(endpoint) ? ", which is a final refusal: it gets no further attempt" : ", which is a refusal";
}
