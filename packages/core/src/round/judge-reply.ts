// Decides the meaning of a reply (spec, webhook destination §7; decision: rounds and verdicts). Every reply has a judgement. It depends on
// neither the delivery nor the time.

import type { AttemptResult, Detail, Verdict } from "../delivery/delivery.js";
import type { Fault, Reply } from "../http/reply.js";

/** A verdict; or `local`: the attempt had a local fault, so that its request did not reach the receiver. */
export type Judgement = Verdict | "local";

/** The detail of a delivery whose destination is blocked (decision: blocked destinations). */
export const FORBIDDEN_ADDRESS: Detail = "forbidden-address" satisfies Fault;

const RETRYABLE_4XX: ReadonlySet<number> = new Set([408, 423, 425, 429]);
/** Content too large, and content that cannot be processed: these statuses speak of the body, not of the endpoint. */
const OF_ONE_MESSAGE: ReadonlySet<number> = new Set([413, 422]);

/** 2xx is success; 408, 423, 425, 429, 5xx and most faults are retried; 3xx, other 4xx and three faults are refusals. */
export function judgeReply(reply: Reply): Judgement {
  return reply.kind === "answered" ? judgeStatus(reply.status) : judgeFault(reply.fault);
}

function judgeStatus(status: number): Verdict {
  if (status >= 200 && status <= 299) return "success";
  if (RETRYABLE_4XX.has(status)) return "retry";
  // Redirects are never followed, so they are refusals, as are all other 4xx.
  return status >= 300 && status <= 499 ? "refused" : "retry";
}

function judgeFault(fault: Fault): Judgement {
  switch (fault) {
    case "self-signed":
    case "forbidden-address":
    case "invalid-header":
      return "refused";
    case "local":
      return "local";
    case "timeout":
    case "dns":
    case "connection-refused":
    case "connection-reset":
    case "connection-closed":
    case "bad-response":
    case "network":
    case "tls":
    case "certificate-expired":
    case "certificate-host":
    case "certificate-issuer":
      return "retry";
  }
}

/** True if a refusal speaks of one body, so that it is final at once: 413 and 422. */
export function isOfOneMessage(result: AttemptResult): boolean {
  return result.kind === "answered" && OF_ONE_MESSAGE.has(result.status);
}

/** True if our own address policy has refused the endpoint, so that there was no connection. */
export function isForbidden(result: AttemptResult): boolean {
  return result.kind === "silent" && result.fault === FORBIDDEN_ADDRESS;
}

/** The result of an attempt in one word: the status (`gone` for 410) or the fault. */
export function describeResult(result: AttemptResult): Detail {
  if (result.kind === "silent") return result.fault;
  return result.status === 410 ? "gone" : String(result.status);
}
