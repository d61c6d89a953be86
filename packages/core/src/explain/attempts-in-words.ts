// Writes attempts as parts of a sentence. Shows no value of a query of a URL, which often is a key.

import type { AttemptRecord } from "../delivery/delivery.js";
import { describeResult } from "../round/judge-reply.js";
import { maskEndpoint } from "../settings/mask-endpoint.js";
import { formatTimestamp } from "../time/format-timestamp.js";

/** `https://example.com/hook answered 503 at 2026-01-01T00:00:00.000Z`. */
export function attemptInWords({ endpoint, result, startedAt }: AttemptRecord): string {
  const how =
    result.kind === "answered" ? `answered ${String(result.status)}` : `failed with ${describeResult(result)}`;
  return `${maskEndpoint(endpoint)} ${how} at ${formatTimestamp(startedAt)}`;
}

/** `; https://b.example/ answered 404 at … (round 1), which is a refusal: it gets no further attempt`. */
export function othersInWords(others: readonly AttemptRecord[]): string {
  const texts = others.map((one) => {
    const final = one.verdict === "refused" ? ", which is a refusal: it gets no further attempt" : "";
    return `; ${attemptInWords(one)} (round ${String(one.round)})${final}`;
  });
  return texts.join("");
}
