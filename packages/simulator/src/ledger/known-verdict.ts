// Decides what a reply means, said a second time beside core (decisions: rounds and verdicts, refusals), so that an error of core
// is not repeated.

import type { AttemptResult, Reply } from "@postrider/core";

export type KnownVerdict = "success" | "retry" | "refused" | "local";

const RETRYABLE_4XX = [408, 423, 425, 429];
const REFUSING_FAULTS = ["self-signed", "forbidden-address", "invalid-header"];
/** The answers that speak of one body. */
const OF_ONE_BODY = ["413", "422"];

/** The status of a reply, or its fault. */
export function resultOf(reply: AttemptResult | Reply): string {
  return reply.kind === "answered" ? String(reply.status) : reply.fault;
}

/** What a result means: the status of an answer, or a fault. */
export function verdictOf(result: string): KnownVerdict {
  const status = Number(result);
  if (Number.isNaN(status)) {
    if (result === "local") return "local";
    return REFUSING_FAULTS.includes(result) ? "refused" : "retry";
  }
  if (status >= 200 && status <= 299) return "success";
  return status >= 500 || RETRYABLE_4XX.includes(status) ? "retry" : "refused";
}

/** Whether a refusal speaks of one body, so that it is for good at once. */
export function isOfOneBody(result: string): boolean {
  return OF_ONE_BODY.includes(result);
}
